//! Runs the vectors in Rust: parity VECTORS DEVICE
//!
//! Prints a line "case name bits" for every result, and fails where bits are given and others came
//! out, after the last case. README.md has the format of the file.

mod ops;

use netcl::{
    AnyTensor, Bf16, Device, Dtype, Graph, RandomOptions, Result, Scalar, Shape, Timeout, F16,
};
use std::collections::HashMap;
use std::fmt::Write;
use std::process::exit;

/// An op with its inputs and options.
pub struct Line<'a> {
    pub inputs: Vec<&'a AnyTensor>,
    pub options: HashMap<&'a str, &'a str>,
    pub tensors: &'a HashMap<String, AnyTensor>,
    /// Of a case that is recorded.
    pub graph: Option<&'a Graph>,
}

impl<'a> Line<'a> {
    pub fn integer(&self, key: &str) -> i64 {
        self.options.get(key).map_or(0, |text| text.parse().expect(text))
    }

    pub fn number(&self, key: &str) -> f64 {
        self.options.get(key).map_or(0.0, |text| text.parse().expect(text))
    }

    pub fn flag(&self, key: &str) -> bool {
        self.integer(key) != 0
    }

    /// An extent of -1 is `Shape::INFER`.
    pub fn shape(&self) -> Shape {
        let extents: Vec<usize> = self.integers("shape").into_iter().map(|e| e as usize).collect();
        extents.into()
    }

    pub fn integers(&self, key: &str) -> Vec<i64> {
        match self.options.get(key) {
            None | Some(&"") => Vec::new(),
            Some(text) => text.split(',').map(|number| number.parse().expect(text)).collect(),
        }
    }

    pub fn tensor(&self, key: &str) -> Option<&'a AnyTensor> {
        self.options.get(key).map(|&name| &self.tensors[name])
    }

    pub fn tensor_list(&self, key: &str) -> Vec<&'a AnyTensor> {
        let names = self.options.get(key).copied().unwrap_or("");
        names.split(',').filter(|&n| !n.is_empty()).map(|n| &self.tensors[n]).collect()
    }

    pub fn dtype(&self, key: &str) -> Dtype {
        let name = self.options.get(key).copied().unwrap_or("");
        Dtype::VALUES.into_iter().find(|dtype| dtype.name() == name).unwrap_or_default()
    }
}

impl Line<'_> {
    /// One element by its bytes, as a value of the type that Rust has for it.
    pub fn element(&self, dtype: Dtype) -> Option<Scalar> {
        let bytes = bytes_of(self.options.get("value")?);
        let bits = bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        Some(match dtype {
            Dtype::F16 => F16(bits as u16).into(),
            Dtype::BF16 => Bf16(bits as u16).into(),
            Dtype::F32 => f32::from_bits(bits as u32).into(),
            Dtype::F64 => f64::from_bits(bits).into(),
            Dtype::I8 => (bits as i8).into(),
            Dtype::I16 => (bits as i16).into(),
            Dtype::I32 => (bits as i32).into(),
            Dtype::I64 => (bits as i64).into(),
            Dtype::U8 => (bits as u8).into(),
            Dtype::U16 => (bits as u16).into(),
            Dtype::U32 => (bits as u32).into(),
            Dtype::U64 => bits.into(),
            _ => (bits != 0).into(),
        })
    }
}

