# What the tests share.

"Counts calls per function of C from here on, by putting another method in place of `address`."
function count_calls()
    @eval Netcl.Raw begin
        const CALLED = Dict(entry.name => Base.Threads.Atomic{Int}(0) for entry in ENTRIES)
        function address(entry::Entry)
            Base.Threads.atomic_add!(CALLED[entry.name], 1)
            pointer = entry.pointer
            return pointer == C_NULL ? find(entry) : pointer
        end
    end
end

dev() = Netcl.device()
const SELECTOR = Ref("")
const SEEN_OPENCL = Ref(false)
function use_device(selector)
    SELECTOR[] = selector
    device = Netcl.device!(SELECTOR[])
    SEEN_OPENCL[] |= is_opencl()
    return device
end
is_opencl() = Netcl.device_get_info(dev()).backend == Netcl.BACKEND_OPENCL
has_fp64() = Netcl.device_get_capabilities(dev()).fp64 != 0

"A call has to fail with a status and a message that holds a text."
function fails(call, status, text = "")
    problem = try
        call()
        nothing
    catch caught
        caught
    end
    @test problem isa NetclError
    problem isa NetclError || return (@show problem; nothing)
    @test problem.status == status
    @test occursin(text, problem.message)
    @test !isempty(problem.message)
    return problem
end

"A call has to fail with an error of the library, whichever."
function refused(call)
    @test_throws NetclError call()
end

"A call has to throw a Julia error of a type whose text holds another."
function throws(call, type, text = "")
    problem = try
        call()
        nothing
    catch caught
        caught
    end
    @test problem isa type
    @test occursin(text, sprint(showerror, problem))
end

const LIVE = [Netcl.HandleType(value) for (_, _, value) in Netcl.enum_values(Netcl.HandleType)]
live(type) = Int(Netcl.library_get_live_count(type))

# In a function of its own: a frame that is interpreted holds the last values that it saw.
function forget_globals()
    for name in names(Main; all = true)
        isdefined(Main, name) && getfield(Main, name) isa Union{NetclArray,Netcl.Tensor} &&
            @eval Main $name = nothing
    end
end

"Finalizers and empty caches leave nothing but the device."
function close_leftovers()
    Netcl.empty_cache()
    forget_globals()
    leftovers() = [type for type in LIVE if live(type) > (type == Netcl.HANDLE_DEVICE)]
    # What an object keeps alive goes with a later collection; each takes a large part of a second.
    for _ in 1:3
        GC.gc()
        isempty(leftovers()) && break
    end
    @test leftovers() == []
end

"""
Runs a program in a process of its own; gives its exit code and what it printed. What is `compiled`
is so even where these tests are interpreted, since only then objects die as early as they can.
"""
function in_process(program, settings...; compiled = false)
    path = tempname() * ".jl"
    write(path, program)
    words = Base.julia_cmd().exec
    compiled && filter!(word -> !startswith(word, "--compile"), words)
    command = `$words --project=$(Base.active_project()) --startup-file=no $path`
    output = IOBuffer()
    run = Base.run(pipeline(ignorestatus(addenv_(command, settings...)); stdout = output,
                            stderr = output))
    rm(path)
    return run.exitcode, String(take!(output))
end
# addenv came with Julia 1.6.
function addenv_(command, settings...)
    variables = copy(ENV)
    merged = Dict{String,String}(variables)
    for (name, value) in settings
        value === nothing ? delete!(merged, name) : (merged[name] = value)
    end
    return setenv(command, merged)
end

close_to(a, b) = isapprox(Array(a), b; rtol = 1e-5, atol = 1e-5)

same_bytes(a, b) = sizeof(a) == sizeof(b) &&
    ccall(:memcmp, Cint, (Ptr{Cvoid}, Ptr{Cvoid}, Csize_t), a, b, sizeof(a)) == 0
