/*
 * netcl: OpenCL compute for every language that can call C.
 *
 * Devices, N-d tensors, buffer pools, kernels, fused expressions and fast ops as one shared
 * library. It runs on any OpenCL driver, on PoCL, and on the built-in CPU device where there is no
 * OpenCL.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Contents
 *
 * Computing
 *   Handles, Status, Library, Log, Dtypes
 *                               what all functions share
 *   Devices, Queues, Events     where work runs, and in what order
 *   Pools and buffers, Sharing  memory, and memory that others work on too
 *   Tensors                     shapes, views, and data that comes and goes
 *   Kernels, Expressions        OpenCL C of your own, and formulas that become kernels
 *   Variants                    which kernel an op takes
 *   Ops: elementwise, Primitives, Ops: matmul and conv2d, Ops: quantised weights,
 *   Ops: attention, Ops: reductions and scans, Ops: normalisation and pooling,
 *   Ops: quantisation, Ops: losses, Ops: optimisers, Ops: moving elements
 *                               the ops, and ops of your own; docs/ops.md is their index
 *   Graphs                      calls that are recorded: their gradients, and compiled steps
 *   Models, Weights             files of ONNX, safetensors and GGUF
 *   Groups, Reducers, Sharded tensors
 *                               several devices and processes
 * Measuring
 *   Timing, Profiles            how long work takes
 *   Roofline, Ceilings          how near that is to what the device can do
 *   Parameter spaces, Tuning database, Isolated benchmark, Tuning
 *                               faster settings for ops and kernels
 *
 * Twenty functions to start with
 *
 *   netcl_status_name               the name of what went wrong
 *   netcl_last_error_message        the sentence that says why
 *   netcl_device_open               a device: "auto", "gpu", "cpu", "builtin"
 *   netcl_device_get_info           its name and what it has
 *   netcl_device_finish             waits for all that was asked of it
 *   netcl_device_release            gives it back
 *   netcl_tensor_create_from_host   an array of yours on the device
 *   netcl_tensor_create_zeros       zeros there
 *   netcl_tensor_create_random      random numbers there
 *   netcl_tensor_get_info           shape, strides, dtype
 *   netcl_tensor_slice              a part of it, without a copy
 *   netcl_tensor_reshape            the same elements in another shape
 *   netcl_tensor_read               back into an array of yours
 *   netcl_tensor_write              new contents from one
 *   netcl_tensor_release            gives it back
 *   netcl_op_expression_text        any formula over elements, as one kernel
 *   netcl_op_matmul                 products of matrices
 *   netcl_op_reduce                 sums, means, maxima, argmax along axes
 *   netcl_kernel_create             OpenCL C of your own
 *   netcl_kernel_launch             runs it
 *
 * A short program
 *
 *   #include <netcl.h>
 *   #include <stdio.h>
 *   #include <stdlib.h>
 *
 *   static void check(netcl_status status) {
 *     if (status == NETCL_OK) return;
 *     fprintf(stderr, "%s: %s\n", netcl_status_name(status), netcl_last_error_message());
 *     exit(1);
 *   }
 *
 *   int main(void) {
 *     const int64_t shape[2] = {2, 3};
 *     const float host[6] = {1, 2, 3, -4, 5, 6};
 *     float result[6];
 *     netcl_device *device;
 *     netcl_tensor *x, *y;
 *
 *     check(netcl_device_open("auto", NULL, &device));
 *     check(netcl_tensor_create_from_host(device, NETCL_F32, 2, shape, NULL, host, sizeof host,
 *                                         NULL, &x));
 *     check(netcl_op_expression_text("relu(v0) * 2 + 1", &x, 1, NULL, NULL, &y));
 *     check(netcl_tensor_read(y, result, sizeof result, NULL, NETCL_WAIT_FOREVER));
 *     for (int i = 0; i < 6; i++) printf("%g ", result[i]);
 *     printf("\n");
 *
 *     netcl_tensor_release(y);
 *     netcl_tensor_release(x);
 *     netcl_device_release(device);
 *     return result[0] == 3 && result[3] == 1 && result[5] == 13 ? 0 : 1;
 *   }
 *
 * It prints "3 5 7 1 11 13". cc first.c $(pkg-config --cflags --libs netcl) builds it.
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
 * Arrays.   A count is at most NETCL_LIST_MAX where no less is said, but for samples of times. A
 *   larger one is INVALID_ARGUMENT, and none of the array is read.
 * Structs.  Structs of options and of information begin with size_t struct_size, which the caller
 *   sets to sizeof the struct (NETCL_X_INIT does). Zero means "default" in every member, NULL
 *   options mean all defaults; where a call needs a member that has none, NULL is
 *   INVALID_ARGUMENT. Members are only ever appended, so programs compiled against an
 *   older header keep working. Options: the size is at least that of the struct's first release,
 *   which the API lock keeps, else INVALID_ARGUMENT; members that a shorter struct lacks are zero;
 *   a longer one (at most 64 KiB) is UNSUPPORTED unless what this library does not know is zero;
 *   reserved members must be zero. Information: the library writes as much as fits and zeroes the
 *   rest. A struct that one function writes and another reads follows both rules.
 * Shapes.   Extents and strides are int64_t and count elements. NULL strides mean C order. Negative
 *   strides and strides of 0 are legal in views. Rank is at most NETCL_RANK_MAX; rank 0 is a
 *   scalar; an extent of 0 makes an empty tensor. Tensors may be larger than 4 GiB.
 * Text.     Names are NUL-terminated UTF-8 without control characters; what names something and is
 *   none is INVALID_ARGUMENT. Text comes back through (buffer, capacity, length): length receives
 *   the bytes needed without the NUL, and at most capacity bytes are written, NUL included. A
 *   capacity of 0 with a NULL buffer asks for the length only.
 * Time.     uint64_t nanoseconds. Timeouts bound waits for earlier work; 0 polls,
 *   NETCL_WAIT_FOREVER waits without limit. A wait that runs out of time returns
 *   NETCL_ERROR_TIMEOUT and changes nothing. Calls without a timeout that move data from the host
 *   (create_from_host, load_npy, from_npy, from_dlpack), and ops whose waits hold an event of
 *   another device, may wait as long as that takes.
 * Threads.  "Shareable" objects may be used by any number of threads at once. "Movable" ones may
 *   change threads but not be used by two at the same time. Handle types say which they are.
 *   A thread that is cancelled (pthread_cancel) ends before a call, never in one or in a release.
 * Memory.   What a call is given (text, arrays, structs, data) is read or written during the call
 *   only, unless its comment says that it must stay. Where the library goes on using memory or
 *   objects of the caller, nobody else may write them while a command can read them, nor touch them
 *   while one can write them.
 * Code.     On CPU devices a kernel that the caller wrote runs in this process and can touch all of
 *   its memory: when it is launched and, with drivers that load what they compile, when it is
 *   built. Memory whose contents are undefined may show what was freed. Where a function looks as
 *   if it ran such code or gave such memory and does not, its comment has @safe.
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
 * Markers.  Bindings are generated from this header, and what they cannot see from types and names
 *   is in brackets behind @param or in a word with an @. Those are read; prose is not.
 *   @param[out]: an output. [opt]: NULL may be given. [absent]: a handle that is NULL where there
 *   is none. [flag]: 0 or 1. [count=x]: as many entries as the argument x, or x of them. [infer]: a
 *   shape of which an extent may be -1, for what fits. [owned], [borrowed]: whose a foreign
 *   object is. [stays]: memory that can be in use after the call. [destroyed]: destroy is called
 *   also where the call fails. Of a member: @flag: 0 or 1, where 1 is what the text says;
 *   @flag[x,y]: that x and y are set, as has_x says of x; @stays: with it memory is in use after
 *   the call; @copied: bytes that a driver never gets as they are. Of a function: @safe: see
 *   "Code"; @thread: it works on state of the calling thread; @by_thread: it follows what the
 *   calling thread does. Of a handle's type: "Shareable." or "Movable.".
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
/** Largest number of entries of an array that has no smaller limit. */
#define NETCL_LIST_MAX 65536
/** Largest number of results of expressions that are evaluated together. */
#define NETCL_RESULTS_MAX 16
/** A timeout that never runs out. */
#define NETCL_WAIT_FOREVER 0xffffffffffffffffu

/* ==== Computing =============================================================================== */

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

/** A loop that times work of the caller. Movable. */
typedef struct netcl_measurement netcl_measurement;
/** A stopwatch of what is enqueued on a queue. Movable. */
typedef struct netcl_timer netcl_timer;
/** A named stretch of work on a queue, for profiles. Movable. */
typedef struct netcl_region netcl_region;
/** An analyzer of how near kernels are to the roofline, with its history. Movable. */
typedef struct netcl_roofline netcl_roofline;
/** Limits of a device: rates of memory, caches, arithmetic and transfers. Shareable. */
typedef struct netcl_ceilings netcl_ceilings;
/** Tuning parameters, their values and constraints. Movable while it is built, then shareable. */
typedef struct netcl_space netcl_space;
/** Values of tuning parameters. Shareable. */
typedef struct netcl_config netcl_config;
/** What tuning found, in memory and in a file. Shareable. */
typedef struct netcl_tuning_database netcl_tuning_database;
/** A search over a space for its fastest configuration, by asking and telling. Shareable. */
typedef struct netcl_search netcl_search;
/** Kernels and ops that are tuned together. Shareable. */
typedef struct netcl_tuner netcl_tuner;

/** A comparison of candidate kernels, in a process of their own, with a baseline. Movable. */
typedef struct netcl_benchmark netcl_benchmark;
/** Calls of ops that were recorded, in their order. Shareable. */
typedef struct netcl_graph netcl_graph;
/** One rank of several that work together, each with a device of its own. Shareable. */
typedef struct netcl_group netcl_group;
/** What joins the gradients of all ranks of a group while a graph works them out. Shareable. */
typedef struct netcl_reducer netcl_reducer;
/** One rank's block of a tensor that lies on all ranks of a group. Shareable. */
typedef struct netcl_sharded netcl_sharded;
/** A network that was read from a file, ready to run. Shareable. */
typedef struct netcl_model netcl_model;
/** Named tensors in a file, of which each can be had on a device. Shareable. */
typedef struct netcl_weights netcl_weights;

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
  NETCL_HANDLE_EXPRESSION = 8,
  NETCL_HANDLE_MEASUREMENT = 9,
  NETCL_HANDLE_TIMER = 10,
  NETCL_HANDLE_REGION = 11,
  NETCL_HANDLE_ROOFLINE = 12,
  NETCL_HANDLE_SPACE = 13,
  NETCL_HANDLE_CONFIG = 14,
  NETCL_HANDLE_TUNING_DATABASE = 15,
  NETCL_HANDLE_SEARCH = 16,
  NETCL_HANDLE_CEILINGS = 17,
  NETCL_HANDLE_BENCHMARK = 18,
  NETCL_HANDLE_TUNER = 19,
  NETCL_HANDLE_GRAPH = 20,
  NETCL_HANDLE_GROUP = 21,
  NETCL_HANDLE_MODEL = 22,
  NETCL_HANDLE_SHARDED = 23,
  NETCL_HANDLE_WEIGHTS = 24,
  NETCL_HANDLE_REDUCER = 25
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
  NETCL_ERROR_INTERNAL = -18,           /**< a fault of the library itself */
  NETCL_ERROR_RANK_LOST = -19           /**< another rank of a group died or left */
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

/**
 * Says what failed, as this thread's last failing call does: for a function of the host, before it
 * returns `status` to the library. This call itself gives NETCL_OK, and is not what to return: a
 * function that finds no file calls netcl_last_error_set(NETCL_ERROR_IO, 0, "no file of weights")
 * and returns NETCL_ERROR_IO, with which the call that it was called in fails.
 *
 * Without it the call that it was called in has the message of the last call within it that failed,
 * where that failed so, else one that only names the status. Negative statuses of the host's own
 * are handed on; the library has none below -999. A function that returns one above 0 fails with
 * INVALID_ARGUMENT. INVALID_ARGUMENT when `status` is 0 or more, or `message` is NULL.
 * @param native_code a code of OpenCL, or 0
 * @param message becomes one line, and is cut where it is too long
 */
NETCL_API netcl_status netcl_last_error_set(netcl_status status, int32_t native_code,
                                            const char *message);

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
 * without it. Objects stay valid and the library usable. Fails with TIMEOUT when work is left, and
 * with LAUNCH_FAILURE when a command failed of which netcl_device_finish has not told; then all is
 * emptied as well.
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
 * A handler that was installed before is called too. Without one, a SIGINT while no call of this
 * library waits ends the process at once with code 130. Both exits are as abrupt as that of the
 * signal itself: no atexit handler runs and buffered output of stdio is lost. A transfer of the
 * caller's memory that the device has begun ends before its call does. A second call of this
 * function replaces the grace time.
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
 * once fn has been replaced and no delivery to it is under way; INVALID_ARGUMENT when it is set and
 * fn is NULL.
 * @param[opt] destroy
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

/**
 * Units of a device that multiply small matrices, and that netcl has kernels for. It finds them by
 * building and running one. docs/matrix-units.md goes through such a kernel.
 */
typedef int32_t netcl_matrix_units;
enum netcl_matrix_units_value {
  NETCL_MATRIX_UNITS_NONE = 0,
  NETCL_MATRIX_UNITS_WGMMA = 1 /**< NVIDIA's Hopper generation, through PTX for sm_90a */
};

/** Identity of a device. */
typedef struct netcl_device_info {
  size_t struct_size;
  uint32_t index;            /**< place in the list of netcl_device_count; UINT32_MAX: wrapped, or
                                  the built-in device before anything has looked at the list */
  netcl_device_type type;
  netcl_backend backend;
  uint32_t platform_index;   /**< P of the selector "P:D"; UINT32_MAX for the built-in device */
  uint32_t device_index;     /**< D of the selector "P:D" */
  uint32_t has_uuid;         /**< @flag uuid is known */
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
  uint32_t fp16;                    /**< @flag half arithmetic runs (announced, or probed) */
  uint32_t fp16_announced;          /**< @flag an extension mentions fp16 */
  uint32_t fp64;                    /**< @flag double arithmetic */
  uint32_t subgroups;               /**< @flag an extension mentions subgroup */
  uint32_t int64_atomics;           /**< @flag 64-bit base or extended atomics */
  uint32_t svm;                     /**< @flag any kind of shared virtual memory */
  uint32_t integrated;              /**< @flag shares memory with the host: zero-copy is possible */
  uint32_t out_of_order;            /**< @flag out-of-order queues exist */
  uint32_t il;                      /**< @flag takes SPIR-V */
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
  netcl_matrix_units matrix_units;  /**< NONE while NETCL_MATRIX_UNITS=0 */
  uint32_t reserved;
} netcl_device_capabilities;
#define NETCL_DEVICE_CAPABILITIES_INIT \
  { sizeof(netcl_device_capabilities), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
    {0, 0, 0}, 0, 0, 0, 0, 0, 0, 0, 0 }

/** How netcl_op_copy brings a tensor of one device to another one. */
typedef int32_t netcl_copy_road;
enum netcl_copy_road_value {
  NETCL_COPY_ROAD_DEVICE = 1,    /**< one device: a command of it */
  NETCL_COPY_ROAD_MEMORY = 2,    /**< both work on memory of the host: one command reaches both
                                      tensors, whatever their strides */
  NETCL_COPY_ROAD_TRANSFER = 3,  /**< the transfers of one device go to or come from the memory of
                                      the other, which is the built-in one */
  NETCL_COPY_ROAD_STAGED = 4,    /**< in pieces through page-locked memory of the host; one device
                                      writes pieces while the other one reads the next */
  NETCL_COPY_ROAD_PEER = 5       /**< from one GPU of CUDA to another by the link between them:
                                      memory made with share = 1 at once, other memory by way of
                                      pieces of such; short tensors as STAGED */
};

/** How a copy between two devices goes; see netcl_device_explain_copy. */
typedef struct netcl_copy_explanation {
  size_t struct_size;
  netcl_copy_road road;
  uint32_t packs;        /**< @flag what is not packed in C order is copied
                              once more on its device */
  uint64_t piece_bytes;  /**< at most, of what goes through page-locked memory; 0: nothing does */
  char reason[512];      /**< a sentence: why it is this road */
} netcl_copy_explanation;
#define NETCL_COPY_EXPLANATION_INIT { sizeof(netcl_copy_explanation), 0, 0, 0, {0} }

typedef struct netcl_device_options {
  size_t struct_size;
  uint32_t separate;  /**< @flag a context of its own instead of the one shared by all openings;
                           netcl_device_open_from_cl: 0 */
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
 * Explains in words which loader, platforms and devices were found, what kept others away, and
 * which device each word that is a selector gives.
 * @param[out] buffer receives the text, several lines
 * @param[out,opt] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_device_diagnose(char *buffer, size_t capacity, size_t *length);

/**
 * Opens a device. Selectors: "auto" (first discrete GPU, integrated GPU, accelerator, OpenCL CPU
 * device, built-in), "gpu", "accel", "cpu" (OpenCL CPU device, else built-in), "builtin", an
 * index of the list ("0"), platform and device ("0:1"), or two or more letters of a device's
 * name, vendor, platform or version ("rtx", "nvidia", "pocl"), of several devices the first in
 * the order of "auto"; letters may be of any case, and blanks at the ends do not count. NULL is
 * "auto". Where "auto" or "cpu" gives the built-in device, the log says why (NETCL_LOG_INFO).
 * Each opening gives a new handle to one device object per selected device. NO_DEVICE when there
 * is none: the message, of less than 600 bytes, says what there is. FORKED for an OpenCL device
 * in a child of a process that used OpenCL.
 * @param[out] device one reference
 */
NETCL_API netcl_status netcl_device_open(const char *selector, const netcl_device_options *options,
                                         netcl_device **device);

/**
 * Wraps an OpenCL context, one of its devices, and a queue of both as a netcl device. All three are
 * retained until the last object made from the device is gone. A NULL queue makes netcl create one.
 * Commands that the caller enqueues itself are not known to netcl's ordering.
 * @param[opt] queue
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

/**
 * Gives the capabilities of a device. The first call for one of NVIDIA's Hopper generation builds
 * and runs a kernel, to see what its matrix units take, after what the device has to do already.
 * @param[out] capabilities the capabilities
 */
NETCL_API netcl_status netcl_device_get_capabilities(const netcl_device *device,
                                                     netcl_device_capabilities *capabilities);

/**
 * Waits for everything enqueued on any queue of the device. Fails with the error of the first
 * command that failed since the last finish of the device or of its queue, TIMEOUT, CANCELLED or
 * DEVICE_LOST.
 */
NETCL_API netcl_status netcl_device_finish(netcl_device *device, uint64_t timeout_ns);

/**
 * Suggests a local size and the global size rounded up to its multiple, from the shape of the work
 * and the device's limits: 64 items in one dimension, 8x8 or a multiple of the preferred width in
 * two, 4x4x4 in three; on CPUs 64x4 and 64x4x1. @safe
 * @param[out,count=global] local as many entries as global
 * @param[out,count=global] rounded as many entries as global
 */
NETCL_API netcl_status netcl_device_suggest_local_size(const netcl_device *device,
                                                       const uint64_t *global,
                                                       uint32_t global_count, uint64_t *local,
                                                       uint64_t *rounded);

/**
 * Tells how netcl_op_copy brings a tensor of `from` to `to`, and why so. It is the same for all
 * tensors of the two, but for those that lie in the same memory of the host. Any thread.
 * @param[out] explanation the road
 */
NETCL_API netcl_status netcl_device_explain_copy(const netcl_device *from, const netcl_device *to,
                                                 netcl_copy_explanation *explanation);

/**
 * Lends the OpenCL context. UNSUPPORTED on the built-in device.
 * @param[out,borrowed] context borrowed
 */
NETCL_API netcl_status netcl_device_get_cl_context(const netcl_device *device,
                                                   struct _cl_context **context);

/**
 * Lends the OpenCL device. UNSUPPORTED on the built-in device.
 * @param[out,borrowed] device_id borrowed
 */
NETCL_API netcl_status netcl_device_get_cl_device(const netcl_device *device,
                                                  struct _cl_device_id **device_id);

/** Gives the device's default in-order queue. @param[out] queue one reference */
NETCL_API netcl_status netcl_device_get_queue(const netcl_device *device, netcl_queue **queue);

/**
 * Makes a device the calling thread's active one. Active devices form a stack per thread; no other
 * function consults it. What is left on the stack is given back when the thread ends. @thread
 */
NETCL_API netcl_status netcl_device_push(netcl_device *device);

/**
 * Takes the calling thread's active device off its stack. NOT_FOUND when the stack is empty.
 * @thread
 */
NETCL_API netcl_status netcl_device_pop(void);

/**
 * Gives the calling thread's active device. NOT_FOUND when there is none. @thread
 * @param[out] device one reference
 */
NETCL_API netcl_status netcl_device_current(netcl_device **device);

/* ---- Queues ---------------------------------------------------------------------------------- */

typedef struct netcl_queue_options {
  size_t struct_size;
  uint32_t out_of_order;  /**< @flag commands may overtake each other where
                               their memory allows it */
  uint32_t profiling;     /**< @flag as netcl_queue_set_profiling(queue, 1) */
} netcl_queue_options;
#define NETCL_QUEUE_OPTIONS_INIT { sizeof(netcl_queue_options), 0, 0 }

typedef struct netcl_queue_info {
  size_t struct_size;
  uint32_t out_of_order;  /**< @flag commands may overtake each other */
  uint32_t profiling;     /**< @flag times are recorded */
  uint32_t foreign;       /**< @flag the queue wraps one of the caller */
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
 * @param[flag] enabled
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
 * @param[out,borrowed] cl_queue borrowed
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

/**
 * Waits for the command. Fails with its error, TIMEOUT or CANCELLED. A command fails with any that
 * it waits for or that was to write what it reads, whatever the driver makes of that. Where a
 * driver then does not end it, nor what is behind it, the wait ends all the same, seconds later.
 */
NETCL_API netcl_status netcl_event_wait(const netcl_event *event, uint64_t timeout_ns);

/** Tells how far the command has come, without waiting. @param[out] state the state */
NETCL_API netcl_status netcl_event_query(const netcl_event *event, netcl_event_state *state);

/**
 * Gives the times of a completed command. BUSY while it is not complete; its error when it failed;
 * NOT_PROFILED when its queue recorded no times when it was enqueued, see
 * netcl_queue_set_profiling; LAUNCH_FAILURE when the driver fails to give them.
 * @param[out] timing the times
 */
NETCL_API netcl_status netcl_event_get_timing(const netcl_event *event, netcl_event_timing *timing);

/**
 * Gives the error of a failed command; status NETCL_OK when it has not failed.
 * @param[out] info the error
 */
NETCL_API netcl_status netcl_event_get_error(const netcl_event *event, netcl_error_info *info);

/**
 * Lends the OpenCL event. UNSUPPORTED on the built-in device.
 * @param[out,borrowed] cl_event borrowed
 */
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
  uint32_t share;                    /**< @flag memory for netcl_buffer_export; see "Sharing" */
  uint32_t reserved;
} netcl_pool_options;
#define NETCL_POOL_OPTIONS_INIT { sizeof(netcl_pool_options), 0, 0, 0, 0, 0, 0 }

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
  uint32_t pinned;         /**< @flag page-locked host memory */
  uint32_t zero_copy;      /**< @flag the device works on host_pointer itself */
  uint32_t shared;         /**< @flag a tensor, another handle or a call that
                                is running uses it too */
  uint32_t exportable;     /**< @flag netcl_buffer_export gives it to others */
} netcl_buffer_info;
#define NETCL_BUFFER_INFO_INIT { sizeof(netcl_buffer_info), 0, 0, NULL, 0, 0, 0, 0 }

/**
 * Makes a pool. With options->share = 1 it is INVALID_ARGUMENT for a PINNED one, and UNSUPPORTED
 * where the device's memory cannot be shared.
 * @param[out] pool one reference
 */
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
 * @param[out,opt] buckets receives at most capacity rows; may be NULL when capacity is 0
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
 * @param[stays] data
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
 * @param[out,borrowed] mem borrowed
 */
NETCL_API netcl_status netcl_buffer_get_cl_mem(const netcl_buffer *buffer, struct _cl_mem **mem);

/* ---- Sharing --------------------------------------------------------------------------------- */

/*
 * Tensors and pools that are made with share = 1 have memory on which other processes, and other
 * runtimes of this one, work without a copy: a memory file (memfd) on CPU devices, memory of CUDA's
 * driver on NVIDIA's GPUs, which needs libcuda.so.1. Elsewhere share = 1 is UNSUPPORTED.
 *
 * Order.    Nothing orders what two processes, devices or runtimes do: wait for what one does on
 *   the memory (netcl_tensor_wait) before another begins. Commands that one device runs on one
 *   memory file are ordered as ever.
 * Lifetime. The memory stays until everybody is done with it: its buffers and tensors, descriptors
 *   and imports in any process. They may go in any order, and a process may be killed at any time.
 *   A pool leases nothing again that was exported, or whose address CUDA was told.
 * Trust.    Whoever has a descriptor can read and write all that it stands for, total_bytes.
 */

typedef int32_t netcl_share_kind;
enum netcl_share_kind_value {
  NETCL_SHARE_FILE = 1,   /**< a memory file, which mmap with MAP_SHARED opens */
  NETCL_SHARE_CUDA = 2    /**< for cuMemImportFromShareableHandle, as a POSIX file descriptor; at
                               most 510 MiB in one piece, else UNSUPPORTED */
};

/** Memory that processes share, and what is needed to open it. */
typedef struct netcl_shared_memory {
  size_t struct_size;
  netcl_share_kind kind;
  int32_t descriptor;      /**< a file descriptor */
  uint64_t offset_bytes;   /**< where the memory begins in what the descriptor stands for */
  uint64_t bytes;          /**< of the memory */
  uint64_t total_bytes;    /**< of all that the descriptor stands for */
  uint8_t device_uuid[16]; /**< of the GPU; zeros for a file */
} netcl_shared_memory;
#define NETCL_SHARED_MEMORY_INIT { sizeof(netcl_shared_memory), 0, 0, 0, 0, 0, {0} }

/**
 * Lets others have a buffer's memory: another process, to which a Unix socket takes the descriptor
 * (SCM_RIGHTS), or another device. UNSUPPORTED for memory that was made without share = 1,
 * NOT_FOUND for 0 bytes, IO when there is no further descriptor.
 * @param[out] memory with a descriptor that is the caller's to close, and is closed on exec
 */
NETCL_API netcl_status netcl_buffer_export(const netcl_buffer *buffer, netcl_shared_memory *memory);

/**
 * Opens what netcl_buffer_export gave, here or in another process; netcl_tensor_create_from_buffer
 * makes tensors of it. The descriptor stays the caller's, who may close it when the call returns.
 * Whoever sent it need not be trusted: INVALID_ARGUMENT, naming what is wrong, for a descriptor
 * that is not open for reading and writing or is no memory file, for a file that somebody could
 * shrink (it has no F_SEAL_SHRINK) or that is sealed against writing, for total_bytes that are not
 * its size, for bytes that do not lie in it, and for an offset that is no multiple of 64 (512 for
 * NETCL_SHARE_CUDA, where CUDA's driver is what checks the descriptor).
 * UNSUPPORTED where the device cannot open this kind, it is memory of a GPU that this one does not
 * reach, or total_bytes are more than 510 MiB of NETCL_SHARE_CUDA. What a device does with memory
 * of another GPU goes by the link between them.
 * @param[out] buffer one reference
 */
NETCL_API netcl_status netcl_buffer_import(netcl_device *device, const netcl_shared_memory *memory,
                                           netcl_buffer **buffer);

/**
 * Gives the address (CUdeviceptr) of a buffer for CUDA, in the primary context of its GPU, which
 * PyTorch, CuPy and JAX use. It is valid until the last reference to the buffer and its tensors is
 * gone. UNSUPPORTED for memory that CUDA does not know, NOT_FOUND for 0 bytes.
 * @param[out] address borrowed
 */
NETCL_API netcl_status netcl_buffer_get_cuda_address(const netcl_buffer *buffer, uint64_t *address);

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
  netcl_event *const *waits;    /**< further events to wait for; one that failed: LAUNCH_FAILURE */
  netcl_event **event;          /**< receives one reference: the event of the last command */
  uint32_t waits_count;
  uint32_t reserved;
  netcl_graph *graph;           /**< records the call; see "Graphs" */
} netcl_run_options;
#define NETCL_RUN_OPTIONS_INIT { sizeof(netcl_run_options), NULL, NULL, NULL, NULL, 0, 0, NULL }

/** Where and how a tensor is made. */
typedef struct netcl_tensor_options {
  size_t struct_size;
  netcl_queue *queue;        /**< NULL: the device's default queue */
  netcl_pool *pool;          /**< NULL: the device's persistent pool, and for from_cl */
  netcl_event **event;       /**< receives one reference: the device has the data */
  netcl_toggle async_copy;   /**< return before the device has what is copied from the host;
                                  DEFAULT: NETCL_ASYNC_H2D, and where nothing is copied */
  netcl_toggle use_pinned;   /**< stage that through page-locked memory; DEFAULT: NETCL_PINNED_H2D,
                                  and where nothing is copied */
  uint32_t borrow;           /**< @flag @stays from_host works on the caller's memory itself */
  uint32_t take_ownership;   /**< @flag from_cl releases the memory object with the tensor */
  uint32_t share;            /**< @flag in memory for netcl_buffer_export, see "Sharing";
                                  a pool that is given has to have been made so */
  uint32_t reserved;
} netcl_tensor_options;
#define NETCL_TENSOR_OPTIONS_INIT \
  { sizeof(netcl_tensor_options), NULL, NULL, NULL, 0, 0, 0, 0, 0, 0 }

/** How netcl_tensor_read and netcl_tensor_write move data. */
typedef struct netcl_transfer_options {
  size_t struct_size;
  netcl_queue *queue;           /**< NULL: the device's default queue */
  netcl_event *const *waits;    /**< further events to wait for */
  netcl_event **event;          /**< receives one reference; makes a read return at once */
  uint32_t waits_count;
  netcl_toggle async_copy;      /**< write: return before the device has it; NETCL_ASYNC_H2D.
                                     read: DEFAULT */
  netcl_toggle use_pinned;      /**< stage through page-locked memory; NETCL_PINNED_H2D. A read with
                                     an event stages nothing, and takes no ON */
  uint32_t borrow;              /**< @flag @stays write copies nothing;
                                     the array must stay until the event. read: 0 */
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
  double low;        /**< uniform: lowest value; low = high = 0: [0, 1), integers: all; normal: 0 */
  double high;       /**< uniform: end of the range; normal: 0 */
  double mean;       /**< normal; uniform: 0 */
  double deviation;  /**< normal: standard deviation; 0 means 1; uniform: 0 */
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
  uint32_t contiguous;      /**< @flag packed in C order */
  uint32_t zero_copy;       /**< @flag the device works on memory of the host */
  uint32_t borrowed;        /**< @flag the memory belongs to the caller */
  uint32_t pooled;          /**< @flag the memory is a lease from a pool */
  uint32_t mapped;          /**< @flag the memory is a file's, see "Weights" */
  uint32_t reserved;
} netcl_tensor_info;
#define NETCL_TENSOR_INFO_INIT \
  { sizeof(netcl_tensor_info), 0, 0, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}, 0, 0, 0, \
    0, 0, 0, 0, 0, 0 }

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
 * Makes a tensor of zeros. Strides, here and below, lay out the new memory; they must not overlap,
 * and what they leave out is 0 as well.
 * @safe
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
 * device and for every layout, and parts made with offsets fit together. @safe
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
 * @param[stays] data
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
 * The library does not see what the caller enqueues on it: while a command of the library uses the
 * tensor or a view of it, nothing else may write the object, nor read what the command writes.
 * @param[out] tensor one reference
 */
NETCL_API netcl_status netcl_tensor_create_from_cl(netcl_device *device, struct _cl_mem *mem,
                                                   uint64_t offset_bytes, netcl_dtype dtype,
                                                   uint32_t rank, const int64_t *shape,
                                                   const int64_t *strides,
                                                   const netcl_tensor_options *options,
                                                   netcl_tensor **tensor);

/**
 * Takes a DLPack tensor: kDLOpenCL of the device's context; kDLCPU, which is copied unless the
 * device is the built-in one and options->share is 0; or kDLCUDA that lies in a tensor or buffer of
 * the device's with share = 1. On success the library owns `managed` and calls its deleter when the
 * tensor is gone (at once when it was copied); on failure the caller keeps it. Unless it was copied
 * the memory is shared, as with netcl_tensor_create_from_cl: while a command of the library uses
 * it, its producer may not write it, nor read what the command writes. UNSUPPORTED for lanes other
 * than 1, complex types and other devices.
 * @param[out] tensor one reference
 */
NETCL_API netcl_status netcl_tensor_create_from_dlpack(netcl_device *device,
                                                       struct DLManagedTensor *managed,
                                                       const netcl_tensor_options *options,
                                                       netcl_tensor **tensor);

/**
 * Exports a tensor through DLPack: kDLCUDA or, on CPU devices, kDLCPU when it was made with
 * share = 1, else kDLOpenCL with the cl_mem as data, or kDLCPU on the built-in device; with a
 * byte_offset. Waits for what uses the tensor up to timeout_ns; errors as for
 * netcl_tensor_wait. The memory is shared, not copied: whoever reads it sees what later commands
 * write.
 * @param[out,owned] managed owned by the caller, who calls its deleter; it keeps the memory alive
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
 * all. IO when it cannot be written; the wait for pending writes takes at most timeout_ns, with the
 * errors of netcl_tensor_wait.
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
 * @param[infer] shape @param[out] result one reference
 */
NETCL_API netcl_status netcl_tensor_reshape(netcl_tensor *tensor, uint32_t rank,
                                            const int64_t *shape, const netcl_run_options *run,
                                            netcl_tensor **result);

/**
 * Copies elements to the host in C order. Without options->event the call waits for earlier work at
 * most timeout_ns, then for the copy, and touches `data` only before it returns; LAUNCH_FAILURE,
 * with `data` untouched, when the last command that wrote to the tensor's memory failed. With
 * options->event it returns at once, and `data` must stay until the event has completed; what is in
 * it when the event fails is undefined. data_size must be byte_count of the tensor.
 * @param[stays] data
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
 * Waits for the commands that write the tensor. LAUNCH_FAILURE when the last one that wrote to its
 * memory failed, until another one writes there; netcl_device_finish and its own event tell too. A
 * command fails with the one that was to write what it reads, whether it ran or not: nothing that
 * is made of a missing result counts as whole.
 */
NETCL_API netcl_status netcl_tensor_wait(const netcl_tensor *tensor, uint64_t timeout_ns);

/* ---- Kernels --------------------------------------------------------------------------------- */

/** What a kernel may do when it has no tuned local size. */
typedef int32_t netcl_tune_mode;
enum netcl_tune_mode_value {
  NETCL_TUNE_INHERIT = 0,     /**< as NETCL_TUNE says */
  NETCL_TUNE_OFF = 1,         /**< neither measure nor use stored results */
  NETCL_TUNE_FIRST_CALL = 2   /**< NETCL_TUNE=first or force: tune at the first launch of a size */
};

/**
 * A kernel specification. Exactly one source form is set: source; params with body; il; binary.
 * A result of tuning belongs to the values of the integer arguments too, as a size or a mode among
 * them makes another problem: only free_args are left out. What is given beside numbers, such as a
 * struct and the bytes of local memory, belongs to it as well; floats do not.
 */
typedef struct netcl_kernel_options {
  size_t struct_size;
  const char *source;             /**< full OpenCL C source, may hold several kernels */
  size_t source_size;             /**< bytes; 0: up to the NUL */
  const char *const *params;      /**< parameter declarations: "__global const float* a" */
  const char *preamble;           /**< text before the kernel, with params; may be NULL */
  const char *body;               /**< statements of the kernel, with params */
  const void *il;                 /**< SPIR-V; drivers may crash on what is not */
  size_t il_size;
  const void *binary;             /**< what netcl_kernel_get_binary gave, unchanged */
  size_t binary_size;
  const char *const *flags;       /**< further flags: one token each, '-' first */
  uint64_t shape_signature;       /**< see netcl_kernel_shape_signature; 0: any shape */
  uint64_t local_size[3];         /**< of launches that give none, all zeros: not set; a 0 before
                                       another extent is INVALID_ARGUMENT */
  uint32_t params_count;
  uint32_t flags_count;
  uint32_t trust_binary;          /**< @flag accept a binary without netcl's checksum; drivers may
                                       crash on what is not theirs */
  uint32_t fast_math;             /**< @flag -cl-fast-relaxed-math,
                                       which may break NaN and infinity */
  uint32_t no_preamble;           /**< @flag leave out the macros LOAD STORE ADD SUB MUL DIV RELU */
  netcl_tune_mode tune;
  const uint32_t *free_args;      /**< indices of arguments that are no part of the problem, such as
                                       a seed or the number of a step: what tuning found for one of
                                       their values is used for all */
  uint32_t free_args_count;       /**< up to 64 */
  uint32_t reserved;
} netcl_kernel_options;
#define NETCL_KERNEL_OPTIONS_INIT \
  { sizeof(netcl_kernel_options), NULL, 0, NULL, NULL, NULL, NULL, 0, NULL, 0, NULL, 0, \
    {0, 0, 0}, 0, 0, 0, 0, 0, 0, NULL, 0, 0 }

typedef int32_t netcl_arg_kind;
enum netcl_arg_kind_value {
  NETCL_ARG_TENSOR = 1,            /**< tensor; written unless the parameter is const */
  NETCL_ARG_TENSOR_READ_ONLY = 2,  /**< tensor that the kernel only reads */
  NETCL_ARG_SCALAR = 3,            /**< size bytes of value */
  NETCL_ARG_DATA = 4,              /**< size bytes at data, for structs over 32 bytes */
  NETCL_ARG_LOCAL = 5,             /**< size bytes of local memory */
  NETCL_ARG_NULL = 6               /**< a NULL buffer */
};

