"""Enums, options and structs of information."""

from backends._cpp_names import (comment, file, ident, is_time, listing, plain, ref_name,
                                 type_name, value_name, value_type, wrapped)

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
    return file("structs", lines, ("netcl/generated/handles.hpp", "netcl/keep.hpp"))


def sized_class(model, struct):
    lines = [""] + comment(struct.doc.text or f"As {struct.name}.")
    lines += [f"class {struct.short} : public detail::sized<{struct.name}> {{", " public:",
              "  using sized::sized;"]
    kept = keeps(model, struct)
    lines += copies(struct, kept)
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
        if member.role == "element":
            lines += number_setter(struct, member, name)
        elif struct.kind in ("options", "both"):
            lines += setter(model, struct, member, name)
        if struct.kind in ("info", "both"):
            lines += comment(member.doc.text, "  ")
            lines += getter(struct, member, name)
    numbers = elements(struct)
    if numbers:
        lines += (NO_RAW % {"raw": struct.name}).split("\n")
    if kept or numbers:
        lines += ["", " private:"]
        lines += [f"  {kind} {member.name}_;" for member, kind in kept]
        lines += [f"  std::optional<scalar> {member.name}_;" for member in numbers]
    return lines + ["};"]


# ---- What options keep --------------------------------------------------------------------------

def listed(member):
    """What the program gives and what C has of a list, None where the member is none."""
    base = member.type.base
    return {"handles": (f"{ref_name(base)}", f"{base} *"),
            "array": (value_type(member.type), base)}.get(member.role)


def keeps(model, struct):
    """The members whose values the options keep, and what keeps them."""
    if struct.kind not in ("options", "both"):
        return []
    kept = []
    for member in struct.members:
        if listed(member):
            kept.append((member, f"detail::kept_list<{listed(member)[1]}>"))
        elif member.role == "texts":
            kept.append((member, "detail::kept_texts"))
        elif member.role in ("text", "text_sized"):
            kept.append((member, "detail::kept_list<char>"))
        elif member.role == "data_in":
            kept.append((member, "detail::kept_list<unsigned char>"))
        elif member.role == "struct":
            kept.append((member, f"std::optional<{type_name(member.type.base)}>"))
    return kept


def copies(struct, kept):
    """A copy points to what it keeps itself."""
    if not kept:
        return []
    name = struct.short
    follow = [f"    detail::follow(raw_.{m.name}, {m.name}_, other.{m.name}_);" for m, _ in kept]
    start = ", ".join(["sized(other)"] + [f"{m.name}_(other.{m.name}_)" for m, _ in kept])
    lines = [f"  {name}() noexcept = default;",
             f"  {name}(const {name} &other)"]
    lines += wrapped(start, "      : ", "        ", " {")
    # Copies, which may fail, come before what points to them.
    lines += follow + ["  }", f"  {name} &operator=(const {name} &other) {{",
                       "    if (this == &other) return *this;"]
    lines += [f"    {m.name}_ = other.{m.name}_;" for m, _ in kept] + ["    raw_ = other.raw_;"]
    return lines + follow + ["    return *this;", "  }", f"  ~{name}() = default;"]


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


# ---- Elements ------------------------------------------------------------------------------------

# C has the address of an element, whose dtype the tensors of a call say.
NO_RAW = """
  /** What C has, but for numbers, which are of no dtype yet. */
  const %(raw)s &without_numbers() const noexcept { return raw_; }
  operator const %(raw)s *() const = delete;
  %(raw)s &raw() = delete;
  const %(raw)s &raw() const = delete;"""


def elements(struct):
    """The members that are one element of the dtype that a call works on."""
    return [m for m in struct.members if m.role == "element"] if struct.kind == "options" else []


def number_setter(struct, member, name):
    keep = f"{member.name}_"
    return comment(member.doc.text, "  ") + [
        f"  {struct.short} &{name}(const scalar &number) noexcept {{", f"    {keep} = number;",
        "    return *this;", "  }",
        f"  const std::optional<scalar> &{name}() const noexcept {{ return {keep}; }}"]


# ---- Setters ------------------------------------------------------------------------------------

