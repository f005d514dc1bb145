use netcl::{Device, Result, RotaryEmbeddingOptions};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    const SIZE: usize = 4;
    let x = dev.tensor(&[1.0f32, 0.0, 0.0, 0.0].repeat(3), [1, 1, 3, SIZE])?;
    let angle = |p: usize, i: usize| p as f64 * 10000f64.powf(-2.0 * i as f64 / SIZE as f64);
    let table = |of: fn(f64) -> f64| -> Vec<f32> {
        (0..3 * SIZE / 2).map(|k| of(angle(k / (SIZE / 2), k % (SIZE / 2))) as f32).collect()
    };
    let cosines = dev.tensor(&table(f64::cos), [3, SIZE / 2])?;
    let sines = dev.tensor(&table(f64::sin), [3, SIZE / 2])?;
    let places = dev.tensor(&[0i64, 1, 2], [1, 3])?; // of each token, here as they come
    let options = RotaryEmbeddingOptions::new().position_ids(&places);
    let turned = x.rotary_embedding_with(&cosines, &sines, options)?.typed::<f32>()?.to_vec()?;
    assert_eq!(turned[..4], [1.0, 0.0, 0.0, 0.0]); // position 0: as it is
    assert!((turned[4] - 0.5403).abs() < 1e-4 && (turned[6] - 0.84147).abs() < 1e-4);
    // [end]
    Ok(())
}