/**
 * One kernel argument. Frozen at 64 bytes: travels in arrays. Where the driver tells the types of
 * parameters, a tensor or scalar of another dtype than the parameter's elements is refused with
 * INVALID_ARGUMENT, unless `reinterpret` is 1. bool fits char and uchar, f16 and bf16 fit ushort,
 * and the elements of float4 are f32; parameters of other types (void, structs) take anything.
 */
typedef struct netcl_arg {
  netcl_arg_kind kind;
  uint32_t size;          /**< bytes of value, data or local memory */
  unsigned char value[32];
  netcl_tensor *tensor;
  const void *data;
  netcl_dtype dtype;      /**< of a scalar's elements; 0: not told, so that only its size counts */
  uint32_t reinterpret;   /**< @flag the parameter is meant to see the bytes as its own type */
} netcl_arg;
#define NETCL_ARG_INIT { 0, 0, {0}, NULL, NULL, 0, 0 }

/** What an op or a kernel has to do at least. The ops of the library declare theirs;
 * launches say it in their options. Amounts that are negative or no number, and more written than
 * moved, are INVALID_ARGUMENT. */
typedef struct netcl_work {
  size_t struct_size;
  double operations;       /**< a multiplication and an addition are two */
  double bytes;            /**< read and written, each counted once */
  double bytes_written;    /**< the part of bytes that is written */
  netcl_dtype dtype;       /**< in which the operations are done; 0: f32 */
  uint32_t matrix_units;   /**< @flag on matrix units (tensor cores) */
  uint32_t cold_cache;     /**< @flag none of it was in a cache before */
  uint32_t reserved;
} netcl_work;
#define NETCL_WORK_INIT { sizeof(netcl_work), 0.0, 0.0, 0.0, 0, 0, 0, 0 }

/** How a kernel is launched. The work is what profiles and statistics count for the launch, so that
 * netcl_roofline_analyze_statistics knows it; its cold_cache must be 0, as a measurement knows that
 * itself. */
typedef struct netcl_launch_options {
  size_t struct_size;
  uint64_t offset[3];    /**< global offset; UNSUPPORTED beyond the driver's bits */
  uint32_t round_up;     /**< @flag round the global size up to the local size; the kernel guards */
  uint32_t reserved;
  const netcl_work *work;  /**< what one launch has to do at least; NULL: not known */
} netcl_launch_options;
#define NETCL_LAUNCH_OPTIONS_INIT { sizeof(netcl_launch_options), {0, 0, 0}, 0, 0, NULL }

/** How well an answer of the tuning database fits the question. */
typedef int32_t netcl_match;
enum netcl_match_value {
  NETCL_MATCH_NONE = 0,           /**< there is none: the default applies */
  NETCL_MATCH_EXACT = 1,
  NETCL_MATCH_OTHER_DRIVER = 2,   /**< found on the same part with another driver */
  NETCL_MATCH_NEAREST_SHAPE = 3,  /**< of a shape and scalars that are within a factor of 4 */
  NETCL_MATCH_OTHER_PART = 4      /**< of another device: it is no answer */
};

/** Where the local size of a launch comes from. */
typedef int32_t netcl_local_origin;
enum netcl_local_origin_value {
  NETCL_LOCAL_CALLER = 1,         /**< the call gives it */
  NETCL_LOCAL_TUNED = 2,          /**< a stored result of tuning */
  NETCL_LOCAL_REQUIRED = 3,       /**< the source demands it: reqd_work_group_size */
  NETCL_LOCAL_SPECIFICATION = 4,  /**< netcl_kernel_options */
  NETCL_LOCAL_CHOSEN = 5          /**< netcl's own choice */
};

/** What a launch uses; see netcl_kernel_explain_launch. */
typedef struct netcl_launch_explanation {
  size_t struct_size;
  uint64_t global[3];        /**< work items that run; 1 beyond the dimensions of the launch */
  uint64_t local[3];         /**< of a group; 1 beyond the dimensions of the launch */
  netcl_local_origin origin; /**< of local */
  netcl_match match;         /**< how the stored result fits; NONE: none is used */
  double median;             /**< nanoseconds that the stored result took; 0: not known */
  double default_median;     /**< and the untuned kernel */
  char macros[256];          /**< those that tuning sets, "TILE=16 WORK=4"; longer texts are cut */
  char reason[512];          /**< a sentence: which result is used and how it fits, or why not */
} netcl_launch_explanation;
#define NETCL_LAUNCH_EXPLANATION_INIT \
  { sizeof(netcl_launch_explanation), {0, 0, 0}, {0, 0, 0}, 0, 0, 0.0, 0.0, {0}, {0} }

/** Facts about a built kernel. */
typedef struct netcl_kernel_info {
  size_t struct_size;
  uint32_t args_count;
  uint32_t from_cache;            /**< @flag the program came from the disk cache, not a compiler */
  uint32_t preferred_multiple;    /**< of the local size */
  uint32_t reserved;
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
  uint32_t is_buffer;    /**< @flag __global or __constant pointer */
  uint32_t is_local;     /**< @flag __local pointer */
  uint32_t is_const;     /**< @flag the kernel does not write through it */
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
 * line numbers in build logs. What the program holds besides kernels (constructors, assembly) may
 * run in this process when a driver builds it. UNSUPPORTED on the built-in device, whose kernels
 * are expressions and ops.
 * @param[out] kernel one reference
 */
NETCL_API netcl_status netcl_kernel_create(netcl_device *device, const char *name,
                                           const netcl_kernel_options *options,
                                           netcl_kernel **kernel);

/**
 * Makes the specification of an elementwise kernel `name`(v0, ..., out, n) over contiguous arrays
 * of one dtype from an expression in v0 ... v(arity-1). f16 adds the fp16 pragma, never fast-math.
 * UNSUPPORTED on the built-in device, which runs the expression itself (netcl_op_expression_text).
 * @safe
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
 * of that name (the message lists those it has). @safe
 */
NETCL_API netcl_status netcl_kernel_build(netcl_kernel *kernel);

/** Gives the facts of a kernel; builds it when needed. @safe @param[out] info the facts */
NETCL_API netcl_status netcl_kernel_get_info(netcl_kernel *kernel, netcl_kernel_info *info);

/** Gives the facts of one parameter; builds when needed. @safe @param[out] info the facts */
NETCL_API netcl_status netcl_kernel_get_arg_info(netcl_kernel *kernel, uint32_t index,
                                                 netcl_kernel_arg_info *info);

/**
 * Gives the text that the compiler gets. NOT_FOUND for il and binary. @safe
 * @param[out] buffer the text
 * @param[out,opt] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_kernel_get_source(const netcl_kernel *kernel, char *buffer,
                                               size_t capacity, size_t *length);

/**
 * Gives the log of the last build, "" before it. @safe
 * @param[out] buffer the text
 * @param[out,opt] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_kernel_get_build_log(const netcl_kernel *kernel, char *buffer,
                                                  size_t capacity, size_t *length);

/**
 * Gives the built program with netcl's checksum and key, to be used as netcl_kernel_options.binary
 * on the same device and driver. @safe
 * @param[out,opt] data the bytes, at most capacity of them; may be NULL when capacity is 0
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
 * The registration holds a reference until it is replaced or removed. @safe
 */
NETCL_API netcl_status netcl_kernel_register(netcl_kernel *kernel);

/** Removes a registration. NOT_FOUND when there is none. */
NETCL_API netcl_status netcl_kernel_unregister(netcl_device *device, const char *name,
                                               uint64_t shape_signature);

/**
 * Finds a registered kernel: the one with this signature, else the one with signature 0. NOT_FOUND
 * naming what is registered. @safe
 * @param[out] kernel one reference
 */
NETCL_API netcl_status netcl_kernel_find(netcl_device *device, const char *name,
                                         uint64_t shape_signature, netcl_kernel **kernel);

/**
 * Launches a kernel over `global` work items; builds it when needed. A NULL local size means the
 * tuned one (see NETCL_TUNE), else the specification's, else netcl's choice reduced to divisors of
 * the global size. With a tuned size go the tuned macros, and the global size where the space had a
 * formula for it, when they were tuned for this very size and these integer arguments (see
 * netcl_kernel_options). With a global offset nothing tuned is used. INVALID_ARGUMENT when a given
 * local size does not divide the global size (unless options->round_up), when counts differ, the
 * specification's local size has more dimensions than `global`, a size is 0, or the arguments do
 * not fit the parameters. run->into must be NULL. A tensor argument passes its memory from its
 * lowest element on, which is the first one unless a stride is negative; INVALID_ARGUMENT when the
 * device cannot address that offset (see mem_base_align_bytes).
 * @param[opt] local
 */
NETCL_API netcl_status netcl_kernel_launch(netcl_kernel *kernel, const uint64_t *global,
                                           uint32_t global_count, const uint64_t *local,
                                           uint32_t local_count, const netcl_arg *args,
                                           uint32_t args_count,
                                           const netcl_launch_options *options,
                                           const netcl_run_options *run);

/**
 * Tells what netcl_kernel_launch would use for the same arguments, without launching: work sizes,
 * tuned macros, and which stored result they come from or why there is none. It builds the kernel
 * when needed, and fails as the launch does for sizes that cannot be.
 * @param[out] explanation what a launch uses now; a change of the tuning database may change it
 */
NETCL_API netcl_status netcl_kernel_explain_launch(netcl_kernel *kernel, const uint64_t *global,
                                                   uint32_t global_count, const uint64_t *local,
                                                   uint32_t local_count, const netcl_arg *args,
                                                   uint32_t args_count,
                                                   const netcl_launch_options *options,
                                                   netcl_launch_explanation *explanation);

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
 * theirs.
 * @param[flag] disk
 */
NETCL_API netcl_status netcl_program_cache_clear(uint32_t disk);

/** One program in the disk cache. */
typedef struct netcl_program_cache_entry {
  size_t struct_size;
  uint64_t bytes;          /**< of the file */
  uint64_t used_ns;        /**< CLOCK_REALTIME of the last use */
  uint32_t sound;          /**< @flag nobody else can have written it, and every byte is right */
  uint32_t reserved;
  char name[40];           /**< of the file in netcl_program_cache_info.directory */
  char device[128];        /**< name of the device it was built for */
  char kernels[256];       /**< names of its kernels with ", " between them, as far as they fit */
  char problem[128];       /**< why it is not sound */
} netcl_program_cache_entry;
#define NETCL_PROGRAM_CACHE_ENTRY_INIT \
  { sizeof(netcl_program_cache_entry), 0, 0, 0, 0, {0}, {0}, {0}, {0} }

/**
 * Reads and checks an entry of the disk cache, in the order of their names; one that is not sound
 * is never given to a driver, and is replaced when its program is built again. NOT_FOUND past the
 * end and while there is no disk cache. Entries may come and go between two calls.
 * @param[out] entry the entry
 */
NETCL_API netcl_status netcl_program_cache_get_entry(uint32_t index,
                                                     netcl_program_cache_entry *entry);

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
 * @param[out,opt] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_expression_get_text(const netcl_expression *expression, char *buffer,
                                                 size_t capacity, size_t *length);

/**
 * Differentiates an expression of n inputs with respect to input `input`, one of 0 to n - 1. The
 * gradient is an expression of v0 ... v(n-1) and of vn, the gradient of what was made of the
 * result: vn times the partial derivative. docs/primitives.md has the derivative of each function
 * and what holds at kinks. What is not smooth anywhere, such as a comparison, an integer operation
 * or a cast to an integer, has derivative 0. INVALID_ARGUMENT when the gradient would exceed the
 * limits of an expression, or n is NETCL_ARGS_MAX.
 * @param[out] gradient one reference
 */
NETCL_API netcl_status netcl_expression_differentiate(const netcl_expression *expression,
                                                      uint32_t input, netcl_expression **gradient);

/* ---- Variants -------------------------------------------------------------------------------- */

/**
 * Families of kernels that compute the same op. Every op that has variants chooses one by the rules
 * of docs/variants.md, takes one by request (options->variant), or by NETCL_VARIANT, such as
 * "matmul=tiled,conv2d=winograd". A variant that was asked for and cannot do the case is
 * UNSUPPORTED with the reason, never replaced by another.
 */
typedef int32_t netcl_variant;
enum netcl_variant_value {
  NETCL_VARIANT_AUTO = 0,
  NETCL_VARIANT_MATMUL_NAIVE = 1,
  NETCL_VARIANT_MATMUL_TILED = 2,
  NETCL_VARIANT_MATMUL_REGISTER_TILED = 3,
  NETCL_VARIANT_MATMUL_VECTORIZED = 4,
  NETCL_VARIANT_MATMUL_MATRIX_UNITS = 5, /**< see netcl_matrix_units */
  NETCL_VARIANT_CONV2D_NAIVE = 17,
  NETCL_VARIANT_CONV2D_IM2COL = 18,
  NETCL_VARIANT_CONV2D_IMPLICIT_GEMM = 19,
  NETCL_VARIANT_CONV2D_TILED_LOCAL = 20,
  NETCL_VARIANT_CONV2D_WINOGRAD = 21,
  NETCL_VARIANT_CONV2D_MATRIX_UNITS = 22, /**< f16 and bf16, one group, strides up to 8; see
                                               netcl_matrix_units */
  NETCL_VARIANT_ELEMENTWISE_SCALAR = 33,
  NETCL_VARIANT_ELEMENTWISE_VECTORIZED = 34,
  NETCL_VARIANT_REDUCTION_SEQUENTIAL = 49,
  NETCL_VARIANT_REDUCTION_PARALLEL = 50,
  NETCL_VARIANT_REDUCTION_WORKGROUP = 51,
  NETCL_VARIANT_BATCHNORM_NAIVE = 65,
  NETCL_VARIANT_BATCHNORM_FUSED = 66,
  NETCL_VARIANT_ATTENTION_PORTABLE = 81,
  NETCL_VARIANT_ATTENTION_MATRIX_UNITS = 82 /**< see netcl_matrix_units */
};

/** What a choice is made for, beside the sizes. */
typedef struct netcl_variant_options {
  size_t struct_size;
  const netcl_device_info *info;                  /**< instead of the device's own, with the next */
  const netcl_device_capabilities *capabilities;  /**< a recorded device; NULL: the device's own */
  netcl_dtype dtype;                              /**< of the elements; 0: f32 */
  netcl_variant variant;                          /**< a request; 0: by the rules */
} netcl_variant_options;
#define NETCL_VARIANT_OPTIONS_INIT { sizeof(netcl_variant_options), NULL, NULL, 0, 0 }

/** A variant with its configuration. Members that the variant does not have are 0. */
typedef struct netcl_variant_config {
  size_t struct_size;
  netcl_variant variant;
  uint32_t tile_m;               /**< rows of the result per work-group (matmul, conv2d) */
  uint32_t tile_n;               /**< columns of the result per work-group */
  uint32_t tile_k;               /**< depth of a step */
  uint32_t work_per_thread_m;    /**< rows of the result per work-item */
  uint32_t work_per_thread_n;    /**< columns of the result per work-item */
  uint32_t local_size_1d;
  uint32_t local_size_2d[2];
  uint32_t use_local_memory;     /**< @flag tiles are staged in local memory */
  uint32_t use_vectorization;    /**< @flag vector_width elements are loaded at once */
  uint32_t vector_width;         /**< elements */
  uint32_t winograd_tile;        /**< outputs per tile edge: 2 or 4 */
  uint32_t groups;               /**< work-groups of a reduction's first stage */
  uint32_t from_cache;           /**< @flag the same question was answered before */
  uint32_t split_k;              /**< groups that share the depth of a tile (matmul on GPUs); from
                                      2 on a second launch, netcl_matmul_join, adds up their sums */
  char kernel[64];               /**< what the kernel's name begins with in traces */
  char reason[256];              /**< why this one, in words */
} netcl_variant_config;
#define NETCL_VARIANT_CONFIG_INIT \
  { sizeof(netcl_variant_config), 0, 0, 0, 0, 0, 0, 0, {0, 0}, 0, 0, 0, 0, 0, 0, 0, {0}, {0} }

/**
 * Sizes of a 2-d convolution, as netcl_op_conv2d takes them from its tensors and options. A tensor
 * of more than 2^60 elements is INVALID_ARGUMENT, as are strides, dilations and padding beyond
 * 2^31 - 1.
 */
typedef struct netcl_conv2d_shape {
  size_t struct_size;
  int64_t batch;
  int64_t channels;
  int64_t height;
  int64_t width;
  int64_t filters;
  int64_t kernel_height;
  int64_t kernel_width;
  int64_t strides[2];      /**< 0: 1 */
  int64_t dilations[2];    /**< 0: 1 */
  int64_t padding[4];      /**< top, left, bottom, right */
  int64_t groups;          /**< 0: 1 */
} netcl_conv2d_shape;
#define NETCL_CONV2D_SHAPE_INIT \
  { sizeof(netcl_conv2d_shape), 0, 0, 0, 0, 0, 0, 0, {0, 0}, {0, 0}, {0, 0, 0, 0}, 0 }

/** Returns "matmul_naive" ... "attention_matrix_units", "auto", and "invalid" for other values. */
NETCL_API const char *netcl_variant_name(netcl_variant variant);

/**
 * Tells which kernel a product of m x k by k x n gets on a device. Answers are kept per device,
 * sizes and options. options->dtype is that of a and b: f16, bf16, f32, f64, i8 or u8. Negative
 * sizes, and a matrix of more than 2^60 elements, are INVALID_ARGUMENT.
 * @param[out] config the choice
 */
NETCL_API netcl_status netcl_variant_select_matmul(const netcl_device *device, int64_t m, int64_t n,
                                                   int64_t k, const netcl_variant_options *options,
                                                   netcl_variant_config *config);

/**
 * Tells which kernel a convolution gets: see netcl_op_conv2d. NETCL_CONV_WINOGRAD=0 keeps Winograd
 * from being chosen, NETCL_CONV_TILED_LOCAL=1 lets tiled_local be chosen on small outputs.
 * @param[out] config the choice
 */
NETCL_API netcl_status netcl_variant_select_conv2d(const netcl_device *device,
                                                   const netcl_conv2d_shape *shape,
                                                   const netcl_variant_options *options,
                                                   netcl_variant_config *config);

/**
 * Tells which kernel an elementwise op over `count` elements gets.
 * @param[out] config the choice
 */
NETCL_API netcl_status netcl_variant_select_elementwise(const netcl_device *device, int64_t count,
                                                        const netcl_variant_options *options,
                                                        netcl_variant_config *config);

/**
 * Tells which kernel a reduction gets that makes `outputs` results from `count` elements each, when
 * the elements of a result lie next to each other. On GPUs results that lie side by side instead,
 * as sums of columns do, may get REDUCTION_WORKGROUP for fewer elements (docs/variants.md).
 * @param[out] config the choice
 */
NETCL_API netcl_status netcl_variant_select_reduction(const netcl_device *device, int64_t outputs,
                                                      int64_t count,
                                                      const netcl_variant_options *options,
                                                      netcl_variant_config *config);

/**
 * Tells which kernel a batch normalisation gets: `fused` when an activation goes with it, so that
 * `activation` is 1, and it is not training, else `naive`.
 * @param[flag] activation
 * @param[flag] training
 * @param[out] config the choice
 */
NETCL_API netcl_status netcl_variant_select_batchnorm(const netcl_device *device, int64_t batch,
                                                      int64_t channels, int64_t spatial,
                                                      uint32_t training, uint32_t activation,
                                                      const netcl_variant_options *options,
                                                      netcl_variant_config *config);

/** Forgets the answers that are kept, for all devices. */
NETCL_API netcl_status netcl_variant_clear_cache(void);

/* ---- Ops: elementwise ------------------------------------------------------------------------ */

/*
 * Ops follow ONNX opset 17 where ONNX has the op. f16 and bf16 are computed in f32 (sums too) and
 * rounded once. f64 is UNSUPPORTED on a device without fp64. Tensors may have any strides; results
 * are new C-order tensors unless run->into is set, whose shape and dtype must be those of the
 * result. run->into shares no memory with an input unless the op says so. The same input gives the
 * same bits each time on a device, with any number of threads, unless an option asks for atomics.
 * Axes count from the end when negative. Sizes, shapes, axes or dtypes that do not fit are
 * INVALID_ARGUMENT naming the two things that disagree; dtypes an op does not take are UNSUPPORTED.
 */

typedef struct netcl_expression_options {
  size_t struct_size;
  netcl_dtype dtype;       /**< of the result; 0: as promotion of the inputs gives */
  netcl_variant variant;   /**< 0, ELEMENTWISE_SCALAR or ELEMENTWISE_VECTORIZED */
} netcl_expression_options;
#define NETCL_EXPRESSION_OPTIONS_INIT { sizeof(netcl_expression_options), 0, 0 }

/**
 * Evaluates an expression over tensors, broadcast to one shape, as one fused kernel: a chain of
 * elementwise work is built once with netcl_expression_create and reused here. Any strides.
 * Types: inputs promote as in array languages (bool < integers < floats; the wider wins; mixed
 * signedness takes the next wider signed type; f16 with bf16 is f32); f16 and bf16 are computed in
 * f32 and rounded once at the end. run->into may share memory with inputs in any way: one that
 * overlaps it and is not the same elements is copied first.
 * UNSUPPORTED for f64 on a device without fp64.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_expression(const netcl_expression *expression,
                                           netcl_tensor *const *inputs, uint32_t inputs_count,
                                           const netcl_expression_options *options,
                                           const netcl_run_options *run, netcl_tensor **result);

/**
 * Evaluates an expression given as text: netcl_expression_create (kept for the next call with the
 * same text), then netcl_op_expression.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_expression_text(const char *text, netcl_tensor *const *inputs,
                                                uint32_t inputs_count,
                                                const netcl_expression_options *options,
                                                const netcl_run_options *run,
                                                netcl_tensor **result);

typedef struct netcl_expressions_options {
  size_t struct_size;
  const netcl_dtype *dtypes;          /**< of the results, 0 for one as promotion of the inputs
                                           gives; none: 0 for all */
  netcl_tensor *const *results_into;  /**< write the results here: tensors of one shape, each on
                                           memory of its own; none: new tensors */
  uint32_t dtypes_count;              /**< 0 or texts_count */
  uint32_t results_into_count;        /**< 0 or texts_count */
  netcl_variant variant;              /**< 0, ELEMENTWISE_SCALAR or ELEMENTWISE_VECTORIZED */
  uint32_t reserved;
} netcl_expressions_options;
#define NETCL_EXPRESSIONS_OPTIONS_INIT \
  { sizeof(netcl_expressions_options), NULL, NULL, 0, 0, 0, 0 }

/**
 * Evaluates up to NETCL_RESULTS_MAX expressions over the same inputs as one fused kernel, which
 * reads each input once, computes what the expressions have in common once and stores a result for
 * each. A result has the dtype, the shape and the bits that netcl_op_expression_text gives for its
 * text and all of the inputs: every result has the shape to which all inputs broadcast, used or
 * not. With options->results_into that shape is theirs, to which the inputs broadcast, and their
 * dtypes are those of the results; they may share memory with inputs in any way, as for
 * netcl_op_expression, since all expressions see the inputs as they were before. run->into is
 * refused. INVALID_ARGUMENT names the text that is at fault, "texts[2]: expression column 7: ...";
 * so it is when the texts have more different nodes together than one may have, and when tensors of
 * options->results_into differ in shape or are not known to lie apart.
 * UNSUPPORTED for f64 on a device without fp64.
 * @param[out,opt,count=texts] results one reference each, texts_count entries; may be NULL when
 * options->results_into is set
 */
NETCL_API netcl_status netcl_op_expressions(const char *const *texts, uint32_t texts_count,
                                            netcl_tensor *const *inputs, uint32_t inputs_count,
                                            const netcl_expressions_options *options,
                                            const netcl_run_options *run, netcl_tensor **results);

/**
 * Elementwise operators of ONNX, and a few of other libraries from 65 on. Unless noted they take as
 * many inputs as their formula has: x, or x and y. a and b stand for options->alpha and
 * options->beta, defaults in brackets.
 */
typedef int32_t netcl_elementwise;
enum netcl_elementwise_value {
  NETCL_ELEMENTWISE_ABS = 1,                /**< |x| */
  NETCL_ELEMENTWISE_ACOS = 2,               /**< arc cosine */
  NETCL_ELEMENTWISE_ACOSH = 3,              /**< inverse of cosh */
  NETCL_ELEMENTWISE_ADD = 4,                /**< x + y */
  NETCL_ELEMENTWISE_AND = 5,                /**< x and y are true, bool */
  NETCL_ELEMENTWISE_ASIN = 6,               /**< arc sine */
  NETCL_ELEMENTWISE_ASINH = 7,              /**< inverse of sinh */
  NETCL_ELEMENTWISE_ATAN = 8,               /**< arc tangent */
  NETCL_ELEMENTWISE_ATANH = 9,              /**< inverse of tanh */
  NETCL_ELEMENTWISE_BIT_SHIFT_LEFT = 10,    /**< x << y, of integers */
  NETCL_ELEMENTWISE_BIT_SHIFT_RIGHT = 11,   /**< x >> y, of integers */
  NETCL_ELEMENTWISE_CEIL = 12,              /**< the next whole number from x upwards */
  NETCL_ELEMENTWISE_CELU = 13,              /**< max(0, x) + min(0, a (exp(x / a) - 1)) [1] */
  NETCL_ELEMENTWISE_CLIP = 14,              /**< of x, low, high as tensors; or of x with a and b */
  NETCL_ELEMENTWISE_COS = 15,               /**< cosine of radians */
  NETCL_ELEMENTWISE_COSH = 16,              /**< (exp(x) + exp(-x)) / 2 */
  NETCL_ELEMENTWISE_DIV = 17,               /**< x / y */
  NETCL_ELEMENTWISE_ELU = 18,               /**< x < 0 ? a (exp(x) - 1) : x [1] */
  NETCL_ELEMENTWISE_EQUAL = 19,             /**< x == y, bool */
  NETCL_ELEMENTWISE_ERF = 20,               /**< 2 / sqrt(pi) integral of exp(-t^2), 0 to x */
  NETCL_ELEMENTWISE_EXP = 21,               /**< e^x */
  NETCL_ELEMENTWISE_FLOOR = 22,             /**< the next whole number from x downwards */
  NETCL_ELEMENTWISE_GREATER = 23,           /**< x > y, bool */
  NETCL_ELEMENTWISE_GREATER_OR_EQUAL = 24,  /**< x >= y, bool */
  NETCL_ELEMENTWISE_HARD_SIGMOID = 25,      /**< clip(a x + b, 0, 1) [0.2, 0.5] */
  NETCL_ELEMENTWISE_HARD_SWISH = 26,        /**< x clip(x / 6 + 0.5, 0, 1) */
  NETCL_ELEMENTWISE_IDENTITY = 27,          /**< x */
  NETCL_ELEMENTWISE_IS_INF = 28,            /**< x is infinite; a, b: -inf, +inf count [1, 1] */
  NETCL_ELEMENTWISE_IS_NAN = 29,            /**< x is NaN, bool */
  NETCL_ELEMENTWISE_LEAKY_RELU = 30,        /**< x < 0 ? a x : x [0.01] */
  NETCL_ELEMENTWISE_LESS = 31,              /**< x < y, bool */
  NETCL_ELEMENTWISE_LESS_OR_EQUAL = 32,     /**< x <= y, bool */
  NETCL_ELEMENTWISE_LOG = 33,               /**< natural logarithm */
  NETCL_ELEMENTWISE_MAX = 34,               /**< the largest of 1 or more inputs */
  NETCL_ELEMENTWISE_MEAN = 35,              /**< the mean of 1 or more inputs */
  NETCL_ELEMENTWISE_MIN = 36,               /**< the smallest of 1 or more inputs */
  NETCL_ELEMENTWISE_MOD = 37,               /**< x modulo y; a = 1: fmod; 0: sign of the divisor [0]
                                                 */
  NETCL_ELEMENTWISE_MUL = 38,               /**< x y */
  NETCL_ELEMENTWISE_NEG = 39,               /**< -x */
  NETCL_ELEMENTWISE_NOT = 40,               /**< x is not true, bool */
  NETCL_ELEMENTWISE_OR = 41,                /**< x or y is true, or both, bool */
  NETCL_ELEMENTWISE_POW = 42,               /**< x^y, of the dtype of the first input */
  NETCL_ELEMENTWISE_PRELU = 43,             /**< x < 0 ? slope x : x */
  NETCL_ELEMENTWISE_RECIPROCAL = 44,        /**< 1 / x */
  NETCL_ELEMENTWISE_RELU = 45,              /**< max(0, x) */
  NETCL_ELEMENTWISE_ROUND = 46,             /**< the nearest whole number, halves to even */
  NETCL_ELEMENTWISE_SELU = 47,              /**< b (x > 0 ? x : a exp(x) - a) [1.67326, 1.0507] */
  NETCL_ELEMENTWISE_SHRINK = 48,            /**< x < -a ? x + b : x > a ? x - b : 0 [0.5, 0] */
  NETCL_ELEMENTWISE_SIGMOID = 49,           /**< 1 / (1 + exp(-x)) */
  NETCL_ELEMENTWISE_SIGN = 50,              /**< -1, 0 or 1 */
  NETCL_ELEMENTWISE_SIN = 51,               /**< sine of radians */
  NETCL_ELEMENTWISE_SINH = 52,              /**< (exp(x) - exp(-x)) / 2 */
  NETCL_ELEMENTWISE_SOFTPLUS = 53,          /**< log(1 + exp(x)) */
  NETCL_ELEMENTWISE_SOFTSIGN = 54,          /**< x / (1 + abs(x)) */
  NETCL_ELEMENTWISE_SQRT = 55,              /**< square root */
  NETCL_ELEMENTWISE_SUB = 56,               /**< x - y */
  NETCL_ELEMENTWISE_SUM = 57,               /**< the sum of 1 or more inputs */
  NETCL_ELEMENTWISE_TAN = 58,               /**< sin(x) / cos(x) */
  NETCL_ELEMENTWISE_TANH = 59,              /**< sinh(x) / cosh(x) */
  NETCL_ELEMENTWISE_THRESHOLDED_RELU = 60,  /**< x > a ? x : 0 [1] */
  NETCL_ELEMENTWISE_WHERE = 61,             /**< condition ? x : y */
  NETCL_ELEMENTWISE_XOR = 62,               /**< one of x and y is true, not both, bool */
  NETCL_ELEMENTWISE_GELU = 65,              /**< 0.5 x (1 + erf(x / sqrt(2))) */
  NETCL_ELEMENTWISE_GELU_TANH = 66,         /**< 0.5 x (1 + tanh(0.797885 (x + 0.044715 x^3))) */
  NETCL_ELEMENTWISE_SILU = 67,              /**< x sigmoid(x), also called swish */
  NETCL_ELEMENTWISE_MISH = 68,              /**< x tanh(softplus(x)) */
  NETCL_ELEMENTWISE_SQUARE = 69,            /**< x^2 */
  NETCL_ELEMENTWISE_RSQRT = 70              /**< 1 / sqrt(x) */
};

typedef struct netcl_elementwise_options {
  size_t struct_size;
  double alpha;             /**< with has_parameters = 1 */
  double beta;              /**< with has_parameters = 1 */
  netcl_dtype dtype;        /**< of the result; 0: as promotion of the inputs gives */
  netcl_variant variant;    /**< 0, ELEMENTWISE_SCALAR or ELEMENTWISE_VECTORIZED */
  uint32_t has_parameters;  /**< @flag[alpha,beta] they are set; 0: the operator's defaults */
  uint32_t reserved;
} netcl_elementwise_options;
#define NETCL_ELEMENTWISE_OPTIONS_INIT { sizeof(netcl_elementwise_options), 0.0, 0.0, 0, 0, 0, 0 }

/** Returns the ONNX name of an operator, "HardSigmoid"; "invalid" for other values. */
NETCL_API const char *netcl_elementwise_name(netcl_elementwise op);

/**
 * Finds an operator by its name in any case, with or without underscores. NOT_FOUND naming it.
 * @param[out] op the operator
 */
NETCL_API netcl_status netcl_elementwise_find(const char *name, netcl_elementwise *op);

/**
 * Applies an operator to tensors, broadcast to one shape: the expression of its formula, whose
 * dtypes and error bounds docs/expressions.md lists. Of each function in the formula, in the type
 * computed in: + - *, comparisons, logic and rounding are exact or rounded once, division is within
 * 2.5 ULP, roots 3, others 16, gelu 20 + 2 x^2, gelu_tanh 8 + 4 |u| (u is there). A parameter of
 * CLIP that is NaN gives NaN for floats and is INVALID_ARGUMENT for integers. run->into may share
 * memory with inputs as for netcl_op_expression.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_elementwise(netcl_elementwise op, netcl_tensor *const *inputs,
                                            uint32_t inputs_count,
                                            const netcl_elementwise_options *options,
                                            const netcl_run_options *run, netcl_tensor **result);

/**
 * Adds a vector along one axis: bias has rank 1 and the extent of that axis. Rounded once.
 * run->into may share memory with both as for netcl_op_expression.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_bias_add(netcl_tensor *x, netcl_tensor *bias, int32_t axis,
                                         const netcl_run_options *run, netcl_tensor **result);

/**
 * Copies a tensor to new C-order memory, or to run->into (same shape and dtype, any strides). Bit
 * for bit. run->into may overlap the tensor in any way.
 * A copy may go to another device: that of run->into, else of run->queue. It comes after what the
 * calls before it do with the two tensors on their devices, and the call returns when the tensor
 * has been read; run->event is of the device that the copy goes to. What other threads do meanwhile
 * comes after it: calls that write the tensor, or use the one that it goes to, wait until the copy
 * has returned. A tensor whose last write failed is LAUNCH_FAILURE, with run->into as it was.
 * run->graph records no such copy: INVALID_ARGUMENT. netcl_device_explain_copy tells how it goes.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_copy(netcl_tensor *tensor, const netcl_run_options *run,
                                     netcl_tensor **result);

/**
 * Gives the tensor itself (one more reference) when it is packed in C order, else a copy that is:
 * the shape and the dtype stay.
 * @param[out] result one reference
 */
NETCL_API netcl_status netcl_op_contiguous(netcl_tensor *tensor, const netcl_run_options *run,
                                           netcl_tensor **result);

/**
 * Converts elements to another dtype, in the same shape. To a float: round to nearest even. Float
 * to integer: towards zero, saturating, NaN to 0. Integer to integer: modulo 2^n. To bool: not
 * equal to zero. The same bits on every device, but for the payload of a NaN. run->into may overlap
 * the tensor in any way.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_cast(netcl_tensor *tensor, netcl_dtype dtype,
                                     const netcl_run_options *run, netcl_tensor **result);

/**
 * Sets every element of a tensor of any shape, strides and dtype to one value of its dtype.
 * run->into must be NULL.
 */
NETCL_API netcl_status netcl_op_fill(netcl_tensor *tensor, const void *value,
                                     const netcl_run_options *run);

/**
 * Sets element i of a tensor, counted in C order, to start + i step, as ONNX Range. start_value and
 * step_value are one element of the tensor's dtype each, which may be any but bool; any shape and
 * strides. Integers: modulo 2^n. f32 and f64: rounded to nearest even once; f32 twice from element
 * 2^24 on, first start + (i - i mod 2^24) step, then the sum with the rest. f16 and bf16: rounded
 * from that f32. run->into must be NULL.
 */
NETCL_API netcl_status netcl_op_range(netcl_tensor *tensor, const void *start_value,
                                      const void *step_value, const netcl_run_options *run);

/**
 * Sets each matrix of the last two dimensions of a tensor to 1 where the column is the row plus k,
 * and to 0 elsewhere, as ONNX EyeLike. Any dtype and strides, rank 2 or more. run->into must be
 * NULL.
 */
NETCL_API netcl_status netcl_op_eye(netcl_tensor *tensor, int64_t k, const netcl_run_options *run);

/* ---- Primitives ------------------------------------------------------------------------------ */

/*
 * A primitive is an op of the caller's own: a name, and formulas, kernels or functions for what it
 * gives and for its gradients. Those of formulas are elementwise; they are in the language of
 * expressions, in infix or with macros. The registry belongs to the process and to no device; a
 * forked child begins with an empty one. docs/primitives.md has examples.
 */

/** Largest number of inputs of a primitive. */
#define NETCL_PRIMITIVE_INPUTS_MAX 62

/**
 * Formulas are over v0 ... v(arity-1) and the attributes by their names; those of gradients also
 * over grad, the gradient of what was made of the result, and out, the result. A primitive of any
 * number of inputs (arity 0) joins two in its forward formula: v0 is the result of the inputs
 * before, v1 the next input, and one input alone is its own result. It has one backward formula for
 * every input, in which v0 is that input. All that a formula needs is copied.
 */
typedef struct netcl_primitive_options {
  size_t struct_size;
  const char *forward;           /**< formula of the result: "MUL(v0, v1)" or "v0 * v1" */
  const char *const *backward;   /**< formulas of the gradients of the inputs in their order; "": as
                                      the derivative of forward. None: all of them so */
  const char *const *attributes; /**< names of numbers that each call may set: letters, digits and
                                      _, up to 31, and no name of the language */
  const double *defaults;        /**< values of the attributes where a call sets none; none: every
                                      call sets all */
  uint32_t arity;                /**< number of inputs, 1 to NETCL_PRIMITIVE_INPUTS_MAX; 0: any */
  uint32_t backward_count;       /**< 0 or arity; of arity 0: 0 or 1 */
  uint32_t attributes_count;     /**< up to 64 */
  uint32_t defaults_count;       /**< 0 or attributes_count */
  uint32_t gives_gradients;      /**< @flag a function of the host gives gradients too;
                                      0 for others */
  uint32_t checkpoint;           /**< @flag what the function calls is not kept for gradients; it is
                                      called again when these are asked for. 0 for others */
} netcl_primitive_options;
#define NETCL_PRIMITIVE_OPTIONS_INIT \
  { sizeof(netcl_primitive_options), NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0 }

