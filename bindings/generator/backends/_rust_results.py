"""How a function of the safe layer gives each kind of result."""

from backends._rust_names import OWNED, ident, is_work_size, type_name, value_type


class Results:
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
        if is_work_size(argument):
            return self.results.append(("Shape", f"{name}.into_iter().map(|n| n as usize).collect()"))
        return self.results.append((f"Vec<{kind}>", name))

    def on_array_out_fixed(self, argument):
        name, kind = ident(argument.name), value_type(argument.type)
        self.before.append(f"let mut {name} = [{kind}::default(); {argument.extent}];")
        self.put(argument, f"{name}.as_mut_ptr() as *mut _")
        if is_work_size(argument):
            return self.results.append(("Shape", f"{name}.map(|n| n as usize).into()"))
        return self.results.append((f"[{kind}; {argument.extent}]", name))

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
