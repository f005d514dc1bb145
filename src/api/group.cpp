#include <optional>

#include "api/resolved_run.hpp"
#include "graph/backward.hpp"
#include "graph/recorded_collective.hpp"
#include "group/rank_group.hpp"

using namespace netcl;
using namespace netcl::api;
using group::Op;

namespace {

constexpr uint64_t kTimeout = uint64_t{60} * 1000000000;

struct GroupOptions {
  uint64_t timeout_ns;
  netcl_group_transport transport;
};

GroupOptions read_group_options(const netcl_group_options* options, bool mpi) {
  const netcl_group_options checked = read_options(options, "options");
  require_zero(checked.reserved, "options->reserved");
  if (checked.transport < 0 || checked.transport > NETCL_GROUP_TRANSPORT_PEER_MEMORY) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->transport is %d, which is no netcl_group_transport", checked.transport);
  }
  if (checked.transport == NETCL_GROUP_TRANSPORT_MPI && !mpi) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->transport is %d, NETCL_GROUP_TRANSPORT_MPI, which netcl_group_create_mpi takes "
         "alone",
         checked.transport);
  }
  return {checked.timeout_ns == 0 ? kTimeout : checked.timeout_ns, checked.transport};
}

// One call of a group. `fill` pins the tensors of the call of this rank; whatever it refuses the
// other ranks get to know.
template <class Fill>
netcl_status call_collective(netcl_group* handle, Op op, uint32_t root,
                             const netcl_run_options* run, const Fill& fill) {
  return guarded([&] {
    const auto pinned = pin(handle, "group");
    graph::Collective made{pinned.shared(), {op}};
    made.call.root = root;
    std::optional<ResolvedRun> resolved;
    graph::call_collective(&made, records_alone(run), [&]() -> graph::Caller {
      fill(&made.call, pinned->rank());
      resolved.emplace(run, *pinned->device());
      resolved->refuse_into();
      return {resolved->graph(), resolved->run()};
    });
    resolved->give_event();
  });
}

// A tensor that may be NULL where it is not `needed`.
void take_input(netcl_tensor* tensor, const char* argument, bool needed, group::Call* call) {
  if (needed || tensor != nullptr) call->input = pin(tensor, argument).shared();
}
void take_output(netcl_tensor* tensor, const char* argument, bool needed, group::Call* call) {
  if (!needed && tensor == nullptr) return;
  call->output = pin(tensor, argument).shared();
  if (needed) require_own_elements(*call->output, argument);
}

}  // namespace

extern "C" {

netcl_status netcl_group_join(netcl_device* device, const char* path, uint32_t index, uint32_t size,
                              const netcl_group_options* options, netcl_group** group) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(path, "path");
    require(group, "group");
    const GroupOptions checked = read_group_options(options, false);
    pinned->check_usable();
    *group = make_handle<netcl_group>(group::Group::join(pinned.shared(), path, index, size,
                                                         checked.transport, checked.timeout_ns));
  });
}

netcl_status netcl_group_create_local(netcl_device* const* devices, uint32_t devices_count,
                                      const netcl_group_options* options, netcl_group** groups) {
  return guarded([&] {
    require_array(devices, devices_count, "devices");
    if (devices_count == 0 || devices_count > group::kRanksMax) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "devices_count is %u; a group has 1 to %u ranks",
           devices_count, group::kRanksMax);
    }
    std::vector<DeviceRef> own;
    for (uint32_t r = 0; r < devices_count; ++r) {
      own.push_back(pin_at(devices[r], "devices", r).shared());
    }
    require(groups, "groups");
    const GroupOptions checked = read_group_options(options, false);
    for (const DeviceRef& device : own) device->check_usable();
    std::vector<netcl_group*> handles;
    handles.reserve(devices_count);
    try {
      for (const auto& made : group::Group::local(own, checked.transport, checked.timeout_ns)) {
        handles.push_back(make_handle<netcl_group>(made));
      }
    } catch (...) {
      for (netcl_group* handle : handles) release_handle(handle);
      throw;
    }
    std::copy(handles.begin(), handles.end(), groups);
  });
}

netcl_status netcl_group_create_mpi(netcl_device* device, int64_t communicator,
                                    const netcl_group_options* options, netcl_group** group) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(group, "group");
    const GroupOptions checked = read_group_options(options, true);
    pinned->check_usable();
    *group = make_handle<netcl_group>(
        group::Group::of_mpi(pinned.shared(), communicator, checked.transport, checked.timeout_ns));
  });
}

netcl_status netcl_group_split(netcl_group* group, const uint32_t* colors, uint32_t colors_count,
                               netcl_group** part) {
  return guarded([&] {
    const auto pinned = pin(group, "group");
    std::shared_ptr<group::Group> made = pinned->split([&] {
      require(part, "part");
      require_array(colors, colors_count, "colors");
      return std::span<const uint32_t>(colors, colors_count);
    });
    *part = make_handle<netcl_group>(std::move(made));
  });
}

netcl_status netcl_group_retain(netcl_group* group) { return retain_handle(group, "group"); }
void netcl_group_release(netcl_group* group) { release_handle(group); }

