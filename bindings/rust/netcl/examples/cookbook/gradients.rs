use netcl::{Device, Result};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    let w = dev.tensor(&[3.0f32, 5.0], [2])?; // what is learned
    let x = dev.tensor(&[1.0f32, 1.0], [2])?;
    let (_loss, dw) = netcl::gradients(&w, |recording| {
        let run = || recording.run(); // what has this is recorded
        let error = netcl::expr_with("v0 - v1", &[&w, &x], run())?.typed::<f32>()?;
        error.square_with(run())?.sum_with(.., run())
    })?;
    // 2 (w - x)
    assert_eq!(dw.to_vec()?, [4.0, 8.0]);
    // [end]
    Ok(())
}
