package netcl_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"netcl.example/netcl"
)

// A busy machine takes its time, and its numbers are as they are: few samples, no hurry.
func tunerOptions(database *netcl.TuningDatabase) *netcl.TunerOptions {
	return &netcl.TunerOptions{Database: database, InProcess: true, WarmupCount: 1,
		RunLimit: 100 * time.Second, Search: &netcl.SearchOptions{Samples: 3, Budget: time.Hour}}
}

func TestOpsAreTunedStoredAndSaved(t *testing.T) {
	device := open(t)
	defer device.Close()
	database := ok(netcl.OpenTuningDatabase(":memory:"))(t)
	defer database.Close()
	tuner := ok(netcl.NewTuner(device, tunerOptions(database)))(t)
	defer tuner.Close()
	image := &netcl.Conv2DShape{Batch: 1, Channels: 8, Filters: 8, Height: 12, Width: 12,
		KernelHeight: 3, KernelWidth: 3}
	must(t, tuner.AddMatmul(1, 33, 24, 40, netcl.F32))
	must(t, tuner.AddConv2D(image, netcl.F32))
	must(t, tuner.AddReduction(3, 5000, netcl.F32))
	same(t, ok(tuner.Count())(t), 3)
	fails(t, tuner.AddMatmul(1, 4, 4, 4, netcl.I32), netcl.ErrUnsupported, "")
	fails(t, tuner.AddMatmul(1, 0, 4, 4, netcl.F32), netcl.ErrInvalidArgument, "")
	fails(t, tuner.AddReduction(-1, 4, netcl.F32), netcl.ErrInvalidArgument, "")
	refused(t, tuner.AddConv2D(nil, netcl.F32))
	result, config, err := tuner.Result(0)
	must(t, err)
	if result.Match != netcl.MatchNone || result.Measured || config != nil {
		t.Fatalf("%+v %v", result, config)
	}
	fails(t, failed(tuner.Search(0)), netcl.ErrNotFound, "")
	fails(t, failed(tuner.ReadEvent(background, 0)), netcl.ErrNotFound, "")

	must(t, tuner.Run())
	for i, name := range []string{"op.matmul", "op.conv2d", "op.reduction"} {
		result, config, err := tuner.Result(int(i))
		must(t, err)
		if result.Status != netcl.OK || result.Name != name || !result.Measured ||
			result.Match != netcl.MatchExact || result.Evaluations < 1 || result.Median <= 0 {
			t.Fatalf("%+v", result)
		}
		same(t, ok(config.Text("variant"))(t) != "", true)
		must(t, config.Close())
		search := ok(tuner.Search(int(i)))(t)
		same(t, ok(search.Result())(t).Evaluations, result.Evaluations)
		must(t, search.Close())
	}
	_, _, err = tuner.Result(3)
	fails(t, err, netcl.ErrNotFound, "")
	entries := map[int]bool{}
	for last := uint64(0); ; last++ {
		event, err := tuner.ReadEvent(background, last)
		if err != nil {
			fails(t, err, netcl.ErrNotFound, "")
			break
		}
		same(t, event.Sequence, last+1)
		entries[event.Entry] = true
	}
	same(t, len(entries), 3)

	// Saved, and loaded where nothing was measured.
	path := filepath.Join(t.TempDir(), "tuned.jsonl")
	must(t, tuner.Save(path))
	other := ok(netcl.OpenTuningDatabase(":memory:"))(t)
	defer other.Close()
	loaded := ok(netcl.NewTuner(device, tunerOptions(other)))(t)
	must(t, loaded.Load(path))
	must(t, loaded.AddReduction(3, 5000, netcl.F32))
	must(t, loaded.Run())
	result, config, err = loaded.Result(0)
	must(t, err)
	must(t, config.Close())
	same(t, result.Match, netcl.MatchExact)
	same(t, result.Measured, false)
	fails(t, loaded.Load(path+".none"), netcl.ErrIO, "")
	second := ok(loaded.Retain())(t)
	must(t, loaded.Close())
	must(t, second.Clear())
	same(t, ok(second.Count())(t), 0)
	must(t, second.Close())
	fails(t, second.Run(), netcl.ErrInvalidHandle, "")
	must(t, tuner.Clear())
	same(t, ok(database.Info())(t).Records, 0)
	_, _, err = tuner.Lookup("op.matmul", []uint64{1})
	fails(t, err, netcl.ErrNotFound, "")
}

