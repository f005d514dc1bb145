//! The network of examples/digits learns to read handwritten digits from random numbers on. Its
//! losses are those of examples/train, number by number.
//!
//! usage: cargo run --release --example train [DEVICE [MNIST_FOLDER]] [--epochs N] [--seed S]
//!
//! MNIST_FOLDER holds t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte, unpacked or .gz where gzip
//! is installed; the first four fifths of the images train, the others are never seen. Below 97 % of
//! those after four epochs the program ends with 1. Without the folder it learns digits that it
//! draws.

mod mnist;

use mnist::{Images, PIXELS, SIDE};
use netcl::{
    expr, op, Activation, AdamOptions, AnyTensor, BatchnormOptions, Conv2dOptions, Device,
    Epilogue, GradientsOptions, Graph, LossOptions, MatmulOptions, Pooling, PoolingOptions,
    ReduceOptions, Reduction, RunOptions, Shape, Tensor,
};
use std::error::Error;
use std::path::Path;
use std::time::Instant;

const BATCH: usize = 64;
const RATE: f64 = 0.003;
const ACCURACY_LEAST: f64 = 0.97;

/// Random bits that are the same in every language (Numerical Recipes' generator).
struct Random(u32);

impl Random {
    fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(1664525).wrapping_add(1013904223);
        self.0 >> 8
    }
}

/// The parameters: their shapes, of how many numbers each result is made, and the value of those
/// that are not random. Filters, scale and shift twice, then the dense layer and its bias.
const PARAMETERS: [(&[usize], f32, f32); 8] = [
    (&[8, 1, 3, 3], 9.0, 0.0),
    (&[8], 0.0, 1.0),
    (&[8], 0.0, 0.0),
    (&[16, 8, 3, 3], 72.0, 0.0),
    (&[16], 0.0, 1.0),
    (&[16], 0.0, 0.0),
    (&[784, 10], 784.0, 0.0),
    (&[10], 0.0, 0.0),
];
const DENSE: usize = 6;
const BIAS: usize = 7;

/// Images with a class each, of which the first `training` train.
struct Data {
    pixels: Vec<u8>,
    classes: Vec<i32>,
    training: usize,
    measured: bool,
}

impl Data {
    fn new(images: Images) -> Data {
        let count = images.pixels.len() / PIXELS;
        let class = |i: usize| images.labels.as_ref().map_or((i % 10) as i32, |l| i32::from(l[i]));
        Data {
            classes: (0..count).map(class).collect(),
            training: count / 5 * 4,
            measured: images.labels.is_some(),
            pixels: images.pixels,
        }
    }

    /// The images and classes with these numbers.
    fn put(&self, dev: &Device, numbers: &[usize]) -> netcl::Result<(Tensor<u8>, Tensor<i32>)> {
        let image = |&n: &usize| &self.pixels[n * PIXELS..(n + 1) * PIXELS];
        let pixels: Vec<u8> = numbers.iter().flat_map(image).copied().collect();
        let classes: Vec<i32> = numbers.iter().map(|&n| self.classes[n]).collect();
        let count = numbers.len();
        Ok((dev.tensor(&pixels, (count, 1, SIDE, SIDE))?, dev.tensor(&classes, count)?))
    }
}

/// Two convolutions with batch normalisation, relu and pooling, then a dense layer.
struct Model {
    dev: Device,
    parameters: Vec<AnyTensor>,
    /// Adam's averages of gradients, and of their squares.
    averages: Vec<AnyTensor>,
    squares: Vec<AnyTensor>,
    /// How many steps there were.
    steps: AnyTensor,
    /// Mean and variance of both normalisations.
    statistics: Vec<[AnyTensor; 2]>,
}

fn run_on(graph: Option<&Graph>) -> RunOptions<'_> {
    RunOptions::new().graph(graph)
}

impl Model {
    fn new(dev: &Device, random: &mut Random) -> netcl::Result<Model> {
        let (mut parameters, mut statistics) = (Vec::new(), Vec::new());
        let (mut averages, mut squares) = (Vec::new(), Vec::new());
        for (shape, fan_in, value) in PARAMETERS {
            // Uniform within He's bound, sqrt(6 / fan in).
            let bound = (6.0 / fan_in).sqrt();
            let mut next = || match fan_in > 0.0 {
                true => (random.bits() as f32 / 8388608.0 - 1.0) * bound,
                false => value,
            };
            let values: Vec<f32> = (0..shape.iter().product::<usize>()).map(|_| next()).collect();
            parameters.push(dev.tensor(&values, shape)?.into());
            averages.push(dev.zeros::<f32>(shape)?.into());
            squares.push(dev.zeros::<f32>(shape)?.into());
        }
        for channels in [8, 16] {
            let mean = dev.zeros::<f32>(&[channels])?;
            statistics.push([mean.into(), dev.full([channels], 1f32)?.into()]);
        }
        let steps = dev.zeros::<i64>(&[])?.into();
        Ok(Model { dev: dev.clone(), parameters, averages, squares, steps, statistics })
    }

    /// Convolution, batch normalisation with relu, and the maximum of each 2 x 2.
    fn stage(
        &self,
        which: usize,
        x: &AnyTensor,
        training: bool,
        graph: Option<&Graph>,
    ) -> netcl::Result<AnyTensor> {
        let [filters, scale, shift] = [0, 1, 2].map(|i| &self.parameters[3 * which + i]);
        let [mean, variance] = &self.statistics[which];
        let options = Conv2dOptions::new().padding([1; 4]);
        let wide = op::conv2d(x, filters, options, run_on(graph))?;
        let options = BatchnormOptions::new()
            .scale(scale)
            .bias(shift)
            .activation(Activation::RELU)
            .training(training);
        let normal = op::batchnorm(&wide, mean, variance, options, run_on(graph))?;
        let options = PoolingOptions::new().window(&[2, 2]).strides(&[2, 2]);
        op::pool(&normal, Pooling::MAX, options, run_on(graph))
    }

