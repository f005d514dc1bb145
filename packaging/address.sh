#!/bin/sh
# Gives the sources the addresses that they are published at: packaging/address.sh REPOSITORY MODULE
#
#   packaging/address.sh https://git.example.org/me/netcl git.example.org/me/netcl/bindings/go
#
# https://netcl.example/netcl stands for the repository (Cargo.toml of both crates),
# netcl.example/netcl for the module of Go (go.mod, imports, pages). Names under .example belong to
# nobody. docs/packaging.md says what a module's path and tags have to be.
set -eu
[ $# = 2 ] || { echo "usage: $0 REPOSITORY MODULE" >&2; exit 2; }
cd "$(dirname "$0")/.."
# What stands for the one is a part of what stands for the other.
grep -rlZF --exclude-dir=.git --exclude-dir=build --exclude-dir=target netcl.example/netcl \
  bindings docs/start tests/parity |
  xargs -0 sed -i "s#https://netcl\.example/netcl#$1#g; s#netcl\.example/netcl#$2#g"
python3 -B bindings/generator/generate.py
