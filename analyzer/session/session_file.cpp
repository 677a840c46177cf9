#include "analyzer/session/session_file.h"

#include <fmt/format.h>

#include "analyzer/core/file.h"
#include "analyzer/core/text.h"
#include "analyzer/core/zstd.h"
#include "analyzer/session/check.h"
#include "analyzer/session/codec/document.h"
#include "analyzer/session/journal_read.h"

namespace ridgepoint {
namespace {

Result<Session> parse_document(std::string_view text, const std::string& what) {
  return codec::parse_json(text, what).and_then([&](codec::Document document) {
    return codec::check_schema(document, session_schema, what).and_then([&] {
      return codec::session_from_json(document, what);
    });
  });
}

Error not_a_session(std::string_view bytes, const std::string& what) {
  std::string why = bytes.empty() ? "it is empty"
                                  : "it is not a Ridgepoint session (it begins with \"" +
                                        printable(bytes.substr(0, 16)) + "\")";
  return Error{ErrorDomain::input, 0, what, std::move(why),
               "sessions are written by `ridgepoint attention`"};
}

std::string_view without_byte_order_mark(std::string_view bytes) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return bytes.substr(0, mark.size()) == mark ? bytes.substr(mark.size()) : bytes;
}

bool begins_an_object(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && text[start] == '{';
}

}  // namespace

bool is_session_content(std::string_view bytes) {
  return is_zstd(bytes) || begins_an_object(without_byte_order_mark(bytes));
}

Result<Session> parse_session(std::string_view bytes, const std::string& name) {
  const std::string what = "opening " + name;
  std::string unpacked;
  if (is_zstd(bytes)) {
    Result<std::string> text = zstd_decompress(bytes, session_size_limit_bytes, what);
    if (!text) {
      return tl::make_unexpected(text.error());
    }
    unpacked = std::move(*text);
    bytes = unpacked;
  }
  bytes = without_byte_order_mark(bytes);
  if (!begins_an_object(bytes)) {
    return tl::make_unexpected(not_a_session(bytes, what));
  }
  Result<Session> session =
      is_journal(bytes) ? parse_journal(bytes, what) : parse_document(bytes, what);
  if (session) {
    if (std::string fault = session_fault(*session); !fault.empty()) {
      return fail(ErrorDomain::input, what, "it contradicts itself: " + fault);
    }
  }
  return session;
}

Result<Session> read_session(const std::filesystem::path& path) {
  return read_file(path, session_size_limit_bytes).and_then([&](const std::string& bytes) {
    return parse_session(bytes, path.string());
  });
}

std::string session_to_json(const Session& session) {
  return codec::session_document(session, session_schema);
}

Status write_session(const Session& session, const std::filesystem::path& path,
                     const WriteOptions& options) {
  const std::string json = session_to_json(session);
  const bool plain = path.extension() == ".json";
  return write_file(path, plain ? json : zstd_compress(json),
                    options.force ? Overwrite::yes : Overwrite::no);
}

}  // namespace ridgepoint
