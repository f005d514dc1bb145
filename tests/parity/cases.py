"""How a vector is written down, and the ops in double precision with the bounds of netcl.h."""

import math

from reference import (FLOATS, Tensor, cast, encoded, elementwise, along, indices, lines_of,
                       random_element, rounded, ulp)

# Compilers of OpenCL take their time: cases of other dtypes are marked "full", and run on OpenCL
# devices with --full only.
QUICK = {"cast": ("f16", "f32", "i64", "nan"), "integers": ("i32", "i64", "u8"),
         "floats": ("f16", "f32"), "order": ("f32", "u8"), "functions": ("f16", "f32"),
         "conv2d": ("f16", "f32"), "rows": ("bf16", "f32", "long"), "batchnorm": ("f32", "f64"),
         "quantization": ("f32", "dynamic", "products")}
EPSILON = {"f16": 2.0 ** -23, "bf16": 2.0 ** -23, "f32": 2.0 ** -23, "f64": 2.0 ** -52}


class Bits(bytes):
    """The bytes of an element, which are written in hexadecimal."""


def text_of(value):
    if isinstance(value, Bits):
        return value.hex()
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, (list, tuple)):
        return ",".join(text_of(entry) for entry in value)
    return repr(value) if isinstance(value, float) else str(value)


class Case:
    """One case of the file: the lines, and the tensors that they make by name."""

    def __init__(self, name):
        kind, _, dtype = name.partition("-")
        mark = " full" if kind in QUICK and dtype not in QUICK[kind] else ""
        self.name, self.lines, self.names, self.outputs = name, ["case " + name + mark], {}, {}

    def emit(self, verb, out, inputs, options):
        inputs = ",".join(self.names[id(t)] for t in inputs) or "-"
        words = [verb, out, inputs]
        for key, value in options.items():
            if isinstance(value, Tensor):
                value = self.names[id(value)]
            if value is not None:
                words.append(key + "=" + text_of(value))
        self.lines.append(" ".join(words))

    def keep(self, name, tensor):
        self.names[id(tensor)] = name
        tensor.name = name
        return tensor

    def data(self, name, dtype, shape, values):
        tensor = self.keep(name, Tensor(dtype, shape, list(values)))
        bits = encoded(tensor.storage, dtype).hex()
        self.emit("data", name, [], {"dtype": dtype, "shape": shape, "bits": bits})
        return tensor

    def line(self, name, dtype, shape, first=0, step=1, modulus=1, less=0, shift=0):
        """Element i is ((first + step i) mod modulus - less) / 2^shift."""
        count = math.prod(shape)
        numbers = [(first + step * i) % modulus - less for i in range(count)]
        if dtype in FLOATS:
            values = [rounded(n / 2 ** shift, dtype) for n in numbers]
            assert all(v * 2 ** shift == n for v, n in zip(values, numbers)), name
        else:
            values = [cast(n, "i64", dtype) for n in numbers]
        self.emit("data", name, [], {"dtype": dtype, "shape": shape,
                                     "line": [first, step, modulus, less, shift]})
        return self.keep(name, Tensor(dtype, shape, values))

    def random(self, name, dtype, shape, seed, offset=0, **limits):
        options = {"dtype": dtype, "shape": shape, "seed": seed, "offset": offset}
        options.update({key: float(value) for key, value in limits.items()})
        self.emit("random", name, [], options)
        values = [random_element(dtype, seed, offset + i, **limits)
                  for i in range(math.prod(shape))]
        return self.keep(name, Tensor(dtype, shape, values))

    def fill(self, tensor, value):
        """Writes one value to a tensor; there is no result."""
        tensor.write([value] * len(tensor.values()))
        self.lines.append("fill - %s value=%s" % (self.names[id(tensor)],
                                                  encoded([value], tensor.dtype).hex()))

    def slice(self, name, of, *ranges):
        numbers = [number for entry in ranges for number in entry]
        self.emit("slice", name, [of], {"ranges": numbers})
        return self.keep(name, of.slice(ranges))

    def permute(self, name, of, *axes):
        self.emit("permute", name, [of], {"axes": axes})
        return self.keep(name, of.permute(axes))

    def broadcast(self, name, of, *shape):
        self.emit("broadcast", name, [of], {"shape": shape})
        return self.keep(name, of.broadcast(shape))

    def view(self, name, of, shape, strides, offset):
        self.emit("view", name, [of], {"shape": shape, "strides": strides, "offset": offset})
        return self.keep(name, Tensor(of.dtype, shape, of.storage, strides, of.offset + offset))

    def op(self, verb, name, inputs, result, **options):
        """An op whose result, computed by the caller, is rounded to its dtype here."""
        values = result.values()
        if result.dtype in FLOATS and result.bounds is not None:
            half = 0.5 if result.dtype in ("f16", "bf16") else 0.0
            result.bounds = [bound + half * ulp(abs(value) + bound, result.dtype)
                             for value, bound in zip(values, result.bounds)]
        elif result.dtype in FLOATS:
            values = [rounded(value, result.dtype) for value in values]
        into = options.get("into")
        bounds = result.bounds
        if into is None:
            made = Tensor(result.dtype, result.shape, values)
        else:
            assert into.shape == result.shape and into.dtype == result.dtype
            into.write(values)
            made = Tensor(into.dtype, into.shape, into.storage, into.strides, into.offset)
        made.bounds = bounds
        self.emit(verb, name, inputs, options)
        return self.keep(name, made)

    def expressions(self, name, inputs, texts, results):
        """One call of several expressions, whose results are rounded to their dtypes here."""
        self.emit("expressions", ",".join(name + str(k) for k in range(len(texts))), inputs,
                  {"texts": ";".join(texts)})
        made = []
        for k, result in enumerate(results):
            values = result.values()
            if result.dtype in FLOATS:
                values = [rounded(value, result.dtype) for value in values]
            made.append(self.keep(name + str(k), Tensor(result.dtype, result.shape, values)))
        return made

    def expect(self, *tensors):
        """The bits have to be these ones; where the tensor has bounds, within them."""
        for tensor in tensors:
            exact = tensor.bounds is None
            bits = encoded(tensor.values(), tensor.dtype).hex() if exact else None
            self.lines.append("result %s -%s" % (tensor.name, " bits=" + bits if exact else ""))
            self.outputs[tensor.name] = tensor


