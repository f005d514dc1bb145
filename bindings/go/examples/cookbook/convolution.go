package main

import "netcl.example/netcl"

func convolution(device *netcl.Device) error {
	// [recipe]
	s := netcl.NewScope() // closes what it is given
	defer s.Close()
	image := s.Keep(netcl.Full(device, float32(1), 1, 1, 3, 3)) // [N, C, H, W]
	filter := s.Keep(netcl.Full(device, float32(1), 1, 1, 3, 3))
	// The result is 3 x 3 again.
	sums := s.Keep(image.Conv2D(filter, netcl.WithPadding(1, 1, 1, 1)))
	if err := s.Err(); err != nil {
		return err
	}
	return expect(sums, 4, 6, 4, 6, 9, 6, 4, 6, 4)
	// [end]
}
