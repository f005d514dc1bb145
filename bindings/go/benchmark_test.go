package netcl_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"netcl.example/netcl"
)

// out = factor * x + 1 over 1000 elements; scratch is there to be an argument.
func benchmarkSource(body string) string {
	return "__kernel void k(__global const float *x, __global float *out, float factor, int n,\n" +
		"                __local float *scratch) {\n  int i = get_global_id(0);\n" +
		"  if (i < n) out[i] = " + body + ";\n}\n"
}

func newBenchmark(t *testing.T, device *netcl.Device) *netcl.Benchmark {
	t.Helper()
	benchmark := ok(netcl.NewBenchmark(device, &netcl.BenchmarkOptions{
		Lock: netcl.Off, Seed: 11, RunTimeout: time.Minute}))(t)
	must(t, benchmark.AddTensor(&netcl.BenchmarkTensor{Dtype: netcl.F32, Rank: 1,
		Shape: [8]int{1000}, Access: netcl.AccessIn, Fill: netcl.FillUniform}))
	must(t, benchmark.AddTensor(&netcl.BenchmarkTensor{Dtype: netcl.F32, Rank: 1,
		Shape: [8]int{1000}, Access: netcl.AccessOut}))
	must(t, benchmark.AddScalar(bytesOf(t, float32(3))))
	must(t, benchmark.AddScalar(bytesOf(t, int32(1000))))
	must(t, benchmark.AddLocal(64))
	return benchmark
}

func candidate(name, body string) *netcl.BenchmarkCandidate {
	return &netcl.BenchmarkCandidate{Name: name, Source: benchmarkSource(body), Kernel: "k",
		Global: [3]uint64{1024}}
}

// baseline is the same work in this process, by an expression.
func baseline(t *testing.T, benchmark *netcl.Benchmark) netcl.WorkFunc {
	x, out := ok(benchmark.Tensor(0))(t), ok(benchmark.Tensor(1))(t)
	t.Cleanup(func() {
		_ = x.Close()
		_ = out.Close()
	})
	return func(queue *netcl.Queue) error {
		made, err := netcl.OpExpressionText("v0 * 3 + 1", []*netcl.Tensor{x}, nil,
			&netcl.RunOptions{Queue: queue, Into: out})
		_ = made.Close()
		return err
	}
}

func TestCandidatesAreComparedWithABaseline(t *testing.T) {
	device := open(t)
	defer device.Close()
	if !isOpenCL(t, device) {
		fails(t, failed(netcl.NewBenchmark(device, nil)), netcl.ErrUnsupported, "")
		return
	}
	benchmark := newBenchmark(t, device)
	defer benchmark.Close()
	work, calls := baseline(t, benchmark), 0
	statistics := ok(benchmark.TimeBaseline(func(queue *netcl.Queue) error {
		calls++
		return work(queue)
	}, few()))(t)
	if statistics.Count != 6 || calls < 9 {
		t.Fatal(statistics.Count, calls)
	}
	right := ok(benchmark.Run(candidate("right", "factor * x[i] + 1.0f"), few()))(t)
	if right.Outcome != netcl.OutcomeCorrect || right.Count != 6 || right.Min <= 0 ||
		right.Min > right.Median || right.Median > right.Max || right.Speedup <= 0 ||
		right.Global[0] != 1024 {
		t.Fatalf("%+v", right)
	}
	wrong := ok(benchmark.Run(candidate("wrong", "factor * x[i] + (i == 5 ? 2 : 1)"), few()))(t)
	same(t, wrong.Outcome, netcl.OutcomeCorrectness)
	same(t, strings.Contains(wrong.Message, "element 5"), true)
	faulty := ok(benchmark.Run(candidate("faulty", "nonsense"), few()))(t)
	same(t, faulty.Outcome, netcl.OutcomeCompile)
	same(t, strings.Contains(ok(benchmark.BuildLog())(t), "nonsense"), true)
	bad := candidate("bad", "1")
	bad.Kernel = ""
	fails(t, failed(benchmark.Run(bad, nil)), netcl.ErrInvalidArgument, "candidate.Kernel is nil")
	fails(t, failed(benchmark.Run(nil, nil)), netcl.ErrInvalidArgument, "candidate")
	fails(t, benchmark.AddLocal(8), netcl.ErrInvalidArgument, "in use")
	text := ok(benchmark.JSON())(t)
	for _, part := range []string{`"baseline"`, `"right"`, `"wrong"`, `"faulty"`, `"speedup"`} {
		if !strings.Contains(text, part) {
			t.Fatal(part, text)
		}
	}
}

