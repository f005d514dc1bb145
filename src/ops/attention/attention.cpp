#include <cfloat>
#include <cmath>

#include "ops/attention/attention_units.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"

namespace netcl::ops {

namespace {

using netcl::cpu::AttentionShape;
using netcl::cpu::AttentionTask;

constexpr int64_t kHeadSizeMax = 256;

void require_operand(const Tensor& tensor, const Tensor& q, const char* argument, const Run& run) {
  require_device(tensor, run, argument);
  if (tensor.dtype() != q.dtype()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s and q is %s; they have one dtype", argument,
         dtype_facts(tensor.dtype()).name, dtype_facts(q.dtype()).name);
  }
  if (tensor.layout().rank != 4) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has shape %s; attention needs rank 4", argument,
         shape_text(tensor).c_str());
  }
}

void require_extent(const Tensor& tensor, const char* argument, uint32_t axis, int64_t wanted,
                    const char* as) {
  if (tensor.layout().shape[axis] == wanted) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has shape %s; its extent %u is %lld, %s", argument,
       shape_text(tensor).c_str(), axis, static_cast<long long>(wanted), as);
}

void require_size(int64_t size, const Tensor& tensor, const char* argument) {
  if (size >= 1 && size <= kHeadSizeMax) return;
  fail(NETCL_ERROR_UNSUPPORTED, "%s has shape %s; heads of 1 to %lld elements are possible",
       argument, shape_text(tensor).c_str(), static_cast<long long>(kHeadSizeMax));
}

// An i32 tensor of the options with one entry, or one row, for each sequence.
void require_counts(const TensorRef& tensor, uint32_t rank, int64_t batch, const char* argument,
                    const Run& run) {
  if (tensor == nullptr) return;
  require_device(*tensor, run, argument);
  if (tensor->dtype() != NETCL_I32) {
    fail(NETCL_ERROR_UNSUPPORTED, "%s is %s; it is i32", argument,
         dtype_facts(tensor->dtype()).name);
  }
  if (tensor->layout().rank == rank && tensor->layout().shape[0] == batch) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has shape %s; it is [%lld%s], as q has %lld sequences",
       argument, shape_text(*tensor).c_str(), static_cast<long long>(batch), rank > 1 ? ", P" : "",
       static_cast<long long>(batch));
}

// The layout of a bias or mask as the kernels go over it.
Layout spread(const TensorRef& tensor, const AttentionShape& shape, const char* argument,
              const Run& run) {
  if (tensor == nullptr) return {};
  require_device(*tensor, run, argument);
  const int64_t extents[4] = {shape.batch, shape.heads, shape.rows, shape.keys};
  return broadcast_layout(tensor->layout(), 4, extents, argument);
}

void take_keys(const Tensor& k, const Tensor& v, const TensorRef& table, AttentionShape* shape) {
  const Layout& keys = k.layout();
  shape->kv_heads = keys.shape[1];
  if (table == nullptr) {
    require_extent(k, "k", 0, shape->batch, "as q's");
    require_extent(v, "v", 0, shape->batch, "as q's");
    shape->keys = keys.shape[2];
  } else {
    require_extent(v, "v", 0, keys.shape[0], "as k's");
    shape->pages = keys.shape[0];
    shape->page_size = keys.shape[2];
    if (shape->page_size < 1) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "k has shape %s; a page has 1 key or more",
           shape_text(k).c_str());
    }
    if (__builtin_mul_overflow(table->layout().shape[1], shape->page_size, &shape->keys)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->block_table has shape %s and pages have %lld keys; that is too many",
           shape_text(*table).c_str(), static_cast<long long>(shape->page_size));
    }
    shape->table = table->layout();
  }
  require_extent(k, "k", 3, shape->size, "as q's");
  require_extent(v, "v", 1, shape->kv_heads, "as k's");
  require_extent(v, "v", 2, keys.shape[2], "as k's");
  shape->value_size = v.layout().shape[3];
  require_size(shape->value_size, v, "v");
  if (shape->kv_heads < 1 || shape->heads % shape->kv_heads != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "k has %lld heads and q has %lld; the first divide the last",
         static_cast<long long>(shape->kv_heads), static_cast<long long>(shape->heads));
  }
}

