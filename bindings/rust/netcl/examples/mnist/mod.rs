//! Images of digits: the MNIST test set, or digits drawn with a small font.

use std::error::Error;
use std::path::Path;

pub const SIDE: usize = 28;
pub const PIXELS: usize = SIDE * SIDE;
/// 5 x 7 dots for each digit.
const FONT: [&[u8; 35]; 10] = [
    b"01110100011001110101110011000101110",
    b"00100011000010000100001000010001110",
    b"01110100010000100010001000100011111",
    b"11111000100010000010000011000101110",
    b"00010001100101010010111110001000010",
    b"11111100001111000001000011000101110",
    b"00110010001000011110100011000101110",
    b"11111000010001000100010000100001000",
    b"01110100011000101110100011000101110",
    b"01110100011000101111000010001001100",
];

/// Bytes [count, 28, 28]; the labels where they are known.
pub struct Images {
    pub pixels: Vec<u8>,
    pub labels: Option<Vec<u8>>,
}

impl Images {
    pub fn load(folder: &Path) -> Result<Images, Box<dyn Error>> {
        let pixels = read_idx(folder, "t10k-images-idx3-ubyte", 16)?;
        let labels = read_idx(folder, "t10k-labels-idx1-ubyte", 8)?;
        if pixels.len() != labels.len() * PIXELS {
            return Err("the files of images and labels do not belong together".into());
        }
        Ok(Images { pixels, labels: Some(labels) })
    }

    /// The digits of the font three times as large, moved and with some noise.
    pub fn draw(count: usize) -> Images {
        let mut pixels = Vec::with_capacity(count * PIXELS);
        let mut random = 12345u32;
        for i in 0..count {
            let (down, right) = (i / 10 % 5 + 1, i / 50 % 5 + 4);
            for (y, x) in (0..PIXELS).map(|p| (p / SIDE, p % SIDE)) {
                random = random.wrapping_mul(1664525).wrapping_add(1013904223);
                let noise = (random >> 28) as u8;
                let inside = y >= down && x >= right && y < down + 21 && x < right + 15;
                let dot = inside && FONT[i % 10][(y - down) / 3 * 5 + (x - right) / 3] == b'1';
                pixels.push(if dot { 200 + 3 * noise } else { noise });
            }
        }
        Images { pixels, labels: None }
    }
}

/// The bytes behind the header of NAME or NAME.gz.
fn read_idx(folder: &Path, name: &str, header: usize) -> Result<Vec<u8>, Box<dyn Error>> {
    let path = folder.join(name);
    let mut bytes = if path.exists() {
        std::fs::read(&path)?
    } else {
        let packed = folder.join(format!("{name}.gz"));
        std::process::Command::new("gzip").arg("-dc").arg(packed).output()?.stdout
    };
    if bytes.len() < header || bytes[..3] != [0, 0, 8] {
        return Err(format!("{} is no IDX file of bytes", path.display()).into());
    }
    Ok(bytes.split_off(header))
}
