"""Makes the model of a header: reader.read_header(path) -> model.Model."""

import bisect
import re

import clang
from markers import parse_doc, unmarked
from model import (Callback, Constant, Doc, Enum, EnumValue, Function, Handle, HeaderError, Member,
                   Model, Param, Struct, Type)
from patterns import OTHER_MACROS, Patterns
from roles import Rules, give_member_roles

SCALARS = {"int8_t": 1, "uint8_t": 1, "int16_t": 2, "uint16_t": 2, "int32_t": 4, "uint32_t": 4,
           "int64_t": 8, "uint64_t": 8, "size_t": 8, "double": 8, "float": 4, "unsigned char": 1}
DESTROY = "netcl_destroy_fn"
CONSTRUCTORS = ("create", "open", "load", "find", "current", "begin", "measure", "get", "from")


class Reader:
    def __init__(self, path):
        self.path = path
        self.clang = clang.find_clang()
        with open(path, encoding="ascii") as file:
            self.text = file.read()
        pattern = re.compile(r"^/\* ---- (.+?) -+ \*/$", re.MULTILINE)
        self.sections = list(pattern.finditer(self.text))
        self.nodes = clang.read_ast(self.clang, path)
        self.problems = []
        self.kinds = {}        # C type name to Type.kind
        self.handles = []
        self.structs = []
        self.enums = []
        self.callbacks = []
        self.foreign = []

    def read(self):
        if not self.nodes:
            raise HeaderError([f"{self.path} declares nothing"])
        # These come alone: a compiler would choke on what follows from some of them.
        refused = Patterns(self.nodes, self.text).find()
        if refused:
            raise HeaderError(refused)
        typedefs = {n["name"]: n for n in self.nodes if n["kind"] == "TypedefDecl"}
        records = {n["name"]: n for n in self.nodes
                   if n["kind"] == "RecordDecl" and n.get("completeDefinition")}
        enums = {n["name"]: n for n in self.nodes if n["kind"] == "EnumDecl"}
        functions = [n for n in self.nodes if n["kind"] == "FunctionDecl"]
        self.name_kinds(typedefs, records, enums)
        constants = self.read_probe(records, enums)
        for name, node in typedefs.items():
            if self.kinds.get(name) == "callback":
                self.callbacks.append(self.read_callback(name, node))
        known = {n["name"] for n in functions}
        self.read_handles(typedefs, known)
        result = Model(constants, self.enums, self.handles, self.foreign, self.structs,
                       self.callbacks, [], self.head(), self.pointer, self.text)
        result.functions = [self.read_function(n) for n in functions]
        for argument in (a for f in result.functions for a in f.arguments):
            if argument.role == "callback":
                argument.callback = result.callback(argument.type.base)
                argument.freed = any("destroyed" in p.marks for p in argument.params)
        self.give_struct_kinds(result)
        self.check_version(result)
        if self.problems:
            raise HeaderError(self.problems)
        return result

    def head(self):
        begin = self.text.index("/*")
        return self.text[begin + 2:self.text.index("*/", begin)]

    def name_kinds(self, typedefs, records, enums):
        for name in SCALARS:
            self.kinds[name] = "scalar"
        self.kinds.update({"char": "char", "void": "void"})
        for node in self.nodes:
            if node["kind"] == "RecordDecl" and not node["name"].startswith("netcl_") and \
                    node["name"] not in self.foreign:
                self.foreign.append(node["name"])
                self.kinds[node["name"]] = "foreign"
        for name, node in typedefs.items():
            spelled = node["type"]["qualType"]
            if "(*)(" in spelled:
                self.kinds[name] = "callback"
            elif spelled == "struct " + name:
                members = [m for m in records.get(name, {}).get("inner", ())
                           if m["kind"] == "FieldDecl"]
                self.kinds[name] = "handle" if not members else \
                    "sized" if members[0]["name"] == "struct_size" else "frozen"
            elif spelled == "int32_t" and name + "_value" in enums:
                self.kinds[name] = "enum"
            else:
                self.problems.append(
                    f"typedef {name}: `{spelled}` is neither an opaque or defined struct of the "
                    f"same name, nor int32_t with an enum {name}_value, nor a callback")
        for name in enums:
            if name[: -len("_value")] not in self.kinds or not name.endswith("_value"):
                self.problems.append(f"enum {name}: there is no `typedef int32_t` without _value")

    def type_of(self, spelling, where):
        match = re.fullmatch(r"(.*?)\s*(?:\[(\d+)\])?", spelling.strip())
        array = int(match.group(2) or 0)
        words = match.group(1).replace("*", " * ").split()
        levels, const, base = [], False, []
        for word in words:
            if word == "*":
                levels.append(const)
                const = False
            elif word == "const":
                const = True
            elif word != "struct":
                base.append(word)
        base = " ".join(base)
        kind = self.kinds.get(base)
        if kind is None:
            self.problems.append(f"{where}: the type `{spelling}` is not one of the header's; "
                                 "fixed-width integers, size_t, float and double are")
            kind = "scalar"
        return Type(base, kind, tuple(levels), array, spelling)

    def comment(self, node):
        return parse_doc(clang.comment_of(node, self.text))

    def read_probe(self, records, enums):
        macros = [m for m in clang.read_macros(self.clang, self.path)
                  if m[0] not in OTHER_MACROS]
        inits = {m[0] for m in macros if m[0].endswith("_INIT")}
        plain = [m for m in macros if m[0] not in inits and not m[1].startswith('"')]
        members = {name: [m["name"] for m in node["inner"] if m["kind"] == "FieldDecl"]
                   for name, node in records.items()}
        names = [m[0] for m in plain] + [v["name"] for e in enums.values() for v in e["inner"]
                                         if v["kind"] == "EnumConstantDecl"]
        values, sizes, offsets, self.pointer = clang.probe(self.clang, self.path, names, members)
        for name, node in records.items():
            self.structs.append(self.read_struct(name, node, sizes[name], offsets, inits))
        wanted = {s.name.upper() + "_INIT" for s in self.structs}
        for name in sorted(inits - wanted):
            self.problems.append(f"{name}: there is no struct of that name")
        for name, node in enums.items():
            self.enums.append(self.read_enum(name, node, values))
        return [self.read_constant(m, values) for m in macros if m[0] not in inits]

    def read_constant(self, macro, values):
        name, body, comment = macro
        short = name[len("NETCL_"):]
        if body.startswith('"'):
            return Constant(name, short, "text", body.strip('"'), parse_doc(comment))
        signed, unsigned, size, is_signed = values[name]
        if is_signed and size == 4 and signed >= 0:
            is_signed = False  # a plain literal
        ctype = ("" if is_signed else "u") + f"int{size * 8}_t"
        return Constant(name, short, ctype, signed if is_signed else unsigned, parse_doc(comment))

    def read_enum(self, tag, node, values):
        name = tag[: -len("_value")]
        items = [v for v in node["inner"] if v["kind"] == "EnumConstantDecl"]
        names = [v["name"] for v in items]
        prefix = common_prefix(names, name.upper() + "_")
        doc = next((self.comment(n) for n in self.nodes
                    if n["kind"] == "TypedefDecl" and n["name"] == name), Doc())
        found = [EnumValue(v["name"], v["name"][len(prefix):], values[v["name"]][0],
                           self.comment(v)) for v in items]
        if len({v.value for v in found}) != len(found):
            self.problems.append(f"enum {tag}: two constants have one value")
        return Enum(name, name[len("netcl_"):], "int32_t", found, doc)

    def read_struct(self, name, node, size, offsets, inits):
        init = name.upper() + "_INIT"
        members = []
        for item in node["inner"]:
            if item["kind"] != "FieldDecl":
                continue
            where = f"{name}.{item['name']}"
            kind = self.type_of(item["type"]["qualType"], where)
            offset, bytes_ = offsets[name, item["name"]]
            members.append(Member(item["name"], kind, offset, bytes_, self.comment(item)))
        end = 0
        for member in members:
            if member.offset != end:
                self.problems.append(f"{name}.{member.name}: {member.offset - end} bytes of "
                                     "padding stand before it; add a reserved member")
            end = member.offset + member.size
        if end != size[0]:
            self.problems.append(f"{name}: {size[0] - end} bytes of padding at its end")
        if self.kinds[name] == "sized" and init not in inits:
            self.problems.append(f"{name}: there is no {init}")
        return Struct(name, name[len("netcl_"):], "frozen", size[0], size[1], members,
                      init if init in inits else None, self.comment(node))

    def read_callback(self, name, node):
        spelled = node["type"]["qualType"]
        returns, types = re.fullmatch(r"(.*?)\s*\(\*\)\((.*)\)", spelled).groups()
        names = [re.search(r"(\w+)$", part).group(1)
                 for part in clang.callback_params(node, self.text)]
        params = [Param(n, self.type_of(t, f"{name}, {n}"))
                  for n, t in zip(names, [t.strip() for t in types.split(",")])]
        if not params or params[-1].name != "user_data":
            self.problems.append(f"{name}: the last parameter of a callback is `void *user_data`")
        return Callback(name, name[len("netcl_"):], self.type_of(returns, name), params,
                        self.comment(node))

    def read_handles(self, typedefs, functions):
        kinds = next((e for e in self.enums if e.name == "netcl_handle_type"), None)
        for name, kind in list(self.kinds.items()):
            if kind != "handle":
                continue
            short = name[len("netcl_"):]
            doc = self.comment(typedefs[name])
            # "Movable while it is built, then shareable" counts as what is safe at all times.
            words = re.findall(r"\b(Shareable|Movable)\b", doc.text)
            if len(words) != 1:
                self.problems.append(f'{name}: its comment says neither or both of "Shareable" '
                                     'and "Movable"')
            for verb in ("retain", "release"):
                if f"{name}_{verb}" not in functions:
                    self.problems.append(f"{name}: there is no {name}_{verb}")
            value = "NETCL_HANDLE_" + short.upper()
            if kinds is None or value not in [v.name for v in kinds.values]:
                self.problems.append(f"{name}: netcl_handle_type has no {value}")
            self.handles.append(Handle(name, short, f"{name}_retain", f"{name}_release",
                                       words == ["Shareable"], value, doc))

    def section_at(self, offset):
        before = bisect.bisect(self.sections, offset, key=re.Match.end)
        return self.sections[before - 1][1] if before else ""

    def read_function(self, node):
        name = node["name"]
        doc = self.comment(node)
        if not doc.text:
            self.problems.append(f"{name}: it has no comment")
        params = []
        for item in node.get("inner", ()):
            if item["kind"] == "ParmVarDecl":
                given = item.get("name", "")
                params.append(Param(given, self.type_of(item["type"]["qualType"],
                                                        f"{name}, {given}"),
                                    doc.params.get(given, ""), doc.marks.get(given, {})))
        returned = node["type"]["qualType"].split("(", 1)[0].strip()
        function = Function(name, name[len("netcl_"):], "function", "", "",
                            self.section_at(clang.offset_of(node)), self.returns(name, returned),
                            self.type_of(returned, name), params, [], doc)
        owner = self.owner_of(function)
        rules = Rules(function, params, owner.name if owner else None, self.problems)
        function.arguments = rules.arguments()
        self.give_kind(function, owner)
        return function

    def returns(self, name, spelled):
        known = {"netcl_status": "status", "void": "void", "const char *": "text"}
        if spelled in known:
            return known[spelled]
        if self.kinds.get(spelled) in ("scalar", "enum"):
            return "value"
        self.problems.append(f"{name}: it returns `{spelled}`; netcl_status, const char *, numbers "
                             "and void are known")
        return "value"

    def owner_of(self, function):
        """The handle or enum whose name the function's name begins with; the longest."""
        fits = [t for t in self.handles + self.enums
                if function.name.startswith(t.name + "_")]
        return max(fits, key=lambda t: len(t.name)) if fits else None

    def give_kind(self, function, owner):
        arguments = function.arguments
        if function.name.startswith("netcl_op_"):
            function.kind, function.owner = "op", "op"
            function.verb = function.name[len("netcl_op_"):]
            return
        function.verb = function.short
        first = arguments[0] if arguments else None
        if isinstance(owner, Enum):
            if first is not None and first.type.base == owner.name and first.role == "enum":
                function.kind, function.owner = "enum_method", owner.short
                function.verb = function.name[len(owner.name) + 1:]
            return
        if owner is None:
            return
        function.owner = owner.short
        function.verb = function.name[len(owner.name) + 1:]
        if function.verb in ("retain", "release"):
            function.kind = function.verb
        elif first is not None and first.role == "object":
            function.kind = "method"
        elif [a for a in arguments if a.role == "handle_out" and a.type.base == owner.name]:
            function.kind = "constructor"
        else:
            function.kind = "static"

    def give_struct_kinds(self, result):
        reads, writes = set(), set()
        params = [p for f in result.functions for p in f.params] + \
            [p for c in result.callbacks for p in c.params]
        for param in params:
            if param.type.kind == "sized" and param.type.depth == 1:
                (reads if param.type.levels[0] else writes).add(param.type.base)
        # What a callback receives is written by the library.
        handed = {p.type.base for c in result.callbacks for p in c.params}
        for callback in result.callbacks:
            for param in callback.params:
                if param.type.base in reads and param.type.kind == "sized":
                    taken = [f for f in result.functions for p in f.params
                             if p.type.base == param.type.base and p.type.levels == (True,)]
                    if not taken:
                        reads.discard(param.type.base)
                    writes.add(param.type.base)
        # What a struct that is read points to is read too.
        pointed = self.pointed_structs(result, reads)
        while not pointed <= reads:
            reads |= pointed
            pointed = self.pointed_structs(result, reads)
        for struct in result.structs:
            if self.kinds[struct.name] == "sized":
                read, written = struct.name in reads, struct.name in writes
                struct.kind = "both" if read and written else "info" if written else "options"
                if struct.name in handed and not read and \
                        any(m.type.kind == "handle" for m in struct.members):
                    struct.kind = "call"
                if not read and not written:
                    self.problems.append(f"{struct.name}: no function takes or gives it")
            give_member_roles(struct, self.problems)
        for function in result.functions:
            for argument in function.arguments:
                argument.flag = argument.role in ("value", "scalar_out") and \
                    "flag" in argument.params[0].marks
        self.problems += unmarked(result)

    @staticmethod
    def pointed_structs(result, names):
        return {m.type.base for s in result.structs if s.name in names for m in s.members
                if m.type.kind == "sized" and m.type.depth == 1}

    def check_version(self, result):
        parts = [result.constant("NETCL_VERSION_" + p).value for p in ("MAJOR", "MINOR", "PATCH")]
        number = parts[0] * 1000000 + parts[1] * 1000 + parts[2]
        if result.constant("NETCL_VERSION_NUMBER").value != number:
            self.problems.append(f"NETCL_VERSION_NUMBER is not {number}")


def common_prefix(names, own):
    """What all constants of a type begin with, at a word's end; `own` where all have that."""
    if all(n.startswith(own) for n in names):
        prefix = own
    else:
        parts = [n.split("_") for n in names]
        count = 0
        while all(len(p) > count + 1 and p[count] == parts[0][count] for p in parts):
            count += 1
        prefix = "_".join(parts[0][:count]) + "_" if count else ""
    return prefix


def read_header(path):
    return Reader(path).read()
