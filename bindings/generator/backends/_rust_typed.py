"""Ops as methods: of AnyTensor, and of Tensor<T> where the element type of the result is known."""

from backends._rust_members import by_value, lifetime
from backends._rust_docs import prose
from backends._rust_names import comment, ident, listing, method_name, type_name
from backends._rust_writer import Writer

# The element types of what an op gives to tensors of T: None where no type says it. Operands are
# typed where they have to be alike. An op that is not in here is a method of AnyTensor alone.
RESULTS = {
    "bias_add": ("T",), "copy": ("T",), "contiguous": ("T",), "matmul": ("T::Product",),
    "conv2d": ("T",), "matmul_quantized": ("T",), "attention": ("T", None),
    "rotary_embedding": ("T",), "scan": ("T",), "histogram": ("i64",), "topk": ("T", "i64"),
    "softmax": ("T",), "log_softmax": ("T",), "layernorm": ("T",), "rmsnorm": ("T",),
    "batchnorm": ("T",), "pool": ("T",), "cross_entropy": ("T",), "nll_loss": ("T",),
    "transpose": ("T",), "pad": ("T",), "tile": ("T",), "trilu": ("T",), "gather": ("T",),
    "gather_elements": ("T",), "embedding": ("T",), "scatter": ("T",), "gather_nd": ("T",),
    "scatter_nd": ("T",), "depth_to_space": ("T",), "space_to_depth": ("T",), "resize": ("T",)}
ALIKE = {"matmul": ("b",), "conv2d": ("w",), "attention": ("k", "v"), "scatter": ("updates",),
         "scatter_nd": ("updates",)}


def methods(model, taken):
    """x.softmax(axis) for op::softmax(&x, axis, defaults, defaults), and with options."""
    any_, typed = [], []
    for function in model.functions:
        first = function.arguments[0] if function.arguments else None
        if function.kind != "op" or first.role != "handle" or first.type.base != "netcl_tensor":
            continue
        name = method_name(function.verb)
        if name in taken:
            continue
        any_ += forms(model, function, None)
        if name in RESULTS:
            typed += forms(model, function, RESULTS[name])
    lines = ["", "impl AnyTensor {"] + "\n\n".join(any_).splitlines()
    lines += ["}", "", "impl<T: Element> Tensor<T> {"] + "\n\n".join(typed).splitlines()
    lines.append("}")
    kinds = {a.type.base: None for f in model.functions if f.kind == "op"
             for a in [own_options(f)] if a is not None and by_value(model.struct(a.type.base))}
    for kind in kinds:
        life = "<'_>" if lifetime(model, model.struct(kind)) else ""
        lines += ["", f"impl OpOptions for {type_name(kind)}{life} {{}}"]
    return lines


def forms(model, function, results):
    made = [short_form(model, function, results)]
    if function.outputs:
        made.append(full_form(model, function, results))
    return made


def own_options(function):
    return next((a for a in function.inputs if a.role == "options" and
                 a.type.base != "netcl_run_options"), None)


def parts(model, function, results):
    """The parameters, the type of the result, and what makes that of what the op gives."""
    writer = Writer(model, function)
    writer.prepare()
    name, params = method_name(function.verb), ["&self"]
    for argument in function.inputs[1:]:
        if argument.role == "options":
            continue
        alike = results and argument.name in ALIKE.get(name, ())
        params.append(f"{ident(argument.name)}: &Tensor<T>" if alike else
                      writer.rust_params[argument.name])
    if not results:
        return params, writer.result_type(), None
    kinds = [f"Tensor<{r}>" if r else "AnyTensor" for r in results]
    whole = kinds[0] if len(kinds) == 1 else f"({', '.join(kinds)})"
    return params, f"Result<{whole}>", results


def body(name, values, results):
    call = listing(f"op::{name}", values, "", "        ")
    if not results:
        return call
    if len(results) == 1:
        return call[:-1] + [call[-1] + "?.typed()"]
    names = [f"made{i}" for i in range(len(results))]
    call[0] = f"        let ({', '.join(names)}) = " + call[0].strip()
    each = [f"{n}.typed()?" if r else n for n, r in zip(names, results)]
    return call[:-1] + [call[-1] + "?;", f"        Ok(({', '.join(each)}))"]


def short_form(model, function, results):
    params, gives, results = parts(model, function, results)
    values = ["self"] + [default_options(model, a) if a.role == "options" else ident(a.name)
                         for a in function.inputs[1:]]
    name = method_name(function.verb)
    lines = comment(prose(function.doc.first_sentence), "    ")
    lines += ["    ///", f"    /// [`op::{name}`] tells all of it."]
    lines += listing(f"pub fn {name}", params, f" -> {gives} {{", "    ")
    return "\n".join(lines + body(name, values, results) + ["    }"])


def full_form(model, function, results):
    """With options, with how it runs, or with both: see `With`."""
    params, gives, results = parts(model, function, results)
    name, options = method_name(function.verb), own_options(function)
    life = ""
    if options is not None:
        kind = type_name(options.type.base)
        life = "'a" if lifetime(model, model.struct(options.type.base)) else ""
        kind += "<'a>" if life else ""
        params.append(f"with: impl Into<With<'a, {kind}>>")
        life = "<'a>"
        first = ["        let (options, run) = with.into().parts();"]
        what = f"with [`{type_name(options.type.base)}`], [`RunOptions`], or both as a pair."
    else:
        params.append("run: RunOptions<'_>")
        first, what = [], "with [`RunOptions`]."
    values = ["self"]
    for argument in function.inputs[1:]:
        is_run = argument.type.base == "netcl_run_options"
        values.append("run" if is_run else "options" if argument.role == "options" else
                      ident(argument.name))
    lines = comment(f"As [`Self::{name}`], {what}", "    ")
    lines += listing(f"pub fn {name}_with{life}", params, f" -> {gives} {{", "    ")
    if results and results[0]:
        first.append(f"        run.check_into::<{results[0]}>()?;")
    return "\n".join(lines + first + body(name, values, results) + ["    }"])


def default_options(model, argument):
    struct = model.struct(argument.type.base)
    return f"{type_name(struct.name)}::default()" if by_value(struct) else "None"
