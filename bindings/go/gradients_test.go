package netcl_test

import (
	"errors"
	"fmt"
	"math/rand"
	"testing"
	"time"

	"netcl.example/netcl"
)

// closeAll closes tensors at the end of a test.
func closeAll(t *testing.T, all ...*netcl.Tensor) {
	t.Cleanup(func() {
		for _, x := range all {
			x.Close()
		}
	})
}

// weighted is the function whose gradients are tested: the sum of x * x * y.
func weighted(x, y *netcl.Tensor) func(*netcl.RunOptions) (*netcl.Tensor, error) {
	return func(run *netcl.RunOptions) (*netcl.Tensor, error) {
		z, err := netcl.OpExpressionText("v0 * v0 * v1", []*netcl.Tensor{x, y}, nil, run)
		if err != nil {
			return nil, err
		}
		defer z.Close()
		return netcl.OpReduce(z, netcl.ReductionSum, nil, run)
	}
}

func TestFunctionsHaveGradients(t *testing.T) {
	device := open(t)
	defer device.Close()
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewSource(seed))
	a, b, byA, byB := make([]float32, 7), make([]float32, 7), make([]float32, 7), make([]float32, 7)
	value := 0.0
	for k := range a {
		a[k], b[k] = random.Float32()-0.5, random.Float32()-0.5
		p, q := float64(a[k]), float64(b[k])
		value += p * p * q
		byA[k], byB[k] = float32(2*p*q), float32(p*p)
	}
	x, y := tensor(t, device, a), tensor(t, device, b)
	closeAll(t, x, y)
	loss, gradients, err := netcl.Gradients(weighted(x, y), y, x)
	if err != nil {
		t.Fatal(err)
	}
	closeAll(t, append(gradients, loss)...)
	near(t, loss, nil, float32(value))
	near(t, gradients[0], nil, byB...)
	near(t, gradients[1], nil, byA...)
}

func TestNamedOpsAreRecordedByTheirOptions(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := tensor(t, device, []float32{-1, 2, 3, -4}, 2, 2)
	y := tensor(t, device, []float32{1, -2, 0.5, 1}, 2, 2)
	closeAll(t, x, y)
	// relu(2 x * y + x), by the names of its parts.
	loss, gradients, err := netcl.Gradients(func(run *netcl.RunOptions) (*netcl.Tensor, error) {
		s := netcl.NewScope()
		defer s.Close()
		z := s.Keep(s.Keep(x.MulScalar(2, run)).Mul(y, run))
		z = s.Keep(s.Keep(z.Add(x, run)).Relu(run))
		z = s.Keep(z.Reshape([]int{4}, run))
		return s.Give(z.Reduce(netcl.ReductionSum, run))
	}, x, y)
	if err != nil {
		t.Fatal(err)
	}
	closeAll(t, append(gradients, loss)...)
	near(t, loss, nil, 6)
	near(t, gradients[0], nil, 0, 0, 2, 0)
	near(t, gradients[1], nil, 0, 0, 6, 0)
	// Without them they are constants.
	_, _, err = netcl.Gradients(func(run *netcl.RunOptions) (*netcl.Tensor, error) {
		s := netcl.NewScope()
		defer s.Close()
		return s.Give(s.Keep(x.Relu()).Reduce(netcl.ReductionSum, run))
	}, x)
	fails(t, err, netcl.ErrInvalidArgument, "inputs[0]")
}

func TestWhatHasNoGradientIsRefused(t *testing.T) {
	device := open(t)
	defer device.Close()
	x, y := tensor(t, device, []float32{1, 2}), tensor(t, device, []float32{3, 4})
	closeAll(t, x, y)
	_, _, err := netcl.Gradients(weighted(x, y))
	fails(t, err, netcl.ErrInvalidArgument, "needs an input")
	_, _, err = netcl.Gradients(weighted(x, x), x, y)
	fails(t, err, netcl.ErrInvalidArgument, "inputs[1]")
	_, _, err = netcl.Gradients(weighted(x, y), nil, y)
	fails(t, err, netcl.ErrInvalidHandle, "tensor is NULL")
	none := func(*netcl.RunOptions) (*netcl.Tensor, error) { return nil, nil }
	_, _, err = netcl.Gradients(none, x)
	fails(t, err, netcl.ErrInvalidArgument, "gave no tensor")
	wide := func(run *netcl.RunOptions) (*netcl.Tensor, error) {
		return netcl.OpExpressionText("v0 * 2", []*netcl.Tensor{x}, nil, run)
	}
	_, _, err = netcl.Gradients(wide, x)
	fails(t, err, netcl.ErrInvalidArgument, "")
	own := errors.New("of the function")
	broken := func(*netcl.RunOptions) (*netcl.Tensor, error) { return nil, own }
	if _, _, err := netcl.Gradients(broken, x); err != own {
		t.Fatal(err)
	}
}

func TestRecordingEndsWithItsFunction(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := tensor(t, device, []float32{1, 2})
	closeAll(t, x)
	var kept *netcl.RunOptions
	var graph *netcl.Graph
	panics := func(run *netcl.RunOptions) (*netcl.Tensor, error) {
		kept, graph = run, ok(run.Graph.Retain())(t)
		y := ok(netcl.OpExpressionText("v0 * 2", []*netcl.Tensor{x}, nil, run))(t)
		defer y.Close()
		panic("in the function")
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		netcl.Gradients(panics, x)
	}()
	defer graph.Close()
	if info := ok(graph.Info())(t); info.CallCount != 0 {
		t.Fatalf("%+v", info)
	}
	if _, err := netcl.OpExpressionText("v0", []*netcl.Tensor{x}, nil, kept); err == nil {
		t.Fatal("the recording goes on behind its function")
	}
}

func ExampleGradients() {
	device, _ := netcl.Open("builtin")
	defer device.Close()
	x, _ := netcl.FromSlice(device, []float32{1, 2, 3})
	defer x.Close()
	loss, gradients, err := netcl.Gradients(func(run *netcl.RunOptions) (*netcl.Tensor, error) {
		return netcl.OpReduce(x, netcl.ReductionSumSquare, nil, run)
	}, x)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer loss.Close()
	defer gradients[0].Close()
	fmt.Println(loss, gradients[0])
	// Output: 14 [2, 4, 6]
}
