#!/usr/bin/env python3
"""Checks the rules of the source tree: check_layers.py [root]

- An include points to the file's own layer or to one before it.
- src/ops, src/backend/cpu and kernels have a folder per family of ops. A family includes itself,
  the frame and what FAMILIES allows it. No two headers of the tree have one name.
- Only src/backend/opencl calls cl*; src/tool includes netcl.h and its own files alone.
- src/mpi is a library of its own, which includes mpi.h and group/mpi_table.h alone.
- src/worker is a program of its own on top of the layers; nothing includes it and it leaves api
  alone.
- The library writes and reads numbers with core/number.hpp, and knows letters from core/ascii.hpp:
  nothing but messages depends on the host's locale. So %g, %f and %e are for the text of fail() and
  log_message() alone. src/tool is a program, which has the locale "C"; nobody sets another.
- Threads are made by core/threads.hpp, so that no handler of the host runs on them. src/tool and
  src/worker are programs of their own.
- Functions of the header enter an op by api/call_op.hpp alone: what is kept and what is recorded of
  a call are its arguments there.
- Files of up to 400 lines and functions of up to 60 are the aim (reported with --verbose); more
  than 450 and 80 fail.
- Lines have at most 100 columns and hold ASCII.
- A test that is skipped says why, by SKIP of tests/support.h.
"""

import os
import re
import sys

LAYERS = ["core", "expression", "share", "backend", "device", "queue", "memory", "tensor",
          "weights", "store", "kernel", "ops", "group", "sharded", "graph", "model", "timing",
          "roofline", "tune", "api"]
# The families of ops, each with those whose headers it may include beside its own. What lies in
# src/backend/cpu itself is the frame there.
FAMILIES = {"frame": [], "move": ["elementwise"], "elementwise": ["move"],
            "matmul": ["elementwise", "move"], "rows": ["elementwise", "move"],
            "reduce": ["elementwise", "move"], "random": ["elementwise", "move"],
            "optimizer": ["elementwise", "move", "rows"],
            "attention": ["elementwise", "matmul", "move", "rows"],
            "conv2d": ["elementwise", "matmul", "move", "rows"],
            "quantization": ["conv2d", "elementwise", "matmul", "move", "reduce"]}
FAMILY_FOLDERS = ("src/ops/", "src/backend/cpu/", "kernels/")
FILE_AIM, FILE_LIMIT = 400, 450
FUNCTION_AIM, FUNCTION_LIMIT = 60, 80
COLUMNS = 100
# Calls whose text only people read; then what is refused.
MESSAGES = ("fail", "log_message")
FLOAT = re.compile(r"%(?:%|[-+#0]*(?:\d+|\*)?(?:\.(?:\d+|\*)?)?[hlLqjzt]*([A-Za-z]))")
NUMBERS = re.compile(r"\b(strto(?:d|f|ld)|ato[fil]|sto(?:d|f|ld)|to_chars|from_chars|[sf]?scanf"
                     r"|[io]?stringstream|setprecision|to_string|v?format_to(?:_n)?"
                     r"|(?<=std::)v?format)\s*[(<;{\s]")
LOCALE = re.compile(r"\b(setlocale|newlocale|uselocale|isal(?:num|pha)|isdigit|isspace|isupper"
                    r"|islower|ispunct|isprint|to(?:upper|lower)|strn?casecmp|strcoll)\s*\(")
# Room for exactly one more element, each time one is added.
TIGHT = re.compile(r"([\w.]+)(?:\.|->)reserve\(\1(?:\.|->)size\(\) *\+")
# What only some files may do, and the file that says why.
ONLY_HERE = (
    (re.compile(r"\b(std::j?thread\b(?!\s*::)|std::async|pthread_create)\b"),
     ("src/core/threads.", "src/tool/", "src/worker/"), "core/threads.hpp"),
    (re.compile(r"\b(graph::call)\b"), ("src/api/call_op.hpp", "src/graph/"), "api/call_op.hpp"),
)
SUFFIXES = (".c", ".h", ".cpp", ".hpp", ".cl", ".py", ".cmake", ".sh")
FOLDERS = ("src", "include", "kernels", "tests", "examples", "scripts", "cmake")
# The header is the manual: it is as long as what it explains.
LONG_FILES = ("include/netcl.h",)


def blank(match):
    """Replaces text by blanks and keeps its line ends, so that line numbers stay right."""
    return re.sub(r"[^\n]", " ", match.group(0))


