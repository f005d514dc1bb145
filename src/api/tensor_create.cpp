#include <cstring>

#include "api/create.hpp"
#include "core/allocator.hpp"
#include "core/environment.hpp"
#include "ops/move/move.hpp"
#include "ops/random/random.hpp"

using namespace netcl;
using namespace netcl::api;

namespace netcl::api {

Layout make_memory_layout(uint32_t rank, const int64_t* shape, const int64_t* strides,
                          size_t element_size) {
  const Layout layout = make_layout(rank, shape, strides, element_size);
  if (may_overlap_itself(layout)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "strides %s with shape %s let elements share memory",
         shape_text(rank, strides).c_str(), shape_text(rank, shape).c_str());
  }
  return layout;
}

CreateOptions::CreateOptions(const netcl_tensor_options* given, Device& device)
    : device_(device.shared_from_this()) {
  options_ = read_options(given, "options");
  // Calls that have no use for these refuse them, but a wrong one is named as such first.
  resolve_toggle(options_.async_copy, false, "options->async_copy");
  resolve_toggle(options_.use_pinned, false, "options->use_pinned");
  require_flag(options_.borrow, "options->borrow");
  require_flag(options_.take_ownership, "options->take_ownership");
  require_flag(options_.share, "options->share");
  require_zero(options_.reserved, "options->reserved");
  if (options_.share != 0 && options_.borrow != 0) refuse_share("that of the caller");
  queue_ = resolve_queue(options_.queue, device, "options->queue");
  if (options_.pool != nullptr) {
    pool_ = pin(options_.pool, "options->pool").shared();
    if (&pool_->device() != &device) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->pool belongs to device %s; the tensor to %s",
           pool_->device().text().c_str(), device.text().c_str());
    }
    if (options_.share != 0 && !pool_->share()) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->share is 1; options->pool was made without share = 1");
    }
  } else if (options_.share != 0) {
    pool_ = PoolSet::of(device).own_shared();
  }
}

TensorRef CreateOptions::allocate(netcl_dtype dtype, uint32_t rank, const int64_t* shape,
                                  const int64_t* strides) const {
  return Tensor::allocate(device_, pool_, dtype,
                          make_memory_layout(rank, shape, strides, dtype_facts(dtype).size));
}

TensorRef CreateOptions::allocate_clean(netcl_dtype dtype, uint32_t rank, const int64_t* shape,
                                        const int64_t* strides) const {
  TensorRef made = allocate(dtype, rank, shape, strides);
  const uint64_t filled = static_cast<uint64_t>(made->element_count()) * dtype_size(dtype);
  const BufferRef& buffer = made->buffer();
  if (filled == 0 || filled == buffer->bytes()) return made;
  // A view shows what lies between the elements, which is what was freed last.
  const int64_t bytes = static_cast<int64_t>(buffer->bytes());
  Tensor all(buffer, NETCL_U8, make_layout(1, &bytes, nullptr, 1));
  const uint8_t zero = 0;
  ops::fill(all, &zero, {*queue_, {}, nullptr});
  return made;
}

void CreateOptions::give(TensorRef made, netcl_tensor** tensor) {
  // Both handles are made before either output is written, so that a failure writes neither.
  netcl_event* event = nullptr;
  if (options_.event != nullptr) {
    if (result_ == nullptr) result_ = queue_->marker({});
    event = make_event_handle(std::move(result_), device_);
  }
  try {
    *tensor = make_handle<netcl_tensor>(std::move(made));
  } catch (...) {
    release_handle(event);
    throw;
  }
  if (event != nullptr) *options_.event = event;
}

void CreateOptions::refuse_take_ownership() const {
  if (options_.take_ownership != 0) {
    fail(
        NETCL_ERROR_INVALID_ARGUMENT,
        "options->take_ownership is 1; only netcl_tensor_create_from_cl is given something to own");
  }
}

void CreateOptions::refuse_transfer() const {
  const auto refuse = [](netcl_toggle toggle, const char* member) {
    if (toggle == NETCL_DEFAULT) return;
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->%s is %d; this call copies nothing from the host; write NETCL_DEFAULT", member,
         toggle);
  };
  refuse(options_.async_copy, "async_copy");
  refuse(options_.use_pinned, "use_pinned");
}

void CreateOptions::refuse_pool() const {
  if (options_.pool == nullptr) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "options->pool is set; the memory is that of mem, which no pool gives; write NULL");
}

