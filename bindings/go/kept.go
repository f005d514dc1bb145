package netcl

// #include "zz_calls.h"
import "C"

import (
	"errors"
	"fmt"
	"io"
	"runtime/cgo"
	"unsafe"
)

// Functions that the library keeps: those of primitives. C calls them on the goroutine of the call
// that asks for them, with that call's frames of C below. So a panic ends here, and what the
// function enqueues belongs to the caller's regions without more ado.

// keepFunction gives what C passes on to a function; 0 when there is none. C gives it back.
func keepFunction(function any, none bool) uintptr {
	if none {
		return 0
	}
	return uintptr(cgo.NewHandle(function))
}

func keptFunction[F any](userData uintptr) F {
	return cgo.Handle(userData).Value().(F)
}

//export netclgoDrop
func netclgoDrop(userData C.uintptr_t) {
	cgo.Handle(userData).Delete()
}

// lender holds the objects that a function has during one call.
type lender struct {
	objects []io.Closer
	err     error
}

func (l *lender) close() {
	for _, object := range l.objects {
		_ = object.Close()
	}
}

// handle is a pointer to one of the types of handles.
type handle interface {
	comparable
	io.Closer
	object
	take() uintptr
}

// lendObject makes an object, with a reference of its own, of a handle that C lends; nil for NULL.
func lendObject[P handle](l *lender, wrap func(C.uintptr_t) P, retain func(P) (P, error),
	raw uintptr) (made P) {
	if raw == 0 || l.err != nil {
		return made
	}
	lent := wrap(C.uintptr_t(raw))
	made, l.err = retain(lent)
	// The reference is C's.
	lent.take()
	if l.err == nil {
		l.objects = append(l.objects, made)
	}
	return made
}

func lendObjects[P handle](l *lender, wrap func(C.uintptr_t) P, retain func(P) (P, error),
	first unsafe.Pointer, count int) []P {
	made := make([]P, count)
	for i, raw := range unsafe.Slice((*uintptr)(first), count) {
		made[i] = lendObject(l, wrap, retain, raw)
	}
	return made
}

// giveObjects hands references to what a function made to C, and closes it: one object may be there
// twice, or be an input.
func giveObjects[P handle](name string, made []P, err error, retain func(P) (P, error),
	place unsafe.Pointer, count int) error {
	var none P
	defer func() {
		for _, object := range made {
			if object != none {
				_ = object.Close()
			}
		}
	}()
	if err == nil && len(made) > count {
		err = invalid("%s has %d entries; %d are asked for", name, len(made), count)
	}
	given := make([]P, 0, count)
	for _, object := range made {
		own := none
		if err == nil && object != none {
			own, err = retain(object)
		}
		given = append(given, own)
	}
	for i, own := range given {
		if own == none {
			continue
		}
		if err != nil {
			_ = own.Close()
			continue
		}
		unsafe.Slice((*uintptr)(place), count)[i] = own.take()
	}
	return err
}

// answer runs a function that C calls, and tells C how it ended.
func answer(work func(l *lender) error) C.netcl_status {
	err := attempt(work)
	if err == nil {
		return 0
	}
	told := tell(err)
	before := C.netclgo_keep_cause(C.netcl_status(told.Status), C.uintptr_t(cgo.NewHandle(err)))
	dropCause(before)
	var keep keeper
	defer keep.close()
	message := keep.text("message", withoutNUL(told.Message))
	if message != nil {
		// Where this fails there is a status without the message.
		_ = C.netcl_last_error_set(C.netcl_status(told.Status), C.int32_t(told.NativeCode), message)
	}
	return C.netcl_status(told.Status)
}

// attempt gives the error of a function, or what it panicked with as one.
func attempt(work func(l *lender) error) (err error) {
	l := &lender{}
	ended := false
	defer l.close()
	defer func() {
		if ended {
			return
		}
		// nil where the panic is one with nil.
		value := recover()
		err = &Error{Status: ErrCancelled, Message: fmt.Sprintf("the function panicked: %v", value)}
		if cause, is := value.(error); is {
			err.(*Error).cause = cause
		}
	}()
	err = work(l)
	ended = true
	return err
}

// tell gives the error of a function as one of the library; methods of an error may panic, as those of
// a nil pointer do.
func tell(err error) (told *Error) {
	defer func() {
		if recover() != nil {
			told = &Error{Status: ErrCancelled,
				Message: fmt.Sprintf("the function failed with a %T whose methods panic", err)}
		}
	}()
	told = &Error{Status: statusOf(err)}
	if own, is := err.(*Error); is && own != nil {
		told.NativeCode, told.Message = own.NativeCode, own.Message
		return told
	}
	var own *Error
	if errors.As(err, &own) && own != nil {
		told.NativeCode = own.NativeCode
	}
	told.Message = err.Error()
	return told
}

func withoutNUL(text string) string {
	bytes := []byte(text)
	for i, b := range bytes {
		if b == 0 {
			bytes[i] = ' '
		}
	}
	return string(bytes)
}

// takeCause gives the error of the function that made a call fail, nil where there is none.
func takeCause(cause C.uintptr_t) error {
	if cause == 0 {
		return nil
	}
	err := cgo.Handle(cause).Value().(error)
	dropCause(cause)
	return err
}

func dropCause(cause C.uintptr_t) {
	if cause != 0 {
		cgo.Handle(cause).Delete()
	}
}
