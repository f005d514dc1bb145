package netcl

// #include <stddef.h>
// #include "zz_calls.h"
//
// typedef struct netclgo_device_head {
//   netcl_status status;
//   uint32_t index;
// } netclgo_device_head;
//
// // Whether the device is a good one, and what of its identity is no constant.
// static netclgo_device_head netclgo_device_get_head(uintptr_t device) {
//   netclgo_device_head head;
//   netcl_device_info info;
//   info.struct_size = offsetof(netcl_device_info, type);
//   head.status = netcl_device_get_info((const netcl_device *)device, &info);
//   head.index = head.status == NETCL_OK ? info.index : 0;
//   return head;
// }
import "C"

import (
	"fmt"
	"math"
	"runtime"
)

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

// Info gives the identity of a device.
//
// It calls netcl_device_get_info.
func (d *Device) Info() (DeviceInfo, error) {
	if d == nil {
		return d.askInfo()
	}
	// The texts are copied once: they never change.
	if known := d.identity.Load(); known != nil {
		head := C.netclgo_device_get_head(C.uintptr_t(d.pointer()))
		runtime.KeepAlive(d)
		if head.status == C.NETCL_OK {
			info := *known
			info.Index = int(head.index)
			return info, nil
		}
	}
	info, err := d.askInfo()
	if err == nil {
		kept := info
		d.identity.Store(&kept)
	}
	return info, err
}

// String gives the index, the name and the platform of the device; one that is in no list has no
// index.
func (i DeviceInfo) String() string {
	if uint32(i.Index) == math.MaxUint32 {
		return fmt.Sprintf("%s (%s)", i.Name, i.PlatformName)
	}
	return fmt.Sprintf("%d: %s (%s)", i.Index, i.Name, i.PlatformName)
}

// String gives the name of the device.
func (d *Device) String() string {
	info, err := d.Info()
	if err != nil {
		return "<" + err.Error() + ">"
	}
	return info.Name
}
