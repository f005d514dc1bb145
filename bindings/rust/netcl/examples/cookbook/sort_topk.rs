use netcl::{Device, Result};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    let x = dev.tensor(&[3.0f32, 1.0, 4.0, 1.0, 5.0], [5])?;
    let (best, places) = x.topk(2, 0)?; // the two largest
    assert_eq!(best.to_vec()?, [5.0, 4.0]);
    assert_eq!(places.to_vec()?, [4, 2]);
    let (falling, _) = x.topk(5, 0)?; // all of them: sorted
    assert_eq!(falling.to_vec()?, [5.0, 4.0, 3.0, 1.0, 1.0]);
    // [end]
    Ok(())
}
