package netcl

// #include <stdlib.h>
// #include "zz_calls.h"
import "C"

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// The collector of Go sees a tensor as a few bytes, whatever it holds: a loop that forgets to close
// tensors would fill a device before the first collection. So the bytes of tensors and buffers that
// are not closed are counted here, and one is due when they have grown by collectAfter, and by a
// quarter, since the last one.
const collectAfter = 64 << 20

var held struct {
	bytes      atomic.Int64 // of all objects that are not closed
	after      atomic.Int64 // of those that the last collection left
	collecting sync.Mutex
}

// weigh notes how many bytes an object holds, until it is closed.
func (r *reference) weigh(bytes uint64) {
	r.weight = int64(bytes &^ (1 << 63))
	held.bytes.Add(r.weight)
}

// weighed notes what a call has given, and collects when it is time.
func weighed[T any, P interface {
	*T
	weigh(uint64)
}](made P, bytes C.uint64_t) P {
	if made == nil {
		return made
	}
	made.weigh(uint64(bytes))
	after := held.after.Load()
	if grown := held.bytes.Load() - after; grown < collectAfter || grown < after/4 {
		return made
	}
	if held.collecting.TryLock() {
		defer held.collecting.Unlock()
		collect()
	}
	return made
}

// heavyTensor makes a tensor of one of several results of an op, which nobody has told the bytes of.
func heavyTensor(raw C.uintptr_t) *Tensor {
	made := newTensor(raw)
	info, err := made.Info()
	if err != nil {
		return made
	}
	return weighed(made, C.uint64_t(info.ByteCount))
}

// collect has the collector give back what is forgotten.
func collect() {
	// The finalizers of a collection run one after the other, in any order. Those of the next one
	// come behind them, so that the second mark tells that the first ones have run.
	for range [2]struct{}{} {
		done := make(chan struct{})
		runtime.SetFinalizer(&collected{}, func(*collected) { close(done) })
		runtime.GC()
		select {
		case <-done:
		case <-time.After(finalizersMost): // another finalizer waits for something
		}
	}
	settleLends()
	held.after.Store(held.bytes.Load())
}

const finalizersMost = time.Second

// lacksMemory tells whether a call is to be made again: it failed for want of memory, and there is
// more of it now.
func lacksMemory(outcome *C.netclgo_outcome) bool {
	if outcome.status == 0 || !findsMemory(Status(outcome.status)) {
		return false
	}
	C.free(unsafe.Pointer(outcome.message))
	dropCause(outcome.cause)
	return true
}

// findsMemory collects where a call failed for want of memory, and tells whether something was
// given back.
func findsMemory(status Status) bool {
	if status != ErrOutOfDeviceMemory && status != ErrOutOfHostMemory {
		return false
	}
	held.collecting.Lock()
	defer held.collecting.Unlock()
	before := living()
	collect()
	return living() < before
}

// living counts the objects that hold memory.
func living() (count uint64) {
	for _, kind := range []HandleType{HandleTensor, HandleBuffer, HandlePool} {
		if found, err := LibraryLiveCount(kind); err == nil {
			count += found
		}
	}
	return count
}
