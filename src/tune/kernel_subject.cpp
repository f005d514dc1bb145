#include "tune/kernel_subject.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/ascii.hpp"
#include "core/dtype.hpp"
#include "core/error.hpp"
#include "core/number.hpp"

namespace netcl::tune {

namespace {

constexpr size_t kRowsMost = 1024;

// Comments and strings blanked out, so that they use nothing.
std::string code_of(const std::string& text) {
  std::string out = text;
  for (size_t i = 0; i < out.size(); ++i) {
    const char c = out[i];
    size_t end = i + 1;
    if (c == '/' && end < out.size() && out[end] == '/') {
      end = out.find('\n', i);
    } else if (c == '/' && end < out.size() && out[end] == '*') {
      end = out.find("*/", i + 2);
      if (end != std::string::npos) end += 2;
    } else if (c == '"') {
      while (end < out.size() && out[end] != '"' && out[end] != '\n')
        end += out[end] == '\\' ? 2 : 1;
      ++end;
    } else {
      continue;
    }
    end = std::min(end, out.size());
    for (size_t k = i; k < end; ++k) {
      if (out[k] != '\n') out[k] = ' ';
    }
    i = end - 1;
  }
  return out;
}

// "#ifndef NAME", "#define NAME", "#undef NAME" and the like, up to the name.
bool only_defines(const std::string& code, size_t at) {
  size_t begin = code.rfind('\n', at);
  begin = begin == std::string::npos ? 0 : begin + 1;
  std::string head;
  for (size_t i = begin; i < at; ++i) {
    if (!is_space(code[i])) head += code[i];
  }
  return head == "#ifndef" || head == "#ifdef" || head == "#define" || head == "#undef";
}

std::vector<uint64_t> powers_of_two(uint64_t most) {
  std::vector<uint64_t> values;
  for (uint64_t value = 1; value <= most && value != 0; value *= 2) values.push_back(value);
  return values;
}

class KernelSubject final : public Subject {
 public:
  KernelSubject(std::shared_ptr<Kernel> kernel, const JobLaunch& call, const KernelTuning& tuning)
      : kernel_(std::move(kernel)),
        device_(kernel_->device().shared_from_this()),
        call_(call),
        work_(tuning.work),
        round_up_(tuning.round_up) {
    if (kernel_->spec().request.form != SourceForm::source) {
      fail(NETCL_ERROR_UNSUPPORTED, "kernel %s was made from il or a binary; tuning takes source",
           kernel_->spec().name.c_str());
    }
    name_ = kernel_->spec().name;
    limits_ = Limits(device_->capabilities());
    key_ = launch_key(*kernel_, types_text(call.arguments), call.scalars, call.rank, call.global,
                      round_up_);
    builds_alone_ = builds_alone(*kernel_);
    name_problem();
    if (tuning.space != nullptr) {
      space_.set_work_size(tuning.space->global_size().text(), tuning.space->local_size().text());
    }
    add_local_sizes(tuning.local_sizes);
    add_macro(tuning.tile_macro, tuning.tile_sizes, {8, 16, 32}, "tile_sizes");
    add_macro(tuning.unroll_macro, tuning.unroll_factors, {1, 2, 4, 8}, "unroll_factors");
    if (tuning.space != nullptr) add_space(*tuning.space);
    if (space_.parameters().empty()) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "kernel %s is compiled for one local size and uses no macro: there is nothing to tune",
           name_.c_str());
    }
    // What runs untuned is the source with no macro set. Where it needs some to be built at all,
    // the first of the space stands for it.
    standard_outside_ = builds_alone_;
    // No configuration of the space is the untuned kernel where formulas say how it is launched.
    if (builds_alone_ && has_formulas()) standard_.values.clear();
    has_standard_ = builds_alone_ || space_.explain(limits_, standard_).empty();
    make_sizes();
  }

  std::vector<Measured> measure(std::span<const ConfigRef> configs,
                                const MeasureRules& rules) override {
    Runner& runner = runner_of(rules);
    if (configs.size() == 1) {
      try {
        (void)sizes_->of(*configs[0]);
      } catch (const Error& error) {
        if (error.status() != NETCL_ERROR_INVALID_ARGUMENT) throw;
        return {{NETCL_OUTCOME_CONSTRAINTS, error.message(), {}, 0, nullptr}};
      }
    }
    std::vector<Job> jobs;
    for (const ConfigRef& config : configs) jobs.push_back(make_job(*config, rules));
    uint64_t built_ns = 0;
    if (configs.size() == 1) {
      if (auto same = find_same(runner, configs[0], jobs[0], &built_ns)) return {std::move(*same)};
    }
    const std::vector<JobResult> results =
        jobs.size() == 1 ? std::vector<JobResult>{runner.run(jobs[0])} : runner.race(jobs);
    std::vector<Measured> out;
    for (const JobResult& result : results) {
      out.push_back({result.outcome, result.message, result.samples,
                     built_ns != 0 ? built_ns : result.compile_ns, nullptr});
    }
    return out;
  }

