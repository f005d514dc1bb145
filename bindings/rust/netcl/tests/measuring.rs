//! Measuring, timers, regions and the roofline.

// Options may get more members.
#![allow(clippy::needless_update)]

mod common;
use common::{device, fails, is_opencl, refused};
use netcl::{
    profile, statistics, Bottleneck, Format, KernelOptions, Measurement, MeasurementOptions,
    NcuOptions, ProfileOptions, Region, Roofline, RooflineOptions, Status, StopReason, Timeout,
    Timer, Verdict,
};
use std::sync::Mutex;

// There is one profile in a process.
static ALONE: Mutex<()> = Mutex::new(());

fn few() -> MeasurementOptions<'static> {
    MeasurementOptions::new().warmup_count(1).count(6)
}

#[test]
fn statistics_are_those_of_the_samples() {
    let statistics = statistics::compute(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.95).unwrap();
    assert_eq!((statistics.count, statistics.median, statistics.mean), (5, 3.0, 3.0));
    assert!((statistics.deviation - 2.5f64.sqrt()).abs() < 1e-12);
    fails(statistics::compute(&[1.0, f64::NAN], 0.95), Status::INVALID_ARGUMENT, "");
    refused(statistics::compute(&[], 0.95));
    let slow: Vec<f64> = (0..50).map(|i| 200.0 + f64::from(i % 5)).collect();
    let fast: Vec<f64> = slow.iter().map(|v| v / 2.0).collect();
    let comparison = statistics::compare(&fast, &slow, 0.95, 0.01, 1).unwrap();
    assert_eq!(comparison.verdict, Verdict::FASTER);
    assert!((comparison.ratio - 0.5).abs() < 1e-12);
}

#[test]
fn candidates_take_turns() {
    let dev = device();
    let queue = dev.queue().unwrap();
    let x = dev.rand::<f32>(&[64, 64], 1).unwrap();
    let options = few().candidates(2);
    let measurement = Measurement::with_options(&queue, options).unwrap();
    let mut turns = [0, 0];
    measurement
        .run(|candidate| {
            turns[candidate as usize] += 1;
            x.matmul(&x).map(drop)
        })
        .unwrap();
    assert!(turns[0] >= 6 && turns[1] >= 6);
    let statistics = measurement.statistics(1).unwrap();
    assert_eq!((statistics.count, statistics.stop), (6, StopReason::COUNT));
    assert_eq!(measurement.samples(0).unwrap().len(), 6);
    measurement.compare(0, 1).unwrap();
    refused(measurement.samples(7));
    // SAFETY: both references stay on this thread.
    let second = unsafe { measurement.try_clone().unwrap() };
    drop(measurement);
    assert_eq!(second.samples(0).unwrap().len(), 6);
    // It may change threads.
    std::thread::spawn(move || drop(second)).join().unwrap();
    drop(Measurement::new(&queue).unwrap());
}

#[test]
fn a_function_is_timed_and_its_failures_come_out() {
    let dev = device();
    let queue = dev.queue().unwrap();
    let x = dev.rand::<f32>(&[32, 32], 1).unwrap();
    let mut calls = 0;
    let mut work = |_: &netcl::Queue| {
        calls += 1;
        x.matmul(&x).map(drop)
    };
    let statistics = queue.time_with(&mut work, few()).unwrap();
    assert!(statistics.count == 6 && calls >= 7);
    let mut failing = |_: &netcl::Queue| netcl::expr("v0 +", &[&x]).map(drop);
    let error = refused(queue.time(&mut failing));
    assert_eq!(error, refused(netcl::expr("v0 +", &[&x])));
    let thrown = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        queue.time_with(|_| std::panic::resume_unwind(Box::new(17)), few())
    }));
    assert_eq!(*thrown.unwrap_err().downcast::<i32>().unwrap(), 17);
    queue.finish(Timeout::FOREVER).unwrap();
}

#[test]
fn a_launch_is_timed() {
    let dev = device();
    if !is_opencl(&dev) {
        return;
    }
    let source = "__kernel void one(__global int *x) { x[get_global_id(0)] += 1; }";
    let options = KernelOptions::new().source(source);
    let kernel = common::kernel(&dev, "one", options).unwrap();
    let x = dev.zeros::<i32>(&[256]).unwrap();
    let args = [(&x).into()];
    // SAFETY: 256 items for 256 elements.
    unsafe {
        let launch = Default::default();
        let run = Default::default();
        let statistics = kernel.time_with(256, (), &args, launch, run, few()).unwrap();
        assert_eq!(statistics.count, 6);
        refused(kernel.time((), (), &args));
    }
    assert!(x.to_vec().unwrap()[0] >= 7);
}

