//! Files of ONNX look at pictures.
//!
//! usage: cargo run --release --example model [DEVICE]
//!        cargo run --release --example model DEVICE classify MODEL LABELS PICTURE...
//!        cargo run --release --example model DEVICE line READER KEYS PICTURE...
//!        cargo run --release --example model DEVICE read DETECTOR TURNER READER KEYS PICTURE...
//!
//! `classify` says what is in pictures, with a network that learned ImageNet and a line of LABELS
//! for each of its classes; `line` reads pictures of one line of text, with the model of PP-OCR that
//! recognises and its keys; `read` finds the lines of pages, at any angle, with the one that
//! detects, and turns those round that TURNER takes for upside down (`-` for none). Pictures are
//! PNG. Without a command the program does all of it with the small models of examples/model/sample,
//! and fails when a picture is taken for something else than its name says, or a text for another.

mod boxes;
mod png;

use netcl::{expr, AnyTensor, Device, Dtype, Model, Range, Shape};
use png::Picture;
use std::error::Error;
use std::path::Path;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// What is wanted of a picture: it is resized to height x width, and of that the rows and columns
/// from (top, left) on are taken.
struct View {
    size: [usize; 2],
    first: [usize; 2],
    count: [usize; 2],
}

impl View {
    /// 224 x 224 from the middle of the picture, whose shorter side is made 256.
    fn middle(picture: &Picture) -> View {
        let shorter = picture.height.min(picture.width);
        let size = [picture.height, picture.width].map(|side| side * 256 / shorter);
        View { size, first: size.map(|side| (side - 224) / 2), count: [224; 2] }
    }
}

/// How samples of red, green and blue become elements.
struct Look {
    mean: [f32; 3],
    deviation: [f32; 3],
    blue_first: bool,
}

/// What networks that learned ImageNet take, and those of PP-OCR.
const IMAGE_NET: Look =
    Look { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225], blue_first: false };
const OCR: Look = Look { mean: [0.5; 3], deviation: [0.5; 3], blue_first: true };

/// [count, from]: row i has the weights by which the samples of an axis make sample first + i of
/// `to`: linear between neighbours, and over more of them where the axis shrinks.
fn resize_matrix(
    dev: &Device,
    from: usize,
    to: usize,
    first: usize,
    count: usize,
) -> netcl::Result<AnyTensor> {
    let scale = from as f64 / to as f64;
    let row = |i: usize| {
        let center = ((first + i) as f64 + 0.5) * scale - 0.5;
        let near = (0..from).map(|k| (1.0 - (k as f64 - center).abs() / scale.max(1.0)).max(0.0));
        let near: Vec<f64> = near.collect();
        let sum: f64 = near.iter().sum();
        near.into_iter().map(move |weight| (weight / sum) as f32)
    };
    let weights: Vec<f32> = (0..count).flat_map(row).collect();
    Ok(dev.tensor(&weights, (count, from))?.into())
}

/// The input of a model, f32 [1, 3, rows, columns], made on the device: the picture is resized by
/// two matrix products, and each sample becomes (sample / 255 - mean) / deviation.
fn prepare(dev: &Device, picture: &Picture, view: &View, look: &Look) -> netcl::Result<AnyTensor> {
    let shape = [picture.height, picture.width, picture.channels];
    let mut planes = dev.tensor(&picture.samples, shape)?.any().permute(&[2, 0, 1])?;
    if look.blue_first && picture.channels == 3 {
        let all = |extent| Range { start: 0, extent: extent as i64, step: 1 };
        planes = planes.slice(&[
            Range { start: 2, extent: 3, step: -1 },
            all(shape[0]),
            all(shape[1]),
        ])?;
    }
    let matrix = |axis: usize| {
        let from = shape[axis];
        resize_matrix(dev, from, view.size[axis], view.first[axis], view.count[axis])
    };
    let rows = matrix(0)?.matmul(&planes.cast(Dtype::F32)?)?;
    let small = rows.matmul(&matrix(1)?.permute(&[1, 0])?)?;
    let mean = dev.tensor(&look.mean, [3, 1, 1])?;
    let deviation = dev.tensor(&look.deviation, [3, 1, 1])?;
    let made = expr("(v0 / 255.0f - v1) / v2", &[&small, &mean, &deviation])?;
    made.reshape((1, 3, view.count[0], view.count[1]))
}

/// Runs a model of one input and one output; gives the output's elements and its shape.
fn evaluate(model: &Model, input: &AnyTensor) -> netcl::Result<(Vec<f32>, Shape)> {
    let output = model.evaluate(&[input])?.remove(0).typed::<f32>()?;
    Ok((output.to_vec()?, output.shape()))
}

