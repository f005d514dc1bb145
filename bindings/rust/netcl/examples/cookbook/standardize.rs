use netcl::{Device, Result};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    let x = dev.tensor(&[1.0f32, 3.0, 10.0, 30.0], [2, 2])?;
    let mean = x.mean_keepdim(-1)?; // [2, 1]: broadcasts over x
    let variance = (&x - &mean)?.square()?.mean_keepdim(-1)?;
    let y = ((&x - &mean) / variance.sqrt()?)?;
    assert_eq!(y.to_vec()?, [-1.0, 1.0, -1.0, 1.0]);
    // [end]
    Ok(())
}
