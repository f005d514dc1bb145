package main

import "netcl.example/netcl"

func addRow(device *netcl.Device) error {
	// [recipe]
	x, err := netcl.FromSlice(device, []float32{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		return err
	}
	defer x.Close()
	row, err := netcl.FromSlice(device, []float32{10, 20, 30}, 3)
	if err != nil {
		return err
	}
	defer row.Close()
	sum, err := x.Add(row)
	if err != nil {
		return err
	}
	defer sum.Close()
	return expect(sum, 11, 22, 33, 14, 25, 36)
	// [end]
}
