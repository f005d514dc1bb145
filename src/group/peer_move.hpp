// One call of a collective whose bytes the ranks' devices read out of each other's memory.
#pragma once

#include "group/peer_rooms.hpp"
#include "ops/frame/run.hpp"

namespace netcl::group {

// From so many bytes of any rank on. Less goes through the host in less time
// (tests/bench/notes/groups_gpu.txt).
inline constexpr uint64_t kPeersLeast = uint64_t{64} << 10;

// The call that the ranks agreed on. The tensors are packed; null where this rank has none. Returns
// when this rank's part is done, or on all ranks alike with what one of them has not, when nothing
// was done.
Refusal move_by_peers(PeerRooms& rooms, Exchange& call, const TensorRef& in, const TensorRef& out,
                      const ops::Run& run);

}  // namespace netcl::group
