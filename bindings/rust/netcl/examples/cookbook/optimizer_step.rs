use netcl::{op, AdamOptions, Device, Result, RunOptions};

pub fn run(dev: &Device) -> Result<()> {
    let w = dev.tensor(&[1.0f32, -1.0], [2])?;
    let slope = dev.tensor(&[3.0f32, -4.0], [2])?;
    let (average, square) = (dev.zeros::<f32>(2)?, dev.zeros::<f32>(2)?);
    let step = dev.zeros::<i64>(1)?;
    let (weights, gradients) = ([&*w], [&*slope]);
    let (averages, square_averages) = ([&*average], [&*square]);
    // [recipe]
    op::clip_by_norm(&gradients, 1.0, RunOptions::default())?;
    let options = AdamOptions::new().weight_decay(0.01).decoupled(true);
    op::adam(
        &weights,
        &gradients,
        &averages,
        &square_averages,
        &step,
        1e-3,
        options,
        RunOptions::default(),
    )?;
    // [end]
    for (found, wanted) in slope.to_vec()?.iter().zip([0.6, -0.8]) {
        assert!((found - wanted).abs() < 1e-4);
    }
    // Decoupled, the decay takes 1e-5 of each; the first step of Adam is its rate.
    for (found, wanted) in w.to_vec()?.iter().zip([0.99899, -0.99899]) {
        assert!((found - wanted).abs() < 1e-5);
    }
    assert_eq!(step.to_vec()?, [1]);
    Ok(())
}
