#include "collector/profile/disassembler.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "analyzer/core/descriptor.h"
#include "analyzer/core/text.h"

extern char** environ;

namespace ridgepoint::collector {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds patience{60};
constexpr std::size_t most_output = std::size_t{256} << 20U;
constexpr std::size_t most_functions = 4096;  // named on a command line
constexpr const char* what = "disassembling a kernel";

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

// All that the child prints, within the limits; it is killed beyond them.
Result<std::string> read_all(int from, pid_t child) {
  std::string text;
  const auto end = std::chrono::steady_clock::now() + patience;
  std::array<char, 65536> buffer;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd ready = {from, POLLIN, 0};
    if (left.count() <= 0 || poll(&ready, 1, static_cast<int>(left.count())) == 0) {
      kill(child, SIGKILL);
      return fail(ErrorDomain::device, what,
                  fmt::format("nvdisasm took longer than {} s", patience.count()));
    }
    const ssize_t got = read(from, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return text;
    }
    if (text.size() + static_cast<std::size_t>(got) > most_output) {
      kill(child, SIGKILL);
      return fail(ErrorDomain::device, what,
                  fmt::format("nvdisasm printed more than {} MiB", most_output >> 20U));
    }
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

Result<std::string> run(std::vector<std::string> words, int cubin) {
  std::array<int, 2> ends = {};
  if (pipe(ends.data()) != 0) {
    return fail(ErrorDomain::internal, what, std::strerror(errno), {}, errno);
  }
  const Descriptor output(ends[0]);
  Descriptor input(ends[1]);
  std::vector<char*> arguments;
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // Clears close-on-exec where the numbers happen to be the same.
  posix_spawn_file_actions_adddup2(&actions, cubin, cubin);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, input.get(), STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, output.get());
  pid_t child = 0;
  const int failed =
      posix_spawn(&child, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  input = Descriptor();
  if (failed != 0) {
    return fail(ErrorDomain::device, what, words[0] + ": " + std::strerror(failed), {}, failed);
  }
  Result<std::string> text = read_all(output.get(), child);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (text && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
    return fail(ErrorDomain::device, what, words[0] + " failed",
                "its version must know the GPU: use the nvdisasm of the driver's CUDA version");
  }
  return text;
}

// "        /*0010*/    LDG.E R2, [R2.64] ;" : the offset and the instruction.
bool parse_instruction(std::string_view line, std::uint64_t& offset, std::string& text) {
  const std::size_t start = line.find_first_not_of(" \t{");
  if (start == std::string_view::npos || line.substr(start, 2) != "/*") {
    return false;
  }
  const char* const first = line.data() + start + 2;
  const char* const last = line.data() + line.size();
  const auto [end, status] = std::from_chars(first, last, offset, 16);
  if (status != std::errc() || last - end < 2 || end[0] != '*' || end[1] != '/') {
    return false;
  }
  std::string_view rest(end + 2, static_cast<std::size_t>(last - end - 2));
  rest = rest.substr(0, rest.find(';'));
  const std::size_t from = rest.find_first_not_of(" \t");
  if (from == std::string_view::npos) {
    return false;
  }
  rest = rest.substr(from, rest.find_last_not_of(" \t") + 1 - from);
  text = printable(rest);
  return true;
}

}  // namespace

Result<fs::path> find_nvdisasm() {
  if (const char* chosen = std::getenv("RIDGEPOINT_NVDISASM");
      chosen != nullptr && *chosen != '\0') {
    if (is_program(chosen)) {
      return fs::path(chosen);
    }
    return fail(ErrorDomain::device, "finding nvdisasm", std::string(chosen) + " is no program");
  }
  std::vector<fs::path> folders;
  if (const char* path = std::getenv("PATH"); path != nullptr) {
    std::string_view rest = path;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      if (end > 0) {
        folders.emplace_back(rest.substr(0, end));
      }
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"}) {
    if (const char* root = std::getenv(variable); root != nullptr && *root != '\0') {
      folders.push_back(fs::path(root) / "bin");
    }
  }
  folders.emplace_back("/usr/local/cuda/bin");
  for (const fs::path& folder : folders) {
    if (is_program(folder / "nvdisasm")) {
      return folder / "nvdisasm";
    }
  }
  return fail(ErrorDomain::device, "finding nvdisasm",
              "it is neither in PATH nor in a CUDA toolkit",
              "install it (package cuda-nvdisasm-13-0), or set RIDGEPOINT_NVDISASM to its path");
}

Disassembly parse_disassembly(std::string_view text) {
  Disassembly all;
  std::map<std::uint64_t, std::string>* function = nullptr;
  constexpr std::string_view label = ".text.";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.substr(0, label.size()) == label && line.back() == ':') {
      function = &all[std::string(line.substr(label.size(), line.size() - label.size() - 1))];
      continue;
    }
    std::uint64_t offset = 0;
    std::string instruction;
    if (function != nullptr && parse_instruction(line, offset, instruction)) {
      function->emplace(offset, std::move(instruction));
    }
  }
  return all;
}

