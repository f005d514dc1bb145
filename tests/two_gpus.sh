#!/bin/sh
# Runs what needs two GPUs of one host: tests/two_gpus.sh [OPTION...] BUILD [SELECTOR SELECTOR]
#
# BUILD is a folder of cmake in which the programs are built already (ninja, with
# -DNETCL_BUILD_BENCH=ON for the benchmarks); no compiler is needed. The selectors are those of
# netcl_device_open; without them the first two GPUs that the netcl command lists are taken. Two CPU
# devices ("cpu cpu", "builtin builtin") do as well, to try the script itself.
#   --parts LIST    of "tests peers nccl gpus torch examples bench", with spaces between
#   --filter REGEX  only what has a name that the extended expression matches
#   --jobs N        so many programs at a time, benchmarks one; 5, since GPUs go from one to another
#                   slowly
#   --each SECONDS  that one program may take; 200
#   --all SECONDS   that all may take; 900
#   --logs FOLDER   where their output goes; a new folder in TMPDIR
# PYTHON is a python with torch and CUDA; NETCL_NCCL_LIBRARY names libnccl.so.2, that of torch if it
# is not set. The exit status is 0 when all has passed, 1 when a program failed, 2 for wrong
# arguments, and 3 when none failed but some could not be run or had no time left.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)

# One program: PART NAME SETTINGS COMMAND..., where the settings are NAME=VALUE or -
run_one() {
  part=$1 name=$2 settings=$3
  shift 3
  [ "$settings" != - ] || settings=
  log=$TWO_GPUS_LOGS/$part.$name.log
  row() { printf '%-9s %-34s %-8s %7s ms %3s ok %3s skipped\n' "$part" "$name" "$@"; }
  left=$((TWO_GPUS_END - $(date +%s)))
  [ "$left" -le "$TWO_GPUS_EACH" ] || left=$TWO_GPUS_EACH
  if [ "$left" -le 0 ]; then
    row "no time" 0 0 0 >> "$TWO_GPUS_LOGS/table"
    return 0
  fi
  caches=$TWO_GPUS_LOGS/caches/$part.$name
  mkdir -p "$caches" && chmod 700 "$caches"
  begin=$(date +%s%N)
  (
    cd "$caches" || exit 1
    export NETCL_CACHE_DIR="$caches"
    # shellcheck disable=SC2086 # NAME=VALUE, without spaces in it
    exec timeout -k 5 "$left" env $settings "$@"
  ) > "$log" 2>&1 < /dev/null
  status=$?
  case $status in
    0) result=passed ;;
    77) result=skipped ;;
    124 | 137) result=late ;;
    *) result="rc $status" ;;
  esac
  row "$result" $((($(date +%s%N) - begin) / 1000000)) "$(grep -c '\[       OK' "$log")" \
    "$(grep -c '\[  SKIPPED' "$log")" >> "$TWO_GPUS_LOGS/table"
  return 0
}

if [ "${1-}" = --one ]; then
  shift
  run_one "$@"
  exit
fi

usage() {
  echo "usage: tests/two_gpus.sh [--parts LIST] [--filter REGEX] [--jobs N] [--each SECONDS]" \
    "[--all SECONDS] [--logs FOLDER] BUILD [SELECTOR SELECTOR]" >&2
  exit 2
}
number() {
  case $1 in
    '' | *[!0-9]* | 0) usage ;;
  esac
}

parts="tests peers nccl gpus torch examples bench"
filter=
jobs=5
each=200
all=900
logs=
while [ $# != 0 ]; do
  case $1 in
    --parts | --filter | --jobs | --each | --all | --logs)
      [ $# -ge 2 ] || usage
      case $1 in
        --parts) parts=$2 ;;
        --filter) filter=$2 ;;
        --jobs) jobs=$2 ;;
        --each) each=$2 ;;
        --all) all=$2 ;;
        --logs) logs=$2 ;;
      esac
      shift 2
      ;;
    -*) usage ;;
    *) break ;;
  esac
done
[ $# = 1 ] || [ $# = 3 ] || usage
number "$jobs"
number "$each"
number "$all"
for part in $parts; do
  case $part in
    tests | peers | nccl | gpus | torch | examples | bench) ;;
    *) usage ;;
  esac
