// `netcl bench`: the library's ops on a device, with the share of the roof that they reach.
//
// SPDX-License-Identifier: Apache-2.0
#include "bench.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "bench_group.hpp"
#include "bench_ops.hpp"
#include "options.hpp"
#include "roofline.hpp"
#include "saved_run.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

constexpr int64_t kSizeMost = int64_t{1} << 32;

size_t sizes_count(const BenchOp& op) {
  size_t count = 1;
  // "rows x columns, doubled": only what stands before the comma names sizes.
  const std::string meaning = std::string(op.meaning).substr(0, std::strcspn(op.meaning, ","));
  for (size_t at = meaning.find(" x "); at != std::string::npos; at = meaning.find(" x ", at + 1)) {
    ++count;
  }
  return count;
}

std::vector<int64_t> read_sizes(const BenchOp& op, const std::string& text,
                                const std::string& word) {
  std::vector<int64_t> sizes;
  for (const char* at = text.c_str();;) {
    char* end = nullptr;
    const long long value = std::strtoll(at, &end, 10);
    if (end == at || value < 1 || value > kSizeMost || (*end != 'x' && *end != '\0')) {
      throw UsageProblem("sizes are numbers from 1 to 4294967296 with an x between them, unlike",
                         word);
    }
    sizes.push_back(value);
    if (*end == '\0') break;
    at = end + 1;
  }
  const size_t wanted = sizes_count(op);
  // One size stands for all of them.
  if (sizes.size() == 1) sizes.resize(wanted, sizes[0]);
  if (sizes.size() != wanted) {
    const std::string problem =
        format("%s takes %zu sizes (%s), unlike", op.name, wanted, op.meaning);
    throw UsageProblem(problem.c_str(), word);
  }
  return sizes;
}

netcl_dtype dtype_of(const std::string& name) {
  for (netcl_dtype dtype = NETCL_F16; dtype <= NETCL_F64; ++dtype) {
    if (name == netcl_dtype_name(dtype)) return dtype;
  }
  throw UsageProblem("the dtypes are f16, bf16, f32 and f64, unlike", name);
}

void add_usual(const BenchOp& op, netcl_dtype dtype, std::vector<BenchCase>* cases) {
  for (const char* usual : op.usual) {
    if (usual != nullptr) cases->push_back({op.name, read_sizes(op, usual, usual), dtype, ""});
  }
}

/// What the measured function needs; the result is made by the first call and written again.
struct Timed {
  const BenchOp& op;
  const BenchCase& what;
  const std::vector<Tensor>& inputs;
  Tensor result;

  static netcl_status run(netcl_queue* queue, void* user_data) {
    auto* const self = static_cast<Timed*>(user_data);
    netcl_run_options options = NETCL_RUN_OPTIONS_INIT;
    options.queue = queue;
    options.into = self->result.get();
    const bool first = options.into == nullptr;
    return self->op.run(
        {self->what.sizes, self->inputs, options, first ? self->result.receive() : nullptr});
  }
};

void analyze(netcl_ceilings* ceilings, BenchRow* row) {
  if (!(row->statistics.median > 0)) return;
  Roofline roofline;
  check(netcl_roofline_create(nullptr, roofline.receive()), "netcl_roofline_create");
  check(netcl_roofline_analyze_statistics(roofline.get(), ceilings, &row->statistics, &row->result),
        "netcl_roofline_analyze_statistics");
  row->analyzed = true;
}

/// Which variant is active: by the rules, by NETCL_VARIANT, or by what was tuned.
void name_variant(netcl_device* device, const BenchOp& op, BenchRow* row) {
  if (op.variant == nullptr) return;
  netcl_variant_options options = NETCL_VARIANT_OPTIONS_INIT;
  options.dtype = row->what.dtype;
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  check(op.variant(device, row->what.sizes, options, &config), "netcl_variant_select");
  row->variant = netcl_variant_name(config.variant);
  row->why = config.reason;
}

