// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/summary_header.h"

#include <QEvent>
#include <QFontMetrics>
#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <vector>

#include "gui/models/display.h"
#include "reports/presenters/labels.h"
#include "reports/presenters/provenance.h"
#include "reports/presenters/summary.h"

namespace ridgepoint::gui {
namespace {

constexpr int widest_name = 130;
constexpr int widest_caption = 200;
constexpr int widest_source = 480;  // what was measured comes before the last figures
constexpr int narrowest = 320;      // the window may be this narrow, whatever the cards would like

QString tr(const char* text) {
  return SummaryHeader::tr(text);
}

QLabel* label(const QString& text, const char* role, QWidget* parent) {
  auto* made = new QLabel(text, parent);
  made->setTextFormat(Qt::PlainText);
  made->setProperty("role", role);
  return made;
}

// Names come from the session: whatever their length, the card stays a card.
QLabel* nameLabel(const QString& text, const char* role, int widest, QWidget* parent) {
  auto* made = label(QFontMetrics(parent->font()).elidedText(text, Qt::ElideMiddle, widest - 12),
                     role, parent);
  made->setMaximumWidth(widest);
  made->setToolTip(QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped()));
  return made;
}

QFrame* card(QWidget* parent) {
  auto* made = new QFrame(parent);
  made->setProperty("card", true);
  return made;
}

struct Figure {
  QString name;  // of the variant
  QColor colour;
  QString value;
};

QFrame* figureCard(const QString& caption, const std::vector<Figure>& figures, QWidget* parent) {
  QFrame* frame = card(parent);
  auto* grid = new QGridLayout(frame);
  grid->setContentsMargins(14, 8, 14, 8);
  grid->setVerticalSpacing(2);
  grid->setHorizontalSpacing(10);
  grid->addWidget(label(caption, "caption", frame), 0, 0, 1, 2);
  QStringList spoken;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const auto row = static_cast<int>(i) + 1;
    if (!figures[i].name.isEmpty()) {
      auto* name = nameLabel(figures[i].name, "variant", widest_name, frame);
      name->setStyleSheet(
          QStringLiteral("color: %1; font-weight: 600;").arg(figures[i].colour.name()));
      grid->addWidget(name, row, 0);
    }
    auto* value = label(figures[i].value, "value", frame);
    QFont bold = value->font();
    bold.setBold(true);
    value->setFont(bold);
    grid->addWidget(value, row, 1, Qt::AlignRight);
    spoken << (figures[i].name + QLatin1Char(' ') + figures[i].value).trimmed();
  }
  frame->setAccessibleName(caption + QStringLiteral(": ") + spoken.join(QStringLiteral(", ")));
  return frame;
}

QString capitalised(QString text) {
  if (!text.isEmpty()) {
    text[0] = text[0].toUpper();
  }
  return text;
}

QString workload(const Analysis& analysis) {
  if (analysis.attention) {
    return tr("Attention: %1").arg(plain(workload_text(*analysis.attention)));
  }
  return analysis.producer.command_line.empty() ? tr("Profile of a program")
                                                : plain(analysis.producer.command_line);
}

}  // namespace

SummaryHeader::SummaryHeader(KernelSelection& selection, QWidget* parent)
    : AnalysisView(selection, parent), layout_(new QHBoxLayout(this)) {
  setObjectName(QStringLiteral("summary"));
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setSpacing(8);
  setMinimumWidth(narrowest);
}

void SummaryHeader::addCard(QFrame* card) {
  layout_->addWidget(card);
  cards_.push_back(card);
}

void SummaryHeader::fitCards() {
  int used = 0;
  if (about_ != nullptr) {
    const auto* source = about_->findChild<QLabel*>(QStringLiteral("source"));
    const QMargins around = about_->layout()->contentsMargins();
    used = std::min(source->sizeHint().width(), widest_source) + around.left() + around.right();
  }
  bool fits = true;
  for (QFrame* card : cards_) {
    used += layout_->spacing() + card->sizeHint().width();
    fits = fits && used <= width();
    card->setVisible(fits);
  }
}

void SummaryHeader::resizeEvent(QResizeEvent* event) {
  AnalysisView::resizeEvent(event);
  fitCards();
}

bool SummaryHeader::event(QEvent* event) {
  const bool handled = AnalysisView::event(event);
  if (event->type() == QEvent::LayoutRequest) {
    fitCards();  // fonts of the style sheet are known now, and with them the cards' sizes
  }
  return handled;
}

void SummaryHeader::showTheme() {
  showAnalysis(*analysis());
}