/**
 * Registers a primitive of formulas under a name of up to 127 bytes, for all devices and threads.
 * options->forward is needed.
 * INVALID_ARGUMENT when the name is taken (netcl_primitive_unregister comes first), or a formula is
 * wrong: the message names the formula, the column and what was expected there.
 */
NETCL_API netcl_status netcl_primitive_register(const char *name,
                                                const netcl_primitive_options *options);

/** How the kernels of a primitive are launched; see netcl_primitive_register_kernels. */
typedef struct netcl_primitive_kernels {
  size_t struct_size;
  netcl_kernel *forward;           /**< gives the result */
  netcl_kernel *const *backward;   /**< give the gradients of the inputs in their order; none: the
                                        primitive has no gradient */
  uint64_t global[3];              /**< work items, 0 from rank on */
  uint64_t local[3];               /**< of a group, 0 from rank on; zeros: netcl's own choice */
  uint32_t backward_count;         /**< 0 or arity */
  uint32_t rank;                   /**< of global and local, up to 3; 0: a launch has one item for
                                        each element that it writes, in one dimension */
} netcl_primitive_kernels;
#define NETCL_PRIMITIVE_KERNELS_INIT \
  { sizeof(netcl_primitive_kernels), NULL, NULL, {0, 0, 0}, {0, 0, 0}, 0, 0 }

/**
 * Registers a primitive whose result and gradients kernels give. The result has the shape and dtype
 * of inputs[0], and a gradient those of its input; inputs may have any shapes and dtypes that the
 * kernels take. The arguments of a kernel are the inputs in their order, for a gradient then `grad`
 * and `out`, then the tensor that it writes, and the attributes as numbers of the parameters' types
 * (f32 where the driver does not tell them). Tensors lie there without gaps in C order: others are
 * copied. options->forward is NULL, options->backward_count 0 and options->arity 1 or more. The
 * primitive keeps the kernels. Its calls are on their device, and no others are joined with them.
 */
NETCL_API netcl_status netcl_primitive_register_kernels(const char *name,
                                                        const netcl_primitive_kernels *kernels,
                                                        const netcl_primitive_options *options);

/** A call of a primitive, as its function sees it: valid while that runs. */
typedef struct netcl_primitive_call {
  size_t struct_size;
  netcl_tensor *const *inputs;   /**< of the call; borrowed */
  const double *values;          /**< of the attributes, in the order of their registration */
  netcl_tensor *grad;            /**< the gradient of what was made of the result, borrowed; NULL:
                                      the result is asked for */
  netcl_tensor *out;             /**< the result, borrowed; NULL with grad */
  const netcl_run_options *run;  /**< queue, waits and graph of the call, to be handed on to each op
                                      and launch */
  uint64_t wanted;               /**< gradients that are asked for: bit i for inputs[i] */
  uint32_t inputs_count;
  uint32_t values_count;
  uint32_t tensors_count;        /**< what the function may make: 1, or with grad inputs_count */
  uint32_t reserved;
} netcl_primitive_call;
#define NETCL_PRIMITIVE_CALL_INIT \
  { sizeof(netcl_primitive_call), NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0 }

/**
 * Makes the result of a primitive, or gradients of it, by calling ops and launching kernels.
 * `tensors` holds NULL at first, and gets a reference to each tensor that is made, which is the
 * library's from then on: the result in tensors[0], or the gradient of inputs[i], of that input's
 * shape and dtype, in tensors[i]; one that is left NULL is zero. Inputs are not written to. Returns
 * NETCL_OK or what failed, see netcl_last_error_set. Called on the thread that calls the primitive
 * or asks for gradients, and on several threads at a time.
 */
typedef netcl_status (*netcl_primitive_fn)(const netcl_primitive_call *call, netcl_tensor **tensors,
                                           void *user_data);

/**
 * Registers a primitive that a function of the host works out. What the function calls is recorded
 * where the primitive is, and may be joined with other calls. With options->gives_gradients the
 * function is asked for gradients too; else they are those of the calls that it makes for the
 * result. With options->checkpoint in their place, the memory of those calls is not kept: the
 * function is called again for gradients, for which all but the inputs is constant, and has to give
 * the same again. options->forward is NULL and options->backward_count 0; arity 0 takes any number
 * of inputs. A result that shares memory with an input is copied.
 * @param[opt] destroy
 * @param[destroyed] user_data given to the function; destroy, when it is not NULL, is called with
 * it once no call can use it, also when this call fails
 */
NETCL_API netcl_status netcl_primitive_register_function(const char *name,
                                                         netcl_primitive_fn function,
                                                         void *user_data, netcl_destroy_fn destroy,
                                                         const netcl_primitive_options *options);

/** Removes a primitive. Calls that run end as they began. NOT_FOUND when there is none. */
NETCL_API netcl_status netcl_primitive_unregister(const char *name);

/**
 * Values of attributes for one call, NULL: the defaults of all. A value stands in the formula as a
 * floating literal, whose type is that of what it meets. As with literals, new values compile
 * nothing, but for exponents and the like (docs/expressions.md).
 */
typedef struct netcl_primitive_call_options {
  size_t struct_size;
  const char *const *attributes;  /**< names, each at most once */
  const double *values;           /**< of the attributes, in the same order */
  uint32_t attributes_count;
  uint32_t values_count;          /**< attributes_count */
} netcl_primitive_call_options;
#define NETCL_PRIMITIVE_CALL_OPTIONS_INIT \
  { sizeof(netcl_primitive_call_options), NULL, NULL, 0, 0 }

/**
 * Calls a primitive by its name: netcl_op_expression of its forward formula, with the same rules
 * for shapes, dtypes and run->into; or its kernel or function, whose result is copied to run->into
 * where that is set. NOT_FOUND naming what is registered. INVALID_ARGUMENT when the
 * number of inputs does not fit the arity, an attribute is unknown, or one without a default is not
 * set, and in a function or gradient function within 16 of primitives.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_primitive(const char *name, netcl_tensor *const *inputs,
                                          uint32_t inputs_count,
                                          const netcl_primitive_call_options *options,
                                          const netcl_run_options *run, netcl_tensor **result);

/**
 * Gives the gradient of a primitive with respect to inputs[input], from the inputs of the call,
 * `grad`, the gradient of what was made of its result, and `out`, its result. `out` may be NULL: a
 * formula that names it then computes it again. Both have the shape that the inputs broadcast to.
 * The gradient has the shape and dtype of the input: where the input was broadcast,
 * it is summed, in f32 or for f64 in f64, rounded once. run->into may share memory with the other
 * tensors in any way. UNSUPPORTED when the input has no float dtype; otherwise as
 * netcl_op_primitive.
 * @param[opt] out
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_primitive_gradient(const char *name, netcl_tensor *const *inputs,
                                                   uint32_t inputs_count, uint32_t input,
                                                   netcl_tensor *grad, netcl_tensor *out,
                                                   const netcl_primitive_call_options *options,
                                                   const netcl_run_options *run,
                                                   netcl_tensor **result);

/* ---- Ops: matmul and conv2d ------------------------------------------------------------------ */

/**
 * Functions that an epilogue or a batch normalisation can end with. Where alpha and beta are both 0
 * and has_parameters is 0, they are ONNX's defaults, in brackets; CLIP has none and is
 * INVALID_ARGUMENT then.
 */
typedef int32_t netcl_activation;
enum netcl_activation_value {
  NETCL_ACTIVATION_NONE = 0,
  NETCL_ACTIVATION_RELU = 1,
  NETCL_ACTIVATION_LEAKY_RELU = 2,    /**< x < 0 ? alpha x : x [0.01] */
  NETCL_ACTIVATION_ELU = 3,           /**< x < 0 ? alpha (exp(x) - 1) : x [1] */
  NETCL_ACTIVATION_SIGMOID = 4,
  NETCL_ACTIVATION_TANH = 5,
  NETCL_ACTIVATION_SILU = 6,
  NETCL_ACTIVATION_GELU = 7,          /**< with erf */
  NETCL_ACTIVATION_GELU_TANH = 8,
  NETCL_ACTIVATION_SOFTPLUS = 9,
  NETCL_ACTIVATION_HARD_SIGMOID = 10, /**< clip(alpha x + beta, 0, 1) [0.2, 0.5] */
  NETCL_ACTIVATION_HARD_SWISH = 11,
  NETCL_ACTIVATION_CLIP = 12          /**< alpha <= x <= beta */
};

/**
 * How exactly f32 is multiplied. TF32 and SPLIT are permissions: they hold where a device has
 * matrix units (see netcl_matrix_units) and the product is large enough to gain by them, and
 * elsewhere the product is STRICT, which is within their bounds.
 */
typedef int32_t netcl_precision;
enum netcl_precision_value {
  NETCL_PRECISION_STRICT = 0, /**< in f32 */
  NETCL_PRECISION_TF32 = 1,   /**< a and b may be rounded to the 11 digits of tf32, its exponents
                                   being those of f32: 1.001 * 2^-10 sum|a||b| is added to the
                                   bound, and numbers above 0x1.ffep127 may become infinite */
  NETCL_PRECISION_SPLIT = 2   /**< a and b may be taken apart into two tf32 numbers each, of whose
                                   four products three are added: 2^-21 sum|a||b| is added to the
                                   bound. Parts below 2^-126 may be lost: the product of one with
                                   an infinity is NaN then */
};

/** What is done to each element of a product before it is stored:
 * activation(product + bias + residual), in the precision of the sums, rounded once. */
typedef struct netcl_epilogue {
  size_t struct_size;
  netcl_tensor *bias;            /**< matmul: broadcasts to the result; conv2d: [filters] */
  netcl_tensor *residual;        /**< the shape of the result; may be run->into: beta + 1 */
  double alpha;                  /**< of the activation; both 0: the activation's defaults */
  double beta;                   /**< of the activation; both 0: the activation's defaults */
  netcl_activation activation;
  uint32_t has_parameters;       /**< @flag[alpha,beta] alpha and beta are set, even to 0 */
} netcl_epilogue;
#define NETCL_EPILOGUE_INIT { sizeof(netcl_epilogue), NULL, NULL, 0.0, 0.0, 0, 0 }

typedef struct netcl_matmul_options {
  size_t struct_size;
  const netcl_epilogue *epilogue;  /**< NULL: none; its tensors have the dtype of a or the result,
                                        for i8 and u8 that of the result */
  double alpha;            /**< with has_scale = 1 */
  double beta;             /**< with has_scale = 1; needs run->into */
  netcl_dtype dtype;       /**< of the result; 0: as the inputs, i32 of i8 and u8 */
  uint32_t has_scale;      /**< @flag[alpha,beta] take alpha and beta; 0: alpha = 1, beta = 0 */
  netcl_variant variant;   /**< 0 or one of MATMUL_... */
  netcl_precision precision;   /**< of f32, and of its gradients; other dtypes have STRICT alone */
  netcl_tensor *a_zero_point;  /**< i8 and u8 alone; NULL: 0. Of a's dtype, one element (any rank),
                                    [M], or [..., M, 1] whose leading dimensions broadcast to the
                                    result's */
  netcl_tensor *b_zero_point;  /**< the same of b: one element, [N], or [..., 1, N] */
} netcl_matmul_options;
#define NETCL_MATMUL_OPTIONS_INIT \
  { sizeof(netcl_matmul_options), NULL, 0.0, 0.0, 0, 0, 0, 0, NULL, NULL }

/**
 * Matrix product as ONNX MatMul: result = epilogue(alpha * a * b + beta * into). a is [..., M, K],
 * b is [..., K, N], the leading dimensions broadcast; rank 1 is a row (a) or a column (b), whose
 * dimension is dropped from the result. f32, f64, f16, bf16 of equal dtype; f16 and bf16 accumulate
 * in f32 and round once; the result may be f32 then. Transposes are strides. beta = 0 does not read
 * `into`. `into` must not share memory with a or b. Error per element: at most 2 K eps sum|a||b|
 * with eps of the accumulator (Higham, Accuracy and Stability, 3.5), plus the rounding to the
 * result's dtype; an activation adds its own bound (docs/expressions.md).
 *
 * i8 and u8, each operand of either, give i32 as ONNX MatMulInteger 10 does: the sum over k of
 * (a[m, k] - a_zero_point[m]) * (b[k, n] - b_zero_point[n]), modulo 2^32, the same bits on every
 * device. alpha and beta are whole numbers from -2^31 to 2^31 - 1 then (INVALID_ARGUMENT
 * otherwise), bias and residual are i32, all modulo 2^32 too, and the activation is NONE or RELU
 * (UNSUPPORTED otherwise). `into` must not share memory with a zero point. There is no gradient.
 * Other integers are UNSUPPORTED.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_matmul(netcl_tensor *a, netcl_tensor *b,
                                       const netcl_matmul_options *options,
                                       const netcl_run_options *run, netcl_tensor **result);

/**
 * Sums of products of tensors with a letter for each axis, as ONNX Einsum: "ij,jk->ik" is a product
 * of matrices, "bhqd,bhkd->bhqk" a stack of them, "ij->ji" a transposition, "ii->i" a diagonal,
 * "ij->" the sum of all elements. The equation has a term for each input, then "->" and that of the
 * result; an axis whose letter the result lacks is summed over. Letters are a-z and A-Z, as many of
 * them as the input has dimensions; "..." stands for the others, which line up from the last and
 * are summed over as well where the result has none. Without "->" the result has "..." and then, in
 * the order of the alphabet, capitals first, the letters that stand once. Axes of one letter have
 * one extent, and one of 1 broadcasts. Blanks do not count. All inputs have one dtype, not bool,
 * which is that of the result; integers wrap around. At most NETCL_ARGS_MAX inputs.
 *
 * Two inputs at a time are multiplied, first those whose product has the fewest elements: floats as
 * by netcl_op_matmul with its bounds, integers elementwise and then summed. What is summed in one
 * input alone is netcl_op_reduce. A graph records these calls, and gradients go to each input.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_einsum(const char *equation, netcl_tensor *const *inputs,
                                       uint32_t inputs_count, const netcl_run_options *run,
                                       netcl_tensor **result);

/**
 * Makes the source of a product specialised for m, n and k as a kernel specification:
 * `name`(__global const T *a, __global const T *b, __global T *c) over packed row-major matrices,
 * to be launched with netcl_kernel_launch, edited, or read with netcl_kernel_get_source. `config`
 * chooses variant and tiles, NULL leaves it to netcl_variant_select_matmul; its split_k is not
 * used, since this is one launch. A matrix of more than 2^60 elements is INVALID_ARGUMENT.
 * UNSUPPORTED on the built-in device, and for tiles that the device cannot hold. @safe
 * @param[out,count=2] global the global size to launch with, 2 entries; its local size is in the
 * kernel
 * @param[out] kernel one reference
 */
NETCL_API netcl_status netcl_kernel_create_matmul(netcl_device *device, const char *name, int64_t m,
                                                  int64_t n, int64_t k, netcl_dtype dtype,
                                                  const netcl_variant_config *config,
                                                  uint64_t *global, netcl_kernel **kernel);

/** A batch normalisation (inference) that is folded into a convolution. All tensors are [filters]
 * and have x's dtype or f32. */
typedef struct netcl_conv2d_batchnorm {
  size_t struct_size;
  netcl_tensor *scale;      /**< NULL: 1 */
  netcl_tensor *bias;       /**< NULL: 0 */
  netcl_tensor *mean;
  netcl_tensor *variance;
  double epsilon;           /**< finite, from 0 on; 0: 1e-5, but for has_epsilon */
  uint32_t has_epsilon;     /**< @flag epsilon is set, even to 0 */
  uint32_t reserved;
} netcl_conv2d_batchnorm;
#define NETCL_CONV2D_BATCHNORM_INIT \
  { sizeof(netcl_conv2d_batchnorm), NULL, NULL, NULL, NULL, 0.0, 0, 0 }

typedef struct netcl_conv2d_options {
  size_t struct_size;
  const netcl_epilogue *epilogue;  /**< NULL: none; bias has x's dtype or f32, residual x's dtype */
  const netcl_conv2d_batchnorm *batchnorm;  /**< comes after the bias, before residual and
                                                 activation */
  int64_t strides[2];      /**< 0: 1 */
  int64_t dilations[2];    /**< 0: 1 */
  int64_t padding[4];      /**< zeros around x: top, left, bottom, right */
  int64_t groups;          /**< 0: 1 */
  netcl_variant variant;   /**< 0 or one of CONV2D_... */
  uint32_t winograd_tile;  /**< with CONV2D_WINOGRAD: 2 or 4; 0: by the rules */
} netcl_conv2d_options;
#define NETCL_CONV2D_OPTIONS_INIT \
  { sizeof(netcl_conv2d_options), NULL, NULL, {0, 0}, {0, 0}, {0, 0, 0, 0}, 0, 0, 0 }

/**
 * 2-d convolution as ONNX Conv: x is [N, C, H, W], w is [F, C / groups, KH, KW], the result [N, F,
 * OH, OW] with OH = (H + top + bottom - dilation (KH - 1) - 1) / stride + 1, at least 1. Strides
 * and dilations are 1 to 2^31 - 1, padding 0 to 2^31 - 1, and groups divides C and F. NHWC data is
 * a permuted view; a new result has its channels innermost in memory when x has. f32, f64, f16 and
 * bf16 of equal dtype. Error per element: at most 2 K eps sum|x||w| with K = C / groups KH KW and
 * eps of the accumulator; Winograd variants (Lavin and Gray, 2015) at most 16 (F(2,3)) and 128
 * (F(4,3)) times eps max|x| sum|w| sqrt(K).
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_conv2d(netcl_tensor *x, netcl_tensor *w,
                                       const netcl_conv2d_options *options,
                                       const netcl_run_options *run, netcl_tensor **result);

/* ---- Ops: quantised weights ------------------------------------------------------------------ */

/**
 * How weights W of [N, K] are kept, in blocks along K of which each has a scale. A row of W is one
 * row of bytes: its blocks, one after the other. Codes are unsigned but for Q8_0; multi-byte
 * numbers are little-endian, d and m are f16.
 */
typedef int32_t netcl_quantization;
enum netcl_quantization_value {
  /** MatMulNBits of ONNX Runtime (com.microsoft; docs/ContribOperators.md there): codes of `bits`,
   *  the first in the lowest bits of a byte, W = (code - zero point) * scale; with a scale beyond
   *  2^119, W may be NaN. Blocks of block_size bits / 8 bytes; the last of a row may go beyond K,
   *  where what it holds has no influence. */
  NETCL_QUANTIZATION_NBITS = 1,
  /** Q4_0 of GGUF: 32 weights in 18 bytes: d, then 16 bytes. Byte i has the codes of weight i in
   *  its lower half and of 16 + i in its upper one; W = (code - 8) * d; NaN may
   *  stand for an infinite one. */
  NETCL_QUANTIZATION_Q4_0 = 2,
  /** Q8_0 of GGUF: 32 weights in 34 bytes: d, then 32 signed codes; W = code * d, as there. */
  NETCL_QUANTIZATION_Q8_0 = 3,
  /** Q4_K of GGUF: 256 weights in 144 bytes: d, m, 12 bytes s, then 128 bytes, of which byte 32 c +
   *  i has the codes of weights 64 c + i and, in its upper half, 64 c + 32 + i. Weights 32 j to
   *  32 j + 31 have W = d * S[j] * code - m * M[j] with numbers of 6 bits: for j < 4 S[j] is s[j]
   *  and M[j] is s[j + 4], each less its two upper bits; else the lower four bits of S[j] are the
   *  lower half of s[j + 4], those of M[j] its upper half, and the upper two bits are the upper two
   *  of s[j - 4] and of s[j]. (The blocks of GGUF are those of ggml-common.h of llama.cpp.) */
  NETCL_QUANTIZATION_Q4_K = 4
};

/** How weights are quantised, for all ops on them, which need `format`. NBITS alone has scales,
 * zero points, bits and block_size, which are NULL and 0 with the others. */
typedef struct netcl_quantized_options {
  size_t struct_size;
  netcl_tensor *scales;       /**< [N * blocks] or [N, blocks], f32, f16 or bf16 */
  netcl_tensor *zero_points;  /**< NULL: 2^(bits - 1). u8 as [N * P] or [N, P], each row's packed
                                   like codes in P = ceil(blocks bits / 8) bytes; or of the scales'
                                   dtype and shapes */
  const netcl_epilogue *epilogue;  /**< of a product: as in netcl_matmul_options; NULL: none */
  int64_t k;                  /**< K; 0: all weights of the blocks. Of NBITS the last block may have
                                   less: K > (blocks - 1) block_size */
  netcl_quantization format;
  uint32_t bits;              /**< 4 or 8 (UNSUPPORTED otherwise); 0: 4 */
  uint32_t block_size;        /**< 16, 32, 64, 128 or 256; 0: 32 */
  netcl_dtype dtype;          /**< of what is made. Product: x's, or f32; 0: run->into's, or x's.
                                   Dequantised weights: f32, f16 or bf16; 0: run->into's, or f32.
                                   Scales of NBITS that are made: f32, f16 or bf16; 0: f32 */
  uint32_t has_zero_points;   /**< @flag netcl_op_quantize_weights makes zero points, of NBITS */
  uint32_t reserved;
} netcl_quantized_options;
#define NETCL_QUANTIZED_OPTIONS_INIT \
  { sizeof(netcl_quantized_options), NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0 }

/**
 * Product with quantised weights: result = epilogue(x * W^T). x is [..., M, K] or [K], f32, f16 or
 * bf16, by any strides; the result is [..., M, N] or [N]. weights is u8, [N, blocks, bytes of a
 * block] or [N, bytes of a row]; weights, scales and zero points that are not in C order, or whose
 * first byte is at no multiple of 4, are copied first. Each element of W is rounded once to f32
 * (with zero points of the scales' dtype the difference is, too), and sums are f32. Few rows of x
 * read the weights once, without W in memory; for many, on GPUs more than 16, W is made in
 * temporary memory, there in x's dtype. Error per element: at most 2 K eps sum|x||W| with eps of
 * f32, of f16 and bf16 eps of x's dtype sum|x||W| more, plus the rounding to the result's dtype; an
 * element of W beyond what f16 holds may be infinite for x of f16. `into` must not share memory
 * with x, weights, scales or zero points. There is a gradient of x, bias and residual, and none of
 * scales and zero points.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_matmul_quantized(netcl_tensor *x, netcl_tensor *weights,
                                                 const netcl_quantized_options *options,
                                                 const netcl_run_options *run,
                                                 netcl_tensor **result);

/**
 * The weights W as a matrix [N, K], rounded to f32 as there and then to the result's dtype. weights
 * as in netcl_op_matmul_quantized. There is no gradient.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_dequantize_weights(netcl_tensor *weights,
                                                   const netcl_quantized_options *options,
                                                   const netcl_run_options *run,
                                                   netcl_tensor **result);

/**
 * Quantises a matrix w of [N, K], K from 1 on, of f32, f16 or bf16. run->into and the result
 * `weights` are u8 [N, blocks, bytes of a block]. Each code is the nearest that there is, but
 * for roundings of f32 where two are as near. Scales of
 * NBITS: the number of largest magnitude in the block / -2^(bits - 1), as in Q4_0; with zero points
 * (the largest - the least) / (2^bits - 1), where 0 counts as one of the numbers. Q8_0: the largest
 * magnitude / 127. Q4_K: S and M are the nearest to (the largest - the least) / 15 / d and to minus
 * the least / m, as if 0 were among the 32 numbers, with d and m the largest such quotient / 63 and
 * the largest such number / 63. Scales are rounded to their dtype first. K is a multiple of 32 for
 * Q4_0 and Q8_0 and of 256 for Q4_K; of NBITS codes beyond K are those of 0. options->k is 0 or K.
 * Blocks with numbers that are not finite, or scales that are neither normal numbers nor 0, get any
 * codes. There is no gradient.
 * @param[out,opt] weights one reference; may be NULL when run->into is set
 * @param[out,absent,opt] scales one reference to [N, blocks], NULL when the format is not NBITS
 * @param[out,absent,opt] zero_points one reference to u8 [N, ceil(blocks bits / 8)], NULL when
 *   options->has_zero_points is 0
 */
NETCL_API netcl_status netcl_op_quantize_weights(netcl_tensor *w,
                                                 const netcl_quantized_options *options,
                                                 const netcl_run_options *run,
                                                 netcl_tensor **weights, netcl_tensor **scales,
                                                 netcl_tensor **zero_points);

/* ---- Ops: attention -------------------------------------------------------------------------- */

typedef struct netcl_attention_options {
  size_t struct_size;
  netcl_tensor *bias;           /**< added to the scores: of q's dtype or f32, broadcasts to
                                     [B, H, M, N]; -inf hides a key whose score is finite */
  netcl_tensor *mask;           /**< bool, true: the key is seen; broadcasts to [B, H, M, N] */
  netcl_tensor *query_lengths;  /**< i32 [B]: queries of each sequence, 0 to M; NULL: M */
  netcl_tensor *key_lengths;    /**< i32 [B]: keys of each sequence, 0 to N; NULL: N */
  netcl_tensor *block_table;    /**< i32 [B, P]: k and v are pages, of which these are each
                                     sequence's; needs key_lengths */
  netcl_tensor *lse_into;       /**< write the log-sum-exp here */
  double scale;                 /**< of q k; 0: 1 / sqrt(D), but for has_scale */
  double softcap;               /**< c > 0: a score s becomes c tanh(s / c), before the bias; 0: it
                                     does not */
  int64_t position;             /**< with has_position: the key at which query 0 stands */
  int64_t window_before;        /**< with has_window: keys seen before a query's own; -1: all */
  int64_t window_after;         /**< with has_window: keys seen behind it; -1: all; causal: 0, -1 */
  uint32_t has_scale;           /**< @flag scale is set, even to 0 */
  uint32_t has_position;        /**< @flag position is set;
                                     0: the last query stands at the last key */
  uint32_t has_window;          /**< @flag[window_before,window_after] they are set */
  uint32_t causal;              /**< @flag no key behind a query's own is seen */
  netcl_variant variant;        /**< 0 or one of ATTENTION_... */
  uint32_t reserved;
} netcl_attention_options;
#define NETCL_ATTENTION_OPTIONS_INIT \
  { sizeof(netcl_attention_options), NULL, NULL, NULL, NULL, NULL, NULL, 0.0, 0.0, 0, 0, 0, 0, 0, \
    0, 0, 0, 0 }

/**
 * Scaled dot-product attention: result[b, h, m] = sum over n of p[n] v[b, g, n] with p = softmax of
 * scale * (q[b, h, m] . k[b, g, n]) over the keys that query m sees. q is [B, H, M, D], k is [B, G,
 * N, D], v is [B, G, N, E], the result [B, H, M, E]; G divides H, and head h uses g = h / (H / G).
 * D and E are 1 to 256 (UNSUPPORTED beyond). Views by any strides, so [B, M, H, D] is a transposed
 * one. f16, bf16, f32, f64 of equal dtype; f16 and bf16 are computed in f32 and rounded once, but
 * for the p[n] on matrix units (see netcl_matrix_units), which are rounded to the dtype. They are
 * used where they can be, unless options->variant is NETCL_VARIANT_ATTENTION_PORTABLE, and take
 * f16 and bf16 without bias, mask, pages and softcap, of 64 keys and more, with a scale above 0, D
 * and E multiples of 8, and neighbours along these and all else of q, k and v at multiples of 16
 * bytes. The scores of all pairs are never in memory. The second result is log sum exp of each
 * row's scores, [B, H, M], f32 (f64 for f64). A query that sees no key has the result 0 and the
 * log-sum-exp -inf. A key that is not seen has no influence, whatever k and v hold there.
 *
 * Query m stands at key position + m. By default position is N - M, or of each sequence its keys
 * less its queries, as in FlashAttention from 2.1 on; 0 is the is_causal of PyTorch and of ONNX
 * Attention 23 without a past, the length of the past is that of ONNX with one. A window is counted
 * from there, and causal is window_after 0.
 *
 * A sequence with lengths has the first of its queries and keys; further queries have the result 0
 * and -inf, further keys are not read. With block_table k is [pages, G, S, D], v is
 * [pages, G, S, E], N is P S, and key n of sequence b is row n % S of page block_table[b, n / S].
 * A sequence with a length out of range, or with a page out of range among those of its keys, is
 * found on the device: all its results are NaN, and none of its keys is read.
 *
 * The bits of the result are the same on every repetition, and on CPUs for any number of threads.
 * Error per element: at most ((4 D + 32) A + 2 N + 32) eps max|v|, A the largest |scale| sum|q||k|
 * + |bias| + 1 of the row, plus the rounding, where the sums do not overflow; on matrix units
 * (2^-11 + 2^-33 N) max|v| more of f16 and 2^-8 max|v| of bf16, and a v that is not finite makes
 * the result NaN where its p rounds to 0. `into` and lse_into must not share memory with another
 * tensor. The gradient has all scores in memory, wants keys that are finite where they are not seen
 * too, and there is none with lengths.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 * @param[out,opt] lse one reference; may be NULL when it is not wanted
 */
NETCL_API netcl_status netcl_op_attention(netcl_tensor *q, netcl_tensor *k, netcl_tensor *v,
                                          const netcl_attention_options *options,
                                          const netcl_run_options *run, netcl_tensor **result,
                                          netcl_tensor **lse);

typedef struct netcl_rotary_embedding_options {
  size_t struct_size;
  netcl_tensor *position_ids;    /**< i32 or i64 [B, S]: the row of the caches for each token; NULL:
                                      the caches are [B, S, R / 2] */
  int64_t num_heads;             /**< H of x of rank 3; of rank 4 0 or H */
  int64_t rotary_embedding_dim;  /**< R, even: so many elements of a head, the first, are rotated,
                                      the others stay as they are; 0: D, which is even then */
  uint32_t interleaved;          /**< @flag elements 2 i and 2 i + 1 are a pair;
                                      0: i and i + R / 2 */
  uint32_t inverse;              /**< @flag by the negative angle, which undoes a rotation */
} netcl_rotary_embedding_options;
#define NETCL_ROTARY_EMBEDDING_OPTIONS_INIT \
  { sizeof(netcl_rotary_embedding_options), NULL, 0, 0, 0, 0 }

/**
 * Rotary position embedding (Su et al., 2021) as ONNX RotaryEmbedding 23: each pair (a, b) of a
 * head becomes (a cos - b sin, b cos + a sin). x is [B, H, S, D], or [B, S, H D] with num_heads.
 * cos_cache and sin_cache are alike, of x's dtype or f32: [P, R / 2] with position_ids, else
 * [B, S, R / 2]. Any strides. f16, bf16, f32, f64; f16 and bf16 are computed in f32. Each product
 * and each sum is rounded by itself: the same bits on every device, off by at most
 * 2 eps (|a cos| + |b sin|) plus the rounding to the dtype. docs/attention.md makes the caches.
 *
 * Positions are 0 to P - 1; negative ones do not count from the end. A token with one out of range
 * is found on the device: all its results are NaN, and no row is read for it.
 *
 * run->into may be x when layouts are the same. The gradient is that of x; there is none of the
 * caches.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_rotary_embedding(netcl_tensor *x, netcl_tensor *cos_cache,
                                                 netcl_tensor *sin_cache,
                                                 const netcl_rotary_embedding_options *options,
                                                 const netcl_run_options *run,
                                                 netcl_tensor **result);

/* ---- Ops: reductions and scans --------------------------------------------------------------- */

typedef int32_t netcl_reduction;
enum netcl_reduction_value {
  NETCL_REDUCTION_SUM = 1,          /**< x0 + x1 + ... */
  NETCL_REDUCTION_MEAN = 2,         /**< the sum / how many there are */
  NETCL_REDUCTION_MAX = 3,          /**< the largest; NaN wins */
  NETCL_REDUCTION_MIN = 4,          /**< the smallest; NaN wins */
  NETCL_REDUCTION_PROD = 5,         /**< x0 x1 ... */
  NETCL_REDUCTION_L1 = 6,           /**< sum of absolute values */
  NETCL_REDUCTION_L2 = 7,           /**< square root of the sum of squares */
  NETCL_REDUCTION_SUM_SQUARE = 8,   /**< the sum of x^2 */
  NETCL_REDUCTION_LOG_SUM = 9,      /**< log of the sum */
  NETCL_REDUCTION_LOG_SUM_EXP = 10, /**< log(sum exp(x)), the maximum taken out first */
  NETCL_REDUCTION_ARGMAX = 11,      /**< index of the first largest, i64; NaN is the largest */
  NETCL_REDUCTION_ARGMIN = 12,      /**< index of the first smallest, i64; NaN is the smallest */
  NETCL_REDUCTION_ANY = 13,         /**< bool: an element is true */
  NETCL_REDUCTION_ALL = 14          /**< bool: all elements are true */
};

typedef struct netcl_reduce_options {
  size_t struct_size;
  const int32_t *axes;      /**< axes_count 0: all axes */
  uint32_t axes_count;
  uint32_t keepdims;        /**< @flag reduced axes stay with extent 1 */
  netcl_dtype dtype;        /**< of the result; 0: as x (see netcl_op_reduce) */
  netcl_variant variant;    /**< 0 or one of REDUCTION_... */
  uint32_t select_last;     /**< @flag ARGMAX and ARGMIN give the last of equals */
  uint32_t reserved;
} netcl_reduce_options;
#define NETCL_REDUCE_OPTIONS_INIT { sizeof(netcl_reduce_options), NULL, 0, 0, 0, 0, 0, 0 }

/**
 * Reduces over axes, as ReduceSum ... ReduceLogSumExp, ArgMax and ArgMin of ONNX. The result lacks
 * the reduced axes; with options->keepdims they stay with extent 1. Floats keep their dtype, f16
 * and bf16 summed in f32. Integers and bool: SUM, PROD, L1 and SUM_SQUARE wrap around in the
 * result's dtype (bool: i64), MAX and MIN keep x's, MEAN, L2, LOG_SUM and LOG_SUM_EXP give f32.
 * Another dtype of the result is asked for with options->dtype and is what sums are kept in; MAX
 * and MIN are converted to it at the end, as by netcl_op_cast. ARGMAX and ARGMIN take one axis, or
 * all with the index in C order. Over no elements: SUM, L1, L2, SUM_SQUARE 0; PROD 1; MEAN NaN;
 * LOG_SUM, LOG_SUM_EXP -inf; MAX and MIN the lowest and highest value (floats: -inf, +inf); ANY 0,
 * ALL 1; ARGMAX and ARGMIN INVALID_ARGUMENT. NaN wins in MAX and MIN, which are exact. Sums add up
 * blocks of at most 64 elements per accumulator, then the blocks with what rounding takes away
 * (compensated; Higham 4.3). Error of SUM, L1 and SUM_SQUARE: at most (log2 n + 64) eps times the
 * sum of absolute values; MEAN that over n; PROD n eps relative, 2 n eps when x is wider than what
 * products are kept in; L2 and LOG_SUM what their sum's error comes to, plus 4 eps relative and,
 * for LOG_SUM, eps; LOG_SUM_EXP (log2 n + 224 + 4 |max x|) eps. The rounding to the result's dtype
 * comes on top. The order of terms and factors is not fixed: where a part of a PROD with a float
 * result is out of its range, also one of integers, the result may be 0, infinite or NaN (infinity
 * times 0), and where a part of a sum is, infinite or NaN, though the whole is in range.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_reduce(netcl_tensor *x, netcl_reduction kind,
                                       const netcl_reduce_options *options,
                                       const netcl_run_options *run, netcl_tensor **result);

typedef struct netcl_scan_options {
  size_t struct_size;
  uint32_t exclusive;   /**< @flag element i is of those before i,
                             the first one the neutral value */
  uint32_t reverse;     /**< @flag from the end of the axis */
} netcl_scan_options;
#define NETCL_SCAN_OPTIONS_INIT { sizeof(netcl_scan_options), 0, 0 }

/**
 * Running SUM, PROD, MAX or MIN along an axis, as ONNX CumSum: y[i] = x[0] + ... + x[i] for SUM,
 * or from the other end. The result has the shape of x. dtype as x, f16 and bf16 kept in f32
 * on the way; integers wrap around; bool is UNSUPPORTED. Error of sums at i: at most (log2 n + 64)
 * eps of the running sum|x|; PROD n eps relative; as in netcl_op_reduce parts that are out of range
 * may make them infinite or NaN. MAX and MIN are exact, NaN wins. run->into may be x when layouts
 * are the same.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_scan(netcl_tensor *x, netcl_reduction kind, int32_t axis,
                                     const netcl_scan_options *options,
                                     const netcl_run_options *run, netcl_tensor **result);

typedef struct netcl_histogram_options {
  size_t struct_size;
  double low;           /**< lower end; low = high = 0: the lowest finite value of x */
  double high;          /**< upper end, which belongs to the last bin */
} netcl_histogram_options;
#define NETCL_HISTOGRAM_OPTIONS_INIT { sizeof(netcl_histogram_options), 0.0, 0.0 }

/**
 * Counts elements of a tensor of any shape and dtype in `bins` (1 or more) equal bins from low to
 * high, which are finite with low < high: i64 of [bins], exact. Elements outside and NaN are not
 * counted. With low = high = 0 the range is that of the finite elements, and one element value v
 * alone gives [v - 0.5, v + 0.5]. Bin i is [low + i w, low + (i + 1) w), computed in f64, or in f32
 * on a device without fp64.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_histogram(netcl_tensor *x, int64_t bins,
                                          const netcl_histogram_options *options,
                                          const netcl_run_options *run, netcl_tensor **result);

typedef struct netcl_topk_options {
  size_t struct_size;
  netcl_tensor *indices_into;  /**< write the indices here */
  uint32_t smallest;           /**< @flag the smallest instead of the largest */
  uint32_t reserved;
} netcl_topk_options;
#define NETCL_TOPK_OPTIONS_INIT { sizeof(netcl_topk_options), NULL, 0, 0 }

/**
 * The k largest elements along an axis, as ONNX TopK: sorted, the lower index first among equals,
 * NaN largest; with their indices. values have x's dtype, which may be any, and indices are i64.
 * Both have x's shape with k along the axis. k is 0, for empty results, up to the extent of the
 * axis, which sorts it.
 * @param[out,opt] values one reference; may be NULL when run->into is set
 * @param[out,opt] indices one reference; may be NULL when they are not wanted
 */
