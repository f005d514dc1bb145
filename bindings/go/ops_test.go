package netcl_test

import (
	"math"
	"strings"
	"testing"

	"netcl.example/netcl"
)

// What ops compute is tested with the library; here it is that each argument arrives.

func TestMatmulTakesScaleAndEpilogue(t *testing.T) {
	device := open(t)
	defer device.Close()
	a, b := counting(t, device, 2, 3), counting(t, device, 3, 2)
	defer a.Close()
	defer b.Close()
	y, err := a.Matmul(b)
	near(t, y, err, 10, 13, 28, 40)
	bias := tensor(t, device, []float32{-100, 1})
	defer bias.Close()
	y, err = netcl.OpMatmul(a, b, &netcl.MatmulOptions{
		Epilogue: &netcl.Epilogue{Bias: bias, Activation: netcl.ActivationRelu},
	}, nil)
	near(t, y, err, 0, 14, 0, 41)
	into := ok(netcl.Full(device, float32(1), 2, 2))(t)
	defer into.Close()
	y, err = netcl.OpMatmul(a, b, &netcl.MatmulOptions{Alpha: 2, Beta: 3, HasScale: true},
		&netcl.RunOptions{Into: into})
	near(t, y, err, 23, 29, 59, 83)
	fails(t, failed(a.Matmul(a)), netcl.ErrInvalidArgument, "")
}

func TestConvolutionAndPoolingSeeTheirWindows(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := counting(t, device, 1, 1, 3, 3)
	defer x.Close()
	w := ok(netcl.Full(device, float32(1), 1, 1, 2, 2))(t)
	defer w.Close()
	y, err := x.Conv2D(w)
	near(t, y, err, 8, 12, 20, 24)
	four := ok(netcl.Full(device, float32(4), 1))(t)
	defer four.Close()
	ten := ok(netcl.Full(device, float32(10), 1))(t)
	defer ten.Close()
	y, err = netcl.OpConv2D(x, w, &netcl.Conv2DOptions{
		Batchnorm: &netcl.Conv2DBatchnorm{Mean: four, Variance: four, Scale: ten, Epsilon: 1e-12},
		Strides:   [2]int{2, 2},
		Padding:   [4]int{1, 1, 0, 0},
	}, nil)
	near(t, y, err, -20, -5, 25, 100)
	y, err = x.Pool(netcl.PoolingMax)
	near(t, y, err, 8)
	y, err = netcl.OpPool(x, netcl.PoolingAverage, &netcl.PoolingOptions{Window: []int{2, 2}},
		nil)
	near(t, y, err, 2, 3, 5, 6)
	y, err = x.Pool(netcl.PoolingLp, netcl.WithWindow(2), netcl.WithP(1))
	near(t, y, err, 8, 12, 20, 24)
	line := counting(t, device, 1, 1, 4)
	defer line.Close()
	y, err = line.Pool(netcl.PoolingMax, netcl.WithWindow(3), netcl.WithPoolingPadding(1, 0))
	near(t, y, err, 1, 2, 3)
	indices := ok(netcl.Full(device, int64(0), 1, 1, 2, 2))(t)
	largest := ok(netcl.OpPool(x, netcl.PoolingMax,
		&netcl.PoolingOptions{Window: []int{2, 2}, IndicesInto: indices}, nil))(t)
	y, err = netcl.OpMaxUnpool2D(largest, indices, 3, 3, nil, nil)
	near(t, y, err, 0, 0, 0, 0, 4, 5, 0, 7, 8)
	if got := values[int64](t, indices); *(*[4]int64)(got) != [4]int64{4, 5, 7, 8} {
		t.Fatalf("%v are the indices", got)
	}
	must(t, largest.Close())
	must(t, indices.Close())
}

