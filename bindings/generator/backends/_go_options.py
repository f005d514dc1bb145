"""Options of op methods: x.Reduce(kind, WithAxes(1), WithInto(y)). The compiler says which op takes
which, as each takes an interface of its own that only its options have the method of."""

from backends import _go_words
from backends._go_arguments import listing
from backends._go_names import camel, comment, field_name, local, sentence, type_name
from backends._go_types import option_type, shown, with_imports
from backends._go_words import in_go

RUN = "netcl_run_options"
# A struct in the options of ops whose members are options of their own too.
NESTED = "netcl_epilogue"
# What the entries of an array are called where ops work on images.
AXES_2D = {"2": ["height", "width"], "4": ["top", "left", "bottom", "right"]}


def files(model, names, ops):
    methods = [Method(model, names, w) for w in ops if takes_tensor(w.function)]
    methods = [m for m in methods if m.own]
    structs = {s.name: s for s in (m.struct for m in methods) if s is not None}
    settings = Settings(model, names, list(structs.values()))
    ops = {name: [m.own for m in methods if m.struct is structs[name]] for name in structs}
    lines = settings.lines(ops) + run_lines(names)
    for name in structs:
        lines += interface(names, structs[name], settings, ops[name])
    methods = [line for m in methods for line in m.lines()]
    head = ["package netcl", ""]
    return {"zz_op_options.go": with_imports(lines, head),
            "zz_op_methods.go": with_imports(methods, head)}


def takes_tensor(function):
    first = function.arguments[0] if function.arguments else None
    return first is not None and first.role == "handle" and first.type.base == "netcl_tensor"


def stem(struct):
    """Conv2D of Conv2DOptions."""
    return type_name(struct.name)[:-len("Options")]


class Setting:
    """One With function: what it takes, and what it sets of which structs."""

    def __init__(self, name, members, flag=""):
        self.name = name
        self.members = members        # that it sets
        # (name in Go, type in Go) of them
        self.fields = [(field_name(m.type, m.name), option_type(m)) for m in members]
        self.flag = flag              # a field that becomes true with it
        self.structs = []
        self.within = {}              # struct: the member that points to the one whose members they are
        self.told = []                # (struct, what the header says of the members)

    @property
    def key(self):
        return (self.name, tuple(self.fields), self.flag)


def settings_of(struct):
    """A With for each member; members of which a flag says that they are set go with it."""
    guards = {m.name: struct.guarded(m) for m in shown(struct)}
    guarded = {g.name for group in guards.values() for g in group}
    for member in shown(struct):
        group = guards[member.name]
        if member.name in guarded:
            continue
        name = camel(member.name[len("has_"):] if group and member.name.startswith("has_")
                     else member.name)
        yield Setting(name, group or [member], camel(member.name) if group else "")


class Settings:
    def __init__(self, model, names, structs):
        self.by_struct = {}
        found, users = {}, {}
        for struct in structs:
            self.by_struct[struct.name] = []
            inner = [(m, made) for m in shown(struct) if m.type.base == NESTED
                     for made in settings_of(model.struct(NESTED))]
            for within, made in [(None, made) for made in settings_of(struct)] + inner:
                setting = found.setdefault(made.key, made)
                setting.structs.append(struct)
                setting.within[struct.name] = within
                setting.told.append((struct, told(made)))
                self.by_struct[struct.name].append(setting)
        for setting in found.values():
            users.setdefault(setting.name, []).append(setting)
        # One name with several meanings goes to the one that most ops share, then to the plain one.
        for name, several in users.items():
            several.sort(key=lambda s: (-len(s.structs), bool(s.flag)))
            for other in several[1:]:
                other.name = stem(other.structs[0]) + name
        self.all = sorted(found.values(), key=lambda s: s.name)
        for setting in self.all:
            names.take("With" + setting.name, "an option of ops")

    def lines(self, ops):
        """`ops` are the methods by the name of their struct."""
        found = []
        for setting in self.all:
            found += with_function(setting, ops)
        return found


