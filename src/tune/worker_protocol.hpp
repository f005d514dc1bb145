// What a process and its worker say to each other, see frame.hpp for how.
//
//   to the worker                              from the worker
//   hello    protocol, build, pid, device      welcome  build
//                                              ready | failed
//   run      jobs, keep, blobs; their bytes    phase    phase, index (any number)
//   go       (after the phase "device")        results  results, stuck, distrusted | failed | lost
//
// "keep" names the bytes that the jobs need, "blobs" those of them that follow; what is not kept is
// forgotten. A worker whose socket ends, or whose parent is gone, ends, and so does one that has
// said "lost": a job has taken the device from it.
#pragma once

namespace netcl::tune {

inline constexpr int kWorkerProtocol = 3;

}  // namespace netcl::tune
