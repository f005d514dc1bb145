// Jobs for tests of runners: y = a * x + y and what can go wrong with it.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "device/manager.hpp"
#include "tune/runner.hpp"

extern "C" {
#include <cmocka.h>
}

namespace netcl::tests {

inline constexpr int64_t kCount = 1000;

// The device that the test runs on.
inline DeviceRef test_device() {
  const char* selector = std::getenv("NETCL_TEST_DEVICE");
  return DeviceManager::instance().open(selector == nullptr ? "cpu" : selector, false);
}

inline tune::JobArgument tensor(tune::JobArgument::Access access, netcl_dtype dtype,
                                std::vector<int64_t> shape, tune::Fill::Kind fill, double a = 0,
                                double b = 0) {
  tune::JobArgument argument;
  argument.access = access;
  argument.dtype = dtype;
  argument.shape = std::move(shape);
  argument.fill.kind = fill;
  argument.fill.a = a;
  argument.fill.b = b;
  return argument;
}

template <class T>
tune::JobArgument scalar(T value) {
  tune::JobArgument argument;
  argument.kind = tune::JobArgument::Kind::scalar;
  argument.scalar.assign(reinterpret_cast<const char*>(&value), sizeof value);
  return argument;
}

inline std::string saxpy_text(const std::string& body) {
  return "__kernel void saxpy(__global const float *x, __global float *y, __global float *out,\n"
         "                    float a, int n) {\n"
         "  int i = get_global_id(0);\n" +
         body + "\n}\n";
}
inline constexpr char kRight[] = "  if (i < n) { y[i] = a * x[i] + y[i]; out[i] = 2.0f * y[i]; }";

// out = 2 * (y += a * x); timing is short.
inline tune::Job saxpy(const std::string& body = kRight) {
  using tune::Fill;
  using Access = tune::JobArgument::Access;
  tune::Job job;
  job.source = saxpy_text(body);
  job.kernel = "saxpy";
  job.size.global[0] = 1024;
  job.arguments = {tensor(Access::in, NETCL_F32, {kCount}, Fill::Kind::uniform, -1, 1),
                   tensor(Access::inout, NETCL_F32, {kCount}, Fill::Kind::normal, 0, 1),
                   tensor(Access::out, NETCL_F32, {kCount}, Fill::Kind::zeros), scalar(0.5f),
                   scalar(static_cast<int32_t>(kCount))};
  job.seeds = {7, 8};
  job.timing.count = 5;
  job.timing.warmup_count = 1;
  return job;
}

// The same with the right kernel as its reference.
inline tune::Job candidate(const std::string& body) {
  tune::Job job = saxpy(body);
  job.reference.job = std::make_shared<tune::Job>(saxpy());
  return job;
}

inline tune::RunnerOptions no_lock() {
  tune::RunnerOptions options;
  options.lock = false;
  return options;
}

#define expect_outcome(result, wanted)                                                         \
  do {                                                                                         \
    const netcl::tune::JobResult& seen = (result);                                             \
    if (seen.outcome != (wanted)) {                                                            \
      print_error("%s:%d: outcome %d, not %d: %s\n", __FILE__, __LINE__, seen.outcome, wanted, \
                  seen.message.c_str());                                                       \
      fail();                                                                                  \
    }                                                                                          \
  } while (0)

#define expect_message(result, part)                                       \
  do {                                                                     \
    const netcl::tune::JobResult& seen_result = (result);                  \
    if (seen_result.message.find(part) == std::string::npos) {             \
      print_error("%s:%d: \"%s\" is not in \"%s\"\n", __FILE__, __LINE__,  \
                  std::string(part).c_str(), seen_result.message.c_str()); \
      fail();                                                              \
    }                                                                      \
  } while (0)

// A kernel that writes anywhere ends the process on a CPU, and takes the device from it on a GPU.
inline void expect_crash(const tune::JobResult& result) {
  const bool lost = test_device()->info().type == NETCL_DEVICE_GPU;
  expect_outcome(result, NETCL_OUTCOME_CRASH);
  expect_message(result, lost ? "its process lost the device while it ran"
                              : "its process died while it ran: ");
}

}  // namespace netcl::tests
