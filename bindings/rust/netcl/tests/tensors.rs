//! Tensors: making, moving, viewing, showing.

// Options may get more members.
#![allow(clippy::needless_update)]

mod common;
use common::{device, fails, is_opencl, Random};
use netcl::{
    op, AnyTensor, Bf16, Device, Distribution, Dtype, Element, RandomOptions, Range, RunOptions,
    Scalar, Shape, Status, Tensor, TensorOptions, Timeout, Toggle, TransferOptions, F16,
};
use std::os::raw::c_void;

fn goes_around<T: Element + PartialEq + std::fmt::Debug>(dev: &Device, values: &[T]) {
    let tensor = dev.tensor(values, values.len()).unwrap();
    assert_eq!(tensor.to_vec().unwrap(), values);
    assert_eq!(tensor.info().unwrap().dtype, T::DTYPE);
    assert_eq!(T::DTYPE.size(), std::mem::size_of::<T>());
    let full = dev.full([3], values[0]).unwrap();
    assert_eq!(full.to_vec().unwrap(), [values[0]; 3]);
    let zeros: Tensor<T> = dev.zeros([2, 2]).unwrap();
    assert_eq!(zeros.to_vec().unwrap(), [T::default(); 4]);
    zeros.write_from(&[values[0]; 4]).unwrap();
    let mut into = [T::default(); 4];
    zeros.read_into(&mut into).unwrap();
    assert_eq!(into, [values[0]; 4]);
    let copied = tensor.read_async().unwrap().wait(Timeout::FOREVER).unwrap();
    assert_eq!(copied, values);
    assert!(Tensor::<T>::try_from(AnyTensor::from(full)).is_ok());
}

#[test]
fn every_element_type_goes_to_the_device_and_back() {
    let dev = device();
    goes_around(&dev, &[F16::from_f32(1.5), F16(0x7bff), F16(1)]);
    goes_around(&dev, &[Bf16::from_f32(-2.0), Bf16(0x7f7f)]);
    goes_around(&dev, &[1.5f32, -0.0, f32::INFINITY, f32::MIN_POSITIVE / 2.0]);
    goes_around(&dev, &[i8::MIN, i8::MAX, 0]);
    goes_around(&dev, &[i16::MIN, i16::MAX]);
    goes_around(&dev, &[i32::MIN, i32::MAX]);
    goes_around(&dev, &[i64::MIN, i64::MAX, -1]);
    goes_around(&dev, &[u8::MAX, 0]);
    goes_around(&dev, &[u16::MAX, 0]);
    goes_around(&dev, &[u32::MAX, 0]);
    goes_around(&dev, &[u64::MAX, 0]);
    goes_around(&dev, &[true, false, true]);
    goes_around(&dev, &[1e300f64, -1e-300]);
}

#[test]
fn a_bool_is_true_or_false_whatever_the_memory_holds() {
    let dev = device();
    let any = AnyTensor::from_host(&dev, Dtype::BOOL, [4], None, &[0, 1, 2, 255]).unwrap();
    let tensor = any.typed::<bool>().unwrap();
    let mut into = [false; 4];
    tensor.read_into(&mut into).unwrap();
    assert_eq!(into, [false, true, true, true]);
    assert_eq!(tensor.to_vec().unwrap(), into);
}

