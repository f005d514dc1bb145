/*
 * netcl: OpenCL compute for every language that can call C.
 *
 * Devices, N-d tensors, buffer pools, kernels, fused expressions and fast ops as one shared
 * library. It runs on any OpenCL driver, on PoCL, and on the built-in CPU device where there is no
 * OpenCL.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Conventions, which hold for every declaration below
 *
 * Handles.  netcl_device, netcl_tensor and the like are opaque. A handle's value is a key into a
 *   table, never an address, so every function refuses one that is NULL, released, of another type,
 *   of another copy of the library or never issued with NETCL_ERROR_INVALID_HANDLE. Whatever a
 *   function returns through an output parameter of handle type is one reference, which the caller
 *   gives back with netcl_X_release. netcl_X_retain adds a reference; BUSY at 2^24 - 1 of them.
 * Release.  netcl_X_release takes NULL, may run on any thread and in any order (children keep their
 *   parents), never waits for the device and never changes the last error. A bad handle given to it
 *   is only logged.
 * Status.   Every other fallible function returns a netcl_status: NETCL_OK or a negative code. A
 *   failing call leaves its outputs untouched or zeroed and its inputs usable, and sets the calling
 *   thread's last error; a call that succeeds never changes it. Every function can fail with
 *   INVALID_HANDLE, INVALID_ARGUMENT, OUT_OF_HOST_MEMORY and FORKED; comments name the other codes.
 * Order.    Object, inputs (an array before its count; the one triple is rank, shape, strides),
 *   options, outputs last.
 * Structs.  Structs of options and of information begin with size_t struct_size, which the caller
 *   sets to sizeof the struct (NETCL_X_INIT does). Zero means "default" in every member, NULL
 *   options mean all defaults. Members are only ever appended. Options: a size below that of the
 *   first release is INVALID_ARGUMENT; a larger one (at most 64 KiB) is UNSUPPORTED unless the
 *   tail is zero; reserved members must be zero. Information: the library writes as much as fits
 *   and zeroes the rest.
 * Shapes.   Extents and strides are int64_t and count elements. NULL strides mean C order. Negative
 *   strides and strides of 0 are legal in views. Rank is at most NETCL_RANK_MAX; rank 0 is a
 *   scalar; an extent of 0 makes an empty tensor. Tensors may be larger than 4 GiB.
 * Text.     Names are NUL-terminated UTF-8. Text comes back through (buffer, capacity, length):
 *   length receives the bytes needed without the NUL, and at most capacity bytes are written, NUL
 *   included. A capacity of 0 with a NULL buffer asks for the length only.
 * Time.     uint64_t nanoseconds. Every wait takes a timeout; 0 polls, NETCL_WAIT_FOREVER waits
 *   without limit. A wait that runs out of time returns NETCL_ERROR_TIMEOUT and changes nothing.
 * Threads.  "Shareable" objects may be used by any number of threads at once. "Movable" ones may
 *   change threads but not be used by two at the same time. All handle types here are shareable.
 * Calls into the host.  Callbacks run only inside a call that the host made, on its thread, after
 *   every lock is dropped. They must not unwind (throw, longjmp) through the library.
 * Output.   The library never prints, aborts, exits or changes a signal disposition, unless
 *   netcl_interrupt_enable asked for it. Messages go to the log.
 * Ordering. Commands that touch the same memory take effect in the order of the calls that enqueued
 *   them, whatever queues of their device they are on. Events are needed only to time, to wait on
 *   the host, to order work of several devices, and to order what the caller enqueues itself.
 * Results.  Memory that is written (a new layout, run->into, a tensor that is filled or written)
 *   must give each element a place of its own; a layout that the library cannot easily tell to do
 *   so (strides that interleave) is refused with INVALID_ARGUMENT.
 */
#ifndef NETCL_H
#define NETCL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NETCL_VERSION_MAJOR 0
#define NETCL_VERSION_MINOR 1
#define NETCL_VERSION_PATCH 0
/** major * 1000000 + minor * 1000 + patch. */
#define NETCL_VERSION_NUMBER 1000

#if defined(__GNUC__)
#define NETCL_API __attribute__((visibility("default")))
#else
#define NETCL_API
#endif

/** Largest rank of a tensor. */
#define NETCL_RANK_MAX 8
/** Largest number of dimensions of a launch. */
#define NETCL_LAUNCH_RANK_MAX 3
/** Largest number of arguments of a kernel and of inputs of an expression. */
#define NETCL_ARGS_MAX 64
/** A timeout that never runs out. */
#define NETCL_WAIT_FOREVER ((uint64_t)-1)

/* ---- Handles --------------------------------------------------------------------------------- */

/** A compute device with its context and its default queue. Shareable. */
typedef struct netcl_device netcl_device;
/** An in-order or out-of-order command queue of a device. Shareable. */
typedef struct netcl_queue netcl_queue;
/** The completion of one command. Shareable. */
typedef struct netcl_event netcl_event;
/** A cache of device memory or of page-locked host memory. Shareable. */
typedef struct netcl_pool netcl_pool;
/** A piece of memory: a lease from a pool, or memory made on its own. Shareable. */
typedef struct netcl_buffer netcl_buffer;
/** An N-d array: a shape, strides and a dtype over a piece of memory. Shareable. */
typedef struct netcl_tensor netcl_tensor;
/** A kernel specification and what it was built to. Shareable. */
typedef struct netcl_kernel netcl_kernel;
/** A parsed elementwise expression, bound to no device. Shareable. */
typedef struct netcl_expression netcl_expression;

/** The types of handles, for netcl_library_get_live_count. */
typedef int32_t netcl_handle_type;
enum netcl_handle_type_value {
  NETCL_HANDLE_DEVICE = 1,
  NETCL_HANDLE_QUEUE = 2,
  NETCL_HANDLE_EVENT = 3,
  NETCL_HANDLE_POOL = 4,
  NETCL_HANDLE_BUFFER = 5,
  NETCL_HANDLE_TENSOR = 6,
  NETCL_HANDLE_KERNEL = 7,
  NETCL_HANDLE_EXPRESSION = 8
};

/* OpenCL and DLPack objects cross the interface under their own tags; neither header is needed. */
struct _cl_context;
struct _cl_device_id;
struct _cl_command_queue;
struct _cl_mem;
struct _cl_event;
struct DLManagedTensor;

/* ---- Status ---------------------------------------------------------------------------------- */

/** The outcome of a call. Values are never renumbered. */
typedef int32_t netcl_status;
enum netcl_status_value {
  NETCL_OK = 0,
  NETCL_ERROR_INVALID_ARGUMENT = -1,    /**< an argument is wrong; the message names it */
  NETCL_ERROR_INVALID_HANDLE = -2,      /**< NULL, released, of another type, foreign */
  NETCL_ERROR_NO_DEVICE = -3,           /**< no such device; the message says why */
  NETCL_ERROR_OUT_OF_HOST_MEMORY = -4,
  NETCL_ERROR_OUT_OF_DEVICE_MEMORY = -5,
  NETCL_ERROR_BUILD_FAILURE = -6,       /**< see netcl_kernel_get_build_log */
  NETCL_ERROR_LAUNCH_FAILURE = -7,      /**< the driver refused or failed a command */
  NETCL_ERROR_DEVICE_LOST = -8,         /**< the device is gone; open it again */
  NETCL_ERROR_FORKED = -9,              /**< the object was made before fork() */
  NETCL_ERROR_UNSUPPORTED = -10,        /**< this device or release cannot do it */
  NETCL_ERROR_NOT_PROFILED = -11,       /**< no times were recorded for the command */
  NETCL_ERROR_NOT_FOUND = -12,
  NETCL_ERROR_BUSY = -13,               /**< a limit of things in flight is reached */
  NETCL_ERROR_TIMEOUT = -14,
  NETCL_ERROR_CANCELLED = -15,          /**< interrupted, see netcl_interrupt_enable */
  NETCL_ERROR_IO = -16,                 /**< a file could not be read or written */
  NETCL_ERROR_CORRUPT_DATA = -17,       /**< a file or blob is not what it should be */
  NETCL_ERROR_INTERNAL = -18            /**< a fault of the library itself */
};

