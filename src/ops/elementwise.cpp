#include "ops/elementwise.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "backend/cpu/evaluate.hpp"
#include "backend/cpu/thread_pool.hpp"
#include "core/hash.hpp"
#include "expression/iteration.hpp"
#include "expression/print_cl.hpp"
#include "kernel/op_kernels.hpp"
#include "ops/arguments.hpp"
#include "ops/move.hpp"

namespace netcl::ops {

namespace {

using expression::KernelPlan;
using expression::OperandShape;
using expression::TypedTree;

// Layouts of all inputs and, last, the output, broadcast to one shape.
using Layouts = std::array<Layout, NETCL_ARGS_MAX + 1>;

bool spans_meet(const Tensor& a, const Tensor& b) {
  if (a.memory() == nullptr || b.memory() == nullptr || !a.memory()->may_be(*b.memory())) {
    return false;
  }
  // Two wraps of one memory: where each lies in it is not known.
  if (a.memory() != b.memory()) return true;
  const Span left = touched_span(a.layout());
  const Span right = touched_span(b.layout());
  const auto scaled = [](const Tensor& tensor, int64_t index) {
    return index * static_cast<int64_t>(tensor.element_size());
  };
  return scaled(a, left.first) < scaled(b, right.last) &&
         scaled(b, right.first) < scaled(a, left.last);
}

bool same_elements(const Tensor& a, const Tensor& b) {
  return a.memory() == b.memory() && a.dtype() == b.dtype() &&
         a.layout().offset == b.layout().offset && a.layout().same_shape(b.layout()) &&
         std::equal(a.layout().strides.begin(), a.layout().strides.begin() + a.layout().rank,
                    b.layout().strides.begin());
}

void evaluate_natively(const TypedTree& tree, std::span<const TensorRef> inputs,
                       const Tensor& output, const Layout* layouts, const Run& run) {
  std::array<netcl::cpu::EvaluateOperand, NETCL_ARGS_MAX> operands;
  std::array<Access, NETCL_ARGS_MAX + 1> accesses;
  size_t access_count = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    operands[i] = {inputs[i]->buffer()->host_pointer(), layouts[i], inputs[i]->dtype()};
    if (inputs[i]->memory() != nullptr) accesses[access_count++] = {inputs[i]->memory(), false};
  }
  accesses[access_count++] = {output.memory(), true};
  const netcl::cpu::EvaluateOperand target{output.buffer()->host_pointer(), layouts[inputs.size()],
                                           output.dtype()};
  netcl::cpu::ThreadPool& threads = run.device().backend().threads();
  const netcl::cpu::ParallelFor parallel = [&](int64_t total, int64_t grain,
                                               const std::function<void(int64_t, int64_t)>& body) {
    threads.parallel_for(total, grain, body);
  };
  run.queue.enqueue(
      {{accesses.data(), access_count}, run.waits, run.event},
      [&](backend::Stream& stream, backend::WaitList waits, backend::EventRef* event) {
        stream.run_native(
            [&] {
              netcl::cpu::evaluate(tree, operands.data(), static_cast<uint32_t>(inputs.size()),
                                   target, parallel);
            },
            waits, event);
      });
}

// Wide loads pay on CPUs, whose compilers vectorise across the elements of one item, and move 16
// bytes at once on GPUs.
uint32_t vector_width(const Device& device, const TypedTree& tree, int64_t count) {
  if (device.info().type == NETCL_DEVICE_CPU) return 1;
  size_t largest = dtype_size(tree.result);
  for (const netcl_dtype dtype : tree.inputs) largest = std::max(largest, dtype_size(dtype));
  const uint32_t width = largest >= 8 ? 1 : 4;
  return count >= 1024 && width * largest <= 16 ? width : 1;
}

KernelPlan make_plan(const Device& device, const TypedTree& tree, const Layout* layouts,
                     size_t inputs) {
  KernelPlan plan;
  const int64_t count = layouts[inputs].element_count();
  bool strided = false;
  bool aligned = true;
  int64_t highest = count;
  plan.vector_width = vector_width(device, tree, count);
  for (size_t i = 0; i <= inputs; ++i) {
    OperandShape shape;
    shape.dtype = i == inputs ? tree.result : tree.inputs[i];
    shape.access = expression::access_of(layouts[i]);
    // A result of one element is simply contiguous; several that share one place are not.
    if (i == inputs && shape.access == OperandShape::Access::scalar) {
      shape.access = count == 1 ? OperandShape::Access::contiguous : OperandShape::Access::strided;
    }
    strided = strided || shape.access == OperandShape::Access::strided;
    if (shape.access == OperandShape::Access::contiguous) {
      aligned = aligned && layouts[i].offset % plan.vector_width == 0;
    }
    highest = std::max(highest, touched_span(layouts[i]).last);
    if (i == inputs) {
      plan.output = shape;
    } else {
      plan.inputs.push_back(shape);
    }
  }
  if (strided) plan.vector_width = 1;
  plan.aligned = aligned && plan.vector_width > 1;
  plan.rank = std::max(layouts[inputs].rank, 1u);
  // A little room below 2^31 for the last step of the item loop.
  plan.index64 = highest >= (int64_t{1} << 30);
  plan.f64_ok = device.capabilities().fp64 != 0;
  return plan;
}

// Names a kernel by what it computes and how it walks; the tree is spelled out node by node.
std::string plan_key(const TypedTree& tree, const KernelPlan& plan) {
  std::string key = "expression ";
  const auto add = [&key](const auto& value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  for (const expression::TypedNode& node : tree.nodes) {
    add(node.op);
    add(node.dtype);
    add(node.input);
    add(node.args);
    add(node.integer);
    add(node.real);
  }
  for (const OperandShape& shape : plan.inputs) {
    add(shape.dtype);
    add(shape.access);
  }
  add(plan.output.dtype);
  add(plan.output.access);
  add(plan.rank);
  add(plan.index64);
  add(plan.vector_width);
  add(plan.aligned);
  return key;
}

void fill_arguments(const TypedTree& tree, const KernelPlan& plan,
                    std::span<const TensorRef> inputs, const Tensor& output, const Layout* layouts,
                    Arguments* arguments) {
  using Kind = expression::KernelArgument::Kind;
  const Layout& target = layouts[inputs.size()];
  for (const expression::KernelArgument& arg : expression::kernel_arguments(tree, plan)) {
    switch (arg.kind) {
      case Kind::input_pointer:
        arguments->memory(inputs[arg.operand]->memory(), false);
        break;
      case Kind::input_offset:
        arguments->integer(layouts[arg.operand].offset, arg.size);
        break;
      case Kind::output_pointer:
        arguments->memory(output.memory(), true);
        break;
      case Kind::output_offset:
        arguments->integer(target.offset, arg.size);
        break;
      case Kind::count:
        arguments->integer(target.element_count(), arg.size);
        break;
      case Kind::extent:
        // A single element has rank 0 once it is joined, and one step of extent 1 in the kernel.
        arguments->integer(arg.dimension < target.rank ? target.shape[arg.dimension] : 1, arg.size);
        break;
      case Kind::input_stride:
        arguments->integer(layouts[arg.operand].strides[arg.dimension], arg.size);
        break;
      case Kind::output_stride:
        arguments->integer(target.strides[arg.dimension], arg.size);
        break;
    }
  }
}

// Enough items to fill the device; each one goes on in steps of the global size.
void choose_work_size(const Device& device, const backend::Kernel& kernel, uint64_t items,
                      backend::Launch* launch) {
  const netcl_device_capabilities& caps = device.capabilities();
  const bool is_cpu = device.info().type == NETCL_DEVICE_CPU;
  const uint64_t local = std::min<uint64_t>(
      {is_cpu ? 1024u : 256u, kernel.facts.max_local_size, caps.max_work_group_size});
  const uint64_t groups_max = is_cpu ? 65536 : uint64_t{caps.compute_units} * 32;
  const uint64_t groups = std::min((items + local - 1) / local, groups_max);
  launch->rank = 1;
  launch->local[0] = local;
  launch->global[0] = groups * local;
}

void launch_expression(const TypedTree& tree, std::span<const TensorRef> inputs,
                       const Tensor& output, const Layout* layouts, const Run& run) {
  Device& device = run.device();
  const KernelPlan plan = make_plan(device, tree, layouts, inputs.size());
  const OpKernels::KernelPointer kernel = OpKernels::of(device).generated(
      plan_key(tree, plan), "netcl_expression",
      [&] { return expression::kernel_source(tree, plan, "netcl_expression"); });
  Arguments arguments;
  fill_arguments(tree, plan, inputs, output, layouts, &arguments);
  backend::Launch launch;
  launch.kernel = kernel.get();
  launch.arguments = arguments.list();
  const uint64_t count = static_cast<uint64_t>(output.element_count());
  choose_work_size(device, *kernel, (count + plan.vector_width - 1) / plan.vector_width, &launch);
  run.queue.enqueue({arguments.accesses(), run.waits, run.event},
                    [&](backend::Stream& stream, backend::WaitList waits,
                        backend::EventRef* event) { stream.launch(launch, waits, event); });
}

void check_devices(std::span<const TensorRef> inputs, const Device& device) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (&inputs[i]->device() != &device) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "inputs[%zu] lives on device %s; the op runs on %s", i,
           inputs[i]->device().info().name, device.info().name);
    }
  }
}

}  // namespace

