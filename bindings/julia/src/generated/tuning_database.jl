# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    tuning_database_open(path)

Opens a database. `nothing` path: that of this user, tuning-1.jsonl in the directory of the
program cache, which dispatch uses and which is opened once per process; where that
directory cannot be used it lives in memory. \":memory:\" is an empty one without a file;
else the path of a file, which is made at the first record. IO for a file that cannot be
read, is a symbolic link, or may have been written by another user, CORRUPT\\_DATA for one
with lines of which none begins like a record, INVALID\\_ARGUMENT for an empty path.

Calls `netcl_tuning_database_open`.
"""
function tuning_database_open(path::Union{Nothing,AbstractString})
    database = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_tuning_database_open(c_text(:path, path), database)
    return take(TuningDatabase, database[])
end

"""
    tuning_database_retain(tuning_database)

Gives another TuningDatabase with a reference of its own to the same object.

Calls `netcl_tuning_database_retain`.
"""
tuning_database_retain(tuning_database::TuningDatabase) = retain(tuning_database)

"""
    tuning_database_release(tuning_database)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_tuning_database_release`.
"""
tuning_database_release(tuning_database::TuningDatabase) = close(tuning_database)

"""
    tuning_database_get_info(database)

Verifies the file line by line and counts.

Calls `netcl_tuning_database_get_info`.
"""
function tuning_database_get_info(database::TuningDatabase)
    info = info_memory(StructMemory{103}())
    @checked Raw.netcl_tuning_database_get_info(database, info)
    return take_info(TuningDatabaseInfo, info)
end

"""
    tuning_database_lookup(database, device, key)

Looks for the best configuration: the exact key, else the same part, shape and scalars with
another driver, else the nearest of these (in log space; of two as near the smaller one).
Quarantined configurations are passed over. `device` (may be `nothing`) fills in part and
driver. No match is no error: `record.match` is NONE.

* `record`: the record, all zero with no match
* `config`: one reference, `nothing` with no match

Calls `netcl_tuning_database_lookup`.
"""
function tuning_database_lookup(
    database::TuningDatabase, device::Union{Nothing,Device}, key::TuningKey
)
    key_kept = Any[]
    record = info_memory(StructMemory{232}())
    config = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve key key_kept begin
        key_place = keep_struct!(key_kept, key)
        @checked Raw.netcl_tuning_database_lookup(
            database, or_null(device), key_place, record, config
        )
    end
    return take_info(TuningRecord, record), take_if_given(Config, config[])
end

"""
    tuning_database_put(database, device, key, config, record)

Stores a record: kind, outcome, times, timestamp (0: now) and reason of `record`, the rest
of the key. A record replaces the one of its kind and key, and of its configuration unless
the kind is BEST. `device` (may be `nothing`) as for a lookup. Records that other processes
appended are taken in too. INVALID\\_ARGUMENT for texts that are no UTF-8, for negative
extents, and for a BEST with an outcome other than CORRECT, CANCELLED (the best so far) and
UNKNOWN. IO or TIMEOUT when the file cannot be written; the record is then kept in memory.

Calls `netcl_tuning_database_put`.
"""
function tuning_database_put(
    database::TuningDatabase, device::Union{Nothing,Device}, key::TuningKey, config::Config,
    record::Union{Nothing,TuningRecord}
)
    key_kept = Any[]
    record_kept = Any[]
    GC.@preserve key key_kept record record_kept begin
        key_place = keep_struct!(key_kept, key)
        record_place = keep_struct!(record_kept, record)
        @checked Raw.netcl_tuning_database_put(
            database, or_null(device), key_place, config, record_place
        )
    end
    return nothing
end

"""
    tuning_database_refresh(database)

Takes in what other processes appended.

Calls `netcl_tuning_database_refresh`.
"""
function tuning_database_refresh(database::TuningDatabase)
    @checked Raw.netcl_tuning_database_refresh(database)
    return nothing
end

"""
    tuning_database_get_record(database, index)

Gives the index-th record in force, in the order of their coming. NOT\\_FOUND past the end.

* `record`: the record
* `config`: one reference

Calls `netcl_tuning_database_get_record`.
"""
function tuning_database_get_record(database::TuningDatabase, index::Integer)
    record = info_memory(StructMemory{232}())
    config = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_tuning_database_get_record(database, index, record, config)
    return take_info(TuningRecord, record), take_if_given(Config, config[])
end

"""
    tuning_database_merge(database, path)

Adds the records of another file, those apart that are older than what is known of their
key. Fails as `netcl_tuning_database_open`, and with IO where there is no file.

Calls `netcl_tuning_database_merge`.
"""
function tuning_database_merge(
    database::TuningDatabase, path::Union{Nothing,AbstractString}
)
    count = Ref{UInt64}(0)
    @checked Raw.netcl_tuning_database_merge(database, c_text(:path, path), count)
    return count[]
end

"""
    tuning_database_compact(database)

Replaces the file, at once for all processes, by one without superseded and damaged lines.

Calls `netcl_tuning_database_compact`.
"""
function tuning_database_compact(database::TuningDatabase)
    @checked Raw.netcl_tuning_database_compact(database)
    return nothing
end

"""
    tuning_database_clear(database, kernel)

Removes the records of a kernel or op; `nothing` kernel: all records. INVALID\\_ARGUMENT for
\"\".

Calls `netcl_tuning_database_clear`.
"""
function tuning_database_clear(
    database::TuningDatabase, kernel::Union{Nothing,AbstractString}
)
    @checked Raw.netcl_tuning_database_clear(database, c_text(:kernel, kernel))
    return nothing
end

"""
    tuning_database_export(database, kernel, format)

Gives the measurements of a kernel (`nothing` kernel: of all) as T4 JSON, the format that
tuners exchange, or all records as CSV. TEXT is UNSUPPORTED.

* `format`: one of `:text`, `:json`, `:csv`

Calls `netcl_tuning_database_export`.
"""
function tuning_database_export(
    database::TuningDatabase, kernel::Union{Nothing,AbstractString},
    format::Union{Format,Symbol}
)
    format = enum(Format, format)
    found = read_text() do place, room, extent
        return Raw.netcl_tuning_database_export(
            database, c_text(:kernel, kernel), format.value, place, room, extent
        )
    end
    return found
end
