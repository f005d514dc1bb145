"""Names, types and comments of C++."""

import re
import textwrap

HEAD = """\
// Written by bindings/generator/generate.py from include/netcl.h; do not edit.
//
// SPDX-License-Identifier: Apache-2.0
"""
WIDTH = 100
KEYWORDS = frozenset("""
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept
    const continue decltype default delete do double else enum explicit export extern false float
    for friend goto if import inline int long module mutable namespace new noexcept not not_eq null
    nullptr operator or or_eq private protected public register requires return short signed sizeof
    static struct switch template this throw true try typedef typeid typename union unsigned using
    virtual void volatile while xor xor_eq in out""".split())


def ident(name):
    return name + "_" if name in KEYWORDS else name


def short(name):
    return name[len("netcl_"):] if name.startswith("netcl_") else name


def type_name(name):
    return "netcl::" + short(name)


def ref_name(name):
    return type_name(name) + "_ref"


def value_name(enum, value):
    text = value.short[len("ERROR_"):] if enum.name == "netcl_status" else value.short
    text = value.short if enum.name == "netcl_status" and value.short == "OK" else text
    return ident(text.lower())


def method_name(function):
    """Without the get_ of C, but where a keyword of C++ would be left."""
    plain = function.verb[len("get_"):] if function.verb.startswith("get_") else function.verb
    return function.verb if plain in KEYWORDS and plain != function.verb else ident(plain)


def is_time(name, ctype):
    """Nanoseconds, which are durations of std::chrono here."""
    return name.endswith("_ns") and ctype.base == "uint64_t" and not ctype.array


def plain(name):
    return name[:-len("_ns")]


def value_type(ctype):
    """The type of one value, whatever pointers or extents there are."""
    if ctype.kind in ("enum", "frozen"):
        return type_name(ctype.base)
    return ctype.base


def comment(text, indent=""):
    """A line or a block of lines, none where there is no text."""
    text = " ".join(text.split())
    if not text:
        return []
    if len(indent) + len(text) + 7 <= WIDTH:
        return [f"{indent}/** {text} */"]
    lines = textwrap.wrap(text, WIDTH - len(indent) - 3, break_long_words=False,
                          break_on_hyphens=False)
    return [f"{indent}/**"] + [f"{indent} * {line}" for line in lines] + [f"{indent} */"]


def listing(begin, items, end, indent=""):
    """`begin(items)end` in one line, or with as many lines as the items need."""
    line = f"{indent}{begin}({', '.join(items)}){end}"
    if len(line) <= WIDTH:
        return [line]
    lines, current = [], f"{indent}{begin}("
    inner = indent + "    "
    if max(len(i) for i in items) + len(current) + len(end) + 1 > WIDTH:
        lines, current = [current], inner
    else:
        inner = " " * len(current)
    for number, item in enumerate(items):
        last = number == len(items) - 1
        piece = item + (f"){end}" if last else ",")
        if len(current) + len(piece) + (current[-1] not in "( ") > WIDTH and current.strip():
            lines.append(current.rstrip())
            current = inner
        current += (" " if current[-1] not in "( " else "") + piece
    return lines + [current]


def wrapped(text, begin, indent, end):
    """`begin`, the text over as many lines as it needs, and `end`."""
    lines = textwrap.wrap(text, WIDTH - len(indent) - len(end), break_long_words=False)
    return [(indent if i else begin) + line + (end if i == len(lines) - 1 else "")
            for i, line in enumerate(lines)]


def left(line):
    """Stars and ampersands stand with the type, as in the sources of the library."""
    if line.lstrip().startswith(("*", "/*", "//")):
        return line
    return re.sub(r"(?<!return)(?<=[\w>]) ([*&]+)(?=\w)", r"\1 ", line)


def file(name, lines, includes=(), namespace=""):
    """A whole header; `namespace` is one inside netcl."""
    guard = f"NETCL_GENERATED_{name.upper()}_HPP"
    inner = f"namespace {namespace} {{\n" if namespace else ""
    end = f"}}  // namespace {namespace}\n" if namespace else ""
    head = "".join(f"#include <{i}>\n" for i in includes)
    body = "\n".join(left(line) for line in "\n".join(lines).split("\n")).strip("\n")
    return (f"{HEAD}#ifndef {guard}\n#define {guard}\n\n{head}\nnamespace netcl {{\n"
            f"inline namespace NETCL_HPP_MODE {{\n{inner}\n{body}\n\n{end}"
            f"}}  // namespace NETCL_HPP_MODE\n}}  // namespace netcl\n\n#endif\n")
