# The shared library: where it is looked for, and its functions by name. Loading the package never
# fails; without the library each call says what is missing.

module Raw

import Libdl

"A function of the library. Its pointer is filled when the library is loaded."
mutable struct Entry
    name::String
    pointer::Ptr{Cvoid}
    Entry(name) = new(name, C_NULL)
end

"What is thrown by a call when the library, or the function in it, is not there."
struct Missing <: Exception
    reason::String
end
Base.showerror(io::IO, e::Missing) = print(io, "Netcl: ", e.reason)

"The address of a function. Tests replace this method by one that counts."
@inline function address(entry::Entry)
    pointer = entry.pointer
    return pointer == C_NULL ? find(entry) : pointer
end

@noinline function find(entry::Entry)
    STATE.handle == C_NULL && throw(Missing(STATE.reason))
    touches_drivers(entry) && open_drivers()
    found = Libdl.dlsym(STATE.handle, entry.name; throw_error = false)
    found === nothing && throw(Missing(
        "$(STATE.path) has no $(entry.name); it is older than this package"))
    return entry.pointer = found
end

# PoCL finds the LLVM of Julia where it wants its own, and crashes, unless it was opened so that it
# looks at what came with it first. Its loader does not do that; whoever opens a library first
# decides. This happens before the first call that may touch a driver, which is one about devices.
# No other driver is opened so: one that is would share less with the process than it was made for.
touches_drivers(entry::Entry) = startswith(entry.name, "netcl_device_")

function open_drivers()
    STATE.drivers && return nothing
    STATE.drivers = true
    Sys.islinux() && lowercase(get(ENV, "NETCL_BACKEND", "")) != "builtin" || return nothing
    for name in driver_names()
        is_pocl(name) &&
            Libdl.dlopen(name, FLAGS | Libdl.RTLD_DEEPBIND; throw_error = false)
    end
end

is_pocl(name) = occursin("pocl", lowercase(basename(name)))

const VENDORS = "/etc/OpenCL/vendors"

"The drivers that a loader opens: a folder, a file, or libraries themselves may be named."
function driver_names()
    place = get(ENV, "OCL_ICD_VENDORS", "")
    isempty(place) && (place = VENDORS)
    isfile(place) || isdir(place) || !endswith(place, ".icd") || (place = joinpath(VENDORS, place))
    files = isdir(place) ? filter(f -> endswith(f, ".icd"), readdir(place; join = true)) :
            endswith(place, ".icd") ? [place] : String[]
    named = String[strip(readline(file)) for file in files if isfile(file)]
    isempty(files) && !isdir(place) && push!(named, place)
    append!(named, split(get(ENV, "OCL_ICD_FILENAMES", ""), ':'))
    return filter(!isempty, named)
end

include("generated/raw.jl")

mutable struct State
    handle::Ptr{Cvoid}
    path::String
    reason::String
    drivers::Bool
end
const STATE = State(C_NULL, "", "the library was not loaded yet", false)

const MAJOR = 0
const HINT = "install netcl, or set NETCL_LIBRARY to the path of libnetcl.so or NETCL_LIB_DIR " *
             "to its folder"

"The names to try, and whether they were given by the user."
function candidates()
    path = get(ENV, "NETCL_LIBRARY", "")
    isempty(path) || return [path], "NETCL_LIBRARY"
    folder = get(ENV, "NETCL_LIB_DIR", "")
    isempty(folder) || return [joinpath(folder, "libnetcl." * Libdl.dlext)], "NETCL_LIB_DIR"
    return ["libnetcl.so.$MAJOR", "libnetcl"], ""
end

function last_dl_error()
    text = ccall(:dlerror, Ptr{UInt8}, ())
    return text == C_NULL ? "" : unsafe_string(text)
end

# Not RTLD_DEEPBIND, which is Julia's default: a library should find the process's own functions.
const FLAGS = Libdl.RTLD_LAZY | Libdl.RTLD_LOCAL

function load()
    STATE.handle == C_NULL || return true
    names, origin = candidates()
    problem = ""
    for name in names
        handle = Libdl.dlopen(name, FLAGS; throw_error = false)
        if handle === nothing
            isempty(problem) && (problem = last_dl_error())
            continue
        end
        return accept(handle, name)
    end
    asked = isempty(origin) ? "" : " ($origin names $(names[1]))"
    STATE.reason = "libnetcl cannot be loaded$asked" *
                   (isempty(problem) ? "" : ": $problem") * "; $HINT"
    return false
end

function accept(handle, name)
    version = Libdl.dlsym(handle, :netcl_version_number; throw_error = false)
    if version === nothing
        STATE.reason = "$name is not libnetcl: it has no netcl_version_number; $HINT"
        return false
    end
    number = ccall(version, UInt32, ())
    if div(number, 1_000_000) != MAJOR
        STATE.reason = "$name has version $(div(number, 1_000_000)), this package needs " *
                       "version $MAJOR; $HINT"
        return false
    end
    for entry in ENTRIES
        touches_drivers(entry) && continue
        found = Libdl.dlsym(handle, entry.name; throw_error = false)
        entry.pointer = found === nothing ? C_NULL : found
    end
    STATE.handle, STATE.path = handle, name
    return true
end

end

"""
    Netcl.functional()

Whether the library was found. The package loads without it; then every call throws an error that
says what is missing, and `Netcl.missing_reason()` gives it as text.
"""
functional() = Raw.STATE.handle != C_NULL

"Why the library is not there; \"\" when it is."
missing_reason() = functional() ? "" : Raw.STATE.reason
