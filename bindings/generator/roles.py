"""Gives parameters and members their roles, from types, names and markers alone.

Each rule looks at the parameters from one place on and takes as many as belong together. What no
rule takes is an error that says what was expected: that is how the header is kept uniform.
"""

from model import INPUT_ROLES, OUTPUT_ROLES, Argument

UNSIGNED = ("uint32_t", "uint64_t", "size_t")
# A sized struct that may be passed uninitialised has no business in an array.
VALUE_KINDS = ("scalar", "enum")


class Rules:
    def __init__(self, function, params, handle, problems):
        self.function = function
        self.params = params
        self.handle = handle          # the handle type that the function's name begins with
        self.problems = problems
        self.doc = function.doc

    def problem(self, param, what):
        what = f"`{param.type.spelling} {param.name}` {what}" if param else what
        self.problems.append(f"{self.function.name}: {what}")

    def at(self, index):
        return self.params[index] if index < len(self.params) else None

    def is_value(self, index, names, bases=UNSIGNED):
        """A parameter passed by value with one of these names and types."""
        param = self.at(index)
        return param is not None and param.name in names and param.type.depth == 0 and \
            param.type.base in bases

    def is_result(self, index, names):
        """A pointer that receives a count or a length."""
        param = self.at(index)
        return param is not None and param.name in names and param.type.levels == (False,) and \
            param.type.base in UNSIGNED

    def arguments(self):
        found, index = [], 0
        while index < len(self.params):
            argument = self.take(index)
            if argument is None:
                index += 1
                continue
            argument.optional = "opt" in argument.params[0].marks
            argument.absent = "absent" in argument.params[0].marks
            found.append(argument)
            index += len(argument.params)
        self.check_outs(found)
        return found

    def make(self, role, index, count=1, **more):
        assert role in INPUT_ROLES or role in OUTPUT_ROLES, role
        return Argument(role, self.params[index:index + count], **more)

    def take(self, index):
        param = self.params[index]
        kind, depth = param.type.kind, param.type.depth
        if param.type.array:
            return self.problem(param, "is an array; write a pointer and a count")
        if kind == "callback":
            return self.take_callback(index)
        if depth == 0:
            return self.take_value(index)
        if depth > 2:
            return self.problem(param, "has more than two levels of pointers")
        taker = {"handle": self.take_handle, "foreign": self.take_foreign, "char": self.take_text,
                 "void": self.take_data, "sized": self.take_struct, "frozen": self.take_struct,
                 "scalar": self.take_array, "enum": self.take_array}.get(kind)
        if taker is None:
            return self.problem(param, f"is a pointer to {param.type.base}, which has no rule")
        return taker(index)

    def take_callback(self, index):
        param = self.params[index]
        data = self.at(index + 1)
        if data is None or data.name != "user_data" or data.type.spelling != "void *":
            return self.problem(param, "is a callback; `void *user_data` has to follow it")
        after = self.at(index + 2)
        destroys = after is not None and after.type.base == "netcl_destroy_fn"
        return self.make("callback", index, 3 if destroys else 2)

    def take_value(self, index):
        param = self.params[index]
        name = param.name
        if param.type.kind in ("sized", "frozen", "handle", "foreign"):
            return self.problem(param, "passes a struct by value")
        if name == "rank" or name.endswith("_rank"):
            return self.take_layout(index)
        if name == "timeout_ns":
            return self.make("timeout", index)
        # Lengths are unsigned; a signed count is a number like any other.
        if param.type.base in UNSIGNED and (
                name in ("capacity", "count", "length", "data_size") or
                name.endswith(("_count", "_capacity", "_size"))):
            owner = name.rsplit("_", 1)[0]
            return self.problem(param, f"stands alone; it has to follow a pointer `{owner}`")
        return self.make("enum" if param.type.kind == "enum" else "value", index)

    def take_layout(self, index):
        param = self.params[index]
        prefix = param.name[: -len("rank")]
        shape, strides = self.at(index + 1), self.at(index + 2)
        wanted = "const int64_t *"
        if shape is None or shape.name != prefix + "shape" or shape.type.spelling != wanted:
            return self.problem(param, f"has to be followed by `{wanted}{prefix}shape`")
        if strides is not None and strides.name == prefix + "strides":
            if strides.type.spelling != wanted:
                return self.problem(strides, f"has to be `{wanted}{prefix}strides`")
            return self.make("layout", index, 3)
        return self.make("shape", index, 2)

    def take_handle(self, index):
        param = self.params[index]
        if param.type.depth == 1:
            is_object = index == 0 and self.handle == param.type.base
            return self.make("object" if is_object else "handle", index)
        if param.type.levels[1]:
            return self.take_counted("handles", index)
        if self.is_value(index + 1, ("capacity", param.name + "_capacity")):
            return self.take_filled("handles_out", index)
        return self.take_entries("handles_out_like", index) or self.make("handle_out", index)

    def take_foreign(self, index):
        param = self.params[index]
        if param.type.depth == 1:
            return self.make("foreign", index)
        if ("owned" in param.marks) == ("borrowed" in param.marks):
            return self.problem(param, f"needs `@param[out,owned] {param.name}`, or borrowed")
        return self.make("foreign_out", index, owned="owned" in param.marks)

    def take_text(self, index):
        param = self.params[index]
        if param.type.levels == (True,):
            if self.is_value(index + 1, (param.name + "_size",), ("size_t",)):
                return self.make("text_sized", index, 2)
            return self.make("text", index)
        if param.type.levels == (False,):
            if self.is_value(index + 1, ("capacity", param.name + "_capacity"), ("size_t",)) and \
                    self.is_result(index + 2, ("length", param.name + "_length")):
                return self.make("text_out", index, 3)
            return self.problem(param, "receives text; `size_t capacity, size_t *length` follow it")
        if param.type.levels == (True, True):
            return self.take_counted("texts", index)
        return self.problem(param, "is no known way to pass text")

    def take_data(self, index):
        param = self.params[index]
        if param.type.depth != 1:
            return self.problem(param, "is a pointer to a pointer to nothing known")
        const = param.type.levels[0]
        if self.is_value(index + 1, (param.name + "_size",), ("size_t",)):
            return self.make("data_in" if const else "data_out", index, 2)
        if const and (param.name == "value" or param.name.endswith("_value")):
            return self.make("element", index)
        if not const and self.is_value(index + 1, ("capacity",), ("size_t",)) and \
                self.is_result(index + 2, ("length",)):
            return self.make("bytes_out", index, 3)
        if not const and self.is_value(index + 1, ("bytes",), ("uint64_t", "size_t")):
            return self.make("data_lent", index, 2)
        return self.problem(param, f"is untyped memory without `size_t {param.name}_size`; one "
                                   "element of a dtype is called `value`")

    def take_struct(self, index):
        param = self.params[index]
        if param.type.depth != 1:
            return self.problem(param, "is a pointer to a pointer to a struct")
        const = param.type.levels[0]
        if param.type.kind == "frozen":
            if self.is_value(index + 1, (param.name + "_count", "capacity",
                                         param.name + "_capacity")):
                return self.take_array(index)
            return self.make("frozen" if const else "frozen_out", index)
        return self.make("options" if const else "info_out", index)

    def take_array(self, index):
        param = self.params[index]
        if param.type.depth != 1:
            return self.problem(param, f"is a pointer to a pointer to {param.type.base}")
        if param.type.levels[0]:
            return self.take_counted("array", index)
        if self.is_value(index + 1, ("capacity", param.name + "_capacity")):
            return self.take_filled("array_out", index)
        if self.is_value(index + 1, (param.name + "_count",)):
            return self.make("array_out_exact", index, 2)
        return self.take_entries("array_out_like", index) or self.make("scalar_out", index)

    def take_entries(self, role, index):
        """An array whose extent the marker gives: as that of another argument, or a number."""
        param = self.params[index]
        like = param.marks.get("count")
        if not like:
            return None
        if like.isdigit():
            return self.make("array_out_fixed", index, extent=int(like))
        if like not in [p.name for p in self.params]:
            return self.problem(param, f"has as many entries as `{like}`, which does not exist")
        return self.make(role, index, like=like)

    def take_counted(self, role, index):
        param = self.params[index]
        if not self.is_value(index + 1, (param.name + "_count",)):
            columns = self.take_columns(index)
            if columns is not None:
                return columns
            return self.problem(param, f"is an array; `uint32_t {param.name}_count` has to follow")
        return self.make(role, index, 2)

    def take_columns(self, index):
        """Several arrays before one count: they have as many entries each."""
        end = index
        while self.at(end) is not None and (self.at(end).type.levels or (False,))[-1]:
            end += 1
        count = self.at(end)
        if end - index < 2 or count is None or not count.name.endswith("_count") or \
                not self.is_value(end, (count.name,)):
            return None
        return self.make("columns", index, end - index + 1)

    def take_filled(self, role, index):
        param = self.params[index]
        if not self.is_result(index + 2, ("count", "length", param.name + "_count")):
            return self.problem(param, "receives an array; `capacity` and a pointer `count` follow")
        return self.make(role, index, 3)

    def check_outs(self, arguments):
        """@param[out] has to stand on each output, and on nothing else."""
        written = {a.name for a in arguments if a.role in OUTPUT_ROLES}
        counts = {p.name for a in arguments if a.role in OUTPUT_ROLES for p in a.params[1:]}
        for name in sorted(written - set(self.doc.outs)):
            self.problem(None, f"the comment lacks `@param[out] {name}`")
        for name in sorted(set(self.doc.outs) - written - counts):
            if name not in [a.name for a in arguments if a.role == "data_out"]:
                self.problem(None, f"`@param[out] {name}` names no output")
        for name in sorted(set(self.doc.marks) - {p.name for p in self.params}):
            self.problem(None, f"`@param {name}` names no parameter")
        seen_output = False
        for argument in arguments:
            late = argument.role not in OUTPUT_ROLES
            # A buffer of fixed size may stand before options and a timeout, as in tensor_read.
            if seen_output and late:
                self.problem(argument.params[0], "stands behind an output; outputs come last")
            seen_output = seen_output or not late


