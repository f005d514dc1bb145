package netcl

// #include <stdlib.h>
// #include "zz_calls.h"
import "C"

import (
	"bytes"
	"math"
	"strings"
	"time"
	"unsafe"
)

// An int is an int64_t of C, so that extents are passed as they are.
var _ [unsafe.Sizeof(int(0)) - C.sizeof_int64_t]struct{}

const pointerSize = C.size_t(unsafe.Sizeof(uintptr(0)))

// keeper holds what a call points to, and the turns of movable objects among its options. Memory of
// Go may be pointed to by what C gets directly, but not by what that points to: there it is memory
// of C, which close frees.
type keeper struct {
	err  error
	deep bool
	c    []unsafe.Pointer
	held []func()
}

func (k *keeper) close() {
	for _, place := range k.c {
		C.free(place)
	}
	for _, unlock := range k.held {
		unlock()
	}
	k.c, k.held = nil, nil
}

// lock keeps other calls on a movable object out until close.
func (k *keeper) lock(x object) {
	k.held = append(k.held, lockOf(x))
}

func (k *keeper) fail(format string, values ...any) {
	if k.err == nil {
		k.err = invalid(format, values...)
	}
}

// deepen begins a struct that another one points to; the result goes back into k.deep.
func (k *keeper) deepen(deep bool) (before bool) {
	before = k.deep
	k.deep = k.deep || deep
	return before
}

// allocate gives zeroed memory that holds no pointers to Go.
func (k *keeper) allocate(size C.size_t) unsafe.Pointer {
	if !k.deep {
		return unsafe.Pointer(&make([]uint64, size/8+1)[0])
	}
	return k.allocateC(size)
}

func (k *keeper) allocateC(size C.size_t) unsafe.Pointer {
	// cgo's own C.calloc returns an error as well; malloc ends the program instead of failing.
	place, err := C.calloc(size+1, 1)
	if place == nil {
		k.err = &Error{Status: ErrOutOfHostMemory, Message: err.Error()}
		return nil
	}
	k.c = append(k.c, place)
	return place
}

func (k *keeper) bytes(data []byte) unsafe.Pointer {
	if len(data) == 0 {
		return nil
	}
	place := k.allocate(C.size_t(len(data)))
	if place != nil {
		copy(unsafe.Slice((*byte)(place), len(data)), data)
	}
	return place
}

// text gives NUL-terminated text; NULL for "".
func (k *keeper) text(name, text string) *C.char {
	if text == "" {
		return nil
	}
	if at := strings.IndexByte(text, 0); at >= 0 {
		k.fail("%s has a NUL character at byte %d", name, at)
		return nil
	}
	place := k.allocate(C.size_t(len(text)) + 1)
	if place != nil {
		copy(unsafe.Slice((*byte)(place), len(text)), text)
	}
	return (*C.char)(place)
}

func (k *keeper) texts(name string, texts []string) **C.char {
	if len(texts) == 0 {
		return nil
	}
	before := k.deepen(true)
	defer func() { k.deep = before }()
	place := (**C.char)(k.allocate(C.size_t(len(texts)) * pointerSize))
	if place == nil {
		return nil
	}
	list := unsafe.Slice(place, len(texts))
	for i, text := range texts {
		if at := strings.IndexByte(text, 0); at >= 0 {
			k.fail("%s[%d] has a NUL character at byte %d", name, i, at)
			return nil
		}
		list[i] = (*C.char)(k.bytes([]byte(text + "\x00")))
	}
	return place
}

// inline copies text into a member that holds it.
func (k *keeper) inline(name string, place unsafe.Pointer, capacity int, text string) {
	if len(text) >= capacity || strings.IndexByte(text, 0) >= 0 {
		k.fail("%s has a NUL character or more than %d bytes", name, capacity-1)
		return
	}
	copy(unsafe.Slice((*byte)(place), capacity), text)
}

func (k *keeper) element(value Scalar) unsafe.Pointer {
	if value.dtype == 0 {
		return nil
	}
	return k.bytes(value.bytes[:])
}

// check compares the dtype of an element with what is needed; 0 leaves it to the library.
func (k *keeper) check(name string, value Scalar, dtype Dtype) {
	if dtype != 0 && value.dtype != dtype {
		k.fail("%s is of dtype %s; %s is needed", name, value.dtype.Name(), dtype.Name())
	}
}

func (k *keeper) count(name string, length int) C.uint32_t {
	if uint64(length) > math.MaxUint32 {
		k.fail("%s has %d entries, too many", name, length)
	}
	return C.uint32_t(length)
}

// int32 and uint32 check that a number fits.
func (k *keeper) int32(name string, value int) C.int32_t {
	if int(int32(value)) != value {
		k.fail("%s is %d, which has more than 32 bits", name, value)
	}
	return C.int32_t(value)
}

