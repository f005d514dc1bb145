// Written by bindings/generator/generate.py from include/netcl.h; do not edit.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_GENERATED_STRUCTS_HPP
#define NETCL_GENERATED_STRUCTS_HPP

#include <netcl/generated/handles.hpp>
#include <netcl/keep.hpp>

namespace netcl {
inline namespace NETCL_HPP_MODE {

/** What went wrong last on a thread, or in a command. */
class error_info : public detail::sized<netcl_error_info> {
 public:
  using sized::sized;
  netcl::status status() const noexcept { return static_cast<netcl::status>(raw_.status); }
  /** the OpenCL code, 0 when no driver was involved */
  int32_t native_code() const noexcept { return raw_.native_code; }
  /** one line; cut at a character boundary when longer */
  std::string_view message() const& noexcept { return detail::inline_text(raw_.message); }
  std::string message() && { return std::string{detail::inline_text(raw_.message)}; }
};

/** Facts about this build of the library. */
class library_info : public detail::sized<netcl_library_info> {
 public:
  using sized::sized;
  /** NETCL_VERSION_NUMBER of the library, not of the header */
  uint32_t version_number() const noexcept { return raw_.version_number; }
  /** the number in the soname */
  uint32_t abi_version() const noexcept { return raw_.abi_version; }
  /** "0.1.0" */
  std::string_view version() const& noexcept { return detail::inline_text(raw_.version); }
  std::string version() && { return std::string{detail::inline_text(raw_.version)}; }
  /** "gcc 12.2.0" */
  std::string_view compiler() const& noexcept { return detail::inline_text(raw_.compiler); }
  std::string compiler() && { return std::string{detail::inline_text(raw_.compiler)}; }
  /** "Release" */
  std::string_view build_type() const& noexcept { return detail::inline_text(raw_.build_type); }
  std::string build_type() && { return std::string{detail::inline_text(raw_.build_type)}; }
  /** instruction set the built-in CPU device uses here: "AVX3" */
  std::string_view simd_target() const& noexcept { return detail::inline_text(raw_.simd_target); }
  std::string simd_target() && { return std::string{detail::inline_text(raw_.simd_target)}; }
  /** hash of all embedded kernels and generators */
  std::string_view codegen_version() const& noexcept {
    return detail::inline_text(raw_.codegen_version);
  }
  std::string codegen_version() && {
    return std::string{detail::inline_text(raw_.codegen_version)};
  }
};

/** One entry of the log. */
class log_record : public detail::sized<netcl_log_record> {
 public:
  using sized::sized;
  /** counts from 1 */
  uint64_t sequence() const noexcept { return raw_.sequence; }
  /** CLOCK_REALTIME */
  std::chrono::nanoseconds time() const noexcept { return detail::to_chrono(raw_.time_ns); }
  netcl::log_level level() const noexcept { return static_cast<netcl::log_level>(raw_.level); }
  /** one line; cut at a character boundary when longer */
  std::string_view message() const& noexcept { return detail::inline_text(raw_.message); }
  std::string message() && { return std::string{detail::inline_text(raw_.message)}; }
};

/** Identity of a device. */
class device_info : public detail::sized<netcl_device_info> {
 public:
  using sized::sized;
  /**
   * place in the list of netcl_device_count; UINT32_MAX: wrapped, or the built-in device before
   * anything has looked at the list
   */
  device_info& index(uint32_t value) noexcept {
    raw_.index = value;
    return *this;
  }
  /**
   * place in the list of netcl_device_count; UINT32_MAX: wrapped, or the built-in device before
   * anything has looked at the list
   */
  uint32_t index() const noexcept { return raw_.index; }
  device_info& type(netcl::device_type value) noexcept {
    raw_.type = static_cast<netcl_device_type>(value);
    return *this;
  }
  netcl::device_type type() const noexcept { return static_cast<netcl::device_type>(raw_.type); }
  device_info& backend(netcl::backend value) noexcept {
    raw_.backend = static_cast<netcl_backend>(value);
    return *this;
  }
  netcl::backend backend() const noexcept { return static_cast<netcl::backend>(raw_.backend); }
  /** P of the selector "P:D"; UINT32_MAX for the built-in device */
  device_info& platform_index(uint32_t value) noexcept {
    raw_.platform_index = value;
    return *this;
  }
  /** P of the selector "P:D"; UINT32_MAX for the built-in device */
  uint32_t platform_index() const noexcept { return raw_.platform_index; }
  /** D of the selector "P:D" */
  device_info& device_index(uint32_t value) noexcept {
    raw_.device_index = value;
    return *this;
  }
  /** D of the selector "P:D" */
  uint32_t device_index() const noexcept { return raw_.device_index; }
  /** 1: uuid is known */
  device_info& has_uuid(bool value) noexcept {
    raw_.has_uuid = value ? 1 : 0;
    return *this;
  }
  /** 1: uuid is known */
  bool has_uuid() const noexcept { return raw_.has_uuid != 0; }
  device_info& uuid(const std::array<uint8_t, 16>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.uuid);
    raw_.has_uuid = 1;
    return *this;
  }
  netcl::span<const uint8_t> uuid() const& noexcept { return {raw_.uuid, 16}; }
  netcl::bounded<uint8_t, 16> uuid() && { return netcl::bounded<uint8_t, 16>{raw_.uuid, 16}; }
  device_info& name(std::string_view value) noexcept {
    const size_t size = std::min<size_t>(value.size(), sizeof(raw_.name) - 1);
    std::memset(raw_.name, 0, sizeof(raw_.name));
    value.copy(raw_.name, size);
    return *this;
  }
  std::string_view name() const& noexcept { return detail::inline_text(raw_.name); }
  std::string name() && { return std::string{detail::inline_text(raw_.name)}; }
  device_info& vendor(std::string_view value) noexcept {
    const size_t size = std::min<size_t>(value.size(), sizeof(raw_.vendor) - 1);
    std::memset(raw_.vendor, 0, sizeof(raw_.vendor));
    value.copy(raw_.vendor, size);
    return *this;
  }
  std::string_view vendor() const& noexcept { return detail::inline_text(raw_.vendor); }
  std::string vendor() && { return std::string{detail::inline_text(raw_.vendor)}; }
  device_info& platform_name(std::string_view value) noexcept {
    const size_t size = std::min<size_t>(value.size(), sizeof(raw_.platform_name) - 1);
    std::memset(raw_.platform_name, 0, sizeof(raw_.platform_name));
    value.copy(raw_.platform_name, size);
    return *this;
  }
  std::string_view platform_name() const& noexcept {
    return detail::inline_text(raw_.platform_name);
  }
  std::string platform_name() && { return std::string{detail::inline_text(raw_.platform_name)}; }
  /** "OpenCL 3.0 ..."; "netcl 0.1.0" for the built-in device */
  device_info& version(std::string_view value) noexcept {
    const size_t size = std::min<size_t>(value.size(), sizeof(raw_.version) - 1);
    std::memset(raw_.version, 0, sizeof(raw_.version));
    value.copy(raw_.version, size);
    return *this;
  }
  /** "OpenCL 3.0 ..."; "netcl 0.1.0" for the built-in device */
  std::string_view version() const& noexcept { return detail::inline_text(raw_.version); }
  std::string version() && { return std::string{detail::inline_text(raw_.version)}; }
  device_info& driver_version(std::string_view value) noexcept {
    const size_t size = std::min<size_t>(value.size(), sizeof(raw_.driver_version) - 1);
    std::memset(raw_.driver_version, 0, sizeof(raw_.driver_version));
    value.copy(raw_.driver_version, size);
    return *this;
  }
  std::string_view driver_version() const& noexcept {
    return detail::inline_text(raw_.driver_version);
  }
  std::string driver_version() && { return std::string{detail::inline_text(raw_.driver_version)}; }
};

/** What a device can do; fixed once the device is open. Flags are 0 or 1. */
class device_capabilities : public detail::sized<netcl_device_capabilities> {
 public:
  using sized::sized;
  /** 1: half arithmetic runs (announced, or probed) */
  device_capabilities& fp16(bool value) noexcept {
    raw_.fp16 = value ? 1 : 0;
    return *this;
  }
  /** 1: half arithmetic runs (announced, or probed) */
  bool fp16() const noexcept { return raw_.fp16 != 0; }
  /** 1: an extension mentions fp16 */
  device_capabilities& fp16_announced(bool value) noexcept {
    raw_.fp16_announced = value ? 1 : 0;
    return *this;
  }
  /** 1: an extension mentions fp16 */
  bool fp16_announced() const noexcept { return raw_.fp16_announced != 0; }
  /** 1: double arithmetic */
  device_capabilities& fp64(bool value) noexcept {
    raw_.fp64 = value ? 1 : 0;
    return *this;
  }
  /** 1: double arithmetic */
  bool fp64() const noexcept { return raw_.fp64 != 0; }
  /** 1: an extension mentions subgroup */
  device_capabilities& subgroups(bool value) noexcept {
    raw_.subgroups = value ? 1 : 0;
    return *this;
  }
  /** 1: an extension mentions subgroup */
  bool subgroups() const noexcept { return raw_.subgroups != 0; }
  /** 1: 64-bit base or extended atomics */
  device_capabilities& int64_atomics(bool value) noexcept {
    raw_.int64_atomics = value ? 1 : 0;
    return *this;
  }
  /** 1: 64-bit base or extended atomics */
  bool int64_atomics() const noexcept { return raw_.int64_atomics != 0; }
  /** 1: any kind of shared virtual memory */
  device_capabilities& svm(bool value) noexcept {
    raw_.svm = value ? 1 : 0;
    return *this;
  }
  /** 1: any kind of shared virtual memory */
  bool svm() const noexcept { return raw_.svm != 0; }
  /** 1: shares memory with the host: zero-copy is possible */
  device_capabilities& integrated(bool value) noexcept {
    raw_.integrated = value ? 1 : 0;
    return *this;
  }
  /** 1: shares memory with the host: zero-copy is possible */
  bool integrated() const noexcept { return raw_.integrated != 0; }
  /** 1: out-of-order queues exist */
  device_capabilities& out_of_order(bool value) noexcept {
    raw_.out_of_order = value ? 1 : 0;
    return *this;
  }
  /** 1: out-of-order queues exist */
  bool out_of_order() const noexcept { return raw_.out_of_order != 0; }
  /** 1: takes SPIR-V */
  device_capabilities& il(bool value) noexcept {
    raw_.il = value ? 1 : 0;
    return *this;
  }
  /** 1: takes SPIR-V */
  bool il() const noexcept { return raw_.il != 0; }
  device_capabilities& compute_units(uint32_t value) noexcept {
    raw_.compute_units = value;
    return *this;
  }
  uint32_t compute_units() const noexcept { return raw_.compute_units; }
  device_capabilities& max_clock_mhz(uint32_t value) noexcept {
    raw_.max_clock_mhz = value;
    return *this;
  }
  uint32_t max_clock_mhz() const noexcept { return raw_.max_clock_mhz; }
  device_capabilities& preferred_vector_width_f32(uint32_t value) noexcept {
    raw_.preferred_vector_width_f32 = value;
    return *this;
  }
  uint32_t preferred_vector_width_f32() const noexcept { return raw_.preferred_vector_width_f32; }
  /** preferred multiple of the local size, at least 1 */
  device_capabilities& subgroup_size(uint32_t value) noexcept {
    raw_.subgroup_size = value;
    return *this;
  }
  /** preferred multiple of the local size, at least 1 */
  uint32_t subgroup_size() const noexcept { return raw_.subgroup_size; }
  /** alignment of sub-buffers */
  device_capabilities& mem_base_align_bytes(uint32_t value) noexcept {
    raw_.mem_base_align_bytes = value;
    return *this;
  }
  /** alignment of sub-buffers */
  uint32_t mem_base_align_bytes() const noexcept { return raw_.mem_base_align_bytes; }
  device_capabilities& max_work_item_dimensions(uint32_t value) noexcept {
    raw_.max_work_item_dimensions = value;
    return *this;
  }
  uint32_t max_work_item_dimensions() const noexcept { return raw_.max_work_item_dimensions; }
  /** see NETCL_KERNEL_STRATEGY */
  device_capabilities& strategy(netcl::strategy value) noexcept {
    raw_.strategy = static_cast<netcl_strategy>(value);
    return *this;
  }
  /** see NETCL_KERNEL_STRATEGY */
  netcl::strategy strategy() const noexcept { return static_cast<netcl::strategy>(raw_.strategy); }
  device_capabilities& max_work_group_size(uint64_t value) noexcept {
    raw_.max_work_group_size = value;
    return *this;
  }
  uint64_t max_work_group_size() const noexcept { return raw_.max_work_group_size; }
  device_capabilities& max_work_item_sizes(const std::array<uint64_t, 3>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.max_work_item_sizes);
    return *this;
  }
  netcl::span<const uint64_t> max_work_item_sizes() const& noexcept {
    return {raw_.max_work_item_sizes, 3};
  }
  netcl::bounded<uint64_t, 3> max_work_item_sizes() && {
    return netcl::bounded<uint64_t, 3>{raw_.max_work_item_sizes, 3};
  }
  device_capabilities& local_memory_bytes(uint64_t value) noexcept {
    raw_.local_memory_bytes = value;
    return *this;
  }
  uint64_t local_memory_bytes() const noexcept { return raw_.local_memory_bytes; }
  device_capabilities& global_memory_bytes(uint64_t value) noexcept {
    raw_.global_memory_bytes = value;
    return *this;
  }
  uint64_t global_memory_bytes() const noexcept { return raw_.global_memory_bytes; }
  device_capabilities& max_allocation_bytes(uint64_t value) noexcept {
    raw_.max_allocation_bytes = value;
    return *this;
  }
  uint64_t max_allocation_bytes() const noexcept { return raw_.max_allocation_bytes; }
  device_capabilities& global_cache_bytes(uint64_t value) noexcept {
    raw_.global_cache_bytes = value;
    return *this;
  }
  uint64_t global_cache_bytes() const noexcept { return raw_.global_cache_bytes; }
  device_capabilities& max_constant_bytes(uint64_t value) noexcept {
    raw_.max_constant_bytes = value;
    return *this;
  }
  uint64_t max_constant_bytes() const noexcept { return raw_.max_constant_bytes; }
  device_capabilities& timer_resolution(netcl::duration value) noexcept {
    raw_.timer_resolution_ns = value.count();
    return *this;
  }
  std::chrono::nanoseconds timer_resolution() const noexcept {
    return detail::to_chrono(raw_.timer_resolution_ns);
  }
  /** NONE while NETCL_MATRIX_UNITS=0 */
  device_capabilities& matrix_units(netcl::matrix_units value) noexcept {
    raw_.matrix_units = static_cast<netcl_matrix_units>(value);
    return *this;
  }
  /** NONE while NETCL_MATRIX_UNITS=0 */
  netcl::matrix_units matrix_units() const noexcept {
    return static_cast<netcl::matrix_units>(raw_.matrix_units);
  }
};

/** How a copy between two devices goes; see netcl_device_explain_copy. */
class copy_explanation : public detail::sized<netcl_copy_explanation> {
 public:
  using sized::sized;
  netcl::copy_road road() const noexcept { return static_cast<netcl::copy_road>(raw_.road); }
  /** 1: what is not packed in C order is copied once more on its device */
  bool packs() const noexcept { return raw_.packs != 0; }
  /** at most, of what goes through page-locked memory; 0: nothing does */
  uint64_t piece_bytes() const noexcept { return raw_.piece_bytes; }
  /** a sentence: why it is this road */
  std::string_view reason() const& noexcept { return detail::inline_text(raw_.reason); }
  std::string reason() && { return std::string{detail::inline_text(raw_.reason)}; }
};

/** As netcl_device_options. */
class device_options : public detail::sized<netcl_device_options> {
 public:
  using sized::sized;
  /**
   * 1: a context of its own instead of the one shared by all openings; netcl_device_open_from_cl: 0
   */
  device_options& separate(bool value) noexcept {
    raw_.separate = value ? 1 : 0;
    return *this;
  }
};

/** As netcl_queue_options. */
class queue_options : public detail::sized<netcl_queue_options> {
 public:
  using sized::sized;
  /** 1: commands may overtake each other where their memory allows it */
  queue_options& out_of_order(bool value) noexcept {
    raw_.out_of_order = value ? 1 : 0;
    return *this;
  }
  /** 1: as netcl_queue_set_profiling(queue, 1) */
  queue_options& profiling(bool value) noexcept {
    raw_.profiling = value ? 1 : 0;
    return *this;
  }
};

/** As netcl_queue_info. */
class queue_info : public detail::sized<netcl_queue_info> {
 public:
  using sized::sized;
  /** 1: commands may overtake each other */
  bool out_of_order() const noexcept { return raw_.out_of_order != 0; }
  /** 1: times are recorded */
  bool profiling() const noexcept { return raw_.profiling != 0; }
  /** 1: the queue wraps one of the caller */
  bool foreign() const noexcept { return raw_.foreign != 0; }
  /** commands enqueued so far */
  uint64_t commands() const noexcept { return raw_.commands; }
};

/** Device times of one command; only differences within one device mean anything. */
class event_timing : public detail::sized<netcl_event_timing> {
 public:
  using sized::sized;
  std::chrono::nanoseconds queued() const noexcept { return detail::to_chrono(raw_.queued_ns); }
  std::chrono::nanoseconds submitted() const noexcept {
    return detail::to_chrono(raw_.submitted_ns);
  }
  std::chrono::nanoseconds started() const noexcept { return detail::to_chrono(raw_.started_ns); }
  std::chrono::nanoseconds ended() const noexcept { return detail::to_chrono(raw_.ended_ns); }
};

/** As netcl_pool_options. */
class pool_options : public detail::sized<netcl_pool_options> {
 public:
  using sized::sized;
  /** 0: PERSISTENT */
  pool_options& kind(netcl::pool_kind value) noexcept {
    raw_.kind = static_cast<netcl_pool_kind>(value);
    return *this;
  }
  /** cached buffers per bucket; 0: 16 (persistent), no limit */
  pool_options& max_buffers_per_bucket(uint32_t value) noexcept {
    raw_.max_buffers_per_bucket = value;
    return *this;
  }
  /** 0: NETCL_MAX_CACHED_GB (persistent, pinned), no limit */
  pool_options& max_cached_bytes(uint64_t value) noexcept {
    raw_.max_cached_bytes = value;
    return *this;
  }
  /** cap of cached plus leased bytes; 0: no limit */
  pool_options& max_bytes(uint64_t value) noexcept {
    raw_.max_bytes = value;
    return *this;
  }
  /** 1: memory for netcl_buffer_export; see "Sharing" */
  pool_options& share(bool value) noexcept {
    raw_.share = value ? 1 : 0;
    return *this;
  }
};

/** Statistics of a pool. */
class pool_info : public detail::sized<netcl_pool_info> {
 public:
  using sized::sized;
  netcl::pool_kind kind() const noexcept { return static_cast<netcl::pool_kind>(raw_.kind); }
  /** rows that netcl_pool_get_buckets gives */
  uint32_t buckets_count() const noexcept { return raw_.buckets_count; }
  /** leases served from the cache */
  uint64_t hits() const noexcept { return raw_.hits; }
  /** leases that needed a new allocation */
  uint64_t misses() const noexcept { return raw_.misses; }
  /** hits / (hits + misses), 0 before the first lease */
  double hit_rate() const noexcept { return raw_.hit_rate; }
  /** in use plus cached, in whole buckets */
  uint64_t bytes_allocated() const noexcept { return raw_.bytes_allocated; }
  /** leased */
  uint64_t bytes_in_use() const noexcept { return raw_.bytes_in_use; }
  /** kept for reuse */
  uint64_t bytes_cached() const noexcept { return raw_.bytes_cached; }
  /** largest bytes_allocated so far */
  uint64_t high_water_bytes() const noexcept { return raw_.high_water_bytes; }
  /** UINT64_MAX: no limit */
  uint64_t max_cached_bytes() const noexcept { return raw_.max_cached_bytes; }
  /** UINT64_MAX: no limit */
  uint64_t max_bytes() const noexcept { return raw_.max_bytes; }
};

/** Facts about a piece of memory. */
class buffer_info : public detail::sized<netcl_buffer_info> {
 public:
  using sized::sized;
  /** as asked for */
  uint64_t bytes() const noexcept { return raw_.bytes; }
  /** as allocated */
  uint64_t bucket_bytes() const noexcept { return raw_.bucket_bytes; }
  /** where the host may access it; NULL when it may not */
  void * host_pointer() const noexcept { return raw_.host_pointer; }
  /** 1: page-locked host memory */
  bool pinned() const noexcept { return raw_.pinned != 0; }
  /** 1: the device works on host_pointer itself */
  bool zero_copy() const noexcept { return raw_.zero_copy != 0; }
  /** 1: a tensor, another handle or a call that is running uses it too */
  bool shared() const noexcept { return raw_.shared != 0; }
  /** 1: netcl_buffer_export gives it to others */
  bool exportable() const noexcept { return raw_.exportable != 0; }
};

/** Memory that processes share, and what is needed to open it. */
class shared_memory : public detail::sized<netcl_shared_memory> {
 public:
  using sized::sized;
  shared_memory& kind(netcl::share_kind value) noexcept {
    raw_.kind = static_cast<netcl_share_kind>(value);
    return *this;
  }
  netcl::share_kind kind() const noexcept { return static_cast<netcl::share_kind>(raw_.kind); }
  /** a file descriptor */
  shared_memory& descriptor(int32_t value) noexcept {
    raw_.descriptor = value;
    return *this;
  }
  /** a file descriptor */
  int32_t descriptor() const noexcept { return raw_.descriptor; }
  /** where the memory begins in what the descriptor stands for */
  shared_memory& offset_bytes(uint64_t value) noexcept {
    raw_.offset_bytes = value;
    return *this;
  }
  /** where the memory begins in what the descriptor stands for */
  uint64_t offset_bytes() const noexcept { return raw_.offset_bytes; }
  /** of the memory */
  shared_memory& bytes(uint64_t value) noexcept {
    raw_.bytes = value;
    return *this;
  }
  /** of the memory */
  uint64_t bytes() const noexcept { return raw_.bytes; }
  /** of all that the descriptor stands for */
  shared_memory& total_bytes(uint64_t value) noexcept {
    raw_.total_bytes = value;
    return *this;
  }
  /** of all that the descriptor stands for */
  uint64_t total_bytes() const noexcept { return raw_.total_bytes; }
  /** of the GPU; zeros for a file */
  shared_memory& device_uuid(const std::array<uint8_t, 16>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.device_uuid);
    return *this;
  }
  /** of the GPU; zeros for a file */
  netcl::span<const uint8_t> device_uuid() const& noexcept { return {raw_.device_uuid, 16}; }
  netcl::bounded<uint8_t, 16> device_uuid() && {
    return netcl::bounded<uint8_t, 16>{raw_.device_uuid, 16};
  }
};

/** How a launch or an op runs. Used by every op. */
class run_options : public detail::sized<netcl_run_options> {
 public:
  using sized::sized;
  run_options() noexcept = default;
  run_options(const run_options& other)
      : sized(other), waits_(other.waits_) {
    detail::follow(raw_.waits, waits_, other.waits_);
  }
  run_options& operator=(const run_options& other) {
    if (this == &other) return *this;
    waits_ = other.waits_;
    raw_ = other.raw_;
    detail::follow(raw_.waits, waits_, other.waits_);
    return *this;
  }
  ~run_options() = default;
  /** NULL: the default queue of the first input's device */
  run_options& queue(netcl::queue_ref value) noexcept {
    raw_.queue = value.raw();
    return *this;
  }
  /** write the result here instead of a new tensor */
  run_options& into(netcl::tensor_ref value) noexcept {
    raw_.into = value.raw();
    return *this;
  }
  /** further events to wait for; one that failed: LAUNCH_FAILURE */
  run_options& waits(netcl::view<netcl::event_ref> list) {
    raw_.waits = waits_.put(list.as<netcl_event *>(), list.size());
    raw_.waits_count = list.count();
    return *this;
  }
  /** receives one reference: the event of the last command */
  run_options& event(netcl::event& into) noexcept {
    raw_.event = into.place();
    return *this;
  }
  /** records the call; see "Graphs" */
  run_options& graph(netcl::graph_ref value) noexcept {
    raw_.graph = value.raw();
    return *this;
  }

 private:
  detail::kept_list<netcl_event *> waits_;
};

/** Where and how a tensor is made. */
class tensor_options : public detail::sized<netcl_tensor_options> {
 public:
  using sized::sized;
  /** NULL: the device's default queue */
  tensor_options& queue(netcl::queue_ref value) noexcept {
    raw_.queue = value.raw();
    return *this;
  }
  /** NULL: the device's persistent pool, and for from_cl */
  tensor_options& pool(netcl::pool_ref value) noexcept {
    raw_.pool = value.raw();
    return *this;
  }
  /** receives one reference: the device has the data */
  tensor_options& event(netcl::event& into) noexcept {
    raw_.event = into.place();
    return *this;
  }
  /**
   * return before the device has what is copied from the host; DEFAULT: NETCL_ASYNC_H2D, and where
   * nothing is copied
   */
  tensor_options& async_copy(netcl::toggle value) noexcept {
    raw_.async_copy = static_cast<netcl_toggle>(value);
    return *this;
  }
  /**
   * stage that through page-locked memory; DEFAULT: NETCL_PINNED_H2D, and where nothing is copied
   */
  tensor_options& use_pinned(netcl::toggle value) noexcept {
    raw_.use_pinned = static_cast<netcl_toggle>(value);
    return *this;
  }
  /** 1: from_host works on the caller's memory itself */
  tensor_options& borrow(bool value) noexcept {
    raw_.borrow = value ? 1 : 0;
    return *this;
  }
  /** 1: from_cl releases the memory object with the tensor */
  tensor_options& take_ownership(bool value) noexcept {
    raw_.take_ownership = value ? 1 : 0;
    return *this;
  }
  /**
   * 1: in memory for netcl_buffer_export, see "Sharing"; a pool that is given has to have been made
   * so
   */
  tensor_options& share(bool value) noexcept {
    raw_.share = value ? 1 : 0;
    return *this;
  }
};

