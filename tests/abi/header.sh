#!/bin/sh
# Compiles the header alone, twice and with every INIT macro, as C and C++ of all standards, and
# looks for implicit padding: header.sh HEADER COMPILER WORK_FOLDER. COMPILER is gcc or clang.
set -eu
header=$1
compiler=$2
work=$3
here=$(cd "$(dirname "$0")" && pwd)
if ! command -v "$compiler" >/dev/null 2>&1; then
  echo "SKIPPED: $compiler is not installed"
  exit 77
fi
python3 "$here/generate.py" "$header" "$work"

count=0
compile() {
  "$compiler" -I"$(dirname "$header")" -Wall -Wextra -pedantic -pedantic-errors -Werror \
    -fsyntax-only "$@" || return 1
  count=$((count + 1))
}
for standard in c89 c99 c11 c17; do
  for source in alone init padding; do
    compile -x c -std=$standard -Wstrict-prototypes "$work/$source.c"
  done
done
for standard in c++98 c++11 c++17 c++20; do
  for source in alone init padding; do
    compile -x c++ -std=$standard "$work/$source.c"
  done
done
compile -x c -std=c99 -Wpadded "$work/padding.c"
compile -x c++ -std=c++17 -Wpadded "$work/padding.c"

# The check for padding has to be able to fail.
printf 'struct padded { char a; long b; };\nunsigned long size = sizeof(struct padded);\n' \
  >"$work/padded.c"
if compile -x c -Wpadded "$work/padded.c" 2>/dev/null; then
  echo "-Wpadded did not report a padded struct"
  exit 1
fi
echo "$count compilations without a warning"
