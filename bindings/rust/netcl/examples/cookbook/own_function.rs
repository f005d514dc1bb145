use netcl::{op, Device, PrimitiveOptions, Result, RunOptions};

pub fn run(dev: &Device) -> Result<()> {
    let x = dev.tensor(&[1.0f32, 2.0], [2])?;
    // [recipe]
    let clipped = |call: &netcl::PrimitiveCall<'_>| match call.grad() {
        None => op::copy(&call.inputs()[0], call.run()),
        Some(grad) => {
            op::expression_text("clamp(v0, -1, 1)", &[grad], Default::default(), call.run())
        }
    };
    let options = PrimitiveOptions::new().arity(1).gives_gradients(true);
    netcl::primitive::register_function_with("clipped", clipped, options)?;
    // [end]
    let (_loss, dx) = netcl::gradients(&x, |recording| {
        let y = op::primitive("clipped", &[&x], Default::default(), recording.run())?;
        (y.typed::<f32>()? * 5.0)?.sum(..)
    })?;
    assert_eq!(dx.to_vec()?, [1.0, 1.0]);
    assert_eq!(
        op::primitive("clipped", &[&x], Default::default(), RunOptions::default())?
            .typed::<f32>()?
            .to_vec()?,
        [1.0, 2.0]
    );
    netcl::primitive::unregister("clipped")
}
