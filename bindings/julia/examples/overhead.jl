# What the safe layer adds to a call: the same getters as bare ccalls and as functions, in turns; the
# shortest of many rounds of each, since other programs only make rounds longer.
#
# usage: julia --project=bindings/julia bindings/julia/examples/overhead.jl [device [rounds]]

using Netcl

# What a first call takes is Julia's compiler; the processor's time, since others may be at work.
processor_time() = ccall(:clock, Clong, ()) / 1e6
function first_time(name, call)
    start = processor_time()
    call()
    println(rpad(name, 28), lpad(round(processor_time() - start; digits = 2), 7), " s")
end
device = Netcl.device!(isempty(ARGS) ? "builtin" : ARGS[1])
const FIRST = NetclArray(collect(0.0:99.0))
first_time("first broadcast", () -> FIRST .* 2 .+ 1)
first_time("first display", () -> sprint(show, MIME("text/plain"), FIRST))

const ROUNDS = length(ARGS) > 1 ? parse(Int, ARGS[2]) : 101
const CALLS = 5_000

"Nanoseconds of one call, in a loop that the compiler knows all of."
function time_of(call, argument)
    start = time_ns()
    for _ in 1:CALLS
        call(argument)
    end
    return (time_ns() - start) / CALLS
end

function compare(name, bare, safe, argument)
    time_of(bare, argument), time_of(safe, argument)
    rounds = [(time_of(bare, argument), time_of(safe, argument)) for _ in 1:ROUNDS]
    in_c = minimum(map(first, rounds))
    added = minimum(map(last, rounds)) - in_c
    bytes = (safe(argument); @allocated safe(argument))
    println(rpad(name, 28), lpad(round(in_c; digits = 1), 7), " ns in C, ",
            lpad(round(added; digits = 1), 6), " ns in Julia, ", bytes, " bytes of garbage")
end

const ARITY = Ref{UInt32}(0)
const STATE = Ref{Int32}(0)
const INFO = Netcl.info_memory(Netcl.StructMemory{23}())

# The pointers as constants: as near to C as Julia gets.
const GET_ARITY = Netcl.Raw.address(Netcl.Raw.E_netcl_expression_get_arity)
const QUERY = Netcl.Raw.address(Netcl.Raw.E_netcl_event_query)
const GET_INFO = Netcl.Raw.address(Netcl.Raw.E_netcl_tensor_get_info)
bare_arity(e) = ccall(GET_ARITY, Int32, (Ptr{Cvoid}, Ptr{Cvoid}), e, ARITY)
bare_query(e) = ccall(QUERY, Int32, (Ptr{Cvoid}, Ptr{Cvoid}), e, STATE)
bare_info(t) = ccall(GET_INFO, Int32, (Ptr{Cvoid}, Ptr{Cvoid}), t, INFO)

expression = Netcl.Expression("v0 + v1")
event = Netcl.queue_enqueue_marker(Netcl.device_get_queue(device), ())
wait(event)
tensor = Netcl.tensor_create_zeros(device, Float32, (2, 3))
compare("netcl_expression_get_arity", bare_arity, Netcl.expression_get_arity, expression)
compare("netcl_event_query", bare_query, Netcl.event_query, event)
compare("netcl_tensor_get_info", bare_info, Netcl.tensor_get_info, tensor)

# A whole broadcast of few elements: what a step costs that is not the device's.
x = Netcl.ones(Float32, 16)
y = similar(x)
step!(y, x) = (y .= 2f0 .* x .+ 1f0)
const FORMULA = Netcl.Expression("(v0 * v1) + v2")
bare_step(x) = Netcl.op_expression(FORMULA, (x, x, x); into = y)
compare("y .= 2x .+ 1, 16 elements", bare_step, x -> step!(y, x), x)
line(x) = 2f0 * x + 1f0
of_user!(y, x) = (y .= line.(x))
compare("the same as a function", bare_step, x -> of_user!(y, x), x)
