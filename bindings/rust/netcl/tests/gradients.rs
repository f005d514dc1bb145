//! Gradients of closures: their types and forms, and what becomes of the recording.

mod common;
use common::{device, fails, Random};
use netcl::{gradients, no_recording, op, AnyTensor, Device, Graph, GraphCall, Recording};
use netcl::{Reduction, Result, RunOptions, Status, Tensor};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicU32, Ordering};

fn text(recording: &Recording, text: &str, inputs: &[&AnyTensor]) -> Result<AnyTensor> {
    op::expression_text(text, inputs, Default::default(), recording.run())
}

fn sum(recording: &Recording, x: &AnyTensor) -> Result<AnyTensor> {
    op::reduce(x, Reduction::SUM, Default::default(), recording.run())
}

fn fresh(dev: &Device, random: &mut Random, count: usize) -> (Vec<f32>, Tensor<f32>) {
    let values = random.numbers(count);
    let tensor = dev.tensor(&values, count).unwrap();
    (values, tensor)
}

#[track_caller]
fn close(got: &Tensor<f32>, expected: impl Iterator<Item = f64>) {
    let got = got.to_vec().unwrap();
    let expected: Vec<f64> = expected.collect();
    assert_eq!(got.len(), expected.len());
    for (a, b) in got.iter().zip(&expected) {
        assert!((f64::from(*a) - b).abs() <= 1e-5 * (1.0 + b.abs()), "{got:?}, {expected:?}");
    }
}

/// A recording stands where options of the run do.
#[test]
fn recordings_are_handed_on() {
    let dev = device();
    let w = dev.tensor(&[1.0f32, 2.0, 3.0, 4.0], (2, 2)).unwrap();
    let x = dev.full((2, 2), 2.0f32).unwrap();
    let recording = Recording::new(&dev).unwrap();
    let alone = w.matmul_with(&x, &recording).unwrap();
    let options = netcl::MatmulOptions::new();
    let paired = w.matmul_with(&x, (options, &recording)).unwrap();
    let text = netcl::expr_with("v0 + v1 * v1", &[&alone, &paired], &recording).unwrap();
    let loss = text.typed::<f32>().unwrap().sum_with(.., (&recording).into()).unwrap();
    let dw = recording.gradients(&loss, &w).unwrap().to_vec().unwrap();
    // The loss is the sum of y + y², y = w x: its gradient by y is 1 + 2 y, and by w the sum of 2
    // of these per row.
    let by_row = |row: f64| 2.0 * 2.0 * (1.0 + 2.0 * row);
    let expected = [by_row(6.0), by_row(6.0), by_row(14.0), by_row(14.0)];
    assert!(dw.iter().zip(expected).all(|(a, b)| (f64::from(*a) - b).abs() < 1e-3), "{dw:?}");
}

#[test]
fn gradients_have_the_form_and_types_of_the_inputs() {
    let dev = device();
    let mut random = Random::fresh();
    let (a, x) = fresh(&dev, &mut random, 5);
    let (b, y) = fresh(&dev, &mut random, 5);
    let work = |recording: &Recording| {
        sum(recording, &text(recording, "v0 * v0 * v1", &[&x, &y])?)?.typed::<f32>()
    };
    let value: f64 = a.iter().zip(&b).map(|(a, b)| f64::from(*a).powi(2) * f64::from(*b)).sum();
    let by_x = || a.iter().zip(&b).map(|(a, b)| 2.0 * f64::from(*a) * f64::from(*b));
    let by_y = || a.iter().map(|a| f64::from(*a).powi(2));

    let (loss, (dx, dy)): (Tensor<f32>, _) = gradients((&x, &y), work).unwrap();
    assert!((f64::from(loss.item().unwrap()) - value).abs() < 1e-5 * (1.0 + value.abs()));
    close(&dx, by_x());
    close(&dy, by_y());
    let (_, dy) = gradients(&y, work).unwrap();
    close(&dy, by_y());
    let (_, [dy, dx]) = gradients([&y, &x], work).unwrap();
    close(&dx, by_x());
    close(&dy, by_y());
    let list = [&x, &y];
    let (_, (made, (again,))) = gradients((&list[..], (&y,)), work).unwrap();
    close(&made[0], by_x());
    close(&made[1], by_y());
    close(&again, by_y());
}