/** What went wrong last on a thread, or in a command. */
typedef struct netcl_error_info {
  size_t struct_size;
  netcl_status status;
  int32_t native_code;  /**< the OpenCL code, 0 when no driver was involved */
  char message[1024];   /**< one line; cut at a character boundary when longer */
} netcl_error_info;
#define NETCL_ERROR_INFO_INIT { sizeof(netcl_error_info), 0, 0, {0} }

/** Returns the name of a status, such as "NETCL_ERROR_TIMEOUT"; "unknown status" for others. */
NETCL_API const char *netcl_status_name(netcl_status status);

/**
 * Returns the message of this thread's last failing call, "" when there was none. The text is valid
 * until the next failing call on this thread.
 */
NETCL_API const char *netcl_last_error_message(void);

/**
 * Gives status, OpenCL code and message of this thread's last failing call.
 * @param[out] info all zero when there was none
 */
NETCL_API netcl_status netcl_last_error_get_info(netcl_error_info *info);

/* ---- Library --------------------------------------------------------------------------------- */

/** Facts about this build of the library. */
typedef struct netcl_library_info {
  size_t struct_size;
  uint32_t version_number;      /**< NETCL_VERSION_NUMBER of the library, not of the header */
  uint32_t abi_version;         /**< the number in the soname */
  char version[32];             /**< "0.1.0" */
  char compiler[64];            /**< "gcc 12.2.0" */
  char build_type[32];          /**< "Release" */
  char simd_target[32];         /**< instruction set the built-in CPU device uses here: "AVX3" */
  char codegen_version[40];     /**< hash of all embedded kernels and generators */
} netcl_library_info;
#define NETCL_LIBRARY_INFO_INIT { sizeof(netcl_library_info), 0, 0, {0}, {0}, {0}, {0}, {0} }

/** Returns NETCL_VERSION_NUMBER of the library. */
NETCL_API uint32_t netcl_version_number(void);

/** Returns the version as text, "major.minor.patch". */
NETCL_API const char *netcl_version_string(void);

/**
 * Gives the facts of this build. Touches no driver.
 * @param[out] info the facts
 */
NETCL_API netcl_status netcl_library_get_info(netcl_library_info *info);

/**
 * Counts the live handles of one type in this process.
 * @param[out] count handles made and not yet released for the last time
 */
NETCL_API netcl_status netcl_library_get_live_count(netcl_handle_type type, uint64_t *count);

/**
 * Waits for all queued work, then empties every pool and program cache. Optional: a program may end
 * without it. Objects stay valid and the library usable. Fails with TIMEOUT when work is left.
 */
NETCL_API netcl_status netcl_shutdown(uint64_t timeout_ns);

/**
 * Sets how long the exit of the process waits for queued work; 0 switches the waiting off. The
 * default is 2 seconds, or NETCL_EXIT_TIMEOUT_MS.
 */
NETCL_API netcl_status netcl_library_set_exit_timeout(uint64_t timeout_ns);

/**
 * Makes SIGINT end waits of this library with CANCELLED. When one of its waits does not return
 * within grace_ns after the signal, the process exits with code 130 (3 seconds when grace_ns is 0).
 * A handler that was installed before is called too. A second call replaces the grace time.
 */
NETCL_API netcl_status netcl_interrupt_enable(uint64_t grace_ns);

/**
 * Puts back the SIGINT disposition that netcl_interrupt_enable found. BUSY when another handler was
 * installed since; nothing is changed then. OK when interrupts were not enabled.
 */
NETCL_API netcl_status netcl_interrupt_disable(void);

/* ---- Log ------------------------------------------------------------------------------------- */

typedef int32_t netcl_log_level;
enum netcl_log_level_value {
  NETCL_LOG_OFF = 0,
  NETCL_LOG_ERROR = 1,
  NETCL_LOG_WARNING = 2,
  NETCL_LOG_INFO = 3,
  NETCL_LOG_DEBUG = 4
};

/** One entry of the log. */
typedef struct netcl_log_record {
  size_t struct_size;
  uint64_t sequence;       /**< counts from 1 */
  uint64_t time_ns;        /**< CLOCK_REALTIME */
  netcl_log_level level;
  uint32_t reserved;
  char message[496];       /**< one line; cut at a character boundary when longer */
} netcl_log_record;
#define NETCL_LOG_RECORD_INIT { sizeof(netcl_log_record), 0, 0, 0, 0, {0} }

/** Receives records; see netcl_log_set_callback. The record is valid during the call only. */
typedef void (*netcl_log_fn)(const netcl_log_record *record, void *user_data);
/** Frees user_data when a callback is replaced or removed. */
typedef void (*netcl_destroy_fn)(void *user_data);

/** Sets the most detailed level that is kept. The default is WARNING, or NETCL_LOG_LEVEL. */
NETCL_API netcl_status netcl_log_set_level(netcl_log_level level);

/**
 * Sets the function that receives new records, NULL for none. Records are delivered at the end of
 * calls into the library, on the calling thread; a record is delivered once. What a callback
 * itself causes to be logged is delivered with the next call. destroy (may be NULL) gets user_data
 * once fn has been replaced and no delivery to it is under way.
 */
NETCL_API netcl_status netcl_log_set_callback(netcl_log_fn fn, void *user_data,
                                              netcl_destroy_fn destroy);

/**
 * Reads the oldest kept record whose sequence is greater than `after`; needs no callback. The ring
 * keeps the last 256; a gap in the sequence shows what was lost. NOT_FOUND when there is none.
 * @param[out] record the record
 */
NETCL_API netcl_status netcl_log_read(uint64_t after, netcl_log_record *record);

/* ---- Dtypes ---------------------------------------------------------------------------------- */

/** Element types. f16 is IEEE binary16; bf16 is stored, and computed in f32. bool is 0 or 1. */
typedef int32_t netcl_dtype;
enum netcl_dtype_value {
  NETCL_F16 = 1,
  NETCL_BF16 = 2,
  NETCL_F32 = 3,
  NETCL_F64 = 4,
  NETCL_I8 = 5,
  NETCL_I16 = 6,
  NETCL_I32 = 7,
  NETCL_I64 = 8,
  NETCL_U8 = 9,
  NETCL_U16 = 10,
  NETCL_U32 = 11,
  NETCL_U64 = 12,
  NETCL_BOOL = 13   /**< one byte; zero is false, everything else true */
};

/** Returns "f16" ... "bool", and "invalid" for other values. */
NETCL_API const char *netcl_dtype_name(netcl_dtype dtype);

/** Returns the bytes of one element, 0 for a value that is no dtype. */
NETCL_API size_t netcl_dtype_size(netcl_dtype dtype);

/* ---- Devices --------------------------------------------------------------------------------- */

typedef int32_t netcl_device_type;
enum netcl_device_type_value {
  NETCL_DEVICE_OTHER = 0,
  NETCL_DEVICE_CPU = 1,
  NETCL_DEVICE_GPU = 2,
  NETCL_DEVICE_ACCELERATOR = 3
};

typedef int32_t netcl_backend;
enum netcl_backend_value {
  NETCL_BACKEND_OPENCL = 1,
  NETCL_BACKEND_BUILTIN = 2  /**< the built-in CPU device */
};

/** Which family of kernels a device gets. */
typedef int32_t netcl_strategy;
enum netcl_strategy_value {
  NETCL_STRATEGY_PORTABLE = 1,
  NETCL_STRATEGY_OPTIMIZED = 2
};

/** Identity of a device. */
typedef struct netcl_device_info {
  size_t struct_size;
  uint32_t index;            /**< place in the list of netcl_device_count; UINT32_MAX: wrapped */
  netcl_device_type type;
  netcl_backend backend;
  uint32_t platform_index;   /**< P of the selector "P:D"; UINT32_MAX for the built-in device */
  uint32_t device_index;     /**< D of the selector "P:D" */
  uint32_t has_uuid;         /**< 1 when uuid is known */
  uint8_t uuid[16];
  char name[256];
  char vendor[128];
  char platform_name[128];
  char version[128];         /**< "OpenCL 3.0 ..."; "netcl 0.1.0" for the built-in device */
  char driver_version[128];
} netcl_device_info;
#define NETCL_DEVICE_INFO_INIT \
  { sizeof(netcl_device_info), 0, 0, 0, 0, 0, 0, {0}, {0}, {0}, {0}, {0}, {0} }

