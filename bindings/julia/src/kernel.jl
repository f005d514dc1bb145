# Kernels: arguments from values of Julia, and launches that look like calls.

"A tensor argument that the kernel only reads."
struct ReadOnly
    x::TensorLike
end
"""
    Netcl.readonly(x)

Marks an array that a kernel only reads, where its parameter does not say `const`.
"""
readonly(x::TensorLike) = ReadOnly(x)

struct LocalMemory
    bytes::UInt32
end
"""
    Netcl.localmem(T, count)

Local memory of a work-group as an argument of a kernel.
"""
localmem(::Type{T}, count::Integer) where {T} = LocalMemory(UInt32(sizeof(T) * count))

const NO_BYTES = ntuple(_ -> 0x00, 32)

"""
    Netcl.Arg(value)

A kernel argument: an array, `readonly(x)`, `localmem(T, n)`, `nothing` for a NULL buffer, or a value
of a plain type of at most 32 bytes, which has to be of the size that the parameter has. A larger one
has to live as long as a call: give it to the kernel itself.
"""
Arg(x::TensorLike) = Arg(ARG_TENSOR, 0, NO_BYTES, raw(x), C_NULL, Dtype(0), 0)
Arg(marked::ReadOnly) = Arg(ARG_TENSOR_READ_ONLY, 0, NO_BYTES, raw(marked.x), C_NULL, Dtype(0), 0)
Arg(memory::LocalMemory) = Arg(ARG_LOCAL, memory.bytes, NO_BYTES, C_NULL, C_NULL, Dtype(0), 0)
Arg(::Nothing) = Arg(ARG_NULL, 0, NO_BYTES, C_NULL, C_NULL, Dtype(0), 0)
Arg(arg::Arg) = arg
function Arg(value)
    check_plain(value)
    sizeof(value) <= 32 || throw(ArgumentError(
        "an Arg holds 32 bytes and $(typeof(value)) has $(sizeof(value)); give it to the kernel"))
    return small_arg(value)
end

check_plain(value) = isbits(value) && sizeof(value) > 0 || throw(ArgumentError(
    "a kernel takes no $(typeof(value)); arrays have to be a NetclArray, and other values plain " *
    "numbers or structs of them"))

function small_arg(value)
    place, bytes = Ref(value), zeros_of(Val(32))
    GC.@preserve place bytes unsafe_copyto!(
        place_of(bytes), Ptr{UInt8}(Base.unsafe_convert(Ptr{Cvoid}, place)), sizeof(value))
    filled = GC.@preserve bytes unsafe_load(Ptr{NTuple{32,UInt8}}(place_of(bytes)))
    return Arg(ARG_SCALAR, sizeof(value), filled, C_NULL, C_NULL, dtype_of_plain(value), 0)
end

# Of a struct only the size is compared.
dtype_of_plain(value) = Dtype(0)

"""
    Netcl.reinterpreted(value)

An argument whose bytes the kernel's parameter is meant to see as elements of another type than they
are; without it such a parameter is refused.
"""
function reinterpreted(value)
    arg = Arg(value)
    return Arg(arg.kind, arg.size, arg.value, arg.tensor, arg.data, arg.dtype, 1)
end

function zeros_of(::Val{N}) where {N}
    memory = StructMemory{div(N, 8)}()
    GC.@preserve memory clear_bytes(place_of(memory), N)
    return memory
end

"The rows for C, and what has to live until the call is over."
function rows_of(::Type{Arg}, values)
    values = collect(Any, values)
    kept = Any[values]
    return Arg[row_of(value, kept) for value in values], kept
end

row_of(value::Union{TensorLike,ReadOnly,LocalMemory,Nothing,Arg}, kept) = Arg(value)
function row_of(value, kept)
    check_plain(value)
    sizeof(value) <= 32 && return small_arg(value)
    place = Ref(value)
    push!(kept, place)
    pointer = Base.unsafe_convert(Ptr{Cvoid}, place)
    return Arg(ARG_DATA, sizeof(value), NO_BYTES, C_NULL, pointer, Dtype(0), 0)
end

"""
    Netcl.Kernel(source, name; device, options...)

A kernel of OpenCL C. It is built at its first launch. The built-in device takes no kernels: there
it is a `NetclError` with status UNSUPPORTED.
"""
Kernel(source::AbstractString, name::AbstractString; device::Device = device(), options...) =
    kernel_create(device, name; source = source, options...)

"""
    kernel(args...; global_size, local_size = (), round_up = false, run options...)

Launches a kernel over `global_size` work items. The types of the arguments have to be those of its
parameters, `Int32(n)` for `int n`, `2f0` for `float a`: on CPU devices a kernel works in this
process. An array passes its memory from its lowest element on; OpenCL C sees no shape, so packed
arrays of Julia are column-major there: element (i, j) of an m-by-n matrix is `x[i + j * m]` from 0 on.
"""
function (kernel::Kernel)(args...; global_size = nothing, local_size = (), options...)
    global_size === nothing && throw(ArgumentError(launch_needs(keys(options))))
    try
        kernel_launch(kernel, global_size, local_size, args; options...)
    catch problem
        rethrow(with_argument(problem, args))
    end
end

# What launches have in other packages is told in the words of this one.
function launch_needs(given)
    others = join((name for name in given if name in (:threads, :blocks, :ndrange, :groupsize)), " or ")
    return "a launch needs the number of its work-items: kernel(args...; global_size = n), or " *
           "(m, n), and local_size = 64 for groups of 64" *
           (isempty(others) ? "" : "; it has no $others: global_size is blocks times threads, " *
            "local_size is threads")
end

# C counts arguments from 0 and knows bytes alone; so this adds which value it is, and what is missing.
const OPENCL_TYPES = Dict(
    "char" => Int8, "uchar" => UInt8, "short" => Int16, "ushort" => UInt16, "int" => Int32,
    "uint" => UInt32, "long" => Int64, "ulong" => UInt64, "half" => Float16, "float" => Float32,
    "double" => Float64)
with_argument(problem, args) = problem
function with_argument(problem::NetclError, args)
    found = match(r"^args\[(\d+)\].*; parameter (?:const )?(\w+) ", problem.message)
    found === nothing && return problem
    at = parse(Int, found[1]) + 1
    wanted = get(OPENCL_TYPES, found[2], nothing)
    (at <= length(args) && args[at] isa Number && wanted !== nothing) || return problem
    return NetclError(problem.status, problem.native_code, string(
        problem.message, ": argument $at is $(repr(args[at])), ", a_type(typeof(args[at])), "; ",
        "$wanted($(args[at])) fits"))
end
a_type(T) = string(T in (Int8, Int16, Int32, Int64) ? "an " : "a ", T)
