//! What the safe layer adds to a call: the same getters through netcl-sys and through netcl, in turns.
//!
//! usage: cargo run --release --example overhead [device]

use netcl::{sys, Device, Expression, Result};
use std::time::Instant;

/// Keeps the compiler from leaving work out; std's own came with Rust 1.66.
fn black_box<T>(value: T) -> T {
    // SAFETY: the value is read once and the original is forgotten.
    unsafe {
        let copy = std::ptr::read_volatile(&value);
        std::mem::forget(value);
        copy
    }
}

const ROUNDS: usize = 51;
const CALLS: u32 = 20_000;

/// The median of the times of one call, in nanoseconds.
fn time(mut call: impl FnMut()) -> impl FnMut() -> f64 {
    move || {
        let start = Instant::now();
        for _ in 0..CALLS {
            call();
        }
        start.elapsed().as_nanos() as f64 / f64::from(CALLS)
    }
}

fn compare(name: &str, mut raw: impl FnMut() -> f64, mut safe: impl FnMut() -> f64) {
    let mut rounds: Vec<(f64, f64)> = (0..ROUNDS).map(|_| (raw(), safe())).collect();
    rounds.sort_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)));
    let added = rounds[ROUNDS / 2].1 - rounds[ROUNDS / 2].0;
    rounds.sort_by(|a, b| a.0.total_cmp(&b.0));
    println!("{name}: {:.1} ns in C, {added:+.1} ns in Rust", rounds[ROUNDS / 2].0);
}

fn main() -> Result<()> {
    let selector = std::env::args().nth(1).unwrap_or_else(|| "builtin".into());
    let dev = Device::open(&selector)?;
    let expression = Expression::new("v0 + v1")?;
    let (raw, mut arity) = (expression.as_raw(), 0);
    compare(
        "netcl_expression_get_arity",
        time(|| {
            // SAFETY: the handle is alive and the output is a u32.
            black_box(unsafe { sys::netcl_expression_get_arity(black_box(raw), &mut arity) });
            black_box(arity);
        }),
        time(|| {
            black_box(black_box(&expression).arity().unwrap());
        }),
    );
    let tensor = dev.zeros::<f32>(&[2, 3])?;
    let raw = tensor.as_raw();
    compare(
        "netcl_tensor_get_info",
        time(|| {
            let mut info = sys::netcl_tensor_info::INIT;
            // SAFETY: the handle is alive and struct_size is set.
            black_box(unsafe { sys::netcl_tensor_get_info(black_box(raw), &mut info) });
            black_box(&info);
        }),
        time(|| {
            black_box(&black_box(&tensor).info().unwrap());
        }),
    );
    let event = dev.queue()?.enqueue_marker(&[])?;
    let raw = event.as_raw();
    let mut state = 0;
    compare(
        "netcl_event_query",
        time(|| {
            // SAFETY: the handle is alive and the output is an i32.
            black_box(unsafe { sys::netcl_event_query(black_box(raw), &mut state) });
            black_box(state);
        }),
        time(|| {
            black_box(black_box(&event).query().unwrap());
        }),
    );
    Ok(())
}
