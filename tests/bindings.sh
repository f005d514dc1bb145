# To be sourced by tests/run.sh: begin_bindings starts the checks of Rust, Go and Julia with an
# installed library beside what runs next, finish_bindings waits for them and adds them up. Their
# compilers use one core most of the time.
# shellcheck shell=sh disable=SC2030,SC2031,SC2154

# Runs a script of a language: run_binding NAME TOOL COMMAND ... A tool that is not there is a
# failure, unless nothing was to be installed.
run_binding() {
  name=$1
  tool=$2
  shift 2
  if ! command -v "$tool" >/dev/null 2>&1; then
    if [ "$install" = no ]; then
      echo "   $name is left out: there is no $tool in PATH, and --no-install was given"
    else
      echo "   $name FAILED: there is no $tool in PATH; scripts/packages.sh has its package"
      failed=$((failed + 1))
    fi
    return
  fi
  script_started=$(date +%s)
  timeout -k 10 1800 env "$@" >"$logs/bindings-$name.log" 2>&1 &
  running=$!
  if wait "$running"; then
    passed=$((passed + 1))
    echo "   $name passed in $(($(date +%s) - script_started)) s"
  else
    failed=$((failed + 1))
    tail -n 40 "$logs/bindings-$name.log"
    echo "   $name FAILED; all of it is in build/logs/bindings-$name.log"
  fi
}

# The release build is installed as a user would have it.
begin_bindings() {
  work=$root/build/bindings
  prefix=$work/prefix
  bindings=
  rm -rf "$prefix" "$logs/bindings.count"
  if ! cmake --install build/release --prefix "$prefix" >"$logs/install.log" 2>&1; then
    tail -n 5 "$logs/install.log"
    echo "   the installation for the bindings failed"
    failed=$((failed + 1))
    return
  fi
  if [ "$install" = yes ]; then
    # What cannot be installed is told again by the script that needs it.
    # shellcheck disable=SC2086
    need $BINDING_PACKAGES
    need_julia
  fi
  (
    passed=0
    failed=0
    running=
    trap 'kill $running; exit 1' TERM
    run_bindings
    echo "$passed $failed" >"$logs/bindings.count"
  ) >"$logs/bindings.log" 2>&1 &
  bindings=$!
}

finish_bindings() {
  [ -n "$bindings" ] || return
  echo "== bindings: Rust, Go and Julia with the release build, installed"
  wait "$bindings"
  bindings=
  cat "$logs/bindings.log"
  if read -r more_passed more_failed <"$logs/bindings.count"; then
    passed=$((passed + more_passed))
    failed=$((failed + more_failed))
  else
    echo "   the checks of the bindings ended early"
    failed=$((failed + 1))
  fi
}

# The tool chains are Debian's where they are there, since they are the oldest that are promised;
# --full adds those in PATH.
run_bindings() {
  run_binding generator python3 python3 bindings/generator/test_generator.py
  mkdir -p "$work/cargo" "$work/caches" "$work/pocl"
  chmod 700 "$work/caches" "$work/pocl"
  floor=
  [ ! -x /usr/bin/cargo ] || floor=/usr/bin:
  # Cargo gets a home without an index of crates: the workspace needs none. What is built is built
  # once and run once, without a debugger.
  set -- PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib" \
    NETCL_LIB_DIR="$prefix/lib" NETCL_CACHE_DIR="$work/caches" POCL_CACHE_DIR="$work/pocl" \
    GOCACHE="$work/go" CARGO_HOME="$work/cargo" CARGO_NET_OFFLINE=true \
    CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_DEBUG=0
  vendors=$root/build/pocl/short/vendors
  [ "$full" = yes ] || [ ! -d "$vendors" ] || set -- "$@" OCL_ICD_VENDORS="$vendors"
  go=${NETCL_GO_FLOOR:-/usr/lib/go-1.19/bin/go}
  if [ -x "$go" ]; then
    run_binding go "$go" "$@" NETCL_GO_FLOOR="$go" bindings/go/check.sh --floor
  else
    go=go
    run_binding go go "$@" bindings/go/check.sh
  fi
  run_binding rust cargo "$@" PATH="$floor$PATH" CARGO_TARGET_DIR="$work/rust" \
    bindings/rust/check.sh --floor
  # Mesa's driver throws where it has no device, which Julia's unwinder must not see.
  mesa=
  [ "$install" = no ] || mesa=$(unpack_mesa "$work/mesa")
  [ -n "$mesa" ] || echo "   there is no driver of Mesa's to test Julia beside"
  run_binding julia julia "$@" NETCL_TEST_MESA="$mesa" \
    LD_LIBRARY_PATH="$prefix/lib${mesa:+:${mesa%/*}}" bindings/julia/check.sh
  parity=
  [ "$full" = no ] || parity=--full
  # shellcheck disable=SC2086
  run_binding parity python3 "$@" PATH="$floor$PATH" CARGO_TARGET_DIR="$work/rust" \
    NETCL_GO="$go" tests/parity/run.sh $parity
  if [ "$full" = yes ]; then
    run_binding go-newest go "$@" bindings/go/check.sh
    # With the crates of the features, which are fetched.
    run_binding rust-newest cargo "$@" CARGO_TARGET_DIR="$work/rust-newest" \
      CARGO_HOME="${CARGO_HOME:-$HOME/.cargo}" bindings/rust/check.sh --fetch
  fi
}
