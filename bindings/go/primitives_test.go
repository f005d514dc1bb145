package netcl_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"netcl.example/netcl"
)

// register makes a primitive for the time of a test.
func register(t *testing.T, name string, options netcl.PrimitiveOptions,
	function netcl.PrimitiveFunc) {
	t.Helper()
	must(t, netcl.PrimitiveRegisterFunction(name, function, &options))
	t.Cleanup(func() { must(t, netcl.PrimitiveUnregister(name)) })
}

func one(name string, x *netcl.Tensor, run *netcl.RunOptions) (*netcl.Tensor, error) {
	return netcl.OpPrimitive(name, []*netcl.Tensor{x}, nil, run)
}

// lossOf is the sum of what a primitive makes of x.
func lossOf(name string, x *netcl.Tensor) func(*netcl.RunOptions) (*netcl.Tensor, error) {
	return func(run *netcl.RunOptions) (*netcl.Tensor, error) {
		y, err := one(name, x, run)
		if err != nil {
			return nil, err
		}
		defer y.Close()
		return netcl.OpReduce(y, netcl.ReductionSum, nil, run)
	}
}

// formula gives the one tensor that an expression makes of others.
func formula(call *netcl.PrimitiveCall, text string, inputs ...*netcl.Tensor) ([]*netcl.Tensor, error) {
	y, err := netcl.OpExpressionText(text, inputs, nil, call.Run)
	return []*netcl.Tensor{y}, err
}

// tenfold has ten times its gradient, so that a test sees whose it has.
func tenfold(call *netcl.PrimitiveCall) ([]*netcl.Tensor, error) {
	if call.Grad == nil {
		return formula(call, "v0 * v0", call.Inputs[0])
	}
	return formula(call, "10 * v0 * v1", call.Inputs[0], call.Grad)
}

func TestPrimitivesOfFunctionsTrainSomething(t *testing.T) {
	device := open(t)
	defer device.Close()
	asked := 0
	options := netcl.PrimitiveOptions{Arity: 2, GivesGradients: true}
	register(t, "go_fit", options, func(call *netcl.PrimitiveCall) ([]*netcl.Tensor, error) {
		w, x := call.Inputs[0], call.Inputs[1]
		if call.Grad == nil {
			return formula(call, "v0 * v1", w, x)
		}
		if call.Wanted != 1 || call.Out == nil {
			return nil, fmt.Errorf("wanted is %d, out %v", call.Wanted, call.Out)
		}
		asked++
		each, err := netcl.OpExpressionText("v0 * v1", []*netcl.Tensor{call.Grad, x}, nil, call.Run)
		if err != nil {
			return nil, err
		}
		defer each.Close()
		dw, err := netcl.OpReduce(each, netcl.ReductionSum, nil, call.Run)
		return []*netcl.Tensor{dw, nil}, err
	})
	x := tensor(t, device, []float32{1, 2, 3})
	w := ok(netcl.Full(device, float32(0)))(t)
	closeAll(t, x, w)
	for step := 0; step < 60; step++ {
		loss, gradients, err := netcl.Gradients(func(run *netcl.RunOptions) (*netcl.Tensor, error) {
			y, err := netcl.OpPrimitive("go_fit", []*netcl.Tensor{w, x}, nil, run)
			if err != nil {
				return nil, err
			}
			defer y.Close()
			off, err := netcl.OpExpressionText("v0 - 5 * v1", []*netcl.Tensor{y, x}, nil, run)
			if err != nil {
				return nil, err
			}
			defer off.Close()
			return netcl.OpReduce(off, netcl.ReductionSumSquare, nil, run)
		}, w)
		must(t, err)
		into := &netcl.RunOptions{Into: w}
		moved := ok(netcl.OpExpressionText("v0 - 0.02 * v1", []*netcl.Tensor{w, gradients[0]}, nil,
			into))(t)
		must(t, moved.Close())
		must(t, loss.Close())
		must(t, gradients[0].Close())
	}
	if found := ok(netcl.Item[float32](background, w))(t); abs(found-5) > 1e-3 || asked != 60 {
		t.Fatal(found, asked)
	}
}

