#include "ops/elementwise/elementwise_launch.hpp"

#include <algorithm>
#include <string>

#include "backend/cpu/thread_pool.hpp"
#include "core/small_array.hpp"
#include "expression/iteration.hpp"
#include "kernel/op_kernels.hpp"
#include "ops/frame/arguments.hpp"
#include "ops/frame/device_class.hpp"
#include "ops/frame/replay.hpp"
#include "ops/frame/work.hpp"

namespace netcl::ops {

namespace {

using expression::KernelPlan;
using expression::OperandShape;
using expression::TypedTree;
using AccessKind = OperandShape::Access;

constexpr int64_t kVectorElements = 1024;  // up to here vectors are not worth it
// Results of this size and more go past the caches of a CPU.
constexpr int64_t kStreamBytes = int64_t{16} << 20;

// What of a plan is not in the typed tree, decided before anything is looked up.
struct Shape {
  uint32_t rank = 1;
  uint32_t width = 1;
  bool index64 = false;
  bool aligned = false;
  bool streaming = false;
};

AccessKind access_of(const Layout* layouts, size_t index, size_t inputs) {
  const AccessKind access = expression::access_of(layouts[index]);
  // A result of one element is simply contiguous; several that share one place are not.
  if (index < inputs || access != AccessKind::scalar) return access;
  return layouts[index].element_count() == 1 ? AccessKind::contiguous : AccessKind::strided;
}

size_t largest_element(const TypedTree& tree) {
  size_t largest = dtype_size(tree.result);
  for (size_t i = 0; i < tree.inputs.size(); ++i) {
    if (tree.used[i]) largest = std::max(largest, dtype_size(tree.inputs[i]));
  }
  return largest;
}

Shape make_shape(const Device& device, const TypedExpression& typed,
                 std::span<const TensorRef> inputs, const Tensor& output, const Layout* layouts,
                 const AccessKind* accesses, netcl_variant variant) {
  const TypedTree& tree = typed.tree;
  Shape shape;
  const size_t count = inputs.size();
  const int64_t elements = layouts[count].element_count();
  shape.width =
      elementwise_width(device.info(), elements, largest_element(tree), !typed.in_vectors, variant);
  bool strided = false;
  bool aligned = true;
  bool own_output = true;
  int64_t highest = elements;
  for (size_t i = 0; i <= count; ++i) {
    if (i < count && !tree.used[i]) continue;
    strided = strided || accesses[i] == AccessKind::strided;
    if (accesses[i] == AccessKind::contiguous) {
      aligned = aligned && layouts[i].offset % shape.width == 0;
    }
    highest = std::max(highest, touched_span(layouts[i]).last);
    own_output = own_output && (i == count || inputs[i]->memory() != output.memory());
  }
  if (strided && variant == NETCL_VARIANT_ELEMENTWISE_VECTORIZED) {
    fail(NETCL_ERROR_UNSUPPORTED,
         "options->variant is elementwise_vectorized, which takes operands that are packed in the "
         "order of the result, or single elements; an operand has other strides");
  }
  if (strided) shape.width = 1;
  shape.aligned = aligned && shape.width > 1;
  shape.rank = std::max(layouts[count].rank, 1u);
  // A little room below 2^31 for the last step of the item loop.
  shape.index64 = highest >= (int64_t{1} << 30);
  shape.streaming = shape.aligned && own_output && !gpu_shaped(device) &&
                    elements * static_cast<int64_t>(dtype_size(tree.result)) >= kStreamBytes;
  return shape;
}

WalkKey make_key(const Device& device, const TypedTree& tree, size_t inputs,
                 const AccessKind* accesses, const Shape& shape) {
  WalkKey key;
  key.device = &device;
  for (size_t i = 0; i <= inputs; ++i) {
    if (i < inputs && !tree.used[i]) continue;
    key.bits[i / 32] |= static_cast<uint64_t>(accesses[i]) << (i % 32 * 2);
  }
  const uint64_t rest = uint64_t{shape.rank} << 5 | shape.width;
  key.bits[2] |= rest << 40 | uint64_t{shape.index64} << 32 | uint64_t{shape.aligned} << 33 |
                 uint64_t{shape.streaming} << 34;
  return key;
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
  add(plan.streaming);
  add(plan.lanes);
  return key;
}

// Builds the kernel of a walk that has not been met before.
WalkRef make_walk(Device& device, const TypedTree& tree, const AccessKind* accesses,
                  const Shape& shape, const WalkKey& key,
                  std::shared_ptr<backend::Kernel>* kernel) {
  auto walk = std::make_shared<Walk>();
  walk->key = key;
  const size_t count = tree.inputs.size();
  if (device.builtin()) {
    walk->evaluation = std::make_unique<netcl::cpu::Evaluation>(tree, accesses, accesses[count]);
    return walk;
  }
  KernelPlan& plan = walk->plan;
  for (size_t i = 0; i < count; ++i) plan.inputs.push_back({tree.inputs[i], accesses[i]});
  plan.output = {tree.result, accesses[count]};
  plan.rank = shape.rank;
  plan.index64 = shape.index64;
  plan.vector_width = shape.width;
  plan.aligned = shape.aligned;
  plan.streaming = shape.streaming;
  plan.lanes = !gpu_shaped(device);
  plan.f64_ok = device.capabilities().fp64 != 0;
  walk->arguments = expression::kernel_arguments(tree, plan);
  const char* const name =
      shape.width > 1 ? "netcl_elementwise_vectorized" : "netcl_elementwise_scalar";
  *kernel = OpKernels::of(device).generated(
      plan_key(tree, plan), name, [&] { return expression::kernel_source(tree, plan, name); });
  walk->kernel = *kernel;
  return walk;
}

void fill_arguments(const Walk& walk, std::span<const TensorRef> inputs, const Tensor& output,
                    const Layout* layouts, Arguments* arguments) {
  using Kind = expression::KernelArgument::Kind;
  const Layout& target = layouts[inputs.size()];
  for (const expression::KernelArgument& arg : walk.arguments) {
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

// Enough items to fill the device; each one goes on in steps of the global size, or on CPUs over
// a run of vectors.
void choose_work_size(const Device& device, const backend::Kernel& kernel, uint64_t items,
                      bool vectors, backend::Launch* launch) {
  const netcl_device_capabilities& caps = device.capabilities();
  const bool gpu = gpu_shaped(device);
  launch->rank = 1;
  if (vectors && !gpu) {
    constexpr uint64_t kRun = 256;
    launch->local[0] = 1;
    launch->global[0] = std::min<uint64_t>((items + kRun - 1) / kRun, 65536);
    return;
  }
  const uint64_t local = std::min<uint64_t>(
      {gpu ? 256u : 1024u, kernel.facts.max_local_size, caps.max_work_group_size});
  // An item of a GPU ends after one vector: fresh groups keep more loads on their way than a loop.
  const uint64_t groups_max = gpu ? uint64_t{1} << 20 : 65536;
  const uint64_t groups = std::min((items + local - 1) / local, groups_max);
  launch->local[0] = local;
  launch->global[0] = groups * local;
}

void enqueue_kernel(const Walk& walk, const OpKernels::KernelPointer& kernel,
                    std::span<const TensorRef> inputs, const Tensor& output, const Layout* layouts,
                    const Run& run) {
  Arguments arguments;
  fill_arguments(walk, inputs, output, layouts, &arguments);
  backend::Launch launch;
  launch.kernel = kernel.get();
  launch.arguments = arguments.list();
  const uint64_t width = walk.plan.vector_width;
  const uint64_t count = static_cast<uint64_t>(layouts[inputs.size()].element_count());
  choose_work_size(run.device(), *kernel, (count + width - 1) / width, width > 1, &launch);
  if (Recording* recording = Recording::current()) recording->launched(kernel, launch, arguments);
  run.queue.enqueue({arguments.accesses(), run.waits, run.event, run.work},
                    [&](backend::Stream& stream, backend::WaitList waits,
                        backend::EventRef* event) { stream.launch(launch, waits, event); });
}

void evaluate(const Walk& walk, std::span<const TensorRef> inputs, const Tensor& output,
              const Layout* layouts, bool one_by_one, const Run& declared) {
  const Run run = named_after(declared, one_by_one ? NETCL_VARIANT_ELEMENTWISE_SCALAR
                                                   : NETCL_VARIANT_ELEMENTWISE_VECTORIZED);
  const size_t count = inputs.size();
  SmallArray<netcl::cpu::EvaluateOperand, 8> operands(count);
  SmallArray<Access, 8> accesses(count + 1);
  size_t access_count = 0;
  for (size_t i = 0; i < count; ++i) {
    operands[i] = {inputs[i]->buffer()->host_pointer(), &layouts[i]};
    if (inputs[i]->memory() != nullptr) accesses[access_count++] = {inputs[i]->memory(), false};
  }
  accesses[access_count++] = {output.memory(), true};
  const netcl::cpu::EvaluateOperand target{output.buffer()->host_pointer(), &layouts[count]};
  netcl::cpu::ThreadPool& threads = run.device().backend().threads();
  const auto work = [&] { walk.evaluation->run(operands.data(), target, threads, one_by_one); };
  // A reference is small enough for std::function to hold it without memory of its own.
  const std::function<void()> function = [&work] { work(); };
  run.queue.enqueue({{accesses.data(), access_count}, run.waits, run.event, run.work},
                    [&](backend::Stream& stream, backend::WaitList waits,
                        backend::EventRef* event) { stream.run_native(function, waits, event); });
}

}  // namespace

uint32_t elementwise_width(const netcl_device_info& info, int64_t count, size_t largest,
                           bool functions, netcl_variant asked) {
  if (info.backend == NETCL_BACKEND_BUILTIN || asked == NETCL_VARIANT_ELEMENTWISE_SCALAR) return 1;
  const bool gpu = gpu_shaped(info);
  // 16 bytes are what an item of a GPU moves at once; a CPU's item works on a cache line.
  const uint32_t width = gpu ? (largest >= 4 ? 4 : 8) : 16;
  if (asked == NETCL_VARIANT_ELEMENTWISE_VECTORIZED) return width;
  return count <= kVectorElements || (!gpu && functions) ? 1 : width;
}

void launch_expression(const TypedExpression& typed, std::span<const TensorRef> inputs,
                       const Tensor& output, const Layout* layouts, netcl_variant variant,
                       const Run& run) {
  Device& device = run.device();
  const size_t count = inputs.size();
  SmallArray<AccessKind, 16> accesses(count + 1);
  for (size_t i = 0; i <= count; ++i) accesses[i] = access_of(layouts, i, count);
  Shape shape;
  if (!device.builtin()) {
    shape = make_shape(device, typed, inputs, output, layouts, accesses.data(), variant);
  }
  const WalkKey key = make_key(device, typed.tree, count, accesses.data(), shape);
  std::shared_ptr<backend::Kernel> kernel;
  WalkRef walk = typed.find(key, &kernel);
  if (walk == nullptr) {
    walk = make_walk(device, typed.tree, accesses.data(), shape, key, &kernel);
    typed.keep(walk);
  }
  if (device.builtin()) {
    evaluate(*walk, inputs, output, layouts, variant == NETCL_VARIANT_ELEMENTWISE_SCALAR, run);
  } else {
    enqueue_kernel(*walk, kernel, inputs, output, layouts, run);
  }
}

}  // namespace netcl::ops
