package main

import (
	"fmt"

	"netcl.example/netcl"
)

func warmUp(device *netcl.Device) error {
	// [recipe]
	serve := func(call *netcl.GraphCall) ([]*netcl.Tensor, error) {
		y, err := call.Inputs[0].Softmax(-1, call.Run)
		return []*netcl.Tensor{y}, err
	}
	graph, err := netcl.NewGraphFromFunction(device, serve, 1, nil)
	if err != nil {
		return err
	}
	defer graph.Close()
	for batch := 1; batch <= 8; batch *= 2 { // each shape that requests will have
		like, err := netcl.Zeros(device, netcl.F32, batch, 10)
		if err != nil {
			return err
		}
		err = graph.Compile([]*netcl.Tensor{like}, nil, nil) // kernels are built here
		like.Close()
		if err != nil {
			return err
		}
	}
	info, err := graph.Info() // now take requests
	if err == nil && info.FormCount != 4 {
		err = fmt.Errorf("%d shapes are ready", info.FormCount)
	}
	return err
	// [end]
}
