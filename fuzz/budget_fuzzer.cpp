// Any bytes as a budget: an input error, or a budget that reads back as it was written and that an
// empty session never passes.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "analyzer/gate/judge.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto budget = ridgepoint::parse_budget(bytes, "fuzz.json");
  if (!budget) {
    if (budget.error().domain != ridgepoint::ErrorDomain::input) {
      std::fprintf(stderr, "%s\n", format_error(budget.error()).c_str());
      std::abort();
    }
    return 0;
  }
  const std::string text = budget_to_json(*budget);
  const auto again = ridgepoint::parse_budget(text, "again.json");
  if (!again || budget_to_json(*again) != text) {
    std::fprintf(stderr, "it does not read back as it was written:\n%s\n", text.c_str());
    std::abort();
  }
  const auto result = judge_budget(*budget, ridgepoint::Analysis(), nullptr);
  if (result.verdict() != ridgepoint::CheckStatus::no_verdict) {
    std::fprintf(stderr, "an empty session has a verdict\n");
    std::abort();
  }
  return 0;
}
