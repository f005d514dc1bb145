//! Lines of text in a map of how much each pixel belongs to one, as examples/model/boxes.h finds
//! them: the smallest rectangle, at any angle, around each connected part. Nothing here concerns
//! netcl.

use crate::png::Picture;

pub type Point = [f64; 2];

/// A corner, the way along the text and the way down, in pixels.
#[derive(Clone, Copy)]
pub struct Line {
    pub corner: Point,
    pub along: Point,
    pub down: Point,
}

// What PP-OCR takes: odds of a pixel, mean odds of a part, how much a box is widened.
const PIXEL_LEAST: f32 = 0.3;
const PART_LEAST: f64 = 0.5;
const WIDEN: f64 = 1.6;
const SIDE_LEAST: f64 = 3.0;

fn length(a: Point) -> f64 {
    a[0].hypot(a[1])
}

fn times(a: Point, x: f64, y: f64) -> Point {
    [a[0] * x, a[1] * y]
}

/// The hull of points that are sorted by x, then y.
fn hull_of(points: &[Point]) -> Vec<Point> {
    let mut hull: Vec<Point> = Vec::new();
    let add = |hull: &mut Vec<Point>, point: Point, least: usize| {
        while hull.len() >= least + 2 {
            let (a, b) = (hull[hull.len() - 2], hull[hull.len() - 1]);
            if (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0.0 {
                break;
            }
            hull.pop();
        }
        hull.push(point);
    };
    points.iter().for_each(|&point| add(&mut hull, point, 0));
    let least = hull.len() - 1;
    points.iter().rev().skip(1).for_each(|&point| add(&mut hull, point, least));
    if hull.len() > 1 {
        hull.pop();
    }
    hull
}

/// The rectangle around points along a direction of length 1.
fn around(points: &[Point], way: Point) -> Line {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for p in points {
        let turned = [p[0] * way[0] + p[1] * way[1], p[1] * way[0] - p[0] * way[1]];
        for i in 0..2 {
            low[i] = low[i].min(turned[i]);
            high[i] = high[i].max(turned[i]);
        }
    }
    let (wide, tall) = (high[0] - low[0], high[1] - low[1]);
    Line {
        corner: [low[0] * way[0] - low[1] * way[1], low[0] * way[1] + low[1] * way[0]],
        along: [wide * way[0], wide * way[1]],
        down: [-tall * way[1], tall * way[0]],
    }
}

/// The smallest rectangle: one of its sides lies on the hull.
fn smallest_around(hull: &[Point]) -> Line {
    let area = |line: &Line| length(line.along) * length(line.down);
    let mut best = around(hull, [1.0, 0.0]);
    if hull.len() < 3 {
        return best;
    }
    for (i, from) in hull.iter().enumerate() {
        let to = hull[(i + 1) % hull.len()];
        let mut way = [to[0] - from[0], to[1] - from[1]];
        let size = length(way);
        if size == 0.0 {
            continue;
        }
        way = times(way, 1.0 / size, 1.0 / size);
        // Text runs to the right, at 45 degrees at most; what stands is turned when it is read.
        while !(way[0] > 0.0 && way[1].abs() <= way[0]) {
            way = [-way[1], way[0]];
        }
        let found = around(hull, way);
        if area(&found) < area(&best) {
            best = found;
        }
    }
    best
}

/// Larger by half a pixel, and then by its area over its perimeter, on each side.
fn widened(line: Line) -> Line {
    let (along, down) = (length(line.along), length(line.down));
    let by = 0.5 + WIDEN * (along + 1.0) * (down + 1.0) / (2.0 * (along + down + 2.0));
    let a = times(line.along, by / along, by / along);
    let d = times(line.down, by / down, by / down);
    Line {
        corner: [line.corner[0] + 0.5 - a[0] - d[0], line.corner[1] + 0.5 - a[1] - d[1]],
        along: [line.along[0] + 2.0 * a[0], line.along[1] + 2.0 * a[1]],
        down: [line.down[0] + 2.0 * d[0], line.down[1] + 2.0 * d[1]],
    }
}

/// Takes the part that a place belongs to out of what is left of a map; its places.
fn take_part(left: &mut [bool], height: usize, width: usize, start: usize) -> Vec<usize> {
    left[start] = false;
    let mut places = vec![start];
    let mut next = 0;
    while next < places.len() {
        let (y, x) = (places[next] / width, places[next] % width);
        for row in y.saturating_sub(1)..height.min(y + 2) {
            for column in x.saturating_sub(1)..width.min(x + 2) {
                let at = row * width + column;
                if left[at] {
                    left[at] = false;
                    places.push(at);
                }
            }
        }
        next += 1;
    }
    places
}

/// The box of a part, where it is large and likely enough.
fn line_of_part(odds: &[f32], width: usize, places: &[usize]) -> Option<Line> {
    let point = |&place: &usize| [(place % width) as f64, (place / width) as f64];
    let mut points: Vec<Point> = places.iter().map(point).collect();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let sum: f64 = places.iter().map(|&place| f64::from(odds[place])).sum();
    let line = smallest_around(&hull_of(&points));
    let good = sum >= PART_LEAST * places.len() as f64
        && length(line.along).min(length(line.down)) >= SIDE_LEAST;
    good.then(|| widened(line))
}

/// From the top, and from the left where lines are level.
fn is_before(a: &Line, b: &Line) -> bool {
    let apart = a.corner[1] - b.corner[1];
    if apart.abs() < 0.5 * length(a.down).min(length(b.down)) {
        return a.corner[0] < b.corner[0];
    }
    apart < 0.0
}

/// All lines of a map of height x width, in the order of reading, with coordinates of the picture.
pub fn find_lines(odds: &[f32], size: [usize; 2], picture: &Picture) -> Vec<Line> {
    let mut left: Vec<bool> = odds.iter().map(|&odd| odd > PIXEL_LEAST).collect();
    let x = picture.width as f64 / size[1] as f64;
    let y = picture.height as f64 / size[0] as f64;
    let mut lines: Vec<Line> = Vec::new();
    for start in 0..odds.len() {
        if !left[start] {
            continue;
        }
        let places = take_part(&mut left, size[0], size[1], start);
        if let Some(found) = line_of_part(odds, size[1], &places) {
            let line = Line {
                corner: times(found.corner, x, y),
                along: times(found.along, x, y),
                down: times(found.down, x, y),
            };
            let place = lines.iter().rposition(|other| !is_before(&line, other));
            lines.insert(place.map_or(0, |place| place + 1), line);
        }
    }
    lines
}

/// The two samples around a coordinate, and the share of the second.
fn near(x: f64, extent: usize) -> (usize, usize, f64) {
    let x = (x - 0.5).clamp(0.0, (extent - 1) as f64);
    let low = x as usize;
    (low, (low + 1).min(extent - 1), x - low as f64)
}

/// The pixels of a box as a picture of their own, each from four neighbours. What stands, half as
/// high again as wide, is laid on its side.
pub fn cut_out(picture: &Picture, mut line: Line) -> Picture {
    if length(line.down) >= 1.5 * length(line.along) {
        let Line { corner, along, down } = line;
        line = Line {
            corner: [corner[0] + along[0], corner[1] + along[1]],
            along: down,
            down: [-along[0], -along[1]],
        };
    }
    let width = length(line.along).max(1.0) as usize;
    let height = length(line.down).max(1.0) as usize;
    let channels = picture.channels;
    let mut samples = Vec::with_capacity(height * width * channels);
    for i in 0..height * width {
        let along = ((i % width) as f64 + 0.5) / width as f64;
        let down = ((i / width) as f64 + 0.5) / height as f64;
        let at = |k: usize| line.corner[k] + along * line.along[k] + down * line.down[k];
        let (x0, x1, fx) = near(at(0), picture.width);
        let (y0, y1, fy) = near(at(1), picture.height);
        for c in 0..channels {
            let sample = |y: usize, x: usize| {
                f64::from(picture.samples[(y * picture.width + x) * channels + c])
            };
            let top = sample(y0, x0) * (1.0 - fx) + sample(y0, x1) * fx;
            let bottom = sample(y1, x0) * (1.0 - fx) + sample(y1, x1) * fx;
            samples.push((top * (1.0 - fy) + bottom * fy + 0.5) as u8);
        }
    }
    Picture { height, width, channels, samples }
}

/// A picture upside down.
pub fn turned_round(picture: &Picture) -> Picture {
    let samples = picture.samples.chunks(picture.channels).rev().flatten().copied().collect();
    Picture { samples, ..*picture }
}
