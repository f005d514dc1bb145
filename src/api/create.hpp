// netcl_tensor_options resolved for the length of one call.
#pragma once

#include "api/resolved_run.hpp"
#include "tensor/transfer.hpp"

namespace netcl::api {

// DEFAULT takes the environment's choice.
bool resolve_toggle(netcl_toggle toggle, bool fallback, const char* argument);

// The layout of new memory; fails with INVALID_ARGUMENT when elements would share some.
Layout make_memory_layout(uint32_t rank, const int64_t* shape, const int64_t* strides,
                          size_t element_size);

class CreateOptions {
 public:
  CreateOptions(const netcl_tensor_options* given, Device& device);

  const DeviceRef& device() const noexcept { return device_; }
  const PoolRef& pool() const noexcept { return pool_; }
  bool take_ownership() const noexcept { return options_.take_ownership != 0; }
  ops::Run run() noexcept { return {*queue_, {}, event_slot()}; }
  TransferPlan transfer_plan();
  // Fails with INVALID_ARGUMENT when options->borrow is set where there is nothing to borrow.
  void refuse_borrow() const;
  // The same for how data goes from the host to the device, and for a pool.
  void refuse_transfer() const;
  void refuse_pool() const;
  // The same for memory that others can have; `memory` says what there is instead.
  bool share() const noexcept { return options_.share != 0; }
  void refuse_share(const char* memory) const;
  // New memory for a layout whose elements may not overlap.
  TensorRef allocate(netcl_dtype dtype, uint32_t rank, const int64_t* shape,
                     const int64_t* strides) const;
  // The same, with zeros wherever the layout leaves memory out.
  TensorRef allocate_clean(netcl_dtype dtype, uint32_t rank, const int64_t* shape,
                           const int64_t* strides) const;
  void refuse_take_ownership() const;
  // Hands out the tensor, and the event of the last command when the caller asked for one.
  void give(TensorRef made, netcl_tensor** tensor);

 private:
  backend::EventRef* event_slot() noexcept {
    return options_.event == nullptr ? nullptr : &result_;
  }

  netcl_tensor_options options_;
  DeviceRef device_;
  QueueRef queue_;
  PoolRef pool_;
  backend::EventRef result_;
};

}  // namespace netcl::api
