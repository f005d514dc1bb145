// The checks of `netcl selftest` that compute.
//
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>

#include "selftest.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

/// Integer arithmetic only, so that every right device gives the same bits.
constexpr const char* kMixSource =
    "__kernel void mix_words(__global const uint* in, __global uint* out, uint factor) {\n"
    "  size_t i = get_global_id(0);\n"
    "  uint x = in[i] * factor + (uint)i;\n"
    "  out[i] = x ^ (x >> 15);\n"
    "}\n";

netcl_arg tensor_arg(const Tensor& tensor, netcl_arg_kind kind) {
  netcl_arg arg = NETCL_ARG_INIT;
  arg.kind = kind;
  arg.tensor = tensor.get();
  return arg;
}

netcl_arg scalar_arg(uint32_t value) {
  netcl_arg arg = NETCL_ARG_INIT;
  arg.kind = NETCL_ARG_SCALAR;
  arg.size = sizeof value;
  std::memcpy(arg.value, &value, sizeof value);
  return arg;
}

void expect_status(netcl_status got, netcl_status expected, const char* call) {
  if (got != expected) {
    throw ToolError(
        format("%s gave %s, not %s", call, netcl_status_name(got), netcl_status_name(expected)));
  }
  if (netcl_last_error_message()[0] == '\0') {
    throw ToolError(format("%s failed as it should, but without a message", call));
  }
}

Outcome check_kernel_refused(const TestedDevice& tested) {
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  options.source = kMixSource;
  Kernel kernel;
  expect_status(netcl_kernel_create(tested.device, "mix_words", &options, kernel.receive()),
                NETCL_ERROR_UNSUPPORTED, "netcl_kernel_create");
  return {Outcome::Verdict::kPass,
          format("refused, as it should be: %s", netcl_last_error_message()),
          {}};
}

std::vector<float> random_floats(const TestedDevice& tested, uint64_t stream, size_t count) {
  return RandomWords(tested.seed + stream).floats(count);
}

/// Philox4x32-10 as published (Salmon et al., SC 2011), written out once more so that the library
/// is not compared with itself.
void philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
  uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]};
  uint32_t k[2] = {key[0], key[1]};
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = uint64_t{0xd2511f53u} * c[0];
    const uint64_t p1 = uint64_t{0xcd9e8d57u} * c[2];
    const uint32_t next[4] = {
        static_cast<uint32_t>(p1 >> 32) ^ c[1] ^ k[0], static_cast<uint32_t>(p1),
        static_cast<uint32_t>(p0 >> 32) ^ c[3] ^ k[1], static_cast<uint32_t>(p0)};
    std::copy(next, next + 4, c);
    k[0] += 0x9e3779b9u;
    k[1] += 0xbb67ae85u;
  }
  std::copy(c, c + 4, out);
}

/// The word that element `index` of a stream of f32 numbers is made from.
uint32_t philox_word(uint64_t seed, uint64_t index) {
  const uint64_t block = index / 4;
  const uint32_t counter[4] = {static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32), 0,
                               0};
  const uint32_t key[2] = {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)};
  uint32_t words[4];
  philox(counter, key, words);
  return words[index % 4];
}

template <typename T>
std::vector<T> device_random(const TestedDevice& tested, netcl_dtype dtype, uint64_t seed,
                             uint64_t offset, size_t count) {
  netcl_random_options random = NETCL_RANDOM_OPTIONS_INIT;
  random.seed = seed;
  random.offset = offset;
  const auto extent = static_cast<int64_t>(count);
  Tensor tensor;
  check(netcl_tensor_create_random(tested.device, dtype, 1, &extent, nullptr, &random, nullptr,
                                   tensor.receive()),
        "netcl_tensor_create_random");
  std::vector<T> values(count);
  download(tensor, values);
  return values;
}

