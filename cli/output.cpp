#include "cli/output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "analyzer/core/file.h"
#include "cli/console.h"
#include "reports/report.h"
#include "reports/write_report.h"

namespace ridgepoint::cli {
namespace {

namespace fs = std::filesystem;

}  // namespace

const ReportFormat* format_of(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  for (const ReportFormat& format : report_formats()) {
    if (format.extension == extension) {
      return &format;
    }
  }
  return nullptr;
}

namespace {

std::string known_endings() {
  std::vector<std::string_view> endings;
  for (const ReportFormat& format : report_formats()) {
    endings.push_back(format.extension);
  }
  return fmt::format("{}", fmt::join(endings, ", "));
}

}  // namespace

void ReportFiles::add_to(CLI::App& command) {
  command
      .add_option("--report", paths,
                  "Also write a report; the ending decides the format (" + known_endings() + ")")
      ->type_name("FILE");
  command.add_flag("--force", force, "Replace files that exist");
}

Status ReportFiles::check() const {
  for (const std::string& path : paths) {
    if (format_of(path) == nullptr) {
      return fail(ErrorDomain::usage, "--report " + path, "its ending names no report format",
                  "use one of " + known_endings());
    }
    if (std::count(paths.begin(), paths.end(), path) > 1) {
      return fail(ErrorDomain::usage, "--report " + path, "it is named twice");
    }
    std::error_code ignored;
    if (!force && fs::is_regular_file(fs::symlink_status(path, ignored))) {
      return tl::make_unexpected(exists_error(path));
    }
  }
  return {};
}

Status ReportFiles::write(const Analysis& analysis) const {
  for (const std::string& path : paths) {
    const ReportFormat* format = format_of(path);
    const Result<std::string> text = render_report(analysis, format->name);
    if (!text) {
      return tl::make_unexpected(text.error());
    }
    const Status written = write_report(*text, path, force);
    if (!written) {
      return written;
    }
    std::error_code ignored;
    print_note(fmt::format("{} report: {}", format->name, fs::absolute(path, ignored).string()));
  }
  return {};
}

Status write_result(const std::string& text, const std::string& output, bool force,
                    const std::vector<std::string>& inputs) {
  if (output.empty() || output == "-") {
    print_result(text);
    return {};
  }
  for (const std::string& input : inputs) {
    std::error_code ignored;
    if (fs::equivalent(input, output, ignored)) {
      return fail(ErrorDomain::usage, "writing " + output, "it is the file that is being read",
                  "choose another name");
    }
  }
  return write_report(text, output, force);
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const ReportFormat& format : report_formats()) {
    names.emplace_back(format.name);
  }
  return names;
}

}  // namespace ridgepoint::cli
