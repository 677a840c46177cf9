#include "collector/inject/nvtx_entry.h"

#include <nvtx3/nvToolsExt.h>
#include <unistd.h>

#include <atomic>
#include <ctime>
#include <set>
#include <string>
#include <unordered_set>

#include "collector/inject/launch_line.h"

namespace ridgepoint::collector {
namespace {

std::atomic<bool> listening{false};

std::string utf8_of(const wchar_t* text) {
  std::string bytes;
  for (; text != nullptr && *text != L'\0'; ++text) {
    const auto c = static_cast<char32_t>(*text);
    const auto put = [&](char32_t value) { bytes += static_cast<char>(value); };
    const auto tail = [&](unsigned shift) { put(0x80U | ((c >> shift) & 0x3fU)); };
    if (c < 0x80U) {
      put(c);
    } else if (c < 0x800U) {
      put(0xc0U | (c >> 6U));
      tail(0);
    } else if (c < 0x10000U) {
      put(0xe0U | (c >> 12U));
      tail(6);
      tail(0);
    } else {
      put(0xf0U | ((c >> 18U) & 7U));
      tail(12);
      tail(6);
      tail(0);
    }
  }
  return bytes;
}

std::string text_of(const char* text) {
  return text == nullptr ? std::string() : std::string(text);
}

// Domains and registered strings are both handles to a text. They live as long as the process, as
// the program may use one at any time; a handle that is not ours stands for an empty text.
class Texts {
 public:
  void* add(std::string text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::string& kept = *texts_.insert(std::move(text)).first;
    handles_.insert(&kept);
    return const_cast<std::string*>(&kept);
  }
  std::string find(const void* handle) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = handles_.find(static_cast<const std::string*>(handle));
    return found == handles_.end() ? std::string() : **found;
  }

  std::mutex& mutex() { return mutex_; }

 private:
  mutable std::mutex mutex_;
  std::set<std::string> texts_;  // a node each, so that addresses stay
  std::unordered_set<const std::string*> handles_;
};
Texts& texts() {
  static auto* kept = new Texts;
  return *kept;
}

std::string domain_of(nvtxDomainHandle_t handle) {
  return handle == nullptr ? std::string() : texts().find(handle);
}

std::string message_of(const nvtxEventAttributes_t* event) {
  if (event == nullptr || event->size < NVTX_EVENT_ATTRIB_STRUCT_SIZE) {
    return {};
  }
  switch (event->messageType) {
    case NVTX_MESSAGE_TYPE_ASCII:
      return text_of(event->message.ascii);
    case NVTX_MESSAGE_TYPE_UNICODE:
      return utf8_of(event->message.unicode);
    case NVTX_MESSAGE_TYPE_REGISTERED:
      return texts().find(event->message.registered);
    default:
      return {};
  }
}

// NVTX is called from C and from any thread: nothing may be thrown through it.
template <class Act>
auto guarded(Act act) noexcept -> decltype(act()) {
  try {
    if (listening.load(std::memory_order_relaxed)) {
      return act();
    }
  } catch (...) {
    listening = false;
  }
  return {};
}

int push(const std::string& domain, const std::string& name) {
  nvtx_ranges().push(this_thread(), domain, name, wall_clock_ns());
  return 0;
}
int pop(const std::string& domain) {
  nvtx_ranges().pop(this_thread(), domain, wall_clock_ns());
  return 0;
}
nvtxRangeId_t start(const std::string& domain, const std::string& name) {
  return nvtx_ranges().start(this_thread(), domain, name, wall_clock_ns());
}
int end(nvtxRangeId_t id) {
  nvtx_ranges().end(id, wall_clock_ns());
  return 0;
}

int NVTX_API push_a(const char* text) {
  return guarded([&] { return push({}, text_of(text)); });
}
int NVTX_API push_w(const wchar_t* text) {
  return guarded([&] { return push({}, utf8_of(text)); });
}
int NVTX_API push_ex(const nvtxEventAttributes_t* event) {
  return guarded([&] { return push({}, message_of(event)); });
}
int NVTX_API pop_default() {
  return guarded([] { return pop({}); });
}
nvtxRangeId_t NVTX_API start_a(const char* text) {
  return guarded([&] { return start({}, text_of(text)); });
}
nvtxRangeId_t NVTX_API start_w(const wchar_t* text) {
  return guarded([&] { return start({}, utf8_of(text)); });
}
nvtxRangeId_t NVTX_API start_ex(const nvtxEventAttributes_t* event) {
  return guarded([&] { return start({}, message_of(event)); });
}
void NVTX_API end_default(nvtxRangeId_t id) {
  guarded([&] { return end(id); });
}
int NVTX_API domain_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  return guarded([&] { return push(domain_of(domain), message_of(event)); });
}
int NVTX_API domain_pop(nvtxDomainHandle_t domain) {
  return guarded([&] { return pop(domain_of(domain)); });
}
nvtxRangeId_t NVTX_API domain_start(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  return guarded([&] { return start(domain_of(domain), message_of(event)); });
}
void NVTX_API domain_end(nvtxDomainHandle_t /*domain*/, nvtxRangeId_t id) {
  guarded([&] { return end(id); });
}
nvtxDomainHandle_t NVTX_API create_domain_a(const char* name) {
  return guarded([&] { return static_cast<nvtxDomainHandle_t>(texts().add(text_of(name))); });
}
nvtxDomainHandle_t NVTX_API create_domain_w(const wchar_t* name) {
  return guarded([&] { return static_cast<nvtxDomainHandle_t>(texts().add(utf8_of(name))); });
}
nvtxStringHandle_t NVTX_API register_a(nvtxDomainHandle_t /*domain*/, const char* text) {
  return guarded([&] { return static_cast<nvtxStringHandle_t>(texts().add(text_of(text))); });
}
nvtxStringHandle_t NVTX_API register_w(nvtxDomainHandle_t /*domain*/, const wchar_t* text) {
  return guarded([&] { return static_cast<nvtxStringHandle_t>(texts().add(utf8_of(text))); });
}

