use netcl::{Device, Result};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    let w = dev.tensor(&[3.0f32, 5.0], [2])?; // what is learned
    let x = dev.tensor(&[1.0f32, 1.0], [2])?;
    // All that the closure computes is recorded.
    let (_loss, dw) = netcl::gradients(&w, |_| (&w - &x)?.square()?.sum(..))?;
    // 2 (w - x)
    assert_eq!(dw.to_vec()?, [4.0, 8.0]);
    // [end]
    Ok(())
}
