#include "ops/move/resize.hpp"

#include <algorithm>
#include <cmath>

#include "core/number.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/move.hpp"
#include "ops/move/move_rows.hpp"
#include "ops/move/resize_plan.hpp"
#include "tensor/transfer.hpp"

namespace netcl::ops {

namespace {

// The place of coordinate i of the result in the source, in f32 as the interface says.
float source_coordinate(int64_t i, int64_t in, int64_t out, netcl_resize_coordinates how) {
  const auto x = static_cast<float>(i);
  const auto from = static_cast<float>(in);
  const auto to = static_cast<float>(out);
  switch (how) {
    case NETCL_RESIZE_ALIGN_CORNERS:
      return out == 1 ? 0.0f : x * (from - 1.0f) / (to - 1.0f);
    case NETCL_RESIZE_ASYMMETRIC:
      return x * from / to;
    default:
      return (x + 0.5f) * from / to - 0.5f;
  }
}

void add_table(const Tensor& x, uint32_t d, netcl_resize_coordinates how, ResizePlan* plan) {
  const int64_t in = x.layout().shape[d];
  const int64_t out = plan->to.shape[d];
  const int64_t stride = x.layout().strides[d];
  plan->table_of.shape[d] = 1;
  plan->table_of.strides[d] = static_cast<int64_t>(plan->tables.size());
  ++plan->changed;
  for (int64_t i = 0; i < out; ++i) {
    const float place = source_coordinate(i, in, out, how);
    const auto bounded = [in](float coordinate) {
      if (coordinate <= 0.0f) return int64_t{0};
      return std::min<int64_t>(in - 1, static_cast<int64_t>(coordinate));
    };
    if (!plan->linear) {
      const int64_t nearest = bounded(std::ceil(place - 0.5f));
      plan->tables.push_back({nearest * stride, 0, 0.0f, 0});
      continue;
    }
    // Beyond the first and the last element there is nothing to weigh.
    const float last = static_cast<float>(in - 1);
    const float inside = std::min(std::max(place, 0.0f), last);
    const int64_t low = bounded(std::floor(inside));
    const int64_t high = std::min(low + 1, in - 1);
    const float weight = inside - static_cast<float>(low);
    plan->tables.push_back({low * stride, high * stride, weight, 0});
  }
}

// Joins neighbouring dimensions that do not change, so that rows are long.
void simplify(ResizePlan* plan) {
  Layout& from = plan->from;
  Layout& to = plan->to;
  Layout& table_of = plan->table_of;
  uint32_t rank = 0;
  for (uint32_t d = 0; d < to.rank; ++d) {
    const bool same = table_of.shape[d] == 0;
    const int64_t extent = to.shape[d];
    if (same && extent == 1) continue;
    const bool joins = rank > 0 && same && table_of.shape[rank - 1] == 0 &&
                       from.strides[rank - 1] == from.strides[d] * extent &&
                       to.strides[rank - 1] == to.strides[d] * extent;
    const uint32_t at = joins ? rank - 1 : rank;
    to.shape[at] = joins ? to.shape[at] * extent : extent;
    from.shape[at] = same ? to.shape[at] : from.shape[d];
    from.strides[at] = from.strides[d];
    to.strides[at] = to.strides[d];
    table_of.shape[at] = table_of.shape[d];
    table_of.strides[at] = table_of.strides[d];
    if (!joins) ++rank;
  }
  from.rank = to.rank = table_of.rank = rank;
}

void launch_resize(const ResizePlan& plan, const Tensor& x, const Tensor& result, const Run& run) {
  const uint64_t bytes = plan.tables.size() * sizeof(Neighbours);
  const BufferRef tables = constant_memory(plan.tables.data(), bytes, run);
  Arguments arguments;
  arguments.memory(reading(x));
  arguments.memory(writing(result));
  arguments.memory(reading(*tables));
  arguments.layout(plan.from);
  arguments.layout(plan.to);
  arguments.layout(plan.table_of);
  arguments.scalar(plan.rows);
  const size_t size = x.element_size();
  const char* const bits = size == 1 ? "u8" : size == 2 ? "u16" : size == 4 ? "u32" : "u64";
  std::string flags = std::string("-DX=") + (plan.linear ? dtype_facts(x.dtype()).name : bits);
  flags += " -DCHANGED=" + number_text(plan.changed);
  flags += plan.last_changed ? " -DLAST=1" : " -DLAST=0";
  flags += plan.linear ? " -DLINEAR=1" : " -DLINEAR=0";
  if (plan.linear) {
    flags += x.dtype() == NETCL_F64 ? " -DCOMPUTE_TYPE=double" : " -DCOMPUTE_TYPE=float";
    if (!is_float(x.dtype())) flags += " -DROUNDED";
  }
  int64_t most = result.element_count();
  if (!fits_32_bits({&x.layout()}, most)) most = INT64_MAX;
  launch_rows("resize.cl", "netcl_resize", flags, plan.rows, plan.to.shape[plan.to.rank - 1],
              !fits_32_bits({&result.layout()}, most), arguments, run);
}

void check(const Tensor& x, std::span<const int64_t> shape, netcl_resize_mode mode,
           netcl_resize_coordinates coordinates, const Run& run) {
  const Layout& source = x.layout();
  const auto rank = static_cast<uint32_t>(shape.size());
  if (rank != source.rank) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "rank is %u; x has rank %u", rank, source.rank);
  }
  const Layout wanted = make_layout(rank, shape.data(), nullptr, x.element_size());
  if (mode != NETCL_RESIZE_NEAREST && mode != NETCL_RESIZE_LINEAR) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->mode is %d; it is 0 or 1", mode);
  }
  if (coordinates < NETCL_RESIZE_HALF_PIXEL || coordinates > NETCL_RESIZE_ASYMMETRIC) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->coordinates is %d; it is 0 to %d", coordinates,
         NETCL_RESIZE_ASYMMETRIC);
  }
  if (mode == NETCL_RESIZE_LINEAR && !is_float(x.dtype()) && x.dtype() != NETCL_U8 &&
      x.dtype() != NETCL_I8) {
    fail(NETCL_ERROR_UNSUPPORTED, "x is %s; LINEAR takes floats, u8 and i8",
         dtype_facts(x.dtype()).name);
  }
  if (mode == NETCL_RESIZE_LINEAR) require_f64(run, x.dtype(), "x");
  if (x.empty() && wanted.element_count() != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "x has shape %s, which is empty; shape is %s",
         shape_text(source).c_str(), shape_text(rank, shape.data()).c_str());
  }
}