#[test]
fn types_may_differ() {
    let dev = device();
    let x = dev.tensor(&[1.0f32, 2.0], [2]).unwrap();
    let half = dev.tensor(&[3.0f32, 4.0].map(netcl::F16::from_f32), [2]).unwrap();
    let (_, (dx, dh)) = gradients((&x, &half), |recording| {
        sum(recording, &text(recording, "v0 * f32(v1)", &[&x, &half])?)
    })
    .unwrap();
    let halves: Vec<netcl::F16> = dh.to_vec().unwrap();
    assert_eq!(halves.iter().map(|h| h.to_f32()).collect::<Vec<_>>(), [1.0, 2.0]);
    close(&dx, [3.0, 4.0].into_iter());
}

#[test]
fn recordings_have_gradients_of_gradients_and_end() {
    let dev = device();
    let x = dev.tensor(&[1.0f32, 2.0, -3.0], [3]).unwrap();
    let recording = Recording::new(&dev).unwrap();
    let loss = sum(&recording, &text(&recording, "v0 * v0 * v0", &[&x]).unwrap()).unwrap();
    let dx = recording.gradients(&loss, &x).unwrap();
    close(&dx, [3.0, 12.0, 27.0].into_iter());
    let slope = sum(&recording, &dx).unwrap();
    close(&recording.gradients(&slope, &x).unwrap(), [6.0, 12.0, -18.0].into_iter());
    let graph = recording.graph().clone();
    assert!(graph.info().unwrap().call_count > 0);
    drop(recording);
    assert_eq!(graph.info().unwrap().call_count, 0);
}

