package netcl_test

import (
	"strings"
	"testing"

	"netcl.example/netcl"
)

const scaleSource = `
typedef struct { float add; int twice; int unused[20]; } Extra;
__kernel void scale(__global const float *x, __global float *y, float a, uint n,
                    __local float *scratch, __global const float *maybe, Extra extra) {
  size_t i = get_global_id(0);
  scratch[get_local_id(0)] = a;
  if (i < n) {
    float v = scratch[get_local_id(0)] * x[i] + extra.add + (maybe ? maybe[i] : 0.0f);
    y[i] = extra.twice ? 2.0f * v : v;
  }
}`

type extra struct {
	Add    float32
	Twice  int32
	Unused [20]int32
}

func TestAKernelGetsArgumentsOfEveryKind(t *testing.T) {
	device := open(t)
	defer device.Close()
	options := &netcl.KernelOptions{Source: scaleSource, LocalSize: [3]uint64{16},
		Flags: []string{"-cl-mad-enable", "-DUNUSED=1"}}
	if !isOpenCL(t, device) {
		fails(t, failed(netcl.NewKernel(device, "scale", options)), netcl.ErrUnsupported, "")
		refused(t, failed(netcl.NewKernel(device, "scale", nil)))
		return
	}
	kernel := ok(netcl.NewKernel(device, "scale", options))(t)
	defer kernel.Close()
	must(t, kernel.Build())
	info := ok(kernel.Info())(t)
	if info.ArgsCount != 7 || info.Name != "scale" {
		t.Fatalf("%+v", info)
	}
	same(t, ok(kernel.ArgInfo(0))(t).IsConst, true)
	same(t, strings.Contains(ok(kernel.Source())(t), "scratch"), true)
	ok(kernel.BuildLog())(t)
	numbers := fresh(t, 100)
	x := tensor(t, device, numbers)
	defer x.Close()
	y := ok(netcl.Zeros(device, netcl.F32, 100))(t)
	defer y.Close()
	args := []netcl.Arg{netcl.ReadOnlyArg(x), netcl.TensorArg(y), netcl.ScalarArg(float32(2)),
		netcl.ScalarArg(uint32(100)), netcl.LocalArg(64), netcl.NullArg(),
		netcl.DataArg(bytesOf(t, extra{Add: 1, Twice: 1}))}
	var done *netcl.Event
	must(t, kernel.Launch([]uint64{100}, []uint64{16}, args, &netcl.LaunchOptions{RoundUp: true},
		&netcl.RunOptions{Event: &done}))
	must(t, done.Wait(background))
	must(t, done.Close())
	for i, value := range values[float32](t, y) {
		if abs(value-2*(2*numbers[i]+1)) > 1e-5 {
			t.Fatal(i, value, numbers[i])
		}
	}

	explained := ok(kernel.ExplainLaunch([]uint64{100}, []uint64{16}, args,
		&netcl.LaunchOptions{RoundUp: true}))(t)
	same(t, explained.Global, [3]uint64{112, 1, 1})
	same(t, explained.Local, [3]uint64{16, 1, 1})
	same(t, explained.Match, netcl.MatchNone)

	must(t, kernel.Register())
	found := ok(netcl.FindKernel(device, "scale", 0))(t)
	same(t, ok(found.Info())(t).Name, "scale")
	must(t, found.Close())
	must(t, netcl.KernelLaunchByName(device, "scale", 0, []uint64{112}, nil, args, nil, nil))
	for _, wrong := range []error{
		kernel.Launch([]uint64{100}, []uint64{7}, args, nil, nil),
		kernel.Launch(nil, nil, args, nil, nil),
		kernel.Launch([]uint64{4}, nil, args[1:], nil, nil),
		kernel.Launch([]uint64{4}, nil, nil, nil, nil),
		kernel.Launch([]uint64{4}, nil, make([]netcl.Arg, 7), nil, nil),
		kernel.Launch([]uint64{4}, nil, make([]netcl.Arg, 10000), nil, nil),
	} {
		fails(t, wrong, netcl.ErrInvalidArgument, "")
	}
	args[0] = netcl.TensorArg(nil)
	refused(t, kernel.Launch([]uint64{112}, nil, args, nil, nil))
	must(t, netcl.KernelUnregister(device, "scale", 0))
	fails(t, failed(netcl.FindKernel(device, "scale", 0)), netcl.ErrNotFound, "")
	must(t, device.Finish(background))
}

