package netcl

import (
	"context"
	"os"
	"runtime"
	"testing"
	"time"
	"unsafe"
)

func testDevice(t *testing.T) *Device {
	t.Helper()
	name := os.Getenv("NETCL_TEST_DEVICE")
	if name == "" {
		name = "builtin"
	}
	device, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return device
}

// known tells whether the memory at an address is left.
func known(place uintptr) bool {
	hostMemory.Lock()
	defer hostMemory.Unlock()
	_, there := hostMemory.sizes[place]
	return there
}

// goes waits until the collector has taken the memory.
func goes(t *testing.T, place uintptr) {
	t.Helper()
	for try := 0; known(place); try++ {
		if try == 500 {
			t.Fatal("the memory is left")
		}
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
}

// Memory that is lent stays as long as the library uses it, and not longer.
func TestLentMemoryGoesWithItsLastUse(t *testing.T) {
	device := testDevice(t)
	defer device.Close()
	host := func() (data []byte, place uintptr) {
		memory, err := NewHostMemory(4096)
		if err != nil {
			t.Fatal(err)
		}
		defer memory.Close()
		return memory.Bytes(), uintptr(memory.Pointer())
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	// stays looks whether collections leave it.
	stays := func(place uintptr) {
		t.Helper()
		for i := 0; i < 4; i++ {
			runtime.GC()
			time.Sleep(5 * time.Millisecond)
		}
		if !known(place) {
			t.Fatal("the memory is gone")
		}
	}

	_, place := host()
	goes(t, place)

	data, place := host()
	tensor, err := NewTensorFromHost(device, U8, []int{4096}, nil, data,
		&TensorOptions{Borrow: true})
	check(err)
	data = nil
	info, err := tensor.Info()
	check(err)
	if info.Borrowed {
		stays(place)
		view, err := tensor.Reshape([]int{64, 64}, nil)
		check(err)
		check(tensor.Close())
		stays(place)
		check(view.Close())
	}
	goes(t, place)
	check(tensor.Close())

	tensor, err = Zeros(device, U8, 4096)
	check(err)
	var done *Event
	data, place = host()
	check(tensor.Read(context.Background(), data, &TransferOptions{Event: &done}))
	data = nil
	check(done.Wait(context.Background()))
	check(done.Close())
	goes(t, place)
	for _, options := range []*TransferOptions{{Borrow: true}, {Borrow: true, Event: &done}} {
		data, place = host()
		check(tensor.Write(context.Background(), data, options))
		data = nil
		goes(t, place)
	}
	check(done.Close())
	check(tensor.Close())

	memory, err := NewHostMemory(4096)
	check(err)
	lent, err := NewBufferZeroCopy(device, memory.Pointer(), 4096)
	if err != nil {
		return // the device has memory of its own
	}
	place = uintptr(memory.Pointer())
	other, err := lent.Retain()
	check(err)
	for _, bytes := range []uint64{1 << 14, ^uint64(0)} {
		at := unsafe.Pointer(&memory.Bytes()[64])
		if _, err := NewBufferZeroCopy(device, at, bytes); err == nil {
			t.Fatal("a buffer is larger than its memory")
		}
	}
	check(memory.Close())
	memory = nil
	check(lent.Close())
	stays(place)
	tensor, err = NewTensorFromBuffer(other, 0, U8, []int{4096}, nil)
	check(err)
	check(other.Close())
	stays(place)
	check(tensor.Close())
	goes(t, place)
}