NETCL_API netcl_status netcl_op_topk(netcl_tensor *x, int64_t k, int32_t axis,
                                     const netcl_topk_options *options,
                                     const netcl_run_options *run, netcl_tensor **values,
                                     netcl_tensor **indices);

/* ---- Ops: normalisation and pooling ---------------------------------------------------------- */

/**
 * exp(x - m) / sum exp(x - m) along an axis, m the maximum: ONNX Softmax. Floats. The result has
 * x's shape and dtype. Error: (8 + log2
 * n) ULP plus 2 |x - m| eps relative. A row with NaN or +inf is NaN, a row of -inf is NaN.
 * run->into may be x when layouts are the same.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_softmax(netcl_tensor *x, int32_t axis, const netcl_run_options *run,
                                        netcl_tensor **result);

/**
 * x - m - log sum exp(x - m) along an axis: ONNX LogSoftmax. The result has x's shape. Error: 8 eps
 * (|x - m| + log n + 1). Else as netcl_op_softmax.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_log_softmax(netcl_tensor *x, int32_t axis,
                                            const netcl_run_options *run, netcl_tensor **result);

typedef struct netcl_norm_options {
  size_t struct_size;
  netcl_tensor *scale;    /**< broadcasts to the normalised axes; NULL: 1 */
  netcl_tensor *bias;     /**< the same; layernorm only; NULL: 0 */
  double epsilon;         /**< finite, from 0 on; 0: 1e-5, but for has_epsilon */
  uint32_t has_epsilon;   /**< @flag epsilon is set, even to 0 */
  uint32_t reserved;
  netcl_tensor *mean_into;               /**< write the mean of each row here; layernorm only */
  netcl_tensor *inverse_deviation_into;  /**< write 1 / sqrt(variance + epsilon) of each row here,
                                              of rmsnorm 1 / sqrt(mean(x^2) + epsilon) */
} netcl_norm_options;
#define NETCL_NORM_OPTIONS_INIT { sizeof(netcl_norm_options), NULL, NULL, 0.0, 0, 0, NULL, NULL }

/**
 * (x - mean) / sqrt(variance + epsilon) * scale + bias over the axes from `axis` on, as ONNX
 * LayerNormalization. The variance is that of the population, from the centred values. Floats;
 * scale and bias have x's dtype or f32. The result has x's shape, scale and bias that of those
 * axes. Error: (32 + log2 n) eps (|y - bias| + |scale| max|x| /
 * deviation) plus the rounding, while sums and squares stay in the range of the type computed in.
 * run->into may be x when layouts are the same.
 *
 * options->mean_into and inverse_deviation_into get the statistics, the second and third result of
 * LayerNormalization: of x's shape with extents of 1 from `axis` on, f32, or f64 of f64, NaN where
 * a row has no elements. They share no memory with another tensor of the call. Error: (32 + log2 n)
 * eps max|x| of the mean, and (32 + log2 n) eps (1 + max|x| / deviation) relative of the other.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_layernorm(netcl_tensor *x, int32_t axis,
                                          const netcl_norm_options *options,
                                          const netcl_run_options *run, netcl_tensor **result);

/**
 * x / sqrt(mean(x^2) + epsilon) * scale over the axes from `axis` on (Zhang and Sennrich, 2019).
 * The result has x's shape, scale that of those axes. Error: (32 + log2 n) eps relative, also of
 * options->inverse_deviation_into; mean_into is INVALID_ARGUMENT. Else as netcl_op_layernorm.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_rmsnorm(netcl_tensor *x, int32_t axis,
                                        const netcl_norm_options *options,
                                        const netcl_run_options *run, netcl_tensor **result);

typedef struct netcl_batchnorm_options {
  size_t struct_size;
  netcl_tensor *scale;          /**< [C]; NULL: 1 */
  netcl_tensor *bias;           /**< [C]; NULL: 0 */
  double epsilon;               /**< finite, from 0 on; 0: 1e-5, but for has_epsilon */
  double momentum;              /**< training: share of the old statistics, [0, 1]; 0: 0.9, but for
                                     has_momentum */
  double alpha;                 /**< of the activation; both 0: the activation's defaults */
  double beta;                  /**< of the activation; both 0: the activation's defaults */
  netcl_activation activation;  /**< applied to the result */
  netcl_variant variant;        /**< 0 or one of BATCHNORM_... */
  uint32_t training;            /**< @flag statistics of this batch */
  uint32_t has_epsilon;         /**< @flag epsilon is set, even to 0 */
  uint32_t has_momentum;        /**< @flag momentum is set, even to 0 */
  uint32_t has_parameters;      /**< @flag[alpha,beta] alpha and beta are set, even to 0 */
} netcl_batchnorm_options;
#define NETCL_BATCHNORM_OPTIONS_INIT \
  { sizeof(netcl_batchnorm_options), NULL, NULL, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0, 0, 0 }

/**
 * Batch normalisation as ONNX BatchNormalization: x is [N, C, ...] of rank 2 or more, mean and
 * variance are [C]. In training the batch's own mean and population variance are used, and the
 * tensors `mean` and `variance` become old * momentum + batch * (1 - momentum); they share no
 * memory with another tensor of the call then, and an empty batch leaves them as they are.
 * Parameters have x's dtype or f32. Error as netcl_op_layernorm. run->into may be x when layouts
 * are the same.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_batchnorm(netcl_tensor *x, netcl_tensor *mean,
                                          netcl_tensor *variance,
                                          const netcl_batchnorm_options *options,
                                          const netcl_run_options *run, netcl_tensor **result);

typedef int32_t netcl_pooling;
enum netcl_pooling_value {
  NETCL_POOLING_MAX = 1,       /**< the largest element */
  NETCL_POOLING_AVERAGE = 2,   /**< the mean */
  NETCL_POOLING_LP = 3         /**< (sum |x|^p)^(1/p) */
};

/** A list has a number for each axis of space, or one for all of them. */
typedef struct netcl_pooling_options {
  size_t struct_size;
  const int64_t *window;        /**< 0, or window_count 0: the whole extent (global pooling) */
  const int64_t *strides;       /**< 0, or strides_count 0: 1 */
  const int64_t *dilations;     /**< 0, or dilations_count 0: 1 */
  const int64_t *padding;       /**< in front of every axis, then behind every axis, less than the
                                     window spans; padding_count 0: none */
  uint32_t window_count;        /**< 0, 1 or the number of axes */
  uint32_t strides_count;       /**< 0, 1 or the number of axes */
  uint32_t dilations_count;     /**< 0, 1 or the number of axes */
  uint32_t padding_count;       /**< 0, 1 or twice the number of axes */
  uint32_t ceil_mode;           /**< @flag round the result's extent up */
  uint32_t count_include_pad;   /**< @flag averages count the padding */
  netcl_tensor *indices_into;   /**< write the index of each maximum here; MAX only */
  double p;                     /**< of LP, finite and 1 or more; 0: 2. Others look at none */
  uint32_t column_major;        /**< @flag indices count the elements of a plane by columns */
  uint32_t reserved;
} netcl_pooling_options;
#define NETCL_POOLING_OPTIONS_INIT \
  { sizeof(netcl_pooling_options), NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, NULL, 0.0, 0, 0 }

/**
 * Pooling over one to three axes of space, x being [N, C, ...], as ONNX MaxPool, AveragePool and
 * LpPool, and their Global forms. Windows, strides and dilations are 1 to 2^31 - 1, padding 0 to
 * 2^31 - 1, and a window spans no more than x and its padding: (window - 1) dilation + 1 elements.
 * MAX: floats and integers, exact, NaN wins, padding never does. AVERAGE: floats, error as
 * netcl_op_reduce; cells beyond the padding do not count. LP: floats, padding counts as 0; error:
 * (128 + log2 n) (1 + 1 / p) eps relative of n elements plus the rounding, while powers and sums
 * stay in the range of f32, or f64 of f64; its gradient is 0 where all of a window is. A window
 * over padding alone gives the lowest value (MAX), NaN (AVERAGE), or 0 (LP, and AVERAGE with
 * count_include_pad). With ceil_mode, windows that begin behind x and its front padding are left
 * out.
 *
 * options->indices_into, i64 of the result's shape, gets which element of x each maximum is, as the
 * second result of MaxPool: of equal ones the first in its window, in C order, NaN being the
 * largest. Elements are counted in C order over all of x, with column_major (ONNX: storage_order 1)
 * the first axis of space being the fastest within a plane. -1 stands for a window over padding
 * alone. It shares no memory with another tensor of the call.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_pool(netcl_tensor *x, netcl_pooling kind,
                                     const netcl_pooling_options *options,
                                     const netcl_run_options *run, netcl_tensor **result);

typedef struct netcl_max_unpool2d_options {
  size_t struct_size;
  uint32_t column_major;   /**< @flag indices count the elements of a plane by columns */
  uint32_t reserved;
} netcl_max_unpool2d_options;
#define NETCL_MAX_UNPOOL2D_OPTIONS_INIT { sizeof(netcl_max_unpool2d_options), 0, 0 }

/**
 * Puts the elements of x, [N, C, OH, OW] of any dtype, to their indices in zeros of [N, C, height,
 * width], as ONNX MaxUnpool: what netcl_op_pool with indices_into took apart. indices are i64 or
 * i32 of x's shape and count as there; one that is negative or beyond the result is left out, and
 * of equal ones the last in C order wins. height and width are 0 to 2^31 - 1. Exact. `into` shares
 * no memory with x or indices. The gradient is that of x.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_max_unpool2d(netcl_tensor *x, netcl_tensor *indices, int64_t height,
                                             int64_t width,
                                             const netcl_max_unpool2d_options *options,
                                             const netcl_run_options *run, netcl_tensor **result);

typedef int32_t netcl_roi_pooling;
enum netcl_roi_pooling_value {
  NETCL_ROI_POOLING_AVERAGE = 0,      /**< the mean of samples (RoiAlign, "avg") */
  NETCL_ROI_POOLING_MAX_SAMPLE = 1,   /**< the largest product of an element next to a sample and
                                           its weight (RoiAlign, "max") */
  NETCL_ROI_POOLING_MAX = 2           /**< the largest element (MaxRoiPool) */
};

typedef struct netcl_roi_pool_options {
  size_t struct_size;
  int64_t bins[2];       /**< rows and columns of the result, at most 65536; 0: 1 */
  int64_t samples;       /**< of a bin along each side, at most 256; 0: one for each element that
                              it begins. MAX has none */
  double scale;          /**< of the numbers in rois; 0: 1 */
  uint32_t half_pixel;   /**< @flag the scaled numbers are less by 0.5, and regions may be narrower
                              than an element. MAX looks at none */
  uint32_t reserved;
} netcl_roi_pool_options;
#define NETCL_ROI_POOL_OPTIONS_INIT { sizeof(netcl_roi_pool_options), {0, 0}, 0, 0.0, 0, 0 }

/**
 * Cuts regions of images into bins and gives one number for each, as ONNX RoiAlign and MaxRoiPool:
 * [R, C, rows, columns] of x [N, C, H, W], which is of floats. rois [R, 4], f32 or f64, has the
 * left, upper, right and lower end of each region; images [R], i32 or i64, the image that it is of.
 * A region of an image that there is not gives 0, as does a bin without samples or elements.
 * Samples lie between elements and are weighed linearly, in f32, or f64 where x is f64; their
 * places have the precision of rois. Those more than an element outside of the image count as 0,
 * others as at its edge. MAX rounds the ends to elements and a bin outwards, and is exact; error of
 * the others as netcl_op_reduce over the elements that have weight.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_roi_pool(netcl_tensor *x, netcl_tensor *rois, netcl_tensor *images,
                                         netcl_roi_pooling kind,
                                         const netcl_roi_pool_options *options,
                                         const netcl_run_options *run, netcl_tensor **result);

/* ---- Ops: quantisation ----------------------------------------------------------------------- */

/*
 * Whole numbers that stand for real ones: (q - zero_point) * scale. Where a quotient is rounded to
 * a whole number, halves go to the even one, the zero point is added behind that, and what the
 * dtype does not hold becomes its lowest or highest number; NaN becomes the lowest. The bits are
 * the same on every device that divides f32 with correct rounding (docs/expressions.md) or has
 * f64; elsewhere a quotient is within 2.5 ULP, which next to a half may give the neighbour. Zero
 * points have the dtype of what they belong to. `into` shares no memory with another tensor.
 */

typedef struct netcl_quantize_linear_options {
  size_t struct_size;
  netcl_tensor *zero_point;  /**< of the scale's shape and the result's dtype; NULL: 0 */
  int64_t block_size;        /**< elements along the axis that share a scale; 0: no blocks */
  netcl_dtype dtype;         /**< of the result: i8, u8, i16, u16; 0: as zero_point or run->into,
                                  else u8 */
  netcl_dtype precision;     /**< what x and scale are converted to, divided in and rounded to: f32,
                                  f16, bf16; 0: as scale */
} netcl_quantize_linear_options;
#define NETCL_QUANTIZE_LINEAR_OPTIONS_INIT \
  { sizeof(netcl_quantize_linear_options), NULL, 0, 0, 0 }

/**
 * round(x / scale) + zero_point, saturated: ONNX QuantizeLinear 25 with results of 8 and 16 bits. x
 * is f32, f16, bf16 or i32; scale is f32, f16, bf16, or i32 for an x of i32, which then is divided
 * exactly. The shape of scale says what shares one: with one element (any rank) it holds for all of
 * x, and `axis` is not looked at; [D] gives each of the D places along the axis its own; with
 * blocks it is x's shape but for ceil(D / block_size) places along the axis, and the rank of x is
 * at most 7 (UNSUPPORTED beyond). The result is a constant to gradients.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_quantize_linear(netcl_tensor *x, netcl_tensor *scale, int32_t axis,
                                                const netcl_quantize_linear_options *options,
                                                const netcl_run_options *run,
                                                netcl_tensor **result);

typedef struct netcl_dequantize_linear_options {
  size_t struct_size;
  netcl_tensor *zero_point;  /**< of the scale's shape and x's dtype; NULL: 0 */
  int64_t block_size;        /**< elements along the axis that share a scale; 0: no blocks */
  netcl_dtype dtype;         /**< of the result: f32, f16, bf16; 0: as run->into, else as scale */
  uint32_t reserved;
} netcl_dequantize_linear_options;
#define NETCL_DEQUANTIZE_LINEAR_OPTIONS_INIT \
  { sizeof(netcl_dequantize_linear_options), NULL, 0, 0, 0 }

/**
 * (x - zero_point) * scale as ONNX DequantizeLinear 25: x is i8, u8, i16, u16 or i32, scale f32,
 * f16 or bf16, with shapes as for netcl_op_quantize_linear. The difference is exact, then rounded
 * to f32; the product is rounded to f32 and then to the result's dtype. The gradient is that of
 * scale, without blocks; x and zero_point are constants to it, whatever they were made of, as all
 * integers are.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_dequantize_linear(netcl_tensor *x, netcl_tensor *scale,
                                                  int32_t axis,
                                                  const netcl_dequantize_linear_options *options,
                                                  const netcl_run_options *run,
                                                  netcl_tensor **result);

typedef struct netcl_dynamic_quantize_linear_options {
  size_t struct_size;
  netcl_tensor *scale_into;       /**< write the scale here: f32, rank 0 */
  netcl_tensor *zero_point_into;  /**< write the zero point here: u8, rank 0 */
} netcl_dynamic_quantize_linear_options;
#define NETCL_DYNAMIC_QUANTIZE_LINEAR_OPTIONS_INIT \
  { sizeof(netcl_dynamic_quantize_linear_options), NULL, NULL }

/**
 * Quantises f32 to u8 by the range of its elements, as ONNX DynamicQuantizeLinear 11, all on the
 * device: with low = min(x, 0) and high = max(x, 0) the scale is (high - low) / 255, or 1 where
 * that range is 0 (also of no elements), the zero point round(0 - low / scale) within 0 to 255, and
 * the result that of netcl_op_quantize_linear, in x's shape. All are rounded in f32. A NaN in x
 * makes the scale NaN and all else 0. There is no gradient.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 * @param[out,opt] scale one reference, f32 of rank 0; may be NULL when it is not wanted
 * @param[out,opt] zero_point one reference, u8 of rank 0; may be NULL when it is not wanted
 */
NETCL_API netcl_status netcl_op_dynamic_quantize_linear(
    netcl_tensor *x, const netcl_dynamic_quantize_linear_options *options,
    const netcl_run_options *run, netcl_tensor **result, netcl_tensor **scale,
    netcl_tensor **zero_point);

typedef struct netcl_qlinear_matmul_options {
  size_t struct_size;
  netcl_tensor *a_zero_point;  /**< one element, [M], or [..., M, 1]; NULL: 0 */
  netcl_tensor *b_zero_point;  /**< one element, [N], or [..., 1, N]; NULL: 0 */
  netcl_tensor *y_zero_point;  /**< one element of the result's dtype; NULL: 0 */
  netcl_dtype dtype;           /**< of the result: i8, u8; 0: as y_zero_point or run->into, else as
                                    a */
  uint32_t reserved;
} netcl_qlinear_matmul_options;
#define NETCL_QLINEAR_MATMUL_OPTIONS_INIT \
  { sizeof(netcl_qlinear_matmul_options), NULL, NULL, NULL, 0, 0 }

/**
 * Product of quantised matrices, quantised again, as ONNX QLinearMatMul 21: the i32 sums of
 * netcl_op_matmul with zero points, converted to f32, times (a_scale * b_scale) / y_scale; then
 * rounded, the zero point added, saturated. Each step is rounded in f32, whose order is that of
 * ONNX Runtime. a is [..., M, K] and b [..., K, N]. They are i8 or u8, each of either. Scales are
 * f32, f16 or bf16, of the shapes that the zero points of their operand may have; y_scale has one
 * element. There is no gradient.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_qlinear_matmul(netcl_tensor *a, netcl_tensor *a_scale,
                                               netcl_tensor *b, netcl_tensor *b_scale,
                                               netcl_tensor *y_scale,
                                               const netcl_qlinear_matmul_options *options,
                                               const netcl_run_options *run,
                                               netcl_tensor **result);

typedef struct netcl_conv2d_integer_options {
  size_t struct_size;
  netcl_tensor *x_zero_point;  /**< one element; NULL: 0 */
  netcl_tensor *w_zero_point;  /**< one element or [F]; NULL: 0 */
  int64_t strides[2];          /**< 0: 1 */
  int64_t dilations[2];        /**< 0: 1 */
  int64_t padding[4];          /**< around x: top, left, bottom, right */
  int64_t groups;              /**< 0: 1 */
} netcl_conv2d_integer_options;
#define NETCL_CONV2D_INTEGER_OPTIONS_INIT \
  { sizeof(netcl_conv2d_integer_options), NULL, NULL, {0, 0}, {0, 0}, {0, 0, 0, 0}, 0 }

/**
 * 2-d convolution of integers as ONNX ConvInteger 10: x and w are i8 or u8, each of either, with
 * shapes and limits as for netcl_op_conv2d. The result is i32: the sums of (x - x_zero_point) *
 * (w - w_zero_point) modulo 2^32, in which padding adds nothing. Windows, and images with
 * padding, are laid out in memory, up to 64 MiB or one image at a time. There is no gradient.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_conv2d_integer(netcl_tensor *x, netcl_tensor *w,
                                               const netcl_conv2d_integer_options *options,
                                               const netcl_run_options *run,
                                               netcl_tensor **result);

typedef struct netcl_qlinear_conv2d_options {
  size_t struct_size;
  netcl_tensor *x_zero_point;  /**< one element; NULL: 0 */
  netcl_tensor *w_zero_point;  /**< one element or [F]; NULL: 0 */
  netcl_tensor *y_zero_point;  /**< one element of the result's dtype; NULL: 0 */
  netcl_tensor *bias;          /**< i32 [F], in steps of x_scale * w_scale; NULL: 0 */
  int64_t strides[2];          /**< 0: 1 */
  int64_t dilations[2];        /**< 0: 1 */
  int64_t padding[4];          /**< around x: top, left, bottom, right */
  int64_t groups;              /**< 0: 1 */
  netcl_dtype dtype;           /**< of the result: i8, u8; 0: as y_zero_point or run->into, else as
                                    x */
  uint32_t reserved;
} netcl_qlinear_conv2d_options;
#define NETCL_QLINEAR_CONV2D_OPTIONS_INIT \
  { sizeof(netcl_qlinear_conv2d_options), NULL, NULL, NULL, NULL, {0, 0}, {0, 0}, {0, 0, 0, 0}, 0, \
    0, 0 }

/**
 * Convolution of quantised images, quantised again, as ONNX QLinearConv 10: the sums of
 * netcl_op_conv2d_integer and the bias, modulo 2^32, then as netcl_op_qlinear_matmul with x_scale
 * and w_scale. x_scale and y_scale have one element, w_scale one or [F]; f32, f16 or bf16. There is
 * no gradient.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_qlinear_conv2d(netcl_tensor *x, netcl_tensor *x_scale,
                                               netcl_tensor *w, netcl_tensor *w_scale,
                                               netcl_tensor *y_scale,
                                               const netcl_qlinear_conv2d_options *options,
                                               const netcl_run_options *run,
                                               netcl_tensor **result);

/* ---- Ops: losses ----------------------------------------------------------------------------- */

typedef int32_t netcl_loss_reduction;
enum netcl_loss_reduction_value {
  NETCL_LOSS_MEAN = 0,   /**< sum over sum of the labels' weights; no label that counts: NaN */
  NETCL_LOSS_SUM = 1,
  NETCL_LOSS_NONE = 2    /**< a loss for each label */
};

typedef struct netcl_loss_options {
  size_t struct_size;
  netcl_tensor *weights;       /**< [C], of the classes, in x's dtype or f32; NULL: 1 */
  int64_t ignore_index;        /**< labels of this value do not count; 0: none, but for
                                    has_ignore_index */
  uint32_t has_ignore_index;   /**< @flag ignore_index is set, even to 0 */
  netcl_loss_reduction reduction;
  netcl_dtype dtype;           /**< of the loss; 0: x's; f32 is possible for f16 and bf16 */
  uint32_t reserved;
} netcl_loss_options;
#define NETCL_LOSS_OPTIONS_INIT { sizeof(netcl_loss_options), NULL, 0, 0, 0, 0, 0 }

/**
 * Softmax cross entropy, as ONNX SoftmaxCrossEntropyLoss: -w[label] log softmax(x)[label] along
 * `axis`, which has C classes, in one pass over x. The log-probabilities are not kept; they are
 * those of netcl_op_log_softmax. labels is i32 or i64, in x's shape without that axis. A label that
 * is ignored has the loss 0 and the weight 0, whatever its scores are. Other labels are 0 to C - 1:
 * one out of range has the loss NaN, and so have sum and mean; negative ones do not count from the
 * end. The loss has the shape of labels, or rank 0 for a sum or mean. Floats; f16 and bf16 are
 * computed and summed in f32. Error of a loss: at most 8 eps |w| (|x[label] - m| + log C + 1), m
 * the maximum, plus the rounding; of sum and mean that of netcl_op_reduce on top.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_cross_entropy(netcl_tensor *x, netcl_tensor *labels, int32_t axis,
                                              const netcl_loss_options *options,
                                              const netcl_run_options *run, netcl_tensor **result);

/**
 * The same of log-probabilities, as ONNX NegativeLogLikelihoodLoss: -w[label] x[label]. Error of a
 * loss: one rounding of the product, and that to the dtype.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_nll_loss(netcl_tensor *x, netcl_tensor *labels, int32_t axis,
                                         const netcl_loss_options *options,
                                         const netcl_run_options *run, netcl_tensor **result);

/* ---- Ops: optimisers ------------------------------------------------------------------------- */

/*
 * One step of training for a group of parameters: p is a parameter, g its gradient, and arrays have
 * an entry for each parameter, of its shape. All entries of an array that are written are changed
 * in place; any strides. Gradients are only read. Formulas and names are those of PyTorch 2
 * (torch.optim.SGD, Adam, AdamW, RMSprop, Adagrad and torch.nn.utils.clip_grad_norm_), so that
 * settings carry over. Learning rates and the like are arguments of kernels: other values compile
 * nothing.
 *
 * Where ops are functions of the host, a call is one command. As kernels, a launch does all
 * parameters whose arrays have the same dtypes, up to 64, or as many, a power of two, as the driver
 * takes arguments for (CL_DEVICE_MAX_PARAMETER_SIZE). With the 4352 bytes of NVIDIA's drivers that
 * is 64 for adam in f32, with the 1024 that each driver takes it is 16. One work item more counts
 * `step`, in a launch behind the others. Arrays with gaps between their elements are copied before
 * and after.
 *
 * Dtypes: parameters and gradients are f16, bf16 or f32 in any mixture, with states in f32, or all
 * are f64. Computed in f32 or f64, each operation of a formula rounded once, and the parameter once
 * more to its dtype. States begin as zeros; they are tensors like others, to be saved and loaded.
 *
 * `step` is an i64 tensor of one element that counts the steps that were done: it begins as 0, and
 * the op adds 1 to it on the device. So a captured step can be run any number of times. `factor` in
 * options is an f32 tensor of one element by which the learning rate is multiplied, for schedules
 * of such a step. No call waits for the device.
 *
 * INVALID_ARGUMENT, with the argument's name and index, when counts, shapes, dtypes or devices do
 * not fit, when memory of two entries may overlap, for numbers that are out of range or not finite,
 * and for run->into. A gradient that would have to go through one of these calls is UNSUPPORTED.
 */

/** f16 or bf16 parameters beside f32 masters, and gradients that were scaled to stay in range. */
typedef struct netcl_mixed_precision {
  size_t struct_size;
  netcl_tensor *const *masters;  /**< f32, of f16 and bf16 parameters, which are then not read: the
                                      step changes the master, of which the parameter becomes the
                                      rounding */
  netcl_tensor *scale;           /**< f32, one element: gradients are multiplied by 1 / scale */
  netcl_tensor *found_inf;       /**< f32, one element: when it is not 0 nothing is written */
  uint32_t masters_count;        /**< 0 or parameters_count */
  uint32_t reserved;
} netcl_mixed_precision;
#define NETCL_MIXED_PRECISION_INIT { sizeof(netcl_mixed_precision), NULL, NULL, NULL, 0, 0 }

typedef struct netcl_sgd_options {
  size_t struct_size;
  netcl_tensor *const *momentum_buffers;  /**< b, needed with momentum */
  netcl_tensor *step;                     /**< i64, one element, at first 0: counts steps; needed
                                               with dampening */
  netcl_tensor *factor;                   /**< of the learning rate */
  const netcl_mixed_precision *precision;
  double momentum;                        /**< 0: none */
  double dampening;
  double weight_decay;
  uint32_t momentum_buffers_count;        /**< parameters_count, or 0 without momentum */
  uint32_t nesterov;                      /**< @flag Nesterov's momentum, which has no dampening */
} netcl_sgd_options;
#define NETCL_SGD_OPTIONS_INIT \
  { sizeof(netcl_sgd_options), NULL, NULL, NULL, NULL, 0.0, 0.0, 0.0, 0, 0 }

/**
 * Stochastic gradient descent: g += weight_decay p; b = momentum b + (1 - dampening) g, in the
 * first step b = g; p -= learning_rate b, or with nesterov p -= learning_rate (g + momentum b).
 * Without momentum p -= learning_rate g.
 */
NETCL_API netcl_status netcl_op_sgd(netcl_tensor *const *parameters, uint32_t parameters_count,
                                    netcl_tensor *const *gradients, uint32_t gradients_count,
                                    double learning_rate, const netcl_sgd_options *options,
                                    const netcl_run_options *run);

typedef struct netcl_adam_options {
  size_t struct_size;
  netcl_tensor *const *max_square_averages;  /**< when given, AMSGrad: the largest v so far */
  netcl_tensor *factor;                      /**< of the learning rate */
  const netcl_mixed_precision *precision;
  double beta1;                              /**< 0: 0.9 */
  double beta2;                              /**< 0: 0.999 */
  double epsilon;                            /**< 0: 1e-8 */
  double weight_decay;                       /**< the default is 0, for AdamW too */
  uint32_t max_square_averages_count;        /**< 0 or parameters_count */
  uint32_t has_betas;                        /**< @flag[beta1,beta2] they are set, even to 0 */
  uint32_t decoupled;                        /**< @flag AdamW */
  uint32_t reserved;
} netcl_adam_options;
#define NETCL_ADAM_OPTIONS_INIT \
  { sizeof(netcl_adam_options), NULL, NULL, NULL, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0 }

/**
 * Adam: g += weight_decay p, or when it is decoupled p -= learning_rate weight_decay p;
 * m += (1 - beta1) (g - m); v = beta2 v + (1 - beta2) g^2; with t steps done, this one included,
 * p -= learning_rate / (1 - beta1^t) m / (sqrt(v / (1 - beta2^t)) + epsilon). `averages` are m,
 * `square_averages` v; both begin as zeros.
 * @param step i64, one element, at first 0: the op counts the steps in it
 */
NETCL_API netcl_status netcl_op_adam(netcl_tensor *const *parameters, uint32_t parameters_count,
                                     netcl_tensor *const *gradients, uint32_t gradients_count,
                                     netcl_tensor *const *averages, uint32_t averages_count,
                                     netcl_tensor *const *square_averages,
                                     uint32_t square_averages_count, netcl_tensor *step,
                                     double learning_rate, const netcl_adam_options *options,
                                     const netcl_run_options *run);

typedef struct netcl_rmsprop_options {
  size_t struct_size;
  netcl_tensor *const *momentum_buffers;  /**< b, needed with momentum */
  netcl_tensor *const *averages;          /**< m; when given, the variance divides: "centered" */
  netcl_tensor *factor;                   /**< of the learning rate */
  const netcl_mixed_precision *precision;
  double alpha;                           /**< 0: 0.99 */
  double epsilon;                         /**< 0: 1e-8 */
  double momentum;                        /**< 0: none */
  double weight_decay;
  uint32_t momentum_buffers_count;        /**< parameters_count, or 0 without momentum */
  uint32_t averages_count;                /**< 0 or parameters_count */
} netcl_rmsprop_options;
#define NETCL_RMSPROP_OPTIONS_INIT \
  { sizeof(netcl_rmsprop_options), NULL, NULL, NULL, NULL, 0.0, 0.0, 0.0, 0.0, 0, 0 }

/**
 * RMSprop: g += weight_decay p; v = alpha v + (1 - alpha) g^2; d = sqrt(v) + epsilon, or with
 * averages m += (1 - alpha) (g - m) and d = sqrt(v - m^2) + epsilon, where a difference below 0
 * counts as 0; p -= learning_rate g / d, or with momentum b = momentum b + g / d and
 * p -= learning_rate b. `square_averages` are v.
 */
NETCL_API netcl_status netcl_op_rmsprop(netcl_tensor *const *parameters, uint32_t parameters_count,
                                        netcl_tensor *const *gradients, uint32_t gradients_count,
                                        netcl_tensor *const *square_averages,
                                        uint32_t square_averages_count, double learning_rate,
                                        const netcl_rmsprop_options *options,
                                        const netcl_run_options *run);

typedef struct netcl_adagrad_options {
  size_t struct_size;
  netcl_tensor *step;        /**< i64, one element, at first 0: counts the steps; needed with
                                  learning_rate_decay */
  netcl_tensor *factor;      /**< of the learning rate */
  const netcl_mixed_precision *precision;
  double learning_rate_decay;
  double epsilon;            /**< 0: 1e-10 */
  double weight_decay;
} netcl_adagrad_options;
#define NETCL_ADAGRAD_OPTIONS_INIT \
  { sizeof(netcl_adagrad_options), NULL, NULL, NULL, 0.0, 0.0, 0.0 }

/**
 * Adagrad: g += weight_decay p; s += g^2; with t steps done before this one,
 * p -= learning_rate / (1 + t learning_rate_decay) g / (sqrt(s) + epsilon). `sums` are s, which may
 * begin above 0.
 */
NETCL_API netcl_status netcl_op_adagrad(netcl_tensor *const *parameters, uint32_t parameters_count,
                                        netcl_tensor *const *gradients, uint32_t gradients_count,
                                        netcl_tensor *const *sums, uint32_t sums_count,
                                        double learning_rate, const netcl_adagrad_options *options,
                                        const netcl_run_options *run);

/**
 * Clips gradients, of any shapes, in place: with n the Euclidean norm of all elements of all
 * tensors, each is multiplied by min(1, max_norm / (n + 1e-6)). With an infinite n finite elements
 * become 0 and infinite ones NaN; with a NaN all become NaN. n has no overflow on the way; its
 * error is at most (log2 of the elements + 128) eps n. It is the result: rank 0, f32, or f64 where
 * the tensors are, which then all are.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_clip_by_norm(netcl_tensor *const *tensors, uint32_t tensors_count,
                                             double max_norm, const netcl_run_options *run,
                                             netcl_tensor **result);

/**
 * Prepares the gradients of a scaled loss, in tensors of any shapes: found_inf becomes 1 when an
 * element of a tensor is infinite or NaN, else 0; with a scale, an f32 tensor of one element, all
 * elements are multiplied by 1 / scale in place. found_inf is f32, one element.
 * @param[opt] scale may be NULL: the tensors are only read
 */
NETCL_API netcl_status netcl_op_unscale(netcl_tensor *const *tensors, uint32_t tensors_count,
                                        netcl_tensor *scale, netcl_tensor *found_inf,
                                        const netcl_run_options *run);

typedef struct netcl_loss_scale_options {
  size_t struct_size;
  double growth_factor;      /**< above 1; 0: 2 */
  double backoff_factor;     /**< in (0, 1); 0: 0.5 */
  int64_t growth_interval;   /**< 0: 2000 */
} netcl_loss_scale_options;
#define NETCL_LOSS_SCALE_OPTIONS_INIT { sizeof(netcl_loss_scale_options), 0.0, 0.0, 0 }

/**
 * The scale of the next loss, as torch.amp.GradScaler.update: where found_inf is not 0, scale is
 * multiplied by backoff_factor and tracker becomes 0; else 1 is added to tracker, and when that
 * makes growth_interval it becomes 0 and scale is multiplied by growth_factor, unless it would be
 * infinite. scale and found_inf are f32, tracker is i64, of one element each.
 */
NETCL_API netcl_status netcl_op_update_loss_scale(netcl_tensor *scale, netcl_tensor *tracker,
                                                  netcl_tensor *found_inf,
                                                  const netcl_loss_scale_options *options,
                                                  const netcl_run_options *run);

/* ---- Ops: moving elements -------------------------------------------------------------------- */

/* All dtypes. Elements are moved bit for bit, but for what resizing weighs and scatter combines. */

/**
 * Copies with the dimensions in another order, as ONNX Transpose; axes_count 0 turns them round.
 * Extent i of the result is x's extent axes[i].
 * The view without a copy is netcl_tensor_permute.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_transpose(netcl_tensor *x, const uint32_t *axes,
                                          uint32_t axes_count, const netcl_run_options *run,
                                          netcl_tensor **result);

/**
 * Joins tensors of one dtype along an axis, as ONNX Concat; the other extents are equal.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_concat(netcl_tensor *const *inputs, uint32_t inputs_count,
                                       int32_t axis, const netcl_run_options *run,
                                       netcl_tensor **result);

/**
 * Views the parts of a tensor along an axis, as ONNX Split; sizes add up to its extent. Copies
 * nothing.
 * @param[out,count=sizes] views one reference each, sizes_count entries
 */
NETCL_API netcl_status netcl_tensor_split(netcl_tensor *x, int32_t axis, const int64_t *sizes,
                                          uint32_t sizes_count, netcl_tensor **views);

typedef int32_t netcl_pad_mode;
enum netcl_pad_mode_value {
  NETCL_PAD_CONSTANT = 0,
  NETCL_PAD_REFLECT = 1,   /**< without repeating the edge: c b | a b c; wider than
                                the axis: there and back again, as numpy does */
  NETCL_PAD_EDGE = 2,      /**< a a | a b c */
  NETCL_PAD_WRAP = 3       /**< as if the tensor stood beside itself again and again: b c | a b c */
};

typedef struct netcl_pad_options {
  size_t struct_size;
  const void *value;       /**< CONSTANT: one element of x's dtype; NULL: 0 */
  netcl_pad_mode mode;
  uint32_t reserved;
} netcl_pad_options;
#define NETCL_PAD_OPTIONS_INIT { sizeof(netcl_pad_options), NULL, 0, 0 }

/**
 * Adds elements around a tensor, as ONNX Pad: pads has the begin of every axis, then the end of
 * every axis (2 rank entries). Negative ones take away, before anything is added.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_pad(netcl_tensor *x, const int64_t *pads, uint32_t pads_count,
                                    const netcl_pad_options *options, const netcl_run_options *run,
                                    netcl_tensor **result);

/**
 * Repeats a tensor along its axes, as ONNX Tile: axis d of the result has repeats[d] times the
 * extent of x, 0 or more; repeats has an entry for each axis. Any dtype, bit for bit.
 * A tensor that is repeated along axes of extent 1 alone can be viewed: netcl_tensor_broadcast.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_tile(netcl_tensor *x, const int64_t *repeats,
                                     uint32_t repeats_count, const netcl_run_options *run,
                                     netcl_tensor **result);

/**
 * Copies a triangle of each matrix of the last two dimensions, with zeros in place of the rest, as
 * ONNX Trilu: the elements whose column is the row plus k or more, or with upper 0 the row plus k
 * or less. Any dtype, bit for bit, rank 2 or more. run->into may be x itself.
 * @param[flag] upper
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_trilu(netcl_tensor *x, uint32_t upper, int64_t k,
                                      const netcl_run_options *run, netcl_tensor **result);

/**
 * Picks slices along an axis, as ONNX Gather: the result has indices' shape in place of that axis.
 * indices is i32 or i64; negative ones count from the end; one out of range gives zeros.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_gather(netcl_tensor *x, netcl_tensor *indices, int32_t axis,
                                       const netcl_run_options *run, netcl_tensor **result);

/**
 * Picks elements along an axis, as ONNX GatherElements: the result has indices' shape, whose other
 * extents are at most x's. Indices as for netcl_op_gather.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_gather_elements(netcl_tensor *x, netcl_tensor *indices,
                                                int32_t axis, const netcl_run_options *run,
                                                netcl_tensor **result);

/** Looks rows of weights [V, D] up: netcl_op_gather along axis 0 of a matrix.
 * @param[out,opt] result one reference; may be NULL when run->into is set */
