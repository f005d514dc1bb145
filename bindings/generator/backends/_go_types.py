"""Constants, enums, and the structs of options and of information."""

import re

from backends._go_names import (HAND_WRITTEN, HEAD, NoRule, c_field, c_type, camel, comment,
                                constant_name, field_name, is_duration, member_lines, sentence,
                                type_name, value_type)
from backends._go_words import parameters

PREAMBLE = ["package netcl", "", "// #include \"zz_calls.h\"", "import \"C\"", ""]
HIDDEN = ("struct_size", "reserved", "count", "size", "user_data", "destroy", "callback")


def files(model):
    return {"zz_constants.go": constants(model), "zz_options.go": options(model),
            "zz_infos.go": infos(model), "zz_fields.go": fields(model)}


def with_imports(lines, head=PREAMBLE):
    """A file that imports what its text uses."""
    text = "\n".join(lines)
    code = "\n".join(line for line in lines if not line.strip().startswith("//"))
    known = ("context", "runtime", "strconv", "sync", "sync/atomic", "time", "unsafe")
    used = [name for name in known if re.search(rf"\b{name.split('/')[-1]}\.", code)]
    imports = ["import ("] + [f'\t"{name}"' for name in used] + [")", ""] if len(used) > 1 else \
        [f'import "{name}"' for name in used] + [""] if used else []
    # Without cgo nothing is compiled but nocgo.go, which says so.
    tag = [] if 'import "C"' in head else ["//go:build cgo", ""]
    return "\n".join([HEAD] + tag + list(head) + imports) + text + "\n"


def fields(model):
    """What messages of the library call members of options and parameters, and what Go does."""
    given = [s for s in model.structs if s.kind in ("options", "both")]
    members = [m for s in given for m in shown(s)]
    names = {m.name: field_name(m.type, m.name) for m in members
             if not is_duration(m.type, m.name)}
    lines = ["", "// fieldInGo gives the field of a member of options in C, \"\" for what is none. Times in",
             "// nanoseconds are left out, as messages say their number.",
             "func fieldInGo(member string) string {", *named(names, "member")]
    # A name that is a truth value in one struct may be a number in another.
    flags = {m.name for m in members if m.flag} - {m.name for m in members if not m.flag}
    lines += ["", "// isFlag tells whether a member of options is a bool.",
              "func isFlag(member string) bool {", "\tswitch member {",
              "\tcase " + ",\n\t\t".join(f'"{name}"' for name in sorted(flags)) + ":",
              "\t\treturn true", "\t}", "\treturn false", "}"]
    lines += ["", "// parameterInGo gives what stands for a parameter of C whose name has several words, \"\" for",
              "// what is none: sizes are lengths here.",
              "func parameterInGo(name string) string {", *named(parameters_in_go(model))]
    return with_imports(lines, ["package netcl", ""])


def named(names, what="name"):
    lines = [f"\tswitch {what} {{"]
    for name in sorted(names):
        lines += [f'\tcase "{name}":', f'\t\treturn "{names[name]}"']
    return lines + ["\t}", '\treturn ""', "}"]


def parameters_in_go(model):
    """Inputs of all functions but times, as above. Waits end with their context, which has its own."""
    found = {}
    for function in model.functions:
        inputs = {p.name for a in function.inputs for p in a.params
                  if a.role != "callback" and not is_duration(p.type, p.name)}
        for name, own in parameters(function).items():
            if "_" in name and name in inputs and found.setdefault(name, own) != own:
                raise NoRule(f"{function.name}, {name}", f"it is {own} here and {found[name]} elsewhere")
    return found


# ---- Constants and enums ------------------------------------------------------------------------

def constants(model):
    lines = ["", "// Constants of the header.", "const ("]
    for constant in model.constants:
        name = constant_name(constant.name)
        doc = constant.doc.text or f"As in C: {constant.short}."
        value = f'"{constant.value}"' if constant.ctype == "text" else constant.value
        lines += comment(sentence(name, doc), "\t")
        kind = {"uint64_t": " uint64", "int64_t": " int"}.get(constant.ctype, "")
        lines.append(f"\t{name}{kind} = {value}")
    lines.append(")")
    for enum in model.enums:
        lines += enum_lines(enum)
    return with_imports(lines, ["package netcl", ""])


