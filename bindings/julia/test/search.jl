# Searches by ask and tell, and tuners.

"Measures on a machine where A = 3 is the fastest and A = 4 is wrong."
function finish(search)
    asked = 0
    while true
        candidate, samples, config = Netcl.search_ask(search)
        config === nothing && return asked
        a = Netcl.config_get_int(config, "A")
        if a == 4
            Netcl.search_tell_failure(search, candidate, Netcl.OUTCOME_CORRECTNESS, "off by 1")
        else
            asked += samples
            times = [1000 + 100 * (a - 3)^2 + i % 3 for i in 1:samples]
            Netcl.search_tell(search, candidate, times)
        end
    end
end

function ints_space(name, values)
    space = Netcl.space_create()
    Netcl.space_add_ints(space, name, values)
    return space
end

@testset "searches" begin
    capabilities = Netcl.device_get_capabilities(dev())
    space = ints_space("A", 1:6)
    make() = Netcl.search_create(space, capabilities, nothing; strategy = :exhaustive)
    search = make()
    @test Netcl.search_get_result(search).stop == Netcl.STOP_RUNNING
    @test finish(search) > 6
    @test Netcl.config_get_int(Netcl.search_get_best(search), "A") == 3
    result = Netcl.search_get_result(search)
    @test (result.configurations, result.evaluations, result.is_default) == (6, 6, false)
    @test result.counts[Netcl.OUTCOME_CORRECTNESS.value + 1] == 1
    @test result.gain > 1.3 && result.gain ≈ result.default_median / result.median
    info, config = Netcl.search_get_candidate(search, result.best)
    @test info.outcome == Netcl.OUTCOME_CORRECT && info.median == result.median
    @test Netcl.config_get_int(config, "A") == 3
    samples = Netcl.search_get_samples(search, result.best)
    @test length(samples) == info.samples_count && all(x -> 1000 <= x < 1003, samples)
    fails(() -> Netcl.search_get_candidate(search, 6), Netcl.ERROR_NOT_FOUND)
    fails(() -> Netcl.search_tell(search, 6, [1]), Netcl.ERROR_INVALID_ARGUMENT)
    @test occursin("off by 1", Netcl.search_get_failure(search, :correctness))
    @test Netcl.search_get_failure(search, :crash) == ""
    # All events are there, in their order, and after the last one none will come.
    kinds = Netcl.SearchEventKind[]
    fails(Netcl.ERROR_NOT_FOUND) do
        while true
            event = Netcl.search_read_event(search, length(kinds); timeout = 0)
            @test event.sequence == length(kinds) + 1
            push!(kinds, event.kind)
        end
    end
    @test kinds[1] == Netcl.SEARCH_EVENT_STARTED && kinds[end] == Netcl.SEARCH_EVENT_STOPPED
    @test count(==(Netcl.SEARCH_EVENT_CANDIDATE), kinds) == 6
    @test [event.kind for event in Netcl.events(search)] == kinds
    @test length(collect(Netcl.events(search; after = 3))) == length(kinds) - 3

    database = Netcl.tuning_database_open(":memory:")
    key(n) = Netcl.TuningKey(kernel = "valley", shape = (n,), shape_count = 1)
    Netcl.search_store(search, database, dev(), key(6))
    found, best = Netcl.tuning_database_lookup(database, dev(), key(6))
    @test found.match == Netcl.MATCH_EXACT && found.median == result.median
    @test Netcl.config_get_int(best, "A") == 3
    # Another search takes the measurements over.
    second = make()
    @test Netcl.search_resume(second, database, dev(), key(6)) >= 5
    @test Netcl.search_resume(second, database, nothing, key(7)) == 0
    @test finish(second) > 0 && Netcl.search_get_result(second).known >= 5
    @test Netcl.search_retain(second) == second

    wrong = Netcl.config_create_from_json("{\"A\": 9}")
    fails(() -> Netcl.search_create(space, capabilities, wrong), Netcl.ERROR_INVALID_ARGUMENT, "A")
    right = Netcl.config_create_from_json("{\"A\": 2}")
    cancelled = Netcl.search_create(space, nothing, right)
    candidate, asked, config = Netcl.search_ask(cancelled)
    @test (candidate, asked, Netcl.config_get_int(config, "A")) == (0, 1, 2)
    fails(() -> Netcl.search_read_event(cancelled, 99; timeout = 0), Netcl.ERROR_TIMEOUT)
    Netcl.search_cancel(cancelled)
    Netcl.search_tell(cancelled, 0, [5])
    @test Netcl.search_ask(cancelled)[2:3] == (0, nothing)
    @test Netcl.search_get_result(cancelled).stop == Netcl.STOP_CANCELLED