/// Measures how far a product is from the one in double precision, in units of the stated bound.
double worst_error(const std::vector<float>& a, const std::vector<float>& b,
                   const std::vector<float>& product, size_t n) {
  double worst = 0;
  std::vector<double> exact(n);
  std::vector<double> magnitude(n);
  for (size_t row = 0; row < n; ++row) {
    std::fill(exact.begin(), exact.end(), 0.0);
    std::fill(magnitude.begin(), magnitude.end(), 0.0);
    for (size_t k = 0; k < n; ++k) {
      const double factor = a[row * n + k];
      for (size_t column = 0; column < n; ++column) {
        const double term = factor * b[k * n + column];
        exact[column] += term;
        magnitude[column] += std::fabs(term);
      }
    }
    for (size_t column = 0; column < n; ++column) {
      const double bound = 2.0 * static_cast<double>(n) * 0x1p-24 * magnitude[column];
      const double error = std::fabs(product[row * n + column] - exact[column]) / bound;
      // A comparison that is false for NaN would let NaN through.
      if (!(error <= worst)) worst = std::isnan(error) ? HUGE_VAL : error;
    }
  }
  return worst;
}

}  // namespace

Outcome check_custom_kernel(const TestedDevice& tested) {
  if (tested.is_builtin()) return check_kernel_refused(tested);
  constexpr uint32_t kFactor = 2654435761u;
  const std::vector<uint64_t> words = RandomWords(tested.seed + 2).words(1 << 20);
  std::vector<uint32_t> input(words.begin(), words.end());
  Tensor in = upload(tested, NETCL_U32, input);
  std::vector<uint32_t> output(input.size(), 0xdeadbeefu);
  Tensor out = upload(tested, NETCL_U32, output);
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  options.source = kMixSource;
  Kernel kernel;
  check(netcl_kernel_create(tested.device, "mix_words", &options, kernel.receive()),
        "netcl_kernel_create");
  const Stopwatch build_time;
  const netcl_status built = netcl_kernel_build(kernel.get());
  // Some embedded drivers take finished binaries only.
  if (built == NETCL_ERROR_UNSUPPORTED) return skip(netcl_last_error_message());
  check(built, "netcl_kernel_build");
  const double build_ns = build_time.nanoseconds();
  netcl_kernel_info info = NETCL_KERNEL_INFO_INIT;
  check(netcl_kernel_get_info(kernel.get(), &info), "netcl_kernel_get_info");
  const netcl_arg args[] = {tensor_arg(in, NETCL_ARG_TENSOR_READ_ONLY),
                            tensor_arg(out, NETCL_ARG_TENSOR), scalar_arg(kFactor)};
  const uint64_t global = input.size();
  check(netcl_kernel_launch(kernel.get(), &global, 1, nullptr, 0, args, 3, nullptr, nullptr),
        "netcl_kernel_launch");
  download(out, output);
  for (uint32_t i = 0; i < output.size(); ++i) {
    const uint32_t x = input[i] * kFactor + i;
    const uint32_t expected = x ^ (x >> 15);
    if (output[i] != expected) {
      throw ToolError(format("element %u is %08x, not %08x", i, output[i], expected));
    }
  }
  return {Outcome::Verdict::kPass,
          format("%s in %s, %zu results right",
                 info.from_cache != 0 ? "loaded from the cache" : "built",
                 time_text(build_ns).c_str(), output.size()),
          {{"build_ns", build_ns}, {"from_cache", static_cast<double>(info.from_cache)}}};
}

Outcome check_expression(const TestedDevice& tested) {
  const size_t count = tested.modest_bytes(16ull << 20) / sizeof(float);
  const std::vector<float> a = random_floats(tested, 3, count);
  const std::vector<float> b = random_floats(tested, 4, count);
  Tensor v0 = upload(tested, NETCL_F32, a);
  Tensor v1 = upload(tested, NETCL_F32, b);
  Tensor result = upload(tested, NETCL_F32, std::vector<float>(count, NAN));
  netcl_tensor* const inputs[] = {v0.get(), v1.get()};
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.into = result.get();
  double best_ns = HUGE_VAL;
  for (int round = 0; round < 5; ++round) {
    const Stopwatch time;
    check(netcl_op_expression_text("MUL(ADD(v0, v1), 2.0f)", inputs, 2, nullptr, &run, nullptr),
          "netcl_op_expression_text");
    check(netcl_tensor_wait(result.get(), kPatienceNs), "netcl_tensor_wait");
    best_ns = std::min(best_ns, time.nanoseconds());
  }
  std::vector<float> got(count);
  download(result, got);
  for (size_t i = 0; i < count; ++i) {
    const float sum = a[i] + b[i];
    const float expected = sum * 2.0f;
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): it is the bits that are to be the same
    if (std::memcmp(&got[i], &expected, sizeof expected) != 0) {
      throw ToolError(format("element %zu is %.9g, not %.9g", i, static_cast<double>(got[i]),
                             static_cast<double>(expected)));
    }
  }
  const auto moved = static_cast<double>(3 * count * sizeof(float));
  return {Outcome::Verdict::kPass,
          format("%s, %zu results equal bit for bit", rate_text(moved, best_ns).c_str(), count),
          {{"bytes", moved}, {"time_ns", best_ns}}};
}

