// Any bytes given as an NCU report: an error with a message, or a result without NaN.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "netcl.h"
#include "roofline/metrics.hpp"
#include "structured.hpp"

using netcl::fuzz::Chance;
using netcl::fuzz::require;

static constexpr std::string_view kHeads[] = {
    "ID",          "Process ID",  "Host Name",    "Kernel Name", "Section Name",
    "Metric Name", "Metric Unit", "Metric Value", "Minimum",     "Maximum",
    "Average",     "Invocations", "Rule Name"};
static constexpr std::string_view kMetrics[] = {
    "gpu__time_duration.sum",
    "gpu__time_duration.avg",
    "Duration",
    "SM [%]",
    "SOL DRAM",
    "Memory [%]",
    "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "Compute (SM) Throughput",
    "breakdown:gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
    "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    "DRAM Throughput",
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "sm__inst_executed_pipe_tensor_op_hmma.avg.pct_of_peak_sustained_active",
    "Duration (gpu__time_duration.sum)",
    "Name [sm__x]",
    "nonsense"};
static constexpr std::string_view kUnits[] = {"%", "us", "usecond", "nsecond", "ms",
                                              "s", "",   "byte",    "msecond"};
static constexpr std::string_view kNumbers[] = {
    "0",
    "1",
    "91.2",
    "27,5",
    "1,234.5",
    "1.234,5",
    "1'234.5",
    "1 234,5",
    "1\xc2\xa0"
    "234",
    "12.345",
    "12,345",
    "1,234,567",
    "1.234.567",
    "1,23,456",
    "-3",
    "-",
    "-x",
    "n/a",
    "nan",
    "(!) 5",
    "(!) n/a",
    "7 (1; 2)",
    "1'2345",
    "x",
    "1,2.3,4",
    "1e400",
    "99999999999999999999",
    "0,123",
    "1.2.3,4,5",
    "1'2.3.4",
    " 5 ",
    ".5",
    "5.",
    "1\xe2\x80\xaf"
    "000",
    "1\xe2\x80\x99"
    "000,5",
    "'",
    "1''000",
    "11111111111111111111111111111111111111111111111111111111111111111111111111111111"};
static constexpr std::string_view kLines[] = {"==PROF== Connected",
                                              "==ERROR== no permission",
                                              "==WARNING== backing store",
                                              "program output",
                                              "",
                                              "\xef\xbb\xbf",
                                              "\xff\xfe",
                                              ",,,",
                                              "\"open"};

static std::string new_cell(Chance& chance) {
  switch (chance.below(6)) {
    case 0:
      return std::string(chance.of(kHeads));
    case 1:
      return std::string(chance.of(kMetrics));
    case 2:
      return std::string(chance.of(kUnits));
    case 3:
      return chance.one_in(2) ? "k" : "k\"\"x";
    default:
      return std::string(chance.of(kNumbers));
  }
}

// The pieces of a text between separators, changed in one place: another piece, none, or one more.
template <class Make>
static std::string change_piece(std::string_view text, std::string_view between, Chance& chance,
                                const Make& make) {
  std::vector<std::string> pieces;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(between, at), text.size());
    pieces.emplace_back(text.substr(at, end - at));
    at = end + between.size();
  }
  const size_t at = chance.below(pieces.size());
  const size_t how = chance.below(8);
  if (how == 0) pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(at));
  if (how == 1) pieces.insert(pieces.begin() + static_cast<std::ptrdiff_t>(at), pieces[at]);
  if (how > 1) pieces[at] = make(pieces[at]);
  std::string out;
  for (size_t i = 0; i < pieces.size(); ++i)
    out += (i == 0 ? "" : std::string(between)) + pieces[i];
  return out;
}

// A cell or two of a line or two.
FUZZ_MUTATION(text, chance) {
  std::string made(text);
  for (size_t i = chance.below(3) + 1; i > 0; --i) {
    made = change_piece(made, "\n", chance, [&](const std::string& line) {
      if (chance.one_in(8)) return std::string(chance.of(kLines));
      const bool quoted = line.starts_with('"') && line.ends_with('"');
      return change_piece(line, quoted ? "\",\"" : ",", chance,
                          [&](const std::string&) { return new_cell(chance); });
    });
  }
  return made;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static netcl_roofline* roofline = nullptr;
  if (roofline == nullptr) {
    require(netcl_roofline_create(nullptr, &roofline) == NETCL_OK, "no analyzer");
  }
  const char* text = size > 0 ? reinterpret_cast<const char*>(data) : "";
  // A name by itself, as callers give it.
  netcl::roofline::Metrics metrics;
  metrics.set(std::string_view(text, std::min<size_t>(size, 100)), 50.0);
  metrics.set(kMetrics[size % std::size(kMetrics)], 50.0);
  require(metrics.tensor() == 0.0 || metrics.tensor() == 50.0, "a metric that nobody set");
  netcl_roofline_result result = NETCL_ROOFLINE_RESULT_INIT;
  static constexpr netcl_ncu_policy kPolicies[] = {0, NETCL_NCU_FIRST, NETCL_NCU_LAST,
                                                   NETCL_NCU_LONGEST, NETCL_NCU_MEDIAN};
  netcl_ncu_options options = NETCL_NCU_OPTIONS_INIT;
  options.policy = kPolicies[size % 5];
  options.kernel = size % 3 == 0 ? "k" : nullptr;
  options.exact = size % 2;
  if (options.kernel == nullptr) options.exact = 0;
  const netcl_status status = netcl_roofline_analyze_ncu(roofline, text, size, &options, &result);
  if (status != NETCL_OK) {
    require(status == NETCL_ERROR_CORRUPT_DATA || status == NETCL_ERROR_NOT_FOUND,
            "a damaged report is neither CORRUPT_DATA nor NOT_FOUND");
    require(netcl_last_error_message()[0] != '\0', "an error without a message");
    return 0;
  }
  require(std::isfinite(result.efficiency_pct), "an efficiency that is no number");
  char buffer[4096];
  require(
      netcl_roofline_format(&result, NETCL_FORMAT_JSON, buffer, sizeof buffer, nullptr) == NETCL_OK,
      "no JSON");
  return 0;
}
