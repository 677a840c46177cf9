#include "collector/profile/output_name.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <random>

namespace ridgepoint::collector {
namespace {

namespace fs = std::filesystem;

// torchrun, Open MPI, PMIx, MPICH, Slurm, MVAPICH2; the first that is set.
constexpr std::array rank_variables = {"RANK",     "OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                       "PMI_RANK", "SLURM_PROCID",         "MV2_COMM_WORLD_RANK"};

std::string rank() {
  for (const char* variable : rank_variables) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') {
      // It becomes part of a file name.
      std::string text = value;
      std::replace(text.begin(), text.end(), '/', '_');
      return text;
    }
  }
  return "norank";
}

constexpr std::string_view journal_ending = ".journal";
constexpr std::string_view failure_ending = ".failed";

bool take_ending(std::string& text, std::string_view ending) {
  if (text.size() < ending.size() || text.substr(text.size() - ending.size()) != ending) {
    return false;
  }
  text.resize(text.size() - ending.size());
  return true;
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [stopped, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc() && stopped == text.data() + text.size();
}

}  // namespace

ProcessIdentity this_process() {
  std::array<char, 256> host{};
  const bool known = gethostname(host.data(), host.size() - 1) == 0;
  return {getpid(), known ? host.data() : "nohost", rank()};
}

Status check_output_pattern(const fs::path& pattern) {
  const std::string what = "-o " + pattern.string();
  if (pattern.parent_path().string().find('%') != std::string::npos) {
    return fail(ErrorDomain::usage, what, "placeholders may stand in the file's name only");
  }
  const std::string name = pattern.filename().string();
  if (name.empty()) {
    return fail(ErrorDomain::usage, what, "it names a folder", "give a file name");
  }
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '%') {
      continue;
    }
    ++i;
    if (i == name.size() || std::string("phr%").find(name[i]) == std::string::npos) {
      return fail(ErrorDomain::usage, what, "it has an unknown placeholder",
                  "%p is the process, %h the host, %r the rank, %% a percent sign");
    }
  }
  return {};
}

fs::path expand_output(const fs::path& pattern, const ProcessIdentity& process) {
  const std::string name = pattern.filename().string();
  std::string expanded;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '%' || i + 1 == name.size()) {
      expanded += name[i];
      continue;
    }
    switch (name[++i]) {
      case 'p':
        expanded += std::to_string(process.process);
        break;
      case 'h':
        expanded += process.host;
        break;
      case 'r':
        expanded += process.rank;
        break;
      default:
        expanded += name[i];
    }
  }
  return pattern.parent_path() / expanded;
}

std::string text_of(const ProcessTurn& process) {
  return process.turn == 1 ? fmt::format("{}", process.process)
                           : fmt::format("{}_{}", process.process, process.turn);
}

fs::path journal_path(const fs::path& session, const std::string& run_id,
                      const ProcessTurn& process) {
  return fmt::format("{}.{}-{}.journal", session.string(), run_id, text_of(process));
}

std::optional<JournalName> parse_journal_path(const fs::path& journal, const std::string& run_id) {
  std::string text = journal.string();
  if (!take_ending(text, journal_ending)) {
    return std::nullopt;
  }
  const std::string middle = "." + run_id + "-";
  const std::size_t at = text.rfind(middle);
  if (at == std::string::npos || at == 0) {
    return std::nullopt;
  }
  JournalName name;
  const std::string_view number = std::string_view(text).substr(at + middle.size());
  const std::size_t bar = std::min(number.find('_'), number.size());
  if (!read_number(number.substr(0, bar), name.process.process) ||
      (bar != number.size() && !read_number(number.substr(bar + 1), name.process.turn))) {
    return std::nullopt;
  }
  name.session = text.substr(0, at);
  return name;
}

fs::path failure_path(const fs::path& journal, int failure) {
  std::string text = journal.string();
  take_ending(text, journal_ending);
  return fmt::format("{}.{}{}", text, failure, failure_ending);
}

std::optional<FailureName> parse_failure_path(const fs::path& file) {
  std::string text = file.string();
  if (!take_ending(text, failure_ending)) {
    return std::nullopt;
  }
  const std::size_t dot = text.rfind('.');
  FailureName name;
  if (dot == std::string::npos ||
      !read_number(std::string_view(text).substr(dot + 1), name.failure)) {
    return std::nullopt;
  }
  name.journal = text.substr(0, dot) + std::string(journal_ending);
  return name;
}

std::string new_run_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

}  // namespace ridgepoint::collector