struct Entry {
  unsigned id;
  NvtxFunctionPointer function;
};

template <class Function>
NvtxFunctionPointer erased(Function function) {
  return reinterpret_cast<NvtxFunctionPointer>(function);
}

bool fill(const NvtxExportTableCallbacks& callbacks, NvtxCallbackModule module,
          std::initializer_list<Entry> entries) {
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (callbacks.GetModuleFunctionTable(module, &table, &size) == 0 || table == nullptr) {
    return false;
  }
  for (const Entry& entry : entries) {
    if (entry.id < size && table[entry.id] != nullptr) {
      *table[entry.id] = entry.function;
    }
  }
  return true;
}

}  // namespace

NvtxRanges& nvtx_ranges() {
  static auto* ranges = new NvtxRanges(launch_line.stretch);
  return *ranges;
}

void lock_nvtx_for_fork() {
  texts().mutex().lock();
  nvtx_ranges().mutex().lock();
}

void unlock_nvtx_after_fork() {
  nvtx_ranges().mutex().unlock();
  texts().mutex().unlock();
}

void listen_to_nvtx(bool listen) {
  listening = listen;
}

std::uint64_t this_thread() {
  thread_local const auto id = static_cast<std::uint64_t>(gettid());
  return id;
}

std::int64_t range_of_launch_here() {
  return nvtx_ranges().any_open() ? nvtx_ranges().place(this_thread()).innermost : no_index;
}

std::int64_t wall_clock_ns() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  constexpr std::int64_t ns_per_s = 1'000'000'000;
  return now.tv_sec * ns_per_s + now.tv_nsec;
}

int attach_nvtx(const void* (*get_export_table)(unsigned)) {
  const auto* callbacks =
      get_export_table == nullptr
          ? nullptr
          : static_cast<const NvtxExportTableCallbacks*>(get_export_table(NVTX_ETID_CALLBACKS));
  if (callbacks == nullptr || callbacks->GetModuleFunctionTable == nullptr) {
    return 0;
  }
  const bool core = fill(*callbacks, NVTX_CB_MODULE_CORE,
                         {{NVTX_CBID_CORE_RangeStartEx, erased(start_ex)},
                          {NVTX_CBID_CORE_RangeStartA, erased(start_a)},
                          {NVTX_CBID_CORE_RangeStartW, erased(start_w)},
                          {NVTX_CBID_CORE_RangeEnd, erased(end_default)},
                          {NVTX_CBID_CORE_RangePushEx, erased(push_ex)},
                          {NVTX_CBID_CORE_RangePushA, erased(push_a)},
                          {NVTX_CBID_CORE_RangePushW, erased(push_w)},
                          {NVTX_CBID_CORE_RangePop, erased(pop_default)}});
  // Absent in NVTX 2 of before CUDA 8.
  fill(*callbacks, NVTX_CB_MODULE_CORE2,
       {{NVTX_CBID_CORE2_DomainRangeStartEx, erased(domain_start)},
        {NVTX_CBID_CORE2_DomainRangeEnd, erased(domain_end)},
        {NVTX_CBID_CORE2_DomainRangePushEx, erased(domain_push)},
        {NVTX_CBID_CORE2_DomainRangePop, erased(domain_pop)},
        {NVTX_CBID_CORE2_DomainRegisterStringA, erased(register_a)},
        {NVTX_CBID_CORE2_DomainRegisterStringW, erased(register_w)},
        {NVTX_CBID_CORE2_DomainCreateA, erased(create_domain_a)},
        {NVTX_CBID_CORE2_DomainCreateW, erased(create_domain_w)}});
  return core ? 1 : 0;
}

}  // namespace ridgepoint::collector
