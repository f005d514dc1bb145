package main

import (
	"path/filepath"

	"netcl.example/netcl"
	"netcl.example/netcl/examples/internal/mnist"
)

// stage is a convolution with its batch normalisation.
type stage struct {
	w    *netcl.Tensor
	norm netcl.Conv2DBatchnorm
}

// network is two stages and a matrix product.
type network struct {
	device         *netcl.Device
	stages         [2]stage
	denseW, denseB *netcl.Tensor
	all            []*netcl.Tensor
}

func loadNetwork(device *netcl.Device, folder string) (*network, error) {
	net := &network{device: device}
	s := &net.stages
	for _, weight := range []struct {
		name  string
		place **netcl.Tensor
	}{
		{"conv1_w", &s[0].w}, {"norm1_scale", &s[0].norm.Scale}, {"norm1_bias", &s[0].norm.Bias},
		{"norm1_mean", &s[0].norm.Mean}, {"norm1_variance", &s[0].norm.Variance},
		{"conv2_w", &s[1].w}, {"norm2_scale", &s[1].norm.Scale}, {"norm2_bias", &s[1].norm.Bias},
		{"norm2_mean", &s[1].norm.Mean}, {"norm2_variance", &s[1].norm.Variance},
		{"dense_w", &net.denseW}, {"dense_b", &net.denseB},
	} {
		path := filepath.Join(folder, weight.name+".npy")
		tensor, err := netcl.LoadTensorNPY(device, path, nil)
		if err != nil {
			net.close()
			return nil, err
		}
		*weight.place = tensor
		net.all = append(net.all, tensor)
	}
	return net, nil
}

func (n *network) close() {
	for _, tensor := range n.all {
		tensor.Close()
	}
}

// apply is convolution, batch normalisation and relu in one call, then the maximum of each 2x2.
func (s *stage) apply(x *netcl.Tensor, variant netcl.Variant, tile int) (*netcl.Tensor, error) {
	wide, err := netcl.OpConv2D(x, s.w, &netcl.Conv2DOptions{
		Epilogue:     &netcl.Epilogue{Activation: netcl.ActivationRelu},
		Batchnorm:    &s.norm,
		Padding:      [4]int{1, 1, 1, 1},
		Variant:      variant,
		WinogradTile: int(tile),
	}, nil)
	if err != nil {
		return nil, err
	}
	defer wide.Close()
	two := []int{2, 2}
	return netcl.OpPool(wide, netcl.PoolingMax, &netcl.PoolingOptions{Window: two, Strides: two},
		nil)
}

// run gives the probabilities [count, 10] of bytes [count, 28, 28].
func (n *network) run(pixels []byte, variant netcl.Variant, tile int) (*netcl.Tensor, error) {
	count := len(pixels) / mnist.Pixels
	bytes, err := netcl.FromSlice(n.device, pixels, count, 1, mnist.Side, mnist.Side)
	if err != nil {
		return nil, err
	}
	defer bytes.Close()
	x, err := netcl.Expr("f32(v0) / 255.0", bytes)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	for i := range n.stages {
		if x, err = n.stages[i].apply(x, variant, tile); err != nil {
			return nil, err
		}
		defer x.Close()
	}
	features, err := x.Reshape([]int{count, -1}, nil)
	if err != nil {
		return nil, err
	}
	defer features.Close()
	logits, err := netcl.OpMatmul(features, n.denseW,
		&netcl.MatmulOptions{Epilogue: &netcl.Epilogue{Bias: n.denseB}}, nil)
	if err != nil {
		return nil, err
	}
	defer logits.Close()
	return logits.Softmax(1)
}
