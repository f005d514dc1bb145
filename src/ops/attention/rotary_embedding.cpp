#include "ops/attention/rotary_embedding.hpp"

#include <algorithm>

#include "backend/cpu/attention/rotary_loops.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/move_rows.hpp"

namespace netcl::ops {

namespace {

using netcl::cpu::RotaryShape;
using netcl::cpu::RotaryTask;

// The heads of x. Of rank 3 they stand beside each other in its last dimension.
int64_t count_heads(const Tensor& x, int64_t asked) {
  const Layout& layout = x.layout();
  if (layout.rank != 3 && layout.rank != 4) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "x has shape %s; a rotary embedding needs rank 3 or 4",
         shape_text(x).c_str());
  }
  if (layout.rank == 4) {
    if (asked == 0 || asked == layout.shape[1]) return layout.shape[1];
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->num_heads is %lld and x has shape %s; of rank 4 it is 0 or extent 1",
         static_cast<long long>(asked), shape_text(x).c_str());
  }
  if (asked < 1 || layout.shape[2] % asked != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->num_heads is %lld and x has shape %s; of rank 3 it divides extent 2",
         static_cast<long long>(asked), shape_text(x).c_str());
  }
  return asked;
}

// x or the result as [batch, heads, tokens, size].
Layout by_heads(const Layout& layout, int64_t heads) {
  if (layout.rank == 4) return layout;
  const int64_t size = layout.shape[2] / heads;
  Layout apart = layout;
  apart.rank = 4;
  apart.shape = {layout.shape[0], heads, layout.shape[1], size};
  apart.strides = {layout.strides[0], size * layout.strides[2], layout.strides[1],
                   layout.strides[2]};
  return apart;
}

int64_t count_pairs(int64_t asked, int64_t size) {
  if (asked < 0 || asked > size || asked % 2 != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->rotary_embedding_dim is %lld and heads have %lld elements; it is even, and at "
         "most that",
         static_cast<long long>(asked), static_cast<long long>(size));
  }
  if (asked == 0 && size % 2 != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "heads of x have %lld elements; without options->rotary_embedding_dim they are even",
         static_cast<long long>(size));
  }
  return (asked == 0 ? size : asked) / 2;
}

void require_positions(const TensorRef& ids, const RotaryShape& shape, const Run& run) {
  if (ids == nullptr) return;
  require_device(*ids, run, "options->position_ids");
  if (ids->dtype() != NETCL_I32 && ids->dtype() != NETCL_I64) {
    fail(NETCL_ERROR_UNSUPPORTED, "options->position_ids is %s; i32 and i64 are possible",
         dtype_facts(ids->dtype()).name);
  }
  const int64_t wanted[2] = {shape.batch, shape.tokens};
  if (ids->layout().rank == 2 && ids->layout().shape[0] == wanted[0] &&
      ids->layout().shape[1] == wanted[1]) {
    return;
  }
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "options->position_ids has shape %s; it is %s, as x has so many tokens",
       shape_text(*ids).c_str(), shape_text(2, wanted).c_str());
}

void require_cache(const Tensor& cache, const char* argument, const Tensor& x,
                   const RotaryShape& shape, const Run& run) {
  require_device(cache, run, argument);
  if (cache.dtype() != x.dtype() && cache.dtype() != NETCL_F32) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; it is f32 or as x, %s", argument,
         dtype_facts(cache.dtype()).name, dtype_facts(x.dtype()).name);
  }
  const Layout& layout = cache.layout();
  const bool listed = shape.position_dtype != 0;
  if (listed) {
    if (layout.rank == 2 && layout.shape[1] == shape.pairs) return;
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "%s has shape %s; with options->position_ids it is [P, %lld], for the pairs of a head",
         argument, shape_text(cache).c_str(), static_cast<long long>(shape.pairs));
  }
  const int64_t wanted[3] = {shape.batch, shape.tokens, shape.pairs};
  if (layout.rank == 3 && std::equal(wanted, wanted + 3, layout.shape.begin())) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "%s has shape %s; without options->position_ids it is %s, for the pairs of each token",
       argument, shape_text(cache).c_str(), shape_text(3, wanted).c_str());
}

RotaryShape rotary_shape(const Tensor& x, const Tensor& cosines, const Tensor& sines,
                         const RotarySettings& settings, const Run& run) {
  RotaryShape shape;
  shape.dtype = x.dtype();
  shape.heads = count_heads(x, settings.heads);
  shape.x = by_heads(x.layout(), shape.heads);
  shape.batch = shape.x.shape[0];
  shape.tokens = shape.x.shape[2];
  shape.size = shape.x.shape[3];
  shape.pairs = count_pairs(settings.rotated, shape.size);
  shape.interleaved = settings.interleaved;
  shape.inverse = settings.inverse;
  require_positions(settings.position_ids, shape, run);
  if (settings.position_ids != nullptr) {
    shape.position_dtype = settings.position_ids->dtype();
    shape.ids = settings.position_ids->layout();
  }
  require_cache(cosines, "cos_cache", x, shape, run);
  require_cache(sines, "sin_cache", x, shape, run);
  if (sines.dtype() != cosines.dtype() || !sines.layout().same_shape(cosines.layout())) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "sin_cache is %s %s and cos_cache is %s %s; they are alike",
         dtype_facts(sines.dtype()).name, shape_text(sines).c_str(),
         dtype_facts(cosines.dtype()).name, shape_text(cosines).c_str());
  }
  shape.cache_dtype = cosines.dtype();
  shape.cosines = cosines.layout();
  shape.sines = sines.layout();
  shape.positions = shape.cosines.shape[0];
  return shape;
}

