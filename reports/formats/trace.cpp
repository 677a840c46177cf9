// The timeline for chrome://tracing and Perfetto: kernels and copies by device and stream, NVTX
// ranges by thread, power, clocks and HBM bandwidth as counter tracks. Written event by event; only
// an order of the events is held.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "analyzer/metrics/counter_map.h"
#include "analyzer/traffic/quantities.h"
#include "reports/formats/formats.h"
#include "reports/trace/lanes.h"
#include "reports/trace/trace_events.h"

namespace ridgepoint {
namespace {

bool timed(std::int64_t start_ns, std::int64_t end_ns) {
  return start_ns > 0 && end_ns >= start_ns;
}

std::string dim_json(const Dim3& d) {
  return fmt::format("[{},{},{}]", d.x, d.y, d.z);
}

class Trace {
 public:
  Trace(const Session& session, TextStream& out)
      : session_(session),
        out_(out),
        origin_ns_(earliest()),
        host_(static_cast<std::int64_t>(session.devices.size())),
        events_(out, origin_ns_) {}

  bool empty() const { return origin_ns_ == std::numeric_limits<std::int64_t>::max(); }

  void write() {
    // Nanoseconds since the epoch as text: as a number they would be rounded.
    out_.add(
        "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"producer\":{},\"origin_ns\":\"{}\"}},"
        "\"traceEvents\":[",
        json_quoted("Ridgepoint " + session_.producer.version), origin_ns_);
    for (std::size_t d = 0; d < session_.devices.size(); ++d) {
      events_.process(static_cast<std::int64_t>(d),
                      fmt::format("GPU {} {}", d, session_.devices[d].name));
    }
    device_work();
    ranges();
    samples();
    bandwidth();
    out_.put("\n]}\n");
  }

 private:
  std::int64_t earliest() const {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    const auto consider = [&](std::int64_t start, std::int64_t end) {
      first = timed(start, end) ? std::min(first, start) : first;
    };
    for (const Launch& one : session_.launches) {
      consider(one.start_ns, one.end_ns);
    }
    for (const MemoryOperation& one : session_.memory_operations) {
      consider(one.start_ns, one.end_ns);
    }
    for (const NvtxRange& one : session_.ranges) {
      consider(one.start_ns, one.end_ns);
    }
    for (const PowerSample& one : session_.power) {
      consider(one.time_ns, one.time_ns);
    }
    return first;
  }

  // The track of a lane; the first of each stream or thread is named after it alone.
  std::int64_t track(std::int64_t pid, std::uint64_t id, const char* what, std::size_t lane) {
    const auto [entry, fresh] =
        tracks_.try_emplace({pid, id, lane}, static_cast<std::int64_t>(tracks_.size()) + 1);
    if (fresh) {
      events_.thread(pid, entry->second,
                     lane == 0 ? fmt::format("{} {}", what, id)
                               : fmt::format("{} {}, overlapping {}", what, id, lane));
    }
    return entry->second;
  }

  void device_work();
  void launch(std::size_t index, std::int64_t tid);
  void ranges();
  void samples();
  void bandwidth();

