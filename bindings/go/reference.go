package netcl

// #include <stdint.h>
import "C"

import (
	"io"
	"sync"
	"sync/atomic"
)

// closedHandle is a key that the library never issues and therefore refuses. It stands for objects
// that are closed: 0 would mean "the default" in options.
const closedHandle = ^uintptr(0)

// reference is one reference to an object of the library.
type reference struct {
	raw atomic.Uintptr
	// What runs calls one after the other, for objects that the header calls movable. All references
	// to one object share it. It also keeps objects out of the allocator's blocks for tiny values,
	// where a finalizer may never run.
	mutex *sync.Mutex
	// Bytes of tensors and buffers, set before anybody else knows the object; see collect.go.
	weight int64
}

func (r *reference) value() uintptr {
	if raw := r.raw.Load(); raw != 0 {
		return raw
	}
	return closedHandle
}

// take makes the object a closed one and gives what it was, 0 when it was closed.
func (r *reference) take() uintptr {
	raw := r.raw.Swap(0)
	if raw != 0 && r.weight != 0 {
		held.bytes.Add(-r.weight)
	}
	return raw
}

// object is what all handle types are.
type object interface {
	pointer() uintptr
	guard() *sync.Mutex
}

// lockOf waits for other calls on a movable object and gives what lets the next one in.
func lockOf(x object) func() {
	mutex := x.guard()
	if mutex == nil {
		return func() {}
	}
	mutex.Lock()
	return mutex.Unlock
}

// takeAll makes objects of handles.
func takeAll[T any](raws []uintptr, take func(C.uintptr_t) T) []T {
	made := make([]T, len(raws))
	for i, raw := range raws {
		made[i] = take(C.uintptr_t(raw))
	}
	return made
}

// readHandles is readArray for handles: those of a call that had too little room are given back.
func readHandles[T io.Closer](take func(C.uintptr_t) T,
	ask func(place *uintptr, room int) (int, error)) ([]T, error) {
	var found []uintptr
	for {
		length, err := ask((*uintptr)(pointerTo(found)), len(found))
		if err != nil {
			return nil, err
		}
		if length <= len(found) {
			return takeAll(found[:length], take), nil
		}
		for _, made := range takeAll(found, take) {
			_ = made.Close()
		}
		found = make([]uintptr, length)
	}
}
