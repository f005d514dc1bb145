package netcl_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"

	"netcl.example/netcl"
)

// What must not work gives an error each time, and never more than that.

func TestClosedObjectsAreRefused(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := ok(netcl.Zeros(device, netcl.F32, 4))(t)
	defer x.Close()
	closed := ok(netcl.Zeros(device, netcl.F32, 4))(t)
	must(t, closed.Close())
	must(t, closed.Close())
	var never netcl.Tensor
	stale := ok(netcl.Zeros(device, netcl.F32, 4))(t)
	again := netcl.TensorFromHandle(stale.Handle())
	must(t, stale.Close())
	for _, bad := range []*netcl.Tensor{closed, &never, again, nil} {
		fails(t, failed(bad.Info()), netcl.ErrInvalidHandle, "")
		fails(t, failed(bad.Retain()), netcl.ErrInvalidHandle, "")
		fails(t, failed(bad.T()), netcl.ErrInvalidHandle, "")
		fails(t, failed(x.Matmul(bad)), netcl.ErrInvalidHandle, "")
		fails(t, failed(netcl.ToSlice[float32](background, bad)), netcl.ErrInvalidHandle, "")
		fails(t, failed(netcl.ReadAsync[float32](bad)), netcl.ErrInvalidHandle, "")
		fails(t, bad.Fill(netcl.ScalarOf(float32(1))), netcl.ErrInvalidHandle, "")
		fails(t, failed(netcl.Expr("v0 + v1", x, bad)), netcl.ErrInvalidHandle, "")
		same(t, len(bad.Shape()), 0)
		same(t, bad.Dtype(), 0)
		if text := bad.String(); text[0] != '<' {
			t.Fatal(text)
		}
		if bad == nil {
			continue
		}
		// In options a closed object is not the default, which nil is.
		var done *netcl.Event
		run := &netcl.RunOptions{Into: bad, Event: &done}
		fails(t, failed(netcl.OpCopy(x, run)), netcl.ErrInvalidHandle, "")
		if done != nil {
			t.Fatal("an event without a command")
		}
	}
	queue := ok(netcl.NewQueue(device, nil))(t)
	must(t, queue.Close())
	fails(t, failed(netcl.OpCopy(x, &netcl.RunOptions{Queue: queue})), netcl.ErrInvalidHandle, "")
	run := &netcl.RunOptions{Waits: []*netcl.Event{nil}}
	fails(t, failed(netcl.OpCopy(x, run)), netcl.ErrInvalidHandle, "")
	has(t, x, float32(0), 0, 0, 0)
}

