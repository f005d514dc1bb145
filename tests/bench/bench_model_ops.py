#!/usr/bin/env python3
"""Times ops of models against onnxruntime, one after the other: bench_model_ops.py LIBRARY

LIBRARY is libnetcl.so; numpy, onnx and onnxruntime have to be installed. Both have one thread where
it is started on one processor: taskset -c 1 python3 ... Prints the least and the middle time of
each, and how often netcl is as fast as onnxruntime.
"""

import ctypes
import os
import statistics
import sys
import time

import numpy as np
import onnxruntime
from onnx import TensorProto, helper

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TESTS, "onnx"))
from node_tests import Library  # noqa: E402

ROUNDS = 40


def model_of(nodes, inputs, opset):
    """The bytes of a network of these nodes, whose last one gives y."""
    types = {"float32": TensorProto.FLOAT, "int64": TensorProto.INT64}
    values = [helper.make_tensor_value_info(name, types[array.dtype.name], array.shape)
              for name, array in inputs.items()]
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "ops", values, [result])
    opsets = [helper.make_opsetid("", opset)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString()


def compare(library, name, data, inputs):
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(data, settings, providers=["CPUExecutionProvider"])
    lib, model, count = library.lib, ctypes.c_void_p(), ctypes.c_uint32()
    library.check(lib.netcl_model_load_memory(library.device, data, ctypes.c_size_t(len(data)),
                                              None, ctypes.byref(model)))
    tensors = [library.tensor(array) for array in inputs.values()]
    given = (ctypes.c_void_p * len(tensors))(*[t.value for t in tensors])
    theirs, ours = [], []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        wanted = session.run(None, inputs)[0]
        theirs.append(time.perf_counter() - begin)
        made = ctypes.c_void_p()
        begin = time.perf_counter()
        library.check(lib.netcl_model_evaluate(model, given, len(tensors), None,
                                               ctypes.byref(made), 1, ctypes.byref(count)))
        ours.append(time.perf_counter() - begin)
        difference = np.abs(library.array(made) - wanted).max()
        lib.netcl_tensor_release(made)
    for tensor in tensors:
        lib.netcl_tensor_release(tensor)
    lib.netcl_model_release(model)
    ratios = [f(theirs) / f(ours) for f in (min, statistics.median)]
    print(f"{name}: onnxruntime {min(theirs) * 1e3:.2f} / "
          f"{statistics.median(theirs) * 1e3:.2f} ms, netcl {min(ours) * 1e3:.2f} / "
          f"{statistics.median(ours) * 1e3:.2f} ms, ratio {ratios[0]:.2f} / {ratios[1]:.2f}, "
          f"apart by {difference:.1g}", flush=True)


def main():
    library = Library(sys.argv[1], "builtin")
    random = np.random.default_rng(1)
    for channels, size in ((64, 64), (3, 224)):
        inputs = {"x": random.standard_normal((1, channels, size, size)).astype(np.float32),
                  "grid": random.uniform(-1.1, 1.1, (1, size, size, 2)).astype(np.float32)}
        for mode in ("linear", "nearest", "cubic"):
            node = helper.make_node("GridSample", ["x", "grid"], ["y"], mode=mode)
            compare(library, f"GridSample, {mode}, {channels} x {size} x {size}",
                    model_of([node], inputs, 20), inputs)
    ends = random.uniform(0, 600, (100, 2))
    regions = np.concatenate([ends, ends + random.uniform(32, 300, (100, 2))], 1)
    inputs = {"x": random.standard_normal((1, 256, 50, 50)).astype(np.float32),
              "rois": regions.astype(np.float32), "images": np.zeros(100, np.int64)}
    node = helper.make_node("RoiAlign", ["x", "rois", "images"], ["y"], output_height=7,
                            output_width=7, sampling_ratio=2, spatial_scale=1 / 16)
    compare(library, "RoiAlign, 100 regions of 256 x 50 x 50", model_of([node], inputs, 16), inputs)


main()
