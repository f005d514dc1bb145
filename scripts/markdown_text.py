"""What the checks of Markdown and the site know of its text: links, code, headings, anchors."""

import re

# [text](target): the text may hold `code` and one level of brackets.
LINK = re.compile(r"(\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^()\s]+)\)")
FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")


def code_lines(lines):
    """For each line whether it belongs to a block of code, fenced or by four columns."""
    found, fence, before, inside_list = [], None, "", False
    for line in lines:
        mark = FENCE.match(line)
        if fence:
            found.append(True)
            if mark and mark.group(1).startswith(fence):
                fence = None
        elif mark:
            fence = mark.group(1)
            found.append(True)
        else:
            if re.match(r"(?:[-*+]|\d+\.) ", line):
                inside_list = True
            elif line and not line.startswith(" "):
                inside_list = False
            depth = 8 if inside_list else 4
            indented = line.startswith(" " * depth) and line.strip() != ""
            found.append(indented and (not before.strip() or bool(found and found[-1])))
        before = line
    return found


def without_code(text):
    """The text with spaces in place of all code, so that places stay what they are."""
    lines = text.split("\n")
    kept = [" " * len(line) if code else line for line, code in zip(lines, code_lines(lines))]
    return re.sub(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", lambda m: " " * len(m.group(0)),
                  "\n".join(kept), flags=re.DOTALL)


def headings(text):
    """The text of each heading; the lines of code are none."""
    lines = text.split("\n")
    for line, code in zip(lines, code_lines(lines)):
        found = re.match(r"#{1,6} +(.*?) *#*$", line)
        if found and not code:
            yield found.group(1)


def anchors(text):
    """The anchors of a page, as GitHub makes them of its headings, and those that it names."""
    seen, found = {}, set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    for heading in headings(text):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        found.add(f"{slug}-{count}" if count else slug)
    return found
