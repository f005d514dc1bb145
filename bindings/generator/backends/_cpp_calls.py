"""Handles with their methods, ops and free functions: declarations first, then what they do."""

import re

from backends._cpp_arguments import LISTS, Arguments, output_type, result_type
from backends._cpp_names import (WIDTH, comment, file, ident, listing, method_name, ref_name,
                                 type_name, value_name)
from calls import call_param, made_count, made_param

RUN = "netcl_run_options"
METHODS = ("method", "constructor", "static")
# What all handles have.
TAKEN = ("raw", "release", "reset", "place", "share", "release_raw")
# What host.hpp adds: (declaration, comment).
ADDED = {"tensor": (("returns<netcl::extents> shape() const;", "The extents."),
                    ("returns<netcl::dtype> dtype() const;", "The type of the elements."))}


def files(model):
    return {"handles.hpp": handles(model), "calls.hpp": calls(model),
            "callbacks.hpp": callbacks(model), "ops.hpp": ops(model),
            "functions.hpp": functions(model)}


# ---- Handles ------------------------------------------------------------------------------------

def handles(model):
    lines = [f"class {s.short};" for s in model.structs if s.kind not in ("frozen",)]
    lines += ["class arg;", "class scalar;"]
    for handle in model.handles:
        lines += [f"class {handle.short}_ref;",
                  f"using {handle.short} = owned<{handle.short}_ref>;"]
    for handle in model.handles:
        lines += handle_class(model, handle)
    return file("handles", lines, ("netcl/handle.hpp",))


def handle_class(model, handle):
    base = f"detail::handle<{handle.name}>"
    lines = [""] + comment(handle.doc.text)
    lines += [f"class {handle.short}_ref : public {base} {{", " public:", "  using handle::handle;",
              f"  static void release_raw({handle.name} *raw) noexcept {{ {handle.release}(raw); }}",
              "  /** Another reference to the same object. */",
              f"  [[nodiscard]] returns<{type_name(handle.name)}> share() const;"]
    names = list(TAKEN)
    for declaration, text in ADDED.get(handle.short, ()):
        lines += comment(text, "  ") + [f"  [[nodiscard]] {declaration}"]
        names.append(declaration.split("(")[0].split()[-1])
    for function in own(model, handle):
        name = method_name(function)
        if name in names:
            raise SystemExit(f"C++: {handle.name} would have {name} twice")
        names.append(name)
        lines += Writer(model, function, name).declaration("  ")
    return lines + ["};"]


def own(model, handle):
    return [f for f in model.functions if f.owner == handle.short and f.kind in METHODS]


def calls(model):
    lines = []
    for handle in model.handles:
        kind = f"returns<{type_name(handle.name)}>"
        lines += ["", f"inline {kind} {handle.short}_ref::share() const {{",
                  f"  const netcl_status status = {handle.retain}(raw());",
                  f"  {kind} out{{}};",
                  "  if (status == NETCL_OK) detail::value(out).reset(raw());",
                  "  detail::settle(out, status);", "  return out;", "}"]
        for function in own(model, handle):
            lines += Writer(model, function, method_name(function)).definition(
                f"{handle.short}_ref::")
    return file("calls", lines, ("netcl/element.hpp", "netcl/generated/callbacks.hpp"))


# ---- Functions ----------------------------------------------------------------------------------

def functions(model):
    """Those of enums are overloads: name(dtype), name(status)."""
    lines = []
    types = {x.short for x in (*model.enums, *model.handles, *model.structs)}
    for function in model.functions:
        name = function.short if function.kind == "function" else function.verb
        if function.kind not in ("function", "enum_method"):
            continue
        if name in types:
            raise SystemExit(f"C++: {function.name} has the name of a type")
        writer = Writer(model, function, name)
        lines += writer.free() + writer.none()
    return file("functions", lines, ("netcl/generated/calls.hpp",))


