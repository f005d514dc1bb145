#include "timing/timer.hpp"

namespace netcl::timing {

Timer::Timer(QueueRef queue) : queue_(std::move(queue)), log_(*queue_) {
  // A queue that cannot record is refused now and not at the first start.
  queue_->hold_times();
  queue_->release_times();
}

Timer::~Timer() {
  if (state_ == State::running) queue_->release_times();
}

void Timer::start() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (state_ == State::running) fail(NETCL_ERROR_BUSY, "timer runs already; stop it first");
  queue_->hold_times();
  try {
    log_.start();
  } catch (...) {
    queue_->release_times();
    throw;
  }
  state_ = State::running;
  started_ns_ = monotonic_ns();
}

void Timer::stop(const Deadline& deadline, netcl_elapsed* elapsed) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (state_ == State::idle) fail(NETCL_ERROR_INVALID_ARGUMENT, "timer does not run; start it");
  if (state_ == State::running) {
    host_ns_ = monotonic_ns() - started_ns_;
    log_.stop();
    queue_->release_times();
    state_ = State::stopped;
  }
  if (!log_.wait(deadline)) {
    fail(NETCL_ERROR_TIMEOUT, "the timer is stopped and its commands are not all complete");
  }
  state_ = State::idle;
  log_.check();
  const DeviceTime time = log_.time();
  elapsed->span_ns = time.span_ns;
  elapsed->busy_ns = time.busy_ns;
  elapsed->host_ns = host_ns_;
  elapsed->commands = log_.commands();
}

}  // namespace netcl::timing
