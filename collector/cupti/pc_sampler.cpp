#include "collector/cupti/pc_sampler.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "collector/cupti/cupti_api.h"
#include "collector/cupti/cupti_error.h"

namespace ridgepoint::collector {
namespace {

// Room for this many instructions in one call of cuptiPCSamplingGetData; the rest follows in the
// next call.
constexpr std::size_t buffered_pcs = 8192;
// And in the buffer that is filled when sampling is switched off: there is no next call.
constexpr std::size_t last_pcs = 32768;

// A CUpti_PCSamplingData with the memory behind its pointers. CUPTI keeps its address.
class SampleBuffer {
 public:
  SampleBuffer(std::size_t reason_count, std::size_t pcs)
      : pcs_(pcs), reasons_(pcs * reason_count) {
    for (std::size_t i = 0; i < pcs_.size(); ++i) {
      pcs_[i].size = sizeof(CUpti_PCSamplingPCData);
      pcs_[i].stallReason = &reasons_[i * reason_count];
    }
    data_.size = sizeof(CUpti_PCSamplingData);
    data_.collectNumPcs = pcs_.size();
    data_.pPcData = pcs_.data();
  }
  CUpti_PCSamplingData& data() { return data_; }

 private:
  CUpti_PCSamplingData data_ = {};
  std::vector<CUpti_PCSamplingPCData> pcs_;
  std::vector<CUpti_PCSamplingStallReason> reasons_;
};

// CUPTI hands over function names to be freed with free(), but shares them with the records of its
// activity interface, which come later. So they are kept, reachable, until the process ends: some
// kilobytes.
void keep_name(char* name) {
  static auto* names = new std::set<char*>;  // never destroyed, so that they stay reachable
  names->insert(name);
}

}  // namespace

std::optional<StallReasonName> parse_stall_reason(const std::string& cupti_name) {
  constexpr std::string_view prefix = "smsp__pcsamp_warps_issue_stalled_";
  constexpr std::string_view suffix = "_not_issued";
  std::string_view name = cupti_name;
  if (name.substr(0, prefix.size()) != prefix) {
    return std::nullopt;
  }
  name.remove_prefix(prefix.size());
  const bool not_issued =
      name.size() > suffix.size() && name.substr(name.size() - suffix.size()) == suffix;
  if (not_issued) {
    name.remove_suffix(suffix.size());
  }
  return StallReasonName{std::string(name), not_issued};
}

struct PcSampler::State {
  const CuptiApi& api;
  CUcontext context;
  bool enabled = false;
  PcSamples samples;
  std::size_t reason_count = 0;  // CUPTI's, both counts of each reason apart
  // CUPTI's reason index -> our reason index and which of its two counts.
  struct Meaning {
    std::uint32_t reason = 0;
    bool not_issued = false;
  };
  std::map<std::uint32_t, Meaning> meanings;
  std::unique_ptr<SampleBuffer> configured;  // CUPTI's own, filled when sampling is disabled
  std::unique_ptr<SampleBuffer> fetched;
  // Names come again with every sample: compared once, then known by number.
  std::unordered_map<std::string, std::uint32_t> functions;
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::uint32_t>, std::size_t>
      index;
  const Control control;

  State(const CuptiApi& a, CUcontext c, Control how) : api(a), context(c), control(how) {}

