//! The isolated benchmark.

// Options may get more members.
#![allow(clippy::needless_update)]

mod common;
use common::{device, fails, is_opencl};
use netcl::{
    op, Access, Benchmark, BenchmarkCandidate, BenchmarkOptions, BenchmarkResult, BenchmarkTensor,
    Device, Dtype, FillKind, KernelOptions, Measurement, MeasurementOptions, Outcome, RunOptions,
    Status, Toggle,
};

const RIGHT: &str = "if (i < n) out[i] = factor * x[i] + 1.0f;";
const WRONG: &str = "if (i < n) out[i] = factor * x[i] + (i == 5 ? 2 : 1);";
const FAULTY: &str = "out[i] = nonsense;";

fn source_of(body: &str) -> String {
    "__kernel void k(__global const float *x, __global float *out, float factor, int n) {\n\
     int i = get_global_id(0);\n"
        .to_string()
        + body
        + "\n}\n"
}

fn few() -> MeasurementOptions<'static> {
    MeasurementOptions::new().warmup_count(1).count(5)
}

fn tensor(access: Access, fill: FillKind) -> BenchmarkTensor<'static> {
    let shape = [1000, 0, 0, 0, 0, 0, 0, 0];
    BenchmarkTensor::new().shape(shape).rank(1).dtype(Dtype::F32).access(access).fill(fill)
}

// No lock, as tests run side by side, and a busy machine takes its time.
fn options() -> BenchmarkOptions<'static> {
    let lock = Toggle::OFF;
    BenchmarkOptions::new().lock(lock).run_timeout_ns(100_000_000_000)
}

fn benchmark_of(dev: &Device) -> Benchmark {
    let options = options().seed(11);
    let benchmark = Benchmark::with_options(dev, options).unwrap();
    benchmark.add_tensor(tensor(Access::IN, FillKind::UNIFORM)).unwrap();
    benchmark.add_tensor(tensor(Access::OUT, FillKind::ZEROS)).unwrap();
    benchmark.add_scalar(&3.0f32.to_ne_bytes()).unwrap();
    benchmark.add_scalar(&1000i32.to_ne_bytes()).unwrap();
    benchmark
}

fn run(benchmark: &Benchmark, name: &str, body: &str) -> BenchmarkResult {
    let source = source_of(body);
    let candidate =
        BenchmarkCandidate::new().name(name).source(&source).kernel("k").global([1024, 0, 0]);
    benchmark.run_with(candidate, few()).unwrap()
}

#[test]
fn the_builtin_device_runs_no_candidates() {
    let dev = device();
    if !is_opencl(&dev) {
        fails(Benchmark::new(&dev), Status::UNSUPPORTED, "");
    }
}

#[test]
fn candidates_are_held_against_a_baseline() {
    let dev = device();
    if !is_opencl(&dev) {
        return;
    }
    let benchmark = benchmark_of(&dev);
    let (x, out) = (benchmark.tensor(0).unwrap(), benchmark.tensor(1).unwrap());
    fails(benchmark.tensor(2), Status::INVALID_ARGUMENT, "");
    let mut calls = 0;
    let mut work = |queue: &netcl::Queue| {
        calls += 1;
        let run = RunOptions::new().queue(queue).into(&out);
        op::expression_text("v0 * 3 + 1", &[&x], Default::default(), run).map(drop)
    };
    let baseline = benchmark.time_baseline_with(&mut work, few()).unwrap();
    assert!(baseline.count == 5 && calls >= 8);
    let wrong = benchmark.time_baseline(|_| netcl::expr("v0 +", &[&x]).map(drop));
    assert_eq!(wrong.unwrap_err(), netcl::expr("v0 +", &[&x]).unwrap_err());

    let right = run(&benchmark, "right", RIGHT);
    assert_eq!(right.outcome, Outcome::CORRECT, "{}", right.message.as_str());
    assert!(right.count == 5 && right.min <= right.median && right.median <= right.max);
    assert!(right.min > 0.0 && right.speedup > 0.0 && right.global[0] == 1024);
    let wrong = run(&benchmark, "wrong", WRONG);
    assert_eq!((wrong.outcome, wrong.count), (Outcome::CORRECTNESS, 0));
    assert!(wrong.message.contains("argument 1 (out): element 5"), "{}", wrong.message.as_str());
    assert_eq!(run(&benchmark, "faulty", FAULTY).outcome, Outcome::COMPILE);
    assert!(benchmark.build_log().unwrap().contains("nonsense"));
    let json = benchmark.json().unwrap();
    for part in ["\"baseline\"", "\"name\": \"right\"", "\"time_ms\": null", "\"speedup\""] {
        assert!(json.contains(part), "{part} is not in {json}");
    }
    // The record is in use, and a candidate needs a kernel.
    fails(benchmark.add_local(64), Status::INVALID_ARGUMENT, "");
    fails(benchmark.run(BenchmarkCandidate::default()), Status::INVALID_ARGUMENT, "");
    // SAFETY: both references stay on this thread.
    drop(unsafe { benchmark.try_clone().unwrap() });
}

