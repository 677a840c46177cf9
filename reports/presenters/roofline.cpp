#include "reports/presenters/roofline.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "analyzer/core/text.h"
#include "reports/presenters/format.h"
#include "reports/presenters/labels.h"

namespace ridgepoint {
namespace {

bool positive(const std::optional<double>& value) {
  return value && std::isfinite(*value) && *value > 0;
}

std::string si_label(double value) {
  // "1 TFLOP/s" without unit: the axis title has it.
  std::string text = format_quantity(value, Unit::flop_per_s);
  text.resize(text.size() - std::string_view("FLOP/s").size());
  const auto dot = text.find(".00");
  if (dot != std::string::npos) {
    text.erase(dot, 3);
  }
  const auto dot_short = text.find(".0");
  if (dot_short != std::string::npos) {
    text.erase(dot_short, 2);
  }
  while (!text.empty() && text.back() == ' ') {
    text.pop_back();
  }
  return text;
}

std::string intensity_label(double value) {
  const int exponent = static_cast<int>(std::lround(std::log10(value)));
  if (exponent >= 0 && exponent <= 5) {
    return format_quantity(value, Unit::none);
  }
  if (exponent < 0 && exponent >= -3) {
    return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + "1";
  }
  return "1e" + std::to_string(exponent);
}

RooflineAxis make_axis(std::string title, double minimum, double maximum,
                       std::string (*tick_label)(double)) {
  RooflineAxis axis;
  axis.title = std::move(title);
  axis.minimum = minimum;
  axis.maximum = maximum;
  const int first = static_cast<int>(std::ceil(std::log10(minimum) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(maximum) + 1e-9));
  for (int exponent = first; exponent <= last; ++exponent) {
    const double value = std::pow(10.0, exponent);
    axis.ticks.push_back({value, tick_label(value)});
  }
  return axis;
}

// The largest of 1, 2, 5 x 10^k that is not above the value.
double step_below(double value) {
  const double decade = std::pow(10.0, std::floor(std::log10(value)));
  return decade * (value >= 5 * decade ? 5 : (value >= 2 * decade ? 2 : 1));
}

// "51.4 % (1.95x headroom)"
std::string of_roof(const std::optional<double>& utilisation) {
  std::string text = format_quantity(utilisation, Unit::share);
  if (positive(utilisation)) {
    text += " (" + format_quantity(1 / *utilisation, Unit::factor) + " headroom)";
  }
  return text;
}

// L2 gave a part to be seen of its bytes without a look-up (analyzer/traffic/sm_reads.h).
bool merges(const KernelAnalysis& kernel) {
  constexpr double noticeable = 0.05;
  const Traffic& l2 = kernel.traffic[MemoryLevel::l2];
  return positive(l2.total) && l2.merged && *l2.merged >= noticeable * *l2.total &&
         positive(kernel.bandwidth[MemoryLevel::l2]);
}

std::vector<std::string> tooltip_of(const Analysis& analysis, const KernelAnalysis& kernel,
                                    MemoryLevel level) {
  std::vector<std::string> lines = {printable(kernel.short_name) + " at " + label(level)};
  if (!kernel.variant.empty()) {
    lines.push_back("variant: " + printable(kernel.variant));
  }
  lines.push_back("intensity: " + format_quantity(kernel.intensity[level], Unit::flop_per_byte));
  lines.push_back("achieved: " + format_quantity(kernel.achieved_flop_per_s, Unit::flop_per_s) +
                  ", " + format_quantity(kernel.bandwidth[level], Unit::byte_per_s));
  if (level == MemoryLevel::l2 && merges(kernel)) {
    const double looked_up = *kernel.traffic[level].looked_up() / *kernel.traffic[level].total;
    lines.push_back(
        "looked up: " + format_quantity(*kernel.bandwidth[level] * looked_up, Unit::byte_per_s) +
        ", which is what the roof is of");
  }
  lines.push_back("of the roof: " + of_roof(kernel.utilisation[level]) + " bandwidth, " +
                  of_roof(kernel.compute_utilisation) + " compute");
  lines.push_back("time: " + format_quantity(kernel.time_s, Unit::second) + " (" +
                  format_quantity(kernel.time_share, Unit::share) + "), launches: " +
                  format_quantity(static_cast<double>(kernel.launches), Unit::count));
  lines.push_back("bound by: " + bound_text(analysis, kernel) +
                  ", headroom: " + format_quantity(kernel.headroom, Unit::factor));
  return lines;
}

std::string bandwidths_of(const KernelAnalysis& kernel) {
  std::string text;
  for (const MemoryLevel level : memory_levels) {
    if (positive(kernel.bandwidth[level])) {
      text += (text.empty() ? "" : ", ") + std::string(label(level)) + " " +
              format_quantity(*kernel.bandwidth[level], Unit::byte_per_s);
    }
  }
  return text;
}

void add_points(const Analysis& analysis, Roofline& chart) {
  for (std::size_t i = 0; i < analysis.kernels.size(); ++i) {
    const KernelAnalysis& kernel = analysis.kernels[i];
    const std::string name = printable(kernel.short_name);
    if (!positive(kernel.achieved_flop_per_s)) {
      const bool counted = kernel.flop.total.has_value();
      const bool none = counted && *kernel.flop.total <= 0;
      chart.unplotted.push_back(
          {i, name,
           none ? "no FLOP"
                : (counted ? "time not measured"
                           : (analysis.source == Source::predicted ? "its FLOP are not modelled"
                                                                   : "FLOP not measured")),
           bandwidths_of(kernel)});
      continue;
    }
    const std::size_t before = chart.points.size();
    for (const MemoryLevel level : memory_levels) {
      if (positive(kernel.intensity[level])) {
        chart.points.push_back({i, level, *kernel.intensity[level], *kernel.achieved_flop_per_s,
                                std::clamp(kernel.time_share.value_or(0.0), 0.0, 1.0), name,
                                printable(kernel.variant), tooltip_of(analysis, kernel, level)});
      }
    }
    if (chart.points.size() == before) {
      chart.unplotted.push_back({i, name, "bytes not measured", bandwidths_of(kernel)});
    }
  }
}

// The ceilings that the chart draws.
std::vector<const Ceiling*> chosen_ceilings(const Analysis& analysis) {
  std::set<std::string> precisions;
  for (const KernelAnalysis& kernel : analysis.kernels) {
    if (positive(kernel.flop.total)) {
      precisions.insert(kernel.flop.precision);
    }
  }
  std::vector<const Ceiling*> chosen;
  for (const Ceiling& ceiling : analysis.ceilings) {
    const bool wanted = ceiling.kind == CeilingKind::bandwidth || precisions.empty() ||
                        precisions.count(ceiling.id) > 0;
    if (wanted && (positive(ceiling.theoretical) || positive(ceiling.measured))) {
      chosen.push_back(&ceiling);
    }
  }
  return chosen;
}

struct Extent {
  double low = 0, high = 0;
  void include(double value) {
    low = low == 0 ? value : std::min(low, value);
    high = std::max(high, value);
  }
};

double best(const Ceiling& ceiling) {
  return std::max(ceiling.theoretical.value_or(0), ceiling.measured.value_or(0));
}

void set_axes(const std::vector<const Ceiling*>& ceilings, Roofline& chart) {
  Extent x;
  Extent y;
  double slowest_bandwidth = 0;
  for (const RooflinePoint& point : chart.points) {
    x.include(point.intensity);
    y.include(point.flop_per_s);
  }
  for (const Ceiling* ceiling : ceilings) {
    const double value = best(*ceiling);
    if (ceiling->kind == CeilingKind::compute) {
      y.include(value);
    } else {
      slowest_bandwidth = slowest_bandwidth == 0 ? value : std::min(slowest_bandwidth, value);
    }
  }
  const double top = y.high > 0 ? y.high : 1e12;
  // Every ridge lies left of the one between the highest compute and the slowest bandwidth roof.
  const double last_ridge = slowest_bandwidth > 0 ? top / slowest_bandwidth : 100;
  x.include(last_ridge);
  const double x_low = step_below(x.low * 0.6);
  const double x_high = std::max({x.high * 2.5, last_ridge * 5, x_low * 1000});
  const double y_low = step_below((y.low > 0 ? y.low : top / 1000) * 0.6);
  chart.x = make_axis("Arithmetic intensity (FLOP/byte)", x_low, x_high, intensity_label);
  // Above the highest roof is room for its ridges' labels and its own, also in a small window.
  constexpr double above_roofs = 5;
  chart.y =
      make_axis("Performance (FLOP/s)", y_low, std::max(top * above_roofs, y_low * 100), si_label);
}

void add_roofs(const std::vector<const Ceiling*>& ceilings, Roofline& chart) {
  double highest_compute = 0;
  double fastest_bandwidth = 0;
  for (const Ceiling* ceiling : ceilings) {
    double& most = ceiling->kind == CeilingKind::compute ? highest_compute : fastest_bandwidth;
    most = std::max(most, best(*ceiling));
  }
  const auto add = [&](const Ceiling& ceiling, double value, bool measured) {
    RooflineRoof roof;
    roof.id = ceiling.id;
    roof.kind = ceiling.kind;
    roof.measured = measured;
    roof.value = value;
    const bool bandwidth = ceiling.kind == CeilingKind::bandwidth;
    roof.label = printable(ceiling.label.empty() ? ceiling.id : ceiling.label) + " " +
                 format_quantity(value, bandwidth ? Unit::byte_per_s : Unit::flop_per_s) +
                 (measured ? " (measured)" : "");
    if (bandwidth) {
      const double top = highest_compute > 0 ? highest_compute : chart.y.maximum;
      roof.x0 = std::max(chart.x.minimum, chart.y.minimum / value);
      roof.x1 = std::min(chart.x.maximum, top / value);
      roof.y0 = roof.x0 * value;
      roof.y1 = roof.x1 * value;
    } else {
      roof.x0 = fastest_bandwidth > 0 ? std::max(chart.x.minimum, value / fastest_bandwidth)
                                      : chart.x.minimum;
      roof.x1 = chart.x.maximum;
      roof.y0 = roof.y1 = value;
    }
    if (roof.x0 < roof.x1) {
      chart.roofs.push_back(std::move(roof));
    }
  };
  for (const Ceiling* ceiling : ceilings) {
    if (positive(ceiling->theoretical)) {
      add(*ceiling, *ceiling->theoretical, false);
    }
    if (positive(ceiling->measured)) {
      add(*ceiling, *ceiling->measured, true);
    }
  }
}

void add_ridges(Roofline& chart) {
  for (const RooflineRoof& bandwidth : chart.roofs) {
    for (const RooflineRoof& compute : chart.roofs) {
      if (bandwidth.kind != CeilingKind::bandwidth || compute.kind != CeilingKind::compute ||
          bandwidth.measured || compute.measured) {
        continue;
      }
      const double intensity = compute.value / bandwidth.value;
      if (intensity >= chart.x.minimum && intensity <= chart.x.maximum) {
        chart.ridges.push_back({bandwidth.id, compute.id, intensity, compute.value,
                                "ridge " + format_quantity(intensity, Unit::flop_per_byte)});
      }
    }
  }
}

}  // namespace

double RooflineAxis::fraction(double value) const {
  return std::log(value / minimum) / std::log(maximum / minimum);
}

std::string UnplottedKernel::line() const {
  return reason + (bandwidth.empty() ? "" : "; " + bandwidth);
}

Roofline roofline(const Analysis& analysis) {
  Roofline chart;
  add_points(analysis, chart);
  const std::vector<const Ceiling*> ceilings = chosen_ceilings(analysis);
  set_axes(ceilings, chart);
  add_roofs(ceilings, chart);
  add_ridges(chart);
  const bool has_l2_roof =
      std::any_of(chart.roofs.begin(), chart.roofs.end(),
                  [](const RooflineRoof& roof) { return roof.id == key(MemoryLevel::l2); });
  if (has_l2_roof && std::any_of(chart.points.begin(), chart.points.end(), [&](const auto& point) {
        return point.level == MemoryLevel::l2 && merges(analysis.kernels[point.kernel]);
      })) {
    chart.note =
        "L2 marks count every SM that a look-up served, L2 roofs the look-ups: a mark can lie "
        "above "
        "its roof.";
  }
  return chart;
}

const RidgePoint* dividing_ridge(const Roofline& roofline) {
  const RidgePoint* chosen = nullptr;
  for (const RidgePoint& ridge : roofline.ridges) {
    if (ridge.bandwidth_id == key(MemoryLevel::hbm) &&
        (chosen == nullptr || ridge.flop_per_s > chosen->flop_per_s)) {
      chosen = &ridge;
    }
  }
  return chosen;
}

std::string roofline_summary(const Roofline& roofline) {
  constexpr std::size_t most = 14;
  std::string text;
  std::size_t kernels = 0;
  const RooflinePoint* last = nullptr;
  for (const RooflinePoint& point : roofline.points) {
    const bool again = last != nullptr && last->kernel == point.kernel;
    last = &point;
    if (!again && ++kernels > most) {
      continue;
    }
    if (kernels <= most) {
      text += (again ? ", "
                     : (text.empty() ? "" : "; ") + point.label + " " +
                           format_quantity(point.flop_per_s, Unit::flop_per_s) + " at ") +
              format_quantity(point.intensity, Unit::flop_per_byte) + " of " + label(point.level);
    }
  }
  if (kernels > most) {
    text += "; " + std::to_string(kernels - most) + " more kernels";
  }
  return text.empty() ? "No kernel is on it." : text + ".";
}

}  // namespace ridgepoint
