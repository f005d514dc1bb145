"""What the compiler knows of the header: declarations, macros, comments, values, layouts."""

import json
import os
import re
import shutil
import subprocess
import tempfile

CLANG = ("clang-14", "clang")


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr.decode()}")
    return done.stdout.decode()


def find_clang():
    for name in (os.environ.get("NETCL_GENERATOR_CLANG", ""),) + CLANG:
        if name and shutil.which(name):
            return name
    raise SystemExit("The generator needs clang-14 (Debian: apt-get install clang-14); "
                     "NETCL_GENERATOR_CLANG names another one.")


def read_ast(clang, header):
    """The declarations of the header itself, in order, without those of what it includes."""
    text = run([clang, "-x", "c", "-std=c99", "-fsyntax-only", "-Xclang", "-ast-dump=json",
                "-fparse-all-comments", header])
    nodes = json.loads(text)["inner"]
    kept = []
    # The AST names a file only where it differs from the one of the node before.
    current = ""
    for node in nodes:
        for place in (node.get("loc", {}), node.get("loc", {}).get("expansionLoc", {})):
            current = place.get("file", current)
        if current == header:
            kept.append(node)
    return kept


def offset_of(node, end=False):
    """Where a node begins in the header: macros count at the place of their expansion."""
    place = node["range"]["end" if end else "begin"]
    place = place.get("expansionLoc", place)
    return place.get("offset", 0)


def comment_of(node, text):
    """The raw text of a declaration's comment, "" where it has none or a section's head."""
    for child in node.get("inner", ()):
        if child["kind"] == "FullComment":
            begin = offset_of(child)
            found = text[begin:text.index("*/", begin)]
            return "" if found.strip().startswith("---- ") else found
    return ""


def callback_params(node, text):
    """The parameters of a callback's typedef as they are written."""
    begin = offset_of(node)
    source = text[begin:text.index(";", begin)]
    written = source[source.index(")") + 1:].strip()[1:-1]
    return [part.strip() for part in written.split(",")]


def written_macros(text):
    """Names, parameters ("" where there are none) and bodies of all macros in a header's text."""
    joined = re.sub(r"\\\n", " ", text)
    joined = re.sub(r"/\*.*?\*/", lambda m: " " + "\n" * m.group().count("\n"), joined,
                    flags=re.DOTALL)
    found = re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(\([^)\n]*\))?(.*)$", joined,
                       flags=re.MULTILINE)
    return [(name, params, body.strip()) for name, params, body in found]


def read_macros(clang, header):
    """Names and bodies of the macros that the header defines, in its order."""
    listing = run([clang, "-x", "c", "-E", "-dM", header])
    bodies = dict(re.findall(r"^#define (NETCL_\w+)[ \t]*(.*)$", listing, flags=re.MULTILINE))
    with open(header, encoding="ascii") as file:
        text = file.read()
    found = []
    for match in re.finditer(r"^#define (NETCL_\w+)", text, flags=re.MULTILINE):
        name = match.group(1)
        if name in bodies and name not in [f[0] for f in found]:
            found.append((name, bodies[name], macro_comment(text, match.start())))
    return found


def macro_comment(text, start):
    before = text[:start].rstrip()
    if not before.endswith("*/") or "\n\n" in text[len(before):start]:
        return ""
    begin = before.rindex("/*")
    return before[begin + 3:-2] if before.startswith("/**", begin) else ""


PROBE = r"""
#include <stdio.h>
#include "%s"
#define VALUE(x) printf("value " #x " %%lld %%llu %%d %%d\n", (long long)(x), \
  (unsigned long long)(x), (int)sizeof(x), ((__typeof__(x))-1) < ((__typeof__(x))0))
#define LAYOUT(t) printf("struct " #t " %%d %%d\n", (int)sizeof(t), (int)__alignof__(t))
#define MEMBER(t, m) printf("member " #t " " #m " %%d %%d\n", (int)offsetof(t, m), \
  (int)sizeof(((t *)0)->m))
int main(void) {
  printf("pointer %%d\n", (int)sizeof(void *));
%s
  return 0;
}
"""


def probe(clang, header, values, members):
    """Compiles and runs a program: values {name: (signed, unsigned, size, is_signed)}, sizes
    {struct: (size, align)}, offsets {(struct, member): (offset, size)}, and a pointer's size."""
    lines = [f"  VALUE({name});" for name in values]
    for struct, names in members.items():
        lines.append(f"  LAYOUT({struct});")
        lines += [f"  MEMBER({struct}, {name});" for name in names]
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "probe.c")
        program = os.path.join(folder, "probe")
        with open(source, "w", encoding="ascii") as file:
            file.write(PROBE % (header, "\n".join(lines)))
        run([clang, "-std=gnu99", "-Wno-unused-value", source, "-o", program])
        output = run([program])
    found, sizes, offsets, pointer = {}, {}, {}, 8
    for line in output.splitlines():
        words = line.split()
        if words[0] == "value":
            found[words[1]] = (int(words[2]), int(words[3]), int(words[4]), words[5] == "1")
        elif words[0] == "struct":
            sizes[words[1]] = (int(words[2]), int(words[3]))
        elif words[0] == "member":
            offsets[words[1], words[2]] = (int(words[3]), int(words[4]))
        else:
            pointer = int(words[1])
    return found, sizes, offsets, pointer
