#!/usr/bin/env python3
"""Checks the Markdown of the tree: check_markdown.py [--wrap] [ROOT]

- Lines have at most 100 columns, but for rows of tables and what has no space to break it at.
- Sentences of README.md and docs/ have at most 45 words, where names and code are none.
- A link to a place in the tree leads to a file that is there, and behind # to a heading of it.
- Each article of docs/ is in the navigation of docs/mkdocs.yml.

--wrap first breaks paragraphs and items of lists that have longer lines anew.
"""

import os
import re
import sys

from markdown_text import LINK, anchors, code_lines, without_code

COLUMNS = 100
WORDS = 45
SENTENCE_END = re.compile(r"(?<=[.!?:])[)*]*\s+")
LONGEST_CODE = 60
SKIPPED = {".git", "build", "target", "__pycache__", "node_modules"}
MARKER = re.compile(r"( *)((?:[-*+]|\d+[.)]) +)?")
# A line that begins like this would be something else than text.
STARTS_BLOCK = re.compile(r"(?:[-*+>|#]|#+|\d+[.)])$|[|>]")


def files(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders
                            if f not in SKIPPED and not f.startswith((".", "build-")))
        for name in sorted(names):
            if name.endswith(".md"):
                yield os.path.join(folder, name)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def is_text(line):
    """Whether a line is of a paragraph or of an item of a list."""
    stripped = line.strip()
    return bool(stripped) and not stripped.startswith(("|", "#", "<", ">"))


def words_of(text):
    """The words, where code of moderate length is one, and none begins a block of its own."""
    def kept(match):
        code = match.group(0)
        return code.replace(" ", "\0") if len(code) <= LONGEST_CODE else code

    joined = []
    for word in re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", kept, text).split():
        word = word.replace("\0", " ")
        if joined and STARTS_BLOCK.match(word):
            joined[-1] += " " + word
        else:
            joined.append(word)
    return joined


def wrapped(block):
    """One paragraph or item, in lines that fit."""
    indent, marker = MARKER.match(block[0]).groups()
    first = indent + (marker or "")
    rest = indent + " " * len(marker or "")
    text = " ".join([block[0][len(first):]] + [line.strip() for line in block[1:]])
    lines, line = [], first
    for word in words_of(text):
        begun = line not in (first, rest) or (lines and line != rest)
        if begun and len(line) + 1 + len(word) > COLUMNS:
            lines.append(line)
            line = rest + word
        else:
            line += (" " if begun else "") + word
    return lines + [line]


def blocks(lines):
    """Runs of lines that are one paragraph or item, and single lines of everything else."""
    code, block = code_lines(lines), []
    for line, is_code in zip(lines, code):
        if is_code or not is_text(line):
            if block:
                yield block, True
            block = []
            yield [line], False
        elif block and not MARKER.match(line).group(2):
            block.append(line)
        else:
            if block:
                yield block, True
            block = [line]
    if block:
        yield block, True


def wrap(path):
    lines = read(path).split("\n")
    made = []
    for block, text in blocks(lines):
        too_long = any(len(line) > COLUMNS for line in block)
        made += wrapped(block) if text and too_long else block
    if made != lines:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(made))


def long_lines(path):
    lines = read(path).split("\n")
    for number, line in enumerate(lines, 1):
        words = MARKER.sub("", line, count=1).split()
        if len(line) > COLUMNS and not line.lstrip().startswith("|") and len(words) > 1:
            yield f"{path}:{number}: {len(line)} columns, the limit is {COLUMNS}"


def broken_links(path):
    text = read(path)
    plain = without_code(text)
    for match in LINK.finditer(text):
        target, _, anchor = match.group(2).partition("#")
        if plain[match.start(2)] == " " or "://" in target or target.startswith("mailto:"):
            continue
        number = text.count("\n", 0, match.start()) + 1
        there = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
        if not os.path.exists(there):
            yield f"{path}:{number}: {target} is not there"
        elif anchor and there.endswith(".md") and anchor not in anchors(read(there)):
            yield f"{path}:{number}: {target} has no heading #{anchor}"


def long_sentences(path, root):
    if os.path.relpath(path, root).split(os.sep)[0] not in ("README.md", "docs"):
        return
    number = 1
    for block, text in blocks(read(path).split("\n")):
        for sentence in SENTENCE_END.split(" ".join(block)) if text else ():
            count = sum(word[0].islower() for word in words_of(sentence))
            if count > WORDS:
                yield f"{path}:{number}: a sentence of {count} words: {sentence.strip()[:60]}"
        number += len(block)


def missing_in_navigation(root):
    configuration = os.path.join(root, "docs", "mkdocs.yml")
    listed = set(re.findall(r"([\w/-]+\.md)$", read(configuration), re.MULTILINE))
    docs = os.path.join(root, "docs")
    for path in files(docs):
        name = os.path.relpath(path, docs)
        if name not in listed:
            yield f"{path} is not in the navigation of docs/mkdocs.yml"


def main(arguments):
    wraps = "--wrap" in arguments
    rest = [argument for argument in arguments if argument != "--wrap"]
    root = rest[0] if rest else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    found, count = list(missing_in_navigation(root)), 0
    for path in files(root):
        if wraps:
            wrap(path)
        found += [*long_lines(path), *long_sentences(path, root), *broken_links(path)]
        count += 1
    for problem in found:
        print(problem)
    print(f"{count} files of Markdown, {len(found)} errors")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
