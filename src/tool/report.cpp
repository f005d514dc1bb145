// `netcl report`: one page with what a device can do and how near ops come to it.
//
// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <optional>

#include "chart.hpp"
#include "heat_map.hpp"
#include "options.hpp"
#include "profiled_bench.hpp"
#include "program_profile.hpp"
#include "report_ops.hpp"
#include "report_style.hpp"
#include "roofline.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

struct Page {
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_device_capabilities capabilities = NETCL_DEVICE_CAPABILITIES_INIT;
  netcl_library_info library = NETCL_LIBRARY_INFO_INIT;
  netcl_ceilings_info measured = NETCL_CEILINGS_INFO_INIT;
  std::vector<netcl_ceiling> ceilings;
  std::vector<BenchRow> rows;
  std::vector<RegionRow> regions;
  std::optional<ProgramProfile> program;
  std::vector<TunedCase> tuned;
  bool cold = false;
};

std::string date_text(uint64_t time_ns) {
  const auto seconds = static_cast<time_t>(time_ns / 1000000000u);
  struct tm date;
  char text[64] = "";
  if (localtime_r(&seconds, &date) != nullptr) {
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &date);
  }
  return text;
}

std::string card(const char* title, const std::string& value, const std::string& note) {
  return format(
      "<div class=\"card\"><div class=\"what\">%s</div><div class=\"value\">%s</div>"
      "<div class=\"note\">%s</div></div>\n",
      title, html(value).c_str(), html(note).c_str());
}

void add_card(const Page& page, const char* title, netcl_ceiling_kind kind, netcl_dtype dtype,
              const char* note, std::string* out) {
  const netcl_ceiling* const row = find_ceiling(page.ceilings, kind, dtype);
  if (row != nullptr) *out += card(title, ceiling_value(*row), note);
}

std::string cards(const Page& page) {
  std::string out = "<section class=\"cards\">\n";
  add_card(page, "Memory", NETCL_CEILING_MEMORY_COPY, 0, "copy, bytes read and written", &out);
  const netcl_ceiling* best = nullptr;
  for (const netcl_ceiling& row : page.ceilings) {
    const bool cache = row.kind == NETCL_CEILING_CACHE_READ;
    if (cache && (best == nullptr || row.value > best->value)) best = &row;
  }
  if (best != nullptr) {
    out += card("Caches", ceiling_value(*best), "read, " + bytes_text(best->working_set));
  }
  add_card(page, "Arithmetic", NETCL_CEILING_COMPUTE, NETCL_F32, "multiply-adds of f32", &out);
  add_card(page, "Double precision", NETCL_CEILING_COMPUTE, NETCL_F64, "multiply-adds of f64",
           &out);
  add_card(page, "Launch", NETCL_CEILING_LAUNCH, 0, "from one empty kernel to the next", &out);
  add_card(page, "Transfer", NETCL_CEILING_HOST_TO_DEVICE_PINNED, 0,
           "to the device, page-locked memory", &out);
  return out + "</section>\n";
}

std::string region_tree(const std::vector<RegionRow>& regions) {
  double all = 0;
  for (const RegionRow& row : regions) all += row.depth == 0 ? row.device_ns : 0;
  if (!(all > 0)) return "";
  std::string out =
      "<table class=\"wide rows tree\"><thead><tr><th>region</th><th class=\"n\">commands</th>"
      "<th class=\"n\">device</th><th class=\"n\">host</th><th class=\"n\">GB/s</th>"
      "<th>share of the device's time</th></tr></thead><tbody>\n";
  for (const RegionRow& row : regions) {
    const double share = 100 * row.device_ns / all;
    out += format(
        "<tr class=\"d%zu\"><td style=\"padding-left:%zuem\">%s</td>"
        "<td class=\"n\" data-of=\"commands\">%llu</td><td class=\"n\" data-is=\"device\">%s</td>"
        "<td class=\"n\" data-is=\"host\">%s</td><td class=\"n\" data-of=\"GB/s\">%.1f</td>"
        "<td class=\"share\"><div class=\"bar plain\"><s><i style=\"width:%.1f%%\"></i></s>"
        "<b>%s</b></div></td>"
        "</tr>\n",
        row.depth, 1 + 2 * row.depth, html(row.name).c_str(),
        static_cast<unsigned long long>(row.commands), time_text(row.device_ns).c_str(),
        time_text(row.host_ns).c_str(), row.device_ns > 0 ? row.bytes / row.device_ns : 0.0, share,
        percent_text(share).c_str());
  }
  return out + "</tbody></table>\n";
}

