#!/bin/sh
# netcl.hpp compiles without a warning with each compiler and standard, with and without exceptions,
# and files that were compiled in different ways make one program: compile.sh LIBRARY
set -eu
library=$1
here=$(cd "$(dirname "$0")" && pwd)
include=$here/../../include
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Werror"
printf '#include <netcl.hpp>\n#include <netcl.hpp>\n' >"$work/alone.cpp"

compilers=
for compiler in g++ clang++; do
  command -v $compiler >/dev/null 2>&1 && compilers="$compilers $compiler"
done
if [ -z "$compilers" ]; then
  echo "skipped: there is no compiler of C++"
  exit 77
fi

# Before C++17 there is one error, which says so; and what is dropped is warned of.
printf '#include <netcl.hpp>\nint main() {}\n' >"$work/early.cpp"
cat >"$work/dropped.cpp" <<'END'
#include <netcl.hpp>
void f(netcl::tensor_ref x) { netcl::op::matmul(x, x); }
void g(netcl::tensor_ref x) { x + x; }
void h(netcl::tensor_ref x) { x.reshape({1}); }
END
# A number that no dtype has is refused wherever its bytes would be taken. USE 0 is without.
cat >"$work/wide.cpp" <<'END'
#include <netcl.hpp>
#include <array>
void f(netcl::tensor& x, netcl::device_ref device) {
  std::array<long double, 2> list{};
  (void)list, (void)device, (void)x;
#if USE == 0
  (void)(x * 2.0L);
#elif USE == 1
  x.write(list);
#elif USE == 2
  x.read(list);
#elif USE == 3
  (void)netcl::tensor_from(device, list);
#elif USE == 4
  (void)netcl::to_vector<long double>(x);
#elif USE == 5
  (void)netcl::to_value<long double>(x);
#elif USE == 6
  (void)netcl::arg(2.0L);
#elif USE == 7
  (void)netcl::arg::value(2.0L);
#elif USE == 8
  (void)netcl::arg::data(list[0]);
#endif
}
END
uses="0 1 2 3 4 5 6 7 8"
for compiler in $compilers; do
  for use in $uses; do
    refused=0
    $compiler -std=c++17 -fsyntax-only "-I$include" "-DUSE=$use" "$work/wide.cpp" 2>"$work/wide" ||
      refused=1
    if [ $((use > 0)) != $refused ] ||
      { [ $refused = 1 ] && ! grep -q 'no dtype has' "$work/wide"; }
    then
      cat "$work/wide"
      echo "$compiler: use $use of a long double"
      exit 1
    fi
  done
  # What is refused is the header's, not the compiler's.
  [ -n "${NETCL_TEST_FULL:-}" ] || uses=0
  if $compiler -std=c++14 "-I$include" -c "$work/early.cpp" -o "$work/early.o" 2>"$work/early"; then
    echo "$compiler -std=c++14 takes netcl.hpp"
    exit 1
  fi
  if ! grep -q 'error: .*needs C++17' "$work/early" || [ "$(grep -c error: "$work/early")" != 1 ]
  then
    cat "$work/early"
    exit 1
  fi
  if $compiler -std=c++17 -Werror "-I$include" -c "$work/dropped.cpp" \
    -o "$work/dropped.o" 2>"$work/dropped"; then
    echo "$compiler says nothing of results that are dropped"
    exit 1
  fi
  [ "$(grep -c 'error: ignoring return value' "$work/dropped")" = 3 ] || {
    cat "$work/dropped"
    exit 1
  }
done

objects=
modes=
number=0
for compiler in $compilers; do
  for standard in 17 20 2b; do
    for way in -fexceptions -fno-exceptions "-fexceptions -DNETCL_HPP_EXPECTED=1"; do
      # Of C++20 the headers ask for nothing that one of the others does not have.
      [ "$standard$way" = 20-fexceptions ] || [ $standard != 20 ] ||
        [ -n "${NETCL_TEST_FULL:-}" ] || continue
      number=$((number + 1))
      # shellcheck disable=SC2086
      $compiler -std=c++$standard $way $warnings "-I$include" "-DMODE=mode$number" \
        -c "$here/mode.cpp" -o "$work/$number.o"
      echo "$compiler c++$standard $way"
      objects="$objects $work/$number.o"
      modes="$modes what(mode$number)"
    done
  done
done
for first in $compilers; do
  # shellcheck disable=SC2086
  $first -std=c++17 $warnings "-I$include" -c "$work/alone.cpp" -o "$work/alone.o"
  # The first definition that a linker sees of each function is the one that all files get.
  # shellcheck disable=SC2086
  $first -std=c++17 $warnings "-I$include" -DMODE=main_mode "-DMODES(what)=$modes" \
    "$here/mode.cpp" $objects "$library" "-Wl,-rpath,$(dirname "$library")" -o "$work/program"
  NETCL_BACKEND=builtin "$work/program"
done
