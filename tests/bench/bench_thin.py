#!/usr/bin/env python3
"""The products of bench_thin by PyTorch, as CUDA graphs of 40 calls: without its cost on the host.

    bench_thin.py [ROUNDS]
"""
import statistics
import sys
import time

import torch

SIZES = [(1, 4096, 4096), (1, 11008, 4096), (1, 32000, 4096), (2, 4096, 4096), (4, 4096, 4096),
         (4, 32000, 4096), (8, 4096, 4096), (8, 32000, 4096), (16, 4096, 4096), (16, 32000, 4096),
         (3, 4095, 4097)]
CALLS, REPLAYS, COPIES = 40, 5, 4


def measure(dtype, size, order, rounds):
    m, n, k = size
    bytes_each = torch.empty(0, dtype=dtype).element_size()
    copies = 1 if n * k * bytes_each > 200e6 else COPIES
    a = torch.rand(m, k, device="cuda").to(dtype)
    b = [torch.rand(k, n, device="cuda").to(dtype) if order == "NN"
         else torch.rand(n, k, device="cuda").to(dtype).t() for _ in range(copies)]
    out = torch.empty(m, n, device="cuda", dtype=dtype)
    for one in b:
        torch.mm(a, one, out=out)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for i in range(CALLS):
            torch.mm(a, b[i % copies], out=out)
    times = []
    for _ in range(rounds):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(REPLAYS):
            graph.replay()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - begin) / CALLS / REPLAYS)
    each = statistics.median(times)
    moved = bytes_each * (m * k + k * n + m * n)
    print(f"{str(dtype)[6:]:9s} {m:3d} x {n:5d} x {k} {order} {each * 1e6:8.1f} us "
          f"{moved / each * 1e-12:6.2f} TB/s", flush=True)


def main():
    torch.backends.cuda.matmul.allow_tf32 = False
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    for dtype in (torch.float16, torch.bfloat16, torch.float32):
        for size in SIZES:
            for order in ("NN", "NT"):
                measure(dtype, size, order, rounds)


if __name__ == "__main__":
    main()
