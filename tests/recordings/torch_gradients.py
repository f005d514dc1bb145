#!/usr/bin/env python3
"""Writes torch_gradients.txt: gradients of every op that has one, by PyTorch's autograd in f64.

    torch_gradients.py

The file has the format of tests/parity/README.md; `near` are the bytes of f64 numbers that a result
is compared with. Inputs are lines of whole numbers by powers of two, so that both sides have the
same ones. It needs PyTorch; test_recorded_gradients reads the file without.
"""

import math
import os
import sys

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import torch_ops  # noqa: E402


class Case:
    """Lines of one case, and PyTorch's tensor for each name."""

    count = 0  # of inputs, of all cases: no two have the same numbers

    def __init__(self, name):
        self.lines, self.names, self.kept = ["case " + name, "record - -"], {}, []

    def keep(self, name, tensor):
        self.names[id(tensor)] = name
        self.kept.append(tensor)  # so that no other tensor gets its id
        return tensor

    def emit(self, verb, out, inputs, options):
        words = [verb, out, ",".join(self.names[id(t)] for t in inputs) or "-"]
        for key, value in options.items():
            if isinstance(value, torch.Tensor):
                value = self.names[id(value)]
            elif isinstance(value, (list, tuple)):
                value = ",".join(self.names[id(v)] if isinstance(v, torch.Tensor) else str(v)
                                 for v in value)
            if value is not None:
                words.append("%s=%s" % (key, value))
        self.lines.append(" ".join(words))

    def numbers(self, name, shape, low=-2.0, high=2.0, dtype="f64", shift=5):
        """Numbers in [low, high] that differ where there are few; they have no gradient."""
        Case.count += 1
        least, most = math.ceil(low * 2 ** shift), math.floor(high * 2 ** shift)
        modulus = most - least + 1
        step = next(s for s in range(int(modulus * 0.38) + Case.count % 7, 10 ** 6)
                    if math.gcd(s, modulus) == 1)
        count = math.prod(shape)
        values = [((Case.count * 5 + step * i) % modulus + least) / 2 ** shift
                  for i in range(count)]
        kind = {"f64": torch.float64, "i64": torch.int64, "i32": torch.int32, "bool": torch.bool}
        self.emit("data", name, [], {"dtype": dtype, "shape": shape, "line":
                                     [Case.count * 5, step, modulus, -least, shift]})
        return self.keep(name, torch.tensor(values, dtype=kind[dtype]).reshape(shape))

    def input(self, name, shape, low=-2.0, high=2.0, shift=5):
        return self.keep(name, self.numbers(name, shape, low, high, "f64",
                                            shift).requires_grad_())

    def indices(self, name, shape, low, high, dtype="i64"):
        """Whole numbers in [low, high)."""
        return self.numbers(name, shape, low, high - 1, dtype, 0)

    def turned(self, name, shape, axes, low=-2.0, high=2.0):
        """An input that lies as a permuted view, which the gradient is asked of."""
        inner = [0] * len(shape)
        for at, axis in enumerate(axes):
            inner[axis] = shape[at]
        base = self.numbers(name + "-base", inner, low, high)
        self.emit("permute", name, [base], {"axes": axes})
        return self.keep(name, base.permute(axes).clone().requires_grad_())

    def apart(self, name, shape, low=-2.0, high=2.0):
        """An input that lies backwards, with gaps."""
        base = self.numbers(name + "-base", [2 * n for n in shape], low, high)
        ranges = [number for n in shape for number in (2 * n - 1, n, -2)]
        self.emit("slice", name, [base], {"ranges": ranges})
        for axis, n in enumerate(shape):
            base = base.index_select(axis, torch.arange(2 * n - 1, -1, -2))
        return self.keep(name, base.clone().requires_grad_())

    def op(self, verb, name, inputs, made, **options):
        self.emit(verb, name, inputs, options)
        return self.keep(name, made)

    def gradients(self, outputs, of):
        """Asks for gradients with seeds, and writes down PyTorch's."""
        outputs = list(outputs)
        seeds = [self.numbers("seed%d" % at, y.shape, -1.5, 1.5)
                 for at, y in enumerate(outputs)]
        found = torch.autograd.grad(outputs, of, seeds, allow_unused=True)
        names = ["d-" + self.names[id(x)] for x in of]
        self.emit("gradients", ",".join(names), outputs, {"of": list(of), "seeds": seeds})
        for name, x, gradient in zip(names, of, found):
            gradient = torch.zeros_like(x) if gradient is None else gradient
            assert gradient.isfinite().all(), self.lines
            data = gradient.detach().contiguous().numpy().astype("<f8").tobytes()
            self.lines.append("result %s - near=%s" % (name, data.hex()))


def main():
    cases = []
    for make in torch_ops.ALL:
        cases += make(Case)
    text = "# Written by torch_gradients.py with PyTorch %s.\n" % torch.__version__.split("+")[0]
    text += "".join("\n" + "\n".join(case.lines) + "\n" for case in cases)
    with open(os.path.join(HERE, "torch_gradients.txt"), "w", encoding="ascii") as file:
        file.write(text)


if __name__ == "__main__":
    main()
