"""What the header says with numbers, for languages that have truth values and lists with a length."""

import re

# Memory and text, which have a size beside them in C.
SIZED = ("data_in", "data_out", "data_lent", "text_sized")
COUNTED = ("data_in", "data_out", "text_sized", "array", "columns", "handles", "texts")


def flag_names(model):
    """Members and parameters that are truth values."""
    members = (m for s in model.structs for m in s.members)
    arguments = (a for f in model.functions for a in f.arguments)
    return {each.name for each in (*members, *arguments) if each.flag}


def truths(text, flags, own):
    """`share = 1` and "options->borrow is 1" of a truth value; `own` is what a member is called,
    which may stand behind "options->"."""
    def change(match):
        quote, before, name, verb, value = match.groups()
        if name not in flags:
            return match.group()
        told = "true" if value == "1" else "false"
        return f"{quote}{before}{name if quote else own(before, name)}{quote}{verb}{told}"
    text = re.sub(r"(?<![\w`>.])(`?)((?:\w+(?:->|\.))*)(\w+)\1( is | = | must be )([01])\b(?!\.?\d)",
                  change, text)
    text = re.sub(r"\bwith (\w+) 0\b(?!\.\d)", lambda m: f"with {own('', m[1])} = false"
                  if m[1] in flags else m[0], text)
    return text.replace(" Flags are 0 or 1.", "")


def flag_words(text):
    """The comment of a truth value."""
    text = re.sub(r"^1(?=:| when\b)", "true", text)
    return re.sub(r": 0$", ": false", re.sub(r"; 0(?=:)", "; false", text))


def lists(text, name):
    """Lists know how many they hold; `name` gives what one is called in a sentence."""
    text = re.sub(r" ?`count` receives the number of \w+\. A capacity below that runs nothing and "
                  r"tells that alone\.", "", text)
    text = re.sub(r"\b(\w+)_size bytes at \1\b", lambda m: f"the bytes of {name(m[1])}", text)
    text = re.sub(r"\b[a-z_]+_count 0:", "empty:", text)
    text = re.sub(r"->([a-z_]+)_count (is )?0\b", lambda m: f"->{m[1]} {m[2] or ''}empty", text)
    text = re.sub(r"\b([a-z_]+)_count is 0\b", lambda m: f"{name(m[1])} is empty", text)
    return re.sub(r"\b([a-z_]+)_count 0\b", lambda m: f"an empty {name(m[1])}", text)


def sizes(function, length):
    """What is said for the sizes of memory and text: `length` makes it of their name."""
    return {a.params[1].name: length(a.name) for a in function.arguments if a.role in SIZED}


def lengths(function, length):
    """Likewise, and for how many entries lists have."""
    return {a.params[-1].name: length(a.name) for a in function.inputs if a.role in COUNTED}


def replaced(text, names):
    """Words of C by those of `names`, and no article before what is an expression."""
    for name, own in names.items():
        text = re.sub(rf"\b(?:an? )?(?<![\w`>.]){name}(?![\w`])", own.replace("\\", r"\\"), text)
    return text