// Each element of the result is a sum of weighted neighbours; NEAREST only moves.
Work resize_work(const ResizePlan& plan, const Tensor& x, const Tensor& result) {
  const double taps = plan.linear ? std::ldexp(1.0, plan.changed) : 1.0;
  const double count = static_cast<double>(result.element_count());
  Work work = work_of("resize", x.dtype(), plan.linear ? 2.0 * taps * count : 0.0, {}, {&result});
  // A smaller result does not look at every element.
  work.bytes += std::min(moved_bytes(&x), taps * moved_bytes(&result));
  return work;
}

}  // namespace

TensorRef resize(const Tensor& x, std::span<const int64_t> shape, netcl_resize_mode mode,
                 netcl_resize_coordinates coordinates, const TensorRef& into, const Run& run) {
  check(x, shape, mode, coordinates, run);
  const auto rank = static_cast<uint32_t>(shape.size());
  refuse_sharing(into, x, "x");
  const TensorRef result = result_tensor(into, rank, shape.data(), x.dtype(), run);
  if (result->empty()) return result;
  ResizePlan plan;
  plan.from = x.layout();
  plan.to = result->layout();
  plan.table_of.rank = rank;
  plan.linear = mode == NETCL_RESIZE_LINEAR;
  for (uint32_t d = 0; d < rank; ++d) {
    if (plan.from.shape[d] != plan.to.shape[d]) add_table(x, d, coordinates, &plan);
  }
  if (plan.changed == 0) {
    copy_into(x, *result, run);
    return result;
  }
  simplify(&plan);
  plan.last_changed = plan.table_of.shape[plan.to.rank - 1] != 0;
  plan.rows = plan.to.element_count() / plan.to.shape[plan.to.rank - 1];
  const Run declared = with_work(run, [&] { return resize_work(plan, x, *result); });
  if (runs_native(run.device())) {
    resize_natively(std::move(plan), x, *result, declared);
  } else {
    launch_resize(plan, x, *result, declared);
  }
  return result;
}

}  // namespace netcl::ops
