// Tuner: finds faster variants of ops, and on OpenCL devices parameters of a kernel of one's own,
// and tells how it gets on through a channel.
//
// usage: go run ./examples/tuner [device]
//
// What is found stays in memory here; with NETCL_TUNE=cache, the default, a program finds what was
// stored in the database of the user.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"netcl.example/netcl"
)

const (
	count  = 1 << 18
	source = `
#ifndef STEP
#define STEP 1
#endif
__kernel void scale(__global const float *x, __global float *y, float a) {
  size_t first = get_global_id(0) * STEP;
  if (get_global_id(0) < get_global_size(0) / STEP) {
    for (size_t i = first; i < first + STEP; ++i) y[i] = a * x[i];
  }
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
	fmt.Println(device)
	database, err := netcl.OpenTuningDatabase(":memory:")
	if err != nil {
		return err
	}
	defer database.Close()
	tuner, err := netcl.NewTuner(device, &netcl.TunerOptions{Database: database, InProcess: true,
		Search: &netcl.SearchOptions{Evaluations: 8, Samples: 5, Budget: 5 * time.Second}})
	if err != nil {
		return err
	}
	defer tuner.Close()
	if err := tuner.AddMatmul(1, 96, 80, 64, netcl.F32); err != nil {
		return err
	}
	if err := tuner.AddReduction(4, 20000, netcl.F32); err != nil {
		return err
	}
	if err := addKernel(device, tuner); err != nil {
		return err
	}

	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	progress, wait := tuner.Start(ctx)
	events := 0
	for event := range progress {
		if event.Kind == netcl.SearchEventBest {
			fmt.Printf("  entry %d: candidate %d leads with %v\n", event.Entry, event.Candidate,
				time.Duration(event.BestNs))
		}
		events++
	}
	if err := wait(); err != nil {
		return err
	}
	fmt.Printf("%d events\n", events)
	return printResults(tuner)
}

// addKernel adds a kernel with a macro to tune. The built-in device takes no kernels.
func addKernel(device *netcl.Device, tuner *netcl.Tuner) error {
	kernel, err := netcl.NewKernelFromSource(device, "scale", source)
	if errors.Is(err, netcl.ErrUnsupported) {
		return nil
	}
	if err != nil {
		return err
	}
	defer kernel.Close()
	x, err := netcl.Random(device, netcl.F32, 1, count)
	if err != nil {
		return err
	}
	defer x.Close()
	y, err := netcl.Zeros(device, netcl.F32, count)
	if err != nil {
		return err
	}
	defer y.Close()
	space, err := netcl.NewSpace()
	if err != nil {
		return err
	}
	defer space.Close()
	if err := space.AddInts("STEP", []int{1, 2, 4, 8}); err != nil {
		return err
	}
	args := []netcl.Arg{netcl.ReadOnlyArg(x), netcl.TensorArg(y), netcl.ScalarArg(float32(2))}
	return tuner.Add(kernel, []uint64{count}, args, &netcl.KernelTuning{Space: space})
}

func printResults(tuner *netcl.Tuner) error {
	entries, err := tuner.Count()
	if err != nil {
		return err
	}
	for index := 0; index < entries; index++ {
		result, config, err := tuner.Result(index)
		if err != nil {
			return err
		}
		if result.Status != netcl.OK {
			return fmt.Errorf("%s: %s", result.Name, result.Message)
		}
		text, err := config.JSON()
		if err != nil {
			return err
		}
		fmt.Printf("%s: %v instead of %v after %d candidates: %s\n", result.Name,
			time.Duration(result.Median), time.Duration(result.DefaultMedian), result.Evaluations,
			text)
		if err := config.Close(); err != nil {
			return err
		}
	}
	return nil
}
