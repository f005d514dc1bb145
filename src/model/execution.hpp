// One run of a network whose steps the host goes through.
#pragma once

#include "model/network.hpp"

namespace netcl::model {

// Gives the bytes of a tensor in C order, once what writes it is over.
using Read = FunctionRef<std::string(const TensorRef&)>;

class Execution final : public Scope {
 public:
  Execution(const Network& network, graph::Forms& forms, const graph::Caller& caller,
            std::span<const TensorRef> inputs, Read read);

  // The form of the last step, once all before it have run, and what it takes.
  graph::CompiledGraphRef last_form(std::vector<TensorRef>* inputs);

  // What the host does not know is read.
  HostRef host(uint32_t value) override;

 protected:
  void run_block(uint32_t block) override;
  void count_round() override;

 private:
  void run_steps(uint32_t block, size_t count);
  graph::CompiledGraphRef form_of(uint32_t block, size_t step, std::vector<TensorRef>* inputs);
  std::string value_text(uint32_t value) const;

  const Network& network_;
  graph::Forms& forms_;
  const Read read_;
  const Plan plan_;
  uint64_t rounds_ = 0;
};

}  // namespace netcl::model
