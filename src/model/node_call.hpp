// One node while it is recorded, as the rows of the op table see it.
#pragma once

#include <initializer_list>
#include <span>

#include "graph/rule.hpp"
#include "model/host_value.hpp"
#include "model/node_facts.hpp"
#include "model/precision.hpp"

namespace netcl::model {

// Gives the values of a network that is being recorded.
class Values {
 public:
  virtual ~Values() = default;
  virtual TensorRef tensor(uint32_t value) = 0;
  // What is f32 or of the short dtype of mixed precision, in `dtype`; 0: as it is.
  virtual TensorRef tensor_as(uint32_t value, netcl_dtype dtype) = 0;
  virtual HostRef host(uint32_t value) = 0;
};

class Call : public NodeFacts {
 public:
  // `inputs` are the numbers of the node's values.
  Call(const FileNode& node, int64_t opset, const graph::Caller& caller, Values& values,
       std::span<const int64_t> inputs, const Precision& precision, const Widths& widths)
      : NodeFacts(node, opset),
        caller_(caller),
        values_(values),
        inputs_(inputs),
        precision_(precision),
        widths_(widths),
        outputs_(node.outputs.size()) {}

  // An input, which has to be there; one that may be left out is null then.
  TensorRef tensor(size_t input) const;
  TensorRef optional(size_t input) const { return has(input) ? tensor(input) : nullptr; }
  // All inputs.
  std::vector<TensorRef> tensors() const;
  // The value of an input that the row names as one the host needs.
  const HostValue& host(size_t input) const;
  std::vector<int64_t> numbers(size_t input) const;
  // The first element, or what stands for an input that is left out.
  int64_t number(size_t input, int64_t fallback) const;

  // Whether two dtypes are one, or stand for one in mixed precision.
  bool alike(netcl_dtype a, netcl_dtype b) const noexcept {
    return a == b || (precision_.is_either(a) && precision_.is_either(b));
  }
  // Whether the network is in mixed precision, and this an elementwise node of floats.
  bool is_mixed() const noexcept { return widths_.result != 0; }
  // The dtype of a result of an elementwise node that would be `dtype`.
  netcl_dtype result_dtype(netcl_dtype dtype) const noexcept {
    return widths_.result != 0 && precision_.is_either(dtype) ? widths_.result : dtype;
  }

  const graph::Caller& caller() const noexcept { return caller_; }
  Device& device() const noexcept { return caller_.run.device(); }

  template <auto Op, class... Arguments>
  TensorRef made(const char* name, const Arguments&... arguments) const {
    return graph::recorded<Op>(caller_, name, TensorRef(), arguments...);
  }
  template <auto Op, class Into, class... Arguments>
  Into made_into(const char* name, const Into& into, const Arguments&... arguments) const {
    return graph::recorded<Op>(caller_, name, into, arguments...);
  }
  TensorRef formula(const std::string& text, std::initializer_list<TensorRef> inputs,
                    netcl_dtype dtype = 0) const {
    return graph::recorded_formula(caller_, text.c_str(), inputs, dtype);
  }
  TensorRef cast(const TensorRef& tensor, netcl_dtype dtype) const;
  // What an op fills that reads no tensor: at once, as it is the same in each run.
  template <auto Op, class... Arguments>
  TensorRef filled(netcl_dtype dtype, std::span<const int64_t> shape,
                   const Arguments&... arguments) const {
    const TensorRef made = Tensor::allocate(device().shared_from_this(), dtype,
                                            static_cast<uint32_t>(shape.size()), shape.data());
    const QueueRef queue = QueueSet::of(device()).default_queue();
    return Op(arguments..., made, ops::Run{*queue, {}});
  }
  // 0, 1, ... in C order, of a dtype of integers.
  TensorRef counted(netcl_dtype dtype, const std::vector<int64_t>& shape) const;
  // The same elements in another shape: a view where there is one.
  TensorRef reshaped(const TensorRef& tensor, std::span<const int64_t> shape) const {
    return graph::reshaped(caller_, tensor, shape);
  }
  TensorRef transposed(const TensorRef& tensor, std::span<const uint32_t> axes) const;
  // A small tensor of these numbers, on the device.
  TensorRef constant(netcl_dtype dtype, std::vector<int64_t> shape,
                     std::vector<double> numbers) const;

  void give(TensorRef tensor) { give(0, std::move(tensor)); }
  void give(size_t output, TensorRef tensor) {
    if (output < outputs_.size()) outputs_[output] = std::move(tensor);
  }
  const std::vector<TensorRef>& outputs() const noexcept { return outputs_; }

 private:
  const graph::Caller& caller_;
  Values& values_;
  const std::span<const int64_t> inputs_;
  const Precision& precision_;
  const Widths widths_;
  std::vector<TensorRef> outputs_;
};

// 0, 1, ... below a count that the host can hold.
std::vector<double> counting(int64_t count);
// An axis that counts from the end when it is negative.
uint32_t axis_of(int64_t axis, uint32_t rank);
std::vector<int64_t> shape_of(const Tensor& tensor);
// A tensor with these elements; the bytes may go when it returns.
TensorRef upload(Device& device, netcl_dtype dtype, const std::vector<int64_t>& shape,
                 std::string_view bytes);

}  // namespace netcl::model
