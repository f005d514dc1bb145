"""Tests of what the generator writes for C++. They run with those of test_generator.py."""

import os
import tempfile
import unittest

from additions import function, with_addition

OPTIONS = """\
/** Options of a test. */
typedef struct netcl_test_options {
  size_t struct_size;
  double low;           /**< the least */
  double high;          /**< the most */
  uint32_t has_range;   /**< @flag[low,high] they are set */
  uint32_t has_seed;    /**< @flag seed is set */
  uint64_t seed;        /**< of the numbers */
  uint64_t pause_ns;    /**< between two */
} netcl_test_options;
#define NETCL_TEST_OPTIONS_INIT { sizeof(netcl_test_options), 0.0, 0.0, 0, 0, 0, 0 }
"""

KEEPS = """\
/** Options of a test. */
typedef struct netcl_test_options {
  size_t struct_size;
  const int32_t *axes;             /**< some */
  const char *name;                /**< of it */
  const netcl_epilogue *epilogue;  /**< comes after */
  uint32_t axes_count;
  uint32_t reserved;
} netcl_test_options;
#define NETCL_TEST_OPTIONS_INIT { sizeof(netcl_test_options), NULL, NULL, NULL, 0, 0 }
"""


class Cpp(unittest.TestCase):
    def written(self, text, name):
        from backends import cpp
        with tempfile.TemporaryDirectory() as folder:
            cpp.write(with_addition(text), folder)
            path = os.path.join(folder, "include", "netcl", "generated", name)
            with open(path, encoding="utf-8") as file:
                return file.read()

    def test_setters_set_what_goes_with_them(self):
        text = self.written(OPTIONS + function(
            "netcl_tensor *tensor, const netcl_test_options *options"), "structs.hpp")
        own = text[text.index("class test_options"):].split("\n};")[0]
        self.assertIn("test_options& range(double low, double high) noexcept {", own)
        self.assertNotIn("& low(", own)
        self.assertNotIn("& has_range(", own)
        self.assertIn("raw_.seed = value;\n    raw_.has_seed = 1;", own)
        self.assertIn("& pause(netcl::duration value) noexcept {\n"
                      "    raw_.pause_ns = value.count();", own)

    def test_options_keep_what_they_are_given(self):
        text = self.written(KEEPS + function(
            "netcl_tensor *tensor, const netcl_test_options *options"), "structs.hpp")
        own = text[text.index("class test_options"):].split("\n};")[0]
        for part in ("raw_.axes = axes_.put(list.as<int32_t>(), list.size());",
                     "raw_.name = name_.text(value.c_str());",
                     "epilogue_ = value;\n    raw_.epilogue = *epilogue_;",
                     "test_options(const test_options& other)",
                     "detail::follow(raw_.axes, axes_, other.axes_);",
                     "std::optional<netcl::epilogue> epilogue_;",
                     "return axes(netcl::view<int32_t>({entry}));"):
            self.assertIn(part, own)

    def test_what_is_within_a_struct_that_ends_is_copied(self):
        text = self.written("", "structs.hpp")
        own = text[text.index("class tensor_info"):].split("\n};")[0]
        self.assertIn("netcl::span<const int64_t> shape() const& noexcept {", own)
        self.assertIn("netcl::bounded<int64_t, 8> shape() && {", own)
        own = text[text.index("class device_info"):].split("\n};")[0]
        self.assertIn("std::string name() && {", own)

    def test_what_is_returned_is_for_use(self):
        text = self.written(function("netcl_tensor *tensor, uint32_t *count",
                                     "It. @param[out] count how many"), "handles.hpp")
        self.assertIn("[[nodiscard]] returns<uint32_t> test() const;", text)
        self.assertIn("  returns<void> wait(netcl::timeout timeout = {}) const;", text)

    def test_defaults_end_where_a_parameter_has_none(self):
        text = self.written(OPTIONS + function(
            "netcl_tensor *tensor, const netcl_test_options *options, uint64_t timeout_ns") +
            function("netcl_tensor *tensor, const netcl_test_options *options, uint64_t seed"
                     ).replace("_test(", "_test2("), "handles.hpp")
        text = " ".join(text.split())
        self.assertIn("test(const netcl_test_options* options = nullptr, "
                      "netcl::timeout timeout = {}) const;", text)
        self.assertIn("test2(const netcl_test_options* options, uint64_t seed) const;", text)

    def test_outputs_are_what_is_returned(self):
        text = self.written(function(
            "netcl_tensor *tensor, uint32_t *count, netcl_event **event",
            "It. @param[out] count how many\n * @param[out] event one reference"), "handles.hpp")
        self.assertIn("returns<std::tuple<uint32_t, netcl::event>> test() const;", text)

    def test_a_method_that_is_there_twice_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "netcl_tensor would have wait twice"):
            self.written(function("netcl_tensor *tensor").replace("_test(", "_get_wait("),
                         "handles.hpp")

    def test_an_op_with_a_result_has_a_twin_that_makes_none(self):
        text = self.written(function(
            "netcl_tensor *x, const netcl_run_options *run, netcl_tensor **result",
            "It. @param[out,opt] result one reference; may be NULL with run->into").replace(
                "tensor_test", "op_test"), "ops.hpp")
        self.assertIn("returns<netcl::tensor> test(netcl::tensor_ref x,", text)
        self.assertIn("returns<void> test_into(tensor_ref into, netcl::tensor_ref x,", text)
        self.assertIn("netcl_op_test(x.raw(), &with, nullptr)", text)
        self.assertNotIn("test(netcl::tensor_ref x, const run_alone", text)

    def test_options_of_the_run_stand_in_the_place_of_an_ops_own(self):
        text = " ".join(self.written(OPTIONS + function(
            "netcl_tensor *x, const netcl_test_options *options, const netcl_run_options *run, "
            "netcl_tensor **result",
            "It. @param[out,opt] result one reference; may be NULL with run->into").replace(
                "tensor_test", "op_test"), "ops.hpp").split())
        self.assertIn("test(netcl::tensor_ref x, const run_alone& run) { "
                      "return op::test(x, nullptr, run.get()); }", text)
        self.assertIn("test_into(tensor_ref into, netcl::tensor_ref x, const run_alone& run) { "
                      "return op::test_into(into, x, nullptr, run.get()); }", text)


if __name__ == "__main__":
    unittest.main()
