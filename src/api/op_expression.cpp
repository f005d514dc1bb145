#include "api/call_op.hpp"
#include "api/read_group.hpp"
#include "expression/differentiate.hpp"
#include "graph/region.hpp"
#include "ops/elementwise/elementwise.hpp"
#include "ops/elementwise/expression_cache.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

// The device an op runs on: its first input's, else that of the result, which messages call
// `argument`, or of the queue.
DeviceRef op_device(std::span<const TensorRef> inputs, netcl_tensor* into, const char* argument,
                    const netcl_run_options& run) {
  if (!inputs.empty()) return inputs[0]->device_ref();
  if (into != nullptr) return pin(into, argument)->device_ref();
  if (run.queue != nullptr) return pin(run.queue, "run->queue")->device().shared_from_this();
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "inputs_count is 0 and neither %s nor run->queue names a device", argument);
}

// A list for so many inputs, which may be too many.
TensorList list_of(uint32_t inputs_count) {
  if (inputs_count > NETCL_ARGS_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "inputs_count is %u; the limit is %d", inputs_count,
         NETCL_ARGS_MAX);
  }
  return TensorList(inputs_count);
}

void run_expression_op(const expression::Tree& tree, netcl_tensor* const* inputs,
                       uint32_t inputs_count, const netcl_expression_options* options,
                       const netcl_run_options* run, netcl_tensor** result) {
  const netcl_expression_options checked = read_options(options, "options");
  if (checked.dtype != 0) dtype_facts(checked.dtype, "options->dtype");
  ops::require_elementwise_variant(checked.variant);
  TensorList list = list_of(inputs_count);
  const std::span<const TensorRef> tensors = pin_list(inputs, &list);
  const netcl_run_options place = read_options(run, "run");
  const DeviceRef device = op_device(tensors, place.into, "run->into", place);
  call_op_on<ops::expression>(*device, "expression", run, result, tree, tensors, checked.dtype,
                              checked.variant);
}

std::shared_ptr<const expression::Trees> read_texts(const char* const* texts, uint32_t count) {
  if (count == 0 || count > NETCL_RESULTS_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "texts_count is %u; it is from 1 to %d", count,
         NETCL_RESULTS_MAX);
  }
  require_array(texts, count, "texts");
  for (uint32_t k = 0; k < count; ++k) {
    if (texts[k] == nullptr) fail(NETCL_ERROR_INVALID_ARGUMENT, "texts[%u] is NULL", k);
  }
  return ops::ExpressionCache::instance().get({texts, count});
}

std::span<const netcl_dtype> read_dtypes(const netcl_expressions_options& options, uint32_t count) {
  require_array(options.dtypes, options.dtypes_count, "options->dtypes");
  if (options.dtypes_count != 0 && options.dtypes_count != count) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->dtypes_count is %u; it is 0 or texts_count, %u",
         options.dtypes_count, count);
  }
  for (uint32_t k = 0; k < options.dtypes_count; ++k) {
    if (options.dtypes[k] == 0) continue;
    dtype_facts(options.dtypes[k], format("options->dtypes[%u]", k).c_str());
  }
  return {options.dtypes, options.dtypes_count};
}

// The results that are given, or as many nulls.
ops::ResultList read_into(const netcl_expressions_options& options, uint32_t count) {
  ops::ResultList into = read_entries(options.results_into, options.results_into_count, count,
                                      false, "options->results_into", "texts_count");
  into.resize(count);
  return into;
}

// Each has memory of its own on the device.
void check_places(const ops::ResultList& into, const Device& device) {
  for (uint32_t i = 0; i < into.size() && into[i] != nullptr; ++i) {
    if (&into[i]->device() != &device) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->results_into[%u] lives on device %s; the op runs on %s", i,
           into[i]->device().text().c_str(), device.text().c_str());
    }
    require_own(*into[i], "options->results_into", i);
    for (uint32_t k = 0; k < i; ++k) {
      if (graph::disjoint(*into[k], *into[i])) continue;
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->results_into[%u] may share memory with options->results_into[%u]", i, k);
    }
  }
}

