#!/bin/sh
# Runs examples/run.sh in a copy of the checkout: tests/examples_run.sh QUICKSTART
#
# What it writes has to lie under build/, wherever it is called from. QUICKSTART is the program,
# built before: the copy has nothing to install or to build.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
logs=$(mktemp -d)
trap 'rm -rf "$work" "$logs"' EXIT
copy=$work/netcl
mkdir -p "$copy/examples" "$copy/scripts" "$copy/build/examples/examples" "$work/bin" "$work/away"
cp "$root/examples/run.sh" "$copy/examples/"
cp "$root/scripts/packages.sh" "$copy/scripts/"
echo 'need() { :; }' >>"$copy/scripts/packages.sh"
ln -s "$1" "$copy/build/examples/examples/quickstart"
printf '#!/bin/sh\n' >"$work/bin/cmake"
chmod +x "$work/bin/cmake"
PATH=$work/bin:$PATH

outside() { find "$work" -path "$copy/build" -prune -o -print | sort; }

failed=0
outside >"$logs/before"
for folder in "$copy" "$copy/examples" "$work/away"; do
  if ! (cd "$folder" && sh "$copy/examples/run.sh" --device builtin) >"$logs/run" 2>&1; then
    cat "$logs/run"
    failed=1
  fi
  if ! outside | diff "$logs/before" -; then
    echo "left outside of build/ by a run in $folder"
    failed=1
  fi
  if [ -z "$(find "$copy/build" -name 'edges.p*')" ]; then
    echo "no picture in build/ after a run in $folder"
    failed=1
  fi
  rm -f "$copy"/build/edges.*
done
exit $failed
