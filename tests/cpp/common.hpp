/* Tests of netcl.hpp in every mode: handles, lists, texts, times and options; and the list of all.
 */
#ifndef NETCL_TESTS_CPP_COMMON_HPP
#define NETCL_TESTS_CPP_COMMON_HPP

#include "values.hpp"

#include "generated/refusals.hpp"

namespace {

/* ---- Handles ---- */

void handles(void** state) {
  const uint64_t before = live(netcl::handle_type::tensor);
  {
    tensor a = floats(state, {1, 2}), none;
    assert_true(a && !none);
    netcl_tensor* const raw = a.raw();
    tensor b = std::move(a);
    assert_true(!a && b.raw() == raw);
    tensor c = MUST(b.share());
    assert_ptr_equal(c.raw(), raw);
    b.reset();
    same(host<float>(c), {1, 2});
    c = floats(state, {3}); /* the first is given back */
    assert_int_equal(live(netcl::handle_type::tensor), before + 1);
    tensor& self = c;
    c = std::move(self);
    assert_non_null(c.raw());
    tensor d(c.release()); /* adopts what was let go of */
    assert_true(!c && d);
    same(host<float>(d), {3});
    vector<tensor> many;
    for (int i = 0; i < 5; i++) many.push_back(floats(state, {static_cast<float>(i)}));
    same(host<float>(MUST(netcl::op::concat(many, 0))), {0, 1, 2, 3, 4});
    same(host<float>(MUST(netcl::op::concat({many[3], d}, 0))), {3, 3});
    /* What C writes to a handle in use takes the place of its reference. */
    many[0] = MUST(netcl::op::cast(d, dtype::f32));
    assert_int_equal(live(netcl::handle_type::tensor), before + 6);
  }
  assert_int_equal(live(netcl::handle_type::tensor), before);
  static_assert(sizeof(tensor) == sizeof(void*) && std::is_nothrow_move_constructible_v<tensor>);
  static_assert(!std::is_copy_constructible_v<tensor> && std::is_trivially_copyable_v<tensor_ref>);
}

void released_handles(void** state) {
  closes([&] { return released<tensor_ref>().info(); }, "tensor");
  closes([&] { return released<netcl::queue_ref>().flush(); }, "queue");
  closes([&] { return released<tensor_ref>().share(); }, "tensor");
  (void)state;
}

void every_op_refuses(void** state) {
  const uint64_t before = live(netcl::handle_type::tensor);
  {
    refusals every(device_of(state));
    every.all();
    assert_int_equal(live(netcl::handle_type::tensor), before + 1);
  }
}

/* ---- Lists, layouts, texts, times ---- */

void lists(void** state) {
  const netcl::device_ref device = device_of(state);
  const int rows = 2;
  const size_t columns = 3;
  const vector<int64_t> shape = {2, 3};
  const int64_t plain[] = {2, 3};
  netcl::view<int64_t> none;
  assert_true(none.empty() && none.count() == 0);
  vector<tensor> shaped;
  shaped.push_back(MUST(tensor::create_zeros(device, dtype::i32, {rows, columns})));
  shaped.push_back(MUST(tensor::create_zeros(device, dtype::i32, shape)));
  shaped.push_back(MUST(tensor::create_zeros(device, dtype::i32, plain)));
  for (const tensor& x : shaped) {
    const netcl::tensor_info info = MUST(x.info());
    assert_true(info.dtype() == dtype::i32 && info.rank() == 2 && info.contiguous());
    assert_true(info.shape().size() == 2 && info.shape()[0] == 2 && info.shape()[1] == 3);
    assert_true(info.strides()[0] == 3 && info.byte_count() == 24);
  }
  const tensor scalar = MUST(tensor::create_zeros(device, dtype::f32, {}));
  assert_int_equal(MUST(scalar.info()).shape().size(), 0);

  const tensor x = MUST(netcl::tensor_from(device, vector<int32_t>{1, 2, 3, 4, 5, 6}, {2, 3}));
  same(host<int32_t>(MUST(x.permute({1, 0}))), {1, 4, 2, 5, 3, 6});
  same(host<int32_t>(MUST(x.view(netcl::layout::strided({2, 2}, {1, 3}), 1))), {2, 5, 3, 6});
  same(host<int32_t>(MUST(x.slice({{1, 1, 1}, {0, 2, 2}}))), {4, 6});
  fails(netcl::status::invalid_argument, "strides has another number of entries than shape", [&] {
    return x.view(netcl::layout::strided({2, 2}, {1}), 0);
  });
  const vector<tensor> parts = MUST(x.split(1, {1, 2}));
  assert_int_equal(parts.size(), 2);
  same(host<int32_t>(parts[1]), {2, 3, 5, 6});
  std::array<int32_t, 6> array{};
  MUST(x.read(array));
  assert_int_equal(array[5], 6);
  array[5] = 60;
  MUST(x.write(array));
  vector<int32_t> half(3);
  fails(netcl::status::invalid_argument, "data_size", [&] { return x.read(half); });
  MUST(MUST(x.slice({{1, 1, 1}, {0, 3, 1}})).read(netcl::span<int32_t>(half.data(), half.size())));
  same(half, {4, 5, 60});
  fails(netcl::status::invalid_argument, "dtype i32", [&] { return netcl::to_vector<float>(x); });
  fails(netcl::status::invalid_argument, "data_size",
        [&] { return netcl::tensor_from(device, vector<float>{1}, {2}); });
  const tensor only = MUST(netcl::op::reduce(x, netcl::reduction::sum));
  assert_int_equal(MUST(netcl::to_value<int32_t>(only)), 75);
  fails(netcl::status::invalid_argument, "tensor has dtype i32, and the value f32",
        [&] { return netcl::to_value<float>(only); });
  fails(netcl::status::invalid_argument, "data_size",
        [&] { return netcl::to_value<int32_t>(x); });
  same(MUST(netcl::shape_of(x)), {2, 3});
  assert_true(MUST(netcl::shape_of(only)).empty());
  fails(netcl::status::invalid_handle, "NULL", [] { return netcl::shape_of(tensor_ref()); });
  same(host<int32_t>(MUST(netcl::rows(x, 1, 1))), {4, 5, 60});
  same(MUST(netcl::shape_of(MUST(netcl::rows(x, 2, 0)))), {0, 3});
  fails(netcl::status::invalid_argument, "start 1, extent 2", [&] { return netcl::rows(x, 1, 2); });
  fails(netcl::status::invalid_argument, "rank 0", [&] { return netcl::rows(only, 0, 1); });
  fails(netcl::status::invalid_handle, "NULL", [] { return netcl::rows(tensor_ref(), 0, 1); });
  const tensor braces = MUST(netcl::tensor_from(device, {1.5f, 2.5f}));
  same(host<float>(braces), {1.5f, 2.5f});
  same(MUST(netcl::shape_of(MUST(netcl::tensor_from(device, {1, 2, 3, 4}, {2, 1, 2})))),
       {2, 1, 2});
  /* Both lists are as long as each other, or nothing is called. */
  const netcl::roofline roofline = MUST(netcl::roofline::create());
  fails(netcl::status::invalid_argument, "values has another number of entries than names", [&] {
    return roofline.analyze_metrics({"a", "b"}, {1.0});
  });
}

void texts(void** state) {
  const std::string name = "width";
  const netcl::space space = MUST(netcl::space::create());
  MUST(space.add_ints(name, {1, 2, 4}));
  MUST(space.add_texts("kind", {"plain", name}));
  const netcl::device_capabilities able = MUST(device_of(state).capabilities());
  assert_int_equal(MUST(space.count(able)), 6);
  const netcl::config config = MUST(space.config(able, 0));
  assert_int_equal(MUST(config.get_int("width")), 1);
  assert_string_equal(MUST(config.text("kind")).c_str(), "plain");
  const netcl::config again = MUST(netcl::config::create_from_json(MUST(config.json())));
  assert_string_equal(MUST(again.json()).c_str(), MUST(config.json()).c_str());
  fails(netcl::status::not_found, "height", [&] { return config.get_int("height"); });
  assert_true(MUST(netcl::device::diagnose()).size() > 10);
  const netcl::device_info info = MUST(device_of(state).info());
  assert_true(info.name() == static_cast<Fixture*>(*state)->info.name && info.uuid().size() == 16);
  assert_string_equal(netcl::name(dtype::bf16), "bf16");
  assert_int_equal(netcl::size(dtype::f64), 8);
}

void times(void** state) {
  using namespace std::chrono_literals;
  assert_int_equal(netcl::timeout().count(), NETCL_WAIT_FOREVER);
  assert_int_equal(netcl::timeout(3us).count(), 3000);
  assert_int_equal(netcl::timeout(-1s).count(), 0);
  assert_int_equal(netcl::timeout(1.5s).count(), 1500000000);
  assert_int_equal(netcl::timeout(std::chrono::hours(24 * 365 * 1000)).count(), INT64_MAX);
  assert_int_equal(netcl::timeout(std::chrono::nanoseconds::max()).count(), INT64_MAX);
  assert_int_equal(netcl::detail::to_chrono(UINT64_MAX).count(), INT64_MAX);
  assert_int_equal(netcl::search_options().budget(2ms).raw().budget_ns, 2000000);

  const netcl::queue queue =
      MUST(netcl::queue::create(device_of(state), netcl::queue_options().profiling(true)));
  assert_true(MUST(queue.info()).profiling());
  netcl::event event;
  const tensor x = floats(state, {1, 4}), y = floats(state, {0, 0});
  MUST(netcl::op::expression_text_into(y, "sqrt(v0)", {x}, nullptr,
                                       netcl::run_options().queue(queue).event(event)));
  MUST(event.wait(120s));
  assert_true(MUST(event.query()) == netcl::event_state::complete);
  const netcl::event_timing timing = MUST(event.timing());
  assert_true(timing.ended() >= timing.started() && timing.started() > 0ns);
  same(host<float>(y), {1, 2});
  MUST(device_of(state).finish(120s));
}

/* ---- Options and ops ---- */

void options(void** state) {
  const tensor a = MUST(netcl::tensor_from(device_of(state), vector<float>{1, 2, 3, 4}, {2, 2}));
  const tensor bias = floats(state, {-100, 1});
  same(host<float>(MUST(netcl::op::matmul(a, a))), {7, 10, 15, 22});
  /* Options of the run stand alone, as those of C do; nothing else is mistaken for them. */
  const tensor place = MUST(tensor::create_zeros(device_of(state), dtype::f32, {2, 2}));
  const netcl::run_options there = netcl::run_options().into(place);
  (void)MUST(netcl::op::matmul(a, a, there));
  same(host<float>(place), {7, 10, 15, 22});
  const netcl_run_options* raw = there;
  (void)MUST(netcl::op::softmax(a, 1, raw));
  (void)MUST(netcl::op::expression_text("v0 + 1", {a}, raw));
  same(host<float>(place), {2, 3, 4, 5});
  MUST(netcl::op::expression_text_into(place, "v0 * 2", {a}, netcl::run_options()));
  same(host<float>(place), {2, 4, 6, 8});
  same(host<float>(MUST(netcl::op::matmul(a, a, {}))), {7, 10, 15, 22});
  same(host<float>(MUST(netcl::op::matmul(a, a, nullptr))), {7, 10, 15, 22});
  same(host<float>(MUST(netcl::op::matmul(
           a, a,
           netcl::matmul_options().scale(2, 0).epilogue(
               netcl::epilogue().bias(bias).activation(netcl::activation::relu))))),
       {0, 21, 0, 45});
  /* A setter sets the member that says so, and lists bring their counts. */
  assert_int_equal(netcl::norm_options().epsilon(0).raw().has_epsilon, 1);
  const netcl::reduce_options rows = netcl::reduce_options().keepdims(true);
  assert_int_equal(rows.raw().keepdims, 1);
  assert_int_equal(rows.raw().struct_size, sizeof(netcl_reduce_options));
  same(host<float>(
           MUST(netcl::op::reduce(a, netcl::reduction::max, netcl::reduce_options().axes({1})))),
       {2, 4});
  netcl_matmul_options plain = NETCL_MATMUL_OPTIONS_INIT;
  plain.has_scale = 1;
  plain.alpha = 3;
  same(host<float>(MUST(netcl::op::matmul(a, a, &plain))), {21, 30, 45, 66});
  const auto [values, places] = MUST(netcl::op::topk(a, 1, 1));
  same(host<float>(values), {2, 4});
  same(host<int64_t>(places), {1, 1});
  netcl::tuning_key key;
  key.shape({7, 8});
  assert_true(key.raw().shape_count == 2 && key.raw().shape[1] == 8);
  netcl::tuning_record record;
  record.median(5).kernel("name");
  assert_true(record.kernel() == "name" && record.median() == 5);
  same(host<float>(MUST(a + bias)), {-99, 3, -97, 5});
  same(host<float>(MUST(a - a)), {0, 0, 0, 0});
  same(host<float>(MUST(a * a)), {1, 4, 9, 16});
  same(host<float>(MUST(a / a)), {1, 1, 1, 1});
  same(host<float>(MUST(-a)), {-1, -2, -3, -4});
}

/* Into a given tensor an op makes no handle. */
void into(void** state) {
  const tensor a = floats(state, {1, 2}), y = floats(state, {0, 0});
  const uint64_t before = live(netcl::handle_type::tensor);
  MUST(netcl::op::elementwise_into(y, netcl::elementwise::add, {a, a}));
  assert_int_equal(live(netcl::handle_type::tensor), before);
  same(host<float>(y), {2, 4});
  netcl::event event;
  const netcl::run_options run = netcl::run_options().event(event);
  MUST(netcl::op::elementwise_into(y, netcl::elementwise::mul, {a, y}, nullptr, run));
  assert_non_null(event.raw());
  same(host<float>(y), {2, 8});
  fails(netcl::status::invalid_argument, "into",
        [&] { return netcl::op::softmax_into(y, MUST(netcl::op::cast(a, dtype::f64)), 0); });
}

const struct CMUnitTest common_tests[] = {DEVICE_TEST(handles),
                                          DEVICE_TEST(released_handles),
                                          DEVICE_TEST(every_op_refuses),
                                          DEVICE_TEST(lists),
                                          DEVICE_TEST(texts),
                                          DEVICE_TEST(times),
                                          DEVICE_TEST(options),
                                          DEVICE_TEST(into),
                                          DEVICE_TEST(scalars),
                                          DEVICE_TEST(halves),
                                          DEVICE_TEST(kernels),
                                          DEVICE_TEST(work),
                                          DEVICE_TEST(graphs),
                                          DEVICE_TEST(primitives),
                                          DEVICE_TEST(logs),
                                          DEVICE_TEST(search)};

}  // namespace

#endif
