//go:build cgo

package netcl

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Of longer dimensions so many elements are shown at each end.
const shownEdge = 3

// String gives the elements in nested brackets, long dimensions shortened. An error stands in the
// text.
func (t *Tensor) String() string {
	return tensorText(t, -1)
}

// Format gives the same, with a precision (%.3f) for each element.
func (t *Tensor) Format(state fmt.State, verb rune) {
	precision, given := state.Precision()
	if !given {
		precision = -1
		if verb == 'f' {
			precision = 6
		}
	}
	_, _ = state.Write([]byte(tensorText(t, precision)))
}

func tensorText(tensor *Tensor, precision int) string {
	info, err := tensor.Info()
	var text strings.Builder
	if err == nil {
		err = nested(&text, tensor, info, 0, precision)
	}
	if err != nil {
		return "<" + err.Error() + ">"
	}
	return text.String()
}

// nested writes one dimension. Only what is shown is read.
func nested(text *strings.Builder, tensor *Tensor, info TensorInfo, depth, precision int) error {
	if depth == int(info.Rank) || depth+1 == int(info.Rank) && info.Shape[depth] <= 2*shownEdge+1 {
		return elements(text, tensor, info.Dtype, depth < int(info.Rank), precision)
	}
	last, extent := depth+1 == int(info.Rank), info.Shape[depth]
	between := ",\n" + strings.Repeat(" ", depth+1)
	if last {
		between = ", "
	}
	text.WriteString("[")
	for place := 0; place < extent; place++ {
		if place > 0 {
			text.WriteString(between)
		}
		if place == shownEdge && extent > 2*shownEdge+1 {
			text.WriteString("..." + between)
			place = extent - shownEdge
		}
		part, err := row(tensor, info, depth, place)
		if err != nil {
			return err
		}
		err = nested(text, part, info, depth+1, precision)
		_ = part.Close()
		if err != nil {
			return err
		}
	}
	text.WriteString("]")
	return nil
}

// row keeps the rank: the dimension gets the extent 1.
func row(tensor *Tensor, info TensorInfo, depth int, place int) (*Tensor, error) {
	ranges := make([]Range, info.Rank)
	for i := range ranges {
		ranges[i] = Range{Extent: info.Shape[i], Step: 1}
		if i < depth {
			ranges[i].Extent = 1
		}
	}
	ranges[depth] = Range{Start: place, Extent: 1, Step: 1}
	return tensor.Slice(ranges)
}

func elements(text *strings.Builder, tensor *Tensor, dtype Dtype, brackets bool, digits int) error {
	var list []string
	var err error
	switch dtype {
	case F16:
		list, err = listed(tensor, func(v Float16) string { return number(v.Float32(), 32, digits) })
	case BF16:
		list, err = listed(tensor, func(v BFloat16) string { return number(v.Float32(), 32, digits) })
	case F32:
		list, err = listed(tensor, func(v float32) string { return number(v, 32, digits) })
	case F64:
		list, err = listed(tensor, func(v float64) string { return number(v, 64, digits) })
	case I8:
		list, err = listed(tensor, plain[int8])
	case I16:
		list, err = listed(tensor, plain[int16])
	case I32:
		list, err = listed(tensor, plain[int32])
	case I64:
		list, err = listed(tensor, plain[int64])
	case U8:
		list, err = listed(tensor, plain[uint8])
	case U16:
		list, err = listed(tensor, plain[uint16])
	case U32:
		list, err = listed(tensor, plain[uint32])
	case U64:
		list, err = listed(tensor, plain[uint64])
	case Bool:
		list, err = listed(tensor, plain[bool])
	default:
		return invalid("dtype %v is not known here", dtype)
	}
	joined := strings.Join(list, ", ")
	if brackets {
		joined = "[" + joined + "]"
	}
	text.WriteString(joined)
	return err
}

func listed[T Element](tensor *Tensor, show func(T) string) ([]string, error) {
	values, err := ToSlice[T](context.Background(), tensor)
	list := make([]string, len(values))
	for i, value := range values {
		list[i] = show(value)
	}
	return list, err
}

func plain[T Element](value T) string {
	return fmt.Sprint(value)
}

// number writes floats without exponents, as the other bindings do.
func number[T float32 | float64](value T, bits, digits int) string {
	wide := float64(value)
	switch {
	case math.IsNaN(wide):
		return "NaN"
	case math.IsInf(wide, 0):
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(wide, 'f', -1, 64)), "+")
	}
	return strconv.FormatFloat(wide, 'f', digits, bits)
}
