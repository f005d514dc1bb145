package netcl

// #include "zz_calls.h"
import "C"

import (
	"context"
	"errors"
	"runtime"
	"time"
)

// A run that is to end is told so, and one that may begin is looked for, this often.
const runInterval = time.Millisecond

// RunContext is Run, cancelled when the context ends; the error is that of the context then. What
// was measured by then is kept.
func (t *Tuner) RunContext(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- t.Run() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	for {
		// Once is too little: a run that has not begun yet would not notice.
		_ = t.Cancel()
		select {
		case err := <-done:
			if errors.Is(err, ErrCancelled) {
				return ctx.Err()
			}
			return err
		case <-time.After(runInterval):
		}
	}
}

// Start runs the tuner on a goroutine of its own and gives what happens as it happens, as RunContext
// and Follow together do. The channel is closed when the run is over and all is given, or when the
// context ends. wait gives the result of the run; the rest of the events is dropped then. It has to
// be called, or the context has to end.
//
//	events, wait := tuner.Start(ctx)
//	for event := range events {
//		fmt.Printf("%3.0f %%\n", 100*event.Fraction)
//	}
//	err := wait()
func (t *Tuner) Start(ctx context.Context) (events <-chan SearchEvent, wait func() error) {
	after := t.lastEvent()
	reading, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	var result error
	go func() {
		defer close(done)
		result = t.RunContext(ctx)
	}()
	isOver := func() bool {
		select {
		case <-done:
			return true
		default:
			return false
		}
	}
	wait = func() error {
		stop()
		<-done
		return result
	}
	return followEvents(reading, after, t.ReadEvent, isOver), wait
}

// Follow gives the events of a tuner that are kept, and those of all its runs as they come, until
// the context ends or the tuner is closed.
func (t *Tuner) Follow(ctx context.Context) <-chan SearchEvent {
	return followEvents(ctx, 0, t.ReadEvent, func() bool { return false })
}

// Follow gives the events of a search that are kept, and those to come as they come, until the
// search is over, which closes the channel, or the context ends.
func (s *Search) Follow(ctx context.Context) <-chan SearchEvent {
	return followEvents(ctx, 0, s.ReadEvent, func() bool { return true })
}

// lastEvent passes over the events of earlier runs.
func (t *Tuner) lastEvent() (last uint64) {
	for {
		got := C.netclgo_tuner_read_event(C.uintptr_t(t.pointer()), C.uint64_t(last), 0)
		runtime.KeepAlive(t)
		if errorOf(got.outcome) != nil {
			return last
		}
		event := newSearchEvent(&got.out_event)
		last = event.Sequence
	}
}

// followEvents gives events until the context ends, or until there is none and isOver said before
// that none would come.
func followEvents(ctx context.Context, after uint64,
	read func(context.Context, uint64) (SearchEvent, error), isOver func() bool) <-chan SearchEvent {
	events := make(chan SearchEvent)
	go func() {
		defer close(events)
		for ctx.Err() == nil {
			over := isOver()
			event, err := read(ctx, after)
			switch {
			case err == nil:
				after = event.Sequence
				select {
				case events <- event:
				case <-ctx.Done():
				}
			case over || !errors.Is(err, ErrNotFound):
				return
			default:
				select {
				case <-time.After(runInterval):
				case <-ctx.Done():
				}
			}
		}
	}()
	return events
}