func TestElementwiseOperatorsHaveNames(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := tensor(t, device, []float32{-2, 0.5})
	defer x.Close()
	same(t, ok(netcl.ElementwiseFind("leaky_relu"))(t), netcl.ElementwiseLeakyRelu)
	same(t, netcl.ElementwiseHardSigmoid.Name(), "HardSigmoid")
	same(t, netcl.ElementwiseHardSigmoid.String(), "ElementwiseHardSigmoid")
	fails(t, failed(netcl.ElementwiseFind("nothing like it")), netcl.ErrNotFound, "")
	one, two := []*netcl.Tensor{x}, []*netcl.Tensor{x, x}
	y, err := netcl.OpElementwise(netcl.ElementwiseLeakyRelu, one,
		&netcl.ElementwiseOptions{Alpha: 0.5, HasParameters: true}, nil)
	near(t, y, err, -1, 0.5)
	y, err = netcl.OpElementwise(netcl.ElementwiseAdd, two, nil, nil)
	near(t, y, err, -4, 1)
	refused(t, failed(netcl.OpElementwise(-1, one, nil, nil)))
	refused(t, failed(netcl.OpElementwise(netcl.ElementwiseAdd, one, nil, nil)))
	bias := tensor(t, device, []float32{1, 2})
	defer bias.Close()
	y, err = x.BiasAdd(bias, 0)
	near(t, y, err, -1, 2.5)
	y, err = netcl.OpBiasAdd(x, bias, -1, nil)
	near(t, y, err, -1, 2.5)
}

func TestPrimitivesHaveGradients(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := tensor(t, device, []float32{1, 2, 3})
	defer x.Close()
	row := tensor(t, device, []float32{10})
	defer row.Close()
	options := &netcl.PrimitiveOptions{
		Arity: 2, Forward: "scale * v0 * v1", Backward: []string{"", "MUL(grad, out)"},
		Attributes: []string{"scale"}, Defaults: []float64{1},
	}
	if err := netcl.PrimitiveRegister("go_op", options); err != nil {
		t.Fatal(err)
	}
	fails(t, netcl.PrimitiveRegister("go_op", options), netcl.ErrInvalidArgument, "go_op")
	inputs := []*netcl.Tensor{x, row}
	y, err := netcl.OpPrimitive("go_op", inputs, nil, nil)
	near(t, y, err, 10, 20, 30)
	call := &netcl.PrimitiveCallOptions{Attributes: []string{"scale"}, Values: []float64{2}}
	y, err = netcl.OpPrimitive("go_op", inputs, call, nil)
	near(t, y, err, 20, 40, 60)
	y, err = netcl.OpPrimitiveGradient("go_op", inputs, 0, x, nil, call, nil)
	near(t, y, err, 20, 40, 60)
	// The sum of grad * out over what the second input was spread to.
	y, err = netcl.OpPrimitiveGradient("go_op", inputs, 1, x, x, nil, nil)
	near(t, y, err, 14)
	if err := netcl.PrimitiveUnregister("go_op"); err != nil {
		t.Fatal(err)
	}
	fails(t, netcl.PrimitiveUnregister("go_op"), netcl.ErrNotFound, "go_op")
	fails(t, netcl.PrimitiveRegister("go_op", &netcl.PrimitiveOptions{Arity: 1, Forward: "v0 +"}),
		netcl.ErrInvalidArgument, "column 5")
	cube := ok(netcl.NewExpression("v0 * v0 * v0"))(t)
	defer cube.Close()
	slope := ok(cube.Differentiate(0))(t)
	defer slope.Close()
	y, err = netcl.OpExpression(slope, []*netcl.Tensor{x, x}, nil, nil)
	near(t, y, err, 3, 24, 81)
}

func TestRecordedCallsHaveGradients(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := tensor(t, device, []float32{1, 2, 3})
	defer x.Close()
	graph := ok(netcl.NewGraph(device, nil))(t)
	defer graph.Close()
	run := &netcl.RunOptions{Graph: graph}
	y := ok(netcl.OpExpressionText("v0 * v0", []*netcl.Tensor{x}, nil, run))(t)
	defer y.Close()
	sum := ok(netcl.OpReduce(y, netcl.ReductionSum, nil, run))(t)
	defer sum.Close()
	if info := ok(graph.Info())(t); info.CallCount != 2 || info.KeptBytes < 28 {
		t.Fatalf("%+v", info)
	}
	gradients, err := graph.AddGradients([]*netcl.Tensor{sum}, []*netcl.Tensor{x, y}, nil)
	if err != nil {
		t.Fatal(err)
	}
	near(t, gradients[0], nil, 2, 4, 6)
	near(t, gradients[1], nil, 1, 1, 1)
	into := tensor(t, device, []float32{10, 10, 10})
	defer into.Close()
	options := &netcl.GradientsOptions{
		Seeds: []*netcl.Tensor{x}, Into: []*netcl.Tensor{into}, Accumulate: true, Consume: true,
	}
	gradients, err = graph.AddGradients([]*netcl.Tensor{y}, []*netcl.Tensor{x}, options)
	if err != nil {
		t.Fatal(err)
	}
	near(t, gradients[0], nil, 12, 18, 28)
	_, err = graph.AddGradients([]*netcl.Tensor{sum}, []*netcl.Tensor{x}, nil)
	fails(t, err, netcl.ErrInvalidArgument, "no output depends on inputs[0]")
	second := ok(graph.Retain())(t)
	defer second.Close()
	if err := second.Clear(); err != nil {
		t.Fatal(err)
	}
}

