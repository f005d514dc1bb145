#include "ops/elementwise/elementwise.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "backend/cpu/thread_pool.hpp"
#include "core/environment.hpp"
#include "core/small_array.hpp"
#include "expression/iteration.hpp"
#include "ops/elementwise/elementwise_launch.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/move.hpp"

namespace netcl::ops {

namespace {

using expression::TypedTree;

void check_devices(std::span<const TensorRef> inputs, const Device& device) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (&inputs[i]->device() != &device) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "inputs[%zu] lives on device %s; the op runs on %s", i,
           inputs[i]->device().text().c_str(), device.text().c_str());
    }
  }
}

// Reads one shape into another; false when it was not as simple as that.
bool all_packed(const TypedTree& tree, std::span<const TensorRef> inputs,
                std::span<const Tensor* const> outputs) {
  for (const Tensor* const output : outputs) {
    if (!output->layout().is_c_contiguous()) return false;
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!tree.used[i]) continue;
    const Layout& layout = inputs[i]->layout();
    if (!layout.same_shape(outputs[0]->layout()) || !layout.is_c_contiguous()) return false;
  }
  return true;
}

// The layouts of all inputs and, behind them, the outputs, ready to be walked.
void arrange_operands(const TypedTree& tree, std::span<const TensorRef> inputs,
                      std::span<const Tensor* const> outputs, Layout* layouts) {
  const size_t count = inputs.size();
  const size_t all = count + outputs.size();
  if (all_packed(tree, inputs, outputs)) {
    const int64_t elements = outputs[0]->element_count();
    for (size_t i = 0; i < all; ++i) {
      layouts[i].rank = 1;
      layouts[i].shape[0] = elements;
      layouts[i].strides[0] = 1;
      layouts[i].offset =
          i < count ? inputs[i]->layout().offset : outputs[i - count]->layout().offset;
    }
    return;
  }
  const Layout& target = outputs[0]->layout();
  for (size_t i = 0; i < count; ++i) {
    // An input that no node reads must not keep dimensions apart.
    layouts[i] = broadcast_layout(inputs[i]->layout(), target.rank, target.shape.data(), "inputs",
                                  static_cast<int>(i));
    if (!tree.used[i]) layouts[i] = target;
  }
  for (size_t i = count; i < all; ++i) layouts[i] = outputs[i - count]->layout();
  expression::arrange(layouts, all);
}

// Every input is read once and every operator of the expression done once for each element.
Work expression_work(const TypedTree& tree, std::span<const TensorRef> inputs,
                     std::span<const Tensor* const> outputs) {
  Work work = work_of("elementwise", tree.result(), 0.0, {}, {});
  for (const Tensor* const output : outputs) work.bytes_written += moved_bytes(output);
  work.bytes = work.bytes_written;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (tree.used[i]) work.bytes += moved_bytes(inputs[i].get());
  }
  const auto operators =
      std::count_if(tree.nodes.begin(), tree.nodes.end(), [](const expression::TypedNode& node) {
        return node.op != expression::Op::literal && node.op != expression::Op::input;
      });
  work.operations =
      static_cast<double>(operators) * static_cast<double>(outputs[0]->element_count());
  // A comparison gives bool and is done in the dtype of what it compares.
  const auto computes_in = [&](netcl_dtype dtype) {
    return std::any_of(tree.nodes.begin(), tree.nodes.end(),
                       [&](const expression::TypedNode& node) { return node.dtype == dtype; });
  };
  if (computes_in(NETCL_F32)) work.dtype = NETCL_F32;
  if (tree.needs_f64) work.dtype = NETCL_F64;
  return work;
}

// True when the shape of every input is that of the result, which is what most calls have.
bool one_shape(std::span<const TensorRef> inputs) {
  for (size_t i = 1; i < inputs.size(); ++i) {
    if (!inputs[i]->layout().same_shape(inputs[0]->layout())) return false;
  }
  return !inputs.empty();
}

// What results are made in where they are given.
netcl_dtype dtype_into(const Tensor& into, const char* name, netcl_dtype asked,
                       const char* option) {
  if (asked != 0 && asked != into.dtype()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; %s is %s", option,
         dtype_facts(asked, option).name, name, dtype_facts(into.dtype()).name);
  }
  return into.dtype();
}
netcl_dtype dtype_of_entry(const ResultList& into, size_t k, netcl_dtype asked) {
  if (!into[k]->layout().same_shape(into[0]->layout())) {
    const auto shape = [](const Tensor& tensor) { return shape_text(tensor); };
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->results_into[%zu] has shape %s; options->results_into[0] has %s, and results "
         "have one shape",
         k, shape(*into[k]).c_str(), shape(*into[0]).c_str());
  }
  if (asked == 0 || asked == into[k]->dtype()) return into[k]->dtype();
  return dtype_into(*into[k], format("options->results_into[%zu]", k).c_str(), asked,
                    format("options->dtypes[%zu]", k).c_str());
}

void check_inputs(std::span<const TensorRef> inputs, const Run& run) {
  check_devices(inputs, run.device());
  if (inputs.size() > NETCL_ARGS_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "inputs_count is %zu; the limit is %d", inputs.size(),
         NETCL_ARGS_MAX);
  }
}

void require_f64_for(const TypedTree& tree, const Run& run) {
  if (!tree.needs_f64 || run.device().capabilities().fp64 != 0) return;
  fail(NETCL_ERROR_UNSUPPORTED, "the expression computes in f64, which device %s cannot",
       run.device().info().name);
}

