//! OpenCL C of one's own on tensors, timed by the device's events.
//!
//! usage: cargo run --release --example custom_kernel [device]
//!
//! The built-in device takes no kernels; there the program says so.

use netcl::{Arg, Device, Event, Kernel, KernelOptions, Result, RunOptions, Status, Timeout};

const COUNT: usize = 1 << 20;
const SOURCE: &str = "
__kernel void axpy(__global const float *x, __global float *y, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}";

fn main() -> Result<()> {
    let selector = std::env::args().nth(1).unwrap_or_else(|| "auto".into());
    let dev = Device::open(&selector)?;
    let options = KernelOptions::new().source(SOURCE);
    // SAFETY: there is nothing but a kernel in the source.
    let kernel = match unsafe { Kernel::with_options(&dev, "axpy", options) } {
        Err(error) if error.status == Status::UNSUPPORTED => {
            println!("not on this device: {error}");
            return Ok(());
        }
        other => other?,
    };
    let x = dev.full(COUNT, 2.0f32)?;
    let y = dev.full(COUNT, 1.0f32)?;
    let queue = dev.queue()?;
    // Times are recorded for what is enqueued from here on.
    queue.set_profiling(true)?;
    let args = [Arg::read_only(&x), (&y).into(), 3.0f32.into()];
    let mut times = Vec::new();
    for _ in 0..10 {
        let mut event: Option<Event> = None;
        let run = RunOptions::new().event(&mut event);
        // SAFETY: one item per element, and the arguments are what the parameters are.
        unsafe { kernel.launch_with(COUNT, (), &args, Default::default(), run)? };
        let event = event.expect("a launch gives an event when it is asked for one");
        event.wait(Timeout::FOREVER)?;
        let timing = event.timing()?;
        times.push(timing.ended_ns - timing.started_ns);
    }
    let result = y.to_vec()?;
    assert!(result.iter().all(|&v| v == 61.0), "1 + 10 * 3 * 2 is 61, not {}", result[0]);
    times.sort_unstable();
    let median = times[times.len() / 2].max(1);
    let bytes = 3 * std::mem::size_of::<f32>() * COUNT;
    println!("{}: {median} ns, {:.1} GB/s", dev.info()?.name, bytes as f64 / median as f64);
    Ok(())
}
