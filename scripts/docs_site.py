#!/usr/bin/env python3
"""Lays out what docs/build.sh makes a site of.

docs_site.py OUT                   writes OUT/pages and OUT/mkdocs.yml: the articles of docs/, the
                                   README as the first page, the reference from netcl.h, and below
                                   source/ each file of the repository that one of them points to
docs_site.py --self-contained DIR  fails when a page of a site would fetch something from elsewhere
"""

import html
import os
import posixpath
import re
import shutil
import sys

import docs_reference
from markdown_text import LINK, code_lines, without_code

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LANGUAGES = {".c": "c", ".h": "c", ".cl": "c", ".cpp": "cpp", ".hpp": "cpp", ".py": "python",
             ".sh": "sh", ".rs": "rust", ".go": "go", ".jl": "julia", ".json": "json",
             ".toml": "toml", ".txt": "text"}
LARGEST = 400_000
FETCHED = re.compile(r"""(?:<script[^>]*\ssrc|<link[^>]*\shref|<img[^>]*\ssrc|<iframe[^>]*\ssrc)
                         =["']?(?:https?:)?//[^"'\s>]+|@import\s+url\(["']?(?:https?:)?//[^)]+
                         |url\(["']?(?:https?:)?//[^)]+""", re.VERBOSE)
# What only says where a page would be on the web.
NOT_FETCHED = re.compile(r'<link[^>]*rel="?canonical')


def page_of(path):
    """Where a file or folder of the repository has its page, below OUT/pages."""
    if path == "README.md":
        return "index.md"
    if path.startswith("docs/") and path.endswith(".md"):
        return path[len("docs/"):]
    if os.path.isdir(os.path.join(ROOT, path)):
        return posixpath.join("source", path, "README.md")
    return "source/" + (path if path.endswith(".md") else path + ".md")


def with_plain_pipes(text):
    """Writes code with an escaped pipe, which GitHub wants in tables, as mkdocs shows it right."""
    def as_html(match):
        code = match.group(1).replace("\\|", "|")
        if code == match.group(1):
            return match.group(0)
        return "<code>" + html.escape(code).replace("|", "&#124;") + "</code>"

    lines = text.split("\n")
    return "\n".join(re.sub(r"`([^`]+)`", as_html, line) if line.startswith("|") and not is_code
                     else line for line, is_code in zip(lines, code_lines(lines)))


class Stage:
    def __init__(self, out):
        self.pages = os.path.join(out, "pages")
        self.done = set()
        self.waiting = []

    def write(self, page, text):
        path = os.path.join(self.pages, page)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def ask(self, path):
        if path not in self.done:
            self.done.add(path)
            self.waiting.append(path)
        return page_of(path)

    def rewrite(self, text, path, page):
        """Points the links of a Markdown file to pages, and writes what mkdocs reads otherwise."""
        code_free = without_code(text)

        def replace(match):
            target, _, anchor = match.group(2).partition("#")
            if not target or "://" in target or target.startswith("mailto:"):
                return match.group(0)
            if code_free[match.start(2)] == " ":  # an example of a link in code
                return match.group(0)
            found = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
            there = posixpath.relpath(self.ask(found), posixpath.dirname(page) or ".")
            return f"{match.group(1)}({there}{'#' + anchor if anchor else ''})"

        return with_plain_pipes(LINK.sub(replace, text))

    def make(self, path):
        page, full = page_of(path), os.path.join(ROOT, path)
        if os.path.isdir(full):
            readme = os.path.join(full, "README.md")
            if os.path.exists(readme):
                with open(readme, encoding="utf-8") as file:
                    return self.write(page, self.rewrite(file.read(), path + "/README.md", page))
            lines = [f"- `{path}/{name}`\n" for name in sorted(os.listdir(full))]
            return self.write(page, f"# {path}\n\n" + "".join(lines))
        if os.path.getsize(full) > LARGEST:
            return self.write(page, f"# {path}\n\nA file of {os.path.getsize(full)} bytes.\n")
        with open(full, encoding="utf-8", errors="replace") as file:
            text = file.read()
        if path.endswith(".md"):
            return self.write(page, self.rewrite(text, path, page))
        language = LANGUAGES.get(os.path.splitext(path)[1], "text")
        return self.write(page, f"# {path}\n\n~~~~~{language}\n{text.rstrip()}\n~~~~~\n")

    def run(self):
        for folder, _, names in sorted(os.walk(os.path.join(ROOT, "docs"))):
            for name in sorted(names):
                if name.endswith(".md"):
                    self.ask(os.path.relpath(os.path.join(folder, name), ROOT))
        self.ask("README.md")
        self.ask("CONTRIBUTING.md")
        while self.waiting:
            self.make(self.waiting.pop())


def configuration(out, reference):
    with open(os.path.join(ROOT, "docs", "mkdocs.yml"), encoding="utf-8") as file:
        text = file.read()
    rows = "".join(f"\n      - \"{title}\": {page}" for title, page in reference)
    with open(os.path.join(out, "mkdocs.yml"), "w", encoding="utf-8") as file:
        file.write(text.replace(" REFERENCE", rows))


def fetched(site):
    for folder, _, names in os.walk(site):
        for name in names:
            if name.endswith((".html", ".css")):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    for found in FETCHED.findall(NOT_FETCHED.sub("", file.read())):
                        yield f"{path} fetches {found[:200]}"


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--self-contained":
        wrong = list(fetched(arguments[1]))
        sys.exit("\n".join(wrong) if wrong else 0)
    if len(arguments) != 1:
        sys.exit(__doc__)
    stage = Stage(arguments[0])
    stage.run()
    reference = docs_reference.pages()
    for _, page, text in reference:
        stage.write(page, text)
    shutil.copy(os.path.join(ROOT, "docs", "site.css"), stage.pages)
    configuration(arguments[0], [(title, page) for title, page, _ in reference])


if __name__ == "__main__":
    main(sys.argv[1:])
