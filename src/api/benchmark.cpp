#include "tune/benchmark.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "api/give_measurement.hpp"
#include "api/resolved_run.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

constexpr uint32_t kRoundsMost = 64;

tune::BenchmarkOptions read_benchmark_options(const netcl_benchmark_options* given) {
  const netcl_benchmark_options options = read_options(given, "options");
  require_zero(options.reserved, "options->reserved");
  if (options.lock < NETCL_DEFAULT || options.lock > NETCL_OFF) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->lock is %d, which is no netcl_toggle",
         options.lock);
  }
  if (options.rounds > kRoundsMost) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->rounds is %u; the limit is %u", options.rounds,
         kRoundsMost);
  }
  tune::BenchmarkOptions out;
  out.runner.worker_path = text_or_empty(options.worker_path);
  out.runner.temp_dir = text_or_empty(options.temp_dir);
  out.runner.lock_path = text_or_empty(options.lock_path);
  out.runner.lock = options.lock != NETCL_OFF;
  out.runner.worker_id = options.worker_id;
  if (options.lock_timeout_ns != 0) out.runner.lock_timeout_ns = options.lock_timeout_ns;
  if (options.start_timeout_ns != 0) out.runner.start_timeout_ns = options.start_timeout_ns;
  out.compile_limit_ns = options.compile_timeout_ns;
  out.run_limit_ns = options.run_timeout_ns;
  out.seed = options.seed;
  if (options.rounds != 0) out.rounds = options.rounds;
  return out;
}

tune::Fill::Kind fill_kind(netcl_fill_kind kind) {
  using Kind = tune::Fill::Kind;
  static constexpr Kind kKinds[] = {Kind::zeros,  Kind::constant, Kind::uniform,
                                    Kind::normal, Kind::iota,     Kind::bytes};
  if (kind < NETCL_FILL_ZEROS || kind > NETCL_FILL_DATA) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "tensor->fill is %d, which is no netcl_fill_kind", kind);
  }
  return kKinds[kind];
}

// How far an output may be off; 0 stands for the default.
double bound(double value, const char* member) {
  if (value == 0) return -1;
  if (value > 0) return value;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %g; it is a number from 0 on", member, value);
}

void read_fill(const netcl_benchmark_tensor& tensor, tune::JobArgument* argument) {
  tune::Fill& fill = argument->fill;
  fill.kind = fill_kind(tensor.fill);
  fill.a = tensor.a;
  fill.b = tensor.b;
  if (tensor.fill == NETCL_FILL_SEQUENCE && tensor.b == 0) fill.b = 1;
  if (tensor.fill != NETCL_FILL_DATA) return;
  if (tensor.data_size != argument->byte_count()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "tensor->data_size is %zu; the shape has %llu bytes",
         tensor.data_size, static_cast<unsigned long long>(argument->byte_count()));
  }
  if (tensor.data_size > 0) require(tensor.data, "tensor->data");
  fill.bytes =
      std::make_shared<std::string>(static_cast<const char*>(tensor.data), tensor.data_size);
}

