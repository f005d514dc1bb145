"""What torch_gradients.py records: each op of netcl beside the same in PyTorch."""

import itertools

import torch
from torch.nn import functional as F

where, exp = torch.where, torch.exp
ANY, POSITIVE, INSIDE, ABOVE = (-2.0, 2.0), (0.25, 3.0), (-0.9, 0.9), (1.125, 3.0)

# Operators: name, function, range of the inputs, alpha, beta.
UNARY = [
    ("Abs", torch.abs, ANY), ("Acos", torch.acos, INSIDE), ("Acosh", torch.acosh, ABOVE),
    ("Asin", torch.asin, INSIDE), ("Asinh", torch.asinh, ANY), ("Atan", torch.atan, ANY),
    ("Atanh", torch.atanh, INSIDE), ("Ceil", torch.ceil, ANY), ("Celu", F.celu, ANY),
    ("Celu", lambda x: F.celu(x, 0.75), ANY, 0.75, 0.0),
    ("Clip", lambda x: torch.clamp(x, -1.0, 0.5), ANY, -1.0, 0.5), ("Cos", torch.cos, ANY),
    ("Cosh", torch.cosh, ANY), ("Elu", F.elu, ANY), ("Elu", lambda x: F.elu(x, 0.5), ANY, 0.5, 0.0),
    ("Erf", torch.erf, ANY), ("Exp", exp, ANY), ("Floor", torch.floor, ANY),
    ("HardSigmoid", lambda x: torch.clamp(0.2 * x + 0.5, 0, 1), (-4.0, 4.0)),
    ("HardSwish", lambda x: x * torch.clamp(x / 6 + 0.5, 0, 1), (-4.03, 4.03)),
    ("Identity", lambda x: x * 1, ANY), ("LeakyRelu", F.leaky_relu, ANY),
    ("LeakyRelu", lambda x: F.leaky_relu(x, 0.25), ANY, 0.25, 0.0), ("Log", torch.log, POSITIVE),
    ("Neg", torch.neg, ANY), ("Reciprocal", torch.reciprocal, POSITIVE), ("Relu", F.relu, ANY),
    ("Round", torch.round, ANY),
    ("Selu", lambda x: 1.125 * where(x > 0, x, 1.75 * torch.expm1(x)), ANY, 1.75, 1.125),
    ("Shrink", lambda x: where(x < -0.5, x + 0.0, where(x > 0.5, x - 0.0, 0 * x)), ANY),
    ("Sigmoid", torch.sigmoid, ANY), ("Sign", torch.sign, ANY), ("Sin", torch.sin, ANY),
    ("Sinh", torch.sinh, ANY), ("Softplus", F.softplus, (-9.0, 9.0)), ("Softsign", F.softsign, ANY),
    ("Sqrt", torch.sqrt, POSITIVE), ("Tan", torch.tan, (-1.25, 1.25)), ("Tanh", torch.tanh, ANY),
    ("ThresholdedRelu", lambda x: where(x > 1, x, 0 * x), ANY), ("Gelu", F.gelu, ANY),
    ("GeluTanh", lambda x: F.gelu(x, approximate="tanh"), ANY), ("Silu", F.silu, ANY),
    ("Mish", F.mish, ANY), ("Square", torch.square, ANY), ("Rsqrt", torch.rsqrt, POSITIVE)]
BINARY = [
    ("Add", torch.add, ANY, ANY), ("Sub", torch.sub, ANY, ANY), ("Mul", torch.mul, ANY, ANY),
    ("Div", torch.div, ANY, POSITIVE), ("Max", torch.maximum, ANY, ANY),
    ("Min", torch.minimum, ANY, ANY), ("Mod", torch.fmod, ANY, POSITIVE, 1.0, 0.0),
    ("Pow", torch.pow, POSITIVE, ANY), ("PRelu", lambda x, a: where(x < 0, a * x, x), ANY, ANY),
    ("Mean", lambda a, b: (a + b) / 2, ANY, ANY), ("Sum", torch.add, ANY, ANY)]

