//go:build cgo

package netcl

import "runtime"

// Run runs the measurement to its end: work enqueues one iteration of a candidate on the queue of
// the measurement. It stops at the first error.
func (m *Measurement) Run(work func(candidate int) error) error {
	if work == nil {
		return invalid("work is nil")
	}
	for {
		candidate, iterations, err := m.Next()
		if err != nil || iterations == 0 {
			return err
		}
		for ; iterations > 0; iterations-- {
			if err := work(candidate); err != nil {
				return err
			}
		}
	}
}

// InRegion runs work inside a region: what it enqueues on the queue belongs to it. parent may be
// nil. The goroutine keeps its thread meanwhile, since commands belong to the region of the thread
// that enqueues them. Goroutines that work starts have other threads: what they enqueue is outside,
// unless they call InRegion with this region as the parent.
func (q *Queue) InRegion(parent *Region, name string, work func(region *Region) error) error {
	if work == nil {
		return invalid("work is nil")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	region, err := BeginRegion(q, parent, name)
	if err != nil {
		return err
	}
	// A region that is still open ends with its last reference, also when work panics.
	defer region.Close()
	if err := work(region); err != nil {
		return err
	}
	return region.End()
}
