//go:build cgo

package netcl

import (
	"io"
	"sync"
)

// Scope closes what was made within it: the temporaries of a computation. It remembers the first
// error too, so that a chain of calls is written without a check behind each one.
//
//	func layer(x, w, bias *netcl.Tensor) (*netcl.Tensor, error) {
//		s := netcl.NewScope()
//		defer s.Close()
//		y := s.Keep(x.Matmul(w))
//		y = s.Keep(y.Add(bias))
//		return s.Give(y.Relu())
//	}
//
// After an error the calls that follow get a nil tensor, which they refuse without doing anything.
// Look at Err before a call whose error goes elsewhere: ToSlice and Item tell of the nil tensor only,
// Shape gives no extents for it, so that Shape()[0] panics, and Dtype gives 0. A scope may be used by
// any number of goroutines.
type Scope struct {
	mutex sync.Mutex
	kept  []io.Closer
	err   error
}

// NewScope makes a scope. Its zero value is one too.
func NewScope() *Scope {
	return &Scope{}
}

// Keep takes what a call gave, and closes it with the scope: s.Keep(x.Matmul(w)). It gives the
// tensor back, nil where the call failed.
func (s *Scope) Keep(tensor *Tensor, err error) *Tensor {
	if s.fails(err) || tensor == nil {
		return nil
	}
	s.Add(tensor)
	return tensor
}

// Keep2 is Keep for calls that give two tensors, such as Topk.
func (s *Scope) Keep2(one, two *Tensor, err error) (*Tensor, *Tensor) {
	return s.Keep(one, err), s.Keep(two, err)
}

// KeepAll is Keep for calls that give a slice of tensors, such as Exprs.
func (s *Scope) KeepAll(tensors []*Tensor, err error) []*Tensor {
	if s.fails(err) {
		return nil
	}
	for _, tensor := range tensors {
		s.Keep(tensor, nil)
	}
	return tensors
}

// Add closes anything with the scope: a kernel, an event, memory of the host.
func (s *Scope) Add(closers ...io.Closer) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.kept = append(s.kept, closers...)
}

// Check takes the error of a call that gives nothing to keep, and tells whether all is well so far.
func (s *Scope) Check(err error) bool {
	s.fails(err)
	return s.Err() == nil
}

// Give is the result of the computation: the tensor of the last call, which outlives the scope, or
// the first error of all calls. The tensor is closed where an earlier one failed.
func (s *Scope) Give(tensor *Tensor, err error) (*Tensor, error) {
	s.fails(err)
	if first := s.Err(); first != nil {
		if tensor != nil {
			_ = tensor.Close()
		}
		return nil, first
	}
	return tensor, nil
}

// Give2 is Give for two results that were kept: they outlive the scope.
//
//	return s.Give2(centres, labels)
func (s *Scope) Give2(one, two *Tensor) (*Tensor, *Tensor, error) {
	if err := s.Err(); err != nil {
		return nil, nil, err
	}
	first, err := one.Retain()
	if err != nil {
		return nil, nil, err
	}
	second, err := two.Retain()
	if err != nil {
		_ = first.Close()
		return nil, nil, err
	}
	return first, second, nil
}

// Err gives the first error.
func (s *Scope) Err() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.err
}

// Close closes what was kept, the last first, and gives the first error of the scope. The scope can
// be used again, as a loop does for each round.
func (s *Scope) Close() error {
	s.mutex.Lock()
	kept, err := s.kept, s.err
	s.kept, s.err = nil, nil
	s.mutex.Unlock()
	for i := len(kept) - 1; i >= 0; i-- {
		if failed := kept[i].Close(); err == nil {
			err = failed
		}
	}
	return err
}

func (s *Scope) fails(err error) bool {
	if err == nil {
		return false
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.err == nil {
		s.err = err
	}
	return true
}
