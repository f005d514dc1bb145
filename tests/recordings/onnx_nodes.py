#!/usr/bin/env python3
"""Writes onnx_nodes.bin: node tests of the `onnx` package that are small, a few of each op and of
each mode of it.

    onnx_nodes.py LIBRARY

Only tests that the library runs are written, so that test_model_nodes fails where one is refused. A
record is: the name, the two tolerances (f64), the model, then inputs and outputs. Texts, bytes and
lists begin with their length (u32); a tensor is its dtype (u32), its shape, and its bytes. Numbers
are little-endian. It needs the packages onnx and numpy; test_model_nodes reads the file without.
"""

import os
import struct
import sys
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "onnx"))
import node_tests  # noqa: E402
import onnx  # noqa: E402
from onnx.backend.test.case.node import collect_testcases  # noqa: E402

BYTES_MOST = 1000  # of the tensors of a test
EACH_OP = 3


def packed(data):
    return struct.pack("<I", len(data)) + data


def tensor(array):
    return (struct.pack("<I", node_tests.DTYPES[array.dtype.name]) +
            struct.pack(f"<I{array.ndim}q", array.ndim, *array.shape) + packed(array.tobytes()))


def record(library, case):
    """The bytes of a test; None when it is left out."""
    if len(case.data_sets) != 1 or case.name.endswith("_expanded"):
        return None
    inputs, outputs = node_tests.arrays_of(case.data_sets[0])
    if sum(array.nbytes for array in inputs + outputs) > BYTES_MOST:
        return None
    if node_tests.run_case(library, case) is not None:
        return None
    case.model.producer_name = ""
    rtol, atol = map(max, zip(*(node_tests.tolerances(case, array) for array in outputs)))
    return (packed(case.name.encode()) + struct.pack("<dd", rtol, atol) +
            packed(case.model.SerializeToString()) +
            struct.pack("<I", len(inputs)) + b"".join(map(tensor, inputs)) +
            struct.pack("<I", len(outputs)) + b"".join(map(tensor, outputs)))


def form_of(node):
    """An op with what its attributes say in words: each mode is an op of its own."""
    words = sorted(a.s.decode() for a in node.attribute if a.type == onnx.AttributeProto.STRING)
    return " ".join([node.op_type] + words)


def main():
    warnings.simplefilter("ignore")
    library = node_tests.Library(sys.argv[1], "builtin")
    records, seen = [], {}
    for case in collect_testcases(None):
        op = min((form_of(node) for node in case.model.graph.node),
                 key=lambda name: seen.get(name, 0))
        if seen.get(op, 0) >= EACH_OP:
            continue
        try:
            data = record(library, case)
        except (node_tests.Refused, RuntimeError):
            continue
        if data is None:
            continue
        records.append(data)
        seen[op] = seen.get(op, 0) + 1
    with open(os.path.join(HERE, "onnx_nodes.bin"), "wb") as file:
        file.write(struct.pack("<I", len(records)) + b"".join(records))
    print(f"{len(records)} tests of {len(seen)} ops and modes")


if __name__ == "__main__":
    main()
