#!/usr/bin/env python3
"""Writes vectors.txt, checks that it is up to date, and judges what a language printed.

  vectors.py                       writes vectors.txt
  vectors.py --check               fails when vectors.txt is not what this would write
  vectors.py --judge FILE OUTPUT   fails when results in OUTPUT (lines "case name bits") of the
                                   cases in FILE (vectors.txt or a part of it) are missing, not
                                   the expected bits, or further from double precision than
                                   netcl.h allows

An expectation never comes from the library: exact ones are computed with integers and fractions,
the others in double precision (reference.py, cases.py).
"""

import itertools
import math
import os
import sys

import cases_exact
import cases_gradients
import cases_quantization
from cases import Case, batchnorm, conv2d, functions, matmul, norm, softmax, sums, within
from reference import FLOATS, Tensor, along, decoded, elementwise, lines_of

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = """\
# Written by vectors.py; README.md has the format. Numbers that stand for constants are netcl.h's.
"""

UNARY = [  # name, function, ULP (the larger of both backends, docs/expressions.md), dtypes
    ("Exp", math.exp, 3), ("Log", lambda v: math.log(abs(v) + 1), 3), ("Sin", math.sin, 4),
    ("Cos", math.cos, 4), ("Tan", math.tan, 5), ("Atan", math.atan, 5), ("Tanh", math.tanh, 5),
    ("Sinh", math.sinh, 4), ("Cosh", math.cosh, 4), ("Asinh", math.asinh, 4),
    ("Erf", math.erf, 16), ("Sigmoid", lambda v: 1 / (1 + math.exp(-v)), 8),
    ("Softplus", lambda v: math.log1p(math.exp(v)), 8), ("Softsign", lambda v: v / (1 + abs(v)), 4),
    ("Silu", lambda v: v / (1 + math.exp(-v)), 8),
    ("Mish", lambda v: v * math.tanh(math.log1p(math.exp(v))), 10),
    ("Gelu", lambda v: 0.5 * v * math.erfc(-v / math.sqrt(2)), 36),
    ("Elu", lambda v: v if v >= 0 else math.expm1(v), 4),
    ("HardSigmoid", lambda v: min(max(0.2 * v + 0.5, 0.0), 1.0), 4),
]


def function_cases():
    for dtype in ("f32", "f64", "f16", "bf16"):
        case = Case("functions-" + dtype)
        x = case.line("x", dtype, (61,), first=3, step=17, modulus=121, less=60, shift=4)
        positive = case.line("p", dtype, (61,), first=3, step=17, modulus=121, less=-1, shift=4)
        for name, function, ulps in UNARY:
            source = x
            if name == "Log":
                source, function = positive, math.log
            result = functions(function, ulps, source)
            # Near a zero of the function the error is that of the larger terms it is made of.
            result.bounds = [bound + (2.0 ** -23 if dtype != "f64" else 2.0 ** -52)
                             for bound in result.bounds]
            case.expect(case.op("elementwise", name.lower(), [source], result, op=name))
        for name, function, ulps in (("Sqrt", math.sqrt, 3), ("Rsqrt", lambda v: v ** -0.5, 2),
                                     ("Reciprocal", lambda v: 1 / v, 2.5)):
            case.expect(case.op("elementwise", name.lower(), [positive],
                                functions(function, ulps, positive), op=name))
        power = within(elementwise(lambda p, v: p ** v, [positive, x], dtype), [])
        power.bounds = [16 * 2.0 ** (-23 if dtype != "f64" else -52) * value
                        for value in power.storage]
        case.expect(case.op("elementwise", "pow", [positive, x], power, op="Pow"))
        text = "sigmoid(v0)*tanh(v1)+exp(-abs(v0))"
        fused = elementwise(lambda a, b: math.tanh(b) / (1 + math.exp(-a)) + math.exp(-abs(a)),
                            [x, positive], dtype)
        fused.bounds = [40 * 2.0 ** (-23 if dtype != "f64" else -52)] * len(fused.storage)
        case.expect(case.op("expression", "fused", [x, positive], fused, text=text))
        yield case