func TestBinariesAndPartsMakeKernelsToo(t *testing.T) {
	device := open(t)
	defer device.Close()
	if !isOpenCL(t, device) {
		refused(t, failed(netcl.NewKernelElementwise(device, "f", 1, "v0", netcl.F32)))
		return
	}
	kernel := ok(netcl.NewKernel(device, "twice", &netcl.KernelOptions{
		Params:   []string{"__global int *x", "int a"},
		Preamble: "#define TWICE(v) ((v) * 2)",
		Body:     "x[get_global_id(0)] = TWICE(a);",
	}))(t)
	defer kernel.Close()
	x := ok(netcl.Zeros(device, netcl.I32, 4))(t)
	defer x.Close()
	args := []netcl.Arg{netcl.TensorArg(x), netcl.ScalarArg(int32(21))}
	must(t, kernel.Launch([]uint64{4}, nil, args, nil, nil))
	has(t, x, int32(42), 42, 42, 42)

	binary := ok(kernel.Binary())(t)
	again := ok(netcl.NewKernel(device, "twice", &netcl.KernelOptions{Binary: binary}))(t)
	defer again.Close()
	args[1] = netcl.ScalarArg(int32(1))
	must(t, again.Launch([]uint64{4}, nil, args, nil, nil))
	has(t, x, int32(2), 2, 2, 2)
	fails(t, failed(again.Source()), netcl.ErrNotFound, "")
	for _, broken := range []*netcl.KernelOptions{{Binary: binary[:40]}, {IL: []byte{1, 2, 3}}} {
		kernel, err := netcl.NewKernel(device, "twice", broken)
		if err == nil {
			err = kernel.Build()
		}
		refused(t, err)
		must(t, kernel.Close())
	}
	made := ok(netcl.NewKernelElementwise(device, "f", 2, "v0 * v1 + 1", netcl.F32))(t)
	defer made.Close()
	same(t, ok(made.Info())(t).ArgsCount, 4)
}

func TestAWrongKernelShowsItsLog(t *testing.T) {
	device := open(t)
	defer device.Close()
	if !isOpenCL(t, device) {
		return
	}
	wrong := &netcl.KernelOptions{Source: "__kernel void k( {}"}
	kernel := ok(netcl.NewKernel(device, "k", wrong))(t)
	defer kernel.Close()
	fails(t, kernel.Build(), netcl.ErrBuildFailure, "")
	same(t, ok(kernel.BuildLog())(t) != "", true)
	long := "__kernel void k(__global int *x) { " + strings.Repeat("x[0] = 1; ", 2000) + "}"
	other := ok(netcl.NewKernel(device, "k", &netcl.KernelOptions{Source: long}))(t)
	defer other.Close()
	same(t, strings.Contains(ok(other.Source())(t), long), true)
}

func TestTheProgramCacheCountsAndIsEmptied(t *testing.T) {
	must(t, netcl.ProgramCacheClear(false))
	same(t, ok(netcl.GetProgramCacheInfo())(t).ProgramsInMemory, 0)
}

func TestSignaturesDependOnShapes(t *testing.T) {
	device := open(t)
	defer device.Close()
	a, b := counting(t, device, 2, 3), counting(t, device, 3, 2)
	defer a.Close()
	defer b.Close()
	one := ok(netcl.KernelShapeSignature([]*netcl.Tensor{a, b}, []*netcl.Tensor{a}))(t)
	two := ok(netcl.KernelShapeSignature([]*netcl.Tensor{b, a}, []*netcl.Tensor{a}))(t)
	if one == 0 || one == two {
		t.Fatal(one, two)
	}
}

