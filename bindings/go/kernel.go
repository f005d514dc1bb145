//go:build cgo

package netcl

// NewKernelFromSource makes the kernel `name` of a source in OpenCL C, with the defaults of all other
// options; NewKernel takes them.
func NewKernelFromSource(device *Device, name, source string) (*Kernel, error) {
	if source == "" {
		return nil, invalid("source is \"\"")
	}
	return NewKernel(device, name, &KernelOptions{Source: source})
}
