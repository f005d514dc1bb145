//! Pools and buffers.

// Options may get more members.
#![allow(clippy::needless_update)]

mod common;
use common::{device, fails, is_opencl, lease};
use netcl::{
    AnyTensor, Buffer, Dtype, Pool, PoolKind, PoolOptions, ShareKind, Status, TensorOptions,
    Timeout,
};
use std::os::raw::c_void;

#[test]
fn a_pool_gives_memory_again() {
    let dev = device();
    let options = PoolOptions::new().kind(PoolKind::POWER_OF_TWO);
    let pool = Pool::with_options(&dev, options).unwrap();
    drop(lease(&pool, 3000).unwrap());
    let leased = lease(&pool, 4000).unwrap();
    let info = pool.info().unwrap();
    assert_eq!((info.kind, info.hits, info.misses), (PoolKind::POWER_OF_TWO, 1, 1));
    assert_eq!(info.bytes_in_use, 4096);
    assert!((info.hit_rate - 0.5).abs() < 1e-12);
    assert_eq!(leased.info().unwrap().bytes, 4000);
    let buckets = pool.buckets().unwrap();
    assert_eq!(buckets.len() as u32, info.buckets_count);
    assert!(buckets.iter().any(|b| b.bytes == 4096 && b.in_use == 1));
    drop(leased);
    pool.trim(0).unwrap();
    assert_eq!(pool.info().unwrap().bytes_allocated, 0);
    assert!(Pool::new(&dev).unwrap().buckets().unwrap().is_empty());
}

#[test]
fn a_capped_pool_says_no() {
    let options = PoolOptions::new().max_bytes(4096);
    let pool = Pool::with_options(&device(), options).unwrap();
    fails(lease(&pool, 1 << 20), Status::OUT_OF_DEVICE_MEMORY, "");
    lease(&pool, 1024).unwrap();
    common::refused(lease(&pool, u64::MAX));
}

#[test]
fn tensors_lie_where_they_are_told() {
    let dev = device();
    let pool = Pool::new(&dev).unwrap();
    let options = TensorOptions::new().pool(&pool);
    let x = AnyTensor::zeros_with(&dev, Dtype::F64, [10, 10], None, options).unwrap();
    assert!(x.info().unwrap().pooled);
    assert!(pool.info().unwrap().bytes_in_use >= 800);

    let leased = lease(&pool, 4096).unwrap();
    let part = AnyTensor::from_buffer(&leased, 64, Dtype::I32, [4], Some(&[2])).unwrap();
    part.write(&[1u8; 16], Timeout::FOREVER).unwrap();
    assert_eq!(part.typed::<i32>().unwrap().to_vec().unwrap(), [0x0101_0101; 4]);
    assert_eq!(x.buffer().unwrap().info().unwrap().bytes, 800);
}

#[test]
fn the_device_works_on_lent_memory() {
    #[repr(align(4096))]
    struct Page([u8; 4096]);
    let dev = device();
    // SAFETY: nobody reads it.
    let pinned = unsafe { Buffer::pinned(&dev, 4096).unwrap() };
    assert!(pinned.info().unwrap().pinned && !pinned.info().unwrap().host_pointer.is_null());

    let mut page = Box::new(Page([7; 4096]));
    // SAFETY: the page outlives the buffer and its tensor, and is not touched meanwhile.
    let lent = unsafe { Buffer::zero_copy(&dev, page.0.as_mut_ptr() as *mut c_void, 4096) };
    let lent = lent.unwrap();
    assert!(lent.info().unwrap().zero_copy);
    let tensor = AnyTensor::from_buffer(&lent, 0, Dtype::U8, [4096], None).unwrap();
    assert_eq!(tensor.typed::<u8>().unwrap().to_vec().unwrap(), vec![7; 4096]);
    dev.finish(Timeout::FOREVER).unwrap();
    if is_opencl(&dev) {
        assert!(!lent.cl_mem().unwrap().is_null());
    } else {
        fails(lent.cl_mem(), Status::UNSUPPORTED, "");
    }
    drop(lent);
    // SAFETY: the address is refused because it is not aligned, and nothing is accessed.
    common::refused(unsafe { Buffer::zero_copy(&dev, 3 as *mut c_void, 64) });
}

#[test]
fn memory_is_shared_by_its_descriptor() {
    use std::os::unix::fs::FileExt;
    use std::os::unix::io::FromRawFd;
    let dev = device();
    let options = TensorOptions::new().share(true);
    let x = AnyTensor::zeros_with(&dev, Dtype::U8, [4], None, options).unwrap();
    x.write(&[1u8, 2, 3, 4], Timeout::FOREVER).unwrap();
    dev.finish(Timeout::FOREVER).unwrap();
    let buffer = x.buffer().unwrap();
    assert!(buffer.info().unwrap().exportable);
    let mut memory = buffer.export().unwrap();
    assert_eq!((memory.kind, memory.bytes), (ShareKind::FILE, 4));
    // SAFETY: the descriptor is this function's to close.
    let file = unsafe { std::fs::File::from_raw_fd(memory.descriptor) };
    let mut shown = [0u8; 4];
    file.read_exact_at(&mut shown, memory.offset_bytes).unwrap();
    assert_eq!(shown, [1, 2, 3, 4]);
    // SAFETY: nobody else writes the memory.
    let again = unsafe { Buffer::import(&dev, &memory).unwrap() };
    let y = AnyTensor::from_buffer(&again, 0, Dtype::U8, [4], None).unwrap();
    y.write(&[5u8, 6, 7, 8], Timeout::FOREVER).unwrap();
    assert_eq!(x.typed::<u8>().unwrap().to_vec().unwrap(), [5, 6, 7, 8]);
    memory.offset_bytes = 1 << 63;
    // SAFETY: it is refused.
    let refused = unsafe { Buffer::import(&dev, &memory) };
    fails(refused, Status::INVALID_ARGUMENT, "offset_bytes");
    fails(buffer.cuda_address(), Status::UNSUPPORTED, "CUDA");
}
