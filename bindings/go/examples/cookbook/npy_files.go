package main

import (
	"context"
	"os"
	"path/filepath"

	"netcl.example/netcl"
)

func npyFiles(device *netcl.Device) error {
	folder, err := os.MkdirTemp("", "netcl")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "x.npy")
	// [recipe]
	x, err := netcl.FromSlice(device, []float32{1, 2, 3, 4}, 2, 2)
	if err != nil {
		return err
	}
	defer x.Close()
	if err := x.SaveNPY(context.Background(), path); err != nil { // numpy.load(path) reads it
		return err
	}
	again, err := netcl.LoadTensorNPY(device, path, nil)
	if err != nil {
		return err
	}
	defer again.Close()
	return expect(again, 1, 2, 3, 4)
	// [end]
}
