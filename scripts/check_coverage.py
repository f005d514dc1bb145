#!/usr/bin/env python3
"""Checks docs/coverage.md against the tree: check_coverage.py ROOT

Every function it names is declared in the header, every test exists, every function of the header
is used by a test, and every ID from 1 to the last of its letter has a row.
"""

import os
import re
import sys

from netcl_header import Header

LAST = {"D": 9, "T": 8, "M": 13, "B": 9, "C": 7, "K": 11, "V": 8, "O": 2, "E": 7, "P": 5, "A": 8,
        "R": 3, "G": 1, "F": 5, "X": 7, "N": 18}
# Tests that are registered under a name of their own instead of tests/test_NAME.c.
OTHER_TESTS = {"package", "symbols_shared", "symbols_static", "tool_info", "tool_selftest",
               "every test"}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def expand(text):
    """The IDs of a cell such as "P1-P3, P5"."""
    for part in text.split(","):
        match = re.fullmatch(r"\s*([A-Z])(\d+)(?:-\1(\d+))?\s*", part)
        if match:
            letter, first, last = match.groups()
            for number in range(int(first), int(last or first) + 1):
                yield f"{letter}{number}"


def main():
    root = sys.argv[1]
    declared = set(Header(os.path.join(root, "include", "netcl.h")).functions)
    tests = os.path.join(root, "tests")
    names = {re.sub(r"^test_|\.\w+$", "", name)
             for folder in (tests, os.path.join(tests, "fake_cl")) for name in os.listdir(folder)
             if name.startswith("test_")}
    errors = []
    seen = set()
    for line in read(os.path.join(root, "docs", "coverage.md")).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        ids = list(expand(cells[0])) if line.startswith("|") and len(cells) == 5 else []
        if not ids:
            continue
        seen.update(ids)
        for function in re.findall(r"`(netcl_\w+)`", cells[2]):
            if function not in declared:
                errors.append(f"{cells[0]}: {function} is not declared")
        for test in filter(None, (name.strip() for name in cells[3].split(","))):
            if test not in names and test not in OTHER_TESTS:
                errors.append(f"{cells[0]}: there is no test {test}")
        if not re.match(r"C$|partly: .|later: .", cells[4]):
            errors.append(f"{cells[0]}: state \"{cells[4]}\"")
        if cells[4] == "C" and not cells[3]:
            errors.append(f"{cells[0]}: no test")
    for letter, last in LAST.items():
        errors += [f"{letter}{number} has no row" for number in range(1, last + 1)
                   if f"{letter}{number}" not in seen]
    used = "".join(read(os.path.join(tests, name)) for name in os.listdir(tests)
                   if name.endswith((".c", ".cpp", ".h")))
    errors += [f"{name} is used by no test" for name in sorted(declared)
               if not re.search(rf"\b{name}\b", used)]
    print("\n".join(errors + [f"{len(seen)} promises, {len(errors)} errors"]))
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