void run_expressions_op(const char* const* texts, uint32_t count, netcl_tensor* const* inputs,
                        uint32_t inputs_count, const netcl_expressions_options& options,
                        const netcl_run_options* run, netcl_tensor** results) {
  const auto trees = read_texts(texts, count);
  require_zero(options.reserved, "options->reserved");
  ops::require_elementwise_variant(options.variant);
  const std::span<const netcl_dtype> dtypes = read_dtypes(options, count);
  TensorList list = list_of(inputs_count);
  const std::span<const TensorRef> tensors = pin_list(inputs, &list);
  const ops::ResultList into = read_into(options, count);
  const bool given = into[0] != nullptr;
  if (results == nullptr && !given) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "results is NULL and options->results_into is not set");
  }
  const netcl_run_options place = read_options(run, "run");
  const DeviceRef device =
      op_device(tensors, given ? options.results_into[0] : nullptr, "options->results_into", place);
  ResolvedRun resolved(run, *device);
  if (resolved.into() != nullptr) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "run->into is set; the results of this call go to options->results_into");
  }
  check_places(into, *device);
  ops::ResultList made = call_into<ops::expressions>(resolved, "expressions", into, *trees, tensors,
                                                     dtypes, options.variant);
  netcl_event* const event = resolved.event_handle();
  if (results != nullptr) give_tensors(given ? into : made, event, results);
  resolved.store_event(event);
}

}  // namespace

extern "C" {

netcl_status netcl_expression_create(const char* text, netcl_expression** expression) {
  return guarded([&] {
    require(text, "text");
    require(expression, "expression");
    *expression = make_handle<netcl_expression>(netcl::expression::parse(text));
  });
}

netcl_status netcl_expression_retain(netcl_expression* expression) {
  return retain_handle(expression, "expression");
}
void netcl_expression_release(netcl_expression* expression) { release_handle(expression); }

netcl_status netcl_expression_get_arity(const netcl_expression* expression, uint32_t* arity) {
  return guarded([&] {
    const auto pinned = pin(expression, "expression");
    require(arity, "arity");
    *arity = pinned->arity();
  });
}

netcl_status netcl_expression_get_text(const netcl_expression* expression, char* buffer,
                                       size_t capacity, size_t* length) {
  return guarded(
      [&] { write_text(pin(expression, "expression")->text(), buffer, capacity, length); });
}

netcl_status netcl_expression_differentiate(const netcl_expression* expression, uint32_t input,
                                            netcl_expression** gradient) {
  return guarded([&] {
    const auto pinned = pin(expression, "expression");
    require(gradient, "gradient");
    const uint32_t arity = pinned->arity();
    if (input >= arity) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "input is %u; the expression has %u inputs", input, arity);
    }
    if (arity >= NETCL_ARGS_MAX) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "expression uses v%u; its gradient needs one more input, and %d are possible", arity - 1,
           NETCL_ARGS_MAX);
    }
    const auto tree = netcl::expression::differentiate(*pinned, arity, input);
    // Its text is an expression too, so it keeps to the limits of one.
    netcl::expression::parse(tree->text().c_str());
    *gradient = make_handle<netcl_expression>(tree);
  });
}

netcl_status netcl_op_expression(const netcl_expression* expression, netcl_tensor* const* inputs,
                                 uint32_t inputs_count, const netcl_expression_options* options,
                                 const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto pinned = pin(expression, "expression");
    run_expression_op(*pinned, inputs, inputs_count, options, run, result);
  });
}

netcl_status netcl_op_expression_text(const char* text, netcl_tensor* const* inputs,
                                      uint32_t inputs_count,
                                      const netcl_expression_options* options,
                                      const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    require(text, "text");
    run_expression_op(*ops::ExpressionCache::instance().get(text), inputs, inputs_count, options,
                      run, result);
  });
}

netcl_status netcl_op_expressions(const char* const* texts, uint32_t texts_count,
                                  netcl_tensor* const* inputs, uint32_t inputs_count,
                                  const netcl_expressions_options* options,
                                  const netcl_run_options* run, netcl_tensor** results) {
  return guarded([&] {
    run_expressions_op(texts, texts_count, inputs, inputs_count, read_options(options, "options"),
                       run, results);
  });
}

}  // extern "C"
