#include <algorithm>

#include "api/give_measurement.hpp"
#include "api/kernel_handle.hpp"
#include "api/resolved_run.hpp"
#include "timing/statistics.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

std::span<const double> sample_span(const double* samples, uint64_t count, const char* argument) {
  if (samples == nullptr && count > 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is NULL while %s_count is %llu", argument, argument,
         static_cast<unsigned long long>(count));
  }
  if (count > SIZE_MAX / sizeof(double)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s_count is %llu, more than memory has room for", argument,
         static_cast<unsigned long long>(count));
  }
  return {samples, static_cast<size_t>(count)};
}

// One candidate, whose work is done by `run` once for each iteration. Who asked for it gets the
// measurement, for its samples.
template <class Run>
void measure(QueueRef queue, const netcl_measurement_options& options, Run run,
             netcl_statistics* statistics) {
  if (options.candidates > 1) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->candidates is %u; this call measures one, netcl_measurement_create compares",
         options.candidates);
  }
  const auto measurement = std::make_shared<timing::Measurement>(std::move(queue), options);
  for (;;) {
    uint32_t candidate = 0;
    uint64_t iterations = 0;
    measurement->next(&candidate, &iterations);
    if (iterations == 0) break;
    for (uint64_t i = 0; i < iterations; ++i) run();
  }
  netcl_statistics full = NETCL_STATISTICS_INIT;
  measurement->statistics(0, &full);
  give_measurement(options, measurement);
  write_info(statistics, full);
}

}  // namespace

extern "C" {

netcl_status netcl_statistics_compute(const double* samples, uint64_t samples_count,
                                      double confidence, netcl_statistics* statistics) {
  return guarded([&] {
    check_info(statistics, "statistics");
    netcl_statistics full = NETCL_STATISTICS_INIT;
    timing::compute_statistics(sample_span(samples, samples_count, "samples"), confidence, &full);
    write_info(statistics, full);
  });
}

netcl_status netcl_statistics_compare(const double* first, uint64_t first_count,
                                      const double* second, uint64_t second_count,
                                      double confidence, double precision, uint64_t seed,
                                      netcl_comparison* comparison) {
  return guarded([&] {
    check_info(comparison, "comparison");
    netcl_comparison full = NETCL_COMPARISON_INIT;
    timing::compare_samples(sample_span(first, first_count, "first"),
                            sample_span(second, second_count, "second"), confidence, precision,
                            seed, &full);
    write_info(comparison, full);
  });
}

netcl_status netcl_measurement_create(netcl_queue* queue, const netcl_measurement_options* options,
                                      netcl_measurement** measurement) {
  return guarded([&] {
    const auto pinned = pin(queue, "queue");
    require(measurement, "measurement");
    const netcl_measurement_options checked = read_options(options, "options");
    if (checked.measurement != nullptr) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->measurement is set; write NULL: this call gives the measurement by itself");
    }
    *measurement = make_handle<netcl_measurement>(
        std::make_shared<timing::Measurement>(pinned.shared(), checked));
  });
}

netcl_status netcl_measurement_retain(netcl_measurement* measurement) {
  return retain_handle(measurement, "measurement");
}
void netcl_measurement_release(netcl_measurement* measurement) { release_handle(measurement); }

netcl_status netcl_measurement_next(netcl_measurement* measurement, uint32_t* candidate,
                                    uint64_t* iterations) {
  return guarded([&] {
    const auto pinned = pin(measurement, "measurement");
    require(candidate, "candidate");
    require(iterations, "iterations");
    pinned->next(candidate, iterations);
  });
}

netcl_status netcl_measurement_get_statistics(const netcl_measurement* measurement,
                                              uint32_t candidate, netcl_statistics* statistics) {
  return guarded([&] {
    const auto pinned = pin(measurement, "measurement");
    check_info(statistics, "statistics");
    netcl_statistics full = NETCL_STATISTICS_INIT;
    pinned->statistics(candidate, &full);
    write_info(statistics, full);
  });
}

netcl_status netcl_measurement_get_samples(const netcl_measurement* measurement, uint32_t candidate,
                                           double* samples, uint64_t capacity, uint64_t* count) {
  return guarded([&] {
    const auto pinned = pin(measurement, "measurement");
    require(count, "count");
    if (capacity > 0) require(samples, "samples");
    *count = pinned->samples(candidate, samples, capacity);
  });
}

netcl_status netcl_measurement_compare(const netcl_measurement* measurement, uint32_t first,
                                       uint32_t second, netcl_comparison* comparison) {
  return guarded([&] {
    const auto pinned = pin(measurement, "measurement");
    check_info(comparison, "comparison");
    netcl_comparison full = NETCL_COMPARISON_INIT;
    pinned->compare(first, second, &full);
    write_info(comparison, full);
  });
}

netcl_status netcl_queue_time(netcl_queue* queue, netcl_work_fn work, void* user_data,
                              const netcl_measurement_options* options,
                              netcl_statistics* statistics) {
  return guarded([&] {
    // Nothing stays pinned, so that the host's function may do as it likes with its handle.
    QueueRef object = pin(queue, "queue").shared();
    if (work == nullptr) fail(NETCL_ERROR_INVALID_ARGUMENT, "work is NULL");
    check_info(statistics, "statistics");
    measure(
        std::move(object), read_options(options, "options"),
        [&] {
          const HostCall call("work");
          call.check(work(queue, user_data));
        },
        statistics);
  });
}

netcl_status netcl_kernel_time(netcl_kernel* kernel, const uint64_t* global, uint32_t global_count,
                               const uint64_t* local, uint32_t local_count, const netcl_arg* args,
                               uint32_t args_count, const netcl_launch_options* launch,
                               const netcl_run_options* run,
                               const netcl_measurement_options* options,
                               netcl_statistics* statistics) {
  return guarded([&] {
    const auto pinned = pin(kernel, "kernel");
    check_info(statistics, "statistics");
    const netcl_run_options checked = read_options(run, "run");
    if (checked.event != nullptr) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "run->event is set; a measurement makes many launches and has no event");
    }
    if (checked.graph != nullptr) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "run->graph is set; a measurement is not recorded");
    }
    measure(
        resolve_queue(checked.queue, pinned->device(), "run->queue"),
        read_options(options, "options"),
        [&] {
          launch_by_args(*pinned, global, global_count, local, local_count, args, args_count,
                         launch, run);
        },
        statistics);
  });
}

netcl_status netcl_timer_create(netcl_queue* queue, netcl_timer** timer) {
  return guarded([&] {
    const auto pinned = pin(queue, "queue");
    require(timer, "timer");
    *timer = make_handle<netcl_timer>(std::make_shared<timing::Timer>(pinned.shared()));
  });
}

netcl_status netcl_timer_retain(netcl_timer* timer) { return retain_handle(timer, "timer"); }
void netcl_timer_release(netcl_timer* timer) { release_handle(timer); }

netcl_status netcl_timer_start(netcl_timer* timer) {
  return guarded([&] { pin(timer, "timer")->start(); });
}

netcl_status netcl_timer_stop(netcl_timer* timer, uint64_t timeout_ns, netcl_elapsed* elapsed) {
  return guarded([&] {
    const auto pinned = pin(timer, "timer");
    check_info(elapsed, "elapsed");
    netcl_elapsed full = NETCL_ELAPSED_INIT;
    pinned->stop(Deadline(timeout_ns), &full);
    write_info(elapsed, full);
  });
}

}  // extern "C"
