//go:build cgo

package netcl

import "context"

// Zeros makes a tensor of zeros. No extents make a scalar.
func Zeros(device *Device, dtype Dtype, shape ...int) (*Tensor, error) {
	return NewTensorZeros(device, dtype, shape, nil, nil)
}

// Full makes a tensor with one value everywhere, of the dtype of the value's type: Full(d, 2.5, 2) is
// of F64, as 2.5 is a float64 in Go, and Full(d, float32(2.5), 2) of F32.
func Full[T Element](device *Device, value T, shape ...int) (*Tensor, error) {
	return NewTensorFull(device, DtypeOf[T](), shape, nil, ScalarOf(value), nil)
}

// Random makes random numbers: floats in [0, 1), integers over their whole range. The same seed
// gives the same bits on every device; NewTensorRandom takes ranges and normal distributions.
func Random(device *Device, dtype Dtype, seed uint64, shape ...int) (*Tensor, error) {
	return NewTensorRandom(device, dtype, shape, nil, &RandomOptions{Seed: seed}, nil)
}

// FromSlice makes a tensor with the elements of a slice, in C order. No extents mean one
// dimension with all of them, where Zeros and Full make a scalar; Full makes a scalar of a number.
func FromSlice[T Element](device *Device, elements []T, shape ...int) (*Tensor, error) {
	if len(shape) == 0 {
		shape = []int{len(elements)}
	}
	if count, ok := product(shape); !ok || count != len(elements) {
		return nil, invalid("elements has %d entries, which is not the number that shape %v has",
			len(elements), shape)
	}
	return NewTensorFromHost(device, DtypeOf[T](), shape, nil, bytesOf(elements), nil)
}

func product(shape []int) (count int, ok bool) {
	count = 1
	for _, extent := range shape {
		if extent != 0 && count*extent/extent != count || extent < 0 {
			return 0, false
		}
		count *= extent
	}
	return count, true
}

// ToSlice copies the elements to the host, in C order. T has to be the type of the elements.
func ToSlice[T Element](ctx context.Context, tensor *Tensor) ([]T, error) {
	info, err := typedInfo[T](tensor)
	if err != nil {
		return nil, err
	}
	elements, err := makeElements[T](uint64(info.ElementCount))
	if err != nil {
		return nil, err
	}
	if err := tensor.Read(ctx, bytesOf(elements), nil); err != nil {
		return nil, err
	}
	tidy(elements)
	return elements, nil
}

// ReadSlice copies the elements, in C order, into a slice that has as many.
func ReadSlice[T Element](ctx context.Context, tensor *Tensor, elements []T) error {
	if err := fitting(tensor, elements); err != nil {
		return err
	}
	err := tensor.Read(ctx, bytesOf(elements), nil)
	tidy(elements)
	return err
}

// WriteSlice replaces the elements by those of a slice, in C order.
func WriteSlice[T Element](ctx context.Context, tensor *Tensor, elements []T) error {
	if err := fitting(tensor, elements); err != nil {
		return err
	}
	return tensor.Write(ctx, bytesOf(elements), nil)
}

// Item gives the only element.
func Item[T Element](ctx context.Context, tensor *Tensor) (value T, err error) {
	elements, err := ToSlice[T](ctx, tensor)
	if err == nil && len(elements) != 1 {
		err = invalid("the tensor has %d elements, not 1", len(elements))
	}
	if err != nil {
		return value, err
	}
	return elements[0], nil
}

// fitting checks that a slice has the elements of a tensor.
func fitting[T Element](tensor *Tensor, elements []T) error {
	info, err := typedInfo[T](tensor)
	if err == nil && len(elements) != int(info.ElementCount) {
		err = invalid("elements has %d entries; the tensor has %d elements", len(elements),
			info.ElementCount)
	}
	return err
}

func typedInfo[T Element](tensor *Tensor) (TensorInfo, error) {
	if tensor == nil {
		return TensorInfo{}, &Error{Status: ErrInvalidHandle,
			Message: "tensor is nil; where a Scope kept it, Err of the scope says why"}
	}
	info, err := tensor.Info()
	if err == nil && info.Dtype != DtypeOf[T]() {
		err = invalid("the tensor has dtype %s, not %s", info.Dtype.Name(), DtypeOf[T]().Name())
	}
	return info, err
}

// dtypeOf gives 0 for what is no tensor, which the library refuses then.
func dtypeOf(tensor *Tensor) Dtype {
	info, err := tensor.Info()
	if err != nil {
		return 0
	}
	return info.Dtype
}

