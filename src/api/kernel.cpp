#include <algorithm>
#include <cstring>

#include "api/first_call.hpp"
#include "api/kernel_handle.hpp"
#include "api/resolved_run.hpp"
#include "api/tuning.hpp"
#include "core/hash.hpp"
#include "core/small_array.hpp"
#include "graph/recorded_launch.hpp"
#include "kernel/elementwise_spec.hpp"
#include "kernel/launch.hpp"
#include "kernel/registry.hpp"
#include "roofline/ceilings.hpp"
#include "store/record.hpp"

using namespace netcl;
using namespace netcl::api;

// Whether a work size is sound enough to be looked up; what is wrong with it is said later.
static bool is_work(const uint64_t* global, uint32_t global_count) {
  return global != nullptr && global_count >= 1 && global_count <= NETCL_LAUNCH_RANK_MAX &&
         std::all_of(global, global + global_count, [](uint64_t extent) { return extent > 0; });
}

// What the options say that one launch does.
static Work declared_work(const netcl_launch_options& options) {
  Work work;
  if (options.work == nullptr) return work;
  const netcl_work given = read_work(options.work, "options->work");
  if (given.cold_cache != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->work->cold_cache is 1; write 0: measurements know whether caches are cold");
  }
  work.operations = given.operations;
  work.bytes = given.bytes;
  work.bytes_written = given.bytes_written;
  work.dtype = given.dtype != 0 ? given.dtype : static_cast<netcl_dtype>(NETCL_F32);
  work.matrix_units = given.matrix_units != 0;
  return work;
}

namespace {

using Arguments = SmallArray<LaunchArgument, 12>;

netcl_launch_options read_launch_options(const netcl_launch_options* options) {
  const netcl_launch_options checked = read_options(options, "options");
  require_flag(checked.round_up, "options->round_up");
  require_zero(checked.reserved, "options->reserved");
  return checked;
}

void check_arguments(const netcl_arg* args, uint32_t args_count) {
  if (args_count > NETCL_ARGS_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "args_count is %u; the limit is %d", args_count,
         NETCL_ARGS_MAX);
  }
  require_array(args, args_count, "args");
}

void resolve_arguments(const netcl_arg* args, Arguments* arguments) {
  for (uint32_t i = 0; i < arguments->size(); ++i) {
    if (args[i].reinterpret != 0) {
      require_flag(args[i].reinterpret, format("args[%u].reinterpret", i).c_str());
    }
    if (args[i].dtype != 0) dtype_facts(args[i].dtype, format("args[%u].dtype", i).c_str());
    (*arguments)[i].arg = &args[i];
    if (args[i].kind == NETCL_ARG_TENSOR || args[i].kind == NETCL_ARG_TENSOR_READ_ONLY) {
      (*arguments)[i].tensor = pin_at(args[i].tensor, "the tensor of args", i).shared();
    }
  }
}

// Nothing is tuned with an offset, and macros may say how many items one work item does.
bool has_offset(const netcl_launch_options& options) {
  return options.offset[0] != 0 || options.offset[1] != 0 || options.offset[2] != 0;
}

// Whether the tuning database is asked about a launch.
bool may_be_tuned(const Kernel& kernel, const uint64_t* global, uint32_t global_count,
                  const uint64_t* local, uint32_t local_count,
                  const netcl_launch_options& options) {
  return local == nullptr && local_count == 0 && is_work(global, global_count) &&
         !has_offset(options) && kernel.spec().tune != NETCL_TUNE_OFF &&
         environment().tune != TunePolicy::off;
}

// Why it is not.
const char* untuned_reason(const Kernel& kernel, const uint64_t* local,
                           const netcl_launch_options& options) {
  if (local != nullptr) return "the call gives the local size, so no stored result is looked for";
  if (has_offset(options)) {
    return "the launch has a global offset, with which nothing is tuned, so no stored result is "
           "looked for";
  }
  return kernel.spec().tune == NETCL_TUNE_OFF
             ? "the kernel was made with NETCL_TUNE_OFF, so no stored result is looked for"
             : "NETCL_TUNE is off, so no stored result is looked for";
}

netcl_local_origin local_origin(const Kernel& chosen, const uint64_t* local, bool tuned) {
  if (tuned) return NETCL_LOCAL_TUNED;
  if (local != nullptr) return NETCL_LOCAL_CALLER;
  if (chosen.facts().required_local[0] != 0) return NETCL_LOCAL_REQUIRED;
  return chosen.spec().local_size[0] != 0 ? NETCL_LOCAL_SPECIFICATION : NETCL_LOCAL_CHOSEN;
}

