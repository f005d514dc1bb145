#!/usr/bin/env python3
"""Writes the bindings and the API lock from include/netcl.h.

generate.py            writes everything
generate.py --check    writes nothing; exits with 1 and names the files that would change
generate.py rust       only these back ends (and the lock)
generate.py --list     prints the model, one function per line, for those who write a back end
"""

import argparse
import difflib
import importlib
import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from lock import first_sizes, read_lock, write_first_sizes, write_lock  # noqa: E402
from model import HeaderError  # noqa: E402
from reader import read_header  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(HERE))
LOCK = os.path.join("tests", "abi", "netcl.json")
FIRST_SIZES = {os.path.join("src", "api", "first_sizes.hpp"): "c++",
               os.path.join("tests", "first_sizes.h"): "c"}


def back_ends():
    """Each file backends/NAME.py is one; see folders_of."""
    names = sorted(os.listdir(os.path.join(HERE, "backends")))
    return [n[:-3] for n in names if n.endswith(".py") and not n.startswith("_")]


def back_end(name):
    return importlib.import_module("backends." + name)


def folders_of(name):
    """Where a back end writes: bindings/NAME, or what its FOLDERS say."""
    return getattr(back_end(name), "FOLDERS", (os.path.join("bindings", name),))


def differences(made, kept):
    """Compares the generated files with those in the tree; says what differs."""
    found = []
    for folder, _, files in os.walk(made):
        for name in sorted(files):
            new = os.path.join(folder, name)
            path = os.path.relpath(new, made)
            found += compare(new, os.path.join(kept, path), path)
    return found


def compare(new, old, path):
    with open(new, encoding="utf-8") as file:
        wanted = file.read()
    if not os.path.exists(old):
        return [f"{path} is missing"]
    with open(old, encoding="utf-8") as file:
        present = file.read()
    if wanted == present:
        return []
    lines = list(difflib.unified_diff(present.splitlines(), wanted.splitlines(), "tree", "header",
                                      lineterm="", n=0))[2:14]
    return [f"{path} is not what the header gives:\n  " + "\n  ".join(lines)]


def is_generated(folder, name):
    """Where a package is one folder, as in Go, a prefix says what a folder says elsewhere."""
    return os.path.basename(folder) == "generated" or name.startswith("zz_")


def stale(made, kept):
    """Files that say they are generated but are not any more."""
    found = []
    for folder, folders, files in os.walk(kept):
        folders[:] = [f for f in folders if f not in ("target", ".git")]
        for name in files:
            path = os.path.relpath(os.path.join(folder, name), kept)
            if is_generated(folder, name) and not os.path.exists(os.path.join(made, path)):
                found.append(path)
    return found


def install(made, kept, parts):
    """Copies what changed, so that builds see only real changes."""
    count = 0
    for folder, _, files in os.walk(made):
        for name in files:
            new = os.path.join(folder, name)
            path = os.path.relpath(new, made)
            if compare(new, os.path.join(kept, path), path):
                os.makedirs(os.path.dirname(os.path.join(kept, path)), exist_ok=True)
                shutil.copyfile(new, os.path.join(kept, path))
                count += 1
    for part in parts:
        for path in stale(os.path.join(made, part), os.path.join(kept, part)):
            os.remove(os.path.join(kept, part, path))
            count += 1
    return count


def write_text(folder, path, text):
    os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
    with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
        file.write(text)


def write_all(model, names, folder, kept):
    write_text(folder, LOCK, write_lock(model, kept))
    for path, language in FIRST_SIZES.items():
        write_text(folder, path, write_first_sizes(first_sizes(model, kept), language))
    for name in names:
        own = not hasattr(back_end(name), "FOLDERS")
        target = os.path.join(folder, "bindings", name) if own else folder
        os.makedirs(target, exist_ok=True)
        back_end(name).write(model, target)


def print_model(model):
    for function in model.functions:
        arguments = ", ".join(f"{a.role}:{a.name}{'?' if a.optional else ''}"
                              for a in function.arguments)
        print(f"{function.name}  [{function.kind} {function.owner or '-'}] "
              f"{function.returns}({arguments})")
    for struct in model.structs:
        members = ", ".join(f"{m.role}{'!' if m.flag else ''}:{m.name}" for m in struct.members)
        print(f"{struct.name}  [{struct.kind}, {struct.size} bytes] {members}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("back_ends", nargs="*", metavar="BACK_END")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--header", default=os.path.join(ROOT, "include", "netcl.h"))
    parser.add_argument("--root", default=ROOT, help="the tree to write to or to compare with")
    given = parser.parse_args()
    unknown = [n for n in given.back_ends if n not in back_ends()]
    if unknown:
        sys.exit(f"There is no back end {unknown[0]}; there are {', '.join(back_ends())}.")
    try:
        model = read_header(os.path.abspath(given.header))
        kept = read_lock(os.path.join(given.root, LOCK))
        first_sizes(model, kept)
    except HeaderError as error:
        sys.exit(f"{given.header} holds what is not allowed (see bindings/generator/README.md):"
                 "\n  " + "\n  ".join(error.problems))
    if given.list:
        return print_model(model)
    with tempfile.TemporaryDirectory() as folder:
        names = given.back_ends or back_ends()
        parts = [part for n in names for part in folders_of(n)]
        write_all(model, names, folder, kept)
        if not given.check:
            count = install(folder, given.root, parts)
            kinds = f"{len(model.functions)} functions, {len(model.structs)} structs"
            return print(f"{kinds}; {count} files written for {', '.join(names)}")
        found = differences(folder, given.root)
        for part in parts:
            found += [f"{os.path.join(part, p)} is left over from an older header" for p in
                      stale(os.path.join(folder, part), os.path.join(given.root, part))]
    if found:
        sys.exit("\n".join(found) + "\nRun bindings/generator/generate.py and look at the "
                 "difference: released names, values and layouts must not change.")
    return print(f"{len(model.functions)} functions: the bindings and the API lock are up to date")


if __name__ == "__main__":
    main()
