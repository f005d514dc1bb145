"""Cases of recorded calls and their gradients, against those of the tape in tape.py."""

from fractions import Fraction

import tape
from cases import Case
from reference import FLOATS, Tensor, along, indices, rounded
from tape import Node

# Of a gradient that is not exact: how many eps of the sum of the sizes of all paths to it.
ERROR = 16
EPSILON = {"f32": 2.0 ** -23, "f64": 2.0 ** -52}


class Recorded(Case):
    """A case whose calls are recorded. Exact: all that the library sums and rounds is exact."""

    def __init__(self, name, exact):
        super().__init__(name)
        self.exact = exact
        Node.made = []
        self.lines.append("record - -")

    def line(self, name, dtype, shape, *rule):
        """Data of which gradients are known."""
        tensor = super().line(name, dtype, shape, *rule)
        number = Fraction if self.exact else float
        tensor.storage = [Node(number(value)) for value in tensor.storage]
        return tensor

    def constant(self, name, dtype, shape, *rule):
        return super().line(name, dtype, shape, *rule)

    def call(self, verb, name, inputs, made, **options):
        """An op whose result has nodes. Views of it share them."""
        if self.exact:
            for one in made.storage:
                assert rounded(one.value, made.dtype) == one.value, (self.name, name)
        self.emit(verb, name, inputs, options)
        return self.keep(name, made)

    def gradients(self, outputs, of, seeds=(), mark="d", **options):
        """The gradients of outputs for the tensors `of`; those of x are named dx."""
        flat = [one for tensor in outputs for one in tensor.values()]
        given = [value for tensor in seeds for value in tensor.values()] or [1] * len(flat)
        tape.backward(flat, given)
        if self.exact:
            self.check_exact(of[0].dtype)
        names = [mark + self.names[id(tensor)] for tensor in of]
        listed = {"of": [self.names[id(tensor)] for tensor in of],
                  "seeds": [self.names[id(tensor)] for tensor in seeds] or None}
        self.emit("gradients", ",".join(names), outputs, {**listed, **options})
        for name, tensor in zip(names, of):
            nodes = tensor.values()
            made = self.keep(name, Tensor(tensor.dtype, tensor.shape,
                                          [float(one.adjoint) for one in nodes]))
            if not self.exact:
                made.bounds = [ERROR * EPSILON[tensor.dtype] * one.size for one in nodes]
            elif 0 in made.storage:
                # What is added to make it 0 may have either sign, and a zero of it then has too.
                made.bounds = [0.0] * len(nodes)
            self.expect(made)

    def check_exact(self, dtype):
        """Sums of quarters below a quarter of 2^bits are not rounded, in any order."""
        most = 2 ** FLOATS[dtype][0] / 4
        for one in Node.made:
            assert one.size < most and (4 * one.adjoint) % 1 == 0, (self.name, one.size)


