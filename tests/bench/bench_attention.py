#!/usr/bin/env python3
"""Attention on a GPU beside the fastest of PyTorch's on the same GPU, in turn and in one process.

    bench_attention.py LIBNETCL [--rounds N] [--only WORD]

Both sides enqueue the same number of calls and wait for the last; the figures are medians over
rounds. A ratio is PyTorch's time by netcl's: above 1 netcl is faster. PyTorch's side is the least
of its backends (FlashAttention, cuDNN, memory-efficient, math) that take the case. Of prefill the
rate counts two products of all pairs, half of them where it is causal; of decode the keys and
values that are read.
"""
import argparse
import statistics

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

from bench_torch import F32, F64, I32, I64, P, U32, Netcl, Table, per_call, sized

DTYPES = {"f16": (1, torch.float16), "bf16": (2, torch.bfloat16), "f32": (F32, torch.float32)}
Attention = sized("Attention", ("bias", P), ("mask", P), ("query_lengths", P), ("key_lengths", P),
                  ("block_table", P), ("lse_into", P), ("scale", F64), ("softcap", F64),
                  ("position", I64), ("window_before", I64), ("window_after", I64),
                  ("has_scale", U32), ("has_position", U32), ("has_window", U32),
                  ("causal", U32))
BACKENDS = [SDPBackend.FLASH_ATTENTION, SDPBackend.CUDNN_ATTENTION,
            SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]


def fastest(q, k, v, causal, grouped):
    """A closure over PyTorch's fastest backend, and its name."""
    def run_with(backend):
        def run():
            with sdpa_kernel(backend):
                return scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=grouped)
        return run

    times = {}
    for backend in BACKENDS:
        run = run_with(backend)
        try:
            run()
            times[backend] = statistics.median(
                per_call(run, torch.cuda.synchronize, 5) for _ in range(3))
        except RuntimeError:
            torch.cuda.empty_cache()
    best = min(times, key=times.get)
    return run_with(best), best.name


def attention(table, kind, batch, heads, groups, queries, keys, size, causal=False):
    decode = queries == 1
    name = (f"{kind} {'decode' if decode else 'prefill'} {batch}x{heads}/{groups} "
            f"{queries}x{keys} d{size}{' causal' if causal else ''}")
    if not table.wants(name):
        return
    netcl, (dtype, torch_dtype) = table.netcl, DTYPES[kind]
    shapes = ((batch, heads, queries, size), *[(batch, groups, keys, size)] * 2)
    ours = [netcl.tensor(*shape, dtype=dtype) for shape in shapes]
    result = netcl.tensor(*shapes[0], dtype=dtype)
    theirs = [torch.randn(*shape, device="cuda").to(torch_dtype) for shape in shapes]
    run, backend = fastest(*theirs, causal, heads != groups)
    enqueue = netcl.call("attention", result, *ours, Attention(causal=int(causal)), results=2)
    work = 4.0 * batch * heads * queries * keys * size * (0.5 if causal else 1.0)
    moved = 2.0 * batch * groups * keys * size * (4 if kind == "f32" else 2)
    table.row(f"{name} {backend.lower()[:5]}", enqueue, run, moved=moved,
              operations=0.0 if decode else work)
    netcl.release(result, *ours)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    torch.set_grad_enabled(False)
    torch.backends.cuda.matmul.allow_tf32 = False
    print(torch.cuda.get_device_name(0), "PyTorch", torch.__version__)
    table = Table(Netcl(options.library), options.rounds, options.only)
    for kind in ("f16", "f32"):
        for keys in (1024, 4096, 16384):
            for size in (64, 128):
                batch = max(1, 16384 // keys // 2)
                for causal in (False, True):
                    attention(table, kind, batch, 16, 16, keys, keys, size, causal)
    for batch in (1, 16, 64):
        for keys in (1024, 8192, 32768):
            if batch * keys <= 16 * 32768:
                attention(table, "f16", batch, 32, 8, 1, keys, 128)


if __name__ == "__main__":
    main()
