package main

import "netcl.example/netcl"

func gradients(device *netcl.Device) error {
	// [recipe]
	w, err := netcl.FromSlice(device, []float32{3, 5}, 2) // what is learned
	if err != nil {
		return err
	}
	defer w.Close()
	x, err := netcl.FromSlice(device, []float32{1, 1}, 2)
	if err != nil {
		return err
	}
	defer x.Close()
	loss, found, err := netcl.Gradients(func(*netcl.RunOptions) (*netcl.Tensor, error) {
		wrong, err := w.Sub(x) // what the function calls is recorded
		if err != nil {
			return nil, err
		}
		defer wrong.Close()
		return wrong.Reduce(netcl.ReductionSumSquare)
	}, w)
	if err != nil {
		return err
	}
	defer loss.Close()
	defer found[0].Close()
	return expect(found[0], 4, 8) // 2 (w - x)
	// [end]
}
