package netcl

// #include "zz_calls.h"
import "C"

import (
	"context"
	"time"
)

// A wait looks at its context this often: seldom enough to cost nothing, often enough that nobody
// notices.
const (
	waitFirst = 100 * time.Microsecond
	waitMost  = 10 * time.Millisecond
)

// waitFor makes a call that waits, again and again with short timeouts while the context may end. A
// wait that runs out of time changes nothing, so nothing is lost between two calls.
func waitFor(ctx context.Context, call func(timeout C.uint64_t) error) error {
	if ctx == nil || ctx.Done() == nil {
		err := call(C.uint64_t(WaitForever))
		if failed, ok := err.(*Error); ok && findsMemory(failed.Status) {
			err = call(C.uint64_t(WaitForever))
		}
		return err
	}
	deadline, limited := ctx.Deadline()
	collected := false
	for step := waitFirst; ; step = min(2*step, waitMost) {
		if err := ctx.Err(); err != nil {
			return err
		}
		timeout := step
		if limited {
			// Not less than a little: the context ends a moment after its deadline.
			timeout = min(timeout, max(time.Until(deadline), waitFirst))
		}
		err := call(C.uint64_t(timeout))
		failed, ok := err.(*Error)
		if ok && !collected && findsMemory(failed.Status) {
			collected = true
			continue
		}
		if !ok || failed.Status != ErrTimeout {
			return err
		}
	}
}

func min(a, b time.Duration) time.Duration {
	if b < a {
		return b
	}
	return a
}

func max(a, b time.Duration) time.Duration {
	if b > a {
		return b
	}
	return a
}