def told(setting):
    """What the header says of what a With function sets, in the words of Go."""
    rows = [(m, in_go(m.doc.text, option_type(m))) for m in setting.members if m.doc.text]
    if len(setting.members) == 1:
        return rows[0][1] if rows else ""
    same = {text for _, text in rows}
    if len(same) == 1 and len(rows) == len(setting.members):
        return same.pop()
    return "; ".join(f"{local(field_name(m.type, m.name)[:1].lower() + field_name(m.type, m.name)[1:])}"
                     f": {text}" for m, text in rows)


def with_docs(setting, ops):
    """"WithAxis is an option of Gather: the axis." Structs of which the same is said stand together."""
    groups = {}
    for struct, text in setting.told:
        groups.setdefault(text, []).extend(ops[struct.name])
    sets = " and ".join(field for field, _ in setting.fields)
    found = []
    for text, names in groups.items():
        said = f"of {listed(names)}"
        found.append(f"{said}: {text.rstrip('.')}" if text else said)
    name = f"With{setting.name} sets {sets}"
    if len(found) == 1:
        return f"{name} {found[0]}."
    return "\n\n".join([f"{name}:"] + ["* " + line + "." for line in found])


def listed(names):
    return " and ".join(([", ".join(names[:-1])] if names[1:] else []) + names[-1:])


def kind_of(setting):
    return "with" + setting.name


def with_function(setting, ops):
    name, kind = "With" + setting.name, kind_of(setting)
    params, values = [], []
    for field, go in setting.fields:
        own = local(field[0].lower() + field[1:])
        if go == "bool":
            values.append("true")
        elif go.startswith("[]"):
            params.append(f"{own} ...{go[2:]}")
            values.append(own)
        elif go.startswith("["):
            count, base = go[1:].split("]")
            parts = AXES_2D.get(count) if all("2d" in s.name for s in setting.structs) else \
                [f"{own}{i}" for i in range(int(count))]
            params += [f"{part} {base}" for part in parts]
            values.append(f"{go}{{{', '.join(parts)}}}")
        else:
            params.append(f"{own} {go}")
            values.append(own)
    return [""] + comment(with_docs(setting, ops)) + [
        f"func {name}({listing(params)}) {kind} {{", f"\treturn {kind}{{{', '.join(values)}}}", "}",
        "", f"type {kind} struct {{"] + \
        [f"\t{'v' + str(i)} {go}" for i, (_, go) in enumerate(setting.fields)] + ["}"]


RUN_OPTIONS = """
// RunOption is an option of any op: WithQueue, WithInto, WithWaits, WithEvent, WithGraph, or a whole
// *RunOptions.
type RunOption interface {
	toRun(run *RunOptions)
}

func (v *RunOptions) toRun(run *RunOptions) {
	if v != nil {
		*run = *v
	}
}

type withRun func(run *RunOptions)

func (f withRun) toRun(run *RunOptions) {
	f(run)
}

// WithQueue runs an op on a queue, instead of the default queue of its first input's device.
func WithQueue(queue *Queue) withRun {
	return func(run *RunOptions) { run.Queue = queue }
}

// WithInto writes the result into a tensor instead of a new one. The op gives one more reference to
// it.
func WithInto(into *Tensor) withRun {
	return func(run *RunOptions) { run.Into = into }
}

// WithWaits has an op wait for events first.
func WithWaits(waits ...*Event) withRun {
	return func(run *RunOptions) { run.Waits = waits }
}

// WithEvent gives the event of the op's last command.
func WithEvent(event **Event) withRun {
	return func(run *RunOptions) { run.Event = event }
}

// WithGraph records the op into a graph.
func WithGraph(graph *Graph) withRun {
	return func(run *RunOptions) { run.Graph = graph }
}"""


def run_lines(names):
    for name in ("RunOption", "WithQueue", "WithInto", "WithWaits", "WithEvent", "WithGraph"):
        names.take(name, RUN)
    return RUN_OPTIONS.split("\n")


