// Keeps the samples of one GPU: the series within a bound, and for each phase a summary of all
// samples, whether they were kept or not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/session/session.h"

namespace ridgepoint::collector {

class PowerLog {
 public:
  // When `most_samples` are kept, every second one goes and from then on only every second new one
  // is kept; and so on. A run of days costs no more memory than one of minutes.
  explicit PowerLog(std::size_t most_samples) : most_samples_(most_samples) {}

  // Ends the phase before, if there is one.
  void begin_phase(const std::string& name, const std::string& variant, std::int64_t time_ns);
  void end_phase(std::int64_t time_ns, std::int64_t runs);
  void add(const PowerSample& sample);

  const std::vector<PowerSample>& samples() const { return samples_; }
  const std::vector<PowerPhase>& phases() const { return phases_; }

 private:
  // The phase that is open, with what its means are made of.
  struct Open {
    PowerPhase phase;
    double power_sum_w = 0;
    std::int64_t power_samples = 0;
    double clock_sum_hz = 0;
    std::optional<double> last_energy_j;
    double first_change_j = 0;
    std::int64_t first_change_ns = 0;
  };
  void add_to_phase(const PowerSample& sample);
  void add_energy(const PowerSample& sample);

  std::size_t most_samples_;
  std::size_t keep_every_ = 1;
  std::size_t seen_ = 0;
  std::vector<PowerSample> samples_;
  std::vector<PowerPhase> phases_;
  std::optional<Open> open_;
};

}  // namespace ridgepoint::collector
