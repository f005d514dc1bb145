//go:build cgo

package netcl

import "math"

// End is the end of a dimension, for Part.
const End = math.MaxInt

// Number is a type of elements that one can count with.
type Number interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// whole is a small whole number as an element of a dtype.
func whole(dtype Dtype, value int8) Scalar {
	switch dtype {
	case F16:
		return ScalarOf(Float16From(float32(value)))
	case BF16:
		return ScalarOf(BFloat16From(float32(value)))
	case F32:
		return ScalarOf(float32(value))
	case F64:
		return ScalarOf(float64(value))
	}
	made := ScalarOf(int64(value))
	if dtype.Size() == 1 {
		made = ScalarOf(value)
	} else if dtype.Size() == 2 {
		made = ScalarOf(int16(value))
	} else if dtype.Size() == 4 {
		made = ScalarOf(int32(value))
	}
	made.dtype = dtype
	return made
}

// Ones makes a tensor of ones. No extents make a scalar.
func Ones(device *Device, dtype Dtype, shape ...int) (*Tensor, error) {
	return NewTensorFull(device, dtype, shape, nil, whole(dtype, 1), nil)
}

// made gives a tensor that a call filled, or closes it.
func made(tensor *Tensor, err error) (*Tensor, error) {
	if err != nil {
		tensor.Close()
		return nil, err
	}
	return tensor, nil
}

// steps is how many numbers there are from start to end; false where that is no number.
func steps[T Number](start, end, step T) (int, bool) {
	if DtypeOf[T]() == F32 || DtypeOf[T]() == F64 {
		count := math.Ceil((float64(end) - float64(start)) / float64(step))
		return int(math.Max(count, 0)), step != 0 && count < 1<<52
	}
	if step == 0 || (start < end) != (step > 0) {
		return 0, step != 0
	}
	// Differences modulo 2^64 are the differences of such numbers.
	way, size := uint64(end)-uint64(start), uint64(step)
	if step < 0 {
		way, size = -way, -size
	}
	if way == 0 {
		return 0, true
	}
	count := (way-1)/size + 1
	return int(count), count < 1<<52
}

// Arange makes start, start + step, ... as long as end is not reached, as a tensor of one dimension:
// Arange(device, int64(0), 5, 1) has 0 to 4.
func Arange[T Number](device *Device, start, end, step T) (*Tensor, error) {
	count, ok := steps(start, end, step)
	if !ok {
		return nil, invalid("from %v to %v by %v is no range", start, end, step)
	}
	tensor, err := Zeros(device, DtypeOf[T](), count)
	if err != nil {
		return nil, err
	}
	return made(tensor, OpRange(tensor, ScalarOf(start), ScalarOf(step), nil))
}

// Linspace makes count numbers, as far from each other, of which the first is start and the last end.
// The dtype is one of floats.
func Linspace(device *Device, dtype Dtype, start, end float64, count int) (*Tensor, error) {
	most := math.MaxFloat64
	if dtype != F64 {
		most = math.MaxFloat32
	}
	// A way that no float is long enough for has steps that are, and two numbers need none.
	steps := math.Max(float64(count)-1, 1)
	step := (end - start) / steps
	if math.IsInf(step, 0) {
		step = end/steps - start/steps
	}
	step = math.Max(math.Min(step, most), -most)
	wide, values := F64, [3]Scalar{ScalarOf(start), ScalarOf(step), ScalarOf(end)}
	if dtype != F64 {
		wide = F32
		values = [3]Scalar{ScalarOf(float32(start)), ScalarOf(float32(step)), ScalarOf(float32(end))}
	}
	if dtype != wide && dtype != F16 && dtype != BF16 {
		return nil, invalid("dtype is %s, which is none of floats", dtype.Name())
	}
	line, err := Zeros(device, wide, count)
	if err != nil {
		return nil, err
	}
	err = OpRange(line, values[0], values[1], nil)
	if err == nil && count > 1 {
		var last *Tensor
		if last, err = line.Part(-1, End); err == nil {
			err = OpFill(last, values[2], nil)
			last.Close()
		}
	}
	if err != nil || dtype == wide {
		return made(line, err)
	}
	defer line.Close()
	return OpCast(line, dtype, nil)
}

// Eye makes the unit matrix of n rows. Tensor.Eye fills a tensor of another shape.
func Eye(device *Device, dtype Dtype, n int) (*Tensor, error) {
	tensor, err := Zeros(device, dtype, n, n)
	if err != nil {
		return nil, err
	}
	return made(tensor, OpEye(tensor, 0, nil))
}

// OneHot gives a line of depth elements for each index: 1 at its place, 0 elsewhere. Negative indices
// count from the end. Tensor.OneHot takes other values, and another axis than the last.
func OneHot(indices *Tensor, depth int, dtype Dtype, options ...RunOption) (*Tensor, error) {
	return OpOneHot(indices, depth, -1, dtype, whole(dtype, 1), whole(dtype, 0), runOf(options))
}

