// Group: the heat equation on a plate that is parted in blocks among the ranks of a group, and a
// matrix product of which each rank holds a block of a, of b and of the result (SUMMA), and none has
// more. The plate is compared with what one device gives, elements of the product with their sums:
// not a bit may differ.
//
// usage: go run ./examples/group [-device SELECTOR]... [-threads | -meet PATH] [-ranks N] [-steps N]
//
// Ranks are processes that meet at a path, or, with -threads, devices of one process with a goroutine
// each. Of processes that something else has started each is one rank with -meet:
//
//	go build ./examples/group && mpirun -np 4 ./group -meet /tmp/$USER/meet
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"reflect"

	"netcl.example/netcl"
	"netcl.example/netcl/examples/internal/ranks"
)

const (
	height = 203
	width  = 301
	size   = 400
)

// meshOf is as square as the ranks allow.
func meshOf(size int) []int {
	rows := 1
	for r := 1; r*r <= size; r++ {
		if size%r == 0 {
			rows = r
		}
	}
	return []int{rows, size / rows}
}

// step sets into to one step from what wide has within its rim.
func step(wide, into *netcl.Tensor) {
	shape := ranks.Must(into.Info()).Shape
	views := make([]*netcl.Tensor, 5)
	for i, place := range [][2]int{{1, 1}, {0, 1}, {2, 1}, {1, 0}, {1, 2}} {
		views[i] = ranks.Must(wide.Slice([]netcl.Range{
			{Start: int(place[0]), Extent: shape[0], Step: 1}, {Start: int(place[1]), Extent: shape[1], Step: 1}}))
		defer views[i].Close()
	}
	_, err := netcl.OpExpressionText("v0 + 0.2 * (v1 + v2 + v3 + v4 - 4 * v0)", views, nil,
		&netcl.RunOptions{Into: into})
	ranks.Check(err)
}

// start is the plate at the beginning: two hot spots.
func start() []float32 {
	plate := make([]float32, height*width)
	for i := range plate {
		y, x := i/width, i%width
		plate[i] = float32(x % 7)
		if (y/50 == 1 && x/60 == 2) || (y > 150 && x < 40) {
			plate[i] = 100
		}
	}
	return plate
}

// element is a multiple of 1/8, so that sums are exact however they are parted.
func element(factor, row, column int) float32 {
	return float32((row*factor+column*3)%11-5) / 8
}

func slice(tensor *netcl.Tensor) []float32 {
	return ranks.Must(netcl.ToSlice[float32](context.Background(), tensor))
}

// heat gives the plate after some steps, on rank 0.
func heat(group *netcl.Group, device *netcl.Device, lay *netcl.ShardingOptions, steps int) []float32 {
	plate := ranks.Must(netcl.FromSlice(device, start(), height, width))
	var sharded [2]*netcl.Sharded
	var blocks [2]*netcl.Tensor
	for i := range sharded {
		sharded[i] = ranks.Must(netcl.NewShardedFromRoot(group, plate, 0, lay, nil))
		blocks[i] = ranks.Must(sharded[i].Block())
	}
	rim := []int{1, 1, 1, 1}
	wide := ranks.Must(sharded[0].ExchangeHalo(rim, nil, nil))
	for i := 0; i < steps; i++ {
		_, err := sharded[i%2].ExchangeHalo(rim, nil, &netcl.RunOptions{Into: wide})
		ranks.Check(err)
		step(wide, blocks[(i+1)%2])
	}
	ranks.Check(sharded[steps%2].Gather(plate, 0, nil))
	if ranks.Must(group.Info()).Rank == 0 {
		fmt.Print(ranks.Must(sharded[steps%2].Explain()))
	}
	return slice(plate)
}

// product makes a block of each factor and multiplies; then it works out some elements of this rank's
// block of the product by itself.
func product(group *netcl.Group, device *netcl.Device, lay *netcl.ShardingOptions) {
	rank := ranks.Must(group.Info()).Rank
	place := ranks.Must(group.DescribeBlock(rank, []int{size, size}, lay))
	rows, columns := place.Shape[0], place.Shape[1]
	var factors [2]*netcl.Sharded
	for i, factor := range []int{7, 5} {
		values := make([]float32, rows*columns)
		for k := range values {
			values[k] = element(factor, place.First[0]+k/columns, place.First[1]+k%columns)
		}
		block := ranks.Must(netcl.FromSlice(device, values, rows, columns))
		factors[i] = ranks.Must(netcl.NewSharded(group, block, []int{size, size}, lay))
	}
	c := ranks.Must(factors[0].Matmul(factors[1], nil, nil))
	if rank == 0 {
		fmt.Print(ranks.Must(c.Explain()))
	}
	got := slice(ranks.Must(c.Block()))
	for k := 0; k < len(got); k += 17 {
		row, column := place.First[0]+k/columns, place.First[1]+k%columns
		var sum float32
		for d := 0; d < size; d++ {
			sum += element(7, row, d) * element(5, d, column)
		}
		if got[k] != sum {
			log.Fatalf("element [%d, %d] of the product is %v, not %v", row, column, got[k], sum)
		}
	}
}

// compare does the steps on one device.
func compare(device *netcl.Device, plate []float32, steps int) {
	wide := ranks.Must(netcl.FromSlice(device, make([]float32, (height+2)*(width+2)), height+2, width+2))
	own := ranks.Must(netcl.FromSlice(device, start(), height, width))
	inner := ranks.Must(wide.Slice([]netcl.Range{{Start: 1, Extent: height, Step: 1},
		{Start: 1, Extent: width, Step: 1}}))
	for i := 0; i < steps; i++ {
		_, err := netcl.OpCopy(own, &netcl.RunOptions{Into: inner})
		ranks.Check(err)
		step(wide, own)
	}
	if !reflect.DeepEqual(slice(own), plate) {
		log.Fatal("the plate is not what one device gives")
	}
}

func work(rank *ranks.Rank, steps int) {
	mesh := meshOf(rank.Size)
	lay := &netcl.ShardingOptions{Mesh: mesh}
	plate := heat(rank.Group, rank.Device, lay, steps)
	product(rank.Group, rank.Device, lay)
	ranks.Check(rank.Group.Barrier(nil))
	if rank.Index == 0 {
		compare(rank.Device, plate, steps)
		fmt.Printf("%d ranks as %d x %d: as on one device, bit for bit\n", rank.Size, mesh[0], mesh[1])
	}
}

func main() {
	all := ranks.Options()
	steps := flag.Int("steps", 100, "of the plate")
	flag.Parse()
	all.Run(func(rank *ranks.Rank) { work(rank, *steps) })
}