/** What a device can do; fixed once the device is open. Flags are 0 or 1. */
typedef struct netcl_device_capabilities {
  size_t struct_size;
  uint32_t fp16;                    /**< half arithmetic compiles and runs (announced, or probed) */
  uint32_t fp16_announced;          /**< an extension mentions fp16 */
  uint32_t fp64;
  uint32_t subgroups;               /**< an extension mentions subgroup */
  uint32_t int64_atomics;           /**< 64-bit base or extended atomics */
  uint32_t svm;                     /**< any kind of shared virtual memory */
  uint32_t integrated;              /**< shares memory with the host: zero-copy is possible */
  uint32_t out_of_order;            /**< out-of-order queues exist */
  uint32_t il;                      /**< takes SPIR-V */
  uint32_t compute_units;
  uint32_t max_clock_mhz;
  uint32_t preferred_vector_width_f32;
  uint32_t subgroup_size;           /**< preferred multiple of the local size, at least 1 */
  uint32_t mem_base_align_bytes;    /**< alignment of sub-buffers */
  uint32_t max_work_item_dimensions;
  netcl_strategy strategy;          /**< see NETCL_KERNEL_STRATEGY */
  uint64_t max_work_group_size;
  uint64_t max_work_item_sizes[3];
  uint64_t local_memory_bytes;
  uint64_t global_memory_bytes;
  uint64_t max_allocation_bytes;
  uint64_t global_cache_bytes;
  uint64_t max_constant_bytes;
  uint64_t timer_resolution_ns;
} netcl_device_capabilities;
#define NETCL_DEVICE_CAPABILITIES_INIT \
  { sizeof(netcl_device_capabilities), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
    {0, 0, 0}, 0, 0, 0, 0, 0, 0 }

typedef struct netcl_device_options {
  size_t struct_size;
  uint32_t separate;  /**< 1: a context of its own instead of the one shared by all openings */
  uint32_t reserved;
} netcl_device_options;
#define NETCL_DEVICE_OPTIONS_INIT { sizeof(netcl_device_options), 0, 0 }

/**
 * Counts all devices: every device of every OpenCL platform, then the built-in CPU device, which is
 * always there. The first call loads libOpenCL, unless NETCL_BACKEND=builtin.
 * @param[out] count at least 1
 */
NETCL_API netcl_status netcl_device_count(uint32_t *count);

/**
 * Describes a device of the list without opening it. NOT_FOUND past the end of the list.
 * @param[out] info the identity
 */
NETCL_API netcl_status netcl_device_describe(uint32_t index, netcl_device_info *info);

/**
 * Explains in words which loader, platforms and devices were found and what kept others away.
 * @param[out] buffer receives the text, several lines
 * @param[out] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_device_diagnose(char *buffer, size_t capacity, size_t *length);

/**
 * Opens a device. Selectors: "auto" (first discrete GPU, integrated GPU, accelerator, OpenCL CPU
 * device, built-in), "gpu", "accel", "cpu" (OpenCL CPU device, else built-in), "builtin", an index
 * of the list ("0"), platform and device ("0:1"), or a part of a device's name, any case. NULL is
 * "auto". Each opening gives a new handle to one device object per selected device. NO_DEVICE with
 * a diagnosis when there is none; FORKED for an OpenCL device in a child of a process that used
 * OpenCL.
 * @param[out] device one reference
 */
NETCL_API netcl_status netcl_device_open(const char *selector, const netcl_device_options *options,
                                         netcl_device **device);

/**
 * Wraps an OpenCL context, one of its devices, and a queue of both as a netcl device. All three are
 * retained until the last object made from the device is gone. A NULL queue makes netcl create one.
 * Commands that the caller enqueues itself are not known to netcl's ordering.
 * @param[out] device one reference
 */
NETCL_API netcl_status netcl_device_open_from_cl(struct _cl_context *context,
                                                 struct _cl_device_id *device_id,
                                                 struct _cl_command_queue *queue,
                                                 const netcl_device_options *options,
                                                 netcl_device **device);

/** Adds a reference. */
NETCL_API netcl_status netcl_device_retain(netcl_device *device);
/** Gives a reference back; takes NULL. */
NETCL_API void netcl_device_release(netcl_device *device);

/** Gives the identity of a device. @param[out] info the identity */
NETCL_API netcl_status netcl_device_get_info(const netcl_device *device, netcl_device_info *info);

/** Gives the capabilities of a device. @param[out] capabilities the capabilities */
NETCL_API netcl_status netcl_device_get_capabilities(const netcl_device *device,
                                                     netcl_device_capabilities *capabilities);

/**
 * Waits for everything enqueued on any queue of the device. Fails with the error of the first
 * command that failed since the last finish, TIMEOUT, CANCELLED or DEVICE_LOST.
 */
NETCL_API netcl_status netcl_device_finish(netcl_device *device, uint64_t timeout_ns);

/**
 * Suggests a local size and the global size rounded up to its multiple, from the shape of the work
 * and the device's limits: 64 items in one dimension, 8x8 or a multiple of the preferred width in
 * two, 4x4x4 in three.
 * @param[out] local as many entries as global
 * @param[out] rounded as many entries as global
 */
NETCL_API netcl_status netcl_device_suggest_local_size(const netcl_device *device,
                                                       const uint64_t *global,
                                                       uint32_t global_count, uint64_t *local,
                                                       uint64_t *rounded);

/** Lends the OpenCL context. UNSUPPORTED on the built-in device. @param[out] context borrowed */
NETCL_API netcl_status netcl_device_get_cl_context(const netcl_device *device,
                                                   struct _cl_context **context);

/** Lends the OpenCL device. UNSUPPORTED on the built-in device. @param[out] device_id borrowed */
NETCL_API netcl_status netcl_device_get_cl_device(const netcl_device *device,
                                                  struct _cl_device_id **device_id);

/** Gives the device's default in-order queue. @param[out] queue one reference */
NETCL_API netcl_status netcl_device_get_queue(const netcl_device *device, netcl_queue **queue);

/**
 * Makes a device the calling thread's active one. Active devices form a stack per thread; no other
 * function consults it.
 */
NETCL_API netcl_status netcl_device_push(netcl_device *device);

/** Takes the calling thread's active device off its stack. NOT_FOUND when the stack is empty. */
NETCL_API netcl_status netcl_device_pop(void);

/**
 * Gives the calling thread's active device. NOT_FOUND when there is none.
 * @param[out] device one reference
 */
NETCL_API netcl_status netcl_device_current(netcl_device **device);

/* ---- Queues ---------------------------------------------------------------------------------- */

typedef struct netcl_queue_options {
  size_t struct_size;
  uint32_t out_of_order;  /**< 1: commands may overtake each other where their memory allows it */
  uint32_t profiling;     /**< 1: as netcl_queue_set_profiling(queue, 1) */
} netcl_queue_options;
#define NETCL_QUEUE_OPTIONS_INIT { sizeof(netcl_queue_options), 0, 0 }

typedef struct netcl_queue_info {
  size_t struct_size;
  uint32_t out_of_order;
  uint32_t profiling;     /**< 1 while times are recorded */
  uint32_t foreign;       /**< 1 when the queue wraps one of the caller */
  uint32_t reserved;
  uint64_t commands;      /**< commands enqueued so far */
} netcl_queue_info;
#define NETCL_QUEUE_INFO_INIT { sizeof(netcl_queue_info), 0, 0, 0, 0, 0 }

/**
 * Makes another queue of a device. UNSUPPORTED for an out-of-order queue where there are none (the
 * built-in device accepts one and runs it in order).
 * @param[out] queue one reference
 */
NETCL_API netcl_status netcl_queue_create(netcl_device *device, const netcl_queue_options *options,
                                          netcl_queue **queue);

/**
 * Wraps an OpenCL queue of the device's context and device; it is retained. Times are recorded when
 * the queue was made with profiling.
 * @param[out] queue one reference
 */
NETCL_API netcl_status netcl_queue_create_from_cl(netcl_device *device,
                                                  struct _cl_command_queue *cl_queue,
                                                  netcl_queue **queue);

/** Adds a reference. */
NETCL_API netcl_status netcl_queue_retain(netcl_queue *queue);
/** Gives a reference back; takes NULL. */
NETCL_API void netcl_queue_release(netcl_queue *queue);

/** Gives the state of a queue. @param[out] info the state */
NETCL_API netcl_status netcl_queue_get_info(const netcl_queue *queue, netcl_queue_info *info);