#[test]
fn a_recording_ends_with_an_error_or_a_panic() {
    let dev = device();
    let x = dev.tensor(&[1.0f32, 2.0], [2]).unwrap();
    let mut graphs = Vec::new();
    let failed = gradients(&x, |recording| {
        graphs.push(recording.graph().clone());
        text(recording, "v0 +", &[&x])
    });
    fails(failed, Status::INVALID_ARGUMENT, "");
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        gradients(&x, |recording| -> Result<AnyTensor> {
            graphs.push(recording.graph().clone());
            sum(recording, &x)?;
            panic!("in the closure")
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(graphs.len(), 2);
    for graph in graphs {
        assert_eq!(graph.info().unwrap().call_count, 0);
    }
}

#[test]
fn what_has_no_gradient_is_refused() {
    let dev = device();
    let x = dev.tensor(&[1.0f32, 2.0], [2]).unwrap();
    let y = dev.tensor(&[1.0f32, 2.0], [2]).unwrap();
    let none: &[&Tensor<f32>] = &[];
    fails(gradients(none, |recording| sum(recording, &x)), Status::INVALID_ARGUMENT, "an input");
    let double = |recording: &Recording| text(recording, "2 * v0", &[&x]);
    fails(gradients(&x, double), Status::INVALID_ARGUMENT, "sum it");
    let constant = |recording: &Recording| sum(recording, &x);
    fails(gradients((&x, &y), constant), Status::INVALID_ARGUMENT, "inputs[1]");
}

#[test]
fn named_functions_are_recorded_by_their_options() {
    let dev = device();
    let x = dev.tensor(&[-1.0f32, 2.0, 3.0, -4.0], 4).unwrap();
    let y = dev.tensor(&[1.0f32, -2.0, 0.5, 1.0], 4).unwrap();
    let (loss, (dx, dy)) = gradients((&x, &y), |recording| {
        let run = || recording.run();
        let z = netcl::expr_with("2 * v0 * v1 + v0", &[&x, &y], run())?.typed::<f32>()?;
        let z = z.maximum_with(0.0, run())?.relu_with(run())?.clamp_with(-10.0, 10.0, run())?;
        z.unsqueeze(0)?.sum_keepdim_with(1, run())?.sum_with(.., run())
    })
    .unwrap();
    assert_eq!(loss.item().unwrap(), 6.0);
    close(&dx, [0.0, 0.0, 2.0, 0.0].into_iter());
    close(&dy, [0.0, 0.0, 6.0, 0.0].into_iter());
}

#[test]
fn all_that_a_closure_computes_is_recorded() {
    let dev = device();
    let v = dev.tensor(&[1.0f32, 1.0], 2).unwrap();
    let w = dev.tensor(&[1.0f32, 2.0], 2).unwrap();
    // Operators, methods without options and what names the graph, each behind the others.
    let (_, (dv, dw)) = gradients((&v, &w), |recording| {
        let p = (&w * 3.0)?;
        let q = netcl::expr_with("v0 * v0 + v1", &[&w, &p], recording.run())?.typed::<f32>()?;
        (q.square()? * &v)?.reshape((2, 1))?.t()?.contiguous()?.sum(..)
    })
    .unwrap();
    close(&dv, [16.0, 100.0].into_iter());
    close(&dw, [2.0 * 4.0 * 5.0, 2.0 * 10.0 * 7.0].into_iter());
    let (_, dw) = gradients(&w, |_| {
        let stacked = Tensor::concat(&[&w, &(&w * &w)?], 0)?;
        let bit = w.gt(1.5)?.to::<f32>()?;
        (stacked.i(1..3)? * 2.0 + bit.where_like(&w)?)?.sum(..)
    })
    .unwrap();
    close(&dw, [4.0, 2.0 + 1.0].into_iter());
}

trait WhereLike {
    fn where_like(&self, other: &Tensor<f32>) -> Result<Tensor<f32>>;
}
impl WhereLike for Tensor<f32> {
    /// Elements of another tensor where these are not 0.
    fn where_like(&self, other: &Tensor<f32>) -> Result<Tensor<f32>> {
        self.ne(0.0)?.where_cond(other, 0.0)
    }
}

#[test]
fn what_is_not_to_be_recorded_is_constant() {
    let dev = device();
    let w = dev.tensor(&[1.0f32, 2.0], 2).unwrap();
    let (_, dw) = gradients(&w, |_| (&w * &no_recording(|| &w * 3.0)?)?.sum(..)).unwrap();
    close(&dw, [3.0, 6.0].into_iter());
    let (_, dw) = gradients(&w, |_| (&w.square()?.detach()? * &w)?.sum(..)).unwrap();
    close(&dw, [1.0, 4.0].into_iter());
    assert_eq!(w.detach().unwrap().to_vec().unwrap(), [1.0, 2.0]);
    assert_eq!(dev.tensor(&[7u8], 1).unwrap().detach().unwrap().to_vec().unwrap(), [7]);
    // A graph within is one of its own, and what it gives a constant.
    let (_, dw) = gradients(&w, |_| {
        let (_, inner) = gradients(&w, |_| w.square()?.sum(..))?;
        (&w * &inner)?.sum(..)
    })
    .unwrap();
    close(&dw, [2.0, 4.0].into_iter());
    // A call that names a graph is recorded there.
    let other = Recording::new(&dev).unwrap();
    let nothing = gradients(&w, |_| w.square_with(other.run())?.sum_with(.., other.run()));
    fails(nothing.map(|_| ()), Status::INVALID_ARGUMENT, "");
    assert_eq!(other.graph().info().unwrap().call_count, 2);
}

#[test]
fn calls_on_another_device_are_refused_unless_they_are_constant() {
    let dev = device();
    let selector = std::env::var("NETCL_TEST_DEVICE").unwrap_or_else(|_| "builtin".into());
    let apart = netcl::DeviceOptions::new().separate(true);
    let other = Device::open_with(&selector, apart).unwrap();
    let w = dev.tensor(&[1.0f32, 2.0], 2).unwrap();
    let there = other.tensor(&[3.0f32, 4.0], 2).unwrap();
    let text = "run->graph records calls on device";
    let (_, dw) = gradients(&w, |_| {
        fails(there.square(), Status::INVALID_ARGUMENT, text);
        fails(there.detach(), Status::INVALID_ARGUMENT, text);
        let constant = no_recording(|| there.square())?.to_vec()?;
        (&w * &dev.tensor(&constant, 2)?)?.sum(..)
    })
    .unwrap();
    close(&dw, [9.0, 16.0].into_iter());
}

#[test]
fn a_thread_records_until_the_closure_ends() {
    let dev = device();
    let w = dev.tensor(&[1.0f32, 2.0], 2).unwrap();
    let recording = Recording::new(&dev).unwrap();
    let count = || recording.graph().info().unwrap().call_count;
    recording.record(|| w.square()).unwrap();
    assert_eq!(count(), 1);
    w.square().unwrap();
    let panicked = catch_unwind(AssertUnwindSafe(|| recording.record(|| panic!("within"))));
    assert!(panicked.is_err());
    w.square().unwrap();
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        recording.record(|| no_recording(|| panic!("within the other")))
    }));
    assert!(panicked.is_err());
    w.square().unwrap();
    recording.record(|| {
        std::thread::scope(|threads| threads.spawn(|| w.square().unwrap()).join().unwrap());
        no_recording(|| w.square().unwrap());
        assert_eq!(count(), 1);
        w.exp().unwrap()
    });
    assert_eq!(count(), 2);
}

