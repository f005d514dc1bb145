package netcl_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"netcl.example/netcl"
)

// A device of round numbers: 1e9 per second is one per nanosecond.
func roundCeilings(t *testing.T) *netcl.Ceilings {
	t.Helper()
	ceilings := ok(netcl.NewCeilings())(t)
	for _, row := range []netcl.Ceiling{
		{Kind: netcl.CeilingCompute, Dtype: netcl.F32, Value: 100e9},
		{Kind: netcl.CeilingMemoryRead, Value: 2e9},
		{Kind: netcl.CeilingMemoryWrite, Value: 1e9, Disproved: 1},
		{Kind: netcl.CeilingMemoryCopy, Value: 1.5e9},
	} {
		must(t, ceilings.Set(row))
	}
	return ceilings
}

func TestCeilingsAreSetSortedSavedAndLoaded(t *testing.T) {
	ceilings := roundCeilings(t)
	defer ceilings.Close()
	rows := ok(ceilings.Get())(t)
	want := []netcl.CeilingKind{netcl.CeilingMemoryRead, netcl.CeilingMemoryWrite,
		netcl.CeilingMemoryCopy, netcl.CeilingCompute}
	same(t, len(rows), len(want))
	for i, row := range rows {
		if row.Kind != want[i] || row.Given == 0 || row.Disproved != 0 {
			t.Fatalf("row %d is %+v", i, row)
		}
	}
	must(t, ceilings.Set(netcl.Ceiling{Kind: netcl.CeilingMemoryRead, Value: 3e9}))
	same(t, ok(ceilings.Get())(t)[0].Value, 3e9)
	fails(t, ceilings.Set(netcl.Ceiling{Kind: netcl.CeilingMemoryRead}),
		netcl.ErrInvalidArgument, "value")
	fails(t, ceilings.Set(netcl.Ceiling{Kind: 99, Value: 1}), netcl.ErrInvalidArgument, "kind")
	same(t, netcl.CeilingMemoryRead.Name(), "memory_read")
	same(t, netcl.CeilingKind(99).Name(), "invalid")
	info := ok(ceilings.Info())(t)
	if info.RowsCount != 4 || info.Time != 0 || info.FromStore {
		t.Fatalf("%+v", info)
	}

	path := filepath.Join(t.TempDir(), "ceilings.json")
	must(t, ceilings.Save(path))
	loaded := ok(netcl.LoadCeilings(path))(t)
	equal(t, ok(loaded.Get())(t), ok(ceilings.Get())(t))
	second := ok(loaded.Retain())(t)
	must(t, loaded.Close())
	same(t, len(ok(second.Get())(t)), 4)
	must(t, second.Close())
	fails(t, failed(second.Get()), netcl.ErrInvalidHandle, "")
	fails(t, failed(netcl.LoadCeilings(path+".none")), netcl.ErrIO, "")
	must(t, os.WriteFile(path, []byte("{"), 0o600))
	fails(t, failed(netcl.LoadCeilings(path)), netcl.ErrCorruptData, "")
	fails(t, ceilings.Save(filepath.Join(path, "x")), netcl.ErrIO, "")
	fails(t, failed(netcl.LoadCeilings("a\x00b")), netcl.ErrInvalidArgument, "NUL")
}

func TestTimesAreHeldAgainstCeilings(t *testing.T) {
	ceilings := roundCeilings(t)
	defer ceilings.Close()
	roofline := ok(netcl.NewRoofline(nil))(t)
	defer roofline.Close()
	work := &netcl.Work{Operations: 9e7, Bytes: 1e6}
	result := ok(roofline.AnalyzeTime(ceilings, 1e6, work))(t)
	if math.Abs(result.ComputeSolPct-90) > 1e-9 || math.Abs(result.MemorySolPct-50) > 1e-9 ||
		result.Bottleneck != netcl.BottleneckCompute || result.Ceiling != "compute f32" ||
		result.Source != netcl.RooflineModel || math.Abs(result.RoofNs-9e5) > 1e-3 ||
		result.ArithmeticIntensity != 90 {
		t.Fatalf("%+v", result)
	}
	// Writes alone go at their own rate; what beats a ceiling shows that it is wrong.
	work = &netcl.Work{Bytes: 1e6, BytesWritten: 1e6}
	result = ok(roofline.AnalyzeTime(ceilings, 0.5e6, work))(t)
	if math.Abs(result.MemorySolPct-200) > 1e-9 || result.Ceiling != "memory_write" ||
		result.WarningsCount != 1 || result.HeadroomPct != 0 {
		t.Fatalf("%+v", result)
	}
	same(t, ok(ceilings.Get())(t)[1].Disproved != 0, true)
	result = ok(roofline.AnalyzeTime(ceilings, 1, &netcl.Work{}))(t)
	same(t, result.Bottleneck, netcl.BottleneckUnknown)
	fails(t, failed(roofline.AnalyzeTime(ceilings, math.NaN(), work)),
		netcl.ErrInvalidArgument, "timeNs")
	fails(t, failed(roofline.AnalyzeTime(ceilings, 1, nil)), netcl.ErrInvalidArgument, "work")
	fails(t, failed(roofline.AnalyzeTime(nil, 1, work)), netcl.ErrInvalidHandle, "")
	fails(t, failed(roofline.AnalyzeStatistics(nil, nil)), netcl.ErrInvalidHandle, "")
}