# Expressions: text, function, ranges of the inputs.
EXPRESSIONS = [
    ("exp2(v0)", torch.exp2, ANY), ("expm1(v0)", torch.expm1, ANY),
    ("log2(v0)", torch.log2, POSITIVE),
    ("log10(v0)", torch.log10, POSITIVE), ("log1p(v0)", torch.log1p, INSIDE),
    ("erfc(v0)", torch.erfc, ANY), ("trunc(v0)+v0", lambda x: torch.trunc(x) + x, ANY),
    ("atan2(v0,v1)", torch.atan2, ANY, POSITIVE),
    ("fma(v0,v1,v2)", lambda a, b, c: a * b + c, ANY, ANY, ANY),
    ("clamp(v0,v1,v2)", torch.clamp, ANY, (-1.5, -0.5), (0.5, 1.5)),
    ("leaky_relu(v0,v1)", lambda x, a: where(x > 0, x, a * x), ANY, POSITIVE),
    ("elu(v0,v1)", lambda x, a: where(x > 0, x, a * torch.expm1(x)), ANY, POSITIVE),
    ("v0>v1?v0*v1:exp(v1)", lambda a, b: where(a > b, a * b, exp(b)), ANY, ANY),
    ("where(v0<0.5,sqrt(v1),log(v1))",
     lambda a, b: where(a < 0.5, torch.sqrt(b), torch.log(b)) + 0 * a, ANY, POSITIVE),
    ("tanh(v0)*sigmoid(v1)-v0/(v1*v1+1)",
     lambda a, b: torch.tanh(a) * torch.sigmoid(b) - a / (b * b + 1), ANY, ANY),
    ("v0*v1*v2+sin(v0*v2)", lambda a, b, c: a * b * c + torch.sin(a * c), ANY, ANY, ANY)]

ACTIVATIONS = [None, F.relu, F.leaky_relu, F.elu, torch.sigmoid, torch.tanh, F.silu, F.gelu,
               lambda x: F.gelu(x, approximate="tanh"), F.softplus,
               lambda x: torch.clamp(0.2 * x + 0.5, 0, 1),
               lambda x: x * torch.clamp(x / 6 + 0.5, 0, 1)]


def activated(kind, x):
    return ACTIVATIONS[kind](x) if kind else x


def per_channel(x):
    return x[:, None, None]


def elementwise_cases(Case):
    cases = []
    for at, (name, function, limits, *parameters) in enumerate(UNARY):
        case = Case("elementwise-%s-%d" % (name, at))
        x = case.apart("x", (3, 4), *limits) if at % 2 else case.input("x", (11,), *limits)
        options = dict(zip(("alpha", "beta"), parameters))
        case.gradients([case.op("elementwise", "y", [x], function(x), op=name, **options)], [x])
        cases.append(case)
    for at, (name, function, first, second, *parameters) in enumerate(BINARY):
        case = Case("elementwise-%s-%d" % (name, at))
        a = case.turned("a", (2, 3, 4), (2, 0, 1), *first)
        b = case.input("b", ((3, 1), (2, 3, 4), (4,))[at % 3], *second)
        options = dict(zip(("alpha", "beta"), parameters))
        case.gradients([case.op("elementwise", "y", [a, b], function(a, b), op=name, **options)],
                       [a, b])
        cases.append(case)
    case = Case("elementwise-Where")
    chosen = case.numbers("chosen", (3, 4), 0, 1, "bool", 0)
    a, b = case.input("a", (3, 4)), case.input("b", (4,))
    case.gradients([case.op("elementwise", "y", [chosen, a, b], where(chosen, a, b), op="Where")],
                   [a, b])
    return cases + [case]


