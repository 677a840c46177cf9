// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/diagnosis_view.h"

#include <QListView>
#include <QSplitter>
#include <QVBoxLayout>

#include "gui/models/diagnosis_model.h"
#include "gui/models/display.h"
#include "gui/views/diagnosis_delegate.h"
#include "gui/views/rich_text.h"

namespace ridgepoint::gui {
namespace {

constexpr int narrowest_list = 220;  // severity, whose it is and the gain stand in one line

}  // namespace

DiagnosisView::DiagnosisView(KernelSelection& selection, QWidget* parent)
    : AnalysisView(selection, parent),
      model_(new DiagnosisModel(this)),
      list_(new QListView(this)),
      detail_(new RichText(this, tr("Diagnosis in full"))) {
  list_->setObjectName(QStringLiteral("diagnoses"));
  list_->setAccessibleName(tr("Diagnoses, most severe first"));
  list_->setModel(model_);
  list_->setItemDelegate(new DiagnosisDelegate(list_));
  list_->setMouseTracking(true);
  list_->setMinimumWidth(narrowest_list);
  list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setResizeMode(QListView::Adjust);
  detail_->setObjectName(QStringLiteral("diagnosisDetail"));
  auto* splitter = new QSplitter(Qt::Vertical, this);
  splitter->addWidget(list_);
  splitter->addWidget(detail_);
  splitter->setChildrenCollapsible(false);
  splitter->setStretchFactor(0, 1);
  splitter->setStretchFactor(1, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 4, 6, 6);
  layout->addWidget(splitter);
  connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& current) {
            showDetail();
            const std::optional<std::size_t> kernel = model_->kernelAt(current.row());
            if (kernel && !following_) {
              choosing_ = true;
              this->selection().select(kernel);
              choosing_ = false;
            }
          });
}

void DiagnosisView::showAnalysis(const Analysis& analysis) {
  model_->setAnalysis(analysis);
  showDetail();
}

void DiagnosisView::showSelection() {
  if (choosing_) {
    return;
  }
  model_->putFirst(selection().current());
  const bool own = selection().current() && model_->kernelAt(0) == selection().current();
  following_ = true;
  list_->setCurrentIndex(own || !selection().current() ? model_->index(0) : QModelIndex());
  following_ = false;
  list_->scrollToTop();
  showDetail();
}

void DiagnosisView::showTheme() {
  showDetail();
}

void DiagnosisView::resizeEvent(QResizeEvent* event) {
  AnalysisView::resizeEvent(event);
  list_->doItemsLayout();  // titles wrap by the width
}

void DiagnosisView::showDetail() {
  const DiagnosisText* d = model_->at(list_->currentIndex().row());
  if (d == nullptr) {
    const KernelAnalysis* kernel = selectedKernel();
    detail_->setContent(
        model_->rowCount() == 0
            ? tr("<p class='muted'>No rule found anything to report in this session.</p>")
            : (kernel != nullptr
                   ? tr("<p class='muted'>No rule speaks of <b>%1</b>. Choose a diagnosis "
                        "of another kernel above.</p>")
                         .arg(rich(kernel->short_name))
                   : tr("<p class='muted'>Choose a diagnosis above.</p>")));
    return;
  }
  QString evidence;
  for (const std::string& line : d->evidence) {
    evidence += QStringLiteral("<p>\u2022 %1</p>").arg(rich(line));
  }
  QString body = QStringLiteral("<h3>%1</h3><p>%2</p>").arg(rich(d->title), rich(d->explanation));
  body += tr("<p class='head'>What to change</p><p>%1</p>").arg(rich(d->action));
  if (!evidence.isEmpty()) {
    body += tr("<p class='head'>Evidence</p>%1").arg(evidence);
  }
  body += tr("<p class='head'>Estimated gain</p><p>%1</p>").arg(rich(d->gain));
  if (!d->not_applicable_when.empty()) {
    body +=
        tr("<p class='head'>Does not apply when</p><p>%1</p>").arg(rich(d->not_applicable_when));
  }
  body += QStringLiteral("<p class='muted'>%1 \u00b7 %2 \u00b7 rule %3</p>")
              .arg(rich(d->subject), rich(d->severity), rich(d->id));
  detail_->setContent(body);
}

}  // namespace ridgepoint::gui
