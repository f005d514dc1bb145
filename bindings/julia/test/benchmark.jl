# The isolated benchmark.

candidate_source(body) = """
__kernel void k(__global const float *x, __global float *out, float factor, int n) {
  int i = get_global_id(0);
  $body
}"""
const RIGHT = candidate_source("if (i < n) out[i] = factor * x[i] + 1.0f;")
const WRONG = candidate_source("if (i < n) out[i] = factor * x[i] + (i == 5 ? 2 : 1);")
const FAULTY = candidate_source("out[i] = nonsense;")

# No lock, as other tests may run beside these, and a busy machine takes its time.
const OPTIONS = (lock = :off, run_timeout_ns = 100 * 10^9)

function make_benchmark()
    benchmark = Netcl.benchmark_create(dev(); seed = 11, OPTIONS...)
    record(access, fill) = Netcl.BenchmarkTensor(shape = (1000,), rank = 1, dtype = :f32,
                                                 access = access, fill = fill)
    Netcl.benchmark_add_tensor(benchmark, record(:in, :uniform))
    Netcl.benchmark_add_tensor(benchmark, record(:out, :zeros))
    Netcl.benchmark_add_scalar(benchmark, Float32[3])
    Netcl.benchmark_add_scalar(benchmark, Int32[1000])
    return benchmark
end

function run_candidate(benchmark, name, source)
    candidate = Netcl.BenchmarkCandidate(name = name, source = source, kernel = "k",
                                         global_ = (1024,))
    return Netcl.benchmark_run(benchmark, candidate; warmup_count = 1, count = 5)
end

is_opencl() || @testset "no benchmarks" begin
    fails(() -> Netcl.benchmark_create(dev()), Netcl.ERROR_UNSUPPORTED)
end

is_opencl() && @testset "a function as the baseline" begin
    benchmark = make_benchmark()
    x, out = Netcl.benchmark_get_tensor(benchmark, 0), Netcl.benchmark_get_tensor(benchmark, 1)
    fails(() -> Netcl.benchmark_get_tensor(benchmark, 2), Netcl.ERROR_INVALID_ARGUMENT)
    calls = 0
    baseline = Netcl.benchmark_time_baseline(benchmark; warmup_count = 1, count = 5) do queue
        calls += 1
        Netcl.op_expression_text("v0 * 3 + 1", (x,); queue = queue, into = out)
    end
    @test baseline.count == 5 && calls >= 8
    throws(() -> Netcl.benchmark_time_baseline(q -> error("mine"), benchmark), ErrorException,
           "mine")

    right = run_candidate(benchmark, "right", RIGHT)
    @test (right.outcome, right.message, right.count) == (Netcl.OUTCOME_CORRECT, "", 5)
    @test 0 < right.min <= right.median <= right.max && right.speedup > 0
    @test right.global_[1] == 1024
    wrong = run_candidate(benchmark, "wrong", WRONG)
    @test (wrong.outcome, wrong.count) == (Netcl.OUTCOME_CORRECTNESS, 0)
    @test occursin("argument 1 (out): element 5", wrong.message)
    @test run_candidate(benchmark, "faulty", FAULTY).outcome == Netcl.OUTCOME_COMPILE
    @test occursin("nonsense", Netcl.benchmark_get_build_log(benchmark))
    json = Netcl.benchmark_get_json(benchmark)
    @test all(part -> occursin(part, json), ("\"baseline\"", "\"name\": \"right\"",
                                             "\"time_ms\": null", "\"speedup\""))
    # The record is in use, and a candidate needs a kernel.
    fails(() -> Netcl.benchmark_add_local(benchmark, 64), Netcl.ERROR_INVALID_ARGUMENT)
    fails(() -> Netcl.benchmark_run(benchmark, Netcl.BenchmarkCandidate()),
          Netcl.ERROR_INVALID_ARGUMENT)
    @test Netcl.benchmark_retain(benchmark) == benchmark
end

is_opencl() && @testset "a kernel or a loop as the baseline" begin
    benchmark = make_benchmark()
    kernel = Netcl.Kernel(RIGHT, "k")
    fails(() -> Netcl.benchmark_time_kernel(benchmark, kernel, (), ()),
          Netcl.ERROR_INVALID_ARGUMENT, "global")
    timed = Netcl.benchmark_time_kernel(benchmark, kernel, 1024, (); warmup_count = 1, count = 5)
    @test timed.count == 5
    @test run_candidate(benchmark, "right", RIGHT).outcome == Netcl.OUTCOME_CORRECT
    Netcl.benchmark_release(benchmark)

    benchmark = make_benchmark()
    x, out = Netcl.benchmark_get_tensor(benchmark, 0), Netcl.benchmark_get_tensor(benchmark, 1)
    work() = Netcl.op_expression_text("v0 * 3 + 1", (x,); into = out)
    contents() = Array(NetclArray(x))
    # The contents of a round are its own and come again.
    first_ones = contents()
    fails(() -> Netcl.benchmark_prepare(benchmark, 2), Netcl.ERROR_INVALID_ARGUMENT, "round is 2")
    fails(() -> Netcl.benchmark_keep(benchmark, 2), Netcl.ERROR_INVALID_ARGUMENT, "round is 2")
    Netcl.benchmark_prepare(benchmark, 1)
    @test contents() != first_ones
    work()
    Netcl.benchmark_keep(benchmark, 1)
    Netcl.benchmark_prepare(benchmark, 0)
    @test contents() == first_ones
    work()
    Netcl.benchmark_keep(benchmark, 0)
    queue = Netcl.device_get_queue(dev())
    measurement = Netcl.measurement_create(queue; warmup_count = 1, count = 5)
    for (_, iterations) in measurement, _ in 1:iterations
        work()
    end
    Netcl.benchmark_set_baseline(benchmark, Netcl.measurement_get_statistics(measurement, 0))
    right = run_candidate(benchmark, "right", RIGHT)
    @test right.outcome == Netcl.OUTCOME_CORRECT && right.speedup > 0
    @test run_candidate(benchmark, "wrong", WRONG).outcome == Netcl.OUTCOME_CORRECTNESS
end

is_opencl() && @testset "local memory in the record" begin
    benchmark = Netcl.benchmark_create(dev(); rounds = 1, OPTIONS...)
    Netcl.benchmark_add_tensor(benchmark, Netcl.BenchmarkTensor(
        shape = (1000,), rank = 1, dtype = :f32, access = :inout, fill = :sequence))
    Netcl.benchmark_add_local(benchmark, 4 * 8)
    fails(() -> Netcl.benchmark_add_local(benchmark, 0), Netcl.ERROR_INVALID_ARGUMENT)
    source = """
    __kernel void k(__global float *x, __local float *room) {
      room[get_local_id(0)] = x[get_global_id(0)];
      x[get_global_id(0)] = room[get_local_id(0)] + 1;
    }"""
    candidate = Netcl.BenchmarkCandidate(source = source, kernel = "k", global_ = (1000,),
                                         local_ = (8,))
    result = Netcl.benchmark_run(benchmark, candidate; warmup_count = 1, count = 5)
    @test (result.outcome, result.message) == (Netcl.OUTCOME_CORRECT, "")
    @test result.local_ == (8, 0, 0)
end
