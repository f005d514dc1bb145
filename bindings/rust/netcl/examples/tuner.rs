//! Tuning: a matrix product as a kernel of one's own, with local sizes and TILE_SIZE to choose
//! from, and the library's own op. What is found is stored, and used from then on.
//!
//! usage: cargo run --release --example tuner [device]
//!
//! The built-in device takes no kernels; there only the op is tuned.

use netcl::{
    Arg, Device, Dtype, Kernel, KernelOptions, KernelTuning, Match, Reduction, Result,
    SearchEventKind, SearchOptions, Status, Tuner, TunerOptions,
};

const N: usize = 128;
const SIZE: i64 = N as i64;
const GLOBAL: [usize; 2] = [N; 2];
/// The sums are taken in one order whatever TILE_SIZE is, so all candidates agree.
const SOURCE: &str = "
#ifndef TILE_SIZE
#define TILE_SIZE 1
#endif
__kernel void product(__global const float *a, __global const float *b, __global float *c, int n) {
  const int column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; k += TILE_SIZE) {
    for (int i = 0; i < TILE_SIZE; ++i) sum += a[row * n + k + i] * b[(k + i) * n + column];
  }
  c[row * n + column] = sum;
}";

fn tune(tuner: &Tuner) -> Result<()> {
    tuner.run_watched(|event| match event.kind {
        SearchEventKind::STARTED => println!("entry {}", event.entry),
        SearchEventKind::BEST => println!(
            "  {:3.0} %: candidate {} takes {:.1} us",
            100.0 * event.fraction,
            event.candidate,
            event.best_ns / 1e3
        ),
        SearchEventKind::STOPPED => println!("  {} candidates tried", event.evaluations),
        _ => {}
    })?;
    for found in tuner.results() {
        let (result, config) = found?;
        assert_eq!(result.status, Status::OK, "{}: {}", result.name, result.message);
        let config = config.expect("an entry without an error has a winner");
        println!(
            "{}: {}, {:.2} times as fast as the default",
            result.name,
            config.json()?,
            result.default_median / result.median
        );
    }
    Ok(())
}

fn main() -> Result<()> {
    let selector = std::env::args().nth(1).unwrap_or_else(|| "auto".into());
    let dev = Device::open(&selector)?;
    println!("{}", dev.info()?.name);
    let (a, b) = (dev.rand::<f32>((N, N), 1)?, dev.rand::<f32>((N, N), 2)?);
    let c = dev.zeros::<f32>((N, N))?;
    let args = [Arg::read_only(&a), Arg::read_only(&b), (&c).into(), (N as i32).into()];
    let options = KernelOptions::new().source(SOURCE);
    // SAFETY: there is nothing but a kernel in the source.
    let kernel = match unsafe { Kernel::with_options(&dev, "product", options) } {
        Err(error) if error.status == Status::UNSUPPORTED => None,
        other => Some(other?),
    };
    // A few configurations and samples, so that this takes seconds.
    let search = SearchOptions::new().evaluations(8).samples(5);
    // PoCL compiles for a local size at its first launch, which takes long on a busy machine.
    let options = TunerOptions::new().search(search).warmup_count(1).run_limit_ns(60_000_000_000);
    let tuner = Tuner::with_options(&dev, options)?;
    tuner.add_matmul(1, SIZE, SIZE, SIZE, Dtype::F32)?;
    let choices = KernelTuning::new().local_sizes(&[64, 1, 16, 4, 8, 8]).tile_sizes(&[8, 16]);
    if let Some(kernel) = &kernel {
        // SAFETY: one item per element of the result, and N is a multiple of the tile sizes.
        unsafe { tuner.add(kernel, GLOBAL, &args, choices)? };
    }
    tune(&tuner)?;

    // From now on, in this process and in later ones, ops and launches use what was found.
    let again = Tuner::with_options(&dev, options)?;
    again.add_matmul(1, SIZE, SIZE, SIZE, Dtype::F32)?;
    again.run()?;
    assert!(!again.result(0)?.0.measured, "it is stored, so nothing is measured");
    let expected = a.matmul(&b)?;
    if let Some(kernel) = &kernel {
        let (found, config) = tuner.lookup("product", GLOBAL)?;
        assert_eq!(found, Match::EXACT);
        // SAFETY: as above. Without a local size the launch takes the stored one, and the macros.
        unsafe { kernel.launch(GLOBAL, (), &args)? };
        let error = netcl::expr("abs(v0 - v1)", &[&c, &expected])?;
        let largest = error.reduce(Reduction::MAX)?.typed::<f32>()?.item()?;
        assert!(largest < 1e-3, "the tuned kernel is off by {largest}");
        println!("a launch takes {}", config.expect("an exact match has one").json()?);
    }
    println!("a second tuner measured nothing: all of it is stored");
    Ok(())
}
