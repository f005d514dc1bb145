#!/usr/bin/env python3
"""Tests of the generator: it takes what follows the patterns and stops at everything else.

usage: bindings/generator/test_generator.py
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from dataclasses import replace

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from additions import HEADER, PLACE, function, numbered, with_addition  # noqa: E402
from lock import first_sizes, lock_of, write_lock  # noqa: E402
from model import HeaderError  # noqa: E402
from reader import read_header  # noqa: E402
from safety import hazards, kernel_types  # noqa: E402
from test_generator_cpp import Cpp  # noqa: E402, F401
from test_generator_go import Go  # noqa: E402, F401
from test_generator_julia import Julia  # noqa: E402, F401
from test_generator_lines import Items, OwnLines  # noqa: E402, F401
from test_generator_markers import Markers  # noqa: E402, F401
from test_generator_words import Words  # noqa: E402, F401


class Patterns(unittest.TestCase):
    def test_roles_follow_from_names_and_types(self):
        cases = (
                ("netcl_tensor *tensor, netcl_tensor *const *others, uint32_t others_count",
                 "Does it.", ["object", "handles"]),
                ("const char *text, size_t text_size, const char *name", "Does it.",
                 ["text_sized", "text"]),
                ("uint32_t a_rank, const int64_t *a_shape, const int64_t *a_strides, uint32_t rank,"
                 " const int64_t *shape", "Does it.", ["layout", "shape"]),
                ("const char *const *names, const double *values, uint32_t pairs_count", "Does it.",
                 ["columns"]),
                ("const void *data, size_t data_size, const void *value, uint64_t timeout_ns",
                 "Does it.", ["data_in", "element", "timeout"]),
                ("char *buffer, size_t capacity, size_t *length", "It. @param[out] buffer text",
                 ["text_out"]),
                ("double *samples, uint64_t capacity, uint64_t *count", "It. @param[out] samples s",
                 ["array_out"]),
                ("const int64_t *sizes, uint32_t sizes_count, netcl_tensor **parts",
                 "It. @param[out,count=sizes] parts one reference each, sizes_count entries",
                 ["array", "handles_out_like"]),
                ("uint64_t *sizes", "It. @param[out,count=3] sizes 3 entries", ["array_out_fixed"]),
                ("uint64_t *size", "It. @param[out] size one", ["scalar_out"]),
                ("netcl_log_fn fn, void *user_data, netcl_destroy_fn destroy", "It.", ["callback"]),
                ("struct _cl_mem **mem", "It. @param[out,borrowed] mem it", ["foreign_out"]))
        made = with_addition(numbered(function(params, text) for params, text, _ in cases))
        for index, (params, _, wanted) in enumerate(cases):
            with self.subTest(params=params):
                found = made.function(f"netcl_tensor_test{index}")
                self.assertEqual([a.role for a in found.arguments], wanted)

    def test_what_may_be_null_is_optional(self):
        made = with_addition(function("netcl_tensor *tensor, netcl_queue *queue",
                                      "Does it. @param[opt] queue"))
        arguments = made.function("netcl_tensor_test").arguments
        self.assertEqual([a.optional for a in arguments], [False, True])

    def test_a_handle_that_may_be_none_is_absent(self):
        params = "netcl_tensor *tensor, netcl_queue **queue, netcl_tensor **other"
        made = with_addition(function(params, "It. @param[out,opt] queue one reference\n"
                                      " * @param[out,absent] other one reference, NULL when it is over"))
        arguments = made.function("netcl_tensor_test").arguments
        self.assertEqual([a.absent for a in arguments], [False, False, True])

    def test_functions_on_state_of_a_thread_are_marked(self):
        made = with_addition(function("netcl_tensor *tensor", "Gives x. @thread"))
        bound = [f.short for f in made.functions if f.thread_bound]
        self.assertEqual(bound, ["device_push", "device_pop", "device_current", "region_push",
                                 "region_pop", "tensor_test"])

    def test_unknown_patterns_stop_the_generator(self):
        cases = (
                (function("long size"), "`long`"),
                (function("uint32_t count"), "stands alone"),
                (function("const float *values"), "values_count"),
                (function("float **values"), "pointer to a pointer"),
                (function("void *data"), "data_size"),
                (function("netcl_run_options run"), "by value"),
                (function("uint32_t rank, const int64_t *sizes"), "shape"),
                (function("uint64_t *size"), "@param[out] size"),
                (function("uint64_t size", "It. @param[out] size one"), "names no output"),
                (function("uint64_t size", "It. @param[in] sise one"), "names no parameter"),
                (function("uint64_t *a, uint32_t b", "It. @param[out] a one"), "outputs come last"),
                (function("struct _cl_mem **mem", "It. @param[out] mem it"), "borrowed"),
                (function("netcl_log_fn fn"), "user_data"),
                (function("uint32_t x", returns="void *"), "returns"),
                ("NETCL_API netcl_status netcl_tensor_test(void);", "no comment"),
                ("typedef struct netcl_test { int32_t a; int64_t b; } netcl_test;", "padding"),
                ("typedef struct netcl_test { size_t struct_size; } netcl_test;", "INIT"),
                ("typedef uint32_t netcl_test;", "typedef netcl_test"),
                ("/** A thing. */\ntypedef struct netcl_test netcl_test;", "Shareable"),
                ("/** A thing. Movable. */\ntypedef struct netcl_test netcl_test;", "retain"),
                ("#define NETCL_TEST_INIT {0}", "no struct of that name"),
                ("typedef int32_t netcl_test;\nenum netcl_test_value { NETCL_A = 1, NETCL_B = 1 };",
                 "one value"))
        with self.assertRaises(HeaderError) as caught:
            with_addition(numbered(text for text, _ in cases))
        for index, (text, said) in enumerate(cases):
            with self.subTest(text=text):
                own = [p for p in caught.exception.problems
                       if re.search(rf"test{index}(?!\d)", p.lower())]
                self.assertIn(said, "\n".join(own))
        with self.assertRaises(HeaderError) as caught:
            with_addition("typedef struct { int32_t a; int64_t b; } netcl_test;")
        self.assertIn("without a tag", str(caught.exception))

    def test_declarations_that_have_no_form_in_a_binding_are_refused_by_name(self):
        cases = (
                (function("const char *text, ..."), "netcl_tensor_test", "variadic"),
                ("typedef void (*netcl_test_fn)(const char *text, ...);", "netcl_test_fn",
                 "variadic"),
                ("typedef void (*netcl_test_fn)(const char *, void *);", "netcl_test_fn",
                 "without a name"),
                ("static inline netcl_status netcl_test(void) { return 0; }", "netcl_test",
                 "static"),
                ("netcl_status netcl_test(void) { return 0; }", "netcl_test", "body"),
                ("NETCL_API void netcl_test();", "netcl_test", "(void)"),
                ("NETCL_API void netcl_test(uint32_t);", "netcl_test", "without a name"),
                ("NETCL_API void (*netcl_test(uint32_t x))(void);", "netcl_test", "returns"),
                ("NETCL_API void other_test(void);", "function other_test", "begin with netcl_"),
                ("NETCL_API extern int32_t netcl_test;", "variable netcl_test", "no binding"),
                ("static const int32_t netcl_test = 1;", "variable netcl_test", "no binding"),
                ("typedef union netcl_test { int32_t a; float b; } netcl_test;",
                 "union netcl_test", "no binding"),
                ("typedef struct netcl_test { union { int32_t a; float b; }; } netcl_test;",
                 "netcl_test", "union"),
                ("typedef struct netcl_test { struct { int32_t a; } b; } netcl_test;",
                 "netcl_test", "struct in it"),
                ("typedef struct netcl_test { int32_t a : 3; int32_t b; } netcl_test;",
                 "netcl_test.a", "bit-field"),
                ("typedef struct netcl_test { int32_t a; int32_t b[]; } netcl_test;",
                 "netcl_test.b", "without an extent"),
                ("typedef struct netcl_test { int32_t : 3; } netcl_test;", "netcl_test",
                 "bit-field"),
                ("struct netcl_test { int32_t a; };", "struct netcl_test", "typedef"),
                ("struct other_test { int32_t a; };", "struct other_test", "begin with netcl_"),
                ("typedef int32_t netcl_test;\nenum netcl_test_value { OTHER_TEST = 1 };",
                 "OTHER_TEST", "begin with NETCL_"),
                ("#define NETCL_TEST(x) ((x) + 1)", "macro NETCL_TEST", "parameters"),
                ("#define NETCL_TEST() 1", "macro NETCL_TEST", "parameters"),
                ("#define NETCL_TEST_INIT(x) {x}", "macro NETCL_TEST_INIT", "parameters"),
                ("#define netcl_test(x) netcl_other(x)", "macro netcl_test", "begin with NETCL_"),
                ("#define NETCL_TEST uint32_t", "macro NETCL_TEST", "whole number"),
                ("#define NETCL_TEST 1.5", "macro NETCL_TEST", "whole number"),
                ("#define NETCL_TEST", "macro NETCL_TEST", "whole number"),
                ('__asm__("");', "FileScopeAsmDecl", "no binding"))
        with self.assertRaises(HeaderError) as caught:
            with_addition(numbered(text for text, _, _ in cases))
        problems = caught.exception.problems
        self.assertEqual(len(problems), len(cases), "\n".join(problems))
        for index, (text, name, said) in enumerate(cases):
            with self.subTest(text=text):
                name = numbered([""] * index + [name]).strip()
                own = [p for p in problems if re.search(rf"{re.escape(name)}(?!\w)", p)]
                self.assertEqual(len(own), 1, name)
                self.assertIn(said, own[0])

    def test_whole_numbers_of_every_form_are_constants(self):
        made = with_addition(numbered((
            "#define NETCL_TEST 0x10u", "#define NETCL_TEST (1 << 4)",
            "#define NETCL_TEST ((int64_t)-16)", "#define NETCL_TEST NETCL_RANK_MAX",
            '#define NETCL_TEST "text"')))
        self.assertEqual([made.constant(f"NETCL_TEST{i}").value for i in range(5)],
                         [16, 16, -16, 8, "text"])

    def test_every_back_end_takes_a_new_function(self):
        made = with_addition(function(
            "netcl_tensor *tensor, netcl_tensor *const *others, uint32_t others_count, "
            "const char *name, const netcl_run_options *run, netcl_tensor **result",
            "Does it. @param[out] result one reference"))
        import importlib
        import generate
        for name in generate.back_ends():
            with self.subTest(back_end=name), tempfile.TemporaryDirectory() as folder:
                importlib.import_module("backends." + name).write(made, folder)
                texts = []
                for place, _, files in os.walk(folder):
                    for file in files:
                        with open(os.path.join(place, file), encoding="utf-8") as opened:
                            texts.append(opened.read())
                self.assertTrue(any("netcl_tensor_test" in text for text in texts))


class Flags(unittest.TestCase):
    def test_a_name_of_a_truth_value_needs_the_marker(self):
        text = ("/** A thing. */\ntypedef struct netcl_test {{ uint32_t has_size; {0}int32_t a; }} "
                "netcl_test;")
        with self.assertRaisesRegex(HeaderError, r"netcl_test.has_size: .*@flag"):
            with_addition(text.format(""))
        with_addition(text.format("/**< @flag there is a size */ "))

    def test_what_the_library_takes_as_0_or_1_is_marked(self):
        """require_flag refuses other values: the bindings have a bool there."""
        model = read_header(HEADER)
        flags = {m.name for s in model.structs for m in s.members if m.flag} | \
            {a.name for f in model.functions for a in f.arguments if a.flag}
        folder = os.path.join(HERE, "..", "..", "src", "api")
        checked = set()
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), encoding="ascii") as file:
                checked |= set(re.findall(r"require_flag\((?:\w+(?:\.|->))?(\w+),", file.read()))
        self.assertGreater(len(checked), 20)
        self.assertEqual(sorted(checked - flags), [])


class Safety(unittest.TestCase):
    """A function that could run code of the caller, or show or keep memory, is unsafe unless the
    header says otherwise."""

    def added(self, cases):
        """New functions (owner, verb, params, comment): the model, and the hazards of each."""
        names = [f"{owner}_{verb}_{i}" for i, (owner, verb, _, _) in enumerate(cases)]
        made = with_addition("\n".join(
            function(params, comment).replace("tensor_test", name)
            for name, (_, _, params, comment) in zip(names, cases)))
        return made, [hazards(made, made.function("netcl_" + name)) for name in names]

    def test_whatever_might_launch_a_kernel_is_unsafe(self):
        cases = (
            # A kernel, its arguments, a work size, a program, and names that say it.
            ("tensor", "test", "netcl_tensor *tensor, netcl_kernel *kernel", "kernel"),
            ("tensor", "test", "netcl_tensor *tensor, netcl_kernel *const *kernels, "
             "uint32_t kernels_count", "kernel"),
            ("kernel", "test", "netcl_kernel *kernel", "kernel"),
            ("kernel", "again", "netcl_kernel *kernel, const netcl_queue *queue", "kernel"),
            ("device", "test", "netcl_device *device, const char *name, const uint64_t *global, "
             "uint32_t global_count", "kernel"),
            ("device", "run_by_name", "netcl_device *device, const char *name", "kernel"),
            ("queue", "replay", "netcl_queue *queue", "kernel"),
            ("benchmark", "time_again", "netcl_benchmark *benchmark", "kernel"),
            ("device", "test", "netcl_device *device, const netcl_benchmark_candidate *candidate",
             "program"))
        words = ("Does it.", "Does it. @safe")
        made, found = self.added([(o, v, p, w) for o, v, p, _ in cases for w in words])
        for index, (owner, verb, params, kind) in enumerate(cases):
            with self.subTest(params=params, verb=verb):
                self.assertEqual(found[2 * index: 2 * index + 2], [[kind], []])
                text = self.rust(made, owner)
                self.assertIn(f"pub unsafe fn {verb}_{2 * index}(", text)
                self.assertIn(f"pub fn {verb}_{2 * index + 1}(", text)

    def test_no_word_makes_arguments_and_memory_safe(self):
        data = "netcl_tensor *tensor, const void *data, size_t data_size"
        cases = (
            ("netcl_tensor *tensor, const netcl_arg *args, uint32_t args_count", "It. @safe",
             ["arguments"]),
            ("netcl_tensor *tensor, struct _cl_mem *mem", "It. @safe", ["foreign"]),
            ("netcl_tensor *tensor, void *data, uint64_t bytes", "It. @safe", ["lent"]),
            (data + ", const netcl_transfer_options *options", "It. @safe", ["data"]),
            (data, "It. @safe @param[stays] data for ever", ["data"]), (data, "It is copied.", []))
        _, found = self.added([("tensor", "test", p, "Does it. " + w) for p, w, _ in cases])
        self.assertEqual(found, [wanted for _, _, wanted in cases])

    def test_memory_of_which_nothing_is_said_is_unsafe(self):
        _, found = self.added([
            (kind, "create_test", f"netcl_device *device, uint64_t bytes, netcl_{kind} **made",
             f"Makes it.{word} @param[out] made one reference")
            for kind in ("tensor", "buffer") for word in ("", " @safe")])
        self.assertEqual(found, [["undefined"], []] * 2)

    def test_what_can_fail_stands_in_front_of_a_call_that_is_made_twice(self):
        model = with_addition(function(
            "netcl_tensor *const *others, uint32_t others_count, netcl_tensor **parts, "
            "uint32_t capacity, uint32_t *count", "It. @param[out] parts one reference each"))
        text = self.rust(model, "tensor")
        text = text[text.index("netcl_tensor_test"):]
        self.assertLess(text.index("support::count("), text.index("support::read_array("))

    def test_what_is_made_of_a_program_is_a_kernel(self):
        """A new type for code: everything on it is unsafe at first."""
        source = ("/** A program. Shareable. */\ntypedef struct netcl_program netcl_program;\n"
                  "typedef struct netcl_program_options { size_t struct_size; const char *source; } "
                  "netcl_program_options;\n"
                  "#define NETCL_PROGRAM_OPTIONS_INIT { sizeof(netcl_program_options), NULL }\n")
        for name, params in (("create", "netcl_device *device, const netcl_program_options *options, "
                              "netcl_program **program"), ("retain", "netcl_program *program"),
                             ("load", "netcl_program *program")):
            out = " @param[out] program one reference" if name == "create" else ""
            source += function(params, "Does it." + out).replace("tensor_test", "program_" + name)
            source += "\n"
        source += "/** Gives it back. */\nNETCL_API void netcl_program_release(netcl_program *program);"
        with open(HEADER, encoding="ascii") as file:
            header = file.read()
        last = re.findall(r"NETCL_HANDLE_\w+ = \d+", header)[-1]
        number = int(last.rsplit(" ", 1)[1]) + 1
        header = header.replace(last, f"{last},\n  NETCL_HANDLE_PROGRAM = {number}")
        with tempfile.NamedTemporaryFile("w", suffix=".h", delete=False) as file:
            file.write(header.replace(PLACE, source + "\n" + PLACE))
        try:
            made = read_header(file.name)
        finally:
            os.unlink(file.name)
        self.assertEqual(kernel_types(made), {"netcl_kernel", "netcl_program"})
        self.assertEqual(hazards(made, made.function("netcl_program_create")), ["program"])
        self.assertEqual(hazards(made, made.function("netcl_program_load")), ["kernel"])

    def test_the_functions_that_are_there(self):
        model = read_header(HEADER)
        unsafe = {f.name for f in model.functions if hazards(model, f)}
        self.assertLessEqual({
            "netcl_kernel_create", "netcl_kernel_launch", "netcl_kernel_launch_by_name",
            "netcl_kernel_time", "netcl_kernel_autotune", "netcl_tuner_add",
            "netcl_benchmark_time_kernel", "netcl_tensor_create", "netcl_pool_allocate",
            "netcl_buffer_create_pinned", "netcl_buffer_create_zero_copy", "netcl_tensor_read",
            "netcl_tensor_write", "netcl_tensor_create_from_host", "netcl_tensor_create_from_cl",
            "netcl_tensor_create_from_dlpack"}, unsafe)
        self.assertFalse(unsafe & {f.name for f in model.functions if f.kind == "op"})
        text = self.rust(model, "kernel")
        self.assertIn("pub unsafe fn from_binary(", text)
        self.assertIn("trust_binary: bool", text)
        self.assertIn("pub unsafe fn from_il(", text)
        self.assertNotIn("binary", re.search(r"pub struct KernelOptions.*?\n}", self.rust(
            model, "options"), re.S).group(0))
        self.assertIn("pub unsafe fn time_kernel_with(", self.rust(model, "benchmark"))

    @staticmethod
    def rust(model, file):
        from backends import _rust_members, _rust_safe
        part = _rust_members if file == "options" else _rust_safe
        return part.files(model)[file + ".rs"]


class Refusals(unittest.TestCase):
    """A new op is called by a test of each binding, with a closed object in each place."""

    FILES = {"go": "zz_refusals_test.go", "rust": "netcl/tests/generated/main.rs",
             "julia": "test/generated/refusals.jl", "cpp": "tests/cpp/generated/refusals.hpp"}
    OUT = "const netcl_run_options *run, netcl_tensor **result"

    def written(self, name, params):
        import importlib
        made = with_addition(function(
            params + ", " + self.OUT, "It. @param[out] result one").replace("tensor_test", "op_test"))
        with tempfile.TemporaryDirectory() as folder:
            importlib.import_module("backends." + name).write(made, folder)
            with open(os.path.join(folder, self.FILES[name]), encoding="utf-8") as file:
                return file.read()

    def test_each_object_of_a_new_op_is_closed_once(self):
        import generate
        self.assertEqual(sorted(self.FILES), generate.back_ends())
        wanted = {"go": "netcl.OpTest(live, []*netcl.Tensor{closedTensor}, 1, []int{1}, run)",
                  "rust": "op::test(live, &[released_tensor], 1, &[1], run());",
                  "julia": "Netcl.op_test(live, (closed_tensor,), 1, (1,))",
                  "cpp": "op::test(live, {closed_tensor}, 1, {1}, netcl::run_options());"}
        places = ("x", "others[0]", "run->queue", "run->into", "waits[0]", "run->graph")
        for name, call in wanted.items():
            with self.subTest(back_end=name):
                text = self.written(name, "netcl_tensor *x, netcl_tensor *const *others, uint32_t "
                                    "others_count, int32_t axis, const int64_t *sizes, uint32_t "
                                    "sizes_count")
                self.assertIn(call, text)
                own = text[re.search(r"OpTest|op::test|op_test", text).start():]
                found = re.findall(r'"([^" ]+)"', own)
                if name == "go":  # Its messages have the names of its fields.
                    self.assertIn("run.Into", found)
                    found = [place.replace(".", "->").lower() for place in found]
                self.assertEqual(tuple(found), places)

    def test_what_no_value_is_known_for_is_said(self):
        for params, said in (("netcl_tensor *x, void *data, size_t data_size", "role data_out"),
                             ("netcl_kernel *kernel", "a netcl_kernel")):
            for name in self.FILES:
                with self.subTest(back_end=name, params=params), \
                        self.assertRaisesRegex(SystemExit, f"netcl_op_test, .*{said}"):
                    self.written(name, params)


class Lock(unittest.TestCase):
    def test_it_holds_symbols_constants_and_layouts(self):
        lock = lock_of(read_header(os.path.abspath(HEADER)))
        self.assertEqual(lock["enums"]["netcl_status"]["values"]["NETCL_ERROR_TIMEOUT"], -14)
        self.assertEqual(lock["structs"]["netcl_arg"]["size"], 64)
        self.assertEqual(lock["structs"]["netcl_range"]["members"]["step"]["offset"], 16)
        self.assertEqual(lock["functions"]["netcl_device_pop"]["params"], [])

    def test_a_change_fails_the_check(self):
        with open(HEADER, encoding="ascii") as file:
            header = file.read()
        for old, new in (("NETCL_F64 = 4", "NETCL_F64 = 40"),
                         ("int64_t step;", "uint64_t step;"),
                         ("netcl_device_pop(void)", "netcl_device_pop(uint32_t times)"),
                         ("#define NETCL_RANK_MAX 8", "#define NETCL_RANK_MAX 9")):
            with self.subTest(new=new), tempfile.TemporaryDirectory() as folder:
                self.assertIn(old, header)
                path = os.path.join(folder, "netcl.h")
                with open(path, "w", encoding="ascii") as file:
                    file.write(header.replace(old, new, 1))
                done = subprocess.run([sys.executable, os.path.join(HERE, "generate.py"),
                                       "--check", "--header", path], capture_output=True,
                                      text=True, check=False)
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertIn("netcl.json", done.stderr)

    def test_a_struct_keeps_the_size_of_its_first_release(self):
        model = read_header(os.path.abspath(HEADER))
        kept = lock_of(model)
        run, arg = model.struct("netcl_run_options"), model.struct("netcl_arg")
        first = run.size
        run.members.append(replace(run.members[0], name="grown", offset=first))
        run.size = first + 8
        self.assertEqual(first_sizes(model, kept)["netcl_run_options"], first)
        grown = lock_of(model, kept)
        self.assertEqual(grown["structs"]["netcl_run_options"]["first_size"], first)
        self.assertEqual(grown["structs"]["netcl_run_options"]["size"], first + 8)
        # It is kept over further locks, and a struct that no lock knows gets today's size.
        self.assertEqual(lock_of(model, grown), grown)
        self.assertEqual(lock_of(model)["structs"]["netcl_run_options"]["first_size"], first + 8)

        def refused(text):
            with self.assertRaises(HeaderError) as caught:
                first_sizes(model, grown)
            self.assertIn(text, str(caught.exception))

        run.members[1], moved = replace(run.members[1], offset=4), run.members[1]
        refused("netcl_run_options has members that moved")
        run.members[1] = moved
        run.size = first - 8
        refused(f"netcl_run_options has {first - 8} bytes, less than the {first}")
        run.size = first
        first_sizes(model, grown)
        arg.size = 72
        refused("netcl_arg travels in arrays and is frozen at 64 bytes; it has 72 now")

    def test_two_runs_write_the_same(self):
        first = write_lock(read_header(os.path.abspath(HEADER)))
        self.assertEqual(first, write_lock(read_header(os.path.abspath(HEADER))))


if __name__ == "__main__":
    unittest.main()