void time_case(netcl_device* device, netcl_ceilings* ceilings, const BenchOptions& options,
               BenchRow* row) {
  const BenchOp& op = *find_bench_op(row->what.op);
  std::vector<Tensor> inputs;
  netcl_random_options random = NETCL_RANDOM_OPTIONS_INIT;
  for (const std::vector<int64_t>& shape : op.shapes(row->what.sizes)) {
    ++random.seed;
    inputs.emplace_back();
    check(netcl_tensor_create_random(device, row->what.dtype, static_cast<uint32_t>(shape.size()),
                                     shape.data(), nullptr, &random, nullptr,
                                     inputs.back().receive()),
          "netcl_tensor_create_random");
  }
  Queue queue;
  check(netcl_device_get_queue(device, queue.receive()), "netcl_device_get_queue");
  Timed timed{op, row->what, inputs, {}};
  netcl_measurement_options measurement = NETCL_MEASUREMENT_OPTIONS_INIT;
  measurement.budget_ns = static_cast<uint64_t>(options.seconds * 1e9);
  measurement.warmup_ns = std::min<uint64_t>(measurement.budget_ns / 4, 25000000);
  measurement.warmup_count = 2;
  measurement.cold_cache = options.cold ? 1 : 0;
  check(netcl_queue_time(queue.get(), Timed::run, &timed, &measurement, &row->statistics), op.name);
  name_variant(device, op, row);
  if (ceilings != nullptr) analyze(ceilings, row);
}

/// Keeps, compares and prints a run.
int show_run(const Options& options, const char* device, const std::vector<BenchRow>& rows,
             const SavedRun* before, double noise) {
  const bool cold = options.has("--cold");
  if (options.has("--save")) {
    std::string text;
    Json saved(&text);
    saved.begin_object();
    write_run(saved, device, cold, rows);
    saved.end_object();
    write_file(options.text("--save"), text);
  }
  std::vector<ComparedRow> compared;
  if (before != nullptr) compared = compare_runs(*before, rows, noise);
  if (options.has("--json")) {
    Json json;
    json.begin_object();
    write_run(json, device, cold, rows);
    if (before != nullptr) write_compared(json, "compared", compared);
    json.end_object();
  } else {
    print("%s\n\n", device);
    print_bench_table(rows);
    if (before != nullptr) print_compared(*before, compared, noise);
  }
  if (any_problem(rows)) return kExitFailure;
  return any_slower(compared) ? kExitSlower : kExitSuccess;
}

/// What is to be run: the ops of the words, or without any those of the run to compare with.
std::vector<BenchCase> wanted_cases(const Options& options, const SavedRun* before) {
  if (before == nullptr || !options.words().empty()) {
    return bench_cases(options.words(), options.text("--dtype", "f32"));
  }
  options.refuse("with the ops of --compare", {"--dtype"});
  return saved_cases(*before);
}

/// The run of --compare, if there is one.
std::optional<SavedRun> run_to_compare(const Options& options) {
  if (!options.has("--compare")) {
    options.refuse("without --compare", {"--noise"});
    return std::nullopt;
  }
  SavedRun before = read_saved_run(options.text("--compare"));
  if (before.cold != options.has("--cold")) {
    throw ToolError(before.path + " was measured " + (before.cold ? "with" : "without") +
                    " --cold, unlike this run");
  }
  return before;
}

void warn_of_unlike_device(const SavedRun& before, const netcl_device_info& info) {
  if (before.device == info.name) return;
  std::fprintf(stderr, "netcl: %s was measured on \"%s\"; this is \"%s\"\n", before.path.c_str(),
               visible(before.device).c_str(), info.name);
}

int bench(int argc, char** argv) {
  const Options options(
      argc, argv, {"--json", "--cold", "--no-roof", "--remeasure"},
      {"--device", "--dtype", "--time", "--ceilings", "--save", "--compare", "--noise"});
  if (options.has("--no-roof")) options.refuse("with --no-roof", {"--remeasure", "--ceilings"});
  BenchOptions how;
  how.seconds = options.number("--time", how.seconds, 1e-4, 3600.0);
  how.cold = options.has("--cold");
  const double noise = options.number("--noise", 5.0, 0.0, 1000.0) / 100;
  const std::optional<SavedRun> before = run_to_compare(options);
  const std::vector<BenchCase> cases = wanted_cases(options, before ? &*before : nullptr);
  if (options.has("--save")) require_writable(options.text("--save"));
  const Device device = open_device(options);
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  check(netcl_device_get_info(device.get(), &info), "netcl_device_get_info");
  if (before) warn_of_unlike_device(*before, info);
  Ceilings ceilings;
  if (!options.has("--no-roof")) ceilings = open_ceilings(device.get(), options);
  std::vector<BenchRow> rows =
      run_benches(device.get(), ceilings.get(), cases, how, terminal_progress());
  settle_ceilings(device.get(), options, &ceilings, &rows);
  return show_run(options, info.name, rows, before ? &*before : nullptr, noise);
}

}  // namespace