std::string ceiling_table(const Page& page) {
  std::string out =
      "<table><thead><tr><th>ceiling</th><th class=\"n\">best</th><th class=\"n\">spread</th>"
      "<th></th></tr></thead><tbody>\n";
  bool tensor = false;
  for (const netcl_ceiling& row : page.ceilings) {
    tensor = tensor || row.kind == NETCL_CEILING_TENSOR;
    out += format(
        "<tr><td>%s</td><td class=\"n\">%s</td><td class=\"n\">%.1f%%</td><td>%s%s%s</td>"
        "</tr>\n",
        html(ceiling_name(row)).c_str(), ceiling_value(row).c_str(), 100 * row.spread,
        row.given != 0 ? "given " : "", row.disproved != 0 ? "disproved " : "",
        is_noisy(row) ? "noisy" : "");
  }
  if (!tensor) out += "<tr><td>tensor</td><td class=\"n\">absent</td><td></td><td></td></tr>\n";
  return out + "</tbody></table>\n";
}

std::string fact(const char* name, const std::string& value) {
  return value.empty() ? ""
                       : format("<tr><td>%s</td><td>%s</td></tr>\n", name, html(value).c_str());
}

std::string facts(const Page& page) {
  const netcl_device_capabilities& c = page.capabilities;
  const auto yes = [](uint32_t flag) { return flag != 0 ? "yes" : "no"; };
  std::string out = "<table class=\"facts\"><tbody>\n";
  out += fact("device", page.info.name) + fact("vendor", page.info.vendor);
  out += fact("backend", backend_name(page.info.backend));
  out += fact("type", device_type_name(page.info.type));
  out += fact("platform", page.info.platform_name) + fact("version", page.info.version);
  out += fact("driver", page.info.driver_version);
  out += fact("compute units", std::to_string(c.compute_units));
  if (c.max_clock_mhz != 0) out += fact("clock", std::to_string(c.max_clock_mhz) + " MHz");
  out += fact("memory", bytes_text(c.global_memory_bytes));
  out += fact("local memory", bytes_text(c.local_memory_bytes));
  out += fact("cache, as the driver says", bytes_text(c.global_cache_bytes));
  out += fact("items per group", std::to_string(c.max_work_group_size));
  out += fact("timer resolution", std::to_string(c.timer_resolution_ns) + " ns");
  out += fact("f16 arithmetic", yes(c.fp16)) + fact("f64 arithmetic", yes(c.fp64));
  out += fact("kernels", strategy_name(c.strategy));
  out += fact("netcl", std::string(page.library.version) + ", " + page.library.compiler + ", " +
                           page.library.build_type);
  return out + "</tbody></table>\n";
}

std::string roofline_section(const Page& page) {
  std::vector<BenchRow> all = page.rows;
  std::string points = "an op";
  if (page.program) {
    all.insert(all.end(), page.program->kernels.begin(), page.program->kernels.end());
    points = page.rows.empty() ? "a kernel of the program" : "an op, or a kernel of the program";
  }
  return "<section><h2>Roofline</h2><p>The roofs are what probes reached on this device. A point "
         "is " +
         points +
         ": the further below its roof, the more there is to gain. Times of ops are medians with " +
         std::string(page.cold ? "cold" : "warm") +
         " caches; the numbers are those of the tables.</p>\n" +
         roofline_chart(page.ceilings, all) + missing_points(all) + "</section>\n";
}

std::string program_section(const ProgramProfile& program, size_t before) {
  std::string out =
      "<section><h2>The program</h2><p>Its kernels by the time that all calls took; time, rates "
      "and share are those of the mean call.</p>\n" +
      ops_table(program.kernels, before + 1) + ops_warnings(program.kernels);
  for (const std::string& note : program.notes) out += "<p>" + html(note) + ".</p>\n";
  const std::string tree = region_tree(program.regions);
  if (!tree.empty()) out += "<h3>Where its time went</h3>\n" + tree;
  return out + "</section>\n";
}

