"""Gradients of scalars: numbers that remember what they were made of.

A Node is one element of a tensor. Its value is a Fraction, where results are exact, or a float. Ops
are written with nodes as they are with numbers; nothing here knows a formula of a gradient, but
those of the four operations and of a few functions.
"""

import math
from fractions import Fraction

from reference import Tensor, along, indices, lines_of


class Node:
    made = []  # All nodes of a case, each after those that it was made of.

    def __init__(self, value, *parents):
        self.value, self.parents = value, parents  # Pairs of a node and the derivative.
        self.adjoint, self.size = 0, 0.0
        Node.made.append(self)

    def __add__(self, other):
        other = node(other)
        return Node(self.value + other.value, (self, 1), (other, 1))

    def __mul__(self, other):
        other = node(other)
        return Node(self.value * other.value, (self, other.value), (other, self.value))

    def __truediv__(self, other):
        other = node(other)
        quotient = self.value / other.value
        return Node(quotient, (self, 1 / other.value), (other, -quotient / other.value))

    def __neg__(self):
        return Node(-self.value, (self, -1))

    def __sub__(self, other):
        return self + -node(other)

    __radd__, __rmul__ = __add__, __mul__

    def through(self, value, derivative):
        """A function of this node alone."""
        return Node(value, (self, derivative))


def node(value):
    return value if isinstance(value, Node) else Node(value)


def exp(x):
    return x.through(math.exp(x.value), math.exp(x.value))


def log(x):
    return x.through(math.log(x.value), 1 / x.value)


def sqrt(x):
    return x.through(math.sqrt(x.value), 0.5 / math.sqrt(x.value))


def tanh(x):
    y = math.tanh(x.value)
    return x.through(y, 1 - y * y)


def gelu(x):
    half = math.erfc(-x.value / math.sqrt(2)) / 2
    bell = math.exp(-x.value * x.value / 2) / math.sqrt(2 * math.pi)
    return x.through(x.value * half, half + x.value * bell)


def relu(x):
    return x if x.value > 0 else Node(0 * x.value)


def total(nodes):
    nodes = list(nodes)
    return Node(math.fsum(n.value for n in nodes) if isinstance(nodes[0].value, float) else
                sum(n.value for n in nodes), *[(n, 1) for n in nodes])


def product(nodes):
    made = nodes[0]
    for one in nodes[1:]:
        made = made * one
    return made


def largest(nodes):
    """The maximum, whose gradient equal elements share."""
    most = max(n.value for n in nodes)
    equal = [n for n in nodes if n.value == most]
    return Node(most, *[(n, Fraction(1, len(equal))) for n in equal])


def backward(outputs, seeds):
    """Adjoints of all nodes, and the sum of the sizes of what they are made of."""
    for one in Node.made:
        one.adjoint, one.size = 0, 0.0
    for one, seed in zip(outputs, seeds):
        one.adjoint += seed
        one.size += abs(float(seed))
    for one in reversed(Node.made):
        if one.size == 0:
            continue
        for parent, derivative in one.parents:
            parent.adjoint += one.adjoint * derivative
            parent.size += one.size * abs(float(derivative))


# ---- Ops on tensors whose elements are nodes -----------------------------------------------------

def each(function, *tensors):
    """An elementwise op over the shape of the first tensor."""
    shape = tensors[0].shape
    columns = [t.broadcast(shape).values() for t in tensors]
    return Tensor(tensors[0].dtype, shape, [function(*row) for row in zip(*columns)])


def matmul(a, b):
    (rows, depth), columns = a.shape, b.shape[1]
    return Tensor(a.dtype, (rows, columns),
                  [total(a.at(i, k) * b.at(k, j) for k in range(depth))
                   for i, j in indices((rows, columns))])


def conv2d(x, w, bias, strides, dilations, padding, groups):
    batch, _, height, width = x.shape
    filters, depth, kh, kw = w.shape
    oh = (height + padding[0] + padding[2] - dilations[0] * (kh - 1) - 1) // strides[0] + 1
    ow = (width + padding[1] + padding[3] - dilations[1] * (kw - 1) - 1) // strides[1] + 1
    made = []
    for n, f, i, j in indices((batch, filters, oh, ow)):
        terms = [bias.at(f)]
        for c, di, dj in indices((depth, kh, kw)):
            row = i * strides[0] - padding[0] + di * dilations[0]
            column = j * strides[1] - padding[1] + dj * dilations[1]
            if 0 <= row < height and 0 <= column < width:
                channel = f // (filters // groups) * depth + c
                terms.append(x.at(n, channel, row, column) * w.at(f, c, di, dj))
        made.append(total(terms))
    return Tensor(x.dtype, (batch, filters, oh, ow), made)


def reduced(function, x, axis):
    axis %= len(x.shape)
    return Tensor(x.dtype, x.shape[:axis] + x.shape[axis + 1:],
                  [function(along(x, axis, index)) for index in lines_of(x, axis)])


def lines(function, x, axis):
    """A tensor as x, whose lines along an axis are function(line)."""
    axis %= len(x.shape)
    made = Tensor(x.dtype, x.shape, [None] * math.prod(x.shape))
    for index in lines_of(x, axis):
        start = sum(i * s for i, s in zip(index, made.strides))
        for at, one in enumerate(function(along(x, axis, index))):
            made.storage[start + at * made.strides[axis]] = one
    return made


def log_softmax(row):
    most = max(n.value for n in row)
    logarithm = log(total(exp(n - most) for n in row)) + most
    return [n - logarithm for n in row]


def normalised(values, epsilon, root_mean_square=False):
    """(x - mean) / deviation, or x / root mean square."""
    count = float(len(values))
    if not root_mean_square:
        mean = total(values) / count
        values = [n - mean for n in values]
    deviation = sqrt(total(n * n for n in values) / count + epsilon)
    return [n / deviation for n in values]
