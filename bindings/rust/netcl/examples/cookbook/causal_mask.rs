use netcl::{AttentionOptions, Device, Result};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    let shape = [1, 1, 2, 2]; // [batch, heads, tokens, size]
    let q = dev.tensor(&[1.0f32, 0.0, 0.0, 1.0], shape)?;
    let k = dev.tensor(&[1.0f32, 0.0, 0.0, 1.0], shape)?;
    let v = dev.tensor(&[1.0f32, 2.0, 3.0, 4.0], shape)?;
    // A token sees itself and those before it; no mask is made.
    let (y, _) = q.attention_with(&k, &v, AttentionOptions::new().causal(true))?;
    let y = y.typed::<f32>()?.to_vec()?;
    assert!(y[..2] == [1.0, 2.0]); // the first sees itself alone
    assert!((y[2] - 2.33951).abs() < 1e-4 && (y[3] - 3.33951).abs() < 1e-4);
    // [end]
    Ok(())
}