/** How netcl_tensor_read and netcl_tensor_write move data. */
class transfer_options : public detail::sized<netcl_transfer_options> {
 public:
  using sized::sized;
  transfer_options() noexcept = default;
  transfer_options(const transfer_options& other)
      : sized(other), waits_(other.waits_) {
    detail::follow(raw_.waits, waits_, other.waits_);
  }
  transfer_options& operator=(const transfer_options& other) {
    if (this == &other) return *this;
    waits_ = other.waits_;
    raw_ = other.raw_;
    detail::follow(raw_.waits, waits_, other.waits_);
    return *this;
  }
  ~transfer_options() = default;
  /** NULL: the device's default queue */
  transfer_options& queue(netcl::queue_ref value) noexcept {
    raw_.queue = value.raw();
    return *this;
  }
  /** further events to wait for */
  transfer_options& waits(netcl::view<netcl::event_ref> list) {
    raw_.waits = waits_.put(list.as<netcl_event *>(), list.size());
    raw_.waits_count = list.count();
    return *this;
  }
  /** receives one reference; makes a read return at once */
  transfer_options& event(netcl::event& into) noexcept {
    raw_.event = into.place();
    return *this;
  }
  /** write: return before the device has it; NETCL_ASYNC_H2D. read: DEFAULT */
  transfer_options& async_copy(netcl::toggle value) noexcept {
    raw_.async_copy = static_cast<netcl_toggle>(value);
    return *this;
  }
  /**
   * stage through page-locked memory; NETCL_PINNED_H2D. A read with an event stages nothing, and
   * takes no ON
   */
  transfer_options& use_pinned(netcl::toggle value) noexcept {
    raw_.use_pinned = static_cast<netcl_toggle>(value);
    return *this;
  }
  /** 1: write copies nothing; the array must stay until the event. read: 0 */
  transfer_options& borrow(bool value) noexcept {
    raw_.borrow = value ? 1 : 0;
    return *this;
  }

 private:
  detail::kept_list<netcl_event *> waits_;
};

/** Parameters of random numbers. */
class random_options : public detail::sized<netcl_random_options> {
 public:
  using sized::sized;
  random_options& seed(uint64_t value) noexcept {
    raw_.seed = value;
    return *this;
  }
  /** index of the first element in the seed's stream */
  random_options& offset(uint64_t value) noexcept {
    raw_.offset = value;
    return *this;
  }
  /** 0: UNIFORM */
  random_options& distribution(netcl::distribution value) noexcept {
    raw_.distribution = static_cast<netcl_distribution>(value);
    return *this;
  }
  /** uniform: lowest value; low = high = 0: [0, 1), integers: all; normal: 0 */
  random_options& low(double value) noexcept {
    raw_.low = value;
    return *this;
  }
  /** uniform: end of the range; normal: 0 */
  random_options& high(double value) noexcept {
    raw_.high = value;
    return *this;
  }
  /** normal; uniform: 0 */
  random_options& mean(double value) noexcept {
    raw_.mean = value;
    return *this;
  }
  /** normal: standard deviation; 0 means 1; uniform: 0 */
  random_options& deviation(double value) noexcept {
    raw_.deviation = value;
    return *this;
  }
};

/** What a tensor is. */
class tensor_info : public detail::sized<netcl_tensor_info> {
 public:
  using sized::sized;
  netcl::dtype dtype() const noexcept { return static_cast<netcl::dtype>(raw_.dtype); }
  uint32_t rank() const noexcept { return raw_.rank; }
  netcl::span<const int64_t> shape() const& noexcept {
    return {raw_.shape, std::min<size_t>(raw_.rank, 8)};
  }
  netcl::bounded<int64_t, 8> shape() && {
    return netcl::bounded<int64_t, 8>{raw_.shape, std::min<size_t>(raw_.rank, 8)};
  }
  netcl::span<const int64_t> strides() const& noexcept {
    return {raw_.strides, std::min<size_t>(raw_.rank, 8)};
  }
  netcl::bounded<int64_t, 8> strides() && {
    return netcl::bounded<int64_t, 8>{raw_.strides, std::min<size_t>(raw_.rank, 8)};
  }
  /** first element, counted from the start of the memory */
  int64_t offset() const noexcept { return raw_.offset; }
  int64_t element_count() const noexcept { return raw_.element_count; }
  /** element_count times the size of an element */
  uint64_t byte_count() const noexcept { return raw_.byte_count; }
  /** 1: packed in C order */
  bool contiguous() const noexcept { return raw_.contiguous != 0; }
  /** 1: the device works on memory of the host */
  bool zero_copy() const noexcept { return raw_.zero_copy != 0; }
  /** 1: the memory belongs to the caller */
  bool borrowed() const noexcept { return raw_.borrowed != 0; }
  /** 1: the memory is a lease from a pool */
  bool pooled() const noexcept { return raw_.pooled != 0; }
  /** 1: the memory is a file's, see "Weights" */
  bool mapped() const noexcept { return raw_.mapped != 0; }
};

/**
 * A kernel specification. Exactly one source form is set: source; params with body; il; binary. A
 * result of tuning belongs to the values of the integer arguments too, as a size or a mode among
 * them makes another problem: only free_args are left out. What is given beside numbers, such as a
 * struct and the bytes of local memory, belongs to it as well; floats do not.
 */
class kernel_options : public detail::sized<netcl_kernel_options> {
 public:
  using sized::sized;
  kernel_options() noexcept = default;
  kernel_options(const kernel_options& other)
      : sized(other), source_(other.source_), params_(other.params_), preamble_(other.preamble_),
        body_(other.body_), il_(other.il_), binary_(other.binary_), flags_(other.flags_),
        free_args_(other.free_args_) {
    detail::follow(raw_.source, source_, other.source_);
    detail::follow(raw_.params, params_, other.params_);
    detail::follow(raw_.preamble, preamble_, other.preamble_);
    detail::follow(raw_.body, body_, other.body_);
    detail::follow(raw_.il, il_, other.il_);
    detail::follow(raw_.binary, binary_, other.binary_);
    detail::follow(raw_.flags, flags_, other.flags_);
    detail::follow(raw_.free_args, free_args_, other.free_args_);
  }
  kernel_options& operator=(const kernel_options& other) {
    if (this == &other) return *this;
    source_ = other.source_;
    params_ = other.params_;
    preamble_ = other.preamble_;
    body_ = other.body_;
    il_ = other.il_;
    binary_ = other.binary_;
    flags_ = other.flags_;
    free_args_ = other.free_args_;
    raw_ = other.raw_;
    detail::follow(raw_.source, source_, other.source_);
    detail::follow(raw_.params, params_, other.params_);
    detail::follow(raw_.preamble, preamble_, other.preamble_);
    detail::follow(raw_.body, body_, other.body_);
    detail::follow(raw_.il, il_, other.il_);
    detail::follow(raw_.binary, binary_, other.binary_);
    detail::follow(raw_.flags, flags_, other.flags_);
    detail::follow(raw_.free_args, free_args_, other.free_args_);
    return *this;
  }
  ~kernel_options() = default;
  /** full OpenCL C source, may hold several kernels */
  kernel_options& source(std::string_view value) {
    raw_.source = source_.put(value.data(), value.size());
    raw_.source_size = value.size();
    return *this;
  }
  /** parameter declarations: "__global const float* a" */
  kernel_options& params(netcl::view<netcl::text> list) {
    raw_.params = params_.put(list.as<const char *>(), list.size());
    raw_.params_count = list.count();
    return *this;
  }
  /** text before the kernel, with params; may be NULL */
  kernel_options& preamble(netcl::text value) {
    raw_.preamble = preamble_.text(value.c_str());
    return *this;
  }
  /** statements of the kernel, with params */
  kernel_options& body(netcl::text value) {
    raw_.body = body_.text(value.c_str());
    return *this;
  }
  /** SPIR-V; drivers may crash on what is not */
  kernel_options& il(netcl::bytes_in value) {
    raw_.il = il_.put(value.data(), value.size());
    raw_.il_size = value.size();
    return *this;
  }
  /** what netcl_kernel_get_binary gave, unchanged */
  kernel_options& binary(netcl::bytes_in value) {
    raw_.binary = binary_.put(value.data(), value.size());
    raw_.binary_size = value.size();
    return *this;
  }
  /** further flags: one token each, '-' first */
  kernel_options& flags(netcl::view<netcl::text> list) {
    raw_.flags = flags_.put(list.as<const char *>(), list.size());
    raw_.flags_count = list.count();
    return *this;
  }
  /** see netcl_kernel_shape_signature; 0: any shape */
  kernel_options& shape_signature(uint64_t value) noexcept {
    raw_.shape_signature = value;
    return *this;
  }
  /**
   * of launches that give none, all zeros: not set; a 0 before another extent is INVALID_ARGUMENT
   */
  kernel_options& local_size(const std::array<uint64_t, 3>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.local_size);
    return *this;
  }
  /** 1: accept a binary without netcl's checksum; drivers may crash on what is not theirs */
  kernel_options& trust_binary(bool value) noexcept {
    raw_.trust_binary = value ? 1 : 0;
    return *this;
  }
  /** 1: -cl-fast-relaxed-math, which may break NaN and infinity */
  kernel_options& fast_math(bool value) noexcept {
    raw_.fast_math = value ? 1 : 0;
    return *this;
  }
  /** 1: leave out the macros LOAD STORE ADD SUB MUL DIV RELU */
  kernel_options& no_preamble(bool value) noexcept {
    raw_.no_preamble = value ? 1 : 0;
    return *this;
  }
  kernel_options& tune(netcl::tune_mode value) {
    raw_.tune = static_cast<netcl_tune_mode>(value);
    return *this;
  }
  /**
   * indices of arguments that are no part of the problem, such as a seed or the number of a step:
   * what tuning found for one of their values is used for all
   */
  kernel_options& free_args(netcl::view<uint32_t> list) {
    raw_.free_args = free_args_.put(list.as<uint32_t>(), list.size());
    raw_.free_args_count = list.count();
    return *this;
  }
  /** Likewise, of one entry. */
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  kernel_options& free_args(T entry) {
    return free_args(netcl::view<uint32_t>({entry}));
  }

 private:
  detail::kept_list<char> source_;
  detail::kept_texts params_;
  detail::kept_list<char> preamble_;
  detail::kept_list<char> body_;
  detail::kept_list<unsigned char> il_;
  detail::kept_list<unsigned char> binary_;
  detail::kept_texts flags_;
  detail::kept_list<uint32_t> free_args_;
};

/**
 * What an op or a kernel has to do at least. The ops of the library declare theirs; launches say it
 * in their options. Amounts that are negative or no number, and more written than moved, are
 * INVALID_ARGUMENT.
 */
class work : public detail::sized<netcl_work> {
 public:
  using sized::sized;
  /** a multiplication and an addition are two */
  work& operations(double value) noexcept {
    raw_.operations = value;
    return *this;
  }
  /** read and written, each counted once */
  work& bytes(double value) noexcept {
    raw_.bytes = value;
    return *this;
  }
  /** the part of bytes that is written */
  work& bytes_written(double value) noexcept {
    raw_.bytes_written = value;
    return *this;
  }
  /** in which the operations are done; 0: f32 */
  work& dtype(netcl::dtype value) noexcept {
    raw_.dtype = static_cast<netcl_dtype>(value);
    return *this;
  }
  /** 1: on matrix units (tensor cores) */
  work& matrix_units(bool value) noexcept {
    raw_.matrix_units = value ? 1 : 0;
    return *this;
  }
  /** 1: none of it was in a cache before */
  work& cold_cache(bool value) noexcept {
    raw_.cold_cache = value ? 1 : 0;
    return *this;
  }
};

/**
 * How a kernel is launched. The work is what profiles and statistics count for the launch, so that
 * netcl_roofline_analyze_statistics knows it; its cold_cache must be 0, as a measurement knows that
 * itself.
 */
class launch_options : public detail::sized<netcl_launch_options> {
 public:
  using sized::sized;
  launch_options() noexcept = default;
  launch_options(const launch_options& other)
      : sized(other), work_(other.work_) {
    detail::follow(raw_.work, work_, other.work_);
  }
  launch_options& operator=(const launch_options& other) {
    if (this == &other) return *this;
    work_ = other.work_;
    raw_ = other.raw_;
    detail::follow(raw_.work, work_, other.work_);
    return *this;
  }
  ~launch_options() = default;
  /** global offset; UNSUPPORTED beyond the driver's bits */
  launch_options& offset(const std::array<uint64_t, 3>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.offset);
    return *this;
  }
  /** 1: round the global size up to the local size; the kernel guards */
  launch_options& round_up(bool value) noexcept {
    raw_.round_up = value ? 1 : 0;
    return *this;
  }
  /** what one launch has to do at least; NULL: not known */
  launch_options& work(const netcl::work& value) {
    work_ = value;
    raw_.work = *work_;
    return *this;
  }
  /** Likewise; what C has is not copied. */
  launch_options& work(const netcl_work* value) noexcept {
    raw_.work = value;
    return *this;
  }

 private:
  std::optional<netcl::work> work_;
};

/** What a launch uses; see netcl_kernel_explain_launch. */
class launch_explanation : public detail::sized<netcl_launch_explanation> {
 public:
  using sized::sized;
  /** work items that run; 1 beyond the dimensions of the launch */
  netcl::span<const uint64_t> global() const& noexcept { return {raw_.global, 3}; }
  netcl::bounded<uint64_t, 3> global() && { return netcl::bounded<uint64_t, 3>{raw_.global, 3}; }
  /** of a group; 1 beyond the dimensions of the launch */
  netcl::span<const uint64_t> local() const& noexcept { return {raw_.local, 3}; }
  netcl::bounded<uint64_t, 3> local() && { return netcl::bounded<uint64_t, 3>{raw_.local, 3}; }
  /** of local */
  netcl::local_origin origin() const noexcept {
    return static_cast<netcl::local_origin>(raw_.origin);
  }
  /** how the stored result fits; NONE: none is used */
  netcl::match match() const noexcept { return static_cast<netcl::match>(raw_.match); }
  /** nanoseconds that the stored result took; 0: not known */
  double median() const noexcept { return raw_.median; }
  /** and the untuned kernel */
  double default_median() const noexcept { return raw_.default_median; }
  /** those that tuning sets, "TILE=16 WORK=4"; longer texts are cut */
  std::string_view macros() const& noexcept { return detail::inline_text(raw_.macros); }
  std::string macros() && { return std::string{detail::inline_text(raw_.macros)}; }
  /** a sentence: which result is used and how it fits, or why not */
  std::string_view reason() const& noexcept { return detail::inline_text(raw_.reason); }
  std::string reason() && { return std::string{detail::inline_text(raw_.reason)}; }
};

/** Facts about a built kernel. */
class kernel_info : public detail::sized<netcl_kernel_info> {
 public:
  using sized::sized;
  uint32_t args_count() const noexcept { return raw_.args_count; }
  /** 1: the program came from the disk cache, not a compiler */
  bool from_cache() const noexcept { return raw_.from_cache != 0; }
  /** of the local size */
  uint32_t preferred_multiple() const noexcept { return raw_.preferred_multiple; }
  /** items of a group this kernel can have here */
  uint64_t max_local_size() const noexcept { return raw_.max_local_size; }
  /** reqd_work_group_size, zeros when absent */
  netcl::span<const uint64_t> required_local_size() const& noexcept {
    return {raw_.required_local_size, 3};
  }
  netcl::bounded<uint64_t, 3> required_local_size() && {
    return netcl::bounded<uint64_t, 3>{raw_.required_local_size, 3};
  }
  uint64_t local_memory_bytes() const noexcept { return raw_.local_memory_bytes; }
  uint64_t private_memory_bytes() const noexcept { return raw_.private_memory_bytes; }
  uint64_t shape_signature() const noexcept { return raw_.shape_signature; }
  std::string_view name() const& noexcept { return detail::inline_text(raw_.name); }
  std::string name() && { return std::string{detail::inline_text(raw_.name)}; }
};

/** Facts about one parameter of a built kernel. */
class kernel_arg_info : public detail::sized<netcl_kernel_arg_info> {
 public:
  using sized::sized;
  /** 1: __global or __constant pointer */
  bool is_buffer() const noexcept { return raw_.is_buffer != 0; }
  /** 1: __local pointer */
  bool is_local() const noexcept { return raw_.is_local != 0; }
  /** 1: the kernel does not write through it */
  bool is_const() const noexcept { return raw_.is_const != 0; }
  /** bytes of a scalar; 0 when unknown or not a scalar */
  uint32_t size() const noexcept { return raw_.size; }
  /** "" when the driver does not tell */
  std::string_view name() const& noexcept { return detail::inline_text(raw_.name); }
  std::string name() && { return std::string{detail::inline_text(raw_.name)}; }
  /** "float*" */
  std::string_view type_name() const& noexcept { return detail::inline_text(raw_.type_name); }
  std::string type_name() && { return std::string{detail::inline_text(raw_.type_name)}; }
};

/** Counters of the program cache of this process. */
class program_cache_info : public detail::sized<netcl_program_cache_info> {
 public:
  using sized::sized;
  /** builds answered by a program already in memory */
  uint64_t memory_hits() const noexcept { return raw_.memory_hits; }
  uint64_t memory_misses() const noexcept { return raw_.memory_misses; }
  /** programs loaded from the disk cache */
  uint64_t disk_hits() const noexcept { return raw_.disk_hits; }
  uint64_t disk_misses() const noexcept { return raw_.disk_misses; }
  /** entries refused: damaged, foreign, or bad to the driver */
  uint64_t disk_rejected() const noexcept { return raw_.disk_rejected; }
  uint64_t disk_writes() const noexcept { return raw_.disk_writes; }
  /** compilations by the driver */
  uint64_t source_builds() const noexcept { return raw_.source_builds; }
  uint64_t programs_in_memory() const noexcept { return raw_.programs_in_memory; }
  /** where the disk cache lives; "" when it is off */
  std::string_view directory() const& noexcept { return detail::inline_text(raw_.directory); }
  std::string directory() && { return std::string{detail::inline_text(raw_.directory)}; }
};

/** One program in the disk cache. */
class program_cache_entry : public detail::sized<netcl_program_cache_entry> {
 public:
  using sized::sized;
  /** of the file */
  uint64_t bytes() const noexcept { return raw_.bytes; }
  /** CLOCK_REALTIME of the last use */
  std::chrono::nanoseconds used() const noexcept { return detail::to_chrono(raw_.used_ns); }
  /** 1: nobody else can have written it, and every byte is right */
  bool sound() const noexcept { return raw_.sound != 0; }
  /** of the file in netcl_program_cache_info.directory */
  std::string_view name() const& noexcept { return detail::inline_text(raw_.name); }
  std::string name() && { return std::string{detail::inline_text(raw_.name)}; }
  /** name of the device it was built for */
  std::string_view device() const& noexcept { return detail::inline_text(raw_.device); }
  std::string device() && { return std::string{detail::inline_text(raw_.device)}; }
  /** names of its kernels with ", " between them, as far as they fit */
  std::string_view kernels() const& noexcept { return detail::inline_text(raw_.kernels); }
  std::string kernels() && { return std::string{detail::inline_text(raw_.kernels)}; }
  /** why it is not sound */
  std::string_view problem() const& noexcept { return detail::inline_text(raw_.problem); }
  std::string problem() && { return std::string{detail::inline_text(raw_.problem)}; }
};

/** What a choice is made for, beside the sizes. */
class variant_options : public detail::sized<netcl_variant_options> {
 public:
  using sized::sized;
  variant_options() noexcept = default;
  variant_options(const variant_options& other)
      : sized(other), info_(other.info_), capabilities_(other.capabilities_) {
    detail::follow(raw_.info, info_, other.info_);
    detail::follow(raw_.capabilities, capabilities_, other.capabilities_);
  }
  variant_options& operator=(const variant_options& other) {
    if (this == &other) return *this;
    info_ = other.info_;
    capabilities_ = other.capabilities_;
    raw_ = other.raw_;
    detail::follow(raw_.info, info_, other.info_);
    detail::follow(raw_.capabilities, capabilities_, other.capabilities_);
    return *this;
  }
  ~variant_options() = default;
  /** instead of the device's own, with the next */
  variant_options& info(const netcl::device_info& value) {
    info_ = value;
    raw_.info = *info_;
    return *this;
  }
  /** Likewise; what C has is not copied. */
  variant_options& info(const netcl_device_info* value) noexcept {
    raw_.info = value;
    return *this;
  }
  /** a recorded device; NULL: the device's own */
  variant_options& capabilities(const netcl::device_capabilities& value) {
    capabilities_ = value;
    raw_.capabilities = *capabilities_;
    return *this;
  }
  /** Likewise; what C has is not copied. */
  variant_options& capabilities(const netcl_device_capabilities* value) noexcept {
    raw_.capabilities = value;
    return *this;
  }
  /** of the elements; 0: f32 */
  variant_options& dtype(netcl::dtype value) noexcept {
    raw_.dtype = static_cast<netcl_dtype>(value);
    return *this;
  }
  /** a request; 0: by the rules */
  variant_options& variant(netcl::variant value) noexcept {
    raw_.variant = static_cast<netcl_variant>(value);
    return *this;
  }

 private:
  std::optional<netcl::device_info> info_;
  std::optional<netcl::device_capabilities> capabilities_;
};

/** A variant with its configuration. Members that the variant does not have are 0. */
class variant_config : public detail::sized<netcl_variant_config> {
 public:
  using sized::sized;
  variant_config& variant(netcl::variant value) noexcept {
    raw_.variant = static_cast<netcl_variant>(value);
    return *this;
  }
  netcl::variant variant() const noexcept { return static_cast<netcl::variant>(raw_.variant); }
  /** rows of the result per work-group (matmul, conv2d) */
  variant_config& tile_m(uint32_t value) noexcept {
    raw_.tile_m = value;
    return *this;
  }
  /** rows of the result per work-group (matmul, conv2d) */
  uint32_t tile_m() const noexcept { return raw_.tile_m; }
  /** columns of the result per work-group */
  variant_config& tile_n(uint32_t value) noexcept {
    raw_.tile_n = value;
    return *this;
  }
  /** columns of the result per work-group */
  uint32_t tile_n() const noexcept { return raw_.tile_n; }
  /** depth of a step */
  variant_config& tile_k(uint32_t value) noexcept {
    raw_.tile_k = value;
    return *this;
  }
  /** depth of a step */
  uint32_t tile_k() const noexcept { return raw_.tile_k; }
  /** rows of the result per work-item */
  variant_config& work_per_thread_m(uint32_t value) noexcept {
    raw_.work_per_thread_m = value;
    return *this;
  }
  /** rows of the result per work-item */
  uint32_t work_per_thread_m() const noexcept { return raw_.work_per_thread_m; }
  /** columns of the result per work-item */
  variant_config& work_per_thread_n(uint32_t value) noexcept {
    raw_.work_per_thread_n = value;
    return *this;
  }
  /** columns of the result per work-item */
  uint32_t work_per_thread_n() const noexcept { return raw_.work_per_thread_n; }
  variant_config& local_size_1d(uint32_t value) noexcept {
    raw_.local_size_1d = value;
    return *this;
  }
  uint32_t local_size_1d() const noexcept { return raw_.local_size_1d; }
  variant_config& local_size_2d(const std::array<uint32_t, 2>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.local_size_2d);
    return *this;
  }
  netcl::span<const uint32_t> local_size_2d() const& noexcept { return {raw_.local_size_2d, 2}; }
  netcl::bounded<uint32_t, 2> local_size_2d() && {
    return netcl::bounded<uint32_t, 2>{raw_.local_size_2d, 2};
  }
  /** 1: tiles are staged in local memory */
  variant_config& use_local_memory(bool value) noexcept {
    raw_.use_local_memory = value ? 1 : 0;
    return *this;
  }
  /** 1: tiles are staged in local memory */
  bool use_local_memory() const noexcept { return raw_.use_local_memory != 0; }
  /** 1: vector_width elements are loaded at once */
  variant_config& use_vectorization(bool value) noexcept {
    raw_.use_vectorization = value ? 1 : 0;
    return *this;
  }
  /** 1: vector_width elements are loaded at once */
  bool use_vectorization() const noexcept { return raw_.use_vectorization != 0; }
  /** elements */
  variant_config& vector_width(uint32_t value) noexcept {
    raw_.vector_width = value;
    return *this;
  }
  /** elements */
  uint32_t vector_width() const noexcept { return raw_.vector_width; }
  /** outputs per tile edge: 2 or 4 */
  variant_config& winograd_tile(uint32_t value) noexcept {
    raw_.winograd_tile = value;
    return *this;
  }
  /** outputs per tile edge: 2 or 4 */
  uint32_t winograd_tile() const noexcept { return raw_.winograd_tile; }
  /** work-groups of a reduction's first stage */
  variant_config& groups(uint32_t value) noexcept {
    raw_.groups = value;
    return *this;
  }
  /** work-groups of a reduction's first stage */
  uint32_t groups() const noexcept { return raw_.groups; }
  /** 1: the same question was answered before */
  variant_config& from_cache(bool value) noexcept {
    raw_.from_cache = value ? 1 : 0;
    return *this;
  }
  /** 1: the same question was answered before */
  bool from_cache() const noexcept { return raw_.from_cache != 0; }
  /**
   * groups that share the depth of a tile (matmul on GPUs); from 2 on a second launch,
   * netcl_matmul_join, adds up their sums
   */
  variant_config& split_k(uint32_t value) noexcept {
    raw_.split_k = value;
    return *this;
  }
  /**
   * groups that share the depth of a tile (matmul on GPUs); from 2 on a second launch,
   * netcl_matmul_join, adds up their sums
   */
  uint32_t split_k() const noexcept { return raw_.split_k; }
  /** what the kernel's name begins with in traces */
  variant_config& kernel(std::string_view value) noexcept {
    const size_t size = std::min<size_t>(value.size(), sizeof(raw_.kernel) - 1);
    std::memset(raw_.kernel, 0, sizeof(raw_.kernel));
    value.copy(raw_.kernel, size);
    return *this;
  }
  /** what the kernel's name begins with in traces */
  std::string_view kernel() const& noexcept { return detail::inline_text(raw_.kernel); }
  std::string kernel() && { return std::string{detail::inline_text(raw_.kernel)}; }
  /** why this one, in words */
  variant_config& reason(std::string_view value) noexcept {
    const size_t size = std::min<size_t>(value.size(), sizeof(raw_.reason) - 1);
    std::memset(raw_.reason, 0, sizeof(raw_.reason));
    value.copy(raw_.reason, size);
    return *this;
  }
  /** why this one, in words */
  std::string_view reason() const& noexcept { return detail::inline_text(raw_.reason); }
  std::string reason() && { return std::string{detail::inline_text(raw_.reason)}; }
};

