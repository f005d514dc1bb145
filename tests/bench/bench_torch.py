#!/usr/bin/env python3
"""Ops on a GPU beside PyTorch on the same GPU, in turn and in one process.

    bench_torch.py LIBNETCL [--rounds N] [--only WORD]

Both sides enqueue the same number of calls into existing results and wait for the last; the figures
are medians over rounds. A ratio is PyTorch's time by netcl's: above 1 netcl is faster. Strict
single precision on both sides (no TF32). Data is random.
"""
import argparse
import ctypes
import statistics
import time

import torch

P, I32, U32, I64, SIZE = (ctypes.c_void_p, ctypes.c_int32, ctypes.c_uint32, ctypes.c_int64,
                          ctypes.c_size_t)
F16, F32, I8, INT32, SUM, MAX, UNIFORM, NORMAL = 1, 3, 5, 7, 1, 3, 1, 2


def sized(name, *fields):
    """A struct of netcl.h: its size first, then members as they are declared there."""
    kind = type(name, (ctypes.Structure,), {"_fields_": [("struct_size", SIZE), *fields]})
    return lambda **values: kind(struct_size=ctypes.sizeof(kind), **values)


F64 = ctypes.c_double
Run = sized("Run", ("queue", P), ("into", P), ("waits", P), ("event", P), ("waits_count", U32),
            ("reserved", U32))
Matmul = sized("Matmul", ("epilogue", P), ("alpha", F64), ("beta", F64), ("dtype", I32),
               ("has_scale", U32), ("variant", I32), ("precision", I32), ("a_zero_point", P),
               ("b_zero_point", P))
Random = sized("Random", ("seed", ctypes.c_uint64), ("offset", ctypes.c_uint64),
               ("distribution", I32), ("reserved", U32), ("low", F64), ("high", F64),
               ("mean", F64), ("deviation", F64))
Conv = sized("Conv", ("epilogue", P), ("batchnorm", P), ("strides", I64 * 2),
             ("dilations", I64 * 2), ("padding", I64 * 4), ("groups", I64), ("variant", I32),
             ("winograd_tile", U32))
Reduce = sized("Reduce", ("axes", P), ("axes_count", U32), ("keepdims", U32), ("dtype", I32),
               ("variant", I32), ("select_last", U32), ("reserved", U32))
Batchnorm = sized("Batchnorm", ("scale", P), ("bias", P), ("epsilon", F64), ("momentum", F64),
                  ("alpha", F64), ("beta", F64), ("activation", I32), ("variant", I32),
                  ("training", U32), ("reserved", U32))


class Netcl:
    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        self.lib.netcl_last_error_message.restype = ctypes.c_char_p
        self.device = P()
        self.check(self.lib.netcl_device_open(b"gpu", None, ctypes.byref(self.device)))

    def check(self, status):
        if status != 0:
            raise RuntimeError(self.lib.netcl_last_error_message().decode())

    def tensor(self, *shape, dtype=F32):
        """Of numbers as torch.randn makes them, i8 of all: what a GPU draws depends on them."""
        made = P()
        random = Random(distribution=UNIFORM if dtype in (I8, INT32) else NORMAL)
        extents = (I64 * len(shape))(*shape)
        self.check(self.lib.netcl_tensor_create_random(
            self.device, dtype, len(shape), extents, None, ctypes.byref(random), None,
            ctypes.byref(made)))
        return made

    def image(self, shape, dtype, channels_last):
        """Of a shape N, C, H, W; its channels innermost in memory, or as it stands."""
        if not channels_last:
            return self.tensor(*shape, dtype=dtype)
        made, view = self.tensor(*(shape[i] for i in (0, 2, 3, 1)), dtype=dtype), P()
        self.check(self.lib.netcl_tensor_permute(made, (U32 * 4)(0, 3, 1, 2), 4,
                                                 ctypes.byref(view)))
        self.release(made)
        return view

    def release(self, *tensors):
        for tensor in tensors:
            self.lib.netcl_tensor_release(tensor)

    def finish(self):
        self.check(self.lib.netcl_device_finish(self.device, ctypes.c_uint64(2**64 - 1)))

    def call(self, name, into, *arguments, results=1):
        """A closure that enqueues one call of an op into a tensor, without further results."""
        function = getattr(self.lib, "netcl_op_" + name)
        run = Run(into=into.value)
        held = [ctypes.byref(a) if isinstance(a, ctypes.Structure) else a for a in arguments]
        held += [ctypes.byref(run)] + [None] * results

        def enqueue():
            status = function(*held)
            if status != 0:
                self.check(status)
        enqueue.keep = (run, arguments)
        return enqueue


