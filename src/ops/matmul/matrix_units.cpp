#include "ops/matmul/matrix_units.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "core/dtype.hpp"
#include "core/error.hpp"
#include "core/integer.hpp"
#include "core/log.hpp"
#include "core/wait.hpp"
#include "kernel/op_kernels.hpp"

namespace netcl::ops {
namespace {

// Bytes that tensor maps count in.
constexpr int64_t kGrain = 16;
// How long a trial waits for work in front of it.
constexpr uint64_t kTryTimeout = uint64_t{20} * 1000000000u;

// Whole numbers from -3 to 3, whose products and their sums are exact in every format here.
int pattern(int64_t i, int64_t j, int64_t seed) {
  return static_cast<int>((3 * i + 5 * j + seed) % 7) - 3;
}

// Whole numbers up to 2048, which are exact.
uint16_t as_f16(int value) {
  if (value == 0) return 0;
  const auto magnitude = static_cast<uint32_t>(value < 0 ? -value : value);
  const auto exponent = static_cast<uint32_t>(std::bit_width(magnitude) - 1);
  const uint32_t digits = (magnitude << (10 - exponent)) & 0x3ffu;
  return static_cast<uint16_t>((value < 0 ? 0x8000u : 0u) | (exponent + 15) << 10 | digits);
}

// A product of 200 x 136 by two stages of the depth and a bit: several tiles, parts of which lie
// outside.
constexpr int64_t kTryM = 200, kTryN = 136, kTryK = 144;

std::vector<uint16_t> wanted() {
  std::vector<uint16_t> out(kTryM * kTryN);
  for (int64_t i = 0; i < kTryM; ++i) {
    for (int64_t j = 0; j < kTryN; ++j) {
      int sum = 0;
      for (int64_t k = 0; k < kTryK; ++k) sum += pattern(i, k, 1) * pattern(k, j, 4);
      out[static_cast<size_t>(i * kTryN + j)] = as_f16(sum);
    }
  }
  return out;
}

std::vector<uint16_t> factor(int64_t rows, int64_t columns, int64_t seed) {
  std::vector<uint16_t> out(static_cast<size_t>(rows * columns));
  for (int64_t i = 0; i < rows * columns; ++i) {
    out[static_cast<size_t>(i)] = as_f16(pattern(i / columns, i % columns, seed));
  }
  return out;
}

// What the commands of a trial use, on the host and on the device.
struct Trial {
  std::vector<uint16_t> a = factor(kTryM, kTryK, 1), b = factor(kTryK, kTryN, 4);
  std::vector<uint16_t> found = std::vector<uint16_t>(kTryM * kTryN);
  backend::BufferRef buffers[4];
  std::unique_ptr<backend::Kernel> kernel;
  std::unique_ptr<backend::Stream> stream;
  backend::EventRef done;
};

// Two groups, so that one of them has two tiles in turn.
constexpr uint64_t kTryGroups = 2;

void enqueue(const Device& device, const WgmmaKernel& kernel, Trial* trial) {
  // As wgmma_text says: bytes of a, b and c, the scratch's first byte; extents; alpha, activation.
  const std::array<uint64_t, 14> longs = {0, kTryK * 2, 0, 0, 0, kTryN * 2, 0, 0,
                                          0, kTryN * 2, 0, 0, 0, 0};
  const std::array<uint32_t, 11> words = {kTryM, kTryN, kTryK, 1, 1, 1, 1, 1, 1, 1, 1u << 30};
  const std::array<float, 3> reals = {1.0f, 0.0f, 0.0f};
  std::vector<backend::KernelArgument> arguments;
  using Kind = backend::KernelArgument::Kind;
  for (const auto& buffer : trial->buffers) {
    arguments.push_back({Kind::buffer, buffer.get(), 0, nullptr, 0});
  }
  const auto scalars = [&](const auto& list) {
    for (const auto& value : list) {
      arguments.push_back({Kind::bytes, nullptr, 0, &value, sizeof value});
    }
  };
  scalars(longs);
  scalars(words);
  scalars(reals);
  backend::Launch launch;
  launch.kernel = trial->kernel.get();
  launch.local[0] = wgmma_items(kernel);
  launch.local[1] = launch.local[2] = 1;
  launch.global[0] = kTryGroups * launch.local[0];
  launch.arguments = arguments;
  std::lock_guard<std::mutex> lock(device.enqueue_mutex());
  trial->stream = device.backend().create_stream(false, false);
  backend::Stream& stream = *trial->stream;
  stream.write(*trial->buffers[0], 0, trial->a.size() * 2, trial->a.data(), {}, nullptr);
  stream.write(*trial->buffers[1], 0, trial->b.size() * 2, trial->b.data(), {}, nullptr);
  stream.launch(launch, {}, nullptr);
  stream.read(*trial->buffers[3], 0, trial->found.size() * 2, trial->found.data(), {},
              &trial->done);
  stream.flush();
}

struct Answer {
  netcl_matrix_units units = NETCL_MATRIX_UNITS_NONE;
  std::string why;      // there are none
  bool lasting = true;  // false: it may be another the next time
};

// Builds and runs a kernel of the generator: two warpgroups, whose results go through local memory.
Answer try_wgmma(const Device& device) {
  WgmmaKernel kernel;
  kernel.b_along_n = true;
  kernel.tile_n = 128;
  backend::Device& backend = device.backend();
  backend::BuildResult built = backend.build_binary(wgmma_text(kernel), "");
  if (!built.program) {
    return {NETCL_MATRIX_UNITS_NONE,
            "the driver does not build PTX for them: " + error_line(built.log)};
  }
  // A driver that is late may read and write what the trial has: it is given up on purpose then.
  auto trial = std::make_unique<Trial>();
  trial->kernel = built.program->create_kernel(wgmma_name(kernel));
  const uint64_t bytes[] = {trial->a.size() * 2, trial->b.size() * 2, kTryGroups * kWgmmaScratch,
                            trial->found.size() * 2};
  for (int i = 0; i < 4; ++i) {
    trial->buffers[i] = backend.allocate(bytes[i], backend::MemoryKind::device);
  }
  Trial* const late = trial.release();
  enqueue(device, kernel, late);
  if (!late->done->wait(Deadline(kTryTimeout))) {
    return {NETCL_MATRIX_UNITS_NONE, "a product with them has not come to an end in time", false};
  }
  trial.reset(late);
  if (trial->done->failure() != 0) {
    return {NETCL_MATRIX_UNITS_NONE,
            format("a product with them failed with %d", trial->done->failure())};
  }
  if (trial->found != wanted()) {
    return {NETCL_MATRIX_UNITS_NONE, "a product with them was wrong"};
  }
  return {NETCL_MATRIX_UNITS_WGMMA, {}};
}

Answer try_device(const Device& device) {
  if (device_class(device) != DeviceClass::hopper) {
    return {NETCL_MATRIX_UNITS_NONE, "those of NVIDIA's Hopper generation are used, and this is " +
                                         std::string(device_class_name(device_class(device)))};
  }
  Answer answer;
  try {
    answer = try_wgmma(device);
  } catch (const Error& error) {
    if (error.status() == NETCL_ERROR_CANCELLED) throw;
    const bool lasting = error.status() == NETCL_ERROR_BUILD_FAILURE ||
                         error.status() == NETCL_ERROR_LAUNCH_FAILURE;
    answer = {NETCL_MATRIX_UNITS_NONE, error.message(), lasting};
  }
  log_message(NETCL_LOG_INFO, "matrix units of \"%s\": %s", device.info().name,
              answer.why.empty() ? "wgmma" : answer.why.c_str());
  return answer;
}

// What was found out about a device.
class Tried {
 public:
  Answer answer(const Device& device) {
    if (const Answer* known = known_.load(std::memory_order_acquire)) return *known;
    std::lock_guard<std::mutex> lock(mutex_);
    if (known_.load(std::memory_order_relaxed) == nullptr) {
      answer_ = try_device(device);
      if (answer_.lasting) known_.store(&answer_, std::memory_order_release);
    }
    return answer_;
  }

