package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"

	"netcl.example/netcl"
)

func runModel(device *netcl.Device) error {
	_, here, _, _ := runtime.Caller(0)
	file := filepath.Join(filepath.Dir(here), "../../../../examples/model/sample/classify.onnx")
	image, err := netcl.Full(device, float32(-1), 1, 3, 224, 224)
	if err != nil {
		return err
	}
	defer image.Close()
	// [recipe]
	model, err := netcl.LoadModel(device, file, nil) // a path, such as "resnet50.onnx"
	if err != nil {
		return err
	}
	defer model.Close()
	outputs, err := model.Evaluate([]*netcl.Tensor{image}, nil)
	// [end]
	if err != nil {
		return err
	}
	defer outputs[0].Close()
	odds, err := netcl.ToSlice[float32](context.Background(), outputs[0])
	if err == nil && len(odds) != 4 {
		err = fmt.Errorf("%v are not four odds", odds)
	}
	return err
}
