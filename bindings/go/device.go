package netcl

// Open opens a device with defaults: "auto", "gpu", "cpu", "builtin", or what else OpenDevice takes.
func Open(selector string) (*Device, error) {
	return OpenDevice(selector, nil)
}

// Devices gives the identities of all devices, the built-in one last; it opens none.
func Devices() ([]DeviceInfo, error) {
	count, err := DeviceCount()
	if err != nil {
		return nil, err
	}
	list := make([]DeviceInfo, 0, count)
	for index := 0; index < count; index++ {
		info, err := DeviceDescribe(index)
		if err != nil {
			return nil, err
		}
		list = append(list, info)
	}
	return list, nil
}

// String gives the name of the device.
func (d *Device) String() string {
	info, err := d.Info()
	if err != nil {
		return "<" + err.Error() + ">"
	}
	return info.Name
}
