#include "ops/matmul/matrix_units.hpp"

#include <array>
#include <cstring>
#include <mutex>
#include <vector>

#include "core/dtype.hpp"
#include "core/error.hpp"
#include "core/integer.hpp"
#include "core/log.hpp"
#include "core/wait.hpp"

namespace netcl::ops {
namespace {

// Bytes that tensor maps count in.
constexpr int64_t kGrain = 16;

struct Tried {
  netcl_matrix_units units = NETCL_MATRIX_UNITS_NONE;
  std::string why;
};

// Whole numbers from -3 to 3, whose products and their sums are exact in every format here.
int pattern(int64_t i, int64_t j, int64_t seed) {
  return static_cast<int>((3 * i + 5 * j + seed) % 7) - 3;
}

uint16_t as_f16(int value) {
  static constexpr uint16_t kMagnitudes[] = {0, 0x3c00, 0x4000, 0x4200};
  const uint16_t magnitude = kMagnitudes[value < 0 ? -value : value];
  return static_cast<uint16_t>(magnitude | (value < 0 ? 0x8000 : 0));
}

// A product of 80 x 72 by two stages of the depth and a bit, with parts of tiles outside.
constexpr int64_t kTryM = 80, kTryN = 72, kTryK = 144;

std::vector<float> wanted() {
  std::vector<float> out(kTryM * kTryN);
  for (int64_t i = 0; i < kTryM; ++i) {
    for (int64_t j = 0; j < kTryN; ++j) {
      int sum = 0;
      for (int64_t k = 0; k < kTryK; ++k) sum += pattern(i, k, 1) * pattern(k, j, 4);
      out[static_cast<size_t>(i * kTryN + j)] = static_cast<float>(sum);
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

// What a driver may write to late is given up on purpose if it does not answer.
bool read_in_time(backend::Stream& stream, backend::Buffer& buffer, std::vector<float>* out) {
  auto* const held = new std::vector<float>(out->size());
  backend::EventRef done;
  try {
    stream.read(buffer, 0, held->size() * sizeof(float), held->data(), {}, &done);
  } catch (...) {
    delete held;
    throw;
  }
  if (!done->wait(Deadline(uint64_t{20} * 1000000000u))) return false;
  *out = std::move(*held);
  delete held;
  return done->failure() == 0;
}

// Builds and runs one kernel of the generator; empty when its results are right.
std::string try_wgmma(const Device& device) {
  WgmmaKernel kernel;
  kernel.out_dtype = NETCL_F32;
  kernel.b_along_n = true;
  kernel.tile_m = kernel.tile_n = 64;
  kernel.store = WgmmaStore::pairs;
  kernel.wide_pairs = true;
  backend::Device& backend = device.backend();
  backend::BuildResult built = backend.build_binary(wgmma_text(kernel), "");
  if (!built.program) return "the driver does not build PTX for them";
  const auto function = built.program->create_kernel(wgmma_name(kernel));
  const std::vector<uint16_t> a = factor(kTryM, kTryK, 1), b = factor(kTryK, kTryN, 4);
  const uint64_t c_bytes = kTryM * kTryN * sizeof(float);
  const auto memory = [&](uint64_t bytes) {
    return backend.allocate(bytes, backend::MemoryKind::device);
  };
  const backend::BufferRef buffers[] = {memory(a.size() * 2), memory(b.size() * 2),
                                        memory(4 * kWgmmaScratch), memory(c_bytes)};
  // As wgmma_text says: bytes of a, b and c, the scratch's first byte; extents; alpha, activation.
  const std::array<uint64_t, 14> longs = {0, kTryK * 2, 0, 0, 0, kTryN * 2, 0, 0,
                                          0, kTryN * 4, 0, 0, 0, 0};
  const std::array<uint32_t, 11> words = {kTryM, kTryN, kTryK, 1, 1, 1, 1, 1, 1, 1, 1u << 30};
  const std::array<float, 3> reals = {1.0f, 0.0f, 0.0f};
  std::vector<backend::KernelArgument> arguments;
  using Kind = backend::KernelArgument::Kind;
  for (const auto& buffer : buffers) {
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
  launch.kernel = function.get();
  launch.local[0] = wgmma_items(kernel);
  launch.local[1] = launch.local[2] = 1;
  launch.global[0] = 4 * launch.local[0];
  launch.arguments = arguments;
  std::vector<float> found(kTryM * kTryN);
  std::lock_guard<std::mutex> lock(device.enqueue_mutex());
  const std::unique_ptr<backend::Stream> stream = backend.create_stream(false, false);
  stream->write(*buffers[0], 0, a.size() * 2, a.data(), {}, nullptr);
  stream->write(*buffers[1], 0, b.size() * 2, b.data(), {}, nullptr);
  stream->launch(launch, {}, nullptr);
  if (!read_in_time(*stream, *buffers[3], &found)) {
    return "a product with them did not come to an end";
  }
  return found == wanted() ? "" : "a product with them was wrong";
}

Tried try_device(const Device& device) {
  if (device_class(device) != DeviceClass::hopper) {
    return {NETCL_MATRIX_UNITS_NONE, "those of NVIDIA's Hopper generation are used, and this is " +
                                         std::string(device_class_name(device_class(device)))};
  }
  std::string why;
  try {
    why = try_wgmma(device);
  } catch (const Error& error) {
    if (error.status() == NETCL_ERROR_CANCELLED) throw;
    why = error.message();
  }
  log_message(NETCL_LOG_INFO, "matrix units of \"%s\": %s", device.info().name,
              why.empty() ? "wgmma" : why.c_str());
  return {why.empty() ? NETCL_MATRIX_UNITS_WGMMA : NETCL_MATRIX_UNITS_NONE, why};
}

const Tried& tried(const Device& device) {
  return device.services().get<Tried>(Slot::matrix_units, [&] {
    return std::make_unique<Tried>(try_device(device));
  });
}

}  // namespace

netcl_matrix_units matrix_units(const VariantTarget& target) {
  if (!environment().matrix_units) return NETCL_MATRIX_UNITS_NONE;
  return target.device != nullptr ? tried(*target.device).units : target.capabilities.matrix_units;
}

std::string no_matrix_units(const VariantTarget& target) {
  if (!environment().matrix_units) return "NETCL_MATRIX_UNITS=0";
  return target.device != nullptr ? tried(*target.device).why : "the recorded device has none";
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
  if (runs(depth_stride, problem.k, across_stride, across)) return out;
  // Of 32-bit elements the units take neighbours along the depth alone.
  if (dtype_size(problem.dtype) != 2) return {};
  out.across = true;
  out.fits = runs(across_stride, across, depth_stride, problem.k) && out.fits;
  return out;
}

}  // namespace netcl::ops
