// Names of devices under which results of measurements are kept. A part is made of what decides
// how fast a device is and is the same in every process: "vendor|name|detail". What follows the
// free memory, the limits or the threads of a process stands in none.
#pragma once

#include <string>
#include <string_view>

#include "netcl.h"

namespace netcl {

// The detail: the compute units, by which GPUs of one name differ; the processor of the built-in
// device, whose name tells only the instruction set; none for other CPUs, whose name is theirs.
std::string device_part(const netcl_device_info& info,
                        const netcl_device_capabilities& capabilities);

// What changes with the driver.
std::string device_driver(const netcl_device_info& info);

// A part as this version writes it: parts of 0.1.0 ended in the memory in GiB, and that of the
// built-in device counted its threads. Any other text stays as it is.
std::string current_part(std::string_view stored);

// Vendor and name.
std::string_view part_family(std::string_view part);

// Whether what was measured on one part, as current_part gives it, holds for another. Records of
// 0.1.0 counted the threads of a CPU as its compute units; they hold whatever the number.
bool part_serves(std::string_view stored, std::string_view asked);

}  // namespace netcl
