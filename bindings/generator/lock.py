"""The API lock: all that a compiled program or a binding relies on, as JSON; and the sizes of
structs at their first release, which the library and its tests take from it."""

import json
import os

from model import HeaderError


def read_lock(path):
    """The lock in the tree; nothing where there is none yet."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def first_sizes(model, kept):
    """The size of each struct at its first release: what the lock in the tree says, and for a
    struct that it does not know today's size. Callers with that size are served for ever, so a
    struct may only have grown behind it."""
    known, sizes, problems = kept.get("structs", {}), {}, []
    for struct in model.structs:
        old = known.get(struct.name)
        sizes[struct.name] = struct.size if old is None else old.get("first_size", old["size"])
        if old is not None:
            problems += changed(struct, old, sizes[struct.name])
    if problems:
        raise HeaderError(problems)
    return sizes


def changed(struct, old, first):
    """What about a struct is not as at its first release. A name may change before 1.0.0."""
    if struct.kind == "frozen" and struct.size != old["size"]:
        return [f"{struct.name} travels in arrays and is frozen at {old['size']} bytes; "
                f"it has {struct.size} now"]
    if struct.size < first:
        return [f"{struct.name} has {struct.size} bytes, less than the {first} of its first "
                "release" + BREAK]
    # A reserved member may become others of the same size.
    was = {(m["offset"], m["size"]) for n, m in old["members"].items()
           if m["offset"] < first and not n.startswith("reserved")}
    return [] if was <= {(m.offset, m.size) for m in struct.members} else [f"{struct.name} has members that moved or changed size within "
                                  f"the {first} bytes of its first release; append instead" + BREAK]


BREAK = (" (a break on purpose, possible before 1.0.0 only: take the struct out of "
         "tests/abi/netcl.json by hand and say why in CHANGELOG.md)")


def write_first_sizes(sizes, language):
    """A constant per struct, for the library ("c++") and for tests in C ("c")."""
    about = "Written by bindings/generator/generate.py from tests/abi/netcl.json."
    if language == "c":
        lines = [f"/* {about} */", "#ifndef NETCL_FIRST_SIZES_H", "#define NETCL_FIRST_SIZES_H", "",
                 "/* Bytes of each struct at its first release. */"]
        lines += [f"#define FIRST_SIZE_{name} {size}" for name, size in sizes.items()]
        return "\n".join(lines + ["", "#endif", ""])
    lines = [f"// {about}", "#pragma once", "", "#include <cstddef>", "", '#include "netcl.h"', "",
             "namespace netcl::api {", "",
             "// Bytes of a struct at its first release; callers with that size are served for ever.",
             "template <class Struct>", "inline constexpr size_t kFirstSize = 0;",
             "// What messages call it.",
             "template <class Struct>", "inline constexpr const char* kStructName = nullptr;", "",
             "#define NETCL_STRUCT(name, size)                  \\",
             "  template <>                                      \\",
             "  inline constexpr size_t kFirstSize<name> = size; \\",
             "  template <>                                      \\",
             "  inline constexpr const char* kStructName<name> = #name;"]
    lines += [f"NETCL_STRUCT({name}, {size})" for name, size in sizes.items()]
    return "\n".join(lines + ["#undef NETCL_STRUCT", "", "}  // namespace netcl::api", ""])


def lock_of(model, kept=None):
    first = first_sizes(model, kept or {})
    return {
        "about": "The API of netcl.h, written by bindings/generator/generate.py. A difference to "
                 "what is released is a break; see CONTRIBUTING.md.",
        "version": model.version,
        "pointer_size": model.pointer_size,
        "constants": {c.name: {"type": c.ctype, "value": c.value} for c in model.constants},
        "enums": {e.name: {"type": e.ctype, "values": {v.name: v.value for v in e.values}}
                  for e in model.enums},
        "handles": {h.name: "shareable" if h.shareable else "movable" for h in model.handles},
        "foreign": model.foreign,
        "structs": {s.name: {"kind": s.kind, "size": s.size,
                             "first_size": first[s.name], "align": s.align,
                             "members": {m.name: {"type": m.type.spelling, "offset": m.offset,
                                                  "size": m.size} for m in s.members}}
                    for s in model.structs},
        "callbacks": {c.name: signature(c.returns.spelling, c.params) for c in model.callbacks},
        "functions": {f.name: signature(f.return_type.spelling, f.params)
                      for f in model.functions},
    }


def signature(returns, params):
    return {"returns": returns, "params": [[p.name, p.type.spelling] for p in params]}


def write_lock(model, kept=None):
    return spread(lock_of(model, kept), 0) + "\n"


def spread(value, level):
    """A line per constant, member and parameter list, so that a difference names what changed."""
    deep = not any(isinstance(v, (dict, list)) for v in value.values()) if \
        isinstance(value, dict) else True
    if not value or deep and (level > 3 or isinstance(value, list)) or \
            isinstance(value, dict) and set(value) == {"type", "value"}:
        return json.dumps(value)
    inner = ",\n".join(f"{' ' * (level + 1)}{json.dumps(k)}: "
                       f"{spread(v, level + 1) if isinstance(v, (dict, list)) else json.dumps(v)}"
                       for k, v in value.items())
    return "{\n" + inner + "\n" + " " * level + "}"
