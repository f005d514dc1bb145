"""The header's comments in the words of Go: names of Go for those of C, nil for NULL, true for 1."""

import re

names = {}     # "netcl_op_softmax", "NETCL_POOL_PINNED", "INVALID_ARGUMENT" to what Go calls it
flags = set()  # members that are a bool in Go


def learn(found, members):
    names.clear()
    names.update(found)
    flags.clear()
    flags.update(members)


def member(match):
    from backends._go_names import camel
    before, name, told = match.group(1), match.group(2), match.group(3) or ""
    own = camel(name[:-3] if name.endswith("_ns") else name)
    if told and name in flags:
        told = f" is {'true' if told.endswith('1') else 'false'}"
    before = names.get(before, before)
    return f"{before}.{own}{told}"


def spaced(name):
    return name.replace("_", " ")


def field(name):
    from backends._go_names import camel
    return camel(name)


def in_go(text, kind=""):
    """The text of a comment; `kind` is the type of what it is about."""
    if kind == "bool":
        text = re.sub(r"^1: ", "True: ", text)
        text = re.sub(r"; 0:? ", "; false: ", text)
    # run->into and netcl_tensor_info.borrowed; not the name of a file.
    text = re.sub(r"\b(\w+)->(\w+)( is [01]\b)?", member, text)
    text = re.sub(r"\b(\w+(?:\.\w+)+)->(\w+)( is [01]\b)?", member, text)
    text = re.sub(r"\b(netcl_\w+)\.(?!h\b)(\w+)( is [01]\b)?", member, text)
    text = re.sub(r"\b(?:netcl|NETCL)_\w+|\b[A-Z]{2,}(?:_[A-Z]+)*\b",
                  lambda m: names.get(m.group(), m.group()), text)
    # Extents of arrays are lengths of slices, and members that stand alone are fields.
    text = re.sub(r"\b([a-z]+(?:_[a-z]+)*)_count (?:is )?0\b", lambda m: f"no {spaced(m.group(1))}", text)
    text = re.sub(r"\bwith (has_\w+) = 1\b", lambda m: f"with {field(m.group(1))}", text)
    text = re.sub(r"\bhas_\w+\b", lambda m: field(m.group()) if m.group() in flags else m.group(),
                  text)
    text = re.sub(r"\bNULL\b", '""' if kind == "string" else "nil", text)
    return text.replace("`timeout_ns`", "ctx").replace("timeout_ns", "ctx")
