// How `--help` looks: wrapped to the terminal, values as a user types them (`auto|json|none`), and
// limits, defaults and companions of an option after its description.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <memory>
#include <string>

namespace ridgepoint::cli {

// What an option takes, from the type that CLI11 composes of a name and its validators, as in
// "TEXT:{fp16,bf16}" or "INT:INT 0 to 9".
struct ValueText {
  std::string type;    // "fp16|bf16", "N"; empty for a plain flag
  std::string limits;  // "0 to 9"; empty where any value goes
};
ValueText value_text(const std::string& composed_type);

// A footer wrapped to `width`: paragraphs are filled; lines that begin with a blank (examples,
// lists) stay apart, and a command that does not fit is continued as a shell reads it.
std::string wrapped_footer(const std::string& footer, std::size_t width);

class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::size_t width);
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_footer(const CLI::App* app) const override;
  std::string make_subcommand(const CLI::App* sub) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;

 private:
  // `left`, and `text` wrapped from the column `at` on.
  std::string row(const std::string& left, const std::string& text, std::size_t at) const;
  std::size_t width_;
};

}  // namespace ridgepoint::cli
