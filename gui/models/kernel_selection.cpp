// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/kernel_selection.h"

namespace ridgepoint::gui {

void KernelSelection::select(std::optional<std::size_t> kernel) {
  if (kernel == current_) {
    return;
  }
  current_ = kernel;
  emit changed();
}

}  // namespace ridgepoint::gui
