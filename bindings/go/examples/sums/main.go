// Sums is the program of README.md.
//
// usage: go run ./examples/sums

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
	s := netcl.NewScope() // closes the temporaries, remembers the first error
	defer s.Close()
	a := s.Keep(netcl.Random(device, netcl.F32, 1, 512, 512))
	y := s.Keep(a.Matmul(a))
	y = s.Keep(y.SubScalar(100))
	z := s.Keep(netcl.Expr("relu(v0) * 0.5", y)) // one fused kernel
	sums := s.Keep(z.Reduce(netcl.ReductionSum, netcl.WithAxes(1), netcl.WithKeepdims()))
	if err := s.Err(); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", sums)
	values, err := netcl.ToSlice[float32](context.Background(), sums)
	fmt.Println(len(values), err)
}

// [end]