def expression_cases(Case):
    cases = []
    for at, (text, function, *limits) in enumerate(EXPRESSIONS):
        case = Case("expression-%d" % at)
        shapes = [(2, 3, 4), (3, 1), (4,)] if at % 2 else [(5, 3), (5, 3), (1, 3)]
        inputs = [case.input("v%d" % i, shape, *limit)
                  for i, (shape, limit) in enumerate(zip(shapes, limits))]
        case.gradients([case.op("expression", "y", inputs, function(*inputs), text=text)], inputs)
        cases.append(case)
    for axis in (0, 1, -1):
        case = Case("bias_add-%d" % axis)
        x = case.input("x", (2, 3, 4))
        bias = case.input("bias", (x.shape[axis],))
        shape = [1, 1, 1]
        shape[axis] = -1
        case.gradients([case.op("bias_add", "y", [x, bias], x + bias.reshape(shape), axis=axis)],
                       [x, bias])
        cases.append(case)
    return cases


def matmul_cases(Case):
    cases = []
    for kind in range(len(ACTIVATIONS)):
        case = Case("matmul-%d" % kind)
        a = case.turned("a", (3, 5), (1, 0)) if kind % 2 else case.input("a", (3, 5))
        b = case.apart("b", (5, 4)) if kind % 3 == 1 else case.input("b", (5, 4))
        bias, residual = case.input("bias", (4,)), case.input("residual", (3, 4))
        made = activated(kind, a @ b + bias + residual)
        y = case.op("matmul", "y", [a, b], made, bias=bias, residual=residual, activation=kind)
        case.gradients([y], [a, b, bias, residual])
        cases.append(case)
    for at, (left, right) in enumerate([((2, 3, 4), (4, 5)), ((2, 3, 4), (2, 4, 2)),
                                        ((2, 1, 3, 4), (3, 4, 2)), ((4,), (4, 3)), ((3, 4), (4,)),
                                        ((5,), (5,))]):
        case = Case("matmul-batch-%d" % at)
        a, b = case.input("a", left), case.input("b", right)
        case.gradients([case.op("matmul", "y", [a, b], torch.matmul(a, b))], [a, b])
        cases.append(case)
    case = Case("matmul-beta")
    a, b, c = case.input("a", (3, 2)), case.input("b", (2, 4)), case.input("c", (3, 4))
    kept = case.op("copy", "kept", [c], c * 1)
    y = case.op("matmul", "y", [a, b], 1.5 * (a @ b) - 0.5 * c, has_scale=1, alpha=1.5, beta=-0.5,
                into=kept)
    case.gradients([y], [a, b, c])
    return cases + [case]


def product_of_others(x, axes):
    for axis in sorted(axes, reverse=True):
        x = torch.prod(x, axis)
    return x


REDUCTIONS = {1: torch.sum, 2: torch.mean, 3: torch.amax, 4: torch.amin, 5: product_of_others,
              6: lambda x, d: torch.sum(torch.abs(x), d),
              7: lambda x, d: torch.linalg.vector_norm(x, 2, d),
              8: lambda x, d: torch.sum(x * x, d), 9: lambda x, d: torch.log(torch.sum(x, d)),
              10: torch.logsumexp}


def reduce_cases(Case):
    cases = []
    for kind, function in REDUCTIONS.items():
        limits = POSITIVE if kind == 9 else ANY
        for axes in ((1,), (0, 2), (0, 1, 2)):
            case = Case("reduce-%d-%s" % (kind, "".join(map(str, axes))))
            x = (case.turned("x", (3, 2, 4), (2, 0, 1), *limits) if axes == (1,)
                 else case.input("x", (3, 2, 4), *limits))
            case.gradients([case.op("reduce", "y", [x], function(x, axes), kind=kind, axes=axes)],
                           [x])
            cases.append(case)
    for kind in (3, 4, 5):  # equal extremes, and products with zeros
        case = Case("reduce-%d-equal" % kind)
        x = case.input("x", (3, 6), -1, 1, 0)
        case.gradients([case.op("reduce", "y", [x], REDUCTIONS[kind](x, (1,)), kind=kind,
                                axes=[1])], [x])
        cases.append(case)
    for axis, exclusive, reverse in itertools.product((0, 1), (0, 1), (0, 1)):
        case = Case("scan-%d%d%d" % (axis, exclusive, reverse))
        x = case.input("x", (3, 5)) if axis else case.apart("x", (3, 5))
        made = torch.flip(x, [axis]) if reverse else x
        made = torch.cumsum(made, axis) - (made if exclusive else 0)
        made = torch.flip(made, [axis]) if reverse else made
        case.gradients([case.op("scan", "y", [x], made, kind=1, axis=axis, exclusive=exclusive,
                                reverse=reverse)], [x])
        cases.append(case)
    return cases


