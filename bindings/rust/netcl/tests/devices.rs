//! Devices, queues and events.

// Options may get more members.
#![allow(clippy::needless_update)]

mod common;
use common::{device, fails, is_opencl, Random};
use netcl::{
    op, CopyRoad, Device, DeviceOptions, DeviceType, Event, EventState, PoolKind, Queue,
    QueueOptions, RunOptions, Status, Strategy, Tensor, Timeout,
};
use std::ptr;
use std::time::Duration;

#[test]
fn lists_describe_every_device_and_end_with_the_built_in() {
    let list = Device::list().unwrap();
    assert_eq!(list.len() as u32, Device::count().unwrap());
    let last = list.last().unwrap();
    assert_eq!(last.backend, netcl::Backend::BUILTIN);
    assert_eq!(last.type_, DeviceType::CPU);
    assert_eq!(last.index as usize, list.len() - 1);
    assert!(!last.name.is_empty() && !last.has_uuid || last.uuid != [0; 16]);
    fails(Device::describe(u32::MAX), Status::NOT_FOUND, "");
    assert!(Device::diagnose().unwrap().len() > 10);
}

#[test]
fn a_device_tells_who_it_is_and_what_it_can_do() {
    let dev = device();
    let info = dev.info().unwrap();
    let capabilities = dev.capabilities().unwrap();
    assert!(capabilities.compute_units > 0);
    assert!([Strategy::PORTABLE, Strategy::OPTIMIZED].contains(&capabilities.strategy));
    let selector = std::env::var("NETCL_TEST_DEVICE").unwrap_or_else(|_| "builtin".into());
    let shared = Device::open(&selector).unwrap();
    assert_ne!(shared, dev);
    assert_eq!(shared.info().unwrap().name.as_str(), info.name.as_str());
    assert_eq!(dev.to_string(), info.name.as_str());
    let mut told = dev.info().unwrap();
    told.index = 1;
    assert_eq!(told.to_string(), format!("1: {} ({})", info.name, info.platform_name));
    told.index = u32::MAX; // in no list
    assert_eq!(told.to_string(), format!("{} ({})", info.name, info.platform_name));
    let options = DeviceOptions::new().separate(true);
    let separate = Device::open_with(&selector, options).unwrap();
    separate.finish(Duration::from_secs(10)).unwrap();
    fails(Device::open("no such device"), Status::NO_DEVICE, "no such device");
    fails(Device::open("cpu\0gpu"), Status::INVALID_ARGUMENT, "selector");
}

#[test]
fn local_sizes_fit_the_work() {
    let (local, rounded) = device().suggest_local_size([1000, 7]).unwrap();
    assert_eq!((local.len(), rounded.len()), (2, 2));
    for (global, (local, rounded)) in [1000, 7].iter().zip(local.iter().zip(&rounded)) {
        assert!(rounded % local == 0 && rounded >= global && rounded - global < *local);
    }
    fails(device().suggest_local_size([]), Status::INVALID_ARGUMENT, "global");
}

#[test]
fn copies_between_devices_are_explained() {
    let (dev, options) = (device(), DeviceOptions::new().separate(true));
    let other = Device::open_with("builtin", options).unwrap();
    assert_eq!(dev.explain_copy(&dev).unwrap().road, CopyRoad::DEVICE);
    let explained = dev.explain_copy(&other).unwrap();
    assert!(explained.road != CopyRoad::DEVICE && !explained.reason.is_empty());
    let x = dev.tensor(&[1.5f32, 2.5], [2]).unwrap();
    let queue = other.queue().unwrap();
    let run = RunOptions::new().queue(&queue);
    let y = op::copy(&x, run).unwrap();
    assert_eq!(Tensor::<f32>::try_from(y).unwrap().to_vec().unwrap(), [1.5, 2.5]);
}

#[test]
fn active_devices_form_a_stack_per_thread() {
    fails(Device::current(), Status::NOT_FOUND, "");
    let dev = device();
    dev.push().unwrap();
    assert_eq!(Device::current().unwrap().info().unwrap().name, *dev.info().unwrap().name);
    std::thread::spawn(|| fails(Device::current(), Status::NOT_FOUND, "")).join().unwrap();
    Device::pop().unwrap();
    fails(Device::pop(), Status::NOT_FOUND, "");
}

