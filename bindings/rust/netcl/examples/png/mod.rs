//! Reads pictures: PNG of 8 bits, not interlaced, grey or in colour. Nothing here concerns netcl.

use std::path::Path;

type Result<T> = std::result::Result<T, String>;

/// Rows of samples: one grey, or red, green and blue. Transparent parts lie on black.
pub struct Picture {
    pub height: usize,
    pub width: usize,
    pub channels: usize,
    pub samples: Vec<u8>,
}

pub fn load(path: &Path) -> Result<Picture> {
    let read = || parse(&std::fs::read(path).map_err(|error| error.to_string())?);
    read().map_err(|problem| format!("{}: {problem}", path.display()))
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |sum, &byte| sum << 8 | usize::from(byte))
}

fn parse(file: &[u8]) -> Result<Picture> {
    if !file.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Err("it is no PNG".into());
    }
    let (mut rest, mut header, mut packed) = (&file[8..], &[][..], Vec::new());
    while rest.len() >= 12 {
        let size = number(&rest[..4]);
        let body = rest.get(8..8 + size).ok_or("it ends within a part")?;
        match &rest[4..8] {
            b"IHDR" => header = body,
            b"IDAT" => packed.extend_from_slice(body),
            _ => {}
        }
        rest = rest.get(12 + size..).unwrap_or(&[]);
    }
    if header.len() != 13 {
        return Err("it has no header".into());
    }
    let (width, height) = (number(&header[..4]), number(&header[4..8]));
    let planes = match (header[8], header[9], header[12]) {
        (8, 0, 0) => 1,
        (8, 2, 0) => 3,
        (8, 4, 0) => 2,
        (8, 6, 0) => 4,
        _ => return Err("it is not grey or in colour with 8 bits, or it is interlaced".into()),
    };
    if width == 0 || height == 0 || width > 65535 || height > 65535 {
        return Err(format!("it has {height} x {width} pixels"));
    }
    let size = height * (1 + width * planes);
    let mut rows = inflate(packed.get(2..).unwrap_or(&[]), size)?;
    if rows.len() != size {
        return Err("it ends before its last pixel".into());
    }
    unfilter(&mut rows, width * planes, planes)?;
    let channels = planes - (planes + 1) % 2;
    let pixels = rows.chunks(1 + width * planes).flat_map(|row| row[1..].chunks(planes));
    let opacity = |pixel: &[u8]| if planes == channels { 255 } else { u32::from(pixel[channels]) };
    let samples = pixels
        .flat_map(|pixel| {
            pixel[..channels].iter().map(move |&x| (u32::from(x) * opacity(pixel) / 255) as u8)
        })
        .collect();
    Ok(Picture { height, width, channels, samples })
}

/// Rows, a filter's number before each, become samples.
fn unfilter(rows: &mut [u8], width: usize, step: usize) -> Result<()> {
    let mut above = vec![0; width];
    for row in rows.chunks_mut(1 + width) {
        let filter = row[0];
        let row = &mut row[1..];
        for i in 0..width {
            let (a, c) = if i < step { (0, 0) } else { (row[i - step], above[i - step]) };
            let b = above[i];
            let add = match filter {
                0 => 0,
                1 => a,
                2 => b,
                3 => ((u16::from(a) + u16::from(b)) / 2) as u8,
                4 => nearest(a, b, c),
                _ => return Err("a row has an unknown filter".into()),
            };
            row[i] = row[i].wrapping_add(add);
        }
        above.copy_from_slice(row);
    }
    Ok(())
}

/// Of left, above and above left the one that is nearest to left + above - above left.
fn nearest(a: u8, b: u8, c: u8) -> u8 {
    let [x, y, z] = [a, b, c].map(i32::from);
    let [from_a, from_b, from_c] = [(y - z).abs(), (x - z).abs(), (x + y - 2 * z).abs()];
    if from_a <= from_b && from_a <= from_c {
        a
    } else if from_b <= from_c {
        b
    } else {
        c
    }
}

struct Bits<'a> {
    data: &'a [u8],
    at: usize, // in bits
}

impl Bits<'_> {
    fn take(&mut self, count: usize) -> Result<usize> {
        let mut value = 0;
        for i in 0..count {
            let byte = self.data.get(self.at / 8).ok_or("its data ends early")?;
            value |= usize::from(byte >> (self.at % 8) & 1) << i;
            self.at += 1;
        }
        Ok(value)
    }
}

