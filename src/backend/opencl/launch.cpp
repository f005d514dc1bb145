#include <algorithm>

#include "backend/opencl/stream.hpp"
#include "core/ending.hpp"

namespace netcl::backend::opencl {

namespace {

// Memory whose twin must be brought up to date around a launch, each once.
struct SplitUse {
  ClBuffer* buffer;
  bool written;
};

std::vector<SplitUse> split_uses(const Launch& launch) {
  std::vector<SplitUse> uses;
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const KernelArgument& argument = launch.arguments[i];
    if (argument.kind != KernelArgument::Kind::buffer || argument.buffer == nullptr) continue;
    auto* buffer = static_cast<ClBuffer*>(argument.buffer);
    if (!buffer->split()) continue;
    const auto& parameters = launch.kernel->facts.parameters;
    const bool written = i >= parameters.size() || !parameters[i].is_const;
    const auto known = std::find_if(uses.begin(), uses.end(),
                                    [&](const SplitUse& use) { return use.buffer == buffer; });
    if (known == uses.end()) {
      uses.push_back(SplitUse{buffer, written});
    } else {
      known->written = known->written || written;
    }
  }
  return uses;
}

bool any_split(const Launch& launch) {
  for (const KernelArgument& argument : launch.arguments) {
    if (argument.kind == KernelArgument::Kind::buffer && argument.buffer != nullptr &&
        static_cast<ClBuffer*>(argument.buffer)->split()) {
      return true;
    }
  }
  return false;
}

}  // namespace

void ClStream::set_arguments(const Launch& launch, ClKernel& kernel) {
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const KernelArgument& argument = launch.arguments[i];
    struct _cl_mem* mem = nullptr;
    const void* value = &mem;
    size_t size = sizeof(mem);
    switch (argument.kind) {
      case KernelArgument::Kind::buffer:
        if (argument.buffer != nullptr) {
          mem = static_cast<ClBuffer*>(argument.buffer)->target_from(argument.offset_bytes, queue_);
        }
        break;
      case KernelArgument::Kind::bytes:
        value = argument.data;
        size = argument.size;
        if (kernel.holds(i, value, size)) continue;
        break;
      case KernelArgument::Kind::local:
        value = nullptr;
        size = argument.size;
        break;
      case KernelArgument::Kind::null:
        if (kernel.holds(i, value, size)) continue;
        break;
    }
    const cl_int code = cl().clSetKernelArg(kernel.get(), static_cast<cl_uint>(i), size, value);
    if (code != CL_SUCCESS) [[unlikely]] {
      device().suspect(code);
      device().require();
      throw Error(status_of_code(code, NETCL_ERROR_INVALID_ARGUMENT),
                  format("argument %zu of kernel \"%s\" (%zu bytes): clSetKernelArg failed: %s", i,
                         kernel.facts.name.c_str(), size, code_text(code).c_str()),
                  code);
    }
    const bool kept =
        argument.kind == KernelArgument::Kind::bytes || argument.kind == KernelArgument::Kind::null;
    kernel.note(i, value, kept ? size : 0);
  }
}

void ClStream::launch(const Launch& launch, WaitList waits, EventRef* event) {
  device().require();
  auto& kernel = static_cast<ClKernel&>(*launch.kernel);
  const bool compiles = device().in_process() && !kernel.launched_with(launch.local);
  if (!may_launch() || (compiles && !may_compile())) [[unlikely]] {
    fail(NETCL_ERROR_UNSUPPORTED, "the process is ending; %s",
         compiles ? "no kernel can be compiled any more" : "nothing can be launched any more");
  }
  if (compiles) {
    require_space_for_build(device());
    kernel.note_launch_with(launch.local);
  }
  for (const KernelArgument& argument : launch.arguments) {
    if (argument.kind != KernelArgument::Kind::buffer || argument.buffer == nullptr) continue;
    static_cast<ClBuffer*>(argument.buffer)->forget_old_parts();
  }
  set_arguments(launch, kernel);
  size_t global[3];
  size_t local[3];
  size_t offset[3];
  bool shifted = false;
  for (uint32_t i = 0; i < 3; ++i) {
    global[i] = launch.global[i];
    local[i] = launch.local[i];
    offset[i] = launch.offset[i];
    shifted = shifted || (i < launch.rank && offset[i] != 0);
  }
  const auto enqueue = [&](cl_uint count, struct _cl_event* const* list, struct _cl_event** raw) {
    return cl().clEnqueueNDRangeKernel(cl_queue(), kernel.get(), launch.rank,
                                       shifted ? offset : nullptr, global,
                                       local[0] != 0 ? local : nullptr, count, list, raw);
  };
  constexpr const char* kCall = "clEnqueueNDRangeKernel";
  if (!any_split(launch)) return submit(kCall, waits, event, enqueue);
  const std::vector<SplitUse> uses = split_uses(launch);
  std::vector<Step> steps;
  for (const SplitUse& use : uses) {
    steps.push_back(fetch_step(*use.buffer, 0, use.buffer->bytes()));
  }
  steps.push_back(Step{kCall, enqueue, true});
  for (const SplitUse& use : uses) {
    if (use.written) steps.push_back(store_step(*use.buffer, 0, use.buffer->bytes()));
  }
  submit(steps, waits, event);
}

}  // namespace netcl::backend::opencl