def enum_lines(enum):
    name = type_name(enum.name)
    doc = enum.doc.text or "One of the values below."
    lines = [""] + comment(sentence(name, doc)) + [f"type {name} int32", "",
                                                   f"// Values of {name}.", "const ("]
    rows = []
    for value in enum.values:
        own = constant_name(value.name)
        rows.append((own, f"{name} = {value.value}",
                     sentence(own, value.doc.text) if value.doc.text else ""))
    lines += member_lines(rows)
    lines += [")", "", f"// {name}Values are those that this release knows.",
              f"var {name}Values = []{name}{{"]
    lines += [f"\t{constant_name(v.name)}," for v in enum.values] + ["}"]
    lines += ["", "// String gives the name of the constant.", f"func (v {name}) String() string {{",
              "\tswitch v {"]
    for value in enum.values:
        own = constant_name(value.name)
        lines += [f"\tcase {own}:", f'\t\treturn "{own}"']
    return lines + ["\t}", f'\treturn "{name}(" + strconv.Itoa(int(v)) + ")"', "}"]


# ---- Structs that the library reads -------------------------------------------------------------

def shown(struct):
    """Callbacks that a struct could carry are called when Go does not expect it: left out."""
    return [m for m in struct.members if m.role not in HIDDEN]


def is_int(member):
    """A number that is an int in Go: one that stands alone; arrays and frozen structs are as in C."""
    return member.role == "value" and not member.flag and not member.type.array and \
        member.type.base in ("int32_t", "uint32_t")


def option_type(member):
    role, kind = member.role, member.type
    if is_int(member):
        return "int"
    if role in ("value", "enum", "frozen"):
        return "bool" if member.flag else value_type(kind, member.name)
    if role in ("handle", "struct"):
        return "*" + type_name(kind.base)
    if role == "handles":
        return "[]*" + type_name(kind.base)
    if role == "handle_out":
        return "**" + type_name(kind.base)
    known = {"text": "string", "text_sized": "string", "texts": "[]string", "data_in": "[]byte",
             "element": "Scalar", "text_inline": "string", "pointer": "unsafe.Pointer",
             "data_lent": "unsafe.Pointer"}
    if role == "array":
        return "[]" + ("int" if kind.base in ("int32_t", "uint32_t") else value_type(kind))
    if role not in known:
        raise NoRule(member.name, f"a member of options with role {role}")
    return known[role]


def options(model):
    lines = []
    for struct in model.structs:
        if struct.kind == "options":
            lines += struct_type(struct, option_type)
            lines += raw_method(model, struct)
        elif struct.kind == "both":
            lines += raw_method(model, struct)
    return with_imports(lines)


def struct_type(struct, kind_of):
    name = type_name(struct.name)
    what = "holds options; zero means the default everywhere." if struct.kind == "options" else \
        "is information that the library gives."
    doc = sentence(name, struct.doc.text) if struct.doc.text else f"{name} {what}"
    lines = [""] + comment(doc) + [f"type {name} struct {{"]
    rows = []
    for member in shown(struct):
        rows.append((field_name(member.type, member.name), kind_of(member), member.doc.text))
        if member.role == "data_lent":
            rows.append((field_name(member.type, member.partner), "uint64",
                         f"Bytes at {field_name(member.type, member.name)}."))
    return lines + member_lines(rows) + ["}"]


