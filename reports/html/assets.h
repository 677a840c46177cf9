// The files of reports/html/, embedded at build time (assets.cpp.in), so that a report needs
// nothing at run time.
#pragma once

#include <string_view>

namespace ridgepoint::assets {

extern const std::string_view timeline_css;
extern const std::string_view trace_css;
extern const std::string_view diagram_css;
extern const std::string_view roofline_css;
extern const std::string_view report_css;
extern const std::string_view report_js;
extern const std::string_view roofline_js;
// Hexadecimal, for the content security policy.
extern const std::string_view report_js_sha256;
extern const std::string_view roofline_js_sha256;
extern const std::string_view report_mustache;

}  // namespace ridgepoint::assets
