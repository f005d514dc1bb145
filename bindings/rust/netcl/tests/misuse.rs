//! What must not work gives an error each time, and never more than that.

// Options may get more members.
#![allow(clippy::needless_update)]

mod common;
use common::{device, fails, kernel, lease, refused};
use netcl::{
    library, op, AnyTensor, Buffer, Device, Dtype, Element, Event, Expression, HandleType, Kernel,
    KernelOptions, Pool, Queue, RunOptions, Status, Tensor, Timeout,
};

/// Handles of every type that were released behind the crate's back.
#[test]
fn released_handles_are_refused_and_dropping_them_is_harmless() {
    let dev = device();
    let x = dev.zeros::<f32>(&[4]).unwrap();
    let stale = AnyTensor::from(dev.zeros::<f32>(&[4]).unwrap()).into_raw();
    // SAFETY: a stale handle is a number that the library refuses; this is what is tested.
    let stale = unsafe {
        netcl::sys::netcl_tensor_release(stale);
        AnyTensor::from_raw(stale)
    };
    fails(stale.info(), Status::INVALID_HANDLE, "");
    fails(stale.try_clone(), Status::INVALID_HANDLE, "");
    fails(x.any().matmul(&stale), Status::INVALID_HANDLE, "");
    let mut event = None;
    let run = RunOptions::new().into(&stale).event(&mut event);
    fails(op::copy(&x, run), Status::INVALID_HANDLE, "");
    assert!(event.is_none());
    assert_eq!(stale.shape(), []);
    assert!(stale.to_string().contains("INVALID_HANDLE"));
    assert!(std::panic::catch_unwind(|| stale.clone()).is_err());
    drop(stale);
    assert_eq!(x.to_vec().unwrap(), [0.0; 4]);
}

#[test]
fn handles_of_another_type_are_refused() {
    let dev = device();
    let queue = dev.queue().unwrap();
    let raw = queue.as_raw();
    // SAFETY: as above; ManuallyDrop because the reference is not theirs.
    unsafe {
        use std::mem::ManuallyDrop;
        let tensor = ManuallyDrop::new(AnyTensor::from_raw(raw as *mut _));
        fails(tensor.info(), Status::INVALID_HANDLE, "");
        let device = ManuallyDrop::new(Device::from_raw(raw as *mut _));
        fails(device.info(), Status::INVALID_HANDLE, "");
        fails(Pool::new(&device), Status::INVALID_HANDLE, "");
        let event = ManuallyDrop::new(Event::from_raw(raw as *mut _));
        fails(event.wait(Timeout::POLL), Status::INVALID_HANDLE, "");
        let buffer = ManuallyDrop::new(Buffer::from_raw(raw as *mut _));
        fails(buffer.info(), Status::INVALID_HANDLE, "");
        let kernel = ManuallyDrop::new(Kernel::from_raw(raw as *mut _));
        fails(kernel.build(), Status::INVALID_HANDLE, "");
        let expression = ManuallyDrop::new(Expression::from_raw(raw as *mut _));
        fails(expression.arity(), Status::INVALID_HANDLE, "");
        let pool = ManuallyDrop::new(Pool::from_raw(raw as *mut _));
        fails(pool.info(), Status::INVALID_HANDLE, "");
        let never = ManuallyDrop::new(Queue::from_raw(0x1234_5678 as *mut _));
        fails(never.flush(), Status::INVALID_HANDLE, "");
    }
    queue.flush().unwrap();
}

#[test]
fn parents_may_go_first() {
    let dev = device();
    let pool = Pool::new(&dev).unwrap();
    let leased = lease(&pool, 1024).unwrap();
    let x = AnyTensor::from_buffer(&leased, 0, Dtype::U8, [16], None).unwrap();
    let view = x.reshape([4, 4]).unwrap();
    let queue = Queue::new(&dev).unwrap();
    let event = queue.enqueue_marker(&[]).unwrap();
    drop((dev, pool, leased, x, queue));
    event.wait(Timeout::FOREVER).unwrap();
    view.write(&[3; 16], Timeout::FOREVER).unwrap();
    assert_eq!(view.typed::<u8>().unwrap().to_vec().unwrap(), [3; 16]);
}

#[test]
fn shapes_that_cannot_be_are_refused() {
    let dev = device();
    for shape in [&[usize::MAX, usize::MAX][..], &[usize::MAX >> 1; 2], &[1; 9], &[1 << 62]] {
        refused(dev.zeros::<f64>(shape));
        refused(dev.tensor(&[1.0f64], shape));
        refused(dev.rand::<f64>(shape, 0));
    }
    let long = vec![1usize; 100_000];
    fails(dev.zeros::<u8>(&long), Status::INVALID_ARGUMENT, "rank");
    let x = dev.zeros::<f32>(&[2, 3]).unwrap();
    fails(x.view([2], Some(&[1, 1]), 0), Status::INVALID_ARGUMENT, "strides has 2");
    fails(x.view([2, 3], None, 1), Status::INVALID_ARGUMENT, "");
    fails(x.view([2, 3], None, i64::MAX), Status::INVALID_ARGUMENT, "");
    fails(x.permute(&[0, 0]), Status::INVALID_ARGUMENT, "");
    fails(x.permute(&[0]), Status::INVALID_ARGUMENT, "axes.len() is 1; the tensor has rank 2");
    fails(x.permute(&vec![0; 70_000]), Status::INVALID_ARGUMENT, "");
    fails(x.slice(&[]), Status::INVALID_ARGUMENT, "");
    fails(x.reshape([4]), Status::INVALID_ARGUMENT, "");
    fails(x.broadcast([2, 4]), Status::INVALID_ARGUMENT, "");
    fails(x.matmul(&x), Status::INVALID_ARGUMENT, "");
    fails(x.any().clone().typed::<i32>(), Status::INVALID_ARGUMENT, "dtype f32, not i32");
    fails(dev.zeros::<f32>(&[3]).unwrap().t(), Status::INVALID_ARGUMENT, "rank 1");
}