/**
 * Sizes of a 2-d convolution, as netcl_op_conv2d takes them from its tensors and options. A tensor
 * of more than 2^60 elements is INVALID_ARGUMENT, as are strides, dilations and padding beyond 2^31
 * - 1.
 */
class conv2d_shape : public detail::sized<netcl_conv2d_shape> {
 public:
  using sized::sized;
  conv2d_shape& batch(int64_t value) noexcept {
    raw_.batch = value;
    return *this;
  }
  conv2d_shape& channels(int64_t value) noexcept {
    raw_.channels = value;
    return *this;
  }
  conv2d_shape& height(int64_t value) noexcept {
    raw_.height = value;
    return *this;
  }
  conv2d_shape& width(int64_t value) noexcept {
    raw_.width = value;
    return *this;
  }
  conv2d_shape& filters(int64_t value) noexcept {
    raw_.filters = value;
    return *this;
  }
  conv2d_shape& kernel_height(int64_t value) noexcept {
    raw_.kernel_height = value;
    return *this;
  }
  conv2d_shape& kernel_width(int64_t value) noexcept {
    raw_.kernel_width = value;
    return *this;
  }
  /** 0: 1 */
  conv2d_shape& strides(const std::array<int64_t, 2>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.strides);
    return *this;
  }
  /** 0: 1 */
  conv2d_shape& dilations(const std::array<int64_t, 2>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.dilations);
    return *this;
  }
  /** top, left, bottom, right */
  conv2d_shape& padding(const std::array<int64_t, 4>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.padding);
    return *this;
  }
  /** 0: 1 */
  conv2d_shape& groups(int64_t value) noexcept {
    raw_.groups = value;
    return *this;
  }
};

/**
 * Ops follow ONNX opset 17 where ONNX has the op. f16 and bf16 are computed in f32 (sums too) and
 * rounded once. f64 is UNSUPPORTED on a device without fp64. Tensors may have any strides; results
 * are new C-order tensors unless run->into is set, whose shape and dtype must be those of the
 * result. run->into shares no memory with an input unless the op says so. The same input gives the
 * same bits each time on a device, with any number of threads, unless an option asks for atomics.
 * Axes count from the end when negative. Sizes, shapes, axes or dtypes that do not fit are
 * INVALID_ARGUMENT naming the two things that disagree; dtypes an op does not take are UNSUPPORTED.
 */
class expression_options : public detail::sized<netcl_expression_options> {
 public:
  using sized::sized;
  /** of the result; 0: as promotion of the inputs gives */
  expression_options& dtype(netcl::dtype value) noexcept {
    raw_.dtype = static_cast<netcl_dtype>(value);
    return *this;
  }
  /** 0, ELEMENTWISE_SCALAR or ELEMENTWISE_VECTORIZED */
  expression_options& variant(netcl::variant value) noexcept {
    raw_.variant = static_cast<netcl_variant>(value);
    return *this;
  }
};

/** As netcl_expressions_options. */
class expressions_options : public detail::sized<netcl_expressions_options> {
 public:
  using sized::sized;
  expressions_options() noexcept = default;
  expressions_options(const expressions_options& other)
      : sized(other), dtypes_(other.dtypes_), results_into_(other.results_into_) {
    detail::follow(raw_.dtypes, dtypes_, other.dtypes_);
    detail::follow(raw_.results_into, results_into_, other.results_into_);
  }
  expressions_options& operator=(const expressions_options& other) {
    if (this == &other) return *this;
    dtypes_ = other.dtypes_;
    results_into_ = other.results_into_;
    raw_ = other.raw_;
    detail::follow(raw_.dtypes, dtypes_, other.dtypes_);
    detail::follow(raw_.results_into, results_into_, other.results_into_);
    return *this;
  }
  ~expressions_options() = default;
  /** of the results, 0 for one as promotion of the inputs gives; none: 0 for all */
  expressions_options& dtypes(netcl::view<netcl::dtype> list) {
    raw_.dtypes = dtypes_.put(list.as<netcl_dtype>(), list.size());
    raw_.dtypes_count = list.count();
    return *this;
  }
  /** Likewise, of one entry. */
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  expressions_options& dtypes(T entry) {
    return dtypes(netcl::view<netcl::dtype>({entry}));
  }
  /** write the results here: tensors of one shape, each on memory of its own; none: new tensors */
  expressions_options& results_into(netcl::view<netcl::tensor_ref> list) {
    raw_.results_into = results_into_.put(list.as<netcl_tensor *>(), list.size());
    raw_.results_into_count = list.count();
    return *this;
  }
  /** 0, ELEMENTWISE_SCALAR or ELEMENTWISE_VECTORIZED */
  expressions_options& variant(netcl::variant value) noexcept {
    raw_.variant = static_cast<netcl_variant>(value);
    return *this;
  }

 private:
  detail::kept_list<netcl_dtype> dtypes_;
  detail::kept_list<netcl_tensor *> results_into_;
};

/** As netcl_elementwise_options. */
class elementwise_options : public detail::sized<netcl_elementwise_options> {
 public:
  using sized::sized;
  /** of the result; 0: as promotion of the inputs gives */
  elementwise_options& dtype(netcl::dtype value) noexcept {
    raw_.dtype = static_cast<netcl_dtype>(value);
    return *this;
  }
  /** 0, ELEMENTWISE_SCALAR or ELEMENTWISE_VECTORIZED */
  elementwise_options& variant(netcl::variant value) noexcept {
    raw_.variant = static_cast<netcl_variant>(value);
    return *this;
  }
  /**
   * 1: they are set; 0: the operator's defaults. alpha: with has_parameters = 1; beta: with
   * has_parameters = 1
   */
  elementwise_options& parameters(double alpha, double beta) noexcept {
    raw_.alpha = alpha;
    raw_.beta = beta;
    raw_.has_parameters = 1;
    return *this;
  }
};

/**
 * Formulas are over v0 ... v(arity-1) and the attributes by their names; those of gradients also
 * over grad, the gradient of what was made of the result, and out, the result. A primitive of any
 * number of inputs (arity 0) joins two in its forward formula: v0 is the result of the inputs
 * before, v1 the next input, and one input alone is its own result. It has one backward formula for
 * every input, in which v0 is that input. All that a formula needs is copied.
 */
class primitive_options : public detail::sized<netcl_primitive_options> {
 public:
  using sized::sized;
  primitive_options() noexcept = default;
  primitive_options(const primitive_options& other)
      : sized(other), forward_(other.forward_), backward_(other.backward_),
        attributes_(other.attributes_), defaults_(other.defaults_) {
    detail::follow(raw_.forward, forward_, other.forward_);
    detail::follow(raw_.backward, backward_, other.backward_);
    detail::follow(raw_.attributes, attributes_, other.attributes_);
    detail::follow(raw_.defaults, defaults_, other.defaults_);
  }
  primitive_options& operator=(const primitive_options& other) {
    if (this == &other) return *this;
    forward_ = other.forward_;
    backward_ = other.backward_;
    attributes_ = other.attributes_;
    defaults_ = other.defaults_;
    raw_ = other.raw_;
    detail::follow(raw_.forward, forward_, other.forward_);
    detail::follow(raw_.backward, backward_, other.backward_);
    detail::follow(raw_.attributes, attributes_, other.attributes_);
    detail::follow(raw_.defaults, defaults_, other.defaults_);
    return *this;
  }
  ~primitive_options() = default;
  /** formula of the result: "MUL(v0, v1)" or "v0 * v1" */
  primitive_options& forward(netcl::text value) {
    raw_.forward = forward_.text(value.c_str());
    return *this;
  }
  /**
   * formulas of the gradients of the inputs in their order; "": as the derivative of forward. None:
   * all of them so
   */
  primitive_options& backward(netcl::view<netcl::text> list) {
    raw_.backward = backward_.put(list.as<const char *>(), list.size());
    raw_.backward_count = list.count();
    return *this;
  }
  /**
   * names of numbers that each call may set: letters, digits and _, up to 31, and no name of the
   * language
   */
  primitive_options& attributes(netcl::view<netcl::text> list) {
    raw_.attributes = attributes_.put(list.as<const char *>(), list.size());
    raw_.attributes_count = list.count();
    return *this;
  }
  /** values of the attributes where a call sets none; none: every call sets all */
  primitive_options& defaults(netcl::view<double> list) {
    raw_.defaults = defaults_.put(list.as<double>(), list.size());
    raw_.defaults_count = list.count();
    return *this;
  }
  /** Likewise, of one entry. */
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  primitive_options& defaults(T entry) {
    return defaults(netcl::view<double>({entry}));
  }
  /** number of inputs, 1 to NETCL_PRIMITIVE_INPUTS_MAX; 0: any */
  primitive_options& arity(uint32_t value) noexcept {
    raw_.arity = value;
    return *this;
  }
  /** 1: a function of the host gives gradients too; 0 for others */
  primitive_options& gives_gradients(bool value) noexcept {
    raw_.gives_gradients = value ? 1 : 0;
    return *this;
  }
  /**
   * 1: what the function calls is not kept for gradients; it is called again when these are asked
   * for. 0 for others
   */
  primitive_options& checkpoint(bool value) noexcept {
    raw_.checkpoint = value ? 1 : 0;
    return *this;
  }

 private:
  detail::kept_list<char> forward_;
  detail::kept_texts backward_;
  detail::kept_texts attributes_;
  detail::kept_list<double> defaults_;
};

/** How the kernels of a primitive are launched; see netcl_primitive_register_kernels. */
class primitive_kernels : public detail::sized<netcl_primitive_kernels> {
 public:
  using sized::sized;
  primitive_kernels() noexcept = default;
  primitive_kernels(const primitive_kernels& other)
      : sized(other), backward_(other.backward_) {
    detail::follow(raw_.backward, backward_, other.backward_);
  }
  primitive_kernels& operator=(const primitive_kernels& other) {
    if (this == &other) return *this;
    backward_ = other.backward_;
    raw_ = other.raw_;
    detail::follow(raw_.backward, backward_, other.backward_);
    return *this;
  }
  ~primitive_kernels() = default;
  /** gives the result */
  primitive_kernels& forward(netcl::kernel_ref value) noexcept {
    raw_.forward = value.raw();
    return *this;
  }
  /** give the gradients of the inputs in their order; none: the primitive has no gradient */
  primitive_kernels& backward(netcl::view<netcl::kernel_ref> list) {
    raw_.backward = backward_.put(list.as<netcl_kernel *>(), list.size());
    raw_.backward_count = list.count();
    return *this;
  }
  /** work items, 0 from rank on */
  primitive_kernels& global(const std::array<uint64_t, 3>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.global);
    return *this;
  }
  /** of a group, 0 from rank on; zeros: netcl's own choice */
  primitive_kernels& local(const std::array<uint64_t, 3>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.local);
    return *this;
  }
  /**
   * of global and local, up to 3; 0: a launch has one item for each element that it writes, in one
   * dimension
   */
  primitive_kernels& rank(uint32_t value) noexcept {
    raw_.rank = value;
    return *this;
  }

 private:
  detail::kept_list<netcl_kernel *> backward_;
};

/** A call of a primitive, as its function sees it: valid while that runs. */
class primitive_call {
 public:
  explicit primitive_call(const netcl_primitive_call& raw) noexcept : raw_(&raw) {}
  const netcl_primitive_call& raw() const noexcept { return *raw_; }
  /** of the call; borrowed */
  netcl::view<netcl::tensor_ref> inputs() const noexcept {
    return {reinterpret_cast<const netcl::tensor_ref *>(raw_->inputs), raw_->inputs_count};
  }
  /** One of these; INVALID_ARGUMENT where there are not as many. */
  returns<netcl::tensor_ref> input(uint32_t index) const {
    if (index >= raw_->inputs_count) {
      return detail::failed<netcl::tensor_ref>(
          detail::refuse_entry("inputs", index, raw_->inputs_count));
    }
    returns<netcl::tensor_ref> out{};
    detail::value(out) = netcl::tensor_ref(raw_->inputs[index]);
    return out;
  }
  /** of the attributes, in the order of their registration */
  netcl::span<const double> values() const noexcept {
    return {raw_->values, raw_->values_count};
  }
  /** One of these; INVALID_ARGUMENT where there are not as many. */
  returns<double> value(uint32_t index) const {
    if (index >= raw_->values_count) {
      return detail::failed<double>(
          detail::refuse_entry("values", index, raw_->values_count));
    }
    returns<double> out{};
    detail::value(out) = raw_->values[index];
    return out;
  }
  /** the gradient of what was made of the result, borrowed; NULL: the result is asked for */
  netcl::tensor_ref grad() const noexcept {
    return netcl::tensor_ref(raw_->grad);
  }
  /** the result, borrowed; NULL with grad */
  netcl::tensor_ref out_() const noexcept {
    return netcl::tensor_ref(raw_->out);
  }
  /** queue, waits and graph of the call, to be handed on to each op and launch */
  const netcl_run_options * run() const noexcept {
    return raw_->run;
  }
  /** What records the call; empty where nothing does. */
  graph_ref graph() const noexcept {
    return graph_ref(raw_->run ? raw_->run->graph : nullptr);
  }
  /** gradients that are asked for: bit i for inputs[i] */
  uint64_t wanted() const noexcept {
    return raw_->wanted;
  }
  /** what the function may make: 1, or with grad inputs_count */
  uint32_t tensors_count() const noexcept {
    return raw_->tensors_count;
  }

 private:
  const netcl_primitive_call* raw_;
};

/**
 * Values of attributes for one call, NULL: the defaults of all. A value stands in the formula as a
 * floating literal, whose type is that of what it meets. As with literals, new values compile
 * nothing, but for exponents and the like (docs/expressions.md).
 */
class primitive_call_options : public detail::sized<netcl_primitive_call_options> {
 public:
  using sized::sized;
  primitive_call_options() noexcept = default;
  primitive_call_options(const primitive_call_options& other)
      : sized(other), attributes_(other.attributes_), values_(other.values_) {
    detail::follow(raw_.attributes, attributes_, other.attributes_);
    detail::follow(raw_.values, values_, other.values_);
  }
  primitive_call_options& operator=(const primitive_call_options& other) {
    if (this == &other) return *this;
    attributes_ = other.attributes_;
    values_ = other.values_;
    raw_ = other.raw_;
    detail::follow(raw_.attributes, attributes_, other.attributes_);
    detail::follow(raw_.values, values_, other.values_);
    return *this;
  }
  ~primitive_call_options() = default;
  /** names, each at most once */
  primitive_call_options& attributes(netcl::view<netcl::text> list) {
    raw_.attributes = attributes_.put(list.as<const char *>(), list.size());
    raw_.attributes_count = list.count();
    return *this;
  }
  /** of the attributes, in the same order */
  primitive_call_options& values(netcl::view<double> list) {
    raw_.values = values_.put(list.as<double>(), list.size());
    raw_.values_count = list.count();
    return *this;
  }
  /** Likewise, of one entry. */
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  primitive_call_options& values(T entry) {
    return values(netcl::view<double>({entry}));
  }

 private:
  detail::kept_texts attributes_;
  detail::kept_list<double> values_;
};

/**
 * What is done to each element of a product before it is stored: activation(product + bias +
 * residual), in the precision of the sums, rounded once.
 */
class epilogue : public detail::sized<netcl_epilogue> {
 public:
  using sized::sized;
  /** matmul: broadcasts to the result; conv2d: [filters] */
  epilogue& bias(netcl::tensor_ref value) noexcept {
    raw_.bias = value.raw();
    return *this;
  }
  /** the shape of the result; may be run->into: beta + 1 */
  epilogue& residual(netcl::tensor_ref value) noexcept {
    raw_.residual = value.raw();
    return *this;
  }
  epilogue& activation(netcl::activation value) noexcept {
    raw_.activation = static_cast<netcl_activation>(value);
    return *this;
  }
  /**
   * 1: alpha and beta are set, even to 0. alpha: of the activation; both 0: the activation's
   * defaults; beta: of the activation; both 0: the activation's defaults
   */
  epilogue& parameters(double alpha, double beta) noexcept {
    raw_.alpha = alpha;
    raw_.beta = beta;
    raw_.has_parameters = 1;
    return *this;
  }
};

/** As netcl_matmul_options. */
class matmul_options : public detail::sized<netcl_matmul_options> {
 public:
  using sized::sized;
  matmul_options() noexcept = default;
  matmul_options(const matmul_options& other)
      : sized(other), epilogue_(other.epilogue_) {
    detail::follow(raw_.epilogue, epilogue_, other.epilogue_);
  }
  matmul_options& operator=(const matmul_options& other) {
    if (this == &other) return *this;
    epilogue_ = other.epilogue_;
    raw_ = other.raw_;
    detail::follow(raw_.epilogue, epilogue_, other.epilogue_);
    return *this;
  }
  ~matmul_options() = default;
  /** NULL: none; its tensors have the dtype of a or the result, for i8 and u8 that of the result */
  matmul_options& epilogue(const netcl::epilogue& value) {
    epilogue_ = value;
    raw_.epilogue = *epilogue_;
    return *this;
  }
  /** Likewise; what C has is not copied. */
  matmul_options& epilogue(const netcl_epilogue* value) noexcept {
    raw_.epilogue = value;
    return *this;
  }
  /** of the result; 0: as the inputs, i32 of i8 and u8 */
  matmul_options& dtype(netcl::dtype value) noexcept {
    raw_.dtype = static_cast<netcl_dtype>(value);
    return *this;
  }
  /**
   * 1: take alpha and beta; 0: alpha = 1, beta = 0. alpha: with has_scale = 1; beta: with has_scale
   * = 1; needs run->into
   */
  matmul_options& scale(double alpha, double beta) noexcept {
    raw_.alpha = alpha;
    raw_.beta = beta;
    raw_.has_scale = 1;
    return *this;
  }
  /** 0 or one of MATMUL_... */
  matmul_options& variant(netcl::variant value) noexcept {
    raw_.variant = static_cast<netcl_variant>(value);
    return *this;
  }
  /** of f32, and of its gradients; other dtypes have STRICT alone */
  matmul_options& precision(netcl::precision value) noexcept {
    raw_.precision = static_cast<netcl_precision>(value);
    return *this;
  }
  /**
   * i8 and u8 alone; NULL: 0. Of a's dtype, one element (any rank), [M], or [..., M, 1] whose
   * leading dimensions broadcast to the result's
   */
  matmul_options& a_zero_point(netcl::tensor_ref value) noexcept {
    raw_.a_zero_point = value.raw();
    return *this;
  }
  /** the same of b: one element, [N], or [..., 1, N] */
  matmul_options& b_zero_point(netcl::tensor_ref value) noexcept {
    raw_.b_zero_point = value.raw();
    return *this;
  }

 private:
  std::optional<netcl::epilogue> epilogue_;
};

/**
 * A batch normalisation (inference) that is folded into a convolution. All tensors are [filters]
 * and have x's dtype or f32.
 */
class conv2d_batchnorm : public detail::sized<netcl_conv2d_batchnorm> {
 public:
  using sized::sized;
  /** NULL: 1 */
  conv2d_batchnorm& scale(netcl::tensor_ref value) noexcept {
    raw_.scale = value.raw();
    return *this;
  }
  /** NULL: 0 */
  conv2d_batchnorm& bias(netcl::tensor_ref value) noexcept {
    raw_.bias = value.raw();
    return *this;
  }
  conv2d_batchnorm& mean(netcl::tensor_ref value) noexcept {
    raw_.mean = value.raw();
    return *this;
  }
  conv2d_batchnorm& variance(netcl::tensor_ref value) noexcept {
    raw_.variance = value.raw();
    return *this;
  }
  /** finite, from 0 on; 0: 1e-5, but for has_epsilon */
  conv2d_batchnorm& epsilon(double value) noexcept {
    raw_.epsilon = value;
    raw_.has_epsilon = 1;
    return *this;
  }
  /** 1: epsilon is set, even to 0 */
  conv2d_batchnorm& has_epsilon(bool value) noexcept {
    raw_.has_epsilon = value ? 1 : 0;
    return *this;
  }
};

/** As netcl_conv2d_options. */
class conv2d_options : public detail::sized<netcl_conv2d_options> {
 public:
  using sized::sized;
  conv2d_options() noexcept = default;
  conv2d_options(const conv2d_options& other)
      : sized(other), epilogue_(other.epilogue_), batchnorm_(other.batchnorm_) {
    detail::follow(raw_.epilogue, epilogue_, other.epilogue_);
    detail::follow(raw_.batchnorm, batchnorm_, other.batchnorm_);
  }
  conv2d_options& operator=(const conv2d_options& other) {
    if (this == &other) return *this;
    epilogue_ = other.epilogue_;
    batchnorm_ = other.batchnorm_;
    raw_ = other.raw_;
    detail::follow(raw_.epilogue, epilogue_, other.epilogue_);
    detail::follow(raw_.batchnorm, batchnorm_, other.batchnorm_);
    return *this;
  }
  ~conv2d_options() = default;
  /** NULL: none; bias has x's dtype or f32, residual x's dtype */
  conv2d_options& epilogue(const netcl::epilogue& value) {
    epilogue_ = value;
    raw_.epilogue = *epilogue_;
    return *this;
  }
  /** Likewise; what C has is not copied. */
  conv2d_options& epilogue(const netcl_epilogue* value) noexcept {
    raw_.epilogue = value;
    return *this;
  }
  /** comes after the bias, before residual and activation */
  conv2d_options& batchnorm(const netcl::conv2d_batchnorm& value) {
    batchnorm_ = value;
    raw_.batchnorm = *batchnorm_;
    return *this;
  }
  /** Likewise; what C has is not copied. */
  conv2d_options& batchnorm(const netcl_conv2d_batchnorm* value) noexcept {
    raw_.batchnorm = value;
    return *this;
  }
  /** 0: 1 */
  conv2d_options& strides(const std::array<int64_t, 2>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.strides);
    return *this;
  }
  /** 0: 1 */
  conv2d_options& dilations(const std::array<int64_t, 2>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.dilations);
    return *this;
  }
  /** zeros around x: top, left, bottom, right */
  conv2d_options& padding(const std::array<int64_t, 4>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.padding);
    return *this;
  }
  /** 0: 1 */
  conv2d_options& groups(int64_t value) noexcept {
    raw_.groups = value;
    return *this;
  }
  /** 0 or one of CONV2D_... */
  conv2d_options& variant(netcl::variant value) noexcept {
    raw_.variant = static_cast<netcl_variant>(value);
    return *this;
  }
  /** with CONV2D_WINOGRAD: 2 or 4; 0: by the rules */
  conv2d_options& winograd_tile(uint32_t value) noexcept {
    raw_.winograd_tile = value;
    return *this;
  }

 private:
  std::optional<netcl::epilogue> epilogue_;
  std::optional<netcl::conv2d_batchnorm> batchnorm_;
};

/**
 * How weights are quantised, for all ops on them, which need `format`. NBITS alone has scales, zero
 * points, bits and block_size, which are NULL and 0 with the others.
 */
