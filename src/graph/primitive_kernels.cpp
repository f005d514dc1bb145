// Primitives whose result and gradients are kernels of the caller.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "graph/primitive_work.hpp"
#include "graph/recorded.hpp"
#include "graph/recorded_launch.hpp"
#include "ops/frame/result.hpp"

namespace netcl::graph {

namespace {

template <class T>
void put_integer(double value, size_t index, netcl_arg* arg) {
  const bool fits = value == std::trunc(value) &&
                    value >= static_cast<double>(std::numeric_limits<T>::min()) &&
                    value < std::ldexp(1.0, std::numeric_limits<T>::digits);
  if (!fits) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "attribute %zu is %g; the kernel has an integer of %zu bytes there", index, value,
         sizeof(T));
  }
  const T number = static_cast<T>(value);
  std::memcpy(arg->value, &number, sizeof number);
}

// An attribute as a scalar of the dtype that the kernel has in its place.
netcl_arg attribute_argument(double value, size_t index, netcl_dtype dtype) {
  netcl_arg arg = NETCL_ARG_INIT;
  arg.kind = NETCL_ARG_SCALAR;
  arg.dtype = dtype;
  arg.size = static_cast<uint32_t>(dtype_size(dtype));
  switch (dtype) {
    case NETCL_F64:
      std::memcpy(arg.value, &value, sizeof value);
      break;
    case NETCL_F16: {
      const uint16_t bits = f16_from_f64(value);
      std::memcpy(arg.value, &bits, sizeof bits);
      break;
    }
    case NETCL_I8:
      put_integer<int8_t>(value, index, &arg);
      break;
    case NETCL_U8:
      put_integer<uint8_t>(value, index, &arg);
      break;
    case NETCL_I16:
      put_integer<int16_t>(value, index, &arg);
      break;
    case NETCL_U16:
      put_integer<uint16_t>(value, index, &arg);
      break;
    case NETCL_I32:
      put_integer<int32_t>(value, index, &arg);
      break;
    case NETCL_U32:
      put_integer<uint32_t>(value, index, &arg);
      break;
    case NETCL_I64:
      put_integer<int64_t>(value, index, &arg);
      break;
    case NETCL_U64:
      put_integer<uint64_t>(value, index, &arg);
      break;
    default: {
      const float number = static_cast<float>(value);
      std::memcpy(arg.value, &number, sizeof number);
      arg.dtype = NETCL_F32;
      arg.size = sizeof number;
    }
  }
  return arg;
}

class KernelWork final : public PrimitiveWork {
 public:
  explicit KernelWork(PrimitiveKernels kernels) : kernels_(std::move(kernels)) {}

  // Without kernels for them they are those of the launch, which has none.
  WorkGradients gradients() const noexcept override {
    return kernels_.backward.empty() ? WorkGradients::of_calls : WorkGradients::own;
  }

  TensorRef forward(const WorkCall& call, const Caller& caller) const override {
    return launched(kernels_.forward, call, *call.inputs[0], caller);
  }

  std::vector<TensorRef> backward(const WorkCall& call, const Caller& caller) const override {
    std::vector<TensorRef> made(call.inputs.size());
    for (size_t i = 0; i < made.size(); ++i) {
      if ((call.wanted >> i & 1) == 0) continue;
      made[i] = launched(kernels_.backward[i], call, *call.inputs[i], caller);
    }
    return made;
  }

 private:
  // A new tensor like `like`, written by a kernel.
  TensorRef launched(const KernelRef& kernel, const WorkCall& call, const Tensor& like,
                     const Caller& caller) const {
    if (&kernel->device() != &caller.run.device()) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "kernel %s is on device %s; the inputs are on device %s",
           kernel->spec().name.c_str(), kernel->device().text().c_str(),
           caller.run.device().text().c_str());
    }
    kernel->build();
    const TensorRef result =
        ops::new_tensor(like.dtype(), like.layout().rank, like.layout().shape.data(), caller.run);
    if (result->empty()) return result;
    std::vector<netcl_arg> args;
    std::vector<TensorRef> tensors;
    const auto add = [&](const TensorRef& tensor, netcl_arg_kind kind) {
      netcl_arg arg = NETCL_ARG_INIT;
      arg.kind = kind;
      args.push_back(arg);
      tensors.push_back(tensor);
    };
    for (const TensorRef& input : call.inputs) {
      add(packed(input, caller), NETCL_ARG_TENSOR_READ_ONLY);
    }
    for (const TensorRef& tensor : {call.grad, call.out}) {
      if (tensor != nullptr) add(packed(tensor, caller), NETCL_ARG_TENSOR_READ_ONLY);
    }
    add(result, NETCL_ARG_TENSOR);
    const backend::KernelFacts& facts = kernel->facts();
    for (size_t i = 0; i < call.values.size(); ++i) {
      const size_t place = args.size();
      const bool known = facts.parameters_known && place < facts.parameters.size();
      args.push_back(
          attribute_argument(call.values[i], i, known ? facts.parameters[place].dtype : 0));
      tensors.push_back(nullptr);
    }
    std::vector<LaunchArgument> given;
    for (size_t i = 0; i < args.size(); ++i) given.push_back({&args[i], tensors[i]});
    launch(*kernel, given, static_cast<uint64_t>(result->element_count()), caller);
    return result;
  }

  // The tensor as kernels can address it: without gaps, from an address on that devices take.
  static TensorRef packed(const TensorRef& tensor, const Caller& caller) {
    const uint64_t begin = static_cast<uint64_t>(tensor->layout().offset) * tensor->element_size();
    const bool aligned = begin % caller.run.device().capabilities().mem_base_align_bytes == 0;
    if (tensor->empty() || (tensor->layout().is_c_contiguous() && aligned)) return tensor;
    return recorded<ops::copy>(caller, "copy", TensorRef(), *tensor);
  }

  void launch(Kernel& kernel, std::span<const LaunchArgument> arguments, uint64_t elements,
              const Caller& caller) const {
    const bool own = kernels_.rank != 0;
    const WorkSize size = make_work_size(
        kernel, own ? kernels_.global : &elements, own ? kernels_.rank : 1,
        own && kernels_.local[0] != 0 ? kernels_.local : nullptr,
        own && kernels_.local[0] != 0 ? kernels_.rank : 0, NETCL_LAUNCH_OPTIONS_INIT);
    NodeRef node;
    if (caller.graph != nullptr) {
      node = recorded_launch(kernel.shared_from_this(), size, arguments, {});
      caller.graph->begin(*node, {});
    }
    const ops::Run run = caller.run.without_event();
    launch_kernel(kernel, size, arguments,
                  [&](std::span<const Access> accesses, Queue::Submit submit) {
                    if (run.wants_commands()) run.enqueue(accesses, submit);
                  });
    if (node != nullptr) caller.graph->finish(node, {});
  }

  const PrimitiveKernels kernels_;
};

}  // namespace

std::shared_ptr<const PrimitiveWork> kernel_work(PrimitiveKernels kernels) {
  return std::make_shared<KernelWork>(std::move(kernels));
}

}  // namespace netcl::graph
