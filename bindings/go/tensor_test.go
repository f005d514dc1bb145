package netcl_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"netcl.example/netcl"
)

func goesAround[T netcl.Element](t *testing.T, device *netcl.Device, elements ...T) {
	t.Helper()
	x := tensor(t, device, elements)
	defer x.Close()
	has(t, x, elements...)
	same(t, x.Dtype(), netcl.DtypeOf[T]())
	full := ok(netcl.Full(device, elements[0], 3))(t)
	defer full.Close()
	has(t, full, elements[0], elements[0], elements[0])
	zeros := ok(netcl.Zeros(device, netcl.DtypeOf[T](), 2, 2))(t)
	defer zeros.Close()
	has(t, zeros, make([]T, 4)...)
	four := []T{elements[0], elements[0], elements[0], elements[0]}
	must(t, netcl.WriteSlice(background, zeros, four))
	into := make([]T, 4)
	must(t, netcl.ReadSlice(background, zeros, into))
	equal(t, into, four)
	pending := ok(netcl.ReadAsync[T](x))(t)
	equal(t, ok(pending.Wait(background))(t), elements)
	fails(t, failed(pending.Wait(background)), netcl.ErrInvalidArgument, "given")
	one := ok(x.Part(0, 1))(t)
	defer one.Close()
	same(t, ok(netcl.Item[T](background, one))(t), elements[0])
	same(t, netcl.ScalarOf(elements[0]).Dtype(), x.Dtype())
}

func TestEveryElementTypeGoesToTheDeviceAndBack(t *testing.T) {
	device := open(t)
	defer device.Close()
	goesAround(t, device, netcl.Float16From(1.5), 0x7bff, 1)
	goesAround(t, device, netcl.BFloat16From(-2), 0x7f7f)
	goesAround(t, device, 1.5, float32(math.Inf(1)), math.SmallestNonzeroFloat32)
	goesAround(t, device, 1e300, -1e-300)
	goesAround(t, device, int8(-128), 127)
	goesAround(t, device, int16(-32768), 32767)
	goesAround(t, device, int32(math.MinInt32), math.MaxInt32)
	goesAround(t, device, int64(math.MinInt64), math.MaxInt64, -1)
	goesAround(t, device, uint8(255), 0)
	goesAround(t, device, uint16(65535), 0)
	goesAround(t, device, uint32(math.MaxUint32), 0)
	goesAround(t, device, uint64(math.MaxUint64), 0)
	goesAround(t, device, true, false, true)
	for _, dtype := range netcl.DtypeValues {
		if dtype.Size() == 0 || dtype.Name() == "invalid" {
			t.Fatal(dtype)
		}
	}
}

func TestABoolIsTrueOrFalseWhateverTheMemoryHolds(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := ok(netcl.NewTensorFromHost(device, netcl.Bool, []int{4}, nil, []byte{0, 1, 2, 255},
		nil))(t)
	defer x.Close()
	for _, value := range values[bool](t, x)[1:] {
		// A bool that is neither 0 nor 1 would not be equal to itself written out.
		same(t, fmt.Sprint(value), "true")
		same(t, value, true)
	}
}