NETCL_API netcl_status netcl_op_embedding(netcl_tensor *weights, netcl_tensor *indices,
                                          const netcl_run_options *run, netcl_tensor **result);

/**
 * Gives each index a line of depth elements along an axis of the result, as ONNX OneHot: on_value
 * at the place that the index is, off_value elsewhere. The result has the shape of indices with
 * depth put in before dimension axis, which is one of the result: -1 is behind the last. indices
 * are integers of any dtype; negative ones count from the end; one out of range gives a line of
 * off_value. The values are one element of dtype each. Any dtype, bit for bit.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_one_hot(netcl_tensor *indices, int64_t depth, int32_t axis,
                                        netcl_dtype dtype, const void *on_value,
                                        const void *off_value, const netcl_run_options *run,
                                        netcl_tensor **result);

typedef int32_t netcl_scatter_mode;
enum netcl_scatter_mode_value {
  NETCL_SCATTER_ASSIGN = 0,   /**< the last of equal indices, in C order, wins */
  NETCL_SCATTER_ADD = 1,      /**< added in C order of the updates; of bool: OR */
  NETCL_SCATTER_MUL = 2,      /**< multiplied in C order of the updates; of bool: AND */
  NETCL_SCATTER_MAX = 3,      /**< the largest, NaN before all; of bool: OR */
  NETCL_SCATTER_MIN = 4       /**< the smallest, NaN before all; of bool: AND */
};

typedef struct netcl_scatter_options {
  size_t struct_size;
  netcl_scatter_mode mode;
  uint32_t atomics;   /**< @flag ADD of f32, i32, u32 in any order, faster;
                           other dtypes UNSUPPORTED */
} netcl_scatter_options;
#define NETCL_SCATTER_OPTIONS_INIT { sizeof(netcl_scatter_options), 0, 0 }

/**
 * Writes updates into a copy of x at indices along an axis, as ONNX ScatterElements, or adds or
 * multiplies them, each result rounded by itself (f16 and bf16: kept in f32, rounded at the end),
 * or keeps the extreme; updates and indices have one shape, whose other extents are at most x's.
 * Indices as for netcl_op_gather; one out of range is left out. run->into may be x itself: then
 * nothing is copied.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_scatter(netcl_tensor *x, netcl_tensor *indices,
                                        netcl_tensor *updates, int32_t axis,
                                        const netcl_scatter_options *options,
                                        const netcl_run_options *run, netcl_tensor **result);

/**
 * Picks slices at places of several dimensions, as ONNX GatherND: a line along the last dimension
 * of indices, n of them, is a place in dimensions batch_dims to batch_dims + n - 1 of x, with n 1
 * or more. Before them x and indices have the same extents, along which both are gone over
 * together. The result has the shape of indices without the last dimension, then what is left of
 * x's.
 * Indices as for netcl_op_gather; a place with one out of range gives zeros.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_gather_nd(netcl_tensor *x, netcl_tensor *indices,
                                          uint32_t batch_dims, const netcl_run_options *run,
                                          netcl_tensor **result);

/**
 * Writes updates into a copy of x at places of several dimensions, as ONNX ScatterND (batch_dims
 * 0), or combines them with what is there, in the order and with the rounding of netcl_op_scatter.
 * indices and batch_dims as for netcl_op_gather_nd, whose result has the shape of updates; a place
 * with an index out of range is left out. run->into may be x itself.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_scatter_nd(netcl_tensor *x, netcl_tensor *indices,
                                           netcl_tensor *updates, uint32_t batch_dims,
                                           const netcl_scatter_options *options,
                                           const netcl_run_options *run, netcl_tensor **result);

/** Which channel of x is element i of the blocks of channel c; of C channels, B elements. */
typedef int32_t netcl_depth_order;
enum netcl_depth_order_value {
  NETCL_DEPTH_DCR = 0,   /**< i C + c */
  NETCL_DEPTH_CRD = 1    /**< c B + i, as in PyTorch's pixel_shuffle */
};

/**
 * Spreads channels over space, as ONNX DepthToSpace: x is [N, C B, ...] with one to three
 * dimensions of space, each of which becomes `block` times as long, 1 or more; B is `block` to the
 * power of their number, the elements of a block, counted in C order. The result is [N, C, ...].
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_depth_to_space(netcl_tensor *x, int64_t block,
                                               netcl_depth_order order,
                                               const netcl_run_options *run,
                                               netcl_tensor **result);

/**
 * Gathers blocks of space into channels, as ONNX SpaceToDepth: what netcl_op_depth_to_space did is
 * undone. The extents of space are multiples of `block`.
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_space_to_depth(netcl_tensor *x, int64_t block,
                                               netcl_depth_order order,
                                               const netcl_run_options *run,
                                               netcl_tensor **result);

typedef int32_t netcl_resize_mode;
enum netcl_resize_mode_value {
  NETCL_RESIZE_NEAREST = 0,   /**< the element that options->rounding says */
  NETCL_RESIZE_LINEAR = 1,    /**< linear in every axis that changes */
  NETCL_RESIZE_CUBIC = 2      /**< cubic in every axis that changes, over four elements */
};

/** Where element i of the result lies along an axis of x. `in` and `out` are the extents of x and
 * of the result. */
typedef int32_t netcl_resize_coordinates;
enum netcl_resize_coordinates_value {
  NETCL_RESIZE_HALF_PIXEL = 0,             /**< (i + 0.5) / scale - 0.5 */
  NETCL_RESIZE_ALIGN_CORNERS = 1,          /**< i (in - 1) / (in scale - 1); 0 where i is 0 or
                                                in scale is 1 */
  NETCL_RESIZE_ASYMMETRIC = 2,             /**< i / scale */
  NETCL_RESIZE_HALF_PIXEL_SYMMETRIC = 3,   /**< in / 2 (1 - out / (in scale)) + HALF_PIXEL */
  NETCL_RESIZE_PYTORCH_HALF_PIXEL = 4,     /**< HALF_PIXEL; 0 where out is 1 */
  NETCL_RESIZE_TF_CROP_AND_RESIZE = 5      /**< (in - 1) (start + i (end - start) / (out - 1)), of
                                                options->roi; (in - 1) (start + end) / 2 where out
                                                is 1 */
};

typedef int32_t netcl_resize_rounding;
enum netcl_resize_rounding_value {
  NETCL_RESIZE_ROUND_PREFER_FLOOR = 0,   /**< to the nearest, halves down */
  NETCL_RESIZE_ROUND_PREFER_CEIL = 1,    /**< to the nearest, halves up */
  NETCL_RESIZE_FLOOR = 2,
  NETCL_RESIZE_CEIL = 3
};

typedef struct netcl_resize_options {
  size_t struct_size;
  netcl_resize_mode mode;
  netcl_resize_coordinates coordinates;
  netcl_resize_rounding rounding;  /**< of coordinates, for NEAREST; others look at none */
  uint32_t antialias;              /**< @flag LINEAR and CUBIC reach 1 / scale times as far along
                                        axes whose scale is below 1. NEAREST looks at none */
  uint32_t exclude_outside;        /**< @flag elements beyond the edge have no weight, and those
                                        that are left share it; else they are as at the edge */
  uint32_t has_cubic_coeff;        /**< @flag cubic_coeff is set, even to 0 */
  double cubic_coeff;              /**< of CUBIC, ONNX's cubic_coeff_a; 0: -0.75, but for
                                        has_cubic_coeff */
  double extrapolation_value;      /**< under TF_CROP_AND_RESIZE, of elements that lie outside of
                                        x, below 0 or beyond in - 1 */
  const double *scales;            /**< of each axis, above 0; scales_count 0: out / in */
  const double *roi;               /**< for TF_CROP_AND_RESIZE: the start of every axis, then the
                                        end of every axis, as parts of in - 1; roi_count 0: 0 and 1.
                                        Others look at none */
  uint32_t scales_count;           /**< 0 or rank */
  uint32_t roi_count;              /**< 0 or 2 rank */
} netcl_resize_options;
#define NETCL_RESIZE_OPTIONS_INIT \
  { sizeof(netcl_resize_options), 0, 0, 0, 0, 0, 0, 0.0, 0.0, NULL, NULL, 0, 0 }

/**
 * Resizes a tensor to another shape of the same rank, as ONNX Resize. All dtypes. Coordinates and
 * weights are those of the scale of an axis, whatever its extent, computed in f64. An extent of -1
 * is floor(in scale), or floor(in (end - start) scale) under TF_CROP_AND_RESIZE; scales are needed
 * for it. NEAREST moves elements. LINEAR and CUBIC weigh axis after axis in f32 (f64 for f64), but
 * for axes that stay as they are; error, beside that of the weights, at most 2 n eps A max|x|, with
 * n the sum over the axes of 2 plus the largest number of elements with a weight, A the product
 * over the axes of the largest sum of |weights|, plus the rounding. What is weighed and
 * extrapolation_value round to nearest even, and are bounded by the dtype of integers and bool (0
 * and 1). Elements with a weight of 0 do not count, not even infinite ones. More than 2^26 weights
 * along an axis, of CUBIC or with antialias, are UNSUPPORTED.
 * @param[infer] shape
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_op_resize(netcl_tensor *x, uint32_t rank, const int64_t *shape,
                                       const netcl_resize_options *options,
                                       const netcl_run_options *run, netcl_tensor **result);

/* ---- Graphs ---------------------------------------------------------------------------------- */

/*
 * A graph records calls: every op, every launch and some calls of groups whose run->graph it is, in
 * the order in which they were made. A call that is not recorded has no gradient: what it gives is
 * a constant. Views need no recording. Several threads may record, into one graph or several; where
 * two calls work with the same memory, the caller makes them in order. A graph keeps the tensors of
 * its calls alive until it is cleared or released. docs/graphs.md has the ops that have
 * derivatives.
 */

/** How a graph records. */
typedef struct netcl_graph_options {
  size_t struct_size;
  netcl_toggle execute;  /**< NETCL_ON, the default: calls run while they are recorded, and the
                              graph is a tape. NETCL_OFF: they do not, and it is a capture */
  uint32_t reserved;
} netcl_graph_options;
#define NETCL_GRAPH_OPTIONS_INIT { sizeof(netcl_graph_options), 0, 0 }

/**
 * Makes an empty graph that records calls on a device. Calls that a capture records are checked,
 * and do not run: their results have shapes and no content, views can be made of them, and calls of
 * the same graph can read and write them until it is cleared; whatever else would read or write
 * their content is INVALID_ARGUMENT. run->waits and run->event are refused there.
 * netcl_graph_compile makes a capture ready to run.
 * @param[out] graph one reference
 */
NETCL_API netcl_status netcl_graph_create(netcl_device *device, const netcl_graph_options *options,
                                          netcl_graph **graph);

/** Adds a reference. */
NETCL_API netcl_status netcl_graph_retain(netcl_graph *graph);
/** Drops a reference; the last one frees the graph. Harmless during calls on it. NULL: nothing. */
NETCL_API void netcl_graph_release(netcl_graph *graph);

/**
 * Forgets all calls, and lets go of their tensors. A graph made from a function drops its forms;
 * runs that have begun end as they began.
 */
NETCL_API netcl_status netcl_graph_clear(netcl_graph *graph);

/** A call of a graph's function: valid while that runs. */
typedef struct netcl_graph_call {
  size_t struct_size;
  netcl_tensor *const *inputs;   /**< stand for those of a run, with their dtypes and shapes and
                                      without content: values of the capture; borrowed */
  const netcl_run_options *run;  /**< run->graph is the capture that records, to be handed on to
                                      each op and launch */
  uint32_t inputs_count;
  uint32_t outputs_count;
} netcl_graph_call;
#define NETCL_GRAPH_CALL_INIT { sizeof(netcl_graph_call), NULL, NULL, 0, 0 }

/**
 * Records what a graph computes, by calling ops and launching kernels with call->run, and
 * netcl_graph_add_gradients with call->run->graph. `outputs` holds NULL at first, and gets a
 * reference to each of outputs_count values, which is the library's from then on. Returns NETCL_OK
 * or what failed, see netcl_last_error_set. Called on a thread that runs or compiles the graph, and
 * on several threads at a time. It may run other graphs, whose results are constants, and not its
 * own. A thread that it waits for must not run its graph.
 */
typedef netcl_status (*netcl_graph_fn)(const netcl_graph_call *call, netcl_tensor **outputs,
                                       void *user_data);

/** How a graph made from a function compiles what that records. */
typedef struct netcl_graph_function_options {
  size_t struct_size;
  uint64_t forms_most;   /**< forms that are kept; 0: 16 */
  netcl_toggle fuse;     /**< as in netcl_graph_compile_options */
  uint32_t reserved;
} netcl_graph_function_options;
#define NETCL_GRAPH_FUNCTION_OPTIONS_INIT { sizeof(netcl_graph_function_options), 0, 0, 0 }

/**
 * Makes a graph that is run with inputs of any number, dtypes and shapes. For inputs that are new
 * in these, netcl_graph_run, netcl_graph_evaluate and netcl_graph_compile call the function, which
 * records its calls into a capture, and compile that as netcl_graph_compile does: this is a form of
 * the graph. Forms are kept, and the one whose use lies back farthest goes where there are more
 * than options->forms_most. Inputs without gaps in another order of dimensions than C order, such
 * as column-major ones, have a form of their own; all others are copied to C order where they do
 * not lie so. Of several threads with the same new inputs one compiles and the others wait for it,
 * and get its failure where it fails; those whose form is there wait for nobody.
 *
 * Tensors that the function takes from elsewhere, such as parameters, are kept by the form, and
 * read and written by each run; numbers are as they were recorded. netcl_graph_clear makes the
 * function record again. Calls are recorded in the graph that the function gets: run->graph and
 * netcl_graph_add_gradients refuse this one with INVALID_ARGUMENT.
 * @param[opt] destroy
 * @param outputs how many outputs the function gives, up to NETCL_LIST_MAX
 * @param[destroyed] user_data given to the function; destroy, when it is not NULL, is called with
 * it once no call can use it, also when this call fails
 * @param[out] graph one reference
 */
NETCL_API netcl_status netcl_graph_create_from_function(
    netcl_device *device, netcl_graph_fn function, void *user_data, netcl_destroy_fn destroy,
    uint32_t outputs, const netcl_graph_function_options *options, netcl_graph **graph);

/** What is known of a graph. */
typedef struct netcl_graph_info {
  size_t struct_size;
  uint64_t call_count;    /**< calls that are recorded; writes of others in between are none */
  uint64_t kept_bytes;    /**< memory that their tensors keep, each piece counted once */
  uint64_t step_count;    /**< of a compiled capture: calls that are left, joined or not */
  uint64_t ready_count;   /**< steps of which netcl_graph_compile has made the commands so far */
  uint64_t command_count; /**< kernels and functions that a run enqueues, beside calls of groups */
  uint64_t planned_bytes; /**< memory that a run takes for values that are no outputs */
  uint64_t live_bytes;    /**< the most that such values of the recorded calls have at one time */
  uint64_t form_count;    /**< of a graph made from a function: forms that are kept */
} netcl_graph_info;
#define NETCL_GRAPH_INFO_INIT { sizeof(netcl_graph_info), 0, 0, 0, 0, 0, 0, 0, 0 }

/**
 * Tells what a graph holds. While another thread compiles it, both step_count and ready_count are 0
 * at first, then ready_count of step_count steps are done. Of a graph made from a function it tells
 * of all forms together, with those that are being compiled: planned_bytes and live_bytes are those
 * of the form with the most, the others are sums.
 * @param[out] info what it holds now
 */
NETCL_API netcl_status netcl_graph_get_info(netcl_graph *graph, netcl_graph_info *info);

/** How gradients are worked out; see netcl_graph_add_gradients. */
typedef struct netcl_gradients_options {
  size_t struct_size;
  netcl_tensor *const *seeds;  /**< gradients of the outputs, of their shapes and dtypes; none: 1
                                    for each output, which then has one element */
  netcl_tensor *const *into;   /**< where gradients go: of the inputs' shapes and dtypes, each on
                                    memory of its own; none: new tensors */
  netcl_queue *queue;          /**< NULL: the default queue of the graph's device */
  netcl_event **event;         /**< receives one reference: all gradients are there; refused for a
                                    capture */
  uint32_t seeds_count;        /**< 0 or outputs_count */
  uint32_t into_count;         /**< 0 or inputs_count */
  uint32_t accumulate;         /**< @flag what is in `into` is added to */
  uint32_t consume;            /**< @flag calls are forgotten as soon as their
                                    gradients are known, and those that work them out are not
                                    recorded; the graph is empty
                                    afterwards, also when that fails on the way. What is refused
                                    before that leaves it as it was: arguments, and an input that no
                                    output depends on. Refused for a capture */
  netcl_reducer *reducer;      /**< gets the gradients, of this call or, of a capture, of each run;
                                    see netcl_reducer_wait. One for all calls of a capture, and its
                                    rank has the graph's device; NULL: none */
} netcl_gradients_options;
#define NETCL_GRADIENTS_OPTIONS_INIT \
  { sizeof(netcl_gradients_options), NULL, NULL, NULL, NULL, 0, 0, 0, 0, NULL }

/**
 * Gives the gradients of outputs with respect to inputs, summed over all outputs: reverse mode
 * differentiation of the recorded calls. Tensors stand for the values that they have now: that of
 * an input which a recorded call wrote is the gradient of what that call gave; of one which others
 * wrote, it is that by all that read it since. A gradient has the shape and dtype of its input. The
 * calls that work it out are recorded as well (unless options->consume is 1), so that gradients of
 * gradients are known where those have derivatives. Memory of the caller that was wrapped twice
 * counts as two variables.
 *
 * INVALID_ARGUMENT when no output depends on an input, an output without a seed has more or fewer
 * elements than one, an input or an output has no float dtype, elements of an input share memory,
 * or a value that is needed was overwritten since: the message names the call that needs it and the
 * one that wrote it, with their numbers. So it is when an output depends on what the memory of an
 * input held before a write that is not recorded, which may have left it there.
 * UNSUPPORTED when what lies between has no derivative; the message names the call.
 * @param[out,opt,count=inputs] gradients one reference each, inputs_count entries; may be NULL when
 * options->into is set
 */
NETCL_API netcl_status netcl_graph_add_gradients(netcl_graph *graph, netcl_tensor *const *outputs,
                                                 uint32_t outputs_count,
                                                 netcl_tensor *const *inputs,
                                                 uint32_t inputs_count,
                                                 const netcl_gradients_options *options,
                                                 netcl_tensor **gradients);

/** How a capture is made ready to run. */
typedef struct netcl_graph_compile_options {
  size_t struct_size;
  netcl_toggle fuse;     /**< NETCL_OFF: calls are left as they are; the default joins those that
                              can be done by one kernel. Refused for a graph made from a function */
  uint32_t reserved;
} netcl_graph_compile_options;
#define NETCL_GRAPH_COMPILE_OPTIONS_INIT { sizeof(netcl_graph_compile_options), 0, 0 }

/**
 * Makes a capture ready to run: builds every kernel, plans the memory of all values, and keeps the
 * commands. `inputs` are the tensors that a run gets others for; their content is not read. Other
 * tensors with memory that the calls read, such as parameters, are read again by each run, and
 * those that they write by run->into are written by each run. `outputs` are the values that a run
 * gives. Calls that neither an output nor such a tensor depends on are left out, and equal calls
 * are done once. Copies of whole values are left out where the calls behind them can work with the
 * value itself, and values of up to 64 KiB that depend on nothing are worked out here, once.
 * Elementwise calls are done within those that read their results, where at most two kernels then
 * compute a value; those that read the same tensors, or what others of them give, are
 * one kernel with several results, where values do not need more memory at a time for it. What
 * is added to a product or a convolution of floats as its epilogue would add it, and an
 * activation, are done with it, and so is the netcl_op_batchnorm of inference behind a convolution
 * that has no epilogue: of f16 or bf16, where it may have a bias, and on CPUs of f32 or f64. Values
 * have the bits that they would have one by one, with two exceptions: f32 on a device whose
 * quotients are not rounded correctly (CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT); and a product or
 * convolution of f16 or bf16, which is not rounded before a bias, a residual, a normalisation or an
 * activation other than relu that is done with it, so that the result is that of f32, rounded once.
 * With `fuse` OFF all bits are kept.
 *
 * From here on the graph records nothing more, until netcl_graph_clear empties it: calls into it
 * are INVALID_ARGUMENT, also while it is compiled. Compiling it once more is INVALID_ARGUMENT, and
 * so is an empty graph, a tape, an input that no output depends on, that a call writes or whose
 * elements share memory, a call that reads elements of an input's memory that are not known to be
 * the input's, and an output that is no value of the graph.
 *
 * Of a graph made from a function this makes the form for such inputs, where it is not there yet:
 * later runs find it. outputs_count is 0. A broadcast of one element will do as an input.
 */
NETCL_API netcl_status netcl_graph_compile(netcl_graph *graph, netcl_tensor *const *inputs,
                                           uint32_t inputs_count, netcl_tensor *const *outputs,
                                           uint32_t outputs_count,
                                           const netcl_graph_compile_options *options);

/**
 * Enqueues the calls of a compiled graph, for other inputs, without checking and choosing anew.
 * Inputs and outputs have the shapes and dtypes of those that netcl_graph_compile got, in any
 * strides: those that it got are fastest, others are copied. A graph made from a function takes
 * inputs of any shapes and dtypes, and outputs of those that the function gives. A new combination
 * of strides is made ready at its first run, on OpenCL devices also one of offsets modulo
 * mem_base_align_bytes; the last 8 are kept. Values that are no outputs lie in memory of the
 * device's persistent pool for the time of the run.
 *
 * run->queue, run->waits and run->event are those of all commands together; run->into and
 * run->graph are NULL. Any number of threads may run a graph at a time; runs that write the same
 * tensors are ordered as other commands are. INVALID_ARGUMENT when a shape, dtype, device or count
 * differs, a tensor is a value of a capture, an input shares memory with a tensor that the calls
 * write, or an output with an input, with another output or with a tensor that the calls work with.
 * Kernels of the caller get memory of the sizes with which they were recorded. @safe
 */
NETCL_API netcl_status netcl_graph_run(netcl_graph *graph, netcl_tensor *const *inputs,
                                       uint32_t inputs_count, netcl_tensor *const *outputs,
                                       uint32_t outputs_count, const netcl_run_options *run);

/**
 * Runs a compiled graph as netcl_graph_run does, with new tensors as outputs. `count` receives the
 * number of outputs. A capacity below that runs nothing and tells that alone. INVALID_ARGUMENT when
 * the graph gives no outputs; otherwise as netcl_graph_run. @safe
 * @param[out,opt] outputs one reference each; may be NULL when capacity is 0
 * @param[out] count outputs that there are
 */
NETCL_API netcl_status netcl_graph_evaluate(netcl_graph *graph, netcl_tensor *const *inputs,
                                            uint32_t inputs_count, const netcl_run_options *run,
                                            netcl_tensor **outputs, uint32_t capacity,
                                            uint32_t *count);

/** How netcl_graph_explain writes. */
typedef int32_t netcl_graph_format;
enum netcl_graph_format_value {
  NETCL_GRAPH_FORMAT_TEXT = 0,  /**< a line per call with its number, or per step, for reading */
  NETCL_GRAPH_FORMAT_JSON = 1,
  NETCL_GRAPH_FORMAT_DOT = 2    /**< for Graphviz */
};

/**
 * Tells what is in a graph: its calls with the shapes of what they read and write; of a compiled
 * one the steps, what was joined in them, why others were not, where values lie in memory, and
 * behind how many commands which gradients go to a reducer; of one made from a function all this
 * for each form, beginning with the one that was used last.
 * @param[out] buffer the text
 * @param[out,opt] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_graph_explain(netcl_graph *graph, netcl_graph_format format,
                                           char *buffer, size_t capacity, size_t *length);

/* ---- Models ---------------------------------------------------------------------------------- */

/*
 * A model is a network in a file of ONNX, opset 7 to 28, with its weights on a device. Its inputs
 * and outputs are tensors in the order of the file. It is a graph made from a function: for inputs
 * that are new in their dtypes and shapes the network is recorded, compiled and kept. Inputs whose
 * values the network needs before that, as the target shape of a Reshape, are read by the host
 * (netcl_model_value.bound), and each value counts as new. docs/models.md lists the ops.
 */

/** How a model is loaded. */
typedef struct netcl_model_options {
  size_t struct_size;
  uint64_t forms_most;   /**< compiled forms that are kept, of each step where the host decides
                              between steps (docs/models.md); 0: 16 */
  netcl_toggle fuse;     /**< as in netcl_graph_compile_options */
  netcl_dtype dtype;     /**< of weights and of the values between, where the file has f32: F16,
                              BF16, or 0 for F32. Products and other sums add up in f32, and what
                              a short dtype cannot hold stays f32 (docs/models.md) */
} netcl_model_options;
#define NETCL_MODEL_OPTIONS_INIT { sizeof(netcl_model_options), 0, 0, 0 }

/**
 * Loads a model from a file of ONNX. Weights in files of their own are read from the file's folder
 * and those below it alone. IO where a file cannot be read, CORRUPT_DATA where one is no model: a
 * length beyond its end, a weight of another size than its shape says, a value that nothing gives
 * or two nodes give. UNSUPPORTED lists all that netcl cannot run, ops, dtypes and attributes with
 * the names of their nodes, before anything is allocated on the device; netcl_model_describe gives
 * the list where it is longer than a message. INVALID_ARGUMENT for another options->dtype.
 * Models of one file on one device share the weights of the file that they hold in the same dtype;
 * a file that was changed less than two seconds ago is loaded on its own.
 * @param[out] model one reference
 */
NETCL_API netcl_status netcl_model_load(netcl_device *device, const char *path,
                                        const netcl_model_options *options, netcl_model **model);

/**
 * As netcl_model_load, from the bytes of a file, of which nothing is kept. Weights in other files
 * are UNSUPPORTED.
 * @param[out] model one reference
 */
NETCL_API netcl_status netcl_model_load_memory(netcl_device *device, const void *data,
                                               size_t data_size,
                                               const netcl_model_options *options,
                                               netcl_model **model);

/** Adds a reference. */
NETCL_API netcl_status netcl_model_retain(netcl_model *model);
/** Drops a reference; NULL is fine. */
NETCL_API void netcl_model_release(netcl_model *model);

/** What is known of a model. Texts that are longer are cut. */
typedef struct netcl_model_info {
  size_t struct_size;
  uint64_t node_count;      /**< nodes that outputs depend on */
  uint64_t weight_count;    /**< tensors that the device holds: of the file, and what depends on
                                 those alone, in their place */
  uint64_t weight_bytes;    /**< their bytes */
  uint64_t form_count;      /**< compiled forms that are kept now */
  int64_t ir_version;       /**< of the file's format */
  int64_t opset;            /**< of the ops of ONNX; 0: the file names none */
  uint32_t input_count;
  uint32_t output_count;
  char name[128];
  char producer[128];       /**< the program that wrote the file, with its version */
} netcl_model_info;
#define NETCL_MODEL_INFO_INIT { sizeof(netcl_model_info), 0, 0, 0, 0, 0, 0, 0, 0, {0}, {0} }

/**
 * Tells what is in a model.
 * @param[out] info what is in it
 */
NETCL_API netcl_status netcl_model_get_info(const netcl_model *model, netcl_model_info *info);

/** An input or an output of a model, as the file describes it. */
typedef struct netcl_model_value {
  size_t struct_size;
  netcl_dtype dtype;                /**< 0: the file does not say */
  uint32_t has_rank;                /**< @flag the file says the rank; 0: rank is 0 */
  uint32_t rank;
  uint32_t bound;                   /**< @flag an input that the host reads, see above */
  int64_t shape[NETCL_RANK_MAX];    /**< extents; -1: any */
  char name[256];                   /**< cut where it is longer */
  char dimensions[256];             /**< the extents with their names, "[batch, 3, 224, 224]"; "?"
                                         for one without; "" without a rank */
} netcl_model_value;
#define NETCL_MODEL_VALUE_INIT { sizeof(netcl_model_value), 0, 0, 0, 0, {0}, {0}, {0} }

/**
 * Describes an input of a model.
 * @param[out] value what the file says of it
 */
NETCL_API netcl_status netcl_model_get_input(const netcl_model *model, uint32_t index,
                                             netcl_model_value *value);

/**
 * Describes an output of a model.
 * @param[out] value what the file says of it
 */
NETCL_API netcl_status netcl_model_get_output(const netcl_model *model, uint32_t index,
                                              netcl_model_value *value);

/**
 * Finds an input by its name. NOT_FOUND lists the names that there are.
 * @param[out] index its place among the inputs
 */
NETCL_API netcl_status netcl_model_find_input(const netcl_model *model, const char *name,
                                              uint32_t *index);

/**
 * Finds an output by its name. NOT_FOUND lists the names that there are.
 * @param[out] index its place among the outputs
 */
NETCL_API netcl_status netcl_model_find_output(const netcl_model *model, const char *name,
                                               uint32_t *index);

/**
 * Runs a model into tensors that are given, as netcl_graph_run runs a graph made from a function:
 * all inputs and all outputs in their order. INVALID_ARGUMENT names the input where its dtype, its
 * rank or an extent is not what the file says, where two inputs give one named dimension two
 * extents, and the node where an op refuses what it gets. @safe
 */
NETCL_API netcl_status netcl_model_run(netcl_model *model, netcl_tensor *const *inputs,
                                       uint32_t inputs_count, netcl_tensor *const *outputs,
                                       uint32_t outputs_count, const netcl_run_options *run);

/**
 * Runs a model as netcl_model_run does, with new tensors as outputs. `count` receives the number of
 * outputs. A capacity below that runs nothing and tells that alone. @safe
 * @param[out,opt] outputs one reference each; may be NULL when capacity is 0
 * @param[out] count outputs that there are
 */
NETCL_API netcl_status netcl_model_evaluate(netcl_model *model, netcl_tensor *const *inputs,
                                            uint32_t inputs_count, const netcl_run_options *run,
                                            netcl_tensor **outputs, uint32_t capacity,
                                            uint32_t *count);

/**
 * Tells how a model runs: netcl_graph_explain of each form, beginning with the one that was used
 * last.
 * @param[out] buffer the text
 * @param[out,opt] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_model_explain(const netcl_model *model, netcl_graph_format format,
                                           char *buffer, size_t capacity, size_t *length);

/**
 * Tells what is in a file of ONNX, without a device: inputs, outputs, ops with their numbers, and
 * each thing that netcl cannot run with the names of all nodes that need it.
 * @param[out] buffer the text, of lines
 * @param[out,opt] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_model_describe(const char *path, char *buffer, size_t capacity,
                                            size_t *length);

/* ---- Weights --------------------------------------------------------------------------------- */

/*
 * Weights are the named tensors of a file: of safetensors, of GGUF (version 2 or 3, little-endian),
 * or an archive .npz of NumPy, whose members are stored or deflated. Which of them a file is shows
 * in its first bytes. Opening one reads what describes the tensors, at most 100 MB; their elements
 * are read when they are asked for.
 *
 * On CPU devices a tensor looks into the file where that can be (netcl_tensor_info.mapped is 1):
 * nothing is copied, pages are read when they are used, and other processes share them. What is
 * written to such a tensor is this process's own, page by page, and never gets into the file.
 * Meanwhile nobody may write to the file: whether the tensor shows what is written is undefined,
 * and where the file was made shorter, reading the tensor ends the process with SIGBUS. A file may
 * be removed, or replaced by another of its name, as netcl_weights_save does it. Copies have none
 * of this: a file that became shorter is IO when they are made.
 */

/** What a file of weights is. */
typedef int32_t netcl_weights_format;
enum netcl_weights_format_value {
  NETCL_WEIGHTS_SAFETENSORS = 1,
  NETCL_WEIGHTS_GGUF = 2,
  NETCL_WEIGHTS_NPZ = 3
};

/** How weights are opened. */
typedef struct netcl_weights_options {
  size_t struct_size;
  netcl_toggle map;      /**< look into the file where that can be; DEFAULT: ON, OFF: copy always */
  uint32_t reserved;
} netcl_weights_options;
#define NETCL_WEIGHTS_OPTIONS_INIT { sizeof(netcl_weights_options), 0, 0 }

/**
 * Opens a file of named tensors, for tensors of a device. IO where the file cannot be read.
 * CORRUPT_DATA names the tensor and what is wrong with it: a size or place beyond the file, tensors
 * that overlap, in safetensors bytes of no tensor, a name that comes twice, names and keys that are
 * not text of one line, lengths and counts beyond the file. UNSUPPORTED: other versions of GGUF,
 * or more than 100 MB before its tensors, names of more than 255 bytes, more than NETCL_RANK_MAX
 * dimensions, more than 2^20 tensors or values of metadata.
 * @param[out] weights one reference
 */
NETCL_API netcl_status netcl_weights_open(netcl_device *device, const char *path,
                                          const netcl_weights_options *options,
                                          netcl_weights **weights);

/** Adds a reference. */
NETCL_API netcl_status netcl_weights_retain(netcl_weights *weights);
/** Gives a reference back; takes NULL. Tensors that were asked for stay. */
NETCL_API void netcl_weights_release(netcl_weights *weights);

/** What is known of a file of weights. */
typedef struct netcl_weights_info {
  size_t struct_size;
  netcl_weights_format format;
  uint32_t version;          /**< of GGUF; 0 for other formats */
  uint32_t tensor_count;
  uint32_t metadata_count;   /**< keys of __metadata__ of safetensors, key-values of GGUF */
  uint64_t file_bytes;
} netcl_weights_info;
#define NETCL_WEIGHTS_INFO_INIT { sizeof(netcl_weights_info), 0, 0, 0, 0, 0 }

/** Tells what a file of weights is. @param[out] info the facts */
NETCL_API netcl_status netcl_weights_get_info(const netcl_weights *weights,
                                              netcl_weights_info *info);

/** A tensor as its file describes it. */
typedef struct netcl_weights_entry {
  size_t struct_size;
  netcl_dtype dtype;                  /**< of what netcl_weights_get_tensor gives; 0: none */
  netcl_quantization quantization;    /**< Q4_0, Q8_0 or Q4_K of GGUF; 0: none */
  uint32_t rank;
  uint32_t reserved;
  int64_t shape[NETCL_RANK_MAX];      /**< in C order, the slowest first; of weights in blocks that
                                           of the weights */
  uint64_t byte_count;                /**< of the elements in memory; 0 for types of GGUF that this
                                           library does not know */
  char type[32];                      /**< as the format calls it: "BF16", "Q6_K", "<f4" */
  char name[256];
} netcl_weights_entry;
#define NETCL_WEIGHTS_ENTRY_INIT \
  { sizeof(netcl_weights_entry), 0, 0, 0, 0, {0}, 0, {0}, {0} }

/**
 * Describes a tensor of the file. In an .npz the tensors are the members whose names end in .npy,
 * without that ending.
 * @param index from 0 on, in the order of the file
 * @param[out] entry what the file says of it
 */
NETCL_API netcl_status netcl_weights_get_entry(const netcl_weights *weights, uint32_t index,
                                               netcl_weights_entry *entry);

/** Finds a tensor by its name. NOT_FOUND where there is none. @param[out] index its place */
NETCL_API netcl_status netcl_weights_find(const netcl_weights *weights, const char *name,
                                          uint32_t *index);

/**
 * Gives a tensor of the file, each time a new one. Without options->pool and options->share it
 * looks into the file on CPU devices, where its elements lie at a multiple of their size, are not
 * deflated, not of the other byte order and not bool; else it is a copy. Weights in blocks, Q4_0,
 * Q8_0 and Q4_K of GGUF, are u8 [..., N, blocks, bytes of a block] for entry.shape [..., N, K], as
 * netcl_op_matmul_quantized takes them. Arrays of .npz in Fortran's order have its strides. Nothing
 * larger than 64 MiB and 16 times its bytes in the file is allocated before these are read once.
 *
 * UNSUPPORTED, naming the type, where netcl has no dtype for it (entry.dtype is 0), and for members
 * of .npz that are encrypted or packed in another way. IO where the file has become shorter.
 * CORRUPT_DATA where a copied member of .npz does not have the size or the checksum that the file
 * says; those of tensors that look into the file are not checked. @safe
 * @param[out] tensor one reference
 */
NETCL_API netcl_status netcl_weights_get_tensor(const netcl_weights *weights, uint32_t index,
                                                const netcl_tensor_options *options,
                                                netcl_tensor **tensor);

/**
 * Gives a key of the file's metadata. What is no UTF-8 in texts of GGUF becomes U+FFFD.
 * @param index from 0 on, below netcl_weights_info.metadata_count
 * @param[out] buffer the key
 * @param[out,opt] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_weights_get_metadata_key(const netcl_weights *weights, uint32_t index,
                                                      char *buffer, size_t capacity,
                                                      size_t *length);

/**
 * Gives the value of a key of the file's metadata as text. Numbers of GGUF are decimal, truth
 * values "true" or "false", arrays are JSON. NOT_FOUND where the file has no such key.
 * @param[out] buffer the value
 * @param[out,opt] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_weights_get_metadata(const netcl_weights *weights, const char *key,
                                                  char *buffer, size_t capacity, size_t *length);

/** What is written beside the tensors of a file of weights. */
typedef struct netcl_weights_save_options {
  size_t struct_size;
  const char *const *keys;     /**< of metadata, which safetensors alone has: distinct, UTF-8
                                    without control characters */
  const char *const *values;   /**< a text of UTF-8 for each key */
  uint32_t keys_count;
  uint32_t values_count;
} netcl_weights_save_options;
#define NETCL_WEIGHTS_SAVE_OPTIONS_INIT { sizeof(netcl_weights_save_options), NULL, NULL, 0, 0 }

