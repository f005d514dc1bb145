"""The functions as ccalls, enums, constants and handle types."""

from backends._julia_names import (HEAD, SCALARS, constant_name, docstring, escape, ident, listing,
                                   raw_type, type_name)


def files(model):
    return {"raw.jl": raw(model), "enums.jl": enums(model), "handles.jl": handles(model)}


def raw(model):
    lines = [HEAD, "# The functions of C. Each has an entry, which is filled when the library is "
             "loaded.", ""]
    for function in model.functions:
        lines.append(f'const E_{function.name} = Entry("{function.name}")')
    lines += ["", "const ENTRIES = Entry["]
    lines += [f"    E_{f.name}," for f in model.functions] + ["]"]
    for function in model.functions:
        # None may hide the function of this module that a call begins with.
        names = [p.name + "_" if p.name == "address" else ident(p.name) for p in function.params]
        kinds = [raw_type(p.type) for p in function.params]
        returns = {"text": "Ptr{UInt8}", "void": "Cvoid"}.get(function.returns) or \
            raw_type(function.return_type)
        types = "(" + ", ".join(kinds) + ("," if len(kinds) == 1 else "") + ")"
        lines.append("")
        lines += listing(f"@inline function {function.name}", names, "")
        lines += listing("return ccall", [f"address(E_{function.name})", returns, types] + names,
                         "", "    ")
        lines.append("end")
    return "\n".join(lines) + "\n"


def enums(model):
    lines = [HEAD, "# Constants, and types of constants. A value that a newer library gives is kept "
             "as it is."]
    for constant in model.constants:
        name = constant_name(constant.name)
        lines.append("")
        if constant.doc.text:
            lines += docstring("", constant.doc.text)
        if constant.ctype == "text":
            lines.append(f'const {name} = "{escape(constant.value)}"')
        else:
            kind = "Int" if abs(constant.value) < 1 << 62 else SCALARS[constant.ctype]
            lines.append(f"const {name} = {kind}({hex_of(constant)})")
    for enum in model.enums:
        lines += [""] + enum_lines(enum)
    return "\n".join(lines) + "\n"


def hex_of(constant):
    return hex(constant.value) if constant.value >= 1 << 62 else str(constant.value)


def enum_lines(enum):
    name = type_name(enum.name)
    rows = [f"`{constant_name(v.name)}`" + (f": {v.doc.text}" if v.doc.text else "")
            for v in enum.values]
    lines = docstring(name, enum.doc.text or f"Constants of `{enum.name}`.", rows)
    lines += [f"struct {name} <: CEnum", "    value::Int32",
              f"    {name}(value::Integer) = new(value)", "end"]
    lines += [f"const {constant_name(v.name)} = {name}({v.value})" for v in enum.values]
    lines.append(f"enum_values(::Type{{{name}}}) = (")
    lines += [f"    (:{constant_name(v.name)}, :{v.short.lower()}, Int32({v.value})),"
              for v in enum.values] + [")"]
    return lines


def handles(model):
    lines = [HEAD, "# One type per type of handle. An object owns one reference, which `close` or "
             "the", "# finalizer gives back."]
    for handle in model.handles:
        name = type_name(handle.name)
        word = "Any number of threads may use it." if handle.shareable else \
            "It may change threads; calls on it are made one after the other."
        text = handle.doc.text.replace(" Shareable.", "").replace(" Movable.", "")
        lines += [""] + docstring(name, f"{text}\n\n{word}")
        turn = [] if handle.shareable else ["    turn::ReentrantLock"]
        made = ", ReentrantLock()" if turn else ""
        lines += [f"mutable struct {name} <: Handle", "    pointer::Ptr{Cvoid}"] + turn + [
                  f"    function {name}(pointer::Ptr{{Cvoid}})",
                  f"        handle = new(pointer{made})",
                  f"        finalizer(release, handle)",
                  "        return handle", "    end", "end",
                  f"release_entry(::{name}, pointer::Ptr{{Cvoid}}) = "
                  f"Raw.{handle.release}(pointer)",
                  f"retain_entry(::{name}, pointer::Ptr{{Cvoid}}) = Raw.{handle.retain}(pointer)"]
        if turn:
            lines += [f"take_turn(handle::{name}) = lock(handle.turn)",
                      f"end_turn(handle::{name}) = unlock(handle.turn)",
                      f"share_turn(to::{name}, from::{name}) = (to.turn = from.turn; nothing)"]
    names = ", ".join(type_name(h.name) for h in model.handles)
    lines += [""] + listing("const HANDLE_TYPES = ", names.split(", "), "")
    return "\n".join(lines) + "\n"
