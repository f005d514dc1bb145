// The choice among tables of SIMD functions, of which there is one per instruction set.
#pragma once

#include "hwy/highway.h"

// Once per file, behind HWY_ONCE and outside of namespaces: `accessor<float>()` of netcl::cpu gives
// what name_f32() does for the best instruction set of this machine, and `accessor<double>()` what
// name_f64() does. Both lie in a namespace of netcl::cpu.
#define NETCL_SIMD_TABLES(space, name, Table, accessor)   \
  namespace netcl::cpu {                                  \
  namespace space {                                       \
  HWY_EXPORT(name##_f32);                                 \
  HWY_EXPORT(name##_f64);                                 \
  }                                                       \
  template <>                                             \
  const Table<float>& accessor<float>() {                 \
    using namespace space;                                \
    return *HWY_DYNAMIC_DISPATCH(name##_f32)();           \
  }                                                       \
  template <>                                             \
  const Table<double>& accessor<double>() {               \
    using namespace space;                                \
    return *HWY_DYNAMIC_DISPATCH(name##_f64)();           \
  }                                                       \
  }