/** Gives the device of a queue. @param[out] device one reference */
NETCL_API netcl_status netcl_queue_get_device(const netcl_queue *queue, netcl_device **device);

/**
 * Switches the recording of times on or off for commands enqueued from now on. The order of
 * commands is kept across the switch. A wrapped queue stays as it was made: NOT_PROFILED to switch
 * one on that was made without profiling, UNSUPPORTED to switch one off. NETCL_PROFILE_EVENTS=1
 * switches it on for every queue at creation.
 */
NETCL_API netcl_status netcl_queue_set_profiling(netcl_queue *queue, uint32_t enabled);

/** Hands all enqueued commands to the device. */
NETCL_API netcl_status netcl_queue_flush(netcl_queue *queue);

/** Waits for everything enqueued on the queue; errors as for netcl_device_finish. */
NETCL_API netcl_status netcl_queue_finish(netcl_queue *queue, uint64_t timeout_ns);

/**
 * Enqueues a marker: its event completes when everything enqueued before on this queue and all of
 * `waits` have completed.
 * @param[out] event one reference
 */
NETCL_API netcl_status netcl_queue_enqueue_marker(netcl_queue *queue, netcl_event *const *waits,
                                                  uint32_t waits_count, netcl_event **event);

/**
 * Lends the OpenCL queue that commands go to at present, after flushing it. UNSUPPORTED on the
 * built-in device.
 * @param[out] cl_queue borrowed
 */
NETCL_API netcl_status netcl_queue_get_cl_queue(netcl_queue *queue,
                                                struct _cl_command_queue **cl_queue);

/* ---- Events ---------------------------------------------------------------------------------- */

typedef int32_t netcl_event_state;
enum netcl_event_state_value {
  NETCL_EVENT_QUEUED = 3,
  NETCL_EVENT_SUBMITTED = 2,
  NETCL_EVENT_RUNNING = 1,
  NETCL_EVENT_COMPLETE = 0,
  NETCL_EVENT_FAILED = -1   /**< see netcl_event_get_error */
};

/** Device times of one command; only differences within one device mean anything. */
typedef struct netcl_event_timing {
  size_t struct_size;
  uint64_t queued_ns;
  uint64_t submitted_ns;
  uint64_t started_ns;
  uint64_t ended_ns;
} netcl_event_timing;
#define NETCL_EVENT_TIMING_INIT { sizeof(netcl_event_timing), 0, 0, 0, 0 }

/**
 * Wraps an OpenCL event of the device's context; it is retained.
 * @param[out] event one reference
 */
NETCL_API netcl_status netcl_event_create_from_cl(netcl_device *device, struct _cl_event *cl_event,
                                                  netcl_event **event);

/** Adds a reference. */
NETCL_API netcl_status netcl_event_retain(netcl_event *event);
/** Gives a reference back; takes NULL. */
NETCL_API void netcl_event_release(netcl_event *event);

/** Waits for the command. Fails with its error, TIMEOUT or CANCELLED. */
NETCL_API netcl_status netcl_event_wait(const netcl_event *event, uint64_t timeout_ns);

/** Tells how far the command has come, without waiting. @param[out] state the state */
NETCL_API netcl_status netcl_event_query(const netcl_event *event, netcl_event_state *state);

/**
 * Gives the times of a completed command. BUSY while it is not complete; NOT_PROFILED when its
 * queue recorded no times when it was enqueued, see netcl_queue_set_profiling.
 * @param[out] timing the times
 */
NETCL_API netcl_status netcl_event_get_timing(const netcl_event *event, netcl_event_timing *timing);

/**
 * Gives the error of a failed command; status NETCL_OK when it has not failed.
 * @param[out] info the error
 */
NETCL_API netcl_status netcl_event_get_error(const netcl_event *event, netcl_error_info *info);

/** Lends the OpenCL event. UNSUPPORTED on the built-in device. @param[out] cl_event borrowed */
NETCL_API netcl_status netcl_event_get_cl_event(const netcl_event *event,
                                                struct _cl_event **cl_event);

/* ---- Pools and buffers ----------------------------------------------------------------------- */

typedef int32_t netcl_pool_kind;
enum netcl_pool_kind_value {
  NETCL_POOL_PERSISTENT = 1,    /**< bounded: buckets of 1 KiB times powers of 4 up to 256 MiB */
  NETCL_POOL_POWER_OF_TWO = 2,  /**< a bucket per power of two; unbounded unless capped */
  NETCL_POOL_PINNED = 3         /**< page-locked host memory, mapped for the host */
};

typedef struct netcl_pool_options {
  size_t struct_size;
  netcl_pool_kind kind;              /**< 0: PERSISTENT */
  uint32_t max_buffers_per_bucket;   /**< cached buffers per bucket; 0: 16 (persistent), no limit */
  uint64_t max_cached_bytes;         /**< 0: NETCL_MAX_CACHED_GB (persistent, pinned), no limit */
  uint64_t max_bytes;                /**< cap of cached plus leased bytes; 0: no limit */
} netcl_pool_options;
#define NETCL_POOL_OPTIONS_INIT { sizeof(netcl_pool_options), 0, 0, 0, 0 }

/** Statistics of a pool. */
typedef struct netcl_pool_info {
  size_t struct_size;
  netcl_pool_kind kind;
  uint32_t buckets_count;      /**< rows that netcl_pool_get_buckets gives */
  uint64_t hits;               /**< leases served from the cache */
  uint64_t misses;             /**< leases that needed a new allocation */
  double hit_rate;             /**< hits / (hits + misses), 0 before the first lease */
  uint64_t bytes_allocated;    /**< in use plus cached, in whole buckets */
  uint64_t bytes_in_use;       /**< leased */
  uint64_t bytes_cached;       /**< kept for reuse */
  uint64_t high_water_bytes;   /**< largest bytes_allocated so far */
  uint64_t max_cached_bytes;   /**< UINT64_MAX: no limit */
  uint64_t max_bytes;          /**< UINT64_MAX: no limit */
} netcl_pool_info;
#define NETCL_POOL_INFO_INIT { sizeof(netcl_pool_info), 0, 0, 0, 0, 0.0, 0, 0, 0, 0, 0, 0 }

/** One bucket of a pool. Frozen: travels in arrays. */
typedef struct netcl_pool_bucket {
  uint64_t bytes;      /**< size of each buffer of the bucket */
  uint64_t in_use;     /**< leased buffers */
  uint64_t cached;     /**< buffers kept for reuse */
  uint64_t hits;
  uint64_t misses;
} netcl_pool_bucket;

/** Facts about a piece of memory. */
typedef struct netcl_buffer_info {
  size_t struct_size;
  uint64_t bytes;          /**< as asked for */
  uint64_t bucket_bytes;   /**< as allocated */
  void *host_pointer;      /**< where the host may access it; NULL when it may not */
  uint32_t pinned;         /**< 1 for page-locked host memory */
  uint32_t zero_copy;      /**< 1 when the device works on host_pointer itself */
} netcl_buffer_info;
#define NETCL_BUFFER_INFO_INIT { sizeof(netcl_buffer_info), 0, 0, NULL, 0, 0 }

/** Makes a pool. @param[out] pool one reference */
NETCL_API netcl_status netcl_pool_create(netcl_device *device, const netcl_pool_options *options,
                                         netcl_pool **pool);

/**
 * Gives the device's own pool of a kind: PERSISTENT is where tensors come from by default, PINNED
 * is where transfers are staged, POWER_OF_TWO is made at the first call.
 * @param[out] pool one reference
 */
NETCL_API netcl_status netcl_device_get_pool(const netcl_device *device, netcl_pool_kind kind,
                                             netcl_pool **pool);

/** Adds a reference. */
NETCL_API netcl_status netcl_pool_retain(netcl_pool *pool);
/** Gives a reference back; takes NULL. */
NETCL_API void netcl_pool_release(netcl_pool *pool);

/** Gives the statistics of a pool. @param[out] info the statistics */
NETCL_API netcl_status netcl_pool_get_info(const netcl_pool *pool, netcl_pool_info *info);

/**
 * Gives the buckets that were used so far, smallest first.
 * @param[out] buckets receives at most capacity rows; may be NULL when capacity is 0
 * @param[out] count rows there are
 */
