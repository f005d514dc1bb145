#include "timing/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"
#include "core/number.hpp"
#include "timing/split_mix.hpp"

namespace netcl::timing {

namespace {

double checked_confidence(double confidence) {
  if (confidence == 0.0) return kConfidence;
  if (!(confidence > 0.0 && confidence < 1.0)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "confidence is %g; it is 0 or more and less than 1",
         confidence);
  }
  return confidence;
}

void check_samples(std::span<const double> samples, const char* argument) {
  if (samples.empty()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s_count is 0; there is nothing to compute", argument);
  }
  for (size_t i = 0; i < samples.size(); ++i) {
    if (!(samples[i] >= 0.0) || std::isinf(samples[i])) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "%s[%zu] is %g; times are finite and not negative",
           argument, i, samples[i]);
    }
  }
}

// The interval [x(rank), x(n - rank + 1)] of the median, where ranks count from 1.
struct MedianInterval {
  size_t rank = 1;
  double confidence = 0.0;  // that it holds the true median: 1 - 2 P(Binomial(n, 1/2) < rank)
};

// The share of a normal distribution that lies above x.
double normal_tail(double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); }

// The narrowest interval with the confidence that is wanted; the widest where none has it.
MedianInterval median_interval(size_t n, double wanted) {
  const double tail = 0.5 * (1.0 - wanted);
  const double count = static_cast<double>(n);
  MedianInterval interval;
  if (n > 1000) {
    // The normal approximation with its continuity correction is exact enough here.
    double low = 0.0, high = 10.0;
    for (int step = 0; step < 60; ++step) {
      const double middle = 0.5 * (low + high);
      (normal_tail(middle) > tail ? low : high) = middle;
    }
    const double rank = std::floor(0.5 * count + 0.5 - low * 0.5 * std::sqrt(count));
    interval.rank = static_cast<size_t>(std::max(1.0, rank));
    const double place = static_cast<double>(interval.rank) - 0.5 - 0.5 * count;
    interval.confidence = 1.0 - 2.0 * normal_tail(-2.0 * place / std::sqrt(count));
    return interval;
  }
  double term = std::pow(0.5, count);  // P(X = 0); 2^-1000 is still normal
  double below = term;                 // P(X < rank)
  while (interval.rank < n / 2) {
    term *= static_cast<double>(n - interval.rank + 1) / static_cast<double>(interval.rank);
    if (below + term > tail) break;
    below += term;
    ++interval.rank;
  }
  interval.confidence = 1.0 - 2.0 * below;
  return interval;
}

// The median of one resample with replacement. For many samples its rank is drawn instead, which is
// normal with deviation sqrt(n) / 2.
double resampled_median(const std::vector<double>& sorted, Random* random) {
  constexpr size_t kDrawn = 256;
  const size_t n = sorted.size();
  if (n > kDrawn) {
    const double count = static_cast<double>(n);
    const double rank = 0.5 * (count - 1.0) + 0.5 * std::sqrt(count) * random->normal();
    return sorted[static_cast<size_t>(std::clamp(rank + 0.5, 0.0, count - 1.0))];
  }
  // How often each sample was drawn. They are sorted, so the middle is where half are counted.
  std::array<uint16_t, kDrawn> counts{};
  for (size_t i = 0; i < n; ++i) ++counts[random->below_small(static_cast<uint32_t>(n))];
  size_t place = 0, counted = counts[0];
  while (counted <= (n - 1) / 2) counted += counts[++place];
  const double low = sorted[place];
  while (counted <= n / 2) counted += counts[++place];
  return low + 0.5 * (sorted[place] - low);
}

std::vector<double> sorted_copy(std::span<const double> samples) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

double ratio_of(double first, double second) {
  if (first == second) return 1.0;  // also 0 and 0: a clock that saw neither
  return second == 0.0 ? INFINITY : first / second;
}

}  // namespace

