#include "ops/elementwise/elementwise_launch.hpp"

#include <algorithm>
#include <string>

#include "backend/cpu/thread_pool.hpp"
#include "core/small_array.hpp"
#include "expression/iteration.hpp"
#include "kernel/op_kernels.hpp"
#include "ops/elementwise/elementwise.hpp"
#include "ops/frame/arguments.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/native.hpp"
#include "ops/frame/work.hpp"

namespace netcl::ops {

namespace {

using expression::KernelPlan;
using expression::OperandShape;
using expression::TypedTree;
using AccessKind = OperandShape::Access;

constexpr int64_t kVectorElements = 1024;  // up to here vectors are not worth it

// What of a plan is not in the typed tree, decided before anything is looked up.
struct LaunchShape {
  uint32_t rank = 1;
  uint32_t width = 1;
  bool index64 = false;
  bool aligned = false;
};

AccessKind access_of(const Layout* layouts, size_t index, size_t inputs) {
  const AccessKind access = expression::access_of(layouts[index]);
  // A result of one element is simply contiguous; several that share one place are not.
  if (index < inputs || access != AccessKind::scalar) return access;
  return layouts[index].element_count() == 1 ? AccessKind::contiguous : AccessKind::strided;
}

size_t largest_element(const TypedTree& tree) {
  size_t largest = 0;
  for (const expression::TypedResult& result : tree.results) {
    largest = std::max(largest, dtype_size(result.dtype));
  }
  for (size_t i = 0; i < tree.inputs.size(); ++i) {
    if (tree.used[i]) largest = std::max(largest, dtype_size(tree.inputs[i]));
  }
  return largest;
}

LaunchShape make_shape(const TypedTree& tree, const Layout* layouts, const AccessKind* accesses,
                       netcl_variant variant) {
  LaunchShape shape;
  const size_t count = tree.inputs.size();
  const int64_t elements = layouts[count].element_count();
  shape.width = elementwise_width(elements, largest_element(tree), variant);
  bool strided = false;
  bool aligned = true;
  int64_t highest = elements;
  for (size_t i = 0; i < count + tree.results.size(); ++i) {
    if (i < count && !tree.used[i]) continue;
    strided = strided || accesses[i] == AccessKind::strided;
    if (accesses[i] == AccessKind::contiguous) {
      aligned = aligned && layouts[i].offset % shape.width == 0;
    }
    highest = std::max(highest, touched_span(layouts[i]).last);
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
  return shape;
}

WalkKey make_key(const Device& device, const TypedTree& tree, size_t inputs,
                 const AccessKind* accesses, const LaunchShape& shape) {
  static_assert((NETCL_ARGS_MAX + kResultsMost) * 2 <= 2 * 64 + 32);
  WalkKey key;
  key.device = device.number();
  for (size_t i = 0; i < inputs + tree.results.size(); ++i) {
    if (i < inputs && !tree.used[i]) continue;
    key.bits[i / 32] |= static_cast<uint64_t>(accesses[i]) << (i % 32 * 2);
  }
  const uint64_t rest = uint64_t{shape.rank} << 5 | shape.width;
  key.bits[2] |= rest << 40 | uint64_t{shape.index64} << 32 | uint64_t{shape.aligned} << 33;
  return key;
}

// Names a kernel by what it computes and how it walks; the tree is spelled out node by node. The
// values of literals that are arguments do not count.
std::string plan_key(const TypedTree& tree, const KernelPlan& plan,
                     const std::vector<expression::ArgumentRole>& arguments) {
  std::string key = "expression ";
  const auto add = [&key](const auto& value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  std::vector<bool> given(tree.nodes.size());
  for (const expression::ArgumentRole& argument : arguments) {
    if (argument.kind == expression::ArgumentRole::Kind::literal) given[argument.operand] = true;
  }
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    const expression::TypedNode& node = tree.nodes[i];
    add(node.op);
    add(node.dtype);
    add(node.input);
    add(node.args);
    add(given[i] ? 0 : node.integer);
    add(given[i] ? 0.0 : node.real);
  }
  for (const OperandShape& shape : plan.inputs) {
    add(shape.dtype);
    add(shape.access);
  }
  for (size_t k = 0; k < plan.outputs.size(); ++k) {
    add(tree.results[k].node);
    add(plan.outputs[k].dtype);
    add(plan.outputs[k].access);
  }
  add(plan.rank);
  add(plan.index64);
  add(plan.vector_width);
  add(plan.aligned);
  return key;
}

// Builds the kernel of a walk that has not been met before.
WalkRef make_walk(Device& device, const TypedTree& tree, const AccessKind* accesses,
                  const LaunchShape& shape, const WalkKey& key,
                  std::shared_ptr<backend::Kernel>* kernel) {
  auto walk = std::make_shared<Walk>();
  walk->key = key;
  const size_t count = tree.inputs.size();
  if (runs_native(device)) {
    walk->evaluation = std::make_unique<netcl::cpu::Evaluation>(tree, accesses, accesses + count);
    return walk;
  }
  KernelPlan& plan = walk->plan;
  for (size_t i = 0; i < count; ++i) plan.inputs.push_back({tree.inputs[i], accesses[i]});
  for (size_t k = 0; k < tree.results.size(); ++k) {
    plan.outputs.push_back({tree.results[k].dtype, accesses[count + k]});
  }
  plan.rank = shape.rank;
  plan.index64 = shape.index64;
  plan.vector_width = shape.width;
  plan.aligned = shape.aligned;
  plan.f64_ok = device.capabilities().fp64 != 0;
  walk->arguments = expression::kernel_arguments(tree, plan);
  const char* const name =
      shape.width > 1 ? "netcl_elementwise_vectorized" : "netcl_elementwise_scalar";
  *kernel = OpKernels::of(device).generated(plan_key(tree, plan, walk->arguments), name, [&] {
    return expression::kernel_source(tree, plan, name);
  });
  walk->kernel = *kernel;
  return walk;
}

void fill_arguments(const Walk& walk, std::span<const TensorRef> inputs,
                    std::span<const Tensor* const> outputs, const Layout* layouts,
                    Arguments* arguments) {
  using Kind = expression::ArgumentRole::Kind;
  const Layout* const targets = layouts + inputs.size();
  const Layout& target = targets[0];
  for (const expression::ArgumentRole& arg : walk.arguments) {
    switch (arg.kind) {
      case Kind::input_pointer:
        arguments->memory(reading(*inputs[arg.operand]));
        break;
      case Kind::input_offset:
        arguments->integer(layouts[arg.operand].offset, arg.size);
        break;
      case Kind::output_pointer:
        arguments->memory(writing(*outputs[arg.operand]));
        break;
      case Kind::output_offset:
        arguments->integer(targets[arg.operand].offset, arg.size);
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
        arguments->integer(targets[arg.operand].strides[arg.dimension], arg.size);
        break;
      case Kind::literal:
        arguments->bytes(&arg.bits, arg.size);
        break;
    }
  }
}

// From so many nodes on arithmetic takes longer than memory: groups that stay save their beginning.
constexpr size_t kLongTree = 48;
constexpr uint64_t kLongGroupsPerUnit = 16;

// Enough items to fill the device, which end after one vector: fresh groups keep more loads on
// their way than a loop.
void choose_work_size(const Device& device, const backend::Kernel& kernel, uint64_t items,
                      bool is_long, backend::Launch* launch) {
  launch->rank = 1;
  const uint64_t local = std::min<uint64_t>(
      {256u, kernel.facts.max_local_size, device.capabilities().max_work_group_size});
  const uint64_t units = std::max<uint64_t>(device.capabilities().compute_units, 1);
  const uint64_t most = is_long ? units * kLongGroupsPerUnit : uint64_t{1} << 20;
  const uint64_t groups = std::min((items + local - 1) / local, most);
  launch->local[0] = local;
  launch->global[0] = groups * local;
}

void enqueue_kernel(const Walk& walk, const OpKernels::KernelPointer& kernel,
                    std::span<const TensorRef> inputs, std::span<const Tensor* const> outputs,
                    const Layout* layouts, bool is_long, const Run& run) {
  Arguments arguments;
  fill_arguments(walk, inputs, outputs, layouts, &arguments);
  backend::Launch launch;
  launch.kernel = kernel.get();
  launch.arguments = arguments.list();
  const uint64_t width = walk.plan.vector_width;
  const uint64_t count = static_cast<uint64_t>(layouts[inputs.size()].element_count());
  choose_work_size(run.device(), *kernel, (count + width - 1) / width, is_long, &launch);
  enqueue_launch(launch, arguments, run);
}

// An evaluation as a command: its memory is the inputs, then the outputs.
class NativeEvaluation final : public backend::NativeFunction {
 public:
  NativeEvaluation(WalkRef walk, const Layout* layouts, size_t inputs, size_t operands,
                   bool one_by_one)
      : walk_(std::move(walk)),
        layouts_(layouts),
        inputs_(inputs),
        operands_(operands),
        one_by_one_(one_by_one) {}

  void run(const NativeCall& call) const override {
    SmallArray<netcl::cpu::EvaluateOperand, 8> operands(operands_);
    for (size_t i = 0; i < operands_; ++i) operands[i] = {call.at<void>(i), &layouts_[i]};
    walk_->evaluation->run(operands.data(), operands.data() + inputs_, call.threads, one_by_one_);
  }
  // Until then the layouts are the caller's.
  std::unique_ptr<backend::NativeFunction> detach() override {
    auto own = std::make_unique<Layout[]>(operands_);
    std::copy_n(layouts_, operands_, own.get());
    auto detached = std::make_unique<NativeEvaluation>(std::move(walk_), own.get(), inputs_,
                                                       operands_, one_by_one_);
    detached->own_ = std::move(own);
    return detached;
  }

 private:
  WalkRef walk_;
  const Layout* layouts_;
  std::unique_ptr<Layout[]> own_;
  size_t inputs_;
  size_t operands_;
  bool one_by_one_;
};

void evaluate(WalkRef walk, std::span<const TensorRef> inputs,
              std::span<const Tensor* const> outputs, const Layout* layouts, bool one_by_one,
              const Run& declared) {
  const Run run = named_after(declared, one_by_one ? NETCL_VARIANT_ELEMENTWISE_SCALAR
                                                   : NETCL_VARIANT_ELEMENTWISE_VECTORIZED);
  const size_t count = inputs.size();
  SmallArray<Access, 8> accesses(count + outputs.size());
  for (size_t i = 0; i < count; ++i) accesses[i] = reading(*inputs[i]);
  for (size_t k = 0; k < outputs.size(); ++k) accesses[count + k] = writing(*outputs[k]);
  NativeEvaluation function(std::move(walk), layouts, count, accesses.size(), one_by_one);
  enqueue_native({accesses.data(), accesses.size()}, run, function);
}

}  // namespace

uint32_t elementwise_width(int64_t count, size_t largest, netcl_variant asked) {
  if (asked == NETCL_VARIANT_ELEMENTWISE_SCALAR) return 1;
  // 16 bytes are what an item moves at once.
  const uint32_t width = largest >= 4 ? 4 : 8;
  if (asked == NETCL_VARIANT_ELEMENTWISE_VECTORIZED) return width;
  return count <= kVectorElements ? 1 : width;
}

void launch_expression(const TypedExpression& typed, std::span<const TensorRef> inputs,
                       std::span<const Tensor* const> outputs, const Layout* layouts,
                       netcl_variant variant, const Run& run) {
  if (!run.wants_commands()) return;
  Device& device = run.device();
  const size_t count = inputs.size();
  SmallArray<AccessKind, 16> accesses(count + outputs.size());
  for (size_t i = 0; i < accesses.size(); ++i) accesses[i] = access_of(layouts, i, count);
  LaunchShape shape;
  const bool native = runs_native(device);
  const bool is_long = typed.tree.nodes.size() >= kLongTree;
  if (!native) {
    shape = make_shape(typed.tree, layouts, accesses.data(), variant);
  }
  const WalkKey key = make_key(device, typed.tree, count, accesses.data(), shape);
  std::shared_ptr<backend::Kernel> kernel;
  WalkRef walk = typed.find(key, &kernel);
  if (walk == nullptr) {
    walk = make_walk(device, typed.tree, accesses.data(), shape, key, &kernel);
    typed.keep(walk);
  }
  if (native) {
    const bool one_by_one = variant == NETCL_VARIANT_ELEMENTWISE_SCALAR;
    evaluate(std::move(walk), inputs, outputs, layouts, one_by_one, run);
  } else {
    enqueue_kernel(*walk, kernel, inputs, outputs, layouts, is_long, run);
  }
}

}  // namespace netcl::ops
