# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    sharded_create(group, block, shape; mesh, axes)

Makes a sharded tensor of the blocks that the ranks have: `block` is this rank's, of the
shape that `netcl_group_describe_block` gives; nothing is copied. Shape, dtype and sharding
are equal on all ranks.

* `block`: any strides, each element in a place of its own; stays in use
* `mesh`: extents whose product is the size of the group; empty: one dimension of all ranks
* `axes`: for each dimension of the mesh the axis that it splits, not counted from the end,
  or `NETCL_REPLICATED`; empty: dimension d splits axis d

Calls `netcl_sharded_create`.
"""
function sharded_create(group::Group, block::TensorLike, shape; mesh = (), axes = ())
    shape_rows = array_of(Int64, shape)
    options_struct = StructMemory{4}()
    options_kept = Any[]
    sharded = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_kept options_struct begin
        fill_sharding_options!(place_of(options_struct), options_kept, mesh, axes)
        @checked Raw.netcl_sharded_create(
            group, block, length(shape_rows), or_null(shape_rows), options_struct, sharded
        )
    end
    return take(Sharded, sharded[])
end

"""
    sharded_create_from_root(group, whole, root; mesh, axes, queue, into, waits, event, graph)

Makes a sharded tensor of one that rank `root` has: each rank gets its block from there.

* `whole`: may be `nothing` on the other ranks, where it is not read
* `mesh`: extents whose product is the size of the group; empty: one dimension of all ranks
* `axes`: for each dimension of the mesh the axis that it splits, not counted from the end,
  or `NETCL_REPLICATED`; empty: dimension d splits axis d
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_sharded_create_from_root`.
"""
function sharded_create_from_root(
    group::Group, whole::Union{Nothing,TensorLike}, root::Integer;
    mesh = (), axes = (), queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{4}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    sharded = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_sharding_options!(place_of(options_struct), options_kept, mesh, axes)
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_sharded_create_from_root(
            group, or_null(whole), root, options_struct, run_struct, sharded
        )
    end
    give_reference(event, event_place)
    return take(Sharded, sharded[])
end

"""
    sharded_retain(sharded)

Gives another Sharded with a reference of its own to the same object.

Calls `netcl_sharded_retain`.
"""
sharded_retain(sharded::Sharded) = retain(sharded)

"""
    sharded_release(sharded)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_sharded_release`.
"""
sharded_release(sharded::Sharded) = close(sharded)

"""
    sharded_get_info(sharded)

Gives the facts of a sharded tensor.

Calls `netcl_sharded_get_info`.
"""
function sharded_get_info(sharded::Sharded)
    info = info_memory(StructMemory{14}())
    @checked Raw.netcl_sharded_get_info(sharded, info)
    return take_info(ShardedInfo, info)
end

"""
    sharded_get_block(sharded)

Gives the block of this rank, whose memory it shares: what is written there is written to
the sharded tensor.

Calls `netcl_sharded_get_block`.
"""
function sharded_get_block(sharded::Sharded)
    block = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_sharded_get_block(sharded, block)
    return take(Tensor, block[])
end

"""
    sharded_explain(sharded)

Tells in words how a sharded tensor lies on the ranks, and what went between them to make
it: the collectives, among how many ranks and how many bytes; then the same of the last
`netcl_sharded_exchange_halo` of it.

Calls `netcl_sharded_explain`.
"""
function sharded_explain(sharded::Sharded)
    found = read_text() do place, room, extent
        return Raw.netcl_sharded_explain(sharded, place, room, extent)
    end
    return found
end

"""
    sharded_redistribute(x; mesh, axes, queue, into, waits, event, graph)

Gives the same tensor with another sharding of the same group: each rank sends each other
what that needs of its block, and takes nothing from others that it has. Replicating needs
memory for the whole twice. To where ranks have all they need nothing is sent.

