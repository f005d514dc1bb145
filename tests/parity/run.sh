#!/bin/sh
# The same vectors and the same program in C, Rust, Go and Julia: tests/parity/run.sh [--full]
#
# Needs the library: PKG_CONFIG_PATH (or it is installed), and its folder in LD_LIBRARY_PATH. Runs
# the languages whose tools are there, on the built-in device and (unless NETCL_TEST_DEVICES says
# otherwise) on an OpenCL CPU device, and fails when a result is not the expected one, is further
# from double precision than netcl.h allows, or is not the same bits in all languages, or where the
# losses of group_train differ by more than 1e-9 of the first one. --full runs
# all cases on OpenCL devices too. NETCL_GO names another go. Nothing is fetched, and nothing is
# written but to a temporary folder (and NETCL_CACHE_DIR, POCL_CACHE_DIR, CARGO_TARGET_DIR, GOCACHE,
# where they are set).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
. "$root/bindings/julia/backtraces.sh"
full=no
[ "${1:-}" = --full ] && full=yes
devices=${NETCL_TEST_DEVICES:-builtin cpu}
go=${NETCL_GO:-go}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -m 700 "$work/cache" "$work/pocl"
mkdir "$work/c"
export NETCL_CACHE_DIR="${NETCL_CACHE_DIR:-$work/cache}"
export POCL_CACHE_DIR="${POCL_CACHE_DIR:-$work/pocl}"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$work/rust}" CARGO_NET_OFFLINE=true
export GOPROXY=off GOTOOLCHAIN=local GOFLAGS=-buildvcs=false NETCL_TUNE=off
# Go's cache does not see that a C header has changed where it lies.
header=$(pkg-config --variable=includedir netcl)/netcl.h
CGO_CFLAGS="${CGO_CFLAGS:--O2 -g} -DNETCL_HEADER_SUM=$(cksum <"$header" | cut -d ' ' -f 1)"
export CGO_CFLAGS
# Julia compiles what is in here once, and finds the library where the linker does.
export JULIA_DEPOT_PATH="$work/depot"
NETCL_LIB_DIR=${NETCL_LIB_DIR:-$(pkg-config --variable=libdir netcl)}
export NETCL_LIB_DIR

python3 "$here/vectors.py" --check

languages=c
# shellcheck disable=SC2046
for program in "$here/parity.c $here/lines.c $here/ops.c" "$root/examples/fingerprint.c" \
  "$root/examples/group/group_train.c -D_GNU_SOURCE -pthread -lm"; do
  # shellcheck disable=SC2086
  ${CC:-cc} -std=c99 -O1 -Wall -Wextra $program -o "$work/c/$(basename "${program%% *}" .c)" \
    $(pkg-config --cflags --libs netcl)
done
if command -v cargo >/dev/null 2>&1; then
  languages="$languages rust"
  cargo build --quiet --manifest-path "$here/rust/Cargo.toml"
  cargo build --quiet --manifest-path "$root/bindings/rust/Cargo.toml" -p netcl \
    --example fingerprint --example group_train
else
  echo "Rust is left out: there is no cargo in PATH"
fi
if command -v "$go" >/dev/null 2>&1; then
  languages="$languages go"
  (cd "$here/go" && "$go" build -o "$work/go-parity" .)
  (cd "$root/bindings/go" && "$go" build -o "$work/go-fingerprint" ./examples/fingerprint &&
    "$go" build -o "$work/go-group_train" ./examples/grouptrain)
else
  echo "Go is left out: there is no $go"
fi
if command -v julia >/dev/null 2>&1; then
  languages="$languages julia"
else
  echo "Julia is left out: there is no julia in PATH"
fi

# run PROGRAM LANGUAGE ARGUMENT ...
run() {
  program=$1
  language=$2
  shift 2
  case $language in
    c) "$work/c/$program" "$@" ;;
    go) "$work/go-$program" "$@" ;;
    rust)
      [ "$program" = parity ] || program=examples/$program
      "$CARGO_TARGET_DIR/debug/$program" "$@" ;;
    julia)
      file=$here/$program.jl
      [ "$program" = parity ] || file=$root/bindings/julia/examples/$program.jl
      julia --startup-file=no -O0 --project="$root/bindings/julia" "$file" "$@" ;;
  esac
}

