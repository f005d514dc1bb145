//! The crates half and bytemuck, with their features. Nothing else needs them.

#![cfg(all(feature = "half", feature = "bytemuck"))]

mod common;
use common::{device, is_opencl, kernel};
use netcl::bytemuck::{self, Pod, Zeroable};
use netcl::half::{bf16, f16};
use netcl::{Arg, Bf16, Float, KernelOptions, Result, Tensor, F16};

fn doubled<T: Float>(x: &Tensor<T>) -> Result<Vec<T>> {
    (x + x)?.to_vec()
}

#[test]
fn the_numbers_of_half_are_elements() -> Result<()> {
    let dev = device();
    let x = dev.tensor(&[1.5, -2.0].map(f16::from_f32), 2)?;
    assert_eq!(doubled(&x)?, [3.0, -4.0].map(f16::from_f32));
    let half = f16::from_f32(0.5);
    assert_eq!((half * &x)?.to_vec()?, (&x * half)?.to_vec()?);
    assert_eq!(x.matmul(&x)?.item()?, f16::from_f32(6.25));
    assert_eq!(x.sum(..)?.item()?.to_f32(), -0.5);
    let own: Tensor<F16> = x.clone().into();
    assert_eq!(own.as_raw(), x.as_raw());
    assert_eq!(own.to_vec()?[0].to_f32(), 1.5);
    assert_eq!(Tensor::<f16>::from(own).to_vec()?, x.to_vec()?);
    let y = dev.full(3, bf16::from_f32(2.5))?;
    assert_eq!(doubled(&y)?, [bf16::from_f32(5.0); 3]);
    assert_eq!(y.to::<f32>()?.to_vec()?, [2.5; 3]);
    let bits: &[u16] = bytemuck::cast_slice(&[F16(7), F16(9)]);
    assert_eq!((bits, bytemuck::cast::<u16, Bf16>(3).0), (&[7u16, 9][..], 3));
    Ok(())
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Line {
    slope: f32,
    start: f32,
}
// SAFETY: two floats without padding.
unsafe impl Zeroable for Line {}
// SAFETY: as above.
unsafe impl Pod for Line {}

#[test]
fn plain_structs_are_arguments() -> Result<()> {
    let dev = device();
    if !is_opencl(&dev) {
        return Ok(());
    }
    let source = "typedef struct { float slope, start; } line;
        kernel void fill(global float *x, line l) {
          size_t i = get_global_id(0);
          x[i] = l.start + l.slope * i;
        }";
    let kernel = kernel(&dev, "fill", KernelOptions::new().source(source))?;
    let x = dev.zeros::<f32>(3)?;
    let line = Line { slope: 2.0, start: -1.0 };
    // SAFETY: there are as many work-items as elements, and the struct is that of the kernel.
    unsafe { kernel.launch(3, (), &[(&x).into(), Arg::pod(&line)])? };
    assert_eq!(x.to_vec()?, [-1.0, 1.0, 3.0]);
    Ok(())
}
