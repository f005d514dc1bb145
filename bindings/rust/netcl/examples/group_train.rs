//! A network that learns to read digits on all ranks of a group at once, compared with the same steps
//! on one device. Its losses are those of examples/group/group_train, number by number.
//!
//! usage: cargo run --release --example group_train -- [MNIST_FOLDER] [--device SELECTOR]...
//!            [--threads | --mpi] [--ranks N] [--steps N] [--dtype f32|f64] [--losses FILE]
//!
//! Each rank has the whole network and a part of each batch, of whose loss it records the gradients
//! once, as a graph that is run for each batch. They begin with the rank's share of the batch, so
//! that their sum over the ranks is the gradient of the whole batch: a reducer adds up those that are
//! there while the graph goes on. Then all ranks take the same step. What is left are other roundings:
//! the program ends with 1 when a loss is further from one device's than 2e-4 (f64: 1e-9) of the first
//! loss. MNIST_FOLDER is as for train; without it digits are drawn. --losses writes those of the group
//! as f64, one after the other. Ranks are as for the example group.

mod mnist;
mod ranks;

use mnist::{Images, PIXELS, SIDE};
use netcl::{
    op, Activation, AnyTensor, Conv2dOptions, Device, Dtype, Epilogue, ExpressionOptions,
    GradientsOptions, Graph, GraphOptions, Group, LossOptions, MatmulOptions, Pooling,
    PoolingOptions, Reducer, ReducerOptions, Reduction, RunOptions, SgdOptions, Shape, Tensor,
    Timeout, Toggle,
};
use ranks::{Outcome, Rank, Ranks};
use std::path::Path;
use std::time::Instant;

const BATCH: usize = 96;
const RATE: f64 = 0.05;
const MOMENTUM: f64 = 0.9;
/// The parameters: their shapes, and of how many numbers each result is made, 0 for zeros. Each
/// weight is followed by its bias.
const PARAMETERS: [(&[usize], f64); 6] = [
    (&[8, 1, 3, 3], 9.0),
    (&[8], 0.0),
    (&[16, 8, 3, 3], 72.0),
    (&[16], 0.0),
    (&[784, 10], 784.0),
    (&[10], 0.0),
];
const DENSE: usize = 4;

struct Settings {
    folder: Option<String>,
    steps: usize,
    dtype: Dtype,
    losses: Option<String>,
}

impl Settings {
    fn from_words(words: Vec<String>) -> Outcome<Settings> {
        let mut given = words.into_iter();
        let mut made = Settings { folder: None, steps: 60, dtype: Dtype::F32, losses: None };
        while let Some(word) = given.next() {
            let mut value = || given.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
                "--steps" => made.steps = value()?.parse()?,
                "--losses" => made.losses = Some(value()?),
                "--dtype" => {
                    made.dtype = match value()?.as_str() {
                        "f32" => Dtype::F32,
                        "f64" => Dtype::F64,
                        other => return Err(format!("--dtype is {other}; f32 or f64").into()),
                    }
                }
                _ if !word.starts_with('-') && made.folder.is_none() => made.folder = Some(word),
                _ => return Err(format!("{word} is no option").into()),
            }
        }
        match made.steps {
            1..=1_000_000 => Ok(made),
            steps => Err(format!("--steps is {steps}; it is 1 to 1000000").into()),
        }
    }

    fn images(&self) -> Outcome<Images> {
        match &self.folder {
            Some(folder) => Images::load(Path::new(folder)).map_err(|e| e.to_string().into()),
            None => Ok(Images::draw(500)),
        }
    }
}

/// A tensor of the dtype, f32 or f64, with these values.
fn tensor_of(dev: &Device, dtype: Dtype, values: &[f32], shape: &[usize]) -> Outcome<AnyTensor> {
    if dtype == Dtype::F32 {
        return Ok(dev.tensor(values, shape)?.into());
    }
    let values: Vec<f64> = values.iter().map(|&value| value.into()).collect();
    Ok(dev.tensor(&values, shape)?.into())
}

/// Uniform within He's bound, the same on all ranks. The generator is Numerical Recipes'.
fn first_values(fan_in: f64, count: usize, random: &mut u32) -> Vec<f32> {
    let bound = if fan_in > 0.0 { (6.0 / fan_in).sqrt() } else { 0.0 };
    let next = |_| {
        *random = random.wrapping_mul(1664525).wrapping_add(1013904223);
        ((f64::from(*random >> 8) / 8388608.0 - 1.0) * bound) as f32
    };
    (0..count).map(next).collect()
}

