# What a MethodError of a function of C says besides its methods: which keywords there are, and that arrays
# of the host are no arguments.

# What the keywords of other packages are called here.
const OTHER_NAMES = Dict(:dims => :axes, :pad => :padding, :stride => :strides, :dilation => :dilations,
                         :kernel => :window, :kernel_size => :window, :lr => :learning_rate, :init => :into)

give_hints() = isdefined(Base.Experimental, :register_error_hint) &&
               Base.Experimental.register_error_hint(hint, MethodError)

function hint(io, problem, types, given)
    f = problem.f
    f isa Function && parentmodule(f) === @__MODULE__() || return nothing
    name = string(nameof(f))
    startswith(name, "op_") || startswith(name, "tensor_") || return nothing
    known = unique(Iterators.flatten(Base.kwarg_decl(method) for method in methods(f)))
    for (key, _) in given
        key in known || print(io, "\n", key, " is no keyword of ", name, similar_name(name, key, known),
                              "; it has ", join(filter(k -> !endswith(string(k), "..."), known), ", "))
    end
    any(T -> T <: Array{<:Storable}, types) &&
        print(io, "\nArrays of the host are no arguments of ", name, ": NetclArray(A) makes one that is")
    print(io, "\n?Netcl.", name, " tells what it takes")
    return nothing
end

function similar_name(name, key, known)
    other = get(OTHER_NAMES, key, nothing)
    other in known && return ", which calls it $other"
    key === :dims && return ", whose axis is an argument and counts from 0"
    other === :learning_rate && return ", whose learning rate is an argument"
    return ""
end
