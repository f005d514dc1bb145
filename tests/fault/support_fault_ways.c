/* The ways in which calls of a driver plausibly fail. */
#include <stdio.h>

#include "support_fault.h"

const Way kWays[] = {
    {FAULT_FAIL, -6, "", 1},       /* OUT_OF_HOST_MEMORY */
    {FAULT_FAIL, -5, "", 0},       /* OUT_OF_RESOURCES */
    {FAULT_FAIL, -2, "", 0},       /* DEVICE_NOT_AVAILABLE */
    {FAULT_FAIL, -4, "Buffer", 0}, /* MEM_OBJECT_ALLOCATION_FAILURE */
    {FAULT_FAIL, -4, "Enqueue", 0},
    {FAULT_FAIL, -59, "Enqueue", 0},      /* INVALID_OPERATION */
    {FAULT_FAIL, -12, "Map", 0},          /* MAP_FAILURE */
    {FAULT_FAIL, -11, "BuildProgram", 0}, /* BUILD_PROGRAM_FAILURE */
    {FAULT_FAIL, -42, "WithBinary", 0},   /* INVALID_BINARY */
    {FAULT_FAIL, -46, "clCreateKernel", 0},
    {FAULT_FAIL, -7, "Profiling", 0}, /* PROFILING_INFO_NOT_AVAILABLE */
    {FAULT_NO_RESULT, 0, "", 0},
    {FAULT_LATE, -5, "Enqueue", 0},
    {FAULT_BLOCK, 15, "", 0},
    {FAULT_LOSE, -5, "", 1},
    {FAULT_LOSE, -36, "", 0}, /* INVALID_COMMAND_QUEUE */
};
const int kWaysCount = COUNT_OF(kWays);

enum { kFirstCalls = 2 };

/* Functions that change nothing fail alike at each call. */
static int asks(int entry) {
  return strncmp(fault_control()->function_name(entry), "clGet", 5) == 0;
}

int way_possible(const Way* way, int entry) {
  const FaultControl* control = fault_control();
  const char* gives = control->function_gives(entry);
  if (way->action == FAULT_NO_RESULT) return strchr(gives, ' ') != NULL;
  if (way->action == FAULT_LATE) return strstr(gives, "event") != NULL;
  if (way->action != FAULT_BLOCK && gives[0] == '\0') return 0;
  return strstr(control->function_name(entry), way->where) != NULL;
}

/* What failed may make others follow. */
uint64_t way_calls(const Way* way, int entry, uint64_t calls) {
  const int each = way->always && (way->action == FAULT_FAIL || !asks(entry));
  return each ? 4 * calls + 8 : (uint64_t)kFirstCalls;
}

int status_is_plausible(netcl_status status) {
  switch (status) {
    case NETCL_ERROR_INTERNAL:
    case NETCL_ERROR_INVALID_HANDLE:
    case NETCL_ERROR_FORKED:
    case NETCL_ERROR_TIMEOUT:
    case NETCL_ERROR_CANCELLED:
    case NETCL_ERROR_CORRUPT_DATA:
      return 0;
    default:
      return 1;
  }
}

enum { kNoEvent = -58 /* INVALID_EVENT */ };

int error_says(const netcl_error_info* error, const Fault* fault) {
  const char* entry = fault_control()->function_name(fault->entry);
  const int code = fault->action == FAULT_NO_RESULT ? kNoEvent : fault->value;
  char text[16];
  if (strstr(error->message, entry) != NULL || error->native_code == code) return 1;
  snprintf(text, sizeof text, "(%d)", code);
  if (strstr(error->message, text) != NULL) return 1;
  snprintf(text, sizeof text, "code %d", code);
  return strstr(error->message, text) != NULL;
}
