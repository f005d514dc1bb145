#include "roofline/metrics.hpp"

#include <algorithm>

namespace netcl::roofline {

namespace {

struct KnownName {
  std::string_view name;
  std::string_view unit;  // empty: any
  Metric metric;
};

constexpr KnownName kNames[] = {
    {"sm__throughput.avg.pct_of_peak_sustained_elapsed", "", Metric::compute},
    {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", "", Metric::memory},
    {"dram__throughput.avg.pct_of_peak_sustained_elapsed", "", Metric::dram},
    {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "", Metric::dram},
    {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", "", Metric::tensor},
    {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", "", Metric::tensor_elapsed},
    {"gpu__time_duration.sum", "", Metric::duration},
    {"gpu__time_duration.avg", "", Metric::duration},
    // The names for people: since 2021.3, those of 2021, 2020 and before.
    {"Compute (SM) Throughput", "%", Metric::compute},
    {"Compute (SM) [%]", "", Metric::compute},
    {"SM [%]", "", Metric::compute},
    {"SOL SM", "%", Metric::compute},
    {"Memory Throughput", "%", Metric::memory},
    {"Memory [%]", "", Metric::memory},
    {"SOL Memory", "%", Metric::memory},
    {"DRAM Throughput", "%", Metric::dram},
    {"SOL DRAM", "%", Metric::dram},
    {"SOL FB", "%", Metric::dram},
    {"Duration", "", Metric::duration}};

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// Newer devices count their tensor pipes apart, and older reports their instructions.
bool is_tensor_pipe(std::string_view name) {
  return (starts_with(name, "sm__pipe_tensor") ||
          starts_with(name, "sm__inst_executed_pipe_tensor")) &&
         (ends_with(name, ".avg.pct_of_peak_sustained_active") ||
          ends_with(name, ".avg.pct_of_peak_sustained_elapsed"));
}

}  // namespace

std::optional<NamedMetric> find_metric(std::string_view name, std::string_view unit) {
  // Reports put these in front of some names.
  for (const std::string_view prefix : {"breakdown:", "group:"}) {
    if (starts_with(name, prefix)) name.remove_prefix(prefix.size());
  }
  for (const KnownName& known : kNames) {
    if (name != known.name || (!known.unit.empty() && unit != known.unit)) continue;
    return NamedMetric{known.metric, static_cast<size_t>(&known - kNames)};
  }
  if (is_tensor_pipe(name)) return NamedMetric{Metric::tensor_other, std::size(kNames)};
  // Asked for both, the profiler writes the name for people and then the metric's own.
  const size_t place = name.find_last_of(" ([");
  if (place == std::string_view::npos) return std::nullopt;
  std::string_view own = name.substr(place + 1);
  while (!own.empty() && (own.back() == ')' || own.back() == ']')) own.remove_suffix(1);
  return own.find("__") == std::string_view::npos ? std::nullopt : find_metric(own, unit);
}

void Metrics::set(Metric metric, double value) {
  std::optional<double>& place = values_[static_cast<int>(metric)];
  place = metric == Metric::tensor_other ? std::max(place.value_or(0.0), value) : value;
}

void Metrics::set(std::string_view name, double value) {
  const std::optional<NamedMetric> found = find_metric(name, "");
  if (found && found->metric != Metric::duration) set(found->metric, value);
}

double Metrics::tensor() const {
  for (const Metric metric : {Metric::tensor, Metric::tensor_elapsed, Metric::tensor_other}) {
    if ((*this)[metric]) return *(*this)[metric];
  }
  return 0.0;
}

}  // namespace netcl::roofline
