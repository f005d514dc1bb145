"""Numbers and tensors as netcl.h defines them, in exact and double precision arithmetic of Python.

Nothing here knows the library: what it computes is what the library is compared with.
"""

import math
import struct
from fractions import Fraction

# Significant bits, lowest exponent of a normal number, highest exponent.
FLOATS = {"f16": (11, -14, 15), "bf16": (8, -126, 127), "f32": (24, -126, 127),
          "f64": (53, -1022, 1023)}
INTEGERS = {"i8": (8, True), "i16": (16, True), "i32": (32, True), "i64": (64, True),
            "u8": (8, False), "u16": (16, False), "u32": (32, False), "u64": (64, False)}
CODES = {"f16": "e", "f32": "f", "f64": "d", "i8": "b", "i16": "h", "i32": "i", "i64": "q",
         "u8": "B", "u16": "H", "u32": "I", "u64": "Q", "bool": "?"}
DTYPES = ["f16", "bf16", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bool"]


def rounded(value, dtype):
    """The nearest number of a float dtype, ties to even, of a float, an integer or a Fraction."""
    if isinstance(value, float) and (math.isnan(value) or math.isinf(value) or value == 0):
        return value
    exact = Fraction(value)
    if exact == 0:
        return 0.0
    bits, lowest, highest = FLOATS[dtype]
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    step = Fraction(2) ** (max(exponent, lowest) - bits + 1)
    nearest = round(size / step) * step  # Fractions round halves to even.
    result = math.inf if nearest >= Fraction(2) ** (highest + 1) else float(nearest)
    return math.copysign(result, -1.0 if exact < 0 else 1.0)


def wrapped(value, dtype):
    """An integer modulo 2^n."""
    bits, signed = INTEGERS[dtype]
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def limits(dtype):
    bits, signed = INTEGERS[dtype]
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)


def cast(value, source, target):
    if target == "bool":
        return bool(value != 0)
    if target in FLOATS:
        return rounded(value if source in FLOATS else int(value), target)
    if source not in FLOATS:
        return wrapped(int(value), target)
    if math.isnan(value):
        return 0
    low, high = limits(target)
    return low if value <= low else high if value >= high else int(value)


def encoded(values, dtype):
    """The bytes of elements, little-endian."""
    if dtype == "bf16":
        return b"".join(struct.pack("<f", value)[2:] for value in values)
    return struct.pack("<%d%s" % (len(values), CODES[dtype]), *values)


