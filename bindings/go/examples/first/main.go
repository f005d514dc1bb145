// First is the program of docs/start/go.md.
//
// usage: go run ./examples/first

// [recipe]
package main

import (
	"context"
	"fmt"
	"log"

	"netcl.example/netcl"
)

func main() {
	device, err := netcl.Open("auto")
	if err != nil {
		log.Fatal(err)
	}
	defer device.Close()
	if err := compute(device); err != nil {
		log.Fatal(err)
	}
}

func compute(device *netcl.Device) error {
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
	values, err := netcl.ToSlice[float32](context.Background(), y)
	if err != nil {
		return err
	}
	fmt.Println(values) // [3 5 7 1 11 13]
	return nil
}

// [end]
