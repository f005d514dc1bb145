# Julia from 1.9 on loads what is in ext/ where ChainRulesCore is loaded (see Project.toml). Older ones
# do it here, when that package is.

const CHAIN_RULES = Base.PkgId(Base.UUID("d360d2e6-b24c-11e9-a2a3-2a2ae2dbcce4"), "ChainRulesCore")

function watch_packages()
    # What is loaded into a package that is being compiled does not last.
    (isdefined(Base, :get_extension) || ccall(:jl_generating_output, Cint, ()) == 1) && return nothing
    push!(Base.package_callbacks, id -> id == CHAIN_RULES && load_rules())
    haskey(Base.loaded_modules, CHAIN_RULES) && load_rules()
    return nothing
end

# The module of the rules, once they are loaded.
const RULES = Ref{Union{Nothing,Module}}(nothing)

function load_rules()
    RULES[] === nothing || return nothing
    rules = Module(:NetclChainRulesCoreExt)
    Core.eval(rules, :(const Netcl = $(@__MODULE__)))
    Core.eval(rules, :(const ChainRulesCore = $(Base.loaded_modules[CHAIN_RULES])))
    Base.include(rules, joinpath(@__DIR__, "..", "ext", "rules.jl"))
    RULES[] = rules
    return nothing
end
