"""How a function of the safe layer takes each kind of argument."""

from backends._rust_calls import callback_bound, kept_param
from backends._rust_members import by_value, is_path, lifetime
from backends._rust_names import (HAND_WRITTEN, SCALARS, comment, ident, is_work_size, type_name,
                                  value_type)
from safety import hazards, trusted


# Calls besides ops that a graph can record; the library refuses graphs in all others.
RECORDED = {"netcl_" + name for name in (
    "tensor_reshape", "kernel_launch", "kernel_launch_by_name", "group_all_reduce",
    "group_broadcast", "group_all_gather", "group_reduce_scatter", "group_all_to_all")}


def is_recorded(function, argument):
    """Whether a call with these options goes into what its thread records."""
    return argument.type.base == "netcl_run_options" and \
        (function.kind == "op" or function.name in RECORDED)


class Arguments:
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
        elif argument.type.base == "netcl_tensor":
            # So that `&f()?` will do, for which a deref is no coercion.
            self.need(argument, f"impl AsRef<{kind}>")
            self.before.append(f"let {name} = {name}.as_ref();")
            self.put(argument, f"{name}.as_raw()")
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
        if is_path(argument) and argument.optional:
            self.need(argument, "impl crate::OptionalPath")
            self.before.append(f'let {name}_c = {name}.optional_path().map(|p| '
                               f'CText::path("{argument.name}", p)).transpose()?;')
            return self.put(argument, f"{name}_c.as_ref().map_or(ptr::null(), |t| t.as_ptr())")
        if is_path(argument):
            self.need(argument, "impl AsRef<Path>")
            self.before.append(f'let {name}_c = CText::path("{argument.name}", {name}.as_ref())?;')
            return self.put(argument, f"{name}_c.as_ptr()")
        if argument.optional:
            self.need(argument, "Option<&str>")
            self.before.append(f'let {name}_c = {name}.map(|t| CText::new("{argument.name}", t))'
                               '.transpose()?;')
            return self.put(argument, f"{name}_c.as_ref().map_or(ptr::null(), |t| t.as_ptr())")
        self.need(argument, "&str")
        self.before.append(f'let {name}_c = CText::new("{argument.name}", {name})?;')
        return self.put(argument, f"{name}_c.as_ptr()")

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
        if is_work_size(argument):
            self.need(argument, "impl Into<Shape>")
            self.take_shape(name)
            raw = f"support::slice_ptr(&{name}_raw[..{name}.len()]) as *const u64"
            return self.put(argument, raw, f"{name}.rank()")
        life = "<'_>" if argument.type.base in HAND_WRITTEN else ""
        self.need(argument, f"&[{value_type(argument.type)}{life}]")
        return self.put(argument, f"support::slice_ptr({name}) as *const _", self.count(argument))

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
        self.rust_params[argument.name] = f"{shape}: impl Into<Shape>\n{strides}: Option<&[i64]>"
        self.take_shape(shape)
        self.before.append(f'support::check_strides(&{shape}, {strides})?;')
        self.passed[argument.params[0].name] = f"{shape}.rank()"
        self.passed[argument.params[1].name] = f"{shape}_raw.as_ptr()"
        self.passed[argument.params[2].name] = f"{strides}.map_or(ptr::null(), support::slice_ptr)"

    def on_shape(self, argument):
        shape = ident(argument.params[1].name)
        self.rust_params[argument.name] = f"{shape}: impl Into<Shape>"
        self.take_shape(shape)
        self.put(argument, f"{shape}.rank()", f"{shape}_raw.as_ptr()")

    def take_shape(self, shape):
        inferred = "infer" in self.function.doc.marks.get(shape, {})
        raw = "raw_to_infer" if inferred else "raw"
        self.before += [f"let {shape} = {shape}.into();",
                        f'let {shape}_raw = {shape}.{raw}("{shape}")?;']

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
        raw = "recorded" if is_recorded(self.function, argument) else "raw"
        self.before += [f"let mut {name}_keep = Default::default();",
                        f"let {change}{name}_raw = {name}.{raw}(&mut {name}_keep)?;"]
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
        self.rust_params[argument.name] = f"mut {name}: {callback_bound(self.model, callback)}"
        self.before.append(f"let mut {argument.name}_scoped = {kind}Scoped {{ function: &mut {name}, "
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