func TestAMeasuredOpIsHeldAgainstCeilings(t *testing.T) {
	device := open(t)
	defer device.Close()
	queue := ok(device.Queue())(t)
	defer queue.Close()
	ceilings := roundCeilings(t)
	defer ceilings.Close()
	roofline := ok(netcl.NewRoofline(nil))(t)
	defer roofline.Close()
	x := ok(netcl.Random(device, netcl.F32, 1, 32, 32))(t)
	defer x.Close()
	statistics := ok(queue.Time(func(on *netcl.Queue) error {
		y, err := netcl.OpMatmul(x, x, nil, &netcl.RunOptions{Queue: on})
		_ = y.Close()
		return err
	}, few()))(t)
	same(t, statistics.Operations, 2*32*32*32)
	got := ok(roofline.AnalyzeStatistics(ceilings, &statistics))(t)
	same(t, got.ArithmeticIntensity, statistics.Operations/statistics.Bytes)
	want := ok(roofline.AnalyzeTime(ceilings, statistics.Median, &netcl.Work{
		Operations: statistics.Operations, Bytes: statistics.Bytes,
		BytesWritten: statistics.BytesWritten, Dtype: statistics.Dtype}))(t)
	if got.TimeNs != statistics.Median || got.EfficiencyPct != want.EfficiencyPct ||
		got.Ceiling != want.Ceiling || got.EfficiencyPct <= 0 {
		t.Fatalf("%+v\n%+v", got, want)
	}
	fails(t, failed(roofline.AnalyzeStatistics(ceilings, &netcl.Statistics{})),
		netcl.ErrInvalidArgument, "")
}

func TestTheLimitsOfADeviceAreMeasured(t *testing.T) {
	device := open(t)
	defer device.Close()
	options := &netcl.CeilingsOptions{Budget: time.Millisecond, NoStore: true}
	ceilings := ok(netcl.MeasureCeilings(device, options))(t)
	defer ceilings.Close()
	seen := map[netcl.CeilingKind]bool{}
	for _, row := range ok(ceilings.Get())(t) {
		if !(row.Value > 0) || math.IsInf(row.Value, 0) || row.Given != 0 {
			t.Fatalf("%+v", row)
		}
		seen[row.Kind] = true
	}
	for _, kind := range netcl.CeilingKindValues {
		if !seen[kind] && kind != netcl.CeilingTensor {
			t.Fatal(kind)
		}
	}
	info := ok(ceilings.Info())(t)
	same(t, info.Device, ok(device.Info())(t).Name)
	same(t, info.Time > 0 && info.Spent > 0, true)
	// Rows are the caller's own: the next ones do not have what was changed.
	must(t, ceilings.Set(netcl.Ceiling{Kind: netcl.CeilingLaunch, Value: 12345}))
	again := ok(netcl.MeasureCeilings(device, options))(t)
	defer again.Close()
	for _, row := range ok(again.Get())(t) {
		if row.Value == 12345 {
			t.Fatalf("%+v", row)
		}
	}
	fails(t, failed(netcl.MeasureCeilings(nil, nil)), netcl.ErrInvalidHandle, "")
	options.Budget = -1
	fails(t, failed(netcl.MeasureCeilings(device, options)), netcl.ErrInvalidArgument, "Budget")
}

// The entries of the cache on disk: one has the kernel that was just built.
func TestTheProgramCacheListsWhatItHas(t *testing.T) {
	device := open(t)
	defer device.Close()
	fails(t, failed(netcl.GetProgramCacheEntry(int(^uint32(0)))), netcl.ErrNotFound, "")
	if isOpenCL(t, device) {
		source := "__kernel void listed_here(__global int *x) { x[0] = 1; }"
		kernel := ok(netcl.NewKernel(device, "listed_here",
			&netcl.KernelOptions{Source: source}))(t)
		defer kernel.Close()
		must(t, kernel.Build())
	}
	found := false
	for index := 0; ; index++ {
		entry, err := netcl.GetProgramCacheEntry(index)
		if err != nil {
			fails(t, err, netcl.ErrNotFound, "")
			break
		}
		if entry.Name == "" || entry.Bytes == 0 || entry.Sound != (entry.Problem == "") {
			t.Fatalf("%+v", entry)
		}
		if strings.Contains(entry.Kernels, "listed_here") && entry.Sound {
			found = found || entry.Device == ok(device.Info())(t).Name
		}
	}
	cache := ok(netcl.GetProgramCacheInfo())(t)
	if isOpenCL(t, device) && cache.Directory != "" && !found {
		t.Fatalf("the kernel is not in %s", cache.Directory)
	}
}
