package main

import "netcl.example/netcl"

func compiledStep(device *netcl.Device) error {
	// [recipe]
	weights, err := netcl.FromSlice(device, []float32{1, 0, 0, 1}, 2, 2)
	if err != nil {
		return err
	}
	defer weights.Close()
	x, err := netcl.FromSlice(device, []float32{0, 1}, 1, 2)
	if err != nil {
		return err
	}
	defer x.Close()
	record := func(call *netcl.GraphCall) ([]*netcl.Tensor, error) {
		z, err := call.Inputs[0].Matmul(weights, call.Run)
		if err != nil {
			return nil, err
		}
		defer z.Close()
		y, err := netcl.OpExpressionText("relu(v0) + 1", []*netcl.Tensor{z}, nil, call.Run)
		return []*netcl.Tensor{y}, err
	}
	graph, err := netcl.NewGraphFromFunction(device, record, 1, nil)
	if err != nil {
		return err
	}
	defer graph.Close()
	for step := 0; step < 3; step++ { // recorded and compiled once, then only run
		outputs, err := graph.Evaluate([]*netcl.Tensor{x}, nil)
		if err != nil {
			return err
		}
		err = expect(outputs[0], 1, 2)
		outputs[0].Close()
		if err != nil {
			return err
		}
	}
	return nil
	// [end]
}
