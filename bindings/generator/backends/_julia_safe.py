"""The functions of the safe layer: a file per handle type, ops, and free functions."""

from backends._julia_calls import callbacks
from backends._julia_names import HEAD, docstring, function_name, ident, listing, type_name
from backends._julia_writer import BY_HAND, Writer, left_out


def files(model):
    found = {}
    for handle in model.handles:
        functions = [f for f in model.functions if f.owner == handle.short]
        found[handle.short + ".jl"] = functions_file(model, functions)
    found["op.jl"] = functions_file(model, [f for f in model.functions if f.kind == "op"])
    owned = {h.short for h in model.handles} | {"op"}
    rest = [f for f in model.functions if f.owner not in owned]
    found["library.jl"] = functions_file(model, rest)
    found["callbacks.jl"] = callbacks(model, left_out)
    found["functions.jl"] = includes(found, model)
    return found


def includes(found, model):
    lines = [HEAD] + [f'include("{name}")' for name in sorted(found)]
    lines += ["", "# What is written for other languages only, and why not here.",
              "const LEFT_OUT = ("]
    for function in model.functions:
        reason = left_out(function)
        if reason and function.name not in BY_HAND:
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
