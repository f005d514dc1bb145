#!/usr/bin/env python3
"""Keeps the code in the articles equal to the files that the tests run: docs_snippets.py [--check]

An article names a file with `<!-- snippet: PATH -->`; the block of code behind that line is what
the file has between [recipe] and [end], without what lies between [pause] and [go on], or of
netcl.h its short program. With --check nothing is written, and the exit status is 1 when a block
differs, or when a file of the recipes is shown nowhere or not run: C, C++ and Julia run all that
lie in their folder, Rust and Go those that their program names.

Each block of C++, Rust, Go and Julia is a snippet, so that a test runs it, or one of these:
- a program of C++, which tests/cpp/docs.py compiles and runs;
- in the README of a crate, which is a test of its documentation;
- behind `<!-- not run: REASON -->`; how many there are is told.
(C is for tests/docs_c.py.)
"""

import os
import re
import sys
import textwrap

from header_parts import header_text, program

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MARK = re.compile(r"(<!-- snippet: (\S+) -->\n)(\n?```(\w*)\n.*?\n```\n)?", re.DOTALL)
FOLDERS = ("examples/cookbook", "examples/cookbook/cpp", "bindings/rust/netcl/examples/cookbook",
           "bindings/go/examples/cookbook", "bindings/julia/examples/cookbook")
LANGUAGES = {".c": "c", ".h": "c", ".cpp": "cpp", ".hpp": "cpp", ".rs": "rust", ".go": "go",
             ".jl": "julia"}
# Snippets that are no recipes, with what runs them and the word that it does so by.
RUN_BY = {"bindings/go/examples/first/main.go": ("bindings/go/check.sh", "run ./examples/first)"),
          "bindings/go/examples/sums/main.go": ("bindings/go/check.sh", "run ./examples/sums ")}
FENCE = re.compile(r"^(?:<!-- ([^:>]+): ?((?:(?!-->).)*?) ?-->\n\n?)?"
                   r"([ >]*(?:```+|~~~+)) *([^\n]*)\n.*?^\3[`~]* *$", re.DOTALL | re.MULTILINE)
NAMES = {"cpp": "cpp", "c++": "cpp", "cc": "cpp", "cxx": "cpp", "hpp": "cpp", "rust": "rust",
         "rs": "rust", "go": "go", "golang": "go", "julia": "julia", "jl": "julia"}
NOT_RECIPES = {"examples/cookbook/cookbook.c", "examples/cookbook/cpp/main.cpp",
               "bindings/rust/netcl/examples/cookbook/main.rs",
               "bindings/go/examples/cookbook/main.go"}


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def snippet(path):
    """What an article shows of a file."""
    if path == "include/netcl.h":
        return program(header_text())
    shown, lines = False, []
    for line in read(path).splitlines():
        mark = re.fullmatch(r"\s*(?:/\*|//|#) \[(recipe|pause|go on|end)\](?: \*/)?", line)
        if not mark:
            if shown:
                lines.append(line)
            continue
        if mark.group(1) in ("recipe", "go on"):
            if shown:
                sys.exit(f"{path}: [{mark.group(1)}] where it is shown already")
            # Each part begins in the column of its own.
            lines.append(None)
        shown = mark.group(1) in ("recipe", "go on")
    if not any(lines) or shown:
        sys.exit(f"{path}: there is no [recipe] with its [end]")
    parts, part = [], []
    for line in lines[1:] + [None]:
        if line is None:
            parts.append(textwrap.dedent("\n".join(part)).expandtabs(4).strip("\n"))
            part = []
        else:
            part.append(line)
    return "\n\n".join(parts) + "\n"


def articles():
    yield "README.md"
    for top in ("docs", "bindings"):
        for folder, _, names in sorted(os.walk(os.path.join(ROOT, top))):
            for name in sorted(names):
                if name.endswith(".md") if top == "docs" else name == "README.md":
                    yield os.path.relpath(os.path.join(folder, name), ROOT)


