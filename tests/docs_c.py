#!/usr/bin/env python3
"""Compiles the blocks of C in the articles and runs those that are whole on each device:
docs_c.py ROOT LIBRARY DEVICE...

A block is one of these:
- behind `<!-- snippet: PATH -->` it is what a file has (scripts/docs_snippets.py);
- behind `<!-- given: DECLARATIONS -->` it is a fragment, which is compiled with these declarations
  and those of the blocks before it in its article, but not run;
- behind `<!-- not compiled: REASON -->` it is left out;
- one that begins with #include is a file, which is compiled;
- any other is run, with the helpers of the cookbook and an open `device`.
What calls netcl by four columns in place of a fence is refused.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(?:<!-- (given|snippet|not compiled): ?((?:(?!-->).)*?) ?-->\n\n)?"
                   r"```c\n(.*?)\n```$", re.S | re.M)
CALL = re.compile(r"^ {4}(?=\S).*\bnetcl_\w+\(")
FLAGS = ["-std=gnu17", "-O0", "-Wall", "-Wno-unused", "-Wno-maybe-uninitialized",
         "-Wno-uninitialized", "-Werror"]

# The first program and the cookbook have two forms of one thing.
CHECKED = """static void checked(netcl_status status, int line) {
  if (status == NETCL_OK) return;
  fprintf(stderr, "line %d: %s\\n", line, netcl_last_error_message());
  exit(1);
}
#undef CHECK
#define CHECK(call) checked(call, __LINE__)
#define check(call) checked(call, __LINE__)
"""


def articles(root):
    yield "README.md"
    for folder, _, names in sorted(os.walk(os.path.join(root, "docs"))):
        for name in sorted(names):
            if name.endswith(".md"):
                yield os.path.relpath(os.path.join(folder, name), root)


def sources(name, text):
    """(code of a program, whether to run it) of an article."""
    fragments, runs, depth = [], [], 0
    for found in BLOCK.finditer(text):
        kind, said, code = found.groups()
        # A function within a function is not static.
        code = re.sub(r"^static (?=.*\) \{$)", "", code, flags=re.M)
        line = f'#line {text.count(chr(10), 0, found.start(3)) + 1} "{name}"\n'
        if kind in ("snippet", "not compiled"):
            if not said:
                sys.exit(f"{name}: a block is marked as {kind}, but not why")
        elif kind is None and code.startswith("#include"):
            yield line + code + "\n", False
        elif kind is None:
            runs.append(f"static void run_{len(runs)}(netcl_device *device) "
                        f"{{\n{line}{code}\n}}\n")
            fragments.append(f"{{\n{line}{code}\n")
            depth += 1
        else:
            fragments.append(f"{{\n{said}\n{{\n{line}{code}\n")
            depth += 2
    head = "#include <math.h>\n#include <stdbool.h>\n#include <stdio.h>\n#include <string.h>\n" \
           "#include \"cookbook.h\"\n#include <netcl_helpers.h>\n" + CHECKED
    device = "  netcl_device *device;\n" \
             "  CHECK(netcl_device_open(argv[1], NULL, &device));\n"
    if fragments:
        # Each stands within the one before, so that it knows its names and may have them anew.
        yield f"{head}void *article(netcl_device *device) {{\n{''.join(fragments)}" \
              f"{'}' * depth}\nreturn NULL;\n}}\n", False
    if runs:
        calls = "".join(f"  run_{number}(device);\n" for number in range(len(runs)))
        yield f"{head}{''.join(runs)}int main(int argc, char **argv) {{\n" \
              f"  (void)argc;\n{device}{calls}" \
              f"  netcl_device_release(device);\n  return 0;\n}}\n", True


def is_right(code, run, root, library, devices, folder):
    source, made = os.path.join(folder, "program.c"), os.path.join(folder, "program")
    with open(source, "w", encoding="utf-8") as file:
        file.write(code)
    flags = [*FLAGS, "-I" + os.path.join(root, "include"),
             "-I" + os.path.join(root, "examples", "cookbook")]
    end = ["-o", made, library, "-lm", "-Wl,-rpath," + os.path.dirname(library)] if run else \
        ["-fsyntax-only"]
    if subprocess.run(["gcc", *flags, source, *end], check=False).returncode != 0:
        return False
    return not run or all(subprocess.run([made, device], check=False, cwd=folder,
                                         stdout=subprocess.DEVNULL).returncode == 0
                          for device in devices)


def main():
    root, library, *devices = sys.argv[1:]
    if not shutil.which("gcc"):
        print("skipped: there is no gcc, whose functions within functions this needs")
        sys.exit(77)
    wrong = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in articles(root):
            with open(os.path.join(root, name), encoding="utf-8") as file:
                text = file.read()
            for number, line in enumerate(text.split("\n"), 1):
                if CALL.match(line) and not fenced(text, number):
                    print(f"{name}:{number}: code without a fence is not compiled")
                    wrong += 1
            for code, run in sources(name, text):
                count += 1
                if not is_right(code, run, root, library, devices, folder):
                    print(f"{name}: {'does not run' if run else 'does not compile'}")
                    wrong += 1
    print(f"{count} programs, {wrong} wrong")
    sys.exit(1 if wrong or count < 12 else 0)


def fenced(text, number):
    """Whether a line, from 1 on, is within a fence."""
    return sum(line.startswith("```") for line in text.split("\n")[:number - 1]) % 2 == 1


if __name__ == "__main__":
    main()