class quantized_options : public detail::sized<netcl_quantized_options> {
 public:
  using sized::sized;
  quantized_options() noexcept = default;
  quantized_options(const quantized_options& other)
      : sized(other), epilogue_(other.epilogue_) {
    detail::follow(raw_.epilogue, epilogue_, other.epilogue_);
  }
  quantized_options& operator=(const quantized_options& other) {
    if (this == &other) return *this;
    epilogue_ = other.epilogue_;
    raw_ = other.raw_;
    detail::follow(raw_.epilogue, epilogue_, other.epilogue_);
    return *this;
  }
  ~quantized_options() = default;
  /** [N * blocks] or [N, blocks], f32, f16 or bf16 */
  quantized_options& scales(netcl::tensor_ref value) noexcept {
    raw_.scales = value.raw();
    return *this;
  }
  /**
   * NULL: 2^(bits - 1). u8 as [N * P] or [N, P], each row's packed like codes in P = ceil(blocks
   * bits / 8) bytes; or of the scales' dtype and shapes
   */
  quantized_options& zero_points(netcl::tensor_ref value) noexcept {
    raw_.zero_points = value.raw();
    return *this;
  }
  /** of a product: as in netcl_matmul_options; NULL: none */
  quantized_options& epilogue(const netcl::epilogue& value) {
    epilogue_ = value;
    raw_.epilogue = *epilogue_;
    return *this;
  }
  /** Likewise; what C has is not copied. */
  quantized_options& epilogue(const netcl_epilogue* value) noexcept {
    raw_.epilogue = value;
    return *this;
  }
  /**
   * K; 0: all weights of the blocks. Of NBITS the last block may have less: K > (blocks - 1)
   * block_size
   */
  quantized_options& k(int64_t value) noexcept {
    raw_.k = value;
    return *this;
  }
  quantized_options& format(netcl::quantization value) noexcept {
    raw_.format = static_cast<netcl_quantization>(value);
    return *this;
  }
  /** 4 or 8 (UNSUPPORTED otherwise); 0: 4 */
  quantized_options& bits(uint32_t value) noexcept {
    raw_.bits = value;
    return *this;
  }
  /** 16, 32, 64, 128 or 256; 0: 32 */
  quantized_options& block_size(uint32_t value) noexcept {
    raw_.block_size = value;
    return *this;
  }
  /**
   * of what is made. Product: x's, or f32; 0: run->into's, or x's. Dequantised weights: f32, f16 or
   * bf16; 0: run->into's, or f32. Scales of NBITS that are made: f32, f16 or bf16; 0: f32
   */
  quantized_options& dtype(netcl::dtype value) noexcept {
    raw_.dtype = static_cast<netcl_dtype>(value);
    return *this;
  }
  /** 1: netcl_op_quantize_weights makes zero points, of NBITS */
  quantized_options& has_zero_points(bool value) noexcept {
    raw_.has_zero_points = value ? 1 : 0;
    return *this;
  }

 private:
  std::optional<netcl::epilogue> epilogue_;
};

/** As netcl_attention_options. */
class attention_options : public detail::sized<netcl_attention_options> {
 public:
  using sized::sized;
  /**
   * added to the scores: of q's dtype or f32, broadcasts to [B, H, M, N]; -inf hides a key whose
   * score is finite
   */
  attention_options& bias(netcl::tensor_ref value) noexcept {
    raw_.bias = value.raw();
    return *this;
  }
  /** bool, true: the key is seen; broadcasts to [B, H, M, N] */
  attention_options& mask(netcl::tensor_ref value) noexcept {
    raw_.mask = value.raw();
    return *this;
  }
  /** i32 [B]: queries of each sequence, 0 to M; NULL: M */
  attention_options& query_lengths(netcl::tensor_ref value) noexcept {
    raw_.query_lengths = value.raw();
    return *this;
  }
  /** i32 [B]: keys of each sequence, 0 to N; NULL: N */
  attention_options& key_lengths(netcl::tensor_ref value) noexcept {
    raw_.key_lengths = value.raw();
    return *this;
  }
  /** i32 [B, P]: k and v are pages, of which these are each sequence's; needs key_lengths */
  attention_options& block_table(netcl::tensor_ref value) noexcept {
    raw_.block_table = value.raw();
    return *this;
  }
  /** write the log-sum-exp here */
  attention_options& lse_into(netcl::tensor_ref value) noexcept {
    raw_.lse_into = value.raw();
    return *this;
  }
  /** of q k; 0: 1 / sqrt(D), but for has_scale */
  attention_options& scale(double value) noexcept {
    raw_.scale = value;
    raw_.has_scale = 1;
    return *this;
  }
  /** c > 0: a score s becomes c tanh(s / c), before the bias; 0: it does not */
  attention_options& softcap(double value) noexcept {
    raw_.softcap = value;
    return *this;
  }
  /** with has_position: the key at which query 0 stands */
  attention_options& position(int64_t value) noexcept {
    raw_.position = value;
    raw_.has_position = 1;
    return *this;
  }
  /** 1: scale is set, even to 0 */
  attention_options& has_scale(bool value) noexcept {
    raw_.has_scale = value ? 1 : 0;
    return *this;
  }
  /** 1: position is set; 0: the last query stands at the last key */
  attention_options& has_position(bool value) noexcept {
    raw_.has_position = value ? 1 : 0;
    return *this;
  }
  /**
   * 1: they are set. window_before: with has_window: keys seen before a query's own; -1: all;
   * window_after: with has_window: keys seen behind it; -1: all; causal: 0, -1
   */
  attention_options& window(int64_t window_before, int64_t window_after) noexcept {
    raw_.window_before = window_before;
    raw_.window_after = window_after;
    raw_.has_window = 1;
    return *this;
  }
  /** 1: no key behind a query's own is seen */
  attention_options& causal(bool value) noexcept {
    raw_.causal = value ? 1 : 0;
    return *this;
  }
  /** 0 or one of ATTENTION_... */
  attention_options& variant(netcl::variant value) noexcept {
    raw_.variant = static_cast<netcl_variant>(value);
    return *this;
  }
};

/** As netcl_rotary_embedding_options. */
class rotary_embedding_options : public detail::sized<netcl_rotary_embedding_options> {
 public:
  using sized::sized;
  /** i32 or i64 [B, S]: the row of the caches for each token; NULL: the caches are [B, S, R / 2] */
  rotary_embedding_options& position_ids(netcl::tensor_ref value) noexcept {
    raw_.position_ids = value.raw();
    return *this;
  }
  /** H of x of rank 3; of rank 4 0 or H */
  rotary_embedding_options& num_heads(int64_t value) noexcept {
    raw_.num_heads = value;
    return *this;
  }
  /**
   * R, even: so many elements of a head, the first, are rotated, the others stay as they are; 0: D,
   * which is even then
   */
  rotary_embedding_options& rotary_embedding_dim(int64_t value) noexcept {
    raw_.rotary_embedding_dim = value;
    return *this;
  }
  /** 1: elements 2 i and 2 i + 1 are a pair; 0: i and i + R / 2 */
  rotary_embedding_options& interleaved(bool value) noexcept {
    raw_.interleaved = value ? 1 : 0;
    return *this;
  }
  /** 1: by the negative angle, which undoes a rotation */
  rotary_embedding_options& inverse(bool value) noexcept {
    raw_.inverse = value ? 1 : 0;
    return *this;
  }
};

/** As netcl_reduce_options. */
class reduce_options : public detail::sized<netcl_reduce_options> {
 public:
  using sized::sized;
  reduce_options() noexcept = default;
  reduce_options(const reduce_options& other)
      : sized(other), axes_(other.axes_) {
    detail::follow(raw_.axes, axes_, other.axes_);
  }
  reduce_options& operator=(const reduce_options& other) {
    if (this == &other) return *this;
    axes_ = other.axes_;
    raw_ = other.raw_;
    detail::follow(raw_.axes, axes_, other.axes_);
    return *this;
  }
  ~reduce_options() = default;
  /** axes_count 0: all axes */
  reduce_options& axes(netcl::view<int32_t> list) {
    raw_.axes = axes_.put(list.as<int32_t>(), list.size());
    raw_.axes_count = list.count();
    return *this;
  }
  /** Likewise, of one entry. */
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  reduce_options& axes(T entry) {
    return axes(netcl::view<int32_t>({entry}));
  }
  /** 1: reduced axes stay with extent 1 */
  reduce_options& keepdims(bool value) noexcept {
    raw_.keepdims = value ? 1 : 0;
    return *this;
  }
  /** of the result; 0: as x (see netcl_op_reduce) */
  reduce_options& dtype(netcl::dtype value) noexcept {
    raw_.dtype = static_cast<netcl_dtype>(value);
    return *this;
  }
  /** 0 or one of REDUCTION_... */
  reduce_options& variant(netcl::variant value) noexcept {
    raw_.variant = static_cast<netcl_variant>(value);
    return *this;
  }
  /** 1: ARGMAX and ARGMIN give the last of equals */
  reduce_options& select_last(bool value) noexcept {
    raw_.select_last = value ? 1 : 0;
    return *this;
  }

 private:
  detail::kept_list<int32_t> axes_;
};

/** As netcl_scan_options. */
class scan_options : public detail::sized<netcl_scan_options> {
 public:
  using sized::sized;
  /** 1: element i is of those before i, the first one the neutral value */
  scan_options& exclusive(bool value) noexcept {
    raw_.exclusive = value ? 1 : 0;
    return *this;
  }
  /** 1: from the end of the axis */
  scan_options& reverse(bool value) noexcept {
    raw_.reverse = value ? 1 : 0;
    return *this;
  }
};

/** As netcl_histogram_options. */
class histogram_options : public detail::sized<netcl_histogram_options> {
 public:
  using sized::sized;
  /** lower end; low = high = 0: the lowest finite value of x */
  histogram_options& low(double value) noexcept {
    raw_.low = value;
    return *this;
  }
  /** upper end, which belongs to the last bin */
  histogram_options& high(double value) noexcept {
    raw_.high = value;
    return *this;
  }
};

/** As netcl_topk_options. */
class topk_options : public detail::sized<netcl_topk_options> {
 public:
  using sized::sized;
  /** write the indices here */
  topk_options& indices_into(netcl::tensor_ref value) noexcept {
    raw_.indices_into = value.raw();
    return *this;
  }
  /** 1: the smallest instead of the largest */
  topk_options& smallest(bool value) noexcept {
    raw_.smallest = value ? 1 : 0;
    return *this;
  }
};

/** As netcl_norm_options. */
class norm_options : public detail::sized<netcl_norm_options> {
 public:
  using sized::sized;
  /** broadcasts to the normalised axes; NULL: 1 */
  norm_options& scale(netcl::tensor_ref value) noexcept {
    raw_.scale = value.raw();
    return *this;
  }
  /** the same; layernorm only; NULL: 0 */
  norm_options& bias(netcl::tensor_ref value) noexcept {
    raw_.bias = value.raw();
    return *this;
  }
  /** finite, from 0 on; 0: 1e-5, but for has_epsilon */
  norm_options& epsilon(double value) noexcept {
    raw_.epsilon = value;
    raw_.has_epsilon = 1;
    return *this;
  }
  /** 1: epsilon is set, even to 0 */
  norm_options& has_epsilon(bool value) noexcept {
    raw_.has_epsilon = value ? 1 : 0;
    return *this;
  }
  /** write the mean of each row here; layernorm only */
  norm_options& mean_into(netcl::tensor_ref value) noexcept {
    raw_.mean_into = value.raw();
    return *this;
  }
  /**
   * write 1 / sqrt(variance + epsilon) of each row here, of rmsnorm 1 / sqrt(mean(x^2) + epsilon)
   */
  norm_options& inverse_deviation_into(netcl::tensor_ref value) noexcept {
    raw_.inverse_deviation_into = value.raw();
    return *this;
  }
};

/** As netcl_batchnorm_options. */
class batchnorm_options : public detail::sized<netcl_batchnorm_options> {
 public:
  using sized::sized;
  /** [C]; NULL: 1 */
  batchnorm_options& scale(netcl::tensor_ref value) noexcept {
    raw_.scale = value.raw();
    return *this;
  }
  /** [C]; NULL: 0 */
  batchnorm_options& bias(netcl::tensor_ref value) noexcept {
    raw_.bias = value.raw();
    return *this;
  }
  /** finite, from 0 on; 0: 1e-5, but for has_epsilon */
  batchnorm_options& epsilon(double value) noexcept {
    raw_.epsilon = value;
    raw_.has_epsilon = 1;
    return *this;
  }
  /** training: share of the old statistics, [0, 1]; 0: 0.9, but for has_momentum */
  batchnorm_options& momentum(double value) noexcept {
    raw_.momentum = value;
    raw_.has_momentum = 1;
    return *this;
  }
  /** applied to the result */
  batchnorm_options& activation(netcl::activation value) noexcept {
    raw_.activation = static_cast<netcl_activation>(value);
    return *this;
  }
  /** 0 or one of BATCHNORM_... */
  batchnorm_options& variant(netcl::variant value) noexcept {
    raw_.variant = static_cast<netcl_variant>(value);
    return *this;
  }
  /** 1: statistics of this batch */
  batchnorm_options& training(bool value) noexcept {
    raw_.training = value ? 1 : 0;
    return *this;
  }
  /** 1: epsilon is set, even to 0 */
  batchnorm_options& has_epsilon(bool value) noexcept {
    raw_.has_epsilon = value ? 1 : 0;
    return *this;
  }
  /** 1: momentum is set, even to 0 */
  batchnorm_options& has_momentum(bool value) noexcept {
    raw_.has_momentum = value ? 1 : 0;
    return *this;
  }
  /**
   * 1: alpha and beta are set, even to 0. alpha: of the activation; both 0: the activation's
   * defaults; beta: of the activation; both 0: the activation's defaults
   */
  batchnorm_options& parameters(double alpha, double beta) noexcept {
    raw_.alpha = alpha;
    raw_.beta = beta;
    raw_.has_parameters = 1;
    return *this;
  }
};

/** A list has a number for each axis of space, or one for all of them. */
class pooling_options : public detail::sized<netcl_pooling_options> {
 public:
  using sized::sized;
  pooling_options() noexcept = default;
  pooling_options(const pooling_options& other)
      : sized(other), window_(other.window_), strides_(other.strides_),
        dilations_(other.dilations_), padding_(other.padding_) {
    detail::follow(raw_.window, window_, other.window_);
    detail::follow(raw_.strides, strides_, other.strides_);
    detail::follow(raw_.dilations, dilations_, other.dilations_);
    detail::follow(raw_.padding, padding_, other.padding_);
  }
  pooling_options& operator=(const pooling_options& other) {
    if (this == &other) return *this;
    window_ = other.window_;
    strides_ = other.strides_;
    dilations_ = other.dilations_;
    padding_ = other.padding_;
    raw_ = other.raw_;
    detail::follow(raw_.window, window_, other.window_);
    detail::follow(raw_.strides, strides_, other.strides_);
    detail::follow(raw_.dilations, dilations_, other.dilations_);
    detail::follow(raw_.padding, padding_, other.padding_);
    return *this;
  }
  ~pooling_options() = default;
  /** 0, or window_count 0: the whole extent (global pooling) */
  pooling_options& window(netcl::view<int64_t> list) {
    raw_.window = window_.put(list.as<int64_t>(), list.size());
    raw_.window_count = list.count();
    return *this;
  }
  /** Likewise, of one entry. */
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  pooling_options& window(T entry) {
    return window(netcl::view<int64_t>({entry}));
  }
  /** 0, or strides_count 0: 1 */
  pooling_options& strides(netcl::view<int64_t> list) {
    raw_.strides = strides_.put(list.as<int64_t>(), list.size());
    raw_.strides_count = list.count();
    return *this;
  }
  /** Likewise, of one entry. */
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  pooling_options& strides(T entry) {
    return strides(netcl::view<int64_t>({entry}));
  }
  /** 0, or dilations_count 0: 1 */
  pooling_options& dilations(netcl::view<int64_t> list) {
    raw_.dilations = dilations_.put(list.as<int64_t>(), list.size());
    raw_.dilations_count = list.count();
    return *this;
  }
  /** Likewise, of one entry. */
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  pooling_options& dilations(T entry) {
    return dilations(netcl::view<int64_t>({entry}));
  }
  /**
   * in front of every axis, then behind every axis, less than the window spans; padding_count 0:
   * none
   */
  pooling_options& padding(netcl::view<int64_t> list) {
    raw_.padding = padding_.put(list.as<int64_t>(), list.size());
    raw_.padding_count = list.count();
    return *this;
  }
  /** Likewise, of one entry. */
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  pooling_options& padding(T entry) {
    return padding(netcl::view<int64_t>({entry}));
  }
  /** 1: round the result's extent up */
  pooling_options& ceil_mode(bool value) noexcept {
    raw_.ceil_mode = value ? 1 : 0;
    return *this;
  }
  /** 1: averages count the padding */
  pooling_options& count_include_pad(bool value) noexcept {
    raw_.count_include_pad = value ? 1 : 0;
    return *this;
  }
  /** write the index of each maximum here; MAX only */
  pooling_options& indices_into(netcl::tensor_ref value) noexcept {
    raw_.indices_into = value.raw();
    return *this;
  }
  /** of LP, finite and 1 or more; 0: 2. Others look at none */
  pooling_options& p(double value) noexcept {
    raw_.p = value;
    return *this;
  }
  /** 1: indices count the elements of a plane by columns */
  pooling_options& column_major(bool value) noexcept {
    raw_.column_major = value ? 1 : 0;
    return *this;
  }

 private:
  detail::kept_list<int64_t> window_;
  detail::kept_list<int64_t> strides_;
  detail::kept_list<int64_t> dilations_;
  detail::kept_list<int64_t> padding_;
};

/** As netcl_max_unpool2d_options. */
class max_unpool2d_options : public detail::sized<netcl_max_unpool2d_options> {
 public:
  using sized::sized;
  /** 1: indices count the elements of a plane by columns */
  max_unpool2d_options& column_major(bool value) noexcept {
    raw_.column_major = value ? 1 : 0;
    return *this;
  }
};

/** As netcl_roi_pool_options. */
class roi_pool_options : public detail::sized<netcl_roi_pool_options> {
 public:
  using sized::sized;
  /** rows and columns of the result, at most 65536; 0: 1 */
  roi_pool_options& bins(const std::array<int64_t, 2>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.bins);
    return *this;
  }
  /** of a bin along each side, at most 256; 0: one for each element that it begins. MAX has none */
  roi_pool_options& samples(int64_t value) noexcept {
    raw_.samples = value;
    return *this;
  }
  /** of the numbers in rois; 0: 1 */
  roi_pool_options& scale(double value) noexcept {
    raw_.scale = value;
    return *this;
  }
  /**
   * 1: the scaled numbers are less by 0.5, and regions may be narrower than an element. MAX looks
   * at none
   */
  roi_pool_options& half_pixel(bool value) noexcept {
    raw_.half_pixel = value ? 1 : 0;
    return *this;
  }
};

/**
 * Whole numbers that stand for real ones: (q - zero_point) * scale. Where a quotient is rounded to
 * a whole number, halves go to the even one, the zero point is added behind that, and what the
 * dtype does not hold becomes its lowest or highest number; NaN becomes the lowest. The bits are
 * the same on every device that divides f32 with correct rounding (docs/expressions.md) or has f64;
 * elsewhere a quotient is within 2.5 ULP, which next to a half may give the neighbour. Zero points
 * have the dtype of what they belong to. `into` shares no memory with another tensor.
 */
class quantize_linear_options : public detail::sized<netcl_quantize_linear_options> {
 public:
  using sized::sized;
  /** of the scale's shape and the result's dtype; NULL: 0 */
  quantize_linear_options& zero_point(netcl::tensor_ref value) noexcept {
    raw_.zero_point = value.raw();
    return *this;
  }
  /** elements along the axis that share a scale; 0: no blocks */
  quantize_linear_options& block_size(int64_t value) noexcept {
    raw_.block_size = value;
    return *this;
  }
  /** of the result: i8, u8, i16, u16; 0: as zero_point or run->into, else u8 */
  quantize_linear_options& dtype(netcl::dtype value) noexcept {
    raw_.dtype = static_cast<netcl_dtype>(value);
    return *this;
  }
  /** what x and scale are converted to, divided in and rounded to: f32, f16, bf16; 0: as scale */
  quantize_linear_options& precision(netcl::dtype value) noexcept {
    raw_.precision = static_cast<netcl_dtype>(value);
    return *this;
  }
};

/** As netcl_dequantize_linear_options. */
class dequantize_linear_options : public detail::sized<netcl_dequantize_linear_options> {
 public:
  using sized::sized;
  /** of the scale's shape and x's dtype; NULL: 0 */
  dequantize_linear_options& zero_point(netcl::tensor_ref value) noexcept {
    raw_.zero_point = value.raw();
    return *this;
  }
  /** elements along the axis that share a scale; 0: no blocks */
  dequantize_linear_options& block_size(int64_t value) noexcept {
    raw_.block_size = value;
    return *this;
  }
  /** of the result: f32, f16, bf16; 0: as run->into, else as scale */
  dequantize_linear_options& dtype(netcl::dtype value) noexcept {
    raw_.dtype = static_cast<netcl_dtype>(value);
    return *this;
  }
};

/** As netcl_dynamic_quantize_linear_options. */
class dynamic_quantize_linear_options : public detail::sized<netcl_dynamic_quantize_linear_options> {
 public:
  using sized::sized;
  /** write the scale here: f32, rank 0 */
  dynamic_quantize_linear_options& scale_into(netcl::tensor_ref value) noexcept {
    raw_.scale_into = value.raw();
    return *this;
  }
  /** write the zero point here: u8, rank 0 */
  dynamic_quantize_linear_options& zero_point_into(netcl::tensor_ref value) noexcept {
    raw_.zero_point_into = value.raw();
    return *this;
  }
};

/** As netcl_qlinear_matmul_options. */
class qlinear_matmul_options : public detail::sized<netcl_qlinear_matmul_options> {
 public:
  using sized::sized;
  /** one element, [M], or [..., M, 1]; NULL: 0 */
  qlinear_matmul_options& a_zero_point(netcl::tensor_ref value) noexcept {
    raw_.a_zero_point = value.raw();
    return *this;
  }
  /** one element, [N], or [..., 1, N]; NULL: 0 */
  qlinear_matmul_options& b_zero_point(netcl::tensor_ref value) noexcept {
    raw_.b_zero_point = value.raw();
    return *this;
  }
  /** one element of the result's dtype; NULL: 0 */
  qlinear_matmul_options& y_zero_point(netcl::tensor_ref value) noexcept {
    raw_.y_zero_point = value.raw();
    return *this;
  }
  /** of the result: i8, u8; 0: as y_zero_point or run->into, else as a */
  qlinear_matmul_options& dtype(netcl::dtype value) noexcept {
    raw_.dtype = static_cast<netcl_dtype>(value);
    return *this;
  }
};

/** As netcl_conv2d_integer_options. */
class conv2d_integer_options : public detail::sized<netcl_conv2d_integer_options> {
 public:
  using sized::sized;
  /** one element; NULL: 0 */
  conv2d_integer_options& x_zero_point(netcl::tensor_ref value) noexcept {
    raw_.x_zero_point = value.raw();
    return *this;
  }
  /** one element or [F]; NULL: 0 */
  conv2d_integer_options& w_zero_point(netcl::tensor_ref value) noexcept {
    raw_.w_zero_point = value.raw();
    return *this;
  }
  /** 0: 1 */
  conv2d_integer_options& strides(const std::array<int64_t, 2>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.strides);
    return *this;
  }
  /** 0: 1 */
  conv2d_integer_options& dilations(const std::array<int64_t, 2>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.dilations);
    return *this;
  }
  /** around x: top, left, bottom, right */
  conv2d_integer_options& padding(const std::array<int64_t, 4>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.padding);
    return *this;
  }
  /** 0: 1 */
  conv2d_integer_options& groups(int64_t value) noexcept {
    raw_.groups = value;
    return *this;
  }
};

/** As netcl_qlinear_conv2d_options. */
class qlinear_conv2d_options : public detail::sized<netcl_qlinear_conv2d_options> {
 public:
  using sized::sized;
  /** one element; NULL: 0 */
  qlinear_conv2d_options& x_zero_point(netcl::tensor_ref value) noexcept {
    raw_.x_zero_point = value.raw();
    return *this;
  }
  /** one element or [F]; NULL: 0 */
  qlinear_conv2d_options& w_zero_point(netcl::tensor_ref value) noexcept {
    raw_.w_zero_point = value.raw();
    return *this;
  }
  /** one element of the result's dtype; NULL: 0 */
  qlinear_conv2d_options& y_zero_point(netcl::tensor_ref value) noexcept {
    raw_.y_zero_point = value.raw();
    return *this;
  }
  /** i32 [F], in steps of x_scale * w_scale; NULL: 0 */
  qlinear_conv2d_options& bias(netcl::tensor_ref value) noexcept {
    raw_.bias = value.raw();
    return *this;
  }
  /** 0: 1 */
  qlinear_conv2d_options& strides(const std::array<int64_t, 2>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.strides);
    return *this;
  }
  /** 0: 1 */
  qlinear_conv2d_options& dilations(const std::array<int64_t, 2>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.dilations);
    return *this;
  }
  /** around x: top, left, bottom, right */
  qlinear_conv2d_options& padding(const std::array<int64_t, 4>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.padding);
    return *this;
  }
  /** 0: 1 */
  qlinear_conv2d_options& groups(int64_t value) noexcept {
    raw_.groups = value;
    return *this;
  }
  /** of the result: i8, u8; 0: as y_zero_point or run->into, else as x */
  qlinear_conv2d_options& dtype(netcl::dtype value) noexcept {
    raw_.dtype = static_cast<netcl_dtype>(value);
    return *this;
  }
};