func TestCapturesAreCompiledAndRun(t *testing.T) {
	device := open(t)
	defer device.Close()
	x, in, out := tensor(t, device, []float32{0, 0, 0}), tensor(t, device, []float32{1, 2, 3}), tensor(t, device, []float32{9, 9, 9})
	defer x.Close()
	defer in.Close()
	defer out.Close()
	graph := ok(netcl.NewGraph(device, &netcl.GraphOptions{Execute: netcl.Off}))(t)
	defer graph.Close()
	run := &netcl.RunOptions{Graph: graph}
	y := ok(netcl.OpExpressionText("v0 * v0", []*netcl.Tensor{x}, nil, run))(t)
	defer y.Close()
	z := ok(netcl.OpExpressionText("v0 + 1", []*netcl.Tensor{y}, nil, run))(t)
	defer z.Close()
	if err := graph.Compile([]*netcl.Tensor{x}, []*netcl.Tensor{z}, nil); err != nil {
		t.Fatal(err)
	}
	if info := ok(graph.Info())(t); info.StepCount != 1 || info.CommandCount != 1 {
		t.Fatalf("%+v", info)
	}
	if text := ok(graph.Explain(netcl.GraphFormatText))(t); !strings.Contains(text, "1 steps") {
		t.Fatal(text)
	}
	if err := graph.Run([]*netcl.Tensor{in}, []*netcl.Tensor{out}, nil); err != nil {
		t.Fatal(err)
	}
	near(t, out, nil, 2, 5, 10)
	fails(t, graph.Run([]*netcl.Tensor{in}, []*netcl.Tensor{in}, nil), netcl.ErrInvalidArgument,
		"shares memory with inputs[0]")
	made := ok(graph.Evaluate([]*netcl.Tensor{in}, nil))(t)
	near(t, made[0], nil, 2, 5, 10)
}

func TestReductionsAndScansTakeAxes(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := counting(t, device, 2, 3)
	defer x.Close()
	y, err := x.Reduce(netcl.ReductionSum)
	near(t, y, err, 15)
	y, err = netcl.OpReduce(x, netcl.ReductionSum,
		&netcl.ReduceOptions{Axes: []int{0}, Keepdims: true}, nil)
	must(t, err)
	equal(t, y.Shape(), []int{1, 3})
	near(t, y, err, 3, 5, 7)
	best := ok(netcl.OpReduce(x, netcl.ReductionArgmax, &netcl.ReduceOptions{Axes: []int{1}},
		nil))(t)
	has(t, best, int64(2), 2)
	must(t, best.Close())
	y, err = x.Scan(netcl.ReductionSum, 1)
	near(t, y, err, 0, 1, 3, 3, 7, 12)
	y, err = netcl.OpScan(x, netcl.ReductionSum, 0,
		&netcl.ScanOptions{Exclusive: true, Reverse: true}, nil)
	near(t, y, err, 3, 4, 5, 0, 0, 0)

	counts := ok(x.Histogram(2))(t)
	has(t, counts, int64(3), 3)
	must(t, counts.Close())
	counts = ok(netcl.OpHistogram(x, 2, &netcl.HistogramOptions{High: 2}, nil))(t)
	has(t, counts, int64(1), 2)
	must(t, counts.Close())

	largest, places, err := x.Topk(2, 1)
	near(t, largest, err, 2, 1, 5, 4)
	has(t, places, int64(2), 1, 2, 1)
	must(t, places.Close())
	least, places, err := netcl.OpTopk(x, 1, 1, &netcl.TopkOptions{Smallest: true}, nil)
	near(t, least, err, 0, 3)
	must(t, places.Close())
}

