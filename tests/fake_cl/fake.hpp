// A stand-in for an OpenCL loader with a device that follows a script: what a kernel takes by its
// clock, and which ones hang, end the process, are wrong, write outside, do not build or find no
// memory. Nothing is compiled and nothing takes real time, so that tuning can be tested without a
// GPU and with the same times in every run. NETCL_OPENCL_LIBRARY names it.
//
// A kernel without a rule of its own still computes something: element i of each buffer that it may
// write becomes 2 * in[i] + 1, in being its first const buffer, all of them floats.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#ifndef CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#endif
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace fake {

using Macros = std::map<std::string, std::string>;

struct Parameter {
  std::string type;
  std::string name;
  cl_kernel_arg_address_qualifier address = CL_KERNEL_ARG_ADDRESS_PRIVATE;
  bool is_const = false;
};
struct Function {
  std::string name;
  std::vector<Parameter> parameters;
};
// What is known of a program: from its source, or from a binary that was made of it.
struct Code {
  Macros macros;
  std::vector<Function> functions;
  std::string rest;  // a hash of the source without its macros
};

Code parse_source(const std::string& source, const std::string& options);
// Macros in `without` make no difference to the binary.
std::string encode_binary(const Code& code, const std::vector<std::string>& without);
bool decode_binary(const std::string& binary, Code* code);

// ---- The script
//
// It lies in the file that NETCL_FAKE_CL_SCRIPT names, and is read again at each use:
//   seed N        noise R       drift R        of all times: relative, and per launch
//   memory N      bytes that buffers may have together
//   arguments N   bytes of arguments that a kernel may have; the driver tells none without it
//   log           every launch of a kernel, into the file that NETCL_FAKE_CL_LOG names
//   batches WORD  of cl_khr_command_buffer: "none" does not announce it, "later" tells of version
//                 1.0, "once" lets none run twice at a time, the name of a function leaves that
//                 out; "take MS" lets each begin only then, by the real clock
//   share         the device imports memory of CUDA's driver (fake_cuda.cpp)
//   gpus N        there are so many devices, 1 or 2
//   same NAME     a macro that makes no difference to the binary
//   NAME [MACRO=VALUE ...] : ACTION ...        of a kernel; * is any. Rules later in the file win.
// LOCAL_X, LOCAL_Y, LOCAL_Z and GLOBAL_X stand for the sizes of the launch. Actions: time NS, hang,
// abort, illegal (as NVIDIA's driver tells it: asked for its state the event gives no answer but
// -9999, and so does whatever is enqueued later), refuse (INVALID_WORK_ITEM_SIZE), refuse-local
// BYTES (OUT_OF_RESOURCES, when the local arguments together have more; of netcl's own kernels too,
// where the rule names one), attack PATH (tries to change that file and to reach the parent, and
// goes on), fill (writes 10 GiB), orphan (a process that leaves the group and closes all files,
// then abort), late MS (the first launch of a macro set and size begins only then, by the real
// clock: a driver that compiles late), wrong [LOW HIGH] (when the first element that is read lies
// between),
// remembers N (after N launches in a row that read the same first element it goes on with what it
// read then), outside, uneven FACTOR (every other launch takes so much longer; of netcl's own
// kernels too, as with refuse-local), build-error TEXT, build-abort, build-hang.
struct Rule {
  std::string kernel;
  Macros when;
  std::string action;
  std::vector<std::string> words;
};
struct Script {
  uint64_t seed = 1;
  double noise = 0;
  double drift = 0;
  uint64_t memory = UINT64_MAX;
  uint64_t argument_bytes = 0;
  bool log = false;
  bool share = false;
  cl_uint gpus = 1;
  std::string batches;
  uint64_t batch_ms = 0;
  std::vector<std::string> same;
  std::vector<Rule> rules;

  // The last rule of a kernel with an action, null when there is none.
  const Rule* find(const std::string& kernel, const Macros& facts, const char* action) const;
};
Script read_script();
// Adds a line to the log.
void note_launch(const std::string& line);

// ---- Failures
//
// NETCL_FAKE_CL_FAIL="FUNCTION NTH CODE" makes one call of a function fail, counted from when the
// variable got this value; with "NTH+" that one and all after it. fake_fail_hits counts them.
cl_int injected(const char* function);
// After an illegal access the device takes no commands.
inline constexpr cl_int kIllegalAccess = -9999;
std::atomic<bool>& device_gone();
#define FAKE_FAIL \
  if (const cl_int fake_code = fake::injected(__func__)) return fake_code
#define FAKE_FAIL_MADE                                     \
  if (const cl_int fake_code = fake::injected(__func__)) { \
    *code = fake_code;                                     \
    return nullptr;                                        \
  }                                                        \
  static_assert(true)

// ---- Objects, all under one mutex

struct Counted {
  int references = 1;
};

std::mutex& mutex();
uint64_t& clock_ns();

}  // namespace fake

