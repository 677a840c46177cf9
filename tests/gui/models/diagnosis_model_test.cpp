#include "gui/models/diagnosis_model.h"

#include <QAbstractItemModelTester>

#include "tests/gui/support/gui_test.h"
#include "tests/support/sample_analysis.h"

namespace ridgepoint::gui {
namespace {

class DiagnosisModelTest : public GuiTest {
 protected:
  DiagnosisModelTest() { model_.setAnalysis(test_support::sample_analysis()); }
  std::vector<std::string> ids() const {
    std::vector<std::string> all;
    for (int row = 0; row < model_.rowCount(); ++row) {
      all.push_back(model_.at(row)->id);
    }
    return all;
  }
  DiagnosisModel model_;
};

TEST_F(DiagnosisModelTest, KeepsTheRulesOfQtModels) {
  const QAbstractItemModelTester tester(&model_,
                                        QAbstractItemModelTester::FailureReportingMode::Warning);
  model_.putFirst(3);
  model_.putFirst(std::nullopt);
  model_.setAnalysis(test_support::sparse_analysis());
  EXPECT_EQ(model_.at(model_.rowCount()), nullptr);
  EXPECT_EQ(model_.at(-1), nullptr);
}

// A bare percentage beside another kernel's would be of another time.
TEST_F(DiagnosisModelTest, EveryGainSaysOfWhichTimeItIs) {
  for (int row = 0; row < model_.rowCount(); ++row) {
    const QString gain = model_.index(row).data(DiagnosisModel::gain_role).toString();
    EXPECT_TRUE(gain.isEmpty() || gain.endsWith(QLatin1String(" of the run")) ||
                gain.endsWith(QLatin1String(" of the variant")))
        << gain.toStdString();
  }
}

TEST_F(DiagnosisModelTest, LargestGainOfTheRunComesFirst) {
  EXPECT_EQ(ids().front(), "materialised_intermediates");
}

TEST_F(DiagnosisModelTest, DiagnosesOfAChosenKernelMoveToTheTopInTheirOrder) {
  model_.putFirst(3);
  EXPECT_EQ(ids(), (std::vector<std::string>{"mma_wgmma_serialised", "wave_quantisation",
                                             "materialised_intermediates", "tensor_not_fed",
                                             "hbm_bandwidth_bound", "occupancy_limited"}));
  model_.putFirst(std::nullopt);
  EXPECT_EQ(ids().front(), "materialised_intermediates");
}

TEST_F(DiagnosisModelTest, AScreenReaderHearsSeverityTitleSubjectAndGain) {
  const QString spoken = model_.index(0).data(Qt::AccessibleTextRole).toString();
  EXPECT_TRUE(spoken.startsWith(QLatin1String("critical: ")));
  EXPECT_TRUE(spoken.contains(QLatin1String("79.0 %")));
}

}  // namespace
}  // namespace ridgepoint::gui
