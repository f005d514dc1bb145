package netcl

// Gradients calls f, and gives the loss that it gives and the gradients of that with respect to the
// inputs: one for each, with its shape and dtype. What f computes with the options that it is given
// is recorded, until it returns; everything else is a constant.
//
//	loss, gradients, err := netcl.Gradients(func(run *netcl.RunOptions) (*netcl.Tensor, error) {
//		s := netcl.NewScope()
//		defer s.Close()
//		y := s.Keep(s.Keep(x.Matmul(w, run)).Relu(run))
//		return s.Give(y.Reduce(netcl.ReductionSum, run))
//	}, w)
//
// Options of f's own record with Graph: run.Graph. Gradients of gradients are for a graph: NewGraph
// and Graph.AddGradients.
//
// INVALID_ARGUMENT when there is no input, or the loss has not one element or does not depend on
// one of the inputs, INVALID_HANDLE for an input that is closed. An error of f is given as it is.
func Gradients(f func(run *RunOptions) (*Tensor, error), inputs ...*Tensor) (
	loss *Tensor, gradients []*Tensor, err error) {
	if len(inputs) == 0 {
		return nil, nil, invalid("Gradients needs an input")
	}
	device, err := inputs[0].Device()
	if err != nil {
		return nil, nil, err
	}
	defer device.Close()
	graph, err := NewGraph(device, nil)
	if err != nil {
		return nil, nil, err
	}
	// Also where f panics: the tensors that the graph keeps are let go of at once, even where f
	// retained it.
	defer graph.Close()
	defer graph.Clear()
	loss, err = f(&RunOptions{Graph: graph})
	if err != nil {
		return nil, nil, err
	}
	if loss == nil {
		return nil, nil, invalid("the function whose gradients are asked for gave no tensor")
	}
	gradients, err = graph.AddGradients([]*Tensor{loss}, inputs, &GradientsOptions{Consume: true})
	if err != nil {
		// What f gave may be the caller's, so it is not closed here.
		return nil, nil, err
	}
	return loss, gradients, nil
}