* `mesh`: extents whose product is the size of the group; empty: one dimension of all ranks
* `axes`: for each dimension of the mesh the axis that it splits, not counted from the end,
  or `NETCL_REPLICATED`; empty: dimension d splits axis d
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_sharded_redistribute`.
"""
function sharded_redistribute(
    x::Sharded;
    mesh = (), axes = (), queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{4}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_sharding_options!(place_of(options_struct), options_kept, mesh, axes)
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_sharded_redistribute(x, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return take(Sharded, result[])
end

"""
    sharded_gather(x, output, root; queue, into, waits, event, graph)

Puts the blocks together in a tensor of rank `root`, which has the shape and dtype of the
whole and shares no memory with the block there.

* `output`: may be `nothing` on the other ranks, where it is not written
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_sharded_gather`.
"""
function sharded_gather(
    x::Sharded, output::Union{Nothing,TensorLike}, root::Integer;
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
        @checked Raw.netcl_sharded_gather(x, or_null(output), root, run_struct)
    end
    give_reference(event, event_place)
    return nothing
end

"""
    sharded_expression_text(text, inputs; dtype, variant, queue, into, waits, event, graph)

Evaluates an expression as `netcl_op_expression_text` does, each rank for its block: nothing
is sent. Inputs that are split lie on one mesh and split the same axes of the result by the
same dimensions; replicated ones lie on any mesh, and each rank takes the part that it
needs. The result is split as the inputs are. At least one input.

* `dtype`: of the result; 0: as promotion of the inputs gives; a type as `Float32`, or a
  `Netcl.Dtype`
* `variant`: 0, ELEMENTWISE\\_SCALAR or ELEMENTWISE\\_VECTORIZED; a `Netcl.Variant`
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_sharded_expression_text`.
"""
function sharded_expression_text(
    text::Union{Nothing,AbstractString}, inputs;
    dtype::Union{Dtype,Symbol,Type} = Dtype(0), variant::Union{Variant,Symbol} = Variant(0),
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    inputs = handle_list(Sharded, :inputs, inputs)
    options_struct = StructMemory{2}()
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve inputs options_struct queue into waits event_place graph run_kept run_struct begin
        fill_expression_options!(place_of(options_struct), nothing, dtype, variant)
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_sharded_expression_text(
            c_text(:text, text), or_null(raw_list(inputs)), length(inputs), options_struct,
            run_struct, result
        )
    end
    give_reference(event, event_place)
    return take(Sharded, result[])
end

"""
    sharded_reduce(
        x, kind;
        axes, keepdims, dtype, variant, select_last, queue, into, waits, event, graph
    )

Reduces over axes as `netcl_op_reduce` does. Along axes that are not split nothing is sent.
Along split ones each rank reduces its block and an all\\_reduce joins them; the result is
replicated along those dimensions of the mesh. That is for SUM, MEAN, PROD, MAX, MIN, L1,
L2, SUM\\_SQUARE, LOG\\_SUM, ANY and ALL; others are UNSUPPORTED there. f16 and bf16 are
joined in f32 and rounded once. Error: that of `netcl_op_reduce` plus (ranks - 1) eps times
the sum of absolute values.

* `kind`: one of `:sum`, `:mean`, `:max`, `:min`, `:prod`, `:l1`, `:l2`, `:sum_square`,
  `:log_sum`, `:log_sum_exp`, `:argmax`, `:argmin`, `:any`, `:all`
* `axes`: empty: all axes
* `keepdims`: true: reduced axes stay with extent 1
* `dtype`: of the result; 0: as x (see `netcl_op_reduce`); a type as `Float32`, or a
  `Netcl.Dtype`
* `variant`: 0 or one of REDUCTION\\_...; a `Netcl.Variant`
* `select_last`: true: ARGMAX and ARGMIN give the last of equals
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_sharded_reduce`.
"""
function sharded_reduce(
    x::Sharded, kind::Union{Reduction,Symbol};
    axes = (), keepdims::Union{Bool,Integer} = false,
    dtype::Union{Dtype,Symbol,Type} = Dtype(0), variant::Union{Variant,Symbol} = Variant(0),
    select_last::Union{Bool,Integer} = false, queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    kind = enum(Reduction, kind)
    options_struct = StructMemory{5}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_reduce_options!(
            place_of(options_struct), options_kept, axes, keepdims, dtype, variant, select_last
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_sharded_reduce(x, kind.value, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return take(Sharded, result[])
end

"""
    sharded_softmax(x, axis; queue, into, waits, event, graph)

