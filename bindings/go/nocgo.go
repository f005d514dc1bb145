//go:build !cgo

package netcl

// The only declaration without cgo: the compiler's error says what to do.
var _ = netcl_needs_cgo__set_CGO_ENABLED_1_and_install_gcc
