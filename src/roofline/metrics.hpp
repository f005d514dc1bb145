// The metrics of Nsight Compute that the roofline needs, under all names that they have had.
#pragma once

#include <optional>
#include <string_view>

namespace netcl::roofline {

enum class Metric {
  compute,         // share of the speed of light (SOL) of the compute units, percent
  memory,          // the same of the whole memory system
  dram,            // the same of the DRAM alone, which stands for `memory` where that is missing
  tensor,          // activity of the tensor pipes while a kernel is active, percent
  tensor_elapsed,  // the same over the whole time
  tensor_other,    // of one of several tensor pipes
  duration         // in the unit that stands beside it
};
inline constexpr int kMetrics = static_cast<int>(Metric::duration) + 1;

// What a name means. A name for people may stand for a share in one section of a report and for a
// rate in another; `unit` tells them apart.
struct NamedMetric {
  Metric metric;
  size_t rank;  // of the name: where a launch has several of one metric the lowest counts
};
std::optional<NamedMetric> find_metric(std::string_view name, std::string_view unit);

// The metrics of a launch; an absent one was not measured.
class Metrics {
 public:
  void set(Metric metric, double value);
  // Takes a value under its name; others than those above are ignored.
  void set(std::string_view name, double value);

  const std::optional<double>& operator[](Metric metric) const {
    return values_[static_cast<int>(metric)];
  }
  double time_ns() const { return (*this)[Metric::duration].value_or(0.0); }
  // The best measure of what the tensor pipes do.
  double tensor() const;

 private:
  std::optional<double> values_[kMetrics];
};

}  // namespace netcl::roofline
