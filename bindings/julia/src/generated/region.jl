# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    region_begin(queue, parent, name)

Opens a region on a queue; commands enqueued there by this thread until its end belong to
it. `parent` may be `nothing`: then it is a root. While no profile is on, a region of a kind
that records nothing is given. A report has up to 30 regions inside each other; what is
deeper counts as part of the thirtieth.

Calls `netcl_region_begin`.
"""
function region_begin(
    queue::Queue, parent::Union{Nothing,Region}, name::Union{Nothing,AbstractString}
)
    take_turn(parent)
    try
        region = Ref{Ptr{Cvoid}}(C_NULL)
        @checked Raw.netcl_region_begin(queue, or_null(parent), c_text(:name, name), region)
        return take(Region, region[])
    finally
        end_turn(parent)
    end
end

"""
    region_end(region)

Closes a region; its handle is released as any other. INVALID\\_ARGUMENT the second time.

Calls `netcl_region_end`.
"""
function region_end(region::Region)
    take_turn(region)
    try
        @checked Raw.netcl_region_end(region)
        return nothing
    finally
        end_turn(region)
    end
end

"""
    region_annotate(region, bytes, operations)

Adds bytes moved and floating-point operations to a region.

Calls `netcl_region_annotate`.
"""
function region_annotate(region::Region, bytes::Real, operations::Real)
    take_turn(region)
    try
        @checked Raw.netcl_region_annotate(region, bytes, operations)
        return nothing
    finally
        end_turn(region)
    end
end

"""
    region_retain(region)

Gives another Region with a reference of its own to the same object.

Calls `netcl_region_retain`.
"""
region_retain(region::Region) = retain(region)

"""
    region_release(region)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_region_release`.
"""
region_release(region::Region) = close(region)
