#include "timing/cache_flush.hpp"

#include <algorithm>

namespace netcl::timing {

namespace {

constexpr uint64_t kFlushBytes = uint64_t{256} << 20;

uint64_t flush_size(const netcl_device_capabilities& caps, uint64_t asked) {
  if (asked != 0) return asked;
  // A reported size that is absurd must not overflow.
  const uint64_t cache = std::min(caps.global_cache_bytes, UINT64_MAX / 4);
  const uint64_t most = std::max<uint64_t>(caps.global_memory_bytes / 8, 1 << 20);
  return std::min({std::max(kFlushBytes, 4 * cache), most, caps.max_allocation_bytes});
}

// Enqueues one command and waits for it; its time on the device, else as the host saw it.
double run_timed(Queue& queue, Queue::Submit submit) {
  backend::EventRef event;
  const uint64_t begin = monotonic_ns();
  queue.enqueue({{}, {}, &event}, submit);
  queue.flush();
  event->wait(Deadline(NETCL_WAIT_FOREVER));
  const uint64_t end = monotonic_ns();
  if (const int32_t code = event->failure(); code != 0) {
    throw Error(NETCL_ERROR_LAUNCH_FAILURE,
                format("flushing the caches failed with OpenCL code %d", code), code);
  }
  backend::Timing timing;
  return static_cast<double>(event->timing(&timing) == 0 ? timing.ended_ns - timing.started_ns
                                                    : end - begin);
}

}  // namespace

CacheFlush::CacheFlush(Queue& queue, uint64_t bytes)
    : queue_(queue), bytes_(flush_size(queue.device().capabilities(), bytes)) {
  // Fills take whole patterns.
  bytes_ = (bytes_ + sizeof pattern_ - 1) / sizeof pattern_ * sizeof pattern_;
  memory_ = queue.device().backend().allocate(bytes_, backend::MemoryKind::device);
  run();  // The first write also makes the memory's pages.
  proven_ = prove(uint64_t{256} << 10) || prove(uint64_t{8} << 20);
}

void CacheFlush::run() {
  ++pattern_;
  run_timed(queue_, [&](backend::Stream& stream, backend::WaitList waits, backend::EventRef* out) {
    stream.fill(*memory_, 0, bytes_, &pattern_, sizeof pattern_, waits, out);
  });
}

bool CacheFlush::prove(uint64_t bytes) {
  if (bytes >= bytes_) return false;
  backend::Device& device = queue_.device().backend();
  const backend::BufferRef from = device.allocate(bytes, backend::MemoryKind::device);
  const backend::BufferRef to = device.allocate(bytes, backend::MemoryKind::device);
  const auto copy = [&] {
    return run_timed(queue_,
                     [&](backend::Stream& stream, backend::WaitList waits, backend::EventRef* out) {
                       stream.copy(*from, 0, *to, 0, bytes, waits, out);
                     });
  };
  constexpr int kWarm = 5, kCold = 3;
  double warm[kWarm], cold[kCold];
  copy();
  copy();
  for (double& time : warm) time = copy();
  for (double& time : cold) {
    run();
    time = copy();
  }
  std::sort(warm, warm + kWarm);
  // Every cold copy has to be slower than the usual warm one, by more than a clock's noise.
  return *std::min_element(cold, cold + kCold) > 1.1 * warm[kWarm / 2];
}

}  // namespace netcl::timing
