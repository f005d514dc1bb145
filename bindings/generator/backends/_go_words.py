"""The header's comments in the words of Go: names of Go for those of C, nil for NULL, true for 1."""

import re

from words import SIZED, flag_names, lengths, lists, truths

names = {}     # "netcl_op_softmax", "NETCL_POOL_PINNED", "INVALID_ARGUMENT" to what Go calls it
flags = set()  # members and parameters that are a bool in Go
words = {}     # names of fields and parameters in C to those in Go
spoken = {}    # likewise, of the parameters of the function that is spoken of


def learn(found, model):
    names.clear()
    names.update(found)
    flags.clear()
    flags.update(flag_names(model))
    words.clear()
    for function in model.functions:
        words.update(parameters(function))
    for member in (m for s in model.structs for m in s.members):
        words[member.name] = field(in_unit(member))
        if member.role in SIZED:
            words[member.partner] = f"len({field(member.name)})"


def without_unit(name):
    return name[:-3] if name.endswith("_ns") else name


def in_unit(item):
    """The name of a parameter or a member: a time.Duration has no unit in its name."""
    from backends._go_names import is_duration
    return without_unit(item.name) if is_duration(item.type, item.name) else item.name


def parameters(function):
    """What Go calls the parameters of a function; the size of a slice is its length."""
    from backends._go_names import local
    found = {p.name: local(in_unit(p)) for p in function.params}
    return {**found, **lengths(function, lambda name: f"len({local(name)})")}


def speak_of(function):
    spoken.clear()
    spoken.update(parameters(function) if function else {})


def word(match):
    name = match.group()
    return spoken.get(name) or words.get(name, name)


def member(match):
    from backends._go_names import camel
    before, name = match.groups()
    return f"{names.get(before, before)}.{camel(without_unit(name))}"


def own(before, name):
    """What a bool is called; names behind "options->" are translated with it."""
    return name if before else spoken.get(name) or field(name)


def listed(name):
    return f"`{spoken[name]}`" if name in spoken else field(name)


def field(name):
    from backends._go_names import camel
    return camel(name)


def in_go(text, kind=""):
    """The text of a comment; `kind` is the type of what it is about."""
    return re.sub(r"(?<![\w./\"])[a-z]+(?:_[a-z0-9]+)+(?![\w/\"]|\.\w)", word,
                  translated(text, kind))


def translated(text, kind=""):
    """Likewise, where parameters have the names of C, as in messages."""
    if kind == "bool":
        text = re.sub(r"^1: ", "True: ", text)
        text = re.sub(r": 0$", ": false", re.sub(r"; 0:? ", "; false: ", text))
    text = truths(lists(text, listed), flags, own)
    # run->into and netcl_tensor_info.borrowed; not the name of a file.
    # What stands in quotation marks is a text that is meant as it is.
    parts = re.split(r'("[^"]*")', text)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"\b(\w+)->(\w+)", member, parts[i])
        parts[i] = re.sub(r"\b(\w+(?:\.\w+)+)->(\w+)", member, parts[i])
    text = "".join(parts)
    text = re.sub(r"\b(netcl_\w+)\.(?!h\b)(\w+)", member, text)
    text = re.sub(r"\b(?:netcl|NETCL)_\w+|\b[A-Z]{2,}(?:_[A-Z]+)*\b",
                  lambda m: names.get(m.group(), m.group()), text)
    text = re.sub(r"\bhas_\w+\b", lambda m: field(m.group()) if m.group() in flags else m.group(),
                  text)
    text = re.sub(r"\bNULL\b", '""' if kind == "string" else "nil", text)
    return text.replace("`timeout_ns`", "ctx").replace("timeout_ns", "ctx")
