#include "ops/matmul.hpp"

#include <algorithm>

#include "backend/cpu/gemm.hpp"
#include "backend/cpu/thread_pool.hpp"
#include "kernel/op_kernels.hpp"
#include "ops/arguments.hpp"
#include "ops/matmul_plan.hpp"

namespace netcl::ops {

namespace {

// The operands as stacks of matrices: rank 1 becomes a row or a column.
struct Shapes {
  Layout a;       // batch dimensions, M, K
  Layout b;       // batch dimensions, K, N
  Layout result;  // as the caller sees it
  bool drop_row = false;
  bool drop_column = false;
  int64_t m = 0, n = 0, k = 0;
  uint32_t batch_rank = 0;
  std::array<int64_t, kRankMax> batch{};
};

std::string text_of(const Layout& layout) { return shape_text(layout.rank, layout.shape.data()); }

// Adds a dimension of extent 1 at `place`.
Layout with_unit_dimension(const Layout& layout, uint32_t place) {
  Layout out = layout;
  out.rank = layout.rank + 1;
  for (uint32_t d = layout.rank; d > place; --d) {
    out.shape[d] = layout.shape[d - 1];
    out.strides[d] = layout.strides[d - 1];
  }
  out.shape[place] = 1;
  out.strides[place] = 0;
  return out;
}

void check_operands(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "a is %s and b is %s; dtypes must be equal",
         dtype_facts(a.dtype()).name, dtype_facts(b.dtype()).name);
  }
  if (!is_float(a.dtype())) {
    fail(NETCL_ERROR_UNSUPPORTED, "a is %s; matmul takes f16, bf16, f32 and f64",
         dtype_facts(a.dtype()).name);
  }
  if (&a.device() != &b.device()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "a lives on device %s and b on device %s",
         a.device().info().name, b.device().info().name);
  }
  for (const auto& [tensor, name] : {std::pair{&a, "a"}, std::pair{&b, "b"}}) {
    if (tensor->layout().rank == 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has rank 0; matmul takes ranks 1 to %u", name,
           kRankMax);
    }
  }
}

Shapes work_out_shapes(const Tensor& a, const Tensor& b) {
  Shapes shapes;
  shapes.drop_row = a.layout().rank == 1;
  shapes.drop_column = b.layout().rank == 1;
  shapes.a = shapes.drop_row ? with_unit_dimension(a.layout(), 0) : a.layout();
  shapes.b = shapes.drop_column ? with_unit_dimension(b.layout(), 1) : b.layout();
  const uint32_t rank = std::max(shapes.a.rank, shapes.b.rank);
  shapes.m = shapes.a.shape[shapes.a.rank - 2];
  shapes.k = shapes.a.shape[shapes.a.rank - 1];
  shapes.n = shapes.b.shape[shapes.b.rank - 1];
  if (shapes.b.shape[shapes.b.rank - 2] != shapes.k) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "a has shape %s and b has shape %s; K is %lld against %lld",
         text_of(a.layout()).c_str(), text_of(b.layout()).c_str(), static_cast<long long>(shapes.k),
         static_cast<long long>(shapes.b.shape[shapes.b.rank - 2]));
  }
  shapes.batch_rank = rank - 2;
  for (uint32_t d = 0; d < shapes.batch_rank; ++d) {
    const auto extent = [&](const Layout& layout) {
      const uint32_t lead = rank - layout.rank;
      return d < lead ? int64_t{1} : layout.shape[d - lead];
    };
    const int64_t left = extent(shapes.a);
    const int64_t right = extent(shapes.b);
    if (left != right && left != 1 && right != 1) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "a has shape %s and b has shape %s; their leading "
           "dimensions do not broadcast: %lld against %lld",
           text_of(a.layout()).c_str(), text_of(b.layout()).c_str(), static_cast<long long>(left),
           static_cast<long long>(right));
    }
    shapes.batch[d] = left == 1 ? right : left;
  }
  std::array<int64_t, kRankMax> extents = shapes.batch;
  uint32_t result_rank = shapes.batch_rank;
  if (!shapes.drop_row) extents[result_rank++] = shapes.m;
  if (!shapes.drop_column) extents[result_rank++] = shapes.n;
  shapes.result = packed_layout(result_rank, extents.data());
  return shapes;
}