def row_cases(Case):
    cases = []
    for axis in (0, 1, -1):
        case = Case("softmax-%d" % axis)
        x = case.turned("x", (3, 2, 5), (1, 2, 0)) if axis == 1 else case.input("x", (3, 2, 5))
        soft = case.op("softmax", "soft", [x], torch.softmax(x, axis), axis=axis)
        log = case.op("log_softmax", "log", [x], torch.log_softmax(x, axis), axis=axis)
        case.gradients([soft, log], [x])
        cases.append(case)
    for form in range(12):
        case = Case("loss-%d" % form)
        reduction, nll = ("mean", "sum", "none")[form % 3], form % 2
        x = case.input("x", (6, 5)) if form % 4 else case.input("x", (3, 4, 5))
        labels = case.indices("labels", (6,) if form % 4 else (3, 5), 0, x.shape[1])
        weights = case.numbers("weights", (x.shape[1],), 0.25, 2) if form > 4 else None
        options = {"axis": 1, "reduction": form % 3, "weights": weights}
        ignored = 2 if form in (3, 6, 7, 10) else -100
        if ignored == 2:
            options["ignore_index"] = 2
        scores = x
        if nll:
            scores = case.op("log_softmax", "log", [x], torch.log_softmax(x, 1), axis=1)
        loss = F.nll_loss if nll else F.cross_entropy
        made = loss(scores, labels, weights, reduction=reduction, ignore_index=ignored)
        case.gradients([case.op("nll_loss" if nll else "cross_entropy", "loss", [scores, labels],
                                made, **options)], [x])
        cases.append(case)
    for axis, parameters in itertools.product((1, 2), (0, 1)):
        case = Case("norm-%d%d" % (axis, parameters))
        x = case.apart("x", (2, 3, 4)) if axis == 2 else case.input("x", (2, 3, 4))
        shape = tuple(x.shape[axis:])
        scale, bias = (case.input("scale", shape), case.input("bias", shape)) if parameters else (
            None, None)
        layer = case.op("layernorm", "layer", [x], F.layer_norm(x, shape, scale, bias, 0.01),
                        axis=axis, scale=scale, bias=bias, epsilon=0.01)
        rms = case.op("rmsnorm", "rms", [x], F.rms_norm(x, shape, scale, 0.01), axis=axis,
                      scale=scale, epsilon=0.01)
        case.gradients([layer, rms], [x] + ([scale, bias] if parameters else []))
        cases.append(case)
    for training, kind in itertools.product((0, 1), (0, 1, 5)):
        case = Case("batchnorm-%d%d" % (training, kind))
        x = case.input("x", (3, 4, 2, 2)) if kind else case.turned("x", (3, 4, 2, 2), (0, 3, 1, 2))
        scale, bias = case.input("scale", (4,)), case.input("bias", (4,))
        mean, variance = case.input("mean", (4,)), case.input("variance", (4,), 0.5, 2)
        normal = (F.batch_norm(x, None, None, training=True) if training else
                  (x - per_channel(mean)) * torch.rsqrt(per_channel(variance) + 1e-5))
        made = activated(kind, normal * per_channel(scale) + per_channel(bias))
        y = case.op("batchnorm", "y", [x, mean, variance], made, scale=scale, bias=bias,
                    training=training, activation=kind)
        case.gradients([y], [x, scale, bias] + ([] if training else [mean, variance]))
        cases.append(case)
    return cases


