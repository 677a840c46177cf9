// Tables and paragraphs for terminals. Widths count code points; texts must be printable()
// already.
#pragma once

#include <cstddef>
#include <string>

#include "reports/presenters/elide.h"
#include "reports/presenters/table.h"

namespace ridgepoint {

// Words over lines of at most `width` columns, the first behind `first`, the others behind `rest`;
// a word that is longer than a line is cut. Ends with a newline.
std::string wrap(const std::string& text, std::size_t width, const std::string& first,
                 const std::string& rest);
// Columns that do not fit are left out from the right, and a last line says how many. Numbers
// stand to the right.
std::string text_table(const Table& table, std::size_t width);
// Columns that do not fit follow in further parts below, each beside the first column again: for
// tables whose columns are what is compared, of which none may go missing.
std::string text_table_in_parts(const Table& table, std::size_t width);
std::size_t table_width(const Table& table);  // of all columns

}  // namespace ridgepoint
