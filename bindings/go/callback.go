//go:build cgo

package netcl

import (
	"runtime/cgo"
	"sync"
)

// scope is a function of Go that C calls during one call. Neither a panic nor runtime.Goexit (which
// t.Fatal is) may pass through C, and what the function enqueues belongs to the regions of the
// caller's thread. So the call into C is made on a goroutine of its own, and the function runs on
// that of the caller, which waits there with nothing of C on its stack.
type scope struct {
	function any
	handle   cgo.Handle
	turn     *sync.Mutex // what the call holds, nil for none
	requests chan func() error
	answers  chan Status
	ended    bool  // by a panic or runtime.Goexit
	err      error // of the function
}

// openScope gives the scope and what C passes on to the function; 0 when there is none.
func openScope(function any, none bool, turn *sync.Mutex) (*scope, uintptr) {
	made := &scope{function: function, turn: turn}
	if none {
		return made, 0
	}
	made.requests, made.answers = make(chan func() error), make(chan Status)
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

// call makes the call into C and runs the function whenever C calls it. A panic in the function, or
// its end by runtime.Goexit, goes on when C has returned.
func (s *scope) call(enter func()) {
	if s.handle == 0 {
		enter()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		enter()
	}()
	defer func() { <-done }()
	for {
		select {
		case work := <-s.requests:
			s.serve(work)
		case <-done:
			return
		}
	}
}

// serve runs the function and answers whatever happens: nobody else would ever tell C that it is done.
func (s *scope) serve(work func() error) {
	answer := ErrCancelled
	s.ended = true
	defer func() { s.answers <- answer }()
	s.err = work()
	s.ended = false
	answer = statusOf(s.err)
}

// run has the caller's goroutine call the function, unless it has ended the call before. Calls on
// the same object get in meanwhile, one at a time, as calls inside a callback do in C: the library
// refuses them, where waiting for the call that waits for the function would never end.
func (s *scope) run(work func() error) Status {
	if s.ended || s.err != nil {
		return ErrCancelled
	}
	if s.turn != nil {
		s.turn.Unlock()
		defer s.turn.Lock()
	}
	s.requests <- work
	return <-s.answers
}
