#include "ops/rows/softmax_cl.hpp"

#include <cstdlib>

namespace netcl::ops {

namespace {

// Rows this long are cut into chunks when there are too few of them to occupy a device.
constexpr int64_t kChunk = 16384;
constexpr int64_t kRowsThatOccupy = 512;

enum Form { kRegisters, kOnline, kPartial, kFinish, kAcross };
#define NAMES(kind)                                                                \
  {                                                                                \
    "netcl_" kind "_registers", "netcl_" kind "_online", "netcl_" kind "_partial", \
        "netcl_" kind "_finish", "netcl_" kind "_columns"                          \
  }
const char* const kNames[4][5] = {NAMES("softmax"), NAMES("log_softmax"),
                                  NAMES("cross_entropy_gradient"), NAMES("cross_entropy")};
#undef NAMES

// A kernel of this form, without its sizes.
KernelCall kernel_call(const SoftmaxLaunch& launch, Form form, GroupShape shape) {
  const auto kind = static_cast<int>(launch.kind);
  return {"softmax.cl", kNames[kind][form],
          group_flags(launch.rows, shape, launch.x.dtype()) + format(" -DKIND=%d", kind) +
              launch.flags};
}

void run_chunks(const SoftmaxLaunch& launch, FunctionRef<void(Arguments*)> add_arguments,
                GroupShape shape, const Run& run) {
  const int64_t chunks = ceil_div(launch.rows.length, kChunk);
  const size_t real = launch.x.dtype() == NETCL_F64 ? 8 : 4;
  const BufferRef partials =
      new_memory(static_cast<uint64_t>(launch.rows.count * chunks * 2) * real, run);
  for (const Form form : {kPartial, kFinish}) {
    KernelCall call = kernel_call(launch, form, shape);
    call.local[0] = static_cast<uint64_t>(shape.lanes);
    call.global[0] = static_cast<uint64_t>(launch.rows.count * chunks) * call.local[0];
    Arguments arguments;
    add_row_arguments(launch.x, launch.y, launch.rows, &arguments);
    arguments.scalar(chunks);
    arguments.scalar(kChunk);
    arguments.memory(partials->memory(), form == kPartial);
    if (form == kFinish) add_arguments(&arguments);
    enqueue_kernel(call, arguments, form == kPartial ? run.without_event() : run);
  }
}

}  // namespace

bool goes_across(const Rows& rows) {
  if (rows.packed() || rows.length == 1 || rows.x.rank == 0) return false;
  return std::llabs(rows.x.strides[rows.x.rank - 1]) < std::llabs(rows.x_step);
}

// A few slices share a column when there are too few columns to occupy the device.
int column_slices(const Rows& rows, const Device& device) {
  const bool whole = rows.count >= 65536 || rows.length < 16 ||
                     device.capabilities().max_work_group_size < 256;
  return whole ? 1 : 8;
}

void launch_softmax(const SoftmaxLaunch& launch, FunctionRef<void(Arguments*)> add_arguments,
                    const Run& run) {
  const Rows& rows = launch.rows;
  GroupShape shape = group_shape(rows.length, launch.x.dtype(), run.device());
  Form form = shape.values == 0 ? kOnline : kRegisters;
  uint64_t local = static_cast<uint64_t>(shape.lanes * shape.rows);
  uint64_t groups = static_cast<uint64_t>(ceil_div(rows.count, shape.rows));
  std::string flags;
  if (goes_across(rows)) {
    const int slices = column_slices(rows, run.device());
    form = kAcross;
    shape = {kColumnsOfGroup, 1, 0};
    flags = format(" -DCOLUMNS=%d -DSLICES=%d", kColumnsOfGroup, slices);
    local = static_cast<uint64_t>(kColumnsOfGroup * slices);
    groups = static_cast<uint64_t>(ceil_div(rows.count, kColumnsOfGroup));
  } else if (shape.values == 0 && rows.count < kRowsThatOccupy && rows.length >= 2 * kChunk) {
    return run_chunks(launch, add_arguments, shape, run);
  }
  KernelCall call = kernel_call(launch, form, shape);
  call.flags += flags;
  call.local[0] = local;
  call.global[0] = groups * local;
  Arguments arguments;
  add_row_arguments(launch.x, launch.y, rows, &arguments);
  add_arguments(&arguments);
  enqueue_kernel(call, arguments, run);
}

}  // namespace netcl::ops