// Row, column and batch strides of one operand; a missing or broadcast batch dimension has stride
// 0.
MatmulOperand operand_of(const Layout& layout, const Shapes& shapes) {
  MatmulOperand operand;
  operand.offset = layout.offset;
  operand.row_stride = layout.strides[layout.rank - 2];
  operand.column_stride = layout.strides[layout.rank - 1];
  const uint32_t lead = shapes.batch_rank - (layout.rank - 2);
  for (uint32_t d = lead; d < shapes.batch_rank; ++d) {
    if (layout.shape[d - lead] != 1) operand.batch_strides[d] = layout.strides[d - lead];
  }
  return operand;
}

MatmulProblem make_problem(const Tensor& a, const Tensor& c, const Shapes& shapes,
                           const MatmulScale& scale) {
  MatmulProblem problem;
  problem.m = shapes.m;
  problem.n = shapes.n;
  problem.k = shapes.k;
  problem.batch_rank = shapes.batch_rank;
  std::copy(shapes.batch.begin(), shapes.batch.begin() + shapes.batch_rank, problem.batch);
  problem.a = operand_of(shapes.a, shapes);
  problem.b = operand_of(shapes.b, shapes);
  Layout result = c.layout();
  if (shapes.drop_column) result = with_unit_dimension(result, result.rank);
  if (shapes.drop_row) result = with_unit_dimension(result, result.rank - 1);
  problem.c = operand_of(result, shapes);
  problem.alpha = scale.alpha;
  problem.beta = scale.beta;
  problem.dtype = a.dtype();
  problem.out_dtype = c.dtype();
  return problem;
}

netcl::cpu::GemmOperand host_operand(const Tensor& tensor, const MatmulOperand& operand,
                                     int64_t batch_offset) {
  auto* base = static_cast<unsigned char*>(tensor.buffer()->host_pointer());
  const int64_t first = operand.offset + batch_offset;
  void* data =
      base == nullptr ? nullptr : base + first * static_cast<int64_t>(tensor.element_size());
  return {data, operand.row_stride, operand.column_stride, tensor.dtype()};
}

void multiply_natively(const Tensor& a, const Tensor& b, const Tensor& c,
                       const MatmulProblem& problem, const Run& run) {
  netcl::cpu::ThreadPool& threads = run.device().backend().threads();
  int64_t count = 1;
  for (uint32_t d = 0; d < problem.batch_rank; ++d) count *= problem.batch[d];
  const auto multiply = [&] {
    for (int64_t index = 0; index < count; ++index) {
      int64_t offsets[3] = {0, 0, 0};
      int64_t rest = index;
      for (uint32_t d = problem.batch_rank; d-- > 0;) {
        const int64_t at = rest % problem.batch[d];
        rest /= problem.batch[d];
        offsets[0] += at * problem.a.batch_strides[d];
        offsets[1] += at * problem.b.batch_strides[d];
        offsets[2] += at * problem.c.batch_strides[d];
      }
      netcl::cpu::gemm(problem.m, problem.n, problem.k, problem.alpha,
                       host_operand(a, problem.a, offsets[0]),
                       host_operand(b, problem.b, offsets[1]), problem.beta,
                       host_operand(c, problem.c, offsets[2]), threads);
    }
  };
  const Access accesses[3] = {{c.memory(), true}, {a.memory(), false}, {b.memory(), false}};
  // With k = 0 the inputs have no memory.
  const size_t used = a.memory() != nullptr && b.memory() != nullptr ? 3 : 1;
  run.queue.enqueue({{accesses, used}, run.waits, run.event},
                    [&](backend::Stream& stream, backend::WaitList waits,
                        backend::EventRef* event) { stream.run_native(multiply, waits, event); });
}

void add_argument(const MatmulArgument& arg, const Tensor& a, const Tensor& b, const Tensor& c,
                  const BufferRef* temporaries, Arguments* list) {
  switch (arg.kind) {
    case MatmulArgumentKind::buffer_a:
      list->memory(a.memory(), false);
      break;
    case MatmulArgumentKind::buffer_b:
      list->memory(b.memory(), false);
      break;
    case MatmulArgumentKind::buffer_c:
      list->memory(c.memory(), true);
      break;
    // Both are written by packing and read by the product; the order of launches is what matters.
    case MatmulArgumentKind::temporary_0:
      list->memory(temporaries[0]->memory(), true);
      break;
    case MatmulArgumentKind::temporary_1:
      list->memory(temporaries[1]->memory(), true);
      break;
    case MatmulArgumentKind::int32:
      list->scalar(static_cast<int32_t>(arg.integer));
      break;
    case MatmulArgumentKind::int64:
      list->scalar(arg.integer);
      break;
    case MatmulArgumentKind::float32:
      list->scalar(static_cast<float>(arg.real));
      break;
    case MatmulArgumentKind::float64:
      list->scalar(arg.real);
      break;
  }
}

