#!/bin/sh
# Runs one test program on a driver: one.sh FOLDER NAME
#
# FOLDER/environment says which driver it is, FOLDER/programs what to run. What the program writes
# goes to FOLDER/logs/NAME.log, its result to NAME.result: passed, failed or skipped, the seconds it
# took and, in a second line, what was wrong.
set -u
folder=$1
name=$2
export CMOCKA_MESSAGE_OUTPUT=STDOUT
export NETCL_CACHE_DIR="$folder/caches/$name"
mkdir -p "$NETCL_CACHE_DIR"
limit=600
# shellcheck disable=SC1091
. "$folder/environment"
log=$folder/logs/$name.log
tab=$(printf '\t')
command=$(sed -n "s/^$name$tab//p" "$folder/programs")

# timeout gives the program a process group of its own, which an interrupt does not reach.
running=
trap '[ -z "$running" ] || kill "$running" 2>/dev/null; exit 1' HUP INT TERM
started=$(date +%s)
timeout -k 10 "$limit" sh -c "$command" >"$log" 2>&1 </dev/null &
running=$!
wait "$running"
status=$?
seconds=$(($(date +%s) - started))

# The cases that failed, and what the first of them said.
reason() {
  cases=$(sed -n 's/^\[  \(FAILED\|ERROR \)  \] \([a-z][a-z0-9_]*\)$/\2/p' "$log" |
    awk '!seen[$0]++ {if (++n <= 4) printf("%s%s", (n > 1 ? ", " : ""), $0)}
         END {if (n > 4) printf(" and %d more", n - 4)}')
  said=$(awk '/^\[ +(RUN|OK|SKIPPED)/ {line = ""; next}
              /^\[  (ERROR |FAILED)/ {
                if (line == "" && / --- [^[]/) {sub(/.* --- /, ""); line = $0}
                print line
                exit
              }
              !/^(\[|skipped)/ && line == "" {line = $0}' "$log")
  case $status in
    124 | 137) said="got no further for $limit s; in $(tail -n 1 "$log")" ;;
    129 | 13? | 14?) said="ended by signal $((status - 128)); $(tail -n 1 "$log")" ;;
    *) [ -n "$said" ] || said="status $status: $(tail -n 1 "$log")" ;;
  esac
  echo "${cases:+$cases: }$said" | tr -cd '[:print:]' | cut -c1-240
}

reported=
command -v driver_reports >/dev/null && reported=$(driver_reports "$log")
if [ "$status" = 77 ]; then
  { echo "skipped $seconds"; grep -i '^ *skip' "$log" | head -n 1; } >"$folder/logs/$name.result"
elif [ "$status" = 0 ] && [ -z "$reported" ]; then
  echo "passed $seconds" >"$folder/logs/$name.result"
else
  if [ "$status" = 0 ]; then why=$reported; else why=$(reason); fi
  { echo "failed $seconds"; echo "$why"; } >"$folder/logs/$name.result"
fi
echo "   $(head -n 1 "$folder/logs/$name.result") $name"
