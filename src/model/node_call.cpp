#include "model/node_call.hpp"

#include <numeric>

#include "ops/move/move.hpp"
#include "ops/move/range.hpp"
#include "ops/move/transpose.hpp"
#include "tensor/transfer.hpp"

namespace netcl::model {

TensorRef Call::tensor(size_t input) const {
  if (!has(input)) fail(NETCL_ERROR_CORRUPT_DATA, "input %zu is left out", input);
  return values_.tensor_as(static_cast<uint32_t>(inputs_[input]),
                           input == 0 ? widths_.first : widths_.others);
}

std::vector<TensorRef> Call::tensors() const {
  std::vector<TensorRef> all;
  for (size_t i = 0; i < input_count(); ++i) all.push_back(tensor(i));
  return all;
}

const HostValue& Call::host(size_t input) const {
  if (!has(input)) fail(NETCL_ERROR_CORRUPT_DATA, "input %zu is left out", input);
  return *values_.host(static_cast<uint32_t>(inputs_[input]));
}

std::vector<int64_t> Call::numbers(size_t input) const {
  const HostValue& value = host(input);
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < value.count(); ++i) numbers.push_back(value.integer(i));
  return numbers;
}

int64_t Call::number(size_t input, int64_t fallback) const {
  if (!has(input)) return fallback;
  const HostValue& value = host(input);
  if (value.count() != 1) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "input %zu has %zu elements; it is one number", input,
         value.count());
  }
  return value.integer(0);
}

TensorRef Call::cast(const TensorRef& tensor, netcl_dtype dtype) const {
  return tensor->dtype() == dtype ? tensor : made<ops::cast>("cast", *tensor, dtype);
}

TensorRef Call::transposed(const TensorRef& tensor, std::span<const uint32_t> axes) const {
  return made<ops::transpose>("transpose", *tensor, axes);
}

TensorRef Call::constant(netcl_dtype dtype, std::vector<int64_t> shape,
                         std::vector<double> numbers) const {
  HostValue value;
  value.dtype = NETCL_F64;
  value.shape = shape;
  value.reals = std::move(numbers);
  return upload(device(), dtype, shape, bytes_of(converted(value, dtype)));
}

TensorRef Call::counted(netcl_dtype dtype, const std::vector<int64_t>& shape) const {
  // The first bytes of an integer are an integer of fewer of them.
  const int64_t one = 1;
  return filled<ops::range>(dtype, shape, ops::Element{}, ops::make_element(&one, sizeof one));
}

std::vector<double> counting(int64_t count) {
  std::vector<double> numbers(static_cast<size_t>(host_count({count})));
  std::iota(numbers.begin(), numbers.end(), 0.0);
  return numbers;
}

uint32_t axis_of(int64_t axis, uint32_t rank) {
  const int64_t positive = axis < 0 ? axis + rank : axis;
  if (positive < 0 || positive >= rank) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "axis is %lld; the tensor has %u dimensions",
         static_cast<long long>(axis), rank);
  }
  return static_cast<uint32_t>(positive);
}

std::vector<int64_t> shape_of(const Tensor& tensor) {
  const Layout& layout = tensor.layout();
  return {layout.shape.begin(), layout.shape.begin() + layout.rank};
}

TensorRef upload(Device& device, netcl_dtype dtype, const std::vector<int64_t>& shape,
                 std::string_view bytes) {
  TensorRef tensor = Tensor::allocate(device.shared_from_this(), dtype,
                                      static_cast<uint32_t>(shape.size()), shape.data());
  if (tensor->empty()) return tensor;
  const QueueRef queue = QueueSet::of(device).default_queue();
  TransferPlan plan;
  plan.queue = queue.get();
  write_bytes(packed_span(*tensor), bytes.data(), plan);
  return tensor;
}

}  // namespace netcl::model