void CreateOptions::refuse_share(const char* memory) const {
  if (options_.share == 0) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "options->share is 1; the memory is %s, which is there already; write 0", memory);
}

void CreateOptions::refuse_borrow() const {
  if (options_.borrow != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->borrow is 1; only netcl_tensor_create_from_host "
         "can use the caller's memory");
  }
}

bool resolve_toggle(netcl_toggle toggle, bool fallback, const char* argument) {
  if (toggle < NETCL_DEFAULT || toggle > NETCL_OFF) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %d, which is no netcl_toggle", argument, toggle);
  }
  return toggle == NETCL_DEFAULT ? fallback : toggle == NETCL_ON;
}

TransferPlan CreateOptions::transfer_plan() {
  TransferPlan plan{queue_.get(), {}, event_slot()};
  plan.async_copy =
      resolve_toggle(options_.async_copy, environment().async_h2d, "options->async_copy");
  plan.use_pinned =
      resolve_toggle(options_.use_pinned, environment().pinned_h2d, "options->use_pinned");
  plan.borrow = options_.borrow != 0;
  return plan;
}

}  // namespace netcl::api

// A borrowed array is used in place where the device shares memory with the host and can address
// it.
static bool works_in_place(const Device& device, const void* data, size_t element_size) {
  if (device.capabilities().integrated == 0) return false;
  const size_t alignment = device.builtin() ? element_size : kHostAlignment;
  return reinterpret_cast<uintptr_t>(data) % alignment == 0;
}

static TensorRef from_host(CreateOptions& options, netcl_dtype dtype, uint32_t rank,
                           const int64_t* shape, const int64_t* strides, const void* data,
                           size_t data_size) {
  const size_t element = dtype_facts(dtype).size;
  Layout layout = make_memory_layout(rank, shape, strides, element);
  const Span span = touched_span(layout);
  layout.offset = -span.first;
  const uint64_t bytes = static_cast<uint64_t>(span.last - span.first) * element;
  if (bytes > data_size) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "data_size is %zu; shape %s of %s%s reaches %llu bytes",
         data_size, shape_text(rank, shape).c_str(), dtype_facts(dtype).name,
         strides == nullptr ? "" : " with these strides",
         static_cast<unsigned long long>(bytes));
  }
  if (bytes > 0) require(data, "data");
  TransferPlan plan = options.transfer_plan();
  if (plan.borrow && bytes > 0 && works_in_place(*options.device(), data, element)) {
    BufferRef buffer = Buffer::in_place(options.device(), const_cast<void*>(data), bytes);
    return std::make_shared<Tensor>(std::move(buffer), dtype, layout);
  }
  TensorRef tensor = Tensor::allocate(options.device(), options.pool(), dtype, layout);
  write_bytes({tensor->buffer().get(), 0, bytes}, data, plan);
  return tensor;
}

// Exported functions never call each other: where two copies of the library are loaded, such a call
// could land in the other copy.
static netcl_status create_full(netcl_device* device, netcl_dtype dtype, uint32_t rank,
                                const int64_t* shape, const int64_t* strides, const void* value,
                                const netcl_tensor_options* options, netcl_tensor** tensor) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(tensor, "tensor");
    require(value, "value");
    CreateOptions create(options, *pinned);
    create.refuse_borrow();
    create.refuse_take_ownership();
    create.refuse_transfer();
    TensorRef made = create.allocate_clean(dtype, rank, shape, strides);
    ops::fill(*made, value, create.run());
    create.give(std::move(made), tensor);
  });
}

extern "C" {

netcl_status netcl_tensor_create(netcl_device* device, netcl_dtype dtype, uint32_t rank,
                                 const int64_t* shape, const int64_t* strides,
                                 const netcl_tensor_options* options, netcl_tensor** tensor) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(tensor, "tensor");
    CreateOptions create(options, *pinned);
    create.refuse_borrow();
    create.refuse_take_ownership();
    create.refuse_transfer();
    TensorRef made = create.allocate(dtype, rank, shape, strides);
    create.give(std::move(made), tensor);
  });
}

netcl_status netcl_tensor_create_zeros(netcl_device* device, netcl_dtype dtype, uint32_t rank,
                                       const int64_t* shape, const int64_t* strides,
                                       const netcl_tensor_options* options, netcl_tensor** tensor) {
  const uint64_t zero = 0;
  return create_full(device, dtype, rank, shape, strides, &zero, options, tensor);
}

