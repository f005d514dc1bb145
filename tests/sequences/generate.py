#!/usr/bin/env python3
"""Writes the interface as tables for tests/sequences: generate.py netcl.json tables.cpp

Fails where it does not know what a parameter or a member is, so that no function is left out.
"""

import json
import re
import sys

from rules import AFTER, EXCEPT, NEEDED, RULES, WEIGHTS

SIZES = {"int8_t": 1, "uint8_t": 1, "int32_t": 4, "uint32_t": 4, "int64_t": 8, "uint64_t": 8,
         "size_t": 8, "double": 8, "unsigned char": 1, "char": 1}
# Outputs of handle type with several entries, each with what counts them.
SEVERAL = {"views": "sizes_count", "results": "texts_count", "gradients": "inputs_count",
           "outputs": "capacity", "groups": "devices_count"}
# Outputs of one handle whose name is a plural.
ONE = {"ceilings", "weights", "scales", "zero_points", "values", "indices"}
# Arrays whose count has another name than theirs.
COUNTS = {"shape": "rank", "strides": "rank", "text": "text_size", "data": "data_size",
          "source": "source_size", "il": "il_size", "binary": "binary_size",
          "names": "metrics_count", "values": "metrics_count", "buffer": "capacity",
          "buckets": "capacity", "rows": "capacity", "samples": "capacity", "outputs": "capacity",
          "rounded": "global_count", "local": "global_count"}


class Lock:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.lock = json.load(file)
        self.handles = {name: i + 1 for i, name in enumerate(self.handle_names())}
        self.structs = {name: i for i, name in enumerate(self.lock["structs"])}
        self.enums = {name: i for i, name in enumerate(self.lock["enums"])}
        self.hooks = {name: i for i, name in enumerate(self.lock["callbacks"])}
        self.foreign = {name: i for i, name in enumerate(self.lock["foreign"])}

    def handle_names(self):
        values = self.lock["enums"]["netcl_handle_type"]["values"]
        names = [key.replace("NETCL_HANDLE_", "netcl_").lower() for key in values]
        if sorted(names) != sorted(self.lock["handles"]):
            sys.exit("the handle types of the lock are not those of netcl_handle_type")
        if sorted(values.values()) != list(range(1, len(names) + 1)):
            sys.exit("the numbers of the handle types have gaps")
        return sorted(names, key=lambda n: values[n.replace("netcl_", "NETCL_HANDLE_").upper()])

    def size_of(self, name):
        if name in SIZES:
            return SIZES[name]
        if name in self.enums:
            return 4
        return None


def counted_by(name, names, is_array):
    """The field that has the number of entries of an array."""
    for candidate in (name + "_count", name + "_size", COUNTS.get(name)):
        if is_array and candidate in names:
            return names.index(candidate)
    return -1


def pointer_class(lock, name, base, const, inner):
    """Class, number and size of an entry for a pointer to `base`."""
    if base in lock.handles:
        if inner:
            return "HandlesIn", lock.handles[base], 8
        return "HandleIn", lock.handles[base], 8
    if base in lock.structs:
        size = lock.lock["structs"][base]["size"]
        return ("StructIn" if const else "StructOut"), lock.structs[base], size
    if base == "char":
        return ("TextsIn" if inner else "TextIn" if const else "TextOut"), -1, 1
    if base == "void":
        if const or name == "data":
            return ("DataIn" if const else "DataOut"), -1, 1
        return "UserData", -1, 8
    size = lock.size_of(base)
    if size is not None:
        return ("IntsIn" if const else "IntsOut"), lock.enums.get(base, -1), size
    return None


