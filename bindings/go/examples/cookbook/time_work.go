package main

import (
	"fmt"
	"time"

	"netcl.example/netcl"
)

func timeWork(device *netcl.Device) error {
	// [recipe]
	s := netcl.NewScope() // closes what it is given
	defer s.Close()
	x := s.Keep(netcl.Random(device, netcl.F32, 1, 64, 64))
	y := s.Keep(netcl.Zeros(device, netcl.F32, 64, 64))
	if err := s.Err(); err != nil {
		return err
	}
	queue, err := device.Queue()
	if err != nil {
		return err
	}
	defer queue.Close()
	statistics, err := queue.Time(func(queue *netcl.Queue) error {
		made, err := x.Matmul(x, netcl.WithInto(y), netcl.WithQueue(queue))
		if err != nil {
			return err
		}
		return made.Close() // one more reference to y
	}, &netcl.MeasurementOptions{Budget: 20 * time.Millisecond}) // by default up to a second
	if err != nil {
		return err
	}
	fmt.Printf("%.1f us, the middle of %d samples\n", statistics.Median*1e-3, statistics.Count)
	return nil
	// [end]
}
