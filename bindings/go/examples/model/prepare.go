package main

import (
	"errors"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"math"
	"os"

	"netcl.example/netcl"
)

// picture is rows of red, green and blue.
type picture struct {
	height, width int
	samples       []byte
}

// view is what is wanted of a picture: it is resized to height x width, and of that the rows and
// columns from (top, left) on are taken.
type view struct{ height, width, top, left, rows, columns int }

// look is how samples of red, green and blue become elements.
type look struct {
	mean, deviation []float32
	blueFirst       bool
}

// What networks that learned ImageNet take, and those of PP-OCR.
var (
	imageNet = look{[]float32{0.485, 0.456, 0.406}, []float32{0.229, 0.224, 0.225}, false}
	ocr      = look{[]float32{0.5, 0.5, 0.5}, []float32{0.5, 0.5, 0.5}, true}
)

func loadPicture(path string) (picture, error) {
	file, err := os.Open(path)
	if err != nil {
		return picture{}, err
	}
	defer file.Close()
	from, _, err := image.Decode(file)
	if err != nil {
		return picture{}, fmt.Errorf("%s: %w", path, err)
	}
	area := from.Bounds()
	p := picture{height: int(area.Dy()), width: int(area.Dx())}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			r, g, b, _ := from.At(x, y).RGBA()
			p.samples = append(p.samples, byte(r>>8), byte(g>>8), byte(b>>8))
		}
	}
	return p, nil
}

// middle is 224 x 224 from the middle of the picture, whose shorter side is made 256.
func (p picture) middle() view {
	shorter := p.height
	if p.width < shorter {
		shorter = p.width
	}
	v := view{height: p.height * 256 / shorter, width: p.width * 256 / shorter, rows: 224, columns: 224}
	v.top, v.left = (v.height-224)/2, (v.width-224)/2
	return v
}

// resizeMatrix gives [count, from]: row i has the weights by which the samples of an axis make
// sample first + i of `to`: linear between neighbours, and over more of them where the axis shrinks.
func resizeMatrix(device *netcl.Device, from, to, first, count int) (*netcl.Tensor, error) {
	scale := float64(from) / float64(to)
	reach := math.Max(scale, 1)
	weights := make([]float32, count*from)
	near := make([]float64, from)
	for i := int(0); i < count; i++ {
		center, sum := (float64(first+i)+0.5)*scale-0.5, 0.0
		for k := range near {
			near[k] = math.Max(0, 1-math.Abs(float64(k)-center)/reach)
			sum += near[k]
		}
		for k := range near {
			weights[i*from+int(k)] = float32(near[k] / sum)
		}
	}
	return netcl.FromSlice(device, weights, count, from)
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

// last gives what the last op made, and closes the rest.
func (s *steps) last() (*netcl.Tensor, error) {
	count := len(s.made)
	if s.err == nil {
		count--
	}
	for _, tensor := range s.made[:count] {
		if tensor != nil {
			tensor.Close()
		}
	}
	if s.err != nil {
		return nil, s.err
	}
	return s.made[count], nil
}

// prepare gives the input of a model, f32 [1, 3, rows, columns], made on the device: the picture is
// resized by two matrix products, and each sample becomes (sample / 255 - mean) / deviation.
func (p picture) prepare(device *netcl.Device, v view, how look) (*netcl.Tensor, error) {
	var s steps
	pixels := s.do(func() (*netcl.Tensor, error) {
		return netcl.FromSlice(device, p.samples, p.height, p.width, 3)
	})
	planes := s.do(func() (*netcl.Tensor, error) { return pixels.Permute([]int{2, 0, 1}) })
	if how.blueFirst {
		right := planes
		planes = s.do(func() (*netcl.Tensor, error) {
			return right.Slice([]netcl.Range{{Start: 2, Extent: 3, Step: -1},
				{Extent: p.height, Step: 1}, {Extent: p.width, Step: 1}})
		})
	}
	numbers := s.do(func() (*netcl.Tensor, error) { return planes.Cast(netcl.F32) })
	down := s.do(func() (*netcl.Tensor, error) {
		return resizeMatrix(device, p.height, v.height, v.top, v.rows)
	})
	across := s.do(func() (*netcl.Tensor, error) {
		return resizeMatrix(device, p.width, v.width, v.left, v.columns)
	})
	turned := s.do(func() (*netcl.Tensor, error) { return across.T() })
	rows := s.do(func() (*netcl.Tensor, error) { return down.Matmul(numbers) })
	small := s.do(func() (*netcl.Tensor, error) { return rows.Matmul(turned) })
	mean := s.do(func() (*netcl.Tensor, error) { return netcl.FromSlice(device, how.mean, 3, 1, 1) })
	deviation := s.do(func() (*netcl.Tensor, error) {
		return netcl.FromSlice(device, how.deviation, 3, 1, 1)
	})
	made := s.do(func() (*netcl.Tensor, error) {
		return netcl.Expr("(v0 / 255.0f - v1) / v2", small, mean, deviation)
	})
	s.do(func() (*netcl.Tensor, error) {
		return made.Reshape([]int{1, 3, v.rows, v.columns}, nil)
	})
	return s.last()
}

// lineMost is how many columns a line may have.
const lineMost = 8192

// prepareLine makes a line of text 48 rows high and at least so many columns wide, with zeros up to a
// multiple, so that lines of nearly one length are one form of the model. One with more columns than
// most is made narrower, but for lineMost.
func (p picture) prepareLine(device *netcl.Device, least, most, multiple int) (*netcl.Tensor, error) {
	width, padded := (48*p.width+p.height-1)/p.height, least
	if width > most && most < lineMost {
		width = most
	}
	if width > lineMost {
		return nil, errors.New("the picture is too long for a line")
	}
	if width > padded {
		padded = (width + multiple - 1) / multiple * multiple
	}
	line, err := p.prepare(device, view{height: 48, width: width, rows: 48, columns: width}, ocr)
	if err != nil {
		return nil, err
	}
	defer line.Close()
	return line.Pad([]int{0, 0, 0, 0, 0, 0, 0, padded - width})
}
