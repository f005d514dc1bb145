package main

import (
	"errors"
	"fmt"

	"netcl.example/netcl"
)

func errorsSaid(device *netcl.Device) error {
	// [recipe]
	a, err := netcl.FromSlice(device, []float32{1, 2, 3}, 1, 3)
	if err != nil {
		return err
	}
	defer a.Close()
	_, err = a.Matmul(a) // 3 and 1 do not fit
	if errors.Is(err, netcl.ErrInvalidArgument) {
		fmt.Println(err) // says which shapes, and what of them disagrees
		return nil
	}
	// [end]
	return fmt.Errorf("it was not refused: %v", err)
}
