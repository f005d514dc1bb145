//go:build cgo

package netcl

import (
	"fmt"
	"math"
	"unsafe"
)

// Element is a type that tensors can have as elements.
type Element interface {
	bool | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 |
		float32 | float64 | Float16 | BFloat16
}

// The distributions, with the name of their type in front.
const (
	DistributionUniform = Uniform
	DistributionNormal  = Normal
)

// DtypeOf gives the dtype of elements of a type.
func DtypeOf[T Element]() Dtype {
	var zero T
	switch any(zero).(type) {
	case bool:
		return Bool
	case int8:
		return I8
	case int16:
		return I16
	case int32:
		return I32
	case int64:
		return I64
	case uint8:
		return U8
	case uint16:
		return U16
	case uint32:
		return U32
	case uint64:
		return U64
	case float32:
		return F32
	case float64:
		return F64
	case Float16:
		return F16
	default:
		return BF16
	}
}

// Scalar is one value with its dtype, for calls that take an element. The zero Scalar is none.
type Scalar struct {
	dtype Dtype
	bytes [8]byte
}

// ScalarOf makes a Scalar: ScalarOf(float32(1.5)).
func ScalarOf[T Element](value T) Scalar {
	made := Scalar{dtype: DtypeOf[T]()}
	copy(made.bytes[:], bytesOf([]T{value}))
	return made
}

// Dtype gives the dtype of the value.
func (s Scalar) Dtype() Dtype {
	return s.dtype
}

// bytesOf gives the memory of elements.
func bytesOf[T Element](elements []T) []byte {
	if len(elements) == 0 {
		return nil
	}
	size := int(unsafe.Sizeof(elements[0]))
	return unsafe.Slice((*byte)(unsafe.Pointer(&elements[0])), len(elements)*size)
}

// tidy makes values of what came from a device: a bool of Go is 0 or 1.
func tidy[T Element](elements []T) {
	if DtypeOf[T]() != Bool {
		return
	}
	bytes := bytesOf(elements)
	for i, b := range bytes {
		if b != 0 {
			bytes[i] = 1
		}
	}
}

// Float16 is an IEEE 754 binary16 number. It is storage: convert it to compute with it.
type Float16 uint16

// BFloat16 is the upper half of a float32. It is storage: convert it to compute with it.
type BFloat16 uint16

// Float16From rounds to the nearest, ties to even; too large numbers become infinite.
func Float16From(value float32) Float16 {
	bits := math.Float32bits(value)
	sign := uint16(bits >> 16 & 0x8000)
	magnitude := bits & 0x7fffffff
	switch {
	case magnitude > 0x7f800000:
		return Float16(sign | 0x7e00 | uint16(magnitude>>13&0x03ff))
	case magnitude >= 0x477ff000:
		return Float16(sign | 0x7c00)
	case magnitude < 0x38800000:
		// Below 2^-14 the step is 2^-24: adding 0.5 makes the hardware round to it.
		rounded := math.Float32bits(math.Float32frombits(magnitude)+0.5) - 0x3f000000
		return Float16(sign | uint16(rounded))
	}
	rounded := magnitude + 0x0fff + magnitude>>13&1
	return Float16(sign | uint16((rounded-0x38000000)>>13))
}

// Float32 gives the same number, exactly.
func (f Float16) Float32() float32 {
	sign := uint32(f&0x8000) << 16
	magnitude := uint32(f & 0x7fff)
	var value float32
	switch {
	case magnitude >= 0x7c00:
		value = math.Float32frombits(magnitude&0x3ff<<13 | 0x7f800000)
	case magnitude >= 0x400:
		value = math.Float32frombits(magnitude<<13 + 0x38000000)
	default:
		value = float32(magnitude) / (1 << 24)
	}
	return math.Float32frombits(math.Float32bits(value) | sign)
}

// String gives the number.
func (f Float16) String() string {
	return fmt.Sprint(f.Float32())
}

// BFloat16From rounds to the nearest, ties to even.
func BFloat16From(value float32) BFloat16 {
	bits := math.Float32bits(value)
	if value != value {
		return BFloat16(bits>>16 | 0x40)
	}
	return BFloat16((bits + 0x7fff + bits>>16&1) >> 16)
}

// Float32 gives the same number, exactly.
func (f BFloat16) Float32() float32 {
	return math.Float32frombits(uint32(f) << 16)
}

// String gives the number.
func (f BFloat16) String() string {
	return fmt.Sprint(f.Float32())
}
