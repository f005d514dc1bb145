package netcl

// #include "zz_calls.h"
import "C"

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// hostMemory knows which addresses are those of HostMemory, without keeping any of it.
var hostMemory = hostRanges{sizes: map[uintptr]uint64{}}

type hostRanges struct {
	sync.Mutex
	sizes map[uintptr]uint64
}

// add notes a range until the allocation that it lies in is collected.
func (r *hostRanges) add(allocation *byte, place unsafe.Pointer, size int) {
	first := uintptr(place)
	r.Lock()
	r.sizes[first] = uint64(size)
	r.Unlock()
	runtime.SetFinalizer(allocation, func(*byte) {
		r.Lock()
		delete(r.sizes, first)
		r.Unlock()
	})
}

// has tells whether so many bytes from the address on are in one range.
func (r *hostRanges) has(place unsafe.Pointer, bytes uint64) bool {
	r.Lock()
	defer r.Unlock()
	for first, size := range r.sizes {
		if at := uint64(uintptr(place) - first); uintptr(place) >= first && at < size {
			return bytes <= size-at
		}
	}
	return false
}

// lend is one use of HostMemory beyond the call that it was given to. It keeps the memory where it
// is and alive until the library is done with it.
type lend struct {
	place  unsafe.Pointer
	pin    hostPin
	event  *Event  // of the only command that uses it, or
	buffer *Buffer // what works on it, nil where it is copied,
	device *Device // and the device whose commands may use it
	// Where the library would not say what it uses, the memory is kept for ever.
	unknown bool
	state   atomic.Int32
}

const (
	lendInUse = iota
	lendFinishing
	lendFinished
)

// lends are those of the whole process, looked through after each collection: what ends a use is
// that something was closed, or that a device went on.
var lends struct {
	sync.Mutex
	list    []*lend
	watched bool
}

// lendToTensor keeps memory that a tensor was made of with Borrow.
func lendToTensor(place unsafe.Pointer, tensor *Tensor) {
	made := &lend{place: place}
	info, err := tensor.Info()
	if err == nil {
		made.device, err = tensor.Device()
	}
	if err == nil && info.Borrowed {
		made.buffer, err = tensor.Buffer()
	}
	made.keep(err)
}

// lendToBuffer keeps memory that a buffer works on.
func lendToBuffer(place unsafe.Pointer, buffer *Buffer) {
	if !hostMemory.has(place, 1) {
		return
	}
	// The library tells whether other handles use the memory: so this one has to be another.
	tensor, err := NewTensorFromBuffer(buffer, 0, U8, []int{0}, nil)
	made := &lend{place: place}
	if err == nil {
		defer tensor.Close()
		made.buffer, err = tensor.Buffer()
	}
	if err == nil {
		made.device, err = tensor.Device()
	}
	made.keep(err)
}

// lendToCommand keeps memory until an event, or until the device is done where nobody asked for one.
func lendToCommand(place unsafe.Pointer, event **Event, tensor *Tensor) {
	made := &lend{place: place}
	var err error
	if event != nil {
		made.event, err = (*event).Retain()
	} else {
		made.device, err = tensor.Device()
	}
	made.keep(err)
}

func (l *lend) keep(err error) {
	l.unknown = err != nil
	l.pin.Pin(l.place)
	lends.Lock()
	lends.list = append(lends.list, l)
	watch := !lends.watched
	lends.watched = true
	lends.Unlock()
	if watch {
		watchLends()
	}
}

// settled tells whether the library is done with the memory.
func (l *lend) settled() bool {
	if l.unknown {
		return false
	}
	if l.event != nil {
		state, err := l.event.Query()
		return err == nil && state <= EventComplete
	}
	if l.buffer != nil {
		if info, err := l.buffer.Info(); err != nil || info.Shared {
			return false
		}
	}
	// Nothing new can use it. What was enqueued before may run still.
	if l.state.CompareAndSwap(lendInUse, lendFinishing) {
		if l.finish(C.netclgo_device_finish(C.uintptr_t(l.device.pointer()), 0)) {
			return true
		}
		go func() {
			if err := l.device.Finish(context.Background()); err == nil ||
				errors.Is(err, ErrLaunchFailure) {
				l.state.Store(lendFinished)
			} else {
				l.state.Store(lendInUse)
			}
		}()
	}
	return l.state.Load() == lendFinished
}

// finish tells whether a wait found the device done; one for commands that failed did as well.
func (l *lend) finish(outcome C.netclgo_outcome) bool {
	err := errorOf(outcome)
	if err == nil || errors.Is(err, ErrLaunchFailure) {
		l.state.Store(lendFinished)
		return true
	}
	return false
}

func (l *lend) drop() {
	l.pin.Unpin()
	_, _, _ = l.event.Close(), l.buffer.Close(), l.device.Close()
}

// settleLends lets go of what the library is done with.
func settleLends() {
	lends.Lock()
	defer lends.Unlock()
	kept := lends.list[:0]
	for _, l := range lends.list {
		if l.settled() {
			l.drop()
		} else {
			kept = append(kept, l)
		}
	}
	for i := len(kept); i < len(lends.list); i++ {
		lends.list[i] = nil
	}
	lends.list = kept
	if lends.watched = len(kept) > 0; lends.watched {
		watchLends()
	}
}

// collected is large enough not to share a block with values that live on.
type collected struct {
	_ [64]byte
}

// watchLends has the lends looked through after the next collection.
func watchLends() {
	runtime.SetFinalizer(&collected{}, func(*collected) { go settleLends() })
}
