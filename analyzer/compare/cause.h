#pragma once

#include <string>

#include "analyzer/compare/compare.h"

namespace ridgepoint {

// "11.9 % more time: HBM bytes up 80.0 %, same FLOP". The change of time and its standing, then
// what moved in the direction that explains it, then what stayed the same. It names correlates:
// that bytes and time rose together does not prove that one made the other, and for tested changes
// only.
std::string cause_sentence(const SubjectChange& subject);

}  // namespace ridgepoint
