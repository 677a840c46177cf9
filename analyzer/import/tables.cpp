#include "analyzer/import/tables.h"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "analyzer/core/data_path.h"
#include "analyzer/core/file.h"

namespace ridgepoint::importing {

using nlohmann::json;

// Found by nlohmann::json through the namespace of their argument.
static void from_json(const json& object, IdentityTerm& term) {
  object.at("factors").get_to(term.factors);
  term.divisors = object.value("divisors", std::vector<std::string>());
  term.scale = object.value("scale", 1.0);
}

static void from_json(const json& object, CounterIdentity& identity) {
  object.at("counter").get_to(identity.counter);
  object.at("terms").get_to(identity.terms);
}

namespace {

constexpr std::uint64_t table_size_limit_bytes = 1U << 20U;

template <class Fill>
Status read_table(const std::filesystem::path& path, const char* schema, Fill fill) {
  return read_file(path, table_size_limit_bytes).and_then([&](const std::string& text) -> Status {
    // These files ship with the program; a damaged one is an error all the same, not a crash.
    try {
      const json document = json::parse(text);
      if (document.at("schema") != schema) {
        return fail(ErrorDomain::input, "reading " + path.string(),
                    std::string("its schema is not \"") + schema + "\"");
      }
      fill(document);
    } catch (const json::exception& fault) {
      return fail(ErrorDomain::input, "reading " + path.string(), fault.what(),
                  "the installation is damaged: install it again");
    }
    return {};
  });
}

}  // namespace

Result<Tables> load_tables() {
  Tables tables;
  return data_directory().and_then([&](const std::filesystem::path& data) {
    const std::filesystem::path folder = data / "import";
    return read_table(folder / "ncu-details.json", "ridgepoint-import-names",
                      [&](const json& file) { file.at("sections").get_to(tables.display_names); })
        .and_then([&] {
          return read_table(
              folder / "ncu-identities.json", "ridgepoint-import-identities",
              [&](const json& file) { file.at("counters").get_to(tables.identities); });
        })
        .and_then([&] {
          return read_table(
              folder / "ncu-chips.json", "ridgepoint-import-chips", [&](const json& file) {
                file.at("by_id").get_to(tables.chip_by_id);
                file.at("by_compute_capability").get_to(tables.chips_by_compute_capability);
              });
        })
        .map([&] { return std::move(tables); });
  });
}

}  // namespace ridgepoint::importing
