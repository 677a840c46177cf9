#include "reports/trace/trace_events.h"

#include <nlohmann/json.hpp>

namespace ridgepoint {

std::string json_quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void TraceEvents::time(const char* key, std::int64_t nanoseconds) {
  out_.add(",\"{}\":{}.{:03}", key, nanoseconds / 1000, nanoseconds % 1000);
}

void TraceEvents::process(std::int64_t pid, const std::string& name) {
  next();
  out_.add(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})", pid,
           json_quoted(name));
}

void TraceEvents::thread(std::int64_t pid, std::int64_t tid, const std::string& name) {
  next();
  out_.add(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})", pid, tid,
           json_quoted(name));
}

void TraceEvents::slice(std::int64_t pid, std::int64_t tid, const std::string& quoted_name,
                        const char* category, std::int64_t start_ns, std::int64_t end_ns,
                        const std::string& arguments) {
  next();
  out_.add(R"({{"ph":"X","pid":{},"tid":{},"cat":"{}","name":{})", pid, tid, category, quoted_name);
  time("ts", start_ns - origin_ns_);
  time("dur", end_ns - start_ns);
  out_.add(",\"args\":{}}}", arguments);
}

void TraceEvents::counter(std::int64_t pid, const char* name, const char* unit,
                          std::int64_t time_ns, double value) {
  next();
  out_.add(R"({{"ph":"C","pid":{},"name":"{}")", pid, name);
  time("ts", time_ns - origin_ns_);
  out_.add(R"(,"args":{{"{}":{}}}}})", unit, value);
}

}  // namespace ridgepoint
