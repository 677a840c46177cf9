#include "collector/profile/chips_here.h"

#include <cuda.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <thread>

#include "analyzer/core/descriptor.h"
#include "collector/cupti/chip_name.h"
#include "collector/cupti/cupti_library.h"

namespace ridgepoint::collector {
namespace {

// Eight GPUs without persistence take seconds to wake.
constexpr std::chrono::seconds patience{30};

// In the child: one line a device.
void list_chips(int to) {
  const Result<const CuptiApi*> api = load_cupti(cupti_candidates());
  void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!api || driver == nullptr) {
    return;
  }
  const auto init = reinterpret_cast<decltype(&cuInit)>(dlsym(driver, "cuInit"));
  const auto count_devices =
      reinterpret_cast<decltype(&cuDeviceGetCount)>(dlsym(driver, "cuDeviceGetCount"));
  int count = 0;
  if (init == nullptr || count_devices == nullptr || init(0) != CUDA_SUCCESS ||
      count_devices(&count) != CUDA_SUCCESS) {
    return;
  }
  const auto name_of =
      reinterpret_cast<decltype(&cuDeviceGetName)>(dlsym(driver, "cuDeviceGetName"));
  for (int device = 0; device < count; ++device) {
    std::array<char, 256> name{};
    if (name_of == nullptr ||
        name_of(name.data(), static_cast<int>(name.size()) - 1, device) != CUDA_SUCCESS) {
      name = {};
    }
    const std::string line = chip_name(**api, device).value_or("") + "\t" + name.data() + "\n";
    static_cast<void>(!write(to, line.data(), line.size()));
  }
}

std::string read_all(int from) {
  std::string text;
  const auto end = std::chrono::steady_clock::now() + patience;
  std::array<char, 1024> buffer{};
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd ready = {from, POLLIN, 0};
    if (left.count() <= 0 || poll(&ready, 1, static_cast<int>(left.count())) <= 0) {
      return {};
    }
    const ssize_t got = read(from, buffer.data(), buffer.size());
    if (got <= 0) {
      return text;
    }
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

// One that is stuck in the driver does not end even when it is killed: it is left to init then.
void wait_a_while(pid_t child) {
  constexpr std::chrono::seconds limit{1};
  constexpr std::chrono::milliseconds step{2};
  const auto end = std::chrono::steady_clock::now() + limit;
  while (waitpid(child, nullptr, WNOHANG) == 0 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(step);
  }
}

}  // namespace

std::vector<ChipHere> chips_here(const std::function<void()>& meanwhile) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return {};
  }
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  const pid_t child = fork();
  if (child < 0) {
    return {};
  }
  if (child == 0) {
    // What a library has to say of a GPU that is not there is of no use here.
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    list_chips(writing.get());
    _exit(0);
  }
  writing.close();
  if (meanwhile) {
    meanwhile();
  }
  const std::string text = read_all(reading.get());
  kill(child, SIGKILL);
  wait_a_while(child);
  std::vector<ChipHere> chips;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    if (const std::size_t tab = line.find('\t'); tab != std::string::npos) {
      chips.push_back({line.substr(0, tab), line.substr(tab + 1)});
    }
    at = end + 1;
  }
  return chips;
}

void name_chips(std::vector<Session*> sessions) {
  std::vector<DeviceInfo*> unnamed;
  for (Session* session : sessions) {
    for (DeviceInfo& device : session->devices) {
      if (device.chip.empty() && !device.name.empty()) {
        unnamed.push_back(&device);
      }
    }
  }
  if (unnamed.empty()) {
    return;
  }
  const std::vector<ChipHere> here = chips_here();
  for (DeviceInfo* device : unnamed) {
    const auto found = std::find_if(
        here.begin(), here.end(), [&](const ChipHere& one) { return one.device == device->name; });
    device->chip = found == here.end() ? "" : found->chip;
  }
}

}  // namespace ridgepoint::collector