// The shape to which inputs broadcast.
Layout result_shape(std::span<const TensorRef> inputs) {
  return one_shape(inputs) ? inputs[0]->layout() : broadcast_shape(inputs);
}
// The inputs may broadcast further into a larger result, which messages call `name`.
void require_broadcast(std::span<const TensorRef> inputs, const Layout& into, const char* name) {
  if (one_shape(inputs) && inputs[0]->layout().same_shape(into)) return;
  const Layout shape = broadcast_shape(inputs);
  broadcast_layout(packed_layout(shape.rank, shape.shape.data()), into.rank, into.shape.data(),
                   name);
}

}  // namespace

void require_elementwise_variant(netcl_variant variant) {
  if (variant == NETCL_VARIANT_AUTO || variant == NETCL_VARIANT_ELEMENTWISE_SCALAR ||
      variant == NETCL_VARIANT_ELEMENTWISE_VECTORIZED) {
    return;
  }
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "options->variant is %d; elementwise work has the variants %d (scalar) and %d (vectorized)",
       variant, NETCL_VARIANT_ELEMENTWISE_SCALAR, NETCL_VARIANT_ELEMENTWISE_VECTORIZED);
}

netcl_variant default_elementwise_variant() {
  return environment().variants[NETCL_VARIANT_ELEMENTWISE_SCALAR / 16];
}

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
             i, shape_text(layout).c_str(), shape_text(shape).c_str());
      }
    }
  }
  return shape;
}

void run_expression(const TypedExpression& typed, std::span<const TensorRef> inputs,
                    const Tensor& output, netcl_variant variant, const Run& run) {
  const Tensor* const outputs[1] = {&output};
  run_expressions(typed, inputs, outputs, variant, run);
}

void run_expressions(const TypedExpression& typed, std::span<const TensorRef> inputs,
                     std::span<const Tensor* const> outputs, netcl_variant variant,
                     const Run& run) {
  check_devices(inputs, run.device());
  if (outputs[0]->empty()) return;
  std::vector<TensorRef> safe;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto overlaps = [&](const Tensor* output) {
      return may_share(*inputs[i], *output) && !same_elements(*inputs[i], *output);
    };
    if (!typed.tree.used[i] || std::none_of(outputs.begin(), outputs.end(), overlaps)) continue;
    if (safe.empty()) safe.assign(inputs.begin(), inputs.end());
    safe[i] = copy(*inputs[i], nullptr, run.without_event());
  }
  if (!safe.empty()) inputs = safe;
  SmallArray<Layout, 6> layouts(inputs.size() + outputs.size());
  arrange_operands(typed.tree, inputs, outputs, layouts.data());
  const Run declared = with_work(run, [&] { return expression_work(typed.tree, inputs, outputs); });
  launch_expression(typed, inputs, outputs, layouts.data(), variant, declared);
}

TensorRef expression(const expression::Tree& tree, std::span<const TensorRef> inputs,
                     netcl_dtype dtype, netcl_variant variant, const TensorRef& into,
                     const Run& run) {
  check_inputs(inputs, run);
  if (variant == NETCL_VARIANT_AUTO) variant = default_elementwise_variant();
  SmallArray<netcl_dtype, 16> dtypes(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) dtypes[i] = inputs[i]->dtype();
  if (into != nullptr) dtype = dtype_into(*into, "run->into", dtype, "options->dtype");
  const TypedExpressionRef typed =
      typed_expression(tree, dtypes.data(), static_cast<uint32_t>(inputs.size()), dtype);
  require_f64_for(typed->tree, run);
  TensorRef result = into;
  if (into == nullptr) {
    const Layout shape = result_shape(inputs);
    result = new_tensor(typed->tree.result(), shape.rank, shape.shape.data(), run);
  } else {
    require_broadcast(inputs, into->layout(), "the broadcast of inputs, for run->into,");
  }
  run_expression(*typed, inputs, *result, variant, run);
  return result;
}

ResultList expressions(const expression::Trees& trees, std::span<const TensorRef> inputs,
                       std::span<const netcl_dtype> dtypes, netcl_variant variant,
                       const ResultList& into, const Run& run) {
  check_inputs(inputs, run);
  if (variant == NETCL_VARIANT_AUTO) variant = default_elementwise_variant();
  const bool given = into[0] != nullptr;
  SmallArray<netcl_dtype, 16> read(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) read[i] = inputs[i]->dtype();
  SmallArray<netcl_dtype, kResultsMost> stored(trees.size());
  for (size_t k = 0; k < trees.size(); ++k) {
    stored[k] = dtypes.empty() ? 0 : dtypes[k];
    if (given) stored[k] = dtype_of_entry(into, k, stored[k]);
  }
  const TypedExpressionRef typed = typed_expressions(
      trees, read.data(), static_cast<uint32_t>(inputs.size()), {stored.data(), stored.size()});
  require_f64_for(typed->tree, run);
  ResultList results = into;
  if (given) {
    require_broadcast(inputs, into[0]->layout(),
                      "the broadcast of inputs, for options->results_into,");
  } else {
    const Layout shape = result_shape(inputs);
    for (size_t k = 0; k < results.size(); ++k) {
      results[k] = new_tensor(typed->tree.results[k].dtype, shape.rank, shape.shape.data(), run);
    }
  }
  SmallArray<const Tensor*, kResultsMost> outputs(results.size());
  for (size_t k = 0; k < results.size(); ++k) outputs[k] = results[k].get();
  run_expressions(*typed, inputs, {outputs.data(), outputs.size()}, variant, run);
  return results;
}

}  // namespace netcl::ops
