package main

import (
	"math"

	"netcl.example/netcl"
)

// random is a generator that is the same in every language (Numerical Recipes).
type random uint32

func (r *random) bits() uint32 {
	*r = *r*1664525 + 1013904223
	return uint32(*r >> 8)
}

// The parameters in their order; fanIn 0 is not random, but value.
const (
	conv1 = iota
	scale1
	shift1
	conv2
	scale2
	shift2
	dense
	bias
	parameters
)

var shapes = [parameters]struct {
	shape []int
	fanIn float32
	value float32
}{
	{[]int{8, 1, 3, 3}, 9, 0}, {[]int{8}, 0, 1}, {[]int{8}, 0, 0},
	{[]int{16, 8, 3, 3}, 72, 0}, {[]int{16}, 0, 1}, {[]int{16}, 0, 0},
	{[]int{784, 10}, 784, 0}, {[]int{10}, 0, 0},
}

// model is two convolutions with batch normalisation, relu and pooling, then a dense layer.
type model struct {
	device     *netcl.Device
	parameters []*netcl.Tensor
	moments    [2][]*netcl.Tensor // Adam's averages of gradients and of their squares
	statistics [2][]*netcl.Tensor // mean and variance of both normalisations
	steps      *netcl.Tensor      // how many there were
}

func newModel(device *netcl.Device, random *random) (*model, error) {
	net := &model{device: device}
	fail := func(err error) (*model, error) {
		net.close()
		return nil, err
	}
	var err error
	if net.steps, err = netcl.NewTensorZeros(device, netcl.I64, nil, nil, nil); err != nil {
		return fail(err)
	}
	for _, p := range shapes {
		count := 1
		for _, extent := range p.shape {
			count *= extent
		}
		values := make([]float32, count)
		for i := range values {
			values[i] = p.value
			if p.fanIn > 0 {
				// Uniform within He's bound, sqrt(6 / fan in).
				bound := float32(math.Sqrt(float64(6 / p.fanIn)))
				values[i] = (float32(random.bits())/8388608 - 1) * bound
			}
		}
		parameter, err := netcl.FromSlice(device, values, p.shape...)
		if err != nil {
			return fail(err)
		}
		net.parameters = append(net.parameters, parameter)
		for k := range net.moments {
			moment, err := netcl.NewTensorZeros(device, netcl.F32, p.shape, nil, nil)
			if err != nil {
				return fail(err)
			}
			net.moments[k] = append(net.moments[k], moment)
		}
	}
	for i, channels := range []int{8, 16} {
		ones := make([]float32, channels)
		for c := range ones {
			ones[c] = 1
		}
		for _, values := range [][]float32{make([]float32, channels), ones} {
			statistic, err := netcl.FromSlice(device, values, channels)
			if err != nil {
				return fail(err)
			}
			net.statistics[i] = append(net.statistics[i], statistic)
		}
	}
	return net, nil
}

func closeAll(tensors ...*netcl.Tensor) {
	for _, tensor := range tensors {
		tensor.Close()
	}
}

func (m *model) close() {
	closeAll(m.steps)
	closeAll(m.parameters...)
	for k := range m.moments {
		closeAll(m.moments[k]...)
		closeAll(m.statistics[k]...)
	}
}

// stage is convolution, batch normalisation with relu, and the maximum of each 2 x 2.
func (m *model) stage(which int, x *netcl.Tensor, training bool,
	run *netcl.RunOptions) (*netcl.Tensor, error) {
	first := conv1 + 3*which
	wide, err := netcl.OpConv2D(x, m.parameters[first],
		&netcl.Conv2DOptions{Padding: [4]int{1, 1, 1, 1}}, run)
	if err != nil {
		return nil, err
	}
	defer wide.Close()
	normal, err := netcl.OpBatchnorm(wide, m.statistics[which][0], m.statistics[which][1],
		&netcl.BatchnormOptions{
			Scale: m.parameters[first+1], Bias: m.parameters[first+2],
			Activation: netcl.ActivationRelu, Training: training,
		}, run)
	if err != nil {
		return nil, err
	}
	defer normal.Close()
	two := []int{2, 2}
	return netcl.OpPool(normal, netcl.PoolingMax,
		&netcl.PoolingOptions{Window: two, Strides: two}, run)
}

// forward gives the logits [count, 10] of bytes [count, 1, 28, 28]; recorded with run.Graph.
func (m *model) forward(bytes *netcl.Tensor, training bool, run *netcl.RunOptions) (*netcl.Tensor,
	error) {
	x, err := netcl.Expr("f32(v0) / 255.0", bytes)
	for which := 0; which < 2 && err == nil; which++ {
		before := x
		x, err = m.stage(which, before, training, run)
		before.Close()
	}
	if err != nil {
		return nil, err
	}
	defer x.Close()
	features, err := x.Reshape([]int{-1, 784}, run)
	if err != nil {
		return nil, err
	}
	defer features.Close()
	return netcl.OpMatmul(features, m.parameters[dense],
		&netcl.MatmulOptions{Epilogue: &netcl.Epilogue{Bias: m.parameters[bias]}}, run)
}

// adam is one step of Adam with the averages 0.9 and 0.999, which are its defaults.
func (m *model) adam(gradients []*netcl.Tensor, rate float64) error {
	return netcl.OpAdam(m.parameters, gradients, m.moments[0], m.moments[1], m.steps, rate, nil, nil)
}
