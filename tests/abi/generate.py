#!/usr/bin/env python3
"""Writes the sources of the header tests from the header: generate.py netcl.h FOLDER"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
from netcl_header import Header  # noqa: E402


def init_source(header):
    """Every INIT macro, in static storage and in a function, in a language common to C and C++."""
    lines = ['#include "netcl.h"', '#include "netcl.h"', ""]
    for macro in header.init_macros:
        name = header.struct_of_macro(macro)
        lines.append(f"static {name} static_{name} = {macro};")
    lines += ["", "int use_all(void);", "int use_all(void) {", "  unsigned long sum = 0;"]
    for macro in header.init_macros:
        name = header.struct_of_macro(macro)
        lines.append(f"  {{ {name} local = {macro}; const unsigned char *p = "
                     "(const unsigned char *)&local;")
        lines.append(f"    sum += p[0] + sizeof(local) + sizeof(static_{name}) +")
        lines.append(f"           ((const unsigned char *)&static_{name})[0]; }}")
    lines += ["  return sum > 0;", "}", ""]
    return "\n".join(lines)


def padding_source(header):
    """sizeof of each struct: -Wpadded then reports padding that the compiler would insert."""
    lines = ['#include "netcl.h"', "extern const unsigned long sizes[];",
             "const unsigned long sizes[] = {"]
    lines += [f"  (unsigned long)sizeof({name})," for name in header.structs]
    lines += ["  0};", ""]
    return "\n".join(lines)


def main():
    header = Header(sys.argv[1])
    folder = sys.argv[2]
    missing = [m for m in header.init_macros if header.struct_of_macro(m) not in header.structs]
    if missing or not header.structs or not header.init_macros:
        sys.exit(f"macros without a struct: {missing}; {len(header.structs)} structs")
    os.makedirs(folder, exist_ok=True)
    for name, text in (("init.c", init_source(header)), ("padding.c", padding_source(header)),
                       ("alone.c", '#include "netcl.h"\nint alone;\n')):
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            file.write(text)
    print(f"{len(header.structs)} structs, {len(header.init_macros)} INIT macros")


if __name__ == "__main__":
    main()
