/*
 * The recipes of docs/cookbook, which check what they compute.
 *
 * usage: cookbook [device] [name ...]
 */
#include "cookbook.h"

static const struct {
  const char *name;
  void (*run)(netcl_device *device);
} recipes[] = {
#define ROW(name) {#name, recipe_##name},
    RECIPES(ROW)};

static int wanted(const char *name, int count, char **names) {
  for (int i = 0; i < count; i++) {
    if (strcmp(names[i], name) == 0) return 1;
  }
  return count == 0;
}

int main(int argc, char **argv) {
  netcl_device *device;
  const char *selector = argc > 1 ? argv[1] : "auto";
  int ran = 0;
  program_name = "cookbook";
  CHECK(netcl_device_open(selector, NULL, &device));
  for (size_t i = 0; i < sizeof recipes / sizeof recipes[0]; i++) {
    if (!wanted(recipes[i].name, argc - 2 > 0 ? argc - 2 : 0, argv + 2)) continue;
    uint64_t begun = now_ns();
    recipes[i].run(device);
    printf("%-18s %6.1f ms\n", recipes[i].name, (double)(now_ns() - begun) * 1e-6);
    fflush(stdout);
    ran++;
  }
  netcl_device_release(device);
  return ran > 0 ? 0 : 2;
}