NETCL_API netcl_status netcl_pool_get_buckets(const netcl_pool *pool, netcl_pool_bucket *buckets,
                                              uint32_t capacity, uint32_t *count);

/** Gives cached memory back to the device until at most keep_bytes are cached. */
NETCL_API netcl_status netcl_pool_trim(netcl_pool *pool, uint64_t keep_bytes);

/**
 * Leases memory of at least `bytes` bytes (0 gives an empty lease). The lease ends with the last
 * reference to the buffer and to every tensor made from it; the memory is leased again only when
 * the device has finished using it. Contents are undefined. On a shortage the pool waits for
 * finished work, trims, retries once, and then fails with OUT_OF_DEVICE_MEMORY.
 * @param[out] buffer one reference
 */
NETCL_API netcl_status netcl_pool_allocate(netcl_pool *pool, uint64_t bytes, netcl_buffer **buffer);

/** Allocates page-locked host memory outside any pool. @param[out] buffer one reference */
NETCL_API netcl_status netcl_buffer_create_pinned(netcl_device *device, uint64_t bytes,
                                                  netcl_buffer **buffer);

/**
 * Lets the device work on the caller's own memory, which must stay valid until the last reference
 * to the buffer and its tensors is gone and the device is done. UNSUPPORTED where the device does
 * not share memory with the host; INVALID_ARGUMENT when the pointer is not aligned to 64 bytes.
 * @param[out] buffer one reference
 */
NETCL_API netcl_status netcl_buffer_create_zero_copy(netcl_device *device, void *data,
                                                     uint64_t bytes, netcl_buffer **buffer);

/** Adds a reference. */
NETCL_API netcl_status netcl_buffer_retain(netcl_buffer *buffer);
/** Gives a reference back; takes NULL. */
NETCL_API void netcl_buffer_release(netcl_buffer *buffer);

/** Gives the facts of a buffer. @param[out] info the facts */
NETCL_API netcl_status netcl_buffer_get_info(const netcl_buffer *buffer, netcl_buffer_info *info);

/**
 * Lends the OpenCL memory object. UNSUPPORTED on the built-in device, NOT_FOUND for 0 bytes.
 * @param[out] mem borrowed
 */
NETCL_API netcl_status netcl_buffer_get_cl_mem(const netcl_buffer *buffer, struct _cl_mem **mem);

/* ---- Tensors --------------------------------------------------------------------------------- */

/** A choice that has a default from the environment. */
typedef int32_t netcl_toggle;
enum netcl_toggle_value {
  NETCL_DEFAULT = 0,
  NETCL_ON = 1,
  NETCL_OFF = 2
};

/** How a launch or an op runs. Used by every op. */
typedef struct netcl_run_options {
  size_t struct_size;
  netcl_queue *queue;           /**< NULL: the default queue of the first input's device */
  netcl_tensor *into;           /**< write the result here instead of a new tensor */
  netcl_event *const *waits;    /**< further events to wait for */
  netcl_event **event;          /**< receives one reference: the event of the last command */
  uint32_t waits_count;
  uint32_t reserved;
} netcl_run_options;
#define NETCL_RUN_OPTIONS_INIT { sizeof(netcl_run_options), NULL, NULL, NULL, NULL, 0, 0 }

/** Where and how a tensor is made. */
typedef struct netcl_tensor_options {
  size_t struct_size;
  netcl_queue *queue;        /**< NULL: the device's default queue */
  netcl_pool *pool;          /**< NULL: the device's persistent pool */
  netcl_event **event;       /**< receives one reference: the device has the data */
  netcl_toggle async_copy;   /**< from_host: return before the device has it; NETCL_ASYNC_H2D */
  netcl_toggle use_pinned;   /**< from_host: stage through page-locked memory; NETCL_PINNED_H2D */
  uint32_t borrow;           /**< from_host: use the caller's memory without copying it */
  uint32_t take_ownership;   /**< from_cl: release the memory object with the tensor */
} netcl_tensor_options;
#define NETCL_TENSOR_OPTIONS_INIT { sizeof(netcl_tensor_options), NULL, NULL, NULL, 0, 0, 0, 0 }

/** How netcl_tensor_read and netcl_tensor_write move data. */
typedef struct netcl_transfer_options {
  size_t struct_size;
  netcl_queue *queue;           /**< NULL: the device's default queue */
  netcl_event *const *waits;    /**< further events to wait for */
  netcl_event **event;          /**< receives one reference; makes a read return at once */
  uint32_t waits_count;
  netcl_toggle async_copy;      /**< write: return before the device has it; NETCL_ASYNC_H2D */
  netcl_toggle use_pinned;      /**< stage through page-locked memory; NETCL_PINNED_H2D */
  uint32_t borrow;              /**< write: do not copy; the array must live until the event */
} netcl_transfer_options;
#define NETCL_TRANSFER_OPTIONS_INIT \
  { sizeof(netcl_transfer_options), NULL, NULL, NULL, 0, 0, 0, 0 }

typedef int32_t netcl_distribution;
enum netcl_distribution_value {
  NETCL_UNIFORM = 1,   /**< [low, high): floats, and integers; bool: each value half the time */
  NETCL_NORMAL = 2     /**< mean and deviation; floats only */
};

/** Parameters of random numbers. */
typedef struct netcl_random_options {
  size_t struct_size;
  uint64_t seed;
  uint64_t offset;                  /**< index of the first element in the seed's stream */
  netcl_distribution distribution;  /**< 0: UNIFORM */
  uint32_t reserved;
  double low;        /**< uniform: lowest value; low = high = 0: [0, 1), integers: all */
  double high;       /**< uniform: end of the range */
  double mean;       /**< normal */
  double deviation;  /**< normal: standard deviation; 0 means 1 */
} netcl_random_options;
#define NETCL_RANDOM_OPTIONS_INIT { sizeof(netcl_random_options), 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0 }

/** What a tensor is. */
typedef struct netcl_tensor_info {
  size_t struct_size;
  netcl_dtype dtype;
  uint32_t rank;
  int64_t shape[NETCL_RANK_MAX];
  int64_t strides[NETCL_RANK_MAX];
  int64_t offset;           /**< first element, counted from the start of the memory */
  int64_t element_count;
  uint64_t byte_count;      /**< element_count times the size of an element */
  uint32_t contiguous;      /**< 1 when packed in C order */
  uint32_t zero_copy;       /**< 1 when the device works on memory of the host */
  uint32_t borrowed;        /**< 1 when the memory belongs to the caller */
  uint32_t pooled;          /**< 1 when the memory is a lease from a pool */
} netcl_tensor_info;
#define NETCL_TENSOR_INFO_INIT \
  { sizeof(netcl_tensor_info), 0, 0, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}, 0, 0, 0, \
    0, 0, 0, 0 }

/** One dimension of a slice: element i is start + i * step, 0 <= i < extent. Frozen. */
typedef struct netcl_range {
  int64_t start;
  int64_t extent;
  int64_t step;    /**< not 0; negative steps walk backwards */
} netcl_range;

/**
 * Makes a tensor whose contents are undefined.
 * @param[out] tensor one reference
 */
NETCL_API netcl_status netcl_tensor_create(netcl_device *device, netcl_dtype dtype, uint32_t rank,
                                           const int64_t *shape, const int64_t *strides,
                                           const netcl_tensor_options *options,
                                           netcl_tensor **tensor);

/**
 * Makes a tensor of zeros. Strides, here and below, lay out the new memory; they must not overlap.
 * @param[out] tensor one reference
 */
NETCL_API netcl_status netcl_tensor_create_zeros(netcl_device *device, netcl_dtype dtype,
                                                 uint32_t rank, const int64_t *shape,
                                                 const int64_t *strides,
                                                 const netcl_tensor_options *options,
                                                 netcl_tensor **tensor);

/**
 * Makes a tensor with one value everywhere.
 * @param[in] value one element of `dtype`
 * @param[out] tensor one reference
 */
NETCL_API netcl_status netcl_tensor_create_full(netcl_device *device, netcl_dtype dtype,
                                                uint32_t rank, const int64_t *shape,
                                                const int64_t *strides, const void *value,
                                                const netcl_tensor_options *options,
                                                netcl_tensor **tensor);

/**
 * Makes a tensor of random numbers from Philox4x32-10 (Salmon et al., SC 2011). Element i in C
 * order depends on seed, offset + i, dtype and distribution alone: the bits are the same on every
 * device and for every layout, and parts made with offsets fit together.
 * @param[out] tensor one reference
 */
