#include "tune/launch_sizes.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "kernel/tuned.hpp"

namespace netcl::tune {

LaunchSizes::LaunchSizes(const Space& space, Limits names,
                         const netcl_device_capabilities& capabilities, const JobSize& given,
                         bool round_up, bool plain)
    : global_(space.global_size().copy()),
      local_(space.local_size().copy()),
      names_(std::move(names)),
      most_items_(capabilities.max_work_group_size),
      given_(given),
      round_up_(round_up),
      plain_(plain) {
  std::copy_n(capabilities.max_work_item_sizes, 3, most_local_);
}

void LaunchSizes::check_names(const Space& space, const SizeFormulas& formulas) const {
  const std::vector<Space::Parameter>& parameters = space.parameters();
  for (const std::string& name : formulas.names()) {
    const bool is_parameter =
        std::any_of(parameters.begin(), parameters.end(),
                    [&](const Space::Parameter& parameter) { return parameter.name == name; });
    if (is_parameter || names_.find(name) != nullptr) continue;
    std::string known;
    for (const Space::Parameter& parameter : parameters) known += parameter.name + ", ";
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; it names %s, which is none of %s%s",
         &formulas == &global_ ? "global_size" : "local_size",
         quoted(formulas.text().c_str(), 200).c_str(), name.c_str(), known.c_str(),
         names_.text().c_str());
  }
}

void LaunchSizes::check(const Space& space) const {
  for (const SizeFormulas* formulas : {&global_, &local_}) {
    if (formulas->empty()) continue;
    check_names(space, *formulas);
    if (formulas->size() < given_.rank) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s, which has %zu extents; global_count is %u",
           formulas == &global_ ? "global_size" : "local_size",
           quoted(formulas->text().c_str(), 200).c_str(), formulas->size(), given_.rank);
    }
    const std::vector<std::string> names = formulas->names();
    const bool varies = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return std::any_of(space.parameters().begin(), space.parameters().end(),
                         [&](const Space::Parameter& one) { return one.name == name; });
    });
    if (varies) continue;
    uint64_t extents[3];
    formulas->evaluate([&](const std::string& name) { return names_.find(name); }, given_.rank,
                       extents);
  }
}

bool LaunchSizes::by_formula(const Config& config) const {
  return !(global_.empty() && local_.empty()) && !(plain_ && config.values.empty());
}

// What would fail only when it is launched, before it is compiled.
void LaunchSizes::check_local(const SpaceFormula::Lookup& lookup, const JobSize& size) const {
  uint64_t items = 1;
  for (uint32_t d = 0; d < size.rank; ++d) {
    const std::string what = local_.empty() ? format("%s is %llu", kTunedLocal[d],
                                                     static_cast<unsigned long long>(size.local[d]))
                                            : local_.value_text(lookup, d, size.local[d]);
    if (size.local[d] > most_local_[d] || __builtin_mul_overflow(items, size.local[d], &items) ||
        items > most_items_) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "%s; the device takes up to %llu there and %llu items in a group", what.c_str(),
           static_cast<unsigned long long>(most_local_[d]),
           static_cast<unsigned long long>(most_items_));
    }
    if (round_up_ || size.global[d] % size.local[d] == 0) continue;
    const std::string whole =
        global_.empty()
            ? format("global[%u] = %llu", d, static_cast<unsigned long long>(size.global[d]))
            : global_.value_text(lookup, d, size.global[d]);
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s, which is no multiple of the local size: %s",
         whole.c_str(), what.c_str());
  }
}

JobSize LaunchSizes::of(const Config& config) const {
  JobSize size = given_;
  for (uint32_t d = 0; d < size.rank; ++d) {
    if (const Value* value = config.find(kTunedLocal[d])) {
      size.local[d] = static_cast<uint64_t>(std::get<int64_t>(*value));
    }
  }
  if (!by_formula(config)) return size;
  const SpaceFormula::Lookup lookup = [&](const std::string& name) {
    const Value* value = config.find(name);
    return value != nullptr ? value : names_.find(name);
  };
  if (!global_.empty()) global_.evaluate(lookup, size.rank, size.global);
  if (!local_.empty()) local_.evaluate(lookup, size.rank, size.local);
  // A kernel that is compiled for one local size has it from there.
  if (size.local[0] != 0) check_local(lookup, size);
  return size;
}

}  // namespace netcl::tune
