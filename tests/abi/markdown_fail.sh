#!/bin/sh
# check_markdown.py has to find each of these faults: markdown_fail.sh CHECK_MARKDOWN WORK_FOLDER
# shellcheck disable=SC2016 # backticks are Markdown
set -eu
check=$1
work=$2
rm -rf "$work"
mkdir -p "$work/docs"
for page in long wrap sound anchor missing words; do
  echo "  - $page.md"
done >"$work/docs/mkdocs.yml"
printf '# Long\n\n    code %0120d\n' 0 >"$work/docs/long.md"
printf '# Wrap\n\n- %0120d and `a - b` and\n  %060d - more\n' 0 0 >"$work/docs/wrap.md"
{
  printf '# Sound\n\n[a](wrap.md#wrap) [b](#sound) `[c](none.md)` [d](http://x)\n\n'
  printf '```\n[e](f.md)\n```\n\n'
  printf 'a b c d e f g h i j k l m n o\n%.0s' 1 2 3
} >"$work/docs/sound.md"
printf '# Anchor\n\n[a](sound.md#none)\n' >"$work/docs/anchor.md"
printf '# Missing\n\nTwo lines [of\ntext](gone.md)\n' >"$work/docs/missing.md"
printf '# Words\n\n' >"$work/docs/words.md"
printf 'a b c d e f g h i j k l m n o\n%.0s' 1 2 3 >>"$work/docs/words.md"
printf 'p.\n' >>"$work/docs/words.md"
printf '# Alone\n' >"$work/docs/alone.md"

found=$(python3 "$check" "$work") && { echo "no fault was found"; exit 1; }
for fault in 'long.md:3: .*columns' 'wrap.md:3: .*columns' 'anchor.md:3: .*no heading' \
  'missing.md:3: gone.md is not' 'words.md:3: a sentence of 46 words' \
  'alone.md is not in the navigation'; do
  echo "$found" | grep -q "$fault" || { echo "not found: $fault"; echo "$found"; exit 1; }
done
if echo "$found" | grep -q 'sound.md:'; then
  echo "a fault that is none"
  echo "$found"
  exit 1
fi
python3 "$check" --wrap "$work" | grep -q '5 errors' || { echo "--wrap did nothing"; exit 1; }
grep -q '^  and `a - b` and' "$work/docs/wrap.md" || { cat "$work/docs/wrap.md"; exit 1; }
