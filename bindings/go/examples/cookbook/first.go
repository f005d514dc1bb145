package main

import "netcl.example/netcl"

func first(device *netcl.Device) error {
	// [recipe]
	x, err := netcl.FromSlice(device, []float32{1, 2, 3, -4, 5, 6}, 2, 3)
	if err != nil {
		return err
	}
	defer x.Close()
	y, err := netcl.Expr("relu(v0) * 2 + 1", x)
	if err != nil {
		return err
	}
	defer y.Close()
	return expect(y, 3, 5, 7, 1, 11, 13) // by netcl.ToSlice[float32](ctx, y)
	// [end]
}
