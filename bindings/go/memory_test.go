package netcl_test

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"unsafe"

	"netcl.example/netcl"
)

func TestAPoolGivesMemoryAgain(t *testing.T) {
	device := open(t)
	defer device.Close()
	pool := ok(netcl.NewPool(device, &netcl.PoolOptions{Kind: netcl.PoolPowerOfTwo}))(t)
	defer pool.Close()
	must(t, ok(pool.Allocate(3000))(t).Close())
	lease := ok(pool.Allocate(4000))(t)
	info := ok(pool.Info())(t)
	if info.Kind != netcl.PoolPowerOfTwo || info.Hits != 1 || info.Misses != 1 ||
		info.HitRate != 0.5 || info.BytesInUse != 4096 {
		t.Fatalf("%+v", info)
	}
	same(t, ok(lease.Info())(t).Bytes, 4000)
	buckets := ok(pool.Buckets())(t)
	same(t, len(buckets), info.BucketsCount)
	same(t, buckets[0], netcl.PoolBucket{Bytes: 4096, InUse: 1, Hits: 1, Misses: 1})
	must(t, lease.Close())
	must(t, pool.Trim(0))
	same(t, ok(pool.Info())(t).BytesAllocated, 0)
	plain := ok(netcl.NewPool(device, nil))(t)
	defer plain.Close()
	same(t, len(ok(plain.Buckets())(t)), 0)
}

func TestACappedPoolSaysNo(t *testing.T) {
	device := open(t)
	defer device.Close()
	pool := ok(netcl.NewPool(device, &netcl.PoolOptions{MaxBytes: 4096}))(t)
	defer pool.Close()
	fails(t, failed(pool.Allocate(1<<20)), netcl.ErrOutOfDeviceMemory, "")
	refused(t, failed(pool.Allocate(^uint64(0))))
	must(t, ok(pool.Allocate(1024))(t).Close())
}

func TestTensorsLieWhereTheyAreTold(t *testing.T) {
	device := open(t)
	defer device.Close()
	pool := ok(netcl.NewPool(device, nil))(t)
	defer pool.Close()
	options := &netcl.TensorOptions{Pool: pool}
	x := ok(netcl.NewTensorZeros(device, netcl.F64, []int{10, 10}, nil, options))(t)
	defer x.Close()
	same(t, ok(x.Info())(t).Pooled, true)
	if used := ok(pool.Info())(t).BytesInUse; used < 800 {
		t.Fatal(used)
	}
	lease := ok(pool.Allocate(4096))(t)
	defer lease.Close()
	part := ok(netcl.NewTensorFromBuffer(lease, 64, netcl.I32, []int{4}, []int{2}))(t)
	defer part.Close()
	must(t, netcl.WriteSlice(background, part, []int32{1, 2, 3, 4}))
	has(t, part, int32(1), 2, 3, 4)
}

func TestTheDeviceWorksOnMemoryOfTheHost(t *testing.T) {
	device := open(t)
	defer device.Close()
	pinned := ok(netcl.NewBufferPinned(device, 4096))(t)
	defer pinned.Close()
	if info := ok(pinned.Info())(t); !info.Pinned || info.HostPointer == nil {
		t.Fatalf("%+v", info)
	}
	memory := ok(netcl.NewHostMemory(4096))(t)
	memory.Bytes()[17] = 7
	lent := ok(netcl.NewBufferZeroCopy(device, memory.Pointer(), 4096))(t)
	same(t, ok(lent.Info())(t).ZeroCopy, true)
	x := ok(netcl.NewTensorFromBuffer(lent, 0, netcl.U8, []int{4096}, nil))(t)
	same(t, values[byte](t, x)[17], 7)
	if isOpenCL(t, device) {
		same(t, ok(lent.CLMem())(t) != nil, true)
	} else {
		fails(t, failed(lent.CLMem()), netcl.ErrUnsupported, "")
	}
	must(t, device.Finish(background))
	must(t, lent.Close())
	must(t, x.Close())
	must(t, device.Finish(background))
	unaligned := unsafe.Pointer(&memory.Bytes()[3])
	refused(t, failed(netcl.NewBufferZeroCopy(device, unaligned, 64)))
	must(t, memory.Close())
}

