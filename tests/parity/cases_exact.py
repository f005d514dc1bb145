"""Cases whose bits are given: arithmetic that every device rounds alike, integers, and moves."""

import math
from fractions import Fraction

from cases import Bits, Case
from reference import (DTYPES, FLOATS, INTEGERS, Tensor, along, cast, common_shape, elementwise,
                       encoded, indices, limits, lines_of, rounded, wrapped)

NAN = math.nan


def samples(dtype):
    """Values that a cast can go wrong with. A NaN goes to what is no float only: its payload."""
    if dtype == "bool":
        return [False, True]
    if dtype in INTEGERS:
        low, high = limits(dtype)
        known = [0, 1, low, high, low + 1, high - 1, 77, -77, 200, 40000, 16777217, 2049, 257]
        return sorted({wrapped(v, dtype) for v in known})
    known = [0.0, -0.0, 1.0, 1.5, -1.5, 2.5, -0.75, 127.6, 255.9, -128.9, 300.7, 2049.0, 65504.0,
             1e6, -1e6, 3e9, -3e9, 1e19, -1e19, math.inf, -math.inf]
    return [rounded(v, dtype) for v in known]


def cast_cases():
    for source in DTYPES:
        case = Case("cast-" + source)
        values = samples(source)
        x = case.data("x", source, (len(values),), values)
        for target in DTYPES:
            made = elementwise(lambda v, t=target: cast(v, source, t), [x], target)
            case.expect(case.op("cast", "to-" + target, [x], made, dtype=target))
        yield case
    case = Case("cast-nan")
    for source in FLOATS:
        x = case.data("x-" + source, source, (2,), [NAN, 1.0])
        for target in [name for name in DTYPES if name not in FLOATS]:
            made = elementwise(lambda v, t=target: cast(v, source, t), [x], target)
            case.expect(case.op("cast", "%s-%s" % (source, target), [x], made, dtype=target))
    yield case


def divided(a, b):
    return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a, b):
    return 0 if b == 0 else a - divided(a, b) * b


def shifted(a, b, dtype, left):
    """Counts of the width or more, and negative ones, leave nothing but the sign."""
    bits, _ = INTEGERS[dtype]
    if not 0 <= b < bits:
        return 0 if left or a >= 0 else -1
    return a << b if left else a >> b