func TestPrimitivesOfFunctionsWithoutGradients(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := tensor(t, device, []float32{1, 2, -3})
	closeAll(t, x)
	for _, checkpoint := range []bool{false, true} {
		calls := 0
		name := fmt.Sprint("go_cube_", checkpoint)
		options := netcl.PrimitiveOptions{Arity: 1, Checkpoint: checkpoint}
		register(t, name, options, func(call *netcl.PrimitiveCall) ([]*netcl.Tensor, error) {
			calls++
			square, err := netcl.OpExpressionText("v0 * v0", call.Inputs, nil, call.Run)
			if err != nil {
				return nil, err
			}
			defer square.Close()
			return formula(call, "v0 * v1", square, call.Inputs[0])
		})
		loss, gradients, err := netcl.Gradients(lossOf(name, x), x)
		must(t, err)
		must(t, loss.Close())
		near(t, gradients[0], nil, 3, 12, 27)
		if want := map[bool]int{false: 1, true: 2}[checkpoint]; calls != want {
			t.Fatal(calls, checkpoint)
		}
	}
}

func TestWhatFunctionsOfPrimitivesGet(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := tensor(t, device, []float32{1, 2})
	into := ok(netcl.Zeros(device, netcl.F32, 2))(t)
	queue, other := ok(netcl.NewQueue(device, nil))(t), ok(netcl.NewQueue(device, nil))(t)
	event := ok(other.EnqueueMarker(nil))(t)
	closeAll(t, x, into)
	defer queue.Close()
	defer other.Close()
	defer event.Close()
	var kept *netcl.PrimitiveCall
	options := netcl.PrimitiveOptions{Attributes: []string{"a", "b"}, Defaults: []float64{2, 3}}
	register(t, "go_values", options, func(call *netcl.PrimitiveCall) ([]*netcl.Tensor, error) {
		kept = call
		if call.Run.Queue == nil || len(call.Run.Waits) != 1 || call.Run.Graph != nil {
			return nil, fmt.Errorf("run is %+v", call.Run)
		}
		// To close what is lent does no harm.
		defer call.Inputs[0].Close()
		return formula(call, fmt.Sprintf("%v * v0 + %v", call.Values[0], call.Values[1]), call.Inputs[0])
	})
	var done *netcl.Event
	run := &netcl.RunOptions{Queue: queue, Waits: []*netcl.Event{event}, Into: into, Event: &done}
	made := ok(netcl.OpPrimitive("go_values", []*netcl.Tensor{x, x}, &netcl.PrimitiveCallOptions{
		Attributes: []string{"b"}, Values: []float64{0.5}}, run))(t)
	must(t, made.Close())
	must(t, done.Wait(background))
	must(t, done.Close())
	has(t, into, float32(2.5), 4.5)
	has(t, x, float32(1), 2)
	// All of it ends with the call.
	fails(t, failed(kept.Inputs[1].Info()), netcl.ErrInvalidHandle, "")
	fails(t, failed(kept.Run.Queue.Info()), netcl.ErrInvalidHandle, "")
}

