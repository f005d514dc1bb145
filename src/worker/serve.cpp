#include "worker/serve.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include "core/build_id.hpp"
#include "device/manager.hpp"
#include "tune/execute.hpp"
#include "tune/frame.hpp"
#include "tune/wire.hpp"
#include "tune/worker_protocol.hpp"
#include "worker/confine.hpp"

namespace netcl::worker {

namespace {

using tune::Frame;
using tune::Job;
using tune::JobResult;
using tune::Phase;

constexpr uint64_t kBlobMost = uint64_t{1} << 40;
constexpr int kParentLookMs = 1000;
// Timed runs report no more often than this.
constexpr uint64_t kReportNs = 50000000;

// The socket, written by whichever thread has something to say.
class Line {
 public:
  explicit Line(int socket) : socket_(socket) {}

  void say(const Json& json) {
    const std::string text = json.dump();
    const std::string all = tune::frame_header(text.size(), 0) + text;
    const std::lock_guard<std::mutex> lock(mutex_);
    size_t at = 0;
    while (at < all.size()) {
      const ssize_t sent = ::send(socket_, all.data() + at, all.size() - at, MSG_NOSIGNAL);
      if (sent > 0) {
        at += static_cast<size_t>(sent);
      } else if (sent < 0 && errno != EINTR) {
        // Nobody is there any more.
        ::_exit(0);
      }
    }
  }

  void say_failure(const Error& error) {
    Json json;
    json["kind"] = "failed";
    json["status"] = -error.status();
    json["message"] = tune::text_to_json(error.message());
    say(json);
  }

 private:
  int socket_;
  std::mutex mutex_;
};

// The jobs, on a thread of their own: the first thread must see the end of the socket even when a
// kernel does not come back.
class Work final : public tune::Observer {
 public:
  Work(Line& line, DeviceRef device)
      : line_(line),
        device_(std::move(device)),
        executor_(QueueSet::of(*device_).default_queue()) {}

  // One message "run" at a time.
  void run(const Frame& frame) {
    try {
      take_blobs(frame);
      std::vector<Job> jobs;
      for (const Json& json : tune::member(frame.json, "jobs")) {
        jobs.push_back(tune::job_from_json(json, blobs_));
        tune::prepare_job(&jobs.back());
      }
      last_report_ns_ = 0;
      const std::vector<JobResult> results = executor_.run(jobs, *this);
      end_if_lost();
      Json answer;
      answer["kind"] = "results";
      answer["stuck"] = executor_.stuck();
      answer["distrusted"] = executor_.distrusted();
      answer["results"] = Json::array();
      for (const JobResult& result : results) {
        answer["results"].push_back(tune::result_to_json(result));
      }
      line_.say(answer);
    } catch (const std::exception&) {
      end_if_lost();
      line_.say_failure(caught_error());
    }
  }

  void go() {
    const std::lock_guard<std::mutex> lock(mutex_);
    go_ = true;
    changed_.notify_all();
  }

 private:
  // A process that has lost its device cannot have it again, and what it would say of the next job
  // is no fault of that one: the job at hand has ended this process.
  void end_if_lost() {
    if (!device_->backend().lost()) return;
    Json json;
    json["kind"] = "lost";
    line_.say(json);
    end_group();
  }

  void phase(Phase phase, size_t index) override {
    end_if_lost();
    const uint64_t now = monotonic_ns();
    if (phase == Phase::time && last_phase_ == phase && now - last_report_ns_ < kReportNs) return;
    last_phase_ = phase;
    last_report_ns_ = now;
    Json json;
    json["kind"] = "phase";
    json["phase"] = static_cast<int>(phase);
    json["index"] = index;
    line_.say(json);
    if (phase != Phase::device) return;
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return go_; });
    go_ = false;
  }
  // Whoever wants no more of this ends the process.
  bool cancelled() override { return false; }

  void take_blobs(const Frame& frame) {
    tune::Blobs kept;
    for (const Json& name : tune::member(frame.json, "keep")) {
      const auto known = blobs_.find(name.get<std::string>());
      if (known != blobs_.end()) kept.insert(*known);
    }
    size_t at = 0;
    for (const Json& blob : tune::member(frame.json, "blobs")) {
      const size_t left = frame.blob.size() - at;
      const auto size = static_cast<size_t>(tune::number_member(blob, "size", left));
      const std::string name = tune::text_member(blob, "name");
      kept[name] = std::make_shared<std::string>(frame.blob, at, size);
      at += size;
    }
    blobs_ = std::move(kept);
  }