// Every type, closed and as a handle of another type.
func TestWrongObjectsAreRefused(t *testing.T) {
	device := open(t)
	defer device.Close()
	other := ok(device.Queue())(t)
	defer other.Close()
	raw := other.Handle()
	for _, handle := range []uintptr{0, raw, 1, 0x12345678, ^uintptr(0)} {
		var (
			device      = netcl.DeviceFromHandle(handle)
			event       = netcl.EventFromHandle(handle)
			pool        = netcl.PoolFromHandle(handle)
			buffer      = netcl.BufferFromHandle(handle)
			tensor      = netcl.TensorFromHandle(handle)
			kernel      = netcl.KernelFromHandle(handle)
			expression  = netcl.ExpressionFromHandle(handle)
			measurement = netcl.MeasurementFromHandle(handle)
			timer       = netcl.TimerFromHandle(handle)
			region      = netcl.RegionFromHandle(handle)
			roofline    = netcl.RooflineFromHandle(handle)
			space       = netcl.SpaceFromHandle(handle)
			config      = netcl.ConfigFromHandle(handle)
			database    = netcl.TuningDatabaseFromHandle(handle)
			ceilings    = netcl.CeilingsFromHandle(handle)
			benchmark   = netcl.BenchmarkFromHandle(handle)
			search      = netcl.SearchFromHandle(handle)
			tuner       = netcl.TunerFromHandle(handle)
		)
		_, _, next := measurement.Next()
		_, _, local := device.SuggestLocalSize([]uint64{1})
		_, _, _, ask := search.Ask()
		_, _, tuned := tuner.Result(0)
		_, _, autotuned := kernel.Autotune([]uint64{1}, nil, nil, nil)
		for i, err := range []error{next, local, ask, tuned, autotuned,
			failed(device.Info()), failed(device.Capabilities()), failed(device.Retain()),
			failed(netcl.NewPool(device, nil)), failed(netcl.NewQueue(device, nil)),
			device.Finish(background), failed(netcl.Zeros(device, netcl.F32, 1)),
			event.Wait(background), failed(event.Query()), failed(event.Retain()),
			failed(event.Timing()), failed(event.Error()), failed(pool.Info()),
			failed(pool.Retain()), failed(pool.Allocate(1)), pool.Trim(0),
			failed(pool.Buckets()), failed(buffer.Info()), failed(buffer.Retain()),
			failed(tensor.Info()), tensor.Wait(background), failed(tensor.Buffer()),
			kernel.Build(), failed(kernel.Info()), failed(kernel.ArgInfo(0)),
			failed(kernel.Source()), failed(kernel.BuildLog()), failed(kernel.Binary()),
			kernel.Register(), failed(kernel.Retain()), kernel.Launch(nil, nil, nil, nil, nil),
			failed(expression.Arity()), failed(expression.Text()), failed(expression.Retain()),
			failed(measurement.Statistics(0)), failed(measurement.Samples(0)),
			failed(measurement.Compare(0, 0)), failed(measurement.Retain()), timer.Start(),
			failed(timer.Stop(background)), failed(timer.Retain()), region.End(),
			region.Annotate(1, 1), failed(region.Retain()), failed(roofline.Retain()),
			roofline.ResetHistory(), space.AddBool("A"), failed(space.Count(nil)),
			failed(space.Retain()), failed(config.JSON()), failed(config.Int("A")),
			failed(config.Retain()), failed(database.Info()), failed(database.Retain()),
			failed(ceilings.Get()), failed(ceilings.Info()), failed(ceilings.Retain()),
			ceilings.Set(netcl.Ceiling{Kind: netcl.CeilingLaunch, Value: 1}), ceilings.Save("x"),
			failed(netcl.MeasureCeilings(device, nil)), failed(netcl.NewBenchmark(device, nil)),
			benchmark.AddLocal(1), benchmark.Prepare(0), failed(benchmark.Tensor(0)),
			failed(benchmark.JSON()), failed(benchmark.BuildLog()), failed(benchmark.Retain()),
			failed(benchmark.Run(&netcl.BenchmarkCandidate{}, nil)),
			failed(benchmark.TimeBaseline(func(*netcl.Queue) error { return nil }, nil)),
			failed(netcl.NewSearch(space, nil, nil, nil)), search.Tell(0, []float64{1}),
			search.Cancel(), failed(search.Result()), failed(search.Best()),
			failed(search.ReadEvent(background, 0)), failed(search.Retain()),
			failed(netcl.NewTuner(device, nil)), tuner.AddMatmul(1, 1, 1, 1, netcl.F32), tuner.Run(),
			tuner.Cancel(), failed(tuner.Count()), failed(tuner.ReadEvent(background, 0)),
			failed(tuner.Search(0)), tuner.Clear(), failed(tuner.Retain()),
		} {
			if !errors.Is(err, netcl.ErrInvalidHandle) {
				t.Errorf("handle %#x, call %d: %v", handle, i, err)
			}
		}
	}
	must(t, other.Flush())
	// What had the wrong type is not given back by the collector either.
	runtime.GC()
	must(t, other.Flush())
}

func TestOneMoreReferenceKeepsAnObject(t *testing.T) {
	device := open(t)
	queue := ok(device.Queue())(t)
	event := ok(queue.EnqueueMarker(nil))(t)
	pool := ok(netcl.NewPool(device, nil))(t)
	buffer := ok(pool.Allocate(64))(t)
	expression := ok(netcl.NewExpression("v0"))(t)
	space := ok(netcl.NewSpace())(t)
	config := ok(netcl.NewConfigFromJSON(`{"A": 1}`))(t)
	device2, queue2 := ok(device.Retain())(t), ok(queue.Retain())(t)
	event2, pool2 := ok(event.Retain())(t), ok(pool.Retain())(t)
	buffer2, expression2 := ok(buffer.Retain())(t), ok(expression.Retain())(t)
	space2, config2 := ok(space.Retain())(t), ok(config.Retain())(t)
	same(t, queue.Handle(), queue2.Handle())
	for _, first := range []interface{ Close() error }{device, queue, event, pool, buffer,
		expression, space, config} {
		must(t, first.Close())
	}
	must(t, queue2.Finish(background))
	must(t, event2.Wait(background))
	ok(device2.Info())(t)
	same(t, ok(pool2.Info())(t).BytesInUse, ok(buffer2.Info())(t).BucketBytes)
	same(t, ok(expression2.Arity())(t), 1)
	must(t, space2.AddBool("B"))
	same(t, ok(config2.Int("A"))(t), 1)
	for _, second := range []interface{ Close() error }{device2, queue2, event2, pool2, buffer2,
		expression2, space2, config2} {
		must(t, second.Close())
	}
}

