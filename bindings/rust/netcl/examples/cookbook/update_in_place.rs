use netcl::{Device, Result, RunOptions};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    let x = dev.tensor(&[1.0f32, 2.0, 3.0, 4.0], [4])?;
    // The result goes where the input is.
    netcl::expr_with("v0 * 10 + 1", &[&x], RunOptions::new().into(&x))?;
    assert_eq!(x.to_vec()?, [11.0, 21.0, 31.0, 41.0]);
    // [end]
    Ok(())
}
