#include "collector/profile/sampled_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "analyzer/core/base64.h"
#include "analyzer/core/text.h"
#include "analyzer/core/zstd.h"
#include "collector/cupti/cupti_library.h"
#include "collector/profile/disassembler.h"
#include "collector/profile/source_lines.h"

namespace ridgepoint::collector {
namespace {

constexpr std::uint64_t most_cubin_bytes = std::uint64_t{256} << 20U;

void add_up(std::vector<PcSample>& samples) {
  const auto key = [](const PcSample& s) {
    return std::tuple(s.kernel, s.pc_offset, s.reason, s.device);
  };
  std::stable_sort(samples.begin(), samples.end(),
                   [&](const PcSample& a, const PcSample& b) { return key(a) < key(b); });
  std::vector<PcSample> sums;
  for (const PcSample& sample : samples) {
    if (!sums.empty() && key(sums.back()) == key(sample)) {
      sums.back().samples += sample.samples;
      sums.back().samples_not_issued += sample.samples_not_issued;
    } else {
      sums.push_back(sample);
    }
  }
  samples = std::move(sums);
}

void join_cubins(Session& session) {
  std::vector<Cubin> joined;
  for (Cubin& cubin : session.cubins) {
    const auto known = std::find_if(joined.begin(), joined.end(),
                                    [&](const Cubin& one) { return one.hash == cubin.hash; });
    for (const std::uint32_t kernel : cubin.kernels) {
      if (session.kernels[kernel].cubin_hash.empty()) {
        session.kernels[kernel].cubin_hash = cubin.hash;
      }
    }
    if (known == joined.end()) {
      joined.push_back(std::move(cubin));
      continue;
    }
    known->kernels.insert(known->kernels.end(), cubin.kernels.begin(), cubin.kernels.end());
    if (known->zstd_base64.empty()) {
      known->zstd_base64 = std::move(cubin.zstd_base64);
    }
  }
  session.cubins = std::move(joined);
}

std::optional<std::string> code_of(const Cubin& cubin) {
  const auto packed = base64_decode(cubin.zstd_base64);
  if (!packed || packed->empty()) {
    return std::nullopt;
  }
  Result<std::string> code = zstd_decompress(*packed, most_cubin_bytes, "unpacking machine code");
  return code ? std::optional(std::move(*code)) : std::nullopt;
}

class Annotator {
 public:
  explicit Annotator(Session& session) : session_(session), nvdisasm_(find_nvdisasm()) {
    if (const Result<const CuptiApi*> api = load_cupti(cupti_candidates())) {
      cupti_ = *api;
    }
    if (!nvdisasm_) {
      session_.issues.push_back(
          {"stalls.no_sass",
           fmt::format("Sampled instructions have no SASS text: {} ({}).",
                       printable(nvdisasm_.error().why), printable(nvdisasm_.error().hint))});
    }
    for (const PcSample& sample : session_.pc_samples) {
      offsets_[sample.kernel].insert(sample.pc_offset);
    }
  }

  void add(const Cubin& cubin) {
    const std::optional<std::string> code = code_of(cubin);
    if (!code) {
      return;
    }
    std::vector<std::string> functions;
    for (const std::uint32_t kernel : cubin.kernels) {
      functions.push_back(session_.kernels[kernel].mangled);
    }
    Disassembly text;
    if (nvdisasm_) {
      Result<Disassembly> made = disassemble(*nvdisasm_, *code, functions);
      if (made) {
        text = std::move(*made);
      } else {
        session_.issues.push_back(
            {"stalls.no_sass", fmt::format("Some sampled instructions have no SASS text: {} ({}).",
                                           printable(made.error().why), cubin.hash)});
      }
    }
    const bool lines = cupti_ != nullptr && has_line_table(*code);
    for (const std::uint32_t kernel : cubin.kernels) {
      if (done_.insert(kernel).second) {
        add_kernel(kernel, text[session_.kernels[kernel].mangled], lines ? &*code : nullptr);
      }
    }
  }

 private:
  void add_kernel(std::uint32_t kernel, const std::map<std::uint64_t, std::string>& text,
                  const std::string* code) {
    for (const std::uint64_t offset : offsets_[kernel]) {
      SampledInstruction one;
      one.kernel = kernel;
      one.pc_offset = offset;
      if (const auto found = text.find(offset); found != text.end()) {
        one.sass = found->second;
      }
      if (const auto line =
              code == nullptr
                  ? std::nullopt
                  : source_line(*cupti_, *code, session_.kernels[kernel].mangled, offset)) {
        one.file = file_number(line->file);
        one.line = line->line;
      }
      if (!one.sass.empty() || one.line != 0) {
        session_.instructions.push_back(std::move(one));
      }
    }
  }
  std::int64_t file_number(const std::string& file) {
    const auto [place, is_new] =
        files_.emplace(file, static_cast<std::int64_t>(session_.source_files.size()));
    if (is_new) {
      session_.source_files.push_back(file);
    }
    return place->second;
  }

  Session& session_;
  Result<std::filesystem::path> nvdisasm_;
  const CuptiApi* cupti_ = nullptr;
  std::map<std::uint32_t, std::set<std::uint64_t>> offsets_;
  std::set<std::uint32_t> done_;
  std::map<std::string, std::int64_t> files_;
};

}  // namespace

void finish_samples(Session& session) {
  if (session.pc_samples.empty()) {
    return;
  }
  add_up(session.pc_samples);
  join_cubins(session);
  Annotator annotator(session);
  for (const Cubin& cubin : session.cubins) {
    annotator.add(cubin);
  }
}

}  // namespace ridgepoint::collector
