// If, Loop and Scan: how what goes in and out of their nodes and graphs belongs together, and how
// they run, while a network is recorded as well as while the host runs it step by step.
#pragma once

#include "model/model_program.hpp"
#include "model/precision.hpp"

namespace netcl::model {

// The values that go round in a Loop or a Scan, and what each round gives beside them.
struct Rounds {
  // Fails where the node has too few inputs.
  Rounds(const ProgramNode& node, int64_t file_opset);

  bool scans = false;
  size_t node_first = 0;    // input of the node that is the first to go round
  size_t body_first = 0;    // input of the body, the same
  size_t result_first = 0;  // output of the body, the same
  size_t count = 0;         // values that go round
  size_t slices = 0;        // inputs of Scan of which each round gets a slice
};

// A value where it is there: on the device, on the host, or both.
struct Slot {
  TensorRef tensor;
  HostRef host;
  TensorRef other = nullptr;  // the tensor in the other dtype of mixed precision, once it is made
  Vote vote = Vote::by_dtype;
};

// What a Scan goes over: a tensor along one of its axes, perhaps from its end.
struct ScanInput {
  TensorRef tensor;
  uint32_t axis = 0;
  bool backward = false;

  int64_t length() const;
  TensorRef at(int64_t i) const;
};

// All values of a program while it is recorded or run.
class Scope : public Values {
 public:
  Scope(const Program& program, const graph::Caller& caller, std::vector<Slot> slots,
        const Precision& precision)
      : program_(program), caller_(caller), slots_(std::move(slots)), precision_(precision) {}

  TensorRef tensor(uint32_t value) override;
  TensorRef tensor_as(uint32_t value, netcl_dtype dtype) override;
  HostRef host(uint32_t value) override;

 protected:
  // Runs all nodes of a graph.
  virtual void run_block(uint32_t block) = 0;
  // One more round of some loop; fails where there are too many.
  virtual void count_round() = 0;

  void run_flow(const ProgramNode& node);
  // Runs what a node is, and says in failures which node that was.
  template <class F>
  void named(const ProgramNode& node, const F& run) {
    try {
      run();
    } catch (const Error& error) {
      throw Error(error.status(), node.text() + ": " + error.message(), error.native_code());
    }
  }
  // The dtype that the host has a value in which the device has in `dtype`.
  netcl_dtype host_dtype(uint32_t value, netcl_dtype dtype) const {
    const bool between = program_.values()[value].input == kNone;
    return between && precision_.is_short(dtype) ? netcl_dtype{NETCL_F32} : dtype;
  }
  Slot& slot(int64_t value) { return slots_[static_cast<size_t>(value)]; }
  [[noreturn]] void fail_not_given(uint32_t value) const;

  const Program& program_;
  const graph::Caller& caller_;
  std::vector<Slot> slots_;
  const Precision precision_;

 private:
  void run_branch(const ProgramNode& node);
  void run_loop(const ProgramNode& node);
  void run_scan(const ProgramNode& node);
  // What goes into or comes out of a graph is f32 where the file has f32.
  Slot widened(Slot slot);
  netcl_dtype width() const { return precision_.on() ? netcl_dtype{NETCL_F32} : netcl_dtype{0}; }
  // What goes round, from the inputs of a node.
  std::vector<Slot> first_of(const ProgramNode& node, const Rounds& rounds);
  void put(const std::vector<Slot>& carried, const Rounds& rounds, const ProgramBlock& body);
  void take(std::vector<Slot>* carried, const Rounds& rounds, const ProgramBlock& body);
  void give(const ProgramNode& node, const std::vector<Slot>& carried);
  struct Scanned {
    std::vector<Slot> carried;
    std::vector<std::vector<TensorRef>> parts;  // by output, what each round gives
  };
  Scanned scan(const ProgramNode& node, const Rounds& rounds,
               const std::vector<ScanInput>& sequences, std::vector<Slot> carried);
  void scan_batch(const ProgramNode& node, const Rounds& rounds,
                  const std::vector<ScanInput>& whole);
  const TensorRef& tensor_of(Slot& slot);
  netcl_dtype dtype_of_slot(const Slot& slot) const;
  bool truth(int64_t value);
  // Tensors of one shape along a new axis, or an empty one as the file describes it.
  TensorRef stacked(const std::vector<TensorRef>& parts, int64_t axis, const FileValue& value);
};

}  // namespace netcl::model