recorded=$root/tests/recordings/torch_gradients.txt
failed=no
for device in $devices; do
  cp "$here/vectors.txt" "$work/vectors.txt"
  if [ "$device" != builtin ] && [ $full = no ]; then
    awk '/^case /{keep = $3 != "full"} keep' "$here/vectors.txt" >"$work/vectors.txt"
  fi
  for language in $languages; do
    started=$(date +%s)
    out=$work/$device-$language
    if ! run parity "$language" "$work/vectors.txt" "$device" >"$out"; then
      echo "$language on $device FAILED"
      failed=yes
    fi
    if ! run fingerprint "$language" "$device" >"$out-fingerprint"; then
      echo "the example fingerprint in $language on $device FAILED"
      failed=yes
    fi
    # test_recorded_gradients says whether these are right; here they have the same bits.
    if ! run parity "$language" "$recorded" "$device" >"$out-recorded"; then
      echo "the recorded gradients in $language on $device FAILED"
      failed=yes
    fi
    if [ "$language" = c ]; then
      python3 "$here/vectors.py" --judge "$work/vectors.txt" "$out" || failed=yes
    fi
    for result in "$out" "$out-fingerprint" "$out-recorded"; do
      first=$work/$device-c${result#"$work/$device-$language"}
      if ! cmp -s "$first" "$result"; then
        echo "$language on $device prints other bits than C:"
        diff "$first" "$result" | cut -c 1-200 | head -n 6 || true
        failed=yes
      fi
    done
    count=$(cat "$out" "$out-recorded" | wc -l)
    echo "$device: $language gave $count results in $(($(date +%s) - started)) s"
  done
  cat "$work/$device-c-fingerprint"
done

# Training over a group of four processes: the same losses.
device=${devices%% *}
for language in $languages; do
  if ! (
    [ "$language" != julia ] || mend_backtraces "$work"
    run group_train "$language" --device "$device" --ranks 4 --dtype f64 --steps 4 \
      --losses "$work/losses-$language"
  ) >"$work/out"; then
    cat "$work/out"
    echo "group_train in $language on $device FAILED"
    failed=yes
  fi
done
losses=
for language in $languages; do
  losses="$losses $language=$work/losses-$language"
done
# shellcheck disable=SC2086
python3 "$here/losses.py" $losses || failed=yes

# What would not notice a wrong bit proves nothing: one expected bit of the first case is changed,
# and one digit of a result that has bounds.
awk '/^case /{++cases}
     cases != 1 {next}
     /^result .*bits=/ && !done {done = 1; sub(/.$/, /0$/ ? "1" : "0")}
     {print}' "$here/vectors.txt" >"$work/wrong.txt"
device=${devices%% *}
for language in $languages; do
  if run parity "$language" "$work/wrong.txt" "$device" >"$work/out" 2>"$work/err" ||
     ! grep -q 'has to be' "$work/err"; then
    echo "$language does not notice a wrong bit"
    failed=yes
  fi
done
python3 - "$work/losses-c" "$work/losses-wrong" <<'PYTHON'
import array, sys
losses = array.array("d", open(sys.argv[1], "rb").read())
losses[-1] += 1.1e-9 * losses[0]
open(sys.argv[2], "wb").write(losses.tobytes())
PYTHON
if python3 "$here/losses.py" "c=$work/losses-c" "wrong=$work/losses-wrong" >"$work/err"; then
  echo "a wrong loss is not noticed"
  failed=yes
fi
sed 's/^\(matmul-f32 plain ......\)../\17f/' "$work/$device-c" >"$work/out"
if python3 "$here/vectors.py" --judge "$here/vectors.txt" "$work/out" >"$work/err"; then
  echo "a wrong digit of a product is not noticed"
  failed=yes
fi
[ $failed = no ]