fn all(tensors: &[AnyTensor]) -> Vec<&AnyTensor> {
    tensors.iter().collect()
}

/// Two convolutions with relu and pooling, then a dense layer, and what a step needs.
struct Trainer<'a> {
    group: Option<&'a Group>,
    reducer: Option<Reducer>,
    dtype: Dtype,
    /// Which images of each batch.
    first: usize,
    count: usize,
    parameters: Vec<AnyTensor>,
    momenta: Vec<AnyTensor>,
    graph: Graph,
    bytes: Tensor<u8>,
    labels: Tensor<i32>,
    /// Gradients, and the loss times the share of the batch.
    outputs: Vec<AnyTensor>,
}

impl<'a> Trainer<'a> {
    /// Without a rank it is all alone.
    fn new(dev: &Device, rank: Option<&'a Rank>, dtype: Dtype) -> Outcome<Trainer<'a>> {
        let (index, size) = rank.map_or((0, 1), |rank| (rank.index as usize, rank.size as usize));
        let (first, end) = (BATCH * index / size, BATCH * (index + 1) / size);
        // The last layer's gradients are ready first, and fill a bucket.
        let sums = ReducerOptions::new().kind(Reduction::SUM).bucket_bytes(16384);
        let (count, side) = (end - first, SIDE);
        let (mut parameters, mut momenta, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
        let mut random = 1;
        for (shape, fan_in) in PARAMETERS {
            let values = first_values(fan_in, shape.iter().product(), &mut random);
            parameters.push(tensor_of(dev, dtype, &values, shape)?);
            momenta.push(AnyTensor::zeros(dev, dtype, shape, None)?);
            outputs.push(AnyTensor::zeros(dev, dtype, shape, None)?);
        }
        outputs.push(AnyTensor::zeros(dev, dtype, [], None)?);
        let capture = GraphOptions::new().execute(Toggle::OFF);
        let trainer = Trainer {
            group: rank.map(|rank| &rank.group),
            reducer: rank.map(|rank| Reducer::with_options(&rank.group, sums)).transpose()?,
            dtype,
            first,
            count: end - first,
            parameters,
            momenta,
            graph: Graph::with_options(dev, capture)?,
            bytes: dev.zeros((count, 1, side, side))?,
            labels: dev.zeros(count)?,
            outputs,
        };
        trainer.record(dev)?;
        Ok(trainer)
    }

    fn recorded(&self) -> RunOptions<'_> {
        RunOptions::new().graph(&self.graph)
    }

    fn text(&self, text: &str, inputs: &[&AnyTensor]) -> netcl::Result<AnyTensor> {
        op::expression_text(text, inputs, ExpressionOptions::default(), self.recorded())
    }

    /// Convolution with bias and relu, and the maximum of each 2 x 2.
    fn stage(&self, which: usize, x: &AnyTensor) -> netcl::Result<AnyTensor> {
        let epilogue =
            Epilogue::new().bias(&self.parameters[2 * which + 1]).activation(Activation::RELU);
        let options = Conv2dOptions::new().epilogue(epilogue).padding([1; 4]);
        let wide = op::conv2d(x, &self.parameters[2 * which], options, self.recorded())?;
        let options = PoolingOptions::new().window(&[2, 2]).strides(&[2, 2]);
        op::pool(&wide, Pooling::MAX, options, self.recorded())
    }

    /// The mean loss of the images, recorded.
    fn forward(&self) -> netcl::Result<AnyTensor> {
        let floats = if self.dtype == Dtype::F64 { "f64(v0) / 255.0" } else { "f32(v0) / 255.0" };
        let mut x = self.text(floats, &[&self.bytes])?;
        for which in 0..2 {
            x = self.stage(which, &x)?;
        }
        let features = x.reshape_with((Shape::INFER, 784), self.recorded())?;
        let epilogue = Epilogue::new().bias(&self.parameters[DENSE + 1]);
        let options = MatmulOptions::new().epilogue(epilogue);
        let logits = op::matmul(&features, &self.parameters[DENSE], options, self.recorded())?;
        op::cross_entropy(&logits, &self.labels, 1, LossOptions::default(), self.recorded())
    }

    /// Records a step up to the gradients, and makes it ready to run.
    fn record(&self, dev: &Device) -> Outcome<()> {
        let mean = self.forward()?;
        let share = self.count as f64 / BATCH as f64;
        let seed: AnyTensor = match self.dtype {
            Dtype::F64 => dev.full([], share)?.into(),
            _ => dev.full([], share as f32)?.into(),
        };
        let seeds = [&seed];
        let options = GradientsOptions::new().seeds(&seeds).reducer(self.reducer.as_ref());
        let parameters = all(&self.parameters);
        let mut values = self.graph.add_gradients_with(&[&mean], &parameters, options)?;
        values.push(self.text("v0 * v1", &[&mean, &seed])?);
        self.graph.compile(&[&self.bytes, &self.labels], &all(&values))?;
        Ok(())
    }

    fn take_batch(&self, images: &Images, batch: usize) -> netcl::Result<()> {
        let all = images.pixels.len() / PIXELS;
        let numbers = (0..self.count).map(|i| (batch * BATCH + self.first + i) * 7 % all);
        let image = |n: usize| &images.pixels[n * PIXELS..(n + 1) * PIXELS];
        let class = |n: usize| images.labels.as_ref().map_or((n % 10) as i32, |l| l[n].into());
        let pixels: Vec<u8> = numbers.clone().flat_map(image).copied().collect();
        self.bytes.write_from(&pixels)?;
        self.labels.write_from(&numbers.map(class).collect::<Vec<i32>>())
    }

    /// One step; gives the loss of the whole batch.
    fn step(&self, images: &Images, batch: usize) -> Outcome<f64> {
        self.take_batch(images, batch)?;
        self.graph.run(&[&self.bytes, &self.labels], &all(&self.outputs))?;
        let (loss, gradients) = self.outputs.split_last().expect("there are outputs");
        if let (Some(group), Some(reducer)) = (self.group, &self.reducer) {
            group.all_reduce(loss, loss, Reduction::SUM)?;
            reducer.wait(Timeout::FOREVER)?;
        }
        let momenta = all(&self.momenta);
        let options = SgdOptions::new().momentum_buffers(&momenta).momentum(MOMENTUM);
        let parameters = all(&self.parameters);
        op::sgd(&parameters, &all(gradients), RATE, options, RunOptions::default())?;
        Ok(match self.dtype {
            Dtype::F64 => loss.clone().typed::<f64>()?.item()?,
            _ => loss.clone().typed::<f32>()?.item()?.into(),
        })
    }
}

/// The loss of each step; without a rank all alone.
fn train(dev: &Device, rank: Option<&Rank>, settings: &Settings) -> Outcome<Vec<f64>> {
    let images = settings.images()?;
    let trainer = Trainer::new(dev, rank, settings.dtype)?;
    let begin = Instant::now();
    let step = |batch| trainer.step(&images, batch);
    let losses = (0..settings.steps).map(step).collect::<Outcome<Vec<f64>>>()?;
    if !matches!(rank, Some(rank) if rank.index > 0) {
        let size = rank.map_or(1, |rank| rank.size);
        let each = begin.elapsed().as_secs_f64() * 1e3 / losses.len() as f64;
        let (first, last) = (losses[0], losses[losses.len() - 1]);
        println!(
            "{size} rank{}: {each:.2} ms a step, loss {first:.6} to {last:.6}",
            if size == 1 { "" } else { "s" }
        );
    }
    Ok(losses)
}

fn compare(group: &[f64], alone: &[f64], dtype: Dtype) -> Outcome<()> {
    let bound = if dtype == Dtype::F64 { 1e-9 } else { 2e-4 };
    let off = |(a, b): (&f64, &f64)| (a - b).abs() / alone[0];
    let steps = alone.len();
    let worst = group.iter().zip(alone).map(off).fold(0.0, f64::max);
    println!(
        "the losses of {steps} steps differ by {worst:.2e} of the first at most; {bound:e} is allowed"
    );
    // NaN is within no bound.
    if !group.iter().zip(alone).map(off).all(|off| off <= bound) {
        return Err("the losses are not those of one device".into());
    }
    let learnt = group[steps - 1] < group[0] / 2.0;
    if steps >= 60 && !learnt {
        return Err("nothing was learnt".into());
    }
    Ok(())
}

fn work(rank: &Rank, settings: &Settings) -> Outcome<()> {
    let losses = train(&rank.device, Some(rank), settings)?;
    if rank.index != 0 {
        return Ok(());
    }
    compare(&losses, &train(&rank.device, None, settings)?, settings.dtype)?;
    if let Some(file) = &settings.losses {
        let bytes: Vec<u8> = losses.iter().flat_map(|loss| loss.to_ne_bytes()).collect();
        std::fs::write(file, bytes)?;
    }
    Ok(())
}

pub fn main() -> Outcome<()> {
    let (ranks, words) = Ranks::from_arguments()?;
    let settings = Settings::from_words(words)?;
    ranks.run(|rank| work(&rank, &settings))
}
