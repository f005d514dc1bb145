package netcl_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"runtime"
	"sync"
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
}

// gradientsOf gives the gradients of a function that keeps what it makes in a scope, with its error.
func gradientsOf(t *testing.T, f func(s *netcl.Scope) (*netcl.Tensor, error),
	inputs ...*netcl.Tensor) ([]*netcl.Tensor, error) {
	t.Helper()
	loss, gradients, err := netcl.Gradients(func(*netcl.RunOptions) (*netcl.Tensor, error) {
		s := netcl.NewScope()
		defer s.Close()
		return f(s)
	}, inputs...)
	closeAll(t, append(gradients, loss)...)
	return gradients, err
}

func TestCallsWithoutOptionsAreRecorded(t *testing.T) {
	device := open(t)
	defer device.Close()
	x, w := tensor(t, device, []float32{5, 7, 9}), tensor(t, device, []float32{1, 2, 3})
	closeAll(t, x, w)
	check := func(f func(s *netcl.Scope) (*netcl.Tensor, error), want ...float32) {
		t.Helper()
		near(t, ok(gradientsOf(t, f, w))(t)[0], nil, want...)
	}
	check(func(s *netcl.Scope) (*netcl.Tensor, error) {
		y, z := s.Keep(s.Keep(x.Mul(w)).Sum()), s.Keep(w.Sum())
		return s.Give(y.Add(z))
	}, 6, 8, 10)
	check(func(s *netcl.Scope) (*netcl.Tensor, error) {
		y := s.Keep(netcl.Expr("v0 * v1 * v1", x, w))
		return s.Give(y.Mean(0))
	}, 10./3, 28./3, 18)
	check(func(s *netcl.Scope) (*netcl.Tensor, error) { return s.Give(w.Max()) }, 0, 0, 1)
	check(func(s *netcl.Scope) (*netcl.Tensor, error) { return s.Give(w.Min()) }, 1, 0, 0)
	check(func(s *netcl.Scope) (*netcl.Tensor, error) { return s.Give(w.Prod()) }, 6, 3, 2)
	check(func(s *netcl.Scope) (*netcl.Tensor, error) {
		queue := ok(netcl.NewQueue(device, nil))(t)
		defer queue.Close()
		// Other options than a graph do not hinder it, nor do other strides.
		y := s.Keep(w.Square(&netcl.RunOptions{Queue: queue}))
		y = s.Keep(s.Keep(y.Broadcast([]int{2, 3})).T())
		return s.Give(s.Keep(y.Reshape([]int{6})).Sum())
	}, 4, 8, 12)
	// What is behind the function is not recorded, and another one begins anew.
	near(t, ok(w.Sum())(t), nil, 6)
	check(func(s *netcl.Scope) (*netcl.Tensor, error) { return s.Give(w.Sum()) }, 1, 1, 1)
}

func TestOtherDevicesWithinGradients(t *testing.T) {
	device := open(t)
	defer device.Close()
	other := ok(netcl.OpenDevice(selector(), &netcl.DeviceOptions{Separate: true}))(t)
	defer other.Close()
	w, there := tensor(t, device, []float32{1, 2}), tensor(t, other, []float32{3, 4})
	closeAll(t, w, there)
	near(t, ok(gradientsOf(t, func(s *netcl.Scope) (*netcl.Tensor, error) {
		const text = "run.Graph records calls on device"
		fails(t, failed(there.Square()), netcl.ErrInvalidArgument, text)
		fails(t, failed(there.StopGradient()), netcl.ErrInvalidArgument, text)
		var values []float32
		err := netcl.Unrecorded(func() error {
			values = ok(netcl.ToSlice[float32](context.Background(), s.Keep(there.Square())))(t)
			return nil
		})
		if err != nil {
			return nil, err
		}
		constant := tensor(t, device, values)
		closeAll(t, constant)
		return s.Give(s.Keep(w.Mul(constant)).Sum())
	}, w))(t)[0], nil, 9, 16)
}

func TestConstantsWithinGradients(t *testing.T) {
	device := open(t)
	defer device.Close()
	w := tensor(t, device, []float32{1, 2, 3})
	closeAll(t, w)
	near(t, ok(gradientsOf(t, func(s *netcl.Scope) (*netcl.Tensor, error) {
		constant := s.Keep(w.StopGradient())
		return s.Give(s.Keep(w.Mul(constant)).Sum())
	}, w))(t)[0], nil, 1, 2, 3)
	_, err := gradientsOf(t, func(s *netcl.Scope) (made *netcl.Tensor, err error) {
		err = netcl.Unrecorded(func() error {
			made, err = w.Sum()
			return err
		})
		return made, err
	}, w)
	fails(t, err, netcl.ErrInvalidArgument, "inputs[0]")
	fails(t, err, netcl.ErrInvalidArgument, "Unrecorded")
	_, err = gradientsOf(t, func(s *netcl.Scope) (*netcl.Tensor, error) {
		return s.Give(s.Keep(s.Keep(w.Argmax(0)).Cast(netcl.F32)).Sum())
	}, w)
	fails(t, err, netcl.ErrInvalidArgument, "Argmax")
	// Gradients within another function do not disturb its recording.
	near(t, ok(gradientsOf(t, func(s *netcl.Scope) (*netcl.Tensor, error) {
		inner := ok(gradientsOf(t, func(s *netcl.Scope) (*netcl.Tensor, error) {
			return s.Give(s.Keep(w.Square()).Sum())
		}, w))(t)
		constant := s.Keep(inner[0].Retain())
		near(t, inner[0], nil, 2, 4, 6)
		return s.Give(s.Keep(w.Mul(constant)).Sum())
	}, w))(t)[0], nil, 2, 4, 6)
	fails(t, netcl.Unrecorded(nil), netcl.ErrInvalidArgument, "f is nil")
	graph := ok(netcl.NewGraph(device, nil))(t)
	defer graph.Close()
	fails(t, graph.Record(nil), netcl.ErrInvalidArgument, "f is nil")
	fails(t, (*netcl.Graph)(nil).Record(func() error { return nil }), netcl.ErrInvalidHandle, "")
	own := errors.New("of the function")
	if err := graph.Record(func() error { return own }); err != own {
		t.Fatal(err)
	}
	if err := netcl.Unrecorded(func() error { return own }); err != own {
		t.Fatal(err)
	}
}

