package netcl

// #include <stdlib.h>
import "C"

import (
	"context"
	"math"
	"runtime"
	"sync"
	"unsafe"
)

const pageSize = 4096

// HostMemory is memory that C may go on using after a call: for data that is borrowed, buffers
// without a copy (NewBufferZeroCopy), and reads that do not wait. It is aligned to a page. It has no
// finalizer, since nobody knows here how long a device needs it: Close it when that is done.
type HostMemory struct {
	place unsafe.Pointer
	size  int
}

// hostMemory has the memory that is open.
var hostMemory = struct {
	sync.Mutex
	blocks map[uintptr]int
}{blocks: map[uintptr]int{}}

// NewHostMemory allocates zeroed memory.
func NewHostMemory(bytes int) (*HostMemory, error) {
	if bytes < 0 || bytes > math.MaxInt-pageSize {
		return nil, invalid("bytes is %d", bytes)
	}
	size := (bytes + pageSize) / pageSize * pageSize
	place := C.aligned_alloc(pageSize, C.size_t(size))
	if place == nil {
		return nil, &Error{Status: ErrOutOfHostMemory, Message: "no memory of the host is left"}
	}
	memory := &HostMemory{place, bytes}
	all := unsafe.Slice((*byte)(place), size)
	for i := range all {
		all[i] = 0
	}
	hostMemory.Lock()
	defer hostMemory.Unlock()
	hostMemory.blocks[uintptr(place)] = size
	return memory, nil
}

// Bytes gives the memory; nil when it is closed.
func (m *HostMemory) Bytes() []byte {
	if m == nil || m.place == nil {
		return nil
	}
	return unsafe.Slice((*byte)(m.place), m.size)
}

// Pointer gives the address; nil when it is closed.
func (m *HostMemory) Pointer() unsafe.Pointer {
	if m == nil {
		return nil
	}
	return m.place
}

// Close frees the memory; further calls do nothing. No device may use it any more.
func (m *HostMemory) Close() error {
	if m == nil || m.place == nil {
		return nil
	}
	hostMemory.Lock()
	delete(hostMemory.blocks, uintptr(m.place))
	hostMemory.Unlock()
	C.free(m.place)
	m.place = nil
	return nil
}

func inHostMemory(data []byte) bool {
	first := uintptr(unsafe.Pointer(&data[0]))
	hostMemory.Lock()
	defer hostMemory.Unlock()
	for place, size := range hostMemory.blocks {
		if first >= place && first-place <= uintptr(size) &&
			uintptr(len(data)) <= uintptr(size)-(first-place) {
			return true
		}
	}
	return false
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
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.memory == nil {
		return nil, invalid("the elements were given, or the object is closed")
	}
	if err := p.event.Wait(ctx); err != nil {
		return nil, err
	}
	elements := make([]T, p.count)
	copy(bytesOf(elements), p.memory.Bytes())
	tidy(elements)
	p.drop()
	return elements, nil
}

// Close gives the elements up. The memory goes when the device is done with it.
func (p *Pending[T]) Close() error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.memory != nil {
		p.drop()
	}
	return nil
}

func (p *Pending[T]) drop() {
	runtime.SetFinalizer(p, nil)
	memory, event := p.memory, p.event
	p.memory = nil
	if state, err := event.Query(); err == nil && state <= EventComplete {
		_, _ = event.Close(), memory.Close()
		return
	}
	go func() {
		// A command that failed does not write any more either; one that is not known to have ended
		// may, and its memory is never freed.
		err := event.Wait(context.Background())
		if state, unknown := event.Query(); err == nil || unknown == nil && state <= EventComplete {
			_ = memory.Close()
		}
		_ = event.Close()
	}()
}
