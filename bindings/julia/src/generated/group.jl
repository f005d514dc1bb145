# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    group_join(device, path, index, size; timeout_ns, transport)

Makes one rank of a group that meets at a path: rank 0 makes a socket of that name and
removes it when all have come. All give the same path and size, each its own rank, in any
order; a process may join as several ranks, from a thread each, which may have the same
device. The folder is made where it is missing; it must belong to this user, and nobody else
may write it, else IO, as for a socket of another user. BUSY for rank 0 where another group
meets there. TIMEOUT naming the ranks that did not come. INVALID\\_ARGUMENT for a rank that
is not below size; on all ranks that have come for one that comes twice and one with another
size or transport.

* `path`: absolute, at most 100 bytes
* `index`: the rank
* `timeout_ns`: the longest that a rank waits for another; 0: 60 seconds
* `transport`: one of `:auto` (unless another is given), `:shared_memory`, `:mpi`, `:nccl`,
  `:peer_memory`

Calls `netcl_group_join`.
"""
function group_join(
    device::Device, path::Union{Nothing,AbstractString}, index::Integer, size::Integer;
    timeout_ns::Integer = 0, transport::Union{GroupTransport,Symbol} = GroupTransport(0)
)
    options_struct = StructMemory{3}()
    group = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_struct begin
        fill_group_options!(place_of(options_struct), nothing, timeout_ns, transport)
        @checked Raw.netcl_group_join(
            device, c_text(:path, path), index, size, options_struct, group
        )
    end
    return take(Group, group[])
end

"""
    group_create_local(devices; timeout_ns, transport)

Makes a group of several devices of this process: rank k has devices\\[k\\], and
groups\\[k\\] is that rank. What holds for ranks that joined at a path holds for these, and
nothing is made in the file system. As each call waits for the other ranks, each rank has a
thread of its own. INVALID\\_ARGUMENT for no devices, for more than `NETCL_GROUP_SIZE_MAX`,
and where two of them are one device, naming both: two ranks of one piece of hardware have
devices that were opened with `separate` = true. IO where the n (n - 1) descriptors that n
ranks take are too many; with PEER\\_MEMORY n ranks take n \\* n more.

* `timeout_ns`: the longest that a rank waits for another; 0: 60 seconds
* `transport`: one of `:auto` (unless another is given), `:shared_memory`, `:mpi`, `:nccl`,
  `:peer_memory`

Calls `netcl_group_create_local`.
"""
function group_create_local(
    devices;
    timeout_ns::Integer = 0, transport::Union{GroupTransport,Symbol} = GroupTransport(0)
)
    devices = handle_list(Device, :devices, devices)
    options_struct = StructMemory{3}()
    groups = Base.fill(C_NULL, length(devices))
    GC.@preserve devices options_struct begin
        fill_group_options!(place_of(options_struct), nothing, timeout_ns, transport)
        @checked Raw.netcl_group_create_local(
            or_null(raw_list(devices)), length(devices), options_struct, groups
        )
    end
    return Group[take(Group, h) for h in groups]
end

"""
    group_create_mpi(device, communicator; timeout_ns, transport)

Makes this process one rank of a group of all processes of an MPI communicator, which keep
their ranks. All of them make the call, with the same transport; the communicator is copied
and may be freed later. The program initialises MPI. What follows is for this call, and for
those of a group whose ranks are on several hosts or that was asked for with
`NETCL_GROUP_TRANSPORT_MPI`: they come before MPI\\_Finalize; without
MPI\\_THREAD\\_SERIALIZED they come on the thread that initialised MPI, else they are
INVALID\\_ARGUMENT; and without MPI\\_THREAD\\_MULTIPLE no other thread is in a call of MPI
meanwhile. UNSUPPORTED naming the file where libnetcl-mpi.so cannot be opened
(`NETCL_MPI_LIBRARY` names another), and for SHARED\\_MEMORY where the ranks are on several
hosts. INVALID\\_ARGUMENT where MPI is not initialised or has been finalised, for a number
that is no communicator (where MPI can tell), one between two groups, and one with more than
`NETCL_GROUP_SIZE_MAX` processes; on all ranks where their transports differ. TIMEOUT where
a process does not come; no more groups can be made of that communicator then. MPI tells
nobody of a rank that dies: where ranks exchange messages, the others get TIMEOUT.

* `communicator`: what MPI\\_Comm\\_c2f gives, or `NETCL_MPI_WORLD`
* `timeout_ns`: the longest that a rank waits for another; 0: 60 seconds
* `transport`: one of `:auto` (unless another is given), `:shared_memory`, `:mpi`, `:nccl`,
  `:peer_memory`

