use netcl::{Device, Result};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    let scores = dev.tensor(&[0.0f32, 0.0, 0.0, 1.0], [2, 2])?;
    let odds = scores.softmax(-1)?.to_vec()?; // along the last axis
    assert!(odds[0] == 0.5 && (odds[3] - 0.73106).abs() < 1e-4);
    // [end]
    Ok(())
}