// What scores are multiplied with is a number of their type that keeps its digits.
void check_numbers(const AttentionShape& shape) {
  const bool wide = shape.dtype == NETCL_F64;
  const double least = wide ? DBL_MIN : static_cast<double>(FLT_MIN);
  const double most = wide ? DBL_MAX : static_cast<double>(FLT_MAX);
  const auto check = [&](double value, const char* what) {
    if (value == 0.0 || (std::abs(value) >= least && std::abs(value) <= most)) return;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %g; scores are %s, where it is 0 or from %g to %g",
         what, value, wide ? "f64" : "f32", least, most);
  };
  check(shape.scale, "options->scale");
  check(shape.softcap, "options->softcap");
  if (shape.softcap != 0.0) check(shape.scale / shape.softcap, "options->scale by softcap");
}

AttentionShape make_shape(const Tensor& q, const Tensor& k, const Tensor& v,
                          const AttentionSettings& settings, const Run& run) {
  AttentionShape shape;
  shape.dtype = q.dtype();
  shape.q = q.layout();
  shape.k = k.layout();
  shape.v = v.layout();
  shape.batch = shape.q.shape[0];
  shape.heads = shape.q.shape[1];
  shape.rows = shape.q.shape[2];
  shape.size = shape.q.shape[3];
  require_size(shape.size, q, "q");
  const TensorRef& table = settings.block_table;
  require_counts(settings.query_lengths, 1, shape.batch, "options->query_lengths", run);
  require_counts(settings.key_lengths, 1, shape.batch, "options->key_lengths", run);
  require_counts(table, 2, shape.batch, "options->block_table", run);
  if (table != nullptr && settings.key_lengths == nullptr) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->block_table is set and options->key_lengths is "
         "NULL; pages need the lengths of the sequences");
  }
  take_keys(k, v, table, &shape);
  if (settings.query_lengths != nullptr) shape.query_lengths = settings.query_lengths->layout();
  if (settings.key_lengths != nullptr) shape.key_lengths = settings.key_lengths->layout();
  shape.has_query_lengths = settings.query_lengths != nullptr;
  shape.has_key_lengths = settings.key_lengths != nullptr;
  shape.bias = spread(settings.bias, shape, "options->bias", run);
  shape.mask = spread(settings.mask, shape, "options->mask", run);
  shape.has_mask = settings.mask != nullptr;
  if (settings.bias != nullptr) shape.bias_dtype = settings.bias->dtype();
  if (shape.bias_dtype != 0 && shape.bias_dtype != shape.dtype && shape.bias_dtype != NETCL_F32) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->bias is %s; it is f32 or as q, %s",
         dtype_facts(shape.bias_dtype).name, dtype_facts(shape.dtype).name);
  }
  if (shape.has_mask && settings.mask->dtype() != NETCL_BOOL) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->mask is %s; it is bool",
         dtype_facts(settings.mask->dtype()).name);
  }
  shape.scale =
      settings.has_scale ? settings.scale : 1.0 / std::sqrt(static_cast<double>(shape.size));
  shape.softcap = settings.softcap;
  check_numbers(shape);
  shape.position = settings.position;
  shape.has_position = settings.has_position;
  shape.before = settings.before;
  shape.after = settings.after;
  return shape;
}

// The inputs with their names.
template <class Function>
void each_input(const Tensor& q, const Tensor& k, const Tensor& v,
                const AttentionSettings& settings, Function function) {
  function(&q, "q");
  function(&k, "k");
  function(&v, "v");
  function(settings.bias.get(), "options->bias");
  function(settings.mask.get(), "options->mask");
  function(settings.query_lengths.get(), "options->query_lengths");
  function(settings.key_lengths.get(), "options->key_lengths");
  function(settings.block_table.get(), "options->block_table");
}

void refuse_shared_lse(const AttentionResult& into, const Tensor* other, const char* argument) {
  if (into.lse == nullptr || other == nullptr || !may_share(*into.lse, *other)) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "options->lse_into shares its memory with %s", argument);
}

