// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a model as text for the clipboard.
#pragma once

#include <QModelIndexList>
#include <QString>

class QAbstractItemModel;

namespace ridgepoint::gui {

// RFC 4180 with raw SI numbers, so that a spreadsheet can compute with them; texts that a
// spreadsheet would run as a formula are defused.
QString copyAsCsv(const QAbstractItemModel& model, const QModelIndexList& selection);
// A Markdown table of what is shown.
QString copyAsMarkdown(const QAbstractItemModel& model, const QModelIndexList& selection);

}  // namespace ridgepoint::gui
