// Does a matrix product on a device: by the built-in backend, or by the launches of a plan.
#include <algorithm>

#include "backend/cpu/matmul/gemm.hpp"
#include "backend/cpu/matmul/quantized_form.hpp"
#include "backend/cpu/thread_pool.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/work.hpp"
#include "ops/matmul/matmul.hpp"
#include "ops/matmul/matrix_units.hpp"
#include "ops/matmul/units_copy.hpp"

namespace netcl::ops {
namespace {

// Matrices of a batch are spread over threads while each takes fewer multiplications than this;
// larger ones use the threads inside.
constexpr double kSmallProduct = 2e6;
// What a thread takes at once, so that waking it pays.
constexpr double kBatchWork = 5e5;

netcl::cpu::GemmVariant native_variant(netcl_variant variant) {
  switch (variant) {
    case NETCL_VARIANT_MATMUL_NAIVE:
      return netcl::cpu::GemmVariant::naive;
    case NETCL_VARIANT_MATMUL_TILED:
      return netcl::cpu::GemmVariant::tiled;
    case NETCL_VARIANT_MATMUL_VECTORIZED:
      return netcl::cpu::GemmVariant::vectorized;
    default:
      return netcl::cpu::GemmVariant::register_tiled;
  }
}

// What the command does; its memory is in the order of the roles.
class NativeProduct {
 public:
  NativeProduct(const MatmulProblem& problem, netcl_variant variant)
      : p_(problem), variant_(native_variant(variant)) {}

  void operator()(const NativeCall& call) const {
    netcl::cpu::ThreadPool& threads = call.threads;
    const int64_t count = p_.batch_count();
    const double work =
        static_cast<double>(p_.m) * static_cast<double>(p_.n) * static_cast<double>(p_.k);
    if (count == 1 || work >= kSmallProduct) {
      for (int64_t index = 0; index < count; ++index) multiply(index, call);
      return;
    }
    const auto grain = static_cast<int64_t>(kBatchWork / (work + 64.0)) + 1;
    threads.parallel_for(count, grain, [&](int64_t first, int64_t last) {
      for (int64_t index = first; index < last; ++index) multiply(index, call);
    });
  }

 private:
  void multiply(int64_t index, const NativeCall& call) const {
    std::array<int64_t, kRoleCount> offsets{};
    for (uint32_t d = p_.batch_rank; d-- > 0;) {
      const int64_t at = index % p_.batch[d];
      index /= p_.batch[d];
      for (size_t role = 0; role < kRoleCount; ++role) {
        offsets[role] += at * p_.operands[role].batch_strides[d];
      }
    }
    netcl::cpu::GemmEpilogue epilogue;
    epilogue.activation = p_.activation;
    epilogue.alpha = p_.activation_alpha;
    epilogue.beta = p_.activation_beta;
    if (p_.bias_dtype != 0) {
      epilogue.bias = operand(kRoleBias, kRoleBias, p_.bias_dtype, offsets, call);
    }
    if (p_.residual_dtype != 0) {
      epilogue.residual = operand(kRoleResidual, kRoleResidual, p_.residual_dtype, offsets, call);
    }
    const netcl::cpu::GemmOperand a = factor(kRoleA, offsets, call);
    const netcl::cpu::GemmOperand c = operand(kRoleC, kRoleC, p_.out_dtype, offsets, call);
    if (p_.quantized.format != 0) {
      const netcl::cpu::QuantizedMatrix weights = quantized(call);
      const netcl::cpu::GemmOperand b{nullptr, 0, 0, NETCL_F32, nullptr, 0, 0, &weights};
      return netcl::cpu::gemm(variant_, p_.m, p_.n, p_.k, p_.alpha, a, b, p_.beta, c, epilogue,
                              call.threads);
    }
    netcl::cpu::gemm(variant_, p_.m, p_.n, p_.k, p_.alpha, a, factor(kRoleB, offsets, call),
                     p_.beta, c, epilogue, call.threads);
  }

  netcl::cpu::QuantizedMatrix quantized(const NativeCall& call) const {
    const netcl::cpu::QuantizedForm& form = p_.quantized;
    const auto at = [&](MatmulRole role, netcl_dtype dtype) -> const uint8_t* {
      if (dtype == 0) return nullptr;
      return call.at<uint8_t>(role) +
             p_.operands[role].offset * static_cast<int64_t>(dtype_size(dtype));
    };
    return {form, at(kRoleB, NETCL_U8), at(kRoleScale, form.scale_dtype),
            at(kRoleZeroB, form.zero_dtype)};
  }

  // a or b, less its zero points.
  netcl::cpu::GemmOperand factor(MatmulRole role, const std::array<int64_t, kRoleCount>& offsets,
                                 const NativeCall& call) const {
    const bool is_a = role == kRoleA;
    netcl::cpu::GemmOperand x = operand(role, is_a ? p_.memory_a : p_.memory_b,
                                        is_a ? p_.dtype : p_.b_dtype, offsets, call);
    if (!(is_a ? p_.has_zero_a : p_.has_zero_b)) return x;
    const netcl::cpu::GemmOperand zero =
        operand(is_a ? kRoleZeroA : kRoleZeroB, is_a ? p_.memory_zero_a : p_.memory_zero_b,
                x.dtype, offsets, call);
    x.zero = zero.data;
    x.zero_row = zero.row_stride;
    x.zero_column = zero.column_stride;
    return x;
  }