/**
 * Writes tensors under names as a file of safetensors, or as an .npz whose members are stored. The
 * file is replaced as a whole or not at all; elements are in C order and lie at a multiple of their
 * size, so that they can be looked into. Names are distinct, at most 255 bytes, and "__metadata__"
 * is none of safetensors. bf16 is '<V2' in .npz, as in netcl_tensor_save_npy. The waits for pending
 * writes take at most timeout_ns together, with the errors of netcl_tensor_wait. IO where the file
 * cannot be written. GGUF is not written: UNSUPPORTED.
 */
NETCL_API netcl_status netcl_weights_save(const char *path, netcl_weights_format format,
                                          const char *const *names, uint32_t names_count,
                                          netcl_tensor *const *tensors, uint32_t tensors_count,
                                          const netcl_weights_save_options *options,
                                          uint64_t timeout_ns);

/* ---- Groups ---------------------------------------------------------------------------------- */

/*
 * A group is a number of ranks, 0 to size - 1, each with a device. Each rank is one process, or one
 * thread of a process. Processes of one host find each other at a path (netcl_group_join), those of
 * one or several hosts by MPI (netcl_group_create_mpi); several devices of one process are a group
 * by one call (netcl_group_create_local).
 *
 * Collectives. Every rank makes the same calls in the same order, with the same reduction and root;
 * dtypes are equal, and shapes agree as each call says. What differs between the ranks is
 * INVALID_ARGUMENT on every one of them, naming a rank that differs; nothing is written then and
 * the group stays usable. So it is when a call is refused on one rank, which gets its own status,
 * and for extents or counts that add up to more than 2^63 - 1 over the ranks. OUT_OF_DEVICE_MEMORY
 * on all of them, naming a rank, where that has no memory for what NCCL, or the way by memory of
 * the devices, needs beside the tensors.
 * Tensors may have any strides and live on the device of the group's rank. run->into is refused.
 * The same inputs give the same bits for a given size of the group: elements are joined in the
 * order of the ranks. NCCL has an order of its own for sums and products of f32 and f64, which is
 * the same each time too.
 *
 * Graphs. all_reduce, broadcast, all_gather, reduce_scatter and all_to_all are recorded where
 * run->graph is set; others are INVALID_ARGUMENT then. Every rank records the same calls, compiles
 * them, and makes the same runs: each run makes them anew, in the order in which they were
 * recorded, also where one rank needs nothing of what a call gives, and waits as they do. A graph
 * with other calls of a group on one rank is INVALID_ARGUMENT. A capture meets no other rank while
 * it is recorded and compiled. Where a run or netcl_graph_add_gradients fails on one rank, the
 * calls that it did not come to are INVALID_ARGUMENT on the others, and what a run was to write is
 * undefined; but for handles, counts and options that are refused, a graph that is not compiled,
 * and one made from a function that fails while it is recorded or compiled, for which they wait
 * until the timeout. Where ranks do not come to the calls of several groups, they are waited for
 * together then, for one timeout. The output of a call is a tensor with memory, which each run
 * writes, or a value of the capture. A graph keeps the groups of its calls: until it is cleared or
 * released too, a rank has not gone. No other thread uses a group while a graph with its calls
 * runs.
 *
 * Gradients are those of the sum of the outputs of all ranks: each rank has its own outputs and
 * seeds, and what a rank gave gets the gradients of all whom it reached. So every rank makes the
 * same netcl_graph_add_gradients, and on all of them, or on none, an output depends on what a call
 * gave, of a broadcast's root on its tensor; a rank that needs nothing of it takes it as an output
 * with seeds of 0. The gradient is a call as well: of all_reduce, sum or mean, the same; of
 * all_gather a reduce_scatter of sums; of reduce_scatter, sum or mean, an all_gather; of all_to_all
 * with equal parts the same; of broadcast an all_reduce of sums, which the gradient of the root's
 * tensor gets: the root keeps its tensor, the others have another value in it from then on. A
 * gradient by a broadcast has none itself, nor have all_to_all with counts and other reductions:
 * UNSUPPORTED where one is asked for.
 *
 * Waiting. A call waits for what is enqueued before it on its tensors and for the other ranks, and
 * returns when this rank's part is done; run->event is that of its last command. So a thread calls
 * for one rank alone, and the ranks' tensors do not share memory. Several threads of a rank may
 * make calls for several groups at a time. Those do not wait for each other where their tensors
 * have no byte in common, each taken from its lowest element in memory to its highest. Calls on the
 * same bytes do, so they come in the same order on all ranks: else they wait for each other until
 * the timeout, and the message says so. By NCCL, long messages of two groups come in the same order
 * on all ranks whatever their bytes.
 *
 * Failure. A rank that does not come within the timeout, dies, or is released while others wait
 * for it ends their calls: with TIMEOUT or RANK_LOST and a message that names it. What was to be
 * written is undefined then; the group is unusable for good on all ranks, and each further call
 * fails with that status and message.
 */

/** Largest number of ranks of a group. */
#define NETCL_GROUP_SIZE_MAX 64

/** Every process of an MPI program, as a communicator of netcl_group_create_mpi. */
#define NETCL_MPI_WORLD 0x100000000

/** How the bytes of a group go from rank to rank. */
typedef int32_t netcl_group_transport;
enum netcl_group_transport_value {
  NETCL_GROUP_TRANSPORT_AUTO = 0,           /**< PEER_MEMORY where every rank has a GPU of CUDA that
                                                 reaches the others; else NCCL where each has one of
                                                 its own and libnccl.so.2 (NETCL_NCCL_LIBRARY names
                                                 another file); else memory of the host where all
                                                 share one, else MPI. The log tells why where one of
                                                 the first two is there and does not begin */
  NETCL_GROUP_TRANSPORT_SHARED_MEMORY = 1,  /**< of the host */
  NETCL_GROUP_TRANSPORT_MPI = 2,            /**< netcl_group_create_mpi alone */
  NETCL_GROUP_TRANSPORT_NCCL = 3,           /**< of messages from 1 MiB of any rank on; the ranks
                                                 meet, and shorter ones go, through the host.
                                                 Without it: UNSUPPORTED naming a rank and what it
                                                 lacks, on all ranks */
  NETCL_GROUP_TRANSPORT_PEER_MEMORY = 4     /**< of messages from 64 KiB of any rank on: the devices
                                                 of one host read each other's memory. GPUs of CUDA
                                                 do where the driver lets them, and CPU devices of
                                                 OpenCL. For all ranks, and for each two that send
                                                 to each other, a rank has a room of 2 to 128 MiB,
                                                 which grows with the messages, and a descriptor for
                                                 the room of each. Where a rank has no memory for
                                                 its first room a call, or the group or part that
                                                 is made, is OUT_OF_DEVICE_MEMORY on all, naming it;
                                                 later ones go in smaller pieces. Otherwise
                                                 UNSUPPORTED as NCCL */
};

typedef struct netcl_group_options {
  size_t struct_size;
  uint64_t timeout_ns;  /**< the longest that a rank waits for another; 0: 60 seconds */
  netcl_group_transport transport;
  uint32_t reserved;    /**< must be 0 */
} netcl_group_options;
#define NETCL_GROUP_OPTIONS_INIT { sizeof(netcl_group_options), 0, 0, 0 }

/** What a group is, as one of its ranks sees it. */
typedef struct netcl_group_info {
  size_t struct_size;
  uint32_t rank;
  uint32_t size;
  netcl_status failure;  /**< what made the group unusable; 0 while it is usable */
  netcl_group_transport transport;  /**< the one that it has: never AUTO */
  uint64_t timeout_ns;
  uint64_t calls;        /**< collectives that this rank has begun, those among them that a rank
                              refused, sends and receives left out: while a group is usable,
                              ranks at the same place of the program have the same number */
} netcl_group_info;
#define NETCL_GROUP_INFO_INIT { sizeof(netcl_group_info), 0, 0, 0, 0, 0, 0 }

/**
 * Makes one rank of a group that meets at a path: rank 0 makes a socket of that name and removes it
 * when all have come. All give the same path and size, each its own rank, in any order; a process
 * may join as several ranks, from a thread each, which may have the same device. The folder is made
 * where it is missing; it must belong to this user, and nobody else may write it, else IO, as for a
 * socket of another user. BUSY for rank 0 where another group meets there. TIMEOUT naming the ranks
 * that did not come. INVALID_ARGUMENT for a rank that is not below size; on all ranks that have
 * come for one that comes twice and one with another size or transport.
 * @param path absolute, at most 100 bytes
 * @param index the rank
 * @param[out] group one reference
 */
NETCL_API netcl_status netcl_group_join(netcl_device *device, const char *path, uint32_t index,
                                        uint32_t size, const netcl_group_options *options,
                                        netcl_group **group);

/**
 * Makes a group of several devices of this process: rank k has devices[k], and groups[k] is that
 * rank. What holds for ranks that joined at a path holds for these, and nothing is made in the file
 * system. As each call waits for the other ranks, each rank has a thread of its own.
 * INVALID_ARGUMENT for no devices, for more than NETCL_GROUP_SIZE_MAX, and where two of them are
 * one device, naming both: two ranks of one piece of hardware have devices that were opened with
 * separate = 1. IO where the n (n - 1) descriptors that n ranks take are too many;
 * with PEER_MEMORY n ranks take n * n more.
 * @param[out,count=devices] groups one reference each, devices_count entries
 */
NETCL_API netcl_status netcl_group_create_local(netcl_device *const *devices,
                                                uint32_t devices_count,
                                                const netcl_group_options *options,
                                                netcl_group **groups);

/**
 * Makes this process one rank of a group of all processes of an MPI communicator, which keep their
 * ranks. All of them make the call, with the same transport; the communicator is copied and may be
 * freed later. The program initialises MPI. What follows is for this call, and for those of a group
 * whose ranks are on several hosts or that was asked for with NETCL_GROUP_TRANSPORT_MPI: they come
 * before MPI_Finalize; without MPI_THREAD_SERIALIZED they come on the thread that initialised MPI,
 * else they are INVALID_ARGUMENT; and without MPI_THREAD_MULTIPLE no other thread is in a call of
 * MPI meanwhile. UNSUPPORTED naming the file where libnetcl-mpi.so cannot be opened
 * (NETCL_MPI_LIBRARY names another), and for SHARED_MEMORY where the ranks are on several hosts.
 * INVALID_ARGUMENT where MPI is not initialised or has been finalised, for a number that is no
 * communicator (where MPI can tell), one between two groups, and one with more than
 * NETCL_GROUP_SIZE_MAX processes; on all ranks where their transports differ. TIMEOUT where a
 * process does not come; no more groups can be made of that communicator then. MPI tells nobody of
 * a rank that dies: where ranks exchange messages, the others get TIMEOUT.
 * @param communicator what MPI_Comm_c2f gives, or NETCL_MPI_WORLD
 * @param[out] group one reference
 */
NETCL_API netcl_status netcl_group_create_mpi(netcl_device *device, int64_t communicator,
                                              const netcl_group_options *options,
                                              netcl_group **group);

/**
 * Makes groups of the ranks with the same colour, in their order. All ranks make the call with the
 * same colours.
 * @param colors one of each rank: as many as the group has ranks
 * @param[out] part one reference: this rank in the group of its colour
 */
NETCL_API netcl_status netcl_group_split(netcl_group *group, const uint32_t *colors,
                                         uint32_t colors_count, netcl_group **part);

/** Adds a reference. */
NETCL_API netcl_status netcl_group_retain(netcl_group *group);
/** Gives a reference back; takes NULL. */
NETCL_API void netcl_group_release(netcl_group *group);

/**
 * Gives the facts of a group.
 * @param[out] info the facts
 */
NETCL_API netcl_status netcl_group_get_info(const netcl_group *group, netcl_group_info *info);

/**
 * Gives the device of this rank.
 * @param[out] device one reference
 */
NETCL_API netcl_status netcl_group_get_device(const netcl_group *group, netcl_device **device);

/**
 * Tells what device rank `index` has, as its process sees it. INVALID_ARGUMENT where the group has
 * no such rank.
 * @param[out] info the identity of the device
 */
NETCL_API netcl_status netcl_group_describe_device(const netcl_group *group, uint32_t index,
                                                   netcl_device_info *info);

/**
 * Tells what failed: status and message of what made the group unusable, all zero while it is
 * usable.
 * @param[out] info status and message
 */
NETCL_API netcl_status netcl_group_get_error(const netcl_group *group, netcl_error_info *info);

/** Waits until all ranks have made this call. */
NETCL_API netcl_status netcl_group_barrier(netcl_group *group, const netcl_run_options *run);

/**
 * Joins the inputs of all ranks element by element: SUM, PROD, MIN, MAX, and MEAN of floats; others
 * are INVALID_ARGUMENT. f16 and bf16 are computed in f32 and rounded once at the end, f32 and f64
 * in themselves; integers wrap around, NaN wins in MIN and MAX; of bool SUM and MAX are or, PROD
 * and MIN are and. Error of a sum of n ranks: at most (n - 1) eps times the sum of absolute values.
 * Shapes and dtypes of inputs and outputs of all ranks are equal. `output` may be `input`, else
 * they share no memory.
 */
NETCL_API netcl_status netcl_group_all_reduce(netcl_group *group, netcl_tensor *input,
                                              netcl_tensor *output, netcl_reduction kind,
                                              const netcl_run_options *run);

/**
 * As netcl_group_all_reduce, for the output of rank `root` alone.
 * @param[opt] output may be NULL on the other ranks, where it is not written
 */
NETCL_API netcl_status netcl_group_reduce(netcl_group *group, netcl_tensor *input,
                                          netcl_tensor *output, netcl_reduction kind,
                                          uint32_t root, const netcl_run_options *run);

/** Gives the elements of rank `root`'s tensor to those of all ranks, which have its shape. */
NETCL_API netcl_status netcl_group_broadcast(netcl_group *group, netcl_tensor *tensor,
                                             uint32_t root, const netcl_run_options *run);

/**
 * Puts the inputs of all ranks one behind the other along the first dimension, in which they may
 * differ; the output has the sum of their extents there. Rank 1 at least.
 */
NETCL_API netcl_status netcl_group_all_gather(netcl_group *group, netcl_tensor *input,
                                              netcl_tensor *output, const netcl_run_options *run);

/**
 * As netcl_group_all_gather, for the output of rank `root` alone.
 * @param[opt] output may be NULL on the other ranks, where it is not written
 */
NETCL_API netcl_status netcl_group_gather(netcl_group *group, netcl_tensor *input,
                                          netcl_tensor *output, uint32_t root,
                                          const netcl_run_options *run);

/**
 * Parts the input of rank `root` along the first dimension, in the order of the ranks: each gets as
 * many entries as its output has there.
 * @param[opt] input may be NULL on the other ranks, where it is not read
 */
NETCL_API netcl_status netcl_group_scatter(netcl_group *group, netcl_tensor *input,
                                           netcl_tensor *output, uint32_t root,
                                           const netcl_run_options *run);

/**
 * Joins the inputs of all ranks as netcl_group_all_reduce does, and parts the result along the
 * first dimension: each rank gets as many entries as its output has there.
 */
NETCL_API netcl_status netcl_group_reduce_scatter(netcl_group *group, netcl_tensor *input,
                                                  netcl_tensor *output, netcl_reduction kind,
                                                  const netcl_run_options *run);

/**
 * Parts every rank's input along the first dimension; part k goes to rank k, where the parts lie in
 * the order of the ranks that they came from. The output has as many entries as come.
 * @param[opt] counts the extents of the parts, one for each rank; may be NULL: equal ones
 */
NETCL_API netcl_status netcl_group_all_to_all(netcl_group *group, netcl_tensor *input,
                                              const int64_t *counts, uint32_t counts_count,
                                              netcl_tensor *output, const netcl_run_options *run);

/**
 * Sends a tensor to another rank, which calls netcl_group_receive for one of the same shape and
 * dtype. Ends when it was received; ranks that exchange tensors take turns, or call
 * netcl_group_all_to_all. Sends and receives may stand anywhere between the collectives of other
 * ranks. A shape or dtype that differs is INVALID_ARGUMENT on both.
 */
NETCL_API netcl_status netcl_group_send(netcl_group *group, netcl_tensor *tensor, uint32_t peer,
                                        const netcl_run_options *run);

/** Receives a tensor from another rank; see netcl_group_send. */
NETCL_API netcl_status netcl_group_receive(netcl_group *group, netcl_tensor *tensor, uint32_t peer,
                                           const netcl_run_options *run);

/* ---- Reducers -------------------------------------------------------------------------------- */

/*
 * A reducer joins gradients over the ranks of a group while the graph that works them out goes on,
 * for training in which each rank has the whole network and a part of each batch. It is given to
 * netcl_graph_add_gradients as options->reducer. A gradient goes to a bucket when the last call
 * that works on it has been enqueued; a bucket of options->bucket_bytes is joined by a thread of
 * the reducer, in the place of the gradients, and netcl_reducer_wait waits for all of them. One
 * with so many bytes is a bucket by itself. What a gradient gets is what netcl_group_all_reduce of
 * it would give, bit for bit; where NCCL joins sums of f32 and f64, bits depend on where in its
 * bucket a gradient lies. While a bucket of several gradients is joined it takes as much memory
 * again. Two ranks that go by peer memory keep rooms for gradients, of as many bytes as the runs
 * before gave, rounded up to a power of two, from 2 to 496 MiB: gradients that have a place there
 * go to the other GPU beside the kernels of the run. A GPU has two such rooms, a CPU device one.
 * What is in them is joined by commands that go to the queue of the run until netcl_reducer_wait
 * ends; what others enqueue there before that must not wait for what comes after it.
 *
 * Runs. A netcl_graph_run of a capture with such gradients, or a netcl_graph_add_gradients of a
 * tape, is a run of the reducer. Each is followed by netcl_reducer_wait, also when it failed; until
 * then gradients are undefined, nobody else uses them, and another run, of whatever graph, is BUSY
 * before it does anything, which is a run that fails. Every rank makes the same runs in the same
 * order. A call that is refused for its handles, counts or options has begun none, nor has a graph
 * made from a function that fails while it is recorded or compiled: the others wait for that rank
 * until the timeout. netcl_graph_compile on all ranks before the first run finds such failures. A
 * run that fails on one rank, and gradients whose shapes, dtypes, order or number differ between
 * the ranks, are INVALID_ARGUMENT from netcl_reducer_wait on the others, and the reducer goes on;
 * what gradients hold is undefined then. What makes a group unusable makes the reducer so, and not
 * the group that it was made from: each further run fails with that status and message.
 *
 * Captures. A gradient is an output of the compiled graph, or lies in options->into; else
 * netcl_graph_compile is INVALID_ARGUMENT, and so it is when a call behind
 * netcl_graph_add_gradients reads or writes a gradient, of which it would see this rank's part
 * alone, or when another output has some of its elements. What uses gradients comes after
 * netcl_reducer_wait.
 */

/** How a reducer joins gradients. */
typedef struct netcl_reducer_options {
  size_t struct_size;
  uint64_t bucket_bytes;  /**< a bucket with so many is full; 0: 4 MiB */
  netcl_reduction kind;   /**< SUM or MEAN; 0: MEAN */
  uint32_t reserved;      /**< must be 0 */
} netcl_reducer_options;
#define NETCL_REDUCER_OPTIONS_INIT { sizeof(netcl_reducer_options), 0, 0, 0 }

/** What a reducer is, and what it has done. */
typedef struct netcl_reducer_info {
  size_t struct_size;
  uint64_t bucket_bytes;  /**< with which a bucket is full */
  uint64_t runs;          /**< that have begun */
  uint64_t gradients;     /**< that runs have given to it */
  uint64_t buckets;       /**< that are joined */
  uint64_t bytes;         /**< of the gradients in them */
  netcl_reduction kind;
  uint32_t waiting;       /**< @flag the last run was not waited for yet */
  uint64_t room_bytes;    /**< of `bytes`, those that went by rooms of two ranks */
} netcl_reducer_info;
#define NETCL_REDUCER_INFO_INIT { sizeof(netcl_reducer_info), 0, 0, 0, 0, 0, 0, 0, 0 }

/**
 * Makes a reducer for this rank. All ranks make the call, as they make netcl_group_split: the
 * reducer has a part of the group to itself, with the group's timeout, so that its calls and those
 * of the group do not meet. Options that differ between the ranks are INVALID_ARGUMENT on all of
 * them. By messages of MPI its thread calls MPI, which takes MPI_THREAD_SERIALIZED at least, else
 * INVALID_ARGUMENT, and is as another thread that calls; see netcl_group_create_mpi.
 * @param[out] reducer one reference
 */
NETCL_API netcl_status netcl_reducer_create(netcl_group *group,
                                            const netcl_reducer_options *options,
                                            netcl_reducer **reducer);

/** Adds a reference. */
NETCL_API netcl_status netcl_reducer_retain(netcl_reducer *reducer);
/**
 * Gives a reference back; takes NULL. Graphs that give it gradients have references of their own.
 * When the last one goes while a run is not waited for, the run ends where it is: for the other
 * ranks this one is lost.
 */
NETCL_API void netcl_reducer_release(netcl_reducer *reducer);

/**
 * Tells what a reducer is and has done.
 * @param[out] info what it has done up to now
 */
NETCL_API netcl_status netcl_reducer_get_info(const netcl_reducer *reducer,
                                              netcl_reducer_info *info);

/**
 * Waits until the gradients of the last run are joined and lie in their tensors, and gives what
 * failed: on this rank, or on another one, as a call of the group would; what made the run fail is
 * given once more. Nothing to wait for is NETCL_OK. The wait ends by itself: no rank waits longer
 * for another than the group's timeout, with TIMEOUT or RANK_LOST and a message that names it.
 * TIMEOUT after timeout_ns, too: then the wait can be made again. @safe
 */
NETCL_API netcl_status netcl_reducer_wait(netcl_reducer *reducer, uint64_t timeout_ns);

/* ---- Sharded tensors ------------------------------------------------------------------------- */

/*
 * A sharded tensor is one tensor over a group, of which each rank has a block in the memory of its
 * device. The ranks form a mesh of up to NETCL_MESH_RANK_MAX dimensions; those of the last one are
 * neighbours in number, as elements in C order. Each dimension of the mesh either splits an axis of
 * the tensor or replicates: the ranks along it have the same block. Part i of an axis of n entries
 * that is split in p has the entries from n * i / p to before n * (i + 1) / p, rounded down; n is
 * at least p. An axis is split by one dimension of the mesh at most.
 *
 * Calls. Every rank makes the same calls with the same arguments, each with its own handles, as
 * with collectives; what is said of those under "Groups" holds for these: waiting, failure, and
 * what one rank refuses is INVALID_ARGUMENT on the others. netcl_sharded_expression_text, softmax,
 * layernorm and rmsnorm move nothing and wait for nobody; in all others that make something the
 * ranks meet and compare what they ask for. run->graph is refused, and run->into but for
 * netcl_sharded_exchange_halo; run->event is that of the last command of this rank. Results have
 * blocks of their own. Where blocks do not fit, a call is INVALID_ARGUMENT: it moves nothing on its
 * own account. The first call that joins the ranks along some dimensions of a mesh makes a part of
 * the group for them, which stays as long as the group.
 */

/** Largest number of dimensions of a mesh. */
#define NETCL_MESH_RANK_MAX 3
/** In place of an axis: the ranks along a dimension of the mesh have the same block. */
#define NETCL_REPLICATED (-1)

/** How a tensor lies on the ranks of a group. */
typedef struct netcl_sharding_options {
  size_t struct_size;
  const uint32_t *mesh;  /**< extents whose product is the size of the group; mesh_count 0: one
                              dimension of all ranks */
  const int32_t *axes;   /**< for each dimension of the mesh the axis that it splits, not counted
                              from the end, or NETCL_REPLICATED; axes_count 0: dimension d splits
                              axis d */
  uint32_t mesh_count;
  uint32_t axes_count;
} netcl_sharding_options;
#define NETCL_SHARDING_OPTIONS_INIT { sizeof(netcl_sharding_options), NULL, NULL, 0, 0 }

/** What a sharded tensor is, as one of its ranks sees it. */
typedef struct netcl_sharded_info {
  size_t struct_size;
  netcl_dtype dtype;
  uint32_t rank;                      /**< of the tensor */
  int64_t shape[NETCL_RANK_MAX];      /**< of the whole */
  uint32_t mesh_rank;                 /**< dimensions of the mesh */
  uint32_t mesh[NETCL_MESH_RANK_MAX];
  int32_t axes[NETCL_MESH_RANK_MAX];  /**< what they split, or NETCL_REPLICATED */
  uint32_t reserved;                  /**< 0 */
} netcl_sharded_info;
#define NETCL_SHARDED_INFO_INIT { sizeof(netcl_sharded_info), 0, 0, {0}, 0, {0}, {0}, 0 }

/** Where in the whole the block of a rank lies. */
typedef struct netcl_block_info {
  size_t struct_size;
  int64_t first[NETCL_RANK_MAX];   /**< index of its first element */
  int64_t shape[NETCL_RANK_MAX];
} netcl_block_info;
#define NETCL_BLOCK_INFO_INIT { sizeof(netcl_block_info), {0}, {0} }

/**
 * Tells which block rank `index` of the group has of a tensor that lies so. It asks no other rank.
 * @param[out] info its place
 */
NETCL_API netcl_status netcl_group_describe_block(const netcl_group *group, uint32_t index,
                                                  uint32_t rank, const int64_t *shape,
                                                  const netcl_sharding_options *options,
                                                  netcl_block_info *info);

/**
 * Makes a sharded tensor of the blocks that the ranks have: `block` is this rank's, of the shape
 * that netcl_group_describe_block gives; nothing is copied. Shape, dtype and sharding are equal on
 * all ranks.
 * @param block any strides, each element in a place of its own; stays in use
 * @param shape of the whole
 * @param[out] sharded one reference
 */
NETCL_API netcl_status netcl_sharded_create(netcl_group *group, netcl_tensor *block, uint32_t rank,
                                            const int64_t *shape,
                                            const netcl_sharding_options *options,
                                            netcl_sharded **sharded);

/**
 * Makes a sharded tensor of one that rank `root` has: each rank gets its block from there.
 * @param[opt] whole may be NULL on the other ranks, where it is not read
 * @param[out] sharded one reference
 */
NETCL_API netcl_status netcl_sharded_create_from_root(netcl_group *group, netcl_tensor *whole,
                                                      uint32_t root,
                                                      const netcl_sharding_options *options,
                                                      const netcl_run_options *run,
                                                      netcl_sharded **sharded);

/** Adds a reference. */
NETCL_API netcl_status netcl_sharded_retain(netcl_sharded *sharded);
/** Gives a reference back; takes NULL. */
NETCL_API void netcl_sharded_release(netcl_sharded *sharded);

/**
 * Gives the facts of a sharded tensor.
 * @param[out] info the facts
 */
NETCL_API netcl_status netcl_sharded_get_info(const netcl_sharded *sharded,
                                              netcl_sharded_info *info);

/**
 * Gives the block of this rank, whose memory it shares: what is written there is written to the
 * sharded tensor. @safe
 * @param[out] block one reference
 */
NETCL_API netcl_status netcl_sharded_get_block(const netcl_sharded *sharded, netcl_tensor **block);

/**
 * Tells in words how a sharded tensor lies on the ranks, and what went between them to make it: the
 * collectives, among how many ranks and how many bytes; then the same of the last
 * netcl_sharded_exchange_halo of it.
 * @param[out] buffer the text, a line for each
 * @param[out,opt] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_sharded_explain(const netcl_sharded *sharded, char *buffer,
                                             size_t capacity, size_t *length);

/**
 * Gives the same tensor with another sharding of the same group: each rank sends each other what
 * that needs of its block, and takes nothing from others that it has. Replicating needs memory for
 * the whole twice. To where ranks have all they need nothing is sent.
 * @param[out] result one reference
 */
NETCL_API netcl_status netcl_sharded_redistribute(netcl_sharded *x,
                                                  const netcl_sharding_options *options,
                                                  const netcl_run_options *run,
                                                  netcl_sharded **result);

/**
 * Puts the blocks together in a tensor of rank `root`, which has the shape and dtype of the whole
 * and shares no memory with the block there.
 * @param[opt] output may be NULL on the other ranks, where it is not written
 */
NETCL_API netcl_status netcl_sharded_gather(netcl_sharded *x, netcl_tensor *output, uint32_t root,
                                            const netcl_run_options *run);

/**
 * Evaluates an expression as netcl_op_expression_text does, each rank for its block: nothing is
 * sent. Inputs that are split lie on one mesh and split the same axes of the result by the same
 * dimensions; replicated ones lie on any mesh, and each rank takes the part that it needs. The
 * result is split as the inputs are. At least one input.
 * @param[out] result one reference
 */
NETCL_API netcl_status netcl_sharded_expression_text(const char *text,
                                                     netcl_sharded *const *inputs,
                                                     uint32_t inputs_count,
                                                     const netcl_expression_options *options,
                                                     const netcl_run_options *run,
                                                     netcl_sharded **result);

/**
 * Reduces over axes as netcl_op_reduce does. Along axes that are not split nothing is sent. Along
 * split ones each rank reduces its block and an all_reduce joins them; the result is replicated
 * along those dimensions of the mesh. That is for SUM, MEAN, PROD, MAX, MIN, L1, L2, SUM_SQUARE,
 * LOG_SUM, ANY and ALL; others are UNSUPPORTED there. f16 and bf16 are joined in f32 and rounded
 * once. Error: that of netcl_op_reduce plus (ranks - 1) eps times the sum of absolute values.
 * @param[out] result one reference
 */
NETCL_API netcl_status netcl_sharded_reduce(netcl_sharded *x, netcl_reduction kind,
                                            const netcl_reduce_options *options,
                                            const netcl_run_options *run, netcl_sharded **result);

/**
 * netcl_op_softmax of each block, along an axis that is not split; INVALID_ARGUMENT for one that
 * is. Nothing is sent.
 * @param[out] result one reference
 */
NETCL_API netcl_status netcl_sharded_softmax(netcl_sharded *x, int32_t axis,
                                             const netcl_run_options *run, netcl_sharded **result);

/**
 * netcl_op_layernorm of each block, over axes from `axis` on, none of which is split;
 * INVALID_ARGUMENT where one is, and where statistics are asked for. Scale and bias are the same on
 * all ranks. Nothing is sent.
 * @param[out] result one reference
 */
NETCL_API netcl_status netcl_sharded_layernorm(netcl_sharded *x, int32_t axis,
                                               const netcl_norm_options *options,
                                               const netcl_run_options *run,
                                               netcl_sharded **result);

/**
 * netcl_op_rmsnorm of each block; else as netcl_sharded_layernorm.
 * @param[out] result one reference
 */
NETCL_API netcl_status netcl_sharded_rmsnorm(netcl_sharded *x, int32_t axis,
                                             const netcl_norm_options *options,
                                             const netcl_run_options *run, netcl_sharded **result);

/**
 * Matrix product of a [..., M, K] and b [K, N], both on one mesh. What each dimension of the mesh
 * does with them tells what is sent along it:
 *
 *   a           b           result      sent
 *   whole       whole       whole       nothing
 *   rows        whole       rows        nothing; rows are all axes of a but the last
 *   whole       columns     columns     nothing
 *   depth       depth       whole       the products of all ranks are added up by all_reduce
 *   depth       whole       whole       the same; each rank uses its part of b
 *   whole       depth       whole       the same
 *   rows        depth       rows        panels of b, each from the rank that has it (broadcast)
 *   depth       columns     columns     panels of a
 *
 * Rows of a with columns of b on one dimension is INVALID_ARGUMENT. Both split in rows and columns
 * by two dimensions is SUMMA (van de Geijn and Watts, 1997): no rank ever has more of the others'
 * blocks than a panel of each. f16 and bf16 are added up in f32 and rounded once. Error as
 * netcl_op_matmul. options->epilogue, has_scale, and the zero points are refused.
 * @param[out] result one reference
 */
NETCL_API netcl_status netcl_sharded_matmul(netcl_sharded *a, netcl_sharded *b,
                                            const netcl_matmul_options *options,
                                            const netcl_run_options *run, netcl_sharded **result);

typedef struct netcl_halo_options {
  size_t struct_size;
  double value;       /**< of elements outside of the whole; as netcl_op_cast converts it */
  uint32_t periodic;  /**< @flag outside of the whole it begins again; pads are at most extents */
  uint32_t reserved;
} netcl_halo_options;
#define NETCL_HALO_OPTIONS_INIT { sizeof(netcl_halo_options), 0.0, 0, 0 }

/**
 * Gives the block of this rank with what lies around it, corners included, for stencils and
 * convolutions: pads has the entries before the block along every axis, then those behind it (2
 * rank entries, not negative). They come from the ranks that have them, however many that takes;
 * what lies outside of the whole has a value of its own, or is periodic. What an op without padding
 * makes of the result is a block of its result over the group, of which netcl_sharded_create makes
 * a sharded tensor. @safe
 * @param[out,opt] result one reference; may be NULL when run->into is set
 */
NETCL_API netcl_status netcl_sharded_exchange_halo(netcl_sharded *x, const int64_t *pads,
                                                   uint32_t pads_count,
                                                   const netcl_halo_options *options,
                                                   const netcl_run_options *run,
                                                   netcl_tensor **result);

/* ==== Measuring =============================================================================== */

/* ---- Timing ---------------------------------------------------------------------------------- */

/** Why a measurement or a tuning run ended. */
typedef int32_t netcl_stop_reason;
enum netcl_stop_reason_value {
  NETCL_STOP_RUNNING = 0,      /**< it has not */
  NETCL_STOP_COUNT = 1,        /**< as many samples or candidates as asked for */
  NETCL_STOP_CONFIDENCE = 2,   /**< the confidence interval is as narrow as asked for */
  NETCL_STOP_BUDGET = 3,       /**< the time is used up */
  NETCL_STOP_ROOFLINE = 4,     /**< the best is at the roofline, confirmed twice */
  NETCL_STOP_CONVERGED = 5,    /**< the last rounds brought no improvement */
  NETCL_STOP_EXHAUSTED = 6,    /**< nothing is left to try */
  NETCL_STOP_CANCELLED = 7
};

/** What became of a candidate kernel that was benchmarked or tuned. */
typedef int32_t netcl_outcome;
enum netcl_outcome_value {
  NETCL_OUTCOME_UNKNOWN = 0,      /**< not tried */
  NETCL_OUTCOME_CORRECT = 1,
  NETCL_OUTCOME_CONSTRAINTS = 2,  /**< its work size does not fit the kernel or the device */
  NETCL_OUTCOME_COMPILE = 3,      /**< it does not compile */
  NETCL_OUTCOME_RUNTIME = 4,      /**< the driver refused or failed a launch */
  NETCL_OUTCOME_CORRECTNESS = 5,  /**< an output differs from the reference */
  NETCL_OUTCOME_GUARD = 6,        /**< it wrote outside its arguments, or to an input */
  NETCL_OUTCOME_TIMEOUT = 7,      /**< compiling took too long */
  NETCL_OUTCOME_HANG = 8,         /**< a run did not end in time */
  NETCL_OUTCOME_CRASH = 9,        /**< its process died or lost the device */
  NETCL_OUTCOME_SLOW = 10,        /**< cut short: clearly slower than the best */
  NETCL_OUTCOME_CANCELLED = 11
};

/** Which time of a sample counts. */
typedef int32_t netcl_time_source;
enum netcl_time_source_value {
  NETCL_TIME_DEVICE_BUSY = 0,  /**< union of the times in which the device ran the commands */
  NETCL_TIME_DEVICE_SPAN = 1,  /**< from the start of the first to the end of the last command */
  NETCL_TIME_HOST = 2          /**< the host's clock, from before the first to completion */
};

typedef struct netcl_measurement_options {
  size_t struct_size;
  uint64_t warmup_count;    /**< runs before the first sample; 0: 3 */
  uint64_t warmup_ns;       /**< and at least this long; 0: 25 ms, unless count is set */
  uint64_t count;           /**< exactly this many samples; 0: by the rules below */
  uint64_t count_least;     /**< 0: 10 */
  uint64_t count_most;      /**< 0: 100000 */
  uint64_t budget_ns;       /**< may end it before count_least; 0: 1 s per candidate */
  double confidence;        /**< wanted of the interval; 0: 0.95 */
  double precision;         /**< half width over the median at which it is enough, once the
                                 interval has that confidence; 0: 0.005 */
  uint64_t flush_bytes;     /**< cold caches: written before a sample; 0: 256 MiB or 4 caches */
  uint64_t seed;            /**< of the order in which candidates take turns */
  uint32_t candidates;      /**< things that are compared; 0: 1 */
  uint32_t cold_cache;      /**< @flag flush the device's caches before each sample */
  netcl_time_source source;
  uint32_t reserved;
  netcl_measurement **measurement;  /**< calls that measure to the end: receives one reference to
                                         the measurement, which has the samples */
} netcl_measurement_options;
#define NETCL_MEASUREMENT_OPTIONS_INIT \
  { sizeof(netcl_measurement_options), 0, 0, 0, 0, 0, 0, 0.0, 0.0, 0, 0, 0, 0, 0, 0, NULL }

/** Statistics of samples, times in nanoseconds for one iteration. */
typedef struct netcl_statistics {
  size_t struct_size;
  uint64_t count;             /**< samples */
  double median;
  double mean;
  double deviation;           /**< of the sample (n - 1); 0 for one sample */
  double min;
  double max;
  double quartile_low;        /**< quartiles interpolate between samples (Hyndman, Fan, type 7) */
  double quartile_high;
  double interval_low;        /**< interval of the median, from order statistics */
  double interval_high;
  double confidence;          /**< probability that the interval holds the true median: at least
                                   what was wanted, less where the samples are too few for that
                                   (0.95 takes 6): 0 for 1 sample, 0.75 for 3 */
  uint64_t iterations;        /**< runs per sample: more than 1 where the clock is coarse */
  uint64_t warmup_count;      /**< runs before the first sample */
  uint64_t resolution_ns;     /**< of the clock */
  double bytes;               /**< declared by the ops of one iteration; 0: none */
  double bytes_written;       /**< the part of bytes that is written */
  double operations;          /**< declared by the ops of one iteration; 0: none */
  netcl_dtype dtype;          /**< in which the operations are done; 0: unknown, or several */
  netcl_stop_reason stop;
  uint32_t cold_cache;        /**< @flag caches were flushed before samples */
  uint32_t flush_proven;      /**< @flag a probe showed that flushing makes reads slower here */
  uint32_t matrix_units;      /**< @flag some of the operations are declared for matrix units */
  uint32_t reserved;
} netcl_statistics;
#define NETCL_STATISTICS_INIT \
  { sizeof(netcl_statistics), 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0.0, \
    0.0, 0.0, 0, 0, 0, 0, 0, 0 }

