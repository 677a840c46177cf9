// PC samples of everything that the program runs, and the machine code behind them.
//
// Life cycle: context_created() and module_loaded() from the driver's callbacks; drain() and take()
// now and then from the writer's thread; context_ends() before a context goes; finish() while CUPTI
// still works; take(true) once more.
//
// Locks: callbacks come with locks of the driver held, and CUPTI may want those while it answers
// the writer. So a callback never waits long for a lock that is held during a call of CUPTI.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "analyzer/session/session.h"
#include "collector/cupti/pc_sampler.h"

namespace ridgepoint::collector {

class Recorder;

class StallSampling {
 public:
  StallSampling(const CuptiApi& api, Recorder& recorder, std::uint32_t period_log2)
      : api_(api), recorder_(recorder), period_log2_(period_log2) {}

  void context_created(CUctx_st* context);
  void context_ends(CUctx_st* context);
  void module_loaded(const void* cubin, std::size_t bytes);
  void module_unloads();
  void drain();
  void finish();

  // Reasons, samples and cubins since the last time: often at first, then each time a quarter more
  // has been sampled, so that a long run fits in a session. Everything, when it is the last part.
  Session take(bool everything);

 private:
  struct Sampled {
    std::timed_mutex busy;  // held during calls of CUPTI
    PcSampler sampler;
    std::uint32_t ordinal;  // of its device
    bool closed = false;
    Sampled(PcSampler made, std::uint32_t device) : sampler(std::move(made)), ordinal(device) {}
  };
  struct Code {
    std::string bytes;
    std::int64_t size = 0;
    bool written = false;
  };
  struct Count {
    std::uint64_t samples = 0;
    std::uint64_t not_issued = 0;
  };
  using Place = std::tuple<std::string, std::uint64_t, std::uint64_t, std::string, std::uint32_t>;

  std::vector<std::shared_ptr<Sampled>> contexts();
  void collect(Sampled& sampled);  // with busy held
  void close(Sampled& sampled);
  void absorb(PcSamples samples, std::uint32_t ordinal);
  void add_cubin(Session& part, std::uint64_t crc, std::uint32_t kernel);
  void report(const Error& error);

  const CuptiApi& api_;
  Recorder& recorder_;
  const std::uint32_t period_log2_;

  std::mutex contexts_mutex_;
  std::map<CUctx_st*, std::shared_ptr<Sampled>> contexts_;

  std::mutex data_mutex_;          // guards what follows; never held during a call of CUPTI
  std::map<Place, Count> counts_;  // function, cubin, offset, reason, device
  std::uint64_t dropped_ = 0;
  std::uint64_t total_ = 0;
  std::map<std::uint64_t, Code> code_;  // by CUPTI's CRC
  std::uint64_t code_bytes_ = 0;
  std::uint64_t written_bytes_ = 0;
  std::size_t rows_ = 0;
  bool full_ = false;
  std::map<std::string, std::uint32_t> reasons_;
  std::set<std::pair<std::uint64_t, std::uint32_t>> cubins_of_;
  std::map<std::string, std::uint64_t> crc_of_;
  std::chrono::steady_clock::time_point first_;
  std::chrono::steady_clock::time_point written_;
};

}  // namespace ridgepoint::collector
