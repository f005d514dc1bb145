package main

import "netcl.example/netcl"

func severalResults(device *netcl.Device) error {
	// [recipe]
	s := netcl.NewScope() // closes what it is given
	defer s.Close()
	number := func(value float32) *netcl.Tensor { // Numbers are tensors of rank 0.
		return s.Keep(netcl.Full(device, value))
	}
	x, y, cos, sin := number(1), number(0), number(0.6), number(0.8)
	turn := []string{"v0 * v2 - v1 * v3", "v0 * v3 + v1 * v2"}
	out := s.KeepAll(netcl.Exprs(turn, x, y, cos, sin)) // one kernel reads each once
	if err := s.Err(); err != nil {
		return err
	}
	if err := expect(out[0], 0.6); err != nil {
		return err
	}
	return expect(out[1], 0.8)
	// [end]
}
