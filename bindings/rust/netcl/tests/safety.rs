//! Every type: released, of another type, out of order, dropped and used on other threads; and
//! lists that are empty or huge. An error each time, or success, and nothing left behind.

// Options may get more members.
#![allow(clippy::needless_update)]

mod common;
use common::{device, fails, is_opencl, kernel, lease, refused};
use netcl::{
    expr, library, op, profile, statistics, sys, AnyTensor, Benchmark, BenchmarkCandidate, Buffer,
    Ceilings, Config, Device, Event, Expression, HandleType, Kernel, KernelOptions, Measurement,
    Outcome, Part, Pool, Queue, Region, Roofline, RunOptions, Search, SearchEventKind,
    SearchOptions, Space, Status, Timeout, Timer, Tuner, TunerOptions, TuningDatabase,
};
use std::mem::ManuallyDrop;
use std::sync::{Mutex, MutexGuard};

/// One test at a time: they count the handles that live, and there is one profile.
static ALONE: Mutex<()> = Mutex::new(());

/// Held by a test; at its end as many handles live as at first.
struct Alone {
    before: Vec<u64>,
    _guard: MutexGuard<'static, ()>,
}

fn living() -> Vec<u64> {
    HandleType::VALUES.iter().map(|kind| library::live_count(*kind).unwrap()).collect()
}

impl Alone {
    fn begin() -> Alone {
        let guard = ALONE.lock().unwrap_or_else(|error| error.into_inner());
        Alone { before: living(), _guard: guard }
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!(living(), self.before, "handles were left");
        }
    }
}

const SOURCE: &str = "__kernel void k(__global int *x) { x[get_global_id(0)] += 1; }";

fn kernel_of(dev: &Device) -> netcl::Result<Kernel> {
    kernel(dev, "k", KernelOptions::new().source(SOURCE))
}

fn space() -> Space {
    let space = Space::new().unwrap();
    space.add_ints("A", &[1, 2, 3]).unwrap();
    space
}

fn search(dev: &Device) -> Search {
    Search::new(&space(), &dev.capabilities().unwrap(), None).unwrap()
}

/// Calls a macro with each type, its release function, one object, and something that it does.
macro_rules! for_each_type {
    ($do:ident, $dev:ident) => {
        let queue = $dev.queue().unwrap();
        $do!(Device, netcl_device_release, Device::open("builtin").unwrap(), |d: &Device| d.info());
        $do!(Queue, netcl_queue_release, Queue::new(&$dev).unwrap(), |q: &Queue| q.flush());
        let event = queue.enqueue_marker(&[]).unwrap();
        $do!(Event, netcl_event_release, event, |e: &Event| e.wait(Timeout::POLL));
        $do!(Pool, netcl_pool_release, Pool::new(&$dev).unwrap(), |p: &Pool| p.info());
        let buffer = lease(&Pool::new(&$dev).unwrap(), 64).unwrap();
        $do!(Buffer, netcl_buffer_release, buffer, |b: &Buffer| b.info());
        let tensor = AnyTensor::from($dev.zeros::<f32>(&[4]).unwrap());
        $do!(AnyTensor, netcl_tensor_release, tensor, |t: &AnyTensor| t.info());
        let expression = Expression::new("v0").unwrap();
        $do!(Expression, netcl_expression_release, expression, |e: &Expression| e.arity());
        let measurement = Measurement::new(&queue).unwrap();
        $do!(Measurement, netcl_measurement_release, measurement, |m: &Measurement| m.next());
        $do!(Timer, netcl_timer_release, Timer::new(&queue).unwrap(), |t: &Timer| t.start());
        let region = Region::begin(&queue, None, "stale").unwrap();
        $do!(Region, netcl_region_release, region, |r: &Region| r.annotate(1.0, 1.0));
        $do!(Roofline, netcl_roofline_release, Roofline::new().unwrap(), |r: &Roofline| r.reason());
        $do!(Ceilings, netcl_ceilings_release, Ceilings::new().unwrap(), |c: &Ceilings| c.info());
        $do!(Space, netcl_space_release, space(), |s: &Space| s.add_bool("B"));
        let config = Config::from_json("{\"A\": 1}").unwrap();
        $do!(Config, netcl_config_release, config, |c: &Config| c.json());
        $do!(Search, netcl_search_release, search(&$dev), |s: &Search| s.ask());
        $do!(Tuner, netcl_tuner_release, Tuner::new(&$dev).unwrap(), |t: &Tuner| t.run());
        let database = TuningDatabase::open(":memory:").unwrap();
        $do!(TuningDatabase, netcl_tuning_database_release, database, |d: &TuningDatabase| d
            .info());
        if is_opencl(&$dev) {
            let kernel = kernel_of(&$dev).unwrap();
            $do!(Kernel, netcl_kernel_release, kernel, |k: &Kernel| k.build());
            let benchmark = Benchmark::new(&$dev).unwrap();
            $do!(Benchmark, netcl_benchmark_release, benchmark, |b: &Benchmark| b.json());
        }
    };
}

