package main

import "netcl.example/netcl"

func layerGradients(device *netcl.Device) error {
	kept := netcl.NewScope()
	defer kept.Close()
	x := kept.Keep(netcl.FromSlice(device, []float32{1, 2}, 1, 2))
	w := kept.Keep(netcl.FromSlice(device, []float32{1, -1, 1, -1}, 2, 2))
	// [recipe]
	loss, gradients, err := netcl.Gradients(func(run *netcl.RunOptions) (*netcl.Tensor, error) {
		s := netcl.NewScope()
		defer s.Close()
		y := s.Keep(s.Keep(x.Matmul(w)).Relu())
		return s.Give(y.Sum())
	}, w)
	// [end]
	if err != nil {
		return err
	}
	defer loss.Close()
	defer gradients[0].Close()
	if err := expect(loss, 3); err != nil {
		return err
	}
	return expect(gradients[0], 1, 0, 2, 0)
}
