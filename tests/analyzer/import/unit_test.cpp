#include "analyzer/import/unit.h"

#include <gtest/gtest.h>

namespace ridgepoint::importing {
namespace {

double factor(std::string_view unit) {
  EXPECT_TRUE(unit_scale(unit).known) << unit;
  return unit_scale(unit).factor;
}

TEST(Unit, BytesTakeDecimalPrefixes) {
  EXPECT_EQ(factor("byte"), 1);
  EXPECT_EQ(factor("Kbyte"), 1e3) << "32.768 Kbyte is the 32,768 bytes of shared memory";
  EXPECT_EQ(factor("Mbyte"), 1e6);
  EXPECT_EQ(factor("Gbyte"), 1e9);
  EXPECT_EQ(factor("Tbyte"), 1e12);
  EXPECT_EQ(factor("Kibyte"), 1024);
}

TEST(Unit, TimesBecomeNanosecondsInEverySpelling) {
  for (const char* unit : {"ns", "nsecond", "nsec"}) {
    EXPECT_DOUBLE_EQ(factor(unit), 1) << unit;
  }
  for (const char* unit : {"us", "usecond"}) {
    EXPECT_DOUBLE_EQ(factor(unit), 1e3) << unit;
  }
  for (const char* unit : {"ms", "msecond"}) {
    EXPECT_DOUBLE_EQ(factor(unit), 1e6) << unit;
  }
  for (const char* unit : {"s", "second"}) {
    EXPECT_DOUBLE_EQ(factor(unit), 1e9) << unit;
  }
}

TEST(Unit, RatesAreBySecond) {
  EXPECT_EQ(factor("byte/s"), 1);
  EXPECT_EQ(factor("Gbyte/s"), 1e9);
  EXPECT_EQ(factor("Tbyte/second"), 1e12);
  EXPECT_DOUBLE_EQ(factor("sector/ns"), 1e9);
  EXPECT_DOUBLE_EQ(factor("sector/ms"), 1e3);
  EXPECT_DOUBLE_EQ(factor("cycle/nsecond"), 1e9);
  EXPECT_DOUBLE_EQ(factor("cycle/usecond"), 1e6);
}

TEST(Unit, FrequenciesAreInHertz) {
  EXPECT_EQ(factor("hz"), 1);
  EXPECT_EQ(factor("Hz"), 1);
  EXPECT_EQ(factor("Mhz"), 1e6);
  EXPECT_EQ(factor("Ghz"), 1e9);
}

TEST(Unit, CountsAndSharesStayAsTheyAre) {
  for (const char* unit :
       {"", "%", "inst", "inst/cycle", "cycle", "warp", "thread", "block", "byte/sector",
        "register/thread", "branches", "sectors", "SM", "pass", "request", "cluster"}) {
    EXPECT_EQ(factor(unit), 1) << unit;
  }
  EXPECT_EQ(factor("Kbyte/block"), 1e3);
  EXPECT_EQ(factor("Kbyte/cycle"), 1e3);
  EXPECT_EQ(factor("Ginst"), 1e9);
}

TEST(Unit, SaysWhatItDoesNotKnow) {
  for (const char* unit : {"furlong", "byte/fortnight", "Qbyte", "furlong/s"}) {
    EXPECT_FALSE(unit_scale(unit).known) << unit;
    EXPECT_EQ(unit_scale(unit).factor, 1) << unit;
  }
}

}  // namespace
}  // namespace ridgepoint::importing
