#!/usr/bin/env python3
"""Looks after the beginning of include/netcl.h.

header_parts.py --check         the contents name the sections of both halves in their order, and
                                the functions to start with are twenty that the header declares
header_parts.py --program FILE  writes the short program, which a test compiles and runs
"""

import os
import re
import sys

from netcl_header import Header

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PATH = os.path.join(ROOT, "include", "netcl.h")
HALVES = ("Computing", "Measuring")
BAR = re.compile(r"^/\* ([-=]{4}) (.+?) \1[-=]* \*/$", re.MULTILINE)


def header_text():
    with open(PATH, encoding="ascii") as file:
        return file.read()


def part(text, title):
    """The lines under a title of the first comment, without what marks them as a comment."""
    comment = text[:text.index("*/")]
    found = re.search(rf"^ \* {title}\n((?: \*(?:   .*)?\n)+)", comment, re.MULTILINE)
    if not found:
        sys.exit(f"include/netcl.h: there is no \"{title}\" in the first comment")
    return [re.sub(r"^ \*(?:   )?", "", line) for line in found.group(1).splitlines()]


def listed(text, half):
    """The sections that the contents name; a gloss stands behind two spaces, or alone far in."""
    names = []
    for line in part(text, half):
        left = re.split(r"\s{2,}", line)[0]
        names += [name.strip() for name in left.split(",") if name.strip()]
    return names


def sections(text):
    """The sections of each half, by the bars in the header."""
    found, half = {name: [] for name in HALVES}, None
    for bar, title in BAR.findall(text):
        if bar[0] == "=":
            half = title
        else:
            found[half].append(title)
    return found


def problems(text):
    found = sections(text)
    for half in HALVES:
        if listed(text, half) != found[half]:
            wanted = ", ".join(found[half])
            yield f"the contents of \"{half}\" are not its sections, which are: {wanted}"
    declared = set(Header(PATH).functions)
    first = [line.split()[0] for line in part(text, "Twenty functions to start with") if line]
    if len(set(first)) != 20:
        yield f"{len(set(first))} functions to start with, and not twenty"
    for name in first:
        if name not in declared:
            yield f"{name}, to start with, is no function of the header"


def program(text):
    lines = part(text, "A short program")
    end = max(number for number, line in enumerate(lines) if line == "}")
    return "\n".join(lines[:end + 1]).lstrip("\n") + "\n"


def main(arguments):
    text = header_text()
    if arguments == ["--check"]:
        wrong = list(problems(text))
        for problem in wrong:
            print(f"include/netcl.h: {problem}")
        sys.exit(1 if wrong else 0)
    if len(arguments) == 2 and arguments[0] == "--program":
        with open(arguments[1], "w", encoding="ascii") as file:
            file.write(program(text))
        return
    sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
