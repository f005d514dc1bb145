// Parity runs the vectors in Go: parity VECTORS DEVICE
//
// It prints a line "case name bits" for every result, and fails where bits are given and others came
// out, after the last case. README.md has the format of the file.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"log"
	"math"
	"os"
	"strconv"
	"strings"

	"netcl.example/netcl"
)

type runner struct {
	device   *netcl.Device
	name     string
	tensors  map[string]*netcl.Tensor
	graph    *netcl.Graph // of a case that is recorded
	out      *bufio.Writer
	failures int
}

// line is an op with its inputs and options.
type line struct {
	in      []*netcl.Tensor
	options map[string]string
	tensors map[string]*netcl.Tensor
	graph   *netcl.Graph
}

func (l *line) integer(key string) int {
	text, ok := l.options[key]
	if !ok {
		return 0
	}
	value, err := strconv.Atoi(text)
	check(err)
	return value
}

func (l *line) number(key string) float64 {
	text, ok := l.options[key]
	if !ok {
		return 0
	}
	value, err := strconv.ParseFloat(text, 64)
	check(err)
	return value
}

func (l *line) flag(key string) bool {
	return l.integer(key) != 0
}

func (l *line) integers(key string) (values []int) {
	if l.options[key] == "" {
		return nil
	}
	for _, text := range strings.Split(l.options[key], ",") {
		value, err := strconv.Atoi(text)
		check(err)
		values = append(values, value)
	}
	return values
}

func (l *line) tensor(key string) *netcl.Tensor {
	name, ok := l.options[key]
	if !ok {
		return nil
	}
	return l.named(name)
}

func (l *line) named(name string) *netcl.Tensor {
	tensor, ok := l.tensors[name]
	if !ok {
		log.Fatalf("there is no tensor %s", name)
	}
	return tensor
}

// tensorList gives the tensors with these names, which stand between commas.
func (l *line) tensorList(names string) (tensors []*netcl.Tensor) {
	for _, name := range strings.FieldsFunc(names, func(c rune) bool { return c == ',' }) {
		tensors = append(tensors, l.named(name))
	}
	return tensors
}

func (l *line) dtype(key string) netcl.Dtype {
	for dtype := netcl.F16; dtype <= netcl.Bool; dtype++ {
		if dtype.Name() == l.options[key] {
			return dtype
		}
	}
	return 0
}

// bitsOf gives the bits of n / 2^shift, which the float types hold exactly, and of n modulo 2^bits
// for others.
func bitsOf(dtype netcl.Dtype, n, shift int) uint64 {
	value := float64(n) / float64(int(1)<<shift)
	bits, single := math.Float64bits(value), uint64(math.Float32bits(float32(value)))
	switch dtype {
	case netcl.F64:
		return bits
	case netcl.F32:
		return single
	case netcl.BF16:
		return single >> 16
	case netcl.F16:
		if n == 0 {
			return 0
		}
		return bits>>48&0x8000 | ((bits>>52&0x7ff)-1023+15)<<10 | bits>>42&0x3ff
	case netcl.Bool:
		if n != 0 {
			return 1
		}
		return 0
	default:
		return uint64(n)
	}
}

func (r *runner) data(l *line) *netcl.Tensor {
	dtype, shape := l.dtype("dtype"), l.integers("shape")
	var data []byte
	if rule := l.integers("line"); rule == nil {
		decoded, err := hex.DecodeString(l.options["bits"])
		check(err)
		data = decoded
	} else {
		count := 1
		for _, extent := range shape {
			count *= extent
		}
		for i := 0; i < count; i++ {
			n := (rule[0]+rule[1]*i)%rule[2] - rule[3]
			var element [8]byte
			binary.LittleEndian.PutUint64(element[:], bitsOf(dtype, n, rule[4]))
			data = append(data, element[:dtype.Size()]...)
		}
	}
	tensor, err := netcl.NewTensorFromHost(r.device, dtype, shape, nil, data, nil)
	check(err)
	return tensor
}

func (r *runner) random(l *line) *netcl.Tensor {
	tensor, err := netcl.NewTensorRandom(r.device, l.dtype("dtype"), l.integers("shape"), nil,
		&netcl.RandomOptions{Seed: uint64(l.integer("seed")), Offset: uint64(l.integer("offset")),
			Low: l.number("low"), High: l.number("high")}, nil)
	check(err)
	return tensor
}

