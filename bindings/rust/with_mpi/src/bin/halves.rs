//! Groups of two communicators that rsmpi has made of the world: mpirun -np 4 target/release/halves

use mpi::topology::{Color, Communicator};
use netcl::{Device, Reduction};

fn main() -> netcl::Result<()> {
    let universe = netcl_with_mpi::begin();
    let world = universe.world();
    let color = world.rank() % 2;
    let half = world.split_by_color(Color::with_value(color)).expect("each has a colour");
    let dev = Device::open("builtin")?;
    let group = netcl_with_mpi::group_of(&dev, &half)?;
    let ranks = dev.tensor(&[world.rank()], [1])?;
    group.all_reduce(&ranks, &ranks, Reduction::SUM)?;
    let expected: i32 = (0..world.size()).filter(|rank| rank % 2 == color).sum();
    assert_eq!(ranks.item()?, expected);
    assert_eq!(group.info()?.size as i32, half.size());
    println!("rank {} of {}: right", world.rank(), world.size());
    Ok(())
}
