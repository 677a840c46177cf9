#include "reports/report.h"

#include <algorithm>

#include "analyzer/core/file_writer.h"
#include "reports/formats/formats.h"

namespace ridgepoint {
namespace {

Error unknown_format(std::string_view name) {
  std::string known;
  for (const ReportFormat& one : report_formats()) {
    known += (known.empty() ? "" : ", ") + std::string(one.name);
  }
  return {ErrorDomain::usage, 0, "rendering a report",
          "there is no format \"" + std::string(name) + "\"", "choose one of " + known};
}

Result<const ReportFormat*> usable_format(const ReportInput& input, std::string_view name) {
  const ReportFormat* format = find_report_format(name);
  if (format == nullptr) {
    return tl::make_unexpected(unknown_format(name));
  }
  if (format->needs_session && input.session == nullptr) {
    return fail(ErrorDomain::usage, "rendering the format " + std::string(name),
                "it shows single launches, and there is no session to take them from",
                "give `ridgepoint report` a session file");
  }
  return format;
}

}  // namespace

const std::vector<ReportFormat>& report_formats() {
  static const std::vector<ReportFormat> formats = {
      {"text", "text", ".txt", "tables and diagnoses for a terminal", &render_text},
      {"markdown", "Markdown", ".md", "for pull requests and job summaries", &render_markdown},
      {"html", "HTML", ".html", "one self-contained page with charts", &render_html},
      {"json", "JSON", ".json", "for scripts; schema ridgepoint-analysis", &render_json},
      {"csv", "CSV", ".csv", "a row a kernel or a row a value, SI units", nullptr, &stream_csv},
      {"svg", "SVG", ".svg", "one figure: the roofline, or that of --figure", nullptr, &stream_svg},
      {"junit", "JUnit", ".xml", "the targets as JUnit tests", &render_junit},
      {"openmetrics", "OpenMetrics", ".prom", "gauges for Prometheus and its kin",
       &render_openmetrics},
      {"trace", "trace", ".trace.json", "the timeline, for Perfetto and chrome://tracing", nullptr,
       &stream_trace, nullptr, true},
      {"sqlite", "SQLite", ".sqlite", "a database: launches, counters, diagnoses ...", nullptr,
       nullptr, &save_sqlite},
  };
  return formats;
}

const ReportFormat* find_report_format(std::string_view name) {
  const auto& formats = report_formats();
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [&](const ReportFormat& one) { return one.name == name; });
  return found == formats.end() ? nullptr : &*found;
}

Status stream_report(const ReportInput& input, std::string_view name, const ReportOptions& options,
                     const TextSink& sink) {
  return usable_format(input, name).and_then([&](const ReportFormat* format) -> Status {
    if (format->save != nullptr) {
      return fail(ErrorDomain::usage, "rendering the format " + std::string(name),
                  "it is a file, not a text", "write it to a file: -o or --report FILE");
    }
    return format->stream != nullptr ? format->stream(input, options, sink)
                                     : sink(format->render(input.analysis, options));
  });
}

Result<std::string> render_report(const ReportInput& input, std::string_view format,
                                  const ReportOptions& options) {
  std::string whole;
  return stream_report(input, format, options,
                       [&](std::string_view piece) {
                         whole += piece;
                         return Status();
                       })
      .map([&] { return std::move(whole); });
}

Status save_report(const ReportInput& input, std::string_view name, const ReportOptions& options,
                   const std::filesystem::path& path, bool force) {
  return usable_format(input, name).and_then([&](const ReportFormat* format) -> Status {
    if (format->save != nullptr) {
      return format->save(input, path, force);
    }
    return FileWriter::create(path, force ? Overwrite::yes : Overwrite::no, Access::umask)
        .and_then([&](FileWriter&& file) {
          return stream_report(input, name, options,
                               [&](std::string_view piece) { return file.write(piece); })
              .and_then([&] { return file.commit(); });
        });
  });
}

}  // namespace ridgepoint
