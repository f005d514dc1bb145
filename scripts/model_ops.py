#!/usr/bin/env python3
"""Writes the list of ops in docs/models.md from the table in src/model: model_ops.py [--check]

With --check nothing is written, and the exit status is 1 when the list is out of date.
"""

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BEGIN, END = "<!-- ops -->\n", "<!-- end of ops -->\n"
ROW = re.compile(r'\{"(\w+)",\s*("[^"]*"(?:\s*"[^"]*")*|k\w+),\s*(?:build_\w+|nullptr)')


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def families():
    """(name, ops) of each family, in the order of op_families."""
    table = read("src/model/op_table.cpp")
    for name, rows in re.findall(r'\{"(\w+)", (\w+)_rows\(\)\}', table):
        code = read(f"src/model/ops_{rows}.cpp")
        ops = sorted({found[0] for found in ROW.findall(code)})
        rows_there = code.count('\n    {"', code.index("constexpr OpRow"))
        if len(ops) != rows_there:
            sys.exit(f"src/model/ops_{rows}.cpp: {rows_there} rows, of which {len(ops)} were read")
        yield name, ops


def main():
    count, lines = 0, []
    for name, ops in families():
        count += len(ops)
        lines.append(f"| {name} | {', '.join(ops)} |\n")
    text = f"{count} ops:\n\n| family | ops |\n|---|---|\n" + "".join(lines)
    path = os.path.join(ROOT, "docs", "models.md")
    before = read("docs/models.md")
    first, last = before.index(BEGIN) + len(BEGIN), before.index(END)
    after = before[:first] + text + before[last:]
    if "--check" in sys.argv[1:]:
        if after != before:
            sys.exit("the list of ops in docs/models.md is out of date: scripts/model_ops.py")
        print(f"{count} ops")
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write(after)


if __name__ == "__main__":
    main()
