#include "cli/usage_error.h"

#include <algorithm>
#include <cctype>

#include "analyzer/core/nearest_word.h"
#include "analyzer/core/text.h"
#include "cli/foreign_options.h"

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

std::string help_of(const CLI::App& command) {
  const bool whole = command.get_parent() == nullptr;
  return "see ridgepoint " + (whole ? std::string() : command.get_name() + " ") + "--help";
}

bool asks_for_help(const std::vector<GivenWord>& given) {
  return std::any_of(given.begin(), given.end(), [](const GivenWord& word) {
    return word.text == "--help" || word.text == "-h";
  });
}

bool looks_like_option(const std::string& word) {
  return word.size() > 1 && word.front() == '-' && word != "--" &&
         std::isdigit(static_cast<unsigned char>(word[1])) == 0 && word[1] != '.';
}

// Short flags may stand together, the value of a short option right behind it: "-qk", "-kgemm".
struct ReadOption {
  std::string name;                     // the first that is not known, else the last one
  const CLI::Option* option = nullptr;  // what it names
  bool has_value = false;               // in the same word
};

ReadOption read_option(const CLI::App& command, const std::string& word) {
  if (word.rfind("--", 0) == 0) {
    const std::size_t sign = word.find('=');
    const std::string name = word.substr(0, sign);
    return {name, command.get_option_no_throw(name), sign != std::string::npos};
  }
  ReadOption read;
  for (std::size_t i = 1; i < word.size(); ++i) {
    read.name = std::string("-") + word[i];
    read.option = command.get_option_no_throw(read.name);
    if (read.option == nullptr || read.option->get_expected_max() > 0) {
      read.has_value = i + 1 < word.size();
      break;
    }
  }
  return read;
}

bool takes_value(const CLI::Option& option) {
  return option.get_expected_min() > 0 && option.get_type_size() > 0;
}

// Flags that may have a value take it in the same word alone: "--pm-sampling=5".
bool takes_value_by_sign(const CLI::Option& option) {
  return option.get_option_text().rfind("[=", 0) == 0;
}

bool is_number(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789.") == std::string::npos;
}

// What the user meant by an option that there is not. `program`: words before it that are the
// profiled program's.
std::string option_meant(const CLI::App& command, const std::string& name,
                         const std::string& program) {
  const bool runs_program = command.get_option_no_throw("PROGRAM") != nullptr;
  if (!program.empty() && runs_program) {
    return "if it is the program's, put -- before: ridgepoint " + command.get_name() + " -- " +
           printable(program) + " ...; ";
  }
  const std::string here = runs_program ? equivalent_of(name) : "";
  return here.empty() ? did_you_mean(name, option_names(command)) : here + "; ";
}

}  // namespace

std::optional<Error> unknown_option(const CLI::App& app, const std::vector<std::string>& words) {
  const std::vector<GivenWord> given = given_words(app, words);
  if (asks_for_help(given)) {
    return std::nullopt;
  }
  std::string program;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto& [command, word] = given[i];
    if (command->get_allow_extras() || word == "--") {
      return std::nullopt;
    }
    if (!looks_like_option(word)) {
      program = program.empty() ? word : program;
      continue;
    }
    const ReadOption read = read_option(*command, word);
    if (read.option == nullptr) {
      return Error{ErrorDomain::usage, 0, "command line",
                   "there is no option \"" + printable(read.name) + "\"",
                   option_meant(*command, read.name, program) + help_of(*command)};
    }
    const bool more = !read.has_value && i + 1 < given.size();
    if (more && takes_value_by_sign(*read.option) && is_number(given[i + 1].text)) {
      return Error{ErrorDomain::usage, 0, "command line",
                   read.name + " takes a value only behind =",
                   "write " + read.name + "=" + given[i + 1].text};
    }
    i += more && takes_value(*read.option) ? 1 : 0;
  }
  return std::nullopt;
}

std::optional<Error> word_before_program(const CLI::App& app,
                                         const std::vector<std::string>& words) {
  const std::vector<GivenWord> given = given_words(app, words);
  if (given.empty() || given.back().text != "--" || given.back().command->get_allow_extras() ||
      given.back().command->get_option_no_throw("PROGRAM") == nullptr || asks_for_help(given)) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i + 1 < given.size(); ++i) {
    const auto& [command, word] = given[i];
    if (!looks_like_option(word)) {
      return Error{ErrorDomain::usage, 0, "command line",
                   "\"" + printable(word) + "\" is no option, and the program comes after --",
                   help_of(*command)};
    }
    const ReadOption read = read_option(*command, word);
    i += read.option != nullptr && !read.has_value && takes_value(*read.option) ? 1 : 0;
  }
  return std::nullopt;
}

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
    if (option == nullptr || !takes_value(*option)) {
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
  const auto named = app.get_subcommands();
  const CLI::App& command = named.empty() ? app : *named.front();
  Error error{ErrorDomain::usage, 0, "command line", readable(fault.what()), help_of(command)};
  if (named.empty() && !words.empty() && words.front().rfind('-', 0) == 0) {
    error.why = "there is no option \"" + printable(words.front()) + "\"";
  }
  return error;
}

}  // namespace ridgepoint::cli
