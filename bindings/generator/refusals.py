"""Calls of ops that have to be refused: what every binding's generated test makes.

Each op is called once for each place where it takes an object, with a closed one there and all else
sound. The error is INVALID_HANDLE and names the place, so a call shows that each argument arrives
where it belongs. No new op needs a test written by hand to be called in every language.
"""

from dataclasses import dataclass
from typing import Optional

from model import Argument, Member

# What can be given in place of an argument without knowing what the op does.
SOUND_ROLES = ("handle", "handles", "value", "enum", "text", "texts", "element", "array", "shape",
               "options")
# Objects that stand where none is closed.
LIVE = {"netcl_tensor": "live", "netcl_expression": "expression"}
RUN = "netcl_run_options"
# The text of an op is an expression.
TEXT = "v0"


@dataclass
class Refusal:
    """`argument`, or a member of the run options, is closed; the message says "`place` is"."""

    argument: Argument
    member: Optional[Member]
    place: str

    @property
    def kind(self):
        return (self.member or self.argument).type.base

    def closes(self, argument):
        return self.argument is argument


def sound_constant(model, name):
    """A constant of an enum; of dtypes that of the live tensor, of which elements are."""
    values = model.enum(name).values
    return next((v for v in values if v.name == "NETCL_F32"), values[0])


def refusals(model, function):
    found = []
    for argument in function.inputs:
        if argument.role not in SOUND_ROLES:
            raise SystemExit(f"{function.name}, {argument.name}: bindings/generator/refusals.py "
                             f"does not say what a test gives for the role {argument.role}")
        if argument.role in ("handle", "handles"):
            if argument.type.base not in LIVE:
                raise SystemExit(f"{function.name}, {argument.name}: bindings/generator/refusals.py "
                                 f"does not say where a test gets a {argument.type.base}")
            index = "[0]" if argument.role == "handles" else ""
            found.append(Refusal(argument, None, argument.name + index))
        if argument.type.base == RUN:
            found += [Refusal(argument, m, place(m)) for m in run_members(model)]
    # An element is converted by its tensor's dtype, which a closed one does not have.
    if any(a.role == "element" for a in function.inputs):
        found = [r for r in found if r.member]
    return found


def run_members(model):
    """Other options differ: an op may have no use for a member, and say so first."""
    return [m for m in model.struct(RUN).members if m.role in ("handle", "handles")]


def place(member):
    """Arrays of the options are named without them."""
    return f"{member.name}[0]" if member.role == "handles" else f"run->{member.name}"


def closed_kinds(model):
    """The types of which a closed object is needed."""
    ops = [f for f in model.functions if f.kind == "op"]
    return sorted({r.kind for f in ops for r in refusals(model, f)})
