// The environment variables, read once when the state of a process is made. docs/environment.md is
// the table for users; this struct is the same table for the code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "netcl.h"

namespace netcl {

class Log;

// Which shape of kernels an OpenCL device gets.

enum class TunePolicy : uint8_t { off, cache, first, force };

struct Environment {
  netcl_strategy kernel_strategy = 0;  // NETCL_KERNEL_STRATEGY; 0: auto
  bool kernels_on_cpus = false;        // NETCL_DEVICE_CLASS=gpu
  bool matrix_units = true;            // NETCL_MATRIX_UNITS
  bool conv_winograd = true;           // NETCL_CONV_WINOGRAD
  bool conv_tiled_local = false;       // NETCL_CONV_TILED_LOCAL
  bool command_buffers = true;         // NETCL_COMMAND_BUFFERS
  // NETCL_VARIANT: of matmul, conv2d, elementwise, reduction and batchnorm; 0 leaves it to the
  // rules
  netcl_variant variants[6] = {0, 0, 0, 0, 0, 0};
  uint64_t max_cached_bytes = uint64_t{4} << 30;  // NETCL_MAX_CACHED_GB
  bool async_h2d = true;                          // NETCL_ASYNC_H2D
  bool pinned_h2d = true;                         // NETCL_PINNED_H2D
  bool profile_events = false;                    // NETCL_PROFILE_EVENTS
  TunePolicy tune = TunePolicy::cache;            // NETCL_TUNE
  bool backend_builtin = false;                   // NETCL_BACKEND=builtin
  std::string opencl_library;                     // NETCL_OPENCL_LIBRARY; empty: libOpenCL.so.1
  std::string cache_dir;                          // NETCL_CACHE_DIR, else its default; empty: none
  netcl_log_level log_level = NETCL_LOG_WARNING;  // NETCL_LOG_LEVEL
  std::string trace_path;                         // NETCL_TRACE; empty: none
  std::string worker;                             // NETCL_WORKER; empty: beside the library
  std::string mpi_library;                        // NETCL_MPI_LIBRARY; empty: beside the library
  std::string nccl_library;                       // NETCL_NCCL_LIBRARY; empty: libnccl.so.2
  uint32_t num_threads = 0;                // NETCL_NUM_THREADS; 0: as many as processors allow
  uint64_t exit_timeout_ns = 2000000000u;  // NETCL_EXIT_TIMEOUT_MS

  std::vector<std::string> complaints;  // one line for each value that was not understood

  // Puts the complaints into the log.
  void report(Log& log) const;
};

Environment read_environment();

// The environment of this process.
const Environment& environment();

}  // namespace netcl
