# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    space_create()

Makes a space without parameters.

Calls `netcl_space_create`.
"""
function space_create()
    space = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_space_create(space)
    return take(Space, space[])
end

"""
    space_create_from_t1(text)

Makes a space from T1 JSON, the format that tuners exchange: ConfigurationSpace with
TuningParameters and Conditions. The Default of a parameter becomes its first value. Numbers
of a parameter of Type int that are not whole stay floats. GlobalSize and LocalSize of
KernelSpecification become the work size; GlobalSizeType CUDA and Vulkan count groups, and
so does a file without it whose Language is one of these. CORRUPT\\_DATA naming the member
that is wrong.

Calls `netcl_space_create_from_t1`.
"""
function space_create_from_t1(text::AbstractString)
    text_text = String(text)
    space = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_space_create_from_t1(text_text, sizeof(text_text), space)
    return take(Space, space[])
end

"""
    space_retain(space)

Gives another Space with a reference of its own to the same object.

Calls `netcl_space_retain`.
"""
space_retain(space::Space) = retain(space)

"""
    space_release(space)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_space_release`.
"""
space_release(space::Space) = close(space)

"""
    space_add_ints(space, name, values)

Adds a parameter of integers. Its name is an identifier and no word of formulas (and, if,
True ...), its values differ.

Calls `netcl_space_add_ints`.
"""
function space_add_ints(space::Space, name::Union{Nothing,AbstractString}, values)
    take_turn(space)
    try
        values_rows = array_of(Int64, values)
        @checked Raw.netcl_space_add_ints(
            space, c_text(:name, name), or_null(values_rows), length(values_rows)
        )
        return nothing
    finally
        end_turn(space)
    end
end

"""
    space_add_floats(space, name, values)

Adds a parameter of floats, all of them finite.

Calls `netcl_space_add_floats`.
"""
function space_add_floats(space::Space, name::Union{Nothing,AbstractString}, values)
    take_turn(space)
    try
        values_rows = array_of(Float64, values)
        @checked Raw.netcl_space_add_floats(
            space, c_text(:name, name), or_null(values_rows), length(values_rows)
        )
        return nothing
    finally
        end_turn(space)
    end
end

"""
    space_add_bool(space, name)

Adds a parameter that is false or true, in this order.

Calls `netcl_space_add_bool`.
"""
function space_add_bool(space::Space, name::Union{Nothing,AbstractString})
    take_turn(space)
    try
        @checked Raw.netcl_space_add_bool(space, c_text(:name, name))
        return nothing
    finally
        end_turn(space)
    end
end

"""
    space_add_texts(space, name, values)

Adds a parameter of texts, which are UTF-8.

Calls `netcl_space_add_texts`.
"""
function space_add_texts(space::Space, name::Union{Nothing,AbstractString}, values)
    take_turn(space)
    try
        values_texts = c_texts(:values, values)
        GC.@preserve values_texts begin
            @checked Raw.netcl_space_add_texts(
                space, c_text(:name, name), or_null(text_pointers(values_texts)), length(values_texts)
            )
        end
        return nothing
    finally
        end_turn(space)
    end
end

"""
    space_add_constraint(space, formula)

Adds a constraint. INVALID\\_ARGUMENT naming the column and what was expected there.

Calls `netcl_space_add_constraint`.
"""
function space_add_constraint(space::Space, formula::Union{Nothing,AbstractString})
    take_turn(space)
    try
        @checked Raw.netcl_space_add_constraint(space, c_text(:formula, formula))
        return nothing
    finally
        end_turn(space)
    end
end

"""
    space_set_work_size(space, global_size, local_size)

Says by formulas how many work items a kernel gets with a configuration and how many form a
group, so that the work of one item can be tuned: \"ceil(n / (TX \\* WPT)) \\* TX\" and
\"TX\". Two and three dimensions have commas between them. Names are the parameters, those
that a tuner adds (LOCAL\\_X, TILE\\_SIZE ...) among them; global\\_x, global\\_y and
global\\_z, the size that `netcl_tuner_add` and `netcl_kernel_launch` are given; the integer
arguments of the kernel by the names of their parameters, as far as the driver tells these;
and the limits of a device. Of two of one name the first counts. Constraints may name them
too where the space is tuned. `nothing` global\\_size: as given. `nothing` local\\_size: as
tuned without formulas. \"\" is as `nothing`. What was set before is replaced.
INVALID\\_ARGUMENT naming the column and what was expected there, and for more than 3
dimensions. Whether names are known and how many dimensions there have to be is seen by
`netcl_tuner_add`. A configuration whose size is 0, negative, no integer, too large, or no
multiple of its local size is CONSTRAINTS with the formula and its value, and so is one
whose formula divides by zero.

Calls `netcl_space_set_work_size`.
"""
function space_set_work_size(
    space::Space, global_size::Union{Nothing,AbstractString},
    local_size::Union{Nothing,AbstractString}
)
    take_turn(space)
    try
        @checked Raw.netcl_space_set_work_size(
            space, c_text(:global_size, global_size), c_text(:local_size, local_size)
        )
        return nothing
    finally
        end_turn(space)
    end
end

"""
    space_get_count(space, capabilities)

Counts the configurations that satisfy all constraints with the limits of a device;
`nothing` capabilities: a constraint that names a limit is INVALID\\_ARGUMENT. A constraint
is tried as soon as its parameters have values, and parameters without one are not walked,
so that large spaces cost little; constraints that need more than 2^24 steps are
INVALID\\_ARGUMENT.

Calls `netcl_space_get_count`.
"""
function space_get_count(space::Space, capabilities::Union{Nothing,DeviceCapabilities})
    take_turn(space)
    try
        capabilities_kept = Any[]
        count = Ref{UInt64}(0)
        GC.@preserve capabilities capabilities_kept begin
            capabilities_place = keep_struct!(capabilities_kept, capabilities)
            @checked Raw.netcl_space_get_count(space, capabilities_place, count)
        end
        return count[]
    finally
        end_turn(space)
    end
end

"""
    space_get_config(space, capabilities, index)

Gives the index-th valid configuration, the first parameter changing slowest. NOT\\_FOUND
past the end.

Calls `netcl_space_get_config`.
"""
function space_get_config(
    space::Space, capabilities::Union{Nothing,DeviceCapabilities}, index::Integer
)
    take_turn(space)
    try
        capabilities_kept = Any[]
        config = Ref{Ptr{Cvoid}}(C_NULL)
        GC.@preserve capabilities capabilities_kept begin
            capabilities_place = keep_struct!(capabilities_kept, capabilities)
            @checked Raw.netcl_space_get_config(space, capabilities_place, index, config)
        end
        return take(Config, config[])
    finally
        end_turn(space)
    end
end

"""
    space_explain(space, capabilities, config)

Explains why a configuration is not in the space: the value that is none, or the constraint
that fails with the values it depends on; \"\" when it is.

Calls `netcl_space_explain`.
"""
function space_explain(
    space::Space, capabilities::Union{Nothing,DeviceCapabilities}, config::Config
)
    take_turn(space)
    try
        capabilities_kept = Any[]
        GC.@preserve capabilities capabilities_kept begin
            capabilities_place = keep_struct!(capabilities_kept, capabilities)
            found = read_text() do place, room, extent
                return Raw.netcl_space_explain(space, capabilities_place, config, place, room, extent)
            end
        end
        return found
    finally
        end_turn(space)
    end
end
