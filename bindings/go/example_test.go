package netcl_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"netcl.example/netcl"
)

func Example() {
	device, err := netcl.Open("auto")
	if err != nil {
		log.Fatal(err)
	}
	defer device.Close()
	a, err := netcl.FromSlice(device, []float32{1, 2, 3, 4}, 2, 2)
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	y, err := a.Matmul(a)
	if err != nil {
		log.Fatal(err)
	}
	defer y.Close()
	z, err := netcl.Expr("relu(v0 - 10) * 0.5", y)
	if err != nil {
		log.Fatal(err)
	}
	defer z.Close()
	fmt.Println(z)
	// Output:
	// [[0, 0],
	//  [2.5, 6]]
}

func ExampleToSlice() {
	device, _ := netcl.Open("builtin")
	defer device.Close()
	x, _ := netcl.Full(device, int32(7), 3)
	defer x.Close()
	values, err := netcl.ToSlice[int32](context.Background(), x)
	fmt.Println(values, err)
	// Output: [7 7 7] <nil>
}

func ExampleError() {
	device, _ := netcl.Open("builtin")
	defer device.Close()
	x, _ := netcl.Zeros(device, netcl.F32, 2, 3)
	defer x.Close()
	_, err := x.Matmul(x)
	var failure *netcl.Error
	fmt.Println(errors.Is(err, netcl.ErrInvalidArgument), errors.As(err, &failure))
	fmt.Println(failure.Status, failure.NativeCode)
	// Output:
	// true true
	// netcl: ErrInvalidArgument 0
}

func ExampleEvent_Wait() {
	device, _ := netcl.Open("builtin")
	defer device.Close()
	queue, _ := device.Queue()
	defer queue.Close()
	event, _ := queue.EnqueueMarker(nil)
	defer event.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	fmt.Println(event.Wait(ctx))
	// Output: <nil>
}

func ExampleOpSoftmax() {
	device, _ := netcl.Open("builtin")
	defer device.Close()
	x, _ := netcl.FromSlice(device, []float32{0, 0, 0, 0}, 2, 2)
	defer x.Close()
	// The result goes into x itself, and an event tells when it is there.
	var done *netcl.Event
	y, err := netcl.OpSoftmax(x, 1, &netcl.RunOptions{Into: x, Event: &done})
	if err != nil {
		log.Fatal(err)
	}
	defer y.Close()
	defer done.Close()
	fmt.Printf("%.2f\n", x)
	// Output:
	// [[0.50, 0.50],
	//  [0.50, 0.50]]
}

func ExampleQueue_Time() {
	device, _ := netcl.Open("builtin")
	defer device.Close()
	queue, _ := device.Queue()
	defer queue.Close()
	x, _ := netcl.Random(device, netcl.F32, 1, 64, 64)
	defer x.Close()
	statistics, err := queue.Time(func(queue *netcl.Queue) error {
		y, err := netcl.OpMatmul(x, x, nil, &netcl.RunOptions{Queue: queue})
		_ = y.Close()
		return err
	}, &netcl.MeasurementOptions{Count: 5})
	fmt.Println(statistics.Count, statistics.Median > 0, err)
	// Output: 5 true <nil>
}

func ExampleReadLog() {
	for log := netcl.ReadLog(0); ; {
		record, more := log.Next()
		if !more {
			break
		}
		_ = record.Message
	}
	// Output:
}
