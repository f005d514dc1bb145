#!/usr/bin/env python3
"""Writes debian/libnetcl0.symbols to stdout, from the lock of the interface: debian_symbols.py

Every function of the lock is a symbol of libnetcl.so.0. The node is NETCL_EXPERIMENTAL for names
that begin with netcl_x_, as in cmake/netcl.map, else NETCL_1.0. The version is that of the lock in
which the function was there first; so far there is one.
"""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    lock = json.loads((ROOT / "tests/abi/netcl.json").read_text())
    version = lock["version"]
    lines = ["libnetcl.so.0 libnetcl0 #MINVER#", "* Build-Depends-Package: libnetcl-dev"]
    for node in ("NETCL_1.0", "NETCL_EXPERIMENTAL"):
        lines.append(f" {node}@{node} {version}")
    for name in sorted(lock["functions"]):
        node = "NETCL_EXPERIMENTAL" if name.startswith("netcl_x_") else "NETCL_1.0"
        lines.append(f" {name}@{node} {version}")
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
