#!/usr/bin/env python3
"""Writes docs/ops.md, the index of ops, from include/netcl.h: ops_index.py [--check]

ops_facts.txt says which words of an op's comment are its formula, its shapes and its dtypes, and
in which speed class it is. All words but the class have to stand in the header, so that the index
says what the header says. What has a gradient is read from src/graph/op_gradients.hpp. With --check
nothing is written, and the exit status is 1 when the index is out of date.
"""

import os
import re
import sys

from header_parts import BAR, header_text

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FACTS = os.path.join(ROOT, "scripts", "ops_facts.txt")
RULES = os.path.join(ROOT, "src", "graph", "op_gradients.hpp")
INDEX = os.path.join(ROOT, "docs", "ops.md")
FUNCTION = re.compile(r"/\*\*((?:(?!\*/).)*?)\*/\s*NETCL_API netcl_status (netcl_op_\w+)\(",
                      re.DOTALL)
FIELDS = ("formula", "shapes", "dtypes", "class")
CLASSES = {
    "memory": "one pass: the time that memory takes for inputs and result",
    "arithmetic": "bound by arithmetic where extents are large; else as memory",
    "passes": "a few passes over the input",
    "index": "one pass, with places that the data says: slower where they jump about",
}
# Ops whose function in src/ops, for which there is a rule, has another name.
SAME_RULE = {"expression_text": "expression", "log_softmax": "softmax", "layernorm": "norm",
             "rmsnorm": "norm", "nll_loss": "cross_entropy", "embedding": "gather",
             "primitive": "primitive", "dequantize_linear": "dequantize_linear"}
ENUMS = (
    ("Elementwise operators", "netcl_elementwise_value", "NETCL_ELEMENTWISE_",
     "Values of `netcl_elementwise`, for `netcl_op_elementwise`, of inputs x, or x and y. a and b\n"
     "are `options->alpha` and `beta`, defaults in brackets."),
    ("Kinds of reductions", "netcl_reduction_value", "NETCL_REDUCTION_",
     "Values of `netcl_reduction`, for `netcl_op_reduce`; scans take `sum`, `prod`, `max`, `min`."),
)
HEAD = """# Ops

All ops of the library, from the comments of [`netcl.h`](../include/netcl.h) by
`scripts/ops_index.py`. The header has more: options, error bounds, empty tensors, NaN.

What holds for all of them: tensors may have any strides; a result is a new tensor in C order, or
goes to `run->into`; axes count from the end when negative; f16 and bf16 are computed in f32 and
rounded once; the same input gives the same bits each time on a device. *Gradient* says whether a
recorded call has one, see [graphs](graphs.md).

[Elementwise operators](#elementwise-operators) and [reductions](#kinds-of-reductions) have lists
below, the functions of formulas a table in [expressions](expressions.md), with their error bounds.
[Performance](performance.md) has what was measured.

Speed classes:

"""


def tidy(text):
    return " ".join(re.sub(r"^\s*\* ?", "", text, flags=re.MULTILINE).split())


def ops(text):
    """(name, section, comment) of each op, and the comments of each section as one text."""
    bars = [(m.start(), m.group(2)) for m in BAR.finditer(text) if m.group(1)[0] == "-"]
    found, sections = [], {}
    for start, title in bars:
        end = next((place for place, _ in bars if place > start), len(text))
        comments = re.findall(r"/\*(.*?)\*/", text[start:end], re.DOTALL)
        sections[title] = " ".join(tidy(comment) for comment in comments)
        for comment, name in FUNCTION.findall(text[start:end]):
            found.append((name[len("netcl_op_"):], title, tidy(comment)))
    return found, sections


def facts():
    """The blocks of ops_facts.txt by the op's name."""
    found, name = {}, None
    with open(FACTS, encoding="ascii") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if not line or line.startswith("#"):
                continue
            if not line.startswith(" "):
                name = line
                found[name] = {}
                continue
            field, _, value = line.strip().partition(": ")
            if field not in FIELDS or not value:
                sys.exit(f"scripts/ops_facts.txt:{number}: no field of {', '.join(FIELDS)}")
            found[name][field] = value
    return found


def with_gradient():
    with open(RULES, encoding="ascii") as file:
        return set(re.findall(r"kGradient<(?:ops::)?(\w+)>", file.read()))


def quoted(name, field, value, comment, section):
    """The words, if the header has them; several places are joined by ` ... `."""
    for part in value.split(" ... "):
        if part not in comment and part not in section:
            sys.exit(f"scripts/ops_facts.txt: {name}: {field}: the header does not say \"{part}\"")
    return value.replace(" ... ", "; ")


def cell(text):
    return re.sub(r"([|*_<>\[\]])", r"\\\1", text)


def index():
    text = header_text()
    found, sections = ops(text)
    said, gradients = facts(), with_gradient()
    unknown = set(said) - {name for name, _, _ in found}
    if unknown:
        sys.exit(f"scripts/ops_facts.txt: no op of the header: {', '.join(sorted(unknown))}")
    lines, last = [HEAD], None
    lines += [f"- **{name}**: {meaning}\n" for name, meaning in CLASSES.items()]
    for name, title, comment in found:
        if name not in said:
            sys.exit(f"scripts/ops_facts.txt: {name} is missing")
        if title != last:
            shown = title.replace("Ops: ", "")
            lines.append(f"\n## {shown[0].upper()}{shown[1:]}\n\n"
                         "| op | what it computes | shapes | dtypes | gradient | speed |\n"
                         "|---|---|---|---|---|---|\n")
            last = title
        row = said[name]
        lacking = [field for field in FIELDS if field not in row]
        if lacking:
            sys.exit(f"scripts/ops_facts.txt: {name} has no {', '.join(lacking)}")
        words = [quoted(name, field, row[field], comment, sections[title]) for field in FIELDS[:3]]
        if row["class"] not in CLASSES:
            sys.exit(f"scripts/ops_facts.txt: {name}: no class of {', '.join(CLASSES)}")
        gradient = "yes" if SAME_RULE.get(name, name) in gradients else "no"
        cells = " | ".join(cell(word) for word in words)
        lines.append(f"| `{name}` | {cells} | {gradient} | {row['class']} |\n")
    return "".join(lines)


def choices(text, enum, prefix):
    """The values of an enum of the header with their comments: (name, comment)."""
    body = re.search(rf"enum {enum} \{{(.*?)\}};", text, re.DOTALL).group(1)
    return [(name[len(prefix):].lower(), tidy(comment or ""))
            for name, comment in re.findall(rf"({prefix}\w+) = \d+,? *(?:/\*\*<(.*?)\*/)?", body,
                                            re.DOTALL)]


def enums(text):
    """Tables of what the two ops that stand for many can do."""
    lines = []
    for title, enum, prefix, said in ENUMS:
        lines.append(f"\n## {title}\n\n{said}\n\n| name | meaning |\n|---|---|\n")
        for name, comment in choices(text, enum, prefix):
            if not comment:
                sys.exit(f"include/netcl.h: {prefix}{name.upper()} has no comment")
            lines.append(f"| `{name}` | {cell(comment)} |\n")
    return "".join(lines)


def main(arguments):
    made = index() + enums(header_text())
    before = ""
    if os.path.exists(INDEX):
        with open(INDEX, encoding="ascii") as file:
            before = file.read()
    if arguments == ["--check"]:
        if made != before:
            sys.exit("docs/ops.md is out of date: scripts/ops_index.py")
        return
    if arguments:
        sys.exit(__doc__)
    with open(INDEX, "w", encoding="ascii") as file:
        file.write(made)


if __name__ == "__main__":
    main(sys.argv[1:])
