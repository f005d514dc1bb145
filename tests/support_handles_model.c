/* Models; see support_handles.h. */
#include <fcntl.h>

#include "support_handle_calls.h"
#include "support_model.h"
#include "support_sweep_cases.h"

#define MODEL(i) ((netcl_model *)h[i])

/* x + w, with x and w of [2, 2]: the shape of the test of handles. */
static const char kFile[] =
    "\x08\x08\x12\x00\x3a\x5d\x0a\x11\x0a\x01\x78\x0a\x01\x77\x12\x01\x79\x1a\x01\x61\x22\x03"
    "\x41\x64\x64\x12\x01\x67\x2a\x1b\x08\x02\x08\x02\x10\x01\x42\x01\x77\x4a\x10\x00\x00\x80"
    "\x3f\x00\x00\x00\x40\x00\x00\x40\x40\x00\x00\x80\x40\x5a\x13\x0a\x01\x78\x12\x0e\x0a\x0c"
    "\x08\x01\x12\x08\x0a\x02\x08\x02\x0a\x02\x08\x02\x62\x13\x0a\x01\x79\x12\x0e\x0a\x0c\x08"
    "\x01\x12\x08\x0a\x02\x08\x02\x0a\x02\x08\x02\x42\x04\x0a\x00\x10\x0d";

/* x - x, at most three times while its largest is larger than that of x: the device works out the
 * condition. */
static const char kLoop[] =
    "\x08\x08\x3a\xba\x02\x0a\x21\x12\x01\x4d\x22\x08\x43\x6f\x6e\x73\x74\x61\x6e\x74\x2a\x10\x0a"
    "\x09\x76\x61\x6c\x75\x65\x5f\x69\x6e\x74\x18\x03\xa0\x01\x02\x3a\x00\x0a\xe7\x01\x0a\x01\x4d"
    "\x0a\x00\x0a\x01\x78\x12\x01\x79\x22\x04\x4c\x6f\x6f\x70\x2a\xd1\x01\x0a\x04\x62\x6f\x64\x79"
    "\x32\xc5\x01\x0a\x10\x0a\x01\x76\x0a\x01\x76\x12\x01\x77\x22\x03\x53\x75\x62\x3a\x00\x0a\x24"
    "\x0a\x01\x77\x12\x01\x73\x22\x09\x52\x65\x64\x75\x63\x65\x4d\x61\x78\x2a\x0f\x0a\x08\x6b\x65"
    "\x65\x70\x64\x69\x6d\x73\x18\x00\xa0\x01\x02\x3a\x00\x0a\x24\x0a\x01\x78\x12\x01\x72\x22\x09"
    "\x52\x65\x64\x75\x63\x65\x4d\x61\x78\x2a\x0f\x0a\x08\x6b\x65\x65\x70\x64\x69\x6d\x73\x18\x00"
    "\xa0\x01\x02\x3a\x00\x0a\x11\x0a\x01\x72\x0a\x01\x73\x12\x01\x64\x22\x04\x4c\x65\x73\x73\x3a"
    "\x00\x12\x01\x62\x5a\x0b\x0a\x01\x69\x12\x06\x0a\x04\x08\x07\x12\x00\x5a\x0b\x0a\x01\x63\x12"
    "\x06\x0a\x04\x08\x09\x12\x00\x5a\x13\x0a\x01\x76\x12\x0e\x0a\x0c\x08\x01\x12\x08\x0a\x02\x08"
    "\x02\x0a\x02\x08\x02\x62\x0b\x0a\x01\x64\x12\x06\x0a\x04\x08\x09\x12\x00\x62\x13\x0a\x01\x77"
    "\x12\x0e\x0a\x0c\x08\x01\x12\x08\x0a\x02\x08\x02\x0a\x02\x08\x02\xa0\x01\x05\x3a\x00\x12\x01"
    "\x67\x5a\x13\x0a\x01\x78\x12\x0e\x0a\x0c\x08\x01\x12\x08\x0a\x02\x08\x02\x0a\x02\x08\x02\x62"
    "\x13\x0a\x01\x79\x12\x0e\x0a\x0c\x08\x01\x12\x08\x0a\x02\x08\x02\x0a\x02\x08\x02\x42\x04\x0a"
    "\x00\x10\x0d";

