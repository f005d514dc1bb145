package netcl

// #include "zz_calls.h"
import "C"

import "math"

// Arg is one argument of a kernel.
type Arg struct {
	kind   ArgKind
	size   uint32
	tensor *Tensor
	value  Scalar
	data   []byte
	other  bool
}

// Reinterpret is the same argument where the parameter is meant to see the bytes as elements of
// another type than they are; without it such a parameter is refused.
func (arg Arg) Reinterpret() Arg {
	arg.other = true
	return arg
}

// TensorArg passes a tensor, which is written unless the parameter is const.
func TensorArg(tensor *Tensor) Arg {
	return Arg{kind: ArgTensor, tensor: tensor}
}

// ReadOnlyArg passes a tensor that the kernel only reads: other commands may read it at the same
// time. It is a promise. Nobody looks into the kernel, and a parameter that is not const is no error:
// where the kernel writes all the same, later reads may see old or half-written elements.
func ReadOnlyArg(tensor *Tensor) Arg {
	return Arg{kind: ArgTensorReadOnly, tensor: tensor}
}

// ScalarArg passes a number: ScalarArg(float32(2)).
func ScalarArg[T Element](value T) Arg {
	return Arg{kind: ArgScalar, size: uint32(len(bytesOf([]T{value}))), value: ScalarOf(value)}
}

// DataArg passes the bytes of a value of another type, such as a struct.
func DataArg(data []byte) Arg {
	// More than 32 bits count cannot be a parameter; 0 makes the library refuse it.
	if uint64(len(data)) > math.MaxUint32 {
		return Arg{kind: ArgData}
	}
	return Arg{kind: ArgData, size: uint32(len(data)), data: data}
}

// LocalArg passes local memory of so many bytes.
func LocalArg(bytes int) Arg {
	if bytes < 0 || uint64(bytes) > math.MaxUint32 {
		return Arg{kind: ArgLocal}
	}
	return Arg{kind: ArgLocal, size: uint32(bytes)}
}

// NullArg passes a NULL pointer for a buffer.
func NullArg() Arg {
	return Arg{kind: ArgNull}
}

// rawArgs makes the array of C. What its members point to has to be memory of C.
func rawArgs(k *keeper, args []Arg) *C.netcl_arg {
	if len(args) == 0 {
		return nil
	}
	list := make([]C.netcl_arg, len(args))
	before := k.deepen(true)
	for i := range args {
		raw, arg := &list[i], &args[i]
		raw.kind, raw.size = C.netcl_arg_kind(arg.kind), C.uint32_t(arg.size)
		if arg.other {
			raw.reinterpret = 1
		}
		switch arg.kind {
		case ArgTensor, ArgTensorReadOnly:
			raw.tensor = cTensor(arg.tensor)
		case ArgScalar:
			raw.dtype = C.netcl_dtype(arg.value.dtype)
			for j, b := range arg.value.bytes {
				raw.value[j] = C.uchar(b)
			}
		case ArgData:
			raw.data = k.bytes(arg.data)
		}
	}
	k.deep = before
	return &list[0]
}
