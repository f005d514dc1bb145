"""Comments of the header in Rust's words: links instead of names of C, `None` instead of NULL."""

import re

from backends._rust_names import (C_NAME, OPTIONS_NEEDED, constructor_name, ident, method_name,
                                  module_name, outside_code, type_name, with_options)
from words import flag_names, flag_words, lists, replaced, sizes, truths

LINKS = {}   # name in C to path, see learn()
STATUS = {}  # INVALID_ARGUMENT to its path
FLAGS = set()  # members and parameters that are a bool


def enum_value_name(enum, value):
    return value.short[len("ERROR_"):] if value.short.startswith("ERROR_") and \
        enum.name == "netcl_status" else value.short


def learn(model):
    """Finds what the names of C are called here."""
    LINKS.clear()
    STATUS.clear()
    FLAGS.clear()
    FLAGS.update(flag_names(model))
    for constant in model.constants:
        LINKS[constant.name] = constant.short
    for each in (*model.handles, *(s for s in model.structs if s.kind != "call"
                                   and s.name != "netcl_error_info"), *model.enums):
        LINKS[each.name] = type_name(each.name)
    for enum in model.enums:
        for value in enum.values:
            path = f"{type_name(enum.name)}::{enum_value_name(enum, value)}"
            LINKS[value.name] = path
            if enum.name == "netcl_status":
                STATUS[enum_value_name(enum, value)] = path
    for function in model.functions:
        if function.kind not in ("retain", "release"):
            LINKS[function.name] = function_path(function) + "()"
    other = {v.short for e in model.enums if e.name != "netcl_status" for v in e.values}
    for name in list(STATUS):
        if name in other or name == "OK":
            del STATUS[name]


def function_path(function):
    if function.kind == "op":
        return "op::" + method_name(function.verb)
    if function.kind == "function":
        module = module_name(function.verb)
        name = method_name(function.verb[len(module) + 1:] if module else function.verb)
        name = with_options(name) if function.name in OPTIONS_NEEDED else name
        return f"{module}::{name}" if module else name
    make = constructor_name if function.kind == "constructor" else method_name
    name = make(function.verb)
    return f"{type_name('netcl_' + function.owner)}::" + \
        (with_options(name) if function.name in OPTIONS_NEEDED else name)


def link(match):
    name = match.group(1)
    if name.endswith(("_retain", "_release")):
        return "`clone`" if name.endswith("_retain") else "`drop`"
    head, _, member = name.rstrip("()").partition(".")
    if head not in LINKS:
        return f"`{name}`"
    path = LINKS[head]
    return f"[`{path}.{member}`]({path})" if member else f"[`{path}`]"


def code(name):
    return f"`{ident(name)}`"


def of_function(text, function, taken):
    """Where Rust has a Duration and slices; the parameters that are `taken` are those of C."""
    names = {name: own for name, own in {
        **sizes(function, lambda name: f"`{ident(name)}.len()`"),
        **{a.name: "`timeout`" for a in function.arguments if a.role == "timeout"}}.items()
        if name not in taken}
    return replaced(text, names)


def prose(text, enum=None):
    """Markdown with links. Values of `enum`, the type of what is spoken of, are links too."""
    text = truths(lists(text, code), FLAGS, lambda before, name: name if before else code(name))

    def change(plain):
        plain = re.sub(r"\b[a-z_]\w*(?:-\\>\w+)+",
                       lambda m: "`" + ".".join(map(ident, m[0].split("-\\>"))) + "`", plain)
        parts = re.split(r"(`[^`]*`)", plain)
        for index in range(0, len(parts), 2):
            part = C_NAME.sub(link, parts[index])
            part = re.sub(r"\bNULL\b", "`None`", part)
            words = {**STATUS, **{v.short: f"{type_name(enum.name)}::{enum_value_name(enum, v)}"
                                  for v in (enum.values if enum else ())}}
            parts[index] = re.sub(r"(?<![\w`:.])[A-Z][A-Z0-9_]+(?![\w`])", lambda m: f"[`{m[0]}`]"
                                  f"({words[m[0]]})" if m[0] in words else m[0], part)
        return "".join(parts)
    return outside_code(text, change)


def flag_prose(text):
    """Of a truth value: C says 1 and 0."""
    return prose(flag_words(text))


def member_prose(model, member):
    text = re.sub(r"^0: ", "Default: ", member.doc.text)
    text = re.sub(r"; 0: ([^;]+?), but for has_\w+", r"; default: \1", text)
    if not text:
        return ""
    if member.flag:
        return flag_prose(text)
    return prose(text, model.enum(member.type.base) if member.role == "enum" else None)


def used_by(model, struct):
    """Links to what takes or gives a struct, for one without a comment of its own."""
    users = [f for f in model.functions for a in f.arguments if a.type.base == struct.name]
    return ", ".join(dict.fromkeys(f"[`{function_path(f)}()`]" for f in users))


def own_text(doc):
    """The comment without the headings of the header."""
    return "\n\n".join(p for p in doc.text.split("\n\n") if not p.startswith("----"))
