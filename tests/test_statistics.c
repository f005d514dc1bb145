/* Statistics of samples and the comparison of two sets: values by hand, definitions, simulation. */
#include <math.h>
#include <stdio.h>

#include "support.h"

static netcl_statistics compute(const double* samples, uint64_t count, double confidence) {
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  memset((char*)&statistics + sizeof statistics.struct_size, POISON,
         sizeof statistics - sizeof statistics.struct_size);
  OK(netcl_statistics_compute(samples, count, confidence, &statistics));
  return statistics;
}

static void check_near(double got, double wanted, const char* what) {
  CHECK(fabs(got - wanted) <= 1e-12 * fabs(wanted) + 1e-300, "%s is %.17g, not %.17g", what, got,
        wanted);
}

static void by_hand(void** state) {
  (void)state;
  static const double four[] = {4, 1, 3, 2};
  netcl_statistics s = compute(four, 4, 0);
  assert_int_equal(s.count, 4);
  check_near(s.median, 2.5, "median");
  check_near(s.mean, 2.5, "mean");
  check_near(s.deviation, sqrt(5.0 / 3.0), "deviation");
  check_near(s.min, 1, "min");
  check_near(s.max, 4, "max");
  check_near(s.quartile_low, 1.75, "lower quartile");
  check_near(s.quartile_high, 3.25, "upper quartile");
  check_near(s.confidence, 0.875, "confidence"); /* all four lie on one side for 2 in 16 */
  /* Too few samples for any order statistics to hold the median with 95 %. */
  check_near(s.interval_low, 1, "low end");
  check_near(s.interval_high, 4, "high end");
  CHECK(s.iterations == 0 && s.warmup_count == 0 && s.resolution_ns == 0 && s.bytes == 0 &&
            s.operations == 0 && s.stop == 0 && s.cold_cache == 0 && s.flush_proven == 0,
        "members of a measurement are not 0");
  static const double one[] = {7.5};
  s = compute(one, 1, 0.5);
  check_near(s.median, 7.5, "median of one");
  assert_true(s.deviation == 0 && s.min == 7.5 && s.max == 7.5);
  assert_true(s.quartile_low == 7.5 && s.interval_low == 7.5 && s.interval_high == 7.5);
  static const double zeros[3] = {0, 0, 0};
  s = compute(zeros, 3, 0);
  assert_true(s.median == 0 && s.deviation == 0 && s.interval_high == 0);
}

/* Ranks from tables of the binomial distribution: [x(r), x(n - r + 1)]. */
static void interval_ranks(void** state) {
  (void)state;
  static const struct {
    int count;
    double confidence;
    int rank;
  } kTable[] = {{6, 0.95, 1},  {7, 0.95, 1},  {8, 0.95, 1},    {9, 0.95, 2},   {10, 0.95, 2},
                {15, 0.95, 4}, {20, 0.95, 6}, {25, 0.95, 8},   {50, 0.95, 18}, {100, 0.95, 40},
                {10, 0.99, 1}, {20, 0.99, 4}, {100, 0.99, 37}, {20, 0.90, 6},  {100, 0.90, 42}};
  double samples[100];
  for (size_t i = 0; i < COUNT_OF(kTable); i++) {
    const int n = kTable[i].count;
    for (int k = 0; k < n; k++) samples[k] = n - k; /* descending: x(k) is k */
    const netcl_statistics s = compute(samples, (uint64_t)n, kTable[i].confidence);
    CHECK(s.interval_low == kTable[i].rank && s.interval_high == n - kTable[i].rank + 1,
          "%d samples at %g: [x(%g), x(%g)], not rank %d", n, kTable[i].confidence, s.interval_low,
          s.interval_high, kTable[i].rank);
  }
}