func TestLayoutsAreKept(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := ok(netcl.NewTensorFromHost(device, netcl.I32, []int{2, 3}, []int{1, 2},
		bytesOf(t, []int32{1, 4, 2, 5, 3, 6}), nil))(t)
	defer x.Close()
	has(t, x, int32(1), 2, 3, 4, 5, 6)
	info := ok(x.Info())(t)
	equal(t, info.Strides[:2], []int{1, 2})
	same(t, info.Contiguous, false)
	view := func(made *netcl.Tensor, err error) func(want ...int32) {
		return func(want ...int32) {
			t.Helper()
			must(t, err)
			has(t, made, want...)
			must(t, made.Close())
		}
	}
	view(x.T())(1, 4, 2, 5, 3, 6)
	view(x.Permute([]int{1, 0}))(1, 4, 2, 5, 3, 6)
	view(x.Part(0, 2, 1, 3))(2, 3, 5, 6)
	view(x.Part(1, 2))(4, 5, 6)
	view(x.Part(-1, netcl.End, 0, -1))(4, 5)
	view(x.Step(1, 2))(1, 3, 4, 6)
	view(x.Step(-1, -2))(3, 1, 6, 4)
	view(x.Step(0, -1))(4, 5, 6, 1, 2, 3)
	view(x.Step(0, math.MinInt))(4, 5, 6)
	view(x.Slice([]netcl.Range{{Start: 1, Extent: 2, Step: -1}, {Extent: 2, Step: 2}}))(4, 6, 1, 3)
	view(x.Reshape([]int{3, -1}, nil))(1, 2, 3, 4, 5, 6)
	view(x.View([]int{3}, []int{2}, 1))(4, 5, 6)
	row := tensor(t, device, []int32{7, 8}, 2)
	defer row.Close()
	view(row.Broadcast([]int{2, 2}))(7, 8, 7, 8)
	view(row.View(nil, nil, 1))(8)
	parts := ok(x.Split(1, []int{1, 0, 2}))(t)
	has(t, parts[0], int32(1), 4)
	has[int32](t, parts[1])
	has(t, parts[2], int32(2), 3, 5, 6)
	for _, part := range parts {
		must(t, part.Close())
	}
	refused(t, failed(x.Split(1, []int{1})))
	equal(t, x.Shape(), []int{2, 3})
	buffer := ok(x.Buffer())(t)
	defer buffer.Close()
	same(t, ok(buffer.Info())(t).Bytes, 24)
	own := ok(x.Device())(t)
	defer own.Close()
	same(t, own.String(), device.String())
}

func TestRandomNumbersDependOnTheSeedAlone(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := ok(netcl.Random(device, netcl.F32, 7, 1000))(t)
	defer x.Close()
	y := ok(netcl.Random(device, netcl.F32, 7, 10, 100))(t)
	defer y.Close()
	equal(t, values[float32](t, x), values[float32](t, y))
	options := &netcl.RandomOptions{Seed: 7, Distribution: netcl.DistributionNormal, Mean: 10, Deviation: 0.5}
	z := ok(netcl.NewTensorRandom(device, netcl.F64, []int{4000}, nil, options, nil))(t)
	defer z.Close()
	mean := 0.0
	for _, value := range values[float64](t, z) {
		mean += value / 4000
	}
	if math.Abs(mean-10) > 0.05 {
		t.Fatal(mean)
	}
}

func TestAllWaysToMakeATensorTakeOptions(t *testing.T) {
	device := open(t)
	defer device.Close()
	queue := ok(device.Queue())(t)
	defer queue.Close()
	options := &netcl.TensorOptions{Queue: queue}
	x := ok(netcl.NewTensor(device, netcl.F32, []int{2}, []int{3}, options))(t)
	defer x.Close()
	same(t, ok(x.Info())(t).Strides[0], 3)
	y := ok(netcl.NewTensorFull(device, netcl.I16, []int{2}, nil, netcl.ScalarOf(int16(3)),
		options))(t)
	defer y.Close()
	has(t, y, int16(3), 3)
	_, err := netcl.NewTensorFull(device, netcl.I16, nil, nil, netcl.ScalarOf(int32(3)), nil)
	fails(t, err, netcl.ErrInvalidArgument, "value is of dtype i32; i16")
	_, err = netcl.NewTensorFull(device, netcl.I16, nil, nil, netcl.Scalar{}, nil)
	refused(t, err)

	var there *netcl.Event
	options = &netcl.TensorOptions{Event: &there, AsyncCopy: netcl.On, UsePinned: netcl.Off}
	z := ok(netcl.NewTensorFromHost(device, netcl.F32, []int{3}, nil,
		bytesOf(t, []float32{1, 2, 3}), options))(t)
	defer z.Close()
	must(t, there.Wait(background))
	must(t, there.Close())
	has(t, z, float32(1), 2, 3)
}

func TestTransfersTakeOptions(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := ok(netcl.Zeros(device, netcl.I32, 4))(t)
	defer x.Close()
	queue := ok(device.Queue())(t)
	defer queue.Close()
	start := ok(queue.EnqueueMarker(nil))(t)
	defer start.Close()
	var done *netcl.Event
	options := &netcl.TransferOptions{Event: &done, Waits: []*netcl.Event{start}}
	must(t, x.Write(background, bytesOf(t, []int32{5, 6, 7, 8}), options))
	must(t, done.Wait(background))
	must(t, done.Close())
	must(t, x.Wait(background))
	data := make([]byte, 16)
	must(t, x.Read(background, data, nil))
	equal(t, data[4:8], []byte{6, 0, 0, 0})
	fails(t, x.Read(background, data[:15], nil), netcl.ErrInvalidArgument, "15")
	fails(t, x.Write(background, data[:4], nil), netcl.ErrInvalidArgument, "4")
}