#[test]
fn queues_know_their_device_and_count_commands() {
    let dev = device();
    let plain = Queue::new(&dev).unwrap();
    let options = QueueOptions::new().profiling(true);
    let queue = Queue::with_options(&dev, options).unwrap();
    assert!(queue.info().unwrap().profiling && !queue.info().unwrap().foreign);
    assert_eq!(queue.device().unwrap().info().unwrap().name, *dev.info().unwrap().name);
    let mut done = None;
    let x = dev.full([4096], 1.5f32).unwrap();
    let run = RunOptions::new().queue(&queue).event(&mut done);
    op::copy(&x, run).unwrap();
    let done: Event = done.expect("the event of the copy");
    queue.flush().unwrap();
    done.wait(Timeout::FOREVER).unwrap();
    assert_eq!(done.query().unwrap(), EventState::COMPLETE);
    assert_eq!(done.error().unwrap().status, Status::OK);
    let timing = done.timing().unwrap();
    assert!(timing.queued_ns <= timing.started_ns && timing.started_ns <= timing.ended_ns);
    queue.finish(Timeout::FOREVER).unwrap();
    assert!(queue.info().unwrap().commands >= 1);

    plain.set_profiling(true).unwrap();
    plain.set_profiling(false).unwrap();
    let marker = plain.enqueue_marker(&[&done, &done]).unwrap();
    marker.wait(Duration::from_secs(60)).unwrap();
    fails(marker.timing(), Status::NOT_PROFILED, "");
    assert!(!dev.queue().unwrap().info().unwrap().out_of_order);
}

#[test]
fn more_waits_than_fit_inline_arrive_all() {
    let dev = device();
    let queue = dev.queue().unwrap();
    let events: Vec<Event> = (0..20).map(|_| queue.enqueue_marker(&[]).unwrap()).collect();
    let waits: Vec<&Event> = events.iter().collect();
    queue.enqueue_marker(&waits).unwrap().wait(Timeout::FOREVER).unwrap();
    assert!(events.iter().all(|e| e.query().unwrap() == EventState::COMPLETE));
}

#[test]
fn opencl_objects_go_out_and_come_back() {
    let dev = device();
    if !is_opencl(&dev) {
        fails(dev.cl_context(), Status::UNSUPPORTED, "");
        fails(dev.cl_device(), Status::UNSUPPORTED, "");
        fails(dev.queue().unwrap().cl_queue(), Status::UNSUPPORTED, "");
        let event = dev.queue().unwrap().enqueue_marker(&[]).unwrap();
        fails(event.cl_event(), Status::UNSUPPORTED, "");
        // SAFETY: no such device takes any pointer.
        refused_null(&dev);
        return;
    }
    let mut random = Random::fresh();
    let numbers = random.numbers(1000);
    let context = dev.cl_context().unwrap();
    let own = dev.queue().unwrap();
    // SAFETY: all of them belong to the device, which is alive.
    unsafe {
        let wrapped =
            Device::open_from_cl(context, dev.cl_device().unwrap(), own.cl_queue().unwrap())
                .unwrap();
        let x = wrapped.tensor(&numbers, [10, 100]).unwrap();
        assert_eq!(x.to_vec().unwrap(), numbers);
        let second = Device::open_from_cl_with(
            context,
            dev.cl_device().unwrap(),
            ptr::null_mut(),
            Default::default(),
        );
        second.unwrap().finish(Timeout::FOREVER).unwrap();
        let queue = Queue::from_cl(&dev, own.cl_queue().unwrap()).unwrap();
        assert!(queue.info().unwrap().foreign);
        let marker = own.enqueue_marker(&[]).unwrap();
        let event = Event::from_cl(&dev, marker.cl_event().unwrap()).unwrap();
        event.wait(Timeout::FOREVER).unwrap();
    }
    refused_null(&dev);
}

fn refused_null(dev: &Device) {
    // SAFETY: NULL is refused before it is used.
    unsafe {
        common::refused(Device::open_from_cl(ptr::null_mut(), ptr::null_mut(), ptr::null_mut()));
        common::refused(Queue::from_cl(dev, ptr::null_mut()));
        common::refused(Event::from_cl(dev, ptr::null_mut()));
    }
}

#[test]
fn pools_of_a_device_are_shared() {
    let dev = device();
    for kind in [PoolKind::PERSISTENT, PoolKind::POWER_OF_TWO, PoolKind::PINNED] {
        assert_eq!(dev.pool(kind).unwrap().info().unwrap().kind, kind);
    }
    common::refused(dev.pool(PoolKind(77)));
}