void multiply_on_device(const Tensor& a, const Tensor& b, const Tensor& c,
                        const MatmulProblem& problem, const Run& run) {
  Device& device = run.device();
  const MatmulPlan plan = plan_matmul(problem, device.info().type, device.capabilities());
  BufferRef temporaries[2];
  for (int i = 0; i < 2; ++i) {
    if (plan.temporary_bytes[i] == 0) continue;
    const DeviceRef owner = device.shared_from_this();
    temporaries[i] = Buffer::lease(PoolSet::of(device).own(NETCL_POOL_PERSISTENT), owner,
                                   plan.temporary_bytes[i], true);
  }
  for (size_t i = 0; i < plan.launches.size(); ++i) {
    const MatmulLaunch& step = plan.launches[i];
    Arguments arguments;
    for (const MatmulArgument& arg : step.arguments) {
      add_argument(arg, a, b, c, temporaries, &arguments);
    }
    backend::Launch launch;
    const OpKernels::KernelPointer kernel =
        OpKernels::of(device).embedded(step.source, step.flags, step.kernel);
    launch.kernel = kernel.get();
    launch.rank = step.rank;
    std::copy(step.global, step.global + 3, launch.global);
    std::copy(step.local, step.local + 3, launch.local);
    launch.arguments = arguments.list();
    const bool last = i + 1 == plan.launches.size();
    run.queue.enqueue({arguments.accesses(), run.waits, last ? run.event : nullptr},
                      [&](backend::Stream& stream, backend::WaitList waits,
                          backend::EventRef* event) { stream.launch(launch, waits, event); });
  }
}

TensorRef result_tensor(const Shapes& shapes, netcl_dtype input, netcl_dtype dtype,
                        const TensorRef& into, const Run& run) {
  if (dtype == 0) dtype = into != nullptr ? into->dtype() : input;
  const bool widens = dtype == NETCL_F32 && (input == NETCL_F16 || input == NETCL_BF16);
  if (into != nullptr && into->dtype() != dtype) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->dtype is %s; run->into is %s",
         dtype_facts(dtype, "options->dtype").name, dtype_facts(into->dtype()).name);
  }
  if (dtype_facts(dtype, "options->dtype").size == 0 || (dtype != input && !widens)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the result's dtype is %s; the product of %s gives %s%s",
         dtype_facts(dtype).name, dtype_facts(input).name, dtype_facts(input).name,
         dtype_facts(input).size == 2 ? " or f32" : "");
  }
  if (into == nullptr) {
    make_layout(shapes.result.rank, shapes.result.shape.data(), nullptr, dtype_size(dtype));
    return Tensor::allocate(run.device().shared_from_this(), dtype, shapes.result.rank,
                            shapes.result.shape.data());
  }
  if (!into->layout().same_shape(shapes.result)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "run->into has shape %s; the product has %s",
         text_of(into->layout()).c_str(), text_of(shapes.result).c_str());
  }
  return into;
}

}  // namespace

TensorRef matmul(const Tensor& a, const Tensor& b, netcl_dtype dtype, const MatmulScale& scale,
                 const TensorRef& into, const Run& run) {
  check_operands(a, b);
  const Shapes shapes = work_out_shapes(a, b);
  if (scale.beta != 0.0 && into == nullptr) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->beta is %g while run->into is not set",
         scale.beta);
  }
  for (const auto& [tensor, name] : {std::pair{&a, "a"}, std::pair{&b, "b"}}) {
    if (into != nullptr && into->memory() != nullptr && tensor->memory() != nullptr &&
        tensor->memory()->may_be(*into->memory())) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "run->into shares its memory with %s", name);
    }
  }
  if (a.dtype() == NETCL_F64 && run.device().capabilities().fp64 == 0) {
    fail(NETCL_ERROR_UNSUPPORTED, "a is f64; device %s cannot compute in f64",
         run.device().info().name);
  }
  TensorRef c = result_tensor(shapes, a.dtype(), dtype, into, run);
  if (c->empty()) return c;
  const MatmulProblem problem = make_problem(a, *c, shapes, scale);
  if (run.device().builtin()) {
    multiply_natively(a, b, *c, problem, run);
  } else {
    multiply_on_device(a, b, *c, problem, run);
  }
  return c;
}

}  // namespace netcl::ops
