# Julia from 1.9 on loads what is in ext/ where the package that it is for is loaded (see Project.toml).
# Older ones do it here, when that package is.

extension(name, uuid, file) = Base.PkgId(Base.UUID(uuid), name) => file
const EXTENSIONS = Dict(
    extension("ChainRulesCore", "d360d2e6-b24c-11e9-a2a3-2a2ae2dbcce4", "rules.jl"),
    extension("Adapt", "79e6a3ab-5dfb-504d-930d-738a2a938a0e", "adapt.jl"),
    extension("GPUArraysCore", "46192b85-c4d5-4398-a991-12ede77f4527", "gpuarrayscore.jl"),
    extension("GPUArrays", "0c68f7d7-f131-5f86-a1c3-88cf8149b2d7", "gpuarrays.jl"))

function watch_packages()
    # What is loaded into a package that is being compiled does not last.
    (isdefined(Base, :get_extension) || ccall(:jl_generating_output, Cint, ()) == 1) && return nothing
    push!(Base.package_callbacks, load_extension)
    foreach(id -> haskey(Base.loaded_modules, id) && load_extension(id), keys(EXTENSIONS))
    return nothing
end

# The modules of the extensions that are loaded here, by the name of the package.
const LOADED = Dict{String,Module}()

function load_extension(id::Base.PkgId)
    haskey(EXTENSIONS, id) && !haskey(LOADED, id.name) || return nothing
    made = Module(Symbol("Netcl", id.name, "Ext"))
    Core.eval(made, :(const Netcl = $(@__MODULE__)))
    Core.eval(made, :(const $(Symbol(id.name)) = $(Base.loaded_modules[id])))
    Base.include(made, joinpath(@__DIR__, "..", "ext", EXTENSIONS[id]))
    LOADED[id.name] = made
    return nothing
end
