#!/bin/sh
# The pages of the site are laid out, and made into HTML where mkdocs and the theme of docs/build.sh
# are there, with every warning an error: docs_site.sh SOURCE WORK_FOLDER
set -eu
source=$1
work=$2
rm -rf "$work"
mkdir -p "$work"
python3 -B "$source/scripts/docs_site.py" "$work"
for page in index start/c cookbook/README ops reference/README reference/tensors performance; do
  [ -s "$work/pages/$page.md" ] || { echo "there is no $page.md"; exit 1; }
done
# Each function of the header has its place, which others link to.
functions=$(grep -c '^NETCL_API' "$source/include/netcl.h")
places=$(cat "$work"/pages/reference/*.md | grep -c '^NETCL_API')
[ "$functions" = "$places" ] || { echo "$places of $functions functions are there"; exit 1; }
if ! command -v mkdocs >/dev/null || [ ! -d /usr/share/mkdocs/themes/material ]; then
  echo "skipped: the pages as HTML: mkdocs or mkdocs-material is not installed"
  exit 77
fi
mkdocs build --quiet --strict -f "$work/mkdocs.yml"
rm "$work/site/404.html"
python3 -B "$source/scripts/docs_site.py" --self-contained "$work/site"
python3 -B "$source/scripts/site_links.py" "$work/site"
mkdir "$work/wrong"
echo '<a href="#there"></a><a id="here" href="none.html"></a>' >"$work/wrong/index.html"
if python3 -B "$source/scripts/site_links.py" "$work/wrong" 2>"$work/wrong/told"; then exit 1; fi
grep -q '2 of 2 links lead nowhere' "$work/wrong/told"
grep -q 'id="netcl_tensor_read"' "$work/site/reference/tensors.html"
# A pipe in code within a table.
grep -q '<code>.*||' "$work/site/expressions.html"
if grep -q '\\|' "$work/site/expressions.html"; then echo "a table shows a backslash"; exit 1; fi
