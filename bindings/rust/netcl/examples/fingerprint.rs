//! A little real work whose every byte is the same each time on a device, and in each language:
//! examples/fingerprint.c is the same program. It makes a picture, blurs and sharpens it, multiplies
//! it with itself, and prints hashes and a few numbers.
//!
//! usage: cargo run --example fingerprint [DEVICE]

use netcl::*;

const HEIGHT: usize = 64;
const WIDTH: usize = 96;

/// FNV-1a over the elements in C order, little-endian.
fn print_hash(name: &str, tensor: &AnyTensor) -> Result<()> {
    let mut data = vec![0u8; tensor.info()?.byte_count as usize];
    tensor.read(&mut data, Timeout::FOREVER)?;
    let hash = data.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    println!("{name:<9} {hash:016x}");
    Ok(())
}

fn main() -> Result<()> {
    let selector = std::env::args().nth(1).unwrap_or_else(|| "auto".into());
    let dev = Device::open(&selector)?;
    println!("device    {}", dev.info()?.name);

    let pixel = |i: usize| {
        let (y, x) = (i / WIDTH, i % WIDTH);
        (x * x + 3 * y * y + 7 * x * y) as u8
    };
    let pixels: Vec<u8> = (0..HEIGHT * WIDTH).map(pixel).collect();
    let bytes = dev.tensor(&pixels, (1, 1, HEIGHT, WIDTH))?;
    let picture = expr("f32(v0) / 255.0", &[&bytes])?;
    print_hash("picture", &picture)?;

    let weights = dev.tensor(&[1f32, 2.0, 1.0, 2.0, 4.0, 2.0, 1.0, 2.0, 1.0], [1, 1, 3, 3])?;
    let options = Conv2dOptions::new().padding([1; 4]);
    let sum = op::conv2d(&picture, &weights, options, Default::default())?;
    let blurred = expr("v0 / 16.0", &[&sum])?;
    print_hash("blurred", &blurred)?;
    let sharp = expr("clamp(v0 + 1.5 * (v0 - v1), 0.0, 1.0)", &[&picture, &blurred])?;
    print_hash("sharp", &sharp)?;
    print_hash("bytes", &expr("u8(round(v0 * 255.0))", &[&sharp])?)?;

    // How alike rows are: the softmax of the products of all rows with all rows.
    let rows = sharp.reshape((HEIGHT, WIDTH))?;
    let products = rows.matmul(&rows.t()?)?;
    print_hash("products", &products)?;
    let alike = products.softmax(1)?;
    print_hash("alike", &alike)?;
    let options = ReduceOptions::new().axes(&[0]);
    let means = op::reduce(&alike, Reduction::MEAN, options, Default::default())?;
    print_hash("means", &means)?;
    let values = means.typed::<f32>()?.to_vec()?;
    for row in (0..HEIGHT).step_by(16) {
        println!("row {row:2}    {:.9}", values[row]);
    }
    Ok(())
}
