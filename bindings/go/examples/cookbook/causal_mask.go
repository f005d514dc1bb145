package main

import "netcl.example/netcl"

func causalMask(device *netcl.Device) error {
	// [recipe]
	s := netcl.NewScope() // closes what it is given
	defer s.Close()
	heads := func(values ...float32) *netcl.Tensor { // [batch, heads, tokens, size]
		return s.Keep(netcl.FromSlice(device, values, 1, 1, 2, 2))
	}
	q, k, v := heads(1, 0, 0, 1), heads(1, 0, 0, 1), heads(1, 2, 3, 4)
	// A token sees itself and those before it; no mask is made.
	y, _ := s.Keep2(q.Attention(k, v, netcl.WithCausal()))
	if err := s.Err(); err != nil {
		return err
	}
	return expect(y, 1, 2, 2.33951, 3.33951) // the first sees itself alone
	// [end]
}
