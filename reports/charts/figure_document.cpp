#include "reports/charts/figure_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "reports/charts/palette.h"
#include "reports/escape.h"
#include "reports/presenters/provenance.h"
#include "reports/text/text_layout.h"

namespace ridgepoint {
namespace {

constexpr double margin = 20;
constexpr double heading_height = 30;
constexpr double line_height = 19;
constexpr std::size_t line_letters = 140;  // of 13 pixels, in the 1040 that every chart is wide

struct Opened {
  double width = 0, height = 0;
  std::string label;  // escaped
  std::string inside;
};

// Our own elements, so that the form is known.
Opened opened(const std::string& svg) {
  Opened element;
  const std::size_t box = svg.find("viewBox=\"0 0 ");
  char* rest = nullptr;
  element.width = std::strtod(svg.c_str() + box + 13, &rest);
  element.height = std::strtod(rest, nullptr);
  const std::size_t body = svg.find('>') + 1;
  element.inside = svg.substr(body, svg.rfind("</svg>") - body);
  const std::string attribute = "aria-label=\"";
  if (const std::size_t at = svg.find(attribute); at < body) {
    const std::size_t begin = at + attribute.size();
    element.label = svg.substr(begin, svg.find('"', begin) - begin);
  }
  return element;
}

class Document {
 public:
  void heading(const std::string& text, int size) {
    body_ += fmt::format(
        "<text x=\"{:.0f}\" y=\"{:.0f}\" font-size=\"{}\" font-weight=\"650\" "
        "fill=\"var(--ink)\">{}</text>\n",
        margin, y_ + 18, size, escape_xml(text));
    y_ += heading_height;
  }

  void paragraph(const std::string& text) {
    std::istringstream lines(wrap(text, line_letters, "", ""));
    for (std::string line; std::getline(lines, line);) {
      body_ += fmt::format(
          "<text x=\"{:.0f}\" y=\"{:.0f}\" font-size=\"13\" fill=\"var(--muted)\">{}</text>\n",
          margin, y_ + 11, escape_xml(line));
      y_ += line_height;
    }
  }

  void chart(const Opened& one, std::string_view class_name) {
    y_ += margin / 2;
    body_ += fmt::format("<g class=\"{}\" transform=\"translate({:.0f} {:.0f})\">\n{}</g>\n",
                         class_name, margin, y_, one.inside);
    width_ = std::max(width_, one.width);
    y_ += one.height + margin;
  }

  std::string svg(const std::string& title, const std::string& description, std::string_view css,
                  bool focusable) const {
    return with_light_colours(fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"{2}\" font-family=\"system-ui, "
        "-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif\">\n"
        "<title>{3}</title>\n<desc>{4}</desc>\n<style>{5}</style>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{6}</svg>\n",
        width_ + 2 * margin, y_, focusable ? "group" : "img", title, description, css, body_));
  }

 private:
  double y_ = margin;
  double width_ = 0;
  std::string body_;
};

}  // namespace

std::string figure_document(const Analysis& analysis, const FigureText& text,
                            std::string_view class_name, std::string_view css,
                            const std::vector<FigurePart>& parts, bool focusable) {
  const std::string session = session_line(analysis);
  std::string description;
  const auto describe = [&](const std::string& escaped) {
    description += (description.empty() || escaped.empty() ? "" : " ") + escaped;
  };
  Document document;
  document.heading(text.title, 20);
  document.paragraph(session);
  for (const std::string& caption : text.captions) {
    document.paragraph(caption);
    describe(escape_xml(caption));
  }
  for (const FigurePart& part : parts) {
    const Opened one = opened(part.svg);
    if (!part.heading.empty()) {
      document.heading(part.heading, 16);
    }
    for (const std::string& caption : part.captions) {
      document.paragraph(caption);
      describe(escape_xml(caption));
    }
    document.chart(one, class_name);
    describe(part.summary.empty() ? one.label : escape_xml(part.summary));
  }
  return document.svg(escape_xml(text.title + ": " + session), description, css, focusable);
}

}  // namespace ridgepoint
