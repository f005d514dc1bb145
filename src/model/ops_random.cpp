// Random numbers, which are others in each run: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)
// over a state that lies on the device, and that each run moves on by what it took.
#include <sys/random.h>

#include <bit>
#include <chrono>

#include "core/number.hpp"
#include "model/op_table.hpp"
#include "model/sampling.hpp"
#include "ops/reduce/reduce.hpp"
#include "ops/reduce/scan.hpp"
#include "ops/rows/softmax.hpp"

namespace netcl::model {

namespace {

constexpr uint64_t kGolden = 0x9E3779B97F4A7C15;

std::string hexadecimal(uint64_t number) {
  return format("0x%llX", static_cast<unsigned long long>(number));
}

// The seed of a node, an integer of Dropout and a float of all others, or one that nobody knows
// before.
uint64_t seed_of(const Call& call) {
  if (call.find("seed") != nullptr) {
    return call.op() == "Dropout" ? static_cast<uint64_t>(call.integer("seed", 0))
                                  : std::bit_cast<uint64_t>(call.real("seed", 0));
  }
  uint64_t seed = 0;
  if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) == sizeof seed) return seed;
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

// The numbers of one node: `draws` 64-bit words for each element of a shape.
class Words {
 public:
  Words(const Call& call, const std::vector<int64_t>& shape, uint64_t draws) : call_(call) {
    if (shape.size() > kRankMax) {
      fail(NETCL_ERROR_UNSUPPORTED, "the result has %zu dimensions", shape.size());
    }
    const uint64_t seed = seed_of(call);
    const std::string_view bytes(reinterpret_cast<const char*>(&seed), sizeof seed);
    const TensorRef state = upload(call.device(), NETCL_U64, {}, bytes);
    const Layout packed =
        make_layout(static_cast<uint32_t>(shape.size()), shape.data(), nullptr, 8);
    std::vector<TensorRef> inputs = {state};
    std::string text = "v0";
    for (uint32_t d = 0; d < packed.rank; ++d) {
      std::vector<double> places = counting(shape[d]);
      for (double& place : places) place *= static_cast<double>(packed.strides[d]);
      const std::string name = "v" + number_text(static_cast<int64_t>(inputs.size()));
      text += " + " + name + " * " + hexadecimal(draws * kGolden);
      inputs.push_back(numbers_along(call, packed.rank, d, NETCL_U64, std::move(places)));
    }
    first_ = graph::recorded_formula(call.caller(), text.c_str(), inputs, NETCL_U64);
    const uint64_t taken = static_cast<uint64_t>(packed.element_count()) * draws * kGolden;
    graph::recorded_formula(call.caller(), ("v0 + " + hexadecimal(taken)).c_str(), {state},
                            NETCL_U64, state);
  }

  // Uniform numbers: at least 0 and below 1, or above 0 and at most 1.
  TensorRef uniform(netcl_dtype wide, uint64_t draw, bool above_zero = false) const {
    const std::string one = "(v0 + " + hexadecimal((draw + 1) * kGolden) + ")";
    const std::string two = "((" + one + " ^ (" + one + " >> 30)) * 0xBF58476D1CE4E5B9)";
    const std::string three = "((" + two + " ^ (" + two + " >> 27)) * 0x94D049BB133111EB)";
    const int bits = wide == NETCL_F64 ? 53 : 24;
    const std::string word =
        "((" + three + " ^ (" + three + " >> 31)) >> " + number_text(int64_t{64} - bits) + ")";
    const TensorRef number = call_.formula(word, {first_}, NETCL_U64);
    const std::string unit = graph::literal(bits == 53 ? 0x1p-53 : 0x1p-24);
    return call_.formula((wide == NETCL_F64 ? "f64(v0)" : "f32(v0)") +
                             std::string(above_zero ? " * " + unit + " + " + unit : " * " + unit),
                         {number}, wide);
  }

 private:
  const Call& call_;
  TensorRef first_;  // the state before the words of each element
};

netcl_dtype wide_float(netcl_dtype dtype) { return dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32; }

// The attribute dtype, or what stands for it.
netcl_dtype dtype_asked(const Call& call, netcl_dtype fallback) {
  const int64_t type = call.integer("dtype", 0);
  return type == 0 ? fallback : dtype_of(static_cast<int32_t>(type));
}

std::string refuse_random_type(const NodeFacts& node) {
  const int64_t type = node.integer("dtype", 1);
  const int32_t known = static_cast<int32_t>(type);
  return known == type && dtype_of(known) != 0 ? "" : "a result of " + type_name(known);
}

void build_random(Call& call) {
  const bool like = call.op().ends_with("Like");
  const netcl_dtype dtype = dtype_asked(call, like ? call.tensor(0)->dtype() : NETCL_F32);
  const std::vector<int64_t> shape = like ? shape_of(*call.tensor(0)) : call.integers("shape");
  if (!is_float(dtype)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "random numbers are floats; dtype is %s",
         dtype_facts(dtype).name);
  }
  const netcl_dtype wide = wide_float(dtype);
  TensorRef made;
  if (call.op().starts_with("RandomUniform")) {
    const double low = call.real("low", 0), high = call.real("high", 1);
    made = call.formula("v0 * " + graph::literal(high - low) + " + " + graph::literal(low),
                        {Words(call, shape, 1).uniform(wide, 0)}, dtype);
  } else {
    // Box and Muller.
    const Words words(call, shape, 2);
    made = call.formula("sqrt(-2.0 * log(v0)) * cos(v1 * " + graph::literal(6.283185307179586) +
                            ") * " + graph::literal(call.real("scale", 1)) + " + " +
                            graph::literal(call.real("mean", 0)),
                        {words.uniform(wide, 0, true), words.uniform(wide, 1)}, dtype);
  }
  call.give(made);
}

