package netcl

import "strconv"

// The methods of this file are operators, reductions and numbers by name. They broadcast, take any
// strides and give a new tensor each; Expr makes one kernel of a chain of them.

func unary(op Elementwise, t *Tensor) (*Tensor, error) {
	return OpElementwise(op, []*Tensor{t}, nil, nil)
}

func binary(op Elementwise, t, other *Tensor) (*Tensor, error) {
	return OpElementwise(op, []*Tensor{t, other}, nil, nil)
}

func reduce(t *Tensor, kind Reduction, axes []int) (*Tensor, error) {
	return OpReduce(t, kind, &ReduceOptions{Axes: axes}, nil)
}

// Abs gives absolute values, element by element.
func (t *Tensor) Abs() (*Tensor, error) {
	return unary(ElementwiseAbs, t)
}

// Neg changes signs, element by element.
func (t *Tensor) Neg() (*Tensor, error) {
	return unary(ElementwiseNeg, t)
}

// Sign gives -1, 0 or 1, element by element.
func (t *Tensor) Sign() (*Tensor, error) {
	return unary(ElementwiseSign, t)
}

// Square gives squares, element by element.
func (t *Tensor) Square() (*Tensor, error) {
	return unary(ElementwiseSquare, t)
}

// Sqrt gives square roots, element by element.
func (t *Tensor) Sqrt() (*Tensor, error) {
	return unary(ElementwiseSqrt, t)
}

// Rsqrt gives 1 / sqrt(x), element by element.
func (t *Tensor) Rsqrt() (*Tensor, error) {
	return unary(ElementwiseRsqrt, t)
}

// Reciprocal gives 1 / x, element by element.
func (t *Tensor) Reciprocal() (*Tensor, error) {
	return unary(ElementwiseReciprocal, t)
}

// Exp gives exponentials, element by element.
func (t *Tensor) Exp() (*Tensor, error) {
	return unary(ElementwiseExp, t)
}

// Log gives natural logarithms, element by element.
func (t *Tensor) Log() (*Tensor, error) {
	return unary(ElementwiseLog, t)
}

// Erf gives the error function, element by element.
func (t *Tensor) Erf() (*Tensor, error) {
	return unary(ElementwiseErf, t)
}

// Sin gives sines, element by element.
func (t *Tensor) Sin() (*Tensor, error) {
	return unary(ElementwiseSin, t)
}

// Cos gives cosines, element by element.
func (t *Tensor) Cos() (*Tensor, error) {
	return unary(ElementwiseCos, t)
}

// Tan gives tangents, element by element.
func (t *Tensor) Tan() (*Tensor, error) {
	return unary(ElementwiseTan, t)
}

// Asin gives arc sines, element by element.
func (t *Tensor) Asin() (*Tensor, error) {
	return unary(ElementwiseAsin, t)
}

// Acos gives arc cosines, element by element.
func (t *Tensor) Acos() (*Tensor, error) {
	return unary(ElementwiseAcos, t)
}

// Atan gives arc tangents, element by element.
func (t *Tensor) Atan() (*Tensor, error) {
	return unary(ElementwiseAtan, t)
}

// Sinh gives hyperbolic sines, element by element.
func (t *Tensor) Sinh() (*Tensor, error) {
	return unary(ElementwiseSinh, t)
}

// Cosh gives hyperbolic cosines, element by element.
func (t *Tensor) Cosh() (*Tensor, error) {
	return unary(ElementwiseCosh, t)
}

// Tanh gives hyperbolic tangents, element by element.
func (t *Tensor) Tanh() (*Tensor, error) {
	return unary(ElementwiseTanh, t)
}

// Floor rounds down, element by element.
func (t *Tensor) Floor() (*Tensor, error) {
	return unary(ElementwiseFloor, t)
}

// Ceil rounds up, element by element.
func (t *Tensor) Ceil() (*Tensor, error) {
	return unary(ElementwiseCeil, t)
}

