#!/usr/bin/env python3
"""Matrix products of the sizes of networks on a GPU beside cuBLAS, called by PyTorch, in turn and
in one process.

    bench_products.py LIBNETCL [--rounds N] [--only WORD]

Both sides enqueue the same number of calls into existing results and wait for the last; the figures
are medians over rounds, so they are sustained ones. A ratio is PyTorch's time by netcl's: above 1
netcl is faster. Data is random. tf32 and split are netcl's options->precision; split, which has the
accuracy of f32, is beside PyTorch's f32 without tf32. i8 gives i32, in PyTorch by torch._int_mm.
"""
import argparse
import ctypes
import math

import torch

from bench_torch import F32, F64, I8, I32, INT32, P, U32, Matmul, Netcl, Table, sized

F16, BF16 = 1, 2
DTYPES = {"i8": (I8, torch.int8), "f16": (F16, torch.float16), "bf16": (BF16, torch.bfloat16),
          "f32": (F32, torch.float32), "tf32": (F32, torch.float32), "split": (F32, torch.float32)}
PRECISION = {"tf32": 1, "split": 2}
Epilogue = sized("Epilogue", ("bias", P), ("residual", P), ("alpha", F64), ("beta", F64),
                 ("activation", I32), ("has_parameters", U32))
GELU_TANH = 8

SQUARES = [(n, n, n) for n in (1024, 2048, 4096, 8192, 16384)]
NETWORKS = [(128, 768, 768), (384, 768, 768), (384, 3072, 768), (384, 768, 3072),
            (512, 4096, 4096), (512, 11008, 4096), (128, 4096, 4096), (128, 16384, 4096),
            (1024, 1024, 1024), (1024, 4096, 1024), (1024, 1024, 4096), (1024, 16384, 4096)]
THIN = [(1, 4096, 4096), (1, 32000, 4096), (2, 11008, 4096), (4, 4096, 4096), (8, 4096, 4096),
        (8, 11008, 4096), (8, 32000, 4096), (16, 4096, 4096), (16, 32000, 4096)]
DEEP = [(64, 64, 65536)]


class Transposed:
    """A netcl tensor of k x n whose memory is n x k."""

    def __init__(self, netcl, k, n, dtype):
        self.base = netcl.tensor(n, k, dtype=dtype)
        self.view = P()
        netcl.check(netcl.lib.netcl_tensor_permute(self.base, (U32 * 2)(1, 0), U32(2),
                                                   ctypes.byref(self.view)))


def product(table, kind, size, order="NN", epilogue=False):
    m, n, k = size
    name = f"{kind} {m}x{n}x{k} {order}{' bias gelu' if epilogue else ''}"
    if not table.wants(name):
        return None
    netcl, (dtype, torch_dtype) = table.netcl, DTYPES[kind]
    torch.backends.cuda.matmul.allow_tf32 = kind == "tf32"
    held, sides, theirs = [], [], []
    for i, (rows, columns) in enumerate(((m, k), (k, n))):
        if kind == "i8":
            x = torch.randint(-128, 128, (rows, columns), device="cuda", dtype=torch_dtype)
        else:
            x = torch.randn(rows, columns, device="cuda", dtype=torch.float32).to(torch_dtype)
        if order[i] == "T":
            made = Transposed(netcl, rows, columns, dtype)
            held += [made.base, made.view]
            sides.append(made.view)
            x = x.t().contiguous().t()
        else:
            sides.append(netcl.tensor(rows, columns, dtype=dtype))
            held.append(sides[-1])
        theirs.append(x)
    result = netcl.tensor(m, n, dtype=INT32 if kind == "i8" else dtype)
    options = Matmul(precision=PRECISION.get(kind, 0))
    keep = None
    if epilogue:
        bias = netcl.tensor(n, dtype=dtype)
        held.append(bias)
        keep = Epilogue(bias=bias.value, activation=GELU_TANH)
        options.epilogue = ctypes.cast(ctypes.pointer(keep), P).value
        addend = torch.randn(n, device="cuda", dtype=torch_dtype)
        run = lambda: torch._addmm_activation(addend, *theirs, use_gelu=True)
    elif kind == "i8":
        out = torch.empty(m, n, device="cuda", dtype=torch.int32)
        run = lambda: torch._int_mm(*theirs, out=out)
    else:
        out = torch.empty(m, n, device="cuda", dtype=torch_dtype)
        run = lambda: torch.mm(theirs[0], theirs[1], out=out)
    ratio = table.row(name, netcl.call("matmul", result, sides[0], sides[1], options), run,
                      operations=2.0 * m * n * k)
    netcl.release(result, *held)
    return ratio


def group(table, title, cases):
    ratios = [r for r in (product(table, *case) for case in cases) if r]
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"{title:44s} geometric mean {mean:.2f}, least {min(ratios):.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    torch.set_grad_enabled(False)
    print(torch.cuda.get_device_name(0), "PyTorch", torch.__version__)
    table = Table(Netcl(options.library), options.rounds, options.only)
    for kind in ("f16", "bf16"):
        group(table, f"{kind} squares", [(kind, size) for size in SQUARES[1:]] +
              [(kind, (4096,) * 3, order) for order in ("NT", "TN")] +
              [(kind, (4096,) * 3, "NN", True)])
        group(table, f"{kind} networks", [(kind, size) for size in NETWORKS])
        group(table, f"{kind} thin",
              [(kind, size, order) for size in THIN for order in ("NN", "NT")])
        group(table, f"{kind} deep", [(kind, size) for size in DEEP])
    group(table, "f32 thin", [("f32", size, order) for size in THIN for order in ("NN", "NT")])
    group(table, "odd sizes", [("f16", (1000, 1000, 1000)), ("f16", (4095, 4097, 4099)),
                               ("bf16", (1023, 4095, 1025))])
    group(table, "i8", [("i8", size, "NT") for size in SQUARES] + [("i8", (4096,) * 3, "NN")])
    group(table, "i8 networks", [("i8", size, "NT") for size in NETWORKS])
    for kind in ("tf32", "split"):
        group(table, kind, [(kind, size, order) for size in SQUARES[1:4] for order in ("NT", "NN")])


if __name__ == "__main__":
    main()
