// What is written on the roofline of the shipped recordings, at the sizes of common screens.
#include <gmock/gmock.h>

#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <set>

#include "gui/app/workspace.h"
#include "gui/models/display.h"
#include "gui/roofline/roofline_chart.h"
#include "tests/gui/support/gui_test.h"
#include "tests/support/recordings.h"

namespace ridgepoint::gui {
namespace {

using testing::HasSubstr;

struct Picture {
  std::string recording;
  QSize size;
  RooflineScene scene;
  RooflineTexts names;
};

class RooflineNamesTest : public GuiTest {
 protected:
  // Painted once for all tests.
  static const std::vector<Picture>& pictures() {
    static const std::vector<Picture> painted = paintAll();
    return painted;
  }

 private:
  static std::vector<Picture> paintAll() {
    std::vector<Picture> painted;
    const auto window = openWindow(recording());
    for (const char* name : {test_support::wide_recording, test_support::batched_recording,
                             test_support::backward_recording, test_support::decode_recording,
                             test_support::causal_recording}) {
      window->workspace().setAnalysis(shipped(name));
      for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)}) {
        window->resize(size);
        QTest::qWait(20);
        auto& chart = find<RooflineChart>(*window, "rooflineChart");
        chart.grab();
        painted.push_back({name, size, chart.scene(), chart.texts()});
      }
    }
    return painted;
  }
  static AnalysisPtr shipped(const char* name) {
    return std::make_shared<const Analysis>(test_support::analysed(test_support::recording(name)));
  }
};

const RoofLabel* labelOf(const Picture& picture, const std::string& id) {
  const auto at = std::find_if(picture.names.roofs.along.begin(), picture.names.roofs.along.end(),
                               [&](const RoofLabel& label) { return label.id == id; });
  return at != picture.names.roofs.along.end() ? &*at : nullptr;
}

TEST_F(RooflineNamesTest, EveryRoofIsNamedAtItsLine) {
  for (const Picture& picture : pictures()) {
    SCOPED_TRACE(picture.recording + " " + std::to_string(picture.size.width()));
    EXPECT_TRUE(picture.names.roofs.listed.empty());
    for (const RooflineRoof& roof : picture.scene.roofline.roofs) {
      if (roof.measured) {
        continue;  // shares the label of the theoretical one
      }
      const RoofLabel* label = labelOf(picture, roof.id);
      ASSERT_NE(label, nullptr) << roof.label;
      const QString name = plain(roof.label).section(QLatin1Char(' '), 0, -3);
      EXPECT_THAT(label->text.toStdString(), HasSubstr(name.toStdString()));
      const QPointF from = picture.scene.toPixel(roof.x0, roof.y0);
      const QPointF to = picture.scene.toPixel(roof.x1, roof.y1);
      double nearest = INFINITY;
      for (const QPointF& corner : label->area) {
        const QPointF along = to - from;
        const QPointF across(-along.y(), along.x());
        nearest = std::min(nearest, std::abs(QPointF::dotProduct(corner - from, across)) /
                                        std::hypot(across.x(), across.y()));
      }
      EXPECT_LT(nearest, 4) << roof.label;
    }
  }
}

TEST_F(RooflineNamesTest, EveryRoofShowsItsValue) {
  for (const Picture& picture : pictures()) {
    for (const RooflineRoof& roof : picture.scene.roofline.roofs) {
      if (!roof.measured) {
        const RoofLabel* label = labelOf(picture, roof.id);
        ASSERT_NE(label, nullptr) << roof.label;
        EXPECT_THAT(label->text.toStdString(), HasSubstr(plain(roof.label).toStdString()))
            << picture.recording << ' ' << picture.size.width();
      }
    }
  }
}

TEST_F(RooflineNamesTest, NoTextIsCrossedByARoof) {
  for (const Picture& picture : pictures()) {
    LabelPlacer roofs(QRectF(-1e6, -1e6, 2e6, 2e6));
    for (const RooflineRoof& roof : picture.scene.roofline.roofs) {
      const QPointF from = picture.scene.toPixel(roof.x0, roof.y0);
      const QPointF to = picture.scene.toPixel(roof.x1, roof.y1);
      const QPointF thin(0, 0.2);  // a label stands two pixels off its own line
      roofs.block(QPolygonF({from - thin, to - thin, to + thin, from + thin}));
    }
    const std::string where = picture.recording + " " + std::to_string(picture.size.width()) + ": ";
    for (const KernelName& name : picture.names.kernels) {
      EXPECT_TRUE(roofs.isFree(name.box)) << where << name.text.toStdString();
    }
    for (const RooflineText& ridge : picture.names.ridges) {
      EXPECT_TRUE(roofs.isFree(ridge.box)) << where << ridge.text.toStdString();
    }
    for (const RoofLabel& label : picture.names.roofs.along) {
      EXPECT_TRUE(roofs.isFree(label.area)) << where << label.text.toStdString();
    }
  }
}

