use netcl::{Device, Result};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    let x = dev.tensor(&[-2.0f32, -1.0, 0.0, 1.0, 2.0], [5])?;
    let positive = x.gt(0.0)?; // a Tensor<bool>
    let clipped = positive.where_cond(&x, 0.0)?;
    assert_eq!(clipped.to_vec()?, [0.0, 0.0, 0.0, 1.0, 2.0]);
    assert_eq!(positive.sum(..)?.item()?, 2);
    // [end]
    Ok(())
}
