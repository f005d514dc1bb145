#include "api/handles.hpp"
#include "api/structs.hpp"

using namespace netcl;
using namespace netcl::api;

static void check_kind(netcl_pool_kind kind, const char* argument) {
  if (kind < NETCL_POOL_PERSISTENT || kind > NETCL_POOL_PINNED) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %d, which is no netcl_pool_kind", argument, kind);
  }
}

extern "C" {

netcl_status netcl_pool_create(netcl_device* device, const netcl_pool_options* options,
                               netcl_pool** pool) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(pool, "pool");
    const netcl_pool_options checked = read_options(options, "options");
    const netcl_pool_kind kind = checked.kind == 0 ? NETCL_POOL_PERSISTENT : checked.kind;
    check_kind(kind, "options->kind");
    require_flag(checked.share, "options->share");
    require_zero(checked.reserved, "options->reserved");
    if (checked.share != 0 && kind == NETCL_POOL_PINNED) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->share is 1; page-locked memory (options->kind %d) cannot be shared", kind);
    }
    PoolLimits limits;
    limits.max_cached_bytes = checked.max_cached_bytes;
    limits.max_bytes = checked.max_bytes;
    limits.max_buffers_per_bucket = checked.max_buffers_per_bucket;
    *pool = make_handle<netcl_pool>(PoolSet::of(*pinned).create(kind, checked.share != 0, limits));
  });
}

netcl_status netcl_device_get_pool(const netcl_device* device, netcl_pool_kind kind,
                                   netcl_pool** pool) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(pool, "pool");
    check_kind(kind, "kind");
    *pool = make_handle<netcl_pool>(PoolSet::of(*pinned).own(kind));
  });
}

netcl_status netcl_pool_retain(netcl_pool* pool) { return retain_handle(pool, "pool"); }
void netcl_pool_release(netcl_pool* pool) { release_handle(pool); }

netcl_status netcl_pool_get_info(const netcl_pool* pool, netcl_pool_info* info) {
  return guarded([&] {
    const auto pinned = pin(pool, "pool");
    check_info(info, "info");
    netcl_pool_info full = NETCL_POOL_INFO_INIT;
    pinned->info(&full);
    write_info(info, full);
  });
}

netcl_status netcl_pool_get_buckets(const netcl_pool* pool, netcl_pool_bucket* buckets,
                                    uint32_t capacity, uint32_t* count) {
  return guarded([&] {
    const auto pinned = pin(pool, "pool");
    require(count, "count");
    if (capacity > 0) require(buckets, "buckets");
    *count = pinned->buckets(buckets, capacity);
  });
}

netcl_status netcl_pool_trim(netcl_pool* pool, uint64_t keep_bytes) {
  return guarded([&] { pin(pool, "pool")->trim(keep_bytes); });
}

netcl_status netcl_pool_allocate(netcl_pool* pool, uint64_t bytes, netcl_buffer** buffer) {
  return guarded([&] {
    const auto pinned = pin(pool, "pool");
    require(buffer, "buffer");
    DeviceRef device = pinned->device().shared_from_this();
    *buffer =
        make_handle<netcl_buffer>(Buffer::lease(pinned.shared(), std::move(device), bytes, false));
  });
}

netcl_status netcl_buffer_create_pinned(netcl_device* device, uint64_t bytes,
                                        netcl_buffer** buffer) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(buffer, "buffer");
    *buffer = make_handle<netcl_buffer>(Buffer::pinned(pinned.shared(), bytes));
  });
}

netcl_status netcl_buffer_create_zero_copy(netcl_device* device, void* data, uint64_t bytes,
                                           netcl_buffer** buffer) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(buffer, "buffer");
    *buffer = make_handle<netcl_buffer>(Buffer::zero_copy(pinned.shared(), data, bytes));
  });
}

netcl_status netcl_buffer_retain(netcl_buffer* buffer) { return retain_handle(buffer, "buffer"); }
void netcl_buffer_release(netcl_buffer* buffer) { release_handle(buffer); }

netcl_status netcl_buffer_get_info(const netcl_buffer* buffer, netcl_buffer_info* info) {
  return guarded([&] {
    const auto pinned = pin(buffer, "buffer");
    check_info(info, "info");
    netcl_buffer_info full = NETCL_BUFFER_INFO_INIT;
    full.bytes = pinned->bytes();
    full.bucket_bytes = pinned->bucket_bytes();
    full.host_pointer = pinned->host_pointer();
    full.pinned = pinned->memory() != nullptr &&
                  pinned->memory()->buffer->kind() == backend::MemoryKind::pinned;
    full.zero_copy = pinned->shared_with_host() ? 1 : 0;
    // Two owners are the handle's entry and the one made here.
    full.shared = pinned.shared().use_count() > 2 ? 1 : 0;
    full.exportable = pinned->exportable() ? 1 : 0;
    write_info(info, full);
  });
}

netcl_status netcl_buffer_get_cl_mem(const netcl_buffer* buffer, struct _cl_mem** mem) {
  return guarded([&] {
    const auto pinned = pin(buffer, "buffer");
    require(mem, "mem");
    pinned->device().require_opencl("netcl_buffer_get_cl_mem");
    if (pinned->memory() == nullptr) {
      fail(NETCL_ERROR_NOT_FOUND, "buffer has 0 bytes and no memory object");
    }
    *mem = pinned->lend_cl_mem();
  });
}

}  // extern "C"
