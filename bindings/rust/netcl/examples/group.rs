//! The heat equation on a plate that is parted in blocks among the ranks of a group, and a matrix
//! product of which each rank holds a block of a, of b and of the result (SUMMA). Both are compared
//! with what one device gives: not a bit may differ.
//!
//! usage: cargo run --release --example group -- [--device SELECTOR]... [--threads | --mpi]
//!            [--ranks N] [STEPS]
//!
//! Ranks are processes that meet at a path, or, with --threads, devices of one process with a thread
//! each. With --mpi they are the processes of mpirun: mpirun -np 4 target/release/examples/group --mpi

mod ranks;

use netcl::{
    op, AnyTensor, Device, ExpressionOptions, Group, HaloOptions, MatmulOptions, Range, Result,
    RunOptions, Sharded, ShardingOptions,
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

/// Multiples of 1/8, so that sums are exact however they are parted.
fn elements(factor: usize) -> Vec<f32> {
    (0..SIZE * SIZE)
        .map(|i| (((i / SIZE * factor + i % SIZE * 3) % 11) as f32 - 5.0) / 8.0)
        .collect()
}

fn product(group: &Group, dev: &Device, mesh: &[u32]) -> Result<Vec<f32>> {
    let lay = ShardingOptions::new().mesh(mesh);
    let from_root = |factor| {
        let whole = dev.tensor(&elements(factor), (SIZE, SIZE))?;
        Sharded::from_root_with(group, Some(&whole), 0, lay, RunOptions::default())
    };
    let c = from_root(7)?.matmul(&from_root(5)?)?;
    let whole = dev.zeros::<f32>((SIZE, SIZE))?;
    c.gather(Some(&whole), 0)?;
    if group.info()?.rank == 0 {
        print!("{}", c.explain()?);
    }
    whole.to_vec()
}

fn alone(dev: &Device, steps: usize) -> Result<(Vec<f32>, Vec<f32>)> {
    let wide = dev.zeros::<f32>((PLATE[0] + 2, PLATE[1] + 2))?;
    let plate = dev.tensor(&start(), PLATE)?;
    let inner = window(&wide, 1, 1, &PLATE)?;
    for _ in 0..steps {
        op::copy(&plate, RunOptions::new().into(&inner))?;
        step(&wide, &plate)?;
    }
    let a = dev.tensor(&elements(7), (SIZE, SIZE))?;
    let b = dev.tensor(&elements(5), (SIZE, SIZE))?;
    let c = op::matmul(&a, &b, MatmulOptions::default(), RunOptions::default())?;
    Ok((plate.to_vec()?, c.typed::<f32>()?.to_vec()?))
}

fn work(rank: &Rank, steps: usize) -> Outcome<()> {
    let mesh = mesh_of(rank.size);
    let plate = heat(&rank.group, &rank.device, &mesh, steps)?;
    let c = product(&rank.group, &rank.device, &mesh)?;
    if rank.index == 0 {
        let (plate_alone, c_alone) = alone(&rank.device, steps)?;
        if plate != plate_alone {
            return Err("the plate is not what one device gives".into());
        }
        if c != c_alone {
            return Err("the product is not what one device gives".into());
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
