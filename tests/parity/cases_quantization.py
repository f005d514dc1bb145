"""Cases of quantisation, in fractions with the roundings that netcl.h names."""

import math
from fractions import Fraction

from cases import Case
from reference import Tensor, indices, limits, rounded


def saturated(whole, zero_point, dtype):
    low, high = limits(dtype)
    return min(max(whole + zero_point, low), high)


def quantized(x, scale, zero_point, precision, dtype):
    if math.isnan(x):
        return limits(dtype)[0]
    if math.isinf(x):
        return limits(dtype)[1 if x > 0 else 0]
    quotient = rounded(rounded(Fraction(x) / Fraction(scale), "f32"), precision)
    return saturated(round(Fraction(quotient)), zero_point, dtype)  # halves to even


def requantized(total, left, right, y_scale, zero_point, dtype):
    both = rounded(Fraction(left) * Fraction(right), "f32")
    factor = rounded(Fraction(both) / Fraction(y_scale), "f32")
    real = rounded(Fraction(rounded(total, "f32")) * Fraction(factor), "f32")
    return saturated(round(Fraction(real)), zero_point, dtype)


def grain(scale, index, axis, block):
    if axis is None:
        return scale.at()
    if block == 0:
        return scale.at(index[axis])
    return scale.at(*index[:axis], index[axis] // block, *index[axis + 1:])


def linear_cases():
    for dtype in ("f32", "f16", "bf16"):
        case = Case("quantization-" + dtype)
        x = case.line("x", dtype, (4, 7), first=5, step=37, modulus=251, less=125, shift=2)
        forms = (("all", (), None, 0), ("axis", (4,), 0, 0), ("blocks", (4, 3), 1, 3))
        for target in ("i8", "u8", "i16", "u16"):
            for name, shape, axis, block in forms:
                name += "-" + target
                scale = case.line("s-" + name, dtype, shape, 3, 5, 13, -1, 3)
                zero = case.line("z-" + name, target, shape, 2, 3, 11)
                parts = [(x.at(*index), grain(scale, index, axis, block),
                          grain(zero, index, axis, block)) for index in indices((4, 7))]
                options = {"axis": axis or 0, "block_size": block, "zero_point": zero}
                made = Tensor(target, (4, 7), [quantized(*part, dtype, target) for part in parts])
                made = case.op("quantize_linear", "q-" + name, [x, scale], made, **options)
                back = Tensor(dtype, (4, 7), [
                    rounded(Fraction(q - z) * Fraction(s), "f32")
                    for q, (_, s, z) in zip(made.values(), parts)])
                case.expect(made, case.op("dequantize_linear", "d-" + name, [made, scale], back,
                                          **options))
        yield case


def dynamic_case():
    case = Case("quantization-dynamic")
    for name, first, less in (("both", 5, 100), ("positive", 9, -3), ("negative", 2, 300)):
        x = case.line("x-" + name, "f32", (3, 11), first, 29, 241, less, 4)
        low, high = min(min(x.values()), 0.0), max(max(x.values()), 0.0)
        scale = rounded(Fraction(high - low) / 255, "f32")
        steps = rounded(Fraction(low) / Fraction(scale), "f32")
        zero = saturated(round(Fraction(-steps)), 0, "u8")
        made = Tensor("u8", (3, 11), [quantized(v, scale, zero, "f32", "u8") for v in x.values()])
        names = "q-%s,s-%s,z-%s" % (name, name, name)
        made = case.op("dynamic_quantize_linear", names, [x], made)
        made.name = "q-" + name
        case.expect(made, case.keep("s-" + name, Tensor("f32", (), [scale])),
                    case.keep("z-" + name, Tensor("u8", (), [zero])))
    yield case


def product_case():
    case = Case("quantization-products")
    for left in ("i8", "u8"):
        for right in ("i8", "u8"):
            name = "%s-%s" % (left, right)
            a = case.line("a-" + name, left, (3, 5), 7, 41, 120, 0)
            b = case.line("b-" + name, right, (5, 4), 3, 23, 125, 0)
            scales = (case.line("as-" + name, "f32", (3,), 3, 5, 13, -1, 3),
                      case.line("bs-" + name, "f32", (4,), 2, 7, 13, -1, 3),
                      case.line("ys-" + name, "f32", (), 977, 0, 1000, 0, 2))
            zeros = (case.line("az-" + name, left, (), 9, 0, 20),
                     case.line("bz-" + name, right, (4,), 2, 3, 20),
                     case.line("yz-" + name, left, (), 11, 0, 20))
            made = Tensor(left, (3, 4), [
                requantized(sum((a.at(m, k) - zeros[0].at()) * (b.at(k, n) - zeros[1].at(n))
                                for k in range(5)), scales[0].at(m), scales[1].at(n),
                            scales[2].at(), zeros[2].at(), left)
                for m, n in indices((3, 4))])
            case.expect(case.op("qlinear_matmul", "y-" + name,
                                [a, scales[0], b, scales[1], scales[2]], made,
                                a_zero_point=zeros[0], b_zero_point=zeros[1],
                                y_zero_point=zeros[2]))
    yield case


def all_cases():
    for make in (linear_cases, dynamic_case, product_case):
        yield from make()
