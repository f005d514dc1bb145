package netcl_test

import (
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"netcl.example/netcl"
)

// A file of ONNX: y = x + [[1, 2], [3, 4]].
const modelFile = "080812003a5d0a110a01780a01771201791a016122034164641201672a1b0802080210014201774a100000803f00000040000040" +
	"40000080405a130a0178120e0a0c080112080a0208020a02080262130a0179120e0a0c080112080a0208020a02080242040a00100d"

func TestModel(t *testing.T) {
	device := open(t)
	defer device.Close()
	file := ok(hex.DecodeString(modelFile))(t)
	path := filepath.Join(t.TempDir(), "model.onnx")
	must(t, os.WriteFile(path, file, 0o600))
	if text := ok(netcl.ModelDescribe(path))(t); !strings.Contains(text, "op Add: 1") {
		t.Fatalf("the model is described as %q", text)
	}
	loaded := ok(netcl.LoadModel(device, path, &netcl.ModelOptions{FormsMost: 2}))(t)
	defer loaded.Close()
	model := ok(netcl.LoadModelMemory(device, file, nil))(t)
	defer model.Close()
	again := ok(model.Retain())(t)
	must(t, again.Close())
	input, output := ok(model.Input(0))(t), ok(model.Output(0))(t)
	if input.Name != "x" || output.Name != "y" || input.Dimensions != "[2, 2]" {
		t.Fatalf("the model takes %+v and gives %+v", input, output)
	}
	if ok(model.FindInput("x"))(t) != 0 || ok(model.FindOutput("y"))(t) != 0 {
		t.Fatal("names are found elsewhere")
	}
	if _, err := model.FindInput("z"); !errors.Is(err, netcl.ErrNotFound) {
		t.Fatalf("a name that is not there gives %v", err)
	}
	x := ok(netcl.FromSlice(device, []float32{10, 20, 30, 40}, 2, 2))(t)
	defer x.Close()
	made := ok(model.Evaluate([]*netcl.Tensor{x}, nil))(t)
	defer made[0].Close()
	into := ok(netcl.Zeros(device, netcl.F32, 2, 2))(t)
	defer into.Close()
	must(t, loaded.Run([]*netcl.Tensor{x}, []*netcl.Tensor{into}, nil))
	for _, tensor := range []*netcl.Tensor{made[0], into} {
		values := ok(netcl.ToSlice[float32](background, tensor))(t)
		if values[0] != 11 || values[3] != 44 {
			t.Fatalf("the model gives %v", values)
		}
	}
	if !strings.Contains(ok(model.Explain(netcl.GraphFormatText))(t), "1 steps") {
		t.Fatal("the form is not explained")
	}
	if info := ok(model.Info())(t); info.FormCount != 1 || info.WeightBytes != 16 {
		t.Fatalf("the model holds %+v", info)
	}
}
