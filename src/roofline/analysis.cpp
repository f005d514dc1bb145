#include "roofline/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/error.hpp"
#include "core/number.hpp"

namespace netcl::roofline {

namespace {

// More than this shows that a metric or its peak is wrong; a little more than 100 % is noise.
constexpr double kSharePlausible = 105.0;

double percentage(double value, double fallback, const char* name) {
  if (value == 0.0) return fallback;
  if (!(value > 0.0) || std::isinf(value)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->%s is %g; it is a percentage, or 0 for %g", name,
         value, fallback);
  }
  return value;
}

// A threshold as a share, 0.9 for 90 %, would hold for every kernel.
double threshold(double value, double fallback, const char* name) {
  const double checked = percentage(value, fallback, name);
  if (checked < 1.0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->%s is %g; it is a percentage from 1 to 100: write %g for %g %%", name, value,
         100.0 * value, 100.0 * value);
  }
  if (checked > 100.0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->%s is %g; it is a percentage from 1 to 100, or 0 for %g", name, value, fallback);
  }
  return checked;
}

std::string quoted_json(const char* text) {
  std::string out = "\"";
  for (const char* c = text; *c != '\0'; ++c) {
    if (*c == '"' || *c == '\\') out += '\\';
    if (static_cast<unsigned char>(*c) < 0x20) {
      out += format("\\u%04x", *c);
    } else {
      out += *c;
    }
  }
  return out + "\"";
}

// "a; b" as ["a", "b"].
std::string warnings_json(const char* warnings) {
  std::string out = "[";
  const std::string text = warnings;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find("; ", at), text.size());
    if (at > 0) out += ", ";
    out += quoted_json(text.substr(at, end - at).c_str());
    at = end + 2;
  }
  return out + "]";
}

}  // namespace

void add_warning(netcl_roofline_result* result, const char* text) {
  // What stands between two warnings stands in none.
  std::string warning = text;
  for (size_t at = 0; (at = warning.find("; ", at)) != std::string::npos;) warning[at] = ',';
  const size_t used = std::strlen(result->warnings);
  const char* separator = used > 0 ? "; " : "";
  const size_t more = std::strlen(separator) + warning.size();
  ++result->warnings_count;
  if (used + more + 1 > sizeof result->warnings) return;
  std::strcat(result->warnings, separator);
  std::strcat(result->warnings, warning.c_str());
}

static void warn_above_peak(const char* what, double share, netcl_roofline_result* result) {
  if (!(share > kSharePlausible)) return;
  add_warning(result, format("%s SOL is %s%%: above %s%% the metric or its peak is wrong", what,
                             fixed_text(share, 1).c_str(), fixed_text(kSharePlausible, 0).c_str())
                          .c_str());
}

Analyzer::Analyzer(const netcl_roofline_options& options) : options_(options) {
  options_.threshold_pct = threshold(options.threshold_pct, 90.0, "threshold_pct");
  options_.min_improvement_pct =
      percentage(options.min_improvement_pct, 0.1, "min_improvement_pct");
  options_.tensor_core_threshold_pct =
      threshold(options.tensor_core_threshold_pct, 5.0, "tensor_core_threshold_pct");
  options_.underutilized_pct = threshold(options.underutilized_pct, 60.0, "underutilized_pct");
  if (options.convergence_rounds == 0) options_.convergence_rounds = 5;
  if (options.convergence_rounds == 1) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->convergence_rounds is 1; one round says nothing of convergence");
  }
  if (options.early_stop < NETCL_DEFAULT || options.early_stop > NETCL_OFF) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->early_stop is %d, which is no toggle",
         options.early_stop);
  }
}

void Analyzer::analyze(const Metrics& metrics, netcl_roofline_result* result) const {
  result->source = NETCL_ROOFLINE_NCU;
  result->time_ns = metrics.time_ns();
  const std::optional<double>& compute = metrics[Metric::compute];
  const std::optional<double>& whole = metrics[Metric::memory];
  const std::optional<double>& memory = whole ? whole : metrics[Metric::dram];
  if (!compute && !memory) {
    result->headroom_pct = 100.0;
    result->bottleneck = NETCL_BOTTLENECK_UNKNOWN;
    add_warning(result, "Analysis failed - no SOL metrics in NCU data");
    return;
  }
  if (!compute) add_warning(result, "Compute SOL metric missing");
  if (!memory) add_warning(result, "Memory SOL metric missing");
  if (memory && !whole) {
    add_warning(result, "Memory SOL metric missing, that of the DRAM alone stands for it");
  }
  result->compute_sol_pct = compute.value_or(0.0);
  result->memory_sol_pct = memory.value_or(0.0);
  warn_above_peak("Compute", result->compute_sol_pct, result);
  warn_above_peak("Memory", result->memory_sol_pct, result);
  result->uses_tensor_cores = metrics.tensor() > options_.tensor_core_threshold_pct;
  conclude(result);
}