func TestNormalisationsTakeTheirParameters(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := tensor(t, device, []float32{1, 3, 2, 6}, 2, 2)
	defer x.Close()
	shares := []float32{0.11920292, 0.8807971, 0.01798621, 0.9820138}
	logs := make([]float32, 4)
	for i, share := range shares {
		logs[i] = float32(math.Log(float64(share)))
	}
	y, err := x.Softmax(1)
	near(t, y, err, shares...)
	y, err = netcl.OpSoftmax(x, -1, nil)
	near(t, y, err, shares...)
	y, err = x.LogSoftmax(1)
	near(t, y, err, logs...)
	full := func(value float32) *netcl.Tensor {
		made := ok(netcl.Full(device, value, 2))(t)
		t.Cleanup(func() { made.Close() })
		return made
	}
	options := &netcl.NormOptions{Scale: full(2), Bias: full(0.5), Epsilon: 1e-12}
	y, err = netcl.OpLayernorm(x, 1, options, nil)
	near(t, y, err, -1.5, 2.5, -1.5, 2.5)
	ok(x.Layernorm(1))(t).Close()
	means := ok(netcl.Full(device, float32(0), 2, 1))(t)
	inverses := ok(netcl.Full(device, float32(0), 2, 1))(t)
	options.MeanInto, options.InverseDeviationInto = means, inverses
	y, err = netcl.OpLayernorm(x, 1, options, nil)
	near(t, y, err, -1.5, 2.5, -1.5, 2.5)
	near(t, means, nil, 2, 4)
	near(t, inverses, nil, 1, 0.5)
	options.MeanInto, options.InverseDeviationInto = nil, nil
	options.Bias = nil
	y, err = netcl.OpRmsnorm(x, 1, options, nil)
	r, s := float32(math.Sqrt(5)), float32(math.Sqrt(20))
	near(t, y, err, 2/r, 6/r, 4/s, 12/s)
	ok(x.Rmsnorm(1))(t).Close()
	y, err = netcl.OpBatchnorm(x, full(1), full(4),
		&netcl.BatchnormOptions{Epsilon: 1e-12, Activation: netcl.ActivationRelu}, nil)
	near(t, y, err, 0, 1, 0.5, 2.5)
	ok(x.Batchnorm(full(1), full(4)))(t).Close()
}

func TestElementsAreMoved(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := counting(t, device, 2, 3)
	defer x.Close()
	y, err := x.Transpose(nil)
	near(t, y, err, 0, 3, 1, 4, 2, 5)
	y, err = x.Copy()
	near(t, y, err, 0, 1, 2, 3, 4, 5)
	y, err = netcl.OpConcat([]*netcl.Tensor{x, x}, 0, nil)
	near(t, y, err, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5)
	refused(t, failed(netcl.OpConcat(nil, 0, nil)))
	y, err = netcl.OpEinsum("ij,kj->ik", []*netcl.Tensor{x, x}, nil)
	near(t, y, err, 5, 14, 14, 50)
	y, err = x.Pad([]int{0, 1, 0, 0})
	near(t, y, err, 0, 0, 1, 2, 0, 3, 4, 5)
	pads := []int{0, 1, 0, 0}
	nine := &netcl.PadOptions{Value: netcl.ScalarOf(float32(9)), Mode: netcl.PadConstant}
	y, err = netcl.OpPad(x, pads, nine, nil)
	near(t, y, err, 9, 0, 1, 2, 9, 3, 4, 5)
	nine.Value = netcl.ScalarOf(int32(9))
	fails(t, failed(netcl.OpPad(x, pads, nine, nil)), netcl.ErrInvalidArgument,
		"Value is of dtype i32; f32")

	last := tensor(t, device, []int32{-1, 0})
	defer last.Close()
	y, err = x.Gather(last, 1)
	near(t, y, err, 2, 0, 5, 3)
	y, err = x.Embedding(last)
	near(t, y, err, 3, 4, 5, 0, 1, 2)
	places := tensor(t, device, []int64{2, 1}, 2, 1)
	defer places.Close()
	y, err = x.GatherElements(places, 1)
	near(t, y, err, 2, 4)
	updates := tensor(t, device, []float32{10, 20}, 2, 1)
	defer updates.Close()
	y, err = x.Scatter(places, updates, 1)
	near(t, y, err, 0, 1, 10, 3, 20, 5)
	y, err = netcl.OpScatter(x, places, updates, 1, &netcl.ScatterOptions{Mode: netcl.ScatterAdd},
		nil)
	near(t, y, err, 0, 1, 12, 3, 24, 5)
	points := tensor(t, device, []int64{1, 2, 0, -1, 5, 0}, 3, 2)
	defer points.Close()
	y, err = x.GatherND(points, 0)
	near(t, y, err, 5, 2, 0)
	three := tensor(t, device, []float32{10, 20, 30})
	defer three.Close()
	y, err = x.ScatterND(points, three, 0)
	near(t, y, err, 0, 1, 20, 3, 4, 10)
	y, err = netcl.OpScatterND(x, points, three, 0,
		&netcl.ScatterOptions{Mode: netcl.ScatterAdd}, nil)
	near(t, y, err, 0, 1, 22, 3, 4, 15)
	deep := tensor(t, device, []float32{0, 1, 2, 3, 4, 5, 6, 7}, 1, 8, 1, 1)
	defer deep.Close()
	y, err = deep.DepthToSpace(2, netcl.DepthCRD)
	near(t, y, err, 0, 1, 2, 3, 4, 5, 6, 7)
	wide, err := deep.DepthToSpace(2, netcl.DepthDCR)
	must(t, err)
	defer wide.Close()
	y, err = wide.SpaceToDepth(2, netcl.DepthDCR)
	near(t, y, err, 0, 1, 2, 3, 4, 5, 6, 7)
	y, err = wide.SpaceToDepth(2, netcl.DepthCRD)
	near(t, y, err, 0, 2, 4, 6, 1, 3, 5, 7)
	y, err = x.Resize([]int{1, 3})
	must(t, err)
	must(t, y.Close())
	y, err = netcl.OpResize(x, []int{2, 2}, &netcl.ResizeOptions{Mode: netcl.ResizeLinear,
		Coordinates: netcl.ResizeAlignCorners}, nil)
	near(t, y, err, 0, 2, 3, 5)
}

