// Events of the Trace Event Format (Google, "Trace Event Format", 2016), which chrome://tracing and
// Perfetto read: one JSON object a line. Processes stand for devices and for the host, threads for
// streams and for the program's threads.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "reports/text_stream.h"

namespace ridgepoint {

// As JSON, quotes included; invalid UTF-8 becomes U+FFFD.
std::string json_quoted(const std::string& text);

class TraceEvents {
 public:
  // Times are printed from `origin_ns` on, in microseconds with three decimals: as doubles, which
  // viewers read them into, nanoseconds since 1970 would lose their last digits.
  TraceEvents(TextStream& out, std::int64_t origin_ns) : out_(out), origin_ns_(origin_ns) {}

  void process(std::int64_t pid, const std::string& name);
  void thread(std::int64_t pid, std::int64_t tid, const std::string& name);
  // `name` as json_quoted() gives it, made once for many events; `arguments` as a JSON object.
  void slice(std::int64_t pid, std::int64_t tid, const std::string& quoted_name,
             const char* category, std::int64_t start_ns, std::int64_t end_ns,
             const std::string& arguments);
  void counter(std::int64_t pid, const char* name, const char* unit, std::int64_t time_ns,
               double value);

 private:
  void next() { out_.put(std::exchange(first_, false) ? "\n" : ",\n"); }
  void time(const char* key, std::int64_t nanoseconds);

  TextStream& out_;
  std::int64_t origin_ns_;
  bool first_ = true;
};

}  // namespace ridgepoint
