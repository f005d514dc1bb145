"""The markers in the header's comments: words that a parser reads, so that no prose has to be.

    @param[out,opt,count=sizes] x ...    in brackets: what is marked of the parameter x
    /**< @flag ... */                    words with an @: what is marked of a member or a function

The head of the header says what each means. What is not known, or marks what it cannot mark, is
refused; so is a comment whose prose says what no marker says.
"""

import re

from model import Doc

# In brackets behind @param.
MARKS = ("in", "out", "opt", "absent", "flag", "count", "owned", "borrowed", "stays", "destroyed",
         "infer")
OF_FUNCTIONS = ("safe", "thread", "by_thread")
OF_MEMBERS = ("flag", "stays", "copied")
WORD = re.compile(r"(?<![\w`])@([a-z_]+)(?:\[([\w,]+)\])?\s?")
# How prose says what has a marker.
FLAG = re.compile(r"1(:| when | while | for )")
NULL = r"`?\b{0}`? \(?may be NULL|\bNULL `?{0}\b"
STAYS = re.compile(r"\b(?:must|has to|have to) (?:stay|live|remain)\b")
ENTRIES = re.compile(r"as many entries as|\w+_count entries|\b\d+ entries")


def parse_doc(raw):
    """Takes a comment apart: prose by paragraphs, @param texts, markers."""
    raw = re.sub(r"^\s*\*+ ?", "", raw, flags=re.MULTILINE).strip().rstrip("*").strip()
    raw = raw.lstrip("<").strip()
    parts = re.split(r"@param\s*(?:\[([^\]]*)\])?\s*(\w+)", raw)
    words = WORD.findall(parts[0])
    doc = Doc(words=[word for word, _ in words], of=[n for _, of in words if of
                                                     for n in of.split(",")])
    doc.text = told(tidy(WORD.sub("", parts[0])), doc.words)
    for marks, name, text in zip(parts[1::3], parts[2::3], parts[3::3]):
        pairs = [m.strip().partition("=") for m in (marks or "").split(",") if m.strip()]
        doc.marks[name] = {mark: value for mark, _, value in pairs}
        if tidy(text):
            doc.params[name] = told(tidy(text), doc.marks[name])
        if "out" in doc.marks[name]:
            doc.outs.append(name)
    return doc


def told(text, marks):
    """The text of a flag says when it holds, for languages where it is a number."""
    return f"1: {text}" if text and "flag" in marks else text


def tidy(text):
    paragraphs = [" ".join(p.split()) for p in re.split(r"\n\s*\n", text)]
    return "\n\n".join(p for p in paragraphs if p)


def unmarked(model):
    """What is wrong with the markers of a model, as a list of problems."""
    found = []
    flags = {m.name for s in model.structs for m in s.members if m.flag} | \
        {a.name for f in model.functions for a in f.arguments if a.flag}
    for function in model.functions:
        found += [f"{function.name}: {what}" for what in in_function(function, flags)]
    for struct in model.structs:
        names = [m.name for m in struct.members]
        for member in struct.members:
            found += [f"{struct.name}.{member.name}: @flag[{other}] names no member"
                      for other in member.doc.of if other not in names]
            found += [f"{struct.name}.{member.name}: {what}" for what in in_member(member, flags)]
    return found


def in_function(function, flags):
    doc = function.doc
    for word in doc.words:
        if word not in OF_FUNCTIONS:
            yield f"`@{word}` is no marker of a function"
    if re.search(r"(^| )Safe\.$", doc.text):
        yield 'its comment ends with "Safe."; the marker is @safe'
    if "the calling thread's" in doc.text and "thread" not in doc.words:
        yield "it is about the calling thread's state; mark it with @thread"
    if STAYS.search(doc.text) and not any("stays" in p.marks for p in function.params):
        yield "its comment says that memory must stay; mark it: @param[stays]"
    # Lengths and counts that a function gives go with what they count.
    firsts = {a.params[0].name: a for a in function.arguments}
    for param in function.params:
        argument = firsts.get(param.name)
        yield from in_param(param, argument, doc, flags)


def in_param(param, argument, doc, flags):
    for mark in param.marks:
        if mark not in MARKS:
            yield f"`@param[{mark}] {param.name}` is no marker"
    said = re.search(NULL.format(param.name), doc.text) or "may be NULL" in param.doc
    if said and "opt" not in param.marks:
        yield f"its comment says that `{param.name}` may be NULL; mark it: @param[opt]"
    if argument is None:
        return
    if argument.role == "handle_out" and re.search(r", NULL (when|with) ", param.doc) and \
            not argument.absent:
        yield f"`{param.name}` is NULL at times; mark it: @param[out,absent]"
    if argument.role in ("scalar_out", "handle_out") and ENTRIES.search(param.doc):
        yield f"`{param.name}` has several entries; mark how many: @param[out,count=...]"
    if STAYS.search(param.doc) and "stays" not in param.marks:
        yield f"`{param.name}` must stay; mark it: @param[stays]"
    is_number = argument.role in ("value", "scalar_out") and param.type.base == "uint32_t"
    if "flag" in param.marks and not is_number:
        yield f"`{param.name}` is marked as a flag; a flag is a uint32_t"
    if is_number and not argument.flag and (
            FLAG.match(param.doc) or param.name in flags or f"`{param.name}` is 1" in doc.text):
        yield f"`{param.name}` is a truth value; mark it: @param[flag]"
    if argument.absent and argument.role != "handle_out":
        yield f"`{param.name}` is marked as absent; only a handle that comes out can be"


def in_member(member, flags):
    for word in member.doc.words:
        if word not in OF_MEMBERS:
            yield f"`@{word}` is no marker of a member"
    is_number = member.role == "value" and member.type.base == "uint32_t" and \
        not member.type.array
    if member.flag and not is_number:
        yield "it is marked as a flag; a flag is a uint32_t"
    named = re.match(r"(has|is|use|uses)_", member.name) or member.name in flags
    if is_number and not member.flag and (named or FLAG.match(member.doc.text)):
        yield "its name or its text is that of a truth value; mark it with @flag"
    if STAYS.search(member.doc.text) and "stays" not in member.doc.words:
        yield "its text says that memory must stay; mark it with @stays"
    if member.role == "data_in" and member.doc.text.startswith("copied") and \
            "copied" not in member.doc.words:
        yield "its text says that it is copied; mark it with @copied"