# ---- Ops whose results have bounds ---------------------------------------------------------------

def within(tensor, bounds):
    tensor.bounds = bounds
    return tensor


def functions(function, ulps, x, dtype=None):
    """An elementwise function, whose error is counted in ULP of the result in f32 or f64."""
    dtype = dtype or x.dtype
    result = elementwise(function, [x], dtype)
    computed = "f64" if dtype == "f64" else "f32"
    return within(result, [ulps * ulp(value, computed) for value in result.storage])


def matmul(a, b, dtype=None, alpha=1.0, beta=0.0, into=None, bias=None, residual=None,
           activation=None):
    rows, depth, columns = a.shape[-2], a.shape[-1], b.shape[-1]
    lead = a.shape[:-2]
    shape = lead + (rows, columns)
    b = b if len(b.shape) == len(a.shape) else b.broadcast(lead + b.shape)
    values, bounds = [], []
    for index in indices(shape):
        head, row, column = index[:-2], index[-2], index[-1]
        terms = [a.at(*head, row, k) * b.at(*head, k, column) for k in range(depth)]
        value, size = alpha * math.fsum(terms), abs(alpha) * math.fsum(map(abs, terms))
        for extra, factor in ((into, beta), (residual, 1.0),
                              (bias.broadcast(shape) if bias else None, 1.0)):
            if extra is not None and factor != 0:
                value += factor * extra.at(*index)
                size += abs(factor * extra.at(*index))
        values.append(value)
        bounds.append(2 * (depth + 3) * EPSILON[a.dtype] * size)
    return activated(within(Tensor(dtype or a.dtype, shape, values), bounds), activation)


def activated(tensor, function):
    """An activation of slope at most 1.2 and an error of at most 24 ULP."""
    if function is None:
        return tensor
    values = [function(value) for value in tensor.storage]
    bounds = [1.2 * bound + 24 * EPSILON[tensor.dtype] * abs(value)
              for value, bound in zip(values, tensor.bounds)]
    return within(Tensor(tensor.dtype, tensor.shape, values), bounds)


