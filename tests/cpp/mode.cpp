/*
 * One file of a program whose files are compiled in different ways: MODE is the name of what each
 * calls. compile.sh links them together; the one with MODE main_mode has the main function too.
 */
#include <netcl.hpp>

#include <cstdio>

#if NETCL_HPP_EXPECTED
template <class T>
static T must(netcl::result<T> result) {
  return *std::move(result);
}
#else
template <class T>
static T must(T value) {
  return value;
}
#endif

/** The rank of a tensor, times ten where its failing reshape is told of. */
int MODE(netcl_tensor* raw) {
  const netcl::tensor_ref tensor(raw);
  const netcl::tensor_info info = must(tensor.info());
  const auto shape = info.shape();
  bool told = false;
#if NETCL_HPP_EXPECTED
  told = tensor.reshape({7}).status() == netcl::status::invalid_argument;
#else
  try {
    (void)tensor.reshape({7});
  } catch (const netcl::error& failed) {
    told = failed.status() == netcl::status::invalid_argument;
  }
#endif
  return static_cast<int>(shape.size()) * (told ? 10 : 1);
}

#ifdef MODES
#define DECLARE(mode) int mode(netcl_tensor*);
#define CALL(mode) mode(tensor.raw()),
MODES(DECLARE)

int main() {
  const auto device = must(netcl::device::open("builtin"));
  const auto tensor = must(netcl::tensor::create_zeros(device, netcl::dtype::f32, {2, 3}));
  const int found[] = {MODES(CALL) MODE(tensor.raw())};
  for (int rank : found) {
    std::printf("%d ", rank);
    if (rank != 20) return 1;
  }
  std::printf("\n");
  return 0;
}
#endif
