"""The functions of Go: a file per handle type, ops, free functions, callbacks."""

from backends import _go_callbacks, _go_options, _go_refusals
from backends._go_arguments import func_type
from backends._go_calls import called_back, reached, unreached
from backends._go_names import (BEHIND, KEPT, NoRule, camel, comment, constant_name, constructor_name,
                                method_name, sentence, type_name)
from backends._go_types import with_imports
from backends._go_writer import Writer


def files(model, names):
    found = {}
    for handle in model.handles:
        lines = handle_lines(handle)
        for function in model.functions:
            if function.owner == handle.short and not unreached(function) and \
                    function.kind in ("method", "constructor", "static"):
                lines += names.writer(function).lines()
        found[f"zz_{handle.short}.go"] = with_imports(lines)
    ops = [names.writer(f) for f in model.functions if f.kind == "op" and not unreached(f)]
    found["zz_ops.go"] = with_imports([line for w in ops for line in w.lines()])
    found.update(_go_options.files(model, names, ops))
    found["zz_functions.go"] = with_imports(free_functions(model, names))
    found["zz_callbacks.go"] = with_imports(_go_callbacks.lines(model))
    found.update(_go_refusals.files(model, names.names))
    return found


class Names:
    """What each function is called. Go has one set of names for all of a package."""

    def __init__(self, model):
        self.model = model
        self.taken = {}
        for item in model.enums + model.structs + model.handles:
            self.take(type_name(item.name), item.name)
        for item in model.constants + [v for e in model.enums for v in e.values]:
            self.take(constant_name(item.name), item.name)
        for kind in called_back(model):
            self.take(func_type(kind.name), kind.name)
        self.names = {f.name: self.name(f) for f in reached(model)
                      if f.kind not in ("retain", "release")}

    def words(self):
        """What comments call each name of C. One that several have is none."""
        found = {s.name: type_name(s.name) for s in self.model.structs + self.model.handles +
                 self.model.enums}
        for item in self.model.constants + [v for e in self.model.enums for v in e.values]:
            found[item.name] = constant_name(item.name)
        for value in self.model.enum("netcl_status").values:
            if value.short.startswith("ERROR_"):
                found[value.short[len("ERROR_"):]] = constant_name(value.name)
        for function in self.model.functions:
            name = self.names.get(function.name)
            if function.kind in ("retain", "release"):
                name = "Retain" if function.kind == "retain" else "Close"
            owned = function.kind in ("method", "enum_method", "retain", "release")
            if name:
                found[function.name] = f"{camel(function.owner)}.{name}" if owned else name
        return found

    def take(self, name, what):
        if name in self.taken:
            raise NoRule(what, f"{name} is {self.taken[name]} already")
        self.taken[name] = what
        return name

    def name(self, function):
        if function.kind in ("method", "enum_method"):
            owner = camel(function.owner)
            self.take(f"{owner}.{method_name(function.verb)}", function.name)
            return method_name(function.verb)
        if function.kind == "constructor":
            return self.take(constructor_name(function.owner, function.verb), function.name)
        name = method_name(function.short)
        # LibraryInfo is the type of what GetLibraryInfo gives.
        return self.take("Get" + name if name in self.taken else name, function.name)

    def writer(self, function):
        name = BEHIND.get(function.name) or self.names[function.name]
        return Writer(self.model, function, name, function.kind in ("method", "enum_method"))


HANDLE = """
type {name} struct {{
	reference
{kept}}}

func new{name}(raw C.uintptr_t) *{name} {{
	if raw == 0 {{
		return nil
	}}
	{x} := &{name}{{}}
	{mutex}{x}.raw.Store(uintptr(raw))
	runtime.SetFinalizer({x}, (*{name}).Close)
	return {x}
}}

// {name}FromHandle takes over one reference to a handle of C, such as another library gave. 0 gives
// nil.
func {name}FromHandle(raw uintptr) *{name} {{
	return new{name}(C.uintptr_t(raw))
}}

// Handle lends the handle of C, which is valid until Close; 0 for nil.
func ({x} *{name}) Handle() uintptr {{
	return {x}.pointer()
}}

func ({x} *{name}) pointer() uintptr {{
	if {x} == nil {{
		return 0
	}}
	return {x}.value()
}}

func ({x} *{name}) guard() *sync.Mutex {{
	if {x} == nil {{
		return nil
	}}
	return {x}.mutex
}}

func c{name}({x} *{name}) *C.{c_name} {{
	raw := {x}.pointer()
	return *(**C.{c_name})(unsafe.Pointer(&raw))
}}

// Close gives the reference back, without waiting for the device; further calls do nothing. Without
// it the garbage collector gives the reference back at some time. It never fails.
//
// It calls {release}.
func ({x} *{name}) Close() error {{
	if {x} == nil {{
		return nil
	}}
	if raw := {x}.take(); raw != 0 {{
		runtime.SetFinalizer({x}, nil)
		C.netclgo_{short}_release(C.uintptr_t(raw))
	}}
	return nil
}}

// Retain gives one more reference to the same object, to be closed on its own.
//
// It calls {retain}.
func ({x} *{name}) Retain() (*{name}, error) {{
	raw := C.uintptr_t({x}.pointer())
	err := errorOf(C.netclgo_{short}_retain(raw))
	runtime.KeepAlive({x})
	if err != nil {{
		return nil, err
	}}
	other := new{name}(raw)
	{share}return other, nil
}}
"""


def handle_lines(handle):
    name = type_name(handle.name)
    x = name[0].lower()
    text = sentence(name, handle.doc.text)
    if not handle.shareable:
        text += "\n\nCalls on it, from any goroutines, run one after the other."
    mutex = "" if handle.shareable else f"{x}.mutex = new(sync.Mutex)\n\t"
    share = "" if handle.shareable else f"other.mutex = {x}.mutex\n\t"
    kept = f"\t{KEPT[handle.name]}\n" if handle.name in KEPT else ""
    body = HANDLE.format(kept=kept, name=name, x=x, mutex=mutex, share=share, c_name=handle.name,
                         short=handle.short, release=handle.release, retain=handle.retain)
    return [""] + comment(text) + body.strip().split("\n")


def free_functions(model, names):
    lines = []
    for function in model.functions:
        if function.kind in ("enum_method", "function") and not unreached(function):
            lines += names.writer(function).lines()
    return lines
