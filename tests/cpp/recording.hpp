/* Tests of netcl.hpp in every mode: operators, what records them, and functions of graphs. */
#ifndef NETCL_TESTS_CPP_RECORDING_HPP
#define NETCL_TESTS_CPP_RECORDING_HPP

#include "helpers.hpp"

namespace {

void operators(void** state) {
  const tensor x = floats(state, {1, 2});
  const tensor_ref r = x;
  same(host<float>(MUST(r * r)), {1, 4});
  same(host<float>(MUST(r + x)), {2, 4});
  same(host<float>(MUST(x - r)), {0, 0});
  same(host<float>(MUST(-r)), {-1, -2});
  same(host<float>(MUST(x * 2.5f)), {2.5f, 5});
  same(host<float>(MUST(2 * r)), {2, 4});
  same(host<float>(MUST(1 / x)), {1, 0.5f});
  same(host<float>(MUST(3.0 - r)), {2, 1});
  const tensor whole = MUST(netcl::tensor_from(device_of(state), {4, 6}));
  same(host<int32_t>(MUST(whole / 2)), {2, 3});
  fails(netcl::status::invalid_argument, "number is 2.5, which i32 has not",
        [&] { return whole * 2.5; });
  fails(netcl::status::invalid_handle, "NULL", [&] { return tensor_ref() * 2; });
  fails(netcl::status::invalid_handle, "NULL", [&] { return 2 * tensor_ref(); });
  /* In place: into the memory of the left one. */
  tensor y = floats(state, {1, 2});
  const tensor seen = MUST(y.reshape({2, 1}));
  MUST(y += x);
  MUST(y *= 3);
  MUST(y -= r);
  MUST(y /= 0.5f);
  same(host<float>(seen), {10, 20});
  fails(netcl::status::invalid_argument, "number is 0.5", [&] { return whole += 0.5; });
  const uint64_t before = live(netcl::handle_type::tensor);
  MUST(y += 1);
  assert_int_equal(live(netcl::handle_type::tensor), before);
}

void reductions(void** state) {
  const tensor x = MUST(netcl::tensor_from(device_of(state), {1.0f, 2.0f, 3.0f, 4.0f}, {2, 2}));
  same(host<float>(MUST(netcl::op::sum(x))), {10});
  same(host<float>(MUST(netcl::op::mean(x, netcl::reduce_options().axes(0)))), {2, 3});
  same(host<int64_t>(MUST(netcl::op::argmax(x))), {3});
  same(host<float>(MUST(netcl::op::max(x, netcl::run_options()))), {4});
}

void records(void** state) {
  const netcl::graph graph = MUST(netcl::graph::create(device_of(state)));
  const tensor x = floats(state, {1, 2}), w = floats(state, {3, 5});
  {
    const netcl::recording on(graph);
    assert_ptr_equal(on.graph().raw(), graph.raw());
    const tensor y = MUST(x * w), z = MUST(y + y), loss = MUST(netcl::op::sum(z, on.run()));
    same(host<float>(MUST(graph.add_gradients({loss}, {w}))[0]), {2, 4});
    {
      /* Another one within takes its place, and gives it back. */
      const netcl::graph inner = MUST(netcl::graph::create(device_of(state)));
      const netcl::recording hides(inner);
      const tensor square = MUST(x * x), sum = MUST(netcl::op::sum(square, hides.run()));
      same(host<float>(MUST(inner.add_gradients({sum}, {x}))[0]), {2, 4});
    }
    const tensor half = MUST(w / 2), small = MUST(netcl::op::sum(half, on.run()));
    same(host<float>(MUST(graph.add_gradients({small}, {w}))[0]), {0.5f, 0.5f});
  }
  const tensor square = MUST(w * w), after = MUST(netcl::op::sum(square));
  fails(netcl::status::invalid_argument, "inputs[0]",
        [&] { return graph.add_gradients({after}, {w}); });
}

void finds_gradients(void** state) {
  const tensor x = floats(state, {1, 2}), w = floats(state, {3, 5});
  const auto [loss, list] = MUST(netcl::gradients(
      [&](const netcl::recording& on) {
        const tensor y = MUST(x * w), z = MUST(y * w);
        return netcl::op::sum(z, on.run());
      },
      {x, w}));
  assert_true(MUST(netcl::to_value<float>(loss)) == 9 + 50);
  assert_int_equal(list.size(), 2);
  same(host<float>(list[0]), {9, 25});
  same(host<float>(list[1]), {6, 20});
  /* A function without an argument, of one element. */
  const tensor one = floats(state, {4});
  const auto found = MUST(netcl::gradients([&] { return one * one; }, {one}));
  same(host<float>(std::get<1>(found)[0]), {8});
  const uint64_t graphs = live(netcl::handle_type::graph);
  fails(netcl::status::invalid_argument, "inputs is empty",
        [&] { return netcl::gradients([&] { return one * one; }, {}); });
  fails(netcl::status::invalid_argument, "inputs[0]",
        [&] { return netcl::gradients([&] { return one * one; }, {x}); });
  fails(netcl::status::invalid_argument, "axis",
        [&] { return netcl::gradients([&] { return netcl::op::softmax(x, 7); }, {x}); });
  fails(netcl::status::invalid_handle, "NULL",
        [&] { return netcl::gradients([&] { return one * one; }, {tensor_ref()}); });
  assert_int_equal(live(netcl::handle_type::graph), graphs);
}

/* Operators record, and so are refused on another device; a call that is none gives a constant. */
void refuses_other_devices(void** state) {
  const auto apart = netcl::device_options().separate(true);
  const netcl::device other = MUST(netcl::device::open(test_selector(), apart));
  const tensor x = floats(state, {1, 2});
  const tensor there = MUST(netcl::tensor_from(other, {3.0f, 4.0f}));
  const auto found = MUST(netcl::gradients(
      [&](const netcl::recording& on) {
        fails(netcl::status::invalid_argument, "run->graph records calls on device",
              [&] { return there * 2; });
        const tensor constant = MUST(netcl::op::expression_text("v0 * 2", {there}));
        const tensor here = floats(state, host<float>(constant));
        const tensor product = MUST(x * here);
        return netcl::op::sum(product, on.run());
      },
      {x}));
  same(host<float>(std::get<1>(found)[0]), {6, 8});
}

/* What a function of a primitive computes is recorded by its own call, or by none. */
void primitives_record_alone(void** state) {
  MUST(netcl::primitive_register_function(
      "test.cpp.three",
      [](const netcl::primitive_call& call) -> netcl::returns<tensor> {
        return call.inputs()[0] * 3;
      },
      netcl::primitive_options().arity(1)));
  const tensor x = floats(state, {1, 2});
  const auto sum_with = [&](bool recorded) {
    return MUST(netcl::gradients(
        [&](const netcl::recording& on) {
          const netcl::run_options run = recorded ? on.run() : netcl::run_options();
          const tensor three = MUST(netcl::op::primitive("test.cpp.three", {x}, nullptr, run));
          const tensor sum = MUST(x + three);
          return netcl::op::sum(sum, on.run());
        },
        {x}));
  };
  same(host<float>(std::get<1>(sum_with(false))[0]), {1, 1});
  same(host<float>(std::get<1>(sum_with(true))[0]), {4, 4});
  MUST(netcl::primitive_unregister("test.cpp.three"));
}

/* A function of a graph asks for its inputs by their place. */
void graph_inputs(void** state) {
  const netcl::graph graph = MUST(netcl::graph::create_from_function(
      device_of(state),
      [](const netcl::graph_call& call) -> netcl::returns<tensor> {
        const netcl::recording on(call.graph());
        ASK(a, call.input(0));
        ASK(b, call.input(1));
        return a * b;
      },
      1));
  const tensor x = floats(state, {2, 3});
  same(host<float>(MUST(graph.evaluate({x, x}))[0]), {4, 9});
  fails(netcl::status::invalid_argument, "the function asks for inputs[1], and was called with 1",
        [&] { return graph.evaluate({x}); });
  /* Behind the list of C is a NULL. */
  const netcl::graph behind = MUST(netcl::graph::create_from_function(
      device_of(state),
      [](const netcl::graph_call& call) {
        return netcl::op::elementwise(netcl::elementwise::mul, {call.inputs()[0], call.inputs()[1]},
                                      call.run());
      },
      1));
  fails(netcl::status::invalid_handle, "inputs[1] is NULL", [&] { return behind.evaluate({x}); });
}

const struct CMUnitTest recording_tests[] = {DEVICE_TEST(operators), DEVICE_TEST(reductions),
                                             DEVICE_TEST(records), DEVICE_TEST(finds_gradients),
                                             DEVICE_TEST(primitives_record_alone),
                                             DEVICE_TEST(refuses_other_devices),
                                             DEVICE_TEST(graph_inputs)};

}  // namespace

#endif