// One tensor is in the functions of many goroutines, and in calls that nobody records.
func TestGoroutinesRecordEachForItself(t *testing.T) {
	device := open(t)
	defer device.Close()
	w := tensor(t, device, []float32{1, 2, 3})
	closeAll(t, w)
	var group sync.WaitGroup
	for k := 1; k <= 8; k++ {
		k := k
		group.Add(2)
		go func() {
			defer group.Done()
			for n := 0; n < 5; n++ {
				gradients, err := gradientsOf(t, func(s *netcl.Scope) (*netcl.Tensor, error) {
					y := s.Keep(w.MulScalar(float64(k)))
					runtime.Gosched()
					return s.Give(s.Keep(y.Square()).Sum())
				}, w)
				if err != nil {
					t.Error(err)
					return
				}
				square := float32(2 * k * k)
				near(t, gradients[0], nil, square, 2*square, 3*square)
			}
		}()
		go func() {
			defer group.Done()
			for n := 0; n < 20; n++ {
				sum, err := w.Sum()
				if err != nil {
					t.Error(err)
					return
				}
				sum.Close()
			}
		}()
	}
	group.Wait()
	// Goroutines that a function starts record with what it is given.
	for _, how := range []string{"run", "Record", ""} {
		loss, gradients, err := netcl.Gradients(
			func(run *netcl.RunOptions) (made *netcl.Tensor, err error) {
				done := make(chan struct{})
				go func() {
					defer close(done)
					switch how {
					case "run":
						made, err = w.Reduce(netcl.ReductionSum, run)
					case "Record":
						err = run.Graph.Record(func() error {
							made, err = w.Sum()
							return err
						})
					default:
						made, err = w.Sum()
					}
				}()
				<-done
				return made, err
			}, w)
		if how == "" {
			fails(t, err, netcl.ErrInvalidArgument, "goroutines that were not given run")
			continue
		}
		if err != nil {
			t.Fatal(how, err)
		}
		closeAll(t, append(gradients, loss)...)
		near(t, gradients[0], nil, 1, 1, 1)
	}
}

func TestFunctionsOfGraphsRecordByThemselves(t *testing.T) {
	device := open(t)
	defer device.Close()
	w := tensor(t, device, []float32{1, 2, 3})
	closeAll(t, w)
	graph := ok(netcl.NewGraphFromFunction(device,
		func(call *netcl.GraphCall) ([]*netcl.Tensor, error) {
			sum, err := w.Sum() // Of a parameter: it is read by each run.
			if err != nil {
				return nil, err
			}
			defer sum.Close()
			made, err := call.Inputs[0].Mul(sum)
			return []*netcl.Tensor{made}, err
		}, 1, nil))(t)
	defer graph.Close()
	x := tensor(t, device, []float32{1, 10})
	closeAll(t, x)
	run := func(want ...float32) {
		t.Helper()
		made := ok(graph.Evaluate([]*netcl.Tensor{x}, nil))(t)
		closeAll(t, made...)
		near(t, made[0], nil, want...)
	}
	run(6, 60)
	if err := netcl.WriteSlice(context.Background(), w, []float32{1, 1, 1}); err != nil {
		t.Fatal(err)
	}
	run(3, 30)
	// A constant in a function that is compiled is what there is at each run.
	stopped := ok(netcl.NewGraphFromFunction(device,
		func(call *netcl.GraphCall) ([]*netcl.Tensor, error) {
			s := netcl.NewScope()
			defer s.Close()
			sum := s.Keep(s.Keep(w.Sum()).StopGradient())
			made, err := s.Give(s.Keep(call.Inputs[0].StopGradient()).Mul(sum))
			return []*netcl.Tensor{made}, err
		}, 1, nil))(t)
	defer stopped.Close()
	for _, each := range []float32{2, 1} {
		err := netcl.WriteSlice(context.Background(), w, []float32{each, each, each})
		if err != nil {
			t.Fatal(err)
		}
		made := ok(stopped.Evaluate([]*netcl.Tensor{x}, nil))(t)
		closeAll(t, made...)
		near(t, made[0], nil, 3*each, 30*each)
	}
	// Where it runs within Gradients, what it records is its own.
	near(t, ok(gradientsOf(t, func(s *netcl.Scope) (*netcl.Tensor, error) {
		wide := s.Keep(x.Reshape([]int{2, 1}))
		made := ok(graph.Evaluate([]*netcl.Tensor{wide}, nil))(t)
		defer made[0].Close()
		return s.Give(s.Keep(wide.Mul(made[0])).Sum())
	}, x))(t)[0], nil, 3, 30)
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
	fails(t, err, netcl.ErrInvalidHandle, "tensor is nil")
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
		return x.Reduce(netcl.ReductionSumSquare)
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
