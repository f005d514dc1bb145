"""The functions of Go that C calls: their types, what they get, and what C calls in their place."""

from backends._go_arguments import func_type
from backends._go_calls import called_back, exported, is_kept
from backends._go_names import (NoRule, c_field, c_type, camel, comment, local, member_lines, sentence,
                                type_name, value_type)
from calls import (call_param, lent_members, lent_structs, made_count, made_param, returned_words,
                   shown)


def lines(model):
    found = []
    for struct in lent_structs(model)[0]:
        found += call_struct(model, struct)
    for kind in called_back(model):
        found += kept_lines(model, kind) if is_kept(model, kind) else callback_lines(kind)
    return found or ["", "// No function of the header takes a callback."]


# ---- Functions that are kept ---------------------------------------------------------------------

def call_struct(model, struct):
    """What such a function gets. Each object has a reference of its own, which goes with the call, so
    that it may be closed there, and used behind it, without harm."""
    name, members = type_name(struct.name), shown(model, struct)
    found = [""] + comment(sentence(name, struct.doc.text)) + [f"type {name} struct {{"]
    found += member_lines([(camel(m.name), member_type(m), m.doc.text) for m in members])
    found += ["}", "", f"func lend{name}(l *lender, c *C.{struct.name}) *{name} {{",
              f"\tmade := &{name}{{}}"]
    for member in members:
        found += [f"\t{line}" for line in lent(model, member, "made", "c")]
    return found + ["\treturn made", "}"]


def member_type(member):
    kind = member.type
    if member.role in ("handle", "struct"):
        return "*" + type_name(kind.base)
    if member.role == "handles":
        return "[]*" + type_name(kind.base)
    if member.role == "array":
        return "[]" + value_type(kind)
    if member.role in ("value", "enum"):
        return "bool" if member.flag else value_type(kind)
    raise NoRule(member.name, f"a call's member of role {member.role}")


def lent(model, member, made, c):
    """Lines that set a member to what C lends."""
    kind, place, own = member.type, f"{c}.{c_field(member.name)}", f"{made}.{camel(member.name)}"
    count = f"int({c}.{c_field(member.partner)})" if member.partner else ""
    if member.role in ("handle", "handles"):
        take = f"l, new{type_name(kind.base)}, (*{type_name(kind.base)}).Retain, "
        pointer = f"unsafe.Pointer(&{place})" if member.role == "handle" else f"unsafe.Pointer({place})"
        return [f"{own} = lendObject({take}*(*uintptr)({pointer}))" if member.role == "handle" else
                f"{own} = lendObjects({take}{pointer}, {count})"]
    if member.role == "array":
        kinds = value_type(kind)
        return [f"{own} = append([]{kinds}(nil), unsafe.Slice((*{kinds})(unsafe.Pointer({place})), "
                f"{count})...)"]
    if member.role == "struct":
        inner = model.struct(kind.base)
        found = [f"{own} = &{type_name(inner.name)}{{}}"]
        for each in lent_members(inner):
            found += lent(model, each, own, place)
        return found
    return [f"{own} = {place} != 0" if member.flag else f"{own} = {value_type(kind)}({place})"]


