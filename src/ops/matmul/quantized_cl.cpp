// The launches of matmul_quantized.cl, dequantize.cl and quantize.cl.
#include <algorithm>
#include <bit>

#include "core/error.hpp"
#include "core/integer.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/matmul/matmul_planner.hpp"
#include "ops/matmul/quantized.hpp"

namespace netcl::ops {
namespace {

using netcl::cpu::QuantizedForm;

// Items that share rows of weights, and of a group, where the device takes so many.
constexpr int64_t kTeam = 32;
constexpr int64_t kItems = 128;
// Rows of x of a group.
constexpr int64_t kRowsOfGroup = 16;

void add_weights(const QuantizedWeights& weights, Arguments* list) {
  list->memory(reading(*weights.data));
  list->scalar(weights.data->layout().offset);
  list->scalar(weights.form.blocks);
  for (const TensorRef& tensor : {weights.scales, weights.zeros}) {
    if (tensor == nullptr) continue;
    list->memory(reading(*tensor));
    list->scalar(tensor->layout().offset);
  }
}

std::string block_flags(const QuantizedForm& form) {
  return format("-DQUANTIZED=%d -DBITS=%d -DBLOCK=%d", static_cast<int>(form.format),
                static_cast<int>(form.bits), static_cast<int>(form.block));
}

}  // namespace

std::string quantized_flags(const QuantizedForm& form) {
  std::string flags = block_flags(form);
  if (form.scale_dtype != 0) flags += format(" -DSCALE=%s", dtype_facts(form.scale_dtype).name);
  if (form.zero_dtype == NETCL_U8) {
    flags += " -DZERO=u8 -DPACKED_ZEROS";
  } else if (form.zero_dtype != 0) {
    flags += format(" -DZERO=%s", dtype_facts(form.zero_dtype).name);
  }
  return flags;
}

// Few rows take as many columns as there are registers for their sums.
void MatmulPlanner::plan_quantized(const Piece& piece) {
  const QuantizedForm& form = p_.quantized;
  const int64_t rows =
      static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::min(p_.m, kRowsOfGroup))));
  const int64_t columns = rows == 8 ? 4 : 2;
  const int64_t most = static_cast<int64_t>(std::bit_floor(caps_.max_work_group_size));
  const int64_t items = std::min(kItems, most), team = std::min(kTeam, items);
  std::string flags =
      format("%s %s -DROWS=%d -DCOLUMNS=%d -DITEMS=%d -DTEAM=%d", format_flags(piece).c_str(),
             quantized_flags(form).c_str(), static_cast<int>(rows), static_cast<int>(columns),
             static_cast<int>(items), static_cast<int>(team));
  const bool wide = a().column_stride == 1 && a().row_stride % 4 == 0 &&
                    piece.offset[kRoleA] % 4 == 0 && piece.batch[kRoleA] % 4 == 0 &&
                    piece.outer[kRoleA] % 4 == 0;
  if (wide) flags += " -DA_WIDE";
  MatmulLaunch& next = launch("matmul_quantized.cl", "netcl_matmul_quantized", std::move(flags));
  next.global[0] = static_cast<size_t>(ceil_div(p_.n, items / team * columns) * items);
  next.global[1] = static_cast<size_t>(ceil_div(p_.m, rows));
  next.global[2] = static_cast<size_t>(piece.extent);
  next.local[0] = static_cast<size_t>(items);
  operand(kRoleA);
  place(piece, kRoleA);
  operand(kRoleB);
  longs({p_.operands[kRoleB].offset, form.blocks});
  for (const MatmulRole role : {kRoleScale, kRoleZeroB}) {
    if ((role == kRoleScale ? form.scale_dtype : form.zero_dtype) == 0) continue;
    operand(role);
    longs({p_.operands[role].offset});
  }
  operand(kRoleC);
  place(piece, kRoleC);
  longs({p_.m, p_.n, p_.k});
  inner_count(piece);
  real(p_.alpha);
  real(p_.beta);
  epilogue_arguments(piece);
}

void launch_dequantize(const QuantizedWeights& weights, const Tensor& result, const Run& run) {
  const QuantizedForm& form = weights.form;
  const Layout& layout = result.layout();
  const int64_t words = form.n * ceil_div(form.k, 32 / form.bits);
  KernelCall call{
      "dequantize.cl", "netcl_dequantize_weights",
      quantized_flags(form) + format(" -DX=%s -DINDEX=%s", dtype_facts(result.dtype()).name,
                                     words <= INT32_MAX ? "uint" : "ulong")};
  const bool wide = layout.strides[1] == 1 && layout.strides[0] % 4 == 0 && layout.offset % 4 == 0;
  if (wide) call.flags += " -DWIDE";
  call.global[0] = static_cast<uint64_t>(words);
  Arguments list;
  add_weights(weights, &list);
  list.memory(writing(result));
  for (const int64_t value :
       {layout.offset, layout.strides[0], layout.strides[1], form.n, form.k}) {
    list.scalar(value);
  }
  enqueue_kernel(call, list, run);
}

void launch_quantize(const Tensor& w, const QuantizedForm& form, const QuantizedResult& result,
                     const Run& run) {
  const Layout& layout = w.layout();
  KernelCall call{"quantize.cl", "netcl_quantize_weights",
                  block_flags(form) + format(" -DX=%s", dtype_facts(w.dtype()).name)};
  if (form.scale_dtype != 0) {
    call.flags += format(" -DSCALE=%s", dtype_facts(form.scale_dtype).name);
  }
  int64_t together = 1;
  if (form.zero_dtype != 0) {
    call.flags += " -DPACKED_ZEROS";
    together = 8 / form.bits;
  }
  call.global[0] = static_cast<uint64_t>(form.n * ceil_div(form.blocks, together));
  Arguments list;
  list.memory(reading(w));
  for (const int64_t value : {layout.offset, layout.strides[0], layout.strides[1]}) {
    list.scalar(value);
  }
  list.memory(writing(*result.weights));
  list.scalar(result.weights->layout().offset);
  if (result.scales != nullptr) list.memory(writing(*result.scales));
  for (const int64_t value : {form.n, form.k, form.blocks}) list.scalar(value);
  if (result.zero_points != nullptr) list.memory(writing(*result.zero_points));
  enqueue_kernel(call, list, run);
}

}  // namespace netcl::ops
