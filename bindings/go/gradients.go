package netcl

// #include "zz_calls.h"
import "C"

import (
	"errors"
	"runtime"
	"strings"
)

// Gradients calls f, and gives the loss that it gives and the gradients of that with respect to the
// inputs: one for each, with its shape and dtype. All ops that f calls are recorded, until it
// returns; Unrecorded and StopGradient make constants.
//
//	loss, gradients, err := netcl.Gradients(func(run *netcl.RunOptions) (*netcl.Tensor, error) {
//		s := netcl.NewScope()
//		defer s.Close()
//		y := s.Keep(s.Keep(x.Matmul(w)).Relu())
//		return s.Give(y.Sum())
//	}, w)
//
// f keeps its thread meanwhile, since calls are recorded by their thread. Goroutines that it starts
// have others: give their ops run, or let them call run.Graph.Record, else what they compute is a
// constant. Gradients within f, and models and compiled graphs that it runs, give constants.
// Gradients of gradients are for a graph: NewGraph and Graph.AddGradients.
//
// ErrInvalidArgument when there is no input, or the loss has not one element or does not depend on
// one of the inputs, ErrInvalidHandle for an input that is closed. An error of f is given as it is.
func Gradients(f func(run *RunOptions) (*Tensor, error), inputs ...*Tensor) (
	loss *Tensor, gradients []*Tensor, err error) {
	if len(inputs) == 0 {
		return nil, nil, invalid("Gradients needs an input")
	}
	device, err := inputs[0].Device()
	if err != nil {
		return nil, nil, err
	}
	defer device.Close()
	graph, err := NewGraph(device, nil)
	if err != nil {
		return nil, nil, err
	}
	// Also where f panics: the tensors that the graph keeps are let go of at once, even where f
	// retained it.
	defer graph.Close()
	defer graph.Clear()
	err = graph.Record(func() error {
		loss, err = f(&RunOptions{Graph: graph})
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	if loss == nil {
		return nil, nil, invalid("the function whose gradients are asked for gave no tensor")
	}
	gradients, err = graph.AddGradients([]*Tensor{loss}, inputs, &GradientsOptions{Consume: true})
	if err != nil {
		// What f gave may be the caller's, so it is not closed here.
		return nil, nil, toldOfConstants(err)
	}
	return loss, gradients, nil
}

// toldOfConstants adds where constants come from to the error that finds one.
func toldOfConstants(err error) error {
	own, is := err.(*Error)
	if is && strings.Contains(own.Message, "by calls that are recorded") {
		own.Message += "; Unrecorded, StopGradient, goroutines that were not given run, models and " +
			"graphs that are run, and indices such as those of Argmax give constants"
	}
	return err
}

// Record records all ops and launches that f calls in the graph, but those whose options name
// another one, and gives the error of f. The goroutine keeps its thread meanwhile, since calls are
// recorded by their thread: goroutines that f starts have others, and call Record themselves. Calls
// that take run and cannot be recorded, such as Graph.Run, are made as they are outside.
func (g *Graph) Record(f func() error) error {
	if f == nil {
		return invalid("f is nil")
	}
	// The handle is good until f has returned, whatever f closes.
	kept, err := g.Retain()
	if err != nil {
		return err
	}
	defer kept.Close()
	return recordIn(kept.pointer(), f)
}

// Unrecorded calls f, whose calls are not recorded by themselves, within Gradients, Graph.Record and
// functions of graphs: what they give is a constant. It gives the error of f.
func Unrecorded(f func() error) error {
	if f == nil {
		return invalid("f is nil")
	}
	return recordIn(0, f)
}

// recordIn makes the calls of this goroutine in f be recorded in a graph, 0 for none.
func recordIn(graph uintptr, f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := C.netclgo_record(C.uintptr_t(graph))
	// Also where f panics.
	defer C.netclgo_record(before)
	return f()
}

// stopGradient is the primitive of StopGradient.
const stopGradient = "netcl_go_stop_gradient"

// StopGradient gives a copy through which no gradient goes: a constant to Gradients, also in a
// function that is compiled, each of whose runs copies what there is then.
func (t *Tensor) StopGradient() (*Tensor, error) {
	constant, err := OpPrimitive(stopGradient, []*Tensor{t}, nil, nil)
	if !errors.Is(err, ErrNotFound) {
		return constant, err
	}
	// Another goroutine may have been faster; what else fails, the call says.
	_ = PrimitiveRegister(stopGradient,
		&PrimitiveOptions{Arity: 1, Forward: "v0", Backward: []string{"0"}})
	return OpPrimitive(stopGradient, []*Tensor{t}, nil, nil)
}
