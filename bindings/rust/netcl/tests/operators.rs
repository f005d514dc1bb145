//! Operators, with numbers and by value. The counters are those of the process, so this is one test.

mod common;
use common::{device, is_opencl};
use netcl::{program_cache, Bf16, Tensor, F16};

#[test]
fn operators_take_tensors_and_numbers() {
    let dev = device();
    let x = dev.tensor(&[1.0f32, 2.0, -4.0], [3]).unwrap();
    let v = |t: netcl::Result<Tensor<f32>>| t.unwrap().to_vec().unwrap();

    // Ten numbers are one program for each operator, where there are programs: CPUs need none.
    let misses = || program_cache::info().unwrap().memory_misses;
    let apply = |n: f32| {
        assert_eq!(v(&x + n), [1.0 + n, 2.0 + n, -4.0 + n]);
        assert_eq!(v(&x - n), [1.0 - n, 2.0 - n, -4.0 - n]);
        assert_eq!(v(&x * n), [n, 2.0 * n, -4.0 * n]);
        assert_eq!(v(n - &x), [n - 1.0, n - 2.0, n + 4.0]);
        (&x / n).unwrap();
        (n / &x).unwrap();
    };
    apply(0.37);
    let before = misses();
    (1..10).for_each(|i| apply(i as f32 + 0.37));
    assert_eq!(misses(), before);
    let cpu = dev.info().unwrap().type_ == netcl::DeviceType::CPU;
    assert!(before > 0 || cpu || !is_opencl(&dev));

    // By value, and with the number first.
    let y = || dev.tensor(&[1.0f32, 2.0, -4.0], [3]).unwrap();
    assert_eq!(v(y() + y()), [2.0, 4.0, -8.0]);
    assert_eq!(v(&x - y()), [0.0; 3]);
    assert_eq!(v(y() * &x), [1.0, 4.0, 16.0]);
    assert_eq!(v(y() / 2.0), [0.5, 1.0, -2.0]);
    assert_eq!(v(2.0 / y()), [2.0, 1.0, -0.5]);
    assert_eq!(v(0.5 * &x), [0.5, 1.0, -2.0]);
    assert_eq!(v(-y()), v(-&x));
    assert_eq!((&x * 0.5).unwrap().shape(), [3]);

    // Numbers that no text of a float would carry.
    assert_eq!(v(&x * f32::INFINITY), [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY]);
    assert!(v(&x + f32::NAN).iter().all(|n| n.is_nan()));
    let big = 9_007_199_254_740_993_i64;
    let i = dev.tensor(&[3i64, -1], [2]).unwrap();
    assert_eq!((&i * big).unwrap().to_vec().unwrap(), [3 * big, -big]);
    assert_eq!((big - &i).unwrap().to_vec().unwrap(), [big - 3, big + 1]);
    assert_eq!((&i * 2).unwrap().to_vec().unwrap(), [6, -2]);
    let half = dev.full([2], F16::from_f32(3.0)).unwrap();
    assert_eq!((&half * 0.5).unwrap().to_vec().unwrap(), [F16::from_f32(1.5); 2]);
    let half = dev.full([2], Bf16::from_f32(3.0)).unwrap();
    assert_eq!((&half * Bf16::from_f32(2.0)).unwrap().to_vec().unwrap(), [Bf16::from_f32(6.0); 2]);
}
