#include "tune/phase.hpp"

namespace netcl::tune {

namespace {

constexpr uint64_t kSecond = 1000000000;

uint64_t bytes_of(const Job& job) {
  uint64_t bytes = 0;
  for (const JobArgument& argument : job.arguments) {
    if (argument.kind == JobArgument::Kind::tensor) bytes += argument.byte_count();
  }
  return bytes;
}

// Runs that count as long ones where time and not a number ends them.
constexpr uint64_t kLongRuns = 100;

uint64_t add_up(uint64_t a, uint64_t b) {
  uint64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX / 2 : sum;
}

uint64_t times(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX / 2 : product;
}

}  // namespace

const char* phase_text(Phase phase) {
  switch (phase) {
    case Phase::compile:
      return "while it was compiled";
    case Phase::device:
      return "before it ran";
    case Phase::prepare:
      return "while its arguments and reference were made";
    case Phase::run:
      return "while it ran";
    case Phase::time:
      return "while it was timed";
  }
  return "";
}

uint64_t phase_limit(const Job& rules, Phase phase) {
  const uint64_t compile = rules.limits.compile_ns;
  const uint64_t run = rules.run_limit_ns();
  const uint64_t transfers = add_up(10 * kSecond, 20 * bytes_of(rules));
  switch (phase) {
    case Phase::compile:
      return compile;
    case Phase::device:
      return 10 * kSecond;
    case Phase::prepare:
      return add_up(add_up(add_up(compile, compile), run), transfers);
    case Phase::run:
      // A first launch may compile too.
      return add_up(add_up(add_up(compile, run), run), transfers);
    case Phase::time:
      return add_up(add_up(run, 2 * kSecond), 20 * bytes_of(rules));
  }
  return run;
}

uint64_t jobs_limit(std::span<const Job> jobs) {
  const Job& rules = jobs.front();
  const netcl_measurement_options& timing = rules.timing;
  const uint64_t samples =
      add_up(timing.count != 0 ? timing.count : kLongRuns, add_up(timing.warmup_count, 1));
  // Each seed is checked, one twice, and the time with it; so is the reference.
  const uint64_t checks = 2 * (rules.seeds.size() + 2);
  uint64_t each = add_up(phase_limit(rules, Phase::compile), phase_limit(rules, Phase::device));
  if (rules.until == Job::Until::built) return times(each, jobs.size());
  each = add_up(each, times(checks, phase_limit(rules, Phase::prepare)));
  each = add_up(each, times(checks, phase_limit(rules, Phase::run)));
  each = add_up(each, times(samples, phase_limit(rules, Phase::time)));
  each = add_up(each, times(kLongRuns, add_up(timing.warmup_ns, timing.budget_ns)));
  return times(each, jobs.size());
}

}  // namespace netcl::tune