#[test]
fn a_kernel_or_a_loop_can_be_the_baseline() {
    let dev = device();
    if !is_opencl(&dev) {
        return;
    }
    let benchmark = benchmark_of(&dev);
    let source = source_of(RIGHT);
    let options = KernelOptions::new().source(&source);
    let kernel = common::kernel(&dev, "k", options).unwrap();
    // SAFETY: the kernel checks its index against the size in the record.
    let timed = unsafe {
        fails(benchmark.time_kernel(&kernel, (), ()), Status::INVALID_ARGUMENT, "global");
        benchmark.time_kernel_with(&kernel, [1024], (), few()).unwrap()
    };
    assert_eq!(timed.count, 5);
    assert_eq!(run(&benchmark, "right", RIGHT).outcome, Outcome::CORRECT);

    let benchmark = benchmark_of(&dev);
    let x = benchmark.tensor(0).unwrap().typed::<f32>().unwrap();
    let out = benchmark.tensor(1).unwrap();
    let work = || {
        let run = RunOptions::new().into(&out);
        op::expression_text("v0 * 3 + 1", &[&x], Default::default(), run).map(drop)
    };
    // The contents of a round are its own and come again.
    let first = x.to_vec().unwrap();
    fails(benchmark.prepare(2), Status::INVALID_ARGUMENT, "round is 2");
    fails(benchmark.keep(2), Status::INVALID_ARGUMENT, "round is 2");
    benchmark.prepare(1).unwrap();
    assert_ne!(x.to_vec().unwrap(), first);
    work().unwrap();
    benchmark.keep(1).unwrap();
    benchmark.prepare(0).unwrap();
    assert_eq!(x.to_vec().unwrap(), first);
    work().unwrap();
    benchmark.keep(0).unwrap();
    let queue = dev.queue().unwrap();
    let measurement = Measurement::with_options(&queue, few()).unwrap();
    measurement.run(|_| work()).unwrap();
    benchmark.set_baseline(&measurement.statistics(0).unwrap()).unwrap();
    let right = run(&benchmark, "right", RIGHT);
    assert!(right.outcome == Outcome::CORRECT && right.speedup > 0.0);
    assert_eq!(run(&benchmark, "wrong", WRONG).outcome, Outcome::CORRECTNESS);
}

#[test]
fn local_memory_is_part_of_the_record() {
    let dev = device();
    if !is_opencl(&dev) {
        return;
    }
    let options = options().rounds(1);
    let benchmark = Benchmark::with_options(&dev, options).unwrap();
    benchmark.add_tensor(tensor(Access::INOUT, FillKind::SEQUENCE)).unwrap();
    benchmark.add_local(4 * 8).unwrap();
    fails(benchmark.add_local(0), Status::INVALID_ARGUMENT, "");
    let source = "__kernel void k(__global float *x, __local float *room) {\n\
                  room[get_local_id(0)] = x[get_global_id(0)];\n\
                  x[get_global_id(0)] = room[get_local_id(0)] + 1;\n}";
    let candidate =
        BenchmarkCandidate::new().source(source).kernel("k").global([1000, 0, 0]).local([8, 0, 0]);
    let result = benchmark.run_with(candidate, few()).unwrap();
    assert_eq!(result.outcome, Outcome::CORRECT, "{}", result.message.as_str());
    assert_eq!(result.local, [8, 0, 0]);
}
