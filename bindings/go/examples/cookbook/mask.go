package main

import (
	"context"
	"fmt"

	"netcl.example/netcl"
)

func mask(device *netcl.Device) error {
	// [recipe]
	x, err := netcl.FromSlice(device, []float32{-2, -1, 0, 1, 2}, 5)
	if err != nil {
		return err
	}
	defer x.Close()
	clipped, err := netcl.Expr("select(v0 > 0, v0, 0.0)", x)
	if err != nil {
		return err
	}
	defer clipped.Close()
	positive, err := netcl.Expr("v0 > 0", x) // bool
	if err != nil {
		return err
	}
	defer positive.Close()
	sum, err := positive.Sum()
	if err != nil {
		return err
	}
	defer sum.Close()
	count, err := netcl.Item[int64](context.Background(), sum) // 2
	// [end]
	if err != nil || count != 2 {
		return fmt.Errorf("%d are positive: %v", count, err)
	}
	return expect(clipped, 0, 0, 0, 1, 2)
}
