"""Functions of Julia that the library calls: what they get, and a trampoline for each."""

from backends._julia_names import (HEAD, SCALARS, docstring, ident, listing, raw_type, row,
                                   type_name, value_type)
from backends._julia_structs import fields_of_lent
from calls import call_param, lent_members, lent_structs, made_count, made_param, shown


def used(model, left_out, kept):
    """The callbacks that have a form in Julia."""
    names = {a.type.base for f in model.functions if not left_out(f) for a in f.arguments
             if a.role == "callback" and a.kept == kept}
    return [c for c in model.callbacks if c.name in names]


def callbacks(model, left_out):
    """A trampoline catches what is thrown: exceptions must not pass through the library."""
    lines = [HEAD]
    for struct in lent_structs(model)[0]:
        lines += call_struct(model, struct) + [""]
    for callback in used(model, left_out, kept=True):
        lines += kept(model, callback) + [""]
    for callback in used(model, left_out, kept=False):
        lines += trampoline(callback) + [""]
    return "\n".join(lines)


# ---- Functions that are kept ---------------------------------------------------------------------

def call_struct(model, struct):
    name, members = type_name(struct.name), shown(model, struct)
    rows = [row(ident(m.name), m.doc.text, m.flag) for m in members]
    lines = docstring(name, struct.doc.text, rows) + [f"struct {name}"]
    lines += [f"    {ident(m.name)}::{member_type(m)}" for m in members] + ["end"]
    lines += [f"function lend(::Type{{{name}}}, place::Ptr{{UInt8}})"]
    lines += listing(f"return {name}", [reader(model, struct, m) for m in members], "", "    ")
    return lines + ["end"]


def member_type(member):
    kind = member.type
    one = "NetclArray" if kind.base == "netcl_tensor" else type_name(kind.base) \
        if kind.kind == "handle" else ""
    if member.role == "handle":
        return f"Union{{Nothing,{one}}}"
    if member.role == "handles":
        return f"Vector{{{one}}}"
    if member.role == "array":
        return f"Vector{{{value_type(kind)}}}"
    if member.role == "struct":
        return "Surroundings" if kind.base == "netcl_run_options" else refuse(member)
    if member.role in ("value", "enum"):
        return "Bool" if member.flag else value_type(kind)
    return refuse(member)


def refuse(member):
    raise SystemExit(f"Julia: a call's member of role {member.role} has no rule: {member.name}")


def reader(model, struct, member):
    kind, place = member.type, f"place + {member.offset}"
    pointer = f"unsafe_load(Ptr{{Ptr{{Cvoid}}}}({place}))"
    count = ""
    if member.partner:
        partner = struct.member(member.partner)
        count = f"unsafe_load(Ptr{{{SCALARS[partner.type.base]}}}(place + {partner.offset}))"
    if member.role == "handle":
        return f"lent_object({type_name(kind.base)}, {pointer})"
    if member.role == "handles":
        return f"lent_objects({type_name(kind.base)}, {pointer}, {count})"
    if member.role == "array":
        return f"lent_numbers({value_type(kind)}, {pointer}, {count})"
    if member.role == "struct":
        offsets = fields_of_lent(model.struct(kind.base), lent_members(model.struct(kind.base)))
        return f"lent_run({pointer}; {offsets})"
    value = f"unsafe_load(Ptr{{{value_type(kind)}}}({place}))"
    return f"{value} != 0" if member.flag else value


def kept(model, callback):
    """What a function that is kept gets is made within `answer`, which catches everything."""
    if callback.returns.base != "netcl_status":
        raise SystemExit(f"Julia: {callback.name} is kept and returns no status")
    made, call = made_param(callback), call_param(model, callback)
    values = []
    for param in callback.params[:-1]:
        if param is call:
            values.append(f"lend({type_name(param.type.base)}, Ptr{{UInt8}}({ident(param.name)}))")
        elif param is not made:
            values.append(callback_value(param))
    params = [f"{ident(p.name)}::{raw_type(p.type)}" for p in callback.params]
    state = ident(callback.params[-1].name)
    lines = listing(f"function {callback.short}_call", params, "::Int32")
    lines += [f"    return answer({state}) do work"]
    lines += listing("made = call_kept", ["work"] + values, "", "        ")
    if made is not None:
        if made.type.base != "netcl_tensor":
            raise SystemExit(f"Julia: {callback.name}: functions that make a {made.type.base} have "
                             "no rule")
        member = made_count(model, callback)
        lines += [f"        count = unsafe_load(Ptr{{{SCALARS[member.type.base]}}}("
                  f"{ident(call.name)} + {member.offset}))",
                  f"        give_tensors(:{made.name}, made, Ptr{{Ptr{{Cvoid}}}}({ident(made.name)}), "
                  "Int(count))"]
    return lines + ["    end", "end"] + pointer_of(callback)


def pointer_of(callback):
    void = callback.returns.base == "void"
    returns = "Cvoid" if void else raw_type(callback.returns)
    types = ", ".join(raw_type(p.type) for p in callback.params)
    return [f"{callback.short}_pointer() = @cfunction({callback.short}_call, {returns}, "
            f"({types},))"]


# ---- Functions that are called during one call ---------------------------------------------------

def trampoline(callback):
    params = [f"{ident(p.name)}::{raw_type(p.type)}" for p in callback.params]
    values = [callback_value(p) for p in callback.params[:-1]]
    void = callback.returns.base == "void"
    returns = "Cvoid" if void else raw_type(callback.returns)
    if callback.returns.base == "netcl_status":
        outcome, failed = "status_of(value)", "status_of(failure)"
    elif void:
        outcome = failed = "nothing"
    else:
        outcome, failed = f"{returns}(value)", f"{returns}(0)"
    state = ident(callback.params[-1].name)
    lines = listing(f"function {callback.short}_call", params, f"::{returns}")
    lines += [f"    state = unsafe_pointer_to_objref({state})::CallbackState", "    try"]
    lines += listing("value = state.work", values, "", "        ")
    lines += [f"        return {outcome}", "    catch failure",
              "        state.failure === nothing && (state.failure = failure)",
              f"        return {failed}", "    end", "end"]
    return lines + pointer_of(callback)


def callback_value(param):
    name, kind = ident(param.name), param.type
    if kind.kind == "handle" and kind.depth == 1:
        return f"retained({type_name(kind.base)}, {name})"
    if kind.kind == "enum" and not kind.depth:
        return f"{type_name(kind.base)}({name})"
    if kind.kind == "sized" and kind.levels == (True,):
        return f"read_info({type_name(kind.base)}, Ptr{{UInt8}}({name}))"
    if kind.kind == "char" and kind.levels == (True,):
        return f"borrowed_text({name})"
    if kind.kind == "scalar" and kind.depth <= 1:
        return name if not kind.depth else \
            f"Ptr{{{raw_type(type(kind)(kind.base, kind.kind))}}}({name})"
    raise SystemExit(f"Julia: callbacks with `{kind.spelling} {param.name}` have no rule")
