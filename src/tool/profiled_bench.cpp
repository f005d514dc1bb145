// SPDX-License-Identifier: Apache-2.0
#include "profiled_bench.hpp"

#include <algorithm>
#include <cstdlib>

#include "text.hpp"

namespace netcl::tool {
namespace {

std::string profile_report(netcl_format form) {
  size_t length = 0;
  check(netcl_profile_report(form, nullptr, 0, &length), "netcl_profile_report");
  std::string text(length + 1, '\0');
  check(netcl_profile_report(form, text.data(), text.size(), nullptr), "netcl_profile_report");
  text.resize(length);
  return text;
}

/// The cells of a line of CSV.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

/// The regions of a CSV report. No name has a line end or a slash.
std::vector<RegionRow> read_regions(const std::string& csv) {
  std::vector<RegionRow> regions;
  for (const std::string& line : split(csv, '\n')) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() < 16 || cells[0] != "region") continue;
    const auto number = [&](size_t i) { return std::strtod(cells[i].c_str(), nullptr); };
    RegionRow row;
    const size_t slash = cells[1].rfind('/');
    row.name = slash == std::string::npos ? cells[1] : cells[1].substr(slash + 1);
    row.depth = static_cast<size_t>(std::count(cells[1].begin(), cells[1].end(), '/'));
    row.calls = static_cast<uint64_t>(number(4));
    row.commands = static_cast<uint64_t>(number(5));
    row.host_ns = number(6);
    row.device_ns = number(8);
    row.bytes = number(14);
    row.operations = number(15);
    regions.push_back(row);
  }
  return regions;
}

/// A region of the stack of this thread.
class Pushed {
 public:
  Pushed(netcl_queue* queue, const std::string& name) {
    check(netcl_region_push(queue, name.c_str()), "netcl_region_push");
  }
  ~Pushed() { netcl_region_pop(); }
  Pushed(const Pushed&) = delete;
  Pushed& operator=(const Pushed&) = delete;
};

}  // namespace

ProfiledBenches run_profiled(netcl_device* device, netcl_ceilings* ceilings,
                             const std::vector<BenchCase>& cases, const BenchOptions& options,
                             const char* trace_path, const Progress& progress) {
  ProfiledBenches done;
  Queue queue;
  check(netcl_device_get_queue(device, queue.receive()), "netcl_device_get_queue");
  netcl_profile_options profile = NETCL_PROFILE_OPTIONS_INIT;
  profile.trace_path = trace_path;
  check(netcl_profile_reset(), "netcl_profile_reset");
  check(netcl_profile_start(&profile), "netcl_profile_start");
  for (size_t i = 0; i < cases.size(); ++i) {
    if (progress) progress(i, cases.size(), cases[i]);
    const Pushed op(queue.get(), cases[i].op);
    const Pushed size(queue.get(), cases[i].sizes_text());
    done.rows.push_back(run_bench(device, ceilings, cases[i], options));
  }
  if (progress) progress(cases.size(), cases.size(), BenchCase());
  check(netcl_profile_stop(NETCL_WAIT_FOREVER), "netcl_profile_stop");
  done.regions = read_regions(profile_report(NETCL_FORMAT_CSV));
  check(netcl_profile_reset(), "netcl_profile_reset");
  return done;
}

Profiled profile_work(netcl_device* device, const std::function<void()>& work,
                      const char* trace_path) {
  Queue queue;
  check(netcl_device_get_queue(device, queue.receive()), "netcl_device_get_queue");
  netcl_profile_options profile = NETCL_PROFILE_OPTIONS_INIT;
  profile.trace_path = trace_path;
  check(netcl_profile_reset(), "netcl_profile_reset");
  check(netcl_profile_start(&profile), "netcl_profile_start");
  {
    const Pushed all(queue.get(), "run");
    work();
  }
  check(netcl_profile_stop(NETCL_WAIT_FOREVER), "netcl_profile_stop");
  Profiled done;
  done.text = profile_report(NETCL_FORMAT_TEXT);
  for (const RegionRow& row : read_regions(profile_report(NETCL_FORMAT_CSV))) {
    done.commands += row.commands;
    done.device_ns += row.device_ns;
    done.bytes += row.bytes;
    done.operations += row.operations;
  }
  check(netcl_profile_reset(), "netcl_profile_reset");
  return done;
}

}  // namespace netcl::tool
