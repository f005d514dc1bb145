#include "api/call_op.hpp"
#include "api/create.hpp"
#include "core/environment.hpp"
#include "ops/move/move.hpp"

using namespace netcl;
using namespace netcl::api;

extern "C" {

netcl_status netcl_tensor_retain(netcl_tensor* tensor) { return retain_handle(tensor, "tensor"); }
void netcl_tensor_release(netcl_tensor* tensor) { release_handle(tensor); }

netcl_status netcl_tensor_get_info(const netcl_tensor* tensor, netcl_tensor_info* info) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    check_info(info, "info");
    netcl_tensor_info full = NETCL_TENSOR_INFO_INIT;
    pinned->info(&full);
    write_info(info, full);
  });
}

netcl_status netcl_tensor_get_device(const netcl_tensor* tensor, netcl_device** device) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    require(device, "device");
    *device = make_handle<netcl_device>(pinned->device_ref());
  });
}

netcl_status netcl_tensor_get_buffer(const netcl_tensor* tensor, netcl_buffer** buffer) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    require(buffer, "buffer");
    require_content(*pinned, "tensor");
    *buffer = make_handle<netcl_buffer>(pinned->buffer());
  });
}

netcl_status netcl_tensor_slice(netcl_tensor* tensor, const netcl_range* ranges,
                                uint32_t ranges_count, netcl_tensor** view) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    require(view, "view");
    *view = make_handle<netcl_tensor>(slice(*pinned, ranges, ranges_count));
  });
}

netcl_status netcl_tensor_permute(netcl_tensor* tensor, const uint32_t* axes, uint32_t axes_count,
                                  netcl_tensor** view) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    require(view, "view");
    *view = make_handle<netcl_tensor>(permute(*pinned, axes, axes_count));
  });
}

netcl_status netcl_tensor_broadcast(netcl_tensor* tensor, uint32_t rank, const int64_t* shape,
                                    netcl_tensor** view) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    require(view, "view");
    *view = make_handle<netcl_tensor>(broadcast(*pinned, rank, shape));
  });
}

netcl_status netcl_tensor_view(netcl_tensor* tensor, uint32_t rank, const int64_t* shape,
                               const int64_t* strides, int64_t offset, netcl_tensor** view) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    require(view, "view");
    *view = make_handle<netcl_tensor>(netcl::view(*pinned, rank, shape, strides, offset));
  });
}

netcl_status netcl_tensor_reshape(netcl_tensor* tensor, uint32_t rank, const int64_t* shape,
                                  const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    require(result, "result");
    ResolvedRun resolved(run, pinned->device());
    resolved.refuse_into();
    const Layout target = reshaped_layout(*pinned, rank, shape);
    TensorRef made = reshape_view(*pinned, target);
    if (made == nullptr) {
      const TensorRef copied = call_into<ops::copy>(resolved, "copy", TensorRef(), *pinned);
      made = reshape_view(*copied, target);
    }
    give_result(resolved, std::move(made), result);
  });
}

netcl_status netcl_tensor_wait(const netcl_tensor* tensor, uint64_t timeout_ns) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    wait_until_written(*pinned, timeout_ns);
  });
}

}  // extern "C"

namespace {

// Transfer options resolved for the length of one call.
class ResolvedTransfer {
 public:
  ResolvedTransfer(const netcl_transfer_options* given, const Tensor& tensor, uint64_t timeout_ns)
      : device_(tensor.device_ref()) {
    const netcl_transfer_options options = read_options(given, "options");
    require_flag(options.borrow, "options->borrow");
    queue_ = resolve_queue(options.queue, *device_, "options->queue");
    plan_.queue = queue_.get();
    plan_.async_copy =
        resolve_toggle(options.async_copy, environment().async_h2d, "options->async_copy");
    plan_.use_pinned =
        resolve_toggle(options.use_pinned, environment().pinned_h2d, "options->use_pinned");
    plan_.borrow = options.borrow != 0;
    waits_ =
        resolve_waits(options.waits, options.waits_count, "options->waits", *device_, timeout_ns);
    plan_.waits = {waits_.data(), waits_.size()};
    event_ = options.event;
    if (event_ != nullptr) plan_.event = &result_;
  }
  // What a write alone has a use for.
  static void refuse_of_read(const netcl_transfer_options* given) {
    const netcl_transfer_options options = read_options(given, "options");
    if (options.borrow == 1) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->borrow is 1; a read copies into data itself, only netcl_tensor_write can "
           "borrow; write 0");
    }
    if (options.async_copy == NETCL_ON || options.async_copy == NETCL_OFF) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->async_copy is %d, which is for netcl_tensor_write; a read returns at once "
           "where options->event is set; write NETCL_DEFAULT",
           options.async_copy);
    }
    if (options.use_pinned == NETCL_ON && options.event != nullptr) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->use_pinned is NETCL_ON and options->event is set; the device writes to data "
           "itself then, without page-locked memory between; write NETCL_DEFAULT");
    }
  }
  const TransferPlan& plan() const noexcept { return plan_; }
  bool wants_event() const noexcept { return event_ != nullptr; }
  void give_event() { give_event(std::move(result_)); }
  void give_event(backend::EventRef event) {
    if (event_ == nullptr) return;
    *event_ = make_event_handle(std::move(event), device_);
  }

 private:
  DeviceRef device_;
  QueueRef queue_;
  std::vector<backend::EventRef> waits_;
  netcl_event** event_;
  backend::EventRef result_;
  TransferPlan plan_;
};

