"""zz_calls.h and zz_calls.c: a C function per function of the header, for cgo to call.

Each returns by value what the call gave, with the message of a failure: Go may run the next line on
another thread, where another message is the last. Options travel by value too, so that Go builds
them in its own memory without breaking the rules of cgo. Handles travel as integers.
"""

from backends._go_names import C_HEAD, NoRule, camel

OUT = "out_"


def files(model):
    return {"zz_calls.h": header(model), "zz_calls.c": source(model), "zz_counts.go": counts(model)}


def unreached(function):
    """Why a function has no form in Go, or ""."""
    if function.thread_bound:
        return "it belongs to a thread, and goroutines move between threads"
    if function.short.startswith("last_error_"):
        return "each error brings what it tells, got inside the call that failed"
    if any(a.untold for a in function.arguments):
        return "it keeps a callback beyond the call, which other goroutines' calls would call"
    return ""


# Calls that take run and refuse run->graph; a function of Go that records leaves them as they are.
REFUSE_GRAPHS = ("netcl_graph_run", "netcl_graph_evaluate", "netcl_model_run",
                 "netcl_model_evaluate", "netcl_kernel_time", "netcl_group_barrier",
                 "netcl_group_reduce", "netcl_group_gather", "netcl_group_scatter",
                 "netcl_group_send", "netcl_group_receive")


def recorded(function):
    """The name of the options that a call is recorded by, None where it cannot be."""
    if function.name in REFUSE_GRAPHS or function.name.startswith("netcl_sharded_"):
        return None
    return next((a.params[0].name for a in function.arguments
                 if a.role == "options" and a.type.base == "netcl_run_options"), None)


def counter(function):
    """The name of its place among the counts."""
    return "netclgo_count_" + function.short


def reached(model):
    return [f for f in model.functions if not unreached(f)]


def spell(kind, name):
    """A parameter in C."""
    text = kind.spelling
    return f"{text}{name}" if text.endswith("*") else f"{text} {name}"


# What becomes of each role: (parameters of the shim, members of its result, arguments of the call).
def handle(argument):
    name = argument.params[0].name
    return [f"uintptr_t {name}"], [], [f"({argument.type.base} *){name}"]


def passed(argument):
    return ([spell(p.type, p.name) for p in argument.params], [],
            [p.name for p in argument.params])


def data(argument):
    """cgo checks what typed pointers point to by their type, others by the whole object."""
    first, size = argument.params
    const = "const " if first.type.levels[0] else ""
    return [f"{const}unsigned char *{first.name}", spell(size.type, size.name)], [], \
        [first.name, size.name]


def handles(argument):
    first, size = argument.params
    const = "const " if first.type.levels[0] else ""
    return ([f"const uintptr_t *{first.name}", spell(size.type, size.name)], [],
            [f"({const}{argument.type.base} *const *){first.name}", size.name])


def options(argument):
    name = argument.params[0].name
    return [f"{argument.type.base} {name}"], [], [f"{name}.struct_size == 0 ? NULL : &{name}"]


def callback(argument):
    name = argument.params[0].name
    adapter = f"netclgo_call_{argument.type.base[len('netcl_'):]}"
    values = [f"{name} == 0 ? NULL : {adapter}", f"(void *){name}"]
    if argument.kept:
        values.append(f"{name} == 0 ? NULL : netclgo_drop")
    return [f"uintptr_t {name}"], [], values


def value_out(argument):
    param = argument.params[0]
    return [], [f"{argument.type.base} {OUT}{param.name}"], [f"&r.{OUT}{param.name}"]


def fixed_out(argument):
    param = argument.params[0]
    return [], [f"{argument.type.base} {OUT}{param.name}[{argument.extent}]"], \
        [f"r.{OUT}{param.name}"]


def handle_out(argument):
    name = OUT + argument.params[0].name
    size = [f"uint64_t {name}_bytes"] if holds_memory(argument) else []
    return [], [f"uintptr_t {name}"] + size, [f"({argument.type.base} **)&r.{name}"]


def holds_memory(argument):
    """Whether an object that a call gives brings memory along; a view shares that of another one."""
    return argument.role == "handle_out" and argument.name != "view" and \
        argument.type.base in ("netcl_tensor", "netcl_buffer")


