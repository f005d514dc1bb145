// Grouptrain: a network that learns to read digits on all ranks of a group at once, compared with the
// same steps on one device. Its losses are those of examples/group/group_train, number by number.
//
// usage: go run ./examples/grouptrain [-device SELECTOR]... [-threads | -meet PATH] [-ranks N]
// [-steps N] [-dtype f32|f64] [-losses FILE] [MNIST_FOLDER]
//
// Each rank has the whole network and a part of each batch, of whose loss it records the gradients
// once, as a graph that is run for each batch. They begin with the rank's share of the batch, so that
// their sum over the ranks is the gradient of the whole batch: a reducer adds up those that are there
// while the graph goes on. Then all ranks take the same step. What is left are other roundings: the
// program ends with 1 when a loss is further from one device's than 2e-4 (f64: 1e-9) of the first
// loss. MNIST_FOLDER is as for train; without it digits are drawn. -losses writes those of the group
// as f64, one after the other. Ranks are as for the example group.
package main

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"time"

	"netcl.example/netcl"
	"netcl.example/netcl/examples/internal/mnist"
	"netcl.example/netcl/examples/internal/ranks"
)

type settings struct {
	folder string
	steps  int
	dtype  netcl.Dtype
	losses string
}

// train gives the loss of each step; without a rank all alone.
func train(device *netcl.Device, rank *ranks.Rank, s settings) []float64 {
	images := ranks.Must(mnist.Load(s.folder))
	t := newTrainer(device, rank, s.dtype)
	defer t.close()
	begin := time.Now()
	losses := make([]float64, s.steps)
	for i := range losses {
		losses[i] = t.step(images, i)
	}
	each := time.Since(begin).Seconds() * 1e3 / float64(s.steps)
	if rank == nil {
		fmt.Print("alone: ")
	} else if rank.Index == 0 {
		fmt.Printf("%d ranks: ", rank.Size)
	}
	if rank == nil || rank.Index == 0 {
		fmt.Printf("%.2f ms a step, loss %.6f to %.6f\n", each, losses[0], losses[s.steps-1])
	}
	return losses
}

func compare(group, alone []float64, s settings) {
	bound := 2e-4
	if s.dtype == netcl.F64 {
		bound = 1e-9
	}
	worst := 0.0
	for i := range group {
		// NaN is larger than any number here.
		worst = math.Max(worst, math.Abs(group[i]-alone[i])/alone[0])
	}
	fmt.Printf("the losses of %d steps differ by %.2g of the first at most; %.0e is allowed\n", s.steps,
		worst, bound)
	if !(worst <= bound) {
		log.Fatal("the losses are not those of one device")
	}
	if s.steps >= 60 && !(group[s.steps-1] < group[0]/2) {
		log.Fatal("nothing was learnt")
	}
}

func work(rank *ranks.Rank, s settings) {
	losses := train(rank.Device, rank, s)
	if rank.Index != 0 {
		return
	}
	compare(losses, train(rank.Device, nil, s), s)
	if s.losses != "" {
		var file bytes.Buffer
		ranks.Check(binary.Write(&file, binary.LittleEndian, losses))
		ranks.Check(os.WriteFile(s.losses, file.Bytes(), 0o644))
	}
}

func main() {
	all := ranks.Options()
	s := settings{dtype: netcl.F32}
	flag.IntVar(&s.steps, "steps", 60, "how many batches")
	dtype := flag.String("dtype", "f32", "f32 or f64")
	flag.StringVar(&s.losses, "losses", "", "the file that the losses go to")
	flag.Parse()
	s.folder = flag.Arg(0)
	switch {
	case *dtype == "f64":
		s.dtype = netcl.F64
	case *dtype != "f32":
		log.Fatalf("-dtype is %s; it is f32 or f64", *dtype)
	case s.steps < 1 || s.steps > 1000000:
		log.Fatalf("-steps is %d; it is 1 to 1000000", s.steps)
	}
	all.Run(func(rank *ranks.Rank) { work(rank, s) })
}
