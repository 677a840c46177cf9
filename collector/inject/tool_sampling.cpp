// Launches that are sampled over time, each alone on its GPU.
#include "collector/inject/nvtx_entry.h"
#include "collector/inject/tool.h"
#include "collector/inject/tool_in_hand.h"
#include "collector/profile/launch_key.h"

namespace ridgepoint::collector {

using Hold = LaunchInHand::Hold;

// Of a launch that record_launch() has seen.
void InjectedTool::sample_launch(const LaunchCall& call) {
  if (in_hand.captured || sampled_all_) {
    return;
  }
  const NvtxRanges::Place place = nvtx_ranges().place(this_thread());
  PmSampling::Launch launch;
  std::string chip;
  {
    const std::lock_guard<std::mutex> lock(state_);
    Context& context = see_context(call.context);
    chip = context.chip;
    launch.device = context.ordinal;
    if (!call.graph) {
      KernelTraits& traits = traits_of(call.shape.mangled);
      launch.nth = ++traits.launches[launch.device];
      launch.key = launch_key(traits.key, call.shape.grid, call.shape.block);
    }
    if (is_meant(call, launch.device, place.matches) &&
        filter_.take(call.shape.mangled, launch.device)) {
      if (waits_for_peers(call.shape.mangled)) {
        recorder_.issue_once(
            "pm_sampling.peers",
            "Kernels that match --no-replay were not sampled, as the process uses "
            "several GPUs: a sampled launch returns when its kernel has ended, and "
            "the kernel that it waits for is launched after it.");
      } else if (sampling_over_time_->wants(launch)) {
        in_hand.sampled = &kernels_.find(call.shape.mangled)->first;
        ++chosen_in_hand_;
      }
    }
  }
  if (in_hand.sampled == nullptr) {
    pass_unchosen(call);
    return;
  }
  hold_up();
  in_hand.sampled_launch = launch;
  in_hand.context = call.context;
  in_hand.gate = &gates_.of(call.context);
  in_hand.gate->launches.lock();
  in_hand.hold = Hold::owned;
  finish_replays_at_exit();
  if (!in_hand.gate->idle.wait(call.context, patience())) {
    recorder_.issue_once("pm_sampling.waits",
                         "Launches were not sampled because what was launched before on their GPU "
                         "did not end within --replay-timeout.");
  } else {
    in_hand.sampling = sampling_over_time_->start(launch, chip);
  }
}

void InjectedTool::end_sampling(const LaunchInHand& launch, bool launched) {
  if (launch.sampling) {
    using End = PmSampling::End;
    const bool ended = launched && launch.gate->idle.wait(launch.context, patience());
    sampling_over_time_->end(
        launch.sampled_launch, *launch.sampled,
        ended ? End::kernel_ended : (launched ? End::kernel_runs_on : End::failed_launch));
  }
  const std::lock_guard<std::mutex> lock(state_);
  if (--chosen_in_hand_ == 0 && filter_.exhausted()) {
    sampled_all_ = true;
    sampling_over_time_->close();
  }
}

}  // namespace ridgepoint::collector
