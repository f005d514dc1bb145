//! Gradients of closures: their types and forms, and what becomes of the recording.

mod common;
use common::{device, fails, Random};
use netcl::{gradients, op, AnyTensor, Device, Recording, Reduction, Result, Status, Tensor};
use std::panic::{catch_unwind, AssertUnwindSafe};

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
    fails(gradients(&x, double), Status::INVALID_ARGUMENT, "");
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
    // Without them they are constants, and so is what operators give.
    let nothing = gradients(&x, |recording| x.relu()?.sum_with(.., recording.run()));
    fails(nothing.map(|_| ()), Status::INVALID_ARGUMENT, "inputs[0]");
    let nothing = gradients(&x, |recording| (&x + &y)?.sum_with(.., recording.run()));
    fails(nothing.map(|_| ()), Status::INVALID_ARGUMENT, "inputs[0]");
}