Outcome check_matmul(const TestedDevice& tested) {
  constexpr size_t kSize = 512;
  constexpr int64_t kShape[] = {kSize, kSize};
  const std::vector<float> a = random_floats(tested, 5, kSize * kSize);
  const std::vector<float> b = random_floats(tested, 6, kSize * kSize);
  std::vector<float> product(kSize * kSize, NAN);
  Tensor matrices[3];
  const std::vector<float>* const sources[] = {&a, &b, &product};
  for (int i = 0; i < 3; ++i) {
    check(netcl_tensor_create_from_host(tested.device, NETCL_F32, 2, kShape, nullptr,
                                        sources[i]->data(), sources[i]->size() * sizeof(float),
                                        nullptr, matrices[i].receive()),
          "netcl_tensor_create_from_host");
  }
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.into = matrices[2].get();
  double best_ns = HUGE_VAL;
  for (int round = 0; round < 5; ++round) {
    const Stopwatch time;
    check(netcl_op_matmul(matrices[0].get(), matrices[1].get(), nullptr, &run, nullptr),
          "netcl_op_matmul");
    check(netcl_tensor_wait(matrices[2].get(), kPatienceNs), "netcl_tensor_wait");
    best_ns = std::min(best_ns, time.nanoseconds());
  }
  download(matrices[2], product);
  const double error = worst_error(a, b, product, kSize);
  if (!(error <= 1.0)) throw ToolError(format("the error is %.3g times its bound", error));
  const double gflops = 2.0 * kSize * kSize * kSize / best_ns;
  return {Outcome::Verdict::kPass,
          format("%.1f GFLOP/s (%zu x %zu), error %.2g of its bound", gflops, kSize, kSize, error),
          {{"gflops", gflops}, {"error_of_bound", error}}};
}

Outcome check_random(const TestedDevice& tested) {
  constexpr size_t kCount = 1 << 20;
  // The first published vector has a counter and a key of zeros and begins with 6627e8d5 e169c58d.
  // A 64-bit number takes both words.
  const auto published = device_random<uint64_t>(tested, NETCL_U64, 0, 0, 1);
  if (published[0] != 0xe169c58d6627e8d5ull) {
    throw ToolError(format("the first number of seed 0 is %016llx, not e169c58d6627e8d5",
                           static_cast<unsigned long long>(published[0])));
  }
  const uint64_t offset = (tested.seed >> 8) | 1;
  // The first call may have to build a kernel; the second shows what a call costs.
  device_random<float>(tested, NETCL_F32, tested.seed, offset + 1, kCount);
  const Stopwatch time;
  const auto floats = device_random<float>(tested, NETCL_F32, tested.seed, offset, kCount);
  const double elapsed = time.nanoseconds();
  for (size_t i = 0; i < kCount; ++i) {
    const uint32_t word = philox_word(tested.seed, offset + i);
    const float expected = static_cast<float>(word >> 8) * 0x1p-24f;
    if (floats[i] != expected) {
      throw ToolError(format("number %zu is %.9g, not %.9g", i, static_cast<double>(floats[i]),
                             static_cast<double>(expected)));
    }
  }
  return {Outcome::Verdict::kPass,
          format("%zu numbers equal bit for bit, made and read in %s", kCount,
                 time_text(elapsed).c_str()),
          {{"count", static_cast<double>(kCount)}, {"time_ns", elapsed}}};
}