func TestMemoryIsSharedByItsDescriptor(t *testing.T) {
	device := open(t)
	defer device.Close()
	options := &netcl.TensorOptions{Share: true}
	x := ok(netcl.NewTensorZeros(device, netcl.U8, []int{4}, nil, options))(t)
	defer x.Close()
	must(t, netcl.WriteSlice(background, x, []byte{1, 2, 3, 4}))
	must(t, device.Finish(background))
	buffer := ok(x.Buffer())(t)
	defer buffer.Close()
	same(t, ok(buffer.Info())(t).Exportable, true)
	memory := ok(buffer.Export())(t)
	same(t, memory.Kind, netcl.ShareFile)
	file := os.NewFile(uintptr(memory.Descriptor), "memory")
	defer file.Close()
	shown := make([]byte, memory.Bytes)
	same(t, ok(file.ReadAt(shown, int64(memory.OffsetBytes)))(t), 4)
	equal(t, shown, []byte{1, 2, 3, 4})
	again := ok(netcl.ImportBuffer(device, &memory))(t)
	defer again.Close()
	y := ok(netcl.NewTensorFromBuffer(again, 0, netcl.U8, []int{4}, nil))(t)
	defer y.Close()
	must(t, netcl.WriteSlice(background, y, []byte{5, 6, 7, 8}))
	has(t, x, byte(5), 6, 7, 8)
	memory.OffsetBytes = 1 << 63
	fails(t, failed(netcl.ImportBuffer(device, &memory)), netcl.ErrInvalidArgument, "memory.OffsetBytes")
	fails(t, failed(buffer.CudaAddress()), netcl.ErrUnsupported, "CUDA")
}

// What is made with Borrow works on the memory; that is there as long as something does.
func TestATensorKeepsTheMemoryThatItBorrowed(t *testing.T) {
	device := open(t)
	defer device.Close()
	memory := ok(netcl.NewHostMemory(1 << 14))(t)
	early := memory.Bytes()
	for i := range early {
		early[i] = 1
	}
	var done *netcl.Event
	options := &netcl.TensorOptions{Borrow: true, Event: &done}
	x := ok(netcl.NewTensorFromHost(device, netcl.U8, []int{1 << 14}, nil, early, options))(t)
	must(t, memory.Close())
	view := ok(x.Reshape([]int{128, 128}, nil))(t)
	must(t, x.Close())
	// Whoever asks for memory now would get what was freed.
	for round := 0; round < 8; round++ {
		runtime.GC()
		other := ok(netcl.NewHostMemory(1 << 14))(t)
		for i, all := 0, other.Bytes(); i < len(all); i++ {
			all[i] = 0x42
		}
		defer other.Close()
	}
	for i, value := range values[byte](t, view) {
		if value != 1 {
			t.Fatalf("element %d is %d", i, value)
		}
	}
	// A slice from before Close is as good as any.
	for i := range early {
		if early[i] != 1 {
			t.Fatalf("byte %d is %d", i, early[i])
		}
	}
	must(t, view.Close())
	must(t, done.Close())
}

// liveTensors counts them; what other tests left goes first.
func liveTensors(t *testing.T) uint64 {
	t.Helper()
	return ok(netcl.LibraryLiveCount(netcl.HandleTensor))(t)
}

// The collector does not see the memory of a device, and is called by how much of it is held.
func TestForgottenTensorsAreCollectedByTheirBytes(t *testing.T) {
	device := open(t)
	defer device.Close()
	before := debug.SetGCPercent(-1) // no collection for any other reason
	defer debug.SetGCPercent(before)
	first, most := liveTensors(t), uint64(0)
	for i := 0; i < 300; i++ {
		_ = ok(netcl.Zeros(device, netcl.F32, 1<<20))(t)
		if live := liveTensors(t); live > most {
			most = live
		}
	}
	if most > first+64 {
		t.Fatalf("%d tensors of 4 MiB were alive at once", most-first)
	}
	// Closed ones need no collection.
	var statistics runtime.MemStats
	runtime.ReadMemStats(&statistics)
	collections := statistics.NumGC
	for i := 0; i < 100; i++ {
		must(t, ok(netcl.Zeros(device, netcl.F32, 1<<20))(t).Close())
	}
	runtime.ReadMemStats(&statistics)
	if statistics.NumGC > collections+1 {
		t.Fatalf("%d collections for closed tensors", statistics.NumGC-collections)
	}
}

// A call that fails for want of memory is made once more without what was forgotten.
func TestWantOfMemoryCollectsWhatIsForgotten(t *testing.T) {
	device := open(t)
	defer device.Close()
	pool := ok(netcl.NewPool(device, &netcl.PoolOptions{MaxBytes: 4 << 20}))(t)
	defer pool.Close()
	options := &netcl.TensorOptions{Pool: pool}
	shape := []int{1 << 18}
	for i := 0; i < 12; i++ {
		_ = ok(netcl.NewTensorZeros(device, netcl.F32, shape, nil, options))(t)
	}
	// What is held is not taken away.
	var held []*netcl.Tensor
	var err error
	for i := 0; i < 5 && err == nil; i++ {
		var x *netcl.Tensor
		if x, err = netcl.NewTensorZeros(device, netcl.F32, shape, nil, options); err == nil {
			held = append(held, x)
		}
	}
	fails(t, err, netcl.ErrOutOfDeviceMemory, "")
	for _, x := range held {
		has(t, ok(x.Part(0, 2))(t), float32(0), 0)
		must(t, x.Close())
	}
	_ = ok(pool.Allocate(1 << 20))(t)
}
