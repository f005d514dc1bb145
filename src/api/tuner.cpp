#include "tune/tuner.hpp"

#include "api/kernel_handle.hpp"
#include "api/resolved_run.hpp"
#include "api/tuning.hpp"
#include "core/small_array.hpp"
#include "roofline/ceilings.hpp"
#include "tune/kernel_subject.hpp"
#include "tune/op_subject.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

struct TunerRequest {
  tune::TunerSettings settings;
  std::shared_ptr<store::Database> database;
};

std::shared_ptr<store::Database> shared_database() {
  // It lives as long as the process, so nobody need own it.
  return {std::shared_ptr<void>(), &store::Database::shared()};
}

TunerRequest read_tuner_options(const netcl_tuner_options* options) {
  const netcl_tuner_options checked = read_options(options, "options");
  require_flag(checked.in_process, "options->in_process");
  require_flag(checked.force, "options->force");
  TunerRequest request;
  request.settings.search = read_search_options(checked.search, "options->search");
  request.settings.warmup_count = checked.warmup_count;
  request.settings.compile_limit_ns = checked.compile_limit_ns;
  request.settings.run_limit_ns = checked.run_limit_ns;
  request.settings.in_process = checked.in_process != 0;
  request.settings.force = checked.force != 0;
  request.database = checked.database == nullptr
                         ? shared_database()
                         : pin(checked.database, "options->database").shared();
  return request;
}

std::vector<int64_t> read_values(const int64_t* values, uint32_t count, const char* name) {
  if (values == nullptr && count > 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "tuning->%s is NULL while tuning->%s_count is %u", name,
         name, count);
  }
  if (count > 4096) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "tuning->%s_count is %u; the limit is 4096", name, count);
  }
  return std::vector<int64_t>(values, values + (values == nullptr ? 0 : count));
}

// What is tried; `space` keeps the caller's space alive.
tune::KernelTuning read_tuning(const netcl_kernel_tuning* tuning, uint32_t rank,
                               std::shared_ptr<tune::Space>* space) {
  const netcl_kernel_tuning checked = read_options(tuning, "tuning");
  require_zero(checked.reserved, "tuning->reserved");
  tune::KernelTuning out;
  if (checked.local_sizes == nullptr && checked.local_sizes_count > 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "tuning->local_sizes is NULL while tuning->local_sizes_count is %u",
         checked.local_sizes_count);
  }
  if (checked.local_sizes_count > 1024 * rank || checked.local_sizes_count % rank != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "tuning->local_sizes_count is %u; a multiple of global_count (%u) up to %u is needed",
         checked.local_sizes_count, rank, 1024 * rank);
  }
  if (checked.local_sizes != nullptr) {
    const size_t count = checked.local_sizes_count;
    out.local_sizes.assign(checked.local_sizes, checked.local_sizes + count);
    for (size_t i = 0; i < count; ++i) {
      if (out.local_sizes[i] >= 1 && out.local_sizes[i] <= 1048575) continue;
      fail(NETCL_ERROR_INVALID_ARGUMENT, "tuning->local_sizes[%zu] is %llu; 1 to 1048575 are sizes",
           i, static_cast<unsigned long long>(out.local_sizes[i]));
    }
  }
  out.tile_sizes = read_values(checked.tile_sizes, checked.tile_sizes_count, "tile_sizes");
  out.unroll_factors =
      read_values(checked.unroll_factors, checked.unroll_factors_count, "unroll_factors");
  if (checked.tile_macro != nullptr) out.tile_macro = checked.tile_macro;
  if (checked.unroll_macro != nullptr) out.unroll_macro = checked.unroll_macro;
  if (checked.space != nullptr) {
    *space = pin(checked.space, "tuning->space").shared();
    out.space = space->get();
  }
  const netcl_launch_options launch = read_options(checked.launch, "tuning->launch");
  require_flag(launch.round_up, "tuning->launch->round_up");
  for (int d = 0; d < 3; ++d) {
    if (launch.offset[d] == 0) continue;
    fail(NETCL_ERROR_UNSUPPORTED, "tuning->launch->offset[%d] is %llu; kernels are tuned without",
         d, static_cast<unsigned long long>(launch.offset[d]));
  }
  out.round_up = launch.round_up != 0;
  const netcl_work* const work = checked.work != nullptr ? checked.work : launch.work;
  if (work != nullptr) {
    out.work = read_work(work, checked.work != nullptr ? "tuning->work" : "tuning->launch->work");
  }
  return out;
}

