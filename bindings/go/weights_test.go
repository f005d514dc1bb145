package netcl_test

import (
	"errors"
	"path/filepath"
	"reflect"
	"testing"

	"netcl.example/netcl"
)

func TestWeights(t *testing.T) {
	device := open(t)
	defer device.Close()
	path := filepath.Join(t.TempDir(), "weights")
	a := ok(netcl.FromSlice(device, []float32{1, 2, 3, 4}, 2, 2))(t)
	defer a.Close()
	b := ok(netcl.FromSlice(device, []int64{7}))(t)
	defer b.Close()
	names, tensors := []string{"a", "b"}, []*netcl.Tensor{a, b}
	must(t, netcl.WeightsSave(background, path, netcl.WeightsSafetensors, names, tensors,
		&netcl.WeightsSaveOptions{Keys: []string{"format"}, Values: []string{"go"}}))
	weights := ok(netcl.OpenWeights(device, path, nil))(t)
	defer weights.Close()
	must(t, ok(weights.Retain())(t).Close())
	info := ok(weights.Info())(t)
	if info.Format != netcl.WeightsSafetensors || info.TensorCount != 2 || info.MetadataCount != 1 {
		t.Fatalf("the file is told of as %+v", info)
	}
	if key := ok(weights.MetadataKey(0))(t); key != "format" || ok(weights.Metadata(key))(t) != "go" {
		t.Fatalf("the metadata has the key %q", key)
	}
	entry := ok(weights.Entry(0))(t)
	if entry.Name != "a" || entry.Type != "F32" || entry.Dtype != netcl.F32 || entry.ByteCount != 16 {
		t.Fatalf("the tensor is told of as %+v", entry)
	}
	if got := ok(weights.Names())(t); !reflect.DeepEqual(got, names) {
		t.Fatalf("the names are %q", got)
	}
	if ok(weights.Find("b"))(t) != 1 {
		t.Fatal("a name is found elsewhere")
	}
	if _, err := weights.Named("c", nil); !errors.Is(err, netcl.ErrNotFound) {
		t.Fatalf("a name that is not there gives %v", err)
	}
	must(t, netcl.WeightsSave(background, path, netcl.WeightsNpz, names, tensors, nil))
	copied := ok(netcl.OpenWeights(device, path, &netcl.WeightsOptions{Map: netcl.Off}))(t)
	defer copied.Close()
	for _, file := range []*netcl.Weights{weights, copied} {
		tensor := ok(file.Named("a", nil))(t)
		values := ok(netcl.ToSlice[float32](background, tensor))(t)
		if !reflect.DeepEqual(values, []float32{1, 2, 3, 4}) {
			t.Fatalf("the tensor has %v", values)
		}
		if file == copied && ok(tensor.Info())(t).Mapped {
			t.Fatal("a copy looks into the file")
		}
		must(t, tensor.Close())
		other := ok(file.Tensor(1, nil))(t)
		if got := ok(netcl.ToSlice[int64](background, other))(t); got[0] != 7 {
			t.Fatalf("the scalar is %v", got)
		}
		must(t, other.Close())
	}
}