def with_snippets(text, used):
    def block(match):
        path = match.group(2)
        used.add(path)
        language = LANGUAGES[os.path.splitext(path)[1]]
        # A block of another language is the article's own, behind a mark that has no block yet.
        kept = match.group(3) if match.group(3) and match.group(4) != language else ""
        return f"{match.group(1)}\n```{language}\n{snippet(path)}```\n{kept}"

    return MARK.sub(block, text)


def recipes():
    for folder in FOLDERS:
        for name in sorted(os.listdir(os.path.join(ROOT, folder))):
            path = f"{folder}/{name}"
            if os.path.splitext(name)[1] in LANGUAGES and path not in NOT_RECIPES:
                yield path


def not_run():
    """Recipes of Rust and Go that the program beside them does not call."""
    for path in recipes():
        folder, name = os.path.split(path)
        stem, ending = os.path.splitext(name)
        if ending == ".rs":
            called = re.search(rf"\b{stem}::run\(", read(f"{folder}/main.rs"))
        elif ending == ".go":
            called = re.search(rf'"{stem}": \w+', read(f"{folder}/main.go"))
        else:
            continue
        if not called:
            yield path


def is_test_of_crate(page):
    """Whether a page is the README of a crate, which rustdoc compiles and runs."""
    library = os.path.join(os.path.dirname(page), "src", "lib.rs")
    if os.path.basename(page) != "README.md" or not os.path.exists(os.path.join(ROOT, library)):
        return False
    return '#[cfg(doctest)]\n#[doc = include_str!("../README.md")]\n' in read(library)


def unrun_blocks(page, text):
    """(what is wrong, blocks that are marked as not run) of an article."""
    wrong, left_out = [], []
    for found in FENCE.finditer(text):
        mark, said, fence, info = found.groups()
        words = re.split(r"[\s,{}.]+", info.strip().lower().lstrip("{."))
        language = NAMES.get(words[0].replace("-repl", ""))
        place = f"{page}:{text.count(chr(10), 0, found.start(3)) + 1}"
        if language is None:
            continue
        if mark == "not run":
            left_out.append(place)
            if not said:
                wrong.append(f"{place}: a block is marked as not run, but not why")
        elif fence != "```" or words[0] != language:
            wrong.append(f"{place}: a block begins with ```{language} in the first column")
        elif mark == "snippet" and LANGUAGES.get(os.path.splitext(said)[1]) == language:
            if os.path.dirname(said) not in FOLDERS and not is_run(said):
                wrong.append(f"{place}: no test runs {said}, see RUN_BY")
        elif language == "rust" and words[1:] == [] and is_test_of_crate(page):
            pass
        elif language == "cpp" and words[1:] in ([], ["expected"]) and \
                not page.startswith("bindings"):
            pass
        else:
            wrong.append(f"{place}: no test runs this block of {language}: show a file of "
                         "examples/cookbook with `<!-- snippet: PATH -->`, or say why it is "
                         "`<!-- not run: REASON -->`")
    return wrong, left_out


def is_run(path):
    test, word = RUN_BY.get(path, ("scripts/docs_snippets.py", None))
    return word is not None and word in read(test)


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    wrong, used, left_out = [], set(), []
    for path in articles():
        before = read(path)
        after = with_snippets(before, used)
        unrun = unrun_blocks(path, after)
        wrong += unrun[0]
        left_out += unrun[1]
        if after != before and arguments:
            wrong.append(f"{path} does not show what the files have: scripts/docs_snippets.py")
        elif after != before:
            with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
                file.write(after)
    found = set(recipes())
    wrong += [f"{path} is shown in no article" for path in sorted(found - used)]
    wrong += [f"{path} is not called by the program beside it" for path in not_run()]
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(used)} files are shown, {len(left_out)} blocks are marked as not run",
          *left_out)


if __name__ == "__main__":
    main(sys.argv[1:])
