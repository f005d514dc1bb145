"""What each role of an argument becomes in Go: parameters, what the C function gets, results."""

from backends._go_calls import OUT, holds_memory
from backends._go_names import (HAND_WRITTEN, NoRule, SCALARS, c_type, camel, is_duration, local,
                                type_name, value_type)
from backends._go_types import has_outs, is_movable


# Numbers that are an int in Go, with what checks that they fit.
NARROW = {"int32_t": "int32", "uint32_t": "uint32"}


class Arguments:
    taker = ""   # what makes objects of handles that a call gives in an array
    def __init__(self, model, function, name, receiver=False):
        self.model = model
        self.function = function
        self.name = name
        self.receiver = ""       # "t *Tensor"
        self.is_method = receiver
        self.params = []         # "name Type"
        self.before = []
        self.last = []           # directly in front of the call
        self.passed = []         # what the C function gets, in its order
        self.alive = []          # variables that hold handles
        self.results = []        # (type, expression)
        self.finish = []         # after a call that succeeded
        self.lends = []          # the same, with {made} for what the call gives
        self.keeps = False       # a keeper holds what lives as long as the call
        self.waits = False
        self.asks = None         # an output whose extent the library tells: see ask()
        self.scope = ""          # the variable of a callback
        self.locked = ""         # what other calls wait for: a variable
        self.count = ""          # C type of the extent that is asked for
        for argument in function.arguments:
            getattr(self, "on_" + argument.role)(argument)

    def need(self, name, kind):
        self.params.append(f"{name} {kind}")

    def where(self, argument):
        return f"{self.function.name}, {argument.name}"

    # Inputs

    def on_object(self, argument):
        kind, name = type_name(argument.type.base), "x"
        if self.is_method:
            name = kind[0].lower()
            self.receiver = f"{name} *{kind}"
        else:
            self.need(name, "*" + kind)
        self.hand_over(argument, name)

    def on_handle(self, argument):
        name = local(argument.name)
        self.need(name, "*" + type_name(argument.type.base))
        self.hand_over(argument, name)

    def hold(self, name, expression):
        """What may fail is worked out before the call, and once where the call is repeated."""
        self.keeps = True
        self.before.append(f"{name} := {expression}")
        return name

    def hand_over(self, argument, name):
        if not self.model.handle(argument.type.base).shareable:
            self.before.append(f"defer lockOf({name})()")
            self.lock(argument, name)
        self.passed.append(f"C.uintptr_t({name}.pointer())")
        self.alive.append(name)

    def lock(self, argument, name):
        if self.locked:
            raise NoRule(self.where(argument), "two movable objects could wait for each other")
        self.locked = name

    def on_handles(self, argument):
        name = local(argument.name)
        self.need(name, "[]*" + type_name(argument.type.base))
        held = self.hold(f"{name}C", f"rawHandles(&keep, {name})")
        self.passed += [f"(*C.uintptr_t)({held})", self.count_of(argument)]
        self.alive.append(name)

    def count_of(self, argument, name=""):
        name = name or local(argument.name)
        param = argument.params[-1]
        if param.type.base == "uint32_t":
            return self.hold(f"{name}Count", f'keep.count("{name}", len({name}))')
        return f"{c_type(param.type)}(len({name}))"

    def on_value(self, argument):
        name, kind = local(argument.name), argument.type
        if argument.flag:
            self.need(name, "bool")
            self.passed.append(f"flagOf({name})")
        elif is_duration(kind, argument.name):
            name = local(argument.name[:-3])
            self.need(name, "time.Duration")
            self.passed.append(self.hold(f"{name}C", f'keep.nanoseconds("{name}", {name})'))
        elif kind.base in NARROW and self.function.returns == "status":
            self.need(name, "int")
            self.passed.append(self.hold(f"{name}C", f'keep.{NARROW[kind.base]}("{name}", {name})'))
        else:
            self.need(name, SCALARS[kind.base])
            self.passed.append(f"{c_type(kind)}({name})")

    def on_enum(self, argument):
        name = local(argument.name)
        if self.is_method and self.function.kind == "enum_method" and \
                argument is self.function.arguments[0]:
            name = "v"
            self.receiver = f"v {type_name(argument.type.base)}"
        else:
            self.need(name, type_name(argument.type.base))
        self.passed.append(f"{c_type(argument.type)}({name})")

    def on_timeout(self, argument):
        """A wait takes a context; a setting takes a time."""
        if "set_" in self.function.verb:
            self.need("timeout", "time.Duration")
            self.passed.append(self.hold("timeoutC", 'keep.nanoseconds("timeout", timeout)'))
        else:
            self.params.insert(0, "ctx context.Context")
            self.waits = True
            self.passed.append("timeout")

    def on_text(self, argument):
        """"" is NULL, as in options."""
        name = local(argument.name)
        self.need(name, "string")
        self.passed.append(self.hold(f"{name}C", f'keep.text("{name}", {name})'))

    def on_text_sized(self, argument):
        self.on_text(argument)
        self.passed.append(f"{c_type(argument.params[1].type)}(len({local(argument.name)}))")

    def on_texts(self, argument):
        name = local(argument.name)
        self.need(name, "[]string")
        held = self.hold(f"{name}C", f'keep.texts("{name}", {name})')
        self.passed += [held, self.count_of(argument)]

    def on_element(self, argument):
        name = local(argument.name)
        self.need(name, "Scalar")
        self.before.append(f'keep.check("{name}", {name}, {self.dtype_of(argument)})')
        self.passed.append(self.hold(f"{name}C", f"keep.element({name})"))

    def dtype_of(self, argument):
        """What says the dtype of an element: an argument, or the first tensor."""
        for other in self.function.arguments:
            if other.role == "enum" and other.type.base == "netcl_dtype":
                return local(other.name)
        for other in self.function.arguments:
            if other.role in ("object", "handle") and other.type.base == "netcl_tensor":
                return f"dtypeOf({self.alive[0]})"
        raise NoRule(self.where(argument), "nothing says the dtype of an element")

    def on_data_in(self, argument):
        name = local(argument.name)
        self.need(name, "[]byte")
        self.lend(name, "borrow", "Borrow", "Borrow")
        self.passed += [f"(*C.uchar)(pointerTo({name}))", f"C.size_t(len({name}))"]

    def on_data_out(self, argument):
        name = local(argument.name)
        self.need(name, "[]byte")
        self.lend(name, "event", "Event != nil", "Event")
        self.passed += [f"(*C.uchar)(pointerTo({name}))", f"C.size_t(len({name}))"]

    def lend(self, name, member, condition, why):
        """Some options have the library use memory after the call: it must be of a kind that may be,
        and is kept as long as that takes."""
        for argument in self.function.arguments:
            if argument.role != "options" or \
                    member not in [m.name for m in self.model.struct(argument.type.base).members]:
                continue
            options = local(argument.name)
            self.keeps = True
            condition = f"{options} != nil && {options}.{condition}"
            self.before += [f"if {condition} {{", f'\tkeep.lent("{name}", {name}, "{why}")', "}"]
            tensor = [a for a in self.function.arguments if a.role == "object"]
            call = f"lendToCommand(pointerTo({name}), {options}.Event, t)" if tensor else \
                f"lendToTensor(pointerTo({name}), {{made}})"
            if tensor and tensor[0].type.base != "netcl_tensor":
                raise NoRule(self.where(argument), "memory that something else than a tensor uses")
            self.lends += [f"if {condition} && len({name}) > 0 {{", "\t" + call, "}"]

    def on_data_lent(self, argument):
        name, size = local(argument.name), argument.params[1]
        self.need(name, "unsafe.Pointer")
        self.need(local(size.name), SCALARS[size.type.base])
        self.keeps = True
        if "netcl_buffer" not in [a.type.base for a in self.function.outputs]:
            raise NoRule(self.where(argument), "memory that something else than a buffer uses")
        self.before.append(f'keep.fits("{name}", {name}, uint64({local(size.name)}))')
        self.lends.append(f"lendToBuffer({name}, {{made}})")
        self.passed += [name, f"{c_type(size.type)}({local(size.name)})"]

    def on_array(self, argument):
        name, kind = local(argument.name), argument.type
        if kind.base in NARROW:
            self.need(name, "[]int")
            self.passed += [self.hold(f"{name}C", f'keep.{NARROW[kind.base]}s("{name}", {name})'),
                            self.count_of(argument)]
            return
        self.need(name, "[]" + value_type(kind))
        if kind.base in HAND_WRITTEN:
            self.alive.append(name)
            self.passed.append(self.hold(f"{name}C", f"raw{type_name(kind.base)}s(&keep, {name})"))
        else:
            self.passed.append(f"(*{c_type(kind)})(pointerTo({name}))")
        self.passed.append(self.count_of(argument))

    def on_columns(self, argument):
        names = [local(p.name) for p in argument.params[:-1]]
        self.keeps = True
        for param, name in zip(argument.params, names):
            if param.type.kind == "char":
                self.need(name, "[]string")
                self.passed.append(self.hold(f"{name}C", f'keep.texts("{name}", {name})'))
            else:
                self.need(name, "[]" + value_type(param.type))
                self.passed.append(f"(*{c_type(param.type)})(pointerTo({name}))")
        for other in names[1:]:
            self.before.append(f'keep.same("{names[0]}", len({names[0]}), "{other}", len({other}))')
        self.passed.append(self.count_of(argument, names[0]))

    def on_layout(self, argument):
        shape, strides = (local(p.name) for p in argument.params[1:])
        self.on_shape(argument)
        self.need(strides, "[]int")
        self.before += [f"if {strides} != nil {{",
                        f'\tkeep.same("{strides}", len({strides}), "{shape}", len({shape}))', "}"]
        self.passed.append(f"(*C.int64_t)(pointerTo({strides}))")

    def on_shape(self, argument):
        shape = local(argument.params[1].name)
        self.need(shape, "[]int")
        held = self.hold(f"{shape}Count", f'keep.count("{shape}", len({shape}))')
        self.passed += [held, f"(*C.int64_t)(pointerTo({shape}))"]

    def on_options(self, argument):
        name, struct = local(argument.name), self.model.struct(argument.type.base)
        self.need(name, "*" + type_name(struct.name))
        self.passed.append(self.hold(f"{name}C", f"{name}.raw(&keep)"))
        self.alive.append(name)
        if has_outs(struct):
            self.finish.append(f"{name}.finish(&{name}C)")
        for member in struct.members:
            if is_movable(self.model, member):
                self.lock(argument, f"{name}.{camel(member.name)}")
            if member.role == "element":
                field = camel(member.name)
                self.before += [f"if {name} != nil && {name}.{field}.dtype != 0 {{",
                                f'\tkeep.check("{field}", {name}.{field}, '
                                f'{self.dtype_of(argument)})', "}"]

    def on_frozen(self, argument):
        name = local(argument.name)
        self.need(name, value_type(argument.type))
        self.passed.append(f"(*{c_type(argument.type)})(unsafe.Pointer(&{name}))")

    def on_foreign(self, argument):
        name = local(argument.name)
        self.need(name, "unsafe.Pointer")
        self.passed.append(name)

    def on_callback(self, argument):
        name = local(argument.name)
        self.need(name, func_type(argument.type.base))
        if argument.kept:
            if not argument.freed:
                raise NoRule(self.where(argument), "the comment does not say that destroy is called "
                             '"also when this call fails"')
            self.last.append(f"{name}C := keepFunction({name}, {name} == nil)")
            self.passed.append(f"C.uintptr_t({name}C)")
            return
        self.scope = f"{name}Scope"
        self.before += [f"{self.scope}, {name}C := openScope({name}, {name} == nil, "
                        + (f"{self.locked}.guard())" if self.locked else "nil)"),
                        f"defer {self.scope}.close()"]
        self.passed.append(f"C.uintptr_t({name}C)")

    # Outputs

    def result(self, kind, expression):
        self.results.append((kind, expression))

    def on_scalar_out(self, argument):
        here, kind = f"got.{OUT}{argument.params[0].name}", argument.type
        if argument.flag:
            self.result("bool", f"{here} != 0")
        elif kind.base == "uint64_t" and argument.name.endswith("_ns"):
            self.result("time.Duration", f"durationOf({here})")
        else:
            own = result_type(kind)
            self.result(own, f"{own}({here})")

    def on_frozen_out(self, argument):
        kind = value_type(argument.type)
        self.result(kind, f"*(*{kind})(unsafe.Pointer(&got.{OUT}{argument.params[0].name}))")

    def on_info_out(self, argument):
        kind = type_name(argument.type.base)
        self.result(kind, f"new{kind}(&got.{OUT}{argument.params[0].name})")

    def on_handle_out(self, argument):
        kind = type_name(argument.type.base)
        here = f"got.{OUT}{argument.params[0].name}"
        made = f"new{kind}({here})"
        self.result("*" + kind, f"weighed({made}, {here}_bytes)" if holds_memory(argument) else made)

    def on_foreign_out(self, argument):
        self.result("unsafe.Pointer", f"got.{OUT}{argument.params[0].name}")

    def on_array_out_fixed(self, argument):
        kind = value_type(argument.type)
        here = f"got.{OUT}{argument.params[0].name}"
        self.result("[]" + kind,
                    f"append([]{kind}(nil), (*[{argument.extent}]{kind})(unsafe.Pointer("
                    f"&{here}))[:]...)")

    def on_array_out_like(self, argument):
        name, kind = local(argument.name), value_type(argument.type)
        self.before.append(f"{name} := make([]{kind}, len({local(argument.like)}))")
        self.passed.append(f"(*{c_type(argument.type)})(pointerTo({name}))")
        self.result("[]" + kind, name)

    def on_array_out_exact(self, argument):
        name = local(argument.name)
        self.need(name, "[]" + value_type(argument.type))
        self.passed += [f"(*{c_type(argument.type)})(pointerTo({name}))", self.count_of(argument)]

    def on_handles_out_like(self, argument):
        name, kind = local(argument.name), type_name(argument.type.base)
        self.before.append(f"{name} := make([]uintptr, len({local(argument.like)}))")
        self.passed.append(f"(*C.uintptr_t)(pointerTo({name}))")
        # Views and gradients are counted by nobody; what an op gives is.
        take = "heavyTensor" if self.function.kind == "op" and kind == "Tensor" else f"new{kind}"
        self.result(f"[]*{kind}", f"takeAll({name}, {take})")

    def ask(self, argument, element, c_element, helper, kind, result):
        if self.asks:
            raise NoRule(self.function.name, "two outputs of unknown extent")
        self.asks = (element, helper, f"got.{OUT}{argument.params[2].name}")
        self.count = c_type(argument.params[1].type)
        self.passed += [f"(*{c_element})(unsafe.Pointer(place))", f"{self.count}(room)"]
        self.result(kind, result)

    def on_text_out(self, argument):
        self.ask(argument, "byte", "C.char", "readText", "string", "found")

    def on_bytes_out(self, argument):
        self.ask(argument, "byte", "C.uchar", "readArray", "[]byte", "found")

    def on_array_out(self, argument):
        kind = value_type(argument.type)
        self.ask(argument, kind, c_type(argument.type), "readArray", "[]" + kind, "found")

    def on_handles_out(self, argument):
        kind = type_name(argument.type.base)
        self.ask(argument, "uintptr", "C.uintptr_t", "readHandles", "[]*" + kind, "found")
        self.taker = f"new{kind}, "


def listing(params):
    """"m int64", "n int64" become "m, n int64"."""
    kinds = [p.split(" ", 1)[1] for p in params] + [""]
    return ", ".join(p.split(" ", 1)[0] if kinds[i] == kinds[i + 1] else p
                     for i, p in enumerate(params))


def func_type(c_name):
    short = c_name[len("netcl_"):]
    return camel(short[:-len("_fn")] + "_func" if short.endswith("_fn") else short)


def result_type(kind):
    return "int" if kind.base in ("size_t", *NARROW) else value_type(kind)


def zero(model, kind):
    if kind.startswith(("*", "[]")) or kind == "unsafe.Pointer":
        return "nil"
    if kind == "string":
        return '""'
    if kind == "bool":
        return "false"
    structs = {type_name(s.name) for s in model.structs}
    return kind + "{}" if kind in structs else "0"
