# @allowscalar of GPUArraysCore, on which packages depend that use no kernels themselves, permits single
# elements here too.

Netcl.scalar_permitted(::Val{:GPUArraysCore}) =
    get(task_local_storage(), :ScalarIndexing, nothing) === GPUArraysCore.ScalarAllowed
