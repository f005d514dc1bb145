"""What can break the process that a function runs in: for languages that tell safe code from other.

hazards() looks at types, roles and names alone, and what it finds suspicious is unsafe unless the
header says that it is not: with the marker @safe. So what nobody thought of is
unsafe. No word makes memory and objects safe that the library goes on using, nor arguments of kernels.
"""

import functools

# Members of structs that hold text or bytes of a program.
PROGRAM = frozenset(("source", "params", "preamble", "body", "il", "binary"))
# What functions are called that run something.
VERBS = frozenset(("launch", "run", "rerun", "execute", "replay", "submit", "dispatch", "invoke",
                   "call", "time", "measure", "tune", "autotune", "benchmark"))


def structs_of(model, function, left_out=()):
    """The structs that a function reads, with those they point to."""
    names = [a.type.base for a in function.inputs
             if a.type.kind in ("sized", "frozen") and a.name not in left_out]
    found = []
    while names:
        struct = model.struct(names.pop())
        if struct not in found:
            found.append(struct)
            names += [m.type.base for m in struct.members if m.type.kind in ("sized", "frozen")]
    return found


def is_argument(struct):
    """Entries of an array that point somewhere: arguments of kernels."""
    return struct.kind == "frozen" and any(m.role == "pointer" for m in struct.members)


def trusted(struct):
    """Members whose bytes a driver gets as they are: the library does not say that it copies them.
    With them go the flags that are called trust_ and the name of one."""
    found = [m for m in struct.members if m.role == "data_in" and "copied" not in m.doc.words]
    names = {"trust_" + m.name for m in found}
    return found, [m for m in struct.members if m.name in names]


def holds_program(struct):
    return bool(trusted(struct)[0]) or \
        any(m.name in PROGRAM and m.type.levels for m in struct.members)


@functools.lru_cache(maxsize=1)
def kernel_types(model):
    """Handle types that stand for code of the caller: those that are made of programs."""
    return {a.type.base for f in model.functions if not f.doc.safe for a in f.outputs
            if a.type.kind == "handle" and any(holds_program(s) for s in structs_of(model, f))}


def given(function, structs):
    """The types of objects that a function takes."""
    return {a.type.base for a in function.inputs if a.type.kind == "handle"} | \
        {m.type.base for s in structs for m in s.members
         if m.type.kind == "handle" and m.role != "handle_out"}


def members_that_keep(structs):
    """Members by which data of the caller is used when the call is over."""
    return [m for s in structs for m in s.members
            if m.role == "handle_out" or "stays" in m.doc.words]


def keeps_memory(model, function, structs):
    """Whether data of the caller can be used when the call is over."""
    if not {"data_in", "data_out"} & {a.role for a in function.arguments}:
        return False
    if members_that_keep(structs_of(model, function)):
        # The marker of the data is about these.
        return bool(members_that_keep(structs))
    return any("stays" in p.marks for p in function.params)


def undefined_contents(function):
    """Whether it gives memory that nothing says the contents of."""
    gives = {a.type.base for a in function.outputs if a.type.kind == "handle"}
    contents = {"element", "data_in", "data_lent", "foreign", "text", "text_sized"}
    return function.kind != "op" and bool(gives & {"netcl_tensor", "netcl_buffer"}) and \
        not contents & {a.role for a in function.inputs} and \
        not {"netcl_tensor", "netcl_buffer"} & {a.type.base for a in function.inputs}


def hazards(model, function, left_out=()):
    """Why it is unsafe, as a list of kinds; an empty one when it is safe. `left_out` has the names
    of options that are not given.

    foreign     it takes an object of OpenCL or DLPack
    lent        it takes memory that stays in use
    data        it takes memory that some of its options keep in use
    arguments   it takes arguments of a kernel
    program     it takes text or bytes of a program
    kernel      it may run a kernel that the caller wrote
    undefined   it gives memory with undefined contents
    """
    roles = {a.role for a in function.arguments}
    structs = structs_of(model, function, left_out)
    found = [kind for kind, there in (
        ("foreign", "foreign" in roles),
        ("lent", "data_lent" in roles or any(m.role == "data_lent" for s in structs
                                             for m in s.members)),
        ("data", keeps_memory(model, function, structs)),
        ("arguments", any(is_argument(s) for s in structs))) if there]
    if function.doc.safe or function.kind in ("retain", "release"):
        return found
    kernels = kernel_types(model)
    if any(holds_program(s) for s in structs) or \
            kernels & {a.type.base for a in function.outputs}:
        found.append("program")
    if kernels & given(function, structs) or VERBS & set(function.verb.split("_")) or \
            any(a.name == "global" for a in function.inputs):
        found.append("kernel")
    if undefined_contents(function):
        found.append("undefined")
    return found
