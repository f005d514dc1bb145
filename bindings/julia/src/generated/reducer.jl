# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    reducer_create(group; bucket_bytes, kind)

Makes a reducer for this rank. All ranks make the call, as they make `netcl_group_split`:
the reducer has a part of the group to itself, with the group's timeout, so that its calls
and those of the group do not meet. Options that differ between the ranks are
INVALID\\_ARGUMENT on all of them. By messages of MPI its thread calls MPI, which takes
MPI\\_THREAD\\_SERIALIZED at least, else INVALID\\_ARGUMENT, and is as another thread that
calls; see `netcl_group_create_mpi`.

* `bucket_bytes`: a bucket with so many is full; 0: 4 MiB
* `kind`: SUM or MEAN; 0: MEAN; one of `:sum`, `:mean`, `:max`, `:min`, `:prod`, `:l1`,
  `:l2`, `:sum_square`, `:log_sum`, `:log_sum_exp`, `:argmax`, `:argmin`, `:any`, `:all`

Calls `netcl_reducer_create`.
"""
function reducer_create(
    group::Group;
    bucket_bytes::Integer = 0, kind::Union{Reduction,Symbol} = Reduction(0)
)
    options_struct = StructMemory{3}()
    reducer = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_struct begin
        fill_reducer_options!(place_of(options_struct), nothing, bucket_bytes, kind)
        @checked Raw.netcl_reducer_create(group, options_struct, reducer)
    end
    return take(Reducer, reducer[])
end

"""
    reducer_retain(reducer)

Gives another Reducer with a reference of its own to the same object.

Calls `netcl_reducer_retain`.
"""
reducer_retain(reducer::Reducer) = retain(reducer)

"""
    reducer_release(reducer)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_reducer_release`.
"""
reducer_release(reducer::Reducer) = close(reducer)

"""
    reducer_get_info(reducer)

Tells what a reducer is and has done.

Calls `netcl_reducer_get_info`.
"""
function reducer_get_info(reducer::Reducer)
    info = info_memory(StructMemory{8}())
    @checked Raw.netcl_reducer_get_info(reducer, info)
    return take_info(ReducerInfo, info)
end

"""
    reducer_wait(reducer; timeout)

Waits until the gradients of the last run are joined and lie in their tensors, and gives
what failed: on this rank, or on another one, as a call of the group would; what made the
run fail is given once more. Nothing to wait for is `NETCL_OK`. The wait ends by itself: no
rank waits longer for another than the group's timeout, with TIMEOUT or RANK\\_LOST and a
message that names it. TIMEOUT after `timeout`, too: then the wait can be made again.

Calls `netcl_reducer_wait`.
"""
function reducer_wait(reducer::Reducer; timeout::Real = Inf)
    @checked Raw.netcl_reducer_wait(reducer, nanoseconds(timeout))
    return nothing
end
