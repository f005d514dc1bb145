"""What no binding has a form for: refused by name, before anything is compiled or measured."""

import re

import clang

# Macros that are no constants.
OTHER_MACROS = ("NETCL_H", "NETCL_API", "NETCL_EXPERIMENTAL")
NUMBER = r"0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*(?![\w.])"
# At least one number or constant, and between them casts and operators.
WHOLE = re.compile(rf"(?=.*(?:\b\d|NETCL_))(?:\s|{NUMBER}|NETCL_\w+|u?int(?:8|16|32|64)_t|"
                   r"[()+*/%|&~^<>-])+")


class Patterns:
    """Finds what is refused in the declarations and the text of a header."""

    def __init__(self, nodes, text):
        self.nodes = nodes
        self.text = text
        self.problems = []
        self.typedefs = {n["name"] for n in nodes if n["kind"] == "TypedefDecl"}

    def refuse(self, name, why):
        self.problems.append(f"{name}: {why}")

    def find(self):
        checks = {"FunctionDecl": self.check_function, "RecordDecl": self.check_record,
                  "EnumDecl": self.check_enum, "TypedefDecl": self.check_typedef,
                  "VarDecl": self.check_variable}
        for node in self.nodes:
            if node["kind"] in checks:
                checks[node["kind"]](node)
            else:
                self.refuse(self.line_of(node), f"a {node['kind']}, which no binding has a form "
                            "for")
        self.check_macros()
        return self.problems

    def line_of(self, node):
        return f"line {self.text.count(chr(10), 0, clang.offset_of(node)) + 1}"

    def check_prefix(self, what, name, prefix="netcl_"):
        if not name.startswith(prefix):
            self.refuse(f"{what} {name}", f"its name does not begin with {prefix}")
        return name.startswith(prefix)

    def check_function(self, node):
        name, spelled = node["name"], node["type"]["qualType"]
        parts = node.get("inner", ())
        if not self.check_prefix("function", name):
            return
        if node.get("storageClass") == "static" or node.get("inline"):
            self.refuse(name, "a static or inline function is not in the library, so that a "
                        "binding cannot call it; declare it with NETCL_API")
        elif [p for p in parts if p["kind"] == "CompoundStmt"]:
            self.refuse(name, "it has a body; the header declares functions and defines none")
        elif node.get("variadic"):
            self.refuse(name, "a variadic function, whose arguments have no types; take an array "
                        "with its count")
        elif spelled.split("(", 1)[1].startswith("*"):
            self.refuse(name, f"it returns what is no value: `{spelled}`")
        elif spelled.endswith("()"):
            self.refuse(name, "write (void) where a function takes nothing")
        elif [p for p in parts if p["kind"] == "ParmVarDecl" and not p.get("name")]:
            self.refuse(name, "a parameter without a name, which says what it means")

    def check_record(self, node):
        kind, name = node["tagUsed"], node.get("name")
        if not name:
            self.refuse(self.line_of(node), f"a {kind} without a tag, which is the name of its "
                        "type")
        elif kind != "struct":
            self.refuse(f"{kind} {name}", f"no binding has a form for a {kind}")
        elif node.get("completeDefinition") and self.check_prefix("struct", name):
            if name not in self.typedefs:
                self.refuse(f"struct {name}", "there is no typedef of the same name")
            self.check_members(name, node.get("inner", ()))

    def check_members(self, name, parts):
        inner = [p["tagUsed"] for p in parts if p["kind"] == "RecordDecl"]
        if inner:
            self.refuse(name, f"a {inner[0]} in it; declare a struct outside, and no union")
            return
        for item in (p for p in parts if p["kind"] == "FieldDecl"):
            where = f"{name}.{item['name']}" if item.get("name") else name
            if item.get("isBitfield"):
                self.refuse(where, "a bit-field, whose place compilers choose; take a member of "
                            "a fixed width")
            elif item["type"]["qualType"].endswith("[]"):
                self.refuse(where, "an array without an extent; point to it and count it")

    def check_enum(self, node):
        name = node.get("name")
        if not name:
            self.refuse(self.line_of(node), "an enum without a tag, which is the name of its type")
            return
        if self.check_prefix("enum", name):
            for item in node.get("inner", ()):
                if item["kind"] == "EnumConstantDecl":
                    self.check_prefix(f"enum {name}, constant", item["name"], "NETCL_")

    def check_typedef(self, node):
        name, spelled = node["name"], node["type"]["qualType"]
        if not self.check_prefix("typedef", name) or "(*)(" not in spelled:
            return
        if spelled.endswith("...)"):
            self.refuse(name, "a variadic callback, whose arguments have no types")
        elif [p for p in clang.callback_params(node, self.text)
              if not re.search(r"[\w\s*]+[\s*]\w+$|^void$", p)]:
            self.refuse(name, "a parameter without a name, which says what it means")

    def check_variable(self, node):
        self.refuse(f"variable {node['name']}", "no binding has a form for a variable; a function "
                    "can give its value")

    def check_macros(self):
        for name, params, body in clang.written_macros(self.text):
            if name in OTHER_MACROS:
                continue
            what = f"macro {name}"
            if not self.check_prefix("macro", name, "NETCL_"):
                continue
            if params:
                self.refuse(what, "it takes parameters; only functions of the library do")
            elif not name.endswith("_INIT") and not body.startswith('"') and \
                    not WHOLE.fullmatch(body):
                self.refuse(what, f"{'`' + body + '`' if body else 'nothing'} is neither a whole "
                            "number nor a text, so that it is no constant")
