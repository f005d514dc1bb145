#!/usr/bin/env python3
"""Compiles and runs the programs in docs/cpp.md: docs.py ROOT LIBRARY [COMPILER]

Where a comment stands after the last printf of a program, such as `// 7`, it has to print that,
unless it says that the built-in device cannot.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile


def programs(path):
    with open(path, encoding="utf-8") as file:
        return re.findall(r"```cpp( expected)?\n(.*?)```", file.read(), re.S)


def run(number, code, expected, root, library, compiler):
    flags = ["-fno-exceptions"] if expected else []
    with tempfile.TemporaryDirectory() as folder:
        source, made = os.path.join(folder, "program.cpp"), os.path.join(folder, "program")
        with open(source, "w", encoding="utf-8") as file:
            file.write(code)
        subprocess.run([compiler, "-std=c++17", *flags, "-Wall", "-Wextra", "-Wconversion",
                        "-Werror", "-I" + os.path.join(root, "include"), source, "-o", made,
                        library,
                        "-Wl,-rpath," + os.path.dirname(library)], check=True)
        printed = subprocess.run([made], check=True, stdout=subprocess.PIPE).stdout.decode()
    wanted = re.findall(r'std::printf\(.*\);  // ([-\d. e]+)$', code, re.M)
    print(f"program {number}: {printed.strip()}")
    if not printed.strip():
        return 1
    if wanted and wanted[-1].split() != printed.split() and "built-in" not in printed:
        print(f"   which should be {wanted[-1]}")
        return 1
    return 0


def main():
    root, library = sys.argv[1:3]
    compiler = sys.argv[3] if len(sys.argv) > 3 else "c++"
    if not shutil.which(compiler):
        print("skipped: there is no compiler of C++")
        sys.exit(77)
    found = programs(os.path.join(root, "docs", "cpp.md"))
    wrong = sum(run(n, code, expected, root, library, compiler)
                for n, (expected, code) in enumerate(found, 1))
    sys.exit(1 if wrong or len(found) < 5 else 0)


if __name__ == "__main__":
    main()
