// Commands, which run when they are enqueued unless they are held, and their events. A command that
// never ends keeps all later ones of its queue from running.
#include <algorithm>
#include <cstring>

#include "fake.hpp"

using fake::give_value;

namespace {

constexpr uint64_t kGapNs = 100;

}  // namespace

bool fake::ready(cl_command_queue queue, cl_uint count, const cl_event* waits) {
  for (cl_uint i = 0; i < count; ++i) {
    if (waits[i]->status != CL_COMPLETE) queue->stuck = true;
  }
  return !queue->stuck;
}

void fake::finish(cl_command_queue queue, cl_int status, uint64_t time_ns, cl_event* event) {
  fake::clock_ns() += kGapNs;
  const uint64_t begin = fake::clock_ns();
  fake::clock_ns() += time_ns;
  if (event == nullptr) return;
  auto* const made = new _cl_event();
  made->queue = queue;
  made->context = queue->context;
  made->status = status;
  made->begin_ns = begin;
  made->end_ns = fake::clock_ns();
  *event = made;
}

namespace {

using fake::finish;
using fake::ready;

// A command on memory that does its work at once.
template <class Function>
cl_int command(cl_command_queue queue, cl_uint count, const cl_event* waits, size_t bytes,
               cl_event* event, std::vector<cl_mem> uses, Function function) {
  const std::lock_guard<std::mutex> lock(fake::mutex());
  if (fake::holding()) {
    fake::hold({queue, {waits, waits + count}, std::move(uses), function}, event);
    return CL_SUCCESS;
  }
  const bool now = ready(queue, count, waits);
  if (now) function();
  finish(queue, now ? CL_COMPLETE : CL_QUEUED, 1000 + bytes / 16, event);
  return CL_SUCCESS;
}

// A marker or a barrier.
cl_int between(cl_command_queue queue, cl_uint count, const cl_event* waits, cl_event* event,
               bool barrier) {
  const std::lock_guard<std::mutex> lock(fake::mutex());
  if (fake::holding()) {
    fake::hold({queue, {waits, waits + count}, {}, {}, barrier, count == 0}, event);
    return CL_SUCCESS;
  }
  finish(queue, ready(queue, count, waits) ? CL_COMPLETE : CL_QUEUED, 1000, event);
  return CL_SUCCESS;
}

// A launch: the arguments of the kernel are those of this moment.
void hold_launch(cl_command_queue queue, const _cl_kernel& kernel, cl_uint rank,
                 const size_t* global, const size_t* local, cl_uint count, const cl_event* waits,
                 cl_event* event) {
  std::vector<cl_mem> uses;
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    cl_mem mem = nullptr;
    if (kernel.function.parameters[i].address != CL_KERNEL_ARG_ADDRESS_GLOBAL) continue;
    std::memcpy(&mem, kernel.arguments[i].data(), sizeof mem);
    if (mem != nullptr) uses.push_back(mem);
  }
  std::function<void()> work = [kernel] { fake::run_held_kernel(kernel); };
  if (kernel.function.name.rfind("model_", 0) != 0) {
    const std::vector<size_t> size(global, global + rank),
        group(local, local + (local == nullptr ? 0 : rank));
    work = [kernel, rank, size, group] {
      uint64_t time_ns = 0, late_ms = 0;
      (void)fake::run_kernel(kernel, rank, size.data(), group.empty() ? nullptr : group.data(),
                             &time_ns, &late_ms);
    };
  }
  fake::hold({queue, {waits, waits + count}, uses, work, false, false, true}, event);
}

bool inside(cl_mem mem, size_t offset, size_t bytes) {
  return offset <= mem->size && bytes <= mem->size - offset;
}

}  // namespace

