use netcl::{Device, Result};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    let x = dev.tensor(&[1.0f32, 2.0, 3.0, -4.0, 5.0, 6.0], [2, 3])?;
    let y = netcl::expr("relu(v0) * 2 + 1", &[&x])?.typed::<f32>()?;
    assert_eq!(y.to_vec()?, [3.0, 5.0, 7.0, 1.0, 11.0, 13.0]);
    // [end]
    Ok(())
}
