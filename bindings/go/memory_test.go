package netcl_test

import (
	"testing"
	"unsafe"

	"netcl"
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
	same(t, uint32(len(buckets)), info.BucketsCount)
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
	x := ok(netcl.NewTensorZeros(device, netcl.F64, []int64{10, 10}, nil, options))(t)
	defer x.Close()
	same(t, ok(x.Info())(t).Pooled, true)
	if used := ok(pool.Info())(t).BytesInUse; used < 800 {
		t.Fatal(used)
	}
	lease := ok(pool.Allocate(4096))(t)
	defer lease.Close()
	part := ok(netcl.NewTensorFromBuffer(lease, 64, netcl.I32, []int64{4}, []int64{2}))(t)
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
	x := ok(netcl.NewTensorFromBuffer(lent, 0, netcl.U8, []int64{4096}, nil))(t)
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
