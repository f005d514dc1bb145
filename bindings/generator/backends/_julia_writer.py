"""Writes one safe function: its keywords, what comes before the call, the call, the result."""

from backends._julia_names import (docstring, function_name, given_type, ident, listing, of_function,
                                   row, type_name, value_type, wide_type)
from backends._julia_results import Results
from backends._julia_structs import handle_type, is_keywords, keyword, one_for_all, shown
from calls import output_words
from words import flag_words

# Members that let the library use memory of the caller after the call.
MEMORY = ("borrow", "take_ownership")


# What has a safe form that is written by hand, and the file of src that has it.
BY_HAND = {"netcl_graph_create_from_function": "compiled.jl"}


def left_out(function):
    """Why a function gets no safe form from here; "" when it gets one."""
    if function.thread_bound:
        return "it works on state of a thread, and tasks change threads"
    if any(a.untold for a in function.arguments):
        return "it keeps a function beyond the call, which other threads' calls would call"
    return f"see {BY_HAND[function.name]}" if function.name in BY_HAND else ""


def constants(model, kind, keyword=False):
    """What may be given for an enum: symbols where there are few, its type otherwise."""
    if kind.kind != "enum" or kind.levels:
        return ""
    if kind.base == "netcl_dtype":
        return "a type as `Float32`, or a `Netcl.Dtype`"
    enum = next(e for e in model.enums if e.name == kind.base)
    if len(enum.values) > 20:
        return f"a `Netcl.{type_name(kind.base)}`"
    names = [f"`:{v.short.lower()}`" for v in enum.values]
    if keyword and enum.values[0].value == 0:
        names[0] += " (unless another is given)"
    return "one of " + ", ".join(names)