  bool builds(Device& device, const std::string& kernel, FunctionRef<std::string()> text,
              const char* flags) {
    if (refusals_.load(std::memory_order_acquire) != 0) {
      std::lock_guard<std::mutex> lock(mutex_);
      if (refused_.contains(kernel)) return false;
    }
    try {
      OpKernels::of(device).assembled(kernel, flags, text);
    } catch (const Error& error) {
      if (error.status() != NETCL_ERROR_BUILD_FAILURE) throw;
      log_message(NETCL_LOG_WARNING, "%s; a portable kernel stands in for it",
                  error.message().c_str());
      std::lock_guard<std::mutex> lock(mutex_);
      refused_.insert(kernel);
      refusals_.store(refused_.size(), std::memory_order_release);
      return false;
    }
    return true;
  }

 private:
  std::mutex mutex_;
  Answer answer_;
  std::atomic<const Answer*> known_{nullptr};
  std::set<std::string> refused_;  // kernels
  std::atomic<size_t> refusals_{0};
};

Tried& tries_of(const Device& device) {
  return device.services().get<Tried>(Slot::matrix_units,
                                      [] { return std::make_unique<Tried>(); });
}

Answer tried(const Device& device) { return tries_of(device).answer(device); }

}  // namespace

netcl_matrix_units matrix_units(const VariantTarget& target) {
  if (!environment().matrix_units) return NETCL_MATRIX_UNITS_NONE;
  return target.device != nullptr ? tried(*target.device).units : target.capabilities.matrix_units;
}

std::string no_matrix_units(const VariantTarget& target) {
  if (!environment().matrix_units) return "NETCL_MATRIX_UNITS=0";
  return target.device != nullptr ? tried(*target.device).why : "the recorded device has none";
}

bool builds_units(Device& device, const std::string& kernel, FunctionRef<std::string()> text,
                  const char* flags) {
  return tries_of(device).builds(device, kernel, text, flags);
}

UnitsFactor units_factor(const MatmulProblem& problem, MatmulRole role) {
  const MatmulOperand& x = problem.operands[role];
  const int64_t across = role == kRoleA ? problem.m : problem.n;
  const int64_t across_stride = role == kRoleA ? x.row_stride : x.column_stride;
  const int64_t depth_stride = role == kRoleA ? x.column_stride : x.row_stride;
  const int64_t grain = kGrain / static_cast<int64_t>(dtype_size(problem.dtype));
  UnitsFactor out;
  out.fits = x.offset % grain == 0;
  for (uint32_t d = 0; d < problem.batch_rank; ++d) {
    out.fits = out.fits && x.batch_strides[d] % grain == 0 && x.batch_strides[d] >= 0;
  }
  // A dimension of extent 1 has no stride, and any that fits will do.
  const auto runs = [&](int64_t unit, int64_t length, int64_t step, int64_t count) {
    if (unit != 1 && length != 1) return false;
    out.step = count == 1 ? round_up(length, grain) : step;
    return out.step % grain == 0 && out.step >= length;
  };
  const bool strict = is_strict_f32(problem);
  if (strict && role == kRoleB) {
    out.across = true;
    return runs(across_stride, across, depth_stride, problem.k) ? out : UnitsFactor{};
  }
  if (runs(depth_stride, problem.k, across_stride, across)) return out;
  // Of 8 and 32-bit elements the units take neighbours along the depth alone.
  if (dtype_size(problem.dtype) != 2) return {};
  out.across = true;
  out.fits = runs(across_stride, across, depth_stride, problem.k) && out.fits;
  return out;
}

}  // namespace netcl::ops