std::string BenchCase::sizes_text() const {
  std::string text = size_note;
  for (const int64_t size : sizes) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

std::vector<BenchCase> bench_cases(const std::vector<std::string>& words,
                                   const std::string& dtype) {
  const netcl_dtype type = dtype_of(dtype);
  std::vector<BenchCase> cases;
  if (words.empty()) {
    for (const BenchOp& op : bench_ops()) add_usual(op, type, &cases);
  }
  for (const std::string& word : words) {
    const size_t colon = word.find(':');
    const std::string name = word.substr(0, colon);
    const BenchOp* const op = find_bench_op(name);
    if (op == nullptr) throw UsageProblem("there is no op", name);
    if (colon == std::string::npos) {
      add_usual(*op, type, &cases);
    } else {
      cases.push_back({name, read_sizes(*op, word.substr(colon + 1), word), type, ""});
    }
  }
  return cases;
}

bool any_problem(const std::vector<BenchRow>& rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [](const BenchRow& row) { return !row.problem.empty(); });
}

std::string bench_ops_help() {
  std::string text;
  for (const BenchOp& op : bench_ops()) {
    text += format("  %-10s  %s\n", op.name, op.meaning);
  }
  return text;
}

BenchRow run_bench(netcl_device* device, netcl_ceilings* ceilings, const BenchCase& what,
                   const BenchOptions& options) {
  BenchRow row;
  row.what = what;
  try {
    time_case(device, ceilings, options, &row);
  } catch (const ToolError& failure) {
    row.problem = failure.what();
  }
  return row;
}

std::vector<BenchRow> run_benches(netcl_device* device, netcl_ceilings* ceilings,
                                  const std::vector<BenchCase>& cases, const BenchOptions& options,
                                  const Progress& progress) {
  std::vector<BenchRow> rows;
  for (size_t i = 0; i < cases.size(); ++i) {
    if (progress) progress(i, cases.size(), cases[i]);
    rows.push_back(run_bench(device, ceilings, cases[i], options));
  }
  if (progress) progress(cases.size(), cases.size(), BenchCase());
  return rows;
}

void settle_ceilings(netcl_device* device, const Options& options, Ceilings* ceilings,
                     std::vector<BenchRow>* rows) {
  if (ceilings->get() == nullptr || options.has("--ceilings")) return;
  const std::vector<netcl_ceiling> all = ceiling_rows(ceilings->get());
  const bool disproved = std::any_of(all.begin(), all.end(),
                                     [](const netcl_ceiling& row) { return row.disproved != 0; });
  if (!disproved) return;
  *ceilings = open_ceilings(device, options);
  for (BenchRow& row : *rows) {
    if (row.problem.empty()) analyze(ceilings->get(), &row);
  }
}

Progress terminal_progress() {
  if (isatty(STDERR_FILENO) == 0) return nullptr;
  return [](size_t done, size_t all, const BenchCase& next) {
    if (done == all) {
      std::fprintf(stderr, "\r\033[K");
    } else {
      std::fprintf(stderr, "\r\033[K%zu of %zu: %s %s", done + 1, all, next.op.c_str(),
                   next.sizes_text().c_str());
    }
    std::fflush(stderr);
  };
}

Device open_device(const Options& options) {
  Device device;
  check(netcl_device_open(options.text("--device", "auto").c_str(), nullptr, device.receive()),
        "netcl_device_open");
  return device;
}

static void warn_of_another_device(netcl_device* device, const netcl_ceilings* ceilings) {
  const netcl_ceilings_info of = ceilings_info(ceilings);
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  check(netcl_device_get_info(device, &info), "netcl_device_get_info");
  if (std::strcmp(info.name, of.device) == 0) return;
  std::fprintf(stderr, "netcl: the ceilings are those of \"%s\"; this is \"%s\"\n", of.device,
               info.name);
}

Ceilings open_ceilings(netcl_device* device, const Options& options) {
  Ceilings ceilings;
  if (options.has("--ceilings")) {
    options.refuse("with --ceilings", {"--remeasure", "--budget"});
    check(netcl_ceilings_load(options.text("--ceilings").c_str(), ceilings.receive()),
          "netcl_ceilings_load");
    warn_of_another_device(device, ceilings.get());
    return ceilings;
  }
  netcl_ceilings_options how = NETCL_CEILINGS_OPTIONS_INIT;
  how.remeasure = options.has("--remeasure") ? 1 : 0;
  how.budget_ns = static_cast<uint64_t>(options.number("--budget", 0.0, 0.0, 3600.0) * 1e9);
  check(netcl_ceilings_measure(device, &how, ceilings.receive()), "netcl_ceilings_measure");
  return ceilings;
}

int run_bench_command(const Command& self, int argc, char** argv) {
  const bool group = argc > 0 && std::strcmp(argv[0], "group") == 0;
  if (group) return with_usage(self, bench_group, argc - 1, argv + 1);
  return with_usage(self, bench, argc, argv);
}

}  // namespace netcl::tool
