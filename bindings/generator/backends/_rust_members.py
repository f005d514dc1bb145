"""The types of the safe layer: constants, enums, and structs of options and of information."""

import re

from backends._rust_docs import (enum_value_name, member_prose, own_text, prose,
                                 used_by)
from backends._rust_names import (HAND_WRITTEN, HEAD, SCALARS, comment, ident, listing, type_name,
                                  value_type)
from safety import trusted


def files(model):
    return {"constants.rs": constants(model), "enums.rs": enums(model),
            "options.rs": options(model), "infos.rs": infos(model)}


SCOPE = ["#![allow(unused_imports)]", "", "use super::*;"]  # what the links of comments name


def what_member(model, member, struct=None):
    """The comment of a member, else where to look: its type says more than its name."""
    base = member.type.base
    if any(base == item.name for item in model.enums + model.structs):
        plain = f"See [`{type_name(base)}`]."
    else:
        plain = f"The {member.name.replace('_', ' ')}."
    more = MORE.get(f"{struct.name}.{member.name}", "") if struct else ""
    return (member_prose(model, member) or plain) + more


# What the names of the binding make one ask.
MORE = {"netcl_pooling_options.window": ". Strides are 1 unless they are given too; "
        "[`Tensor::max_pool2d`](crate::Tensor::max_pool2d) takes the window's"}


def what_enum(model, enum):
    return f"Values of {enum.short.replace('_', ' ')}s."


def constants(model):
    lines = [HEAD] + SCOPE
    for constant in model.constants:
        lines += comment(prose(own_text(constant.doc))) or ["#[allow(missing_docs)]"]
        kind = "&str" if constant.ctype == "text" else SCALARS[constant.ctype]
        value = f'"{constant.value}"' if constant.ctype == "text" else constant.value
        lines.append(f"pub const {constant.short}: {kind} = {value};")
    return "\n".join(lines) + "\n"


def enums(model):
    lines = [HEAD] + SCOPE + ["use std::fmt;"]
    for enum in model.enums:
        name = type_name(enum.name)
        lines += [""] + comment(prose(own_text(enum.doc) or what_enum(model, enum)))
        lines += [f'#[doc(alias = "{enum.name}")]']
        lines += ["#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]",
                  "#[repr(transparent)]", f"pub struct {name}(pub i32);", ""]
        # A name such as F32 says it all.
        lines += [] if all(v.doc.text for v in enum.values) else ["#[allow(missing_docs)]"]
        lines += [f"impl {name} {{"]
        for value in enum.values:
            lines += comment(prose(value.doc.text), "    ")
            lines.append(f"    pub const {enum_value_name(enum, value)}: {name} = "
                         f"{name}({value.value});")
        lines += ["", "    /// All values that this release knows.",
                  f"    pub const VALUES: [{name}; {len(enum.values)}] = ["]
        lines += [f"        {name}::{enum_value_name(enum, v)}," for v in enum.values]
        lines += ["    ];", "}", "", f"impl fmt::Debug for {name} {{",
                  "    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {",
                  "        f.write_str(match self.0 {"]
        lines += [f'            {v.value} => "{enum_value_name(enum, v)}",' for v in enum.values]
        lines += [f'            other => return write!(f, "{name}({{other}})"),',
                  "        })", "    }", "}"]
    return "\n".join(lines) + "\n"


# ---- Structs that the library reads -------------------------------------------------------------

def by_value(struct):
    """Options become a Rust struct of their own; what the library also writes is taken by &."""
    return struct.kind == "options"


def is_path(given):
    """Whether a text, an argument or a member, is a path: the header names them so."""
    return given.name == "path" or given.name.endswith(("_path", "_dir"))


