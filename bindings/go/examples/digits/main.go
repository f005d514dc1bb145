// Digits: a small convolutional network reads handwritten digits, on each device and with each
// convolution variant; the digits read must be the same every time. It has the weights of
// examples/digits, where train.py shows how they were made.
//
// usage: go run ./examples/digits [-device SELECTOR] [-weights FOLDER] [MNIST_FOLDER]
//
// With MNIST_FOLDER (t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte, or the same with .gz) the
// accuracy is measured; without it the program draws digits of its own.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"time"

	"netcl.example/netcl"
	"netcl.example/netcl/examples/internal/mnist"
)

const (
	batchMost     = 1000
	accuracyLeast = 0.97
	heldOutEvery  = 5 // Training never saw every fifth image.
)

var variants = []struct {
	name    string
	variant netcl.Variant
	tile    int
}{
	{"chosen", netcl.VariantAuto, 0}, {"naive", netcl.VariantConv2DNaive, 0},
	{"im2col", netcl.VariantConv2DIm2col, 0},
	{"implicit_gemm", netcl.VariantConv2DImplicitGemm, 0},
	{"tiled_local", netcl.VariantConv2DTiledLocal, 0},
	{"winograd F(2,3)", netcl.VariantConv2DWinograd, 2},
	{"winograd F(4,3)", netcl.VariantConv2DWinograd, 4},
}

func main() {
	selector := flag.String("device", "", "a selector of netcl; all kinds of devices without it")
	weights := flag.String("weights", "../../examples/digits/weights", "the folder of weights")
	flag.Parse()
	if err := run(*selector, *weights, flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
}

func run(selector, weights, folder string) error {
	pictures, err := mnist.Load(folder)
	if err != nil {
		return err
	}
	selectors := []string{"builtin", "cpu", "gpu"}
	if selector != "" {
		selectors = []string{selector}
	}
	var digits []int64
	for _, name := range selectors {
		device, err := netcl.Open(name)
		if selector == "" && errors.Is(err, netcl.ErrNoDevice) {
			fmt.Printf("%s: none here\n", name)
			continue
		}
		if err != nil {
			return err
		}
		digits, err = checkDevice(device, weights, pictures, digits)
		device.Close()
		if err != nil {
			return err
		}
	}
	if pictures.Labels == nil {
		fmt.Printf("%d drawn digits; accuracy was not measured, since no MNIST folder was given\n",
			pictures.Count)
		return nil
	}
	return printAccuracy(pictures, digits)
}

// checkDevice runs all variants and compares what they read with what was read before.
func checkDevice(device *netcl.Device, weights string, pictures *mnist.Images,
	before []int64) ([]int64, error) {
	fmt.Println(device)
	net, err := loadNetwork(device, weights)
	if err != nil {
		return nil, err
	}
	defer net.close()
	for _, v := range variants {
		if _, err := classify(net, pictures, v.variant, v.tile); err != nil {
			return nil, err
		}
		start := time.Now()
		digits, err := classify(net, pictures, v.variant, v.tile)
		if err != nil {
			return nil, err
		}
		rate := float64(pictures.Count) / time.Since(start).Seconds()
		for i := range before {
			if digits[i] != before[i] {
				return nil, fmt.Errorf("%s: image %d is %d, and was %d", v.name, i, digits[i],
					before[i])
			}
		}
		before = digits
		fmt.Printf("  %-16s %8.0f images/s   the same digits\n", v.name, rate)
	}
	return before, nil
}

// classify gives the digit with the highest probability for each image.
func classify(net *network, pictures *mnist.Images, variant netcl.Variant, tile int) ([]int64, error) {
	var digits []int64
	for at := 0; at < pictures.Count; at += batchMost {
		end := at + batchMost
		if end > pictures.Count {
			end = pictures.Count
		}
		odds, err := net.run(pictures.Pixels[at*mnist.Pixels:end*mnist.Pixels], variant, tile)
		if err != nil {
			return nil, err
		}
		best, err := netcl.OpReduce(odds, netcl.ReductionArgmax,
			&netcl.ReduceOptions{Axes: []int{1}}, nil)
		odds.Close()
		if err != nil {
			return nil, err
		}
		part, err := netcl.ToSlice[int64](context.Background(), best)
		best.Close()
		if err != nil {
			return nil, err
		}
		digits = append(digits, part...)
	}
	return digits, nil
}

func printAccuracy(pictures *mnist.Images, digits []int64) error {
	right, heldRight, held := 0, 0, 0
	for i, digit := range digits {
		hit := 0
		if digit == int64(pictures.Labels[i]) {
			hit = 1
		}
		right += hit
		if i%heldOutEvery == heldOutEvery-1 {
			heldRight += hit
			held++
		}
	}
	share := float64(heldRight) / float64(held)
	fmt.Printf("all %d images: %.2f %%; %d held out of training: %.2f %%\n", pictures.Count,
		100*float64(right)/float64(pictures.Count), held, 100*share)
	if share < accuracyLeast {
		fmt.Fprintln(os.Stderr, "below 97 % of the held-out images")
		os.Exit(1)
	}
	return nil
}
