//! Every call of a sharded tensor, of two threads with a device each.

mod common;
use common::{device, fails};
use netcl::{
    Device, DeviceOptions, Group, HaloOptions, Reduction, Result, RunOptions, Sharded,
    ShardingOptions, Status, REPLICATED,
};

/// A device of its own for a second rank.
fn second_device() -> Device {
    let selector = std::env::var("NETCL_TEST_DEVICE").unwrap_or_else(|_| "builtin".into());
    Device::open_with(&selector, DeviceOptions::new().separate(true)).unwrap()
}

fn block_of(sharded: &Sharded) -> Vec<f32> {
    sharded.block().unwrap().typed::<f32>().unwrap().to_vec().unwrap()
}

/// Everything that is to come out is of whole numbers.
fn rank_work(group: &Group, dev: &Device, index: u32) -> Result<()> {
    let rows = ShardingOptions::new().mesh(&[2]).axes(&[0]);
    let columns = ShardingOptions::new().mesh(&[2]).axes(&[1]);
    let whole = ShardingOptions::new().mesh(&[]).axes(&[REPLICATED]);
    let place = group.describe_block_with(index, [3, 2], rows)?;
    assert_eq!((place.first[0], place.shape[0]), ([0, 1][index as usize], [1, 2][index as usize]));
    // [[1, 2], [3, 4], [5, 6]]
    let own = [&[1.0f32, 2.0][..], &[3.0, 4.0, 5.0, 6.0]][index as usize];
    let block = dev.tensor(own, (own.len() / 2, 2))?;
    let x = Sharded::with_options(group, &block, [3, 2], rows)?;
    let info = x.info()?;
    assert_eq!((info.rank, info.shape[0], info.mesh[0], info.axes[0]), (2, 3, 2, 0));
    assert!(x.explain()?.starts_with("f32 [3, 2], mesh [2], axes [0]: rank"));

    let turned = x.redistribute_with(columns, RunOptions::default())?;
    let wanted = [[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]][index as usize];
    assert_eq!(block_of(&turned), wanted);
    let back = dev.zeros::<f32>(&[3, 2])?;
    turned.gather(if index == 1 { Some(&back) } else { None }, 1)?;
    assert_eq!(back.to_vec()?[5], [0.0, 6.0][index as usize]);
    let source = dev.tensor(&[1.0f32, 2.0, 3.0, 4.0], [2, 2])?;
    let b = Sharded::from_root_with(group, Some(&source), 0, whole, RunOptions::default())?;

    let product = x.matmul(&b)?; // [[7, 10], [15, 22], [23, 34]]
    let sum = Sharded::expression_text("v0 + v1", &[&x, &product])?.reduce(Reduction::SUM)?;
    assert_eq!(block_of(&sum), [132.0]);
    assert!(sum.explain()?.contains("all_reduce of 2 ranks"));
    assert_eq!(block_of(&x.softmax(1)?).len(), own.len());
    assert_eq!(block_of(&x.layernorm(1)?).len(), own.len());
    assert_eq!(block_of(&x.rmsnorm(1)?).len(), own.len());
    fails(turned.softmax(1), Status::INVALID_ARGUMENT, "split along axis 1");

    let rim =
        x.exchange_halo_with(&[1, 0, 0, 0], HaloOptions::new().value(-1.0), RunOptions::default())?;
    let wanted: [&[f32]; 2] = [&[-1.0, -1.0, 1.0, 2.0], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]];
    assert_eq!(rim.typed::<f32>()?.to_vec()?, wanted[index as usize]);
    x.try_clone()?;
    Ok(())
}

#[test]
fn ranks_are_devices() {
    let devices = [device(), second_device()];
    let groups = Group::create_local(&[&devices[0], &devices[1]]).unwrap();
    std::thread::scope(|scope| {
        for (index, group) in groups.into_iter().enumerate() {
            let dev = &devices[index];
            scope.spawn(move || rank_work(&group, dev, index as u32).unwrap());
        }
    });
    fails(
        Group::create_local(&[&devices[0], &devices[0]]),
        Status::INVALID_ARGUMENT,
        "devices[1] is devices[0] again",
    );
}
