#include "support_tuner.h"

const char kTunedSource[] =
    "#ifndef WORK\n#define WORK 1\n#endif\n"
    "#ifndef MODE\n#define MODE 0\n#endif\n"
    "#if MODE == 2\n#error no such mode\n#endif\n"
    "__kernel void k(__global const float *a, __global float *out, float f, float reveal) {\n"
    "  const int i = get_global_id(0);\n"
    "  float x = a[i];\n"
    "  for (int r = 0; r < WORK; ++r) x = mad(x, 0.999f, 0.001f * f);\n"
    "  for (int r = 0; r < WORK; ++r) x = (x - 0.001f * f) / 0.999f;\n"
    "  x = a[i] * f + (x > 1e30f ? 1.0f : 0.0f);\n"
    "#if MODE == 1\n"
    "  x += 1.0f;\n"
    "#endif\n"
    "  out[i] = reveal != 0.0f ? (float)(get_local_size(0) * 1000 + WORK) : x;\n"
    "#if MODE == 3\n"
    "  out[i + get_global_size(0)] = 1.0f;\n"
    "#endif\n"
    "}\n";

TunedCase tuned_case(netcl_device *device, const char *source) {
  TunedCase made = {.global = kTunedItems};
  made.kernel = source_kernel(device, "k", source);
  made.a = counting_tensor(device, NETCL_F32, kTunedItems, 1);
  made.out = poisoned_tensor(device, NETCL_F32, kTunedItems);
  made.args[0] = arg_tensor(made.a);
  made.args[1] = arg_tensor(made.out);
  made.args[2] = arg_float(2.0f);
  made.args[3] = arg_float(0);
  return made;
}
void free_tuned_case(TunedCase *made) {
  netcl_tensor_release(made->a);
  netcl_tensor_release(made->out);
  netcl_kernel_release(made->kernel);
}
