// From launches, real, noted or imagined, to the arguments of jobs.
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "kernel/scalars.hpp"
#include "memory/pool.hpp"
#include "tensor/transfer.hpp"
#include "tune/kernel_subject.hpp"

namespace netcl::tune {

namespace {

// Results of an earlier launch in a buffer would hide a candidate that writes nothing, so what a
// kernel may write begins as random numbers where any number will do.
void set_access(const Kernel& kernel, size_t index, bool read_only, JobArgument* argument) {
  const bool known = kernel.built() && kernel.facts().parameters_known;
  const bool is_const = known && kernel.facts().parameters[index].is_const;
  argument->access = read_only || is_const ? JobArgument::Access::in : JobArgument::Access::inout;
  if (argument->access == JobArgument::Access::in || !is_float(argument->dtype)) return;
  argument->fill = Fill();
  argument->fill.kind = Fill::Kind::uniform;
}

// Integers that nobody gave are often places in another buffer, counts or labels, and which tensor
// they belong to cannot be known. Below the root of the smallest tensor they are a place in all of
// them, and a row or a column of what is about as high as wide. One alone is most often where a
// count begins.
uint64_t integers_end(const std::vector<JobArgument>& arguments) {
  uint64_t least = UINT64_MAX;
  for (const JobArgument& argument : arguments) {
    if (argument.kind != JobArgument::Kind::tensor || argument.element_count() < 2) continue;
    least = std::min(least, argument.element_count());
  }
  return std::max<uint64_t>(2, static_cast<uint64_t>(std::sqrt(static_cast<double>(least))));
}

// Contents of what nobody gave, others for each seed.
void fill_anew(std::vector<JobArgument>* arguments) {
  const uint64_t end = integers_end(*arguments);
  for (JobArgument& argument : *arguments) {
    if (argument.kind != JobArgument::Kind::tensor) continue;
    argument.fill = Fill();
    const bool whole = !is_float(argument.dtype) && argument.dtype != NETCL_BOOL;
    if (whole && argument.element_count() == 1) continue;
    argument.fill.kind = Fill::Kind::uniform;
    const DtypeFacts& facts = dtype_facts(argument.dtype);
    const int bits = 8 * facts.size - (facts.kind == DtypeClass::signed_integer ? 1 : 0);
    if (whole) argument.fill.b = std::min(static_cast<double>(end), std::ldexp(1.0, bits));
  }
}

Bytes contents_of(const Tensor& tensor, uint64_t first, uint64_t bytes) {
  auto data = std::make_shared<std::string>(bytes, '\0');
  TransferPlan plan;
  Queue& queue = QueueSet::of(tensor.device()).default_queue_borrowed();
  plan.queue = &queue;
  read_bytes({tensor.buffer().get(), first, bytes}, data->data(), plan);
  return data;
}

JobArgument plain_argument(netcl_arg_kind kind, std::string bytes, uint64_t local_bytes) {
  JobArgument out;
  if (kind == NETCL_ARG_LOCAL) {
    out.kind = JobArgument::Kind::local;
    out.local_bytes = local_bytes;
  } else if (kind == NETCL_ARG_SCALAR || kind == NETCL_ARG_DATA) {
    out.kind = JobArgument::Kind::scalar;
    out.scalar = std::move(bytes);
  } else {
    out.kind = JobArgument::Kind::null;
  }
  return out;
}

// The block size that the pool leased most often and that holds so many bytes; these bytes when it
// leased none.
uint64_t usual_bytes(Device& device, uint64_t least) {
  netcl_pool_bucket rows[64];
  const PoolRef pool = PoolSet::of(device).own(NETCL_POOL_PERSISTENT);
  const uint32_t count = std::min<uint32_t>(pool->buckets(rows, 64), 64);
  uint64_t best = least, uses = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t leased = rows[i].hits + rows[i].misses;
    if (rows[i].bytes < least || leased <= uses) continue;
    best = rows[i].bytes;
    uses = leased;
  }
  return best;
}

}  // namespace

// The numbers among the arguments, and what the driver calls them.
static void take_scalars(const Kernel& kernel, std::span<const LaunchArgument> arguments,
                         JobLaunch* call) {
  const Scalars scalars(kernel, arguments);
  call->scalars.assign(scalars.values, scalars.values + scalars.count);
  call->names.clear();
  if (!kernel.built() || !kernel.facts().parameters_known) return;
  for (size_t i = 0; i < arguments.size() && i < kernel.facts().parameters.size(); ++i) {
    const std::string& name = kernel.facts().parameters[i].name;
    const std::optional<int64_t> value = Scalars::integer(kernel, i, arguments[i]);
    if (value && !name.empty()) call->names.emplace_back(name, *value);
  }
}