func TestExpressionsBroadcastAndFuse(t *testing.T) {
	device := open(t)
	defer device.Close()
	expression := ok(netcl.NewExpression("relu(v0 + v1) * 0.5"))(t)
	defer expression.Close()
	same(t, ok(expression.Arity())(t), 2)
	text := ok(expression.Text())(t)
	again := ok(netcl.NewExpression(text))(t)
	defer again.Close()
	same(t, ok(again.Text())(t), text)
	x := tensor(t, device, []float32{1, -2, 3, 4}, 2, 2)
	defer x.Close()
	y := tensor(t, device, []float32{1, -3})
	defer y.Close()
	both := []*netcl.Tensor{x, y}
	z, err := netcl.Expr("relu(v0 + v1) * 0.5", x, y)
	near(t, z, err, 1, 0, 2, 0.5)
	if ok(device.Capabilities())(t).FP64 {
		options := &netcl.ExpressionOptions{Dtype: netcl.F64}
		wide := ok(netcl.OpExpression(expression, both, options, nil))(t)
		has[float64](t, wide, 1, 0, 2, 0.5)
		must(t, wide.Close())
	}
	into := ok(netcl.Zeros(device, netcl.F32, 2, 2))(t)
	defer into.Close()
	run := &netcl.RunOptions{Into: into}
	must(t, ok(netcl.OpExpressionText("v0 * 2", []*netcl.Tensor{x}, nil, run))(t).Close())
	has(t, into, float32(2), -4, 6, 8)
	fails(t, failed(netcl.Expr("v0 + v7", x)), netcl.ErrInvalidArgument, "")
	refused(t, failed(netcl.Expr("v0", make([]*netcl.Tensor, 65)...)))
	refused(t, failed(netcl.Expr("1")))
	several := ok(netcl.Exprs([]string{"v0 + v1", "v0 > v1"}, x, y))(t)
	same(t, len(several), 2)
	has(t, several[0], float32(2), -5, 4, 1)
	has(t, several[1], false, true, true, true)
	for _, one := range several {
		must(t, one.Close())
	}
	other := ok(netcl.Zeros(device, netcl.I32, 2, 2))(t)
	defer other.Close()
	several = ok(netcl.OpExpressions([]string{"v0 * 3", "v0 - 1"}, []*netcl.Tensor{x},
		&netcl.ExpressionsOptions{ResultsInto: []*netcl.Tensor{into, other}}, nil))(t)
	for _, one := range several {
		must(t, one.Close())
	}
	has(t, into, float32(3), -6, 9, 12)
	has(t, other, int32(0), -3, 2, 3)
	fails(t, failed(netcl.Exprs([]string{"v0", "v0 + * 2"}, x)), netcl.ErrInvalidArgument,
		"texts[1]: ")
	refused(t, failed(netcl.Exprs(nil, x)))

	for _, row := range []struct {
		op   func(*netcl.Tensor, ...netcl.RunOption) (*netcl.Tensor, error)
		want []float32
	}{
		{x.Add, []float32{2, -5, 4, 1}}, {x.Sub, []float32{0, 1, 2, 7}},
		{x.Mul, []float32{1, 6, 3, -12}}, {x.Div, []float32{1, 2.0 / 3, 3, -4.0 / 3}},
	} {
		made, err := row.op(y)
		near(t, made, err, row.want...)
	}
}

const turnedSource = `
__kernel void turned(__global const float *x, __global float *y, float factor) {
  size_t i = get_global_id(0);
  y[i] = factor * x[i];
}
__kernel void back(__global const float *x, __global const float *grad,
                   __global const float *out, __global float *dx, float factor) {
  size_t i = get_global_id(0);
  dx[i] = factor * grad[i] + out[i];
}`

func TestKernelsMakePrimitives(t *testing.T) {
	device := open(t)
	defer device.Close()
	options := &netcl.PrimitiveOptions{Arity: 1, Attributes: []string{"factor"},
		Defaults: []float64{3}}
	refused(t, netcl.PrimitiveRegisterKernels("go_kernels", &netcl.PrimitiveKernels{}, options))
	if !isOpenCL(t, device) {
		return
	}
	source := &netcl.KernelOptions{Source: turnedSource}
	forward := ok(netcl.NewKernel(device, "turned", source))(t)
	defer forward.Close()
	back := ok(netcl.NewKernel(device, "back", source))(t)
	defer back.Close()
	must(t, netcl.PrimitiveRegisterKernels("go_kernels", &netcl.PrimitiveKernels{Forward: forward,
		Backward: []*netcl.Kernel{back}}, options))
	x := tensor(t, device, []float32{1, 2, 4})
	defer x.Close()
	y, err := netcl.OpPrimitive("go_kernels", []*netcl.Tensor{x}, nil, nil)
	must(t, err)
	defer y.Close()
	has(t, y, float32(3), 6, 12)
	dx, err := netcl.OpPrimitiveGradient("go_kernels", []*netcl.Tensor{x}, 0, x, y, nil, nil)
	near(t, dx, err, 6, 12, 24)
	must(t, netcl.PrimitiveUnregister("go_kernels"))
}
