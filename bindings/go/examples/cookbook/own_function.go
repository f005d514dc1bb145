package main

import "netcl.example/netcl"

func ownFunction(device *netcl.Device) error {
	// [recipe]
	clipped := func(call *netcl.PrimitiveCall) ([]*netcl.Tensor, error) {
		if call.Grad == nil {
			y, err := netcl.OpCopy(call.Inputs[0], call.Run)
			return []*netcl.Tensor{y}, err
		}
		grad := []*netcl.Tensor{call.Grad}
		dx, err := netcl.OpExpressionText("clamp(v0, -1, 1)", grad, nil, call.Run)
		return []*netcl.Tensor{dx}, err
	}
	options := &netcl.PrimitiveOptions{Arity: 1, GivesGradients: true}
	err := netcl.PrimitiveRegisterFunction("clipped", clipped, options)
	// [end]
	if err != nil {
		return err
	}
	s := netcl.NewScope()
	defer s.Close()
	x := s.Keep(netcl.FromSlice(device, []float32{1, 2}, 2))
	y := s.Keep(netcl.OpPrimitive("clipped", []*netcl.Tensor{x}, nil, nil))
	loss, found, err := netcl.Gradients(func(run *netcl.RunOptions) (*netcl.Tensor, error) {
		y := s.Keep(netcl.OpPrimitive("clipped", []*netcl.Tensor{x}, nil, run))
		return s.Give(s.Keep(y.MulScalar(5)).Sum())
	}, x)
	if err != nil {
		return err
	}
	defer loss.Close()
	defer found[0].Close()
	if err := expect(y, 1, 2); err != nil {
		return err
	}
	if err := expect(found[0], 1, 1); err != nil {
		return err
	}
	return netcl.PrimitiveUnregister("clipped")
}
