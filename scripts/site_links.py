#!/usr/bin/env python3
"""site_links.py SITE: fails when a link of a site, read from files, leads nowhere."""

import html.parser
import os
import re
import sys
import urllib.parse

ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//")  # with a scheme, or another host


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.places = [], {"", "__top"}
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.places.add(value)
            elif name in ("href", "src") and value is not None and not ELSEWHERE.match(value):
                self.links.append(value)


def broken(site):
    """Each link that leads nowhere, and how many links there are."""
    pages = {}
    for folder, _, names in os.walk(site):
        for name in names:
            if name.endswith(".html"):
                path = os.path.join(folder, name)
                pages[os.path.normpath(path)] = Page(path)
    wrong = []
    for path, page in sorted(pages.items()):
        for link in page.links:
            target, _, place = link.partition("#")
            target = urllib.parse.unquote(target.partition("?")[0])
            # From the root of a web site: there is none where pages are files.
            if target.startswith("/"):
                wrong.append(f"{path}: {link}")
                continue
            to = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
            if os.path.isdir(to):
                to = os.path.join(to, "index.html")
            known = to in pages and urllib.parse.unquote(place) in pages[to].places
            if not (known or to not in pages and os.path.isfile(to)):
                wrong.append(f"{path}: {link}")
    return wrong, sum(len(page.links) for page in pages.values())


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    wrong, count = broken(arguments[0])
    if wrong or count == 0:
        sys.exit("\n".join(wrong[:50] + [f"{len(wrong)} of {count} links lead nowhere"]))
    print(f"{count} links lead somewhere")


if __name__ == "__main__":
    main(sys.argv[1:])