def interface(names, struct, settings, ops):
    own, options = stem(struct), type_name(struct.name)
    kind = names.take(own + "Option", struct.name)
    said = ", ".join("With" + s.name for s in settings.by_struct[struct.name])
    text = f"{kind} is an option of {' and of '.join(ops)}: {said}; a whole *{options}; or a " \
        "RunOption."
    lines = [""] + comment(text) + [f"type {kind} interface {{",
                                    f"\tto{own}(o *{options}, run *RunOptions)", "}", "",
                                    f"func (v *{options}) to{own}(o *{options}, _ *RunOptions) {{",
                                    "\tif v != nil {", "\t\t*o = *v", "\t}", "}"]
    for receiver, call in (("v *RunOptions", "v.toRun(run)"), ("f withRun", "f(run)")):
        lines += ["", f"func ({receiver}) to{own}(_ *{options}, run *RunOptions) {{",
                  f"\t{call}", "}"]
    for setting in settings.by_struct[struct.name]:
        within = setting.within[struct.name]
        o = "own" if within else "o"
        sets = [f"{o}.{field} = v.v{i}" for i, (field, _) in enumerate(setting.fields)]
        sets += [f"{o}.{setting.flag} = true"] if setting.flag else []
        if within:
            # A copy: one that was given as a whole is the caller's.
            place, inner = camel(within.name), type_name(NESTED)
            sets = [f"var own {inner}", f"if o.{place} != nil {{", f"\town = *o.{place}", "}",
                    *sets, f"o.{place} = &own"]
        lines += ["", f"func (v {kind_of(setting)}) to{own}(o *{options}, _ *RunOptions) {{"]
        lines += ["\t" + line for line in sets] + ["}"]
    return lines


class Method:
    """x.Softmax(axis, options...) for OpSoftmax(x, axis, run)."""

    def __init__(self, model, names, writer):
        self.writer, self.function = writer, writer.function
        self.own = camel(self.function.verb)
        self.struct = None
        self.names = {}               # of the two arguments that options are
        for argument in self.function.arguments:
            if argument.role == "options":
                self.names[local(argument.name)] = argument.type.base
                if argument.type.base != RUN:
                    self.struct = model.struct(argument.type.base)
        if f"Tensor.{self.own}" in names.taken or RUN not in self.names.values():
            self.own = ""
            return
        names.take(f"Tensor.{self.own}", self.function.name)

    def lines(self):
        writer, own = self.writer, self.own
        params = [p for p in writer.params[1:] if p.split(" ")[0] not in self.names]
        kind = stem(self.struct) + "Option" if self.struct else "RunOption"
        shown_params = listing(params + [f"options ...{kind}"])
        kinds = [k for k, _ in writer.results] + ["error"]
        result = f"({', '.join(kinds)})" if len(kinds) > 1 else kinds[0]
        text = sentence(own, self.function.doc.first_sentence, verb=True)
        options = f", and {kind} which options there are" if self.struct else ""
        _go_words.speak_of(self.function)
        lines = [""] + comment(f"{text}\n\n{writer.name} says it all{options}.")
        _go_words.speak_of(None)
        lines.append(f"func (t *Tensor) {own}({shown_params}) {result} {{")
        if not self.struct:
            return lines + [f"\treturn {self.call('', 'runOf(options)')}", "}"]
        return lines + ["\tif len(options) == 0 {", f"\t\treturn {self.call('nil', 'nil')}", "\t}",
                        f"\tvar own {type_name(self.struct.name)}", "\tvar run RunOptions",
                        "\tfor _, option := range options {", "\t\tif option != nil {",
                        f"\t\t\toption.to{stem(self.struct)}(&own, &run)", "\t\t}", "\t}",
                        f"\treturn {self.call('&own', '&run')}", "}"]

    def call(self, own, run):
        values = ["t"]
        for param in self.writer.params[1:]:
            name = param.split(" ")[0]
            base = self.names.get(name)
            values.append(name if base is None else run if base == RUN else own)
        return f"{self.writer.name}({', '.join(values)})"
