package netcl_test

import (
	"math"
	"testing"

	"netcl.example/netcl"
)

// keeping gives a function that leaves what a call made to the scope.
func keeping(t *testing.T, scope *netcl.Scope) func(*netcl.Tensor, error) *netcl.Tensor {
	return func(tensor *netcl.Tensor, err error) *netcl.Tensor {
		t.Helper()
		must(t, err)
		return scope.Keep(tensor, nil)
	}
}

func TestTensorsAreMadeOfNumbers(t *testing.T) {
	device := open(t)
	defer device.Close()
	scope := netcl.NewScope()
	defer scope.Close()
	keep := keeping(t, scope)
	has(t, keep(netcl.Ones(device, netcl.I8, 2)), int8(1), 1)
	has(t, keep(netcl.Ones(device, netcl.BF16, 1)), netcl.BFloat16From(1))
	has(t, keep(netcl.Ones(device, netcl.F64)), 1.0)
	has(t, keep(netcl.Ones(device, netcl.Bool, 1)), true)
	has(t, keep(netcl.Arange(device, int64(0), 3, 1)), int64(0), 1, 2)
	has(t, keep(netcl.Arange(device, int8(100), -128, -100)), int8(100), 0, -100)
	has(t, keep(netcl.Arange(device, uint64(math.MaxUint64-3), math.MaxUint64, 2)),
		uint64(math.MaxUint64-3), math.MaxUint64-1)
	has(t, keep(netcl.Arange(device, int64(math.MinInt64), math.MaxInt64, math.MaxInt64)),
		int64(math.MinInt64), -1, math.MaxInt64-1)
	has[int32](t, keep(netcl.Arange(device, int32(3), 3, 1)))
	has[int32](t, keep(netcl.Arange(device, int32(3), 4, -1)))
	has(t, keep(netcl.Arange(device, float32(0), 1, 0.25)), float32(0), 0.25, 0.5, 0.75)
	has(t, keep(netcl.Linspace(device, netcl.F64, 1, 2, 3)), 1.0, 1.5, 2.0)
	has(t, keep(netcl.Linspace(device, netcl.F32, 0.25, 2, 1)), float32(0.25))
	ends := values[float32](t, keep(netcl.Linspace(device, netcl.F32, 0.1, 0.7, 23)))
	same(t, ends[0], 0.1)
	same(t, ends[22], 0.7)
	has(t, keep(netcl.Linspace(device, netcl.F16, -1, 1, 3)), netcl.Float16From(-1), 0,
		netcl.Float16From(1))
	has(t, keep(netcl.Linspace(device, netcl.F64, -1e308, 1e308, 3)), -1e308, 0.0, 1e308)
	has(t, keep(netcl.Linspace(device, netcl.F32, -3e38, 3e38, 2)), float32(-3e38), 3e38)
	fails(t, failed(netcl.Linspace(device, netcl.I32, 0, 1, 2)), netcl.ErrInvalidArgument,
		"dtype is i32")
	fails(t, failed(netcl.Arange(device, 1.0, 2.0, math.NaN())), netcl.ErrInvalidArgument, "")
	has(t, keep(netcl.Eye(device, netcl.I32, 2)), int32(1), 0, 0, 1)
	line := keep(netcl.Zeros(device, netcl.I32, 3))
	must(t, netcl.OpRange(line, netcl.ScalarOf(int32(5)), netcl.ScalarOf(int32(-2)), nil))
	has(t, line, int32(5), 3, 1)
	square := keep(netcl.Zeros(device, netcl.U8, 2, 2))
	must(t, square.Eye(-1))
	has(t, square, uint8(0), 0, 1, 0)
}

func TestTensorsAreMadeOfTensors(t *testing.T) {
	device := open(t)
	defer device.Close()
	scope := netcl.NewScope()
	defer scope.Close()
	keep := keeping(t, scope)
	x := keep(netcl.FromSlice(device, []float32{1, 2, 3, 4, 5, 6}, 2, 3))
	has(t, keep(x.Tril(0)), float32(1), 0, 0, 4, 5, 0)
	has(t, keep(x.Triu(1)), float32(0), 2, 3, 0, 0, 6)
	has(t, keep(x.Tile([]int{1, 2})), float32(1), 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6)
	places := keep(netcl.FromSlice(device, []int64{1, -1}))
	has(t, keep(netcl.OneHot(places, 3, netcl.U8)), uint8(0), 1, 0, 0, 0, 1)
	has(t, keep(places.OneHot(2, 0, netcl.I32, netcl.ScalarOf(int32(7)), netcl.ScalarOf(int32(5)))),
		int32(5), 5, 7, 7)
	y := keep(x.Neg())
	has(t, keep(netcl.Stack([]*netcl.Tensor{x, y}, -1)), float32(1), -1, 2, -2, 3, -3, 4, -4, 5, -5,
		6, -6)
	stacked := keep(netcl.Stack([]*netcl.Tensor{x, y}, 0))
	equal(t, stacked.Shape(), []int{2, 2, 3})
	fails(t, failed(netcl.Stack([]*netcl.Tensor{x}, 3)), netcl.ErrInvalidArgument, "axis is 3")
	fails(t, failed(netcl.Stack(nil, 0)), netcl.ErrInvalidArgument, "")
	near(t, keep(x.Var(0, 1)), nil, 2.0/3, 2.0/3)
	near(t, keep(x.Var(1)), nil, 3.5)
	near(t, keep(x.Std(1, 0)), nil, float32(math.Sqrt(4.5)), float32(math.Sqrt(4.5)),
		float32(math.Sqrt(4.5)))
	whole := keep(netcl.FromSlice(device, []int32{1, 2, 4}))
	near(t, keep(whole.Var(0)), nil, 14.0/9)
	few := keep(keep(netcl.FromSlice(device, []float32{1000, 1004})).Cast(netcl.BF16))
	has(t, keep(few.Var(0)), netcl.BFloat16From(4))
	large := keep(keep(netcl.FromSlice(device, []float32{300, -300})).Cast(netcl.F16))
	has(t, keep(large.Std(0)), netcl.Float16From(300))
	alone := values[float32](t, keep(keep(x.Part(0, 1, 0, 1)).Var(1)))
	same(t, alone[0] != alone[0], true)
	fails(t, failed(x.Var(0, 5)), netcl.ErrInvalidArgument, "")
}
