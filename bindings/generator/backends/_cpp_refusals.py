"""tests/cpp/generated/refusals.hpp: every op with a released object in each place for one."""

from backends._cpp_names import HEAD, ident, listing, ref_name, type_name, value_name
from refusals import LIVE, RUN, TEXT, closed_kinds, refusals, run_members, sound_constant

BEGIN = """
// Every op is called with a released object in each place for one. The error names the place, and
// there is no result. The file that includes this says what `closes(call, place)`,
// `MUST` and `released` do.
#include <netcl.hpp>

struct refusals {
  explicit refusals(netcl::device_ref device) {
    live = MUST(netcl::tensor::create_zeros(device, netcl::dtype::f32, {1, 1}));
    expression = MUST(netcl::expression::create("%s"));
  }

  netcl::tensor live;
  netcl::expression expression;"""


def files(model):
    lines = [HEAD.rstrip("\n")] + (BEGIN % TEXT).split("\n")
    for kind in closed_kinds(model):
        lines.append(f"  {ref_name(kind)} {closed(kind)} = released<{ref_name(kind)}>();")
    for member in run_members(model):
        one, name = closed(member.type.base), f"run_{member.name}"
        if member.role == "handles":
            kind = ref_name(member.type.base)
            lines.append(f"  {kind} closed_{member.name}[1] = {{{one}}};")
            one = f"closed_{member.name}"
        lines.append(f"  netcl::run_options {name} = netcl::run_options().{member.name}({one});")
    every = [f for f in model.functions if f.kind == "op"]
    for function in every:
        lines += ["", f"  void refuse_{function.verb}() {{"] + calls(model, function) + ["  }"]
    lines += ["", "  void all() {"] + [f"    refuse_{f.verb}();" for f in every] + ["  }", "};"]
    return {"refusals.hpp": "\n".join(lines) + "\n"}


def closed(kind):
    return "closed_" + kind[len("netcl_"):]


def calls(model, function):
    lines = []
    for refusal in refusals(model, function):
        values = [value(model, a, refusal) for a in function.inputs]
        lines += ["    closes(", "        [&] {"]
        lines += listing(f"return netcl::op::{ident(function.verb)}", values, ";", " " * 10)
        lines += ["        },", f'        "{refusal.place}");']
    return lines


def value(model, argument, refusal):
    role, base = argument.role, argument.type.base
    if role in ("handle", "handles"):
        one = closed(base) if refusal.closes(argument) else LIVE[base]
        return one if role == "handle" else f"{{{one}}}"
    if base == RUN:
        return f"run_{refusal.member.name}" if refusal.member else f"{type_name(RUN)}()"
    if role == "options":
        return f"{type_name(base)}()"
    if role == "enum":
        constant = sound_constant(model, base)
        return f"{type_name(base)}::{value_name(model.enum(base), constant)}"
    if role == "text":
        return f'"{TEXT}"'
    if role == "texts":
        return f'{{"{TEXT}"}}'
    return "{1}" if role in ("array", "shape") else "1"
