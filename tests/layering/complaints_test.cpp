// docs/complaints.md answers what users of GPU profilers complain about with the tests that hold
// each answer. A test that was renamed or removed must not go on holding one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path source_root = RIDGEPOINT_SOURCE_DIR;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The name that comes next, and the separator behind it; empty when there is no such pair.
std::string name_before(const std::string& text, std::size_t& at, const std::string& separators) {
  const auto skip_space = [&] { at = text.find_first_not_of(" \n", at); };
  skip_space();
  std::string name;
  while (at < text.size() && is_word(text[at])) {
    name += text[at++];
  }
  skip_space();
  if (at >= text.size() || separators.find(text[at]) == std::string::npos) {
    return {};
  }
  ++at;
  return name;
}

void add_tests(const std::string& text, std::set<std::string>& tests) {
  for (const std::string macro : {"TEST(", "TEST_F(", "TEST_P(", "RC_GTEST_PROP("}) {
    for (std::size_t at = text.find(macro); at != std::string::npos; at = text.find(macro, at)) {
      const bool whole = at == 0 || text[at - 1] == '\n';
      at += macro.size();
      const std::string suite = whole ? name_before(text, at, ",") : "";
      const std::string name = suite.empty() ? "" : name_before(text, at, "),");
      if (!name.empty()) {
        tests.insert(suite + "." + name);
      }
    }
  }
}

std::set<std::string> tests_in_the_sources() {
  std::set<std::string> tests;
  for (const auto& entry : fs::recursive_directory_iterator(source_root / "tests")) {
    if (entry.path().extension() == ".cpp") {
      add_tests(text_of(entry.path()), tests);
    }
  }
  return tests;
}

struct Row {
  std::string number;
  std::string answer;  // what follows the complaint: what is done, and the tests
  std::vector<std::string> tests;
};

// | number | complaint | answer | tests |
std::vector<Row> rows_of(const std::string& page) {
  static const std::regex row(R"(^\| (\w+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$)");
  static const std::regex test(R"(`([A-Z]\w*\.[A-Z]\w*)`)");
  std::vector<Row> rows;
  std::size_t from = 0;
  while (from < page.size()) {
    const std::size_t end = std::min(page.find('\n', from), page.size());
    const std::string line = page.substr(from, end - from);
    from = end + 1;
    std::smatch match;
    if (!std::regex_match(line, match, row) || match[1] == "no") {
      continue;
    }
    const std::string cell = match[3];
    Row found{match[1], match[2], {}};
    for (std::sregex_iterator it(cell.begin(), cell.end(), test), last; it != last; ++it) {
      found.tests.push_back((*it)[1]);
    }
    rows.push_back(found);
  }
  return rows;
}

TEST(Complaints, AreAnsweredByTestsThatExist) {
  const std::set<std::string> tests = tests_in_the_sources();
  ASSERT_EQ(tests.count("Complaints.AreAnsweredByTestsThatExist"), 1U) << "tests are not found";
  for (const Row& row : rows_of(text_of(source_root / "docs/complaints.md"))) {
    for (const std::string& test : row.tests) {
      EXPECT_EQ(tests.count(test), 1U) << row.number << ": no test is called " << test;
    }
  }
}

TEST(Complaints, HaveATestOrAReasonWhyTheyDoNotApply) {
  const std::vector<Row> rows = rows_of(text_of(source_root / "docs/complaints.md"));
  std::set<std::string> numbers;
  for (const Row& row : rows) {
    EXPECT_TRUE(numbers.insert(row.number).second) << row.number << " stands there twice";
    const bool excused =
        row.answer.rfind("Does not apply: ", 0) == 0 || row.answer.rfind("Open: ", 0) == 0;
    EXPECT_NE(row.tests.empty(), !excused) << row.number;
  }
  // Nobody's complaint gets lost from the table: they are numbered without a gap.
  for (std::size_t number = 1; number <= rows.size(); ++number) {
    EXPECT_EQ(numbers.count(std::to_string(number)), 1U) << number;
  }
  EXPECT_GE(rows.size(), 53U);
}

TEST(Complaints, ARowAndTheTestsOfASourceAreReadAsTheyAreWritten) {
  const std::vector<Row> rows = rows_of(
      "| no | complaint | answer | tests |\n|---|---|---|---|\n"
      "| 7 | it `breaks` | mended | `One.Holds`, `Two.HoldsToo` (GPU) |\n"
      "| 8 | far | Does not apply: not here | none |\n");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].number, "7");
  EXPECT_EQ(rows[0].tests, (std::vector<std::string>{"One.Holds", "Two.HoldsToo"}));
  EXPECT_TRUE(rows[1].tests.empty());
  std::set<std::string> tests;
  add_tests("TEST(A, B) {\n// TEST(A, Old)\nTEST_F(Long,\n       Name) {\nRC_GTEST_PROP(P, Q, ()",
            tests);
  EXPECT_EQ(tests, (std::set<std::string>{"A.B", "Long.Name", "P.Q"}));
}

}  // namespace