void read_arguments(Kernel& kernel, const netcl_arg* args, uint32_t args_count,
                    tune::JobLaunch* call) {
  if (args_count > NETCL_ARGS_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "args_count is %u; the limit is %d", args_count,
         NETCL_ARGS_MAX);
  }
  SmallArray<LaunchArgument, 12> arguments(args_count);
  for (uint32_t i = 0; i < args_count; ++i) {
    arguments[i].arg = &args[i];
    if (args[i].kind < NETCL_ARG_TENSOR || args[i].kind > NETCL_ARG_NULL) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "args[%u].kind is %d, which is no netcl_arg_kind", i,
           args[i].kind);
    }
    if (args[i].dtype != 0) dtype_facts(args[i].dtype, format("args[%u].dtype", i).c_str());
    if (args[i].kind == NETCL_ARG_TENSOR || args[i].kind == NETCL_ARG_TENSOR_READ_ONLY) {
      arguments[i].tensor = pin_at(args[i].tensor, "the tensor of args", i).shared();
      if (&arguments[i].tensor->device() != &kernel.device()) {
        fail(NETCL_ERROR_INVALID_ARGUMENT, "args[%u].tensor lives on device %s; the kernel on %s",
             i, arguments[i].tensor->device().text().c_str(), kernel.device().text().c_str());
      }
    }
  }
  tune::real_call(kernel, {arguments.data(), args_count}, call);
}

std::shared_ptr<tune::Subject> kernel_subject(Kernel& kernel, const uint64_t* global,
                                              uint32_t global_count, const netcl_arg* args,
                                              uint32_t args_count,
                                              const netcl_kernel_tuning* tuning) {
  if (global_count < 1 || global_count > NETCL_LAUNCH_RANK_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "global_count is %u; a launch has 1 to %d dimensions",
         global_count, NETCL_LAUNCH_RANK_MAX);
  }
  require(global, "global");
  tune::JobLaunch call;
  call.rank = global_count;
  uint64_t items = 1;
  for (uint32_t d = 0; d < global_count; ++d) {
    if (global[d] == 0 || global[d] > INT64_MAX ||
        __builtin_mul_overflow(items, global[d], &items)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "global[%u] is %llu, which is no size of a launch", d,
           static_cast<unsigned long long>(global[d]));
    }
    call.global[d] = global[d];
  }
  std::shared_ptr<tune::Space> space;
  const tune::KernelTuning read = read_tuning(tuning, global_count, &space);
  tune::builds_alone(kernel);
  if (args != nullptr) {
    read_arguments(kernel, args, args_count, &call);
  } else if (!tune::noted_call(kernel, global_count, global, &call)) {
    tune::imagined_call(kernel, global_count, global, &call);
  }
  return tune::make_kernel_subject(kernel.shared_from_this(), call, read);
}

std::vector<int64_t> read_shape(const uint64_t* global, uint32_t global_count) {
  if (global_count > store::kShapeMost) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "global_count is %u; the limit is %zu", global_count,
         store::kShapeMost);
  }
  require_array(global, global_count, "global");
  std::vector<int64_t> shape;
  for (uint32_t d = 0; d < global_count; ++d) shape.push_back(static_cast<int64_t>(global[d]));
  return shape;
}

}  // namespace

extern "C" {

netcl_status netcl_tuner_create(netcl_device* device, const netcl_tuner_options* options,
                                netcl_tuner** tuner) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(tuner, "tuner");
    const TunerRequest request = read_tuner_options(options);
    *tuner = make_handle<netcl_tuner>(
        std::make_shared<tune::Tuner>(pinned.shared(), request.database, request.settings));
  });
}

