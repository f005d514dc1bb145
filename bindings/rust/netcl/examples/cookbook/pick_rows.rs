use netcl::{Device, Result};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    let table = dev.tensor(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [3, 2])?;
    let rows = dev.tensor(&[2i32, 0, -1], [3])?; // -1: the last one
    let picked = table.gather(&rows, 0)?;
    assert_eq!(picked.to_vec()?, [5.0, 6.0, 1.0, 2.0, 5.0, 6.0]);
    // [end]
    Ok(())
}
