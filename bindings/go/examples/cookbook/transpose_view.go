package main

import "netcl.example/netcl"

func transposeView(device *netcl.Device) error {
	// [recipe]
	s := netcl.NewScope() // closes what it is given
	defer s.Close()
	x := s.Keep(netcl.FromSlice(device, []float32{1, 2, 3, 4, 5, 6}, 2, 3))
	turned := s.Keep(x.T())             // [3, 2], no copy; Permute takes any order
	product := s.Keep(x.Matmul(turned)) // ops take any strides
	if err := s.Err(); err != nil {
		return err
	}
	if err := expect(turned, 1, 4, 2, 5, 3, 6); err != nil {
		return err
	}
	return expect(product, 14, 32, 32, 77)
	// [end]
}
