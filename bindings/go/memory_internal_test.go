package netcl

import (
	"testing"
	"unsafe"
)

// What a call uses is freed when the call has returned, and is lent to no further call.
func TestClosedMemoryStaysWhileACallUsesIt(t *testing.T) {
	memory, err := NewHostMemory(100)
	if err != nil {
		t.Fatal(err)
	}
	data := memory.Bytes()
	var call keeper
	call.use(unsafe.Pointer(&data[50]))
	_ = memory.Close()
	kept := func() bool {
		hostMemory.Lock()
		defer hostMemory.Unlock()
		return blockAt(unsafe.Pointer(&data[0])) != nil
	}
	if !kept() || inHostMemory(data) {
		t.Fatal("the memory is gone, or is still lent")
	}
	data[99] = 1
	call.close()
	if kept() {
		t.Fatal("the memory is left")
	}
}
