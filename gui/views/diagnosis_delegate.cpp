// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/diagnosis_delegate.h"

#include <QListView>
#include <QPainter>
#include <QTextLayout>
#include <algorithm>

#include "gui/models/diagnosis_model.h"
#include "gui/theme/theme.h"

namespace ridgepoint::gui {
namespace {

constexpr int left = 16;
constexpr int right = 10;
constexpr int top = 7;
constexpr int line_gap = 3;
constexpr int most_lines = 4;
constexpr int longest_title = 1000;  // characters: more than the lines hold

QFont bold(const QFont& font) {
  QFont made = font;
  made.setWeight(QFont::DemiBold);
  return made;
}

// Lays the title out, paints it at `origin` when there is a painter, and gives its height. Lines
// break between words and, as the name of a kernel may be wider than the list, inside of them.
int layOutTitle(const QFont& font, int width, const QString& title, QPainter* painter = nullptr,
                const QPoint& origin = {}) {
  const QFont strong = bold(font);
  const QFontMetrics metrics(strong);
  QTextLayout layout(title.left(longest_title), strong);
  QTextOption option;
  option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  layout.setTextOption(option);
  layout.beginLayout();
  int height = 0;
  for (int number = 1; number <= most_lines; ++number) {
    QTextLine line = layout.createLine();
    if (!line.isValid()) {
      break;
    }
    line.setLineWidth(std::max(1, width));
    QString text = layout.text().mid(line.textStart(), line.textLength());
    if (number == most_lines) {
      text = metrics.elidedText(layout.text().mid(line.textStart()), Qt::ElideRight, width);
    }
    if (painter != nullptr) {
      painter->setFont(strong);
      painter->drawText(origin + QPoint(0, height + metrics.ascent()), text);
    }
    height += metrics.lineSpacing();
  }
  layout.endLayout();
  return height;
}

}  // namespace

QSize DiagnosisDelegate::sizeHint(const QStyleOptionViewItem& option,
                                  const QModelIndex& index) const {
  // The option has no width yet when a view lays out; its viewport has.
  const auto* view = qobject_cast<const QListView*>(option.widget);
  const int width = view != nullptr ? view->viewport()->width() : option.rect.width();
  const int height = layOutTitle(option.font, width - left - right, index.data().toString()) +
                     QFontMetrics(option.font).height() + line_gap + 2 * top;
  return {width, height};
}

void DiagnosisDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
  const Theme& t = themeOf(option.palette);
  const auto severity = static_cast<Severity>(index.data(DiagnosisModel::severity_role).toInt());
  const QColor colour = severityColour(t, severity);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  if (option.state.testFlag(QStyle::State_Selected)) {
    QColor tint = t.accent;
    tint.setAlphaF(t.dark ? 0.26F : 0.13F);
    painter->fillRect(option.rect, tint);
  } else if (option.state.testFlag(QStyle::State_MouseOver)) {
    painter->fillRect(option.rect, t.raised);
  }
  painter->fillRect(QRect(option.rect.left(), option.rect.top() + 3, 4, option.rect.height() - 6),
                    colour);
  const QRect inside = option.rect.adjusted(left, top, -right, -top);
  painter->setPen(t.text);
  const int title_height =
      layOutTitle(option.font, inside.width(), index.data().toString(), painter, inside.topLeft());
  const QRect below(inside.left(), inside.top() + title_height + line_gap, inside.width(),
                    QFontMetrics(option.font).height());
  const QString gain = index.data(DiagnosisModel::gain_role).toString();
  int free = below.width();
  if (!gain.isEmpty()) {
    painter->setFont(bold(option.font));
    painter->setPen(t.text);
    painter->drawText(below, Qt::AlignRight | Qt::AlignVCenter, gain);
    free -= QFontMetrics(bold(option.font)).horizontalAdvance(gain) + 10;
  }
  painter->setFont(option.font);
  const QString word = painter->fontMetrics().elidedText(QString::fromLatin1(key(severity)),
                                                         Qt::ElideRight, std::max(0, free));
  painter->setPen(colour);
  painter->drawText(below, Qt::AlignLeft | Qt::AlignVCenter, word);
  const int word_width = painter->fontMetrics().horizontalAdvance(word);
  painter->setPen(t.muted);
  painter->drawText(
      below.adjusted(word_width, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
      painter->fontMetrics().elidedText(
          QStringLiteral("  \u00b7  ") + index.data(DiagnosisModel::subject_role).toString(),
          Qt::ElideMiddle, std::max(0, free - word_width)));
  painter->setPen(t.border);
  painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
  if (option.state.testFlag(QStyle::State_HasFocus)) {
    painter->setPen(t.accent);
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
  }
  painter->restore();
}

}  // namespace ridgepoint::gui
