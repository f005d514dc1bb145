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
// without a copy (NewBufferZeroCopy), and reads that do not wait. It is aligned to a page. It has no
// finalizer, since nobody knows here how long a device needs it: Close it when that is done.
type HostMemory struct {
	block atomic.Pointer[hostBlock]
}

// hostBlock is the memory itself. Calls use it, and so does the HostMemory until it is closed; the
// last user frees it.
type hostBlock struct {
	place  unsafe.Pointer
	bytes  int
	size   int // bytes in whole pages
	users  int
	closed bool
}

// hostMemory has the blocks that are not freed, by their addresses.
var hostMemory = struct {
	sync.Mutex
	blocks map[uintptr]*hostBlock
}{blocks: map[uintptr]*hostBlock{}}

// NewHostMemory allocates zeroed memory.
func NewHostMemory(bytes int) (*HostMemory, error) {
	if bytes < 0 || bytes > math.MaxInt-pageSize {
		return nil, invalid("bytes is %d", bytes)
	}
	size := (bytes + pageSize) / pageSize * pageSize
	if err := hostRoom(uint64(size)); err != nil {
		return nil, err
	}
	place := C.aligned_alloc(pageSize, C.size_t(size))
	if place == nil {
		return nil, noHostRoom(uint64(size))
	}
	all := unsafe.Slice((*byte)(place), size)
	for i := range all {
		all[i] = 0
	}
	block := &hostBlock{place: place, bytes: bytes, size: size, users: 1}
	hostMemory.Lock()
	hostMemory.blocks[uintptr(place)] = block
	hostMemory.Unlock()
	memory := &HostMemory{}
	memory.block.Store(block)
	return memory, nil
}

// Bytes gives the memory; nil when it is closed. The slice is not to be used after Close.
func (m *HostMemory) Bytes() []byte {
	if block := m.open(); block != nil {
		return unsafe.Slice((*byte)(block.place), block.bytes)
	}
	return nil
}

// Pointer gives the address; nil when it is closed.
func (m *HostMemory) Pointer() unsafe.Pointer {
	if block := m.open(); block != nil {
		return block.place
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

// Close frees the memory, when calls that are using it have returned; further calls do nothing. No
// device may use it any more.
func (m *HostMemory) Close() error {
	if m == nil {
		return nil
	}
	if block := m.block.Swap(nil); block != nil {
		hostMemory.Lock()
		block.closed = true
		hostMemory.Unlock()
		block.drop()
	}
	return nil
}

func (b *hostBlock) drop() {
	hostMemory.Lock()
	defer hostMemory.Unlock()
	b.users--
	if b.users == 0 {
		delete(hostMemory.blocks, uintptr(b.place))
		C.free(b.place)
	}
}

// blockAt finds the block of an address; hostMemory is locked.
func blockAt(place unsafe.Pointer) *hostBlock {
	for first, block := range hostMemory.blocks {
		if uintptr(place) >= first && uintptr(place)-first < uintptr(block.size) {
			return block
		}
	}
	return nil
}

// useHostMemory gives the block of an address with one more user, nil where there is none.
func useHostMemory(place unsafe.Pointer) *hostBlock {
	if place == nil {
		return nil
	}
	hostMemory.Lock()
	defer hostMemory.Unlock()
	block := blockAt(place)
	if block != nil {
		block.users++
	}
	return block
}

func inHostMemory(data []byte) bool {
	first := unsafe.Pointer(&data[0])
	hostMemory.Lock()
	defer hostMemory.Unlock()
	block := blockAt(first)
	return block != nil && !block.closed &&
		uintptr(len(data)) <= uintptr(block.size)-(uintptr(first)-uintptr(block.place))
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
