#include "collector/inject/stall_sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analyzer/core/base64.h"
#include "analyzer/core/text.h"
#include "analyzer/core/zstd.h"
#include "collector/cupti/cupti_api.h"
#include "collector/cupti/cupti_error.h"
#include "collector/inject/recorder.h"

namespace ridgepoint::collector {
namespace {

constexpr std::chrono::milliseconds callback_patience{200};
constexpr std::chrono::seconds shortest_interval{1};
constexpr int part_of_the_run = 4;  // a killed process loses at most this part of its samples
// A quarter of what a session holds, so that several can be joined.
constexpr std::size_t most_rows = std::size_t{1} << 20U;
// Code kept in the program's memory until it is known whether it is sampled, and in the session.
constexpr std::uint64_t most_code_bytes = std::uint64_t{256} << 20U;
constexpr std::uint64_t most_written_bytes = std::uint64_t{32} << 20U;

}  // namespace

void StallSampling::report(const Error& error) {
  recorder_.issue_once("stalls.unavailable",
                       printable(error.what + ": " + error.why +
                                 (error.hint.empty() ? "" : " (" + error.hint + ")")));
}

void StallSampling::context_created(CUctx_st* context) {
  Result<PcSampler> sampler =
      PcSampler::create(api_, context, period_log2_, PcSampler::Control::whole_context);
  if (!sampler) {
    report(sampler.error());
    return;
  }
  std::uint32_t ordinal = 0;
  if (const auto code = api_.cuptiGetDeviceId(context, &ordinal); code != CUPTI_SUCCESS) {
    report(cupti_failure(api_, code, "asking for the device of a context").value());
    return;
  }
  const std::lock_guard<std::mutex> lock(contexts_mutex_);
  contexts_[context] = std::make_shared<Sampled>(std::move(*sampler), ordinal);
}

std::vector<std::shared_ptr<StallSampling::Sampled>> StallSampling::contexts() {
  const std::lock_guard<std::mutex> lock(contexts_mutex_);
  std::vector<std::shared_ptr<Sampled>> all;
  for (const auto& [handle, sampled] : contexts_) {
    all.push_back(sampled);
  }
  return all;
}

void StallSampling::context_ends(CUctx_st* context) {
  std::shared_ptr<Sampled> ending;
  {
    const std::lock_guard<std::mutex> lock(contexts_mutex_);
    const auto found = contexts_.find(context);
    if (found == contexts_.end()) {
      return;
    }
    ending = std::move(found->second);
    contexts_.erase(found);
  }
  close(*ending);
}

void StallSampling::collect(Sampled& sampled) {
  if (sampled.closed) {
    return;  // by another thread, since this one looked it up
  }
  if (const Status fetched = sampled.sampler.collect(); !fetched) {
    report(fetched.error());
  }
  if (Result<PcSamples> samples = sampled.sampler.take()) {
    absorb(std::move(*samples), sampled.ordinal);
  }
}

void StallSampling::close(Sampled& sampled) {
  std::unique_lock<std::timed_mutex> busy(sampled.busy, std::defer_lock);
  if (!busy.try_lock_for(std::chrono::seconds{1})) {
    return;
  }
  collect(sampled);
  sampled.closed = true;
  if (const Status closed = sampled.sampler.close(); !closed) {
    report(closed.error());
  }
  if (Result<PcSamples> samples = sampled.sampler.take()) {
    absorb(std::move(*samples), sampled.ordinal);
  }
}

void StallSampling::drain() {
  for (const auto& sampled : contexts()) {
    const std::lock_guard<std::timed_mutex> busy(sampled->busy);
    collect(*sampled);
  }
}

// Other code may get the addresses of this.
void StallSampling::module_unloads() {
  for (const auto& sampled : contexts()) {
    std::unique_lock<std::timed_mutex> busy(sampled->busy, std::defer_lock);
    if (busy.try_lock_for(callback_patience)) {
      collect(*sampled);
    }
  }
}

void StallSampling::finish() {
  std::map<CUctx_st*, std::shared_ptr<Sampled>> ending;
  {
    const std::lock_guard<std::mutex> lock(contexts_mutex_);
    ending.swap(contexts_);
  }
  for (const auto& [handle, sampled] : ending) {
    close(*sampled);
  }
}

void StallSampling::module_loaded(const void* cubin, std::size_t bytes) {
  if (cubin == nullptr || bytes == 0) {
    return;
  }
  CUpti_GetCubinCrcParams params = {};
  params.size = CUpti_GetCubinCrcParamsSize;
  params.cubin = cubin;
  params.cubinSize = bytes;
  if (api_.cuptiGetCubinCrc(&params) != CUPTI_SUCCESS) {
    return;
  }
  const std::lock_guard<std::mutex> lock(data_mutex_);
  const auto [place, is_new] = code_.try_emplace(params.cubinCrc);
  if (!is_new) {
    return;
  }
  place->second.size = static_cast<std::int64_t>(bytes);
  if (code_bytes_ + bytes <= most_code_bytes) {
    code_bytes_ += bytes;
    place->second.bytes.assign(static_cast<const char*>(cubin), bytes);
  }
}

void StallSampling::absorb(PcSamples samples, std::uint32_t ordinal) {
  const std::lock_guard<std::mutex> lock(data_mutex_);
  if (counts_.empty() && !samples.records.empty() && total_ == 0) {
    first_ = written_ = std::chrono::steady_clock::now();
  }
  total_ += samples.total;
  dropped_ += samples.dropped;
  if (samples.hardware_buffer_full) {
    recorder_.issue_once("stalls.buffer_full",
                         "The GPU's buffer for stall samples was full: samples of some time are "
                         "missing. A longer --sampling-period avoids it.");
  }
  if (samples.left_behind > 0) {
    recorder_.issue_once("stalls.left_behind",
                         fmt::format("Samples of {} instructions came too late, when the context "
                                     "ended.",
                                     samples.left_behind));
  }
  for (PcRecord& record : samples.records) {
    Count& count = counts_[{std::move(record.function), record.cubin_crc, record.pc_offset,
                            samples.reasons[record.reason], ordinal}];
    count.samples += record.samples;
    count.not_issued += record.samples_not_issued;
  }
}

void StallSampling::add_cubin(Session& part, std::uint64_t crc, std::uint32_t kernel) {
  if (!cubins_of_.emplace(crc, kernel).second) {
    return;
  }
  Cubin cubin;
  cubin.hash = fmt::format("{:016x}", crc);
  cubin.kernels = {kernel};
  const auto code = code_.find(crc);
  if (code != code_.end()) {
    cubin.bytes = code->second.size;
    if (!code->second.written && !code->second.bytes.empty()) {
      const std::string packed = zstd_compress(code->second.bytes);
      if (written_bytes_ + packed.size() <= most_written_bytes) {
        written_bytes_ += packed.size();
        cubin.zstd_base64 = base64_encode(packed);
        code->second.written = true;
      }
      code_bytes_ -= code->second.bytes.size();
      code->second.bytes = {};
    }
  }
  if (code == code_.end() || !code->second.written) {
    recorder_.issue_once(
        "stalls.cubin_left_out",
        fmt::format("The machine code of some sampled kernels is not kept (it was not seen being "
                    "loaded, or all together is beyond {} MiB): their instructions have offsets "
                    "only.",
                    most_written_bytes >> 20U));
  }
  if (crc != 0) {
    part.cubins.push_back(std::move(cubin));
  }
}

Session StallSampling::take(bool everything) {
  Session part;
  const std::lock_guard<std::mutex> lock(data_mutex_);
  const auto now = std::chrono::steady_clock::now();
  const bool due =
      now - written_ > shortest_interval && now - written_ > (now - first_) / part_of_the_run;
  if (everything && dropped_ > 0) {
    recorder_.issue("stalls.dropped",
                    fmt::format("The GPU dropped {} of {} stall samples.", dropped_, total_));
    dropped_ = 0;
  }
  if (!everything && !due) {
    return part;
  }
  written_ = now;
  for (auto at = counts_.begin(); at != counts_.end();) {
    const auto& [function, crc, offset, reason, ordinal] = at->first;
    const auto kernel = recorder_.kernel_named(function, everything);
    const auto device = recorder_.place_of_device(ordinal);
    if (!kernel || (!device && !everything)) {
      ++at;  // its launch is not known yet
      continue;
    }
    if (rows_ >= most_rows) {
      full_ = true;
      at = counts_.erase(at);
      continue;
    }
    const auto [first, is_first] = crc_of_.emplace(function, crc);
    if (!is_first && first->second != crc) {
      recorder_.issue_once("stalls.same_name",
                           fmt::format("Several kernels are called {}: their stall samples stand "
                                       "together.",
                                       printable(function)));
    }
    const auto [number, is_new] =
        reasons_.emplace(reason, static_cast<std::uint32_t>(reasons_.size()));
    if (is_new) {
      part.stall_reasons.push_back(reason);
    }
    add_cubin(part, crc, *kernel);
    part.pc_samples.push_back({*kernel, offset, number->second, at->second.samples,
                               at->second.not_issued,
                               device ? static_cast<std::int64_t>(*device) : no_index});
    ++rows_;
    at = counts_.erase(at);
  }
  if (full_) {
    recorder_.issue_once("stalls.limit",
                         fmt::format("Stall samples beyond {} rows were left out.", most_rows));
  }
  return part;
}

}  // namespace ridgepoint::collector
