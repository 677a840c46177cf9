// The text format of OpenMetrics 1.0: families of gauges, each with its TYPE, UNIT and HELP lines
// before its samples.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/presenters/table.h"
#include "reports/text_stream.h"

namespace ridgepoint {

using MetricLabels = std::vector<std::pair<std::string, std::string>>;

struct MetricFamily {
  std::string name;  // ends in _UNIT when there is one
  std::string unit;  // "bytes", "ratio"; empty for plain numbers
  std::string help;
  std::vector<std::pair<MetricLabels, double>> samples;

  // What was not measured is no sample: a scraper would take any number for a measurement.
  void add(MetricLabels labels, const std::optional<double>& value);
};

// "ridgepoint_kernel_hbm_bytes" for the column hbm_bytes: the unit in the words of OpenMetrics, as
// the suffix that the format asks for.
MetricFamily family_of_column(const std::string& prefix, const Column& column);

// Nothing for a family without samples.
void write_family(const MetricFamily& family, TextStream& out);

}  // namespace ridgepoint
