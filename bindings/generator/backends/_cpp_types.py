"""Enums, options and structs of information."""

from backends._cpp_names import (comment, file, ident, is_time, listing, plain, ref_name,
                                 short, type_name, value_name, value_type)

HIDDEN = ("struct_size", "reserved", "count", "size")
# Frozen structs that are written by hand.
HAND_WRITTEN = ("netcl_arg",)


def files(model):
    return {"enums.hpp": enums(model), "structs.hpp": structs(model)}


def enums(model):
    lines = []
    for enum in model.enums:
        lines += [""] + comment(enum.doc.text or f"Values of {enum.name}.")
        lines += [f"enum class {enum.short} : int32_t {{"]
        for value in enum.values:
            lines += comment(value.doc.text, "  ")
            lines.append(f"  {value_name(enum, value)} = {value.name},")
        lines.append("};")
    for struct in model.structs:
        if struct.kind == "frozen" and struct.name not in HAND_WRITTEN:
            lines += [""] + comment(struct.doc.text)
            lines.append(f"using {struct.short} = {struct.name};")
    return file("enums", lines, ("netcl/base.hpp",))


def structs(model):
    lines = []
    for struct in model.structs:
        if struct.kind == "call":
            lines += call_class(model, struct)
        elif struct.kind != "frozen":
            lines += sized_class(model, struct)
    return file("structs", lines, ("netcl/generated/handles.hpp", "algorithm", "cstring"))


def sized_class(model, struct):
    lines = [""] + comment(struct.doc.text or f"As {struct.name}.")
    lines += [f"class {struct.short} : public detail::sized<{struct.name}> {{", " public:",
              "  using sized::sized;"]
    names = set()
    for member in struct.members:
        if member.role in HIDDEN or filled_by(struct, member):
            continue
        if together(struct, member):
            lines += joint_setter(struct, member)
            continue
        if any(member in together(struct, m) for m in struct.members):
            continue
        name = ident(plain(member.name) if is_time(member.name, member.type) else member.name)
        if name in names or name == struct.short:
            raise SystemExit(f"C++: {struct.name}.{member.name} has the name of another member")
        names.add(name)
        if struct.kind in ("options", "both"):
            lines += setter(model, struct, member, name)
        if struct.kind in ("info", "both"):
            lines += comment(member.doc.text, "  ")
            lines += getter(struct, member, name)
    return lines + ["};"]


def counted_by(struct, member):
    """The member that says how many entries of an inline array count, None where all do."""
    if not member.type.array or member.role != "value":
        return None
    wanted = (f"{member.name}_count",) + \
        (("rank",) if member.name in ("shape", "strides") else ())
    found = [m for m in struct.members if m.name in wanted and m.role == "value"]
    return found[0] if found else None


def filled_by(struct, member):
    """Whether the setter of an array sets this member too."""
    return struct.kind in ("options", "both") and \
        any(counted_by(struct, m) is member for m in struct.members)


def together(struct, flag):
    """The members that a flag says are set, @flag[alpha,beta], where they are several."""
    found = struct.guarded(flag) if struct.kind == "options" else []
    return found if len(found) > 1 else []


def joint_setter(struct, flag):
    """One setter for these: none is left at 0 by chance."""
    members = together(struct, flag)
    text = "; ".join(f"{m.name}: {m.doc.text}" for m in members if m.doc.text)
    params = [f"{value_type(m.type)} {ident(m.name)}" for m in members]
    name = ident(flag.name[len("has_"):])
    lines = comment(f"{flag.doc.text}. {text}" if text else flag.doc.text, "  ")
    lines += listing(f"{struct.short} &{name}", params, " noexcept {", "  ")
    lines += [f"    raw_.{m.name} = {ident(m.name)};" for m in members]
    return lines + [f"    raw_.{flag.name} = 1;", "    return *this;", "  }"]


# ---- Setters ------------------------------------------------------------------------------------

def setter(model, struct, member, name):
    head, body = setter_of(model, struct, member)
    flag = f"has_{member.name}"
    if member.role == "value" and any(m.name == flag and m.flag for m in struct.members):
        body.append(f"raw_.{flag} = 1;")
    generic = "template <class T>" if "T &" in head and member.role == "element" else ""
    lines = comment(member.doc.text, "  ") + ([f"  {generic}"] if generic else [])
    lines += listing(f"{struct.short} &{name}", [head], " noexcept {", "  ")
    return lines + [f"    {line}" for line in body] + ["    return *this;", "  }"]


