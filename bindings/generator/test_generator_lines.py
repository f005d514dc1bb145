"""Tests of what a new op changes. They run with those of test_generator.py."""

import difflib
import os
import tempfile
import unittest

from additions import HEADER
from reader import read_header

BEFORE = "/** Adds a reference. */\nNETCL_API netcl_status netcl_graph_retain("
OP = ("typedef struct netcl_sharpen_options {\n  size_t struct_size;\n"
      "  uint32_t has_sharpen; /**< @flag amount is set */\n  uint32_t reserved;\n"
      "} netcl_sharpen_options;\n"
      "#define NETCL_SHARPEN_OPTIONS_INIT { sizeof(netcl_sharpen_options), 0, 0 }\n\n"
      "/**\n * Sharpens an image.\n * @param[out,opt] sharpened one reference\n */\n"
      "NETCL_API netcl_status netcl_op_sharpen(netcl_tensor *x, const netcl_sharpen_options "
      "*options, const netcl_run_options *run, netcl_tensor **sharpened);\n\n")


class Items(unittest.TestCase):
    def test_what_a_line_begins_with_is_no_item_of_a_list(self):
        from backends._julia_names import docstring
        from backends._rust_names import comment
        for word in ("-", "+", "1)", "0."):
            firsts = set()
            for length in range(70, 100):
                text = "x" * length + f" {word} z"
                for line in comment(text) + docstring("", text, rows=[text]):
                    self.assertNotRegex(line, r"^(///)? *(\d+[.)]|[-+]) ")
                    firsts.add(line.lstrip("/ ").split(" ")[0])
            for slashes in ("\\", "\\\\"):
                self.assertIn(word[:-1] + slashes + word[-1], firsts)


class OwnLines(unittest.TestCase):
    """An op in the middle of the header changes only its own lines of what is generated."""

    def written(self, text):
        import generate
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "netcl.h")
            with open(path, "w", encoding="ascii") as file:
                file.write(text)
            generate.write_all(read_header(path), generate.back_ends(), folder, {})
            os.unlink(path)
            found = {}
            for place, _, files in os.walk(folder):
                for name in files:
                    with open(os.path.join(place, name), encoding="utf-8") as file:
                        found[os.path.relpath(os.path.join(place, name), folder)] = \
                            file.read().splitlines()
        return found

    def test_an_op_changes_only_its_own_lines(self):
        with open(HEADER, encoding="ascii") as file:
            header = file.read()
        self.assertEqual(header.count(BEFORE), 1)
        old = self.written(header)
        new = self.written(header.replace(BEFORE, OP + BEFORE))
        self.assertEqual(sorted(old), sorted(new))
        seen = set()
        for path in sorted(old):
            blocks = difflib.SequenceMatcher(None, old[path], new[path], autojunk=False)
            for kind, first, last, begin, end in blocks.get_opcodes():
                if kind == "equal":
                    continue
                with self.subTest(path=path, line=begin + 1):
                    self.assertEqual(old[path][first:last], [], "lines of others changed")
                    added = "\n".join(new[path][begin:end])
                    self.assertIn("sharpen", added.lower())
                    seen.add(path.split("/")[0] + "/" + path.split("/")[1])
        self.assertEqual(seen, {"tests/abi", "src/api", "tests/first_sizes.h", "bindings/go",
                                "bindings/rust", "bindings/julia", "include/netcl", "tests/cpp"})