def raw_method(model, struct):
    """The struct of C. What it points to lives as long as the keeper."""
    lines = ["", f"func (o *{type_name(struct.name)}) raw(k *keeper) (c C.{struct.name}) {{",
             "\tif o == nil {", "\t\treturn c", "\t}",
             f"\tc.struct_size = C.sizeof_{struct.name}"]
    for member in shown(struct):
        lines += ["\t" + line for line in set_member(model, struct, member)]
    lines += ["\treturn c", "}"]
    outs = [m for m in shown(struct) if m.role == "handle_out"]
    if outs:
        lines += ["", "// finish hands out what the call wrote.",
                  f"func (o *{type_name(struct.name)}) finish(c *C.{struct.name}) {{",
                  "\tif o == nil {", "\t\treturn", "\t}"]
        for member in outs:
            own, kind = field_name(member.type, member.name), type_name(member.type.base)
            lines += [f"\tif o.{own} != nil {{",
                      f"\t\t*o.{own} = new{kind}(*(*C.uintptr_t)(unsafe.Pointer(c."
                      f"{c_field(member.name)})))", "\t}"]
        lines.append("}")
    return lines


def has_outs(struct):
    return any(m.role == "handle_out" for m in struct.members)


def is_movable(model, member):
    """Whether it is an object on which calls wait for each other."""
    return member.role == "handle" and not model.handle(member.type.base).shareable


def points_to_memory(struct):
    """Whether it holds pointers to memory of the caller, so that Go memory cannot hold it."""
    return any(m.role not in ("handle",) and m.type.levels and m.role not in HIDDEN
               for m in struct.members)


def set_member(model, struct, member):
    role, kind = member.role, member.type
    own, name = f"o.{field_name(kind, member.name)}", f"c.{c_field(member.name)}"
    label = f'"{field_name(kind, member.name)}"'
    count = ""
    if member.partner:
        partner = struct.member(member.partner)
        count = f"c.{c_field(partner.name)} = {count_of(partner.type, label, own)}"
    if role in ("value", "enum", "frozen"):
        return [f"{name} = {to_c(member, own)}"]
    if role == "handle":
        locks = [f"k.lock({own})"] if is_movable(model, member) else []
        return locks + [f"{name} = c{type_name(kind.base)}({own})"]
    if role == "handles":
        return [f"{name} = (**C.{kind.base})(rawHandles(k, {own}))", count]
    if role == "handle_out":
        return [f"if {own} != nil {{", f"\t{name} = (**C.{kind.base})(k.allocate(pointerSize))",
                "}"]
    if role in ("text", "text_sized"):
        return [f"{name} = k.text({label}, {own})"] + ([count] if role == "text_sized" else [])
    if role == "texts":
        return [f"{name} = k.texts({label}, {own})", count]
    if role == "text_inline":
        return [f"k.inline({label}, unsafe.Pointer(&{name}), len({name}), {own})"]
    if role == "data_in":
        return [f"{name} = k.bytes({own})", count]
    if role == "data_lent":
        return [f"{name} = {own}",
                f"c.{c_field(member.partner)} = "
                f"{c_type(struct.member(member.partner).type)}(o."
                f"{field_name(kind, member.partner)})"]
    if role == "pointer":
        return [f"{name} = {own}"]
    if role == "element":
        return [f"{name} = k.element({own})"]
    if role == "array" and kind.base in ("int32_t", "uint32_t"):
        return [f"{name} = k.{kind.base[:-2]}s({label}, {own})", count]
    if role == "array":
        return [f"{name} = (*{c_type(kind)})(copyArray(k, {own}))", count]
    if role == "struct":
        inner = model.struct(kind.base)
        if has_outs(inner):
            raise NoRule(f"{struct.name}.{member.name}", "outputs in a nested struct")
        deep = "true" if points_to_memory(inner) else "false"
        return [f"if {own} != nil {{", f"\tbefore := k.deepen({deep})",
                f"\t{name} = (*C.{kind.base})(k.allocate(C.sizeof_{kind.base}))",
                f"\t*{name} = {own}.raw(k)", "\tk.deep = before", "}"]
    raise NoRule(f"{struct.name}.{member.name}", f"a member of options with role {role}")


def count_of(kind, label, own):
    if kind.base == "uint32_t":
        return f"k.count({label}, len({own}))"
    return f"{c_type(kind)}(len({own}))"


