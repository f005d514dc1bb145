package main

import (
	"errors"

	"netcl.example/netcl"
)

func ownKernel(device *netcl.Device) error {
	// [recipe]
	const source = `
	__kernel void axpy(__global const float *x, __global float *y, float a) {
	  size_t i = get_global_id(0);
	  y[i] = a * x[i] + y[i];
	}`
	kernel, err := netcl.NewKernelFromSource(device, "axpy", source)
	if errors.Is(err, netcl.ErrUnsupported) {
		return nil // the built-in device has no compiler; others compile at the first launch
	}
	if err != nil {
		return err
	}
	defer kernel.Close()
	x, err := netcl.FromSlice(device, []float32{1, 2, 3, 4}, 4)
	if err != nil {
		return err
	}
	defer x.Close()
	y, err := netcl.Full(device, float32(1), 4)
	if err != nil {
		return err
	}
	defer y.Close()
	args := []netcl.Arg{netcl.ReadOnlyArg(x), netcl.TensorArg(y), netcl.ScalarArg(float32(3))}
	if err := kernel.Launch([]uint64{4}, nil, args, nil, nil); err != nil {
		return err
	}
	return expect(y, 4, 7, 10, 13)
	// [end]
}
