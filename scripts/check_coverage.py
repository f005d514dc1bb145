#!/usr/bin/env python3
"""Checks docs/coverage.md and the tests against the header: check_coverage.py [ROOT]

Every function it names is declared in the header, every test exists, every function of the header
is used by a test, and every ID from 1 to the last of its letter has a row. Every op stands in it
and in the tables of tests, and every elementwise operator in its list of ONNX names.
"""

import json
import os
import re
import sys

from netcl_header import Header

LAST = {"D": 9, "T": 8, "M": 13, "B": 9, "C": 7, "K": 11, "V": 8, "O": 2, "E": 7, "P": 5, "A": 8,
        "R": 3, "G": 1, "F": 5, "X": 7, "N": 18}
# Tests that are registered under a name of their own instead of tests/test_NAME.c.
OTHER_TESTS = {"package", "symbols_shared", "symbols_static", "tool_info", "tool_selftest",
               "every test"}
# What each op has to stand in, and what is missing where it does not.
OP_FILES = {"docs/coverage.md": "a row under \"Ops by their ONNX names\", with its test",
            "tests/test_options_ops.c": "a row per options struct, and one for how it runs",
            "tests/support_handles_ops.c": "a row with a place for each handle"}
# Where each member of each options struct of an op has a row, and the struct of how ops run, whose
# members are no part of what a call computes.
OPTION_ROWS = "tests/support_replay_rows.h"
# The same for arguments that are numbers.
ARGUMENT_ROWS = "tests/support_replay_arguments.h"
RUN_OPTIONS = "netcl_run_options"
OPERATORS = "src/ops/elementwise/elementwise_op.cpp"
# The functions of expressions, each of which has a row where derivatives are compared.
FUNCTIONS = "src/expression/op.hpp"
DERIVATIVES = "tests/test_differentiate.c"


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


def missing_ops(root, declared):
    for path, what in OP_FILES.items():
        words = set(re.findall(r"\w+", read(os.path.join(root, path))))
        for name in sorted(declared):
            if name.startswith("netcl_op_") and name not in words:
                yield f"{path}: {name} is missing: {what}"


def missing_options(root):
    """Each member of the options of ops, and of the structs they point to, by the API lock."""
    lock = json.loads(read(os.path.join(root, "tests", "abi", "netcl.json")))
    structs = lock["structs"]
    rows = set()
    for struct, member, rest in re.findall(r"\bX\((netcl_\w+), (\w+),(.*?)(?=\bX\(netcl_|\Z)",
                                           read(os.path.join(root, OPTION_ROWS)), re.DOTALL):
        rows.add((struct, member))
        # By itself, or in a function that is told which of the two values it is.
        if not re.search(rf"\bo\.{member}\b.*\bPICK\(|\bwhich\b|\bBY\(", rest, re.DOTALL):
            yield f"{OPTION_ROWS}: the row of {struct}.{member} sets nothing"
    wanted = [name for function, facts in lock["functions"].items()
              if function.startswith("netcl_op_")
              for name in re.findall(r"netcl_\w+", json.dumps(facts))]
    seen = set()
    while wanted:
        name = wanted.pop()
        if name in seen or name == RUN_OPTIONS or structs.get(name, {}).get("kind") != "options":
            continue
        seen.add(name)
        for member, facts in structs[name]["members"].items():
            wanted += re.findall(r"netcl_\w+", facts["type"])
            if member not in ("struct_size", "reserved") and (name, member) not in rows:
                yield f"{OPTION_ROWS}: {name}.{member} has no row"


def missing_arguments(root):
    lock = json.loads(read(os.path.join(root, "tests", "abi", "netcl.json")))
    rows = set(re.findall(r"X\((\w+), (\w+),", read(os.path.join(root, ARGUMENT_ROWS))))
    for function, facts in lock["functions"].items():
        for argument, kind in facts["params"]:
            op = function.removeprefix("netcl_op_")
            if op == function or kind.endswith("*") or re.search("rank|_count$", argument):
                continue
            if (op, argument) not in rows:
                yield f"{ARGUMENT_ROWS}: {argument} of {function} has no row"


def missing_operators(root):
    """The names are those of the library's table, which the compiler compares with the header."""
    names = re.findall(r'\{NETCL_ELEMENTWISE_\w+,\s*"(\w+)"', read(os.path.join(root, OPERATORS)))
    if not names:
        yield f"{OPERATORS}: no row of kOperators was found"
    text = read(os.path.join(root, "docs", "coverage.md"))
    found = re.search(r"^Every elementwise operator of ONNX.*?\n\n", text, re.DOTALL | re.MULTILINE)
    words = set(re.findall(r"\w+", found.group(0))) if found else set()
    for name in names:
        if name not in words:
            yield f"docs/coverage.md: the elementwise operator {name} is missing in the list of " \
                "ONNX names"


def missing_derivatives(root):
    names = re.findall(r'X\(\w+, +"(\w+)",', read(os.path.join(root, FUNCTIONS)))
    if not names:
        yield f"{FUNCTIONS}: no row of NETCL_EXPRESSION_OPS was found"
    # A row of its own: one call, of inputs, numbers and integers made of an input.
    rows = set(re.findall(r'\{"(?:v0 [*+] )?(\w+)\([^()"]*(?:i32\(v\d\))?[^()"]*\)"',
                          read(os.path.join(root, DERIVATIVES))))
    for name in names:
        if name not in rows:
            yield f"{DERIVATIVES}: the function {name} of expressions has no row"


def main():
    own = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    root = sys.argv[1] if len(sys.argv) > 1 else own
    if len(sys.argv) > 2 or not os.path.isdir(root):
        print("usage: check_coverage.py [ROOT], the folder that has include, docs and tests",
              file=sys.stderr)
        sys.exit(2)
    declared = set(Header(os.path.join(root, "include", "netcl.h")).functions)
    tests = os.path.join(root, "tests")
    names = {re.sub(r"^test_|\.\w+$", "", name)
             for folder in (tests, os.path.join(tests, "fake_cl"), os.path.join(tests, "mpi"))
             for name in os.listdir(folder)
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
                errors.append(f"docs/coverage.md: {cells[0]}: {function} is not declared")
        for test in filter(None, (name.strip() for name in cells[3].split(","))):
            if test not in names and test not in OTHER_TESTS:
                errors.append(f"docs/coverage.md: {cells[0]}: there is no test {test}")
        if not re.match(r"C$|partly: .|later: .", cells[4]):
            errors.append(f"docs/coverage.md: {cells[0]}: state \"{cells[4]}\"")
        if cells[4] == "C" and not cells[3]:
            errors.append(f"docs/coverage.md: {cells[0]}: no test")
    for letter, last in LAST.items():
        errors += [f"docs/coverage.md: {letter}{number} has no row" for number in range(1, last + 1)
                   if f"{letter}{number}" not in seen]
    used = {word for name in os.listdir(tests) if name.endswith((".c", ".cpp", ".h"))
            for word in re.findall(r"\w+", read(os.path.join(tests, name)))}
    errors += [f"tests: {name} is used by no test" for name in sorted(declared - used)]
    errors += missing_ops(root, declared)
    errors += missing_operators(root)
    errors += missing_options(root)
    errors += missing_arguments(root)
    errors += missing_derivatives(root)
    print("\n".join(errors + [f"{len(seen)} promises, {len(errors)} errors"]))
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
