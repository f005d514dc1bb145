"""Tests of what the generator writes for Go. They run with those of test_generator.py."""

import os
import tempfile
import unittest

from additions import function, numbered, with_addition


class Go(unittest.TestCase):
    """What the header does not use yet, so that no test of the binding itself reaches it."""

    def written(self, text):
        from backends import go
        with tempfile.TemporaryDirectory() as folder:
            go.write(with_addition(text), folder)
            found = {}
            for name in os.listdir(folder):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    found[name] = file.read()
        return found

    def test_callbacks_are_called_during_the_call_or_left_out(self):
        found = self.written(
            "/** Tells how far it is. */\n"
            "typedef void (*netcl_step_fn)(const netcl_log_record *record, const char *name, "
            "uint64_t step, void *user_data);\n" +
            function("netcl_tensor *tensor, netcl_step_fn fn, void *user_data") +
            function("netcl_tensor *tensor, netcl_step_fn fn, void *user_data, "
                     "netcl_destroy_fn destroy").replace("_test", "_test2"))
        self.assertIn("type StepFunc func(record *LogRecord, name string, step uint64)",
                      found["zz_callbacks.go"])
        self.assertIn("func (t *Tensor) Test(fn StepFunc) error", found["zz_tensor.go"])
        self.assertNotIn("Test2", found["zz_tensor.go"])
        self.assertIn('"netcl_tensor_test2":', found["zz_counts.go"])

    def test_calls_are_recorded_unless_they_refuse_graphs(self):
        found = self.written("")["zz_calls.c"]

        def body(name):
            return found[found.index(f" {name}("):].split("\n}")[0]

        for name in ("netclgo_op_softmax", "netclgo_kernel_launch", "netclgo_group_all_reduce"):
            self.assertIn("netclgo_run(&run);", body(name))
        for name in ("netclgo_graph_run", "netclgo_kernel_time", "netclgo_sharded_softmax",
                     "netclgo_group_send"):
            self.assertNotIn("netclgo_run(&run);", body(name))
        # What a function of a graph or a primitive calls is recorded as its own call is.
        self.assertIn("netclgo_record((uintptr_t)call->run->graph)", body("netclgo_call_graph_fn"))

    def test_options_say_of_which_ops_they_are(self):
        found = self.written("")["zz_op_options.go"]
        self.assertIn("// WithAxes sets Axes of Reduce", found)
        self.assertIn("func (v withBias) toMatmul(", found)
        self.assertNotIn("where their struct says", found)

    def test_comments_have_no_heads_of_sections_and_no_members_of_c(self):
        for name, text in self.written("").items():
            if name.endswith(".go"):
                self.assertNotIn("----", text, name)
                comments = "\n".join(line for line in text.splitlines()
                                     if line.strip().startswith("//"))
                self.assertNotRegex(comments, r"\bhas_\w+|_count (is )?0", name)

    CALL = (
        "/** A call. */\n"
        "typedef struct netcl_step_call {\n  size_t struct_size;\n"
        "  netcl_tensor *const *inputs; /**< of it */\n  const netcl_run_options *run; /**< how */\n"
        "  uint32_t inputs_count;\n  uint32_t made_count; /**< of made */\n"
        "} netcl_step_call;\n"
        "#define NETCL_STEP_CALL_INIT { sizeof(netcl_step_call), NULL, NULL, 0, 0 }\n"
        "/** Makes a step. */\n"
        "typedef netcl_status (*netcl_step_fn)(const netcl_step_call *call, netcl_tensor **made, "
        "void *user_data);\n")
    KEEPS = function("netcl_tensor *tensor, netcl_step_fn step, void *user_data, "
                     "netcl_destroy_fn destroy",
                     "It. @param[destroyed] user_data destroyed once, also when this call fails")

    def test_functions_that_make_tensors_are_kept(self):
        found = self.written(self.CALL + self.KEEPS)
        self.assertIn("type StepFunc func(call *StepCall) ([]*Tensor, error)",
                      found["zz_callbacks.go"])
        self.assertIn("int(call.made_count)", found["zz_callbacks.go"])
        self.assertNotIn("MadeCount", found["zz_callbacks.go"])
        self.assertIn("func (t *Tensor) Test(step StepFunc) error", found["zz_tensor.go"])

    def test_functions_that_make_tensors_need_an_extent_and_an_end(self):
        with self.assertRaisesRegex(SystemExit, "netcl_step_fn: made has no extent"):
            self.written(self.CALL.replace("made_count", "other_count")
                         .replace("other_count; /**< of made", "others; /**< of made") + self.KEEPS)
        with self.assertRaisesRegex(SystemExit, "also when this call fails"):
            self.written(self.CALL + self.KEEPS.replace("[destroyed]", ""))

    def test_outputs_of_every_kind_have_a_form(self):
        outs = numbered((
            function("const netcl_tensor *tensor, netcl_tensor **parts, uint32_t capacity, "
                     "uint32_t *count", "It. @param[out] parts one reference each"),
            function("const netcl_tensor *tensor, double *times, uint32_t times_count",
                     "It. @param[out] times all"),
            function("const netcl_tensor *tensor, netcl_range *range",
                     "It. @param[out] range one"),
            function("const netcl_tensor *tensor, uint64_t *spent_ns",
                     "It. @param[out] spent_ns the time"),
            function("const netcl_tensor *tensor, uint64_t timeout_ns, char *buffer, "
                     "size_t capacity, size_t *length", "It. @param[out] buffer the text")))
        found = self.written(outs)["zz_tensor.go"]
        for wanted in ("Test0() ([]*Tensor, error)", "Test1(times []float64) error",
                       "Test2() (Range, error)", "Test3() (time.Duration, error)",
                       "Test4(ctx context.Context) (string, error)"):
            self.assertTrue(wanted in found, wanted)

    def test_a_struct_in_a_struct_lies_in_memory_of_c_where_it_points_on(self):
        found = self.written(
            "/** Inner. */\ntypedef struct netcl_in_options { size_t struct_size; "
            "const char *name; const int64_t *sizes; uint64_t sizes_count; } netcl_in_options;\n"
            "#define NETCL_IN_OPTIONS_INIT { sizeof(netcl_in_options), NULL, NULL, 0 }\n"
            "/** Outer. */\ntypedef struct netcl_out_options { size_t struct_size; "
            "const netcl_in_options *in; } netcl_out_options;\n"
            "#define NETCL_OUT_OPTIONS_INIT { sizeof(netcl_out_options), NULL }\n" +
            function("netcl_tensor *tensor, const netcl_out_options *options"))
        self.assertIn("before := k.deepen(true)", found["zz_options.go"])

    def test_options_of_an_op_are_functions_that_only_it_takes(self):
        found = self.written(
            "/** Of it. */\ntypedef struct netcl_test_options {\n  size_t struct_size;\n"
            "  double amount;\n  double low;\n  double high;\n"
            "  uint32_t has_amount; /**< @flag it is set */\n"
            "  uint32_t has_bounds; /**< @flag[low,high] they are set */\n} netcl_test_options;\n"
            "#define NETCL_TEST_OPTIONS_INIT { sizeof(netcl_test_options), 0, 0, 0, 0, 0 }\n" +
            function("netcl_tensor *x, const netcl_test_options *options, "
                     "const netcl_run_options *run, netcl_tensor **result",
                     "Tests, see netcl_op_softmax. run->into may be NULL, \"ij->ji\" too. "
                     "@param[out,opt] result one reference").replace("tensor_test(", "op_test("))
        options, methods = found["zz_op_options.go"], found["zz_op_methods.go"]
        self.assertIn("func (t *Tensor) Test(options ...TestOption) (*Tensor, error)", methods)
        self.assertIn("func WithAmount(amount float64) withAmount {", options)
        self.assertIn("func (v withAmount) toTest(o *TestOptions, _ *RunOptions) {\n"
                      "\to.Amount = v.v0\n\to.HasAmount = true\n}", options)
        self.assertIn("func WithBounds(low, high float64) withBounds {", options)
        self.assertIn("// OpTest tests, see OpSoftmax. run.Into may be nil, \"ij->ji\" too.",
                      found["zz_ops.go"])

    def test_files_of_an_older_header_are_found(self):
        import generate
        with tempfile.TemporaryDirectory() as made, tempfile.TemporaryDirectory() as kept:
            for name in ("zz_old.go", "zz_new.go", "by_hand.go"):
                with open(os.path.join(kept, name), "w", encoding="utf-8"):
                    pass
            with open(os.path.join(made, "zz_new.go"), "w", encoding="utf-8"):
                pass
            self.assertEqual(generate.stale(made, kept), ["zz_old.go"])