void Analyzer::conclude(netcl_roofline_result* result) const {
  const double compute = result->compute_sol_pct;
  const double memory = result->memory_sol_pct;
  result->efficiency_pct = std::max(compute, memory);
  result->headroom_pct = std::max(0.0, 100.0 - result->efficiency_pct);
  result->at_roofline = result->efficiency_pct >= options_.threshold_pct;
  if (compute < options_.underutilized_pct && memory < options_.underutilized_pct) {
    result->bottleneck = NETCL_BOTTLENECK_UNDERUTILIZED;
  } else {
    result->bottleneck = memory >= compute ? NETCL_BOTTLENECK_MEMORY : NETCL_BOTTLENECK_COMPUTE;
  }
}

const std::string& Analyzer::should_stop(const netcl_roofline_result& result) {
  return reason_ = decide(result);
}

std::string Analyzer::decide(const netcl_roofline_result& result) {
  if (history_.size() == options_.convergence_rounds) history_.erase(history_.begin());
  history_.push_back(result.efficiency_pct);
  if (options_.early_stop != NETCL_OFF && result.at_roofline != 0) {
    return "At roofline (" + fixed_text(result.efficiency_pct, 1) +
           "% SOL >= " + fixed_text(options_.threshold_pct, 1) + "%)";
  }
  if (history_.size() < options_.convergence_rounds) return std::string();
  const auto [low, high] = std::minmax_element(history_.begin(), history_.end());
  const double improvement = *high - *low;
  if (!(improvement < options_.min_improvement_pct)) return std::string();
  return "Converged (improvement " + fixed_text(improvement, 2) + "% < " +
         fixed_text(options_.min_improvement_pct, 1) + "%)";
}

const char* bottleneck_name(netcl_bottleneck bottleneck) noexcept {
  switch (bottleneck) {
    case NETCL_BOTTLENECK_COMPUTE:
      return "compute";
    case NETCL_BOTTLENECK_MEMORY:
      return "memory";
    case NETCL_BOTTLENECK_UNDERUTILIZED:
      return "underutilized";
    default:
      return "unknown";
  }
}

std::string format_text(const netcl_roofline_result& result) {
  std::string text = "=== Roofline Analysis ===\n";
  if (result.launches_count > 0) {
    text += result.kernel[0] != '\0' ? format("Kernel: %s", result.kernel) : "All kernels";
    if (result.launches_count > 1) {
      text += format(", launch %u of %u", result.launch + 1, result.launches_count);
    }
    text += '\n';
  }
  text += "SOL Efficiency: " + fixed_text(result.efficiency_pct, 1) + "%\n";
  text += "  Compute SOL: " + fixed_text(result.compute_sol_pct, 1) + "%\n";
  text += "  Memory SOL:  " + fixed_text(result.memory_sol_pct, 1) + "%\n";
  text += format("  Bottleneck:  %s\n", bottleneck_name(result.bottleneck));
  text += format("  Tensor Cores: %s\n\n", result.uses_tensor_cores != 0 ? "Yes" : "No");
  text += result.at_roofline != 0 ? std::string("Status: AT ROOFLINE")
                                  : "Headroom: " + fixed_text(result.headroom_pct, 1) + "%";
  if (result.warnings_count > 0) text += format("\nWarnings: %s", result.warnings);
  return text;
}

// JSON has no infinity, which the intensity of work without traffic is.
static std::string json_number(double value) {
  return std::isfinite(value) ? number_text(value) : "null";
}

std::string format_json(const netcl_roofline_result& result) {
  std::string text = "{";
  text += "\"compute_sol_pct\": " + json_number(result.compute_sol_pct) + ", ";
  text += "\"memory_sol_pct\": " + json_number(result.memory_sol_pct) + ", ";
  text += "\"efficiency_pct\": " + json_number(result.efficiency_pct) + ", ";
  text += format("\"at_roofline\": %s, ", result.at_roofline != 0 ? "true" : "false");
  text += "\"headroom_pct\": " + json_number(result.headroom_pct) + ", ";
  text += format("\"bottleneck\": \"%s\", ", bottleneck_name(result.bottleneck));
  text += format("\"uses_tensor_cores\": %s, ", result.uses_tensor_cores != 0 ? "true" : "false");
  text += "\"warnings\": " + warnings_json(result.warnings) + ", ";
  text += format("\"source\": \"%s\", ", result.source == NETCL_ROOFLINE_MODEL ? "model" : "ncu");
  text += "\"arithmetic_intensity\": " + json_number(result.arithmetic_intensity) + ", ";
  text += "\"time_ns\": " + json_number(result.time_ns) + ", ";
  text += "\"roof_ns\": " + json_number(result.roof_ns) + ", ";
  text += "\"ceiling\": " + quoted_json(result.ceiling);
  if (result.launches_count > 0) {
    text += ", \"kernel\": " + quoted_json(result.kernel);
    text += format(", \"launch\": %u, \"launches\": %u", result.launch, result.launches_count);
  }
  return text + "}";
}

}  // namespace netcl::roofline
