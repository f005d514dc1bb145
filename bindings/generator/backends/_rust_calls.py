"""Functions that the library calls: their types, what they get, and a trampoline for each."""

from backends._rust_docs import member_prose, own_text, prose
from backends._rust_names import (HEAD, SCALARS, comment, ident, listing, raw_type, type_name,
                                  value_type)
from calls import (call_param, lent_members, lent_structs, made_count, made_param, returned_words,
                   shown)


def files(model):
    return {"callbacks.rs": callbacks(model), "calls.rs": calls(model)}


# ---- What they get -------------------------------------------------------------------------------

def calls(model):
    """A type for each call of a function that is kept: it borrows all that C lends."""
    lines = [HEAD, "#![allow(dead_code, unused_imports)]", "", "use super::*;",
             "use crate::support::{lent, lent_list, lent_refs};"]
    for struct in lent_structs(model)[0]:
        lines += call_struct(model, struct)
    return "\n".join(lines) + "\n"


def call_struct(model, struct):
    name = type_name(struct.name)
    kept = [(m, inner) for m in struct.members if m.role == "struct"
            for inner in lent_members(model.struct(m.type.base)) if inner.role == "handles"]
    lines = [""] + comment(prose(own_text(struct.doc))) + ["#[derive(Debug)]", f"pub struct {name}<'a> {{",
                                                       f"    raw: &'a sys::{struct.name},"]
    lines += [f"    {m.name}_{inner.name}: Vec<&'a {type_name(inner.type.base)}>,"
              for m, inner in kept]
    lines += ["}", "", f"impl<'a> {name}<'a> {{",
              "    /// What C lends while the function runs: all pointers are good as long as `raw`.",
              f"    pub(crate) unsafe fn lent(raw: &'a sys::{struct.name}) -> {name}<'a> {{"]
    for member, inner in kept:
        run = f"(*raw.{ident(member.name)})"
        lines.append(f"        let {member.name}_{inner.name} = lent_refs({run}.{ident(inner.name)}, "
                     f"{run}.{inner.partner} as usize);")
    fields = ["raw"] + [f"{m.name}_{inner.name}" for m, inner in kept]
    lines += [f"        {name} {{ {', '.join(fields)} }}", "    }"]
    for member in shown(model, struct):
        lines += [""] + getter(model, member)
    return lines + ["}"]


def getter(model, member):
    name, here, kind = ident(member.name), f"self.raw.{ident(member.name)}", member.type
    lines = comment(member_prose(model, member) or f"The {member.name}.", "    ")
    if member.role == "struct":
        return lines + lent_options(model, member)
    count = f"self.raw.{ident(member.partner)} as usize" if member.partner else ""
    if member.role == "handles":
        gives, value = f"&'a [{type_name(kind.base)}]", f"unsafe {{ lent_list({here}, {count}) }}"
    elif member.role == "array":
        gives = f"&'a [{value_type(kind)}]"
        value = f"unsafe {{ lent_list({here}, {count}) }}"
    elif member.role == "handle":
        gives, value = f"Option<&'a {type_name(kind.base)}>", f"unsafe {{ lent(&{here}) }}"
    elif member.role == "value":
        gives, value = ("bool", f"{here} != 0") if member.flag else (value_type(kind), here)
    elif member.role == "enum":
        gives, value = type_name(kind.base), f"{type_name(kind.base)}({here})"
    else:
        raise SystemExit(f"Rust: a call's member of role {member.role} has no rule: {member.name}")
    return lines + [f"    pub fn {name}(&self) -> {gives} {{", f"        {value}", "    }"]


def lent_options(model, member):
    """Options for calls in the function: those that C lends."""
    struct = model.struct(member.type.base)
    name, rows = type_name(struct.name), []
    for inner in lent_members(struct):
        own, here = ident(inner.name), f"raw.{ident(inner.name)}"
        if inner.role == "handle":
            rows.append(f"{own}: unsafe {{ lent(&{here}) }},")
        elif inner.role == "handles":
            rows.append(f"{own}: &self.{member.name}_{inner.name},")
        elif inner.role in ("value", "enum") and not inner.flag:
            rows.append(f"{own}: {here}," if inner.role == "value" else
                        f"{own}: {type_name(inner.type.base)}({here}),")
        else:
            raise SystemExit(f"Rust: lent options of role {inner.role} have no rule: {inner.name}")
    return [f"    pub fn {ident(member.name)}(&self) -> {name}<'_> {{",
            f"        let raw = unsafe {{ &*self.raw.{ident(member.name)} }};",
            f"        {name} {{"] + [f"            {row}" for row in rows] + \
        ["            ..Default::default()", "        }", "    }"]


