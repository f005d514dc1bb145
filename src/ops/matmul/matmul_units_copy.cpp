// Copies of a and b in the form that matrix units take, which then stand for them in the problem.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/dtype.hpp"
#include "core/error.hpp"
#include "core/integer.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/result.hpp"
#include "ops/matmul/matmul_planner.hpp"
#include "ops/matmul/matrix_units.hpp"
#include "ops/matmul/units_copy.hpp"
#include "ops/move/move.hpp"

namespace netcl::ops {
namespace {

// The square that a group of matmul_split.cl copies, and its items.
constexpr int64_t kCopySquare = 32, kSquareRows = 8;

// A factor as stacks of matrices: the batch dimensions that it has itself, rows across the depth or
// along it, columns.
struct Stack {
  Layout layout;
  uint32_t batches = 0;
};

Stack stack_of(const MatmulProblem& p, MatmulRole role) {
  const MatmulOperand& x = p.operands[role];
  Stack out;
  Layout& layout = out.layout;
  layout.offset = x.offset;
  for (uint32_t d = 0; d < p.batch_rank; ++d) {
    if (x.batch_strides[d] == 0) continue;
    layout.shape[layout.rank] = p.batch[d];
    layout.strides[layout.rank++] = x.batch_strides[d];
  }
  out.batches = layout.rank;
  const int64_t extents[] = {role == kRoleA ? p.m : p.k, role == kRoleA ? p.k : p.n};
  const int64_t strides[] = {x.row_stride, x.column_stride};
  for (int i = 0; i < 2; ++i) {
    layout.shape[layout.rank] = extents[i];
    layout.strides[layout.rank++] = strides[i];
  }
  return out;
}

// The same stack with rows of `pitch` elements along `unit`, one of the last two dimensions.
Layout padded(const Stack& stack, uint32_t unit, int64_t pitch) {
  Layout out = stack.layout;
  const uint32_t other = 2 * stack.batches + 1 - unit;
  out.offset = 0;
  out.strides[unit] = 1;
  out.strides[other] = pitch;
  int64_t step = pitch * out.shape[other];
  for (uint32_t d = stack.batches; d-- > 0; step *= out.shape[d]) out.strides[d] = step;
  return out;
}

void take_place(const TensorRef& copy, MatmulRole role, uint32_t batches, MatmulProblem* p,
                MatmulTensors* tensors) {
  MatmulOperand& x = p->operands[role];
  const Layout& layout = copy->layout();
  x.offset = layout.offset;
  x.row_stride = layout.strides[batches];
  x.column_stride = layout.strides[batches + 1];
  for (uint32_t d = 0, at = 0; d < p->batch_rank; ++d) {
    if (x.batch_strides[d] != 0) x.batch_strides[d] = layout.strides[at++];
  }
  (*tensors)[role == kRoleA ? p->memory_a : p->memory_b] = copy.get();
}

// 16-bit elements in the order of memory in which they are, 8-bit ones along the depth, and 32-bit
// ones along rows.
TensorRef copy_short(MatmulRole role, MatmulProblem* p, MatmulTensors* tensors, const Run& run) {
  const Tensor& given = *(*tensors)[role == kRoleA ? p->memory_a : p->memory_b];
  const Stack stack = stack_of(*p, role);
  const Layout& from = stack.layout;
  const uint32_t row = stack.batches, column = row + 1;
  const auto size = static_cast<int64_t>(dtype_size(given.dtype()));
  const bool by_rows =
      size == 1 ? role == kRoleB
                : size == 2 && std::abs(from.strides[row]) < std::abs(from.strides[column]);
  const uint32_t unit = by_rows ? row : column;
  const Layout to = padded(stack, unit, round_up(from.shape[unit], 16 / size));
  const TensorRef copied = new_tensor(given.dtype(), to, run);
  copy_into(Tensor(given.buffer(), given.dtype(), from), *copied, run.part());
  take_place(copied, role, stack.batches, p, tensors);
  return copied;
}

// f32 with neighbours along the depth: as it is, or in the parts that SPLIT multiplies.
class SplitCopy {
 public:
  SplitCopy(MatmulRole role, const Stack& stack, int64_t parts, int64_t pitch)
      : role_(role), from_(stack.layout), batches_(stack.batches), parts_(parts), pitch_(pitch) {
    across_ = role == kRoleA ? batches_ : batches_ + 1;
    depth_ = role == kRoleA ? batches_ + 1 : batches_;
  }

