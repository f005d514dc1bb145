// `netcl roofline`: the ceilings of a device, and how near ops or kernels of an NCU report come.
//
// SPDX-License-Identifier: Apache-2.0
#include "roofline.hpp"

#include <cmath>
#include <cstdio>
#include <ctime>
#include <iterator>

#include "bench.hpp"
#include "options.hpp"
#include "report.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

bool is_compute(const netcl_ceiling& row) {
  return row.kind == NETCL_CEILING_COMPUTE || row.kind == NETCL_CEILING_TENSOR;
}

constexpr const char* kPolicies[] = {"median", "first", "last", "longest"};

netcl_ncu_policy launch_policy(const std::string& name) {
  for (size_t i = 0; i < std::size(kPolicies); ++i) {
    if (name == kPolicies[i]) return static_cast<netcl_ncu_policy>(i);
  }
  throw UsageProblem("--launch is median, first, last or longest, not", name);
}

/// What a report of Nsight Compute says, through the library's own reader.
netcl_roofline_result analyze_ncu(const Options& options) {
  options.refuse_words("with --ncu");
  options.refuse_others("with --ncu", {"--ncu", "--kernel", "--launch", "--json"});
  netcl_ncu_options how = NETCL_NCU_OPTIONS_INIT;
  how.policy = launch_policy(options.text("--launch", kPolicies[NETCL_NCU_MEDIAN]));
  const std::string path = options.text("--ncu");
  const std::string text = read_file(path);
  Roofline roofline;
  check(netcl_roofline_create(nullptr, roofline.receive()), "netcl_roofline_create");
  const std::string kernel = options.text("--kernel");
  if (options.has("--kernel")) how.kernel = kernel.c_str();
  netcl_roofline_result result = NETCL_ROOFLINE_RESULT_INIT;
  check(netcl_roofline_analyze_ncu(roofline.get(), text.data(), text.size(), &how, &result),
        path.c_str());
  return result;
}

int show_ncu(const Options& options) {
  const netcl_roofline_result result = analyze_ncu(options);
  const netcl_format format = options.has("--json") ? NETCL_FORMAT_JSON : NETCL_FORMAT_TEXT;
  size_t length = 0;
  check(netcl_roofline_format(&result, format, nullptr, 0, &length), "netcl_roofline_format");
  std::string text(length + 1, '\0');
  check(netcl_roofline_format(&result, format, text.data(), text.size(), nullptr),
        "netcl_roofline_format");
  print("%s\n", text.c_str());
  if (result.bottleneck != NETCL_BOTTLENECK_UNKNOWN) return kExitSuccess;
  // Whoever reads only the exit status must not take this for an answer.
  std::fflush(stdout);
  std::fprintf(stderr, "netcl: %s: %s\n", options.text("--ncu").c_str(), result.warnings);
  return kExitFailure;
}

int roofline(int argc, char** argv) {
  const Options options(argc, argv, {"--json", "--cold", "--remeasure", "--no-bench"},
                        {"--device", "--dtype", "--time", "--budget", "--ceilings", "--save",
                         "--html", "--ncu", "--kernel", "--launch"});
  if (options.has("--ncu")) return show_ncu(options);
  for (const char* name : {"--kernel", "--launch"}) {
    if (options.has(name)) throw UsageProblem("--ncu is missing beside", name);
  }
  if (options.has("--no-bench")) {
    options.refuse_words("with --no-bench");
    options.refuse("with --no-bench", {"--dtype", "--time", "--cold"});
  }
  if (options.has("--html")) {
    options.refuse("with --html", {"--no-bench", "--save", "--json"});
    return write_report(options, options.text("--html"));
  }
  std::vector<BenchCase> cases;
  if (!options.has("--no-bench"))
    cases = bench_cases(options.words(), options.text("--dtype", "f32"));
  BenchOptions how;
  how.seconds = options.number("--time", how.seconds, 1e-4, 3600.0);
  how.cold = options.has("--cold");
  const Device device = open_device(options);
  Ceilings ceilings = open_ceilings(device.get(), options);
  std::vector<BenchRow> benches =
      run_benches(device.get(), ceilings.get(), cases, how, terminal_progress());
  settle_ceilings(device.get(), options, &ceilings, &benches);
  if (options.has("--save")) {
    check(netcl_ceilings_save(ceilings.get(), options.text("--save").c_str()),
          "netcl_ceilings_save");
  }
  const std::vector<netcl_ceiling> rows = ceiling_rows(ceilings.get());
  const netcl_ceilings_info info = ceilings_info(ceilings.get());
  if (options.has("--json")) {
    Json json;
    json.begin_object();
    write_ceilings(json, rows, info);
    write_bench_rows(json, "kernels", benches);
    json.end_object();
  } else {
    print_ceilings(rows, info);
    if (!benches.empty()) print("\n");
    if (!benches.empty()) print_bench_table(benches);
  }
  return any_problem(benches) ? kExitFailure : kExitSuccess;
}

}  // namespace

