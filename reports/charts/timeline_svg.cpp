#include "reports/charts/timeline_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/escape.h"
#include "reports/presenters/activity.h"
#include "reports/presenters/elide.h"
#include "reports/presenters/format.h"
#include "reports/presenters/timeline.h"

namespace ridgepoint {
namespace {

constexpr double width = 1040;
constexpr double left = 176;
constexpr double right = 24;
constexpr double plot_width = width - left - right;
constexpr double lane_height = 24;
constexpr double lane_gap = 6;
constexpr double row_gap = 2;  // between the rows of one lane
constexpr double axis_height = 26;
constexpr double legend_line = 22;
constexpr double letter = 6.9;  // of 12 pixels, on the average
constexpr double least_label_width = 34;
constexpr std::size_t columns = 280;  // of about 3 pixels
constexpr std::size_t most_drawn_lanes = 24;
constexpr std::size_t label_letters = 24;
constexpr std::size_t legend_letters = 44;

class Picture {
 public:
  Picture(const Analysis& analysis, TimeWindow window)
      : analysis_(analysis), timeline_(*analysis.timeline), window_(window) {}

  std::string svg() {
    double y = axis_height;
    std::size_t drawn = 0;
    for (const TimelineLane& lane : timeline_.lanes) {
      if (drawn == most_drawn_lanes) {
        break;
      }
      y += drawn == 0 ? 0 : (lane.row > 0 ? row_gap : lane_gap);
      add_lane(lane, y);
      y += lane_height;
      ++drawn;
    }
    const double bottom = y + 4;
    y = bottom + 6;
    if (drawn < timeline_.lanes.size()) {
      body_ += fmt::format(
          R"(<text class="note" x="{:.0f}" y="{:.0f}">{} further lanes are not drawn here.</text>)",
          left, y + 14, timeline_.lanes.size() - drawn);
      y += legend_line;
    }
    y = add_legend(y);
    return fmt::format(
               R"(<svg class="timeline" viewBox="0 0 {:.0f} {:.0f}" role="img" aria-label="{}">)",
               width, y, escape_xml(label())) +
           axis(bottom) + body_ + "</svg>";
  }

 private:
  double x_of(std::int64_t time_ns) const {
    const double share = static_cast<double>(time_ns - window_.from_ns) /
                         static_cast<double>(window_.to_ns - window_.from_ns);
    return left + plot_width * std::clamp(share, 0.0, 1.0);
  }

  std::string label() const {
    return fmt::format("Activity from {} to {}. {}", time_text(timeline_, window_.from_ns),
                       time_text(timeline_, window_.to_ns), activity_summary(analysis_));
  }

  std::string axis(double bottom) const {
    std::string text;
    for (const TimeTick& tick : time_ticks(window_, 8)) {
      const double x = x_of(tick.time_ns);
      text +=
          fmt::format(R"(<line class="grid" x1="{0:.1f}" y1="{1:.0f}" x2="{0:.1f}" y2="{2:.1f}"/>)"
                      R"(<text class="tick" x="{0:.1f}" y="14">{3}</text>)",
                      x, axis_height - 6, bottom, escape_xml(tick.label));
    }
    return text;
  }

  void add_lane(const TimelineLane& lane, double y) {
    const std::string name = lane_label(analysis_, lane);
    body_ += "<g>";
    if (!name.empty()) {
      body_ += fmt::format(R"(<text class="lane" x="{:.0f}" y="{:.1f}"><title>{}</title>{}</text>)",
                           left - 10, y + lane_height / 2 + 4, escape_xml(name),
                           escape_xml(elide(name, label_letters)));
    }
    body_ +=
        fmt::format(R"(<rect class="track" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.0f}"/>)",
                    left, y, plot_width, lane_height);
    add_spans(lane, y);
    add_ticks(lane, y);
    body_ += "</g>\n";
  }

  // What is narrower than a column has no room for a name, nor for a pointer: one path a colour.
  void add_spans(const TimelineLane& lane, double y) {
    std::map<std::string_view, std::string> narrow;
    std::string wide;
    for (const PictureMark& mark : lane_picture(lane.spans, window_, columns)) {
      const double from = x_of(mark.start_ns);
      const double length = std::max(1.0, x_of(mark.end_ns) - from);
      const std::string_view colour = span_colour(analysis_, lane.kind, mark.item);
      if (length < 3) {
        const double height = std::max(3.0, lane_height * mark.busy);
        narrow[colour] += fmt::format("M{:.1f} {:.1f}h{:.1f}v{:.1f}h-{:.1f}z", from,
                                      y + lane_height - height, length, height, length);
        continue;
      }
      wide += wide_span(lane, mark, colour, from, length, y);
    }
    for (const auto& [colour, path] : narrow) {
      body_ += fmt::format(R"(<path class="c-{}" d="{}"/>)", colour, path);
    }
    body_ += wide;
  }

  std::string wide_span(const TimelineLane& lane, const PictureMark& mark, std::string_view colour,
                        double from, double length, double y) const {
    std::string title;
    for (const std::string& line : mark_lines(analysis_, lane, mark, false)) {
      title += (title.empty() ? "" : ", ") + line;
    }
    const double height = std::max(3.0, lane_height * mark.busy);
    std::string text = fmt::format(
        R"(<g><title>{}</title><rect class="span c-{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>)",
        escape_xml(title), colour, from, y + lane_height - height, length, height);
    if (length >= least_label_width && mark.count == 1) {
      const auto room = static_cast<std::size_t>((length - 6) / letter);
      text += fmt::format(R"(<text class="name" x="{:.1f}" y="{:.1f}">{}</text>)",
                          from + length / 2, y + lane_height / 2 + 4,
                          escape_xml(elide(span_name(analysis_, lane.kind, mark.item), room)));
    }
    return text + "</g>";
  }

  void add_ticks(const TimelineLane& lane, double y) {
    std::map<std::string_view, std::string> paths;
    for (const PictureMark& mark : tick_picture(lane.ticks, window_, columns)) {
      paths[span_colour(analysis_, lane.kind, mark.item)] +=
          fmt::format("M{:.1f} {:.1f}v{:.0f}", x_of(mark.start_ns), y, lane_height);
    }
    for (const auto& [colour, path] : paths) {
      body_ += fmt::format(R"(<path class="untimed s-{}" d="{}"/>)", colour, path);
    }
  }

  double add_legend(double y) {
    std::vector<TimelineLegend> legend = timeline_legend(analysis_);
    std::vector<std::string> labels;
    for (const TimelineLegend& entry : legend) {
      labels.push_back(entry.label);
    }
    labels = elide_apart(labels, legend_letters);
    double x = left;
    for (std::size_t i = 0; i < legend.size(); ++i) {
      const double need = 18 + letter * static_cast<double>(display_width(labels[i])) + 18;
      if (x > left && x + need > width) {
        x = left;
        y += legend_line;
      }
      body_ +=
          fmt::format(R"(<rect class="c-{}" x="{:.1f}" y="{:.1f}" width="12" height="12" rx="2"/>)"
                      R"(<text class="legend" x="{:.1f}" y="{:.1f}">{}</text>)",
                      legend[i].colour, x, y + 4, x + 18, y + 14, escape_xml(labels[i]));
      x += need;
    }
    return y + legend_line + 2;
  }

  const Analysis& analysis_;
  const Timeline& timeline_;
  TimeWindow window_;
  std::string body_;
};

}  // namespace

std::string timeline_svg(const Analysis& analysis, TimeWindow window) {
  return Picture(analysis, window).svg();
}

}  // namespace ridgepoint