def kept_lines(model, kind):
    """A function that is kept runs where C calls it: on the goroutine, and the thread, of the call."""
    if kind.returns.base != "netcl_status":
        raise NoRule(kind.name, "a function that is kept and returns no status")
    name, made, call = func_type(kind.name), made_param(kind), call_param(model, kind)
    params, c_params, values = [], [], []
    for param in kind.params[:-1]:
        own, base = local(param.name), param.type.base
        if param is made:
            c_params.append(f"{own} *C.uintptr_t")
        elif param is call:
            params.append(f"{own} *{type_name(base)}")
            c_params.append(f"{own} *C.{base}")
            values.append(f"lend{type_name(base)}(&l, {own})")
        elif param.type.depth == 0:
            params.append(f"{own} {value_type(param.type)}")
            c_params.append(f"{own} {c_type(param.type)}")
            values.append(f"{value_type(param.type)}({own})")
        else:
            raise NoRule(kind.name, f"its parameter {param.name}, {param.type.spelling}")
    text = sentence(name, returned_words(kind.doc.text), verb=True) + \
        "\n\nIt runs on the goroutine of the call. An error and a panic in it are an error of that call, " \
        "which errors.Is and errors.As find the function's own in. It must not end by runtime.Goexit, " \
        "as t.FailNow does: what the call holds would be lost."
    returned = f"([]*{type_name(made.type.base)}, error)" if made else "error"
    if made:
        text += " What it returns is closed afterwards."
    found = [""] + comment(text) + [f"type {name} func({', '.join(params)}) {returned}", "",
                                    f"//export {exported(kind)}",
                                    f"func {exported(kind)}({', '.join(c_params)}, "
                                    "userData C.uintptr_t) C.netcl_status {",
                                    f"\tfunction := keptFunction[{name}](uintptr(userData))",
                                    "\treturn answer(func(l *lender) error {"]
    for param, value in zip([p for p in kind.params[:-1] if p is not made], values):
        found.append(f"\t\t{local(param.name)}Go := {value.replace('&l, ', 'l, ')}")
    given = ", ".join(f"{local(p.name)}Go" for p in kind.params[:-1] if p is not made)
    found += ["\t\tif l.err != nil {", "\t\t\treturn l.err", "\t\t}"]
    if not made:
        return found + [f"\t\treturn function({given})", "\t})", "}"]
    count = made_count(model, kind).name
    own = local(made.name)
    return found + [f"\t\tmade, err := function({given})",
                    f"\t\treturn giveObjects(\"{own}\", made, err, (*{type_name(made.type.base)})"
                    f".Retain, unsafe.Pointer({own}), int({local(call.name)}.{c_field(count)}))",
                    "\t})", "}"]


# ---- Functions that are called during one call ---------------------------------------------------

def callback_lines(kind):
    name = func_type(kind.name)
    params, c_params, values, before, after = [], [], [], [], []
    for param in kind.params[:-1]:
        own, base = local(param.name), type_name(param.type.base) \
            if param.type.base.startswith("netcl_") else ""
        if param.type.kind == "handle":
            params.append(f"{own} *{base}")
            c_params.append(f"{own} C.uintptr_t")
            before.append(f"{own}Go := &{base}{{}}")
            before.append(f"{own}Go.raw.Store(uintptr({own}))")
            after.append(f"{own}Go.take()")
            values.append(f"{own}Go")
        elif param.type.kind == "sized":
            params.append(f"{own} *{base}")
            c_params.append(f"{own} *C.{param.type.base}")
            before.append(f"{own}Go := new{base}({own})")
            values.append(f"&{own}Go")
        elif param.type.kind == "char":
            params.append(f"{own} string")
            c_params.append(f"{own} *C.char")
            values.append(f"C.GoString({own})")
        else:
            params.append(f"{own} {value_type(param.type)}")
            c_params.append(f"{own} {c_type(param.type)}")
            values.append(f"{value_type(param.type)}({own})")
    status = kind.returns.base == "netcl_status"
    void = kind.returns.base == "void"
    returned = "error" if status else "" if void else value_type(kind.returns)
    call = f"function({', '.join(values)})"
    run = [f"\treturn {call}"] if status else \
        [f"\t{call}" if void else f"\tvalue = {call}", "\treturn nil"]
    lines = [""] + comment(sentence(name, returned_words(kind.doc.text), verb=True) + "\n\nIt runs on the "
                           "goroutine of the call that it was given to, so that what it enqueues "
                           "belongs to the caller's regions. A panic in it goes on when C has "
                           "returned.")
    lines += [f"type {name} func({', '.join(params)}){' ' + returned if returned else ''}", "",
              f"//export {exported(kind)}",
              f"func {exported(kind)}({', '.join(c_params + ['userData C.uintptr_t'])})"
              f"{'' if void else ' ' + c_type(kind.returns)} {{",
              "\tscope := scopeOf(uintptr(userData))",
              f"\tfunction := scope.function.({name})"]
    lines += [f"\t{line}" for line in before]
    lines += [] if status or void else [f"\tvar value {returned}"]
    head = "status := " if status else ""
    lines += [f"\t{head}scope.run(func() error {{"] + ["\t" + line for line in run] + ["\t})"]
    lines += [f"\t{line}" for line in after]
    if status:
        lines.append("\treturn C.netcl_status(status)")
    elif not void:
        lines.append(f"\treturn {c_type(kind.returns)}(value)")
    return lines + ["}"]