typedef int32_t netcl_verdict;
enum netcl_verdict_value {
  NETCL_VERDICT_UNCLEAR = 0,
  NETCL_VERDICT_SAME = 1,      /**< the interval of the ratio lies within 1 +- precision */
  NETCL_VERDICT_FASTER = 2,    /**< the first is faster: the interval lies below 1 */
  NETCL_VERDICT_SLOWER = 3
};

/** How the times of two candidates compare. */
typedef struct netcl_comparison {
  size_t struct_size;
  double ratio;                /**< median of the first over median of the second */
  double interval_low;         /**< bootstrap interval of the ratio (percentiles, seeded) */
  double interval_high;
  netcl_verdict verdict;
  uint32_t reserved;
} netcl_comparison;
#define NETCL_COMPARISON_INIT { sizeof(netcl_comparison), 0.0, 0.0, 0.0, 0, 0 }

/** What a timer saw between start and stop. */
typedef struct netcl_elapsed {
  size_t struct_size;
  uint64_t span_ns;            /**< start of the first command to end of the last */
  uint64_t busy_ns;            /**< union of the commands' times */
  uint64_t host_ns;            /**< the host's clock from start to the first stop */
  uint64_t commands;
} netcl_elapsed;
#define NETCL_ELAPSED_INIT { sizeof(netcl_elapsed), 0, 0, 0, 0 }

/** Enqueues the work that is timed, on `queue`. Returns NETCL_OK or what failed. */
typedef netcl_status (*netcl_work_fn)(netcl_queue *queue, void *user_data);

/**
 * Computes statistics of samples measured elsewhere; negative and NaN samples are INVALID_ARGUMENT.
 * @param[out] statistics `count` to `confidence` are set, the rest is 0
 */
NETCL_API netcl_status netcl_statistics_compute(const double *samples, uint64_t samples_count,
                                                double confidence, netcl_statistics *statistics);

/**
 * Compares two sets of samples measured elsewhere, as netcl_measurement_compare does. Fewer than 5
 * samples on a side are UNCLEAR.
 * @param[out] comparison the verdict on the first set
 */
NETCL_API netcl_status netcl_statistics_compare(const double *first, uint64_t first_count,
                                                const double *second, uint64_t second_count,
                                                double confidence, double precision,
                                                uint64_t seed, netcl_comparison *comparison);

/**
 * Begins a measurement of work that the caller enqueues on `queue`, in a loop over
 * netcl_measurement_next; needs no callback. Several candidates take turns in random order. Times
 * are recorded on the queue until the measurement is done or released. NOT_PROFILED for a wrapped
 * queue without profiling, unless the source is HOST. options->measurement must be NULL.
 * @param[out] measurement one reference
 */
NETCL_API netcl_status netcl_measurement_create(netcl_queue *queue,
                                                const netcl_measurement_options *options,
                                                netcl_measurement **measurement);

/** Adds a reference. */
NETCL_API netcl_status netcl_measurement_retain(netcl_measurement *measurement);
/** Gives a reference back; takes NULL. */
NETCL_API void netcl_measurement_release(netcl_measurement *measurement);

/**
 * Ends the run before and begins the next one: the caller then enqueues the work of `candidate`
 * `iterations` times. iterations 0: the measurement is over. Movable: one thread at a time. Fails
 * with the error of the work that was enqueued; INVALID_ARGUMENT when there was none.
 * @param[out] candidate whose turn it is, from 0 on
 * @param[out] iterations how often
 */
NETCL_API netcl_status netcl_measurement_next(netcl_measurement *measurement, uint32_t *candidate,
                                              uint64_t *iterations);

/** Gives the statistics of a candidate so far. @param[out] statistics the statistics */
NETCL_API netcl_status netcl_measurement_get_statistics(const netcl_measurement *measurement,
                                                        uint32_t candidate,
                                                        netcl_statistics *statistics);

/**
 * Gives all samples of a candidate in the order they were taken, nanoseconds per iteration.
 * @param[out,opt] samples at most capacity of them; may be NULL when capacity is 0
 * @param[out] count samples there are
 */
NETCL_API netcl_status netcl_measurement_get_samples(const netcl_measurement *measurement,
                                                     uint32_t candidate, double *samples,
                                                     uint64_t capacity, uint64_t *count);

/** Compares two candidates. @param[out] comparison the verdict on `first` */
NETCL_API netcl_status netcl_measurement_compare(const netcl_measurement *measurement,
                                                 uint32_t first, uint32_t second,
                                                 netcl_comparison *comparison);

/**
 * Measures a function that enqueues work: netcl_measurement_create and a loop around it. Fails with
 * what the function returns. For the samples set options->measurement, then call
 * netcl_measurement_get_samples for candidate 0. @safe
 * @param[out] statistics the statistics
 */
NETCL_API netcl_status netcl_queue_time(netcl_queue *queue, netcl_work_fn work, void *user_data,
                                        const netcl_measurement_options *options,
                                        netcl_statistics *statistics);

/**
 * Measures a launch: netcl_kernel_launch in such a loop. run->event must be NULL. For the samples
 * set options->measurement, as for netcl_queue_time.
 * @param[out] statistics the statistics
 */
NETCL_API netcl_status netcl_kernel_time(netcl_kernel *kernel, const uint64_t *global,
                                         uint32_t global_count, const uint64_t *local,
                                         uint32_t local_count, const netcl_arg *args,
                                         uint32_t args_count, const netcl_launch_options *launch,
                                         const netcl_run_options *run,
                                         const netcl_measurement_options *options,
                                         netcl_statistics *statistics);

/**
 * Makes a timer of what is enqueued on a queue. Times are recorded on the queue while it runs; its
 * memory is made at the first pair and used again. NOT_PROFILED for a wrapped queue without
 * profiling.
 * @param[out] timer one reference
 */
NETCL_API netcl_status netcl_timer_create(netcl_queue *queue, netcl_timer **timer);

/** Adds a reference. */
NETCL_API netcl_status netcl_timer_retain(netcl_timer *timer);
/** Gives a reference back; takes NULL. */
NETCL_API void netcl_timer_release(netcl_timer *timer);

/** Starts the timer; BUSY when it runs. */
NETCL_API netcl_status netcl_timer_start(netcl_timer *timer);

/**
 * Stops the timer and waits for what was enqueued since its start. INVALID_ARGUMENT when it does
 * not run; on TIMEOUT it is stopped and a further call gives the result.
 * @param[out] elapsed the times
 */
NETCL_API netcl_status netcl_timer_stop(netcl_timer *timer, uint64_t timeout_ns,
                                        netcl_elapsed *elapsed);

/* ---- Profiles -------------------------------------------------------------------------------- */

/** Form of a report. */
typedef int32_t netcl_format;
enum netcl_format_value {
  NETCL_FORMAT_TEXT = 1,   /**< for people */
  NETCL_FORMAT_JSON = 2,
  NETCL_FORMAT_CSV = 3
};

typedef struct netcl_profile_options {
  size_t struct_size;
  const char *trace_path;   /**< also write a trace there: Chrome's JSON, which Perfetto reads */
  uint64_t records_most;    /**< commands kept for the report; 0: 1000000 */
} netcl_profile_options;
#define NETCL_PROFILE_OPTIONS_INIT { sizeof(netcl_profile_options), NULL, 0 }

/**
 * Begins to record regions, counters per kernel and (with trace_path) a trace, on all queues of the
 * process; what it records adds up over several starts until netcl_profile_reset. BUSY when it is
 * on, IO when trace_path cannot be written. While it is off a region costs one load.
 * NETCL_TRACE=path begins it with the first device. The trace is valid JSON at any moment, even
 * when the process is killed.
 */
NETCL_API netcl_status netcl_profile_start(const netcl_profile_options *options);

/**
 * Ends the recording after waiting for what was enqueued. NOT_FOUND when it is off; TIMEOUT, and it
 * goes on; IO when the trace could not be written to its end, and it is off.
 */
NETCL_API netcl_status netcl_profile_stop(uint64_t timeout_ns);

/** Forgets what was recorded. */
NETCL_API netcl_status netcl_profile_reset(void);

/**
 * Gives the tree of regions (calls, device and host time with and without children, bytes, flops)
 * and the counters per kernel and size, of the commands that are complete. Commands outside all
 * regions, and the numbers of those that are missing (not complete, failed, without room or times),
 * are there in each format; in CSV as rows of the kinds "outside" and "missing".
 * @param[out] buffer the text
 * @param[out,opt] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_profile_report(netcl_format format, char *buffer, size_t capacity,
                                            size_t *length);

/**
 * Opens a region on a queue; commands enqueued there by this thread until its end belong to it.
 * `parent` may be NULL: then it is a root. While no profile is on, a region of a kind that records
 * nothing is given. A report has up to 30 regions inside each other; what is deeper counts as part
 * of the thirtieth. @by_thread
 * @param[opt] parent
 * @param[out] region one reference
 */
NETCL_API netcl_status netcl_region_begin(netcl_queue *queue, netcl_region *parent,
                                          const char *name, netcl_region **region);

/** Closes a region; its handle is released as any other. INVALID_ARGUMENT the second time. */
NETCL_API netcl_status netcl_region_end(netcl_region *region);

/** Adds bytes moved and floating-point operations to a region. */
NETCL_API netcl_status netcl_region_annotate(netcl_region *region, double bytes,
                                             double operations);

/** Adds a reference. */
NETCL_API netcl_status netcl_region_retain(netcl_region *region);
/** Gives a reference back; takes NULL. An open region ends with its last reference. */
NETCL_API void netcl_region_release(netcl_region *region);

/** Opens a region under the calling thread's innermost one, which it becomes. @thread */
NETCL_API netcl_status netcl_region_push(netcl_queue *queue, const char *name);

/** Closes the calling thread's innermost region. NOT_FOUND when there is none. @thread */
NETCL_API netcl_status netcl_region_pop(void);

/* ---- Roofline -------------------------------------------------------------------------------- */

/** What limits a kernel: the resource with the higher share of its speed of light (SOL). */
typedef int32_t netcl_bottleneck;
enum netcl_bottleneck_value {
  NETCL_BOTTLENECK_UNKNOWN = 0,
  NETCL_BOTTLENECK_COMPUTE = 1,
  NETCL_BOTTLENECK_MEMORY = 2,        /**< also when both are equal */
  NETCL_BOTTLENECK_UNDERUTILIZED = 3  /**< both are below underutilized_pct */
};

/** Where a result comes from. */
typedef int32_t netcl_roofline_source;
enum netcl_roofline_source_value {
  NETCL_ROOFLINE_MODEL = 1,   /**< time and declared work against measured ceilings */
  NETCL_ROOFLINE_NCU = 2      /**< metrics of NVIDIA Nsight Compute */
};

typedef struct netcl_roofline_options {
  size_t struct_size;
  double threshold_pct;             /**< efficiency that counts as at the roofline, 1 to 100;
                                         0: 90 */
  double min_improvement_pct;       /**< less than this over the rounds is converged; 0: 0.1 */
  double tensor_core_threshold_pct; /**< more activity than this is use, 1 to 100; 0: 5 */
  double underutilized_pct;         /**< less of both is UNDERUTILIZED, 1 to 100; 0: 60 */
  uint32_t convergence_rounds;      /**< at least 2; 0: 5 */
  netcl_toggle early_stop;          /**< OFF: being at the roofline is no reason to stop */
} netcl_roofline_options;
#define NETCL_ROOFLINE_OPTIONS_INIT \
  { sizeof(netcl_roofline_options), 0.0, 0.0, 0.0, 0.0, 0, 0 }

/** How near a kernel is to the limits of its device. Percentages may exceed 100: beating a ceiling
 * shows that the ceiling is wrong, and is warned of above 105. */
typedef struct netcl_roofline_result {
  size_t struct_size;
  double compute_sol_pct;
  double memory_sol_pct;
  double efficiency_pct;            /**< the larger of the two */
  uint32_t at_roofline;             /**< @flag efficiency_pct >= threshold_pct */
  uint32_t uses_tensor_cores;       /**< @flag some of the work ran on them */
  double headroom_pct;              /**< 100 - efficiency_pct, at least 0 */
  netcl_bottleneck bottleneck;
  netcl_roofline_source source;
  double arithmetic_intensity;      /**< model: operations per byte; 0 when unknown */
  double time_ns;                   /**< the time it is about; 0 when unknown */
  double roof_ns;                   /**< model: the shortest time that the ceilings allow */
  uint32_t warnings_count;
  uint32_t reserved;
  char ceiling[32];                 /**< model: the ceiling that binds, "memory_read" */
  char warnings[512];               /**< joined by "; " */
  uint32_t launches_count;          /**< NCU report: the launches that matched; else 0 */
  uint32_t launch;                  /**< which of these it is, from 0 on, as they stand there */
  char kernel[256];                 /**< its kernel, as far as it fits; control bytes are spaces */
} netcl_roofline_result;
#define NETCL_ROOFLINE_RESULT_INIT \
  { sizeof(netcl_roofline_result), 0.0, 0.0, 0.0, 0, 0, 0.0, 0, 0, 0.0, 0.0, 0.0, 0, 0, {0}, {0}, \
    0, 0, {0} }

/** Which launch of an NCU report counts, when several match. */
typedef int32_t netcl_ncu_policy;
enum netcl_ncu_policy_value {
  NETCL_NCU_MEDIAN = 0,      /**< by duration, else by compute SOL */
  NETCL_NCU_FIRST = 1,
  NETCL_NCU_LAST = 2,
  NETCL_NCU_LONGEST = 3
};

typedef struct netcl_ncu_options {
  size_t struct_size;
  const char *kernel;         /**< part of the kernel's name; NULL: every launch */
  netcl_ncu_policy policy;
  uint32_t exact;             /**< @flag `kernel` is the whole name */
} netcl_ncu_options;
#define NETCL_NCU_OPTIONS_INIT { sizeof(netcl_ncu_options), NULL, 0, 0 }

/**
 * Makes an analyzer, which holds its options and the history of the rounds. Percentages that are
 * negative or no number, thresholds outside 1 to 100 (0.9 is no 90 %), and convergence_rounds of 1
 * are INVALID_ARGUMENT.
 * @param[out] roofline one reference
 */
NETCL_API netcl_status netcl_roofline_create(const netcl_roofline_options *options,
                                             netcl_roofline **roofline);

/** Adds a reference. */
NETCL_API netcl_status netcl_roofline_retain(netcl_roofline *roofline);
/** Gives a reference back; takes NULL. */
NETCL_API void netcl_roofline_release(netcl_roofline *roofline);

/**
 * Analyzes metrics of Nsight Compute given by name:
 * sm__throughput.avg.pct_of_peak_sustained_elapsed,
 * gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed and
 * sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active (or _elapsed, or other activity of
 * tensor pipes); others are ignored. Where the second is missing, dram__throughput or
 * gpu__dram_throughput stands for it, with a warning. One of the first two missing: 0 for it and a
 * warning. Both missing: zeros, UNKNOWN and a warning. More than 105 % is warned of. NaN and
 * infinite values are INVALID_ARGUMENT.
 * @param[out] result the analysis
 */
NETCL_API netcl_status netcl_roofline_analyze_metrics(const netcl_roofline *roofline,
                                                      const char *const *names,
                                                      const double *values,
                                                      uint32_t metrics_count,
                                                      netcl_roofline_result *result);

/**
 * Analyzes a CSV report of Nsight Compute (ncu --csv) in any form since 2020: a row per metric (the
 * details page, with or without rules, --metrics), a column per metric (--page raw), and summaries
 * (--print-summary), of which the averages count. Names are those of metrics or those that people
 * read. A launch is known by its process and ID. Lines before the header are skipped; errors and
 * warnings of the profiler come back as warnings, or in the message when there is no report.
 * CORRUPT_DATA naming and quoting the line: a line of no such form, a value that is no number, a
 * number such as "117.344" that may have a decimal comma or separators of thousands, as far as the
 * other numbers tell (write the report with LC_ALL=C), a metric that a launch has twice with
 * different values, a column that a header has twice, an ID with two kernels. NOT_FOUND when no
 * launch matches, INVALID_ARGUMENT for a text_size above 2^32. What netcl_roofline_analyze_metrics
 * says of missing metrics holds here too: the status is OK then, and `bottleneck` UNKNOWN.
 * @param[out] result the analysis of one launch, which `kernel` and `launch` name
 */
NETCL_API netcl_status netcl_roofline_analyze_ncu(const netcl_roofline *roofline,
                                                  const char *text, size_t text_size,
                                                  const netcl_ncu_options *options,
                                                  netcl_roofline_result *result);

/**
 * Enters a result into the history and decides whether optimising may stop: at the roofline (with
 * early_stop), or when the efficiencies of the last convergence_rounds results lie within less
 * than min_improvement_pct.
 * @param[out,flag] stop enough was measured; netcl_roofline_get_reason says why
 */
NETCL_API netcl_status netcl_roofline_should_stop(netcl_roofline *roofline,
                                                  const netcl_roofline_result *result,
                                                  uint32_t *stop);

/**
 * Gives the reason of the last netcl_roofline_should_stop, "" when it said to go on.
 * @param[out] buffer the text
 * @param[out,opt] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_roofline_get_reason(const netcl_roofline *roofline, char *buffer,
                                                 size_t capacity, size_t *length);

/** Forgets the history and the reason. */
NETCL_API netcl_status netcl_roofline_reset_history(netcl_roofline *roofline);

/**
 * Gives a result as text for people or as JSON. CSV is UNSUPPORTED.
 * @param[out] buffer the text
 * @param[out,opt] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_roofline_format(const netcl_roofline_result *result,
                                             netcl_format format, char *buffer, size_t capacity,
                                             size_t *length);

/* ---- Ceilings -------------------------------------------------------------------------------- */

/*
 * The limits of a device as probes of the library find them, and the roofline from them: the time
 * of an op or a kernel against the shortest time in which the device could do its work.
 */

/** Limits of a device. Rates are per second. */
typedef int32_t netcl_ceiling_kind;
enum netcl_ceiling_kind_value {
  NETCL_CEILING_MEMORY_READ = 1,            /**< bytes, far beyond the caches */
  NETCL_CEILING_MEMORY_WRITE = 2,
  NETCL_CEILING_MEMORY_COPY = 3,            /**< bytes read plus bytes written */
  NETCL_CEILING_CACHE_READ = 4,             /**< the same for a working set of working_set bytes */
  NETCL_CEILING_CACHE_WRITE = 5,
  NETCL_CEILING_CACHE_COPY = 6,
  NETCL_CEILING_COMPUTE = 7,                /**< operations: multiply-adds of a dtype, two each */
  NETCL_CEILING_TENSOR = 8,                 /**< the same on matrix units, where there are any */
  NETCL_CEILING_LAUNCH = 9,                 /**< launches of an empty kernel, one after the other */
  NETCL_CEILING_HOST_TO_DEVICE = 10,        /**< bytes from ordinary memory, as tensors go */
  NETCL_CEILING_DEVICE_TO_HOST = 11,
  NETCL_CEILING_HOST_TO_DEVICE_PINNED = 12, /**< bytes from page-locked memory */
  NETCL_CEILING_DEVICE_TO_HOST_PINNED = 13
};

/** One limit. Frozen: travels in arrays. */
typedef struct netcl_ceiling {
  netcl_ceiling_kind kind;
  netcl_dtype dtype;       /**< COMPUTE and TENSOR; else 0 */
  uint64_t working_set;    /**< CACHE_...: bytes; else 0 */
  double value;            /**< the best seen, per second */
  double spread;           /**< interquartile range of what was seen over its median */
  uint32_t given;          /**< not 0: set by the caller */
  uint32_t disproved;      /**< not 0: an analyzed time beat it by more than 5 % */
} netcl_ceiling;

typedef struct netcl_ceilings_options {
  size_t struct_size;
  uint64_t budget_ns;     /**< for all probes, the building of their kernels apart; runs that differ
                               much are made again for up to as long once more; 0: 3 s */
  uint32_t remeasure;     /**< @flag do not take what was measured before */
  uint32_t no_store;      /**< @flag neither take from the disk nor keep there */
} netcl_ceilings_options;
#define NETCL_CEILINGS_OPTIONS_INIT { sizeof(netcl_ceilings_options), 0, 0, 0 }

/** Where ceilings come from. */
typedef struct netcl_ceilings_info {
  size_t struct_size;
  uint64_t time_ns;            /**< CLOCK_REALTIME of the measuring; 0: nothing was measured */
  uint64_t spent_ns;           /**< how long it took */
  uint32_t rows_count;         /**< rows that netcl_ceilings_get gives */
  uint32_t from_store;         /**< @flag measured by an earlier process */
  char device[256];
  char driver_version[128];
} netcl_ceilings_info;
#define NETCL_CEILINGS_INFO_INIT { sizeof(netcl_ceilings_info), 0, 0, 0, 0, {0}, {0} }

/** Returns "memory_read" ... "device_to_host_pinned", and "invalid" for other values. */
NETCL_API const char *netcl_ceiling_kind_name(netcl_ceiling_kind kind);

/** Makes ceilings without rows, to be filled with netcl_ceilings_set.
 * @param[out] ceilings one reference */
NETCL_API netcl_status netcl_ceilings_create(netcl_ceilings **ceilings);

/**
 * Measures the limits of a device after waiting for what is enqueued on it, or gives those that
 * were measured before: by this process, or by an earlier one on a device of the same part (see
 * netcl_device_get_part), platform and driver, from the folder `ceilings` beside the program
 * cache. Rows that were disproved since are no reason to keep the others: then everything is
 * measured again. A figure is the best over vector widths and sizes of probes that store what
 * they compute. Each probe runs at least five times after one that is not counted, whatever the
 * budget; a limit that a device does not have (f64, f16, matrix units) has no row. What other
 * programs do on the device meanwhile makes the figures worse: a row whose spread is above 0.25
 * is measured again, up to twice, and named in the log at the level WARNING when that does not
 * help. One thread of all processes of the user measures at a time: the lock of the device is
 * held, as by tuners. BUSY when another process holds it for 60 seconds; other errors as for
 * netcl_device_finish. @safe
 * @param[out] ceilings one reference to rows of the caller's own
 */
NETCL_API netcl_status netcl_ceilings_measure(netcl_device *device,
                                              const netcl_ceilings_options *options,
                                              netcl_ceilings **ceilings);

/**
 * Loads what netcl_ceilings_save wrote. IO, CORRUPT_DATA naming what is wrong, such as two rows of
 * one kind, dtype and working set.
 * @param[out] ceilings one reference
 */
NETCL_API netcl_status netcl_ceilings_load(const char *path, netcl_ceilings **ceilings);

/** Adds a reference. */
NETCL_API netcl_status netcl_ceilings_retain(netcl_ceilings *ceilings);
/** Gives a reference back; takes NULL. */
NETCL_API void netcl_ceilings_release(netcl_ceilings *ceilings);

/** Tells where ceilings come from. @param[out] info the facts */
NETCL_API netcl_status netcl_ceilings_get_info(const netcl_ceilings *ceilings,
                                               netcl_ceilings_info *info);

/**
 * Gives all rows, sorted by kind, dtype and working set.
 * @param[out,opt] rows at most capacity of them; may be NULL when capacity is 0
 * @param[out] count rows there are
 */
NETCL_API netcl_status netcl_ceilings_get(const netcl_ceilings *ceilings, netcl_ceiling *rows,
                                          uint32_t capacity, uint32_t *count);

/**
 * Puts a figure of the caller in the place of the row of its kind, dtype and working set, or beside
 * the others. Its value is above 0; given becomes 1 and disproved 0, whatever the row says.
 */
NETCL_API netcl_status netcl_ceilings_set(netcl_ceilings *ceilings, const netcl_ceiling *row);

/** Writes ceilings as JSON. The file is replaced as a whole or not at all. IO. */
NETCL_API netcl_status netcl_ceilings_save(const netcl_ceilings *ceilings, const char *path);

/**
 * Analyzes a time against ceilings. compute_sol_pct is the time that the operations take at the
 * COMPUTE ceiling of their dtype (TENSOR with matrix_units) over the time; f16 and bf16 without a
 * row take that of f32, integers that of i32. memory_sol_pct is the time that the bytes take over
 * the time: as many read as written at the copy ceiling, the others at that of reads or writes;
 * those of the caches where a measured working set holds all bytes and nothing is cold,
 * interpolated between the two sets around it, else those of the memory. Work that is 0 has the
 * share 0. Work without a ceiling counts as missing, as in netcl_roofline_analyze_metrics, and no
 * work at all as both missing. A time that beats a ceiling by more than 5 % marks it as disproved
 * and is warned of. @safe
 * @param[out] result the analysis
 */
NETCL_API netcl_status netcl_roofline_analyze_time(const netcl_roofline *roofline,
                                                   netcl_ceilings *ceilings, double time_ns,
                                                   const netcl_work *work,
                                                   netcl_roofline_result *result);

/**
 * Analyzes the median of a measurement with the work that its ops declared: what a timed op
 * achieves is netcl_queue_time and this.
 * @param[out] result the analysis
 */
NETCL_API netcl_status netcl_roofline_analyze_statistics(const netcl_roofline *roofline,
                                                         netcl_ceilings *ceilings,
                                                         const netcl_statistics *statistics,
                                                         netcl_roofline_result *result);

/* ---- Parameter spaces ------------------------------------------------------------------------ */

/*
 * A space holds the parameters of a kernel, the values each may have, and constraints: formulas in
 * the syntax of Python (or and not, comparisons, in, + - * / // % **, a if c else b, min max abs
 * ceil_div round_up), over the parameters and the limits of a device: max_local_size,
 * max_local_size_x, _y and _z, local_memory_bytes, global_memory_bytes, compute_units,
 * subgroup_size, vector_width, fp16, fp64. ceil and floor are functions too. docs/tuning.md has the
 * grammar.
 */

/** Makes a space without parameters. @param[out] space one reference */
NETCL_API netcl_status netcl_space_create(netcl_space **space);

/**
 * Makes a space from T1 JSON, the format that tuners exchange: ConfigurationSpace with
 * TuningParameters and Conditions. The Default of a parameter becomes its first value. Numbers of a
 * parameter of Type int that are not whole stay floats. GlobalSize and LocalSize of
 * KernelSpecification become the work size; GlobalSizeType CUDA and Vulkan count groups, and so
 * does a file without it whose Language is one of these. CORRUPT_DATA naming the member that is
 * wrong.
 * @param[out] space one reference
 */
NETCL_API netcl_status netcl_space_create_from_t1(const char *text, size_t text_size,
                                                  netcl_space **space);

/** Adds a reference. */
NETCL_API netcl_status netcl_space_retain(netcl_space *space);
/** Gives a reference back; takes NULL. */
NETCL_API void netcl_space_release(netcl_space *space);

/**
 * Adds a parameter of integers. Its name is an identifier and no word of formulas (and, if, True
 * ...), its values differ.
 */
NETCL_API netcl_status netcl_space_add_ints(netcl_space *space, const char *name,
                                            const int64_t *values, uint32_t values_count);

/** Adds a parameter of floats, all of them finite. */
NETCL_API netcl_status netcl_space_add_floats(netcl_space *space, const char *name,
                                              const double *values, uint32_t values_count);

/** Adds a parameter that is false or true, in this order. */
NETCL_API netcl_status netcl_space_add_bool(netcl_space *space, const char *name);

/** Adds a parameter of texts, which are UTF-8. */
NETCL_API netcl_status netcl_space_add_texts(netcl_space *space, const char *name,
                                             const char *const *values, uint32_t values_count);

/** Adds a constraint. INVALID_ARGUMENT naming the column and what was expected there. */
NETCL_API netcl_status netcl_space_add_constraint(netcl_space *space, const char *formula);

/**
 * Says by formulas how many work items a kernel gets with a configuration and how many form a
 * group, so that the work of one item can be tuned: "ceil(n / (TX * WPT)) * TX" and "TX". Two and
 * three dimensions have commas between them. Names are the parameters, those that a tuner adds
 * (LOCAL_X, TILE_SIZE ...) among them; global_x, global_y and global_z, the size that
 * netcl_tuner_add and netcl_kernel_launch are given; the integer arguments of the kernel by the
 * names of their parameters, as far as the driver tells these; and the limits of a device. Of two
 * of one name the first counts. Constraints may name them too where the space is tuned.
 * NULL global_size: as given. NULL local_size: as tuned without formulas. "" is as NULL. What was
 * set before is replaced.
 * INVALID_ARGUMENT naming the column and what was expected there, and for more than 3 dimensions.
 * Whether names are known and how many dimensions there have to be is seen by netcl_tuner_add. A
 * configuration whose size is 0, negative, no integer, too large, or no multiple of its local size
 * is CONSTRAINTS with the formula and its value, and so is one whose formula divides by zero.
 * @param[opt] local_size
 * @param[opt] global_size
 */
NETCL_API netcl_status netcl_space_set_work_size(netcl_space *space, const char *global_size,
                                                 const char *local_size);

/**
 * Counts the configurations that satisfy all constraints with the limits of a device; NULL
 * capabilities: a constraint that names a limit is INVALID_ARGUMENT. A constraint is tried as soon
 * as its parameters have values, and parameters without one are not walked, so that large spaces
 * cost little; constraints that need more than 2^24 steps are INVALID_ARGUMENT.
 * @param[opt] capabilities
 * @param[out] count the number
 */
NETCL_API netcl_status netcl_space_get_count(const netcl_space *space,
                                             const netcl_device_capabilities *capabilities,
                                             uint64_t *count);

/**
 * Gives the index-th valid configuration, the first parameter changing slowest. NOT_FOUND past the
 * end.
 * @param[out] config one reference
 */
NETCL_API netcl_status netcl_space_get_config(const netcl_space *space,
                                              const netcl_device_capabilities *capabilities,
                                              uint64_t index, netcl_config **config);

/**
 * Explains why a configuration is not in the space: the value that is none, or the constraint that
 * fails with the values it depends on; "" when it is.
 * @param[out] buffer the text
 * @param[out,opt] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_space_explain(const netcl_space *space,
                                           const netcl_device_capabilities *capabilities,
                                           const netcl_config *config, char *buffer,
                                           size_t capacity, size_t *length);

/**
 * Makes a configuration from JSON, {"TILE": 16, "MODE": "fast"}; it need not be valid anywhere.
 * CORRUPT_DATA for what is no such object, and for a NUL in a name or a text.
 * @param[out] config one reference
 */
NETCL_API netcl_status netcl_config_create_from_json(const char *text, size_t text_size,
                                                     netcl_config **config);

/** Adds a reference. */
NETCL_API netcl_status netcl_config_retain(netcl_config *config);
/** Gives a reference back; takes NULL. */
NETCL_API void netcl_config_release(netcl_config *config);

/**
 * Gives an integer or bool by name. NOT_FOUND naming the parameters there are, INVALID_ARGUMENT
 * when the value is of another type; so for the next two.
 * @param[out] value the value
 */
NETCL_API netcl_status netcl_config_get_int(const netcl_config *config, const char *name,
                                            int64_t *value);

/** Gives a number by name. @param[out] value the value */
NETCL_API netcl_status netcl_config_get_float(const netcl_config *config, const char *name,
                                              double *value);

/**
 * Gives a text by name.
 * @param[out] buffer the text
 * @param[out,opt] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_config_get_text(const netcl_config *config, const char *name,
                                             char *buffer, size_t capacity, size_t *length);

/**
 * Gives all values as JSON.
 * @param[out] buffer the text
 * @param[out,opt] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_config_get_json(const netcl_config *config, char *buffer,
                                             size_t capacity, size_t *length);

/* ---- Tuning database ------------------------------------------------------------------------- */

/*
 * The database is a file of JSON lines that is only appended to. A line has a checksum: what a
 * killed process left torn, and what was changed, is passed over. Lines that a later release wrote
 * are kept and not used. Any number of processes may use one file. docs/tuning.md has the format.
 */

/** Largest number of extents in a netcl_tuning_key. */
#define NETCL_TUNING_SHAPE_MAX 24
/** Largest number of integer arguments in a netcl_tuning_key. */
#define NETCL_TUNING_SCALARS_MAX 16

/** What a record of the database is. */
typedef int32_t netcl_tuning_record_kind;
enum netcl_tuning_record_kind_value {
  NETCL_TUNING_RECORD_BEST = 1,         /**< what a tuning run chose */
  NETCL_TUNING_RECORD_MEASUREMENT = 2,  /**< how one configuration did */
  NETCL_TUNING_RECORD_QUARANTINE = 3    /**< a configuration that is never to be chosen */
};

/**
 * What a result belongs to. Driver, shape and scalars may differ in an answer, all other members
 * have to be equal. NULL is "".
 */
typedef struct netcl_tuning_key {
  size_t struct_size;
  const char *kernel;    /**< name of the kernel or op; must be set */
  const char *source;    /**< something that changes with the source, such as its hash */
  const char *flags;     /**< build flags */
  const char *dtypes;    /**< "f32,f32" */
  const char *layout;
  const char *part;      /**< which device; NULL with a device: its own part */
  const char *driver;    /**< NULL with a device: its own driver */
  int64_t shape[NETCL_TUNING_SHAPE_MAX];
  uint32_t shape_count;
  uint32_t scalars_count;
  /** Of a kernel: its integer arguments in their order. Those of 1 and more may be near ones, as
   * extents may; the others have to be equal. Local memory is -1 - bytes, and what is no integer or
   * too much a hash below 0. */
  int64_t scalars[NETCL_TUNING_SCALARS_MAX];
} netcl_tuning_key;
#define NETCL_TUNING_KEY_INIT \
  { sizeof(netcl_tuning_key), NULL, NULL, NULL, NULL, NULL, NULL, NULL, {0}, 0, 0, {0} }

/** One record. Times are nanoseconds, 0 when unknown; longer texts are cut. */
typedef struct netcl_tuning_record {
  size_t struct_size;
  double median;
  double interval_low;
  double interval_high;
  double default_median;      /**< of BEST: what the default configuration takes */
  uint64_t samples_count;
  int64_t timestamp;          /**< seconds since 1970 */
  int64_t shape[NETCL_TUNING_SHAPE_MAX];
  uint32_t shape_count;
  netcl_match match;          /**< of an answer, else 0 */
  netcl_tuning_record_kind kind;
  netcl_outcome outcome;
  char kernel[128];
  char source[64];
  char flags[256];
  char dtypes[128];
  char layout[64];
  char part[256];
  char driver[256];
  char reason[256];           /**< of BEST and QUARANTINE: why; else what went wrong */
  int64_t scalars[NETCL_TUNING_SCALARS_MAX];  /**< as in netcl_tuning_key */
  uint32_t scalars_count;
  uint32_t reserved;
  uint64_t global[3];         /**< work items, where a formula of the space gave them; else zeros */
  uint64_t local[3];          /**< of a group, likewise */
} netcl_tuning_record;
#define NETCL_TUNING_RECORD_INIT \
  { sizeof(netcl_tuning_record), 0.0, 0.0, 0.0, 0.0, 0, 0, {0}, 0, 0, 0, 0, {0}, {0}, {0}, {0}, \
    {0}, {0}, {0}, {0}, {0}, 0, 0, {0, 0, 0}, {0, 0, 0} }

/** Facts about a database. */
typedef struct netcl_tuning_database_info {
  size_t struct_size;
  uint64_t records;      /**< in force */
  uint64_t lines;        /**< of this version in the file, superseded ones included */
  uint64_t superseded;   /**< of these, by later lines */
  uint64_t foreign;      /**< lines that a later release wrote */
  uint64_t damaged;      /**< lines that are passed over */
  uint64_t bytes;        /**< of the file */
  char path[512];        /**< "" when it lives in memory */
  char reason[256];      /**< why it lives in memory; "" when it does not */
} netcl_tuning_database_info;
#define NETCL_TUNING_DATABASE_INFO_INIT \
  { sizeof(netcl_tuning_database_info), 0, 0, 0, 0, 0, 0, {0}, {0} }

/**
 * Opens a database. NULL path: that of this user, tuning-1.jsonl in the directory of the program
 * cache, which dispatch uses and which is opened once per process; where that directory cannot be
 * used it lives in memory. ":memory:" is an empty one without a file; else the path of a file,
 * which is made at the first record. IO for a file that cannot be read, is a symbolic link, or may
 * have been written by another user, CORRUPT_DATA for one with lines of which none begins like a
 * record, INVALID_ARGUMENT for an empty path.
 * @param[opt] path
 * @param[out] database one reference
 */
NETCL_API netcl_status netcl_tuning_database_open(const char *path,
                                                  netcl_tuning_database **database);

/** Adds a reference. */
NETCL_API netcl_status netcl_tuning_database_retain(netcl_tuning_database *database);
/** Gives a reference back; takes NULL. */
NETCL_API void netcl_tuning_database_release(netcl_tuning_database *database);

/**
 * Verifies the file line by line and counts. @param[out] info the facts
 */
NETCL_API netcl_status netcl_tuning_database_get_info(netcl_tuning_database *database,
                                                      netcl_tuning_database_info *info);

/**
 * Looks for the best configuration: the exact key, else the same part, shape and scalars with
 * another driver, else the nearest of these (in log space; of two as near the smaller one).
 * Quarantined configurations are passed over. `device` (may be NULL) fills in part and driver. No
 * match is no error: record->match is NONE. @safe
 * @param[opt] device
 * @param[out] record the record, all zero with no match
 * @param[out,opt,absent] config one reference, NULL with no match; may be NULL
 */
