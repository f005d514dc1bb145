use netcl::{op, Device, ReduceOptions, Reduction, Result};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    let x = dev.tensor(&[1.0f32, 3.0, 10.0, 30.0], &[2, 2])?;
    let rows = || {
        let mut options = ReduceOptions::default();
        options.axes = &[-1];
        options.keepdims = true; // [2, 1]: broadcasts over x
        options
    };
    let mean = op::reduce(&x, Reduction::MEAN, rows(), Default::default())?;
    let square = netcl::expr("(v0 - v1) * (v0 - v1)", &[&x, &mean])?;
    let variance = op::reduce(&square, Reduction::MEAN, rows(), Default::default())?;
    let y = netcl::expr("(v0 - v1) / sqrt(v2)", &[&x, &mean, &variance])?.typed::<f32>()?;
    assert_eq!(y.to_vec()?, [-1.0, 1.0, -1.0, 1.0]);
    // [end]
    Ok(())
}
