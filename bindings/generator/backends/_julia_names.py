"""Names, types and comments in Julia."""

import re
import textwrap

from words import flag_names, flag_words, lists, replaced, sizes, truths

HEAD = "# Written by bindings/generator from include/netcl.h; changes here are lost.\n"
SCALARS = {"int8_t": "Int8", "uint8_t": "UInt8", "int16_t": "Int16", "uint16_t": "UInt16",
           "int32_t": "Int32", "uint32_t": "UInt32", "int64_t": "Int64", "uint64_t": "UInt64",
           "size_t": "Csize_t", "double": "Float64", "float": "Float32", "unsigned char": "UInt8"}
FLOATS = ("Float64", "Float32")
KEYWORDS = frozenset("baremodule begin break catch const continue do else elseif end export false "
                     "finally for function global if import let local macro module quote return "
                     "struct true try using while in isa where type".split())
WIDTH = 92
FLAGS = set()  # members and parameters that are a Bool


def learn(model):
    FLAGS.clear()
    FLAGS.update(flag_names(model))


def ident(name):
    return name + "_" if name in KEYWORDS and name != "type" else name


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def type_name(c_name):
    """netcl_pool_info is PoolInfo."""
    return camel(c_name[len("netcl_"):])


def constant_name(c_name):
    """NETCL_F32 is F32: names of C differ, so these do."""
    return c_name[len("NETCL_"):]


def function_name(function):
    """netcl_tensor_read is tensor_read."""
    return function.name[len("netcl_"):]


def check_names(model):
    """Types, constants and functions live in one module."""
    names = [type_name(x.name) for x in (*model.handles, *model.enums, *model.structs)]
    names += [constant_name(c.name) for c in model.constants]
    names += [constant_name(v.name) for e in model.enums for v in e.values]
    names += [function_name(f) for f in model.functions]
    twice = sorted({n for n in names if names.count(n) > 1})
    if twice:
        raise SystemExit(f"Julia: the module would have {', '.join(twice)} twice")


def raw_type(kind):
    """A C type in a ccall. Texts are Ptr{UInt8}, all other pointers Ptr{Cvoid}."""
    if kind.kind == "callback":
        return "Ptr{Cvoid}"
    if kind.levels:
        return "Ptr{UInt8}" if kind.base == "char" and len(kind.levels) == 1 else "Ptr{Cvoid}"
    if kind.base == "void":
        return "Cvoid"
    return "Int32" if kind.kind == "enum" else SCALARS[kind.base]


def value_type(kind):
    """A number, an enum or a frozen struct, inline arrays included."""
    base = SCALARS.get(kind.base) or type_name(kind.base)
    return f"NTuple{{{kind.array},{base}}}" if kind.array else base


def wide_type(kind):
    """What a number becomes on the way out: Int, but for what may not fit or is no integer."""
    base = value_type(kind)
    return "Int" if base in ("Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64",
                             "Csize_t") else base


def given_type(kind):
    """What a caller may pass for a number or an enum."""
    base = SCALARS.get(kind.base)
    if base is None:
        return f"Union{{{type_name(kind.base)},Symbol" + \
            (",Type}" if kind.base == "netcl_dtype" else "}")
    return "Real" if base in FLOATS else "Integer"


def escape(text):
    """Text inside a docstring, with names from C in code font."""
    parts = re.split(r"(`[^`]*`)", text)
    for index in range(0, len(parts), 2):
        plain = re.sub(r"([\\*_#\[\]])", r"\\\1", parts[index])
        parts[index] = re.sub(r"\b((?:netcl|NETCL)(?:\\_\w+)+(?:->\w+|\.\w+)?(?:\(\))?)",
                              lambda m: "`" + m.group(1).replace("\\", "") + "`", plain)
    text = "".join(parts)
    return text.replace("\\", "\\\\").replace("$", "\\$").replace('"', '\\"')


def wrap(text, hanging=""):
    lines = textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False,
                          subsequent_indent=hanging)
    # An operator or a number that comes to stand first in its line is no item of a list.
    return lines[:1] + [re.sub(r"^( *\d*)([-+.)]) ", r"\1\\\\\2 ", line) for line in lines[1:]]


def in_julia(text):
    """A comment of the header, where options are keywords and NULL is nothing."""
    text = truths(lists(text, code), FLAGS, lambda before, name: name if before else code(name))
    text = re.sub(r"\b(?:options|run)->(\w+)", lambda m: code(m[1]), text)
    text = re.sub(r"\b(record)->(\w+)", lambda m: f"`{m[1]}.{ident(m[2])}`", text)
    return re.sub(r"(?<!\w)NULL\b", "`nothing`", text)


def code(name):
    return f"`{ident(name)}`"


def of_function(text, function, unsafe):
    """Times are keywords; memory and text know their size, but for pointers."""
    names = {} if unsafe else sizes(function, lambda name: f"`sizeof({ident(name)})`")
    names.update({a.name: "`timeout`" for a in function.arguments if a.role == "timeout"})
    for param in (p for a in function.inputs for p in a.params):
        text = text.replace(f"`{param.name}`", code(param.name))
    return replaced(text, names)


def row(name, text, flag=False):
    """A row on a parameter or a member: what it is called, and its comment."""
    return f"`{name}`" + (f": {flag_words(text) if flag else text}" if text else "")


def docstring(signature, text, rows=(), tail=""):
    """The lines of a docstring."""
    text, rows = in_julia(text), [in_julia(row) for row in rows]
    lines = ['"""']
    if signature:
        lines += ["    " + signature, ""]
    for paragraph in filter(None, text.split("\n\n")):
        lines += wrap(escape(paragraph)) + [""]
    for row in rows:
        lines += wrap("* " + escape(row), "  ")
    if rows:
        lines.append("")
    if tail:
        lines += [tail, ""]
    while lines[-1] == "":
        lines.pop()
    return lines + ['"""']


def listing(head, items, tail, indent=""):
    """`head(items)tail`, over several lines where it does not fit into one."""
    line = f"{indent}{head}({', '.join(items)}){tail}".replace(", ;, ", "; ").replace("(;, ", "(; ")
    if len(line) <= WIDTH:
        return [line]
    rows, row = [], indent + "    "
    for index, item in enumerate(items):
        text = item + (", " if index + 1 < len(items) and item != ";" else "")
        if item == ";":
            if index == 0:
                head += "(;"
            else:
                rows.append(row.rstrip().rstrip(",") + ";")
                row = indent + "    "
            continue
        if len(row) + len(text.rstrip()) > WIDTH and row.strip():
            rows.append(row.rstrip())
            row = indent + "    "
        row += text
    rows.append(row.rstrip())
    head += "" if head.endswith("(;") else "("
    return [f"{indent}{head}"] + [r for r in rows if r.strip()] + [f"{indent}){tail}"]
