#!/usr/bin/env python3
"""Models all_reduce, SUMMA and halo exchange of a group, and checks the model on this machine.

    model_groups.py [BENCH_GROUP_MODEL] [--times N] [--file FILE]

BENCH_GROUP_MODEL is the program of bench_group_model.c. It is run with 1 rank on one processor and
with 2 and 4 ranks for the constants, and with 2, 3, 4 and 8 for what the model is checked by. The
least times of all runs count, those of FILE among them, which gets them: other programs disturb a
run. The table goes up to 4096 devices. tests/bench/notes/groups_model.txt has the model.
"""
import argparse
import json
import math
import os
import subprocess
import sys

INLINE = 8192       # travels with the header of a call
PARTS = 32768       # from here on each rank joins a part
PIECE = 256 << 10   # bytes of a step
PANEL = 512         # entries of the depth that go round at once
CORES = len(os.sched_getaffinity(0))
# The measured times that the model takes its constants from.
CONSTANTS = {(2, "barrier 0"), (4, "barrier 0"), (4, "all_reduce %d" % INLINE),
             (2, "all_reduce 1024"), (2, "all_reduce %d" % INLINE), (2, "broadcast %d" % INLINE)}
CONSTANTS |= {(2, "%s %d" % (what, size)) for what in ("all_reduce", "broadcast")
              for size in (64 << 10, 1 << 20, 16 << 20)}


def run(program, ranks, one_processor=False):
    """The lines of one run, as {(what, size): (us, mesh)}."""
    one = ["taskset", "-c", str(min(os.sched_getaffinity(0)))] if one_processor else []
    text = subprocess.run(one + [program, str(ranks), "9"], check=True, stdout=subprocess.PIPE,
                          text=True).stdout
    lines = [json.loads(line) for line in text.splitlines()]
    return {line["what"] + " %d" % line["size"]: (line["us"], line["mesh"]) for line in lines}


def share(ranks):
    """So much longer the work of a rank takes than on a processor of its own."""
    return max(1.0, ranks / CORES)


