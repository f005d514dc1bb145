//! The heat equation on a plate that is parted in blocks among the ranks of a group, and a matrix
//! product of which each rank holds a block of a, of b and of the result (SUMMA), and none has more.
//! The plate is compared with what one device gives, elements of the product with their sums: not a
//! bit may differ.
//!
//! usage: cargo run --release --example group -- [--device SELECTOR]... [--threads | --mpi]
//!            [--ranks N] [STEPS]
//!
//! Ranks are processes that meet at a path, or, with --threads, devices of one process with a thread
//! each. With --mpi they are the processes of mpirun: mpirun -np 4 target/release/examples/group --mpi

mod ranks;

use netcl::{
    op, AnyTensor, Device, ExpressionOptions, Group, HaloOptions, Range, Result, RunOptions,
    Sharded, ShardingOptions,
};
use ranks::{Outcome, Rank, Ranks};

const PLATE: [usize; 2] = [203, 301];
const SIZE: usize = 400;

/// As square a mesh as the ranks allow.
fn mesh_of(ranks: u32) -> [u32; 2] {
    let rows = (1..=ranks).rfind(|rows| rows * rows <= ranks && ranks % rows == 0);
    let rows = rows.unwrap();
    [rows, ranks / rows]
}

fn window(tensor: &AnyTensor, top: usize, left: usize, shape: &[usize]) -> Result<AnyTensor> {
    let range =
        |start: usize, extent: usize| Range { start: start as i64, extent: extent as i64, step: 1 };
    tensor.slice(&[range(top, shape[0]), range(left, shape[1])])
}

/// into = one step from what `wide` has within its rim.
fn step(wide: &AnyTensor, into: &AnyTensor) -> Result<()> {
    let shape = into.shape();
    let places = [(1, 1), (0, 1), (2, 1), (1, 0), (1, 2)];
    let views: Vec<AnyTensor> =
        places.iter().map(|&(top, left)| window(wide, top, left, &shape)).collect::<Result<_>>()?;
    let views: Vec<&AnyTensor> = views.iter().collect();
    let text = "v0 + 0.2 * (v1 + v2 + v3 + v4 - 4 * v0)";
    let run = RunOptions::new().into(into);
    op::expression_text(text, &views, ExpressionOptions::default(), run)?;
    Ok(())
}

/// The plate at the start: two hot spots.
fn start() -> Vec<f32> {
    let hot = |y: usize, x: usize| (y / 50 == 1 && x / 60 == 2) || (y > 150 && x < 40);
    let at = |i: usize| (i / PLATE[1], i % PLATE[1]);
    (0..PLATE[0] * PLATE[1])
        .map(at)
        .map(|(y, x)| if hot(y, x) { 100.0 } else { (x % 7) as f32 })
        .collect()
}

/// The plate after some steps, on rank 0.
fn heat(group: &Group, dev: &Device, mesh: &[u32], steps: usize) -> Result<Vec<f32>> {
    let lay = ShardingOptions::new().mesh(mesh);
    let plate = dev.tensor(&start(), PLATE)?;
    let from_root =
        |tensor| Sharded::from_root_with(group, Some(tensor), 0, lay, RunOptions::default());
    let sharded = [from_root(&plate)?, from_root(&plate)?];
    let blocks = [sharded[0].block()?, sharded[1].block()?];
    let wide = sharded[0].exchange_halo(&[1; 4])?;
    for i in 0..steps {
        let run = RunOptions::new().into(&wide);
        sharded[i % 2].exchange_halo_with(&[1; 4], HaloOptions::default(), run)?;
        step(&wide, &blocks[(i + 1) % 2])?;
    }
    sharded[steps % 2].gather(Some(&plate), 0)?;
    if group.info()?.rank == 0 {
        print!("{}", sharded[steps % 2].explain()?);
    }
    plate.to_vec()
}

/// A multiple of 1/8, so that sums are exact however they are parted.
fn element(factor: usize, row: usize, column: usize) -> f32 {
    (((row * factor + column * 3) % 11) as f32 - 5.0) / 8.0
}

/// Makes a block of each factor and multiplies. Then it works out some elements of this rank's block
/// of the product by itself.
fn product(group: &Group, dev: &Device, mesh: &[u32]) -> Outcome<()> {
    let lay = ShardingOptions::new().mesh(mesh);
    let rank = group.info()?.rank;
    let place = group.describe_block_with(rank, (SIZE, SIZE), lay)?;
    let (rows, columns) = (place.shape[0] as usize, place.shape[1] as usize);
    let at =
        |k: usize| (place.first[0] as usize + k / columns, place.first[1] as usize + k % columns);
    let factor = |factor| {
        let values: Vec<f32> =
            (0..rows * columns).map(at).map(|(row, column)| element(factor, row, column)).collect();
        let block = dev.tensor(&values, (rows, columns))?;
        Sharded::with_options(group, &block, (SIZE, SIZE), lay)
    };
    let c = factor(7)?.matmul(&factor(5)?)?;
    if rank == 0 {
        print!("{}", c.explain()?);
    }
    for (k, got) in c.block()?.typed::<f32>()?.to_vec()?.into_iter().enumerate().step_by(17) {
        let (row, column) = at(k);
        let sum: f32 = (0..SIZE).map(|d| element(7, row, d) * element(5, d, column)).sum();
        if got != sum {
            return Err(
                format!("element [{row}, {column}] of the product is {got}, not {sum}").into()
            );
        }
    }
    Ok(())
}

fn alone(dev: &Device, steps: usize) -> Result<Vec<f32>> {
    let wide = dev.zeros::<f32>((PLATE[0] + 2, PLATE[1] + 2))?;
    let plate = dev.tensor(&start(), PLATE)?;
    let inner = window(&wide, 1, 1, &PLATE)?;
    for _ in 0..steps {
        op::copy(&plate, RunOptions::new().into(&inner))?;
        step(&wide, &plate)?;
    }
    plate.to_vec()
}

fn work(rank: &Rank, steps: usize) -> Outcome<()> {
    let mesh = mesh_of(rank.size);
    let plate = heat(&rank.group, &rank.device, &mesh, steps)?;
    product(&rank.group, &rank.device, &mesh)?;
    if rank.index == 0 {
        if plate != alone(&rank.device, steps)? {
            return Err("the plate is not what one device gives".into());
        }
        println!("{} ranks as {} x {}: as on one device, bit for bit", rank.size, mesh[0], mesh[1]);
    }
    Ok(())
}

pub fn main() -> Outcome<()> {
    let (ranks, words) = Ranks::from_arguments()?;
    let steps = words.first().map_or(Ok(100), |text| text.parse())?;
    ranks.run(|rank| work(&rank, steps))
}
