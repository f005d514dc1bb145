# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    ceilings_create()

Makes ceilings without rows, to be filled with `netcl_ceilings_set`.

Calls `netcl_ceilings_create`.
"""
function ceilings_create()
    ceilings = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_ceilings_create(ceilings)
    return take(Ceilings, ceilings[])
end

"""
    ceilings_measure(device; budget_ns, remeasure, no_store)

Measures the limits of a device after waiting for what is enqueued on it, or gives those
that were measured before: by this process, or by an earlier one on a device of the same
part (see `netcl_device_get_part`), platform and driver, from the folder `ceilings` beside
the program cache. Rows that were disproved since are no reason to keep the others: then
everything is measured again. A figure is the best over vector widths and sizes of probes
that store what they compute. Each probe runs at least five times after one that is not
counted, whatever the budget; a limit that a device does not have (f64, f16, matrix units)
has no row. What other programs do on the device meanwhile makes the figures worse: a row
whose spread is above 0.25 is measured again, up to twice, and named in the log at the level
WARNING when that does not help. One thread of all processes of the user measures at a time:
the lock of the device is held, as by tuners. BUSY when another process holds it for 60
seconds; other errors as for `netcl_device_finish`.

* `budget_ns`: for all probes, the building of their kernels apart; runs that differ much
  are made again for up to as long once more; 0: 3 s
* `remeasure`: true: do not take what was measured before
* `no_store`: true: neither take from the disk nor keep there

Calls `netcl_ceilings_measure`.
"""
function ceilings_measure(
    device::Device;
    budget_ns::Integer = 0, remeasure::Union{Bool,Integer} = false,
    no_store::Union{Bool,Integer} = false
)
    options_struct = StructMemory{3}()
    ceilings = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_struct begin
        fill_ceilings_options!(place_of(options_struct), nothing, budget_ns, remeasure, no_store)
        @checked Raw.netcl_ceilings_measure(device, options_struct, ceilings)
    end
    return take(Ceilings, ceilings[])
end

"""
    ceilings_load(path)

Loads what `netcl_ceilings_save` wrote. IO, CORRUPT\\_DATA naming what is wrong, such as two
rows of one kind, dtype and working set.

Calls `netcl_ceilings_load`.
"""
function ceilings_load(path::Union{Nothing,AbstractString})
    ceilings = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_ceilings_load(c_text(:path, path), ceilings)
    return take(Ceilings, ceilings[])
end

"""
    ceilings_retain(ceilings)

Gives another Ceilings with a reference of its own to the same object.

Calls `netcl_ceilings_retain`.
"""
ceilings_retain(ceilings::Ceilings) = retain(ceilings)

"""
    ceilings_release(ceilings)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_ceilings_release`.
"""
ceilings_release(ceilings::Ceilings) = close(ceilings)

"""
    ceilings_get_info(ceilings)

Tells where ceilings come from.

Calls `netcl_ceilings_get_info`.
"""
function ceilings_get_info(ceilings::Ceilings)
    info = info_memory(StructMemory{52}())
    @checked Raw.netcl_ceilings_get_info(ceilings, info)
    return take_info(CeilingsInfo, info)
end

"""
    ceilings_get(ceilings)

Gives all rows, sorted by kind, dtype and working set.

Calls `netcl_ceilings_get`.
"""
function ceilings_get(ceilings::Ceilings)
    found = read_array(Ceiling, UInt32) do place, room, extent
        return Raw.netcl_ceilings_get(ceilings, place, room, extent)
    end
    return found
end

"""
    ceilings_set(ceilings, row)

Puts a figure of the caller in the place of the row of its kind, dtype and working set, or
beside the others. Its value is above 0; given becomes 1 and disproved 0, whatever the row
says.

Calls `netcl_ceilings_set`.
"""
function ceilings_set(ceilings::Ceilings, row::Ceiling)
    @checked Raw.netcl_ceilings_set(ceilings, Ref(row))
    return nothing
end

"""
    ceilings_save(ceilings, path)

Writes ceilings as JSON. The file is replaced as a whole or not at all. IO.

Calls `netcl_ceilings_save`.
"""
function ceilings_save(ceilings::Ceilings, path::Union{Nothing,AbstractString})
    @checked Raw.netcl_ceilings_save(ceilings, c_text(:path, path))
    return nothing
end