func (r *runner) result(name string, l *line) {
	tensor, ok := r.tensors[name]
	if !ok {
		log.Fatalf("%s: there is no tensor %s", r.name, name)
	}
	info, err := tensor.Info()
	check(err)
	data := make([]byte, info.ByteCount)
	check(tensor.Read(context.Background(), data, nil))
	fmt.Fprintf(r.out, "%s %s %x\n", r.name, name, data)
	text, given := l.options["bits"]
	if !given {
		return
	}
	expected, err := hex.DecodeString(text)
	check(err)
	if !bytes.Equal(expected, data) {
		fmt.Fprintf(os.Stderr, "%s %s is\n  %x\nand has to be\n  %s\n", r.name, name, data, text)
		r.failures++
	}
}

func (r *runner) begin(name string) {
	for _, tensor := range r.tensors {
		check(tensor.Close())
	}
	if r.graph != nil {
		check(r.graph.Close())
	}
	r.graph, r.name, r.tensors = nil, name, map[string]*netcl.Tensor{}
}

func (r *runner) run(text string) {
	words := strings.Fields(text)
	if len(words) == 0 || words[0] == "#" {
		return
	}
	verb, out := words[0], words[1]
	if verb == "case" {
		r.begin(out)
		return
	}
	l := &line{options: map[string]string{}, tensors: r.tensors, graph: r.graph}
	for _, word := range words[3:] {
		at := strings.IndexByte(word, '=')
		l.options[word[:at]] = word[at+1:]
	}
	if verb == "result" {
		r.result(out, l)
		return
	}
	if words[2] != "-" {
		l.in = l.tensorList(words[2])
	}
	names := strings.Split(out, ",")
	switch verb {
	case "data":
		r.tensors[out] = r.data(l)
	case "random":
		r.tensors[out] = r.random(l)
	case "record":
		graph, err := netcl.NewGraph(r.device, nil)
		check(err)
		r.graph = graph
	case "gradients":
		gradients, err := r.graph.AddGradients(l.in, l.tensorList(l.options["of"]),
			&netcl.GradientsOptions{Seeds: l.tensorList(l.options["seeds"]),
				Consume: l.flag("consume")})
		check(err)
		for i, name := range names {
			r.tensors[name] = gradients[i]
		}
	case "fill":
		check(netcl.OpFill(l.in[0], l.element(l.in[0]), nil))
	case "dynamic_quantize_linear":
		made, scale, zeroPoint, err := netcl.OpDynamicQuantizeLinear(l.in[0], nil,
			&netcl.RunOptions{Graph: l.graph})
		check(err)
		r.tensors[names[0]], r.tensors[names[1]], r.tensors[names[2]] = made, scale, zeroPoint
	case "topk":
		values, indices, err := netcl.OpTopk(l.in[0], l.integer("k"), l.integer("axis"),
			&netcl.TopkOptions{Smallest: l.flag("smallest")}, &netcl.RunOptions{Graph: l.graph})
		check(err)
		r.tensors[names[0]], r.tensors[names[1]] = values, indices
	case "expressions":
		made, err := netcl.OpExpressions(strings.Split(l.options["texts"], ";"), l.in, nil,
			&netcl.RunOptions{Graph: l.graph})
		check(err)
		for i, name := range names {
			r.tensors[name] = made[i]
		}
	default:
		tensor, err := runOp(verb, l)
		if err != nil {
			log.Fatalf("%s: %s %s: %v", r.name, verb, out, err)
		}
		r.tensors[out] = tensor
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: parity VECTORS DEVICE")
	}
	device, err := netcl.Open(os.Args[2])
	check(err)
	text, err := os.ReadFile(os.Args[1])
	check(err)
	r := &runner{device: device, out: bufio.NewWriter(os.Stdout)}
	for _, text := range strings.Split(string(text), "\n") {
		r.run(text)
	}
	r.begin("")
	check(device.Close())
	check(r.out.Flush())
	if r.failures > 0 {
		os.Exit(1)
	}
}
