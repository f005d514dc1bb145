#!/usr/bin/env python3
"""Compiles the programs in C++ on all pages, and runs each on the first device and on the built-in
one alone: docs.py ROOT LIBRARY [COMPILER]

Where a comment stands after the last printf of a program, such as `// 7`, it has to print that,
unless it says that the built-in device cannot; and it has to print what `// prints: ` says.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

# The pages that have programs, with the least number on each; any other may have some too.
PAGES = {"docs/cpp.md": 4, "docs/start/cpp.md": 4}


def pages(root):
    yield "README.md"
    for folder, _, names in sorted(os.walk(os.path.join(root, "docs"))):
        for name in sorted(names):
            if name.endswith(".md"):
                yield os.path.relpath(os.path.join(folder, name), root)


def programs(path):
    """Blocks that no other test runs: scripts/docs_snippets.py knows these by the mark before."""
    with open(path, encoding="utf-8") as file:
        found = re.findall(r"(<!-- (?:snippet|not run): [^>]*-->\n\n?)?"
                           r"^```cpp( expected)?\n(.*?)^```", file.read(), re.S | re.M)
    return [(expected, code) for mark, expected, code in found if not mark]


def compiled(code, expected, folder, root, library, compiler):
    flags = ["-fno-exceptions"] if expected else []
    source, made = os.path.join(folder, "program.cpp"), os.path.join(folder, "program")
    with open(source, "w", encoding="utf-8") as file:
        file.write(code)
    subprocess.run([compiler, "-std=c++17", *flags, "-Wall", "-Wextra", "-Wconversion", "-Werror",
                    "-I" + os.path.join(root, "include"), source, "-o", made, library,
                    "-Wl,-rpath," + os.path.dirname(library)], check=True)
    return made


def run(name, code, made, environment):
    """1 when the program does not print what its comments say."""
    printed = subprocess.run([made], check=True, stdout=subprocess.PIPE,
                             env={**os.environ, **environment}).stdout.decode()
    wanted = re.findall(r'std::printf\([^;]*\);  // ([-\d. e]+)$', code, re.M)
    print(f"{name}: {printed.strip()}")
    if not printed.strip():
        return 1
    for text in re.findall(r"// prints: (.*)$", code, re.M):
        if text not in printed:
            print(f"   which should have {text}")
            return 1
    if wanted and wanted[-1].split() != printed.split() and "built-in" not in printed:
        print(f"   which should be {wanted[-1]}")
        return 1
    return 0


def check(name, code, expected, *build):
    with tempfile.TemporaryDirectory() as folder:
        made = compiled(code, expected, folder, *build)
        return (run(name, code, made, {}) +
                run(name + ", built-in", code, made, {"NETCL_BACKEND": "builtin"}))


def main():
    root, library = sys.argv[1:3]
    compiler = sys.argv[3] if len(sys.argv) > 3 else "c++"
    if not shutil.which(compiler):
        print("skipped: there is no compiler of C++")
        sys.exit(77)
    wrong = 0
    for page in pages(root):
        found = programs(os.path.join(root, page))
        wrong += len(found) < PAGES.get(page, 0)
        wrong += sum(check(f"{page} {n}", code, expected, root, library, compiler)
                     for n, (expected, code) in enumerate(found, 1))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
