//go:build cgo

package netcl

import (
	"math"
	"strconv"
)

// The methods of this file are operators, reductions and numbers by name. They broadcast, take any
// strides and give a new tensor each; Expr makes one kernel of a chain of them. Options are those of
// any op; Gradients record all that their function calls.

func unary(op Elementwise, t *Tensor, options []RunOption) (*Tensor, error) {
	return OpElementwise(op, []*Tensor{t}, nil, runOf(options))
}

func binary(op Elementwise, t, other *Tensor, options []RunOption) (*Tensor, error) {
	return OpElementwise(op, []*Tensor{t, other}, nil, runOf(options))
}

func reduce(t *Tensor, kind Reduction, axes []int, options []RunOption) (*Tensor, error) {
	return OpReduce(t, kind, &ReduceOptions{Axes: axes}, runOf(options))
}

// Abs gives absolute values, element by element.
func (t *Tensor) Abs(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseAbs, t, options)
}

// Neg changes signs, element by element.
func (t *Tensor) Neg(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseNeg, t, options)
}

// Sign gives -1, 0 or 1, element by element.
func (t *Tensor) Sign(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseSign, t, options)
}

// Square gives squares, element by element.
func (t *Tensor) Square(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseSquare, t, options)
}

// Sqrt gives square roots, element by element.
func (t *Tensor) Sqrt(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseSqrt, t, options)
}

// Rsqrt gives 1 / sqrt(x), element by element.
func (t *Tensor) Rsqrt(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseRsqrt, t, options)
}

// Reciprocal gives 1 / x, element by element.
func (t *Tensor) Reciprocal(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseReciprocal, t, options)
}

// Exp gives exponentials, element by element.
func (t *Tensor) Exp(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseExp, t, options)
}

// Log gives natural logarithms, element by element.
func (t *Tensor) Log(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseLog, t, options)
}

// Erf gives the error function, element by element.
func (t *Tensor) Erf(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseErf, t, options)
}

// Sin gives sines, element by element.
func (t *Tensor) Sin(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseSin, t, options)
}

// Cos gives cosines, element by element.
func (t *Tensor) Cos(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseCos, t, options)
}

// Tan gives tangents, element by element.
func (t *Tensor) Tan(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseTan, t, options)
}

// Asin gives arc sines, element by element.
func (t *Tensor) Asin(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseAsin, t, options)
}

// Acos gives arc cosines, element by element.
func (t *Tensor) Acos(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseAcos, t, options)
}

// Atan gives arc tangents, element by element.
func (t *Tensor) Atan(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseAtan, t, options)
}

// Sinh gives hyperbolic sines, element by element.
func (t *Tensor) Sinh(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseSinh, t, options)
}

// Cosh gives hyperbolic cosines, element by element.
func (t *Tensor) Cosh(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseCosh, t, options)
}

// Tanh gives hyperbolic tangents, element by element.
func (t *Tensor) Tanh(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseTanh, t, options)
}

// Floor rounds down, element by element.
func (t *Tensor) Floor(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseFloor, t, options)
}

// Ceil rounds up, element by element.
func (t *Tensor) Ceil(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseCeil, t, options)
}

// Round rounds to the nearest, halves to even, element by element.
func (t *Tensor) Round(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseRound, t, options)
}

// Relu gives max(x, 0), element by element.
func (t *Tensor) Relu(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseRelu, t, options)
}

// Sigmoid gives 1 / (1 + exp(-x)), element by element.
func (t *Tensor) Sigmoid(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseSigmoid, t, options)
}

// Gelu gives the Gaussian error linear unit, with erf, element by element.
func (t *Tensor) Gelu(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseGelu, t, options)
}

// Silu gives x sigmoid(x), also called swish, element by element.
func (t *Tensor) Silu(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseSilu, t, options)
}

// Softplus gives log(1 + exp(x)), element by element.
func (t *Tensor) Softplus(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseSoftplus, t, options)
}

