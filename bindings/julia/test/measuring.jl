# Measuring, timers, regions and the roofline.

@testset "statistics" begin
    statistics = Netcl.statistics_compute([1, 2, 3, 4, 5], 0.95)
    @test (statistics.count, statistics.median, statistics.mean) == (5, 3, 3)
    @test statistics.deviation ≈ sqrt(2.5)
    fails(() -> Netcl.statistics_compute([1, NaN], 0.95), Netcl.ERROR_INVALID_ARGUMENT)
    refused(() -> Netcl.statistics_compute([], 0.95))
    slow = [200.0 + i % 5 for i in 1:50]
    comparison = Netcl.statistics_compare(slow ./ 2, slow, 0.95, 0.01, 1)
    @test comparison.verdict == Netcl.VERDICT_FASTER && comparison.ratio ≈ 0.5
end

@testset "measurements" begin
    queue = Netcl.device_get_queue(dev())
    x = Netcl.rand(Float32, 64, 64)
    measurement = Netcl.measurement_create(queue; candidates = 2, warmup_count = 1, count = 6)
    turns = [0, 0]
    for (candidate, iterations) in measurement
        for _ in 1:iterations
            x * x
        end
        turns[candidate + 1] += 1
    end
    @test minimum(turns) >= 6
    statistics = Netcl.measurement_get_statistics(measurement, 1)
    @test (statistics.count, statistics.stop) == (6, Netcl.STOP_COUNT)
    @test length(Netcl.measurement_get_samples(measurement, 0)) == 6
    Netcl.measurement_compare(measurement, 0, 1)
    refused(() -> Netcl.measurement_get_samples(measurement, 7))
    second = Netcl.measurement_retain(measurement)
    Netcl.measurement_release(measurement)
    @test length(Netcl.measurement_get_samples(second, 0)) == 6

    calls = 0
    statistics = Netcl.queue_time(queue; warmup_count = 1, count = 6) do q
        calls += 1
        x * x
    end
    @test statistics.count == 6 && calls >= 7
    # What the function throws comes out when the call has returned.
    throws(() -> Netcl.queue_time(q -> error("mine"), queue), ErrorException, "mine")
    fails(() -> Netcl.queue_time(q -> Netcl.Expression("v0 +"), queue),
          Netcl.ERROR_INVALID_ARGUMENT, "column")
    fails(() -> Netcl.queue_time(q -> Netcl.ERROR_BUSY, queue), Netcl.ERROR_BUSY)
    Netcl.queue_finish(queue)
end

@testset "timers" begin
    queue = Netcl.device_get_queue(dev())
    x = Netcl.rand(Float32, 128, 128)
    timer = Netcl.timer_create(queue)
    Netcl.timer_start(timer)
    fails(() -> Netcl.timer_start(timer), Netcl.ERROR_BUSY)
    x * x
    elapsed = Netcl.timer_stop(timer; timeout = 100)
    @test elapsed.commands >= 1 && elapsed.span_ns > 0 && elapsed.busy_ns <= elapsed.span_ns
    fails(() -> Netcl.timer_stop(timer), Netcl.ERROR_INVALID_ARGUMENT)
    @test Netcl.timer_retain(timer) == timer
end

@testset "regions" begin
    queue = Netcl.device_get_queue(dev())
    Netcl.profile_start()
    fails(() -> Netcl.profile_start(), Netcl.ERROR_BUSY)
    Netcl.region(queue, "outer") do outer
        Netcl.region(queue, "inner"; parent = outer) do inner
            Netcl.region_annotate(inner, 1e6, 2e6)
            Netcl.fill(1f0, 1000)
            @test Netcl.region_retain(inner) == inner
        end
    end
    throws(() -> Netcl.region(r -> error("mine"), queue, "left"), ErrorException, "mine")
    ended = Netcl.region_begin(queue, nothing, "ended")
    Netcl.region_end(ended)
    fails(() -> Netcl.region_end(ended), Netcl.ERROR_INVALID_ARGUMENT)
    Netcl.queue_finish(queue)
    text = Netcl.profile_report(:text)
    @test all(name -> occursin(name, text), ("outer", "inner", "left", "ended"))
    @test startswith(strip(Netcl.profile_report(Netcl.FORMAT_JSON)), r"[\[{]")
    Netcl.profile_reset()
    Netcl.profile_stop(; timeout = 100)
    fails(() -> Netcl.profile_stop(), Netcl.ERROR_NOT_FOUND)
end

