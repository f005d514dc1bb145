// `netcl run` and `netcl model`: a file of ONNX is run, or told of.
//
// SPDX-License-Identifier: Apache-2.0
#include "bench.hpp"
#include "loaded_model.hpp"
#include "model_outputs.hpp"
#include "model_plan.hpp"
#include "profiled_bench.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

void time_runs(const Options& options, LoadedModel* loaded) {
  Queue queue;
  check(netcl_device_get_queue(loaded->device.get(), queue.receive()), "queue");
  netcl_measurement_options measurement = NETCL_MEASUREMENT_OPTIONS_INIT;
  measurement.budget_ns = static_cast<uint64_t>(options.number("--time", 1, 1e-4, 3600) * 1e9);
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  check(netcl_queue_time(queue.get(), run_again, loaded, &measurement, &statistics), "run");
  print("loaded in %s, first run in %s\n", time_text(loaded->load_ns).c_str(),
        time_text(loaded->first_ns).c_str());
  print("time: %s (%s to %s, %llu samples)\n", time_text(statistics.median).c_str(),
        time_text(statistics.interval_low).c_str(), time_text(statistics.interval_high).c_str(),
        static_cast<unsigned long long>(statistics.count));
}

void profile_run(const Options& options, LoadedModel* loaded) {
  const std::string trace = options.text("--trace");
  const auto again = [&] { check(run_again(nullptr, loaded), "run"); };
  const Profiled run =
      profile_work(loaded->device.get(), again, options.has("--trace") ? trace.c_str() : nullptr);
  if (options.has("--profile")) print("\nprofile of one run\n%s", run.text.c_str());
  if (options.has("--trace")) {
    print("%s: open it in https://ui.perfetto.dev or chrome://tracing\n", visible(trace).c_str());
  }
}

int run(int argc, char** argv) {
  const Options options(
      argc, argv, {"--bench", "--profile"},
      {"--time", "--trace", "--device", NETCL_TOOL_INPUT_OPTIONS, NETCL_TOOL_OUTPUT_OPTIONS});
  const std::string path = model_path(options);
  if (!options.has("--bench")) options.refuse("without --bench", {"--time"});
  if (options.has("--trace")) require_writable(options.text("--trace"));
  LoadedModel loaded;
  loaded.device = open_device(options);
  load_model(options, path, &loaded);
  const ModelOutputs outputs(options, loaded.model.get());
  run_first(&loaded);
  const bool right = outputs.show(&loaded);
  if (options.has("--bench")) time_runs(options, &loaded);
  if (options.has("--profile") || options.has("--trace")) profile_run(options, &loaded);
  return right ? kExitSuccess : kExitFailure;
}

std::string describe_file(const std::string& path) {
  size_t length = 0;
  check(netcl_model_describe(path.c_str(), nullptr, 0, &length), path.c_str());
  std::string text(length + 1, '\0');
  check(netcl_model_describe(path.c_str(), text.data(), text.size(), &length), path.c_str());
  text.resize(std::min(length, text.size() - 1));
  return text;
}

int describe(int argc, char** argv) {
  const Options options(argc, argv, {"--file-only", "--steps"},
                        {"--device", NETCL_TOOL_INPUT_OPTIONS});
  const std::string path = model_path(options);
  if (options.has("--file-only")) options.refuse_others("with --file-only", {"--file-only"});
  const std::string text = describe_file(path);
  print("%s", text.c_str());
  if (text.find("\nmissing ") != std::string::npos) return kExitFailure;
  if (options.has("--file-only")) return kExitSuccess;
  LoadedModel loaded;
  check(netcl_device_open(options.text("--device", "builtin").c_str(), nullptr,
                          loaded.device.receive()),
        "--device");
  try {
    load_model(options, path, &loaded);
    run_first(&loaded);
  } catch (const ToolError& problem) {
    print("no plan: %s\n", problem.what());
    return kExitFailure;
  }
  print_model_plan(&loaded, options.has("--steps"));
  return kExitSuccess;
}

}  // namespace

int run_run(const Command& self, int argc, char** argv) {
  return with_usage(self, run, argc, argv);
}

int run_model(const Command& self, int argc, char** argv) {
  return with_usage(self, describe, argc, argv);
}

}  // namespace netcl::tool