netcl_launch_explanation explanation_of(Kernel& kernel, std::span<const LaunchArgument> given,
                                        const uint64_t* global, uint32_t global_count,
                                        const uint64_t* local, uint32_t local_count,
                                        const netcl_launch_options& options) {
  netcl_launch_explanation out = NETCL_LAUNCH_EXPLANATION_INIT;
  TunedLaunch tuned;
  TunedFacts facts;
  if (may_be_tuned(kernel, global, global_count, local, local_count, options)) {
    check_launch_arguments(kernel, given);
    const bool round_up = options.round_up != 0;
    tuned = kernel.tuned().find(kernel, given, global_count, global, round_up);
    facts = kernel.tuned().explain(kernel, given, global_count, global, round_up, tuned);
    if (tuned.has_local) local = tuned.local, local_count = global_count;
  } else {
    facts.reason = untuned_reason(kernel, local, options);
  }
  const Kernel& chosen = tuned.kernel != nullptr ? *tuned.kernel : kernel;
  const WorkSize size = make_work_size(chosen, tuned.has_global ? tuned.global : global,
                                       global_count, local, local_count, options);
  for (uint32_t d = 0; d < NETCL_LAUNCH_RANK_MAX; ++d) {
    out.global[d] = d < size.rank ? size.global[d] : 1;
    out.local[d] = d < size.rank ? size.local[d] : 1;
  }
  out.origin = local_origin(chosen, local, tuned.has_local);
  if (tuned.kernel != nullptr && facts.record != nullptr) {
    out.match = facts.match;
    out.median = facts.record->median_ns;
    out.default_median = facts.record->default_ns;
  }
  copy_line(out.macros, sizeof out.macros, facts.macros.c_str());
  copy_line(out.reason, sizeof out.reason, facts.reason.c_str());
  return out;
}

}  // namespace

void netcl::api::launch_by_args(Kernel& kernel, const uint64_t* global, uint32_t global_count,
                                const uint64_t* local, uint32_t local_count, const netcl_arg* args,
                                uint32_t args_count, const netcl_launch_options* options,
                                const netcl_run_options* run) {
  const netcl_launch_options checked = read_launch_options(options);
  const Work work = declared_work(checked);
  check_arguments(args, args_count);
  ResolvedRun resolved(run, kernel.device());
  resolved.refuse_into();
  kernel.build();
  Arguments arguments(args_count);
  resolve_arguments(args, &arguments);
  const std::span<const LaunchArgument> given(arguments.data(), args_count);
  TunedLaunch tuned;
  const bool captured = resolved.graph() != nullptr && resolved.graph()->captures();
  // What was tuned is found by the bytes of scalars: of those that the launch refuses none is read.
  if (may_be_tuned(kernel, global, global_count, local, local_count, checked) &&
      launch_arguments_fit(kernel, given)) {
    tuned = kernel.tuned().find(kernel, given, global_count, global, checked.round_up != 0);
    if (!captured && kernel.spec().tune == NETCL_TUNE_FIRST_CALL &&
        tune_at_first_call(kernel, given, global_count, global, checked, tuned.exact)) {
      tuned = kernel.tuned().find(kernel, given, global_count, global, checked.round_up != 0);
    }
    if (tuned.has_local) local = tuned.local, local_count = global_count;
  }
  Kernel& chosen = tuned.kernel != nullptr ? *tuned.kernel : kernel;
  const WorkSize size = make_work_size(chosen, tuned.has_global ? tuned.global : global,
                                       global_count, local, local_count, checked);
  graph::NodeRef node;
  if (resolved.graph() != nullptr) {
    node = graph::recorded_launch(chosen.shared_from_this(), size, given, work);
    resolved.graph()->begin(*node, {});
  }
  const ops::Run plan = resolved.run();
  if (captured) {
    launch_kernel(chosen, size, given, [](std::span<const Access>, Queue::Submit) {});
  } else {
    launch_kernel(chosen, resolved.queue(), size, given, plan.waits, plan.event, work);
  }
  if (node != nullptr) resolved.graph()->finish(node, {});
  if (!captured && kernel.spec().tune != NETCL_TUNE_OFF) {
    kernel.tuned().launched(given, global_count, global, checked.round_up != 0);
  }
  resolved.give_event();
}

