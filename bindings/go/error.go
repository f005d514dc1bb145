package netcl

// #include <stdlib.h>
// #include "zz_calls.h"
import "C"

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
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
	// The error of a function of Go that the library called; errors.Is and errors.As look there too.
	cause error
}

// Error gives the message with the status and, where there is one, the OpenCL code.
func (e *Error) Error() string {
	if e == nil {
		return "netcl: a nil *Error, which says nothing"
	}
	name := e.Status.String()
	if e.NativeCode != 0 {
		return fmt.Sprintf("netcl: %s (%s, OpenCL %d)", e.Message, name, e.NativeCode)
	}
	return fmt.Sprintf("netcl: %s (%s)", e.Message, name)
}

// Unwrap gives the status, which is an error itself; nil for nil.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Status
}

// Is tells errors.Is of the error of a function that was called during the call.
func (e *Error) Is(target error) bool {
	return e.search(func() bool { return errors.Is(e.cause, target) })
}

// As finds that error for errors.As.
func (e *Error) As(target any) bool {
	return e.search(func() bool { return errors.As(e.cause, target) })
}

// search looks at the error of a function, whose methods may panic.
func (e *Error) search(look func() bool) (found bool) {
	if e == nil || e.cause == nil {
		return false
	}
	defer func() {
		if recover() != nil {
			found = false
		}
	}()
	return look()
}

// Error makes constants like ErrTimeout targets of errors.Is.
func (v Status) Error() string {
	return "netcl: " + v.String()
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
	made := &Error{Status: Status(outcome.status), NativeCode: int(outcome.native_code),
		cause: takeCause(outcome.cause)}
	if outcome.message == nil {
		made.Message = made.Status.Name()
		return made
	}
	made.Message = C.GoString(outcome.message)
	C.free(unsafe.Pointer(outcome.message))
	if made.Status != ErrBuildFailure { // Its message is the compiler's.
		made.Message = messageInGo(made.Message)
	}
	return made
}

// phrases finds what messages of the library say in words of C. They are compiled by the first error.
var phrases struct {
	once                                         sync.Once
	closed, member, null, other, kind, parameter *regexp.Regexp
}

// argNames is how arguments of a kernel are made.
var argNames = map[string]string{"1": "TensorArg", "2": "ReadOnlyArg", "3": "ScalarArg",
	"4": "DataArg", "5": "LocalArg", "6": "NullArg"}

// messageInGo writes a message with the names of Go. What it does not know stays as it is.
func messageInGo(text string) string {
	p := &phrases
	p.once.Do(func() {
		p.closed = regexp.MustCompile(`(\S+) is 0xffffffffffffffff, which is no live netcl_(\w+) ` +
			`of this library`)
		p.member = regexp.MustCompile(`\b((?:run|options|launch|random|memory|tuning|managed|kernels|` +
			`candidate|record|config|statistics|work|shape|key)(?:->\w+(?:\[\d+\])?)+)( is | = )?([01]\b)?`)
		p.null = regexp.MustCompile(`^(?:(text|name|path|selector)|[\w.\[\]]+) is NULL\b`)
		p.other = regexp.MustCompile(`\bset (args\[\d+\])\.reinterpret to 1\b`)
		// Where a message speaks of a parameter; text of the program's own stands elsewhere.
		p.parameter = regexp.MustCompile(`(^|; |\b(?:and|as|from|of|or|to|while|with) )` +
			`([a-z]+(?:_[a-z]+)+)\b`)
		p.kind = regexp.MustCompile(`^(args\[\d+\])\.kind is ([1-6])(?:, [^;]*)?; `)
	})
	text = p.member.ReplaceAllStringFunc(text, func(found string) string {
		return memberInGo(p.member.FindStringSubmatch(found))
	})
	text = p.parameter.ReplaceAllStringFunc(text, func(found string) string {
		parts := p.parameter.FindStringSubmatch(found)
		if name := parameterInGo(parts[2]); name != "" {
			return parts[1] + name
		}
		return found
	})
	text = p.closed.ReplaceAllStringFunc(text, func(found string) string {
		parts := p.closed.FindStringSubmatch(found)
		if parts[2] != "tensor" {
			return parts[1] + " is closed, or was made by no function of this package"
		}
		return parts[1] + " is closed, or was made by no function of this package; a Scope closes " +
			"what it kept, and its Give takes one out"
	})
	text = p.null.ReplaceAllStringFunc(text, func(found string) string {
		if p.null.FindStringSubmatch(found)[1] != "" {
			return strings.TrimSuffix(found, "NULL") + `""`
		}
		return strings.TrimSuffix(found, "NULL") + "nil"
	})
	text = p.other.ReplaceAllString(text, "pass $1 with Reinterpret()")
	return p.kind.ReplaceAllStringFunc(text, func(found string) string {
		parts := p.kind.FindStringSubmatch(found)
		return parts[1] + " is a " + argNames[parts[2]] + "; "
	})
}

// memberInGo writes "options->axes[0] is 1" with the names of Go, true for 1 of a bool, and the length
// of a slice for what counts its entries. What it does not know stays as it is.
func memberInGo(found []string) string {
	whole, path, verb, value := found[0], strings.Split(found[1], "->"), found[2], found[3]
	last := path[len(path)-1]
	length := strings.TrimSuffix(strings.TrimSuffix(last, "_count"), "_size")
	if fieldInGo(last) == "" && fieldInGo(length) != "" {
		path[len(path)-1] = length
	} else {
		length = ""
	}
	for i, part := range path[1:] {
		name, index := part, ""
		if at := strings.IndexByte(part, '['); at >= 0 {
			name, index = part[:at], part[at:]
		}
		if name = fieldInGo(name); name == "" {
			return whole
		}
		path[i+1] = name + index
	}
	named := strings.Join(path, ".")
	if length != "" {
		named = "len(" + named + ")"
	}
	if verb != "" && value != "" && isFlag(last) {
		value = map[string]string{"0": "false", "1": "true"}[value]
	}
	return named + verb + value
}

// statusOf is what a callback hands to the library for an error.
func statusOf(err error) Status {
	if err == nil {
		return OK
	}
	status, known := statusIn(err)
	if known && status == OK {
		return ErrInvalidArgument
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