fn lines(path: &Path) -> Outcome<Vec<String>> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(text.lines().map(str::to_string).collect())
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Scores as shares of 1 by softmax, where they are not that already.
fn shares(scores: &[f32]) -> Vec<f64> {
    let made: Vec<f64> = scores.iter().map(|&score| f64::from(score)).collect();
    let most = made.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if made.iter().all(|&x| x >= 0.0) && (made.iter().sum::<f64>() - 1.0).abs() < 1e-2 {
        return made;
    }
    let powers: Vec<f64> = made.iter().map(|x| (x - most).exp()).collect();
    let sum: f64 = powers.iter().sum();
    powers.iter().map(|power| power / sum).collect()
}

/// Prints the best classes of a picture; gives the best.
fn classify(
    dev: &Device,
    model: &Model,
    labels: &[String],
    path: &Path,
    top: usize,
) -> Outcome<String> {
    let picture = png::load(path)?;
    let input = prepare(dev, &picture, &View::middle(&picture), &IMAGE_NET)?;
    let odds = shares(&evaluate(model, &input)?.0);
    if odds.len() != labels.len() {
        let (classes, labels) = (odds.len(), labels.len());
        return Err(
            format!("the model has {classes} classes, and there are {labels} labels").into()
        );
    }
    let mut order: Vec<usize> = (0..odds.len()).collect();
    order.sort_by(|&a, &b| odds[b].total_cmp(&odds[a]));
    println!("{}", name_of(path));
    for &class in order.iter().take(top) {
        println!("  {:6.2} %  {}", 100.0 * odds[class], labels[class]);
    }
    Ok(labels[order[0]].clone())
}

/// CTC: of each column the best class, of equal ones in a row the first, and no blanks, which are
/// class 0. Classes 1 on are the keys, the last is a space.
fn decode(odds: &[f32], keys: &[String]) -> (String, f64) {
    let (mut text, mut sum, mut letters, mut before) = (String::new(), 0.0, 0, 0);
    for column in odds.chunks(keys.len() + 2) {
        let best = (0..column.len()).rev().max_by(|&a, &b| column[a].total_cmp(&column[b]));
        let best = best.unwrap_or(0);
        if best != 0 && best != before {
            text += keys.get(best - 1).map_or(" ", |key| key);
            sum += f64::from(column[best]);
            letters += 1;
        }
        before = best;
    }
    (text, sum / f64::from(letters.max(1)))
}

/// How many columns a line may have.
const LINE_MOST: usize = 8192;

/// A line as a model takes it: 48 rows, at least so many columns, and zeros up to a multiple, so
/// that lines of nearly one length are one form of the model. One with more columns than `most` is
/// made narrower, but for LINE_MOST.
fn prepare_line(
    dev: &Device,
    line: &Picture,
    [least, most, multiple]: [usize; 3],
) -> Outcome<AnyTensor> {
    let width = (48 * line.width + line.height - 1) / line.height;
    let width = if most < LINE_MOST { width.min(most) } else { width };
    if width > LINE_MOST {
        return Err("a picture is too long for a line".into());
    }
    let padded = if width > least { (width + multiple - 1) / multiple * multiple } else { least };
    let whole = View { size: [48, width], first: [0; 2], count: [48, width] };
    let made = prepare(dev, line, &whole, &OCR)?;
    Ok(made.pad(&[0, 0, 0, 0, 0, 0, 0, (padded - width) as i64])?)
}

/// The text of a picture of one line, and the mean odds of its letters.
fn read_line(
    dev: &Device,
    reader: &Model,
    keys: &[String],
    line: &Picture,
) -> Outcome<(String, f64)> {
    let (odds, shape) = evaluate(reader, &prepare_line(dev, line, [320, LINE_MOST, 64])?)?;
    if shape.len() != 3 || shape[2] != keys.len() + 2 {
        return Err(format!("the model gives {shape:?} for {} keys", keys.len()).into());
    }
    Ok(decode(&odds, keys))
}

fn read_file(dev: &Device, reader: &Model, keys: &[String], path: &Path) -> Outcome<String> {
    let (text, mean) = read_line(dev, reader, keys, &png::load(path)?)?;
    println!("{}: {:5.1} %  {text}", name_of(path), 100.0 * mean);
    Ok(text)
}

/// What reads pages.
struct Pager<'a> {
    dev: &'a Device,
    detector: Model,
    turner: Option<Model>,
    reader: &'a Model,
    keys: &'a [String],
}