def setter_of(model, struct, member):
    """The parameter, and statements."""
    role, here = member.role, f"raw_.{member.name}"
    base = value_type(member.type)
    if role == "value" and member.type.array:
        count = counted_by(struct, member)
        if count is None:
            return f"const std::array<{base}, {member.type.array}> &value", \
                [f"std::copy(value.begin(), value.end(), {here});"]
        return f"netcl::view<{base}> list", [
            f"const size_t most = std::min<size_t>(list.size(), {member.type.array});",
            f"std::copy_n(list.begin(), most, {here});", f"raw_.{count.name} = list.count();"]
    if role == "value" and is_time(member.name, member.type):
        return "netcl::duration value", [f"{here} = value.count();"]
    if role == "value":
        return (f"{'bool' if member.flag else base} value",
                [f"{here} = value{' ? 1 : 0' if member.flag else ''};"])
    if role == "enum" and not member.type.array:
        return f"{base} value", [f"{here} = static_cast<{member.type.base}>(value);"]
    if role == "text_inline":
        return "std::string_view value", [
            f"const size_t size = std::min<size_t>(value.size(), sizeof({here}) - 1);",
            f"std::memset({here}, 0, sizeof({here}));", f"value.copy({here}, size);"]
    if role == "text":
        return "netcl::text value", [f"{here} = value.c_str();"]
    if role in ("text_sized", "data_in"):
        kind = "netcl::bytes_in" if role == "data_in" else "std::string_view"
        return f"{kind} value", [f"{here} = value.data();",
                                 f"raw_.{member.partner} = value.size();"]
    if role == "element":
        return "const T &value", ["static_assert(std::is_arithmetic_v<T>);", f"{here} = &value;"]
    if role == "handle":
        return f"{ref_name(member.type.base)} value", [f"{here} = value.raw();"]
    if role == "handle_out":
        return f"{type_name(member.type.base)} &into", [f"{here} = into.place();"]
    if role == "struct":
        return f"const {member.type.base} *value", [f"{here} = value;"]
    listed = {"texts": ("text", "const char *"),
              "handles": (ref_name(member.type.base), f"{member.type.base} *"),
              "array": (base, member.type.base)}.get(role)
    if listed is None:
        raise SystemExit(f"C++: {struct.name}.{member.name}: the role {role} has no rule")
    return f"netcl::view<{listed[0]}> list", [f"{here} = list.template as<{listed[1]}>();".replace(
        "template ", ""), f"raw_.{member.partner} = list.count();"]


# ---- Getters ------------------------------------------------------------------------------------

def getter(struct, member, name):
    kind, value = getter_of(struct, member, f"raw_.{member.name}")
    line = f"  {kind} {name}() const noexcept {{ return {value}; }}"
    if len(line) <= 100:
        return [line]
    return [f"  {kind} {name}() const noexcept {{", f"    return {value};", "  }"]


def getter_of(struct, member, here):
    base = value_type(member.type)
    if member.role == "text_inline":
        return "std::string_view", f"detail::inline_text({here})"
    if member.role == "pointer":
        return "void *", here
    if member.role == "enum" and not member.type.array:
        return base, f"static_cast<{base}>({here})"
    if member.role != "value":
        raise SystemExit(f"C++: {struct.name}.{member.name}: the role {member.role} has no rule")
    if member.type.array:
        count = counted_by(struct, member)
        size = f"std::min<size_t>(raw_.{count.name}, {member.type.array})" if count else \
            member.type.array
        return f"netcl::span<const {base}>", f"{{{here}, {size}}}"
    if member.flag:
        return "bool", f"{here} != 0"
    if is_time(member.name, member.type):
        return "std::chrono::nanoseconds", f"detail::to_chrono({here})"
    return base, here


# ---- What functions of the program get -----------------------------------------------------------

def call_class(model, struct):
    lines = [""] + comment(struct.doc.text)
    lines += [f"class {struct.short} {{", " public:",
              f"  explicit {struct.short}(const {struct.name} &raw) noexcept : raw_(&raw) {{}}",
              f"  const {struct.name} &raw() const noexcept {{ return *raw_; }}"]
    for member in struct.members:
        if member.role in HIDDEN:
            continue
        here, base = f"raw_->{member.name}", member.type.base
        if member.role == "handles":
            kind = f"netcl::view<{ref_name(base)}>"
            value = (f"{{reinterpret_cast<const {ref_name(base)} *>({here}), "
                     f"raw_->{member.partner}}}")
        elif member.role == "array":
            kind, value = f"netcl::span<const {value_type(member.type)}>", \
                f"{{{here}, raw_->{member.partner}}}"
        elif member.role == "handle":
            kind, value = ref_name(base), f"{ref_name(base)}({here})"
        elif member.role == "struct":
            kind, value = f"const {base} *", here
        else:
            kind, value = getter_of(struct, member, here)
        lines += comment(member.doc.text, "  ")
        lines += [f"  {kind} {ident(member.name)}() const noexcept {{", f"    return {value};",
                  "  }"]
    return lines + ["", " private:", f"  const {struct.name} *raw_;", "};"]
