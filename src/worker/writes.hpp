// Where the worker may write.
#pragma once

namespace netcl::worker {

// From here on this process and all that it starts write to no file but those of `folder` (of
// TMPDIR, else /tmp, where it is null), of the caches of drivers, and of devices; it sends signals
// to nobody else, and traces nobody else. By Landlock: false where the system has none, or where
// it is an old one that lacks some of this.
bool restrict_writes(const char* folder) noexcept;

}  // namespace netcl::worker
