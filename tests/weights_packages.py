#!/usr/bin/env python3
"""Compares files of named tensors with the Python packages that others read and write them with.

    weights_packages.py LIBRARY [--device builtin]

What `safetensors`, `gguf` and `numpy` write is read by the library, and what it writes by them,
byte for byte. LIBRARY is libnetcl.so. Exit status: 0 when all agree, 77 where a package is missing,
which is said.
"""

import argparse
import ctypes
import os
import sys
import tempfile

try:
    import gguf
    import numpy as np
    import safetensors.numpy
    from safetensors import safe_open
except ImportError as missing:
    print(f"skipped: {missing}; pip install safetensors gguf numpy")
    sys.exit(77)

# By netcl_dtype; bf16 is none of numpy's.
DTYPES = {1: np.float16, 3: np.float32, 4: np.float64, 5: np.int8, 6: np.int16, 7: np.int32,
          8: np.int64, 9: np.uint8, 10: np.uint16, 11: np.uint32, 12: np.uint64, 13: np.bool_}
SAFETENSORS, NPZ = 1, 3
SHAPES = [(), (5,), (3, 4), (2, 0, 3), (2, 3, 4, 5)]
FOREVER = ctypes.c_uint64(2**64 - 1)


class TensorInfo(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("dtype", ctypes.c_int32),
                ("rank", ctypes.c_uint32), ("shape", ctypes.c_int64 * 8),
                ("strides", ctypes.c_int64 * 8), ("offset", ctypes.c_int64),
                ("element_count", ctypes.c_int64), ("byte_count", ctypes.c_uint64),
                ("contiguous", ctypes.c_uint32), ("zero_copy", ctypes.c_uint32),
                ("borrowed", ctypes.c_uint32), ("pooled", ctypes.c_uint32),
                ("mapped", ctypes.c_uint32), ("reserved", ctypes.c_uint32)]


class QuantizedOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("scales", ctypes.c_void_p),
                ("zero_points", ctypes.c_void_p), ("epilogue", ctypes.c_void_p),
                ("k", ctypes.c_int64), ("format", ctypes.c_int32), ("bits", ctypes.c_uint32),
                ("block_size", ctypes.c_uint32), ("dtype", ctypes.c_int32),
                ("has_zero_points", ctypes.c_uint32), ("reserved", ctypes.c_uint32)]


class Library:
    """The library, through its header's functions."""

    def __init__(self, path, selector):
        self.lib = ctypes.CDLL(path)
        self.lib.netcl_last_error_message.restype = ctypes.c_char_p
        self.device = ctypes.c_void_p()
        self.call("device_open", selector.encode(), None, ctypes.byref(self.device))

    def call(self, name, *arguments):
        if getattr(self.lib, "netcl_" + name)(*arguments) != 0:
            sys.exit(f"{name}: {self.lib.netcl_last_error_message().decode()}")

    def open(self, path):
        weights = ctypes.c_void_p()
        self.call("weights_open", self.device, path.encode(), None, ctypes.byref(weights))
        return weights

    def tensor(self, weights, name):
        index, tensor = ctypes.c_uint32(), ctypes.c_void_p()
        self.call("weights_find", weights, name.encode(), ctypes.byref(index))
        self.call("weights_get_tensor", weights, index, None, ctypes.byref(tensor))
        return tensor

    def array(self, tensor):
        info = TensorInfo(struct_size=ctypes.sizeof(TensorInfo))
        self.call("tensor_get_info", tensor, ctypes.byref(info))
        dtype = np.uint16 if info.dtype == 2 else DTYPES[info.dtype]
        out = np.empty(tuple(info.shape[:info.rank]), dtype)
        self.call("tensor_read", tensor, out.ctypes.data_as(ctypes.c_void_p),
                  ctypes.c_size_t(out.nbytes), None, FOREVER)
        self.lib.netcl_tensor_release(tensor)
        return out

    def read(self, path, names):
        weights = self.open(path)
        arrays = {name: self.array(self.tensor(weights, name)) for name in names}
        self.lib.netcl_weights_release(weights)
        return arrays

    def metadata(self, path, key):
        weights, text = self.open(path), ctypes.create_string_buffer(4096)
        self.call("weights_get_metadata", weights, key.encode(), text, ctypes.c_size_t(4096), None)
        self.lib.netcl_weights_release(weights)
        return text.value.decode()

    def make(self, array):
        dtype = next(number for number, kind in DTYPES.items() if kind == array.dtype.type)
        tensor, shape = ctypes.c_void_p(), (ctypes.c_int64 * 8)(*array.shape)
        packed = np.ascontiguousarray(array)
        self.call("tensor_create_from_host", self.device, dtype, array.ndim, shape, None,
                  packed.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(packed.nbytes), None,
                  ctypes.byref(tensor))
        return tensor

    def save(self, path, form, arrays):
        names = (ctypes.c_char_p * len(arrays))(*[name.encode() for name in arrays])
        tensors = (ctypes.c_void_p * len(arrays))(*[self.make(a).value for a in arrays.values()])
        self.call("weights_save", path.encode(), form, names, len(arrays), tensors, len(arrays),
                  None, FOREVER)
        for tensor in tensors:
            self.lib.netcl_tensor_release(ctypes.c_void_p(tensor))


