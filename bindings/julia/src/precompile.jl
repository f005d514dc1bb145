# What most programs call first, compiled with the package: types are inferred then (from Julia 1.9 on
# the code is there too), so that a first broadcast does not wait for it. Nothing is run here, since
# the library may not be there while a package is compiled, and its objects would not last.

style_tree(N, f, args...) = Broadcast.Broadcasted{NetclStyle{N},Nothing,f,Tuple{args...}}

# Later versions of Julia find these by themselves.
precompile_keywords(keywords, f, args...) =
    VERSION < v"1.9" && precompile(Core.kwfunc(f), (keywords, typeof(f), args...))

function precompile_first_calls()
    for T in (Float32, Float64), N in (1, 2)
        dims, A, x = NTuple{N,Int}, Array{T,N}, NetclArray{T,N}
        strides = NamedTuple{(:strides,),Tuple{dims}}
        precompile(NetclArray, (A,))
        precompile(NetclArray{T,N}, (UndefInitializer, dims))
        precompile(from_host, (A, Device))
        precompile_keywords(strides, tensor_create_from_host, Device, Type{T}, dims, A)
        precompile_keywords(strides, tensor_create, Device, Type{T}, dims)
        precompile(undefined, (Device, Type{T}, dims))
        precompile(filled, (Device, Type{T}, dims, T))
        precompile(similar, (x,))
        precompile(Array, (x,))
        precompile(copyto!, (x, A))
        precompile(sum, (x,))
        precompile(show_array, (IOContext{IOBuffer}, x))
        precompile(show, (IOContext{IOBuffer}, x))
        for S in (Int, T)
            sum = style_tree(N, typeof(+), x, S)
            line = style_tree(N, typeof(+), style_tree(N, typeof(*), S, x), S)
            foreach(tree -> precompile(Broadcast.materialize!, (x, tree)), (sum, line))
            precompile(of_bits, (Type{S}, UInt64))
            precompile(number_tensor, (Device, S))
        end
    end
    for f in (*, +, -, /), (a, b) in ((Node, Node), (Node, Real), (Real, Node))
        precompile(f, (a, b))
    end
    precompile(show, (IO, MIME"text/plain", NetclArray))
    precompile(print_cells, (IOContext{IOBuffer}, Matrix{String}, Vector{Int}, Int, Int, Int))
    for T in (Float16, Float32, Float64, Int)
        precompile(text_of, (IOContext{IOBuffer}, T))
        T <: Union{Float16,Float32} && precompile(short_text, (IOContext{IOBuffer}, T, Int, Int))
        for N in (1, 2)
            precompile(print_elements, (IOContext{IOBuffer}, Array{T,N}))
        end
    end
    precompile(laid_out, (String, Float64, Int, String))
    precompile(__init__, ())
    precompile(device, ())
    precompile(device_open, (String,))
    precompile(tensor_get_info, (Tensor,))
    precompile(computed, (Tree,))
    precompile(compute!, (NetclArray, Tree))
    precompile(plan_of, (Tree, Device))
    precompile(make_plan, (Tree, Vector{Any}))
    precompile(trace_arg, (Trace, Vector{Any}, Base.RefValue{Int}, Tree))
    precompile(trace_arg, (Trace, Vector{Any}, Base.RefValue{Int}, NetclArray))
    precompile(trace_arg, (Trace, Vector{Any}, Base.RefValue{Int}, Int))
    precompile(collect_leaves!, (Vector{Any}, Tree))
    precompile(lasting, (Tree,))
    precompile(number_input, (Device, Input, Any))
    precompile(run_plan!, (NetclArray, Plan, Vector{Any}))
    precompile(keep_call, (NetclArray, Tree, Plan, Vector{Any}, UInt))
    precompile(call_again, (Ptr{UInt8}, DataType, Tensor, Device, DataType, Int32))
    precompile(renew_numbers, (Kept, Device, Ptr{UInt64}))
    precompile(dims_of, (Tree, Vector{Any}))
    precompile(expression_create, (String,))
    precompile_keywords(NamedTuple{(:into, :dtype),Tuple{Tensor,Dtype}}, op_expression, Expression,
                        Vector{Any})
    precompile(release, (Tensor,))
    precompile(release, (Device,))
    return nothing
end

# Inference throws and catches, and some builds of Julia 1.5 end when anything is thrown (see
# backtraces.sh): there programs that throw nothing go on, and wait for their first calls.
throws_well() = success(pipeline(
    `$(Base.julia_cmd()) --startup-file=no -e "try error() catch end"`; stderr = devnull))
(VERSION >= v"1.6" || throws_well()) && precompile_first_calls()