def matmul_cases():
    for dtype in ("f32", "f64", "f16", "bf16"):
        case = Case("matmul-" + dtype)
        a = case.line("a", dtype, (9, 21), 5, 29, 101, 50, 4)
        b = case.line("b", dtype, (21, 13), 1, 37, 101, 50, 4)
        bias = case.line("bias", dtype, (13,), 1, 3, 11, 5, 2)
        residual = case.line("residual", dtype, (9, 13), 2, 5, 31, 15, 2)
        case.expect(case.op("matmul", "plain", [a, b], matmul(a, b)))
        made = matmul(a, b, bias=bias, residual=residual, activation=lambda v: max(v, 0.0))
        case.expect(case.op("matmul", "relu", [a, b], made, bias=bias, residual=residual,
                            activation=1))
        made = matmul(a, b, bias=bias, activation=lambda v: 0.5 * v * math.erfc(-v / 2 ** 0.5))
        case.expect(case.op("matmul", "gelu", [a, b], made, bias=bias, activation=7))
        into = case.line("into", dtype, (9, 13), 1, 1, 7, 3, 1)
        made = matmul(a, b, alpha=0.5, beta=-2.0, into=into)
        case.expect(case.op("matmul", "scaled", [a, b], made, has_scale=1, alpha=0.5, beta=-2.0,
                            into=into))
        turned = case.permute("turned", b, 1, 0)
        other = case.permute("other", a, 1, 0)
        case.expect(case.op("matmul", "turn", [turned, other], matmul(turned, other)))
        back = case.slice("back", a, (8, 5, -2), (20, 21, -1))
        case.expect(case.op("matmul", "backwards", [back, b], matmul(back, b)))
        if dtype in ("f16", "bf16"):
            case.expect(case.op("matmul", "single", [a, b], matmul(a, b, dtype="f32"), dtype="f32"))
        yield case
    case = Case("matmul-batched")
    a = case.line("a", "f32", (3, 5, 8), 5, 29, 101, 50, 4)
    b = case.line("b", "f32", (8, 6), 1, 37, 101, 50, 4)
    case.expect(case.op("matmul", "y", [a, b], matmul(a, b)))
    yield case
    case = Case("matmul-larger")
    a = case.random("a", "f32", (67, 96), 11, low=-1, high=1)
    b = case.random("b", "f32", (96, 70), 12, low=-1, high=1)
    case.expect(case.op("matmul", "y", [a, b], matmul(a, b)))
    yield case


def conv_cases():
    for dtype in ("f32", "f64", "f16", "bf16"):
        case = Case("conv2d-" + dtype)
        x = case.line("x", dtype, (2, 4, 9, 8), 7, 23, 97, 48, 4)
        w = case.line("w", dtype, (6, 4, 3, 3), 3, 31, 89, 44, 4)
        grouped = case.line("grouped", dtype, (6, 2, 2, 3), 5, 19, 61, 30, 4)
        bias = case.line("bias", dtype, (6,), 1, 3, 11, 5, 2)
        case.expect(case.op("conv2d", "plain", [x, w], conv2d(x, w)))
        made = conv2d(x, w, padding=(1, 1, 1, 1), bias=bias, activation=lambda v: max(v, 0.0))
        case.expect(case.op("conv2d", "relu", [x, w], made, padding=(1, 1, 1, 1), bias=bias,
                            activation=1))
        made = conv2d(x, grouped, strides=(2, 1), dilations=(1, 2), padding=(1, 0, 0, 2), groups=2)
        case.expect(case.op("conv2d", "groups", [x, grouped], made, strides=(2, 1),
                            dilations=(1, 2), padding=(1, 0, 0, 2), groups=2))
        inner = case.permute("inner", case.line("nhwc", dtype, (2, 9, 8, 4), 7, 23, 97, 48, 4),
                             0, 3, 1, 2)
        case.expect(case.op("conv2d", "channels", [inner, w], conv2d(inner, w)))
        yield case


