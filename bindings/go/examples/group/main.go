// Group: the heat equation on a plate that is parted in blocks among the ranks of a group, and a
// matrix product of which each rank holds a block of a, of b and of the result (SUMMA). Both are
// compared with what one device gives: not a bit may differ.
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

// elements are multiples of 1/8, so that sums are exact however they are parted.
func elements(factor int) []float32 {
	all := make([]float32, size*size)
	for i := range all {
		all[i] = float32((i/size*factor+i%size*3)%11-5) / 8
	}
	return all
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

func product(group *netcl.Group, device *netcl.Device, lay *netcl.ShardingOptions) []float32 {
	var factors [2]*netcl.Sharded
	for i, factor := range []int{7, 5} {
		whole := ranks.Must(netcl.FromSlice(device, elements(factor), size, size))
		factors[i] = ranks.Must(netcl.NewShardedFromRoot(group, whole, 0, lay, nil))
	}
	c := ranks.Must(factors[0].Matmul(factors[1], nil, nil))
	whole := ranks.Must(netcl.FromSlice(device, make([]float32, size*size), size, size))
	ranks.Check(c.Gather(whole, 0, nil))
	if ranks.Must(group.Info()).Rank == 0 {
		fmt.Print(ranks.Must(c.Explain()))
	}
	return slice(whole)
}

// compare does all of it on one device.
func compare(device *netcl.Device, plate, c []float32, steps int) {
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
	a := ranks.Must(netcl.FromSlice(device, elements(7), size, size))
	b := ranks.Must(netcl.FromSlice(device, elements(5), size, size))
	if !reflect.DeepEqual(slice(ranks.Must(netcl.OpMatmul(a, b, nil, nil))), c) {
		log.Fatal("the product is not what one device gives")
	}
}

func work(rank *ranks.Rank, steps int) {
	mesh := meshOf(rank.Size)
	lay := &netcl.ShardingOptions{Mesh: mesh}
	plate := heat(rank.Group, rank.Device, lay, steps)
	c := product(rank.Group, rank.Device, lay)
	ranks.Check(rank.Group.Barrier(nil))
	if rank.Index == 0 {
		compare(rank.Device, plate, c, steps)
		fmt.Printf("%d ranks as %d x %d: as on one device, bit for bit\n", rank.Size, mesh[0], mesh[1])
	}
}

func main() {
	all := ranks.Options()
	steps := flag.Int("steps", 100, "of the plate")
	flag.Parse()
	all.Run(func(rank *ranks.Rank) { work(rank, *steps) })
}
