package main

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"

	"netcl.example/netcl"
)

func pair(values []int) (made [2]int) {
	copy(made[:], values)
	return made
}

func (l *line) epilogue() *netcl.Epilogue {
	return &netcl.Epilogue{Bias: l.tensor("bias"), Residual: l.tensor("residual"),
		Activation: netcl.Activation(l.integer("activation"))}
}

func (l *line) ranges() (ranges []netcl.Range) {
	numbers := l.integers("ranges")
	for at := 0; at < len(numbers); at += 3 {
		ranges = append(ranges, netcl.Range{Start: numbers[at], Extent: numbers[at+1],
			Step: numbers[at+2]})
	}
	return ranges
}

// element gives one element by its bytes, as a value of the type that Go has for it; none where the
// line has none.
func (l *line) element(tensor *netcl.Tensor) netcl.Scalar {
	text, given := l.options["value"]
	if !given {
		return netcl.Scalar{}
	}
	var data [8]byte
	_, err := hex.Decode(data[:], []byte(text))
	check(err)
	bits := binary.LittleEndian.Uint64(data[:])
	info, err := tensor.Info()
	check(err)
	switch info.Dtype {
	case netcl.F16:
		return netcl.ScalarOf(netcl.Float16(bits))
	case netcl.BF16:
		return netcl.ScalarOf(netcl.BFloat16(bits))
	case netcl.F32:
		return netcl.ScalarOf(math.Float32frombits(uint32(bits)))
	case netcl.F64:
		return netcl.ScalarOf(math.Float64frombits(bits))
	case netcl.I8:
		return netcl.ScalarOf(int8(bits))
	case netcl.I16:
		return netcl.ScalarOf(int16(bits))
	case netcl.I32:
		return netcl.ScalarOf(int32(bits))
	case netcl.I64:
		return netcl.ScalarOf(int64(bits))
	case netcl.U8:
		return netcl.ScalarOf(uint8(bits))
	case netcl.U16:
		return netcl.ScalarOf(uint16(bits))
	case netcl.U32:
		return netcl.ScalarOf(uint32(bits))
	case netcl.U64:
		return netcl.ScalarOf(bits)
	default:
		return netcl.ScalarOf(bits != 0)
	}
}

// runOp runs an op with one result, or makes a view.
func runOp(verb string, l *line) (*netcl.Tensor, error) {
	x, axis := l.in[0], l.integer("axis")
	run := &netcl.RunOptions{Into: l.tensor("into"), Graph: l.graph}
	switch verb {
	case "slice":
		return x.Slice(l.ranges())
	case "permute":
		return x.Permute(l.integers("axes"))
	case "broadcast":
		return x.Broadcast(l.integers("shape"))
	case "view":
		return x.View(l.integers("shape"), l.integers("strides"), l.integer("offset"))
	case "reshape":
		return x.Reshape(l.integers("shape"), run)
	case "elementwise":
		op, err := netcl.ElementwiseFind(l.options["op"])
		if err != nil {
			return nil, err
		}
		_, given := l.options["alpha"]
		return netcl.OpElementwise(op, l.in, &netcl.ElementwiseOptions{Alpha: l.number("alpha"),
			Beta: l.number("beta"), HasParameters: given}, run)
	case "expression":
		return netcl.OpExpressionText(l.options["text"], l.in, nil, run)
	case "bias_add":
		return netcl.OpBiasAdd(x, l.in[1], axis, run)
	case "copy":
		return netcl.OpCopy(x, run)
	case "contiguous":
		return netcl.OpContiguous(x, run)
	case "cast":
		return netcl.OpCast(x, l.dtype("dtype"), run)
	case "concat":
		return netcl.OpConcat(l.in, axis, run)
	case "transpose":
		return netcl.OpTranspose(x, l.integers("axes"), run)
	case "quantize_linear":
		return netcl.OpQuantizeLinear(x, l.in[1], axis, &netcl.QuantizeLinearOptions{
			ZeroPoint: l.tensor("zero_point"), BlockSize: l.integer("block_size"),
			Dtype: l.dtype("dtype"), Precision: l.dtype("precision")}, run)
	case "dequantize_linear":
		return netcl.OpDequantizeLinear(x, l.in[1], axis, &netcl.DequantizeLinearOptions{
			ZeroPoint: l.tensor("zero_point"), BlockSize: l.integer("block_size"),
			Dtype: l.dtype("dtype")}, run)
	case "qlinear_matmul":
		return netcl.OpQlinearMatmul(x, l.in[1], l.in[2], l.in[3], l.in[4],
			&netcl.QlinearMatmulOptions{AZeroPoint: l.tensor("a_zero_point"),
				BZeroPoint: l.tensor("b_zero_point"), YZeroPoint: l.tensor("y_zero_point")}, run)
	case "gather":
		return netcl.OpGather(x, l.in[1], axis, run)
	case "gather_elements":
		return netcl.OpGatherElements(x, l.in[1], axis, run)
	case "embedding":
		return netcl.OpEmbedding(x, l.in[1], run)
	case "softmax":
		return netcl.OpSoftmax(x, axis, run)
	case "log_softmax":
		return netcl.OpLogSoftmax(x, axis, run)
	default:
		return runWithOptions(verb, l, x, axis, run)
	}
}

