package main

import "netcl.example/netcl"

func standardize(device *netcl.Device) error {
	// [recipe]
	x, err := netcl.FromSlice(device, []float32{1, 3, 10, 30}, 2, 2)
	if err != nil {
		return err
	}
	defer x.Close()
	rows := &netcl.ReduceOptions{Keepdims: true} // [2, 1]: broadcasts over x
	rows.Axes = append(rows.Axes, -1)
	mean, err := netcl.OpReduce(x, netcl.ReductionMean, rows, nil)
	if err != nil {
		return err
	}
	defer mean.Close()
	square, err := netcl.Expr("(v0 - v1) * (v0 - v1)", x, mean)
	if err != nil {
		return err
	}
	defer square.Close()
	variance, err := netcl.OpReduce(square, netcl.ReductionMean, rows, nil)
	if err != nil {
		return err
	}
	defer variance.Close()
	y, err := netcl.Expr("(v0 - v1) / sqrt(v2)", x, mean, variance)
	if err != nil {
		return err
	}
	defer y.Close()
	return expect(y, -1, 1, -1, 1)
	// [end]
}