void real_call(Kernel& kernel, std::span<const LaunchArgument> arguments, JobLaunch* call) {
  check_launch_arguments(kernel, arguments);
  take_scalars(kernel, arguments, call);
  std::vector<JobArgument>& out = call->arguments;
  out.clear();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const netcl_arg& arg = *arguments[i].arg;
    const TensorRef& tensor = arguments[i].tensor;
    if (tensor == nullptr || tensor->empty()) {
      const auto* bytes = arg.kind == NETCL_ARG_DATA ? static_cast<const char*>(arg.data)
                                                     : reinterpret_cast<const char*>(arg.value);
      const bool scalar = arg.kind == NETCL_ARG_SCALAR || arg.kind == NETCL_ARG_DATA;
      out.push_back(plain_argument(arg.kind, scalar ? std::string(bytes, arg.size) : "", arg.size));
      continue;
    }
    const Span span = touched_span(tensor->layout());
    JobArgument argument;
    argument.dtype = tensor->dtype();
    argument.reinterpret = arg.reinterpret != 0;
    argument.shape = {span.last - span.first};
    argument.fill.kind = Fill::Kind::scaled;
    const uint64_t size = tensor->element_size();
    argument.fill.bytes =
        contents_of(*tensor, static_cast<uint64_t>(span.first) * size, argument.byte_count());
    set_access(kernel, i, arg.kind == NETCL_ARG_TENSOR_READ_ONLY, &argument);
    out.push_back(std::move(argument));
  }
}

bool noted_call(Kernel& kernel, uint32_t rank, const uint64_t* global, JobLaunch* call) {
  const LaunchNote note = kernel.tuned().last(rank, global);
  if (note.rank != rank) return false;
  // One that needs a macro to build is not built; the candidates will tell.
  check_argument_count(kernel, note.arguments.size());
  std::vector<netcl_arg> args(note.arguments.size(), netcl_arg(NETCL_ARG_INIT));
  std::vector<LaunchArgument> plain(note.arguments.size());
  for (size_t i = 0; i < note.arguments.size(); ++i) {
    const NotedArgument& noted = note.arguments[i];
    const bool is_local = noted.kind == NETCL_ARG_LOCAL;
    args[i].kind = noted.kind == NETCL_ARG_SCALAR ? NETCL_ARG_DATA : noted.kind;
    args[i].dtype = noted.elements == 0 ? noted.dtype : 0;
    args[i].size = static_cast<uint32_t>(is_local ? noted.local_bytes : noted.bytes.size());
    args[i].data = noted.bytes.data();
    plain[i].arg = &args[i];
  }
  take_scalars(kernel, plain, call);
  call->arguments.clear();
  for (size_t i = 0; i < note.arguments.size(); ++i) {
    const NotedArgument& noted = note.arguments[i];
    if (noted.elements == 0) {
      call->arguments.push_back(plain_argument(noted.kind, noted.bytes, noted.local_bytes));
      continue;
    }
    JobArgument argument;
    argument.dtype = noted.dtype;
    argument.reinterpret = noted.reinterpret;
    argument.shape = {noted.elements};
    set_access(kernel, i, noted.kind == NETCL_ARG_TENSOR_READ_ONLY, &argument);
    call->arguments.push_back(std::move(argument));
  }
  fill_anew(&call->arguments);
  return true;
}

void imagined_call(Kernel& kernel, uint32_t rank, const uint64_t* global, JobLaunch* call) {
  kernel.build();
  const backend::KernelFacts& facts = kernel.facts();
  if (!facts.parameters_known) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "args is NULL, kernel %s was not launched yet, and the driver does not tell its "
         "parameters",
         kernel.spec().name.c_str());
  }
  uint64_t items = 1;
  for (uint32_t d = 0; d < rank; ++d) items *= global[d];
  call->arguments.clear();
  for (size_t i = 0; i < facts.parameters.size(); ++i) {
    const backend::Parameter& parameter = facts.parameters[i];
    const netcl_dtype dtype = parameter.is_buffer ? parameter.dtype : 0;
    if (dtype == 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "args is NULL and kernel %s was not launched with this size yet: argument %zu, %s %s, "
           "cannot be known",
           kernel.spec().name.c_str(), i, parameter.type_name.c_str(), parameter.name.c_str());
    }
    JobArgument argument;
    argument.dtype = dtype;
    const uint64_t size = dtype_size(dtype);
    argument.shape = {static_cast<int64_t>(usual_bytes(kernel.device(), items * size) / size)};
    set_access(kernel, i, false, &argument);
    call->arguments.push_back(std::move(argument));
  }
  fill_anew(&call->arguments);
}

}  // namespace netcl::tune
