//go:build go1.23

package netcl_test

import (
	"context"
	"testing"
	"time"

	"netcl.example/netcl"
)

func TestRowsAndElementsAreIterated(t *testing.T) {
	device := open(t)
	defer device.Close()
	whole := counting(t, device, 3, 2)
	defer whole.Close()
	x := ok(whole.T())(t)
	defer x.Close()
	before, seen := live(t), 0
	for row, err := range x.Rows() {
		must(t, err)
		has(t, row, float32(seen), float32(seen+2), float32(seen+4))
		same(t, live(t), before+1)
		seen++
	}
	same(t, seen, 2)
	for range x.Rows() {
		break
	}
	same(t, live(t), before)
	want := float32(0)
	for element, err := range netcl.Elements[float32](background, whole) {
		must(t, err)
		same(t, element, want)
		want++
	}
	same(t, want, 6)
	for _, err := range netcl.Elements[int8](background, whole) {
		fails(t, err, netcl.ErrInvalidArgument, "dtype f32")
	}
	scalar := ok(netcl.Full(device, float32(1)))(t)
	defer scalar.Close()
	for row, err := range scalar.Rows() {
		fails(t, err, netcl.ErrInvalidArgument, "rank 0")
		if row != nil {
			t.Fatal("there is a row")
		}
	}
}

func TestLogAndMeasurementsAreIterated(t *testing.T) {
	must(t, netcl.LogSetLevel(netcl.LogDebug))
	defer netcl.LogSetLevel(netcl.LogWarning)
	makeARecord()
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	for record := range netcl.LogRecords(ctx, 0) {
		if record.Message == "" {
			t.Fatalf("%+v", record)
		}
		break
	}
	device := open(t)
	defer device.Close()
	queue := ok(device.Queue())(t)
	defer queue.Close()
	x := counting(t, device, 4)
	defer x.Close()
	measurement := ok(netcl.NewMeasurement(queue, &netcl.MeasurementOptions{Budget: 10 * time.Millisecond}))(t)
	defer measurement.Close()
	count := 0
	for candidate, err := range measurement.Iterations() {
		must(t, err)
		same(t, candidate, 0)
		y := ok(x.Exp())(t)
		must(t, y.Close())
		count++
	}
	if count == 0 {
		t.Fatal("nothing was measured")
	}
}

func TestEntriesOfWeightsAreIterated(t *testing.T) {
	weights := new(netcl.Weights)
	must(t, weights.Close())
	seen := 0
	for _, err := range weights.Entries() {
		fails(t, err, netcl.ErrInvalidHandle, "weights")
		seen++
	}
	same(t, seen, 1)
}
