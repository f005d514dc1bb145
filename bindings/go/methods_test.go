package netcl_test

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"

	"netcl.example/netcl"
)

func TestOptionsOfMethods(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := counting(t, device, 2, 3)
	defer x.Close()
	y, err := x.Reduce(netcl.ReductionSum, netcl.WithAxes(1), netcl.WithKeepdims())
	must(t, err)
	equal(t, y.Shape(), []int{2, 1})
	near(t, y, nil, 3, 12)

	// A whole struct is an option too; what comes later wins.
	y, err = x.Reduce(netcl.ReductionSum, &netcl.ReduceOptions{Axes: []int{0}}, netcl.WithAxes(-1),
		netcl.WithDtype(netcl.F64))
	must(t, err)
	has(t, y, 3.0, 12.0)
	must(t, y.Close())
	y, err = x.Reduce(netcl.ReductionMax, (*netcl.ReduceOptions)(nil), (*netcl.RunOptions)(nil))
	near(t, y, err, 5)

	// A nil is no option, whichever kind it stands for.
	y, err = x.Reduce(netcl.ReductionMax, nil, netcl.WithAxes(0))
	near(t, y, err, 3, 4, 5)
	y, err = x.Softmax(0, nil)
	must(t, err)
	must(t, y.Close())
	y, err = x.Relu(nil)
	near(t, y, err, 0, 1, 2, 3, 4, 5)

	// Options of the call, for ops with options of their own and without.
	into := ok(netcl.Zeros(device, netcl.F32, 2, 3))(t)
	defer into.Close()
	var event *netcl.Event
	y, err = x.Softmax(1, netcl.WithInto(into), netcl.WithEvent(&event))
	must(t, err)
	must(t, y.Close())
	must(t, event.Wait(background))
	must(t, event.Close())
	sums, err := into.Sum(1)
	near(t, sums, err, 1, 1)
	queue := ok(device.Queue())(t)
	defer queue.Close()
	y, err = x.Scan(netcl.ReductionSum, 1, netcl.WithExclusive(), netcl.WithQueue(queue),
		&netcl.RunOptions{Into: into})
	must(t, err)
	near(t, y, nil, 0, 0, 1, 0, 3, 7)

	// A flag that says that others are set goes with them, 0 included.
	a := tensor(t, device, []float32{1, 2, 3, 4}, 2, 2)
	defer a.Close()
	product, err := a.Matmul(a, netcl.WithMatmulScale(0, 0))
	near(t, product, err, 0, 0, 0, 0)

	image := counting(t, device, 1, 1, 3, 3)
	defer image.Close()
	kernel := ok(netcl.Full(device, float32(1), 1, 1, 3, 3))(t)
	defer kernel.Close()
	same := ok(image.Conv2D(kernel, netcl.WithPadding(1, 1, 1, 1), netcl.WithStrides(2, 2)))(t)
	equal(t, same.Shape(), []int{1, 1, 2, 2})
	near(t, same, nil, 8, 12, 20, 24)
	pooled, err := image.Pool(netcl.PoolingMax, netcl.WithWindow(3, 3))
	near(t, pooled, err, 8)
}

func TestOperatorsHaveNames(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := tensor(t, device, []float32{-1, 0, 4}, 3)
	defer x.Close()
	two := ok(netcl.Full(device, float32(2)))(t)
	defer two.Close()
	check := func(want ...float32) func(*netcl.Tensor, error) {
		return func(y *netcl.Tensor, err error) {
			t.Helper()
			near(t, y, err, want...)
		}
	}
	check(1, 0, 4)(x.Abs())
	check(1, 0, -4)(x.Neg())
	check(-1, 0, 1)(x.Sign())
	check(1, 0, 16)(x.Square())
	check(0, 0, 4)(x.Relu())
	check(float32(math.Exp(-1)), 1, float32(math.Exp(4)))(x.Exp())
	check(float32(math.Tanh(-1)), 0, float32(math.Tanh(4)))(x.Tanh())
	check(float32(math.Sin(-1)), 0, float32(math.Sin(4)))(x.Sin())
	check(1, 0, 16)(x.Pow(two))
	check(2, 2, 4)(x.Maximum(two))
	check(-1, 0, 2)(x.Minimum(two))
	check(-0.5, 0, 2)(x.Clip(-0.5, 2))
	check(1, 2, 6)(x.AddScalar(2))
	check(-1.5, -0.5, 3.5)(x.SubScalar(0.5))
	check(3, 0, -12)(x.MulScalar(-3))
	check(-0.25, 0, 1)(x.DivScalar(4))
	check(1, 0, 16)(x.PowScalar(2))
	check(3)(x.Sum())
	check(1)(x.Mean(0))
	check(4)(x.Max())
	check(-1)(x.Min())
	check(0)(x.Prod())
	larger := ok(x.Greater(two))(t)
	defer larger.Close()
	has(t, larger, false, false, true)
	check(2, 2, 4)(larger.Where(x, two))
	best := ok(x.Argmax(0))(t)
	has(t, best, int64(2))
	must(t, best.Close())
	some := ok(larger.Any())(t)
	has(t, some, true)
	must(t, some.Close())

	// A whole number leaves integers what they are.
	whole := tensor(t, device, []int32{7, 8}, 2)
	defer whole.Close()
	added := ok(whole.AddScalar(-2))(t)
	has(t, added, int32(5), int32(6))
	must(t, added.Close())
	half := ok(whole.MulScalar(0.5))(t)
	has(t, half, float32(3.5), float32(4))
	must(t, half.Close())
	check(1e20-1, 1e20, 1e20+4)(x.AddScalar(1e20))
	above, below := float32(math.Inf(1)), float32(math.Inf(-1))
	check(above, above, above)(x.AddScalar(math.Inf(1)))
	check(below, below, below)(x.AddScalar(math.Inf(-1)))
	unknown := ok(x.AddScalar(math.NaN()))(t)
	defer unknown.Close()
	isNaN := ok(unknown.IsNaN())(t)
	defer isNaN.Close()
	has(t, isNaN, true, true, true)
}