TEXT = re.compile(r"R\"(\w*)\(.*?\)\1\"|//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\""
                  r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'", flags=re.DOTALL)


def without_text(code):
    """The code without comments, strings and characters."""
    return TEXT.sub(blank, code)


def functions(code):
    """Yields (line, name, length) of each function body found by its braces."""
    stack = []
    last = 0
    for match in re.finditer(r"[{};]", code):
        head = code[last:match.start()]
        last = match.end()
        if match.group() == "{":
            line = code.count("\n", 0, match.start()) + 1
            head = re.sub(r"__attribute__\s*\(\(.*?\)\)\s*(?=\w)", " ", head, flags=re.DOTALL)
            call = re.search(r"([~\w:]+)\s*\([^;]*$", head.strip(), flags=re.DOTALL)
            scope = re.search(r"\b(namespace|struct|class|enum|union|extern)\b", head)
            inner = any(kind == "function" for kind, _, _ in stack)
            control = call and call.group(1) in ("if", "for", "while", "switch", "catch")
            is_function = call and not scope and not inner and not control
            stack.append(("function" if is_function else "other",
                          call.group(1) if call else "", line))
        elif match.group() == "}" and stack:
            kind, name, line = stack.pop()
            if kind == "function":
                yield line, name, code.count("\n", 0, match.start()) + 2 - line


def enclosing_call(code, at):
    """The name before the innermost open parenthesis."""
    depth = 0
    for i in range(at - 1, -1, -1):
        if code[i] == ")":
            depth += 1
        elif code[i] == "(":
            if depth == 0:
                name = re.search(r"(\w+)\s*$", code[:i])
                return name[1] if name else ""
            depth -= 1
        elif code[i] in ";{}" and depth == 0:
            return ""
    return ""


class Checker:
    def __init__(self, root):
        self.root = root
        self.errors = []
        self.notes = []
        self.files = 0
        self.headers = {}

    def error(self, path, line, text):
        self.errors.append(f"{path}:{line}: {text}")

    def note(self, path, line, text):
        self.notes.append(f"{path}:{line}: {text}")

    def check_length(self, path, line, what, length, aim, limit):
        if length > limit:
            self.error(path, line, f"{what} has {length} lines, the limit is {limit}")
        elif length > aim:
            self.note(path, line, f"{what} has {length} lines, the aim is {aim}")

    def check_text(self, path, lines):
        for number, line in enumerate(lines, 1):
            if len(line) > COLUMNS:
                self.error(path, number, f"{len(line)} columns, the limit is {COLUMNS}")
            if not line.isascii():
                self.error(path, number, "not ASCII")
            if "\t" in line:
                self.error(path, number, "a tab")
            if line != line.rstrip():
                self.error(path, number, "blanks at the end of the line")
            if "skip();" in line and path.startswith("tests/") and path != "tests/support.h":
                self.error(path, number, "a test is skipped without a reason; see SKIP")
        if path not in LONG_FILES:
            self.check_length(path, 1, "file", len(lines), FILE_AIM, FILE_LIMIT)

    def check_includes(self, path, lines):
        parts = path.split("/")
        layer = parts[1] if len(parts) > 2 else ""
        if layer not in ("tool", "worker", "mpi") and layer not in LAYERS:
            self.error(path, 1, f"src/{layer} is no layer; they are {', '.join(LAYERS)}")
            return
        for number, line in enumerate(lines, 1):
            match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if not match or match.group(1) == "netcl.h":
                continue
            target = match.group(1)
            first = target.split("/")[0]
            if layer == "tool":
                if first in LAYERS and not os.path.exists(
                        os.path.join(self.root, os.path.dirname(path), target)):
                    self.error(path, number, f"includes {target}; the tool uses netcl.h alone")
            elif layer == "mpi":
                if target != "group/mpi_table.h":
                    self.error(path, number, f"includes {target}; src/mpi is another library")
            elif layer == "worker":
                if first == "api":
                    self.error(path, number, f"includes {target}; the worker stands beside api")
            elif first == "worker":
                self.error(path, number, f"includes {target}; the worker is another program")
            elif "/" in target and first in LAYERS and LAYERS.index(first) > LAYERS.index(layer):
                self.error(path, number, f"includes {target}: {layer} is below {first}")
            elif target.startswith("../"):
                self.error(path, number, f"includes {target}; paths start at src/")

    def check_family(self, path, lines):
        """Families know of each other only what FAMILIES says."""
        folder = next((f for f in FAMILY_FOLDERS if path.startswith(f)), None)
        if folder is None:
            return
        parts = path[len(folder):].split("/")
        family = parts[0] if len(parts) > 1 else "frame"
        if path.startswith("kernels/roofline/"):  # no ops: what ceilings are measured with
            return
        if family not in FAMILIES:
            self.error(path, 1, f"{family} is no family; they are {', '.join(FAMILIES)}")
            return
        if len(parts) == 1 and folder == "src/ops/":
            self.error(path, 1, "lies outside of the folders of families")
        for number, line in enumerate(lines, 1):
            match = re.match(r'#include "(?:(?:ops|backend/cpu)/(\w+)/|(\w+\.cl)")', line)
            other = (match[1] or self.kernel_family(match[2])) if match else family
            if other not in ("frame", family, *FAMILIES[family]):
                self.error(path, number, f"{family} includes a header of {other}")

    def kernel_family(self, name):
        """The folder of a header of kernels, which are included without it."""
        kernels = os.path.join(self.root, "kernels")
        for base, _, names in os.walk(kernels):
            if name in names:
                return os.path.relpath(base, kernels)
        return "no folder"

    def check_name(self, path):
        """One name means one header."""
        name = os.path.basename(path)
        first = self.headers.setdefault(name, path)
        if first != path:
            self.error(path, 1, f"has the name of {first}")

    def check_calls(self, path, code):
        if path.startswith("src/backend/opencl/"):
            return
        for match in re.finditer(r"(?<![\w.>])(?:::\s*)?(cl[A-Z]\w*)\s*\(", code):
            line = code.count("\n", 0, match.start()) + 1
            self.error(path, line, f"calls {match.group(1)}; only src/backend/opencl may")

    def check_locale(self, path, text, code):
        """What depends on the locale of the host."""
        in_tool = path.startswith("src/tool/")
        for pattern, why, where in ((NUMBERS, "core/number.hpp", "src/core/number."),
                                    (LOCALE, "core/ascii.hpp", "src/core/")):
            home = path.startswith(where)
            for match in pattern.finditer(code):
                if not home and not in_tool or match[1] == "setlocale":
                    self.error(path, code.count("\n", 0, match.start()) + 1,
                               f"uses {match[1]}, which goes by the locale; see {why}")
        for match in TEXT.finditer(text):
            kinds = [f[1] for f in FLOAT.finditer(match[0])] if match[0][0] == '"' else []
            if not in_tool and any(kind and kind in "aefgAEFG" for kind in kinds) and \
                    enclosing_call(code, match.start()) not in MESSAGES:
                self.error(path, text.count("\n", 0, match.start()) + 1,
                           f"{match[0]} writes a number by the locale; see core/number.hpp")

    def check_growth(self, path, code):
        for match in TIGHT.finditer(code):
            self.error(path, code.count("\n", 0, match.start()) + 1,
                       f"{match[0]} moves all elements each time; see core/room.hpp")

    def check_homes(self, path, code):
        for pattern, homes, why in ONLY_HERE:
            for match in pattern.finditer(code) if not path.startswith(homes) else ():
                self.error(path, code.count("\n", 0, match.start()) + 1,
                           f"uses {match[1]}; see {why}")

    def check_file(self, path):
        if os.path.basename(os.path.dirname(path)) == "generated":  # written by machines
            return
        with open(os.path.join(self.root, path), encoding="utf-8", errors="replace") as file:
            text = file.read()
        lines = text.splitlines()
        self.files += 1
        self.check_text(path, lines)
        if text and not text.endswith("\n"):
            self.error(path, len(lines), "no line end at the end of the file")
        if path.endswith((".c", ".cpp", ".hpp", ".cl")):
            code = without_text(text)
            self.check_family(path, lines)
            if path.startswith("src/"):
                self.check_includes(path, lines)
                if path.endswith(".hpp"):
                    self.check_name(path)
                self.check_calls(path, code)
                self.check_locale(path, text, code)
                self.check_homes(path, code)
                self.check_growth(path, code)
            # Preprocessor lines may hold braces that do not match.
            code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, code, flags=re.MULTILINE)
            for line, name, length in functions(code):
                self.check_length(path, line, f"function {name}", length, FUNCTION_AIM,
                                  FUNCTION_LIMIT)

    def run(self):
        for folder in FOLDERS:
            for base, _, names in sorted(os.walk(os.path.join(self.root, folder))):
                for name in sorted(names):
                    if name.endswith(SUFFIXES) or name == "CMakeLists.txt":
                        self.check_file(os.path.relpath(os.path.join(base, name), self.root))


def main():
    arguments = [a for a in sys.argv[1:] if a != "--verbose"]
    here = os.path.dirname(os.path.abspath(__file__))
    checker = Checker(arguments[0] if arguments else os.path.dirname(here))
    checker.run()
    if "--verbose" in sys.argv:
        print("\n".join(checker.notes))
    for error in checker.errors:
        print(error)
    print(f"{checker.files} files, {len(checker.errors)} errors, "
          f"{len(checker.notes)} files or functions over the aim")
    sys.exit(1 if checker.errors or checker.files == 0 else 0)


if __name__ == "__main__":
    main()
