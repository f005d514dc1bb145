//! A matrix product and a fused expression on the best device there is, checked against plain Rust.
//!
//! usage: cargo run --example quickstart [device]

use netcl::{expr, Device, Result};

fn main() -> Result<()> {
    let selector = std::env::args().nth(1).unwrap_or_else(|| "auto".into());
    for info in Device::list()? {
        println!("{}: {}", info.index, info.name);
    }
    let dev = Device::open(&selector)?;
    println!("using {}", dev.info()?.name);

    let a = dev.rand::<f32>(&[200, 300], 1)?;
    let b = dev.rand::<f32>(&[300, 100], 2)?;
    let bias = dev.rand::<f32>(&[100], 3)?;
    let y = a.matmul(&b)?;
    let z = expr("relu(v0 + v1) * 0.5", &[&y, &bias])?.typed::<f32>()?;
    println!("{z:.3}");

    let (a, b, bias, z) = (a.to_vec()?, b.to_vec()?, bias.to_vec()?, z.to_vec()?);
    for (row, column) in [(0, 0), (7, 99), (199, 50)] {
        let product: f64 =
            (0..300).map(|k| f64::from(a[row * 300 + k]) * f64::from(b[k * 100 + column])).sum();
        let expected = (product + f64::from(bias[column])).max(0.0) * 0.5;
        let got = f64::from(z[row * 100 + column]);
        assert!((got - expected).abs() < 1e-4 * expected, "{got} is not {expected}");
    }
    println!("as plain Rust computes it");
    Ok(())
}
