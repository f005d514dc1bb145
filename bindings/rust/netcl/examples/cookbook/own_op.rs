use netcl::{op, Device, PrimitiveOptions, Result, RunOptions};

pub fn run(dev: &Device) -> Result<()> {
    let a = dev.tensor(&[1.0f32, 2.0], [2])?;
    let b = dev.tensor(&[3.0f32, 4.0], [2])?;
    // [recipe]
    let backward = ["MUL(grad, v1)", "MUL(grad, v0)"];
    let options = PrimitiveOptions::new().arity(2).forward("MUL(v0, v1)").backward(&backward);
    netcl::primitive::register_with("my_op", options)?;
    let y = op::primitive("my_op", &[&a, &b], Default::default(), RunOptions::default())?;
    // [end]
    assert_eq!(y.typed::<f32>()?.to_vec()?, [3.0, 8.0]);
    netcl::primitive::unregister("my_op")
}
