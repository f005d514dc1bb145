#include "timing/trace.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "core/file.hpp"
#include "core/json.hpp"
#include "core/number.hpp"
#include "core/wait.hpp"

namespace netcl::timing {

namespace {

constexpr size_t kBufferBytes = 16384;
constexpr uint64_t kFlushNs = 100000000;
constexpr uint64_t kHostProcess = 1;
// Lanes of one queue: more than this many commands at once share the last one's number range.
constexpr uint64_t kLanesPerQueue = 1000;
// How far clocks of host and device may be apart while a command counts as after the one before.
constexpr uint64_t kClockErrorNs = 20000;
constexpr std::string_view kEnd = "\n]\n";

int open_trace(const std::string& path) {
  const std::string doubt = distrust_link(path.c_str());
  // O_NONBLOCK: opening a device somebody put there must not wait.
  const int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  const int fd = doubt.empty() ? open(path.c_str(), flags, 0666) : -1;
  if (fd < 0) {
    fail(NETCL_ERROR_IO, "trace file %s cannot be opened: %s", quoted(path.c_str(), 256).c_str(),
         doubt.empty() ? errno_text(errno).c_str() : doubt.c_str());
  }
  struct stat facts;
  const char* problem = nullptr;
  int code = 0;
  if (fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    problem = "it is no regular file";
  } else if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    problem = "another process writes a trace there";
  } else if (ftruncate(fd, 0) != 0) {
    code = errno;
  }
  if (problem == nullptr && code == 0) return fd;
  close(fd);
  fail(NETCL_ERROR_IO, "trace file %s cannot be written: %s", quoted(path.c_str(), 256).c_str(),
       problem != nullptr ? problem : errno_text(code).c_str());
}

std::string json_string(std::string_view text) {
  std::string out;
  add_json_text(text, &out);
  return out;
}

// Microseconds with the nanoseconds behind the point, whatever the locale.
std::string micros(uint64_t ns) {
  return format("%llu.%03llu", static_cast<unsigned long long>(ns / 1000),
                static_cast<unsigned long long>(ns % 1000));
}

std::string lane_text(uint64_t process, uint64_t lane) {
  return format("\"pid\":%llu,\"tid\":%llu", static_cast<unsigned long long>(process),
                static_cast<unsigned long long>(lane));
}

}  // namespace

Trace::Trace(const std::string& path) : path_(path), start_ns_(monotonic_ns()) {
  flushed_ns_ = start_ns_;
  fd_.number = open_trace(path);
  position_ = 1;
  error_ = write_at(fd_.number, "[\n]\n", 0);
  add(format("{\"ph\":\"M\",\"name\":\"process_name\",%s,\"args\":{\"name\":\"host (pid %d)\"}}",
             lane_text(kHostProcess, 0).c_str(), static_cast<int>(getpid())));
  flush(true);
  if (error_ == 0) return;
  if (error_ == ENOMEM) throw std::bad_alloc();
  fail(NETCL_ERROR_IO, "trace file %s cannot be written: %s", quoted(path.c_str(), 256).c_str(),
       errno_text(error_).c_str());
}

Trace::~Trace() { flush(true); }

Trace::Descriptor::~Descriptor() {
  if (number >= 0) close(number);
}

std::string Trace::stamp(uint64_t ns) const { return micros(ns > start_ns_ ? ns - start_ns_ : 0); }

std::string Trace::span(uint64_t begin_ns, uint64_t end_ns) const {
  const uint64_t begin = std::max(begin_ns, start_ns_);
  return format("\"ts\":%s,\"dur\":%s", stamp(begin).c_str(),
                micros(std::max(end_ns, begin) - begin).c_str());
}

void Trace::add(const std::string& event) {
  buffer_ += first_ ? "\n" : ",\n";
  buffer_ += event;
  first_ = false;
}

void Trace::flush(bool now) noexcept {
  if (buffer_.empty()) return;
  const uint64_t time = monotonic_ns();
  if (!now && buffer_.size() < kBufferBytes && time - flushed_ns_ < kFlushNs) return;
  flushed_ns_ = time;
  const size_t size = buffer_.size();
  // One write moves the end: before it and after it the file is whole.
  if (error_ == 0) {
    try {
      buffer_ += kEnd;
      error_ = write_at(fd_.number, buffer_, position_);
    } catch (...) {
      error_ = ENOMEM;
    }
    // A full disk takes a part: the end goes back to where it was, on blocks that the file has.
    if (error_ != 0 && ftruncate(fd_.number, static_cast<off_t>(position_ + kEnd.size())) == 0) {
      (void)write_at(fd_.number, kEnd, position_);
    }
    position_ += size;
  }
  buffer_.clear();
}

void Trace::name_lane(uint64_t process, uint64_t lane, const std::string& name) {
  add(format("{\"ph\":\"M\",\"name\":\"thread_name\",%s,\"args\":{\"name\":%s}}",
             lane_text(process, lane).c_str(), json_string(name).c_str()));
}