/* The confidence is that of the interval, whatever was wanted: 1 - 2 P(Binomial(n, 1/2) < r). */
static void true_confidence(void** state) {
  (void)state;
  static const double kWanted[] = {0.5, 0.9, 0.95, 0.99};
  double samples[60];
  for (int i = 0; i < 60; i++) samples[i] = i + 1; /* x(k) is k */
  for (int n = 1; n <= 60; n++) {
    for (size_t w = 0; w < COUNT_OF(kWanted); w++) {
      const netcl_statistics s = compute(samples, (uint64_t)n, kWanted[w]);
      double term = ldexp(1, -n), below = 0;
      for (int k = 0; k < (int)s.interval_low; k++) {
        below += term;
        term = term * (n - k) / (k + 1);
      }
      CHECK(fabs(s.confidence - (1 - 2 * below)) < 1e-12,
            "%d samples: [x(%g), x(%g)] holds the median with %.6f, not %.6f", n, s.interval_low,
            s.interval_high, 1 - 2 * below, s.confidence);
      /* Short of what is wanted only where all samples are not enough. */
      CHECK(s.confidence >= kWanted[w] - 1e-12 || s.interval_low == 1, "%d samples at %g: %.6f", n,
            kWanted[w], s.confidence);
    }
  }
  check_near(compute(samples, 3, 0).confidence, 0.75, "confidence of 3");
  check_near(compute(samples, 1, 0).confidence, 0, "confidence of 1");
  check_near(compute(samples, 6, 0).confidence, 0.96875, "confidence of 6");
  static double many[5000];
  for (int i = 0; i < 5000; i++) many[i] = i;
  const double confidence = compute(many, 5000, 0).confidence;
  CHECK(confidence >= 0.95 && confidence < 0.952, "5000 samples: %.6f", confidence);
}

static int compare_doubles(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* Hyndman and Fan, type 7, from its definition with ranks that count from 1. */
static double type7(const double* sorted, int n, double p) {
  const double h = (n - 1) * p + 1;
  const int k = (int)floor(h);
  return k >= n ? sorted[n - 1] : sorted[k - 1] + (h - k) * (sorted[k] - sorted[k - 1]);
}

static void properties(void** state) {
  (void)state;
  for (int round = 0; round < 300; round++) {
    double samples[400], sorted[400];
    const int n = (int)random_in(1, 400);
    const double scale = pow(10.0, random_real(-6, 12));
    for (int i = 0; i < n; i++) samples[i] = scale * random_real(0, 1);
    memcpy(sorted, samples, sizeof sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, compare_doubles);
    const netcl_statistics s = compute(samples, (uint64_t)n, 0);
    long double sum = 0, squares = 0;
    for (int i = 0; i < n; i++) sum += samples[i];
    const long double mean = sum / n;
    for (int i = 0; i < n; i++) squares += (samples[i] - mean) * (samples[i] - mean);
    const double deviation = n > 1 ? (double)sqrtl(squares / (n - 1)) : 0;
    CHECK(fabs(s.mean - (double)mean) <= 1e-12 * scale, "mean %.17g", s.mean);
    CHECK(fabs(s.deviation - deviation) <= 1e-12 * scale, "deviation %.17g", s.deviation);
    CHECK(fabs(s.median - type7(sorted, n, 0.5)) <= 1e-13 * scale, "median %.17g", s.median);
    CHECK(fabs(s.quartile_low - type7(sorted, n, 0.25)) <= 1e-13 * scale, "lower quartile");
    CHECK(fabs(s.quartile_high - type7(sorted, n, 0.75)) <= 1e-13 * scale, "upper quartile");
    assert_true(s.min == sorted[0] && s.max == sorted[n - 1]);
    assert_true(s.min <= s.interval_low && s.interval_low <= s.median);
    assert_true(s.median <= s.interval_high && s.interval_high <= s.max);
    const netcl_statistics wider = compute(samples, (uint64_t)n, 0.999);
    assert_true(wider.interval_low <= s.interval_low && wider.interval_high >= s.interval_high);
  }
}

/* A generator of its own with a fixed seed: the outcome is the same every time. */
static double fixed_uniform(uint64_t* x) {
  *x ^= *x << 13;
  *x ^= *x >> 7;
  *x ^= *x << 17;
  return (double)(*x >> 11) * 0x1p-53;
}

static void coverage(void** state) {
  (void)state;
  if (only_sanitized()) SKIP("other builds have the same numbers");
  enum { TRIALS = 1500 };
  static const int counts[] = {10, 25, 101, 1500};
  uint64_t x = 88172645463325252u;
  static double samples[1500];
  for (size_t c = 0; c < COUNT_OF(counts); c++) {
    int inside = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      /* Skewed as times are: 1 and an exponential tail, whose median is ln 2. */
      for (int i = 0; i < counts[c]; i++) samples[i] = 1.0 - log(1.0 - fixed_uniform(&x));
      const netcl_statistics s = compute(samples, (uint64_t)counts[c], 0.9);
      const double median = 1.0 + log(2.0);
      inside += s.interval_low <= median && median <= s.interval_high;
    }
    const double share = inside / (double)TRIALS;
    /* Order statistics give at least the confidence; few samples give clearly more. */
    CHECK(share > 0.9 - 0.024, "%d samples: %.3f of the intervals hold the median", counts[c],
          share);
    CHECK(counts[c] < 100 || share < 0.9 + 0.05, "%d samples: %.3f, wider than it says", counts[c],
          share);
  }
}