// Not negates booleans, element by element.
func (t *Tensor) Not(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseNot, t, options)
}

// IsNaN tells which elements are NaN, element by element.
func (t *Tensor) IsNaN(options ...RunOption) (*Tensor, error) {
	return unary(ElementwiseIsNan, t, options)
}

// Pow raises to a power, broadcasting.
func (t *Tensor) Pow(other *Tensor, options ...RunOption) (*Tensor, error) {
	return binary(ElementwisePow, t, other, options)
}

// Maximum gives the larger of two elements, broadcasting.
func (t *Tensor) Maximum(other *Tensor, options ...RunOption) (*Tensor, error) {
	return binary(ElementwiseMax, t, other, options)
}

// Minimum gives the smaller of two elements, broadcasting.
func (t *Tensor) Minimum(other *Tensor, options ...RunOption) (*Tensor, error) {
	return binary(ElementwiseMin, t, other, options)
}

// Equal tells where elements are equal, broadcasting.
func (t *Tensor) Equal(other *Tensor, options ...RunOption) (*Tensor, error) {
	return binary(ElementwiseEqual, t, other, options)
}

// Less tells where elements are smaller, broadcasting.
func (t *Tensor) Less(other *Tensor, options ...RunOption) (*Tensor, error) {
	return binary(ElementwiseLess, t, other, options)
}

// LessOrEqual tells where elements are smaller or equal, broadcasting.
func (t *Tensor) LessOrEqual(other *Tensor, options ...RunOption) (*Tensor, error) {
	return binary(ElementwiseLessOrEqual, t, other, options)
}

// Greater tells where elements are larger, broadcasting.
func (t *Tensor) Greater(other *Tensor, options ...RunOption) (*Tensor, error) {
	return binary(ElementwiseGreater, t, other, options)
}

// GreaterOrEqual tells where elements are larger or equal, broadcasting.
func (t *Tensor) GreaterOrEqual(other *Tensor, options ...RunOption) (*Tensor, error) {
	return binary(ElementwiseGreaterOrEqual, t, other, options)
}

// And joins booleans: both, broadcasting.
func (t *Tensor) And(other *Tensor, options ...RunOption) (*Tensor, error) {
	return binary(ElementwiseAnd, t, other, options)
}

// Or joins booleans: one of them, or both, broadcasting.
func (t *Tensor) Or(other *Tensor, options ...RunOption) (*Tensor, error) {
	return binary(ElementwiseOr, t, other, options)
}

// Xor joins booleans: one of them, not both, broadcasting.
func (t *Tensor) Xor(other *Tensor, options ...RunOption) (*Tensor, error) {
	return binary(ElementwiseXor, t, other, options)
}

// Where takes elements of x where the tensor is true, and of y elsewhere, broadcasting.
func (t *Tensor) Where(x, y *Tensor, options ...RunOption) (*Tensor, error) {
	return OpElementwise(ElementwiseWhere, []*Tensor{t, x, y}, nil, runOf(options))
}

// Clip brings elements into the range from low to high.
func (t *Tensor) Clip(low, high float64, options ...RunOption) (*Tensor, error) {
	bounds := &ElementwiseOptions{Alpha: low, Beta: high, HasParameters: true}
	return OpElementwise(ElementwiseClip, []*Tensor{t}, bounds, runOf(options))
}

// Sum adds up over axes, which disappear; over all where none is given.
// Reduce takes options.
func (t *Tensor) Sum(axes ...int) (*Tensor, error) {
	return reduce(t, ReductionSum, axes, nil)
}

// Mean averages over axes, which disappear; over all where none is given.
// Reduce takes options.
func (t *Tensor) Mean(axes ...int) (*Tensor, error) {
	return reduce(t, ReductionMean, axes, nil)
}