func TestMemoryOfGoIsNotKept(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := ok(netcl.Zeros(device, netcl.U8, 4))(t)
	defer x.Close()
	var done *netcl.Event
	own := make([]byte, 4)
	fails(t, x.Read(background, own, &netcl.TransferOptions{Event: &done}),
		netcl.ErrInvalidArgument, "NewHostMemory")
	fails(t, x.Write(background, own, &netcl.TransferOptions{Borrow: true}),
		netcl.ErrInvalidArgument, "NewHostMemory")
	_, err := netcl.NewTensorFromHost(device, netcl.U8, []int{4}, nil, own,
		&netcl.TensorOptions{Borrow: true})
	fails(t, err, netcl.ErrInvalidArgument, "NewHostMemory")

	memory := ok(netcl.NewHostMemory(4))(t)
	copy(memory.Bytes(), []byte{9, 8, 7, 6})
	lent := ok(netcl.NewTensorFromHost(device, netcl.U8, []int{4}, nil, memory.Bytes(),
		&netcl.TensorOptions{Borrow: true}))(t)
	has(t, lent, byte(9), 8, 7, 6)
	must(t, lent.Read(background, memory.Bytes(), &netcl.TransferOptions{Event: &done}))
	must(t, done.Wait(background))
	must(t, done.Close())
	must(t, lent.Close())
	must(t, device.Finish(background))
	must(t, memory.Close())
	must(t, memory.Close())
	same(t, memory.Bytes() == nil && memory.Pointer() == nil, true)
	refused(t, failed(netcl.NewHostMemory(-1)))
	empty := ok(netcl.NewHostMemory(0))(t)
	same(t, len(empty.Bytes()), 0)
	must(t, empty.Close())
}

func TestAPendingReadMayBeGivenUpOrForgotten(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := ok(netcl.Random(device, netcl.F32, 3, 1<<18))(t)
	defer x.Close()
	given := ok(netcl.ReadAsync[float32](x))(t)
	must(t, given.Close())
	must(t, given.Close())
	refused(t, failed(given.Wait(background)))
	var none *netcl.Pending[float32]
	must(t, none.Close())
	fails(t, failed(none.Wait(background)), netcl.ErrInvalidHandle, "nil")
	ok(netcl.ReadAsync[float32](x))(t)
	fails(t, failed(netcl.ReadAsync[int32](x)), netcl.ErrInvalidArgument, "dtype")
}

func TestNPYFilesHoldTensors(t *testing.T) {
	device := open(t)
	defer device.Close()
	numbers := fresh(t, 24)
	x := tensor(t, device, numbers, 2, 3, 4)
	defer x.Close()
	path := filepath.Join(t.TempDir(), "x\xff.npy") // no UTF-8, as the system allows
	must(t, x.SaveNPY(background, path))
	loaded := ok(netcl.LoadTensorNPY(device, path, nil))(t)
	defer loaded.Close()
	has(t, loaded, numbers...)
	data := ok(os.ReadFile(path))(t)
	parsed := ok(netcl.NewTensorFromNPY(device, data, nil))(t)
	defer parsed.Close()
	equal(t, parsed.Shape(), []int{2, 3, 4})
	fails(t, failed(netcl.NewTensorFromNPY(device, data[:20], nil)), netcl.ErrCorruptData, "")
	refused(t, failed(netcl.NewTensorFromNPY(device, nil, nil)))
	must(t, os.Remove(path))
	fails(t, failed(netcl.LoadTensorNPY(device, path, nil)), netcl.ErrIO, "")
}

