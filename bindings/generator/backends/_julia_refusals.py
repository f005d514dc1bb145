"""test/generated/refusals.jl: every op with a closed object in each place for one."""

from backends._julia_names import HEAD, WIDTH, constant_name, function_name, ident, type_name
from backends._julia_structs import is_keywords
from refusals import LIVE, TEXT, closed_kinds, refusals, sound_constant

BEGIN = """
# Every op is called with a closed object in each place for one. The error names the place, and
# there is no result.

@testset "every op refuses closed objects" begin
    live = Netcl.tensor_create_zeros(dev(), :f32, (1, 1))
    expression = Netcl.Expression("%s")
    closes(call, place) = fails(call, Netcl.ERROR_INVALID_HANDLE, "$place is 0x")
    tensors = Main.live(Netcl.HANDLE_TENSOR)"""
END = """
    # What other tests left may be collected meanwhile.
    @test Main.live(Netcl.HANDLE_TENSOR) <= tensors
    foreach(close, (live, expression))
end
"""


def files(model):
    lines = [HEAD.rstrip("\n")] + (BEGIN % TEXT).split("\n")
    lines += [f"    {closed(k)} = Netcl.{type_name(k)}(Netcl.CLOSED)" for k in closed_kinds(model)]
    for function in model.functions:
        if function.kind == "op":
            lines += calls(model, function)
    return {"refusals.jl": "\n".join(lines) + "\n" + END}


def closed(kind):
    return "closed_" + kind[len("netcl_"):]


def calls(model, function):
    lines = [""]
    for refusal in refusals(model, function):
        text = ", ".join(value(model, a, refusal) for a in function.inputs if not is_keywords(a))
        if refusal.member:
            one = closed(refusal.kind)
            one = f"({one},)" if refusal.member.role == "handles" else one
            text += f"; {ident(refusal.member.name)} = {one}"
        call = f"    closes(() -> Netcl.{function_name(function)}({text}),"
        said = f'"{refusal.place}")'
        lines += [f"{call} {said}"] if len(call) + len(said) < WIDTH else [call, f"           {said}"]
    return lines


def value(model, argument, refusal):
    role, base = argument.role, argument.type.base
    if role in ("handle", "handles"):
        one = closed(base) if refusal.closes(argument) else LIVE[base]
        return one if role == "handle" else f"({one},)"
    if role == "options":
        return f"Netcl.{type_name(base)}()"
    if role == "enum":
        return "Netcl." + constant_name(sound_constant(model, base).name)
    if role == "text":
        return f'"{TEXT}"'
    if role == "texts":
        return f'("{TEXT}",)'
    return "(1,)" if role in ("array", "shape") else "1"