class Writer(Results):
    def __init__(self, model, function, unsafe=False):
        self.model = model
        self.function = function
        self.unsafe = unsafe
        self.name = ("unsafe_" if unsafe else "") + function_name(function)
        self.given = []         # positional parameters
        self.keywords = []
        self.explained = []     # what keywords are, as rows of the docstring
        self.common = []        # keywords that all ops have
        self.before = []
        self.inside = []        # within GC.@preserve
        self.last = []          # directly in front of the call
        self.preserved = []
        self.passed = {}        # C parameter to expression
        self.after = []
        self.results = []
        self.around = ""        # "read_text", ...: the call is made with growing room
        self.again = True       # a call that ran out of memory may be made again
        self.taken = set()
        for argument in function.arguments:
            getattr(self, "on_" + argument.role)(argument)

    def put(self, argument, *values):
        for param, value in zip(argument.params, values):
            self.passed[param.name] = value

    def need(self, argument, kind="", front=False):
        name = ident(argument.name)
        self.taken.add(name)
        text = f"{name}::{kind}" if kind else name
        self.given.insert(0 if front else len(self.given), text)
        return name

    # Inputs

    def on_object(self, argument):
        self.on_handle(argument)

    def on_handle(self, argument):
        kind = handle_type(argument.type.base)
        name = self.need(argument, f"Union{{Nothing,{kind}}}" if argument.optional else kind)
        self.put(argument, f"or_null({name})" if argument.optional else name)
        if not self.model.handle(argument.type.base).shareable:
            if self.turn:
                raise SystemExit(f"Julia: {self.function.name} uses two movable objects, which "
                                 "could wait for each other")
            self.turn = name

    def on_handles(self, argument):
        name = self.need(argument)
        self.before.append(f"{name} = handle_list({handle_type(argument.type.base)}, "
                           f":{argument.name}, {name})")
        self.preserved.append(name)
        self.put(argument, f"or_null(raw_list({name}))", f"length({name})")

    def on_value(self, argument):
        kind = "Union{Bool,Integer}" if argument.flag else given_type(argument.type)
        self.put(argument, self.need(argument, kind))

    def on_enum(self, argument):
        name = self.need(argument, given_type(argument.type))
        self.before.append(f"{name} = enum({type_name(argument.type.base)}, {name})")
        self.put(argument, f"{name}.value")

    def on_timeout(self, argument):
        self.keywords.append("timeout::Real = Inf")
        self.put(argument, "nanoseconds(timeout)")

    def on_text(self, argument):
        # NULL is a default in places; where it is none, the library says so.
        name = self.need(argument, "Union{Nothing,AbstractString}")
        text = f"c_text(:{argument.name}, {name})"
        if any(a.kept for a in self.function.arguments):
            self.before.append(f"{name}_text = {text}")
            text = f"{name}_text"
        self.put(argument, text)

    def on_text_sized(self, argument):
        name = self.need(argument, "AbstractString")
        self.before.append(f"{name}_text = String({name})")
        self.put(argument, f"{name}_text", f"sizeof({name}_text)")

    def on_texts(self, argument):
        name = self.need(argument)
        self.before.append(f"{name}_texts = c_texts(:{argument.name}, {name})")
        self.preserved.append(f"{name}_texts")
        self.put(argument, f"or_null(text_pointers({name}_texts))", f"length({name}_texts)")

    def on_element(self, argument):
        name = self.need(argument)
        dtype = next((a for a in self.function.arguments if a.role == "enum" and
                      a.type.base == "netcl_dtype"), None)
        given = ident(dtype.name) if dtype else self.dtype_of_tensor()
        self.before.append(f"{name}_bytes = element_bytes(:{argument.name}, {given}, {name})")
        self.put(argument, f"{name}_bytes")

    def dtype_of_tensor(self):
        tensor = next((a for a in self.function.arguments if a.type.base == "netcl_tensor" and
                       a.role in ("object", "handle")), None)
        if tensor is None:
            raise SystemExit(f"Julia: {self.function.name}: nothing says the dtype of the element")
        return f"dtype_of({ident(tensor.name)})"

    def elements_leave(self):
        """A tensor's elements become the host's or another library's: no gradient goes there."""
        if self.function.owner == "tensor" and self.function.kind == "method":
            self.before.insert(0, f"check_read({ident(self.function.arguments[0].name)})")

    def on_data_in(self, argument):
        size = argument.params[1]
        if self.unsafe:
            name = self.need(argument, "Ptr")
            self.given.append(f"{size.name}::Integer")
            return self.put(argument, name, size.name)
        name = self.need(argument)
        helper = "host_memory" if argument.role == "data_in" else "host_place"
        self.before.append(f"{name} = {helper}(:{argument.name}, {name})")
        return self.put(argument, name, f"sizeof({name})")

    def on_data_out(self, argument):
        self.elements_leave()
        self.on_data_in(argument)
        if not self.unsafe:
            self.after.append(f"tidy({ident(argument.name)})")

    def on_data_lent(self, argument):
        name = self.need(argument, "Ptr")
        self.given.append(f"{argument.params[1].name}::Integer")
        self.put(argument, name, argument.params[1].name)

    def on_array(self, argument):
        name = self.need(argument)
        base = argument.type.base
        if argument.type.kind == "frozen" and any(
                m.type.levels for m in self.model.struct(base).members):
            self.before.append(f"{name}_rows, {name}_kept = rows_of({type_name(base)}, {name})")
            self.preserved.append(f"{name}_kept")
        else:
            self.before.append(f"{name}_rows = array_of({value_type(argument.type)}, {name})")
        self.put(argument, f"or_null({name}_rows)", f"length({name}_rows)")

    def on_columns(self, argument):
        """Arrays beside each other: they have to have the same length."""
        names = [ident(p.name) for p in argument.params[:-1]]
        for param, name in zip(argument.params, names):
            self.given.append(name)
            self.taken.add(name)
            if param.type.kind == "char":
                self.before.append(f"{name}_rows = c_texts(:{param.name}, {name})")
                self.preserved.append(f"{name}_rows")
                self.passed[param.name] = f"or_null(text_pointers({name}_rows))"
            else:
                self.before.append(f"{name}_rows = array_of({value_type(param.type)}, {name})")
                self.passed[param.name] = f"or_null({name}_rows)"
        for other in names[1:]:
            self.before.append(f"same_length(:{names[0]}, {names[0]}_rows, :{other}, "
                               f"{other}_rows)")
        self.passed[argument.params[-1].name] = f"length({names[0]}_rows)"

    def on_layout(self, argument):
        self.on_shape(argument)
        shape, strides = (ident(p.name) for p in argument.params[1:])
        self.keywords.append(f"{strides} = nothing")
        self.taken.add(strides)
        self.before.append(f"{strides}_rows = strides_of({shape}_rows, {strides})")
        self.passed[argument.params[2].name] = f"or_null({strides}_rows)"

    def on_shape(self, argument):
        name = ident(argument.params[1].name)
        self.given.append(name)
        self.taken.add(name)
        self.before.append(f"{name}_rows = array_of(Int64, {name})")
        self.put(argument, f"length({name}_rows)", f"or_null({name}_rows)")

    def on_options(self, argument):
        struct = self.model.struct(argument.type.base)
        name = ident(argument.name)
        if not is_keywords(argument):
            kind = type_name(struct.name)
            self.need(argument, f"Union{{Nothing,{kind}}}" if argument.optional or
                      struct.kind == "both" else kind)
            self.before.append(f"{name}_kept = Any[]")
            self.preserved += [name, f"{name}_kept"]
            self.inside.append(f"{name}_place = keep_struct!({name}_kept, {name})")
            return self.put(argument, f"{name}_place")
        self.taken.add(name)
        values = [self.option(argument, struct, member) for member in shown(struct)]
        keep = any(m.type.levels for m in shown(struct))
        self.before.append(f"{name}_struct = StructMemory{{{struct.size // 8}}}()")
        if keep:
            self.before.append(f"{name}_kept = Any[]")
            self.preserved.append(f"{name}_kept")
        self.preserved.append(f"{name}_struct")
        self.inside += listing(f"fill_{struct.name[6:]}!", [
            f"place_of({name}_struct)", f"{name}_kept" if keep else "nothing"] + values, "")
        return self.put(argument, f"{name}_struct")

    def option(self, argument, struct, member):
        """Makes a keyword of a member, and gives what the struct is filled with."""
        name = ident(member.name)
        reads_into_host = any(a.role == "data_out" for a in self.function.arguments)
        hidden = member.name in MEMORY or reads_into_host and member.role == "handle_out"
        if hidden and not self.unsafe:
            return "C_NULL" if member.role == "handle_out" else "0"
        key = keyword(self.model, member)
        if name in self.taken or any(k.split(" ")[0].split(":")[0] == name for k in self.keywords):
            key = f"{ident(argument.name)}_{key}"
            name = f"{ident(argument.name)}_{name}"
        self.keywords.append(key)
        if struct.name == "netcl_run_options":
            self.common.append(name)
        else:
            self.explain(name, member)
        if member.role == "handle_out":
            self.before.append(f"{name}_place = Ref{{Ptr{{Cvoid}}}}(C_NULL)")
            self.preserved.append(f"{name}_place")
            self.after.append(f"give_reference({name}, {name}_place)")
            return f"place_if({name}, {name}_place)"
        if member.role == "element":
            self.before.append(f"{name}_bytes = {name} === nothing ? nothing : "
                               f"element_bytes(:{member.name}, {self.dtype_of_tensor()}, {name})")
            return f"{name}_bytes"
        if member.role in ("handle", "handles"):
            self.preserved.append(name)
        if member.role == "handles":
            kind = handle_type(member.type.base)
            self.before.append(f"{name} = handle_list({kind}, :{member.name}, {name})")
        return name

    def explain(self, name, member):
        """A row on a keyword: the comment of its member, and the names of constants."""
        all_of = f"{member.type.array} numbers, or one for all" if one_for_all(member) else ""
        told = flag_words(member.doc.text) if member.flag else member.doc.text
        text = "; ".join(filter(None, (told, all_of,
                                       constants(self.model, member.type, keyword=True))))
        if text:
            self.explained.append(f"`{name}`: {text}")

    def on_frozen(self, argument):
        name = self.need(argument, type_name(argument.type.base))
        self.put(argument, f"Ref({name})")

    def on_foreign(self, argument):
        self.put(argument, self.need(argument, "Ptr"))

    def on_callback(self, argument):
        callback = self.model.callback(argument.type.base)
        name = self.need(argument, "", front=True)
        if argument.kept:
            if not argument.freed:
                raise SystemExit(f"Julia: {self.function.name}: the comment does not say that "
                                 "destroy is called \"also when this call fails\"")
            # Nothing may throw between this and the call, which takes it also where it fails.
            self.again = False
            self.last.append(f"{name}_place = keep_function({name})")
            return self.put(argument, f"{callback.short}_pointer()", f"{name}_place",
                            "destroy_pointer()")
        self.again = False
        self.before.append(f"{name}_state = CallbackState({name})")
        self.preserved.append(f"{name}_state")
        self.put(argument, f"{callback.short}_pointer()", f"pointer_from_objref({name}_state)")
        self.failure = f"{name}_state"

    failure = ""
    turn = ""   # the movable object that is used by one task at a time


    # Putting it together

    def call(self):
        values = [self.passed[p.name] for p in self.function.params]
        head = f"Raw.{self.function.name}"
        returns = self.function.returns
        if returns == "text":
            return [f"return borrowed_text({head}({', '.join(values)}))"]
        if returns == "value":
            kind = self.function.return_type
            wide = type_name(kind.base) if kind.kind == "enum" else wide_type(kind)
            return [f"return {wide}({head}({', '.join(values)}))"]
        if self.around:
            inner = listing(f"return {head}", values, "", "    ")
            return [f"found = {self.around} do place, room, extent"] + inner + ["end"]
        if not self.again:
            return listing(f"status = {head}", values, "")
        line = f"@checked {head}({', '.join(values)})"
        if len(line) <= 84:
            return [line]
        return listing(f"@checked {head}", values, "")

    def body(self):
        lines = list(self.before)
        call = self.inside + self.last + self.call()
        if self.preserved:
            lines.append(f"GC.@preserve {' '.join(dict.fromkeys(self.preserved))} begin")
            lines += [f"    {line}" for line in call] + ["end"]
        else:
            lines += call
        if self.last:
            # Others may run while functions are dropped, and fail on this thread.
            lines += ["problem = status == 0 ? nothing : failure_of(status)", "drop_functions()",
                      "problem === nothing || throw(problem)"]
        if self.function.verb.endswith("unregister"):
            lines.append("drop_functions()")
        if self.failure:
            lines.append(f"callback_done({self.failure}, status)")
        lines += self.after
        if self.function.returns != "status":
            return lines
        value = ", ".join(self.results)
        return lines + [f"return {value}" if value else "return nothing"]

    def lines(self):
        function = self.function
        params = list(self.given) + ([";"] + self.keywords if self.keywords else [])
        names = [g.split("::")[0] for g in self.given]
        shown_names = names + ([";"] + [k.split("::")[0].split(" ")[0] for k in self.keywords]
                               if self.keywords else [])
        signature = "\n    ".join(listing(self.name, shown_names, ""))
        rows = [row(a.name, output_words(a.doc)) if a.is_output else row(ident(a.name), a.doc, a.flag)
                for a in function.arguments
                if a.doc and (not a.is_output or len(function.outputs) > 1)]
        rows += [f"`{ident(a.name)}`: {constants(self.model, a.type)}"
                 for a in function.arguments if a.role == "enum" and not a.doc]
        rows += self.explained
        if self.common:
            rows.append(", ".join(f"`{name}`" for name in self.common) +
                        ": those of all ops; `?Netcl` explains them")
        text = of_function(function.doc.text, function, self.unsafe)
        rows = [of_function(each, function, self.unsafe) for each in rows]
        if self.unsafe:
            text += "\n\nThe pointers must be valid as the text above asks for; nothing checks " \
                "them."
        lines = docstring(signature, text, rows, f"Calls `{function.name}`.")
        lines += listing(f"function {self.name}", params, "")
        body = self.body()
        if self.turn:
            body = [f"take_turn({self.turn})", "try"] + [f"    {line}" for line in body] + \
                ["finally", f"    end_turn({self.turn})", "end"]
        return lines + [f"    {line}" for line in body] + ["end"]