def integer_cases():
    for dtype in INTEGERS:
        case = Case("integers-" + dtype)
        low, high = limits(dtype)
        edge = [low, high, 0, 1, high - 1, 3, high // 3, low + 7]
        a = case.data("a", dtype, (8,), edge)
        b = case.line("b", dtype, (5, 8), first=0, step=5, modulus=23, less=9 if low else 0)
        binary = {"Add": lambda x, y: x + y, "Sub": lambda x, y: x - y, "Mul": lambda x, y: x * y,
                  "Div": divided, "Max": max, "Min": min,
                  "BitShiftLeft": lambda x, y: shifted(x, y, dtype, True),
                  "BitShiftRight": lambda x, y: shifted(x, y, dtype, False)}
        for name, function in binary.items():
            made = elementwise(lambda x, y: wrapped(function(x, y), dtype), [a, b], dtype)
            case.expect(case.op("elementwise", name.lower(), [a, b], made, op=name))
        made = elementwise(lambda x, y: wrapped(remainder(x, y), dtype), [a, b], dtype)
        case.expect(case.op("elementwise", "fmod", [a, b], made, op="Mod", alpha=1.0))
        for name, function in {"Abs": abs, "Neg": lambda x: -x, "Square": lambda x: x * x,
                               "Sign": lambda x: (x > 0) - (x < 0)}.items():
            made = elementwise(lambda x: wrapped(function(x), dtype), [b], dtype)
            case.expect(case.op("elementwise", name.lower(), [b], made, op=name))
        for name, function in {"Equal": lambda x, y: x == y, "Less": lambda x, y: x < y,
                               "GreaterOrEqual": lambda x, y: x >= y}.items():
            case.expect(case.op("elementwise", name.lower(), [a, b],
                                elementwise(function, [a, b], "bool"), op=name))
        made = elementwise(lambda x, y: wrapped((x & y) ^ ~(x | y), dtype), [a, b], dtype)
        case.expect(case.op("expression", "bits", [a, b], made, text="(v0&v1)^~(v0|v1)"))
        made = elementwise(lambda x, y: wrapped(wrapped(x * y, dtype) + 3, dtype) if x < y else
                           wrapped(x - y, dtype), [a, b], dtype)
        case.expect(case.op("expression", "choice", [a, b], made, text="v0<v1?v0*v1+3:v0-v1"))
        case.expect(*case.expressions("together", [a, b], ["v0+v1", "v0<v1", "v0*v1-v0", "v0"], [
            elementwise(lambda x, y: wrapped(x + y, dtype), [a, b], dtype),
            elementwise(lambda x, y: x < y, [a, b], "bool"),
            elementwise(lambda x, y: wrapped(wrapped(x * y, dtype) - x, dtype), [a, b], dtype),
            elementwise(lambda x, y: x, [a, b], dtype)]))
        for name, number, function in (("sum", 1, sum), ("prod", 5, math.prod), ("max", 3, max),
                                       ("min", 4, min)):
            rows = [wrapped(function(along(b, 1, index)), dtype) for index in lines_of(b, 1)]
            case.expect(case.op("reduce", "reduce-" + name, [b], Tensor(dtype, (5,), rows),
                                kind=number, axes=[1]))
            rows = []
            for row in range(5):
                line = along(b, 1, (row, 0))
                rows += [wrapped(function(line[:at + 1]), dtype) for at in range(8)]
            case.expect(case.op("scan", "scan-" + name, [b], Tensor(dtype, (5, 8), rows),
                                kind=number, axis=-1))
        yield case


def float_cases():
    """Operations in f32 and f64 are rounded alike everywhere; f16 and bf16 go through f32."""
    for dtype in FLOATS:
        computed = "f64" if dtype == "f64" else "f32"

        def one(value, to=computed, last=dtype):
            return rounded(rounded(value, to), last)
        case = Case("floats-" + dtype)
        a = case.line("a", dtype, (6, 5), first=7, step=37, modulus=211, less=105, shift=3)
        b = case.line("b", dtype, (5,), first=3, step=11, modulus=29, less=-1, shift=2)
        for name, function in {"Add": lambda x, y: x + y, "Sub": lambda x, y: x - y,
                               "Mul": lambda x, y: x * y, "Div": lambda x, y: x / y, "Max": max,
                               "Min": min}.items():
            made = elementwise(lambda x, y: one(function(x, y)), [a, b], dtype)
            case.expect(case.op("elementwise", name.lower(), [a, b], made, op=name))
        made = elementwise(lambda x, y: one(math.fmod(x, y)), [a, b], dtype)
        case.expect(case.op("elementwise", "fmod", [a, b], made, op="Mod", alpha=1.0))
        for name, function in {"Abs": abs, "Neg": lambda x: -x, "Floor": math.floor,
                               "Ceil": math.ceil, "Relu": lambda x: max(x, 0.0),
                               "Round": round, "Square": lambda x: x * x}.items():
            # The zeros of these carry the sign of the argument.
            made = elementwise(lambda x: math.copysign(one(float(function(x))), -x if name == "Neg"
                                                       else x if function(x) == 0 and
                                                       name != "Relu" else function(x)),
                               [a], dtype)
            case.expect(case.op("elementwise", name.lower(), [a], made, op=name))
        case.expect(case.op("elementwise", "clip", [a],
                            elementwise(lambda x: one(min(max(x, -4.5), 7.25)), [a], dtype),
                            op="Clip", alpha=-4.5, beta=7.25))
        made = elementwise(lambda x: one(x if x >= 0 else 0.25 * x), [a], dtype)
        case.expect(case.op("elementwise", "leaky", [a], made, op="LeakyRelu", alpha=0.25))
        made = elementwise(lambda x, y: one(x if x >= 0 else one(x * y, computed, computed)),
                           [a, b], dtype)
        case.expect(case.op("elementwise", "prelu", [a, b], made, op="PRelu"))
        for name, function in {"Less": lambda x, y: x < y, "Greater": lambda x, y: x > y}.items():
            case.expect(case.op("elementwise", name.lower(), [a, b],
                                elementwise(function, [a, b], "bool"), op=name))
        odd = case.data("odd", dtype, (5,), [NAN, math.inf, -math.inf, 0.0, 2.0])
        case.expect(case.op("elementwise", "isnan", [odd], elementwise(math.isnan, [odd], "bool"),
                            op="IsNaN"),
                    case.op("elementwise", "isinf", [odd], elementwise(math.isinf, [odd], "bool"),
                            op="IsInf"))
        condition = case.line("condition", "bool", (6, 5), 0, 1, 3, 1)
        made = elementwise(lambda c, x, y: x if c else y, [condition, a, b], dtype)
        case.expect(case.op("elementwise", "where", [condition, a, b], made, op="Where"))
        made = elementwise(lambda x, y: one(min(max(one(one(x * y, computed, computed) + 0.5,
                                                        computed, computed), -8.0), 8.0)),
                           [a, b], dtype)
        case.expect(case.op("expression", "fused", [a, b], made, text="clamp(v0*v1+0.5,-8.0,8.0)"))
        case.expect(*case.expressions("together", [a, b], ["v0*0.5+v1", "v0>v1", "v1-v0"], [
            elementwise(lambda x, y: one(one(x * 0.5, computed, computed) + y), [a, b], dtype),
            elementwise(lambda x, y: x > y, [a, b], "bool"),
            elementwise(lambda x, y: one(y - x), [a, b], dtype)]))
        back = case.slice("back", a, (5, 3, -2), (4, 5, -1))
        made = elementwise(lambda x, y: one(x + y), [back, b], dtype)
        case.expect(case.op("expression", "backwards", [back, b], made, text="v0+v1"))
        home = case.line("home", dtype, (5, 12), 0, 0, 1)
        into = case.permute("into", case.slice("part", home, (4, 5, -1), (1, 6, 2)), 1, 0)
        made = elementwise(lambda x, y: one(x - y), [a, b], dtype)
        case.op("expression", "written", [a, b], made, text="v0-v1", into=into)
        case.expect(home)
        yield case


def order_cases():
    """What finds and sorts elements moves their bits."""
    for dtype in [name for name in DTYPES if name != "bool"]:
        case = Case("order-" + dtype)
        less = 14 if dtype[0] != "u" else 0
        x = case.line("x", dtype, (4, 9), first=5, step=7, modulus=29, less=less)
        view = case.permute("view", x, 1, 0)
        for tensor, axis, suffix in ((x, 1, ""), (view, 0, "-view")):
            rows = [along(tensor, axis, index) for index in lines_of(tensor, axis)]
            rest = [extent for at, extent in enumerate(tensor.shape) if at != axis]
            for name, number, function in (("max", 3, max), ("min", 4, min)):
                made = Tensor(dtype, rest, [function(row) for row in rows])
                case.expect(case.op("reduce", name + suffix, [tensor], made, kind=number,
                                    axes=[axis]))
                made = Tensor("i64", rest, [row.index(function(row)) for row in rows])
                case.expect(case.op("reduce", "arg" + name + suffix, [tensor], made,
                                    kind=number + 8, axes=[axis]))
        for smallest in (0, 1):
            values, places = [], []
            for row in range(4):
                line = along(x, 1, (row, 0))
                order = sorted(range(9), key=lambda at: (line[at] if smallest else -line[at], at))
                values += [line[at] for at in order[:5]]
                places += order[:5]
            top = case.op("topk", "top%d,places%d" % (smallest, smallest), [x],
                          Tensor(dtype, (4, 5), values), k=5, axis=1, smallest=smallest)
            top.name = "top%d" % smallest
            found = case.keep("places%d" % smallest, Tensor("i64", (4, 5), places))
            case.expect(top, found)
        counts = [0] * 6
        for value in x.values():
            if -3 <= value <= 9:
                counts[min(int((value + 3) // 2), 5)] += 1
        case.expect(case.op("histogram", "counts", [x], Tensor("i64", (6,), counts), bins=6,
                            low=-3.0, high=9.0))
        image = case.line("image", dtype, (1, 2, 6, 5), first=3, step=11, modulus=27, less=less)
        pooled = [max(image.at(0, c, 2 * i + di, 2 * j + dj) for di in range(2) for dj in range(2))
                  for c in range(2) for i in range(3) for j in range(2)]
        case.expect(case.op("pool", "pooled", [image], Tensor(dtype, (1, 2, 3, 2), pooled),
                            kind=1, window=(2, 2), strides=(2, 2)))
        yield case


def picked(x, axis, function):
    """A tensor whose element i along an axis is x[..., function[i], ...], function being a list."""
    shape = x.shape[:axis] + (len(function),) + x.shape[axis + 1:]
    return Tensor(x.dtype, shape, [x.at(*index[:axis], function[index[axis]], *index[axis + 1:])
                                   for index in indices(shape)])


def move_cases():
    for dtype in DTYPES:
        case = Case("moves-" + dtype)
        less = 30 if dtype[0] not in "bu" or dtype == "bf16" else 0
        x = case.line("x", dtype, (3, 4, 5), first=1, step=1, modulus=61, less=less)
        back = case.slice("back", x, (2, 2, -2), (0, 4, 1), (4, 3, -2))
        turned = case.permute("turned", x, 2, 0, 1)
        thin = case.slice("thin", x, (1, 1, 1), (0, 4, 1), (2, 1, 1))
        case.expect(back, turned, case.view("strided", x, (2, 3, 2), (30, 3, 2), 5),
                    case.broadcast("repeated", thin, 2, 3, 4, 2))
        case.expect(case.op("copy", "copied", [back], back.packed()),
                    case.op("contiguous", "dense", [turned], turned.packed()),
                    case.op("transpose", "transposed", [x], x.permute((1, 2, 0)).packed(),
                            axes=(1, 2, 0)))
        other = case.line("other", dtype, (3, 2, 5), first=2, step=3, modulus=53, less=less)
        rows = [v for i in range(3) for t in (x, other) for j in range(t.shape[1])
                for v in along(t, 2, (i, j, 0))]
        case.expect(case.op("concat", "joined", [x, other], Tensor(dtype, (3, 6, 5), rows), axis=1))
        zero = False if dtype == "bool" else 0.0 if dtype in FLOATS else 0
        padded = [x.at(i, j - 1, k) if 1 <= j < 5 and k < 5 else zero
                  for i, j, k in indices((3, 6, 7))]
        case.expect(case.op("pad", "padded", [x], Tensor(dtype, (3, 6, 7), padded),
                            pads=(0, 1, 0, 0, 1, 2), mode=0))
        edge = True if dtype == "bool" else 1.5 if dtype in FLOATS else 100 - less
        framed = [x.at(i, j - 1, k) if 1 <= j < 5 and k < 5 else edge
                  for i, j, k in indices((3, 6, 7))]
        case.expect(case.op("pad", "framed", [x], Tensor(dtype, (3, 6, 7), framed),
                            pads=(0, 1, 0, 0, 1, 2), mode=0, value=Bits(encoded([edge], dtype))))
        case.expect(case.op("pad", "reflected", [x], picked(x, 2, [2, 1, 0, 1, 2, 3, 4, 3]),
                            pads=(0, 0, 2, 0, 0, 1), mode=1),
                    case.op("pad", "edged", [x], picked(x, 1, [0, 0, 1, 2, 3]),
                            pads=(0, 1, 0, 0, 0, 0), mode=2),
                    case.op("pad", "wrapped", [x], picked(x, 2, [3, 4, 0, 1, 2, 3, 4, 0]),
                            pads=(0, 0, 2, 0, 0, 1), mode=3))
        where = case.data("where", "i32", (4,), [3, 0, -1, 1])
        case.expect(case.op("gather", "gathered", [x, where], picked(x, 1, [3, 0, 3, 1]), axis=1))
        table = case.slice("table", case.line("rows", dtype, (7, 6), 1, 1, 61, less), (0, 7, 1),
                           (5, 6, -1))
        tokens = case.data("tokens", "i64", (2, 3), [6, 0, 2, 2, 5, 1])
        looked = [v for token in tokens.storage for v in along(table, 1, (token, 0))]
        case.expect(case.op("embedding", "looked", [table, tokens],
                            Tensor(dtype, (2, 3, 6), looked)))
        places = case.data("places", "i64", (3, 2, 5), [i * 7 % 4 for i in range(30)])
        made = [x.at(i, places.at(i, j, k), k) for i, j, k in indices((3, 2, 5))]
        case.expect(case.op("gather_elements", "elements", [x, places],
                            Tensor(dtype, (3, 2, 5), made), axis=1))
        scattered = x.packed()
        added = x.packed()
        for i, j, k in indices((3, 2, 5)):
            at = i * 20 + places.at(i, j, k) * 5 + k
            value = other.at(i, j, k)
            scattered.storage[at] = value
            if dtype in INTEGERS:
                added.storage[at] = wrapped(added.storage[at] + value, dtype)
        case.expect(case.op("scatter", "scattered", [x, places, other], scattered, axis=1, mode=0))
        if dtype in INTEGERS:
            case.expect(case.op("scatter", "added", [x, places, other], added, axis=1, mode=1))
        painted = case.op("copy", "painted", [x], x.packed())
        case.fill(case.slice("part", painted, (2, 2, -2), (1, 2, 2), (0, 5, 1)), edge)
        case.expect(painted)
        case.fill(case.slice("nothing", painted, (0, 0, 1), (0, 4, 1), (0, 5, 1)), edge)
        case.expect(painted)
        case.fill(painted, x.at(0, 0, 1))
        case.expect(painted)
        nearest = picked(picked(x, 1, [j * 4 // 8 for j in range(8)]), 2,
                         [0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
        case.expect(case.op("resize", "resized", [x], nearest, shape=(3, 8, 10), mode=0,
                            coordinates=0))
        yield case


def random_cases():
    case = Case("random")
    for dtype in DTYPES:
        case.expect(case.random("all-" + dtype, dtype, (3, 7), 1234567890123, 5))
        if dtype != "bool":
            low = 0 if dtype[0] == "u" else -4
            case.expect(case.random("some-" + dtype, dtype, (11,), 42, 2 ** 33, low=low, high=12))
    yield case


def turned(x, angles, places, pairs, interleaved, back=False):
    """Pairs of x [batch, heads, tokens, size] by the rows `places` of cosines and sines. Each
    product and each sum is rounded by itself."""
    wide = "f64" if x.dtype == "f64" else "f32"
    made = x.packed()

    def less(a, b, c, d):
        products = [rounded(Fraction(u) * Fraction(v), wide) for u, v in ((a, b), (c, d))]
        return rounded(Fraction(products[0]) - Fraction(products[1]), wide)
    for b, h, t in indices(x.shape[:3]):
        for i in range(pairs):
            one, two = (2 * i, 2 * i + 1) if interleaved else (i, i + pairs)
            c, s = (table.at(*places(b, t), i) for table in angles)
            s = -s if back else s
            u, v = x.at(b, h, t, one), x.at(b, h, t, two)
            row = ((b * x.shape[1] + h) * x.shape[2] + t) * x.shape[3]
            made.storage[row + one] = less(u, c, v, s)
            made.storage[row + two] = less(v, c, -u, s)
    return made


def rotary_cases():
    for dtype in FLOATS:
        case = Case("rotary-" + dtype)
        caches = "f64" if dtype == "f64" else "f32"

        def numbers(name, shape, step):
            values = [rounded(Fraction(step * i % 155 - 77, 77), caches)
                      for i in range(math.prod(shape))]
            return case.data(name, caches, shape, values)
        x = case.permute("x", case.line("rows", dtype, (2, 3, 2, 6), 1, 7, 61, 30, 3), 0, 2, 1, 3)
        cosines, sines = numbers("cosines", (5, 3), 31), numbers("sines", (5, 3), 47)
        ids = case.data("ids", "i64", (2, 3), [0, 4, 2, 1, 1, 3])
        for interleaved in (0, 1):
            made = turned(x, (cosines, sines), lambda b, t: (ids.at(b, t),), 3, interleaved)
            case.expect(case.op("rotary_embedding", "placed-%d" % interleaved,
                                [x, cosines, sines], made, position_ids=ids,
                                interleaved=interleaved))
        each, more = numbers("each", (2, 3, 2), 13), numbers("more", (2, 3, 2), 17)
        made = turned(x, (each, more), lambda b, t: (b, t), 2, 0, True)
        flat = [made.at(b, h, t, i) for b, t, h, i in indices((2, 3, 2, 6))]
        beside = case.line("beside", dtype, (2, 3, 12), 1, 7, 61, 30, 3)
        case.expect(case.op("rotary_embedding", "part", [beside, each, more],
                            Tensor(dtype, (2, 3, 12), flat), num_heads=2, rotary_embedding_dim=4,
                            inverse=1))
        yield case


def bool_cases():
    case = Case("booleans")
    a = case.line("a", "bool", (2, 6), 0, 1, 3, 1)
    b = case.line("b", "bool", (6,), 0, 1, 2)
    for name, function in {"And": lambda x, y: x and y, "Or": lambda x, y: x or y,
                           "Xor": lambda x, y: x != y, "Equal": lambda x, y: x == y}.items():
        case.expect(case.op("elementwise", name.lower(), [a, b],
                            elementwise(function, [a, b], "bool"), op=name))
    case.expect(case.op("elementwise", "not", [a], elementwise(lambda x: not x, [a], "bool"),
                        op="Not"))
    rows = [along(a, 1, (row, 0)) for row in range(2)]
    case.expect(case.op("reduce", "any", [a], Tensor("bool", (2,), [any(r) for r in rows]),
                        kind=13, axes=[1]),
                case.op("reduce", "all", [a], Tensor("bool", (2,), [all(r) for r in rows]), kind=14,
                        axes=[1]),
                case.op("reduce", "sum", [a], Tensor("i64", (2, 1), [sum(r) for r in rows]), kind=1,
                        axes=[1], keepdims=1))
    x = case.line("x", "i32", (3, 4), 1, 1, 100)
    bias = case.line("bias", "i32", (3,), 10, 10, 100)
    made = Tensor("i32", (3, 4), [x.at(i, j) + bias.at(i) for i, j in indices((3, 4))])
    case.expect(case.op("bias_add", "biased", [x, bias], made, axis=0))
    mixed = case.line("mixed", "u8", (4,), 250, 1, 256)
    made = elementwise(lambda i, u: i * u, [x, mixed], "i32")
    case.expect(case.op("expression", "promoted", [x, mixed], made, text="v0*v1"))
    assert common_shape([x, mixed]) == (3, 4)
    empty = case.line("empty", "f32", (0, 3))
    case.expect(empty, case.op("reduce", "nothing", [empty], Tensor("f32", (3,), [0.0] * 3), kind=1,
                               axes=[0]))
    scalar = case.line("scalar", "i32", (), 41, 0, 100)
    case.expect(case.op("expression", "rank0", [scalar], Tensor("i32", (), [42]), text="v0+1"))
    yield case


def all_cases():
    for make in (cast_cases, integer_cases, float_cases, order_cases, move_cases, random_cases,
                 rotary_cases, bool_cases):
        yield from make()