Outcome check_event_timing(const TestedDevice& tested) {
  Queue queue;
  netcl_queue_options queue_options = NETCL_QUEUE_OPTIONS_INIT;
  queue_options.profiling = 1;
  check(netcl_queue_create(tested.device, &queue_options, queue.receive()), "netcl_queue_create");
  const size_t count = tested.modest_bytes(16ull << 20) / sizeof(float);
  Tensor tensor = upload(tested, NETCL_F32, random_floats(tested, 7, count));
  check(netcl_tensor_wait(tensor.get(), kPatienceNs), "netcl_tensor_wait");
  netcl_tensor* const inputs[] = {tensor.get()};
  Event event;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.queue = queue.get();
  run.into = tensor.get();
  // The first call may have to build a kernel, which is no part of the times.
  check(netcl_op_expression_text("v0 * 0.5", inputs, 1, nullptr, &run, nullptr),
        "netcl_op_expression_text");
  check(netcl_tensor_wait(tensor.get(), kPatienceNs), "netcl_tensor_wait");
  run.event = event.receive();
  const Stopwatch time;
  check(netcl_op_expression_text("v0 * 0.5", inputs, 1, nullptr, &run, nullptr),
        "netcl_op_expression_text");
  check(netcl_event_wait(event.get(), kPatienceNs), "netcl_event_wait");
  const double wall_ns = time.nanoseconds();
  netcl_event_timing timing = NETCL_EVENT_TIMING_INIT;
  check(netcl_event_get_timing(event.get(), &timing), "netcl_event_get_timing");
  if (timing.queued_ns > timing.submitted_ns || timing.submitted_ns > timing.started_ns ||
      timing.started_ns >= timing.ended_ns) {
    const auto after = [&](uint64_t ns) { return std::to_string(ns - timing.queued_ns); };
    throw ToolError("the times are out of order; after queueing, in ns: submitted " +
                    after(timing.submitted_ns) + ", started " + after(timing.started_ns) +
                    ", ended " + after(timing.ended_ns));
  }
  const auto device_ns = static_cast<double>(timing.ended_ns - timing.started_ns);
  // The two clocks need not agree to the last percent.
  if (device_ns > 1.1 * wall_ns + 1e4) {
    throw ToolError(format("the device says %s, the host only %s", time_text(device_ns).c_str(),
                           time_text(wall_ns).c_str()));
  }
  return {Outcome::Verdict::kPass,
          format("device %s, host %s", time_text(device_ns).c_str(), time_text(wall_ns).c_str()),
          {{"device_ns", device_ns}, {"wall_ns", wall_ns}}};
}

Outcome check_error_path(const TestedDevice& tested) {
  Tensor a = upload(tested, NETCL_F32, std::vector<float>{1, 2, 3, 4, 5, 6});
  Tensor matrix;
  const int64_t shape[] = {2, 3};
  check(netcl_tensor_reshape(a.get(), 2, shape, nullptr, matrix.receive()), "netcl_tensor_reshape");
  Tensor result;
  expect_status(netcl_op_matmul(matrix.get(), matrix.get(), nullptr, nullptr, result.receive()),
                NETCL_ERROR_INVALID_ARGUMENT, "the product of 2 x 3 by 2 x 3");
  std::string message = netcl_last_error_message();
  netcl_tensor* const inputs[] = {matrix.get()};
  expect_status(netcl_op_expression_text("v0 + )", inputs, 1, nullptr, nullptr, result.receive()),
                NETCL_ERROR_INVALID_ARGUMENT, "the expression \"v0 + )\"");
  netcl_tensor* const released = a.get();
  a.reset();
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  expect_status(netcl_tensor_get_info(released, &info), NETCL_ERROR_INVALID_HANDLE,
                "a released tensor");
  // A refusal must leave the inputs usable.
  check(netcl_op_expression_text("v0 + 1", inputs, 1, nullptr, nullptr, result.receive()),
        "netcl_op_expression_text after errors");
  std::vector<float> values(6);
  download(result, values);
  if (values != std::vector<float>{2, 3, 4, 5, 6, 7}) {
    throw ToolError("results are wrong after refused calls");
  }
  return {Outcome::Verdict::kPass, format("3 of 3 refused; \"%s\"", message.c_str()), {}};
}

}  // namespace netcl::tool