// Stack puts tensors of one shape beside each other along a new axis, which may be negative: -1 is
// behind the last.
func Stack(tensors []*Tensor, axis int, options ...RunOption) (*Tensor, error) {
	s := NewScope()
	defer s.Close()
	parts := make([]*Tensor, len(tensors))
	for i, tensor := range tensors {
		info, err := tensor.Info()
		if err != nil {
			return nil, err
		}
		at, rank := axis, int(info.Rank)
		if at < 0 {
			at += rank + 1
		}
		if at < 0 || at > rank {
			return nil, invalid("axis is %d; the result has rank %d", axis, rank+1)
		}
		shape := append(append(append([]int{}, info.Shape[:at]...), 1), info.Shape[at:rank]...)
		parts[i] = s.Keep(tensor.Reshape(shape))
		if i == 0 {
			axis = at
		}
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	return OpConcat(parts, axis, runOf(options))
}

// Tril gives each matrix with zeros above diagonal k.
func (t *Tensor) Tril(k int, options ...RunOption) (*Tensor, error) {
	return OpTrilu(t, false, k, runOf(options))
}

// Triu gives each matrix with zeros below diagonal k: with 1 what is above the main diagonal stays.
func (t *Tensor) Triu(k int, options ...RunOption) (*Tensor, error) {
	return OpTrilu(t, true, k, runOf(options))
}

// Var gives the variance over axes, which disappear; over all where none is given. It is the sum of
// squared distances to the mean, over their number less ddof: 0 is for all there is, 1 for a sample
// of more.
func (t *Tensor) Var(ddof int, axes ...int) (*Tensor, error) {
	return t.inFloat32(func(s *Scope, wide *Tensor) (*Tensor, error) {
		return wide.variance(s, ddof, axes)
	})
}

// Std gives the standard deviation over axes: the square root of Var.
func (t *Tensor) Std(ddof int, axes ...int) (*Tensor, error) {
	return t.inFloat32(func(s *Scope, wide *Tensor) (*Tensor, error) {
		return s.Keep(wide.variance(s, ddof, axes)).Sqrt()
	})
}

// inFloat32 calls compute with floats of 16 bits as float32, and rounds what it gives to them: they
// have too few bits for a mean that others are measured from, and their squares are soon out of range.
func (t *Tensor) inFloat32(compute func(s *Scope, wide *Tensor) (*Tensor, error)) (*Tensor, error) {
	s := NewScope()
	defer s.Close()
	info, err := t.Info()
	if err != nil {
		return nil, err
	}
	if info.Dtype != F16 && info.Dtype != BF16 {
		return s.Give(compute(s, t))
	}
	return s.Give(s.Keep(compute(s, s.Keep(t.Cast(F32)))).Cast(info.Dtype))
}

// variance gives the variance of floats that are wide enough, or of integers.
func (t *Tensor) variance(s *Scope, ddof int, axes []int) (*Tensor, error) {
	mean := s.Keep(OpReduce(t, ReductionMean, &ReduceOptions{Axes: axes, Keepdims: true}, nil))
	squares := s.Keep(Expr("square(v0 - v1)", t, mean))
	if s.Err() != nil || ddof == 0 {
		return squares.Mean(axes...)
	}
	// So many elements share one mean.
	each := float64(count(t)) / math.Max(float64(count(mean)), 1)
	all := s.Keep(squares.Mean(axes...))
	return all.MulScalar(each / math.Max(each-float64(ddof), 0))
}

// count gives the number of elements.
func count(tensor *Tensor) int {
	elements, _ := product(tensor.Shape())
	return elements
}

// Step views every so many elements along an axis, which may be negative. A negative step goes
// backwards, from the last element: Step(0, -1) turns the first dimension round.
func (t *Tensor) Step(axis, step int) (*Tensor, error) {
	info, err := t.Info()
	if err != nil {
		return nil, err
	}
	at, rank := axis, int(info.Rank)
	if at < 0 {
		at += rank
	}
	if at < 0 || at >= rank {
		return nil, invalid("axis is %d; the tensor has rank %d", axis, rank)
	}
	ranges := make([]Range, rank)
	for i := range ranges {
		ranges[i] = Range{Extent: info.Shape[i], Step: 1}
	}
	along := &ranges[at]
	along.Step = step
	if extent := along.Extent; extent > 0 && step > 0 {
		along.Extent = (extent-1)/step + 1
	} else if extent > 0 && step < 0 {
		along.Start = extent - 1
		along.Extent = int((uint64(extent)-1)/-uint64(step)) + 1
	}
	return t.Slice(ranges)
}