def ops(model):
    """Those that give tensors have a twin that writes into a given one, and makes no handle."""
    lines = []
    for function in model.functions:
        if function.kind == "op":
            writers = [Writer(model, function, ident(function.verb))]
            if into(function):
                writers.append(Writer(model, function, function.verb + "_into", True))
            for writer in writers:
                lines += writer.free() + writer.run_alone()
    lines += reductions(model)
    return file("ops", lines, ("netcl/generated/calls.hpp",), "op")


def reductions(model):
    """Each kind of reduction by its name."""
    lines = []
    verbs = {ident(f.verb) for f in model.functions if f.kind == "op"}
    enum = model.enum("netcl_reduction")
    for value in enum.values:
        name = value_name(enum, value)
        if name in verbs:
            raise SystemExit(f"C++: op::{name} is an op and a reduction")
        head = f"[[nodiscard]] inline returns<netcl::tensor> {name}"
        lines += ["", f"/** reduce of the kind {name}: {value.doc.text} */"]
        lines += listing(head, ["netcl::tensor_ref x",
                                "const netcl_reduce_options *options = nullptr",
                                "const netcl_run_options *run = nullptr"], " {")
        lines += [f"  return op::reduce(x, reduction::{name}, options, run);", "}"]
        lines += listing(head, ["netcl::tensor_ref x", "const run_alone &run"], " {")
        lines += [f"  return op::reduce(x, reduction::{name}, nullptr, run.get());", "}"]
    return lines


def into(function):
    outs = function.outputs
    return bool(outs) and all(a.role == "handle_out" and a.optional for a in outs) and \
        any(a.type.base == RUN for a in function.inputs)