#[test]
fn released_objects_of_every_type_are_refused() {
    let _alone = Alone::begin();
    let dev = device();
    macro_rules! check {
        ($type:ident, $release:ident, $object:expr, $use:expr) => {
            let object: $type = $object;
            let raw = object.into_raw();
            // SAFETY: a stale handle is a number that the library refuses; that is what is tested.
            let stale = unsafe {
                sys::$release(raw);
                $type::from_raw(raw)
            };
            fails($use(&stale), Status::INVALID_HANDLE, "");
            assert!(format!("{stale:?}").starts_with(stringify!($type)));
            // Dropping it is harmless, here and there.
            std::thread::spawn(move || drop(stale)).join().unwrap();
        };
    }
    for_each_type!(check, dev);
    dev.info().unwrap();
}

#[test]
fn objects_of_another_type_are_refused() {
    let _alone = Alone::begin();
    let dev = device();
    let other = Roofline::new().unwrap();
    let expression = Expression::new("v0 + v1").unwrap();
    macro_rules! check {
        ($type:ident, $release:ident, $object:expr, $use:expr) => {
            drop($object);
            let raw = match stringify!($type) {
                "Roofline" => expression.as_raw() as usize,
                _ => other.as_raw() as usize,
            };
            for wrong in [raw, 1, 0x1234_5678, usize::MAX] {
                // SAFETY: as above; ManuallyDrop because the reference is not its own.
                let wrong = ManuallyDrop::new(unsafe { $type::from_raw(wrong as *mut _) });
                fails($use(&wrong), Status::INVALID_HANDLE, "");
            }
        };
    }
    for_each_type!(check, dev);
    assert_eq!((other.reason().unwrap().as_str(), expression.arity().unwrap()), ("", 2));
}

#[test]
fn objects_of_every_type_may_be_dropped_on_another_thread() {
    let _alone = Alone::begin();
    let dev = device();
    let mut objects: Vec<Box<dyn std::any::Any + Send>> = Vec::new();
    macro_rules! keep {
        ($type:ident, $release:ident, $object:expr, $use:expr) => {
            let object: $type = $object;
            objects.push(Box::new(object));
        };
    }
    for_each_type!(keep, dev);
    assert!(objects.len() >= 17);
    let x = dev.rand::<f32>(&[64, 64], 1).unwrap();
    let others = std::thread::spawn(move || drop(objects));
    let y = x.matmul(&x).unwrap();
    drop((dev, x));
    assert_eq!(y.to_vec().unwrap().len(), 64 * 64);
    others.join().unwrap();
}

#[test]
fn what_comes_out_of_order_is_refused() {
    let _alone = Alone::begin();
    let dev = device();
    let queue = dev.queue().unwrap();
    fails(Region::pop(), Status::NOT_FOUND, "");
    fails(profile::stop(Timeout::FOREVER), Status::NOT_FOUND, "");
    let timer = Timer::new(&queue).unwrap();
    fails(timer.stop(Timeout::FOREVER), Status::INVALID_ARGUMENT, "");
    let measurement = Measurement::new(&queue).unwrap();
    assert_eq!(measurement.statistics(0).unwrap().count, 0);
    refused(measurement.statistics(1));
    let search = search(&dev);
    refused(search.best());
    fails(search.tell(0, &[1.0]), Status::INVALID_ARGUMENT, "");
    fails(search.tell_failure(0, Outcome::CRASH, None), Status::INVALID_ARGUMENT, "");
    refused(search.candidate(0));
    assert!(search.candidates().next().is_none());
    let tuner = Tuner::new(&dev).unwrap();
    fails(tuner.result(0), Status::NOT_FOUND, "");
    assert!(tuner.results().next().is_none() && tuner.events().next().is_none());
    tuner.run_watched(|_| ()).unwrap();
    tuner.cancel().unwrap();
    let event = queue.enqueue_marker(&[]).unwrap();
    event.wait(Timeout::FOREVER).unwrap();
    if let Err(error) = event.timing() {
        assert_eq!(error.status, Status::NOT_PROFILED, "{error}");
    }
    if is_opencl(&dev) {
        let benchmark = Benchmark::new(&dev).unwrap();
        refused(benchmark.tensor(0));
        let candidate = BenchmarkCandidate::new().source(SOURCE).kernel("k").global([4, 0, 0]);
        // The kernel has an argument and the record none.
        let result = benchmark.run(candidate).unwrap();
        assert!(result.outcome != Outcome::CORRECT && !result.message.is_empty());
        let kernel = kernel_of(&dev).unwrap();
        // SAFETY: nothing is launched, since the argument is missing.
        refused(unsafe { kernel.launch(4, (), &[]) });
    }
}

