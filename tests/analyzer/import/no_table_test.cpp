// Files without a launch: the reason that stands in them, and what to do.
#include <gtest/gtest.h>

#include "tests/analyzer/import/samples.h"

namespace ridgepoint {
namespace {

using namespace std::string_literals;

Error error_of(const std::string& text, const std::string& name = "run.csv") {
  const Result<Session> session = import_session(text, name);
  EXPECT_FALSE(session) << text.substr(0, 100);
  return session ? Error() : session.error();
}

TEST(NoTable, NamesTheRefusedCounters) {
  const Error error = error_of(
      "==PROF== Connected to process 42 (/bin/app)\n==ERROR== ERR_NVGPUCTRPERM - The user does not "
      "have permission to access NVIDIA GPU Performance Counters on the target device 0.\n"
      "==PROF== Disconnected from process 42\n==WARNING== No kernels were profiled.\n");
  EXPECT_EQ(error.domain, ErrorDomain::input);
  EXPECT_EQ(error.what, "importing run.csv");
  EXPECT_EQ(error.why,
            "no kernels here: the profiler was refused the hardware counters (ERR_NVGPUCTRPERM)");
  EXPECT_NE(error.hint.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos);
}

TEST(NoTable, NamesTheFilterThatMatchedNothing) {
  const Error error =
      error_of("==PROF== Connected to process 1 (a)\n==WARNING== No kernels were profiled.\n");
  EXPECT_EQ(error.why, "no kernels here: the profiler says that no kernels were profiled");
  EXPECT_NE(error.hint.find("--kernel-name"), std::string::npos);
}

TEST(NoTable, QuotesAnErrorItDoesNotKnow) {
  EXPECT_EQ(error_of("==PROF== x\n==ERROR== The flux\x1b[31m is inverted.\n==PROF== y\n").why,
            "no kernels here: the profiler says \"==ERROR== The flux?[31m is inverted.\"");
}

TEST(NoTable, SaysWhenOnlyTheHeaderIsThere) {
  EXPECT_EQ(error_of("\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\"\n\"\",\"\",\"us\"\n").why,
            "no kernels here: it has a header but no row of a kernel");
}

TEST(NoTable, SaysWhatAForeignFileBeginsWith) {
  EXPECT_EQ(error_of("").why, "it is empty");
  EXPECT_EQ(error_of("<html>hello</html>").why,
            "it is neither a Ridgepoint session nor an Nsight Compute CSV (it begins with "
            "\"<html>hello</html>\")");
}

TEST(NoTable, GivesTheCommandThatExportsAReport) {
  for (const auto& [bytes, name] :
       {std::pair("NVR\0abc"s, "x.bin"s), std::pair("?"s, "a b.ncu-rep"s)}) {
    const Error error = error_of(bytes, name);
    EXPECT_EQ(error.why, "it is an Nsight Compute report, which only NVIDIA's tools read");
    EXPECT_EQ(error.hint, "export it with: ncu --import " + name +
                              " --page raw --csv --print-units base > " + name +
                              ".csv, and open that");
  }
}

TEST(NoTable, SaysHowAPackedFileIsUnpacked) {
  const Error gzip = error_of("\x1f\x8b\x08"s, "run.csv.gz");
  EXPECT_EQ(gzip.why, "it is packed with gzip");
  EXPECT_EQ(gzip.hint, "unpack it first, with gunzip");
  EXPECT_EQ(error_of("PK\x03\x04"s, "artifact.zip").why, "it is a zip archive");
}

TEST(NoTable, SaysThatATimelineHasNoCounters) {
  for (const auto& [bytes, name] :
       {std::pair("SQLite format 3\0..."s, "x"s), std::pair("?"s, "a.sqlite"s),
        std::pair("?"s, "a.nsys-rep"s), std::pair("?"s, "A.QDREP"s)}) {
    const Error error = error_of(bytes, name);
    EXPECT_EQ(error.why,
              "it is an Nsight Systems recording: a time line without hardware counters");
    EXPECT_NE(error.hint.find("ncu --set full"), std::string::npos);
  }
}

}  // namespace
}  // namespace ridgepoint
