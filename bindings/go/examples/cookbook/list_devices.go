package main

import (
	"fmt"

	"netcl.example/netcl"
)

func listDevices(*netcl.Device) error {
	// [recipe]
	list, err := netcl.Devices()
	if err != nil {
		return err
	}
	for _, info := range list {
		fmt.Printf("%d: %s, %s\n", info.Index, info.Name, info.PlatformName)
	}
	// [end]
	return nil
}
