// Model: files of ONNX look at pictures.
//
// usage: go run ./examples/model [-device SELECTOR] [-top N] classify MODEL LABELS PICTURE...
//
//	go run ./examples/model [-device SELECTOR] line READER KEYS PICTURE...
//	go run ./examples/model [-device SELECTOR] [-turn MODEL] read DETECTOR READER KEYS PICTURE...
//	go run ./examples/model [-device SELECTOR] [-sample FOLDER]
//
// classify says what is in pictures, with a network that learned ImageNet and a line of LABELS for
// each of its classes; line reads pictures of one line of text, with the model of PP-OCR that
// recognises and its keys; read finds the lines of pages, at any angle, with the one that detects,
// and turns those round that MODEL of -turn takes for upside down. Without a command it does all of
// it with the small models of examples/model/sample, and fails when a picture is taken for something
// else than its name says, or a text for another.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"netcl.example/netcl"
)

func main() {
	selector := flag.String("device", "auto", "a selector of netcl")
	top := flag.Int("top", 5, "classes that are shown")
	sample := flag.String("sample", "../../examples/model/sample", "the folder of small models")
	turn := flag.String("turn", "", "a model that tells lines that are upside down")
	flag.Parse()
	device, err := netcl.Open(*selector)
	if err == nil {
		err = run(device, flag.Args(), *top, *turn, *sample)
		device.Close()
	}
	if err != nil {
		log.Fatal(err)
	}
}

func run(device *netcl.Device, words []string, top int, turn, sample string) error {
	switch {
	case len(words) == 0:
		return runSample(device, sample)
	case len(words) >= 4 && words[0] == "classify":
		return classifyAll(device, words[1], words[2], words[3:], top)
	case len(words) >= 4 && words[0] == "line":
		return readAll(device, words[1], words[2], words[3:])
	case len(words) >= 5 && words[0] == "read":
		return readPages(device, words[1], words[2], turn, words[3], words[4:])
	}
	return errors.New("usage: model [classify MODEL LABELS | line READER KEYS | read DETECTOR READER KEYS] PICTURES")
}

// lines gives the lines of a file.
func lines(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n"), "\n"), err
}

// evaluate runs a model of one input and one output, which it gives with its shape.
func evaluate(model *netcl.Model, input *netcl.Tensor) ([]float32, []int, error) {
	outputs, err := model.Evaluate([]*netcl.Tensor{input}, nil)
	if err != nil {
		return nil, nil, err
	}
	defer outputs[0].Close()
	elements, err := netcl.ToSlice[float32](context.Background(), outputs[0])
	return elements, outputs[0].Shape(), err
}

// shares makes scores shares of 1 by softmax, where they are not that already.
func shares(scores []float32) []float64 {
	made := make([]float64, len(scores))
	sum, least, most := 0.0, math.Inf(1), math.Inf(-1)
	for i, score := range scores {
		made[i] = float64(score)
		sum += made[i]
		least, most = math.Min(least, made[i]), math.Max(most, made[i])
	}
	if least >= 0 && math.Abs(sum-1) < 1e-2 {
		return made
	}
	sum = 0
	for i := range made {
		made[i] = math.Exp(made[i] - most)
		sum += made[i]
	}
	for i := range made {
		made[i] /= sum
	}
	return made
}

// classify prints the best classes of a picture and gives the best.
func classify(model *netcl.Model, device *netcl.Device, labels []string, path string, top int) (string, error) {
	p, err := loadPicture(path)
	if err != nil {
		return "", err
	}
	input, err := p.prepare(device, p.middle(), imageNet)
	if err != nil {
		return "", err
	}
	defer input.Close()
	scores, _, err := evaluate(model, input)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	if len(scores) != len(labels) {
		return "", fmt.Errorf("%s: the model has %d classes, and there are %d labels", path, len(scores), len(labels))
	}
	odds, order := shares(scores), make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return odds[order[a]] > odds[order[b]] })
	fmt.Println(filepath.Base(path))
	for k := 0; k < top && k < len(order); k++ {
		fmt.Printf("  %6.2f %%  %s\n", 100*odds[order[k]], labels[order[k]])
	}
	return labels[order[0]], nil
}