static netcl_comparison compare(const double* a, uint64_t a_count, const double* b,
                                uint64_t b_count, double precision, uint64_t seed) {
  netcl_comparison comparison = NETCL_COMPARISON_INIT;
  OK(netcl_statistics_compare(a, a_count, b, b_count, 0, precision, seed, &comparison));
  return comparison;
}

static void verdicts(void** state) {
  (void)state;
  enum { N = 40 };
  double base[N], noisy[N], slow[N], same[N], little[N];
  for (int i = 0; i < N; i++) {
    const double step = (double)((i * 17) % N) / N; /* 0 to 1, evenly */
    base[i] = 1000 + 4 * step;
    same[i] = 1000.5 + 4 * step;
    little[i] = 1001.9 + 4 * step;
    slow[i] = 1200 + 4 * step;
    noisy[i] = 800 + 420 * step;
  }
  netcl_comparison c = compare(slow, N, base, N, 0, 1);
  assert_int_equal(c.verdict, NETCL_VERDICT_SLOWER);
  CHECK(c.ratio > 1.19 && c.ratio < 1.21, "ratio %g", c.ratio);
  assert_true(c.interval_low <= c.ratio && c.ratio <= c.interval_high && c.interval_low > 1.19);
  c = compare(base, N, slow, N, 0, 1);
  assert_int_equal(c.verdict, NETCL_VERDICT_FASTER);
  CHECK(c.interval_high < 0.84, "high end %g", c.interval_high);
  c = compare(base, N, same, N, 0, 1);
  assert_int_equal(c.verdict, NETCL_VERDICT_SAME);
  c = compare(base, N, base, N, 0, 1);
  assert_int_equal(c.verdict, NETCL_VERDICT_SAME);
  assert_true(c.ratio == 1.0);
  c = compare(noisy, N, base, N, 0, 1);
  assert_int_equal(c.verdict, NETCL_VERDICT_UNCLEAR);
  /* What is the same to half a percent is not to half a per mille. */
  assert_int_equal(compare(little, N, base, N, 0, 1).verdict, NETCL_VERDICT_SAME);
  assert_int_equal(compare(little, N, base, N, 0.0005, 1).verdict, NETCL_VERDICT_SLOWER);
  /* Too few to tell, however clear they look. */
  assert_int_equal(compare(slow, 4, base, N, 0, 1).verdict, NETCL_VERDICT_UNCLEAR);
  assert_int_equal(compare(slow, N, base, 4, 0, 1).verdict, NETCL_VERDICT_UNCLEAR);
  assert_int_equal(compare(slow, 5, base, 5, 0, 1).verdict, NETCL_VERDICT_SLOWER);
}

