"""zz_refusals_test.go: every op with a closed object in each place for one."""

import re

from backends._go_arguments import NARROW
from backends._go_calls import unreached
from backends._go_names import (HEAD, SCALARS, WIDTH, camel, constant_name, type_name,
                                value_type)
from backends._go_words import parameters, translated
from refusals import LIVE, RUN, TEXT, closed_kinds, refusals, run_members, sound_constant

BEGIN = """
package netcl_test

import (
	"testing"

	"netcl.example/netcl"
)

// Every op is called with a closed object in each place for one. The error names the place, and
// there is no result.
func TestEveryOpRefusesClosedObjects(t *testing.T) {
	device := open(t)
	defer device.Close()
	live := ok(netcl.Zeros(device, netcl.F32, 1, 1))(t)
	defer live.Close()
	expression := ok(netcl.NewExpression("%s"))(t)
	defer expression.Close()"""


def files(model, names):
    lines = [HEAD.rstrip("\n")] + (BEGIN % TEXT).split("\n")
    for kind in closed_kinds(model):
        lines += [f"\t{closed(kind)} := new(netcl.{type_name(kind)})",
                  f"\tmust(t, {closed(kind)}.Close())"]
    lines.append("\trun := &netcl.RunOptions{}")
    for member in run_members(model):
        one, kind = closed(member.type.base), type_name(member.type.base)
        given = f"[]*netcl.{kind}{{{one}}}" if member.role == "handles" else one
        own = camel(member.name)
        lines.append(f"\trun{own} := &netcl.RunOptions{{{own}: {given}}}")
    for function in model.functions:
        if function.kind == "op" and not unreached(function):
            lines += calls(model, function, names[function.name])
    return {"zz_refusals_test.go": "\n".join(lines + ["}"]) + "\n"}


def closed(kind):
    return "closed" + type_name(kind)


def calls(model, function, name):
    results = ["y", "z", "more", "most"][:len(function.outputs)]
    seen = [r + ("..." if a.role == "handles_out_like" else "")
            for r, a in zip(results, function.outputs)]
    lines, assign = [f'\tt.Run("{name}", func(t *testing.T) {{'], ":="
    for refusal in refusals(model, function):
        given = [value(model, a, refusal) for a in function.inputs]
        lines += statement(f"{', '.join(results + ['err'])} {assign} netcl.{name}", given)
        # Messages have the names of fields and parameters.
        name_of = parameters(function) if not refusal.member else {"waits": "Waits"}
        place = re.sub(r"^\w+", lambda m: name_of.get(m[0], m[0]), translated(refusal.place))
        lines.append(f'\t\tcloses(t, err, "{place}"{"".join(", " + r for r in seen)})')
        assign = "="
    return lines + ["\t})"]


def statement(head, given):
    """A call over two lines where it does not fit into one."""
    line = f"{head}({', '.join(given)})"
    if len(line) + 8 <= WIDTH:
        return ["\t\t" + line]
    return [f"\t\t{head}({', '.join(given[:-2])},", f"\t\t\t{', '.join(given[-2:])})"]


def value(model, argument, refusal):
    role, base = argument.role, argument.type.base
    is_closed = refusal.closes(argument)
    if role in ("handle", "handles"):
        one = closed(base) if is_closed else LIVE[base]
        return one if role == "handle" else f"[]*netcl.{type_name(base)}{{{one}}}"
    if base == RUN:
        return "run" + (camel(refusal.member.name) if is_closed else "")
    if role == "options":
        return f"&netcl.{type_name(base)}{{}}"
    if role == "value":
        return "true" if argument.flag else "1"
    if role == "enum":
        return "netcl." + constant_name(sound_constant(model, base).name)
    if role == "text":
        return f'"{TEXT}"'
    if role == "texts":
        return f'[]string{{"{TEXT}"}}'
    if role == "element":
        return "netcl.ScalarOf(float32(1))"
    return "[]int{1}" if role == "shape" else f"[]{array_type(argument.type)}{{1}}"


def array_type(kind):
    text = "int" if kind.base in NARROW else value_type(kind)
    return text if kind.base in SCALARS else "netcl." + text
