#include "support_fault.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>

const FaultControl* fault_control(void) {
  static const FaultControl* control;
  if (control != NULL) return control;
  void* const library = dlopen(getenv("NETCL_OPENCL_LIBRARY"), RTLD_NOW | RTLD_LOCAL);
  assert_non_null(library);
  FaultControlFunction* function = NULL;
  void* const symbol = dlsym(library, "fault_cl_control");
  assert_non_null(symbol);
  memcpy(&function, &symbol, sizeof function);
  control = function();
  return control;
}

/* In the lock the functions come last, "name": { at the second level. */
int read_lock(char names[LOCK_FUNCTIONS][64]) {
  char line[4096];
  int inside = 0, missing = 0, count = 0;
  FILE* file = fopen(NETCL_API_LOCK, "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, " \"functions\"", 12) == 0) inside = 1;
    if (!inside || sscanf(line, "  \"%63[a-z0-9_]\": {", names[count]) != 1) continue;
    if (strncmp(names[count], "netcl_", 6) != 0) continue;
    if (sweep_case(names[count], 1) == NULL) {
      fprintf(stderr, "%s has no case: see support_sweep_cases.c and support_sweep_opencl.c\n",
              names[count]);
      ++missing;
    } else {
      ++count;
    }
    if (count == LOCK_FUNCTIONS) abort();
  }
  fclose(file);
  if (missing > 0 || count < 300) exit(1);
  return count;
}

static int entries_of(const char* path) {
  int count = 0;
  DIR* const folder = opendir(path);
  while (folder != NULL && readdir(folder) != NULL) ++count;
  if (folder != NULL) closedir(folder);
  return count;
}

void look_held(Held* held) {
  for (int kind = 0; kind < FAULT_KINDS; ++kind) {
    held->objects[kind] = fault_control()->live((FaultKind)kind);
  }
  count_live_handles(held->handles);
  held->threads = entries_of("/proc/self/task");
  held->files = entries_of("/proc/self/fd");
}

const char* held_more(const Held* before, const Held* after, char* text, size_t size) {
  static const char* const kNames[] = FAULT_KIND_NAMES;
  text[0] = '\0';
  for (int kind = 0; kind < FAULT_KINDS; ++kind) {
    const int64_t more = after->objects[kind] - before->objects[kind];
    const size_t at = strlen(text);
    if (more > 0) snprintf(text + at, size - at, " %lld %s", (long long)more, kNames[kind]);
  }
  for (int type = 1; type <= HANDLE_TYPES; ++type) {
    const int64_t more = (int64_t)(after->handles[type] - before->handles[type]);
    const size_t at = strlen(text);
    if (more > 0) snprintf(text + at, size - at, " %lld handles of type %d", (long long)more, type);
  }
  const size_t at = strlen(text);
  if (after->threads > before->threads) {
    snprintf(text + at, size - at, " %d threads", after->threads - before->threads);
  } else if (after->files > before->files) {
    snprintf(text + at, size - at, " %d descriptors", after->files - before->files);
  }
  return text[0] == '\0' ? NULL : text;
}

uint64_t hash_tensor(netcl_tensor* tensor, netcl_status* status) {
  static unsigned char bytes[1 << 18];
  netcl_tensor_info facts = NETCL_TENSOR_INFO_INIT;
  uint64_t hash = UINT64_C(1469598103934665603);
  *status = netcl_tensor_get_info(tensor, &facts);
  if (*status != NETCL_OK) return 0;
  const size_t size = (size_t)product(facts.rank, facts.shape) * netcl_dtype_size(facts.dtype);
  if (size > sizeof bytes) return 1;
  *status = netcl_tensor_read(tensor, bytes, size, NULL, LONG_WAIT);
  if (*status != NETCL_OK) return 0;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
  return hash;
}

uint64_t bytes_in_use(netcl_device* device) {
  static const netcl_pool_kind kKinds[] = {NETCL_POOL_PERSISTENT, NETCL_POOL_PINNED};
  uint64_t sum = 0;
  for (size_t i = 0; i < COUNT_OF(kKinds); ++i) {
    netcl_pool_info facts = NETCL_POOL_INFO_INIT;
    netcl_pool* pool = NULL;
    if (netcl_device_get_pool(device, kKinds[i], &pool) != NETCL_OK) continue;
    if (netcl_pool_get_info(pool, &facts) == NETCL_OK) sum += facts.bytes_in_use;
    netcl_pool_release(pool);
  }
  return sum;
}
