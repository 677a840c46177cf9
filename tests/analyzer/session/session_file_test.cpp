#include "analyzer/session/session_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "analyzer/core/file.h"
#include "tests/analyzer/session/full_session.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

TEST(SessionFile, BringsBackEveryField) {
  const Session written = test::full_session();
  const Result<Session> read = parse_session(session_to_json(written), "memory");
  ASSERT_TRUE(read) << format_error(read.error());
  // The text holds every field; equal texts mean that nothing was lost or changed.
  EXPECT_EQ(session_to_json(*read), session_to_json(written));
  EXPECT_EQ(read->launches[0].end_ns, 1764417600000123456);
  EXPECT_EQ(read->pc_samples[0].pc_offset, 0x1f0U);
  EXPECT_EQ(read->kernels[0].registers_per_thread, 168);
  EXPECT_EQ(read->kernels[1].registers_per_thread, std::nullopt);
}

TEST(SessionFile, KeepsNotMeasuredApartFromZero) {
  const Session read = parse_session(session_to_json(test::full_session()), "memory").value();
  const std::vector<double>* column = read.counters.find("dram__bytes_read.sum");
  ASSERT_NE(column, nullptr);
  EXPECT_EQ((*column)[0], 1.5e9);
  EXPECT_TRUE(std::isnan((*column)[1]));
  EXPECT_EQ(read.power[0].sm_clock_hz, std::nullopt);
  EXPECT_EQ(read.counters.find("lts__t_bytes.sum"), nullptr);
}

TEST(SessionFile, IsCompressedByNameAndRecognisedByContent) {
  const test::TempDir folder;
  const Session session = test::full_session();
  ASSERT_TRUE(write_session(session, folder / "a.ridge"));
  ASSERT_TRUE(write_session(session, folder / "a.json"));
  EXPECT_EQ(read_file(folder / "a.ridge", 1 << 20).value().substr(0, 4), "\x28\xB5\x2F\xFD");
  EXPECT_EQ(read_file(folder / "a.json", 1 << 20).value()[0], '{');
  std::filesystem::rename(folder / "a.ridge", folder / "renamed.json");
  EXPECT_EQ(session_to_json(read_session(folder / "renamed.json").value()),
            session_to_json(session));
}

TEST(SessionFile, OpensJsonThatAnEditorGaveAByteOrderMark) {
  const std::string marked = "\xEF\xBB\xBF" + session_to_json(test::full_session());
  EXPECT_TRUE(is_session_content(marked));
  EXPECT_TRUE(parse_session(marked, "marked.json"));
}

TEST(SessionFile, IgnoresFieldsOfANewerMinorVersion) {
  const Result<Session> read = parse_session(
      R"({"schema":"ridgepoint-session","version":"1.7","hologram":{"x":[1]},"producer":{"version":"9","mood":"good"}})",
      "new.json");
  ASSERT_TRUE(read) << format_error(read.error());
  EXPECT_EQ(read->producer.version, "9");
}

TEST(SessionFile, RefusesAnotherMajorVersion) {
  const Result<Session> read =
      parse_session(R"({"schema":"ridgepoint-session","version":"2.0"})", "new.json");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().what, "opening new.json");
  EXPECT_NE(read.error().why.find("version 2.0"), std::string::npos);
}

TEST(SessionFile, KeepsKernelNamesThatAreNotUtf8) {
  Session session = test::full_session();
  session.kernels[0].name = "bad\xff";
  const Result<Session> read = parse_session(session_to_json(session), "memory");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kernels[0].name, "bad\xEF\xBF\xBD") << "the replacement character";
}

}  // namespace
}  // namespace ridgepoint