def setter(model, struct, member, name):
    head, body = setter_of(model, struct, member)
    flag = f"has_{member.name}"
    if member.role == "value" and any(m.name == flag and m.flag for m in struct.members):
        body.append(f"raw_.{flag} = 1;")
    end = " {" if any(f"{member.name}_" in line for line in body) else " noexcept {"
    lines = comment(member.doc.text, "  ")
    lines += listing(f"{struct.short} &{name}", [head], end, "  ")
    lines += [f"    {line}" for line in body] + ["    return *this;", "  }"]
    if member.role == "struct":
        lines += ["  /** Likewise; what C has is not copied. */"]
        lines += listing(f"{struct.short} &{name}", [f"const {member.type.base} *value"],
                         " noexcept {", "  ")
        lines += [f"    raw_.{member.name} = value;", "    return *this;", "  }"]
    if member.role == "array":
        lines += ["  /** Likewise, of one entry. */",
                  "  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>",
                  f"  {struct.short} &{name}(T entry) {{", 
                  f"    return {name}(netcl::view<{value_type(member.type)}>({{entry}}));", "  }"]
    return lines


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
    keep = f"{member.name}_"
    if role == "text":
        return "netcl::text value", [f"{here} = {keep}.text(value.c_str());"]
    if role in ("text_sized", "data_in"):
        kind = "netcl::bytes_in" if role == "data_in" else "std::string_view"
        return f"{kind} value", [f"{here} = {keep}.put(value.data(), value.size());",
                                 f"raw_.{member.partner} = value.size();"]
    if role == "handle":
        return f"{ref_name(member.type.base)} value", [f"{here} = value.raw();"]
    if role == "handle_out":
        return f"{type_name(member.type.base)} &into", [f"{here} = into.place();"]
    if role == "struct":
        frozen = model.struct(member.type.base).kind == "frozen"
        return f"const {type_name(member.type.base)} &value", [
            f"{keep} = value;", f"{here} = &*{keep};" if frozen else f"{here} = *{keep};"]
    if role == "texts":
        return "netcl::view<netcl::text> list", [
            f"{here} = {keep}.put(list.as<const char *>(), list.size());",
            f"raw_.{member.partner} = list.count();"]
    if listed(member) is None:
        raise SystemExit(f"C++: {struct.name}.{member.name}: the role {role} has no rule")
    given, plain_type = listed(member)
    return f"netcl::view<{given}> list", [
        f"{here} = {keep}.put(list.as<{plain_type}>(), list.size());",
        f"raw_.{member.partner} = list.count();"]


# ---- Getters ------------------------------------------------------------------------------------

def getter(struct, member, name):
    """What lies within a struct that is about to end is copied."""
    kind, value = getter_of(struct, member, f"raw_.{member.name}")
    copy = {"std::string_view": "std::string"}.get(kind)
    if member.type.array and copy is None:
        copy = f"netcl::bounded<{value_type(member.type)}, {member.type.array}>"
    if copy is None:
        return one_line(kind, name, "const noexcept", value)
    copied = f"{{{value}}}" if copy == "std::string" else value
    return one_line(kind, name, "const& noexcept", value) + \
        one_line(copy, name, "&&", f"{copy}{copied}")


def one_line(kind, name, end, value):
    line = f"  {kind} {name}() {end} {{ return {value}; }}"
    if len(line) <= 100:
        return [line]
    return [f"  {kind} {name}() {end} {{", f"    return {value};", "  }"]


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
        if member.role in ("handles", "array"):
            lines += one_entry(struct, member)
        if base == "netcl_run_options":
            lines += ["  /** What records the call; empty where nothing does. */",
                      "  graph_ref graph() const noexcept {",
                      f"    return graph_ref({here} ? {here}->graph : nullptr);", "  }"]
    return lines + ["", " private:", f"  const {struct.name} *raw_;", "};"]


def one_entry(struct, member):
    """An entry by its place, which is refused where there is none."""
    kind = ref_name(member.type.base) if member.role == "handles" else value_type(member.type)
    entry = f"raw_->{member.name}[index]"
    entry = f"{kind}({entry})" if member.role == "handles" else entry
    return [f"  /** One of these; INVALID_ARGUMENT where there are not as many. */",
            f"  returns<{kind}> {member.name[:-1]}(uint32_t index) const {{",
            f"    if (index >= raw_->{member.partner}) {{",
            f"      return detail::failed<{kind}>(",
            f'          detail::refuse_entry("{member.name}", index, raw_->{member.partner}));',
            "    }", f"    returns<{kind}> out{{}};", f"    detail::value(out) = {entry};",
            "    return out;", "  }"]
