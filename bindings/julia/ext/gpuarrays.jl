# GPUArrays.@allowscalar permits single elements here too, and unsafe_free! gives memory back at once.
# A NetclArray is no AbstractGPUArray: those have kernels in Julia, and OpenCL C is none.

Netcl.scalar_permitted(::Val{:GPUArrays}) =
    Symbol(get(task_local_storage(), :ScalarIndexing, :none)) === :ScalarAllowed
GPUArrays.unsafe_free!(x::Netcl.NetclArray) = close(x)
