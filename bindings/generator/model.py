"""The typed model of netcl.h that every back end writes from. See README.md beside this file.

read_header() fills these classes. Names in the model are C names; `short` names have the prefix
"netcl_" (or the constant's prefix) taken off. Nothing in here knows a target language.
"""

from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple


class HeaderError(Exception):
    """The header holds something that follows no naming pattern. `problems` lists all of them."""

    def __init__(self, problems):
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass
class Doc:
    """A comment: prose in paragraphs and what @param says; the markers apart (see markers.py)."""

    text: str = ""
    params: Dict[str, str] = field(default_factory=dict)  # name to text
    outs: List[str] = field(default_factory=list)         # names given by @param[out]
    marks: Dict[str, Dict[str, str]] = field(default_factory=dict)  # of @param: name to {mark: value}
    words: List[str] = field(default_factory=list)        # the markers in the prose: "safe"
    of: List[str] = field(default_factory=list)           # x and y of @flag[x,y]

    @property
    def safe(self):
        return "safe" in self.words

    @property
    def first_sentence(self):
        end = self.text.find(". ")
        return self.text if end < 0 else self.text[: end + 1]


@dataclass(frozen=True)
class Type:
    """A C type. `base` has neither "const" nor "struct": "netcl_tensor", "uint32_t", "char".

    `levels` has one entry per "*", innermost first: True where what it points to is const.
    "netcl_event *const *" has base netcl_event and levels (False, True).
    """

    base: str
    kind: str  # "handle" "foreign" "enum" "sized" "frozen" "scalar" "char" "void" "callback"
    levels: Tuple[bool, ...] = ()
    array: int = 0  # extent of a member that is an inline array, 0 otherwise
    spelling: str = ""

    @property
    def depth(self):
        return len(self.levels)


@dataclass
class Constant:
    """A macro with a value: NETCL_RANK_MAX."""

    name: str
    short: str            # "RANK_MAX"
    ctype: str            # "uint32_t", "int32_t", "uint64_t", "int64_t" or "text"
    value: object         # int or str
    doc: Doc


@dataclass
class EnumValue:
    name: str             # "NETCL_ERROR_TIMEOUT"
    short: str            # "ERROR_TIMEOUT": without what all values of the type have in common
    value: int
    doc: Doc


@dataclass
class Enum:
    """A typedef of int32_t with its tagged enum `<name>_value`."""

    name: str             # "netcl_status"
    short: str            # "status"
    ctype: str
    values: List[EnumValue]
    doc: Doc


@dataclass
class Handle:
    name: str             # "netcl_tensor"
    short: str            # "tensor"
    retain: str
    release: str
    shareable: bool       # False: "Movable.", may change threads, not be used by two at a time
    type_value: str       # "NETCL_HANDLE_TENSOR"
    doc: Doc


@dataclass
class Member:
    """A member of a struct."""

    name: str
    type: Type
    offset: int
    size: int
    doc: Doc
    role: str = ""
    partner: str = ""     # the count or size of an array, text or data; for these: their owner
    flag: bool = False    # a uint32_t that is a truth value: @flag


@dataclass
class Struct:
    """kind: "options" (the library reads it), "info" (it writes it), "both", "frozen", or "call" (a
    callback gets it)."""

    name: str
    short: str
    kind: str
    size: int
    align: int
    members: List[Member]
    init: Optional[str]   # the name of its INIT macro
    doc: Doc

    def member(self, name):
        return next(m for m in self.members if m.name == name)

    def guarded(self, flag):
        """The members of which a flag says that they are set: x and y of @flag[x,y], x of has_x."""
        names = flag.doc.of or [m.name for m in self.members if flag.name == "has_" + m.name]
        return [self.member(n) for n in names] if flag.flag else []


@dataclass
class Param:
    """One parameter of C."""

    name: str
    type: Type
    doc: str = ""
    marks: Dict[str, str] = field(default_factory=dict)   # what is in brackets behind its @param


