//! Tensors that are made of numbers, and the parts and names of what is often made of tensors.

mod common;
use common::device;
use netcl::{gradients, op, Bf16, Part, RunOptions, Scalar, Status, Tensor, F16};

#[test]
fn tensors_are_made_of_numbers() {
    let dev = device();
    assert_eq!(dev.ones::<i8>(2).unwrap().to_vec().unwrap(), [1; 2]);
    assert_eq!(dev.ones::<u32>(()).unwrap().item().unwrap(), 1);
    assert_eq!(dev.ones::<f64>(1).unwrap().to_vec().unwrap(), [1.0]);
    assert_eq!(dev.ones::<Bf16>(1).unwrap().to_vec().unwrap(), [Bf16::from_f32(1.0)]);
    assert_eq!(dev.ones::<bool>(1).unwrap().ones_like().unwrap().to_vec().unwrap(), [true]);

    assert_eq!(dev.arange(0, 4).unwrap().to_vec().unwrap(), [0, 1, 2, 3]);
    assert_eq!(dev.arange(2u8, 1).unwrap().to_vec().unwrap(), []);
    let steps = |start: i64, end, step| dev.arange_step(start, end, step).unwrap();
    assert_eq!(steps(5, -2, -3).to_vec().unwrap(), [5, 2, -1]);
    assert_eq!(steps(5, -1, -3).to_vec().unwrap(), [5, 2]);
    let far = steps(i64::MIN, i64::MAX, i64::MAX);
    assert_eq!(far.to_vec().unwrap(), [i64::MIN, -1, i64::MAX - 1]);
    let wide = dev.arange_step(u64::MAX - 3, u64::MAX, 2).unwrap();
    assert_eq!(wide.to_vec().unwrap(), [u64::MAX - 3, u64::MAX - 1]);
    let half = F16::from_f32;
    let halves = dev.arange_step(half(0.0), half(1.0), half(0.5)).unwrap();
    assert_eq!(halves.to_vec().unwrap(), [half(0.0), half(0.5)]);
    for wrong in [0.0, f32::NAN, 1e-30] {
        let error = dev.arange_step(0.0, 1.0f32, wrong).unwrap_err();
        assert_eq!(error.status, Status::INVALID_ARGUMENT);
        assert!(error.to_string().contains("is no range"), "{error}");
    }
    assert!(dev.arange_step(0, 1, 0).is_err());

    let line = dev.linspace::<f32>(0.1, 0.7, 23).unwrap().to_vec().unwrap();
    assert_eq!((line[0], line[22]), (0.1, 0.7));
    let near = |i: usize| (line[i] - 0.1 - 0.6 / 22.0 * i as f32).abs() < 1e-6;
    assert!((0..23).all(near));
    assert_eq!(dev.linspace::<f64>(1.0, 2.0, 3).unwrap().to_vec().unwrap(), [1.0, 1.5, 2.0]);
    assert_eq!(dev.linspace::<F16>(0.25, 2.0, 1).unwrap().to_vec().unwrap(), [half(0.25)]);
    let far = dev.linspace::<f64>(-1e308, 1e308, 3).unwrap();
    assert_eq!(far.to_vec().unwrap(), [-1e308, 0.0, 1e308]);
    let far = dev.linspace::<f32>(-3e38, 3e38, 2).unwrap();
    assert_eq!(far.to_vec().unwrap(), [-3e38, 3e38]);
    assert_eq!(dev.linspace::<f64>(0.25, 2.0, 0).unwrap().to_vec().unwrap(), []);

    assert_eq!(dev.eye::<i32>(2).unwrap().to_vec().unwrap(), [1, 0, 0, 1]);
    let wide = dev.zeros::<u8>((2, 3)).unwrap();
    wide.eye(1).unwrap();
    assert_eq!(wide.to_vec().unwrap(), [0, 1, 0, 0, 0, 1]);
    op::range(&wide, Scalar::from(250u8), Scalar::from(2u8), RunOptions::new()).unwrap();
    assert_eq!(wide.to_vec().unwrap(), [250, 252, 254, 0, 2, 4]);
}

