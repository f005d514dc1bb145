#include "api/first_call.hpp"

#include "api/tuning.hpp"
#include "core/number.hpp"
#include "core/process.hpp"
#include "kernel/scalars.hpp"
#include "tune/kernel_subject.hpp"
#include "tune/tuner.hpp"

namespace netcl::api {

namespace {

constexpr uint64_t kBudgetNs = uint64_t{5} * 1000000000;

bool is_first_call(const Kernel& kernel, std::span<const LaunchArgument> arguments, uint32_t rank,
                   const uint64_t* global, bool round_up) {
  std::string dtypes;
  for (const LaunchArgument& argument : arguments) {
    if (argument.tensor != nullptr) dtypes += number_text(argument.tensor->dtype()) + ",";
  }
  const Scalars scalars(kernel, arguments);
  const std::string size = launch_key(kernel, dtypes, {}, rank, global, round_up).text();
  const std::string problem =
      launch_key(kernel, dtypes, scalars.all(), rank, global, round_up).text();
  const tune::FirstCall first = tune::first_call(size, problem);
  if (first == tune::FirstCall::one_too_many) {
    log_message(NETCL_LOG_WARNING,
                "kernel %s is tuned for no further integer arguments, as %zu of this size were; "
                "name in netcl_kernel_options.free_args those that are no part of the problem",
                kernel.spec().name.c_str(), tune::kProblemsOfSize);
  }
  return first == tune::FirstCall::yes;
}

}  // namespace

bool tune_at_first_call(Kernel& kernel, std::span<const LaunchArgument> arguments, uint32_t rank,
                        const uint64_t* global, const netcl_launch_options& options, bool known) {
  const TunePolicy policy = environment().tune;
  if (policy != TunePolicy::force && (policy != TunePolicy::first || known)) return false;
  if (!is_first_call(kernel, arguments, rank, global, options.round_up != 0)) return false;
  try {
    tune::JobLaunch call;
    call.rank = rank;
    std::copy(global, global + rank, call.global);
    tune::real_call(kernel, arguments, &call);
    tune::KernelTuning tuning;
    tuning.round_up = options.round_up != 0;
    if (options.work != nullptr) tuning.work = read_work(options.work, "options->work");
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
