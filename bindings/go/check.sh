#!/bin/sh
# Checks the Go binding: bindings/go/check.sh [--floor]
#
# Needs pkg-config to find netcl (PKG_CONFIG_PATH) and, where the system does not look there by
# itself, the library's folder in LD_LIBRARY_PATH. Formats, vets, runs all tests with the race
# detector, the tests once more with cgo's own checks, and the examples on the built-in device, and
# (unless NETCL_TEST_DEVICES says otherwise) the tests and the examples of kernels on an OpenCL CPU
# device, with NETCL_TEST_FULL=1 all of it there too, and fails when a function of netcl.h is reached
# by no test. Nothing is fetched. What mpirun starts is left out where there is no
# MPI. --floor takes Go 1.19 (NETCL_GO_FLOOR, or where Debian has it) instead of the go in PATH.
set -eu
cd "$(dirname "$0")"
. ../mpi.sh
go=go
checks=GOEXPERIMENT=cgocheck2
if [ "${1:-}" = --floor ]; then
  go=${NETCL_GO_FLOOR:-/usr/lib/go-1.19/bin/go}
  checks=GODEBUG=cgocheck=2
fi
export GOPROXY=off GOTOOLCHAIN=local GOFLAGS=-buildvcs=false
# Go's cache does not see that a C header has changed where it lies.
header=$(pkg-config --variable=includedir netcl)/netcl.h
CGO_CFLAGS="${CGO_CFLAGS:--O2 -g} -DNETCL_HEADER_SUM=$(cksum <"$header" | cut -d ' ' -f 1)"
export CGO_CFLAGS
devices=${NETCL_TEST_DEVICES:-builtin cpu}
# What the binding does is the same on further devices; there is what they have more.
first=${devices%% *}
whole() { [ "$1" = "$first" ] || [ -n "${NETCL_TEST_FULL:-}" ]; }
calls=$(mktemp)
trap 'rm -rf "$calls" "$calls".*' EXIT
mkdir -m 700 "$calls.programs"

$go version
unformatted=$("$($go env GOROOT)/bin/gofmt" -l .)
if [ -n "$unformatted" ]; then
  echo "gofmt would change: $unformatted"
  exit 1
fi
# As the tests are built, whose compilation of the C parts is then there.
$go vet -race -tags netclcount ./...
# As README.md says, nothing needs pkg-config.
PKG_CONFIG=/nowhere/pkg-config $go vet ./...
# Debian's has another name, and reads what Debian's Go writes.
if [ "$go" != go ] && command -v go-staticcheck >/dev/null 2>&1; then
  PATH=$(dirname "$go"):$PATH go-staticcheck -tags netclcount ./...
elif [ "$go" = go ] && command -v staticcheck >/dev/null 2>&1; then
  staticcheck -tags netclcount ./...
else
  echo "staticcheck is left out: there is none for $($go version)"
fi
# Without cgo there is one error, which says what to do.
if CGO_ENABLED=0 $go build ./examples/first >"$calls.nocgo" 2>&1 ||
  ! grep -q 'undefined: netcl_needs_cgo__set_CGO_ENABLED_1_and_install_gcc' "$calls.nocgo" ||
  [ "$(grep -c '^[^#]' "$calls.nocgo")" != 1 ]; then
  echo "without cgo the compiler says:"
  cat "$calls.nocgo"
  exit 1
fi
# The module can be fetched as any other.
./pack.py "$calls.proxy"
mkdir "$calls.fetch"
(cd "$calls.fetch" && export GOPROXY="file://$calls.proxy" GOSUMDB=off GOFLAGS=-modcacherw \
  GOMODCACHE="$calls.fetch/cache" && $go mod init fetch 2>/dev/null &&
  $go mod download netcl.example/netcl@latest &&
  grep -q libnetcl "$GOMODCACHE/netcl.example/netcl@$(cat "$calls.proxy"/netcl.example/netcl/@v/list)/zz_library.c")
[ "$($go run ./examples/first)" = "[3 5 7 1 11 13]" ]
$go run ./examples/sums >"$calls.sums"
grep -qx '512 <nil>' "$calls.sums" ||
  { echo "the program of README.md says:"; cat "$calls.sums"; exit 1; }
for device in $devices; do
  echo "== device $device"
  NETCL_TEST_DEVICE=$device NETCL_CALLS_FILE=$calls \
    $go test -count=1 -race -tags netclcount .
  for example in quickstart customkernel tuner cookbook; do
    $go run "./examples/$example" "$device"
  done
  if ! whole "$device"; then
    "$calls.programs/grouptrain" -device "$device" -threads -dtype f64 -steps 8
    continue
  fi
  NETCL_TEST_DEVICE=$device env "$checks" "$go" test -count=1 .
  $go run ./examples/fingerprint "$device"
  $go run ./examples/digits -device "$device"
  $go run ./examples/train -device "$device" -epochs 1
  $go run ./examples/images -device "$device"
  $go run ./examples/model -device "$device"
  # Processes have parts of unequal size; after 60 steps in f32 something has to be learnt.
  $go build -o "$calls.programs" ./examples/group ./examples/grouptrain
  for how in -ranks=5 -threads; do
    "$calls.programs/group" -device "$device" "$how" -steps 20
    "$calls.programs/grouptrain" -device "$device" "$how"
    "$calls.programs/grouptrain" -device "$device" "$how" -dtype f64 -steps 8
  done
done
# One rank cannot write its file.
set -- -device builtin -steps 2 -losses /nowhere/losses
must_fail "$calls.programs/grouptrain" "$@"
must_fail "$calls.programs/grouptrain" "$@" -threads
if with_mpi; then
  for device in $devices; do
    whole "$device" || continue
    set -- -meet "$calls.programs/meet" -device "$device"
    by_mpi 4 "$calls.programs/group" "$@" -steps 20
    by_mpi 4 "$calls.programs/grouptrain" "$@" -dtype f64 -steps 8
  done
fi
$go run ./examples/overhead

# Every function of the API lock is reached, or has no form in Go, with a reason.
sed -n '/^ "functions": {/,/^ }/s/^  "\(netcl_[a-z0-9_]*\)": .*/\1/p' ../../tests/abi/netcl.json |
  sort >"$calls.all"
{ cat "$calls"; sed -n 's/^\(netcl_[a-z0-9_]*\): ..*/\1/p' "$calls.unreached"; } | sort -u |
  comm -23 "$calls.all" - >"$calls.missing"
echo "$(sort -u "$calls" | wc -l) of $(wc -l <"$calls.all") functions are called by the tests;" \
  "these have no form in Go:"
cat "$calls.unreached"
if [ -s "$calls.missing" ]; then
  echo "No test of the safe layer calls:"
  cat "$calls.missing"
  exit 1
fi