extern "C" {

netcl_status netcl_kernel_create(netcl_device* device, const char* name,
                                 const netcl_kernel_options* options, netcl_kernel** kernel) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(kernel, "kernel");
    require_struct(options, "options");
    pinned->require_opencl("a kernel from source, SPIR-V or a binary");
    const netcl_kernel_options checked = read_options(options, "options");
    require_most(checked.params_count, NETCL_LIST_MAX, "options->params_count");
    require_most(checked.flags_count, NETCL_LIST_MAX, "options->flags_count");
    require_flag(checked.trust_binary, "options->trust_binary");
    require_flag(checked.fast_math, "options->fast_math");
    require_flag(checked.no_preamble, "options->no_preamble");
    *kernel = make_kernel_handle(
        std::make_shared<Kernel>(*pinned, make_kernel_spec(*pinned, name, checked)));
  });
}

netcl_status netcl_kernel_create_elementwise(netcl_device* device, const char* name, uint32_t arity,
                                             const char* expression, netcl_dtype dtype,
                                             netcl_kernel** kernel) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(kernel, "kernel");
    require(name, "name");
    require(expression, "expression");
    pinned->require_opencl("an elementwise kernel as OpenCL C");
    *kernel = make_kernel_handle(std::make_shared<Kernel>(
        *pinned, make_elementwise_spec(*pinned, name, arity, expression, dtype)));
  });
}

netcl_status netcl_kernel_retain(netcl_kernel* kernel) { return retain_handle(kernel, "kernel"); }
void netcl_kernel_release(netcl_kernel* kernel) { release_handle(kernel); }

netcl_status netcl_kernel_build(netcl_kernel* kernel) {
  return guarded([&] { pin(kernel, "kernel")->build(); });
}

netcl_status netcl_kernel_get_info(netcl_kernel* kernel, netcl_kernel_info* info) {
  return guarded([&] {
    const auto pinned = pin(kernel, "kernel");
    check_info(info, "info");
    pinned->build();
    const backend::KernelFacts& facts = pinned->facts();
    netcl_kernel_info full = NETCL_KERNEL_INFO_INIT;
    full.args_count = static_cast<uint32_t>(facts.parameters.size());
    full.from_cache = pinned->from_cache() ? 1 : 0;
    full.preferred_multiple = facts.preferred_multiple;
    full.max_local_size = facts.max_local_size;
    std::copy(std::begin(facts.required_local), std::end(facts.required_local),
              full.required_local_size);
    full.local_memory_bytes = facts.local_memory_bytes;
    full.private_memory_bytes = facts.private_memory_bytes;
    full.shape_signature = pinned->spec().shape_signature;
    copy_line(full.name, sizeof full.name, pinned->spec().name.c_str());
    write_info(info, full);
  });
}

netcl_status netcl_kernel_get_arg_info(netcl_kernel* kernel, uint32_t index,
                                       netcl_kernel_arg_info* info) {
  return guarded([&] {
    const auto pinned = pin(kernel, "kernel");
    check_info(info, "info");
    pinned->build();
    const auto& parameters = pinned->facts().parameters;
    if (index >= parameters.size()) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "index is %u; kernel %s has %zu parameters", index,
           pinned->spec().name.c_str(), parameters.size());
    }
    const backend::Parameter& parameter = parameters[index];
    netcl_kernel_arg_info full = NETCL_KERNEL_ARG_INFO_INIT;
    full.is_buffer = parameter.is_buffer ? 1 : 0;
    full.is_local = parameter.is_local ? 1 : 0;
    full.is_const = parameter.is_const ? 1 : 0;
    full.size = parameter.size;
    copy_line(full.name, sizeof full.name, parameter.name.c_str());
    copy_line(full.type_name, sizeof full.type_name, parameter.type_name.c_str());
    write_info(info, full);
  });
}

netcl_status netcl_kernel_get_source(const netcl_kernel* kernel, char* buffer, size_t capacity,
                                     size_t* length) {
  return guarded([&] {
    const auto pinned = pin(kernel, "kernel");
    if (pinned->spec().request.form != SourceForm::source) {
      fail(NETCL_ERROR_NOT_FOUND, "kernel %s was made from il or a binary and has no source",
           pinned->spec().name.c_str());
    }
    write_text(pinned->spec().request.text, buffer, capacity, length);
  });
}

netcl_status netcl_kernel_get_build_log(const netcl_kernel* kernel, char* buffer, size_t capacity,
                                        size_t* length) {
  return guarded([&] { write_text(pin(kernel, "kernel")->build_log(), buffer, capacity, length); });
}

