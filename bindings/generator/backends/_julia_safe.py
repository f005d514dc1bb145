"""The functions of the safe layer: a file per handle type, ops, and free functions."""

from backends._julia_names import (HEAD, docstring, function_name, ident, listing, raw_type,
                                   type_name)
from backends._julia_writer import Writer, left_out


def files(model):
    found = {}
    for handle in model.handles:
        functions = [f for f in model.functions if f.owner == handle.short]
        found[handle.short + ".jl"] = functions_file(model, functions)
    found["op.jl"] = functions_file(model, [f for f in model.functions if f.kind == "op"])
    owned = {h.short for h in model.handles} | {"op"}
    rest = [f for f in model.functions if f.owner not in owned]
    found["library.jl"] = functions_file(model, rest)
    found["callbacks.jl"] = callbacks(model)
    found["functions.jl"] = includes(found, model)
    return found


def includes(found, model):
    lines = [HEAD] + [f'include("{name}")' for name in sorted(found)]
    lines += ["", "# What is written for other languages only, and why not here.",
              "const LEFT_OUT = ("]
    for function in model.functions:
        reason = left_out(function)
        if reason:
            lines.append(f'    (:{function.name}, "{reason}"),')
    return "\n".join(lines + [")"]) + "\n"


def functions_file(model, functions):
    lines = [HEAD]
    for function in functions:
        if left_out(function):
            continue
        if function.kind in ("retain", "release"):
            lines += reference(function) + [""]
            continue
        for writer in forms(model, function):
            lines += writer.lines() + [""]
    return "\n".join(lines)


def forms(model, function):
    """Functions on memory of the host that may be used after the call are written twice: safely,
    and as unsafe_x with pointers and all options."""
    roles = {a.role for a in function.arguments}
    if {"foreign", "data_lent"} & roles:
        return [Writer(model, function, unsafe=True)]
    if {"data_in", "data_out"} & roles:
        return [Writer(model, function), Writer(model, function, unsafe=True)]
    return [Writer(model, function)]


def reference(function):
    """retain and release: one more object, and close."""
    name, kind = function_name(function), type_name("netcl_" + function.owner)
    argument = ident(function.owner)
    text = "Gives the object's reference back at once, as `close` does. The object is of no more " \
        "use." if function.kind == "release" else \
        f"Gives another {kind} with a reference of its own to the same object."
    lines = docstring(f"{name}({argument})", text, (), f"Calls `{function.name}`.")
    verb = "close" if function.kind == "release" else "retain"
    return lines + [f"{name}({argument}::{kind}) = {verb}({argument})"]


# ---- Callbacks -----------------------------------------------------------------------------------

def callbacks(model):
    """A trampoline per callback that is called during a call only. It catches what is thrown:
    exceptions must not pass through the library."""
    used = {a.type.base for f in model.functions if not left_out(f) for a in f.arguments
            if a.role == "callback"}
    lines = [HEAD]
    for callback in model.callbacks:
        if callback.name in used:
            lines += trampoline(callback) + [""]
    return "\n".join(lines)


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
    types = ", ".join(raw_type(p.type) for p in callback.params)
    return lines + [f"{callback.short}_pointer() = @cfunction({callback.short}_call, {returns}, "
                    f"({types},))"]


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
