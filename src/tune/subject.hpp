// Something that a tuner can tune: a kernel with its arguments, or an op on a shape.
#pragma once

#include <memory>
#include <span>

#include "store/database.hpp"
#include "tune/launch_sizes.hpp"
#include "tune/search.hpp"

namespace netcl::tune {

struct Measured {
  netcl_outcome outcome = NETCL_OUTCOME_UNKNOWN;
  std::string message;
  std::vector<double> samples;
  uint64_t compile_ns = 0;
  ConfigRef same;  // not measured: it is the same program as this one, which was
};

class Runner;

struct MeasureRules {
  uint64_t samples = 1;
  uint64_t warmup_count = 3;
  uint64_t compile_limit_ns = 0;  // 0: as runners have it
  uint64_t run_limit_ns = 0;
  double best_ns = 0;
  bool in_process = false;
  const std::atomic<bool>* cancel = nullptr;
  // What runs kernels, made by the first entry that needs it. It outlives an entry, because a
  // worker takes a GPU's driver longer to start than an entry takes.
  std::shared_ptr<Runner>* runner = nullptr;
};

class Subject {
 public:
  virtual ~Subject() = default;
  const std::string& name() const noexcept { return name_; }
  const store::Key& key() const noexcept { return key_; }
  const Space& space() const noexcept { return space_; }
  const Limits& limits() const noexcept { return limits_; }
  // The default configuration; null: the first of the space.
  const Config* standard() const noexcept { return has_standard_ ? &standard_ : nullptr; }
  // Whether it may be none of the space: what runs untuned need not be what the space offers.
  bool standard_outside() const noexcept { return standard_outside_; }

  // The work sizes of configurations; null where formulas give none.
  const std::shared_ptr<const LaunchSizes>& sizes() const noexcept { return sizes_; }
  // Parameters whose value of 0 leaves their macro to the source.
  const std::vector<std::string>& unset() const noexcept { return unset_; }

  // Candidates that take turns. What is wrong with one is its outcome; what is wrong with the
  // request throws.
  virtual std::vector<Measured> measure(std::span<const ConfigRef> configs,
                                        const MeasureRules& rules) = 0;
  // What it has to do at least, zeros when that is not known. May run it.
  virtual netcl_work work() { return NETCL_WORK_INIT; }
  // Gives back what measuring needed.
  virtual void close() noexcept {}

 protected:
  std::string name_;
  store::Key key_;
  Space space_;
  Limits limits_;
  Config standard_;
  bool has_standard_ = false;
  bool standard_outside_ = false;
  std::shared_ptr<const LaunchSizes> sizes_;
  std::vector<std::string> unset_;
};

}  // namespace netcl::tune