# ---- Types of functions --------------------------------------------------------------------------

def gives(callback):
    """What a function gives: its tensors, a number, or nothing."""
    made = made_param(callback)
    if made is not None:
        if made.type.base != "netcl_tensor":
            raise SystemExit(f"Rust: {callback.name}: a function that makes a {made.type.base} has "
                             "no rule")
        return "Result<Tensors>"
    if callback.returns.base == "netcl_status":
        return "Result<()>"
    return "" if callback.returns.base == "void" else value_type(callback.returns)


def inputs(callback):
    return [p for p in callback.params[:-1] if p is not made_param(callback)]


def callback_type(model, callback, owned):
    params = ", ".join(callback_param(model, p)[0] for p in inputs(callback))
    returns = f" -> {gives(callback)}" if gives(callback) else ""
    if owned:
        return f"Box<dyn Fn({params}){returns} + Send + Sync>"
    return f"dyn FnMut({params}){returns} + 'a"


def callback_bound(model, callback):
    """The parameter for a function that is called during one call only."""
    return callback_type(model, callback, False).replace("dyn ", "impl ").replace(" + 'a", "")


def callback_param(model, param):
    """The type in Rust, and how it is made from what C passes."""
    kind, name = param.type, ident(param.name)
    if kind.levels == (True,) and kind.kind == "sized" and model.struct(kind.base).kind == "call":
        return f"&{type_name(kind.base)}<'_>", f"&{type_name(kind.base)}::lent(&*{name})"
    if kind.levels == (True,) and kind.kind == "sized":
        return f"&{type_name(kind.base)}", f"&{type_name(kind.base)}::from_raw(&*{name})"
    if kind.levels == (True,) and kind.kind == "char":
        return "&str", f"&support::borrowed_text({name})"
    if kind.kind == "enum" and not kind.levels:
        return type_name(kind.base), f"{type_name(kind.base)}({name})"
    if kind.kind == "scalar" and not kind.levels:
        return SCALARS[kind.base], name
    if kind.kind == "handle" and kind.depth == 1:
        rust = type_name(kind.base)
        return f"&{rust}", f"&std::mem::ManuallyDrop::new({rust}::from_raw({name}))"
    raise SystemExit(f"Rust: a callback's parameter {param.name} has no rule "
                     f"({kind.spelling})")


def kept_param(model, argument):
    """(generics, type, box) of the parameter for a function that is kept and returns a status."""
    callback = argument.callback
    params = [callback_param(model, p)[0] for p in inputs(callback)]
    made = made_param(callback) is not None
    kind = f"impl Fn({', '.join(params)}) -> Result<{'R' if made else '()'}> + Send + Sync + 'static"
    names = ", ".join(f"{ident(p.name)}: {t}" for p, t in zip(inputs(callback), params))
    values = ", ".join(ident(p.name) for p in inputs(callback))
    name = ident(argument.name)
    body = f"move |{names}| {name}({values}).map(Into::into)" if made else name
    return "<R: Into<Tensors>>" if made else "", kind, body


# ---- Trampolines ---------------------------------------------------------------------------------

def callbacks(model):
    """A trampoline per callback. It catches panics: they must not pass through the library."""
    arguments = [a for f in model.functions for a in f.arguments if a.role == "callback"]
    lines = [HEAD, "#![allow(dead_code, unused_imports, clippy::needless_return)]", "",
             "use super::*;", "use crate::recording::Entered;",
             "use crate::{support, Error, Result};", "use std::os::raw::c_void;", "use std::panic::{catch_unwind, AssertUnwindSafe};"]
    for callback in model.callbacks:
        own = [a for a in arguments if a.callback is callback]
        if [a for a in own if a.kept]:
            lines += kept(model, callback)
        if [a for a in own if not a.kept]:
            lines += scoped(model, callback)
    return "\n".join(lines) + "\n"


