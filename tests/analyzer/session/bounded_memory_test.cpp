// Inputs that unpack, nest or multiply into more than a machine has: a clear error within 2 GiB of
// address space, where the plain reading of each would take many times that.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "analyzer/core/zstd.h"
#include "analyzer/session/session_file.h"
#include "tests/support/limited_memory.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

constexpr std::uint64_t allowed_bytes = std::uint64_t{2} << 30U;
constexpr const char* head = R"({"schema":"ridgepoint-session","version":"1.0",)";

class BoundedMemory : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::memory_can_be_limited) {
      GTEST_SKIP() << "AddressSanitizer needs terabytes of address space";
    }
  }
  static std::string why(const std::string& bytes) {
    return test::in_limited_memory(allowed_bytes, [&] {
      const Result<Session> read = parse_session(bytes, "f");
      return read ? "it opened" : read.error().why;
    });
  }
  // `begin`, then `piece` until that makes `mebibytes`, as zstd frames one behind the other: the
  // file itself stays small.
  static std::string packed(const std::string& begin, const std::string& piece,
                            std::size_t mebibytes) {
    std::string chunk;
    while (chunk.size() < (std::size_t{1} << 20U)) {
      chunk += piece;
    }
    const std::string frame = zstd_compress(chunk);
    std::string file = zstd_compress(begin);
    for (std::size_t i = 0; i < mebibytes; ++i) {
      file += frame;
    }
    return file;
  }
};

TEST_F(BoundedMemory, AZipBombStopsAtTheLimitOfUnpackedBytes) {
  const std::string bomb = packed(head, " ", 4096);
  EXPECT_LT(bomb.size(), std::size_t{1} << 20U) << "4 GiB of blanks in less than one MiB";
  EXPECT_EQ(why(bomb), "it unpacks to more than the limit of 536870912 bytes");
}

TEST_F(BoundedMemory, AFrameThatClaimsTheWorldIsNotBelieved) {
  // A frame header without data: 2^60 bytes of content in one segment, RFC 8878, section 3.1.1.
  const std::string claim("\x28\xB5\x2F\xFD\xE0\x00\x00\x00\x00\x00\x00\x00\x10", 13);
  EXPECT_EQ(why(claim), "it unpacks to more than the limit of 536870912 bytes");
}

TEST_F(BoundedMemory, HasALimitOfNumbers) {
  EXPECT_EQ(why(packed(std::string(head) + R"("launches":{"kernel":[0)", ",0", 136)),
            "it holds more than 67108864 numbers");
}

TEST_F(BoundedMemory, HasALimitOfRows) {
  EXPECT_EQ(why(std::string(head) + R"("launches":{"kernel":[0)" +
                [] {
                  std::string rows;
                  for (std::size_t i = 0; i < session_row_limit; ++i) {
                    rows += ",0";
                  }
                  return rows;
                }() +
                "]}}"),
            "launches has 4194305 rows, more than the limit of 4194304");
}

TEST_F(BoundedMemory, HasALimitOfValuesThatAreNotNumbers) {
  for (const char* piece : {"[],", "{},", "null,\"\",", "[1],"}) {
    EXPECT_EQ(why(packed(std::string(head) + R"("kernels":[)", piece, 48)),
              "it holds more than 8388608 values beside its columns of numbers")
        << piece;
  }
}

TEST_F(BoundedMemory, HasALimitOfText) {
  const std::string text = packed(std::string(head) + "\"x\":\"", "a", 136);
  EXPECT_EQ(why(text), "it holds more than 134217728 bytes beside its columns of numbers");
}

TEST_F(BoundedMemory, HasALimitOfEntriesInAList) {
  std::string kernels = "{}";
  for (std::size_t i = 0; i < session_list_limit; ++i) {
    kernels += ",{}";
  }
  EXPECT_EQ(why(std::string(head) + "\"devices\":[" + kernels + "]}"),
            "devices has 1048577 entries, more than the limit of 1048576");
}

TEST_F(BoundedMemory, NestingIsRefusedBeforeItIsFollowed) {
  EXPECT_EQ(why(packed(std::string(head) + "\"x\":", "[", 16)),
            "its JSON is nested more than 32 levels deep");
  EXPECT_EQ(why(packed(std::string(head) + "\"x\":", "{\"a\":", 16)),
            "its JSON is nested more than 32 levels deep");
}

TEST_F(BoundedMemory, AJournalCannotMultiplyCountersByLaunches) {
  // A part with many rows, then parts that each bring counters of their own for all of them.
  std::string rows = "0";
  for (int i = 1; i < 1000000; ++i) {
    rows += ",0";
  }
  const std::string part = R"({"schema":"ridgepoint-journal","version":"1.0",)";
  std::string journal = part + R"("launches":{"kernel":[)" + rows + "]}}\n";
  for (int i = 0; i < 2000; ++i) {
    journal += part + R"("counters":{"names":["c)" + std::to_string(i) + "\"],\"columns\":[[]]}}\n";
  }
  EXPECT_EQ(why(journal), "its parts together hold more than 67108864 counter values");
}

TEST_F(BoundedMemory, AFileOfTwoGigabytesIsNotRead) {
  const test::TempDir folder;
  const auto path = folder / "huge.ridge";
  std::ofstream(path) << "{";
  std::filesystem::resize_file(path, std::uint64_t{2} << 30U);  // sparse: no disk space is taken
  EXPECT_EQ(test::in_limited_memory(allowed_bytes,
                                    [&] {
                                      const auto read = read_session(path);
                                      return read ? "it opened" : read.error().why;
                                    }),
            "it holds 2147483648 bytes, more than the limit of 536870912");
}

}  // namespace
}  // namespace ridgepoint
