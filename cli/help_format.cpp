#include "cli/help_format.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "reports/text/text_layout.h"

namespace ridgepoint::cli {
namespace {

constexpr std::size_t description_column = 28;
constexpr std::size_t command_column = 14;
constexpr std::size_t widest_type = 28;  // a longer list of choices goes beside the description

bool starts_with(const std::string& text, const char* start) {
  return text.rfind(start, 0) == 0;
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : between) + word;
  }
  return text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// "INT 0 to 9", "FLOAT above 0", "FLOAT in [0.01 - 3600]": without the type, which the name says.
std::string without_type(std::string limits) {
  for (const char* type : {"UINT ", "INT ", "FLOAT "}) {
    if (starts_with(limits, type)) {
      limits.erase(0, std::string(type).size());
    }
  }
  if (starts_with(limits, "in [") && limits.back() == ']') {
    limits = replaced(limits.substr(4, limits.size() - 5), " - ", " to ");
  }
  // A limit that only keeps the arithmetic in range tells nobody anything.
  constexpr double out_of_reach = 1e9;
  const std::size_t to = limits.rfind(" to ");
  const bool is_open =
      to != std::string::npos && std::strtod(limits.c_str() + to + 4, nullptr) >= out_of_reach;
  return is_open ? "" : limits;
}

std::string names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) {
    names.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    names.push_back("--" + name);
  }
  return joined(names, ",");
}

std::vector<std::string> names_of(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options) {
    names.push_back(option->get_name());
  }
  std::sort(names.begin(), names.end());  // the set is ordered by address
  return names;
}

bool is_long_list(const std::string& type) {
  return type.size() > widest_type && type.find('|') != std::string::npos;
}

// Limits, default and companions, which have no place in the left column.
std::string remarks(const CLI::Option& option, const ValueText& value) {
  std::vector<std::string> all;
  if (is_long_list(value.type)) {
    all.push_back(replaced(value.type, "|", ", "));
  }
  if (!value.limits.empty()) {
    all.push_back(value.limits);
  }
  if (option.get_required() && !option.get_positional()) {
    all.emplace_back("required");
  }
  if (!option.get_default_str().empty()) {
    all.push_back("default: " + option.get_default_str());
  }
  if (!option.get_needs().empty()) {
    all.push_back("with " + joined(names_of(option.get_needs()), ", "));
  }
  if (!option.get_excludes().empty()) {
    all.push_back("not with " + joined(names_of(option.get_excludes()), ", "));
  }
  return all.empty() ? "" : " (" + joined(all, "; ") + ")";
}

// "  command --option   what it does": a remark stands after three blanks or more.
void add_indented(const std::string& line, std::size_t width, std::string& out) {
  const std::size_t indent = line.find_first_not_of(' ');
  const std::size_t remark = line.find("   ", indent);
  const std::string command = line.substr(indent, remark - indent);
  const std::string deeper(indent + 4, ' ');
  const std::string first(indent, ' ');
  if (starts_with(command, "ridgepoint") || starts_with(command, "ncu")) {
    std::istringstream lines(wrap(command, width - 2, first, deeper));
    std::string text;
    for (std::string part; std::getline(lines, part);) {
      text += (text.empty() ? "" : " \\\n") + part;
    }
    out += text + "\n";
    if (remark != std::string::npos) {
      out += wrap(line.substr(line.find_first_not_of(' ', remark)), width, deeper, deeper);
    }
    return;
  }
  // A list: what follows the blanks hangs below itself.
  const std::size_t text =
      remark == std::string::npos ? indent : line.find_first_not_of(' ', remark);
  out += wrap(line.substr(text), width, line.substr(0, text), std::string(text, ' '));
}

}  // namespace

ValueText value_text(const std::string& composed_type) {
  const std::size_t colon = composed_type.find(':');
  ValueText value{composed_type.substr(0, colon), {}};
  if (colon != std::string::npos) {
    const std::string rest = composed_type.substr(colon + 1);
    if (starts_with(rest, "{")) {
      value.type = replaced(rest.substr(1, rest.find('}') - 1), ",", "|");
      return value;
    }
    value.limits = without_type(rest);
  }
  if (value.type == "INT" || value.type == "UINT" || value.type == "FLOAT") {
    value.type = "N";
  } else if (value.type == "TEXT") {
    value.type = "NAME";
  }
  return value;
}

std::string wrapped_footer(const std::string& footer, std::size_t width) {
  std::string out;
  std::string paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) {
      out += wrap(paragraph, width, "", "");
      paragraph.clear();
    }
  };
  std::istringstream lines(footer);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == ' ' || line.back() == ':') {
      end_paragraph();
    }
    if (line.empty()) {
      out += "\n";
    } else if (line.front() != ' ') {
      paragraph += (paragraph.empty() ? "" : " ") + line;
      if (line.back() == ':') {
        end_paragraph();
      }
    } else if (display_width(line) <= width) {
      out += line + "\n";
    } else if (line.find_first_not_of(' ') != std::string::npos) {
      add_indented(line, width, out);
    }
  }
  end_paragraph();
  return out;
}

HelpFormatter::HelpFormatter(std::size_t width) : width_(width) {}

std::string HelpFormatter::row(const std::string& left, const std::string& text,
                               std::size_t at) const {
  const std::string start = "  " + left;
  const std::string column(at, ' ');
  if (text.empty()) {
    return start + "\n";
  }
  if (display_width(start) + 2 > at) {
    return wrap(start.substr(2), width_, "  ", "      ") + wrap(text, width_, column, column);
  }
  return wrap(text, width_, start + std::string(at - display_width(start), ' '), column);
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
  // CLI11 ends a group, and begins the next, with an empty line.
  return replaced(CLI::Formatter::make_help(app, std::move(name), mode), "\n\n\n", "\n\n");
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
  return wrapped_footer(app->get_footer(), width_);
}

std::string HelpFormatter::make_subcommand(const CLI::App* sub) const {
  return row(sub->get_name(), sub->get_description(), command_column);
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  std::string left = is_positional ? option->get_name(true, false) : names_of(*option);
  ValueText value;
  if (!option->get_option_text().empty()) {
    value.type = option->get_option_text();
  } else if (option->get_type_size() != 0) {
    value = value_text(option->get_type_name());
  }
  const bool many = option->get_expected_max() >= CLI::detail::expected_max_vector_size;
  if (is_positional) {
    left += many ? "..." : "";
  } else if (starts_with(value.type, "[=")) {  // a flag that may be given a value
    left += value.type;
  } else if (!value.type.empty()) {
    left += " " + (is_long_list(value.type) ? std::string("NAME") : value.type);
  }
  return row(left, option->get_description() + remarks(*option, value), description_column);
}

}  // namespace ridgepoint::cli