def per_call(enqueue, finish, count):
    finish()
    start = time.perf_counter()
    for _ in range(count):
        enqueue()
    finish()
    return (time.perf_counter() - start) / count


class Table:
    def __init__(self, netcl, rounds, only):
        self.netcl, self.rounds, self.only = netcl, rounds, only

    def wants(self, name):
        return not self.only or self.only in name

    def row(self, name, ours, theirs, moved=0.0, operations=0.0):
        """Prints a line and gives the ratio; None where a side failed."""
        try:
            return self.compare(name, ours, theirs, moved, operations)
        except RuntimeError as error:
            print(f"{name:44s} {error}", flush=True)
            return None

    def compare(self, name, ours, theirs, moved, operations):
        sides = [(ours, self.netcl.finish), (theirs, torch.cuda.synchronize)]
        times = ([], [])
        estimates = [per_call(run, finish, 3) for run, finish in sides]
        estimates = [per_call(run, finish, 3) for run, finish in sides]
        counts = [max(5, min(500, int(0.03 / e))) for e in estimates]
        for _ in range(self.rounds):
            for side, (run, finish) in enumerate(sides):
                times[side].append(per_call(run, finish, counts[side]))
        mine, other = statistics.median(times[0]), statistics.median(times[1])
        rate = (f"{operations / mine * 1e-12:6.2f} TFLOP/s" if operations
                else f"{moved / mine * 1e-12:6.3f} TB/s")
        print(f"{name:44s} {mine * 1e3:9.4f} ms  PyTorch {other * 1e3:9.4f} ms  "
              f"ratio {other / mine:5.2f}  {rate}", flush=True)
        return other / mine


def products(table):
    netcl = table.netcl
    variants = {"chosen": 0, "tiled": 2, "register_tiled": 3, "vectorized": 4}
    squares = [(n, n, n) for n in (1021, 1024, 1536, 2048, 2560, 4095, 4096, 8192)]
    for m, n, k in [*squares, (512, 4096, 4096)]:
        if not table.wants("matmul"):
            continue
        a, b, c = netcl.tensor(m, k), netcl.tensor(k, n), netcl.tensor(m, n)
        x, y = torch.randn(m, k, device="cuda"), torch.randn(k, n, device="cuda")
        z = torch.empty(m, n, device="cuda")
        for name, variant in variants.items():
            if variant and n not in (1024, 8192):
                continue
            table.row(f"matmul {m}x{n}x{k} {name}",
                      netcl.call("matmul", c, a, b, Matmul(variant=variant)),
                      lambda: torch.mm(x, y, out=z), operations=2.0 * m * n * k)
        netcl.release(a, b, c)


def elementwise(table):
    netcl, n = table.netcl, 1 << 28
    if not table.wants("elementwise"):
        return
    a, b, c = (netcl.tensor(n) for _ in range(3))
    x, y, z = (torch.randn(n, device="cuda") for _ in range(3))
    pair = (P * 2)(a.value, b.value)
    torch_gelu = torch.nn.functional.gelu
    cases = [("v0 + v1", lambda: torch.add(x, y, out=z), 12.0),
             ("exp(v0)", lambda: torch.exp(x, out=z), 8.0),
             ("gelu(v0)", lambda: torch_gelu(x), 8.0),
             ("relu(v0 * v1 + 0.5) * 2 - v1",
              lambda: torch.sub(torch.relu(x * y + 0.5) * 2, y, out=z), 12.0)]
    for text, theirs, size in cases:
        count = 2 if "v1" in text else 1
        ours = netcl.call("expression_text", c, text.encode(), pair, U32(count), None)
        table.row("elementwise 2^28 " + text, ours, theirs, moved=size * n)
    netcl.release(a, b, c)


