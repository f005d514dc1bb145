use netcl::{op, Device, Result, RunOptions};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    let x = dev.tensor(&[1.0f32, 2.0, 3.0, 4.0], &[4])?;
    let mut run = RunOptions::default();
    run.into = Some(&x); // the result goes where the input is
    op::expression_text("v0 * 10 + 1", &[&x], Default::default(), run)?;
    assert_eq!(x.to_vec()?, [11.0, 21.0, 31.0, 41.0]);
    // [end]
    Ok(())
}
