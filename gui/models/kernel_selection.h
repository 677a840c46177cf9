// SPDX-License-Identifier: GPL-3.0-or-later
// The one selected kernel that every view shows and any view may change.
#pragma once

#include <QObject>
#include <cstddef>
#include <optional>

namespace ridgepoint::gui {

class KernelSelection : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  std::optional<std::size_t> current() const { return current_; }
  // An index into Analysis::kernels, or nothing. Silent when nothing changes, so that views which
  // write back what they just followed do not loop.
  void select(std::optional<std::size_t> kernel);

 signals:
  void changed();

 private:
  std::optional<std::size_t> current_;
};

}  // namespace ridgepoint::gui