def row_cases():
    for dtype in ("f32", "f64", "f16", "bf16"):
        case = Case("rows-" + dtype)
        x = case.line("x", dtype, (5, 7, 6), 11, 37, 127, 63, 4)
        view = case.permute("view", x, 2, 0, 1)
        scale = case.line("scale", dtype, (6,), 1, 5, 13, -3, 3)
        bias = case.line("bias", dtype, (6,), 1, 3, 13, 6, 3)
        for axis in (-1, 1):
            case.expect(case.op("softmax", "softmax%d" % axis, [x], softmax(x, axis), axis=axis),
                        case.op("log_softmax", "log%d" % axis, [x], softmax(x, axis, True),
                                axis=axis))
        case.expect(case.op("softmax", "viewed", [view], softmax(view, 0), axis=0))
        case.expect(case.op("layernorm", "layer", [x], norm(x, scale, bias), axis=-1, scale=scale,
                            bias=bias),
                    case.op("layernorm", "bare", [view], norm(view, None, None, 0.01), axis=2,
                            epsilon=0.01),
                    case.op("rmsnorm", "rms", [x], norm(x, scale, None, 1e-5, True), axis=2,
                            scale=scale))
        for kind, number in (("sum", 1), ("mean", 2), ("l2", 7), ("log_sum_exp", 10)):
            case.expect(case.op("reduce", kind, [x], sums(x, 1, kind), kind=number, axes=[1]),
                        case.op("reduce", kind + "-view", [view], sums(view, 0, kind), kind=number,
                                axes=[0]))
        scanned = Tensor(dtype, x.shape, [0.0] * len(x.storage))
        scanned.bounds = [0.0] * len(x.storage)
        for index in lines_of(x, 1):
            row = along(x, 1, index)
            for at in range(len(row)):
                place = index[0] * 42 + at * 6 + index[2]
                scanned.storage[place] = math.fsum(row[:at + 1])
                scanned.bounds[place] = 67 * 2.0 ** (-52 if dtype == "f64" else -23) * math.fsum(
                    map(abs, row[:at + 1]))
        case.expect(case.op("scan", "running", [x], scanned, kind=1, axis=1))
        yield case
    case = Case("rows-long")
    x = case.random("x", "f32", (3, 5000), 21, low=-1, high=1)
    case.expect(case.op("reduce", "sum", [x], sums(x, 1, "sum"), kind=1, axes=[1]))
    flat = case.random("flat", "f32", (20000,), 22, low=-1, high=1)
    case.expect(case.op("reduce", "all", [flat], sums(flat, 0, "sum"), kind=1))
    yield case


