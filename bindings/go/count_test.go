//go:build netclcount

package netcl_test

import (
	"fmt"
	"os"

	"netcl.example/netcl"
)

// With the tag netclcount, the names of the functions that were called go to NETCL_CALLS_FILE, and
// those that have no form in Go, with the reason, to the same file with ".unreached".
func init() {
	afterTests = append(afterTests, func() error {
		path := os.Getenv("NETCL_CALLS_FILE")
		if path == "" {
			return nil
		}
		called, reasons := "", ""
		for index, name := range netcl.FunctionNames {
			if netcl.CallCount(index) > 0 {
				called += name + "\n"
			}
			if reason := netcl.Unreached[name]; reason != "" {
				reasons += fmt.Sprintf("%s: %s\n", name, reason)
			}
		}
		if err := appendTo(path, called); err != nil {
			return err
		}
		return os.WriteFile(path+".unreached", []byte(reasons), 0o600)
	})
}

func appendTo(path, text string) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.WriteString(text)
	return err
}