def arrays_of_all_types(rng):
    """An array of each dtype and shape; names have dots, blanks and letters beyond ASCII."""
    made = {}
    for dtype in DTYPES.values():
        for shape in SHAPES:
            values = rng.integers(0, 2 if dtype is np.bool_ else 100, shape)
            made[f"{dtype.__name__}.\u00e9 {len(shape)}"] = np.asarray(values, dtype)
    return made


def same(wanted, got, what):
    for name, array in wanted.items():
        if got[name].dtype != array.dtype or not np.array_equal(got[name], array):
            sys.exit(f"{what}: {name} is another")
    print(f"{what}: {len(wanted)} tensors agree")


def check_gguf(library, path, rng):
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_uint32("llama.block_count", 7)
    writer.add_float32("eps", 0.1)
    writer.add_array("tokenizer.ggml.tokens", ["a", "\u20ac", ""])
    arrays = {"f32": rng.standard_normal((3, 5)).astype(np.float32),
              "f16": rng.standard_normal((2, 3, 4)).astype(np.float16),
              "i8": rng.integers(-9, 9, (4,), np.int8), "f64": rng.standard_normal((2, 2))}
    for name, array in arrays.items():
        writer.add_tensor(name, array)
    matrix = rng.standard_normal((6, 512)).astype(np.float32)
    kinds = {"Q4_0": 2, "Q8_0": 3}
    packed = {name: gguf.quants.quantize(matrix, gguf.GGMLQuantizationType[name])
              for name in kinds}
    for name, array in packed.items():
        writer.add_tensor(name, array, raw_dtype=gguf.GGMLQuantizationType[name])
    block = rng.integers(0, 255, (6, 288), np.uint8)
    block.reshape(6, 2, 144)[:, :, 1] = 0x2c  # scales that are numbers
    block.reshape(6, 2, 144)[:, :, 3] = 0x2c
    packed["Q4_K"], kinds["Q4_K"] = block, 4
    writer.add_tensor("Q4_K", block, raw_dtype=gguf.GGMLQuantizationType.Q4_K)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    same(arrays, library.read(path, arrays), "plain tensors of gguf")
    for key, text in {"llama.block_count": "7", "eps": "0.1", "general.architecture": "llama",
                      "tokenizer.ggml.tokens": '["a", "\u20ac", ""]'}.items():
        if library.metadata(path, key) != text:
            sys.exit(f"gguf: {key} is {library.metadata(path, key)}")
    weights = library.open(path)
    for name, kind in kinds.items():
        tensor, whole = library.tensor(weights, name), ctypes.c_void_p()
        options = QuantizedOptions(struct_size=ctypes.sizeof(QuantizedOptions), format=kind)
        library.call("op_dequantize_weights", tensor, ctypes.byref(options), None,
                     ctypes.byref(whole))
        wanted = gguf.quants.dequantize(packed[name], gguf.GGMLQuantizationType[name])
        bytes_of = library.array(tensor)
        if bytes_of.tobytes() != packed[name].tobytes():
            sys.exit(f"gguf: the blocks of {name} are others")
        if not np.allclose(library.array(whole), wanted, rtol=1e-6, atol=1e-6):
            sys.exit(f"gguf: the weights of {name} are others")
    library.lib.netcl_weights_release(weights)
    print(f"blocks of gguf: {len(kinds)} types agree")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--device", default="builtin")
    arguments = parser.parse_args()
    library = Library(arguments.library, arguments.device)
    rng = np.random.default_rng(7)
    arrays = arrays_of_all_types(rng)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "file")
        safetensors.numpy.save_file(arrays, path, metadata={"format": "np", "\u00e9": "a\nb"})
        same(arrays, library.read(path, arrays), "written by safetensors")
        if library.metadata(path, "\u00e9") != "a\nb":
            sys.exit("the metadata of safetensors is another")
        library.save(path, SAFETENSORS, arrays)
        with safe_open(path, "np") as file:
            same(arrays, {name: file.get_tensor(name) for name in file.keys()},
                 "read by safetensors")
        npz = path + ".npz"
        for save in (np.savez, np.savez_compressed):
            turned = {name: np.array(array, order="F") for name, array in arrays.items()}
            save(npz, **turned)
            same(arrays, library.read(npz, arrays), "written by numpy." + save.__name__)
        library.save(npz, NPZ, arrays)
        with np.load(npz) as file:
            same(arrays, {name: file[name] for name in file.files}, "read by numpy")
        check_gguf(library, path + ".gguf", rng)


if __name__ == "__main__":
    main()
