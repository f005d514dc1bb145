package main

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"netcl.example/netcl"
)

// pager reads pages; turner may be nil.
type pager struct {
	device                   *netcl.Device
	detector, reader, turner *netcl.Model
	keys                     []string
}

func openPager(device *netcl.Device, detector, reader, turner string, keys []string) (*pager, error) {
	p := &pager{device: device, keys: keys}
	for _, model := range []struct {
		path string
		into **netcl.Model
	}{{detector, &p.detector}, {reader, &p.reader}, {turner, &p.turner}} {
		if model.path == "" {
			continue
		}
		loaded, err := netcl.LoadModel(device, model.path, nil)
		if err != nil {
			p.close()
			return nil, err
		}
		*model.into = loaded
	}
	return p, nil
}

func (p *pager) close() {
	for _, model := range []*netcl.Model{p.detector, p.reader, p.turner} {
		if model != nil {
			model.Close()
		}
	}
}

// detect gives the lines of a picture, whose shorter side is made `side` pixels where it has fewer,
// and whose longer one 2000 where it has more.
func (p *pager) detect(image picture, side int) ([]box, error) {
	shorter, longer := image.height, image.width
	if longer < shorter {
		shorter, longer = longer, shorter
	}
	grow := 1.0
	if longer > 2000 {
		grow = 2000 / float64(longer)
	} else if shorter < side {
		grow = float64(side) / float64(shorter)
	}
	size := func(side int) int {
		return int(math.Max(32, 32*math.Floor(grow*float64(side)/32+0.5)))
	}
	height, width := size(image.height), size(image.width)
	input, err := image.prepare(p.device, view{height: height, width: width, rows: height, columns: width}, ocr)
	if err != nil {
		return nil, err
	}
	defer input.Close()
	odds, _, err := evaluate(p.detector, input)
	if err == nil && int(len(odds)) != height*width {
		err = errors.New("the output of the model that detects is not as large as its input")
	}
	if err != nil {
		return nil, err
	}
	return image.findBoxes(odds, int(height), int(width)), nil
}

// upright gives a line, turned round where it is upside down.
func (p *pager) upright(line picture) (picture, error) {
	if p.turner == nil {
		return line, nil
	}
	input, err := line.prepareLine(p.device, 192, 192, 1)
	if err != nil {
		return line, err
	}
	defer input.Close()
	odds, _, err := evaluate(p.turner, input)
	if err == nil && len(odds) == 2 && odds[1] > 0.9 {
		line = line.turnedRound()
	}
	return line, err
}

// read prints the lines of a page, and gives them.
func (p *pager) read(path string, side int) ([]string, error) {
	image, err := loadPicture(path)
	if err != nil {
		return nil, err
	}
	boxes, err := p.detect(image, side)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	fmt.Println(filepath.Base(path))
	var texts []string
	for _, b := range boxes {
		line, err := p.upright(image.cutOut(b))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		text, odds, err := line.readLine(p.reader, p.device, p.keys)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if odds < 0.5 {
			continue
		}
		fmt.Printf("  %5.1f %%  at (%.0f, %.0f): %s\n", 100*odds, real(b.corner), imag(b.corner), text)
		texts = append(texts, text)
	}
	return texts, nil
}

func readPages(device *netcl.Device, detector, reader, turner, keysPath string, pictures []string) error {
	keys, err := lines(keysPath)
	if err != nil {
		return err
	}
	page, err := openPager(device, detector, reader, turner, keys)
	if err != nil {
		return err
	}
	defer page.close()
	for _, picture := range pictures {
		if _, err := page.read(picture, 736); err != nil {
			return err
		}
	}
	return nil
}
