// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/table_copy.h"

#include <QAbstractItemModel>
#include <QStringList>
#include <set>

#include "gui/models/table_model.h"

namespace ridgepoint::gui {
namespace {

struct Span {
  std::set<int> rows;
  std::set<int> columns;
};

Span spanOf(const QModelIndexList& selection) {
  Span span;
  for (const QModelIndex& index : selection) {
    span.rows.insert(index.row());
    span.columns.insert(index.column());
  }
  return span;
}

QString csvField(const QVariant& value) {
  if (value.typeId() == QMetaType::Double) {
    return QString::number(value.toDouble(), 'g', 12);
  }
  QString text = value.toString();
  // CSV injection: a leading =, +, -, @, tab or carriage return starts a formula in spreadsheets.
  if (!text.isEmpty() && QStringLiteral("=+-@\t\r").contains(text.front())) {
    text.prepend(QLatin1Char('\''));
  }
  if (text.contains(QLatin1Char('"')) || text.contains(QLatin1Char(',')) ||
      text.contains(QLatin1Char('\n')) || text.contains(QLatin1Char('\r'))) {
    text.replace(QLatin1String("\""), QLatin1String("\"\""));
    return QLatin1Char('"') + text + QLatin1Char('"');
  }
  return text;
}

QString markdownField(QString text) {
  // A backslash of the text itself must not escape the bar or bracket that follows it.
  text.replace(QLatin1String("\\"), QLatin1String("\\\\"));
  text.replace(QLatin1String("|"), QLatin1String("\\|"));
  text.replace(QLatin1String("<"), QLatin1String("\\<"));
  text.replace(QLatin1Char('\n'), QLatin1Char(' '));
  return text;
}

}  // namespace

QString copyAsCsv(const QAbstractItemModel& model, const QModelIndexList& selection) {
  const Span span = spanOf(selection);
  if (span.rows.empty()) {
    return {};
  }
  QStringList lines;
  QStringList fields;
  for (const int column : span.columns) {
    fields << csvField(model.headerData(column, Qt::Horizontal));
  }
  lines << fields.join(QLatin1Char(','));
  for (const int row : span.rows) {
    fields.clear();
    for (const int column : span.columns) {
      fields << csvField(model.index(row, column).data(TableModel::raw_role));
    }
    lines << fields.join(QLatin1Char(','));
  }
  return lines.join(QLatin1String("\r\n")) + QLatin1String("\r\n");
}

QString copyAsMarkdown(const QAbstractItemModel& model, const QModelIndexList& selection) {
  const Span span = spanOf(selection);
  if (span.rows.empty()) {
    return {};
  }
  const auto line = [](const QStringList& fields) {
    return QStringLiteral("| %1 |\n").arg(fields.join(QLatin1String(" | ")));
  };
  QStringList titles;
  QStringList rules;
  for (const int column : span.columns) {
    titles << markdownField(model.headerData(column, Qt::Horizontal).toString());
    const auto alignment =
        model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).value<Qt::Alignment>();
    rules << (alignment.testFlag(Qt::AlignRight) ? QStringLiteral("---:") : QStringLiteral("---"));
  }
  QString text = line(titles) + line(rules);
  for (const int row : span.rows) {
    QStringList fields;
    for (const int column : span.columns) {
      fields << markdownField(model.index(row, column).data().toString());
    }
    text += line(fields);
  }
  return text;
}

}  // namespace ridgepoint::gui
