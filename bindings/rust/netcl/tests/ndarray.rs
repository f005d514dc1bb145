//! Conversions from and to ndarray. bindings/rust/check.sh runs these with the feature "ndarray".
#![cfg(feature = "ndarray")]

mod common;
use common::{device, fails, Random};
use netcl::ndarray::{
    arr0, arr2, s, Array, Array1, Array2, ArrayD, ArrayView1, ArrayViewD, Axis, Dimension, Ix0,
    Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn, ShapeBuilder, Slice,
};
use netcl::{Bf16, Element, Status, Tensor, F16};

/// A cell for each element: the position in C order.
fn numbered(shape: &[usize]) -> ArrayD<i32> {
    let count = shape.iter().product::<usize>() as i32;
    ArrayD::from_shape_vec(IxDyn(shape), (0..count).collect()).unwrap()
}

/// Sends a view of an array and checks what is there, element by element, and what comes back.
#[track_caller]
fn goes_around(view: ArrayViewD<'_, i32>) {
    let dev = device();
    let x = dev.array(&view).unwrap();
    assert_eq!(x.shape(), view.shape());
    let elements: Vec<i32> = view.iter().copied().collect();
    assert_eq!(x.to_vec().unwrap(), elements);
    let back = x.to_array().unwrap();
    assert_eq!(back, view);
    assert!(back.is_standard_layout());
}

/// An array of one number of dimensions: as it is, turned, in Fortran order, and in parts.
fn rank<D: Dimension>(shape: D) {
    let count = shape.size() as i32;
    let array = Array::from_shape_vec(shape.clone(), (0..count).collect()).unwrap();
    goes_around(array.view().into_dyn());
    goes_around(array.t().into_dyn());
    let turned: Vec<i32> = (0..count).rev().collect();
    let columns = Array::from_shape_vec(shape.clone().f(), turned).unwrap();
    goes_around(columns.view().into_dyn());
    for axis in 0..array.ndim() {
        let mut back = array.view().into_dyn();
        back.invert_axis(Axis(axis));
        goes_around(back);
        let some = array.slice_axis(Axis(axis), Slice::new(1, None, 2));
        goes_around(some.into_dyn());
        let none = array.slice_axis(Axis(axis), Slice::from(0..0));
        goes_around(none.into_dyn());
    }
    // The type of the result has no number of dimensions until it is asked for.
    let typed: Array<i32, D> =
        device().array(&array).unwrap().to_array().unwrap().into_dimensionality().unwrap();
    assert_eq!(typed, array);
}

#[test]
fn every_rank_and_layout_goes_to_the_device_and_back() {
    goes_around(arr0(7).view().into_dyn());
    assert_eq!(device().array(&arr0(7)).unwrap().item().unwrap(), 7);
    rank(Ix0());
    rank(Ix1(5));
    rank(Ix2(3, 4));
    rank(Ix3(2, 3, 4));
    rank(Ix4(2, 3, 2, 3));
    rank(Ix5(2, 1, 3, 2, 2));
    rank(Ix6(2, 2, 1, 2, 3, 2));
    rank(IxDyn(&[2, 1, 2, 1, 2, 1, 2, 2]));
}

#[test]
fn views_that_skip_or_repeat_elements_are_copied_as_they_look() {
    let array = numbered(&[6, 5, 4]);
    goes_around(array.slice(s![1..;2, ..;-1, 3]).into_dyn());
    goes_around(array.slice(s![.., 2..2, ..]).into_dyn());
    let row = numbered(&[4]);
    goes_around(row.broadcast(IxDyn(&[3, 2, 4])).unwrap());
    let mut random = Random::fresh();
    let image = Array2::from_shape_fn((64, 48), |_| random.number());
    let dev = device();
    let x = dev.array(&image.t()).unwrap();
    assert_eq!((&x * 2.0).unwrap().to_array().unwrap(), (&image.t() * 2.0).into_dyn());
}

#[test]
fn views_of_tensors_come_back_as_they_look() {
    let dev = device();
    let x = dev.array(&numbered(&[3, 4])).unwrap();
    assert_eq!(x.t().unwrap().to_array().unwrap(), numbered(&[3, 4]).t().into_dyn());
    let part = x.i((1.., 1..3)).unwrap();
    assert_eq!(part.to_array().unwrap(), arr2(&[[5, 6], [9, 10]]).into_dyn());
    let repeated = dev.full([], 2.5f64).unwrap().broadcast([2, 3]).unwrap();
    assert_eq!(repeated.to_array().unwrap(), Array2::from_elem((2, 3), 2.5).into_dyn());
    let none: Tensor<u8> = dev.zeros([2, 0, 3]).unwrap();
    assert_eq!(none.to_array().unwrap().shape(), [2, 0, 3]);
}

fn of_type<T: Element + PartialEq + std::fmt::Debug>(values: [T; 4]) {
    let array = Array1::from(values.to_vec());
    let back = device().array(&array.slice(s![..;-1])).unwrap().to_array().unwrap();
    assert_eq!(back, array.slice(s![..;-1]).into_dyn());
}

#[test]
fn all_element_types_have_arrays() {
    of_type([F16(0), F16(0x3c00), F16(0x7bff), F16(1)]);
    of_type([Bf16(0), Bf16(0x3f80), Bf16(0xff7f), Bf16(1)]);
    of_type([0.0f32, -1.5, f32::MAX, f32::INFINITY]);
    of_type([0.0f64, -1.5, f64::MAX, f64::INFINITY]);
    of_type([0i8, -1, i8::MAX, i8::MIN]);
    of_type([0i16, -1, i16::MAX, i16::MIN]);
    of_type([0i32, -1, i32::MAX, i32::MIN]);
    of_type([0i64, -1, i64::MAX, i64::MIN]);
    of_type([0u8, 1, u8::MAX, 9]);
    of_type([0u16, 1, u16::MAX, 9]);
    of_type([0u32, 1, u32::MAX, 9]);
    of_type([0u64, 1, u64::MAX, 9]);
    of_type([true, false, false, true]);
}

#[test]
fn what_cannot_be_converted_is_an_error() {
    let dev = device();
    fails(dev.array(&numbered(&[1; 9])), Status::INVALID_ARGUMENT, "rank");
    // A view of one element that looks like more of them than there is memory.
    let one = [1.0f64];
    let many = ArrayView1::from(&one);
    let many = many.broadcast(1usize << 59).unwrap();
    fails(dev.array(&many), Status::OUT_OF_HOST_MEMORY, "elements");
    let repeated = dev.full([1], 1u8).unwrap().broadcast([1 << 50]).unwrap();
    fails(repeated.to_array(), Status::OUT_OF_HOST_MEMORY, "elements");
    drop(repeated);
}
