use netcl::{Device, Reduction, Result};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    let x = dev.tensor(&[-2.0f32, -1.0, 0.0, 1.0, 2.0], &[5])?;
    let clipped = netcl::expr("select(v0 > 0, v0, 0.0)", &[&x])?.typed::<f32>()?;
    assert_eq!(clipped.to_vec()?, [0.0, 0.0, 0.0, 1.0, 2.0]);

    let positive = netcl::expr("v0 > 0", &[&x])?; // bool
    let count = positive.reduce(Reduction::SUM)?.typed::<i64>()?;
    assert_eq!(count.item()?, 2);
    // [end]
    Ok(())
}