tune::JobArgument read_tensor(const netcl_benchmark_tensor* given) {
  const netcl_benchmark_tensor tensor = read_struct(given, "tensor");
  require_zero(tensor.reserved, "tensor->reserved");
  require_flag(tensor.exact, "tensor->exact");
  dtype_facts(tensor.dtype, "tensor->dtype");
  if (tensor.access < NETCL_ACCESS_IN || tensor.access > NETCL_ACCESS_INOUT) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "tensor->access is %d, which is no netcl_access",
         tensor.access);
  }
  if (tensor.rank > NETCL_RANK_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "tensor->rank is %u; the limit is %d", tensor.rank,
         NETCL_RANK_MAX);
  }
  tune::JobArgument argument;
  if (tensor.name != nullptr) require_name(tensor.name, "tensor->name");
  argument.name = text_or_empty(tensor.name);
  argument.dtype = tensor.dtype;
  argument.access = tensor.access == NETCL_ACCESS_IN    ? tune::JobArgument::Access::in
                    : tensor.access == NETCL_ACCESS_OUT ? tune::JobArgument::Access::out
                                                        : tune::JobArgument::Access::inout;
  argument.shape.assign(tensor.shape, tensor.shape + tensor.rank);
  (void)argument.byte_count();
  argument.tolerance.exact = tensor.exact != 0;
  argument.tolerance.absolute = bound(tensor.absolute, "tensor->absolute");
  argument.tolerance.relative = bound(tensor.relative, "tensor->relative");
  read_fill(tensor, &argument);
  // What would be refused when it is filled is refused where it is given.
  if (tensor.access != NETCL_ACCESS_OUT && tensor.fill == NETCL_FILL_NORMAL &&
      !is_float(tensor.dtype)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "tensor->fill is NORMAL and tensor->dtype is %s; normal "
         "numbers are floats",
         dtype_facts(tensor.dtype).name);
  }
  return argument;
}

std::vector<std::string> read_texts(const char* const* texts, uint32_t count, const char* member) {
  std::vector<std::string> out;
  require_array(texts, count, member);
  for (uint32_t i = 0; i < count; ++i) {
    if (texts[i] == nullptr) fail(NETCL_ERROR_INVALID_ARGUMENT, "%s[%u] is NULL", member, i);
    out.emplace_back(texts[i]);
  }
  return out;
}

void read_sizes(const netcl_benchmark_candidate& candidate, tune::Job* job) {
  const uint32_t rank = candidate.global_count == 0 ? 1 : candidate.global_count;
  if (rank > NETCL_LAUNCH_RANK_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "candidate->global_count is %u; a launch has 1 to %d "
         "dimensions",
         rank, NETCL_LAUNCH_RANK_MAX);
  }
  job->size.rank = job->setup_size.rank = rank;
  for (uint32_t d = 0; d < rank; ++d) {
    job->size.global[d] = candidate.global[d];
    job->size.local[d] = candidate.local[d];
    job->setup_size.global[d] = candidate.setup_global[d];
    if (candidate.global[d] == 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "candidate->global[%u] is 0", d);
    }
    if ((candidate.local[d] == 0) != (candidate.local[0] == 0)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "candidate->local[%u] is %llu and candidate->local[0] is "
           "%llu; all are given or none",
           d, static_cast<unsigned long long>(candidate.local[d]),
           static_cast<unsigned long long>(candidate.local[0]));
    }
    if (candidate.setup_kernel != nullptr && candidate.setup_global[d] == 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "candidate->setup_global[%u] is 0", d);
    }
  }
}

tune::Job read_candidate(const netcl_benchmark_candidate* given) {
  const netcl_benchmark_candidate candidate = read_struct(given, "candidate");
  require_flag(candidate.fast_math, "candidate->fast_math");
  require_flag(candidate.no_preamble, "candidate->no_preamble");
  require_flag(candidate.round_up, "candidate->round_up");
  require(candidate.kernel, "candidate->kernel");
  if ((candidate.source == nullptr) == (candidate.path == nullptr)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "candidate has %s; exactly one of source and path is needed",
         candidate.source == nullptr ? "neither source nor path" : "both source and path");
  }
  tune::Job job;
  job.source = text_or_empty(candidate.source);
  job.path = text_or_empty(candidate.path);
  if (candidate.source != nullptr && job.source.empty()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "candidate->source is empty");
  }
  job.kernel = candidate.kernel;
  job.setup_kernel = text_or_empty(candidate.setup_kernel);
  job.flags = read_texts(candidate.flags, candidate.flags_count, "candidate->flags");
  for (const std::string& define :
       read_texts(candidate.defines, candidate.defines_count, "candidate->defines")) {
    const size_t equals = define.find('=');
    job.defines.emplace_back(define.substr(0, equals),
                             equals == std::string::npos ? "1" : define.substr(equals + 1));
  }
  job.fast_math = candidate.fast_math != 0;
  job.no_preamble = candidate.no_preamble != 0;
  job.round_up = candidate.round_up != 0;
  read_sizes(candidate, &job);
  return job;
}

