// SPDX-License-Identifier: Apache-2.0
#include "saved_run.hpp"

#include <algorithm>
#include <cmath>

#include "json_file.hpp"
#include "options.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

bool is_case(const BenchCase& a, const BenchCase& b) {
  return a.op == b.op && a.sizes == b.sizes && a.dtype == b.dtype;
}

SavedRow read_row(const JsonValue& from) {
  SavedRow row;
  std::string word = from.text_of("op");
  word += ":" + from.text_of("size");
  try {
    row.what = bench_cases({word}, from.text_of("dtype")).front();
  } catch (const UsageProblem& problem) {
    throw ToolError(format("%s \"%s\"", problem.what(), problem.argument.c_str()));
  }
  if (from.find("problem") != nullptr) return row;
  row.median = from.number_of("median_ns");
  row.low = from.number_of("interval_low_ns");
  row.high = from.number_of("interval_high_ns");
  const bool sound = row.median > 0 && row.low <= row.median && row.median <= row.high;
  if (!sound) throw ToolError("the median of " + word + " is no time inside its interval");
  return row;
}

Verdict verdict_of(const SavedRow& before, const netcl_statistics& after, double noise) {
  if (!(before.median > 0) || !(after.median > 0)) return Verdict::kNoTime;
  const double ratio = after.median / before.median;
  const bool apart = after.interval_low > before.high || after.interval_high < before.low;
  if (!apart || std::fabs(ratio - 1) <= noise) return Verdict::kWithinNoise;
  return ratio > 1 ? Verdict::kSlower : Verdict::kFaster;
}

const char* verdict_text(const ComparedRow& row) {
  switch (row.verdict) {
    case Verdict::kFaster:
      return "faster";
    case Verdict::kSlower:
      return "slower";
    case Verdict::kWithinNoise:
      return "same";
    case Verdict::kNoTime:
      break;
  }
  return row.before_ns > 0 ? "not run" : "new";
}

}  // namespace

SavedRun read_saved_run(const std::string& path) {
  SavedRun run;
  run.path = path;
  const JsonValue file = read_json_file(path);
  try {
    run.device = file.text_of("device");
    run.cold = file.boolean_of("cold_cache");
    for (const JsonValue& row : file.array_of("rows").items) run.rows.push_back(read_row(row));
  } catch (const ToolError& problem) {
    throw ToolError(path + " is no saved run: " + problem.what());
  }
  return run;
}

std::vector<BenchCase> saved_cases(const SavedRun& run) {
  std::vector<BenchCase> cases;
  for (const SavedRow& row : run.rows) cases.push_back(row.what);
  return cases;
}

void write_run(Json& json, const std::string& device, bool cold,
               const std::vector<BenchRow>& rows) {
  json.text("device", device);
  json.boolean("cold_cache", cold);
  write_bench_rows(json, "rows", rows);
}

std::vector<ComparedRow> compare_runs(const SavedRun& before, const std::vector<BenchRow>& rows,
                                      double noise) {
  std::vector<ComparedRow> all;
  bool any = false;
  for (const BenchRow& row : rows) {
    const auto old = std::find_if(before.rows.begin(), before.rows.end(),
                                  [&](const SavedRow& one) { return is_case(one.what, row.what); });
    ComparedRow compared{row.what, 0, row.problem.empty() ? row.statistics.median : 0,
                         Verdict::kNoTime};
    if (old != before.rows.end()) {
      compared.before_ns = old->median;
      if (row.problem.empty()) compared.verdict = verdict_of(*old, row.statistics, noise);
    }
    any = any || compared.verdict != Verdict::kNoTime;
    all.push_back(compared);
  }
  if (!any) throw ToolError("no op has a time both now and in " + before.path);
  return all;
}

void print_compared(const SavedRun& before, const std::vector<ComparedRow>& rows, double noise) {
  print("\nagainst %s; beyond noise is more than %g %%, with intervals that lie apart\n\n",
        before.path.c_str(), 100 * noise);
  print("%-10s %-20s %-5s %11s %11s %7s\n", "op", "size", "dtype", "before", "now", "ratio");
  for (const ComparedRow& row : rows) {
    const bool timed = row.verdict != Verdict::kNoTime;
    print("%-10s %-20s %-5s %11s %11s %7s  %s\n", row.what.op.c_str(),
          row.what.sizes_text().c_str(), netcl_dtype_name(row.what.dtype),
          row.before_ns > 0 ? time_text(row.before_ns).c_str() : "",
          row.after_ns > 0 ? time_text(row.after_ns).c_str() : "",
          timed ? format("%.3f", row.ratio()).c_str() : "", verdict_text(row));
  }
}

void write_compared(Json& json, const char* key, const std::vector<ComparedRow>& rows) {
  json.begin_array(key);
  for (const ComparedRow& row : rows) {
    json.begin_object();
    json.text("op", row.what.op);
    json.text("size", row.what.sizes_text());
    json.text("dtype", netcl_dtype_name(row.what.dtype));
    const auto time = [&](const char* name, double ns) {
      if (ns > 0) {
        json.real(name, ns);
      } else {
        json.null(name);
      }
    };
    time("before_ns", row.before_ns);
    time("now_ns", row.after_ns);
    time("ratio", row.verdict == Verdict::kNoTime ? 0.0 : row.ratio());
    json.text("verdict", verdict_text(row));
    json.end_object();
  }
  json.end_array();
}

bool any_slower(const std::vector<ComparedRow>& rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [](const ComparedRow& row) { return row.verdict == Verdict::kSlower; });
}

}  // namespace netcl::tool
