"""Structs: what the library reads becomes keywords, what it writes immutable structs."""

from backends._julia_names import (HEAD, SCALARS, constant_name, docstring, given_type, ident,
                                   listing, row, type_name, value_type, wide_type)

QUIET = ("struct_size", "reserved", "count", "size")


def files(model):
    lines = [HEAD, "# Structs. Offsets are those of C on machines with 64-bit pointers.", "",
             f"const POINTER_SIZE = {model.pointer_size}"]
    for struct in model.structs:
        if struct.kind == "frozen":
            lines += [""] + frozen(struct)
    for struct in model.structs:
        if struct.kind in ("info", "both"):
            lines += [""] + info(struct)
        if struct.kind in ("options", "both"):
            lines += [""] + filler(model, struct)
        if struct.kind == "options" and is_object(model, struct):
            lines += [""] + option_object(struct)
    lines += ["", "# Every struct with its size, and where its members are: for the tests.",
              "const LAYOUTS = ("]
    for struct in model.structs:
        members = ", ".join(f"(:{m.name}, {m.offset}, {m.size})" for m in struct.members)
        lines += [f"    (:{struct.name}, {struct.size}, ({members},)),"]
    return {"structs.jl": "\n".join(lines + [")"]) + "\n"}


def shown(struct):
    """The members that a user sees."""
    return [m for m in struct.members if m.role not in QUIET]


def is_keywords(argument):
    """Options that nobody has to give become keywords of the function, others an object."""
    return argument.role == "options" and argument.type.base.endswith("_options")


def is_object(model, struct):
    """Whether the struct is passed as an object of its own somewhere."""
    inner = any(m.role == "struct" and m.type.base == struct.name
                for s in model.structs for m in s.members)
    return inner or any(a.role == "options" and not is_keywords(a) and
                        a.type.base == struct.name
                        for f in model.functions for a in f.arguments)


# ---- Structs that travel in arrays ---------------------------------------------------------------

def frozen(struct):
    """The same layout as in C, so that arrays are passed as they are."""
    name = type_name(struct.name)
    rows = [row(ident(m.name), m.doc.text, m.flag) for m in struct.members]
    lines = docstring(name, struct.doc.text, rows) + [f"struct {name}"]
    for member in struct.members:
        kind = "Ptr{Cvoid}" if member.type.levels else value_type(member.type)
        lines.append(f"    {ident(member.name)}::{kind}")
    return lines + ["end"]


# ---- Structs that the library writes -------------------------------------------------------------

def info_type(member):
    if member.role == "text_inline":
        return "String"
    if member.role == "pointer":
        return "Ptr{Cvoid}"
    return "Bool" if member.flag else wide_type(member.type)


def reader(member):
    place = f"place + {member.offset}"
    if member.role == "text_inline":
        return f"inline_text({place}, {member.type.array})"
    if member.flag:
        return f"unsafe_load(Ptr{{UInt32}}({place})) != 0"
    kind = "Ptr{Cvoid}" if member.role == "pointer" else value_type(member.type)
    return f"unsafe_load(Ptr{{{kind}}}({place}))"


def info(struct):
    name, members = type_name(struct.name), shown(struct)
    rows = [row(ident(m.name), m.doc.text, m.flag) for m in members]
    lines = docstring(name, struct.doc.text or f"What `{struct.name}` tells.", rows)
    lines += [f"struct {name} <: Info"]
    lines += [f"    {ident(m.name)}::{info_type(m)}" for m in members] + ["end"]
    lines += [f"info_size(::Type{{{name}}}) = {struct.size}",
              f"function read_info(::Type{{{name}}}, place::Ptr{{UInt8}})"]
    lines += listing(f"return {name}", [reader(m) for m in members], "", "    ") + ["end"]
    if struct.kind == "both":
        names = [ident(m.name) for m in members]
        lines += listing(f"function {name}", [";"] + [f"{n} = {info_zero(m)}" for n, m in
                                                      zip(names, members)], "")
        lines += listing(f"    return {name}", names, "") + ["end"]
    return lines


def info_zero(member):
    if member.role == "text_inline":
        return '""'
    if member.flag:
        return "false"
    if member.type.array:
        return f"ntuple(_ -> {value_type(member.type).split(',')[1][:-1]}(0), {member.type.array})"
    return "C_NULL" if member.role == "pointer" else f"{wide_type(member.type)}(0)"


# ---- Structs that the library reads --------------------------------------------------------------

def keyword(model, member):
    """`name::Type = default` as a caller may give the member."""
    name, role, kind = ident(member.name), member.role, member.type
    if role == "value":
        if member.flag:
            return f"{name}::Union{{Bool,Integer}} = false"
        if kind.array:
            return f"{name} = ntuple(_ -> {SCALARS[kind.base]}(0), {kind.array})"
        zero = "0.0" if given_type(kind) == "Real" else "0"
        return f"{name}::{given_type(kind)} = {zero}"
    if role == "enum":
        return f"{name}::{given_type(kind)} = {type_name(kind.base)}(0)"
    if role == "handle":
        return f"{name}::Union{{Nothing,{handle_type(kind.base)}}} = nothing"
    if role == "handles":
        return f"{name} = ()"
    if role == "handle_out":
        return f"{name}::Union{{Nothing,Ref{{{type_name(kind.base)}}}}} = nothing"
    if role in ("text", "text_sized"):
        return f"{name}::Union{{Nothing,AbstractString}} = nothing"
    if role in ("texts", "array"):
        return f"{name} = ()"
    if role in ("data_in", "element"):
        return f"{name} = nothing"
    if role == "struct":
        return f"{name}::Union{{Nothing,{type_name(kind.base)}}} = nothing"
    raise SystemExit(f"Julia: members of role {role} have no rule: {member.name}")


