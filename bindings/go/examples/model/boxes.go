package main

import (
	"math"
	"math/cmplx"
	"sort"
)

// box is a line of text: a corner, the way along the text and the way down, in pixels. Points are
// complex numbers.
type box struct{ corner, along, down complex128 }

// What PP-OCR takes: odds of a pixel, mean odds of a part, how much a box is widened.
const (
	pixelLeast = 0.3
	partLeast  = 0.5
	widen      = 1.6
	sideLeast  = 3
)

func stretched(z complex128, x, y float64) complex128 { return complex(x*real(z), y*imag(z)) }

// hullOf gives the hull of points that are sorted by x, then y.
func hullOf(points []complex128) []complex128 {
	var hull []complex128
	add := func(point complex128, least int) {
		for len(hull) >= least+2 {
			a, b := hull[len(hull)-2], hull[len(hull)-1]
			if imag(cmplx.Conj(b-a)*(point-a)) > 0 {
				break
			}
			hull = hull[:len(hull)-1]
		}
		hull = append(hull, point)
	}
	for _, point := range points {
		add(point, 0)
	}
	for i, least := len(points)-2, len(hull)-1; i >= 0; i-- {
		add(points[i], least)
	}
	if len(hull) > 1 {
		return hull[:len(hull)-1]
	}
	return hull
}

// around gives the rectangle around points along a direction of length 1.
func around(points []complex128, way complex128) box {
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, point := range points {
		turned := cmplx.Conj(way) * point
		for i, x := range [2]float64{real(turned), imag(turned)} {
			low[i], high[i] = math.Min(low[i], x), math.Max(high[i], x)
		}
	}
	return box{way * complex(low[0], low[1]), way * complex(high[0]-low[0], 0), way * complex(0, high[1]-low[1])}
}

func (b box) area() float64 { return cmplx.Abs(b.along) * cmplx.Abs(b.down) }

// smallestAround gives the smallest rectangle: one of its sides lies on the hull.
func smallestAround(hull []complex128) box {
	best := around(hull, 1)
	for i := 0; len(hull) > 2 && i < len(hull); i++ {
		way := hull[(i+1)%len(hull)] - hull[i]
		if way == 0 {
			continue
		}
		way /= complex(cmplx.Abs(way), 0)
		// Text runs to the right, at 45 degrees at most; what stands is turned when it is read.
		for !(real(way) > 0 && math.Abs(imag(way)) <= real(way)) {
			way *= 1i
		}
		if found := around(hull, way); found.area() < best.area() {
			best = found
		}
	}
	return best
}

// widened makes a box around the middles of pixels larger by half a pixel, and then by its area over
// its perimeter, on each side.
func (b box) widened() box {
	along, down := cmplx.Abs(b.along), cmplx.Abs(b.down)
	by := 0.5 + widen*(along+1)*(down+1)/(2*(along+down+2))
	a, d := b.along*complex(by/along, 0), b.down*complex(by/down, 0)
	return box{b.corner + complex(0.5, 0.5) - a - d, b.along + 2*a, b.down + 2*d}
}

// takePart takes the part that a place belongs to out of what is left of a map, and gives its places.
func takePart(left []bool, height, width, start int) []int {
	left[start] = false
	places := []int{start}
	for next := 0; next < len(places); next++ {
		y, x := places[next]/width, places[next]%width
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				if y+dy < 0 || y+dy >= height || x+dx < 0 || x+dx >= width {
					continue
				}
				if at := (y+dy)*width + x + dx; left[at] {
					left[at] = false
					places = append(places, at)
				}
			}
		}
	}
	return places
}

// boxOfPart gives the box of a part, and whether it is large and likely enough.
func boxOfPart(odds []float32, width int, places []int) (box, bool) {
	points, sum := make([]complex128, len(places)), 0.0
	for i, place := range places {
		points[i] = complex(float64(place%width), float64(place/width))
		sum += float64(odds[place])
	}
	sort.Slice(points, func(a, b int) bool {
		if real(points[a]) != real(points[b]) {
			return real(points[a]) < real(points[b])
		}
		return imag(points[a]) < imag(points[b])
	})
	found := smallestAround(hullOf(points))
	if sum < partLeast*float64(len(places)) || math.Min(cmplx.Abs(found.along), cmplx.Abs(found.down)) < sideLeast {
		return box{}, false
	}
	return found.widened(), true
}

// before tells which of two lines is read first: from the top, and from the left where they are level.
func (b box) before(other box) bool {
	apart := imag(b.corner) - imag(other.corner)
	if math.Abs(apart) < 0.5*math.Min(cmplx.Abs(b.down), cmplx.Abs(other.down)) {
		return real(b.corner) < real(other.corner)
	}
	return apart < 0
}

// findBoxes gives all lines of a map of how much each pixel belongs to one, in the order of reading,
// with coordinates of the picture, as examples/model/boxes.h finds them.
func (p picture) findBoxes(odds []float32, height, width int) []box {
	left := make([]bool, len(odds))
	for i, odd := range odds {
		left[i] = odd > pixelLeast
	}
	x, y := float64(p.width)/float64(width), float64(p.height)/float64(height)
	var boxes []box
	for start := range odds {
		if !left[start] {
			continue
		}
		b, good := boxOfPart(odds, width, takePart(left, height, width, start))
		if !good {
			continue
		}
		b = box{stretched(b.corner, x, y), stretched(b.along, x, y), stretched(b.down, x, y)}
		k := len(boxes)
		boxes = append(boxes, b)
		for ; k > 0 && b.before(boxes[k-1]); k-- {
			boxes[k] = boxes[k-1]
		}
		boxes[k] = b
	}
	return boxes
}

// cutOut gives the pixels of a box as a picture of their own, each from four neighbours. What
// stands, half as high again as wide, is laid on its side.
func (p picture) cutOut(b box) picture {
	if cmplx.Abs(b.down) >= 1.5*cmplx.Abs(b.along) {
		b = box{b.corner + b.along, b.down, -b.along}
	}
	width, height := math.Max(1, math.Floor(cmplx.Abs(b.along))), math.Max(1, math.Floor(cmplx.Abs(b.down)))
	made := picture{height: int(height), width: int(width)}
	inside := func(x float64, extent int) (int, int, float64) {
		x = math.Min(math.Max(x-0.5, 0), float64(extent-1))
		low := int(x)
		high := low + 1
		if high == extent {
			high = low
		}
		return low, high, x - float64(low)
	}
	for y := 0.0; y < height; y++ {
		for x := 0.0; x < width; x++ {
			at := b.corner + complex((x+0.5)/width, 0)*b.along + complex((y+0.5)/height, 0)*b.down
			x0, x1, fx := inside(real(at), p.width)
			y0, y1, fy := inside(imag(at), p.height)
			for c := int(0); c < 3; c++ {
				sample := func(row, column int) float64 {
					return float64(p.samples[(row*p.width+column)*3+c])
				}
				top := sample(y0, x0)*(1-fx) + sample(y0, x1)*fx
				bottom := sample(y1, x0)*(1-fx) + sample(y1, x1)*fx
				made.samples = append(made.samples, byte(top*(1-fy)+bottom*fy+0.5))
			}
		}
	}
	return made
}

// turnedRound gives a picture upside down.
func (p picture) turnedRound() picture {
	made := picture{height: p.height, width: p.width, samples: make([]byte, len(p.samples))}
	for i := 0; i < len(p.samples); i += 3 {
		copy(made.samples[i:i+3], p.samples[len(p.samples)-3-i:])
	}
	return made
}
