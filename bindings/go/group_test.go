package netcl_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"netcl.example/netcl"
)

// What one of two ranks works with.
type rankTensors struct{ x, w, y, z *netcl.Tensor }

func firstOf(all ...error) error {
	for _, one := range all {
		if one != nil {
			return one
		}
	}
	return nil
}

// rankWork makes every call of a group, as one of two ranks.
func rankWork(group *netcl.Group, index int, t rankTensors) error {
	info, err := group.Info()
	if err == nil && (info.Rank != index || info.Size != 2) {
		err = errors.New("the group has another rank or size")
	}
	device, deviceErr := group.Device()
	_, describeErr := group.DescribeDevice(1 - index)
	_, failureErr := group.Error()
	again, retainErr := group.Retain()
	part, splitErr := group.Split([]int{5, 5})
	pair := group.Send
	if index == 1 {
		pair = group.Receive
	}
	return firstOf(err, deviceErr, describeErr, failureErr, retainErr, splitErr,
		group.Barrier(nil),
		group.AllReduce(t.x, t.x, netcl.ReductionSum, nil),
		group.Reduce(t.x, t.x, netcl.ReductionSum, 0, nil),
		group.Broadcast(t.x, 0, nil),
		group.AllGather(t.x, t.y, nil),
		group.Gather(t.x, t.y, 0, nil),
		group.ReduceScatter(t.x, t.z, netcl.ReductionSum, nil),
		group.AllToAll(t.x, []int{1, 1}, t.w, nil),
		group.Scatter(t.x, t.z, 0, nil),
		pair(t.w, 1-index, nil),
		part.Barrier(nil),
		part.Close(), again.Close(), device.Close())
}

// There is no MPI in this program, whether or not libnetcl-mpi.so is there.
func TestGroupOfMpi(t *testing.T) {
	device := open(t)
	defer device.Close()
	_, err := netcl.NewGroupMpi(device, int(netcl.MpiWorld), nil)
	if !errors.Is(err, netcl.ErrInvalidArgument) && !errors.Is(err, netcl.ErrUnsupported) {
		t.Fatalf("a group of MPI without MPI gives %v", err)
	}
	_, err = netcl.NewGroupMpi(device, netcl.MpiWorld+1, nil)
	if !errors.Is(err, netcl.ErrInvalidArgument) {
		t.Fatalf("a wrong communicator gives %v", err)
	}
}

func TestGroupOfGoroutines(t *testing.T) {
	device := open(t)
	defer device.Close()
	path := filepath.Join(t.TempDir(), "netcl.example/netcl", "meet")
	var ranks [2]rankTensors
	for r := range ranks {
		ranks[r] = rankTensors{
			tensor(t, device, []float32{float32(r) + 1, 2}, 2), tensor(t, device, []float32{0, 0}, 2),
			tensor(t, device, []float32{0, 0, 0, 0}, 4), tensor(t, device, []float32{0}, 1)}
	}
	results := make(chan error)
	for r := range ranks {
		go func(index int) {
			group, err := netcl.JoinGroup(device, path, index, 2, nil)
			if err == nil {
				err = firstOf(rankWork(group, index, ranks[index]), group.Close())
			}
			results <- err
		}(r)
	}
	must(t, firstOf(<-results, <-results))
	for r, rank := range ranks {
		has[float32](t, rank.x, 6, 8)
		has[float32](t, rank.w, 6, 6)
		has[float32](t, rank.y, 6, 8, 6, 8)
		has[float32](t, rank.z, []float32{6, 8}[r])
		for _, one := range []*netcl.Tensor{rank.x, rank.w, rank.y, rank.z} {
			must(t, one.Close())
		}
	}
}

// reduceGradient gives the gradient of the sum of x*x, joined over the ranks.
func reduceGradient(group *netcl.Group, device *netcl.Device, x *netcl.Tensor) (*netcl.Tensor, error) {
	reducer, err := netcl.NewReducer(group, &netcl.ReducerOptions{Kind: netcl.ReductionSum})
	if err != nil {
		return nil, err
	}
	again, err := reducer.Retain()
	graph, graphErr := netcl.NewGraph(device, nil)
	if err = firstOf(err, graphErr); err != nil {
		return nil, err
	}
	run := &netcl.RunOptions{Graph: graph}
	square, err := netcl.OpExpressionText("v0 * v0", []*netcl.Tensor{x}, nil, run)
	if err != nil {
		return nil, err
	}
	sum, err := netcl.OpReduce(square, netcl.ReductionSum, nil, run)
	if err != nil {
		return nil, err
	}
	gradients, err := graph.AddGradients([]*netcl.Tensor{sum}, []*netcl.Tensor{x},
		&netcl.GradientsOptions{Reducer: reducer})
	if err != nil {
		return nil, err
	}
	err = reducer.Wait(context.Background())
	info, infoErr := again.Info()
	if infoErr == nil && (info.Runs != 1 || info.Gradients != 1 || info.Buckets != 1) {
		infoErr = errors.New("the reducer counts otherwise")
	}
	return gradients[0], firstOf(err, infoErr, square.Close(), sum.Close(), graph.Close(),
		again.Close(), reducer.Close())
}

func TestReducerOfGoroutines(t *testing.T) {
	device := open(t)
	defer device.Close()
	path := filepath.Join(t.TempDir(), "netcl.example/netcl", "meet")
	var inputs, gradients [2]*netcl.Tensor
	for r := range inputs {
		inputs[r] = tensor(t, device, []float32{float32(r) + 1, 2}, 2)
	}
	results := make(chan error)
	for r := range inputs {
		go func(index int) {
			group, err := netcl.JoinGroup(device, path, index, 2, nil)
			if err == nil {
				gradients[index], err = reduceGradient(group, device, inputs[index])
				err = firstOf(err, group.Close())
			}
			results <- err
		}(r)
	}
	must(t, firstOf(<-results, <-results))
	for r := range inputs {
		has[float32](t, gradients[r], 6, 8)
		must(t, firstOf(gradients[r].Close(), inputs[r].Close()))
	}
}