Layout broadcast_shape(std::span<const TensorRef> inputs) {
  Layout shape;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Layout& layout = inputs[i]->layout();
    if (layout.rank > shape.rank) {
      // The new leading dimensions go in front of those found so far.
      const uint32_t more = layout.rank - shape.rank;
      std::copy_backward(shape.shape.begin(), shape.shape.begin() + shape.rank,
                         shape.shape.begin() + layout.rank);
      std::fill(shape.shape.begin(), shape.shape.begin() + more, 1);
      shape.rank = layout.rank;
    }
    for (uint32_t d = 0; d < layout.rank; ++d) {
      int64_t& extent = shape.shape[shape.rank - layout.rank + d];
      if (extent == 1) {
        extent = layout.shape[d];
      } else if (layout.shape[d] != 1 && layout.shape[d] != extent) {
        fail(NETCL_ERROR_INVALID_ARGUMENT,
             "inputs[%zu] has shape %s, which does not broadcast with %s of the inputs before it",
             i, shape_text(layout.rank, layout.shape.data()).c_str(),
             shape_text(shape.rank, shape.shape.data()).c_str());
      }
    }
  }
  return shape;
}

void run_expression(const TypedTree& tree, std::span<const TensorRef> inputs, const Tensor& output,
                    const Run& run) {
  check_devices(inputs, run.device());
  if (output.empty()) return;
  std::vector<TensorRef> safe(inputs.begin(), inputs.end());
  Layouts layouts;
  for (size_t i = 0; i < safe.size(); ++i) {
    if (tree.used[i] && spans_meet(*safe[i], output) && !same_elements(*safe[i], output)) {
      safe[i] = copy(*safe[i], run.without_event());
    }
    layouts[i] = broadcast_layout(safe[i]->layout(), output.layout().rank,
                                  output.layout().shape.data(), "inputs", static_cast<int>(i));
  }
  layouts[safe.size()] = output.layout();
  if (run.device().builtin()) {
    evaluate_natively(tree, safe, output, layouts.data(), run);
    return;
  }
  expression::arrange(layouts.data(), safe.size() + 1);
  launch_expression(tree, safe, output, layouts.data(), run);
}

