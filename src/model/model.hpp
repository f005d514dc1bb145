// A network that is ready to run: see netcl_model_load.
#pragma once

#include "model/network.hpp"

namespace netcl::model {

struct ModelOptions {
  size_t forms_most = 16;
  bool fuse = true;
};

class Model {
 public:
  Model(DeviceRef device, OnnxFile file, const ModelOptions& options);

  Device& device() const noexcept { return graph_->device(); }
  const Network& network() const noexcept { return *network_; }
  const Program& program() const noexcept { return network_->program(); }
  // The forms that are kept, as a graph.
  const graph::Graph& graph() const noexcept { return *graph_; }
  void describe_value(const FileValue& value, netcl_model_value* info) const;

  // The form for such inputs, after they were compared with what the file says. `read` gives the
  // bytes of a bound one in C order.
  graph::CompiledGraphRef form(std::span<const TensorRef> inputs,
                               FunctionRef<std::string(const TensorRef&)> read) const;

 private:
  void check_inputs(std::span<const TensorRef> inputs) const;

  const Network* network_ = nullptr;  // of the graph's forms
  graph::GraphRef graph_;
};
using ModelRef = std::shared_ptr<Model>;

}  // namespace netcl::model
