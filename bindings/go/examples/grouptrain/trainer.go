package main

import (
	"context"
	"math"

	"netcl.example/netcl"
	"netcl.example/netcl/examples/internal/mnist"
	"netcl.example/netcl/examples/internal/ranks"
)

const (
	batch    = 96
	rate     = 0.05
	momentum = 0.9
)

// The parameters in their order; each weight is followed by its bias. With fanIn 0 they begin as
// zeros.
const (
	conv1 = 0
	conv2 = 2
	dense = 4
)

var shapes = []struct {
	shape []int
	fanIn float64
}{
	{[]int{8, 1, 3, 3}, 9}, {[]int{8}, 0},
	{[]int{16, 8, 3, 3}, 72}, {[]int{16}, 0},
	{[]int{784, 10}, 784}, {[]int{10}, 0},
}

// trainer is two convolutions with relu and pooling, then a dense layer, and what a step needs.
type trainer struct {
	device       *netcl.Device
	group        *netcl.Group   // nil: all alone
	reducer      *netcl.Reducer // nil: all alone
	dtype        netcl.Dtype
	first, count int // which images of each batch
	parameters   []*netcl.Tensor
	momenta      []*netcl.Tensor
	graph        *netcl.Graph
	bytes        *netcl.Tensor   // of the images
	labels       *netcl.Tensor   // their classes
	outputs      []*netcl.Tensor // gradients, and the loss times the share of the batch
}

func closeAll(tensors ...*netcl.Tensor) {
	for _, tensor := range tensors {
		tensor.Close()
	}
}

func (t *trainer) close() {
	closeAll(t.bytes, t.labels)
	closeAll(t.parameters...)
	closeAll(t.momenta...)
	closeAll(t.outputs...)
	t.graph.Close()
	t.reducer.Close()
}

// newTrainer is all alone without a rank.
func newTrainer(device *netcl.Device, rank *ranks.Rank, dtype netcl.Dtype) *trainer {
	t := &trainer{device: device, dtype: dtype, count: batch}
	if rank != nil {
		t.group = rank.Group
		t.first = batch * rank.Index / rank.Size
		t.count = batch*(rank.Index+1)/rank.Size - t.first
		// The last layer's gradients are ready first, and fill a bucket.
		t.reducer = ranks.Must(netcl.NewReducer(t.group,
			&netcl.ReducerOptions{Kind: netcl.ReductionSum, BucketBytes: 16384}))
	}
	random := uint32(1)
	for _, p := range shapes {
		t.parameters = append(t.parameters, t.firstValues(p.shape, p.fanIn, &random))
		t.momenta = append(t.momenta, t.zeros(dtype, p.shape...))
		t.outputs = append(t.outputs, t.zeros(dtype, p.shape...))
	}
	t.outputs = append(t.outputs, t.zeros(dtype))
	t.bytes = t.zeros(netcl.U8, t.count, 1, mnist.Side, mnist.Side)
	t.labels = t.zeros(netcl.I32, t.count)
	t.graph = ranks.Must(netcl.NewGraph(device, &netcl.GraphOptions{Execute: netcl.Off}))
	t.record()
	return t
}

func (t *trainer) zeros(dtype netcl.Dtype, shape ...int) *netcl.Tensor {
	return ranks.Must(netcl.NewTensorZeros(t.device, dtype, shape, nil, nil))
}

// firstValues are uniform within He's bound, the same on all ranks. The generator is Numerical
// Recipes'.
func (t *trainer) firstValues(shape []int, fanIn float64, random *uint32) *netcl.Tensor {
	count, bound := 1, 0.0
	for _, extent := range shape {
		count *= extent
	}
	if fanIn > 0 {
		bound = math.Sqrt(6 / fanIn)
	}
	values, wide := make([]float32, count), make([]float64, count)
	for i := range values {
		*random = *random*1664525 + 1013904223
		values[i] = float32((float64(*random>>8)/8388608 - 1) * bound)
		wide[i] = float64(values[i])
	}
	if t.dtype == netcl.F64 {
		return ranks.Must(netcl.FromSlice(t.device, wide, shape...))
	}
	return ranks.Must(netcl.FromSlice(t.device, values, shape...))
}

