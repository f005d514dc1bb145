use netcl::{Device, Result};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    let x = dev.tensor(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])?;
    let row = dev.tensor(&[10.0f32, 20.0, 30.0], [3])?;
    let sum = (&x + &row)?;
    assert_eq!(sum.to_vec()?, [11.0, 22.0, 33.0, 14.0, 25.0, 36.0]);
    // [end]
    Ok(())
}
