// One worker process: its life, and the messages to it and from it.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/wait.hpp"
#include "core/cache_directory.hpp"
#include "tune/frame.hpp"

namespace netcl::tune {

class WorkerProcess {
 public:
  struct Options {
    std::string path;
    std::string folder;  // to work in; empty: where this process does
    uint32_t id = 0;     // for the log
  };
  // Starts it. UNSUPPORTED when it cannot be executed, IO when the system has no room for it.
  explicit WorkerProcess(const Options& options);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  enum class Got : uint8_t {
    message,
    timeout,
    cancelled,
    closed,  // its end of the socket is gone: it is dead
    damaged  // what came is no message
  };

  // Sends JSON and then pieces of other bytes; anything but `message` says why that failed.
  Got send(const Json& json, const std::vector<std::string_view>& pieces, const Deadline& deadline,
           const std::function<bool()>& cancelled);
  Got receive(Frame* frame, const Deadline& deadline, const std::function<bool()>& cancelled);

  // Ends the process and everything it started, and takes its exit status.
  void kill();
  // After kill(): how it ended, "signal 11 (Segmentation fault)", with the last it had to say.
  std::string ending() const;

 private:
  void start(const Options& options, int child_socket, int child_output);
  Got wait(short events, const Deadline& deadline, const std::function<bool()>& cancelled);
  void drain_output();
  void log_output(std::string_view text);
  bool at_end();
  void reap(uint64_t patience_ns);

  uint32_t id_;
  pid_t pid_ = -1;
  Descriptor socket_{-1};
  Descriptor output_{-1};
  FrameReader reader_;
  bool reaped_ = false;
  bool status_known_ = false;
  bool killed_ = false;
  int status_ = 0;
  std::string line_;       // of its output, unfinished
  std::string last_line_;  // the last whole one
};

}  // namespace netcl::tune
