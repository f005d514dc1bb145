package netcl_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"netcl.example/netcl"
)

// Waits that have no reason to end early.
var background = context.Background()

// afterTests holds checks of the whole run; see count_test.go.
var afterTests []func() error

// TestMain also checks that the garbage collector gives back whatever the tests did not close.
func TestMain(m *testing.M) {
	code := m.Run()
	for _, check := range append(afterTests, nothingIsLeft) {
		if err := check(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

func nothingIsLeft() error {
	var left []string
	for try := 0; try < 200; try++ {
		runtime.GC()
		left = nil
		for _, kind := range netcl.HandleTypeValues {
			count, err := netcl.LibraryLiveCount(kind)
			if err != nil {
				return err
			}
			if count > 0 {
				left = append(left, fmt.Sprintf("%d of %v", count, kind))
			}
		}
		if left == nil {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return fmt.Errorf("handles are left: %s", strings.Join(left, ", "))
}

func selector() string {
	if name := os.Getenv("NETCL_TEST_DEVICE"); name != "" {
		return name
	}
	return "builtin"
}

func open(t testing.TB) *netcl.Device {
	t.Helper()
	return ok(netcl.Open(selector()))(t)
}

func isOpenCL(t testing.TB, device *netcl.Device) bool {
	t.Helper()
	return ok(device.Info())(t).Backend == netcl.BackendOpenCL
}

// ok gives the value of a call that has to succeed: ok(f())(t).
func ok[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fails checks for an error of the library with a status and a text in its message.
func fails(t testing.TB, err error, status netcl.Status, text string) {
	t.Helper()
	refused(t, err)
	if !errors.Is(err, status) || !strings.Contains(err.Error(), text) {
		t.Fatalf("%v; %v with %q was expected", err, status, text)
	}
}

// refused checks for an error of the library of any kind.
func refused(t testing.TB, err error) *netcl.Error {
	t.Helper()
	if err == nil {
		t.Fatal("the call succeeded")
	}
	var own *netcl.Error
	if !errors.As(err, &own) || own.Status == netcl.OK || own.Message == "" {
		t.Fatalf("%v is no error of the library", err)
	}
	return own
}

// closes checks for the error of a call that got a closed object: it names the place, and there is
// no result.
func closes(t testing.TB, err error, place string, results ...*netcl.Tensor) {
	t.Helper()
	fails(t, err, netcl.ErrInvalidHandle, place+" is closed")
	for _, result := range results {
		if result != nil {
			t.Fatalf("there is a result, and %s is closed", place)
		}
	}
}

// failed drops the value of a call that has to fail.
func failed[T any](_ T, err error) error {
	return err
}

func equal[T comparable](t testing.TB, got, want []T) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%v is not %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%v is not %v", got, want)
		}
	}
}

func same[T comparable](t testing.TB, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("%v is not %v", got, want)
	}
}

func values[T netcl.Element](t testing.TB, tensor *netcl.Tensor) []T {
	t.Helper()
	return ok(netcl.ToSlice[T](background, tensor))(t)
}

func has[T netcl.Element](t testing.TB, tensor *netcl.Tensor, want ...T) {
	t.Helper()
	equal(t, values[T](t, tensor), want)
}

// near compares a call's result with numbers.
func near(t testing.TB, tensor *netcl.Tensor, err error, want ...float32) {
	t.Helper()
	must(t, err)
	got := values[float32](t, tensor)
	if len(got) != len(want) {
		t.Fatalf("%v is not %v", got, want)
	}
	for i, w := range want {
		if d := got[i] - w; d > 1e-5*(1+abs(w)) || d < -1e-5*(1+abs(w)) {
			t.Fatalf("%v is not %v", got, want)
		}
	}
	must(t, tensor.Close())
}

func abs(value float32) float32 {
	if value < 0 {
		return -value
	}
	return value
}

func tensor[T netcl.Element](t testing.TB, device *netcl.Device, elements []T,
	shape ...int) *netcl.Tensor {
	t.Helper()
	return ok(netcl.FromSlice(device, elements, shape...))(t)
}

// counting is 0, 1, 2, ... in a shape.
func counting(t testing.TB, device *netcl.Device, shape ...int) *netcl.Tensor {
	t.Helper()
	count := 1
	for _, extent := range shape {
		count *= extent
	}
	elements := make([]float32, count)
	for i := range elements {
		elements[i] = float32(i)
	}
	return tensor(t, device, elements, shape...)
}

// fresh gives random numbers from a seed that a failing test shows.
func fresh(t testing.TB, count int) []float32 {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewSource(seed))
	numbers := make([]float32, count)
	for i := range numbers {
		numbers[i] = random.Float32()*2 - 1
	}
	return numbers
}

// bytesOf gives the memory of numbers on the little-endian machines that there are here.
func bytesOf(t testing.TB, values any) []byte {
	t.Helper()
	var buffer bytes.Buffer
	must(t, binary.Write(&buffer, binary.LittleEndian, values))
	return buffer.Bytes()
}
