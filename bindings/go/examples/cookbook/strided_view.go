package main

import "netcl.example/netcl"

func stridedView(device *netcl.Device) error {
	// [recipe]
	x, err := netcl.Zeros(device, netcl.F32, 2, 4)
	if err != nil {
		return err
	}
	defer x.Close()
	rows := netcl.Range{Start: 0, Extent: 2, Step: 1}
	columns := netcl.Range{Start: 1, Extent: 2, Step: 2} // columns 1 and 3
	everyOther, err := x.Slice([]netcl.Range{rows, columns})
	if err != nil {
		return err
	}
	defer everyOther.Close()
	run := &netcl.RunOptions{Into: everyOther} // a view writes into what it looks at
	_, err = netcl.OpExpressionText("v0 + 7", []*netcl.Tensor{everyOther}, nil, run)
	if err != nil {
		return err
	}
	return expect(x, 0, 7, 0, 7, 0, 7, 0, 7)
	// [end]
}
