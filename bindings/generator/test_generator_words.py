"""Tests of the words of generated comments. They run with those of test_generator.py."""

import os
import re
import unittest

BINDINGS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RUST = os.path.join("rust", "netcl", "src", "generated")


def comments(folder, mark, ending):
    """Lines of comments, by the file and the number of the line."""
    folder = os.path.join(BINDINGS, folder)
    for name in sorted(os.listdir(folder)):
        if not name.endswith(ending) or (ending == ".go" and not name.startswith("zz_")):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if re.match(rf"\s*{mark}", line):
                    yield f"{name}:{number}", line.strip()


class Words(unittest.TestCase):
    """What is written in the words of C says something that is not so in another language."""

    def refuse(self, pattern, *places):
        lines = [(place, line) for each in places for place, line in comments(*each)]
        self.assertGreater(len(lines), 1000)
        self.assertEqual([f"{place}: {line}" for place, line in lines if re.search(pattern, line)], [])

    def test_members_have_the_names_of_the_language(self):
        self.refuse(r"\w-\\?>\w", ("go", "//", ".go"), (RUST, "///", ".rs"))

    def test_go_has_no_names_of_c(self):
        with open(os.path.join(BINDINGS, "go", "zz_netcl.h"), encoding="utf-8") as file:
            code = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
        known = set(re.findall(r"\b(?!netcl_)[a-z]+(?:_[a-z0-9]+)+\b", code))
        self.assertGreater(len(known), 200)
        told = [(place, name) for place, line in comments("go", "//", ".go")
                for name in re.findall(r"(?<![\w./\"])[a-z]+(?:_[a-z0-9]+)+(?![\w/\"]|\.\w)", line)
                if name in known]
        self.assertEqual(told, [])

    def test_julia_has_keywords_and_nothing(self):
        folder = os.path.join(BINDINGS, "julia", "src", "generated")
        told = []
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                told += re.findall(r'^"""\n(.*?)^"""$', file.read(), re.M | re.S)
        self.assertGreater(len(told), 500)
        self.assertEqual([text for text in told
                          if re.search(r"(?<!\w)NULL\b|\b(?:options|run)->", text)], [])

    def test_what_a_function_makes_and_its_error_are_returned(self):
        self.refuse(r"holds (nil|`None`) at first|Returns (OK|\[`Status::OK`\])",
                    ("go", "//", ".go"), (RUST, "///", ".rs"))

    def test_no_output_can_be_left_out(self):
        self.refuse(r"(\* Gives `\w+`|- gives \w+): .*; may be (nil|`None`)",
                    ("go", "//", ".go"), (RUST, "///", ".rs"))

    def test_no_line_becomes_an_item_of_a_list(self):
        self.refuse(r"^/// \d+[.)] ", (RUST, "///", ".rs"))
