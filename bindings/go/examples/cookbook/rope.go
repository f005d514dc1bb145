package main

import (
	"math"

	"netcl.example/netcl"
)

func rope(device *netcl.Device) error {
	// [recipe]
	const positions, size = 3, 4
	var cosines, sines []float32 // of each position and pair
	for p := 0; p < positions; p++ {
		for i := 0; i < size/2; i++ {
			sine, cosine := math.Sincos(float64(p) * math.Pow(10000, -2*float64(i)/size))
			sines, cosines = append(sines, float32(sine)), append(cosines, float32(cosine))
		}
	}
	s := netcl.NewScope() // closes what it is given
	defer s.Close()
	ones := []float32{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}
	x := s.Keep(netcl.FromSlice(device, ones, 1, 1, positions, size))
	c := s.Keep(netcl.FromSlice(device, cosines, positions, size/2))
	i := s.Keep(netcl.FromSlice(device, sines, positions, size/2))
	places := s.Keep(netcl.FromSlice(device, []int64{0, 1, 2}, 1, positions)) // of each token
	turned := s.Keep(x.RotaryEmbedding(c, i, netcl.WithPositionIds(places)))
	if err := s.Err(); err != nil {
		return err
	}
	return expect(turned, 1, 0, 0, 0, 0.5403, 0, 0.84147, 0, -0.41615, 0, 0.9093, 0)
	// [end]
}