def conv2d(x, w, strides=(1, 1), dilations=(1, 1), padding=(0, 0, 0, 0), groups=1, bias=None,
           activation=None):
    batch, channels, height, width = x.shape
    filters, depth, kh, kw = w.shape
    oh = (height + padding[0] + padding[2] - dilations[0] * (kh - 1) - 1) // strides[0] + 1
    ow = (width + padding[1] + padding[3] - dilations[1] * (kw - 1) - 1) // strides[1] + 1
    values, bounds, largest = [], [], max(map(abs, x.values()))
    for n, f, i, j in indices((batch, filters, oh, ow)):
        terms, weight = [], 0.0
        for c, di, dj in indices((depth, kh, kw)):
            row = i * strides[0] - padding[0] + di * dilations[0]
            column = j * strides[1] - padding[1] + dj * dilations[1]
            weight += abs(w.at(f, c, di, dj))
            if 0 <= row < height and 0 <= column < width:
                channel = f // (filters // groups) * depth + c
                terms.append(x.at(n, channel, row, column) * w.at(f, c, di, dj))
        extra = bias.at(f) if bias else 0.0
        values.append(math.fsum(terms) + extra)
        count = depth * kh * kw
        # Whatever variant is chosen: the bound of Winograd F(4, 3) where it could be.
        winograd = (kh, kw) == (3, 3) and strides == dilations == (1, 1) and groups == 1
        bound = (128 * EPSILON[x.dtype] * largest * weight * math.sqrt(count) if winograd
                 else 2 * count * EPSILON[x.dtype] * math.fsum(map(abs, terms)))
        bounds.append(bound + 2 * EPSILON[x.dtype] * (abs(extra) + abs(values[-1])))
    result = within(Tensor(x.dtype, (batch, filters, oh, ow), values), bounds)
    return activated(result, activation)


def sums(x, axis, kind, dtype=None):
    """Reductions of floats along one axis: sum, mean, l2 and log_sum_exp."""
    values, bounds = [], []
    for index in lines_of(x, axis):
        row = along(x, axis, index)
        count, eps = len(row), EPSILON[x.dtype]
        error = (math.log2(count) + 64) * eps
        total, size = math.fsum(row), math.fsum(map(abs, row))
        if kind == "mean":
            total, size = total / count, size / count
        elif kind == "l2":
            total = size = math.sqrt(math.fsum(value * value for value in row))
        elif kind == "log_sum_exp":
            most = max(row)
            total = most + math.log(math.fsum(math.exp(value - most) for value in row))
            size = 1 + abs(most) + max(abs(value - most) for value in row)
        values.append(total)
        bounds.append(error * size)
    axis %= len(x.shape)
    return within(Tensor(dtype or x.dtype, x.shape[:axis] + x.shape[axis + 1:], values), bounds)


def row_function(x, axis, function):
    """A tensor as x whose lines along an axis are function(line), a list of (value, bound)."""
    result = Tensor(x.dtype, x.shape, [0.0] * math.prod(x.shape))
    result.bounds = [0.0] * len(result.storage)
    shape = [1] * len(x.shape)
    for index in lines_of(x, axis):
        start = sum(i * s for i, s in zip(index, result.strides))
        for at, (value, bound) in enumerate(function(along(x, axis, index), index)):
            place = start + at * result.strides[axis % len(shape)]
            result.storage[place], result.bounds[place] = value, bound
    return result


def softmax(x, axis, logarithm=False):
    eps = EPSILON[x.dtype]

    def line(row, _):
        most = max(row)
        powers = [math.exp(value - most) for value in row]
        total, n = math.fsum(powers), len(row)
        if logarithm:
            return [(v - most - math.log(total), 8 * eps * (abs(v - most) + math.log(n) + 1))
                    for v in row]
        return [(p / total, p / total * eps * (8 + math.log2(n) + 2 * abs(v - most)))
                for p, v in zip(powers, row)]
    return row_function(x, axis, line)


def norm(x, scale, bias, epsilon=1e-5, root_mean_square=False):
    """Layernorm or rmsnorm over the last axis."""
    eps = EPSILON[x.dtype]

    def line(row, _):
        n, error = len(row), (32 + math.log2(len(row))) * eps
        mean = 0.0 if root_mean_square else math.fsum(row) / n
        deviation = math.sqrt(math.fsum((v - mean) ** 2 for v in row) / n + epsilon)
        found = []
        for at, value in enumerate(row):
            s, b = (scale.at(at) if scale else 1.0), (bias.at(at) if bias else 0.0)
            y = (value - mean) / deviation * s
            spread = 0.0 if root_mean_square else abs(s) * max(map(abs, row)) / deviation
            found.append((y + b, error * (abs(y) + spread) + eps * abs(y + b)))
        return found
    return row_function(x, -1, line)


def batchnorm(x, mean, variance, scale, bias, epsilon=1e-5, activation=None):
    eps = EPSILON[x.dtype]
    values, bounds = [], []
    for index in indices(x.shape):
        c, value = index[1], x.at(*index)
        deviation = math.sqrt(variance[c] + epsilon)
        y = (value - mean[c]) / deviation * scale.at(c)
        most = max(abs(value), abs(mean[c]), 1.0)
        values.append(y + bias.at(c))
        bounds.append(48 * eps * (abs(y) + abs(scale.at(c)) * most / deviation + abs(bias.at(c))))
    return activated(within(Tensor(x.dtype, x.shape, values), bounds), activation)
