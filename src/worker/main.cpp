// netcl-worker: the process in which candidate kernels run. The library starts it with a socket;
// see tune/worker_protocol.hpp.
//
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/build_id.hpp"
#include "netcl.h"
#include "worker/confine.hpp"
#include "worker/serve.hpp"

namespace {

constexpr int kSocket = 3;

// Descriptors of the host that it did not mark as its own would be open here as well, and a lock or
// a socket among them would live as long as this process.
void close_inherited() {
#ifdef SYS_close_range
  if (::syscall(SYS_close_range, static_cast<unsigned>(kSocket + 1), ~0u, 0u) == 0) return;
#endif
  rlimit limit{};
  rlim_t most = 65536;
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < most) most = limit.rlim_cur;
  for (int fd = kSocket + 1; fd < static_cast<int>(most); ++fd) ::close(fd);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
    std::printf("netcl-worker %d.%d.%d, build %s\n", NETCL_VERSION_MAJOR, NETCL_VERSION_MINOR,
                NETCL_VERSION_PATCH, netcl::build_id());
    return 0;
  }
  if (argc < 2 || argc > 3 || std::strcmp(argv[1], "--serve") != 0) {
    std::fprintf(stderr,
                 "netcl-worker runs candidate kernels for the netcl library, which starts "
                 "it by itself.\nnetcl-worker --version tells the build it belongs to.\n");
    return 2;
  }
  close_inherited();
  netcl::worker::confine(argc == 3 ? argv[2] : nullptr);
  if (argc == 3 && ::chdir(argv[2]) != 0) {
    std::fprintf(stderr, "netcl-worker: cannot work in %s: %s\n", argv[2], std::strerror(errno));
    return 3;
  }
  ::fcntl(kSocket, F_SETFD, FD_CLOEXEC);
  return netcl::worker::serve(kSocket);
}