Calls `netcl_group_create_mpi`.
"""
function group_create_mpi(
    device::Device, communicator::Integer;
    timeout_ns::Integer = 0, transport::Union{GroupTransport,Symbol} = GroupTransport(0)
)
    options_struct = StructMemory{3}()
    group = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_struct begin
        fill_group_options!(place_of(options_struct), nothing, timeout_ns, transport)
        @checked Raw.netcl_group_create_mpi(device, communicator, options_struct, group)
    end
    return take(Group, group[])
end

"""
    group_split(group, colors)

Makes groups of the ranks with the same colour, in their order. All ranks make the call with
the same colours.

* `colors`: one of each rank: as many as the group has ranks

Calls `netcl_group_split`.
"""
function group_split(group::Group, colors)
    colors_rows = array_of(UInt32, colors)
    part = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_group_split(group, or_null(colors_rows), length(colors_rows), part)
    return take(Group, part[])
end

"""
    group_retain(group)

Gives another Group with a reference of its own to the same object.

Calls `netcl_group_retain`.
"""
group_retain(group::Group) = retain(group)

"""
    group_release(group)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_group_release`.
"""
group_release(group::Group) = close(group)

"""
    group_get_info(group)

Gives the facts of a group.

Calls `netcl_group_get_info`.
"""
function group_get_info(group::Group)
    info = info_memory(StructMemory{5}())
    @checked Raw.netcl_group_get_info(group, info)
    return take_info(GroupInfo, info)
end

"""
    group_get_device(group)

Gives the device of this rank.

Calls `netcl_group_get_device`.
"""
function group_get_device(group::Group)
    device = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_group_get_device(group, device)
    return take(Device, device[])
end

"""
    group_describe_device(group, index)

Tells what device rank `index` has, as its process sees it. INVALID\\_ARGUMENT where the
group has no such rank.

Calls `netcl_group_describe_device`.
"""
function group_describe_device(group::Group, index::Integer)
    info = info_memory(StructMemory{102}())
    @checked Raw.netcl_group_describe_device(group, index, info)
    return take_info(DeviceInfo, info)
end

"""
    group_get_error(group)

Tells what failed: status and message of what made the group unusable, all zero while it is
usable.

Calls `netcl_group_get_error`.
"""
function group_get_error(group::Group)
    info = info_memory(StructMemory{130}())
    @checked Raw.netcl_group_get_error(group, info)
    return take_info(ErrorInfo, info)
end

"""
    group_barrier(group; queue, into, waits, event, graph)

Waits until all ranks have made this call.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_group_barrier`.
"""
function group_barrier(
    group::Group;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_group_barrier(group, run_struct)
    end
    give_reference(event, event_place)
    return nothing
end

"""
    group_all_reduce(group, input, output, kind; queue, into, waits, event, graph)

Joins the inputs of all ranks element by element: SUM, PROD, MIN, MAX, and MEAN of floats;
others are INVALID\\_ARGUMENT. f16 and bf16 are computed in f32 and rounded once at the end,
f32 and f64 in themselves; integers wrap around, NaN wins in MIN and MAX; of bool SUM and
MAX are or, PROD and MIN are and. Error of a sum of n ranks: at most (n - 1) eps times the
sum of absolute values. Shapes and dtypes of inputs and outputs of all ranks are equal.
`output` may be `input`, else they share no memory.

* `kind`: one of `:sum`, `:mean`, `:max`, `:min`, `:prod`, `:l1`, `:l2`, `:sum_square`,
  `:log_sum`, `:log_sum_exp`, `:argmax`, `:argmin`, `:any`, `:all`
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_group_all_reduce`.
"""
function group_all_reduce(
    group::Group, input::TensorLike, output::TensorLike, kind::Union{Reduction,Symbol};
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    kind = enum(Reduction, kind)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_group_all_reduce(group, input, output, kind.value, run_struct)
    end
    give_reference(event, event_place)
    return nothing
end

"""
    group_reduce(group, input, output, kind, root; queue, into, waits, event, graph)

As `netcl_group_all_reduce`, for the output of rank `root` alone.

* `output`: may be `nothing` on the other ranks, where it is not written
* `kind`: one of `:sum`, `:mean`, `:max`, `:min`, `:prod`, `:l1`, `:l2`, `:sum_square`,
  `:log_sum`, `:log_sum_exp`, `:argmax`, `:argmin`, `:any`, `:all`
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_group_reduce`.
"""
function group_reduce(
    group::Group, input::TensorLike, output::Union{Nothing,TensorLike},
    kind::Union{Reduction,Symbol}, root::Integer;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    kind = enum(Reduction, kind)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_group_reduce(group, input, or_null(output), kind.value, root, run_struct)
    end
    give_reference(event, event_place)
    return nothing
end

"""
    group_broadcast(group, tensor, root; queue, into, waits, event, graph)

Gives the elements of rank `root`'s tensor to those of all ranks, which have its shape.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_group_broadcast`.
"""
function group_broadcast(
    group::Group, tensor::TensorLike, root::Integer;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_group_broadcast(group, tensor, root, run_struct)
    end
    give_reference(event, event_place)
    return nothing
end

"""
    group_all_gather(group, input, output; queue, into, waits, event, graph)