class Writer:
    def __init__(self, model, function, name, into_given=False):
        self.model = model
        self.function = function
        self.name = name
        self.into = into_given
        self.arguments = Arguments(model, function)
        if into_given:
            self.arguments.params.insert(0, ("tensor_ref into", ""))
            run = next(a for a in function.inputs if a.type.base == RUN)
            self.arguments.passed[run.params[0].name] = "&with"
            self.arguments.before.append(
                f"const {RUN} with = detail::run_into({ident(run.name)}, into);")
        self.outputs = [] if into_given else function.outputs

    def returned(self):
        if self.function.returns == "status":
            return f"returns<{'void' if self.into else result_type(self.function)}>"
        return {"text": "const char *", "void": "void"}.get(
            self.function.returns, self.function.return_type.base)

    def docs(self, indent):
        function = self.function
        text = f"As {function.name} does, into a given tensor." if self.into else \
            f"{function.doc.first_sentence.rstrip('.')}. See {function.name}."
        if len(self.outputs) > 1:
            text += " Gives " + ", ".join(a.name for a in self.outputs) + "."
        return comment(text, indent)

    def kept(self):
        """What a function gives is for use: that it is dropped is an error most times."""
        dropped = self.returned() in ("void", "returns<void>") or self.function.returns != "status"
        return "" if dropped else "[[nodiscard]] "

    def template(self, indent):
        names = ", ".join(f"class {t}" for t in self.arguments.templates)
        return [f"{indent}template <{names}>"] if names else []

    def declaration(self, indent):
        static = "static " if self.function.kind in ("constructor", "static") else ""
        const = "" if static else " const"
        head = f"{self.kept()}{static}{self.returned()} {self.name}"
        return self.docs(indent) + self.template(indent) + \
            listing(head, self.arguments.declared(), const + ";", indent)

    def definition(self, scope):
        const = " const" if self.function.kind == "method" else ""
        inline = "" if self.arguments.templates else "inline "
        return [""] + self.template("") + \
            listing(f"{inline}{self.returned()} {scope}{self.name}", self.arguments.defined(),
                    const + " {") + [f"  {line}" for line in self.body()] + ["}"]

    def free(self):
        inline = "" if self.arguments.templates else "inline "
        plain = " noexcept {" if self.function.returns != "status" else " {"
        head = f"{self.kept()}{inline}{self.returned()} {self.name}".replace("* ", "*")
        return [""] + self.docs("") + self.template("") + \
            listing(head, self.arguments.declared(), plain) + \
            [f"  {line}" for line in self.body()] + ["}"]

    def run_alone(self):
        """An op whose own options can be left out takes those of the run in their place."""
        params = self.arguments.params
        left_out = [text for text, default in params[-2:] if default and "_options " in text]
        if len(left_out) < 2 or RUN not in left_out[1] or self.arguments.templates:
            return []
        declared = [text for text, _ in params[:-2]]
        names = [re.search(r"(\w+)$", text).group(1) for text in declared]
        return ["", f"/** {self.name} with options of the run alone. */"] + \
            listing(f"{self.kept()}inline {self.returned()} {self.name}",
                    declared + ["const run_alone &run"],
                    " {") + \
            listing(f"return op::{self.name}", names + [params[-2][1], "run.get()"], ";", "  ") + ["}"]

    def none(self):
        """Such a function can be taken back where C takes NULL for it."""
        kept = self.arguments.kept
        if not kept or not kept.untold:
            return []
        return ["", f"/** Takes the function of {self.name} back. */",
                f"inline returns<void> {self.name}(std::nullptr_t) {{",
                f"  return detail::done({self.function.name}(nullptr, nullptr, nullptr));", "}"]

    # What a function does

    def call(self, indent):
        values = [self.arguments.passed[p.name] for p in self.function.params]
        return "\n".join(listing(self.function.name, values, "", indent)).strip()

    def statement(self, begin, end, indent=""):
        """`begin`, the call and `end`, over several lines where they are long."""
        line = f"{begin}{self.call('')}{end}"
        if "\n" not in line and len(indent) + len(line) + 4 <= WIDTH:
            return [line]
        values = [self.arguments.passed[p.name] for p in self.function.params]
        return listing(begin + self.function.name, values, end, "  ")[0:0] + [
            piece[2:] for piece in listing(begin + self.function.name, values, end, "  ")]

    def body(self):
        returns, outs = self.function.returns, self.outputs
        lines = list(self.arguments.before) + self.refusals()
        if returns != "status":
            return lines + self.statement("return ", ";")
        if self.arguments.kept or self.arguments.scoped:
            return lines + self.with_callback()
        if self.into:
            for argument in self.function.outputs:
                self.arguments.passed[argument.params[0].name] = "nullptr"
        if not outs:
            return lines + self.statement("return detail::done(", ");")
        if any(a.role in LISTS for a in outs):
            return lines + self.lists()
        return lines + self.placed() + self.statement("detail::settle(out, ", ");") + \
            ["return out;"]

    def refusals(self):
        lines = []
        kind = self.returned()[len("returns<"):-1]
        for condition, status, message in self.arguments.checks:
            if message:
                lines += [f"if (!({condition})) {{" if "==" in condition else
                          f"if (!{condition}) {{",
                          f"  return detail::failed<{kind}>(",
                          f"      detail::refuse({status},",
                          f'                     "{message}"));', "}"]
            else:
                lines += [f"if (const netcl_status status = {condition}; status != NETCL_OK) {{",
                          f"  return detail::failed<{kind}>(status);", "}"]
        return lines

    def placed(self):
        """A value for each output, and where C writes it."""
        lines = [f"{self.returned()} out{{}};"]
        for number, argument in enumerate(self.outputs):
            value = "detail::value(out)"
            if len(self.outputs) > 1:
                value = f"std::get<{number}>({value})"
            if argument.like:
                like = argument.like if isinstance(argument.like, str) else argument.like.name
                lines.append(f"{value}.resize({ident(like)}.size());")
            self.arguments.passed[argument.params[0].name] = f"detail::place({value})"
        return lines

    def lists(self):
        if len(self.outputs) > 1:
            raise SystemExit(f"C++: {self.function.name} gives a list beside something else")
        argument = self.outputs[0]
        count, kind = argument.params[1].type.base, output_type(argument)
        for param, name in zip(argument.params, ("list", "capacity", "count")):
            self.arguments.passed[param.name] = name
        reader = "detail::read_text([&]" if argument.role == "text_out" else \
            f"detail::read_list<{kind}, {count}>([&]"
        lines = listing(f"return {reader}", [f"auto *list, {count} capacity, {count} *count"], " {")
        return lines + [f"  {line}" for line in self.statement("return ", ";", "  ")] + ["});"]

    def with_callback(self):
        if self.arguments.scoped:
            name = ident(self.arguments.scoped.name)
            lines = [f"detail::scoped<std::remove_reference_t<F>> {name}_scoped{{{name}}};"] + \
                (self.placed() if self.outputs else [])
            lines += self.statement("const netcl_status status = ", ";")
            lines.append(f"{name}_scoped.rethrow();")
            if self.outputs:
                return lines + ["detail::settle(out, status);", "return out;"]
            return lines + ["return detail::done(status);"]
        name, kind = ident(self.arguments.kept.name), self.returned()[len("returns<"):-1]
        lines = [f"auto *{name}_kept = detail::kept<F>::make(std::forward<F>({name}));",
                 f"if (!{name}_kept) return detail::failed<{kind}>(detail::no_room());"]
        lines += self.placed() if self.outputs else []
        lines += self.statement("const netcl_status status = ", ";")
        if not self.arguments.kept.freed:
            lines.append(f"if (status != NETCL_OK) detail::kept<F>::destroy({name}_kept);")
        if self.outputs:
            return lines + ["detail::settle(out, status);", "return out;"]
        return lines + ["return detail::done(status);"]


