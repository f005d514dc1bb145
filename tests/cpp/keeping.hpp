/* Tests of netcl.hpp in every mode: what options keep, and what is copied out of what ends. */
#ifndef NETCL_TESTS_CPP_KEEPING_HPP
#define NETCL_TESTS_CPP_KEEPING_HPP

#include "helpers.hpp"

namespace {

/* Each of these is made in a function that has ended when it is used. */
netcl::reduce_options along(int axis) {
  return netcl::reduce_options().axes({axis}).keepdims(true);
}
netcl::matmul_options with_bias(tensor_ref bias) {
  return netcl::matmul_options().epilogue(
      netcl::epilogue().bias(bias).activation(netcl::activation::relu));
}
netcl::kernel_tuning many(const std::string& macro) {
  vector<int64_t> sizes;
  for (int64_t i = 0; i < 100; i++) sizes.push_back(i);
  return netcl::kernel_tuning().tile_sizes(sizes).tile_macro(macro + "_SIZE").unroll_factors(4);
}
/* Writes over what ended: what still points there finds something else. */
__attribute__((noinline)) void scribble() {
  volatile unsigned char room[4096];
  for (size_t i = 0; i < sizeof room; i++) room[i] = 0xa5;
  vector<std::string> heap(50, std::string(40, 'x'));
  assert_int_equal(room[7] + static_cast<int>(heap.size()), 0xa5 + 50);
}

void keeps_lists(void** state) {
  const tensor a = MUST(netcl::tensor_from(device_of(state), vector<float>{1, 2, 3, 4}, {2, 2}));
  const auto rows = along(1);
  scribble();
  const tensor sums = MUST(netcl::op::reduce(a, netcl::reduction::sum, rows));
  same(host<float>(sums), {3, 7});
  assert_true(MUST(sums.shape()) ==
              MUST(MUST(tensor::create_zeros(device_of(state), dtype::f32, {2, 1})).shape()));
  /* Copies are on their own: each points to what it keeps. */
  netcl::reduce_options copy;
  {
    netcl::reduce_options first = along(0);
    copy = first;
    first.axes({1});
    assert_int_equal(first.raw().axes[0], 1);
  }
  scribble();
  same(host<float>(MUST(netcl::op::reduce(a, netcl::reduction::sum, copy))), {4, 6});
  netcl::reduce_options& self = copy;
  copy = self;
  assert_int_equal(copy.raw().axes[0], 0);
  same(host<float>(MUST(netcl::op::sum(a, netcl::reduce_options().axes(1)))), {3, 7});
  same(host<float>(MUST(netcl::op::sum(a, netcl::reduce_options().axes({})))), {10});
  /* A list of C stays that of the caller, also in a copy. */
  const int32_t own[] = {1};
  copy.raw().axes = own;
  const netcl::reduce_options other = copy;
  assert_ptr_equal(other.raw().axes, own);

  const netcl::kernel_tuning longer = many("TILE");
  const netcl::kernel_tuning again = longer;
  scribble();
  for (const auto* each : {&longer, &again}) {
    assert_int_equal(each->raw().tile_sizes_count, 100);
    assert_int_equal(each->raw().tile_sizes[99], 99);
    assert_string_equal(each->raw().tile_macro, "TILE_SIZE");
    assert_int_equal(each->raw().unroll_factors[0], 4);
  }
  netcl::kernel_tuning itself = longer;
  const netcl::kernel_tuning& the_same = itself;
  itself = the_same;
  scribble();
  assert_true(itself.raw().tile_sizes[99] == 99 && itself.raw().unroll_factors[0] == 4);
  assert_string_equal(itself.raw().tile_macro, "TILE_SIZE");
  /* A part of its own list. */
  netcl::kernel_tuning part = longer;
  part.tile_sizes(netcl::view<int64_t>(part.raw().tile_sizes + 90, 10));
  assert_true(part.raw().tile_sizes_count == 10 && part.raw().tile_sizes[9] == 99);
}

void keeps_handles(void** state) {
  const netcl::queue queue = MUST(netcl::queue::create(device_of(state)));
  netcl::event done;
  const tensor x = floats(state, {1, 2});
  const tensor y = MUST(netcl::op::cast(x, dtype::f32, netcl::run_options().event(done)));
  const auto after = [&] {
    const netcl::run_options run = netcl::run_options().queue(queue).waits({done, done});
    return run;
  }();
  scribble();
  assert_true(after.raw().waits_count == 2 && after.raw().waits[1] == done.raw());
  same(host<float>(MUST(netcl::op::sum(y, after))), {3});
  same(host<float>(MUST(netcl::op::cast(y, dtype::f32, after))), {1, 2});
}

void keeps_options(void** state) {
  const tensor a = MUST(netcl::tensor_from(device_of(state), vector<float>{1, 2, 3, 4}, {2, 2}));
  const tensor bias = floats(state, {-100, 1});
  const netcl::matmul_options fused = with_bias(bias);
  const netcl::matmul_options copy(fused);
  scribble();
  same(host<float>(MUST(netcl::op::matmul(a, a, fused))), {0, 11, 0, 23});
  same(host<float>(MUST(netcl::op::matmul(a, a, copy))), {0, 11, 0, 23});
  assert_true(copy.raw().epilogue != fused.raw().epilogue);
  /* One of C is the caller's; NULL takes it back. */
  const netcl::epilogue own = netcl::epilogue().bias(bias);
  netcl::matmul_options pointing;
  pointing.epilogue(&own.raw());
  assert_ptr_equal(pointing.raw().epilogue, &own.raw());
  assert_null(pointing.epilogue(nullptr).raw().epilogue);
  /* Lists of what is nested. */
  const auto adam = [&] {
    return netcl::adam_options().precision(netcl::mixed_precision().masters({a, bias}));
  }();
  scribble();
  assert_int_equal(adam.raw().precision->masters_count, 2);
  assert_ptr_equal(adam.raw().precision->masters[1], bias.raw());
  const auto launch = netcl::kernel_tuning().launch(netcl::launch_options().work(netcl::work()));
  scribble();
  assert_int_equal(launch.raw().launch->struct_size, sizeof(netcl_launch_options));
  assert_non_null(launch.raw().launch->work);
}

void keeps_texts(void** state) {
  const auto made = [](int number) {
    const std::string long_name =
        "__global float *with_a_name_that_has_no_room_" + std::to_string(number);
    vector<std::string> flags = {"-DA=" + std::to_string(number), "-DB=2"};
    return netcl::kernel_options()
        .source(std::string("__kernel void k() {}  // ") + std::string(100, 's'))
        .params({long_name, "int n"})
        .flags({flags[0], flags[1]})
        .il(vector<unsigned char>(64, 7));
  };
  const netcl::kernel_options first = made(1), copy = first;
  scribble();
  for (const auto* each : {&first, &copy}) {
    const netcl_kernel_options& raw = each->raw();
    assert_int_equal(std::string(raw.source, raw.source_size).size(), 125);
    assert_string_equal(raw.params[0], "__global float *with_a_name_that_has_no_room_1");
    assert_true(raw.params_count == 2 && raw.flags_count == 2 && raw.il_size == 64);
    assert_string_equal(raw.flags[0], "-DA=1");
    assert_int_equal(static_cast<const unsigned char*>(raw.il)[63], 7);
  }
  assert_true(copy.raw().params != first.raw().params);
  const auto padded = netcl::pad_options().value(1.5f);
  scribble();
  const tensor x = floats(state, {2});
  same(host<float>(MUST(netcl::op::pad(x, {1, 1}, padded))), {1.5f, 2, 1.5f});
}

/* What a struct that ends has within is given as a copy. */
void outlives(void** state) {
  const tensor x = MUST(tensor::create_zeros(device_of(state), dtype::f32, {2, 3}));
  const auto shape = MUST(x.info()).shape();
  const auto strides = MUST(x.info()).strides();
  const auto name = MUST(device_of(state).info()).name();
  scribble();
  static_assert(std::is_same_v<decltype(shape), const netcl::extents>);
  static_assert(std::is_same_v<decltype(name), const std::string>);
  assert_true(shape.size() == 2 && shape[0] == 2 && shape[1] == 3 && strides[0] == 3);
  assert_string_equal(name.c_str(), static_cast<Fixture*>(*state)->info.name);
  const netcl::tensor_info info = MUST(x.info());
  static_assert(std::is_same_v<decltype(info.shape()), netcl::span<const int64_t>>);
  const vector<int64_t> list = MUST(x.shape());
  same(list, {2, 3});
  assert_true(MUST(x.shape()) == shape && MUST(x.dtype()) == dtype::f32);
  fails(netcl::status::invalid_handle, "NULL", [] { return tensor_ref().shape(); });
  fails(netcl::status::invalid_handle, "NULL", [] { return tensor_ref().dtype(); });
  assert_int_equal(MUST(MUST(tensor::create_zeros(device_of(state), dtype::i8, shape)).shape())[1],
                   3);
}

/* A list of numbers is one of the tensor's dtype. */
void checks_elements(void** state) {
  const tensor x = floats(state, {1, 2, 3, 4});
  vector<double> two = {-1, -2};
  fails(netcl::status::invalid_argument, "data has elements of f64, and the tensor has dtype f32",
        [&] { return x.read(two); });
  same(two, {-1, -2});
  fails(netcl::status::invalid_argument, "data has elements of f64", [&] { return x.write(two); });
  vector<int32_t> whole(4);
  fails(netcl::status::invalid_argument, "elements of i32", [&] { return x.read(whole); });
  fails(netcl::status::invalid_argument, "elements of u8",
        [&] { return x.read(vector<unsigned char>(16)); });
  fails(netcl::status::invalid_argument, "data has elements of i32, and dtype is f32",
        [&] { return tensor::create_from_host(device_of(state), dtype::f32, {4}, whole); });
  fails(netcl::status::invalid_argument, "dtype is 99", [&] {
    return tensor::create_from_host(device_of(state), static_cast<dtype>(99), {4}, whole);
  });
  same(host<float>(x), {1, 2, 3, 4});
  MUST(x.read(netcl::bytes_out(two.data(), 16))); /* bytes of whatever */
  float first = 0;
  std::memcpy(&first, two.data(), sizeof first);
  assert_true(first == 1);
  vector<std::byte> bytes(16);
  MUST(x.read(bytes));
  MUST(x.write(bytes));
  const tensor truths = MUST(netcl::tensor_from(device_of(state), vector<bool>{true, false}));
  assert_true(MUST(truths.dtype()) == dtype::bool_);
  vector<unsigned char> truth(2);
  MUST(truths.read(truth));
  same(truth, {1, 0});
  const vector<bool> read = MUST(netcl::to_vector<bool>(truths));
  assert_true(read.size() == 2 && read[0] && !read[1]);
  fails(netcl::status::invalid_argument, "dtype f32", [&] { return netcl::to_vector<bool>(x); });
  const tensor half = MUST(netcl::op::cast(x, dtype::bf16));
  vector<uint16_t> bits(4);
  MUST(half.read(bits));
  assert_int_equal(bits[0], 0x3f80);
}

const struct CMUnitTest keeping_tests[] = {
    DEVICE_TEST(keeps_lists), DEVICE_TEST(keeps_handles), DEVICE_TEST(keeps_options),
    DEVICE_TEST(keeps_texts), DEVICE_TEST(outlives),      DEVICE_TEST(checks_elements)};

}  // namespace

#endif