def handle_type(c_name):
    return "TensorLike" if c_name == "netcl_tensor" else type_name(c_name)


def filler(model, struct):
    """fill_x!(place, keep, members...): writes the struct; `keep` holds what it points to."""
    name = struct.name[len("netcl_"):]
    lines = listing(f"function fill_{name}!", ["place::Ptr{UInt8}", "keep"] +
                    [ident(m.name) for m in shown(struct)], "")
    lines += [f"    clear_bytes(place, {struct.size})",
              f"    unsafe_store!(Ptr{{Csize_t}}(place), {struct.size})"]
    for member in shown(struct):
        lines += [f"    {line}" for line in store(model, struct, member)]
    lines += ["    return place", "end"]
    if struct.kind == "both":
        lines += object_filler(struct)
    return lines


def object_filler(struct):
    names = [f"object.{ident(m.name)}" for m in shown(struct)]
    kind = type_name(struct.name)
    lines = [f"struct_size(::{kind}) = {struct.size}",
             f"function fill_struct!(place::Ptr{{UInt8}}, keep, object::{kind})"]
    return lines + listing(f"return fill_{struct.name[6:]}!", ["place", "keep"] + names, "",
                           "    ") + ["end"]


# What calls without these have from the function of the host, or of a gradient, that they are made
# in (src/recording.jl).
SURROUNDING = ("queue", "waits", "graph")


def surrounding(struct, name):
    return f"{name}_of({name})" if struct.name == "netcl_run_options" and name in SURROUNDING \
        else name


def fields_of_lent(struct, members):
    """The offsets of lent run options, as keywords."""
    wanted = {"queue", "waits", "graph", "into"}
    unknown = [m.name for m in members if m.name not in wanted]
    if struct.name != "netcl_run_options" or unknown:
        raise SystemExit(f"Julia: lent {struct.name} has no rule: {', '.join(unknown)}")
    rows = [f"{m.name} = {m.offset}" for m in members if m.name != "into"]
    rows += [f"{m.name} = {m.offset}" for m in struct.members if m.name == "waits_count"]
    return ", ".join(rows)


def one_for_all(member):
    """Whether a member has a number for each dimension or side of an image: a stride, a padding."""
    kind = member.type
    return member.role == "value" and kind.base == "int64_t" and 0 < kind.array <= 4


def store(model, struct, member):
    name, role, kind = ident(member.name), member.role, member.type
    place = f"place + {member.offset}"
    if one_for_all(member):
        return [f"store_each(:{member.name}, Ptr{{Int64}}({place}), {kind.array}, {name})"]
    if role == "text_inline":
        return [f"store_text({place}, {kind.array}, {name})"]
    if role in ("value", "frozen") and kind.array:
        base = SCALARS.get(kind.base) or type_name(kind.base)
        return [f"store_tuple(:{member.name}, Ptr{{{base}}}({place}), {kind.array}, {name})"]
    if role == "value":
        return [f"unsafe_store!(Ptr{{{SCALARS[kind.base]}}}({place}), {name})"]
    if role == "enum":
        return [f"unsafe_store!(Ptr{{Int32}}({place}), "
                f"enum({type_name(kind.base)}, {name}).value)"]
    pointer = f"unsafe_store!(Ptr{{Ptr{{Cvoid}}}}({place}), "
    if role == "handle":
        return [f"{pointer}raw({surrounding(struct, name)}))"]
    if role in ("handle_out", "pointer"):
        return [f"{pointer}{name})"]
    if role == "element":
        return [f"{pointer}keep_bytes!(keep, {name}))"]
    if role == "struct":
        return [f"{pointer}keep_struct!(keep, {name}))"]
    if role == "text":
        return [f"{pointer}keep_text!(keep, :{member.name}, {name}))"]
    partner = next(m for m in struct.members if m.name == member.partner) if member.partner \
        else None
    if partner is None:
        raise SystemExit(f"Julia: {struct.name}.{member.name} has no count")
    keeper = {"handles": f"keep_handles!(keep, {surrounding(struct, name)})",
              "texts": f"keep_texts!(keep, :{member.name}, {name})",
              "text_sized": f"keep_sized!(keep, :{member.name}, {name})",
              "data_in": f"keep_data!(keep, :{member.name}, {name})",
              "array": f"keep_array!(keep, {value_type(kind)}, {name})"}.get(role)
    if keeper is None:
        raise SystemExit(f"Julia: members of role {role} have no rule: {member.name}")
    count = f"unsafe_store!(Ptr{{{SCALARS[partner.type.base]}}}(place + {partner.offset}), "
    return [f"{name}_place, {name}_count = {keeper}", f"{pointer}{name}_place)",
            f"{count}{name}_count)"]


def option_object(struct):
    """Options inside options, and those that are no option: Epilogue(bias = b)."""
    name, members = type_name(struct.name), shown(struct)
    rows = [row(ident(m.name), m.doc.text, m.flag) for m in members]
    lines = docstring(f"{name}(; members...)",
                      struct.doc.text or f"Options: `{struct.name}`.", rows)
    lines += [f"mutable struct {name}"]
    lines += [f"    {ident(m.name)}::Any" for m in members] + ["end"]
    keys = [keyword(None, m) for m in members]
    lines += listing(f"function {name}", [";"] + keys, "")
    lines += listing(f"return {name}", [ident(m.name) for m in members], "", "    ") + ["end"]
    return lines + object_filler(struct)
