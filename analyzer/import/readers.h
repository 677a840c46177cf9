// One reader a layout: from the rows of an export to a recording. `what` names the act in errors;
// the only error is a table beyond the limits, everything else is noted in Recording::odd.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "analyzer/core/error.h"
#include "analyzer/import/header.h"
#include "analyzer/import/number.h"
#include "analyzer/import/recording.h"
#include "analyzer/import/tables.h"

namespace ridgepoint::importing {

struct Source {
  std::string_view text;  // of the whole file
  const Header& header;
  NumberStyle style = NumberStyle::point;
  const std::string& what;
};

NumberStyle number_style(std::string_view text, const Header& header);

Status read_raw(const Source& source, Recording& recording);
Status read_transposed(const Source& source, Recording& recording);
Status read_details(const Source& source, const Tables& tables, Recording& recording);

// Shared by the raw layout and its transposition: `next` gives the header row, perhaps a row of
// units, then a row a launch.
using NextRow = std::function<bool(Row&)>;
Status read_launch_rows(const NextRow& next, NumberStyle style, const std::string& what,
                        Recording& recording);

tl::unexpected<Error> too_large(const std::string& what);

// The factor of a unit, noted when it is not known.
double scale_of(std::string_view unit, Recording& recording);

// "==PROF== ...", "==WARNING== ...": what the profiler says between the rows.
bool is_profiler_message(std::string_view first_cell);

}  // namespace ridgepoint::importing
