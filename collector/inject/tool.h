// What runs inside the profiled program.
//
// Life cycle: start() when the driver initialises -> callbacks on the program's threads, a writer
// thread of our own from the first launch on -> finish() from exit(), or finish_before_end() from
// whatever else ends the process, or nothing when it is killed from outside. The tool is never
// destroyed: the program's threads may call until the very end.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "collector/inject/conditional_graphs.h"
#include "collector/inject/context_counters.h"
#include "collector/inject/context_ranges.h"
#include "collector/inject/grid_numbers.h"
#include "collector/inject/journal_file.h"
#include "collector/inject/launch_callback.h"
#include "collector/inject/launch_detour.h"
#include "collector/inject/launch_gates.h"
#include "collector/inject/launch_pace.h"
#include "collector/inject/measuring_time.h"
#include "collector/inject/nvtx_ranges.h"
#include "collector/inject/pm_sampling.h"
#include "collector/inject/rare_records.h"
#include "collector/inject/recorder.h"
#include "collector/inject/stall_sampling.h"
#include "collector/inject/untimed_launches.h"
#include "collector/inject/writer_thread.h"
#include "collector/profile/launch_filter.h"
#include "collector/profile/settings.h"
#include "collector/replay/kernel_replay.h"

namespace ridgepoint::collector {

struct LaunchInHand;

class InjectedTool final : public LaunchListener, public RangeListener {
 public:
  // Nothing here fails to the outside: what cannot be measured becomes an issue of the session.
  // `on_exit` is given to atexit() and calls finish_replays().
  InjectedTool(ProfileSettings settings, LaunchFilter filter, void (*on_exit)());
  void start();
  void finish();
  void before_fork() { writer_.hold(); }
  void after_fork() { writer_.let_go(); }  // in the parent
  // Safe in a signal handler: the writer's thread does what finish() would. `end`: process_end.h.
  void finish_before_end(int end, std::chrono::milliseconds patience) {
    writer_.finish_before_end(end, patience);
  }

  // exit() runs handlers in reverse: this one before those by which CUDA and CUPTI end.
  void exit_begins() { writer_.quieten(); }
  // Replays what waits, while CUDA and CUPTI still work. finish() comes too late for that: exit()
  // runs its handlers in reverse, and both have registered theirs since.
  void finish_replays();

  void before_launch(const HeardLaunch& launch) override;
  void after_launch(std::uint32_t correlation, bool launched) override;
  void before_context_ends(CUctx_st* context) override;
  void before_memory_call(const MemoryCall& call, CUctx_st* context) override;
  void after_memory_call(const MemoryCall& call, CUctx_st* context, bool succeeded) override;
  void module_loaded(const void* cubin, std::size_t bytes) override;
  void context_created(CUctx_st* context) override;
  void module_unloads() override;
  void ways_to_launch_change(bool handles_end) override;
  void range_opened(std::int64_t index, const std::string& domain,
                    const std::string& name) override;
  void range_closes(std::int64_t index) override;

