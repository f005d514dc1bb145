#include "tune/candidates.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "tune/walk.hpp"

namespace netcl::tune {

namespace {

// Combinations that are drawn before a space counts as one without valid configurations.
constexpr size_t kDrawsMost = size_t{1} << 18;
constexpr size_t kDrawsOfEstimate = 4096;

std::optional<uint32_t> place_of(const Space::Parameter& parameter, const Value& value) {
  for (size_t i = 0; i < parameter.values.size(); ++i) {
    if (same_value(parameter.values[i], value)) return static_cast<uint32_t>(i);
  }
  return std::nullopt;
}

}  // namespace

// A space of its own, to ask of any combination whether it is valid.
struct Candidates::Large {
  Large(const Space& given, const Limits& known)
      : space(given.copy()), limits(known), walk(space, limits) {}
  const Space space;
  const Limits limits;
  SpaceWalk walk;
  bool counted = true;
  uint64_t first = 0;
};

Candidates::~Candidates() = default;

std::string fingerprint_of(const Space& space) {
  std::string text;
  for (const Space::Parameter& parameter : space.parameters()) {
    text += parameter.name + '\x1f';
    for (const Value& value : parameter.values) text += value_text(value) + '\x1f';
  }
  // The constraints as they stand, not what they allow here: limits differ between processes.
  for (const SpaceFormula& constraint : space.constraints()) text += '\x1e' + constraint.text();
  for (const SizeFormulas* size : {&space.global_size(), &space.local_size()}) {
    if (!size->empty()) text += '\x1d' + size->text();
  }
  return hex_text(hash128(text));
}

void Candidates::begin(const Space& space) {
  parameters_ = space.parameters();
  for (const Space::Parameter& parameter : parameters_) {
    if (__builtin_mul_overflow(product_, parameter.values.size(), &product_)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "the space has more than 2^64 combinations of values; give it fewer");
    }
  }
  fingerprint_ = fingerprint_of(space);
}

Candidates::Candidates(const Space& space, const Limits& limits) {
  begin(space);
  auto large = std::make_unique<Large>(space, limits);
  const std::optional<uint64_t> count = large->walk.try_count();
  if (count == 0u) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the space has no valid configuration");
  }
  if (count && *count <= kListedMost) {
    size_ = *count;
    codes_.reserve(size_);
    large->walk.visit([&](const Digits& digits) {
      codes_.push_back(code_of(digits));
      return true;
    });
    return;
  }
  large_ = std::move(large);
  large_->counted = count.has_value();
  timing::Random random(0);
  Digits digits;
  if (count) {
    size_ = *count;
    large_->walk.at(0, &digits);
    large_->first = code_of(digits);
    return;
  }
  if (!draw(&random, kDrawsMost, &digits)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "none of %zu combinations of values satisfies the constraints of the space; let each name "
         "few parameters, and those near each other in the order",
         kDrawsMost);
  }
  large_->first = code_of(digits);
  size_t valid = 1;
  for (size_t i = 0; i < kDrawsOfEstimate; ++i) valid += draw(&random, 1, &digits) ? 1 : 0;
  size_ = static_cast<size_t>(static_cast<double>(product_) * static_cast<double>(valid) /
                              (kDrawsOfEstimate + 1.0));
}

Candidates::Candidates(const Space& space, const std::vector<Config>& listed) {
  begin(space);
  for (const Config& config : listed) {
    const std::optional<Digits> digits = digits_of(config);
    if (!digits) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is not made of the values of the space",
           config.json().c_str());
    }
    codes_.push_back(code_of(*digits));
  }
  std::sort(codes_.begin(), codes_.end());
  codes_.erase(std::unique(codes_.begin(), codes_.end()), codes_.end());
  if (codes_.empty()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the space has no valid configuration");
  }
  size_ = codes_.size();
}

uint64_t Candidates::code_of(const Digits& digits) const {
  uint64_t code = 0;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    code = code * parameters_[i].values.size() + digits[i];
  }
  return code;
}

Candidates::Digits Candidates::digits_of(uint64_t code) const {
  Digits digits(parameters_.size());
  for (size_t i = parameters_.size(); i-- > 0;) {
    const uint64_t radix = parameters_[i].values.size();
    digits[i] = static_cast<uint32_t>(code % radix);
    code /= radix;
  }
  return digits;
}

std::vector<uint32_t> Candidates::digits(size_t place) const {
  return digits_of(listed() ? codes_[place] : place);
}

Config Candidates::config(size_t place) const {
  const Digits places = digits(place);
  Config config;
  for (size_t i = 0; i < places.size(); ++i) {
    config.values.emplace_back(parameters_[i].name, parameters_[i].values[places[i]]);
  }
  return config;
}

std::optional<size_t> Candidates::find(const std::vector<uint32_t>& digits) const {
  const uint64_t code = code_of(digits);
  if (!listed()) {
    if (!large_->walk.valid(digits)) return std::nullopt;
    return code;
  }
  const auto found = std::lower_bound(codes_.begin(), codes_.end(), code);
  if (found == codes_.end() || *found != code) return std::nullopt;
  return static_cast<size_t>(found - codes_.begin());
}

std::optional<Candidates::Digits> Candidates::digits_of(const Config& config) const {
  Digits digits;
  for (const Space::Parameter& parameter : parameters_) {
    const Value* value = config.find(parameter.name);
    if (value == nullptr) return std::nullopt;
    const auto place = place_of(parameter, *value);
    if (!place) return std::nullopt;
    digits.push_back(*place);
  }
  return digits;
}

std::optional<size_t> Candidates::find(const Config& config) const {
  const std::optional<Digits> digits = digits_of(config);
  return digits ? find(*digits) : std::nullopt;
}

std::vector<size_t> Candidates::neighbours(size_t place) const {
  std::vector<size_t> near, far;
  Digits places = digits(place);
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

size_t Candidates::first() const { return listed() ? 0 : large_->first; }

// Combinations at random until one is valid.
bool Candidates::draw(timing::Random* random, size_t tries, Digits* digits) const {
  digits->resize(parameters_.size());
  for (size_t i = 0; i < tries; ++i) {
    for (size_t p = 0; p < parameters_.size(); ++p) {
      (*digits)[p] = static_cast<uint32_t>(random->below(parameters_[p].values.size()));
    }
    if (large_->walk.valid(*digits)) return true;
  }
  return false;
}

size_t Candidates::random(timing::Random* random) const {
  if (listed()) return random->below(size_);
  Digits digits;
  // Drawing is cheap where much of the product is valid; else the count leads to each of them.
  if (draw(random, large_->counted ? 64 : kDrawsMost, &digits)) return code_of(digits);
  if (!large_->counted) return large_->first;
  large_->walk.at(random->below(size_), &digits);
  return code_of(digits);
}

}  // namespace netcl::tune
