package main

import (
	"context"
	"fmt"

	"netcl.example/netcl"
)

func optimizerStep(device *netcl.Device) error {
	s := netcl.NewScope()
	defer s.Close()
	list := func(values ...float32) []*netcl.Tensor {
		return []*netcl.Tensor{s.Keep(netcl.FromSlice(device, values, len(values)))}
	}
	weights, gradients := list(1, -1), list(3, -4)
	averages, squareAverages := list(0, 0), list(0, 0)
	step := s.Keep(netcl.Zeros(device, netcl.I64, 1))
	run := &netcl.RunOptions{}
	if err := s.Err(); err != nil {
		return err
	}
	// [recipe]
	norm, err := netcl.OpClipByNorm(gradients, 1, run)
	if err != nil {
		return err
	}
	defer norm.Close()
	err = netcl.OpAdam(weights, gradients, averages, squareAverages, step, 1e-3,
		&netcl.AdamOptions{WeightDecay: 0.01, Decoupled: true}, run)
	// [end]
	if err != nil {
		return err
	}
	if err := expect(norm, 5); err != nil {
		return err
	}
	if err := expect(gradients[0], 0.6, -0.8); err != nil {
		return err
	}
	steps, err := netcl.ToSlice[int64](context.Background(), step)
	if err == nil && steps[0] != 1 {
		err = fmt.Errorf("%d steps were counted", steps[0])
	}
	if err != nil {
		return err
	}
	return expect(weights[0], 0.99899, -0.99899) // the decay takes 1e-5, Adam its rate
}