func TestLargeWholeNumbersLeaveIntegersIntegers(t *testing.T) {
	device := open(t)
	defer device.Close()
	signed := tensor(t, device, []int64{1, -2}, 2)
	defer signed.Close()
	for _, value := range []int64{1 << 53, 1e16, 1 << 62, -1 << 62} {
		sum := ok(signed.AddScalar(float64(value)))(t)
		has(t, sum, value+1, value-2)
		must(t, sum.Close())
	}
	least := ok(signed.MulScalar(math.MinInt64))(t)
	has(t, least, int64(math.MinInt64), int64(0))
	must(t, least.Close())
	unsigned := tensor(t, device, []uint64{1, 2}, 2)
	defer unsigned.Close()
	for _, value := range []uint64{1 << 53, 1 << 63, 1<<64 - 1<<11} {
		sum := ok(unsigned.AddScalar(float64(value)))(t)
		has(t, sum, value+1, value+2)
		must(t, sum.Close())
	}
	fails(t, failed(signed.AddScalar(1<<63)), netcl.ErrInvalidArgument,
		"the literal 9223372036854775808 does not fit i64")
}

func TestScopesCloseWhatWasMade(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := tensor(t, device, []float32{1, 2}, 2)
	defer x.Close()
	before := live(t)
	s := netcl.NewScope()
	y := s.Keep(x.Exp())
	values, indices := s.Keep2(y.Topk(1, 0))
	parts := s.KeepAll(netcl.Exprs([]string{"v0", "v0 + 1"}, x))
	if values == nil || indices == nil || len(parts) != 2 || !s.Check(nil) {
		t.Fatal(s.Err())
	}
	result, err := s.Give(parts[1].MulScalar(2))
	must(t, err)
	must(t, s.Close())
	closes(t, failed(y.Info()), "tensor")
	same(t, live(t), before+1)
	near(t, result, nil, 4, 6)

	// The first error stays, what follows does nothing, and the result of a failed chain is closed.
	y = s.Keep(x.Sum(5))
	again := s.Keep(y.Exp())
	fails(t, s.Err(), netcl.ErrInvalidArgument, "5")
	if y != nil || again != nil || s.Check(nil) {
		t.Fatal("there is a tensor of a failed call")
	}
	made, err := s.Give(x.Exp())
	fails(t, err, netcl.ErrInvalidArgument, "5")
	if made != nil {
		t.Fatal("there is a result of a failed chain")
	}
	fails(t, s.Close(), netcl.ErrInvalidArgument, "5")
	must(t, s.Close())
	same(t, live(t), before)
}

func live(t *testing.T) uint64 {
	t.Helper()
	return ok(netcl.LibraryLiveCount(netcl.HandleTensor))(t)
}

func TestNumbersThatDoNotFitAreRefused(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := counting(t, device, 2, 3)
	defer x.Close()
	fails(t, failed(x.Softmax(1<<32)), netcl.ErrInvalidArgument, "axis is 4294967296")
	fails(t, failed(x.Sum(0, -1<<40)), netcl.ErrInvalidArgument, "Axes is -1099511627776")
	fails(t, failed(x.Permute([]int{0, -1})), netcl.ErrInvalidArgument, "axes is -1")
	fails(t, failed(netcl.DeviceDescribe(-1)), netcl.ErrInvalidArgument, "index is -1")
	fails(t, failed(x.Conv2D(x, netcl.WithWinogradTile(-2))), netcl.ErrInvalidArgument,
		"WinogradTile is -2")
}

