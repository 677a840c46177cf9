#include "gui/models/display.h"

#include <gmock/gmock.h>

#include <QFont>
#include <QSet>

#include "tests/gui/support/gui_test.h"

namespace ridgepoint::gui {
namespace {

class DisplayTest : public GuiTest {};

TEST_F(DisplayTest, NamesThatHaveRoomStayWhole) {
  const QFontMetricsF metrics{QFont()};
  const QStringList names = {QStringLiteral("softmax"), QStringLiteral("flash_fwd_kernel")};
  EXPECT_EQ(elidedApart(names, metrics, 400), names);
}

TEST_F(DisplayTest, NamesCutToPixelsStillDiffer) {
  const QFontMetricsF metrics{QFont()};
  const QStringList names = {
      QStringLiteral("hopper_attention_backward [hopper]"),
      QStringLiteral("hopper_gradient_conversion [hopper]"),
      QStringLiteral("hopper_attention_backward [hopper_deterministic]"),
      QStringLiteral("hopper_gradient_conversion [hopper_deterministic]"),
  };
  for (const double width : {130.0, 180.0, 250.0}) {
    const QStringList shown = elidedApart(names, metrics, width);
    EXPECT_EQ(QSet<QString>(shown.begin(), shown.end()).size(), names.size()) << width;
    for (const QString& name : shown) {
      EXPECT_LE(metrics.horizontalAdvance(name), width) << name.toStdString();
    }
  }
}

}  // namespace
}  // namespace ridgepoint::gui
