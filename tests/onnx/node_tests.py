#!/usr/bin/env python3
"""Runs the tests of the `onnx` package through the library: its node tests, with the small models
of its that have sequences, and its light networks.

    node_tests.py LIBRARY [--device builtin] [--filter TEXT] [--light] [--list]

LIBRARY is libnetcl.so; the package and numpy have to be installed. A test passes when all outputs
are those that the package expects; it is refused when netcl_model_load or a run says UNSUPPORTED,
or the test has what is no tensor of netcl's. The exit status is 0 when none is wrong. --list names
each test that was refused, by reason.
"""

import argparse
import ctypes
import glob
import os
import re
import sys
import warnings

try:
    import numpy as np
    import onnx
    from onnx import numpy_helper
    from onnx.backend.test.case.model import collect_testcases as collect_models
    from onnx.backend.test.case.node import collect_testcases
except ImportError as missing:
    print(f"skipped: {missing}; pip install onnx numpy")
    sys.exit(77)

UNSUPPORTED = -10
DTYPES = {"float16": 1, "bfloat16": 2, "float32": 3, "float64": 4, "int8": 5, "int16": 6,
          "int32": 7, "int64": 8, "uint8": 9, "uint16": 10, "uint32": 11, "uint64": 12, "bool": 13}


class TensorInfo(ctypes.Structure):
    """The beginning of netcl_tensor_info."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("dtype", ctypes.c_int32),
                ("rank", ctypes.c_uint32), ("shape", ctypes.c_int64 * 8),
                ("strides", ctypes.c_int64 * 8), ("rest", ctypes.c_byte * 256)]


class Refused(Exception):
    """What the library says that it cannot run."""


class Library:
    def __init__(self, path, device):
        self.lib = ctypes.CDLL(path)
        self.lib.netcl_last_error_message.restype = ctypes.c_char_p
        self.lib.netcl_tensor_release.argtypes = [ctypes.c_void_p]
        self.lib.netcl_model_release.argtypes = [ctypes.c_void_p]
        self.names = {}
        for name in DTYPES:
            self.names[DTYPES[name]] = name
        self.device = ctypes.c_void_p()
        self.check(self.lib.netcl_device_open(device.encode(), None, ctypes.byref(self.device)))

    def check(self, status):
        if status == 0:
            return
        message = self.lib.netcl_last_error_message().decode("utf-8", "replace")
        if status == UNSUPPORTED:
            raise Refused(message)
        raise RuntimeError(f"status {status}: {message}")

    def tensor(self, array):
        name = array.dtype.name
        if name not in DTYPES:
            raise Refused(f"the test has elements of {name}")
        data = np.ascontiguousarray(array)
        shape = (ctypes.c_int64 * max(1, array.ndim))(*array.shape)
        made = ctypes.c_void_p()
        self.check(self.lib.netcl_tensor_create_from_host(
            self.device, DTYPES[name], array.ndim, shape, None,
            ctypes.c_void_p(data.ctypes.data), ctypes.c_size_t(data.nbytes), None,
            ctypes.byref(made)))
        return made

    def array(self, tensor):
        info = TensorInfo()
        info.struct_size = 184
        self.check(self.lib.netcl_tensor_get_info(tensor, ctypes.byref(info)))
        name = self.names[info.dtype]
        if name == "bfloat16":
            import ml_dtypes
            dtype = np.dtype(ml_dtypes.bfloat16)
        else:
            dtype = np.dtype(name)
        array = np.empty(tuple(info.shape[:info.rank]), dtype)
        self.check(self.lib.netcl_tensor_read(tensor, ctypes.c_void_p(array.ctypes.data),
                                              ctypes.c_size_t(array.nbytes), None,
                                              ctypes.c_uint64(2**64 - 1)))
        return array

    def run(self, data, inputs, count):
        """The outputs of a model for arrays."""
        model = ctypes.c_void_p()
        self.check(self.lib.netcl_model_load_memory(self.device, data, ctypes.c_size_t(len(data)),
                                                    None, ctypes.byref(model)))
        tensors = []
        outputs = (ctypes.c_void_p * max(1, count))()
        try:
            for array in inputs:
                tensors.append(self.tensor(array))
            given = (ctypes.c_void_p * max(1, len(tensors)))(*[t.value for t in tensors])
            there = ctypes.c_uint32()
            self.check(self.lib.netcl_model_evaluate(model, given, len(tensors), None, outputs,
                                                     count, ctypes.byref(there)))
            if there.value != count:
                raise RuntimeError(f"the model has {there.value} outputs, the test {count}")
            return [self.array(ctypes.c_void_p(outputs[i])) for i in range(count)]
        finally:
            for tensor in tensors:
                self.lib.netcl_tensor_release(tensor)
            for tensor in outputs:
                if tensor:
                    self.lib.netcl_tensor_release(ctypes.c_void_p(tensor))
            self.lib.netcl_model_release(model)

    def live(self):
        """Handles that are left, but for the device."""
        counts = []
        for kind in range(2, 23):
            count = ctypes.c_uint64()
            self.check(self.lib.netcl_library_get_live_count(kind, ctypes.byref(count)))
            counts.append(count.value)
        return sum(counts)


def difference(wanted, got, rtol, atol):
    """What is wrong with an output; None where it is right."""
    wanted = np.asarray(wanted)
    if wanted.dtype != got.dtype:
        return f"dtype {got.dtype}, expected {wanted.dtype}"
    if wanted.shape != got.shape:
        return f"shape {got.shape}, expected {wanted.shape}"
    if wanted.dtype.kind in "biu":
        same = wanted == got
    else:
        wide = np.float64
        with np.errstate(all="ignore"):
            same = np.isclose(got.astype(wide), wanted.astype(wide), rtol=rtol, atol=atol,
                              equal_nan=True)
    if same.all():
        return None
    where = np.argwhere(~np.atleast_1d(same))[0]
    at = tuple(where) if wanted.ndim else ()
    return (f"{int((~same).sum())} of {same.size} differ, first at {at}: {got[at]}, expected "
            f"{wanted[at]}")


def tolerances(case, wanted):
    """Two units in the last place at least: where something is rounded in between is a choice. Of
    a transform each number is a sum over all, so the largest one says what a unit is."""
    unit = {"bfloat16": 2**-7, "float16": 2**-10}.get(wanted.dtype.name, 0)
    atol = max(case.atol, 2 * unit)
    if case.model.graph.node[0].op_type == "DFT" and wanted.size:
        atol = max(atol, 2**-22 * float(np.abs(wanted).max()))
    return max(case.rtol, 2 * unit), atol


def arrays_of(data_set):
    """Inputs and outputs of a test as lists of arrays."""
    lists = []
    for values in data_set:
        arrays = []
        for value in values:
            if isinstance(value, onnx.TensorProto):
                value = numpy_helper.to_array(value)
            if not isinstance(value, (np.ndarray, np.generic)):
                raise Refused("the test has values that are no tensors")
            arrays.append(np.asarray(value))
        lists.append(arrays)
    return lists


def is_random(case):
    """Whether the outputs that a test expects are random numbers of another generator."""
    ops = {node.op_type for node in case.model.graph.node}
    return (ops & {"Bernoulli", "RandomUniformLike"} != set() or
            case.name in ("test_training_dropout", "test_training_dropout_mask",
                          "test_training_dropout_default", "test_training_dropout_default_mask"))


def run_case(library, case):
    """None, or what is wrong."""
    for data_set in case.data_sets:
        inputs, outputs = arrays_of(data_set)
        got = library.run(case.model.SerializeToString(), inputs, len(outputs))
        if is_random(case):
            for wanted, array in zip(outputs, got):
                if wanted.shape != array.shape or wanted.dtype != array.dtype:
                    return f"{array.dtype} {array.shape}, expected {wanted.dtype} {wanted.shape}"
            raise Refused("random numbers, of which types and shapes are right")
        for i, (wanted, array) in enumerate(zip(outputs, got)):
            wrong = difference(wanted, array, *tolerances(case, np.asarray(wanted)))
            if wrong:
                return f"output {i}: {wrong}"
    return None


def light_cases():
    """The networks that the package holds, with the outputs that it recorded."""
    folder = os.path.join(os.path.dirname(onnx.__file__), "backend", "test", "data", "light")
    for path in sorted(glob.glob(os.path.join(folder, "*.onnx"))):
        model = onnx.load(path)
        weights = {w.name for w in model.graph.initializer}
        shapes = [[d.dim_value or 1 for d in v.type.tensor_type.shape.dim]
                  for v in model.graph.input if v.name not in weights]
        yield os.path.basename(path), path, shapes


def run_light(library):
    failed = 0
    for name, path, shapes in light_cases():
        inputs = []
        for shape in shapes:
            size = int(np.prod(shape))
            ramp = np.arange(size).reshape(shape) / size
            inputs.append(ramp.astype(np.float32))
        with open(path.replace(".onnx", "_output_0.pb"), "rb") as file:
            wanted = numpy_helper.to_array(onnx.TensorProto.FromString(file.read()))
        with open(path, "rb") as file:
            data = file.read()
        got = library.run(data, inputs, 1)[0]
        wrong = difference(wanted, got, 1e-3, 1e-5)
        print(f"{name}: {wrong or 'right'}")
        failed += wrong is not None
    return failed


def reason_of(message):
    """A message without what is that test's alone."""
    found = re.match(r"the model needs what netcl cannot run: (.*?)(; |: (node|weight|input) )",
                     message)
    return found[1] if found else re.sub(r"\d+|\[.*?\]", "N", re.sub(r'^node .*?\): ', "", message))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--device", default="builtin")
    parser.add_argument("--filter", default="")
    parser.add_argument("--light", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    library = Library(options.library, options.device)
    if options.light:
        sys.exit(run_light(library) != 0)
    warnings.simplefilter("ignore")
    passed, wrong, refused = 0, [], {}
    models = [case for case in collect_models() if case.name.startswith("test_sequence")]
    for case in collect_testcases(None) + models:
        if options.filter not in case.name:
            continue
        before = library.live()
        try:
            fault = run_case(library, case)
        except Refused as error:
            refused.setdefault(reason_of(str(error)), []).append(case.name)
            continue
        except RuntimeError as error:
            fault = str(error)
        if library.live() != before:
            fault = f"{fault or ''}; handles are left"
        if fault:
            wrong.append((case.name, fault))
        else:
            passed += 1
    for name, fault in wrong:
        print(f"WRONG {name}: {fault}")
    for reason, names in sorted(refused.items(), key=lambda item: -len(item[1])):
        print(f"refused {len(names)}: {reason}" + (": " + ", ".join(names) if options.list else ""))
    count = sum(len(names) for names in refused.values())
    print(f"{passed} passed, {len(wrong)} failed, {count} skipped")
    sys.exit(len(wrong) != 0)


if __name__ == "__main__":
    main()