// record records a step up to the gradients, and makes it ready to run.
func (t *trainer) record() {
	run := &netcl.RunOptions{Graph: t.graph}
	share := float64(t.count) / batch
	scalar := netcl.ScalarOf(float32(share))
	if t.dtype == netcl.F64 {
		scalar = netcl.ScalarOf(share)
	}
	seed := ranks.Must(netcl.NewTensorFull(t.device, t.dtype, nil, nil, scalar, nil))
	mean := t.forward(run)
	values := ranks.Must(t.graph.AddGradients([]*netcl.Tensor{mean}, t.parameters,
		&netcl.GradientsOptions{Seeds: []*netcl.Tensor{seed}, Reducer: t.reducer}))
	both := []*netcl.Tensor{mean, seed}
	values = append(values, ranks.Must(netcl.OpExpressionText("v0 * v1", both, nil, run)))
	ranks.Check(t.graph.Compile([]*netcl.Tensor{t.bytes, t.labels}, values, nil))
	closeAll(both...)
	closeAll(values...)
}

// forward is the mean loss of the images, recorded.
func (t *trainer) forward(run *netcl.RunOptions) *netcl.Tensor {
	text := "f32(v0) / 255.0"
	if t.dtype == netcl.F64 {
		text = "f64(v0) / 255.0"
	}
	x := ranks.Must(netcl.OpExpressionText(text, []*netcl.Tensor{t.bytes}, nil, run))
	x = t.stage(conv1, x, run)
	x = t.stage(conv2, x, run)
	features := ranks.Must(x.Reshape([]int{-1, 784}, run))
	logits := ranks.Must(netcl.OpMatmul(features, t.parameters[dense],
		&netcl.MatmulOptions{Epilogue: &netcl.Epilogue{Bias: t.parameters[dense+1]}}, run))
	defer closeAll(x, features, logits)
	return ranks.Must(netcl.OpCrossEntropy(logits, t.labels, 1, nil, run))
}

// stage is convolution with bias and relu, and the maximum of each 2 x 2. It takes x over.
func (t *trainer) stage(which int, x *netcl.Tensor, run *netcl.RunOptions) *netcl.Tensor {
	wide := ranks.Must(netcl.OpConv2D(x, t.parameters[which], &netcl.Conv2DOptions{
		Padding: [4]int{1, 1, 1, 1},
		Epilogue: &netcl.Epilogue{
			Bias: t.parameters[which+1], Activation: netcl.ActivationRelu,
		},
	}, run))
	defer closeAll(x, wide)
	two := []int{2, 2}
	return ranks.Must(netcl.OpPool(wide, netcl.PoolingMax,
		&netcl.PoolingOptions{Window: two, Strides: two}, run))
}

func (t *trainer) takeBatch(images *mnist.Images, number int) {
	pixels := make([]byte, 0, t.count*mnist.Pixels)
	classes := make([]int32, t.count)
	for i := range classes {
		image := (number*batch + t.first + i) * 7 % images.Count
		pixels = append(pixels, images.Pixels[image*mnist.Pixels:(image+1)*mnist.Pixels]...)
		classes[i] = int32(image % 10)
		if images.Labels != nil {
			classes[i] = int32(images.Labels[image])
		}
	}
	ranks.Check(netcl.WriteSlice(context.Background(), t.bytes, pixels))
	ranks.Check(netcl.WriteSlice(context.Background(), t.labels, classes))
}

// step gives the loss of the whole batch.
func (t *trainer) step(images *mnist.Images, number int) float64 {
	ctx := context.Background()
	gradients, loss := t.outputs[:len(shapes)], t.outputs[len(shapes)]
	t.takeBatch(images, number)
	ranks.Check(t.graph.Run([]*netcl.Tensor{t.bytes, t.labels}, t.outputs, nil))
	if t.group != nil {
		ranks.Check(t.group.AllReduce(loss, loss, netcl.ReductionSum, nil))
		ranks.Check(t.reducer.Wait(ctx))
	}
	ranks.Check(netcl.OpSgd(t.parameters, gradients, rate,
		&netcl.SgdOptions{MomentumBuffers: t.momenta, Momentum: momentum}, nil))
	if t.dtype == netcl.F64 {
		return ranks.Must(netcl.Item[float64](ctx, loss))
	}
	return float64(ranks.Must(netcl.Item[float32](ctx, loss)))
}