func classifyAll(device *netcl.Device, path, labelsPath string, pictures []string, top int) error {
	labels, err := lines(labelsPath)
	if err != nil {
		return err
	}
	model, err := netcl.LoadModel(device, path, nil)
	if err != nil {
		return err
	}
	defer model.Close()
	for _, picture := range pictures {
		if _, err := classify(model, device, labels, picture, top); err != nil {
			return err
		}
	}
	return nil
}

// readFile reads a picture of one line, and gives the mean odds of its letters.
func readFile(reader *netcl.Model, device *netcl.Device, keys []string, path string) (string, float64, error) {
	p, err := loadPicture(path)
	if err != nil {
		return "", 0, err
	}
	text, odds, err := p.readLine(reader, device, keys)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return text, odds, err
}

func (p picture) readLine(reader *netcl.Model, device *netcl.Device, keys []string) (string, float64, error) {
	input, err := p.prepareLine(device, 320, lineMost, 64)
	if err != nil {
		return "", 0, err
	}
	defer input.Close()
	odds, shape, err := evaluate(reader, input)
	if err != nil {
		return "", 0, err
	}
	// The first class is none, the last is a space.
	if len(shape) != 3 || shape[2] != int(len(keys)+2) {
		return "", 0, fmt.Errorf("the model gives %v for %d keys", shape, len(keys))
	}
	text, mean := decode(odds, keys)
	return text, mean, nil
}

// decode reads what CTC learned: of each column the best class, of equal ones in a row the first,
// and no blanks, which are class 0.
func decode(odds []float32, keys []string) (string, float64) {
	classes, before, letters, sum := len(keys)+2, 0, 0, 0.0
	var text strings.Builder
	for ; len(odds) >= classes; odds = odds[classes:] {
		best := 0
		for i, score := range odds[:classes] {
			if score > odds[best] {
				best = i
			}
		}
		if best != 0 && best != before {
			if best <= len(keys) {
				text.WriteString(keys[best-1])
			} else {
				text.WriteString(" ")
			}
			sum += float64(odds[best])
			letters++
		}
		before = best
	}
	return text.String(), sum / math.Max(1, float64(letters))
}

func readAll(device *netcl.Device, path, keysPath string, pictures []string) error {
	keys, err := lines(keysPath)
	if err != nil {
		return err
	}
	reader, err := netcl.LoadModel(device, path, nil)
	if err != nil {
		return err
	}
	defer reader.Close()
	for _, picture := range pictures {
		text, odds, err := readFile(reader, device, keys, picture)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %5.1f %%  %s\n", filepath.Base(picture), 100*odds, text)
	}
	return nil
}

// runSample does all with small models, whose answers are known.
func runSample(device *netcl.Device, folder string) error {
	in := func(name string) string { return filepath.Join(folder, name) }
	labels, err := lines(in("labels.txt"))
	if err != nil {
		return err
	}
	model, err := netcl.LoadModel(device, in("classify.onnx"), nil)
	if err != nil {
		return err
	}
	defer model.Close()
	for _, label := range labels {
		best, err := classify(model, device, labels, in(label+".png"), 2)
		if err != nil {
			return err
		}
		if best != label {
			return fmt.Errorf("%s.png is taken for %s", label, best)
		}
	}
	keys, err := lines(in("keys.txt"))
	if err != nil {
		return err
	}
	wanted, err := lines(in("line.txt"))
	if err != nil {
		return err
	}
	reader, err := netcl.LoadModel(device, in("read.onnx"), nil)
	if err != nil {
		return err
	}
	defer reader.Close()
	text, odds, err := readFile(reader, device, keys, in("line.png"))
	if err != nil {
		return err
	}
	fmt.Printf("line.png: %5.1f %%  %s\n", 100*odds, text)
	if text != wanted[0] {
		return fmt.Errorf("line.png is read as %q, and says %q", text, wanted[0])
	}
	page, err := openPager(device, in("detect.onnx"), in("read.onnx"), in("turn.onnx"), keys)
	if err != nil {
		return err
	}
	defer page.close()
	wanted, err = lines(in("page.txt"))
	if err != nil {
		return err
	}
	texts, err := page.read(in("page.png"), 32)
	if err == nil && strings.Join(texts, "\n") != strings.Join(wanted, "\n") {
		err = fmt.Errorf("page.png is read as %q, and says %q", texts, wanted)
	}
	return err
}
