#!/bin/sh
# Checks the Julia binding: bindings/julia/check.sh
#
# Needs julia (1.5 or later) and the library: NETCL_LIBRARY, NETCL_LIB_DIR, or installed. Runs all
# tests and examples on the built-in device and (unless NETCL_TEST_DEVICES says otherwise) those that
# ask for the device on an OpenCL CPU device, with NETCL_TEST_FULL=1 all of them there too; the tests
# fail when a function of netcl.h is reached by none of them. What runs by
# mpirun is left out where there is no MPI. No network is used, and nothing is written but to a
# temporary folder.
set -eu
cd "$(dirname "$0")"
. ../mpi.sh
. ./backtraces.sh
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
cp -R Project.toml METHODS.md src ext test examples "$work/"

julia --version
mend_backtraces "$work"

lock=$PWD/../../tests/abi/netcl.json
data=$PWD/../../examples
export NETCL_TEST_DEVICES="$devices" NETCL_TEST_LOCK="$lock"
# Most of a test runs once, so it is interpreted; those of finalizers and threads compile.
# shellcheck disable=SC2016 # backticks are Julia's
julia --startup-file=no --project="$work" -e 'using Pkg; Pkg.test(julia_args = `-O0 --compile=min`)'
# One process runs all examples, each as the main program of a module: most of their time is Julia's
# compiler, which has then compiled what they share.
cat >"$work/examples.jl" <<'JULIA'
data, devices = ARGS[1], ARGS[2:end]
# Two ranks as threads, of f32, as below they are of f64; some builds of Julia have no more threads than there are processors.
function group(device)
    Threads.nthreads() > 1 || return (println("one thread: no group of several"); [])
    ranks = ["--device", device, "--ranks", "2", "--threads"]
    return ["group" => [ranks; "10"], "group_train" => ranks]
end
whole(device) = device == devices[1] || haskey(ENV, "NETCL_TEST_FULL")
of_kernels(device) = ["quickstart" => [device], "custom_kernel" => [device], "tuner" => [device],
                      "cookbook" => [device, data]]
others(device) = ["heat" => [device], group(device)...,
                  "digits" => ["--device", device, "--weights", joinpath(data, "digits", "weights")],
                  "train" => ["--device", device, "--epochs", "1"],
                  "model" => ["--device", device, "--sample", joinpath(data, "model", "sample")]]
examples(device) = whole(device) ? [of_kernels(device); others(device)] : of_kernels(device)
for device in devices, (example, arguments) in examples(device)
    println("== ", example, " on ", device)
    append!(empty!(ARGS), arguments)
    place = Core.eval(Main, Expr(:module, true, gensym(example), quote end))
    Base.include(place, joinpath(@__DIR__, "examples", example * ".jl"))
end
touch(joinpath(@__DIR__, "examples.done"))
JULIA
# shellcheck disable=SC2086
julia -t 2 --startup-file=no -O0 --project="$work" "$work/examples.jl" "$data" $devices
# One that ends the process ends it for the rest as well, and what it exits with may be 0.
if [ ! -e "$work/examples.done" ]; then
  echo "an example ended the process before all had run" >&2
  exit 1
fi
# Ranks as processes, and as those of mpirun, one program each, since every rank compiles for itself; with
# NETCL_TEST_FULL=1 both programs both ways.
first=${devices%% *}
last=${devices##* }
full=${NETCL_TEST_FULL:-}
plate="julia --startup-file=no --compile=min --project=$work $work/examples/group.jl"
train="julia --startup-file=no -O0 --project=$work $work/examples/group_train.jl --dtype f64 --steps 4"
echo "== ranks as processes on $last"
# shellcheck disable=SC2086
must_fail $plate --device "there is none" --ranks 2
mpi=yes
with_mpi || mpi=
if [ -z "$mpi" ] || [ -n "$full" ]; then
  $train --device "$last" --ranks 3
fi
$plate --device "$last" --ranks 4 10
if [ -n "$mpi" ]; then
  # shellcheck disable=SC2086
  by_mpi 2 $train --mpi --ranks 2 --device "$first"
  # shellcheck disable=SC2086
  [ -z "$full" ] || by_mpi 3 $plate --mpi --ranks 3 --device "$first" 10
fi
julia --startup-file=no --project="$work" "$work/examples/overhead.jl" "$first" 11
