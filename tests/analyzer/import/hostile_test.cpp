// Files that are damaged or made to harm: an error or a session, never a crash, a hang or the
// machine's memory.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "analyzer/import/read_any.h"
#include "analyzer/import/recording.h"
#include "analyzer/import/tables.h"
#include "analyzer/session/check.h"
#include "tests/analyzer/import/samples.h"
#include "tests/support/limited_memory.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

using test::sample;

class HostileImport : public testing::Test {
 protected:
  // True when it opened; a session that opens must be consistent.
  bool opens(const std::string& bytes) {
    const Result<Session> session = import_session(bytes, "f.csv", *tables_);
    EXPECT_TRUE(!session || session_fault(*session).empty());
    EXPECT_TRUE(session || session.error().domain == ErrorDomain::input) << session.error().why;
    return session.has_value();
  }
  const Result<importing::Tables> tables_ = importing::load_tables();
};

TEST_F(HostileImport, EveryTruncationIsHandled) {
  const std::string raw = sample("three-kernels-cache-none.raw.csv");
  for (std::size_t length = 0; length < raw.size(); length += 997) {
    opens(raw.substr(0, length));
  }
  const std::string details = sample("three-kernels-cache-none.details.csv");
  for (std::size_t length = 0; length < details.size(); length += 397) {
    opens(details.substr(0, length));
  }
}

TEST_F(HostileImport, SurvivesAnyFlippedBytes) {
  const std::string details = sample("three-kernels-cache-none.details.csv").substr(0, 20000);
  std::mt19937 random(20261129);
  for (int round = 0; round < 500; ++round) {
    std::string bytes = details;
    for (int flips = 0; flips < 8; ++flips) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    opens(bytes);
  }
}

TEST_F(HostileImport, RefusesATableThatWouldFillTheMemory) {
  // Every launch brings a counter of its own: the table grows with the square of the file.
  std::string text = "ID,Kernel Name,Section Name,Metric Name,Metric Unit,Metric Value\n";
  for (int i = 0; i < 20000; ++i) {
    const std::string number = std::to_string(i);
    text += number + ",k,s,a__" + number + ",,1\n";
  }
  const Result<Session> session = import_session(text, "f.csv", *tables_);
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().why,
            "it holds more than 16777216 values, 1048576 launches or 65536 counters");
}

TEST_F(HostileImport, RefusesManyCountersForManyLaunchesThatLackThem) {
  std::string header = "Kernel Name";
  std::string values = "k";
  for (int i = 0; i < 60000; ++i) {
    header += ",a__" + std::to_string(i);
    values += ",1";
  }
  std::string text = header + "\n" + values + "\n";
  for (int i = 0; i < 1000; ++i) {
    text += "k\n";
  }
  EXPECT_FALSE(opens(text));
}

TEST_F(HostileImport, RefusesEndlessCounters) {
  std::string text = "ID,Kernel Name,Section Name,Metric Name,Metric Unit,Metric Value\n";
  for (std::size_t i = 0; i < importing::counters_limit + 2; ++i) {
    text += "0,k,s,a__" + std::to_string(i) + ",,1\n";
  }
  EXPECT_FALSE(opens(text));
}

TEST_F(HostileImport, TakesNumbersAtTheirLimits) {
  EXPECT_TRUE(
      opens("ID,Kernel Name,Block Size,Grid Size,Stream,Device,CC,launch__registers_per_thread,"
            "launch__grid_dim_x,device__attribute_total_memory,device__attribute_chip\n"
            "0,k,\"(99999999999, -1, "
            "0)\",\"((((\",1e99,-5,9999999999.99999999999,1e300,1e18,1e300,1e300\n"
            "1,k,,,,,,-1,-7,-1,nan\n"));
}

TEST_F(HostileImport, TakesManyDevicesAsFew) {
  std::string text = "ID,Kernel Name,Device,CC,gpu__time_duration.sum\n";
  for (int i = 0; i < 3000; ++i) {
    text += "0,k," + std::to_string(i) + ",9.0,1\n";
  }
  const Result<Session> session = import_session(text, "f.csv", *tables_);
  ASSERT_TRUE(session);
  EXPECT_EQ(session->devices.size(), importing::devices_limit);
}

TEST_F(HostileImport, LargeFilesOfNothingButSyntaxStayWithinMemory) {
  if (!test::memory_can_be_limited) {
    GTEST_SKIP() << "AddressSanitizer needs terabytes of address space";
  }
  const std::string header = "ID,Kernel Name,Section Name,Metric Name,Metric Unit,Metric Value\n";
  for (const char* piece :
       {",", "\"\"\"\"", "\n", "\"", "0,k,s,a__b,,1\n", "1e999,", "nan,inf\n"}) {
    std::string text = header;
    while (text.size() < (std::size_t{16} << 20U)) {
      text += piece;
    }
    const std::string ended = test::in_limited_memory(std::uint64_t{1} << 30U, [&] {
      const auto session = import_session(text, "f.csv", *tables_);
      return std::string(session ? "it opened" : "an error");
    });
    EXPECT_EQ(ended, piece[0] == '0' ? "it opened" : "an error") << piece;
  }
}

TEST_F(HostileImport, AFileOfTwoGigabytesIsNotRead) {
  const test::TempDir folder;
  const auto path = folder / "huge.csv";
  std::ofstream(path) << "ID,Kernel Name";
  std::filesystem::resize_file(path, std::uint64_t{2} << 30U);  // sparse: no disk space is taken
  const auto session = read_any(path);
  ASSERT_FALSE(session);
  EXPECT_NE(session.error().why.find("more than the limit"), std::string::npos);
}

}  // namespace
}  // namespace ridgepoint