def conv_cases(Case):
    cases = []
    shapes = [((2, 4, 6, 5), (6, 4, 3, 3), (1, 1), (1, 1), (1, 1, 1, 1), 1),
              ((1, 4, 7, 6), (4, 2, 3, 2), (2, 1), (1, 2), (0, 1, 2, 0), 2),
              ((2, 3, 5, 5), (6, 1, 2, 3), (2, 3), (1, 1), (1, 0, 0, 2), 3),
              ((2, 3, 4, 4), (2, 3, 1, 1), (1, 1), (1, 1), (0, 0, 0, 0), 1),
              ((1, 2, 9, 7), (3, 2, 3, 3), (1, 2), (2, 3), (2, 3, 1, 0), 1)]
    for at, (xs, ws, strides, dilations, padding, groups) in enumerate(shapes):
        case = Case("conv2d-%d" % at)
        x = case.turned("x", xs, (0, 3, 1, 2)) if at % 2 else case.input("x", xs)
        w = case.apart("w", ws) if at == 2 else case.input("w", ws)
        top, left, bottom, right = padding
        made = F.conv2d(F.pad(x, (left, right, top, bottom)), w, None, strides, 0, dilations,
                        groups)
        bias = case.input("bias", (ws[0],))
        options = {"bias": bias, "strides": strides, "dilations": dilations, "padding": padding,
                   "groups": groups}
        of = [x, w, bias]
        made = made + per_channel(bias)
        if at in (1, 3):
            norm = [case.input("mean", (ws[0],)), case.input("variance", (ws[0],), 0.5, 2),
                    case.input("scale", (ws[0],)), case.input("shift", (ws[0],))]
            mean, variance, scale, shift = map(per_channel, norm)
            made = (made - mean) * torch.rsqrt(variance + 1e-5) * scale + shift
            options["norm"] = norm
            of += norm
        if at in (2, 3):
            options["residual"] = residual = case.input("residual", tuple(made.shape))
            made = made + residual
            of.append(residual)
        kind = (1, 6, 0, 4, 2)[at]
        case.gradients([case.op("conv2d", "y", [x, w], activated(kind, made), activation=kind,
                                **options)], of)
        cases.append(case)
    return cases


def pool_cases(Case):
    cases = []
    for at, (shape, window, strides, dilations, padding, ceil) in enumerate([
            ((2, 2, 6, 4), (2, 2), (2, 2), (1, 1), (0, 0), 0),
            ((1, 2, 7, 6), (3, 2), (1, 2), (1, 1), (1, 1), 0),
            ((1, 2, 7, 8), (3, 3), (2, 2), (1, 1), (1, 1), 1),
            ((1, 1, 8, 7), (2, 3), (1, 1), (2, 2), (0, 1), 0),
            ((2, 3, 4, 5), (4, 5), (1, 1), (1, 1), (0, 0), 0)]):
        case = Case("pool-%d" % at)
        # Few numbers, so that some are equal; there the first of a window has it all.
        x = case.input("x", shape, -3, 3, 1) if at % 2 else case.apart("x", shape)
        options = {"window": window, "strides": strides, "padding": padding + padding,
                   "ceil_mode": ceil}
        outputs = [case.op("pool", "most", [x], F.max_pool2d(x, window, strides, padding,
                                                               dilations, bool(ceil)), kind=1,
                           dilations=dilations, **options)]
        if dilations == (1, 1):
            for counts in (0, 1):
                made = F.avg_pool2d(x, window, strides, padding, bool(ceil), bool(counts))
                outputs.append(case.op("pool", "mean%d" % counts, [x], made, kind=2,
                                       count_include_pad=counts, **options))
        case.gradients(outputs, [x])
        cases.append(case)
    return cases


