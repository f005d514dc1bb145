#include "cookbook.h"

/* What dlpack.h declares, where that is not there. */
typedef struct {
  int32_t type, id;
} DLDevice;
struct DLManagedTensor {
  struct {
    void *data;
    DLDevice device;
    int32_t ndim;
    struct {
      uint8_t code, bits;
      uint16_t lanes;
    } dtype;
    int64_t *shape, *strides;
    uint64_t byte_offset;
  } dl_tensor;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensor *self);
};

void recipe_share_dlpack(netcl_device *device) {
  /* [recipe] */
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  struct DLManagedTensor *shared;
  netcl_tensor *x;
  netcl_status status;
  options.share = 1; /* in memory that others can open: kDLCUDA on a GPU, kDLCPU on a CPU */
  status =
      netcl_tensor_create_zeros(device, NETCL_F32, 1, (const int64_t[]){4}, NULL, &options, &x);
  if (status == NETCL_ERROR_UNSUPPORTED) return; /* the message says what the driver lacks */
  CHECK(status);
  CHECK(netcl_tensor_to_dlpack(x, NETCL_WAIT_FOREVER, &shared));
  /* A capsule named "dltensor" of this pointer is what torch.from_dlpack takes: docs/sharing.md.
   * Both now look at the same memory. */
  printf("device type %d, %d dimension\n", (int)shared->dl_tensor.device.type,
         (int)shared->dl_tensor.ndim);
  /* [end] */
  REQUIRE(shared->dl_tensor.ndim == 1 && shared->dl_tensor.shape[0] == 4);
  if (shared->deleter != NULL) shared->deleter(shared);
  netcl_tensor_release(x);
}
