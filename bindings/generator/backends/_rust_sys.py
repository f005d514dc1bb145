"""netcl-sys: the declarations of C, layouts with assertions, and counted functions."""

from backends._rust_names import HEAD, SCALARS, comment, escape, ident, listing, raw_type


def files(model):
    return {"mod.rs": module(), "types.rs": types(model), "functions.rs": functions(model),
            "layout.rs": layout(model)}


def module():
    return HEAD + """
mod types;
pub use types::*;

mod functions;
#[cfg(not(netcl_count_calls))]
pub use functions::*;

// For the tests of the safe layer; not part of the crate as it is published.
#[cfg(netcl_count_calls)]
#[path = "../../tests/generated/counted.rs"]
mod counted;
#[cfg(netcl_count_calls)]
pub use counted::*;

#[cfg(all(test, target_pointer_width = "64"))]
mod layout;
"""


def types(model):
    lines = [HEAD, "use std::marker::{PhantomData, PhantomPinned};",
             "use std::os::raw::{c_char, c_void};", ""]
    for constant in model.constants:
        lines += comment(escape(constant.doc.text))
        if constant.ctype == "text":
            lines.append(f'pub const {constant.name}: &str = "{constant.value}";')
        else:
            lines.append(f"pub const {constant.name}: {SCALARS[constant.ctype]} = "
                         f"{constant.value};")
    for handle in model.handles:
        lines += [""] + comment(escape(handle.doc.text)) + opaque(handle.name)
    for name in model.foreign:
        lines += ["", "/// An object of another library, known by its tag only."] + opaque(name)
    for enum in model.enums:
        lines += [""] + comment(escape(enum.doc.text))
        lines.append(f"pub type {enum.name} = {SCALARS[enum.ctype]};")
        for value in enum.values:
            lines += comment(escape(value.doc.text))
            lines.append(f"pub const {value.name}: {enum.name} = {value.value};")
    for callback in model.callbacks:
        params = ", ".join(f"{ident(p.name)}: {raw_type(p.type)}" for p in callback.params)
        returns = "" if callback.returns.base == "void" and not callback.returns.levels else \
            " -> " + raw_type(callback.returns)
        lines += [""] + comment(escape(callback.doc.text))
        lines.append(f"pub type {callback.name} =")
        lines.append(f"    Option<unsafe extern \"C\" fn({params}){returns}>;")
    for struct in model.structs:
        lines += struct_lines(struct)
    return "\n".join(lines) + "\n"


def opaque(name):
    return ["#[repr(C)]", f"pub struct {name} {{", "    _private: [u8; 0],",
            "    _marker: PhantomData<(*mut u8, PhantomPinned)>,", "}"]


def struct_lines(struct):
    lines = [""] + comment(escape(struct.doc.text))
    lines += ["#[repr(C)]", "#[derive(Clone, Copy, Debug)]", f"pub struct {struct.name} {{"]
    for member in struct.members:
        lines += comment(escape(member.doc.text), "    ")
        lines.append(f"    pub {ident(member.name)}: {raw_type(member.type)},")
    lines += ["}", "", f"impl {struct.name} {{"]
    lines += [f"    /// {'`' + struct.init + '`: ' if struct.init else ''}all zero"
              f"{', with `struct_size` set' if struct.kind != 'frozen' else ''}.",
              f"    pub const INIT: {struct.name} = {struct.name} {{"]
    lines += [f"        {ident(m.name)}: {zero(struct, m)}," for m in struct.members]
    lines += ["    };", "}", "", f"impl Default for {struct.name} {{",
              f"    fn default() -> {struct.name} {{", f"        {struct.name}::INIT", "    }", "}"]
    lines += ["", "#[cfg(target_pointer_width = \"64\")]",
              f"const _: () = assert!(std::mem::size_of::<{struct.name}>() == {struct.size});",
              "#[cfg(target_pointer_width = \"64\")]",
              f"const _: () = assert!(std::mem::align_of::<{struct.name}>() == {struct.align});"]
    return lines


def zero(struct, member):
    if member.role == "struct_size":
        return f"std::mem::size_of::<{struct.name}>()"
    kind = member.type
    if kind.kind == "callback":
        return "None"
    if kind.levels:
        return "std::ptr::null()" if kind.levels[-1] else "std::ptr::null_mut()"
    if kind.kind in ("frozen", "sized"):
        value = f"{kind.base}::INIT"
    else:
        value = "0.0" if kind.base in ("double", "float") else "0"
    return f"[{value}; {kind.array}]" if kind.array else value


def declaration(function):
    params = [f"{ident(p.name)}: {raw_type(p.type)}" for p in function.params]
    returns = "" if function.returns == "void" else " -> " + raw_type(function.return_type)
    return params, returns


def function_doc(function, indent):
    text = escape(function.doc.text)
    for name, what in function.doc.params.items():
        text += f"\n\n* `{name}`: {escape(what)}"
    return comment(text, indent)


def functions(model):
    lines = [HEAD, "use crate::*;", "use std::os::raw::{c_char, c_void};", "",
             "extern \"C\" {"]
    for index, function in enumerate(model.functions):
        lines += [""] if index else []
        lines += function_doc(function, "    ")
        params, returns = declaration(function)
        lines += listing(f"pub fn {function.name}", params, returns + ";", "    ")
    return "\n".join(lines + ["}"]) + "\n"


def counted(model):
    """The same functions, each of which counts its calls: how tests show what they reach."""
    lines = [HEAD, "use super::functions as real;", "use crate::*;",
             "use std::os::raw::{c_char, c_void};", "use std::sync::atomic::AtomicU64;", "",
             "/// The functions of the library, in the order of the header.",
             "pub static NAMES: &[&str] = &["]
    lines += [f'    "{f.name}",' for f in model.functions]
    lines += ["];", "", "/// Names that the compiler numbers, so that a new function moves no other.",
              "#[allow(non_camel_case_types)]", "enum At {"]
    lines += [f"    {f.name}," for f in model.functions]
    lines += ["    End,", "}", "", "#[allow(clippy::declare_interior_mutable_const)]",
              "const ZERO: AtomicU64 = AtomicU64::new(0);",
              "/// How often each was called.",
              "pub static COUNTS: [AtomicU64; At::End as usize] = [ZERO; At::End as usize];"]
    for function in model.functions:
        params, returns = declaration(function)
        names = ", ".join(ident(p.name) for p in function.params)
        lines += ["", f"/// Counts, then calls `{function.name}`.", "/// # Safety",
                  f"/// As for `{function.name}`."]
        lines += listing(f"pub unsafe fn {function.name}", params, returns + " {", "")
        lines += [f"    crate::count_call(At::{function.name} as usize);", f"    real::{function.name}({names})", "}"]
    return "\n".join(lines) + "\n"


def layout(model):
    """Offsets can be had in constants only from Rust 1.77 on, so they are tested."""
    lines = [HEAD, "use crate::*;", "use std::mem::MaybeUninit;", "use std::ptr::addr_of;", "",
             "macro_rules! offset {", "    ($type:ty, $member:ident) => {{",
             "        let value = MaybeUninit::<$type>::uninit();",
             "        let base = value.as_ptr();",
             "        unsafe { addr_of!((*base).$member) as usize - base as usize }",
             "    }};", "}"]
    for struct in model.structs:
        lines += ["", "#[test]", f"fn {struct.name}_is_laid_out_as_in_c() {{"]
        lines += [f"    assert_eq!(offset!({struct.name}, {ident(m.name)}), {m.offset});"
                  for m in struct.members]
        lines.append("}")
    return "\n".join(lines) + "\n"