TEST_F(RooflineNamesTest, TheHbmRoofShowsTheoryAndMeasurement) {
  std::size_t measured = 0;
  for (const Picture& picture : pictures()) {
    const RoofLabel* hbm = labelOf(picture, "hbm");
    ASSERT_NE(hbm, nullptr) << picture.recording;
    EXPECT_THAT(hbm->text.toStdString(), HasSubstr("HBM 4.81 TB/s"));
    measured += hbm->text.contains(QStringLiteral("measured 4.66 TB/s")) ? 1 : 0;
  }
  EXPECT_GE(measured, pictures().size() - 2) << "where marks leave so long a text a place";
}

TEST_F(RooflineNamesTest, AKernelsNameIsNearestToItsOwnMarkOrHasALineToIt) {
  for (const Picture& picture : pictures()) {
    for (const KernelName& name : picture.names.kernels) {
      SCOPED_TRACE(picture.recording + " " + std::to_string(picture.size.width()) + ": " +
                   name.text.toStdString());
      const double own = distanceToMarks(picture.scene, name.box, name.kernel, true);
      const double other = distanceToMarks(picture.scene, name.box, name.kernel, false);
      EXPECT_GT(other, 0);  // covers none
      if (name.leader) {
        const QRectF end(name.leader->p1(), QSizeF(0, 0));
        EXPECT_LT(distanceToMarks(picture.scene, end, name.kernel, true), 40);
        EXPECT_TRUE(name.box.adjusted(-1, -1, 1, 1).contains(name.leader->p2()));
      } else {
        EXPECT_LT(own, other);
        EXPECT_LT(own, 20);
      }
    }
  }
}

TEST_F(RooflineNamesTest, NamesAreWholeOrLackOnlyTheirVariantWhereThereIsRoom) {
  for (const Picture& picture : pictures()) {
    std::set<std::string> whole;
    for (const RooflinePoint& point : picture.scene.roofline.points) {
      whole.insert(point.label);
      whole.insert(point.label.substr(0, point.label.find(" [" + point.variant + "]")));
    }
    std::set<std::size_t> kernels;
    for (const RooflinePoint& point : picture.scene.roofline.points) {
      kernels.insert(point.kernel);
    }
    // Fourteen kernels, whose marks lie on one another, are more than the smaller window has room
    // for where no text may be crossed by a roof.
    const bool crowded =
        picture.recording == test_support::backward_recording && picture.size.width() < 1900;
    EXPECT_GE(picture.names.kernels.size() + (crowded ? 2 : 0), kernels.size())
        << picture.recording << ' ' << picture.size.width();
    int elided = 0;
    for (const KernelName& name : picture.names.kernels) {
      elided += whole.count(name.text.toStdString()) == 0 ? 1 : 0;
    }
    EXPECT_LE(elided, crowded ? 2 : 0) << picture.recording << ' ' << picture.size.width();
  }
}

TEST_F(RooflineNamesTest, NoTwoTextsOverlap) {
  for (const Picture& picture : pictures()) {
    std::vector<QPolygonF> areas;
    for (const KernelName& name : picture.names.kernels) {
      areas.emplace_back(name.box);
    }
    for (const RoofLabel& label : picture.names.roofs.along) {
      areas.push_back(label.area);
    }
    for (std::size_t i = 0; i < areas.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        QPainterPath one;
        one.addPolygon(areas[i]);
        QPainterPath other;
        other.addPolygon(areas[j]);
        const QRectF shared = one.intersected(other).boundingRect();
        EXPECT_LT(shared.width() * shared.height(), 1) << picture.recording;
      }
    }
  }
}

TEST_F(RooflineNamesTest, ARoofWithoutRoomAtItsLineIsListedWithASampleOfIt) {
  RooflineScene scene;
  scene.plot = QRectF(0, 0, 400, 300);
  scene.x = {1, 1000};
  scene.y = {1, 1000};
  RooflineRoof roof;  // cuts a corner of the plot
  roof.id = "hbm";
  roof.label = "A memory of a long name 500 B/s";
  roof.value = 500;
  roof.x0 = 1;
  roof.y0 = 500;
  roof.x1 = 2;
  roof.y1 = 1000;
  scene.roofline.roofs = {roof};
  const QFontMetricsF metrics{QFont()};
  LabelPlacer placer(scene.plot);
  RoofLabelling labelling(scene, metrics, placer);
  EXPECT_TRUE(labelling.reserve().empty());
  const RoofLabels labels = labelling.finish();
  EXPECT_TRUE(labels.along.empty());
  ASSERT_EQ(labels.listed.size(), 1U);
  EXPECT_EQ(labels.listed[0].text.toStdString(), roof.label);
  EXPECT_GT(labels.listed[0].line.angle(), 20);  // as steep as the roof
  EXPECT_LT(labels.listed[0].line.angle(), 50);
  EXPECT_TRUE(scene.plot.contains(labels.list));
  EXPECT_GE(labels.list.width(), roof_sample_px + metrics.horizontalAdvance(labels.listed[0].text));
}

}  // namespace
}  // namespace ridgepoint::gui
