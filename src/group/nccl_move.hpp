// One call of a collective whose bytes NCCL moves from GPU to GPU.
#pragma once

#include "group/exchange.hpp"
#include "group/nccl_comm.hpp"
#include "ops/frame/run.hpp"

namespace netcl::group {

// From so many bytes of any rank on. Less goes through the host in less time than it takes to give
// a GPU from OpenCL to CUDA and back (tests/bench/notes/groups_gpu.txt).
inline constexpr uint64_t kNcclLeast = uint64_t{1} << 20;

// Whether these go through memory that NCCL reaches.
bool needs_rooms(const TensorRef& in, const TensorRef& out);
// The call that the ranks agreed on. The tensors are packed; null where this rank has none. Returns
// when this rank's part is done: "", or on all ranks alike that a rank has no memory for its
// pieces, when nothing was done.
std::string move_by_nccl(NcclComm& comm, Exchange& call, const TensorRef& in, const TensorRef& out,
                         const ops::Run& run);

}  // namespace netcl::group
