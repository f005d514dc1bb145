// A network that is ready to run: see netcl_model_load.
#pragma once

#include "model/execution.hpp"

namespace netcl::model {

struct ModelOptions {
  size_t forms_most = 16;
  bool fuse = true;
  netcl_dtype short_dtype = 0;  // of what is f32 in the file; 0: f32
  FlowLimits limits;
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

  // Runs it, into tensors that are given or new ones, after the inputs were compared with what the
  // file says.
  void run(const std::vector<TensorRef>& inputs, const std::vector<TensorRef>& outputs,
           const ops::Run& run, Read read) const;
  std::vector<TensorRef> evaluate(const std::vector<TensorRef>& inputs, const ops::Run& run,
                                  Read read) const;

 private:
  graph::CompiledGraphRef last_form(const std::vector<TensorRef>& inputs, const ops::Run& run,
                                    Read read, std::vector<TensorRef>* taken) const;
  template <class F>
  void run_last(const std::vector<TensorRef>& inputs, const ops::Run& run, Read read,
                const F& last) const;
  void check_inputs(std::span<const TensorRef> inputs) const;

  const Network* network_ = nullptr;  // of the graph's forms
  graph::GraphRef graph_;
};
using ModelRef = std::shared_ptr<Model>;

}  // namespace netcl::model