func TestPrimitivesOfFunctionsCallEachOther(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := tensor(t, device, []float32{1, 2, -3})
	closeAll(t, x)
	register(t, "go_inner", netcl.PrimitiveOptions{Arity: 1, GivesGradients: true}, tenfold)
	register(t, "go_outer", netcl.PrimitiveOptions{Arity: 1},
		func(call *netcl.PrimitiveCall) ([]*netcl.Tensor, error) {
			y, err := one("go_inner", call.Inputs[0], call.Run)
			if err != nil {
				return nil, err
			}
			defer y.Close()
			return formula(call, "2 * v0", y)
		})
	y, err := one("go_outer", x, nil)
	near(t, y, err, 2, 8, 18)
	loss, gradients, err := netcl.Gradients(lossOf("go_outer", x), x)
	must(t, err)
	must(t, loss.Close())
	near(t, gradients[0], nil, 20, 40, -60)
	// Compiled: what runs are the calls of the function.
	graph := ok(netcl.NewGraph(device, &netcl.GraphOptions{Execute: netcl.Off}))(t)
	defer graph.Close()
	loss = ok(lossOf("go_outer", x)(&netcl.RunOptions{Graph: graph}))(t)
	gradients = ok(graph.AddGradients([]*netcl.Tensor{loss}, []*netcl.Tensor{x}, nil))(t)
	closeAll(t, loss, gradients[0])
	must(t, graph.Compile([]*netcl.Tensor{x}, gradients, nil))
	found := ok(netcl.Zeros(device, netcl.F32, 3))(t)
	must(t, graph.Run([]*netcl.Tensor{x}, []*netcl.Tensor{found}, nil))
	near(t, found, nil, 20, 40, -60)
}

type panickingError struct{}

func (panickingError) Error() string { return "bad" }
func (panickingError) Unwrap() error { panic("unwrap") }

func TestFunctionsOfPrimitivesFail(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := tensor(t, device, []float32{1, 2})
	closeAll(t, x)
	var problem any
	register(t, "go_fails", netcl.PrimitiveOptions{Arity: 1},
		func(call *netcl.PrimitiveCall) ([]*netcl.Tensor, error) {
			if err, is := problem.(error); is {
				// What was made is closed.
				made, _ := formula(call, "v0", call.Inputs[0])
				return made, err
			}
			panic(problem)
		})
	for _, row := range []struct {
		problem any
		status  netcl.Status
		text    string
	}{
		{errors.New("two\nlines\x00"), netcl.ErrCancelled, "two lines"},
		{fmt.Errorf("layer 3: %w", io.EOF), netcl.ErrCancelled, "layer 3: EOF"},
		{&netcl.Error{Status: netcl.ErrIO, NativeCode: -7, Message: "own"}, netcl.ErrIO, "own"},
		{fmt.Errorf("in: %w", &netcl.Error{Status: netcl.ErrIO, NativeCode: -7}), netcl.ErrIO, "in: "},
		{netcl.ErrBusy, netcl.ErrBusy, "ErrBusy"},
		{netcl.OK, netcl.ErrInvalidArgument, ""},
		{(*netcl.Error)(nil), netcl.ErrCancelled, "nil *Error"},
		{panickingError{}, netcl.ErrCancelled, "methods panic"},
		{context.Canceled, netcl.ErrCancelled, "context canceled"},
		{"a text", netcl.ErrCancelled, "panicked: a text"},
		{nil, netcl.ErrCancelled, "panicked: "},
	} {
		problem = row.problem
		_, err := one("go_fails", x, nil)
		fails(t, err, row.status, row.text)
		if own, is := row.problem.(error); is && own != error(panickingError{}) &&
			own != error((*netcl.Error)(nil)) && !errors.Is(err, own) {
			t.Fatalf("%v is not found in %v", own, err)
		}
	}
	// Through another one, and where gradients are asked for. A panic with an error is that error.
	register(t, "go_passes", netcl.PrimitiveOptions{Arity: 1, GivesGradients: true},
		func(call *netcl.PrimitiveCall) ([]*netcl.Tensor, error) {
			if call.Grad == nil {
				return formula(call, "v0", call.Inputs[0])
			}
			_, err := one("go_fails", call.Inputs[0], call.Run)
			panic(err)
		})
	problem = io.ErrUnexpectedEOF
	_, _, err := netcl.Gradients(lossOf("go_passes", x), x)
	fails(t, err, netcl.ErrCancelled, io.ErrUnexpectedEOF.Error())
	var own *netcl.Error
	if !errors.Is(err, io.ErrUnexpectedEOF) || !errors.As(err, &own) {
		t.Fatal(err)
	}
	// What failed before is told of no later call.
	_, err = one("go_nowhere", x, nil)
	fails(t, err, netcl.ErrNotFound, "go_nowhere")
	if errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatal(err)
	}
}

