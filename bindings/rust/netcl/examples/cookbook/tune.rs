use netcl::{Device, Dtype, Result, SearchOptions, Status, Tuner, TunerOptions};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    let search = SearchOptions::new().budget_ns(200_000_000); // 0.2 s; by default a minute
    let tuner = Tuner::with_options(dev, TunerOptions::new().search(search))?;
    tuner.add_matmul(1, 64, 64, 64, Dtype::F32)?; // Tuner::add: a kernel
    tuner.run()?;
    let (result, _) = tuner.result(0)?;
    // Kept on disk: later programs take the winner.
    let (best, before) = (result.median * 1e-3, result.default_median * 1e-3);
    println!("{}: {best:.1} us, by default {before:.1} us", result.name);
    // [end]
    assert_eq!(result.status, Status::OK);
    Ok(())
}
