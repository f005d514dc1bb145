// A network on a device: a program and its weights, which is recorded for inputs of some shapes.
#pragma once

#include "graph/compile/forms.hpp"
#include "model/model_program.hpp"

namespace netcl::model {

class Network final : public graph::GraphFunction {
 public:
  // Fails where something is missing, before it allocates anything.
  Network(DeviceRef device, std::unique_ptr<Program> program);

  const Program& program() const noexcept { return *program_; }
  // The inputs whose elements the host needs.
  const std::vector<uint32_t>& bound_inputs() const noexcept { return bound_inputs_; }
  uint64_t weight_count() const noexcept { return weight_count_; }
  uint64_t weight_bytes() const noexcept { return weight_bytes_; }
  size_t live_nodes() const noexcept { return program_->nodes().size(); }

  // `bound` has the elements of the bound inputs, one after the other.
  std::vector<TensorRef> record(const graph::GraphRef& capture, std::span<const TensorRef> inputs,
                                uint32_t count, std::string_view bound) const override;

 private:
  class Recording;

  const DeviceRef device_;
  const std::unique_ptr<Program> program_;
  std::vector<TensorRef> weights_;            // by value; null where the device needs none
  std::vector<HostRef> host_weights_;         // the same for the host
  std::vector<std::vector<int64_t>> shapes_;  // of weights, by value
  std::vector<uint32_t> bound_inputs_;
  uint64_t weight_count_ = 0;
  uint64_t weight_bytes_ = 0;
};

}  // namespace netcl::model