NETCL_API netcl_status netcl_tensor_create_random(netcl_device *device, netcl_dtype dtype,
                                                  uint32_t rank, const int64_t *shape,
                                                  const int64_t *strides,
                                                  const netcl_random_options *random,
                                                  const netcl_tensor_options *options,
                                                  netcl_tensor **tensor);

/**
 * Makes a tensor from an array of the host. `strides` describe the array and become those of the
 * tensor; `data` is the lowest address they reach. The caller may free or change the array when the
 * call returns, unless options->borrow is 1: then it must stay until the event, or until the tensor
 * and all its views are gone where netcl_tensor_info.borrowed is 1. INVALID_ARGUMENT when
 * data_size is smaller than what the layout reaches.
 * @param[out] tensor one reference
 */
NETCL_API netcl_status netcl_tensor_create_from_host(netcl_device *device, netcl_dtype dtype,
                                                     uint32_t rank, const int64_t *shape,
                                                     const int64_t *strides, const void *data,
                                                     size_t data_size,
                                                     const netcl_tensor_options *options,
                                                     netcl_tensor **tensor);

/**
 * Makes a tensor over a buffer, starting offset_bytes into it (a multiple of the element size).
 * Negative strides reach below the offset.
 * @param[out] tensor one reference
 */
NETCL_API netcl_status netcl_tensor_create_from_buffer(netcl_buffer *buffer, uint64_t offset_bytes,
                                                       netcl_dtype dtype, uint32_t rank,
                                                       const int64_t *shape,
                                                       const int64_t *strides,
                                                       netcl_tensor **tensor);

/**
 * Wraps an OpenCL memory object of the device's context as a tensor, starting offset_bytes into it.
 * The object is retained; options->take_ownership = 1 takes over the caller's reference instead.
 * @param[out] tensor one reference
 */
NETCL_API netcl_status netcl_tensor_create_from_cl(netcl_device *device, struct _cl_mem *mem,
                                                   uint64_t offset_bytes, netcl_dtype dtype,
                                                   uint32_t rank, const int64_t *shape,
                                                   const int64_t *strides,
                                                   const netcl_tensor_options *options,
                                                   netcl_tensor **tensor);

/**
 * Takes a DLPack tensor (kDLOpenCL of the device's context, or kDLCPU, which is copied unless the
 * device is the built-in one). On success the library owns `managed` and calls its deleter when the
 * tensor is gone (at once when it was copied); on failure the caller keeps it. UNSUPPORTED for
 * lanes other than 1, complex types and other devices.
 * @param[out] tensor one reference
 */
NETCL_API netcl_status netcl_tensor_create_from_dlpack(netcl_device *device,
                                                       struct DLManagedTensor *managed,
                                                       const netcl_tensor_options *options,
                                                       netcl_tensor **tensor);

/**
 * Exports a tensor through DLPack: kDLOpenCL with the cl_mem as data and a byte_offset, or kDLCPU
 * on the built-in device. Waits for pending writes up to timeout_ns.
 * @param[out] managed owned by the caller, who calls its deleter; it keeps the memory alive
 */
NETCL_API netcl_status netcl_tensor_to_dlpack(netcl_tensor *tensor, uint64_t timeout_ns,
                                              struct DLManagedTensor **managed);

/**
 * Loads a .npy file (format 1 to 3; C or Fortran order, either byte order; bf16 is '<V2' as written
 * by ml_dtypes). IO when it cannot be read, CORRUPT_DATA naming what is wrong with it, UNSUPPORTED
 * for element types without a dtype here.
 * @param[out] tensor one reference
 */
NETCL_API netcl_status netcl_tensor_load_npy(netcl_device *device, const char *path,
                                             const netcl_tensor_options *options,
                                             netcl_tensor **tensor);

/** As netcl_tensor_load_npy, from memory. @param[out] tensor one reference */
NETCL_API netcl_status netcl_tensor_create_from_npy(netcl_device *device, const void *data,
                                                    size_t data_size,
                                                    const netcl_tensor_options *options,
                                                    netcl_tensor **tensor);

/**
 * Writes a tensor as a .npy file, format 1.0, C order. The file is replaced as a whole or not at
 * all. IO when it cannot be written; the wait for pending writes takes at most timeout_ns.
 */
NETCL_API netcl_status netcl_tensor_save_npy(const netcl_tensor *tensor, const char *path,
                                             uint64_t timeout_ns);

/** Adds a reference. */
NETCL_API netcl_status netcl_tensor_retain(netcl_tensor *tensor);
/** Gives a reference back; takes NULL. */
NETCL_API void netcl_tensor_release(netcl_tensor *tensor);

/** Gives the facts of a tensor. @param[out] info the facts */
NETCL_API netcl_status netcl_tensor_get_info(const netcl_tensor *tensor, netcl_tensor_info *info);

/** Gives the device of a tensor. @param[out] device one reference */
NETCL_API netcl_status netcl_tensor_get_device(const netcl_tensor *tensor, netcl_device **device);

/** Gives the memory of a tensor; its contents begin at offset elements. @param[out] buffer one
 * reference */
NETCL_API netcl_status netcl_tensor_get_buffer(const netcl_tensor *tensor, netcl_buffer **buffer);

/** Views part of a tensor, one range per dimension. @param[out] view one reference */
NETCL_API netcl_status netcl_tensor_slice(netcl_tensor *tensor, const netcl_range *ranges,
                                          uint32_t ranges_count, netcl_tensor **view);

/** Views a tensor with its dimensions in another order. @param[out] view one reference */
NETCL_API netcl_status netcl_tensor_permute(netcl_tensor *tensor, const uint32_t *axes,
                                            uint32_t axes_count, netcl_tensor **view);

/**
 * Views a tensor with a larger shape: dimensions of extent 1 and missing leading ones repeat.
 * @param[out] view one reference
 */
NETCL_API netcl_status netcl_tensor_broadcast(netcl_tensor *tensor, uint32_t rank,
                                              const int64_t *shape, netcl_tensor **view);

/**
 * Views the memory of a tensor through any shape and strides, from `offset` elements after the
 * tensor's own first element. INVALID_ARGUMENT when an element would lie outside the memory.
 * @param[out] view one reference
 */
NETCL_API netcl_status netcl_tensor_view(netcl_tensor *tensor, uint32_t rank, const int64_t *shape,
                                         const int64_t *strides, int64_t offset,
                                         netcl_tensor **view);

/**
 * Gives the elements, in C order, another shape with the same number of elements; one extent may be
 * -1 and is worked out. A view where strides allow it, otherwise a copy made by a command.
 * @param[out] result one reference
 */
NETCL_API netcl_status netcl_tensor_reshape(netcl_tensor *tensor, uint32_t rank,
                                            const int64_t *shape, const netcl_run_options *run,
                                            netcl_tensor **result);

/**
 * Copies elements to the host in C order. Without options->event the call waits for the data, at
 * most timeout_ns, and touches `data` only before it returns. With options->event it returns at
 * once, and `data` must stay until the event has completed. data_size must be byte_count of the
 * tensor.
 */
NETCL_API netcl_status netcl_tensor_read(const netcl_tensor *tensor, void *data, size_t data_size,
                                         const netcl_transfer_options *options,
                                         uint64_t timeout_ns);

/**
 * Copies elements, in C order, from the host. The caller may free or change the array when the call
 * returns, unless options->borrow is 1. timeout_ns bounds the wait for earlier work; on TIMEOUT the
 * tensor is unchanged. data_size must be byte_count of the tensor.
 */
NETCL_API netcl_status netcl_tensor_write(netcl_tensor *tensor, const void *data, size_t data_size,
                                          const netcl_transfer_options *options,
                                          uint64_t timeout_ns);

/**
 * Waits for the last command that writes the tensor; errors as for netcl_event_wait. A command that
 * had failed before the call is reported by netcl_device_finish and by its own event.
 */
NETCL_API netcl_status netcl_tensor_wait(const netcl_tensor *tensor, uint64_t timeout_ns);

/* ---- Kernels --------------------------------------------------------------------------------- */

