#!/bin/sh
# Which lines of the parsers the fuzz targets reach: tests/fuzz/coverage.sh [RUNS]
#
# Builds the targets with clang's counters of lines (build/coverage), runs each on its corpus and on
# RUNS mutations of it (100000 when not given), and prints a line per file. Fails where a file has
# less than 95 % of its lines.
set -eu
cd "$(dirname "$0")/../.."
runs=${1:-100000}
build=build/coverage
export CCACHE_SLOPPINESS=pch_defines,time_macros
cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DNETCL_COVERAGE=ON -DNETCL_FUZZ=ON \
  -DNETCL_BUILD_EXAMPLES=OFF -DNETCL_UNITY=32 \
  -DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 >/dev/null
if ! cmake --build $build --target fuzz >$build/build.log 2>&1; then
  tail -n 20 $build/build.log
  exit 1
fi

# The files that take a format apart, and the target that reads it.
parsers="kernel/cache_entry.cpp:cache_entry store/record.cpp:journal
roofline/ceilings.cpp:ceilings tensor/npy.cpp:npy tune/t1.cpp:t1 tune/document.cpp:t1
tune/formula_parse.cpp:formula tune/recording.cpp:recording roofline/csv.cpp:ncu
roofline/ncu.cpp:ncu roofline/ncu_number.cpp:ncu roofline/metrics.cpp:ncu
api/dlpack.cpp:dlpack tune/frame.cpp:worker tune/wire.cpp:worker
tune/wire_structs.cpp:worker tune/worker_reply.cpp:reply
core/json_parse.cpp:all"

folder=$build/fuzz
rm -rf $folder
objects=
for corpus in tests/fuzz/corpus/*; do
  target=fuzz_$(basename "$corpus")
  mkdir -p "$folder/$target"
  NETCL_BACKEND=builtin NETCL_CACHE_DIR=$PWD/$folder/$target/cache \
    LLVM_PROFILE_FILE=$folder/$target.profraw "$build/tests/fuzz/$target" -seed=1 -runs="$runs" \
    -max_len=65536 -verbosity=0 -artifact_prefix=$folder/ "$folder/$target" "$corpus" \
    >"$folder/$target.log" 2>&1 ||
    { tail -n 20 "$folder/$target.log"; exit 1; }
  # The first of them is named without a word.
  objects="$objects ${objects:+-object} $build/tests/fuzz/$target"
done
llvm-profdata merge -o $folder/all.profdata $folder/*.profraw

sources=
for parser in $parsers; do sources="$sources src/${parser%:*}"; done
# shellcheck disable=SC2086
llvm-cov export -summary-only -instr-profile=$folder/all.profdata $objects \
    $sources 2>$folder/cov.log |
  python3 -c '
import json, sys
targets = dict(parser.split(":") for parser in sys.argv[1].split())
form = "%-28s %-12s %7s %8s %8s"
print(form % ("file", "target", "lines", "reached", "percent"))
low = False
for file in json.load(sys.stdin)["data"][0]["files"]:
    name = file["filename"].split("/src/")[-1]
    lines = file["summary"]["lines"]
    low = low or lines["percent"] < 95
    print(form % (name, targets.pop(name), lines["count"], lines["covered"],
                  "%.1f" % lines["percent"]))
sys.exit("below 95 %" if low else "not found: " + ", ".join(targets) if targets else 0)
' "$parsers"