  netcl_work work() override { return work_; }

  void close() noexcept override {
    seen_.clear();
    programs_.clear();
  }

 private:
  Runner& runner_of(const MeasureRules& rules) const {
    if (*rules.runner == nullptr) {
      const RunnerOptions options;
      *rules.runner = rules.in_process
                          ? make_in_process_runner(QueueSet::of(*device_).default_queue(), options)
                          : make_worker_runner(device_, options);
    }
    return **rules.runner;
  }

  // Builds a candidate that comes for the first time, and says so when its program and its work
  // size are those of an earlier one, or when it cannot be built.
  std::optional<Measured> find_same(Runner& runner, const ConfigRef& config, Job job,
                                    uint64_t* built_ns) {
    if (!seen_.insert(config->json()).second) return std::nullopt;
    job.until = Job::Until::built;
    const JobResult built = runner.run(job);
    *built_ns = built.compile_ns;
    if (!built.correct()) {
      return Measured{built.outcome, built.message, {}, built.compile_ns, nullptr};
    }
    // Some drivers keep their programs to themselves.
    if (built.program_hash == Hash128()) return std::nullopt;
    std::string key = hex_text(built.program_hash);
    for (const uint64_t extent : job.size.local) key += " " + number_text(extent);
    for (const uint64_t extent : job.size.global) key += " " + number_text(extent);
    const auto [known, fresh] = programs_.emplace(std::move(key), config);
    if (fresh) return std::nullopt;
    return Measured{NETCL_OUTCOME_UNKNOWN, "", {}, built.compile_ns, known->second};
  }

  // ---- The space

  bool has_formulas() const {
    return !space_.global_size().empty() || !space_.local_size().empty();
  }

  // What formulas may name beside parameters and the limits of the device.
  void name_problem() {
    static constexpr const char* kGlobal[] = {"global_x", "global_y", "global_z"};
    std::vector<std::pair<std::string, Value>> numbers;
    for (uint32_t d = 0; d < 3; ++d) {
      numbers.emplace_back(kGlobal[d], static_cast<int64_t>(d < call_.rank ? call_.global[d] : 1));
    }
    for (const auto& [name, value] : call_.names) numbers.emplace_back(name, value);
    limits_.put_first(std::move(numbers));
  }

  void make_sizes() {
    JobSize given;
    given.rank = call_.rank;
    std::copy(call_.global, call_.global + 3, given.global);
    sizes_ = std::make_shared<const LaunchSizes>(space_, limits_, device_->capabilities(), given,
                                                 round_up_, builds_alone_);
    sizes_->check(space_);
    // What stands for the default has to have a size.
    if (!builds_alone_ && has_standard_) (void)sizes_->of(standard_);
  }

  uint64_t most_items() const {
    const uint64_t device = device_->capabilities().max_work_group_size;
    return builds_alone_ ? std::min(device, kernel_->facts().max_local_size) : device;
  }

  // The size that a launch takes without tuning. Empty for a kernel that is compiled for one size.
  std::vector<uint64_t> standard_local() const {
    if (builds_alone_) {
      if (kernel_->facts().required_local[0] != 0) return {};
      netcl_launch_options options = NETCL_LAUNCH_OPTIONS_INIT;
      options.round_up = round_up_ ? 1 : 0;
      const WorkSize size = make_work_size(*kernel_, call_.global, call_.rank, nullptr, 0, options);
      return std::vector<uint64_t>(size.local, size.local + call_.rank);
    }
    uint64_t local[3] = {1, 1, 1};
    suggest_local_size(*device_, most_items(), call_.rank, call_.global, local);
    for (uint32_t d = 0; d < call_.rank; ++d) {
      while (call_.global[d] % local[d] != 0) --local[d];
    }
    return std::vector<uint64_t>(local, local + call_.rank);
  }

