// Any bytes as a T1 file: a space, or CORRUPT_DATA with a message. Small spaces are walked.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "netcl.h"
#include "structured.hpp"

using netcl::fuzz::require;

static constexpr std::string_view kWords[] = {"ConfigurationSpace",
                                              "TuningParameters",
                                              "Name",
                                              "Type",
                                              "Values",
                                              "Default",
                                              "Conditions",
                                              "Expression",
                                              "KernelSpecification",
                                              "Language",
                                              "GlobalSizeType",
                                              "GlobalSize",
                                              "LocalSize",
                                              "X",
                                              "Y",
                                              "Z",
                                              "int",
                                              "uint",
                                              "long",
                                              "float",
                                              "double",
                                              "bool",
                                              "string",
                                              "CUDA",
                                              "OpenCL",
                                              "Vulkan",
                                              "[1, 2, 3]",
                                              "[16*i for i in range(1,4)]",
                                              "[0.5, 1]",
                                              "A > 16 or B",
                                              "A",
                                              "B",
                                              "A*B",
                                              "A ** 2",
                                              "ceil(A / 16)",
                                              "True",
                                              "16",
                                              "x"};

FUZZ_MUTATION(text, chance) { return netcl::fuzz::changed_json(text, chance, kWords); }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  netcl_space* space = nullptr;
  const char* text = size > 0 ? reinterpret_cast<const char*>(data) : "";
  const netcl_status status = netcl_space_create_from_t1(text, size, &space);
  if (status != NETCL_OK) {
    require(status == NETCL_ERROR_CORRUPT_DATA, "a damaged file is not CORRUPT_DATA");
    require(netcl_last_error_message()[0] != '\0', "an error without a message");
    return 0;
  }
  netcl_config* config = nullptr;
  for (uint64_t i = 0; i < 16; ++i) {
    if (netcl_space_get_config(space, nullptr, i, &config) != NETCL_OK) break;
    char why[256];
    require(netcl_space_explain(space, nullptr, config, why, sizeof why, nullptr) == NETCL_OK &&
                why[0] == '\0',
            "a configuration of the space is not in the space");
    netcl_config_release(config);
  }
  netcl_space_release(space);
  return 0;
}