  netcl::cpu::GemmOperand operand(MatmulRole role, MatmulRole memory, netcl_dtype dtype,
                                  const std::array<int64_t, kRoleCount>& offsets,
                                  const NativeCall& call) const {
    const MatmulOperand& x = p_.operands[role];
    auto* const base = call.at<unsigned char>(memory);
    const int64_t first = x.offset + offsets[role];
    void* const data =
        base == nullptr ? nullptr : base + first * static_cast<int64_t>(dtype_size(dtype));
    return {data, x.row_stride, x.column_stride, dtype};
  }

  const MatmulProblem p_;
  const netcl::cpu::GemmVariant variant_;
};

void add_argument(const MatmulArgument& arg, const MatmulTensors& tensors, const BufferRef& sums,
                  Arguments* list) {
  switch (arg.kind) {
    case MatmulArgumentKind::operand:
      list->memory(tensors[arg.role]->memory(), arg.role == kRoleC);
      break;
    // Written by a product and read by what joins its pieces; the order of launches matters alone.
    case MatmulArgumentKind::temporary:
      list->memory(writing(*sums));
      break;
    case MatmulArgumentKind::int64:
      list->scalar(arg.integer);
      break;
    case MatmulArgumentKind::uint32:
      list->scalar(static_cast<uint32_t>(static_cast<int64_t>(arg.real)));
      break;
    case MatmulArgumentKind::float32:
      list->scalar(static_cast<float>(arg.real));
      break;
    case MatmulArgumentKind::float64:
      list->scalar(arg.real);
      break;
  }
}

void run_launches(const MatmulTensors& tensors, const MatmulPlan& plan, const Run& run) {
  BufferRef sums;
  if (plan.temporary_bytes != 0) sums = new_memory(plan.temporary_bytes, run);
  for (const MatmulLaunch& step : plan.launches) {
    Arguments arguments;
    for (const MatmulArgument& arg : step.arguments) {
      add_argument(arg, tensors, sums, &arguments);
    }
    const auto make_text = [&] { return wgmma_text(step.units); };
    FunctionRef<std::string()> assembled = make_text;
    KernelCall call{step.source, step.kernel.c_str(), step.flags};
    if (step.source == nullptr) call.assembled = &assembled;
    call.rank = 3;
    std::copy(step.global, step.global + 3, call.global);
    std::copy(step.local, step.local + 3, call.local);
    const bool last = &step == &plan.launches.back();
    enqueue_kernel(call, arguments, last ? run : run.without_event());
  }
}

bool builds(const MatmulPlan& plan, Device& device) {
  return std::all_of(plan.launches.begin(), plan.launches.end(), [&](const MatmulLaunch& step) {
    const auto text = [&] { return wgmma_text(step.units); };
    return step.source != nullptr || builds_units(device, step.kernel, text, step.flags.c_str());
  });
}

Run declared(const MatmulTensors& tensors, const MatmulProblem& problem,
             const VariantConfig& config, const Run& run) {
  return with_work(run, [&] { return matmul_work(tensors, problem, config.variant); });
}

void run_portably(const MatmulTensors& tensors, const MatmulProblem& problem,
                  const VariantConfig& config, const Run& run) {
  run_launches(tensors, plan_matmul(problem, run.device(), config),
               declared(tensors, problem, config, run));
}

// Where the driver does not build a kernel that the rules chose, those of OpenCL C stand in for it.
void run_on_units(const MatmulTensors& tensors, const MatmulProblem& problem,
                  const VariantConfig& config, netcl_variant request, const Run& run) {
  MatmulProblem own = problem;
  MatmulTensors with_copies = tensors;
  const UnitsCopies copies = copy_for_units(&own, &with_copies, run);
  const MatmulPlan plan = plan_matmul(own, run.device(), config);
  // Asked for by name; that of items is one of the kernels of a variant which has others.
  const bool fma = variant_rules::is_fma_kernel(config);
  const bool requested = !fma && variant_rules::wanted_variant(request, 0).variant != 0;
  if (requested || builds(plan, run.device())) {
    return run_launches(with_copies, plan, declared(tensors, problem, config, run));
  }
  MatmulCase what = matmul_case(problem);
  what.units = false;
  run_portably(tensors, problem, choose_matmul(run.device(), what, fma ? request : 0), run);
}

}  // namespace

Work matmul_work(const MatmulTensors& tensors, const MatmulProblem& problem,
                 netcl_variant variant) {
  const char* const name = problem.quantized.format != 0 ? "netcl_matmul_quantized"
                                                          : variant_kernel(variant);
  Work work = work_of(name, tensors[kRoleA]->dtype(), 0.0, {}, {tensors[kRoleC]});
  for (const Tensor* tensor : tensors) {
    if (tensor != tensors[kRoleC]) work.bytes += moved_bytes(tensor);
  }
  if (problem.beta != 0.0) work.bytes += moved_bytes(tensors[kRoleC]);
  work.operations = 2.0 * static_cast<double>(problem.m) * static_cast<double>(problem.n) *
                    static_cast<double>(problem.k) * static_cast<double>(problem.batch_count());
  return work;
}

void run_matmul(const MatmulTensors& tensors, const MatmulProblem& problem,
                const VariantConfig& config, netcl_variant request, const Run& run) {
  if (!runs_native(run.device())) {
    return is_assembled(config) ? run_on_units(tensors, problem, config, request, run)
                                : run_portably(tensors, problem, config, run);
  }
  const auto access = [&](MatmulRole role) {
    const Tensor* tensor = tensors[role];
    return access_to(tensor, role == kRoleC);
  };
  enqueue_native({access(kRoleA), access(kRoleB), access(kRoleC), access(kRoleBias),
                  access(kRoleResidual), access(kRoleZeroA), access(kRoleZeroB),
                  access(kRoleScale)},
                 declared(tensors, problem, config, run), NativeProduct(problem, config.variant));
}

}  // namespace netcl::ops