@testset "the roofline" begin
    roofline = Netcl.roofline_create()
    names = ["sm__throughput.avg.pct_of_peak_sustained_elapsed",
             "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"]
    result = Netcl.roofline_analyze_metrics(roofline, names, [50, 95])
    @test result.bottleneck == Netcl.BOTTLENECK_MEMORY
    @test result.at_roofline && result.efficiency_pct == 95
    fails(() -> Netcl.roofline_analyze_metrics(roofline, names, [50]),
          Netcl.ERROR_INVALID_ARGUMENT, "names has 2 entries, values has 1")
    fails(() -> Netcl.roofline_analyze_metrics(roofline, names, [NaN, 1]),
          Netcl.ERROR_INVALID_ARGUMENT)
    @test Netcl.roofline_analyze_metrics(roofline, [], []).bottleneck == Netcl.BOTTLENECK_UNKNOWN
    @test Netcl.roofline_should_stop(roofline, result)
    @test !isempty(Netcl.roofline_get_reason(roofline))
    Netcl.roofline_reset_history(roofline)
    @test occursin("95", Netcl.roofline_format(result, :text))
    refused(() -> Netcl.roofline_format(result, Netcl.Format(99)))
    fails(() -> Netcl.roofline_create(; convergence_rounds = 1), Netcl.ERROR_INVALID_ARGUMENT)
    csv = "\"ID\",\"Kernel Name\",\"$(names[1])\",\"$(names[2])\"\n\"0\",\"k\",\"50\",\"95\"\n"
    @test Netcl.roofline_analyze_ncu(roofline, csv).efficiency_pct == 95
    fails(() -> Netcl.roofline_analyze_ncu(roofline, csv; kernel = "other"),
          Netcl.ERROR_NOT_FOUND)
    fails(() -> Netcl.roofline_analyze_ncu(roofline, "no report"), Netcl.ERROR_CORRUPT_DATA)
    @test Netcl.roofline_retain(roofline) == roofline
end

@testset "ceilings" begin
    ceilings = Netcl.ceilings_create()
    row(kind, dtype, value) = Netcl.Ceiling(kind, dtype, 0, value, 0, 0, 0)
    Netcl.ceilings_set(ceilings, row(Netcl.CEILING_MEMORY_READ, Netcl.Dtype(0), 1e11))
    Netcl.ceilings_set(ceilings, row(Netcl.CEILING_COMPUTE, Netcl.F32, 1e12))
    rows = Netcl.ceilings_get(ceilings)
    @test [r.kind for r in rows] == [Netcl.CEILING_MEMORY_READ, Netcl.CEILING_COMPUTE]
    @test all(r -> r.given != 0, rows) && rows[1].value == 1e11
    @test Netcl.ceilings_get_info(ceilings).rows_count == 2
    @test Netcl.ceiling_kind_name(:memory_read) == "memory_read"
    refused(() -> Netcl.ceilings_set(ceilings, row(Netcl.CEILING_COMPUTE, Netcl.F32, -1.0)))
    path = tempname()
    Netcl.ceilings_save(ceilings, path)
    @test Netcl.ceilings_get(Netcl.ceilings_load(path))[2].value == 1e12
    rm(path)
    fails(() -> Netcl.ceilings_load(path), Netcl.ERROR_IO)
    # 1e9 operations at 1e12 per second take half of 2 ms.
    roofline = Netcl.roofline_create()
    work = Netcl.Work(operations = 1e9, bytes = 1e3, dtype = :f32)
    @test Netcl.roofline_analyze_time(roofline, ceilings, 2e6, work).compute_sol_pct ≈ 50
    x = Netcl.rand(Float32, 64, 64)
    statistics = Netcl.queue_time(q -> x * x, Netcl.device_get_queue(dev()); warmup_count = 1,
                                  count = 6)
    @test Netcl.roofline_analyze_statistics(roofline, ceilings, statistics).time_ns ==
          statistics.median
    @test Netcl.ceilings_retain(ceilings) == ceilings
    # Measuring builds many kernels where there are kernels to build.
    closed = Netcl.device_retain(dev())
    close(closed)
    fails(() -> Netcl.ceilings_measure(closed), Netcl.ERROR_INVALID_HANDLE)
    if !is_opencl()
        measured = Netcl.ceilings_measure(dev(); budget_ns = 1_000_000, no_store = true)
        @test any(r -> r.kind == Netcl.CEILING_MEMORY_COPY, Netcl.ceilings_get(measured))
    end
end