netcl_status netcl_group_get_info(const netcl_group* group, netcl_group_info* info) {
  return guarded([&] {
    const auto pinned = pin(group, "group");
    check_info(info, "info");
    netcl_group_info full = NETCL_GROUP_INFO_INIT;
    std::string message;
    full.rank = pinned->rank();
    full.size = pinned->size();
    full.failure = pinned->failure(&message);
    full.transport = pinned->transport();
    full.timeout_ns = pinned->timeout_ns();
    full.calls = pinned->calls();
    write_info(info, full);
  });
}

netcl_status netcl_group_get_device(const netcl_group* group, netcl_device** device) {
  return guarded([&] {
    const auto pinned = pin(group, "group");
    require(device, "device");
    *device = make_handle<netcl_device>(pinned->device());
  });
}

netcl_status netcl_group_describe_device(const netcl_group* group, uint32_t index,
                                         netcl_device_info* info) {
  return guarded([&] {
    const auto pinned = pin(group, "group");
    check_info(info, "info");
    write_info(info, pinned->device_info(index));
  });
}

netcl_status netcl_group_get_error(const netcl_group* group, netcl_error_info* info) {
  return guarded([&] {
    const auto pinned = pin(group, "group");
    check_info(info, "info");
    netcl_error_info full = NETCL_ERROR_INFO_INIT;
    std::string message;
    full.status = pinned->failure(&message);
    copy_line(full.message, sizeof full.message, message.c_str());
    write_info(info, full);
  });
}

netcl_status netcl_group_barrier(netcl_group* group, const netcl_run_options* run) {
  return call_collective(group, Op::barrier, 0, run, [](group::Call*, uint32_t) {});
}

netcl_status netcl_group_all_reduce(netcl_group* group, netcl_tensor* input, netcl_tensor* output,
                                    netcl_reduction kind, const netcl_run_options* run) {
  return call_collective(group, Op::all_reduce, 0, run, [&](group::Call* call, uint32_t) {
    take_input(input, "input", true, call);
    take_output(output, "output", true, call);
    call->kind = kind;
  });
}

netcl_status netcl_group_reduce(netcl_group* group, netcl_tensor* input, netcl_tensor* output,
                                netcl_reduction kind, uint32_t root, const netcl_run_options* run) {
  return call_collective(group, Op::reduce, root, run, [&](group::Call* call, uint32_t rank) {
    take_input(input, "input", true, call);
    take_output(output, "output", rank == root, call);
    call->kind = kind;
  });
}

netcl_status netcl_group_broadcast(netcl_group* group, netcl_tensor* tensor, uint32_t root,
                                   const netcl_run_options* run) {
  return call_collective(group, Op::broadcast, root, run, [&](group::Call* call, uint32_t rank) {
    take_input(tensor, "tensor", true, call);
    take_output(tensor, "tensor", rank != root, call);
  });
}

netcl_status netcl_group_all_gather(netcl_group* group, netcl_tensor* input, netcl_tensor* output,
                                    const netcl_run_options* run) {
  return call_collective(group, Op::all_gather, 0, run, [&](group::Call* call, uint32_t) {
    take_input(input, "input", true, call);
    take_output(output, "output", true, call);
  });
}

netcl_status netcl_group_gather(netcl_group* group, netcl_tensor* input, netcl_tensor* output,
                                uint32_t root, const netcl_run_options* run) {
  return call_collective(group, Op::gather, root, run, [&](group::Call* call, uint32_t rank) {
    take_input(input, "input", true, call);
    take_output(output, "output", rank == root, call);
  });
}

netcl_status netcl_group_scatter(netcl_group* group, netcl_tensor* input, netcl_tensor* output,
                                 uint32_t root, const netcl_run_options* run) {
  return call_collective(group, Op::scatter, root, run, [&](group::Call* call, uint32_t rank) {
    take_input(input, "input", rank == root, call);
    take_output(output, "output", true, call);
  });
}

netcl_status netcl_group_reduce_scatter(netcl_group* group, netcl_tensor* input,
                                        netcl_tensor* output, netcl_reduction kind,
                                        const netcl_run_options* run) {
  return call_collective(group, Op::reduce_scatter, 0, run, [&](group::Call* call, uint32_t) {
    take_input(input, "input", true, call);
    take_output(output, "output", true, call);
    call->kind = kind;
  });
}

netcl_status netcl_group_all_to_all(netcl_group* group, netcl_tensor* input, const int64_t* counts,
                                    uint32_t counts_count, netcl_tensor* output,
                                    const netcl_run_options* run) {
  return call_collective(group, Op::all_to_all, 0, run, [&](group::Call* call, uint32_t) {
    take_input(input, "input", true, call);
    take_output(output, "output", true, call);
    require_array(counts, counts_count, "counts");
    call->counts = {counts, counts_count};
  });
}

netcl_status netcl_group_send(netcl_group* group, netcl_tensor* tensor, uint32_t peer,
                              const netcl_run_options* run) {
  return call_collective(group, Op::send, peer, run, [&](group::Call* call, uint32_t) {
    take_input(tensor, "tensor", true, call);
  });
}

netcl_status netcl_group_receive(netcl_group* group, netcl_tensor* tensor, uint32_t peer,
                                 const netcl_run_options* run) {
  return call_collective(group, Op::receive, peer, run, [&](group::Call* call, uint32_t) {
    take_output(tensor, "tensor", true, call);
  });
}

}  // extern "C"
