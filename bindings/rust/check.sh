#!/bin/sh
# Checks the Rust binding: bindings/rust/check.sh [--floor] [--memcheck] [--fetch]
#
# Needs NETCL_LIB_DIR (or pkg-config) and the library's folder in LD_LIBRARY_PATH. Builds, lints and
# documents both crates without warnings, runs all tests and examples on the built-in device and
# (unless NETCL_TEST_DEVICES says otherwise) the tests and the examples of kernels on an OpenCL CPU
# device, with NETCL_TEST_FULL=1 all of it there too, and fails when a function of netcl.h is reached
# by no test. The tests run under AddressSanitizer too, on the built-in device, where the compiler has
# its runtime. --floor leaves out what only the newest tools have or agree on:
# that, and the format.
# --memcheck runs the tests of misuse under valgrind too, on the built-in device. The features
# "ndarray", "half" and "bytemuck" are checked where cargo finds these crates without a network (cargo
# fetch in a crate that has them); here empty crates stand in for them (see Cargo.toml), so this is
# done in a copy that has none, and so is "cargo package", which builds both crates as they would be
# published. --fetch fetches the three crates first, in versions that Rust 1.63 takes, and fails where
# it cannot, and those of with_mpi, which is built and run where cargo finds the crate mpi. What runs
# by mpirun is left out where there is no MPI.
set -eu
cd "$(dirname "$0")"
. ../mpi.sh
floor=no memcheck=no fetch=no
for word; do
  case $word in
    --floor) floor=yes ;;
    --memcheck) memcheck=yes ;;
    --fetch) fetch=yes ;;
    *) echo "usage: $0 [--floor] [--memcheck] [--fetch]" >&2 && exit 2 ;;
  esac
done
devices=${NETCL_TEST_DEVICES:-builtin cpu}
# What the binding does is the same on further devices; there is what they have more.
first=${devices%% *}
whole() { [ "$1" = "$first" ] || [ -n "${NETCL_TEST_FULL:-}" ]; }
calls=$(mktemp)
# The example of the tuner stores what it finds: not among what this user has.
if [ -z "${NETCL_CACHE_DIR:-}" ]; then
  NETCL_CACHE_DIR=$(mktemp -d)
  export NETCL_CACHE_DIR
  trap 'rm -rf "$calls" "$calls.all" "$calls.missing" "$calls.copy" "$NETCL_CACHE_DIR"' EXIT
else
  trap 'rm -rf "$calls" "$calls.all" "$calls.missing" "$calls.copy"' EXIT
fi

cargo --version
[ $floor = yes ] || cargo fmt --all -- --check
# Clippy 1.63 finds clones redundant that are what a test is about; later ones do not look for them.
cargo clippy --quiet --workspace --all-targets -- -D warnings -A clippy::redundant-clone
RUSTDOCFLAGS="-D warnings" cargo doc --quiet --workspace --no-deps
cargo test --quiet -p netcl-sys
# What would be published has all that it needs, and not what counts calls.
for crate in netcl-sys netcl; do
  cargo package --quiet --list --allow-dirty -p $crate >"$calls"
  for file in LICENSE README.md src/generated/mod.rs; do
    grep -qxF "$file" "$calls" || { echo "the package $crate has no $file" >&2 && exit 1; }
  done
  ! grep count "$calls" || { echo "is in the package $crate" >&2 && exit 1; }
done
: >"$calls"
mkdir -p "$calls.copy/probe/src"
cp -rL netcl netcl-sys rustfmt.toml "$calls.copy"
printf '[workspace]\nmembers = ["netcl-sys", "netcl", "probe"]\nresolver = "2"\n' \
  >"$calls.copy/Cargo.toml"
{
  printf '[package]\nname = "probe"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n'
  grep -E '^(bytemuck|half|ndarray) = \{' netcl/Cargo.toml | sed 's/optional = true, //'
} >"$calls.copy/probe/Cargo.toml"
touch "$calls.copy/probe/src/lib.rs"
if [ $fetch = yes ]; then
  (cd "$calls.copy" && for crate in ndarray@0.15.6 half@2.2.1 bytemuck@1.13.1; do
    CARGO_NET_OFFLINE=false cargo update --quiet -p "${crate%@*}" --precise "${crate#*@}"
  done && CARGO_NET_OFFLINE=false cargo fetch --quiet)
  (cd with_mpi && CARGO_NET_OFFLINE=false cargo fetch --quiet)
fi
with_features=no
if (cd "$calls.copy" && cargo build --offline -p probe) >"$calls.copy/log" 2>&1; then
  with_features=yes
elif [ $fetch = yes ]; then
  cat "$calls.copy/log" >&2
  exit 1
else
  echo "features with crates are not checked: $(grep -m 1 -e '^error' "$calls.copy/log")"
