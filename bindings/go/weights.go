//go:build cgo

package netcl

// Named gives a tensor of the file by its name.
func (w *Weights) Named(name string, options *TensorOptions) (*Tensor, error) {
	index, err := w.Find(name)
	if err != nil {
		return nil, err
	}
	return w.Tensor(index, options)
}

// Names gives the names of all tensors, in the order of the file.
func (w *Weights) Names() ([]string, error) {
	info, err := w.Info()
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, info.TensorCount)
	for index := 0; index < info.TensorCount; index++ {
		entry, err := w.Entry(index)
		if err != nil {
			return nil, err
		}
		names = append(names, entry.Name)
	}
	return names, nil
}