#[test]
fn a_region_may_move_between_threads() {
    let _alone = Alone::begin();
    let dev = device();
    let queue = dev.queue().unwrap();
    for profiled in [false, true] {
        if profiled {
            profile::start().unwrap();
        }
        let outer = Region::begin(&queue, None, "outer").unwrap();
        let inner = Region::begin(&queue, Some(&outer), "inner").unwrap();
        // The parent goes first, on another thread, and the child ends there.
        let (queue2, dev2) = (queue.clone(), dev.clone());
        std::thread::spawn(move || {
            drop(outer);
            dev2.full([1000], 1.0f32).unwrap();
            inner.annotate(1.0, 2.0).unwrap();
            inner.end().unwrap();
            fails(inner.end(), Status::INVALID_ARGUMENT, "");
            let late = Region::begin(&queue2, Some(&inner), "late");
            drop((late, inner));
        })
        .join()
        .unwrap();
        // The stack belongs to the thread: another one does not see it, and a thread that ends in
        // a region takes it with it.
        Region::push(&queue, "here").unwrap();
        let queue2 = queue.clone();
        std::thread::spawn(move || {
            fails(Region::pop(), Status::NOT_FOUND, "");
            Region::push(&queue2, "there").unwrap();
        })
        .join()
        .unwrap();
        Region::pop().unwrap();
        fails(Region::pop(), Status::NOT_FOUND, "");
        if profiled {
            profile::stop(Timeout::FOREVER).unwrap();
        }
    }
}

#[test]
fn empty_lists_are_refused_or_mean_nothing() {
    let _alone = Alone::begin();
    let dev = device();
    let queue = dev.queue().unwrap();
    let x = dev.zeros::<f32>(&[4]).unwrap();
    let none = dev.tensor::<f32>(&[], &[0, 3]).unwrap();
    assert_eq!((none.to_vec().unwrap(), none.len().unwrap()), (vec![], 0));
    none.read_into(&mut []).unwrap();
    none.write_from(&[]).unwrap();
    assert!((&none + &none).unwrap().is_empty().unwrap());
    assert_eq!(none.read_async().unwrap().wait(Timeout::FOREVER).unwrap(), []);
    refused(none.item());
    refused(expr("v0", &[]));
    refused(x.reshape([]));
    refused(x.permute(&[]));
    refused(op::concat(&[], 0, RunOptions::default()));
    refused(statistics::compute(&[], 0.95));
    queue.enqueue_marker(&[]).unwrap().wait(Timeout::FOREVER).unwrap();
    refused(space().add_ints("NONE", &[]));
    let search = search(&dev);
    let (first, ..) = search.ask().unwrap();
    search.tell(first, &[]).unwrap();
    refused(AnyTensor::from_npy(&dev, &[]));
    refused(Config::from_json(""));
    assert_eq!(x.i(&[] as &[Part]).unwrap().to_vec().unwrap(), [0.0; 4]);
}

#[test]
fn huge_lists_are_refused_or_work() {
    let _alone = Alone::begin();
    let dev = device();
    let queue = dev.queue().unwrap();
    let x = dev.zeros::<f32>(&[4]).unwrap();
    let (ones, strides) = (vec![1usize; 1 << 20], vec![1i64; 1 << 20]);
    refused(x.reshape(&ones));
    refused(x.broadcast(&ones));
    refused(x.view(&ones, Some(&strides), 0));
    refused(x.permute(&vec![0; 1 << 20]));
    refused(dev.tensor(&strides, &ones));
    refused(dev.tensor(&strides, [4]));
    let inputs = vec![x.any(); 100_000];
    refused(expr("v0 + v99999", &inputs));
    refused(op::concat(&inputs, 7, RunOptions::default()));
    let event = queue.enqueue_marker(&[]).unwrap();
    let waits = vec![&event; 20_000];
    queue.enqueue_marker(&waits).unwrap().wait(Timeout::FOREVER).unwrap();
    let long = "v0 + ".repeat(200_000);
    refused(Expression::new(&long));
    refused(expr(&("(".repeat(100_000) + "v0"), &[x.any()]));
    refused(Device::open(&"x".repeat(1 << 20)));
    refused(AnyTensor::load_npy(&dev, "/x".repeat(1 << 20)));
    refused(TuningDatabase::open("/x".repeat(1 << 20)));
    assert_eq!(statistics::compute(&vec![1.0; 1 << 18], 0.95).unwrap().count, 1 << 18);
    refused(x.read_into(&mut vec![0.0; 1 << 22]));
    refused(lease(&Pool::new(&dev).unwrap(), u64::MAX));
    if is_opencl(&dev) {
        let kernel = kernel_of(&dev).unwrap();
        let y = dev.zeros::<i32>(&[4]).unwrap();
        let args = vec![netcl::Arg::from(&y); 1 << 16];
        // SAFETY: nothing is launched, since the sizes and arguments do not fit.
        unsafe {
            refused(kernel.launch(vec![1; 1 << 16], (), &args[..1]));
            refused(kernel.launch(4, vec![1; 1 << 16], &args[..1]));
            refused(kernel.launch(4, (), &args));
            refused(kernel.launch([usize::MAX; 3], (), &args[..1]));
        }
    }
}

