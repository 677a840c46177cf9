// How much more or less something is, in the words of tables and sentences alike.
#pragma once

#include <string>

namespace ridgepoint {

// The size of a change without its sign: "30.9 %", "1,230 %", "over 100,000 %" where the share only
// says that the first value is next to nothing. `share` is the difference / the first value.
std::string change_size(double share);
// With its sign: "+30.9 %", "-4.1 %", "over +100,000 %".
std::string signed_change(double share);
// Of a time: "30.9 % more time", "4.1 % less time", "same time" where the first digit shows
// nothing.
std::string time_change(double share);

}  // namespace ridgepoint