netcl_benchmark_result result_of(const tune::JobResult& result, double speedup) {
  netcl_benchmark_result out = NETCL_BENCHMARK_RESULT_INIT;
  out.outcome = result.outcome;
  out.deaths = result.deaths;
  if (result.correct()) {
    out.count = result.statistics.count;
    out.mean = result.statistics.mean;
    out.deviation = result.statistics.deviation;
    out.min = result.statistics.min;
    out.max = result.statistics.max;
    out.median = result.statistics.median;
    out.speedup = speedup;
  }
  out.compile_ns = result.compile_ns;
  out.first_run_ns = result.first_run_ns;
  std::copy_n(result.global, 3, out.global);
  std::copy_n(result.local, 3, out.local);
  copy_line(out.message, sizeof out.message, result.message.c_str());
  return out;
}

// The handle under which a callback gets the queue.
class LentQueue {
 public:
  explicit LentQueue(QueueRef queue) : handle_(make_handle<netcl_queue>(std::move(queue))) {}
  ~LentQueue() { release_handle(handle_); }
  LentQueue(const LentQueue&) = delete;
  LentQueue& operator=(const LentQueue&) = delete;
  netcl_queue* get() const noexcept { return handle_; }

 private:
  netcl_queue* handle_;
};

}  // namespace

extern "C" {

netcl_status netcl_benchmark_create(netcl_device* device, const netcl_benchmark_options* options,
                                    netcl_benchmark** benchmark) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(benchmark, "benchmark");
    *benchmark = make_handle<netcl_benchmark>(
        std::make_shared<tune::Benchmark>(pinned.shared(), read_benchmark_options(options)));
  });
}

netcl_status netcl_benchmark_retain(netcl_benchmark* benchmark) {
  return retain_handle(benchmark, "benchmark");
}
void netcl_benchmark_release(netcl_benchmark* benchmark) { release_handle(benchmark); }

netcl_status netcl_benchmark_add_tensor(netcl_benchmark* benchmark,
                                        const netcl_benchmark_tensor* tensor) {
  return guarded([&] { pin(benchmark, "benchmark")->add(read_tensor(tensor)); });
}

netcl_status netcl_benchmark_add_scalar(netcl_benchmark* benchmark, const void* data,
                                        size_t data_size) {
  return guarded([&] {
    const auto pinned = pin(benchmark, "benchmark");
    if (data_size < 1 || data_size > 65536) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "data_size is %zu; a scalar has 1 to 65536 bytes",
           data_size);
    }
    require(data, "data");
    tune::JobArgument argument;
    argument.kind = tune::JobArgument::Kind::scalar;
    argument.scalar.assign(static_cast<const char*>(data), data_size);
    pinned->add(std::move(argument));
  });
}

netcl_status netcl_benchmark_add_local(netcl_benchmark* benchmark, uint64_t bytes) {
  return guarded([&] {
    const auto pinned = pin(benchmark, "benchmark");
    const uint64_t most = pinned->device().capabilities().local_memory_bytes;
    if (bytes == 0 || bytes > most || bytes > UINT32_MAX) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "bytes is %llu; local memory takes 1 to %llu bytes",
           static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(most));
    }
    tune::JobArgument argument;
    argument.kind = tune::JobArgument::Kind::local;
    argument.local_bytes = bytes;
    pinned->add(std::move(argument));
  });
}

netcl_status netcl_benchmark_get_tensor(netcl_benchmark* benchmark, uint32_t index,
                                        netcl_tensor** tensor) {
  return guarded([&] {
    const auto pinned = pin(benchmark, "benchmark");
    require(tensor, "tensor");
    *tensor = make_handle<netcl_tensor>(pinned->tensor(index));
  });
}

netcl_status netcl_benchmark_prepare(netcl_benchmark* benchmark, uint32_t round) {
  return guarded([&] { pin(benchmark, "benchmark")->prepare(round); });
}

