"""Functions of the host that the library keeps, and what they get: a struct of kind "call".

What such a function makes goes into an array of handles, a parameter `T **x`, which has as many
entries as the member `x_count` of the call says. A function that is kept has to return a status: a
call of the library then passes on what failed. One that returns nothing is called in calls that have
nothing to do with it, whose callers nobody could tell.
"""

import re


def call_param(model, callback):
    """The parameter that is a call, None when there is none."""
    calls = [p for p in callback.params if p.type.kind == "sized" and
             model.struct(p.type.base).kind == "call"]
    return calls[0] if calls else None


def made_param(callback):
    """The parameter that is filled with handles, None when there is none."""
    made = [p for p in callback.params if p.type.kind == "handle" and
            p.type.levels == (False, False)]
    return made[0] if made else None


def made_count(model, callback):
    """The member of the call that says how many handles may be made."""
    call, made = call_param(model, callback), made_param(callback)
    wanted = f"{made.name}_count"
    for member in model.struct(call.type.base).members if call else ():
        if member.name == wanted:
            return member
    raise SystemExit(f"{callback.name}: {made.name} has no extent; the struct of the call needs a "
                     f"member {wanted}")


def counts_made(model, struct):
    """The members of a call that say how many handles may be made, which are no user's concern."""
    return {made_count(model, c).name for c in model.callbacks
            if made_param(c) and call_param(model, c) and
            call_param(model, c).type.base == struct.name}


def shown(model, struct):
    """The members of a call that its function sees."""
    hidden = counts_made(model, struct)
    return [m for m in struct.members if m.name not in hidden and
            m.role not in ("struct_size", "reserved", "count", "size")]


def lent_structs(model):
    """The structs of calls, and those of options that they lend."""
    calls = [s for s in model.structs if s.kind == "call"]
    lent = {m.type.base for s in calls for m in s.members if m.role == "struct"}
    return calls, [s for s in model.structs if s.name in lent]


def lent_members(struct):
    """The members of lent options; results go nowhere from there."""
    return [m for m in struct.members
            if m.role not in ("struct_size", "reserved", "count", "size", "handle_out")]


def returned_words(text):
    """The comment of a function that is kept where a language has it return what it makes, and its
    error: in C it fills an array, and returns a status."""
    text = re.sub(r"`(\w+)` holds NULL at first, and gets a reference to each of \w+_count values, "
                  r"which is the library's from then on", r"Returns `\1`, all of its values", text)
    text = re.sub(r"`(\w+)` holds NULL at first, and gets a reference to each tensor that is made, "
                  r"which is the library's from then on", r"Returns `\1`, those that are made", text)
    return re.sub(r" Returns NETCL_OK or what failed(?:, see netcl_last_error_set)?\.", "", text)


def output_words(text):
    """The comment of an output where a language always asks for it, so that none is NULL."""
    return re.sub(r"; may be NULL(?: when [^;]*)?$", "", text)
