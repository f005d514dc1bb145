// Written by bindings/generator/generate.py from include/netcl.h; do not edit.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_GENERATED_CALLS_HPP
#define NETCL_GENERATED_CALLS_HPP

#include <netcl/element.hpp>
#include <netcl/generated/callbacks.hpp>

namespace netcl {
inline namespace NETCL_HPP_MODE {

inline returns<netcl::device> device_ref::share() const {
  const netcl_status status = netcl_device_retain(raw());
  returns<netcl::device> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<uint32_t> device_ref::count() {
  returns<uint32_t> out{};
  detail::settle(out, netcl_device_count(detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::device_info> device_ref::describe(uint32_t index) {
  returns<netcl::device_info> out{};
  detail::settle(out, netcl_device_describe(index, detail::place(detail::value(out))));
  return out;
}

inline returns<std::string> device_ref::diagnose() {
  return detail::read_text([&](auto* list, size_t capacity, size_t* count) {
    return netcl_device_diagnose(list, capacity, count);
  });
}

inline returns<netcl::device> device_ref::open(netcl::text selector,
                                               const netcl_device_options* options) {
  returns<netcl::device> out{};
  detail::settle(out, netcl_device_open(selector.c_str(), options,
                                        detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::device> device_ref::open_from_cl(struct _cl_context* context,
                                                       struct _cl_device_id* device_id,
                                                       struct _cl_command_queue* queue,
                                                       const netcl_device_options* options) {
  returns<netcl::device> out{};
  detail::settle(out, netcl_device_open_from_cl(context, device_id, queue, options,
                                                detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::device_info> device_ref::info() const {
  returns<netcl::device_info> out{};
  detail::settle(out, netcl_device_get_info(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::device_capabilities> device_ref::capabilities() const {
  returns<netcl::device_capabilities> out{};
  detail::settle(out, netcl_device_get_capabilities(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<void> device_ref::finish(netcl::timeout timeout) const {
  return detail::done(netcl_device_finish(raw(), timeout.count()));
}

inline returns<std::tuple<std::vector<uint64_t>, std::vector<uint64_t>>> device_ref::suggest_local_size(
    netcl::view<uint64_t> global) const {
  returns<std::tuple<std::vector<uint64_t>, std::vector<uint64_t>>> out{};
  std::get<0>(detail::value(out)).resize(global.size());
  std::get<1>(detail::value(out)).resize(global.size());
  detail::settle(out, netcl_device_suggest_local_size(
      raw(), global.data(), global.count(), detail::place(std::get<0>(detail::value(out))),
      detail::place(std::get<1>(detail::value(out)))));
  return out;
}

inline returns<netcl::copy_explanation> device_ref::explain_copy(netcl::device_ref to) const {
  returns<netcl::copy_explanation> out{};
  detail::settle(out, netcl_device_explain_copy(raw(), to.raw(),
                                                detail::place(detail::value(out))));
  return out;
}

inline returns<struct _cl_context *> device_ref::cl_context() const {
  returns<struct _cl_context *> out{};
  detail::settle(out, netcl_device_get_cl_context(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<struct _cl_device_id *> device_ref::cl_device() const {
  returns<struct _cl_device_id *> out{};
  detail::settle(out, netcl_device_get_cl_device(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::queue> device_ref::queue() const {
  returns<netcl::queue> out{};
  detail::settle(out, netcl_device_get_queue(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<void> device_ref::push() const {
  return detail::done(netcl_device_push(raw()));
}

inline returns<void> device_ref::pop() {
  return detail::done(netcl_device_pop());
}

inline returns<netcl::device> device_ref::current() {
  returns<netcl::device> out{};
  detail::settle(out, netcl_device_current(detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::pool> device_ref::pool(netcl::pool_kind kind) const {
  returns<netcl::pool> out{};
  detail::settle(out, netcl_device_get_pool(raw(), static_cast<netcl_pool_kind>(kind),
                                            detail::place(detail::value(out))));
  return out;
}

inline returns<std::string> device_ref::part() const {
  return detail::read_text([&](auto* list, size_t capacity, size_t* count) {
    return netcl_device_get_part(raw(), list, capacity, count);
  });
}

inline returns<netcl::match> device_ref::match_record(const netcl_tuning_record* record) const {
  returns<netcl::match> out{};
  detail::settle(out, netcl_device_match_record(raw(), record, detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::queue> queue_ref::share() const {
  const netcl_status status = netcl_queue_retain(raw());
  returns<netcl::queue> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::queue> queue_ref::create(netcl::device_ref device,
                                               const netcl_queue_options* options) {
  returns<netcl::queue> out{};
  detail::settle(out, netcl_queue_create(device.raw(), options, detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::queue> queue_ref::create_from_cl(netcl::device_ref device,
                                                       struct _cl_command_queue* cl_queue) {
  returns<netcl::queue> out{};
  detail::settle(out, netcl_queue_create_from_cl(device.raw(), cl_queue,
                                                 detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::queue_info> queue_ref::info() const {
  returns<netcl::queue_info> out{};
  detail::settle(out, netcl_queue_get_info(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::device> queue_ref::device() const {
  returns<netcl::device> out{};
  detail::settle(out, netcl_queue_get_device(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<void> queue_ref::set_profiling(bool enabled) const {
  return detail::done(netcl_queue_set_profiling(raw(), enabled ? 1u : 0u));
}

inline returns<void> queue_ref::flush() const {
  return detail::done(netcl_queue_flush(raw()));
}

inline returns<void> queue_ref::finish(netcl::timeout timeout) const {
  return detail::done(netcl_queue_finish(raw(), timeout.count()));
}

inline returns<netcl::event> queue_ref::enqueue_marker(netcl::view<netcl::event_ref> waits) const {
  returns<netcl::event> out{};
  detail::settle(out, netcl_queue_enqueue_marker(raw(), waits.as<netcl_event *>(), waits.count(),
                                                 detail::place(detail::value(out))));
  return out;
}

inline returns<struct _cl_command_queue *> queue_ref::cl_queue() const {
  returns<struct _cl_command_queue *> out{};
  detail::settle(out, netcl_queue_get_cl_queue(raw(), detail::place(detail::value(out))));
  return out;
}

template <class F>
returns<netcl::statistics> queue_ref::time(F&& work,
                                           const netcl_measurement_options* options) const {
  detail::scoped<std::remove_reference_t<F>> work_scoped{work};
  returns<netcl::statistics> out{};
  const netcl_status status = netcl_queue_time(raw(),
                                               detail::work_fn<std::remove_reference_t<F>>::call,
                                               &work_scoped, options,
                                               detail::place(detail::value(out)));
  work_scoped.rethrow();
  detail::settle(out, status);
  return out;
}

inline returns<netcl::event> event_ref::share() const {
  const netcl_status status = netcl_event_retain(raw());
  returns<netcl::event> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::event> event_ref::create_from_cl(netcl::device_ref device,
                                                       struct _cl_event* cl_event) {
  returns<netcl::event> out{};
  detail::settle(out, netcl_event_create_from_cl(device.raw(), cl_event,
                                                 detail::place(detail::value(out))));
  return out;
}

inline returns<void> event_ref::wait(netcl::timeout timeout) const {
  return detail::done(netcl_event_wait(raw(), timeout.count()));
}

inline returns<netcl::event_state> event_ref::query() const {
  returns<netcl::event_state> out{};
  detail::settle(out, netcl_event_query(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::event_timing> event_ref::timing() const {
  returns<netcl::event_timing> out{};
  detail::settle(out, netcl_event_get_timing(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::error_info> event_ref::error() const {
  returns<netcl::error_info> out{};
  detail::settle(out, netcl_event_get_error(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<struct _cl_event *> event_ref::cl_event() const {
  returns<struct _cl_event *> out{};
  detail::settle(out, netcl_event_get_cl_event(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::pool> pool_ref::share() const {
  const netcl_status status = netcl_pool_retain(raw());
  returns<netcl::pool> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::pool> pool_ref::create(netcl::device_ref device,
                                             const netcl_pool_options* options) {
  returns<netcl::pool> out{};
  detail::settle(out, netcl_pool_create(device.raw(), options, detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::pool_info> pool_ref::info() const {
  returns<netcl::pool_info> out{};
  detail::settle(out, netcl_pool_get_info(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<std::vector<netcl::pool_bucket>> pool_ref::buckets() const {
  return detail::read_list<std::vector<netcl::pool_bucket>, uint32_t>([&](
      auto* list, uint32_t capacity, uint32_t* count) {
    return netcl_pool_get_buckets(raw(), list, capacity, count);
  });
}

inline returns<void> pool_ref::trim(uint64_t keep_bytes) const {
  return detail::done(netcl_pool_trim(raw(), keep_bytes));
}

inline returns<netcl::buffer> pool_ref::allocate(uint64_t bytes) const {
  returns<netcl::buffer> out{};
  detail::settle(out, netcl_pool_allocate(raw(), bytes, detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::buffer> buffer_ref::share() const {
  const netcl_status status = netcl_buffer_retain(raw());
  returns<netcl::buffer> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::buffer> buffer_ref::create_pinned(netcl::device_ref device, uint64_t bytes) {
  returns<netcl::buffer> out{};
  detail::settle(out, netcl_buffer_create_pinned(device.raw(), bytes,
                                                 detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::buffer> buffer_ref::create_zero_copy(netcl::device_ref device,
                                                           netcl::bytes_out data) {
  returns<netcl::buffer> out{};
  detail::settle(out, netcl_buffer_create_zero_copy(device.raw(), data.data(), data.size(),
                                                    detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::buffer_info> buffer_ref::info() const {
  returns<netcl::buffer_info> out{};
  detail::settle(out, netcl_buffer_get_info(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<struct _cl_mem *> buffer_ref::cl_mem() const {
  returns<struct _cl_mem *> out{};
  detail::settle(out, netcl_buffer_get_cl_mem(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::shared_memory> buffer_ref::export_() const {
  returns<netcl::shared_memory> out{};
  detail::settle(out, netcl_buffer_export(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::buffer> buffer_ref::import_(netcl::device_ref device,
                                                  const netcl_shared_memory* memory) {
  returns<netcl::buffer> out{};
  detail::settle(out, netcl_buffer_import(device.raw(), memory, detail::place(detail::value(out))));
  return out;
}

inline returns<uint64_t> buffer_ref::cuda_address() const {
  returns<uint64_t> out{};
  detail::settle(out, netcl_buffer_get_cuda_address(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::tensor> tensor_ref::share() const {
  const netcl_status status = netcl_tensor_retain(raw());
  returns<netcl::tensor> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::tensor> tensor_ref::create(netcl::device_ref device, netcl::dtype dtype,
                                                 const netcl::layout& shape,
                                                 const netcl_tensor_options* options) {
  if (!shape.sound()) {
    return detail::failed<netcl::tensor>(
        detail::refuse(NETCL_ERROR_INVALID_ARGUMENT,
                       "strides has another number of entries than shape"));
  }
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_tensor_create(device.raw(), static_cast<netcl_dtype>(dtype),
                                          shape.rank(), shape.shape(), shape.strides(), options,
                                          detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::tensor> tensor_ref::create_zeros(netcl::device_ref device, netcl::dtype dtype,
                                                       const netcl::layout& shape,
                                                       const netcl_tensor_options* options) {
  if (!shape.sound()) {
    return detail::failed<netcl::tensor>(
        detail::refuse(NETCL_ERROR_INVALID_ARGUMENT,
                       "strides has another number of entries than shape"));
  }
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_tensor_create_zeros(device.raw(), static_cast<netcl_dtype>(dtype),
                                                shape.rank(), shape.shape(), shape.strides(),
                                                options, detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::tensor> tensor_ref::create_full(netcl::device_ref device, netcl::dtype dtype,
                                                      const netcl::layout& shape,
                                                      const netcl::scalar& value,
                                                      const netcl_tensor_options* options) {
  detail::element value_element;
  if (!shape.sound()) {
    return detail::failed<netcl::tensor>(
        detail::refuse(NETCL_ERROR_INVALID_ARGUMENT,
                       "strides has another number of entries than shape"));
  }
  if (const netcl_status status = value_element.take("value", value, dtype); status != NETCL_OK) {
    return detail::failed<netcl::tensor>(status);
  }
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_tensor_create_full(device.raw(), static_cast<netcl_dtype>(dtype),
                                               shape.rank(), shape.shape(), shape.strides(),
                                               value_element.data(), options,
                                               detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::tensor> tensor_ref::create_random(netcl::device_ref device,
                                                        netcl::dtype dtype,
                                                        const netcl::layout& shape,
                                                        const netcl_random_options* random,
                                                        const netcl_tensor_options* options) {
  if (!shape.sound()) {
    return detail::failed<netcl::tensor>(
        detail::refuse(NETCL_ERROR_INVALID_ARGUMENT,
                       "strides has another number of entries than shape"));
  }
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_tensor_create_random(device.raw(), static_cast<netcl_dtype>(dtype),
                                                 shape.rank(), shape.shape(), shape.strides(),
                                                 random, options,
                                                 detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::tensor> tensor_ref::create_from_host(netcl::device_ref device,
                                                           netcl::dtype dtype,
                                                           const netcl::layout& shape,
                                                           netcl::bytes_in data,
                                                           const netcl_tensor_options* options) {
  if (!shape.sound()) {
    return detail::failed<netcl::tensor>(
        detail::refuse(NETCL_ERROR_INVALID_ARGUMENT,
                       "strides has another number of entries than shape"));
  }
  if (const netcl_status status = detail::check_data("data", data.element(), dtype); status != NETCL_OK) {
    return detail::failed<netcl::tensor>(status);
  }
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_tensor_create_from_host(device.raw(), static_cast<netcl_dtype>(dtype),
                                                    shape.rank(), shape.shape(), shape.strides(),
                                                    data.data(), data.size(), options,
                                                    detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::tensor> tensor_ref::create_from_buffer(netcl::buffer_ref buffer,
                                                             uint64_t offset_bytes,
                                                             netcl::dtype dtype,
                                                             const netcl::layout& shape) {
  if (!shape.sound()) {
    return detail::failed<netcl::tensor>(
        detail::refuse(NETCL_ERROR_INVALID_ARGUMENT,
                       "strides has another number of entries than shape"));
  }
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_tensor_create_from_buffer(buffer.raw(), offset_bytes,
                                                      static_cast<netcl_dtype>(dtype), shape.rank(),
                                                      shape.shape(), shape.strides(),
                                                      detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::tensor> tensor_ref::create_from_cl(netcl::device_ref device,
                                                         struct _cl_mem* mem, uint64_t offset_bytes,
                                                         netcl::dtype dtype,
                                                         const netcl::layout& shape,
                                                         const netcl_tensor_options* options) {
  if (!shape.sound()) {
    return detail::failed<netcl::tensor>(
        detail::refuse(NETCL_ERROR_INVALID_ARGUMENT,
                       "strides has another number of entries than shape"));
  }
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_tensor_create_from_cl(device.raw(), mem, offset_bytes,
                                                  static_cast<netcl_dtype>(dtype), shape.rank(),
                                                  shape.shape(), shape.strides(), options,
                                                  detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::tensor> tensor_ref::create_from_dlpack(netcl::device_ref device,
                                                             struct DLManagedTensor* managed,
                                                             const netcl_tensor_options* options) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_tensor_create_from_dlpack(device.raw(), managed, options,
                                                      detail::place(detail::value(out))));
  return out;
}

inline returns<struct DLManagedTensor *> tensor_ref::to_dlpack(netcl::timeout timeout) const {
  returns<struct DLManagedTensor *> out{};
  detail::settle(out, netcl_tensor_to_dlpack(raw(), timeout.count(),
                                             detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::tensor> tensor_ref::load_npy(netcl::device_ref device, netcl::text path,
                                                   const netcl_tensor_options* options) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_tensor_load_npy(device.raw(), path.c_str(), options,
                                            detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::tensor> tensor_ref::create_from_npy(netcl::device_ref device,
                                                          netcl::bytes_in data,
                                                          const netcl_tensor_options* options) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_tensor_create_from_npy(device.raw(), data.data(), data.size(), options,
                                                   detail::place(detail::value(out))));
  return out;
}

inline returns<void> tensor_ref::save_npy(netcl::text path, netcl::timeout timeout) const {
  return detail::done(netcl_tensor_save_npy(raw(), path.c_str(), timeout.count()));
}

inline returns<netcl::tensor_info> tensor_ref::info() const {
  returns<netcl::tensor_info> out{};
  detail::settle(out, netcl_tensor_get_info(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::device> tensor_ref::device() const {
  returns<netcl::device> out{};
  detail::settle(out, netcl_tensor_get_device(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::buffer> tensor_ref::buffer() const {
  returns<netcl::buffer> out{};
  detail::settle(out, netcl_tensor_get_buffer(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::tensor> tensor_ref::slice(netcl::view<netcl::range> ranges) const {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_tensor_slice(raw(), ranges.as<netcl_range>(), ranges.count(),
                                         detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::tensor> tensor_ref::permute(netcl::view<uint32_t> axes) const {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_tensor_permute(raw(), axes.data(), axes.count(),
                                           detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::tensor> tensor_ref::broadcast(netcl::view<int64_t> shape) const {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_tensor_broadcast(raw(), shape.count(), shape.data(),
                                             detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::tensor> tensor_ref::view(const netcl::layout& shape, int64_t offset) const {
  if (!shape.sound()) {
    return detail::failed<netcl::tensor>(
        detail::refuse(NETCL_ERROR_INVALID_ARGUMENT,
                       "strides has another number of entries than shape"));
  }
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_tensor_view(raw(), shape.rank(), shape.shape(), shape.strides(), offset,
                                        detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::tensor> tensor_ref::reshape(netcl::view<int64_t> shape,
                                                  const netcl_run_options* run) const {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_tensor_reshape(raw(), shape.count(), shape.data(), run,
                                           detail::place(detail::value(out))));
  return out;
}

inline returns<void> tensor_ref::read(netcl::bytes_out data, const netcl_transfer_options* options,
                                      netcl::timeout timeout) const {
  if (const netcl_status status = detail::check_data("data", data.element(), raw()); status != NETCL_OK) {
    return detail::failed<void>(status);
  }
  return detail::done(netcl_tensor_read(raw(), data.data(), data.size(), options, timeout.count()));
}

inline returns<void> tensor_ref::write(netcl::bytes_in data, const netcl_transfer_options* options,
                                       netcl::timeout timeout) const {
  if (const netcl_status status = detail::check_data("data", data.element(), raw()); status != NETCL_OK) {
    return detail::failed<void>(status);
  }
  return detail::done(netcl_tensor_write(raw(), data.data(), data.size(), options,
                                         timeout.count()));
}

inline returns<void> tensor_ref::wait(netcl::timeout timeout) const {
  return detail::done(netcl_tensor_wait(raw(), timeout.count()));
}

inline returns<std::vector<netcl::tensor>> tensor_ref::split(int32_t axis,
                                                             netcl::view<int64_t> sizes) const {
  returns<std::vector<netcl::tensor>> out{};
  detail::value(out).resize(sizes.size());
  detail::settle(out, netcl_tensor_split(raw(), axis, sizes.data(), sizes.count(),
                                         detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::kernel> kernel_ref::share() const {
  const netcl_status status = netcl_kernel_retain(raw());
  returns<netcl::kernel> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::kernel> kernel_ref::create(netcl::device_ref device, netcl::text name,
                                                 const netcl_kernel_options* options) {
  returns<netcl::kernel> out{};
  detail::settle(out, netcl_kernel_create(device.raw(), name.c_str(), options,
                                          detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::kernel> kernel_ref::create_elementwise(netcl::device_ref device,
                                                             netcl::text name, uint32_t arity,
                                                             netcl::text expression,
                                                             netcl::dtype dtype) {
  returns<netcl::kernel> out{};
  detail::settle(out, netcl_kernel_create_elementwise(device.raw(), name.c_str(), arity,
                                                      expression.c_str(),
                                                      static_cast<netcl_dtype>(dtype),
                                                      detail::place(detail::value(out))));
  return out;
}

inline returns<void> kernel_ref::build() const {
  return detail::done(netcl_kernel_build(raw()));
}

inline returns<netcl::kernel_info> kernel_ref::info() const {
  returns<netcl::kernel_info> out{};
  detail::settle(out, netcl_kernel_get_info(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::kernel_arg_info> kernel_ref::arg_info(uint32_t index) const {
  returns<netcl::kernel_arg_info> out{};
  detail::settle(out, netcl_kernel_get_arg_info(raw(), index, detail::place(detail::value(out))));
  return out;
}

inline returns<std::string> kernel_ref::source() const {
  return detail::read_text([&](auto* list, size_t capacity, size_t* count) {
    return netcl_kernel_get_source(raw(), list, capacity, count);
  });
}

inline returns<std::string> kernel_ref::build_log() const {
  return detail::read_text([&](auto* list, size_t capacity, size_t* count) {
    return netcl_kernel_get_build_log(raw(), list, capacity, count);
  });
}

inline returns<std::vector<unsigned char>> kernel_ref::binary() const {
  return detail::read_list<std::vector<unsigned char>, size_t>([&](
      auto* list, size_t capacity, size_t* count) {
    return netcl_kernel_get_binary(raw(), list, capacity, count);
  });
}

inline returns<uint64_t> kernel_ref::shape_signature(netcl::view<netcl::tensor_ref> inputs,
                                                     netcl::view<netcl::tensor_ref> outputs) {
  returns<uint64_t> out{};
  detail::settle(out, netcl_kernel_shape_signature(inputs.as<netcl_tensor *>(), inputs.count(),
                                                   outputs.as<netcl_tensor *>(), outputs.count(),
                                                   detail::place(detail::value(out))));
  return out;
}

inline returns<void> kernel_ref::register_() const {
  return detail::done(netcl_kernel_register(raw()));
}

inline returns<void> kernel_ref::unregister(netcl::device_ref device, netcl::text name,
                                            uint64_t shape_signature) {
  return detail::done(netcl_kernel_unregister(device.raw(), name.c_str(), shape_signature));
}

inline returns<netcl::kernel> kernel_ref::find(netcl::device_ref device, netcl::text name,
                                               uint64_t shape_signature) {
  returns<netcl::kernel> out{};
  detail::settle(out, netcl_kernel_find(device.raw(), name.c_str(), shape_signature,
                                        detail::place(detail::value(out))));
  return out;
}

inline returns<void> kernel_ref::launch(netcl::view<uint64_t> global, netcl::view<uint64_t> local,
                                        netcl::view<netcl::arg> args,
                                        const netcl_launch_options* options,
                                        const netcl_run_options* run) const {
  return detail::done(netcl_kernel_launch(raw(), global.data(), global.count(), local.data(),
                                          local.count(), args.as<netcl_arg>(), args.count(),
                                          options, run));
}

inline returns<netcl::launch_explanation> kernel_ref::explain_launch(
    netcl::view<uint64_t> global, netcl::view<uint64_t> local, netcl::view<netcl::arg> args,
    const netcl_launch_options* options) const {
  returns<netcl::launch_explanation> out{};
  detail::settle(out, netcl_kernel_explain_launch(raw(), global.data(), global.count(),
                                                  local.data(), local.count(), args.as<netcl_arg>(),
                                                  args.count(), options,
                                                  detail::place(detail::value(out))));
  return out;
}

inline returns<void> kernel_ref::launch_by_name(netcl::device_ref device, netcl::text name,
                                                uint64_t shape_signature,
                                                netcl::view<uint64_t> global,
                                                netcl::view<uint64_t> local,
                                                netcl::view<netcl::arg> args,
                                                const netcl_launch_options* options,
                                                const netcl_run_options* run) {
  return detail::done(netcl_kernel_launch_by_name(device.raw(), name.c_str(), shape_signature,
                                                  global.data(), global.count(), local.data(),
                                                  local.count(), args.as<netcl_arg>(), args.count(),
                                                  options, run));
}

inline returns<std::tuple<std::array<uint64_t, 2>, netcl::kernel>> kernel_ref::create_matmul(
    netcl::device_ref device, netcl::text name, int64_t m, int64_t n, int64_t k, netcl::dtype dtype,
    const netcl_variant_config* config) {
  returns<std::tuple<std::array<uint64_t, 2>, netcl::kernel>> out{};
  detail::settle(out, netcl_kernel_create_matmul(device.raw(), name.c_str(), m, n, k,
                                                 static_cast<netcl_dtype>(dtype), config,
                                                 detail::place(std::get<0>(detail::value(out))),
                                                 detail::place(std::get<1>(detail::value(out)))));
  return out;
}

inline returns<netcl::statistics> kernel_ref::time(netcl::view<uint64_t> global,
                                                   netcl::view<uint64_t> local,
                                                   netcl::view<netcl::arg> args,
                                                   const netcl_launch_options* launch,
                                                   const netcl_run_options* run,
                                                   const netcl_measurement_options* options) const {
  returns<netcl::statistics> out{};
  detail::settle(out, netcl_kernel_time(raw(), global.data(), global.count(), local.data(),
                                        local.count(), args.as<netcl_arg>(), args.count(), launch,
                                        run, options, detail::place(detail::value(out))));
  return out;
}

inline returns<std::tuple<netcl::config, netcl::search>> kernel_ref::autotune(
    netcl::view<uint64_t> global, netcl::view<netcl::arg> args, const netcl_kernel_tuning* tuning,
    const netcl_tuner_options* options) const {
  returns<std::tuple<netcl::config, netcl::search>> out{};
  detail::settle(out, netcl_kernel_autotune(raw(), global.data(), global.count(),
                                            args.as<netcl_arg>(), args.count(), tuning, options,
                                            detail::place(std::get<0>(detail::value(out))),
                                            detail::place(std::get<1>(detail::value(out)))));
  return out;
}

inline returns<netcl::expression> expression_ref::share() const {
  const netcl_status status = netcl_expression_retain(raw());
  returns<netcl::expression> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::expression> expression_ref::create(netcl::text text) {
  returns<netcl::expression> out{};
  detail::settle(out, netcl_expression_create(text.c_str(), detail::place(detail::value(out))));
  return out;
}

inline returns<uint32_t> expression_ref::arity() const {
  returns<uint32_t> out{};
  detail::settle(out, netcl_expression_get_arity(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<std::string> expression_ref::text() const {
  return detail::read_text([&](auto* list, size_t capacity, size_t* count) {
    return netcl_expression_get_text(raw(), list, capacity, count);
  });
}

inline returns<netcl::expression> expression_ref::differentiate(uint32_t input) const {
  returns<netcl::expression> out{};
  detail::settle(out, netcl_expression_differentiate(raw(), input,
                                                     detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::measurement> measurement_ref::share() const {
  const netcl_status status = netcl_measurement_retain(raw());
  returns<netcl::measurement> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::measurement> measurement_ref::create(
    netcl::queue_ref queue, const netcl_measurement_options* options) {
  returns<netcl::measurement> out{};
  detail::settle(out, netcl_measurement_create(queue.raw(), options,
                                               detail::place(detail::value(out))));
  return out;
}

inline returns<std::tuple<uint32_t, uint64_t>> measurement_ref::next() const {
  returns<std::tuple<uint32_t, uint64_t>> out{};
  detail::settle(out, netcl_measurement_next(raw(), detail::place(std::get<0>(detail::value(out))),
                                             detail::place(std::get<1>(detail::value(out)))));
  return out;
}

inline returns<netcl::statistics> measurement_ref::statistics(uint32_t candidate) const {
  returns<netcl::statistics> out{};
  detail::settle(out, netcl_measurement_get_statistics(raw(), candidate,
                                                       detail::place(detail::value(out))));
  return out;
}

inline returns<std::vector<double>> measurement_ref::samples(uint32_t candidate) const {
  return detail::read_list<std::vector<double>, uint64_t>([&](
      auto* list, uint64_t capacity, uint64_t* count) {
    return netcl_measurement_get_samples(raw(), candidate, list, capacity, count);
  });
}

inline returns<netcl::comparison> measurement_ref::compare(uint32_t first, uint32_t second) const {
  returns<netcl::comparison> out{};
  detail::settle(out, netcl_measurement_compare(raw(), first, second,
                                                detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::timer> timer_ref::share() const {
  const netcl_status status = netcl_timer_retain(raw());
  returns<netcl::timer> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::timer> timer_ref::create(netcl::queue_ref queue) {
  returns<netcl::timer> out{};
  detail::settle(out, netcl_timer_create(queue.raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<void> timer_ref::start() const {
  return detail::done(netcl_timer_start(raw()));
}

inline returns<netcl::elapsed> timer_ref::stop(netcl::timeout timeout) const {
  returns<netcl::elapsed> out{};
  detail::settle(out, netcl_timer_stop(raw(), timeout.count(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::region> region_ref::share() const {
  const netcl_status status = netcl_region_retain(raw());
  returns<netcl::region> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::region> region_ref::begin(netcl::queue_ref queue, netcl::region_ref parent,
                                                netcl::text name) {
  returns<netcl::region> out{};
  detail::settle(out, netcl_region_begin(queue.raw(), parent.raw(), name.c_str(),
                                         detail::place(detail::value(out))));
  return out;
}

inline returns<void> region_ref::end() const {
  return detail::done(netcl_region_end(raw()));
}

inline returns<void> region_ref::annotate(double bytes, double operations) const {
  return detail::done(netcl_region_annotate(raw(), bytes, operations));
}

inline returns<void> region_ref::push(netcl::queue_ref queue, netcl::text name) {
  return detail::done(netcl_region_push(queue.raw(), name.c_str()));
}

inline returns<void> region_ref::pop() {
  return detail::done(netcl_region_pop());
}

inline returns<netcl::roofline> roofline_ref::share() const {
  const netcl_status status = netcl_roofline_retain(raw());
  returns<netcl::roofline> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::roofline> roofline_ref::create(const netcl_roofline_options* options) {
  returns<netcl::roofline> out{};
  detail::settle(out, netcl_roofline_create(options, detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::roofline_result> roofline_ref::analyze_metrics(
    netcl::view<netcl::text> names, netcl::view<double> values) const {
  if (!(names.size() == values.size())) {
    return detail::failed<netcl::roofline_result>(
        detail::refuse(NETCL_ERROR_INVALID_ARGUMENT,
                       "values has another number of entries than names"));
  }
  returns<netcl::roofline_result> out{};
  detail::settle(out, netcl_roofline_analyze_metrics(raw(), names.as<const char *>(), values.data(),
                                                     names.count(),
                                                     detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::roofline_result> roofline_ref::analyze_ncu(
    std::string_view text, const netcl_ncu_options* options) const {
  returns<netcl::roofline_result> out{};
  detail::settle(out, netcl_roofline_analyze_ncu(raw(), text.data(), text.size(), options,
                                                 detail::place(detail::value(out))));
  return out;
}

inline returns<bool> roofline_ref::should_stop(const netcl_roofline_result* result) const {
  returns<bool> out{};
  detail::settle(out, netcl_roofline_should_stop(raw(), result, detail::place(detail::value(out))));
  return out;
}

inline returns<std::string> roofline_ref::reason() const {
  return detail::read_text([&](auto* list, size_t capacity, size_t* count) {
    return netcl_roofline_get_reason(raw(), list, capacity, count);
  });
}

inline returns<void> roofline_ref::reset_history() const {
  return detail::done(netcl_roofline_reset_history(raw()));
}

inline returns<std::string> roofline_ref::format(const netcl_roofline_result* result,
                                                 netcl::format format) {
  return detail::read_text([&](auto* list, size_t capacity, size_t* count) {
    return netcl_roofline_format(result, static_cast<netcl_format>(format), list, capacity, count);
  });
}

inline returns<netcl::roofline_result> roofline_ref::analyze_time(
    netcl::ceilings_ref ceilings, double time_ns, const netcl_work* work) const {
  returns<netcl::roofline_result> out{};
  detail::settle(out, netcl_roofline_analyze_time(raw(), ceilings.raw(), time_ns, work,
                                                  detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::roofline_result> roofline_ref::analyze_statistics(
    netcl::ceilings_ref ceilings, const netcl_statistics* statistics) const {
  returns<netcl::roofline_result> out{};
  detail::settle(out, netcl_roofline_analyze_statistics(raw(), ceilings.raw(), statistics,
                                                        detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::ceilings> ceilings_ref::share() const {
  const netcl_status status = netcl_ceilings_retain(raw());
  returns<netcl::ceilings> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::ceilings> ceilings_ref::create() {
  returns<netcl::ceilings> out{};
  detail::settle(out, netcl_ceilings_create(detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::ceilings> ceilings_ref::measure(netcl::device_ref device,
                                                      const netcl_ceilings_options* options) {
  returns<netcl::ceilings> out{};
  detail::settle(out, netcl_ceilings_measure(device.raw(), options,
                                             detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::ceilings> ceilings_ref::load(netcl::text path) {
  returns<netcl::ceilings> out{};
  detail::settle(out, netcl_ceilings_load(path.c_str(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::ceilings_info> ceilings_ref::info() const {
  returns<netcl::ceilings_info> out{};
  detail::settle(out, netcl_ceilings_get_info(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<std::vector<netcl::ceiling>> ceilings_ref::get() const {
  return detail::read_list<std::vector<netcl::ceiling>, uint32_t>([&](
      auto* list, uint32_t capacity, uint32_t* count) {
    return netcl_ceilings_get(raw(), list, capacity, count);
  });
}

inline returns<void> ceilings_ref::set(const netcl::ceiling& row) const {
  return detail::done(netcl_ceilings_set(raw(), &row));
}

inline returns<void> ceilings_ref::save(netcl::text path) const {
  return detail::done(netcl_ceilings_save(raw(), path.c_str()));
}

inline returns<netcl::space> space_ref::share() const {
  const netcl_status status = netcl_space_retain(raw());
  returns<netcl::space> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::space> space_ref::create() {
  returns<netcl::space> out{};
  detail::settle(out, netcl_space_create(detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::space> space_ref::create_from_t1(std::string_view text) {
  returns<netcl::space> out{};
  detail::settle(out, netcl_space_create_from_t1(text.data(), text.size(),
                                                 detail::place(detail::value(out))));
  return out;
}

inline returns<void> space_ref::add_ints(netcl::text name, netcl::view<int64_t> values) const {
  return detail::done(netcl_space_add_ints(raw(), name.c_str(), values.data(), values.count()));
}

inline returns<void> space_ref::add_floats(netcl::text name, netcl::view<double> values) const {
  return detail::done(netcl_space_add_floats(raw(), name.c_str(), values.data(), values.count()));
}

inline returns<void> space_ref::add_bool(netcl::text name) const {
  return detail::done(netcl_space_add_bool(raw(), name.c_str()));
}

inline returns<void> space_ref::add_texts(netcl::text name, netcl::view<netcl::text> values) const {
  return detail::done(netcl_space_add_texts(raw(), name.c_str(), values.as<const char *>(),
                                            values.count()));
}

inline returns<void> space_ref::add_constraint(netcl::text formula) const {
  return detail::done(netcl_space_add_constraint(raw(), formula.c_str()));
}

inline returns<void> space_ref::set_work_size(netcl::text global_size,
                                              netcl::text local_size) const {
  return detail::done(netcl_space_set_work_size(raw(), global_size.c_str(), local_size.c_str()));
}

inline returns<uint64_t> space_ref::count(const netcl_device_capabilities* capabilities) const {
  returns<uint64_t> out{};
  detail::settle(out, netcl_space_get_count(raw(), capabilities,
                                            detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::config> space_ref::config(
    const netcl_device_capabilities* capabilities, uint64_t index) const {
  returns<netcl::config> out{};
  detail::settle(out, netcl_space_get_config(raw(), capabilities, index,
                                             detail::place(detail::value(out))));
  return out;
}

inline returns<std::string> space_ref::explain(
    const netcl_device_capabilities* capabilities, netcl::config_ref config) const {
  return detail::read_text([&](auto* list, size_t capacity, size_t* count) {
    return netcl_space_explain(raw(), capabilities, config.raw(), list, capacity, count);
  });
}

inline returns<netcl::config> config_ref::share() const {
  const netcl_status status = netcl_config_retain(raw());
  returns<netcl::config> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::config> config_ref::create_from_json(std::string_view text) {
  returns<netcl::config> out{};
  detail::settle(out, netcl_config_create_from_json(text.data(), text.size(),
                                                    detail::place(detail::value(out))));
  return out;
}

inline returns<int64_t> config_ref::get_int(netcl::text name) const {
  returns<int64_t> out{};
  detail::settle(out, netcl_config_get_int(raw(), name.c_str(), detail::place(detail::value(out))));
  return out;
}

inline returns<double> config_ref::get_float(netcl::text name) const {
  returns<double> out{};
  detail::settle(out, netcl_config_get_float(raw(), name.c_str(),
                                             detail::place(detail::value(out))));
  return out;
}

inline returns<std::string> config_ref::text(netcl::text name) const {
  return detail::read_text([&](auto* list, size_t capacity, size_t* count) {
    return netcl_config_get_text(raw(), name.c_str(), list, capacity, count);
  });
}

inline returns<std::string> config_ref::json() const {
  return detail::read_text([&](auto* list, size_t capacity, size_t* count) {
    return netcl_config_get_json(raw(), list, capacity, count);
  });
}

inline returns<netcl::tuning_database> tuning_database_ref::share() const {
  const netcl_status status = netcl_tuning_database_retain(raw());
  returns<netcl::tuning_database> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::tuning_database> tuning_database_ref::open(netcl::text path) {
  returns<netcl::tuning_database> out{};
  detail::settle(out, netcl_tuning_database_open(path.c_str(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::tuning_database_info> tuning_database_ref::info() const {
  returns<netcl::tuning_database_info> out{};
  detail::settle(out, netcl_tuning_database_get_info(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<std::tuple<netcl::tuning_record, netcl::config>> tuning_database_ref::lookup(
    netcl::device_ref device, const netcl_tuning_key* key) const {
  returns<std::tuple<netcl::tuning_record, netcl::config>> out{};
  detail::settle(out, netcl_tuning_database_lookup(raw(), device.raw(), key,
                                                   detail::place(std::get<0>(detail::value(out))),
                                                   detail::place(std::get<1>(detail::value(out)))));
  return out;
}

inline returns<void> tuning_database_ref::put(netcl::device_ref device, const netcl_tuning_key* key,
                                              netcl::config_ref config,
                                              const netcl_tuning_record* record) const {
  return detail::done(netcl_tuning_database_put(raw(), device.raw(), key, config.raw(), record));
}

inline returns<void> tuning_database_ref::refresh() const {
  return detail::done(netcl_tuning_database_refresh(raw()));
}

inline returns<std::tuple<netcl::tuning_record, netcl::config>> tuning_database_ref::record(
    uint64_t index) const {
  returns<std::tuple<netcl::tuning_record, netcl::config>> out{};
  detail::settle(out, netcl_tuning_database_get_record(
      raw(), index, detail::place(std::get<0>(detail::value(out))),
      detail::place(std::get<1>(detail::value(out)))));
  return out;
}

inline returns<uint64_t> tuning_database_ref::merge(netcl::text path) const {
  returns<uint64_t> out{};
  detail::settle(out, netcl_tuning_database_merge(raw(), path.c_str(),
                                                  detail::place(detail::value(out))));
  return out;
}

inline returns<void> tuning_database_ref::compact() const {
  return detail::done(netcl_tuning_database_compact(raw()));
}

inline returns<void> tuning_database_ref::clear(netcl::text kernel) const {
  return detail::done(netcl_tuning_database_clear(raw(), kernel.c_str()));
}

inline returns<std::string> tuning_database_ref::export_(netcl::text kernel,
                                                         netcl::format format) const {
  return detail::read_text([&](auto* list, size_t capacity, size_t* count) {
    return netcl_tuning_database_export(raw(), kernel.c_str(), static_cast<netcl_format>(format),
                                        list, capacity, count);
  });
}

inline returns<netcl::search> search_ref::share() const {
  const netcl_status status = netcl_search_retain(raw());
  returns<netcl::search> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::search> search_ref::create(netcl::space_ref space,
                                                 const netcl_device_capabilities* capabilities,
                                                 netcl::config_ref standard,
                                                 const netcl_search_options* options) {
  returns<netcl::search> out{};
  detail::settle(out, netcl_search_create(space.raw(), capabilities, standard.raw(), options,
                                          detail::place(detail::value(out))));
  return out;
}

inline returns<std::tuple<uint32_t, uint64_t, netcl::config>> search_ref::ask() const {
  returns<std::tuple<uint32_t, uint64_t, netcl::config>> out{};
  detail::settle(out, netcl_search_ask(raw(), detail::place(std::get<0>(detail::value(out))),
                                       detail::place(std::get<1>(detail::value(out))),
                                       detail::place(std::get<2>(detail::value(out)))));
  return out;
}

inline returns<void> search_ref::tell(uint32_t candidate, netcl::view<double> samples) const {
  return detail::done(netcl_search_tell(raw(), candidate, samples.data(), samples.count()));
}

inline returns<void> search_ref::tell_failure(uint32_t candidate, netcl::outcome outcome,
                                              netcl::text message) const {
  return detail::done(netcl_search_tell_failure(raw(), candidate,
                                                static_cast<netcl_outcome>(outcome),
                                                message.c_str()));
}

inline returns<void> search_ref::cancel() const {
  return detail::done(netcl_search_cancel(raw()));
}

inline returns<netcl::search_event> search_ref::read_event(uint64_t after,
                                                           netcl::timeout timeout) const {
  returns<netcl::search_event> out{};
  detail::settle(out, netcl_search_read_event(raw(), after, timeout.count(),
                                              detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::search_result> search_ref::result() const {
  returns<netcl::search_result> out{};
  detail::settle(out, netcl_search_get_result(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::config> search_ref::best() const {
  returns<netcl::config> out{};
  detail::settle(out, netcl_search_get_best(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<std::tuple<netcl::search_candidate, netcl::config>> search_ref::candidate(
    uint32_t index) const {
  returns<std::tuple<netcl::search_candidate, netcl::config>> out{};
  detail::settle(out, netcl_search_get_candidate(raw(), index,
                                                 detail::place(std::get<0>(detail::value(out))),
                                                 detail::place(std::get<1>(detail::value(out)))));
  return out;
}

inline returns<std::vector<double>> search_ref::samples(uint32_t index) const {
  return detail::read_list<std::vector<double>, uint64_t>([&](
      auto* list, uint64_t capacity, uint64_t* count) {
    return netcl_search_get_samples(raw(), index, list, capacity, count);
  });
}

inline returns<std::string> search_ref::failure(netcl::outcome outcome) const {
  return detail::read_text([&](auto* list, size_t capacity, size_t* count) {
    return netcl_search_get_failure(raw(), static_cast<netcl_outcome>(outcome), list, capacity,
                                    count);
  });
}

inline returns<netcl::replay_result> search_ref::replay(std::string_view text,
                                                        const netcl_search_options* options) {
  returns<netcl::replay_result> out{};
  detail::settle(out, netcl_search_replay(text.data(), text.size(), options,
                                          detail::place(detail::value(out))));
  return out;
}

inline returns<void> search_ref::store(netcl::tuning_database_ref database,
                                       netcl::device_ref device,
                                       const netcl_tuning_key* key) const {
  return detail::done(netcl_search_store(raw(), database.raw(), device.raw(), key));
}

inline returns<uint64_t> search_ref::resume(netcl::tuning_database_ref database,
                                            netcl::device_ref device,
                                            const netcl_tuning_key* key) const {
  returns<uint64_t> out{};
  detail::settle(out, netcl_search_resume(raw(), database.raw(), device.raw(), key,
                                          detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::tuner> tuner_ref::share() const {
  const netcl_status status = netcl_tuner_retain(raw());
  returns<netcl::tuner> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::tuner> tuner_ref::create(netcl::device_ref device,
                                               const netcl_tuner_options* options) {
  returns<netcl::tuner> out{};
  detail::settle(out, netcl_tuner_create(device.raw(), options, detail::place(detail::value(out))));
  return out;
}

inline returns<void> tuner_ref::add(netcl::kernel_ref kernel, netcl::view<uint64_t> global,
                                    netcl::view<netcl::arg> args,
                                    const netcl_kernel_tuning* tuning) const {
  return detail::done(netcl_tuner_add(raw(), kernel.raw(), global.data(), global.count(),
                                      args.as<netcl_arg>(), args.count(), tuning));
}

inline returns<void> tuner_ref::add_matmul(int64_t batch, int64_t m, int64_t n, int64_t k,
                                           netcl::dtype dtype) const {
  return detail::done(netcl_tuner_add_matmul(raw(), batch, m, n, k,
                                             static_cast<netcl_dtype>(dtype)));
}

inline returns<void> tuner_ref::add_conv2d(const netcl_conv2d_shape* shape,
                                           netcl::dtype dtype) const {
  return detail::done(netcl_tuner_add_conv2d(raw(), shape, static_cast<netcl_dtype>(dtype)));
}

inline returns<void> tuner_ref::add_reduction(int64_t outputs, int64_t count,
                                              netcl::dtype dtype) const {
  return detail::done(netcl_tuner_add_reduction(raw(), outputs, count,
                                                static_cast<netcl_dtype>(dtype)));
}

inline returns<void> tuner_ref::run() const {
  return detail::done(netcl_tuner_run(raw()));
}

inline returns<void> tuner_ref::cancel() const {
  return detail::done(netcl_tuner_cancel(raw()));
}

inline returns<netcl::search_event> tuner_ref::read_event(uint64_t after,
                                                          netcl::timeout timeout) const {
  returns<netcl::search_event> out{};
  detail::settle(out, netcl_tuner_read_event(raw(), after, timeout.count(),
                                             detail::place(detail::value(out))));
  return out;
}

inline returns<uint32_t> tuner_ref::count() const {
  returns<uint32_t> out{};
  detail::settle(out, netcl_tuner_get_count(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<std::tuple<netcl::tuner_result, netcl::config>> tuner_ref::result(
    uint32_t index) const {
  returns<std::tuple<netcl::tuner_result, netcl::config>> out{};
  detail::settle(out, netcl_tuner_get_result(raw(), index,
                                             detail::place(std::get<0>(detail::value(out))),
                                             detail::place(std::get<1>(detail::value(out)))));
  return out;
}

inline returns<netcl::search> tuner_ref::search(uint32_t index) const {
  returns<netcl::search> out{};
  detail::settle(out, netcl_tuner_get_search(raw(), index, detail::place(detail::value(out))));
  return out;
}

inline returns<std::tuple<netcl::match, netcl::config>> tuner_ref::lookup(
    netcl::text name, netcl::view<uint64_t> global) const {
  returns<std::tuple<netcl::match, netcl::config>> out{};
  detail::settle(out, netcl_tuner_lookup(raw(), name.c_str(), global.data(), global.count(),
                                         detail::place(std::get<0>(detail::value(out))),
                                         detail::place(std::get<1>(detail::value(out)))));
  return out;
}

inline returns<void> tuner_ref::save(netcl::text path) const {
  return detail::done(netcl_tuner_save(raw(), path.c_str()));
}

inline returns<void> tuner_ref::load(netcl::text path) const {
  return detail::done(netcl_tuner_load(raw(), path.c_str()));
}

inline returns<void> tuner_ref::clear() const {
  return detail::done(netcl_tuner_clear(raw()));
}

inline returns<netcl::benchmark> benchmark_ref::share() const {
  const netcl_status status = netcl_benchmark_retain(raw());
  returns<netcl::benchmark> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::benchmark> benchmark_ref::create(netcl::device_ref device,
                                                       const netcl_benchmark_options* options) {
  returns<netcl::benchmark> out{};
  detail::settle(out, netcl_benchmark_create(device.raw(), options,
                                             detail::place(detail::value(out))));
  return out;
}

inline returns<void> benchmark_ref::add_tensor(const netcl_benchmark_tensor* tensor) const {
  return detail::done(netcl_benchmark_add_tensor(raw(), tensor));
}

inline returns<void> benchmark_ref::add_scalar(netcl::bytes_in data) const {
  return detail::done(netcl_benchmark_add_scalar(raw(), data.data(), data.size()));
}

inline returns<void> benchmark_ref::add_local(uint64_t bytes) const {
  return detail::done(netcl_benchmark_add_local(raw(), bytes));
}

inline returns<netcl::tensor> benchmark_ref::tensor(uint32_t index) const {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_benchmark_get_tensor(raw(), index, detail::place(detail::value(out))));
  return out;
}

inline returns<void> benchmark_ref::prepare(uint32_t round) const {
  return detail::done(netcl_benchmark_prepare(raw(), round));
}

inline returns<void> benchmark_ref::keep(uint32_t round) const {
  return detail::done(netcl_benchmark_keep(raw(), round));
}

template <class F>
returns<netcl::statistics> benchmark_ref::time_baseline(
    F&& work, const netcl_measurement_options* options) const {
  detail::scoped<std::remove_reference_t<F>> work_scoped{work};
  returns<netcl::statistics> out{};
  const netcl_status status = netcl_benchmark_time_baseline(
      raw(), detail::work_fn<std::remove_reference_t<F>>::call, &work_scoped, options,
      detail::place(detail::value(out)));
  work_scoped.rethrow();
  detail::settle(out, status);
  return out;
}

inline returns<netcl::statistics> benchmark_ref::time_kernel(
    netcl::kernel_ref kernel, netcl::view<uint64_t> global, netcl::view<uint64_t> local,
    const netcl_measurement_options* options) const {
  returns<netcl::statistics> out{};
  detail::settle(out, netcl_benchmark_time_kernel(raw(), kernel.raw(), global.data(),
                                                  global.count(), local.data(), local.count(),
                                                  options, detail::place(detail::value(out))));
  return out;
}

inline returns<void> benchmark_ref::set_baseline(const netcl_statistics* statistics) const {
  return detail::done(netcl_benchmark_set_baseline(raw(), statistics));
}

inline returns<netcl::benchmark_result> benchmark_ref::run(
    const netcl_benchmark_candidate* candidate, const netcl_measurement_options* options) const {
  returns<netcl::benchmark_result> out{};
  detail::settle(out, netcl_benchmark_run(raw(), candidate, options,
                                          detail::place(detail::value(out))));
  return out;
}

inline returns<std::string> benchmark_ref::build_log() const {
  return detail::read_text([&](auto* list, size_t capacity, size_t* count) {
    return netcl_benchmark_get_build_log(raw(), list, capacity, count);
  });
}

inline returns<std::string> benchmark_ref::json() const {
  return detail::read_text([&](auto* list, size_t capacity, size_t* count) {
    return netcl_benchmark_get_json(raw(), list, capacity, count);
  });
}

inline returns<netcl::graph> graph_ref::share() const {
  const netcl_status status = netcl_graph_retain(raw());
  returns<netcl::graph> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::graph> graph_ref::create(netcl::device_ref device,
                                               const netcl_graph_options* options) {
  returns<netcl::graph> out{};
  detail::settle(out, netcl_graph_create(device.raw(), options, detail::place(detail::value(out))));
  return out;
}

inline returns<void> graph_ref::clear() const {
  return detail::done(netcl_graph_clear(raw()));
}

template <class F>
returns<netcl::graph> graph_ref::create_from_function(netcl::device_ref device, F&& function,
                                                      uint32_t outputs,
                                                      const netcl_graph_function_options* options) {
  auto* function_kept = detail::kept<F>::make(std::forward<F>(function));
  if (!function_kept) return detail::failed<netcl::graph>(detail::no_room());
  returns<netcl::graph> out{};
  const netcl_status status = netcl_graph_create_from_function(
      device.raw(), detail::graph_fn<std::decay_t<F>>::call, function_kept,
      detail::kept<F>::destroy, outputs, options, detail::place(detail::value(out)));
  detail::settle(out, status);
  return out;
}

inline returns<netcl::graph_info> graph_ref::info() const {
  returns<netcl::graph_info> out{};
  detail::settle(out, netcl_graph_get_info(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<std::vector<netcl::tensor>> graph_ref::add_gradients(
    netcl::view<netcl::tensor_ref> outputs, netcl::view<netcl::tensor_ref> inputs,
    const netcl_gradients_options* options) const {
  returns<std::vector<netcl::tensor>> out{};
  detail::value(out).resize(inputs.size());
  detail::settle(out, netcl_graph_add_gradients(raw(), outputs.as<netcl_tensor *>(),
                                                outputs.count(), inputs.as<netcl_tensor *>(),
                                                inputs.count(), options,
                                                detail::place(detail::value(out))));
  return out;
}

inline returns<void> graph_ref::compile(netcl::view<netcl::tensor_ref> inputs,
                                        netcl::view<netcl::tensor_ref> outputs,
                                        const netcl_graph_compile_options* options) const {
  return detail::done(netcl_graph_compile(raw(), inputs.as<netcl_tensor *>(), inputs.count(),
                                          outputs.as<netcl_tensor *>(), outputs.count(), options));
}

inline returns<void> graph_ref::run(netcl::view<netcl::tensor_ref> inputs,
                                    netcl::view<netcl::tensor_ref> outputs,
                                    const netcl_run_options* run) const {
  return detail::done(netcl_graph_run(raw(), inputs.as<netcl_tensor *>(), inputs.count(),
                                      outputs.as<netcl_tensor *>(), outputs.count(), run));
}

inline returns<std::vector<netcl::tensor>> graph_ref::evaluate(
    netcl::view<netcl::tensor_ref> inputs, const netcl_run_options* run) const {
  return detail::read_list<std::vector<netcl::tensor>, uint32_t>([&](
      auto* list, uint32_t capacity, uint32_t* count) {
    return netcl_graph_evaluate(raw(), inputs.as<netcl_tensor *>(), inputs.count(), run, list,
                                capacity, count);
  });
}

inline returns<std::string> graph_ref::explain(netcl::graph_format format) const {
  return detail::read_text([&](auto* list, size_t capacity, size_t* count) {
    return netcl_graph_explain(raw(), static_cast<netcl_graph_format>(format), list, capacity, count);
  });
}

inline returns<netcl::group> group_ref::share() const {
  const netcl_status status = netcl_group_retain(raw());
  returns<netcl::group> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::group> group_ref::join(netcl::device_ref device, netcl::text path,
                                             uint32_t index, uint32_t size,
                                             const netcl_group_options* options) {
  returns<netcl::group> out{};
  detail::settle(out, netcl_group_join(device.raw(), path.c_str(), index, size, options,
                                       detail::place(detail::value(out))));
  return out;
}

inline returns<std::vector<netcl::group>> group_ref::create_local(
    netcl::view<netcl::device_ref> devices, const netcl_group_options* options) {
  returns<std::vector<netcl::group>> out{};
  detail::value(out).resize(devices.size());
  detail::settle(out, netcl_group_create_local(devices.as<netcl_device *>(), devices.count(),
                                               options, detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::group> group_ref::create_mpi(netcl::device_ref device, int64_t communicator,
                                                   const netcl_group_options* options) {
  returns<netcl::group> out{};
  detail::settle(out, netcl_group_create_mpi(device.raw(), communicator, options,
                                             detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::group> group_ref::split(netcl::view<uint32_t> colors) const {
  returns<netcl::group> out{};
  detail::settle(out, netcl_group_split(raw(), colors.data(), colors.count(),
                                        detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::group_info> group_ref::info() const {
  returns<netcl::group_info> out{};
  detail::settle(out, netcl_group_get_info(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::device> group_ref::device() const {
  returns<netcl::device> out{};
  detail::settle(out, netcl_group_get_device(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::device_info> group_ref::describe_device(uint32_t index) const {
  returns<netcl::device_info> out{};
  detail::settle(out, netcl_group_describe_device(raw(), index, detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::error_info> group_ref::error() const {
  returns<netcl::error_info> out{};
  detail::settle(out, netcl_group_get_error(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<void> group_ref::barrier(const netcl_run_options* run) const {
  return detail::done(netcl_group_barrier(raw(), run));
}

inline returns<void> group_ref::all_reduce(netcl::tensor_ref input, netcl::tensor_ref output,
                                           netcl::reduction kind,
                                           const netcl_run_options* run) const {
  return detail::done(netcl_group_all_reduce(raw(), input.raw(), output.raw(),
                                             static_cast<netcl_reduction>(kind), run));
}

inline returns<void> group_ref::reduce(netcl::tensor_ref input, netcl::tensor_ref output,
                                       netcl::reduction kind, uint32_t root,
                                       const netcl_run_options* run) const {
  return detail::done(netcl_group_reduce(raw(), input.raw(), output.raw(),
                                         static_cast<netcl_reduction>(kind), root, run));
}

inline returns<void> group_ref::broadcast(netcl::tensor_ref tensor, uint32_t root,
                                          const netcl_run_options* run) const {
  return detail::done(netcl_group_broadcast(raw(), tensor.raw(), root, run));
}

inline returns<void> group_ref::all_gather(netcl::tensor_ref input, netcl::tensor_ref output,
                                           const netcl_run_options* run) const {
  return detail::done(netcl_group_all_gather(raw(), input.raw(), output.raw(), run));
}

inline returns<void> group_ref::gather(netcl::tensor_ref input, netcl::tensor_ref output,
                                       uint32_t root, const netcl_run_options* run) const {
  return detail::done(netcl_group_gather(raw(), input.raw(), output.raw(), root, run));
}

inline returns<void> group_ref::scatter(netcl::tensor_ref input, netcl::tensor_ref output,
                                        uint32_t root, const netcl_run_options* run) const {
  return detail::done(netcl_group_scatter(raw(), input.raw(), output.raw(), root, run));
}

inline returns<void> group_ref::reduce_scatter(netcl::tensor_ref input, netcl::tensor_ref output,
                                               netcl::reduction kind,
                                               const netcl_run_options* run) const {
  return detail::done(netcl_group_reduce_scatter(raw(), input.raw(), output.raw(),
                                                 static_cast<netcl_reduction>(kind), run));
}

inline returns<void> group_ref::all_to_all(netcl::tensor_ref input, netcl::view<int64_t> counts,
                                           netcl::tensor_ref output,
                                           const netcl_run_options* run) const {
  return detail::done(netcl_group_all_to_all(raw(), input.raw(), counts.data(), counts.count(),
                                             output.raw(), run));
}

inline returns<void> group_ref::send(netcl::tensor_ref tensor, uint32_t peer,
                                     const netcl_run_options* run) const {
  return detail::done(netcl_group_send(raw(), tensor.raw(), peer, run));
}

inline returns<void> group_ref::receive(netcl::tensor_ref tensor, uint32_t peer,
                                        const netcl_run_options* run) const {
  return detail::done(netcl_group_receive(raw(), tensor.raw(), peer, run));
}

inline returns<netcl::block_info> group_ref::describe_block(
    uint32_t index, netcl::view<int64_t> shape, const netcl_sharding_options* options) const {
  returns<netcl::block_info> out{};
  detail::settle(out, netcl_group_describe_block(raw(), index, shape.count(), shape.data(), options,
                                                 detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::reducer> reducer_ref::share() const {
  const netcl_status status = netcl_reducer_retain(raw());
  returns<netcl::reducer> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::reducer> reducer_ref::create(netcl::group_ref group,
                                                   const netcl_reducer_options* options) {
  returns<netcl::reducer> out{};
  detail::settle(out, netcl_reducer_create(group.raw(), options,
                                           detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::reducer_info> reducer_ref::info() const {
  returns<netcl::reducer_info> out{};
  detail::settle(out, netcl_reducer_get_info(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<void> reducer_ref::wait(netcl::timeout timeout) const {
  return detail::done(netcl_reducer_wait(raw(), timeout.count()));
}

inline returns<netcl::sharded> sharded_ref::share() const {
  const netcl_status status = netcl_sharded_retain(raw());
  returns<netcl::sharded> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::sharded> sharded_ref::create(netcl::group_ref group, netcl::tensor_ref block,
                                                   netcl::view<int64_t> shape,
                                                   const netcl_sharding_options* options) {
  returns<netcl::sharded> out{};
  detail::settle(out, netcl_sharded_create(group.raw(), block.raw(), shape.count(), shape.data(),
                                           options, detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::sharded> sharded_ref::create_from_root(
    netcl::group_ref group, netcl::tensor_ref whole, uint32_t root,
    const netcl_sharding_options* options, const netcl_run_options* run) {
  returns<netcl::sharded> out{};
  detail::settle(out, netcl_sharded_create_from_root(group.raw(), whole.raw(), root, options, run,
                                                     detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::sharded_info> sharded_ref::info() const {
  returns<netcl::sharded_info> out{};
  detail::settle(out, netcl_sharded_get_info(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::tensor> sharded_ref::block() const {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_sharded_get_block(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<std::string> sharded_ref::explain() const {
  return detail::read_text([&](auto* list, size_t capacity, size_t* count) {
    return netcl_sharded_explain(raw(), list, capacity, count);
  });
}

inline returns<netcl::sharded> sharded_ref::redistribute(
    const netcl_sharding_options* options, const netcl_run_options* run) const {
  returns<netcl::sharded> out{};
  detail::settle(out, netcl_sharded_redistribute(raw(), options, run,
                                                 detail::place(detail::value(out))));
  return out;
}

inline returns<void> sharded_ref::gather(netcl::tensor_ref output, uint32_t root,
                                         const netcl_run_options* run) const {
  return detail::done(netcl_sharded_gather(raw(), output.raw(), root, run));
}

inline returns<netcl::sharded> sharded_ref::expression_text(
    netcl::text text, netcl::view<netcl::sharded_ref> inputs,
    const netcl_expression_options* options, const netcl_run_options* run) {
  returns<netcl::sharded> out{};
  detail::settle(out, netcl_sharded_expression_text(text.c_str(), inputs.as<netcl_sharded *>(),
                                                    inputs.count(), options, run,
                                                    detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::sharded> sharded_ref::reduce(netcl::reduction kind,
                                                   const netcl_reduce_options* options,
                                                   const netcl_run_options* run) const {
  returns<netcl::sharded> out{};
  detail::settle(out, netcl_sharded_reduce(raw(), static_cast<netcl_reduction>(kind), options, run,
                                           detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::sharded> sharded_ref::softmax(int32_t axis,
                                                    const netcl_run_options* run) const {
  returns<netcl::sharded> out{};
  detail::settle(out, netcl_sharded_softmax(raw(), axis, run, detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::sharded> sharded_ref::layernorm(int32_t axis,
                                                      const netcl_norm_options* options,
                                                      const netcl_run_options* run) const {
  returns<netcl::sharded> out{};
  detail::settle(out, netcl_sharded_layernorm(raw(), axis, options, run,
                                              detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::sharded> sharded_ref::rmsnorm(int32_t axis, const netcl_norm_options* options,
                                                    const netcl_run_options* run) const {
  returns<netcl::sharded> out{};
  detail::settle(out, netcl_sharded_rmsnorm(raw(), axis, options, run,
                                            detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::sharded> sharded_ref::matmul(netcl::sharded_ref b,
                                                   const netcl_matmul_options* options,
                                                   const netcl_run_options* run) const {
  returns<netcl::sharded> out{};
  detail::settle(out, netcl_sharded_matmul(raw(), b.raw(), options, run,
                                           detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::tensor> sharded_ref::exchange_halo(netcl::view<int64_t> pads,
                                                         const netcl_halo_options* options,
                                                         const netcl_run_options* run) const {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_sharded_exchange_halo(raw(), pads.data(), pads.count(), options, run,
                                                  detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::model> model_ref::share() const {
  const netcl_status status = netcl_model_retain(raw());
  returns<netcl::model> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::model> model_ref::load(netcl::device_ref device, netcl::text path,
                                             const netcl_model_options* options) {
  returns<netcl::model> out{};
  detail::settle(out, netcl_model_load(device.raw(), path.c_str(), options,
                                       detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::model> model_ref::load_memory(netcl::device_ref device, netcl::bytes_in data,
                                                    const netcl_model_options* options) {
  returns<netcl::model> out{};
  detail::settle(out, netcl_model_load_memory(device.raw(), data.data(), data.size(), options,
                                              detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::model_info> model_ref::info() const {
  returns<netcl::model_info> out{};
  detail::settle(out, netcl_model_get_info(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::model_value> model_ref::input(uint32_t index) const {
  returns<netcl::model_value> out{};
  detail::settle(out, netcl_model_get_input(raw(), index, detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::model_value> model_ref::output(uint32_t index) const {
  returns<netcl::model_value> out{};
  detail::settle(out, netcl_model_get_output(raw(), index, detail::place(detail::value(out))));
  return out;
}

inline returns<uint32_t> model_ref::find_input(netcl::text name) const {
  returns<uint32_t> out{};
  detail::settle(out, netcl_model_find_input(raw(), name.c_str(),
                                             detail::place(detail::value(out))));
  return out;
}

inline returns<uint32_t> model_ref::find_output(netcl::text name) const {
  returns<uint32_t> out{};
  detail::settle(out, netcl_model_find_output(raw(), name.c_str(),
                                              detail::place(detail::value(out))));
  return out;
}

inline returns<void> model_ref::run(netcl::view<netcl::tensor_ref> inputs,
                                    netcl::view<netcl::tensor_ref> outputs,
                                    const netcl_run_options* run) const {
  return detail::done(netcl_model_run(raw(), inputs.as<netcl_tensor *>(), inputs.count(),
                                      outputs.as<netcl_tensor *>(), outputs.count(), run));
}

inline returns<std::vector<netcl::tensor>> model_ref::evaluate(
    netcl::view<netcl::tensor_ref> inputs, const netcl_run_options* run) const {
  return detail::read_list<std::vector<netcl::tensor>, uint32_t>([&](
      auto* list, uint32_t capacity, uint32_t* count) {
    return netcl_model_evaluate(raw(), inputs.as<netcl_tensor *>(), inputs.count(), run, list,
                                capacity, count);
  });
}

inline returns<std::string> model_ref::explain(netcl::graph_format format) const {
  return detail::read_text([&](auto* list, size_t capacity, size_t* count) {
    return netcl_model_explain(raw(), static_cast<netcl_graph_format>(format), list, capacity, count);
  });
}

inline returns<std::string> model_ref::describe(netcl::text path) {
  return detail::read_text([&](auto* list, size_t capacity, size_t* count) {
    return netcl_model_describe(path.c_str(), list, capacity, count);
  });
}

inline returns<netcl::weights> weights_ref::share() const {
  const netcl_status status = netcl_weights_retain(raw());
  returns<netcl::weights> out{};
  if (status == NETCL_OK) detail::value(out).reset(raw());
  detail::settle(out, status);
  return out;
}

inline returns<netcl::weights> weights_ref::open(netcl::device_ref device, netcl::text path,
                                                 const netcl_weights_options* options) {
  returns<netcl::weights> out{};
  detail::settle(out, netcl_weights_open(device.raw(), path.c_str(), options,
                                         detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::weights_info> weights_ref::info() const {
  returns<netcl::weights_info> out{};
  detail::settle(out, netcl_weights_get_info(raw(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::weights_entry> weights_ref::entry(uint32_t index) const {
  returns<netcl::weights_entry> out{};
  detail::settle(out, netcl_weights_get_entry(raw(), index, detail::place(detail::value(out))));
  return out;
}

inline returns<uint32_t> weights_ref::find(netcl::text name) const {
  returns<uint32_t> out{};
  detail::settle(out, netcl_weights_find(raw(), name.c_str(), detail::place(detail::value(out))));
  return out;
}

inline returns<netcl::tensor> weights_ref::tensor(uint32_t index,
                                                  const netcl_tensor_options* options) const {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_weights_get_tensor(raw(), index, options,
                                               detail::place(detail::value(out))));
  return out;
}

inline returns<std::string> weights_ref::metadata_key(uint32_t index) const {
  return detail::read_text([&](auto* list, size_t capacity, size_t* count) {
    return netcl_weights_get_metadata_key(raw(), index, list, capacity, count);
  });
}

inline returns<std::string> weights_ref::metadata(netcl::text key) const {
  return detail::read_text([&](auto* list, size_t capacity, size_t* count) {
    return netcl_weights_get_metadata(raw(), key.c_str(), list, capacity, count);
  });
}

inline returns<void> weights_ref::save(netcl::text path, netcl::weights_format format,
                                       netcl::view<netcl::text> names,
                                       netcl::view<netcl::tensor_ref> tensors,
                                       const netcl_weights_save_options* options,
                                       netcl::timeout timeout) {
  return detail::done(netcl_weights_save(path.c_str(), static_cast<netcl_weights_format>(format),
                                         names.as<const char *>(), names.count(),
                                         tensors.as<netcl_tensor *>(), tensors.count(), options,
                                         timeout.count()));
}

}  // namespace NETCL_HPP_MODE
}  // namespace netcl

#endif
