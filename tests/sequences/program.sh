#!/bin/sh
# program.sh SEQUENCE INCLUDE: sequences that are printed compile.
set -eu
file=$(mktemp --suffix=.c)
trap 'rm -f "$file"' EXIT
for threads in 1 2 3 4; do
  "$1" --sample --threads $threads --length 600 --out "$file"
  "${CC:-cc}" -std=c11 -D_GNU_SOURCE -Wall -Werror -fsyntax-only -I "$2" "$file"
  echo "$threads threads: $(wc -l <"$file") lines"
done