#[test]
fn slices_of_the_wrong_length_touch_nothing() {
    let dev = device();
    let x = dev.tensor(&[1u8, 2, 3, 4], [4]).unwrap();
    fails(dev.tensor(&[1u8, 2], [4]), Status::INVALID_ARGUMENT, "elements has 2");
    fails(dev.tensor::<u8>(&[], &[4]), Status::INVALID_ARGUMENT, "elements has 0");
    let mut small = [9u8; 3];
    fails(x.read_into(&mut small), Status::INVALID_ARGUMENT, "");
    let mut large = vec![9u8; 1 << 20];
    fails(x.read_into(&mut large), Status::INVALID_ARGUMENT, "");
    fails(x.read_into(&mut []), Status::INVALID_ARGUMENT, "");
    assert!(small.iter().chain(&large).all(|&v| v == 9));
    fails(x.write_from(&[7; 5]), Status::INVALID_ARGUMENT, "");
    fails(x.write_from(&[]), Status::INVALID_ARGUMENT, "");
    assert_eq!(x.to_vec().unwrap(), [1, 2, 3, 4]);
}

#[test]
fn texts_with_a_nul_are_refused_where_they_stand() {
    let dev = device();
    fails(Expression::new("v0\0"), Status::INVALID_ARGUMENT, "text has a NUL character at byte 2");
    let flags = ["-DA=1", "-D\0B"];
    let options = KernelOptions::new().source("x").flags(&flags);
    fails(kernel(&dev, "k", options), Status::INVALID_ARGUMENT, "flags[1]");
    let error = refused(Expression::new("v0 + * 2"));
    assert!(error.to_string().contains("INVALID_ARGUMENT"), "{error}");
}

#[test]
fn unknown_constants_are_refused() {
    let dev = device();
    refused(AnyTensor::zeros(&dev, Dtype(99), [1], None));
    assert_eq!(Dtype(99).name(), "invalid");
    assert_eq!(Dtype(99).size(), 0);
    assert_eq!(format!("{:?} {:?}", Dtype(99), Dtype::F32), "Dtype(99) F32");
    assert_eq!(Status(-99).name(), "unknown status");
}

#[test]
fn objects_may_be_used_and_dropped_by_other_threads() {
    let dev = device();
    let x = dev.rand::<f32>(&[64, 64], 5).unwrap();
    let expected = x.matmul(&x).unwrap().to_vec().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let (dev, x, expected) = (dev.clone(), x.clone(), &expected);
            scope.spawn(move || {
                for _ in 0..20 {
                    let y = x.matmul(&x).unwrap();
                    assert_eq!(&y.to_vec().unwrap(), expected);
                    // Each thread has a message of its own.
                    let shape = std::process::id() as usize % 7 + 2;
                    fails(y.reshape(shape), Status::INVALID_ARGUMENT, "");
                    drop(dev.clone());
                }
            });
        }
    });
}

#[test]
fn errors_carry_the_message_of_their_own_call() {
    let dev = device();
    let first = refused(dev.zeros::<f32>(usize::MAX - 2));
    let second = refused(Expression::new("v0 @"));
    assert_ne!(first, second);
    assert_eq!(netcl::last_error::message(), second.message);
    let info = netcl::last_error::info().unwrap();
    assert_eq!((info.status, info.message.as_str()), (second.status, second.message.as_str()));
    let boxed: Box<dyn std::error::Error + Send + Sync> = first.into();
    assert!(boxed.to_string().contains(&(usize::MAX - 2).to_string()));
}

#[test]
fn a_clone_is_one_more_reference() {
    let dev = device();
    let queue = dev.queue().unwrap();
    let event = queue.enqueue_marker(&[]).unwrap();
    let pool = Pool::new(&dev).unwrap();
    let buffer = lease(&pool, 64).unwrap();
    let expression = Expression::new("v0").unwrap();
    let again = (queue.clone(), event.clone(), pool.clone(), buffer.clone(), expression.clone());
    assert_eq!(again.0, queue);
    drop((queue, event, pool, buffer, expression));
    again.0.finish(Timeout::FOREVER).unwrap();
    again.1.wait(Timeout::FOREVER).unwrap();
    assert_eq!(again.2.info().unwrap().bytes_in_use, again.3.info().unwrap().bucket_bytes);
    assert_eq!(again.4.arity().unwrap(), 1);
}

fn shareable<T: Send + Sync + Clone>() {}
fn element<T: Element>() {}

#[test]
fn what_the_header_calls_shareable_is_send_and_sync() {
    shareable::<Device>();
    shareable::<Queue>();
    shareable::<Event>();
    shareable::<Pool>();
    shareable::<Buffer>();
    shareable::<AnyTensor>();
    shareable::<Tensor<f32>>();
    shareable::<Kernel>();
    shareable::<Expression>();
    element::<bool>();
    assert!(library::live_count(HandleType::DEVICE).unwrap() < 1 << 20);
    refused(library::live_count(HandleType(0)));
}
