# What most programs call first, compiled with the package: types are inferred then (from Julia 1.9 on
# the code is there too), so that a first broadcast does not wait for it. Nothing is run here, since
# the library may not be there while a package is compiled, and its objects would not last.

function precompile_first_calls()
    for T in (Float32, Float64), N in (1, 2)
        dims, A, x = NTuple{N,Int}, Array{T,N}, NetclArray{T,N}
        precompile(NetclArray, (A,))
        precompile(NetclArray{T,N}, (UndefInitializer, dims))
        precompile(from_host, (A, Device))
        precompile(filled, (Device, Type{T}, dims, T))
        precompile(similar, (x,))
        precompile(Array, (x,))
        precompile(copyto!, (x, A))
        precompile(sum, (x,))
        for stream in (IOContext{Base.TTY}, IOContext{IOBuffer}, IOBuffer)
            precompile(show, (stream, MIME"text/plain", x))
        end
        precompile(run_plan!, (x, Plan, Vector{Any}))
        precompile(as_input, (x, x))
        for S in (Int, T)
            one_call = Broadcast.Broadcasted{NetclStyle{N},NTuple{N,Base.OneTo{Int}},typeof(*),Tuple{x,S}}
            inner = Broadcast.Broadcasted{NetclStyle{N},Nothing,typeof(*),Tuple{x,S}}
            two_calls = Broadcast.Broadcasted{NetclStyle{N},NTuple{N,Base.OneTo{Int}},typeof(+),Tuple{inner,S}}
            for tree in (one_call, two_calls)
                precompile(copy, (tree,))
                precompile(copyto!, (x, tree))
            end
            for f in (*, +, -, /), (a, b) in ((Node{T}, Node{S}), (Node{S}, Node{T}))
                precompile(f, (a, b))
            end
            precompile(text_in, (Node{S}, Any, typeof(convert)))
            precompile(number_tensor, (Device, S))
        end
        precompile(trace_arg, (Trace, Vector{Any}, Base.RefValue{Int}, x))
        precompile(collect_leaves!, (Vector{Any}, x))
    end
    for stream in (IOContext{Base.TTY}, IOContext{IOBuffer})
        precompile(print_cells, (stream, Matrix{String}, Vector{Int}, Int, Int, Int))
        for T in (Float16, Float32, Float64, Int), N in (1, 2)
            precompile(print_elements, (stream, Array{T,N}))
            precompile(text_of, (stream, T))
            T <: Union{Float16,Float32} && precompile(short_text, (stream, T, Int, Int))
        end
    end
    precompile(laid_out, (String, Float64, Int, String))
    precompile(__init__, ())
    precompile(device, ())
    precompile(device_open, (String,))
    precompile(tensor_get_info, (Tensor,))
    precompile(plan_of, (Tree, Device))
    precompile(number_input, (Device, Input, Int))
    precompile(make_plan, (Tree, Vector{Any}))
    precompile(check_plan, (Tree, Vector{Any}, Plan, String))
    precompile(expression_create, (String,))
    precompile(release, (Tensor,))
    precompile(release, (Device,))
    return nothing
end

# Inference throws and catches, and some builds of Julia 1.5 end when anything is thrown (see
# backtraces.sh): there programs that throw nothing go on, and wait for their first calls.
throws_well() = success(pipeline(
    `$(Base.julia_cmd()) --startup-file=no -e "try error() catch end"`; stderr = devnull))
(VERSION >= v"1.6" || throws_well()) && precompile_first_calls()