def reductions(table):
    netcl, n = table.netcl, 1 << 28
    if not table.wants("reduce"):
        return
    a, total, scanned = netcl.tensor(n), netcl.tensor(1), netcl.tensor(n)
    rows, row_sums, column_sums = (netcl.tensor(65536, 4096), netcl.tensor(65536),
                                   netcl.tensor(4096))
    x = torch.randn(n, device="cuda")
    m = x.view(65536, 4096)
    whole = Reduce(keepdims=1)
    axis = {i: (I32 * 1)(i) for i in (0, 1)}
    over = {i: Reduce(axes=ctypes.cast(axis[i], P).value, axes_count=1) for i in (0, 1)}
    table.row("reduce sum 2^28", netcl.call("reduce", total, a, I32(SUM), whole), x.sum, 4.0 * n)
    table.row("reduce max 2^28", netcl.call("reduce", total, a, I32(MAX), whole), x.max, 4.0 * n)
    table.row("reduce sum rows 65536x4096",
              netcl.call("reduce", row_sums, rows, I32(SUM), over[1]), lambda: m.sum(1), 4.0 * n)
    table.row("reduce sum columns 65536x4096",
              netcl.call("reduce", column_sums, rows, I32(SUM), over[0]), lambda: m.sum(0), 4.0 * n)
    table.row("reduce (scan) cumsum 2^28", netcl.call("scan", scanned, a, I32(SUM), I32(0), None),
              lambda: x.cumsum(0), 8.0 * n)
    table.row("reduce (scan) cumsum rows",
              netcl.call("scan", rows, rows, I32(SUM), I32(1), None), lambda: m.cumsum(1), 8.0 * n)
    netcl.release(a, total, scanned, rows, row_sums, column_sums)


def normalisations(table):
    netcl = table.netcl
    if not table.wants("norm"):
        return
    functional = torch.nn.functional
    for height, width in ((65536, 4096), (65536, 1000), (4096, 65536)):
        n = height * width
        a, c = netcl.tensor(height, width), netcl.tensor(height, width)
        x = torch.randn(height, width, device="cuda")
        z = torch.empty_like(x)
        shape = f"{height}x{width}"
        table.row(f"norm softmax {shape}", netcl.call("softmax", c, a, I32(1)),
                  lambda: torch.softmax(x, 1, out=z), 8.0 * n)
        table.row(f"norm layernorm {shape}", netcl.call("layernorm", c, a, I32(1), None),
                  lambda: functional.layer_norm(x, (width,)), 8.0 * n)
        netcl.release(a, c)
    shape = (64, 64, 112, 112)
    n = 64 * 64 * 112 * 112
    a, c, mean, variance = (netcl.tensor(*shape), netcl.tensor(*shape), netcl.tensor(64),
                            netcl.tensor(64))
    x = torch.randn(*shape, device="cuda")
    mu, var = torch.rand(64, device="cuda"), torch.rand(64, device="cuda") + 0.5
    batchnorm = lambda: functional.batch_norm(x, mu, var)
    for name, options, theirs in (
            ("inference", Batchnorm(), batchnorm),
            ("+ relu, fused", Batchnorm(activation=1, variant=66),
             lambda: functional.relu(batchnorm())),
            ("+ relu, naive", Batchnorm(activation=1, variant=65),
             lambda: functional.relu(batchnorm())),
            ("training", Batchnorm(training=1),
             lambda: functional.batch_norm(x, mu, var, training=True))):
        table.row("norm batchnorm 64x64x112x112 " + name,
                  netcl.call("batchnorm", c, a, mean, variance, options), theirs, 8.0 * n)
    netcl.release(a, c, mean, variance)


