"""Names, types and comments in Rust."""

import re
import textwrap

HEAD = "// Written by bindings/generator from include/netcl.h; changes here are lost.\n"
SCALARS = {"int8_t": "i8", "uint8_t": "u8", "int16_t": "i16", "uint16_t": "u16",
           "int32_t": "i32", "uint32_t": "u32", "int64_t": "i64", "uint64_t": "u64",
           "size_t": "usize", "double": "f64", "float": "f32", "unsigned char": "u8",
           "char": "c_char", "void": "c_void"}
# The typed Tensor<T> is written by hand around this one.
HANDLES = {"netcl_tensor": "AnyTensor"}
# Frozen structs that hold pointers have a hand-written type of the same layout.
HAND_WRITTEN = {"netcl_arg": "Arg"}
# Objects of others that a function gives away: written by hand, so that dropping gives them back.
OWNED = {"DLManagedTensor": "DlpackTensor"}
# Functions that belong to no object come in modules, by how their names begin.
MODULES = {
    "interrupt": "What happens when the user presses Ctrl-C.",
    "last_error": "The error of the last call on this thread. Every [`Error`] has it already.",
    "library": "The library itself: what it can do, which objects are alive, how it ends.",
    "log": "The log: records with levels, read as an iterator or by a function.",
    "primitive": "Ops of one's own with gradients, as formulas, kernels or closures.",
    "profile": "Profiles: how long commands and regions took.",
    "program_cache": "The cache of compiled programs.",
    "statistics": "Statistics of samples, and whether two sets of them differ.",
    "variant": "Which kernel of an op is taken for given sizes, and why.",
    "version": "The version of the library that is linked."}
KEYWORDS = frozenset("as break const continue crate else enum extern false fn for if impl in let "
                     "loop match mod move mut pub ref return self static struct super trait true "
                     "type unsafe use where while async await dyn box do final macro".split())
WIDTH = 100


def ident(name):
    return name + "_" if name in KEYWORDS else name


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def type_name(c_name):
    """The name of a safe type."""
    return HANDLES.get(c_name) or HAND_WRITTEN.get(c_name) or camel(c_name[len("netcl_"):])


def method_name(verb):
    verb = re.sub(r"(^|_)get_", r"\1", verb)
    return ident(verb)


# The library does nothing without what their options say: there is no form without.
OPTIONS_NEEDED = ("netcl_kernel_create", "netcl_primitive_register")


def with_options(name):
    """What the form with options is called beside one without."""
    return "with_options" if name == "new" else name + "_with"


def constructor_name(verb):
    if verb == "create":
        return "new"
    return ident(re.sub(r"^create_", "", method_name(verb)))


def raw_type(kind, prefix=""):
    """A C type as netcl-sys spells it; elsewhere with the prefix "sys::"."""
    base = SCALARS.get(kind.base) or prefix + kind.base
    for const in kind.levels:
        base = ("*const " if const else "*mut ") + base
    return f"[{base}; {kind.array}]" if kind.array else base


def is_work_size(param):
    """How many work-items there are: the numbers are those of shapes."""
    return param.type.base == "uint64_t" and param.name in ("global", "local", "rounded")


def value_type(kind):
    """A number, an enum or a frozen struct in the safe layer, inline arrays included."""
    base = SCALARS.get(kind.base) or type_name(kind.base)
    return f"[{base}; {kind.array}]" if kind.array else base


def module_name(verb):
    """The module of a function that belongs to no object, "" for the root."""
    return next((m for m in MODULES if verb.startswith(m + "_")), "")


C_NAME = re.compile(r"\b((?:netcl|NETCL)_\w+(?:->\w+|\.\w+)?(?:\(\))?)")


def escape(text):
    """Markdown that shows the text as it stands, with names from C in code font."""
    return outside_code(text, lambda plain: C_NAME.sub(r"`\1`", plain))


def outside_code(text, change):
    parts = re.split(r"(`[^`]*`)", text)
    for index in range(0, len(parts), 2):
        parts[index] = change(re.sub(r"([\\\[\]<>*#|])", r"\\\1", parts[index]))
    return "".join(parts)


def comment(text, indent="", mark="///"):
    """Doc comment lines for paragraphs of prose."""
    lines = []
    for paragraph in filter(None, text.split("\n\n")):
        if paragraph.startswith("----"):
            continue  # a heading of the header
        if lines:
            lines.append(indent + mark)
        width = WIDTH - len(indent) - len(mark) - 1
        hanging = "  " if paragraph.startswith("* ") else ""
        wrapped = textwrap.wrap(paragraph, width, break_long_words=False, break_on_hyphens=False,
                                subsequent_indent=hanging)
        # An operator or a number that comes to stand first in its line is no item of a list.
        wrapped[1:] = [re.sub(r"^( *\d*)([-+.)]) ", r"\1\\\2 ", line) for line in wrapped[1:]]
        lines += [f"{indent}{mark} {line}" for line in wrapped]
    return lines


def listing(head, items, tail, indent):
    """`head(items)tail`, over several lines where it does not fit into one."""
    line = f"{indent}{head}({', '.join(items)}){tail}"
    if len(line) <= WIDTH:
        return [line]
    inner = indent + "    "
    return [f"{indent}{head}("] + [f"{inner}{item}," for item in items] + [f"{indent}){tail}"]
