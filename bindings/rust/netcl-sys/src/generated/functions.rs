// Written by bindings/generator from include/netcl.h; changes here are lost.

use crate::*;
use std::os::raw::{c_char, c_void};

extern "C" {
    /// Returns the name of a status, such as "`NETCL_ERROR_TIMEOUT`"; "unknown status" for others.
    pub fn netcl_status_name(status: netcl_status) -> *const c_char;

    /// Returns the message of this thread's last failing call, "" when there was none. The text is
    /// valid until the next failing call on this thread.
    pub fn netcl_last_error_message() -> *const c_char;

    /// Gives status, OpenCL code and message of this thread's last failing call.
    ///
    /// * `info`: all zero when there was none
    pub fn netcl_last_error_get_info(info: *mut netcl_error_info) -> netcl_status;

    /// Says what failed, as this thread's last failing call does: for a function of the host,
    /// before it returns `status` to the library. This call itself gives `NETCL_OK`, and is not
    /// what to return: a function that finds no file calls `netcl_last_error_set`(`NETCL_ERROR_IO`,
    /// 0, "no file of weights") and returns `NETCL_ERROR_IO`, with which the call that it was
    /// called in fails.
    ///
    /// Without it the call that it was called in has the message of the last call within it that
    /// failed, where that failed so, else one that only names the status. Negative statuses of the
    /// host's own are handed on; the library has none below -999. A function that returns one above
    /// 0 fails with INVALID_ARGUMENT. INVALID_ARGUMENT when `status` is 0 or more, or `message` is
    /// NULL.
    ///
    /// * `native_code`: a code of OpenCL, or 0
    ///
    /// * `message`: becomes one line, and is cut where it is too long
    pub fn netcl_last_error_set(
        status: netcl_status,
        native_code: i32,
        message: *const c_char,
    ) -> netcl_status;

    /// Returns `NETCL_VERSION_NUMBER` of the library.
    pub fn netcl_version_number() -> u32;

    /// Returns the version as text, "major.minor.patch".
    pub fn netcl_version_string() -> *const c_char;

    /// Gives the facts of this build. Touches no driver.
    ///
    /// * `info`: the facts
    pub fn netcl_library_get_info(info: *mut netcl_library_info) -> netcl_status;

    /// Counts the live handles of one type in this process.
    ///
    /// * `count`: handles made and not yet released for the last time
    pub fn netcl_library_get_live_count(type_: netcl_handle_type, count: *mut u64) -> netcl_status;

    /// Waits for all queued work, then empties every pool and program cache. Optional: a program
    /// may end without it. Objects stay valid and the library usable. Fails with TIMEOUT when work
    /// is left, and with LAUNCH_FAILURE when a command failed of which `netcl_device_finish` has
    /// not told; then all is emptied as well.
    pub fn netcl_shutdown(timeout_ns: u64) -> netcl_status;

    /// Sets how long the exit of the process waits for queued work; 0 switches the waiting off. The
    /// default is 2 seconds, or `NETCL_EXIT_TIMEOUT_MS`.
    pub fn netcl_library_set_exit_timeout(timeout_ns: u64) -> netcl_status;

    /// Makes SIGINT end waits of this library with CANCELLED. When one of its waits does not return
    /// within grace_ns after the signal, the process exits with code 130 (3 seconds when grace_ns
    /// is 0). A handler that was installed before is called too. Without one, a SIGINT while no
    /// call of this library waits ends the process at once with code 130. Both exits are as abrupt
    /// as that of the signal itself: no atexit handler runs and buffered output of stdio is lost. A
    /// transfer of the caller's memory that the device has begun ends before its call does. A
    /// second call of this function replaces the grace time.
    pub fn netcl_interrupt_enable(grace_ns: u64) -> netcl_status;

    /// Puts back the SIGINT disposition that `netcl_interrupt_enable` found. BUSY when another
    /// handler was installed since; nothing is changed then. OK when interrupts were not enabled.
    pub fn netcl_interrupt_disable() -> netcl_status;

    /// Sets the most detailed level that is kept. The default is WARNING, or `NETCL_LOG_LEVEL`.
    pub fn netcl_log_set_level(level: netcl_log_level) -> netcl_status;

    /// Sets the function that receives new records, NULL for none. Records are delivered at the end
    /// of calls into the library, on the calling thread; a record is delivered once. What a
    /// callback itself causes to be logged is delivered with the next call. destroy (may be NULL)
    /// gets user_data once fn has been replaced and no delivery to it is under way;
    /// INVALID_ARGUMENT when it is set and fn is NULL.
    pub fn netcl_log_set_callback(
        fn_: netcl_log_fn,
        user_data: *mut c_void,
        destroy: netcl_destroy_fn,
    ) -> netcl_status;

    /// Reads the oldest kept record whose sequence is greater than `after`; needs no callback. The
    /// ring keeps the last 256; a gap in the sequence shows what was lost. NOT_FOUND when there is
    /// none.
    ///
    /// * `record`: the record
    pub fn netcl_log_read(after: u64, record: *mut netcl_log_record) -> netcl_status;

    /// Returns "f16" ... "bool", and "invalid" for other values.
    pub fn netcl_dtype_name(dtype: netcl_dtype) -> *const c_char;

    /// Returns the bytes of one element, 0 for a value that is no dtype.
    pub fn netcl_dtype_size(dtype: netcl_dtype) -> usize;

    /// Counts all devices: every device of every OpenCL platform, then the built-in CPU device,
    /// which is always there. The first call loads libOpenCL, unless `NETCL_BACKEND`=builtin.
    ///
    /// * `count`: at least 1
    pub fn netcl_device_count(count: *mut u32) -> netcl_status;

    /// Describes a device of the list without opening it. NOT_FOUND past the end of the list.
    ///
    /// * `info`: the identity
    pub fn netcl_device_describe(index: u32, info: *mut netcl_device_info) -> netcl_status;

    /// Explains in words which loader, platforms and devices were found, what kept others away, and
    /// which device each word that is a selector gives.
    ///
    /// * `buffer`: receives the text, several lines
    ///
    /// * `length`: bytes of the text without the NUL; may be NULL
    pub fn netcl_device_diagnose(
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Opens a device. Selectors: "auto" (first discrete GPU, integrated GPU, accelerator, OpenCL
    /// CPU device, built-in), "gpu", "accel", "cpu" (OpenCL CPU device, else built-in), "builtin",
    /// an index of the list ("0"), platform and device ("0:1"), or two or more letters of a
    /// device's name, vendor, platform or version ("rtx", "nvidia", "pocl"), of several devices the
    /// first in the order of "auto"; letters may be of any case, and blanks at the ends do not
    /// count. NULL is "auto". Where "auto" or "cpu" gives the built-in device, the log says why
    /// (`NETCL_LOG_INFO`). Each opening gives a new handle to one device object per selected
    /// device. NO_DEVICE when there is none: the message, of less than 600 bytes, says what there
    /// is. FORKED for an OpenCL device in a child of a process that used OpenCL.
    ///
    /// * `device`: one reference
    pub fn netcl_device_open(
        selector: *const c_char,
        options: *const netcl_device_options,
        device: *mut *mut netcl_device,
    ) -> netcl_status;

    /// Wraps an OpenCL context, one of its devices, and a queue of both as a netcl device. All
    /// three are retained until the last object made from the device is gone. A NULL queue makes
    /// netcl create one. Commands that the caller enqueues itself are not known to netcl's
    /// ordering.
    ///
    /// * `device`: one reference
    pub fn netcl_device_open_from_cl(
        context: *mut _cl_context,
        device_id: *mut _cl_device_id,
        queue: *mut _cl_command_queue,
        options: *const netcl_device_options,
        device: *mut *mut netcl_device,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_device_retain(device: *mut netcl_device) -> netcl_status;

    /// Gives a reference back; takes NULL.
    pub fn netcl_device_release(device: *mut netcl_device);

    /// Gives the identity of a device.
    ///
    /// * `info`: the identity
    pub fn netcl_device_get_info(
        device: *const netcl_device,
        info: *mut netcl_device_info,
    ) -> netcl_status;

    /// Gives the capabilities of a device. The first call for one of NVIDIA's Hopper generation
    /// builds and runs a kernel, to see what its matrix units take, after what the device has to do
    /// already.
    ///
    /// * `capabilities`: the capabilities
    pub fn netcl_device_get_capabilities(
        device: *const netcl_device,
        capabilities: *mut netcl_device_capabilities,
    ) -> netcl_status;

    /// Waits for everything enqueued on any queue of the device. Fails with the error of the first
    /// command that failed since the last finish of the device or of its queue, TIMEOUT, CANCELLED
    /// or DEVICE_LOST.
    pub fn netcl_device_finish(device: *mut netcl_device, timeout_ns: u64) -> netcl_status;

    /// Suggests a local size and the global size rounded up to its multiple, from the shape of the
    /// work and the device's limits: 64 items in one dimension, 8x8 or a multiple of the preferred
    /// width in two, 4x4x4 in three; on CPUs 64x4 and 64x4x1.
    ///
    /// * `local`: as many entries as global
    ///
    /// * `rounded`: as many entries as global
    pub fn netcl_device_suggest_local_size(
        device: *const netcl_device,
        global: *const u64,
        global_count: u32,
        local: *mut u64,
        rounded: *mut u64,
    ) -> netcl_status;

    /// Tells how `netcl_op_copy` brings a tensor of `from` to `to`, and why so. It is the same for
    /// all tensors of the two, but for those that lie in the same memory of the host. Any thread.
    ///
    /// * `explanation`: the road
    pub fn netcl_device_explain_copy(
        from: *const netcl_device,
        to: *const netcl_device,
        explanation: *mut netcl_copy_explanation,
    ) -> netcl_status;

    /// Lends the OpenCL context. UNSUPPORTED on the built-in device.
    ///
    /// * `context`: borrowed
    pub fn netcl_device_get_cl_context(
        device: *const netcl_device,
        context: *mut *mut _cl_context,
    ) -> netcl_status;

    /// Lends the OpenCL device. UNSUPPORTED on the built-in device.
    ///
    /// * `device_id`: borrowed
    pub fn netcl_device_get_cl_device(
        device: *const netcl_device,
        device_id: *mut *mut _cl_device_id,
    ) -> netcl_status;

    /// Gives the device's default in-order queue.
    ///
    /// * `queue`: one reference
    pub fn netcl_device_get_queue(
        device: *const netcl_device,
        queue: *mut *mut netcl_queue,
    ) -> netcl_status;

    /// Makes a device the calling thread's active one. Active devices form a stack per thread; no
    /// other function consults it. What is left on the stack is given back when the thread ends.
    pub fn netcl_device_push(device: *mut netcl_device) -> netcl_status;

    /// Takes the calling thread's active device off its stack. NOT_FOUND when the stack is empty.
    pub fn netcl_device_pop() -> netcl_status;

    /// Gives the calling thread's active device. NOT_FOUND when there is none.
    ///
    /// * `device`: one reference
    pub fn netcl_device_current(device: *mut *mut netcl_device) -> netcl_status;

    /// Makes another queue of a device. UNSUPPORTED for an out-of-order queue where there are none
    /// (the built-in device accepts one and runs it in order).
    ///
    /// * `queue`: one reference
    pub fn netcl_queue_create(
        device: *mut netcl_device,
        options: *const netcl_queue_options,
        queue: *mut *mut netcl_queue,
    ) -> netcl_status;

    /// Wraps an OpenCL queue of the device's context and device; it is retained. Times are recorded
    /// when the queue was made with profiling.
    ///
    /// * `queue`: one reference
    pub fn netcl_queue_create_from_cl(
        device: *mut netcl_device,
        cl_queue: *mut _cl_command_queue,
        queue: *mut *mut netcl_queue,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_queue_retain(queue: *mut netcl_queue) -> netcl_status;

    /// Gives a reference back; takes NULL.
    pub fn netcl_queue_release(queue: *mut netcl_queue);

    /// Gives the state of a queue.
    ///
    /// * `info`: the state
    pub fn netcl_queue_get_info(
        queue: *const netcl_queue,
        info: *mut netcl_queue_info,
    ) -> netcl_status;

    /// Gives the device of a queue.
    ///
    /// * `device`: one reference
    pub fn netcl_queue_get_device(
        queue: *const netcl_queue,
        device: *mut *mut netcl_device,
    ) -> netcl_status;

    /// Switches the recording of times on or off for commands enqueued from now on. The order of
    /// commands is kept across the switch. A wrapped queue stays as it was made: NOT_PROFILED to
    /// switch one on that was made without profiling, UNSUPPORTED to switch one off.
    /// `NETCL_PROFILE_EVENTS`=1 switches it on for every queue at creation.
    pub fn netcl_queue_set_profiling(queue: *mut netcl_queue, enabled: u32) -> netcl_status;

    /// Hands all enqueued commands to the device.
    pub fn netcl_queue_flush(queue: *mut netcl_queue) -> netcl_status;

    /// Waits for everything enqueued on the queue; errors as for `netcl_device_finish`.
    pub fn netcl_queue_finish(queue: *mut netcl_queue, timeout_ns: u64) -> netcl_status;

    /// Enqueues a marker: its event completes when everything enqueued before on this queue and all
    /// of `waits` have completed.
    ///
    /// * `event`: one reference
    pub fn netcl_queue_enqueue_marker(
        queue: *mut netcl_queue,
        waits: *const *mut netcl_event,
        waits_count: u32,
        event: *mut *mut netcl_event,
    ) -> netcl_status;

    /// Lends the OpenCL queue that commands go to at present, after flushing it. UNSUPPORTED on the
    /// built-in device.
    ///
    /// * `cl_queue`: borrowed
    pub fn netcl_queue_get_cl_queue(
        queue: *mut netcl_queue,
        cl_queue: *mut *mut _cl_command_queue,
    ) -> netcl_status;

    /// Wraps an OpenCL event of the device's context; it is retained.
    ///
    /// * `event`: one reference
    pub fn netcl_event_create_from_cl(
        device: *mut netcl_device,
        cl_event: *mut _cl_event,
        event: *mut *mut netcl_event,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_event_retain(event: *mut netcl_event) -> netcl_status;

    /// Gives a reference back; takes NULL.
    pub fn netcl_event_release(event: *mut netcl_event);

    /// Waits for the command. Fails with its error, TIMEOUT or CANCELLED. A command fails with any
    /// that it waits for or that was to write what it reads, whatever the driver makes of that.
    /// Where a driver then does not end it, nor what is behind it, the wait ends all the same,
    /// seconds later.
    pub fn netcl_event_wait(event: *const netcl_event, timeout_ns: u64) -> netcl_status;

    /// Tells how far the command has come, without waiting.
    ///
    /// * `state`: the state
    pub fn netcl_event_query(
        event: *const netcl_event,
        state: *mut netcl_event_state,
    ) -> netcl_status;

    /// Gives the times of a completed command. BUSY while it is not complete; its error when it
    /// failed; NOT_PROFILED when its queue recorded no times when it was enqueued, see
    /// `netcl_queue_set_profiling`; LAUNCH_FAILURE when the driver fails to give them.
    ///
    /// * `timing`: the times
    pub fn netcl_event_get_timing(
        event: *const netcl_event,
        timing: *mut netcl_event_timing,
    ) -> netcl_status;

    /// Gives the error of a failed command; status `NETCL_OK` when it has not failed.
    ///
    /// * `info`: the error
    pub fn netcl_event_get_error(
        event: *const netcl_event,
        info: *mut netcl_error_info,
    ) -> netcl_status;

    /// Lends the OpenCL event. UNSUPPORTED on the built-in device.
    ///
    /// * `cl_event`: borrowed
    pub fn netcl_event_get_cl_event(
        event: *const netcl_event,
        cl_event: *mut *mut _cl_event,
    ) -> netcl_status;

    /// Makes a pool. With options-\>share = 1 it is INVALID_ARGUMENT for a PINNED one, and
    /// UNSUPPORTED where the device's memory cannot be shared.
    ///
    /// * `pool`: one reference
    pub fn netcl_pool_create(
        device: *mut netcl_device,
        options: *const netcl_pool_options,
        pool: *mut *mut netcl_pool,
    ) -> netcl_status;

    /// Gives the device's own pool of a kind: PERSISTENT is where tensors come from by default,
    /// PINNED is where transfers are staged, POWER_OF_TWO is made at the first call.
    ///
    /// * `pool`: one reference
    pub fn netcl_device_get_pool(
        device: *const netcl_device,
        kind: netcl_pool_kind,
        pool: *mut *mut netcl_pool,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_pool_retain(pool: *mut netcl_pool) -> netcl_status;

    /// Gives a reference back; takes NULL.
    pub fn netcl_pool_release(pool: *mut netcl_pool);

    /// Gives the statistics of a pool.
    ///
    /// * `info`: the statistics
    pub fn netcl_pool_get_info(pool: *const netcl_pool, info: *mut netcl_pool_info) -> netcl_status;

    /// Gives the buckets that were used so far, smallest first.
    ///
    /// * `buckets`: receives at most capacity rows; may be NULL when capacity is 0
    ///
    /// * `count`: rows there are
    pub fn netcl_pool_get_buckets(
        pool: *const netcl_pool,
        buckets: *mut netcl_pool_bucket,
        capacity: u32,
        count: *mut u32,
    ) -> netcl_status;

    /// Gives cached memory back to the device until at most keep_bytes are cached.
    pub fn netcl_pool_trim(pool: *mut netcl_pool, keep_bytes: u64) -> netcl_status;

    /// Leases memory of at least `bytes` bytes (0 gives an empty lease). The lease ends with the
    /// last reference to the buffer and to every tensor made from it; the memory is leased again
    /// only when the device has finished using it. Contents are undefined. On a shortage the pool
    /// waits for finished work, trims, retries once, and then fails with OUT_OF_DEVICE_MEMORY.
    ///
    /// * `buffer`: one reference
    pub fn netcl_pool_allocate(
        pool: *mut netcl_pool,
        bytes: u64,
        buffer: *mut *mut netcl_buffer,
    ) -> netcl_status;

    /// Allocates page-locked host memory outside any pool.
    ///
    /// * `buffer`: one reference
    pub fn netcl_buffer_create_pinned(
        device: *mut netcl_device,
        bytes: u64,
        buffer: *mut *mut netcl_buffer,
    ) -> netcl_status;

    /// Lets the device work on the caller's own memory, which must stay valid until the last
    /// reference to the buffer and its tensors is gone and the device is done. UNSUPPORTED where
    /// the device does not share memory with the host; INVALID_ARGUMENT when the pointer is not
    /// aligned to 64 bytes.
    ///
    /// * `buffer`: one reference
    pub fn netcl_buffer_create_zero_copy(
        device: *mut netcl_device,
        data: *mut c_void,
        bytes: u64,
        buffer: *mut *mut netcl_buffer,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_buffer_retain(buffer: *mut netcl_buffer) -> netcl_status;

    /// Gives a reference back; takes NULL.
    pub fn netcl_buffer_release(buffer: *mut netcl_buffer);

    /// Gives the facts of a buffer.
    ///
    /// * `info`: the facts
    pub fn netcl_buffer_get_info(
        buffer: *const netcl_buffer,
        info: *mut netcl_buffer_info,
    ) -> netcl_status;

    /// Lends the OpenCL memory object. UNSUPPORTED on the built-in device, NOT_FOUND for 0 bytes.
    ///
    /// * `mem`: borrowed
    pub fn netcl_buffer_get_cl_mem(
        buffer: *const netcl_buffer,
        mem: *mut *mut _cl_mem,
    ) -> netcl_status;

    /// Lets others have a buffer's memory: another process, to which a Unix socket takes the
    /// descriptor (SCM_RIGHTS), or another device. UNSUPPORTED for memory that was made without
    /// share = 1, NOT_FOUND for 0 bytes, IO when there is no further descriptor.
    ///
    /// * `memory`: with a descriptor that is the caller's to close, and is closed on exec
    pub fn netcl_buffer_export(
        buffer: *const netcl_buffer,
        memory: *mut netcl_shared_memory,
    ) -> netcl_status;

    /// Opens what `netcl_buffer_export` gave, here or in another process;
    /// `netcl_tensor_create_from_buffer` makes tensors of it. The descriptor stays the caller's,
    /// who may close it when the call returns. Whoever sent it need not be trusted:
    /// INVALID_ARGUMENT, naming what is wrong, for a descriptor that is not open for reading and
    /// writing or is no memory file, for a file that somebody could shrink (it has no
    /// F_SEAL_SHRINK) or that is sealed against writing, for total_bytes that are not its size, for
    /// bytes that do not lie in it, and for an offset that is no multiple of 64 (512 for
    /// `NETCL_SHARE_CUDA`, where CUDA's driver is what checks the descriptor). UNSUPPORTED where
    /// the device cannot open this kind, it is memory of a GPU that this one does not reach, or
    /// total_bytes are more than 510 MiB of `NETCL_SHARE_CUDA`. What a device does with memory of
    /// another GPU goes by the link between them.
    ///
    /// * `buffer`: one reference
    pub fn netcl_buffer_import(
        device: *mut netcl_device,
        memory: *const netcl_shared_memory,
        buffer: *mut *mut netcl_buffer,
    ) -> netcl_status;

    /// Gives the address (CUdeviceptr) of a buffer for CUDA, in the primary context of its GPU,
    /// which PyTorch, CuPy and JAX use. It is valid until the last reference to the buffer and its
    /// tensors is gone. UNSUPPORTED for memory that CUDA does not know, NOT_FOUND for 0 bytes.
    ///
    /// * `address`: borrowed
    pub fn netcl_buffer_get_cuda_address(
        buffer: *const netcl_buffer,
        address: *mut u64,
    ) -> netcl_status;

    /// Makes a tensor whose contents are undefined.
    ///
    /// * `tensor`: one reference
    pub fn netcl_tensor_create(
        device: *mut netcl_device,
        dtype: netcl_dtype,
        rank: u32,
        shape: *const i64,
        strides: *const i64,
        options: *const netcl_tensor_options,
        tensor: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Makes a tensor of zeros. Strides, here and below, lay out the new memory; they must not
    /// overlap, and what they leave out is 0 as well.
    ///
    /// * `tensor`: one reference
    pub fn netcl_tensor_create_zeros(
        device: *mut netcl_device,
        dtype: netcl_dtype,
        rank: u32,
        shape: *const i64,
        strides: *const i64,
        options: *const netcl_tensor_options,
        tensor: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Makes a tensor with one value everywhere.
    ///
    /// * `value`: one element of `dtype`
    ///
    /// * `tensor`: one reference
    pub fn netcl_tensor_create_full(
        device: *mut netcl_device,
        dtype: netcl_dtype,
        rank: u32,
        shape: *const i64,
        strides: *const i64,
        value: *const c_void,
        options: *const netcl_tensor_options,
        tensor: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Makes a tensor of random numbers from Philox4x32-10 (Salmon et al., SC 2011). Element i in C
    /// order depends on seed, offset + i, dtype and distribution alone: the bits are the same on
    /// every device and for every layout, and parts made with offsets fit together.
    ///
    /// * `tensor`: one reference
    pub fn netcl_tensor_create_random(
        device: *mut netcl_device,
        dtype: netcl_dtype,
        rank: u32,
        shape: *const i64,
        strides: *const i64,
        random: *const netcl_random_options,
        options: *const netcl_tensor_options,
        tensor: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Makes a tensor from an array of the host. `strides` describe the array and become those of
    /// the tensor; `data` is the lowest address they reach. The caller may free or change the array
    /// when the call returns, unless options-\>borrow is 1: then it must stay until the event, or
    /// until the tensor and all its views are gone where `netcl_tensor_info.borrowed` is 1.
    /// INVALID_ARGUMENT when data_size is smaller than what the layout reaches.
    ///
    /// * `tensor`: one reference
    pub fn netcl_tensor_create_from_host(
        device: *mut netcl_device,
        dtype: netcl_dtype,
        rank: u32,
        shape: *const i64,
        strides: *const i64,
        data: *const c_void,
        data_size: usize,
        options: *const netcl_tensor_options,
        tensor: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Makes a tensor over a buffer, starting offset_bytes into it (a multiple of the element
    /// size). Negative strides reach below the offset.
    ///
    /// * `tensor`: one reference
    pub fn netcl_tensor_create_from_buffer(
        buffer: *mut netcl_buffer,
        offset_bytes: u64,
        dtype: netcl_dtype,
        rank: u32,
        shape: *const i64,
        strides: *const i64,
        tensor: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Wraps an OpenCL memory object of the device's context as a tensor, starting offset_bytes
    /// into it. The object is retained; options-\>take_ownership = 1 takes over the caller's
    /// reference instead. The library does not see what the caller enqueues on it: while a command
    /// of the library uses the tensor or a view of it, nothing else may write the object, nor read
    /// what the command writes.
    ///
    /// * `tensor`: one reference
    pub fn netcl_tensor_create_from_cl(
        device: *mut netcl_device,
        mem: *mut _cl_mem,
        offset_bytes: u64,
        dtype: netcl_dtype,
        rank: u32,
        shape: *const i64,
        strides: *const i64,
        options: *const netcl_tensor_options,
        tensor: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Takes a DLPack tensor: kDLOpenCL of the device's context; kDLCPU, which is copied unless the
    /// device is the built-in one and options-\>share is 0; or kDLCUDA that lies in a tensor or
    /// buffer of the device's with share = 1. On success the library owns `managed` and calls its
    /// deleter when the tensor is gone (at once when it was copied); on failure the caller keeps
    /// it. Unless it was copied the memory is shared, as with `netcl_tensor_create_from_cl`: while
    /// a command of the library uses it, its producer may not write it, nor read what the command
    /// writes. UNSUPPORTED for lanes other than 1, complex types and other devices.
    ///
    /// * `tensor`: one reference
    pub fn netcl_tensor_create_from_dlpack(
        device: *mut netcl_device,
        managed: *mut DLManagedTensor,
        options: *const netcl_tensor_options,
        tensor: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Exports a tensor through DLPack: kDLCUDA or, on CPU devices, kDLCPU when it was made with
    /// share = 1, else kDLOpenCL with the cl_mem as data, or kDLCPU on the built-in device; with a
    /// byte_offset. Waits for what uses the tensor up to timeout_ns; errors as for
    /// `netcl_tensor_wait`. The memory is shared, not copied: whoever reads it sees what later
    /// commands write.
    ///
    /// * `managed`: owned by the caller, who calls its deleter; it keeps the memory alive
    pub fn netcl_tensor_to_dlpack(
        tensor: *mut netcl_tensor,
        timeout_ns: u64,
        managed: *mut *mut DLManagedTensor,
    ) -> netcl_status;

    /// Loads a .npy file (format 1 to 3; C or Fortran order, either byte order; bf16 is '\<V2' as
    /// written by ml_dtypes). IO when it cannot be read, CORRUPT_DATA naming what is wrong with it,
    /// UNSUPPORTED for element types without a dtype here.
    ///
    /// * `tensor`: one reference
    pub fn netcl_tensor_load_npy(
        device: *mut netcl_device,
        path: *const c_char,
        options: *const netcl_tensor_options,
        tensor: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// As `netcl_tensor_load_npy`, from memory.
    ///
    /// * `tensor`: one reference
    pub fn netcl_tensor_create_from_npy(
        device: *mut netcl_device,
        data: *const c_void,
        data_size: usize,
        options: *const netcl_tensor_options,
        tensor: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Writes a tensor as a .npy file, format 1.0, C order. The file is replaced as a whole or not
    /// at all. IO when it cannot be written; the wait for pending writes takes at most timeout_ns,
    /// with the errors of `netcl_tensor_wait`.
    pub fn netcl_tensor_save_npy(
        tensor: *const netcl_tensor,
        path: *const c_char,
        timeout_ns: u64,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_tensor_retain(tensor: *mut netcl_tensor) -> netcl_status;

    /// Gives a reference back; takes NULL.
    pub fn netcl_tensor_release(tensor: *mut netcl_tensor);

    /// Gives the facts of a tensor.
    ///
    /// * `info`: the facts
    pub fn netcl_tensor_get_info(
        tensor: *const netcl_tensor,
        info: *mut netcl_tensor_info,
    ) -> netcl_status;

    /// Gives the device of a tensor.
    ///
    /// * `device`: one reference
    pub fn netcl_tensor_get_device(
        tensor: *const netcl_tensor,
        device: *mut *mut netcl_device,
    ) -> netcl_status;

    /// Gives the memory of a tensor; its contents begin at offset elements.
    ///
    /// * `buffer`: one reference
    pub fn netcl_tensor_get_buffer(
        tensor: *const netcl_tensor,
        buffer: *mut *mut netcl_buffer,
    ) -> netcl_status;

    /// Views part of a tensor, one range per dimension.
    ///
    /// * `view`: one reference
    pub fn netcl_tensor_slice(
        tensor: *mut netcl_tensor,
        ranges: *const netcl_range,
        ranges_count: u32,
        view: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Views a tensor with its dimensions in another order.
    ///
    /// * `view`: one reference
    pub fn netcl_tensor_permute(
        tensor: *mut netcl_tensor,
        axes: *const u32,
        axes_count: u32,
        view: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Views a tensor with a larger shape: dimensions of extent 1 and missing leading ones repeat.
    ///
    /// * `view`: one reference
    pub fn netcl_tensor_broadcast(
        tensor: *mut netcl_tensor,
        rank: u32,
        shape: *const i64,
        view: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Views the memory of a tensor through any shape and strides, from `offset` elements after the
    /// tensor's own first element. INVALID_ARGUMENT when an element would lie outside the memory.
    ///
    /// * `view`: one reference
    pub fn netcl_tensor_view(
        tensor: *mut netcl_tensor,
        rank: u32,
        shape: *const i64,
        strides: *const i64,
        offset: i64,
        view: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Gives the elements, in C order, another shape with the same number of elements; one extent
    /// may be -1 and is worked out. A view where strides allow it, otherwise a copy made by a
    /// command.
    ///
    /// * `result`: one reference
    pub fn netcl_tensor_reshape(
        tensor: *mut netcl_tensor,
        rank: u32,
        shape: *const i64,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Copies elements to the host in C order. Without options-\>event the call waits for earlier
    /// work at most timeout_ns, then for the copy, and touches `data` only before it returns;
    /// LAUNCH_FAILURE, with `data` untouched, when the last command that wrote to the tensor's
    /// memory failed. With options-\>event it returns at once, and `data` must stay until the event
    /// has completed; what is in it when the event fails is undefined. data_size must be byte_count
    /// of the tensor.
    pub fn netcl_tensor_read(
        tensor: *const netcl_tensor,
        data: *mut c_void,
        data_size: usize,
        options: *const netcl_transfer_options,
        timeout_ns: u64,
    ) -> netcl_status;

    /// Copies elements, in C order, from the host. The caller may free or change the array when the
    /// call returns, unless options-\>borrow is 1. timeout_ns bounds the wait for earlier work; on
    /// TIMEOUT the tensor is unchanged. data_size must be byte_count of the tensor.
    pub fn netcl_tensor_write(
        tensor: *mut netcl_tensor,
        data: *const c_void,
        data_size: usize,
        options: *const netcl_transfer_options,
        timeout_ns: u64,
    ) -> netcl_status;

    /// Waits for the commands that write the tensor. LAUNCH_FAILURE when the last one that wrote to
    /// its memory failed, until another one writes there; `netcl_device_finish` and its own event
    /// tell too. A command fails with the one that was to write what it reads, whether it ran or
    /// not: nothing that is made of a missing result counts as whole.
    pub fn netcl_tensor_wait(tensor: *const netcl_tensor, timeout_ns: u64) -> netcl_status;

    /// Makes a kernel from a specification; compiles nothing. `name` is the kernel function's name
    /// and an identifier. A `#pragma` for fp16 is added when the text uses half. User text keeps
    /// its own line numbers in build logs. What the program holds besides kernels (constructors,
    /// assembly) may run in this process when a driver builds it. UNSUPPORTED on the built-in
    /// device, whose kernels are expressions and ops.
    ///
    /// * `kernel`: one reference
    pub fn netcl_kernel_create(
        device: *mut netcl_device,
        name: *const c_char,
        options: *const netcl_kernel_options,
        kernel: *mut *mut netcl_kernel,
    ) -> netcl_status;

    /// Makes the specification of an elementwise kernel `name`(v0, ..., out, n) over contiguous
    /// arrays of one dtype from an expression in v0 ... v(arity-1). f16 adds the fp16 pragma, never
    /// fast-math. UNSUPPORTED on the built-in device, which runs the expression itself
    /// (`netcl_op_expression_text`).
    ///
    /// * `kernel`: one reference
    pub fn netcl_kernel_create_elementwise(
        device: *mut netcl_device,
        name: *const c_char,
        arity: u32,
        expression: *const c_char,
        dtype: netcl_dtype,
        kernel: *mut *mut netcl_kernel,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_kernel_retain(kernel: *mut netcl_kernel) -> netcl_status;

    /// Gives a reference back; takes NULL.
    pub fn netcl_kernel_release(kernel: *mut netcl_kernel);

    /// Builds a kernel, from the program cache where it is there. Any number of threads may call
    /// it; one compiles. BUILD_FAILURE with the first line of the log, NOT_FOUND when the program
    /// has no kernel of that name (the message lists those it has).
    pub fn netcl_kernel_build(kernel: *mut netcl_kernel) -> netcl_status;

    /// Gives the facts of a kernel; builds it when needed.
    ///
    /// * `info`: the facts
    pub fn netcl_kernel_get_info(
        kernel: *mut netcl_kernel,
        info: *mut netcl_kernel_info,
    ) -> netcl_status;

    /// Gives the facts of one parameter; builds when needed.
    ///
    /// * `info`: the facts
    pub fn netcl_kernel_get_arg_info(
        kernel: *mut netcl_kernel,
        index: u32,
        info: *mut netcl_kernel_arg_info,
    ) -> netcl_status;

    /// Gives the text that the compiler gets. NOT_FOUND for il and binary.
    ///
    /// * `buffer`: the text
    ///
    /// * `length`: bytes of the text without the NUL; may be NULL
    pub fn netcl_kernel_get_source(
        kernel: *const netcl_kernel,
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Gives the log of the last build, "" before it.
    ///
    /// * `buffer`: the text
    ///
    /// * `length`: bytes of the text without the NUL; may be NULL
    pub fn netcl_kernel_get_build_log(
        kernel: *const netcl_kernel,
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Gives the built program with netcl's checksum and key, to be used as
    /// `netcl_kernel_options.binary` on the same device and driver.
    ///
    /// * `data`: the bytes, at most capacity of them; may be NULL when capacity is 0
    ///
    /// * `length`: bytes there are
    pub fn netcl_kernel_get_binary(
        kernel: *mut netcl_kernel,
        data: *mut c_void,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Hashes the shapes and dtypes of inputs and outputs to a signature, the same in every
    /// process.
    ///
    /// * `signature`: never 0
    pub fn netcl_kernel_shape_signature(
        inputs: *const *const netcl_tensor,
        inputs_count: u32,
        outputs: *const *const netcl_tensor,
        outputs_count: u32,
        signature: *mut u64,
    ) -> netcl_status;

    /// Registers a kernel with its device under its name and shape signature, replacing an earlier
    /// one. The registration holds a reference until it is replaced or removed.
    pub fn netcl_kernel_register(kernel: *mut netcl_kernel) -> netcl_status;

    /// Removes a registration. NOT_FOUND when there is none.
    pub fn netcl_kernel_unregister(
        device: *mut netcl_device,
        name: *const c_char,
        shape_signature: u64,
    ) -> netcl_status;

    /// Finds a registered kernel: the one with this signature, else the one with signature 0.
    /// NOT_FOUND naming what is registered.
    ///
    /// * `kernel`: one reference
    pub fn netcl_kernel_find(
        device: *mut netcl_device,
        name: *const c_char,
        shape_signature: u64,
        kernel: *mut *mut netcl_kernel,
    ) -> netcl_status;

    /// Launches a kernel over `global` work items; builds it when needed. A NULL local size means
    /// the tuned one (see `NETCL_TUNE`), else the specification's, else netcl's choice reduced to
    /// divisors of the global size. With a tuned size go the tuned macros, and the global size
    /// where the space had a formula for it, when they were tuned for this very size and these
    /// integer arguments (see `netcl_kernel_options`). With a global offset nothing tuned is used.
    /// INVALID_ARGUMENT when a given local size does not divide the global size (unless
    /// options-\>round_up), when counts differ, the specification's local size has more dimensions
    /// than `global`, a size is 0, or the arguments do not fit the parameters. run-\>into must be
    /// NULL. A tensor argument passes its memory from its lowest element on, which is the first one
    /// unless a stride is negative; INVALID_ARGUMENT when the device cannot address that offset
    /// (see mem_base_align_bytes).
    pub fn netcl_kernel_launch(
        kernel: *mut netcl_kernel,
        global: *const u64,
        global_count: u32,
        local: *const u64,
        local_count: u32,
        args: *const netcl_arg,
        args_count: u32,
        options: *const netcl_launch_options,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// Tells what `netcl_kernel_launch` would use for the same arguments, without launching: work
    /// sizes, tuned macros, and which stored result they come from or why there is none. It builds
    /// the kernel when needed, and fails as the launch does for sizes that cannot be.
    ///
    /// * `explanation`: what a launch uses now; a change of the tuning database may change it
    pub fn netcl_kernel_explain_launch(
        kernel: *mut netcl_kernel,
        global: *const u64,
        global_count: u32,
        local: *const u64,
        local_count: u32,
        args: *const netcl_arg,
        args_count: u32,
        options: *const netcl_launch_options,
        explanation: *mut netcl_launch_explanation,
    ) -> netcl_status;

    /// Finds a registered kernel and launches it: `netcl_kernel_find`, then `netcl_kernel_launch`.
    pub fn netcl_kernel_launch_by_name(
        device: *mut netcl_device,
        name: *const c_char,
        shape_signature: u64,
        global: *const u64,
        global_count: u32,
        local: *const u64,
        local_count: u32,
        args: *const netcl_arg,
        args_count: u32,
        options: *const netcl_launch_options,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// Gives the counters of the program cache.
    ///
    /// * `info`: the counters
    pub fn netcl_program_cache_get_info(info: *mut netcl_program_cache_info) -> netcl_status;

    /// Drops all programs from memory, and from the disk too when `disk` is 1. Built kernels keep
    /// theirs.
    pub fn netcl_program_cache_clear(disk: u32) -> netcl_status;

    /// Reads and checks an entry of the disk cache, in the order of their names; one that is not
    /// sound is never given to a driver, and is replaced when its program is built again. NOT_FOUND
    /// past the end and while there is no disk cache. Entries may come and go between two calls.
    ///
    /// * `entry`: the entry
    pub fn netcl_program_cache_get_entry(
        index: u32,
        entry: *mut netcl_program_cache_entry,
    ) -> netcl_status;

    /// Parses an elementwise expression. Inputs are v0, v1, .... Written in infix ("relu(v0 + v1)
    /// \* 0.5", C precedence, ?: included) or with macros ("MUL(ADD(v0, v1), 2.0f)"), freely mixed.
    /// Functions: docs/expressions.md lists them with their error bounds. Literals take the type of
    /// what they meet. INVALID_ARGUMENT naming the column and what was expected there.
    ///
    /// * `expression`: one reference
    pub fn netcl_expression_create(
        text: *const c_char,
        expression: *mut *mut netcl_expression,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_expression_retain(expression: *mut netcl_expression) -> netcl_status;

    /// Gives a reference back; takes NULL.
    pub fn netcl_expression_release(expression: *mut netcl_expression);

    /// Gives the number of inputs: one more than the highest v used.
    ///
    /// * `arity`: the number
    pub fn netcl_expression_get_arity(
        expression: *const netcl_expression,
        arity: *mut u32,
    ) -> netcl_status;

    /// Gives the expression in canonical infix form; parsing that gives the same expression.
    ///
    /// * `buffer`: the text
    ///
    /// * `length`: bytes of the text without the NUL; may be NULL
    pub fn netcl_expression_get_text(
        expression: *const netcl_expression,
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Differentiates an expression of n inputs with respect to input `input`, one of 0 to n - 1.
    /// The gradient is an expression of v0 ... v(n-1) and of vn, the gradient of what was made of
    /// the result: vn times the partial derivative. docs/primitives.md has the derivative of each
    /// function and what holds at kinks. What is not smooth anywhere, such as a comparison, an
    /// integer operation or a cast to an integer, has derivative 0. INVALID_ARGUMENT when the
    /// gradient would exceed the limits of an expression, or n is `NETCL_ARGS_MAX`.
    ///
    /// * `gradient`: one reference
    pub fn netcl_expression_differentiate(
        expression: *const netcl_expression,
        input: u32,
        gradient: *mut *mut netcl_expression,
    ) -> netcl_status;

    /// Returns "matmul_naive" ... "attention_matrix_units", "auto", and "invalid" for other values.
    pub fn netcl_variant_name(variant: netcl_variant) -> *const c_char;

    /// Tells which kernel a product of m x k by k x n gets on a device. Answers are kept per
    /// device, sizes and options. options-\>dtype is that of a and b: f16, bf16, f32, f64, i8 or
    /// u8. Negative sizes, and a matrix of more than 2^60 elements, are INVALID_ARGUMENT.
    ///
    /// * `config`: the choice
    pub fn netcl_variant_select_matmul(
        device: *const netcl_device,
        m: i64,
        n: i64,
        k: i64,
        options: *const netcl_variant_options,
        config: *mut netcl_variant_config,
    ) -> netcl_status;

    /// Tells which kernel a convolution gets: see `netcl_op_conv2d`. `NETCL_CONV_WINOGRAD`=0 keeps
    /// Winograd from being chosen, `NETCL_CONV_TILED_LOCAL`=1 lets tiled_local be chosen on small
    /// outputs.
    ///
    /// * `config`: the choice
    pub fn netcl_variant_select_conv2d(
        device: *const netcl_device,
        shape: *const netcl_conv2d_shape,
        options: *const netcl_variant_options,
        config: *mut netcl_variant_config,
    ) -> netcl_status;

    /// Tells which kernel an elementwise op over `count` elements gets.
    ///
    /// * `config`: the choice
    pub fn netcl_variant_select_elementwise(
        device: *const netcl_device,
        count: i64,
        options: *const netcl_variant_options,
        config: *mut netcl_variant_config,
    ) -> netcl_status;

    /// Tells which kernel a reduction gets that makes `outputs` results from `count` elements each,
    /// when the elements of a result lie next to each other. On GPUs results that lie side by side
    /// instead, as sums of columns do, may get REDUCTION_WORKGROUP for fewer elements
    /// (docs/variants.md).
    ///
    /// * `config`: the choice
    pub fn netcl_variant_select_reduction(
        device: *const netcl_device,
        outputs: i64,
        count: i64,
        options: *const netcl_variant_options,
        config: *mut netcl_variant_config,
    ) -> netcl_status;

    /// Tells which kernel a batch normalisation gets: `fused` when an activation goes with it, so
    /// that `activation` is 1, and it is not training, else `naive`.
    ///
    /// * `config`: the choice
    pub fn netcl_variant_select_batchnorm(
        device: *const netcl_device,
        batch: i64,
        channels: i64,
        spatial: i64,
        training: u32,
        activation: u32,
        options: *const netcl_variant_options,
        config: *mut netcl_variant_config,
    ) -> netcl_status;

    /// Forgets the answers that are kept, for all devices.
    pub fn netcl_variant_clear_cache() -> netcl_status;

    /// Evaluates an expression over tensors, broadcast to one shape, as one fused kernel: a chain
    /// of elementwise work is built once with `netcl_expression_create` and reused here. Any
    /// strides. Types: inputs promote as in array languages (bool \< integers \< floats; the wider
    /// wins; mixed signedness takes the next wider signed type; f16 with bf16 is f32); f16 and bf16
    /// are computed in f32 and rounded once at the end. run-\>into may share memory with inputs in
    /// any way: one that overlaps it and is not the same elements is copied first. UNSUPPORTED for
    /// f64 on a device without fp64.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_expression(
        expression: *const netcl_expression,
        inputs: *const *mut netcl_tensor,
        inputs_count: u32,
        options: *const netcl_expression_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Evaluates an expression given as text: `netcl_expression_create` (kept for the next call
    /// with the same text), then `netcl_op_expression`.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_expression_text(
        text: *const c_char,
        inputs: *const *mut netcl_tensor,
        inputs_count: u32,
        options: *const netcl_expression_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Evaluates up to `NETCL_RESULTS_MAX` expressions over the same inputs as one fused kernel,
    /// which reads each input once, computes what the expressions have in common once and stores a
    /// result for each. A result has the dtype, the shape and the bits that
    /// `netcl_op_expression_text` gives for its text and all of the inputs: every result has the
    /// shape to which all inputs broadcast, used or not. With options-\>results_into that shape is
    /// theirs, to which the inputs broadcast, and their dtypes are those of the results; they may
    /// share memory with inputs in any way, as for `netcl_op_expression`, since all expressions see
    /// the inputs as they were before. run-\>into is refused. INVALID_ARGUMENT names the text that
    /// is at fault, "texts\[2\]: expression column 7: ..."; so it is when the texts have more
    /// different nodes together than one may have, and when tensors of options-\>results_into
    /// differ in shape or are not known to lie apart. UNSUPPORTED for f64 on a device without fp64.
    ///
    /// * `results`: one reference each, texts_count entries; may be NULL when
    ///   options-\>results_into is set
    pub fn netcl_op_expressions(
        texts: *const *const c_char,
        texts_count: u32,
        inputs: *const *mut netcl_tensor,
        inputs_count: u32,
        options: *const netcl_expressions_options,
        run: *const netcl_run_options,
        results: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Returns the ONNX name of an operator, "HardSigmoid"; "invalid" for other values.
    pub fn netcl_elementwise_name(op: netcl_elementwise) -> *const c_char;

    /// Finds an operator by its name in any case, with or without underscores. NOT_FOUND naming it.
    ///
    /// * `op`: the operator
    pub fn netcl_elementwise_find(name: *const c_char, op: *mut netcl_elementwise) -> netcl_status;

    /// Applies an operator to tensors, broadcast to one shape: the expression of its formula, whose
    /// dtypes and error bounds docs/expressions.md lists. Of each function in the formula, in the
    /// type computed in: + - \*, comparisons, logic and rounding are exact or rounded once,
    /// division is within 2.5 ULP, roots 3, others 16, gelu 20 + 2 x^2, gelu_tanh 8 + 4 \|u\| (u is
    /// there). A parameter of CLIP that is NaN gives NaN for floats and is INVALID_ARGUMENT for
    /// integers. run-\>into may share memory with inputs as for `netcl_op_expression`.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_elementwise(
        op: netcl_elementwise,
        inputs: *const *mut netcl_tensor,
        inputs_count: u32,
        options: *const netcl_elementwise_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Adds a vector along one axis: bias has rank 1 and the extent of that axis. Rounded once.
    /// run-\>into may share memory with both as for `netcl_op_expression`.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_bias_add(
        x: *mut netcl_tensor,
        bias: *mut netcl_tensor,
        axis: i32,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Copies a tensor to new C-order memory, or to run-\>into (same shape and dtype, any strides).
    /// Bit for bit. run-\>into may overlap the tensor in any way. A copy may go to another device:
    /// that of run-\>into, else of run-\>queue. It comes after what the calls before it do with the
    /// two tensors on their devices, and the call returns when the tensor has been read;
    /// run-\>event is of the device that the copy goes to. What other threads do meanwhile comes
    /// after it: calls that write the tensor, or use the one that it goes to, wait until the copy
    /// has returned. A tensor whose last write failed is LAUNCH_FAILURE, with run-\>into as it was.
    /// run-\>graph records no such copy: INVALID_ARGUMENT. `netcl_device_explain_copy` tells how it
    /// goes.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_copy(
        tensor: *mut netcl_tensor,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Gives the tensor itself (one more reference) when it is packed in C order, else a copy that
    /// is: the shape and the dtype stay.
    ///
    /// * `result`: one reference
    pub fn netcl_op_contiguous(
        tensor: *mut netcl_tensor,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Converts elements to another dtype, in the same shape. To a float: round to nearest even.
    /// Float to integer: towards zero, saturating, NaN to 0. Integer to integer: modulo 2^n. To
    /// bool: not equal to zero. The same bits on every device, but for the payload of a NaN.
    /// run-\>into may overlap the tensor in any way.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_cast(
        tensor: *mut netcl_tensor,
        dtype: netcl_dtype,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Sets every element of a tensor of any shape, strides and dtype to one value of its dtype.
    /// run-\>into must be NULL.
    pub fn netcl_op_fill(
        tensor: *mut netcl_tensor,
        value: *const c_void,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// Sets element i of a tensor, counted in C order, to start + i step, as ONNX Range.
    /// start_value and step_value are one element of the tensor's dtype each, which may be any but
    /// bool; any shape and strides. Integers: modulo 2^n. f32 and f64: rounded to nearest even
    /// once; f32 twice from element 2^24 on, first start + (i - i mod 2^24) step, then the sum with
    /// the rest. f16 and bf16: rounded from that f32. run-\>into must be NULL.
    pub fn netcl_op_range(
        tensor: *mut netcl_tensor,
        start_value: *const c_void,
        step_value: *const c_void,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// Sets each matrix of the last two dimensions of a tensor to 1 where the column is the row
    /// plus k, and to 0 elsewhere, as ONNX EyeLike. Any dtype and strides, rank 2 or more.
    /// run-\>into must be NULL.
    pub fn netcl_op_eye(
        tensor: *mut netcl_tensor,
        k: i64,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// Registers a primitive of formulas under a name of up to 127 bytes, for all devices and
    /// threads. options-\>forward is needed. INVALID_ARGUMENT when the name is taken
    /// (`netcl_primitive_unregister` comes first), or a formula is wrong: the message names the
    /// formula, the column and what was expected there.
    pub fn netcl_primitive_register(
        name: *const c_char,
        options: *const netcl_primitive_options,
    ) -> netcl_status;

    /// Registers a primitive whose result and gradients kernels give. The result has the shape and
    /// dtype of inputs\[0\], and a gradient those of its input; inputs may have any shapes and
    /// dtypes that the kernels take. The arguments of a kernel are the inputs in their order, for a
    /// gradient then `grad` and `out`, then the tensor that it writes, and the attributes as
    /// numbers of the parameters' types (f32 where the driver does not tell them). Tensors lie
    /// there without gaps in C order: others are copied. options-\>forward is NULL,
    /// options-\>backward_count 0 and options-\>arity 1 or more. The primitive keeps the kernels.
    /// Its calls are on their device, and no others are joined with them.
    pub fn netcl_primitive_register_kernels(
        name: *const c_char,
        kernels: *const netcl_primitive_kernels,
        options: *const netcl_primitive_options,
    ) -> netcl_status;

    /// Registers a primitive that a function of the host works out. What the function calls is
    /// recorded where the primitive is, and may be joined with other calls. With
    /// options-\>gives_gradients the function is asked for gradients too; else they are those of
    /// the calls that it makes for the result. With options-\>checkpoint in their place, the memory
    /// of those calls is not kept: the function is called again for gradients, for which all but
    /// the inputs is constant, and has to give the same again. options-\>forward is NULL and
    /// options-\>backward_count 0; arity 0 takes any number of inputs. A result that shares memory
    /// with an input is copied.
    ///
    /// * `user_data`: given to the function; destroy, when it is not NULL, is called with it once
    ///   no call can use it, also when this call fails
    pub fn netcl_primitive_register_function(
        name: *const c_char,
        function: netcl_primitive_fn,
        user_data: *mut c_void,
        destroy: netcl_destroy_fn,
        options: *const netcl_primitive_options,
    ) -> netcl_status;

    /// Removes a primitive. Calls that run end as they began. NOT_FOUND when there is none.
    pub fn netcl_primitive_unregister(name: *const c_char) -> netcl_status;

    /// Calls a primitive by its name: `netcl_op_expression` of its forward formula, with the same
    /// rules for shapes, dtypes and run-\>into; or its kernel or function, whose result is copied
    /// to run-\>into where that is set. NOT_FOUND naming what is registered. INVALID_ARGUMENT when
    /// the number of inputs does not fit the arity, an attribute is unknown, or one without a
    /// default is not set, and in a function or gradient function within 16 of primitives.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_primitive(
        name: *const c_char,
        inputs: *const *mut netcl_tensor,
        inputs_count: u32,
        options: *const netcl_primitive_call_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Gives the gradient of a primitive with respect to inputs\[input\], from the inputs of the
    /// call, `grad`, the gradient of what was made of its result, and `out`, its result. `out` may
    /// be NULL: a formula that names it then computes it again. Both have the shape that the inputs
    /// broadcast to. The gradient has the shape and dtype of the input: where the input was
    /// broadcast, it is summed, in f32 or for f64 in f64, rounded once. run-\>into may share memory
    /// with the other tensors in any way. UNSUPPORTED when the input has no float dtype; otherwise
    /// as `netcl_op_primitive`.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_primitive_gradient(
        name: *const c_char,
        inputs: *const *mut netcl_tensor,
        inputs_count: u32,
        input: u32,
        grad: *mut netcl_tensor,
        out: *mut netcl_tensor,
        options: *const netcl_primitive_call_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Matrix product as ONNX MatMul: result = epilogue(alpha \* a \* b + beta \* into). a is
    /// \[..., M, K\], b is \[..., K, N\], the leading dimensions broadcast; rank 1 is a row (a) or
    /// a column (b), whose dimension is dropped from the result. f32, f64, f16, bf16 of equal
    /// dtype; f16 and bf16 accumulate in f32 and round once; the result may be f32 then. Transposes
    /// are strides. beta = 0 does not read `into`. `into` must not share memory with a or b. Error
    /// per element: at most 2 K eps sum\|a\|\|b\| with eps of the accumulator (Higham, Accuracy and
    /// Stability, 3.5), plus the rounding to the result's dtype; an activation adds its own bound
    /// (docs/expressions.md).
    ///
    /// i8 and u8, each operand of either, give i32 as ONNX MatMulInteger 10 does: the sum over k of
    /// (a\[m, k\] - a_zero_point\[m\]) \* (b\[k, n\] - b_zero_point\[n\]), modulo 2^32, the same
    /// bits on every device. alpha and beta are whole numbers from -2^31 to 2^31 - 1 then
    /// (INVALID_ARGUMENT otherwise), bias and residual are i32, all modulo 2^32 too, and the
    /// activation is NONE or RELU (UNSUPPORTED otherwise). `into` must not share memory with a zero
    /// point. There is no gradient. Other integers are UNSUPPORTED.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_matmul(
        a: *mut netcl_tensor,
        b: *mut netcl_tensor,
        options: *const netcl_matmul_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Sums of products of tensors with a letter for each axis, as ONNX Einsum: "ij,jk-\>ik" is a
    /// product of matrices, "bhqd,bhkd-\>bhqk" a stack of them, "ij-\>ji" a transposition, "ii-\>i"
    /// a diagonal, "ij-\>" the sum of all elements. The equation has a term for each input, then
    /// "-\>" and that of the result; an axis whose letter the result lacks is summed over. Letters
    /// are a-z and A-Z, as many of them as the input has dimensions; "..." stands for the others,
    /// which line up from the last and are summed over as well where the result has none. Without
    /// "-\>" the result has "..." and then, in the order of the alphabet, capitals first, the
    /// letters that stand once. Axes of one letter have one extent, and one of 1 broadcasts. Blanks
    /// do not count. All inputs have one dtype, not bool, which is that of the result; integers
    /// wrap around. At most `NETCL_ARGS_MAX` inputs.
    ///
    /// Two inputs at a time are multiplied, first those whose product has the fewest elements:
    /// floats as by `netcl_op_matmul` with its bounds, integers elementwise and then summed. What
    /// is summed in one input alone is `netcl_op_reduce`. A graph records these calls, and
    /// gradients go to each input.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_einsum(
        equation: *const c_char,
        inputs: *const *mut netcl_tensor,
        inputs_count: u32,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Makes the source of a product specialised for m, n and k as a kernel specification:
    /// `name`(__global const T \*a, __global const T \*b, __global T \*c) over packed row-major
    /// matrices, to be launched with `netcl_kernel_launch`, edited, or read with
    /// `netcl_kernel_get_source`. `config` chooses variant and tiles, NULL leaves it to
    /// `netcl_variant_select_matmul`; its split_k is not used, since this is one launch. A matrix
    /// of more than 2^60 elements is INVALID_ARGUMENT. UNSUPPORTED on the built-in device, and for
    /// tiles that the device cannot hold.
    ///
    /// * `global`: the global size to launch with, 2 entries; its local size is in the kernel
    ///
    /// * `kernel`: one reference
    pub fn netcl_kernel_create_matmul(
        device: *mut netcl_device,
        name: *const c_char,
        m: i64,
        n: i64,
        k: i64,
        dtype: netcl_dtype,
        config: *const netcl_variant_config,
        global: *mut u64,
        kernel: *mut *mut netcl_kernel,
    ) -> netcl_status;

    /// 2-d convolution as ONNX Conv: x is \[N, C, H, W\], w is \[F, C / groups, KH, KW\], the
    /// result \[N, F, OH, OW\] with OH = (H + top + bottom - dilation (KH - 1) - 1) / stride + 1,
    /// at least 1. Strides and dilations are 1 to 2^31 - 1, padding 0 to 2^31 - 1, and groups
    /// divides C and F. NHWC data is a permuted view; a new result has its channels innermost in
    /// memory when x has. f32, f64, f16 and bf16 of equal dtype. Error per element: at most 2 K eps
    /// sum\|x\|\|w\| with K = C / groups KH KW and eps of the accumulator; Winograd variants (Lavin
    /// and Gray, 2015) at most 16 (F(2,3)) and 128 (F(4,3)) times eps max\|x\| sum\|w\| sqrt(K).
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_conv2d(
        x: *mut netcl_tensor,
        w: *mut netcl_tensor,
        options: *const netcl_conv2d_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Product with quantised weights: result = epilogue(x \* W^T). x is \[..., M, K\] or \[K\],
    /// f32, f16 or bf16, by any strides; the result is \[..., M, N\] or \[N\]. weights is u8, \[N,
    /// blocks, bytes of a block\] or \[N, bytes of a row\]; weights, scales and zero points that
    /// are not in C order, or whose first byte is at no multiple of 4, are copied first. Each
    /// element of W is rounded once to f32 (with zero points of the scales' dtype the difference
    /// is, too), and sums are f32. Few rows of x read the weights once, without W in memory; for
    /// many, on GPUs more than 16, W is made in temporary memory, there in x's dtype. Error per
    /// element: at most 2 K eps sum\|x\|\|W\| with eps of f32, of f16 and bf16 eps of x's dtype
    /// sum\|x\|\|W\| more, plus the rounding to the result's dtype; an element of W beyond what f16
    /// holds may be infinite for x of f16. `into` must not share memory with x, weights, scales or
    /// zero points. There is a gradient of x, bias and residual, and none of scales and zero
    /// points.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_matmul_quantized(
        x: *mut netcl_tensor,
        weights: *mut netcl_tensor,
        options: *const netcl_quantized_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// The weights W as a matrix \[N, K\], rounded to f32 as there and then to the result's dtype.
    /// weights as in `netcl_op_matmul_quantized`. There is no gradient.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_dequantize_weights(
        weights: *mut netcl_tensor,
        options: *const netcl_quantized_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Quantises a matrix w of \[N, K\], K from 1 on, of f32, f16 or bf16. run-\>into and the
    /// result `weights` are u8 \[N, blocks, bytes of a block\]. Each code is the nearest that there
    /// is, but for roundings of f32 where two are as near. Scales of NBITS: the number of largest
    /// magnitude in the block / -2^(bits - 1), as in Q4_0; with zero points (the largest - the
    /// least) / (2^bits - 1), where 0 counts as one of the numbers. Q8_0: the largest magnitude /
    /// 127\. Q4_K: S and M are the nearest to (the largest - the least) / 15 / d and to minus the
    /// least / m, as if 0 were among the 32 numbers, with d and m the largest such quotient / 63
    /// and the largest such number / 63. Scales are rounded to their dtype first. K is a multiple
    /// of 32 for Q4_0 and Q8_0 and of 256 for Q4_K; of NBITS codes beyond K are those of 0.
    /// options-\>k is 0 or K. Blocks with numbers that are not finite, or scales that are neither
    /// normal numbers nor 0, get any codes. There is no gradient.
    ///
    /// * `weights`: one reference; may be NULL when run-\>into is set
    ///
    /// * `scales`: one reference to \[N, blocks\], NULL when the format is not NBITS
    ///
    /// * `zero_points`: one reference to u8 \[N, ceil(blocks bits / 8)\], NULL when
    ///   options-\>has_zero_points is 0
    pub fn netcl_op_quantize_weights(
        w: *mut netcl_tensor,
        options: *const netcl_quantized_options,
        run: *const netcl_run_options,
        weights: *mut *mut netcl_tensor,
        scales: *mut *mut netcl_tensor,
        zero_points: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Scaled dot-product attention: result\[b, h, m\] = sum over n of p\[n\] v\[b, g, n\] with p =
    /// softmax of scale \* (q\[b, h, m\] . k\[b, g, n\]) over the keys that query m sees. q is \[B,
    /// H, M, D\], k is \[B, G, N, D\], v is \[B, G, N, E\], the result \[B, H, M, E\]; G divides H,
    /// and head h uses g = h / (H / G). D and E are 1 to 256 (UNSUPPORTED beyond). Views by any
    /// strides, so \[B, M, H, D\] is a transposed one. f16, bf16, f32, f64 of equal dtype; f16 and
    /// bf16 are computed in f32 and rounded once, but for the p\[n\] on matrix units (see
    /// `netcl_matrix_units`), which are rounded to the dtype. They are used where they can be,
    /// unless options-\>variant is `NETCL_VARIANT_ATTENTION_PORTABLE`, and take f16 and bf16
    /// without bias, mask, pages and softcap, of 64 keys and more, with a scale above 0, D and E
    /// multiples of 8, and neighbours along these and all else of q, k and v at multiples of 16
    /// bytes. The scores of all pairs are never in memory. The second result is log sum exp of each
    /// row's scores, \[B, H, M\], f32 (f64 for f64). A query that sees no key has the result 0 and
    /// the log-sum-exp -inf. A key that is not seen has no influence, whatever k and v hold there.
    ///
    /// Query m stands at key position + m. By default position is N - M, or of each sequence its
    /// keys less its queries, as in FlashAttention from 2.1 on; 0 is the is_causal of PyTorch and
    /// of ONNX Attention 23 without a past, the length of the past is that of ONNX with one. A
    /// window is counted from there, and causal is window_after 0.
    ///
    /// A sequence with lengths has the first of its queries and keys; further queries have the
    /// result 0 and -inf, further keys are not read. With block_table k is \[pages, G, S, D\], v is
    /// \[pages, G, S, E\], N is P S, and key n of sequence b is row n % S of page block_table\[b, n
    /// / S\]. A sequence with a length out of range, or with a page out of range among those of its
    /// keys, is found on the device: all its results are NaN, and none of its keys is read.
    ///
    /// The bits of the result are the same on every repetition, and on CPUs for any number of
    /// threads. Error per element: at most ((4 D + 32) A + 2 N + 32) eps max\|v\|, A the largest
    /// \|scale\| sum\|q\|\|k\| + \|bias\| + 1 of the row, plus the rounding, where the sums do not
    /// overflow; on matrix units (2^-11 + 2^-33 N) max\|v\| more of f16 and 2^-8 max\|v\| of bf16,
    /// and a v that is not finite makes the result NaN where its p rounds to 0. `into` and lse_into
    /// must not share memory with another tensor. The gradient has all scores in memory, wants keys
    /// that are finite where they are not seen too, and there is none with lengths.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    ///
    /// * `lse`: one reference; may be NULL when it is not wanted
    pub fn netcl_op_attention(
        q: *mut netcl_tensor,
        k: *mut netcl_tensor,
        v: *mut netcl_tensor,
        options: *const netcl_attention_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
        lse: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Rotary position embedding (Su et al., 2021) as ONNX RotaryEmbedding 23: each pair (a, b) of
    /// a head becomes (a cos - b sin, b cos + a sin). x is \[B, H, S, D\], or \[B, S, H D\] with
    /// num_heads. cos_cache and sin_cache are alike, of x's dtype or f32: \[P, R / 2\] with
    /// position_ids, else \[B, S, R / 2\]. Any strides. f16, bf16, f32, f64; f16 and bf16 are
    /// computed in f32. Each product and each sum is rounded by itself: the same bits on every
    /// device, off by at most 2 eps (\|a cos\| + \|b sin\|) plus the rounding to the dtype.
    /// docs/attention.md makes the caches.
    ///
    /// Positions are 0 to P - 1; negative ones do not count from the end. A token with one out of
    /// range is found on the device: all its results are NaN, and no row is read for it.
    ///
    /// run-\>into may be x when layouts are the same. The gradient is that of x; there is none of
    /// the caches.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_rotary_embedding(
        x: *mut netcl_tensor,
        cos_cache: *mut netcl_tensor,
        sin_cache: *mut netcl_tensor,
        options: *const netcl_rotary_embedding_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Reduces over axes, as ReduceSum ... ReduceLogSumExp, ArgMax and ArgMin of ONNX. The result
    /// lacks the reduced axes; with options-\>keepdims they stay with extent 1. Floats keep their
    /// dtype, f16 and bf16 summed in f32. Integers and bool: SUM, PROD, L1 and SUM_SQUARE wrap
    /// around in the result's dtype (bool: i64), MAX and MIN keep x's, MEAN, L2, LOG_SUM and
    /// LOG_SUM_EXP give f32. Another dtype of the result is asked for with options-\>dtype and is
    /// what sums are kept in; MAX and MIN are converted to it at the end, as by `netcl_op_cast`.
    /// ARGMAX and ARGMIN take one axis, or all with the index in C order. Over no elements: SUM,
    /// L1, L2, SUM_SQUARE 0; PROD 1; MEAN NaN; LOG_SUM, LOG_SUM_EXP -inf; MAX and MIN the lowest
    /// and highest value (floats: -inf, +inf); ANY 0, ALL 1; ARGMAX and ARGMIN INVALID_ARGUMENT.
    /// NaN wins in MAX and MIN, which are exact. Sums add up blocks of at most 64 elements per
    /// accumulator, then the blocks with what rounding takes away (compensated; Higham 4.3). Error
    /// of SUM, L1 and SUM_SQUARE: at most (log2 n + 64) eps times the sum of absolute values; MEAN
    /// that over n; PROD n eps relative, 2 n eps when x is wider than what products are kept in; L2
    /// and LOG_SUM what their sum's error comes to, plus 4 eps relative and, for LOG_SUM, eps;
    /// LOG_SUM_EXP (log2 n + 224 + 4 \|max x\|) eps. The rounding to the result's dtype comes on
    /// top. The order of terms and factors is not fixed: where a part of a PROD with a float result
    /// is out of its range, also one of integers, the result may be 0, infinite or NaN (infinity
    /// times 0), and where a part of a sum is, infinite or NaN, though the whole is in range.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_reduce(
        x: *mut netcl_tensor,
        kind: netcl_reduction,
        options: *const netcl_reduce_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Running SUM, PROD, MAX or MIN along an axis, as ONNX CumSum: y\[i\] = x\[0\] + ... + x\[i\]
    /// for SUM, or from the other end. The result has the shape of x. dtype as x, f16 and bf16 kept
    /// in f32 on the way; integers wrap around; bool is UNSUPPORTED. Error of sums at i: at most
    /// (log2 n + 64) eps of the running sum\|x\|; PROD n eps relative; as in `netcl_op_reduce`
    /// parts that are out of range may make them infinite or NaN. MAX and MIN are exact, NaN wins.
    /// run-\>into may be x when layouts are the same.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_scan(
        x: *mut netcl_tensor,
        kind: netcl_reduction,
        axis: i32,
        options: *const netcl_scan_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Counts elements of a tensor of any shape and dtype in `bins` (1 or more) equal bins from low
    /// to high, which are finite with low \< high: i64 of \[bins\], exact. Elements outside and NaN
    /// are not counted. With low = high = 0 the range is that of the finite elements, and one
    /// element value v alone gives \[v - 0.5, v + 0.5\]. Bin i is \[low + i w, low + (i + 1) w),
    /// computed in f64, or in f32 on a device without fp64.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_histogram(
        x: *mut netcl_tensor,
        bins: i64,
        options: *const netcl_histogram_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// The k largest elements along an axis, as ONNX TopK: sorted, the lower index first among
    /// equals, NaN largest; with their indices. values have x's dtype, which may be any, and
    /// indices are i64. Both have x's shape with k along the axis. k is 0, for empty results, up to
    /// the extent of the axis, which sorts it.
    ///
    /// * `values`: one reference; may be NULL when run-\>into is set
    ///
    /// * `indices`: one reference; may be NULL when they are not wanted
    pub fn netcl_op_topk(
        x: *mut netcl_tensor,
        k: i64,
        axis: i32,
        options: *const netcl_topk_options,
        run: *const netcl_run_options,
        values: *mut *mut netcl_tensor,
        indices: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// exp(x - m) / sum exp(x - m) along an axis, m the maximum: ONNX Softmax. Floats. The result
    /// has x's shape and dtype. Error: (8 + log2 n) ULP plus 2 \|x - m\| eps relative. A row with
    /// NaN or +inf is NaN, a row of -inf is NaN. run-\>into may be x when layouts are the same.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_softmax(
        x: *mut netcl_tensor,
        axis: i32,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// x - m - log sum exp(x - m) along an axis: ONNX LogSoftmax. The result has x's shape. Error:
    /// 8 eps (\|x - m\| + log n + 1). Else as `netcl_op_softmax`.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_log_softmax(
        x: *mut netcl_tensor,
        axis: i32,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// (x - mean) / sqrt(variance + epsilon) \* scale + bias over the axes from `axis` on, as ONNX
    /// LayerNormalization. The variance is that of the population, from the centred values. Floats;
    /// scale and bias have x's dtype or f32. The result has x's shape, scale and bias that of those
    /// axes. Error: (32 + log2 n) eps (\|y - bias\| + \|scale\| max\|x\| / deviation) plus the
    /// rounding, while sums and squares stay in the range of the type computed in. run-\>into may
    /// be x when layouts are the same.
    ///
    /// options-\>mean_into and inverse_deviation_into get the statistics, the second and third
    /// result of LayerNormalization: of x's shape with extents of 1 from `axis` on, f32, or f64 of
    /// f64, NaN where a row has no elements. They share no memory with another tensor of the call.
    /// Error: (32 + log2 n) eps max\|x\| of the mean, and (32 + log2 n) eps (1 + max\|x\| /
    /// deviation) relative of the other.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_layernorm(
        x: *mut netcl_tensor,
        axis: i32,
        options: *const netcl_norm_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// x / sqrt(mean(x^2) + epsilon) \* scale over the axes from `axis` on (Zhang and Sennrich,
    /// 2019). The result has x's shape, scale that of those axes. Error: (32 + log2 n) eps
    /// relative, also of options-\>inverse_deviation_into; mean_into is INVALID_ARGUMENT. Else as
    /// `netcl_op_layernorm`.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_rmsnorm(
        x: *mut netcl_tensor,
        axis: i32,
        options: *const netcl_norm_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Batch normalisation as ONNX BatchNormalization: x is \[N, C, ...\] of rank 2 or more, mean
    /// and variance are \[C\]. In training the batch's own mean and population variance are used,
    /// and the tensors `mean` and `variance` become old \* momentum + batch \* (1 - momentum); they
    /// share no memory with another tensor of the call then, and an empty batch leaves them as they
    /// are. Parameters have x's dtype or f32. Error as `netcl_op_layernorm`. run-\>into may be x
    /// when layouts are the same.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_batchnorm(
        x: *mut netcl_tensor,
        mean: *mut netcl_tensor,
        variance: *mut netcl_tensor,
        options: *const netcl_batchnorm_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Pooling over one to three axes of space, x being \[N, C, ...\], as ONNX MaxPool, AveragePool
    /// and LpPool, and their Global forms. Windows, strides and dilations are 1 to 2^31 - 1,
    /// padding 0 to 2^31 - 1, and a window spans no more than x and its padding: (window - 1)
    /// dilation + 1 elements. MAX: floats and integers, exact, NaN wins, padding never does.
    /// AVERAGE: floats, error as `netcl_op_reduce`; cells beyond the padding do not count. LP:
    /// floats, padding counts as 0; error: (128 + log2 n) (1 + 1 / p) eps relative of n elements
    /// plus the rounding, while powers and sums stay in the range of f32, or f64 of f64; its
    /// gradient is 0 where all of a window is. A window over padding alone gives the lowest value
    /// (MAX), NaN (AVERAGE), or 0 (LP, and AVERAGE with count_include_pad). With ceil_mode, windows
    /// that begin behind x and its front padding are left out.
    ///
    /// options-\>indices_into, i64 of the result's shape, gets which element of x each maximum is,
    /// as the second result of MaxPool: of equal ones the first in its window, in C order, NaN
    /// being the largest. Elements are counted in C order over all of x, with column_major (ONNX:
    /// storage_order 1) the first axis of space being the fastest within a plane. -1 stands for a
    /// window over padding alone. It shares no memory with another tensor of the call.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_pool(
        x: *mut netcl_tensor,
        kind: netcl_pooling,
        options: *const netcl_pooling_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Puts the elements of x, \[N, C, OH, OW\] of any dtype, to their indices in zeros of \[N, C,
    /// height, width\], as ONNX MaxUnpool: what `netcl_op_pool` with indices_into took apart.
    /// indices are i64 or i32 of x's shape and count as there; one that is negative or beyond the
    /// result is left out, and of equal ones the last in C order wins. height and width are 0 to
    /// 2^31 - 1. Exact. `into` shares no memory with x or indices. The gradient is that of x.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_max_unpool2d(
        x: *mut netcl_tensor,
        indices: *mut netcl_tensor,
        height: i64,
        width: i64,
        options: *const netcl_max_unpool2d_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Cuts regions of images into bins and gives one number for each, as ONNX RoiAlign and
    /// MaxRoiPool: \[R, C, rows, columns\] of x \[N, C, H, W\], which is of floats. rois \[R, 4\],
    /// f32 or f64, has the left, upper, right and lower end of each region; images \[R\], i32 or
    /// i64, the image that it is of. A region of an image that there is not gives 0, as does a bin
    /// without samples or elements. Samples lie between elements and are weighed linearly, in f32,
    /// or f64 where x is f64; their places have the precision of rois. Those more than an element
    /// outside of the image count as 0, others as at its edge. MAX rounds the ends to elements and
    /// a bin outwards, and is exact; error of the others as `netcl_op_reduce` over the elements
    /// that have weight.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_roi_pool(
        x: *mut netcl_tensor,
        rois: *mut netcl_tensor,
        images: *mut netcl_tensor,
        kind: netcl_roi_pooling,
        options: *const netcl_roi_pool_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// round(x / scale) + zero_point, saturated: ONNX QuantizeLinear 25 with results of 8 and 16
    /// bits. x is f32, f16, bf16 or i32; scale is f32, f16, bf16, or i32 for an x of i32, which
    /// then is divided exactly. The shape of scale says what shares one: with one element (any
    /// rank) it holds for all of x, and `axis` is not looked at; \[D\] gives each of the D places
    /// along the axis its own; with blocks it is x's shape but for ceil(D / block_size) places
    /// along the axis, and the rank of x is at most 7 (UNSUPPORTED beyond). The result is a
    /// constant to gradients.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_quantize_linear(
        x: *mut netcl_tensor,
        scale: *mut netcl_tensor,
        axis: i32,
        options: *const netcl_quantize_linear_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// (x - zero_point) \* scale as ONNX DequantizeLinear 25: x is i8, u8, i16, u16 or i32, scale
    /// f32, f16 or bf16, with shapes as for `netcl_op_quantize_linear`. The difference is exact,
    /// then rounded to f32; the product is rounded to f32 and then to the result's dtype. The
    /// gradient is that of scale, without blocks; x and zero_point are constants to it, whatever
    /// they were made of, as all integers are.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_dequantize_linear(
        x: *mut netcl_tensor,
        scale: *mut netcl_tensor,
        axis: i32,
        options: *const netcl_dequantize_linear_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Quantises f32 to u8 by the range of its elements, as ONNX DynamicQuantizeLinear 11, all on
    /// the device: with low = min(x, 0) and high = max(x, 0) the scale is (high - low) / 255, or 1
    /// where that range is 0 (also of no elements), the zero point round(0 - low / scale) within 0
    /// to 255, and the result that of `netcl_op_quantize_linear`, in x's shape. All are rounded in
    /// f32. A NaN in x makes the scale NaN and all else 0. There is no gradient.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    ///
    /// * `scale`: one reference, f32 of rank 0; may be NULL when it is not wanted
    ///
    /// * `zero_point`: one reference, u8 of rank 0; may be NULL when it is not wanted
    pub fn netcl_op_dynamic_quantize_linear(
        x: *mut netcl_tensor,
        options: *const netcl_dynamic_quantize_linear_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
        scale: *mut *mut netcl_tensor,
        zero_point: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Product of quantised matrices, quantised again, as ONNX QLinearMatMul 21: the i32 sums of
    /// `netcl_op_matmul` with zero points, converted to f32, times (a_scale \* b_scale) / y_scale;
    /// then rounded, the zero point added, saturated. Each step is rounded in f32, whose order is
    /// that of ONNX Runtime. a is \[..., M, K\] and b \[..., K, N\]. They are i8 or u8, each of
    /// either. Scales are f32, f16 or bf16, of the shapes that the zero points of their operand may
    /// have; y_scale has one element. There is no gradient.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_qlinear_matmul(
        a: *mut netcl_tensor,
        a_scale: *mut netcl_tensor,
        b: *mut netcl_tensor,
        b_scale: *mut netcl_tensor,
        y_scale: *mut netcl_tensor,
        options: *const netcl_qlinear_matmul_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// 2-d convolution of integers as ONNX ConvInteger 10: x and w are i8 or u8, each of either,
    /// with shapes and limits as for `netcl_op_conv2d`. The result is i32: the sums of (x -
    /// x_zero_point) \* (w - w_zero_point) modulo 2^32, in which padding adds nothing. Windows, and
    /// images with padding, are laid out in memory, up to 64 MiB or one image at a time. There is
    /// no gradient.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_conv2d_integer(
        x: *mut netcl_tensor,
        w: *mut netcl_tensor,
        options: *const netcl_conv2d_integer_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Convolution of quantised images, quantised again, as ONNX QLinearConv 10: the sums of
    /// `netcl_op_conv2d_integer` and the bias, modulo 2^32, then as `netcl_op_qlinear_matmul` with
    /// x_scale and w_scale. x_scale and y_scale have one element, w_scale one or \[F\]; f32, f16 or
    /// bf16. There is no gradient.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_qlinear_conv2d(
        x: *mut netcl_tensor,
        x_scale: *mut netcl_tensor,
        w: *mut netcl_tensor,
        w_scale: *mut netcl_tensor,
        y_scale: *mut netcl_tensor,
        options: *const netcl_qlinear_conv2d_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Softmax cross entropy, as ONNX SoftmaxCrossEntropyLoss: -w\[label\] log softmax(x)\[label\]
    /// along `axis`, which has C classes, in one pass over x. The log-probabilities are not kept;
    /// they are those of `netcl_op_log_softmax`. labels is i32 or i64, in x's shape without that
    /// axis. A label that is ignored has the loss 0 and the weight 0, whatever its scores are.
    /// Other labels are 0 to C - 1: one out of range has the loss NaN, and so have sum and mean;
    /// negative ones do not count from the end. The loss has the shape of labels, or rank 0 for a
    /// sum or mean. Floats; f16 and bf16 are computed and summed in f32. Error of a loss: at most 8
    /// eps \|w\| (\|x\[label\] - m\| + log C + 1), m the maximum, plus the rounding; of sum and
    /// mean that of `netcl_op_reduce` on top.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_cross_entropy(
        x: *mut netcl_tensor,
        labels: *mut netcl_tensor,
        axis: i32,
        options: *const netcl_loss_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// The same of log-probabilities, as ONNX NegativeLogLikelihoodLoss: -w\[label\] x\[label\].
    /// Error of a loss: one rounding of the product, and that to the dtype.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_nll_loss(
        x: *mut netcl_tensor,
        labels: *mut netcl_tensor,
        axis: i32,
        options: *const netcl_loss_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Stochastic gradient descent: g += weight_decay p; b = momentum b + (1 - dampening) g, in the
    /// first step b = g; p -= learning_rate b, or with nesterov p -= learning_rate (g + momentum
    /// b). Without momentum p -= learning_rate g.
    pub fn netcl_op_sgd(
        parameters: *const *mut netcl_tensor,
        parameters_count: u32,
        gradients: *const *mut netcl_tensor,
        gradients_count: u32,
        learning_rate: f64,
        options: *const netcl_sgd_options,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// Adam: g += weight_decay p, or when it is decoupled p -= learning_rate weight_decay p; m +=
    /// (1 - beta1) (g - m); v = beta2 v + (1 - beta2) g^2; with t steps done, this one included, p
    /// -= learning_rate / (1 - beta1^t) m / (sqrt(v / (1 - beta2^t)) + epsilon). `averages` are m,
    /// `square_averages` v; both begin as zeros.
    ///
    /// * `step`: i64, one element, at first 0: the op counts the steps in it
    pub fn netcl_op_adam(
        parameters: *const *mut netcl_tensor,
        parameters_count: u32,
        gradients: *const *mut netcl_tensor,
        gradients_count: u32,
        averages: *const *mut netcl_tensor,
        averages_count: u32,
        square_averages: *const *mut netcl_tensor,
        square_averages_count: u32,
        step: *mut netcl_tensor,
        learning_rate: f64,
        options: *const netcl_adam_options,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// RMSprop: g += weight_decay p; v = alpha v + (1 - alpha) g^2; d = sqrt(v) + epsilon, or with
    /// averages m += (1 - alpha) (g - m) and d = sqrt(v - m^2) + epsilon, where a difference below
    /// 0 counts as 0; p -= learning_rate g / d, or with momentum b = momentum b + g / d and p -=
    /// learning_rate b. `square_averages` are v.
    pub fn netcl_op_rmsprop(
        parameters: *const *mut netcl_tensor,
        parameters_count: u32,
        gradients: *const *mut netcl_tensor,
        gradients_count: u32,
        square_averages: *const *mut netcl_tensor,
        square_averages_count: u32,
        learning_rate: f64,
        options: *const netcl_rmsprop_options,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// Adagrad: g += weight_decay p; s += g^2; with t steps done before this one, p -=
    /// learning_rate / (1 + t learning_rate_decay) g / (sqrt(s) + epsilon). `sums` are s, which may
    /// begin above 0.
    pub fn netcl_op_adagrad(
        parameters: *const *mut netcl_tensor,
        parameters_count: u32,
        gradients: *const *mut netcl_tensor,
        gradients_count: u32,
        sums: *const *mut netcl_tensor,
        sums_count: u32,
        learning_rate: f64,
        options: *const netcl_adagrad_options,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// Clips gradients, of any shapes, in place: with n the Euclidean norm of all elements of all
    /// tensors, each is multiplied by min(1, max_norm / (n + 1e-6)). With an infinite n finite
    /// elements become 0 and infinite ones NaN; with a NaN all become NaN. n has no overflow on the
    /// way; its error is at most (log2 of the elements + 128) eps n. It is the result: rank 0, f32,
    /// or f64 where the tensors are, which then all are.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_clip_by_norm(
        tensors: *const *mut netcl_tensor,
        tensors_count: u32,
        max_norm: f64,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Prepares the gradients of a scaled loss, in tensors of any shapes: found_inf becomes 1 when
    /// an element of a tensor is infinite or NaN, else 0; with a scale, an f32 tensor of one
    /// element, all elements are multiplied by 1 / scale in place. found_inf is f32, one element.
    ///
    /// * `scale`: may be NULL: the tensors are only read
    pub fn netcl_op_unscale(
        tensors: *const *mut netcl_tensor,
        tensors_count: u32,
        scale: *mut netcl_tensor,
        found_inf: *mut netcl_tensor,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// The scale of the next loss, as torch.amp.GradScaler.update: where found_inf is not 0, scale
    /// is multiplied by backoff_factor and tracker becomes 0; else 1 is added to tracker, and when
    /// that makes growth_interval it becomes 0 and scale is multiplied by growth_factor, unless it
    /// would be infinite. scale and found_inf are f32, tracker is i64, of one element each.
    pub fn netcl_op_update_loss_scale(
        scale: *mut netcl_tensor,
        tracker: *mut netcl_tensor,
        found_inf: *mut netcl_tensor,
        options: *const netcl_loss_scale_options,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// Copies with the dimensions in another order, as ONNX Transpose; axes_count 0 turns them
    /// round. Extent i of the result is x's extent axes\[i\]. The view without a copy is
    /// `netcl_tensor_permute`.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_transpose(
        x: *mut netcl_tensor,
        axes: *const u32,
        axes_count: u32,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Joins tensors of one dtype along an axis, as ONNX Concat; the other extents are equal.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_concat(
        inputs: *const *mut netcl_tensor,
        inputs_count: u32,
        axis: i32,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Views the parts of a tensor along an axis, as ONNX Split; sizes add up to its extent. Copies
    /// nothing.
    ///
    /// * `views`: one reference each, sizes_count entries
    pub fn netcl_tensor_split(
        x: *mut netcl_tensor,
        axis: i32,
        sizes: *const i64,
        sizes_count: u32,
        views: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Adds elements around a tensor, as ONNX Pad: pads has the begin of every axis, then the end
    /// of every axis (2 rank entries). Negative ones take away, before anything is added.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_pad(
        x: *mut netcl_tensor,
        pads: *const i64,
        pads_count: u32,
        options: *const netcl_pad_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Repeats a tensor along its axes, as ONNX Tile: axis d of the result has repeats\[d\] times
    /// the extent of x, 0 or more; repeats has an entry for each axis. Any dtype, bit for bit. A
    /// tensor that is repeated along axes of extent 1 alone can be viewed:
    /// `netcl_tensor_broadcast`.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_tile(
        x: *mut netcl_tensor,
        repeats: *const i64,
        repeats_count: u32,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Copies a triangle of each matrix of the last two dimensions, with zeros in place of the
    /// rest, as ONNX Trilu: the elements whose column is the row plus k or more, or with upper 0
    /// the row plus k or less. Any dtype, bit for bit, rank 2 or more. run-\>into may be x itself.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_trilu(
        x: *mut netcl_tensor,
        upper: u32,
        k: i64,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Picks slices along an axis, as ONNX Gather: the result has indices' shape in place of that
    /// axis. indices is i32 or i64; negative ones count from the end; one out of range gives zeros.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_gather(
        x: *mut netcl_tensor,
        indices: *mut netcl_tensor,
        axis: i32,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Picks elements along an axis, as ONNX GatherElements: the result has indices' shape, whose
    /// other extents are at most x's. Indices as for `netcl_op_gather`.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_gather_elements(
        x: *mut netcl_tensor,
        indices: *mut netcl_tensor,
        axis: i32,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Looks rows of weights \[V, D\] up: `netcl_op_gather` along axis 0 of a matrix.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_embedding(
        weights: *mut netcl_tensor,
        indices: *mut netcl_tensor,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Gives each index a line of depth elements along an axis of the result, as ONNX OneHot:
    /// on_value at the place that the index is, off_value elsewhere. The result has the shape of
    /// indices with depth put in before dimension axis, which is one of the result: -1 is behind
    /// the last. indices are integers of any dtype; negative ones count from the end; one out of
    /// range gives a line of off_value. The values are one element of dtype each. Any dtype, bit
    /// for bit.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_one_hot(
        indices: *mut netcl_tensor,
        depth: i64,
        axis: i32,
        dtype: netcl_dtype,
        on_value: *const c_void,
        off_value: *const c_void,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Writes updates into a copy of x at indices along an axis, as ONNX ScatterElements, or adds
    /// or multiplies them, each result rounded by itself (f16 and bf16: kept in f32, rounded at the
    /// end), or keeps the extreme; updates and indices have one shape, whose other extents are at
    /// most x's. Indices as for `netcl_op_gather`; one out of range is left out. run-\>into may be
    /// x itself: then nothing is copied.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_scatter(
        x: *mut netcl_tensor,
        indices: *mut netcl_tensor,
        updates: *mut netcl_tensor,
        axis: i32,
        options: *const netcl_scatter_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Picks slices at places of several dimensions, as ONNX GatherND: a line along the last
    /// dimension of indices, n of them, is a place in dimensions batch_dims to batch_dims + n - 1
    /// of x, with n 1 or more. Before them x and indices have the same extents, along which both
    /// are gone over together. The result has the shape of indices without the last dimension, then
    /// what is left of x's. Indices as for `netcl_op_gather`; a place with one out of range gives
    /// zeros.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_gather_nd(
        x: *mut netcl_tensor,
        indices: *mut netcl_tensor,
        batch_dims: u32,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Writes updates into a copy of x at places of several dimensions, as ONNX ScatterND
    /// (batch_dims 0), or combines them with what is there, in the order and with the rounding of
    /// `netcl_op_scatter`. indices and batch_dims as for `netcl_op_gather_nd`, whose result has the
    /// shape of updates; a place with an index out of range is left out. run-\>into may be x
    /// itself.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_scatter_nd(
        x: *mut netcl_tensor,
        indices: *mut netcl_tensor,
        updates: *mut netcl_tensor,
        batch_dims: u32,
        options: *const netcl_scatter_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Spreads channels over space, as ONNX DepthToSpace: x is \[N, C B, ...\] with one to three
    /// dimensions of space, each of which becomes `block` times as long, 1 or more; B is `block` to
    /// the power of their number, the elements of a block, counted in C order. The result is \[N,
    /// C, ...\].
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_depth_to_space(
        x: *mut netcl_tensor,
        block: i64,
        order: netcl_depth_order,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Gathers blocks of space into channels, as ONNX SpaceToDepth: what `netcl_op_depth_to_space`
    /// did is undone. The extents of space are multiples of `block`.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_space_to_depth(
        x: *mut netcl_tensor,
        block: i64,
        order: netcl_depth_order,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Resizes a tensor to another shape of the same rank, as ONNX Resize. All dtypes. Coordinates
    /// and weights are those of the scale of an axis, whatever its extent, computed in f64. An
    /// extent of -1 is floor(in scale), or floor(in (end - start) scale) under TF_CROP_AND_RESIZE;
    /// scales are needed for it. NEAREST moves elements. LINEAR and CUBIC weigh axis after axis in
    /// f32 (f64 for f64), but for axes that stay as they are; error, beside that of the weights, at
    /// most 2 n eps A max\|x\|, with n the sum over the axes of 2 plus the largest number of
    /// elements with a weight, A the product over the axes of the largest sum of \|weights\|, plus
    /// the rounding. What is weighed and extrapolation_value round to nearest even, and are bounded
    /// by the dtype of integers and bool (0 and 1). Elements with a weight of 0 do not count, not
    /// even infinite ones. More than 2^26 weights along an axis, of CUBIC or with antialias, are
    /// UNSUPPORTED.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_op_resize(
        x: *mut netcl_tensor,
        rank: u32,
        shape: *const i64,
        options: *const netcl_resize_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Makes an empty graph that records calls on a device. Calls that a capture records are
    /// checked, and do not run: their results have shapes and no content, views can be made of
    /// them, and calls of the same graph can read and write them until it is cleared; whatever else
    /// would read or write their content is INVALID_ARGUMENT. run-\>waits and run-\>event are
    /// refused there. `netcl_graph_compile` makes a capture ready to run.
    ///
    /// * `graph`: one reference
    pub fn netcl_graph_create(
        device: *mut netcl_device,
        options: *const netcl_graph_options,
        graph: *mut *mut netcl_graph,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_graph_retain(graph: *mut netcl_graph) -> netcl_status;

    /// Drops a reference; the last one frees the graph. Harmless during calls on it. NULL: nothing.
    pub fn netcl_graph_release(graph: *mut netcl_graph);

    /// Forgets all calls, and lets go of their tensors. A graph made from a function drops its
    /// forms; runs that have begun end as they began.
    pub fn netcl_graph_clear(graph: *mut netcl_graph) -> netcl_status;

    /// Makes a graph that is run with inputs of any number, dtypes and shapes. For inputs that are
    /// new in these, `netcl_graph_run`, `netcl_graph_evaluate` and `netcl_graph_compile` call the
    /// function, which records its calls into a capture, and compile that as `netcl_graph_compile`
    /// does: this is a form of the graph. Forms are kept, and the one whose use lies back farthest
    /// goes where there are more than options-\>forms_most. Inputs without gaps in another order of
    /// dimensions than C order, such as column-major ones, have a form of their own; all others are
    /// copied to C order where they do not lie so. Of several threads with the same new inputs one
    /// compiles and the others wait for it, and get its failure where it fails; those whose form is
    /// there wait for nobody.
    ///
    /// Tensors that the function takes from elsewhere, such as parameters, are kept by the form,
    /// and read and written by each run; numbers are as they were recorded. `netcl_graph_clear`
    /// makes the function record again. Calls are recorded in the graph that the function gets:
    /// run-\>graph and `netcl_graph_add_gradients` refuse this one with INVALID_ARGUMENT.
    ///
    /// * `outputs`: how many outputs the function gives, up to `NETCL_LIST_MAX`
    ///
    /// * `user_data`: given to the function; destroy, when it is not NULL, is called with it once
    ///   no call can use it, also when this call fails
    ///
    /// * `graph`: one reference
    pub fn netcl_graph_create_from_function(
        device: *mut netcl_device,
        function: netcl_graph_fn,
        user_data: *mut c_void,
        destroy: netcl_destroy_fn,
        outputs: u32,
        options: *const netcl_graph_function_options,
        graph: *mut *mut netcl_graph,
    ) -> netcl_status;

    /// Tells what a graph holds. While another thread compiles it, both step_count and ready_count
    /// are 0 at first, then ready_count of step_count steps are done. Of a graph made from a
    /// function it tells of all forms together, with those that are being compiled: planned_bytes
    /// and live_bytes are those of the form with the most, the others are sums.
    ///
    /// * `info`: what it holds now
    pub fn netcl_graph_get_info(
        graph: *mut netcl_graph,
        info: *mut netcl_graph_info,
    ) -> netcl_status;

    /// Gives the gradients of outputs with respect to inputs, summed over all outputs: reverse mode
    /// differentiation of the recorded calls. Tensors stand for the values that they have now: that
    /// of an input which a recorded call wrote is the gradient of what that call gave; of one which
    /// others wrote, it is that by all that read it since. A gradient has the shape and dtype of
    /// its input. The calls that work it out are recorded as well (unless options-\>consume is 1),
    /// so that gradients of gradients are known where those have derivatives. Memory of the caller
    /// that was wrapped twice counts as two variables.
    ///
    /// INVALID_ARGUMENT when no output depends on an input, an output without a seed has more or
    /// fewer elements than one, an input or an output has no float dtype, elements of an input
    /// share memory, or a value that is needed was overwritten since: the message names the call
    /// that needs it and the one that wrote it, with their numbers. So it is when an output depends
    /// on what the memory of an input held before a write that is not recorded, which may have left
    /// it there. UNSUPPORTED when what lies between has no derivative; the message names the call.
    ///
    /// * `gradients`: one reference each, inputs_count entries; may be NULL when options-\>into is
    ///   set
    pub fn netcl_graph_add_gradients(
        graph: *mut netcl_graph,
        outputs: *const *mut netcl_tensor,
        outputs_count: u32,
        inputs: *const *mut netcl_tensor,
        inputs_count: u32,
        options: *const netcl_gradients_options,
        gradients: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Makes a capture ready to run: builds every kernel, plans the memory of all values, and keeps
    /// the commands. `inputs` are the tensors that a run gets others for; their content is not
    /// read. Other tensors with memory that the calls read, such as parameters, are read again by
    /// each run, and those that they write by run-\>into are written by each run. `outputs` are the
    /// values that a run gives. Calls that neither an output nor such a tensor depends on are left
    /// out, and equal calls are done once. Copies of whole values are left out where the calls
    /// behind them can work with the value itself, and values of up to 64 KiB that depend on
    /// nothing are worked out here, once. Elementwise calls are done within those that read their
    /// results, where at most two kernels then compute a value; those that read the same tensors,
    /// or what others of them give, are one kernel with several results, where values do not need
    /// more memory at a time for it. What is added to a product or a convolution of floats as its
    /// epilogue would add it, and an activation, are done with it, and so is the
    /// `netcl_op_batchnorm` of inference behind a convolution that has no epilogue: of f16 or bf16,
    /// where it may have a bias, and on CPUs of f32 or f64. Values have the bits that they would
    /// have one by one, with two exceptions: f32 on a device whose quotients are not rounded
    /// correctly (CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT); and a product or convolution of f16 or
    /// bf16, which is not rounded before a bias, a residual, a normalisation or an activation other
    /// than relu that is done with it, so that the result is that of f32, rounded once. With `fuse`
    /// OFF all bits are kept.
    ///
    /// From here on the graph records nothing more, until `netcl_graph_clear` empties it: calls
    /// into it are INVALID_ARGUMENT, also while it is compiled. Compiling it once more is
    /// INVALID_ARGUMENT, and so is an empty graph, a tape, an input that no output depends on, that
    /// a call writes or whose elements share memory, a call that reads elements of an input's
    /// memory that are not known to be the input's, and an output that is no value of the graph.
    ///
    /// Of a graph made from a function this makes the form for such inputs, where it is not there
    /// yet: later runs find it. outputs_count is 0. A broadcast of one element will do as an input.
    pub fn netcl_graph_compile(
        graph: *mut netcl_graph,
        inputs: *const *mut netcl_tensor,
        inputs_count: u32,
        outputs: *const *mut netcl_tensor,
        outputs_count: u32,
        options: *const netcl_graph_compile_options,
    ) -> netcl_status;

    /// Enqueues the calls of a compiled graph, for other inputs, without checking and choosing
    /// anew. Inputs and outputs have the shapes and dtypes of those that `netcl_graph_compile` got,
    /// in any strides: those that it got are fastest, others are copied. A graph made from a
    /// function takes inputs of any shapes and dtypes, and outputs of those that the function
    /// gives. A new combination of strides is made ready at its first run, on OpenCL devices also
    /// one of offsets modulo mem_base_align_bytes; the last 8 are kept. Values that are no outputs
    /// lie in memory of the device's persistent pool for the time of the run.
    ///
    /// run-\>queue, run-\>waits and run-\>event are those of all commands together; run-\>into and
    /// run-\>graph are NULL. Any number of threads may run a graph at a time; runs that write the
    /// same tensors are ordered as other commands are. INVALID_ARGUMENT when a shape, dtype, device
    /// or count differs, a tensor is a value of a capture, an input shares memory with a tensor
    /// that the calls write, or an output with an input, with another output or with a tensor that
    /// the calls work with. Kernels of the caller get memory of the sizes with which they were
    /// recorded.
    pub fn netcl_graph_run(
        graph: *mut netcl_graph,
        inputs: *const *mut netcl_tensor,
        inputs_count: u32,
        outputs: *const *mut netcl_tensor,
        outputs_count: u32,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// Runs a compiled graph as `netcl_graph_run` does, with new tensors as outputs. `count`
    /// receives the number of outputs. A capacity below that runs nothing and tells that alone.
    /// INVALID_ARGUMENT when the graph gives no outputs; otherwise as `netcl_graph_run`.
    ///
    /// * `outputs`: one reference each; may be NULL when capacity is 0
    ///
    /// * `count`: outputs that there are
    pub fn netcl_graph_evaluate(
        graph: *mut netcl_graph,
        inputs: *const *mut netcl_tensor,
        inputs_count: u32,
        run: *const netcl_run_options,
        outputs: *mut *mut netcl_tensor,
        capacity: u32,
        count: *mut u32,
    ) -> netcl_status;

    /// Tells what is in a graph: its calls with the shapes of what they read and write; of a
    /// compiled one the steps, what was joined in them, why others were not, where values lie in
    /// memory, and behind how many commands which gradients go to a reducer; of one made from a
    /// function all this for each form, beginning with the one that was used last.
    ///
    /// * `buffer`: the text
    ///
    /// * `length`: bytes of the text without the NUL; may be NULL
    pub fn netcl_graph_explain(
        graph: *mut netcl_graph,
        format: netcl_graph_format,
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Loads a model from a file of ONNX. Weights in files of their own are read from the file's
    /// folder and those below it alone. IO where a file cannot be read, CORRUPT_DATA where one is
    /// no model: a length beyond its end, a weight of another size than its shape says, a value
    /// that nothing gives or two nodes give. UNSUPPORTED lists all that netcl cannot run, ops,
    /// dtypes and attributes with the names of their nodes, before anything is allocated on the
    /// device; `netcl_model_describe` gives the list where it is longer than a message.
    /// INVALID_ARGUMENT for another options-\>dtype. Models of one file on one device share the
    /// weights of the file that they hold in the same dtype; a file that was changed less than two
    /// seconds ago is loaded on its own.
    ///
    /// * `model`: one reference
    pub fn netcl_model_load(
        device: *mut netcl_device,
        path: *const c_char,
        options: *const netcl_model_options,
        model: *mut *mut netcl_model,
    ) -> netcl_status;

    /// As `netcl_model_load`, from the bytes of a file, of which nothing is kept. Weights in other
    /// files are UNSUPPORTED.
    ///
    /// * `model`: one reference
    pub fn netcl_model_load_memory(
        device: *mut netcl_device,
        data: *const c_void,
        data_size: usize,
        options: *const netcl_model_options,
        model: *mut *mut netcl_model,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_model_retain(model: *mut netcl_model) -> netcl_status;

    /// Drops a reference; NULL is fine.
    pub fn netcl_model_release(model: *mut netcl_model);

    /// Tells what is in a model.
    ///
    /// * `info`: what is in it
    pub fn netcl_model_get_info(
        model: *const netcl_model,
        info: *mut netcl_model_info,
    ) -> netcl_status;

    /// Describes an input of a model.
    ///
    /// * `value`: what the file says of it
    pub fn netcl_model_get_input(
        model: *const netcl_model,
        index: u32,
        value: *mut netcl_model_value,
    ) -> netcl_status;

    /// Describes an output of a model.
    ///
    /// * `value`: what the file says of it
    pub fn netcl_model_get_output(
        model: *const netcl_model,
        index: u32,
        value: *mut netcl_model_value,
    ) -> netcl_status;

    /// Finds an input by its name. NOT_FOUND lists the names that there are.
    ///
    /// * `index`: its place among the inputs
    pub fn netcl_model_find_input(
        model: *const netcl_model,
        name: *const c_char,
        index: *mut u32,
    ) -> netcl_status;

    /// Finds an output by its name. NOT_FOUND lists the names that there are.
    ///
    /// * `index`: its place among the outputs
    pub fn netcl_model_find_output(
        model: *const netcl_model,
        name: *const c_char,
        index: *mut u32,
    ) -> netcl_status;

    /// Runs a model into tensors that are given, as `netcl_graph_run` runs a graph made from a
    /// function: all inputs and all outputs in their order. INVALID_ARGUMENT names the input where
    /// its dtype, its rank or an extent is not what the file says, where two inputs give one named
    /// dimension two extents, and the node where an op refuses what it gets.
    pub fn netcl_model_run(
        model: *mut netcl_model,
        inputs: *const *mut netcl_tensor,
        inputs_count: u32,
        outputs: *const *mut netcl_tensor,
        outputs_count: u32,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// Runs a model as `netcl_model_run` does, with new tensors as outputs. `count` receives the
    /// number of outputs. A capacity below that runs nothing and tells that alone.
    ///
    /// * `outputs`: one reference each; may be NULL when capacity is 0
    ///
    /// * `count`: outputs that there are
    pub fn netcl_model_evaluate(
        model: *mut netcl_model,
        inputs: *const *mut netcl_tensor,
        inputs_count: u32,
        run: *const netcl_run_options,
        outputs: *mut *mut netcl_tensor,
        capacity: u32,
        count: *mut u32,
    ) -> netcl_status;

    /// Tells how a model runs: `netcl_graph_explain` of each form, beginning with the one that was
    /// used last.
    ///
    /// * `buffer`: the text
    ///
    /// * `length`: bytes of the text without the NUL; may be NULL
    pub fn netcl_model_explain(
        model: *const netcl_model,
        format: netcl_graph_format,
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Tells what is in a file of ONNX, without a device: inputs, outputs, ops with their numbers,
    /// and each thing that netcl cannot run with the names of all nodes that need it.
    ///
    /// * `buffer`: the text, of lines
    ///
    /// * `length`: bytes of the text without the NUL; may be NULL
    pub fn netcl_model_describe(
        path: *const c_char,
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Opens a file of named tensors, for tensors of a device. IO where the file cannot be read.
    /// CORRUPT_DATA names the tensor and what is wrong with it: a size or place beyond the file,
    /// tensors that overlap, in safetensors bytes of no tensor, a name that comes twice, names and
    /// keys that are not text of one line, lengths and counts beyond the file. UNSUPPORTED: other
    /// versions of GGUF, or more than 100 MB before its tensors, names of more than 255 bytes, more
    /// than `NETCL_RANK_MAX` dimensions, more than 2^20 tensors or values of metadata.
    ///
    /// * `weights`: one reference
    pub fn netcl_weights_open(
        device: *mut netcl_device,
        path: *const c_char,
        options: *const netcl_weights_options,
        weights: *mut *mut netcl_weights,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_weights_retain(weights: *mut netcl_weights) -> netcl_status;

    /// Gives a reference back; takes NULL. Tensors that were asked for stay.
    pub fn netcl_weights_release(weights: *mut netcl_weights);

    /// Tells what a file of weights is.
    ///
    /// * `info`: the facts
    pub fn netcl_weights_get_info(
        weights: *const netcl_weights,
        info: *mut netcl_weights_info,
    ) -> netcl_status;

    /// Describes a tensor of the file. In an .npz the tensors are the members whose names end in
    /// .npy, without that ending.
    ///
    /// * `index`: from 0 on, in the order of the file
    ///
    /// * `entry`: what the file says of it
    pub fn netcl_weights_get_entry(
        weights: *const netcl_weights,
        index: u32,
        entry: *mut netcl_weights_entry,
    ) -> netcl_status;

    /// Finds a tensor by its name. NOT_FOUND where there is none.
    ///
    /// * `index`: its place
    pub fn netcl_weights_find(
        weights: *const netcl_weights,
        name: *const c_char,
        index: *mut u32,
    ) -> netcl_status;

    /// Gives a tensor of the file, each time a new one. Without options-\>pool and options-\>share
    /// it looks into the file on CPU devices, where its elements lie at a multiple of their size,
    /// are not deflated, not of the other byte order and not bool; else it is a copy. Weights in
    /// blocks, Q4_0, Q8_0 and Q4_K of GGUF, are u8 \[..., N, blocks, bytes of a block\] for
    /// entry.shape \[..., N, K\], as `netcl_op_matmul_quantized` takes them. Arrays of .npz in
    /// Fortran's order have its strides. Nothing larger than 64 MiB and 16 times its bytes in the
    /// file is allocated before these are read once.
    ///
    /// UNSUPPORTED, naming the type, where netcl has no dtype for it (entry.dtype is 0), and for
    /// members of .npz that are encrypted or packed in another way. IO where the file has become
    /// shorter. CORRUPT_DATA where a copied member of .npz does not have the size or the checksum
    /// that the file says; those of tensors that look into the file are not checked.
    ///
    /// * `tensor`: one reference
    pub fn netcl_weights_get_tensor(
        weights: *const netcl_weights,
        index: u32,
        options: *const netcl_tensor_options,
        tensor: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Gives a key of the file's metadata. What is no UTF-8 in texts of GGUF becomes U+FFFD.
    ///
    /// * `index`: from 0 on, below `netcl_weights_info.metadata_count`
    ///
    /// * `buffer`: the key
    ///
    /// * `length`: bytes of the text without the NUL; may be NULL
    pub fn netcl_weights_get_metadata_key(
        weights: *const netcl_weights,
        index: u32,
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Gives the value of a key of the file's metadata as text. Numbers of GGUF are decimal, truth
    /// values "true" or "false", arrays are JSON. NOT_FOUND where the file has no such key.
    ///
    /// * `buffer`: the value
    ///
    /// * `length`: bytes of the text without the NUL; may be NULL
    pub fn netcl_weights_get_metadata(
        weights: *const netcl_weights,
        key: *const c_char,
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Writes tensors under names as a file of safetensors, or as an .npz whose members are stored.
    /// The file is replaced as a whole or not at all; elements are in C order and lie at a multiple
    /// of their size, so that they can be looked into. Names are distinct, at most 255 bytes, and
    /// "__metadata__" is none of safetensors. bf16 is '\<V2' in .npz, as in
    /// `netcl_tensor_save_npy`. The waits for pending writes take at most timeout_ns together, with
    /// the errors of `netcl_tensor_wait`. IO where the file cannot be written. GGUF is not written:
    /// UNSUPPORTED.
    pub fn netcl_weights_save(
        path: *const c_char,
        format: netcl_weights_format,
        names: *const *const c_char,
        names_count: u32,
        tensors: *const *mut netcl_tensor,
        tensors_count: u32,
        options: *const netcl_weights_save_options,
        timeout_ns: u64,
    ) -> netcl_status;

    /// Makes one rank of a group that meets at a path: rank 0 makes a socket of that name and
    /// removes it when all have come. All give the same path and size, each its own rank, in any
    /// order; a process may join as several ranks, from a thread each, which may have the same
    /// device. The folder is made where it is missing; it must belong to this user, and nobody else
    /// may write it, else IO, as for a socket of another user. BUSY for rank 0 where another group
    /// meets there. TIMEOUT naming the ranks that did not come. INVALID_ARGUMENT for a rank that is
    /// not below size; on all ranks that have come for one that comes twice and one with another
    /// size or transport.
    ///
    /// * `path`: absolute, at most 100 bytes
    ///
    /// * `index`: the rank
    ///
    /// * `group`: one reference
    pub fn netcl_group_join(
        device: *mut netcl_device,
        path: *const c_char,
        index: u32,
        size: u32,
        options: *const netcl_group_options,
        group: *mut *mut netcl_group,
    ) -> netcl_status;

    /// Makes a group of several devices of this process: rank k has devices\[k\], and groups\[k\]
    /// is that rank. What holds for ranks that joined at a path holds for these, and nothing is
    /// made in the file system. As each call waits for the other ranks, each rank has a thread of
    /// its own. INVALID_ARGUMENT for no devices, for more than `NETCL_GROUP_SIZE_MAX`, and where
    /// two of them are one device, naming both: two ranks of one piece of hardware have devices
    /// that were opened with separate = 1. IO where the n (n - 1) descriptors that n ranks take are
    /// too many; with PEER_MEMORY n ranks take n \* n more.
    ///
    /// * `groups`: one reference each, devices_count entries
    pub fn netcl_group_create_local(
        devices: *const *mut netcl_device,
        devices_count: u32,
        options: *const netcl_group_options,
        groups: *mut *mut netcl_group,
    ) -> netcl_status;

    /// Makes this process one rank of a group of all processes of an MPI communicator, which keep
    /// their ranks. All of them make the call, with the same transport; the communicator is copied
    /// and may be freed later. The program initialises MPI. What follows is for this call, and for
    /// those of a group whose ranks are on several hosts or that was asked for with
    /// `NETCL_GROUP_TRANSPORT_MPI`: they come before MPI_Finalize; without MPI_THREAD_SERIALIZED
    /// they come on the thread that initialised MPI, else they are INVALID_ARGUMENT; and without
    /// MPI_THREAD_MULTIPLE no other thread is in a call of MPI meanwhile. UNSUPPORTED naming the
    /// file where libnetcl-mpi.so cannot be opened (`NETCL_MPI_LIBRARY` names another), and for
    /// SHARED_MEMORY where the ranks are on several hosts. INVALID_ARGUMENT where MPI is not
    /// initialised or has been finalised, for a number that is no communicator (where MPI can
    /// tell), one between two groups, and one with more than `NETCL_GROUP_SIZE_MAX` processes; on
    /// all ranks where their transports differ. TIMEOUT where a process does not come; no more
    /// groups can be made of that communicator then. MPI tells nobody of a rank that dies: where
    /// ranks exchange messages, the others get TIMEOUT.
    ///
    /// * `communicator`: what MPI_Comm_c2f gives, or `NETCL_MPI_WORLD`
    ///
    /// * `group`: one reference
    pub fn netcl_group_create_mpi(
        device: *mut netcl_device,
        communicator: i64,
        options: *const netcl_group_options,
        group: *mut *mut netcl_group,
    ) -> netcl_status;

    /// Makes groups of the ranks with the same colour, in their order. All ranks make the call with
    /// the same colours.
    ///
    /// * `colors`: one of each rank: as many as the group has ranks
    ///
    /// * `part`: one reference: this rank in the group of its colour
    pub fn netcl_group_split(
        group: *mut netcl_group,
        colors: *const u32,
        colors_count: u32,
        part: *mut *mut netcl_group,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_group_retain(group: *mut netcl_group) -> netcl_status;

    /// Gives a reference back; takes NULL.
    pub fn netcl_group_release(group: *mut netcl_group);

    /// Gives the facts of a group.
    ///
    /// * `info`: the facts
    pub fn netcl_group_get_info(
        group: *const netcl_group,
        info: *mut netcl_group_info,
    ) -> netcl_status;

    /// Gives the device of this rank.
    ///
    /// * `device`: one reference
    pub fn netcl_group_get_device(
        group: *const netcl_group,
        device: *mut *mut netcl_device,
    ) -> netcl_status;

    /// Tells what device rank `index` has, as its process sees it. INVALID_ARGUMENT where the group
    /// has no such rank.
    ///
    /// * `info`: the identity of the device
    pub fn netcl_group_describe_device(
        group: *const netcl_group,
        index: u32,
        info: *mut netcl_device_info,
    ) -> netcl_status;

    /// Tells what failed: status and message of what made the group unusable, all zero while it is
    /// usable.
    ///
    /// * `info`: status and message
    pub fn netcl_group_get_error(
        group: *const netcl_group,
        info: *mut netcl_error_info,
    ) -> netcl_status;

    /// Waits until all ranks have made this call.
    pub fn netcl_group_barrier(
        group: *mut netcl_group,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// Joins the inputs of all ranks element by element: SUM, PROD, MIN, MAX, and MEAN of floats;
    /// others are INVALID_ARGUMENT. f16 and bf16 are computed in f32 and rounded once at the end,
    /// f32 and f64 in themselves; integers wrap around, NaN wins in MIN and MAX; of bool SUM and
    /// MAX are or, PROD and MIN are and. Error of a sum of n ranks: at most (n - 1) eps times the
    /// sum of absolute values. Shapes and dtypes of inputs and outputs of all ranks are equal.
    /// `output` may be `input`, else they share no memory.
    pub fn netcl_group_all_reduce(
        group: *mut netcl_group,
        input: *mut netcl_tensor,
        output: *mut netcl_tensor,
        kind: netcl_reduction,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// As `netcl_group_all_reduce`, for the output of rank `root` alone.
    ///
    /// * `output`: may be NULL on the other ranks, where it is not written
    pub fn netcl_group_reduce(
        group: *mut netcl_group,
        input: *mut netcl_tensor,
        output: *mut netcl_tensor,
        kind: netcl_reduction,
        root: u32,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// Gives the elements of rank `root`'s tensor to those of all ranks, which have its shape.
    pub fn netcl_group_broadcast(
        group: *mut netcl_group,
        tensor: *mut netcl_tensor,
        root: u32,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// Puts the inputs of all ranks one behind the other along the first dimension, in which they
    /// may differ; the output has the sum of their extents there. Rank 1 at least.
    pub fn netcl_group_all_gather(
        group: *mut netcl_group,
        input: *mut netcl_tensor,
        output: *mut netcl_tensor,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// As `netcl_group_all_gather`, for the output of rank `root` alone.
    ///
    /// * `output`: may be NULL on the other ranks, where it is not written
    pub fn netcl_group_gather(
        group: *mut netcl_group,
        input: *mut netcl_tensor,
        output: *mut netcl_tensor,
        root: u32,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// Parts the input of rank `root` along the first dimension, in the order of the ranks: each
    /// gets as many entries as its output has there.
    ///
    /// * `input`: may be NULL on the other ranks, where it is not read
    pub fn netcl_group_scatter(
        group: *mut netcl_group,
        input: *mut netcl_tensor,
        output: *mut netcl_tensor,
        root: u32,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// Joins the inputs of all ranks as `netcl_group_all_reduce` does, and parts the result along
    /// the first dimension: each rank gets as many entries as its output has there.
    pub fn netcl_group_reduce_scatter(
        group: *mut netcl_group,
        input: *mut netcl_tensor,
        output: *mut netcl_tensor,
        kind: netcl_reduction,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// Parts every rank's input along the first dimension; part k goes to rank k, where the parts
    /// lie in the order of the ranks that they came from. The output has as many entries as come.
    ///
    /// * `counts`: the extents of the parts, one for each rank; may be NULL: equal ones
    pub fn netcl_group_all_to_all(
        group: *mut netcl_group,
        input: *mut netcl_tensor,
        counts: *const i64,
        counts_count: u32,
        output: *mut netcl_tensor,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// Sends a tensor to another rank, which calls `netcl_group_receive` for one of the same shape
    /// and dtype. Ends when it was received; ranks that exchange tensors take turns, or call
    /// `netcl_group_all_to_all`. Sends and receives may stand anywhere between the collectives of
    /// other ranks. A shape or dtype that differs is INVALID_ARGUMENT on both.
    pub fn netcl_group_send(
        group: *mut netcl_group,
        tensor: *mut netcl_tensor,
        peer: u32,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// Receives a tensor from another rank; see `netcl_group_send`.
    pub fn netcl_group_receive(
        group: *mut netcl_group,
        tensor: *mut netcl_tensor,
        peer: u32,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// Makes a reducer for this rank. All ranks make the call, as they make `netcl_group_split`:
    /// the reducer has a part of the group to itself, with the group's timeout, so that its calls
    /// and those of the group do not meet. Options that differ between the ranks are
    /// INVALID_ARGUMENT on all of them. By messages of MPI its thread calls MPI, which takes
    /// MPI_THREAD_SERIALIZED at least, else INVALID_ARGUMENT, and is as another thread that calls;
    /// see `netcl_group_create_mpi`.
    ///
    /// * `reducer`: one reference
    pub fn netcl_reducer_create(
        group: *mut netcl_group,
        options: *const netcl_reducer_options,
        reducer: *mut *mut netcl_reducer,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_reducer_retain(reducer: *mut netcl_reducer) -> netcl_status;

    /// Gives a reference back; takes NULL. Graphs that give it gradients have references of their
    /// own. When the last one goes while a run is not waited for, the run ends where it is: for the
    /// other ranks this one is lost.
    pub fn netcl_reducer_release(reducer: *mut netcl_reducer);

    /// Tells what a reducer is and has done.
    ///
    /// * `info`: what it has done up to now
    pub fn netcl_reducer_get_info(
        reducer: *const netcl_reducer,
        info: *mut netcl_reducer_info,
    ) -> netcl_status;

    /// Waits until the gradients of the last run are joined and lie in their tensors, and gives
    /// what failed: on this rank, or on another one, as a call of the group would; what made the
    /// run fail is given once more. Nothing to wait for is `NETCL_OK`. The wait ends by itself: no
    /// rank waits longer for another than the group's timeout, with TIMEOUT or RANK_LOST and a
    /// message that names it. TIMEOUT after timeout_ns, too: then the wait can be made again.
    pub fn netcl_reducer_wait(reducer: *mut netcl_reducer, timeout_ns: u64) -> netcl_status;

    /// Tells which block rank `index` of the group has of a tensor that lies so. It asks no other
    /// rank.
    ///
    /// * `info`: its place
    pub fn netcl_group_describe_block(
        group: *const netcl_group,
        index: u32,
        rank: u32,
        shape: *const i64,
        options: *const netcl_sharding_options,
        info: *mut netcl_block_info,
    ) -> netcl_status;

    /// Makes a sharded tensor of the blocks that the ranks have: `block` is this rank's, of the
    /// shape that `netcl_group_describe_block` gives; nothing is copied. Shape, dtype and sharding
    /// are equal on all ranks.
    ///
    /// * `block`: any strides, each element in a place of its own; stays in use
    ///
    /// * `shape`: of the whole
    ///
    /// * `sharded`: one reference
    pub fn netcl_sharded_create(
        group: *mut netcl_group,
        block: *mut netcl_tensor,
        rank: u32,
        shape: *const i64,
        options: *const netcl_sharding_options,
        sharded: *mut *mut netcl_sharded,
    ) -> netcl_status;

    /// Makes a sharded tensor of one that rank `root` has: each rank gets its block from there.
    ///
    /// * `whole`: may be NULL on the other ranks, where it is not read
    ///
    /// * `sharded`: one reference
    pub fn netcl_sharded_create_from_root(
        group: *mut netcl_group,
        whole: *mut netcl_tensor,
        root: u32,
        options: *const netcl_sharding_options,
        run: *const netcl_run_options,
        sharded: *mut *mut netcl_sharded,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_sharded_retain(sharded: *mut netcl_sharded) -> netcl_status;

    /// Gives a reference back; takes NULL.
    pub fn netcl_sharded_release(sharded: *mut netcl_sharded);

    /// Gives the facts of a sharded tensor.
    ///
    /// * `info`: the facts
    pub fn netcl_sharded_get_info(
        sharded: *const netcl_sharded,
        info: *mut netcl_sharded_info,
    ) -> netcl_status;

    /// Gives the block of this rank, whose memory it shares: what is written there is written to
    /// the sharded tensor.
    ///
    /// * `block`: one reference
    pub fn netcl_sharded_get_block(
        sharded: *const netcl_sharded,
        block: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Tells in words how a sharded tensor lies on the ranks, and what went between them to make
    /// it: the collectives, among how many ranks and how many bytes; then the same of the last
    /// `netcl_sharded_exchange_halo` of it.
    ///
    /// * `buffer`: the text, a line for each
    ///
    /// * `length`: bytes of the text without the NUL; may be NULL
    pub fn netcl_sharded_explain(
        sharded: *const netcl_sharded,
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Gives the same tensor with another sharding of the same group: each rank sends each other
    /// what that needs of its block, and takes nothing from others that it has. Replicating needs
    /// memory for the whole twice. To where ranks have all they need nothing is sent.
    ///
    /// * `result`: one reference
    pub fn netcl_sharded_redistribute(
        x: *mut netcl_sharded,
        options: *const netcl_sharding_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_sharded,
    ) -> netcl_status;

    /// Puts the blocks together in a tensor of rank `root`, which has the shape and dtype of the
    /// whole and shares no memory with the block there.
    ///
    /// * `output`: may be NULL on the other ranks, where it is not written
    pub fn netcl_sharded_gather(
        x: *mut netcl_sharded,
        output: *mut netcl_tensor,
        root: u32,
        run: *const netcl_run_options,
    ) -> netcl_status;

    /// Evaluates an expression as `netcl_op_expression_text` does, each rank for its block: nothing
    /// is sent. Inputs that are split lie on one mesh and split the same axes of the result by the
    /// same dimensions; replicated ones lie on any mesh, and each rank takes the part that it
    /// needs. The result is split as the inputs are. At least one input.
    ///
    /// * `result`: one reference
    pub fn netcl_sharded_expression_text(
        text: *const c_char,
        inputs: *const *mut netcl_sharded,
        inputs_count: u32,
        options: *const netcl_expression_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_sharded,
    ) -> netcl_status;

    /// Reduces over axes as `netcl_op_reduce` does. Along axes that are not split nothing is sent.
    /// Along split ones each rank reduces its block and an all_reduce joins them; the result is
    /// replicated along those dimensions of the mesh. That is for SUM, MEAN, PROD, MAX, MIN, L1,
    /// L2, SUM_SQUARE, LOG_SUM, ANY and ALL; others are UNSUPPORTED there. f16 and bf16 are joined
    /// in f32 and rounded once. Error: that of `netcl_op_reduce` plus (ranks - 1) eps times the sum
    /// of absolute values.
    ///
    /// * `result`: one reference
    pub fn netcl_sharded_reduce(
        x: *mut netcl_sharded,
        kind: netcl_reduction,
        options: *const netcl_reduce_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_sharded,
    ) -> netcl_status;

    /// `netcl_op_softmax` of each block, along an axis that is not split; INVALID_ARGUMENT for one
    /// that is. Nothing is sent.
    ///
    /// * `result`: one reference
    pub fn netcl_sharded_softmax(
        x: *mut netcl_sharded,
        axis: i32,
        run: *const netcl_run_options,
        result: *mut *mut netcl_sharded,
    ) -> netcl_status;

    /// `netcl_op_layernorm` of each block, over axes from `axis` on, none of which is split;
    /// INVALID_ARGUMENT where one is, and where statistics are asked for. Scale and bias are the
    /// same on all ranks. Nothing is sent.
    ///
    /// * `result`: one reference
    pub fn netcl_sharded_layernorm(
        x: *mut netcl_sharded,
        axis: i32,
        options: *const netcl_norm_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_sharded,
    ) -> netcl_status;

    /// `netcl_op_rmsnorm` of each block; else as `netcl_sharded_layernorm`.
    ///
    /// * `result`: one reference
    pub fn netcl_sharded_rmsnorm(
        x: *mut netcl_sharded,
        axis: i32,
        options: *const netcl_norm_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_sharded,
    ) -> netcl_status;

    /// Matrix product of a \[..., M, K\] and b \[K, N\], both on one mesh. What each dimension of
    /// the mesh does with them tells what is sent along it:
    ///
    /// a b result sent whole whole whole nothing rows whole rows nothing; rows are all axes of a
    /// but the last whole columns columns nothing depth depth whole the products of all ranks are
    /// added up by all_reduce depth whole whole the same; each rank uses its part of b whole depth
    /// whole the same rows depth rows panels of b, each from the rank that has it (broadcast) depth
    /// columns columns panels of a
    ///
    /// Rows of a with columns of b on one dimension is INVALID_ARGUMENT. Both split in rows and
    /// columns by two dimensions is SUMMA (van de Geijn and Watts, 1997): no rank ever has more of
    /// the others' blocks than a panel of each. f16 and bf16 are added up in f32 and rounded once.
    /// Error as `netcl_op_matmul`. options-\>epilogue, has_scale, and the zero points are refused.
    ///
    /// * `result`: one reference
    pub fn netcl_sharded_matmul(
        a: *mut netcl_sharded,
        b: *mut netcl_sharded,
        options: *const netcl_matmul_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_sharded,
    ) -> netcl_status;

    /// Gives the block of this rank with what lies around it, corners included, for stencils and
    /// convolutions: pads has the entries before the block along every axis, then those behind it
    /// (2 rank entries, not negative). They come from the ranks that have them, however many that
    /// takes; what lies outside of the whole has a value of its own, or is periodic. What an op
    /// without padding makes of the result is a block of its result over the group, of which
    /// `netcl_sharded_create` makes a sharded tensor.
    ///
    /// * `result`: one reference; may be NULL when run-\>into is set
    pub fn netcl_sharded_exchange_halo(
        x: *mut netcl_sharded,
        pads: *const i64,
        pads_count: u32,
        options: *const netcl_halo_options,
        run: *const netcl_run_options,
        result: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Computes statistics of samples measured elsewhere; negative and NaN samples are
    /// INVALID_ARGUMENT.
    ///
    /// * `statistics`: `count` to `confidence` are set, the rest is 0
    pub fn netcl_statistics_compute(
        samples: *const f64,
        samples_count: u64,
        confidence: f64,
        statistics: *mut netcl_statistics,
    ) -> netcl_status;

    /// Compares two sets of samples measured elsewhere, as `netcl_measurement_compare` does. Fewer
    /// than 5 samples on a side are UNCLEAR.
    ///
    /// * `comparison`: the verdict on the first set
    pub fn netcl_statistics_compare(
        first: *const f64,
        first_count: u64,
        second: *const f64,
        second_count: u64,
        confidence: f64,
        precision: f64,
        seed: u64,
        comparison: *mut netcl_comparison,
    ) -> netcl_status;

    /// Begins a measurement of work that the caller enqueues on `queue`, in a loop over
    /// `netcl_measurement_next`; needs no callback. Several candidates take turns in random order.
    /// Times are recorded on the queue until the measurement is done or released. NOT_PROFILED for
    /// a wrapped queue without profiling, unless the source is HOST. options-\>measurement must be
    /// NULL.
    ///
    /// * `measurement`: one reference
    pub fn netcl_measurement_create(
        queue: *mut netcl_queue,
        options: *const netcl_measurement_options,
        measurement: *mut *mut netcl_measurement,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_measurement_retain(measurement: *mut netcl_measurement) -> netcl_status;

    /// Gives a reference back; takes NULL.
    pub fn netcl_measurement_release(measurement: *mut netcl_measurement);

    /// Ends the run before and begins the next one: the caller then enqueues the work of
    /// `candidate` `iterations` times. iterations 0: the measurement is over. Movable: one thread
    /// at a time. Fails with the error of the work that was enqueued; INVALID_ARGUMENT when there
    /// was none.
    ///
    /// * `candidate`: whose turn it is, from 0 on
    ///
    /// * `iterations`: how often
    pub fn netcl_measurement_next(
        measurement: *mut netcl_measurement,
        candidate: *mut u32,
        iterations: *mut u64,
    ) -> netcl_status;

    /// Gives the statistics of a candidate so far.
    ///
    /// * `statistics`: the statistics
    pub fn netcl_measurement_get_statistics(
        measurement: *const netcl_measurement,
        candidate: u32,
        statistics: *mut netcl_statistics,
    ) -> netcl_status;

    /// Gives all samples of a candidate in the order they were taken, nanoseconds per iteration.
    ///
    /// * `samples`: at most capacity of them; may be NULL when capacity is 0
    ///
    /// * `count`: samples there are
    pub fn netcl_measurement_get_samples(
        measurement: *const netcl_measurement,
        candidate: u32,
        samples: *mut f64,
        capacity: u64,
        count: *mut u64,
    ) -> netcl_status;

    /// Compares two candidates.
    ///
    /// * `comparison`: the verdict on `first`
    pub fn netcl_measurement_compare(
        measurement: *const netcl_measurement,
        first: u32,
        second: u32,
        comparison: *mut netcl_comparison,
    ) -> netcl_status;

    /// Measures a function that enqueues work: `netcl_measurement_create` and a loop around it.
    /// Fails with what the function returns. For the samples set options-\>measurement, then call
    /// `netcl_measurement_get_samples` for candidate 0.
    ///
    /// * `statistics`: the statistics
    pub fn netcl_queue_time(
        queue: *mut netcl_queue,
        work: netcl_work_fn,
        user_data: *mut c_void,
        options: *const netcl_measurement_options,
        statistics: *mut netcl_statistics,
    ) -> netcl_status;

    /// Measures a launch: `netcl_kernel_launch` in such a loop. run-\>event must be NULL. For the
    /// samples set options-\>measurement, as for `netcl_queue_time`.
    ///
    /// * `statistics`: the statistics
    pub fn netcl_kernel_time(
        kernel: *mut netcl_kernel,
        global: *const u64,
        global_count: u32,
        local: *const u64,
        local_count: u32,
        args: *const netcl_arg,
        args_count: u32,
        launch: *const netcl_launch_options,
        run: *const netcl_run_options,
        options: *const netcl_measurement_options,
        statistics: *mut netcl_statistics,
    ) -> netcl_status;

    /// Makes a timer of what is enqueued on a queue. Times are recorded on the queue while it runs;
    /// its memory is made at the first pair and used again. NOT_PROFILED for a wrapped queue
    /// without profiling.
    ///
    /// * `timer`: one reference
    pub fn netcl_timer_create(
        queue: *mut netcl_queue,
        timer: *mut *mut netcl_timer,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_timer_retain(timer: *mut netcl_timer) -> netcl_status;

    /// Gives a reference back; takes NULL.
    pub fn netcl_timer_release(timer: *mut netcl_timer);

    /// Starts the timer; BUSY when it runs.
    pub fn netcl_timer_start(timer: *mut netcl_timer) -> netcl_status;

    /// Stops the timer and waits for what was enqueued since its start. INVALID_ARGUMENT when it
    /// does not run; on TIMEOUT it is stopped and a further call gives the result.
    ///
    /// * `elapsed`: the times
    pub fn netcl_timer_stop(
        timer: *mut netcl_timer,
        timeout_ns: u64,
        elapsed: *mut netcl_elapsed,
    ) -> netcl_status;

    /// Begins to record regions, counters per kernel and (with trace_path) a trace, on all queues
    /// of the process; what it records adds up over several starts until `netcl_profile_reset`.
    /// BUSY when it is on, IO when trace_path cannot be written. While it is off a region costs one
    /// load. `NETCL_TRACE`=path begins it with the first device. The trace is valid JSON at any
    /// moment, even when the process is killed.
    pub fn netcl_profile_start(options: *const netcl_profile_options) -> netcl_status;

    /// Ends the recording after waiting for what was enqueued. NOT_FOUND when it is off; TIMEOUT,
    /// and it goes on; IO when the trace could not be written to its end, and it is off.
    pub fn netcl_profile_stop(timeout_ns: u64) -> netcl_status;

    /// Forgets what was recorded.
    pub fn netcl_profile_reset() -> netcl_status;

    /// Gives the tree of regions (calls, device and host time with and without children, bytes,
    /// flops) and the counters per kernel and size, of the commands that are complete. Commands
    /// outside all regions, and the numbers of those that are missing (not complete, failed,
    /// without room or times), are there in each format; in CSV as rows of the kinds "outside" and
    /// "missing".
    ///
    /// * `buffer`: the text
    ///
    /// * `length`: bytes of the text without the NUL; may be NULL
    pub fn netcl_profile_report(
        format: netcl_format,
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Opens a region on a queue; commands enqueued there by this thread until its end belong to
    /// it. `parent` may be NULL: then it is a root. While no profile is on, a region of a kind that
    /// records nothing is given. A report has up to 30 regions inside each other; what is deeper
    /// counts as part of the thirtieth.
    ///
    /// * `region`: one reference
    pub fn netcl_region_begin(
        queue: *mut netcl_queue,
        parent: *mut netcl_region,
        name: *const c_char,
        region: *mut *mut netcl_region,
    ) -> netcl_status;

    /// Closes a region; its handle is released as any other. INVALID_ARGUMENT the second time.
    pub fn netcl_region_end(region: *mut netcl_region) -> netcl_status;

    /// Adds bytes moved and floating-point operations to a region.
    pub fn netcl_region_annotate(
        region: *mut netcl_region,
        bytes: f64,
        operations: f64,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_region_retain(region: *mut netcl_region) -> netcl_status;

    /// Gives a reference back; takes NULL. An open region ends with its last reference.
    pub fn netcl_region_release(region: *mut netcl_region);

    /// Opens a region under the calling thread's innermost one, which it becomes.
    pub fn netcl_region_push(queue: *mut netcl_queue, name: *const c_char) -> netcl_status;

    /// Closes the calling thread's innermost region. NOT_FOUND when there is none.
    pub fn netcl_region_pop() -> netcl_status;

    /// Makes an analyzer, which holds its options and the history of the rounds. Percentages that
    /// are negative or no number, thresholds outside 1 to 100 (0.9 is no 90 %), and
    /// convergence_rounds of 1 are INVALID_ARGUMENT.
    ///
    /// * `roofline`: one reference
    pub fn netcl_roofline_create(
        options: *const netcl_roofline_options,
        roofline: *mut *mut netcl_roofline,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_roofline_retain(roofline: *mut netcl_roofline) -> netcl_status;

    /// Gives a reference back; takes NULL.
    pub fn netcl_roofline_release(roofline: *mut netcl_roofline);

    /// Analyzes metrics of Nsight Compute given by name:
    /// sm__throughput.avg.pct_of_peak_sustained_elapsed,
    /// gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed and
    /// sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active (or _elapsed, or other
    /// activity of tensor pipes); others are ignored. Where the second is missing, dram__throughput
    /// or gpu__dram_throughput stands for it, with a warning. One of the first two missing: 0 for
    /// it and a warning. Both missing: zeros, UNKNOWN and a warning. More than 105 % is warned of.
    /// NaN and infinite values are INVALID_ARGUMENT.
    ///
    /// * `result`: the analysis
    pub fn netcl_roofline_analyze_metrics(
        roofline: *const netcl_roofline,
        names: *const *const c_char,
        values: *const f64,
        metrics_count: u32,
        result: *mut netcl_roofline_result,
    ) -> netcl_status;

    /// Analyzes a CSV report of Nsight Compute (ncu --csv) in any form since 2020: a row per metric
    /// (the details page, with or without rules, --metrics), a column per metric (--page raw), and
    /// summaries (--print-summary), of which the averages count. Names are those of metrics or
    /// those that people read. A launch is known by its process and ID. Lines before the header are
    /// skipped; errors and warnings of the profiler come back as warnings, or in the message when
    /// there is no report. CORRUPT_DATA naming and quoting the line: a line of no such form, a
    /// value that is no number, a number such as "117.344" that may have a decimal comma or
    /// separators of thousands, as far as the other numbers tell (write the report with LC_ALL=C),
    /// a metric that a launch has twice with different values, a column that a header has twice, an
    /// ID with two kernels. NOT_FOUND when no launch matches, INVALID_ARGUMENT for a text_size
    /// above 2^32. What `netcl_roofline_analyze_metrics` says of missing metrics holds here too:
    /// the status is OK then, and `bottleneck` UNKNOWN.
    ///
    /// * `result`: the analysis of one launch, which `kernel` and `launch` name
    pub fn netcl_roofline_analyze_ncu(
        roofline: *const netcl_roofline,
        text: *const c_char,
        text_size: usize,
        options: *const netcl_ncu_options,
        result: *mut netcl_roofline_result,
    ) -> netcl_status;

    /// Enters a result into the history and decides whether optimising may stop: at the roofline
    /// (with early_stop), or when the efficiencies of the last convergence_rounds results lie
    /// within less than min_improvement_pct.
    ///
    /// * `stop`: 1: enough was measured; `netcl_roofline_get_reason` says why
    pub fn netcl_roofline_should_stop(
        roofline: *mut netcl_roofline,
        result: *const netcl_roofline_result,
        stop: *mut u32,
    ) -> netcl_status;

    /// Gives the reason of the last `netcl_roofline_should_stop`, "" when it said to go on.
    ///
    /// * `buffer`: the text
    ///
    /// * `length`: bytes of the text without the NUL; may be NULL
    pub fn netcl_roofline_get_reason(
        roofline: *const netcl_roofline,
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Forgets the history and the reason.
    pub fn netcl_roofline_reset_history(roofline: *mut netcl_roofline) -> netcl_status;

    /// Gives a result as text for people or as JSON. CSV is UNSUPPORTED.
    ///
    /// * `buffer`: the text
    ///
    /// * `length`: bytes of the text without the NUL; may be NULL
    pub fn netcl_roofline_format(
        result: *const netcl_roofline_result,
        format: netcl_format,
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Returns "memory_read" ... "device_to_host_pinned", and "invalid" for other values.
    pub fn netcl_ceiling_kind_name(kind: netcl_ceiling_kind) -> *const c_char;

    /// Makes ceilings without rows, to be filled with `netcl_ceilings_set`.
    ///
    /// * `ceilings`: one reference
    pub fn netcl_ceilings_create(ceilings: *mut *mut netcl_ceilings) -> netcl_status;

    /// Measures the limits of a device after waiting for what is enqueued on it, or gives those
    /// that were measured before: by this process, or by an earlier one on a device of the same
    /// part (see `netcl_device_get_part`), platform and driver, from the folder `ceilings` beside
    /// the program cache. Rows that were disproved since are no reason to keep the others: then
    /// everything is measured again. A figure is the best over vector widths and sizes of probes
    /// that store what they compute. Each probe runs at least five times after one that is not
    /// counted, whatever the budget; a limit that a device does not have (f64, f16, matrix units)
    /// has no row. What other programs do on the device meanwhile makes the figures worse: a row
    /// whose spread is above 0.25 is measured again, up to twice, and named in the log at the level
    /// WARNING when that does not help. One thread of all processes of the user measures at a time:
    /// the lock of the device is held, as by tuners. BUSY when another process holds it for 60
    /// seconds; other errors as for `netcl_device_finish`.
    ///
    /// * `ceilings`: one reference to rows of the caller's own
    pub fn netcl_ceilings_measure(
        device: *mut netcl_device,
        options: *const netcl_ceilings_options,
        ceilings: *mut *mut netcl_ceilings,
    ) -> netcl_status;

    /// Loads what `netcl_ceilings_save` wrote. IO, CORRUPT_DATA naming what is wrong, such as two
    /// rows of one kind, dtype and working set.
    ///
    /// * `ceilings`: one reference
    pub fn netcl_ceilings_load(
        path: *const c_char,
        ceilings: *mut *mut netcl_ceilings,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_ceilings_retain(ceilings: *mut netcl_ceilings) -> netcl_status;

    /// Gives a reference back; takes NULL.
    pub fn netcl_ceilings_release(ceilings: *mut netcl_ceilings);

    /// Tells where ceilings come from.
    ///
    /// * `info`: the facts
    pub fn netcl_ceilings_get_info(
        ceilings: *const netcl_ceilings,
        info: *mut netcl_ceilings_info,
    ) -> netcl_status;

    /// Gives all rows, sorted by kind, dtype and working set.
    ///
    /// * `rows`: at most capacity of them; may be NULL when capacity is 0
    ///
    /// * `count`: rows there are
    pub fn netcl_ceilings_get(
        ceilings: *const netcl_ceilings,
        rows: *mut netcl_ceiling,
        capacity: u32,
        count: *mut u32,
    ) -> netcl_status;

    /// Puts a figure of the caller in the place of the row of its kind, dtype and working set, or
    /// beside the others. Its value is above 0; given becomes 1 and disproved 0, whatever the row
    /// says.
    pub fn netcl_ceilings_set(
        ceilings: *mut netcl_ceilings,
        row: *const netcl_ceiling,
    ) -> netcl_status;

    /// Writes ceilings as JSON. The file is replaced as a whole or not at all. IO.
    pub fn netcl_ceilings_save(
        ceilings: *const netcl_ceilings,
        path: *const c_char,
    ) -> netcl_status;

    /// Analyzes a time against ceilings. compute_sol_pct is the time that the operations take at
    /// the COMPUTE ceiling of their dtype (TENSOR with matrix_units) over the time; f16 and bf16
    /// without a row take that of f32, integers that of i32. memory_sol_pct is the time that the
    /// bytes take over the time: as many read as written at the copy ceiling, the others at that of
    /// reads or writes; those of the caches where a measured working set holds all bytes and
    /// nothing is cold, interpolated between the two sets around it, else those of the memory. Work
    /// that is 0 has the share 0. Work without a ceiling counts as missing, as in
    /// `netcl_roofline_analyze_metrics`, and no work at all as both missing. A time that beats a
    /// ceiling by more than 5 % marks it as disproved and is warned of.
    ///
    /// * `result`: the analysis
    pub fn netcl_roofline_analyze_time(
        roofline: *const netcl_roofline,
        ceilings: *mut netcl_ceilings,
        time_ns: f64,
        work: *const netcl_work,
        result: *mut netcl_roofline_result,
    ) -> netcl_status;

    /// Analyzes the median of a measurement with the work that its ops declared: what a timed op
    /// achieves is `netcl_queue_time` and this.
    ///
    /// * `result`: the analysis
    pub fn netcl_roofline_analyze_statistics(
        roofline: *const netcl_roofline,
        ceilings: *mut netcl_ceilings,
        statistics: *const netcl_statistics,
        result: *mut netcl_roofline_result,
    ) -> netcl_status;

    /// Makes a space without parameters.
    ///
    /// * `space`: one reference
    pub fn netcl_space_create(space: *mut *mut netcl_space) -> netcl_status;

    /// Makes a space from T1 JSON, the format that tuners exchange: ConfigurationSpace with
    /// TuningParameters and Conditions. The Default of a parameter becomes its first value. Numbers
    /// of a parameter of Type int that are not whole stay floats. GlobalSize and LocalSize of
    /// KernelSpecification become the work size; GlobalSizeType CUDA and Vulkan count groups, and
    /// so does a file without it whose Language is one of these. CORRUPT_DATA naming the member
    /// that is wrong.
    ///
    /// * `space`: one reference
    pub fn netcl_space_create_from_t1(
        text: *const c_char,
        text_size: usize,
        space: *mut *mut netcl_space,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_space_retain(space: *mut netcl_space) -> netcl_status;

    /// Gives a reference back; takes NULL.
    pub fn netcl_space_release(space: *mut netcl_space);

    /// Adds a parameter of integers. Its name is an identifier and no word of formulas (and, if,
    /// True ...), its values differ.
    pub fn netcl_space_add_ints(
        space: *mut netcl_space,
        name: *const c_char,
        values: *const i64,
        values_count: u32,
    ) -> netcl_status;

    /// Adds a parameter of floats, all of them finite.
    pub fn netcl_space_add_floats(
        space: *mut netcl_space,
        name: *const c_char,
        values: *const f64,
        values_count: u32,
    ) -> netcl_status;

    /// Adds a parameter that is false or true, in this order.
    pub fn netcl_space_add_bool(space: *mut netcl_space, name: *const c_char) -> netcl_status;

    /// Adds a parameter of texts, which are UTF-8.
    pub fn netcl_space_add_texts(
        space: *mut netcl_space,
        name: *const c_char,
        values: *const *const c_char,
        values_count: u32,
    ) -> netcl_status;

    /// Adds a constraint. INVALID_ARGUMENT naming the column and what was expected there.
    pub fn netcl_space_add_constraint(
        space: *mut netcl_space,
        formula: *const c_char,
    ) -> netcl_status;

    /// Says by formulas how many work items a kernel gets with a configuration and how many form a
    /// group, so that the work of one item can be tuned: "ceil(n / (TX \* WPT)) \* TX" and "TX".
    /// Two and three dimensions have commas between them. Names are the parameters, those that a
    /// tuner adds (LOCAL_X, TILE_SIZE ...) among them; global_x, global_y and global_z, the size
    /// that `netcl_tuner_add` and `netcl_kernel_launch` are given; the integer arguments of the
    /// kernel by the names of their parameters, as far as the driver tells these; and the limits of
    /// a device. Of two of one name the first counts. Constraints may name them too where the space
    /// is tuned. NULL global_size: as given. NULL local_size: as tuned without formulas. "" is as
    /// NULL. What was set before is replaced. INVALID_ARGUMENT naming the column and what was
    /// expected there, and for more than 3 dimensions. Whether names are known and how many
    /// dimensions there have to be is seen by `netcl_tuner_add`. A configuration whose size is 0,
    /// negative, no integer, too large, or no multiple of its local size is CONSTRAINTS with the
    /// formula and its value, and so is one whose formula divides by zero.
    pub fn netcl_space_set_work_size(
        space: *mut netcl_space,
        global_size: *const c_char,
        local_size: *const c_char,
    ) -> netcl_status;

    /// Counts the configurations that satisfy all constraints with the limits of a device; NULL
    /// capabilities: a constraint that names a limit is INVALID_ARGUMENT. A constraint is tried as
    /// soon as its parameters have values, and parameters without one are not walked, so that large
    /// spaces cost little; constraints that need more than 2^24 steps are INVALID_ARGUMENT.
    ///
    /// * `count`: the number
    pub fn netcl_space_get_count(
        space: *const netcl_space,
        capabilities: *const netcl_device_capabilities,
        count: *mut u64,
    ) -> netcl_status;

    /// Gives the index-th valid configuration, the first parameter changing slowest. NOT_FOUND past
    /// the end.
    ///
    /// * `config`: one reference
    pub fn netcl_space_get_config(
        space: *const netcl_space,
        capabilities: *const netcl_device_capabilities,
        index: u64,
        config: *mut *mut netcl_config,
    ) -> netcl_status;

    /// Explains why a configuration is not in the space: the value that is none, or the constraint
    /// that fails with the values it depends on; "" when it is.
    ///
    /// * `buffer`: the text
    ///
    /// * `length`: bytes of the text without the NUL; may be NULL
    pub fn netcl_space_explain(
        space: *const netcl_space,
        capabilities: *const netcl_device_capabilities,
        config: *const netcl_config,
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Makes a configuration from JSON, {"TILE": 16, "MODE": "fast"}; it need not be valid
    /// anywhere. CORRUPT_DATA for what is no such object, and for a NUL in a name or a text.
    ///
    /// * `config`: one reference
    pub fn netcl_config_create_from_json(
        text: *const c_char,
        text_size: usize,
        config: *mut *mut netcl_config,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_config_retain(config: *mut netcl_config) -> netcl_status;

    /// Gives a reference back; takes NULL.
    pub fn netcl_config_release(config: *mut netcl_config);

    /// Gives an integer or bool by name. NOT_FOUND naming the parameters there are,
    /// INVALID_ARGUMENT when the value is of another type; so for the next two.
    ///
    /// * `value`: the value
    pub fn netcl_config_get_int(
        config: *const netcl_config,
        name: *const c_char,
        value: *mut i64,
    ) -> netcl_status;

    /// Gives a number by name.
    ///
    /// * `value`: the value
    pub fn netcl_config_get_float(
        config: *const netcl_config,
        name: *const c_char,
        value: *mut f64,
    ) -> netcl_status;

    /// Gives a text by name.
    ///
    /// * `buffer`: the text
    ///
    /// * `length`: bytes of the text without the NUL; may be NULL
    pub fn netcl_config_get_text(
        config: *const netcl_config,
        name: *const c_char,
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Gives all values as JSON.
    ///
    /// * `buffer`: the text
    ///
    /// * `length`: bytes of the text without the NUL; may be NULL
    pub fn netcl_config_get_json(
        config: *const netcl_config,
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Opens a database. NULL path: that of this user, tuning-1.jsonl in the directory of the
    /// program cache, which dispatch uses and which is opened once per process; where that
    /// directory cannot be used it lives in memory. ":memory:" is an empty one without a file; else
    /// the path of a file, which is made at the first record. IO for a file that cannot be read, is
    /// a symbolic link, or may have been written by another user, CORRUPT_DATA for one with lines
    /// of which none begins like a record, INVALID_ARGUMENT for an empty path.
    ///
    /// * `database`: one reference
    pub fn netcl_tuning_database_open(
        path: *const c_char,
        database: *mut *mut netcl_tuning_database,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_tuning_database_retain(database: *mut netcl_tuning_database) -> netcl_status;

    /// Gives a reference back; takes NULL.
    pub fn netcl_tuning_database_release(database: *mut netcl_tuning_database);

    /// Verifies the file line by line and counts.
    ///
    /// * `info`: the facts
    pub fn netcl_tuning_database_get_info(
        database: *mut netcl_tuning_database,
        info: *mut netcl_tuning_database_info,
    ) -> netcl_status;

    /// Looks for the best configuration: the exact key, else the same part, shape and scalars with
    /// another driver, else the nearest of these (in log space; of two as near the smaller one).
    /// Quarantined configurations are passed over. `device` (may be NULL) fills in part and driver.
    /// No match is no error: record-\>match is NONE.
    ///
    /// * `record`: the record, all zero with no match
    ///
    /// * `config`: one reference, NULL with no match; may be NULL
    pub fn netcl_tuning_database_lookup(
        database: *mut netcl_tuning_database,
        device: *const netcl_device,
        key: *const netcl_tuning_key,
        record: *mut netcl_tuning_record,
        config: *mut *mut netcl_config,
    ) -> netcl_status;

    /// Stores a record: kind, outcome, times, timestamp (0: now) and reason of `record`, the rest
    /// of the key. A record replaces the one of its kind and key, and of its configuration unless
    /// the kind is BEST. `device` (may be NULL) as for a lookup. Records that other processes
    /// appended are taken in too. INVALID_ARGUMENT for texts that are no UTF-8, for negative
    /// extents, and for a BEST with an outcome other than CORRECT, CANCELLED (the best so far) and
    /// UNKNOWN. IO or TIMEOUT when the file cannot be written; the record is then kept in memory.
    pub fn netcl_tuning_database_put(
        database: *mut netcl_tuning_database,
        device: *const netcl_device,
        key: *const netcl_tuning_key,
        config: *const netcl_config,
        record: *const netcl_tuning_record,
    ) -> netcl_status;

    /// Takes in what other processes appended.
    pub fn netcl_tuning_database_refresh(database: *mut netcl_tuning_database) -> netcl_status;

    /// Gives the index-th record in force, in the order of their coming. NOT_FOUND past the end.
    ///
    /// * `record`: the record
    ///
    /// * `config`: one reference; may be NULL
    pub fn netcl_tuning_database_get_record(
        database: *mut netcl_tuning_database,
        index: u64,
        record: *mut netcl_tuning_record,
        config: *mut *mut netcl_config,
    ) -> netcl_status;

    /// Adds the records of another file, those apart that are older than what is known of their
    /// key. Fails as `netcl_tuning_database_open`, and with IO where there is no file.
    ///
    /// * `count`: records that were added; may be NULL
    pub fn netcl_tuning_database_merge(
        database: *mut netcl_tuning_database,
        path: *const c_char,
        count: *mut u64,
    ) -> netcl_status;

    /// Replaces the file, at once for all processes, by one without superseded and damaged lines.
    pub fn netcl_tuning_database_compact(database: *mut netcl_tuning_database) -> netcl_status;

    /// Removes the records of a kernel or op; NULL kernel: all records. INVALID_ARGUMENT for "".
    pub fn netcl_tuning_database_clear(
        database: *mut netcl_tuning_database,
        kernel: *const c_char,
    ) -> netcl_status;

    /// Gives the measurements of a kernel (NULL kernel: of all) as T4 JSON, the format that tuners
    /// exchange, or all records as CSV. TEXT is UNSUPPORTED.
    ///
    /// * `buffer`: the text
    ///
    /// * `length`: bytes of the text without the NUL; may be NULL
    pub fn netcl_tuning_database_export(
        database: *mut netcl_tuning_database,
        kernel: *const c_char,
        format: netcl_format,
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Gives the part of a device, as keys have it: what decides its speed and is the same in every
    /// process, separated by \|. These are vendor, name, and the compute units of a GPU or
    /// accelerator or the processor of the built-in device; free memory, limits and threads are
    /// none of it. Keys and records with a part in the form of 0.1.0 (units and memory in GiB at
    /// the end) are read as one of this form.
    ///
    /// * `buffer`: the text
    ///
    /// * `length`: bytes of the text without the NUL; may be NULL
    pub fn netcl_device_get_part(
        device: *const netcl_device,
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Tells whether a record may answer a look-up for a device: EXACT, OTHER_DRIVER, or OTHER_PART
    /// when it may not. Shape, source and flags are not looked at.
    ///
    /// * `match`: how well part and driver agree
    pub fn netcl_device_match_record(
        device: *const netcl_device,
        record: *const netcl_tuning_record,
        match_: *mut netcl_match,
    ) -> netcl_status;

    /// Makes a benchmark with an empty record. The worker starts with the first candidate.
    /// UNSUPPORTED on the built-in device, which runs no OpenCL C, and without a worker, naming
    /// where it was looked for. All functions of a benchmark are BUSY while another one of it runs.
    ///
    /// * `benchmark`: one reference
    pub fn netcl_benchmark_create(
        device: *mut netcl_device,
        options: *const netcl_benchmark_options,
        benchmark: *mut *mut netcl_benchmark,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_benchmark_retain(benchmark: *mut netcl_benchmark) -> netcl_status;

    /// Gives a reference back; takes NULL. The worker ends with the last one.
    pub fn netcl_benchmark_release(benchmark: *mut netcl_benchmark);

    /// Adds a tensor to the record. INVALID_ARGUMENT once the record is in use; so for the next
    /// two.
    pub fn netcl_benchmark_add_tensor(
        benchmark: *mut netcl_benchmark,
        tensor: *const netcl_benchmark_tensor,
    ) -> netcl_status;

    /// Adds a scalar or struct of 1 to 65536 bytes to the record.
    pub fn netcl_benchmark_add_scalar(
        benchmark: *mut netcl_benchmark,
        data: *const c_void,
        data_size: usize,
    ) -> netcl_status;

    /// Adds local memory to the record.
    pub fn netcl_benchmark_add_local(benchmark: *mut netcl_benchmark, bytes: u64) -> netcl_status;

    /// Gives the tensor of an argument in this process, for a baseline that is not a kernel; it
    /// holds what it does in round 0 at first. INVALID_ARGUMENT when the argument is no tensor.
    ///
    /// * `tensor`: one reference
    pub fn netcl_benchmark_get_tensor(
        benchmark: *mut netcl_benchmark,
        index: u32,
        tensor: *mut *mut netcl_tensor,
    ) -> netcl_status;

    /// Brings the tensors of this process into their first state for a round.
    pub fn netcl_benchmark_prepare(benchmark: *mut netcl_benchmark, round: u32) -> netcl_status;

    /// Keeps what the outputs of this process hold now as what candidates have to give in a round.
    /// Candidates are checked in the rounds that are kept, in all rounds without values when none
    /// is.
    pub fn netcl_benchmark_keep(benchmark: *mut netcl_benchmark, round: u32) -> netcl_status;

    /// Times the baseline: for each round prepares, calls `work` once and keeps; then measures
    /// `work` on the device's default queue as `netcl_queue_time` does, over the contents of round
    /// 0\. `work` uses the tensors of `netcl_benchmark_get_tensor`. Fails with what it returns.
    ///
    /// * `statistics`: the statistics
    pub fn netcl_benchmark_time_baseline(
        benchmark: *mut netcl_benchmark,
        work: netcl_work_fn,
        user_data: *mut c_void,
        options: *const netcl_measurement_options,
        statistics: *mut netcl_statistics,
    ) -> netcl_status;

    /// The same with a kernel of this process over the record's arguments.
    ///
    /// * `statistics`: the statistics
    pub fn netcl_benchmark_time_kernel(
        benchmark: *mut netcl_benchmark,
        kernel: *mut netcl_kernel,
        global: *const u64,
        global_count: u32,
        local: *const u64,
        local_count: u32,
        options: *const netcl_measurement_options,
        statistics: *mut netcl_statistics,
    ) -> netcl_status;

    /// Sets the statistics of a baseline that was measured otherwise: with
    /// `netcl_benchmark_prepare`, `netcl_benchmark_keep` and a `netcl_measurement` over the
    /// tensors, which needs no callback. INVALID_ARGUMENT without samples.
    pub fn netcl_benchmark_set_baseline(
        benchmark: *mut netcl_benchmark,
        statistics: *const netcl_statistics,
    ) -> netcl_status;

    /// Builds, checks and times a candidate in the worker; a worker that dies is replaced. Whatever
    /// is wrong with the candidate is an outcome and no error. Fails with INVALID_ARGUMENT for a
    /// candidate that nobody could run, and where what it would have to give leaves a tensor of OUT
    /// or INOUT as it was, since then nothing tells whether it writes it; IO when its file cannot
    /// be read, BUSY when another user holds the device, TIMEOUT or UNSUPPORTED when no worker can
    /// be started. options-\>measurement must be NULL.
    ///
    /// * `result`: what became of it
    pub fn netcl_benchmark_run(
        benchmark: *mut netcl_benchmark,
        candidate: *const netcl_benchmark_candidate,
        options: *const netcl_measurement_options,
        result: *mut netcl_benchmark_result,
    ) -> netcl_status;

    /// Gives the first 4 KiB of the build log of the last candidate.
    ///
    /// * `buffer`: the text
    ///
    /// * `length`: bytes of the text without the NUL; may be NULL
    pub fn netcl_benchmark_get_build_log(
        benchmark: *const netcl_benchmark,
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Gives the baseline and all candidates so far as JSON, times in milliseconds: mean, std, min,
    /// max and speedup. A candidate that failed has a time of null and a reason.
    ///
    /// * `buffer`: the text
    ///
    /// * `length`: bytes of the text without the NUL; may be NULL
    pub fn netcl_benchmark_get_json(
        benchmark: *const netcl_benchmark,
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Makes a search over a space, which is copied. The default configuration (NULL standard: the
    /// first of the space) is measured first and wins ties; INVALID_ARGUMENT with the reason when
    /// it is not valid in the space, for a space without valid configurations, for one that cannot
    /// be counted, and with EXHAUSTIVE for one with more than 2^20.
    ///
    /// * `search`: one reference
    pub fn netcl_search_create(
        space: *const netcl_space,
        capabilities: *const netcl_device_capabilities,
        standard: *const netcl_config,
        options: *const netcl_search_options,
        search: *mut *mut netcl_search,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_search_retain(search: *mut netcl_search) -> netcl_status;

    /// Gives a reference back; takes NULL.
    pub fn netcl_search_release(search: *mut netcl_search);

    /// Tells what to measure next: `samples` times of one candidate, to be told before the next
    /// ask. Each gets 1, then 3, then 10 samples, unless it is surely slower than drop_factor times
    /// the best; a single sample has to be twice that slow. Those that are left take turns in
    /// random order until they are told apart or have options-\>samples each.
    ///
    /// * `candidate`: its index, from 0 (the default) in the order of their first ask
    ///
    /// * `samples`: 0: the search is over
    ///
    /// * `config`: one reference, NULL when it is over; may be NULL
    pub fn netcl_search_ask(
        search: *mut netcl_search,
        candidate: *mut u32,
        samples: *mut u64,
        config: *mut *mut netcl_config,
    ) -> netcl_status;

    /// Tells times of a candidate in nanoseconds, any number of them.
    pub fn netcl_search_tell(
        search: *mut netcl_search,
        candidate: u32,
        samples: *const f64,
        samples_count: u64,
    ) -> netcl_status;

    /// Tells that a candidate is not valid; it is not asked for again. `message` may be NULL.
    pub fn netcl_search_tell_failure(
        search: *mut netcl_search,
        candidate: u32,
        outcome: netcl_outcome,
        message: *const c_char,
    ) -> netcl_status;

    /// Ends a search at the next ask, from any thread.
    pub fn netcl_search_cancel(search: *mut netcl_search) -> netcl_status;

    /// Reads the oldest kept event whose sequence is greater than `after`, waiting for it when need
    /// be. The last 1024 are kept. TIMEOUT when none came, NOT_FOUND when the search is over and
    /// none will.
    ///
    /// * `event`: the event
    pub fn netcl_search_read_event(
        search: *mut netcl_search,
        after: u64,
        timeout_ns: u64,
        event: *mut netcl_search_event,
    ) -> netcl_status;

    /// Gives what was found, so far or in the end.
    ///
    /// * `result`: the result
    pub fn netcl_search_get_result(
        search: *mut netcl_search,
        result: *mut netcl_search_result,
    ) -> netcl_status;

    /// Gives the winner: the fastest, or the default where the fastest cannot be told from it with
    /// a confidence of 0.999. NOT_FOUND with the counts of what was wrong when nothing is valid.
    ///
    /// * `config`: one reference
    pub fn netcl_search_get_best(
        search: *mut netcl_search,
        config: *mut *mut netcl_config,
    ) -> netcl_status;

    /// Gives a candidate. NOT_FOUND past the last one.
    ///
    /// * `info`: the facts
    ///
    /// * `config`: one reference; may be NULL
    pub fn netcl_search_get_candidate(
        search: *mut netcl_search,
        index: u32,
        info: *mut netcl_search_candidate,
        config: *mut *mut netcl_config,
    ) -> netcl_status;

    /// Gives the samples of a candidate, those of the final last.
    ///
    /// * `samples`: at most capacity of them; may be NULL when capacity is 0
    ///
    /// * `count`: samples there are
    pub fn netcl_search_get_samples(
        search: *mut netcl_search,
        index: u32,
        samples: *mut f64,
        capacity: u64,
        count: *mut u64,
    ) -> netcl_status;

    /// Gives the first message of an outcome with its configuration, "" when there was none.
    ///
    /// * `buffer`: the text
    ///
    /// * `length`: bytes of the text without the NUL; may be NULL
    pub fn netcl_search_get_failure(
        search: *mut netcl_search,
        outcome: netcl_outcome,
        buffer: *mut c_char,
        capacity: usize,
        length: *mut usize,
    ) -> netcl_status;

    /// Runs a search against recorded times: T4 JSON, as `netcl_tuning_database_export` writes it,
    /// or the cache files of Kernel Tuner, in which a time may stand for the object that holds it.
    /// Its space is the configurations of the recording; those that have no time fail when they are
    /// tried. Of two entries of one configuration the later counts. One with fewer parameters than
    /// others, such as a default outside of the space, is left out. Times are milliseconds where no
    /// "unit" or "timeunit" is given: ns, us, ms, s or the word. CORRUPT_DATA naming what is wrong
    /// with the text, or a unit, when no configuration has a time, and for results of several
    /// problems, which exports name.
    ///
    /// * `result`: how the search did
    pub fn netcl_search_replay(
        text: *const c_char,
        text_size: usize,
        options: *const netcl_search_options,
        result: *mut netcl_replay_result,
    ) -> netcl_status;

    /// Stores the candidates as measurements and, when the search has ended other than by
    /// cancelling, the winner as best, and configurations that crashed, hung, were wrong or wrote
    /// out of bounds in quarantine, the default apart. `device` (may be NULL) as for a lookup.
    pub fn netcl_search_store(
        search: *mut netcl_search,
        database: *mut netcl_tuning_database,
        device: *const netcl_device,
        key: *const netcl_tuning_key,
    ) -> netcl_status;

    /// Takes over the measurements that are stored for the same key and space, before the first
    /// ask: those configurations are not asked for in the first rounds again. The default is always
    /// measured. `device` (may be NULL) as for a lookup.
    ///
    /// * `count`: configurations that were taken over; may be NULL
    pub fn netcl_search_resume(
        search: *mut netcl_search,
        database: *mut netcl_tuning_database,
        device: *const netcl_device,
        key: *const netcl_tuning_key,
        count: *mut u64,
    ) -> netcl_status;

    /// Makes a tuner without entries. UNSUPPORTED naming the paths that were tried when candidates
    /// of kernels are to run in the worker and there is none: found when the first one is to run.
    ///
    /// * `tuner`: one reference
    pub fn netcl_tuner_create(
        device: *mut netcl_device,
        options: *const netcl_tuner_options,
        tuner: *mut *mut netcl_tuner,
    ) -> netcl_status;

    /// Adds a reference.
    pub fn netcl_tuner_retain(tuner: *mut netcl_tuner) -> netcl_status;

    /// Gives a reference back; takes NULL.
    pub fn netcl_tuner_release(tuner: *mut netcl_tuner);

    /// Adds a kernel with its work size and arguments; an entry of the same kernel, size and
    /// integer arguments is replaced. The contents of the arguments are read now and never written:
    /// candidates work on copies, and what the kernel may write begins as random numbers where it
    /// holds floats, so that the results of an earlier launch hide nothing. Candidates are checked
    /// on these contents, and on the same with their floats times one factor between 1/2 and 1.
    /// Integers are the same in both checks: they may be places, bounds or links, which are sound
    /// as they are and in no other order. So a candidate that is right for these integers alone is
    /// not found out, nor one that does not write integers which hold their results already. Where
    /// the kernel leaves all that it may write as it was, the entry fails with INVALID_ARGUMENT.
    ///
    /// NULL args: those of the kernel's last launch of this size, its buffers filled anew; else
    /// buffers of the sizes that the device's pool leased most often. Each of the two checks has
    /// random contents of its own: floats from 0 to 1, bools, and integers from 0 to below the root
    /// of the element count of the smallest tensor that has more than one element (0 and 1 at
    /// least), which can be places, labels or counts. An integer alone in its tensor begins as 0,
    /// as a counter does. Give `args` where the kernel asks more of its integers. What cannot be
    /// known without args, such as a scalar, is INVALID_ARGUMENT naming the argument.
    ///
    /// `netcl_tuner_run` builds the kernel in this process, and launches it here with
    /// `netcl_tuner_options.in_process` = 1. Arguments are refused as `netcl_kernel_launch` refuses
    /// them. A list for a macro that the source does not use is INVALID_ARGUMENT too, UNSUPPORTED a
    /// kernel without source.
    pub fn netcl_tuner_add(
        tuner: *mut netcl_tuner,
        kernel: *mut netcl_kernel,
        global: *const u64,
        global_count: u32,
        args: *const netcl_arg,
        args_count: u32,
        tuning: *const netcl_kernel_tuning,
    ) -> netcl_status;

    /// Adds `batch` products of m x k by k x n (1: one alone): their variant, their tile sizes and
    /// split_k are tuned, in this process, on random matrices. UNSUPPORTED for dtypes other than
    /// f16, bf16, f32 and f64, INVALID_ARGUMENT for an extent below 1 and operands or a result of
    /// more than 2^60 elements.
    pub fn netcl_tuner_add_matmul(
        tuner: *mut netcl_tuner,
        batch: i64,
        m: i64,
        n: i64,
        k: i64,
        dtype: netcl_dtype,
    ) -> netcl_status;

    /// Adds a convolution, likewise.
    pub fn netcl_tuner_add_conv2d(
        tuner: *mut netcl_tuner,
        shape: *const netcl_conv2d_shape,
        dtype: netcl_dtype,
    ) -> netcl_status;

    /// Adds sums of `count` elements each, `outputs` of them, likewise.
    pub fn netcl_tuner_add_reduction(
        tuner: *mut netcl_tuner,
        outputs: i64,
        count: i64,
        dtype: netcl_dtype,
    ) -> netcl_status;

    /// Tunes all entries, one after the other, but those whose winner the database has: of the same
    /// space, or put there without one (`netcl_tuning_database_put`); that of another space is
    /// replaced by what is found, faster or not. What is wrong with one is in its result, and the
    /// others go on; CANCELLED when `netcl_tuner_cancel` ended it. Of several threads or tuners of
    /// a process that come to one key, one measures and the others take its result. Configurations
    /// that build the same program for the same local size are measured once, and so are those of
    /// an op that come to the same variant with the same sizes. An entry whose work is declared, as
    /// ops do and tuning-\>work does, has the roofline as its roof_ns once the ceilings of the
    /// device were measured (`netcl_ceilings_measure`, also in an earlier process).
    pub fn netcl_tuner_run(tuner: *mut netcl_tuner) -> netcl_status;

    /// Ends the run that is under way, if any, from any thread; a run that begins later is not
    /// affected. Nothing wins. Each candidate is stored as it is known, so the next run without
    /// options-\>force goes on where this one stopped, also when the process was killed.
    pub fn netcl_tuner_cancel(tuner: *mut netcl_tuner) -> netcl_status;

    /// Reads events of all entries as `netcl_search_read_event` does. NOT_FOUND while no run is
    /// under way and none is left.
    ///
    /// * `event`: the event
    pub fn netcl_tuner_read_event(
        tuner: *mut netcl_tuner,
        after: u64,
        timeout_ns: u64,
        event: *mut netcl_search_event,
    ) -> netcl_status;

    /// Counts the entries.
    ///
    /// * `count`: the number
    pub fn netcl_tuner_get_count(tuner: *mut netcl_tuner, count: *mut u32) -> netcl_status;

    /// Gives the result of an entry, in the order in which they were added. NOT_FOUND past the last
    /// one.
    ///
    /// * `result`: how it stands
    ///
    /// * `config`: one reference, NULL when there is none; may be NULL
    pub fn netcl_tuner_get_result(
        tuner: *mut netcl_tuner,
        index: u32,
        result: *mut netcl_tuner_result,
        config: *mut *mut netcl_config,
    ) -> netcl_status;

    /// Gives the search of an entry with all candidates. NOT_FOUND for one that was not measured.
    ///
    /// * `search`: one reference
    pub fn netcl_tuner_get_search(
        tuner: *mut netcl_tuner,
        index: u32,
        search: *mut *mut netcl_search,
    ) -> netcl_status;

    /// Looks up what dispatch uses for a kernel or op of that name and size: by an entry of the
    /// name, else by what the database has for it on this device, the latest where there are
    /// several; the integer arguments are those of what it was found by. For a near size that is
    /// less than was stored: a kernel's macros are not used, its local size is made a divisor, and
    /// a product's depth is not cut. NOT_FOUND for a name that neither knows; no match is no error.
    ///
    /// Ops have the names "op.matmul", with the extents m, n, k, batch; "op.conv2d", with batch,
    /// channels, height, width, filters; and "op.reduction", with outputs, count. INVALID_ARGUMENT
    /// for an op with another number of extents.
    ///
    /// * `match`: how well it fits
    ///
    /// * `config`: one reference, NULL with no match
    pub fn netcl_tuner_lookup(
        tuner: *mut netcl_tuner,
        name: *const c_char,
        global: *const u64,
        global_count: u32,
        match_: *mut netcl_match,
        config: *mut *mut netcl_config,
    ) -> netcl_status;

    /// Writes the database's records of this tuner's entries to a new file, as lines of a database.
    pub fn netcl_tuner_save(tuner: *mut netcl_tuner, path: *const c_char) -> netcl_status;

    /// Adds the records of a file to the database: `netcl_tuning_database_merge`.
    pub fn netcl_tuner_load(tuner: *mut netcl_tuner, path: *const c_char) -> netcl_status;

    /// Removes the entries, and the database's records of them.
    pub fn netcl_tuner_clear(tuner: *mut netcl_tuner) -> netcl_status;

    /// Tunes one kernel: a tuner with one entry, which measures as `netcl_tuner_run` does: what the
    /// database has is taken, what an earlier run began is gone on with, and options-\>force = 1
    /// begins anew. Fails with what the entry failed with.
    ///
    /// * `config`: one reference: the winner
    ///
    /// * `search`: one reference: all candidates, NULL when nothing was measured because the winner
    ///   was stored; may be NULL
    pub fn netcl_kernel_autotune(
        kernel: *mut netcl_kernel,
        global: *const u64,
        global_count: u32,
        args: *const netcl_arg,
        args_count: u32,
        tuning: *const netcl_kernel_tuning,
        options: *const netcl_tuner_options,
        config: *mut *mut netcl_config,
        search: *mut *mut netcl_search,
    ) -> netcl_status;
}
