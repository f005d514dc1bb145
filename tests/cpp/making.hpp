/* Tests of netcl.hpp in every mode: tensors that are made of numbers, parts, and what is made of
 * tensors by name. */
#ifndef NETCL_TESTS_CPP_MAKING_HPP
#define NETCL_TESTS_CPP_MAKING_HPP

#include "helpers.hpp"

namespace {

void made_of_numbers(void** state) {
  const netcl::device_ref device = device_of(state);
  const auto bad = netcl::status::invalid_argument;
  same(host<int8_t>(MUST(netcl::ones(device, dtype::i8, {2}))), {1, 1});
  const auto wide_floats = [](const tensor& halves) {
    return host<float>(MUST(netcl::op::cast(halves, dtype::f32)));
  };
  same(wide_floats(MUST(netcl::ones(device, dtype::bf16, {}))), {1});
  same(host<int>(MUST(netcl::arange(device, 0, 4))), {0, 1, 2, 3});
  same(host<int8_t>(MUST(netcl::arange<int8_t>(device, 100, -128, -100))), {100, 0, -100});
  same(host<int64_t>(MUST(netcl::arange(device, INT64_MIN, INT64_MAX, INT64_MAX))),
       {INT64_MIN, -1, INT64_MAX - 1});
  same(host<uint64_t>(MUST(netcl::arange(device, UINT64_MAX - 3, UINT64_MAX, 2))),
       {UINT64_MAX - 3, UINT64_MAX - 1});
  same(host<float>(MUST(netcl::arange(device, 0.0f, 1.0f, 0.25f))), {0, 0.25f, 0.5f, 0.75f});
  same(host<int>(MUST(netcl::arange(device, 3, 3))), {});
  same(host<int>(MUST(netcl::arange(device, 3, 4, -1))), {});
  fails(bad, "make no range", [&] { return netcl::arange(device, 0, 4, 0); });
  fails(bad, "make no range", [&] { return netcl::arange(device, 0.0, 1.0, 1e-30); });
  const vector<float> line = host<float>(MUST(netcl::linspace(device, dtype::f32, 0.1, 0.7, 23)));
  assert_true(line[0] == 0.1f && line[22] == 0.7f);
  for (int i = 0; i < 23; i++) {
    assert_true(std::abs(line[static_cast<size_t>(i)] - 0.1 - 0.6 / 22 * i) < 1e-6);
  }
  same(host<double>(MUST(netcl::linspace(device, dtype::f64, 1, 2, 3))), {1, 1.5, 2});
  same(wide_floats(MUST(netcl::linspace(device, dtype::f16, 0, 1, 2))), {0, 1});
  same(host<float>(MUST(netcl::linspace(device, dtype::f32, 0.25, 2, 1))), {0.25f});
  same(host<double>(MUST(netcl::linspace(device, dtype::f64, -1e308, 1e308, 3))),
       {-1e308, 0, 1e308});
  same(host<float>(MUST(netcl::linspace(device, dtype::f32, -3e38, 3e38, 2))), {-3e38f, 3e38f});
  fails(bad, "none of floats",
        [&] { return netcl::linspace(device, dtype::i32, 0, 1, 2); });
  fails(bad, "shape", [&] { return netcl::linspace(device, dtype::f32, 0, 1, -2); });
  same(host<int>(MUST(netcl::eye(device, dtype::i32, 2))), {1, 0, 0, 1});
  const tensor wide = MUST(tensor::create_zeros(device, dtype::u8, {2, 3}));
  MUST(netcl::op::eye(wide, 1));
  same(host<uint8_t>(wide), {0, 1, 0, 0, 0, 1});
  MUST(netcl::op::range(wide, 250, 2));
  same(host<uint8_t>(wide), {250, 252, 254, 0, 2, 4});
}

void parts(void** state) {
  const auto bad = netcl::status::invalid_argument;
  const int64_t end = netcl::to_end;
  const tensor x = MUST(netcl::arange(device_of(state), 0, 6)), y = MUST(x.reshape({2, 3}));
  const auto part = [&](netcl::along along) {
    return host<int>(MUST(netcl::part(x, {along})));
  };
  same(part({}), {0, 1, 2, 3, 4, 5});
  same(part({-2}), {4, 5});
  same(part({1, -1}), {1, 2, 3, 4});
  same(part({0, end, 4}), {0, 4});
  same(part({0, end, -1}), {5, 4, 3, 2, 1, 0});
  same(part({1, 5, -3}), {4, 1});
  same(part({0, end, INT64_MIN}), {5});
  same(part({2, 2, -1}), {});
  same(host<int>(MUST(netcl::part(y, {{1}, {-1}}))), {5});
  same(host<int>(MUST(netcl::part(y, {{0, end, -1}, {0, end, 2}}))), {3, 5, 0, 2});
  for (const netcl::along wrong :
       {netcl::along{-7}, {0, 7}, {0, 7, -1}, {-7, end, -1}, {3, 2}, {0, end, 0}, {0, 7, 7},
        {4, 8, -4}, {end - 1, INT64_MIN}, {INT64_MIN, end - 1}, {-7, end - 1, 2}}) {
    fails(bad, "ranges[0]", [&] { return netcl::part(x, {wrong}); });
  }
  fails(bad, "more entries", [&] { return netcl::part(x, {{}, {}}); });
}

void made_of_tensors(void** state) {
  const netcl::device_ref device = device_of(state);
  const auto bad = netcl::status::invalid_argument;
  const tensor x = MUST(MUST(netcl::arange(device, 1.0f, 7.0f)).reshape({2, 3}));
  same(host<float>(MUST(netcl::tril(x))), {1, 0, 0, 4, 5, 0});
  same(host<float>(MUST(netcl::triu(x, 1))), {0, 2, 3, 0, 0, 6});
  same(host<float>(MUST(netcl::op::tile(x, {1, 2}))), {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6});
  const tensor places = MUST(netcl::tensor_from(device, {1, -1}));
  same(host<float>(MUST(netcl::one_hot(places, 3, dtype::f32))), {0, 1, 0, 0, 0, 1});
  same(host<int>(MUST(netcl::op::one_hot(places, 2, 0, dtype::i32, 7, 5))), {5, 5, 7, 7});
  const tensor a = floats(state, {1, 2}), b = floats(state, {3, 4});
  same(host<float>(MUST(netcl::stack({a, b}, -1))), {1, 3, 2, 4});
  same(host<float>(MUST(netcl::stack({a, b}, 0))), {1, 2, 3, 4});
  fails(bad, "axis is none", [&] { return netcl::stack({a, b}, 2); });
  fails(bad, "inputs_count is 0", [&] { return netcl::stack({}, 0); });
  const auto near = [](const tensor& got, const vector<float>& wanted) {
    const vector<float> list = host<float>(got);
    assert_int_equal(list.size(), wanted.size());
    for (size_t i = 0; i < list.size(); i++) {
      assert_true(std::abs(list[i] - wanted[i]) < 1e-5f * std::max(1.0f, std::abs(wanted[i])));
    }
  };
  near(MUST(netcl::variance(x, {1})), {2.0f / 3, 2.0f / 3});
  near(MUST(netcl::variance(x, {}, 1)), {3.5f});
  near(MUST(netcl::stddev(x, {0}, 1)), {std::sqrt(4.5f), std::sqrt(4.5f), std::sqrt(4.5f)});
  near(MUST(netcl::variance(MUST(netcl::tensor_from(device, {1, 2, 4})))), {14.0f / 9});
  const float alone = host<float>(MUST(netcl::variance(MUST(netcl::part(a, {{0, 1}})), {}, 1)))[0];
  assert_true(std::isnan(alone));
  const auto of_16_bits = [&](dtype of, float low, float high) {
    return MUST(netcl::op::cast(floats(state, {low, high}), of));
  };
  const auto wide = [](const tensor& of) { return MUST(netcl::op::cast(of, dtype::f32)); };
  near(wide(MUST(netcl::variance(of_16_bits(dtype::bf16, 1000, 1004)))), {4});
  near(wide(MUST(netcl::stddev(of_16_bits(dtype::f16, -300, 300)))), {300});
  near(wide(MUST(netcl::variance(of_16_bits(dtype::f16, 0, 360), {}, 1))), {64800});
  /* What is computed of tensors is recorded. */
  const netcl::graph graph = MUST(netcl::graph::create(device));
  const netcl::recording on(graph);
  const tensor loss = MUST(netcl::op::sum(MUST(netcl::tril(x)), on.run()));
  same(host<float>(MUST(graph.add_gradients({loss}, {x}))[0]), {1, 0, 0, 1, 1, 0});
}

const struct CMUnitTest making_tests[] = {DEVICE_TEST(made_of_numbers), DEVICE_TEST(parts),
                                          DEVICE_TEST(made_of_tensors)};

}  // namespace

#endif