  Status read_reasons();
  Status configure(std::uint32_t period_log2);
  void absorb(const CUpti_PCSamplingData& data);
  Status fetch();
};

Status PcSampler::State::read_reasons() {
  CUpti_PCSamplingGetNumStallReasonsParams count = {};
  count.size = CUpti_PCSamplingGetNumStallReasonsParamsSize;
  count.ctx = context;
  count.numStallReasons = &reason_count;
  if (const auto code = api.cuptiPCSamplingGetNumStallReasons(&count); code != CUPTI_SUCCESS) {
    return cupti_failure(api, code, "asking for the stall reasons");
  }
  std::vector<std::uint32_t> indices(reason_count);
  std::vector<std::array<char, CUPTI_STALL_REASON_STRING_SIZE>> texts(reason_count);
  std::vector<char*> pointers;
  for (auto& text : texts) {
    pointers.push_back(text.data());
  }
  CUpti_PCSamplingGetStallReasonsParams list = {};
  list.size = CUpti_PCSamplingGetStallReasonsParamsSize;
  list.ctx = context;
  list.numStallReasons = reason_count;
  list.stallReasonIndex = indices.data();
  list.stallReasons = pointers.data();
  if (const auto code = api.cuptiPCSamplingGetStallReasons(&list); code != CUPTI_SUCCESS) {
    return cupti_failure(api, code, "asking for the stall reasons");
  }
  for (std::size_t i = 0; i < reason_count; ++i) {
    texts[i].back() = '\0';
    std::optional<StallReasonName> name = parse_stall_reason(texts[i].data());
    if (!name) {
      continue;
    }
    auto& reasons = samples.reasons;
    const auto known = std::find(reasons.begin(), reasons.end(), name->reason);
    const auto reason = static_cast<std::uint32_t>(known - reasons.begin());
    if (known == reasons.end()) {
      reasons.push_back(std::move(name->reason));
    }
    meanings[indices[i]] = {reason, name->not_issued};
  }
  return {};
}

Status PcSampler::State::configure(std::uint32_t period_log2) {
  std::array<CUpti_PCSamplingConfigurationInfo, 4> items = {};
  items[0].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD;
  items[0].attributeData.samplingPeriodData.samplingPeriod = period_log2;
  items[1].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE;
  items[1].attributeData.collectionModeData.collectionMode =
      CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS;
  items[2].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL;
  items[2].attributeData.enableStartStopControlData.enableStartStopControl =
      control == Control::start_stop ? 1 : 0;
  items[3].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER;
  items[3].attributeData.samplingDataBufferData.samplingDataBuffer = &configured->data();
  CUpti_PCSamplingConfigurationInfoParams params = {};
  params.size = CUpti_PCSamplingConfigurationInfoParamsSize;
  params.ctx = context;
  params.numAttributes = items.size();
  params.pPCSamplingConfigurationInfo = items.data();
  return cupti_status(api, api.cuptiPCSamplingSetConfigurationAttribute(&params),
                      "configuring PC sampling");
}

void PcSampler::State::absorb(const CUpti_PCSamplingData& data) {
  samples.total += data.totalSamples;
  samples.dropped += data.droppedSamples;
  samples.outside += data.nonUsrKernelsTotalSamples;
  samples.hardware_buffer_full |= data.hardwareBufferFull != 0;
  for (std::size_t i = 0; i < data.totalNumPcs && i < data.collectNumPcs; ++i) {
    const CUpti_PCSamplingPCData& pc = data.pPcData[i];
    const std::string function = pc.functionName == nullptr ? "" : pc.functionName;
    if (pc.functionName != nullptr) {
      keep_name(pc.functionName);
    }
    const std::uint32_t number =
        functions.try_emplace(function, static_cast<std::uint32_t>(functions.size())).first->second;
    for (std::size_t j = 0; j < pc.stallReasonCount; ++j) {
      const auto meaning = meanings.find(pc.stallReason[j].pcSamplingStallReasonIndex);
      if (meaning == meanings.end() || pc.stallReason[j].samples == 0) {
        continue;
      }
      const auto [at, is_new] = index.try_emplace(
          {number, pc.cubinCrc, pc.pcOffset, meaning->second.reason}, samples.records.size());
      if (is_new) {
        samples.records.push_back(
            {function, pc.cubinCrc, pc.pcOffset, meaning->second.reason, 0, 0});
      }
      PcRecord& record = samples.records[at->second];
      (meaning->second.not_issued ? record.samples_not_issued : record.samples) +=
          pc.stallReason[j].samples;
    }
  }
}

Status PcSampler::State::fetch() {
  do {
    CUpti_PCSamplingGetDataParams params = {};
    params.size = CUpti_PCSamplingGetDataParamsSize;
    params.ctx = context;
    params.pcSamplingData = &fetched->data();
    const auto code = api.cuptiPCSamplingGetData(&params);
    // A full hardware buffer is told by this code; what was decoded until then is still valid.
    if (code != CUPTI_SUCCESS && code != CUPTI_ERROR_OUT_OF_MEMORY) {
      return cupti_failure(api, code, "reading the PC samples");
    }
    absorb(fetched->data());
    if (code == CUPTI_ERROR_OUT_OF_MEMORY) {
      samples.hardware_buffer_full = true;
      return {};
    }
  } while (fetched->data().remainingNumPcs > 0);
  return {};
}

PcSampler::PcSampler(std::unique_ptr<State> state) : state_(std::move(state)) {}
PcSampler::PcSampler(PcSampler&&) noexcept = default;
PcSampler& PcSampler::operator=(PcSampler&&) noexcept = default;
PcSampler::~PcSampler() {
  static_cast<void>(close());
}

Result<PcSampler> PcSampler::create(const CuptiApi& api, CUctx_st* context,
                                    std::uint32_t period_log2, Control control) {
  // Reasons and configuration are refused (CUPTI_ERROR_INVALID_OPERATION) until sampling is
  // enabled.
  CUpti_PCSamplingEnableParams enable = {};
  enable.size = CUpti_PCSamplingEnableParamsSize;
  enable.ctx = context;
  if (const auto code = api.cuptiPCSamplingEnable(&enable); code != CUPTI_SUCCESS) {
    return cupti_failure(api, code, "switching PC sampling on");
  }
  PcSampler sampler(std::make_unique<State>(api, context, control));
  State& state = *sampler.state_;
  state.enabled = true;
  if (Status status = state.read_reasons(); !status) {
    return tl::make_unexpected(status.error());
  }
  state.configured = std::make_unique<SampleBuffer>(
      state.reason_count, control == Control::whole_context ? last_pcs : buffered_pcs);
  state.fetched = std::make_unique<SampleBuffer>(state.reason_count, buffered_pcs);
  state.samples.period_cycles = std::uint32_t{1} << period_log2;
  if (Status status = state.configure(period_log2); !status) {
    return tl::make_unexpected(status.error());
  }
  return sampler;
}

Status PcSampler::start() {
  CUpti_PCSamplingStartParams params = {};
  params.size = CUpti_PCSamplingStartParamsSize;
  params.ctx = state_->context;
  return cupti_status(state_->api, state_->api.cuptiPCSamplingStart(&params),
                      "starting PC sampling");
}

Status PcSampler::stop() {
  CUpti_PCSamplingStopParams params = {};
  params.size = CUpti_PCSamplingStopParamsSize;
  params.ctx = state_->context;
  const auto code = state_->api.cuptiPCSamplingStop(&params);
  if (code != CUPTI_SUCCESS) {
    return cupti_failure(state_->api, code, "stopping PC sampling");
  }
  return state_->fetch();
}

Status PcSampler::collect() {
  return state_->fetch();
}

Result<PcSamples> PcSampler::take() {
  state_->index.clear();
  PcSamples taken = state_->samples;
  state_->samples.records.clear();
  state_->samples.total = state_->samples.dropped = state_->samples.outside = 0;
  return taken;
}

Status PcSampler::close() {
  if (state_ == nullptr || !state_->enabled) {
    return {};
  }
  state_->enabled = false;
  CUpti_PCSamplingDisableParams params = {};
  params.size = CUpti_PCSamplingDisableParamsSize;
  params.ctx = state_->context;
  if (const auto code = state_->api.cuptiPCSamplingDisable(&params); code != CUPTI_SUCCESS) {
    return cupti_failure(state_->api, code, "switching PC sampling off");
  }
  if (state_->control == Control::whole_context && state_->configured != nullptr) {
    state_->absorb(state_->configured->data());
    state_->samples.left_behind += state_->configured->data().remainingNumPcs;
  }
  return {};
}

}  // namespace ridgepoint::collector