netcl_status netcl_kernel_get_binary(netcl_kernel* kernel, void* data, size_t capacity,
                                     size_t* length) {
  return guarded([&] {
    const auto pinned = pin(kernel, "kernel");
    require(length, "length");
    if (capacity > 0) require(data, "data");
    const std::string bytes = pinned->binary();
    *length = bytes.size();
    if (capacity > 0) std::memcpy(data, bytes.data(), std::min(capacity, bytes.size()));
  });
}

netcl_status netcl_kernel_shape_signature(const netcl_tensor* const* inputs, uint32_t inputs_count,
                                          const netcl_tensor* const* outputs,
                                          uint32_t outputs_count, uint64_t* signature) {
  return guarded([&] {
    require(signature, "signature");
    require_array(inputs, inputs_count, "inputs");
    require_array(outputs, outputs_count, "outputs");
    std::vector<int64_t> words;
    const auto add = [&](const netcl_tensor* const* tensors, uint32_t count, const char* name) {
      words.push_back(count);
      for (uint32_t i = 0; i < count; ++i) {
        const auto tensor = pin_at(tensors[i], name, i);
        const Layout& layout = tensor->layout();
        words.push_back(tensor->dtype());
        words.push_back(layout.rank);
        words.insert(words.end(), layout.shape.begin(), layout.shape.begin() + layout.rank);
      }
    };
    add(inputs, inputs_count, "inputs");
    add(outputs, outputs_count, "outputs");
    const Hash128 hash = hash128(words.data(), words.size() * sizeof words[0]);
    *signature = hash.low == 0 ? 1 : hash.low;  // 0 means "any shape"
  });
}

netcl_status netcl_kernel_register(netcl_kernel* kernel) {
  return guarded([&] {
    const auto pinned = pin(kernel, "kernel");
    KernelRegistry::of(pinned->device()).add(pinned->shared_from_this());
  });
}

netcl_status netcl_kernel_unregister(netcl_device* device, const char* name,
                                     uint64_t shape_signature) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(name, "name");
    if (!KernelRegistry::of(*pinned).remove(name, shape_signature)) {
      fail(NETCL_ERROR_NOT_FOUND, "name is %s with signature %llu, which is not registered",
           quoted(name).c_str(), static_cast<unsigned long long>(shape_signature));
    }
  });
}

netcl_status netcl_kernel_find(netcl_device* device, const char* name, uint64_t shape_signature,
                               netcl_kernel** kernel) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(name, "name");
    require(kernel, "kernel");
    *kernel = make_kernel_handle(KernelRegistry::of(*pinned).find(name, shape_signature));
  });
}

netcl_status netcl_kernel_launch(netcl_kernel* kernel, const uint64_t* global,
                                 uint32_t global_count, const uint64_t* local, uint32_t local_count,
                                 const netcl_arg* args, uint32_t args_count,
                                 const netcl_launch_options* options,
                                 const netcl_run_options* run) {
  return guarded([&] {
    const auto pinned = pin(kernel, "kernel");
    launch_by_args(*pinned, global, global_count, local, local_count, args, args_count, options,
                   run);
  });
}

netcl_status netcl_kernel_explain_launch(netcl_kernel* kernel, const uint64_t* global,
                                         uint32_t global_count, const uint64_t* local,
                                         uint32_t local_count, const netcl_arg* args,
                                         uint32_t args_count, const netcl_launch_options* options,
                                         netcl_launch_explanation* explanation) {
  return guarded([&] {
    const auto pinned = pin(kernel, "kernel");
    check_info(explanation, "explanation");
    const netcl_launch_options checked = read_launch_options(options);
    (void)declared_work(checked);
    check_arguments(args, args_count);
    pinned->build();
    Arguments arguments(args_count);
    resolve_arguments(args, &arguments);
    write_info(explanation, explanation_of(*pinned, {arguments.data(), args_count}, global,
                                           global_count, local, local_count, checked));
  });
}

netcl_status netcl_kernel_launch_by_name(netcl_device* device, const char* name,
                                         uint64_t shape_signature, const uint64_t* global,
                                         uint32_t global_count, const uint64_t* local,
                                         uint32_t local_count, const netcl_arg* args,
                                         uint32_t args_count, const netcl_launch_options* options,
                                         const netcl_run_options* run) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(name, "name");
    const KernelRef kernel = KernelRegistry::of(*pinned).find(name, shape_signature);
    launch_by_args(*kernel, global, global_count, local, local_count, args, args_count, options,
                   run);
  });
}

}  // extern "C"
