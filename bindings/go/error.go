package netcl

// #include <stdlib.h>
// #include "zz_calls.h"
import "C"

import (
	"errors"
	"fmt"
	"unsafe"
)

// Error is what a failing call left.
type Error struct {
	// Which kind of failure; errors.Is compares it with ErrTimeout and the like.
	Status Status
	// The OpenCL code, 0 when no driver was involved.
	NativeCode int
	// One line that names the argument and its value.
	Message string
}

// Error gives the message with the status and, where there is one, the OpenCL code.
func (e *Error) Error() string {
	if e == nil {
		return "netcl: a nil *Error, which says nothing"
	}
	if e.NativeCode != 0 {
		return fmt.Sprintf("netcl: %s (%s, OpenCL %d)", e.Message, e.Status.Name(), e.NativeCode)
	}
	return fmt.Sprintf("netcl: %s (%s)", e.Message, e.Status.Name())
}

// Unwrap gives the status, which is an error itself; nil for nil.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Status
}

// Error makes constants like ErrTimeout targets of errors.Is.
func (v Status) Error() string {
	return "netcl: " + v.Name()
}

// invalid is an error that this package found itself.
func invalid(format string, values ...any) *Error {
	return &Error{Status: ErrInvalidArgument, Message: fmt.Sprintf(format, values...)}
}

func errorOf(outcome C.netclgo_outcome) error {
	if outcome.status == 0 {
		return nil
	}
	return newError(outcome)
}

func newError(outcome C.netclgo_outcome) *Error {
	made := &Error{Status: Status(outcome.status), NativeCode: int(outcome.native_code)}
	if outcome.message == nil {
		made.Message = made.Status.Name()
		return made
	}
	made.Message = C.GoString(outcome.message)
	C.free(unsafe.Pointer(outcome.message))
	return made
}

// statusOf is what a callback hands to the library for an error.
func statusOf(err error) Status {
	if err == nil {
		return OK
	}
	status, known := statusIn(err)
	if known && status == OK {
		return ErrInternal
	}
	return status
}

// statusIn looks for a status in an error; the methods of the caller's own ones may panic, as those
// of a nil pointer do.
func statusIn(err error) (status Status, known bool) {
	defer func() {
		if recover() != nil {
			status, known = ErrCancelled, false
		}
	}()
	if errors.As(err, &status) {
		return status, true
	}
	return ErrCancelled, false
}
