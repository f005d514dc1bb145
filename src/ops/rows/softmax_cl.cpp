#include "ops/rows/softmax_cl.hpp"

#include <cstdlib>

namespace netcl::ops {

namespace {

// Rows this long are cut into chunks when there are too few of them to occupy a device.
constexpr int64_t kSoftmaxChunk = 16384;
constexpr int64_t kRowsThatOccupy = 512;
constexpr int kColumnsOfGroup = 32;

enum SoftmaxForm { kRegisters, kOnline, kPartial, kFinish, kAcrossGroups };
#define NAMES(kind)                                                                \
  {                                                                                \
    "netcl_" kind "_registers", "netcl_" kind "_online", "netcl_" kind "_partial", \
        "netcl_" kind "_finish", "netcl_" kind "_columns"                          \
  }
const char* const kNames[4][5] = {NAMES("softmax"), NAMES("log_softmax"),
                                  NAMES("cross_entropy_gradient"), NAMES("cross_entropy")};
#undef NAMES

// A kernel of this form, without its sizes.
KernelCall kernel_call(const SoftmaxLaunch& launch, SoftmaxForm form, GroupShape shape) {
  const auto kind = static_cast<int>(launch.kind);
  return {"softmax.cl", kNames[kind][form],
          group_flags(launch.rows, shape, launch.x.dtype()) + format(" -DKIND=%d", kind) +
              launch.flags};
}

void run_chunks(const SoftmaxLaunch& launch, FunctionRef<void(Arguments*)> add_arguments,
                GroupShape shape, const Run& run) {
  const int64_t chunks = ceil_div(launch.rows.length, kSoftmaxChunk);
  const size_t real = launch.x.dtype() == NETCL_F64 ? 8 : 4;
  const BufferRef partials =
      new_memory(static_cast<uint64_t>(launch.rows.count * chunks * 2) * real, run);
  for (const SoftmaxForm form : {kPartial, kFinish}) {
    KernelCall call = kernel_call(launch, form, shape);
    call.local[0] = static_cast<uint64_t>(shape.lanes);
    call.global[0] = static_cast<uint64_t>(launch.rows.count * chunks) * call.local[0];
    Arguments arguments;
    add_row_arguments(launch.x, launch.y, launch.rows, &arguments);
    arguments.scalar(chunks);
    arguments.scalar(kSoftmaxChunk);
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

SoftmaxGroups softmax_groups(const Rows& rows, netcl_dtype dtype, const Device& device, int kept) {
  if (!goes_across(rows)) return {group_shape(rows.length, dtype, device, kept)};
  // A few slices share a column when there are too few columns to occupy the device.
  const bool whole =
      rows.count >= 65536 || rows.length < 16 || device.capabilities().max_work_group_size < 256;
  return {{kColumnsOfGroup, 1, 0}, whole ? 1 : 8};
}

std::string SoftmaxGroups::flags() const {
  return across() ? format(" -DCOLUMNS=%d -DSLICES=%d", shape.lanes, slices) : "";
}

void SoftmaxGroups::set(int64_t rows, KernelCall* call) const {
  if (!across()) return set_groups(shape, rows, call);
  call->local[0] = static_cast<uint64_t>(shape.lanes * slices);
  call->global[0] = static_cast<uint64_t>(ceil_div(rows, shape.lanes)) * call->local[0];
}

void launch_softmax(const SoftmaxLaunch& launch, FunctionRef<void(Arguments*)> add_arguments,
                    const Run& run) {
  const Rows& rows = launch.rows;
  const SoftmaxGroups groups = softmax_groups(rows, launch.x.dtype(), run.device());
  const bool kept = groups.shape.values > 0;
  if (!groups.across() && !kept && rows.count < kRowsThatOccupy &&
      rows.length >= 2 * kSoftmaxChunk) {
    return run_chunks(launch, add_arguments, groups.shape, run);
  }
  KernelCall call = kernel_call(launch,
                                groups.across() ? kAcrossGroups
                                : kept          ? kRegisters
                                                : kOnline,
                                groups.shape);
  call.flags += groups.flags();
  groups.set(rows.count, &call);
  Arguments arguments;
  add_row_arguments(launch.x, launch.y, rows, &arguments);
  add_arguments(&arguments);
  enqueue_kernel(call, arguments, run);
}

}  // namespace netcl::ops
