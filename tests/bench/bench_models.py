#!/usr/bin/env python3
"""Times whole models against onnxruntime, in turn, and what loading one takes: bench_models.py
LIBRARY [--device builtin] [--seconds 5] [--filter TEXT] [--load MODEL]

LIBRARY is libnetcl.so; onnx, onnxruntime and numpy have to be installed. The models are the light
networks of the onnx package, whose weights are filled with constants, the same with random weights
where they have few enough layers to stay finite, and those of rapidocr-onnxruntime where that is
installed. Both have one thread where it is started on one processor: taskset -c 1 python3 ...
Prints the least time of each and how often netcl is as fast, with geometric means. --load MODEL
loads one file and runs it once, each in a process of its own, twice over: time, and resident memory
that is added over the weights.
"""

import argparse
import ctypes
import glob
import importlib.util
import math
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TESTS, "onnx"))
from node_tests import Library  # noqa: E402

ROUNDS_LEAST, LOADS = 3, 2
# Of inputs whose file leaves extents open, by a part of the file's name.
SHAPES = {"_det_": (1, 3, 416, 896), "_rec_": (1, 3, 48, 320), "_cls_": (1, 3, 48, 192)}
RANDOM = ("squeezenet", "inception_v2", "shufflenet", "resnet50")


class Ours:
    """A model that netcl has loaded, with one input."""

    def __init__(self, library, path):
        self.library, self.lib = library, library.lib
        self.model = ctypes.c_void_p()
        library.check(self.lib.netcl_model_load(library.device, path.encode(), None,
                                                ctypes.byref(self.model)))

    def run(self, tensor):
        made, count = ctypes.c_void_p(), ctypes.c_uint32()
        given = (ctypes.c_void_p * 1)(tensor.value)
        self.library.check(self.lib.netcl_model_evaluate(self.model, given, 1, None,
                                                         ctypes.byref(made), 1,
                                                         ctypes.byref(count)))
        result = self.library.array(made)
        self.lib.netcl_tensor_release(made)
        return result


def session_of(path):
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(path, settings, providers=["CPUExecutionProvider"])


def input_of(path, session):
    wanted = session.get_inputs()[0]
    shape = next((shape for part, shape in SHAPES.items() if part in path), None)
    shape = shape or [extent if isinstance(extent, int) else 1 for extent in wanted.shape]
    return wanted.name, np.random.default_rng(1).random(shape, np.float32)


def with_random_weights(path, folder):
    """The file with weights that are drawn, small enough for what they feed."""
    model, rng = onnx.load(path), np.random.default_rng(2)
    for weight in model.graph.initializer:
        old = numpy_helper.to_array(weight)
        if old.dtype == np.float32 and old.ndim > 1:
            scale = 1 / math.sqrt(old[0].size)
            drawn = (rng.standard_normal(old.shape) * scale).astype(np.float32)
            weight.CopyFrom(numpy_helper.from_array(drawn, weight.name))
    made = os.path.join(folder, "random_" + os.path.basename(path))
    onnx.save(model, made)
    return made


def models(folder):
    light = os.path.join(os.path.dirname(onnx.__file__), "backend", "test", "data", "light")
    found = sorted(glob.glob(os.path.join(light, "*.onnx")))
    found += [with_random_weights(path, folder) for path in found
              if any(name in path for name in RANDOM)]
    package = importlib.util.find_spec("rapidocr_onnxruntime")
    if package is not None:
        place = package.submodule_search_locations[0]
        found += sorted(glob.glob(os.path.join(place, "models", "*.onnx")))
    return found


def compare(library, path, seconds):
    session, ours = session_of(path), Ours(library, path)
    name, array = input_of(path, session)
    tensor = library.tensor(array)
    wanted = session.run(None, {name: array})[0]
    difference = np.abs(ours.run(tensor) - wanted).max()
    our_times, their_times, end = [], [], time.time() + seconds
    while time.time() < end or len(our_times) < ROUNDS_LEAST:
        begin = time.perf_counter()
        ours.run(tensor)
        middle = time.perf_counter()
        session.run(None, {name: array})
        our_times.append(middle - begin)
        their_times.append(time.perf_counter() - middle)
    library.lib.netcl_tensor_release(tensor)
    library.lib.netcl_model_release(ours.model)
    least, theirs = min(our_times), min(their_times)
    print(f"{os.path.basename(path):36} netcl {least * 1e3:8.2f} ms, onnxruntime "
          f"{theirs * 1e3:8.2f} ms: {theirs / least:5.2f}, difference {difference:.1e}", flush=True)
    return theirs / least


def resident():
    with open("/proc/self/statm", encoding="ascii") as facts:
        return int(facts.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def load_once(path, library):
    """What the first and the second loading take in a new process; library None: onnxruntime."""
    name, array = input_of(path, session_of(path)) if library is None else (None, None)
    if library is not None:
        wanted = onnx.load(path, load_external_data=False).graph.input[0].type.tensor_type.shape
        array = np.random.default_rng(1).random(
            [max(1, dim.dim_value) for dim in wanted.dim], np.float32)
    kept = []
    for _ in range(LOADS):
        before, begin = resident(), time.perf_counter()
        if library is None:
            kept.append(session_of(path))
            loaded = time.perf_counter()
            kept[-1].run(None, {name: array})
        else:
            kept.append(Ours(library, path))
            loaded = time.perf_counter()
            kept[-1].run(library.tensor(array))
        done = time.perf_counter()
        side = "onnxruntime" if library is None else "netcl"
        print(f"{side:12} loading {loaded - begin:6.3f} s, first result {done - loaded:6.3f} s, "
              f"memory {(resident() - before) / 1e6:6.1f} MB")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--device", default="builtin")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--filter", default="")
    parser.add_argument("--load")
    parser.add_argument("--side", help=argparse.SUPPRESS)
    options = parser.parse_args()
    onnxruntime.set_default_logger_severity(4)
    if options.side:
        ours = options.side == "netcl"
        load_once(options.load, Library(options.library, options.device) if ours else None)
    elif options.load:
        for _ in range(LOADS):
            for side in ("netcl", "onnxruntime"):
                subprocess.run([sys.executable, *sys.argv, "--side", side], check=True)
    else:
        library, groups = Library(options.library, options.device), {}
        with tempfile.TemporaryDirectory() as folder:
            for path in models(folder):
                if options.filter in path:
                    group = os.path.basename(path).split("_")[0]
                    ratio = compare(library, path, options.seconds)
                    groups.setdefault(group, []).append(ratio)
        for group, ratios in groups.items():
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            print(f"{group}: geometric mean of {len(ratios)}: {mean:.2f}")


if __name__ == "__main__":
    main()
