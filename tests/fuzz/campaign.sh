#!/bin/sh
# Runs every fuzz target: tests/fuzz/campaign.sh SECONDS [JOBS] [BUILD]
#
# Takes the targets of BUILD (build/asan when not given), runs JOBS at a time for SECONDS each, and
# prints a line per target: "fuzz_NAME: N inputs", or what was found. What reaches new code is
# kept in build/found, from which a later run goes on. Fails when a target did.
set -u
cd "$(dirname "$0")/../.." || exit 1
seconds=$1
jobs=${2:-$(nproc)}
build=${3:-build/asan}
logs=build/logs
mkdir -p $logs

# Leaves its exit status in a file. New inputs go to the first folder, the seeds are only read.
fuzz() {
  name=fuzz_$1
  found=build/found/$name
  mkdir -p "$found" "$found-crashes" "build/found/caches/$name"
  NETCL_BACKEND=builtin NETCL_CACHE_DIR=$PWD/build/found/caches/$name \
    "$build/tests/fuzz/$name" -max_len=65536 -timeout=10 -rss_limit_mb=2048 \
    -max_total_time="$seconds" -artifact_prefix="$found-crashes/" -verbosity=0 \
    -print_final_stats=1 "$found" "tests/fuzz/corpus/$1" >"$logs/$name.log" 2>&1
  echo $? >"$logs/$name.status"
}

targets=$(cd tests/fuzz/corpus && echo *)
rm -f $logs/fuzz_*.status
running=0
for target in $targets; do
  fuzz "$target" &
  running=$(((running + 1) % jobs))
  [ $running = 0 ] && wait
done
wait
result=0
for target in $targets; do
  name=fuzz_$target
  if [ "$(cat "$logs/$name.status" 2>&1)" = 0 ]; then
    echo "$name: $(sed -n 's/.*number_of_executed_units: *//p' "$logs/$name.log") inputs"
  else
    result=1
    tail -n 40 "$logs/$name.log"
    echo "$name FAILED"
  fi
done
exit $result
