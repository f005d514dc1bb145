#!/bin/sh
# Runs the linters of all languages: scripts/lint.sh [--install] [NAME ...]
#
#   shell    shellcheck over all scripts
#   python   byte-compiles each file with warnings as errors
#   c++      clang-tidy with .clang-tidy over src, in the groups that the files are compiled in,
#            with their headers; half an hour on two cores. Left out is what Highway compiles once
#            for each instruction set
#   rust     rustfmt and clippy
#   go       gofmt, vet and staticcheck
# Names choose some of them. Julia has no linter of its own; its checks are bindings/julia/test.
# --install installs Debian's packages of them first. A tool that is missing is named, and is a
# failure. rust and go need the library as their check.sh do, and fetch nothing. NETCL_LINT_JOBS is
# the number of clang-tidy at a time.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
. scripts/packages.sh

wanted=
for word; do
  case $word in
    --install)
      # shellcheck disable=SC2086
      need $LINT_PACKAGES || exit 1
      ;;
    shell | python | c++ | rust | go) wanted="$wanted $word" ;;
    *) echo "usage: $0 [--install] [shell] [python] [c++] [rust] [go]" >&2 && exit 2 ;;
  esac
done
wanted=${wanted:-shell python rust go c++}
failed=
logs=build/logs
mkdir -p $logs

# Whether a tool is there; else it is named.
has() {
  command -v "$1" >/dev/null 2>&1 && return
  echo "   there is no $1; scripts/packages.sh has its package"
  return 1
}

# Files of the tree; what is built lies in folders called build and target.
files() {
  find . -mindepth 1 \( -name '.*' -o -name build -o -name target \) -prune -o -type f "$@" -print
}

lint_shell() {
  has shellcheck || return
  # Those without an ending are known by their first line.
  {
    files -name '*.sh'
    files ! -name '*.*' -size -64k | xargs grep -lE '^#!/bin/(ba)?sh'
  } | sort -u | xargs shellcheck -x -P SCRIPTDIR:.
}

lint_python() {
  has python3 || return
  files -name '*.py' |
    xargs python3 -W error -c 'import sys
for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        compile(file.read(), name, "exec")'
}

# What is compiled is the list of the build without precompiled headers, which clang-tidy of another
# compiler could not read.
lint_cpp() {
  has clang-tidy && has clang++ && has cmake && has ninja || return
  cmake -G Ninja -S . -B build/lint -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER=clang \
    -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DNETCL_UNITY=64 \
    -DNETCL_PRECOMPILE=OFF -DNETCL_BUILD_TESTS=OFF -DNETCL_BUILD_EXAMPLES=OFF \
    >$logs/lint-cmake.log 2>&1 || { tail -n 5 $logs/lint-cmake.log; return 1; }
  sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' build/lint/compile_commands.json |
    grep -E '/Unity/unity_|/src/(worker|mpi)/' | sort -u |
    xargs -P "${NETCL_LINT_JOBS:-$(nproc)}" -n 1 clang-tidy -p build/lint --quiet \
      --warnings-as-errors='*' 2>$logs/lint-tidy.log
}

lint_rust() {
  has cargo && has rustfmt || return
  (cd bindings/rust && export CARGO_NET_OFFLINE=true &&
    cargo fmt --all -- --check &&
    cargo clippy --quiet --workspace --all-targets -- -D warnings -A clippy::redundant-clone)
}

lint_go() {
  # Debian's has another name, and reads what Debian's Go writes.
  staticcheck=staticcheck
  command -v staticcheck >/dev/null 2>&1 || staticcheck=go-staticcheck
  (
    [ $staticcheck = staticcheck ] || PATH=/usr/lib/go-1.19/bin:$PATH
    has go && has gofmt && has $staticcheck && cd bindings/go || exit
    export GOPROXY=off GOTOOLCHAIN=local GOFLAGS=-buildvcs=false
    unformatted=$(gofmt -l .)
    [ -z "$unformatted" ] || ! echo "gofmt would change: $unformatted" || exit
    go vet -tags netclcount ./... && $staticcheck -tags netclcount ./...
  )
}

for name in $wanted; do
  echo "== $name"
  case $name in
    c++) lint_cpp ;;
    *) "lint_$name" ;;
  esac || failed="$failed $name"
done
[ -z "$failed" ] || echo "not clean:$failed"
[ -z "$failed" ]