// A run is ended by another goroutine. One that was over before says nothing, so there are more.
func TestATunerIsCancelled(t *testing.T) {
	device := open(t)
	defer device.Close()
	for try := 0; try < 5; try++ {
		database := ok(netcl.OpenTuningDatabase(":memory:"))(t)
		options := tunerOptions(database)
		options.Search.Samples = 1000
		tuner := ok(netcl.NewTuner(device, options))(t)
		must(t, tuner.AddMatmul(1, 200, 200, 200, netcl.F32))
		must(t, tuner.AddReduction(100, 10000, netcl.F32))
		done := make(chan error)
		go func() { done <- tuner.Run() }()
		for {
			_, err := tuner.ReadEvent(background, 0)
			if err == nil {
				break
			}
			// It has not begun yet.
			fails(t, err, netcl.ErrNotFound, "")
		}
		must(t, tuner.Cancel())
		err := <-done
		must(t, tuner.Close())
		must(t, database.Close())
		if err != nil {
			fails(t, err, netcl.ErrCancelled, "")
			return
		}
	}
	t.Fatal("no run was cancelled")
}

const tunedSource = `
#ifndef WORK
#define WORK 30000
#endif
#if WORK == 7
#error not seven
#endif
__kernel void k(__global const float *a, __global float *out, float f) {
  size_t i = get_global_id(0) + get_global_size(0) * get_global_id(1);
  float x = a[i];
  for (int r = 0; r < WORK; ++r) x = mad(x, 0.999f, 0.001f * f);
  out[i] = a[i] * f + (x > 1e30f ? 1.0f : 0.0f);
}`

