// What the options of a random tensor mean for its dtype.
#include <cfloat>
#include <cmath>
#include <cstring>

#include "core/dtype.hpp"
#include "core/error.hpp"
#include "ops/random/random_core.hpp"

namespace netcl {

namespace {

// The limits of a floating dtype. Below `tiny`, devices may flush; spans and deviations of at least
// the smallest ones given here keep every intermediate product above it.
struct FloatFacts {
  double largest;
  double tiny;
  double span_min;
  double deviation_min;
};

}  // namespace

// Box and Muller stay below 10 deviations: the smallest uniform number is 2^-32, in f64 2^-64.
static constexpr double kReach = 10.0;

static FloatFacts float_facts(netcl_dtype dtype) {
  if (dtype == NETCL_F64) return {DBL_MAX, DBL_MIN, 0x1p-900, 0x1p-800};
  FloatFacts facts = {FLT_MAX, FLT_MIN, 0x1p-100, 0x1p-60};
  if (dtype == NETCL_F16) facts.largest = 65504.0;
  if (dtype == NETCL_BF16) facts.largest = 0x1.fep127;
  return facts;
}

static double rounded(netcl_dtype dtype, double value) {
  if (dtype == NETCL_F16) return f32_from_f16(f16_from_f64(value));
  if (dtype == NETCL_BF16) return f32_from_bf16(bf16_from_f64(value));
  return dtype == NETCL_F32 ? static_cast<double>(static_cast<float>(value)) : value;
}

// The next larger value of a dtype.
static double next_up(netcl_dtype dtype, double value) {
  if (dtype == NETCL_F64) return std::nextafter(value, HUGE_VAL);
  if (dtype == NETCL_F32) return std::nextafter(static_cast<float>(value), HUGE_VALF);
  uint16_t bits = dtype == NETCL_F16 ? f16_from_f64(value) : bf16_from_f64(value);
  if ((bits & 0x7fff) == 0) {
    bits = 1;
  } else {
    bits = static_cast<uint16_t>((bits & 0x8000) != 0 ? bits - 1 : bits + 1);
  }
  return dtype == NETCL_F16 ? f32_from_f16(bits) : f32_from_bf16(bits);
}

// The smallest value of a dtype that is at least `value`, never denormal.
static double at_least(netcl_dtype dtype, double value) {
  double result = rounded(dtype, value);
  if (result < value) result = next_up(dtype, result);
  const double tiny = float_facts(dtype).tiny;
  if (result != 0 && std::fabs(result) < tiny) result = result < 0 ? 0.0 : tiny;
  return result == 0 ? 0.0 : result;  // never -0
}

// The largest value of a dtype below `value`, never denormal.
static double largest_below(netcl_dtype dtype, double value) {
  double result = rounded(dtype, value);
  if (result >= value) result = -next_up(dtype, -result);
  const double tiny = float_facts(dtype).tiny;
  if (result != 0 && std::fabs(result) < tiny) result = result < 0 ? -tiny : 0.0;
  return result;
}

// The bits of a number in the type that the arithmetic of a dtype uses.
static uint64_t bits_for(netcl_dtype dtype, double value) {
  if (dtype == NETCL_F64) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  const float narrow = static_cast<float>(value);
  uint32_t bits;
  std::memcpy(&bits, &narrow, sizeof bits);
  return bits;
}

static void check_finite(const char* name, double value) {
  if (!std::isfinite(value)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "random->%s is %g; it must be finite", name, value);
  }
}

static void plan_uniform_float(RandomPlan* plan, double low, double high) {
  const char* name = dtype_facts(plan->dtype).name;
  const FloatFacts facts = float_facts(plan->dtype);
  if (low == 0 && high == 0) high = 1;
  if (!(low < high)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "random->low is %.17g and random->high is %.17g; low must be "
         "below high",
         low, high);
  }
  if (std::fabs(low) > facts.largest || std::fabs(high) > facts.largest) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "random->low is %g and random->high is %g; the largest %s is "
         "%g",
         low, high, name, facts.largest);
  }
  const double first = at_least(plan->dtype, low);
  const double last = largest_below(plan->dtype, high);
  const double span = high - first;
  if (!(first <= last) || span < facts.span_min) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "random->low is %.17g and random->high is %.17g; that is too "
         "narrow for %s",
         low, high, name);
  }
  if (!(span <= (plan->dtype == NETCL_F64 ? DBL_MAX : FLT_MAX))) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "random->low is %g and random->high is %g; high - low is "
         "beyond the largest %s",
         low, high, name);
  }
  plan->a = bits_for(plan->dtype, first);
  plan->b = bits_for(plan->dtype, span);
  plan->c = bits_for(plan->dtype, last);
}