func TestWhatFunctionsOfPrimitivesGive(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := tensor(t, device, []float32{1, 2})
	closed := tensor(t, device, []float32{1, 2})
	must(t, closed.Close())
	closeAll(t, x)
	give := func(made ...*netcl.Tensor) netcl.PrimitiveFunc {
		return func(*netcl.PrimitiveCall) ([]*netcl.Tensor, error) { return made, nil }
	}
	for i, row := range []struct {
		function netcl.PrimitiveFunc
		status   netcl.Status
		text     string
	}{
		{give(), netcl.ErrInvalidArgument, "tensors[0] NULL"},
		{give(nil), netcl.ErrInvalidArgument, "tensors[0] NULL"},
		{give(nil, nil), netcl.ErrInvalidArgument, "2 entries; 1"},
		{give(closed), netcl.ErrInvalidHandle, ""},
	} {
		name := fmt.Sprint("go_wrong_", i)
		register(t, name, netcl.PrimitiveOptions{Arity: 1}, row.function)
		fails(t, failed(one(name, x, nil)), row.status, row.text)
	}
	// An input may be given back, and one tensor for several gradients.
	register(t, "go_same", netcl.PrimitiveOptions{Arity: 2, GivesGradients: true},
		func(call *netcl.PrimitiveCall) ([]*netcl.Tensor, error) {
			if call.Grad == nil {
				return call.Inputs[:1], nil
			}
			return []*netcl.Tensor{call.Grad, call.Grad}, nil
		})
	y := tensor(t, device, []float32{3, 4})
	closeAll(t, y)
	loss, gradients, err := netcl.Gradients(func(run *netcl.RunOptions) (*netcl.Tensor, error) {
		z, err := netcl.OpPrimitive("go_same", []*netcl.Tensor{x, y}, nil, run)
		if err != nil {
			return nil, err
		}
		defer z.Close()
		return netcl.OpReduce(z, netcl.ReductionSumSquare, nil, run)
	}, x, y)
	near(t, loss, err, 5)
	near(t, gradients[0], nil, 2, 4)
	near(t, gradients[1], nil, 2, 4)
	fails(t, netcl.PrimitiveRegisterFunction("go_nil", nil, nil), netcl.ErrInvalidArgument, "is nil")
	fails(t, netcl.PrimitiveRegisterFunction("a\x00b", tenfold, nil), netcl.ErrInvalidArgument, "NUL")
	fails(t, netcl.PrimitiveRegisterFunction("go_same", tenfold, nil), netcl.ErrInvalidArgument,
		"go_same")
}