TensorRef expression(const std::shared_ptr<const expression::Tree>& tree,
                     std::span<const TensorRef> inputs, netcl_dtype dtype, const TensorRef& into,
                     const Run& run) {
  check_devices(inputs, run.device());
  std::array<netcl_dtype, NETCL_ARGS_MAX> dtypes{};
  for (size_t i = 0; i < inputs.size(); ++i) dtypes[i] = inputs[i]->dtype();
  if (into != nullptr) {
    if (dtype != 0 && dtype != into->dtype()) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->dtype is %s; run->into is %s",
           dtype_facts(dtype, "options->dtype").name, dtype_facts(into->dtype()).name);
    }
    dtype = into->dtype();
  }
  const TypedTree typed =
      netcl::expression::infer(*tree, dtypes.data(), static_cast<uint32_t>(inputs.size()), dtype);
  if (typed.needs_f64 && run.device().capabilities().fp64 == 0) {
    fail(NETCL_ERROR_UNSUPPORTED, "the expression computes in f64, which device %s cannot",
         run.device().info().name);
  }
  const Layout shape = broadcast_shape(inputs);
  TensorRef result = into;
  if (into == nullptr) {
    make_layout(shape.rank, shape.shape.data(), nullptr, dtype_size(typed.result));
    result = Tensor::allocate(run.device().shared_from_this(), typed.result, shape.rank,
                              shape.shape.data());
  } else {
    // The inputs may broadcast further into a larger result.
    broadcast_layout(packed_layout(shape.rank, shape.shape.data()), into->layout().rank,
                     into->layout().shape.data(), "the broadcast of inputs, for run->into,");
  }
  run_expression(typed, inputs, *result, run);
  return result;
}

}  // namespace netcl::ops
