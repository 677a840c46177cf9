// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/session_view.h"

#include <QVBoxLayout>

#include "gui/models/display.h"
#include "gui/views/rich_text.h"
#include "reports/presenters/provenance.h"

namespace ridgepoint::gui {
namespace {

QString table(const QString& title, const QString& rows) {
  return QStringLiteral("<h3>%1</h3><table>%2</table>").arg(title, rows);
}

QString row(const QString& name, const QString& value) {
  return QStringLiteral("<tr><td class='muted'>%1</td><td>%2</td></tr>").arg(name, value);
}

QString issuesHtml(const Analysis& analysis) {
  if (analysis.issues.empty()) {
    return QStringLiteral(
        "<h3>Issues</h3><p class='muted'>Nothing went wrong or was left out.</p>");
  }
  QString rows;
  for (const Issue& issue : analysis.issues) {
    rows += row(rich(issue.code), rich(issue.text));
  }
  return table(QStringLiteral("Issues"), rows);
}

QString howHtml(const Analysis& analysis) {
  QString rows;
  for (const auto& [name, value] : how_measured(analysis)) {
    rows += row(rich(name), rich(value));
  }
  return table(QStringLiteral("How it was measured"), rows);
}

// What how_measured() leaves to the interested: the sizes that limits come from.
QString deviceHtml(const DeviceInfo& device) {
  QString rows = row(QStringLiteral("name"), rich(device.name));
  const auto add = [&rows](const char* name, double value, Unit unit) {
    if (value > 0) {
      rows += row(QString::fromLatin1(name), quantity(value, unit).toHtmlEscaped());
    }
  };
  add("SMs", static_cast<double>(device.sm_count), Unit::count);
  add("memory", static_cast<double>(device.memory_bytes), Unit::byte);
  add("memory bus, bits", static_cast<double>(device.memory_bus_bits), Unit::count);
  add("L2 cache", static_cast<double>(device.l2_bytes), Unit::memory_size);
  add("shared memory an SM", static_cast<double>(device.smem_per_sm_bytes), Unit::memory_size);
  add("shared memory a block", static_cast<double>(device.smem_per_block_bytes), Unit::memory_size);
  add("registers an SM", static_cast<double>(device.registers_per_sm), Unit::count);
  add("warps an SM", static_cast<double>(device.warps_per_sm), Unit::count);
  add("SM clock, highest", device.sm_clock_max_hz, Unit::hertz);
  add("memory clock, highest", device.memory_clock_max_hz, Unit::hertz);
  return table(QStringLiteral("Device"), rows);
}

QString correctnessHtml(const Analysis& analysis) {
  QString rows;
  for (const VariantAnalysis& v : analysis.variants) {
    if (v.correctness) {
      const Correctness& c = *v.correctness;
      rows += QStringLiteral(
                  "<tr><td class='muted'>%1</td><td class='%2'>%3</td><td>largest error %4 "
                  "(16-bit reference: %5), %6</td></tr>")
                  .arg(rich(v.name), c.passed ? QStringLiteral("good") : QStringLiteral("bad"),
                       c.passed ? QStringLiteral("correct") : QStringLiteral("WRONG"))
                  .arg(c.max_abs_error, 0, 'e', 2)
                  .arg(c.reference_16bit_max_abs_error, 0, 'e', 2)
                  .arg(rich(c.method));
    }
  }
  return rows.isEmpty()
             ? QString()
             : QStringLiteral("<h3>Checked against the reference</h3><table>%1</table>").arg(rows);
}

}  // namespace

SessionView::SessionView(KernelSelection& selection, QWidget* parent)
    : AnalysisView(selection, parent), text_(new RichText(this, tr("Session"))) {
  text_->setObjectName(QStringLiteral("sessionText"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 4, 6, 6);
  layout->addWidget(text_);
}

void SessionView::showAnalysis(const Analysis& analysis) {
  QString body = issuesHtml(analysis) + howHtml(analysis) + correctnessHtml(analysis);
  for (const DeviceInfo& device : analysis.devices) {
    body += deviceHtml(device);
  }
  text_->setContent(body);
}

void SessionView::showTheme() {
  showAnalysis(*analysis());
}

}  // namespace ridgepoint::gui
