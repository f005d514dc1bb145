#!/usr/bin/env python3
"""What netcl.hpp costs over netcl.h: cost.py INCLUDE [COMPILER...]

Compiles cost.cpp and compares, for each pair of functions in it, the way that a call which succeeds
takes: instructions up to the first return and what is called on the way. Cold code, which throws,
lies behind it. netcl.hpp has to call what C calls, and to take at most SLACK instructions more.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# Compilers choose registers and save them in other ways where code can throw.
SLACK = 4
STANDARDS = ("c++17", "c++20")


def functions(path):
    """The instructions of each function, in order."""
    text = subprocess.run(["objdump", "-dr", "--no-show-raw-insn", path], check=True,
                          stdout=subprocess.PIPE).stdout.decode()
    found = {}
    for block in re.split(r"\n(?=[0-9a-f]+ <)", text):
        head = re.match(r"[0-9a-f]+ <(\w+)>:\n", block)
        if head:
            found[head[1]] = block[head.end():].splitlines()
    return found


def straight(lines):
    """(instructions, calls) up to the first return."""
    count, calls = 0, []
    for line in lines:
        target = re.search(r"R_\w+\s+(\w+)", line)
        if target:
            if calls and calls[-1] is None:
                calls[-1] = target[1]
            continue
        parts = line.split("\t")
        if len(parts) < 2 or not parts[1].strip():
            continue
        operation = parts[1].split()[0]
        if operation in ("nop", "nopw", "nopl", "endbr64", "bti", "paciasp"):
            continue
        count += 1
        if operation in ("call", "callq", "bl"):
            calls.append(None)
        if operation in ("ret", "retq"):
            break
    return count, calls


def compare(compiler, standard, include, folder):
    made = os.path.join(folder, "cost.o")
    subprocess.run([compiler, f"-std={standard}", "-O2", "-Wall", "-Wextra", "-Werror",
                    f"-I{include}", "-c", os.path.join(HERE, "cost.cpp"), "-o", made], check=True)
    found = functions(made)
    wrong = 0
    for name in sorted(n[2:] for n in found if n.startswith("c_")):
        plain, plain_calls = straight(found["c_" + name])
        ours, our_calls = straight(found["cpp_" + name])
        bad = ours > plain + SLACK or plain_calls != our_calls
        wrong += bad
        print(f"{compiler} {standard} {name:8} C {plain:4} instructions, C++ {ours:4}, "
              f"{len(our_calls)} calls{'  WRONG: ' + str((plain_calls, our_calls)) if bad else ''}")
    if len([n for n in found if n.startswith("c_")]) < 5:
        raise SystemExit(f"only {sorted(found)} were found")
    return wrong


def main():
    compilers = [c for c in sys.argv[2:] or ("g++", "clang++") if shutil.which(c)]
    if not compilers:
        print("skipped: there is no compiler of C++")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        wrong = sum(compare(c, s, sys.argv[1], folder) for c in compilers for s in STANDARDS)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
