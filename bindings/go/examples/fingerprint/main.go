// Fingerprint: a little real work whose every byte is the same each time on a device, and in each
// language: examples/fingerprint.c is the same program. It makes a picture, blurs and sharpens it,
// multiplies it with itself, and prints hashes and a few numbers.
//
// usage: go run ./examples/fingerprint [device]
package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"log"
	"os"

	"netcl.example/netcl"
)

const (
	height = 64
	width  = 96
)

// printHash prints FNV-1a over the elements in C order, little-endian.
func printHash(name string, tensor *netcl.Tensor) {
	info, err := tensor.Info()
	check(err)
	data := make([]byte, info.ByteCount)
	check(tensor.Read(context.Background(), data, nil))
	hash := fnv.New64a()
	hash.Write(data)
	fmt.Printf("%-9s %016x\n", name, hash.Sum64())
}

// must gives a tensor that was made, or ends the program.
func must(tensor *netcl.Tensor, err error) *netcl.Tensor {
	check(err)
	return tensor
}

func makePicture(device *netcl.Device) *netcl.Tensor {
	pixels := make([]uint8, height*width)
	for y := 0; y < height; y++ {
		for x := 0; x < width; x++ {
			pixels[y*width+x] = uint8(x*x + 3*y*y + 7*x*y)
		}
	}
	bytes := must(netcl.FromSlice(device, pixels, 1, 1, height, width))
	defer bytes.Close()
	return must(netcl.Expr("f32(v0) / 255.0", bytes))
}

func blur(device *netcl.Device, picture *netcl.Tensor) *netcl.Tensor {
	weights := must(netcl.FromSlice(device, []float32{1, 2, 1, 2, 4, 2, 1, 2, 1}, 1, 1, 3, 3))
	defer weights.Close()
	sum := must(netcl.OpConv2D(picture, weights,
		&netcl.Conv2DOptions{Padding: [4]int{1, 1, 1, 1}}, nil))
	defer sum.Close()
	return must(netcl.Expr("v0 / 16.0", sum))
}

// compareRows tells how alike rows are: the softmax of the products of all rows with all rows.
func compareRows(picture *netcl.Tensor) *netcl.Tensor {
	rows := must(picture.Reshape([]int{height, width}, nil))
	defer rows.Close()
	columns := must(rows.T())
	defer columns.Close()
	products := must(rows.Matmul(columns))
	defer products.Close()
	printHash("products", products)
	return must(products.Softmax(1))
}

func printMeans(alike *netcl.Tensor) {
	means := must(netcl.OpReduce(alike, netcl.ReductionMean,
		&netcl.ReduceOptions{Axes: []int{0}}, nil))
	defer means.Close()
	printHash("means", means)
	values, err := netcl.ToSlice[float32](context.Background(), means)
	check(err)
	for row := 0; row < height; row += 16 {
		fmt.Printf("row %2d    %.9f\n", row, values[row])
	}
}

func main() {
	selector := "auto"
	if len(os.Args) > 1 {
		selector = os.Args[1]
	}
	device, err := netcl.Open(selector)
	check(err)
	defer device.Close()
	info, err := device.Info()
	check(err)
	fmt.Printf("device    %s\n", info.Name)
	picture := makePicture(device)
	defer picture.Close()
	printHash("picture", picture)
	blurred := blur(device, picture)
	defer blurred.Close()
	printHash("blurred", blurred)
	sharp := must(netcl.Expr("clamp(v0 + 1.5 * (v0 - v1), 0.0, 1.0)", picture, blurred))
	defer sharp.Close()
	printHash("sharp", sharp)
	bytes := must(netcl.Expr("u8(round(v0 * 255.0))", sharp))
	defer bytes.Close()
	printHash("bytes", bytes)
	alike := compareRows(sharp)
	defer alike.Close()
	printHash("alike", alike)
	printMeans(alike)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