  void add_local_sizes(const std::vector<uint64_t>& given) {
    if (!space_.local_size().empty()) {
      if (given.empty()) return;
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "tuning->local_sizes is set, and tuning->space has the local size %s: only one of them "
           "can say it",
           quoted(space_.local_size().text().c_str(), 200).c_str());
    }
    const std::vector<uint64_t> standard = standard_local();
    if (standard.empty()) {
      if (given.empty()) return;
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "tuning->local_sizes is set; kernel %s is compiled for exactly one", name_.c_str());
    }
    std::set<std::vector<uint64_t>> rows;
    std::set<uint64_t> values[3];
    if (given.empty()) {
      for (uint32_t d = 0; d < call_.rank; ++d) {
        // Where a formula gives the global size, it decides which of them divide it.
        const bool open = !space_.global_size().empty();
        const uint64_t most =
            std::min({most_items(), device_->capabilities().max_work_item_sizes[d],
                      open ? UINT64_MAX : call_.global[d]});
        for (const uint64_t value : powers_of_two(most)) {
          if (open || round_up_ || call_.global[d] % value == 0) values[d].insert(value);
        }
      }
    }
    for (size_t i = 0; i + call_.rank <= given.size(); i += call_.rank) {
      rows.emplace(given.begin() + static_cast<ptrdiff_t>(i),
                   given.begin() + static_cast<ptrdiff_t>(i + call_.rank));
    }
    if (!given.empty()) rows.insert(standard);
    for (const std::vector<uint64_t>& row : rows) {
      for (uint32_t d = 0; d < call_.rank; ++d) values[d].insert(row[d]);
    }
    for (uint32_t d = 0; d < call_.rank; ++d) {
      values[d].insert(standard[d]);
      std::vector<Value> list;
      for (const uint64_t value : values[d]) list.emplace_back(static_cast<int64_t>(value));
      space_.add(kTunedLocal[d], std::move(list));
      standard_.values.emplace_back(kTunedLocal[d], static_cast<int64_t>(standard[d]));
    }
    if (given.empty()) {
      std::string product = kTunedLocal[0];
      for (uint32_t d = 1; d < call_.rank; ++d) product += std::string(" * ") + kTunedLocal[d];
      space_.constrain(
          format("%s <= %llu", product.c_str(), static_cast<unsigned long long>(most_items())));
    } else if (call_.rank > 1) {
      space_.constrain(rows_formula(rows));
    }
  }

  std::string rows_formula(const std::set<std::vector<uint64_t>>& rows) const {
    if (rows.size() > kRowsMost) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "tuning->local_sizes has %zu rows; the limit is %zu",
           rows.size(), kRowsMost);
    }
    // A number per row keeps the formula flat however many there are.
    std::string code = kTunedLocal[0], list;
    for (uint32_t d = 1; d < call_.rank; ++d) {
      code = "(" + code + ") * 1048576 + " + kTunedLocal[d];
    }
    for (const std::vector<uint64_t>& row : rows) {
      uint64_t number = row[0];
      for (uint32_t d = 1; d < call_.rank; ++d) number = number * 1048576 + row[d];
      list += (list.empty() ? "" : ", ") + number_text(number);
    }
    return code + " in [" + list + "]";
  }

  void add_macro(const std::string& macro, const std::vector<int64_t>& given,
                 std::vector<int64_t> filled_in, const char* member) {
    const bool used = source_uses(kernel_->spec().request.text, macro);
    if (!used) {
      if (given.empty()) return;
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "tuning->%s is set, but the source of kernel %s never uses the macro %s", member,
           name_.c_str(), macro.c_str());
    }
    std::vector<int64_t> numbers = given.empty() ? filled_in : given;
    // 0 leaves the macro to the source.
    if (builds_alone_) {
      std::erase(numbers, 0);
      numbers.insert(numbers.begin(), 0);
    }
    std::vector<Value> values(numbers.begin(), numbers.end());
    space_.add(macro, std::move(values));
    standard_.values.emplace_back(macro, numbers.front());
    macros_.push_back(macro);
    unset_.push_back(macro);
  }

  void add_space(const Space& space) {
    std::vector<std::string> sized = space.global_size().names();
    for (const std::string& name : space.local_size().names()) sized.push_back(name);
    for (const Space::Parameter& parameter : space.parameters()) {
      if (std::find(std::begin(kTunedLocal), std::end(kTunedLocal), parameter.name) !=
          std::end(kTunedLocal)) {
        fail(NETCL_ERROR_INVALID_ARGUMENT,
             "tuning->space has the parameter %s, which is the tuner's own name of a local size",
             parameter.name.c_str());
      }
      const bool in_size = std::find(sized.begin(), sized.end(), parameter.name) != sized.end();
      if (!in_size && !source_uses(kernel_->spec().request.text, parameter.name)) {
        fail(NETCL_ERROR_INVALID_ARGUMENT,
             "tuning->space has the parameter %s; the source of kernel %s never uses this macro",
             parameter.name.c_str(), name_.c_str());
      }
      space_.add(parameter.name, parameter.values);
      if (!builds_alone_) {
        standard_.values.emplace_back(parameter.name, parameter.values.front());
      }
      others_.push_back(parameter.name);
    }
    for (const SpaceFormula& constraint : space.constraints()) space_.constrain(constraint.text());
  }

  // ---- Jobs

  Job make_job(const Config& config, const MeasureRules& rules) const {
    Job job = plain_job(config);
    // The default is held against itself: it is what the others have to agree with.
    job.reference.job =
        std::make_shared<const Job>(plain_job(has_standard_ ? standard_ : space_.at(limits_, 0)));
    job.timing.warmup_count = rules.warmup_count;
    job.timing.count = rules.samples;
    job.limits.best_ns = rules.best_ns;
    job.limits.cancel = rules.cancel;
    if (rules.compile_limit_ns != 0) job.limits.compile_ns = rules.compile_limit_ns;
    job.limits.run_ns = rules.run_limit_ns;
    return job;
  }

  Job plain_job(const Config& config) const {
    const KernelSpec& spec = kernel_->spec();
    Job job;
    job.source = spec.request.text;  // with the preamble it was given
    job.no_preamble = true;
    job.kernel = spec.name;
    job.arguments = call_.arguments;
    job.seeds = call_.seeds;
    job.round_up = round_up_;
    job.size = sizes_->of(config);
    for (const std::string& macro : macros_) {
      const Value* value = config.find(macro);
      if (value != nullptr && !same_value(*value, int64_t{0})) {
        job.defines.emplace_back(macro, value_text(*value));
      }
    }
    for (const std::string& macro : others_) {
      const Value* value = config.find(macro);
      if (value == nullptr) continue;
      const auto* flag = std::get_if<bool>(value);
      const auto* text = std::get_if<std::string>(value);
      job.defines.emplace_back(macro, flag != nullptr   ? (*flag ? "1" : "0")
                                      : text != nullptr ? *text
                                                        : value_text(*value));
    }
    job.flags = flags_without(spec.request.options, job.defines);
    return job;
  }

  // A flag that defines a macro which is tuned makes room for it.
  static std::vector<std::string> flags_without(const std::string& options, const Macros& defines) {
    std::vector<std::string> flags;
    const std::string left = flags_without_macros(options, defines);
    for (size_t at = 0; at < left.size();) {
      const size_t end = std::min(left.find(' ', at), left.size());
      flags.push_back(left.substr(at, end - at));
      at = end + 1;
    }
    return flags;
  }

  std::shared_ptr<Kernel> kernel_;
  DeviceRef device_;
  JobLaunch call_;
  netcl_work work_;
  bool round_up_;
  bool builds_alone_ = false;
  std::vector<std::string> macros_;  // 0 stands for not defined
  std::vector<std::string> others_;
  std::set<std::string> seen_;                 // configurations that were built
  std::map<std::string, ConfigRef> programs_;  // by their hash and local size
};

}  // namespace

bool builds_alone(Kernel& kernel) {
  try {
    kernel.build();
    return true;
  } catch (const Error& error) {
    if (error.status() != NETCL_ERROR_BUILD_FAILURE) throw;
    return false;
  }
}

bool source_uses(const std::string& text, const std::string& identifier) {
  const std::string code = code_of(text);
  for (size_t at = code.find(identifier); at != std::string::npos;
       at = code.find(identifier, at + 1)) {
    if (at > 0 && is_word(code[at - 1])) continue;
    const size_t end = at + identifier.size();
    if (end < code.size() && is_word(code[end])) continue;
    if (!only_defines(code, at)) return true;
  }
  return false;
}

std::string types_text(std::span<const JobArgument> arguments) {
  std::string text;
  for (const JobArgument& argument : arguments) {
    if (argument.kind != JobArgument::Kind::tensor) continue;
    text += (text.empty() ? "" : ",") + std::string(dtype_facts(argument.dtype).name);
  }
  return text;
}

std::shared_ptr<Subject> make_kernel_subject(std::shared_ptr<Kernel> kernel, const JobLaunch& call,
                                             const KernelTuning& tuning) {
  return std::make_shared<KernelSubject>(std::move(kernel), call, tuning);
}

}  // namespace netcl::tune