static void plan_normal(RandomPlan* plan, double mean, double deviation) {
  const char* name = dtype_facts(plan->dtype).name;
  const FloatFacts facts = float_facts(plan->dtype);
  if (deviation == 0) deviation = 1;
  if (deviation < 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "random->deviation is %g; it must not be negative",
         deviation);
  }
  if (deviation < facts.deviation_min) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "random->deviation is %g; the smallest for %s is %g",
         deviation, name, facts.deviation_min);
  }
  if (!(std::fabs(mean) + kReach * deviation <= facts.largest)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "random->mean is %g and random->deviation is %g; numbers %g "
         "deviations away would be beyond the largest %s, %g",
         mean, deviation, kReach, name, facts.largest);
  }
  if (std::fabs(mean) < facts.tiny) mean = 0;
  plan->a = bits_for(plan->dtype, mean);
  plan->b = bits_for(plan->dtype, deviation);
}

static void plan_integer(RandomPlan* plan, double low, double high) {
  const DtypeFacts& facts = dtype_facts(plan->dtype);
  const int bits = 8 * facts.size;
  const bool is_signed = facts.kind == DtypeClass::signed_integer;
  const double lowest = is_signed ? -std::ldexp(1.0, bits - 1) : 0.0;
  const double end = std::ldexp(1.0, is_signed ? bits - 1 : bits);
  if (low == 0 && high == 0) {
    low = lowest;
    high = end;
  }
  if (low != std::floor(low) || high != std::floor(high)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "random->low is %.17g and random->high is %.17g; for %s they "
         "must be whole numbers",
         low, high, facts.name);
  }
  if (!(low < high) || low < lowest || high > end) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "random->low is %.17g and random->high is %.17g; for %s low "
         "must be below high and both in %.17g to %.17g",
         low, high, facts.name, lowest, end);
  }
  // Exact: both are whole and below 2^64 in size; 2^64 values wrap to 0, which stands for them.
  __extension__ typedef __int128 Wide;
  plan->a = static_cast<uint64_t>(static_cast<Wide>(low));
  plan->b = static_cast<uint64_t>(static_cast<Wide>(high) - static_cast<Wide>(low));
}

static void check_unused(const char* name, double value, const char* distribution) {
  if (value != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "random->%s is %g; it must be 0 for %s numbers", name, value,
         distribution);
  }
}

RandomPlan make_random_plan(netcl_dtype dtype, const netcl_random_options& options) {
  const DtypeFacts& facts = dtype_facts(dtype);
  RandomPlan plan;
  plan.dtype = dtype;
  plan.seed = options.seed;
  plan.offset = options.offset;
  plan.distribution = options.distribution == 0 ? NETCL_UNIFORM : options.distribution;
  check_finite("low", options.low);
  check_finite("high", options.high);
  check_finite("mean", options.mean);
  check_finite("deviation", options.deviation);
  if (plan.distribution == NETCL_NORMAL) {
    if (facts.kind != DtypeClass::floating) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "random->distribution is NETCL_NORMAL, which needs a "
           "floating dtype; dtype is %s",
           facts.name);
    }
    check_unused("low", options.low, "normal");
    check_unused("high", options.high, "normal");
    plan_normal(&plan, options.mean, options.deviation);
    return plan;
  }
  if (plan.distribution != NETCL_UNIFORM) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "random->distribution is %d; valid are %d and %d",
         static_cast<int>(options.distribution), NETCL_UNIFORM, NETCL_NORMAL);
  }
  check_unused("mean", options.mean, "uniform");
  check_unused("deviation", options.deviation, "uniform");
  if (facts.kind == DtypeClass::floating) {
    plan_uniform_float(&plan, options.low, options.high);
  } else if (facts.kind == DtypeClass::boolean) {
    if (options.low != 0 || (options.high != 0 && options.high != 2)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "random->low is %g and random->high is %g; for bool they "
           "must be 0",
           options.low, options.high);
    }
    plan.b = 2;
  } else {
    plan_integer(&plan, options.low, options.high);
  }
  return plan;
}

uint32_t random_lanes(const RandomPlan& plan) noexcept {
  if (plan.dtype == NETCL_I64 || plan.dtype == NETCL_U64) return 1;
  if (plan.dtype == NETCL_F64 || plan.dtype == NETCL_I32 || plan.dtype == NETCL_U32) return 2;
  return 4;
}

// Integers of one size share a kernel: signed numbers are the same bits.
std::string random_kernel_flags(const RandomPlan& plan) {
  const DtypeFacts& facts = dtype_facts(plan.dtype);
  const char* kind = "INTEGER";
  if (facts.kind == DtypeClass::floating) {
    kind = plan.dtype == NETCL_F16 ? "F16" : plan.dtype == NETCL_BF16 ? "BF16" : "FLOAT";
  }
  return format("-DRANDOM_%s -DRANDOM_BYTES=%d -DRANDOM_NORMAL=%d", kind,
                static_cast<int>(facts.size), plan.distribution == NETCL_NORMAL ? 1 : 0);
}

}  // namespace netcl
