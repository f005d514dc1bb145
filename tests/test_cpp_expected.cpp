/*
 * netcl.hpp in C++20 without exceptions. Most tests are those of every mode, in cpp/common.hpp.
 * Each gets a Fixture of support.h, whose device is device_of(state).
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

#define MUST(call) must((call), __FILE__, __LINE__)
/* In a function that the library calls: what fails leaves it. */
#define ASK(name, call)                                                  \
  const auto asked_##name = (call);                                      \
  if (!asked_##name) return netcl::returns<tensor>(asked_##name.error()); \
  const tensor_ref name = *asked_##name

namespace {

inline void must(netcl::result<void> result, const char* file, int line) {
  if (!result) fail_msg("%s:%d: %s", file, line, result.error().what());
}
template <class T>
T must(netcl::result<T> result, const char* file, int line) {
  if (!result) fail_msg("%s:%d: %s", file, line, result.error().what());
  return std::move(*std::move(result));
}
template <class T>
T&& must(T&& value, const char*, int) {
  return std::move(value);
}

/** The call fails with this status, and a message that holds the text. */
template <class F>
void fails(netcl::status status, const char* text, F&& call) {
  const auto result = call();
  if (result) fail_msg("a call that must fail with \"%s\" did not", text);
  if (result.status() != status || !std::strstr(result.error().what(), text)) {
    fail_msg("wanted %s with \"%s\", got %s: %s", netcl::name(status), text,
             netcl::name(result.status()), result.error().what());
  }
}

}  // namespace

#include "cpp/common.hpp"
#include "cpp/keeping.hpp"
#include "cpp/making.hpp"
#include "cpp/recording.hpp"

namespace {

void results(void** state) {
  const tensor x = floats(state, {1, 2});
  netcl::result<tensor> bad = netcl::op::softmax(x, 5);
  assert_false(bad.has_value());
  const netcl::error failed = bad.error();
  const std::string first = failed.what();
  assert_non_null(std::strstr(failed.what(), "axis"));
  const netcl::result<void> wait = released<tensor_ref>().wait();
  assert_true(!wait && wait.status() == netcl::status::invalid_handle);
  assert_string_equal(failed.what(), first.c_str());
  assert_string_equal(bad.error().what(), first.c_str());

  netcl::result<tensor> good = netcl::op::softmax(x, 0);
  assert_true(good && good.status() == netcl::status::ok);
  assert_int_equal(MUST(good->info()).rank(), 1);
  tensor y = *std::move(good);
  assert_true(y && !*good);
  const tensor other = std::move(bad).value_or(std::move(y));
  assert_true(other && !y);
  netcl::result<int> number(7);
  assert_true(number && *number == 7 && std::as_const(number).value() == 7);
  number = failed;
  assert_true(!number && number.status() == netcl::status::invalid_argument);
}

/* What a function of the program gives back as its error is that of the call. */
void told(void** state) {
  const tensor x = floats(state, {1});
  fails(netcl::status::invalid_handle, "tensor is 0x", [&] {
    return MUST(device_of(state).queue()).time([](netcl::queue_ref) {
      return released<tensor_ref>().wait();
    });
  });
  const netcl::graph graph = MUST(netcl::graph::create_from_function(
      device_of(state),
      [](const netcl::graph_call& call) {
        return netcl::op::softmax(call.inputs()[0], 9, call.run());
      },
      1));
  fails(netcl::status::invalid_argument, "axis", [&] { return graph.evaluate({x}); });
}

void spans(void** state) {
  (void)state;
  static_assert(std::is_same_v<netcl::span<int>, std::span<int>>);
  const std::vector<int64_t> list = {1, 2};
  const netcl::view<int64_t> view = std::span<const int64_t>(list);
  assert_int_equal(view.size(), 2);
}

}  // namespace

int main() {
  const struct CMUnitTest own[] = {DEVICE_TEST(results), DEVICE_TEST(told), DEVICE_TEST(spans)};
  compile_quickly();
  return cmocka_run_group_tests(common_tests, nullptr, nullptr) +
         cmocka_run_group_tests(keeping_tests, nullptr, nullptr) +
         cmocka_run_group_tests(making_tests, nullptr, nullptr) +
         cmocka_run_group_tests(recording_tests, nullptr, nullptr) +
         cmocka_run_group_tests(own, nullptr, nullptr);
}