netcl_status netcl_tuner_retain(netcl_tuner* tuner) { return retain_handle(tuner, "tuner"); }
void netcl_tuner_release(netcl_tuner* tuner) { release_handle(tuner); }

netcl_status netcl_tuner_add(netcl_tuner* tuner, netcl_kernel* kernel, const uint64_t* global,
                             uint32_t global_count, const netcl_arg* args, uint32_t args_count,
                             const netcl_kernel_tuning* tuning) {
  return guarded([&] {
    const auto pinned = pin(tuner, "tuner");
    const auto pinned_kernel = pin(kernel, "kernel");
    if (&pinned_kernel->device() != &pinned->device()) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "kernel lives on device %s; the tuner is of %s",
           pinned_kernel->device().text().c_str(), pinned->device().text().c_str());
    }
    pinned->add(kernel_subject(*pinned_kernel, global, global_count, args, args_count, tuning));
  });
}

netcl_status netcl_tuner_add_matmul(netcl_tuner* tuner, int64_t batch, int64_t m, int64_t n,
                                    int64_t k, netcl_dtype dtype) {
  return guarded([&] {
    const auto pinned = pin(tuner, "tuner");
    pinned->add(tune::make_matmul_subject(pinned->device(), batch, m, n, k, dtype));
  });
}

netcl_status netcl_tuner_add_conv2d(netcl_tuner* tuner, const netcl_conv2d_shape* shape,
                                    netcl_dtype dtype) {
  return guarded([&] {
    const auto pinned = pin(tuner, "tuner");
    pinned->add(tune::make_conv2d_subject(pinned->device(), read_struct(shape, "shape"), dtype));
  });
}

netcl_status netcl_tuner_add_reduction(netcl_tuner* tuner, int64_t outputs, int64_t count,
                                       netcl_dtype dtype) {
  return guarded([&] {
    const auto pinned = pin(tuner, "tuner");
    pinned->add(tune::make_reduction_subject(pinned->device(), outputs, count, dtype));
  });
}

netcl_status netcl_tuner_run(netcl_tuner* tuner) {
  return guarded([&] { pin(tuner, "tuner")->run(); });
}

netcl_status netcl_tuner_cancel(netcl_tuner* tuner) {
  return guarded([&] { pin(tuner, "tuner")->cancel(); });
}

netcl_status netcl_tuner_read_event(netcl_tuner* tuner, uint64_t after, uint64_t timeout_ns,
                                    netcl_search_event* event) {
  return guarded([&] {
    const auto pinned = pin(tuner, "tuner");
    check_info(event, "event");
    netcl_search_event found = NETCL_SEARCH_EVENT_INIT;
    if (!pinned->read_event(after, timeout_ns, &found)) {
      fail(NETCL_ERROR_TIMEOUT, "timeout_ns is %llu and no event came",
           static_cast<unsigned long long>(timeout_ns));
    }
    write_info(event, found);
  });
}

netcl_status netcl_tuner_get_count(netcl_tuner* tuner, uint32_t* count) {
  return guarded([&] {
    const auto pinned = pin(tuner, "tuner");
    require(count, "count");
    *count = pinned->count();
  });
}

