// Written by bindings/generator/generate.py from include/netcl.h; do not edit.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_GENERATED_FUNCTIONS_HPP
#define NETCL_GENERATED_FUNCTIONS_HPP

#include <netcl/generated/calls.hpp>

namespace netcl {
inline namespace NETCL_HPP_MODE {

/**
 * Returns the name of a status, such as "NETCL_ERROR_TIMEOUT"; "unknown status" for others. See
 * netcl_status_name.
 */
inline const char* name(netcl::status status) noexcept {
  return netcl_status_name(static_cast<netcl_status>(status));
}

/**
 * Returns the message of this thread's last failing call, "" when there was none. See
 * netcl_last_error_message.
 */
inline const char* last_error_message() noexcept {
  return netcl_last_error_message();
}

/**
 * Gives status, OpenCL code and message of this thread's last failing call. See
 * netcl_last_error_get_info.
 */
[[nodiscard]] inline returns<netcl::error_info> last_error_get_info() {
  returns<netcl::error_info> out{};
  detail::settle(out, netcl_last_error_get_info(detail::place(detail::value(out))));
  return out;
}

/**
 * Says what failed, as this thread's last failing call does: for a function of the host, before it
 * returns `status` to the library. See netcl_last_error_set.
 */
inline returns<void> last_error_set(netcl::status status, int32_t native_code,
                                    netcl::text message) {
  return detail::done(netcl_last_error_set(static_cast<netcl_status>(status), native_code,
                                           message.c_str()));
}

/** Returns NETCL_VERSION_NUMBER of the library. See netcl_version_number. */
inline uint32_t version_number() noexcept {
  return netcl_version_number();
}

/** Returns the version as text, "major.minor.patch". See netcl_version_string. */
inline const char* version_string() noexcept {
  return netcl_version_string();
}

/** Gives the facts of this build. See netcl_library_get_info. */
[[nodiscard]] inline returns<netcl::library_info> library_get_info() {
  returns<netcl::library_info> out{};
  detail::settle(out, netcl_library_get_info(detail::place(detail::value(out))));
  return out;
}

/** Counts the live handles of one type in this process. See netcl_library_get_live_count. */
[[nodiscard]] inline returns<uint64_t> library_get_live_count(netcl::handle_type type) {
  returns<uint64_t> out{};
  detail::settle(out, netcl_library_get_live_count(static_cast<netcl_handle_type>(type),
                                                   detail::place(detail::value(out))));
  return out;
}

/** Waits for all queued work, then empties every pool and program cache. See netcl_shutdown. */
inline returns<void> shutdown(netcl::timeout timeout = {}) {
  return detail::done(netcl_shutdown(timeout.count()));
}

/**
 * Sets how long the exit of the process waits for queued work; 0 switches the waiting off. See
 * netcl_library_set_exit_timeout.
 */
inline returns<void> library_set_exit_timeout(netcl::timeout timeout = {}) {
  return detail::done(netcl_library_set_exit_timeout(timeout.count()));
}

/** Makes SIGINT end waits of this library with CANCELLED. See netcl_interrupt_enable. */
inline returns<void> interrupt_enable(netcl::duration grace) {
  return detail::done(netcl_interrupt_enable(grace.count()));
}

/**
 * Puts back the SIGINT disposition that netcl_interrupt_enable found. See netcl_interrupt_disable.
 */
inline returns<void> interrupt_disable() {
  return detail::done(netcl_interrupt_disable());
}

/** Sets the most detailed level that is kept. See netcl_log_set_level. */
inline returns<void> log_set_level(netcl::log_level level) {
  return detail::done(netcl_log_set_level(static_cast<netcl_log_level>(level)));
}

/** Sets the function that receives new records, NULL for none. See netcl_log_set_callback. */
template <class F>
returns<void> log_set_callback(F&& fn) {
  auto* fn_kept = detail::kept<F>::make(std::forward<F>(fn));
  if (!fn_kept) return detail::failed<void>(detail::no_room());
  const netcl_status status = netcl_log_set_callback(detail::log_fn<std::decay_t<F>>::call, fn_kept,
                                                     detail::kept<F>::destroy);
  if (status != NETCL_OK) detail::kept<F>::destroy(fn_kept);
  return detail::done(status);
}

/** Takes the function of log_set_callback back. */
inline returns<void> log_set_callback(std::nullptr_t) {
  return detail::done(netcl_log_set_callback(nullptr, nullptr, nullptr));
}

/**
 * Reads the oldest kept record whose sequence is greater than `after`; needs no callback. See
 * netcl_log_read.
 */
[[nodiscard]] inline returns<netcl::log_record> log_read(uint64_t after) {
  returns<netcl::log_record> out{};
  detail::settle(out, netcl_log_read(after, detail::place(detail::value(out))));
  return out;
}

/** Returns "f16" . See netcl_dtype_name. */
inline const char* name(netcl::dtype dtype) noexcept {
  return netcl_dtype_name(static_cast<netcl_dtype>(dtype));
}

/** Returns the bytes of one element, 0 for a value that is no dtype. See netcl_dtype_size. */
inline size_t size(netcl::dtype dtype) noexcept {
  return netcl_dtype_size(static_cast<netcl_dtype>(dtype));
}

/** Gives the counters of the program cache. See netcl_program_cache_get_info. */
[[nodiscard]] inline returns<netcl::program_cache_info> program_cache_get_info() {
  returns<netcl::program_cache_info> out{};
  detail::settle(out, netcl_program_cache_get_info(detail::place(detail::value(out))));
  return out;
}

/**
 * Drops all programs from memory, and from the disk too when `disk` is 1. See
 * netcl_program_cache_clear.
 */
inline returns<void> program_cache_clear(bool disk) {
  return detail::done(netcl_program_cache_clear(disk ? 1u : 0u));
}

/**
 * Reads and checks an entry of the disk cache, in the order of their names; one that is not sound
 * is never given to a driver, and is replaced when its program is built again. See
 * netcl_program_cache_get_entry.
 */
[[nodiscard]] inline returns<netcl::program_cache_entry> program_cache_get_entry(uint32_t index) {
  returns<netcl::program_cache_entry> out{};
  detail::settle(out, netcl_program_cache_get_entry(index, detail::place(detail::value(out))));
  return out;
}

/** Returns "matmul_naive" . See netcl_variant_name. */
inline const char* name(netcl::variant variant) noexcept {
  return netcl_variant_name(static_cast<netcl_variant>(variant));
}

/**
 * Tells which kernel a product of m x k by k x n gets on a device. See netcl_variant_select_matmul.
 */
[[nodiscard]] inline returns<netcl::variant_config> variant_select_matmul(
    netcl::device_ref device, int64_t m, int64_t n, int64_t k,
    const netcl_variant_options* options = nullptr) {
  returns<netcl::variant_config> out{};
  detail::settle(out, netcl_variant_select_matmul(device.raw(), m, n, k, options,
                                                  detail::place(detail::value(out))));
  return out;
}

/** Tells which kernel a convolution gets: see netcl_op_conv2d. See netcl_variant_select_conv2d. */
[[nodiscard]] inline returns<netcl::variant_config> variant_select_conv2d(
    netcl::device_ref device, const netcl_conv2d_shape* shape,
    const netcl_variant_options* options = nullptr) {
  returns<netcl::variant_config> out{};
  detail::settle(out, netcl_variant_select_conv2d(device.raw(), shape, options,
                                                  detail::place(detail::value(out))));
  return out;
}

/**
 * Tells which kernel an elementwise op over `count` elements gets. See
 * netcl_variant_select_elementwise.
 */
[[nodiscard]] inline returns<netcl::variant_config> variant_select_elementwise(
    netcl::device_ref device, int64_t count, const netcl_variant_options* options = nullptr) {
  returns<netcl::variant_config> out{};
  detail::settle(out, netcl_variant_select_elementwise(device.raw(), count, options,
                                                       detail::place(detail::value(out))));
  return out;
}

/**
 * Tells which kernel a reduction gets that makes `outputs` results from `count` elements each, when
 * the elements of a result lie next to each other. See netcl_variant_select_reduction.
 */
[[nodiscard]] inline returns<netcl::variant_config> variant_select_reduction(
    netcl::device_ref device, int64_t outputs, int64_t count,
    const netcl_variant_options* options = nullptr) {
  returns<netcl::variant_config> out{};
  detail::settle(out, netcl_variant_select_reduction(device.raw(), outputs, count, options,
                                                     detail::place(detail::value(out))));
  return out;
}

/**
 * Tells which kernel a batch normalisation gets: `fused` when an activation goes with it, so that
 * `activation` is 1, and it is not training, else `naive`. See netcl_variant_select_batchnorm.
 */
[[nodiscard]] inline returns<netcl::variant_config> variant_select_batchnorm(
    netcl::device_ref device, int64_t batch, int64_t channels, int64_t spatial, bool training,
    bool activation, const netcl_variant_options* options = nullptr) {
  returns<netcl::variant_config> out{};
  detail::settle(out, netcl_variant_select_batchnorm(device.raw(), batch, channels, spatial,
                                                     training ? 1u : 0u, activation ? 1u : 0u,
                                                     options, detail::place(detail::value(out))));
  return out;
}

/** Forgets the answers that are kept, for all devices. See netcl_variant_clear_cache. */
inline returns<void> variant_clear_cache() {
  return detail::done(netcl_variant_clear_cache());
}

/**
 * Returns the ONNX name of an operator, "HardSigmoid"; "invalid" for other values. See
 * netcl_elementwise_name.
 */
inline const char* name(netcl::elementwise op) noexcept {
  return netcl_elementwise_name(static_cast<netcl_elementwise>(op));
}

/**
 * Finds an operator by its name in any case, with or without underscores. See
 * netcl_elementwise_find.
 */
[[nodiscard]] inline returns<netcl::elementwise> elementwise_find(netcl::text name) {
  returns<netcl::elementwise> out{};
  detail::settle(out, netcl_elementwise_find(name.c_str(), detail::place(detail::value(out))));
  return out;
}

/**
 * Registers a primitive of formulas under a name of up to 127 bytes, for all devices and threads.
 * See netcl_primitive_register.
 */
inline returns<void> primitive_register(netcl::text name,
                                        const netcl_primitive_options* options = nullptr) {
  return detail::done(netcl_primitive_register(name.c_str(), options));
}

/**
 * Registers a primitive whose result and gradients kernels give. See
 * netcl_primitive_register_kernels.
 */
inline returns<void> primitive_register_kernels(netcl::text name,
                                                const netcl_primitive_kernels* kernels,
                                                const netcl_primitive_options* options = nullptr) {
  return detail::done(netcl_primitive_register_kernels(name.c_str(), kernels, options));
}

/**
 * Registers a primitive that a function of the host works out. See
 * netcl_primitive_register_function.
 */
template <class F>
returns<void> primitive_register_function(netcl::text name, F&& function,
                                          const netcl_primitive_options* options = nullptr) {
  auto* function_kept = detail::kept<F>::make(std::forward<F>(function));
  if (!function_kept) return detail::failed<void>(detail::no_room());
  const netcl_status status = netcl_primitive_register_function(
      name.c_str(), detail::primitive_fn<std::decay_t<F>>::call, function_kept,
      detail::kept<F>::destroy, options);
  return detail::done(status);
}

/** Removes a primitive. See netcl_primitive_unregister. */
inline returns<void> primitive_unregister(netcl::text name) {
  return detail::done(netcl_primitive_unregister(name.c_str()));
}

/**
 * Computes statistics of samples measured elsewhere; negative and NaN samples are INVALID_ARGUMENT.
 * See netcl_statistics_compute.
 */
[[nodiscard]] inline returns<netcl::statistics> statistics_compute(netcl::view<double> samples,
                                                                   double confidence) {
  returns<netcl::statistics> out{};
  detail::settle(out, netcl_statistics_compute(samples.data(), samples.count(), confidence,
                                               detail::place(detail::value(out))));
  return out;
}

/**
 * Compares two sets of samples measured elsewhere, as netcl_measurement_compare does. See
 * netcl_statistics_compare.
 */
[[nodiscard]] inline returns<netcl::comparison> statistics_compare(netcl::view<double> first,
                                                                   netcl::view<double> second,
                                                                   double confidence,
                                                                   double precision,
                                                                   uint64_t seed) {
  returns<netcl::comparison> out{};
  detail::settle(out, netcl_statistics_compare(first.data(), first.count(), second.data(),
                                               second.count(), confidence, precision, seed,
                                               detail::place(detail::value(out))));
  return out;
}

/**
 * Begins to record regions, counters per kernel and (with trace_path) a trace, on all queues of the
 * process; what it records adds up over several starts until netcl_profile_reset. See
 * netcl_profile_start.
 */
inline returns<void> profile_start(const netcl_profile_options* options = nullptr) {
  return detail::done(netcl_profile_start(options));
}

/** Ends the recording after waiting for what was enqueued. See netcl_profile_stop. */
inline returns<void> profile_stop(netcl::timeout timeout = {}) {
  return detail::done(netcl_profile_stop(timeout.count()));
}

/** Forgets what was recorded. See netcl_profile_reset. */
inline returns<void> profile_reset() {
  return detail::done(netcl_profile_reset());
}

/**
 * Gives the tree of regions (calls, device and host time with and without children, bytes, flops)
 * and the counters per kernel and size, of the commands that are complete. See
 * netcl_profile_report.
 */
[[nodiscard]] inline returns<std::string> profile_report(netcl::format format) {
  return detail::read_text([&](auto* list, size_t capacity, size_t* count) {
    return netcl_profile_report(static_cast<netcl_format>(format), list, capacity, count);
  });
}

/** Returns "memory_read" . See netcl_ceiling_kind_name. */
inline const char* name(netcl::ceiling_kind kind) noexcept {
  return netcl_ceiling_kind_name(static_cast<netcl_ceiling_kind>(kind));
}

}  // namespace NETCL_HPP_MODE
}  // namespace netcl

#endif