`netcl_op_softmax` of each block, along an axis that is not split; INVALID\\_ARGUMENT for
one that is. Nothing is sent.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_sharded_softmax`.
"""
function sharded_softmax(
    x::Sharded, axis::Integer;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_sharded_softmax(x, axis, run_struct, result)
    end
    give_reference(event, event_place)
    return take(Sharded, result[])
end

"""
    sharded_layernorm(
        x, axis;
        scale, bias, epsilon, has_epsilon, mean_into, inverse_deviation_into, queue, into,
        waits, event, graph
    )

`netcl_op_layernorm` of each block, over axes from `axis` on, none of which is split;
INVALID\\_ARGUMENT where one is, and where statistics are asked for. Scale and bias are the
same on all ranks. Nothing is sent.

* `scale`: broadcasts to the normalised axes; `nothing`: 1
* `bias`: the same; layernorm only; `nothing`: 0
* `epsilon`: finite, from 0 on; 0: 1e-5, but for has\\_epsilon
* `has_epsilon`: true: epsilon is set, even to 0
* `mean_into`: write the mean of each row here; layernorm only
* `inverse_deviation_into`: write 1 / sqrt(variance + epsilon) of each row here, of rmsnorm
  1 / sqrt(mean(x^2) + epsilon)
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_sharded_layernorm`.
"""
function sharded_layernorm(
    x::Sharded, axis::Integer;
    scale::Union{Nothing,TensorLike} = nothing, bias::Union{Nothing,TensorLike} = nothing,
    epsilon::Real = 0.0, has_epsilon::Union{Bool,Integer} = false,
    mean_into::Union{Nothing,TensorLike} = nothing,
    inverse_deviation_into::Union{Nothing,TensorLike} = nothing,
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{7}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve scale bias mean_into inverse_deviation_into options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_norm_options!(
            place_of(options_struct), options_kept, scale, bias, epsilon, has_epsilon, mean_into,
            inverse_deviation_into
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_sharded_layernorm(x, axis, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return take(Sharded, result[])
end

"""
    sharded_rmsnorm(
        x, axis;
        scale, bias, epsilon, has_epsilon, mean_into, inverse_deviation_into, queue, into,
        waits, event, graph
    )

`netcl_op_rmsnorm` of each block; else as `netcl_sharded_layernorm`.

