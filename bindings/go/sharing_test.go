package netcl_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"netcl.example/netcl"
)

// Memory is freed once, whoever closes it, and not while a call uses it.
func TestHostMemoryIsClosedByMany(t *testing.T) {
	for round := 0; round < 200; round++ {
		memory := ok(netcl.NewHostMemory(1 << 16))(t)
		data := memory.Bytes()
		start := make(chan bool)
		var all sync.WaitGroup
		all.Add(4)
		for i := 0; i < 4; i++ {
			go func() {
				defer all.Done()
				<-start
				_ = memory.Bytes()
				_ = memory.Close()
			}()
		}
		close(start)
		all.Wait()
		same(t, len(data) > 0 && memory.Bytes() == nil && memory.Pointer() == nil, true)
		must(t, memory.Close())
	}
}

// A view that repeats one element may be larger than any memory.
func TestWhatHasNoRoomOnTheHostIsAnError(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := ok(netcl.Full(device, float32(1), 1))(t)
	defer x.Close()
	for _, extent := range []int64{1 << 42, 1 << 58} {
		huge := ok(x.Broadcast([]int{int(extent)}))(t)
		fails(t, failed(netcl.ToSlice[float32](background, huge)), netcl.ErrOutOfHostMemory, "")
		fails(t, failed(netcl.ReadAsync[float32](huge)), netcl.ErrOutOfHostMemory, "")
		fails(t, failed(netcl.Item[float32](background, huge)), netcl.ErrOutOfHostMemory, "")
		must(t, huge.Close())
	}
	fails(t, failed(netcl.NewHostMemory(1<<62)), netcl.ErrOutOfHostMemory, "")
}

func TestATunerRunsUntilItsContextEnds(t *testing.T) {
	device := open(t)
	defer device.Close()
	database := ok(netcl.OpenTuningDatabase(":memory:"))(t)
	defer database.Close()
	tuner := ok(netcl.NewTuner(device, tunerOptions(database)))(t)
	defer tuner.Close()
	must(t, tuner.AddReduction(3, 5000, netcl.F32))
	events, wait := tuner.Start(background)
	last, count := uint64(0), 0
	for event := range events {
		same(t, event.Sequence > last, true)
		last = event.Sequence
		count++
	}
	must(t, wait())
	must(t, wait())
	same(t, count > 0, true)

	// Nothing is left to measure, and earlier events are not told again.
	events, wait = tuner.Start(background)
	for event := range events {
		same(t, event.Sequence > last, true)
	}
	must(t, wait())
	ctx, cancel := context.WithCancel(background)
	followed := tuner.Follow(ctx)
	same(t, (<-followed).Sequence > 0, true)
	cancel()
	for range followed {
	}
	if err := tuner.RunContext(ctx); err != context.Canceled {
		t.Fatal(err)
	}

	// One that would take long ends with its context; wait may come before the events are read.
	options := tunerOptions(database)
	options.Search.Samples = 100000
	long := ok(netcl.NewTuner(device, options))(t)
	defer long.Close()
	must(t, long.AddMatmul(1, 200, 200, 200, netcl.F32))
	must(t, long.AddReduction(100, 10000, netcl.F32))
	ctx, cancel = context.WithTimeout(background, 20*time.Millisecond)
	defer cancel()
	_, wait = long.Start(ctx)
	if err := wait(); err != nil && err != context.DeadlineExceeded {
		t.Fatal(err)
	}
}

func TestASearchIsFollowed(t *testing.T) {
	space := searchSpace(t)
	defer space.Close()
	search := ok(netcl.NewSearch(space, nil, nil, nil))(t)
	defer search.Close()
	events := search.Follow(background)
	go drive(t, search, 100000)
	final := netcl.SearchEventKind(0)
	for event := range events {
		final = event.Kind
	}
	same(t, final, netcl.SearchEventStopped)
	ctx, cancel := context.WithCancel(background)
	cancel()
	for range search.Follow(ctx) {
		t.Fatal("an event after the end of the context")
	}
}

// What a function that is called back enqueues is in the caller's region, and in one that it opens.
func TestRegionsAndCallbacksCompose(t *testing.T) {
	device := open(t)
	defer device.Close()
	queue := ok(device.Queue())(t)
	defer queue.Close()
	fails(t, queue.InRegion(nil, "none", nil), netcl.ErrInvalidArgument, "work")
	x := ok(netcl.Zeros(device, netcl.F32, 64))(t)
	defer x.Close()
	must(t, netcl.ProfileReset())
	must(t, netcl.ProfileStart(nil))
	calls := 0
	copied := func() error {
		calls++
		y, err := x.Copy()
		_ = y.Close()
		return err
	}
	must(t, queue.InRegion(nil, "around", func(around *netcl.Region) error {
		_, err := queue.Time(func(*netcl.Queue) error {
			if err := copied(); err != nil {
				return err
			}
			return queue.InRegion(around, "timed", func(*netcl.Region) error { return copied() })
		}, &netcl.MeasurementOptions{Count: 3})
		return err
	}))
	must(t, netcl.ProfileStop(background))
	var report struct {
		Regions []struct {
			Name         string
			Commands     int
			CommandsSelf int `json:"commands_self"`
			Children     []struct{ Name string }
		}
	}
	must(t, json.Unmarshal([]byte(ok(netcl.ProfileReport(netcl.FormatJSON))(t)), &report))
	if calls < 6 || len(report.Regions) != 1 || len(report.Regions[0].Children) != 1 {
		t.Fatal(calls, report)
	}
	around := report.Regions[0]
	if around.Commands != calls || around.CommandsSelf != calls/2 ||
		around.Children[0].Name != "timed" {
		t.Fatal(calls, report)
	}
	must(t, netcl.ProfileReset())
}

func TestAKernelFromItsSource(t *testing.T) {
	device := open(t)
	defer device.Close()
	source := "kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }"
	kernel, err := netcl.NewKernelFromSource(device, "twice", source)
	if !isOpenCL(t, device) {
		fails(t, err, netcl.ErrUnsupported, "")
		return
	}
	must(t, err)
	defer kernel.Close()
	x := tensor(t, device, []float32{1, 2, 3})
	defer x.Close()
	must(t, kernel.Launch([]uint64{3}, nil, []netcl.Arg{netcl.TensorArg(x)}, nil, nil))
	has(t, x, float32(2), 4, 6)
}
