package main

import "netcl.example/netcl"

func updateInPlace(device *netcl.Device) error {
	// [recipe]
	x, err := netcl.FromSlice(device, []float32{1, 2, 3, 4}, 4)
	if err != nil {
		return err
	}
	defer x.Close()
	run := &netcl.RunOptions{Into: x} // the result goes where the input is
	_, err = netcl.OpExpressionText("v0 * 10 + 1", []*netcl.Tensor{x}, nil, run)
	if err != nil {
		return err
	}
	return expect(x, 11, 21, 31, 41)
	// [end]
}