/** What a kernel may do when it has no tuned local size. */
typedef int32_t netcl_tune_mode;
enum netcl_tune_mode_value {
  NETCL_TUNE_INHERIT = 0,     /**< as NETCL_TUNE says */
  NETCL_TUNE_OFF = 1          /**< neither measure nor use stored results */
};

/**
 * A kernel specification. Exactly one source form is set: source; params with body; il; binary.
 */
typedef struct netcl_kernel_options {
  size_t struct_size;
  const char *source;             /**< full OpenCL C source, may hold several kernels */
  size_t source_size;             /**< bytes; 0: up to the NUL */
  const char *const *params;      /**< parameter declarations: "__global const float* a" */
  const char *preamble;           /**< text before the kernel, with params; may be NULL */
  const char *body;               /**< statements of the kernel, with params */
  const void *il;                 /**< SPIR-V */
  size_t il_size;
  const void *binary;             /**< what netcl_kernel_get_binary gave */
  size_t binary_size;
  const char *const *flags;       /**< further flags: one token each, '-' first */
  uint64_t shape_signature;       /**< see netcl_kernel_shape_signature; 0: any shape */
  uint64_t local_size[3];         /**< local size of launches that give none; 0: not set */
  uint32_t params_count;
  uint32_t flags_count;
  uint32_t trust_binary;          /**< 1: accept a binary that carries no netcl checksum */
  uint32_t fast_math;             /**< 1: -cl-fast-relaxed-math, which may break NaN and infinity */
  uint32_t no_preamble;           /**< 1: leave out the macros LOAD STORE ADD SUB MUL DIV RELU */
  netcl_tune_mode tune;
} netcl_kernel_options;
#define NETCL_KERNEL_OPTIONS_INIT \
  { sizeof(netcl_kernel_options), NULL, 0, NULL, NULL, NULL, NULL, 0, NULL, 0, NULL, 0, \
    {0, 0, 0}, 0, 0, 0, 0, 0, 0 }

typedef int32_t netcl_arg_kind;
enum netcl_arg_kind_value {
  NETCL_ARG_TENSOR = 1,            /**< tensor; written unless the parameter is const */
  NETCL_ARG_TENSOR_READ_ONLY = 2,  /**< tensor that the kernel only reads */
  NETCL_ARG_SCALAR = 3,            /**< size bytes of value */
  NETCL_ARG_DATA = 4,              /**< size bytes at data, for structs over 32 bytes */
  NETCL_ARG_LOCAL = 5,             /**< size bytes of local memory */
  NETCL_ARG_NULL = 6               /**< a NULL buffer */
};

/** One kernel argument. Frozen at 64 bytes: travels in arrays. */
typedef struct netcl_arg {
  netcl_arg_kind kind;
  uint32_t size;          /**< bytes of value, data or local memory */
  unsigned char value[32];
  netcl_tensor *tensor;
  const void *data;
  uint64_t reserved;
} netcl_arg;
#define NETCL_ARG_INIT { 0, 0, {0}, NULL, NULL, 0 }

typedef struct netcl_launch_options {
  size_t struct_size;
  uint64_t offset[3];    /**< global offset; UNSUPPORTED beyond the driver's bits */
  uint32_t round_up;     /**< 1: round the global size up to the local size; the kernel guards */
  uint32_t reserved;
} netcl_launch_options;
#define NETCL_LAUNCH_OPTIONS_INIT { sizeof(netcl_launch_options), {0, 0, 0}, 0, 0 }

/** Facts about a built kernel. */
typedef struct netcl_kernel_info {
  size_t struct_size;
  uint32_t built;                 /**< 1 once netcl_kernel_build has succeeded */
  uint32_t args_count;
  uint32_t from_cache;            /**< 1: the program came from the disk cache, not a compiler */
  uint32_t preferred_multiple;    /**< of the local size */
  uint64_t max_local_size;        /**< items of a group this kernel can have here */
  uint64_t required_local_size[3];/**< reqd_work_group_size, zeros when absent */
  uint64_t local_memory_bytes;
  uint64_t private_memory_bytes;
  uint64_t shape_signature;
  char name[128];
} netcl_kernel_info;
#define NETCL_KERNEL_INFO_INIT \
  { sizeof(netcl_kernel_info), 0, 0, 0, 0, 0, {0, 0, 0}, 0, 0, 0, {0} }

/** Facts about one parameter of a built kernel. */
typedef struct netcl_kernel_arg_info {
  size_t struct_size;
  uint32_t is_buffer;    /**< __global or __constant pointer */
  uint32_t is_local;     /**< __local pointer */
  uint32_t is_const;     /**< the kernel does not write through it */
  uint32_t size;         /**< bytes of a scalar; 0 when unknown or not a scalar */
  char name[64];         /**< "" when the driver does not tell */
  char type_name[64];    /**< "float*" */
} netcl_kernel_arg_info;
#define NETCL_KERNEL_ARG_INFO_INIT { sizeof(netcl_kernel_arg_info), 0, 0, 0, 0, {0}, {0} }

/** Counters of the program cache of this process. */
typedef struct netcl_program_cache_info {
  size_t struct_size;
  uint64_t memory_hits;       /**< builds answered by a program already in memory */
  uint64_t memory_misses;
  uint64_t disk_hits;         /**< programs loaded from the disk cache */
  uint64_t disk_misses;
  uint64_t disk_rejected;     /**< entries refused: damaged, foreign, or bad to the driver */
  uint64_t disk_writes;
  uint64_t source_builds;     /**< compilations by the driver */
  uint64_t programs_in_memory;
  char directory[256];        /**< where the disk cache lives; "" when it is off */
} netcl_program_cache_info;
#define NETCL_PROGRAM_CACHE_INFO_INIT \
  { sizeof(netcl_program_cache_info), 0, 0, 0, 0, 0, 0, 0, 0, {0} }

/**
 * Makes a kernel from a specification; compiles nothing. `name` is the kernel function's name and
 * an identifier. A `#pragma` for fp16 is added when the text uses half. User text keeps its own
 * line numbers in build logs. UNSUPPORTED on the built-in device, whose kernels are expressions
 * and ops.
 * @param[out] kernel one reference
 */
NETCL_API netcl_status netcl_kernel_create(netcl_device *device, const char *name,
                                           const netcl_kernel_options *options,
                                           netcl_kernel **kernel);

/**
 * Makes the specification of an elementwise kernel `name`(v0, ..., out, n) over contiguous arrays
 * of one dtype from an expression in v0 ... v(arity-1). f16 adds the fp16 pragma, never fast-math.
 * UNSUPPORTED on the built-in device, which runs the expression itself (netcl_op_elementwise).
 * @param[out] kernel one reference
 */
NETCL_API netcl_status netcl_kernel_create_elementwise(netcl_device *device, const char *name,
                                                       uint32_t arity, const char *expression,
                                                       netcl_dtype dtype, netcl_kernel **kernel);

/** Adds a reference. */
NETCL_API netcl_status netcl_kernel_retain(netcl_kernel *kernel);
/** Gives a reference back; takes NULL. */
NETCL_API void netcl_kernel_release(netcl_kernel *kernel);

/**
 * Builds a kernel, from the program cache where it is there. Any number of threads may call it; one
 * compiles. BUILD_FAILURE with the first line of the log, NOT_FOUND when the program has no kernel
 * of that name (the message lists those it has).
 */
NETCL_API netcl_status netcl_kernel_build(netcl_kernel *kernel);

/** Gives the facts of a kernel; builds it when needed. @param[out] info the facts */
NETCL_API netcl_status netcl_kernel_get_info(netcl_kernel *kernel, netcl_kernel_info *info);

/** Gives the facts of one parameter; builds when needed. @param[out] info the facts */
NETCL_API netcl_status netcl_kernel_get_arg_info(netcl_kernel *kernel, uint32_t index,
                                                 netcl_kernel_arg_info *info);

/**
 * Gives the text that the compiler gets. NOT_FOUND for il and binary.
 * @param[out] buffer the text
 * @param[out] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_kernel_get_source(const netcl_kernel *kernel, char *buffer,
                                               size_t capacity, size_t *length);

/**
 * Gives the log of the last build, "" before it.
 * @param[out] buffer the text
 * @param[out] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_kernel_get_build_log(const netcl_kernel *kernel, char *buffer,
                                                  size_t capacity, size_t *length);

/**
 * Gives the built program with netcl's checksum and key, to be used as netcl_kernel_options.binary
 * on the same device and driver.
 * @param[out] data the bytes, at most capacity of them; may be NULL when capacity is 0
 * @param[out] length bytes there are
 */
