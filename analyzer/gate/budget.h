// A budget: what a session may cost, and under which conditions that can be judged at all. The
// file: docs/ci.md and data/schemas/ridgepoint-budget-1.0.schema.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/core/error.h"

namespace ridgepoint {

inline constexpr std::string_view budget_schema = "ridgepoint-budget";
inline constexpr int budget_version_major = 1;
inline constexpr std::uint64_t budget_size_limit_bytes = std::uint64_t{4} << 20U;
inline constexpr int budget_nesting_limit = 16;
inline constexpr std::size_t budget_check_limit = 10'000;
inline constexpr std::size_t budget_text_limit =
    65'536;  // bytes of a pattern: kernel names grow long

enum class BudgetScope { kernel, variant };
const char* key(BudgetScope scope);

struct BudgetCheck {
  std::string id;  // empty: the quantity
  BudgetScope scope = BudgetScope::variant;
  std::string match = "*";    // glob over the names: of a kernel the whole or the short one
  std::string variant = "*";  // kernels only: glob over the variant they belong to
  std::string quantity;       // analyzer/compare/quantity.h
  std::optional<double> min;
  std::optional<double> max;
  std::optional<double> max_increase;  // share of the baseline's value
  std::optional<double> max_decrease;
  // The SM clock that an absolute limit was made at. A clock differs from kernel to kernel on one
  // device (power), and moves with temperature: times at another one have no verdict.
  std::optional<double> sm_clock_hz;
  // Whether an absolute limit on L2 bytes was made of bytes that count what several SMs got with
  // one look-up (Traffic::merged): in a session that counts otherwise it has no verdict.
  std::optional<bool> l2_merged;
};

// Empty fields are not asked for.
struct BudgetConditions {
  std::optional<std::string> device;
  std::optional<std::string> chip;
  std::optional<std::int64_t> sm_count;
  double clock_tolerance = 0.05;  // of BudgetCheck::sm_clock_hz, and against the baseline
  std::optional<std::string> cache_control;
  std::optional<AttentionShape> workload;
};

struct Budget {
  BudgetConditions conditions;
  double alpha = 0.01;  // a limit counts as broken when noise would do it this rarely
  std::vector<BudgetCheck> checks;
};

// Strict: unknown fields, unknown quantities and checks without a limit are errors, since a
// misspelt limit that is passed over would be a gate that is always green.
Result<Budget> parse_budget(std::string_view text, const std::string& name);
Result<Budget> read_budget(const std::filesystem::path& path);
std::string budget_to_json(const Budget& budget);

}  // namespace ridgepoint
