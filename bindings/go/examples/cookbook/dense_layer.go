package main

import "netcl.example/netcl"

func denseLayer(device *netcl.Device) error {
	// [recipe]
	s := netcl.NewScope() // closes what it is given
	defer s.Close()
	x := s.Keep(netcl.FromSlice(device, []float32{1, 2}, 1, 2))
	w := s.Keep(netcl.FromSlice(device, []float32{1, -1, 1, -1}, 2, 2))
	b := s.Keep(netcl.FromSlice(device, []float32{0.5, 0.5}))
	// Product, bias and relu are one kernel.
	y := s.Keep(x.Matmul(w, netcl.WithBias(b), netcl.WithActivation(netcl.ActivationRelu)))
	if err := s.Err(); err != nil {
		return err
	}
	return expect(y, 3.5, 0)
	// [end]
}
