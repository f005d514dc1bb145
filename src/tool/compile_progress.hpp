// How long a model has been compiling, on stderr.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_COMPILE_PROGRESS_HPP
#define NETCL_TOOL_COMPILE_PROGRESS_HPP

#include <netcl.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace netcl::tool {

/// While it lives, and after half a second, it shows seconds and the programs that were compiled or
/// found on disk: one line that is drawn again on a terminal, else a line each five seconds.
class CompileProgress {
 public:
  CompileProgress();
  ~CompileProgress();
  CompileProgress(const CompileProgress&) = delete;
  CompileProgress& operator=(const CompileProgress&) = delete;

 private:
  void watch();
  void draw(double seconds);

  const bool terminal_;
  const netcl_program_cache_info before_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  bool drawn_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace netcl::tool

#endif  // NETCL_TOOL_COMPILE_PROGRESS_HPP