func runWithOptions(verb string, l *line, x *netcl.Tensor, axis int,
	run *netcl.RunOptions) (*netcl.Tensor, error) {
	kind := l.integer("kind")
	norm := &netcl.NormOptions{Scale: l.tensor("scale"), Bias: l.tensor("bias"),
		Epsilon: l.number("epsilon")}
	_, ignores := l.options["ignore_index"]
	loss := &netcl.LossOptions{Weights: l.tensor("weights"), HasIgnoreIndex: ignores,
		IgnoreIndex: l.integer("ignore_index"),
		Reduction:   netcl.LossReduction(l.integer("reduction"))}
	switch verb {
	case "matmul":
		return netcl.OpMatmul(x, l.in[1], &netcl.MatmulOptions{Epilogue: l.epilogue(),
			Alpha: l.number("alpha"), Beta: l.number("beta"),
			HasScale: l.flag("has_scale"), Dtype: l.dtype("dtype")}, run)
	case "conv2d":
		options := &netcl.Conv2DOptions{Epilogue: l.epilogue(), Strides: pair(l.integers("strides")),
			Dilations: pair(l.integers("dilations")), Groups: l.integer("groups")}
		copy(options.Padding[:], l.integers("padding"))
		if norm := l.tensorList(l.options["norm"]); len(norm) == 4 {
			options.Batchnorm = &netcl.Conv2DBatchnorm{Mean: norm[0], Variance: norm[1],
				Scale: norm[2], Bias: norm[3]}
		}
		return netcl.OpConv2D(x, l.in[1], options, run)
	case "reduce":
		return netcl.OpReduce(x, netcl.Reduction(kind), &netcl.ReduceOptions{
			Axes: l.integers("axes"), Keepdims: l.flag("keepdims")}, run)
	case "scan":
		return netcl.OpScan(x, netcl.Reduction(kind), axis, &netcl.ScanOptions{
			Exclusive: l.flag("exclusive"), Reverse: l.flag("reverse")}, run)
	case "histogram":
		return netcl.OpHistogram(x, l.integer("bins"), &netcl.HistogramOptions{
			Low: l.number("low"), High: l.number("high")}, run)
	case "layernorm":
		return netcl.OpLayernorm(x, axis, norm, run)
	case "rmsnorm":
		return netcl.OpRmsnorm(x, axis, norm, run)
	case "batchnorm":
		return netcl.OpBatchnorm(x, l.in[1], l.in[2], &netcl.BatchnormOptions{Scale: norm.Scale,
			Bias: norm.Bias, Momentum: l.number("momentum"), Training: l.flag("training"),
			Activation: netcl.Activation(l.integer("activation"))}, run)
	case "cross_entropy":
		return netcl.OpCrossEntropy(x, l.in[1], axis, loss, run)
	case "nll_loss":
		return netcl.OpNllLoss(x, l.in[1], axis, loss, run)
	case "pool":
		options := &netcl.PoolingOptions{Window: l.integers("window"),
			Strides: l.integers("strides"), Dilations: l.integers("dilations"),
			Padding: l.integers("padding"), CeilMode: l.flag("ceil_mode"),
			CountIncludePad: l.flag("count_include_pad")}
		return netcl.OpPool(x, netcl.Pooling(kind), options, run)
	case "pad":
		return netcl.OpPad(x, l.integers("pads"),
			&netcl.PadOptions{Mode: netcl.PadMode(l.integer("mode")), Value: l.element(x)}, run)
	case "scatter":
		return netcl.OpScatter(x, l.in[1], l.in[2], axis,
			&netcl.ScatterOptions{Mode: netcl.ScatterMode(l.integer("mode"))}, run)
	case "rotary_embedding":
		return netcl.OpRotaryEmbedding(x, l.in[1], l.in[2], &netcl.RotaryEmbeddingOptions{
			PositionIds: l.tensor("position_ids"), NumHeads: l.integer("num_heads"),
			RotaryEmbeddingDim: l.integer("rotary_embedding_dim"),
			Interleaved:        l.flag("interleaved"), Inverse: l.flag("inverse")}, run)
	case "resize":
		return netcl.OpResize(x, l.integers("shape"), &netcl.ResizeOptions{
			Mode:        netcl.ResizeMode(l.integer("mode")),
			Coordinates: netcl.ResizeCoordinates(l.integer("coordinates"))}, run)
	}
	return nil, fmt.Errorf("the verb %s is unknown", verb)
}
