# The library itself: versions, layouts, the log.

@testset "versions" begin
    info = Netcl.library_get_info()
    @test info.version_number == Netcl.VERSION_NUMBER == Netcl.version_number()
    @test info.version == Netcl.version_string()
    project = read(joinpath(@__DIR__, "..", "Project.toml"), String)
    @test occursin("version = \"$(info.version)\"", project)
    @test Netcl.status_name(Netcl.ERROR_TIMEOUT) == "NETCL_ERROR_TIMEOUT"
    @test Netcl.dtype_name(:f32) == "f32" && !isempty(info.compiler)
    @test Netcl.functional() && Netcl.missing_reason() == ""
end

@testset "layouts" begin
    @test Sys.WORD_SIZE == 8 * Netcl.POINTER_SIZE
    for (name, size, members) in Netcl.LAYOUTS
        type = Symbol(join(uppercasefirst.(split(string(name), "_")[2:end])))
        isdefined(Netcl, type) || continue
        T = getfield(Netcl, type)
        if isbitstype(T) && !(T <: Netcl.Info)
            # Arrays of these are passed as they are.
            @test sizeof(T) == size
            @test [fieldoffset(T, k) for k in 1:fieldcount(T)] == [m[2] for m in members]
        elseif T <: Netcl.Info
            @test Netcl.info_size(T) == size && size % 8 == 0
        end
    end
end

@testset "the log" begin
    Netcl.log_set_level(:debug)
    before = maximum([0; [Int(r.sequence) for r in Netcl.log_records()]])
    # Giving back what was given back is logged.
    stale = Netcl.Expression("v0").pointer
    Netcl.Raw.netcl_expression_release(stale)
    Netcl.Raw.netcl_expression_release(stale)
    records = collect(Netcl.log_records(after = before))
    @test any(r -> r.sequence > before && !isempty(r.message), records)
    @test Netcl.log_read(before).sequence == records[1].sequence
    fails(() -> Netcl.log_read(typemax(UInt64) - 1), Netcl.ERROR_NOT_FOUND)
    @test isempty(collect(Netcl.log_records(after = records[end].sequence + 1000)))
    Netcl.log_set_level(Netcl.LOG_WARNING)
    refused(() -> Netcl.log_set_level(Netcl.LogLevel(77)))
end

@testset "interrupts and the end" begin
    Netcl.interrupt_enable(3_000_000_000)
    Netcl.interrupt_disable()
    Netcl.library_set_exit_timeout(timeout = 2)
    Netcl.shutdown(timeout = 60)
    @test Array(NetclArray([1, 2]) .+ 1) == [2, 3]
end