func TestParentsMayGoFirst(t *testing.T) {
	device := open(t)
	pool := ok(netcl.NewPool(device, nil))(t)
	lease := ok(pool.Allocate(1024))(t)
	x := ok(netcl.NewTensorFromBuffer(lease, 0, netcl.U8, []int{4}, nil))(t)
	view := ok(x.Reshape([]int{2, 2}, nil))(t)
	queue := ok(netcl.NewQueue(device, nil))(t)
	event := ok(queue.EnqueueMarker(nil))(t)
	for _, parent := range []interface{ Close() error }{device, pool, lease, x, queue} {
		must(t, parent.Close())
	}
	must(t, event.Wait(background))
	must(t, event.Close())
	must(t, netcl.WriteSlice(background, view, []byte{1, 2, 3, 4}))
	has(t, view, byte(1), 2, 3, 4)
	must(t, view.Close())
}

func TestShapesThatCannotBeAreRefused(t *testing.T) {
	device := open(t)
	defer device.Close()
	for _, shape := range [][]int{{math.MaxInt64, math.MaxInt64}, {-1}, {1 << 62},
		{1, 1, 1, 1, 1, 1, 1, 1, 1}, make([]int, 100000)} {
		refused(t, failed(netcl.Zeros(device, netcl.F64, shape...)))
		refused(t, failed(netcl.FromSlice(device, []float64{1}, shape...)))
		refused(t, failed(netcl.Random(device, netcl.F64, 0, shape...)))
	}
	x := ok(netcl.Zeros(device, netcl.F32, 2, 3))(t)
	defer x.Close()
	for _, err := range []error{
		failed(x.View([]int{2}, []int{1, 1}, 0)), failed(x.View([]int{2, 3}, nil, 1)),
		failed(x.View([]int{2, 3}, nil, math.MaxInt64)), failed(x.Permute([]int{0, 0})),
		failed(x.View([]int{2, 3}, []int{}, 0)),
		failed(x.Permute(make([]int, 70000))), failed(x.Slice(nil)),
		failed(x.Slice(make([]netcl.Range, 70000))), failed(x.Reshape([]int{4}, nil)),
		failed(x.Broadcast([]int{2, 4})), failed(x.Matmul(x)), failed(x.Part(0)),
		failed(x.Part(0, 1, 0, 1, 0, 1)), failed(x.Part(0, 9)), failed(x.Part(2, 1)),
		failed(netcl.ToSlice[int32](background, x)), failed(netcl.Item[float32](background, x)),
		netcl.WriteSlice(background, x, []int32{1, 2, 3, 4, 5, 6}),
	} {
		fails(t, err, netcl.ErrInvalidArgument, "")
	}
	line := ok(netcl.Zeros(device, netcl.F32, 3))(t)
	defer line.Close()
	fails(t, failed(line.T()), netcl.ErrInvalidArgument, "rank 1")
}

func TestSlicesOfTheWrongLengthTouchNothing(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := tensor(t, device, []byte{1, 2, 3, 4})
	defer x.Close()
	fails(t, failed(netcl.FromSlice(device, []byte{1, 2}, 4)), netcl.ErrInvalidArgument,
		"elements has 2")
	fails(t, failed(netcl.FromSlice[byte](device, nil, 4)), netcl.ErrInvalidArgument,
		"elements has 0")
	for _, size := range []int{0, 3, 5, 1 << 20} {
		into := make([]byte, size)
		for i := range into {
			into[i] = 9
		}
		fails(t, netcl.ReadSlice(background, x, into), netcl.ErrInvalidArgument, "")
		fails(t, netcl.WriteSlice(background, x, into), netcl.ErrInvalidArgument, "")
		for _, value := range into {
			same(t, value, 9)
		}
	}
	has(t, x, byte(1), 2, 3, 4)
	empty := ok(netcl.FromSlice(device, []float32{}))(t)
	defer empty.Close()
	has[float32](t, empty)
	must(t, netcl.WriteSlice(background, empty, []float32(nil)))
}

func TestTextsWithANULAreRefusedWhereTheyStand(t *testing.T) {
	device := open(t)
	defer device.Close()
	fails(t, failed(netcl.NewExpression("v0\x00")), netcl.ErrInvalidArgument,
		"text has a NUL character at byte 2")
	options := &netcl.KernelOptions{Source: "x", Flags: []string{"-DA=1", "-D\x00B"}}
	fails(t, failed(netcl.NewKernel(device, "k", options)), netcl.ErrInvalidArgument, "Flags[1]")
	fails(t, failed(netcl.NewExpression("")), netcl.ErrInvalidArgument, "")
	fails(t, failed(netcl.NewExpression("v0 + * 2")), netcl.ErrInvalidArgument, "column")
}

func TestUnknownConstantsAreRefused(t *testing.T) {
	device := open(t)
	defer device.Close()
	refused(t, failed(netcl.Zeros(device, 99, 1)))
	same(t, netcl.Dtype(99).Name(), "invalid")
	same(t, netcl.Dtype(99).Size(), 0)
	same(t, fmt.Sprint(netcl.Dtype(99), netcl.F32), "Dtype(99) F32")
	refused(t, failed(netcl.LibraryLiveCount(0)))
}
