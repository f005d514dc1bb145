package netcl_test

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"netcl.example/netcl"
)

func TestListsDescribeEveryDeviceAndEndWithTheBuiltIn(t *testing.T) {
	list := ok(netcl.Devices())(t)
	last := list[len(list)-1]
	if last.Backend != netcl.BackendBuiltin || last.Type != netcl.DeviceCPU || last.Name == "" {
		t.Fatalf("%+v", last)
	}
	same(t, int(last.Index), len(list)-1)
	same(t, ok(netcl.DeviceCount())(t), len(list))
	fails(t, failed(netcl.DeviceDescribe(int(^uint32(0)))), netcl.ErrNotFound, "")
	if text := ok(netcl.DeviceDiagnose())(t); len(text) < 10 {
		t.Fatal(text)
	}
}

func TestADeviceTellsWhoItIsAndWhatItCanDo(t *testing.T) {
	device := open(t)
	defer device.Close()
	info, can := ok(device.Info())(t), ok(device.Capabilities())(t)
	if can.ComputeUnits == 0 || can.Strategy != netcl.StrategyPortable &&
		can.Strategy != netcl.StrategyOptimized {
		t.Fatalf("%+v", can)
	}
	same(t, device.String(), info.Name)
	// The second time the texts are those that are known.
	same(t, ok(device.Info())(t), info)
	same(t, ok(netcl.DeviceDescribe(info.Index))(t), info)
	told := info
	told.Index = 1
	same(t, fmt.Sprint(told), fmt.Sprintf("1: %s (%s)", info.Name, info.PlatformName))
	unlisted := uint32(math.MaxUint32)
	told.Index = int(unlisted)
	same(t, fmt.Sprint(told), fmt.Sprintf("%s (%s)", info.Name, info.PlatformName))
	other := ok(device.Retain())(t)
	same(t, ok(other.Info())(t), info)
	must(t, other.Close())
	fails(t, failed(other.Info()), netcl.ErrInvalidHandle, "device")
	fails(t, failed((*netcl.Device)(nil).Info()), netcl.ErrInvalidHandle, "device")
	separate := ok(netcl.OpenDevice(selector(), &netcl.DeviceOptions{Separate: true}))(t)
	defer separate.Close()
	same(t, ok(separate.Info())(t).Name, info.Name)
	ctx, cancel := context.WithTimeout(background, time.Minute)
	defer cancel()
	must(t, separate.Finish(ctx))
	fails(t, failed(netcl.Open("no such device")), netcl.ErrNoDevice, "no such device")
	fails(t, failed(netcl.Open("cpu\x00gpu")), netcl.ErrInvalidArgument, "selector")
}

func TestLocalSizesFitTheWork(t *testing.T) {
	device := open(t)
	defer device.Close()
	global := []uint64{1000, 7}
	local, rounded, err := device.SuggestLocalSize(global)
	must(t, err)
	for i, size := range global {
		if rounded[i]%local[i] != 0 || rounded[i] < size || rounded[i]-size >= local[i] {
			t.Fatal(local, rounded)
		}
	}
	_, _, err = device.SuggestLocalSize(nil)
	fails(t, err, netcl.ErrInvalidArgument, "global")
}

func TestCopiesBetweenDevices(t *testing.T) {
	device := open(t)
	defer device.Close()
	other := ok(netcl.OpenDevice("builtin", &netcl.DeviceOptions{Separate: true}))(t)
	defer other.Close()
	same(t, ok(device.ExplainCopy(device))(t).Road, netcl.CopyRoadDevice)
	explained := ok(device.ExplainCopy(other))(t)
	if explained.Road == netcl.CopyRoadDevice || explained.Reason == "" {
		t.Fatalf("%+v", explained)
	}
	queue := ok(other.Queue())(t)
	defer queue.Close()
	x := ok(netcl.Full(device, float32(1.5), 3, 2))(t)
	defer x.Close()
	y := ok(netcl.OpCopy(x, &netcl.RunOptions{Queue: queue}))(t)
	defer y.Close()
	has[float32](t, y, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5)
}

func TestQueuesKnowTheirDeviceAndCountCommands(t *testing.T) {
	device := open(t)
	defer device.Close()
	plain := ok(netcl.NewQueue(device, nil))(t)
	defer plain.Close()
	queue := ok(netcl.NewQueue(device, &netcl.QueueOptions{Profiling: true}))(t)
	defer queue.Close()
	if info := ok(queue.Info())(t); !info.Profiling || info.Foreign {
		t.Fatalf("%+v", info)
	}
	own := ok(queue.Device())(t)
	defer own.Close()
	same(t, own.String(), device.String())

	var done *netcl.Event
	x := ok(netcl.Full(device, float32(1.5), 4096))(t)
	defer x.Close()
	y := ok(netcl.OpCopy(x, &netcl.RunOptions{Queue: queue, Event: &done}))(t)
	defer y.Close()
	defer done.Close()
	must(t, queue.Flush())
	must(t, done.Wait(background))
	same(t, ok(done.Query())(t), netcl.EventComplete)
	same(t, ok(done.Error())(t).Status, netcl.OK)
	timing := ok(done.Timing())(t)
	if timing.Queued > timing.Started || timing.Started > timing.Ended {
		t.Fatalf("%+v", timing)
	}
	must(t, queue.Finish(background))
	if ok(queue.Info())(t).Commands == 0 {
		t.Fatal("no commands")
	}

	must(t, plain.SetProfiling(true))
	must(t, plain.SetProfiling(false))
	marker := ok(plain.EnqueueMarker([]*netcl.Event{done, done}))(t)
	defer marker.Close()
	must(t, marker.Wait(background))
	fails(t, failed(marker.Timing()), netcl.ErrNotProfiled, "")
}