// What a function holds goes when nothing can call it any more.
func TestFunctionsOfPrimitivesAreLetGoOf(t *testing.T) {
	device := open(t)
	defer device.Close()
	var gone atomic.Int32
	hold := func() netcl.PrimitiveFunc {
		held := &struct{ numbers [100]float64 }{}
		runtime.SetFinalizer(held, func(any) { gone.Add(1) })
		return func(call *netcl.PrimitiveCall) ([]*netcl.Tensor, error) {
			held.numbers[0]++
			return tenfold(call)
		}
	}
	options := &netcl.PrimitiveOptions{Arity: 1, GivesGradients: true}
	must(t, netcl.PrimitiveRegisterFunction("go_held", hold(), options))
	// Refused ones are let go of too.
	for i := 0; i < 3; i++ {
		fails(t, netcl.PrimitiveRegisterFunction("go_held", hold(), options), netcl.ErrInvalidArgument, "")
	}
	waitFor := func(count int32) {
		t.Helper()
		for try := 0; gone.Load() < count && try < 500; try++ {
			runtime.GC()
			runtime.Gosched()
		}
		same(t, gone.Load(), count)
	}
	waitFor(3)
	x := tensor(t, device, []float32{1, 2})
	closeAll(t, x)
	graph := ok(netcl.NewGraph(device, nil))(t)
	y := ok(one("go_held", x, &netcl.RunOptions{Graph: graph}))(t)
	must(t, netcl.PrimitiveUnregister("go_held"))
	runtime.GC()
	runtime.GC()
	same(t, gone.Load(), 3)
	seeds := &netcl.GradientsOptions{Seeds: []*netcl.Tensor{x}}
	gradients := ok(graph.AddGradients([]*netcl.Tensor{y}, []*netcl.Tensor{x}, seeds))(t)
	near(t, gradients[0], nil, 10, 40)
	must(t, y.Close())
	must(t, graph.Close())
	waitFor(4)
}

func TestGoroutinesCallOnePrimitive(t *testing.T) {
	device := open(t)
	defer device.Close()
	var calls atomic.Int32
	register(t, "go_many", netcl.PrimitiveOptions{Arity: 1},
		func(call *netcl.PrimitiveCall) ([]*netcl.Tensor, error) {
			calls.Add(1)
			stack := make([]byte, 1<<14)
			if !strings.Contains(string(stack[:runtime.Stack(stack, false)]), "callsFromHere") {
				return nil, errors.New("it runs on another goroutine")
			}
			return formula(call, "v0 + 1", call.Inputs[0])
		})
	x := tensor(t, device, []float32{1, 2})
	closeAll(t, x)
	var all sync.WaitGroup
	for i := 0; i < 8; i++ {
		all.Add(1)
		go callsFromHere(t, x, &all)
	}
	all.Wait()
	same(t, calls.Load(), 80)
}

func callsFromHere(t *testing.T, x *netcl.Tensor, all *sync.WaitGroup) {
	defer all.Done()
	for round := 0; round < 10; round++ {
		y, err := one("go_many", x, nil)
		if err != nil {
			t.Error(err)
			return
		}
		if got, err := netcl.ToSlice[float32](background, y); err != nil || got[1] != 3 {
			t.Error(got, err)
		}
		_ = y.Close()
	}
}

// A graph of a function records it once for each shape, and gives what its calls give.
func TestGraphsOfFunctions(t *testing.T) {
	device := open(t)
	defer device.Close()
	calls := 0
	graph := ok(netcl.NewGraphFromFunction(device, func(call *netcl.GraphCall) ([]*netcl.Tensor, error) {
		calls++
		if len(call.Inputs) != 1 {
			return nil, errors.New("one input is enough")
		}
		y, err := netcl.OpExpressionText("v0 * v0 + 1", call.Inputs, nil, call.Run)
		return []*netcl.Tensor{y}, err
	}, 1, nil))(t)
	defer graph.Close()
	for _, size := range []int{2, 3, 2} {
		x := tensor(t, device, []float32{1, 2, 3}[:size])
		closeAll(t, x)
		made := ok(graph.Evaluate([]*netcl.Tensor{x}, nil))(t)
		near(t, made[0], nil, []float32{2, 5, 10}[:size]...)
		made[0].Close()
	}
	same(t, calls, 2)
	same(t, ok(graph.Info())(t).FormCount, 2)
	x := tensor(t, device, []float32{1})
	closeAll(t, x)
	_, err := graph.Evaluate([]*netcl.Tensor{x, x}, nil)
	if err == nil || !strings.Contains(err.Error(), "one input is enough") {
		t.Fatal(err)
	}
	_, err = netcl.NewGraphFromFunction(device, nil, 1, nil)
	fails(t, err, netcl.ErrInvalidArgument, "is nil")
}
