#include "gui/views/diagnosis_delegate.h"

#include <QApplication>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyleOptionViewItem>

#include "gui/models/diagnosis_model.h"
#include "tests/gui/support/gui_test.h"

namespace ridgepoint::gui {
namespace {

class DiagnosisDelegateTest : public GuiTest {
 protected:
  int heightOf(const QString& title, int width) {
    show(title, {});
    QStyleOptionViewItem option;
    option.font = QApplication::font();
    option.rect = QRect(0, 0, width, 0);
    return delegate_.sizeHint(option, model_.index(0, 0)).height();
  }
  QImage painted(const QString& title, const QString& gain, const QSize& size) {
    show(title, gain);
    QImage image(size, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    QStyleOptionViewItem option;
    option.font = QApplication::font();
    option.palette = QApplication::palette();
    option.rect = QRect(QPoint(), size);
    delegate_.paint(&painter, option, model_.index(0, 0));
    return image;
  }

 private:
  void show(const QString& title, const QString& gain) {
    model_.clear();
    auto* item = new QStandardItem(title);
    item->setData(static_cast<int>(Severity::critical), DiagnosisModel::severity_role);
    item->setData(QStringLiteral("kernel"), DiagnosisModel::subject_role);
    item->setData(gain, DiagnosisModel::gain_role);
    model_.appendRow(item);
  }
  QStandardItemModel model_;
  DiagnosisDelegate delegate_;
};

TEST_F(DiagnosisDelegateTest, ANameWiderThanTheListContinuesOnTheNextLine) {
  const int one_line = heightOf(QStringLiteral("short"), 240);
  const int line = QFontMetrics(QApplication::font()).lineSpacing();
  EXPECT_GE(heightOf(QString(50, QLatin1Char('k')), 240), one_line + line - 2);
}

TEST_F(DiagnosisDelegateTest, ANameOfAnyLengthTakesAFewLinesOnly) {
  const int line = QFontMetrics(QApplication::font()).lineSpacing();
  EXPECT_LE(heightOf(QString(100000, QLatin1Char('k')), 240), 7 * line);
}

TEST_F(DiagnosisDelegateTest, TheGainIsNotPaintedOverInANarrowList) {
  const QString gain = QStringLiteral("up to 72.7 %");
  const int height = heightOf(QStringLiteral("title"), 120);
  const QImage narrow = painted(QStringLiteral("title"), gain, {120, height});
  const QImage wide = painted(QStringLiteral("title"), gain, {600, height});
  // The gain stands at the right end and looks the same, however little room there is beside it.
  const int width = 60;
  const QRect lower(0, height / 2, width, height / 2 - 4);
  EXPECT_EQ(narrow.copy(lower.translated(120 - width, 0)),
            wide.copy(lower.translated(600 - width, 0)));
}

}  // namespace
}  // namespace ridgepoint::gui
