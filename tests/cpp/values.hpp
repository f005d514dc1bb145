/* Tests of netcl.hpp in every mode: numbers, kernels, and functions of the program. */
#ifndef NETCL_TESTS_CPP_VALUES_HPP
#define NETCL_TESTS_CPP_VALUES_HPP

#include "helpers.hpp"

namespace {

/* ---- Values ---- */

template <class T>
void keeps(void** state, T value) {
  const tensor x = MUST(tensor::create_full(device_of(state), netcl::dtype_of<T>, {3}, value));
  same(host<T>(x), {value, value, value});
}

void scalars(void** state) {
  const netcl::device_ref device = device_of(state);
  keeps<int8_t>(state, -128);
  keeps<uint8_t>(state, 255);
  keeps<int16_t>(state, -32768);
  keeps<uint16_t>(state, 65535);
  keeps<int32_t>(state, INT32_MIN);
  keeps<uint32_t>(state, UINT32_MAX);
  keeps<int64_t>(state, INT64_MIN);
  keeps<uint64_t>(state, UINT64_MAX);
  keeps<float>(state, 0.1f);
  same(host<float>(MUST(tensor::create_full(device, dtype::f32, {1}, 3))), {3});
  same(host<int64_t>(MUST(tensor::create_full(device, dtype::i64, {1}, -9223372036854775808.0))),
       {INT64_MIN});
  same(host<uint8_t>(MUST(tensor::create_full(device, dtype::bool_, {1}, true))), {1});
  /* A long double is converted, and whole numbers in it are not rounded to a double first. */
  same(host<float>(MUST(tensor::create_full(device, dtype::f32, {1}, 1.5L))), {1.5f});
  same(host<int32_t>(MUST(tensor::create_full(device, dtype::i32, {1}, -7.0L))), {-7});
  const long double odd = std::ldexp(1.0L, 60) + 1;
  if (static_cast<double>(odd) != odd) {
    same(host<int64_t>(MUST(tensor::create_full(device, dtype::i64, {1}, -odd))),
         {-(int64_t{1} << 60) - 1});
    same(host<uint64_t>(MUST(tensor::create_full(device, dtype::u64, {1}, 8 * odd - 1))),
         {(uint64_t{1} << 63) + 7});
  }
  const struct {
    dtype of;
    netcl::scalar value;
    const char* text;
  } refused[] = {{dtype::u8, 256, "value is 256, which u8 has not"},
                 {dtype::u8, -1, "value is -1, which u8 has not"},
                 {dtype::i8, 128u, "value is 128"},
                 {dtype::i32, 1.5, "value is 1.5, which i32 has not"},
                 {dtype::u64, -1, "value is -1"},
                 {dtype::i64, UINT64_MAX, "which i64 has not"},
                 {dtype::i64, 9223372036854775808.0, "which i64 has not"},
                 {dtype::u64, 18446744073709551616.0, "which u64 has not"},
                 {dtype::i32, std::numeric_limits<double>::quiet_NaN(), "which i32 has not"}};
  for (const auto& row : refused) {
    fails(netcl::status::invalid_argument, row.text,
          [&] { return tensor::create_full(device, row.of, {1}, row.value); });
  }
  const tensor x = MUST(tensor::create_zeros(device, dtype::i16, {2}));
  MUST(netcl::op::fill(x, 7));
  same(host<int16_t>(x), {7, 7});
  const int16_t element = -7;
  MUST(netcl::op::fill(x, netcl::scalar::at(&element)));
  same(host<int16_t>(x), {-7, -7});
  fails(netcl::status::invalid_argument, "value is 40000",
        [&] { return netcl::op::fill(x, 40000); });

  /* A number in options becomes one of the dtype of the call's tensor, each time. */
  const auto filled = netcl::pad_options().value(2);
  same(host<int16_t>(MUST(netcl::op::pad(x, {1, 0}, filled))), {2, -7, -7});
  const tensor y = MUST(tensor::create_full(device, dtype::f64, {1}, 0.5));
  same(host<double>(MUST(netcl::op::pad(y, {0, 1}, filled))), {0.5, 2});
  same(host<double>(MUST(netcl::op::pad(y, {0, 1}, netcl::run_options()))), {0.5, 0});
  netcl_pad_options raw = NETCL_PAD_OPTIONS_INIT;
  raw.value = &element;
  const tensor z = MUST(tensor::create_zeros(device, dtype::i16, {3}));
  MUST(netcl::op::pad_into(z, x, {1, 0}, netcl::pad_options(raw)));
  same(host<int16_t>(z), {-7, -7, -7});
  MUST(netcl::op::pad_into(z, x, {0, 1}, filled));
  same(host<int16_t>(z), {-7, -7, 2});
  fails(netcl::status::invalid_argument, "options->value is 0.5, which i16 has not", [&] {
    return netcl::op::pad(x, {1, 0}, netcl::pad_options().value(0.5));
  });
  fails(netcl::status::invalid_handle, "x is NULL", [&] {
    return netcl::op::pad({}, {1, 0}, filled);
  });
}

/* What becomes of a double in f16 and bf16 is what a cast by the library makes of it. */
void halves(void** state) {
  vector<float> given = {0,          -0.0f,          1,
                         65504,      65519.99f,      65520,
                         1e30f,      -3e38f,         6e-8f,
                         2.98e-8f,   2.9e-8f,        1e-45f,
                         6.1e-5f,    6.0975e-5f,     3.3953139e38f,
                         INFINITY,   1.00048828125f, 1.00146484375f,
                         1.0039062f, 1.01171875f,    9e-41f};
  for (int i = 0; i < 40; i++)
    given.push_back(std::ldexp(static_cast<float>(rand() % 20000 - 10000) / 3, rand() % 60 - 40));
  const tensor x = floats(state, given);
  for (dtype of : {dtype::f16, dtype::bf16}) {
    vector<uint16_t> wanted(given.size()), got(1);
    MUST(MUST(netcl::op::cast(x, of)).read(wanted));
    for (size_t i = 0; i < given.size(); i++) {
      MUST(MUST(tensor::create_full(device_of(state), of, {1}, given[i])).read(got));
      if (got[0] != wanted[i]) {
        fail_msg("%s of %.9g is %04x and not %04x", netcl::name(of), static_cast<double>(given[i]),
                 got[0], wanted[i]);
      }
    }
  }
}

/* ---- Kernels ---- */

struct Pair {
  float first, second;
};

void kernels(void** state) {
  const netcl::device_ref device = device_of(state);
  const netcl::kernel_options options = netcl::kernel_options().source(
      "typedef struct { float first, second; } Pair;"
      "__kernel void axpy(__global const float *x, __global float *y, float a, int n, Pair pair,"
      "                   __local float *room) {"
      "  size_t i = get_global_id(0);"
      "  room[get_local_id(0)] = x[i];"
      "  if (i < n) y[i] = a * room[get_local_id(0)] + y[i] + pair.first - pair.second;"
      "}");
  if (!static_cast<Fixture*>(*state)->opencl) {
    fails(netcl::status::unsupported, "",
          [&] { return netcl::kernel::create(device, "axpy", options); });
    return;
  }
  const netcl::kernel kernel = MUST(netcl::kernel::create(device, "axpy", options));
  const tensor x = floats(state, {1, 2, 3, 4}), y = floats(state, {10, 10, 10, 10});
  const Pair pair = {5, 3};
  MUST(kernel.launch({4}, {2}, {x, y, 3.0f, 3, netcl::arg::value(pair), netcl::arg::local(8)}));
  same(host<float>(y), {15, 18, 21, 10});
  netcl::event event;
  MUST(kernel.launch(
      {4}, {},
      {netcl::arg::read_only(x), y, 1.0f, 4, netcl::arg::data(pair), netcl::arg::local(4 * 64)},
      nullptr, netcl::run_options().event(event)));
  MUST(event.wait());
  same(host<float>(y), {18, 22, 26, 16});
  /* Numbers have the type that they have in C++, and drivers tell that of the parameter. */
  fails(netcl::status::invalid_argument, "is of f64, as 1.0 is, and 1.0f is of f32", [&] {
    return kernel.launch({4}, {2}, {x, y, 3.0, 3, netcl::arg::value(pair), netcl::arg::local(8)});
  });
  fails(netcl::status::build_failure, "", [&] {
    const netcl::kernel broken = MUST(netcl::kernel::create(
        device, "broken", netcl::kernel_options().source("__kernel void broken(")));
    return broken.build();
  });
}

/* ---- Functions of the program ---- */

void work(void** state) {
  const tensor x = floats(state, {1, 2});
  const netcl::queue queue = MUST(device_of(state).queue());
  int calls = 0;
  const netcl::statistics statistics = MUST(queue.time(
      [&](netcl::queue_ref on) {
        calls++;
        return netcl::op::fill(x, calls, netcl::run_options().queue(on));
      },
      netcl::measurement_options().count(3).warmup_count(1)));
  assert_true(calls >= 4 && statistics.count() == 3 && statistics.median() >= 0);
}

void graphs(void** state) {
  auto counted = std::make_shared<int>(0);
  {
    const netcl::graph graph = MUST(netcl::graph::create_from_function(
        device_of(state),
        [counted](const netcl::graph_call& call) {
          ++*counted;
          return netcl::op::elementwise(netcl::elementwise::mul,
                                        {call.inputs()[0], call.inputs()[1]}, nullptr, call.run());
        },
        1));
    assert_int_equal(counted.use_count(), 2);
    const tensor a = floats(state, {2, 3}), b = floats(state, {5, 7});
    for (int i = 0; i < 2; i++) {
      const vector<tensor> made = MUST(graph.evaluate({a, b}));
      assert_int_equal(made.size(), 1);
      same(host<float>(made[0]), {10, 21});
    }
    assert_int_equal(*counted, 1);
    const netcl::graph greedy = MUST(netcl::graph::create_from_function(
        device_of(state),
        [](const netcl::graph_call& call) {
          vector<tensor> two(2);
          for (tensor& made : two) made = MUST(call.inputs()[0].share());
          return two;
        },
        1));
    fails(netcl::status::invalid_argument, "the function gives too many tensors",
          [&] { return greedy.evaluate({a}); });
  }
  assert_int_equal(counted.use_count(), 1);
  /* Where the call fails the function is freed too. */
  fails(netcl::status::invalid_handle, "device", [&] {
    return netcl::graph::create_from_function(
        netcl::device_ref(), [counted](const netcl::graph_call&) { return vector<tensor>(); }, 1);
  });
  assert_int_equal(counted.use_count(), 1);
}

void primitives(void** state) {
  MUST(netcl::primitive_register_function(
      "test.cpp.double",
      [](const netcl::primitive_call& call) {
        vector<tensor> made;
        made.push_back(MUST(netcl::op::elementwise(netcl::elementwise::add,
                                                   {call.grad() ? call.grad() : call.inputs()[0],
                                                    call.grad() ? call.grad() : call.inputs()[0]},
                                                   nullptr, call.run())));
        return made;
      },
      netcl::primitive_options().arity(1).gives_gradients(true)));
  const tensor x = floats(state, {1, 2});
  same(host<float>(MUST(netcl::op::primitive("test.cpp.double", {x}))), {2, 4});
  MUST(netcl::primitive_unregister("test.cpp.double"));
  fails(netcl::status::not_found, "test.cpp.double",
        [&] { return netcl::op::primitive("test.cpp.double", {x}); });
}

void logs(void** state) {
  auto seen = std::make_shared<std::deque<std::string>>();
  MUST(netcl::log_set_callback(
      [seen](const netcl::log_record& record) { seen->push_back(std::string(record.message())); }));
  netcl_tensor_release(released<tensor_ref>().raw()); /* a bad handle is logged */
  (void)netcl::version_string();
  (void)MUST(device_of(state).info());
  MUST(netcl::log_set_callback(nullptr));
  assert_int_equal(seen.use_count(), 1);
  bool found = false;
  for (const std::string& text : *seen) found |= text.find("tensor") != std::string::npos;
  assert_true(found);
}

/* A search by asking and telling, as a program of C++ writes it. */
void search(void** state) {
  const netcl::space space = MUST(netcl::space::create());
  MUST(space.add_ints("size", {1, 2, 4, 8}));
  const netcl::search search = MUST(
      netcl::search::create(space, MUST(device_of(state).capabilities()), {},
                            netcl::search_options().strategy(netcl::search_strategy::exhaustive)));
  for (;;) {
    auto [candidate, samples, config] = MUST(search.ask());
    if (!config) break;
    const int64_t size = MUST(config.get_int("size"));
    const vector<double> times(samples, 100.0 + static_cast<double>(std::llabs(size - 4)));
    MUST(search.tell(candidate, times));
  }
  const netcl::search_result result = MUST(search.result());
  assert_true(result.evaluations() == 4 && result.elapsed().count() > 0);
  assert_int_equal(MUST(MUST(search.best()).get_int("size")), 4);
  assert_int_equal(MUST(search.samples(result.best())).size() > 0, 1);
}

}  // namespace

#endif