double quantile(std::span<const double> sorted, double p) {
  const double at = p * static_cast<double>(sorted.size() - 1);
  const size_t below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

void compute_statistics(std::span<const double> samples, double confidence,
                        netcl_statistics* statistics) {
  confidence = checked_confidence(confidence);
  check_samples(samples, "samples");
  const std::vector<double> sorted = sorted_copy(samples);
  const double count = static_cast<double>(sorted.size());
  double sum = 0.0;
  for (const double value : sorted) sum += value;
  const double mean = sum / count;
  double squares = 0.0;
  for (const double value : sorted) squares += (value - mean) * (value - mean);
  const MedianInterval interval = median_interval(sorted.size(), confidence);
  statistics->count = sorted.size();
  statistics->median = quantile(sorted, 0.5);
  statistics->mean = mean;
  statistics->deviation = sorted.size() > 1 ? std::sqrt(squares / (count - 1.0)) : 0.0;
  statistics->min = sorted.front();
  statistics->max = sorted.back();
  statistics->quartile_low = quantile(sorted, 0.25);
  statistics->quartile_high = quantile(sorted, 0.75);
  statistics->interval_low = sorted[interval.rank - 1];
  statistics->interval_high = sorted[sorted.size() - interval.rank];
  statistics->confidence = interval.confidence;
}

netcl_statistics statistics_of(std::span<const double> samples) {
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  if (!samples.empty()) compute_statistics(samples, 0.0, &statistics);
  return statistics;
}

void compare_samples(std::span<const double> first, std::span<const double> second,
                     double confidence, double precision, uint64_t seed,
                     netcl_comparison* comparison) {
  confidence = checked_confidence(confidence);
  if (precision == 0.0) precision = kPrecision;
  if (!(precision > 0.0 && precision < 1.0)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "precision is %g; it is 0 or more and less than 1",
         precision);
  }
  check_samples(first, "first");
  check_samples(second, "second");
  constexpr int kResamples = 2000;
  const std::vector<double> a = sorted_copy(first);
  const std::vector<double> b = sorted_copy(second);
  std::vector<double> ratios(kResamples);
  Random random(seed);
  for (double& ratio : ratios) {
    const double above = resampled_median(a, &random);
    ratio = ratio_of(above, resampled_median(b, &random));
  }
  std::sort(ratios.begin(), ratios.end());
  const auto place = [](double p) { return static_cast<size_t>(p * (kResamples - 1) + 0.5); };
  comparison->ratio = ratio_of(quantile(a, 0.5), quantile(b, 0.5));
  comparison->interval_low = ratios[place(0.5 * (1.0 - confidence))];
  comparison->interval_high = ratios[place(0.5 * (1.0 + confidence))];
  // One sample a side has no spread to speak of, so it proves nothing.
  comparison->verdict = NETCL_VERDICT_UNCLEAR;
  if (a.size() < 5 || b.size() < 5) return;
  if (comparison->interval_low >= 1.0 - precision && comparison->interval_high <= 1.0 + precision) {
    comparison->verdict = NETCL_VERDICT_SAME;
  } else if (comparison->interval_high < 1.0) {
    comparison->verdict = NETCL_VERDICT_FASTER;
  } else if (comparison->interval_low > 1.0) {
    comparison->verdict = NETCL_VERDICT_SLOWER;
  }
}

double relative_half_width(const netcl_statistics& statistics) {
  if (statistics.median == 0.0) return 0.0;
  return 0.5 * (statistics.interval_high - statistics.interval_low) / statistics.median;
}

std::string time_text(double nanoseconds) {
  if (nanoseconds < 999.95) return general_text(nanoseconds, 4) + " ns";
  if (nanoseconds < 999.95e3) return general_text(nanoseconds / 1e3, 4) + " us";
  if (nanoseconds < 999.95e6) return general_text(nanoseconds / 1e6, 4) + " ms";
  return general_text(nanoseconds / 1e9, 4) + " s";
}

}  // namespace netcl::timing