fi
features=bytemuck,half,ndarray
# in_copy SUBCOMMAND ...: cargo with these features, where their crates can be had.
in_copy() {
  [ $with_features = yes ] || return 0
  subcommand=$1
  shift
  (cd "$calls.copy" && cargo "$subcommand" --offline --quiet -p netcl --features $features "$@")
}
if [ $with_features = yes ] && [ $floor = no ]; then
  (cd "$calls.copy" && cargo package --offline --quiet --allow-dirty -p netcl-sys -p netcl)
  for feature in bytemuck half ndarray; do
    (cd "$calls.copy" && cargo check --offline --quiet -p netcl --features $feature)
  done
fi
in_copy clippy --all-targets -- -D warnings -A clippy::redundant-clone
RUSTDOCFLAGS="-D warnings" in_copy doc --no-deps
in_copy test --lib
in_copy test --doc
# From here on netcl-sys counts the calls of each function, and writes which there were to a file.
export NETCL_COUNT_CALLS=1
for device in $devices; do
  echo "== device $device"
  # The tests of the documentation choose their devices.
  tests=--tests
  examples="quickstart custom_kernel tuner cookbook"
  if whole "$device"; then
    tests=
    examples="$examples digits train nbody model"
  fi
  # shellcheck disable=SC2086
  NETCL_TEST_DEVICE=$device NETCL_CALLS_FILE=$calls cargo test --quiet -p netcl $tests
  NETCL_TEST_DEVICE=$device in_copy test --test ndarray --test features
  for example in $examples; do
    cargo run --quiet -p netcl --example "$example" -- "$device"
  done
  if ! whole "$device"; then
    cargo run --quiet -p netcl --example group_train -- --threads --device "$device" \
      --dtype f64 --steps 8
    continue
  fi
  # Processes have parts of unequal size; after 60 steps in f32 something has to be learnt.
  for how in "--ranks 5" --threads; do
    # shellcheck disable=SC2086
    set -- $how --device "$device"
    cargo run --quiet -p netcl --example group -- "$@" 20
    cargo run --quiet -p netcl --example group_train -- "$@"
    cargo run --quiet -p netcl --example group_train -- "$@" --dtype f64 --steps 8
  done
done
programs=${CARGO_TARGET_DIR:-target}/debug/examples
# One rank cannot write its file.
set -- --device builtin --steps 2 --losses /nowhere/losses
must_fail "$programs/group_train" "$@"
must_fail "$programs/group_train" "$@" --threads
if with_mpi; then
  must_fail mpirun -np 4 "$programs/group_train" "$@" --mpi
  for device in $devices; do
    whole "$device" || continue
    by_mpi 4 "$programs/group" --mpi --ranks 4 --device "$device" 20
    by_mpi 4 "$programs/group_train" --mpi --ranks 4 --device "$device" --dtype f64 --steps 8
  done
  if [ $floor = yes ]; then
    echo "with_mpi is not checked with the oldest tools: its crates are for newer ones"
  elif (cd with_mpi && cargo metadata --offline --format-version 1) >"$calls.copy/rsmpi" 2>&1; then
    (cd with_mpi && cargo clippy --offline --quiet -- -D warnings && cargo build --offline --quiet)
    programs=${CARGO_TARGET_DIR:-with_mpi/target}/debug
    by_mpi 4 "$programs/halves"
    by_mpi 4 "$programs/group" --mpi --ranks 4 --device builtin 20
    by_mpi 4 "$programs/group_train" --mpi --ranks 4 --device builtin --dtype f64 --steps 8
  else
    echo "with_mpi is not checked: $(grep -m 1 -e '^error' "$calls.copy/rsmpi")"
  fi
fi

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

# A stable compiler takes the option with RUSTC_BOOTSTRAP. Two tests leak on purpose, and one asks for
# more memory than there is.
target=$(rustc -vV | sed -n 's/^host: //p')
runtime=$(find "$(rustc --print sysroot)/lib/rustlib/$target/lib" -name 'librustc*_rt.asan.a')
if [ $floor = no ] && [ -n "$runtime" ]; then
  echo "== AddressSanitizer"
  RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address NETCL_BACKEND=builtin NETCL_TEST_DEVICE=builtin \
    ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
    cargo test --quiet -p netcl --lib --tests --target "$target"
elif [ $floor = no ]; then
  echo "not run under AddressSanitizer: this Rust has no runtime of it"
fi

if [ $memcheck = yes ]; then
  # Leaks are counted by the tests themselves, by handles; drivers stay out.
  export CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="valgrind --quiet --error-exitcode=9"
  NETCL_BACKEND=builtin NETCL_TEST_DEVICE=builtin \
    cargo test --quiet -p netcl --test safety --test misuse --test tensors -- --test-threads=1
fi
