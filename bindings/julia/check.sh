#!/bin/sh
# Checks the Julia binding: bindings/julia/check.sh
#
# Needs julia (1.5 or later) and the library: NETCL_LIBRARY, NETCL_LIB_DIR, or installed. Runs all
# tests and examples on the built-in device and (unless NETCL_TEST_DEVICES says otherwise) on an
# OpenCL CPU device; the tests fail when a function of netcl.h is reached by none of them. No network
# is used, and nothing is written but to a temporary folder.
set -eu
cd "$(dirname "$0")"
devices=${NETCL_TEST_DEVICES:-builtin cpu}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A depot of its own, with a registry that holds nothing: the package needs the standard library only.
mkdir -p "$work/depot/registries/Empty"
cat >"$work/depot/registries/Empty/Registry.toml" <<TOML
name = "Empty"
uuid = "b1d0b2f5-62c9-4f0a-9d6c-2a6d6b1f3c55"
repo = ""

[packages]
TOML
export JULIA_DEPOT_PATH="$work/depot"
mkdir -m 700 "$work/cache" "$work/pocl"
export NETCL_CACHE_DIR="${NETCL_CACHE_DIR:-$work/cache}" POCL_CACHE_DIR="${POCL_CACHE_DIR:-$work/pocl}"
cp -R Project.toml src ext test examples "$work/"

# Some builds of Julia 1.5 (Debian 12, with libunwind 1.6) crash while they collect the backtrace of
# any exception. A function that ends each backtrace of Julia's at once lets the tests run there; what
# else unwinds, such as the C++ exceptions of drivers, goes on as before.
julia --version
if ! julia --startup-file=no -e 'f() = error("x"); try f() catch end' >/dev/null 2>&1; then
  echo "this julia crashes on exceptions: its backtraces are switched off for the tests"
  cat >"$work/step.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
int _ULx86_64_step(void *cursor) {
  Dl_info caller;
  if (dladdr(__builtin_return_address(0), &caller) != 0 && strstr(caller.dli_fname, "libjulia"))
    return 0;
  return ((int (*)(void *))dlsym(RTLD_NEXT, "_ULx86_64_step"))(cursor);
}
C
  ${CC:-cc} -shared -fPIC -o "$work/libstep.so" "$work/step.c" -ldl
  export LD_PRELOAD="$work/libstep.so"
fi

lock=$PWD/../../tests/abi/netcl.json
data=$PWD/../../examples
export NETCL_TEST_DEVICES="$devices" NETCL_TEST_LOCK="$lock"
# Most of a test runs once, so it is interpreted; those of finalizers and threads compile.
julia --startup-file=no --project="$work" -e 'using Pkg; Pkg.test(julia_args = `-O0 --compile=min`)'
# One process runs all examples, each as the main program of a module: most of their time is Julia's
# compiler, which has then compiled what they share.
cat >"$work/examples.jl" <<'JULIA'
data, devices = ARGS[1], ARGS[2:end]
examples = device -> ["quickstart" => [device], "custom_kernel" => [device], "tuner" => [device],
                      "heat" => [device], "group" => [device, "2", "10"],
                      "digits" => ["--device", device, "--weights", joinpath(data, "digits", "weights")],
                      "train" => ["--device", device, "--epochs", "1"],
                      "model" => ["--device", device, "--sample", joinpath(data, "model", "sample")]]
for device in devices, (example, arguments) in examples(device)
    println("== ", example, " on ", device)
    append!(empty!(ARGS), arguments)
    place = Core.eval(Main, Expr(:module, true, gensym(example), quote end))
    Base.include(place, joinpath(@__DIR__, "examples", example * ".jl"))
end
touch(joinpath(@__DIR__, "examples.done"))
JULIA
# shellcheck disable=SC2086
julia --startup-file=no -O0 --project="$work" "$work/examples.jl" "$data" $devices
# One that ends the process ends it for the rest as well, and what it exits with may be 0.
if [ ! -e "$work/examples.done" ]; then
  echo "an example ended the process before all had run" >&2
  exit 1
fi
julia --startup-file=no --project="$work" "$work/examples/overhead.jl" "${devices%% *}"
