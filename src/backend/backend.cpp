#include "backend/backend.hpp"

namespace netcl::backend {

// Callers check which backend they have; reaching one of these is a fault of the library.
[[noreturn]] static void wrong_backend(const char* what) {
  fail(NETCL_ERROR_INTERNAL, "%s was asked of a backend that has none", what);
}

BufferRef Device::wrap_cl(struct _cl_mem*) { wrong_backend("wrap_cl"); }
void Device::release_cl(struct _cl_mem*) noexcept {}
EventRef Device::wrap_cl_event(struct _cl_event*) { wrong_backend("wrap_cl_event"); }
std::unique_ptr<Stream> Device::wrap_cl_queue(struct _cl_command_queue*, bool*) {
  wrong_backend("wrap_cl_queue");
}
BatchRef Device::make_batch(std::span<const BatchCommand>) { wrong_backend("make_batch"); }
void Stream::run_batch(Batch&, WaitList, EventRef*) {
  fail(NETCL_ERROR_UNSUPPORTED, "the queue is watched, command by command");
}
netcl::cpu::ThreadPool& Device::threads() const { wrong_backend("threads"); }

}  // namespace netcl::backend