std::vector<std::size_t> symbol_indices(const std::string& cubin,
                                        const std::vector<std::string>& functions) {
  // Nothing is believed of the file: each read is checked against its end.
  const auto read = [&](std::size_t at, auto& value) {
    if (at > cubin.size() || cubin.size() - at < sizeof(value)) {
      return false;
    }
    std::memcpy(&value, cubin.data() + at, sizeof(value));
    return true;
  };
  std::vector<std::size_t> found;
  Elf64_Ehdr file;
  if (!read(0, file) || std::memcmp(file.e_ident, ELFMAG, SELFMAG) != 0 ||
      file.e_ident[EI_CLASS] != ELFCLASS64) {
    return found;
  }
  for (std::size_t i = 0; i < file.e_shnum; ++i) {
    Elf64_Shdr table;
    Elf64_Shdr names;
    if (!read(file.e_shoff + i * sizeof(Elf64_Shdr), table) || table.sh_type != SHT_SYMTAB ||
        !read(file.e_shoff + table.sh_link * sizeof(Elf64_Shdr), names)) {
      continue;
    }
    Elf64_Sym symbol;
    for (std::size_t n = 0; n < table.sh_size / sizeof(symbol); ++n) {
      if (!read(table.sh_offset + n * sizeof(symbol), symbol)) {
        break;
      }
      const std::size_t at = names.sh_offset + symbol.st_name;
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && at < cubin.size() &&
          std::any_of(functions.begin(), functions.end(), [&](const std::string& name) {
            return cubin.compare(at, name.size() + 1, name.c_str(), name.size() + 1) == 0;
          })) {
        found.push_back(n);
      }
    }
  }
  return found;
}

Result<Disassembly> disassemble(const fs::path& nvdisasm, const std::string& cubin,
                                const std::vector<std::string>& functions) {
  // In memory only: nothing lies about when we are killed.
  const Descriptor file(memfd_create("cubin", MFD_CLOEXEC));
  if (!file) {
    return fail(ErrorDomain::internal, what, std::strerror(errno), {}, errno);
  }
  if (const Status written = write_all(file.get(), cubin, what); !written) {
    return tl::make_unexpected(written.error());
  }
  std::vector<std::string> words = {nvdisasm.string(), "-c"};
  // All of a library's kernels would take minutes.
  std::vector<std::size_t> indices = symbol_indices(cubin, functions);
  if (!indices.empty()) {
    indices.resize(std::min(indices.size(), most_functions));
    words.insert(words.end(), {"-fun", fmt::format("{}", fmt::join(indices, ","))});
  }
  words.push_back(fmt::format("/proc/self/fd/{}", file.get()));
  return run(std::move(words), file.get()).map(parse_disassembly);
}

}  // namespace ridgepoint::collector