/** As netcl_loss_options. */
class loss_options : public detail::sized<netcl_loss_options> {
 public:
  using sized::sized;
  /** [C], of the classes, in x's dtype or f32; NULL: 1 */
  loss_options& weights(netcl::tensor_ref value) noexcept {
    raw_.weights = value.raw();
    return *this;
  }
  /** labels of this value do not count; 0: none, but for has_ignore_index */
  loss_options& ignore_index(int64_t value) noexcept {
    raw_.ignore_index = value;
    raw_.has_ignore_index = 1;
    return *this;
  }
  /** 1: ignore_index is set, even to 0 */
  loss_options& has_ignore_index(bool value) noexcept {
    raw_.has_ignore_index = value ? 1 : 0;
    return *this;
  }
  loss_options& reduction(netcl::loss_reduction value) noexcept {
    raw_.reduction = static_cast<netcl_loss_reduction>(value);
    return *this;
  }
  /** of the loss; 0: x's; f32 is possible for f16 and bf16 */
  loss_options& dtype(netcl::dtype value) noexcept {
    raw_.dtype = static_cast<netcl_dtype>(value);
    return *this;
  }
};

/** f16 or bf16 parameters beside f32 masters, and gradients that were scaled to stay in range. */
class mixed_precision : public detail::sized<netcl_mixed_precision> {
 public:
  using sized::sized;
  mixed_precision() noexcept = default;
  mixed_precision(const mixed_precision& other)
      : sized(other), masters_(other.masters_) {
    detail::follow(raw_.masters, masters_, other.masters_);
  }
  mixed_precision& operator=(const mixed_precision& other) {
    if (this == &other) return *this;
    masters_ = other.masters_;
    raw_ = other.raw_;
    detail::follow(raw_.masters, masters_, other.masters_);
    return *this;
  }
  ~mixed_precision() = default;
  /**
   * f32, of f16 and bf16 parameters, which are then not read: the step changes the master, of which
   * the parameter becomes the rounding
   */
  mixed_precision& masters(netcl::view<netcl::tensor_ref> list) {
    raw_.masters = masters_.put(list.as<netcl_tensor *>(), list.size());
    raw_.masters_count = list.count();
    return *this;
  }
  /** f32, one element: gradients are multiplied by 1 / scale */
  mixed_precision& scale(netcl::tensor_ref value) noexcept {
    raw_.scale = value.raw();
    return *this;
  }
  /** f32, one element: when it is not 0 nothing is written */
  mixed_precision& found_inf(netcl::tensor_ref value) noexcept {
    raw_.found_inf = value.raw();
    return *this;
  }

 private:
  detail::kept_list<netcl_tensor *> masters_;
};

/** As netcl_sgd_options. */
class sgd_options : public detail::sized<netcl_sgd_options> {
 public:
  using sized::sized;
  sgd_options() noexcept = default;
  sgd_options(const sgd_options& other)
      : sized(other), momentum_buffers_(other.momentum_buffers_), precision_(other.precision_) {
    detail::follow(raw_.momentum_buffers, momentum_buffers_, other.momentum_buffers_);
    detail::follow(raw_.precision, precision_, other.precision_);
  }
  sgd_options& operator=(const sgd_options& other) {
    if (this == &other) return *this;
    momentum_buffers_ = other.momentum_buffers_;
    precision_ = other.precision_;
    raw_ = other.raw_;
    detail::follow(raw_.momentum_buffers, momentum_buffers_, other.momentum_buffers_);
    detail::follow(raw_.precision, precision_, other.precision_);
    return *this;
  }
  ~sgd_options() = default;
  /** b, needed with momentum */
  sgd_options& momentum_buffers(netcl::view<netcl::tensor_ref> list) {
    raw_.momentum_buffers = momentum_buffers_.put(list.as<netcl_tensor *>(), list.size());
    raw_.momentum_buffers_count = list.count();
    return *this;
  }
  /** i64, one element, at first 0: counts steps; needed with dampening */
  sgd_options& step(netcl::tensor_ref value) noexcept {
    raw_.step = value.raw();
    return *this;
  }
  /** of the learning rate */
  sgd_options& factor(netcl::tensor_ref value) noexcept {
    raw_.factor = value.raw();
    return *this;
  }
  sgd_options& precision(const netcl::mixed_precision& value) {
    precision_ = value;
    raw_.precision = *precision_;
    return *this;
  }
  /** Likewise; what C has is not copied. */
  sgd_options& precision(const netcl_mixed_precision* value) noexcept {
    raw_.precision = value;
    return *this;
  }
  /** 0: none */
  sgd_options& momentum(double value) noexcept {
    raw_.momentum = value;
    return *this;
  }
  sgd_options& dampening(double value) noexcept {
    raw_.dampening = value;
    return *this;
  }
  sgd_options& weight_decay(double value) noexcept {
    raw_.weight_decay = value;
    return *this;
  }
  /** 1: Nesterov's momentum, which has no dampening */
  sgd_options& nesterov(bool value) noexcept {
    raw_.nesterov = value ? 1 : 0;
    return *this;
  }

 private:
  detail::kept_list<netcl_tensor *> momentum_buffers_;
  std::optional<netcl::mixed_precision> precision_;
};

/** As netcl_adam_options. */
class adam_options : public detail::sized<netcl_adam_options> {
 public:
  using sized::sized;
  adam_options() noexcept = default;
  adam_options(const adam_options& other)
      : sized(other), max_square_averages_(other.max_square_averages_),
        precision_(other.precision_) {
    detail::follow(raw_.max_square_averages, max_square_averages_, other.max_square_averages_);
    detail::follow(raw_.precision, precision_, other.precision_);
  }
  adam_options& operator=(const adam_options& other) {
    if (this == &other) return *this;
    max_square_averages_ = other.max_square_averages_;
    precision_ = other.precision_;
    raw_ = other.raw_;
    detail::follow(raw_.max_square_averages, max_square_averages_, other.max_square_averages_);
    detail::follow(raw_.precision, precision_, other.precision_);
    return *this;
  }
  ~adam_options() = default;
  /** when given, AMSGrad: the largest v so far */
  adam_options& max_square_averages(netcl::view<netcl::tensor_ref> list) {
    raw_.max_square_averages = max_square_averages_.put(list.as<netcl_tensor *>(), list.size());
    raw_.max_square_averages_count = list.count();
    return *this;
  }
  /** of the learning rate */
  adam_options& factor(netcl::tensor_ref value) noexcept {
    raw_.factor = value.raw();
    return *this;
  }
  adam_options& precision(const netcl::mixed_precision& value) {
    precision_ = value;
    raw_.precision = *precision_;
    return *this;
  }
  /** Likewise; what C has is not copied. */
  adam_options& precision(const netcl_mixed_precision* value) noexcept {
    raw_.precision = value;
    return *this;
  }
  /** 0: 1e-8 */
  adam_options& epsilon(double value) noexcept {
    raw_.epsilon = value;
    return *this;
  }
  /** the default is 0, for AdamW too */
  adam_options& weight_decay(double value) noexcept {
    raw_.weight_decay = value;
    return *this;
  }
  /** 1: they are set, even to 0. beta1: 0: 0.9; beta2: 0: 0.999 */
  adam_options& betas(double beta1, double beta2) noexcept {
    raw_.beta1 = beta1;
    raw_.beta2 = beta2;
    raw_.has_betas = 1;
    return *this;
  }
  /** 1: AdamW */
  adam_options& decoupled(bool value) noexcept {
    raw_.decoupled = value ? 1 : 0;
    return *this;
  }

 private:
  detail::kept_list<netcl_tensor *> max_square_averages_;
  std::optional<netcl::mixed_precision> precision_;
};

/** As netcl_rmsprop_options. */
class rmsprop_options : public detail::sized<netcl_rmsprop_options> {
 public:
  using sized::sized;
  rmsprop_options() noexcept = default;
  rmsprop_options(const rmsprop_options& other)
      : sized(other), momentum_buffers_(other.momentum_buffers_), averages_(other.averages_),
        precision_(other.precision_) {
    detail::follow(raw_.momentum_buffers, momentum_buffers_, other.momentum_buffers_);
    detail::follow(raw_.averages, averages_, other.averages_);
    detail::follow(raw_.precision, precision_, other.precision_);
  }
  rmsprop_options& operator=(const rmsprop_options& other) {
    if (this == &other) return *this;
    momentum_buffers_ = other.momentum_buffers_;
    averages_ = other.averages_;
    precision_ = other.precision_;
    raw_ = other.raw_;
    detail::follow(raw_.momentum_buffers, momentum_buffers_, other.momentum_buffers_);
    detail::follow(raw_.averages, averages_, other.averages_);
    detail::follow(raw_.precision, precision_, other.precision_);
    return *this;
  }
  ~rmsprop_options() = default;
  /** b, needed with momentum */
  rmsprop_options& momentum_buffers(netcl::view<netcl::tensor_ref> list) {
    raw_.momentum_buffers = momentum_buffers_.put(list.as<netcl_tensor *>(), list.size());
    raw_.momentum_buffers_count = list.count();
    return *this;
  }
  /** m; when given, the variance divides: "centered" */
  rmsprop_options& averages(netcl::view<netcl::tensor_ref> list) {
    raw_.averages = averages_.put(list.as<netcl_tensor *>(), list.size());
    raw_.averages_count = list.count();
    return *this;
  }
  /** of the learning rate */
  rmsprop_options& factor(netcl::tensor_ref value) noexcept {
    raw_.factor = value.raw();
    return *this;
  }
  rmsprop_options& precision(const netcl::mixed_precision& value) {
    precision_ = value;
    raw_.precision = *precision_;
    return *this;
  }
  /** Likewise; what C has is not copied. */
  rmsprop_options& precision(const netcl_mixed_precision* value) noexcept {
    raw_.precision = value;
    return *this;
  }
  /** 0: 0.99 */
  rmsprop_options& alpha(double value) noexcept {
    raw_.alpha = value;
    return *this;
  }
  /** 0: 1e-8 */
  rmsprop_options& epsilon(double value) noexcept {
    raw_.epsilon = value;
    return *this;
  }
  /** 0: none */
  rmsprop_options& momentum(double value) noexcept {
    raw_.momentum = value;
    return *this;
  }
  rmsprop_options& weight_decay(double value) noexcept {
    raw_.weight_decay = value;
    return *this;
  }

 private:
  detail::kept_list<netcl_tensor *> momentum_buffers_;
  detail::kept_list<netcl_tensor *> averages_;
  std::optional<netcl::mixed_precision> precision_;
};

/** As netcl_adagrad_options. */
class adagrad_options : public detail::sized<netcl_adagrad_options> {
 public:
  using sized::sized;
  adagrad_options() noexcept = default;
  adagrad_options(const adagrad_options& other)
      : sized(other), precision_(other.precision_) {
    detail::follow(raw_.precision, precision_, other.precision_);
  }
  adagrad_options& operator=(const adagrad_options& other) {
    if (this == &other) return *this;
    precision_ = other.precision_;
    raw_ = other.raw_;
    detail::follow(raw_.precision, precision_, other.precision_);
    return *this;
  }
  ~adagrad_options() = default;
  /** i64, one element, at first 0: counts the steps; needed with learning_rate_decay */
  adagrad_options& step(netcl::tensor_ref value) noexcept {
    raw_.step = value.raw();
    return *this;
  }
  /** of the learning rate */
  adagrad_options& factor(netcl::tensor_ref value) noexcept {
    raw_.factor = value.raw();
    return *this;
  }
  adagrad_options& precision(const netcl::mixed_precision& value) {
    precision_ = value;
    raw_.precision = *precision_;
    return *this;
  }
  /** Likewise; what C has is not copied. */
  adagrad_options& precision(const netcl_mixed_precision* value) noexcept {
    raw_.precision = value;
    return *this;
  }
  adagrad_options& learning_rate_decay(double value) noexcept {
    raw_.learning_rate_decay = value;
    return *this;
  }
  /** 0: 1e-10 */
  adagrad_options& epsilon(double value) noexcept {
    raw_.epsilon = value;
    return *this;
  }
  adagrad_options& weight_decay(double value) noexcept {
    raw_.weight_decay = value;
    return *this;
  }

 private:
  std::optional<netcl::mixed_precision> precision_;
};

/** As netcl_loss_scale_options. */
class loss_scale_options : public detail::sized<netcl_loss_scale_options> {
 public:
  using sized::sized;
  /** above 1; 0: 2 */
  loss_scale_options& growth_factor(double value) noexcept {
    raw_.growth_factor = value;
    return *this;
  }
  /** in (0, 1); 0: 0.5 */
  loss_scale_options& backoff_factor(double value) noexcept {
    raw_.backoff_factor = value;
    return *this;
  }
  /** 0: 2000 */
  loss_scale_options& growth_interval(int64_t value) noexcept {
    raw_.growth_interval = value;
    return *this;
  }
};

/** As netcl_pad_options. */
class pad_options : public detail::sized<netcl_pad_options> {
 public:
  using sized::sized;
  /** CONSTANT: one element of x's dtype; NULL: 0 */
  pad_options& value(const scalar& number) noexcept {
    value_ = number;
    return *this;
  }
  const std::optional<scalar>& value() const noexcept { return value_; }
  pad_options& mode(netcl::pad_mode value) noexcept {
    raw_.mode = static_cast<netcl_pad_mode>(value);
    return *this;
  }

  /** What C has, but for numbers, which are of no dtype yet. */
  const netcl_pad_options& without_numbers() const noexcept { return raw_; }
  operator const netcl_pad_options *() const = delete;
  netcl_pad_options& raw() = delete;
  const netcl_pad_options& raw() const = delete;

 private:
  std::optional<scalar> value_;
};

/** As netcl_scatter_options. */
class scatter_options : public detail::sized<netcl_scatter_options> {
 public:
  using sized::sized;
  scatter_options& mode(netcl::scatter_mode value) noexcept {
    raw_.mode = static_cast<netcl_scatter_mode>(value);
    return *this;
  }
  /** 1: ADD of f32, i32, u32 in any order, faster; other dtypes UNSUPPORTED */
  scatter_options& atomics(bool value) noexcept {
    raw_.atomics = value ? 1 : 0;
    return *this;
  }
};

/** As netcl_resize_options. */
class resize_options : public detail::sized<netcl_resize_options> {
 public:
  using sized::sized;
  resize_options() noexcept = default;
  resize_options(const resize_options& other)
      : sized(other), scales_(other.scales_), roi_(other.roi_) {
    detail::follow(raw_.scales, scales_, other.scales_);
    detail::follow(raw_.roi, roi_, other.roi_);
  }
  resize_options& operator=(const resize_options& other) {
    if (this == &other) return *this;
    scales_ = other.scales_;
    roi_ = other.roi_;
    raw_ = other.raw_;
    detail::follow(raw_.scales, scales_, other.scales_);
    detail::follow(raw_.roi, roi_, other.roi_);
    return *this;
  }
  ~resize_options() = default;
  resize_options& mode(netcl::resize_mode value) noexcept {
    raw_.mode = static_cast<netcl_resize_mode>(value);
    return *this;
  }
  resize_options& coordinates(netcl::resize_coordinates value) noexcept {
    raw_.coordinates = static_cast<netcl_resize_coordinates>(value);
    return *this;
  }
  /** of coordinates, for NEAREST; others look at none */
  resize_options& rounding(netcl::resize_rounding value) noexcept {
    raw_.rounding = static_cast<netcl_resize_rounding>(value);
    return *this;
  }
  /**
   * 1: LINEAR and CUBIC reach 1 / scale times as far along axes whose scale is below 1. NEAREST
   * looks at none
   */
  resize_options& antialias(bool value) noexcept {
    raw_.antialias = value ? 1 : 0;
    return *this;
  }
  /**
   * 1: elements beyond the edge have no weight, and those that are left share it; else they are as
   * at the edge
   */
  resize_options& exclude_outside(bool value) noexcept {
    raw_.exclude_outside = value ? 1 : 0;
    return *this;
  }
  /** 1: cubic_coeff is set, even to 0 */
  resize_options& has_cubic_coeff(bool value) noexcept {
    raw_.has_cubic_coeff = value ? 1 : 0;
    return *this;
  }
  /** of CUBIC, ONNX's cubic_coeff_a; 0: -0.75, but for has_cubic_coeff */
  resize_options& cubic_coeff(double value) noexcept {
    raw_.cubic_coeff = value;
    raw_.has_cubic_coeff = 1;
    return *this;
  }
  /** under TF_CROP_AND_RESIZE, of elements that lie outside of x, below 0 or beyond in - 1 */
  resize_options& extrapolation_value(double value) noexcept {
    raw_.extrapolation_value = value;
    return *this;
  }
  /** of each axis, above 0; scales_count 0: out / in */
  resize_options& scales(netcl::view<double> list) {
    raw_.scales = scales_.put(list.as<double>(), list.size());
    raw_.scales_count = list.count();
    return *this;
  }
  /** Likewise, of one entry. */
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  resize_options& scales(T entry) {
    return scales(netcl::view<double>({entry}));
  }
  /**
   * for TF_CROP_AND_RESIZE: the start of every axis, then the end of every axis, as parts of in -
   * 1; roi_count 0: 0 and 1. Others look at none
   */
  resize_options& roi(netcl::view<double> list) {
    raw_.roi = roi_.put(list.as<double>(), list.size());
    raw_.roi_count = list.count();
    return *this;
  }
  /** Likewise, of one entry. */
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  resize_options& roi(T entry) {
    return roi(netcl::view<double>({entry}));
  }

 private:
  detail::kept_list<double> scales_;
  detail::kept_list<double> roi_;
};

/** How a graph records. */
class graph_options : public detail::sized<netcl_graph_options> {
 public:
  using sized::sized;
  /**
   * NETCL_ON, the default: calls run while they are recorded, and the graph is a tape. NETCL_OFF:
   * they do not, and it is a capture
   */
  graph_options& execute(netcl::toggle value) noexcept {
    raw_.execute = static_cast<netcl_toggle>(value);
    return *this;
  }
};

/** A call of a graph's function: valid while that runs. */
class graph_call {
 public:
  explicit graph_call(const netcl_graph_call& raw) noexcept : raw_(&raw) {}
  const netcl_graph_call& raw() const noexcept { return *raw_; }
  /**
   * stand for those of a run, with their dtypes and shapes and without content: values of the
   * capture; borrowed
   */
  netcl::view<netcl::tensor_ref> inputs() const noexcept {
    return {reinterpret_cast<const netcl::tensor_ref *>(raw_->inputs), raw_->inputs_count};
  }
  /** One of these; INVALID_ARGUMENT where there are not as many. */
  returns<netcl::tensor_ref> input(uint32_t index) const {
    if (index >= raw_->inputs_count) {
      return detail::failed<netcl::tensor_ref>(
          detail::refuse_entry("inputs", index, raw_->inputs_count));
    }
    returns<netcl::tensor_ref> out{};
    detail::value(out) = netcl::tensor_ref(raw_->inputs[index]);
    return out;
  }
  /** run->graph is the capture that records, to be handed on to each op and launch */
  const netcl_run_options * run() const noexcept {
    return raw_->run;
  }
  /** What records the call; empty where nothing does. */
  graph_ref graph() const noexcept {
    return graph_ref(raw_->run ? raw_->run->graph : nullptr);
  }
  uint32_t outputs_count() const noexcept {
    return raw_->outputs_count;
  }

 private:
  const netcl_graph_call* raw_;
};

/** How a graph made from a function compiles what that records. */
class graph_function_options : public detail::sized<netcl_graph_function_options> {
 public:
  using sized::sized;
  /** forms that are kept; 0: 16 */
  graph_function_options& forms_most(uint64_t value) noexcept {
    raw_.forms_most = value;
    return *this;
  }
  /** as in netcl_graph_compile_options */
  graph_function_options& fuse(netcl::toggle value) noexcept {
    raw_.fuse = static_cast<netcl_toggle>(value);
    return *this;
  }
};

/** What is known of a graph. */
class graph_info : public detail::sized<netcl_graph_info> {
 public:
  using sized::sized;
  /** calls that are recorded; writes of others in between are none */
  uint64_t call_count() const noexcept { return raw_.call_count; }
  /** memory that their tensors keep, each piece counted once */
  uint64_t kept_bytes() const noexcept { return raw_.kept_bytes; }
  /** of a compiled capture: calls that are left, joined or not */
  uint64_t step_count() const noexcept { return raw_.step_count; }
  /** steps of which netcl_graph_compile has made the commands so far */
  uint64_t ready_count() const noexcept { return raw_.ready_count; }
  /** kernels and functions that a run enqueues, beside calls of groups */
  uint64_t command_count() const noexcept { return raw_.command_count; }
  /** memory that a run takes for values that are no outputs */
  uint64_t planned_bytes() const noexcept { return raw_.planned_bytes; }
  /** the most that such values of the recorded calls have at one time */
  uint64_t live_bytes() const noexcept { return raw_.live_bytes; }
  /** of a graph made from a function: forms that are kept */
  uint64_t form_count() const noexcept { return raw_.form_count; }
};

/** How gradients are worked out; see netcl_graph_add_gradients. */
class gradients_options : public detail::sized<netcl_gradients_options> {
 public:
  using sized::sized;
  gradients_options() noexcept = default;
  gradients_options(const gradients_options& other)
      : sized(other), seeds_(other.seeds_), into_(other.into_) {
    detail::follow(raw_.seeds, seeds_, other.seeds_);
    detail::follow(raw_.into, into_, other.into_);
  }
  gradients_options& operator=(const gradients_options& other) {
    if (this == &other) return *this;
    seeds_ = other.seeds_;
    into_ = other.into_;
    raw_ = other.raw_;
    detail::follow(raw_.seeds, seeds_, other.seeds_);
    detail::follow(raw_.into, into_, other.into_);
    return *this;
  }
  ~gradients_options() = default;
  /**
   * gradients of the outputs, of their shapes and dtypes; none: 1 for each output, which then has
   * one element
   */
  gradients_options& seeds(netcl::view<netcl::tensor_ref> list) {
    raw_.seeds = seeds_.put(list.as<netcl_tensor *>(), list.size());
    raw_.seeds_count = list.count();
    return *this;
  }
  /**
   * where gradients go: of the inputs' shapes and dtypes, each on memory of its own; none: new
   * tensors
   */
  gradients_options& into(netcl::view<netcl::tensor_ref> list) {
    raw_.into = into_.put(list.as<netcl_tensor *>(), list.size());
    raw_.into_count = list.count();
    return *this;
  }
  /** NULL: the default queue of the graph's device */
  gradients_options& queue(netcl::queue_ref value) noexcept {
    raw_.queue = value.raw();
    return *this;
  }
  /** receives one reference: all gradients are there; refused for a capture */
  gradients_options& event(netcl::event& into) noexcept {
    raw_.event = into.place();
    return *this;
  }
  /** 1: what is in `into` is added to */
  gradients_options& accumulate(bool value) noexcept {
    raw_.accumulate = value ? 1 : 0;
    return *this;
  }
  /**
   * 1: calls are forgotten as soon as their gradients are known, and those that work them out are
   * not recorded; the graph is empty afterwards, also when that fails on the way. What is refused
   * before that leaves it as it was: arguments, and an input that no output depends on. Refused for
   * a capture
   */
  gradients_options& consume(bool value) noexcept {
    raw_.consume = value ? 1 : 0;
    return *this;
  }
  /**
   * gets the gradients, of this call or, of a capture, of each run; see netcl_reducer_wait. One for
   * all calls of a capture, and its rank has the graph's device; NULL: none
   */
  gradients_options& reducer(netcl::reducer_ref value) noexcept {
    raw_.reducer = value.raw();
    return *this;
  }

 private:
  detail::kept_list<netcl_tensor *> seeds_;
  detail::kept_list<netcl_tensor *> into_;
};

/** How a capture is made ready to run. */
class graph_compile_options : public detail::sized<netcl_graph_compile_options> {
 public:
  using sized::sized;
  /**
   * NETCL_OFF: calls are left as they are; the default joins those that can be done by one kernel.
   * Refused for a graph made from a function
   */
  graph_compile_options& fuse(netcl::toggle value) noexcept {
    raw_.fuse = static_cast<netcl_toggle>(value);
    return *this;
  }
};

/** How a model is loaded. */
class model_options : public detail::sized<netcl_model_options> {
 public:
  using sized::sized;
  /**
   * compiled forms that are kept, of each step where the host decides between steps
   * (docs/models.md); 0: 16
   */
  model_options& forms_most(uint64_t value) noexcept {
    raw_.forms_most = value;
    return *this;
  }
  /** as in netcl_graph_compile_options */
  model_options& fuse(netcl::toggle value) noexcept {
    raw_.fuse = static_cast<netcl_toggle>(value);
    return *this;
  }
  /**
   * of weights and of the values between, where the file has f32: F16, BF16, or 0 for F32. Products
   * and other sums add up in f32, and what a short dtype cannot hold stays f32 (docs/models.md)
   */
  model_options& dtype(netcl::dtype value) noexcept {
    raw_.dtype = static_cast<netcl_dtype>(value);
    return *this;
  }
};

