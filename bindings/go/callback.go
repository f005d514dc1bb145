package netcl

import (
	"runtime"
	"runtime/cgo"
	"sync"
)

// scope is a function of Go that C calls during one call. Neither a panic nor runtime.Goexit (which
// t.Fatal is) may pass through C: the function runs on a goroutine of its own, and end goes on with
// either when the call has returned.
type scope struct {
	function  any
	handle    cgo.Handle
	turn      *sync.Mutex // what the call holds, nil for none
	err       error
	panicked  any
	panicking bool
	exited    bool
}

// openScope gives the scope and what C passes on to the function; 0 when there is none.
func openScope(function any, none bool, turn *sync.Mutex) (*scope, uintptr) {
	made := &scope{function: function, turn: turn}
	if none {
		return made, 0
	}
	made.handle = cgo.NewHandle(made)
	return made, uintptr(made.handle)
}

func scopeOf(userData uintptr) *scope {
	return cgo.Handle(userData).Value().(*scope)
}

func (s *scope) close() {
	if s.handle != 0 {
		s.handle.Delete()
	}
}

// run calls the function, unless it has ended the call before. Calls on the same object get in
// meanwhile, one at a time, as calls inside a callback do in C: the library refuses them, where
// waiting for the call that waits for the function would never end.
func (s *scope) run(work func() error) Status {
	if s.panicking || s.exited || s.err != nil {
		return ErrCancelled
	}
	if s.turn != nil {
		s.turn.Unlock()
		defer s.turn.Lock()
	}
	done := make(chan struct{})
	go func() {
		returned := false
		defer close(done)
		defer func() {
			if returned {
				return
			}
			s.panicked = recover()
			s.panicking = s.panicked != nil
			s.exited = !s.panicking
		}()
		s.err = work()
		returned = true
	}()
	<-done
	if s.panicking || s.exited {
		return ErrCancelled
	}
	return statusOf(s.err)
}

// end gives the error of the function, or goes on with how it ended.
func (s *scope) end() error {
	if s.panicking {
		panic(s.panicked)
	}
	if s.exited {
		runtime.Goexit()
	}
	return s.err
}
