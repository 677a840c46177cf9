#include "gui/app/main_window.h"

#include <gmock/gmock.h>

#include <QAction>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSemaphore>
#include <QSettings>
#include <QTabBar>
#include <QTableView>
#include <QThread>
#include <QToolButton>
#include <algorithm>

#include "gui/app/message_bar.h"
#include "gui/app/recent_files.h"
#include "gui/app/workspace.h"
#include "gui/models/display.h"
#include "gui/roofline/roofline_chart.h"
#include "gui/theme/theme.h"
#include "tests/gui/support/gui_test.h"
#include "tests/support/recordings.h"

namespace ridgepoint::gui {
namespace {

using testing::HasSubstr;

class MainWindowTest : public GuiTest {};

AnalysisPtr shipped(const char* name) {
  return std::make_shared<const Analysis>(test_support::analysed(test_support::recording(name)));
}

std::string messageOf(MainWindow& window) {
  return window.messages().text().toStdString();
}

// Opens a file that cannot be shown and gives the message that the window shows.
std::string messageFor(const QString& path) {
  MainWindow window({});
  window.show();
  window.openFile(path);
  EXPECT_TRUE(waitUntil([&] { return !window.loader().busy(); }));
  EXPECT_TRUE(window.messages().isVisible());
  EXPECT_EQ(window.currentFile(), QString());
  return messageOf(window);
}

QByteArray bytesOf(const QString& path) {
  QFile file(path);
  EXPECT_TRUE(file.open(QIODevice::ReadOnly));
  return file.readAll();
}

void drop(MainWindow& window, const QList<QUrl>& urls) {
  QMimeData data;
  data.setUrls(urls);
  QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window, &enter);
  QDropEvent event(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  if (enter.isAccepted()) {
    QApplication::sendEvent(&window, &event);
  }
}

TEST_F(MainWindowTest, StartsWithAPageThatOffersToOpenAFile) {
  MainWindow window({});
  window.show();
  EXPECT_TRUE(find<QWidget>(window, "startOpen").isVisible());
  EXPECT_FALSE(find<QWidget>(window, "workspace").isVisible());
  EXPECT_FALSE(find<QAction>(window, "reload").isEnabled());
}

TEST_F(MainWindowTest, ShowsARealRecording) {
  const auto window = openWindow(recording());
  EXPECT_THAT(window->windowTitle().toStdString(), HasSubstr("attention_small.ridge"));
  EXPECT_FALSE(window->messages().isVisible());
  EXPECT_THAT(find<QLabel>(*window, "source").text().toStdString(), HasSubstr("NVIDIA H200"));
  EXPECT_THAT(find<QLabel>(*window, "workload").text().toStdString(), HasSubstr("Attention"));
  EXPECT_THAT(find<QLabel>(*window, "speedup").text().toStdString(), testing::EndsWith("x"));
  const auto& table = findIn<QTableView>(*window, "kernels", "table");
  EXPECT_EQ(static_cast<std::size_t>(table.model()->rowCount()),
            window->workspace().analysis()->kernels.size());
  EXPECT_GE(table.model()->rowCount(), 4);
}

// Lightness of the arrow against its button, away from the border.
int contrastOf(QWidget& button) {
  const QImage image = button.grab().toImage();
  int darkest = 255;
  int lightest = 0;
  for (int y = 3; y < image.height() - 3; ++y) {
    for (int x = 3; x < image.width() - 3; ++x) {
      const int lightness = image.pixelColor(x, y).lightness();
      darkest = std::min(darkest, lightness);
      lightest = std::max(lightest, lightness);
    }
  }
  return lightest - darkest;
}

TEST_F(MainWindowTest, OnANarrowWindowTheArrowsBesideTheTabsCanBeSeen) {
  auto& app = *qobject_cast<QApplication*>(QCoreApplication::instance());
  for (const ThemeChoice choice : {ThemeChoice::dark, ThemeChoice::light}) {
    applyTheme(app, choice);
    const auto window = openWindow(recording());
    window->resize(window->minimumSizeHint());
    int seen = 0;
    waitUntil([&] {
      seen = 0;
      for (auto* button : window->findChildren<QToolButton*>()) {
        const bool scrolls = qobject_cast<QTabBar*>(button->parentWidget()) != nullptr;
        if (scrolls && button->isVisible() && button->isEnabled()) {
          EXPECT_GT(contrastOf(*button), 60) << "dark: " << (choice == ThemeChoice::dark);
          ++seen;
        }
      }
      return seen > 0;
    });
    EXPECT_GT(seen, 0);
  }
  applyTheme(app, ThemeChoice::system);
}

TEST_F(MainWindowTest, SaysWhyATruncatedFileCannotBeRead) {
  const QByteArray whole = bytesOf(recording());
  for (const int length : {0, 1, 7, 100, static_cast<int>(whole.size()) - 1}) {
    EXPECT_NE(messageFor(write("cut.ridge", whole.left(length))), "") << length;
  }
  EXPECT_THAT(messageFor(write("cut.ridge", whole.left(1000))), HasSubstr("cut.ridge"));
}

TEST_F(MainWindowTest, SaysWhyRandomBytesAreNoSession) {
  QByteArray noise;
  unsigned state = 1;
  for (int i = 0; i < 5000; ++i) {
    state = state * 1664525U + 1013904223U;
    noise.append(static_cast<char>(state >> 24U));
  }
  EXPECT_THAT(messageFor(write("noise.ridge", noise)), HasSubstr("noise.ridge"));
}

TEST_F(MainWindowTest, RefusesASessionOfAnotherMajorVersion) {
  EXPECT_THAT(messageFor(write("new.json", R"({"schema":"ridgepoint-session","version":"99.0"})")),
              HasSubstr("99"));
}

TEST_F(MainWindowTest, SaysThatAFileIsMissing) {
  EXPECT_THAT(messageFor(pathOf("absent.ridge")), HasSubstr("absent.ridge"));
}

TEST_F(MainWindowTest, KeepsTheOpenSessionWhenAnotherCannotBeRead) {
  const auto window = openWindow(recording());
  window->openFile(write("bad.ridge", "nothing"));
  ASSERT_TRUE(waitUntil([&] { return !window->loader().busy(); }));
  EXPECT_TRUE(window->messages().isVisible());
  EXPECT_EQ(window->currentFile(), recording());
  EXPECT_TRUE(find<QWidget>(*window, "workspace").isVisible());
  QTest::mouseClick(&find<QWidget>(*window, "messageDismiss"), Qt::LeftButton);
  EXPECT_FALSE(window->messages().isVisible());
}

TEST_F(MainWindowTest, ShowsControlCharactersOfAnErrorAsText) {
  MainWindow window({[](const QString&) -> LoadResult {
    return fail(ErrorDomain::input, "opening \x1b[31m<b>x</b>", "bad", "try again");
  }});
  window.show();
  window.openFile(QStringLiteral("x"));
  ASSERT_TRUE(waitUntil([&] { return !window.loader().busy(); }));
  EXPECT_EQ(messageOf(window), "opening ?[31m<b>x</b>: bad\ntry again");
  EXPECT_EQ(find<QLabel>(window, "messageTitle").textFormat(), Qt::PlainText);
}

TEST_F(MainWindowTest, OpensADroppedFile) {
  MainWindow window({});
  window.show();
  drop(window, {QUrl::fromLocalFile(recording())});
  ASSERT_TRUE(waitUntil([&] { return !window.currentFile().isEmpty(); }));
  EXPECT_EQ(window.currentFile(), recording());
}

TEST_F(MainWindowTest, IgnoresADropOfSeveralFilesOrOfAWebAddress) {
  MainWindow window({});
  window.show();
  drop(window, {QUrl::fromLocalFile(recording()), QUrl::fromLocalFile(recording())});
  drop(window, {QUrl(QStringLiteral("https://example.com/a.ridge"))});
  EXPECT_FALSE(window.loader().busy());
}

TEST_F(MainWindowTest, ReloadReadsTheFileAgainAndKeepsTheSelectedKernel) {
  int loads = 0;
  const auto window = openWindow(QStringLiteral("run.ridge"), [&](const QString&) -> LoadResult {
    ++loads;
    auto analysis = *sampleAnalysis();
    if (loads == 2) {  // the same kernels, in another order
      std::swap(analysis.kernels[0], analysis.kernels[3]);
    }
    return std::make_shared<const Analysis>(analysis);
  });
  window->workspace().selection().select(3);
  QTest::keyClick(window.get(), Qt::Key_F5);
  ASSERT_TRUE(waitUntil([&] { return loads == 2 && !window->loader().busy(); }));
  EXPECT_EQ(window->workspace().selection().current(), 0U);
}

TEST_F(MainWindowTest, EscapeStopsWaitingAndTheLateResultIsDropped) {
  QSemaphore go;
  QSemaphore done;
  MainWindow window({[&](const QString&) -> LoadResult {
    go.acquire();
    done.release();
    return sampleAnalysis();
  }});
  window.show();
  window.openFile(QStringLiteral("slow.ridge"));
  EXPECT_TRUE(find<QWidget>(window, "busy").isVisible());
  find<QAction>(window, "stop").trigger();
  EXPECT_EQ(find<QAction>(window, "stop").shortcut(), QKeySequence(Qt::Key_Escape));
  EXPECT_FALSE(find<QWidget>(window, "busy").isVisible());
  go.release();
  done.acquire();
  QTest::qWait(100);
  EXPECT_EQ(window.currentFile(), QString());
  EXPECT_FALSE(find<QWidget>(window, "workspace").isVisible());
}

TEST_F(MainWindowTest, TheFileAskedForLastWinsHoweverLongTheFirstTakes) {
  QSemaphore go;
  QSemaphore done;
  MainWindow window({[&](const QString& path) -> LoadResult {
    if (path == QLatin1String("slow")) {
      go.acquire();
      done.release();
      return sparseAnalysis();
    }
    return sampleAnalysis();
  }});
  window.show();
  window.openFile(QStringLiteral("slow"));
  window.openFile(QStringLiteral("quick"));
  ASSERT_TRUE(waitUntil([&] { return window.currentFile() == QLatin1String("quick"); }));
  go.release();
  done.acquire();
  QTest::qWait(100);
  EXPECT_EQ(window.currentFile(), QLatin1String("quick"));
  EXPECT_EQ(window.workspace().analysis()->kernels.size(), 4U);
}

TEST_F(MainWindowTest, AnExceptionWhileReadingBecomesAMessage) {
  MainWindow window({[](const QString&) -> LoadResult { throw std::bad_alloc(); }});
  window.show();
  window.openFile(QStringLiteral("huge.ridge"));
  ASSERT_TRUE(waitUntil([&] { return !window.loader().busy(); }));
  EXPECT_THAT(messageOf(window), HasSubstr("huge.ridge"));
}

TEST_F(MainWindowTest, RemembersOpenedFilesNewestFirstAndOnce) {
  for (const char* name : {"a", "b", "a"}) {
    openWindow(pathOf(name), always(sampleAnalysis()));
  }
  EXPECT_EQ(RecentFiles::list(), QStringList({pathOf("a"), pathOf("b")}));
  MainWindow window({});
  auto& menu = find<QMenu>(window, "recentMenu");
  emit menu.aboutToShow();
  EXPECT_EQ(menu.actions().front()->text(), pathOf("a"));
}

TEST_F(MainWindowTest, KeepsTheLayoutAndRefusesOneOfAnotherVersion) {
  auto window = openWindow(QStringLiteral("x"), always(sampleAnalysis()));
  find<QWidget>(*window, "stalls").hide();
  window->close();
  window = openWindow(QStringLiteral("x"), always(sampleAnalysis()));
  EXPECT_TRUE(find<QWidget>(*window, "stalls").isHidden());
  window->workspace().restoreDefaultLayout();
  EXPECT_FALSE(find<QWidget>(*window, "stalls").isHidden());
  const QByteArray other = window->workspace().saveState(Workspace::layout_version + 1);
  EXPECT_FALSE(window->workspace().restoreLayout(other));
}

TEST_F(MainWindowTest, ExportsTheChartAndAReport) {
  const auto window = openWindow(recording());
  window->exportChartTo(pathOf("chart.svg"));
  window->exportChartTo(pathOf("chart.png"));
  window->exportReportTo(QStringLiteral("html"), pathOf("report.html"));
  EXPECT_THAT(bytesOf(pathOf("chart.svg")).toStdString(), HasSubstr("<svg"));
  EXPECT_THAT(bytesOf(pathOf("chart.svg")).toStdString(), HasSubstr("FLOP/s"));
  EXPECT_FALSE(QImage(pathOf("chart.png")).isNull());
  EXPECT_THAT(bytesOf(pathOf("report.html")).toStdString(), HasSubstr("<html"));
  window->exportReportTo(QStringLiteral("html"), QStringLiteral("/proc/none/report.html"));
  EXPECT_THAT(messageOf(*window), HasSubstr("/proc/none/report.html"));
}

TEST_F(MainWindowTest, NeverExportsOverTheSessionThatIsShown) {
  const QByteArray session = bytesOf(recording());
  const auto window = openWindow(write("run.json", session));
  window->exportReportTo(QStringLiteral("json"), pathOf("run.json"));
  EXPECT_THAT(messageOf(*window), HasSubstr("it is the session that is shown"));
  window->exportChartTo(pathOf("run.json"));
  EXPECT_EQ(bytesOf(pathOf("run.json")), session);
}

TEST_F(MainWindowTest, ShowsAProfileThatMeasuredLittle) {
  const auto window = openWindow(QStringLiteral("sparse.ridge"), always(sparseAnalysis()));
  EXPECT_EQ(window->findChild<QLabel*>(QStringLiteral("speedup")), nullptr);
  EXPECT_TRUE(find<QLabel>(*window, "belowChart").isVisible());
  for (std::size_t i = 0; i < window->workspace().analysis()->kernels.size(); ++i) {
    window->workspace().selection().select(i);
  }
}

TEST_F(MainWindowTest, NamesOfAnyLengthLeaveTheWindowItsSize) {
  Analysis analysis = *sampleAnalysis();
  const std::string tail(20000, 'x');
  for (VariantAnalysis& variant : analysis.variants) {
    variant.name += tail;
  }
  for (KernelAnalysis& kernel : analysis.kernels) {
    kernel.variant += tail;
    kernel.short_name += tail;
  }
  analysis.kernels[0].achieved_flop_per_s.reset();  // listed below the chart
  for (const bool variants : {true, false}) {
    if (!variants) {
      analysis.variants.clear();
    }
    const auto window = openWindow(QStringLiteral("long.ridge"),
                                   always(std::make_shared<const Analysis>(analysis)));
    EXPECT_EQ(window->size(), QSize(1440, 900));
    EXPECT_LE(window->minimumSizeHint().width(), 1100);
  }
  EXPECT_THAT(messageFor(pathOf(std::string(200, 'x').c_str())), HasSubstr("xxx"));
}

TEST_F(MainWindowTest, ANarrowWindowDropsTheLastCardsAndBringsThemBack) {
  const auto window = openWindow(recording());
  const QWidget& summary = find<QWidget>(*window, "summary");
  const auto shown = [&] {
    int count = 0;
    for (const QFrame* card :
         summary.findChildren<QFrame*>(QString(), Qt::FindDirectChildrenOnly)) {
      count += card->isVisible() ? 1 : 0;
    }
    return count;
  };
  const int all = shown();
  window->resize(1100, 700);
  QTest::qWait(50);
  EXPECT_EQ(window->width(), 1100);
  EXPECT_LT(shown(), all);
  EXPECT_TRUE(find<QLabel>(*window, "speedup").isVisible());
  window->resize(1440, 900);
  QTest::qWait(50);
  EXPECT_EQ(shown(), all);
}

TEST_F(MainWindowTest, SaysHowManyVariantsTheHeaderLeavesOutAndShowsThem) {
  const auto window =
      openWindow(QStringLiteral("x"), always(shipped(test_support::batched_recording)));
  const std::vector<VariantAnalysis>& variants = window->workspace().analysis()->variants;
  ASSERT_EQ(variants.size(), 3U);
  auto& link = find<QPushButton>(*window, "otherVariants");
  EXPECT_EQ(link.text(), QLatin1String("1 more variant"));
  EXPECT_THAT(link.toolTip().toStdString(),
              HasSubstr("Beside naive and the fastest, hopper: fused "));
  EXPECT_FALSE(find<QWidget>(*window, "variants").isVisible() &&
               !find<QWidget>(*window, "variants").visibleRegion().isEmpty());
  QTest::mouseClick(&link, Qt::LeftButton);
  EXPECT_TRUE(
      waitUntil([&] { return !find<QWidget>(*window, "variants").visibleRegion().isEmpty(); }));

  Analysis two = *window->workspace().analysis();
  two.variants.erase(two.variants.begin() + 1);
  const auto other = openWindow(QStringLiteral("x"), always(std::make_shared<const Analysis>(two)));
  EXPECT_EQ(other->findChild<QPushButton*>(QStringLiteral("otherVariants")), nullptr);
}

TEST_F(MainWindowTest, CountsTheNotesOnTheMeasurement) {
  Analysis analysis = *sampleAnalysis();
  analysis.issues = {{"clock_not_locked", "the clock was not locked"}};
  auto window = openWindow(QStringLiteral("x"), always(std::make_shared<const Analysis>(analysis)));
  EXPECT_EQ(find<QPushButton>(*window, "issues").text(),
            QLatin1String("1 note on the measurement"));
  analysis.issues.push_back({"dropped", "records were dropped"});
  window = openWindow(QStringLiteral("x"), always(std::make_shared<const Analysis>(analysis)));
  EXPECT_EQ(find<QPushButton>(*window, "issues").text(),
            QLatin1String("2 notes on the measurement"));
}

TEST_F(MainWindowTest, ShowsAnEmptyAnalysis) {
  const auto window =
      openWindow(QStringLiteral("empty.ridge"), always(std::make_shared<const Analysis>()));
  EXPECT_TRUE(find<QWidget>(*window, "workspace").isVisible());
  EXPECT_FALSE(window->grab().isNull());
}

TEST_F(MainWindowTest, FollowsAChangeOfTheme) {
  const auto window = openWindow(QStringLiteral("x"), always(sampleAnalysis()));
  const QImage light = window->grab().toImage();
  applyTheme(*qApp, ThemeChoice::dark);
  QTest::qWait(50);
  const QImage dark = window->grab().toImage();
  const QPoint chart = find<QWidget>(*window, "rooflineChart").mapTo(window.get(), QPoint(100, 30));
  EXPECT_GT(light.pixelColor(chart).lightness(), 200);
  EXPECT_LT(dark.pixelColor(chart).lightness(), 60);
  applyTheme(*qApp, ThemeChoice::light);
}

// The bytes of every kernel would be "not measured".
TEST_F(MainWindowTest, ASessionOfStallSamplesShowsWhatItHas) {
  MainWindow window({});
  window.resize(1440, 900);
  window.show();
  const auto inFront = [&](const char* id) {
    return !find<QWidget>(window, id).visibleRegion().isEmpty();
  };
  window.openFile(
      QString::fromStdString(test_support::recording_path(test_support::plain_recording)));
  ASSERT_TRUE(waitUntil([&] { return !window.loader().busy(); }));
  EXPECT_TRUE(waitUntil([&] { return inFront("traffic") && inFront("kernels"); }));
  window.openFile(
      QString::fromStdString(test_support::recording_path("profile-three-kernels-stalls")));
  ASSERT_TRUE(waitUntil([&] { return !window.loader().busy(); }));
  EXPECT_TRUE(waitUntil([&] { return inFront("stalls") && inFront("hot_spots"); }));
}

}  // namespace
}  // namespace ridgepoint::gui
