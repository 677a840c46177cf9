#include "analyzer/traffic/quantities.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {
namespace {

// Values of one quantity as they come in, by its own rule.
class Gathered {
 public:
  void add(double value, double weight) {
    highest_ = count_ == 0 ? value : std::max(highest_, value);
    sum_ += value;
    weighted_ += weight * value;
    weight_ += weight;
    ++count_;
  }
  std::size_t count() const { return count_; }
  std::optional<double> value(Aggregate rule) const {
    if (count_ == 0) {
      return std::nullopt;
    }
    switch (rule) {
      case Aggregate::sum:
        return sum_;
      case Aggregate::maximum:
        return highest_;
      case Aggregate::time_weighted_mean:
        return weight_ > 0 ? std::optional<double>(weighted_ / weight_) : std::nullopt;
    }
    return std::nullopt;
  }

 private:
  double sum_ = 0;
  double highest_ = 0;
  double weighted_ = 0;
  double weight_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

std::optional<double> Quantities::get(const std::string& id) const {
  const auto found = std::find_if(values_.begin(), values_.end(),
                                  [&](const auto& one) { return one.first == id; });
  return found == values_.end() ? std::nullopt : std::optional<double>(found->second);
}

LaunchCounters::LaunchCounters(const Session& session, const CounterMap* map) : session_(&session) {
  if (map == nullptr) {
    return;
  }
  for (const QuantityDefinition& quantity : map->quantities) {
    if (!quantity.stands_in_for.empty()) {
      continue;
    }
    Source source{&quantity, terms_of(quantity), {}};
    if (source.terms.empty()) {
      continue;
    }
    if (quantity.id == "time_s") {
      time_ = sources_.size();
    }
    sources_.push_back(std::move(source));
  }
  add_stand_ins(*map);
}

// Empty unless the session has the counters of all terms.
std::vector<LaunchCounters::Term> LaunchCounters::terms_of(
    const QuantityDefinition& quantity) const {
  std::vector<Term> terms;
  for (const CounterTerm& term : quantity.terms) {
    const std::vector<double>* column = session_->counters.find(term.counter);
    if (column == nullptr) {
      return {};
    }
    terms.push_back({term.scale, column});
  }
  return terms;
}

void LaunchCounters::add_stand_ins(const CounterMap& map) {
  for (const QuantityDefinition& quantity : map.quantities) {
    std::vector<Term> terms =
        quantity.stands_in_for.empty() ? std::vector<Term>() : terms_of(quantity);
    const QuantityDefinition* whole = terms.empty() ? nullptr : map.find(quantity.stands_in_for);
    if (whole == nullptr) {
      continue;
    }
    const auto source = std::find_if(sources_.begin(), sources_.end(),
                                     [&](const Source& one) { return one.quantity == whole; });
    if (source != sources_.end()) {
      source->stand_in = std::move(terms);
    } else {
      sources_.push_back({whole, {}, std::move(terms)});
    }
  }
}

std::optional<double> LaunchCounters::evaluate(const std::vector<Term>& terms, std::size_t launch) {
  if (terms.empty()) {
    return std::nullopt;
  }
  double value = 0;
  for (const Term& term : terms) {
    if (launch >= term.column->size() || !std::isfinite((*term.column)[launch])) {
      return std::nullopt;
    }
    value += term.scale * (*term.column)[launch];
  }
  return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

std::optional<double> LaunchCounters::time_s(std::size_t launch) const {
  if (time_) {
    if (const auto value = evaluate(sources_[*time_].terms, launch); value && *value > 0) {
      return value;
    }
  }
  const Launch& one = session_->launches[launch];
  if (one.end_ns > one.start_ns) {
    return (static_cast<double>(one.end_ns) - static_cast<double>(one.start_ns)) * 1e-9;
  }
  return std::nullopt;
}

Quantities LaunchCounters::gather(const std::vector<std::uint32_t>& launches,
                                  const std::vector<double>& times_s,
                                  std::vector<std::string>& incomplete) const {
  Quantities result;
  for (const Source& source : sources_) {
    Gathered gathered;
    bool in_part = false;
    for (const std::uint32_t launch : launches) {
      auto value = evaluate(source.terms, launch);
      if (!value) {
        value = evaluate(source.stand_in, launch);
        in_part = in_part || value;
      }
      if (value) {
        gathered.add(*value, std::isnan(times_s[launch]) ? 1.0 : times_s[launch]);
      }
    }
    const QuantityDefinition& quantity = *source.quantity;
    if (gathered.count() > 0 && gathered.count() < launches.size() &&
        quantity.aggregate == Aggregate::sum) {
      incomplete.push_back(quantity.id);
    } else if (const auto value = gathered.value(quantity.aggregate);
               value && !(in_part && *value == 0)) {
      result.set(quantity.id, *value);
    }
  }
  return result;
}

std::vector<double> launch_times_s(const Session& session,
                                   const std::vector<LaunchCounters>& counters) {
  std::vector<double> times_s(session.launches.size());
  for (std::size_t launch = 0; launch < times_s.size(); ++launch) {
    times_s[launch] =
        counters[session.launches[launch].device].time_s(launch).value_or(not_measured);
  }
  return times_s;
}

}  // namespace ridgepoint
