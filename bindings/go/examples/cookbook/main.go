// Cookbook runs the recipes of docs/cookbook, which check what they compute.
//
// usage: go run ./examples/cookbook [device]
package main

import (
	"context"
	"fmt"
	"log"
	"math"
	"os"

	"netcl.example/netcl"
)

var recipes = map[string]func(*netcl.Device) error{
	"add_row": addRow, "causal_mask": causalMask, "compiled_step": compiledStep,
	"convolution": convolution, "dense_layer": denseLayer, "errors": errorsSaid, "first": first,
	"gradients": gradients, "layer_gradients": layerGradients, "list_devices": listDevices,
	"mask": mask, "npy_files": npyFiles, "optimizer_step": optimizerStep,
	"own_function": ownFunction, "own_kernel": ownKernel, "own_op": ownOp, "pick_rows": pickRows,
	"random_numbers": randomNumbers, "rope": rope, "run_model": runModel,
	"several_results": severalResults, "softmax_rows": softmaxRows, "sort_topk": sortTopk,
	"standardize": standardize, "strided_view": stridedView, "threads": threads,
	"time_work": timeWork, "transpose_view": transposeView, "tune": tune,
	"update_in_place": updateInPlace, "warm_up": warmUp,
}

func main() {
	selector := "auto"
	if len(os.Args) > 1 {
		selector = os.Args[1]
	}
	device, err := netcl.Open(selector)
	if err != nil {
		log.Fatal(err)
	}
	defer device.Close()
	for name, recipe := range recipes {
		if err := recipe(device); err != nil {
			log.Fatalf("%s: %v", name, err)
		}
		fmt.Println(name)
	}
}

// expect fails unless a tensor has these values.
func expect(tensor *netcl.Tensor, wanted ...float32) error {
	found, err := netcl.ToSlice[float32](context.Background(), tensor)
	if err != nil {
		return err
	}
	if len(found) != len(wanted) {
		return fmt.Errorf("%v is not %v", found, wanted)
	}
	for i := range wanted {
		if math.Abs(float64(found[i]-wanted[i])) > 1e-4 {
			return fmt.Errorf("%v is not %v", found, wanted)
		}
	}
	return nil
}
