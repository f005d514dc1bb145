#include "graph/primitive_work.hpp"

#include "api/host_function.hpp"
#include "api/kernel_handle.hpp"
#include "api/primitive_options.hpp"
#include "api/resolved_run.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

class FunctionWork final : public graph::PrimitiveWork {
 public:
  FunctionWork(HostFunction<netcl_primitive_fn>&& host, graph::WorkGradients gradients) noexcept
      : host_(std::move(host)), gradients_(gradients) {}

  graph::WorkGradients gradients() const noexcept override { return gradients_; }

  TensorRef forward(const graph::WorkCall& call, const graph::Caller& caller) const override {
    TensorRef made = run(call, caller, 1)[0];
    if (made == nullptr) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "function returned NETCL_OK and left tensors[0] NULL");
    }
    return made;
  }
  std::vector<TensorRef> backward(const graph::WorkCall& call,
                                  const graph::Caller& caller) const override {
    return run(call, caller, call.inputs.size());
  }

 private:
  // Calls the function, which may give `count` tensors.
  std::vector<TensorRef> run(const graph::WorkCall& call, const graph::Caller& caller,
                             size_t count) const {
    Lent<netcl_tensor> inputs;
    for (const TensorRef& input : call.inputs) inputs.add(input);
    Lent<netcl_tensor> results;
    Lent<netcl_queue> queues;
    Lent<netcl_graph> graphs;
    Lent<netcl_event> events;
    netcl_run_options options = NETCL_RUN_OPTIONS_INIT;
    // The default queue has no owner, and is meant by NULL.
    QueueRef queue = caller.run.queue.weak_from_this().lock();
    if (queue != nullptr) options.queue = queues.add(std::move(queue));
    if (caller.graph != nullptr) options.graph = graphs.add(caller.graph->shared_from_this());
    for (const backend::EventRef& wait : caller.run.waits) {
      events.add(
          std::make_shared<EventObject>(EventObject{wait, caller.run.device().shared_from_this()}));
    }
    options.waits = events.data();
    options.waits_count = static_cast<uint32_t>(caller.run.waits.size());
    netcl_primitive_call asked = NETCL_PRIMITIVE_CALL_INIT;
    asked.inputs = inputs.data();
    asked.values = call.values.data();
    if (call.grad != nullptr) asked.grad = results.add(call.grad);
    if (call.grad != nullptr && call.out != nullptr) asked.out = results.add(call.out);
    asked.run = &options;
    asked.wanted = call.wanted;
    asked.inputs_count = static_cast<uint32_t>(call.inputs.size());
    asked.values_count = static_cast<uint32_t>(call.values.size());
    asked.tensors_count = static_cast<uint32_t>(count);
    GivenTensors given(count);
    host_.call(&asked, given.data());
    return given.tensors("tensors");
  }

  const HostFunction<netcl_primitive_fn> host_;
  const graph::WorkGradients gradients_;
};

// Of a primitive that is not made of formulas.
void refuse_formulas(const netcl_primitive_options& options) {
  const char* const set = options.forward != nullptr    ? "forward"
                          : options.backward_count != 0 ? "backward_count"
                                                        : nullptr;
  if (set != nullptr) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->%s is set; formulas are for netcl_primitive_register", set);
  }
}

KernelRef pin_kernel(netcl_kernel* kernel, const char* argument, uint32_t index) {
  return (index == kNoIndex ? pin(kernel, argument) : pin_at(kernel, argument, index)).shared();
}

graph::PrimitiveKernels read_kernels(const netcl_primitive_kernels* given, uint32_t arity) {
  const netcl_primitive_kernels kernels = read_struct(given, "kernels");
  if (arity == 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->arity is 0; kernels take a number of inputs of 1 or more");
  }
  if (kernels.backward_count != 0) {
    require_count(kernels.backward_count, arity, "kernels->backward_count",
                  "a kernel for each input, or 0");
  }
  if (kernels.rank > NETCL_LAUNCH_RANK_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "kernels->rank is %u; a launch has at most %d dimensions",
         kernels.rank, NETCL_LAUNCH_RANK_MAX);
  }
  graph::PrimitiveKernels read;
  read.forward = pin_kernel(kernels.forward, "kernels->forward", kNoIndex);
  require_array(kernels.backward, kernels.backward_count, "kernels->backward");
  for (uint32_t i = 0; i < kernels.backward_count; ++i) {
    read.backward.push_back(pin_kernel(kernels.backward[i], "kernels->backward", i));
  }
  read.rank = kernels.rank;
  for (uint32_t d = 0; d < NETCL_LAUNCH_RANK_MAX; ++d) {
    const bool used = d < kernels.rank;
    if (used != (kernels.global[d] != 0) ||
        (kernels.local[d] != 0) != (used && kernels.local[0] != 0)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "kernels->rank is %u, kernels->global[%u] %llu and kernels->local[%u] %llu: sizes are "
           "set in the dimensions below rank, and local in all of them or in none",
           kernels.rank, d, static_cast<unsigned long long>(kernels.global[d]), d,
           static_cast<unsigned long long>(kernels.local[d]));
    }
    read.global[d] = kernels.global[d];
    read.local[d] = kernels.local[d];
  }
  for (const KernelRef& kernel : read.backward) {
    if (&kernel->device() == &read.forward->device()) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "kernel %s is on device %s; kernels->forward is on %s",
         kernel->spec().name.c_str(), kernel->device().text().c_str(),
         read.forward->device().text().c_str());
  }
  return read;
}

void add_primitive(graph::PrimitiveDefinition definition,
                   std::shared_ptr<const graph::PrimitiveWork> work) {
  definition.work = std::move(work);
  graph::PrimitiveRegistry::instance().add(
      std::make_shared<graph::Primitive>(std::move(definition)));
}

}  // namespace

extern "C" {

netcl_status netcl_primitive_register_kernels(const char* name,
                                              const netcl_primitive_kernels* kernels,
                                              const netcl_primitive_options* options) {
  return guarded([&] {
    checked_name(name);
    const netcl_primitive_options checked = read_struct(options, "options");
    refuse_formulas(checked);
    require_no_gradients(checked);
    graph::PrimitiveDefinition definition = read_definition(name, checked);
    graph::PrimitiveKernels read = read_kernels(kernels, definition.arity);
    add_primitive(std::move(definition), graph::kernel_work(std::move(read)));
  });
}

netcl_status netcl_primitive_register_function(const char* name, netcl_primitive_fn function,
                                               void* user_data, netcl_destroy_fn destroy,
                                               const netcl_primitive_options* options) {
  return guarded([&] {
    HostFunction host(function, user_data, destroy);
    checked_name(name);
    host.check();
    const netcl_primitive_options checked = read_options(options, "options");
    refuse_formulas(checked);
    require_flag(checked.gives_gradients, "options->gives_gradients");
    require_flag(checked.checkpoint, "options->checkpoint");
    if (checked.gives_gradients != 0 && checked.checkpoint != 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->gives_gradients and options->checkpoint are 1; what gives its gradients keeps "
           "nothing of the result's calls");
    }
    const graph::WorkGradients gradients =
        checked.gives_gradients != 0 ? graph::WorkGradients::own
        : checked.checkpoint != 0    ? graph::WorkGradients::recomputed
                                     : graph::WorkGradients::of_calls;
    graph::PrimitiveDefinition definition = read_definition(name, checked);
    add_primitive(std::move(definition),
                  std::make_shared<FunctionWork>(std::move(host), gradients));
  });
}

}  // extern "C"
