#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

const char* key(MemoryLevel level) {
  switch (level) {
    case MemoryLevel::hbm:
      return "hbm";
    case MemoryLevel::l2:
      return "l2";
    case MemoryLevel::smem:
      return "smem";
  }
  return "";
}

const char* label(MemoryLevel level) {
  switch (level) {
    case MemoryLevel::hbm:
      return "HBM";
    case MemoryLevel::l2:
      return "L2";
    case MemoryLevel::smem:
      return "Shared memory";
  }
  return "";
}

const char* key(BoundBy bound) {
  switch (bound) {
    case BoundBy::unknown:
      return "unknown";
    case BoundBy::hbm:
      return "hbm";
    case BoundBy::l2:
      return "l2";
    case BoundBy::smem:
      return "smem";
    case BoundBy::compute:
      return "compute";
    case BoundBy::issue:
      return "issue";
    case BoundBy::latency:
      return "latency";
  }
  return "";
}

const char* label(BoundBy bound) {
  switch (bound) {
    case BoundBy::unknown:
      return "unknown";
    case BoundBy::hbm:
      return "HBM bandwidth";
    case BoundBy::l2:
      return "L2 bandwidth";
    case BoundBy::smem:
      return "Shared-memory bandwidth";
    case BoundBy::compute:
      return "Compute";
    case BoundBy::issue:
      return "Issue slots";
    case BoundBy::latency:
      return "Latency";
  }
  return "";
}

const char* key(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::notice:
      return "notice";
    case Severity::warning:
      return "warning";
    case Severity::critical:
      return "critical";
  }
  return "";
}

const char* key(GainKind kind) {
  switch (kind) {
    case GainKind::at_most:
      return "at_most";
    case GainKind::at_least:
      return "at_least";
    case GainKind::measured:
      return "measured";
  }
  return "";
}

const char* label(GainKind kind) {
  switch (kind) {
    case GainKind::at_most:
      return "up to";
    case GainKind::at_least:
      return "at least";
    case GainKind::measured:
      return "measured:";
  }
  return "";
}

const char* key(Confidence confidence) {
  switch (confidence) {
    case Confidence::low:
      return "low";
    case Confidence::medium:
      return "medium";
    case Confidence::high:
      return "high";
  }
  return "";
}

const char* key(Verdict verdict) {
  switch (verdict) {
    case Verdict::met:
      return "met";
    case Verdict::missed:
      return "missed";
    case Verdict::not_applicable:
      return "not_applicable";
  }
  return "";
}

const char* key(Source source) {
  switch (source) {
    case Source::measured:
      return "measured";
    case Source::recording:
      return "recording";
    case Source::imported:
      return "imported";
    case Source::predicted:
      return "predicted";
  }
  return "";
}

std::optional<double> KernelAnalysis::quantity(const std::string& id) const {
  for (const auto& [quantity_id, value] : quantities) {
    if (quantity_id == id) {
      return value;
    }
  }
  return std::nullopt;
}

const Ceiling* Analysis::ceiling(const std::string& id) const {
  for (const Ceiling& one : ceilings) {
    if (one.id == id) {
      return &one;
    }
  }
  return nullptr;
}

}  // namespace ridgepoint
