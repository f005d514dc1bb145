package netcl

// #include <stdlib.h>
// #include <unistd.h>
import "C"

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

const pageSize = 4096

// HostMemory is memory that C may go on using after a call: for data that is borrowed, buffers
// without a copy (NewBufferZeroCopy), and reads that do not wait. It is aligned to a page. The
// collector frees it when nobody uses it any more, neither the program nor a tensor, a buffer or a
// command of a device that it was given to.
type HostMemory struct {
	block atomic.Pointer[hostBlock]
}

type hostBlock struct {
	all   []byte // in whole pages, at least one
	bytes int
}

// NewHostMemory allocates zeroed memory.
func NewHostMemory(bytes int) (*HostMemory, error) {
	if bytes < 0 || bytes > math.MaxInt-2*pageSize {
		return nil, invalid("bytes is %d", bytes)
	}
	size := (bytes + pageSize) / pageSize * pageSize
	if err := hostRoom(uint64(size + pageSize)); err != nil {
		return nil, err
	}
	// A page more than that brings the first one to its beginning.
	made := make([]byte, size+pageSize)
	first := int(-uintptr(unsafe.Pointer(&made[0])) % pageSize)
	block := &hostBlock{all: made[first : first+size : first+size], bytes: bytes}
	hostMemory.add(&made[0], unsafe.Pointer(&block.all[0]), size)
	memory := &HostMemory{}
	memory.block.Store(block)
	return memory, nil
}

// Bytes gives the memory; nil when it is closed. A slice that was taken before stays good.
func (m *HostMemory) Bytes() []byte {
	if block := m.open(); block != nil {
		return block.all[:block.bytes]
	}
	return nil
}

// Pointer gives the address; nil when it is closed.
func (m *HostMemory) Pointer() unsafe.Pointer {
	if block := m.open(); block != nil {
		return unsafe.Pointer(&block.all[0])
	}
	return nil
}

// open gives the block, nil when it is closed. It is read once per call: others may close it at any
// moment.
func (m *HostMemory) open() *hostBlock {
	if m == nil {
		return nil
	}
	return m.block.Load()
}

// Close gives the memory up; further calls do nothing. It is freed when no slice of it is left and
// no tensor, buffer or command uses it any more.
func (m *HostMemory) Close() error {
	if m != nil {
		m.block.Store(nil)
	}
	return nil
}

// What is smaller than this is left to the allocators.
const smallRoom = 1 << 20

// hostRoom tells whether so many bytes can be had. Go ends the program where there are none, and a
// view that repeats elements has any number of them; a system that promises memory it does not have
// ends the program when it is written.
func hostRoom(bytes uint64) error {
	if bytes < smallRoom {
		return nil
	}
	pages, size := C.sysconf(C._SC_PHYS_PAGES), C.sysconf(C._SC_PAGESIZE)
	if pages > 0 && size > 0 && bytes/uint64(size) > uint64(pages) || bytes > math.MaxInt {
		return noHostRoom(bytes)
	}
	place := C.aligned_alloc(pageSize, C.size_t((bytes+pageSize-1)/pageSize*pageSize))
	if place == nil {
		return noHostRoom(bytes)
	}
	C.free(place)
	return nil
}

func noHostRoom(bytes uint64) error {
	return &Error{Status: ErrOutOfHostMemory,
		Message: fmt.Sprintf("no memory of the host for %d bytes", bytes)}
}

// makeElements is make, with an error where there is no room.
func makeElements[T Element](count uint64) ([]T, error) {
	var one T
	size := uint64(unsafe.Sizeof(one))
	if count > math.MaxInt/size {
		return nil, noHostRoom(math.MaxUint64)
	}
	if err := hostRoom(count * size); err != nil {
		return nil, err
	}
	return make([]T, count), nil
}

// Pending is elements on their way to the host.
type Pending[T Element] struct {
	mutex  sync.Mutex
	memory *HostMemory
	event  *Event
	count  int
}

// ReadAsync begins to copy the elements to the host and returns at once.
func ReadAsync[T Element](tensor *Tensor) (*Pending[T], error) {
	info, err := typedInfo[T](tensor)
	if err != nil {
		return nil, err
	}
	if info.ByteCount > math.MaxInt-pageSize {
		return nil, noHostRoom(info.ByteCount)
	}
	memory, err := NewHostMemory(int(info.ByteCount))
	if err != nil {
		return nil, err
	}
	p := &Pending[T]{memory: memory, count: int(info.ElementCount)}
	options := &TransferOptions{Event: &p.event}
	if err := tensor.Read(context.Background(), memory.Bytes(), options); err != nil {
		_ = memory.Close()
		return nil, err
	}
	runtime.SetFinalizer(p, (*Pending[T]).Close)
	return p, nil
}

// Wait waits for the elements, which are given once. When the context ends first, it can be called
// again.
func (p *Pending[T]) Wait(ctx context.Context) ([]T, error) {
	if p == nil {
		return nil, &Error{Status: ErrInvalidHandle, Message: "the pending read is nil"}
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.memory == nil {
		return nil, invalid("the elements were given, or the object is closed")
	}
	if err := p.event.Wait(ctx); err != nil {
		return nil, err
	}
	elements, err := makeElements[T](uint64(p.count))
	if err != nil {
		return nil, err
	}
	copy(bytesOf(elements), p.memory.Bytes())
	tidy(elements)
	p.drop()
	return elements, nil
}

// Close gives the elements up. The memory goes when the device is done with it.
func (p *Pending[T]) Close() error {
	if p == nil {
		return nil
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.memory != nil {
		p.drop()
	}
	return nil
}

// drop leaves the memory to the transfer, for which it is kept until its event.
func (p *Pending[T]) drop() {
	runtime.SetFinalizer(p, nil)
	p.memory = nil
	_ = p.event.Close()
}
