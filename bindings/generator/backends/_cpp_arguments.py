"""How a function of C++ takes each kind of argument, and how it gives what C writes."""

from backends._cpp_names import ident, is_time, plain, ref_name, type_name, value_type
from backends._cpp_types import elements

# How the outputs are given that are asked for twice, or are lists: see read_list of handle.hpp.
LISTS = ("array_out", "handles_out", "bytes_out", "text_out")


class Arguments:
    """The parameters of one function, what stands before its call, and what is passed on."""

    def __init__(self, model, function):
        self.model = model
        self.function = function
        self.params = []    # (declaration, default or "")
        self.before = []    # statements
        self.checks = []    # (condition, status, message): refused before the call
        self.passed = {}    # parameter of C to expression
        self.templates = []
        for argument in function.inputs:
            getattr(self, "on_" + argument.role)(argument)

    def add(self, argument, kind, values, default="", name=""):
        self.params.append((f"{kind} {name or ident(argument.name)}", default))
        for param, value in zip(argument.params, values):
            self.passed[param.name] = value

    def declared(self):
        """Defaults are left out where a parameter without one follows."""
        lines, open_end = [], True
        for text, default in reversed(self.params):
            open_end = open_end and bool(default)
            lines.insert(0, f"{text} = {default}" if open_end else text)
        return lines

    def defined(self):
        return [text for text, _ in self.params]

    def on_object(self, argument):
        self.passed[argument.params[0].name] = "raw()"

    def on_handle(self, argument):
        name = ident(argument.name)
        self.add(argument, ref_name(argument.type.base), [f"{name}.raw()"],
                 "{}" if argument.optional else "")

    def on_handles(self, argument):
        name, base = ident(argument.name), argument.type.base
        self.add(argument, f"netcl::view<{ref_name(base)}>",
                 [f"{name}.as<{base} *>()", f"{name}.count()"],
                 "{}" if argument.optional or argument.name == "waits" else "")

    def on_value(self, argument):
        name = ident(argument.name)
        if argument.flag:
            return self.add(argument, "bool", [f"{name} ? 1u : 0u"])
        if is_time(argument.name, argument.type):
            name = plain(name)
            return self.add(argument, "netcl::duration", [f"{name}.count()"], name=name)
        return self.add(argument, argument.type.base, [name])

    def on_enum(self, argument):
        name, base = ident(argument.name), argument.type.base
        self.add(argument, type_name(base), [f"static_cast<{base}>({name})"])

    def on_timeout(self, argument):
        name = plain(ident(argument.name))
        self.add(argument, "netcl::timeout", [f"{name}.count()"], "{}", name)

    def on_text(self, argument):
        self.add(argument, "netcl::text", [f"{ident(argument.name)}.c_str()"],
                 "{}" if argument.optional else "")

    def on_text_sized(self, argument):
        name = ident(argument.name)
        self.add(argument, "std::string_view", [f"{name}.data()", f"{name}.size()"])

    def on_texts(self, argument):
        name = ident(argument.name)
        self.add(argument, "netcl::view<netcl::text>", [f"{name}.as<const char *>()", f"{name}.count()"])

    def on_element(self, argument):
        name, function = ident(argument.name), self.function
        dtype = [a for a in function.inputs if a.type.base == "netcl_dtype"]
        tensor = [a for a in function.inputs if a.type.base == "netcl_tensor"]
        if not dtype and not tensor:
            raise SystemExit(f"C++: {function.name}: nothing says the dtype of {name}")
        of = ident(dtype[0].name) if dtype else f"{ident(tensor[0].name)}.raw()"
        self.add(argument, "const netcl::scalar &", [f"{name}_element.data()"])
        self.tighten()
        self.before.append(f"detail::element {name}_element;")
        self.checks.append((f'{name}_element.take("{argument.name}", {name}, {of})', "", ""))

    def on_data_in(self, argument):
        self.add_data(argument, "netcl::bytes_in")

    def on_data_out(self, argument):
        self.add_data(argument, "netcl::bytes_out")

    def add_data(self, argument, kind):
        """Where something says the dtype, a list of numbers has to be of it."""
        name, function = ident(argument.name), self.function
        self.add(argument, kind, [f"{name}.data()", f"{name}.size()"])
        dtype = [a for a in function.inputs if a.type.base == "netcl_dtype"]
        of = ident(dtype[0].name) if dtype else \
            "raw()" if function.owner == "tensor" and function.kind == "method" else ""
        if of:
            self.checks.append((f'detail::check_data("{argument.name}", {name}.element(), {of})',
                                "", ""))

    on_data_lent = on_data_out

    def on_array(self, argument):
        name, base = ident(argument.name), argument.type.base
        kind = value_type(argument.type)
        data = f"{name}.as<{base}>()" if kind != base else f"{name}.data()"
        self.add(argument, f"netcl::view<{kind}>", [data, f"{name}.count()"],
                 "{}" if argument.optional else "")

    def on_columns(self, argument):
        """Arrays of texts and of numbers, one beside the other."""
        names = [ident(p.name) for p in argument.params[:-1]]
        for param, name in zip(argument.params, names):
            is_text = param.type.kind == "char"
            kind = "netcl::text" if is_text else value_type(param.type)
            self.params.append((f"netcl::view<{kind}> {name}", ""))
            self.passed[param.name] = f"{name}.as<const char *>()" if is_text else f"{name}.data()"
        for other in names[1:]:
            self.checks.append((f"{names[0]}.size() == {other}.size()",
                                "NETCL_ERROR_INVALID_ARGUMENT",
                                f"{other} has another number of entries than {names[0]}"))
        self.passed[argument.params[-1].name] = f"{names[0]}.count()"

    def on_layout(self, argument):
        rank, shape, strides = argument.params
        name = ident(shape.name)
        self.params.append((f"const netcl::layout &{name}", ""))
        self.checks.append((f"{name}.sound()", "NETCL_ERROR_INVALID_ARGUMENT",
                            f"strides has another number of entries than {shape.name}"))
        self.passed.update({rank.name: f"{name}.rank()", shape.name: f"{name}.shape()",
                            strides.name: f"{name}.strides()"})

    def on_shape(self, argument):
        rank, shape = argument.params
        name = ident(shape.name)
        self.params.append((f"netcl::view<int64_t> {name}", ""))
        self.passed.update({rank.name: f"{name}.count()", shape.name: f"{name}.data()"})

    def on_options(self, argument):
        numbers = elements(self.model.struct(argument.type.base))
        if numbers:
            return self.add_numbers(argument, numbers)
        left_out = argument.type.base.endswith("_options") or argument.optional
        self.add(argument, f"const {argument.type.base} *", [ident(argument.name)],
                 "nullptr" if left_out else "")
        self.tighten()

    def add_numbers(self, argument, numbers):
        """Options with numbers, which become elements of the first tensor's dtype."""
        name, base = ident(argument.name), argument.type.base
        tensor = ident(next(a for a in self.function.inputs if a.type.base == "netcl_tensor").name)
        self.add(argument, f"const {type_name(base)} &", [f"&{name}_raw"], "{}")
        self.tighten()
        self.before.append(f"{base} {name}_raw = {name}.without_numbers();")
        for member in numbers:
            self.before.append(f"detail::element {member.name}_element;")
            self.checks.append((
                f'{member.name}_element.take("{argument.name}->{member.name}", '
                f"{name}.{ident(member.name)}(), {tensor}.raw(), {name}_raw.{member.name})", "", ""))

    def on_frozen(self, argument):
        self.add(argument, f"const {type_name(argument.type.base)} &",
                 [f"&{ident(argument.name)}"])
        self.tighten()

    def on_foreign(self, argument):
        self.add(argument, f"struct {argument.type.base} *", [ident(argument.name)])
        self.tighten()

    def tighten(self):
        """The star stands with the name."""
        text, default = self.params[-1]
        self.params[-1] = (text.replace("* ", "*").replace("& ", "&"), default)

    def on_callback(self, argument):
        name, callback = ident(argument.name), argument.callback
        self.templates.append("F")
        self.params.append((f"F &&{name}", ""))
        self.kept = argument if argument.kept else None
        self.scoped = None if argument.kept else argument
        own = "decay_t" if argument.kept else "remove_reference_t"
        call = f"detail::{callback.short}<std::{own}<F>>::call"
        data = f"{name}_{'kept' if argument.kept else 'scoped'}"
        values = [call, data if argument.kept else "&" + data,
                  "detail::kept<F>::destroy"][:len(argument.params)]
        for param, value in zip(argument.params, values):
            self.passed[param.name] = value

    kept = None
    scoped = None


def output_type(argument):
    """What the caller gets."""
    base = argument.type.base
    if argument.role == "scalar_out":
        return "bool" if argument.flag else value_type(argument.type)
    if argument.role == "handle_out":
        return type_name(base)
    if argument.role in ("info_out", "frozen_out"):
        return type_name(base)
    if argument.role == "foreign_out":
        return f"struct {base} *"
    if argument.role == "text_out":
        return "std::string"
    if argument.role == "bytes_out":
        return "std::vector<unsigned char>"
    if argument.role in ("handles_out", "handles_out_like"):
        return f"std::vector<{type_name(base)}>"
    if argument.role in ("array_out", "array_out_like"):
        return f"std::vector<{value_type(argument.type)}>"
    if argument.role == "array_out_fixed":
        return f"std::array<{value_type(argument.type)}, {argument.extent}>"
    raise SystemExit(f"C++: the role {argument.role} of {argument.name} has no rule")


def result_type(function):
    kinds = [output_type(a) for a in function.outputs]
    if not kinds:
        return "void"
    return kinds[0] if len(kinds) == 1 else f"std::tuple<{', '.join(kinds)}>"