# ---- Functions of the program --------------------------------------------------------------------

def callbacks(model):
    """A function of C for each type of callback, which calls what user_data points to."""
    lines = []
    arguments = [a for f in model.functions for a in f.arguments if a.role == "callback"]
    for callback in model.callbacks:
        own_arguments = [a for a in arguments if a.callback is callback]
        if own_arguments:
            lines += trampoline(model, callback, own_arguments[0].kept)
    return file("callbacks", lines, ("netcl/callback.hpp", "netcl/generated/structs.hpp"), "detail")


def trampoline(model, callback, kept):
    params = [p.type.spelling + ("" if p.type.spelling.endswith("*") else " ") + p.name
              for p in callback.params]
    values = ", ".join(given(model, p) for p in callback.params[:-1] if p is not made_param(callback))
    made = made_param(callback)
    lines = [""] + comment(f"Calls F as a {callback.name}.")
    lines += ["template <class F>", f"struct {callback.short} {{"]
    lines += listing(f"static {callback.returns.spelling} call", params, " noexcept {", "  ")
    target = f"(*static_cast<F *>(user_data))({values})"
    if made:
        count = made_count(model, callback).name
        call = call_param(model, callback).name
        body = [f"const recorded_by within({call}->run);", "return answered([&] {",
                f"  return give_any({target},", f"                  {made.name}, {call}->{count});",
                "});"]
    elif callback.returns.base == "void":
        body = [f"{target};"]
    elif kept:
        body = [f"return answered([&] {{ return status_of([&] {{ return {target}; }}); }});"]
    else:
        body = ["auto *scope = static_cast<scoped<F> *>(user_data);",
                f"return scope->run([&] {{ return scope->function({values}); }});"]
    return lines + [f"    {line}" for line in body] + ["  }", "};"]


def given(model, param):
    if param.type.kind == "handle":
        return f"{ref_name(param.type.base)}({param.name})"
    if param.type.kind == "sized":
        return f"{type_name(param.type.base)}(*{param.name})"
    return param.name
