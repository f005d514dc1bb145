//! Kernels from their source.

use crate::{Device, Kernel, KernelOptions, Result};

impl Kernel {
    /// The kernel function `name` of a source in OpenCL C, with the defaults of all other options.
    /// Nothing is compiled yet: mistakes in the source are errors of [`Kernel::build`] or of the first
    /// launch, and [`Kernel::build_log`] has all of what the compiler said.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// use netcl::{Device, Kernel, Status};
    /// let dev = Device::open("auto")?;
    /// let source = "kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }";
    /// // SAFETY: there is nothing but a kernel in the source.
    /// let kernel = match unsafe { Kernel::from_source(&dev, "twice", source) } {
    ///     Err(error) if error.status == Status::UNSUPPORTED => return Ok(()), // built-in device
    ///     other => other?,
    /// };
    /// let x = dev.tensor(&[1.0f32, 2.0, 3.0], &[3])?;
    /// // SAFETY: there are as many work-items as elements.
    /// unsafe { kernel.launch(3, (), &[(&x).into()])? };
    /// assert_eq!(x.to_vec()?, [2.0, 4.0, 6.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Safety
    /// As for [`Kernel::with_options`]: nothing in the source but its kernels runs.
    pub unsafe fn from_source(device: &Device, name: &str, source: &str) -> Result<Kernel> {
        let options = KernelOptions::new().source(source);
        Kernel::with_options(device, name, options)
    }
}
