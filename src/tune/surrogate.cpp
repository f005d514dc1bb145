#include "tune/surrogate.hpp"

#include <algorithm>
#include <cmath>

namespace netcl::tune {

namespace {

// Found on recorded spaces of kernels (docs/tuning.md).
constexpr double kDecay = 0.25;   // of likeness, per parameter that differs as far as it can
constexpr double kOther = 0.3;    // share of that for any difference; the rest grows with distance
constexpr double kNoise = 0.02;   // of what is measured, as a share of the variance
constexpr double kSlowest = 1.5;  // logarithms above the best: what is slower is merely slow
constexpr double kDoubt = 0.7;    // of a place like no known one, as a share of the variance
constexpr double kMargin = 0.1;   // by which an improvement has to show
// Beyond so many, half of them go.
constexpr size_t kPointsMost = 512;

double positive_log(double cost) { return std::log(std::max(cost, 1e-300)); }

}  // namespace

Surrogate::Surrogate(const Candidates& candidates) : candidates_(candidates) {
  for (const Space::Parameter& parameter : candidates.parameters()) {
    const size_t count = parameter.values.size();
    // Texts have no order: each is as far from the others.
    const bool ordered = count > 1 && !std::holds_alternative<std::string>(parameter.values[0]);
    steps_.push_back(ordered ? (1.0 - kOther) / static_cast<double>(count - 1) : 0.0);
  }
}

double Surrogate::likeness(const Digits& a, const Digits& b) const {
  double distance = 0.0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    const double apart = a[i] < b[i] ? b[i] - a[i] : a[i] - b[i];
    distance += steps_[i] == 0.0 ? 1.0 : kOther + steps_[i] * apart;
  }
  return std::exp(-kDecay * distance);
}

void Surrogate::append(Point point) {
  const size_t count = points_.size();
  std::vector<double> row(count + 1);
  double rest = 1.0 + kNoise;
  for (size_t i = 0; i < count; ++i) {
    double value = likeness(point.digits, points_[i].digits);
    for (size_t k = 0; k < i; ++k) value -= row[k] * factor_[i][k];
    row[i] = value / factor_[i][i];
    rest -= row[i] * row[i];
  }
  row[count] = std::sqrt(std::max(rest, 1e-9));
  // Both get one more, or none where there is no memory.
  factor_.reserve(kPointsMost);
  points_.reserve(kPointsMost);
  factor_.push_back(std::move(row));
  points_.push_back(std::move(point));
  fitted_ = false;
  guesses_.clear();
}

// The best and the latest tell most about what is worth trying.
void Surrogate::thin_out() {
  std::vector<Point> kept = points_;
  const auto latest = kept.end() - kPointsMost / 4;
  std::stable_sort(kept.begin(), latest,
                   [](const Point& a, const Point& b) { return a.cost < b.cost; });
  kept.erase(kept.begin() + kPointsMost / 4, latest);
  std::vector<Point> points;
  std::vector<std::vector<double>> factor;
  points.swap(points_);
  factor.swap(factor_);
  try {
    for (Point& point : kept) append(std::move(point));
  } catch (...) {
    points.swap(points_);
    factor.swap(factor_);
    throw;
  }
}

void Surrogate::add(size_t place, double cost) {
  if (!known_.insert(place).second) return;
  try {
    if (points_.size() == kPointsMost) thin_out();
    append({place, candidates_.digits(place), cost});
  } catch (...) {
    known_.erase(place);
    throw;
  }
}

void Surrogate::fit() {
  const size_t count = points_.size();
  double best = INFINITY;
  for (const Point& point : points_) best = std::min(best, point.cost);
  const double most = best < INFINITY ? positive_log(best) + kSlowest : 0.0;
  std::vector<double> values(count);
  mean_ = 0.0;
  for (size_t i = 0; i < count; ++i) {
    values[i] = points_[i].cost < INFINITY ? std::min(positive_log(points_[i].cost), most) : most;
    mean_ += values[i] / static_cast<double>(count);
  }
  double variance = 0.0;
  for (const double value : values) {
    variance += (value - mean_) * (value - mean_) / static_cast<double>(count);
  }
  scale_ = variance > 0.0 ? std::sqrt(variance) : 1.0;
  weights_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    double value = (values[i] - mean_) / scale_;
    for (size_t k = 0; k < i; ++k) value -= factor_[i][k] * weights_[k];
    weights_[i] = value / factor_[i][i];
  }
  for (size_t i = count; i-- > 0;) {
    weights_[i] /= factor_[i][i];
    for (size_t k = 0; k < i; ++k) weights_[k] -= factor_[i][k] * weights_[i];
  }
  fitted_ = true;
}

double Surrogate::mean_at(const Digits& digits, double* nearest) {
  if (!fitted_) fit();
  double mean = 0.0;
  *nearest = 0.0;
  for (size_t i = 0; i < points_.size(); ++i) {
    const double alike = likeness(digits, points_[i].digits);
    mean += alike * weights_[i];
    *nearest = std::max(*nearest, alike);
  }
  return mean;
}

double Surrogate::guess(size_t place) {
  const auto found = guesses_.find(place);
  if (found != guesses_.end()) return found->second;
  double nearest = 0.0;
  return guesses_[place] = mean_at(candidates_.digits(place), &nearest);
}

double Surrogate::improvement(size_t place, double target) {
  double nearest = 0.0;
  const double mean = mean_at(candidates_.digits(place), &nearest);
  const double wanted = target < INFINITY ? (positive_log(target) - mean_) / scale_ : 0.0;
  const double deviation = std::sqrt(std::max(kDoubt * (1.0 - nearest * nearest), 1e-9));
  const double distance = (wanted - kMargin - mean) / deviation;
  // The expected improvement of a normal distribution (Jones, Schonlau, Welch 1998).
  return deviation * (distance * 0.5 * std::erfc(-distance * 0.7071067811865476) +
                      0.3989422804014327 * std::exp(-0.5 * distance * distance));
}

}  // namespace netcl::tune