  const Session& session_;
  TextStream& out_;
  std::int64_t origin_ns_;
  std::int64_t host_;
  TraceEvents events_;
  std::map<std::tuple<std::int64_t, std::uint64_t, std::size_t>, std::int64_t> tracks_;
  std::vector<std::string> kernel_names_;
};

// Kernels and copies share the track of their stream: the stream runs them one after another.
void Trace::device_work() {
  for (const KernelInfo& kernel : session_.kernels) {
    kernel_names_.push_back(json_quoted(kernel.name));
  }
  const std::size_t launches = session_.launches.size();
  std::vector<Span> spans;
  spans.reserve(launches + session_.memory_operations.size());
  for (const Launch& one : session_.launches) {
    spans.push_back({one.start_ns, one.end_ns});
  }
  for (const MemoryOperation& one : session_.memory_operations) {
    spans.push_back({one.start_ns, one.end_ns});
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, Lanes> lanes;
  for (const std::size_t i : placing_order(spans)) {
    if (!timed(spans[i].start_ns, spans[i].end_ns)) {
      continue;
    }
    const bool kernel = i < launches;
    const MemoryOperation* copy = kernel ? nullptr : &session_.memory_operations[i - launches];
    const std::uint32_t device = kernel ? session_.launches[i].device : copy->device;
    const std::uint32_t stream = kernel ? session_.launches[i].stream : copy->stream;
    const std::int64_t tid =
        track(device, stream, "stream", lanes[{device, stream}].place(spans[i]));
    if (kernel) {
      launch(i, tid);
    } else {
      events_.slice(device, tid, json_quoted(copy->kind), "copy", copy->start_ns, copy->end_ns,
                    fmt::format("{{\"bytes\":{}}}", copy->bytes));
    }
  }
}

void Trace::launch(std::size_t index, std::int64_t tid) {
  const Launch& one = session_.launches[index];
  events_.slice(one.device, tid, kernel_names_[one.kernel], "kernel", one.start_ns, one.end_ns,
                fmt::format("{{\"launch\":{},\"grid\":{},\"block\":{},\"cluster\":{},"
                            "\"dynamic_smem_bytes\":{}}}",
                            index, dim_json(one.grid), dim_json(one.block), dim_json(one.cluster),
                            one.dynamic_smem_bytes));
}

void Trace::ranges() {
  std::vector<Span> spans;
  spans.reserve(session_.ranges.size());
  for (const NvtxRange& one : session_.ranges) {
    spans.push_back({one.start_ns, one.end_ns});
  }
  std::map<std::uint64_t, Lanes> lanes;
  bool named = false;
  for (const std::size_t i : placing_order(spans)) {
    const NvtxRange& one = session_.ranges[i];
    if (!timed(one.start_ns, one.end_ns)) {
      continue;
    }
    if (!named) {
      events_.process(host_, "NVTX ranges");
      named = true;
    }
    events_.slice(host_, track(host_, one.thread, "thread", lanes[one.thread].place(spans[i])),
                  json_quoted(one.name), "nvtx", one.start_ns, one.end_ns,
                  "{\"domain\":" + json_quoted(one.domain) + "}");
  }
}

void Trace::samples() {
  for (const PowerSample& one : session_.power) {
    if (one.time_ns <= 0) {
      continue;
    }
    const auto add = [&](const char* name, const char* unit, const std::optional<double>& value) {
      if (value && std::isfinite(*value)) {
        events_.counter(one.device, name, unit, one.time_ns, *value);
      }
    };
    add("power", "W", one.power_w);
    add("SM clock", "Hz", one.sm_clock_hz);
    add("memory clock", "Hz", one.memory_clock_hz);
  }
}

// The mean HBM bandwidth of each counted launch, from its start to its end. Kernels that are
// counted run alone, so that the steps of one device never overlap; where some do, nothing is
// drawn.
void Trace::bandwidth() {
  for (std::uint32_t device = 0; device < session_.devices.size(); ++device) {
    const Result<CounterMap> map = load_counter_map(session_.devices[device].chip);
    const QuantityDefinition* read = map ? map->find("hbm_read_bytes") : nullptr;
    const QuantityDefinition* write = map ? map->find("hbm_write_bytes") : nullptr;
    if (read == nullptr || write == nullptr) {
      continue;
    }
    const LaunchCounters times(session_, &*map);
    std::vector<std::size_t> counted;
    for (std::size_t i = 0; i < session_.launches.size(); ++i) {
      const Launch& one = session_.launches[i];
      if (one.device == device && timed(one.start_ns, one.end_ns) &&
          evaluate(*read, session_.counters, i) && evaluate(*write, session_.counters, i) &&
          times.time_s(i)) {
        counted.push_back(i);
      }
    }
    std::sort(counted.begin(), counted.end(), [&](std::size_t a, std::size_t b) {
      return session_.launches[a].start_ns < session_.launches[b].start_ns;
    });
    const bool overlap =
        std::adjacent_find(counted.begin(), counted.end(), [&](std::size_t a, std::size_t b) {
          return session_.launches[b].start_ns < session_.launches[a].end_ns;
        }) != counted.end();
    if (overlap) {
      continue;
    }
    for (const std::size_t i : counted) {
      const double bytes =
          *evaluate(*read, session_.counters, i) + *evaluate(*write, session_.counters, i);
      const Launch& one = session_.launches[i];
      events_.counter(device, "HBM bandwidth", "byte/s", one.start_ns, bytes / *times.time_s(i));
      events_.counter(device, "HBM bandwidth", "byte/s", one.end_ns, 0);
    }
  }
}

}  // namespace

Status stream_trace(const ReportInput& input, const ReportOptions& /*options*/,
                    const TextSink& sink) {
  TextStream out(sink);
  Trace trace(*input.session, out);
  if (trace.empty()) {
    return fail(ErrorDomain::input, "making a trace", "the session has no timeline",
                "record one: ridgepoint profile --counters none -- PROGRAM");
  }
  trace.write();
  return out.finish();
}

}  // namespace ridgepoint
