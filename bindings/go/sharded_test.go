package netcl_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"netcl.example/netcl"
)

// blockOf has the elements of this rank's block.
func blockOf(sharded *netcl.Sharded) ([]float32, error) {
	block, err := sharded.Block()
	if err != nil {
		return nil, err
	}
	defer block.Close()
	return netcl.ToSlice[float32](context.Background(), block)
}

func holds(sharded *netcl.Sharded, want ...float32) error {
	got, err := blockOf(sharded)
	if err == nil && fmt.Sprint(got) != fmt.Sprint(want) {
		err = fmt.Errorf("the block is %v, not %v", got, want)
	}
	return err
}

// shardedWork makes every call of a sharded tensor, as one of two ranks.
func shardedWork(group *netcl.Group, device *netcl.Device, index int) error {
	rows := &netcl.ShardingOptions{Mesh: []int{2}, Axes: []int{0}}
	columns := &netcl.ShardingOptions{Axes: []int{1}}
	whole := &netcl.ShardingOptions{Axes: []int{netcl.Replicated}}
	place, err := group.DescribeBlock(index, []int{3, 2}, rows)
	if err == nil && (place.First[0] != index || place.Shape[0] != index+1) {
		err = fmt.Errorf("the block of rank %d is %v from %v", index, place.Shape, place.First)
	}
	if err != nil {
		return err
	}
	own := [][]float32{{1, 2}, {3, 4, 5, 6}}[index]
	block, err := netcl.FromSlice(device, own, len(own)/2, 2)
	if err != nil {
		return err
	}
	defer block.Close()
	x, err := netcl.NewSharded(group, block, []int{3, 2}, rows)
	if err != nil {
		return err
	}
	defer x.Close()
	info, err := x.Info()
	text, explainErr := x.Explain()
	if err == nil && (info.Shape[0] != 3 || !strings.HasPrefix(text, "f32 [3, 2], mesh [2]")) {
		err = fmt.Errorf("it is %v: %s", info, text)
	}
	again, againErr := x.Retain()
	turned, turnErr := x.Redistribute(columns, nil)
	if err := firstOf(err, explainErr, againErr, turnErr, again.Close(),
		holds(turned, [][]float32{{1, 3, 5}, {2, 4, 6}}[index]...)); err != nil {
		return err
	}
	defer turned.Close()
	all, err := netcl.FromSlice(device, make([]float32, 6), 3, 2)
	if err != nil {
		return err
	}
	defer all.Close()
	if err := turned.Gather(all, 1, nil); err != nil {
		return err
	}
	source, err := netcl.FromSlice(device, []float32{1, 2, 3, 4}, 2, 2)
	if err != nil {
		return err
	}
	defer source.Close()
	b, err := netcl.NewShardedFromRoot(group, source, 0, whole, nil)
	if err != nil {
		return err
	}
	defer b.Close()
	product, err := x.Matmul(b, nil, nil)
	if err != nil {
		return err
	}
	defer product.Close()
	joined, err := netcl.ExpressionShardedText("v0 + v1", []*netcl.Sharded{x, product}, nil, nil)
	if err != nil {
		return err
	}
	defer joined.Close()
	sum, err := joined.Reduce(netcl.ReductionSum, nil, nil)
	soft, softErr := x.Softmax(1, nil)
	layer, layerErr := x.Layernorm(1, nil, nil)
	square, squareErr := x.Rmsnorm(1, nil, nil)
	rim, rimErr := x.ExchangeHalo([]int{1, 0, 0, 0}, &netcl.HaloOptions{Value: -1}, nil)
	if err := firstOf(err, softErr, layerErr, squareErr, rimErr, holds(sum, 132)); err != nil {
		return err
	}
	got, err := netcl.ToSlice[float32](context.Background(), rim)
	if want := [][]float32{{-1, -1, 1, 2}, {1, 2, 3, 4, 5, 6}}[index]; err == nil &&
		fmt.Sprint(got) != fmt.Sprint(want) {
		err = fmt.Errorf("the block with its rim is %v, not %v", got, want)
	}
	return firstOf(err, sum.Close(), soft.Close(), layer.Close(), square.Close(), rim.Close())
}

func TestShardedOverDevices(t *testing.T) {
	first := open(t)
	defer first.Close()
	second := ok(netcl.OpenDevice(selector(), &netcl.DeviceOptions{Separate: true}))(t)
	defer second.Close()
	devices := []*netcl.Device{first, second}
	groups := ok(netcl.GroupCreateLocal(devices, nil))(t)
	results := make(chan error)
	for r := range groups {
		go func(index int) {
			err := shardedWork(groups[index], devices[index], int(index))
			results <- firstOf(err, groups[index].Close())
		}(r)
	}
	must(t, firstOf(<-results, <-results))
	_, err := netcl.GroupCreateLocal([]*netcl.Device{first, first}, nil)
	fails(t, err, netcl.ErrInvalidArgument, "devices[1] is devices[0] again")
}
