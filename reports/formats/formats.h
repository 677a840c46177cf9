// The renderers that report.cpp registers, one file each.
#pragma once

#include <string>

#include "analyzer/analysis/analysis.h"
#include "reports/report.h"

namespace ridgepoint {

std::string render_text(const Analysis& analysis, const ReportOptions& options);
std::string render_markdown(const Analysis& analysis, const ReportOptions& options);
std::string render_json(const Analysis& analysis, const ReportOptions& options);
std::string render_html(const Analysis& analysis, const ReportOptions& options);
Status stream_svg(const ReportInput& input, const ReportOptions& options, const TextSink& sink);
Status stream_csv(const ReportInput& input, const ReportOptions& options, const TextSink& sink);
Status stream_trace(const ReportInput& input, const ReportOptions& options, const TextSink& sink);
Status save_sqlite(const ReportInput& input, const std::filesystem::path& path, bool force);
std::string render_openmetrics(const Analysis& analysis, const ReportOptions& options);
std::string render_junit(const Analysis& analysis, const ReportOptions& options);

}  // namespace ridgepoint
