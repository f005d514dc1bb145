/* Reports of Nsight Compute for tests: their heads, and reading them. */
#pragma once
#include "support.h"

#define COMPUTE "sm__throughput.avg.pct_of_peak_sustained_elapsed"
#define MEMORY "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"
#define DRAM "dram__throughput.avg.pct_of_peak_sustained_elapsed"
#define TENSOR_ELAPSED "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"
#define DURATION "gpu__time_duration.sum"

#define HEAD "\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\","
#define LONG_HEAD HEAD "\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
#define WIDE_HEAD HEAD "\"" COMPUTE "\",\"" MEMORY "\",\"" DURATION "\",\"" TENSOR_ELAPSED "\"\n"
/* A row of the long form: process, id, kernel, metric, unit, value. */
#define ROW(process, id, kernel, metric, unit, value)                                      \
  "\"" id "\",\"" process "\",\"" kernel "\",\"(256, 1, 1)\",\"s\",\"" metric "\",\"" unit \
  "\",\"" value "\"\n"

netcl_roofline* ncu_analyzer(void);
netcl_status analyze_ncu(const char* text, const char* kernel, netcl_ncu_policy policy,
                         netcl_roofline_result* result);
netcl_roofline_result read_ncu(const char* text, const char* kernel, netcl_ncu_policy policy);
/* The report is refused with this text in the message, and the result is untouched. */
void refused_ncu(const char* text, const char* wanted);