void build_bernoulli(Call& call) {
  const TensorRef x = call.tensor(0);
  const TensorRef number = Words(call, shape_of(*x), 1).uniform(wide_float(x->dtype()), 0);
  call.give(call.formula("v0 < v1", {number, x}, dtype_asked(call, x->dtype())));
}

// The first class whose sum of chances exceeds a number below the sum of all.
void build_multinomial(Call& call) {
  const TensorRef x = call.tensor(0);
  const Layout& from = x->layout();
  const int64_t count = call.integer("sample_size", 1);
  if (from.rank != 2 || x->empty() || count < 1 || count > kHostElementsMost ||
      !is_float(x->dtype())) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "an input of %s of shape %s, and a sample_size of %lld",
         dtype_facts(x->dtype()).name, shape_text(from).c_str(), static_cast<long long>(count));
  }
  const netcl_dtype wide = wide_float(x->dtype());
  const TensorRef chances =
      call.made<ops::softmax>("softmax", *call.cast(x, wide), int32_t{1}, false);
  const TensorRef sums = call.made<ops::scan>(
      "scan", *chances, netcl_reduction{NETCL_REDUCTION_SUM}, int32_t{1}, false, false);
  const int64_t classes = from.shape[1], plane[3] = {from.shape[0], 1, classes};
  const TensorRef ends = call.reshaped(sums, plane);
  const TensorRef number = Words(call, {from.shape[0], count, 1}, 1).uniform(wide, 0);
  const TensorRef passed = call.formula(
      "v0 * v1 >= v2", {number, graph::part_of(*ends, 2, classes - 1, 1), ends}, NETCL_I32);
  const std::array<int32_t, 1> over = {2};
  ops::ReduceRequest request;
  request.kind = NETCL_REDUCTION_SUM;
  request.axes = over;
  request.dtype = NETCL_I32;
  const TensorRef made = call.made<ops::reduce>("reduce", *passed, request);
  // Where the product is rounded up to the sum itself, the last class is meant.
  call.give(call.formula("min(v0, " + number_text(classes - 1) + ")", {made},
                         dtype_asked(call, NETCL_I32)));
}

std::string refuse_multinomial(const NodeFacts& node) {
  const int64_t type = node.integer("dtype", 6);
  return type == 6 || type == 7 ? "" : "a result of " + type_name(static_cast<int32_t>(type));
}

// In training, elements go with a chance of `ratio`, and the others grow by as much.
void build_dropout(Call& call) {
  const TensorRef x = call.tensor(0);
  const Layout& layout = x->layout();
  const bool trains = call.opset() >= 12 && call.has(2) && call.number(2, 0) != 0;
  const double ratio = call.has(1) ? call.host(1).real(0) : call.real("ratio", 0.5);
  if (!trains || ratio == 0) {
    call.give(x);
    if (!call.wants(1)) return;
    const netcl_dtype dtype = call.opset() < 10 ? x->dtype() : NETCL_BOOL;
    const TensorRef one = call.constant(dtype, {}, {1});
    return call.give(1, broadcast(*one, layout.rank, layout.shape.data()));
  }
  if (!(ratio > 0 && ratio < 1)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "ratio is %g; it is at least 0 and below 1", ratio);
  }
  const TensorRef number = Words(call, shape_of(*x), 1).uniform(wide_float(x->dtype()), 0);
  const TensorRef mask = call.formula("v0 >= " + graph::literal(ratio), {number}, NETCL_BOOL);
  call.give(call.formula("v1 ? v0 * " + graph::literal(1 / (1 - ratio)) + " : 0.0", {x, mask},
                         x->dtype()));
  call.give(1, mask);
}

constexpr OpRow kRandomRows[] = {
    {"Bernoulli", "dtype seed", build_bernoulli, "", refuse_random_type, 15},
    {"Dropout", "ratio seed", build_dropout, "12"},
    {"Multinomial", "dtype sample_size seed", build_multinomial, "", refuse_multinomial},
    {"RandomNormal", "dtype mean scale seed shape", build_random, "", refuse_random_type},
    {"RandomNormalLike", "dtype mean scale seed", build_random, "", refuse_random_type},
    {"RandomUniform", "dtype high low seed shape", build_random, "", refuse_random_type},
    {"RandomUniformLike", "dtype high low seed", build_random, "", refuse_random_type},
};

}  // namespace

std::span<const OpRow> random_rows() { return kRandomRows; }

}  // namespace netcl::model
