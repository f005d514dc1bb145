#!/bin/sh
# netcl.hpp compiles without a warning with each compiler and standard, with and without exceptions,
# and files that were compiled in different ways make one program: compile.sh LIBRARY
set -eu
library=$1
here=$(cd "$(dirname "$0")" && pwd)
include=$here/../../include
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
printf '#include <netcl.hpp>\n#include <netcl.hpp>\n' >"$work/alone.cpp"

compilers=
for compiler in g++ clang++; do
  command -v $compiler >/dev/null 2>&1 && compilers="$compilers $compiler"
done
if [ -z "$compilers" ]; then
  echo "skipped: there is no compiler of C++"
  exit 77
fi

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
