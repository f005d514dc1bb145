// A device of an OpenCL driver, opened.
#pragma once

#include "backend/backend.hpp"
#include "backend/opencl/cuda_slabs.hpp"
#include "backend/opencl/device_state.hpp"
#include "backend/opencl/opencl.hpp"

namespace netcl::backend::opencl {

class ClDevice final : public Device {
 public:
  ClDevice(const Found& found, DeviceStateRef state);

  std::unique_ptr<Stream> create_stream(bool out_of_order, bool profiled) override;
  BufferRef allocate(uint64_t bytes, MemoryKind kind) override;
  BufferRef wrap_host(void* data, uint64_t bytes) override;
  BufferRef wrap_file(void* data, uint64_t bytes, std::shared_ptr<void> keeper) override;
  Sharing sharing() const override;
  BufferRef import(const netcl_shared_memory& memory) override;
  BuildResult build_source(const std::string& source, const std::string& options) override;
  BuildResult build_binary(const std::string& binary, const std::string& options) override;
  BuildResult build_il(const std::string& il, const std::string& options) override;
  std::string program_key() const override;
  bool lost() const noexcept override { return state_->lost(); }
  bool native_commands() const noexcept override { return state_->native(); }
  bool rounds_division() const noexcept override;
  netcl::cpu::ThreadPool& threads() const override;
  size_t argument_bytes() const noexcept override { return argument_bytes_; }
  std::string batch_refusal() const override { return state_->batches().refusal; }
  uint64_t batch_fill_end() const noexcept override;
  BatchRef make_batch(std::span<const BatchCommand> commands) override;

  BufferRef wrap_cl(struct _cl_mem* mem) override;
  void release_cl(struct _cl_mem* mem) noexcept override;
  EventRef wrap_cl_event(struct _cl_event* event) override;
  std::unique_ptr<Stream> wrap_cl_queue(struct _cl_command_queue* queue,
                                        bool* out_of_order) override;
  struct _cl_context* cl_context() const noexcept override {
    return state_->context();
  }
  struct _cl_device_id* cl_device() const noexcept override {
    return state_->device();
  }

 private:
  // Null where there are none, for which problem_ has the reason.
  CudaSlabs* slabs() const;

  DeviceStateRef state_;
  mutable std::once_flag asked_cuda_;
  mutable std::unique_ptr<CudaSlabs> slabs_;
  mutable std::string problem_;
  size_t argument_bytes_;
};

}  // namespace netcl::backend::opencl