std::vector<netcl_ceiling> ceiling_rows(const netcl_ceilings* ceilings) {
  uint32_t count = 0;
  check(netcl_ceilings_get(ceilings, nullptr, 0, &count), "netcl_ceilings_get");
  std::vector<netcl_ceiling> rows(count);
  check(netcl_ceilings_get(ceilings, rows.data(), count, &count), "netcl_ceilings_get");
  return rows;
}

netcl_ceilings_info ceilings_info(const netcl_ceilings* ceilings) {
  netcl_ceilings_info info = NETCL_CEILINGS_INFO_INIT;
  check(netcl_ceilings_get_info(ceilings, &info), "netcl_ceilings_get_info");
  return info;
}

const netcl_ceiling* find_ceiling(const std::vector<netcl_ceiling>& rows, netcl_ceiling_kind kind,
                                  netcl_dtype dtype, uint64_t working_set) {
  for (const netcl_ceiling& row : rows) {
    if (row.kind == kind && row.dtype == dtype && row.working_set == working_set) return &row;
  }
  return nullptr;
}

std::string ceiling_name(const netcl_ceiling& row) {
  std::string name = netcl_ceiling_kind_name(row.kind);
  if (row.dtype != 0) name += std::string(" ") + netcl_dtype_name(row.dtype);
  if (row.working_set != 0) name += " " + bytes_text(row.working_set);
  return name;
}

std::string amount_text(double per_second, const char* unit) {
  static constexpr const char* kPrefixes[] = {"", "k", "M", "G", "T", "P"};
  size_t prefix = 0;
  for (; per_second >= 1000.0 && prefix + 1 < std::size(kPrefixes); ++prefix) per_second /= 1000.0;
  const char* const pattern = per_second < 10    ? "%.2f %s%s"
                              : per_second < 100 ? "%.1f %s%s"
                                                 : "%.0f %s%s";
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  return format(pattern, per_second, kPrefixes[prefix], unit);
#pragma GCC diagnostic pop
}

std::string ceiling_value(const netcl_ceiling& row) {
  if (row.kind == NETCL_CEILING_LAUNCH) return time_text(1e9 / row.value);
  const bool floating = row.dtype <= NETCL_F64;
  return amount_text(row.value, is_compute(row) ? floating ? "FLOP/s" : "OP/s" : "B/s");
}

void print_ceilings(const std::vector<netcl_ceiling>& rows, const netcl_ceilings_info& info) {
  print("%s, driver %s\n", info.device[0] != '\0' ? visible(info.device).c_str() : "no device",
        visible(info.driver_version).c_str());
  if (info.time_ns != 0) {
    const auto seconds = static_cast<time_t>(info.time_ns / 1000000000u);
    struct tm date;
    char text[64] = "";
    if (localtime_r(&seconds, &date) != nullptr) {
      std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &date);
    }
    print("%s %s, in %s\n", info.from_store != 0 ? "measured before, on" : "measured on", text,
          time_text(static_cast<double>(info.spent_ns)).c_str());
  }
  print("\n%-24s %14s %8s\n", "ceiling", "", "spread");
  for (const netcl_ceiling& row : rows) {
    print("%-24s %14s %7.1f%%%s%s%s\n", ceiling_name(row).c_str(), ceiling_value(row).c_str(),
          100 * row.spread, row.given != 0 ? "  set by the caller" : "",
          row.disproved != 0 ? "  disproved" : "", is_noisy(row) ? "  noisy" : "");
  }
  bool tensor = false;
  for (const netcl_ceiling& row : rows) tensor = tensor || row.kind == NETCL_CEILING_TENSOR;
  if (!tensor) print("%-24s %14s\n", "tensor", "absent");
}

void write_ceilings(Json& json, const std::vector<netcl_ceiling>& rows,
                    const netcl_ceilings_info& info) {
  json.text("device", info.device);
  json.text("driver_version", info.driver_version);
  json.integer("measured_ns", info.time_ns);
  json.integer("spent_ns", info.spent_ns);
  json.boolean("from_store", info.from_store != 0);
  json.begin_array("ceilings");
  for (const netcl_ceiling& row : rows) {
    json.begin_object();
    json.text("kind", netcl_ceiling_kind_name(row.kind));
    if (row.dtype != 0) json.text("dtype", netcl_dtype_name(row.dtype));
    if (row.working_set != 0) json.integer("working_set", row.working_set);
    json.real("value", row.value);
    json.text("text", ceiling_value(row));
    json.real("spread", row.spread);
    json.boolean("given", row.given != 0);
    json.boolean("disproved", row.disproved != 0);
    json.boolean("noisy", is_noisy(row));
    json.end_object();
  }
  json.end_array();
}

int run_roofline(const Command& self, int argc, char** argv) {
  return with_usage(self, roofline, argc, argv);
}

}  // namespace netcl::tool
