#!/usr/bin/env python3
"""Times copies between two GPUs and collectives of two processes, beside PyTorch with NCCL.

    NETCL_NCCL_LIBRARY=.../nvidia/nccl/lib/libnccl.so.2 tests/bench/bench_gpus.py LIB [SEL SEL]

LIB is libnetcl.so, SEL the selectors of the two GPUs; the default is 0:0 and 0:1. Both sides run in
turn, in the same processes: medians of 11 calls, each from a barrier until the host knows that the
GPU is done. Needs two GPUs of NVIDIA and torch with CUDA."""
import ctypes as C
import os
import pathlib
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "share"))
from torch_shares import FOREVER, F32, Netcl, RunOptions, TensorOptions  # noqa: E402

SIZES = [1 << n for n in (16, 18, 20, 22, 24, 26, 28)]
COPIES = SIZES + [1 << 30]
SHARED_MOST = 510 << 20  # that NVIDIA's OpenCL imports in one piece
MESSAGES = [1 << n for n in (12, 14)] + SIZES
SUM = 1
HOST, NCCL, PEERS = 1, 3, 4
WAYS = [(HOST, 0), (PEERS, 0), (PEERS, 1), (NCCL, 0), (NCCL, 1)]  # and share


class GroupOptions(C.Structure):
    _fields_ = [("struct_size", C.c_size_t), ("timeout_ns", C.c_uint64),
                ("transport", C.c_int32), ("reserved", C.c_uint32)]


class Side:
    """A device of netcl."""

    def __init__(self, path, selector):
        self.netcl = Netcl(path)
        self.device = C.c_void_p()
        self.netcl.device_open(selector.encode(), None, C.byref(self.device))

    def tensor(self, count, share):
        options = TensorOptions(C.sizeof(TensorOptions))
        options.share = share
        tensor, extent, zero = C.c_void_p(), C.c_int64(count), C.c_float(0)
        self.netcl.tensor_create(self.device, F32, 1, C.byref(extent), None, C.byref(options),
                                 C.byref(tensor))
        self.netcl.op_fill(tensor, C.byref(zero), None)
        self.finish()
        return tensor

    def release(self, tensor):
        self.netcl.lib.netcl_tensor_release(tensor)

    def finish(self):
        self.netcl.device_finish(self.device, C.c_uint64(FOREVER))


def median_us(call, prepare=lambda: None):
    times = []
    for _ in range(15):
        prepare()
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return statistics.median(times[4:]) * 1e6


def copies(path, selectors):
    import torch
    first, second = (Side(path, selector) for selector in selectors)
    print("copy, GB/s    other memory   share = 1   PyTorch   ratio of share = 1")
    for size in COPIES:
        rates = []
        for share in (0, 1):
            if share and size > SHARED_MOST:
                rates.append(float("nan"))
                continue
            source, target = first.tensor(size // 4, share), second.tensor(size // 4, share)
            run = RunOptions(C.sizeof(RunOptions))
            run.into = target

            def copy():
                first.netcl.op_copy(source, C.byref(run), None)
                second.finish()

            rates.append(size / median_us(copy) / 1e3)
            first.release(source)
            second.release(target)
        x = torch.zeros(size // 4, device="cuda:0")
        y = torch.empty(size // 4, device="cuda:1")

        def settle():
            torch.cuda.synchronize(0)
            torch.cuda.synchronize(1)

        def torch_copy():
            y.copy_(x)
            settle()

        rates.append(size / median_us(torch_copy, settle) / 1e3)
        print(f"{size >> 10:8d} KiB" + "".join(f"{rate:12.1f}" for rate in rates) +
              f"{rates[1] / rates[2]:10.2f}", flush=True)


def collectives(rank, path, selectors, folder):
    import torch
    import torch.distributed as dist
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29517")
    side = Side(path, selectors[rank])
    groups = {}
    for transport in (HOST, PEERS, NCCL):
        groups[transport] = C.c_void_p()
        options = GroupOptions(C.sizeof(GroupOptions), 0, transport, 0)
        side.netcl.group_join(side.device, f"{folder}/meet{transport}".encode(), C.c_uint32(rank),
                              C.c_uint32(2), C.byref(options), C.byref(groups[transport]))
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", rank=rank, world_size=2)

    def netcl_time(size, share, transport, call):
        tensor, group = side.tensor(size // 4, share), groups[transport]

        def run():
            call(group, tensor)
            side.finish()

        taken = median_us(run, lambda: side.netcl.group_barrier(group, None))
        side.release(tensor)
        return taken

    def torch_time(size, call):
        x = torch.zeros(size // 4, device="cuda")

        def run():
            call(x)
            torch.cuda.synchronize()

        def meet():
            dist.barrier()
            torch.cuda.synchronize()

        return median_us(run, meet)

    for name, own, other in (
            ("all_reduce", lambda g, t: side.netcl.group_all_reduce(g, t, t, C.c_int32(SUM), None),
             dist.all_reduce),
            ("broadcast", lambda g, t: side.netcl.group_broadcast(g, t, C.c_uint32(0), None),
             lambda x: dist.broadcast(x, 0))):
        if rank == 0:
            print(f"{name}, us by the host    by peers   share = 1     by NCCL   share = 1     "
                  "PyTorch   PyTorch / peers")
        for size in MESSAGES:
            row = [netcl_time(size, share, transport, own) for transport, share in WAYS]
            row.append(torch_time(size, other))
            if rank == 0:
                print(f"{size >> 10:8d} KiB" + "".join(f"{us:12.1f}" for us in row) +
                      f"{row[-1] / row[1]:10.2f}", flush=True)
    dist.destroy_process_group()


def main():
    try:
        import torch
    except ImportError:
        print("skipped: there is no torch")
        return 77
    if torch.cuda.device_count() < 2:
        print(f"skipped: there are {torch.cuda.device_count()} GPUs, and this needs two")
        return 77
    path = sys.argv[1]
    selectors = sys.argv[2:4] if len(sys.argv) > 3 else ["0:0", "0:1"]
    import torch.multiprocessing as mp
    mp.set_start_method("spawn")
    process = mp.Process(target=copies, args=(path, selectors))
    process.start()
    process.join()
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(collectives, args=(path, selectors, folder), nprocs=2)
    return 0


if __name__ == "__main__":
    sys.exit(main())
