#include "group/reducer.hpp"

#include "api/handles.hpp"
#include "api/structs.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

group::ReducerOptions read_reducer_options(const netcl_reducer_options* options) {
  const netcl_reducer_options checked = read_options(options, "options");
  require_zero(checked.reserved, "options->reserved");
  group::ReducerOptions read;
  if (checked.bucket_bytes != 0) read.bucket_bytes = checked.bucket_bytes;
  if (checked.kind != 0) read.kind = checked.kind;
  if (read.kind != NETCL_REDUCTION_SUM && read.kind != NETCL_REDUCTION_MEAN) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->kind is %d; gradients are joined by NETCL_REDUCTION_SUM or MEAN", checked.kind);
  }
  return read;
}

}  // namespace

extern "C" {

netcl_status netcl_reducer_create(netcl_group* group, const netcl_reducer_options* options,
                                  netcl_reducer** reducer) {
  return guarded([&] {
    const auto pinned = pin(group, "group");
    auto made = group::Reducer::create(*pinned, [&] {
      require(reducer, "reducer");
      return read_reducer_options(options);
    });
    *reducer = make_handle<netcl_reducer>(std::move(made));
  });
}

netcl_status netcl_reducer_retain(netcl_reducer* reducer) {
  return retain_handle(reducer, "reducer");
}
void netcl_reducer_release(netcl_reducer* reducer) { release_handle(reducer); }

netcl_status netcl_reducer_get_info(const netcl_reducer* reducer, netcl_reducer_info* info) {
  return guarded([&] {
    const auto pinned = pin(reducer, "reducer");
    check_info(info, "info");
    const group::Reducer::Facts facts = pinned->facts();
    netcl_reducer_info full = NETCL_REDUCER_INFO_INIT;
    full.bucket_bytes = pinned->options().bucket_bytes;
    full.runs = facts.runs;
    full.gradients = facts.gradients;
    full.buckets = facts.buckets;
    full.bytes = facts.bytes;
    full.kind = pinned->options().kind;
    full.waiting = facts.waiting ? 1 : 0;
    full.room_bytes = facts.room_bytes;
    write_info(info, full);
  });
}

netcl_status netcl_reducer_wait(netcl_reducer* reducer, uint64_t timeout_ns) {
  return guarded([&] { pin(reducer, "reducer")->wait(timeout_ns); });
}

}  // extern "C"
