// The worker's side of worker_protocol.hpp.
#pragma once

namespace netcl::worker {

// Answers on the socket until it ends; the exit code of the process.
int serve(int socket);

}  // namespace netcl::worker
