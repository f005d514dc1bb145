#!/bin/sh
# Checks the Rust binding: bindings/rust/check.sh [--floor]
#
# Needs NETCL_LIB_DIR (or pkg-config) and the library's folder in LD_LIBRARY_PATH. Builds, lints and
# documents both crates without warnings, runs all tests and examples on the built-in device and
# (unless NETCL_TEST_DEVICES says otherwise) on an OpenCL CPU device, and fails when a function of
# netcl.h is reached by no test. --floor leaves out what only the newest tools agree on: the format.
set -eu
cd "$(dirname "$0")"
floor=no
[ "${1:-}" = --floor ] && floor=yes
devices=${NETCL_TEST_DEVICES:-builtin cpu}
calls=$(mktemp)
trap 'rm -f "$calls" "$calls.all" "$calls.missing"' EXIT

cargo --version
[ $floor = yes ] || cargo fmt --all -- --check
cargo clippy --quiet --workspace --all-targets -- -D warnings
RUSTDOCFLAGS="-D warnings" cargo doc --quiet --workspace --no-deps
cargo test --quiet -p netcl-sys
for device in $devices; do
  echo "== device $device"
  NETCL_TEST_DEVICE=$device NETCL_CALLS_FILE=$calls \
    cargo test --quiet -p netcl --features count-calls
  for example in quickstart custom_kernel nbody; do
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
