// `netcl selftest`: runs every check on every device.
//
// SPDX-License-Identifier: Apache-2.0
#include "selftest.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "commands.hpp"
#include "options.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

constexpr SelftestCheck kChecks[] = {
    {"allocation", check_allocation},
    {"blocking transfer", check_blocking_transfer},
    {"async transfer", check_async_transfer},
    {"pinned transfer", check_pinned_transfer},
    {"pool reuse", check_pool_reuse},
    {"custom kernel", check_custom_kernel},
    {"expression", check_expression},
    {"matmul", check_matmul},
    {"random", check_random},
    {"event timing", check_event_timing},
    {"error path", check_error_path},
};

struct SelftestOptions {
  uint64_t seed = 0;
  bool as_json = false;
};

struct Tally {
  unsigned passed = 0;
  unsigned failed = 0;
  unsigned skipped = 0;
};

/// Counts of live handles of every type. A check must leave them as it found them.
struct LiveCounts {
  uint64_t counts[NETCL_HANDLE_EXPRESSION + 1] = {};

  LiveCounts() {
    for (netcl_handle_type type = NETCL_HANDLE_DEVICE; type <= NETCL_HANDLE_EXPRESSION; ++type) {
      check(netcl_library_get_live_count(type, &counts[type]), "netcl_library_get_live_count");
    }
  }

  bool operator==(const LiveCounts& other) const {
    return std::equal(std::begin(counts), std::end(counts), std::begin(other.counts));
  }
};

Outcome run_check(const SelftestCheck& item, const TestedDevice& tested) {
  try {
    const LiveCounts before;
    Outcome outcome = item.run(tested);
    const LiveCounts after;
    if (!(before == after)) throw ToolError("the check left handles behind");
    return outcome;
  } catch (const std::exception& problem) {
    return {Outcome::Verdict::kFail, problem.what(), {}};
  }
}

const char* verdict_name(Outcome::Verdict verdict) {
  if (verdict == Outcome::Verdict::kPass) return "PASS";
  return verdict == Outcome::Verdict::kFail ? "FAIL" : "SKIP";
}

/// Writes results as they come: a line for people, or a member of the JSON text.
class Reporter {
 public:
  explicit Reporter(const SelftestOptions& options) : as_json_(options.as_json) {
    if (!as_json_) {
      print("netcl %s selftest, seed %llu\n", netcl_version_string(),
            static_cast<unsigned long long>(options.seed));
      return;
    }
    json_.begin_object();
    json_.text("version", netcl_version_string());
    json_.integer("seed", options.seed);
    json_.begin_array("devices");
  }

  void begin_device(const netcl_device_info& info) {
    if (!as_json_) {
      print("\n%s (%s, %s)\n", info.name, backend_name(info.backend), device_type_name(info.type));
      return;
    }
    json_.begin_object();
    json_.text("name", info.name);
    json_.text("backend", info.backend == NETCL_BACKEND_BUILTIN ? "builtin" : "opencl");
    json_.begin_array("checks");
  }

  void result(const char* name, const Outcome& outcome) {
    if (outcome.verdict == Outcome::Verdict::kPass) ++tally_.passed;
    if (outcome.verdict == Outcome::Verdict::kFail) ++tally_.failed;
    if (outcome.verdict == Outcome::Verdict::kSkip) ++tally_.skipped;
    if (!as_json_) {
      print("  %s  %-17s  %s\n", verdict_name(outcome.verdict), name, outcome.text.c_str());
      std::fflush(stdout);  // A check that hangs must be seen to be the one that hangs.
      return;
    }
    json_.begin_object();
    json_.text("name", name);
    json_.text("verdict", verdict_name(outcome.verdict));
    json_.text("text", outcome.text);
    for (const Outcome::Figure& figure : outcome.figures) json_.real(figure.key, figure.value);
    json_.end_object();
  }

  void end_device() {
    if (!as_json_) return;
    json_.end_array();
    json_.end_object();
  }

  const Tally& finish() {
    if (!as_json_) {
      print("\n%u passed, %u failed, %u skipped\n", tally_.passed, tally_.failed, tally_.skipped);
      return tally_;
    }
    json_.end_array();
    json_.integer("passed", tally_.passed);
    json_.integer("failed", tally_.failed);
    json_.integer("skipped", tally_.skipped);
    json_.end_object();
    return tally_;
  }

 private:
  bool as_json_;
  Json json_;
  Tally tally_;
};

void run_all(TestedDevice& tested, Reporter& reporter) {
  check(netcl_device_get_capabilities(tested.device, &tested.capabilities),
        "netcl_device_get_capabilities");
  for (const SelftestCheck& item : kChecks) reporter.result(item.name, run_check(item, tested));
}

void test_listed_device(uint32_t index, uint64_t seed, Reporter& reporter) {
  TestedDevice tested;
  tested.seed = seed;
  check(netcl_device_describe(index, &tested.info), "netcl_device_describe");
  reporter.begin_device(tested.info);
  Device device;
  const std::string selector = std::to_string(index);
  if (netcl_device_open(selector.c_str(), nullptr, device.receive()) == NETCL_OK) {
    tested.device = device.get();
    run_all(tested, reporter);
  } else {
    reporter.result("open", {Outcome::Verdict::kFail, netcl_last_error_message(), {}});
  }
  reporter.end_device();
}

void test_selected_device(netcl_device* device, uint64_t seed, Reporter& reporter) {
  TestedDevice tested;
  tested.seed = seed;
  tested.device = device;
  check(netcl_device_get_info(tested.device, &tested.info), "netcl_device_get_info");
  reporter.begin_device(tested.info);
  run_all(tested, reporter);
  reporter.end_device();
}

}  // namespace

uint64_t TestedDevice::modest_bytes(uint64_t wanted) const {
  const uint64_t limit = capabilities.max_allocation_bytes / 4;
  return limit == 0 ? wanted : std::min(wanted, limit / 4096 * 4096);
}

static int selftest(int argc, char** argv) {
  const Options given(argc, argv, {"--json"}, {"--device", "--seed"});
  if (!given.words().empty()) throw UsageProblem("unknown argument", given.words().front());
  SelftestOptions options;
  options.as_json = given.has("--json");
  options.seed = given.whole("--seed", static_cast<uint64_t>(std::time(nullptr)), 0);
  // The device is opened before anything is printed: without it there is nothing to report about.
  Device selected;
  if (given.has("--device")) {
    check(netcl_device_open(given.text("--device").c_str(), nullptr, selected.receive()),
          "netcl_device_open");
  }
  uint32_t count = 0;
  check(netcl_device_count(&count), "netcl_device_count");
  Reporter reporter(options);
  if (selected.get() != nullptr) {
    test_selected_device(selected.get(), options.seed, reporter);
  } else {
    for (uint32_t i = 0; i < count; ++i) test_listed_device(i, options.seed, reporter);
  }
  return reporter.finish().failed == 0 ? kExitSuccess : kExitFailure;
}

int run_selftest(const Command& self, int argc, char** argv) {
  return with_usage(self, selftest, argc, argv);
}

}  // namespace netcl::tool