void check_data(const Tensor& tensor, const void* data, size_t data_size) {
  if (tensor.byte_count() != data_size) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "data_size is %zu; the tensor has %llu bytes", data_size,
         static_cast<unsigned long long>(tensor.byte_count()));
  }
  if (data_size > 0) require(data, "data");
}

[[noreturn]] void fail_timeout(uint64_t timeout_ns) {
  fail(NETCL_ERROR_TIMEOUT, "timeout_ns is %llu and earlier work on the tensor is not complete",
       static_cast<unsigned long long>(timeout_ns));
}

void wait_before(const Tensor& tensor, const TransferPlan& plan, bool writes_only,
                 uint64_t timeout_ns) {
  if (!wait_for_earlier_work(tensor, plan, writes_only, timeout_ns)) fail_timeout(timeout_ns);
}

}  // namespace

extern "C" {

netcl_status netcl_tensor_read(const netcl_tensor* tensor, void* data, size_t data_size,
                               const netcl_transfer_options* options, uint64_t timeout_ns) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    require_content(*pinned, "tensor");
    check_data(*pinned, data, data_size);
    ResolvedTransfer::refuse_of_read(options);
    ResolvedTransfer transfer(options, *pinned, timeout_ns);
    TensorRef packed = pinned.shared();
    // What failed is found out before `data` is touched.
    const auto require_whole = [&](const Tensor& whole) {
      if (transfer.wants_event()) return;
      wait_before(whole, transfer.plan(), true, timeout_ns);
      if (whole.memory() != nullptr) {
        QueueSet::of(whole.device()).require_written(reading(whole));
      }
    };
    require_whole(*pinned);
    if (!packed->layout().is_c_contiguous()) {
      packed =
          ops::copy(*pinned, nullptr, {*transfer.plan().queue, transfer.plan().waits, nullptr});
      require_whole(*packed);
    }
    if (transfer.wants_event()) {
      read_bytes_async(packed_span(*packed), data, transfer.plan());
      transfer.give_event();
    } else {
      read_bytes(packed_span(*packed), data, transfer.plan());
    }
  });
}

netcl_status netcl_tensor_write(netcl_tensor* tensor, const void* data, size_t data_size,
                                const netcl_transfer_options* options, uint64_t timeout_ns) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    require_content(*pinned, "tensor");
    check_data(*pinned, data, data_size);
    require_own_elements(*pinned, "tensor");
    ResolvedTransfer transfer(options, *pinned, timeout_ns);
    wait_before(*pinned, transfer.plan(), false, timeout_ns);
    if (pinned->layout().is_c_contiguous()) {
      write_bytes(packed_span(*pinned), data, transfer.plan());
      transfer.give_event();
      return;
    }
    const TensorRef packed = Tensor::allocate(pinned->device_ref(), pinned->dtype(),
                                              pinned->layout().rank, pinned->layout().shape.data());
    TransferPlan plan = transfer.plan();
    plan.event = nullptr;
    write_bytes(packed_span(*packed), data, plan);
    backend::EventRef copied;
    ops::copy_into(*packed, *pinned, {*plan.queue, plan.waits, &copied});
    if (!plan.async_copy) copied->wait(Deadline(UINT64_MAX));
    transfer.give_event(std::move(copied));
  });
}

}  // extern "C"
