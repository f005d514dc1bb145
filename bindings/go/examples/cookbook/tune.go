package main

import (
	"fmt"
	"time"

	"netcl.example/netcl"
)

func tune(device *netcl.Device) error {
	// [recipe]
	search := &netcl.SearchOptions{Budget: 200 * time.Millisecond} // by default a minute
	tuner, err := netcl.NewTuner(device, &netcl.TunerOptions{Search: search})
	if err != nil {
		return err
	}
	defer tuner.Close()
	if err := tuner.AddMatmul(1, 64, 64, 64, netcl.F32); err != nil { // Tuner.Add: a kernel
		return err
	}
	if err := tuner.Run(); err != nil {
		return err
	}
	result, config, err := tuner.Result(0)
	if err != nil {
		return err
	}
	if config != nil {
		defer config.Close()
	}
	fmt.Printf("%s: %.1f us, by default %.1f us\n", result.Name, result.Median/1e3,
		result.DefaultMedian/1e3) // kept on disk: later programs take the winner
	// [end]
	if result.Status != netcl.OK {
		return fmt.Errorf("%s: %s", result.Status, result.Message)
	}
	return nil
}
