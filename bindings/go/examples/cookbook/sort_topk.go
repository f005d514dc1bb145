package main

import (
	"context"
	"fmt"

	"netcl.example/netcl"
)

func sortTopk(device *netcl.Device) error {
	// [recipe]
	x, err := netcl.FromSlice(device, []float32{3, 1, 4, 1, 5}, 5)
	if err != nil {
		return err
	}
	defer x.Close()
	best, places, err := x.Topk(2, 0) // the two largest
	if err != nil {
		return err
	}
	defer best.Close()
	defer places.Close()
	where, err := netcl.ToSlice[int64](context.Background(), places) // 4, 2
	// [end]
	if err != nil || where[0] != 4 || where[1] != 2 {
		return fmt.Errorf("they are at %v: %v", where, err)
	}
	return expect(best, 5, 4)
}
