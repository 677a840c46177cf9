#include "analyzer/core/json_text.h"

#include <optional>
#include <set>
#include <vector>

#include "analyzer/core/text.h"

namespace ridgepoint {
namespace {

using Json = nlohmann::json;

// Looks for a name that an object has twice. A pass of its own: the library's callback for building
// a document takes time that grows with the square of a list's length.
struct RepeatedName : nlohmann::json_sax<Json> {
  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t /*value*/) override { return true; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
  bool string(string_t& /*value*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool start_object(std::size_t /*elements*/) override {
    open.emplace_back();
    return true;
  }
  bool key(string_t& name) override {
    if (!open.back().insert(name).second) {
      found = name;
    }
    return !found;
  }
  bool end_object() override {
    open.pop_back();
    return true;
  }
  bool start_array(std::size_t /*elements*/) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    return false;
  }

  std::vector<std::set<std::string>> open;  // the names of the objects around this place
  std::optional<std::string> found;
};

}  // namespace

std::string plain_message(const nlohmann::json::exception& error) {
  // "[json.exception.parse_error.101] parse error at line 3, column 5: ..."
  const std::string_view text = error.what();
  const std::size_t code = text.find("] ");
  return printable(text.rfind('[', 0) == 0 && code != std::string_view::npos ? text.substr(code + 2)
                                                                             : text);
}

Result<nlohmann::json> parse_json(std::string_view text, const std::string& what, int nesting_limit,
                                  const std::string& hint) {
  // Brackets of a file of another kind would be counted as nesting.
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) {
    return fail(ErrorDomain::input, what, "it is not JSON: it is empty", hint);
  }
  constexpr std::string_view zstd_frame = "\x28\xB5\x2F\xFD";  // RFC 8878, 3.1.1
  if (text.substr(0, zstd_frame.size()) == zstd_frame) {
    return fail(ErrorDomain::input, what,
                "it is not JSON: it is packed with zstd, as sessions (.ridge) are", hint);
  }
  if (text[start] != '{' && text[start] != '[' &&
      static_cast<unsigned char>(text[start]) != 0xEF) {  // a byte order mark
    return fail(ErrorDomain::input, what, "it is not JSON: it begins with neither { nor [", hint);
  }
  if (nests_deeper_than(text, nesting_limit)) {
    return fail(ErrorDomain::input, what, "its JSON is nested too deeply", hint);
  }
  try {
    Json json = Json::parse(text.begin(), text.end());
    RepeatedName repeated;
    Json::sax_parse(text.begin(), text.end(), &repeated);
    if (repeated.found) {
      return fail(ErrorDomain::input, what,
                  "\"" + printable(*repeated.found) + "\" is given twice in one object", hint);
    }
    return json;
  } catch (const Json::exception& error) {
    return fail(ErrorDomain::input, what, "it is not JSON: " + plain_message(error), hint);
  }
}

}  // namespace ridgepoint
