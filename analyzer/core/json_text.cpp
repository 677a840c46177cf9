#include "analyzer/core/json_text.h"

#include <set>
#include <vector>

#include "analyzer/core/text.h"

namespace ridgepoint {

std::string plain_message(const nlohmann::json::exception& error) {
  // "[json.exception.parse_error.101] parse error at line 3, column 5: ..."
  const std::string_view text = error.what();
  const std::size_t code = text.find("] ");
  return printable(text.rfind('[', 0) == 0 && code != std::string_view::npos ? text.substr(code + 2)
                                                                             : text);
}

Result<nlohmann::json> parse_json(std::string_view text, const std::string& what, int nesting_limit,
                                  const std::string& hint) {
  using Json = nlohmann::json;
  if (nests_deeper_than(text, nesting_limit)) {
    return fail(ErrorDomain::input, what, "its JSON is nested too deeply", hint);
  }
  std::vector<std::set<std::string>> names;  // of the objects that are open
  std::string twice;
  const auto note_names = [&](int /*depth*/, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) {
      names.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      names.pop_back();
    } else if (event == Json::parse_event_t::key && twice.empty()) {
      const auto& name = parsed.get_ref<const std::string&>();
      twice = names.back().insert(name).second ? std::string() : name;
    }
    return true;
  };
  try {
    Json json = Json::parse(text.begin(), text.end(), note_names);
    if (!twice.empty()) {
      return fail(ErrorDomain::input, what,
                  "\"" + printable(twice) + "\" is given twice in one object", hint);
    }
    return json;
  } catch (const Json::exception& error) {
    return fail(ErrorDomain::input, what, "it is not JSON: " + plain_message(error), hint);
  }
}

}  // namespace ridgepoint