// Slices that do not nest get lanes of their own, on which nothing overlaps.
uint64_t Trace::host_lane(const HostSlice& slice) {
  const auto number = static_cast<unsigned long long>(slice.thread);
  if (!threads_named_[slice.thread]) {
    name_lane(kHostProcess, slice.thread, format("thread %llu", number));
    threads_named_[slice.thread] = true;
  }
  if (slice.nested) return slice.thread;
  std::vector<std::pair<uint64_t, uint64_t>>& lanes = extra_lanes_[slice.thread];
  for (auto& [lane, end] : lanes) {
    if (end > slice.begin_ns) continue;
    end = slice.end_ns;
    return lane;
  }
  lanes.emplace_back(next_lane_++, slice.end_ns);
  name_lane(kHostProcess, lanes.back().first, format("thread %llu, more", number));
  return lanes.back().first;
}

void Trace::host(const HostSlice& slice) {
  const uint64_t lane = host_lane(slice);
  add(format("{\"ph\":\"X\",\"cat\":\"region\",\"name\":%s,%s,%s}", json_string(slice.name).c_str(),
             lane_text(kHostProcess, lane).c_str(), span(slice.begin_ns, slice.end_ns).c_str()));
}

uint64_t Trace::device_process(const CommandSlice& slice) {
  const auto at = devices_.find(slice.device);
  if (at != devices_.end()) return at->second.process;
  const uint64_t process = kHostProcess + 1 + devices_.size();
  devices_[std::string(slice.device)].process = process;
  add(format("{\"ph\":\"M\",\"name\":\"process_name\",%s,\"args\":{\"name\":%s}}",
             lane_text(process, 0).c_str(), json_string(slice.device).c_str()));
  return process;
}

void Trace::narrow(Clock* clock, const CommandSlice& slice) {
  if (slice.device_is_host) {
    clock->known = true;
    return;
  }
  // A driver that does not say when a command was queued: assume that the first ran at once.
  const bool queued_known = slice.timing.queued_ns != 0;
  if (!queued_known && clock->known) return;
  const uint64_t device_ns = queued_known ? slice.timing.queued_ns : slice.timing.started_ns;
  const auto low = static_cast<int64_t>(slice.host_begin_ns - device_ns);
  const auto high = static_cast<int64_t>(slice.host_end_ns - device_ns);
  if (clock->known && low <= clock->high && clock->low <= high) {
    clock->low = std::max(clock->low, low);
    clock->high = std::min(clock->high, high);
  } else {
    // The first command, or the clocks have drifted apart.
    *clock = {true, low, high};
  }
}

uint64_t Trace::queue_lane(uint64_t process, uint64_t queue, uint64_t error_ns, uint64_t* begin,
                           uint64_t* end) {
  std::vector<uint64_t>& ends = queue_lanes_[queue];
  const auto number = static_cast<unsigned long long>(queue);
  size_t index = 0;
  while (index < ends.size() && *begin + error_ns < ends[index]) ++index;
  const uint64_t lane = queue * kLanesPerQueue + std::min<uint64_t>(index, kLanesPerQueue - 1);
  if (index == ends.size()) {
    ends.push_back(0);
    name_lane(process, lane,
              index == 0 ? format("queue %llu", number)
                         : format("queue %llu, lane %zu", number, index + 1));
  }
  *begin = std::max(*begin, ends[index]);
  *end = std::max(*begin, *end);
  ends[index] = *end;
  return lane;
}

void Trace::command(const CommandSlice& slice) {
  const HostSlice host_slice{slice.name, slice.thread, slice.host_begin_ns, slice.host_end_ns};
  const std::string host_place = lane_text(kHostProcess, host_lane(host_slice));
  const uint64_t process = device_process(slice);
  Clock& clock = devices_.find(slice.device)->second.clock;
  narrow(&clock, slice);
  const auto shift = static_cast<uint64_t>(clock.offset());
  uint64_t begin = slice.timing.started_ns + shift;
  uint64_t end = slice.timing.ended_ns + shift;
  const uint64_t lane =
      queue_lane(process, slice.queue_id, slice.device_is_host ? 0 : kClockErrorNs, &begin, &end);
  const std::string device_place = lane_text(process, lane);
  const std::string name = json_string(slice.name);
  const auto flow = static_cast<unsigned long long>(++flows_);
  add(format("{\"ph\":\"X\",\"cat\":\"enqueue\",\"name\":%s,%s,%s}", name.c_str(),
             host_place.c_str(), span(slice.host_begin_ns, slice.host_end_ns).c_str()));
  add(format("{\"ph\":\"s\",\"cat\":\"flow\",\"name\":\"run\",\"id\":%llu,%s,\"ts\":%s}", flow,
             host_place.c_str(), stamp(slice.host_begin_ns).c_str()));
  add(
      format("{\"ph\":\"X\",\"cat\":\"device\",\"name\":%s,%s,%s,"
             "\"args\":{\"size\":%llu,\"bytes\":%s,\"operations\":%s}}",
             name.c_str(), device_place.c_str(), span(begin, end).c_str(),
             static_cast<unsigned long long>(slice.size), fixed_text(slice.work.bytes, 0).c_str(),
             fixed_text(slice.work.operations, 0).c_str()));
  add(
      format("{\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"flow\",\"name\":\"run\",\"id\":%llu,%s,"
             "\"ts\":%s}",
             flow, device_place.c_str(), stamp(begin).c_str()));
}

}  // namespace netcl::timing