def small(case, name, dtype, shape, first, step, count=5):
    """Whole numbers around 0."""
    return case.line(name, dtype, shape, first, step, count, count // 2, 0)


def seed(case, name, dtype, shape):
    """No zero, so that signs of zeros are those of the data."""
    return case.constant(name, dtype, shape, 1, 2, 4, 2, 0)


def dense_case(dtype):
    case = Recorded("grad_dense-" + dtype, True)
    x, w = small(case, "x", dtype, (3, 5), 1, 3), small(case, "w", dtype, (5, 4), 2, 3)
    bias, v = small(case, "bias", dtype, (4,), 1, 2), small(case, "v", dtype, (4, 2), 3, 2)
    rest = small(case, "rest", dtype, (3, 2), 0, 3)
    biased = tape.each(lambda a, b: a + b, tape.matmul(x, w), bias)
    hidden = case.call("matmul", "hidden", [x, w], tape.each(tape.relu, biased), bias=bias,
                       activation=1)
    y = case.call("matmul", "y", [hidden, v],
                  tape.each(lambda a, b: a + b, tape.matmul(hidden, v), rest), residual=rest)
    case.gradients([y], [x, w, bias, v, rest], [seed(case, "s", dtype, (3, 2))], consume=1)
    return case


def formula_case(dtype):
    """Broadcasting, a view in between, and gradients of gradients."""
    case = Recorded("grad_formulas-" + dtype, True)
    a, b = small(case, "a", dtype, (2, 3, 2), 1, 3), small(case, "b", dtype, (3, 1), 2, 3)
    bias = small(case, "bias", dtype, (3,), 1, 1)
    y = case.call("expression", "y", [a, b], tape.each(lambda u, v: u * u * v - v, a, b),
                  text="v0*v0*v1-v1")
    turned = case.permute("turned", case.slice("part", y, (0, 2, 1), (2, 3, -1), (1, 1, 1)),
                          0, 2, 1)
    z = case.call("bias_add", "z", [turned, bias], tape.each(lambda u, v: u + v, turned, bias),
                  axis=2)
    case.gradients([z], [a, b, bias], [seed(case, "s", dtype, z.shape)])
    return case


def second_case(dtype):
    """The gradients of a gradient: the first one is 2 a b s."""
    case = Recorded("grad_second-" + dtype, True)
    a, b = small(case, "a", dtype, (6,), 1, 3), small(case, "b", dtype, (6,), 2, 3)
    y = case.call("expression", "y", [a, b], tape.each(lambda u, v: u * u * v, a, b),
                  text="v0*v0*v1")
    s, t = seed(case, "s", dtype, (6,)), case.constant("t", dtype, (6,), 1, 1, 4, 1, 0)
    case.gradients([y], [a], [s])
    first = tape.each(lambda u, v, k: u * v * (2 * k), a, b, s)
    case.names[id(first)] = "da"
    case.gradients([first], [a, b], [t], "second-")
    return case


def conv_case(dtype):
    case = Recorded("grad_conv-" + dtype, True)
    x, w = small(case, "x", dtype, (2, 4, 5, 4), 1, 2, 3), small(case, "w", dtype, (2, 2, 2, 3), 2,
                                                                2)
    bias = small(case, "bias", dtype, (2,), 1, 3)
    how = {"strides": (2, 1), "dilations": (1, 1), "padding": (1, 0, 0, 2), "groups": 2}
    y = case.call("conv2d", "y", [x, w], tape.conv2d(x, w, bias, **how), bias=bias, **how)
    shape = y.shape[:2] + (y.shape[2] // 2, y.shape[3] // 2)
    windows = [[y.at(n, c, 2 * i + di, 2 * j + dj) for di in range(2) for dj in range(2)]
               for n, c, i, j in indices(shape)]
    # Of equal elements the first of a window has it all.
    p = case.call("pool", "p", [y], Tensor(dtype, shape, [
        max(window, key=lambda one: one.value) for window in windows]), kind=1, window=(2, 2),
                  strides=(2, 2))
    q = case.call("pool", "q", [x], Tensor(dtype, (2, 4, 2, 2), [
        tape.total(x.at(n, c, 2 * i + di, 2 * j + dj) for di in range(2) for dj in range(2))
        * Fraction(1, 4) for n, c, i, j in indices((2, 4, 2, 2))]), kind=2, window=(2, 2),
                  strides=(2, 2))
    case.gradients([p, q], [x, w, bias], [seed(case, "s", dtype, shape),
                                          seed(case, "t", dtype, q.shape)])
    return case


def absolute(one):
    return one.through(abs(one.value), (one.value > 0) - (one.value < 0))


def reduce_case(dtype):
    case = Recorded("grad_reduce-" + dtype, True)
    x = small(case, "x", dtype, (4, 4), 1, 2, 7)
    made = [("sum", 1, 1, tape.total), ("max", 3, 0, tape.largest), ("prod", 5, 1, tape.product),
            ("mean", 2, 0, lambda row: tape.total(row) * Fraction(1, 4)),
            ("l1", 6, 1, lambda row: tape.total(map(absolute, row))),
            ("square", 8, 0, lambda row: tape.total(one * one for one in row))]
    outputs = [case.call("reduce", name, [x], tape.reduced(function, x, axis), kind=kind,
                         axes=[axis]) for name, kind, axis, function in made]
    outputs.append(case.call("scan", "scan", [x], tape.lines(
        lambda row: [tape.total(row[:at + 1]) for at in range(len(row))], x, 1), kind=1, axis=1))
    seeds = [seed(case, "s%d" % at, dtype, y.shape) for at, y in enumerate(outputs)]
    for y, s in zip(outputs, seeds):
        case.gradients([y], [x], [s], case.names[id(y)] + "-")
    return case


def move_case(dtype):
    case = Recorded("grad_moves-" + dtype, True)
    x, other = small(case, "x", dtype, (3, 4), 1, 3), small(case, "other", dtype, (3, 2), 2, 3)
    where = case.constant("where", "i32", (3,), 3, 2, 4, 0, 0)  # 3, 1, 3
    places = case.constant("places", "i64", (3, 2), 0, 1, 4, 0, 0)
    ids = case.constant("ids", "i64", (2, 2), 2, 1, 3, 0, 0)
    y = case.call("concat", "joined", [x, other], Tensor(dtype, (3, 6), [
        one for i in range(3) for t in (x, other) for one in along(t, 1, (i, 0))]), axis=1)
    turned = case.call("transpose", "turned", [y], y.permute((1, 0)).packed(), axes=(1, 0))
    zero = Node(Fraction(0))
    outputs = [
        case.call("pad", "padded", [turned], Tensor(dtype, (8, 3), [
            turned.at(i - 1, j) if 1 <= i < 7 else zero for i, j in indices((8, 3))]),
                  pads=(1, 0, 1, 0), mode=0),
        case.call("pad", "reflected", [x], Tensor(dtype, (3, 7), [
            x.at(i, [2, 1, 0, 1, 2, 3, 2][j]) for i, j in indices((3, 7))]), pads=(0, 2, 0, 1),
                  mode=1),
        case.call("gather", "gathered", [x, where], Tensor(dtype, (3, 3), [
            x.at(i, where.at(j)) for i, j in indices((3, 3))]), axis=1),
        case.call("gather_elements", "elements", [x, places], Tensor(dtype, (3, 2), [
            x.at(i, places.at(i, j)) for i, j in indices((3, 2))]), axis=1),
        case.call("embedding", "looked", [x, ids], Tensor(dtype, (2, 2, 4), [
            x.at(ids.at(i, j), k) for i, j, k in indices((2, 2, 4))])),
        case.call("resize", "resized", [x], Tensor(dtype, (3, 8), [
            x.at(i, j // 2) for i, j in indices((3, 8))]), shape=(3, 8), mode=0, coordinates=0)]
    scattered, added = x.packed(), x.packed()
    for i, j in indices((3, 2)):
        at = 4 * i + places.at(i, j)
        scattered.storage[at] = other.at(i, j)
        added.storage[at] = added.storage[at] + other.at(i, j)
    outputs.append(case.call("scatter", "scattered", [x, places, other], scattered, axis=1, mode=0))
    outputs.append(case.call("scatter", "added", [x, places, other], added, axis=1, mode=1))
    seeds = [seed(case, "s%d" % at, dtype, y.shape) for at, y in enumerate(outputs)]
    case.gradients(outputs, [x, other], seeds)
    return case


# ---- Gradients with bounds -----------------------------------------------------------------------

def loss_case(dtype):
    case = Recorded("grad_losses-" + dtype, False)
    x = case.line("x", dtype, (6, 5), 11, 37, 127, 63, 4)
    labels = case.constant("labels", "i64", (6,), 3, 2, 5, 0, 0)  # 3, 0, 2, 4, 1, 3
    weights = case.constant("weights", dtype, (5,), 1, 2, 7, 0, 2)
    logs = tape.lines(tape.log_softmax, x, 1)
    counted = [i for i in range(6) if labels.at(i) != 2]
    share = sum(weights.at(labels.at(i)) for i in counted)
    terms = [logs.at(i, labels.at(i)) * (-weights.at(labels.at(i))) for i in range(6)]
    made = Tensor(dtype, (), [tape.total(terms[i] for i in counted) / share])
    loss = case.call("cross_entropy", "loss", [x, labels], made, axis=1, weights=weights,
                     ignore_index=2)
    case.gradients([loss], [x])
    log = case.call("log_softmax", "log", [x], logs, axis=1)
    nll = case.call("nll_loss", "nll", [log, labels], Tensor(dtype, (6,), terms), axis=1,
                    weights=weights, reduction=2)
    soft = case.call("softmax", "soft", [x], tape.lines(
        lambda row: [tape.exp(one) for one in tape.log_softmax(row)], x, 0), axis=0)
    case.gradients([nll, soft], [x], [seed(case, "s", dtype, (6,)),
                                      seed(case, "t", dtype, (6, 5))], "both-")
    return case


def norm_case(dtype):
    case = Recorded("grad_norms-" + dtype, False)
    x = case.line("x", dtype, (4, 3, 2, 2), 11, 37, 127, 63, 4)
    scale, bias = case.line("scale", dtype, (3,), 1, 5, 13, -3, 3), case.line(
        "bias", dtype, (3,), 1, 3, 13, 6, 3)
    wide, last = case.line("wide", dtype, (4, 6), 5, 29, 101, 50, 4), case.line(
        "last", dtype, (6,), 1, 5, 13, -3, 3)
    shift = case.line("shift", dtype, (6,), 1, 3, 13, 6, 3)
    mean, variance = case.constant("mean", dtype, (3,), 1, 1, 7, 2, 2), case.constant(
        "variance", dtype, (3,), 3, 2, 11, 0, 2)
    normal = Tensor(dtype, x.shape, [None] * 48)
    for c in range(3):
        places = [12 * n + 4 * c + k for n in range(4) for k in range(4)]
        for at, one in zip(places, tape.normalised([x.storage[at] for at in places], 1e-5)):
            normal.storage[at] = tape.relu(one * scale.at(c) + bias.at(c))
    batch = case.call("batchnorm", "batch", [x, mean, variance], normal, scale=scale, bias=bias,
                      training=1, momentum=0.75, activation=1)
    case.gradients([batch], [x, scale, bias], [seed(case, "s", dtype, x.shape)])
    layer = case.call("layernorm", "layer", [wide], tape.lines(
        lambda row: [one * last.at(i) + shift.at(i) for i, one in
                     enumerate(tape.normalised(row, 1e-5))], wide, 1), axis=1, scale=last,
                      bias=shift)
    rms = case.call("rmsnorm", "rms", [layer], tape.lines(
        lambda row: [one * last.at(i) for i, one in enumerate(tape.normalised(row, 0.01, True))],
        layer, 1), axis=1, scale=last, epsilon=0.01)
    case.gradients([layer, rms], [wide, last, shift], [seed(case, "t", dtype, (4, 6)),
                                                       seed(case, "u", dtype, (4, 6))])
    return case


def smooth_case(dtype):
    """A chain of functions, an activation of a product, and reductions that are not exact."""
    case = Recorded("grad_smooth-" + dtype, False)
    x, w = case.line("x", dtype, (3, 4), 5, 29, 101, 50, 5), case.line("w", dtype, (4, 5), 1, 37,
                                                                       101, 50, 5)
    bias = case.line("bias", dtype, (5,), 1, 3, 11, 5, 2)
    y = case.call("matmul", "y", [x, w], tape.each(
        lambda a, b: tape.gelu(a + b), tape.matmul(x, w), bias), bias=bias, activation=7)
    z = case.call("expression", "z", [y, bias], tape.each(
        lambda a, b: tape.tanh(a) * tape.exp(b) - a / (b * b + 1.0), y, bias),
                  text="tanh(v0)*exp(v1)-v0/(v1*v1+1)")
    long = case.call("reduce", "long", [z], tape.reduced(
        lambda row: tape.sqrt(tape.total(one * one for one in row)), z, 1), kind=7, axes=[1])
    soft = case.call("reduce", "soft", [z], tape.reduced(
        lambda row: tape.log(tape.total(tape.exp(one) for one in row)), z, 0), kind=10, axes=[0])
    case.gradients([long, soft], [x, w, bias], [seed(case, "s", dtype, (3,)),
                                                seed(case, "t", dtype, (5,))], consume=1)
    return case


def all_cases():
    for dtype in ("f32", "f64", "f16", "bf16"):
        for make in (dense_case, formula_case, second_case, conv_case, reduce_case, move_case):
            yield make(dtype)
        for make in (loss_case, norm_case, smooth_case):
            if dtype in EPSILON:
                yield make(dtype)