done
build=$(cd "$1" 2> /dev/null && pwd) || usage
[ -e "$build/libnetcl.so" ] || { echo "two_gpus.sh: $build has no libnetcl.so" >&2; exit 2; }
export LD_LIBRARY_PATH="$build${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
if [ $# = 3 ]; then
  first=$2 second=$3
else
  # shellcheck disable=SC2046 # two words
  set -- $("$build/netcl" info --json 2> /dev/null | "${PYTHON:-python3}" -c '
import json, sys
gpus = [d for d in json.load(sys.stdin)["devices"] if d["type"] == "GPU"]
print(*["%d:%d" % (d["platform_index"], d["device_index"]) for d in gpus[:2]])' 2> /dev/null)
  [ $# = 2 ] || { echo "two_gpus.sh: there are no two GPUs; name two devices" >&2; exit 2; }
  first=$1 second=$2
fi
python=${PYTHON:-python3}
if [ -z "${NETCL_NCCL_LIBRARY-}" ]; then
  found=$("$python" -c 'import nvidia.nccl as n; print(list(n.__path__)[0] + "/lib/libnccl.so.2")' \
    2> /dev/null)
  [ ! -e "$found" ] || export NETCL_NCCL_LIBRARY="$found"
fi
[ -n "$logs" ] || logs=$(mktemp -d "${TMPDIR:-/tmp}/two_gpus.XXXXXX") || exit 1
mkdir -p "$logs" || exit 1
TWO_GPUS_LOGS=$(cd "$logs" && pwd)
TWO_GPUS_EACH=$each
TWO_GPUS_END=$(($(date +%s) + all))
export TWO_GPUS_LOGS TWO_GPUS_EACH TWO_GPUS_END
export NETCL_TEST_DEVICE="$first" NETCL_TEST_GROUP_DEVICES="$first $second"
export CMOCKA_MESSAGE_OUTPUT=STDOUT
# As root and with few processors Open MPI runs when it is told so.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1
: > "$TWO_GPUS_LOGS/table"

# Lists a program to be run; what is not there is said in the table.
add() { # PART NAME SETTINGS PROGRAM ARGUMENTS...
  if [ -n "$filter" ] && ! echo "$2" | grep -qE -- "$filter"; then return; fi
  if ! command -v "$4" > /dev/null 2>&1; then
    printf '%-9s %-34s %-8s %s\n' "$1" "$2" missing "$4" >> "$TWO_GPUS_LOGS/table"
    return
  fi
  for word; do printf '%s\0' "$word"; done > "$list/$(printf '%04d' "$count")"
  count=$((count + 1))
}

add_tests() { # PART SETTINGS NAME...
  part=$1 settings=$2
  shift 2
  for name; do add "$part" "$name" "$settings" "$build/tests/test_$name"; done
}

tests="group group_counts group_errors group_graph group_graph_bad group_graph_primitive
  group_graph_runs group_join group_kill group_local group_loss group_meet group_parts group_peers
  group_pieces group_split reducer reducer_errors reducer_rooms sharded sharded_errors sharded_halo
  sharded_matmul sharded_ops peers copies copies_order sharing sharing_cuda sharing_hostile
  sharing_processes dlpack"
# With more ranks than GPUs a group cannot go by NCCL, which takes each once.
nccl_tests="group_graph group_graph_runs reducer"
peers_tests="group group_errors group_graph group_graph_runs group_kill group_parts group_pieces
  group_split reducer reducer_errors reducer_rooms"

add_part() {
  pair="--device $first --device $second"
  # shellcheck disable=SC2086 # lists of words
  case $1 in
    tests) add_tests tests - $tests ;;
    peers) add_tests peers NETCL_TEST_TRANSPORT=peers $peers_tests ;;
    nccl) add_tests nccl NETCL_TEST_TRANSPORT=nccl $nccl_tests ;;
    gpus)
      for way in peers nccl; do
        add gpus "group_gpus.$way" NETCL_TEST_TRANSPORT=$way "$build/tests/test_group_gpus"
      done
      add_tests gpus NETCL_TEST_TRANSPORT=peers group_gpus_killed
      ;;
    torch) add torch torch_shares - "$python" "$root/tests/share/torch_shares.py" \
      "$build/libnetcl.so" ;;
    examples)
      for name in group group_layers group_product group_train; do
        program=$build/examples/$name
        add examples "$name.processes" - "$program" --ranks 2 $pair
        add examples "$name.threads" - "$program" --threads --ranks 2 $pair
        add examples "$name.mpirun" - mpirun -np 2 "$program" --mpi $pair
      done
      ;;
    bench)
      add bench bench_gpus - "$python" "$root/tests/bench/bench_gpus.py" "$build/libnetcl.so" \
        "$first" "$second"
      add bench bench_heat_group - "$build/tests/bench_heat_group" 9 "$first" "$second"
      add bench bench_data_parallel - "$build/tests/bench_data_parallel" 9 "$first" "$second" -- \
        "$python" "$root/tests/bench/bench_data_parallel.py" 2
      ;;
  esac
}

# A job for each file of the list, which has the arguments of run_one.
run_list() {
  # shellcheck disable=SC2016 # for the inner shell
  find "$list" -type f | sort | xargs -r -P "$1" -I '{}' \
    sh -c 'xargs -0 sh "$1" --one < "$2"' sh "$root/tests/two_gpus.sh" '{}'
  rm -rf "$list"
}

# The benchmarks have the GPUs to themselves.
for turn in others bench; do
  list=$TWO_GPUS_LOGS/list
  count=0
  mkdir -p "$list"
  for part in $parts; do
    if [ "$part" = bench ] && [ "$turn" = bench ]; then
      add_part "$part"
    elif [ "$part" != bench ] && [ "$turn" != bench ]; then
      add_part "$part"
    fi
  done
  if [ "$turn" = bench ]; then run_list 1; else run_list "$jobs"; fi
done

for log in "$TWO_GPUS_LOGS"/bench.*.log; do
  [ ! -e "$log" ] || { echo "== $(basename "$log" .log)"; cat "$log"; }
done
# What went wrong, and then the table.
grep -E ' (rc [0-9]+|late) ' "$TWO_GPUS_LOGS/table" | while read -r part name rest; do
  echo "== $part.$name: $rest"
  grep -E 'FAILED|ERROR|[Ee]rror:|rank [0-9]+ of' "$TWO_GPUS_LOGS/$part.$name.log" | head -8
done
echo "== $first and $second, logs in $TWO_GPUS_LOGS"
sort "$TWO_GPUS_LOGS/table"
grep -qE ' (rc [0-9]+|late) ' "$TWO_GPUS_LOGS/table" && exit 1
grep -qE ' (missing|no time) ' "$TWO_GPUS_LOGS/table" && exit 3
[ -s "$TWO_GPUS_LOGS/table" ] || { echo "two_gpus.sh: nothing was to run" >&2; exit 2; }
exit 0