def batch_cases():
    for dtype in ("f32", "f64", "f16", "bf16"):
        case = Case("batchnorm-" + dtype)
        x = case.line("x", dtype, (4, 3, 2, 5), 11, 37, 127, 63, 4)
        scale = case.line("scale", dtype, (3,), 1, 5, 13, -3, 3)
        bias = case.line("bias", dtype, (3,), 1, 3, 13, 6, 3)
        mean = case.line("mean", dtype, (3,), 1, 1, 7, 2, 2)
        variance = case.line("variance", dtype, (3,), 3, 2, 11, 0, 2)
        made = batchnorm(x, mean.storage, variance.storage, scale, bias)
        case.expect(case.op("batchnorm", "y", [x, mean, variance], made, scale=scale, bias=bias))
        made = batchnorm(x, mean.storage, variance.storage, scale, bias,
                         activation=lambda v: max(v, 0.0))
        case.expect(case.op("batchnorm", "relu", [x, mean, variance], made, scale=scale, bias=bias,
                            activation=1))
        places = list(itertools.product(range(4), range(2), range(5)))
        channels = [[x.at(n, c, i, j) for n, i, j in places] for c in range(3)]
        means = [math.fsum(row) / 40 for row in channels]
        spreads = [math.fsum((v - m) ** 2 for v in row) / 40 for row, m in zip(channels, means)]
        made = batchnorm(x, means, spreads, scale, bias)
        case.expect(case.op("batchnorm", "training", [x, mean, variance], made, scale=scale,
                            bias=bias, training=1, momentum=0.75))
        eps = {"f16": 2.0 ** -10, "bf16": 2.0 ** -7, "f32": 2.0 ** -17, "f64": 2.0 ** -46}[dtype]
        for tensor, batch in ((mean, means), (variance, spreads)):
            tensor.write([0.75 * old + 0.25 * new for old, new in zip(tensor.values(), batch)])
            tensor.bounds = [eps * (abs(value) + 8) for value in tensor.values()]
        case.expect(mean, variance)
        average = Tensor(dtype, (4, 3, 1, 2), [])
        average.bounds = []
        for n, c, j in itertools.product(range(4), range(3), range(2)):
            cells = [x.at(n, c, a, 2 * j + b) for a in range(2) for b in range(2)]
            average.storage.append(math.fsum(cells) / 4)
            average.bounds.append(70 * 2.0 ** (-52 if dtype == "f64" else -23) * math.fsum(
                map(abs, cells)) / 4)
        case.expect(case.op("pool", "average", [x], average, kind=2, window=(2, 2),
                            strides=(2, 2)))
        linear = Tensor(dtype, (4, 3, 2, 9), [])
        linear.bounds = []
        for n, c, i, j in itertools.product(range(4), range(3), range(2), range(9)):
            left, right = x.at(n, c, i, j // 2), x.at(n, c, i, min(j // 2 + 1, 4))
            linear.storage.append(left if j % 2 == 0 else (left + right) / 2)
            linear.bounds.append(8 * 2.0 ** (-52 if dtype == "f64" else -23) * 8)
        # Half way between elements the weights are -3/32, 19/32, 19/32, -3/32.
        cubic = Tensor(dtype, (4, 3, 2, 10), [])
        cubic.bounds = []
        for n, c, i, j in itertools.product(range(4), range(3), range(2), range(10)):
            near = [x.at(n, c, i, min(max(j // 2 + k, 0), 4)) for k in (-1, 0, 1, 2)]
            cubic.storage.append(near[1] if j % 2 == 0 else math.fsum(
                [19 * near[1], 19 * near[2], -3 * near[0], -3 * near[3]]) / 32)
            cubic.bounds.append(16 * 2.0 ** (-52 if dtype == "f64" else -23) * 8)
        case.expect(case.op("resize", "linear", [x], linear, shape=(4, 3, 2, 9), mode=1,
                            coordinates=1),
                    case.op("resize", "cubic", [x], cubic, shape=(4, 3, 2, 10), mode=2,
                            coordinates=2))
        yield case


def all_cases():
    made = list(itertools.chain(cases_exact.all_cases(), function_cases(), matmul_cases(),
                                conv_cases(), row_cases(), batch_cases(),
                                cases_quantization.all_cases(), cases_gradients.all_cases()))
    assert len({case.name for case in made}) == len(made)
    return made


def judge(part, path):
    with open(part, encoding="ascii") as file:
        chosen = {line.split()[1] for line in file if line.startswith("case ")}
    expected = {(case.name, name): tensor for case in all_cases() if case.name in chosen
                for name, tensor in case.outputs.items()}
    found = {}
    with open(path, encoding="ascii") as file:
        for line in file:
            case, name, bits = line.rstrip("\n").split(" ")
            found[case, name] = bytes.fromhex(bits)
    complaints = ["%s %s is missing" % key for key in expected if key not in found]
    complaints += ["%s %s is unknown" % key for key in found if key not in expected]
    for key in expected:
        if key in found:
            complaints += compared(key, expected[key], found[key])
    for complaint in complaints[:20]:
        print("%s: %s" % (os.path.basename(path), complaint))
    return len(complaints) + (not expected)


def compared(key, tensor, data):
    values = decoded(data, tensor.dtype)
    wanted = tensor.values()
    if len(values) != len(wanted):
        return ["%s %s has %d elements, not %d" % (*key, len(values), len(wanted))]
    bounds = tensor.bounds or [0.0] * len(wanted)
    for at, (value, want, bound) in enumerate(zip(values, wanted, bounds)):
        both_nan = tensor.dtype in FLOATS and math.isnan(value) and math.isnan(want)
        if not (both_nan or value == want or abs(value - want) <= bound):
            return ["%s %s: element %d is %r; it has to be %r +- %g" % (*key, at, value, want,
                                                                     bound)]
    return []


def main(arguments):
    path = os.path.join(HERE, "vectors.txt")
    if arguments[:1] == ["--judge"] and len(arguments) == 3:
        return 1 if judge(*arguments[1:]) else 0
    text = HEAD + "".join("\n" + "\n".join(case.lines) + "\n" for case in all_cases())
    if arguments == ["--check"]:
        with open(path, encoding="ascii") as file:
            if file.read() == text:
                return 0
        print("vectors.txt is not what vectors.py writes")
        return 1
    if arguments:
        print(__doc__)
        return 2
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    return 0

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