  Line& line_;
  DeviceRef device_;
  tune::Executor executor_;
  tune::Blobs blobs_;
  Phase last_phase_ = Phase::compile;
  uint64_t last_report_ns_ = 0;
  std::mutex mutex_;  // guards go_
  std::condition_variable changed_;
  bool go_ = false;
};

// The first thread: reads what comes.
class Server {
 public:
  explicit Server(int socket) : socket_(socket), line_(socket) {}

  int run() {
    const Frame hello = next();
    if (tune::text_member(hello.json, "kind") != "hello") return 4;
    Json welcome;
    welcome["kind"] = "welcome";
    welcome["build"] = build_id();
    line_.say(welcome);
    if (tune::number_member(hello.json, "protocol") != tune::kWorkerProtocol ||
        tune::text_member(hello.json, "build") != build_id()) {
      return 4;
    }
    parent_ = static_cast<pid_t>(tune::number_member(hello.json, "pid", INT32_MAX));
    std::thread(&Server::work_on, this, hello.json).detach();
    for (;;) {
      Frame frame = next();
      const std::string kind = tune::text_member(frame.json, "kind");
      const std::lock_guard<std::mutex> lock(mutex_);
      if (kind == "go" && work_ != nullptr) {
        work_->go();
      } else if (kind == "run" && !waiting_) {
        job_ = std::move(frame);
        waiting_ = true;
        changed_.notify_all();
      } else {
        return 4;
      }
    }
  }

 private:
  // The next message; ends the process when there will be none.
  Frame next() {
    for (;;) {
      if (auto frame = reader_.take()) return std::move(*frame);
      pollfd file{socket_, POLLIN, 0};
      const int ready = ::poll(&file, 1, kParentLookMs);
      // A child that the parent forked may hold its end of the socket open.
      if (parent_ > 0 && ::getppid() != parent_) end_group();
      if (ready <= 0) continue;
      char piece[8192];
      const ssize_t size = ::recv(socket_, piece, sizeof piece, 0);
      if (size > 0) {
        reader_.feed({piece, static_cast<size_t>(size)});
      } else if (size == 0 || errno != EINTR) {
        end_group();
      }
    }
  }

  // Opens the device that the parent means, and then does the jobs.
  void work_on(Json hello) {
    try {
      auto work = std::make_unique<Work>(line_, open(tune::member(hello, "device")));
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        work_ = std::move(work);
      }
      Json ready;
      ready["kind"] = "ready";
      line_.say(ready);
    } catch (const Error& error) {
      line_.say_failure(error);
      return;
    }
    for (;;) {
      Frame frame;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this] { return waiting_; });
        frame = std::move(job_);
        waiting_ = false;
      }
      work_->run(frame);
    }
  }

  // The same device has the same place in the list unless the drivers have changed meanwhile.
  static DeviceRef open(const Json& wanted) {
    const std::string name = tune::text_member(wanted, "name");
    const std::string platform = tune::text_member(wanted, "platform");
    const std::string driver = tune::text_member(wanted, "driver");
    const std::string uuid = tune::text_member(wanted, "uuid");
    const uint64_t index = tune::number_member(wanted, "index", UINT32_MAX);
    const std::vector<netcl_device_info>& list = DeviceManager::instance().list();
    const netcl_device_info* found = nullptr;
    for (const netcl_device_info& info : list) {
      const std::string its_uuid =
          info.has_uuid != 0
              ? std::string(reinterpret_cast<const char*>(info.uuid), sizeof info.uuid)
              : std::string();
      if (name != info.name || platform != info.platform_name || driver != info.driver_version ||
          uuid != its_uuid) {
        continue;
      }
      if (found == nullptr || info.index == index) found = &info;
    }
    if (found == nullptr) {
      fail(NETCL_ERROR_NO_DEVICE, "the worker finds no device %s of driver %s",
           quoted(name.c_str()).c_str(), quoted(driver.c_str()).c_str());
    }
    return DeviceManager::instance().open(format("%u", found->index).c_str(), false);
  }

  int socket_;
  Line line_;
  tune::FrameReader reader_{kJsonBytesMost, kBlobMost};
  pid_t parent_ = 0;
  std::unique_ptr<Work> work_;
  std::mutex mutex_;  // guards job_, waiting_ and the making of work_
  std::condition_variable changed_;
  Frame job_;
  bool waiting_ = false;
};

}  // namespace

int serve(int socket) {
  try {
    // Left alone at the end: the other thread may be inside a driver.
    static Server* const server = new Server(socket);
    ::_exit(server->run());
  } catch (const std::exception&) {
    ::_exit(4);
  }
}

}  // namespace netcl::worker