func TestDLPackAndOpenCLMemoryAreTakenAndGiven(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := tensor(t, device, []int32{1, 2, 3, 4}, 2, 2)
	managed := ok(x.ToDLPack(background))(t)
	y := ok(netcl.NewTensorFromDLPack(device, managed, nil))(t)
	defer y.Close()
	must(t, x.Close())
	has(t, y, int32(1), 2, 3, 4)
	refused(t, failed(netcl.NewTensorFromDLPack(device, nil, nil)))

	_, err := netcl.NewTensorFromCL(device, nil, 0, netcl.I32, []int{3}, nil, nil)
	refused(t, err)
	if isOpenCL(t, device) {
		z := tensor(t, device, []int32{5, 6, 7, 8})
		defer z.Close()
		buffer := ok(z.Buffer())(t)
		defer buffer.Close()
		mem := ok(buffer.CLMem())(t)
		part := ok(netcl.NewTensorFromCL(device, mem, 4, netcl.I32, []int{3}, nil, nil))(t)
		defer part.Close()
		has(t, part, int32(6), 7, 8)
	}
}

func TestTensorsSayWhatTheyHold(t *testing.T) {
	device := open(t)
	defer device.Close()
	show := func(x *netcl.Tensor, format, want string) {
		t.Helper()
		same(t, fmt.Sprintf(format, x), want)
		must(t, x.Close())
	}
	x := tensor(t, device, []float32{1.5, -2, 0.25, 4}, 2, 2)
	same(t, x.String(), "[[1.5, -2],\n [0.25, 4]]")
	show(x, "%.1f", "[[1.5, -2.0],\n [0.2, 4.0]]")
	numbers := make([]int32, 100)
	for i := range numbers {
		numbers[i] = int32(i)
	}
	show(tensor(t, device, numbers), "%v", "[0, 1, 2, ..., 97, 98, 99]")
	show(tensor(t, device, numbers[:20], 10, 2), "%v", "[[0, 1],\n [2, 3],\n [4, 5],\n ...,\n "+
		"[14, 15],\n [16, 17],\n [18, 19]]")
	show(tensor(t, device, numbers[:4], 2, 1, 2), "%v", "[[[0, 1]],\n [[2, 3]]]")
	show(tensor(t, device, []bool{true}, 1), "%v", "[true]")
	show(ok(netcl.Full(device, math.Inf(-1)))(t), "%v", "-inf")
	show(ok(netcl.Zeros(device, netcl.U8, 0))(t), "%v", "[]")
	for _, dtype := range netcl.DtypeValues {
		want := "[0, 0]"
		if dtype == netcl.Bool {
			want = "[false, false]"
		}
		show(ok(netcl.Zeros(device, dtype, 2))(t), "%v", want)
	}
}

func TestFillAndCastKeepToTheirDtype(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := tensor(t, device, []float32{1.9, -1.9, 300})
	defer x.Close()
	whole := ok(x.Cast(netcl.U8))(t)
	defer whole.Close()
	has(t, whole, byte(1), 0, 255)
	must(t, x.Fill(netcl.ScalarOf(float32(2.5))))
	has(t, x, float32(2.5), 2.5, 2.5)
	fails(t, x.Fill(netcl.ScalarOf(2.5)), netcl.ErrInvalidArgument, "value is of dtype f64; f32")
	same2 := ok(x.Contiguous())(t)
	defer same2.Close()
	has(t, same2, float32(2.5), 2.5, 2.5)
}

func TestHalvesRoundToTheNearestAndThenToEven(t *testing.T) {
	for bits := 0; bits <= math.MaxUint16; bits++ {
		value := netcl.Float16(bits).Float32()
		back := netcl.Float16From(value)
		if value != value {
			if wide := back.Float32(); wide == wide {
				t.Fatalf("%#x", bits)
			}
		} else if int(back) != bits {
			t.Fatalf("%#x becomes %#x", bits, back)
		}
	}
	for value, want := range map[float32]netcl.Float16{
		65504: 0x7bff, 65519.996: 0x7bff, 65520: 0x7c00, 1 + 1.0/2048: 0x3c00,
		1 + 3.0/2048: 0x3c02, 1.0 / (1 << 25): 0, 3.0 / (1 << 25): 2,
	} {
		same(t, netcl.Float16From(value), want)
	}
	same(t, netcl.BFloat16From(math.Float32frombits(0x3f808000)), 0x3f80)
	same(t, netcl.BFloat16From(math.Float32frombits(0x3f818000)), 0x3f82)
	same(t, netcl.BFloat16From(-2.5).String(), "-2.5")
	same(t, netcl.Float16From(0.5).String(), "0.5")
	if nan := netcl.BFloat16From(float32(math.NaN())).Float32(); nan == nan {
		t.Fatal(nan)
	}
}
