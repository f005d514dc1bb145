"""netcl/tests/generated/main.rs: every op with a released object in each place for one."""

from backends._rust_members import by_value
from backends._rust_names import HEAD, WIDTH, ident, listing, method_name, type_name
from refusals import LIVE, RUN, TEXT, closed_kinds, refusals, run_members, sound_constant

BEGIN = """
//! Every op is called with a released object in each place for one. The error names the place, and
//! there is no result.

#[path = "../common/mod.rs"]
mod common;
use common::{device, fails};
use netcl::*;

fn closes<T>(result: Result<T>, place: &str) {
    fails(result, Status::INVALID_HANDLE, &format!("{place} is 0x"));
}

#[test]
fn every_op_refuses_released_objects() {
    let dev = device();
    let live = &AnyTensor::from(dev.zeros::<f32>(&[1, 1]).unwrap());
    let expression = &Expression::new("%s").unwrap();
    let stale = AnyTensor::from(dev.zeros::<f32>(&[1]).unwrap()).into_raw();
    // SAFETY: a stale handle is a number that the library refuses; this is what is tested.
    unsafe { sys::netcl_tensor_release(stale) };
    let tensors = library::live_count(HandleType::TENSOR).unwrap();"""
END = """    assert_eq!(library::live_count(HandleType::TENSOR).unwrap(), tensors);
}
"""


def files(model):
    lines = [HEAD.rstrip("\n")] + (BEGIN % TEXT).split("\n")
    for kind in closed_kinds(model):
        lines += ["    // SAFETY: as above; there is no reference that dropping it could give back.",
                  f"    let {closed(kind)} = &unsafe {{ {type_name(kind)}::from_raw(stale as *mut _) "
                  "};"]
    lines.append("    let run = RunOptions::new;")
    for member in run_members(model):
        one, name = closed(member.type.base), ident(member.name)
        given = one
        if member.role == "handles":
            lines.append(f"    let released_{name} = [{one}];")
            given = f"&released_{name}"
        lines.append(f"    let run_{name} = || run().{name}({given});")
    for function in model.functions:
        if function.kind == "op":
            lines += calls(model, function)
    return {"main.rs": "\n".join(lines) + "\n" + END}


def closed(kind):
    return "released_" + kind[len("netcl_"):]


def calls(model, function):
    lines = [""]
    for refusal in refusals(model, function):
        given = [value(model, a, refusal) for a in function.inputs]
        lines += statement(f"op::{method_name(function.verb)}", given)
        lines.append(f'    closes(y, "{refusal.place}");')
    return lines


def statement(head, given):
    """`let y = head(given);` as rustfmt would have it."""
    line = f"{head}({', '.join(given)});"
    if len(line) + 12 <= WIDTH or len(line) + 8 > WIDTH:
        return listing(f"let y = {head}", given, ";", "    ")
    return ["    let y =", f"        {line}"]


def value(model, argument, refusal):
    role, base = argument.role, argument.type.base
    is_closed = refusal.closes(argument)
    if role in ("handle", "handles"):
        one = closed(base) if is_closed else LIVE[base]
        one = f"&[{one}]" if role == "handles" else one
        return f"Some({one})" if argument.optional and role == "handle" else one
    if base == RUN:
        return f"run_{ident(refusal.member.name)}()" if is_closed else "run()"
    if role == "options":
        text = f"{type_name(base)}::default()"
        return text if by_value(model.struct(base)) else f"&{text}"
    if role == "value":
        return "true" if argument.flag else "1.0" if argument.type.base in ("double", "float") \
            else "1"
    if role == "enum":
        return f"{type_name(base)}::{sound_constant(model, base).short}"
    if role == "text":
        return f'Some("{TEXT}")' if argument.optional else f'"{TEXT}"'
    if role == "texts":
        return f'&["{TEXT}"]'
    if role == "element":
        return "1f32.into()"
    if role == "shape":
        return "[1]"
    return "&[1.0]" if argument.type.base in ("double", "float") else "&[1]"
