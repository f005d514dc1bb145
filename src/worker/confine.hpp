// Keeps whatever the worker starts within the reach of its end.
#pragma once

namespace netcl::worker {

// Forbids this process, and all that it starts, to leave its process group (setsid, setpgid): the
// group is what is killed when the worker ends, so a child that left it would live on. Where the
// system has no such filter the worker runs without.
void stay_in_group() noexcept;

// Ends this process and its group.
[[noreturn]] void end_group() noexcept;

}  // namespace netcl::worker
