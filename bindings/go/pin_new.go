//go:build go1.21 && cgo

package netcl

import "runtime"

// hostPin keeps memory of Go where it is while C uses it.
type hostPin = runtime.Pinner