func TestVariantsAreChosenAndExplained(t *testing.T) {
	device := open(t)
	defer device.Close()
	asked := &netcl.VariantOptions{Dtype: netcl.F32}
	choice := ok(netcl.VariantSelectMatmul(device, 256, 256, 256, asked))(t)
	if choice.Reason == "" || choice.Variant == netcl.VariantAuto ||
		choice.Variant.Name()[:7] != "matmul_" {
		t.Fatalf("%+v", choice)
	}
	ok(netcl.VariantSelectConv2D(device, &netcl.Conv2DShape{Batch: 1, Channels: 8, Height: 16,
		Width: 16, Filters: 8, KernelHeight: 3, KernelWidth: 3}, nil))(t)
	_, err := netcl.VariantSelectConv2D(device, &netcl.Conv2DShape{}, nil)
	fails(t, err, netcl.ErrInvalidArgument, "")
	refused(t, failed(netcl.VariantSelectConv2D(device, nil, nil)))
	ok(netcl.VariantSelectElementwise(device, 1<<20, asked))(t)
	ok(netcl.VariantSelectReduction(device, 1, 1<<20, asked))(t)
	// The choice for another device, from what was recorded of it.
	can, info := ok(device.Capabilities())(t), ok(device.Info())(t)
	can.ComputeUnits = 132
	ok(netcl.VariantSelectMatmul(device, 256, 256, 256,
		&netcl.VariantOptions{Info: &info, Capabilities: &can}))(t)
	plain := ok(netcl.VariantSelectBatchnorm(device, 8, 16, 64, false, false, nil))(t)
	same(t, plain.Variant, netcl.VariantBatchnormNaive)
	must(t, netcl.VariantClearCache())
}

func TestKernelsForProductsAreSources(t *testing.T) {
	device := open(t)
	defer device.Close()
	config := ok(netcl.VariantSelectMatmul(device, 64, 64, 64, nil))(t)
	global, kernel, err := netcl.NewKernelMatmul(device, "product", 64, 64, 64, netcl.F32, &config)
	if !isOpenCL(t, device) {
		fails(t, err, netcl.ErrUnsupported, "")
		return
	}
	must(t, err)
	defer kernel.Close()
	a := ok(netcl.Random(device, netcl.F32, 1, 64, 64))(t)
	defer a.Close()
	b := ok(netcl.Random(device, netcl.F32, 2, 64, 64))(t)
	defer b.Close()
	c := ok(netcl.Zeros(device, netcl.F32, 64, 64))(t)
	args := []netcl.Arg{netcl.TensorArg(a), netcl.TensorArg(b), netcl.TensorArg(c)}
	must(t, kernel.Launch(global, nil, args, nil, nil))
	want := ok(a.Matmul(b))(t)
	defer want.Close()
	near(t, c, nil, values[float32](t, want)...)
}