// Round rounds to the nearest, halves to even, element by element.
func (t *Tensor) Round() (*Tensor, error) {
	return unary(ElementwiseRound, t)
}

// Relu gives max(x, 0), element by element.
func (t *Tensor) Relu() (*Tensor, error) {
	return unary(ElementwiseRelu, t)
}

// Sigmoid gives 1 / (1 + exp(-x)), element by element.
func (t *Tensor) Sigmoid() (*Tensor, error) {
	return unary(ElementwiseSigmoid, t)
}

// Gelu gives the Gaussian error linear unit, with erf, element by element.
func (t *Tensor) Gelu() (*Tensor, error) {
	return unary(ElementwiseGelu, t)
}

// Silu gives x sigmoid(x), also called swish, element by element.
func (t *Tensor) Silu() (*Tensor, error) {
	return unary(ElementwiseSilu, t)
}

// Softplus gives log(1 + exp(x)), element by element.
func (t *Tensor) Softplus() (*Tensor, error) {
	return unary(ElementwiseSoftplus, t)
}

// Not negates booleans, element by element.
func (t *Tensor) Not() (*Tensor, error) {
	return unary(ElementwiseNot, t)
}

// IsNaN tells which elements are NaN, element by element.
func (t *Tensor) IsNaN() (*Tensor, error) {
	return unary(ElementwiseIsNan, t)
}

// Pow raises to a power, broadcasting.
func (t *Tensor) Pow(other *Tensor) (*Tensor, error) {
	return binary(ElementwisePow, t, other)
}

// Maximum gives the larger of two elements, broadcasting.
func (t *Tensor) Maximum(other *Tensor) (*Tensor, error) {
	return binary(ElementwiseMax, t, other)
}

// Minimum gives the smaller of two elements, broadcasting.
func (t *Tensor) Minimum(other *Tensor) (*Tensor, error) {
	return binary(ElementwiseMin, t, other)
}

// Equal tells where elements are equal, broadcasting.
func (t *Tensor) Equal(other *Tensor) (*Tensor, error) {
	return binary(ElementwiseEqual, t, other)
}

// Less tells where elements are smaller, broadcasting.
func (t *Tensor) Less(other *Tensor) (*Tensor, error) {
	return binary(ElementwiseLess, t, other)
}

// LessOrEqual tells where elements are smaller or equal, broadcasting.
func (t *Tensor) LessOrEqual(other *Tensor) (*Tensor, error) {
	return binary(ElementwiseLessOrEqual, t, other)
}

// Greater tells where elements are larger, broadcasting.
func (t *Tensor) Greater(other *Tensor) (*Tensor, error) {
	return binary(ElementwiseGreater, t, other)
}

// GreaterOrEqual tells where elements are larger or equal, broadcasting.
func (t *Tensor) GreaterOrEqual(other *Tensor) (*Tensor, error) {
	return binary(ElementwiseGreaterOrEqual, t, other)
}

// And joins booleans: both, broadcasting.
func (t *Tensor) And(other *Tensor) (*Tensor, error) {
	return binary(ElementwiseAnd, t, other)
}

// Or joins booleans: one of them, or both, broadcasting.
func (t *Tensor) Or(other *Tensor) (*Tensor, error) {
	return binary(ElementwiseOr, t, other)
}

// Xor joins booleans: one of them, not both, broadcasting.
func (t *Tensor) Xor(other *Tensor) (*Tensor, error) {
	return binary(ElementwiseXor, t, other)
}

// Where takes elements of x where the tensor is true, and of y elsewhere, broadcasting.
func (t *Tensor) Where(x, y *Tensor) (*Tensor, error) {
	return OpElementwise(ElementwiseWhere, []*Tensor{t, x, y}, nil, nil)
}

// Clip brings elements into the range from low to high.
func (t *Tensor) Clip(low, high float64) (*Tensor, error) {
	options := &ElementwiseOptions{Alpha: low, Beta: high, HasParameters: true}
	return OpElementwise(ElementwiseClip, []*Tensor{t}, options, nil)
}

