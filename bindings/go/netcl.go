// Package netcl is OpenCL compute for Go: devices, N-d tensors, buffer pools, kernels, fused
// expressions and fast ops, on any OpenCL driver and, where there is none, on a built-in CPU device.
//
//	device, err := netcl.Open("auto")
//	...
//	defer device.Close()
//	a, err := netcl.FromSlice(device, []float32{1, 2, 3, 4}, 2, 2)
//	...
//	y, err := a.Matmul(a)
//	...
//	values, err := netcl.ToSlice[float32](ctx, y)
//
// # Names
//
// Every function of the C interface is here under its name: netcl_pool_get_info is Pool.Info,
// netcl_tensor_create_zeros is NewTensorZeros, netcl_op_softmax is OpSoftmax, NETCL_POOL_PINNED is
// PoolPinned. Options are structs whose zero values are the defaults; nil means all defaults, and an
// empty text is C's NULL. Most ops are methods of Tensor too, with defaults for all options:
// x.Softmax(1).
//
// # Objects
//
// Objects are references to objects of the library. Close gives one back, at once and without
// waiting; what is not closed goes with the garbage collector, which is called by how many bytes
// tensors hold, and before a call fails for want of memory. Objects keep alive what they need, memory
// of the host included, and may be closed in any order. A closed object, or a nil one, is refused with ErrInvalidHandle.
//
// All objects may be used by any number of goroutines. Calls on those that the header calls movable
// run one after the other.
//
// # Errors
//
// Errors of the library are *Error: a Status, a message that names the argument and its value, and
// the code of the driver. Compare with errors.Is(err, netcl.ErrTimeout).
//
// # Waits
//
// What waits takes a context, and returns its error when it ends first; what was waited for goes on
// then. A context without an end, such as context.Background(), waits as long as it takes. A wait
// holds a thread, like any call into C.
//
// # What is not here
//
// State that belongs to a thread (the active device, the stack of regions), since goroutines move
// between threads: devices and regions are passed instead. Callbacks that the library would keep:
// ReadLog and FollowLog read the log without any.
package netcl

// #cgo netcl_link pkg-config: netcl
// #cgo netcl_link CFLAGS: -DNETCLGO_LINK
// #cgo linux LDFLAGS: -ldl
import "C"
