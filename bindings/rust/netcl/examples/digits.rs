//! A small convolutional network reads handwritten digits, with each convolution variant; the
//! digits read must be the same every time. It has the weights of examples/digits, where train.py
//! shows how they were made.
//!
//! usage: cargo run --release --example digits [DEVICE [MNIST_FOLDER]] [--weights FOLDER]
//!
//! With MNIST_FOLDER (t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte, unpacked or .gz where gzip
//! is installed) the accuracy is measured, on the images that training never saw too; below 97 % of
//! those the program ends with 1. Without it the program draws digits of its own.

mod mnist;

use mnist::{Images, PIXELS, SIDE};
use netcl::{
    Activation, AnyTensor, Conv2dBatchnorm, Conv2dOptions, Device, Epilogue, MatmulOptions, Shape,
    Tensor, Variant,
};
use std::error::Error;
use std::path::Path;
use std::time::Instant;

const BATCH: usize = 1000;
/// Training never saw every fifth image.
const HELD_OUT_EVERY: usize = 5;
const VARIANTS: [(&str, Variant, u32); 7] = [
    ("chosen", Variant::AUTO, 0),
    ("naive", Variant::CONV2D_NAIVE, 0),
    ("im2col", Variant::CONV2D_IM2COL, 0),
    ("implicit_gemm", Variant::CONV2D_IMPLICIT_GEMM, 0),
    ("tiled_local", Variant::CONV2D_TILED_LOCAL, 0),
    ("winograd F(2,3)", Variant::CONV2D_WINOGRAD, 2),
    ("winograd F(4,3)", Variant::CONV2D_WINOGRAD, 4),
];
struct Stage {
    filters: Tensor<f32>,
    /// Scale, bias, mean and variance.
    norm: [Tensor<f32>; 4],
}

impl Stage {
    /// Convolution, batch normalisation and relu in one call, then the largest of each 2 x 2.
    fn apply(&self, x: &Tensor<f32>, variant: Variant, tile: u32) -> netcl::Result<Tensor<f32>> {
        let [scale, bias, mean, variance] = &self.norm;
        let batchnorm =
            Conv2dBatchnorm::new().scale(scale).bias(bias).mean(mean).variance(variance);
        let epilogue = Epilogue::new().activation(Activation::RELU);
        let options = Conv2dOptions::new()
            .epilogue(epilogue)
            .batchnorm(batchnorm)
            .padding([1; 4])
            .variant(variant)
            .winograd_tile(tile);
        x.conv2d_with(&self.filters, options)?.max_pool2d([2, 2])
    }
}

struct Network {
    stages: [Stage; 2],
    dense: Tensor<f32>,
    bias: Tensor<f32>,
}

impl Network {
    fn load(dev: &Device, folder: &Path) -> Result<Network, Box<dyn Error>> {
        let weight = |name: &str| {
            let path = folder.join(name).with_extension("npy");
            AnyTensor::load_npy(dev, path)?.typed::<f32>()
        };
        let stage = |k: u32| {
            let norm = |name: &str| weight(&format!("norm{k}_{name}"));
            let norm = [norm("scale")?, norm("bias")?, norm("mean")?, norm("variance")?];
            Ok::<_, Box<dyn Error>>(Stage { filters: weight(&format!("conv{k}_w"))?, norm })
        };
        let stages = [stage(1)?, stage(2)?];
        Ok(Network { stages, dense: weight("dense_w")?, bias: weight("dense_b")? })
    }

    /// The digit with the highest probability, for each image.
    fn read(
        &self,
        dev: &Device,
        pixels: &[u8],
        variant: Variant,
        tile: u32,
    ) -> netcl::Result<Vec<i64>> {
        let mut digits = Vec::new();
        for part in pixels.chunks(BATCH * PIXELS) {
            let count = part.len() / PIXELS;
            let bytes = dev.tensor(part, (count, 1, SIDE, SIDE))?;
            let mut x = (bytes.to::<f32>()? / 255.0)?;
            for stage in &self.stages {
                x = stage.apply(&x, variant, tile)?;
            }
            let features = x.reshape((count, Shape::INFER))?;
            let with_bias = MatmulOptions::new().epilogue(Epilogue::new().bias(&self.bias));
            let logits = features.matmul_with(&self.dense, with_bias)?;
            digits.extend(logits.softmax(1)?.argmax(1)?.to_vec()?);
        }
        Ok(digits)
    }
}

fn share(digits: &[i64], labels: &[u8], every: usize) -> f64 {
    let mut pairs = digits.iter().zip(labels).skip(every - 1).step_by(every);
    let count = pairs.len();
    let right = pairs.by_ref().filter(|(digit, label)| **digit == i64::from(**label)).count();
    right as f64 / count as f64
}

fn main() -> Result<(), Box<dyn Error>> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/digits/weights");
    let (mut weights, mut words) = (default.to_string(), Vec::new());
    let mut given = std::env::args().skip(1);
    while let Some(word) = given.next() {
        match word.as_str() {
            "--weights" => weights = given.next().ok_or("--weights needs a folder")?,
            _ => words.push(word),
        }
    }
    let dev = Device::open(words.first().map_or("auto", |word| word))?;
    println!("{}", dev.info()?.name);
    let network = Network::load(&dev, Path::new(&weights))?;
    let images = match words.get(1) {
        Some(folder) => Images::load(Path::new(folder))?,
        None => Images::draw(500),
    };
    let count = images.pixels.len() / PIXELS;
    let mut digits = network.read(&dev, &images.pixels, VARIANTS[0].1, 0)?;
    for (name, variant, tile) in VARIANTS {
        // The first batch builds the kernels.
        network.read(&dev, &images.pixels[..count.min(BATCH) * PIXELS], variant, tile)?;
        let start = Instant::now();
        let same = network.read(&dev, &images.pixels, variant, tile)?;
        let rate = count as f64 / start.elapsed().as_secs_f64();
        if let Some(i) = (0..count).find(|&i| same[i] != digits[i]) {
            return Err(format!("{name}: image {i} is {}, and was {}", same[i], digits[i]).into());
        }
        digits = same;
        println!("  {name:16} {rate:8.0} images/s   the same digits");
    }
    let shown: Vec<String> = digits.iter().take(20).map(|digit| digit.to_string()).collect();
    println!("read as: {}", shown.join(" "));
    let labels = match images.labels {
        Some(labels) => labels,
        None => {
            println!(
                "{count} drawn digits; accuracy was not measured, as no MNIST folder was given"
            );
            return Ok(());
        }
    };
    let held = share(&digits, &labels, HELD_OUT_EVERY);
    println!(
        "all {count} images: {:.2} %; held out of training: {:.2} %",
        100.0 * share(&digits, &labels, 1),
        100.0 * held
    );
    if held < 0.97 {
        return Err("below 97 % of the held-out images".into());
    }
    Ok(())
}
