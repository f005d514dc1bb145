// The work size of each configuration of a kernel that is tuned.
#pragma once

#include <memory>

#include "tune/job.hpp"
#include "tune/space.hpp"

namespace netcl::tune {

class LaunchSizes {
 public:
  // The formulas are those of `space`; `global` is the size that launches are given. `names` are
  // what formulas may name beside parameters. Where `plain` says so, a configuration without values
  // is the untuned kernel, which no formula is about.
  LaunchSizes(const Space& space, Limits names, const netcl_device_capabilities& capabilities,
              const JobSize& given, bool round_up, bool plain);

  // Fails with INVALID_ARGUMENT naming a name that is neither a parameter of `space` nor another
  // one, formulas that are fewer than dimensions, and values that cannot be for any configuration.
  void check(const Space& space) const;
  // Whether a formula gives it.
  bool by_formula(const Config& config) const;
  // Fails with INVALID_ARGUMENT naming the formula and its value.
  JobSize of(const Config& config) const;

 private:
  void check_local(const SpaceFormula::Lookup& lookup, const JobSize& size) const;
  void check_names(const Space& space, const SizeFormulas& formulas) const;

  SizeFormulas global_, local_;
  Limits names_;
  uint64_t most_items_;  // of a group
  uint64_t most_local_[3];
  JobSize given_;
  bool round_up_;
  bool plain_;
};

}  // namespace netcl::tune
