#include "tune/candidates.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "tune/walk.hpp"

namespace netcl::tune {

namespace {

std::optional<uint32_t> place_of(const Space::Parameter& parameter, const Value& value) {
  for (size_t i = 0; i < parameter.values.size(); ++i) {
    if (same_value(parameter.values[i], value)) return static_cast<uint32_t>(i);
  }
  return std::nullopt;
}

}  // namespace

Candidates::Candidates(const Space& space, const Limits& limits) : parameters_(space.parameters()) {
  uint64_t product = 1;
  for (const Space::Parameter& parameter : parameters_) {
    if (__builtin_mul_overflow(product, parameter.values.size(), &product)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "the space has more than 2^64 combinations of values; give it fewer");
    }
  }
  Walk walk(space, limits);
  const uint64_t count = walk.count();
  if (count > kMost) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "the space has %llu valid configurations; the limit of a search is %zu: constrain it",
         static_cast<unsigned long long>(count), kMost);
  }
  codes_.reserve(count);
  walk.visit([&](const Walk::Digits& digits) {
    uint64_t code = 0;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      code = code * parameters_[i].values.size() + digits[i];
    }
    codes_.push_back(code);
    return true;
  });
  if (codes_.empty()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the space has no valid configuration");
  }
  std::string text;
  for (const Space::Parameter& parameter : parameters_) {
    text += parameter.name + '\x1f';
    for (const Value& value : parameter.values) text += value_text(value) + '\x1f';
  }
  // The constraints as they stand, not what they allow here: limits differ between processes.
  for (const Formula& constraint : space.constraints()) text += '\x1e' + constraint.text();
  fingerprint_ = hex_text(hash128(text));
}

std::vector<uint32_t> Candidates::digits(size_t index) const {
  std::vector<uint32_t> digits(parameters_.size());
  uint64_t code = codes_[index];
  for (size_t i = parameters_.size(); i-- > 0;) {
    const uint64_t radix = parameters_[i].values.size();
    digits[i] = static_cast<uint32_t>(code % radix);
    code /= radix;
  }
  return digits;
}

Config Candidates::config(size_t index) const {
  const std::vector<uint32_t> places = digits(index);
  Config config;
  for (size_t i = 0; i < places.size(); ++i) {
    config.values.emplace_back(parameters_[i].name, parameters_[i].values[places[i]]);
  }
  return config;
}

std::optional<size_t> Candidates::find(const std::vector<uint32_t>& digits) const {
  uint64_t code = 0;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    code = code * parameters_[i].values.size() + digits[i];
  }
  const auto found = std::lower_bound(codes_.begin(), codes_.end(), code);
  if (found == codes_.end() || *found != code) return std::nullopt;
  return static_cast<size_t>(found - codes_.begin());
}

std::optional<size_t> Candidates::find(const Config& config) const {
  std::vector<uint32_t> digits;
  for (const Space::Parameter& parameter : parameters_) {
    const Value* value = config.find(parameter.name);
    if (value == nullptr) return std::nullopt;
    const auto place = place_of(parameter, *value);
    if (!place) return std::nullopt;
    digits.push_back(*place);
  }
  return find(digits);
}

std::vector<size_t> Candidates::neighbours(size_t index) const {
  std::vector<size_t> near, far;
  std::vector<uint32_t> places = digits(index);
  for (size_t i = 0; i < places.size(); ++i) {
    const uint32_t own = places[i];
    for (uint32_t other = 0; other < parameters_[i].values.size(); ++other) {
      if (other == own) continue;
      places[i] = other;
      if (const auto found = find(places)) {
        (other + 1 == own || own + 1 == other ? near : far).push_back(*found);
      }
    }
    places[i] = own;
  }
  near.insert(near.end(), far.begin(), far.end());
  return near;
}

}  // namespace netcl::tune