#[test]
fn a_timer_sees_what_is_enqueued() {
    let dev = device();
    let queue = dev.queue().unwrap();
    let x = dev.rand::<f32>(&[128, 128], 1).unwrap();
    let timer = Timer::new(&queue).unwrap();
    timer.start().unwrap();
    fails(timer.start(), Status::BUSY, "");
    x.matmul(&x).unwrap();
    let elapsed = timer.stop(Timeout::FOREVER).unwrap();
    assert!(elapsed.commands >= 1 && elapsed.span_ns > 0 && elapsed.busy_ns <= elapsed.span_ns);
    fails(timer.stop(Timeout::FOREVER), Status::INVALID_ARGUMENT, "");
    // SAFETY: both references stay on this thread.
    drop(unsafe { timer.try_clone().unwrap() });
}

#[test]
fn regions_are_reported() {
    let _alone = ALONE.lock().unwrap_or_else(|e| e.into_inner());
    let dev = device();
    let queue = dev.queue().unwrap();
    profile::start().unwrap();
    fails(profile::start_with(ProfileOptions::default()), Status::BUSY, "");
    {
        let outer = Region::begin(&queue, None, "outer").unwrap();
        let inner = Region::begin(&queue, Some(&outer), "inner").unwrap();
        inner.annotate(1e6, 2e6).unwrap();
        dev.full([1000], 1.0f32).unwrap();
        inner.end().unwrap();
        fails(inner.end(), Status::INVALID_ARGUMENT, "");
        // SAFETY: both references stay on this thread.
        drop(unsafe { inner.try_clone().unwrap() });
    }
    Region::push(&queue, "pushed").unwrap();
    Region::pop().unwrap();
    fails(Region::pop(), Status::NOT_FOUND, "");
    queue.finish(Timeout::FOREVER).unwrap();
    let text = profile::report(Format::TEXT).unwrap();
    assert!(["outer", "inner", "pushed"].iter().all(|name| text.contains(name)), "{text}");
    profile::reset().unwrap();
    profile::stop(Timeout::FOREVER).unwrap();
    fails(profile::stop(Timeout::FOREVER), Status::NOT_FOUND, "");
}

#[test]
fn the_roofline_explains_metrics() {
    let roofline = Roofline::new().unwrap();
    let names = [
        "sm__throughput.avg.pct_of_peak_sustained_elapsed",
        "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
    ];
    let result = roofline.analyze_metrics(&names, &[50.0, 95.0]).unwrap();
    assert_eq!(result.bottleneck, Bottleneck::MEMORY);
    assert!(result.at_roofline && result.efficiency_pct == 95.0);
    let wrong = roofline.analyze_metrics(&names, &[50.0]);
    fails(wrong, Status::INVALID_ARGUMENT, "names has 2 entries; values has 1");
    fails(roofline.analyze_metrics(&names, &[f64::NAN, 1.0]), Status::INVALID_ARGUMENT, "");
    assert_eq!(roofline.analyze_metrics(&[], &[]).unwrap().bottleneck, Bottleneck::UNKNOWN);
    assert!(roofline.should_stop(&result).unwrap());
    assert!(roofline.reason().unwrap().starts_with("At roofline"));
    roofline.reset_history().unwrap();
    assert_eq!(roofline.reason().unwrap(), "");
    assert!(Roofline::format(&result, Format::TEXT).unwrap().contains("95"));
    refused(Roofline::format(&result, Format(99)));

    let options = RooflineOptions::new().convergence_rounds(1);
    fails(Roofline::with_options(options), Status::INVALID_ARGUMENT, "");
    let csv = format!(
        "\"ID\",\"Kernel Name\",\"{}\",\"{}\"\n\"0\",\"k\",\"50\",\"95\"\n",
        names[0], names[1]
    );
    let result = roofline.analyze_ncu(&csv).unwrap();
    assert_eq!(result.efficiency_pct, 95.0);
    let options = NcuOptions::new().kernel("other");
    fails(roofline.analyze_ncu_with(&csv, options), Status::NOT_FOUND, "");
    fails(roofline.analyze_ncu("no report"), Status::CORRUPT_DATA, "");
    // SAFETY: both references stay on this thread.
    drop(unsafe { roofline.try_clone().unwrap() });
}
