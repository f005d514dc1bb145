// Customkernel: OpenCL C of one's own on tensors, timed by the device's events.
//
// usage: go run ./examples/customkernel [device]
//
// The built-in device takes no kernels; there the program says so.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"sort"
	"time"

	"netcl.example/netcl"
)

const (
	count  = 1 << 20
	source = `
__kernel void axpy(__global const float *x, __global float *y, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}`
)

func main() {
	selector := "auto"
	if len(os.Args) > 1 {
		selector = os.Args[1]
	}
	if err := run(selector); err != nil {
		log.Fatal(err)
	}
}

func run(selector string) error {
	device, err := netcl.Open(selector)
	if err != nil {
		return err
	}
	defer device.Close()
	kernel, err := netcl.NewKernel(device, "axpy", &netcl.KernelOptions{Source: source})
	if errors.Is(err, netcl.ErrUnsupported) {
		fmt.Printf("not on this device: %v\n", err)
		return nil
	}
	if err != nil {
		return err
	}
	defer kernel.Close()
	x, err := netcl.Full(device, float32(2), count)
	if err != nil {
		return err
	}
	defer x.Close()
	y, err := netcl.Full(device, float32(1), count)
	if err != nil {
		return err
	}
	defer y.Close()
	queue, err := device.Queue()
	if err != nil {
		return err
	}
	defer queue.Close()
	// Times are recorded for what is enqueued from here on.
	if err := queue.SetProfiling(true); err != nil {
		return err
	}
	var times []time.Duration
	for i := 0; i < 10; i++ {
		spent, err := launch(kernel, x, y)
		if err != nil {
			return err
		}
		times = append(times, spent)
	}
	values, err := netcl.ToSlice[float32](context.Background(), y)
	if err != nil {
		return err
	}
	for _, value := range values {
		if value != 61 {
			return fmt.Errorf("1 + 10 * 3 * 2 is 61, not %v", value)
		}
	}
	sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
	median := times[len(times)/2]
	fmt.Printf("%v: %v, %.1f GB/s\n", device, median, 3*4*count/median.Seconds()/1e9)
	return nil
}

func launch(kernel *netcl.Kernel, x, y *netcl.Tensor) (time.Duration, error) {
	args := []netcl.Arg{netcl.ReadOnlyArg(x), netcl.TensorArg(y), netcl.ScalarArg(float32(3))}
	var done *netcl.Event
	err := kernel.Launch([]uint64{count}, nil, args, nil, &netcl.RunOptions{Event: &done})
	if err != nil {
		return 0, err
	}
	defer done.Close()
	if err := done.Wait(context.Background()); err != nil {
		return 0, err
	}
	timing, err := done.Timing()
	return timing.Ended - timing.Started, err
}