  void enqueue(const Tensor& given, const Tensor& target, const Run& run) const {
    const uint32_t inside = std::min<uint32_t>(batches_, 2);
    const uint32_t first = batches_ - inside;
    const int64_t inner = inside > 0 ? from_.shape[batches_ - 1] : 1;
    const int64_t outer = inside > 1 ? from_.shape[batches_ - 2] : 1;
    const int64_t inner_step = inside > 0 ? from_.strides[batches_ - 1] : 0;
    const int64_t outer_step = inside > 1 ? from_.strides[batches_ - 2] : 0;
    const int64_t matrix = from_.shape[across_] * pitch_ * parts_;
    int64_t stacks = 1;
    for (uint32_t d = 0; d < first; ++d) stacks *= from_.shape[d];
    for (int64_t s = 0; s < stacks; ++s) {
      int64_t offset = from_.offset;
      int64_t rest = s;
      for (uint32_t d = first; d-- > 0; rest /= from_.shape[d]) {
        offset += rest % from_.shape[d] * from_.strides[d];
      }
      int64_t target_offset = target.layout().offset + s * inner * outer * matrix;
      // One of the two dimensions goes through the launch, so that no launch has too many groups.
      if (inner * outer <= kMatmulGroupsMost) {
        launch(given, target, run, offset, inner_step, outer_step, inner, inner * outer,
               target_offset);
        continue;
      }
      for (int64_t o = 0; o < outer; ++o) {
        for (int64_t i = 0; i < inner; i += kMatmulGroupsMost) {
          const int64_t count = std::min(kMatmulGroupsMost, inner - i);
          launch(given, target, run, offset + o * outer_step + i * inner_step, inner_step, 0, count,
                 count, target_offset + (o * inner + i) * matrix);
        }
      }
    }
  }

 private:
  void launch(const Tensor& given, const Tensor& target, const Run& run, int64_t offset,
              int64_t inner_step, int64_t outer_step, int64_t inner, int64_t matrices,
              int64_t target_offset) const {
    std::string flags = format("-DNETCL_PARTS=%d", static_cast<int>(parts_));
    if (role_ == kRoleB) flags += " -DNETCL_SECOND";
    if (std::abs(from_.strides[across_]) < std::abs(from_.strides[depth_])) {
      flags += " -DNETCL_ACROSS";
    }
    KernelCall call{"matmul_split.cl", "netcl_matmul_split", std::move(flags)};
    call.rank = 3;
    call.local[0] = kCopySquare;
    call.local[1] = kSquareRows;
    call.global[0] = static_cast<uint64_t>(ceil_div(pitch_, kCopySquare) * kCopySquare);
    call.global[2] = static_cast<uint64_t>(matrices);
    for (int64_t row = 0; row < from_.shape[across_]; row += kMatmulGroupsMost * kCopySquare) {
      const int64_t rows = std::min(kMatmulGroupsMost * kCopySquare, from_.shape[across_] - row);
      call.global[1] = static_cast<uint64_t>(ceil_div(rows, kCopySquare) * kSquareRows);
      Arguments arguments;
      arguments.memory(reading(given));
      for (const int64_t value :
           {offset, from_.strides[across_], from_.strides[depth_], inner_step, outer_step, inner}) {
        arguments.scalar(value);
      }
      arguments.memory(writing(target));
      for (const int64_t value :
           {target_offset, pitch_, from_.shape[across_], from_.shape[depth_], row}) {
        arguments.scalar(value);
      }
      enqueue_kernel(call, arguments, run.part());
    }
  }

  const MatmulRole role_;
  const Layout from_;
  const uint32_t batches_;
  const int64_t parts_, pitch_;
  uint32_t across_ = 0, depth_ = 0;
};

TensorRef copy_floats(MatmulRole role, MatmulProblem* p, MatmulTensors* tensors, const Run& run) {
  const Tensor& given = *(*tensors)[role == kRoleA ? p->memory_a : p->memory_b];
  Stack stack = stack_of(*p, role);
  const int64_t parts = p->precision == NETCL_PRECISION_SPLIT ? 3 : 1;
  const int64_t pitch = round_up(p->k, 4);
  const uint32_t depth = stack.batches + (role == kRoleA ? 1 : 0);
  const SplitCopy work(role, stack, parts, pitch);
  stack.layout.shape[depth] = parts * pitch;
  const TensorRef copied = new_tensor(given.dtype(), padded(stack, depth, parts * pitch), run);
  work.enqueue(given, *copied, run);
  take_place(copied, role, stack.batches, p, tensors);
  return copied;
}

}  // namespace

UnitsCopies copy_for_units(MatmulProblem* problem, MatmulTensors* tensors, const Run& run) {
  UnitsCopies copies;
  if (problem->k == 0) return copies;
  const bool split = problem->precision == NETCL_PRECISION_SPLIT;
  for (const MatmulRole role : {kRoleA, kRoleB}) {
    if (!split && units_factor(*problem, role).fits) continue;
    const bool rounded = problem->dtype == NETCL_F32 && !is_strict_f32(*problem);
    copies[role] = rounded ? copy_floats(role, problem, tensors, run)
                           : copy_short(role, problem, tensors, run);
  }
  if (split) problem->k = 3 * round_up(problem->k, 4);
  return copies;
}

}  // namespace netcl::ops
