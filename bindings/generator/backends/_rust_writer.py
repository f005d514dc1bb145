"""Writes one function of the safe layer: its head, what comes before the call, the call."""

import re

from backends._rust_arguments import Arguments, is_recorded
from backends._rust_docs import flag_prose, of_function, own_text, prose
from backends._rust_names import (OPTIONS_NEEDED, WIDTH, comment, constructor_name, listing,
                                  method_name, module_name, type_name, value_type, with_options)
from backends._rust_results import Results
from backends._rust_unsafe import why_unsafe
from calls import output_words
from safety import hazards, trusted


IN_RUST = (("destroy (may be NULL) gets user_data once fn has", "The function is dropped once it has"),
           ("fn is NULL", "`fn_` is `None`"), ("A NULL local size", "The local size `()`"))


def rust_name(function):
    make = constructor_name if function.kind == "constructor" else method_name
    module = module_name(function.verb) if function.kind == "function" else ""
    return make(function.verb[len(module) + 1:] if module else function.verb)


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
    short = [] if function.name in OPTIONS_NEEDED else [Writer(model, function, short=True)]
    return short + [Writer(model, function, full=True)] + \
        [Writer(model, function, full=True, program=m) for m in bytes_]


class Writer(Arguments, Results):
    """Writes one function: parameters, what comes before the call, the call, the result."""

    def __init__(self, model, function, short=False, full=False, program=None):
        self.model = model
        self.function = function
        self.short = short
        self.program = program  # the member with bytes for a driver that this form takes
        self.name = rust_name(function)
        if full:
            self.plain = "" if function.name in OPTIONS_NEEDED else self.name
            self.name = with_options(self.name)
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
                self.leave_out(argument)
                continue
            getattr(self, "on_" + argument.role)(argument)

    def leave_out(self, argument):
        if not is_recorded(self.function, argument):
            return self.put(argument, "ptr::null()")
        name = f"{argument.name}_raw"
        self.before.append(f"let {name} = crate::recording::run();")
        return self.put(argument, f"&{name}")

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
            what = f"with `{self.program.name}` as the program: {prose(self.program.doc.text)}." \
                if self.program else "with options."
            here = "Self::" if function.kind != "function" else ""
            lines = comment(f"As [`{here}{self.plain}`], {what}", indent)
            return lines + self.safety(indent) + self.alias(indent)
        # Who frees what C calls user_data, and that the function goes with it, is Rust's to know.
        text = own_text(function.doc)
        for c, rust in IN_RUST:
            text = text.replace(c, rust)
        taken = set(re.findall(r"(\w+):", " ".join(self.rust_params.values())))
        text = prose(of_function(text, function, taken))
        rows = []
        for argument in function.arguments:
            if argument.doc and not (self.short and droppable(argument)):
                what = "Gives" if argument.is_output and len(function.outputs) > 1 else ""
                if what or not argument.is_output:
                    told = output_words(argument.doc) if what else argument.doc
                    told = of_function(told, function, taken)
                    rows.append(f"* {what + ' ' if what else ''}`{argument.name}`: "
                                f"{flag_prose(told) if argument.flag else prose(told)}")
        lines = comment(text, indent)
        if rows:
            lines.append(f"{indent}///")
            for row in rows:
                lines += comment(row, indent)
        return lines + self.safety(indent) + self.alias(indent)

    def alias(self, indent):
        """The name in C finds it in the search of the documentation."""
        return [f'{indent}#[doc(alias = "{self.function.name}")]']

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
