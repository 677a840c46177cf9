// The parts of the HTML page as mustache data. Every text goes into the template through {{...}},
// which escapes; the few {{{...}}} take markup made here from escaped texts.
#pragma once

#include <cstddef>
#include <kainjow/mustache.hpp>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "reports/presenters/table.h"

namespace ridgepoint::html {

using Data = kainjow::mustache::data;
using List = kainjow::mustache::data;  // of type list

// { columns: [{title, tooltip, class}], rows: [{anchor, cells: [{tag, attributes, text}]}] }.
// `kernels` gives rows that stand for a kernel an id to link to and its full name at hand.
Data table_data(const Table& table, const std::vector<KernelAnalysis>* kernels = nullptr);
std::string kernel_anchor(std::size_t kernel);
Data traffic_data(const Analysis& analysis);
// A stacked bar a variant and level, to scale within a level: what moves.
Data split_bars(const Analysis& analysis);
Data stall_bars(const Analysis& analysis);
// The colours of the stall bars and what they stand for.
Data stall_key();
// The class of a warp state's colour.
const char* colour_class(const StallShare& stall);
// The hottest instructions of the kernels that take most of the time; empty without samples.
Data hot_spots(const Analysis& analysis);
// Rows that the page's script shows when asked: a JSON array of arrays of printed cells, in the
// columns of `shown`. Safe inside a script element.
std::string more_kernels(const Analysis& whole, const std::vector<std::size_t>& kernels,
                         const Table& shown);

}  // namespace ridgepoint::html