    /// The logits [count, 10] of bytes [count, 1, 28, 28]; recorded with a graph.
    fn forward(
        &self,
        bytes: &Tensor<u8>,
        training: bool,
        graph: Option<&Graph>,
    ) -> netcl::Result<AnyTensor> {
        let mut x = expr("f32(v0) / 255.0", &[bytes])?;
        for which in 0..2 {
            x = self.stage(which, &x, training, graph)?;
        }
        let features = x.reshape_with((Shape::INFER, 784), run_on(graph))?;
        let epilogue = Epilogue::new().bias(&self.parameters[BIAS]);
        let options = MatmulOptions::new().epilogue(epilogue);
        op::matmul(&features, &self.parameters[DENSE], options, run_on(graph))
    }

    /// One step of Adam with the averages 0.9 and 0.999, which are its defaults.
    fn adam(&mut self, gradients: &[AnyTensor], rate: f64) -> netcl::Result<()> {
        let [parameters, gradients, averages, squares] =
            [&self.parameters[..], gradients, &self.averages, &self.squares]
                .map(|list| list.iter().collect::<Vec<_>>());
        let options = AdamOptions::default();
        let run = RunOptions::default();
        op::adam(&parameters, &gradients, &averages, &squares, &self.steps, rate, options, run)
    }

    /// Trains with some images. The loss is not waited for.
    fn step(
        &mut self,
        data: &Data,
        numbers: &[usize],
        rate: f64,
        graph: &Graph,
    ) -> netcl::Result<AnyTensor> {
        let (bytes, classes) = data.put(&self.dev, numbers)?;
        let logits = self.forward(&bytes, true, Some(graph))?;
        let loss =
            op::cross_entropy(&logits, &classes, 1, LossOptions::default(), run_on(Some(graph)))?;
        let parameters: Vec<&AnyTensor> = self.parameters.iter().collect();
        let options = GradientsOptions::new().consume(true);
        let gradients = graph.add_gradients_with(&[&loss], &parameters, options)?;
        self.adam(&gradients, rate)?;
        Ok(loss)
    }

    /// The share of right answers among the images that were held out.
    fn accuracy(&self, data: &Data) -> netcl::Result<f64> {
        let held: Vec<usize> = (data.training..data.classes.len()).collect();
        let mut right = 0;
        for numbers in held.chunks(BATCH) {
            let (bytes, _) = data.put(&self.dev, numbers)?;
            let logits = self.forward(&bytes, false, None)?;
            let options = ReduceOptions::new().axes(&[1]);
            let best = op::reduce(&logits, Reduction::ARGMAX, options, RunOptions::default())?;
            let answers = best.typed::<i64>()?.to_vec()?;
            let same = |(&n, &answer): &(&usize, &i64)| i64::from(data.classes[n]) == answer;
            right += numbers.iter().zip(&answers).filter(same).count();
        }
        Ok(right as f64 / held.len() as f64)
    }
}

fn train(model: &mut Model, data: &Data, random: &mut Random, epochs: usize) -> netcl::Result<f64> {
    let graph = Graph::new(&model.dev)?;
    let batches = data.training / BATCH;
    let mut numbers: Vec<usize> = (0..data.training).collect();
    let (mut share, mut last) = (0.0, 0f32);
    for epoch in 0..epochs {
        let begin = Instant::now();
        for i in (1..numbers.len()).rev() {
            numbers.swap(i, random.bits() as usize % (i + 1));
        }
        let mut losses = Vec::new();
        for (i, part) in numbers.chunks_exact(BATCH).enumerate() {
            // The rate falls to 0 as a straight line.
            let done = (epoch * batches + i) as f64 / (epochs * batches) as f64;
            losses.push(model.step(data, part, RATE * (1.0 - done), &graph)?);
        }
        let mut mean = 0.0;
        for loss in losses {
            last = loss.typed::<f32>()?.to_vec()?[0];
            mean += f64::from(last) / batches as f64;
        }
        let each = begin.elapsed().as_secs_f64() * 1e3 / batches as f64;
        share = model.accuracy(data)?;
        println!(
            "epoch {:2}: loss {mean:.6}, {:.2} % of the held-out images, {each:.1} ms a step",
            epoch + 1,
            100.0 * share
        );
    }
    // Nine digits tell one f32 from every other.
    let decimals = (8.0 - f64::from(last).log10().floor()).max(0.0) as usize;
    println!("last loss {last:.decimals$}");
    Ok(share)
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut epochs, mut seed, mut words) = (4, 1, Vec::new());
    let mut given = std::env::args().skip(1);
    while let Some(word) = given.next() {
        match word.as_str() {
            "--epochs" => epochs = given.next().ok_or("--epochs needs a number")?.parse()?,
            "--seed" => seed = given.next().ok_or("--seed needs a number")?.parse()?,
            _ => words.push(word),
        }
    }
    let dev = Device::open(words.first().map_or("auto", |word| word))?;
    let data = Data::new(match words.get(1) {
        Some(folder) => Images::load(Path::new(folder))?,
        None => Images::draw(500),
    });
    let held = data.classes.len() - data.training;
    println!("{}: {} images train, {held} are held out", dev.info()?.name, data.training);
    let mut random = Random(seed);
    let mut model = Model::new(&dev, &mut random)?;
    let share = train(&mut model, &data, &mut random, epochs)?;
    if data.measured && epochs >= 4 && share < ACCURACY_LEAST {
        return Err("below 97 % of the held-out images".into());
    }
    Ok(())
}
