#!/bin/sh
# Builds the site of the documentation into build/docs/site: docs/build.sh [--no-install] [--serve]
#
# On Debian it installs mkdocs and its theme (as root or with sudo) unless --no-install says not to;
# elsewhere they have to be there. Nothing of the site is fetched when it is read: theme, fonts and
# search lie in it. --serve shows it at http://localhost:8000, where the search works; opened as
# files the pages have all but that.
set -eu
cd "$(dirname "$0")/.."
. scripts/packages.sh
install=yes serve=no
for word; do
  case $word in
    --no-install) install=no ;;
    --serve) serve=yes ;;
    *) echo "usage: $0 [--no-install] [--serve]" >&2 && exit 2 ;;
  esac
done
# shellcheck disable=SC2086
[ $install = no ] || need $DOCS_PACKAGES
rm -rf build/docs
python3 -B scripts/docs_site.py build/docs
mkdocs build --quiet --strict -f build/docs/mkdocs.yml
rm build/docs/site/404.html  # for a server; its links begin at the root of a site
python3 -B scripts/docs_site.py --self-contained build/docs/site
python3 -B scripts/site_links.py build/docs/site
echo "build/docs/site/index.html"
[ $serve = no ] || exec python3 -m http.server -d build/docs/site 8000
