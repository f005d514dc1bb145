// One call of a collective whose bytes NCCL moves from GPU to GPU.
#pragma once

#include "group/collective.hpp"
#include "group/nccl_comm.hpp"
#include "ops/frame/run.hpp"

namespace netcl::group {

// From so many bytes of any rank on. Less goes through the host in less time than it takes to give
// a GPU from OpenCL to CUDA and back (tests/bench/notes/groups_gpu.txt).
inline constexpr uint64_t kNcclLeast = uint64_t{1} << 20;

// What the ranks at a board agreed on in `headers`; `me` is a seat there. The tensors are packed;
// null where this rank has none. Returns when this rank's part is done.
void move_by_nccl(NcclComm& comm, std::span<const uint32_t> ranks, std::span<const Header> headers,
                  uint32_t me, const TensorRef& in, const TensorRef& out, const ops::Run& run);

}  // namespace netcl::group
