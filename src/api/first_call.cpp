#include "api/first_call.hpp"

#include "api/tuning.hpp"
#include "core/process.hpp"
#include "tune/kernel_subject.hpp"
#include "tune/tuner.hpp"

namespace netcl::api {

namespace {

constexpr uint64_t kBudgetNs = uint64_t{5} * 1000000000;

}  // namespace

bool tune_at_first_call(Kernel& kernel, std::span<const LaunchArgument> arguments, uint32_t rank,
                        const uint64_t* global, const netcl_launch_options& options, bool known) {
  const TunePolicy policy = environment().tune;
  if (policy != TunePolicy::force && (policy != TunePolicy::first || known)) return false;
  std::string dtypes;
  for (const LaunchArgument& argument : arguments) {
    if (argument.tensor != nullptr) dtypes += std::to_string(argument.tensor->dtype()) + ",";
  }
  if (!tune::first_time(launch_key(kernel, dtypes, rank, global, options.round_up != 0).text()))
    return false;
  try {
    tune::KernelCall call;
    call.rank = rank;
    std::copy(global, global + rank, call.global);
    call.arguments = tune::job_arguments(kernel, arguments);
    tune::KernelTuning tuning;
    tuning.round_up = options.round_up != 0;
    if (options.work != nullptr) tuning.work = read_work(options.work);
    tune::TunerSettings settings;
    settings.search.budget_ns = kBudgetNs;
    settings.force = policy == TunePolicy::force;
    // The shared database lives as long as the process.
    tune::Tuner tuner(kernel.device().shared_from_this(),
                      {std::shared_ptr<void>(), &store::Database::shared()}, settings);
    tuner.add(tune::make_kernel_subject(kernel.shared_from_this(), call, tuning));
    tuner.run();
    const tune::Tuner::Entry entry = tuner.entry(0);
    if (entry.status != NETCL_OK) throw Error(entry.status, entry.message);
    return true;
  } catch (const Error& error) {
    if (error.status() == NETCL_ERROR_CANCELLED) throw;
    Log& log = process().log;
    if (log.wants(NETCL_LOG_WARNING)) {
      log.append(
          NETCL_LOG_WARNING,
          format("kernel %s is not tuned: %s", kernel.spec().name.c_str(), error.what()).c_str());
    }
    return false;
  }
}

}  // namespace netcl::api