/** What is known of a model. Texts that are longer are cut. */
class model_info : public detail::sized<netcl_model_info> {
 public:
  using sized::sized;
  /** nodes that outputs depend on */
  uint64_t node_count() const noexcept { return raw_.node_count; }
  /** tensors that the device holds: of the file, and what depends on those alone, in their place */
  uint64_t weight_count() const noexcept { return raw_.weight_count; }
  /** their bytes */
  uint64_t weight_bytes() const noexcept { return raw_.weight_bytes; }
  /** compiled forms that are kept now */
  uint64_t form_count() const noexcept { return raw_.form_count; }
  /** of the file's format */
  int64_t ir_version() const noexcept { return raw_.ir_version; }
  /** of the ops of ONNX; 0: the file names none */
  int64_t opset() const noexcept { return raw_.opset; }
  uint32_t input_count() const noexcept { return raw_.input_count; }
  uint32_t output_count() const noexcept { return raw_.output_count; }
  std::string_view name() const& noexcept { return detail::inline_text(raw_.name); }
  std::string name() && { return std::string{detail::inline_text(raw_.name)}; }
  /** the program that wrote the file, with its version */
  std::string_view producer() const& noexcept { return detail::inline_text(raw_.producer); }
  std::string producer() && { return std::string{detail::inline_text(raw_.producer)}; }
};

/** An input or an output of a model, as the file describes it. */
class model_value : public detail::sized<netcl_model_value> {
 public:
  using sized::sized;
  /** 0: the file does not say */
  netcl::dtype dtype() const noexcept { return static_cast<netcl::dtype>(raw_.dtype); }
  /** 1: the file says the rank; 0: rank is 0 */
  bool has_rank() const noexcept { return raw_.has_rank != 0; }
  uint32_t rank() const noexcept { return raw_.rank; }
  /** 1: an input that the host reads, see above */
  bool bound() const noexcept { return raw_.bound != 0; }
  /** extents; -1: any */
  netcl::span<const int64_t> shape() const& noexcept {
    return {raw_.shape, std::min<size_t>(raw_.rank, 8)};
  }
  netcl::bounded<int64_t, 8> shape() && {
    return netcl::bounded<int64_t, 8>{raw_.shape, std::min<size_t>(raw_.rank, 8)};
  }
  /** cut where it is longer */
  std::string_view name() const& noexcept { return detail::inline_text(raw_.name); }
  std::string name() && { return std::string{detail::inline_text(raw_.name)}; }
  /**
   * the extents with their names, "[batch, 3, 224, 224]"; "?" for one without; "" without a rank
   */
  std::string_view dimensions() const& noexcept { return detail::inline_text(raw_.dimensions); }
  std::string dimensions() && { return std::string{detail::inline_text(raw_.dimensions)}; }
};

/** How weights are opened. */
class weights_options : public detail::sized<netcl_weights_options> {
 public:
  using sized::sized;
  /** look into the file where that can be; DEFAULT: ON, OFF: copy always */
  weights_options& map(netcl::toggle value) noexcept {
    raw_.map = static_cast<netcl_toggle>(value);
    return *this;
  }
};

/** What is known of a file of weights. */
class weights_info : public detail::sized<netcl_weights_info> {
 public:
  using sized::sized;
  netcl::weights_format format() const noexcept {
    return static_cast<netcl::weights_format>(raw_.format);
  }
  /** of GGUF; 0 for other formats */
  uint32_t version() const noexcept { return raw_.version; }
  uint32_t tensor_count() const noexcept { return raw_.tensor_count; }
  /** keys of __metadata__ of safetensors, key-values of GGUF */
  uint32_t metadata_count() const noexcept { return raw_.metadata_count; }
  uint64_t file_bytes() const noexcept { return raw_.file_bytes; }
};

/** A tensor as its file describes it. */
class weights_entry : public detail::sized<netcl_weights_entry> {
 public:
  using sized::sized;
  /** of what netcl_weights_get_tensor gives; 0: none */
  netcl::dtype dtype() const noexcept { return static_cast<netcl::dtype>(raw_.dtype); }
  /** Q4_0, Q8_0 or Q4_K of GGUF; 0: none */
  netcl::quantization quantization() const noexcept {
    return static_cast<netcl::quantization>(raw_.quantization);
  }
  uint32_t rank() const noexcept { return raw_.rank; }
  /** in C order, the slowest first; of weights in blocks that of the weights */
  netcl::span<const int64_t> shape() const& noexcept {
    return {raw_.shape, std::min<size_t>(raw_.rank, 8)};
  }
  netcl::bounded<int64_t, 8> shape() && {
    return netcl::bounded<int64_t, 8>{raw_.shape, std::min<size_t>(raw_.rank, 8)};
  }
  /** of the elements in memory; 0 for types of GGUF that this library does not know */
  uint64_t byte_count() const noexcept { return raw_.byte_count; }
  /** as the format calls it: "BF16", "Q6_K", "<f4" */
  std::string_view type() const& noexcept { return detail::inline_text(raw_.type); }
  std::string type() && { return std::string{detail::inline_text(raw_.type)}; }
  std::string_view name() const& noexcept { return detail::inline_text(raw_.name); }
  std::string name() && { return std::string{detail::inline_text(raw_.name)}; }
};

/** What is written beside the tensors of a file of weights. */
class weights_save_options : public detail::sized<netcl_weights_save_options> {
 public:
  using sized::sized;
  weights_save_options() noexcept = default;
  weights_save_options(const weights_save_options& other)
      : sized(other), keys_(other.keys_), values_(other.values_) {
    detail::follow(raw_.keys, keys_, other.keys_);
    detail::follow(raw_.values, values_, other.values_);
  }
  weights_save_options& operator=(const weights_save_options& other) {
    if (this == &other) return *this;
    keys_ = other.keys_;
    values_ = other.values_;
    raw_ = other.raw_;
    detail::follow(raw_.keys, keys_, other.keys_);
    detail::follow(raw_.values, values_, other.values_);
    return *this;
  }
  ~weights_save_options() = default;
  /** of metadata, which safetensors alone has: distinct, UTF-8 without control characters */
  weights_save_options& keys(netcl::view<netcl::text> list) {
    raw_.keys = keys_.put(list.as<const char *>(), list.size());
    raw_.keys_count = list.count();
    return *this;
  }
  /** a text of UTF-8 for each key */
  weights_save_options& values(netcl::view<netcl::text> list) {
    raw_.values = values_.put(list.as<const char *>(), list.size());
    raw_.values_count = list.count();
    return *this;
  }

 private:
  detail::kept_texts keys_;
  detail::kept_texts values_;
};

/** As netcl_group_options. */
class group_options : public detail::sized<netcl_group_options> {
 public:
  using sized::sized;
  /** the longest that a rank waits for another; 0: 60 seconds */
  group_options& timeout(netcl::duration value) noexcept {
    raw_.timeout_ns = value.count();
    return *this;
  }
  group_options& transport(netcl::group_transport value) noexcept {
    raw_.transport = static_cast<netcl_group_transport>(value);
    return *this;
  }
};

/** What a group is, as one of its ranks sees it. */
class group_info : public detail::sized<netcl_group_info> {
 public:
  using sized::sized;
  uint32_t rank() const noexcept { return raw_.rank; }
  uint32_t size() const noexcept { return raw_.size; }
  /** what made the group unusable; 0 while it is usable */
  netcl::status failure() const noexcept { return static_cast<netcl::status>(raw_.failure); }
  /** the one that it has: never AUTO */
  netcl::group_transport transport() const noexcept {
    return static_cast<netcl::group_transport>(raw_.transport);
  }
  std::chrono::nanoseconds timeout() const noexcept { return detail::to_chrono(raw_.timeout_ns); }
  /**
   * collectives that this rank has begun, those among them that a rank refused, sends and receives
   * left out: while a group is usable, ranks at the same place of the program have the same number
   */
  uint64_t calls() const noexcept { return raw_.calls; }
};

/** How a reducer joins gradients. */
class reducer_options : public detail::sized<netcl_reducer_options> {
 public:
  using sized::sized;
  /** a bucket with so many is full; 0: 4 MiB */
  reducer_options& bucket_bytes(uint64_t value) noexcept {
    raw_.bucket_bytes = value;
    return *this;
  }
  /** SUM or MEAN; 0: MEAN */
  reducer_options& kind(netcl::reduction value) noexcept {
    raw_.kind = static_cast<netcl_reduction>(value);
    return *this;
  }
};

/** What a reducer is, and what it has done. */
class reducer_info : public detail::sized<netcl_reducer_info> {
 public:
  using sized::sized;
  /** with which a bucket is full */
  uint64_t bucket_bytes() const noexcept { return raw_.bucket_bytes; }
  /** that have begun */
  uint64_t runs() const noexcept { return raw_.runs; }
  /** that runs have given to it */
  uint64_t gradients() const noexcept { return raw_.gradients; }
  /** that are joined */
  uint64_t buckets() const noexcept { return raw_.buckets; }
  /** of the gradients in them */
  uint64_t bytes() const noexcept { return raw_.bytes; }
  netcl::reduction kind() const noexcept { return static_cast<netcl::reduction>(raw_.kind); }
  /** 1: the last run was not waited for yet */
  bool waiting() const noexcept { return raw_.waiting != 0; }
  /** of `bytes`, those that went by rooms of two ranks */
  uint64_t room_bytes() const noexcept { return raw_.room_bytes; }
};

/** How a tensor lies on the ranks of a group. */
class sharding_options : public detail::sized<netcl_sharding_options> {
 public:
  using sized::sized;
  sharding_options() noexcept = default;
  sharding_options(const sharding_options& other)
      : sized(other), mesh_(other.mesh_), axes_(other.axes_) {
    detail::follow(raw_.mesh, mesh_, other.mesh_);
    detail::follow(raw_.axes, axes_, other.axes_);
  }
  sharding_options& operator=(const sharding_options& other) {
    if (this == &other) return *this;
    mesh_ = other.mesh_;
    axes_ = other.axes_;
    raw_ = other.raw_;
    detail::follow(raw_.mesh, mesh_, other.mesh_);
    detail::follow(raw_.axes, axes_, other.axes_);
    return *this;
  }
  ~sharding_options() = default;
  /** extents whose product is the size of the group; mesh_count 0: one dimension of all ranks */
  sharding_options& mesh(netcl::view<uint32_t> list) {
    raw_.mesh = mesh_.put(list.as<uint32_t>(), list.size());
    raw_.mesh_count = list.count();
    return *this;
  }
  /** Likewise, of one entry. */
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  sharding_options& mesh(T entry) {
    return mesh(netcl::view<uint32_t>({entry}));
  }
  /**
   * for each dimension of the mesh the axis that it splits, not counted from the end, or
   * NETCL_REPLICATED; axes_count 0: dimension d splits axis d
   */
  sharding_options& axes(netcl::view<int32_t> list) {
    raw_.axes = axes_.put(list.as<int32_t>(), list.size());
    raw_.axes_count = list.count();
    return *this;
  }
  /** Likewise, of one entry. */
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  sharding_options& axes(T entry) {
    return axes(netcl::view<int32_t>({entry}));
  }

 private:
  detail::kept_list<uint32_t> mesh_;
  detail::kept_list<int32_t> axes_;
};

/** What a sharded tensor is, as one of its ranks sees it. */
class sharded_info : public detail::sized<netcl_sharded_info> {
 public:
  using sized::sized;
  netcl::dtype dtype() const noexcept { return static_cast<netcl::dtype>(raw_.dtype); }
  /** of the tensor */
  uint32_t rank() const noexcept { return raw_.rank; }
  /** of the whole */
  netcl::span<const int64_t> shape() const& noexcept {
    return {raw_.shape, std::min<size_t>(raw_.rank, 8)};
  }
  netcl::bounded<int64_t, 8> shape() && {
    return netcl::bounded<int64_t, 8>{raw_.shape, std::min<size_t>(raw_.rank, 8)};
  }
  /** dimensions of the mesh */
  uint32_t mesh_rank() const noexcept { return raw_.mesh_rank; }
  netcl::span<const uint32_t> mesh() const& noexcept { return {raw_.mesh, 3}; }
  netcl::bounded<uint32_t, 3> mesh() && { return netcl::bounded<uint32_t, 3>{raw_.mesh, 3}; }
  /** what they split, or NETCL_REPLICATED */
  netcl::span<const int32_t> axes() const& noexcept { return {raw_.axes, 3}; }
  netcl::bounded<int32_t, 3> axes() && { return netcl::bounded<int32_t, 3>{raw_.axes, 3}; }
};

/** Where in the whole the block of a rank lies. */
class block_info : public detail::sized<netcl_block_info> {
 public:
  using sized::sized;
  /** index of its first element */
  netcl::span<const int64_t> first() const& noexcept { return {raw_.first, 8}; }
  netcl::bounded<int64_t, 8> first() && { return netcl::bounded<int64_t, 8>{raw_.first, 8}; }
  netcl::span<const int64_t> shape() const& noexcept { return {raw_.shape, 8}; }
  netcl::bounded<int64_t, 8> shape() && { return netcl::bounded<int64_t, 8>{raw_.shape, 8}; }
};

/** As netcl_halo_options. */
class halo_options : public detail::sized<netcl_halo_options> {
 public:
  using sized::sized;
  /** of elements outside of the whole; as netcl_op_cast converts it */
  halo_options& value(double value) noexcept {
    raw_.value = value;
    return *this;
  }
  /** 1: outside of the whole it begins again; pads are at most extents */
  halo_options& periodic(bool value) noexcept {
    raw_.periodic = value ? 1 : 0;
    return *this;
  }
};

/** As netcl_measurement_options. */
class measurement_options : public detail::sized<netcl_measurement_options> {
 public:
  using sized::sized;
  /** runs before the first sample; 0: 3 */
  measurement_options& warmup_count(uint64_t value) noexcept {
    raw_.warmup_count = value;
    return *this;
  }
  /** and at least this long; 0: 25 ms, unless count is set */
  measurement_options& warmup(netcl::duration value) noexcept {
    raw_.warmup_ns = value.count();
    return *this;
  }
  /** exactly this many samples; 0: by the rules below */
  measurement_options& count(uint64_t value) noexcept {
    raw_.count = value;
    return *this;
  }
  /** 0: 10 */
  measurement_options& count_least(uint64_t value) noexcept {
    raw_.count_least = value;
    return *this;
  }
  /** 0: 100000 */
  measurement_options& count_most(uint64_t value) noexcept {
    raw_.count_most = value;
    return *this;
  }
  /** may end it before count_least; 0: 1 s per candidate */
  measurement_options& budget(netcl::duration value) noexcept {
    raw_.budget_ns = value.count();
    return *this;
  }
  /** wanted of the interval; 0: 0.95 */
  measurement_options& confidence(double value) noexcept {
    raw_.confidence = value;
    return *this;
  }
  /**
   * half width over the median at which it is enough, once the interval has that confidence; 0:
   * 0.005
   */
  measurement_options& precision(double value) noexcept {
    raw_.precision = value;
    return *this;
  }
  /** cold caches: written before a sample; 0: 256 MiB or 4 caches */
  measurement_options& flush_bytes(uint64_t value) noexcept {
    raw_.flush_bytes = value;
    return *this;
  }
  /** of the order in which candidates take turns */
  measurement_options& seed(uint64_t value) noexcept {
    raw_.seed = value;
    return *this;
  }
  /** things that are compared; 0: 1 */
  measurement_options& candidates(uint32_t value) noexcept {
    raw_.candidates = value;
    return *this;
  }
  /** 1: flush the device's caches before each sample */
  measurement_options& cold_cache(bool value) noexcept {
    raw_.cold_cache = value ? 1 : 0;
    return *this;
  }
  measurement_options& source(netcl::time_source value) noexcept {
    raw_.source = static_cast<netcl_time_source>(value);
    return *this;
  }
  /**
   * calls that measure to the end: receives one reference to the measurement, which has the samples
   */
  measurement_options& measurement(netcl::measurement& into) noexcept {
    raw_.measurement = into.place();
    return *this;
  }
};

/** Statistics of samples, times in nanoseconds for one iteration. */
class statistics : public detail::sized<netcl_statistics> {
 public:
  using sized::sized;
  /** samples */
  statistics& count(uint64_t value) noexcept {
    raw_.count = value;
    return *this;
  }
  /** samples */
  uint64_t count() const noexcept { return raw_.count; }
  statistics& median(double value) noexcept {
    raw_.median = value;
    return *this;
  }
  double median() const noexcept { return raw_.median; }
  statistics& mean(double value) noexcept {
    raw_.mean = value;
    return *this;
  }
  double mean() const noexcept { return raw_.mean; }
  /** of the sample (n - 1); 0 for one sample */
  statistics& deviation(double value) noexcept {
    raw_.deviation = value;
    return *this;
  }
  /** of the sample (n - 1); 0 for one sample */
  double deviation() const noexcept { return raw_.deviation; }
  statistics& min(double value) noexcept {
    raw_.min = value;
    return *this;
  }
  double min() const noexcept { return raw_.min; }
  statistics& max(double value) noexcept {
    raw_.max = value;
    return *this;
  }
  double max() const noexcept { return raw_.max; }
  /** quartiles interpolate between samples (Hyndman, Fan, type 7) */
  statistics& quartile_low(double value) noexcept {
    raw_.quartile_low = value;
    return *this;
  }
  /** quartiles interpolate between samples (Hyndman, Fan, type 7) */
  double quartile_low() const noexcept { return raw_.quartile_low; }
  statistics& quartile_high(double value) noexcept {
    raw_.quartile_high = value;
    return *this;
  }
  double quartile_high() const noexcept { return raw_.quartile_high; }
  /** interval of the median, from order statistics */
  statistics& interval_low(double value) noexcept {
    raw_.interval_low = value;
    return *this;
  }
  /** interval of the median, from order statistics */
  double interval_low() const noexcept { return raw_.interval_low; }
  statistics& interval_high(double value) noexcept {
    raw_.interval_high = value;
    return *this;
  }
  double interval_high() const noexcept { return raw_.interval_high; }
  /**
   * probability that the interval holds the true median: at least what was wanted, less where the
   * samples are too few for that (0.95 takes 6): 0 for 1 sample, 0.75 for 3
   */
  statistics& confidence(double value) noexcept {
    raw_.confidence = value;
    return *this;
  }
  /**
   * probability that the interval holds the true median: at least what was wanted, less where the
   * samples are too few for that (0.95 takes 6): 0 for 1 sample, 0.75 for 3
   */
  double confidence() const noexcept { return raw_.confidence; }
  /** runs per sample: more than 1 where the clock is coarse */
  statistics& iterations(uint64_t value) noexcept {
    raw_.iterations = value;
    return *this;
  }
  /** runs per sample: more than 1 where the clock is coarse */
  uint64_t iterations() const noexcept { return raw_.iterations; }
  /** runs before the first sample */
  statistics& warmup_count(uint64_t value) noexcept {
    raw_.warmup_count = value;
    return *this;
  }
  /** runs before the first sample */
  uint64_t warmup_count() const noexcept { return raw_.warmup_count; }
  /** of the clock */
  statistics& resolution(netcl::duration value) noexcept {
    raw_.resolution_ns = value.count();
    return *this;
  }
  /** of the clock */
  std::chrono::nanoseconds resolution() const noexcept {
    return detail::to_chrono(raw_.resolution_ns);
  }
  /** declared by the ops of one iteration; 0: none */
  statistics& bytes(double value) noexcept {
    raw_.bytes = value;
    return *this;
  }
  /** declared by the ops of one iteration; 0: none */
  double bytes() const noexcept { return raw_.bytes; }
  /** the part of bytes that is written */
  statistics& bytes_written(double value) noexcept {
    raw_.bytes_written = value;
    return *this;
  }
  /** the part of bytes that is written */
  double bytes_written() const noexcept { return raw_.bytes_written; }
  /** declared by the ops of one iteration; 0: none */
  statistics& operations(double value) noexcept {
    raw_.operations = value;
    return *this;
  }
  /** declared by the ops of one iteration; 0: none */
  double operations() const noexcept { return raw_.operations; }
  /** in which the operations are done; 0: unknown, or several */
  statistics& dtype(netcl::dtype value) noexcept {
    raw_.dtype = static_cast<netcl_dtype>(value);
    return *this;
  }
  /** in which the operations are done; 0: unknown, or several */
  netcl::dtype dtype() const noexcept { return static_cast<netcl::dtype>(raw_.dtype); }
  statistics& stop(netcl::stop_reason value) {
    raw_.stop = static_cast<netcl_stop_reason>(value);
    return *this;
  }
  netcl::stop_reason stop() const noexcept { return static_cast<netcl::stop_reason>(raw_.stop); }
  /** 1: caches were flushed before samples */
  statistics& cold_cache(bool value) noexcept {
    raw_.cold_cache = value ? 1 : 0;
    return *this;
  }
  /** 1: caches were flushed before samples */
  bool cold_cache() const noexcept { return raw_.cold_cache != 0; }
  /** 1: a probe showed that flushing makes reads slower here */
  statistics& flush_proven(bool value) noexcept {
    raw_.flush_proven = value ? 1 : 0;
    return *this;
  }
  /** 1: a probe showed that flushing makes reads slower here */
  bool flush_proven() const noexcept { return raw_.flush_proven != 0; }
  /** 1: some of the operations are declared for matrix units */
  statistics& matrix_units(bool value) noexcept {
    raw_.matrix_units = value ? 1 : 0;
    return *this;
  }
  /** 1: some of the operations are declared for matrix units */
  bool matrix_units() const noexcept { return raw_.matrix_units != 0; }
};

/** How the times of two candidates compare. */
class comparison : public detail::sized<netcl_comparison> {
 public:
  using sized::sized;
  /** median of the first over median of the second */
  double ratio() const noexcept { return raw_.ratio; }
  /** bootstrap interval of the ratio (percentiles, seeded) */
  double interval_low() const noexcept { return raw_.interval_low; }
  double interval_high() const noexcept { return raw_.interval_high; }
  netcl::verdict verdict() const noexcept { return static_cast<netcl::verdict>(raw_.verdict); }
};

/** What a timer saw between start and stop. */
class elapsed : public detail::sized<netcl_elapsed> {
 public:
  using sized::sized;
  /** start of the first command to end of the last */
  std::chrono::nanoseconds span() const noexcept { return detail::to_chrono(raw_.span_ns); }
  /** union of the commands' times */
  std::chrono::nanoseconds busy() const noexcept { return detail::to_chrono(raw_.busy_ns); }
  /** the host's clock from start to the first stop */
  std::chrono::nanoseconds host() const noexcept { return detail::to_chrono(raw_.host_ns); }
  uint64_t commands() const noexcept { return raw_.commands; }
};

/** As netcl_profile_options. */
class profile_options : public detail::sized<netcl_profile_options> {
 public:
  using sized::sized;
  profile_options() noexcept = default;
  profile_options(const profile_options& other)
      : sized(other), trace_path_(other.trace_path_) {
    detail::follow(raw_.trace_path, trace_path_, other.trace_path_);
  }
  profile_options& operator=(const profile_options& other) {
    if (this == &other) return *this;
    trace_path_ = other.trace_path_;
    raw_ = other.raw_;
    detail::follow(raw_.trace_path, trace_path_, other.trace_path_);
    return *this;
  }
  ~profile_options() = default;
  /** also write a trace there: Chrome's JSON, which Perfetto reads */
  profile_options& trace_path(netcl::text value) {
    raw_.trace_path = trace_path_.text(value.c_str());
    return *this;
  }
  /** commands kept for the report; 0: 1000000 */
  profile_options& records_most(uint64_t value) noexcept {
    raw_.records_most = value;
    return *this;
  }

 private:
  detail::kept_list<char> trace_path_;
};

/** As netcl_roofline_options. */
class roofline_options : public detail::sized<netcl_roofline_options> {
 public:
  using sized::sized;
  /** efficiency that counts as at the roofline, 1 to 100; 0: 90 */
  roofline_options& threshold_pct(double value) noexcept {
    raw_.threshold_pct = value;
    return *this;
  }
  /** less than this over the rounds is converged; 0: 0.1 */
  roofline_options& min_improvement_pct(double value) noexcept {
    raw_.min_improvement_pct = value;
    return *this;
  }
  /** more activity than this is use, 1 to 100; 0: 5 */
  roofline_options& tensor_core_threshold_pct(double value) noexcept {
    raw_.tensor_core_threshold_pct = value;
    return *this;
  }
  /** less of both is UNDERUTILIZED, 1 to 100; 0: 60 */
  roofline_options& underutilized_pct(double value) noexcept {
    raw_.underutilized_pct = value;
    return *this;
  }
  /** at least 2; 0: 5 */
  roofline_options& convergence_rounds(uint32_t value) noexcept {
    raw_.convergence_rounds = value;
    return *this;
  }
  /** OFF: being at the roofline is no reason to stop */
  roofline_options& early_stop(netcl::toggle value) noexcept {
    raw_.early_stop = static_cast<netcl_toggle>(value);
    return *this;
  }
};

/**
 * How near a kernel is to the limits of its device. Percentages may exceed 100: beating a ceiling
 * shows that the ceiling is wrong, and is warned of above 105.
 */
