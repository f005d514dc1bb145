use netcl::{Device, Range, Result, RunOptions};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    let x = dev.tensor(&[0.0f32; 8], [2, 4])?;
    let rows = Range { start: 0, extent: 2, step: 1 };
    let columns = Range { start: 1, extent: 2, step: 2 }; // columns 1 and 3
    let every_other = x.slice(&[rows, columns])?;
    // A view writes into what it looks at.
    netcl::expr_with("v0 + 7", &[&every_other], RunOptions::new().into(&every_other))?;
    assert_eq!(x.to_vec()?, [0.0, 7.0, 0.0, 7.0, 0.0, 7.0, 0.0, 7.0]);
    // [end]
    Ok(())
}