netcl_status netcl_benchmark_keep(netcl_benchmark* benchmark, uint32_t round) {
  return guarded([&] { pin(benchmark, "benchmark")->keep(round); });
}

netcl_status netcl_benchmark_time_baseline(netcl_benchmark* benchmark, netcl_work_fn work,
                                           void* user_data,
                                           const netcl_measurement_options* options,
                                           netcl_statistics* statistics) {
  return guarded([&] {
    // Nothing stays pinned, so that the host's function may do as it likes with its handle.
    const std::shared_ptr<tune::Benchmark> object = pin(benchmark, "benchmark").shared();
    if (work == nullptr) fail(NETCL_ERROR_INVALID_ARGUMENT, "work is NULL");
    check_info(statistics, "statistics");
    const netcl_measurement_options checked = read_options(options, "options");
    const LentQueue queue(object->queue());
    netcl_statistics full = NETCL_STATISTICS_INIT;
    const auto measurement = object->time_baseline(
        [&] {
          const HostCall call("work");
          call.check(work(queue.get(), user_data));
        },
        checked, &full);
    give_measurement(checked, measurement);
    write_info(statistics, full);
  });
}

netcl_status netcl_benchmark_time_kernel(netcl_benchmark* benchmark, netcl_kernel* kernel,
                                         const uint64_t* global, uint32_t global_count,
                                         const uint64_t* local, uint32_t local_count,
                                         const netcl_measurement_options* options,
                                         netcl_statistics* statistics) {
  return guarded([&] {
    const auto pinned = pin(benchmark, "benchmark");
    const auto pinned_kernel = pin(kernel, "kernel");
    check_info(statistics, "statistics");
    if (&pinned_kernel->device() != &pinned->device()) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "kernel belongs to device %s; the benchmark to %s",
           pinned_kernel->device().text().c_str(), pinned->device().text().c_str());
    }
    const netcl_measurement_options checked = read_options(options, "options");
    netcl_statistics full = NETCL_STATISTICS_INIT;
    const auto measurement = pinned->time_baseline(*pinned_kernel, global, global_count, local,
                                                   local_count, checked, &full);
    give_measurement(checked, measurement);
    write_info(statistics, full);
  });
}

netcl_status netcl_benchmark_set_baseline(netcl_benchmark* benchmark,
                                          const netcl_statistics* statistics) {
  return guarded([&] {
    const auto pinned = pin(benchmark, "benchmark");
    pinned->set_baseline(read_struct(statistics, "statistics"));
  });
}

netcl_status netcl_benchmark_run(netcl_benchmark* benchmark,
                                 const netcl_benchmark_candidate* candidate,
                                 const netcl_measurement_options* options,
                                 netcl_benchmark_result* result) {
  return guarded([&] {
    const auto pinned = pin(benchmark, "benchmark");
    check_info(result, "result");
    tune::Job job = read_candidate(candidate);
    job.timing = read_options(options, "options");
    if (job.timing.measurement != nullptr) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->measurement is set; write NULL: the worker measures, and keeps its samples");
    }
    double speedup = 0;
    if (candidate->name != nullptr) require_name(candidate->name, "candidate->name");
    const std::string name = text_or_empty(candidate->name);
    const tune::JobResult full = pinned->run(name, std::move(job), &speedup);
    write_info(result, result_of(full, speedup));
  });
}

netcl_status netcl_benchmark_get_build_log(const netcl_benchmark* benchmark, char* buffer,
                                           size_t capacity, size_t* length) {
  return guarded(
      [&] { write_text(pin(benchmark, "benchmark")->build_log(), buffer, capacity, length); });
}

netcl_status netcl_benchmark_get_json(const netcl_benchmark* benchmark, char* buffer,
                                      size_t capacity, size_t* length) {
  return guarded(
      [&] { write_text(pin(benchmark, "benchmark")->json(), buffer, capacity, length); });
}

}  // extern "C"