#[test]
fn a_graphs_function_records_what_it_computes() {
    let dev = device();
    fn loss(x: &Tensor<f32>, w: &Tensor<f32>) -> Result<Tensor<f32>> {
        ((x * w)? - 1.0)?.square()?.mean(..)
    }
    let w = dev.tensor(&[3.0f32, -1.0], 2).unwrap();
    let (kept, seen) = (w.clone(), AtomicU32::new(0));
    let step = Graph::from_function(
        &dev,
        move |call: &GraphCall<'_>| {
            seen.fetch_add(1, Ordering::SeqCst);
            let x = call.input::<f32>(0)?;
            assert!(call.input::<f32>(1).is_err());
            assert!(call.input::<f64>(0).is_err());
            let value = loss(&x, &kept)?;
            let (slope, (again,)) = call.gradients(&value, (&kept, (&kept,)))?;
            let next = (&kept - (slope + again)? * 0.25)?;
            next.copy_with(RunOptions::new().into(&kept))?;
            assert!(call.gradients(&next, &x).is_err());
            assert!(seen.load(Ordering::SeqCst) == 1);
            Ok([AnyTensor::from(value), next.detach()?.into()])
        },
        2,
    )
    .unwrap();
    let x = dev.tensor(&[1.0f32, 2.0], 2).unwrap();
    let mut expected = [3.0f32, -1.0];
    // Within a recording too: the runs are constants there.
    let recording = Recording::new(&dev).unwrap();
    for round in 0..3 {
        let before = loss(&x, &w).unwrap().item().unwrap();
        let made = match round {
            1 => recording.record(|| step.evaluate(&[&x])).unwrap(),
            _ => step.evaluate(&[&x]).unwrap(),
        };
        let [value, next]: [AnyTensor; 2] = made.try_into().unwrap();
        assert!((value.typed::<f32>().unwrap().item().unwrap() - before).abs() < 1e-5);
        for (e, x) in expected.iter_mut().zip([1.0, 2.0]) {
            *e -= 0.5 * (*e * x - 1.0) * x;
        }
        close(&w, expected.iter().map(|e| f64::from(*e)));
        close(&next.typed().unwrap(), expected.iter().map(|e| f64::from(*e)));
    }
    assert_eq!(recording.graph().info().unwrap().call_count, 0);
}