#[test]
fn layouts_are_kept() {
    let dev = device();
    let columns: Vec<u8> = [1i32, 4, 2, 5, 3, 6].iter().flat_map(|v| v.to_ne_bytes()).collect();
    let strides = Some(&[1i64, 2][..]);
    let x = AnyTensor::from_host(&dev, Dtype::I32, [2, 3], strides, &columns).unwrap();
    assert_eq!((x.shape(), x.strides()), ([2, 3].into(), vec![1, 2]));
    assert!(!x.info().unwrap().contiguous);
    let x = x.typed::<i32>().unwrap();
    assert_eq!(x.to_vec().unwrap(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(x.contiguous().unwrap().strides(), [3, 1]);
    assert_eq!(x.t().unwrap().to_vec().unwrap(), [1, 4, 2, 5, 3, 6]);
    assert_eq!(x.permute(&[1, 0]).unwrap().shape(), [3, 2]);
    assert_eq!(x.reshape((3, Shape::INFER)).unwrap().to_vec().unwrap(), [1, 2, 3, 4, 5, 6]);
    let run = RunOptions::default();
    assert_eq!(x.reshape_with([6], run).unwrap().shape(), [6]);
    let back = Range { start: 2, extent: 3, step: -1 };
    let row = Range { start: 1, extent: 1, step: 1 };
    assert_eq!(x.slice(&[row, back]).unwrap().to_vec().unwrap(), [6, 5, 4]);
    assert_eq!(x.i((.., 1..=2)).unwrap().to_vec().unwrap(), [2, 3, 5, 6]);
    assert_eq!(x.i(1..).unwrap().shape(), [1, 3]);
    assert_eq!(x.broadcast([2, 2, 3]).unwrap().strides()[0], 0);
    let packed = x.copy().unwrap();
    assert_eq!(packed.view([2, 2], Some(&[3, 2]), 0).unwrap().to_vec().unwrap(), [1, 3, 4, 6]);
    let parts = packed.split(1, &[1, 2]).unwrap();
    assert_eq!(parts[1].clone().typed::<i32>().unwrap().to_vec().unwrap(), [2, 3, 5, 6]);
    fails(x.i(1..9), Status::INVALID_ARGUMENT, "");
    fails(x.i((.., .., ..)), Status::INVALID_ARGUMENT, "3 ranges");
}

#[test]
fn empty_tensors_and_scalars_are_tensors() {
    let dev = device();
    let none = dev.tensor::<f32>(&[], &[0, 5]).unwrap();
    assert!(none.is_empty().unwrap() && none.to_vec().unwrap().is_empty());
    none.write_from(&[]).unwrap();
    none.read_into(&mut []).unwrap();
    assert_eq!(none.read_async().unwrap().wait(Timeout::FOREVER).unwrap(), []);
    let one = dev.tensor(&[42u16], []).unwrap();
    assert_eq!((one.shape().len(), one.len().unwrap(), one.item().unwrap()), (0, 1, 42));
    fails(dev.zeros::<u8>(&[2]).unwrap().item(), Status::INVALID_ARGUMENT, "2 elements");
}

#[test]
fn random_numbers_follow_their_options() {
    let dev = device();
    let x = dev.rand::<f32>(&[1000], 7).unwrap().to_vec().unwrap();
    assert!(x.iter().all(|v| (0.0..1.0).contains(v)));
    assert_eq!(x, dev.rand::<f32>(&[10, 100], 7).unwrap().to_vec().unwrap());
    let options = RandomOptions::new()
        .seed(7)
        .offset(500)
        .distribution(Distribution::NORMAL)
        .mean(10.0)
        .deviation(0.5);
    let y = Tensor::<f64>::random(&dev, [4000], options).unwrap().to_vec().unwrap();
    let mean = y.iter().sum::<f64>() / 4000.0;
    assert!((mean - 10.0).abs() < 0.05, "{mean}");
    let plain = AnyTensor::random(&dev, Dtype::U32, [4], None).unwrap();
    assert_eq!(plain.info().unwrap().dtype, Dtype::U32);
}

#[test]
fn all_ways_to_make_a_tensor_take_options() {
    let dev = device();
    let queue = dev.queue().unwrap();
    let options = TensorOptions::new().queue(&queue);
    // SAFETY: nobody reads it.
    let x = unsafe { AnyTensor::with_options(&dev, Dtype::F32, [2], Some(&[3]), options) };
    let x = x.unwrap();
    assert_eq!(x.strides(), [3]);
    let options = TensorOptions::new().queue(&queue);
    AnyTensor::full_with(&dev, Dtype::I16, [2], None, 3i16.into(), options).unwrap();
    fails(
        AnyTensor::full(&dev, Dtype::I16, [2], None, Scalar::from(3i32)),
        Status::INVALID_ARGUMENT,
        "value is of dtype i32; i16",
    );

    let data = [1.0f32, 2.0, 3.0];
    let mut there = None;
    let options =
        TensorOptions::new().event(&mut there).async_copy(Toggle::ON).use_pinned(Toggle::OFF);
    // SAFETY: the array is as large as said, and nothing is borrowed.
    let x = unsafe {
        let place = data.as_ptr() as *const c_void;
        AnyTensor::from_host_with(&dev, Dtype::F32, [3], None, place, 12, options).unwrap()
    };
    there.expect("the event of the copy").wait(Timeout::FOREVER).unwrap();
    assert_eq!(x.typed::<f32>().unwrap().to_vec().unwrap(), data);
}

#[test]
fn transfers_take_options() {
    let dev = device();
    let x = dev.zeros::<i32>(&[4]).unwrap();
    let mut done = None;
    let start = dev.queue().unwrap().enqueue_marker(&[]).unwrap();
    let waits = [&start];
    let options = TransferOptions::new().event(&mut done).waits(&waits);
    let data = [5i32, 6, 7, 8];
    // SAFETY: the array is as large as said; without borrow it is copied before the call returns.
    unsafe {
        x.write_with(data.as_ptr() as *const c_void, 16, options, Timeout::FOREVER).unwrap();
    }
    done.unwrap().wait(Timeout::FOREVER).unwrap();
    x.wait(Timeout::FOREVER).unwrap();
    let mut bytes = [0u8; 16];
    x.any().read(&mut bytes, Timeout::FOREVER).unwrap();
    assert_eq!(bytes[4..8], 6i32.to_ne_bytes());
    fails(x.any().read(&mut bytes[..15], Timeout::FOREVER), Status::INVALID_ARGUMENT, "15");
    fails(x.any().write(&bytes[..4], Timeout::FOREVER), Status::INVALID_ARGUMENT, "4");
}

#[test]
fn a_pending_read_may_be_dropped_or_forgotten() {
    let dev = device();
    let x = dev.rand::<f32>(&[1 << 18], 3).unwrap();
    drop(x.read_async().unwrap());
    std::mem::forget(x.read_async().unwrap());
    let pending = x.read_async().unwrap();
    let outcome = pending.wait(Timeout::POLL);
    let values = match outcome {
        Ok(values) => values,
        Err(failed) => {
            assert_eq!(failed.error.status, Status::TIMEOUT);
            failed.pending.wait(Timeout::FOREVER).unwrap()
        }
    };
    assert_eq!(values, x.to_vec().unwrap());
    dev.finish(Timeout::FOREVER).unwrap();
}

#[test]
fn npy_files_hold_tensors() {
    let dev = device();
    let mut random = Random::fresh();
    let x = dev.tensor(&random.numbers(24), [2, 3, 4]).unwrap();
    let folder = std::env::temp_dir().join(format!("netcl-rust-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path =
        folder.join("a file with a rather long name, longer than fits the stack, I hope.npy");
    let path_text = path.to_str().unwrap();
    x.save_npy(path_text, Timeout::FOREVER).unwrap();
    let loaded = AnyTensor::load_npy(&dev, path_text).unwrap().typed::<f32>().unwrap();
    assert_eq!(loaded.to_vec().unwrap(), x.to_vec().unwrap());
    AnyTensor::load_npy_with(&dev, path_text, Default::default()).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(AnyTensor::from_npy(&dev, &bytes).unwrap().shape(), [2, 3, 4]);
    // SAFETY: the bytes are as many as said, and nothing is borrowed.
    unsafe {
        let place = bytes.as_ptr() as *const c_void;
        AnyTensor::from_npy_with(&dev, place, bytes.len(), Default::default()).unwrap();
    }
    fails(AnyTensor::from_npy(&dev, &bytes[..20]), Status::CORRUPT_DATA, "");
    common::refused(AnyTensor::from_npy(&dev, &[]));
    std::fs::remove_dir_all(&folder).unwrap();
    fails(AnyTensor::load_npy(&dev, path_text), Status::IO, "");
}

#[test]
fn dlpack_and_opencl_memory_are_taken_and_given() {
    let dev = device();
    let x = dev.tensor(&[1i32, 2, 3, 4], [2, 2]).unwrap();
    // SAFETY: what to_dlpack gives is taken over by from_dlpack.
    unsafe {
        let managed = x.to_dlpack(Timeout::FOREVER).unwrap().into_raw();
        let y = AnyTensor::from_dlpack(&dev, managed).unwrap();
        let managed = x.to_dlpack(Timeout::FOREVER).unwrap().into_raw();
        let z = AnyTensor::from_dlpack_with(&dev, managed, Default::default()).unwrap();
        let own = x.to_dlpack(Timeout::FOREVER).unwrap().import(&dev).unwrap();
        drop(x);
        assert_eq!(own.typed::<i32>().unwrap().to_vec().unwrap(), [1, 2, 3, 4]);
        assert_eq!(y.typed::<i32>().unwrap().to_vec().unwrap(), [1, 2, 3, 4]);
        assert_eq!(z.typed::<i32>().unwrap().to_vec().unwrap(), [1, 2, 3, 4]);
        common::refused(AnyTensor::from_dlpack(&dev, std::ptr::null_mut()));
    }
    let y = dev.tensor(&[5i32, 6, 7, 8], [4]).unwrap();
    if is_opencl(&dev) {
        let buffer = y.buffer().unwrap();
        // SAFETY: the buffer keeps the memory object alive during the call, which retains it.
        unsafe {
            let mem = buffer.cl_mem().unwrap();
            let z = AnyTensor::from_cl(&dev, mem, 4, Dtype::I32, [3], None).unwrap();
            assert_eq!(z.typed::<i32>().unwrap().to_vec().unwrap(), [6, 7, 8]);
            let none = TensorOptions::default();
            AnyTensor::from_cl_with(&dev, mem, 0, Dtype::I32, [4], None, none).unwrap();
        }
    } else {
        // SAFETY: NULL is refused.
        common::refused(unsafe {
            AnyTensor::from_cl(&dev, std::ptr::null_mut(), 0, Dtype::I32, [3], None)
        });
    }
}

#[test]
fn tensors_say_what_they_hold() {
    let dev = device();
    let x = dev.tensor(&[1.5f32, -2.0, 0.25, 4.0], [2, 2]).unwrap();
    assert_eq!(x.to_string(), "[[1.5, -2],\n [0.25, 4]]");
    assert_eq!(format!("{x:.1}"), "[[1.5, -2.0],\n [0.2, 4.0]]");
    assert_eq!(format!("{x:?}"), "Tensor<f32>[2, 2]");
    let numbers: Vec<i32> = (0..100).collect();
    let long = dev.tensor(&numbers, [100]).unwrap();
    assert_eq!(AnyTensor::from(long).to_string(), "[0, 1, 2, ..., 97, 98, 99]");
    assert_eq!(dev.tensor(&[true], []).unwrap().to_string(), "true");
    assert_eq!(dev.zeros::<u8>(&[0]).unwrap().to_string(), "[]");
    assert_eq!(x.device().unwrap().info().unwrap().name, *dev.info().unwrap().name);
}

#[test]
fn fill_and_cast_keep_to_their_dtype() {
    let dev = device();
    let x = dev.tensor(&[1.9f32, -1.9, 300.0], [3]).unwrap();
    assert_eq!(x.to::<i32>().unwrap().to_vec().unwrap(), [1, -1, 300]);
    assert_eq!(x.to::<u8>().unwrap().to_vec().unwrap(), [1, 0, 255]);
    assert_eq!(x.cast(Dtype::F64).unwrap().info().unwrap().dtype, Dtype::F64);
    op::fill(&x, 2.5f32.into(), RunOptions::default()).unwrap();
    assert_eq!(x.to_vec().unwrap(), [2.5; 3]);
    x.fill(-1.5).unwrap();
    assert_eq!(x.to_vec().unwrap(), [-1.5; 3]);
    fails(x.any().fill(2.5f64.into()), Status::INVALID_ARGUMENT, "value is of dtype f64; f32");
    assert_eq!(op::contiguous(&x, RunOptions::default()).unwrap().shape(), [3]);
}

// A view that repeats one element may be larger than any memory.
#[test]
fn what_has_no_room_on_the_host_is_an_error() {
    let x = device().full([1], 1f32).unwrap();
    for extent in [1usize << 44, 1 << 58] {
        let huge = x.broadcast(extent).unwrap();
        fails(huge.to_vec(), Status::OUT_OF_HOST_MEMORY, &extent.to_string());
        fails(huge.read_async(), Status::OUT_OF_HOST_MEMORY, "");
        fails(huge.item(), Status::OUT_OF_HOST_MEMORY, "");
    }
}
