package netcl_test

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"netcl.example/netcl"
)

func few() *netcl.MeasurementOptions {
	return &netcl.MeasurementOptions{WarmupCount: 1, Count: 6}
}

func TestStatisticsAreThoseOfTheSamples(t *testing.T) {
	statistics := ok(netcl.StatisticsCompute([]float64{1, 2, 3, 4, 5}, 0.95))(t)
	if statistics.Count != 5 || statistics.Median != 3 || statistics.Mean != 3 ||
		math.Abs(statistics.Deviation-math.Sqrt(2.5)) > 1e-12 {
		t.Fatalf("%+v", statistics)
	}
	_, err := netcl.StatisticsCompute([]float64{1, math.NaN()}, 0.95)
	fails(t, err, netcl.ErrInvalidArgument, "")
	refused(t, failed(netcl.StatisticsCompute(nil, 0.95)))
	slow, fast := make([]float64, 50), make([]float64, 50)
	for i := range slow {
		slow[i] = 200 + float64(i%5)
		fast[i] = slow[i] / 2
	}
	comparison := ok(netcl.StatisticsCompare(fast, slow, 0.95, 0.01, 1))(t)
	same(t, comparison.Verdict, netcl.VerdictFaster)
}

func TestCandidatesTakeTurns(t *testing.T) {
	device := open(t)
	defer device.Close()
	queue := ok(device.Queue())(t)
	defer queue.Close()
	x := ok(netcl.Random(device, netcl.F32, 1, 64, 64))(t)
	defer x.Close()
	options := few()
	options.Candidates = 2
	measurement := ok(netcl.NewMeasurement(queue, options))(t)
	turns := [2]int{}
	must(t, measurement.Run(func(candidate int) error {
		turns[candidate]++
		y, err := x.Matmul(x)
		_ = y.Close()
		return err
	}))
	if turns[0] < 6 || turns[1] < 6 {
		t.Fatal(turns)
	}
	statistics := ok(measurement.Statistics(1))(t)
	same(t, statistics.Count, 6)
	same(t, statistics.Stop, netcl.StopCount)
	same(t, len(ok(measurement.Samples(0))(t)), 6)
	ok(measurement.Compare(0, 1))(t)
	refused(t, failed(measurement.Samples(7)))
	second := ok(measurement.Retain())(t)
	must(t, measurement.Close())
	same(t, len(ok(second.Samples(0))(t)), 6)
	must(t, second.Close())
	stopped := ok(netcl.NewMeasurement(queue, nil))(t)
	defer stopped.Close()
	mine := errors.New("mine")
	if err := stopped.Run(func(int) error { return mine }); err != mine {
		t.Fatal(err)
	}
}

func TestAFunctionIsTimedAndItsFailuresComeOut(t *testing.T) {
	device := open(t)
	defer device.Close()
	queue := ok(device.Queue())(t)
	defer queue.Close()
	x := ok(netcl.Random(device, netcl.F32, 1, 32, 32))(t)
	defer x.Close()
	calls := 0
	var lent *netcl.Queue
	statistics := ok(queue.Time(func(on *netcl.Queue) error {
		calls++
		lent = on
		y, err := netcl.OpMatmul(x, x, nil, &netcl.RunOptions{Queue: on})
		_ = y.Close()
		return err
	}, few()))(t)
	if statistics.Count != 6 || calls < 7 {
		t.Fatal(statistics.Count, calls)
	}
	// What the callback got is its own only while it runs.
	fails(t, lent.Flush(), netcl.ErrInvalidHandle, "")

	_, err := queue.Time(func(*netcl.Queue) error {
		return failed(netcl.Expr("v0 +", x))
	}, nil)
	fails(t, err, netcl.ErrInvalidArgument, "column")
	mine := errors.New("mine")
	if err := failed(queue.Time(func(*netcl.Queue) error { return mine }, nil)); err != mine {
		t.Fatal(err)
	}
	refused(t, failed(queue.Time(nil, nil)))

	func() {
		defer func() {
			same(t, recover().(int), 17)
		}()
		_, _ = queue.Time(func(*netcl.Queue) error { panic(17) }, few())
		t.Error("the panic was lost")
	}()
	left := make(chan bool)
	go func() {
		defer close(left)
		_, _ = queue.Time(func(*netcl.Queue) error {
			runtime.Goexit()
			return nil
		}, few())
		t.Error("Goexit was lost")
	}()
	<-left
	must(t, queue.Finish(background))
}

