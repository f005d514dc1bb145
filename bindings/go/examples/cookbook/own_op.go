package main

import "netcl.example/netcl"

func ownOp(device *netcl.Device) error {
	s := netcl.NewScope()
	defer s.Close()
	a := s.Keep(netcl.FromSlice(device, []float32{1, 2}, 2))
	b := s.Keep(netcl.FromSlice(device, []float32{3, 4}, 2))
	// [recipe]
	err := netcl.PrimitiveRegister("my_op", &netcl.PrimitiveOptions{Arity: 2,
		Forward: "MUL(v0, v1)", Backward: []string{"MUL(grad, v1)", "MUL(grad, v0)"}})
	if err != nil {
		return err
	}
	y, err := netcl.OpPrimitive("my_op", []*netcl.Tensor{a, b}, nil, nil)
	// [end]
	if err != nil {
		return err
	}
	defer y.Close()
	if err := expect(y, 3, 8); err != nil {
		return err
	}
	return netcl.PrimitiveUnregister("my_op")
}