* `scale`: broadcasts to the normalised axes; `nothing`: 1
* `bias`: the same; layernorm only; `nothing`: 0
* `epsilon`: finite, from 0 on; 0: 1e-5, but for has\\_epsilon
* `has_epsilon`: true: epsilon is set, even to 0
* `mean_into`: write the mean of each row here; layernorm only
* `inverse_deviation_into`: write 1 / sqrt(variance + epsilon) of each row here, of rmsnorm
  1 / sqrt(mean(x^2) + epsilon)
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_sharded_rmsnorm`.
"""
function sharded_rmsnorm(
    x::Sharded, axis::Integer;
    scale::Union{Nothing,TensorLike} = nothing, bias::Union{Nothing,TensorLike} = nothing,
    epsilon::Real = 0.0, has_epsilon::Union{Bool,Integer} = false,
    mean_into::Union{Nothing,TensorLike} = nothing,
    inverse_deviation_into::Union{Nothing,TensorLike} = nothing,
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{7}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve scale bias mean_into inverse_deviation_into options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_norm_options!(
            place_of(options_struct), options_kept, scale, bias, epsilon, has_epsilon, mean_into,
            inverse_deviation_into
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_sharded_rmsnorm(x, axis, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return take(Sharded, result[])
end

"""
    sharded_matmul(
        a, b;
        epilogue, alpha, beta, dtype, has_scale, variant, precision, a_zero_point, b_zero_point,
        queue, into, waits, event, graph
    )

Matrix product of a \\[..., M, K\\] and b \\[K, N\\], both on one mesh. What each dimension
of the mesh does with them tells what is sent along it:

a b result sent whole whole whole nothing rows whole rows nothing; rows are all axes of a
but the last whole columns columns nothing depth depth whole the products of all ranks are
added up by all\\_reduce depth whole whole the same; each rank uses its part of b whole
depth whole the same rows depth rows panels of b, each from the rank that has it (broadcast)
depth columns columns panels of a

Rows of a with columns of b on one dimension is INVALID\\_ARGUMENT. Both split in rows and
columns by two dimensions is SUMMA (van de Geijn and Watts, 1997): no rank ever has more of
the others' blocks than a panel of each. f16 and bf16 are added up in f32 and rounded once.
Error as `netcl_op_matmul`. `epilogue`, has\\_scale, and the zero points are refused.

* `epilogue`: `nothing`: none; its tensors have the dtype of a or the result, for i8 and u8
  that of the result
* `alpha`: with `has_scale` = true
* `beta`: with `has_scale` = true; needs `into`
* `dtype`: of the result; 0: as the inputs, i32 of i8 and u8; a type as `Float32`, or a
  `Netcl.Dtype`
* `has_scale`: true: take alpha and beta; false: alpha = 1, beta = 0
* `variant`: 0 or one of MATMUL\\_...; a `Netcl.Variant`
* `precision`: of f32, and of its gradients; other dtypes have STRICT alone; one of
  `:strict` (unless another is given), `:tf32`, `:split`
* `a_zero_point`: i8 and u8 alone; `nothing`: 0. Of a's dtype, one element (any rank),
  \\[M\\], or \\[..., M, 1\\] whose leading dimensions broadcast to the result's
* `b_zero_point`: the same of b: one element, \\[N\\], or \\[..., 1, N\\]
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_sharded_matmul`.
"""
function sharded_matmul(
    a::Sharded, b::Sharded;
    epilogue::Union{Nothing,Epilogue} = nothing, alpha::Real = 0.0, beta::Real = 0.0,
    dtype::Union{Dtype,Symbol,Type} = Dtype(0), has_scale::Union{Bool,Integer} = false,
    variant::Union{Variant,Symbol} = Variant(0),
    precision::Union{Precision,Symbol} = Precision(0),
    a_zero_point::Union{Nothing,TensorLike} = nothing,
    b_zero_point::Union{Nothing,TensorLike} = nothing,
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{8}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve a_zero_point b_zero_point options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_matmul_options!(
            place_of(options_struct), options_kept, epilogue, alpha, beta, dtype, has_scale,
            variant, precision, a_zero_point, b_zero_point
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_sharded_matmul(a, b, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return take(Sharded, result[])
end

"""
    sharded_exchange_halo(x, pads; value, periodic, queue, into, waits, event, graph)

Gives the block of this rank with what lies around it, corners included, for stencils and
convolutions: pads has the entries before the block along every axis, then those behind it
(2 rank entries, not negative). They come from the ranks that have them, however many that
takes; what lies outside of the whole has a value of its own, or is periodic. What an op
without padding makes of the result is a block of its result over the group, of which
`netcl_sharded_create` makes a sharded tensor.

* `value`: of elements outside of the whole; as `netcl_op_cast` converts it
* `periodic`: true: outside of the whole it begins again; pads are at most extents
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_sharded_exchange_halo`.
"""
function sharded_exchange_halo(
    x::Sharded, pads;
    value::Real = 0.0, periodic::Union{Bool,Integer} = false,
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    pads_rows = array_of(Int64, pads)
    options_struct = StructMemory{3}()
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_struct queue into waits event_place graph run_kept run_struct begin
        fill_halo_options!(place_of(options_struct), nothing, value, periodic)
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_sharded_exchange_halo(
            x, or_null(pads_rows), length(pads_rows), options_struct, run_struct, result
        )
    end
    give_reference(event, event_place)
    return take_if_given(Tensor, result[])
end
