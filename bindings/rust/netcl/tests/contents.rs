//! What memory shows before it is written, and who gives it back.

// Options may get more members.
#![allow(clippy::needless_update)]

mod common;
use common::{device, lease, Random};
use netcl::{
    AnyTensor, DlpackTensor, Dtype, Pool, PoolKind, PoolOptions, RandomOptions, Scalar,
    TensorOptions, Text, Timeout, TuningRecord,
};
use std::ptr::NonNull;

/// A pool that leases the memory again that held these bytes.
fn used_pool(device: &netcl::Device, bytes: u64) -> Pool {
    let options = PoolOptions::new().kind(PoolKind::POWER_OF_TWO);
    let pool = Pool::with_options(device, options).unwrap();
    let leased = lease(&pool, bytes).unwrap();
    let secret = AnyTensor::from_buffer(&leased, 0, Dtype::U8, bytes as usize, None).unwrap();
    secret.write(&vec![0xab; bytes as usize], Timeout::FOREVER).unwrap();
    pool
}

#[test]
fn new_tensors_show_nothing_of_what_was_freed() {
    let dev = device();
    let mut random = Random::fresh();
    for round in 0..6 {
        // Gaps in front of, between and behind rows, and a negative stride.
        let rows = 2 + (random.bits() % 5) as i64;
        let step = 9 + (random.bits() % 40) as i64;
        let shape = [rows as usize, 4];
        let strides = if round % 2 == 0 { [step, 2] } else { [-step, 1] };
        let reach = (rows - 1) * step + 3 * strides[1] + 1;
        let pool = used_pool(&dev, reach as u64 * 4);
        let options = TensorOptions::new().pool(&pool);
        let x = match round / 2 {
            0 => AnyTensor::zeros_with(&dev, Dtype::F32, shape, Some(&strides), options),
            1 => {
                let one = Scalar::from(1.0f32);
                AnyTensor::full_with(&dev, Dtype::F32, shape, Some(&strides), one, options)
            }
            _ => {
                let seed = RandomOptions::new().seed(random.bits());
                AnyTensor::random_with(&dev, Dtype::F32, shape, Some(&strides), seed, options)
            }
        };
        let x = x.unwrap();
        assert_eq!(pool.info().unwrap().hits, 1, "the memory is another one");
        let first = if round % 2 == 0 { 0 } else { -(rows - 1) * step };
        let all = x.view(reach as usize, None, first).unwrap().typed::<f32>().unwrap();
        let mut shown = all.to_vec().unwrap();
        for row in 0..rows {
            for column in 0..4 {
                let value = &mut shown[(row * step + column * strides[1]) as usize];
                assert!((0.0..=1.0).contains(value), "element {row} {column} is {value}");
                *value = 0.0;
            }
        }
        assert!(shown.iter().all(|value| value.to_bits() == 0), "round {round}: {shown:?}");
    }
}

#[test]
fn an_exported_tensor_gives_its_memory_back_when_it_is_dropped() {
    let dev = device();
    let pool = Pool::new(&dev).unwrap();
    let used = || pool.info().unwrap().bytes_in_use;
    let options = TensorOptions::new().pool(&pool);
    let x = AnyTensor::zeros_with(&dev, Dtype::F32, [1000], None, options).unwrap();
    let imported = x.to_dlpack(Timeout::FOREVER).unwrap();
    let exported = x.to_dlpack(Timeout::FOREVER).unwrap();
    assert!(!exported.as_ptr().is_null() && format!("{exported:?}").starts_with("DlpackTensor"));
    drop(x);
    dev.finish(Timeout::FOREVER).unwrap();
    assert!(used() > 0);
    // It may be dropped by another thread, and a refused import leaves it with its owner.
    // SAFETY: `raw` is owned by this function until it is given back below.
    let exported = unsafe {
        let raw = exported.into_raw();
        let closed = std::mem::ManuallyDrop::new(netcl::Device::from_raw(1 as *mut _));
        common::refused(AnyTensor::from_dlpack(&closed, raw));
        DlpackTensor::from_raw(NonNull::new(raw).unwrap())
    };
    std::thread::spawn(move || drop(exported)).join().unwrap();
    dev.finish(Timeout::FOREVER).unwrap();
    assert!(used() > 0);
    // Nor does an import through the guard leave anything when it is refused.
    // SAFETY: the handle is none, and is not released.
    unsafe {
        let closed = std::mem::ManuallyDrop::new(netcl::Device::from_raw(1 as *mut _));
        common::refused(imported.import(&closed));
    }
    dev.finish(Timeout::FOREVER).unwrap();
    assert_eq!(used(), 0);
}

#[test]
fn text_for_a_struct_is_cut_between_characters() {
    let record = TuningRecord { reason: "measured".into(), ..Default::default() };
    assert_eq!(record.reason.as_str(), "measured");
    assert_eq!(Text::<4>::from("abc"), "abc");
    assert_eq!(Text::<4>::from("abcd"), "abc");
    assert_eq!(Text::<4>::from("ab\u{e9}"), "ab");
    assert_eq!(Text::<4>::from("a\0b"), "a");
    assert_eq!(Text::<1>::from("a"), "");
    assert_eq!(Text::<4>::from(""), "");
}
