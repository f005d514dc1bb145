#!/usr/bin/env python3
"""Checks what a built library shows to the world: check_symbols.py libnetcl.so|libnetcl.a netcl.h

Of a shared library: the exported symbols are exactly the functions of the header, in their version
nodes; only libc, libm and the loader are needed; no symbol is unique; soname and flags are right;
no std::to_string of a floating-point number is in it, which writes by the host's locale.
Of a static library: the global symbols are exactly the functions of the header.
"""

import re
import subprocess
import sys

from netcl_header import Header

NEEDED = re.compile(r"^(libc\.so\.6|libm\.so\.6|ld-linux[-\w]*\.so\.\d+)$")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def compare(found, declared, what):
    errors = [f"{what} but not declared in the header: {name}" for name in sorted(found - declared)]
    return errors + [f"declared in the header but not {what}: {name}"
                     for name in sorted(declared - found)]


def check_shared(path, header):
    errors = []
    found = set()
    for line in output("nm", "-D", "--defined-only", path).splitlines():
        kind, symbol = line.split()[-2:]
        if kind == "A":
            continue  # the names of the version nodes themselves
        name, _, node = symbol.partition("@@")
        found.add(name)
        expected = "NETCL_EXPERIMENTAL" if name.startswith("netcl_x_") else "NETCL_1.0"
        if node != expected:
            errors.append(f"{name} has version \"{node}\", expected {expected}")
    errors += compare(found, set(header.functions), "exported")

    dynamic = output("readelf", "--wide", "--dynamic", path)
    for name in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
        if not NEEDED.match(name):
            errors.append(f"needs {name}; only libc, libm and the loader are allowed")
    soname = re.findall(r"\(SONAME\).*\[(.*)\]", dynamic)
    with open(header.path, encoding="ascii") as file:
        major = re.search(r"NETCL_VERSION_MAJOR (\d+)", file.read()).group(1)
    if soname != [f"libnetcl.so.{major}"]:
        errors.append(f"soname is {soname}, expected libnetcl.so.{major}")
    for flag in ("NODELETE", "NOW"):
        if not re.search(rf"\(FLAGS(_1)?\).*\b{flag}\b", dynamic):
            errors.append(f"not linked with -z {flag.lower()}")
    if "TEXTREL" in dynamic:
        errors.append("has text relocations")
    segments = output("readelf", "--wide", "--program-headers", path)
    if "GNU_RELRO" not in segments:
        errors.append("not linked with -z relro")
    if re.search(r"GNU_STACK.*RWE", segments):
        errors.append("asks for an executable stack")
    symbols = output("readelf", "--wide", "--symbols", path)
    if re.search(r"\bUNIQUE\b", symbols):
        errors.append("has STB_GNU_UNIQUE symbols")
    # What libstdc++ makes it of. Integers have a writer of their own.
    if "__to_xstring" in symbols:
        errors.append("has std::to_string of a floating-point number: use core/number.hpp")
    return errors


def check_static(path, header):
    found = set()
    errors = []
    for line in output("nm", "--defined-only", path).splitlines():
        parts = line.split()
        if len(parts) < 2:
            continue
        kind, name = parts[-2:]
        if kind in "uvwVW":
            errors.append(f"weak or unique symbol {name}")
        elif kind.isupper():
            found.add(name)
    return errors + compare(found, set(header.functions), "global")


def main():
    path, header_path = sys.argv[1:3]
    header = Header(header_path)
    header.path = header_path
    if not header.functions:
        sys.exit(f"{header_path}: no function was found")
    check = check_static if path.endswith(".a") else check_shared
    errors = check(path, header)
    for error in errors:
        print(f"{path}: {error}")
    print(f"{len(header.functions)} functions declared, {len(errors)} errors")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
