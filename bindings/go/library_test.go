package netcl_test

import (
	"context"
	"testing"
	"time"

	"netcl.example/netcl"
)

func TestVersionsAgree(t *testing.T) {
	info := ok(netcl.GetLibraryInfo())(t)
	same(t, info.VersionNumber, netcl.VersionNumber)
	same(t, netcl.GetVersionNumber(), netcl.VersionNumber)
	same(t, info.Version, netcl.VersionString())
	same(t, netcl.ErrTimeout.Name(), "NETCL_ERROR_TIMEOUT")
	same(t, netcl.ErrTimeout.String(), "ErrTimeout")
	same(t, netcl.Status(-99).Name(), "unknown status")
}

// Giving a bad handle back is logged; it is an easy way to make a record.
func makeARecord() {
	netcl.ExpressionFromHandle(0x12345678).Close()
}

func TestTheLogIsReadAndFollowed(t *testing.T) {
	must(t, netcl.LogSetLevel(netcl.LogDebug))
	defer netcl.LogSetLevel(netcl.LogWarning)
	log := netcl.ReadLog(0)
	before := uint64(0)
	for record, more := log.Next(); more; record, more = log.Next() {
		before = record.Sequence
	}
	makeARecord()
	record, more := log.Next()
	if !more || record.Sequence <= before || record.Message == "" ||
		time.Since(record.When()) > time.Hour || time.Since(record.When()) < -time.Hour {
		t.Fatalf("%+v", record)
	}
	if record, more := netcl.ReadLog(1 << 62).Next(); more {
		t.Fatalf("%+v", record)
	}
	fails(t, failed(netcl.LogRead(1<<62)), netcl.ErrNotFound, "")

	ctx, cancel := context.WithCancel(background)
	records := netcl.FollowLog(ctx, record.Sequence)
	makeARecord()
	next := <-records
	if next.Sequence <= record.Sequence {
		t.Fatalf("%+v", next)
	}
	cancel()
	for range records {
	}
	refused(t, netcl.LogSetLevel(17))
}

func TestWaitsAndInterruptsAreSettings(t *testing.T) {
	must(t, netcl.LibrarySetExitTimeout(time.Second))
	fails(t, netcl.LibrarySetExitTimeout(-1), netcl.ErrInvalidArgument, "negative")
	must(t, netcl.InterruptDisable())
	must(t, netcl.InterruptEnable(time.Minute))
	must(t, netcl.InterruptDisable())
}

func TestShutdownLeavesEverythingUsable(t *testing.T) {
	device := open(t)
	defer device.Close()
	x := ok(netcl.Full(device, int32(3), 2))(t)
	defer x.Close()
	must(t, netcl.Shutdown(background))
	has(t, x, int32(3), 3)
}
