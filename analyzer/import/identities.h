// Counters that an export lacks although others in it determine them by definition.
#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/import/tables.h"
#include "analyzer/session/session.h"

namespace ridgepoint::importing {

// Adds the columns that can be worked out for at least one of `launches` launches and returns how
// many. All columns must have `launches` rows. A counter that the file has is left alone.
std::size_t add_identities(const std::vector<CounterIdentity>& identities, std::size_t launches,
                           CounterTable& counters);

}  // namespace ridgepoint::importing
