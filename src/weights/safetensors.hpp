// Element types of safetensors.
#pragma once

#include "netcl.h"

namespace netcl::weights {

struct SafetensorsType {
  const char* name;
  netcl_dtype dtype;  // 0: netcl has none
  unsigned bits;      // 0: the end of the list
};
extern const SafetensorsType kSafetensorsTypes[];

const char* safetensors_type(netcl_dtype dtype);

}  // namespace netcl::weights
