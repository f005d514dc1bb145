#include "graph/backward.hpp"

#include "graph/adjoints.hpp"
#include "graph/recorded.hpp"

namespace netcl::graph {

void fail_of_outside_write(const Tensor& memory, size_t number) {
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "a call that is not recorded wrote to a memory of %llu bytes in front of call %zu, and "
       "gradients go through that memory",
       static_cast<unsigned long long>(memory.buffer()->bytes()), number + 1);
}

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
std::optional<Graph::Writer> Backward::overwriter(const Tensor& tensor) const {
  bool known = false;
  for (const TensorRef& read : node_.reads()) known = known || read->memory() == tensor.memory();
  bool result = false;
  for (const TensorRef& written : node_.writes()) result = result || written.get() == &tensor;
  if (!known && !result) return std::nullopt;
  const auto own = static_cast<int64_t>(number_);
  const auto first = static_cast<int64_t>(node_.first(number_));
  return graph_.writer_behind(history_, tensor, result ? own : first - 1);
}

void Backward::check(const Tensor& tensor) const {
  const auto writer = overwriter(tensor);
  if (!writer) return;
  const std::string number =
      writer->number < 0 ? "" : format(" (call %lld)", static_cast<long long>(writer->number));
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "the gradient of %s (call %zu) needs a tensor of shape %s that %s%s has overwritten since",
       node_.name().c_str(), number_, shape_text(tensor).c_str(), writer->name.c_str(),
       number.c_str());
}

void Backward::fail_without_derivative(const std::string& why) const {
  fail(NETCL_ERROR_UNSUPPORTED, "%s (call %zu) has no derivative%s%s", node_.name().c_str(),
       number_, why.empty() ? "" : ": ", why.c_str());
}

}  // namespace netcl::graph