def option_member(model, member):
    """(type, owner of a lifetime) of a member of an options struct."""
    role, kind = member.role, member.type
    if role in ("value", "enum", "frozen"):
        return "bool" if member.flag else value_type(kind)
    if role == "handle":
        return f"Option<&'a {type_name(kind.base)}>"
    if role == "handles":
        return f"&'a [&'a {type_name(kind.base)}]"
    if role == "handle_out":
        return f"Option<&'a mut Option<{type_name(kind.base)}>>"
    if role in ("text", "text_sized"):
        return "Option<&'a Path>" if is_path(member) else "Option<&'a str>"
    if role == "texts":
        return "&'a [&'a str]"
    if role == "data_in":
        return "&'a [u8]"
    if role == "element":
        return "Option<Scalar>"
    if role == "array":
        return f"&'a [{value_type(kind)}]"
    if role == "struct":
        inner = model.struct(kind.base)
        if by_value(inner):
            life = "<'a>" if lifetime(model, inner) else ""
            return f"Option<{type_name(kind.base)}{life}>"
        return f"Option<&'a {type_name(kind.base)}>"
    raise SystemExit(f"Rust: a member of options has no rule: {member.name}, {role}")



HIDDEN = ("struct_size", "reserved", "count", "size", "user_data", "destroy")


def shown(struct):
    """Without the members that a driver gets as they are: unsafe functions take those."""
    bytes_, flags = trusted(struct)
    return [m for m in struct.members if m.role not in HIDDEN and m not in bytes_ + flags]


def lifetime(model, struct):
    return by_value(struct) and any("'a" in option_member(model, m) for m in shown(struct))


def keeps(struct):
    """Members that need memory beside the raw struct while the call runs."""
    return [m for m in shown(struct) if m.role in ("handles", "handle_out", "text", "text_sized",
                                                   "texts", "element", "struct")]


def options(model):
    lines = [HEAD, "use super::*;", "use crate::support::{self, CText, Pointers, Texts};",
             "use crate::{Result, Scalar};", "use std::path::Path;", "use std::ptr;"]
    for struct in model.structs:
        if by_value(struct):
            lines += option_struct(model, struct)
    return "\n".join(lines) + "\n"


def option_struct(model, struct):
    name = type_name(struct.name)
    members = shown(struct)
    types = {m.name: option_member(model, m) for m in members}
    life = "<'a>" if any("'a" in t for t in types.values()) else ""
    moved = any("mut" in t or "dyn" in t for t in types.values())
    derives = [] if moved else ["Clone", "Copy"]
    derives += [] if any("dyn" in t for t in types.values()) else ["Debug"]
    text = prose(own_text(struct.doc)) or f"Options of {used_by(model, struct)}."
    lines = [""] + comment(text + "\n\nMade by [`Self::new`], with all defaults.")
    lines += [f'#[doc(alias = "{struct.name}")]']
    lines += [f"#[derive({', '.join(derives + ['Default'])})]", "#[non_exhaustive]",
              f"pub struct {name}{life} {{"]
    for member in members:
        lines += comment(what_member(model, member, struct), "    ")
        lines.append(f"    pub {ident(member.name)}: {types[member.name]},")
    lines += ["}"]
    lines += setters(model, struct, name, life)
    lines += keep_struct(model, struct)
    lines += raw_function(model, struct, name, life)
    return lines


def setters(model, struct, name, life):
    """`new` and a function per member, to be written one behind the other."""
    lines = ["", f"impl{life} {name}{life} {{",
             "    /// The defaults of all members.", f"    pub fn new() -> {name}{life} {{",
             f"        {name}::default()", "    }"]
    for member in shown(struct):
        own, kind = ident(member.name), option_member(model, member)
        value = own
        if kind == "Option<Scalar>":
            kind, value = "impl Into<Scalar>", f"Some({own}.into())"
        elif member.role in ("handle", "struct"):
            kind, value = f"impl Into<{kind}>", f"{own}.into()"
        elif kind == "Option<&'a Path>":
            kind, value = "&'a (impl AsRef<Path> + ?Sized)", f"Some({own}.as_ref())"
        elif kind.startswith("Option<"):
            kind, value = kind[len("Option<"):-1], f"Some({own})"
        text, flag = what_member(model, member, struct), flag_of(struct, member)
        sets = [f"        self.{ident(flag.name)} = true;"] if flag else []
        before = partner_defaults(struct, flag, member) if flag else []
        if flag:
            text = WITH_FLAG.sub("", text) or f"The {member.name}"
            text = f"{text[0].upper()}{text[1:]}. Sets `{flag.name}`, so that 0 is 0."
        lines += ["", *comment(text, "    "),
                  "    #[must_use]",
                  *listing(f"pub fn {own}", ["mut self", f"{own}: {kind}"],
                           f" -> {name}{life} {{", "    "),
                  *before, f"        self.{own} = {value};", *sets, "        self", "    }"]
        if member.flag and len(struct.guarded(member)) > 1:
            lines += joint_setter(struct, member, f"{name}{life}", model)
    return lines + ["}"]


