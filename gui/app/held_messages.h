// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace ridgepoint::gui {

// While one lives, what Qt warns of stays off standard error: --screenshot runs in scripts, where
// the window hints that a platform ignores, or a folder that is not set, only hide what matters.
// Critical and fatal messages pass. One at a time, in main().
class HeldMessages {
 public:
  HeldMessages();
  ~HeldMessages();
  HeldMessages(const HeldMessages&) = delete;
  HeldMessages& operator=(const HeldMessages&) = delete;

  // Prints what was held: after a failure it may say why.
  void release();
};

}  // namespace ridgepoint::gui
