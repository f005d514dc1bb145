#include "share/cuda_stream.hpp"

#include "core/error.hpp"

namespace netcl::share {

static void check(int code, const char* call) {
  if (code != 0) fail(NETCL_ERROR_LAUNCH_FAILURE, cuda_failure(cuda_api(), call, code));
}

CudaStream::CudaStream(CudaDeviceRef device) : device_(std::move(device)) {
  const CudaDevice::Current current(*device_);
  const int code = cuda_api().cuStreamCreate(&stream_, kCudaNonBlocking);
  if (code != 0) {
    fail(NETCL_ERROR_OUT_OF_DEVICE_MEMORY, cuda_failure(cuda_api(), "cuStreamCreate", code));
  }
}

CudaStream::~CudaStream() {
  try {
    const CudaDevice::Current current(*device_);
    (void)cuda_api().cuStreamSynchronize(stream_);
    (void)cuda_api().cuStreamDestroy(stream_);
  } catch (...) {
    // The driver is gone, and the stream with it.
  }
}

void CudaStream::copy(CudaAddress to, CudaAddress from, uint64_t bytes) {
  const CudaDevice::Current current(*device_);
  check(cuda_api().cuMemcpyDtoDAsync(to, from, bytes, stream_), "cuMemcpyDtoDAsync");
}

bool CudaStream::done() const {
  const CudaDevice::Current current(*device_);
  const int code = cuda_api().cuStreamQuery(stream_);
  if (code == kCudaNotReady) return false;
  check(code, "cuStreamQuery");
  return true;
}

void CudaStream::wait() const {
  const CudaDevice::Current current(*device_);
  check(cuda_api().cuStreamSynchronize(stream_), "cuStreamSynchronize");
}

}  // namespace netcl::share
