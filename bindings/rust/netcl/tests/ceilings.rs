//! Measured ceilings, and times against them.

// Options may get more members.
#![allow(clippy::needless_update)]

mod common;
use common::{device, fails, is_opencl};
use netcl::{
    program_cache, Bottleneck, Ceiling, CeilingKind, Ceilings, CeilingsOptions, Dtype,
    KernelOptions, Roofline, Status, Work,
};

fn row(kind: CeilingKind, dtype: Dtype, value: f64) -> Ceiling {
    Ceiling { kind, dtype, value, ..Default::default() }
}

#[test]
fn a_device_is_measured_within_its_budget() {
    let dev = device();
    let options = CeilingsOptions::new().budget_ns(1).no_store(true);
    let ceilings = Ceilings::measure_with(&dev, options).unwrap();
    let info = ceilings.info().unwrap();
    let rows = ceilings.get().unwrap();
    assert_eq!(rows.len(), info.rows_count as usize);
    assert!(rows.iter().all(|row| row.value > 0.0 && row.given == 0));
    assert!(rows.iter().any(|row| row.kind == CeilingKind::MEMORY_COPY));
    // What the process has measured is there at once.
    let again = Ceilings::measure(&dev).unwrap();
    assert_eq!(again.info().unwrap().time_ns, info.time_ns);
    drop(again.try_clone().unwrap());
    assert_eq!(CeilingKind::MEMORY_COPY.name(), "memory_copy");
}

#[test]
fn a_time_is_held_against_given_ceilings() {
    let ceilings = Ceilings::new().unwrap();
    ceilings.set(&row(CeilingKind::MEMORY_READ, Dtype(0), 1e9)).unwrap();
    ceilings.set(&row(CeilingKind::COMPUTE, Dtype::F32, 4e9)).unwrap();
    fails(
        ceilings.set(&row(CeilingKind::COMPUTE, Dtype::F32, -1.0)),
        Status::INVALID_ARGUMENT,
        "row->value is -1",
    );
    let roofline = Roofline::new().unwrap();
    let work = Work::new().bytes(5e5).operations(1e6);
    let result = roofline.analyze_time(&ceilings, 1e6, work).unwrap();
    assert_eq!((result.memory_sol_pct, result.compute_sol_pct), (50.0, 25.0));
    assert_eq!(result.bottleneck, Bottleneck::UNDERUTILIZED);
    assert_eq!(result.ceiling.to_string(), "memory_read");

    let path = std::env::temp_dir().join(format!("netcl-ceilings-{}", std::process::id()));
    let path = path.to_str().unwrap();
    ceilings.save(path).unwrap();
    let loaded = Ceilings::load(path).unwrap();
    std::fs::remove_file(path).unwrap();
    assert_eq!(loaded.get().unwrap().len(), 2);
    fails(Ceilings::load(path), Status::IO, "");
}

#[test]
fn a_timed_op_reports_its_share() {
    let dev = device();
    let queue = dev.queue().unwrap();
    let ceilings = Ceilings::new().unwrap();
    ceilings.set(&row(CeilingKind::MEMORY_COPY, Dtype(0), 1e15)).unwrap();
    let x = dev.rand::<f32>(&[1 << 16], 1).unwrap();
    let mut work = |_: &netcl::Queue| netcl::expr("v0 + 1", &[&x]).map(drop);
    let statistics = queue.time(&mut work).unwrap();
    let roofline = Roofline::new().unwrap();
    let result = roofline.analyze_statistics(&ceilings, &statistics).unwrap();
    assert!((result.roof_ns - 8.0 * 65536.0 / 1e6).abs() < 1e-9);
}

#[test]
fn the_program_cache_can_be_looked_at() {
    fails(program_cache::entry(u32::MAX), Status::NOT_FOUND, "");
    let dev = device();
    let source = "__kernel void looked_at(__global int *x) { x[0] = 1; }";
    let options = KernelOptions::new().source(source);
    if !is_opencl(&dev) || program_cache::info().unwrap().directory.is_empty() {
        return;
    }
    common::kernel(&dev, "looked_at", options).unwrap().build().unwrap();
    let entry = (0..)
        .map(|index| program_cache::entry(index).expect("an entry with the kernel"))
        .find(|entry| entry.kernels.as_str() == "looked_at")
        .unwrap();
    assert!(entry.sound && entry.problem.is_empty() && entry.bytes > 0);
    assert_eq!(entry.device.as_str(), dev.info().unwrap().name.as_str());
}
