// Quickstart: a matrix product and a fused expression on the best device there is, checked against
// plain Go.
//
// usage: go run ./examples/quickstart [device]
package main

import (
	"context"
	"fmt"
	"log"
	"math"
	"os"

	"netcl.example/netcl"
)

func main() {
	selector := "auto"
	if len(os.Args) > 1 {
		selector = os.Args[1]
	}
	if err := run(selector); err != nil {
		log.Fatal(err)
	}
}

func run(selector string) error {
	list, err := netcl.Devices()
	if err != nil {
		return err
	}
	for _, info := range list {
		fmt.Printf("%d: %s\n", info.Index, info.Name)
	}
	device, err := netcl.Open(selector)
	if err != nil {
		return err
	}
	defer device.Close()
	fmt.Println("using", device)

	a, err := netcl.Random(device, netcl.F32, 1, 200, 300)
	if err != nil {
		return err
	}
	defer a.Close()
	b, err := netcl.Random(device, netcl.F32, 2, 300, 100)
	if err != nil {
		return err
	}
	defer b.Close()
	bias, err := netcl.Random(device, netcl.F32, 3, 100)
	if err != nil {
		return err
	}
	defer bias.Close()
	y, err := a.Matmul(b)
	if err != nil {
		return err
	}
	defer y.Close()
	z, err := netcl.Expr("relu(v0 + v1) * 0.5", y, bias) // One kernel.
	if err != nil {
		return err
	}
	defer z.Close()
	fmt.Printf("%.3f\n", z)
	return check(a, b, bias, z)
}

func check(tensors ...*netcl.Tensor) error {
	var values [4][]float32
	for i, tensor := range tensors {
		var err error
		if values[i], err = netcl.ToSlice[float32](context.Background(), tensor); err != nil {
			return err
		}
	}
	a, b, bias, z := values[0], values[1], values[2], values[3]
	for _, at := range [][2]int{{0, 0}, {7, 99}, {199, 50}} {
		row, column := at[0], at[1]
		sum := float64(bias[column])
		for k := 0; k < 300; k++ {
			sum += float64(a[row*300+k]) * float64(b[k*100+column])
		}
		want, got := math.Max(sum, 0)*0.5, float64(z[row*100+column])
		if math.Abs(got-want) > 1e-4*want {
			return fmt.Errorf("%v is not %v", got, want)
		}
	}
	fmt.Println("as plain Go computes it")
	return nil
}
