# Every function of C was called through the safe layer, or stands in a list with a reason.

left_out = Dict(string(name) => reason for (name, reason) in Netcl.LEFT_OUT)
uncalled = Dict{String,String}()
for line in eachline(joinpath(@__DIR__, "uncalled.txt"))
    startswith(line, "#") && continue
    name, reason = split(line, ": "; limit = 2)
    uncalled[name] = reason
end
all_names = [entry.name for entry in Netcl.Raw.ENTRIES]
called = [name for name in all_names if Netcl.Raw.CALLED[name][] > 0]
println(length(called), " of ", length(all_names), " functions are called by the tests; ",
        length(left_out), " are left out of the safe layer")

@testset "calls" begin
    missing_ones = setdiff(all_names, called, keys(left_out), keys(uncalled))
    # Where no device takes kernels there is none to call anything with.
    of_kernels = r"^netcl_(kernel_|benchmark_|tuner_add$)"
    SEEN_OPENCL[] || filter!(name -> !occursin(of_kernels, name), missing_ones)
    isempty(missing_ones) || println("No test calls:\n  ", join(missing_ones, "\n  "))
    @test isempty(missing_ones)
    # A list with what is no exception any more would hide the next one.
    @test isempty(intersect(called, keys(left_out))) && isempty(intersect(called, keys(uncalled)))
    @test all(!isempty, values(left_out)) && all(!isempty, values(uncalled))
end

# In a source tree the lock says which functions there are.
lock_file = get(ENV, "NETCL_TEST_LOCK",
                joinpath(@__DIR__, "..", "..", "..", "tests", "abi", "netcl.json"))
isfile(lock_file) && @testset "the lock" begin
    text = read(lock_file, String)
    functions = text[findfirst("\n \"functions\"", text)[1]:end]
    @test sort(all_names) == sort([m.captures[1] for m in eachmatch(r"\n  \"(netcl_\w+)\"", functions)])
end
