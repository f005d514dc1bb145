// Package mnist has images of digits: the MNIST test set, or digits drawn with a small font.
package mnist

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// An image has Pixels bytes, Side rows of Side.
const (
	Side   = 28
	Pixels = Side * Side
)

// Images are bytes [count, 28, 28]; Labels are nil when they are not known.
type Images struct {
	Count  int
	Pixels []byte
	Labels []byte
}

// Load reads the MNIST test set, or draws digits when there is no folder.
func Load(folder string) (*Images, error) {
	if folder == "" {
		return draw(), nil
	}
	const count = 10000
	pixels, err := readIDX(folder, "t10k-images-idx3-ubyte", 16, count*Pixels)
	if err != nil {
		return nil, err
	}
	labels, err := readIDX(folder, "t10k-labels-idx1-ubyte", 8, count)
	return &Images{count, pixels, labels}, err
}

// readIDX reads bytes behind a header from NAME or NAME.gz.
func readIDX(folder, name string, skip, bytes int) ([]byte, error) {
	path := filepath.Join(folder, name)
	var data []byte
	file, err := os.Open(path)
	if os.IsNotExist(err) {
		path += ".gz"
		file, err = os.Open(path)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	from := io.Reader(file)
	if filepath.Ext(path) == ".gz" {
		if from, err = gzip.NewReader(file); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	data = make([]byte, skip+bytes)
	if _, err := io.ReadFull(from, data); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if data[0] != 0 || data[1] != 0 || data[2] != 8 {
		return nil, fmt.Errorf("%s is no IDX file of bytes", path)
	}
	return data[skip:], nil
}

// font has 5 x 7 dots for each digit.
var font = [10]string{
	"01110100011001110101110011000101110", "00100011000010000100001000010001110",
	"01110100010000100010001000100011111", "11111000100010000010000011000101110",
	"00010001100101010010111110001000010", "11111100001111000001000011000101110",
	"00110010001000011110100011000101110", "11111000010001000100010000100001000",
	"01110100011000101110100011000101110", "01110100011000101111000010001001100",
}

// draw makes the digits of the font three times as large, moved and with some noise.
func draw() *Images {
	const count = 500
	made := &Images{Count: count, Pixels: make([]byte, count*Pixels)}
	random := uint32(12345)
	for i := 0; i < count; i++ {
		down, right := i/10%5+1, i/50%5+4
		for y := 0; y < Side; y++ {
			for x := 0; x < Side; x++ {
				row, column := (y-down)/3, (x-right)/3
				inside := y >= down && x >= right && row < 7 && column < 5
				random = random*1664525 + 1013904223
				value := byte(random >> 28)
				if inside && font[i%10][5*row+column] == '1' {
					value = 200 + 3*value
				}
				made.Pixels[i*Pixels+y*Side+x] = value
			}
		}
	}
	return made
}