class roofline_result : public detail::sized<netcl_roofline_result> {
 public:
  using sized::sized;
  roofline_result& compute_sol_pct(double value) noexcept {
    raw_.compute_sol_pct = value;
    return *this;
  }
  double compute_sol_pct() const noexcept { return raw_.compute_sol_pct; }
  roofline_result& memory_sol_pct(double value) noexcept {
    raw_.memory_sol_pct = value;
    return *this;
  }
  double memory_sol_pct() const noexcept { return raw_.memory_sol_pct; }
  /** the larger of the two */
  roofline_result& efficiency_pct(double value) noexcept {
    raw_.efficiency_pct = value;
    return *this;
  }
  /** the larger of the two */
  double efficiency_pct() const noexcept { return raw_.efficiency_pct; }
  /** 1: efficiency_pct >= threshold_pct */
  roofline_result& at_roofline(bool value) noexcept {
    raw_.at_roofline = value ? 1 : 0;
    return *this;
  }
  /** 1: efficiency_pct >= threshold_pct */
  bool at_roofline() const noexcept { return raw_.at_roofline != 0; }
  /** 1: some of the work ran on them */
  roofline_result& uses_tensor_cores(bool value) noexcept {
    raw_.uses_tensor_cores = value ? 1 : 0;
    return *this;
  }
  /** 1: some of the work ran on them */
  bool uses_tensor_cores() const noexcept { return raw_.uses_tensor_cores != 0; }
  /** 100 - efficiency_pct, at least 0 */
  roofline_result& headroom_pct(double value) noexcept {
    raw_.headroom_pct = value;
    return *this;
  }
  /** 100 - efficiency_pct, at least 0 */
  double headroom_pct() const noexcept { return raw_.headroom_pct; }
  roofline_result& bottleneck(netcl::bottleneck value) noexcept {
    raw_.bottleneck = static_cast<netcl_bottleneck>(value);
    return *this;
  }
  netcl::bottleneck bottleneck() const noexcept {
    return static_cast<netcl::bottleneck>(raw_.bottleneck);
  }
  roofline_result& source(netcl::roofline_source value) noexcept {
    raw_.source = static_cast<netcl_roofline_source>(value);
    return *this;
  }
  netcl::roofline_source source() const noexcept {
    return static_cast<netcl::roofline_source>(raw_.source);
  }
  /** model: operations per byte; 0 when unknown */
  roofline_result& arithmetic_intensity(double value) noexcept {
    raw_.arithmetic_intensity = value;
    return *this;
  }
  /** model: operations per byte; 0 when unknown */
  double arithmetic_intensity() const noexcept { return raw_.arithmetic_intensity; }
  /** the time it is about; 0 when unknown */
  roofline_result& time_ns(double value) noexcept {
    raw_.time_ns = value;
    return *this;
  }
  /** the time it is about; 0 when unknown */
  double time_ns() const noexcept { return raw_.time_ns; }
  /** model: the shortest time that the ceilings allow */
  roofline_result& roof_ns(double value) noexcept {
    raw_.roof_ns = value;
    return *this;
  }
  /** model: the shortest time that the ceilings allow */
  double roof_ns() const noexcept { return raw_.roof_ns; }
  roofline_result& warnings_count(uint32_t value) noexcept {
    raw_.warnings_count = value;
    return *this;
  }
  uint32_t warnings_count() const noexcept { return raw_.warnings_count; }
  /** model: the ceiling that binds, "memory_read" */
  roofline_result& ceiling(std::string_view value) noexcept {
    const size_t size = std::min<size_t>(value.size(), sizeof(raw_.ceiling) - 1);
    std::memset(raw_.ceiling, 0, sizeof(raw_.ceiling));
    value.copy(raw_.ceiling, size);
    return *this;
  }
  /** model: the ceiling that binds, "memory_read" */
  std::string_view ceiling() const& noexcept { return detail::inline_text(raw_.ceiling); }
  std::string ceiling() && { return std::string{detail::inline_text(raw_.ceiling)}; }
  /** joined by "; " */
  roofline_result& warnings(std::string_view value) noexcept {
    const size_t size = std::min<size_t>(value.size(), sizeof(raw_.warnings) - 1);
    std::memset(raw_.warnings, 0, sizeof(raw_.warnings));
    value.copy(raw_.warnings, size);
    return *this;
  }
  /** joined by "; " */
  std::string_view warnings() const& noexcept { return detail::inline_text(raw_.warnings); }
  std::string warnings() && { return std::string{detail::inline_text(raw_.warnings)}; }
  /** NCU report: the launches that matched; else 0 */
  roofline_result& launches_count(uint32_t value) noexcept {
    raw_.launches_count = value;
    return *this;
  }
  /** NCU report: the launches that matched; else 0 */
  uint32_t launches_count() const noexcept { return raw_.launches_count; }
  /** which of these it is, from 0 on, as they stand there */
  roofline_result& launch(uint32_t value) noexcept {
    raw_.launch = value;
    return *this;
  }
  /** which of these it is, from 0 on, as they stand there */
  uint32_t launch() const noexcept { return raw_.launch; }
  /** its kernel, as far as it fits; control bytes are spaces */
  roofline_result& kernel(std::string_view value) noexcept {
    const size_t size = std::min<size_t>(value.size(), sizeof(raw_.kernel) - 1);
    std::memset(raw_.kernel, 0, sizeof(raw_.kernel));
    value.copy(raw_.kernel, size);
    return *this;
  }
  /** its kernel, as far as it fits; control bytes are spaces */
  std::string_view kernel() const& noexcept { return detail::inline_text(raw_.kernel); }
  std::string kernel() && { return std::string{detail::inline_text(raw_.kernel)}; }
};

/** As netcl_ncu_options. */
class ncu_options : public detail::sized<netcl_ncu_options> {
 public:
  using sized::sized;
  ncu_options() noexcept = default;
  ncu_options(const ncu_options& other)
      : sized(other), kernel_(other.kernel_) {
    detail::follow(raw_.kernel, kernel_, other.kernel_);
  }
  ncu_options& operator=(const ncu_options& other) {
    if (this == &other) return *this;
    kernel_ = other.kernel_;
    raw_ = other.raw_;
    detail::follow(raw_.kernel, kernel_, other.kernel_);
    return *this;
  }
  ~ncu_options() = default;
  /** part of the kernel's name; NULL: every launch */
  ncu_options& kernel(netcl::text value) {
    raw_.kernel = kernel_.text(value.c_str());
    return *this;
  }
  ncu_options& policy(netcl::ncu_policy value) noexcept {
    raw_.policy = static_cast<netcl_ncu_policy>(value);
    return *this;
  }
  /** 1: `kernel` is the whole name */
  ncu_options& exact(bool value) noexcept {
    raw_.exact = value ? 1 : 0;
    return *this;
  }

 private:
  detail::kept_list<char> kernel_;
};

/** As netcl_ceilings_options. */
class ceilings_options : public detail::sized<netcl_ceilings_options> {
 public:
  using sized::sized;
  /**
   * for all probes, the building of their kernels apart; runs that differ much are made again for
   * up to as long once more; 0: 3 s
   */
  ceilings_options& budget(netcl::duration value) noexcept {
    raw_.budget_ns = value.count();
    return *this;
  }
  /** 1: do not take what was measured before */
  ceilings_options& remeasure(bool value) noexcept {
    raw_.remeasure = value ? 1 : 0;
    return *this;
  }
  /** 1: neither take from the disk nor keep there */
  ceilings_options& no_store(bool value) noexcept {
    raw_.no_store = value ? 1 : 0;
    return *this;
  }
};

/** Where ceilings come from. */
class ceilings_info : public detail::sized<netcl_ceilings_info> {
 public:
  using sized::sized;
  /** CLOCK_REALTIME of the measuring; 0: nothing was measured */
  std::chrono::nanoseconds time() const noexcept { return detail::to_chrono(raw_.time_ns); }
  /** how long it took */
  std::chrono::nanoseconds spent() const noexcept { return detail::to_chrono(raw_.spent_ns); }
  /** rows that netcl_ceilings_get gives */
  uint32_t rows_count() const noexcept { return raw_.rows_count; }
  /** 1: measured by an earlier process */
  bool from_store() const noexcept { return raw_.from_store != 0; }
  std::string_view device() const& noexcept { return detail::inline_text(raw_.device); }
  std::string device() && { return std::string{detail::inline_text(raw_.device)}; }
  std::string_view driver_version() const& noexcept {
    return detail::inline_text(raw_.driver_version);
  }
  std::string driver_version() && { return std::string{detail::inline_text(raw_.driver_version)}; }
};

/**
 * What a result belongs to. Driver, shape and scalars may differ in an answer, all other members
 * have to be equal. NULL is "".
 */
class tuning_key : public detail::sized<netcl_tuning_key> {
 public:
  using sized::sized;
  tuning_key() noexcept = default;
  tuning_key(const tuning_key& other)
      : sized(other), kernel_(other.kernel_), source_(other.source_), flags_(other.flags_),
        dtypes_(other.dtypes_), layout_(other.layout_), part_(other.part_), driver_(other.driver_) {
    detail::follow(raw_.kernel, kernel_, other.kernel_);
    detail::follow(raw_.source, source_, other.source_);
    detail::follow(raw_.flags, flags_, other.flags_);
    detail::follow(raw_.dtypes, dtypes_, other.dtypes_);
    detail::follow(raw_.layout, layout_, other.layout_);
    detail::follow(raw_.part, part_, other.part_);
    detail::follow(raw_.driver, driver_, other.driver_);
  }
  tuning_key& operator=(const tuning_key& other) {
    if (this == &other) return *this;
    kernel_ = other.kernel_;
    source_ = other.source_;
    flags_ = other.flags_;
    dtypes_ = other.dtypes_;
    layout_ = other.layout_;
    part_ = other.part_;
    driver_ = other.driver_;
    raw_ = other.raw_;
    detail::follow(raw_.kernel, kernel_, other.kernel_);
    detail::follow(raw_.source, source_, other.source_);
    detail::follow(raw_.flags, flags_, other.flags_);
    detail::follow(raw_.dtypes, dtypes_, other.dtypes_);
    detail::follow(raw_.layout, layout_, other.layout_);
    detail::follow(raw_.part, part_, other.part_);
    detail::follow(raw_.driver, driver_, other.driver_);
    return *this;
  }
  ~tuning_key() = default;
  /** name of the kernel or op; must be set */
  tuning_key& kernel(netcl::text value) {
    raw_.kernel = kernel_.text(value.c_str());
    return *this;
  }
  /** something that changes with the source, such as its hash */
  tuning_key& source(netcl::text value) {
    raw_.source = source_.text(value.c_str());
    return *this;
  }
  /** build flags */
  tuning_key& flags(netcl::text value) {
    raw_.flags = flags_.text(value.c_str());
    return *this;
  }
  /** "f32,f32" */
  tuning_key& dtypes(netcl::text value) {
    raw_.dtypes = dtypes_.text(value.c_str());
    return *this;
  }
  tuning_key& layout(netcl::text value) {
    raw_.layout = layout_.text(value.c_str());
    return *this;
  }
  /** which device; NULL with a device: its own part */
  tuning_key& part(netcl::text value) {
    raw_.part = part_.text(value.c_str());
    return *this;
  }
  /** NULL with a device: its own driver */
  tuning_key& driver(netcl::text value) {
    raw_.driver = driver_.text(value.c_str());
    return *this;
  }
  tuning_key& shape(netcl::view<int64_t> list) {
    const size_t most = std::min<size_t>(list.size(), 24);
    std::copy_n(list.begin(), most, raw_.shape);
    raw_.shape_count = list.count();
    return *this;
  }
  /**
   * Of a kernel: its integer arguments in their order. Those of 1 and more may be near ones, as
   * extents may; the others have to be equal. Local memory is -1 - bytes, and what is no integer or
   * too much a hash below 0.
   */
  tuning_key& scalars(netcl::view<int64_t> list) {
    const size_t most = std::min<size_t>(list.size(), 16);
    std::copy_n(list.begin(), most, raw_.scalars);
    raw_.scalars_count = list.count();
    return *this;
  }

 private:
  detail::kept_list<char> kernel_;
  detail::kept_list<char> source_;
  detail::kept_list<char> flags_;
  detail::kept_list<char> dtypes_;
  detail::kept_list<char> layout_;
  detail::kept_list<char> part_;
  detail::kept_list<char> driver_;
};

/** One record. Times are nanoseconds, 0 when unknown; longer texts are cut. */
class tuning_record : public detail::sized<netcl_tuning_record> {
 public:
  using sized::sized;
  tuning_record& median(double value) noexcept {
    raw_.median = value;
    return *this;
  }
  double median() const noexcept { return raw_.median; }
  tuning_record& interval_low(double value) noexcept {
    raw_.interval_low = value;
    return *this;
  }
  double interval_low() const noexcept { return raw_.interval_low; }
  tuning_record& interval_high(double value) noexcept {
    raw_.interval_high = value;
    return *this;
  }
  double interval_high() const noexcept { return raw_.interval_high; }
  /** of BEST: what the default configuration takes */
  tuning_record& default_median(double value) noexcept {
    raw_.default_median = value;
    return *this;
  }
  /** of BEST: what the default configuration takes */
  double default_median() const noexcept { return raw_.default_median; }
  tuning_record& samples_count(uint64_t value) noexcept {
    raw_.samples_count = value;
    return *this;
  }
  uint64_t samples_count() const noexcept { return raw_.samples_count; }
  /** seconds since 1970 */
  tuning_record& timestamp(int64_t value) noexcept {
    raw_.timestamp = value;
    return *this;
  }
  /** seconds since 1970 */
  int64_t timestamp() const noexcept { return raw_.timestamp; }
  tuning_record& shape(netcl::view<int64_t> list) {
    const size_t most = std::min<size_t>(list.size(), 24);
    std::copy_n(list.begin(), most, raw_.shape);
    raw_.shape_count = list.count();
    return *this;
  }
  netcl::span<const int64_t> shape() const& noexcept {
    return {raw_.shape, std::min<size_t>(raw_.shape_count, 24)};
  }
  netcl::bounded<int64_t, 24> shape() && {
    return netcl::bounded<int64_t, 24>{raw_.shape, std::min<size_t>(raw_.shape_count, 24)};
  }
  /** of an answer, else 0 */
  tuning_record& match(netcl::match value) noexcept {
    raw_.match = static_cast<netcl_match>(value);
    return *this;
  }
  /** of an answer, else 0 */
  netcl::match match() const noexcept { return static_cast<netcl::match>(raw_.match); }
  tuning_record& kind(netcl::tuning_record_kind value) noexcept {
    raw_.kind = static_cast<netcl_tuning_record_kind>(value);
    return *this;
  }
  netcl::tuning_record_kind kind() const noexcept {
    return static_cast<netcl::tuning_record_kind>(raw_.kind);
  }
  tuning_record& outcome(netcl::outcome value) noexcept {
    raw_.outcome = static_cast<netcl_outcome>(value);
    return *this;
  }
  netcl::outcome outcome() const noexcept { return static_cast<netcl::outcome>(raw_.outcome); }
  tuning_record& kernel(std::string_view value) noexcept {
    const size_t size = std::min<size_t>(value.size(), sizeof(raw_.kernel) - 1);
    std::memset(raw_.kernel, 0, sizeof(raw_.kernel));
    value.copy(raw_.kernel, size);
    return *this;
  }
  std::string_view kernel() const& noexcept { return detail::inline_text(raw_.kernel); }
  std::string kernel() && { return std::string{detail::inline_text(raw_.kernel)}; }
  tuning_record& source(std::string_view value) noexcept {
    const size_t size = std::min<size_t>(value.size(), sizeof(raw_.source) - 1);
    std::memset(raw_.source, 0, sizeof(raw_.source));
    value.copy(raw_.source, size);
    return *this;
  }
  std::string_view source() const& noexcept { return detail::inline_text(raw_.source); }
  std::string source() && { return std::string{detail::inline_text(raw_.source)}; }
  tuning_record& flags(std::string_view value) noexcept {
    const size_t size = std::min<size_t>(value.size(), sizeof(raw_.flags) - 1);
    std::memset(raw_.flags, 0, sizeof(raw_.flags));
    value.copy(raw_.flags, size);
    return *this;
  }
  std::string_view flags() const& noexcept { return detail::inline_text(raw_.flags); }
  std::string flags() && { return std::string{detail::inline_text(raw_.flags)}; }
  tuning_record& dtypes(std::string_view value) noexcept {
    const size_t size = std::min<size_t>(value.size(), sizeof(raw_.dtypes) - 1);
    std::memset(raw_.dtypes, 0, sizeof(raw_.dtypes));
    value.copy(raw_.dtypes, size);
    return *this;
  }
  std::string_view dtypes() const& noexcept { return detail::inline_text(raw_.dtypes); }
  std::string dtypes() && { return std::string{detail::inline_text(raw_.dtypes)}; }
  tuning_record& layout(std::string_view value) noexcept {
    const size_t size = std::min<size_t>(value.size(), sizeof(raw_.layout) - 1);
    std::memset(raw_.layout, 0, sizeof(raw_.layout));
    value.copy(raw_.layout, size);
    return *this;
  }
  std::string_view layout() const& noexcept { return detail::inline_text(raw_.layout); }
  std::string layout() && { return std::string{detail::inline_text(raw_.layout)}; }
  tuning_record& part(std::string_view value) noexcept {
    const size_t size = std::min<size_t>(value.size(), sizeof(raw_.part) - 1);
    std::memset(raw_.part, 0, sizeof(raw_.part));
    value.copy(raw_.part, size);
    return *this;
  }
  std::string_view part() const& noexcept { return detail::inline_text(raw_.part); }
  std::string part() && { return std::string{detail::inline_text(raw_.part)}; }
  tuning_record& driver(std::string_view value) noexcept {
    const size_t size = std::min<size_t>(value.size(), sizeof(raw_.driver) - 1);
    std::memset(raw_.driver, 0, sizeof(raw_.driver));
    value.copy(raw_.driver, size);
    return *this;
  }
  std::string_view driver() const& noexcept { return detail::inline_text(raw_.driver); }
  std::string driver() && { return std::string{detail::inline_text(raw_.driver)}; }
  /** of BEST and QUARANTINE: why; else what went wrong */
  tuning_record& reason(std::string_view value) noexcept {
    const size_t size = std::min<size_t>(value.size(), sizeof(raw_.reason) - 1);
    std::memset(raw_.reason, 0, sizeof(raw_.reason));
    value.copy(raw_.reason, size);
    return *this;
  }
  /** of BEST and QUARANTINE: why; else what went wrong */
  std::string_view reason() const& noexcept { return detail::inline_text(raw_.reason); }
  std::string reason() && { return std::string{detail::inline_text(raw_.reason)}; }
  /** as in netcl_tuning_key */
  tuning_record& scalars(netcl::view<int64_t> list) {
    const size_t most = std::min<size_t>(list.size(), 16);
    std::copy_n(list.begin(), most, raw_.scalars);
    raw_.scalars_count = list.count();
    return *this;
  }
  /** as in netcl_tuning_key */
  netcl::span<const int64_t> scalars() const& noexcept {
    return {raw_.scalars, std::min<size_t>(raw_.scalars_count, 16)};
  }
  netcl::bounded<int64_t, 16> scalars() && {
    return netcl::bounded<int64_t, 16>{raw_.scalars, std::min<size_t>(raw_.scalars_count, 16)};
  }
  /** work items, where a formula of the space gave them; else zeros */
  tuning_record& global(const std::array<uint64_t, 3>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.global);
    return *this;
  }
  /** work items, where a formula of the space gave them; else zeros */
  netcl::span<const uint64_t> global() const& noexcept { return {raw_.global, 3}; }
  netcl::bounded<uint64_t, 3> global() && { return netcl::bounded<uint64_t, 3>{raw_.global, 3}; }
  /** of a group, likewise */
  tuning_record& local(const std::array<uint64_t, 3>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.local);
    return *this;
  }
  /** of a group, likewise */
  netcl::span<const uint64_t> local() const& noexcept { return {raw_.local, 3}; }
  netcl::bounded<uint64_t, 3> local() && { return netcl::bounded<uint64_t, 3>{raw_.local, 3}; }
};

/** Facts about a database. */
class tuning_database_info : public detail::sized<netcl_tuning_database_info> {
 public:
  using sized::sized;
  /** in force */
  uint64_t records() const noexcept { return raw_.records; }
  /** of this version in the file, superseded ones included */
  uint64_t lines() const noexcept { return raw_.lines; }
  /** of these, by later lines */
  uint64_t superseded() const noexcept { return raw_.superseded; }
  /** lines that a later release wrote */
  uint64_t foreign() const noexcept { return raw_.foreign; }
  /** lines that are passed over */
  uint64_t damaged() const noexcept { return raw_.damaged; }
  /** of the file */
  uint64_t bytes() const noexcept { return raw_.bytes; }
  /** "" when it lives in memory */
  std::string_view path() const& noexcept { return detail::inline_text(raw_.path); }
  std::string path() && { return std::string{detail::inline_text(raw_.path)}; }
  /** why it lives in memory; "" when it does not */
  std::string_view reason() const& noexcept { return detail::inline_text(raw_.reason); }
  std::string reason() && { return std::string{detail::inline_text(raw_.reason)}; }
};

/** One tensor of the record, packed in C order. */
class benchmark_tensor : public detail::sized<netcl_benchmark_tensor> {
 public:
  using sized::sized;
  benchmark_tensor() noexcept = default;
  benchmark_tensor(const benchmark_tensor& other)
      : sized(other), name_(other.name_), data_(other.data_) {
    detail::follow(raw_.name, name_, other.name_);
    detail::follow(raw_.data, data_, other.data_);
  }
  benchmark_tensor& operator=(const benchmark_tensor& other) {
    if (this == &other) return *this;
    name_ = other.name_;
    data_ = other.data_;
    raw_ = other.raw_;
    detail::follow(raw_.name, name_, other.name_);
    detail::follow(raw_.data, data_, other.data_);
    return *this;
  }
  ~benchmark_tensor() = default;
  /** for messages; NULL: the parameter's name */
  benchmark_tensor& name(netcl::text value) {
    raw_.name = name_.text(value.c_str());
    return *this;
  }
  /** copied */
  benchmark_tensor& data(netcl::bytes_in value) {
    raw_.data = data_.put(value.data(), value.size());
    raw_.data_size = value.size();
    return *this;
  }
  benchmark_tensor& shape(netcl::view<int64_t> list) noexcept {
    const size_t most = std::min<size_t>(list.size(), 8);
    std::copy_n(list.begin(), most, raw_.shape);
    raw_.rank = list.count();
    return *this;
  }
  /** see netcl_fill_kind */
  benchmark_tensor& a(double value) noexcept {
    raw_.a = value;
    return *this;
  }
  benchmark_tensor& b(double value) noexcept {
    raw_.b = value;
    return *this;
  }
  /** allowed difference of an output; 0: relative times its rms */
  benchmark_tensor& absolute(double value) noexcept {
    raw_.absolute = value;
    return *this;
  }
  /**
   * and relative to its value; 0: 1e-4 f32, 1e-9 f64, 1e-2 f16 ...; with both 0 a float of INOUT is
   * off by no more than a quarter of the largest change, but for its rounding
   */
  benchmark_tensor& relative(double value) noexcept {
    raw_.relative = value;
    return *this;
  }
  benchmark_tensor& dtype(netcl::dtype value) noexcept {
    raw_.dtype = static_cast<netcl_dtype>(value);
    return *this;
  }
  benchmark_tensor& access(netcl::access value) noexcept {
    raw_.access = static_cast<netcl_access>(value);
    return *this;
  }
  /** of IN and INOUT */
  benchmark_tensor& fill(netcl::fill_kind value) {
    raw_.fill = static_cast<netcl_fill_kind>(value);
    return *this;
  }
  /** 1: outputs agree bit for bit; integers do unless told otherwise */
  benchmark_tensor& exact(bool value) noexcept {
    raw_.exact = value ? 1 : 0;
    return *this;
  }

 private:
  detail::kept_list<char> name_;
  detail::kept_list<unsigned char> data_;
};

