#include "ops/rows/softmax.hpp"

#include <algorithm>
#include <cstdlib>

#include "backend/cpu/rows/softmax_loops.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/rows/norm_rows.hpp"

namespace netcl::ops {

namespace {

// Rows this long are cut into chunks when there are too few of them to occupy a device.
constexpr int64_t kChunk = 16384;
constexpr int64_t kRowsThatOccupy = 512;

const char* const kNames[2][5] = {
    {"netcl_softmax_registers", "netcl_softmax_online", "netcl_softmax_partial",
     "netcl_softmax_finish", "netcl_softmax_columns"},
    {"netcl_log_softmax_registers", "netcl_log_softmax_online", "netcl_log_softmax_partial",
     "netcl_log_softmax_finish", "netcl_log_softmax_columns"}};
enum Form { kRegisters, kOnline, kPartial, kFinish, kColumns };

struct Job {
  const Tensor& x;
  const Tensor& y;
  Rows rows;
  bool logarithm;

  const char* name(Form form) const { return kNames[logarithm ? 1 : 0][form]; }
  std::string flags(const std::string& more) const {
    return more + (logarithm ? " -DLOG=1" : " -DLOG=0");
  }
};

// True when neighbouring rows lie closer together than the elements of one row, so that vectors
// and groups of items should go across rows.
bool goes_across(const Rows& rows) {
  if (rows.packed() || rows.length == 1 || rows.x.rank == 0) return false;
  return std::llabs(rows.x.strides[rows.x.rank - 1]) < std::llabs(rows.x_step);
}

void run_chunks(const Job& job, GroupShape shape, const Run& run) {
  const int64_t chunks = ceil_div(job.rows.length, kChunk);
  const size_t real = job.x.dtype() == NETCL_F64 ? 8 : 4;
  const BufferRef partials =
      new_memory(static_cast<uint64_t>(job.rows.count * chunks * 2) * real, run);
  for (const Form form : {kPartial, kFinish}) {
    KernelCall call{"softmax.cl", job.name(form),
                    job.flags(group_flags(job.rows, shape, job.x.dtype()))};
    call.local[0] = static_cast<uint64_t>(shape.lanes);
    call.global[0] = static_cast<uint64_t>(job.rows.count * chunks) * call.local[0];
    Arguments arguments;
    add_row_arguments(job.x, job.y, job.rows, &arguments);
    arguments.scalar(chunks);
    arguments.scalar(kChunk);
    arguments.memory(partials->memory(), form == kPartial);
    enqueue_kernel(call, arguments, form == kPartial ? run.without_event() : run);
  }
}

void run_groups(const Job& job, const Run& run) {
  const Rows& rows = job.rows;
  const netcl_dtype dtype = job.x.dtype();
  Arguments arguments;
  add_row_arguments(job.x, job.y, rows, &arguments);
  GroupShape shape = group_shape(rows.length, dtype, run.device());
  KernelCall call{"softmax.cl", job.name(kRegisters), ""};
  if (goes_across(rows)) {
    // A few slices share a column when there are too few columns to occupy the device.
    const int slices = rows.count >= 65536 || rows.length < 16 ||
                               run.device().capabilities().max_work_group_size < 256
                           ? 1
                           : 8;
    shape = {32, 1, 0};
    call.kernel = job.name(kColumns);
    call.flags = job.flags(group_flags(rows, shape, dtype)) +
                 format(" -DCOLUMNS=%d -DSLICES=%d", 32, slices);
    call.local[0] = static_cast<uint64_t>(32 * slices);
    call.global[0] = static_cast<uint64_t>(ceil_div(rows.count, 32)) * call.local[0];
    return enqueue_kernel(call, arguments, run);
  }
  if (shape.values == 0 && rows.count < kRowsThatOccupy && rows.length >= 2 * kChunk) {
    return run_chunks(job, shape, run);
  }
  if (shape.values == 0) call.kernel = job.name(kOnline);
  call.flags = job.flags(group_flags(rows, shape, dtype));
  call.local[0] = static_cast<uint64_t>(shape.lanes * shape.rows);
  call.global[0] = static_cast<uint64_t>(ceil_div(rows.count, shape.rows)) * call.local[0];
  enqueue_kernel(call, arguments, run);
}

void run_natively(const Job& job, const Run& run) {
  netcl::cpu::SoftmaxTask task;
  task.rows = job.rows;
  task.dtype = job.x.dtype();
  task.logarithm = job.logarithm;
  task.across = goes_across(job.rows);
  enqueue_native({{job.y.memory(), true}, {job.x.memory(), false}}, run,
                 [task](const NativeCall& call) {
                   auto own = task;
                   own.y_data = call.at<void>(0);
                   own.x_data = call.at<void>(1);
                   netcl::cpu::softmax(own, call.threads);
                 });
}

}  // namespace

TensorRef softmax(const Tensor& x, int32_t axis, bool logarithm, const TensorRef& into,
                  const Run& run) {
  if (!is_float(x.dtype())) {
    fail(NETCL_ERROR_UNSUPPORTED, "x is %s; %s takes f16, bf16, f32 and f64",
         dtype_facts(x.dtype()).name, logarithm ? "log_softmax" : "softmax");
  }
  const Layout& layout = x.layout();
  const uint32_t along = checked_axis(axis, layout.rank, "axis");
  require_device(x, run, "x");
  require_f64(run, x.dtype(), "x");
  refuse_sharing(into, x, "x", true);
  TensorRef y = result_tensor(into, layout.rank, layout.shape.data(), x.dtype(), run);
  if (y->empty()) return y;
  const Job job{x, *y, split_rows(layout, y->layout(), along, 1), logarithm};
  // Maximum, difference, exponential, sum and quotient.
  const Run declared = with_work(run, [&] {
    return work_of("softmax", x.dtype(), 5.0 * static_cast<double>(x.element_count()), {&x},
                   {y.get()});
  });
  if (runs_native(run.device())) {
    run_natively(job, declared);
  } else {
    run_groups(job, declared);
  }
  return y;
}

}  // namespace netcl::ops