func TestAKernelIsTuned(t *testing.T) {
	device := open(t)
	defer device.Close()
	database := ok(netcl.OpenTuningDatabase(":memory:"))(t)
	defer database.Close()
	tuner := ok(netcl.NewTuner(device, tunerOptions(database)))(t)
	defer tuner.Close()
	if !isOpenCL(t, device) {
		fails(t, tuner.Add(nil, []uint64{4}, nil, nil), netcl.ErrInvalidHandle, "")
		var none *netcl.Kernel
		_, _, err := none.Autotune([]uint64{4}, nil, nil, nil)
		fails(t, err, netcl.ErrInvalidHandle, "")
		return
	}
	kernel := ok(netcl.NewKernel(device, "k", &netcl.KernelOptions{Source: tunedSource}))(t)
	defer kernel.Close()
	a := ok(netcl.Random(device, netcl.F32, 1, 1024))(t)
	defer a.Close()
	out := ok(netcl.Full(device, float32(-1), 1024))(t)
	defer out.Close()
	args := []netcl.Arg{netcl.TensorArg(a), netcl.TensorArg(out), netcl.ScalarArg(float32(2))}
	space := ok(netcl.NewSpace())(t)
	defer space.Close()
	must(t, space.AddInts("WORK", []int{30000, 1, 7}))
	global := []uint64{64, 16}
	// Rows of two extents: (16, 4) and (64, 1), and no other pair of the four.
	tuning := &netcl.KernelTuning{Space: space, LocalSizes: []uint64{16, 4, 64, 1},
		Launch: &netcl.LaunchOptions{RoundUp: false}, Work: &netcl.Work{Bytes: 8192}}
	config, search, err := kernel.Autotune(global, args, tuning, tunerOptions(database))
	must(t, err)
	defer config.Close()
	defer search.Close()
	same(t, ok(config.Int("WORK"))(t), 1)
	result := ok(search.Result())(t)
	same(t, result.Counts[netcl.OutcomeCompile] > 0, true)
	same(t, result.Gain > 1, true)
	sizes := map[[2]int]bool{}
	for index := 0; uint64(index) < result.Evaluations; index++ {
		_, tried, err := search.Candidate(index)
		must(t, err)
		sizes[[2]int{ok(tried.Int("LOCAL_X"))(t), ok(tried.Int("LOCAL_Y"))(t)}] = true
		must(t, tried.Close())
	}
	same(t, sizes[[2]int{16, 4}] && sizes[[2]int{64, 1}] && !sizes[[2]int{16, 1}], true)
	for _, value := range values[float32](t, out) {
		same(t, value, -1)
	}
	// An odd number of extents is no rows, and nothing is read behind them.
	tuning.LocalSizes = tuning.LocalSizes[:3]
	_, _, err = kernel.Autotune(global, args, tuning, tunerOptions(database))
	fails(t, err, netcl.ErrInvalidArgument, "len(tuning.LocalSizes) is 3")
	fails(t, tuner.Add(kernel, global, args, tuning), netcl.ErrInvalidArgument, "LocalSizes")
	fails(t, tuner.Add(kernel, global, args[:2], nil), netcl.ErrInvalidArgument, "len(args) is 2")
	negative := &netcl.KernelTuning{Work: &netcl.Work{Bytes: -1}}
	fails(t, tuner.Add(kernel, global, args, negative), netcl.ErrInvalidArgument, "Work.Bytes is -1")

	// Another tuner finds it stored, dispatch would too, and a size near it as well.
	tuning.LocalSizes = []uint64{16, 4, 64, 1}
	must(t, tuner.Add(kernel, global, args, tuning))
	must(t, tuner.Run())
	stored, found, err := tuner.Result(0)
	must(t, err)
	must(t, found.Close())
	same(t, stored.Match, netcl.MatchExact)
	same(t, stored.Measured, false)
	match, found, err := tuner.Lookup("k", global)
	must(t, err)
	same(t, match, netcl.MatchExact)
	same(t, ok(found.Int("WORK"))(t), 1)
	must(t, found.Close())
	match, found, err = tuner.Lookup("k", []uint64{4096, 4096})
	must(t, err)
	same(t, match, netcl.MatchNone)
	same(t, found, nil)
}

// A space that goes into options waits its turn like one that is an argument.
func TestOptionsWaitForTheirSpace(t *testing.T) {
	device := open(t)
	defer device.Close()
	if !isOpenCL(t, device) {
		return
	}
	database := ok(netcl.OpenTuningDatabase(":memory:"))(t)
	defer database.Close()
	tuner := ok(netcl.NewTuner(device, tunerOptions(database)))(t)
	defer tuner.Close()
	kernel := ok(netcl.NewKernel(device, "k", &netcl.KernelOptions{Source: tunedSource}))(t)
	defer kernel.Close()
	a := ok(netcl.Zeros(device, netcl.F32, 64))(t)
	defer a.Close()
	args := []netcl.Arg{netcl.TensorArg(a), netcl.TensorArg(a), netcl.ScalarArg(float32(2))}
	space := ok(netcl.NewSpace())(t)
	defer space.Close()
	done := make(chan error)
	go func() {
		var err error
		for i := 0; i < 50 && err == nil; i++ {
			err = space.AddInts("P"+string(rune('a'+i%26))+string(rune('a'+i/26)), []int{1})
		}
		done <- err
	}()
	for i := 0; i < 50; i++ {
		err := tuner.Add(kernel, []uint64{64}, args, &netcl.KernelTuning{Space: space})
		if err != nil && !errors.Is(err, netcl.ErrInvalidArgument) {
			t.Error(err)
		}
	}
	must(t, <-done)
}