NETCL_API netcl_status netcl_tuning_database_lookup(netcl_tuning_database *database,
                                                    const netcl_device *device,
                                                    const netcl_tuning_key *key,
                                                    netcl_tuning_record *record,
                                                    netcl_config **config);

/**
 * Stores a record: kind, outcome, times, timestamp (0: now) and reason of `record`, the rest of
 * the key. A record replaces the one of its kind and key, and of its configuration unless the kind
 * is BEST. `device` (may be NULL) as for a lookup. Records that other processes appended are taken
 * in too. INVALID_ARGUMENT for texts that are no UTF-8, for negative extents, and for a BEST with
 * an outcome other than CORRECT, CANCELLED (the best so far) and UNKNOWN. IO or TIMEOUT when the
 * file cannot be written; the record is then kept in memory. @safe
 * @param[opt] device
 */
NETCL_API netcl_status netcl_tuning_database_put(netcl_tuning_database *database,
                                                 const netcl_device *device,
                                                 const netcl_tuning_key *key,
                                                 const netcl_config *config,
                                                 const netcl_tuning_record *record);

/** Takes in what other processes appended. */
NETCL_API netcl_status netcl_tuning_database_refresh(netcl_tuning_database *database);

/**
 * Gives the index-th record in force, in the order of their coming. NOT_FOUND past the end.
 * @param[out] record the record
 * @param[out,opt] config one reference; may be NULL
 */
NETCL_API netcl_status netcl_tuning_database_get_record(netcl_tuning_database *database,
                                                        uint64_t index,
                                                        netcl_tuning_record *record,
                                                        netcl_config **config);

/**
 * Adds the records of another file, those apart that are older than what is known of their key.
 * Fails as netcl_tuning_database_open, and with IO where there is no file.
 * @param[out,opt] count records that were added; may be NULL
 */
NETCL_API netcl_status netcl_tuning_database_merge(netcl_tuning_database *database,
                                                   const char *path, uint64_t *count);

/**
 * Replaces the file, at once for all processes, by one without superseded and damaged lines.
 */
NETCL_API netcl_status netcl_tuning_database_compact(netcl_tuning_database *database);

/**
 * Removes the records of a kernel or op; NULL kernel: all records. INVALID_ARGUMENT for "".
 * @param[opt] kernel
 */
NETCL_API netcl_status netcl_tuning_database_clear(netcl_tuning_database *database,
                                                   const char *kernel);

/**
 * Gives the measurements of a kernel (NULL kernel: of all) as T4 JSON, the format that tuners
 * exchange, or all records as CSV. TEXT is UNSUPPORTED.
 * @param[opt] kernel
 * @param[out] buffer the text
 * @param[out,opt] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_tuning_database_export(netcl_tuning_database *database,
                                                    const char *kernel, netcl_format format,
                                                    char *buffer, size_t capacity,
                                                    size_t *length);

/**
 * Gives the part of a device, as keys have it: what decides its speed and is the same in every
 * process, separated by |. These are vendor, name, and the compute units of a GPU or accelerator or
 * the processor of the built-in device; free memory, limits and threads are none of it. Keys and
 * records with a part in the form of 0.1.0 (units and memory in GiB at the end) are read as one of
 * this form.
 * @param[out] buffer the text
 * @param[out,opt] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_device_get_part(const netcl_device *device, char *buffer,
                                             size_t capacity, size_t *length);

/**
 * Tells whether a record may answer a look-up for a device: EXACT, OTHER_DRIVER, or OTHER_PART when
 * it may not. Shape, source and flags are not looked at.
 * @param[out] match how well part and driver agree
 */
NETCL_API netcl_status netcl_device_match_record(const netcl_device *device,
                                                 const netcl_tuning_record *record,
                                                 netcl_match *match);

/* ---- Isolated benchmark ---------------------------------------------------------------------- */

/*
 * A benchmark compares candidate kernels with a baseline over one record of arguments: both sides
 * get their dtypes, shapes and contents from it. Candidates run in a process of their own, the
 * program netcl-worker that is installed with the library, so that one which crashes, never ends or
 * writes at random is a result like another; the baseline runs in this process. Every candidate is
 * checked before, while and after it is timed: before every run its outputs are filled with a
 * pattern, afterwards they are compared with what the baseline left, inputs have to be as they
 * were, and every tensor lies between guard zones. docs/benchmarks.md explains it.
 */

/** What a kernel does with a tensor. */
typedef int32_t netcl_access;
enum netcl_access_value {
  NETCL_ACCESS_IN = 1,     /**< reads it; one that writes it is an outcome GUARD */
  NETCL_ACCESS_OUT = 2,    /**< writes all of it */
  NETCL_ACCESS_INOUT = 3   /**< both; it is brought back before every sample */
};

/** What a tensor holds at first. */
typedef int32_t netcl_fill_kind;
enum netcl_fill_kind_value {
  NETCL_FILL_ZEROS = 0,
  NETCL_FILL_CONSTANT = 1,  /**< a; integers take the nearest value they have */
  NETCL_FILL_UNIFORM = 2,   /**< [a, b); a = b = 0: [0, 1), integers: all */
  NETCL_FILL_NORMAL = 3,    /**< mean a, deviation b (0: 1); floats only */
  NETCL_FILL_SEQUENCE = 4,  /**< a, a + b, a + 2b ...; b = 0: 1; integers wrap */
  NETCL_FILL_DATA = 5       /**< data_size bytes at data */
};

/** One tensor of the record, packed in C order. */
typedef struct netcl_benchmark_tensor {
  size_t struct_size;
  const char *name;          /**< for messages; NULL: the parameter's name */
  const void *data;          /**< @copied copied */
  size_t data_size;
  int64_t shape[NETCL_RANK_MAX];
  double a;                  /**< see netcl_fill_kind */
  double b;
  double absolute;           /**< allowed difference of an output; 0: relative times its rms */
  double relative;           /**< and relative to its value; 0: 1e-4 f32, 1e-9 f64, 1e-2 f16 ...;
                                  with both 0 a float of INOUT is off by no more than a quarter of
                                  the largest change, but for its rounding */
  netcl_dtype dtype;
  netcl_access access;
  netcl_fill_kind fill;      /**< of IN and INOUT */
  uint32_t rank;
  uint32_t exact;            /**< @flag outputs agree bit for bit;
                                  integers do unless told otherwise */
  uint32_t reserved;
} netcl_benchmark_tensor;
#define NETCL_BENCHMARK_TENSOR_INIT \
  { sizeof(netcl_benchmark_tensor), NULL, NULL, 0, {0}, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0, 0, 0 }

typedef struct netcl_benchmark_options {
  size_t struct_size;
  const char *worker_path;       /**< NULL: NETCL_WORKER, else beside the library; never PATH */
  const char *temp_dir;          /**< the worker's working folder and TMPDIR; NULL: as here */
  const char *lock_path;         /**< of the device lock; NULL: one per device in the cache */
  uint64_t compile_timeout_ns;   /**< of a candidate, and until a run of it begins; 0: 60 s */
  uint64_t run_timeout_ns;       /**< of one run of it that began; 0: 2 s */
  uint64_t lock_timeout_ns;      /**< of the wait for the device; 0: 900 s */
  uint64_t start_timeout_ns;     /**< of the worker, drivers included; 0: 60 s */
  uint64_t seed;                 /**< of random contents in round 0; the next has seed + 1 */
  uint32_t rounds;               /**< times a candidate is checked, each with its seed; 0: 2 */
  uint32_t worker_id;            /**< for the log and the JSON */
  netcl_toggle lock;             /**< OFF: do not hold the device lock while using the device */
  uint32_t reserved;
} netcl_benchmark_options;
#define NETCL_BENCHMARK_OPTIONS_INIT \
  { sizeof(netcl_benchmark_options), NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/** A candidate. It gets the record's arguments in their order. */
typedef struct netcl_benchmark_candidate {
  size_t struct_size;
  const char *name;              /**< in the JSON; NULL: kernel */
  const char *source;            /**< OpenCL C; NULL: the file at path */
  const char *path;
  const char *kernel;            /**< which kernel of the source */
  const char *setup_kernel;      /**< runs before each run, untimed; NULL: none */
  const char *const *flags;      /**< as in netcl_kernel_options */
  const char *const *defines;    /**< "NAME=text", or "NAME"; a macro the source sees */
  uint64_t global[3];
  uint64_t local[3];             /**< zeros: netcl's choice, as for a launch */
  uint64_t setup_global[3];      /**< of setup_kernel, with as many dimensions */
  uint32_t global_count;         /**< dimensions; 0: 1 */
  uint32_t flags_count;
  uint32_t defines_count;
  uint32_t fast_math;            /**< @flag -cl-fast-relaxed-math */
  uint32_t no_preamble;          /**< @flag without the macros LOAD STORE ADD SUB MUL DIV RELU */
  uint32_t round_up;             /**< @flag round the global size up to the local size */
} netcl_benchmark_candidate;
#define NETCL_BENCHMARK_CANDIDATE_INIT \
  { sizeof(netcl_benchmark_candidate), NULL, NULL, NULL, NULL, NULL, NULL, NULL, {0, 0, 0}, \
    {0, 0, 0}, {0, 0, 0}, 0, 0, 0, 0, 0, 0 }

/** What became of a candidate. Times are nanoseconds, all 0 unless the outcome is CORRECT. */
typedef struct netcl_benchmark_result {
  size_t struct_size;
  netcl_outcome outcome;
  uint32_t deaths;            /**< workers it has cost so far; after 3 it is not tried again */
  uint64_t count;             /**< samples */
  double mean;
  double deviation;
  double min;
  double max;
  double median;
  double speedup;             /**< mean of the baseline over mean; 0 without a baseline */
  uint64_t compile_ns;        /**< building it took; little when it was in the cache */
  uint64_t first_run_ns;      /**< of the first checked run on the device; 0 without one */
  uint64_t global[3];         /**< as launched; zeros when it was not */
  uint64_t local[3];
  char message[512];          /**< what went wrong: the argument, the element, got and wanted */
} netcl_benchmark_result;
#define NETCL_BENCHMARK_RESULT_INIT \
  { sizeof(netcl_benchmark_result), 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, {0, 0, 0}, \
    {0, 0, 0}, {0} }

/**
 * Makes a benchmark with an empty record. The worker starts with the first candidate. UNSUPPORTED
 * on the built-in device, which runs no OpenCL C, and without a worker, naming where it was looked
 * for. All functions of a benchmark are BUSY while another one of it runs.
 * @param[out] benchmark one reference
 */
NETCL_API netcl_status netcl_benchmark_create(netcl_device *device,
                                              const netcl_benchmark_options *options,
                                              netcl_benchmark **benchmark);

/** Adds a reference. */
NETCL_API netcl_status netcl_benchmark_retain(netcl_benchmark *benchmark);
/** Gives a reference back; takes NULL. The worker ends with the last one. */
NETCL_API void netcl_benchmark_release(netcl_benchmark *benchmark);

/** Adds a tensor to the record. INVALID_ARGUMENT once the record is in use; so for the next two. */
NETCL_API netcl_status netcl_benchmark_add_tensor(netcl_benchmark *benchmark,
                                                  const netcl_benchmark_tensor *tensor);

/** Adds a scalar or struct of 1 to 65536 bytes to the record. */
NETCL_API netcl_status netcl_benchmark_add_scalar(netcl_benchmark *benchmark, const void *data,
                                                  size_t data_size);

/** Adds local memory to the record. */
NETCL_API netcl_status netcl_benchmark_add_local(netcl_benchmark *benchmark, uint64_t bytes);

/**
 * Gives the tensor of an argument in this process, for a baseline that is not a kernel; it holds
 * what it does in round 0 at first. INVALID_ARGUMENT when the argument is no tensor. @safe
 * @param[out] tensor one reference
 */
NETCL_API netcl_status netcl_benchmark_get_tensor(netcl_benchmark *benchmark, uint32_t index,
                                                  netcl_tensor **tensor);

/** Brings the tensors of this process into their first state for a round. */
NETCL_API netcl_status netcl_benchmark_prepare(netcl_benchmark *benchmark, uint32_t round);

/**
 * Keeps what the outputs of this process hold now as what candidates have to give in a round.
 * Candidates are checked in the rounds that are kept, in all rounds without values when none is.
 */
NETCL_API netcl_status netcl_benchmark_keep(netcl_benchmark *benchmark, uint32_t round);

/**
 * Times the baseline: for each round prepares, calls `work` once and keeps; then measures `work` on
 * the device's default queue as netcl_queue_time does, over the contents of round 0. `work` uses
 * the tensors of netcl_benchmark_get_tensor. Fails with what it returns. @safe
 * @param[out] statistics the statistics
 */
NETCL_API netcl_status netcl_benchmark_time_baseline(netcl_benchmark *benchmark,
                                                     netcl_work_fn work, void *user_data,
                                                     const netcl_measurement_options *options,
                                                     netcl_statistics *statistics);

/**
 * The same with a kernel of this process over the record's arguments.
 * @param[out] statistics the statistics
 */
NETCL_API netcl_status netcl_benchmark_time_kernel(netcl_benchmark *benchmark,
                                                   netcl_kernel *kernel, const uint64_t *global,
                                                   uint32_t global_count, const uint64_t *local,
                                                   uint32_t local_count,
                                                   const netcl_measurement_options *options,
                                                   netcl_statistics *statistics);

/**
 * Sets the statistics of a baseline that was measured otherwise: with netcl_benchmark_prepare,
 * netcl_benchmark_keep and a netcl_measurement over the tensors, which needs no callback.
 * INVALID_ARGUMENT without samples.
 */
NETCL_API netcl_status netcl_benchmark_set_baseline(netcl_benchmark *benchmark,
                                                    const netcl_statistics *statistics);

/**
 * Builds, checks and times a candidate in the worker; a worker that dies is replaced. Whatever is
 * wrong with the candidate is an outcome and no error. Fails with INVALID_ARGUMENT for a candidate
 * that nobody could run, and where what it would have to give leaves a tensor of OUT or INOUT as it
 * was, since then nothing tells whether it writes it; IO when its file cannot be read, BUSY when
 * another user holds the device, TIMEOUT or UNSUPPORTED when no worker can be started.
 * options->measurement must be NULL. @safe
 * @param[out] result what became of it
 */
NETCL_API netcl_status netcl_benchmark_run(netcl_benchmark *benchmark,
                                           const netcl_benchmark_candidate *candidate,
                                           const netcl_measurement_options *options,
                                           netcl_benchmark_result *result);

/**
 * Gives the first 4 KiB of the build log of the last candidate.
 * @param[out] buffer the text
 * @param[out,opt] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_benchmark_get_build_log(const netcl_benchmark *benchmark,
                                                     char *buffer, size_t capacity,
                                                     size_t *length);

/**
 * Gives the baseline and all candidates so far as JSON, times in milliseconds: mean, std, min, max
 * and speedup. A candidate that failed has a time of null and a reason.
 * @param[out] buffer the text
 * @param[out,opt] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_benchmark_get_json(const netcl_benchmark *benchmark, char *buffer,
                                                size_t capacity, size_t *length);

/* ---- Tuning ---------------------------------------------------------------------------------- */

/*
 * A search finds the fastest configuration of a space, whatever the configurations stand for: it
 * is asked what to measure, and told what came of it. A tuner does this for kernels and ops: it
 * builds, checks and times the candidates itself, and stores the best in the tuning database, where
 * dispatch finds it, in later processes too. docs/tuning.md explains both.
 *
 * NETCL_TUNE says what dispatch does: off neither looks up nor stores (tuners neither); cache, the
 * default, uses what is stored; first also tunes kernels made with NETCL_TUNE_FIRST_CALL when they
 * are launched with a size that is not stored; force does so once per process and size even when it
 * is, and tuners measure again what is stored.
 */

/** How the configurations that are tried are chosen. */
typedef int32_t netcl_search_strategy;
enum netcl_search_strategy_value {
  NETCL_SEARCH_AUTO = 0,        /**< EXHAUSTIVE where all of up to 256 may be tried, else GENETIC */
  NETCL_SEARCH_EXHAUSTIVE = 1,  /**< all, in the order of the space; up to 2^20 */
  NETCL_SEARCH_RANDOM = 2,      /**< all, in random order */
  NETCL_SEARCH_LOCAL = 3,       /**< to better neighbours, else on near the best so far */
  NETCL_SEARCH_ANNEALING = 4,   /**< to worse neighbours too, ever more rarely, again and again */
  NETCL_SEARCH_GENETIC = 5      /**< children of the better half of a population */
};

/**
 * A patience of 0 stands for never with EXHAUSTIVE, else for 4 times the root of the number of
 * valid configurations, at least 96: of a large space more has to be seen. Every strategy goes
 * on until evaluations, patience or budget_ns are spent or nothing is left to try.
 */
typedef struct netcl_search_options {
  size_t struct_size;
  uint64_t seed;
  uint64_t evaluations;   /**< configurations tried at most; 0: all of EXHAUSTIVE, else 512 */
  uint64_t patience;      /**< stop after so many without a better one; 0: see above */
  uint64_t budget_ns;     /**< from the first ask on; 0: none for a search, 60 s for a tuner */
  uint64_t samples;       /**< of each finalist at most; 0: 30 for a search, 20 for a tuner */
  double precision;       /**< a difference that is worth a change; 0: 0.01 */
  double drop_factor;     /**< what is surely this much slower than the best goes; 0: 1.2 */
  double roof_ns;         /**< shortest time that the device allows; 0: see netcl_tuner_run */
  double threshold_pct;   /**< percent of the roof that are good enough, 1 to 1000; 0: 90 */
  netcl_search_strategy strategy;
  uint32_t reserved;
} netcl_search_options;
#define NETCL_SEARCH_OPTIONS_INIT \
  { sizeof(netcl_search_options), 0, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 0, 0 }

typedef int32_t netcl_search_event_kind;
enum netcl_search_event_kind_value {
  NETCL_SEARCH_EVENT_STARTED = 1,
  NETCL_SEARCH_EVENT_CANDIDATE = 2,  /**< the first rounds of a candidate are over */
  NETCL_SEARCH_EVENT_BEST = 3,       /**< it is the best so far */
  NETCL_SEARCH_EVENT_FINAL = 4,      /**< those that may be the best begin to take turns */
  NETCL_SEARCH_EVENT_STOPPED = 5     /**< the last event of a search */
};

/** What happened in a search. */
typedef struct netcl_search_event {
  size_t struct_size;
  uint64_t sequence;      /**< counts from 1 */
  uint64_t time_ns;       /**< CLOCK_MONOTONIC */
  uint64_t evaluations;   /**< candidates so far */
  uint64_t left_ns;       /**< estimate of the time left; 0 when unknown */
  double fraction;        /**< done so far, 0 to 1 */
  double candidate_ns;    /**< median of the candidate, 0 when it has none */
  double best_ns;         /**< median of the best so far, 0 when there is none */
  netcl_search_event_kind kind;
  uint32_t candidate;
  netcl_outcome outcome;  /**< of the candidate */
  uint32_t best;          /**< index of the best candidate so far */
  uint32_t entry;         /**< of a tuner: which of its entries; else 0 */
  uint32_t reserved;
} netcl_search_event;
#define NETCL_SEARCH_EVENT_INIT \
  { sizeof(netcl_search_event), 0, 0, 0, 0, 0.0, 0.0, 0.0, 0, 0, 0, 0, 0, 0 }

/** What a search found. Times are nanoseconds. */
typedef struct netcl_search_result {
  size_t struct_size;
  netcl_stop_reason stop;    /**< RUNNING while it goes on */
  uint32_t best;             /**< index of the winner, of the best so far before the end */
  uint64_t configurations;   /**< valid ones, estimated where counting takes long, and default */
  uint64_t evaluations;      /**< of them tried */
  uint64_t known;            /**< of these, from an earlier run */
  uint64_t elapsed_ns;       /**< since the first ask */
  double median;             /**< of the winner */
  double interval_low;
  double interval_high;
  double default_median;     /**< of the default, 0 when it is not valid */
  double gain;               /**< median of the default over that of the winner, 1 for itself */
  double gain_low;           /**< interval of the gain, of confidence 0.999 */
  double gain_high;
  uint32_t is_default;       /**< @flag the winner is the default configuration */
  uint32_t tie;              /**< @flag the default won,
                                  as a faster one could not be told from it */
  uint64_t counts[16];       /**< candidates by netcl_outcome */
} netcl_search_result;
#define NETCL_SEARCH_RESULT_INIT \
  { sizeof(netcl_search_result), 0, 0, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, {0} }

/** One candidate of a search. Times are nanoseconds, 0 without samples. */
typedef struct netcl_search_candidate {
  size_t struct_size;
  uint64_t place;            /**< in its space; UINT64_MAX: in none, or in one beyond 2^20 */
  uint64_t samples_count;
  uint64_t compile_ns;       /**< 0 when unknown */
  double median;
  double interval_low;
  double interval_high;
  netcl_outcome outcome;     /**< UNKNOWN until its first rounds are over */
  uint32_t known;            /**< @flag found by an earlier run */
  char message[256];         /**< what is wrong with it, or which one it is the same program as */
} netcl_search_candidate;
#define NETCL_SEARCH_CANDIDATE_INIT \
  { sizeof(netcl_search_candidate), 0, 0, 0, 0.0, 0.0, 0.0, 0, 0, {0} }

/**
 * Makes a search over a space, which is copied. The default configuration (NULL standard: the
 * first of the space) is measured first and wins ties; INVALID_ARGUMENT with the reason when it is
 * not valid in the space, for a space without valid configurations, for one that cannot be counted,
 * and with EXHAUSTIVE for one with more than 2^20.
 * @param[opt] standard
 * @param[out] search one reference
 */
NETCL_API netcl_status netcl_search_create(const netcl_space *space,
                                           const netcl_device_capabilities *capabilities,
                                           const netcl_config *standard,
                                           const netcl_search_options *options,
                                           netcl_search **search);

/** Adds a reference. */
NETCL_API netcl_status netcl_search_retain(netcl_search *search);
/** Gives a reference back; takes NULL. */
NETCL_API void netcl_search_release(netcl_search *search);

/**
 * Tells what to measure next: `samples` times of one candidate, to be told before the next ask.
 * Each gets 1, then 3, then 10 samples, unless it is surely slower than drop_factor times the best;
 * a single sample has to be twice that slow. Those that are left take turns in random order until
 * they are told apart or have options->samples each.
 * @param[out] candidate its index, from 0 (the default) in the order of their first ask
 * @param[out] samples 0: the search is over
 * @param[out,opt,absent] config one reference, NULL when it is over; may be NULL
 */
NETCL_API netcl_status netcl_search_ask(netcl_search *search, uint32_t *candidate,
                                        uint64_t *samples, netcl_config **config);

/** Tells times of a candidate in nanoseconds, any number of them. */
NETCL_API netcl_status netcl_search_tell(netcl_search *search, uint32_t candidate,
                                         const double *samples, uint64_t samples_count);

/**
 * Tells that a candidate is not valid; it is not asked for again. `message` may be NULL.
 * @param[opt] message
 */
NETCL_API netcl_status netcl_search_tell_failure(netcl_search *search, uint32_t candidate,
                                                 netcl_outcome outcome, const char *message);

/** Ends a search at the next ask, from any thread. */
NETCL_API netcl_status netcl_search_cancel(netcl_search *search);

/**
 * Reads the oldest kept event whose sequence is greater than `after`, waiting for it when need be.
 * The last 1024 are kept. TIMEOUT when none came, NOT_FOUND when the search is over and none will.
 * @param[out] event the event
 */
NETCL_API netcl_status netcl_search_read_event(netcl_search *search, uint64_t after,
                                               uint64_t timeout_ns, netcl_search_event *event);

/** Gives what was found, so far or in the end. @param[out] result the result */
NETCL_API netcl_status netcl_search_get_result(netcl_search *search, netcl_search_result *result);

/**
 * Gives the winner: the fastest, or the default where the fastest cannot be told from it with a
 * confidence of 0.999. NOT_FOUND with the counts of what was wrong when nothing is valid.
 * @param[out] config one reference
 */
NETCL_API netcl_status netcl_search_get_best(netcl_search *search, netcl_config **config);

/**
 * Gives a candidate. NOT_FOUND past the last one.
 * @param[out] info the facts
 * @param[out,opt] config one reference; may be NULL
 */
NETCL_API netcl_status netcl_search_get_candidate(netcl_search *search, uint32_t index,
                                                  netcl_search_candidate *info,
                                                  netcl_config **config);

/**
 * Gives the samples of a candidate, those of the final last.
 * @param[out,opt] samples at most capacity of them; may be NULL when capacity is 0
 * @param[out] count samples there are
 */
NETCL_API netcl_status netcl_search_get_samples(netcl_search *search, uint32_t index,
                                                double *samples, uint64_t capacity,
                                                uint64_t *count);

/**
 * Gives the first message of an outcome with its configuration, "" when there was none.
 * @param[out] buffer the text
 * @param[out,opt] length bytes of the text without the NUL; may be NULL
 */
NETCL_API netcl_status netcl_search_get_failure(netcl_search *search, netcl_outcome outcome,
                                                char *buffer, size_t capacity, size_t *length);

/** How a search does on a recording; see netcl_search_replay. */
typedef struct netcl_replay_result {
  size_t struct_size;
  uint64_t recorded;      /**< configurations of the recording */
  uint64_t valid;         /**< of these, those that have a time */
  uint64_t evaluations;   /**< configurations that the search tried */
  double optimum;         /**< the shortest time of the recording, nanoseconds */
  double best;            /**< what the search found, nanoseconds; 0: nothing valid */
  netcl_stop_reason stop;
  netcl_search_strategy strategy;  /**< that AUTO stood for, or as given */
} netcl_replay_result;
#define NETCL_REPLAY_RESULT_INIT { sizeof(netcl_replay_result), 0, 0, 0, 0.0, 0.0, 0, 0 }

/**
 * Runs a search against recorded times: T4 JSON, as netcl_tuning_database_export writes it, or the
 * cache files of Kernel Tuner, in which a time may stand for the object that holds it. Its space is
 * the configurations of the recording; those that have no time fail when they are tried. Of two
 * entries of one configuration the later counts. One with fewer parameters than others, such as a
 * default outside of the space, is left out. Times are milliseconds where no "unit" or "timeunit"
 * is given: ns, us, ms, s or the word. CORRUPT_DATA naming what is wrong with the text, or a unit,
 * when no configuration has a time, and for results of several problems, which exports name. @safe
 * @param[out] result how the search did
 */
NETCL_API netcl_status netcl_search_replay(const char *text, size_t text_size,
                                           const netcl_search_options *options,
                                           netcl_replay_result *result);

/**
 * Stores the candidates as measurements and, when the search has ended other than by cancelling,
 * the winner as best, and configurations that crashed, hung, were wrong or wrote out of bounds in
 * quarantine, the default apart. `device` (may be NULL) as for a lookup. @safe
 * @param[opt] device
 */
NETCL_API netcl_status netcl_search_store(netcl_search *search, netcl_tuning_database *database,
                                          const netcl_device *device, const netcl_tuning_key *key);

/**
 * Takes over the measurements that are stored for the same key and space, before the first ask:
 * those configurations are not asked for in the first rounds again. The default is always measured.
 * `device` (may be NULL) as for a lookup. @safe
 * @param[opt] device
 * @param[out,opt] count configurations that were taken over; may be NULL
 */
NETCL_API netcl_status netcl_search_resume(netcl_search *search, netcl_tuning_database *database,
                                           const netcl_device *device,
                                           const netcl_tuning_key *key, uint64_t *count);

typedef struct netcl_tuner_options {
  size_t struct_size;
  const netcl_search_options *search;  /**< of each entry; NULL: defaults */
  netcl_tuning_database *database;     /**< NULL: the one of this user */
  uint64_t warmup_count;               /**< runs before the first sample; 0: 3 */
  uint64_t compile_limit_ns;           /**< a driver may compile until a run begins; 0: 60 s */
  uint64_t run_limit_ns;               /**< of one run that began; 0: 2 s or 20 times the best */
  uint32_t in_process;                 /**< @flag candidates run in this process,
                                            not in the worker */
  uint32_t force;                      /**< @flag measure again what is stored */
} netcl_tuner_options;
#define NETCL_TUNER_OPTIONS_INIT { sizeof(netcl_tuner_options), NULL, NULL, 0, 0, 0, 0, 0 }

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
typedef struct netcl_kernel_tuning {
  size_t struct_size;
  const uint64_t *local_sizes;      /**< rows of global_count extents */
  const int64_t *tile_sizes;        /**< values of tile_macro */
  const int64_t *unroll_factors;    /**< values of unroll_macro */
  const char *tile_macro;           /**< NULL: TILE_SIZE */
  const char *unroll_macro;         /**< NULL: UNROLL_FACTOR */
  const netcl_space *space;         /**< further macros with values, constraints and a work size */
  const netcl_launch_options *launch;
  uint32_t local_sizes_count;       /**< extents, not rows: a multiple of global_count */
  uint32_t tile_sizes_count;
  uint32_t unroll_factors_count;
  uint32_t reserved;
  const netcl_work *work;           /**< what a launch has to do at least; NULL: launch->work */
} netcl_kernel_tuning;
#define NETCL_KERNEL_TUNING_INIT \
  { sizeof(netcl_kernel_tuning), NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, NULL }

/** How an entry of a tuner stands. */
typedef struct netcl_tuner_result {
  size_t struct_size;
  netcl_match match;         /**< EXACT when the database has its result, else NONE */
  uint32_t measured;         /**< @flag this tuner measured it; 0: it was stored,
                                  or is still to do */
  netcl_status status;       /**< NETCL_OK, or why it could not be tuned */
  uint32_t reserved;
  uint64_t elapsed_ns;       /**< spent on it */
  uint64_t evaluations;      /**< configurations tried; 0 unless measured */
  double median;             /**< of the best, nanoseconds */
  double default_median;
  char name[128];
  char message[256];         /**< of a status other than NETCL_OK */
  uint64_t global[3];        /**< of the best, where a formula of the space gives it; else zeros */
  uint64_t local[3];         /**< likewise */
} netcl_tuner_result;
#define NETCL_TUNER_RESULT_INIT \
  { sizeof(netcl_tuner_result), 0, 0, 0, 0, 0, 0, 0.0, 0.0, {0}, {0}, {0, 0, 0}, {0, 0, 0} }

/**
 * Makes a tuner without entries. UNSUPPORTED naming the paths that were tried when candidates of
 * kernels are to run in the worker and there is none: found when the first one is to run.
 * @param[out] tuner one reference
 */
NETCL_API netcl_status netcl_tuner_create(netcl_device *device, const netcl_tuner_options *options,
                                          netcl_tuner **tuner);

/** Adds a reference. */
NETCL_API netcl_status netcl_tuner_retain(netcl_tuner *tuner);
/** Gives a reference back; takes NULL. */
NETCL_API void netcl_tuner_release(netcl_tuner *tuner);

/**
 * Adds a kernel with its work size and arguments; an entry of the same kernel, size and integer
 * arguments is replaced.
 * The contents of the arguments are read now and never written: candidates work on copies, and what
 * the kernel may write begins as random numbers where it holds floats, so that the results of an
 * earlier launch hide nothing. Candidates are checked on these contents, and on the same with their
 * floats times one factor between 1/2 and 1. Integers are the same in both checks: they may be
 * places, bounds or links, which are sound as they are and in no other order. So a candidate that
 * is right for these integers alone is not found out, nor one that does not write integers which
 * hold their results already. Where the kernel leaves all that it may write as it was, the entry
 * fails with INVALID_ARGUMENT.
 *
 * NULL args: those of the kernel's last launch of this size, its buffers filled anew; else buffers
 * of the sizes that the device's pool leased most often. Each of the two checks has random contents
 * of its own: floats from 0 to 1, bools, and integers from 0 to below the root of the element count
 * of the smallest tensor that has more than one element (0 and 1 at least), which can be places,
 * labels or counts. An integer alone in its tensor begins as 0, as a counter does. Give `args`
 * where the kernel asks more of its integers. What cannot be known without args, such as a scalar,
 * is INVALID_ARGUMENT naming the argument.
 *
 * netcl_tuner_run builds the kernel in this process, and launches it here with
 * netcl_tuner_options.in_process = 1. Arguments are refused as netcl_kernel_launch refuses them. A
 * list for a macro that the source does not use is INVALID_ARGUMENT too, UNSUPPORTED a kernel
 * without source.
 * @param[opt] args
 */
NETCL_API netcl_status netcl_tuner_add(netcl_tuner *tuner, netcl_kernel *kernel,
                                       const uint64_t *global, uint32_t global_count,
                                       const netcl_arg *args, uint32_t args_count,
                                       const netcl_kernel_tuning *tuning);

/**
 * Adds `batch` products of m x k by k x n (1: one alone): their variant, their tile sizes and
 * split_k are tuned, in this process, on random matrices. UNSUPPORTED for dtypes other than
 * f16, bf16, f32 and f64, INVALID_ARGUMENT for an extent below 1 and operands or a result of more
 * than 2^60 elements.
 */
NETCL_API netcl_status netcl_tuner_add_matmul(netcl_tuner *tuner, int64_t batch, int64_t m,
                                              int64_t n, int64_t k, netcl_dtype dtype);

/** Adds a convolution, likewise. */
NETCL_API netcl_status netcl_tuner_add_conv2d(netcl_tuner *tuner, const netcl_conv2d_shape *shape,
                                              netcl_dtype dtype);

/** Adds sums of `count` elements each, `outputs` of them, likewise. */
NETCL_API netcl_status netcl_tuner_add_reduction(netcl_tuner *tuner, int64_t outputs,
                                                 int64_t count, netcl_dtype dtype);

/**
 * Tunes all entries, one after the other, but those whose winner the database has: of the same
 * space, or put there without one (netcl_tuning_database_put); that of another space is replaced
 * by what is found, faster or not. What is wrong with one is in its result, and the others go on;
 * CANCELLED when netcl_tuner_cancel ended it. Of several threads or tuners of a process that come
 * to one key, one measures and the others take its result.
 * Configurations that build the same program for the same local size are measured once, and so are
 * those of an op that come to the same variant with the same sizes. An entry whose work is
 * declared, as ops do and tuning->work does, has the roofline as its roof_ns once the ceilings of
 * the device were measured (netcl_ceilings_measure, also in an earlier process). @safe
 */
NETCL_API netcl_status netcl_tuner_run(netcl_tuner *tuner);

/**
 * Ends the run that is under way, if any, from any thread; a run that begins later is not affected.
 * Nothing wins. Each candidate is stored as it is known, so the next run without options->force
 * goes on where this one stopped, also when the process was killed.
 */
NETCL_API netcl_status netcl_tuner_cancel(netcl_tuner *tuner);

/**
 * Reads events of all entries as netcl_search_read_event does. NOT_FOUND while no run is under way
 * and none is left.
 * @param[out] event the event
 */
NETCL_API netcl_status netcl_tuner_read_event(netcl_tuner *tuner, uint64_t after,
                                              uint64_t timeout_ns, netcl_search_event *event);

/** Counts the entries. @param[out] count the number */
NETCL_API netcl_status netcl_tuner_get_count(netcl_tuner *tuner, uint32_t *count);

/**
 * Gives the result of an entry, in the order in which they were added. NOT_FOUND past the last one.
 * @param[out] result how it stands
 * @param[out,opt,absent] config one reference, NULL when there is none; may be NULL
 */
NETCL_API netcl_status netcl_tuner_get_result(netcl_tuner *tuner, uint32_t index,
                                              netcl_tuner_result *result, netcl_config **config);

/**
 * Gives the search of an entry with all candidates. NOT_FOUND for one that was not measured.
 * @param[out] search one reference
 */
NETCL_API netcl_status netcl_tuner_get_search(netcl_tuner *tuner, uint32_t index,
                                              netcl_search **search);

/**
 * Looks up what dispatch uses for a kernel or op of that name and size: by an entry of the name,
 * else by what the database has for it on this device, the latest where there are several; the
 * integer arguments are those of what it was found by. For a near size that is less than was
 * stored: a kernel's macros are not used, its local size is made a divisor, and a product's depth
 * is not cut. NOT_FOUND for a name that neither knows; no match is no error.
 *
 * Ops have the names "op.matmul", with the extents m, n, k, batch; "op.conv2d", with batch,
 * channels, height, width, filters; and "op.reduction", with outputs, count. INVALID_ARGUMENT for
 * an op with another number of extents. @safe
 * @param[out] match how well it fits
 * @param[out,absent] config one reference, NULL with no match
 */
NETCL_API netcl_status netcl_tuner_lookup(netcl_tuner *tuner, const char *name,
                                          const uint64_t *global, uint32_t global_count,
                                          netcl_match *match, netcl_config **config);

/** Writes the database's records of this tuner's entries to a new file, as lines of a database. */
NETCL_API netcl_status netcl_tuner_save(netcl_tuner *tuner, const char *path);

/** Adds the records of a file to the database: netcl_tuning_database_merge. */
NETCL_API netcl_status netcl_tuner_load(netcl_tuner *tuner, const char *path);

/** Removes the entries, and the database's records of them. */
NETCL_API netcl_status netcl_tuner_clear(netcl_tuner *tuner);

/**
 * Tunes one kernel: a tuner with one entry, which measures as netcl_tuner_run does: what the
 * database has is taken, what an earlier run began is gone on with, and options->force = 1 begins
 * anew. Fails with what the entry failed with.
 * @param[out] config one reference: the winner
 * @param[out,opt,absent] search one reference: all candidates, NULL when nothing was measured
 * because the winner was stored; may be NULL
 */
NETCL_API netcl_status netcl_kernel_autotune(netcl_kernel *kernel, const uint64_t *global,
                                             uint32_t global_count, const netcl_arg *args,
                                             uint32_t args_count,
                                             const netcl_kernel_tuning *tuning,
                                             const netcl_tuner_options *options,
                                             netcl_config **config, netcl_search **search);

#ifdef __cplusplus
}
#endif

#endif /* NETCL_H */
