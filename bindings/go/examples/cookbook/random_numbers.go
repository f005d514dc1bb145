package main

import (
	"context"

	"netcl.example/netcl"
)

func randomNumbers(device *netcl.Device) error {
	// [recipe]
	s := netcl.NewScope() // closes what it is given
	defer s.Close()
	// Mean 0, deviation 1.
	normal := &netcl.RandomOptions{Seed: 42, Distribution: netcl.DistributionNormal}
	whole := s.Keep(netcl.NewTensorRandom(device, netcl.F32, []int{8}, nil, normal, nil))
	normal.Offset = 4 // goes on where the first four ended: for parts, and for several devices
	rest := s.Keep(netcl.NewTensorRandom(device, netcl.F32, []int{4}, nil, normal, nil))
	half := s.Keep(whole.Part(4, 8))
	if err := s.Err(); err != nil {
		return err
	}
	wanted, err := netcl.ToSlice[float32](context.Background(), half)
	if err != nil {
		return err
	}
	return expect(rest, wanted...)
	// [end]
}