// Sum adds up over axes, which disappear; over all where none is given. Reduce takes options.
func (t *Tensor) Sum(axes ...int) (*Tensor, error) {
	return reduce(t, ReductionSum, axes)
}

// Mean averages over axes, which disappear; over all where none is given. Reduce takes options.
func (t *Tensor) Mean(axes ...int) (*Tensor, error) {
	return reduce(t, ReductionMean, axes)
}

// Max finds the largest over axes, which disappear; over all where none is given. Reduce takes options.
func (t *Tensor) Max(axes ...int) (*Tensor, error) {
	return reduce(t, ReductionMax, axes)
}

// Min finds the smallest over axes, which disappear; over all where none is given. Reduce takes options.
func (t *Tensor) Min(axes ...int) (*Tensor, error) {
	return reduce(t, ReductionMin, axes)
}

// Prod multiplies up over axes, which disappear; over all where none is given. Reduce takes options.
func (t *Tensor) Prod(axes ...int) (*Tensor, error) {
	return reduce(t, ReductionProd, axes)
}

// Any tells whether one is true over axes, which disappear; over all where none is given. Reduce takes options.
func (t *Tensor) Any(axes ...int) (*Tensor, error) {
	return reduce(t, ReductionAny, axes)
}

// All tells whether all are true over axes, which disappear; over all where none is given. Reduce takes options.
func (t *Tensor) All(axes ...int) (*Tensor, error) {
	return reduce(t, ReductionAll, axes)
}

// Argmax gives the index of the first largest element along an axis, as int64.
func (t *Tensor) Argmax(axis int) (*Tensor, error) {
	return reduce(t, ReductionArgmax, []int{axis})
}

// Argmin gives the index of the first smallest element along an axis, as int64.
func (t *Tensor) Argmin(axis int) (*Tensor, error) {
	return reduce(t, ReductionArgmin, []int{axis})
}

// literal writes a number as a literal of an expression. Literals take the type of what they meet: a
// whole number leaves integers integers, another one makes float32 of them.
func literal(value float64) (string, error) {
	if value-value != 0 {
		return "", invalid("the number is %v; a number that stands in a call is finite", value)
	}
	const exact = 1 << 53
	if value == float64(int64(value)) && value > -exact && value < exact {
		return "(" + strconv.FormatInt(int64(value), 10) + ")", nil
	}
	return "(" + strconv.FormatFloat(value, 'e', -1, 64) + ")", nil
}

func withNumber(t *Tensor, before string, value float64, after string) (*Tensor, error) {
	text, err := literal(value)
	if err != nil {
		return nil, err
	}
	return Expr(before+text+after, t)
}

// AddScalar adds a number to each element. The dtype stays, but integers with a number that is not whole give
// float32. New numbers compile nothing.
func (t *Tensor) AddScalar(value float64) (*Tensor, error) {
	return withNumber(t, "v0 + ", value, "")
}

// SubScalar takes a number from each element. The dtype stays, but integers with a number that is not whole give
// float32. New numbers compile nothing.
func (t *Tensor) SubScalar(value float64) (*Tensor, error) {
	return withNumber(t, "v0 - ", value, "")
}

// MulScalar multiplies each element by a number. The dtype stays, but integers with a number that is not whole give
// float32. New numbers compile nothing.
func (t *Tensor) MulScalar(value float64) (*Tensor, error) {
	return withNumber(t, "v0 * ", value, "")
}

// DivScalar divides each element by a number. The dtype stays, but integers with a number that is not whole give
// float32. New numbers compile nothing.
func (t *Tensor) DivScalar(value float64) (*Tensor, error) {
	return withNumber(t, "v0 / ", value, "")
}

// PowScalar raises each element to a power, for each of which a kernel is compiled once.
func (t *Tensor) PowScalar(value float64) (*Tensor, error) {
	return withNumber(t, "pow(v0, ", value, ")")
}
