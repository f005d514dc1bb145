// How near a kernel is to the limits of its device, and when optimising it may stop. The rules are
// those of the KernelAgent analyzer as merged: the higher speed of light (SOL) is the bottleneck.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "netcl.h"
#include "roofline/metrics.hpp"

namespace netcl::roofline {

class Ceilings;

// Puts a warning behind those that a result has, as far as there is room.
void add_warning(netcl_roofline_result* result, const char* warning);

class Analyzer {
 public:
  // Fails with INVALID_ARGUMENT naming the option.
  explicit Analyzer(const netcl_roofline_options& options);

  void analyze(const Metrics& metrics, netcl_roofline_result* result) const;
  // Declared work against measured ceilings. Fails with INVALID_ARGUMENT naming the argument.
  void analyze_time(Ceilings& ceilings, double time_ns, const netcl_work& work,
                    netcl_roofline_result* result) const;
  // Efficiency, headroom, bottleneck and at_roofline from the two percentages in `result`.
  void conclude(netcl_roofline_result* result) const;
  // Enters the result into the history; the reason is empty when there is none to stop.
  const std::string& should_stop(const netcl_roofline_result& result);
  const std::string& reason() const noexcept { return reason_; }
  void reset_history() {
    history_.clear();
    reason_.clear();
  }
  const netcl_roofline_options& options() const noexcept { return options_; }

 private:
  std::string decide(const netcl_roofline_result& result);

  netcl_roofline_options options_;
  std::vector<double> history_;  // the last convergence_rounds efficiencies
  std::string reason_;           // of the last should_stop
};

const char* bottleneck_name(netcl_bottleneck bottleneck) noexcept;

// The forms of a result.
std::string format_text(const netcl_roofline_result& result);
std::string format_json(const netcl_roofline_result& result);

}  // namespace netcl::roofline
