#include <array>

#include "reports/presenters/cells.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {
namespace {

template <class Part>
std::optional<double> part_of(const std::optional<TrafficSplit>& split, Part part) {
  return split ? std::optional<double>((*split).*part) : std::nullopt;
}

// At L2, what it spared HBM: known even where the kernel's tensors are not.
std::optional<double> saved(const std::optional<double>& bytes, MemoryLevel level) {
  return level == MemoryLevel::l2 ? bytes : std::nullopt;
}

void add_row(Table& table, const std::string& variant, const std::string& kernel, MemoryLevel level,
             const std::optional<TrafficSplit>& split, const std::optional<double>& l2_saved) {
  const auto moved =
      split ? std::optional<double>(split->total()) : std::optional<double>(std::nullopt);
  Row row;
  row.cells = {text_cell(variant),
               text_cell(kernel),
               Cell(std::string(label(level))),
               number_cell(part_of(split, &TrafficSplit::inputs_outputs)),
               number_cell(part_of(split, &TrafficSplit::intermediates)),
               number_cell(part_of(split, &TrafficSplit::again)),
               number_cell(moved),
               number_cell(part_of(split, &TrafficSplit::kept)),
               number_cell(saved(l2_saved, level))};
  table.rows.push_back(std::move(row));
}

}  // namespace

Table traffic_split_table(const Analysis& analysis) {
  Table table{"traffic_split", "What moves", {}, {}};
  table.columns = {
      {"variant", "Variant", "", Unit::text},
      {"kernel", "Kernel", "All of the variant together, then each", Unit::text},
      {"level", "Level", "Level of the memory hierarchy", Unit::text},
      {"inputs_outputs", "In and out", "Inputs and outputs of the problem, once each", Unit::byte},
      {"intermediates", "Intermediates",
       "What only this variant writes and reads again between its kernels, once each", Unit::byte},
      {"again", "Re-reads",
       "Read or written beyond once; at L2 also what crosses between its partitions", Unit::byte},
      {"moved", "Sum", "All bytes of the level", Unit::byte},
      {"kept", "Kept above", "Due once, but a cache above this level had it", Unit::byte},
      {"l2_saved", "L2 saved", "Read by the SMs and not fetched from HBM", Unit::byte},
  };
  for (const VariantAnalysis& variant : analysis.variants) {
    for (const MemoryLevel level : {MemoryLevel::hbm, MemoryLevel::l2}) {
      if (!variant.split[level] && !saved(variant.l2_saved_bytes, level)) {
        continue;
      }
      add_row(table, variant.name, "all", level, variant.split[level], variant.l2_saved_bytes);
      if (variant.kernels.size() < 2) {
        continue;
      }
      for (const std::size_t member : variant.kernels) {
        const KernelAnalysis& kernel = analysis.kernels[member];
        add_row(table, variant.name, kernel.short_name, level, kernel.split[level],
                kernel.l2_saved_bytes);
        table.rows.back().kernel = member;
      }
    }
  }
  return table;
}

Table kernel_split_table(const Analysis& analysis) {
  Table table{"kernel_split", "What moves by kernel", {}, {}};
  struct Part {
    const char* id;
    double TrafficSplit::*bytes;
  };
  constexpr std::array parts = {Part{"inputs_outputs", &TrafficSplit::inputs_outputs},
                                Part{"intermediates", &TrafficSplit::intermediates},
                                Part{"again", &TrafficSplit::again},
                                Part{"kept", &TrafficSplit::kept}};
  for (const MemoryLevel level : {MemoryLevel::hbm, MemoryLevel::l2}) {
    for (const Part& part : parts) {
      table.columns.push_back(
          {std::string(key(level)) + "_" + part.id + "_bytes", part.id, "", Unit::byte});
    }
  }
  table.columns.push_back({"l2_saved_bytes", "L2 saved", "", Unit::byte});
  for (std::size_t k = 0; k < analysis.kernels.size(); ++k) {
    const KernelAnalysis& kernel = analysis.kernels[k];
    Row row;
    for (const MemoryLevel level : {MemoryLevel::hbm, MemoryLevel::l2}) {
      for (const Part& part : parts) {
        row.cells.push_back(number_cell(part_of(kernel.split[level], part.bytes)));
      }
    }
    row.cells.push_back(number_cell(kernel.l2_saved_bytes));
    row.kernel = k;
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string traffic_split_note(const Analysis& analysis) {
  return std::string(analysis.source == Source::predicted ? "Bytes of the IO model"
                                                          : "Counted bytes") +
         " shared out by what the problem and the kernels' tensors make due once. An input that an "
         "earlier kernel of the variant has read counts as read again; where fewer bytes moved "
         "than were due, the intermediates are those that a cache above kept.";
}

}  // namespace ridgepoint
