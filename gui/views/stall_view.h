// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gui/views/analysis_view.h"

namespace ridgepoint::gui {

class BarChart;
struct BarRow;

// What the warps of each kernel waited for. Memory reasons stand first, so that their end on
// the bar is the memory stall ratio.
class StallView : public AnalysisView {
  Q_OBJECT

 public:
  StallView(KernelSelection& selection, QWidget* parent);

 protected:
  void showAnalysis(const Analysis& analysis) override;
  void showSelection() override;
  void showTheme() override;

 private:
  BarRow bar(std::size_t kernel, const std::string& name, std::int64_t samples,
             const std::optional<double>& memory, const std::vector<StallShare>& stalls) const;

  BarChart* chart_;
};

}  // namespace ridgepoint::gui
