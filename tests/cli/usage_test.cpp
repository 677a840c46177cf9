// What a newcomer types first: help, version, typing errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "reports/text/text_layout.h"
#include "tests/support/program.h"
#include "tests/support/recordings.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

using test::run_program;

TEST(Usage, HelpNamesCommandsExamplesAndExitCodes) {
  const auto result = run_program({"ridgepoint", "--help"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* word : {"attention", "profile", "doctor", "demo", "report", "view", "metrics",
                           "Examples:", "Exit codes:"}) {
    EXPECT_NE(result.out.find(word), std::string::npos) << word;
  }
  EXPECT_EQ(result.err, "");
}

TEST(Usage, EveryCommandHasHelpWithAnExample) {
  for (const char* command :
       {"attention", "profile", "merge", "doctor", "demo", "import", "report", "view", "metrics"}) {
    const auto result = run_program({"ridgepoint", command, "--help"});
    EXPECT_EQ(result.exit_code, 0) << command;
    EXPECT_NE(result.out.find("Example"), std::string::npos) << command;
    EXPECT_NE(result.out.find(std::string("ridgepoint ") + command), std::string::npos) << command;
  }
}

TEST(Usage, AFormatIsNamedByItsNameOrByTheEndingOfItsFiles) {
  const std::string run = test_support::recording_path(test_support::wide_recording);
  const test::TempDir folder;
  const std::string budget = (folder / "budget.json").string();
  ASSERT_EQ(run_program({"ridgepoint", "check", run, "--init", "-o", budget}).exit_code, 0);
  const std::vector<std::vector<std::string>> commands = {
      {"report", run}, {"compare", run, run}, {"check", run, "--budget", budget}};
  for (const std::vector<std::string>& command : commands) {
    const auto printed = [&](const std::string& format) {
      std::vector<std::string> line = {"ridgepoint"};
      line.insert(line.end(), command.begin(), command.end());
      line.insert(line.end(), {"--format", format});
      const auto result = run_program(line);
      EXPECT_EQ(result.exit_code, 0) << command[0] << ' ' << format << ' ' << result.err;
      return result.out;
    };
    EXPECT_EQ(printed("md"), printed("markdown"));
    EXPECT_EQ(printed("txt"), printed("text"));
    EXPECT_EQ(printed("MD"), printed("markdown"));
    EXPECT_NE(printed("md"), printed("txt"));
  }
  const auto predicted = run_program({"ridgepoint", "predict", "--gpu", "H100", "--seqlen", "1024",
                                      "--head-dim", "64", "-f", "md"});
  EXPECT_NE(predicted.out.find("\n## "), std::string::npos) << predicted.err;
  EXPECT_EQ(run_program({"ridgepoint", "report", run, "-f", "prom"}).out,
            run_program({"ridgepoint", "report", run, "-f", "openmetrics"}).out);
  const auto wrong = run_program({"ridgepoint", "report", run, "-f", "doc"});
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_NE(wrong.err.find("\"doc\" is none of text, markdown, html"), std::string::npos)
      << wrong.err;
}

// CLI11 reads --causal=false as no, and --all-diagnoses=3 as three times yes.
TEST(Usage, FlagsTakeNoValueInAnyCommand) {
  const std::vector<std::vector<std::string>> lines = {
      {"--version=3"},
      {"report", "--help=no"},
      {"report", "--all-diagnoses=3", "x.ridge"},
      {"report", "x.ridge", "--force="},
      {"check", "x.ridge", "--init=false"},
      {"check", "x.ridge", "--annotate=1"},
      {"compare", "a.ridge", "b.ridge", "--all=false"},
      {"import", "x.csv", "--force=1"},
      {"merge", "-o", "x", "--force=1", "a", "b"},
      {"predict", "--gpu", "H100", "--causal=true"},
      {"demo", "--force=1"},
      {"doctor", "--json=1"}};
  for (std::vector<std::string> line : lines) {
    line.insert(line.begin(), "ridgepoint");
    const auto result = run_program(line);
    EXPECT_EQ(result.exit_code, 3) << line[1] << ' ' << line[2];
    EXPECT_NE(result.err.find("takes no value"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("hint: leave out ="), std::string::npos) << result.err;
  }
}

// "-" is standard output or input where there is one to use, and never a file of that name.
TEST(Usage, ADashIsNeverAFile) {
  const std::string session =
      std::string(RIDGEPOINT_SOURCE_DIR) + "/data/recordings/attention-n16384-d64.ridge";
  const std::vector<std::vector<std::string>> lines = {
      {"check", session, "--budget", "-"},
      {"check", session, "--budget", "b.json", "--junit", "-"},
      {"check", session, "--budget", "b.json", "--summary", "-"},
      {"check", "-", "--budget", "b.json", "--baseline", "-"},
      {"demo", "--report", "-"},
      {"predict", "--gpu", "-"},
      {"import", session, "-o", "-"},
      {"merge", "-o", "-", session}};
  for (std::vector<std::string> line : lines) {
    line.insert(line.begin(), "ridgepoint");
    const auto result = run_program(line);
    EXPECT_EQ(result.exit_code, 3) << line[1] << ": " << result.err;
    EXPECT_NE(result.err.find("hint: "), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists("-")) << line[1];
  }
}

// What the page promises must be there to use.
TEST(Usage, EveryOptionOfTheManualPageExists) {
  std::ifstream in(std::string(RIDGEPOINT_SOURCE_DIR) + "/docs/man/ridgepoint.1");
  std::string page((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  page.erase(std::remove(page.begin(), page.end(), '\\'), page.end());
  std::string help;
  for (const char* command :
       {"attention", "profile", "merge", "ceilings", "doctor", "demo", "report", "import",
        "compare", "check", "predict", "metrics", "view"}) {
    help += run_program({"ridgepoint", command, "--help"}).out;
    EXPECT_NE(page.find(command), std::string::npos) << command;
  }
  const std::regex option("--[a-z][a-z-]+");
  int found = 0;
  for (std::sregex_iterator at(page.begin(), page.end(), option), end; at != end; ++at, ++found) {
    EXPECT_NE(help.find(at->str()), std::string::npos) << at->str();
  }
  EXPECT_GT(found, 20);
}

TEST(Usage, HelpIsACommandToo) {
  EXPECT_EQ(run_program({"ridgepoint", "help"}).out, run_program({"ridgepoint", "--help"}).out);
  EXPECT_EQ(run_program({"ridgepoint", "help", "report"}).out,
            run_program({"ridgepoint", "report", "--help"}).out);
  EXPECT_EQ(run_program({"ridgepoint", "help", "frobnicate"}).exit_code, 3);
}

TEST(Usage, HelpFitsEightyColumnsAndNamesValuesAsTheyAreTyped) {
  for (const char* command :
       {"attention", "profile", "merge", "ceilings", "doctor", "demo", "report", "import",
        "compare", "check", "predict", "metrics", "view"}) {
    const std::string help = run_program({"ridgepoint", command, "--help"}).out;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(display_width(line), 80U) << command << ": " << line;
    }
    for (const char* raw :
         {"ENUM", "TEXT:", "INT:", "FLOAT:", "->", "Excludes:", "REQUIRED", "(2x)"}) {
      EXPECT_EQ(help.find(raw), std::string::npos) << command << " has " << raw;
    }
  }
}

TEST(Usage, HelpTellsChoicesLimitsAndDefaults) {
  const std::string attention = run_program({"ridgepoint", "attention", "--help"}).out;
  EXPECT_NE(attention.find("--progress auto|json|none"), std::string::npos) << attention;
  EXPECT_NE(attention.find("--dtype fp16|bf16"), std::string::npos);
  EXPECT_NE(attention.find("(1 to 1000000; default: 200)"), std::string::npos);
  EXPECT_NE(attention.find("--pm-sampling[=US]"), std::string::npos);
  const std::string check = run_program({"ridgepoint", "check", "--help"}).out;
  EXPECT_NE(check.find("(not with --init)"), std::string::npos) << check;
}

TEST(Usage, HelpContinuesALongExampleAsAShellReadsIt) {
  const std::string help = run_program({"ridgepoint", "attention", "--help"}).out;
  const std::size_t line_end = help.find(" \\\n");
  ASSERT_NE(line_end, std::string::npos) << help;
  EXPECT_EQ(help.substr(line_end + 3, 6), "      ");
}

TEST(Usage, AMisspeltCommandOrOptionIsNamedWithTheNearest) {
  const auto command = run_program({"ridgepoint", "repor", "x.ridge"});
  EXPECT_NE(command.err.find("there is no command \"repor\""), std::string::npos) << command.err;
  EXPECT_NE(command.err.find("did you mean report?"), std::string::npos) << command.err;
  const auto option = run_program({"ridgepoint", "report", "x.ridge", "--fromat", "json"});
  EXPECT_NE(option.err.find("did you mean --format?"), std::string::npos) << option.err;
  const auto first = run_program({"ridgepoint", "--bogus"});
  EXPECT_NE(first.err.find("there is no option \"--bogus\""), std::string::npos) << first.err;
  const auto version = run_program({"ridgepoint", "--verison"});
  EXPECT_NE(version.err.find("did you mean --version?"), std::string::npos) << version.err;
}

TEST(Usage, TheCountersOfAProductAreThoseOfItsChip) {
  const auto product = run_program({"ridgepoint", "metrics", "h100"});
  EXPECT_EQ(product.exit_code, 3);
  EXPECT_NE(product.err.find("H100 has the chip GH100; "), std::string::npos) << product.err;
  const auto chip = run_program({"ridgepoint", "metrics", "GH1000"});
  EXPECT_NE(chip.err.find("did you mean GH100? "), std::string::npos) << chip.err;
}

TEST(Usage, APlanForAProductGetsTheHelpThatItsCountersGet) {
  const std::string help = run_program({"ridgepoint", "profile", "--help"}).out;
  if (help.find("not in this build") != std::string::npos) {
    GTEST_SKIP() << "built without CUDA: it plans nothing";
  }
  for (const std::string name : {"H200", "GH1000"}) {
    const auto counters = run_program({"ridgepoint", "metrics", name});
    const auto plan = run_program({"ridgepoint", "profile", "--plan", name});
    EXPECT_EQ(plan.exit_code, 3);
    const auto after_what = [](const std::string& text) {
      return text.substr(text.find(": there"));
    };
    EXPECT_EQ(after_what(plan.err), after_what(counters.err));
    EXPECT_NE(plan.err.find("GH100"), std::string::npos) << plan.err;
  }
}

TEST(Usage, AMissingValueIsSaidToBeMissing) {
  const std::string help = run_program({"ridgepoint", "profile", "--help"}).out;
  if (help.find("not in this build") == std::string::npos) {
    const auto plan = run_program({"ridgepoint", "profile", "--plan", "--", "true"});
    EXPECT_EQ(plan.exit_code, 3);
    EXPECT_EQ(plan.err,
              "error: command line: --plan needs a value, and -- follows it\n"
              "hint: write --plan CHIP\n");
  }
  const auto option = run_program({"ridgepoint", "report", "x.ridge", "-o", "--force"});
  EXPECT_EQ(option.exit_code, 3);
  EXPECT_NE(option.err.find("-o needs a value, and --force follows it"), std::string::npos)
      << option.err;
  const auto last = run_program({"ridgepoint", "report", "x.ridge", "--output"});
  EXPECT_EQ(last.exit_code, 3);
  EXPECT_NE(last.err.find("--output needs a value\n"), std::string::npos) << last.err;
}

TEST(Usage, AValueMayBeginWithADash) {
  const auto stdout_file = run_program({"ridgepoint", "predict", "--gpu", "H100", "-o", "-"});
  EXPECT_EQ(stdout_file.exit_code, 0) << stdout_file.err;
  const auto number = run_program({"ridgepoint", "predict", "--gpu", "H100", "--seqlen", "-1"});
  EXPECT_EQ(number.err.find("needs a value"), std::string::npos) << number.err;
}

TEST(Usage, AWrongChoiceIsAnsweredWithTheRightOnes) {
  const auto layout =
      run_program({"ridgepoint", "report", "x.ridge", "-f", "csv", "--csv-layout", "broad"});
  EXPECT_NE(layout.err.find("\"broad\" is none of wide, long, series"), std::string::npos)
      << layout.err;
  const auto replay = run_program({"ridgepoint", "profile", "--replay", "never", "--", "true"});
  EXPECT_EQ(replay.err.find('{'), std::string::npos) << replay.err;
}

TEST(Usage, VersionIsOneLine) {
  const auto result = run_program({"ridgepoint", "--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out.rfind("ridgepoint ", 0), 0U);
  EXPECT_EQ(result.out.find('\n'), result.out.size() - 1);
}

TEST(Usage, WithoutArgumentsShowsHelpAndFails) {
  const auto result = run_program({"ridgepoint"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("Usage"), std::string::npos);
  EXPECT_EQ(result.out, "");
}

TEST(Usage, MistakesAreOneErrorOneHintAndExitCode3) {
  const std::vector<std::vector<std::string>> mistakes = {
      {"ridgepoint", "frobnicate"},
      {"ridgepoint", "report"},
      {"ridgepoint", "report", "x.ridge", "--format", "pdf"},
      {"ridgepoint", "attention", "--head-dim", "many"},
      {"ridgepoint", "attention", "--repeats", "0"},
      {"ridgepoint", "attention", "--heads", "6", "--kv-heads", "4"},
      {"ridgepoint", "demo", "--report", "report.pdf"},
      {"ridgepoint", "profile"},
      {"ridgepoint", "merge", "a.ridge"},
      {"ridgepoint", "attention", "--scale", "nan"},
      {"ridgepoint", "attention", "--seqlen", "010"},
      {"ridgepoint", "attention", "--device", "-1"},
      {"ridgepoint", "compare", "a.ridge", "b.ridge", "--alpha", "nan"},
      {"ridgepoint", "compare", "a.ridge", "b.ridge", "--alpha", "0"},
      {"ridgepoint", "compare", "a.ridge", "b.ridge", "--min-effect", "nan"},
      {"ridgepoint", "compare", "a.ridge", "b.ridge", "-o", "out.html"},
      {"ridgepoint", "check", "a.ridge", "--init", "--margin", "nan"},
      {"ridgepoint", "report", "a.ridge", "--price-per-hour", "nan"},
      {"ridgepoint", "report", "a.ridge", "--price-per-hour", "0"},
      {"ridgepoint", "report", "a.ridge", "--target", "p99_latency"},
      {"ridgepoint", "report", "a.ridge", "--target", "speed=1"},
      {"ridgepoint", "report", "a.ridge", "--target", "p99_latency=nan"},
      {"ridgepoint", "report", "a.ridge", "-o", "out.xyz"},
      {"ridgepoint", "predict", "--gpu", "H200", "--scale", "inf"},
      {"ridgepoint", "predict", "--gpu", "H200", "--report", "p.trace.json"},
      {"ridgepoint", "predict", "--gpu", "H200", "--batch", "1073741824", "--heads", "1073741824"},
      {"ridgepoint", "attention", "--seed", "010"},
      {"ridgepoint", "attention", "--variant", "bogus"},
      {"ridgepoint", "report", "a.ridge", "--target", "hbm_bandwidth_utilisation=2"},
      {"ridgepoint", "report", "a.ridge", "-f", "text", "-f", "json"},
      {"ridgepoint", "report", "a.ridge", "--figure", "stalls"},
      {"ridgepoint", "report", "a.ridge", "-f", "svg", "--figure", "sunset"},
      {"ridgepoint", "attention", "--report", "no/such/folder/x.html"},
      {"ridgepoint", "attention", "-o", "-"},
      {"ridgepoint", "merge", "a.ridge", "a.ridge", "-o", "all.ridge"},
      {"ridgepoint", "merge", "a.ridge", "b.ridge", "-o", "-"},
      {"ridgepoint", "merge", "a.ridge", "b.ridge", "-o", "a.ridge", "--force"},
      {"ridgepoint", "import", "-"},
      {"ridgepoint", "compare", "-", "-"},
      {"ridgepoint", "report", "a.ridge", "--hotspots", ""},
  };
  for (const auto& mistake : mistakes) {
    const auto result = run_program(mistake);
    EXPECT_EQ(result.exit_code, 3) << mistake.back();
    EXPECT_EQ(result.err.rfind("error: ", 0), 0U) << result.err;
    EXPECT_NE(result.err.find("\nhint: "), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 2) << result.err;
    EXPECT_EQ(result.out, "");
  }
}

TEST(Usage, MetricsListsChipsAndTheCountersOfOne) {
  const auto chips = run_program({"ridgepoint", "metrics"});
  EXPECT_EQ(chips.exit_code, 0);
  EXPECT_NE(chips.out.find("GH100"), std::string::npos);
  const auto hopper = run_program({"ridgepoint", "metrics", "--chip", "GH100"});
  EXPECT_NE(hopper.out.find("hbm_read_bytes"), std::string::npos);
  EXPECT_NE(hopper.out.find("dram__bytes_read.sum"), std::string::npos);
  EXPECT_EQ(run_program({"ridgepoint", "metrics", "--chip", "gh100"}).out, hopper.out);
  const auto unknown = run_program({"ridgepoint", "metrics", "--chip", "GX999"});
  EXPECT_EQ(unknown.exit_code, 3);
  EXPECT_NE(unknown.err.find("`ridgepoint metrics` lists the chips"), std::string::npos)
      << unknown.err;
}

}  // namespace
}  // namespace ridgepoint