extern "C" {

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint rank, const size_t*,
                              const size_t* global, const size_t* local, cl_uint count,
                              const cl_event* waits, cl_event* event) {
  FAKE_FAIL;
  size_t items = 1;
  for (cl_uint d = 0; d < rank && local != nullptr; ++d) {
    if (local[d] == 0 || global[d] % local[d] != 0) return CL_INVALID_WORK_GROUP_SIZE;
    items *= local[d];
  }
  if (items > 1024) return CL_INVALID_WORK_GROUP_SIZE;
  const std::lock_guard<std::mutex> lock(fake::mutex());
  if (fake::holding()) {
    hold_launch(queue, *kernel, rank, global, local, count, waits, event);
    return CL_SUCCESS;
  }
  if (!ready(queue, count, waits)) {
    finish(queue, CL_QUEUED, 0, event);
    return CL_SUCCESS;
  }
  uint64_t time_ns = 0, late_ms = 0;
  const fake::Ran ran = fake::run_kernel(*kernel, rank, global, local, &time_ns, &late_ms);
  if (ran == fake::Ran::refused) return CL_INVALID_WORK_ITEM_SIZE;
  if (ran == fake::Ran::too_local) return CL_OUT_OF_RESOURCES;
  if (ran == fake::Ran::illegal) {
    fake::device_gone() = true;
    finish(queue, fake::kIllegalAccess, 0, event);
    return CL_SUCCESS;
  }
  queue->stuck = ran == fake::Ran::never;
  finish(queue, queue->stuck ? CL_RUNNING : CL_COMPLETE, time_ns, event);
  if (event != nullptr && late_ms > 0) {
    (*event)->begins = std::chrono::steady_clock::now() + std::chrono::milliseconds(late_ms);
  }
  return CL_SUCCESS;
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem, cl_bool, size_t offset, size_t bytes,
                           void* host, cl_uint count, const cl_event* waits, cl_event* event) {
  FAKE_FAIL;
  if (!inside(mem, offset, bytes)) return CL_INVALID_VALUE;
  return command(queue, count, waits, bytes, event, {mem},
                 [=] { std::memcpy(host, mem->data + offset, bytes); });
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool, size_t offset,
                            size_t bytes, const void* host, cl_uint count, const cl_event* waits,
                            cl_event* event) {
  FAKE_FAIL;
  if (!inside(mem, offset, bytes)) return CL_INVALID_VALUE;
  return command(queue, count, waits, bytes, event, {mem},
                 [=] { std::memcpy(mem->data + offset, host, bytes); });
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                           size_t to_offset, size_t bytes, cl_uint count, const cl_event* waits,
                           cl_event* event) {
  FAKE_FAIL;
  if (!inside(from, from_offset, bytes) || !inside(to, to_offset, bytes)) return CL_INVALID_VALUE;
  return command(queue, count, waits, 2 * bytes, event, {from, to},
                 [=] { std::memmove(to->data + to_offset, from->data + from_offset, bytes); });
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem mem, const void* pattern,
                           size_t pattern_size, size_t offset, size_t bytes, cl_uint count,
                           const cl_event* waits, cl_event* event) {
  FAKE_FAIL;
  if (!inside(mem, offset, bytes)) return CL_INVALID_VALUE;
  const std::string kept(static_cast<const char*>(pattern), pattern_size);
  return command(queue, count, waits, bytes, event, {mem}, [=] {
    for (size_t at = 0; at + kept.size() <= bytes; at += kept.size()) {
      std::memcpy(mem->data + offset + at, kept.data(), kept.size());
    }
  });
}

void* clEnqueueMapBuffer(cl_command_queue queue, cl_mem mem, cl_bool, cl_map_flags, size_t offset,
                         size_t, cl_uint count, const cl_event* waits, cl_event* event,
                         cl_int* code) {
  FAKE_FAIL_MADE;
  *code = command(queue, count, waits, 0, event, {mem}, [] {});
  return mem->data + offset;
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void*, cl_uint count,
                               const cl_event* waits, cl_event* event) {
  FAKE_FAIL;
  return command(queue, count, waits, 0, event, {mem}, [] {});
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count, const cl_event* waits,
                                   cl_event* event) {
  FAKE_FAIL;
  return between(queue, count, waits, event, false);
}

cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint count, const cl_event* waits,
                                    cl_event* event) {
  FAKE_FAIL;
  return between(queue, count, waits, event, true);
}

// ---- Events

cl_int clGetEventInfo(cl_event event, cl_event_info what, size_t capacity, void* value,
                      size_t* needed) {
  FAKE_FAIL;
  switch (what) {
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
      if (event->status == fake::kIllegalAccess) return fake::kIllegalAccess;
      if (fake::waiting()) {
        const std::lock_guard<std::mutex> lock(fake::mutex());
        fake::progress_until(event);
      }
      return give_value(event->now(), capacity, value, needed);
    case CL_EVENT_CONTEXT:
      return give_value(event->context, capacity, value, needed);
    case CL_EVENT_COMMAND_QUEUE:
      return give_value(event->queue, capacity, value, needed);
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t capacity, void* value,
                               size_t* needed) {
  FAKE_FAIL;
  if ((event->queue->properties & CL_QUEUE_PROFILING_ENABLE) == 0 || event->now() != CL_COMPLETE) {
    return CL_PROFILING_INFO_NOT_AVAILABLE;
  }
  const bool end = what == CL_PROFILING_COMMAND_END;
  return give_value<cl_ulong>(end ? event->end_ns : event->begin_ns, capacity, value, needed);
}

cl_int clSetEventCallback(cl_event event, cl_int,
                          void(CL_CALLBACK* function)(cl_event, cl_int, void*), void* user_data) {
  FAKE_FAIL;
  if (fake::waiting()) {
    const std::lock_guard<std::mutex> lock(fake::mutex());
    fake::wait_ends(event);
  }
  if (event->now() == CL_COMPLETE) function(event, CL_COMPLETE, user_data);
  return CL_SUCCESS;
}

}  // extern "C"
