#!/usr/bin/env python3
"""Shows a PyTorch tensor over netcl's memory on a GPU, without a copy, in the right order.

    tests/share/torch_shares.py build/release/libnetcl.so

Needs a GPU of NVIDIA and torch with CUDA; without them it says so and exits with 77.
"""

import ctypes as C
import sys

FOREVER = 2**64 - 1
CAPSULE_NEW = C.pythonapi.PyCapsule_New
CAPSULE_NEW.restype = C.py_object
CAPSULE_NEW.argtypes = [C.c_void_p, C.c_char_p, C.c_void_p]
CAPSULE_POINTER = C.pythonapi.PyCapsule_GetPointer
CAPSULE_POINTER.restype = C.c_void_p
CAPSULE_POINTER.argtypes = [C.py_object, C.c_char_p]
CAPSULE_NAME = C.pythonapi.PyCapsule_SetName
CAPSULE_NAME.argtypes = [C.py_object, C.c_char_p]
NAME, USED = b"dltensor", b"used_dltensor"  # capsules keep the pointer
F32 = 3


class TensorOptions(C.Structure):
    _fields_ = [("struct_size", C.c_size_t), ("queue", C.c_void_p), ("pool", C.c_void_p),
                ("event", C.c_void_p), ("async_copy", C.c_int32), ("use_pinned", C.c_int32),
                ("borrow", C.c_uint32), ("take_ownership", C.c_uint32), ("share", C.c_uint32),
                ("reserved", C.c_uint32)]


class RunOptions(C.Structure):
    _fields_ = [("struct_size", C.c_size_t), ("queue", C.c_void_p), ("into", C.c_void_p),
                ("waits", C.c_void_p), ("event", C.c_void_p), ("waits_count", C.c_uint32),
                ("reserved", C.c_uint32), ("graph", C.c_void_p)]


class Netcl:
    def __init__(self, path):
        self.lib = C.CDLL(path)
        self.lib.netcl_last_error_message.restype = C.c_char_p

    def __getattr__(self, name):
        function = getattr(self.lib, "netcl_" + name)

        def call(*arguments):
            if function(*arguments) != 0:
                raise RuntimeError(f"{name}: {self.lib.netcl_last_error_message().decode()}")
        return call


class Shared:
    """A tensor of netcl that torch.from_dlpack takes."""

    def __init__(self, netcl, tensor):
        self.netcl, self.tensor = netcl, tensor

    def managed(self):
        managed = C.c_void_p()
        self.netcl.tensor_to_dlpack(self.tensor, C.c_uint64(FOREVER), C.byref(managed))
        return managed.value

    def __dlpack_device__(self):
        return 2, DEVICE

    # The call of netcl waits for all that writes the tensor, which is right for any stream.
    def __dlpack__(self, *, stream=None, **_):
        return CAPSULE_NEW(self.managed(), NAME, None)

    def address(self):
        buffer, address = C.c_void_p(), C.c_uint64()
        self.netcl.tensor_get_buffer(self.tensor, C.byref(buffer))
        self.netcl.buffer_get_cuda_address(buffer, C.byref(address))
        self.netcl.lib.netcl_buffer_release(buffer)
        return address.value

    def apply(self, formula):
        inputs = (C.c_void_p * 1)(self.tensor)
        run = RunOptions(C.sizeof(RunOptions), into=self.tensor)
        self.netcl.op_expression_text(formula.encode(), inputs, C.c_uint32(1), None, C.byref(run),
                                      None)

    def wait(self):
        self.netcl.tensor_wait(self.tensor, C.c_uint64(FOREVER))


def zeros(netcl, device, *shape):
    options = TensorOptions(C.sizeof(TensorOptions), share=1)
    tensor = C.c_void_p()
    netcl.tensor_create_zeros(device, C.c_int32(F32), C.c_uint32(len(shape)),
                              (C.c_int64 * len(shape))(*shape), None, C.byref(options),
                              C.byref(tensor))
    return Shared(netcl, tensor)


def from_torch(netcl, device, x):
    """A tensor of netcl over one of torch; what torch has enqueued on it is done first."""
    torch.cuda.current_stream().synchronize()
    capsule = torch.utils.dlpack.to_dlpack(x)
    tensor = C.c_void_p()
    netcl.tensor_create_from_dlpack(device, C.c_void_p(CAPSULE_POINTER(capsule, NAME)), None,
                                    C.byref(tensor))
    CAPSULE_NAME(capsule, USED)
    return Shared(netcl, tensor)


def main():
    global DEVICE, torch
    try:
        import torch
        if not torch.cuda.is_available():
            raise ImportError("torch sees no GPU")
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    netcl, device = Netcl(sys.argv[1]), C.c_void_p()
    netcl.device_open(b"gpu", None, C.byref(device))
    torch.cuda.init()
    DEVICE = torch.cuda.current_device()
    held = torch.cuda.memory_allocated()
    ours = zeros(netcl, device, 4096, 4096)
    theirs = torch.from_dlpack(ours)
    assert theirs.data_ptr() == ours.address(), "the address is another"
    assert torch.cuda.memory_allocated() == held, "torch has allocated memory"
    print(f"one address: {theirs.data_ptr():#x}, {theirs.device}, {tuple(theirs.shape)}")

    # Work of both in turn, each as soon as the other has been waited for.
    for i in range(50):
        ours.apply("v0 * 2 + 1")
        ours.wait()
        theirs.mul_(3).sub_(2)
        torch.cuda.current_stream().synchronize()
    wanted = torch.zeros((), dtype=torch.float32)
    for i in range(50):
        wanted = (wanted * 2 + 1) * 3 - 2
    got = theirs.cpu()
    assert torch.equal(got, wanted.expand_as(got)), (got.flatten()[:3], wanted)
    print("50 turns of both: right")

    # Weights of a layer, of which netcl takes a slice that torch has cut.
    layer = torch.nn.Linear(4096, 4096, bias=False, device="cuda")
    with torch.no_grad():
        theirs.copy_(layer.weight)
        layer.weight = torch.nn.Parameter(theirs, requires_grad=False)
        x = torch.randn(16, 4096, device="cuda")
        before = layer(x)
        half = from_torch(netcl, device, theirs[1024:3072])
        assert half.tensor.value != ours.tensor.value
        half.apply("v0 * 2")
        half.wait()
        after = layer(x)
    scale = torch.ones(4096, device="cuda")
    scale[1024:3072] = 2
    assert torch.allclose(after, before * scale, rtol=1e-5, atol=1e-5)
    print("netcl doubles rows 1024 to 3072 of a layer's weights: right")

    # The export keeps the memory when netcl's own tensor is gone; so does netcl's of torch's.
    netcl.lib.netcl_tensor_release(ours.tensor)
    kept = theirs.clone()
    other = [zeros(netcl, device, 4096, 4096) for _ in range(3)]
    for tensor in other:
        tensor.apply("v0 + 5")
        tensor.wait()
    assert torch.equal(theirs, kept), "the memory was given to another tensor"
    del theirs, layer, before, after
    half.apply("v0 - v0 + 4")
    half.wait()
    for tensor in [half, *other]:
        netcl.lib.netcl_tensor_release(tensor.tensor)
    netcl.lib.netcl_device_release(device)
    print("lifetimes: right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
