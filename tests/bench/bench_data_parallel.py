#!/usr/bin/env python3
"""The opponent of bench_data_parallel: the same steps by PyTorch's DistributedDataParallel on GPUs.

    bench_data_parallel.py RANKS

Reads lines with a number of steps and answers each with their seconds and the last loss. Products
have f32 arithmetic, not tf32."""
import os
import sys
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn

WIDTHS, BATCH = [1024, 4096, 4096, 4096, 4096, 1000], 1024


def run(rank, ranks, questions):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29521")
    torch.cuda.set_device(rank)
    torch.manual_seed(1)
    model = nn.Sequential(*[layer for i in range(5)
                            for layer in (nn.Linear(WIDTHS[i], WIDTHS[i + 1]), nn.ReLU())][:-1])
    model = model.cuda()
    if ranks > 1:
        dist.init_process_group("nccl", rank=rank, world_size=ranks)
        # Ranks that wait in a call of NCCL would keep their GPUs busy.
        host = dist.new_group(backend="gloo")
        model = nn.parallel.DistributedDataParallel(model, device_ids=[rank],
                                                    gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, fused=True)
    inputs = torch.rand(BATCH, WIDTHS[0], device="cuda") * 2 - 1
    labels = (torch.arange(BATCH, device="cuda") * 7 + rank * 13) % 1000
    source = os.fdopen(questions) if rank == 0 else None
    while True:
        told = torch.tensor([0])
        if rank == 0:
            line = source.readline()
            told[0] = int(line) if line.strip() else 0
        if ranks > 1:
            dist.broadcast(told, 0, group=host)
        steps = int(told[0])
        if steps == 0:
            break
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(steps):
            optimizer.zero_grad(set_to_none=True)
            loss = nn.functional.cross_entropy(model(inputs), labels)
            loss.backward()
            optimizer.step()
        torch.cuda.synchronize()
        if ranks > 1:
            dist.barrier()
            torch.cuda.synchronize()
        if rank == 0:
            print(time.perf_counter() - begin, loss.item(), flush=True)
    if ranks > 1:
        dist.destroy_process_group()


def main():
    ranks = int(sys.argv[1])
    torch.backends.cuda.matmul.allow_tf32 = False
    context = mp.get_context("fork")
    others = [context.Process(target=run, args=(rank, ranks, -1)) for rank in range(1, ranks)]
    for other in others:
        other.start()
    run(0, ranks, os.dup(0))
    for other in others:
        other.join()


if __name__ == "__main__":
    main()
