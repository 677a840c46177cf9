#include "collector/profile/plan_proof.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgepoint::collector {
namespace {

using ::testing::HasSubstr;

class PlanProof : public ::testing::Test {
 protected:
  PlanProof() {
    PassPlan plan;
    plan.chip = "GH100";
    plan.counters = {"a", "b"};
    plan.too_wide = {"wide"};
    plan.passes = 8;
    plans = {plan};
    session.devices.resize(2);
    session.devices[0].chip = session.devices[1].chip = "GH100";
    session.policy.passes = 8;
    session.counters.names = {"a", "b"};
  }
  std::string difference() { return what_differs(plans, session).value_or("none"); }

  std::vector<PassPlan> plans;
  Session session;
};

TEST_F(PlanProof, AgreesWithARunThatDidWhatItSays) {
  EXPECT_EQ(difference(), "none");
}

TEST_F(PlanProof, SaysWhatTheRunDidOtherwise) {
  session.policy.passes = 9;
  EXPECT_THAT(difference(), HasSubstr("GH100 counts in 9 passes, the plan said 8"));
  session.policy.passes = 8;
  session.counters.names.emplace_back("wide");
  EXPECT_THAT(difference(), HasSubstr("wide was counted"));
  session.counters.names.pop_back();
  session.issues.push_back({"counters.refused", "This CUPTI does not have a"});
  EXPECT_THAT(difference(), HasSubstr("refused"));
  session.devices[0].chip = session.devices[1].chip = "GA100";
  EXPECT_THAT(difference(), HasSubstr("counted on GA100"));
}

TEST_F(PlanProof, SaysNothingOfWhatCannotBeTold) {
  session.policy.passes = 0;
  EXPECT_EQ(difference(), "none") << "nothing was counted";
  session.policy.passes = 9;
  session.devices[1].chip = "GA100";
  EXPECT_EQ(difference(), "none") << "passes of which chip?";
  session.devices[0].chip = session.devices[1].chip = "";
  EXPECT_EQ(difference(), "none");
}

}  // namespace
}  // namespace ridgepoint::collector
