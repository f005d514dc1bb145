// Images: a batch of pictures, made smaller and sharpened by goroutines that share one device.
//
// usage: go run ./examples/images [-device SELECTOR] [-out FOLDER] [-workers N] [PICTURE...]
//
// Pictures are .png or .jpg files; without any the program draws some. The results are those that
// one goroutine alone computes, bit for bit, which is checked.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg"
	"image/png"
	"log"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"netcl.example/netcl"
)

// No side of a result is longer.
const sideMost = 256

// picture is rows of red, green and blue.
type picture struct {
	name          string
	height, width int
	samples       []byte
}

func main() {
	selector := flag.String("device", "auto", "a selector of netcl")
	out := flag.String("out", "", "write the results as .png files into this folder")
	workers := flag.Int("workers", 2*runtime.NumCPU(), "goroutines")
	flag.Parse()
	if err := run(*selector, *out, *workers, flag.Args()); err != nil {
		log.Fatal(err)
	}
}

func run(selector, out string, workers int, paths []string) error {
	pictures, err := load(paths)
	if err != nil {
		return err
	}
	device, err := netcl.Open(selector)
	if err != nil {
		return err
	}
	defer device.Close()
	f, err := newFilter(device)
	if err != nil {
		return err
	}
	defer f.blur.Close()

	alone, together := make([]picture, len(pictures)), make([]picture, len(pictures))
	if _, err := batch(f, pictures, alone, 1); err != nil { // Builds the kernels, too.
		return err
	}
	slow, err := batch(f, pictures, alone, 1)
	if err != nil {
		return err
	}
	fast, err := batch(f, pictures, together, workers)
	if err != nil {
		return err
	}
	for i := range alone {
		if !bytes.Equal(alone[i].samples, together[i].samples) {
			return fmt.Errorf("%s: goroutines computed something else", alone[i].name)
		}
	}
	count := float64(len(pictures))
	fmt.Printf("%v: %d pictures, the same bytes from 1 goroutine and from %d\n", device,
		len(pictures), workers)
	fmt.Printf("%.1f pictures/s from 1, %.1f from %d\n", count/slow.Seconds(),
		count/fast.Seconds(), workers)
	if out == "" {
		return nil
	}
	return save(out, together)
}

// batch works on all pictures with so many goroutines.
func batch(f *filter, pictures, results []picture, workers int) (time.Duration, error) {
	start := time.Now()
	next := make(chan int)
	failed := make(chan error, workers)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var all sync.WaitGroup
	for i := 0; i < workers; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range next {
				made, err := f.apply(ctx, pictures[i])
				if err != nil {
					failed <- fmt.Errorf("%s: %w", pictures[i].name, err)
					cancel()
					return
				}
				results[i] = made
			}
		}()
	}
	for i := range pictures {
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	all.Wait()
	select {
	case err := <-failed:
		return 0, err
	default:
		return time.Since(start), nil
	}
}

// filter has what all pictures share. Objects of netcl may be used by many goroutines.
type filter struct {
	device *netcl.Device
	blur   *netcl.Tensor
}

func newFilter(device *netcl.Device) (*filter, error) {
	const side = 5
	weights := make([]float32, 3*side*side)
	sum := float32(0)
	for i := range weights {
		y, x := float64(i/side%side-side/2), float64(i%side-side/2)
		weights[i] = float32(math.Exp(-(x*x + y*y) / 2))
		sum += weights[i] / 3
	}
	for i := range weights {
		weights[i] /= sum
	}
	blur, err := netcl.FromSlice(device, weights, 3, 1, side, side)
	return &filter{device, blur}, err
}

// steps closes what a chain of ops makes, and stops at its first error.
type steps struct {
	made []*netcl.Tensor
	err  error
}

func (s *steps) do(op func() (*netcl.Tensor, error)) *netcl.Tensor {
	if s.err != nil {
		return nil
	}
	made, err := op()
	s.made, s.err = append(s.made, made), err
	return made
}

