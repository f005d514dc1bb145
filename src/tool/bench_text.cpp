// Timed ops as a table and as JSON.
//
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "bench.hpp"
#include "text.hpp"

namespace netcl::tool {

void print_bench_table(const std::vector<BenchRow>& rows) {
  print("%-10s %-20s %-5s %11s %6s %9s %10s %7s  %s\n", "op", "size", "dtype", "time", "+-", "GB/s",
        "GFLOP/s", "of roof", "limit");
  for (const BenchRow& row : rows) {
    const std::string sizes = row.what.sizes_text();
    print("%-10s %-20s %-5s ", row.what.op.c_str(), sizes.c_str(),
          netcl_dtype_name(row.what.dtype));
    if (!row.problem.empty()) {
      print("%s\n", row.problem.c_str());
      continue;
    }
    const netcl_statistics& s = row.statistics;
    const double half = (s.interval_high - s.interval_low) / 2 / s.median;
    print("%11s %5.1f%% %9.2f %10.2f ", time_text(s.median).c_str(), 100 * half,
          row.gigabytes_per_second(), row.gigaflops());
    if (row.analyzed) print("%6.1f%%  %s", row.result.efficiency_pct, row.result.ceiling);
    print("\n");
  }
  for (const BenchRow& row : rows) {
    if (row.analyzed && row.result.warnings_count > 0) {
      print("\n%s %s: %s", row.what.op.c_str(), row.what.sizes_text().c_str(), row.result.warnings);
    }
  }
  const bool warned = std::any_of(rows.begin(), rows.end(), [](const BenchRow& row) {
    return row.analyzed && row.result.warnings_count > 0;
  });
  if (warned) print("\n");
}

void write_bench_rows(Json& json, const char* key, const std::vector<BenchRow>& rows) {
  json.begin_array(key);
  for (const BenchRow& row : rows) {
    const netcl_statistics& s = row.statistics;
    json.begin_object();
    json.text("op", row.what.op);
    json.text("size", row.what.sizes_text());
    json.text("dtype", netcl_dtype_name(row.what.dtype));
    if (!row.problem.empty()) {
      json.null("median_ns");
      json.text("problem", row.problem);
      json.end_object();
      continue;
    }
    if (!row.variant.empty()) {
      json.text("variant", row.variant);
      json.text("variant_reason", row.why);
    }
    json.real("median_ns", s.median);
    json.real("mean_ns", s.mean);
    json.real("deviation_ns", s.deviation);
    json.real("min_ns", s.min);
    json.real("max_ns", s.max);
    json.real("interval_low_ns", s.interval_low);
    json.real("interval_high_ns", s.interval_high);
    json.integer("samples", s.count);
    json.real("bytes", s.bytes);
    json.real("bytes_written", s.bytes_written);
    json.real("operations", s.operations);
    json.real("gb_per_s", row.gigabytes_per_second());
    json.real("gflop_per_s", row.gigaflops());
    if (row.analyzed) {
      json.real("roof_ns", row.result.roof_ns);
      json.real("roof_pct", row.result.efficiency_pct);
      json.real("compute_sol_pct", row.result.compute_sol_pct);
      json.real("memory_sol_pct", row.result.memory_sol_pct);
      json.text("ceiling", row.result.ceiling);
      json.text("warnings", row.result.warnings);
    }
    json.end_object();
  }
  json.end_array();
}

}  // namespace netcl::tool