std::string page_text(const Page& page) {
  const std::string name = html(page.info.name);
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out +=
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>netcl: " +
      name + "</title>\n<style>\n" + kReportStyle + "</style>\n</head>\n<body>\n<main>\n";
  out += "<header><p class=\"over\">netcl report</p><h1>" + name + "</h1><p class=\"sub\">" +
         html(page.info.driver_version[0] != '\0'
                  ? std::string("driver ") + page.info.driver_version + ", "
                  : std::string()) +
         "ceilings of " + date_text(page.measured.time_ns) + ", measured in " +
         time_text(static_cast<double>(page.measured.spent_ns)) + "</p></header>\n";
  out += cards(page);
  out += roofline_section(page);
  if (page.program) out += program_section(*page.program, page.rows.size());
  if (!page.rows.empty()) {
    out +=
        "<section><h2>Ops</h2><p>The share of the roof is the shortest time in which the device "
        "could do the declared work, over the time that was measured. Small ones are bound by what "
        "a launch costs. The variant is the one that is active for this size, by the rules or by "
        "what was tuned.</p>\n" +
        ops_table(page.rows, 1) + ops_warnings(page.rows) + "</section>\n";
  }
  out += tuning_section(page.tuned);
  const std::string tree = region_tree(page.regions);
  if (!tree.empty()) {
    out += "<section><h2>Where the time of the ops went</h2><p>Regions of this run, warm-up "
           "included.</p>\n" +
           tree + "</section>\n";
  }
  const std::string curve = cache_chart(page.ceilings);
  out += "<section><h2>Ceilings</h2>\n";
  if (!curve.empty()) {
    out +=
        "<p>Rates against the bytes that are worked on: where a curve falls, a cache ends.</p>\n" +
        curve;
  }
  out += "<div class=\"columns\">" + ceiling_table(page) + facts(page) + "</div></section>\n";
  return out + "<footer>netcl " + html(page.library.version) +
         "</footer>\n</main>\n</body>\n</html>\n";
}

int report(int argc, char** argv) {
  const Options options(argc, argv, {"--cold", "--remeasure"},
                        {"--device", "--dtype", "--time", "--budget", "--ceilings", "--database",
                         "--profile"});
  if (options.words().empty()) throw UsageProblem("an argument is missing:", "FILE");
  return write_report(options, options.words()[0]);
}

}  // namespace

int write_report(const Options& options, const std::string& path) {
  std::vector<std::string> ops = options.words();
  // With netcl report the file is the first word.
  if (!options.has("--html")) ops.erase(ops.begin());
  // The ops of a program take the place of the usual selection.
  std::vector<BenchCase> cases;
  if (!ops.empty() || !options.has("--profile")) {
    cases = bench_cases(ops, options.text("--dtype", "f32"));
  } else {
    options.refuse("with --profile and without ops", {"--dtype", "--time", "--cold"});
  }
  require_writable(path);
  BenchOptions how;
  how.seconds = options.number("--time", how.seconds, 1e-4, 3600.0);
  how.cold = options.has("--cold");
  Page page;
  page.cold = how.cold;
  Device device = open_device(options);
  check(netcl_device_get_info(device.get(), &page.info), "netcl_device_get_info");
  check(netcl_device_get_capabilities(device.get(), &page.capabilities),
        "netcl_device_get_capabilities");
  check(netcl_library_get_info(&page.library), "netcl_library_get_info");
  if (options.has("--profile")) {
    page.program = read_program_profile(options.text("--profile"), page.info.name);
  }
  Ceilings ceilings = open_ceilings(device.get(), options);
  ProfiledBenches done =
      run_profiled(device.get(), ceilings.get(), cases, how, nullptr, terminal_progress());
  page.rows = std::move(done.rows);
  settle_ceilings(device.get(), options, &ceilings, &page.rows);
  page.regions = std::move(done.regions);
  if (page.program) analyze_profile(ceilings.get(), &*page.program);
  page.ceilings = ceiling_rows(ceilings.get());
  page.measured = ceilings_info(ceilings.get());
  std::vector<Device> devices;
  devices.push_back(std::move(device));
  page.tuned = tuned_cases(open_database(options).get(), devices);
  write_file(path, page_text(page));
  print("%s\n", path.c_str());
  return any_problem(page.rows) ? kExitFailure : kExitSuccess;
}

int run_report(const Command& self, int argc, char** argv) {
  return with_usage(self, report, argc, argv);
}

}  // namespace netcl::tool