def index_cases(Case):
    cases = []
    for axis in (0, 1, 2):
        case = Case("index-%d" % axis)
        x = case.turned("x", (3, 4, 2), (1, 2, 0)) if axis == 1 else case.input("x", (3, 4, 2))
        extent = x.shape[axis]
        one = case.indices("one", (5,), 0, extent, "i32")
        shape = [2, 2, 2]
        shape[axis] = 6
        many = case.indices("many", shape, 0, extent)
        updates = case.input("updates", shape)
        gathered = case.op("gather", "gathered", [x, one], torch.index_select(x, axis, one),
                           axis=axis)
        elements = case.op("gather_elements", "elements", [x, many], torch.gather(x, axis, many),
                           axis=axis)
        added = case.op("scatter", "added", [x, many, updates],
                        torch.scatter_add(x, axis, many, updates), axis=axis, mode=1)
        # No index twice: PyTorch does not say which one wins.
        shape[axis] = extent
        single = torch.arange(extent).flip(0).reshape([-1 if a == axis else 1 for a in range(3)])
        line = [extent - 1, extent - 1, extent, 0, 0]
        case.emit("data", "line", [], {"dtype": "i64", "shape": [extent], "line": line})
        case.keep("line", single)
        view = [extent if a == axis else 1 for a in range(3)]
        case.emit("reshape", "upright", [single], {"shape": view})
        case.keep("upright", single)
        case.emit("broadcast", "places", [single], {"shape": shape})
        places = case.keep("places", single.expand(shape).clone())
        others = case.input("others", shape)
        assigned = case.op("scatter", "assigned", [x, places, others],
                           torch.scatter(x, axis, places, others), axis=axis, mode=0)
        case.gradients([gathered, elements, added, assigned], [x, updates, others])
        cases.append(case)
    case = Case("embedding")
    table, tokens = case.apart("table", (5, 3)), case.indices("tokens", (2, 4), 0, 5)
    case.gradients([case.op("embedding", "looked", [table, tokens], F.embedding(tokens, table))],
                   [table])
    cases.append(case)
    for axis, smallest in itertools.product((0, 1), (0, 1)):
        case = Case("topk-%d%d" % (axis, smallest))
        x = case.input("x", (4, 5))
        made = torch.topk(x, 3, axis, not smallest).values
        case.emit("topk", "top,places", [x], {"k": 3, "axis": axis, "smallest": smallest})
        case.gradients([case.keep("top", made)], [x])
        cases.append(case)
    return cases


def move_cases(Case):
    cases = []
    case = Case("moves")
    x, other = case.turned("x", (2, 3, 4), (2, 0, 1)), case.apart("other", (2, 2, 4))
    joined = case.op("concat", "joined", [x, other], torch.cat([x, other], 1), axis=1)
    outputs = [case.op("transpose", "turned", [joined], joined.permute(2, 0, 1).clone(),
                       axes=(2, 0, 1)),
               case.op("copy", "copied", [x], x.clone()),
               case.op("contiguous", "dense", [x], x.clone()),
               case.op("reshape", "flat", [x], x.reshape(6, 4), shape=(6, 4))]
    case.emit("cast", "narrow", [other], {"dtype": "f32"})
    narrow = case.keep("narrow", other.float())
    outputs.append(case.op("cast", "wide", [narrow], narrow.double(), dtype="f64"))
    case.gradients(outputs, [x, other])
    cases.append(case)
    for mode, name in enumerate(("constant", "reflect", "replicate")):
        case = Case("pad-%s" % name)
        x = case.input("x", (2, 3, 4, 5))
        made = F.pad(x, (2, 1, 0, 2), mode=name)
        y = case.op("pad", "y", [x], made, pads=(0, 0, 0, 2, 0, 0, 2, 1), mode=mode)
        case.gradients([y], [x])
        cases.append(case)
    # Of two elements that are as near netcl takes the lower; torch does not.
    for at, (shape, mode, aligned) in enumerate([
            ((8, 10), "bilinear", 0), ((7, 9), "bilinear", 1), ((2, 20), "bilinear", 0),
            ((4, 9), "bilinear", 1), ((8, 15), "nearest-exact", 0), ((12, 1), "nearest-exact", 0)]):
        case = Case("resize-%d" % at)
        x = case.input("x", (1, 2, 4, 5))
        made = F.interpolate(x, shape, mode=mode, align_corners=bool(aligned) if "bi" in mode
                             else None)
        y = case.op("resize", "y", [x], made, shape=(1, 2) + shape, mode=int("bi" in mode),
                    coordinates=aligned)
        case.gradients([y], [x])
        cases.append(case)
    return cases


ALL = [elementwise_cases, expression_cases, matmul_cases, reduce_cases, row_cases, conv_cases,
       pool_cases, index_cases, move_cases]