def foreign_out(argument):
    name = OUT + argument.params[0].name
    return [], [f"void *{name}"], [f"(struct {argument.type.base} **)&r.{name}"]


def foreign(argument):
    name = argument.params[0].name
    return [f"void *{name}"], [], [f"(struct {argument.type.base} *){name}"]


def filled(argument):
    """text_out, bytes_out, array_out, handles_out: room comes in, the extent goes out."""
    place, room, length = argument.params
    cast = ""
    first = spell(place.type, place.name)
    if argument.role == "bytes_out":
        first = f"unsigned char *{place.name}"
    if argument.role == "handles_out":
        first, cast = f"uintptr_t *{place.name}", f"({argument.type.base} **)"
    return ([first, spell(room.type, room.name)], [f"{length.type.base} {OUT}{length.name}"],
            [cast + place.name, room.name, f"&r.{OUT}{length.name}"])


def handles_out_like(argument):
    name = argument.params[0].name
    return [f"uintptr_t *{name}"], [], [f"({argument.type.base} **){name}"]


FORMS = {"object": handle, "handle": handle, "handles": handles, "options": options,
         "callback": callback, "scalar_out": value_out, "info_out": value_out,
         "frozen_out": value_out, "array_out_fixed": fixed_out, "handle_out": handle_out,
         "foreign_out": foreign_out, "foreign": foreign, "text_out": filled, "bytes_out": filled,
         "array_out": filled, "handles_out": filled, "handles_out_like": handles_out_like,
         "data_in": data, "data_out": data}


def form(argument):
    return FORMS.get(argument.role, passed)(argument)


def shim_name(function):
    return "netclgo_" + function.short


def has_result(function):
    return any(form(a)[1] for a in function.arguments)


def signature(function):
    params = [p for a in function.arguments for p in form(a)[0]]
    if function.returns == "status":
        kind = f"{shim_name(function)}_result" if has_result(function) else "netclgo_outcome"
    else:
        kind = function.return_type.spelling
    space = "" if kind.endswith("*") else " "
    return f"{kind}{space}{shim_name(function)}({', '.join(params) or 'void'})"


def header(model):
    lines = [C_HEAD, "#ifndef NETCLGO_CALLS_H", "#define NETCLGO_CALLS_H", "",
             "#include <stdint.h>", "", '#include "zz_netcl.h"', "",
             "/* How a call ended. The message, NULL when it succeeded, is the caller's to free. */",
             "typedef struct netclgo_outcome {", "  netcl_status status;",
             "  int32_t native_code;", "  char *message;",
             "  uintptr_t cause; /* the error of a function of Go, to be taken; 0 where there is none */",
             "} netclgo_outcome;", "",
             "/* Keeps the error of a function for the failure of the call that it is called in, and gives",
             "   one that was kept before. */",
             "uintptr_t netclgo_keep_cause(netcl_status status, uintptr_t cause);", "",
             "/* Records the calls of this thread in a graph, 0 for none, and gives the one before. */",
             "uintptr_t netclgo_record(uintptr_t graph);", "",
             "", "/* Names that the compiler numbers, so that a new function moves no other. */",
             "enum {"]
    lines += [f"  {counter(f)}," for f in model.functions]
    lines += ["  NETCLGO_FUNCTIONS", "};", "extern uint64_t netclgo_counts[NETCLGO_FUNCTIONS];"]
    for function in reached(model):
        lines.append("")
        if function.returns == "status" and has_result(function):
            lines += [f"typedef struct {shim_name(function)}_result {{",
                      "  netclgo_outcome outcome;"]
            lines += [f"  {m};" for a in function.arguments for m in form(a)[1]]
            lines.append(f"}} {shim_name(function)}_result;")
        lines.append(signature(function) + ";")
    return "\n".join(lines + ["", "#endif"]) + "\n"