WITH_FLAG = re.compile(r"^with `?has_\w+`?( = true)?(: |; |$)|; both 0: [^;]*")


def flag_of(struct, member):
    """The flag that says that a number is set."""
    return next((f for f in shown(struct) if member.role == "value" and
                 member in struct.guarded(f)), None)


def partner_defaults(struct, flag, member):
    """What the others that a flag speaks of are where they were not set: 0, or what is told."""
    rows = []
    for other in struct.guarded(flag):
        told = re.match(r"0: ([\d.e-]+)$", other.doc.text) or \
            re.search(r"(-1): all", other.doc.text) or \
            re.search(rf"\b{other.name} = ([\d.e-]+)", flag.doc.text)
        if other is not member and told and float(told[1]) != 0:
            real = other.type.base == "double"
            number, none = (float(told[1]), "0.0") if real else (int(told[1]), "0")
            place = f"self.{ident(other.name)}"
            rows += [f"        if !self.{ident(flag.name)} && {place} == {none} {{",
                     f"            {place} = {number};", "        }"]
    return rows


def joint_setter(struct, flag, returned, model):
    """One setter for what @flag[alpha,beta] says is set: none is left at 0 by chance."""
    members = struct.guarded(flag)
    names = " and ".join(f"`{m.name}`" for m in members)
    params = [f"{ident(m.name)}: {option_member(model, m)}" for m in members]
    return ["", *comment(f"Sets {names}, and `{flag.name}`.", "    "), "    #[must_use]",
            *listing(f"pub fn {ident(flag.name[len('has_'):])}", ["mut self", *params],
                     f" -> {returned} {{", "    "),
            *(f"        self.{ident(m.name)} = {ident(m.name)};" for m in members),
            f"        self.{ident(flag.name)} = true;", "        self", "    }"]


def keep_struct(model, struct):
    """What a call needs beside the raw struct: it stays where it is until the call is over."""
    head = f"pub(crate) struct {type_name(struct.name)}Keep"
    kept = [f"    {ident(m.name)}: {keep_type(model, m)}," for m in keeps(struct)]
    return ["", "#[derive(Default)]"] + ([head + " {"] + kept + ["}"] if kept else [head + ";"])


def keep_type(model, member):
    base = f"sys::{member.type.base}"
    if member.role == "handles":
        return f"Pointers<{base}>"
    if member.role == "handle_out":
        return f"support::Out<{base}>"
    if member.role in ("text", "text_sized"):
        return "Option<CText>"
    if member.role == "texts":
        return "Texts"
    if member.role == "element":
        return "[u8; 16]"
    inner = model.struct(member.type.base)
    if by_value(inner):
        return f"(Option<{base}>, {type_name(inner.name)}Keep)"
    return f"Option<{base}>"


def raw_function(model, struct, name, life):
    any_keep = bool(keeps(struct))
    keep = "keep" if any_keep else "_keep"
    lines = ["", f"impl{life} {name}{life} {{",
             *listing("pub(crate) fn raw", ["&self", f"{keep}: &mut {name}Keep"],
                      f" -> Result<sys::{struct.name}> {{", "    ")]
    sets = []
    for member in shown(struct):
        before, values = member_value(model, member)
        lines += [f"        {line}" for line in before]
        sets += values
    lines += [f"        Ok(sys::{struct.name} {{"] + [f"            {s}," for s in sets]
    rest = [m for m in struct.members if m.role in ("struct_size", "reserved")]
    if rest:
        lines.append(f"            ..sys::{struct.name}::INIT")
    lines += ["        })", "    }"]
    outs = [m for m in shown(struct) if m.role == "handle_out"]
    nested = [m for m in shown(struct) if m.role == "struct" and
              has_outs(model, model.struct(m.type.base))]
    if nested:
        raise SystemExit(f"Rust: {struct.name}.{nested[0].name} holds outputs in a nested struct")
    if outs:
        lines += ["", "    /// Hands out what the call wrote.",
                  f"    pub(crate) fn finish(self, keep: {name}Keep) {{"]
        for member in outs:
            lines += [f"        if let Some(place) = self.{ident(member.name)} {{",
                      f"            *place = unsafe {{ {type_name(member.type.base)}::from_nullable"
                      f"(keep.{ident(member.name)}.0) }};", "        }"]
        lines.append("    }")
    return lines + ["}"]