/** As netcl_benchmark_options. */
class benchmark_options : public detail::sized<netcl_benchmark_options> {
 public:
  using sized::sized;
  benchmark_options() noexcept = default;
  benchmark_options(const benchmark_options& other)
      : sized(other), worker_path_(other.worker_path_), temp_dir_(other.temp_dir_),
        lock_path_(other.lock_path_) {
    detail::follow(raw_.worker_path, worker_path_, other.worker_path_);
    detail::follow(raw_.temp_dir, temp_dir_, other.temp_dir_);
    detail::follow(raw_.lock_path, lock_path_, other.lock_path_);
  }
  benchmark_options& operator=(const benchmark_options& other) {
    if (this == &other) return *this;
    worker_path_ = other.worker_path_;
    temp_dir_ = other.temp_dir_;
    lock_path_ = other.lock_path_;
    raw_ = other.raw_;
    detail::follow(raw_.worker_path, worker_path_, other.worker_path_);
    detail::follow(raw_.temp_dir, temp_dir_, other.temp_dir_);
    detail::follow(raw_.lock_path, lock_path_, other.lock_path_);
    return *this;
  }
  ~benchmark_options() = default;
  /** NULL: NETCL_WORKER, else beside the library; never PATH */
  benchmark_options& worker_path(netcl::text value) {
    raw_.worker_path = worker_path_.text(value.c_str());
    return *this;
  }
  /** the worker's working folder and TMPDIR; NULL: as here */
  benchmark_options& temp_dir(netcl::text value) {
    raw_.temp_dir = temp_dir_.text(value.c_str());
    return *this;
  }
  /** of the device lock; NULL: one per device in the cache */
  benchmark_options& lock_path(netcl::text value) {
    raw_.lock_path = lock_path_.text(value.c_str());
    return *this;
  }
  /** of a candidate, and until a run of it begins; 0: 60 s */
  benchmark_options& compile_timeout(netcl::duration value) noexcept {
    raw_.compile_timeout_ns = value.count();
    return *this;
  }
  /** of one run of it that began; 0: 2 s */
  benchmark_options& run_timeout(netcl::duration value) noexcept {
    raw_.run_timeout_ns = value.count();
    return *this;
  }
  /** of the wait for the device; 0: 900 s */
  benchmark_options& lock_timeout(netcl::duration value) noexcept {
    raw_.lock_timeout_ns = value.count();
    return *this;
  }
  /** of the worker, drivers included; 0: 60 s */
  benchmark_options& start_timeout(netcl::duration value) noexcept {
    raw_.start_timeout_ns = value.count();
    return *this;
  }
  /** of random contents in round 0; the next has seed + 1 */
  benchmark_options& seed(uint64_t value) noexcept {
    raw_.seed = value;
    return *this;
  }
  /** times a candidate is checked, each with its seed; 0: 2 */
  benchmark_options& rounds(uint32_t value) noexcept {
    raw_.rounds = value;
    return *this;
  }
  /** for the log and the JSON */
  benchmark_options& worker_id(uint32_t value) noexcept {
    raw_.worker_id = value;
    return *this;
  }
  /** OFF: do not hold the device lock while using the device */
  benchmark_options& lock(netcl::toggle value) noexcept {
    raw_.lock = static_cast<netcl_toggle>(value);
    return *this;
  }

 private:
  detail::kept_list<char> worker_path_;
  detail::kept_list<char> temp_dir_;
  detail::kept_list<char> lock_path_;
};

/** A candidate. It gets the record's arguments in their order. */
class benchmark_candidate : public detail::sized<netcl_benchmark_candidate> {
 public:
  using sized::sized;
  benchmark_candidate() noexcept = default;
  benchmark_candidate(const benchmark_candidate& other)
      : sized(other), name_(other.name_), source_(other.source_), path_(other.path_),
        kernel_(other.kernel_), setup_kernel_(other.setup_kernel_), flags_(other.flags_),
        defines_(other.defines_) {
    detail::follow(raw_.name, name_, other.name_);
    detail::follow(raw_.source, source_, other.source_);
    detail::follow(raw_.path, path_, other.path_);
    detail::follow(raw_.kernel, kernel_, other.kernel_);
    detail::follow(raw_.setup_kernel, setup_kernel_, other.setup_kernel_);
    detail::follow(raw_.flags, flags_, other.flags_);
    detail::follow(raw_.defines, defines_, other.defines_);
  }
  benchmark_candidate& operator=(const benchmark_candidate& other) {
    if (this == &other) return *this;
    name_ = other.name_;
    source_ = other.source_;
    path_ = other.path_;
    kernel_ = other.kernel_;
    setup_kernel_ = other.setup_kernel_;
    flags_ = other.flags_;
    defines_ = other.defines_;
    raw_ = other.raw_;
    detail::follow(raw_.name, name_, other.name_);
    detail::follow(raw_.source, source_, other.source_);
    detail::follow(raw_.path, path_, other.path_);
    detail::follow(raw_.kernel, kernel_, other.kernel_);
    detail::follow(raw_.setup_kernel, setup_kernel_, other.setup_kernel_);
    detail::follow(raw_.flags, flags_, other.flags_);
    detail::follow(raw_.defines, defines_, other.defines_);
    return *this;
  }
  ~benchmark_candidate() = default;
  /** in the JSON; NULL: kernel */
  benchmark_candidate& name(netcl::text value) {
    raw_.name = name_.text(value.c_str());
    return *this;
  }
  /** OpenCL C; NULL: the file at path */
  benchmark_candidate& source(netcl::text value) {
    raw_.source = source_.text(value.c_str());
    return *this;
  }
  benchmark_candidate& path(netcl::text value) {
    raw_.path = path_.text(value.c_str());
    return *this;
  }
  /** which kernel of the source */
  benchmark_candidate& kernel(netcl::text value) {
    raw_.kernel = kernel_.text(value.c_str());
    return *this;
  }
  /** runs before each run, untimed; NULL: none */
  benchmark_candidate& setup_kernel(netcl::text value) {
    raw_.setup_kernel = setup_kernel_.text(value.c_str());
    return *this;
  }
  /** as in netcl_kernel_options */
  benchmark_candidate& flags(netcl::view<netcl::text> list) {
    raw_.flags = flags_.put(list.as<const char *>(), list.size());
    raw_.flags_count = list.count();
    return *this;
  }
  /** "NAME=text", or "NAME"; a macro the source sees */
  benchmark_candidate& defines(netcl::view<netcl::text> list) {
    raw_.defines = defines_.put(list.as<const char *>(), list.size());
    raw_.defines_count = list.count();
    return *this;
  }
  benchmark_candidate& global(netcl::view<uint64_t> list) {
    const size_t most = std::min<size_t>(list.size(), 3);
    std::copy_n(list.begin(), most, raw_.global);
    raw_.global_count = list.count();
    return *this;
  }
  /** zeros: netcl's choice, as for a launch */
  benchmark_candidate& local(const std::array<uint64_t, 3>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.local);
    return *this;
  }
  /** of setup_kernel, with as many dimensions */
  benchmark_candidate& setup_global(const std::array<uint64_t, 3>& value) noexcept {
    std::copy(value.begin(), value.end(), raw_.setup_global);
    return *this;
  }
  /** 1: -cl-fast-relaxed-math */
  benchmark_candidate& fast_math(bool value) noexcept {
    raw_.fast_math = value ? 1 : 0;
    return *this;
  }
  /** 1: without the macros LOAD STORE ADD SUB MUL DIV RELU */
  benchmark_candidate& no_preamble(bool value) noexcept {
    raw_.no_preamble = value ? 1 : 0;
    return *this;
  }
  /** 1: round the global size up to the local size */
  benchmark_candidate& round_up(bool value) noexcept {
    raw_.round_up = value ? 1 : 0;
    return *this;
  }

 private:
  detail::kept_list<char> name_;
  detail::kept_list<char> source_;
  detail::kept_list<char> path_;
  detail::kept_list<char> kernel_;
  detail::kept_list<char> setup_kernel_;
  detail::kept_texts flags_;
  detail::kept_texts defines_;
};

/** What became of a candidate. Times are nanoseconds, all 0 unless the outcome is CORRECT. */
class benchmark_result : public detail::sized<netcl_benchmark_result> {
 public:
  using sized::sized;
  netcl::outcome outcome() const noexcept { return static_cast<netcl::outcome>(raw_.outcome); }
  /** workers it has cost so far; after 3 it is not tried again */
  uint32_t deaths() const noexcept { return raw_.deaths; }
  /** samples */
  uint64_t count() const noexcept { return raw_.count; }
  double mean() const noexcept { return raw_.mean; }
  double deviation() const noexcept { return raw_.deviation; }
  double min() const noexcept { return raw_.min; }
  double max() const noexcept { return raw_.max; }
  double median() const noexcept { return raw_.median; }
  /** mean of the baseline over mean; 0 without a baseline */
  double speedup() const noexcept { return raw_.speedup; }
  /** building it took; little when it was in the cache */
  std::chrono::nanoseconds compile() const noexcept { return detail::to_chrono(raw_.compile_ns); }
  /** of the first checked run on the device; 0 without one */
  std::chrono::nanoseconds first_run() const noexcept {
    return detail::to_chrono(raw_.first_run_ns);
  }
  /** as launched; zeros when it was not */
  netcl::span<const uint64_t> global() const& noexcept { return {raw_.global, 3}; }
  netcl::bounded<uint64_t, 3> global() && { return netcl::bounded<uint64_t, 3>{raw_.global, 3}; }
  netcl::span<const uint64_t> local() const& noexcept { return {raw_.local, 3}; }
  netcl::bounded<uint64_t, 3> local() && { return netcl::bounded<uint64_t, 3>{raw_.local, 3}; }
  /** what went wrong: the argument, the element, got and wanted */
  std::string_view message() const& noexcept { return detail::inline_text(raw_.message); }
  std::string message() && { return std::string{detail::inline_text(raw_.message)}; }
};

/**
 * A patience of 0 stands for never with EXHAUSTIVE, else for 4 times the root of the number of
 * valid configurations, at least 96: of a large space more has to be seen. Every strategy goes on
 * until evaluations, patience or budget_ns are spent or nothing is left to try.
 */
class search_options : public detail::sized<netcl_search_options> {
 public:
  using sized::sized;
  search_options& seed(uint64_t value) noexcept {
    raw_.seed = value;
    return *this;
  }
  /** configurations tried at most; 0: all of EXHAUSTIVE, else 512 */
  search_options& evaluations(uint64_t value) noexcept {
    raw_.evaluations = value;
    return *this;
  }
  /** stop after so many without a better one; 0: see above */
  search_options& patience(uint64_t value) noexcept {
    raw_.patience = value;
    return *this;
  }
  /** from the first ask on; 0: none for a search, 60 s for a tuner */
  search_options& budget(netcl::duration value) noexcept {
    raw_.budget_ns = value.count();
    return *this;
  }
  /** of each finalist at most; 0: 30 for a search, 20 for a tuner */
  search_options& samples(uint64_t value) noexcept {
    raw_.samples = value;
    return *this;
  }
  /** a difference that is worth a change; 0: 0.01 */
  search_options& precision(double value) noexcept {
    raw_.precision = value;
    return *this;
  }
  /** what is surely this much slower than the best goes; 0: 1.2 */
  search_options& drop_factor(double value) noexcept {
    raw_.drop_factor = value;
    return *this;
  }
  /** shortest time that the device allows; 0: see netcl_tuner_run */
  search_options& roof_ns(double value) noexcept {
    raw_.roof_ns = value;
    return *this;
  }
  /** percent of the roof that are good enough, 1 to 1000; 0: 90 */
  search_options& threshold_pct(double value) noexcept {
    raw_.threshold_pct = value;
    return *this;
  }
  search_options& strategy(netcl::search_strategy value) noexcept {
    raw_.strategy = static_cast<netcl_search_strategy>(value);
    return *this;
  }
};

/** What happened in a search. */
class search_event : public detail::sized<netcl_search_event> {
 public:
  using sized::sized;
  /** counts from 1 */
  uint64_t sequence() const noexcept { return raw_.sequence; }
  /** CLOCK_MONOTONIC */
  std::chrono::nanoseconds time() const noexcept { return detail::to_chrono(raw_.time_ns); }
  /** candidates so far */
  uint64_t evaluations() const noexcept { return raw_.evaluations; }
  /** estimate of the time left; 0 when unknown */
  std::chrono::nanoseconds left() const noexcept { return detail::to_chrono(raw_.left_ns); }
  /** done so far, 0 to 1 */
  double fraction() const noexcept { return raw_.fraction; }
  /** median of the candidate, 0 when it has none */
  double candidate_ns() const noexcept { return raw_.candidate_ns; }
  /** median of the best so far, 0 when there is none */
  double best_ns() const noexcept { return raw_.best_ns; }
  netcl::search_event_kind kind() const noexcept {
    return static_cast<netcl::search_event_kind>(raw_.kind);
  }
  uint32_t candidate() const noexcept { return raw_.candidate; }
  /** of the candidate */
  netcl::outcome outcome() const noexcept { return static_cast<netcl::outcome>(raw_.outcome); }
  /** index of the best candidate so far */
  uint32_t best() const noexcept { return raw_.best; }
  /** of a tuner: which of its entries; else 0 */
  uint32_t entry() const noexcept { return raw_.entry; }
};

/** What a search found. Times are nanoseconds. */
class search_result : public detail::sized<netcl_search_result> {
 public:
  using sized::sized;
  /** RUNNING while it goes on */
  netcl::stop_reason stop() const noexcept { return static_cast<netcl::stop_reason>(raw_.stop); }
  /** index of the winner, of the best so far before the end */
  uint32_t best() const noexcept { return raw_.best; }
  /** valid ones, estimated where counting takes long, and default */
  uint64_t configurations() const noexcept { return raw_.configurations; }
  /** of them tried */
  uint64_t evaluations() const noexcept { return raw_.evaluations; }
  /** of these, from an earlier run */
  uint64_t known() const noexcept { return raw_.known; }
  /** since the first ask */
  std::chrono::nanoseconds elapsed() const noexcept { return detail::to_chrono(raw_.elapsed_ns); }
  /** of the winner */
  double median() const noexcept { return raw_.median; }
  double interval_low() const noexcept { return raw_.interval_low; }
  double interval_high() const noexcept { return raw_.interval_high; }
  /** of the default, 0 when it is not valid */
  double default_median() const noexcept { return raw_.default_median; }
  /** median of the default over that of the winner, 1 for itself */
  double gain() const noexcept { return raw_.gain; }
  /** interval of the gain, of confidence 0.999 */
  double gain_low() const noexcept { return raw_.gain_low; }
  double gain_high() const noexcept { return raw_.gain_high; }
  /** 1: the winner is the default configuration */
  bool is_default() const noexcept { return raw_.is_default != 0; }
  /** 1: the default won, as a faster one could not be told from it */
  bool tie() const noexcept { return raw_.tie != 0; }
  /** candidates by netcl_outcome */
  netcl::span<const uint64_t> counts() const& noexcept { return {raw_.counts, 16}; }
  netcl::bounded<uint64_t, 16> counts() && { return netcl::bounded<uint64_t, 16>{raw_.counts, 16}; }
};

/** One candidate of a search. Times are nanoseconds, 0 without samples. */
class search_candidate : public detail::sized<netcl_search_candidate> {
 public:
  using sized::sized;
  /** in its space; UINT64_MAX: in none, or in one beyond 2^20 */
  uint64_t place() const noexcept { return raw_.place; }
  uint64_t samples_count() const noexcept { return raw_.samples_count; }
  /** 0 when unknown */
  std::chrono::nanoseconds compile() const noexcept { return detail::to_chrono(raw_.compile_ns); }
  double median() const noexcept { return raw_.median; }
  double interval_low() const noexcept { return raw_.interval_low; }
  double interval_high() const noexcept { return raw_.interval_high; }
  /** UNKNOWN until its first rounds are over */
  netcl::outcome outcome() const noexcept { return static_cast<netcl::outcome>(raw_.outcome); }
  /** 1: found by an earlier run */
  bool known() const noexcept { return raw_.known != 0; }
  /** what is wrong with it, or which one it is the same program as */
  std::string_view message() const& noexcept { return detail::inline_text(raw_.message); }
  std::string message() && { return std::string{detail::inline_text(raw_.message)}; }
};

/** How a search does on a recording; see netcl_search_replay. */
class replay_result : public detail::sized<netcl_replay_result> {
 public:
  using sized::sized;
  /** configurations of the recording */
  uint64_t recorded() const noexcept { return raw_.recorded; }
  /** of these, those that have a time */
  uint64_t valid() const noexcept { return raw_.valid; }
  /** configurations that the search tried */
  uint64_t evaluations() const noexcept { return raw_.evaluations; }
  /** the shortest time of the recording, nanoseconds */
  double optimum() const noexcept { return raw_.optimum; }
  /** what the search found, nanoseconds; 0: nothing valid */
  double best() const noexcept { return raw_.best; }
  netcl::stop_reason stop() const noexcept { return static_cast<netcl::stop_reason>(raw_.stop); }
  /** that AUTO stood for, or as given */
  netcl::search_strategy strategy() const noexcept {
    return static_cast<netcl::search_strategy>(raw_.strategy);
  }
};

/** As netcl_tuner_options. */
class tuner_options : public detail::sized<netcl_tuner_options> {
 public:
  using sized::sized;
  tuner_options() noexcept = default;
  tuner_options(const tuner_options& other)
      : sized(other), search_(other.search_) {
    detail::follow(raw_.search, search_, other.search_);
  }
  tuner_options& operator=(const tuner_options& other) {
    if (this == &other) return *this;
    search_ = other.search_;
    raw_ = other.raw_;
    detail::follow(raw_.search, search_, other.search_);
    return *this;
  }
  ~tuner_options() = default;
  /** of each entry; NULL: defaults */
  tuner_options& search(const netcl::search_options& value) {
    search_ = value;
    raw_.search = *search_;
    return *this;
  }
  /** Likewise; what C has is not copied. */
  tuner_options& search(const netcl_search_options* value) noexcept {
    raw_.search = value;
    return *this;
  }
  /** NULL: the one of this user */
  tuner_options& database(netcl::tuning_database_ref value) noexcept {
    raw_.database = value.raw();
    return *this;
  }
  /** runs before the first sample; 0: 3 */
  tuner_options& warmup_count(uint64_t value) noexcept {
    raw_.warmup_count = value;
    return *this;
  }
  /** a driver may compile until a run begins; 0: 60 s */
  tuner_options& compile_limit(netcl::duration value) noexcept {
    raw_.compile_limit_ns = value.count();
    return *this;
  }
  /** of one run that began; 0: 2 s or 20 times the best */
  tuner_options& run_limit(netcl::duration value) noexcept {
    raw_.run_limit_ns = value.count();
    return *this;
  }
  /** 1: candidates run in this process, not in the worker */
  tuner_options& in_process(bool value) noexcept {
    raw_.in_process = value ? 1 : 0;
    return *this;
  }
  /** 1: measure again what is stored */
  tuner_options& force(bool value) noexcept {
    raw_.force = value ? 1 : 0;
    return *this;
  }

 private:
  std::optional<netcl::search_options> search_;
};

/**
 * What is tried for a kernel. NULL lists are filled in: local sizes are powers of two within the
 * limits of device and kernel, tile sizes 8, 16 and 32 and unroll factors 1, 2, 4 and 8, these two
 * only when the source uses their macro. What runs without tuning is tried first and is the
 * default, whether it is in the space or not: the source with no macro set and the local size that
 * a launch takes. The others have to give what it gives, and nothing wins that is not surely
 * faster. Where the source is no program without a macro, the first value of each stands for it.
 * Where the space gives the work size, a launch of the size that was tuned runs with that of the
 * winner, and other sizes take nothing of it.
 */
class kernel_tuning : public detail::sized<netcl_kernel_tuning> {
 public:
  using sized::sized;
  kernel_tuning() noexcept = default;
  kernel_tuning(const kernel_tuning& other)
      : sized(other), local_sizes_(other.local_sizes_), tile_sizes_(other.tile_sizes_),
        unroll_factors_(other.unroll_factors_), tile_macro_(other.tile_macro_),
        unroll_macro_(other.unroll_macro_), launch_(other.launch_), work_(other.work_) {
    detail::follow(raw_.local_sizes, local_sizes_, other.local_sizes_);
    detail::follow(raw_.tile_sizes, tile_sizes_, other.tile_sizes_);
    detail::follow(raw_.unroll_factors, unroll_factors_, other.unroll_factors_);
    detail::follow(raw_.tile_macro, tile_macro_, other.tile_macro_);
    detail::follow(raw_.unroll_macro, unroll_macro_, other.unroll_macro_);
    detail::follow(raw_.launch, launch_, other.launch_);
    detail::follow(raw_.work, work_, other.work_);
  }
  kernel_tuning& operator=(const kernel_tuning& other) {
    if (this == &other) return *this;
    local_sizes_ = other.local_sizes_;
    tile_sizes_ = other.tile_sizes_;
    unroll_factors_ = other.unroll_factors_;
    tile_macro_ = other.tile_macro_;
    unroll_macro_ = other.unroll_macro_;
    launch_ = other.launch_;
    work_ = other.work_;
    raw_ = other.raw_;
    detail::follow(raw_.local_sizes, local_sizes_, other.local_sizes_);
    detail::follow(raw_.tile_sizes, tile_sizes_, other.tile_sizes_);
    detail::follow(raw_.unroll_factors, unroll_factors_, other.unroll_factors_);
    detail::follow(raw_.tile_macro, tile_macro_, other.tile_macro_);
    detail::follow(raw_.unroll_macro, unroll_macro_, other.unroll_macro_);
    detail::follow(raw_.launch, launch_, other.launch_);
    detail::follow(raw_.work, work_, other.work_);
    return *this;
  }
  ~kernel_tuning() = default;
  /** rows of global_count extents */
  kernel_tuning& local_sizes(netcl::view<uint64_t> list) {
    raw_.local_sizes = local_sizes_.put(list.as<uint64_t>(), list.size());
    raw_.local_sizes_count = list.count();
    return *this;
  }
  /** Likewise, of one entry. */
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  kernel_tuning& local_sizes(T entry) {
    return local_sizes(netcl::view<uint64_t>({entry}));
  }
  /** values of tile_macro */
  kernel_tuning& tile_sizes(netcl::view<int64_t> list) {
    raw_.tile_sizes = tile_sizes_.put(list.as<int64_t>(), list.size());
    raw_.tile_sizes_count = list.count();
    return *this;
  }
  /** Likewise, of one entry. */
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  kernel_tuning& tile_sizes(T entry) {
    return tile_sizes(netcl::view<int64_t>({entry}));
  }
  /** values of unroll_macro */
  kernel_tuning& unroll_factors(netcl::view<int64_t> list) {
    raw_.unroll_factors = unroll_factors_.put(list.as<int64_t>(), list.size());
    raw_.unroll_factors_count = list.count();
    return *this;
  }
  /** Likewise, of one entry. */
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  kernel_tuning& unroll_factors(T entry) {
    return unroll_factors(netcl::view<int64_t>({entry}));
  }
  /** NULL: TILE_SIZE */
  kernel_tuning& tile_macro(netcl::text value) {
    raw_.tile_macro = tile_macro_.text(value.c_str());
    return *this;
  }
  /** NULL: UNROLL_FACTOR */
  kernel_tuning& unroll_macro(netcl::text value) {
    raw_.unroll_macro = unroll_macro_.text(value.c_str());
    return *this;
  }
  /** further macros with values, constraints and a work size */
  kernel_tuning& space(netcl::space_ref value) noexcept {
    raw_.space = value.raw();
    return *this;
  }
  kernel_tuning& launch(const netcl::launch_options& value) {
    launch_ = value;
    raw_.launch = *launch_;
    return *this;
  }
  /** Likewise; what C has is not copied. */
  kernel_tuning& launch(const netcl_launch_options* value) noexcept {
    raw_.launch = value;
    return *this;
  }
  /** what a launch has to do at least; NULL: launch->work */
  kernel_tuning& work(const netcl::work& value) {
    work_ = value;
    raw_.work = *work_;
    return *this;
  }
  /** Likewise; what C has is not copied. */
  kernel_tuning& work(const netcl_work* value) noexcept {
    raw_.work = value;
    return *this;
  }

 private:
  detail::kept_list<uint64_t> local_sizes_;
  detail::kept_list<int64_t> tile_sizes_;
  detail::kept_list<int64_t> unroll_factors_;
  detail::kept_list<char> tile_macro_;
  detail::kept_list<char> unroll_macro_;
  std::optional<netcl::launch_options> launch_;
  std::optional<netcl::work> work_;
};

/** How an entry of a tuner stands. */
class tuner_result : public detail::sized<netcl_tuner_result> {
 public:
  using sized::sized;
  /** EXACT when the database has its result, else NONE */
  netcl::match match() const noexcept { return static_cast<netcl::match>(raw_.match); }
  /** 1: this tuner measured it; 0: it was stored, or is still to do */
  bool measured() const noexcept { return raw_.measured != 0; }
  /** NETCL_OK, or why it could not be tuned */
  netcl::status status() const noexcept { return static_cast<netcl::status>(raw_.status); }
  /** spent on it */
  std::chrono::nanoseconds elapsed() const noexcept { return detail::to_chrono(raw_.elapsed_ns); }
  /** configurations tried; 0 unless measured */
  uint64_t evaluations() const noexcept { return raw_.evaluations; }
  /** of the best, nanoseconds */
  double median() const noexcept { return raw_.median; }
  double default_median() const noexcept { return raw_.default_median; }
  std::string_view name() const& noexcept { return detail::inline_text(raw_.name); }
  std::string name() && { return std::string{detail::inline_text(raw_.name)}; }
  /** of a status other than NETCL_OK */
  std::string_view message() const& noexcept { return detail::inline_text(raw_.message); }
  std::string message() && { return std::string{detail::inline_text(raw_.message)}; }
  /** of the best, where a formula of the space gives it; else zeros */
  netcl::span<const uint64_t> global() const& noexcept { return {raw_.global, 3}; }
  netcl::bounded<uint64_t, 3> global() && { return netcl::bounded<uint64_t, 3>{raw_.global, 3}; }
  /** likewise */
  netcl::span<const uint64_t> local() const& noexcept { return {raw_.local, 3}; }
  netcl::bounded<uint64_t, 3> local() && { return netcl::bounded<uint64_t, 3>{raw_.local, 3}; }
};

}  // namespace NETCL_HPP_MODE
}  // namespace netcl

#endif