func (k *keeper) uint32(name string, value int) C.uint32_t {
	if int(uint32(value)) != value {
		k.fail("%s is %d, which is not from 0 to %d", name, value, uint32(math.MaxUint32))
	}
	return C.uint32_t(value)
}

func (k *keeper) int32s(name string, values []int) *C.int32_t {
	made := make([]int32, len(values))
	for i, value := range values {
		made[i] = int32(k.int32(name, value))
	}
	return (*C.int32_t)(copyArray(k, made))
}

func (k *keeper) uint32s(name string, values []int) *C.uint32_t {
	made := make([]uint32, len(values))
	for i, value := range values {
		made[i] = uint32(k.uint32(name, value))
	}
	return (*C.uint32_t)(copyArray(k, made))
}

func (k *keeper) same(one string, oneLength int, other string, otherLength int) {
	if oneLength != otherLength {
		k.fail("%s has %d entries; %s has %d", one, oneLength, other, otherLength)
	}
}

func (k *keeper) nanoseconds(name string, value time.Duration) C.uint64_t {
	if value < 0 {
		k.fail("%s is negative: %v", name, value)
	}
	return C.uint64_t(value)
}

// lent refuses memory of Go where the library would use it after the call.
func (k *keeper) lent(name string, data []byte, why string) {
	if len(data) > 0 && !hostMemory.has(unsafe.Pointer(&data[0]), uint64(len(data))) {
		k.fail("%s is memory of Go, which %s would let the library use after the call; "+
			"take it from NewHostMemory", name, why)
	}
}

// fits refuses more bytes than there are, where the address is that of HostMemory.
func (k *keeper) fits(name string, place unsafe.Pointer, bytes uint64) {
	if hostMemory.has(place, 1) && !hostMemory.has(place, bytes) {
		k.fail("bytes is %d, which is more than the HostMemory of %s has there", bytes, name)
	}
}

// rawHandles makes an array of handles; they are no pointers to Go.
func rawHandles[T object](k *keeper, list []T) unsafe.Pointer {
	if len(list) == 0 {
		return nil
	}
	place := k.allocate(C.size_t(len(list)) * pointerSize)
	if place != nil {
		raws := unsafe.Slice((*uintptr)(place), len(list))
		for i, item := range list {
			raws[i] = item.pointer()
		}
	}
	return place
}

// copyArray copies numbers.
func copyArray[T any](k *keeper, list []T) unsafe.Pointer {
	if len(list) == 0 {
		return nil
	}
	place := k.allocate(C.size_t(len(list)) * C.size_t(unsafe.Sizeof(list[0])))
	if place != nil {
		copy(unsafe.Slice((*T)(place), len(list)), list)
	}
	return place
}

// pointerTo gives the first element of numbers, NULL when there are none.
func pointerTo[T any](list []T) unsafe.Pointer {
	if len(list) == 0 {
		return nil
	}
	return unsafe.Pointer(&list[0])
}

func flagOf(value bool) C.uint32_t {
	if value {
		return 1
	}
	return 0
}

func durationOf(nanoseconds C.uint64_t) time.Duration {
	if nanoseconds > math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(nanoseconds)
}

// textOf reads text that a struct holds.
func textOf(place unsafe.Pointer, capacity int) string {
	return strings.Clone(textAt(place, capacity))
}

// textAt is the text where it lies, good as long as that memory.
func textAt(place unsafe.Pointer, capacity int) string {
	text := unsafe.Slice((*byte)(place), capacity)
	if end := bytes.IndexByte(text, 0); end >= 0 {
		text = text[:end]
	}
	return *(*string)(unsafe.Pointer(&text))
}

// copyTexts makes copies of texts, in one piece of memory.
func copyTexts(made, texts []string) {
	total := 0
	for _, text := range texts {
		total += len(text)
	}
	all := make([]byte, 0, total)
	for _, text := range texts {
		all = append(all, text...)
	}
	rest := *(*string)(unsafe.Pointer(&all))
	for i, text := range texts {
		made[i], rest = rest[:len(text)], rest[len(text):]
	}
}

// readArray reads what the library tells the extent of: it asks with the room there is, and again
// with more until all fits. The extent may change between two calls.
func readArray[T any](ask func(place *T, room int) (int, error)) ([]T, error) {
	var found []T
	for {
		length, err := ask((*T)(pointerTo(found)), len(found))
		if err != nil {
			return nil, err
		}
		if length <= len(found) {
			return found[:length], nil
		}
		found = make([]T, length)
	}
}

// readText is readArray for text, whose length does not count the NUL.
func readText(ask func(place *byte, room int) (int, error)) (string, error) {
	found := make([]byte, 1024)
	for {
		length, err := ask(&found[0], len(found))
		if err != nil {
			return "", err
		}
		if length < len(found) {
			return string(found[:length]), nil
		}
		found = make([]byte, length+1)
	}
}