// The place of the log-sum-exp: [batch, heads, rows].
TensorRef lse_tensor(const TensorRef& into, const AttentionShape& shape, const Run& run) {
  const int64_t extents[3] = {shape.batch, shape.heads, shape.rows};
  const netcl_dtype dtype = shape.dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  if (into == nullptr) return result_tensor(nullptr, 3, extents, dtype, run);
  require_device(*into, run, "options->lse_into");
  if (!into->layout().same_shape(make_layout(3, extents, nullptr, dtype_size(dtype)))) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->lse_into has shape %s; the log-sum-exp has %s",
         shape_text(*into).c_str(), shape_text(3, extents).c_str());
  }
  if (into->dtype() != dtype) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->lse_into is %s; the log-sum-exp is %s",
         dtype_facts(into->dtype()).name, dtype_facts(dtype).name);
  }
  return into;
}

void run_natively(const AttentionCall& call, const Run& run) {
  const AttentionSettings& settings = call.settings;
  const auto read = [](const TensorRef& tensor) { return access_to(tensor.get(), false); };
  const Tensor* const lse = call.result.lse.get();
  enqueue_native(
      {writing(*call.result.result), access_to(lse, true), reading(call.q), reading(call.k),
       reading(call.v), read(settings.bias), read(settings.mask), read(settings.query_lengths),
       read(settings.key_lengths), read(settings.block_table)},
      run, [shape = call.shape](const NativeCall& native) {
        AttentionTask task;
        task.shape = shape;
        task.result = native.at<void>(0);
        task.lse = native.at<void>(1);
        task.q = native.at<void>(2);
        task.k = native.at<void>(3);
        task.v = native.at<void>(4);
        task.bias = native.at<void>(5);
        task.mask = native.at<void>(6);
        task.query_lengths = native.at<void>(7);
        task.key_lengths = native.at<void>(8);
        task.table = native.at<void>(9);
        netcl::cpu::attention(task, native.threads);
      });
}

// Both products over all pairs: what masks leave out is known on the device alone.
Work attention_work(const AttentionCall& call) {
  const AttentionShape& shape = call.shape;
  const double pairs = static_cast<double>(shape.batch) * static_cast<double>(shape.heads) *
                       static_cast<double>(shape.rows) * static_cast<double>(shape.keys);
  return work_of("attention", shape.dtype,
                 2.0 * pairs * static_cast<double>(shape.size + shape.value_size),
                 {&call.q, &call.k, &call.v, call.settings.bias.get(), call.settings.mask.get()},
                 {call.result.result.get(), call.result.lse.get()});
}

}  // namespace

AttentionResult attention(const Tensor& q, const Tensor& k, const Tensor& v,
                          const AttentionSettings& settings, bool wants_lse,
                          const AttentionResult& into, const Run& run) {
  if (!is_float(q.dtype())) {
    fail(NETCL_ERROR_UNSUPPORTED, "q is %s; attention takes f16, bf16, f32 and f64",
         dtype_facts(q.dtype()).name);
  }
  require_operand(q, q, "q", run);
  require_operand(k, q, "k", run);
  require_operand(v, q, "v", run);
  require_f64(run, q.dtype(), "q");
  AttentionShape shape = make_shape(q, k, v, settings, run);
  each_input(q, k, v, settings, [&](const Tensor* tensor, const char* argument) {
    if (tensor != nullptr) refuse_sharing(into.result, *tensor, argument);
    refuse_shared_lse(into, tensor, argument);
  });
  refuse_shared_lse(into, into.result.get(), "run->into");
  const std::optional<UnitsPlan> units = choose_units(shape, settings.variant, run);
  AttentionResult made;
  if (into.lse != nullptr || wants_lse) made.lse = lse_tensor(into.lse, shape, run);
  const int64_t extents[4] = {shape.batch, shape.heads, shape.rows, shape.value_size};
  made.result = result_tensor(into.result, 4, extents, q.dtype(), run);
  if (made.result->empty()) return made;
  shape.result = made.result->layout();
  shape.wants_lse = made.lse != nullptr;
  if (shape.wants_lse) shape.lse = made.lse->layout();
  const AttentionCall call{shape, q, k, v, settings, made};
  const Run declared = with_work(run, [&] { return attention_work(call); });
  if (runs_native(run.device())) {
    run_natively(call, declared);
  } else {
    launch_attention(call, units, declared);
  }
  return made;
}

}  // namespace netcl::ops