// ownError is an error whose methods fail when somebody looks into it.
type ownError struct{}

func (*ownError) Error() string { return "own" }
func (e *ownError) Unwrap() error {
	if e == nil {
		panic("a nil error is looked into")
	}
	runtime.Goexit()
	return nil
}

// Whatever error a function returns ends the call, and is what the call returns.
func TestErrorsThatCannotBeLookedIntoEndTheCall(t *testing.T) {
	device := open(t)
	defer device.Close()
	queue := ok(device.Queue())(t)
	defer queue.Close()
	var none *netcl.Error
	same(t, none.Error() != "" && none.Unwrap() == nil && !errors.Is(none, netcl.ErrTimeout), true)
	for _, returned := range []error{none, (*ownError)(nil), &ownError{}, netcl.OK} {
		ended := make(chan error, 1)
		go func() {
			var err error
			// &ownError ends this goroutine.
			defer func() { ended <- err }()
			_, err = queue.Time(func(*netcl.Queue) error { return returned }, nil)
		}()
		select {
		case err := <-ended:
			if _, goes := returned.(*ownError); err != returned && !(goes && err == nil) {
				t.Fatalf("%v", err)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("a call whose function returned %T did not end", returned)
		}
	}
	must(t, queue.Finish(background))
}

func TestALaunchIsTimed(t *testing.T) {
	device := open(t)
	defer device.Close()
	global := []uint64{256}
	if !isOpenCL(t, device) {
		var none *netcl.Kernel
		_, err := none.Time(global, nil, nil, nil, nil, nil)
		fails(t, err, netcl.ErrInvalidHandle, "")
		return
	}
	source := "__kernel void one(__global int *x) { x[get_global_id(0)] += 1; }"
	kernel := ok(netcl.NewKernel(device, "one", &netcl.KernelOptions{Source: source}))(t)
	defer kernel.Close()
	x := ok(netcl.Zeros(device, netcl.I32, 256))(t)
	defer x.Close()
	args := []netcl.Arg{netcl.TensorArg(x)}
	same(t, ok(kernel.Time(global, nil, args, nil, nil, few()))(t).Count, 6)
	refused(t, failed(kernel.Time(nil, nil, args, nil, nil, few())))
	if runs := values[int32](t, x)[0]; runs < 7 {
		t.Fatal(runs)
	}
}

func TestATimerSeesWhatIsEnqueued(t *testing.T) {
	device := open(t)
	defer device.Close()
	queue := ok(device.Queue())(t)
	defer queue.Close()
	x := ok(netcl.Random(device, netcl.F32, 1, 128, 128))(t)
	defer x.Close()
	timer := ok(netcl.NewTimer(queue))(t)
	defer timer.Close()
	must(t, timer.Start())
	fails(t, timer.Start(), netcl.ErrBusy, "")
	must(t, ok(x.Matmul(x))(t).Close())
	elapsed := ok(timer.Stop(background))(t)
	if elapsed.Commands == 0 || elapsed.Span <= 0 || elapsed.Busy > elapsed.Span {
		t.Fatalf("%+v", elapsed)
	}
	fails(t, failed(timer.Stop(background)), netcl.ErrInvalidArgument, "")
}

func TestRegionsAreReported(t *testing.T) {
	device := open(t)
	defer device.Close()
	queue := ok(device.Queue())(t)
	defer queue.Close()
	must(t, netcl.ProfileStart(nil))
	fails(t, netcl.ProfileStart(&netcl.ProfileOptions{RecordsMost: 7}), netcl.ErrBusy, "")
	must(t, queue.InRegion(nil, "outer", func(outer *netcl.Region) error {
		return queue.InRegion(outer, "inner", func(inner *netcl.Region) error {
			must(t, inner.Annotate(1e6, 2e6))
			return ok(netcl.Full(device, float32(1), 1000))(t).Close()
		})
	}))
	mine := errors.New("mine")
	fail := func(*netcl.Region) error { return mine }
	if err := queue.InRegion(nil, "failing", fail); err != mine {
		t.Fatal(err)
	}
	region := ok(netcl.BeginRegion(queue, nil, "plain"))(t)
	must(t, region.End())
	fails(t, region.End(), netcl.ErrInvalidArgument, "")
	must(t, region.Close())
	must(t, queue.Finish(background))
	text := ok(netcl.ProfileReport(netcl.FormatText))(t)
	for _, name := range []string{"outer", "inner", "plain"} {
		if !strings.Contains(text, name) {
			t.Fatal(text)
		}
	}
	must(t, netcl.ProfileReset())
	must(t, netcl.ProfileStop(background))
	fails(t, netcl.ProfileStop(background), netcl.ErrNotFound, "")
}

func TestTheRooflineExplainsMetrics(t *testing.T) {
	roofline := ok(netcl.NewRoofline(nil))(t)
	defer roofline.Close()
	names := []string{"sm__throughput.avg.pct_of_peak_sustained_elapsed",
		"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"}
	result := ok(roofline.AnalyzeMetrics(names, []float64{50, 95}))(t)
	if result.Bottleneck != netcl.BottleneckMemory || !result.AtRoofline ||
		result.EfficiencyPct != 95 {
		t.Fatalf("%+v", result)
	}
	_, err := roofline.AnalyzeMetrics(names, []float64{50})
	fails(t, err, netcl.ErrInvalidArgument, "names has 2 entries; values has 1")
	fails(t, failed(roofline.AnalyzeMetrics(names, []float64{math.NaN(), 1})),
		netcl.ErrInvalidArgument, "")
	same(t, ok(roofline.AnalyzeMetrics(nil, nil))(t).Bottleneck, netcl.BottleneckUnknown)
	same(t, ok(roofline.ShouldStop(&result))(t), true)
	same(t, ok(roofline.Reason())(t) != "", true)
	refused(t, failed(roofline.ShouldStop(nil)))
	must(t, roofline.ResetHistory())
	text := ok(netcl.RooflineFormat(&result, netcl.FormatText))(t)
	same(t, strings.Contains(text, "95"), true)
	refused(t, failed(netcl.RooflineFormat(&result, 99)))
	result.Ceiling = strings.Repeat("x", 100)
	fails(t, failed(netcl.RooflineFormat(&result, netcl.FormatText)), netcl.ErrInvalidArgument,
		"Ceiling")
	_, err = netcl.NewRoofline(&netcl.RooflineOptions{ConvergenceRounds: 1})
	fails(t, err, netcl.ErrInvalidArgument, "")
	csv := "\"ID\",\"Kernel Name\",\"" + names[0] + "\",\"" + names[1] +
		"\"\n\"0\",\"k\",\"50\",\"95\"\n"
	same(t, ok(roofline.AnalyzeNCU(csv, nil))(t).EfficiencyPct, 95)
	_, err = roofline.AnalyzeNCU(csv, &netcl.NCUOptions{Kernel: "other"})
	fails(t, err, netcl.ErrNotFound, "")
	fails(t, failed(roofline.AnalyzeNCU("no report", nil)), netcl.ErrCorruptData, "")
	second := ok(roofline.Retain())(t)
	must(t, second.Close())
}