func TestABaselineOfAKernelOrOfALoop(t *testing.T) {
	device := open(t)
	defer device.Close()
	if !isOpenCL(t, device) {
		var none *netcl.Benchmark
		fails(t, none.Prepare(0), netcl.ErrInvalidHandle, "")
		return
	}
	benchmark := newBenchmark(t, device)
	kernel := ok(netcl.NewKernel(device, "k", &netcl.KernelOptions{
		Source: benchmarkSource("factor * x[i] + 1.0f")}))(t)
	defer kernel.Close()
	statistics := ok(benchmark.TimeKernel(kernel, []uint64{1024}, nil, few()))(t)
	same(t, statistics.Count, 6)
	// Each round has contents of its own, and a round always has the same.
	x := ok(benchmark.Tensor(0))(t)
	defer x.Close()
	var rounds [2][]float32
	for _, round := range []uint32{1, 0, 1} {
		must(t, benchmark.Prepare(int(round)))
		if got := values[float32](t, x); rounds[round] == nil {
			rounds[round] = got
		} else {
			equal(t, got, rounds[round])
		}
	}
	same(t, rounds[0][0] != rounds[1][0] || rounds[0][1] != rounds[1][1], true)
	fails(t, benchmark.Prepare(2), netcl.ErrInvalidArgument, "round is 2")
	fails(t, benchmark.Keep(2), netcl.ErrInvalidArgument, "round is 2")
	fails(t, failed(benchmark.Tensor(2)), netcl.ErrInvalidArgument, "no tensor")
	fails(t, benchmark.SetBaseline(&netcl.Statistics{}), netcl.ErrInvalidArgument, "")
	// What is kept is what candidates have to give: here the values of another baseline.
	out := ok(benchmark.Tensor(1))(t)
	defer out.Close()
	must(t, out.Fill(netcl.ScalarOf(float32(7))))
	must(t, benchmark.Keep(0))
	must(t, benchmark.Keep(1))
	statistics.Mean = 1e12
	must(t, benchmark.SetBaseline(&statistics))
	got := ok(benchmark.Run(candidate("right", "factor * x[i] + 1.0f"), few()))(t)
	same(t, got.Outcome, netcl.OutcomeCorrectness)
	second := ok(benchmark.Retain())(t)
	must(t, benchmark.Close())
	got = ok(second.Run(candidate("seven", "7"), few()))(t)
	same(t, got.Outcome, netcl.OutcomeCorrect)
	if got.Speedup < 1e12/got.Mean*0.999 || got.Speedup > 1e12/got.Mean*1.001 {
		t.Fatalf("%+v", got)
	}
	must(t, second.Close())
	fails(t, failed(second.JSON()), netcl.ErrInvalidHandle, "")
}

// What a baseline calls on its own benchmark is refused as in C, and does not wait for itself.
func TestABaselineThatCallsItsBenchmark(t *testing.T) {
	device := open(t)
	defer device.Close()
	if !isOpenCL(t, device) {
		return
	}
	benchmark := newBenchmark(t, device)
	defer benchmark.Close()
	work := baseline(t, benchmark)
	second := ok(benchmark.Retain())(t)
	defer second.Close()
	ok(benchmark.TimeBaseline(func(queue *netcl.Queue) error {
		for _, call := range []func() error{
			func() error { return benchmark.Prepare(0) },
			func() error { return failed(second.JSON()) },
			func() error { return failed(benchmark.TimeBaseline(work, few())) },
		} {
			done := make(chan error, 1)
			go func() { done <- call() }()
			select {
			case err := <-done:
				fails(t, err, netcl.ErrBusy, "")
			case <-time.After(time.Minute):
				t.Fatal("the call waits for the one that waits for it")
			}
		}
		return work(queue)
	}, few()))(t)

	mine := errors.New("mine")
	failing := func(*netcl.Queue) error { return mine }
	if err := failed(benchmark.TimeBaseline(failing, nil)); err != mine {
		t.Fatal(err)
	}
	fails(t, failed(benchmark.TimeBaseline(nil, nil)), netcl.ErrInvalidArgument, "work")
	func() {
		defer func() { same(t, recover().(int), 17) }()
		_, _ = benchmark.TimeBaseline(func(*netcl.Queue) error { panic(17) }, few())
		t.Error("the panic was lost")
	}()
	left := make(chan bool)
	go func() {
		defer close(left)
		_, _ = benchmark.TimeBaseline(func(*netcl.Queue) error {
			runtime.Goexit()
			return nil
		}, few())
		t.Error("Goexit was lost")
	}()
	<-left
	// The turn was given back each time.
	same(t, ok(benchmark.TimeBaseline(work, few()))(t).Count, 6)
}