#[test]
fn tensors_are_made_of_tensors() {
    let dev = device();
    let x = dev.tensor(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], (2, 3)).unwrap();
    assert_eq!(x.tril(0).unwrap().to_vec().unwrap(), [1.0, 0.0, 0.0, 4.0, 5.0, 0.0]);
    assert_eq!(x.triu(1).unwrap().to_vec().unwrap(), [0.0, 2.0, 3.0, 0.0, 0.0, 6.0]);
    let twice = x.tile(&[1, 2]).unwrap();
    assert_eq!(twice.i(0).unwrap().to_vec().unwrap(), [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]);

    let places = dev.tensor(&[1u8, 7], 2).unwrap();
    assert_eq!(places.one_hot::<bool>(2).unwrap().to_vec().unwrap(), [false, true, false, false]);
    let (on, off) = (Scalar::from(7i32), Scalar::from(5i32));
    let lines = op::one_hot(&places, 2, 0, netcl::Dtype::I32, on, off, RunOptions::new()).unwrap();
    assert_eq!(lines.typed::<i32>().unwrap().to_vec().unwrap(), [5, 5, 7, 5]);

    let y = x.i(1).unwrap();
    let both = Tensor::stack(&[&x.i(0).unwrap(), &y], 1).unwrap();
    assert_eq!(both.to_vec().unwrap(), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);

    let close = |got: Tensor<f32>, wanted: &[f32]| {
        let got = got.to_vec().unwrap();
        assert_eq!(got.len(), wanted.len());
        assert!(got.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-5), "{got:?}");
    };
    close(x.var(1, 0).unwrap(), &[2.0 / 3.0; 2]);
    close(x.var(.., 1).unwrap(), &[3.5]);
    close(x.std([0], 1).unwrap(), &[4.5f32.sqrt(); 3]);
    close(dev.tensor(&[1, 2, 4], 3).unwrap().var(0, 0).unwrap(), &[14.0 / 9.0]);
    close(dev.tensor(&[1i64, 2, 4], 3).unwrap().std(0, 1).unwrap(), &[(7.0f32 / 3.0).sqrt()]);
    assert!(x.i((0, ..1)).unwrap().var(0, 1).unwrap().item().unwrap().is_nan());
    let few_bits = dev.tensor(&[1000.0, 1004.0].map(Bf16::from_f32), 2).unwrap();
    assert_eq!(few_bits.var(.., 0).unwrap().item().unwrap(), Bf16::from_f32(4.0));
    let large = dev.tensor(&[300.0, -300.0].map(F16::from_f32), 2).unwrap();
    assert_eq!(large.std(.., 0).unwrap().item().unwrap(), F16::from_f32(300.0));
    let (_, slope) = gradients(&x, |_| x.var(.., 0)).unwrap();
    close(slope, &[-5.0, -3.0, -1.0, 1.0, 3.0, 5.0].map(|d: f32| d / 6.0));
}

#[test]
#[allow(clippy::reversed_empty_ranges)] // -1 is the last element
fn parts_count_from_the_end() {
    let dev = device();
    let x = dev.arange(0, 5).unwrap();
    let part = |part: Part| x.i(part).unwrap().to_vec().unwrap();
    assert_eq!(x.i(-1).unwrap().item().unwrap(), 4);
    assert_eq!(x.i(-5isize).unwrap().item().unwrap(), 0);
    assert_eq!(x.i(-3..).unwrap().to_vec().unwrap(), [2, 3, 4]);
    assert_eq!(x.i(..-1).unwrap().to_vec().unwrap(), [0, 1, 2, 3]);
    assert_eq!(x.i(1..=-1).unwrap().to_vec().unwrap(), [1, 2, 3, 4]);
    assert_eq!(x.i(..=-2).unwrap().to_vec().unwrap(), [0, 1, 2, 3]);
    assert_eq!(x.i(-2..5).unwrap().to_vec().unwrap(), [3, 4]);
    assert_eq!(x.i(1..x.len().unwrap()).unwrap().shape(), [4]);
    assert_eq!(part(Part::from(..).step(2)), [0, 2, 4]);
    assert_eq!(part(Part::from(1..4).step(3)), [1]);
    assert_eq!(part(Part::from(..).step(-1)), [4, 3, 2, 1, 0]);
    assert_eq!(part(Part::from(1..-1).step(-2)), [3, 1]);
    assert_eq!(part(Part::from(..).step(isize::MIN)), [4]);
    assert_eq!(part(Part::from(2..2).step(-1)), []);
    for wrong in [(-6..).into(), (..6).into(), Part::from(-6), Part::from(..).step(0)] {
        assert_eq!(x.i(wrong).unwrap_err().status, Status::INVALID_ARGUMENT, "{wrong:?}");
    }
    let beyond = [Part::from(..6).step(6), Part::from(3..7).step(4), Part::from(..7).step(-2)];
    for wrong in beyond.into_iter().chain([Part::from(-6..).step(-1), Part::from(3..-4)]) {
        assert!(x.i(wrong).is_err(), "{wrong:?}");
    }
    let square = x.i(..4).unwrap().reshape((2, 2)).unwrap();
    assert_eq!(square.i((Part::from(..).step(-1), -1)).unwrap().to_vec().unwrap(), [3, 1]);
}
