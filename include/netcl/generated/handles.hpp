// Written by bindings/generator/generate.py from include/netcl.h; do not edit.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_GENERATED_HANDLES_HPP
#define NETCL_GENERATED_HANDLES_HPP

#include <netcl/handle.hpp>

namespace netcl {
inline namespace NETCL_HPP_MODE {

class error_info;
class library_info;
class log_record;
class device_info;
class device_capabilities;
class copy_explanation;
class device_options;
class queue_options;
class queue_info;
class event_timing;
class pool_options;
class pool_info;
class buffer_info;
class shared_memory;
class run_options;
class tensor_options;
class transfer_options;
class random_options;
class tensor_info;
class kernel_options;
class work;
class launch_options;
class launch_explanation;
class kernel_info;
class kernel_arg_info;
class program_cache_info;
class program_cache_entry;
class variant_options;
class variant_config;
class conv2d_shape;
class expression_options;
class expressions_options;
class elementwise_options;
class primitive_options;
class primitive_kernels;
class primitive_call;
class primitive_call_options;
class epilogue;
class matmul_options;
class conv2d_batchnorm;
class conv2d_options;
class quantized_options;
class attention_options;
class rotary_embedding_options;
class reduce_options;
class scan_options;
class histogram_options;
class topk_options;
class norm_options;
class batchnorm_options;
class pooling_options;
class max_unpool2d_options;
class roi_pool_options;
class quantize_linear_options;
class dequantize_linear_options;
class dynamic_quantize_linear_options;
class qlinear_matmul_options;
class conv2d_integer_options;
class qlinear_conv2d_options;
class loss_options;
class mixed_precision;
class sgd_options;
class adam_options;
class rmsprop_options;
class adagrad_options;
class loss_scale_options;
class pad_options;
class scatter_options;
class resize_options;
class graph_options;
class graph_call;
class graph_function_options;
class graph_info;
class gradients_options;
class graph_compile_options;
class model_options;
class model_info;
class model_value;
class weights_options;
class weights_info;
class weights_entry;
class weights_save_options;
class group_options;
class group_info;
class reducer_options;
class reducer_info;
class sharding_options;
class sharded_info;
class block_info;
class halo_options;
class measurement_options;
class statistics;
class comparison;
class elapsed;
class profile_options;
class roofline_options;
class roofline_result;
class ncu_options;
class ceilings_options;
class ceilings_info;
class tuning_key;
class tuning_record;
class tuning_database_info;
class benchmark_tensor;
class benchmark_options;
class benchmark_candidate;
class benchmark_result;
class search_options;
class search_event;
class search_result;
class search_candidate;
class replay_result;
class tuner_options;
class kernel_tuning;
class tuner_result;
class arg;
class scalar;
class device_ref;
using device = owned<device_ref>;
class queue_ref;
using queue = owned<queue_ref>;
class event_ref;
using event = owned<event_ref>;
class pool_ref;
using pool = owned<pool_ref>;
class buffer_ref;
using buffer = owned<buffer_ref>;
class tensor_ref;
using tensor = owned<tensor_ref>;
class kernel_ref;
using kernel = owned<kernel_ref>;
class expression_ref;
using expression = owned<expression_ref>;
class measurement_ref;
using measurement = owned<measurement_ref>;
class timer_ref;
using timer = owned<timer_ref>;
class region_ref;
using region = owned<region_ref>;
class roofline_ref;
using roofline = owned<roofline_ref>;
class ceilings_ref;
using ceilings = owned<ceilings_ref>;
class space_ref;
using space = owned<space_ref>;
class config_ref;
using config = owned<config_ref>;
class tuning_database_ref;
using tuning_database = owned<tuning_database_ref>;
class search_ref;
using search = owned<search_ref>;
class tuner_ref;
using tuner = owned<tuner_ref>;
class benchmark_ref;
using benchmark = owned<benchmark_ref>;
class graph_ref;
using graph = owned<graph_ref>;
class group_ref;
using group = owned<group_ref>;
class reducer_ref;
using reducer = owned<reducer_ref>;
class sharded_ref;
using sharded = owned<sharded_ref>;
class model_ref;
using model = owned<model_ref>;
class weights_ref;
using weights = owned<weights_ref>;

/** A compute device with its context and its default queue. Shareable. */
class device_ref : public detail::handle<netcl_device> {
 public:
  using handle::handle;
  static void release_raw(netcl_device* raw) noexcept { netcl_device_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::device> share() const;
  /**
   * Counts all devices: every device of every OpenCL platform, then the built-in CPU device, which
   * is always there. See netcl_device_count.
   */
  [[nodiscard]] static returns<uint32_t> count();
  /** Describes a device of the list without opening it. See netcl_device_describe. */
  [[nodiscard]] static returns<netcl::device_info> describe(uint32_t index);
  /**
   * Explains in words which loader, platforms and devices were found, what kept others away, and
   * which device each word that is a selector gives. See netcl_device_diagnose.
   */
  [[nodiscard]] static returns<std::string> diagnose();
  /** Opens a device. See netcl_device_open. */
  [[nodiscard]] static returns<netcl::device> open(netcl::text selector,
                                                   const netcl_device_options* options = nullptr);
  /**
   * Wraps an OpenCL context, one of its devices, and a queue of both as a netcl device. See
   * netcl_device_open_from_cl.
   */
  [[nodiscard]] static returns<netcl::device> open_from_cl(
      struct _cl_context* context, struct _cl_device_id* device_id, struct _cl_command_queue* queue,
      const netcl_device_options* options = nullptr);
  /** Gives the identity of a device. See netcl_device_get_info. */
  [[nodiscard]] returns<netcl::device_info> info() const;
  /** Gives the capabilities of a device. See netcl_device_get_capabilities. */
  [[nodiscard]] returns<netcl::device_capabilities> capabilities() const;
  /** Waits for everything enqueued on any queue of the device. See netcl_device_finish. */
  returns<void> finish(netcl::timeout timeout = {}) const;
  /**
   * Suggests a local size and the global size rounded up to its multiple, from the shape of the
   * work and the device's limits: 64 items in one dimension, 8x8 or a multiple of the preferred
   * width in two, 4x4x4 in three; on CPUs 64x4 and 64x4x1. See netcl_device_suggest_local_size.
   * Gives local, rounded.
   */
  [[nodiscard]] returns<std::tuple<std::vector<uint64_t>, std::vector<uint64_t>>> suggest_local_size(
      netcl::view<uint64_t> global) const;
  /**
   * Tells how netcl_op_copy brings a tensor of `from` to `to`, and why so. See
   * netcl_device_explain_copy.
   */
  [[nodiscard]] returns<netcl::copy_explanation> explain_copy(netcl::device_ref to) const;
  /** Lends the OpenCL context. See netcl_device_get_cl_context. */
  [[nodiscard]] returns<struct _cl_context *> cl_context() const;
  /** Lends the OpenCL device. See netcl_device_get_cl_device. */
  [[nodiscard]] returns<struct _cl_device_id *> cl_device() const;
  /** Gives the device's default in-order queue. See netcl_device_get_queue. */
  [[nodiscard]] returns<netcl::queue> queue() const;
  /** Makes a device the calling thread's active one. See netcl_device_push. */
  returns<void> push() const;
  /** Takes the calling thread's active device off its stack. See netcl_device_pop. */
  static returns<void> pop();
  /** Gives the calling thread's active device. See netcl_device_current. */
  [[nodiscard]] static returns<netcl::device> current();
  /**
   * Gives the device's own pool of a kind: PERSISTENT is where tensors come from by default, PINNED
   * is where transfers are staged, POWER_OF_TWO is made at the first call. See
   * netcl_device_get_pool.
   */
  [[nodiscard]] returns<netcl::pool> pool(netcl::pool_kind kind) const;
  /**
   * Gives the part of a device, as keys have it: what decides its speed and is the same in every
   * process, separated by |. See netcl_device_get_part.
   */
  [[nodiscard]] returns<std::string> part() const;
  /**
   * Tells whether a record may answer a look-up for a device: EXACT, OTHER_DRIVER, or OTHER_PART
   * when it may not. See netcl_device_match_record.
   */
  [[nodiscard]] returns<netcl::match> match_record(const netcl_tuning_record* record) const;
};

/** An in-order or out-of-order command queue of a device. Shareable. */
class queue_ref : public detail::handle<netcl_queue> {
 public:
  using handle::handle;
  static void release_raw(netcl_queue* raw) noexcept { netcl_queue_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::queue> share() const;
  /** Makes another queue of a device. See netcl_queue_create. */
  [[nodiscard]] static returns<netcl::queue> create(netcl::device_ref device,
                                                    const netcl_queue_options* options = nullptr);
  /**
   * Wraps an OpenCL queue of the device's context and device; it is retained. See
   * netcl_queue_create_from_cl.
   */
  [[nodiscard]] static returns<netcl::queue> create_from_cl(netcl::device_ref device,
                                                            struct _cl_command_queue* cl_queue);
  /** Gives the state of a queue. See netcl_queue_get_info. */
  [[nodiscard]] returns<netcl::queue_info> info() const;
  /** Gives the device of a queue. See netcl_queue_get_device. */
  [[nodiscard]] returns<netcl::device> device() const;
  /**
   * Switches the recording of times on or off for commands enqueued from now on. See
   * netcl_queue_set_profiling.
   */
  returns<void> set_profiling(bool enabled) const;
  /** Hands all enqueued commands to the device. See netcl_queue_flush. */
  returns<void> flush() const;
  /**
   * Waits for everything enqueued on the queue; errors as for netcl_device_finish. See
   * netcl_queue_finish.
   */
  returns<void> finish(netcl::timeout timeout = {}) const;
  /**
   * Enqueues a marker: its event completes when everything enqueued before on this queue and all of
   * `waits` have completed. See netcl_queue_enqueue_marker.
   */
  [[nodiscard]] returns<netcl::event> enqueue_marker(
      netcl::view<netcl::event_ref> waits = {}) const;
  /**
   * Lends the OpenCL queue that commands go to at present, after flushing it. See
   * netcl_queue_get_cl_queue.
   */
  [[nodiscard]] returns<struct _cl_command_queue *> cl_queue() const;
  /**
   * Measures a function that enqueues work: netcl_measurement_create and a loop around it. See
   * netcl_queue_time.
   */
  template <class F>
  [[nodiscard]] returns<netcl::statistics> time(
      F&& work, const netcl_measurement_options* options = nullptr) const;
};

/** The completion of one command. Shareable. */
class event_ref : public detail::handle<netcl_event> {
 public:
  using handle::handle;
  static void release_raw(netcl_event* raw) noexcept { netcl_event_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::event> share() const;
  /**
   * Wraps an OpenCL event of the device's context; it is retained. See netcl_event_create_from_cl.
   */
  [[nodiscard]] static returns<netcl::event> create_from_cl(netcl::device_ref device,
                                                            struct _cl_event* cl_event);
  /** Waits for the command. See netcl_event_wait. */
  returns<void> wait(netcl::timeout timeout = {}) const;
  /** Tells how far the command has come, without waiting. See netcl_event_query. */
  [[nodiscard]] returns<netcl::event_state> query() const;
  /** Gives the times of a completed command. See netcl_event_get_timing. */
  [[nodiscard]] returns<netcl::event_timing> timing() const;
  /**
   * Gives the error of a failed command; status NETCL_OK when it has not failed. See
   * netcl_event_get_error.
   */
  [[nodiscard]] returns<netcl::error_info> error() const;
  /** Lends the OpenCL event. See netcl_event_get_cl_event. */
  [[nodiscard]] returns<struct _cl_event *> cl_event() const;
};

/** A cache of device memory or of page-locked host memory. Shareable. */
class pool_ref : public detail::handle<netcl_pool> {
 public:
  using handle::handle;
  static void release_raw(netcl_pool* raw) noexcept { netcl_pool_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::pool> share() const;
  /** Makes a pool. See netcl_pool_create. */
  [[nodiscard]] static returns<netcl::pool> create(netcl::device_ref device,
                                                   const netcl_pool_options* options = nullptr);
  /** Gives the statistics of a pool. See netcl_pool_get_info. */
  [[nodiscard]] returns<netcl::pool_info> info() const;
  /** Gives the buckets that were used so far, smallest first. See netcl_pool_get_buckets. */
  [[nodiscard]] returns<std::vector<netcl::pool_bucket>> buckets() const;
  /**
   * Gives cached memory back to the device until at most keep_bytes are cached. See
   * netcl_pool_trim.
   */
  returns<void> trim(uint64_t keep_bytes) const;
  /** Leases memory of at least `bytes` bytes (0 gives an empty lease). See netcl_pool_allocate. */
  [[nodiscard]] returns<netcl::buffer> allocate(uint64_t bytes) const;
};

/** A piece of memory: a lease from a pool, or memory made on its own. Shareable. */
class buffer_ref : public detail::handle<netcl_buffer> {
 public:
  using handle::handle;
  static void release_raw(netcl_buffer* raw) noexcept { netcl_buffer_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::buffer> share() const;
  /** Allocates page-locked host memory outside any pool. See netcl_buffer_create_pinned. */
  [[nodiscard]] static returns<netcl::buffer> create_pinned(netcl::device_ref device,
                                                            uint64_t bytes);
  /**
   * Lets the device work on the caller's own memory, which must stay valid until the last reference
   * to the buffer and its tensors is gone and the device is done. See
   * netcl_buffer_create_zero_copy.
   */
  [[nodiscard]] static returns<netcl::buffer> create_zero_copy(netcl::device_ref device,
                                                               netcl::bytes_out data);
  /** Gives the facts of a buffer. See netcl_buffer_get_info. */
  [[nodiscard]] returns<netcl::buffer_info> info() const;
  /** Lends the OpenCL memory object. See netcl_buffer_get_cl_mem. */
  [[nodiscard]] returns<struct _cl_mem *> cl_mem() const;
  /**
   * Lets others have a buffer's memory: another process, to which a Unix socket takes the
   * descriptor (SCM_RIGHTS), or another device. See netcl_buffer_export.
   */
  [[nodiscard]] returns<netcl::shared_memory> export_() const;
  /**
   * Opens what netcl_buffer_export gave, here or in another process;
   * netcl_tensor_create_from_buffer makes tensors of it. See netcl_buffer_import.
   */
  [[nodiscard]] static returns<netcl::buffer> import_(netcl::device_ref device,
                                                      const netcl_shared_memory* memory);
  /**
   * Gives the address (CUdeviceptr) of a buffer for CUDA, in the primary context of its GPU, which
   * PyTorch, CuPy and JAX use. See netcl_buffer_get_cuda_address.
   */
  [[nodiscard]] returns<uint64_t> cuda_address() const;
};

/** An N-d array: a shape, strides and a dtype over a piece of memory. Shareable. */
class tensor_ref : public detail::handle<netcl_tensor> {
 public:
  using handle::handle;
  static void release_raw(netcl_tensor* raw) noexcept { netcl_tensor_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::tensor> share() const;
  /** The extents. */
  [[nodiscard]] returns<netcl::extents> shape() const;
  /** The type of the elements. */
  [[nodiscard]] returns<netcl::dtype> dtype() const;
  /** Makes a tensor whose contents are undefined. See netcl_tensor_create. */
  [[nodiscard]] static returns<netcl::tensor> create(netcl::device_ref device, netcl::dtype dtype,
                                                     const netcl::layout& shape,
                                                     const netcl_tensor_options* options = nullptr);
  /** Makes a tensor of zeros. See netcl_tensor_create_zeros. */
  [[nodiscard]] static returns<netcl::tensor> create_zeros(
      netcl::device_ref device, netcl::dtype dtype, const netcl::layout& shape,
      const netcl_tensor_options* options = nullptr);
  /** Makes a tensor with one value everywhere. See netcl_tensor_create_full. */
  [[nodiscard]] static returns<netcl::tensor> create_full(
      netcl::device_ref device, netcl::dtype dtype, const netcl::layout& shape,
      const netcl::scalar& value, const netcl_tensor_options* options = nullptr);
  /**
   * Makes a tensor of random numbers from Philox4x32-10 (Salmon et al., SC 2011). See
   * netcl_tensor_create_random.
   */
  [[nodiscard]] static returns<netcl::tensor> create_random(
      netcl::device_ref device, netcl::dtype dtype, const netcl::layout& shape,
      const netcl_random_options* random = nullptr, const netcl_tensor_options* options = nullptr);
  /** Makes a tensor from an array of the host. See netcl_tensor_create_from_host. */
  [[nodiscard]] static returns<netcl::tensor> create_from_host(
      netcl::device_ref device, netcl::dtype dtype, const netcl::layout& shape,
      netcl::bytes_in data, const netcl_tensor_options* options = nullptr);
  /**
   * Makes a tensor over a buffer, starting offset_bytes into it (a multiple of the element size).
   * See netcl_tensor_create_from_buffer.
   */
  [[nodiscard]] static returns<netcl::tensor> create_from_buffer(netcl::buffer_ref buffer,
                                                                 uint64_t offset_bytes,
                                                                 netcl::dtype dtype,
                                                                 const netcl::layout& shape);
  /**
   * Wraps an OpenCL memory object of the device's context as a tensor, starting offset_bytes into
   * it. See netcl_tensor_create_from_cl.
   */
  [[nodiscard]] static returns<netcl::tensor> create_from_cl(
      netcl::device_ref device, struct _cl_mem* mem, uint64_t offset_bytes, netcl::dtype dtype,
      const netcl::layout& shape, const netcl_tensor_options* options = nullptr);
  /**
   * Takes a DLPack tensor: kDLOpenCL of the device's context; kDLCPU, which is copied unless the
   * device is the built-in one and options->share is 0; or kDLCUDA that lies in a tensor or buffer
   * of the device's with share = 1. See netcl_tensor_create_from_dlpack.
   */
  [[nodiscard]] static returns<netcl::tensor> create_from_dlpack(
      netcl::device_ref device, struct DLManagedTensor* managed,
      const netcl_tensor_options* options = nullptr);
  /**
   * Exports a tensor through DLPack: kDLCUDA or, on CPU devices, kDLCPU when it was made with share
   * = 1, else kDLOpenCL with the cl_mem as data, or kDLCPU on the built-in device; with a
   * byte_offset. See netcl_tensor_to_dlpack.
   */
  [[nodiscard]] returns<struct DLManagedTensor *> to_dlpack(netcl::timeout timeout = {}) const;
  /**
   * Loads a .npy file (format 1 to 3; C or Fortran order, either byte order; bf16 is '<V2' as
   * written by ml_dtypes). See netcl_tensor_load_npy.
   */
  [[nodiscard]] static returns<netcl::tensor> load_npy(
      netcl::device_ref device, netcl::text path, const netcl_tensor_options* options = nullptr);
  /** As netcl_tensor_load_npy, from memory. See netcl_tensor_create_from_npy. */
  [[nodiscard]] static returns<netcl::tensor> create_from_npy(
      netcl::device_ref device, netcl::bytes_in data,
      const netcl_tensor_options* options = nullptr);
  /** Writes a tensor as a .npy file, format 1.0, C order. See netcl_tensor_save_npy. */
  returns<void> save_npy(netcl::text path, netcl::timeout timeout = {}) const;
  /** Gives the facts of a tensor. See netcl_tensor_get_info. */
  [[nodiscard]] returns<netcl::tensor_info> info() const;
  /** Gives the device of a tensor. See netcl_tensor_get_device. */
  [[nodiscard]] returns<netcl::device> device() const;
  /**
   * Gives the memory of a tensor; its contents begin at offset elements. See
   * netcl_tensor_get_buffer.
   */
  [[nodiscard]] returns<netcl::buffer> buffer() const;
  /** Views part of a tensor, one range per dimension. See netcl_tensor_slice. */
  [[nodiscard]] returns<netcl::tensor> slice(netcl::view<netcl::range> ranges) const;
  /** Views a tensor with its dimensions in another order. See netcl_tensor_permute. */
  [[nodiscard]] returns<netcl::tensor> permute(netcl::view<uint32_t> axes) const;
  /**
   * Views a tensor with a larger shape: dimensions of extent 1 and missing leading ones repeat. See
   * netcl_tensor_broadcast.
   */
  [[nodiscard]] returns<netcl::tensor> broadcast(netcl::view<int64_t> shape) const;
  /**
   * Views the memory of a tensor through any shape and strides, from `offset` elements after the
   * tensor's own first element. See netcl_tensor_view.
   */
  [[nodiscard]] returns<netcl::tensor> view(const netcl::layout& shape, int64_t offset) const;
  /**
   * Gives the elements, in C order, another shape with the same number of elements; one extent may
   * be -1 and is worked out. See netcl_tensor_reshape.
   */
  [[nodiscard]] returns<netcl::tensor> reshape(netcl::view<int64_t> shape,
                                               const netcl_run_options* run = nullptr) const;
  /** Copies elements to the host in C order. See netcl_tensor_read. */
  returns<void> read(netcl::bytes_out data, const netcl_transfer_options* options = nullptr,
                     netcl::timeout timeout = {}) const;
  /** Copies elements, in C order, from the host. See netcl_tensor_write. */
  returns<void> write(netcl::bytes_in data, const netcl_transfer_options* options = nullptr,
                      netcl::timeout timeout = {}) const;
  /** Waits for the commands that write the tensor. See netcl_tensor_wait. */
  returns<void> wait(netcl::timeout timeout = {}) const;
  /**
   * Views the parts of a tensor along an axis, as ONNX Split; sizes add up to its extent. See
   * netcl_tensor_split.
   */
  [[nodiscard]] returns<std::vector<netcl::tensor>> split(int32_t axis,
                                                          netcl::view<int64_t> sizes) const;
};

/** A kernel specification and what it was built to. Shareable. */
class kernel_ref : public detail::handle<netcl_kernel> {
 public:
  using handle::handle;
  static void release_raw(netcl_kernel* raw) noexcept { netcl_kernel_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::kernel> share() const;
  /** Makes a kernel from a specification; compiles nothing. See netcl_kernel_create. */
  [[nodiscard]] static returns<netcl::kernel> create(netcl::device_ref device, netcl::text name,
                                                     const netcl_kernel_options* options = nullptr);
  /**
   * Makes the specification of an elementwise kernel `name`(v0, ..., out, n) over contiguous arrays
   * of one dtype from an expression in v0 . See netcl_kernel_create_elementwise.
   */
  [[nodiscard]] static returns<netcl::kernel> create_elementwise(netcl::device_ref device,
                                                                 netcl::text name, uint32_t arity,
                                                                 netcl::text expression,
                                                                 netcl::dtype dtype);
  /** Builds a kernel, from the program cache where it is there. See netcl_kernel_build. */
  returns<void> build() const;
  /** Gives the facts of a kernel; builds it when needed. See netcl_kernel_get_info. */
  [[nodiscard]] returns<netcl::kernel_info> info() const;
  /** Gives the facts of one parameter; builds when needed. See netcl_kernel_get_arg_info. */
  [[nodiscard]] returns<netcl::kernel_arg_info> arg_info(uint32_t index) const;
  /** Gives the text that the compiler gets. See netcl_kernel_get_source. */
  [[nodiscard]] returns<std::string> source() const;
  /** Gives the log of the last build, "" before it. See netcl_kernel_get_build_log. */
  [[nodiscard]] returns<std::string> build_log() const;
  /**
   * Gives the built program with netcl's checksum and key, to be used as
   * netcl_kernel_options.binary on the same device and driver. See netcl_kernel_get_binary.
   */
  [[nodiscard]] returns<std::vector<unsigned char>> binary() const;
  /**
   * Hashes the shapes and dtypes of inputs and outputs to a signature, the same in every process.
   * See netcl_kernel_shape_signature.
   */
  [[nodiscard]] static returns<uint64_t> shape_signature(netcl::view<netcl::tensor_ref> inputs,
                                                         netcl::view<netcl::tensor_ref> outputs);
  /**
   * Registers a kernel with its device under its name and shape signature, replacing an earlier
   * one. See netcl_kernel_register.
   */
  returns<void> register_() const;
  /** Removes a registration. See netcl_kernel_unregister. */
  static returns<void> unregister(netcl::device_ref device, netcl::text name,
                                  uint64_t shape_signature);
  /**
   * Finds a registered kernel: the one with this signature, else the one with signature 0. See
   * netcl_kernel_find.
   */
  [[nodiscard]] static returns<netcl::kernel> find(netcl::device_ref device, netcl::text name,
                                                   uint64_t shape_signature);
  /** Launches a kernel over `global` work items; builds it when needed. See netcl_kernel_launch. */
  returns<void> launch(netcl::view<uint64_t> global, netcl::view<uint64_t> local,
                       netcl::view<netcl::arg> args, const netcl_launch_options* options = nullptr,
                       const netcl_run_options* run = nullptr) const;
  /**
   * Tells what netcl_kernel_launch would use for the same arguments, without launching: work sizes,
   * tuned macros, and which stored result they come from or why there is none. See
   * netcl_kernel_explain_launch.
   */
  [[nodiscard]] returns<netcl::launch_explanation> explain_launch(
      netcl::view<uint64_t> global, netcl::view<uint64_t> local, netcl::view<netcl::arg> args,
      const netcl_launch_options* options = nullptr) const;
  /**
   * Finds a registered kernel and launches it: netcl_kernel_find, then netcl_kernel_launch. See
   * netcl_kernel_launch_by_name.
   */
  static returns<void> launch_by_name(netcl::device_ref device, netcl::text name,
                                      uint64_t shape_signature, netcl::view<uint64_t> global,
                                      netcl::view<uint64_t> local, netcl::view<netcl::arg> args,
                                      const netcl_launch_options* options = nullptr,
                                      const netcl_run_options* run = nullptr);
  /**
   * Makes the source of a product specialised for m, n and k as a kernel specification:
   * `name`(__global const T *a, __global const T *b, __global T *c) over packed row-major matrices,
   * to be launched with netcl_kernel_launch, edited, or read with netcl_kernel_get_source. See
   * netcl_kernel_create_matmul. Gives global, kernel.
   */
  [[nodiscard]] static returns<std::tuple<std::array<uint64_t, 2>, netcl::kernel>> create_matmul(
      netcl::device_ref device, netcl::text name, int64_t m, int64_t n, int64_t k,
      netcl::dtype dtype, const netcl_variant_config* config);
  /** Measures a launch: netcl_kernel_launch in such a loop. See netcl_kernel_time. */
  [[nodiscard]] returns<netcl::statistics> time(
      netcl::view<uint64_t> global, netcl::view<uint64_t> local, netcl::view<netcl::arg> args,
      const netcl_launch_options* launch = nullptr, const netcl_run_options* run = nullptr,
      const netcl_measurement_options* options = nullptr) const;
  /**
   * Tunes one kernel: a tuner with one entry, which measures as netcl_tuner_run does: what the
   * database has is taken, what an earlier run began is gone on with, and options->force = 1 begins
   * anew. See netcl_kernel_autotune. Gives config, search.
   */
  [[nodiscard]] returns<std::tuple<netcl::config, netcl::search>> autotune(
      netcl::view<uint64_t> global, netcl::view<netcl::arg> args, const netcl_kernel_tuning* tuning,
      const netcl_tuner_options* options = nullptr) const;
};

/** A parsed elementwise expression, bound to no device. Shareable. */
class expression_ref : public detail::handle<netcl_expression> {
 public:
  using handle::handle;
  static void release_raw(netcl_expression* raw) noexcept { netcl_expression_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::expression> share() const;
  /** Parses an elementwise expression. See netcl_expression_create. */
  [[nodiscard]] static returns<netcl::expression> create(netcl::text text);
  /**
   * Gives the number of inputs: one more than the highest v used. See netcl_expression_get_arity.
   */
  [[nodiscard]] returns<uint32_t> arity() const;
  /**
   * Gives the expression in canonical infix form; parsing that gives the same expression. See
   * netcl_expression_get_text.
   */
  [[nodiscard]] returns<std::string> text() const;
  /**
   * Differentiates an expression of n inputs with respect to input `input`, one of 0 to n - 1. See
   * netcl_expression_differentiate.
   */
  [[nodiscard]] returns<netcl::expression> differentiate(uint32_t input) const;
};

/** A loop that times work of the caller. Movable. */
class measurement_ref : public detail::handle<netcl_measurement> {
 public:
  using handle::handle;
  static void release_raw(netcl_measurement* raw) noexcept { netcl_measurement_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::measurement> share() const;
  /**
   * Begins a measurement of work that the caller enqueues on `queue`, in a loop over
   * netcl_measurement_next; needs no callback. See netcl_measurement_create.
   */
  [[nodiscard]] static returns<netcl::measurement> create(
      netcl::queue_ref queue, const netcl_measurement_options* options = nullptr);
  /**
   * Ends the run before and begins the next one: the caller then enqueues the work of `candidate`
   * `iterations` times. See netcl_measurement_next. Gives candidate, iterations.
   */
  [[nodiscard]] returns<std::tuple<uint32_t, uint64_t>> next() const;
  /** Gives the statistics of a candidate so far. See netcl_measurement_get_statistics. */
  [[nodiscard]] returns<netcl::statistics> statistics(uint32_t candidate) const;
  /**
   * Gives all samples of a candidate in the order they were taken, nanoseconds per iteration. See
   * netcl_measurement_get_samples.
   */
  [[nodiscard]] returns<std::vector<double>> samples(uint32_t candidate) const;
  /** Compares two candidates. See netcl_measurement_compare. */
  [[nodiscard]] returns<netcl::comparison> compare(uint32_t first, uint32_t second) const;
};

/** A stopwatch of what is enqueued on a queue. Movable. */
class timer_ref : public detail::handle<netcl_timer> {
 public:
  using handle::handle;
  static void release_raw(netcl_timer* raw) noexcept { netcl_timer_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::timer> share() const;
  /** Makes a timer of what is enqueued on a queue. See netcl_timer_create. */
  [[nodiscard]] static returns<netcl::timer> create(netcl::queue_ref queue);
  /** Starts the timer; BUSY when it runs. See netcl_timer_start. */
  returns<void> start() const;
  /** Stops the timer and waits for what was enqueued since its start. See netcl_timer_stop. */
  [[nodiscard]] returns<netcl::elapsed> stop(netcl::timeout timeout = {}) const;
};

/** A named stretch of work on a queue, for profiles. Movable. */
class region_ref : public detail::handle<netcl_region> {
 public:
  using handle::handle;
  static void release_raw(netcl_region* raw) noexcept { netcl_region_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::region> share() const;
  /**
   * Opens a region on a queue; commands enqueued there by this thread until its end belong to it.
   * See netcl_region_begin.
   */
  [[nodiscard]] static returns<netcl::region> begin(netcl::queue_ref queue,
                                                    netcl::region_ref parent, netcl::text name);
  /** Closes a region; its handle is released as any other. See netcl_region_end. */
  returns<void> end() const;
  /** Adds bytes moved and floating-point operations to a region. See netcl_region_annotate. */
  returns<void> annotate(double bytes, double operations) const;
  /**
   * Opens a region under the calling thread's innermost one, which it becomes. See
   * netcl_region_push.
   */
  static returns<void> push(netcl::queue_ref queue, netcl::text name);
  /** Closes the calling thread's innermost region. See netcl_region_pop. */
  static returns<void> pop();
};

/** An analyzer of how near kernels are to the roofline, with its history. Movable. */
class roofline_ref : public detail::handle<netcl_roofline> {
 public:
  using handle::handle;
  static void release_raw(netcl_roofline* raw) noexcept { netcl_roofline_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::roofline> share() const;
  /**
   * Makes an analyzer, which holds its options and the history of the rounds. See
   * netcl_roofline_create.
   */
  [[nodiscard]] static returns<netcl::roofline> create(
      const netcl_roofline_options* options = nullptr);
  /**
   * Analyzes metrics of Nsight Compute given by name:
   * sm__throughput.avg.pct_of_peak_sustained_elapsed,
   * gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed and
   * sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active (or _elapsed, or other activity
   * of tensor pipes); others are ignored. See netcl_roofline_analyze_metrics.
   */
  [[nodiscard]] returns<netcl::roofline_result> analyze_metrics(
      netcl::view<netcl::text> names, netcl::view<double> values) const;
  /**
   * Analyzes a CSV report of Nsight Compute (ncu --csv) in any form since 2020: a row per metric
   * (the details page, with or without rules, --metrics), a column per metric (--page raw), and
   * summaries (--print-summary), of which the averages count. See netcl_roofline_analyze_ncu.
   */
  [[nodiscard]] returns<netcl::roofline_result> analyze_ncu(
      std::string_view text, const netcl_ncu_options* options = nullptr) const;
  /**
   * Enters a result into the history and decides whether optimising may stop: at the roofline (with
   * early_stop), or when the efficiencies of the last convergence_rounds results lie within less
   * than min_improvement_pct. See netcl_roofline_should_stop.
   */
  [[nodiscard]] returns<bool> should_stop(const netcl_roofline_result* result) const;
  /**
   * Gives the reason of the last netcl_roofline_should_stop, "" when it said to go on. See
   * netcl_roofline_get_reason.
   */
  [[nodiscard]] returns<std::string> reason() const;
  /** Forgets the history and the reason. See netcl_roofline_reset_history. */
  returns<void> reset_history() const;
  /** Gives a result as text for people or as JSON. See netcl_roofline_format. */
  [[nodiscard]] static returns<std::string> format(const netcl_roofline_result* result,
                                                   netcl::format format);
  /** Analyzes a time against ceilings. See netcl_roofline_analyze_time. */
  [[nodiscard]] returns<netcl::roofline_result> analyze_time(netcl::ceilings_ref ceilings,
                                                             double time_ns,
                                                             const netcl_work* work) const;
  /**
   * Analyzes the median of a measurement with the work that its ops declared: what a timed op
   * achieves is netcl_queue_time and this. See netcl_roofline_analyze_statistics.
   */
  [[nodiscard]] returns<netcl::roofline_result> analyze_statistics(
      netcl::ceilings_ref ceilings, const netcl_statistics* statistics) const;
};

/** Limits of a device: rates of memory, caches, arithmetic and transfers. Shareable. */
class ceilings_ref : public detail::handle<netcl_ceilings> {
 public:
  using handle::handle;
  static void release_raw(netcl_ceilings* raw) noexcept { netcl_ceilings_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::ceilings> share() const;
  /**
   * Makes ceilings without rows, to be filled with netcl_ceilings_set. See netcl_ceilings_create.
   */
  [[nodiscard]] static returns<netcl::ceilings> create();
  /**
   * Measures the limits of a device after waiting for what is enqueued on it, or gives those that
   * were measured before: by this process, or by an earlier one on a device of the same part (see
   * netcl_device_get_part), platform and driver, from the folder `ceilings` beside the program
   * cache. See netcl_ceilings_measure.
   */
  [[nodiscard]] static returns<netcl::ceilings> measure(
      netcl::device_ref device, const netcl_ceilings_options* options = nullptr);
  /** Loads what netcl_ceilings_save wrote. See netcl_ceilings_load. */
  [[nodiscard]] static returns<netcl::ceilings> load(netcl::text path);
  /** Tells where ceilings come from. See netcl_ceilings_get_info. */
  [[nodiscard]] returns<netcl::ceilings_info> info() const;
  /** Gives all rows, sorted by kind, dtype and working set. See netcl_ceilings_get. */
  [[nodiscard]] returns<std::vector<netcl::ceiling>> get() const;
  /**
   * Puts a figure of the caller in the place of the row of its kind, dtype and working set, or
   * beside the others. See netcl_ceilings_set.
   */
  returns<void> set(const netcl::ceiling& row) const;
  /** Writes ceilings as JSON. See netcl_ceilings_save. */
  returns<void> save(netcl::text path) const;
};

/** Tuning parameters, their values and constraints. Movable while it is built, then shareable. */
class space_ref : public detail::handle<netcl_space> {
 public:
  using handle::handle;
  static void release_raw(netcl_space* raw) noexcept { netcl_space_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::space> share() const;
  /** Makes a space without parameters. See netcl_space_create. */
  [[nodiscard]] static returns<netcl::space> create();
  /**
   * Makes a space from T1 JSON, the format that tuners exchange: ConfigurationSpace with
   * TuningParameters and Conditions. See netcl_space_create_from_t1.
   */
  [[nodiscard]] static returns<netcl::space> create_from_t1(std::string_view text);
  /** Adds a parameter of integers. See netcl_space_add_ints. */
  returns<void> add_ints(netcl::text name, netcl::view<int64_t> values) const;
  /** Adds a parameter of floats, all of them finite. See netcl_space_add_floats. */
  returns<void> add_floats(netcl::text name, netcl::view<double> values) const;
  /** Adds a parameter that is false or true, in this order. See netcl_space_add_bool. */
  returns<void> add_bool(netcl::text name) const;
  /** Adds a parameter of texts, which are UTF-8. See netcl_space_add_texts. */
  returns<void> add_texts(netcl::text name, netcl::view<netcl::text> values) const;
  /** Adds a constraint. See netcl_space_add_constraint. */
  returns<void> add_constraint(netcl::text formula) const;
  /**
   * Says by formulas how many work items a kernel gets with a configuration and how many form a
   * group, so that the work of one item can be tuned: "ceil(n / (TX * WPT)) * TX" and "TX". See
   * netcl_space_set_work_size.
   */
  returns<void> set_work_size(netcl::text global_size = {}, netcl::text local_size = {}) const;
  /**
   * Counts the configurations that satisfy all constraints with the limits of a device; NULL
   * capabilities: a constraint that names a limit is INVALID_ARGUMENT. See netcl_space_get_count.
   */
  [[nodiscard]] returns<uint64_t> count(
      const netcl_device_capabilities* capabilities = nullptr) const;
  /**
   * Gives the index-th valid configuration, the first parameter changing slowest. See
   * netcl_space_get_config.
   */
  [[nodiscard]] returns<netcl::config> config(const netcl_device_capabilities* capabilities,
                                              uint64_t index) const;
  /**
   * Explains why a configuration is not in the space: the value that is none, or the constraint
   * that fails with the values it depends on; "" when it is. See netcl_space_explain.
   */
  [[nodiscard]] returns<std::string> explain(const netcl_device_capabilities* capabilities,
                                             netcl::config_ref config) const;
};

/** Values of tuning parameters. Shareable. */
class config_ref : public detail::handle<netcl_config> {
 public:
  using handle::handle;
  static void release_raw(netcl_config* raw) noexcept { netcl_config_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::config> share() const;
  /**
   * Makes a configuration from JSON, {"TILE": 16, "MODE": "fast"}; it need not be valid anywhere.
   * See netcl_config_create_from_json.
   */
  [[nodiscard]] static returns<netcl::config> create_from_json(std::string_view text);
  /** Gives an integer or bool by name. See netcl_config_get_int. */
  [[nodiscard]] returns<int64_t> get_int(netcl::text name) const;
  /** Gives a number by name. See netcl_config_get_float. */
  [[nodiscard]] returns<double> get_float(netcl::text name) const;
  /** Gives a text by name. See netcl_config_get_text. */
  [[nodiscard]] returns<std::string> text(netcl::text name) const;
  /** Gives all values as JSON. See netcl_config_get_json. */
  [[nodiscard]] returns<std::string> json() const;
};

/** What tuning found, in memory and in a file. Shareable. */
class tuning_database_ref : public detail::handle<netcl_tuning_database> {
 public:
  using handle::handle;
  static void release_raw(netcl_tuning_database* raw) noexcept { netcl_tuning_database_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::tuning_database> share() const;
  /** Opens a database. See netcl_tuning_database_open. */
  [[nodiscard]] static returns<netcl::tuning_database> open(netcl::text path = {});
  /** Verifies the file line by line and counts. See netcl_tuning_database_get_info. */
  [[nodiscard]] returns<netcl::tuning_database_info> info() const;
  /**
   * Looks for the best configuration: the exact key, else the same part, shape and scalars with
   * another driver, else the nearest of these (in log space; of two as near the smaller one). See
   * netcl_tuning_database_lookup. Gives record, config.
   */
  [[nodiscard]] returns<std::tuple<netcl::tuning_record, netcl::config>> lookup(
      netcl::device_ref device, const netcl_tuning_key* key) const;
  /**
   * Stores a record: kind, outcome, times, timestamp (0: now) and reason of `record`, the rest of
   * the key. See netcl_tuning_database_put.
   */
  returns<void> put(netcl::device_ref device, const netcl_tuning_key* key, netcl::config_ref config,
                    const netcl_tuning_record* record) const;
  /** Takes in what other processes appended. See netcl_tuning_database_refresh. */
  returns<void> refresh() const;
  /**
   * Gives the index-th record in force, in the order of their coming. See
   * netcl_tuning_database_get_record. Gives record, config.
   */
  [[nodiscard]] returns<std::tuple<netcl::tuning_record, netcl::config>> record(
      uint64_t index) const;
  /**
   * Adds the records of another file, those apart that are older than what is known of their key.
   * See netcl_tuning_database_merge.
   */
  [[nodiscard]] returns<uint64_t> merge(netcl::text path) const;
  /**
   * Replaces the file, at once for all processes, by one without superseded and damaged lines. See
   * netcl_tuning_database_compact.
   */
  returns<void> compact() const;
  /**
   * Removes the records of a kernel or op; NULL kernel: all records. See
   * netcl_tuning_database_clear.
   */
  returns<void> clear(netcl::text kernel = {}) const;
  /**
   * Gives the measurements of a kernel (NULL kernel: of all) as T4 JSON, the format that tuners
   * exchange, or all records as CSV. See netcl_tuning_database_export.
   */
  [[nodiscard]] returns<std::string> export_(netcl::text kernel, netcl::format format) const;
};

/** A search over a space for its fastest configuration, by asking and telling. Shareable. */
class search_ref : public detail::handle<netcl_search> {
 public:
  using handle::handle;
  static void release_raw(netcl_search* raw) noexcept { netcl_search_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::search> share() const;
  /** Makes a search over a space, which is copied. See netcl_search_create. */
  [[nodiscard]] static returns<netcl::search> create(netcl::space_ref space,
                                                     const netcl_device_capabilities* capabilities,
                                                     netcl::config_ref standard = {},
                                                     const netcl_search_options* options = nullptr);
  /**
   * Tells what to measure next: `samples` times of one candidate, to be told before the next ask.
   * See netcl_search_ask. Gives candidate, samples, config.
   */
  [[nodiscard]] returns<std::tuple<uint32_t, uint64_t, netcl::config>> ask() const;
  /** Tells times of a candidate in nanoseconds, any number of them. See netcl_search_tell. */
  returns<void> tell(uint32_t candidate, netcl::view<double> samples) const;
  /**
   * Tells that a candidate is not valid; it is not asked for again. See netcl_search_tell_failure.
   */
  returns<void> tell_failure(uint32_t candidate, netcl::outcome outcome,
                             netcl::text message = {}) const;
  /** Ends a search at the next ask, from any thread. See netcl_search_cancel. */
  returns<void> cancel() const;
  /**
   * Reads the oldest kept event whose sequence is greater than `after`, waiting for it when need
   * be. See netcl_search_read_event.
   */
  [[nodiscard]] returns<netcl::search_event> read_event(uint64_t after,
                                                        netcl::timeout timeout = {}) const;
  /** Gives what was found, so far or in the end. See netcl_search_get_result. */
  [[nodiscard]] returns<netcl::search_result> result() const;
  /**
   * Gives the winner: the fastest, or the default where the fastest cannot be told from it with a
   * confidence of 0.999. See netcl_search_get_best.
   */
  [[nodiscard]] returns<netcl::config> best() const;
  /** Gives a candidate. See netcl_search_get_candidate. Gives info, config. */
  [[nodiscard]] returns<std::tuple<netcl::search_candidate, netcl::config>> candidate(
      uint32_t index) const;
  /** Gives the samples of a candidate, those of the final last. See netcl_search_get_samples. */
  [[nodiscard]] returns<std::vector<double>> samples(uint32_t index) const;
  /**
   * Gives the first message of an outcome with its configuration, "" when there was none. See
   * netcl_search_get_failure.
   */
  [[nodiscard]] returns<std::string> failure(netcl::outcome outcome) const;
  /**
   * Runs a search against recorded times: T4 JSON, as netcl_tuning_database_export writes it, or
   * the cache files of Kernel Tuner, in which a time may stand for the object that holds it. See
   * netcl_search_replay.
   */
  [[nodiscard]] static returns<netcl::replay_result> replay(
      std::string_view text, const netcl_search_options* options = nullptr);
  /**
   * Stores the candidates as measurements and, when the search has ended other than by cancelling,
   * the winner as best, and configurations that crashed, hung, were wrong or wrote out of bounds in
   * quarantine, the default apart. See netcl_search_store.
   */
  returns<void> store(netcl::tuning_database_ref database, netcl::device_ref device,
                      const netcl_tuning_key* key) const;
  /**
   * Takes over the measurements that are stored for the same key and space, before the first ask:
   * those configurations are not asked for in the first rounds again. See netcl_search_resume.
   */
  [[nodiscard]] returns<uint64_t> resume(netcl::tuning_database_ref database,
                                         netcl::device_ref device,
                                         const netcl_tuning_key* key) const;
};

/** Kernels and ops that are tuned together. Shareable. */
class tuner_ref : public detail::handle<netcl_tuner> {
 public:
  using handle::handle;
  static void release_raw(netcl_tuner* raw) noexcept { netcl_tuner_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::tuner> share() const;
  /** Makes a tuner without entries. See netcl_tuner_create. */
  [[nodiscard]] static returns<netcl::tuner> create(netcl::device_ref device,
                                                    const netcl_tuner_options* options = nullptr);
  /**
   * Adds a kernel with its work size and arguments; an entry of the same kernel, size and integer
   * arguments is replaced. See netcl_tuner_add.
   */
  returns<void> add(netcl::kernel_ref kernel, netcl::view<uint64_t> global,
                    netcl::view<netcl::arg> args, const netcl_kernel_tuning* tuning) const;
  /**
   * Adds `batch` products of m x k by k x n (1: one alone): their variant, their tile sizes and
   * split_k are tuned, in this process, on random matrices. See netcl_tuner_add_matmul.
   */
  returns<void> add_matmul(int64_t batch, int64_t m, int64_t n, int64_t k,
                           netcl::dtype dtype) const;
  /** Adds a convolution, likewise. See netcl_tuner_add_conv2d. */
  returns<void> add_conv2d(const netcl_conv2d_shape* shape, netcl::dtype dtype) const;
  /**
   * Adds sums of `count` elements each, `outputs` of them, likewise. See netcl_tuner_add_reduction.
   */
  returns<void> add_reduction(int64_t outputs, int64_t count, netcl::dtype dtype) const;
  /**
   * Tunes all entries, one after the other, but those whose winner the database has: of the same
   * space, or put there without one (netcl_tuning_database_put); that of another space is replaced
   * by what is found, faster or not. See netcl_tuner_run.
   */
  returns<void> run() const;
  /**
   * Ends the run that is under way, if any, from any thread; a run that begins later is not
   * affected. See netcl_tuner_cancel.
   */
  returns<void> cancel() const;
  /** Reads events of all entries as netcl_search_read_event does. See netcl_tuner_read_event. */
  [[nodiscard]] returns<netcl::search_event> read_event(uint64_t after,
                                                        netcl::timeout timeout = {}) const;
  /** Counts the entries. See netcl_tuner_get_count. */
  [[nodiscard]] returns<uint32_t> count() const;
  /**
   * Gives the result of an entry, in the order in which they were added. See
   * netcl_tuner_get_result. Gives result, config.
   */
  [[nodiscard]] returns<std::tuple<netcl::tuner_result, netcl::config>> result(
      uint32_t index) const;
  /** Gives the search of an entry with all candidates. See netcl_tuner_get_search. */
  [[nodiscard]] returns<netcl::search> search(uint32_t index) const;
  /**
   * Looks up what dispatch uses for a kernel or op of that name and size: by an entry of the name,
   * else by what the database has for it on this device, the latest where there are several; the
   * integer arguments are those of what it was found by. See netcl_tuner_lookup. Gives match,
   * config.
   */
  [[nodiscard]] returns<std::tuple<netcl::match, netcl::config>> lookup(
      netcl::text name, netcl::view<uint64_t> global) const;
  /**
   * Writes the database's records of this tuner's entries to a new file, as lines of a database.
   * See netcl_tuner_save.
   */
  returns<void> save(netcl::text path) const;
  /**
   * Adds the records of a file to the database: netcl_tuning_database_merge. See netcl_tuner_load.
   */
  returns<void> load(netcl::text path) const;
  /** Removes the entries, and the database's records of them. See netcl_tuner_clear. */
  returns<void> clear() const;
};

/** A comparison of candidate kernels, in a process of their own, with a baseline. Movable. */
class benchmark_ref : public detail::handle<netcl_benchmark> {
 public:
  using handle::handle;
  static void release_raw(netcl_benchmark* raw) noexcept { netcl_benchmark_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::benchmark> share() const;
  /** Makes a benchmark with an empty record. See netcl_benchmark_create. */
  [[nodiscard]] static returns<netcl::benchmark> create(
      netcl::device_ref device, const netcl_benchmark_options* options = nullptr);
  /** Adds a tensor to the record. See netcl_benchmark_add_tensor. */
  returns<void> add_tensor(const netcl_benchmark_tensor* tensor) const;
  /** Adds a scalar or struct of 1 to 65536 bytes to the record. See netcl_benchmark_add_scalar. */
  returns<void> add_scalar(netcl::bytes_in data) const;
  /** Adds local memory to the record. See netcl_benchmark_add_local. */
  returns<void> add_local(uint64_t bytes) const;
  /**
   * Gives the tensor of an argument in this process, for a baseline that is not a kernel; it holds
   * what it does in round 0 at first. See netcl_benchmark_get_tensor.
   */
  [[nodiscard]] returns<netcl::tensor> tensor(uint32_t index) const;
  /**
   * Brings the tensors of this process into their first state for a round. See
   * netcl_benchmark_prepare.
   */
  returns<void> prepare(uint32_t round) const;
  /**
   * Keeps what the outputs of this process hold now as what candidates have to give in a round. See
   * netcl_benchmark_keep.
   */
  returns<void> keep(uint32_t round) const;
  /**
   * Times the baseline: for each round prepares, calls `work` once and keeps; then measures `work`
   * on the device's default queue as netcl_queue_time does, over the contents of round 0. See
   * netcl_benchmark_time_baseline.
   */
  template <class F>
  [[nodiscard]] returns<netcl::statistics> time_baseline(
      F&& work, const netcl_measurement_options* options = nullptr) const;
  /**
   * The same with a kernel of this process over the record's arguments. See
   * netcl_benchmark_time_kernel.
   */
  [[nodiscard]] returns<netcl::statistics> time_kernel(
      netcl::kernel_ref kernel, netcl::view<uint64_t> global, netcl::view<uint64_t> local,
      const netcl_measurement_options* options = nullptr) const;
  /**
   * Sets the statistics of a baseline that was measured otherwise: with netcl_benchmark_prepare,
   * netcl_benchmark_keep and a netcl_measurement over the tensors, which needs no callback. See
   * netcl_benchmark_set_baseline.
   */
  returns<void> set_baseline(const netcl_statistics* statistics) const;
  /**
   * Builds, checks and times a candidate in the worker; a worker that dies is replaced. See
   * netcl_benchmark_run.
   */
  [[nodiscard]] returns<netcl::benchmark_result> run(
      const netcl_benchmark_candidate* candidate,
      const netcl_measurement_options* options = nullptr) const;
  /**
   * Gives the first 4 KiB of the build log of the last candidate. See
   * netcl_benchmark_get_build_log.
   */
  [[nodiscard]] returns<std::string> build_log() const;
  /**
   * Gives the baseline and all candidates so far as JSON, times in milliseconds: mean, std, min,
   * max and speedup. See netcl_benchmark_get_json.
   */
  [[nodiscard]] returns<std::string> json() const;
};

/** Calls of ops that were recorded, in their order. Shareable. */
class graph_ref : public detail::handle<netcl_graph> {
 public:
  using handle::handle;
  static void release_raw(netcl_graph* raw) noexcept { netcl_graph_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::graph> share() const;
  /** Makes an empty graph that records calls on a device. See netcl_graph_create. */
  [[nodiscard]] static returns<netcl::graph> create(netcl::device_ref device,
                                                    const netcl_graph_options* options = nullptr);
  /** Forgets all calls, and lets go of their tensors. See netcl_graph_clear. */
  returns<void> clear() const;
  /**
   * Makes a graph that is run with inputs of any number, dtypes and shapes. See
   * netcl_graph_create_from_function.
   */
  template <class F>
  [[nodiscard]] static returns<netcl::graph> create_from_function(
      netcl::device_ref device, F&& function, uint32_t outputs,
      const netcl_graph_function_options* options = nullptr);
  /** Tells what a graph holds. See netcl_graph_get_info. */
  [[nodiscard]] returns<netcl::graph_info> info() const;
  /**
   * Gives the gradients of outputs with respect to inputs, summed over all outputs: reverse mode
   * differentiation of the recorded calls. See netcl_graph_add_gradients.
   */
  [[nodiscard]] returns<std::vector<netcl::tensor>> add_gradients(
      netcl::view<netcl::tensor_ref> outputs, netcl::view<netcl::tensor_ref> inputs,
      const netcl_gradients_options* options = nullptr) const;
  /**
   * Makes a capture ready to run: builds every kernel, plans the memory of all values, and keeps
   * the commands. See netcl_graph_compile.
   */
  returns<void> compile(netcl::view<netcl::tensor_ref> inputs,
                        netcl::view<netcl::tensor_ref> outputs,
                        const netcl_graph_compile_options* options = nullptr) const;
  /**
   * Enqueues the calls of a compiled graph, for other inputs, without checking and choosing anew.
   * See netcl_graph_run.
   */
  returns<void> run(netcl::view<netcl::tensor_ref> inputs, netcl::view<netcl::tensor_ref> outputs,
                    const netcl_run_options* run = nullptr) const;
  /**
   * Runs a compiled graph as netcl_graph_run does, with new tensors as outputs. See
   * netcl_graph_evaluate.
   */
  [[nodiscard]] returns<std::vector<netcl::tensor>> evaluate(
      netcl::view<netcl::tensor_ref> inputs, const netcl_run_options* run = nullptr) const;
  /**
   * Tells what is in a graph: its calls with the shapes of what they read and write; of a compiled
   * one the steps, what was joined in them, why others were not, where values lie in memory, and
   * behind how many commands which gradients go to a reducer; of one made from a function all this
   * for each form, beginning with the one that was used last. See netcl_graph_explain.
   */
  [[nodiscard]] returns<std::string> explain(netcl::graph_format format) const;
};

/** One rank of several that work together, each with a device of its own. Shareable. */
class group_ref : public detail::handle<netcl_group> {
 public:
  using handle::handle;
  static void release_raw(netcl_group* raw) noexcept { netcl_group_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::group> share() const;
  /**
   * Makes one rank of a group that meets at a path: rank 0 makes a socket of that name and removes
   * it when all have come. See netcl_group_join.
   */
  [[nodiscard]] static returns<netcl::group> join(netcl::device_ref device, netcl::text path,
                                                  uint32_t index, uint32_t size,
                                                  const netcl_group_options* options = nullptr);
  /**
   * Makes a group of several devices of this process: rank k has devices[k], and groups[k] is that
   * rank. See netcl_group_create_local.
   */
  [[nodiscard]] static returns<std::vector<netcl::group>> create_local(
      netcl::view<netcl::device_ref> devices, const netcl_group_options* options = nullptr);
  /**
   * Makes this process one rank of a group of all processes of an MPI communicator, which keep
   * their ranks. See netcl_group_create_mpi.
   */
  [[nodiscard]] static returns<netcl::group> create_mpi(
      netcl::device_ref device, int64_t communicator, const netcl_group_options* options = nullptr);
  /** Makes groups of the ranks with the same colour, in their order. See netcl_group_split. */
  [[nodiscard]] returns<netcl::group> split(netcl::view<uint32_t> colors) const;
  /** Gives the facts of a group. See netcl_group_get_info. */
  [[nodiscard]] returns<netcl::group_info> info() const;
  /** Gives the device of this rank. See netcl_group_get_device. */
  [[nodiscard]] returns<netcl::device> device() const;
  /**
   * Tells what device rank `index` has, as its process sees it. See netcl_group_describe_device.
   */
  [[nodiscard]] returns<netcl::device_info> describe_device(uint32_t index) const;
  /**
   * Tells what failed: status and message of what made the group unusable, all zero while it is
   * usable. See netcl_group_get_error.
   */
  [[nodiscard]] returns<netcl::error_info> error() const;
  /** Waits until all ranks have made this call. See netcl_group_barrier. */
  returns<void> barrier(const netcl_run_options* run = nullptr) const;
  /**
   * Joins the inputs of all ranks element by element: SUM, PROD, MIN, MAX, and MEAN of floats;
   * others are INVALID_ARGUMENT. See netcl_group_all_reduce.
   */
  returns<void> all_reduce(netcl::tensor_ref input, netcl::tensor_ref output, netcl::reduction kind,
                           const netcl_run_options* run = nullptr) const;
  /** As netcl_group_all_reduce, for the output of rank `root` alone. See netcl_group_reduce. */
  returns<void> reduce(netcl::tensor_ref input, netcl::tensor_ref output, netcl::reduction kind,
                       uint32_t root, const netcl_run_options* run = nullptr) const;
  /**
   * Gives the elements of rank `root`'s tensor to those of all ranks, which have its shape. See
   * netcl_group_broadcast.
   */
  returns<void> broadcast(netcl::tensor_ref tensor, uint32_t root,
                          const netcl_run_options* run = nullptr) const;
  /**
   * Puts the inputs of all ranks one behind the other along the first dimension, in which they may
   * differ; the output has the sum of their extents there. See netcl_group_all_gather.
   */
  returns<void> all_gather(netcl::tensor_ref input, netcl::tensor_ref output,
                           const netcl_run_options* run = nullptr) const;
  /** As netcl_group_all_gather, for the output of rank `root` alone. See netcl_group_gather. */
  returns<void> gather(netcl::tensor_ref input, netcl::tensor_ref output, uint32_t root,
                       const netcl_run_options* run = nullptr) const;
  /**
   * Parts the input of rank `root` along the first dimension, in the order of the ranks: each gets
   * as many entries as its output has there. See netcl_group_scatter.
   */
  returns<void> scatter(netcl::tensor_ref input, netcl::tensor_ref output, uint32_t root,
                        const netcl_run_options* run = nullptr) const;
  /**
   * Joins the inputs of all ranks as netcl_group_all_reduce does, and parts the result along the
   * first dimension: each rank gets as many entries as its output has there. See
   * netcl_group_reduce_scatter.
   */
  returns<void> reduce_scatter(netcl::tensor_ref input, netcl::tensor_ref output,
                               netcl::reduction kind, const netcl_run_options* run = nullptr) const;
  /**
   * Parts every rank's input along the first dimension; part k goes to rank k, where the parts lie
   * in the order of the ranks that they came from. See netcl_group_all_to_all.
   */
  returns<void> all_to_all(netcl::tensor_ref input, netcl::view<int64_t> counts,
                           netcl::tensor_ref output, const netcl_run_options* run = nullptr) const;
  /**
   * Sends a tensor to another rank, which calls netcl_group_receive for one of the same shape and
   * dtype. See netcl_group_send.
   */
  returns<void> send(netcl::tensor_ref tensor, uint32_t peer,
                     const netcl_run_options* run = nullptr) const;
  /** Receives a tensor from another rank; see netcl_group_send. See netcl_group_receive. */
  returns<void> receive(netcl::tensor_ref tensor, uint32_t peer,
                        const netcl_run_options* run = nullptr) const;
  /**
   * Tells which block rank `index` of the group has of a tensor that lies so. See
   * netcl_group_describe_block.
   */
  [[nodiscard]] returns<netcl::block_info> describe_block(
      uint32_t index, netcl::view<int64_t> shape,
      const netcl_sharding_options* options = nullptr) const;
};

/** What joins the gradients of all ranks of a group while a graph works them out. Shareable. */
class reducer_ref : public detail::handle<netcl_reducer> {
 public:
  using handle::handle;
  static void release_raw(netcl_reducer* raw) noexcept { netcl_reducer_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::reducer> share() const;
  /** Makes a reducer for this rank. See netcl_reducer_create. */
  [[nodiscard]] static returns<netcl::reducer> create(
      netcl::group_ref group, const netcl_reducer_options* options = nullptr);
  /** Tells what a reducer is and has done. See netcl_reducer_get_info. */
  [[nodiscard]] returns<netcl::reducer_info> info() const;
  /**
   * Waits until the gradients of the last run are joined and lie in their tensors, and gives what
   * failed: on this rank, or on another one, as a call of the group would; what made the run fail
   * is given once more. See netcl_reducer_wait.
   */
  returns<void> wait(netcl::timeout timeout = {}) const;
};

/** One rank's block of a tensor that lies on all ranks of a group. Shareable. */
class sharded_ref : public detail::handle<netcl_sharded> {
 public:
  using handle::handle;
  static void release_raw(netcl_sharded* raw) noexcept { netcl_sharded_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::sharded> share() const;
  /**
   * Makes a sharded tensor of the blocks that the ranks have: `block` is this rank's, of the shape
   * that netcl_group_describe_block gives; nothing is copied. See netcl_sharded_create.
   */
  [[nodiscard]] static returns<netcl::sharded> create(
      netcl::group_ref group, netcl::tensor_ref block, netcl::view<int64_t> shape,
      const netcl_sharding_options* options = nullptr);
  /**
   * Makes a sharded tensor of one that rank `root` has: each rank gets its block from there. See
   * netcl_sharded_create_from_root.
   */
  [[nodiscard]] static returns<netcl::sharded> create_from_root(
      netcl::group_ref group, netcl::tensor_ref whole, uint32_t root,
      const netcl_sharding_options* options = nullptr, const netcl_run_options* run = nullptr);
  /** Gives the facts of a sharded tensor. See netcl_sharded_get_info. */
  [[nodiscard]] returns<netcl::sharded_info> info() const;
  /**
   * Gives the block of this rank, whose memory it shares: what is written there is written to the
   * sharded tensor. See netcl_sharded_get_block.
   */
  [[nodiscard]] returns<netcl::tensor> block() const;
  /**
   * Tells in words how a sharded tensor lies on the ranks, and what went between them to make it:
   * the collectives, among how many ranks and how many bytes; then the same of the last
   * netcl_sharded_exchange_halo of it. See netcl_sharded_explain.
   */
  [[nodiscard]] returns<std::string> explain() const;
  /**
   * Gives the same tensor with another sharding of the same group: each rank sends each other what
   * that needs of its block, and takes nothing from others that it has. See
   * netcl_sharded_redistribute.
   */
  [[nodiscard]] returns<netcl::sharded> redistribute(
      const netcl_sharding_options* options = nullptr,
      const netcl_run_options* run = nullptr) const;
  /**
   * Puts the blocks together in a tensor of rank `root`, which has the shape and dtype of the whole
   * and shares no memory with the block there. See netcl_sharded_gather.
   */
  returns<void> gather(netcl::tensor_ref output, uint32_t root,
                       const netcl_run_options* run = nullptr) const;
  /**
   * Evaluates an expression as netcl_op_expression_text does, each rank for its block: nothing is
   * sent. See netcl_sharded_expression_text.
   */
  [[nodiscard]] static returns<netcl::sharded> expression_text(
      netcl::text text, netcl::view<netcl::sharded_ref> inputs,
      const netcl_expression_options* options = nullptr, const netcl_run_options* run = nullptr);
  /** Reduces over axes as netcl_op_reduce does. See netcl_sharded_reduce. */
  [[nodiscard]] returns<netcl::sharded> reduce(netcl::reduction kind,
                                               const netcl_reduce_options* options = nullptr,
                                               const netcl_run_options* run = nullptr) const;
  /**
   * netcl_op_softmax of each block, along an axis that is not split; INVALID_ARGUMENT for one that
   * is. See netcl_sharded_softmax.
   */
  [[nodiscard]] returns<netcl::sharded> softmax(int32_t axis,
                                                const netcl_run_options* run = nullptr) const;
  /**
   * netcl_op_layernorm of each block, over axes from `axis` on, none of which is split;
   * INVALID_ARGUMENT where one is, and where statistics are asked for. See netcl_sharded_layernorm.
   */
  [[nodiscard]] returns<netcl::sharded> layernorm(
      int32_t axis, const netcl_norm_options* options = nullptr,
      const netcl_run_options* run = nullptr) const;
  /** netcl_op_rmsnorm of each block; else as netcl_sharded_layernorm. See netcl_sharded_rmsnorm. */
  [[nodiscard]] returns<netcl::sharded> rmsnorm(int32_t axis,
                                                const netcl_norm_options* options = nullptr,
                                                const netcl_run_options* run = nullptr) const;
  /** Matrix product of a [..., M, K] and b [K, N], both on one mesh. See netcl_sharded_matmul. */
  [[nodiscard]] returns<netcl::sharded> matmul(netcl::sharded_ref b,
                                               const netcl_matmul_options* options = nullptr,
                                               const netcl_run_options* run = nullptr) const;
  /**
   * Gives the block of this rank with what lies around it, corners included, for stencils and
   * convolutions: pads has the entries before the block along every axis, then those behind it (2
   * rank entries, not negative). See netcl_sharded_exchange_halo.
   */
  [[nodiscard]] returns<netcl::tensor> exchange_halo(
      netcl::view<int64_t> pads, const netcl_halo_options* options = nullptr,
      const netcl_run_options* run = nullptr) const;
};

/** A network that was read from a file, ready to run. Shareable. */
class model_ref : public detail::handle<netcl_model> {
 public:
  using handle::handle;
  static void release_raw(netcl_model* raw) noexcept { netcl_model_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::model> share() const;
  /** Loads a model from a file of ONNX. See netcl_model_load. */
  [[nodiscard]] static returns<netcl::model> load(netcl::device_ref device, netcl::text path,
                                                  const netcl_model_options* options = nullptr);
  /**
   * As netcl_model_load, from the bytes of a file, of which nothing is kept. See
   * netcl_model_load_memory.
   */
  [[nodiscard]] static returns<netcl::model> load_memory(
      netcl::device_ref device, netcl::bytes_in data, const netcl_model_options* options = nullptr);
  /** Tells what is in a model. See netcl_model_get_info. */
  [[nodiscard]] returns<netcl::model_info> info() const;
  /** Describes an input of a model. See netcl_model_get_input. */
  [[nodiscard]] returns<netcl::model_value> input(uint32_t index) const;
  /** Describes an output of a model. See netcl_model_get_output. */
  [[nodiscard]] returns<netcl::model_value> output(uint32_t index) const;
  /** Finds an input by its name. See netcl_model_find_input. */
  [[nodiscard]] returns<uint32_t> find_input(netcl::text name) const;
  /** Finds an output by its name. See netcl_model_find_output. */
  [[nodiscard]] returns<uint32_t> find_output(netcl::text name) const;
  /**
   * Runs a model into tensors that are given, as netcl_graph_run runs a graph made from a function:
   * all inputs and all outputs in their order. See netcl_model_run.
   */
  returns<void> run(netcl::view<netcl::tensor_ref> inputs, netcl::view<netcl::tensor_ref> outputs,
                    const netcl_run_options* run = nullptr) const;
  /**
   * Runs a model as netcl_model_run does, with new tensors as outputs. See netcl_model_evaluate.
   */
  [[nodiscard]] returns<std::vector<netcl::tensor>> evaluate(
      netcl::view<netcl::tensor_ref> inputs, const netcl_run_options* run = nullptr) const;
  /**
   * Tells how a model runs: netcl_graph_explain of each form, beginning with the one that was used
   * last. See netcl_model_explain.
   */
  [[nodiscard]] returns<std::string> explain(netcl::graph_format format) const;
  /**
   * Tells what is in a file of ONNX, without a device: inputs, outputs, ops with their numbers, and
   * each thing that netcl cannot run with the names of all nodes that need it. See
   * netcl_model_describe.
   */
  [[nodiscard]] static returns<std::string> describe(netcl::text path);
};

/** Named tensors in a file, of which each can be had on a device. Shareable. */
class weights_ref : public detail::handle<netcl_weights> {
 public:
  using handle::handle;
  static void release_raw(netcl_weights* raw) noexcept { netcl_weights_release(raw); }
  /** Another reference to the same object. */
  [[nodiscard]] returns<netcl::weights> share() const;
  /** Opens a file of named tensors, for tensors of a device. See netcl_weights_open. */
  [[nodiscard]] static returns<netcl::weights> open(netcl::device_ref device, netcl::text path,
                                                    const netcl_weights_options* options = nullptr);
  /** Tells what a file of weights is. See netcl_weights_get_info. */
  [[nodiscard]] returns<netcl::weights_info> info() const;
  /** Describes a tensor of the file. See netcl_weights_get_entry. */
  [[nodiscard]] returns<netcl::weights_entry> entry(uint32_t index) const;
  /** Finds a tensor by its name. See netcl_weights_find. */
  [[nodiscard]] returns<uint32_t> find(netcl::text name) const;
  /** Gives a tensor of the file, each time a new one. See netcl_weights_get_tensor. */
  [[nodiscard]] returns<netcl::tensor> tensor(uint32_t index,
                                              const netcl_tensor_options* options = nullptr) const;
  /** Gives a key of the file's metadata. See netcl_weights_get_metadata_key. */
  [[nodiscard]] returns<std::string> metadata_key(uint32_t index) const;
  /** Gives the value of a key of the file's metadata as text. See netcl_weights_get_metadata. */
  [[nodiscard]] returns<std::string> metadata(netcl::text key) const;
  /**
   * Writes tensors under names as a file of safetensors, or as an .npz whose members are stored.
   * See netcl_weights_save.
   */
  static returns<void> save(netcl::text path, netcl::weights_format format,
                            netcl::view<netcl::text> names, netcl::view<netcl::tensor_ref> tensors,
                            const netcl_weights_save_options* options = nullptr,
                            netcl::timeout timeout = {});
};

}  // namespace NETCL_HPP_MODE
}  // namespace netcl

#endif
