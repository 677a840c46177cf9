// What the processes of a run did unlike one another: a row of a joined session adds all of them
// up.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analyzer/session/session.h"

namespace ridgepoint {

class ProcessKernels {
 public:
  // The launches of the next process, their kernels numbered as in the joined session.
  void add(const std::vector<Launch>& launches);
  // Kernels that not every process launched, and such whose launches took longer in one than in
  // another, the longest first: which, and where.
  std::vector<Issue> issues(const std::vector<KernelInfo>& kernels) const;

 private:
  struct Launched {
    std::int64_t timed = 0;
    double time_s = 0;  // of the timed ones
  };
  std::vector<std::map<std::uint32_t, Launched>> processes_;  // by kernel
};

}  // namespace ridgepoint
