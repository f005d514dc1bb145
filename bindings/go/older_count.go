//go:build netclcount

package netcl

// Calls of a program that was built with the first release, whose structs were smaller: for tests,
// whose files cannot hold C.

// #include "zz_netcl.h"
// #include <string.h>
//
// // netcl_norm_options ended before has_epsilon, netcl_buffer_info before its last member.
// enum { first_norm_options = 32, first_buffer_info = 40 };
//
// // Layer norm with an epsilon of 0 that counts only in the whole struct.
// static netcl_status older_layernorm(uintptr_t x, int whole, uintptr_t *made) {
//   netcl_norm_options options = NETCL_NORM_OPTIONS_INIT;
//   netcl_tensor *y = NULL;
//   options.has_epsilon = 1;
//   if (!whole) options.struct_size = first_norm_options;
//   const netcl_status status = netcl_op_layernorm((netcl_tensor *)x, 0, &options, NULL, &y);
//   *made = (uintptr_t)y;
//   return status;
// }
//
// // Counts the bytes behind the older struct that were written.
// static netcl_status older_buffer_info(uintptr_t tensor, uint64_t *bytes, int *written) {
//   netcl_buffer_info info;
//   netcl_buffer *buffer = NULL;
//   netcl_status status = netcl_tensor_get_buffer((const netcl_tensor *)tensor, &buffer);
//   if (status != NETCL_OK) return status;
//   memset(&info, 0xA5, sizeof info);
//   info.struct_size = first_buffer_info;
//   status = netcl_buffer_get_info(buffer, &info);
//   netcl_buffer_release(buffer);
//   *bytes = info.bytes;
//   for (size_t i = first_buffer_info; i < sizeof info; i++) {
//     *written += ((const unsigned char *)&info)[i] != 0xA5;
//   }
//   return sizeof info > first_buffer_info ? status : NETCL_ERROR_INTERNAL;
// }
import "C"

import "runtime"

// OlderLayernorm calls netcl_op_layernorm with the struct of the first release, or the whole one.
func OlderLayernorm(x *Tensor, whole bool) (*Tensor, Status) {
	var made C.uintptr_t
	all := C.int(0)
	if whole {
		all = 1
	}
	status := C.older_layernorm(C.uintptr_t(x.pointer()), all, &made)
	runtime.KeepAlive(x)
	return newTensor(made), Status(status)
}

// OlderBufferInfo gives the bytes of a tensor's buffer through the struct of the first release, and
// how many bytes behind that were written.
func OlderBufferInfo(x *Tensor) (bytes uint64, written int, status Status) {
	var size C.uint64_t
	var count C.int
	got := C.older_buffer_info(C.uintptr_t(x.pointer()), &size, &count)
	runtime.KeepAlive(x)
	return uint64(size), int(count), Status(got)
}
