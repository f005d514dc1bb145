#!/bin/sh
# Checks the Rust binding: bindings/rust/check.sh [--floor] [--memcheck]
#
# Needs NETCL_LIB_DIR (or pkg-config) and the library's folder in LD_LIBRARY_PATH. Builds, lints and
# documents both crates without warnings, runs all tests and examples on the built-in device and
# (unless NETCL_TEST_DEVICES says otherwise) on an OpenCL CPU device, and fails when a function of
# netcl.h is reached by no test. --floor leaves out what only the newest tools agree on: the format.
# --memcheck runs the tests of misuse under valgrind too, on the built-in device. The
# conversions from and to ndarray are checked where cargo finds that crate without a network.
set -eu
cd "$(dirname "$0")"
floor=no memcheck=no
for word; do
  case $word in
    --floor) floor=yes ;;
    --memcheck) memcheck=yes ;;
    *) echo "usage: $0 [--floor] [--memcheck]" >&2 && exit 2 ;;
  esac
done
devices=${NETCL_TEST_DEVICES:-builtin cpu}
calls=$(mktemp)
# The example of the tuner stores what it finds: not among what this user has.
if [ -z "${NETCL_CACHE_DIR:-}" ]; then
  NETCL_CACHE_DIR=$(mktemp -d)
  export NETCL_CACHE_DIR
  trap 'rm -rf "$calls" "$calls.all" "$calls.missing" "$NETCL_CACHE_DIR"' EXIT
else
  trap 'rm -f "$calls" "$calls.all" "$calls.missing"' EXIT
fi

cargo --version
[ $floor = yes ] || cargo fmt --all -- --check
# Clippy 1.63 finds clones redundant that are what a test is about; later ones do not look for them.
cargo clippy --quiet --workspace --all-targets -- -D warnings -A clippy::redundant-clone
RUSTDOCFLAGS="-D warnings" cargo doc --quiet --workspace --no-deps
cargo test --quiet -p netcl-sys
if (cd netcl-ndarray && cargo metadata --offline --format-version 1 >/dev/null 2>&1); then
  (cd netcl-ndarray && cargo test --offline --quiet)
else
  echo "netcl-ndarray is not checked: the crate ndarray is not here"
fi
for device in $devices; do
  echo "== device $device"
  NETCL_TEST_DEVICE=$device NETCL_CALLS_FILE=$calls \
    cargo test --quiet -p netcl --features count-calls
  for example in quickstart custom_kernel tuner digits nbody; do
    cargo run --quiet -p netcl --example $example -- "$device"
  done
done

# Every function of the API lock is reached, or stands in the list with a reason.
sed -n '/^ "functions": {/,/^ }/s/^  "\(netcl_[a-z0-9_]*\)": .*/\1/p' ../../tests/abi/netcl.json |
  sort >"$calls.all"
{ cat "$calls"; sed -n 's/^\(netcl_[a-z0-9_]*\): ..*/\1/p' netcl/tests/uncalled.txt; } | sort -u |
  comm -23 "$calls.all" - >"$calls.missing"
echo "$(sort -u "$calls" | wc -l) of $(wc -l <"$calls.all") functions are called by the tests"
if [ -s "$calls.missing" ]; then
  echo "No test of the safe layer calls:"
  cat "$calls.missing"
  exit 1
fi

if [ $memcheck = yes ]; then
  # Leaks are counted by the tests themselves, by handles; drivers stay out.
  export CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="valgrind --quiet --error-exitcode=9"
  NETCL_BACKEND=builtin NETCL_TEST_DEVICE=builtin \
    cargo test --quiet -p netcl --test safety --test misuse --test tensors -- --test-threads=1
fi