/// Compiles only where no type of the list is `Sync`: the call would be ambiguous.
macro_rules! movable {
    ($($type:ty)*) => {$({
        trait Ambiguous<Which> {
            fn call() {}
        }
        impl<T: ?Sized> Ambiguous<()> for T {}
        impl<T: ?Sized + Sync> Ambiguous<u8> for T {}
        <$type as Ambiguous<_>>::call();
        fn is_send<T: Send>() {}
        is_send::<$type>();
    })*};
}

fn shareable<T: Send + Sync + Clone>() {}

#[test]
fn what_the_header_calls_movable_is_not_sync() {
    movable!(Measurement Timer Region Roofline Space Benchmark);
    shareable::<Config>();
    shareable::<Ceilings>();
    shareable::<Search>();
    shareable::<Tuner>();
    shareable::<TuningDatabase>();
}

/// Gives times of a machine where A = 3 is the fastest.
fn times(config: &Config, samples: u64) -> netcl::Result<Vec<f64>> {
    match config.int("A")? {
        2 => Err(refused(Expression::new("v0 +"))),
        a => Ok((0..samples).map(|i| 1000.0 / a as f64 + (i % 3) as f64).collect()),
    }
}

#[test]
fn progress_is_an_iterator() {
    let _alone = Alone::begin();
    let dev = device();
    let search = search(&dev);
    std::thread::scope(|scope| {
        scope.spawn(|| search.run(times).unwrap());
        let events: Vec<_> = search.events().collect::<netcl::Result<_>>().unwrap();
        assert_eq!(events[0].kind, SearchEventKind::STARTED);
        assert_eq!(events.last().unwrap().kind, SearchEventKind::STOPPED);
    });
    assert_eq!(search.best().unwrap().int("A").unwrap(), 3);
    let outcomes: Vec<_> = search.candidates().map(|c| c.unwrap().0.outcome).collect();
    assert_eq!(outcomes.len(), 3);
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Outcome::RUNTIME).count(), 1);
    let failure = search.failure(Outcome::RUNTIME).unwrap();
    assert!(failure.contains("expected an operand"), "{failure}");
    // SAFETY: a handle that the library refuses.
    let stale = unsafe { ManuallyDrop::new(Search::from_raw(1 as *mut _)) };
    let mut events = stale.events();
    fails(events.next().unwrap(), Status::INVALID_HANDLE, "");
    assert!(events.next().is_none());
    let mut candidates = stale.candidates();
    fails(candidates.next().unwrap(), Status::INVALID_HANDLE, "");
    assert!(candidates.next().is_none());
}

#[test]
fn a_run_can_be_watched_and_cancelled() {
    let _alone = Alone::begin();
    let dev = device();
    let database = TuningDatabase::open(":memory:").unwrap();
    let few = SearchOptions::new().evaluations(2).samples(3);
    let options = TunerOptions::new().search(few).database(&database);
    let tuner = Tuner::with_options(&dev, options).unwrap();
    tuner.add_reduction(1, 4096, netcl::Dtype::F32).unwrap();
    let thrown = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        tuner.run_watched(|_| std::panic::resume_unwind(Box::new(17)))
    }));
    assert_eq!(*thrown.unwrap_err().downcast::<i32>().unwrap(), 17);
    let mut kinds = Vec::new();
    tuner.add_reduction(2, 4096, netcl::Dtype::F32).unwrap();
    tuner.run_watched(|event| kinds.push(event.kind)).unwrap();
    assert!(kinds.contains(&SearchEventKind::STARTED));
    assert_eq!(kinds.last(), Some(&SearchEventKind::STOPPED));
    let results: Vec<_> = tuner.results().collect::<netcl::Result<_>>().unwrap();
    assert!(results.len() == 2 && results[1].0.status == Status::OK && results[1].1.is_some());
    let records: Vec<_> = database.records().collect::<netcl::Result<_>>().unwrap();
    assert_eq!(records.len() as u64, database.info().unwrap().records);
    assert!(tuner.events().all(|event| event.is_ok()));

    // Far more than can be done before the first event is seen.
    for outputs in 3..60 {
        tuner.add_reduction(outputs, 100_000, netcl::Dtype::F32).unwrap();
    }
    let done = tuner.run_watched(|_| tuner.cancel().unwrap());
    fails(done, Status::CANCELLED, "");
}
