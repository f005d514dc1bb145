//! Primitives of closures: what they are called with, their gradients, and how they fail and end.

#![allow(clippy::needless_update)] // Options may get further members.

mod common;
use common::{device, fails, Random};
use netcl::{
    gradients, op, AnyTensor, Device, Error, Graph, GraphOptions, HandleType, PrimitiveCall,
};
use netcl::{primitive, PrimitiveCallOptions, PrimitiveOptions};
use netcl::{Result, RunOptions, Status, Tensor, Tensors, Toggle};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

fn text(call: &PrimitiveCall<'_>, formula: &str, inputs: &[&AnyTensor]) -> Result<AnyTensor> {
    op::expression_text(formula, inputs, Default::default(), call.run())
}

fn one<'a>(name: &str, input: &AnyTensor, run: RunOptions<'a>) -> Result<AnyTensor> {
    op::primitive(name, &[input], Default::default(), run)
}

fn sum(x: &AnyTensor, run: RunOptions<'_>) -> Result<AnyTensor> {
    op::reduce(x, netcl::Reduction::SUM, Default::default(), run)
}

fn options(arity: u32) -> PrimitiveOptions<'static> {
    PrimitiveOptions::new().arity(arity)
}

/// A primitive that goes when the test does, also one that fails.
struct Registered(&'static str);

impl Registered {
    fn new<R: Into<Tensors>>(
        name: &'static str,
        options: PrimitiveOptions<'_>,
        function: impl Fn(&PrimitiveCall<'_>) -> Result<R> + Send + Sync + 'static,
    ) -> Registered {
        primitive::register_function_with(name, function, options).unwrap();
        Registered(name)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        let _ = primitive::unregister(self.0);
    }
}

fn numbers(dev: &Device, count: usize) -> (Vec<f32>, Tensor<f32>) {
    let values = Random::fresh().numbers(count);
    let tensor = dev.tensor(&values, count).unwrap();
    (values, tensor)
}

#[track_caller]
fn close(got: &AnyTensor, expected: &[f32]) {
    let got = got.clone().typed::<f32>().unwrap().to_vec().unwrap();
    assert_eq!(got.len(), expected.len());
    for (a, b) in got.iter().zip(expected) {
        assert!((a - b).abs() <= 1e-5 * (1.0 + b.abs()), "{got:?}, {expected:?}");
    }
}

/// Ten times its input where that is wanted, so that a test sees whose gradient it has.
fn scaled(call: &PrimitiveCall<'_>) -> Result<AnyTensor> {
    match call.grad() {
        None => text(call, "v0 * v0", &[&call.inputs()[0]]),
        Some(grad) => text(call, "10 * v0 * v1", &[&call.inputs()[0], grad]),
    }
}

#[test]
fn what_a_function_gives_is_typed_or_not() {
    let dev = device();
    let x = dev.full(2, 1.5f32).unwrap();
    for made in [
        Tensors::from(x.clone()),
        vec![x.clone()].into(),
        [x.clone()].into(),
        [AnyTensor::from(x.clone())].into(),
    ] {
        let shapes: Vec<_> = made.0.iter().map(|x| x.as_ref().unwrap().shape()).collect();
        assert_eq!(shapes, [[2]]);
    }
}

#[test]
fn gradients_of_its_own_train_something() {
    let dev = device();
    let own = options(2).gives_gradients(true);
    let _p = Registered::new("rust_fit", own, |call| {
        let [w, x] = [&call.inputs()[0], &call.inputs()[1]];
        let grad = match call.grad() {
            None => return Ok(Tensors::from(text(call, "v0 * v1", &[w, x])?)),
            Some(grad) => grad,
        };
        assert_eq!((call.wanted(), call.out().is_some()), (1, true));
        let dw = text(call, "v0 * v1", &[grad, x])?;
        Ok([Some(sum(&dw, call.run())?), None].into())
    });
    let x = dev.tensor(&[1f32, 2.0, 3.0], [3]).unwrap();
    let mut w = dev.full([], 0f32).unwrap();
    for _ in 0..60 {
        let (_, dw) = gradients(&w, |recording| {
            let y = op::primitive("rust_fit", &[&w, &x], Default::default(), recording.run())?;
            let off = op::expression_text(
                "square(v0 - 5 * v1)",
                &[&y, &x],
                Default::default(),
                recording.run(),
            )?;
            sum(&off, recording.run())
        })
        .unwrap();
        w = netcl::expr("v0 - 0.02 * v1", &[&w, &dw]).unwrap().typed().unwrap();
    }
    assert!((w.item().unwrap() - 5.0).abs() < 1e-3, "{:?}", w);
}

#[test]
fn gradients_are_those_of_its_calls_without_them() {
    let dev = device();
    let (values, x) = numbers(&dev, 5);
    let calls = Arc::new(AtomicUsize::new(0));
    let wanted: Vec<f32> = values.iter().map(|v| 2.0 * v * (v * v).cos()).collect();
    for checkpoint in [false, true] {
        let counted = calls.clone();
        let how = options(1).checkpoint(checkpoint);
        let _p = Registered::new("rust_wave", how, move |call| {
            counted.fetch_add(1, Ordering::SeqCst);
            let square = text(call, "v0 * v0", &[&call.inputs()[0]])?;
            text(call, "sin(v0)", &[&square])
        });
        calls.store(0, Ordering::SeqCst);
        let (_, dx) = gradients(&x, |recording| {
            sum(&one("rust_wave", &x, recording.run())?, recording.run())
        })
        .unwrap();
        close(&dx, &wanted);
        assert_eq!(calls.load(Ordering::SeqCst), if checkpoint { 2 } else { 1 });
    }
}

#[test]
fn attributes_queues_and_places_arrive() {
    let dev = device();
    let (values, x) = numbers(&dev, 4);
    let how = options(0).attributes(&["a", "b"]).defaults(&[2.0, 3.0]);
    let _p = Registered::new("rust_values", how, |call| {
        assert_eq!(call.values().len(), 2);
        assert!(call.run().queue.is_some() && call.run().waits.len() == 1);
        assert!(call.run().graph.is_none());
        let formula = format!("{:?} * v0 + {:?}", call.values()[0], call.values()[1]);
        text(call, &formula, &[&call.inputs()[call.inputs().len() - 1]])
    });
    let queue = netcl::Queue::new(&dev).unwrap();
    let other = netcl::Queue::new(&dev).unwrap();
    let event = other.enqueue_marker(&[]).unwrap();
    let into = dev.zeros::<f32>(&[4]).unwrap();
    let mut done = None;
    let set = PrimitiveCallOptions::new().attributes(&["b"]).values(&[0.5]);
    let waits = [&event];
    let run = RunOptions::new().queue(&queue).waits(&waits).into(&into).event(&mut done);
    op::primitive("rust_values", &[&x, &x], set, run).unwrap();
    done.unwrap().wait(netcl::Timeout::FOREVER).unwrap();
    close(&into, &values.iter().map(|v| 2.0 * v + 0.5).collect::<Vec<_>>());
}

#[test]
fn primitives_may_call_each_other() {
    let dev = device();
    let (values, x) = numbers(&dev, 4);
    let own = options(1).gives_gradients(true);
    let _inner = Registered::new("rust_inner", own, scaled);
    let _outer = Registered::new("rust_outer", options(1), |call| {
        let inner = one("rust_inner", &call.inputs()[0], call.run())?;
        text(call, "2 * v0", &[&inner])
    });
    close(
        &one("rust_outer", &x, Default::default()).unwrap(),
        &values.iter().map(|v| 2.0 * v * v).collect::<Vec<_>>(),
    );
    let wanted: Vec<f32> = values.iter().map(|v| 20.0 * v).collect();
    let (_, dx) =
        gradients(&x, |recording| sum(&one("rust_outer", &x, recording.run())?, recording.run()))
            .unwrap();
    close(&dx, &wanted);
    // Compiled, too: the function is called once, and its calls are what runs.
    let how = GraphOptions::new().execute(Toggle::OFF);
    let graph = Graph::with_options(&dev, how).unwrap();
    let run = || RunOptions::new().graph(&graph);
    let loss = sum(&one("rust_outer", &x, run()).unwrap(), run()).unwrap();
    let dx = graph.add_gradients(&[&loss], &[&x]).unwrap();
    graph.compile(&[&x], &[&dx[0]]).unwrap();
    let made = dev.zeros::<f32>(&[4]).unwrap();
    graph.run(&[&x], &[&made]).unwrap();
    close(&made, &wanted);
}

#[test]
fn errors_and_panics_are_those_of_the_call() {
    let dev = device();
    let (_, x) = numbers(&dev, 3);
    let mine = Error { status: Status::IO, native_code: -7, message: "of\nthe closure".into() };
    let given = mine.clone();
    let _errs =
        Registered::new("rust_errs", options(1), move |_| Err::<AnyTensor, _>(given.clone()));
    let error = fails(one("rust_errs", &x, Default::default()), Status::IO, "of the closure");
    assert_eq!(error.native_code, mine.native_code);
    let _panics = Registered::new("rust_panics", options(1), |call| -> Result<AnyTensor> {
        panic!("{} inputs", call.inputs().len())
    });
    let text_of = "the function panicked: 1 inputs";
    fails(one("rust_panics", &x, Default::default()), Status::CANCELLED, text_of);
    // Through another one, and where gradients are asked for.
    let own = options(1).gives_gradients(true);
    let _outer = Registered::new("rust_outer_errs", own, |call| match call.grad() {
        None => one("rust_wrong", &call.inputs()[0], call.run()),
        Some(_) => one("rust_panics", &call.inputs()[0], call.run()),
    });
    fails(one("rust_outer_errs", &x, Default::default()), Status::NOT_FOUND, "rust_wrong");
    let _wrong =
        Registered::new("rust_wrong", options(1), |call| text(call, "v0", &[&call.inputs()[0]]));
    fails(
        gradients(&x, |r| sum(&one("rust_outer_errs", &x, r.run())?, r.run())),
        Status::CANCELLED,
        text_of,
    );
    // An error whose status is OK is one all the same, and no message of before stands for another.
    let _ok = Registered::new("rust_ok", options(1), |_| {
        Err::<AnyTensor, _>(Error { status: Status::OK, native_code: 0, message: "a\0b".into() })
    });
    fails(one("rust_ok", &x, Default::default()), Status::INVALID_ARGUMENT, "a b");
}

#[test]
fn what_a_closure_gives_is_checked() {
    let dev = device();
    let (_, x) = numbers(&dev, 3);
    let _none = Registered::new("rust_none", options(1), |_| Ok(None));
    fails(one("rust_none", &x, Default::default()), Status::INVALID_ARGUMENT, "tensors[0]");
    let _many = Registered::new("rust_many", options(1), |call| {
        let copy = || text(call, "v0", &[&call.inputs()[0]]);
        Ok(vec![copy()?, copy()?])
    });
    fails(one("rust_many", &x, Default::default()), Status::INVALID_ARGUMENT, "2 entries; 1");
    // What comes in may go out: it is copied.
    let _same = Registered::new("rust_same", options(1), |call| Ok(call.inputs()[0].clone()));
    let y = one("rust_same", &x, Default::default()).unwrap();
    assert_ne!(y.buffer().unwrap(), x.buffer().unwrap());
    let closure = |_: &PrimitiveCall<'_>| Ok(None);
    let formula = options(1).forward("v0");
    let wrong = primitive::register_function_with("rust_formula", closure, formula);
    fails(wrong, Status::INVALID_ARGUMENT, "forward");
    fails(
        netcl::primitive::register_function("rust\0", closure),
        Status::INVALID_ARGUMENT,
        "NUL character",
    );
}

struct Dropped(Arc<AtomicUsize>);
impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn closures_are_dropped_once() {
    let dev = device();
    let (_, x) = numbers(&dev, 3);
    let drops = Arc::new(AtomicUsize::new(0));
    let seen = || drops.load(Ordering::SeqCst);
    let register = |name: &str, how| {
        let held = Dropped(drops.clone());
        let own = move |call: &PrimitiveCall<'_>| {
            let _ = &held;
            scaled(call)
        };
        primitive::register_function_with(name, own, how)
    };
    let own = options(1).gives_gradients(true);
    register("rust_drops", own).unwrap();
    fails(register("rust_drops", own), Status::INVALID_ARGUMENT, "rust_drops");
    assert_eq!(seen(), 1);
    fails(register("rust_more", options(63)), Status::INVALID_ARGUMENT, "arity");
    assert_eq!(seen(), 2);
    // A graph that has a call keeps it.
    let graph = Graph::new(&dev).unwrap();
    let run = RunOptions::new().graph(&graph);
    let y = one("rust_drops", &x, run).unwrap();
    primitive::unregister("rust_drops").unwrap();
    assert_eq!(seen(), 2);
    let ones = dev.full([3], 1f32).unwrap();
    let ones = [&*ones];
    let seeds = netcl::GradientsOptions::new().seeds(&ones);
    graph.add_gradients_with(&[&y], &[&x], seeds).unwrap();
    drop(graph);
    assert_eq!(seen(), 3);
    fails(primitive::unregister("rust_drops"), Status::NOT_FOUND, "rust_drops");
}

#[test]
fn many_threads_call_one() {
    let dev = device();
    let threads = Arc::new(Mutex::new(std::collections::HashSet::new()));
    let met = threads.clone();
    let _p = Registered::new("rust_threads", options(1), move |call| {
        met.lock().unwrap().insert(std::thread::current().id());
        text(call, "v0 + 1", &[&call.inputs()[0]])
    });
    let x = dev.full([4], 1f32).unwrap();
    let all: Vec<_> = (0..4)
        .map(|_| {
            let x = x.clone();
            std::thread::spawn(move || {
                for _ in 0..20 {
                    close(&one("rust_threads", &x, Default::default()).unwrap(), &[2.0; 4]);
                }
                std::thread::current().id()
            })
        })
        .collect();
    // It runs on the thread that calls.
    for thread in all {
        let id = thread.join().unwrap();
        assert!(threads.lock().unwrap().contains(&id));
    }
    assert_eq!(threads.lock().unwrap().len(), 4);
}

#[test]
fn nothing_is_left() {
    // In a process of its own, where no other test makes handles meanwhile.
    const CHILD: &str = "NETCL_TEST_PRIMITIVES_CHILD";
    if std::env::var_os(CHILD).is_none() {
        let own = std::env::current_exe().unwrap();
        let done = std::process::Command::new(own)
            .args(["--exact", "nothing_is_left"])
            .env(CHILD, "1")
            .output()
            .unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
        return;
    }
    gradients_of_its_own_train_something();
    gradients_are_those_of_its_calls_without_them();
    attributes_queues_and_places_arrive();
    primitives_may_call_each_other();
    errors_and_panics_are_those_of_the_call();
    what_a_closure_gives_is_checked();
    closures_are_dropped_once();
    for kind in HandleType::VALUES {
        assert_eq!(netcl::library::live_count(kind).unwrap(), 0, "{kind:?}");
    }
}

/// A graph of a closure records it once for each shape, and gives what its calls give.
#[test]
fn graphs_of_closures() {
    let dev = device();
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let graph = Graph::from_function(
        &dev,
        move |call| {
            counted.fetch_add(1, Ordering::Relaxed);
            if call.inputs().len() != 1 {
                let message = "one input is enough".into();
                return Err(Error { status: Status::UNSUPPORTED, native_code: 0, message });
            }
            op::expression_text("v0 * v0 + 1", &[&call.inputs()[0]], Default::default(), call.run())
        },
        1,
    )
    .unwrap();
    for size in [2usize, 3, 2] {
        let x = dev.tensor(&[1f32, 2.0, 3.0][..size], size).unwrap();
        let made = graph.evaluate(&[&x]).unwrap();
        close(&made[0], &[2.0, 5.0, 10.0][..size]);
    }
    assert_eq!(calls.load(Ordering::Relaxed), 2);
    assert_eq!(graph.info().unwrap().form_count, 2);
    let x = dev.tensor(&[1f32], [1]).unwrap();
    let error = graph.evaluate(&[&x, &x]).unwrap_err();
    assert!(error.to_string().contains("one input is enough"), "{error}");
    drop(graph);
    assert_eq!(Arc::strong_count(&calls), 1);
}