static void seeds(void** state) {
  (void)state;
  double a[60], b[60];
  for (int i = 0; i < 60; i++) {
    a[i] = random_real(90, 110);
    b[i] = random_real(90, 112);
  }
  const netcl_comparison one = compare(a, 60, b, 60, 0, 5), again = compare(a, 60, b, 60, 0, 5);
  assert_memory_equal(&one, &again, sizeof one);
  int differs = 0;
  for (uint64_t seed = 6; seed < 12; seed++) {
    const netcl_comparison other = compare(a, 60, b, 60, 0, seed);
    assert_true(other.ratio == one.ratio);
    differs += other.interval_low != one.interval_low || other.interval_high != one.interval_high;
  }
  CHECK(differs > 0, "six seeds gave the same resamples");
}

static int below(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* The median of a resample, by its definition. */
static double drawn_median(const double* samples, int n) {
  double drawn[300];
  for (int i = 0; i < n; i++) drawn[i] = samples[random_in(0, n - 1)];
  qsort(drawn, (size_t)n, sizeof *drawn, below);
  return n % 2 ? drawn[n / 2] : (drawn[n / 2 - 1] + drawn[n / 2]) / 2;
}

/* The ends of the interval are quantiles of the ratio of two resampled medians. Of 2000 resamples
 * a quantile is off by a deviation of 0.011 at most, and it moves by a step at a time. */
static void bootstrap(void** state) {
  (void)state;
  enum { DRAWN = 20000 };
  static const int kCounts[] = {5, 6, 11, 24, 255, 256};
  static double ratios[DRAWN];
  for (size_t k = 0; k < COUNT_OF(kCounts); k += only_sanitized() ? 3 : 1) {
    const int n = kCounts[k], m = kCounts[COUNT_OF(kCounts) - 1 - k];
    double a[256], b[256];
    for (int i = 0; i < n; i++) a[i] = random_real(90, 130);
    for (int i = 0; i < m; i++) b[i] = random_real(90, 130);
    for (int i = 0; i < DRAWN; i++) ratios[i] = drawn_median(a, n) / drawn_median(b, m);
    qsort(ratios, DRAWN, sizeof *ratios, below);
    for (double confidence = 0.2; confidence < 0.95; confidence += 0.2) {
      netcl_comparison c = NETCL_COMPARISON_INIT;
      const double low = (1 - confidence) / 2, high = (1 + confidence) / 2, off = 0.05;
      OK(netcl_statistics_compare(a, (uint64_t)n, b, (uint64_t)m, confidence, 0, random_bits(),
                                  &c));
      CHECK(c.interval_low >= ratios[(int)(DRAWN * fmax(low - off, 0))] - 1e-9 &&
                c.interval_low <= ratios[(int)(DRAWN * (low + off))] + 1e-9,
            "%d and %d samples: the low end for %g is %g", n, m, confidence, c.interval_low);
      CHECK(c.interval_high >= ratios[(int)(DRAWN * (high - off))] - 1e-9 &&
                c.interval_high <= ratios[(int)fmin(DRAWN * (high + off), DRAWN - 1)] + 1e-9,
            "%d and %d samples: the high end for %g is %g", n, m, confidence, c.interval_high);
    }
  }
}

/* Two sets of one distribution: the interval of the ratio holds 1 about as often as it says. */
static void false_alarms(void** state) {
  (void)state;
  if (only_sanitized()) SKIP("other builds have the same numbers");
  uint64_t x = 123456789;
  int alarms = 0;
  enum { TRIALS = 200 };
  for (int trial = 0; trial < TRIALS; trial++) {
    double a[40], b[40];
    for (int i = 0; i < 40; i++) {
      a[i] = 100 - 10 * log(1.0 - fixed_uniform(&x));
      b[i] = 100 - 10 * log(1.0 - fixed_uniform(&x));
    }
    const netcl_comparison c = compare(a, 40, b, 40, 0, (uint64_t)trial);
    alarms += c.interval_low > 1 || c.interval_high < 1;
  }
  CHECK(alarms < TRIALS / 10, "%d of %d comparisons of equals are far off", alarms, TRIALS);
}

static void zero_times(void** state) {
  (void)state;
  const double zeros[6] = {0}, ones[6] = {1, 1, 1, 1, 1, 1};
  netcl_comparison c = compare(zeros, 6, zeros, 6, 0, 0);
  assert_true(c.ratio == 1.0);
  assert_int_equal(c.verdict, NETCL_VERDICT_SAME);
  c = compare(zeros, 6, ones, 6, 0, 0);
  assert_true(c.ratio == 0.0);
  assert_int_equal(c.verdict, NETCL_VERDICT_FASTER);
  c = compare(ones, 6, zeros, 6, 0, 0);
  assert_true(isinf(c.ratio));
  assert_int_equal(c.verdict, NETCL_VERDICT_SLOWER);
}

static void errors(void** state) {
  (void)state;
  netcl_statistics s = NETCL_STATISTICS_INIT;
  netcl_comparison c = NETCL_COMPARISON_INIT;
  const double good[3] = {1, 2, 3};
  double bad[3] = {1, 2, 3};
  static const double kWrong[] = {-1, -1e-300, NAN, INFINITY, -INFINITY};
  for (size_t i = 0; i < COUNT_OF(kWrong); i++) {
    bad[2] = kWrong[i];
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "samples[2]", netcl_statistics_compute(bad, 3, 0, &s));
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "first[2]",
               netcl_statistics_compare(bad, 3, good, 3, 0, 0, 0, &c));
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "second[2]",
               netcl_statistics_compare(good, 3, bad, 3, 0, 0, 0, &c));
  }
  static const double kShares[] = {-0.5, 1.0, 2.0, NAN, INFINITY};
  for (size_t i = 0; i < COUNT_OF(kShares); i++) {
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "confidence",
               netcl_statistics_compute(good, 3, kShares[i], &s));
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "confidence",
               netcl_statistics_compare(good, 3, good, 3, kShares[i], 0, 0, &c));
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "precision",
               netcl_statistics_compare(good, 3, good, 3, 0, kShares[i], 0, &c));
  }
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "samples_count",
             netcl_statistics_compute(good, 0, 0, &s));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "samples", netcl_statistics_compute(NULL, 3, 0, &s));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "samples_count",
             netcl_statistics_compute(good, UINT64_MAX, 0, &s));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_statistics_compute(good, 3, 0, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "first",
             netcl_statistics_compare(NULL, 3, good, 3, 0, 0, 0, &c));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "second_count",
             netcl_statistics_compare(good, 3, good, 0, 0, 0, 0, &c));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_statistics_compare(good, 3, good, 3, 0, 0, 0, NULL));
}

static const double kSamples[6] = {3, 1, 2, 4, 2, 6};
static netcl_status compute_call(void* context, void* info) {
  (void)context;
  return netcl_statistics_compute(kSamples, 6, 0, info);
}
static netcl_status compare_call(void* context, void* info) {
  (void)context;
  return netcl_statistics_compare(kSamples, 6, kSamples, 5, 0, 0, 1, info);
}

static void structs(void** state) {
  (void)state;
  check_info_rules("netcl_statistics", compute_call, NULL, sizeof(netcl_statistics), 0, 0);
  check_info_rules("netcl_comparison", compare_call, NULL, sizeof(netcl_comparison), 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(by_hand), cmocka_unit_test(interval_ranks),
      cmocka_unit_test(true_confidence), cmocka_unit_test(properties),
      cmocka_unit_test(coverage), cmocka_unit_test(verdicts),
      cmocka_unit_test(seeds), cmocka_unit_test(bootstrap),
      cmocka_unit_test(false_alarms),
      cmocka_unit_test(zero_times), cmocka_unit_test(errors),
      cmocka_unit_test(structs),
  };
  seed_random("statistics");
  return cmocka_run_group_tests_name("statistics", tests, NULL, NULL);
}
