#include "api/handles.hpp"
#include "api/structs.hpp"

using namespace netcl;
using namespace netcl::api;

static void require_memory(const Buffer& buffer) {
  if (buffer.memory() == nullptr) {
    fail(NETCL_ERROR_NOT_FOUND, "buffer has 0 bytes and no memory");
  }
}

[[noreturn]] static void fail_without_cuda(const Buffer& buffer) {
  const backend::Sharing sharing = buffer.device().backend().sharing();
  if (sharing.kind == NETCL_SHARE_FILE) {
    fail(NETCL_ERROR_UNSUPPORTED, "buffer lies on device %s, which is none of CUDA",
         buffer.device().text().c_str());
  }
  if (sharing.kind == 0) fail(NETCL_ERROR_UNSUPPORTED, sharing.refusal);
  fail(NETCL_ERROR_UNSUPPORTED, "buffer has memory that was made without share = 1");
}

extern "C" {

netcl_status netcl_buffer_export(const netcl_buffer* buffer, netcl_shared_memory* memory) {
  return guarded([&] {
    const auto pinned = pin(buffer, "buffer");
    require_struct(memory, "memory");
    // A caller without room for the descriptor could not close it.
    check_struct_size(memory->struct_size, kFirstSize<netcl_shared_memory>,
                      sizeof(netcl_shared_memory), "memory");
    require_memory(*pinned);
    if (!pinned->exportable()) {
      fail(NETCL_ERROR_UNSUPPORTED, "buffer has memory that was made without share = 1");
    }
    write_info(memory, pinned->export_memory());
  });
}

netcl_status netcl_buffer_import(netcl_device* device, const netcl_shared_memory* memory,
                                 netcl_buffer** buffer) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(buffer, "buffer");
    const netcl_shared_memory checked = read_struct(memory, "memory");
    if (checked.kind < NETCL_SHARE_FILE || checked.kind > NETCL_SHARE_CUDA) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "memory->kind is %d, which is no netcl_share_kind",
           checked.kind);
    }
    *buffer = make_handle<netcl_buffer>(Buffer::import(pinned.shared(), checked));
  });
}

netcl_status netcl_buffer_get_cuda_address(const netcl_buffer* buffer, uint64_t* address) {
  return guarded([&] {
    const auto pinned = pin(buffer, "buffer");
    require(address, "address");
    require_memory(*pinned);
    const share::CudaPlace place = pinned->lend_cuda();
    if (place.address == 0) fail_without_cuda(*pinned);
    *address = place.address;
  });
}

}  // extern "C"
