//go:build !go1.21 && cgo

package netcl

// hostPin has nothing to do: these releases of Go never move what is on the heap.
type hostPin struct{}

func (hostPin) Pin(any) {}

func (hostPin) Unpin() {}