netcl_status load_model(__typeof__(&netcl_model_load_memory) load, netcl_device *device,
                        netcl_model **model) {
  return load(device, kFile, sizeof kFile - 1, NULL, model);
}

netcl_status sweep_model(netcl_device *device, netcl_tensor *x, netcl_tensor *y,
                         netcl_tensor **result) {
  netcl_model *model = NULL;
  netcl_tensor *made = NULL;
  uint32_t count = 0;
  netcl_status status = load_model(netcl_model_load_memory, device, &model);
  if (status == NETCL_OK) status = netcl_model_evaluate(model, &x, 1, NULL, &made, 1, &count);
  if (status == NETCL_OK) status = netcl_model_run(model, &x, 1, &y, 1, NULL);
  if (status == NETCL_OK) {
    char told[64];
    status = netcl_model_explain(model, NETCL_GRAPH_FORMAT_JSON, told, sizeof told, NULL);
  }
  netcl_model *loop = NULL;
  if (status == NETCL_OK) {
    status = netcl_model_load_memory(device, kLoop, sizeof kLoop - 1, NULL, &loop);
  }
  if (status == NETCL_OK) status = netcl_model_run(loop, &x, 1, &y, 1, NULL);
  netcl_model_release(loop);
  if (status == NETCL_OK) {
    *result = made;
  } else {
    netcl_tensor_release(made);
  }
  netcl_model_release(model);
  return status;
}

netcl_status sweep_description(const char *path, char *text) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  MUST(file >= 0 && write(file, kFile, sizeof kFile - 1) == sizeof kFile - 1 ? NETCL_OK : -1);
  close(file);
  return netcl_model_describe(path, text, 64, NULL);
}

static netcl_tensor *const *one_input(void *tensor) {
  static netcl_tensor *list[1];
  list[0] = tensor;
  return list;
}
static netcl_tensor *const *one_output(void *tensor) {
  static netcl_tensor *list[1];
  list[0] = tensor;
  return list;
}
static uint32_t outputs_there;

#define CASES(C, R, N)                                                                            \
  N(netcl_model_describe)                                                                         \
  C(netcl_model_load, "d", DEVICE(0), "none.onnx", NULL, out())                                   \
  C(netcl_model_load_memory, "d", DEVICE(0), kFile, sizeof kFile - 1, NULL, out())                \
  C(netcl_model_retain, "5", MODEL(0))                                                            \
  R(netcl_model_release, "5", MODEL(0))                                                           \
  C(netcl_model_get_info, "5", MODEL(0), info(sizeof(netcl_model_info)))                          \
  C(netcl_model_get_input, "5", MODEL(0), 0, info(sizeof(netcl_model_value)))                     \
  C(netcl_model_get_output, "5", MODEL(0), 0, info(sizeof(netcl_model_value)))                    \
  C(netcl_model_find_input, "5", MODEL(0), "x", out())                                            \
  C(netcl_model_find_output, "5", MODEL(0), "y", out())                                           \
  C(netcl_model_run, "5ttQe", MODEL(0), one_input(h[1]), 1, one_output(h[2]), 1,                  \
    run_options(h[3], NULL, h[4]))                                                                \
  C(netcl_model_evaluate, "5tQe", MODEL(0), one_input(h[1]), 1, run_options(h[2], NULL, h[3]),    \
    out(), 4, &outputs_there)                                                                     \
  C(netcl_model_explain, "5", MODEL(0), 0, out(), 16, NULL)

CASES(CALL_STATUS, CALL_RELEASE, CALL_NOTHING)

const HandleCase kHandleModelCases[] = {CASES(ROW_STATUS, ROW_RELEASE, ROW_NOTHING)};
const size_t kHandleModelCasesCount = COUNT_OF(kHandleModelCases);
