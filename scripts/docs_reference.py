"""The reference as pages, one for each section of include/netcl.h: pages()."""

import os
import re

from header_parts import BAR, HALVES, header_text

# Names of the header, in prose whose underscores were escaped.
NAMES = re.compile(r"\bnetcl(?:\\_\w+?)+(?=\b(?!\\_))")


def slug(title):
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def sections(text):
    """(half, title, text) of each section."""
    bars = list(BAR.finditer(text))
    half = None
    for bar, following in zip(bars, bars[1:] + [None]):
        if bar.group(1)[0] == "=":
            half = bar.group(2)
            continue
        end = following.start() if following else text.index("#ifdef __cplusplus", bar.end())
        yield half, bar.group(2), text[bar.end():end]


def statements(text):
    """The declarations of a section with the comment before each: (comment, code)."""
    position, comment = 0, ""
    while position < len(text):
        rest = text[position:]
        blank = len(rest) - len(rest.lstrip())
        position += blank
        rest = rest[blank:]
        if not rest:
            return
        if rest.startswith("/*"):
            end = rest.index("*/") + 2
            if comment:
                yield comment, ""
            comment = rest[:end]
            position += end
            continue
        end = statement_end(rest)
        yield comment, rest[:end].rstrip()
        comment = ""
        position += end


def statement_end(text):
    """Behind a macro with its lines, or the `;` that ends a declaration."""
    if text.startswith("#"):
        return re.match(r"(?:.*\\\n)*.*\n?", text).end()
    depth, place = 0, 0
    while place < len(text):
        if text.startswith("/*", place):
            place = text.index("*/", place) + 2
            continue
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        place += 1
        if text[place - 1] == ";" and depth == 0:
            rest = re.match(r" */\*\*<.*?\*/", text[place:], re.DOTALL)
            return place + (rest.end() if rest else 0)
    return len(text)


def names_of(code):
    """What a declaration declares, by which it is found and linked."""
    typedef = re.match(r"typedef (?:struct|int32_t).*?(netcl_\w+)\s*(?:\{|;)", code, re.DOTALL)
    pointer = re.match(r"typedef .*?\(\*(netcl_\w+)\)", code, re.DOTALL)
    function = re.match(r"NETCL_API.*?\b(netcl_\w+)\s*\(", code, re.DOTALL)
    for found in (function, pointer, typedef):
        if found:
            return found.group(1)
    return None


def prose(comment):
    body = re.sub(r"^/\*+<?|\*+/$", "", comment.strip())
    body = re.sub(r"^\s*\* ?", "", body, flags=re.MULTILINE).strip()
    body = re.sub(r"\s*@param(\[\w+\])?\s*(\w+)", r"\n- `\2`\1:", body)
    # Names, but not code that stands between backticks already, and no emphasis by chance.
    parts = re.split(r"(`[^`]*`)", body)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"([*_<>\[\]|])", r"\\\1", parts[i])
        parts[i] = parts[i].replace("\\[out\\]", " (out)").replace("\\[in\\]", " (in)")
    text = "".join(parts)
    return re.sub(r"([^\n])\n- `", r"\1\n\n- `", text, count=1)


def linked(text, places, here):
    """Names of the header as links to where they are declared."""
    def link(match):
        name = match.group(0).replace("\\_", "_")
        page = places.get(name)
        if page is None:
            return f"`{name}`"
        return f"[`{name}`]({'' if page == here else os.path.basename(page)}#{name})"

    parts = re.split(r"(`[^`]*`)", text)
    for i in range(0, len(parts), 2):
        parts[i] = NAMES.sub(link, parts[i])
    return "".join(parts)


def section_page(title, body, places, here):
    out, enum = [f"# {title}\n"], ""
    for comment, code in statements(body):
        name = names_of(code) if code else None
        if name:
            out.append(f"<a id=\"{name}\"></a>\n\n## {name.replace('netcl_', '', 1)}\n")
        if comment:
            out.append(linked(prose(comment), places, here) + "\n")
        if code.startswith("typedef int32_t"):
            enum = code + "\n"  # its values are the next statement
        elif code:
            out.append(f"```c\n{enum}{code}\n```\n")
            enum = ""
    return "\n".join(out)


def conventions(text):
    head = text[text.index("/*") + 2:text.index("*/")]
    lines = [re.sub(r"^ \* ?", "", line) for line in head.splitlines()]
    start = next(i for i, line in enumerate(lines) if line.startswith("Conventions,"))
    rows = []
    for line in lines[start + 1:]:
        found = re.match(r"([A-Z][a-z]+(?: [a-z]+)*)\.\s+(.*)", line)
        if found:
            rows.append(f"\n**{found.group(1)}.** {found.group(2)}")
        else:
            rows.append(line.strip())
    body = re.sub(r"([_*\[\]|])", r"\\\1", "\n".join(rows)).replace("\\*\\*", "**")
    return f"# Conventions\n\nThey hold for every declaration.\n{body}\n"


def pages():
    """(title, page, text) in the order of the header, which begins with its conventions."""
    text = header_text()
    places, parts = {}, []
    for half, title, body in sections(text):
        page = f"reference/{slug(title)}.md"
        parts.append((half, title, page, body))
        for _, code in statements(body):
            if code and names_of(code):
                places[names_of(code)] = page
    made = [("Conventions", "reference/README.md", conventions(text))]
    for half, title, page, body in parts:
        shown = title if half == HALVES[0] else f"{half}: {title}"
        made.append((shown, page, section_page(title, body, places, page)))
    return made