impl Pager<'_> {
    /// The lines of a picture, whose shorter side is made `side` pixels where it has fewer, and
    /// whose longer one 2000 where it has more.
    fn detect(&self, picture: &Picture, side: usize) -> Outcome<Vec<boxes::Line>> {
        let sides = [picture.height, picture.width];
        let (shorter, longer) = (sides[0].min(sides[1]), sides[0].max(sides[1]));
        let grow = match (longer, shorter) {
            (2001.., _) => 2000.0 / longer as f64,
            (_, shorter) if shorter < side => side as f64 / shorter as f64,
            _ => 1.0,
        };
        let size = sides.map(|s| 32 * ((grow * s as f64 / 32.0 + 0.5) as usize).max(1));
        let whole = View { size, first: [0; 2], count: size };
        let (odds, _) = evaluate(&self.detector, &prepare(self.dev, picture, &whole, &OCR)?)?;
        if odds.len() != size[0] * size[1] {
            return Err("the output of the model that detects is not as large as its input".into());
        }
        Ok(boxes::find_lines(&odds, size, picture))
    }

    /// A line, turned round where it is upside down.
    fn upright(&self, line: Picture) -> Outcome<Picture> {
        if let Some(turner) = &self.turner {
            let (odds, _) = evaluate(turner, &prepare_line(self.dev, &line, [192, 192, 1])?)?;
            if odds.len() == 2 && odds[1] > 0.9 {
                return Ok(boxes::turned_round(&line));
            }
        }
        Ok(line)
    }

    /// Prints the lines of a page, and gives them.
    fn read(&self, path: &Path, side: usize) -> Outcome<Vec<String>> {
        let picture = png::load(path)?;
        println!("{}", name_of(path));
        let mut texts = Vec::new();
        for found in self.detect(&picture, side)? {
            let line = self.upright(boxes::cut_out(&picture, found))?;
            let (text, mean) = read_line(self.dev, self.reader, self.keys, &line)?;
            if mean >= 0.5 {
                let [x, y] = found.corner;
                println!("  {:5.1} %  at ({x:.0}, {y:.0}): {text}", 100.0 * mean);
                texts.push(text);
            }
        }
        Ok(texts)
    }
}

/// Does all with small models, whose answers are known.
fn run_sample(dev: &Device, folder: &Path) -> Outcome<()> {
    let load = |name| Model::load(dev, folder.join(name).to_str().ok_or("no UTF-8").unwrap());
    let (classifier, labels) = (load("classify.onnx")?, lines(&folder.join("labels.txt"))?);
    for label in &labels {
        let path = folder.join(format!("{label}.png"));
        let best = classify(dev, &classifier, &labels, &path, 2)?;
        if &best != label {
            return Err(format!("{label}.png is taken for {best}").into());
        }
    }
    let (reader, keys) = (load("read.onnx")?, lines(&folder.join("keys.txt"))?);
    let text = read_file(dev, &reader, &keys, &folder.join("line.png"))?;
    let wanted = lines(&folder.join("line.txt"))?.remove(0);
    if text != wanted {
        return Err(format!("line.png is read as {text:?}, and says {wanted:?}").into());
    }
    let (detector, turner) = (load("detect.onnx")?, Some(load("turn.onnx")?));
    let pager = Pager { dev, detector, turner, reader: &reader, keys: &keys };
    let (page, wanted) =
        (pager.read(&folder.join("page.png"), 32)?, lines(&folder.join("page.txt"))?);
    if page != wanted {
        return Err(format!("page.png is read as {page:?}, and says {wanted:?}").into());
    }
    Ok(())
}

fn main() -> Outcome<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let dev = Device::open(words.first().map_or("auto", |word| word))?;
    println!("{}", dev.info()?.name);
    let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    match words[..] {
        [] => {
            let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/model/sample");
            run_sample(&dev, Path::new(sample))
        }
        ["classify", model, labels, ref pictures @ ..] if !pictures.is_empty() => {
            let (model, labels) = (Model::load(&dev, model)?, lines(Path::new(labels))?);
            let mut each = pictures.iter().map(Path::new);
            each.try_for_each(|path| classify(&dev, &model, &labels, path, 5).map(drop))
        }
        ["line", reader, keys, ref pictures @ ..] if !pictures.is_empty() => {
            let (reader, keys) = (Model::load(&dev, reader)?, lines(Path::new(keys))?);
            let mut each = pictures.iter().map(Path::new);
            each.try_for_each(|path| read_file(&dev, &reader, &keys, path).map(drop))
        }
        ["read", detector, turner, reader, keys, ref pictures @ ..] if !pictures.is_empty() => {
            let (reader, keys) = (Model::load(&dev, reader)?, lines(Path::new(keys))?);
            let turner = if turner == "-" { None } else { Some(Model::load(&dev, turner)?) };
            let detector = Model::load(&dev, detector)?;
            let pager = Pager { dev: &dev, detector, turner, reader: &reader, keys: &keys };
            let mut each = pictures.iter().map(Path::new);
            each.try_for_each(|path| pager.read(path, 736).map(drop))
        }
        _ => Err("usage: model [DEVICE [classify MODEL LABELS | line READER KEYS |\n                     \
                  read DETECTOR TURNER READER KEYS] PICTURE...]"
            .into()),
    }
}
