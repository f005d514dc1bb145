// Whether a candidate is right.
#include "tune/execute.hpp"

namespace netcl::tune {

Executor::Outputs Executor::outputs() {
  const std::vector<JobArgument>& arguments = problem_->arguments();
  Outputs all;
  all.bytes.resize(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].kind != JobArgument::Kind::tensor) continue;
    if (arguments[i].access != JobArgument::Access::in) all.bytes[i] = problem_->read(i);
  }
  return all;
}

// What runs of a seed begin with.
Executor::Outputs Executor::first_state(uint64_t seed, uint32_t round) {
  problem_->prepare(seed, round);
  return outputs();
}

// `before`: what the runs begin with, which outputs that were not filled with a pattern are held
// against too.
void Executor::add_bounds(const std::vector<JobArgument>& arguments, const Outputs* before,
                          Outputs* outputs) {
  outputs->bounds.resize(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (outputs->bytes[i].empty()) continue;
    const bool begins = before != nullptr && arguments[i].access == JobArgument::Access::inout &&
                        before->bytes[i].size() == outputs->bytes[i].size();
    outputs->bounds[i] = comparison_bounds(arguments[i], outputs->bytes[i].data(),
                                           begins ? before->bytes[i].data() : nullptr);
  }
}

// Whether right results are other than what a tensor begins with, by more than what a candidate may
// be off by: else nothing tells whether a candidate writes it.
bool Executor::changes(const JobArgument& argument, size_t place, const Outputs& before,
                       const Outputs& left, uint32_t round) {
  return describe_difference(argument, left.bounds[place], {0, argument.element_count()},
                             before.bytes[place].data(), left.bytes[place].data(), round)
      .has_value();
}

// Of a kernel's tensors some may only be read, whatever their type says.
void Executor::require_effect(const Job& reference, const Outputs& before, const Outputs& left,
                              uint32_t round) {
  bool written = false;
  for (size_t i = 0; i < reference.arguments.size(); ++i) {
    if (left.bytes[i].empty()) continue;
    written = true;
    if (changes(reference.arguments[i], i, before, left, round)) return;
  }
  if (!written) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "kernel %s leaves every tensor that it may write as it was, so that nothing tells a right "
       "candidate from one that does nothing; clear the results of an earlier launch first",
       reference.kernel.c_str());
}

// What a caller calls an output is one.
void Executor::require_effect_on_all(const Job& job, const Outputs& before, const Outputs& given,
                                     uint64_t seed, uint32_t round,
                                     const backend::KernelFacts& facts) const {
  for (size_t i = 0; i < job.arguments.size(); ++i) {
    if (given.bytes[i].empty() || changes(job.arguments[i], i, before, given, round)) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "the baseline leaves %s as it was (%s), so that nothing tells whether a candidate writes "
         "it; let it be an input, or begin with other contents",
         problem_->name_of(i, &facts).c_str(), seed_text(seed).c_str());
  }
}

// The outputs that the reference job left for a seed.
const Executor::Outputs& Executor::reference(const Job& job, const Job& rules, uint64_t seed,
                                             uint32_t round) {
  const Job& right = *job.reference.job;
  const std::string key =
      hex_text(job_hash(right)) + format(" %llu", static_cast<unsigned long long>(seed));
  if (const auto known = references_.find(key); known != references_.end()) return known->second;
  Candidate candidate;
  build(right, &candidate);
  const Outputs before = first_state(seed, round);
  if (candidate.going()) run_once(right, rules, seed, round, &candidate);
  if (!candidate.going()) {
    fail(NETCL_ERROR_LAUNCH_FAILURE, "the reference %s does not run: %s", right.kernel.c_str(),
         candidate.result.message.c_str());
  }
  Outputs left = outputs();
  add_bounds(right.arguments, &before, &left);
  require_effect(right, before, left, round);
  return references_.emplace(key, std::move(left)).first->second;
}

// The outputs that are right for a seed, valid until the candidate asks again; null when there is
// nothing to compare with.
const Executor::Outputs* Executor::wanted(const Job& job, const Job& rules, uint64_t seed,
                                          uint32_t round, Candidate* candidate) {
  if (job.reference.job != nullptr) return &reference(job, rules, seed, round);
  for (const Reference::Outputs& set : job.reference.given) {
    if (set.seed != seed) continue;
    candidate->given = Outputs();
    for (const Bytes& bytes : set.outputs) {
      candidate->given.bytes.push_back(bytes == nullptr ? "" : *bytes);
    }
    const Outputs before = first_state(seed, round);
    add_bounds(job.arguments, &before, &candidate->given);
    require_effect_on_all(job, before, candidate->given, seed, round, candidate->kernel->facts());
    return &candidate->given;
  }
  return nullptr;
}