def has_outs(model, struct):
    return any(m.role == "handle_out" for m in struct.members)


def member_value(model, member):
    """Statements that prepare a member, and its initialisers in the raw struct."""
    role, name, kind = member.role, ident(member.name), member.type
    here, keep = f"self.{name}", f"keep.{name}"
    partner = ident(member.partner) if member.partner else ""
    if role == "value":
        return [], [f"{name}: {here} as u32" if member.flag else f"{name}: {here}"]
    if role == "enum":
        return [], [f"{name}: {here}.0" if not kind.array else f"{name}: {here}.map(|e| e.0)"]
    if role == "handle":
        return [], [f"{name}: {here}.map_or(ptr::null_mut(), |h| h.as_raw())"]
    if role == "handles":
        return [f"{keep}.fill({here}.iter().map(|h| h.as_raw()));"], \
            [f"{name}: {keep}.as_ptr()",
             f"{partner}: support::count(\"{member.name}\", {here}.len())?"]
    if role == "handle_out":
        return [], [f"{name}: if {here}.is_some() {{ &mut {keep}.0 }} else {{ ptr::null_mut() }}"]
    if role in ("text", "text_sized"):
        make = "path" if is_path(member) else "new"
        before = [f"{keep} = {here}.map(|t| CText::{make}(\"{member.name}\", t)).transpose()?;"]
        sets = [f"{name}: {keep}.as_ref().map_or(ptr::null(), |t| t.as_ptr())"]
        if role == "text_sized":
            sets.append(f"{partner}: {here}.map_or(0, |t| t.len())")
        return before, sets
    if role == "texts":
        return [f"{keep}.fill(\"{member.name}\", {here})?;"], \
            [f"{name}: {keep}.as_ptr()",
             f"{partner}: support::count(\"{member.name}\", {here}.len())?"]
    if role == "data_in":
        return [], [f"{name}: support::data_ptr({here})", f"{partner}: {here}.len()"]
    if role == "element":
        return [f"{keep} = {here}.map_or([0; 16], |s| s.bytes());"], \
            [f"{name}: if {here}.is_some() {{ {keep}.as_ptr() as *const _ }} else "
             "{ ptr::null() }"]
    if role == "array":
        return [], [f"{name}: support::slice_ptr({here}) as *const _",
                    f"{partner}: support::count(\"{member.name}\", {here}.len())?"]
    if role == "frozen":
        return [], [f"{name}: {here}.into()"]
    if role == "struct":
        inner = model.struct(kind.base)
        call = f"Some(inner.raw(&mut {keep}.1)?)" if by_value(inner) else "Some(inner.raw())"
        target = f"{keep}.0" if by_value(inner) else keep
        inner_of = f"&{here}" if by_value(inner) else here
        return [f"if let Some(inner) = {inner_of} {{", f"    {target} = {call};", "}"], \
            [f"{name}: {target}.as_ref().map_or(ptr::null(), |s| s as *const _)"]
    raise SystemExit(f"Rust: members of role {role} are not written yet: {member.name}")


# ---- Structs that the library writes ------------------------------------------------------------

def infos(model):
    lines = [HEAD, "use super::*;", "use crate::support::Text;", "#[allow(unused_imports)]",
             "use std::os::raw::c_void;"]
    for struct in model.structs:
        if struct.kind in ("info", "both"):
            lines += info_struct(model, struct)
        elif struct.kind == "frozen" and struct.name not in HAND_WRITTEN:
            lines += frozen_struct(model, struct)
    return "\n".join(lines) + "\n"


def info_member(member):
    kind = member.type
    if member.role == "text_inline":
        return f"Text<{kind.array}>"
    if member.role == "pointer":
        return "*mut c_void"
    if member.flag:
        return "bool"
    return value_type(kind)