SUPPORT = """
#include <stdlib.h>
#include <string.h>

uint64_t netclgo_counts[NETCLGO_FUNCTIONS];
/* The tag netclcount counts the calls: that is how the tests show what they reach. */
#ifdef NETCLGO_COUNT
#define COUNT(index) __atomic_fetch_add(&netclgo_counts[index], 1, __ATOMIC_RELAXED)
#else
#define COUNT(index) ((void)0)
#endif

/* The memory that a new object holds, 0 where nobody tells. */
static uint64_t netclgo_tensor_bytes(uintptr_t tensor) {
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  if (tensor == 0 || netcl_tensor_get_info((netcl_tensor *)tensor, &info) != NETCL_OK) return 0;
  return info.byte_count;
}

static uint64_t netclgo_buffer_bytes(uintptr_t buffer) {
  netcl_buffer_info info = NETCL_BUFFER_INFO_INIT;
  if (buffer == 0 || netcl_buffer_get_info((netcl_buffer *)buffer, &info) != NETCL_OK) return 0;
  return info.bytes;
}

/* What a function of Go failed with, on the thread of the call. */
static _Thread_local netcl_status netclgo_cause_status;
static _Thread_local uintptr_t netclgo_cause;

uintptr_t netclgo_keep_cause(netcl_status status, uintptr_t cause) {
  uintptr_t before = netclgo_cause;
  netclgo_cause_status = status;
  netclgo_cause = cause;
  return before;
}

/* The graph of calls that name none, on this thread. */
static _Thread_local uintptr_t netclgo_recording;

uintptr_t netclgo_record(uintptr_t graph) {
  uintptr_t before = netclgo_recording;
  netclgo_recording = graph;
  return before;
}

static void netclgo_run(netcl_run_options *run) {
  if (netclgo_recording == 0 || run->graph != NULL) return;
  if (run->struct_size == 0) run->struct_size = sizeof *run;
  run->graph = (netcl_graph *)netclgo_recording;
}

/* Runs on the thread of the failed call, before anything else can fail there. */
static netclgo_outcome netclgo_failed(netcl_status status) {
  netcl_error_info info = NETCL_ERROR_INFO_INIT;
  netclgo_outcome outcome = {0, 0, NULL, 0};
  COUNT(netclgo_count_last_error_get_info);
  outcome.status = status;
  if (netclgo_cause_status == status) outcome.cause = netclgo_keep_cause(NETCL_OK, 0);
  if (netcl_last_error_get_info(&info) != NETCL_OK || info.status != status) return outcome;
  outcome.native_code = info.native_code;
  outcome.message = malloc(strlen(info.message) + 1);
  if (outcome.message != NULL) strcpy(outcome.message, info.message);
  return outcome;
}
"""


def source(model):
    lines = [C_HEAD, '#include "zz_calls.h"']
    lines += SUPPORT.splitlines()
    lines += adapters(model)
    for function in reached(model):
        lines += [""] + shim(function)
    return "\n".join(lines) + "\n"


def shim(function):
    place = counter(function)
    values = ", ".join(v for a in function.arguments for v in form(a)[2])
    call = f"{function.name}({values})"
    lines = [signature(function) + " {"]
    run = recorded(function)
    record = [f"  netclgo_run(&{run});"] if run else []
    if function.returns != "status":
        ending = call if function.returns == "void" else f"return {call}"
        return lines + [f"  COUNT({place});", f"  {ending};", "}"]
    if not has_result(function):
        # No parameter of the header ends in _, while some are called "outcome".
        return lines + ["  netclgo_outcome outcome_ = {0, 0, NULL, 0};", f"  COUNT({place});",
                        *record, f"  outcome_.status = {call};",
                        "  return outcome_.status == NETCL_OK ? outcome_ : "
                        "netclgo_failed(outcome_.status);", "}"]
    lines += [f"  {shim_name(function)}_result r;", f"  COUNT({place});", *record]
    infos = [a for a in function.outputs if a.role == "info_out"]
    # The library writes all of an info, which may be long; what a failed call leaves is not read.
    lines += ["  memset(&r.outcome, 0, sizeof r.outcome);"] if len(infos) == len(function.outputs) \
        and infos else ["  memset(&r, 0, sizeof r);"]
    lines += [f"  r.{OUT}{a.name}.struct_size = sizeof r.{OUT}{a.name};" for a in infos]
    lines += [f"  r.outcome.status = {call};",
              "  if (r.outcome.status != NETCL_OK) r.outcome = "
              "netclgo_failed(r.outcome.status);"]
    held = [(OUT + a.params[0].name, a.type.base[len("netcl_"):]) for a in function.arguments
            if holds_memory(a)]
    if held:
        lines.append("  else {")
        lines += [f"    r.{name}_bytes = netclgo_{kind}_bytes(r.{name});" for name, kind in held]
        lines.append("  }")
    return lines + ["  return r;", "}"]