def convolutions(table):
    netcl = table.netcl
    if not table.wants("conv"):
        return
    layers = [(64, 64, 56, 64, 3, 1), (64, 256, 56, 64, 1, 1), (64, 128, 28, 128, 3, 1),
              (64, 256, 14, 256, 3, 1), (64, 512, 7, 512, 3, 1), (64, 3, 224, 64, 7, 2),
              (64, 128, 56, 128, 3, 2)]
    variants = {"chosen": (0, 0), "im2col": (18, 0), "implicit_gemm": (19, 0),
                "tiled_local": (20, 0), "winograd F(2,3)": (21, 2), "winograd F(4,3)": (21, 4)}
    for batch, channels, side, filters, kernel, stride in layers:
        pad = kernel // 2
        out = (side + 2 * pad - kernel) // stride + 1
        a, w, c = (netcl.tensor(batch, channels, side, side),
                   netcl.tensor(filters, channels, kernel, kernel),
                   netcl.tensor(batch, filters, out, out))
        x = torch.randn(batch, channels, side, side, device="cuda")
        weights = torch.randn(filters, channels, kernel, kernel, device="cuda")
        theirs = lambda: torch.conv2d(x, weights, stride=stride, padding=pad)
        operations = 2.0 * batch * filters * out * out * channels * kernel * kernel
        for name, (variant, tile) in variants.items():
            if "winograd" in name and (kernel != 3 or stride != 1):
                continue
            options = Conv(strides=(I64 * 2)(stride, stride), padding=(I64 * 4)(*[pad] * 4),
                           variant=variant, winograd_tile=tile)
            table.row(f"conv {batch}x{channels}x{side} {filters}x{kernel}x{kernel}/{stride} {name}",
                      netcl.call("conv2d", c, a, w, options), theirs, operations=operations)
        netcl.release(a, w, c)


def half_convolutions(table):
    netcl = table.netcl
    if not table.wants("half convolutions"):
        return
    layers = [(64, 64, 56, 64, 3, 1), (64, 128, 28, 128, 3, 1), (64, 256, 14, 256, 3, 1),
              (64, 512, 7, 512, 3, 1), (64, 128, 56, 128, 3, 2), (64, 256, 56, 64, 1, 1),
              (64, 64, 56, 256, 1, 1), (64, 1024, 14, 256, 1, 1), (64, 512, 7, 2048, 1, 1),
              (64, 256, 56, 512, 1, 2), (64, 32, 56, 32, 3, 1), (64, 8, 112, 64, 3, 1),
              (64, 3, 224, 64, 7, 2), (1, 64, 56, 64, 3, 1), (1, 256, 14, 256, 3, 1)]
    for batch, channels, side, filters, kernel, stride in layers:
        pad = kernel // 2
        out = (side + 2 * pad - kernel) // stride + 1
        operations = 2.0 * batch * filters * out * out * channels * kernel * kernel
        options = Conv(strides=(I64 * 2)(stride, stride), padding=(I64 * 4)(*[pad] * 4))
        for last in (False, True):
            w = netcl.image((filters, channels, kernel, kernel), F16, last)
            order = torch.channels_last if last else torch.contiguous_format
            half = dict(device="cuda", dtype=torch.half)
            x = torch.randn(batch, channels, side, side, **half).contiguous(memory_format=order)
            weights = torch.randn(filters, channels, kernel, kernel, **half).contiguous(
                memory_format=order)
            a = netcl.image((batch, channels, side, side), F16, last)
            c = netcl.image((batch, filters, out, out), F16, last)
            table.row(f"half convolutions {batch}x{channels}x{side} "
                      f"{filters}x{kernel}x{kernel}/{stride}{' NHWC' if last else ''}",
                      netcl.call("conv2d", c, a, w, options),
                      lambda: torch.conv2d(x, weights, stride=stride, padding=pad),
                      operations=operations)
            netcl.release(a, c, w)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    torch.set_grad_enabled(False)
    print(torch.cuda.get_device_name(0), "PyTorch", torch.__version__)
    table = Table(Netcl(options.library), options.rounds, options.only)
    for group in (products, elementwise, reductions, normalisations, convolutions,
                  half_convolutions):
        group(table)
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
