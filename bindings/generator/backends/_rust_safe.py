"""The functions of the safe layer: a file per handle type, ops, and free functions."""

from backends._rust_docs import own_text, prose
from backends._rust_names import (HAND_WRITTEN, HEAD, MODULES, OWNED, comment, ident, module_name,
                                  type_name)
from backends._rust_typed import methods
from backends._rust_writer import Writer, forms
from words import lengths

USES = ["use super::*;", "use crate::support::{self, CText, Pointers, Texts};",
        "use crate::{check, Error, Result, Scalar, Shape, Timeout};", "use std::mem::MaybeUninit;",
        "use std::os::raw::c_void;", "use std::path::Path;", "use std::ptr;"]
HEADING = [HEAD, "#![allow(unused_imports, unused_unsafe, clippy::too_many_arguments)]", ""] + USES


def files(model):
    found = {}
    taken = {}
    for handle in model.handles:
        functions = [f for f in model.functions if f.owner == handle.short and
                     f.kind in ("method", "constructor", "static")]
        names = [w.name for f in functions for w in forms(model, f)]
        twice = {n for n in names if names.count(n) > 1}
        if twice:
            raise SystemExit(f"Rust: {type_name(handle.name)} would have {twice} twice")
        taken[handle.name] = set(names)
        found[handle.short + ".rs"] = handle_file(model, handle, functions)
    found["op.rs"] = ops(model)
    found["op_methods.rs"] = op_methods(model, taken["netcl_tensor"])
    found["functions.rs"] = free_functions(model)
    found["lengths.rs"] = length_names(model)
    found["mod.rs"] = module(model)
    return found


def length_names(model):
    """What stands for the sizes and counts that messages of the library name."""
    names = {}
    for function in model.functions:
        names.update(lengths(function, lambda name: f"{ident(name)}.len()"))
    rows = [f'        "{name}" => Some("{names[name]}"),' for name in sorted(names)]
    return "\n".join([HEAD, "/// What a function has for a size or a count of C.",
                      "pub(crate) fn length_of(name: &str) -> Option<&'static str> {",
                      "    match name {", *rows, "        _ => None,", "    }", "}"]) + "\n"


def module(model):
    names = sorted(["constants", "enums", "options", "infos", "callbacks", "calls", "functions"] +
                   [h.short for h in model.handles])
    lines = [HEAD, "use netcl_sys as sys;", ""]
    lines += [f"mod {n};" for n in names] + ["mod lengths;", "mod op_methods;", "pub mod op;", ""]
    lines += [f"pub use {n}::*;" for n in names]
    lines += ["pub(crate) use lengths::length_of;", "#[allow(unused_imports)]",
              f"use crate::{{{', '.join(sorted([*HAND_WRITTEN.values(), *OWNED.values(), 'Tensors']))}}};"]
    return "\n".join(lines) + "\n"


HANDLE_METHODS = """\
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut {raw}) -> {name} {{
        {name} {{ raw: NonNull::new_unchecked(raw) }}
    }}

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut {raw} {{
        self.raw.as_ptr()
    }}

    /// Hands the reference out; `{release}` gives it back.
    pub fn into_raw(self) -> *mut {raw} {{
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }}

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut {raw}) -> Option<{name}> {{
        NonNull::new(raw).map(|raw| {name} {{ raw }})
    }}

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut {raw}) -> Result<{name}> {{
        {name}::from_nullable(raw).ok_or_else(support::nothing_given)
    }}
"""
CLONE = """
    /// One more reference, or the reason why not: `clone` without a panic.
    pub fn try_clone(&self) -> Result<{name}> {{
        check(unsafe {{ sys::{retain}(self.as_raw()) }})?;
        Ok({name} {{ raw: self.raw }})
    }}
}}

impl Clone for {name} {{
    /// Adds a reference.
    ///
    /// # Panics
    /// When the library refuses: 2^24 references are held already, or the object was made before
    /// a fork. `try_clone` returns these as errors.
    fn clone(&self) -> {name} {{
        match self.try_clone() {{
            Ok(clone) => clone,
            Err(error) => panic!("{{error}}"),
        }}
    }}
}}
"""
MOVABLE = """
    /// One more reference.
    ///
    /// # Safety
    /// The object may change threads but not be used by two at a time; that holds for all
    /// references to it together.
    pub unsafe fn try_clone(&self) -> Result<{name}> {{
        check(unsafe {{ sys::{retain}(self.as_raw()) }})?;
        Ok({name} {{ raw: self.raw }})
    }}
}}
"""
HANDLE_TRAITS = """
impl Drop for {name} {{
    fn drop(&mut self) {{
        unsafe {{ sys::{release}(self.as_raw()) }}
    }}
}}
{debug}
impl PartialEq for {name} {{
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &{name}) -> bool {{
        self.raw == other.raw
    }}
}}

impl Eq for {name} {{}}
"""
DEBUG = """
impl fmt::Debug for {name} {{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {{
        write!(f, "{name}({{:#x}})", self.as_raw() as usize)
    }}
}}
"""
DEBUG_BY_HAND = ("netcl_device", "netcl_tensor")


