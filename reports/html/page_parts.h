// The parts of the HTML page as mustache data. Every text goes into the template through {{...}},
// which escapes; the few {{{...}}} take markup made here from escaped texts.
#pragma once

#include <kainjow/mustache.hpp>

#include "analyzer/analysis/analysis.h"
#include "reports/presenters/table.h"

namespace ridgepoint::html {

using Data = kainjow::mustache::data;
using List = kainjow::mustache::data;  // of type list

// { columns: [{title, tooltip, class}], rows: [{anchor, cells: [{tag, attributes, text}]}] }.
// `anchors` gives rows that stand for a kernel an id to link to.
Data table_data(const Table& table, bool anchors = false);
std::string kernel_anchor(std::size_t kernel);
Data traffic_data(const Analysis& analysis);
Data stall_bars(const Analysis& analysis);
// The colours of the stall bars and what they stand for.
Data stall_kinds();

}  // namespace ridgepoint::html