 private:
  struct KernelTraits {
    bool matches = false;
    bool may_replay = true;
    std::uint64_t key = 0;                           // launch_key.h
    std::map<std::uint32_t, std::int64_t> launches;  // by device, where they are sampled over time
  };
  struct Context {
    LaunchGate* gate = nullptr;
    std::uint32_t ordinal = 0;
    std::string chip;
    std::optional<ContextCounters> counters;
    std::optional<ContextRanges> ranges;
    bool refused = false;
    std::unique_ptr<KernelReplay> replay;
    bool replay_refused = false;
  };
  // Kernels may run again for their counters; known before the chip and its passes are.
  bool may_replay() const {
    return counting() && !by_runs() &&
           (settings_.counter_profile != "lite" || settings_.cache_control == "flush" ||
            settings_.cache_control == "warm");
  }
  // The program runs again for each pass, and its kernels do not.
  bool by_runs() const { return counting() && settings_.replay != "kernel"; }
  // CUPTI's records of kernels would be in the way of their counters: see start().
  bool without_records() const { return (may_replay() || by_runs()) && !recorded_instead_; }
  bool counting() const { return settings_.counter_profile != "none"; }
  bool takes_timeline() const { return !counting() && !settings_.timing; }
  void capture_ended();
  void count_launch(const LaunchCall& call);
  bool needs_shape() const;
  bool list_launch(const HeardLaunch& launch);
  void left_untimed(UntimedLaunches::Thread& thread, bool launched);
  void record_launch(const LaunchCall& call);
  bool gpu_keeps_up(const HeardLaunch& launch) const;
  void sample_launch(const LaunchCall& call);
  void end_sampling(const LaunchInHand& launch, bool launched);
  Status start_records();
  void start_detour();
  void check_detour();
  UntimedLaunches::Thread* list_plain_launch(const HeardLaunch& launch, Stretch::Word stretch);
  bool no_launch_repeats();
  bool hear_plain_launches_or_not(bool hear);
  GridNumbers::SoFar launches_so_far() const;
  void add_sampled_issues(std::uint64_t untimed);
  void add_unlisted_issue();
  void record_instead();
  void add_timeline_issues();
  void see_graph(const MemoryCall& call);
  void add_graph_issues();
  void time_launch(const LaunchCall& call);
  // With state_ held: whether the filters let it through, up to those that count launches.
  bool is_meant(const LaunchCall& call, std::uint32_t ordinal, bool in_range);
  Context& see_context(CUctx_st* context);
  KernelTraits& traits_of(const std::string& mangled);
  Result<CounterSets> choose_sets(const std::string& chip);
  const CounterSets* sets_for(const std::string& chip);
  bool enter_counters(Context& context, CUctx_st* handle, const CounterSet& set);
  bool counts_ranges() const { return counting() && settings_.replay == "range"; }
  bool waits_for_peers(const std::string& mangled);  // with state_ held
  void hold_up();
  void count_no_more();
  void open_range(CUctx_st* handle, std::int64_t index, const std::string& name);
  void range_without_context();
  void give_up_ranges();
  bool wait_for(const std::vector<CUctx_st*>& contexts);
  void read_ranges();  // that have waited long enough; with state_ held
  void close_ranges(Context& context);
  void pass_unchosen(const LaunchCall& call);
  void pause_counters(Context& context);  // with its gate and state_ held
  void close_counters(Context& context);
  void close_all();
  void detach();
  void describe_devices_now();  // with cupti_ held
  bool needs_replay(const CounterSet& set) const;
  CacheControl cache_control() const;
  void tell_that_l2_is_filled(const KernelReplay& replay);
  std::chrono::milliseconds patience() const {
    return std::chrono::milliseconds(static_cast<std::int64_t>(settings_.replay_timeout_s * 1000));
  }
  bool is_captured(const HeardLaunch& launch) const;
  // What becomes of a launch whose counters take several passes.
  enum class Way { replay, one_pass, leave_alone };
  Way save_for_replay(Context& context, CUctx_st* handle, const LaunchCall& call);
  bool replayed_in_call_ = false;  // since the launch call in hand began
  // With the gates and state_ held. What cannot be replayed now is lost when `must`, else kept.
  void run_replays(bool must);
  void run_replay(Context& context, CUctx_st* handle, bool must);
  void prepare_replays();                                 // with the gates held
  bool concerns_no_launch(const MemoryCall& call) const;  // with memory_mutex_ held
  class Standstill;
  void replay_before(const MemoryCall& call);
  void before_release(const MemoryCall& call);
  bool reaches_peers(const MemoryCall& call);
  bool opens_pool(const MemoryCall& call);
  void meet(CUctx_st* context);  // with no gate and no lock held
  bool several_gpus_work();
  void make_room(std::size_t bytes);
  void add_control(CounterSet& set, const std::string& chip);
  void finish_replays_at_exit();
  void finish_replays(std::chrono::milliseconds gate_patience);
  void describe_devices();
  void collect();
  void add_error(const char* code, const Error& error);
  Policy policy(Recorder::Part part) const;
  void start_writer();
  void write(Recorder::Part part);
  void write_now_and_then();
  void write_finally(int end);
  void write_the_rest(std::chrono::milliseconds gate_patience);
  void open_journal();  // with writing_ held, as for the next two
  void append(const Session& part);
  void add_policy(Session& part, Recorder::Part what);
  void give_up_journal(int failure);  // errno, or 0
  void add_closing_issues();

