/* Weights; see support_handles.h. */
#include <fcntl.h>

#include "support_handle_calls.h"
#include "support_process.h"
#include "support_sweep_cases.h"
#include "support_weights.h"

#define WEIGHTS(i) ((netcl_weights *)h[i])

static const char kHeader[] =
    "{\"__metadata__\":{\"k\":\"v\"},"
    "\"w\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]}}";

static void write_some(const char *path) {
  unsigned char bytes[8 + sizeof kHeader - 1 + 16] = {sizeof kHeader - 1};
  memcpy(bytes + 8, kHeader, sizeof kHeader - 1);
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  MUST(file >= 0 && write(file, bytes, sizeof bytes) == sizeof bytes ? NETCL_OK : -1);
  close(file);
}

netcl_status open_some_weights(__typeof__(&netcl_weights_open) open_file, netcl_device *device,
                               netcl_weights **weights) {
  char folder[200], path[256];
  process_make_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/weights", folder);
  write_some(path);
  const netcl_status status = open_file(device, path, NULL, weights);
  process_remove_folder(folder);
  return status;
}

static netcl_status save_and_read(netcl_tensor *tensor, netcl_device *device, const char *path,
                                  netcl_weights_format format, netcl_tensor *made[2]) {
  static const char *const kName = "w";
  netcl_status status =
      netcl_weights_save(path, format, &kName, 1, &tensor, 1, NULL, NETCL_WAIT_FOREVER);
  for (int i = 0; i < 2 && status == NETCL_OK; ++i) {
    netcl_weights_options options = NETCL_WEIGHTS_OPTIONS_INIT;
    netcl_weights *weights = NULL;
    uint32_t index = 0;
    options.map = i == 0 ? NETCL_OFF : NETCL_ON;
    status = netcl_weights_open(device, path, &options, &weights);
    if (status == NETCL_OK) status = netcl_weights_find(weights, kName, &index);
    if (status == NETCL_OK) status = netcl_weights_get_tensor(weights, index, NULL, &made[i]);
    netcl_weights_release(weights);
  }
  return status;
}

netcl_status sweep_weights(netcl_tensor *tensor, netcl_device *device, const char *path,
                           netcl_tensor **result) {
  netcl_tensor *made[4] = {NULL, NULL, NULL, NULL};
  netcl_status status = save_and_read(tensor, device, path, NETCL_WEIGHTS_SAFETENSORS, made);
  if (status == NETCL_OK) {
    status = save_and_read(tensor, device, path, NETCL_WEIGHTS_NPZ, made + 2);
  }
  if (status == NETCL_OK) {
    *result = made[3];
    made[3] = NULL;
  }
  for (int i = 0; i < 4; ++i) netcl_tensor_release(made[i]);
  return status;
}

static const char *const *one_name(void) {
  static const char *name = "w";
  return &name;
}
static netcl_tensor *const *one_tensor(void *tensor) {
  static netcl_tensor *list[1];
  list[0] = tensor;
  return list;
}
static const netcl_tensor_options *with_queue_and_pool(void *queue, void *pool) {
  static netcl_tensor_options options;
  options = (netcl_tensor_options)NETCL_TENSOR_OPTIONS_INIT;
  options.queue = queue;
  options.pool = pool;
  return &options;
}

#define CASES(C, R, N)                                                                            \
  C(netcl_weights_open, "d", DEVICE(0), "none.safetensors", NULL, out())                          \
  C(netcl_weights_retain, "7", WEIGHTS(0))                                                        \
  R(netcl_weights_release, "7", WEIGHTS(0))                                                       \
  C(netcl_weights_get_info, "7", WEIGHTS(0), info(sizeof(netcl_weights_info)))                    \
  C(netcl_weights_get_entry, "7", WEIGHTS(0), 0, info(sizeof(netcl_weights_entry)))               \
  C(netcl_weights_find, "7", WEIGHTS(0), "w", out())                                              \
  C(netcl_weights_get_tensor, "7QP", WEIGHTS(0), 0, with_queue_and_pool(h[1], h[2]), out())       \
  C(netcl_weights_get_metadata_key, "7", WEIGHTS(0), 0, out(), 16, NULL)                          \
  C(netcl_weights_get_metadata, "7", WEIGHTS(0), "k", out(), 16, NULL)                            \
  C(netcl_weights_save, "t", "/nowhere/w.npz", NETCL_WEIGHTS_NPZ, one_name(), 1,                  \
    one_tensor(h[0]), 1, NULL, 0)

CASES(CALL_STATUS, CALL_RELEASE, CALL_NOTHING)

const HandleCase kHandleWeightsCases[] = {CASES(ROW_STATUS, ROW_RELEASE, ROW_NOTHING)};
const size_t kHandleWeightsCasesCount = COUNT_OF(kHandleWeightsCases);