def handle_file(model, handle, functions):
    name, raw = type_name(handle.name), "sys::" + handle.name
    lines = HEADING + ["use std::fmt;", "use std::ptr::NonNull;", ""]
    lines += comment(prose(own_text(handle.doc)))
    lines += ["///", "/// A clone is one more reference to the same object, and dropping gives it "
              "back."] if handle.shareable else []
    lines += [f'#[doc(alias = "{handle.name}")]', "#[repr(transparent)]", f"pub struct {name} {{",
              f"    raw: NonNull<{raw}>,", "}", ""]
    word = "Shareable" if handle.shareable else "Movable"
    lines.append(f'// The header says "{word}.", and the library checks what it is given.'
                 if handle.shareable else f'// The header says "{word}.": Send without Sync.')
    lines.append(f"unsafe impl Send for {name} {{}}")
    if handle.shareable:
        lines.append(f"unsafe impl Sync for {name} {{}}")
    lines += ["", f"impl {name} {{"] + HANDLE_METHODS.format(
        name=name, raw=raw, release=handle.release).splitlines()
    if handle.shareable:
        lines += CLONE.format(name=name, retain=handle.retain).splitlines()
    else:
        lines += MOVABLE.format(name=name, retain=handle.retain).splitlines()
    lines += HANDLE_TRAITS.format(
        name=name, release=handle.release,
        debug="" if handle.name in DEBUG_BY_HAND else DEBUG.format(name=name)).splitlines()
    if functions:
        lines += ["", f"impl {name} {{"]
        for index, writer in enumerate(w for f in functions for w in forms(model, f)):
            lines += [""] if index else []
            lines += writer.lines("    ")
        lines.append("}")
    return "\n".join(lines) + "\n"


def ops(model):
    lines = [HEAD,
             "//! All ops, each with its options and with how it runs. Those whose first input",
             "//! is a tensor are methods of [`AnyTensor`] too, with defaults for both.", "",
             HEADING[1], ""] + USES
    for function in model.functions:
        if function.kind == "op":
            lines += [""] + Writer(model, function).lines("")
    return "\n".join(lines) + "\n"


def op_methods(model, taken):
    uses = ["use crate::{Element, OpOptions, Tensor, With};"]
    return "\n".join(HEADING + uses + methods(model, taken)) + "\n"


def free_functions(model):
    lines = list(HEADING)
    for enum in model.enums:
        functions = [f for f in model.functions if f.kind == "enum_method" and
                     f.owner == enum.short]
        if functions:
            lines += ["", f"impl {type_name(enum.name)} {{"]
            for index, function in enumerate(functions):
                lines += [""] if index else []
                lines += Writer(model, function).lines("    ")
            lines.append("}")
    for module in ["", *sorted(MODULES)]:
        found = [w for f in model.functions if f.kind == "function" and
                 module_name(f.verb) == module for w in forms(model, f)]
        text = [line for w in found for line in ["", *w.lines("    " if module else "")]]
        if module:
            lines += ["", f"/// {MODULES[module]}", f"pub mod {module} {{",
                      "    #[allow(unused_imports)]", "    use super::*;"] + text + ["}"]
        else:
            lines += text
    return "\n".join(lines) + "\n"
