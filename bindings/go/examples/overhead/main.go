// Overhead: what Go adds to a call. The same getters in a loop in C and in Go, in turns.
//
// usage: go run ./examples/overhead [device]
package main

// #cgo linux LDFLAGS: -ldl
// #include "../../zz_netcl.h"
// #include <dlfcn.h>
// #include <stdlib.h>
//
// // The function of the library that package netcl has opened, without what Go calls it through.
// static void *entry(const char *name) {
//   const char *given = getenv("NETCL_LIBRARY");
//   void *library = dlopen(given != NULL && *given != 0 ? given :
//   #ifdef __APPLE__
//     "libnetcl.0.dylib",
//   #else
//     "libnetcl.so.0",
//   #endif
//     RTLD_NOW);
//   void *found = library != NULL ? dlsym(library, name) : NULL;
//   if (found == NULL) abort();
//   return found;
// }
//
// static void arity(uintptr_t handle, int calls) {
//   uint32_t value;
//   netcl_status (*get)(const netcl_expression *, uint32_t *) = entry("netcl_expression_get_arity");
//   while (calls-- > 0) get((netcl_expression *)handle, &value);
// }
//
// static void info(uintptr_t handle, int calls) {
//   netcl_tensor_info value = NETCL_TENSOR_INFO_INIT;
//   netcl_status (*get)(netcl_tensor *, netcl_tensor_info *) = entry("netcl_tensor_get_info");
//   while (calls-- > 0) get((netcl_tensor *)handle, &value);
// }
//
// static void device(uintptr_t handle, int calls) {
//   netcl_device_info value = NETCL_DEVICE_INFO_INIT;
//   netcl_status (*get)(netcl_device *, netcl_device_info *) = entry("netcl_device_get_info");
//   while (calls-- > 0) get((netcl_device *)handle, &value);
// }
//
// static void query(uintptr_t handle, int calls) {
//   netcl_event_state value;
//   netcl_status (*get)(netcl_event *, netcl_event_state *) = entry("netcl_event_query");
//   while (calls-- > 0) get((netcl_event *)handle, &value);
// }
import "C"

import (
	"fmt"
	"log"
	"os"
	"sort"
	"time"

	"netcl.example/netcl"
)

const (
	rounds = 51
	calls  = 20000
)

// perCall gives the nanoseconds of one of all calls.
func perCall(work func()) float64 {
	start := time.Now()
	work()
	return float64(time.Since(start).Nanoseconds()) / calls
}

func compare(name string, inC func(), inGo func()) {
	var plain, added []float64
	for i := 0; i < rounds; i++ {
		c := perCall(inC)
		both := perCall(func() {
			for j := 0; j < calls; j++ {
				inGo()
			}
		})
		plain, added = append(plain, c), append(added, both-c)
	}
	sort.Float64s(plain)
	sort.Float64s(added)
	fmt.Printf("%s: %.1f ns in C, %+.1f ns in Go\n", name, plain[rounds/2], added[rounds/2])
}

func main() {
	selector := "builtin"
	if len(os.Args) > 1 {
		selector = os.Args[1]
	}
	device, err := netcl.Open(selector)
	check(err)
	defer device.Close()
	expression, err := netcl.NewExpression("v0 + v1")
	check(err)
	defer expression.Close()
	compare("netcl_expression_get_arity", func() {
		C.arity(C.uintptr_t(expression.Handle()), calls)
	}, func() {
		_, err = expression.Arity()
	})
	check(err)
	tensor, err := netcl.Zeros(device, netcl.F32, 2, 3)
	check(err)
	defer tensor.Close()
	compare("netcl_tensor_get_info", func() {
		C.info(C.uintptr_t(tensor.Handle()), calls)
	}, func() {
		_, err = tensor.Info()
	})
	check(err)
	compare("netcl_device_get_info", func() {
		C.device(C.uintptr_t(device.Handle()), calls)
	}, func() {
		_, err = device.Info()
	})
	check(err)
	queue, err := device.Queue()
	check(err)
	defer queue.Close()
	event, err := queue.EnqueueMarker(nil)
	check(err)
	defer event.Close()
	compare("netcl_event_query", func() {
		C.query(C.uintptr_t(event.Handle()), calls)
	}, func() {
		_, err = event.Query()
	})
	check(err)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
