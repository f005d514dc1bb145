package main

import "netcl.example/netcl"

func standardize(device *netcl.Device) error {
	// [recipe]
	x, err := netcl.FromSlice(device, []float32{1, 3, 10, 30}, 2, 2)
	if err != nil {
		return err
	}
	defer x.Close()
	s := netcl.NewScope() // closes the temporaries, remembers the first error
	defer s.Close()
	rows := &netcl.ReduceOptions{Axes: []int{-1}, Keepdims: true} // [2, 1]: broadcasts over x
	mean := s.Keep(x.Reduce(netcl.ReductionMean, rows))
	square := s.Keep(netcl.Expr("(v0 - v1) * (v0 - v1)", x, mean))
	variance := s.Keep(square.Reduce(netcl.ReductionMean, rows))
	y := s.Keep(netcl.Expr("(v0 - v1) / sqrt(v2)", x, mean, variance))
	if err := s.Err(); err != nil {
		return err
	}
	return expect(y, -1, 1, -1, 1)
	// [end]
}