class Model:
    """Constants in microseconds and bytes, of ranks that share the memory of this machine."""

    def __init__(self, runs):
        alone, two, four = runs["1"], runs["2"], runs["4"]
        self.alone = alone
        self.near = two["barrier 0"][0]  # a step where each rank has a processor
        # A step where they take turns: a rank waits for all others, and gives its turn away.
        self.turn = four["barrier 0"][0] / share(4) ** 1.5
        # Rates between two ranks, of messages in the caches and beyond: (bytes, us per byte).
        self.copies, self.joins = [], []
        for size in (64 << 10, 1 << 20, 16 << 20):
            pieces = math.ceil(size / PIECE)
            # The first piece is written before another is read.
            copy = (two["broadcast %d" % size][0] - (1 + pieces) * self.near) / (
                size + min(size, PIECE))
            steps = 1 + pieces + math.ceil(pieces / 2)
            join = (two["all_reduce %d" % size][0] - steps * self.near) / size - 1.5 * copy
            self.copies.append((size, copy))
            self.joins.append((size, max(join, 0.0)))
        # What a rank does with a message that travels with the header: fixed, of each byte, and of
        # each byte of each rank.
        little = two["all_reduce 1024"][0] - self.near
        much = two["all_reduce %d" % INLINE][0] - self.near
        more = (four["all_reduce %d" % INLINE][0] - self.step(4)) / share(4)
        of_two = (much - little) / (INLINE - 1024)
        self.fixed = little - 1024 * of_two
        self.of_each = max(0.0, (more - much) / 2 / INLINE)
        self.of_byte = of_two - 2 * self.of_each
        self.shown = max(0.0, two["broadcast %d" % INLINE][0] - self.near) / INLINE

    @staticmethod
    def at(rates, size):
        """Between the measured sizes by the logarithm of the size."""
        size = min(max(size, rates[0][0]), rates[-1][0])
        for (low, a), (high, b) in zip(rates, rates[1:]):
            if size <= high:
                return a + (b - a) * math.log(size / low) / math.log(high / low)
        return rates[-1][1]

    def copy(self, size):
        return self.at(self.copies, size)

    def step(self, ranks):
        if ranks == 1:
            return 0.0
        if ranks <= CORES:
            return self.near * (ranks - 1)
        return self.turn * share(ranks) ** 1.5

    def all_reduce(self, size, ranks):
        if size <= INLINE:
            work = self.fixed + size * (self.of_byte + ranks * self.of_each)
            return self.step(ranks) + share(ranks) * work
        if size < PARTS:
            work = size * self.copy(size) + ranks * size * self.at(self.joins, size)
            return 2 * self.step(ranks) + share(ranks) * work
        steps = 1 + math.ceil(size / PIECE) + math.ceil(size / PIECE / ranks)
        copy, join = self.copy(size), self.at(self.joins, size)
        work = size * (copy + join + copy * (ranks - 1) / ranks)
        return steps * self.step(ranks) + share(ranks) * work

    def broadcast(self, size, ranks, crowd=None):
        """`crowd` ranks are on the processors meanwhile."""
        if ranks == 1:
            return 0.0
        crowd = crowd or ranks
        if size <= INLINE:
            return self.step(crowd) + share(crowd) * size * self.shown
        steps = 1 + math.ceil(size / PIECE)
        moved = size + min(size, PIECE)
        return steps * self.step(crowd) + share(crowd) * moved * self.copy(size)

    def panel(self, rows, columns, depth):
        key = "panel %d" % (rows * 10**8 + columns * 10**4 + depth)
        return self.alone[key][0]

    def summa(self, side, mesh):
        """[side, side] by [side, side], blocks on the mesh."""
        ranks = mesh[0] * mesh[1]
        ends = {side * (i + 1) // parts for parts in mesh for i in range(parts)}
        time, at = self.step(ranks), 0
        while at < side:
            end = min([at + PANEL] + [e for e in ends if e > at])
            depth, at = end - at, end
            a, b = side // mesh[0] * depth * 4, side // mesh[1] * depth * 4
            # A panel of columns is packed before it goes.
            time += self.broadcast(a, mesh[1], ranks) + self.broadcast(b, mesh[0], ranks)
            time += share(ranks) * self.copy(a) * (a if mesh[1] > 1 else 0)
            time += share(ranks) * self.panel(side // mesh[0], side // mesh[1], depth)
        return time

    def local_halo(self, elements):
        """One rank's copy of its block into one with rims: between the measured sizes."""
        known = sorted((int(key.split()[1]) ** 2, value[0])
                       for key, value in self.alone.items() if key.startswith("halo"))
        for (low, a), (high, b) in zip(known, known[1:]):
            if elements <= high or high == known[-1][0]:
                slope = math.log(b / a) / math.log(high / low)
                return a * (elements / low) ** slope
        return known[0][1]

    def halo(self, side, mesh):
        ranks = mesh[0] * mesh[1]
        rows, columns = side // mesh[0], side // mesh[1]
        strips = 4 * ((2 * columns if mesh[0] > 1 else 0) + (2 * rows if mesh[1] > 1 else 0))
        longest = 4 * max(rows if mesh[1] > 1 else 0, columns if mesh[0] > 1 else 0)
        steps = 1 if strips <= INLINE else 1 + math.ceil(longest / (PIECE / ranks))
        work = self.local_halo(rows * columns) + strips * 2 * self.copy(strips)
        return steps * self.step(ranks) + share(ranks) * work


def check(model, runs):
    rates = ["%.1f and %.1f GB/s at %d KiB" % (1e-3 / copy, 1e-3 / join, size >> 10)
             for (size, copy), (_, join) in zip(model.copies, model.joins)]
    print("a step takes %.2f us where each rank has a processor, else %.2f us times the ranks "
          "per\nprocessor to the power of 1.5; copies and joins: %s"
          % (model.near, model.turn, ", ".join(rates)))
    print("%-12s %6s %10s %12s %12s %6s" % ("call", "ranks", "size", "predicted us", "measured us",
                                            "ratio"))
    worst = {}
    for ranks in (2, 3, 4, 8):
        for key, (us, mesh) in runs[str(ranks)].items():
            what, size = key.split()[0], int(key.split()[1])
            if what == "barrier":
                guess = model.step(ranks)
            elif what in ("all_reduce", "broadcast"):
                guess = getattr(model, what)(size, ranks)
            elif ranks == 3:
                continue
            elif what == "halo" and size >= 256 or what == "summa":
                guess = getattr(model, what)(size, mesh)
            else:
                continue
            ratio = guess / us
            taken = (ranks, key) in CONSTANTS
            if not taken:
                worst.setdefault(what, []).append(ratio)
            print("%-12s %6d %10d %12.1f %12.1f %6.2f%s"
                  % (what, ranks, size, guess, us, ratio, " *" if taken else ""))
    print("* the constants are of these, which are left out of what follows")
    for what, ratios in worst.items():
        ratios.sort()
        print("%-12s predicted / measured: %.2f to %.2f, median %.2f of %d"
              % (what, ratios[0], ratios[-1], ratios[len(ratios) // 2], len(ratios)))


class Devices:
    """Devices on a host by NCCL, and hosts. Times in us, rates in bytes per us."""
    inside = 8
    call = 152.0        # all_reduce of two H200 by NCCL: 16 MiB in 213 us, 256 MiB in 1126 us
    link = 275e3
    hop = 10.0          # between hosts: assumed
    network = 50e3      # of each device to other hosts: assumed, a port of 400 Gbit/s
    flops = 5e7         # f32 by the device's own arithmetic, per us: assumed
    memory = 4e6        # bytes per us: assumed


class Peers(Devices):
    """The same by memory of peers: 16 MiB in 146 us, 256 MiB in 987 us (notes/groups_gpu.txt)."""
    call = 90.0
    link = 299e3


def all_reduce_time(size, count, d=Devices):
    """Within each host, then between those of one place on all hosts, then within (three calls)."""
    inside = min(count, d.inside)
    hosts = count // inside
    near = d.call + 2 * (inside - 1) / inside * size / d.link
    if hosts == 1:
        return near
    part = size / inside
    far = d.call + 2 * math.log2(hosts) * d.hop + 2 * (hosts - 1) / hosts * part / d.network
    return d.call + near + far


def broadcast_time(size, count, d=Devices):
    if count == 1:
        return 0.0
    rate = d.link if count <= d.inside else d.network
    return d.call + math.ceil(math.log2(count)) * (d.hop if count > d.inside else 0) + size / rate


def table(name, d):
    print("\nOn a host by %s: %.0f us and %.0f GB/s" % (name, d.call, d.link / 1e3))
    print("%6s | %22s | %22s | %22s | %22s" % (
        "", "all_reduce 256 MiB", "all_reduce 1 MiB", "SUMMA, 16384^2 each", "halo, 8192^2 each"))
    print("%7s| %11s %10s | %11s %10s | %11s %10s | %11s %10s" % (
        ("devices",) + ("us", "of link", "us", "of link", "us", "work") + ("us", "work")))
    for count in (8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096):
        cells = []
        for size in (256 << 20, 1 << 20):
            time = all_reduce_time(size, count, d)
            cells += [time, 2 * size * (count - 1) / count / time / d.link]
        rows = 1 << (int(math.log2(count)) // 2)
        mesh = (rows, count // rows)
        block = 16384
        panels = block * mesh[1] // PANEL
        panel = block * PANEL * 4
        work = 2 * block * block * PANEL / d.flops
        # Rows lie on a host as far as they go.
        sent = broadcast_time(panel, mesh[1], d)
        sent += broadcast_time(panel, mesh[0] * d.inside, d)
        cells += [panels * (work + sent), work / (work + sent)]
        side = 8192
        rim = 4 * side * 4
        local = 2 * 4 * side * side / d.memory
        sent = d.call + (d.hop if count > d.inside else 0) + rim / (
            d.network if count > d.inside else d.link)
        cells += [local + sent, local / (local + sent)]
        print("%7d| %11.0f %10.2f | %11.0f %10.3f | %11.0f %10.2f | %11.0f %10.2f" % (
            (count,) + tuple(cells)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--file")
    options = parser.parse_args()
    runs = {}
    if options.file and os.path.exists(options.file):
        with open(options.file, encoding="utf-8") as file:
            runs = json.load(file)
    for _ in range(options.times if options.program else 0):
        for ranks in (1, 2, 3, 4, 8):
            least = runs.setdefault(str(ranks), {})
            for key, line in run(options.program, ranks, ranks == 1).items():
                if key not in least or line[0] < least[key][0]:
                    least[key] = line
            if options.file:
                with open(options.file, "w", encoding="utf-8") as file:
                    json.dump(runs, file)
    check(Model(runs), runs)
    table("NCCL", Devices)
    table("memory of peers", Peers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
