#include "tune/wire_structs.hpp"

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "tune/wire.hpp"

namespace netcl::tune {

namespace {

// Every member once, for both directions. `visit` gets its name and the member itself.
template <class Options, class Visit>
void visit_timing(Options& o, Visit visit) {
  visit("warmup_count", o.warmup_count);
  visit("warmup_ns", o.warmup_ns);
  visit("count", o.count);
  visit("count_least", o.count_least);
  visit("count_most", o.count_most);
  visit("budget_ns", o.budget_ns);
  visit("confidence", o.confidence);
  visit("precision", o.precision);
  visit("flush_bytes", o.flush_bytes);
  visit("seed", o.seed);
  visit("candidates", o.candidates);
  visit("cold_cache", o.cold_cache);
  visit("source", o.source);
}

template <class Statistics, class Visit>
void visit_statistics(Statistics& s, Visit visit) {
  visit("count", s.count);
  visit("median", s.median);
  visit("mean", s.mean);
  visit("deviation", s.deviation);
  visit("min", s.min);
  visit("max", s.max);
  visit("quartile_low", s.quartile_low);
  visit("quartile_high", s.quartile_high);
  visit("interval_low", s.interval_low);
  visit("interval_high", s.interval_high);
  visit("confidence", s.confidence);
  visit("iterations", s.iterations);
  visit("warmup_count", s.warmup_count);
  visit("resolution_ns", s.resolution_ns);
  visit("bytes", s.bytes);
  visit("operations", s.operations);
  visit("bytes_written", s.bytes_written);
  visit("dtype", s.dtype);
  visit("matrix_units", s.matrix_units);
  visit("stop", s.stop);
  visit("cold_cache", s.cold_cache);
  visit("flush_proven", s.flush_proven);
}

struct Writer {
  Json& json;
  void operator()(const char* name, const double& value) const { json[name] = real_to_json(value); }
  template <class Integer>
  void operator()(const char* name, const Integer& value) const {
    json[name] = static_cast<uint64_t>(value);
  }
};

struct Loader {
  const Json& json;
  void operator()(const char* name, double& value) const { value = real_member(json, name); }
  template <class Integer>
  void operator()(const char* name, Integer& value) const {
    value = static_cast<Integer>(
        number_member(json, name, static_cast<uint64_t>(std::numeric_limits<Integer>::max())));
  }
};

}  // namespace

Json real_to_json(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

double real_member(const Json& json, const char* name) {
  const Json& value = member(json, name);
  if (value.is_number()) return value.get<double>();
  const std::string text = text_member(json, name);
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  fail(NETCL_ERROR_CORRUPT_DATA, "member %s of a message is no number", name);
}

Json timing_to_json(const netcl_measurement_options& options) {
  Json json;
  visit_timing(options, Writer{json});
  return json;
}

netcl_measurement_options timing_from_json(const Json& json) {
  netcl_measurement_options options = NETCL_MEASUREMENT_OPTIONS_INIT;
  visit_timing(options, Loader{json});
  return options;
}

Json statistics_to_json(const netcl_statistics& statistics) {
  Json json;
  visit_statistics(statistics, Writer{json});
  return json;
}

netcl_statistics statistics_from_json(const Json& json) {
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  visit_statistics(statistics, Loader{json});
  for (const double value :
       {statistics.median, statistics.mean, statistics.deviation, statistics.min, statistics.max,
        statistics.quartile_low, statistics.quartile_high, statistics.interval_low,
        statistics.interval_high, statistics.confidence, statistics.bytes, statistics.operations}) {
    if (std::isfinite(value) && value >= 0) continue;
    fail(NETCL_ERROR_CORRUPT_DATA, "the statistics of a message hold what is no time");
  }
  return statistics;
}

}  // namespace netcl::tune