/// Huffman's code: how many codes there are of each length, and their symbols in order.
struct Code {
    counts: [usize; 16],
    symbols: Vec<usize>,
}

impl Code {
    fn new(lengths: &[usize]) -> Code {
        let mut counts = [0; 16];
        let mut symbols: Vec<usize> = (0..lengths.len()).filter(|&i| lengths[i] > 0).collect();
        symbols.sort_by_key(|&i| lengths[i]);
        symbols.iter().for_each(|&i| counts[lengths[i]] += 1);
        Code { counts, symbols }
    }

    fn symbol(&self, bits: &mut Bits<'_>) -> Result<usize> {
        let (mut code, mut first, mut index) = (0, 0, 0);
        for count in &self.counts[1..] {
            code |= bits.take(1)?;
            if code < first + count {
                let symbol = self.symbols.get(index + code - first);
                return symbol.copied().ok_or_else(|| "its data has a code that is none".into());
            }
            index += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        Err("its data has a code that is none".into())
    }
}

/// The codes of lengths and distances that a block brings along.
fn read_codes(bits: &mut Bits<'_>) -> Result<(Code, Code)> {
    const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    let (long, far, count) = (bits.take(5)? + 257, bits.take(5)? + 1, bits.take(4)? + 4);
    let mut lengths = [0; 19];
    for &place in &ORDER[..count] {
        lengths[place] = bits.take(3)?;
    }
    let code = Code::new(&lengths);
    let mut all: Vec<usize> = Vec::new();
    while all.len() < long + far {
        let (value, times) = match code.symbol(bits)? {
            16 => (*all.last().ok_or("a bad repetition")?, 3 + bits.take(2)?),
            17 => (0, 3 + bits.take(3)?),
            18 => (0, 11 + bits.take(7)?),
            length => (length, 1),
        };
        all.resize(all.len() + times, value);
    }
    Ok((Code::new(&all[..long]), Code::new(&all[long..long + far])))
}

/// Unpacks deflated data, `most` bytes of it.
fn inflate(data: &[u8], most: usize) -> Result<Vec<u8>> {
    let mut bits = Bits { data, at: 0 };
    let mut out = Vec::new();
    loop {
        let last = bits.take(1)?;
        let (long, far) = match bits.take(2)? {
            0 => {
                let at = (bits.at + 7) / 8;
                let size = data.get(at..at + 2).ok_or("its data ends early")?;
                let size = usize::from(size[0]) | usize::from(size[1]) << 8;
                out.extend(data.get(at + 4..at + 4 + size).ok_or("its data ends early")?);
                bits.at = 8 * (at + 4 + size);
                (Code::new(&[]), Code::new(&[]))
            }
            1 => {
                let length = |i| {
                    [8, 9, 7, 8][usize::from(i > 143) + usize::from(i > 255) + usize::from(i > 279)]
                };
                let lengths: Vec<usize> = (0..288).map(length).collect();
                (Code::new(&lengths), Code::new(&[5; 30]))
            }
            2 => read_codes(&mut bits)?,
            _ => return Err("its data has a block of no kind".into()),
        };
        while !long.symbols.is_empty() {
            let symbol = long.symbol(&mut bits)?;
            match symbol {
                0..=255 => out.push(symbol as u8),
                256 => break,
                _ => copy(symbol - 257, &mut bits, &far, &mut out)?,
            }
            if out.len() > most {
                return Err("its data goes on behind its last pixel".into());
            }
        }
        if last == 1 {
            return Ok(out);
        }
    }
}

/// Repeats what was there before.
fn copy(long: usize, bits: &mut Bits<'_>, far: &Code, out: &mut Vec<u8>) -> Result<()> {
    let length = match long {
        0..=7 => 3 + long,
        28 => 258,
        _ => 3 + ((4 + long % 4) << (long / 4 - 1)) + bits.take(long / 4 - 1)?,
    };
    let code = far.symbol(bits)?;
    let distance = match code {
        0..=3 => 1 + code,
        _ => 1 + ((2 + code % 2) << (code / 2 - 1)) + bits.take(code / 2 - 1)?,
    };
    let start = out.len().checked_sub(distance).ok_or("its data repeats what is not there")?;
    for i in start..start + length {
        out.push(out[i]);
    }
    Ok(())
}
