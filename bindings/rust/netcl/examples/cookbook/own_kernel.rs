use netcl::{Arg, Device, Kernel, Result, Status};

pub fn run(dev: &Device) -> Result<()> {
    // [recipe]
    const SOURCE: &str = "
        __kernel void axpy(__global const float *x, __global float *y, float a) {
          size_t i = get_global_id(0);
          y[i] = a * x[i] + y[i];
        }";
    // SAFETY: there is nothing but a kernel in the source.
    let kernel = match unsafe { Kernel::from_source(dev, "axpy", SOURCE) } {
        // The built-in device has no compiler. Others compile at the first launch.
        Err(error) if error.status == Status::UNSUPPORTED => return Ok(()),
        made => made?,
    };
    let x = dev.tensor(&[1.0f32, 2.0, 3.0, 4.0], [4])?;
    let y = dev.tensor(&[1.0f32; 4], [4])?;
    let args = [Arg::read_only(&x), (&y).into(), 3.0f32.into()];
    // SAFETY: one item per element, and the arguments are what the parameters are.
    unsafe { kernel.launch(4, (), &args)? };
    assert_eq!(y.to_vec()?, [4.0, 7.0, 10.0, 13.0]);
    // [end]
    Ok(())
}