void SummaryHeader::showAnalysis(const Analysis& analysis) {
  while (QLayoutItem* item = layout_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  cards_.clear();
  about_ = nullptr;
  showAbout(analysis);
  if (const VariantAnalysis* other = fastest_other(analysis); other != nullptr) {
    showVariants(analysis, *other);
  } else {
    showKernels(analysis);
  }
}

void SummaryHeader::showAbout(const Analysis& analysis) {
  QFrame* about = card(this);
  auto* lines = new QVBoxLayout(about);
  lines->setContentsMargins(14, 8, 14, 8);
  lines->setSpacing(2);
  auto* source = label(capitalised(plain(provenance_line(analysis))), "title", about);
  source->setObjectName(QStringLiteral("source"));
  auto* task = label(workload(analysis), "muted", about);
  task->setObjectName(QStringLiteral("workload"));
  for (QLabel* line : {source, task}) {
    line->setToolTip(line->text().toHtmlEscaped());
    // The other cards keep their width; these lines give way and are read in the tooltip.
    line->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    line->setMinimumWidth(200);
  }
  lines->addWidget(source);
  lines->addWidget(task);
  auto* links = new QHBoxLayout;
  links->setSpacing(16);
  if (!analysis.issues.empty()) {
    const auto count = static_cast<int>(analysis.issues.size());
    auto* issues = new QPushButton(
        count == 1 ? tr("1 note on the measurement") : tr("%1 notes on the measurement").arg(count),
        about);
    issues->setObjectName(QStringLiteral("issues"));
    issues->setProperty("role", "link");
    connect(issues, &QPushButton::clicked, this, &SummaryHeader::issuesRequested);
    links->addWidget(issues);
  }
  if (QPushButton* others = othersLink(analysis, about)) {
    links->addWidget(others);
  }
  if (links->isEmpty()) {
    delete links;
    lines->addStretch(1);
  } else {
    links->addStretch(1);
    lines->addLayout(links);
  }
  layout_->addWidget(about, 1);
  about_ = about;
}

// The cards hold the first variant and the fastest of the others.
QPushButton* SummaryHeader::othersLink(const Analysis& analysis, QWidget* parent) {
  const VariantAnalysis* shown = fastest_other(analysis);
  if (shown == nullptr || analysis.variants.size() < 3) {
    return nullptr;
  }
  QStringList names;
  for (std::size_t i = 1; i < analysis.variants.size(); ++i) {
    const VariantAnalysis& one = analysis.variants[i];
    if (&one != shown) {
      names << QStringLiteral("%1 %2").arg(plain(one.name), quantity(one.time_s, Unit::second));
    }
  }
  auto* link = new QPushButton(
      names.size() == 1 ? tr("1 more variant") : tr("%1 more variants").arg(names.size()), parent);
  link->setObjectName(QStringLiteral("otherVariants"));
  link->setProperty("role", "link");
  link->setToolTip(QStringLiteral("<p>%1</p>")
                       .arg(tr("Beside %1 and the fastest, %2: %3")
                                .arg(plain(analysis.variants.front().name), plain(shown->name),
                                     names.join(QStringLiteral(", ")))
                                .toHtmlEscaped()));
  connect(link, &QPushButton::clicked, this, &SummaryHeader::variantsRequested);
  return link;
}

void SummaryHeader::showVariants(const Analysis& analysis, const VariantAnalysis& other) {
  const VariantAnalysis& first = analysis.variants.front();
  QFrame* speedup = card(this);
  auto* inside = new QVBoxLayout(speedup);
  inside->setContentsMargins(18, 6, 18, 8);
  inside->setSpacing(0);
  auto* factor = label(quantity(other.speedup_over_first, Unit::factor), "headline", speedup);
  factor->setObjectName(QStringLiteral("speedup"));
  factor->setAlignment(Qt::AlignHCenter);
  inside->addWidget(factor);
  auto* caption = nameLabel(tr("%1 over %2").arg(plain(other.name), plain(first.name)), "caption",
                            widest_caption, speedup);
  caption->setAlignment(Qt::AlignHCenter);
  inside->addWidget(caption);
  addCard(speedup);

  const auto pair = [&](const QString& title, auto value) {
    std::vector<Figure> figures;
    for (const VariantAnalysis* one : {&first, &other}) {
      figures.push_back({plain(one->name),
                         variantColour(theme(), one->name, variantPosition(analysis, one->name)),
                         value(*one)});
    }
    addCard(figureCard(title, figures, this));
  };
  pair(tr("TIME (MEDIAN)"),
       [](const VariantAnalysis& v) { return quantity(v.time_s, Unit::second); });
  pair(tr("TIME (P99)"), [](const VariantAnalysis& v) {
    return quantity(v.latency ? std::optional<double>(v.latency->p99) : std::nullopt, Unit::second);
  });
  pair(tr("HBM TRAFFIC"), [](const VariantAnalysis& v) {
    return quantity(v.traffic[MemoryLevel::hbm].measured.total, Unit::byte);
  });
  pair(tr("ACHIEVED"),
       [](const VariantAnalysis& v) { return quantity(v.achieved_flop_per_s, Unit::flop_per_s); });
}

void SummaryHeader::showKernels(const Analysis& analysis) {
  std::optional<double> time_s;
  const KernelAnalysis* longest = nullptr;
  for (const KernelAnalysis& kernel : analysis.kernels) {
    if (kernel.time_s) {
      time_s = time_s.value_or(0.0) + *kernel.time_s;
      if (longest == nullptr || *kernel.time_s > longest->time_s.value_or(0.0)) {
        longest = &kernel;
      }
    }
  }
  addCard(figureCard(tr("KERNELS"), {{{}, {}, QString::number(analysis.kernels.size())}}, this));
  addCard(figureCard(tr("TIME IN KERNELS"), {{{}, {}, quantity(time_s, Unit::second)}}, this));
  if (longest != nullptr) {
    const QString name = plain(longest->short_name);
    QFrame* frame =
        figureCard(tr("LONGEST KERNEL"),
                   {{{}, {}, fontMetrics().elidedText(name, Qt::ElideMiddle, 220)},
                    {{}, {}, tr("%1 of the time").arg(quantity(longest->time_share, Unit::share))}},
                   this);
    frame->setToolTip(rich(longest->name));
    addCard(frame);
  }
}

}  // namespace ridgepoint::gui