fn hex_of(data: &[u8]) -> String {
    data.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

fn bytes_of(hex: &str) -> Vec<u8> {
    let digits = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect(hex);
    (0..hex.len()).step_by(2).map(digits).collect()
}

/// The bits of n / 2^shift, which the float types hold exactly, and of n modulo 2^bits for others.
fn bits_of(dtype: Dtype, n: i64, shift: i64) -> u64 {
    let value = n as f64 / (1i64 << shift) as f64;
    let (bits, single) = (value.to_bits(), u64::from((value as f32).to_bits()));
    match dtype {
        Dtype::F64 => bits,
        Dtype::F32 => single,
        Dtype::BF16 => single >> 16,
        Dtype::F16 if n == 0 => 0,
        Dtype::F16 => {
            bits >> 48 & 0x8000 | ((bits >> 52 & 0x7ff) + 15 - 1023) << 10 | bits >> 42 & 0x3ff
        }
        Dtype::BOOL => u64::from(n != 0),
        _ => n as u64,
    }
}

fn data(device: &Device, line: &Line<'_>) -> Result<AnyTensor> {
    let (dtype, shape, rule) = (line.dtype("dtype"), line.shape(), line.integers("line"));
    let data = if rule.is_empty() {
        bytes_of(line.options["bits"])
    } else {
        (0..shape.iter().product::<usize>() as i64)
            .flat_map(|i| {
                let n = (rule[0] + rule[1] * i) % rule[2] - rule[3];
                bits_of(dtype, n, rule[4]).to_le_bytes().into_iter().take(dtype.size())
            })
            .collect()
    };
    AnyTensor::from_host(device, dtype, shape, None, &data)
}

fn random(device: &Device, line: &Line<'_>) -> Result<AnyTensor> {
    let options = RandomOptions::new()
        .seed(line.integer("seed") as u64)
        .offset(line.integer("offset") as u64)
        .low(line.number("low"))
        .high(line.number("high"));
    AnyTensor::random_with(
        device,
        line.dtype("dtype"),
        line.shape(),
        None,
        options,
        Default::default(),
    )
}

/// Reads a tensor, and tells whether it is what it has to be.
fn result(case: &str, name: &str, line: &Line<'_>, printed: &mut String) -> Result<bool> {
    let tensor = &line.tensors[name];
    let mut data = vec![0; tensor.info()?.byte_count as usize];
    tensor.read(&mut data, Timeout::FOREVER)?;
    let hex = hex_of(&data);
    writeln!(printed, "{case} {name} {hex}").unwrap();
    match line.options.get("bits") {
        Some(&expected) if expected != hex => {
            eprintln!("{case} {name} is\n  {hex}\nand has to be\n  {expected}");
            Ok(false)
        }
        _ => Ok(true),
    }
}

fn run(device: &Device, text: &str, printed: &mut String) -> Result<bool> {
    let (mut case, mut right) = ("", true);
    let mut tensors: HashMap<String, AnyTensor> = HashMap::new();
    let mut graph = None;
    for text in text.lines() {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (verb, out, inputs) = match words[..] {
            [] | ["#", ..] => continue,
            ["case", name, ..] => {
                tensors.clear();
                graph = None;
                case = name;
                continue;
            }
            [verb, out, inputs, ..] => (verb, out, inputs),
            _ => panic!("{case}: a line has too few words: {text}"),
        };
        let line = Line {
            inputs: inputs.split(',').filter(|&n| n != "-").map(|n| &tensors[n]).collect(),
            options: words[3..].iter().map(|word| word.split_once('=').expect(word)).collect(),
            tensors: &tensors,
            graph: graph.as_ref(),
        };
        let made = match verb {
            "result" => {
                right &= result(case, out, &line, printed)?;
                continue;
            }
            "record" => {
                graph = Some(Graph::new(device)?);
                continue;
            }
            "data" => vec![data(device, &line)?],
            "random" => vec![random(device, &line)?],
            _ => ops::run(verb, &line).map_err(|error| {
                eprintln!("{case}: {text}");
                error
            })?,
        };
        tensors.extend(out.split(',').map(String::from).zip(made));
    }
    Ok(right)
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.len() != 3 {
        eprintln!("usage: parity VECTORS DEVICE");
        exit(2);
    }
    let text = std::fs::read_to_string(&arguments[1]).expect("the file cannot be read");
    let mut printed = String::new();
    let right = run(&Device::open(&arguments[2])?, &text, &mut printed)?;
    print!("{printed}");
    exit(if right { 0 } else { 1 });
}
