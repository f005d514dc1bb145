"""The functions of the safe layer: a file per handle type, ops, and free functions."""

from backends._rust_calls import callback_type, kept_param
from backends._rust_members import by_value, lifetime
from backends._rust_names import (HAND_WRITTEN, HEAD, OWNED, SCALARS, WIDTH, comment,
                                  constructor_name, escape, ident, listing, method_name, type_name,
                                  value_type)
from backends._rust_unsafe import why_unsafe
from safety import hazards, trusted

USES = ["use super::*;", "use crate::support::{self, CText, Pointers, Texts};",
        "use crate::{check, Error, Result, Scalar, Timeout};", "use std::mem::MaybeUninit;",
        "use std::os::raw::c_void;", "use std::ptr;"]
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
    found["mod.rs"] = module(model)
    return found


def module(model):
    names = sorted(["constants", "enums", "options", "infos", "callbacks", "calls", "functions"] +
                   [h.short for h in model.handles])
    lines = [HEAD, "use netcl_sys as sys;", ""]
    lines += [f"mod {n};" for n in names] + ["mod op_methods;", "pub mod op;", ""]
    lines += [f"pub use {n}::*;" for n in names]
    lines += ["#[allow(unused_imports)]",
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

impl fmt::Debug for {name} {{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {{
        write!(f, "{name}({{:#x}})", self.as_raw() as usize)
    }}
}}

impl PartialEq for {name} {{
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &{name}) -> bool {{
        self.raw == other.raw
    }}
}}