# ---- Callbacks ----------------------------------------------------------------------------------

def called_back(model):
    """The callbacks that have a form in Go."""
    names = {a.type.base for f in reached(model) for a in f.arguments if a.role == "callback"}
    return [c for c in model.callbacks if c.name in names]


def is_kept(model, kind):
    """Whether a callback is called after the call that it is given to."""
    kept = {a.kept for f in reached(model) for a in f.arguments if a.callback is kind}
    if len(kept) > 1:
        raise NoRule(kind.name, "one function takes it for a call, another one keeps it")
    return kept.pop()


def exported(callback_type):
    return "netclgo" + camel(callback_type.short)


def call_run(model, kind):
    """The run options that a function gets with its call, None where there are none: calls in it are
    recorded, or not, as those tell."""
    for param in kind.params:
        for member in model.struct(param.type.base).members if param.type.kind == "sized" else []:
            if member.type.base == "netcl_run_options":
                return f"{param.name}->{member.name}"
    return None


def adapters(model):
    """Functions of the callbacks' own types that call into Go."""
    lines = ["", "extern void netclgoDrop(uintptr_t user_data);",
             "static void netclgo_drop(void *user_data) { netclgoDrop((uintptr_t)user_data); }"] \
        if any(is_kept(model, kind) for kind in called_back(model)) else []
    for kind in called_back(model):
        outer, inner, values = [], [], []
        for param in kind.params[:-1]:
            outer.append(spell(param.type, param.name))
            if param.type.kind == "handle" and param.type.depth == 1:
                inner.append(f"uintptr_t {param.name}")
                values.append(f"(uintptr_t){param.name}")
            elif param.type.kind == "handle" and param.type.levels == (False, False):
                inner.append(f"uintptr_t *{param.name}")
                values.append(f"(uintptr_t *){param.name}")
            elif param.type.depth == 0 or param.type.kind in ("char", "sized"):
                # Go knows no const.
                text = spell(param.type, param.name).replace("const ", "")
                inner.append(text)
                values.append(f"({text.rsplit(param.name, 1)[0].strip()}){param.name}")
            else:
                raise NoRule(kind.name, f"its parameter {param.name}, {param.type.spelling}")
        returns = kind.returns.spelling
        ending = "" if returns == "void" else "return "
        lines += ["", f"extern {returns} {exported(kind)}"
                  f"({', '.join(inner + ['uintptr_t user_data'])});",
                  f"static {returns} netclgo_call_{kind.short}"
                  f"({', '.join(outer + ['void *user_data'])}) {{"]
        call = f"{exported(kind)}({', '.join(values + ['(uintptr_t)user_data'])})"
        run = call_run(model, kind)
        lines += [f"  uintptr_t before = netclgo_record((uintptr_t){run}->graph);",
                  f"  {returns} value = {call};", "  netclgo_record(before);", "  return value;",
                  "}"] if run else [f"  {ending}{call};", "}"]
    return lines


def counts(model):
    """Which functions there are, which have no form in Go, and how often each was called."""
    lines = ["// Code generated by bindings/generator from include/netcl.h. DO NOT EDIT.", "",
             "//go:build netclcount", "", "package netcl", "",
             "// #cgo CFLAGS: -DNETCLGO_COUNT", "// #include \"zz_calls.h\"", "import \"C\"", "",
             "// FunctionNames are in the order of the header.", "var FunctionNames = []string{"]
    lines += [f'\t"{f.name}",' for f in model.functions]
    lines += ["}", "", "// Unreached are the functions that have no form in Go, with the reason.",
              "var Unreached = map[string]string{"]
    left = [(f'"{f.name}":', unreached(f)) for f in model.functions if unreached(f)]
    width = max((len(n) for n, _ in left), default=0)
    lines += [f'\t{name.ljust(width)} "{why}",' for name, why in left]
    lines += ["}", "", "// CallCount tells how often a function was called.",
              "func CallCount(index int) uint64 {",
              "\treturn uint64(C.netclgo_counts[index])", "}"]
    return "\n".join(lines) + "\n"
