"""Tests of what the generator writes for Julia. They run with those of test_generator.py."""

import os
import tempfile
import unittest

from additions import function, with_addition


class Julia(unittest.TestCase):
    def written(self, text, name):
        from backends import julia
        with tempfile.TemporaryDirectory() as folder:
            julia.write(with_addition(text), folder)
            with open(os.path.join(folder, "src", "generated", name), encoding="utf-8") as file:
                return file.read()

    def test_options_and_constants_are_explained(self):
        options = ("typedef struct netcl_test_options {\n  size_t struct_size;\n"
                   "  netcl_tensor *bias;   /**< NULL: none */\n"
                   "  netcl_loss_reduction reduction;\n  netcl_dtype dtype;\n"
                   "} netcl_test_options;\n"
                   "#define NETCL_TEST_OPTIONS_INIT { sizeof(netcl_test_options), NULL, 0, 0 }\n")
        found = self.written(options + function(
            "netcl_tensor *tensor, netcl_pooling kind, const netcl_test_options *options, "
            "const netcl_run_options *run"), "tensor.jl")
        for row in ("* `kind`: one of `:max`, `:average`", "* `bias`: `nothing`: none",
                    "* `reduction`: one of `:mean` (unless another is given), `:sum`, `:none`",
                    "* `dtype`: a type as `Float32`, or a `Netcl.Dtype`",
                    "* `queue`, `into`, `waits`, `event`, `graph`: those of all ops"):
            self.assertIn(row, found)

    def test_a_number_stands_for_all_sides(self):
        options = ("typedef struct netcl_test_options {\n  size_t struct_size;\n"
                   "  int64_t padding[4];   /**< around x */\n  uint64_t sizes[3];\n"
                   "  int64_t shape[8];\n} netcl_test_options;\n"
                   "#define NETCL_TEST_OPTIONS_INIT { sizeof(netcl_test_options), {0}, {0}, {0} }\n")
        text = options + function("netcl_tensor *tensor, const netcl_test_options *options, "
                                  "const netcl_run_options *run")
        self.assertIn("* `padding`: around x; 4 numbers, or one for all",
                      self.written(text, "tensor.jl"))
        found = self.written(text, "structs.jl")
        self.assertIn("store_each(:padding, Ptr{Int64}(place + 8), 4, padding)", found)
        # Of work sizes and shapes there may be fewer.
        self.assertIn("store_tuple(:sizes, Ptr{UInt64}(place + 40), 3, sizes)", found)
        self.assertIn("store_tuple(:shape, Ptr{Int64}(place + 64), 8, shape)", found)