// A program without the library tells what to install. It is this test, run once more.
func TestAMissingLibraryIsAnError(t *testing.T) {
	if os.Getenv("NETCL_TEST_ABSENT") != "" {
		_, err := netcl.Open("auto")
		fails(t, err, netcl.ErrNotFound, "Install the package libnetcl0")
		if !strings.Contains(err.Error(), "/nowhere/libnetcl.so.0") ||
			!strings.Contains(err.Error(), "(ErrNotFound)") {
			t.Fatal(err)
		}
		same(t, netcl.VersionString(), "")
		same(t, netcl.GetVersionNumber(), 0)
		fails(t, failed(netcl.Devices()), netcl.ErrNotFound, "is not installed")
		return
	}
	program := exec.Command(os.Args[0], "-test.run=^TestAMissingLibraryIsAnError$", "-test.v")
	program.Env = append(os.Environ(), "NETCL_LIBRARY=/nowhere/libnetcl.so.0", "NETCL_TEST_ABSENT=1",
		"NETCL_CALLS_FILE=")
	said, _ := program.CombinedOutput()
	if !strings.Contains(string(said), "--- PASS: TestAMissingLibraryIsAnError") {
		t.Fatalf("%s", said)
	}
}

func TestAFileThatIsNotTheLibraryIsAnError(t *testing.T) {
	if os.Getenv("NETCL_TEST_FOREIGN") != "" {
		for try := 0; try < 2; try++ {
			fails(t, failed(netcl.Devices()), netcl.ErrNotFound,
				"NETCL_LIBRARY names a file that cannot be opened as netcl")
		}
		return
	}
	// Of the C library, which this program has loaded, and of text.
	for _, file := range []string{"libm.so.6", "/etc/passwd"} {
		program := exec.Command(os.Args[0], "-test.run=^TestAFileThatIsNotTheLibraryIsAnError$",
			"-test.v")
		program.Env = append(os.Environ(), "NETCL_LIBRARY="+file, "NETCL_TEST_FOREIGN=1",
			"NETCL_CALLS_FILE=")
		said, _ := program.CombinedOutput()
		if !strings.Contains(string(said), "--- PASS: TestAFileThatIsNotTheLibraryIsAnError") {
			t.Fatalf("%s: %s", file, said)
		}
	}
}

func TestOptionsOfTheEpilogueStandAlone(t *testing.T) {
	device := open(t)
	defer device.Close()
	s := netcl.NewScope()
	defer s.Close()
	x := s.Keep(netcl.FromSlice(device, []float32{1, 2}, 1, 2))
	w := s.Keep(netcl.FromSlice(device, []float32{1, -1, 1, -1}, 2, 2))
	b := s.Keep(netcl.FromSlice(device, []float32{0.5, 0.5}))
	relu := netcl.WithActivation(netcl.ActivationRelu)
	near(t, s.Keep(x.Matmul(w, netcl.WithBias(b), relu)), s.Err(), 3.5, 0)
	near(t, s.Keep(x.Matmul(w, netcl.WithBias(b), netcl.WithResidual(x))), s.Err(), 4.5, -0.5)
	// What is given as a whole is added to, and stays as it was.
	whole := &netcl.Epilogue{Bias: b}
	near(t, s.Keep(x.Matmul(w, netcl.WithEpilogue(whole), relu)), s.Err(), 3.5, 0)
	same(t, whole.Activation, netcl.Activation(0))
	image := s.Keep(netcl.Full(device, float32(1), 1, 1, 2, 2))
	filter := s.Keep(netcl.Full(device, float32(-1), 2, 1, 2, 2))
	bias := s.Keep(netcl.FromSlice(device, []float32{1, 6}))
	near(t, s.Keep(image.Conv2D(filter, relu, netcl.WithBias(bias))), s.Err(), 0, 2)
}