netcl_status netcl_tuner_get_result(netcl_tuner* tuner, uint32_t index, netcl_tuner_result* result,
                                    netcl_config** config) {
  return guarded([&] {
    const auto pinned = pin(tuner, "tuner");
    check_info(result, "result");
    const tune::Tuner::Entry entry = pinned->entry(index);
    const store::Answer answer = pinned->answer(entry);
    const bool known = answer.match == NETCL_MATCH_EXACT;
    netcl_tuner_result full = NETCL_TUNER_RESULT_INIT;
    full.match = known ? NETCL_MATCH_EXACT : NETCL_MATCH_NONE;
    full.measured = entry.measured ? 1 : 0;
    full.status = entry.status;
    full.elapsed_ns = entry.elapsed_ns;
    tune::ConfigRef best;
    if (entry.search != nullptr && entry.status == NETCL_OK) {
      const netcl_search_result found = entry.search->result();
      full.evaluations = found.evaluations;
      full.median = found.median;
      full.default_median = found.default_median;
      if (found.stop != NETCL_STOP_RUNNING) best = entry.search->best();
    } else if (known) {
      full.median = answer.record->median_ns;
      full.default_median = answer.record->default_ns;
    }
    store::Record sized;
    if (best != nullptr) tune::note_work_size(*entry.search, *best, &sized);
    if (best == nullptr && known) sized = *answer.record;
    std::copy(sized.global.begin(), sized.global.end(), full.global);
    std::copy(sized.local.begin(), sized.local.end(), full.local);
    copy_line(full.name, sizeof full.name, entry.subject->name().c_str());
    copy_line(full.message, sizeof full.message, entry.message.c_str());
    if (config != nullptr) {
      *config = best != nullptr ? config_handle(best)
                : known         ? config_handle(*answer.record)
                                : nullptr;
    }
    write_info(result, full);
  });
}

netcl_status netcl_tuner_get_search(netcl_tuner* tuner, uint32_t index, netcl_search** search) {
  return guarded([&] {
    const auto pinned = pin(tuner, "tuner");
    require(search, "search");
    const tune::Tuner::Entry entry = pinned->entry(index);
    if (entry.search == nullptr) {
      fail(NETCL_ERROR_NOT_FOUND, "entry %u was not measured", index);
    }
    *search = make_handle<netcl_search>(entry.search);
  });
}

netcl_status netcl_tuner_lookup(netcl_tuner* tuner, const char* name, const uint64_t* global,
                                uint32_t global_count, netcl_match* match, netcl_config** config) {
  return guarded([&] {
    const auto pinned = pin(tuner, "tuner");
    require(name, "name");
    require(match, "match");
    require(config, "config");
    const tune::Tuner::Used used = pinned->lookup(name, read_shape(global, global_count));
    *config = used.config == nullptr ? nullptr : config_handle(used.config);
    *match = used.match;
  });
}

netcl_status netcl_tuner_save(netcl_tuner* tuner, const char* path) {
  return guarded([&] {
    const auto pinned = pin(tuner, "tuner");
    require(path, "path");
    pinned->save(path);
  });
}

netcl_status netcl_tuner_load(netcl_tuner* tuner, const char* path) {
  return guarded([&] {
    const auto pinned = pin(tuner, "tuner");
    require(path, "path");
    pinned->load(path);
  });
}

netcl_status netcl_tuner_clear(netcl_tuner* tuner) {
  return guarded([&] { pin(tuner, "tuner")->clear(); });
}

netcl_status netcl_kernel_autotune(netcl_kernel* kernel, const uint64_t* global,
                                   uint32_t global_count, const netcl_arg* args,
                                   uint32_t args_count, const netcl_kernel_tuning* tuning,
                                   const netcl_tuner_options* options, netcl_config** config,
                                   netcl_search** search) {
  return guarded([&] {
    const auto pinned = pin(kernel, "kernel");
    require(config, "config");
    const TunerRequest request = read_tuner_options(options);
    tune::Tuner tuner(pinned->device().shared_from_this(), request.database, request.settings);
    tuner.add(kernel_subject(*pinned, global, global_count, args, args_count, tuning));
    tuner.run();
    const tune::Tuner::Entry entry = tuner.entry(0);
    if (entry.status != NETCL_OK) fail(entry.status, entry.message);
    // What was stored needed no search.
    const store::Answer answer = tuner.answer(entry);
    netcl_search* const made = search == nullptr || entry.search == nullptr
                                   ? nullptr
                                   : make_handle<netcl_search>(entry.search);
    *config = entry.search != nullptr ? config_handle(entry.search->best())
                                      : config_handle(*answer.record);
    if (search != nullptr) *search = made;
  });
}

}  // extern "C"