def give_member_roles(struct, problems):
    """Roles of members; a count or size learns whose it is."""
    names = {m.name: m for m in struct.members}

    def pair(member, suffixes):
        for suffix in suffixes:
            other = names.get(member.name + suffix)
            if other is not None and other.type.depth == 0:
                member.partner, other.partner = other.name, member.name
                other.role = "count" if suffix == "_count" else "size"
                return True
        return False

    for member in struct.members:
        if not member.role:
            member.role = member_role(struct, member, names, pair)
        if not member.role:
            problems.append(f"{struct.name}.{member.name}: `{member.type.spelling}` has no rule in "
                            f"a struct of kind {struct.kind}")
        member.flag = "flag" in member.doc.words
    for member in struct.members:
        # A count was paired with the array that stands before or after it.
        if member.name.endswith("_count") and member.partner:
            member.role = "count"


def member_role(struct, member, names, pair):
    kind, levels = member.type.kind, member.type.levels
    reads = struct.kind != "info"
    if member.name == "struct_size":
        return "struct_size"
    if member.name.startswith("reserved"):
        return "reserved"
    if kind == "callback":
        if member.type.base == "netcl_destroy_fn":
            return "destroy"
        return "callback" if "user_data" in names else ""
    if member.name == "user_data" and member.type.spelling == "void *":
        return "user_data"
    if not levels:
        if kind == "char":
            return "text_inline" if member.type.array else ""
        if kind == "frozen":
            return "frozen"
        return {"scalar": "value", "enum": "enum"}.get(kind, "")
    if kind == "char" and levels == (True,):
        return "text_sized" if pair(member, ("_size",)) else "text"
    if kind == "char" and levels == (True, True):
        return "texts" if pair(member, ("_count",)) else ""
    if kind == "void" and levels == (True,):
        if struct.kind == "frozen":
            return "pointer"
        return "data_in" if pair(member, ("_size",)) else \
            "element" if member.name.endswith("value") else ""
    if kind == "void" and levels == (False,):
        return "pointer" if not reads else ("data_lent" if pair(member, ("_size",)) else "")
    if kind == "sized" and levels == (True,):
        return "struct" if reads else ""
    if kind == "handle" and len(levels) == 1:
        return "handle" if reads else ""
    if kind == "handle" and levels == (False, False):
        return "handle_out" if reads else ""
    if kind == "handle" and levels[1:] == (True,):
        return "handles" if pair(member, ("_count",)) else ""
    if kind in ("scalar", "enum", "frozen") and levels == (True,):
        return "array" if pair(member, ("_count",)) else ""
    return ""
