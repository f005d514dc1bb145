package main

import "netcl.example/netcl"

func pickRows(device *netcl.Device) error {
	// [recipe]
	table, err := netcl.FromSlice(device, []float32{1, 2, 3, 4, 5, 6}, 3, 2)
	if err != nil {
		return err
	}
	defer table.Close()
	rows, err := netcl.FromSlice(device, []int32{2, 0, -1}, 3) // -1: the last one
	if err != nil {
		return err
	}
	defer rows.Close()
	picked, err := table.Gather(rows, 0)
	if err != nil {
		return err
	}
	defer picked.Close()
	return expect(picked, 5, 6, 1, 2, 5, 6)
	// [end]
}
