package main

import "netcl.example/netcl"

func softmaxRows(device *netcl.Device) error {
	// [recipe]
	scores, err := netcl.FromSlice(device, []float32{0, 0, 0, 1}, 2, 2)
	if err != nil {
		return err
	}
	defer scores.Close()
	odds, err := scores.Softmax(-1) // along the last axis
	if err != nil {
		return err
	}
	defer odds.Close()
	return expect(odds, 0.5, 0.5, 0.26894, 0.73106)
	// [end]
}