end

patient(; more...) = Netcl.SearchOptions(; samples = 3, budget_ns = 600 * 10^9, more...)

@testset "tuners of ops" begin
    database = Netcl.tuning_database_open(":memory:")
    tuner = Netcl.tuner_create(dev(); search = patient(evaluations = 4), database = database,
                               warmup_count = 1)
    image = Netcl.Conv2dShape(batch = 1, channels = 4, height = 8, width = 8, filters = 4,
                              kernel_height = 3, kernel_width = 3)
    Netcl.tuner_add_matmul(tuner, 1, 33, 24, 40, :f32)
    Netcl.tuner_add_reduction(tuner, 3, 5000, :f32)
    Netcl.tuner_add_conv2d(tuner, image, :f32)
    fails(() -> Netcl.tuner_add_matmul(tuner, 1, 4, 4, 4, :i32), Netcl.ERROR_UNSUPPORTED)
    fails(() -> Netcl.tuner_add_conv2d(tuner, image, :u8), Netcl.ERROR_UNSUPPORTED)
    fails(() -> Netcl.tuner_add_reduction(tuner, -1, 4, :f32), Netcl.ERROR_INVALID_ARGUMENT)
    @test Netcl.tuner_get_count(tuner) == 3
    result, config = Netcl.tuner_get_result(tuner, 0)
    @test result.match == Netcl.MATCH_NONE && !result.measured && config === nothing
    fails(() -> Netcl.tuner_get_search(tuner, 0), Netcl.ERROR_NOT_FOUND)
    fails(() -> Netcl.tuner_read_event(tuner, 0; timeout = 0), Netcl.ERROR_NOT_FOUND)

    Netcl.tuner_run(tuner)
    for (index, name) in enumerate(["matmul", "reduction", "conv2d"])
        result, config = Netcl.tuner_get_result(tuner, index - 1)
        @test (result.status, result.message, result.name) == (Netcl.OK, "", "op.$name")
        @test result.match == Netcl.MATCH_EXACT && result.measured && result.median > 0
        @test startswith(Netcl.config_get_text(config, "variant"), name[1:6])
        search = Netcl.tuner_get_search(tuner, index - 1)
        @test Netcl.search_get_result(search).median == result.median
    end
    fails(() -> Netcl.tuner_get_result(tuner, 3), Netcl.ERROR_NOT_FOUND)
    @test Netcl.tuner_read_event(tuner, 0; timeout = 0).kind == Netcl.SEARCH_EVENT_STARTED
    fails(() -> Netcl.tuner_lookup(tuner, "none", [1]), Netcl.ERROR_NOT_FOUND, "none")

    # What was found travels in a file.
    path = joinpath(mktempdir(), "tuned.jsonl")
    Netcl.tuner_save(tuner, path)
    Netcl.tuner_clear(tuner)
    @test Netcl.tuner_get_count(tuner) == 0
    @test Netcl.tuning_database_get_info(database).records == 0
    Netcl.tuner_load(tuner, path)
    fails(() -> Netcl.tuner_load(tuner, path * "x"), Netcl.ERROR_IO)
    Netcl.tuner_add_matmul(tuner, 1, 33, 24, 40, :f32)
    Netcl.tuner_run(tuner)
    result, config = Netcl.tuner_get_result(tuner, 0)
    @test result.match == Netcl.MATCH_EXACT && !result.measured && config isa Netcl.Config
    # Nothing is under way that this could end.
    Netcl.tuner_cancel(tuner)
    @test Netcl.tuner_retain(tuner) == tuner
end