@dataclass
class Argument:
    """What a user of another language passes or gets: one or more parameters of C with a role."""

    role: str
    params: List[Param]   # in the order of C
    optional: bool = False
    absent: bool = False  # an output handle that is NULL where there is none
    like: str = ""        # array_out_like, handles_out_like: the argument with as many entries
    extent: int = 0       # array_out_fixed: the number of entries
    flag: bool = False    # a uint32_t (in or out) that is a truth value, as Member.flag
    owned: bool = False   # foreign_out: the caller owns what it gets (else it is lent)
    callback: Optional["Callback"] = None  # the type of a callback
    freed: bool = False   # callback: its user_data is destroyed also where the call fails

    @property
    def name(self):
        return self.params[1 if self.role in ("layout", "shape") else 0].name

    @property
    def type(self):
        return self.params[0].type

    @property
    def doc(self):
        return self.params[0].doc

    @property
    def is_output(self):
        return self.role in OUTPUT_ROLES

    @property
    def kept(self):
        """Whether it is a callback that is called after this call too."""
        return self.role == "callback" and len(self.params) == 3

    @property
    def untold(self):
        """Whether it is kept and has nobody to tell of what fails: see calls.py."""
        return self.kept and self.callback.returns.base != "netcl_status"


@dataclass
class Callback:
    """A function type of the host: netcl_log_fn. user_data is its last parameter."""

    name: str
    short: str
    returns: Type
    params: List[Param]
    doc: Doc


@dataclass
class Function:
    """kind: "retain" "release" "method" (its first argument is the object), "constructor" (gives a
    new `owner`), "static" (named after a handle type, neither of these), "enum_method", "op", or
    "function"."""

    name: str
    short: str            # "tensor_read"
    kind: str
    owner: str            # short name of the handle or enum, "op", or ""
    verb: str             # what is left of the name: "read", "matmul", "version_string"
    section: str          # heading in the header: "Tensors"
    returns: str          # "status" "void" "text" "value"
    return_type: Type
    params: List[Param]
    arguments: List[Argument]
    doc: Doc

    @property
    def thread_bound(self):
        """Whether it works on state of the calling thread. Languages whose tasks change threads
        leave these out; each has a twin that names what it works on."""
        return "thread" in self.doc.words

    @property
    def inputs(self):
        return [a for a in self.arguments if not a.is_output]

    @property
    def outputs(self):
        return [a for a in self.arguments if a.is_output]


# What the roles mean is in README.md.
INPUT_ROLES = frozenset((
    "object", "handle", "handles", "value", "enum", "timeout", "text", "text_sized", "texts",
    "element", "data_in", "data_out", "data_lent", "array", "columns", "layout", "shape",
    "options", "frozen", "foreign", "callback"))
OUTPUT_ROLES = frozenset((
    "scalar_out", "array_out", "array_out_exact", "array_out_like", "array_out_fixed",
    "text_out", "bytes_out", "info_out", "frozen_out", "handle_out", "handles_out",
    "handles_out_like", "foreign_out"))


@dataclass(eq=False)  # one header is one model: what follows from it can be kept
class Model:
    constants: List[Constant]
    enums: List[Enum]
    handles: List[Handle]
    foreign: List[str]    # "_cl_mem": struct tags of other libraries
    structs: List[Struct]
    callbacks: List[Callback]
    functions: List[Function]
    doc: str              # the comment at the head of the header
    pointer_size: int = 8
    text: str = ""        # the header as it is

    def constant(self, name):
        return next(c for c in self.constants if c.name == name)

    def enum(self, name):
        return next(e for e in self.enums if e.name == name)

    def handle(self, name):
        return next(h for h in self.handles if h.name == name)

    def struct(self, name):
        return next(s for s in self.structs if s.name == name)

    def function(self, name):
        return next(f for f in self.functions if f.name == name)

    def callback(self, name):
        return next(c for c in self.callbacks if c.name == name)

    @property
    def version(self):
        part = lambda name: self.constant("NETCL_VERSION_" + name).value  # noqa: E731
        return f"{part('MAJOR')}.{part('MINOR')}.{part('PATCH')}"