// Max finds the largest over axes, which disappear; over all where none is given.
// Reduce takes options.
func (t *Tensor) Max(axes ...int) (*Tensor, error) {
	return reduce(t, ReductionMax, axes, nil)
}

// Min finds the smallest over axes, which disappear; over all where none is given.
// Reduce takes options.
func (t *Tensor) Min(axes ...int) (*Tensor, error) {
	return reduce(t, ReductionMin, axes, nil)
}

// Prod multiplies up over axes, which disappear; over all where none is given.
// Reduce takes options.
func (t *Tensor) Prod(axes ...int) (*Tensor, error) {
	return reduce(t, ReductionProd, axes, nil)
}

// Any tells whether one is true over axes, which disappear; over all where none is given.
// Reduce takes options.
func (t *Tensor) Any(axes ...int) (*Tensor, error) {
	return reduce(t, ReductionAny, axes, nil)
}

// All tells whether all are true over axes, which disappear; over all where none is given.
// Reduce takes options.
func (t *Tensor) All(axes ...int) (*Tensor, error) {
	return reduce(t, ReductionAll, axes, nil)
}

// Argmax gives the index of the first largest element along an axis, as int64.
func (t *Tensor) Argmax(axis int, options ...RunOption) (*Tensor, error) {
	return reduce(t, ReductionArgmax, []int{axis}, options)
}

// Argmin gives the index of the first smallest element along an axis, as int64.
func (t *Tensor) Argmin(axis int, options ...RunOption) (*Tensor, error) {
	return reduce(t, ReductionArgmin, []int{axis}, options)
}

// literal writes a number as a literal of an expression. Literals take the type of what they meet: a
// whole number of 64 bits leaves integers integers, another one makes float32 of them.
func literal(value float64) string {
	switch {
	case math.IsNaN(value):
		return "(nan)"
	case math.IsInf(value, 1):
		return "(inf)"
	case math.IsInf(value, -1):
		return "(-inf)"
	// Whole, with all digits, from the least int64 to the largest uint64.
	case value == math.Trunc(value) && value >= -1<<63 && value < 1<<64:
		return "(" + strconv.FormatFloat(value, 'f', 0, 64) + ")"
	}
	return "(" + strconv.FormatFloat(value, 'e', -1, 64) + ")"
}

func withNumber(t *Tensor, before string, value float64, after string, options []RunOption) (
	*Tensor, error) {
	return OpExpressionText(before+literal(value)+after, []*Tensor{t}, nil, runOf(options))
}

// AddScalar adds a number to each element. The dtype stays, but integers with a number that is
// not whole, or has more than 64 bits, give float32. New numbers compile nothing.
func (t *Tensor) AddScalar(value float64, options ...RunOption) (*Tensor, error) {
	return withNumber(t, "v0 + ", value, "", options)
}

// SubScalar takes a number from each element. The dtype stays, but integers with a number that is
// not whole, or has more than 64 bits, give float32. New numbers compile nothing.
func (t *Tensor) SubScalar(value float64, options ...RunOption) (*Tensor, error) {
	return withNumber(t, "v0 - ", value, "", options)
}

// MulScalar multiplies each element by a number. The dtype stays, but integers with a number that is
// not whole, or has more than 64 bits, give float32. New numbers compile nothing.
func (t *Tensor) MulScalar(value float64, options ...RunOption) (*Tensor, error) {
	return withNumber(t, "v0 * ", value, "", options)
}

// DivScalar divides each element by a number. The dtype stays, but integers with a number that is
// not whole, or has more than 64 bits, give float32. New numbers compile nothing.
func (t *Tensor) DivScalar(value float64, options ...RunOption) (*Tensor, error) {
	return withNumber(t, "v0 / ", value, "", options)
}

// PowScalar raises each element to a power, for each of which a kernel is compiled once.
func (t *Tensor) PowScalar(value float64, options ...RunOption) (*Tensor, error) {
	return withNumber(t, "pow(v0, ", value, ")", options)
}
