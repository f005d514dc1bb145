/*
 * netcl.hpp in C++17 with exceptions. Most tests are those of every mode, in cpp/common.hpp. Each
 * gets a Fixture of support.h, whose device is device_of(state).
 */
#include <netcl.hpp>

#include <deque>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

/* Its macros have names that the library of C++ uses too. */
extern "C" {
#include "support.h"
}

#define MUST(call) (call)
/* In a function that the library calls: what fails leaves it. */
#define ASK(name, call) const tensor_ref name = (call)

namespace {

/** The call fails with this status, and a message that holds the text. */
template <class F>
void fails(netcl::status status, const char* text, F&& call) {
  try {
    (void)call();
  } catch (const netcl::error& failed) {
    if (failed.status() != status || !std::strstr(failed.what(), text)) {
      fail_msg("wanted %s with \"%s\", got %s: %s", netcl::name(status), text,
               netcl::name(failed.status()), failed.what());
    }
    return;
  }
  fail_msg("a call that must fail with \"%s\" did not", text);
}

}  // namespace

#include "cpp/common.hpp"
#include "cpp/keeping.hpp"
#include "cpp/making.hpp"
#include "cpp/recording.hpp"

namespace {

void errors(void** state) {
  const tensor x = floats(state, {1, 2});
  std::vector<netcl::error> kept;
  try {
    (void)netcl::op::softmax(x, 5);
    fail();
  } catch (const std::exception& failed) {
    kept.push_back(dynamic_cast<const netcl::error&>(failed));
  }
  const std::string first = kept[0].what();
  /* A later failure changes no message that was given out. */
  fails(netcl::status::invalid_argument, "", [&] { return x.reshape({3}); });
  kept.push_back(kept[0]);
  kept.erase(kept.begin());
  assert_string_equal(kept[0].what(), first.c_str());
  assert_true(kept[0].status() == netcl::status::invalid_argument && kept[0].native_code() == 0);
  assert_non_null(std::strstr(kept[0].what(), "axis"));
  assert_string_equal(netcl::error().what(), "NETCL_OK");
}

void attempts(void** state) {
  const tensor x = floats(state, {1, 2});
  netcl::result<tensor> good = netcl::attempt([&] { return netcl::op::softmax(x, 0); });
  assert_true(good && good->raw() && good.status() == netcl::status::ok);
  netcl::result<tensor> bad = netcl::attempt([&] { return netcl::op::softmax(x, 5); });
  assert_false(bad.has_value());
  assert_non_null(std::strstr(bad.error().what(), "axis"));
  fails(netcl::status::invalid_argument, "axis", [&] { return bad.value().raw(); });
  assert_true(netcl::attempt([&] { x.wait(); }).has_value());
  assert_false(netcl::attempt([&] { released<tensor_ref>().wait(); }).has_value());
}

/* What a function throws comes out of the call that it was called in. */
void thrown(void** state) {
  const netcl::queue queue = device_of(state).queue();
  int caught = 0;
  try {
    (void)queue.time([](netcl::queue_ref) { throw std::out_of_range("mine"); });
  } catch (const std::out_of_range& mine) {
    caught += std::string(mine.what()) == "mine";
  }
  assert_int_equal(caught, 1);
  fails(netcl::status::invalid_handle, "tensor is 0x",
        [&] { return queue.time([](netcl::queue_ref) { released<tensor_ref>().wait(); }); });

  /* Of one that the library keeps, a message and a status do. */
  const tensor x = floats(state, {1});
  const auto graph_of = [&](int what) {
    return netcl::graph::create_from_function(
        device_of(state),
        [what](const netcl::graph_call& call) -> tensor {
          if (what == 0) throw std::runtime_error("no such layer");
          if (what == 1) throw std::bad_alloc();
          if (what == 2) throw 7;
          return netcl::op::softmax(call.inputs()[0], 9, call.run());
        },
        1);
  };
  const netcl::status wanted[] = {netcl::status::cancelled, netcl::status::out_of_host_memory,
                                  netcl::status::cancelled, netcl::status::invalid_argument};
  const char* const texts[] = {"no such layer", "out of memory", "no std::exception", "axis"};
  for (int what = 0; what < 4; what++) {
    fails(wanted[what], texts[what], [&] { return graph_of(what).evaluate({x}); });
  }
}

/* C++17 has the span of netcl.hpp. */
void spans(void** state) {
  (void)state;
  int numbers[] = {1, 2, 3};
  std::vector<int> list = {4, 5};
  netcl::span<int> span = numbers;
  assert_true(span.size() == 3 && span[2] == 3 && !span.empty());
  span = list;
  for (int& number : span) number++;
  assert_int_equal(list[1], 6);
  const netcl::span<const int> read(list);
  assert_int_equal(read.end() - read.begin(), 2);
  assert_true(netcl::span<int>().empty());
}

}  // namespace

int main(void) {
  const struct CMUnitTest own[] = {DEVICE_TEST(errors), DEVICE_TEST(attempts), DEVICE_TEST(thrown),
                                   DEVICE_TEST(spans)};
  compile_quickly();
  return cmocka_run_group_tests(common_tests, nullptr, nullptr) +
         cmocka_run_group_tests(keeping_tests, nullptr, nullptr) +
         cmocka_run_group_tests(making_tests, nullptr, nullptr) +
         cmocka_run_group_tests(recording_tests, nullptr, nullptr) +
         cmocka_run_group_tests(own, nullptr, nullptr);
}