struct _cl_platform_id {};
struct _cl_device_id {
  size_t number;
};
struct _cl_context : fake::Counted {
  cl_device_id device = nullptr;
};
struct _cl_command_queue : fake::Counted {
  cl_context context = nullptr;
  cl_command_queue_properties properties = 0;
  bool stuck = false;  // a command of it never ends
};
struct _cl_mem : fake::Counted {
  cl_context context = nullptr;
  cl_mem parent = nullptr;
  size_t offset = 0;
  size_t size = 0;
  unsigned char* data = nullptr;
  std::unique_ptr<unsigned char[]> own;
  bool imported = false;  // mapped from a file
};
struct _cl_program : fake::Counted {
  std::string source;
  bool from_source = false;
  bool built = false;
  fake::Code code;
  std::string log;
};
struct _cl_kernel : fake::Counted {
  cl_program program = nullptr;
  fake::Function function;
  fake::Macros macros;
  std::vector<std::string> arguments;  // the bytes that were set
  std::vector<size_t> local_bytes;     // of local memory, by argument
};
struct _cl_event : fake::Counted {
  cl_command_queue queue = nullptr;
  cl_context context = nullptr;
  cl_int status = CL_COMPLETE;
  uint64_t begin_ns = 0;
  uint64_t end_ns = 0;
  std::chrono::steady_clock::time_point begins;  // for a launch that is late
  cl_int now() const { return std::chrono::steady_clock::now() < begins ? CL_SUBMITTED : status; }
};

namespace fake {

// How many kernels and command buffers there are: fake_live_kernels, fake_live_batches.
void count_live(int kernels, int batches);

// Whether a command can run now; the rest of its queue waits with it when it cannot.
bool ready(cl_command_queue queue, cl_uint count, const cl_event* waits);
// Ends a command that took this long, and makes its event unless that is null.
void finish(cl_command_queue queue, cl_int status, uint64_t time_ns, cl_event* event);

// ---- Commands that are held back, see hold.hpp

struct Held {
  cl_command_queue queue = nullptr;
  std::vector<cl_event> waits{};
  std::vector<cl_mem> uses{};
  std::function<void()> work{};  // null: a marker or a barrier
  bool barrier = false;
  bool waits_for_all = false;  // of what is in front of it in its queue
  bool kernel = false;
  // Filled in by hold().
  uint64_t number = 0;
  cl_event event = nullptr;
  bool flushed = false;
};
bool holding();
bool waiting();  // True when commands run while a host asks for the state of an event.
// Takes references to what the command needs.
void hold(Held held, cl_event* event);
void flush_held(cl_command_queue queue);
// Lets held commands run until this one has, or none may run.
void progress_until(const _cl_event* event);
// The same for a host that is going to wait: when it would wait for ever, that is counted, and what
// may not run does.
void wait_ends(const _cl_event* event);
void run_held_kernel(const _cl_kernel& kernel);
// Gives back a reference to memory, with the mutex held.
void release_locked(cl_mem mem);

enum class Ran { done, never, refused, too_local, illegal };

// Runs a kernel now and says how long that took by the clock of the device.
Ran run_kernel(const _cl_kernel& kernel, cl_uint rank, const size_t* global, const size_t* local,
               uint64_t* time_ns, uint64_t* late_ms);

// Copies an answer out as the clGet...Info functions do.
cl_int give(const void* value, size_t size, size_t capacity, void* out, size_t* needed);
cl_int give(const std::string& text, size_t capacity, void* out, size_t* needed);
template <class T>
cl_int give_value(T value, size_t capacity, void* out, size_t* needed) {
  return give(&value, sizeof value, capacity, out, needed);
}

}  // namespace fake