@testset "a loop over what a tuner does" begin
    database = Netcl.tuning_database_open(":memory:")
    make() = Netcl.tuner_create(dev(); search = patient(evaluations = 3), database = database,
                                warmup_count = 1, force = true)
    tuner = make()
    Netcl.tuner_add_matmul(tuner, 1, 20, 24, 28, :f32)
    # Other tasks go on during the run.
    turns = 0
    other = @async while turns >= 0
        turns += 1
        sleep(0.001)
    end
    kinds = [event.kind for event in Netcl.tune(tuner)]
    seen, turns = turns, -1
    wait(other)
    @test kinds[1] == Netcl.SEARCH_EVENT_STARTED && kinds[end] == Netcl.SEARCH_EVENT_STOPPED
    @test Netcl.SEARCH_EVENT_CANDIDATE in kinds && seen > 0
    result, config = Netcl.tuner_get_result(tuner, 0)
    @test result.measured && result.match == Netcl.MATCH_EXACT && config isa Netcl.Config
    # There is nothing left to do for it.
    @test isempty(collect(Netcl.tune(tuner)))
    # Who closes the channel ends the run.
    busy = Netcl.tuner_create(dev(); search = patient(), database = database, force = true)
    Netcl.tuner_add_matmul(busy, 1, 300, 200, 100, :f32)
    task = Ref{Task}()
    events = Netcl.tune(busy; taskref = task)
    @test take!(events).kind == Netcl.SEARCH_EVENT_STARTED
    close(events)
    wait(task[])
    @test last(collect(Netcl.events(busy))).kind == Netcl.SEARCH_EVENT_STOPPED
    closed = make()
    close(closed)
    fails(() -> collect(Netcl.tune(closed)), Netcl.ERROR_INVALID_HANDLE)
    fails(() -> collect(Netcl.events(closed)), Netcl.ERROR_INVALID_HANDLE)
end

const WORKING = """
#ifndef WORK
#define WORK 3000
#endif
__kernel void k(__global const float *a, __global float *out, float f) {
  const int i = get_global_id(0);
  float x = a[i];
  for (int r = 0; r < WORK; ++r) x = mad(x, 0.999f, 0.001f * f);
  for (int r = 0; r < WORK; ++r) x = (x - 0.001f * f) / 0.999f;
  out[i] = a[i] * f + (x > 1e30f ? 1.0f : 0.0f);
}"""

is_opencl() && @testset "tuners of kernels" begin
    n = 4096
    kernel = Netcl.Kernel(WORKING, "k")
    a, out = Netcl.rand(Float32, n), Netcl.zeros(n)
    space = ints_space("WORK", [3000, 1])
    database = Netcl.tuning_database_open(":memory:")
    tuning = Netcl.KernelTuning(space = space, local_sizes = [64],
                                work = Netcl.Work(bytes = 8n))
    # PoCL compiles for a local size at its first launch.
    options = (search = patient(), database = database, run_limit_ns = 100 * 10^9,
               in_process = true)
    config, search = Netcl.kernel_autotune(kernel, n, (a, out, 2f0), tuning; options...)
    @test Netcl.config_get_int(config, "WORK") == 1 && Netcl.config_get_int(config, "LOCAL_X") == 64
    @test Netcl.search_get_result(search).gain > 1.5
    # The arguments are copied, never written.
    @test all(iszero, Array(out))

    tuner = Netcl.tuner_create(dev(); options...)
    Netcl.tuner_add(tuner, kernel, n, (a, out, 2f0), tuning)
    unused = Netcl.KernelTuning(space = space, tile_sizes = [8, 16])
    fails(() -> Netcl.tuner_add(tuner, kernel, n, (a, out, 2f0), unused),
          Netcl.ERROR_INVALID_ARGUMENT, "TILE_SIZE")
    negative = Netcl.KernelTuning(work = Netcl.Work(bytes = -1))
    fails(() -> Netcl.tuner_add(tuner, kernel, n, (a, out, 2f0), negative),
          Netcl.ERROR_INVALID_ARGUMENT, "work->bytes is -1")
    Netcl.tuner_run(tuner)
    result, _ = Netcl.tuner_get_result(tuner, 0)
    @test result.match == Netcl.MATCH_EXACT && !result.measured
    match, config = Netcl.tuner_lookup(tuner, "k", [n])
    @test match == Netcl.MATCH_EXACT && Netcl.config_get_int(config, "WORK") == 1
    @test Netcl.tuner_lookup(tuner, "k", n * 64) == (Netcl.MATCH_NONE, nothing)
end

@testset "a recording is replayed" begin
    text = """{"tune_params_keys": ["A"], "tune_params": {"A": [1, 2, 4]},
        "cache": {"1": 2.5, "2": 3.5, "4": 1.5}}"""
    result = Netcl.search_replay(text)
    @test result.recorded == 3 && result.optimum == 1.5e6 && result.best == 1.5e6
    fails(() -> Netcl.search_replay("{"), Netcl.ERROR_CORRUPT_DATA)
end
