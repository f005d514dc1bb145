use netcl::{Device, Result};

pub fn run(dev: &Device) -> Result<()> {
    let number = |value: f32| dev.tensor(&[value], ());
    let (x, y, cos, sin) = (number(1.0)?, number(0.0)?, number(0.6)?, number(0.8)?);
    // [recipe]
    let [x, y] = netcl::exprs(["v0 * v2 - v1 * v3", "v0 * v3 + v1 * v2"], &[&x, &y, &cos, &sin])?;
    // [end]
    assert_eq!(x.typed::<f32>()?.item()?, 0.6);
    assert_eq!(y.typed::<f32>()?.item()?, 0.8);
    Ok(())
}