impl Eq for {name} {{}}
"""


def handle_file(model, handle, functions):
    name, raw = type_name(handle.name), "sys::" + handle.name
    lines = HEADING + ["use std::fmt;", "use std::ptr::NonNull;", ""]
    lines += comment(escape(handle.doc.text))
    lines += ["///", "/// A clone is one more reference to the same object, and dropping gives it "
              "back."] if handle.shareable else []
    lines += ["#[repr(transparent)]", f"pub struct {name} {{",
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
    lines += HANDLE_TRAITS.format(name=name, release=handle.release).splitlines()
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
    """Short forms: x.softmax(axis) for op::softmax(&x, axis, defaults, defaults)."""
    lines = HEADING + ["", "impl AnyTensor {"]
    found = []
    for function in model.functions:
        first = function.arguments[0] if function.arguments else None
        if function.kind != "op" or first.role != "handle" or first.type.base != "netcl_tensor":
            continue
        if method_name(function.verb) in taken:
            continue
        found.append(short_form(model, function))
    lines += "\n\n".join(found).splitlines()
    return "\n".join(lines + ["}"]) + "\n"


def short_form(model, function):
    writer = Writer(model, function)
    writer.prepare()
    given = function.inputs[1:]
    params = ["&self"] + [writer.rust_params[a.name] for a in given if a.role != "options"]
    values = ["self"] + [default_options(model, a) if a.role == "options" else ident(a.name)
                         for a in given]
    name = method_name(function.verb)
    lines = comment(escape(function.doc.first_sentence), "    ")
    lines += ["    ///", f"    /// [`op::{name}`] takes options too."]
    generics = "<'a>" if "'a" in "".join(params) else ""
    lines += listing(f"pub fn {name}{generics}", params, f" -> {writer.result_type()} {{", "    ")
    lines += listing(f"op::{name}", values, "", "        ")
    return "\n".join(lines + ["    }"])


def split_params(text):
    """Names before the colons of `shape: &[i64], strides: Option<&[i64]>`."""
    return [part for part in text.split(", ") if ": " in part]


def default_options(model, argument):
    struct = model.struct(argument.type.base)
    return f"{type_name(struct.name)}::default()" if by_value(struct) else "None"


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
    for function in model.functions:
        if function.kind == "function":
            for writer in forms(model, function):
                lines += [""] + writer.lines("")
    return "\n".join(lines) + "\n"


def rust_name(function):
    make = constructor_name if function.kind == "constructor" else method_name
    return make(function.verb)


def droppable(argument):
    """Options that nobody has to give, unlike, say, the sizes of a convolution."""
    return argument.role == "options" and argument.type.base.endswith("_options")


def forms(model, function):
    """A function that takes options is written twice: `open` with defaults for all of them, and
    `open_with` (`with_options` beside `new`). Bytes that a driver gets as they are have a form of
    their own, `from_binary`."""
    if not [a for a in function.arguments if droppable(a)]:
        return [Writer(model, function)]
    bytes_ = [m for a in function.arguments if droppable(a)
              for m in trusted(model.struct(a.type.base))[0]]
    return [Writer(model, function, short=True), Writer(model, function, full=True)] + \
        [Writer(model, function, full=True, program=m) for m in bytes_]


class Writer:
    """Writes one function: parameters, what comes before the call, the call, the result."""

    def __init__(self, model, function, short=False, full=False, program=None):
        self.model = model
        self.function = function
        self.short = short
        self.program = program  # the member with bytes for a driver that this form takes
        self.name = rust_name(function)
        if full:
            self.plain = self.name
            self.name = "with_options" if self.name == "new" else self.name + "_with"
        if program:
            self.plain = self.name
            self.name = ("from_" if function.kind == "constructor" else
                         rust_name(function) + "_") + program.name
        self.rust_params = {}   # argument name to "name: Type"
        self.before = []
        self.last = []          # directly in front of the call
        self.passed = {}        # C parameter to expression
        self.after = []
        self.results = []       # (type, expression)
        self.unsafe = ""        # why it is unsafe, "" when it is not
        self.around = None      # a call that is made twice: (type, line)

    def prepare(self):
        arguments = self.function.arguments
        left_out = [a.name for a in arguments if self.short and droppable(a)]
        self.hazards = hazards(self.model, self.function, left_out)
        self.unsafe = why_unsafe(self.function, self.hazards, self.program)
        for argument in arguments:
            if self.short and droppable(argument):
                self.put(argument, "ptr::null()")
                continue
            getattr(self, "on_" + argument.role)(argument)

    def need(self, argument, text):
        self.rust_params[argument.name] = f"{ident(argument.name)}: {text}"

    def put(self, argument, *values):
        for param, value in zip(argument.params, values):
            self.passed[param.name] = value

    # Inputs

    def on_object(self, argument):
        self.rust_params[argument.name] = "&self"
        self.put(argument, "self.as_raw()")

    def on_handle(self, argument):
        name, kind = ident(argument.name), type_name(argument.type.base)
        if argument.optional:
            self.need(argument, f"Option<&{kind}>")
            self.put(argument, f"{name}.map_or(ptr::null_mut(), |h| h.as_raw())")
        else:
            self.need(argument, f"&{kind}")
            self.put(argument, f"{name}.as_raw()")

    def on_handles(self, argument):
        name = ident(argument.name)
        self.need(argument, f"&[&{type_name(argument.type.base)}]")
        self.before += [f"let mut {name}_raw = Pointers::default();",
                        f"{name}_raw.fill({name}.iter().map(|h| h.as_raw()));"]
        cast = " as *const *const _" if argument.type.levels[0] else ""
        self.put(argument, f"{name}_raw.as_ptr(){cast}", self.count(argument))

    @staticmethod
    def count(argument):
        return f'support::count("{argument.name}", {ident(argument.name)}.len())?'

    def on_value(self, argument):
        if argument.flag:
            self.need(argument, "bool")
            return self.put(argument, f"{ident(argument.name)} as u32")
        self.need(argument, SCALARS[argument.type.base])
        return self.put(argument, ident(argument.name))

    def on_enum(self, argument):
        if self.function.kind == "enum_method" and argument is self.function.arguments[0]:
            self.rust_params[argument.name] = "self"
            return self.put(argument, "self.0")
        self.need(argument, type_name(argument.type.base))
        return self.put(argument, f"{ident(argument.name)}.0")

    def on_timeout(self, argument):
        self.rust_params[argument.name] = "timeout: impl Into<Timeout>"
        self.put(argument, "timeout.into().0")

    def on_text(self, argument):
        name = ident(argument.name)
        if argument.optional:
            self.need(argument, "Option<&str>")
            self.before.append(f'let {name}_c = {name}.map(|t| CText::new("{argument.name}", t))'
                               '.transpose()?;')
            self.put(argument, f"{name}_c.as_ref().map_or(ptr::null(), |t| t.as_ptr())")
        else:
            self.need(argument, "&str")
            self.before.append(f'let {name}_c = CText::new("{argument.name}", {name})?;')
            self.put(argument, f"{name}_c.as_ptr()")

    def on_text_sized(self, argument):
        self.on_text(argument)
        value = f"{ident(argument.name)}.map_or(0, |t| t.len())" if argument.optional else \
            f"{ident(argument.name)}.len()"
        self.passed[argument.params[1].name] = value

    def on_texts(self, argument):
        name = ident(argument.name)
        self.need(argument, "&[&str]")
        self.before += [f"let mut {name}_c = Texts::default();",
                        f'{name}_c.fill("{argument.name}", {name})?;']
        self.put(argument, f"{name}_c.as_ptr()", self.count(argument))

    def on_element(self, argument):
        name = ident(argument.name)
        self.need(argument, "Scalar")
        dtype = next((a for a in self.function.arguments if a.role == "enum" and
                      a.type.base == "netcl_dtype"), None)
        tensor = next((a for a in self.function.arguments if a.type.base == "netcl_tensor" and
                       a.role in ("object", "handle")), None)
        if dtype is None and tensor is None:
            raise SystemExit(f"Rust: {self.function.name}: nothing says the dtype of {name}")
        given = ident(dtype.name) if dtype is not None else \
            f"{'self' if tensor.role == 'object' else ident(tensor.name)}.info()?.dtype"
        self.before.append(f'let {name}_bytes = {name}.checked("{argument.name}", {given})?;')
        self.put(argument, f"{name}_bytes.as_ptr() as *const c_void")

    def on_data_in(self, argument):
        name = ident(argument.name)
        if "data" in self.hazards:
            self.need(argument, "*const c_void")
            self.rust_params[argument.name] += f", {argument.params[1].name}: usize"
            self.put(argument, name, argument.params[1].name)
        else:
            self.need(argument, "&[u8]")
            self.put(argument, f"support::data_ptr({name})", f"{name}.len()")

    def on_data_out(self, argument):
        name = ident(argument.name)
        if "data" in self.hazards:
            self.need(argument, "*mut c_void")
            self.rust_params[argument.name] += f", {argument.params[1].name}: usize"
            self.put(argument, name, argument.params[1].name)
        else:
            self.need(argument, "&mut [u8]")
            self.put(argument, f"{name}.as_mut_ptr() as *mut c_void", f"{name}.len()")

    def on_data_lent(self, argument):
        size = argument.params[1]
        self.need(argument, "*mut c_void")
        self.rust_params[argument.name] += f", {size.name}: {SCALARS[size.type.base]}"
        self.put(argument, ident(argument.name), size.name)

    def on_array(self, argument):
        name = ident(argument.name)
        life = "<'_>" if argument.type.base in HAND_WRITTEN else ""
        self.need(argument, f"&[{value_type(argument.type)}{life}]")
        self.put(argument, f"support::slice_ptr({name}) as *const _", self.count(argument))

    def on_columns(self, argument):
        """Arrays of texts and of numbers, one beside the other."""
        names = [ident(p.name) for p in argument.params[:-1]]
        kinds = []
        for param, name in zip(argument.params, names):
            if param.type.kind == "char":
                kinds.append("&[&str]")
                self.before += [f"let mut {name}_c = Texts::default();",
                                f'{name}_c.fill("{param.name}", {name})?;']
                self.passed[param.name] = f"{name}_c.as_ptr()"
            else:
                kinds.append(f"&[{value_type(param.type)}]")
                self.passed[param.name] = f"support::slice_ptr({name}) as *const _"
        self.rust_params[argument.name] = ", ".join(f"{n}: {k}" for n, k in zip(names, kinds))
        for other in names[1:]:
            self.before.append(f'support::same_length("{names[0]}", {names[0]}.len(), "{other}", '
                               f"{other}.len())?;")
        self.passed[argument.params[-1].name] = \
            f'support::count("{names[0]}", {names[0]}.len())?'

    def on_layout(self, argument):
        rank, shape, strides = (ident(p.name) for p in argument.params)
        self.rust_params[argument.name] = f"{shape}: &[i64], {strides}: Option<&[i64]>"
        self.before.append(f'support::check_strides({shape}, {strides})?;')
        self.passed[argument.params[0].name] = f'support::count("{shape}", {shape}.len())?'
        self.passed[argument.params[1].name] = f"support::slice_ptr({shape})"
        self.passed[argument.params[2].name] = f"{strides}.map_or(ptr::null(), support::slice_ptr)"

    def on_shape(self, argument):
        shape = ident(argument.params[1].name)
        self.rust_params[argument.name] = f"{shape}: &[i64]"
        self.put(argument, f'support::count("{shape}", {shape}.len())?',
                 f"support::slice_ptr({shape})")

    def on_options(self, argument):
        name, struct = ident(argument.name), self.model.struct(argument.type.base)
        kind = type_name(struct.name)
        if not by_value(struct):
            if not argument.optional:
                self.need(argument, f"&{kind}")
                self.before.append(f"let {name}_raw = {name}.raw();")
                return self.put(argument, f"&{name}_raw")
            self.need(argument, f"Option<&{kind}>")
            self.before.append(f"let {name}_raw = {name}.map(|s| s.raw());")
            return self.put(argument, f"{name}_raw.as_ref().map_or(ptr::null(), |s| s as *const _)")
        self.need(argument, kind + ("<'_>" if lifetime(self.model, struct) else ""))
        for member in struct.members:
            if member.role == "element":
                self.check_member(argument, member)
        change = "mut " if self.program else ""
        self.before += [f"let mut {name}_keep = Default::default();",
                        f"let {change}{name}_raw = {name}.raw(&mut {name}_keep)?;"]
        if self.program:
            self.take_program(argument, name, struct)
        if any(m.role == "handle_out" for m in struct.members):
            self.after.append(f"{name}.finish({name}_keep);")
        return self.put(argument, f"&{name}_raw")

    def take_program(self, argument, name, struct):
        """Bytes that are no member of the options here, with the flag that goes with them."""
        own, size = ident(self.program.name), ident(self.program.partner)
        flags = [m for m in trusted(struct)[1] if m.name == "trust_" + self.program.name]
        given = [f"{own}: &[u8]"] + [f"{ident(m.name)}: bool" for m in flags]
        self.rust_params[argument.name] = "\n".join(given + [self.rust_params[argument.name]])
        self.before += [f"{name}_raw.{own} = support::data_ptr({own});",
                        f"{name}_raw.{size} = {own}.len();"]
        self.before += [f"{name}_raw.{ident(m.name)} = {ident(m.name)} as u32;" for m in flags]

    def check_member(self, argument, member):
        """An element in options has the dtype of the first tensor."""
        tensor = next(a for a in self.function.arguments if a.type.base == "netcl_tensor")
        here = "self" if tensor.role == "object" else ident(tensor.name)
        self.before += [f"if let Some(value) = {ident(argument.name)}.{ident(member.name)} {{",
                        f'    value.checked("{member.name}", {here}.info()?.dtype)?;', "}"]

    def on_frozen(self, argument):
        self.need(argument, f"&{value_type(argument.type)}")
        self.put(argument, f"{ident(argument.name)} as *const _ as *const _")

    def on_foreign(self, argument):
        self.need(argument, f"*mut sys::{argument.type.base}")
        self.put(argument, ident(argument.name))

    def on_callback(self, argument):
        callback = argument.callback
        name, kind = ident(argument.name), type_name(callback.name)
        if argument.kept and not argument.untold:
            return self.keep_function(argument)
        if argument.kept:
            self.need(argument, f"Option<{kind}>")
            self.before.append(f"let {argument.name}_box = {name}.map(|f| Box::into_raw("
                               "Box::new(f)));")
            self.put(argument, f"{argument.name}_box.map(|_| {callback.short}_call as _)",
                     f"{argument.name}_box.map_or(ptr::null_mut(), |f| f as *mut c_void)",
                     f"{argument.name}_box.map(|_| {callback.short}_destroy as _)")
            self.failed = [f"if let Some(f) = {argument.name}_box {{",
                           f"    unsafe {{ {callback.short}_destroy(f as *mut c_void) }};", "}"]
            return
        self.rust_params[argument.name] = \
            f"{name}: &mut ({callback_type(self.model, callback, False)})".replace("'a", "'_")
        self.before.append(f"let mut {argument.name}_scoped = {kind}Scoped {{ function: {name}, "
                           "panic: None, error: None };")
        self.put(argument, f"Some({callback.short}_call_scoped)",
                 f"&mut {argument.name}_scoped as *mut _ as *mut c_void")
        self.resume = f"{argument.name}_scoped"

    def keep_function(self, argument):
        """A function that is called later too: it moves to the library, which frees it."""
        if not argument.freed:
            raise SystemExit(f"Rust: {self.function.name}: the comment does not say that destroy is "
                             "called \"also when this call fails\"")
        callback, name = argument.callback, argument.name
        self.generics, kind, boxed = kept_param(self.model, argument)
        self.need(argument, kind)
        # Nothing may return between this and the call, which takes it.
        self.last += [f"let {name}_kept: {type_name(callback.name)} = Box::new({boxed});",
                      f"let {name}_raw = Box::into_raw(Box::new({name}_kept)) as *mut c_void;"]
        self.put(argument, f"Some({callback.short}_call)", f"{name}_raw",
                 f"Some({callback.short}_destroy)")

    plain = ""
    failed = ()
    resume = ""
    generics = ""

    # Outputs

    def on_scalar_out(self, argument):
        name = ident(argument.name)
        kind = value_type(argument.type)
        self.before.append(f"let mut {name} = Default::default();")
        self.put(argument, f"&mut {name}")
        if argument.flag:
            return self.results.append(("bool", f"{name} != 0"))
        wrapped = f"{kind}({name})" if argument.type.kind == "enum" else name
        return self.results.append((kind, wrapped))

    def on_frozen_out(self, argument):
        name = ident(argument.name)
        self.before.append(f"let mut {name} = sys::{argument.type.base}::INIT;")
        self.put(argument, f"&mut {name}")
        self.results.append((type_name(argument.type.base), f"{name}.into()"))

    def on_info_out(self, argument):
        name, base = ident(argument.name), "sys::" + argument.type.base
        self.before += [f"let mut {name} = MaybeUninit::<{base}>::uninit();",
                        f"unsafe {{ support::set_size({name}.as_mut_ptr()) }};"]
        self.put(argument, f"{name}.as_mut_ptr()")
        kind = type_name(argument.type.base)
        self.results.append((kind, f"{kind}::from_raw(unsafe {{ {name}.assume_init_ref() }})"))

    def on_handle_out(self, argument):
        name, kind = ident(argument.name), type_name(argument.type.base)
        self.before.append(f"let mut {name}_out = ptr::null_mut();")
        self.put(argument, f"&mut {name}_out")
        if argument.absent:
            taken = f"unsafe {{ {kind}::from_nullable({name}_out) }}"
            return self.results.append((f"Option<{kind}>", taken))
        return self.results.append((kind, f"unsafe {{ {kind}::take({name}_out)? }}"))

    def on_foreign_out(self, argument):
        name = ident(argument.name)
        self.before.append(f"let mut {name} = ptr::null_mut();")
        self.put(argument, f"&mut {name}")
        if not argument.owned:
            return self.results.append((f"*mut sys::{argument.type.base}", name))
        if argument.type.base not in OWNED:
            raise SystemExit(f"Rust: {self.function.name}: nobody would give {argument.name} back; "
                             "it needs a type in OWNED of backends/_rust_names.py")
        kind = OWNED[argument.type.base]
        return self.results.append((kind, f"unsafe {{ {kind}::take({name})? }}"))

    def on_array_out_like(self, argument):
        name, kind = ident(argument.name), value_type(argument.type)
        self.before.append(f"let mut {name} = vec![{kind}::default(); "
                           f"{ident(argument.like)}.len()];")
        self.put(argument, f"{name}.as_mut_ptr() as *mut _")
        self.results.append((f"Vec<{kind}>", name))

    def on_array_out_fixed(self, argument):
        name, kind = ident(argument.name), value_type(argument.type)
        self.before.append(f"let mut {name} = [{kind}::default(); {argument.extent}];")
        self.put(argument, f"{name}.as_mut_ptr() as *mut _")
        self.results.append((f"[{kind}; {argument.extent}]", name))

    def on_array_out_exact(self, argument):
        name = ident(argument.name)
        self.need(argument, f"&mut [{value_type(argument.type)}]")
        self.put(argument, f"{name}.as_mut_ptr() as *mut _", self.count(argument))

    def on_handles_out_like(self, argument):
        name, kind = ident(argument.name), type_name(argument.type.base)
        self.before.append(f"let mut {name}_out = vec![ptr::null_mut(); "
                           f"{ident(argument.like)}.len()];")
        self.put(argument, f"{name}_out.as_mut_ptr()")
        self.take_all(name, f"{name}_out", kind)

    def take_all(self, name, found, kind):
        each = f"{found}.into_iter().map(|h| unsafe {{ {kind}::take(h) }})"
        self.after.append(f"let {name} = {each};")
        self.after.append(f"let {name} = {name}.collect::<Result<Vec<_>>>()?;")
        self.results.append((f"Vec<{kind}>", name))

    def twice(self, argument, helper, kind, result):
        """An output whose extent the library tells: the helper calls with growing room."""
        if self.around:
            raise SystemExit(f"Rust: {self.function.name} has two outputs of unknown extent")
        self.put(argument, "place as *mut _", "room", "length")
        self.around = helper
        if result:
            self.results.append((kind, result))

    def on_text_out(self, argument):
        self.twice(argument, "support::read_text(|place, room, length| ", "String", "text")

    def on_bytes_out(self, argument):
        self.twice(argument, "support::read_bytes(|place, room, length| ", "Vec<u8>", "text")

    def on_array_out(self, argument):
        kind = value_type(argument.type)
        default = f"{kind}::default()"
        self.twice(argument, f"support::read_array({default}, |place, room, length| ",
                   f"Vec<{kind}>", "text")

    def on_handles_out(self, argument):
        kind = type_name(argument.type.base)
        self.twice(argument, "support::read_array(ptr::null_mut(), |place, room, length| ", "", "")
        self.take_all(ident(argument.name), "text", kind)

    # Putting it together

    def result_type(self):
        kinds = [k for k, _ in self.results]
        value = kinds[0] if len(kinds) == 1 else f"({', '.join(kinds)})" if kinds else "()"
        returns = self.function.returns
        if returns == "status":
            return f"Result<{value}>"
        if returns == "text":
            return "&'static str" if self.function.kind == "enum_method" else "String"
        if returns == "value":
            return value_type(self.function.return_type)
        return ""

    def call(self):
        values = [self.passed[p.name] for p in self.function.params]
        return f"sys::{self.function.name}({', '.join(values)})"

    def calling(self, before, after):
        """The call inside `before unsafe { ... } after`, over several lines where it is long."""
        line = f"{before}unsafe {{ {self.call()} }}{after}"
        if len(line) + 8 <= WIDTH:
            return [line]
        values = [self.passed[p.name] for p in self.function.params]
        short = f"    sys::{self.function.name}({', '.join(values)})"
        inner = [short] if len(short) + 8 <= WIDTH else \
            [f"    sys::{self.function.name}("] + [f"        {v}," for v in values] + ["    )"]
        return [f"{before}unsafe {{"] + inner + [f"}}{after}"]

    def hoist(self):
        """What can fail goes in front of a call in a closure, which returns a status."""
        for param in self.function.params:
            if self.passed[param.name].endswith("?"):
                self.before.append(f"let {param.name} = {self.passed[param.name]};")
                self.passed[param.name] = param.name

    def body(self):
        returns = self.function.returns
        self.before += self.last
        if returns != "status":
            return self.before + self.plain_body(returns)
        if self.around:
            self.hoist()
            lines = self.before + self.calling("let text = " + self.around, ")?;")
        elif self.failed or self.resume:
            lines = self.before + self.calling("let status = ", ";")
            if self.resume:
                lines += [f"if let Some(panic) = {self.resume}.panic {{",
                          "    std::panic::resume_unwind(panic);", "}",
                          f"if let Some(error) = {self.resume}.error {{",
                          "    return Err(error);", "}"]
            if self.failed:
                lines += ["if status != sys::NETCL_OK {", "    let error = Error::last(status);"]
                lines += [f"    {line}" for line in self.failed] + ["    return Err(error);", "}"]
            else:
                lines.append("check(status)?;")
        elif not self.results and not self.after:
            return self.before + self.calling("check(", ")")
        else:
            lines = self.before + self.calling("check(", ")?;")
        values = [v for _, v in self.results]
        value = values[0] if len(values) == 1 else f"({', '.join(values)})" if values else "()"
        return lines + self.after + [f"Ok({value})"]

    def plain_body(self, returns):
        call = f"unsafe {{ {self.call()} }}"
        if returns == "text":
            if self.function.kind == "enum_method":
                return [f"unsafe {{ support::static_text({self.call()}) }}"]
            return [f"unsafe {{ support::borrowed_text({self.call()}) }}.into_owned()"]
        if returns == "value" and self.function.return_type.kind == "enum":
            return [f"{type_name(self.function.return_type.base)}({call})"]
        return [call]

    def docs(self, indent):
        function = self.function
        if self.plain:
            what = f"with `{self.program.name}` as the program: {escape(self.program.doc.text)}." \
                if self.program else "with options."
            lines = comment(f"As [`{'Self::' if indent else ''}{self.plain}`], {what}", indent)
            lines += [f"{indent}///", f"{indent}/// Calls `{function.name}`."]
            return lines + self.safety(indent)
        # Who frees what C calls user_data, and that the function goes with it, is Rust's to know.
        text = escape(function.doc.text.replace("destroy (may be NULL) gets user_data once fn has",
                                                "The function is dropped once it has"))
        rows = []
        for argument in function.arguments:
            if argument.doc and not (self.short and droppable(argument)):
                what = "Gives" if argument.is_output and len(function.outputs) > 1 else ""
                if what or not argument.is_output:
                    rows.append(f"* {what + ' ' if what else ''}`{argument.name}`: "
                                f"{escape(argument.doc)}")
        lines = comment(text, indent)
        if rows:
            lines.append(f"{indent}///")
            for row in rows:
                lines += comment(row, indent)
        lines += [f"{indent}///", f"{indent}/// Calls `{function.name}`."]
        return lines + self.safety(indent)

    def safety(self, indent):
        if not self.unsafe:
            return []
        return [f"{indent}///", f"{indent}/// # Safety"] + comment(self.unsafe, indent)

    def lines(self, indent):
        self.prepare()
        function = self.function
        params = [p for a in function.arguments if a.name in self.rust_params
                  for p in self.rust_params[a.name].split("\n")]
        result = self.result_type()
        head = f"pub {'unsafe ' if self.unsafe else ''}fn {self.name}{self.generics}"
        lines = self.docs(indent)
        lines += listing(head, params, f" -> {result} {{" if result else " {", indent)
        return lines + [f"{indent}    {line}" for line in self.body()] + [indent + "}"]