def head(callback, suffix):
    params = [f"{ident(p.name)}: {raw_param(p)}" for p in callback.params]
    void = callback.returns.base == "void"
    returns = "" if void else " -> " + SCALARS.get(callback.returns.base, "i32")
    return listing(f"pub(crate) unsafe extern \"C\" fn {callback.short}_{suffix}", params,
                   returns + " {", "")


def values_of(model, callback):
    return ", ".join(callback_param(model, p)[1] for p in inputs(callback))


def kept(model, callback):
    name, short = type_name(callback.name), callback.short
    lines = [""] + comment(prose(returned_words(own_text(callback.doc))))
    lines += [f"pub type {name} = {callback_type(model, callback, True)};", ""]
    lines += head(callback, "call") + [f"    let function = &*(user_data as *const {name});",
                                       f"    let _entered = Entered::lent({run_of(model, callback)});"]
    call = f"function({values_of(model, callback)})"
    made = made_param(callback)
    if made is not None:
        count = made_count(model, callback).name
        lines += ["    support::answered(|| {", f"        let made = {call}?;",
                  f"        made.give(\"{made.name}\", {ident(made.name)}, "
                  f"(*{ident(call_param(model, callback).name)}).{count} as usize)", "    })"]
    elif callback.returns.base == "netcl_status":
        lines += ["    support::answered(|| {", f"        {call}", "    })"]
    else:
        lines += ["    let done = support::caught(|| {", f"        {call}", "    });",
                  "    done.unwrap_or(())" if callback.returns.base == "void" else
                  f"    done.map_or(0, |value| {plain(callback)})"]
    return lines + ["}", "", f"pub(crate) unsafe extern \"C\" fn {short}_destroy("
                    "user_data: *mut c_void) {",
                    f"    let function = Box::from_raw(user_data as *mut {name});",
                    "    support::caught(|| drop(function));", "}"]


def run_of(model, callback):
    """The options that C lends for the calls of a function, which say where these are recorded."""
    for param in inputs(callback):
        if param.type.kind == "sized" and model.struct(param.type.base).kind == "call":
            return f"(*{ident(param.name)}).run"
    return "std::ptr::null()"


def plain(callback):
    return "value.0" if callback.returns.kind == "enum" else "value"


def scoped(model, callback):
    name, short = type_name(callback.name), callback.short
    if made_param(callback) is not None:
        raise SystemExit(f"Rust: {callback.name} makes objects during one call, which has no rule")
    status = callback.returns.base == "netcl_status"
    void = callback.returns.base == "void"
    failed = "sys::NETCL_ERROR_CANCELLED" if status else "0"
    done = "support::status_of(value, Some(&mut scoped.error))" if status else plain(callback)
    lines = ["", "/// Such a function during one call, out of which its panic or error comes. "
             "See `" + callback.name + "`.",
             f"pub(crate) struct {name}Scoped<'a> {{",
             f"    pub(crate) function: &'a mut ({callback_type(model, callback, False)}),",
             "    pub(crate) panic: Option<Box<dyn std::any::Any + Send>>,",
             "    pub(crate) error: Option<Error>,", "}", ""]
    lines += head(callback, "call_scoped")
    lines += [f"    let scoped = &mut *(user_data as *mut {name}Scoped<'_>);",
              "    if scoped.panic.is_some() {", f"        return{'' if void else ' ' + failed};",
              "    }",
              "    let done = catch_unwind(AssertUnwindSafe(|| {",
              f"        (scoped.function)({values_of(model, callback)})", "    }));"]
    if void:
        return lines + ["    scoped.panic = done.err();", "}"]
    return lines + ["    match done {",
                    f"        Ok(value) => {done},",
                    "        Err(panic) => {", "            scoped.panic = Some(panic);",
                    f"            {failed}", "        }", "    }", "}"]


def raw_param(param):
    return raw_type(param.type, "sys::").replace("sys::c_void", "c_void")