Puts the inputs of all ranks one behind the other along the first dimension, in which they
may differ; the output has the sum of their extents there. Rank 1 at least.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_group_all_gather`.
"""
function group_all_gather(
    group::Group, input::TensorLike, output::TensorLike;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_group_all_gather(group, input, output, run_struct)
    end
    give_reference(event, event_place)
    return nothing
end

"""
    group_gather(group, input, output, root; queue, into, waits, event, graph)

As `netcl_group_all_gather`, for the output of rank `root` alone.

* `output`: may be `nothing` on the other ranks, where it is not written
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_group_gather`.
"""
function group_gather(
    group::Group, input::TensorLike, output::Union{Nothing,TensorLike}, root::Integer;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_group_gather(group, input, or_null(output), root, run_struct)
    end
    give_reference(event, event_place)
    return nothing
end

"""
    group_scatter(group, input, output, root; queue, into, waits, event, graph)

Parts the input of rank `root` along the first dimension, in the order of the ranks: each
gets as many entries as its output has there.

* `input`: may be `nothing` on the other ranks, where it is not read
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_group_scatter`.
"""
function group_scatter(
    group::Group, input::Union{Nothing,TensorLike}, output::TensorLike, root::Integer;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_group_scatter(group, or_null(input), output, root, run_struct)
    end
    give_reference(event, event_place)
    return nothing
end

"""
    group_reduce_scatter(group, input, output, kind; queue, into, waits, event, graph)

Joins the inputs of all ranks as `netcl_group_all_reduce` does, and parts the result along
the first dimension: each rank gets as many entries as its output has there.

* `kind`: one of `:sum`, `:mean`, `:max`, `:min`, `:prod`, `:l1`, `:l2`, `:sum_square`,
  `:log_sum`, `:log_sum_exp`, `:argmax`, `:argmin`, `:any`, `:all`
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_group_reduce_scatter`.
"""
function group_reduce_scatter(
    group::Group, input::TensorLike, output::TensorLike, kind::Union{Reduction,Symbol};
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    kind = enum(Reduction, kind)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_group_reduce_scatter(group, input, output, kind.value, run_struct)
    end
    give_reference(event, event_place)
    return nothing
end

"""
    group_all_to_all(group, input, counts, output; queue, into, waits, event, graph)

Parts every rank's input along the first dimension; part k goes to rank k, where the parts
lie in the order of the ranks that they came from. The output has as many entries as come.

* `counts`: the extents of the parts, one for each rank; may be `nothing`: equal ones
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_group_all_to_all`.
"""
function group_all_to_all(
    group::Group, input::TensorLike, counts, output::TensorLike;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    counts_rows = array_of(Int64, counts)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_group_all_to_all(
            group, input, or_null(counts_rows), length(counts_rows), output, run_struct
        )
    end
    give_reference(event, event_place)
    return nothing
end

"""
    group_send(group, tensor, peer; queue, into, waits, event, graph)

Sends a tensor to another rank, which calls `netcl_group_receive` for one of the same shape
and dtype. Ends when it was received; ranks that exchange tensors take turns, or call
`netcl_group_all_to_all`. Sends and receives may stand anywhere between the collectives of
other ranks. A shape or dtype that differs is INVALID\\_ARGUMENT on both.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_group_send`.
"""
function group_send(
    group::Group, tensor::TensorLike, peer::Integer;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_group_send(group, tensor, peer, run_struct)
    end
    give_reference(event, event_place)
    return nothing
end

"""
    group_receive(group, tensor, peer; queue, into, waits, event, graph)

Receives a tensor from another rank; see `netcl_group_send`.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_group_receive`.
"""
function group_receive(
    group::Group, tensor::TensorLike, peer::Integer;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_group_receive(group, tensor, peer, run_struct)
    end
    give_reference(event, event_place)
    return nothing
end

"""
    group_describe_block(group, index, shape; mesh, axes)

Tells which block rank `index` of the group has of a tensor that lies so. It asks no other
rank.

* `mesh`: extents whose product is the size of the group; empty: one dimension of all ranks
* `axes`: for each dimension of the mesh the axis that it splits, not counted from the end,
  or `NETCL_REPLICATED`; empty: dimension d splits axis d

Calls `netcl_group_describe_block`.
"""
function group_describe_block(group::Group, index::Integer, shape; mesh = (), axes = ())
    shape_rows = array_of(Int64, shape)
    options_struct = StructMemory{4}()
    options_kept = Any[]
    info = info_memory(StructMemory{17}())
    GC.@preserve options_kept options_struct begin
        fill_sharding_options!(place_of(options_struct), options_kept, mesh, axes)
        @checked Raw.netcl_group_describe_block(
            group, index, length(shape_rows), or_null(shape_rows), options_struct, info
        )
    end
    return take_info(BlockInfo, info)
end
