#include "analyzer/core/text.h"
#include "reports/presenters/format.h"
#include "reports/presenters/labels.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {
namespace {

std::string memory_note(const Analysis& analysis) {
  std::string kept;
  std::string recomputed;
  for (const VariantAnalysis& v : analysis.variants) {
    if (!v.saved_bytes) {
      continue;
    }
    const auto saved = static_cast<double>(*v.saved_bytes);
    const double all = saved + static_cast<double>(v.workspace_bytes);
    std::string& list = saved > 0 ? kept : recomputed;
    list += (list.empty() ? "" : ", ") + printable(v.name) + " " + format_quantity(all, Unit::byte);
    if (saved > 0) {
      list += " (" + format_quantity(saved, Unit::byte) + " kept from the forward pass)";
    }
  }
  if (kept.empty() && recomputed.empty()) {
    return {};
  }
  std::string text = "Memory beyond inputs, outputs and the LSE: ";
  if (!kept.empty()) {
    text += kept + ", in the square of the sequence length";
  }
  if (!recomputed.empty()) {
    text += (kept.empty() ? "" : "; ") + recomputed + ", in the sequence length itself";
  }
  return text + ".";
}

// Each variant that computes P again against the one that kept it.
std::string flop_note(const Analysis& analysis) {
  const VariantAnalysis* keeps = nullptr;
  for (const VariantAnalysis& v : analysis.variants) {
    if (v.saved_bytes.value_or(0) > 0 && v.flop.total.value_or(0) > 0) {
      keeps = &v;
    }
  }
  if (keeps == nullptr) {
    return {};
  }
  std::string list;
  for (const VariantAnalysis& v : analysis.variants) {
    if (v.saved_bytes && *v.saved_bytes == 0 && v.flop.total) {
      list += (list.empty() ? "" : ", ") + printable(v.name) + " " +
              format_quantity(*v.flop.total / *keeps->flop.total, Unit::factor);
    }
  }
  if (list.empty()) {
    return {};
  }
  const char* how = analysis.source == Source::predicted ? "" : ", as counted";
  return "FLOP beside those of " + printable(keeps->name) + how + ": " + list +
         ". Computing P again is a fifth product beside four.";
}

}  // namespace

std::vector<std::string> recomputation_notes(const Analysis& analysis) {
  std::vector<std::string> notes;
  if (!analysis.attention || analysis.attention->direction != "backward") {
    return notes;
  }
  for (std::string note : {memory_note(analysis), flop_note(analysis)}) {
    if (!note.empty()) {
      notes.push_back(std::move(note));
    }
  }
  return notes;
}

}  // namespace ridgepoint
