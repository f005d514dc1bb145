package main

import (
	"context"
	"fmt"

	"netcl.example/netcl"
)

func threads(device *netcl.Device) error {
	// [recipe]
	x, err := netcl.FromSlice(device, []float32{1, 2, 3, 4}, 4)
	if err != nil {
		return err
	}
	defer x.Close()
	low, err := x.Part(0, 2) // views; a tensor may be used by any number of goroutines
	if err != nil {
		return err
	}
	defer low.Close()
	high, err := x.Part(2, 4)
	if err != nil {
		return err
	}
	defer high.Close()
	sums, failures := make(chan float32, 2), make(chan error, 2)
	for _, part := range []*netcl.Tensor{low, high} {
		go func(part *netcl.Tensor) {
			sum, err := part.Sum()
			if err != nil {
				failures <- err
				return
			}
			defer sum.Close()
			value, err := netcl.Item[float32](context.Background(), sum)
			failures <- err
			sums <- value
		}(part)
	}
	for i := 0; i < 2; i++ {
		if err := <-failures; err != nil {
			return err
		}
	}
	total := <-sums + <-sums // 10
	// [end]
	if total != 10 {
		return fmt.Errorf("the sum is %v and not 10", total)
	}
	return nil
}
