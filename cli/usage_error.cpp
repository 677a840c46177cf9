#include "cli/usage_error.h"

#include <algorithm>

#include "analyzer/core/nearest_word.h"
#include "analyzer/core/text.h"

namespace ridgepoint::cli {
namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

// CLI11 says of a list of words "x not in {a,b}".
std::string readable(std::string text) {
  const std::size_t often = text.find(": At Most 1 required but received");
  if (often != std::string::npos) {
    return text.substr(0, often) + " may be given once";
  }
  const std::size_t list = text.find(" not in {");
  if (list == std::string::npos || text.back() != '}') {
    return text;
  }
  std::string words = text.substr(list + 9, text.size() - list - 10);
  for (std::size_t at = words.find(','); at != std::string::npos; at = words.find(',', at + 2)) {
    words.replace(at, 1, ", ");
  }
  return text.substr(0, list) + " is none of " + words;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

// "did you mean ...? " for an option that the named command does not have.
std::string option_meant(const CLI::App& command, const std::vector<std::string>& words) {
  const std::vector<std::string> known = option_names(command);
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    if (word == "--") {
      return "";
    }
    if (name.rfind("--", 0) == 0 && std::find(known.begin(), known.end(), name) == known.end()) {
      return did_you_mean(name, known);
    }
  }
  return "";
}

// The option that a word names by itself, as in "-o" or "--output".
const CLI::Option* named_option(const CLI::App& command, const std::string& word) {
  return word.size() > 1 && word.front() == '-' ? command.get_option_no_throw(word) : nullptr;
}

// "FILE", or "VALUE" where the help has no name for it.
std::string value_name(const CLI::Option& option) {
  const std::string name = option.get_type_name();
  return name.empty() || name.find(' ') != std::string::npos ? "VALUE" : name;
}

// A word, and the command it is given to: the program itself until one of its commands is named.
struct GivenWord {
  const CLI::App* command;
  std::string text;
};

// All words but the command's name, up to "--" and with it: what follows is another program's.
std::vector<GivenWord> given_words(const CLI::App& app, const std::vector<std::string>& words) {
  const std::vector<std::string> known = command_names(app);
  const CLI::App* command = &app;
  std::vector<GivenWord> given;
  for (const std::string& word : words) {
    if (command == &app && std::find(known.begin(), known.end(), word) != known.end()) {
      command = app.get_subcommand(word);
      continue;
    }
    given.push_back({command, word});
    if (word == "--") {
      break;
    }
  }
  return given;
}

}  // namespace

std::optional<Error> unknown_command(const CLI::App& app, const std::vector<std::string>& words) {
  const std::string first = words.empty() ? "-" : words.front();
  const std::vector<std::string> known = command_names(app);
  if ((!first.empty() && first.front() == '-') ||
      std::find(known.begin(), known.end(), first) != known.end()) {
    return std::nullopt;
  }
  return Error{ErrorDomain::usage, 0, "command line",
               "there is no command \"" + printable(first) + "\"",
               did_you_mean(first, known) + "see ridgepoint --help"};
}

std::optional<Error> flag_with_value(const CLI::App& app, const std::vector<std::string>& words) {
  for (const GivenWord& word : given_words(app, words)) {
    const std::size_t sign = word.text.find('=');
    if (word.text.rfind('-', 0) != 0 || sign == std::string::npos) {
      continue;
    }
    const std::string name = word.text.substr(0, sign);
    const CLI::Option* option = word.command->get_option_no_throw(name);
    const bool is_flag = option != nullptr && option->get_expected_max() == 0;
    if (is_flag && option->get_option_text().rfind("[=", 0) != 0) {
      return Error{ErrorDomain::usage, 0, "command line", name + " takes no value",
                   "leave out " + printable(word.text.substr(sign))};
    }
  }
  return std::nullopt;
}

std::optional<Error> missing_value(const CLI::App& app, const std::vector<std::string>& words) {
  const std::vector<GivenWord> given = given_words(app, words);
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string& word = given[i].text;
    const CLI::Option* option = named_option(*given[i].command, word);
    if (option == nullptr || option->get_expected_min() < 1 || option->get_type_size() < 1) {
      continue;
    }
    const bool last = i + 1 == given.size();
    if (last || given[i + 1].text == "--" ||
        named_option(*given[i + 1].command, given[i + 1].text) != nullptr) {
      return Error{ErrorDomain::usage, 0, "command line",
                   word + " needs a value" +
                       (last ? std::string() : ", and " + given[i + 1].text + " follows it"),
                   "write " + word + " " + value_name(*option)};
    }
    ++i;  // its value, which is no option
  }
  return std::nullopt;
}

Error usage_error(const CLI::ParseError& fault, const CLI::App& app,
                  const std::vector<std::string>& words) {
  const std::string first = words.empty() ? "" : words.front();
  const auto named = app.get_subcommands();
  const std::string command = named.empty() ? "" : named.front()->get_name();
  Error error{ErrorDomain::usage, 0, "command line", readable(fault.what()),
              command.empty() ? "see ridgepoint --help" : "see ridgepoint " + command + " --help"};
  std::string meant;
  if (named.empty() && !first.empty() && first.front() == '-') {
    error.why = "there is no option \"" + printable(first) + "\"";
    meant = did_you_mean(first.substr(0, first.find('=')), option_names(app));
  } else if (!named.empty() &&
             fault.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    meant = option_meant(*named.front(), words);
  }
  error.hint = meant + error.hint;
  return error;
}

}  // namespace ridgepoint::cli
