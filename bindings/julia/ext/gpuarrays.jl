# GPUArrays.@allowscalar permits single elements here too, and unsafe_free! gives memory back at once.
# A NetclArray is no AbstractGPUArray: those have kernels in Julia, and OpenCL C is none.

# Versions before 8.4 have no GPUArraysCore; their macro writes `true`, where their function writes the
# name of an enum.
function Netcl.scalar_permitted(::Val{:GPUArrays})
    mark = get(task_local_storage(), :ScalarIndexing, false)
    return mark === true || Symbol(mark) === :ScalarAllowed
end
# From version 9 on.
if isdefined(GPUArrays, :unsafe_free!)
    GPUArrays.unsafe_free!(x::Netcl.NetclArray) = close(x)
end