// What is wrong with the outputs; empty when all are right.
std::string Executor::difference(const Job& job, const Outputs& want, uint32_t round,
                                 const Candidate& candidate) {
  for (size_t i = 0; i < job.arguments.size(); ++i) {
    const JobArgument& argument = job.arguments[i];
    if (want.bytes[i].empty() || want.bytes[i].size() != argument.byte_count()) continue;
    const std::string got = problem_->read(i);
    const Stretch all{0, argument.element_count()};
    const auto text =
        describe_difference(argument, want.bounds[i], all, got.data(), want.bytes[i].data(), round);
    if (text) return problem_->name_of(i, &candidate.kernel->facts()) + ": " + *text;
  }
  return "";
}

// Whether the reference, run again, gives what it gave. Where it does not, something has happened
// to this process or to the device, and nothing can be held against a candidate.
bool Executor::reference_holds(const Job& job, const Job& rules, uint64_t seed, uint32_t round) {
  const Outputs& known = reference(job, rules, seed, round);
  Candidate candidate;
  build(*job.reference.job, &candidate);
  if (candidate.going()) run_once(*job.reference.job, rules, seed, round, &candidate);
  return candidate.going() && difference(*job.reference.job, known, round, candidate).empty();
}

// Ends a candidate that gave wrong outputs.
void Executor::convict(const Job& job, const Job& rules, uint64_t seed, uint32_t round,
                       const std::string& message, Candidate* candidate) {
  candidate->end(NETCL_OUTCOME_CORRECTNESS, message);
  if (job.reference.job == nullptr || stuck_) return;
  if (!reference_holds(job, rules, seed, round)) distrusted_ = true;
}

// The same run once more has to give the same bits.
void Executor::repeat(const Job& job, const Job& rules, Candidate* candidate) {
  const Outputs first = outputs();
  if (!run_once(job, rules, rules.seeds.front(), 0, candidate)) return;
  candidate->result.deterministic = outputs().bytes == first.bytes;
}

// Whether the set-up kernel, which is not timed, leaves the right outputs by itself.
bool Executor::set_up_does_all(const Job& job, const Job& rules, const Outputs& want,
                               Candidate* candidate) {
  problem_->prepare(rules.seeds.front(), 0);
  JobResult unused;
  launch(job, *candidate->setup, job.setup_size, &unused);
  if (!queue_->finish(Deadline(rules.run_limit_ns()))) {
    stuck_ = true;
    candidate->end(NETCL_OUTCOME_HANG, "the set-up run did not end");
    return true;
  }
  if (!difference(job, want, 0, *candidate).empty()) return false;
  candidate->end(NETCL_OUTCOME_CORRECTNESS,
                 "the set-up kernel, which is not timed, leaves the right outputs by itself");
  return true;
}

// One checked run; false when the candidate has an outcome.
bool Executor::check_seed(std::span<const Job> jobs, size_t index, size_t turn,
                          Candidate* candidate, Observer& observer) {
  const Job& rules = jobs.front();
  const Job& job = jobs[index];
  const uint64_t seed = rules.seeds[turn];
  const auto round = static_cast<uint32_t>(turn);
  observer.phase(Phase::prepare, index);
  const Outputs* want = wanted(job, rules, seed, round, candidate);
  observer.phase(Phase::run, index);
  if (!run_once(job, rules, seed, round, candidate)) return false;
  if (want == nullptr) {
    // All that can be asked of it is that it gives the same again.
    if (turn == 0 && candidate->own.bytes.empty()) {
      candidate->own = outputs();
      add_bounds(job.arguments, nullptr, &candidate->own);
    }
    return true;
  }
  const std::string text = difference(job, *want, round, *candidate);
  if (text.empty()) return true;
  convict(job, rules, seed, round, text + " (" + seed_text(seed) + ")", candidate);
  return false;
}

void Executor::check(std::span<const Job> jobs, size_t index, Candidate* candidate,
                     Observer& observer) {
  const Job& rules = jobs.front();
  const Job& job = jobs[index];
  for (size_t turn = 0; turn < rules.seeds.size(); ++turn) {
    if (observer.cancelled()) {
      candidate->end(NETCL_OUTCOME_CANCELLED, "cancelled before it was checked");
      return;
    }
    if (!check_seed(jobs, index, turn, candidate, observer)) return;
    if (turn > 0) continue;
    if (rules.repeat) repeat(job, rules, candidate);
    if (candidate->setup == nullptr || !candidate->going()) continue;
    const Outputs* want = wanted(job, rules, rules.seeds.front(), 0, candidate);
    if (want != nullptr && set_up_does_all(job, rules, *want, candidate)) return;
  }
}

}  // namespace netcl::tune