struct RotaryCall {
  RotaryShape shape;
  const Tensor& x;
  const Tensor& cosines;
  const Tensor& sines;
  const TensorRef& ids;
  const Tensor& result;
};

void rotate_natively(const RotaryCall& call, const Run& run) {
  enqueue_native({writing(call.result),
                  reading(call.x),
                  reading(call.cosines),
                  reading(call.sines),
                  {call.ids != nullptr ? call.ids->memory() : nullptr, false}},
                 run, [shape = call.shape](const NativeCall& native) {
                   RotaryTask task;
                   task.shape = shape;
                   task.result = native.at<void>(0);
                   task.x = native.at<void>(1);
                   task.cosines = native.at<void>(2);
                   task.sines = native.at<void>(3);
                   task.ids = native.at<void>(4);
                   netcl::cpu::rotary_embedding(task, native.threads);
                 });
}

void launch_rotation(const RotaryCall& call, const Run& run) {
  const RotaryShape& shape = call.shape;
  const bool listed = shape.position_dtype != 0;
  std::string flags = std::string("-DX=") + dtype_facts(shape.dtype).name +
                      " -DC=" + dtype_facts(shape.cache_dtype).name;
  if (listed) flags += shape.position_dtype == NETCL_I64 ? " -DPOSITION=long" : " -DPOSITION=int";
  if (shape.interleaved) flags += " -DINTERLEAVED";
  if (shape.inverse) flags += " -DINVERSE";
  Arguments list;
  const auto add = [&](const Tensor& tensor, const Layout& layout, bool write) {
    list.memory(access_to(&tensor, write));
    list.scalar(layout.offset);
    for (uint32_t d = 0; d < layout.rank; ++d) list.scalar(layout.strides[d]);
  };
  add(call.x, shape.x, false);
  add(call.result, shape.result, true);
  add(call.cosines, shape.cosines, false);
  add(call.sines, shape.sines, false);
  const int64_t rows = shape.batch * shape.heads * shape.tokens;
  const int64_t columns = shape.size - shape.pairs;
  for (const int64_t value : {shape.heads, shape.tokens, shape.pairs, rows, columns}) {
    list.scalar(value);
  }
  if (listed) {
    add(*call.ids, shape.ids, false);
    list.scalar(shape.positions);
  }
  launch_rows("rotary_embedding.cl", "netcl_rotary_embedding", flags, rows, columns,
              !fits_32_bits({}, rows), list, run);
}

// Of caches with positions, the rows that tokens take.
Work rotary_work(const RotaryCall& call) {
  const RotaryShape& shape = call.shape;
  const double pairs = static_cast<double>(shape.batch) * static_cast<double>(shape.tokens) *
                       static_cast<double>(shape.pairs);
  Work work =
      work_of("rotary_embedding", shape.dtype, 6.0 * pairs * static_cast<double>(shape.heads),
              {&call.x, call.ids.get()}, {&call.result});
  work.bytes += 2.0 * pairs * static_cast<double>(dtype_size(shape.cache_dtype));
  return work;
}

}  // namespace

TensorRef rotary_embedding(const Tensor& x, const Tensor& cosines, const Tensor& sines,
                           const RotarySettings& settings, const TensorRef& into, const Run& run) {
  if (!is_float(x.dtype())) {
    fail(NETCL_ERROR_UNSUPPORTED, "x is %s; a rotary embedding takes f16, bf16, f32 and f64",
         dtype_facts(x.dtype()).name);
  }
  require_f64(run, x.dtype(), "x");
  RotaryShape shape = rotary_shape(x, cosines, sines, settings, run);
  refuse_sharing(into, x, "x", true);
  refuse_sharing(into, cosines, "cos_cache");
  refuse_sharing(into, sines, "sin_cache");
  const TensorRef& ids = settings.position_ids;
  if (ids != nullptr) refuse_sharing(into, *ids, "options->position_ids");
  const Layout& layout = x.layout();
  const TensorRef result = result_tensor(into, layout.rank, layout.shape.data(), x.dtype(), run);
  if (result->empty()) return result;
  shape.result = by_heads(result->layout(), shape.heads);
  const RotaryCall call{shape, x, cosines, sines, ids, *result};
  const Run declared = with_work(run, [&] { return rotary_work(call); });
  if (runs_native(run.device())) {
    rotate_natively(call, declared);
  } else {
    launch_rotation(call, declared);
  }
  return result;
}

}  // namespace netcl::ops
