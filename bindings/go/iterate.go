//go:build go1.23 && cgo

package netcl

import (
	"context"
	"iter"
)

// Rows gives the views along the first dimension, without it. Each is closed when the next one
// comes; Retain keeps one. The last pair has the error, where there is one.
//
//	for row, err := range x.Rows() {
func (t *Tensor) Rows() iter.Seq2[*Tensor, error] {
	return func(yield func(*Tensor, error) bool) {
		info, err := t.Info()
		if err == nil && info.Rank == 0 {
			err = invalid("a tensor of rank 0 has no rows")
		}
		if err != nil {
			yield(nil, err)
			return
		}
		for place := 0; place < info.Shape[0]; place++ {
			row, err := t.rowAt(info, place)
			more := yield(row, err)
			_ = row.Close()
			if err != nil || !more {
				return
			}
		}
	}
}

func (t *Tensor) rowAt(info TensorInfo, place int) (*Tensor, error) {
	offset := place * info.Strides[0]
	return t.View(info.Shape[1:info.Rank], info.Strides[1:info.Rank], offset)
}

// Elements gives the elements in C order, which are copied to the host first. The last pair has the
// error, where there is one.
func Elements[T Element](ctx context.Context, tensor *Tensor) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		elements, err := ToSlice[T](ctx, tensor)
		for _, element := range elements {
			if !yield(element, nil) {
				return
			}
		}
		if err != nil {
			var none T
			yield(none, err)
		}
	}
}

// Entries gives what the file says of each tensor, without making one.
func (w *Weights) Entries() iter.Seq2[WeightsEntry, error] {
	return func(yield func(WeightsEntry, error) bool) {
		info, err := w.Info()
		if err != nil {
			yield(WeightsEntry{}, err)
			return
		}
		for index := 0; index < info.TensorCount; index++ {
			entry, err := w.Entry(index)
			if !yield(entry, err) || err != nil {
				return
			}
		}
	}
}

// Iterations gives a candidate for each iteration to enqueue, until the measurement has seen enough.
//
//	for candidate, err := range m.Iterations() {
func (m *Measurement) Iterations() iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for {
			candidate, iterations, err := m.Next()
			if err != nil {
				yield(0, err)
				return
			}
			if iterations == 0 {
				return
			}
			for ; iterations > 0; iterations-- {
				if !yield(candidate, nil) {
					return
				}
			}
		}
	}
}

// LogRecords gives the records of the log behind one, as they come, until the context ends.
func LogRecords(ctx context.Context, after uint64) iter.Seq[LogRecord] {
	return func(yield func(LogRecord) bool) {
		own, cancel := context.WithCancel(ctx)
		defer cancel()
		for record := range FollowLog(own, after) {
			if !yield(record) {
				return
			}
		}
	}
}