NETCL_API netcl_status netcl_kernel_get_binary(netcl_kernel *kernel, void *data, size_t capacity,
                                               size_t *length);

/**
 * Hashes the shapes and dtypes of inputs and outputs to a signature, the same in every process.
 * @param[out] signature never 0
 */
NETCL_API netcl_status netcl_kernel_shape_signature(const netcl_tensor *const *inputs,
                                                    uint32_t inputs_count,
                                                    const netcl_tensor *const *outputs,
                                                    uint32_t outputs_count, uint64_t *signature);

/**
 * Registers a kernel with its device under its name and shape signature, replacing an earlier one.
 * The registration holds a reference until it is replaced or removed.
 */
NETCL_API netcl_status netcl_kernel_register(netcl_kernel *kernel);

/** Removes a registration. NOT_FOUND when there is none. */
NETCL_API netcl_status netcl_kernel_unregister(netcl_device *device, const char *name,
                                               uint64_t shape_signature);

/**
 * Finds a registered kernel: the one with this signature, else the one with signature 0. NOT_FOUND
 * naming what is registered.
 * @param[out] kernel one reference
 */
NETCL_API netcl_status netcl_kernel_find(netcl_device *device, const char *name,
                                         uint64_t shape_signature, netcl_kernel **kernel);

/**
 * Launches a kernel over `global` work items; builds it when needed. A NULL local size means the
 * specification's, else netcl's choice reduced to divisors of the global size. INVALID_ARGUMENT
 * when a given local size does not divide the global size (unless options->round_up), when counts
 * differ, a size is 0, or the arguments do not fit the parameters. run->into must be NULL. A
 * tensor argument passes its memory from its lowest element on, which is the first one unless a
 * stride is negative; INVALID_ARGUMENT when the device cannot address that offset (see
 * mem_base_align_bytes).
 */
NETCL_API netcl_status netcl_kernel_launch(netcl_kernel *kernel, const uint64_t *global,
                                           uint32_t global_count, const uint64_t *local,
                                           uint32_t local_count, const netcl_arg *args,
                                           uint32_t args_count,
                                           const netcl_launch_options *options,
                                           const netcl_run_options *run);

/** Finds a registered kernel and launches it: netcl_kernel_find, then netcl_kernel_launch. */
NETCL_API netcl_status netcl_kernel_launch_by_name(netcl_device *device, const char *name,
                                                   uint64_t shape_signature,
                                                   const uint64_t *global, uint32_t global_count,
                                                   const uint64_t *local, uint32_t local_count,
                                                   const netcl_arg *args, uint32_t args_count,
                                                   const netcl_launch_options *options,
                                                   const netcl_run_options *run);

/** Gives the counters of the program cache. @param[out] info the counters */
NETCL_API netcl_status netcl_program_cache_get_info(netcl_program_cache_info *info);

/** Drops all programs from memory, and from the disk too when `disk` is 1. Built kernels keep
 * theirs. */
NETCL_API netcl_status netcl_program_cache_clear(uint32_t disk);

/* ---- Expressions ----------------------------------------------------------------------------- */

/**
 * Parses an elementwise expression. Inputs are v0, v1, .... Written in infix ("relu(v0 + v1) *
 * 0.5", C precedence, ?: included) or with macros ("MUL(ADD(v0, v1), 2.0f)"), freely mixed.
 * Functions: docs/expressions.md lists them with their error bounds. Literals take the type of
 * what they meet. INVALID_ARGUMENT naming the column and what was expected there.
 * @param[out] expression one reference
 */
NETCL_API netcl_status netcl_expression_create(const char *text, netcl_expression **expression);

/** Adds a reference. */
NETCL_API netcl_status netcl_expression_retain(netcl_expression *expression);
/** Gives a reference back; takes NULL. */
NETCL_API void netcl_expression_release(netcl_expression *expression);

/** Gives the number of inputs: one more than the highest v used. @param[out] arity the number */
NETCL_API netcl_status netcl_expression_get_arity(const netcl_expression *expression,
                                                  uint32_t *arity);

/**
 * Gives the expression in canonical infix form; parsing that gives the same expression.
 * @param[out] buffer the text
 * @param[out] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_expression_get_text(const netcl_expression *expression, char *buffer,
                                                 size_t capacity, size_t *length);

/* ---- Ops ------------------------------------------------------------------------------------- */

typedef struct netcl_expression_options {
  size_t struct_size;
  netcl_dtype dtype;     /**< of the result; 0: as promotion of the inputs gives */
  uint32_t reserved;
} netcl_expression_options;
#define NETCL_EXPRESSION_OPTIONS_INIT { sizeof(netcl_expression_options), 0, 0 }

/**
 * Evaluates an expression over tensors, broadcast to one shape, as one fused kernel. Any strides.
 * Types: inputs promote as in array languages (bool < integers < floats; the wider wins; mixed
 * signedness takes the next wider signed type; f16 with bf16 is f32); f16 and bf16 are computed in
 * f32 and rounded once at the end. run->into may be one of the inputs when layouts are the same.
 * UNSUPPORTED for f64 on a device without fp64.
 * @param[out] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_expression(const netcl_expression *expression,
                                           netcl_tensor *const *inputs, uint32_t inputs_count,
                                           const netcl_expression_options *options,
                                           const netcl_run_options *run, netcl_tensor **result);

/**
 * Evaluates an expression given as text: netcl_expression_create (kept for the next call with the
 * same text), then netcl_op_expression.
 * @param[out] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_elementwise(const char *text, netcl_tensor *const *inputs,
                                            uint32_t inputs_count,
                                            const netcl_expression_options *options,
                                            const netcl_run_options *run, netcl_tensor **result);

/**
 * Copies a tensor to new C-order memory, or to run->into (same shape and dtype, any strides), also
 * between devices. Bit for bit.
 * @param[out] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_copy(netcl_tensor *tensor, const netcl_run_options *run,
                                     netcl_tensor **result);

/**
 * Gives the tensor itself (one more reference) when it is packed in C order, else a copy that is.
 * @param[out] result one reference
 */
NETCL_API netcl_status netcl_op_contiguous(netcl_tensor *tensor, const netcl_run_options *run,
                                           netcl_tensor **result);

/**
 * Converts elements to another dtype. To a float: round to nearest even. Float to integer: towards
 * zero, saturating, NaN to 0. Integer to integer: modulo 2^n. To bool: not equal to zero. The same
 * bits on every device, but for the payload of a NaN.
 * @param[out] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_cast(netcl_tensor *tensor, netcl_dtype dtype,
                                     const netcl_run_options *run, netcl_tensor **result);

/** Sets every element of run->into's counterpart `tensor` to one value of its dtype. */
NETCL_API netcl_status netcl_op_fill(netcl_tensor *tensor, const void *value,
                                     const netcl_run_options *run);

typedef struct netcl_matmul_options {
  size_t struct_size;
  double alpha;            /**< with has_scale = 1 */
  double beta;             /**< with has_scale = 1; needs run->into */
  netcl_dtype dtype;       /**< of the result; 0: as the inputs */
  uint32_t has_scale;      /**< 0: alpha = 1, beta = 0 */
} netcl_matmul_options;
#define NETCL_MATMUL_OPTIONS_INIT { sizeof(netcl_matmul_options), 0.0, 0.0, 0, 0 }

/**
 * Matrix product: result = alpha * a * b + beta * into. a is [..., M, K], b is [..., K, N], the
 * leading dimensions broadcast; rank 1 is a row (a) or a column (b), whose dimension is dropped
 * from the result. f32, f64, f16, bf16 of equal dtype; f16 and bf16 accumulate in f32 and round
 * once; the result may be f32 then. Transposes are strides. beta = 0 does not read `into`. `into`
 * must not share memory with a or b. Error per element: at most 2 K eps sum|a||b| with eps of the
 * accumulator (Higham, Accuracy and Stability, 3.5), plus the rounding to the result's dtype.
 * @param[out] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_matmul(netcl_tensor *a, netcl_tensor *b,
                                       const netcl_matmul_options *options,
                                       const netcl_run_options *run, netcl_tensor **result);

#ifdef __cplusplus
}
#endif

#endif /* NETCL_H */
