package netcl_test

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"netcl.example/netcl"
)

func TestErrorsCarryTheMessageOfTheirOwnCall(t *testing.T) {
	device := open(t)
	defer device.Close()
	var all sync.WaitGroup
	for i := 0; i < 32; i++ {
		all.Add(1)
		go func(i int) {
			defer all.Done()
			for round := 0; round < 50; round++ {
				extent := int64(-1000*i - round - 2)
				err := refused(t, failed(netcl.Zeros(device, netcl.F32, int(extent))))
				fails(t, err, netcl.ErrInvalidArgument, fmt.Sprint(extent))
				if errors.Is(err, netcl.ErrTimeout) || err.NativeCode != 0 {
					t.Errorf("%+v", err)
				}
				runtime.Gosched()
			}
		}(i)
	}
	all.Wait()
}

func TestManyGoroutinesShareObjects(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := ok(netcl.Random(device, netcl.F32, 5, 64, 64))(t)
	defer x.Close()
	product := ok(x.Matmul(x))(t)
	defer product.Close()
	want := values[float32](t, product)
	var all sync.WaitGroup
	for i := 0; i < 16; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			own, err := x.Retain()
			if err != nil {
				t.Error(err)
				return
			}
			for round := 0; round < 10; round++ {
				y, err := own.Matmul(x)
				if err != nil {
					t.Error(err)
					return
				}
				got, err := netcl.ToSlice[float32](background, y)
				for i := range got {
					if got[i] != want[i] {
						err = errors.New("another result")
					}
				}
				if err != nil || len(got) != len(want) {
					t.Error(err, len(got))
				}
				// Half of them are left to the collector.
				if round%2 == 0 {
					_ = y.Close()
				}
			}
			_ = own.Close()
		}()
	}
	all.Wait()
}

// An object that one goroutine closes while others use it is refused from then on.
func TestClosingWhatOthersUse(t *testing.T) {
	device := open(t)
	defer device.Close()
	for round := 0; round < 20; round++ {
		x := ok(netcl.Zeros(device, netcl.F32, 16))(t)
		timer := ok(netcl.NewTimer(ok(device.Queue())(t)))(t)
		var all sync.WaitGroup
		for i := 0; i < 8; i++ {
			all.Add(1)
			go func(i int) {
				defer all.Done()
				for {
					_, err := x.Info()
					if err == nil {
						_, err = x.Reshape([]int{4, 4}, nil)
					}
					if err != nil && !errors.Is(err, netcl.ErrInvalidHandle) {
						t.Error(err)
					}
					if err != nil {
						break
					}
				}
				// Calls on a movable object wait for each other.
				_ = timer.Start()
				_, _ = timer.Stop(background)
				_ = timer.Close()
			}(i)
		}
		time.Sleep(time.Millisecond)
		_ = x.Close()
		all.Wait()
	}
}

// Regions belong to threads, goroutines do not: whichever thread ends one, it is an error at most.
func TestGoroutinesMoveBetweenThreadsInARegion(t *testing.T) {
	device := open(t)
	defer device.Close()
	queue := ok(device.Queue())(t)
	defer queue.Close()
	must(t, netcl.ProfileStart(nil))
	x := ok(netcl.Zeros(device, netcl.F32, 64))(t)
	defer x.Close()
	step := func(work func()) {
		done := make(chan bool)
		go func() {
			runtime.LockOSThread() // Never unlocked, so that the thread ends with the goroutine.
			defer close(done)
			work()
		}()
		<-done
	}
	for round := 0; round < 10; round++ {
		var outer, inner *netcl.Region
		step(func() { outer = ok(netcl.BeginRegion(queue, nil, "outer"))(t) })
		step(func() { inner = ok(netcl.BeginRegion(queue, outer, "inner"))(t) })
		step(func() { must(t, ok(x.Copy())(t).Close()) })
		step(func() { must(t, outer.End()) })
		step(func() { must(t, inner.Annotate(1, 1)) })
		step(func() { must(t, inner.End()) })
		fails(t, inner.End(), netcl.ErrInvalidArgument, "")
		step(func() { must(t, outer.Close()) })
		fails(t, failed(netcl.BeginRegion(queue, outer, "late")), netcl.ErrInvalidHandle, "")
		// One that is still open when it is given back ends then; another thread does it here.
		left := ok(netcl.BeginRegion(queue, inner, "left"))(t)
		step(func() { must(t, left.Close()) })
		must(t, inner.Close())
	}
	ok(netcl.ProfileReport(netcl.FormatJSON))(t)
	must(t, netcl.ProfileStop(background))
}

// What nobody closes goes with the collector, also while other goroutines work.
func TestTheCollectorGivesObjectsBack(t *testing.T) {
	device := open(t)
	defer device.Close()
	queue := ok(device.Queue())(t)
	defer queue.Close()
	before := ok(netcl.LibraryLiveCount(netcl.HandleTensor))(t)
	var all sync.WaitGroup
	for i := 0; i < 4; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for round := 0; round < 200; round++ {
				x, err := netcl.Full(device, float32(round), 256)
				if err != nil {
					t.Error(err)
					return
				}
				var done *netcl.Event
				run := &netcl.RunOptions{Event: &done, Queue: queue}
				y, err := netcl.OpExpressionText("v0 + 1", []*netcl.Tensor{x}, nil, run)
				if err == nil {
					var value float32
					part, _ := y.Part(255, 256)
					value, err = netcl.Item[float32](background, part)
					if value != float32(round)+1 {
						t.Errorf("%v is not %v", value, round+1)
					}
				}
				if err != nil {
					t.Error(err)
				}
				if round%50 == 0 {
					runtime.GC()
				}
			}
		}()
	}
	all.Wait()
	for try := 0; ok(netcl.LibraryLiveCount(netcl.HandleTensor))(t) > before; try++ {
		if try > 500 {
			t.Fatal(netcl.LibraryLiveCount(netcl.HandleTensor))
		}
		runtime.GC()
		time.Sleep(5 * time.Millisecond)
	}
}