def classify(lock, owner, name, ctype, names):
    """A row of Field without offset: (class, of, counted, size, entries, real, signed)."""
    array = re.fullmatch(r"(.+)\[(\d+)\]", ctype)
    if array:
        size = lock.size_of(array[1])
        if size is None:
            sys.exit(f"{owner}.{name}: an array of {array[1]}")
        return "Inline", -1, -1, size, int(array[2]), 0, 1
    real = 1 if "double" in ctype else 0
    signed = 0 if "uint" in ctype or "size_t" in ctype else 1
    if ctype in lock.hooks:
        return "Hook", lock.hooks[ctype], -1, 8, 0, 0, 0
    if "*" not in ctype:
        size = lock.size_of(ctype)
        if size is None:
            sys.exit(f"{owner}.{name}: what is a {ctype}?")
        kind = "Real" if ctype == "double" else "Int"
        return kind, lock.enums.get(ctype, -1), -1, size, 0, real, signed
    base = re.sub(r"\bconst\b|\bstruct\b|\*", " ", ctype).split()
    base = " ".join(base)
    const, stars = ctype.startswith("const "), ctype.count("*")
    if base in lock.foreign:
        return ("ForeignIn" if stars == 1 else "ForeignOut"), lock.foreign[base], -1, 8, 0, 0, 0
    if stars == 2 and "*const *" not in ctype:
        if base not in lock.handles:
            sys.exit(f"{owner}.{name}: what is a {ctype}?")
        several = SEVERAL.get(name)
        if several in names:
            return "HandlesOut", lock.handles[base], names.index(several), 8, 0, 0, 0
        if name.endswith("s") and name not in ONE:
            sys.exit(f"{owner}.{name}: how many handles?")
        return "HandleOut", lock.handles[base], -1, 8, 0, 0, 0
    found = pointer_class(lock, name, base, const, stars == 2)
    if found is None:
        sys.exit(f"{owner}.{name}: what is a {ctype}?")
    kind, of, size = found
    counted = counted_by(name, names, kind not in ("HandleIn", "UserData"))
    if kind in ("StructIn", "StructOut") and counted >= 0:
        kind = kind.replace("Struct", "Structs")
    if owner == "netcl_buffer_create_zero_copy" and name == "data":
        kind, counted = "DataIn", names.index("bytes")
    if kind == "DataOut" and "capacity" in names:
        counted = names.index("capacity")
    return kind, of, counted, size, 0, real, signed


def fields(lock, owner, pairs, offsets):
    """The rows of a function's parameters or a struct's members, as text of C++."""
    names = [name for name, _ in pairs]
    rows = [list(classify(lock, owner, name, ctype, names)) for name, ctype in pairs]
    counts = {}
    for i, row in enumerate(rows):
        if row[2] >= 0:
            counts.setdefault(row[2], i)
    text = []
    for i, ((name, ctype), row) in enumerate(zip(pairs, rows)):
        kind, of, counted, size, entries, real, signed = row
        if name == "struct_size":
            kind = "Header"
        elif i in counts:
            kind = "Count"
        text.append(f'{{"{name}", "{ctype}", Class::{kind}, {of}, {counted}, '
                    f"{counts.get(i, -1)}, {offsets[i]}, {size}, {entries}, {real}, {signed}}}")
    return text


def argument(ctype, i):
    if ctype == "double":
        return f"a[{i}].real"
    if "*" in ctype or ctype.endswith("_fn"):
        return f"reinterpret_cast<{ctype}>(a[{i}].pointer)"
    return f"static_cast<{ctype}>(a[{i}].bits)"


def caller(name, function):
    call = f"{name}({', '.join(argument(t, i) for i, (_, t) in enumerate(function['params']))})"
    unused = "" if function["params"] else " (void)a;"
    returns = function["returns"]
    if returns == "void":
        body = f"{call}; return 0;"
    elif "*" in returns:
        body = f"return reinterpret_cast<uint64_t>({call});"
    else:
        body = f"return static_cast<uint64_t>({call});"
    return f"uint64_t call_{name}(const Argument *a) {{{unused} {body} }}"