netcl_status netcl_tensor_create_full(netcl_device* device, netcl_dtype dtype, uint32_t rank,
                                      const int64_t* shape, const int64_t* strides,
                                      const void* value, const netcl_tensor_options* options,
                                      netcl_tensor** tensor) {
  return create_full(device, dtype, rank, shape, strides, value, options, tensor);
}

netcl_status netcl_tensor_create_random(netcl_device* device, netcl_dtype dtype, uint32_t rank,
                                        const int64_t* shape, const int64_t* strides,
                                        const netcl_random_options* random,
                                        const netcl_tensor_options* options,
                                        netcl_tensor** tensor) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(tensor, "tensor");
    dtype_facts(dtype);
    const netcl_random_options numbers = read_options(random, "random");
    require_zero(numbers.reserved, "random->reserved");
    const RandomPlan plan = make_random_plan(dtype, numbers);
    CreateOptions create(options, *pinned);
    create.refuse_borrow();
    create.refuse_take_ownership();
    create.refuse_transfer();
    TensorRef made = create.allocate_clean(dtype, rank, shape, strides);
    ops::random(plan, *made, create.run());
    create.give(std::move(made), tensor);
  });
}

netcl_status netcl_tensor_create_from_host(netcl_device* device, netcl_dtype dtype, uint32_t rank,
                                           const int64_t* shape, const int64_t* strides,
                                           const void* data, size_t data_size,
                                           const netcl_tensor_options* options,
                                           netcl_tensor** tensor) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(tensor, "tensor");
    CreateOptions create(options, *pinned);
    create.refuse_take_ownership();
    TensorRef made = from_host(create, dtype, rank, shape, strides, data, data_size);
    create.give(std::move(made), tensor);
  });
}

}  // extern "C"

// An offset in bytes as an element offset, and the layout at it.
static Layout layout_at(uint64_t offset_bytes, netcl_dtype dtype, uint32_t rank,
                        const int64_t* shape, const int64_t* strides) {
  const size_t element = dtype_facts(dtype).size;
  Layout layout = make_layout(rank, shape, strides, element);
  if (offset_bytes % element != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "offset_bytes is %llu; it must be a multiple of the %zu "
         "bytes of a %s",
         static_cast<unsigned long long>(offset_bytes), element, dtype_facts(dtype).name);
  }
  if (offset_bytes > static_cast<uint64_t>(INT64_MAX)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "offset_bytes is %llu, beyond any memory",
         static_cast<unsigned long long>(offset_bytes));
  }
  layout.offset = static_cast<int64_t>(offset_bytes / element);
  return layout;
}

extern "C" {

netcl_status netcl_tensor_create_from_buffer(netcl_buffer* buffer, uint64_t offset_bytes,
                                             netcl_dtype dtype, uint32_t rank, const int64_t* shape,
                                             const int64_t* strides, netcl_tensor** tensor) {
  return guarded([&] {
    const auto pinned = pin(buffer, "buffer");
    require(tensor, "tensor");
    const Layout layout = layout_at(offset_bytes, dtype, rank, shape, strides);
    *tensor = make_handle<netcl_tensor>(Tensor::checked(pinned.shared(), dtype, layout));
  });
}

netcl_status netcl_tensor_create_from_cl(netcl_device* device, struct _cl_mem* mem,
                                         uint64_t offset_bytes, netcl_dtype dtype, uint32_t rank,
                                         const int64_t* shape, const int64_t* strides,
                                         const netcl_tensor_options* options,
                                         netcl_tensor** tensor) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(tensor, "tensor");
    require(mem, "mem");
    pinned->require_opencl("netcl_tensor_create_from_cl");
    CreateOptions create(options, *pinned);
    create.refuse_borrow();
    create.refuse_transfer();
    create.refuse_pool();
    create.refuse_share("that of mem");
    const Layout layout = layout_at(offset_bytes, dtype, rank, shape, strides);
    // Wrapped with a reference of its own, so that a refusal leaves the caller his; taking his over
    // is the last step, which cannot fail.
    const BufferRef buffer = Buffer::from_cl(pinned.shared(), mem);
    create.give(Tensor::checked(buffer, dtype, layout), tensor);
    if (create.take_ownership()) pinned->backend().release_cl(mem);
  });
}

}  // extern "C"