  const ProfileSettings settings_;
  void (*const on_exit_)();
  LaunchFilter filter_;
  Recorder recorder_;
  const CuptiApi* api_ = nullptr;
  MeasuringTime measuring_;
  // While the program makes its context: it takes 70 ms.
  std::unique_ptr<StallSampling> sampling_;         // made in start(), or never
  std::unique_ptr<PmSampling> sampling_over_time_;  // the same
  // Of a timeline, unless it is to have the nodes of graphs.
  std::optional<RareRecords> rare_records_;
  // The same, unless it is to have every launch.
  std::optional<LaunchPace> pace_;
  std::optional<UntimedLaunches> untimed_;
  std::optional<GridNumbers> grids_;
  // The same, unless callbacks are to tell of all launches.
  std::optional<LaunchDetour> detour_;
  // Launches listed when callbacks were last switched off, while they are; and while they were.
  std::atomic<std::int64_t> detour_since_{-1};
  std::atomic<std::uint64_t> detoured_{0};
  bool gave_detour_up_ = false;  // the writer's thread alone
  ConditionalGraphs conditional_graphs_;

  LaunchGates gates_;  // taken before state_
  std::mutex state_;   // guards the members below
  std::unordered_map<CUctx_st*, Context> contexts_;
  std::unordered_map<std::string, KernelTraits> kernels_;
  int chosen_in_hand_ = 0;  // chosen launches between their callbacks, of all threads
  std::map<std::string, CounterSets> sets_;  // by chip
  std::set<std::string> chips_refused_;

  // Ranges that count as a whole. Waiting for the GPU may take until another thread launches: no
  // lock is held meanwhile, and a second range of the filter is let go by.
  std::atomic<std::int64_t> range_in_hand_{no_index};
  std::atomic<std::uint64_t> ranges_passed_{0};
  std::uint32_t range_number_ = 0;  // guarded by state_; what the recorder knows them by

  // What is known of the program's memory, for replays.
  const DriverApi* driver_ = nullptr;  // once a launch was to be replayed
  std::atomic<EmptyL2> empty_l2_{EmptyL2::not_known};
  std::mutex memory_mutex_;  // guards the three below
  MemoryMap memory_;
  // memory_.added() when a launch was last saved, or run again with all memory that there was.
  std::uint64_t known_to_launches_ = 0;
  std::unordered_map<std::string, std::shared_ptr<const std::vector<std::string>>> variables_;
  std::shared_mutex moves_;  // owned while replays change memory
  std::mutex
      opening_;  // held while counters are opened: no capture begins, and no wait for the host
  std::atomic<int> moving_{0};
  std::atomic<int> awaiting_{0};  // calls that make a stream wait for the host
  std::atomic<int> capturing_{0};
  std::atomic<bool> memory_shared_{false};
  std::atomic<std::size_t> contexts_met_{0};   // all on one GPU
  std::atomic<bool> peers_reached_{false};     // GPUs of the process may reach each other's memory
  std::atomic<bool> recorded_instead_{false};  // see record_instead()
  std::atomic<bool> replay_waits_{false};      // launches wait for their replay, or memory is held
  std::atomic<int> exit_handlers_{0};

  std::atomic<bool> counted_all_{false};  // no launch will be chosen any more
  std::atomic<bool> sampled_all_{false};  // the same, of launches sampled over time
  // All that was asked for has been read, and nothing of ours is open: CUPTI can be left.
  std::atomic<bool> may_detach_{false};
  std::atomic<int> calls_in_hand_{0};  // launches between their callbacks, of all threads
  std::atomic<bool> detached_{false};  // CUPTI is left, or about to be
  // Held while one of our own threads uses CUPTI, and while it is left. Taken before the gates.
  std::mutex cupti_;
  std::atomic<std::uint64_t> launched_{0};  // kernels, one by one; without those of untimed_
  std::atomic<std::uint64_t> graphs_launched_{0};
  std::atomic<std::uint64_t> chosen_{0};
  std::atomic<std::uint64_t> not_replayed_{0};

  std::mutex writing_;
  std::optional<JournalFile> journal_;
  std::filesystem::path journal_path_;  // once it was to be made
  bool journal_failed_ = false;
  Session held_back_;  // until something happens that is worth a file
  std::string policy_written_;

  // How long counters and launches may wait to be read and replayed; the writer's thread alone.
  std::chrono::milliseconds read_after_;
  std::chrono::milliseconds replay_after_;
  std::once_flag writer_started_;
  WriterThread writer_;
};

}  // namespace ridgepoint::collector