def to_c(member, own):
    kind = member.type
    if member.flag:
        return f"flagOf({own})"
    if is_int(member):
        return f'k.{kind.base[:-2]}("{field_name(kind, member.name)}", {own})'
    if is_duration(kind, member.name):
        return f'k.nanoseconds("{field_name(kind, member.name)}", {own})'
    if kind.array:
        return f"*(*[{kind.array}]{c_type(kind)})(unsafe.Pointer(&{own}))"
    if member.role == "frozen":
        return f"*(*{c_type(kind)})(unsafe.Pointer(&{own}))"
    return f"{c_type(kind)}({own})"


# ---- Structs that the library writes ------------------------------------------------------------

def infos(model):
    lines = []
    for struct in model.structs:
        if struct.kind in ("info", "both"):
            lines += struct_type(struct, info_type) + info_function(struct)
        elif struct.kind == "frozen" and struct.name not in HAND_WRITTEN:
            lines += frozen_struct(struct)
    return with_imports(lines)


def info_type(member):
    if member.role not in ("value", "enum", "frozen", "text_inline", "pointer", "text"):
        raise NoRule(member.name, f"a member of information with role {member.role}")
    return option_type(member)


def info_function(struct):
    name = type_name(struct.name)
    lines = ["", f"func new{name}(c *C.{struct.name}) {name} {{"]
    texts = [m for m in shown(struct) if m.role == "text_inline"]
    values = {m.name: from_c(m, f"c.{c_field(m.name)}") for m in shown(struct)}
    if len(texts) > 1:
        # One allocation for all.
        lines += [f"\tvar texts [{len(texts)}]string",
                  "\tcopyTexts(texts[:], []string{"]
        lines += [f"\t\t{values[m.name].replace('textOf', 'textAt')}," for m in texts]
        lines.append("\t})")
        values.update({m.name: f"texts[{i}]" for i, m in enumerate(texts)})
    lines.append(f"\treturn {name}{{")
    pairs = [(field_name(m.type, m.name) + ":", values[m.name]) for m in shown(struct)]
    width = max((len(n) for n, _ in pairs), default=0)
    return lines + [f"\t\t{n.ljust(width)} {v}," for n, v in pairs] + ["\t}", "}"]


def from_c(member, here):
    kind = member.type
    if member.role == "text_inline":
        return f"textOf(unsafe.Pointer(&{here}), len({here}))"
    if member.role == "text":
        return f"C.GoString({here})"
    if member.role == "pointer":
        return here
    if member.flag:
        return f"{here} != 0"
    if is_int(member):
        return f"int({here})"
    if is_duration(kind, member.name):
        return f"durationOf({here})"
    if kind.array or member.role == "frozen":
        return f"*(*{value_type(kind)})(unsafe.Pointer(&{here}))"
    return f"{value_type(kind)}({here})"


def frozen_struct(struct):
    """The same layout as in C, so that slices are passed as they are."""
    name = type_name(struct.name)
    bad = [m.name for m in struct.members if m.type.levels]
    if bad:
        raise NoRule(f"{struct.name}.{bad[0]}", "a pointer in a frozen struct; such a struct needs "
                     "a hand-written type, see HAND_WRITTEN in backends/_go_names.py")
    doc = sentence(name, struct.doc.text) if struct.doc.text else f"{name} has the layout of C."
    lines = [""] + comment(doc) + [f"type {name} struct {{"]
    lines += member_lines([("reserved" if m.role == "reserved" else frozen_field(m),
                            value_type(m.type), m.doc.text) for m in struct.members])
    lines += ["}", "", "// The layouts are the same: neither extent may be negative.",
              f"var _ [unsafe.Sizeof({name}{{}}) - C.sizeof_{struct.name}]struct{{}}",
              f"var _ [C.sizeof_{struct.name} - unsafe.Sizeof({name}{{}})]struct{{}}"]
    for member in struct.members:
        if member.role != "reserved":
            lines.append(f"var _ [unsafe.Offsetof({name}{{}}.{frozen_field(member)}) - "
                         f"unsafe.Offsetof(C.{struct.name}{{}}.{c_field(member.name)})]struct{{}}")
    return lines


def frozen_field(member):
    """Numbers stay as they are here: the layout is that of C."""
    return camel(member.name)