def info_struct(model, struct):
    name = type_name(struct.name)
    members = [m for m in struct.members if m.role not in ("struct_size", "reserved")]
    wide = any(m.type.array > 32 and m.role != "text_inline" or m.role == "pointer"
               for m in members)
    lines = [""] + comment(prose(own_text(struct.doc)) or f"What {used_by(model, struct)} tells.")
    lines += [f'#[doc(alias = "{struct.name}")]']
    lines += [f"#[derive(Clone, Debug{'' if wide else ', Default'})]", "#[non_exhaustive]"
              if struct.kind == "info" else "", f"pub struct {name} {{"]
    lines = [line for line in lines if line or line == lines[0]]
    for member in members:
        lines += comment(what_member(model, member, struct), "    ")
        lines.append(f"    pub {ident(member.name)}: {info_member(member)},")
    lines += ["}", "", f"impl {name} {{",
              f"    pub(crate) fn from_raw(raw: &sys::{struct.name}) -> {name} {{",
              f"        {name} {{"]
    for member in members:
        lines.append(f"            {ident(member.name)}: {from_raw(member)},")
    lines += ["        }", "    }"]
    if struct.kind == "both":
        lines += ["", f"    pub(crate) fn raw(&self) -> sys::{struct.name} {{",
                  f"        sys::{struct.name} {{"]
        for member in members:
            lines.append(f"            {ident(member.name)}: {to_raw(member)},")
        lines += [f"            ..sys::{struct.name}::INIT", "        }", "    }"]
    return lines + ["}"]


def from_raw(member):
    here = f"raw.{ident(member.name)}"
    if member.role == "text_inline":
        return f"Text({here})"
    if member.flag:
        return f"{here} != 0"
    if member.role == "enum":
        return f"{here}.map({type_name(member.type.base)})" if member.type.array else \
            f"{type_name(member.type.base)}({here})"
    if member.role == "frozen":
        name = type_name(member.type.base)
        return f"{here}.map({name}::from)" if member.type.array else f"{name}::from({here})"
    return here


def to_raw(member):
    here = f"self.{ident(member.name)}"
    if member.role == "text_inline":
        return f"{here}.0"
    if member.flag:
        return f"{here} as u32"
    if member.role == "enum":
        return f"{here}.map(|e| e.0)" if member.type.array else f"{here}.0"
    if member.role == "frozen":
        return f"{here}.map(|m| m.into())" if member.type.array else f"{here}.into()"
    return here


def frozen_struct(model, struct):
    """The same layout as in C, so that slices are passed as they are."""
    name = type_name(struct.name)
    bad = [m.name for m in struct.members if m.type.levels]
    if bad:
        raise SystemExit(f"Rust: {struct.name}.{bad[0]} is a pointer; such a struct needs a "
                         "hand-written type, see HAND_WRITTEN in backends/_rust_names.py")
    lines = [""] + comment(prose(own_text(struct.doc)))
    exact = "" if any(m.type.base in ("float", "double") for m in struct.members) else ", Eq"
    lines += ["#[repr(C)]", f"#[derive(Clone, Copy, Debug, Default, PartialEq{exact})]",
              f"pub struct {name} {{"]
    for member in struct.members:
        lines += comment(what_member(model, member, struct), "    ")
        hidden = "pub(crate) " if member.role == "reserved" else "pub "
        lines.append(f"    {hidden}{ident(member.name)}: {value_type(member.type)},")
    pairs = ", ".join(f"{ident(m.name)}: {from_raw(m) if m.role != 'reserved' else 'raw.' + m.name}"
                      for m in struct.members)
    back = ", ".join(f"{ident(m.name)}: {to_raw(m) if m.role != 'reserved' else 'own.' + m.name}"
                     .replace("self.", "own.") for m in struct.members)
    lines += ["}", "", f"impl From<sys::{struct.name}> for {name} {{",
              f"    fn from(raw: sys::{struct.name}) -> {name} {{", f"        {name} {{ {pairs} }}",
              "    }", "}", "", f"impl From<{name}> for sys::{struct.name} {{",
              f"    fn from(own: {name}) -> sys::{struct.name} {{",
              f"        sys::{struct.name} {{ {back} }}", "    }", "}", "",
              f"const _: () = assert!(std::mem::size_of::<{name}>() =="
              f" std::mem::size_of::<sys::{struct.name}>());"]
    return lines