func TestManyWaitsArriveAll(t *testing.T) {
	device := open(t)
	defer device.Close()
	queue := ok(device.Queue())(t)
	defer queue.Close()
	var events []*netcl.Event
	for i := 0; i < 50; i++ {
		events = append(events, ok(queue.EnqueueMarker(nil))(t))
		defer events[i].Close()
	}
	last := ok(queue.EnqueueMarker(events))(t)
	defer last.Close()
	must(t, last.Wait(background))
	for _, event := range events {
		same(t, ok(event.Query())(t), netcl.EventComplete)
	}
}

// A context ends waits for work that takes long; the work goes on.
func TestContextsEndWaits(t *testing.T) {
	device := open(t)
	defer device.Close()
	queue := ok(netcl.NewQueue(device, nil))(t)
	defer queue.Close()
	a := ok(netcl.Random(device, netcl.F32, 1, 1000, 1000))(t)
	defer a.Close()
	ended, cancel := context.WithCancel(background)
	cancel()
	if err := queue.Finish(ended); err != context.Canceled {
		t.Fatal(err)
	}
	if err := netcl.Shutdown(ended); err != context.Canceled {
		t.Fatal(err)
	}

	// Enough work that some of it is left, however fast the device is.
	var events []*netcl.Event
	work := func() {
		var done *netcl.Event
		run := &netcl.RunOptions{Queue: queue, Event: &done}
		ok(netcl.OpMatmul(a, a, nil, run))(t).Close()
		events = append(events, done)
	}
	for i := 0; i < 20; i++ {
		work()
	}
	last := events[len(events)-1]
	short, cancel := context.WithTimeout(background, time.Millisecond)
	err := last.Wait(short)
	cancel()
	if err != nil && err != context.DeadlineExceeded {
		t.Fatal(err)
	}
	if err == nil {
		t.Log("the device was faster than the context")
	}
	canceled, cancel := context.WithCancel(background)
	go cancel()
	if err := queue.Finish(canceled); err != nil && err != context.Canceled {
		t.Fatal(err)
	}
	long, cancel := context.WithTimeout(background, 10*time.Minute)
	defer cancel()
	must(t, last.Wait(long))
	//lint:ignore SA1012 a nil context waits like Background
	must(t, queue.Finish(nil))
	for _, event := range events {
		must(t, event.Close())
	}
}

func TestOpenCLObjectsGoOutAndComeBack(t *testing.T) {
	device := open(t)
	defer device.Close()
	queue := ok(device.Queue())(t)
	defer queue.Close()
	marker := ok(queue.EnqueueMarker(nil))(t)
	defer marker.Close()
	refused(t, failed(netcl.OpenDeviceFromCL(nil, nil, nil, nil)))
	refused(t, failed(netcl.NewQueueFromCL(device, nil)))
	refused(t, failed(netcl.NewEventFromCL(device, nil)))
	if !isOpenCL(t, device) {
		fails(t, failed(device.CLContext()), netcl.ErrUnsupported, "")
		fails(t, failed(device.CLDevice()), netcl.ErrUnsupported, "")
		fails(t, failed(queue.CLQueue()), netcl.ErrUnsupported, "")
		fails(t, failed(marker.CLEvent()), netcl.ErrUnsupported, "")
		return
	}
	context, id := ok(device.CLContext())(t), ok(device.CLDevice())(t)
	numbers := fresh(t, 1000)
	for _, raw := range []unsafe.Pointer{ok(queue.CLQueue())(t), nil} {
		wrapped := ok(netcl.OpenDeviceFromCL(context, id, raw, nil))(t)
		x := tensor(t, wrapped, numbers, 10, 100)
		has(t, x, numbers...)
		must(t, x.Close())
		must(t, wrapped.Close())
	}
	foreign := ok(netcl.NewQueueFromCL(device, ok(queue.CLQueue())(t)))(t)
	defer foreign.Close()
	same(t, ok(foreign.Info())(t).Foreign, true)
	event := ok(netcl.NewEventFromCL(device, ok(marker.CLEvent())(t)))(t)
	defer event.Close()
	must(t, event.Wait(background))
	runtime.KeepAlive(device)
}

func TestPoolsOfADeviceAreShared(t *testing.T) {
	device := open(t)
	defer device.Close()
	kinds := []netcl.PoolKind{netcl.PoolPersistent, netcl.PoolPowerOfTwo, netcl.PoolPinned}
	for _, kind := range kinds {
		pool := ok(device.Pool(kind))(t)
		same(t, ok(pool.Info())(t).Kind, kind)
		must(t, pool.Close())
	}
	refused(t, failed(device.Pool(77)))
	if !strings.Contains(netcl.PoolKind(77).String(), "77") {
		t.Fatal(netcl.PoolKind(77))
	}
	same(t, netcl.PoolPinned.String(), "PoolPinned")
}
