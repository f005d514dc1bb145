// Group: processes of one host that meet at a path. They work out the heat equation on a plate that
// is parted in blocks, and a matrix product of which each holds a block of a, of b and of the result
// (SUMMA). Both are compared with what one device gives: not a bit may differ.
//
// usage: go run ./examples/group [device] [ranks] [steps]
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"

	"netcl"
)

const (
	height = 203
	width  = 301
	size   = 400
)

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func number(index, otherwise int) int {
	if len(os.Args) <= index {
		return otherwise
	}
	return must(strconv.Atoi(os.Args[index]))
}

// meshOf is as square as the ranks allow.
func meshOf(ranks int) []uint32 {
	rows := 1
	for r := 1; r*r <= ranks; r++ {
		if ranks%r == 0 {
			rows = r
		}
	}
	return []uint32{uint32(rows), uint32(ranks / rows)}
}

// step sets into to one step from what wide has within its rim.
func step(wide, into *netcl.Tensor) {
	shape := must(into.Info()).Shape
	views := make([]*netcl.Tensor, 5)
	for i, place := range [][2]int64{{1, 1}, {0, 1}, {2, 1}, {1, 0}, {1, 2}} {
		views[i] = must(wide.Slice([]netcl.Range{
			{Start: place[0], Extent: shape[0], Step: 1}, {Start: place[1], Extent: shape[1], Step: 1}}))
		defer views[i].Close()
	}
	_, err := netcl.OpExpressionText("v0 + 0.2 * (v1 + v2 + v3 + v4 - 4 * v0)", views, nil,
		&netcl.RunOptions{Into: into})
	check(err)
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
	return must(netcl.ToSlice[float32](context.Background(), tensor))
}

// heat gives the plate after some steps, on rank 0.
func heat(group *netcl.Group, device *netcl.Device, lay *netcl.ShardingOptions, steps int) []float32 {
	plate := must(netcl.FromSlice(device, start(), height, width))
	var sharded [2]*netcl.Sharded
	var blocks [2]*netcl.Tensor
	for i := range sharded {
		sharded[i] = must(netcl.NewShardedFromRoot(group, plate, 0, lay, nil))
		blocks[i] = must(sharded[i].Block())
	}
	rim := []int64{1, 1, 1, 1}
	wide := must(sharded[0].ExchangeHalo(rim, nil, nil))
	for i := 0; i < steps; i++ {
		_, err := sharded[i%2].ExchangeHalo(rim, nil, &netcl.RunOptions{Into: wide})
		check(err)
		step(wide, blocks[(i+1)%2])
	}
	check(sharded[steps%2].Gather(plate, 0, nil))
	if must(group.Info()).Rank == 0 {
		fmt.Print(must(sharded[steps%2].Explain()))
	}
	return slice(plate)
}

func product(group *netcl.Group, device *netcl.Device, lay *netcl.ShardingOptions) []float32 {
	var factors [2]*netcl.Sharded
	for i, factor := range []int{7, 5} {
		whole := must(netcl.FromSlice(device, elements(factor), size, size))
		factors[i] = must(netcl.NewShardedFromRoot(group, whole, 0, lay, nil))
	}
	c := must(factors[0].Matmul(factors[1], nil, nil))
	whole := must(netcl.FromSlice(device, make([]float32, size*size), size, size))
	check(c.Gather(whole, 0, nil))
	if must(group.Info()).Rank == 0 {
		fmt.Print(must(c.Explain()))
	}
	return slice(whole)
}

// compare does all of it on one device.
func compare(device *netcl.Device, plate, c []float32, steps int) {
	wide := must(netcl.FromSlice(device, make([]float32, (height+2)*(width+2)), height+2, width+2))
	own := must(netcl.FromSlice(device, start(), height, width))
	inner := must(wide.Slice([]netcl.Range{{Start: 1, Extent: height, Step: 1},
		{Start: 1, Extent: width, Step: 1}}))
	for i := 0; i < steps; i++ {
		_, err := netcl.OpCopy(own, &netcl.RunOptions{Into: inner})
		check(err)
		step(wide, own)
	}
	if !reflect.DeepEqual(slice(own), plate) {
		log.Fatal("the plate is not what one device gives")
	}
	a := must(netcl.FromSlice(device, elements(7), size, size))
	b := must(netcl.FromSlice(device, elements(5), size, size))
	if !reflect.DeepEqual(slice(must(netcl.OpMatmul(a, b, nil, nil))), c) {
		log.Fatal("the product is not what one device gives")
	}
}

// work is one rank.
func work(rank, ranks int, path, selector string, steps int) {
	device := must(netcl.Open(selector))
	group := must(netcl.JoinGroup(device, path, uint32(rank), uint32(ranks), nil))
	mesh := meshOf(ranks)
	lay := &netcl.ShardingOptions{Mesh: mesh}
	plate := heat(group, device, lay, steps)
	c := product(group, device, lay)
	check(group.Barrier(nil))
	if rank == 0 {
		compare(device, plate, c, steps)
		fmt.Printf("%d ranks as %d x %d: as on one device, bit for bit\n", ranks, mesh[0], mesh[1])
	}
	check(group.Close())
	check(device.Close())
}

func main() {
	selector := "auto"
	if len(os.Args) > 1 {
		selector = os.Args[1]
	}
	ranks, steps := number(2, 4), number(3, 100)
	if rank, is := os.LookupEnv("GROUP_RANK"); is {
		work(must(strconv.Atoi(rank)), ranks, os.Getenv("GROUP_PATH"), selector, steps)
		return
	}
	// This process starts the ranks, which are the same program.
	folder := must(os.MkdirTemp("", "netcl-group-"))
	commands := make([]*exec.Cmd, ranks)
	for r := range commands {
		command := exec.Command(must(os.Executable()), os.Args[1:]...)
		command.Env = append(os.Environ(), fmt.Sprint("GROUP_RANK=", r),
			"GROUP_PATH="+filepath.Join(folder, "meet"))
		command.Stdout, command.Stderr = os.Stdout, os.Stderr
		check(command.Start())
		commands[r] = command
	}
	for _, command := range commands {
		if problem := command.Wait(); problem != nil {
			defer log.Fatal(problem)
		}
	}
	check(os.RemoveAll(folder))
}