func TestErrorsSpeakGo(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := counting(t, device, 2, 3)
	defer x.Close()
	closed := ok(x.Retain())(t)
	must(t, closed.Close())
	says := func(err error, text string) {
		t.Helper()
		refused(t, err)
		if !strings.Contains(err.Error(), text) {
			t.Fatalf("%v; %q was expected", err, text)
		}
		for _, word := range []string{"->", "NULL", "NETCL_", "netcl_"} {
			if strings.Contains(err.Error(), word) {
				t.Fatalf("%v has %s", err, word)
			}
		}
	}
	says(failed(closed.Exp()), "is closed")
	says(failed(closed.Exp()), "Give")
	says(failed(x.Exp(netcl.WithInto(closed))), "run.Into is closed")
	says(failed(x.Exp(netcl.WithQueue(new(netcl.Queue)))), "run.Queue is closed, or was made by no")
	says(failed(x.Sum(2)), "options.Axes[0] is 2")
	says(failed(x.Permute([]int{0})), "len(axes) is 1; the tensor has rank 2")
	rows := ok(netcl.FromSlice(device, []int32{1}, 1, 1))(t)
	defer rows.Close()
	says(failed(netcl.OpGatherND(x, rows, 9, nil)), "batchDims is 9; ")
	says(failed(netcl.OpRotaryEmbedding(x, closed, x, nil, nil)), "cosCache is closed")
	flagged := &netcl.ElementwiseOptions{HasParameters: true}
	says(failed(netcl.OpElementwise(netcl.ElementwiseClip, []*netcl.Tensor{x, x, x}, flagged, nil)),
		"options.HasParameters is true and len(inputs) is 3")
	says(failed(netcl.OpExpressions([]string{"v0", "v0"}, []*netcl.Tensor{x},
		&netcl.ExpressionsOptions{Dtypes: []netcl.Dtype{netcl.F32}}, nil)),
		"len(options.Dtypes) is 1; it is 0 or len(texts), 2")
	says(failed(netcl.Expr("", x)), `text is ""`)
	says(failed((*netcl.Tensor)(nil).Exp()), "inputs[0] is nil")
	says(failed(netcl.NewKernelFromSource(device, "k", "")), `source is ""`)
	says(netcl.ReadSlice(background, x, make([]float32, 5)), "5 entries; the tensor has 6 elements")
	says(netcl.WriteSlice(background, x, make([]float32, 7)), "7 entries; the tensor has 6 elements")
	says(failed(x.Part(0, 5)), "bounds 0 to 5 of dimension 0 are not within 0 to 2")
	says(failed(x.Part(0, 2, -4, -1)), "bounds -4 to -1 of dimension 1")
	says(failed(x.Step(2, 1)), "axis is 2; the tensor has rank 2")
	says(failed(x.Step(0, 0)), "step is 0")
	says(failed(netcl.Arange(device, 0.5, 1.0, 0.0)), "from 0.5 to 1 by 0 is no range")
	// Text of the program's own stays as it is.
	_, err := netcl.Expr("run->into", x)
	fails(t, err, netcl.ErrInvalidArgument, "")
	kernel, err := netcl.NewKernelFromSource(device, "k",
		"__kernel void k(__global float *x, float a_scale) { x[0] = a_scale; }")
	if errors.Is(err, netcl.ErrUnsupported) {
		return
	}
	defer kernel.Close()
	launch := func(args ...netcl.Arg) error {
		return kernel.Launch([]uint64{1}, nil, args, nil, nil)
	}
	says(launch(netcl.ScalarArg(float32(1)), netcl.ScalarArg(float32(1))), "args[0] is a ScalarArg")
	says(launch(netcl.TensorArg(x), netcl.TensorArg(x)), "args[1] is a TensorArg")
	says(launch(netcl.TensorArg(x), netcl.ScalarArg(int32(1))), "pass args[1] with Reinterpret()")
	says(launch(netcl.TensorArg(x), netcl.ScalarArg(1.0)), "float a_scale of kernel k")
}

func TestTwoResultsOutliveTheirScope(t *testing.T) {
	device := open(t)
	defer device.Close()
	ends := func(x *netcl.Tensor) (low, high *netcl.Tensor, err error) {
		s := netcl.NewScope()
		defer s.Close()
		low, high = s.Keep(x.Min()), s.Keep(x.Max())
		return s.Give2(low, high)
	}
	x := counting(t, device, 2, 3)
	defer x.Close()
	low, high, err := ends(x)
	near(t, low, err, 0)
	near(t, high, err, 5)
	low, high, err = ends(nil)
	fails(t, err, netcl.ErrInvalidHandle, "")
	if low != nil || high != nil {
		t.Fatal(low, high)
	}
	s := netcl.NewScope()
	defer s.Close()
	kept := s.Keep(x.Min())
	must(t, x.Close())
	_, _, err = s.Give2(kept, x)
	fails(t, err, netcl.ErrInvalidHandle, "")
	fails(t, failed(netcl.ToSlice[float32](background, nil)), netcl.ErrInvalidHandle, "Scope")
}