def decoded(data, dtype):
    if dtype == "bf16":
        parts = [b"\0\0" + data[at:at + 2] for at in range(0, len(data), 2)]
        return [struct.unpack("<f", part)[0] for part in parts]
    size = struct.calcsize(CODES[dtype])
    return list(struct.unpack("<%d%s" % (len(data) // size, CODES[dtype]), data))


def ulp(value, dtype):
    """The distance of numbers of a float dtype around a value."""
    bits, lowest, _ = FLOATS[dtype]
    exponent = math.frexp(value)[1] - 1 if value != 0 else lowest
    return 2.0 ** (max(exponent, lowest) - bits + 1)


def strides_of(shape):
    strides, step = [], 1
    for extent in reversed(shape):
        strides.insert(0, step)
        step *= extent
    return strides


class Tensor:
    """A view of a list. Elements are Python's numbers, always exactly of the dtype."""

    def __init__(self, dtype, shape, values, strides=None, offset=0):
        self.dtype, self.shape, self.storage = dtype, tuple(shape), values
        self.strides = strides_of(shape) if strides is None else list(strides)
        self.offset = offset
        self.bounds = None  # How far elements may be from those of the library.

    def places(self):
        places = [self.offset]
        for extent, stride in zip(self.shape, self.strides):
            places = [place + i * stride for place in places for i in range(extent)]
        return places

    def values(self):
        return [self.storage[place] for place in self.places()]

    def write(self, values):
        for place, value in zip(self.places(), values):
            self.storage[place] = value

    def slice(self, ranges):
        offset = self.offset + sum(r[0] * s for r, s in zip(ranges, self.strides))
        return Tensor(self.dtype, [r[1] for r in ranges], self.storage,
                      [r[2] * s for r, s in zip(ranges, self.strides)], offset)

    def permute(self, axes):
        return Tensor(self.dtype, [self.shape[a] for a in axes], self.storage,
                      [self.strides[a] for a in axes], self.offset)

    def broadcast(self, shape):
        lead = len(shape) - len(self.shape)
        strides = [0] * lead + [0 if have == 1 else stride
                                for have, stride in zip(self.shape, self.strides)]
        return Tensor(self.dtype, shape, self.storage, strides, self.offset)

    def packed(self):
        return Tensor(self.dtype, self.shape, self.values())

    def at(self, *index):
        return self.storage[self.offset + sum(i * s for i, s in zip(index, self.strides))]


def indices(shape):
    """All indices of a shape in C order."""
    if not shape:
        yield ()
        return
    for first in range(shape[0]):
        for rest in indices(shape[1:]):
            yield (first,) + rest


def common_shape(tensors):
    rank = max(len(t.shape) for t in tensors)
    shapes = [(1,) * (rank - len(t.shape)) + t.shape for t in tensors]
    return tuple(max(s[axis] for s in shapes) for axis in range(rank))


def elementwise(function, tensors, dtype):
    """A tensor of function(elements), not rounded, over the common shape of the tensors."""
    shape = common_shape(tensors)
    columns = [t.broadcast(shape).values() for t in tensors]
    return Tensor(dtype, shape, [function(*row) for row in zip(*columns)])


def lines_of(tensor, axis):
    """The index of the first element of each line along an axis, in C order."""
    axis %= len(tensor.shape)
    shape = tensor.shape[:axis] + (1,) + tensor.shape[axis + 1:]
    return list(indices(shape))


def along(tensor, axis, index):
    axis %= len(tensor.shape)
    return [tensor.at(*index[:axis], i, *index[axis + 1:]) for i in range(tensor.shape[axis])]


def philox(seed, block):
    """Philox4x32-10 of Salmon, Moraes, Dror and Shaw (SC 2011): four words."""
    x = [block & 0xffffffff, block >> 32 & 0xffffffff, 0, 0]
    key = [seed & 0xffffffff, seed >> 32]
    for _ in range(10):
        p0, p1 = 0xD2511F53 * x[0], 0xCD9E8D57 * x[2]
        x = [p1 >> 32 ^ x[1] ^ key[0], p1 & 0xffffffff, p0 >> 32 ^ x[3] ^ key[1], p0 & 0xffffffff]
        key = [(key[0] + 0x9E3779B9) & 0xffffffff, (key[1] + 0xBB67AE85) & 0xffffffff]
    return x


def random_element(dtype, seed, index, low=None, high=None):
    """A uniform element, as docs/tensors.md and src/ops/random/random_core.hpp define it."""
    lanes = 2 if dtype in ("f64", "i32", "u32") else 1 if dtype in ("i64", "u64") else 4
    words, lane = philox(seed, index // lanes), index % lanes
    pairs = [words[0] | words[1] << 32, words[2] | words[3] << 32]
    if dtype in FLOATS:
        u = (Fraction(pairs[lane] >> 11, 1 << 53) if dtype == "f64"
             else Fraction(words[lane] >> 8, 1 << 24))
        low, high = Fraction(low or 0), Fraction(1 if high is None else high)
        value = rounded(low + u * (high - low), "f64" if dtype == "f64" else "f32")
        return rounded(value, dtype)
    first, end = (0, 1) if dtype == "bool" else limits(dtype)
    if low is not None:
        first, end = low, high - 1
    count = end - first + 1
    if lanes == 4:
        value = words[lane] * count >> 32
    elif lanes == 2:
        value = pairs[lane] * count >> 64
    else:
        value = (pairs[0] << 64 | pairs[1]) * count >> 128
    return bool(value) if dtype == "bool" else wrapped(first + value, dtype)
