// `netcl trace`: a trace of the benchmark's ops for Perfetto.
//
// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include "bench.hpp"
#include "options.hpp"
#include "profiled_bench.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

int trace(int argc, char** argv) {
  const Options options(argc, argv, {"--json"}, {"--device", "--dtype", "--time"});
  if (options.words().empty()) throw UsageProblem("an argument is missing:", "FILE");
  const std::string path = options.words()[0];
  const std::vector<std::string> ops(options.words().begin() + 1, options.words().end());
  const std::vector<BenchCase> cases = bench_cases(ops, options.text("--dtype", "f32"));
  BenchOptions how;
  how.seconds = options.number("--time", 0.02, 1e-4, 3600.0);
  const Device device = open_device(options);
  const ProfiledBenches done =
      run_profiled(device.get(), nullptr, cases, how, path.c_str(), terminal_progress());
  struct stat facts;
  const bool written = stat(path.c_str(), &facts) == 0;
  const uint64_t bytes = written ? static_cast<uint64_t>(facts.st_size) : 0;
  if (options.has("--json")) {
    Json json;
    json.begin_object();
    json.text("file", path);
    json.integer("bytes", bytes);
    json.integer("regions", done.regions.size());
    write_bench_rows(json, "rows", done.rows);
    json.end_object();
    return kExitSuccess;
  }
  print("%s: %s; open it in https://ui.perfetto.dev or chrome://tracing\n\n", path.c_str(),
        bytes_text(bytes).c_str());
  print_bench_table(done.rows);
  return kExitSuccess;
}

}  // namespace

int run_trace(const Command& self, int argc, char** argv) {
  return with_usage(self, trace, argc, argv);
}

}  // namespace netcl::tool
