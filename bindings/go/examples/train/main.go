// Train: the network of examples/digits learns to read handwritten digits from random numbers on.
// Its losses are those of examples/train, number by number.
//
// usage: go run ./examples/train [-device SELECTOR] [-epochs N] [-seed S] [MNIST_FOLDER]
//
// MNIST_FOLDER holds t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte, or the same with .gz; the
// first four fifths of the images train, the others are never seen. Without it the program learns
// digits that it draws.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"time"

	"netcl.example/netcl"
	"netcl.example/netcl/examples/internal/mnist"
)

const (
	batch         = 64
	rate          = 0.003
	accuracyLeast = 0.97
)

func main() {
	selector := flag.String("device", "auto", "a selector of netcl")
	epochs := flag.Int("epochs", 4, "passes over the images")
	seed := flag.Uint("seed", 1, "of the random numbers")
	flag.Parse()
	if err := run(*selector, *epochs, uint32(*seed), flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
}

// data is images with a class each, of which the first `training` train.
type data struct {
	*mnist.Images
	classes  []int32
	training int
}

func load(folder string) (*data, error) {
	pictures, err := mnist.Load(folder)
	if err != nil {
		return nil, err
	}
	set := &data{pictures, make([]int32, pictures.Count), pictures.Count / 5 * 4}
	for i := range set.classes {
		set.classes[i] = int32(i % 10)
		if pictures.Labels != nil {
			set.classes[i] = int32(pictures.Labels[i])
		}
	}
	return set, nil
}

// put gives the images and classes with these numbers as tensors.
func (s *data) put(device *netcl.Device, numbers []int) (bytes, classes *netcl.Tensor, err error) {
	pixels := make([]byte, 0, len(numbers)*mnist.Pixels)
	labels := make([]int32, 0, len(numbers))
	for _, n := range numbers {
		pixels = append(pixels, s.Pixels[n*mnist.Pixels:(n+1)*mnist.Pixels]...)
		labels = append(labels, s.classes[n])
	}
	count := len(numbers)
	bytes, err = netcl.FromSlice(device, pixels, int(count), 1, mnist.Side, mnist.Side)
	if err != nil {
		return nil, nil, err
	}
	classes, err = netcl.FromSlice(device, labels, int(count))
	if err != nil {
		bytes.Close()
	}
	return bytes, classes, err
}

func run(selector string, epochs int, seed uint32, folder string) error {
	device, err := netcl.Open(selector)
	if err != nil {
		return err
	}
	defer device.Close()
	set, err := load(folder)
	if err != nil {
		return err
	}
	fmt.Printf("%v: %d images train, %d are held out\n", device, set.training,
		set.Count-set.training)
	random := random(seed)
	net, err := newModel(device, &random)
	if err != nil {
		return err
	}
	defer net.close()
	graph, err := netcl.NewGraph(device, nil)
	if err != nil {
		return err
	}
	defer graph.Close()
	numbers := make([]int, set.training)
	for i := range numbers {
		numbers[i] = i
	}
	batches := set.training / batch
	var share float64
	var last float32
	for epoch := 0; epoch < epochs; epoch++ {
		begin := time.Now()
		for i := len(numbers) - 1; i > 0; i-- {
			other := int(random.bits() % uint32(i+1))
			numbers[i], numbers[other] = numbers[other], numbers[i]
		}
		var mean float64
		if last, mean, err = net.pass(set, numbers, graph, epoch, epochs); err != nil {
			return err
		}
		each := time.Since(begin).Seconds() * 1e3 / float64(batches)
		if share, err = net.accuracy(set); err != nil {
			return err
		}
		fmt.Printf("epoch %2d: loss %.6f, %.2f %% of the held-out images, %.1f ms a step\n", epoch+1,
			mean, 100*share, each)
	}
	fmt.Printf("last loss %.9g\n", last)
	if set.Labels != nil && epochs >= 4 && share < accuracyLeast {
		return fmt.Errorf("below 97 %% of the held-out images")
	}
	return nil
}

// pass trains with all images once. It gives the last loss and the mean of all.
func (m *model) pass(set *data, numbers []int, graph *netcl.Graph, epoch, epochs int) (last float32,
	mean float64, err error) {
	batches := set.training / batch
	var losses []*netcl.Tensor
	defer func() { closeAll(losses...) }()
	for i := 0; i < batches; i++ {
		// The rate falls to 0 as a straight line.
		done := float64(epoch*batches+i) / float64(epochs*batches)
		loss, err := m.step(set, numbers[i*batch:(i+1)*batch], rate*(1-done), graph)
		if err != nil {
			return 0, 0, err
		}
		losses = append(losses, loss)
	}
	for _, loss := range losses {
		value, err := netcl.ToSlice[float32](context.Background(), loss)
		if err != nil {
			return 0, 0, err
		}
		last = value[0]
		mean += float64(last) / float64(batches)
	}
	return last, mean, nil
}

// step trains with some images. Its loss is not waited for.
func (m *model) step(set *data, numbers []int, rate float64, graph *netcl.Graph) (*netcl.Tensor,
	error) {
	bytes, classes, err := set.put(m.device, numbers)
	if err != nil {
		return nil, err
	}
	defer closeAll(bytes, classes)
	run := &netcl.RunOptions{Graph: graph}
	logits, err := m.forward(bytes, true, run)
	if err != nil {
		return nil, err
	}
	defer logits.Close()
	loss, err := netcl.OpCrossEntropy(logits, classes, 1, nil, run)
	if err != nil {
		return nil, err
	}
	gradients, err := graph.AddGradients([]*netcl.Tensor{loss}, m.parameters,
		&netcl.GradientsOptions{Consume: true})
	if err == nil {
		err = m.adam(gradients, rate)
		closeAll(gradients...)
	}
	if err != nil {
		loss.Close()
		return nil, err
	}
	return loss, nil
}

// accuracy is the share of right answers among the images that were held out.
func (m *model) accuracy(set *data) (float64, error) {
	right := 0
	for first := set.training; first < set.Count; first += batch {
		var numbers []int
		for i := first; i < set.Count && i < first+batch; i++ {
			numbers = append(numbers, i)
		}
		answers, err := m.answers(set, numbers)
		if err != nil {
			return 0, err
		}
		for i, answer := range answers {
			if int32(answer) == set.classes[first+i] {
				right++
			}
		}
	}
	return float64(right) / float64(set.Count-set.training), nil
}

func (m *model) answers(set *data, numbers []int) ([]int64, error) {
	bytes, classes, err := set.put(m.device, numbers)
	if err != nil {
		return nil, err
	}
	defer closeAll(bytes, classes)
	logits, err := m.forward(bytes, false, nil)
	if err != nil {
		return nil, err
	}
	defer logits.Close()
	best, err := netcl.OpReduce(logits, netcl.ReductionArgmax,
		&netcl.ReduceOptions{Axes: []int{1}}, nil)
	if err != nil {
		return nil, err
	}
	defer best.Close()
	return netcl.ToSlice[int64](context.Background(), best)
}
