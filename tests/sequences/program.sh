#!/bin/sh
# program.sh SEQUENCE INCLUDE: a sequence that is printed compiles.
set -eu
file=$(mktemp --suffix=.c)
trap 'rm -f "$file"' EXIT
"$1" --sample --threads 2 --length 400 --out "$file"
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -Wall -Werror -fsyntax-only -I "$2" "$file"
echo "$(wc -l <"$file") lines"
