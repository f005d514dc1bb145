#include "graph/backward.hpp"

#include "graph/adjoints.hpp"
#include "graph/recorded.hpp"

namespace netcl::graph {

bool Backward::wants(const TensorRef& operand) const {
  return operand != nullptr && !operand->empty() && is_float(operand->dtype()) &&
         active_.count(operand->memory()) != 0;
}

void Backward::add(const TensorRef& operand, TensorRef gradient) {
  if (!wants(operand)) return;
  gradient = summed_to(caller_, gradient, operand->layout(), operand->dtype());
  adjoints_.add(*operand, std::move(gradient));
}

// An operand that the call itself overwrote is gone as well; only the result stands for what is
// there now.
int64_t Backward::overwriter(const Tensor& tensor) const {
  if (tensor.empty()) return -1;
  bool known = false;
  for (const TensorRef& read : node_.reads()) known = known || read->memory() == tensor.memory();
  bool result = false;
  for (const TensorRef& written : node_.writes()) result = result || written.get() == &tensor;
  if (!known && !result) return -1;
  const int64_t writer = graph_.last_writer(tensor);
  const auto own = static_cast<int64_t>(number_);
  return writer < own || (result && writer == own) ? -1 : writer;
}

void Backward::check(const Tensor& tensor) const {
  const int64_t writer = overwriter(tensor);
  if (writer < 0) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "the gradient of %s (call %zu) needs a tensor of shape %s that %s (call %lld) has "
       "overwritten since",
       node_.name().c_str(), number_,
       shape_text(tensor.layout().rank, tensor.layout().shape.data()).c_str(),
       graph_.name_of(static_cast<size_t>(writer)).c_str(), static_cast<long long>(writer));
}

void Backward::fail_without_derivative(const std::string& why) const {
  fail(NETCL_ERROR_UNSUPPORTED, "%s (call %zu) has no derivative%s%s", node_.name().c_str(),
       number_, why.empty() ? "" : ": ", why.c_str());
}

}  // namespace netcl::graph