func (s *steps) close() {
	for _, tensor := range s.made {
		tensor.Close()
	}
}

func (f *filter) apply(ctx context.Context, p picture) (picture, error) {
	scale := math.Min(1, sideMost/math.Max(float64(p.height), float64(p.width)))
	height := int(math.Max(1, math.Round(float64(p.height)*scale)))
	width := int(math.Max(1, math.Round(float64(p.width)*scale)))
	var s steps
	defer s.close()
	whole := s.do(func() (*netcl.Tensor, error) {
		return netcl.FromSlice(f.device, p.samples, int(p.height), int(p.width), 3)
	})
	numbers := s.do(func() (*netcl.Tensor, error) { return netcl.Expr("f32(v0)", whole) })
	small := s.do(func() (*netcl.Tensor, error) {
		return netcl.OpResize(numbers, []int{int(height), int(width), 3},
			&netcl.ResizeOptions{Mode: netcl.ResizeLinear}, nil)
	})
	batched := s.do(func() (*netcl.Tensor, error) {
		return small.Reshape([]int{1, int(height), int(width), 3}, nil)
	})
	planes := s.do(func() (*netcl.Tensor, error) { return batched.Permute([]int{0, 3, 1, 2}) })
	soft := s.do(func() (*netcl.Tensor, error) {
		return netcl.OpConv2D(planes, f.blur,
			&netcl.Conv2DOptions{Groups: 3, Padding: [4]int{2, 2, 2, 2}}, nil)
	})
	sharp := s.do(func() (*netcl.Tensor, error) {
		return netcl.Expr("v0 + 0.8 * (v0 - v1) + 0.5", planes, soft)
	})
	rounded := s.do(func() (*netcl.Tensor, error) { return sharp.Cast(netcl.U8) })
	rows := s.do(func() (*netcl.Tensor, error) { return rounded.Permute([]int{0, 2, 3, 1}) })
	if s.err != nil {
		return picture{}, s.err
	}
	samples, err := netcl.ToSlice[byte](ctx, rows)
	return picture{p.name, height, width, samples}, err
}

func load(paths []string) ([]picture, error) {
	if len(paths) == 0 {
		return draw(24), nil
	}
	var all []picture
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		decoded, _, err := image.Decode(file)
		file.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		all = append(all, fromImage(name, decoded))
	}
	return all, nil
}

func fromImage(name string, from image.Image) picture {
	box := from.Bounds()
	p := picture{name: name, height: int(box.Dy()), width: int(box.Dx())}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			r, g, b, _ := from.At(x, y).RGBA()
			p.samples = append(p.samples, byte(r>>8), byte(g>>8), byte(b>>8))
		}
	}
	return p
}

// draw makes rings, of several sizes.
func draw(count int) []picture {
	var all []picture
	for i := 0; i < count; i++ {
		p := picture{name: fmt.Sprintf("rings-%02d", i), height: 480 + int(i%3)*32, width: 640}
		for y := int(0); y < p.height; y++ {
			for x := int(0); x < p.width; x++ {
				dy, dx := float64(y-p.height/2), float64(x-p.width/2)
				wave := math.Sin(math.Hypot(dx, dy) / float64(6+i))
				p.samples = append(p.samples, byte(128+127*wave), byte(x*255/p.width),
					byte(y*255/p.height))
			}
		}
		all = append(all, p)
	}
	return all
}

func save(folder string, pictures []picture) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, p := range pictures {
		made := image.NewRGBA(image.Rect(0, 0, int(p.width), int(p.height)))
		for i := int(0); i < p.height*p.width; i++ {
			c := color.RGBA{p.samples[3*i], p.samples[3*i+1], p.samples[3*i+2], 255}
			made.SetRGBA(int(i%p.width), int(i/p.width), c)
		}
		file, err := os.Create(filepath.Join(folder, p.name+".png"))
		if err != nil {
			return err
		}
		err = png.Encode(file, made)
		if closed := file.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return err
		}
	}
	return nil
}
