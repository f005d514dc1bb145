#!/usr/bin/env python3
"""Runs the models of the package `silero-vad` through the library and through onnxruntime.

    speech_models.py LIBRARY [--device builtin]

They have If within If and LSTM. Each listens to tones and noise, window by window, and its state
goes from one window to the next. LIBRARY is libnetcl.so; the packages onnx, onnxruntime and numpy
have to be installed, and silero-vad, which may be without what it depends on
(`pip install --no-deps silero-vad`). The exit status is 0 when all outputs agree.
"""

import argparse
import glob
import importlib.util
import os
import sys

try:
    import numpy as np
    import onnxruntime
except ImportError as missing:
    print(f"skipped: {missing}; pip install onnx onnxruntime numpy")
    sys.exit(77)

from node_tests import Library

WINDOWS = 8


def sound(rate, samples, rng):
    """A tone that comes and goes, in noise."""
    time = np.arange(samples) / rate
    tone = np.sin(2 * np.pi * 220 * time) * (np.sin(2 * np.pi * 3 * time) > 0)
    return (0.4 * tone + 0.05 * rng.standard_normal(samples)).astype(np.float32)


def inputs_of(session, rate, rng):
    """Inputs for all windows; the state comes first as zeros."""
    size = 576 * rate // 16000
    names = [value.name for value in session.get_inputs()]
    waves = sound(rate, WINDOWS * size, rng).reshape(WINDOWS, size)
    if "h" in names:
        zeros = np.zeros((1, 1, 128), np.float32)
        return [{"input": waves, "h": zeros, "c": zeros}]
    state = np.zeros((2, 1, 128), np.float32)
    every = {"sr": np.array(rate, np.int64), "state": state}
    return [{name: every.get(name, wave[None]) for name in names} for wave in waves]


def difference(library, path, rate):
    """The largest difference of an output."""
    with open(path, "rb") as file:
        data = file.read()
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    largest, state = 0.0, None
    for given in inputs_of(session, rate, np.random.default_rng(rate)):
        if state is not None and "state" in given:
            given["state"] = state
        wanted = session.run(None, given)
        got = library.run(data, list(given.values()), len(wanted))
        for a, b in zip(wanted, got):
            if a.shape != b.shape or a.dtype != b.dtype:
                return float("inf")
            largest = max(largest, float(np.abs(a - b).max()))
        state = wanted[1]
    return largest


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--device", default="builtin")
    options = parser.parse_args()
    onnxruntime.set_default_logger_severity(4)
    library = Library(options.library, options.device)
    found = importlib.util.find_spec("silero_vad")
    if found is None:
        print("skipped: there is no silero_vad; pip install --no-deps silero-vad")
        sys.exit(77)
    folder = found.submodule_search_locations[0]
    failed = 0
    for path in sorted(glob.glob(os.path.join(folder, "data", "*.onnx"))):
        name = os.path.basename(path)
        for rate in (16000,) if "16k" in name else (16000, 8000):
            largest = difference(library, path, rate)
            failed += not largest < 1e-4
            print(f"{name} at {rate}: the largest difference is {largest:.2g}")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
