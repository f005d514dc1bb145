#!/bin/sh
# Tests the extensions of the Julia binding with real packages: bindings/julia/packages.sh PLACE...
#
# Each PLACE is an environment that has Adapt, GPUArrays and ChainRulesCore (a folder with a
# Manifest.toml), or a folder that holds a folder of sources for each of them and for what they need,
# called as they are. check.sh runs the same tests with stand-ins, since it uses no network; this runs
# them with what is there. Needs julia and the library as check.sh does; NETCL_TEST_DEVICES names
# devices that compute in Float64 ("builtin").
set -eu
if [ $# -eq 0 ]; then
  echo "usage: packages.sh PLACE..." >&2
  exit 2
fi
path=@stdlib
for place in "$@"; do path=$path:$(cd "$place" && pwd); done
cd "$(dirname "$0")"
. ./backtraces.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
path=$PWD:$path
export JULIA_LOAD_PATH="$path" JULIA_DEPOT_PATH="$work/depot:${JULIA_DEPOT_PATH:-$HOME/.julia}"
julia --version
mend_backtraces "$work"
run() { julia --startup-file=no --compile=min "$@"; }
run -e 'using Adapt, GPUArrays, ChainRulesCore
        foreach(m -> println(m, ": ", pathof(m)), (Adapt, GPUArrays, ChainRulesCore))'
for device in ${NETCL_TEST_DEVICES:-builtin}; do
  for order in first last; do
    echo "== $device, the packages are loaded $order"
    NETCL_DEVICE=$device NETCL_TEST_ORDER=$order run test/extensions.jl
    NETCL_DEVICE=$device NETCL_TEST_RULES=$order run test/rules.jl
  done
done
