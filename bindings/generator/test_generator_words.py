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


def header():
    """The header without its comments."""
    with open(os.path.join(BINDINGS, "go", "zz_netcl.h"), encoding="utf-8") as file:
        return re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)


def snakes(code):
    return set(re.findall(r"\b(?!netcl_)[a-z]+(?:_[a-z0-9]+)+\b", code))


def numbers():
    """The parameters of each function of C that are numbers: sizes, counts, times and others."""
    return {name: set(re.findall(r"(?:^|,)\s*\w+ (\w+)(?=,|$)", params)) for name, params in
            re.findall(r"\b(netcl_\w+)\(([^()]*)\);", header())}


def rust_items():
    """(place, comment as one line, function of C, first line of the item) of each comment."""
    folder = os.path.join(BINDINGS, RUST)
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = file.read()
        for found in re.finditer(r"((?:^ *///.*\n)+)((?: *#\[.*\]\n)*)((?:(?!^ *///)[^{;])*)", text, re.M):
            alias = re.search(r'alias = "(\w+)"', found[2])
            told = re.sub(r"\n *///", " ", "\n" + found[1]).strip()
            place = f"{name}:{text.count(chr(10), 0, found.start()) + 1}"
            yield place, re.sub(r" +", " ", told), alias[1] if alias else "", found[3]


def go_comments():
    """(place, comment as one line) of each comment."""
    lines = list(comments("go", "//", ".go"))
    found = {}
    for (place, line), (before, _) in zip(lines, [("", "")] + lines):
        name, number = place.split(":")
        begins = before != f"{name}:{int(number) - 1}"
        first = place if begins else first
        found[first] = f"{found.get(first, '')} {line.lstrip('/ ')}"
    return found.items()


def julia_docs():
    """(place, comment as one line, function of C, signature) of each docstring."""
    folder = os.path.join(BINDINGS, "julia", "src", "generated")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = file.read().replace("\\\\", "")
        for found in re.finditer(r'^"""\n((?: [^\n]*\n)*)(.*?)^"""$', text, re.M | re.S):
            calls = re.search(r"^Calls `(\w+)`", found[2], re.M)
            place = f"{name}:{text.count(chr(10), 0, found.start()) + 1}"
            yield place, " ".join(found[2].split()), calls[1] if calls else "", found[1]


def in_words():
    """(place, comment) of all languages."""
    for items in (rust_items(), go_comments(), julia_docs()):
        yield from (item[:2] for item in items)


class Words(unittest.TestCase):
    """What is written in the words of C says something that is not so in another language."""

    def refuse(self, pattern, *places):
        lines = [(place, line) for each in places for place, line in comments(*each)]
        self.assertGreater(len(lines), 1000)
        # What stands in quotation marks is a text that is meant as it is.
        self.assertEqual([f"{place}: {line}" for place, line in lines
                          if re.search(pattern, re.sub('"[^"]*"', "", line))], [])

    def test_members_have_the_names_of_the_language(self):
        self.refuse(r"\w-\\?>\w", ("go", "//", ".go"), (RUST, "///", ".rs"))

    def test_go_has_no_names_of_c(self):
        known = snakes(header())
        self.assertGreater(len(known), 200)
        told = [(place, name) for place, line in comments("go", "//", ".go")
                for name in re.findall(r"(?<![\w./\"])[a-z]+(?:_[a-z0-9]+)+(?![\w/\"]|\.\w)", line)
                if name in known]
        self.assertEqual(told, [])

    def test_rust_has_no_names_of_c(self):
        """Neither parameters that a function of Rust does not have, nor members that no type has."""
        self.refuse_names_of_c([(*item, set(re.findall(r"(\w+)\b(?=: |\(|<)", item[3])))
                                for item in rust_items()])

    def test_julia_has_no_names_of_c(self):
        """Nor has Julia; fields are the rows of their type."""
        self.refuse_names_of_c([(*item, set(re.findall(r"\w+", item[3])) |
                                 set(re.findall(r"\* `(\w+)`", item[1]))) for item in julia_docs()])

    def refuse_names_of_c(self, items):
        known, numbers_of = snakes(header()), numbers()
        self.assertGreater(len(items), 500)
        own = {name for *_, names in items for name in names}
        told = []
        for place, text, function, _, given in items:
            words = snakes(re.sub(r"\w+\.rs|\]\([^)]*\)", "", text)) & known
            spoken = set(re.findall(r"`(\w+)`", text)) | words | \
                ({"capacity"} if "apacity" in text else set())
            wrong = spoken & numbers_of.get(function, set()) - given | words - own - given
            told += [(place, name) for name in sorted(wrong)]
        self.assertEqual(told, [])

    def test_truth_values_are_true_and_false(self):
        rust = list(rust_items())
        flags = {name for _, _, _, head in rust for name in re.findall(r"(\w+): bool\b", head)}
        self.assertGreater(len(flags), 80)
        flags |= {"".join(part.capitalize() for part in name.split("_")) for name in flags}
        said = re.compile(rf"\b(?:{'|'.join(flags)})\b\W*(?:\]\(\w+\))?"
                          r" (?:(?:is|=|must be) [01]\b(?!\.?\d)|0 )|Flags are 0|\* `\w+`: 1: ")
        self.assertEqual([place for place, text in in_words() if said.search(text)], [])

    def test_lists_know_how_many_they_hold(self):
        self.assertEqual([place for place, text in in_words() if re.search(
            r"apacity below|[a-z]_?[Cc]ount (is )?0\b", text)], [])

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
