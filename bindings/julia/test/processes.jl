# What needs a process of its own.

@testset "without the library" begin
    program = """
    using Netcl
    println(Netcl.functional())
    println(Netcl.missing_reason())
    for call in (() -> Netcl.device_count(), () -> NetclArray([1, 2]), () -> Netcl.Expression("v0"))
        try
            call()
            println("no error")
        catch problem
            println(sprint(showerror, problem))
        end
    end
    """
    code, text = in_process(program, "NETCL_LIBRARY" => "/nowhere/libnetcl.so")
    @test code == 0
    lines = split(text, "\n")
    @test lines[1] == "false" && count("NETCL_LIBRARY names /nowhere/libnetcl.so", text) == 4
    @test count("Netcl: libnetcl cannot be loaded", text) == 3 && !occursin("no error", text)
    code, text = in_process(program, "NETCL_LIBRARY" => nothing, "NETCL_LIB_DIR" => "/nowhere")
    @test code == 0 && occursin("NETCL_LIB_DIR names /nowhere", text)
    # A library, but not this one.
    other = first(filter(path -> occursin(r"/libm[.-]", path), Netcl.Libdl.dllist()))
    code, text = in_process(program, "NETCL_LIBRARY" => other)
    @test code == 0 && occursin("is not libnetcl", text)
end

@testset "threads" begin
    code, text = in_process(read(joinpath(@__DIR__, "threads.jl"), String),
                            "JULIA_NUM_THREADS" => "4"; compiled = true)
    code == 0 || println(text)
    @test code == 0 && occursin(r"[1-9]\d* threads are done", text)
end

@testset "collections on $selector" for selector in selectors
    program = """
    using Test, Netcl
    using Netcl: NetclError
    include($(repr(joinpath(@__DIR__, "support.jl"))))
    use_device($(repr(String(selector))))
    include($(repr(joinpath(@__DIR__, "collecting.jl"))))
    close_leftovers()
    println("collections are done")
    """
    code, text = in_process(program; compiled = true)
    code == 0 || println(text)
    @test code == 0 && occursin("collections are done", text)
end

@testset "the end of a process with things open" begin
    program = """
    using Netcl
    const x = Netcl.rand(Float32, 500, 500)
    const e = Netcl.Expression("v0")
    y = x
    for _ in 1:10
        global y = y * x
    end
    atexit(() -> Netcl.device_count())
    println("leaving")
    """
    for selector in selectors
        code, text = in_process(program, "NETCL_DEVICE" => String(selector))
        @test code == 0 && strip(text) == "leaving"
    end
end

# ChainRulesCore is in no place that these tests reach: a package of its name and UUID stands in, with the
# part of its interface that the rules use.
@testset "rules for ChainRulesCore, loaded $order" for order in ("first", "last")
    standin = joinpath(@__DIR__, "standin")
    paths = join(("@", "@stdlib", standin), Sys.iswindows() ? ';' : ':')
    # Julia's part is the same for each device.
    each = order == "last" && !isempty(get(ENV, "NETCL_TEST_FULL", ""))
    for selector in (each ? selectors : selectors[1:1])
        SELECTOR[] = selector
        use_device(selector)
        has_fp64() || continue
        code, text = in_process(read(joinpath(@__DIR__, "rules.jl"), String),
                                "JULIA_LOAD_PATH" => paths, "NETCL_DEVICE" => String(selector),
                                "NETCL_TEST_RULES" => order)
        code == 0 && occursin("the rules are done", text) || println(text)
        @test code == 0 && occursin("the rules are done", text)
    end
end

@testset "Adapt and GPUArrays, loaded $order" for order in ("first", "last")
    paths = join(("@", "@stdlib", joinpath(@__DIR__, "standin")), Sys.iswindows() ? ';' : ':')
    code, text = in_process(read(joinpath(@__DIR__, "extensions.jl"), String),
                            "JULIA_LOAD_PATH" => paths, "NETCL_DEVICE" => String(selectors[1]),
                            "NETCL_TEST_ORDER" => order)
    code == 0 && occursin("the extensions are done", text) || println(text)
    @test code == 0 && occursin("the extensions are done", text)
end
