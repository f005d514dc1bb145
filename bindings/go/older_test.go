//go:build netclcount

package netcl_test

import (
	"math"
	"testing"

	"netcl.example/netcl"
)

// A program that knows a struct as it was at first gets the defaults of what came later, and keeps
// what lies behind the struct.
func TestOlderCallersAreServed(t *testing.T) {
	device := open(t)
	defer device.Close()
	x, err := netcl.FromSlice(device, []float32{1e-3, -1e-3}, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	wanted := map[bool]float64{false: math.Sqrt(1e-6 / 1.1e-5), true: 1}
	for whole, value := range wanted {
		y, status := netcl.OlderLayernorm(x, whole)
		if status != netcl.OK {
			t.Fatalf("whole = %v: %v", whole, status)
		}
		got, err := netcl.ToSlice[float32](background, y)
		y.Close()
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(float64(got[0])-value) > 1e-4 || math.Abs(float64(got[1])+value) > 1e-4 {
			t.Errorf("whole = %v: %v, not ±%v", whole, got, value)
		}
	}
	bytes, written, status := netcl.OlderBufferInfo(x)
	if status != netcl.OK || bytes != 8 || written != 0 {
		t.Errorf("%v, %v bytes, %v of those behind the struct written", status, bytes, written)
	}
}
