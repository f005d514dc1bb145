#!/bin/sh
# Runs the test programs on OpenCL drivers: tests/drivers.sh [OPTION...] [NAME...]
#
# Sets each driver up by itself (Debian packages, Python wheels, a chroot of Debian 13) in
# build/drivers, runs on it what ctest runs on PoCL, and ends with a table. Without names all are
# run. docs/drivers.md says what they are and what is known of them.
#   --list          names the drivers and ends
#   --filter REGEX  only programs whose names the extended expression matches
#   --jobs N        so many programs at a time; as many as there are processors
#   --no-build      takes build/release as it is
# The exit status is 0 when all that was to run has passed, 1 when a program failed, 2 for wrong
# arguments, and 3 when none failed but a driver could not be set up, which the table then says.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
. scripts/packages.sh
. tests/drivers/setup.sh

usage() {
  echo "usage: tests/drivers.sh [--list] [--filter REGEX] [--jobs N] [--no-build] [NAME...]"
  echo "names: $DRIVERS"
  exit 2
}

filter=
jobs=$(nproc)
build=yes
names=
while [ $# != 0 ]; do
  case $1 in
    --list)
      for name in $DRIVERS; do printf '%-10s %s\n' "$name" "$(about "$name")"; done
      exit 0
      ;;
    --filter | --jobs)
      [ $# -ge 2 ] || usage
      if [ "$1" = --filter ]; then filter=$2; else jobs=$2; fi
      shift
      ;;
    --no-build) build=no ;;
    *)
      case " $DRIVERS " in
        *" $1 "*) names="$names $1" ;;
        *) usage ;;
      esac
      ;;
  esac
  shift
done
case $jobs in
  '' | *[!0-9]* | 0) usage ;;
esac
echo x | grep -qE -- "$filter" || [ $? = 1 ] || usage
[ -n "$names" ] || names=$DRIVERS

state=$root/build/drivers
mkdir -p "$state"
# Several runs, of different drivers, may go on at once.
results=$(mktemp -d "$state/run.XXXXXX") || exit 1
table=$results/table
failures=$results/failures
: >"$table"
: >"$failures"
running=
leave() {
  rm -rf "$results"
  # What runs is a session of its own, whose members are ended together.
  [ -z "$running" ] || kill -- "-$running" 2>/dev/null
}
trap leave EXIT
trap 'exit 1' HUP INT TERM

if [ $build = yes ]; then
  # shellcheck disable=SC2086
  need $BUILD_PACKAGES $TEST_PACKAGES || exit 1
  echo "== building"
  if ! { cmake --preset release && cmake --build build/release -j "$jobs"; } \
       >"$state/build.log" 2>&1; then
    grep -E 'error|undefined reference|FAILED' "$state/build.log" | head -n 20
    echo "the build failed; all of it is in build/drivers/build.log"
    exit 1
  fi
fi
python3 tests/drivers/programs.py build/release >"$results/programs" || exit 1
if [ -z "${NETCL_TEST_SEED:-}" ]; then
  NETCL_TEST_SEED=$(date +%s)
  export NETCL_TEST_SEED
fi
echo "NETCL_TEST_SEED=$NETCL_TEST_SEED"

# Replaces this shell by a command where programs of the driver $name run.
on_driver() {
  if command -v "enter_$name" >/dev/null; then "enter_$name" "$@"; else exec "$@"; fi
}

not_run() {
  echo "   not run: $1"
  printf '%s\tnot run: %s\t\t\t\t\t\n' "$name" "$1" >>"$table"
}

# What the library says of the driver's device: the version of its driver, a tab and its name.
describe() {
  # shellcheck disable=SC2016
  (on_driver sh -c '. "$1/environment" && exec "$2"' _ "$folder" \
     "$root/build/release/tests/device_backend") >"$folder/device" 2>&1 || return 1
  awk -F '\t' 'NF == 3 {print $3 "\t" $2}' "$folder/device"
}

add_up() {
  while read -r program; do
    result=$folder/logs/$program.result
    [ -s "$result" ] || { echo "failed 0"; echo "it was not run to its end"; } >"$result"
    sed "1s/^/$program /;2s/^/: /" "$result"
  done <"$folder/names" | awk -v driver="$name" -v failures="$failures" '
    /^: / {if (last == "failed") print "   " driver " " program $0 >> failures; next}
    {program = $1; last = $2; count[$2]++}
    END {printf "%d\t%d\t%d", count["passed"], count["failed"], count["skipped"]}'
}

run_driver() {
  folder=$state/$name
  echo "== $name: $(about "$name")"
  mkdir -p "$folder"
  why=
  "set_up_$name" || { not_run "${why:-it cannot be set up}"; return; }
  device=$(describe) || { not_run "$(head -n 1 "$folder/device")"; return; }
  programs_of "$name" <"$results/programs" |
    awk -F '\t' -v filter="$filter" '$1 ~ filter' >"$folder/programs"
  cut -f 1 "$folder/programs" >"$folder/names"
  [ -s "$folder/names" ] || { not_run "no program of it has such a name"; return; }
  rm -rf "$folder/logs" "$folder/caches"
  mkdir -p "$folder/logs"
  started=$(date +%s)
  on_driver setsid xargs -P "$jobs" -n 1 sh "$root/tests/drivers/one.sh" "$folder" \
    <"$folder/names" &
  running=$!
  wait "$running"
  running=
  printf '%s\t%s\t%s\t%d\n' "$name" "$device" "$(add_up)" $(($(date +%s) - started)) >>"$table"
}

for name in $names; do run_driver; done

echo
{
  printf 'driver\tversion\tdevice\tpassed\tfailed\tskipped\tseconds\n'
  cat "$table"
} | awk -F '\t' '
  {for (i = 1; i <= NF; i++) {
     cell[NR, i] = $i
     if (length($i) > width[i] && $2 !~ /^not run/) width[i] = length($i)}
   fields[NR] = NF}
  END {for (row = 1; row <= NR; row++) {
         line = ""
         for (i = 1; i <= fields[row]; i++) line = line sprintf("%-*s  ", width[i], cell[row, i])
         sub(/ +$/, "", line)
         print line}}'
cat "$failures"
[ ! -s "$failures" ] || exit 1
! grep -q 'not run' "$table" || exit 3