// Shape gives the extents; none for a tensor that the library refuses, too: a nil one, which
// Scope.Keep gives behind an error, has no Shape()[0]. TensorInfo.Shape has zeros behind them.
func (t *Tensor) Shape() []int {
	info, err := t.Info()
	if err != nil {
		return nil
	}
	return append([]int{}, info.Shape[:info.Rank]...)
}

// Dtype gives the type of the elements, 0 for a tensor that the library refuses.
func (t *Tensor) Dtype() Dtype {
	return dtypeOf(t)
}

// runOf is what options say of a call; nil where there are none.
func runOf(options []RunOption) *RunOptions {
	if len(options) == 0 {
		return nil
	}
	run := new(RunOptions)
	for _, option := range options {
		if option != nil {
			option.toRun(run)
		}
	}
	return run
}

// T views the tensor with its last two dimensions exchanged.
func (t *Tensor) T() (*Tensor, error) {
	info, err := t.Info()
	if err != nil {
		return nil, err
	}
	if info.Rank < 2 {
		return nil, invalid("a tensor of rank %d has no transpose", info.Rank)
	}
	axes := make([]int, info.Rank)
	for i := range axes {
		axes[i] = i
	}
	axes[info.Rank-2], axes[info.Rank-1] = axes[info.Rank-1], axes[info.Rank-2]
	return t.Permute(axes)
}

// Part views elements start to end (without it) of the first dimensions, two numbers for each; the
// others are taken as a whole. Negative numbers count from the end, which is End: Part(-3, End) has
// the last three. Step leaves elements out.
func (t *Tensor) Part(bounds ...int) (*Tensor, error) {
	info, err := t.Info()
	if err != nil {
		return nil, err
	}
	if len(bounds)%2 != 0 || len(bounds) > 2*int(info.Rank) {
		return nil, invalid("%d bounds are given for rank %d", len(bounds), info.Rank)
	}
	ranges := make([]Range, info.Rank)
	for i := range ranges {
		ranges[i] = Range{Extent: info.Shape[i], Step: 1}
		if 2*i < len(bounds) {
			start, end := bounds[2*i], bounds[2*i+1]
			if start < 0 {
				start += info.Shape[i]
			}
			if end < 0 {
				end += info.Shape[i]
			} else if end == End {
				end = info.Shape[i]
			}
			if start < 0 || end < start || end > info.Shape[i] {
				return nil, invalid("bounds %d to %d of dimension %d are not within 0 to %d",
					bounds[2*i], bounds[2*i+1], i, info.Shape[i])
			}
			ranges[i] = Range{Start: start, Extent: end - start, Step: 1}
		}
	}
	return t.Slice(ranges)
}

// Expr evaluates an expression in v0, v1, ... over tensors, broadcast to one shape, as one fused
// kernel: Expr("relu(v0 + v1) * 0.5", x, bias). OpExpressionText takes options too. Gradients record
// it as they do every op.
func Expr(text string, inputs ...*Tensor) (*Tensor, error) {
	return OpExpressionText(text, inputs, nil, nil)
}

// Exprs evaluates several expressions over the same tensors as one fused kernel, which reads each of
// them once and gives a result for each text.
func Exprs(texts []string, inputs ...*Tensor) ([]*Tensor, error) {
	return OpExpressions(texts, inputs, nil, nil)
}

// Add adds element by element, broadcasting.
func (t *Tensor) Add(other *Tensor, options ...RunOption) (*Tensor, error) {
	return OpExpressionText("v0 + v1", []*Tensor{t, other}, nil, runOf(options))
}

// Sub subtracts element by element, broadcasting.
func (t *Tensor) Sub(other *Tensor, options ...RunOption) (*Tensor, error) {
	return OpExpressionText("v0 - v1", []*Tensor{t, other}, nil, runOf(options))
}

// Mul multiplies element by element, broadcasting. The product of matrices is Matmul.
func (t *Tensor) Mul(other *Tensor, options ...RunOption) (*Tensor, error) {
	return OpExpressionText("v0 * v1", []*Tensor{t, other}, nil, runOf(options))
}

// Div divides element by element, broadcasting.
func (t *Tensor) Div(other *Tensor, options ...RunOption) (*Tensor, error) {
	return OpExpressionText("v0 / v1", []*Tensor{t, other}, nil, runOf(options))
}