def check_rules(lock):
    """A rule for what does not exist would be a rule that is not kept."""
    functions = {name[6:] for name in lock.lock["functions"]}
    owners = functions | {name[6:] for name in lock.lock["structs"]} | {"*"}
    for path in list(RULES) + NEEDED:
        if path.split(".")[0] not in owners:
            sys.exit(f"a rule for {path}, which does not exist")
    for name in list(WEIGHTS) + list(AFTER) + list(EXCEPT):
        if name not in functions:
            sys.exit(f"a rule for the function {name}, which does not exist")


def quoted(text):
    return json.dumps(text)


def pairs(rows):
    return [f"{{{quoted(first)}, {quoted(second)}}}" for first, second in rows]


def write(lock):
    out = ['#include "tables.hpp"', "", '#include "netcl.h"', "", "namespace sequences {",
           "namespace {", ""]
    structs, enums, functions = [], [], []
    for i, (name, struct) in enumerate(lock.lock["structs"].items()):
        members = struct["members"]
        rows = fields(lock, name, [(n, m["type"]) for n, m in members.items()],
                      [m["offset"] for m in members.values()])
        out += [f"const Field kMembers{i}[] = {{", "  " + ",\n  ".join(rows) + "};"]
        structs.append(f'{{"{name}", {struct["size"]}, {struct.get("first_size", struct["size"])}, '
                       f'kMembers{i}, {len(rows)}, {int("struct_size" in members)}}}')
    for i, (name, enum) in enumerate(lock.lock["enums"].items()):
        values = list(enum["values"].values())
        out.append(f"const int32_t kValues{i}[] = {{{', '.join(map(str, values))}}};")
        enums.append(f'{{"{name}", kValues{i}, {len(values)}}}')
    kinds = {"netcl_status": "Status", "void": "Nothing", "const char *": "Text"}
    for i, (name, function) in enumerate(lock.lock["functions"].items()):
        if name[6:] in EXCEPT:
            continue
        params = [tuple(pair) for pair in function["params"]]
        rows = fields(lock, name, params, [8 * n for n in range(len(params))])
        if rows:
            out += [f"const Field kParams{i}[] = {{", "  " + ",\n  ".join(rows) + "};"]
        out.append(caller(name, function))
        functions.append(f'{{"{name}", {f"kParams{i}" if rows else "nullptr"}, {len(rows)}, '
                         f'Returns::{kinds.get(function["returns"], "Number")}, '
                         f"{WEIGHTS.get(name[6:], 100)}, call_{name}}}")
    out += ["", "}  // namespace", ""]
    movable = [0] + [int(lock.lock["handles"][n] == "movable") for n in lock.handles]
    after = [(f, c) for f, calls in AFTER.items() for c in calls]
    for kind, name, rows, counted in (
            ("Struct", "kStructs", structs, False), ("Enum", "kEnums", enums, False),
            ("Function", "kFunctions", functions, True),
            ("RuleRow", "kRules", pairs(RULES.items()), True),
            ("AfterRow", "kAfter", pairs(after), True),
            ("char *const", "kNeeded", [quoted(n) for n in NEEDED], True),
            ("char *const", "kHandleNames", ['"none"'] + [quoted(n) for n in lock.handles], False),
            ("char *const", "kForeignNames", [quoted(n) for n in lock.foreign], False),
            ("uint8_t", "kMovable", map(str, movable), False)):
        rows = list(rows)
        out.append(f"const {kind} {name}[] = {{\n  " + ",\n  ".join(rows) + "};")
        if counted:
            out.append(f"const uint16_t {name}Count = {len(rows)};")
    return "\n".join(out + ["", "}  // namespace sequences", ""])


def main():
    lock = Lock(sys.argv[1])
    if len(lock.handles) != 25 or len(lock.foreign) != 6:
        sys.exit("kHandleTypes and kForeignTypes of tables.hpp are out of date")
    check_rules(lock)
    with open(sys.argv[2], "w", encoding="ascii") as file:
        file.write(write(lock))


if __name__ == "__main__":
    main()
